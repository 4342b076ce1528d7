//! The files that two states differ in.

use std::sync::Arc;

use gix::bstr::ByteSlice;

use crate::handoff::Inert;

/// Files by their paths, in bytewise order. Directories that differ in the same way are the same memory, however many
/// pairs of states they were found between; a whole path is put together only where somebody reads it.
#[derive(Debug, Clone, Default)]
pub struct Files {
    count: usize,
    entries: Arc<[Entry]>,
}

/// A file, or a directory with files.
#[derive(Debug)]
pub(super) struct Entry {
    /// One name, without a slash.
    pub(super) name: Arc<[u8]>,
    /// What differs below it; `None` for a file.
    pub(super) below: Option<Files>,
}

impl Files {
    /// How many files there are; `usize::MAX` where they are more.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Their paths, from the root.
    pub fn iter(&self) -> Paths<'_> {
        Paths { left: vec![self.entries.iter()], above: String::new() }
    }

    /// How many names are kept for it, files' and directories', those of directories below left out.
    pub(super) fn names(&self) -> usize {
        self.entries.len()
    }
}

impl From<Vec<Entry>> for Files {
    fn from(entries: Vec<Entry>) -> Self {
        // A few trees can name each other to more files than there are numbers.
        let files = |entry: &Entry| entry.below.as_ref().map_or(1, Files::len);
        let count = entries.iter().fold(0_usize, |sum, entry| sum.saturating_add(files(entry)));
        Self { count, entries: entries.into() }
    }
}

impl PartialEq for Files {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.iter().eq(other.iter())
    }
}

impl Eq for Files {}

/// Names of one directory.
impl<'a> FromIterator<&'a str> for Files {
    fn from_iter<T: IntoIterator<Item = &'a str>>(names: T) -> Self {
        let entry = |name: &str| Entry { name: name.as_bytes().into(), below: None };
        names.into_iter().map(entry).collect::<Vec<_>>().into()
    }
}

/// The paths of [`Files`], one after the other.
pub struct Paths<'a> {
    /// What is left of each directory on the way down.
    left: Vec<std::slice::Iter<'a, Entry>>,
    /// The path of the last of them, with a slash at its end.
    above: String,
}

impl Iterator for Paths<'_> {
    type Item = Inert;

    fn next(&mut self) -> Option<Inert> {
        loop {
            let Some(entry) = self.left.last_mut()?.next() else {
                self.left.pop();
                let whole = self.above.trim_end_matches('/').rfind('/').map_or(0, |slash| slash + 1);
                self.above.truncate(whole);
                continue;
            };
            match &entry.below {
                None => return Some(format!("{}{}", self.above, entry.name.to_str_lossy()).into()),
                Some(below) => {
                    self.above.push_str(&entry.name.to_str_lossy());
                    self.above.push('/');
                    self.left.push(below.entries.iter());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_put_together_from_their_directories() {
        let deep = Files::from_iter(["b", "c"]);
        let below =
            |name: &str, below: &Files| Entry { name: name.as_bytes().into(), below: Some(below.clone()) };
        let file = |name: &str| Entry { name: name.as_bytes().into(), below: None };
        let twice = Files::from(vec![file("a"), below("x", &deep)]);
        let files = Files::from(vec![below("one", &twice), file("two"), below("two", &deep), file("z")]);
        let paths: Vec<_> = files.iter().collect();
        let wanted = ["one/a", "one/x/b", "one/x/c", "two", "two/b", "two/c", "z"];
        assert_eq!(paths, wanted.map(Inert::from), "each with all names above it, and none of a sibling's");
        assert_eq!(files.len(), wanted.len(), "counted without being put together");
        assert!(
            Files::default().is_empty() && Files::default().iter().next().is_none(),
            "nothing is nothing"
        );
    }
}
