//! The tags of an entry in the spellings that were seen: a JSON list, a list in single quotes, bare words in
//! brackets, a block list in the lines below.

/// Reads the tags behind `tags:`; also gives the number of lines below that belong to them.
pub(super) fn read(value: &str, below: &[&str]) -> (Option<Vec<String>>, usize) {
    if value.is_empty() {
        let items = below.iter().map_while(|line| {
            let item = line.trim_start_matches(['>', ' ']).trim_end();
            item.strip_prefix("- ").map(|tag| tag.trim().trim_matches(['"', '\'']).to_owned())
        });
        let items: Vec<String> = items.collect();
        let used = items.len();
        return ((used > 0).then_some(items), used);
    }
    let list = value.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).map(|inner| {
        let tags = inner.split(',').map(|tag| tag.trim().trim_matches(['"', '\'']).to_owned());
        tags.filter(|tag| !tag.is_empty()).collect()
    });
    (list, 0)
}
