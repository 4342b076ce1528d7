//! Commands that a person can paste.

/// Words as one command of a POSIX shell.
pub(super) fn command<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// One word.
pub(super) fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:,=+@".contains(&byte);
    match !word.is_empty() && word.bytes().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_command_says_what_was_meant() {
        assert_eq!(command(["mm", "shared:api", ""]), "mm shared:api ''", "plain words stay");
        assert_eq!(quoted("it's\n$HOME"), "'it'\\''s\n$HOME'", "everything else is quoted whole");
    }
}
