//! Looks at what gix opens by itself before it does. gix waits at a FIFO for ever and reads a device or a sparse
//! file until the memory is full; so each such file must be a regular one of a size that its kind can have.
//!
//! It is looked at again before every question, since a repository changes while it is open. Swapping a file in
//! the moment between look and read remains possible: that needs the user's own rights.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use gix::bstr::ByteSlice;
use gix::index::State;

use super::RepoError;
use super::layout::Layout;
use crate::disk::{self, Beneath, DiskError, EntryKind, Kind, Meta};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// The most that a reference's file may hold, in bytes: an id, or another reference's name.
const LARGEST_REF: u64 = 64 * KIB;

/// The most that an index may hold, in bytes.
const LARGEST_INDEX: u64 = 1024 * MIB;

/// The most that a file of rules may hold, in bytes.
const LARGEST_RULES: u64 = 8 * MIB;

/// The files of a git directory, each with the most bytes that it may have.
const FILES: [(&str, u64); 11] = [
    ("HEAD", LARGEST_REF),
    ("config", 8 * MIB),
    ("config.worktree", 8 * MIB),
    ("commondir", 64 * KIB),
    ("gitdir", 64 * KIB),
    ("index", LARGEST_INDEX),
    ("packed-refs", 256 * MIB),
    ("shallow", 64 * MIB),
    ("info/exclude", LARGEST_RULES),
    ("info/attributes", LARGEST_RULES),
    ("objects/info/commit-graphs/commit-graph-chain", MIB),
];

/// Directories of an object store whose files are mapped, not read: only their kind matters.
const MAPPED: [&str; 2] = ["pack", "info/commit-graphs"];

/// The rules that may lie in any directory of the worktree.
const RULES: [&str; 2] = [".gitignore", ".gitattributes"];

/// Where gix looks for a full name, too, when there is nothing of exactly that name.
const ABOVE_REFS: [&str; 5] = ["", "refs", "refs/tags", "refs/heads", "refs/remotes"];

/// How many object stores borrow from each other at most, as in git.
const DEEPEST: usize = 5;

/// How long a directory must have stood unchanged before its time of change vouches for what was seen in it.
const SETTLED: Duration = Duration::from_secs(2);

/// How long one look at an object store serves: a check asks many questions one right after the other.
pub(super) const SERVES: Duration = Duration::from_millis(200);

/// When the object stores were looked through; and the directories that were, each with the time of its last change
/// then: entries come and go only with a new one.
#[derive(Debug, Default)]
pub(super) struct Looked {
    last: Mutex<Option<Instant>>,
    directories: Mutex<HashMap<PathBuf, SystemTime>>,
}

/// Everything in the git directories that is read whatever is asked.
pub(super) fn git_dirs(layout: &Layout, looked: &Looked) -> Result<(), RepoError> {
    for dir in dirs(layout) {
        for (name, most) in FILES {
            file(&dir.join(name), most)?;
        }
        unless_known(dir, looked, || shared_indexes(dir))?;
    }
    // A poisoned lock means that another look panicked; what it guards is whole.
    let mut last = looked.last.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_none_or(|last| last.elapsed() > SERVES) {
        objects(&layout.common_dir.join("objects"), looked, 0)?;
        *last = Some(Instant::now());
    }
    Ok(())
}

/// The indexes that a split index goes on in.
fn shared_indexes(dir: &Path) -> Result<(), RepoError> {
    let Ok((_, entries)) = Beneath::open(dir).and_then(|dir| dir.list(Path::new(""))) else { return Ok(()) };
    let mut shared =
        entries.iter().filter(|entry| entry.name.as_encoded_bytes().starts_with(b"sharedindex."));
    shared.try_for_each(|entry| file(&dir.join(&entry.name), LARGEST_INDEX))
}

/// An object store: what it maps, its loose objects, and the stores that it borrows from.
fn objects(dir: &Path, looked: &Looked, depth: usize) -> Result<(), RepoError> {
    let alternates = dir.join("info/alternates");
    file(&alternates, MIB)?;
    file(&dir.join("info/commit-graph"), 4096 * MIB)?;
    for name in MAPPED {
        files_of(dir, Path::new(name), u64::MAX)?;
    }
    for fan in fans(dir) {
        loose(dir, &fan, looked)?;
    }
    if depth == DEEPEST {
        return Ok(());
    }
    let Ok(content) = disk::read(&alternates, MIB) else { return Ok(()) };
    for line in content.bytes.lines().filter(|line| !line.is_empty() && !line.starts_with(b"#")) {
        let Ok(path) = gix::path::from_byte_slice(line) else { continue };
        objects(&dir.join(path), looked, depth + 1)?;
    }
    Ok(())
}

/// The directories of loose objects, named by the first byte of their ids. All that there could be, where the store
/// cannot be listed: what lies in them can be opened all the same.
fn fans(objects: &Path) -> Vec<String> {
    let is_fan = |name: &&str| name.len() == 2 && name.bytes().all(|b| b.is_ascii_hexdigit());
    match Beneath::open(objects).and_then(|dir| dir.list(Path::new(""))) {
        Ok((_, entries)) => {
            let names = entries.iter().filter_map(|entry| entry.name.to_str());
            names.filter(is_fan).map(str::to_owned).collect()
        }
        Err(_) => (0..=u8::MAX).map(|fan| format!("{fan:02x}")).collect(),
    }
}

