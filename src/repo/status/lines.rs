//! Porcelain lines while they are put together, and their order.

use std::collections::BTreeMap;

use gix::bstr::{BStr, BString, ByteSlice};

use crate::handoff::Inert;
use crate::repo::StatusEntry;

/// One tracked path's line.
pub(super) struct Line {
    /// Its two letters.
    pub xy: [char; 2],
    /// The name it had before.
    pub from: Option<BString>,
    /// The second letter does not rest on the file's content alone.
    pub by_mode: bool,
}

/// All lines. A path that was only removed from the index stands in both parts.
#[derive(Default)]
pub(super) struct Lines {
    tracked: BTreeMap<BString, Line>,
    untracked: Vec<BString>,
}

impl Lines {
    /// The line of a tracked path, made where there is none yet.
    pub fn at(&mut self, path: &BStr) -> &mut Line {
        let none = || Line { xy: [' ', ' '], from: None, by_mode: false };
        self.tracked.entry(path.to_owned()).or_insert_with(none)
    }

    /// Takes back the second letter where only the content gave it.
    pub fn forget_content(&mut self, path: &BStr) {
        if let Some(line) = self.tracked.get_mut(path)
            && !line.by_mode
        {
            line.xy[1] = ' ';
        }
    }

    /// Adds files and directories that git does not know.
    pub fn add_untracked(&mut self, paths: impl IntoIterator<Item = BString>) {
        self.untracked.extend(paths);
    }

    /// The entries in the bytewise order of the lines that git would print.
    pub fn sorted(self, quote_non_ascii: bool) -> Vec<StatusEntry> {
        let untracked = self.untracked.into_iter().map(|path| (path, ['?', '?'], None));
        let tracked = self.tracked.into_iter().map(|(path, line)| (path, line.xy, line.from));
        let mut entries: Vec<(Vec<u8>, StatusEntry)> = tracked
            .chain(untracked)
            .filter(|(_, xy, _)| *xy != [' ', ' '])
            .map(|(path, xy, from)| {
                let mut line = format!("{}{} ", xy[0], xy[1]).into_bytes();
                if let Some(from) = &from {
                    line.extend(quoted(from, quote_non_ascii));
                    line.extend(b" -> ");
                }
                line.extend(quoted(&path, quote_non_ascii));
                let inert = |path: BString| Inert::new(path.to_str_lossy());
                (line, StatusEntry { xy, path: inert(path), from: from.map(inert) })
            })
            .collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        entries.into_iter().map(|(_, entry)| entry).collect()
    }
}

/// A path as git prints it in a line: in quotes, with C escapes, where it holds a control character, a quote, a
/// backslash, a blank, or (unless `core.quotePath` is off) a byte beyond ASCII.
fn quoted(path: &[u8], non_ascii: bool) -> Vec<u8> {
    let odd = |b: &u8| matches!(b, ..b' ' | b'"' | b'\\' | 0x7F) || (non_ascii && *b >= 0x80);
    if !path.iter().any(|b| odd(b) || *b == b' ') {
        return path.to_owned();
    }
    let mut out = vec![b'"'];
    for b in path {
        match b {
            b'"' | b'\\' => out.extend([b'\\', *b]),
            7..=13 => out.extend([b'\\', b"abtnvfr"[usize::from(b - 7)]]),
            b if odd(b) => out.extend(format!("\\{b:03o}").into_bytes()),
            b => out.push(*b),
        }
    }
    out.push(b'"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_as_git_quotes_them() {
        for (name, printed) in [
            (&b"plain/name.txt"[..], "plain/name.txt"),
            (b"with blank", "\"with blank\""),
            (b"quo\"te\\", "\"quo\\\"te\\\\\""),
            (b"tab\tnew\nline", "\"tab\\tnew\\nline\""),
            (b"\x01\x7f", "\"\\001\\177\""),
            ("ü".as_bytes(), "\"\\303\\274\""),
        ] {
            assert_eq!(quoted(name, true).as_bstr(), printed, "{:?}", name.as_bstr());
        }
        assert_eq!(quoted("ü".as_bytes(), false), "ü".as_bytes(), "core.quotePath=false lets letters stand");
    }
}
