//! The only room that opens files: contained and bounded reads, listings, hashing, whole writes;
//! and the locks and the log of moorline's own state.
//!
//! Nothing here follows a path out of its root, waits on a FIFO, or reads more than it was told to. There are two
//! ways in: by an absolute path that a person gave ([`read`], [`digest`], [`kind`], [`private_copy`]), and beneath
//! an opened directory ([`Beneath`]) for every path that comes out of a file or a listing.

mod append;
mod atomic;
mod beneath;
mod copy;
mod depot;
mod in_place;
mod lock;
mod moving;
mod open;
mod pin;
mod private;
mod renaming;
pub mod rows;
mod scratch;
#[cfg(test)]
mod tests;
mod unpack;
mod watch;

use std::ffi::OsString;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use append::{append_line, exchange_lines};
pub use atomic::{Spot, WriteError, locate};
pub use beneath::Beneath;
pub use copy::{PrivateCopy, private_copy};
pub use depot::{Depot, NewFile};
pub use lock::Lock;
pub use moving::{MoveError, Stamp, is_taken, on_one_file_system, remove_empty_dir};
pub use open::terminal;
pub use pin::PinnedDir;
pub use private::private_dir;
pub use scratch::Scratch;
pub use watch::Watch;

use crate::handoff::Digest;

/// Which file on this machine, whatever its name: the same for every spelling of one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId {
    /// Device number.
    pub device: u64,
    /// Inode number.
    pub inode: u64,
}

/// What the opened file said about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meta {
    /// Which file it is.
    pub id: FileId,
    /// Its size in bytes.
    pub len: u64,
    /// When it was last modified.
    pub modified: Option<SystemTime>,
    /// Unix permission bits.
    pub mode: u32,
}

/// Bytes read from a regular file.
#[derive(Debug, Clone)]
pub struct Content {
    /// At most as many bytes as the cap allowed.
    pub bytes: Vec<u8>,
    /// What the handle said when it was opened.
    pub meta: Meta,
    /// The cap bit: the file is longer than `bytes`.
    pub cut: bool,
}

/// Where a path really lies, with every link followed.
///
/// # Errors
/// [`DiskError`] where nothing lies there, or the system refuses.
pub fn real(path: &Path) -> Result<PathBuf, DiskError> {
    path.canonicalize().map_err(|error| open::said(path, &error))
}

/// What kind of thing a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A FIFO, socket or device: never opened for reading.
    Other,
}

/// What a directory entry is by itself: a link is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, wherever it leads.
    Link,
    /// A FIFO, socket or device.
    Other,
}

/// One entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name, which need not be UTF-8.
    pub name: OsString,
    /// What it is.
    pub kind: EntryKind,
}

/// Why a path was not read. Says what and where; an error is never an absence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiskError {
    /// Nothing lies there.
    #[error("{} is not there", .0.display())]
    NotFound(PathBuf),
    /// It is no regular file.
    #[error("{} is not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// The path leads out of its root by a symbolic link.
    #[error("{} leads out of its root", .0.display())]
    Escapes(PathBuf),
    /// A symbolic link lies where none may be followed.
    #[error("{} is a symbolic link", .0.display())]
    Link(PathBuf),
    /// A write that a person can make possible.
    #[error("{}: cannot be written: {why}", at.display())]
    NotWritable {
        /// What was to be written.
        path: PathBuf,
        /// What refuses: the directory that it lies in or would lie in, else the same.
        at: PathBuf,
        /// What stands in the way.
        obstacle: Obstacle,
        /// What the system said.
        why: String,
    },
    /// Anything else the system said.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, String),
}

impl DiskError {
    /// Why, for whoever has said this path already.
    pub fn reason_at(&self, path: &Path) -> String {
        let whole = self.to_string();
        let rest =
            whole.strip_prefix(&path.display().to_string()).map(|rest| rest.trim_start_matches([':', ' ']));
        rest.filter(|rest| !rest.is_empty()).unwrap_or(&whole).to_owned()
    }
}

/// What stands in the way of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// This person may not.
    Denied,
    /// The file system takes no writes.
    ReadOnly,
    /// The file system has no room for more bytes or more files, or a quota is used up.
    Full,
}

/// Reads a regular file by its absolute path, at most `cap` bytes. Follows symbolic links; opens without
/// blocking, so that a FIFO is refused instead of waited for.
///
/// # Errors
/// [`DiskError`] where it is absent, no regular file, or the system refuses.
pub fn read(path: &Path, cap: u64) -> Result<Content, DiskError> {
    open::content(open::absolute(path)?, path, cap)
}

/// The SHA-256 of a regular file by its absolute path, streamed from one opened handle, and the number of bytes.
///
/// # Errors
/// As [`read`].
pub fn digest(path: &Path) -> Result<(Digest, u64), DiskError> {
    open::digest(open::absolute(path)?, path)
}

/// What lies at an absolute path and what it says of itself, links followed. Opens nothing.
///
/// # Errors
/// [`DiskError`] where nothing lies there or the system refuses.
pub fn look(path: &Path) -> Result<(Kind, Meta), DiskError> {
    let metadata = std::fs::metadata(path).map_err(|error| open::said(path, &error))?;
    Ok((open::kind(&metadata), open::meta(&metadata)))
}

/// How many names (hard links) the file at an absolute path has, links followed; `None` where that cannot be told. It
/// is no part of [`Meta`]: a name that comes or goes elsewhere changes nothing about the file.
pub fn names(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().map(|found| found.nlink())
}

/// What lies at an absolute path, links followed. Opens nothing.
///
/// # Errors
/// [`DiskError`] where nothing lies there or the system refuses.
pub fn kind(path: &Path) -> Result<(Kind, FileId), DiskError> {
    look(path).map(|(kind, meta)| (kind, meta.id))
}

/// Where a symbolic link at this absolute path points, as it is written in it; `None` for anything else.
pub fn link_at(path: &Path) -> Option<PathBuf> {
    std::fs::read_link(path).ok()
}

/// Whether two paths lead to one name of one file, links on the way followed: two hard links are two names.
pub fn is_same_name(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Whether two paths lead to one and the same thing; `false` where that cannot be told.
pub fn is_same(a: &Path, b: &Path) -> bool {
    a == b || matches!((kind(a), kind(b)), (Ok((_, a)), Ok((_, b))) if a == b)
}
