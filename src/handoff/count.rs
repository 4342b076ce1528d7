//! Counted nouns: one file, two files.

/// A count with its noun, in the form that fits it: `1 file`, `0 files`.
pub fn count_of(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_fits_its_count() {
        assert_eq!(count_of(1, "file", "files"), "1 file", "one is no many");
        assert_eq!(count_of(0, "file", "files"), "0 files", "none is many");
        assert_eq!(count_of(2, "file", "files"), "2 files", "and so are two");
    }
}
