//! The first free name: `a.md`, `a-2.md`, `a-3.md`, …

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

/// The most bytes that a file name has on the usual file systems.
const LONGEST: usize = 255;
/// The most bytes of a name in the trash: the record beside it has a longer one.
pub const LONGEST_TRASHED: usize = 200;
/// How many names are tried.
const MOST: u32 = 100_000;

/// Names that are taken, on the disk or by another move of the same plan.
pub struct Names<'a> {
    taken: &'a dyn Fn(&Path) -> bool,
    claimed: HashSet<PathBuf>,
}

impl<'a> Names<'a> {
    /// `taken` says whether a name is taken on the disk.
    pub fn new(taken: &'a dyn Fn(&Path) -> bool) -> Self {
        Self { taken, claimed: HashSet::new() }
    }

    /// A name that the plan gives away.
    pub fn claim(&mut self, path: &Path) {
        self.claimed.insert(path.to_owned());
    }

    /// The first free name for `wanted`, at most `longest` bytes long, which is claimed by that; `None` where a
    /// hundred thousand are taken.
    pub fn first_free(&mut self, wanted: &Path, longest: usize) -> Option<PathBuf> {
        let is_free = |path: &PathBuf| !self.claimed.contains(path) && !(self.taken)(path);
        let free = (1..MOST).map(|number| numbered(wanted, number, longest)).find(is_free)?;
        self.claim(&free);
        Some(free)
    }
}

/// The path with a number before its ending, the name cut where it would be longer than a file system takes.
pub fn numbered(path: &Path, number: u32, longest: usize) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let (stem, ending) = split(name);
    let count = if number <= 1 { String::new() } else { format!("-{number}") };
    let room = longest.min(LONGEST).saturating_sub(ending.len() + count.len());
    let mut cut = cut(stem, room).to_vec();
    cut.extend(count.bytes());
    cut.extend(ending);
    path.with_file_name(OsString::from_vec(cut))
}

/// A name's stem and its ending with the dot; an ending longer than twenty bytes is none.
fn split(name: &OsStr) -> (&[u8], &[u8]) {
    let bytes = name.as_bytes();
    match bytes.iter().rposition(|&b| b == b'.') {
        Some(dot) if dot > 0 && bytes.len() - dot <= 20 => bytes.split_at(dot),
        _ => (bytes, &[]),
    }
}

/// At most `room` bytes, never ending in the middle of a character.
fn cut(stem: &[u8], room: usize) -> &[u8] {
    if stem.len() <= room {
        return stem;
    }
    let goes_on = |at: usize| stem.get(at).is_some_and(|b| b & 0b1100_0000 == 0b1000_0000);
    let end = (0..=room).rev().find(|&at| !goes_on(at)).unwrap_or(room);
    // Bytes that are no UTF-8 at all are cut where the room ends.
    &stem[..if end == 0 { room } else { end }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_name_gets_the_next_number_and_long_ones_are_cut() {
        let taken = |path: &Path| matches!(path.to_str(), Some("/a/x.md" | "/a/x-2.md" | "/a/.hidden"));
        let mut names = Names::new(&taken);
        let mut free = |name: &str| names.first_free(Path::new(name), LONGEST).unwrap();
        assert_eq!(free("/a/x.md"), Path::new("/a/x-3.md"), "the number stands before the ending");
        assert_eq!(free("/a/x.md"), Path::new("/a/x-4.md"), "a name is given away once");
        assert_eq!(free("/a/.hidden"), Path::new("/a/.hidden-2"), "a leading dot begins no ending");
        let composed = (free("/a/e\u{301}.md"), free("/a/é.md"));
        assert_ne!(composed.0, composed.1, "two spellings of one letter are two names");
        let long = format!("/a/{}.md", "é".repeat(126));
        for (number, longest) in [(1, LONGEST), (12, LONGEST), (7, LONGEST_TRASHED)] {
            let path = numbered(Path::new(&long), number, longest);
            let name = path.file_name().unwrap();
            assert!(name.len() <= longest && name.to_str().is_some(), "{number}: cut between characters");
            assert!(name.to_str().unwrap().ends_with(".md"), "and the ending stays");
        }
        let odd = Path::new(OsStr::from_bytes(b"/a/\x80\x80\x80.md"));
        assert_eq!(numbered(odd, 1, LONGEST), odd, "bytes that are no text stay as they are");
        assert_eq!(numbered(odd, 2, 6).as_os_str().as_bytes(), b"/a/\x80-2.md", "and are cut by bytes");
    }
}
