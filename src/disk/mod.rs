//! The only room that opens files: contained and bounded reads, hashing, atomic writes, locks.
//!
//! Nothing here follows a path out of its root, waits on a FIFO, or reads more than it was told to.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::handoff::{Digest, RelPath};

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
    /// Anything else the system said.
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, String),
}

/// Reads a regular file by its absolute path, at most `cap` bytes. Follows symbolic links; opens without
/// blocking, so that a FIFO is refused instead of waited for.
///
/// # Errors
/// [`DiskError`] where it is absent, no regular file, or the system refuses.
pub fn read(path: &Path, cap: u64) -> Result<Content, DiskError> {
    let _ = (path, cap);
    todo!()
}

/// An opened directory beneath which recorded paths are read; no symbolic link leads out of it.
#[derive(Debug)]
pub struct Beneath {
    path: PathBuf,
}

impl Beneath {
    /// Opens a directory by its absolute path.
    pub fn open(path: &Path) -> Result<Self, DiskError> {
        let _ = path;
        todo!()
    }

    /// The directory's path as it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a regular file beneath it, at most `cap` bytes.
    pub fn read(&self, rel: &RelPath, cap: u64) -> Result<Content, DiskError> {
        let _ = (rel, cap);
        todo!()
    }

    /// The SHA-256 of the opened handle's bytes, streamed, and their number.
    pub fn digest(&self, rel: &RelPath) -> Result<(Digest, u64), DiskError> {
        let _ = rel;
        todo!()
    }

    /// What lies there, links inside the root followed.
    pub fn kind(&self, rel: &RelPath) -> Result<(Kind, FileId), DiskError> {
        let _ = rel;
        todo!()
    }
}