/// The loose objects whose ids begin alike.
fn loose(objects: &Path, fan: &str, looked: &Looked) -> Result<(), RepoError> {
    unless_known(&objects.join(fan), looked, || files_of(objects, Path::new(fan), u64::MAX).map(drop))
}

/// Looks through a directory, unless nothing came or went in it since it was looked through last.
fn unless_known(
    dir: &Path,
    looked: &Looked,
    look: impl FnOnce() -> Result<(), RepoError>,
) -> Result<(), RepoError> {
    let Ok(modified) = dir.metadata().and_then(|found| found.modified()) else { return Ok(()) };
    // A poisoned lock means that another look panicked; what it guards is whole.
    let known = || looked.directories.lock().unwrap_or_else(PoisonError::into_inner);
    if known().get(dir) == Some(&modified) {
        return Ok(());
    }
    look()?;
    if modified.elapsed().is_ok_and(|stood| stood > SETTLED) {
        known().insert(dir.to_owned(), modified);
    }
    Ok(())
}

/// A file of rules that lies anywhere.
pub(super) fn rules_file(path: &Path) -> Result<(), RepoError> {
    file(path, LARGEST_RULES)
}

/// The files that a reference of this full name could be read from. A directory is none: `a` beside `a/b`.
pub(super) fn reference(layout: &Layout, name: &str) -> Result<(), RepoError> {
    for dir in dirs(layout) {
        for above in ABOVE_REFS {
            file_or_directory(&dir.join(above).join(name), LARGEST_REF)?;
        }
    }
    Ok(())
}

/// Every reference's file below a directory, `refs/remotes`.
pub(super) fn references_below(layout: &Layout, name: &str) -> Result<(), RepoError> {
    for dir in dirs(layout) {
        let mut left = vec![PathBuf::from(name)];
        while let Some(below) = left.pop() {
            left.append(&mut files_of(dir, &below, LARGEST_REF)?);
        }
    }
    Ok(())
}

/// The rules in every directory that holds a tracked file, and in the root.
pub(super) fn rules_of_tracked(root: &Path, index: &State) -> Result<(), RepoError> {
    rules(root)?;
    let mut last: Option<PathBuf> = None;
    for entry in index.entries() {
        let Ok(path) = gix::path::from_bstr(entry.path(index)) else { continue };
        // Sorted by path: the files of a directory lie together, and so do those of the ones above it.
        for above in path.ancestors().skip(1).take_while(|above| !above.as_os_str().is_empty()) {
            if last.as_deref().is_some_and(|last| last.starts_with(above)) {
                break;
            }
            rules(&root.join(above))?;
        }
        last = path.parent().map(Path::to_owned);
    }
    Ok(())
}

/// The rules in one directory of the worktree. git, too, passes over a directory of such a name.
pub(super) fn rules(dir: &Path) -> Result<(), RepoError> {
    RULES.iter().try_for_each(|name| file_or_directory(&dir.join(name), LARGEST_RULES))
}

/// Both git directories, or the one that there is.
fn dirs(layout: &Layout) -> impl Iterator<Item = &Path> {
    let common = layout.is_linked().then_some(layout.common_dir.as_path());
    std::iter::once(layout.git_dir.as_path()).chain(common)
}

/// Looks at all files of one directory; gives the directories in it, as paths from `dir`.
fn files_of(dir: &Path, below: &Path, most: u64) -> Result<Vec<PathBuf>, RepoError> {
    // One that cannot be listed here cannot be listed by gix either, which then says so.
    let Ok((_, entries)) = Beneath::open(dir).and_then(|dir| dir.list(below)) else { return Ok(Vec::new()) };
    let mut directories = Vec::new();
    for entry in entries {
        let path = below.join(&entry.name);
        match entry.kind {
            EntryKind::Directory => directories.push(path),
            EntryKind::File if most == u64::MAX => {}
            EntryKind::File | EntryKind::Link | EntryKind::Other => {
                file_or_directory(&dir.join(path), most)?;
            }
        }
    }
    Ok(directories)
}

fn file(path: &Path, most: u64) -> Result<(), RepoError> {
    match disk::look(path) {
        Ok((Kind::Directory, _)) => Err(odd(path, "a directory")),
        found => regular(path, found, most),
    }
}

fn file_or_directory(path: &Path, most: u64) -> Result<(), RepoError> {
    regular(path, disk::look(path), most)
}

/// Whether what was found can be opened and has an end.
fn regular(path: &Path, found: Result<(Kind, Meta), DiskError>, most: u64) -> Result<(), RepoError> {
    match found {
        Ok((Kind::Other, _)) => Err(odd(path, "a FIFO, socket or device")),
        Ok((Kind::File, meta)) if meta.len > most => {
            Err(odd(path, &format!("{} bytes long, of which at most {most} are read", meta.len)))
        }
        // What cannot even be looked at, gix cannot open, and says so where it matters.
        Ok(_) | Err(_) => Ok(()),
    }
}

fn odd(path: &Path, what: &str) -> RepoError {
    RepoError::refused(format!(
        "{} is {what}, where git keeps a regular file: nothing is read; remove it or put the file back",
        path.display()
    ))
}
