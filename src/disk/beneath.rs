//! An opened directory, and reads that cannot leave it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, MetadataExt as _, OpenOptions, OpenOptionsExt as _};
use rustix::fs;

use super::{Content, DiskError, Entry, EntryKind, FileId, Kind, open};
use crate::handoff::{Digest, RelPath};

/// An opened directory beneath which recorded paths are read; no symbolic link leads out of it.
///
/// The kernel resolves each path beneath the handle (`openat2` with `RESOLVE_BENEATH`, component by component where
/// that is missing), so that a link exchanged between a check and an open cannot win. Links that stay inside are
/// followed, absolute ones too.
#[derive(Debug)]
pub struct Beneath {
    pub(super) path: PathBuf,
    pub(super) dir: Dir,
    id: FileId,
}

impl Beneath {
    /// Opens a directory by its absolute path.
    ///
    /// # Errors
    /// [`DiskError`] where it is absent, no directory, or the system refuses.
    pub fn open(path: &Path) -> Result<Self, DiskError> {
        let said = |error| open::said(path, &error);
        let dir = Dir::open_ambient_dir(path, ambient_authority()).map_err(said)?;
        let id = id(&dir.dir_metadata().map_err(said)?);
        Ok(Self { path: path.to_owned(), dir, id })
    }

    /// The directory's path as it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which directory it is, whatever its spelling.
    pub fn id(&self) -> FileId {
        self.id
    }

    /// Reads a regular file beneath it, at most `cap` bytes.
    ///
    /// # Errors
    /// [`DiskError`] where it is absent, no regular file, leads out, or the system refuses.
    pub fn read(&self, rel: &RelPath, cap: u64) -> Result<Content, DiskError> {
        self.read_found(rel.as_path(), cap)
    }

    /// Like [`Beneath::read`] for a path found by a listing, whose names need not be UTF-8.
    ///
    /// # Errors
    /// As [`Beneath::read`].
    pub fn read_found(&self, rel: &Path, cap: u64) -> Result<Content, DiskError> {
        open::content(self.file(rel)?, &self.path.join(rel), cap)
    }

    /// The SHA-256 of the opened handle's bytes, streamed, and their number.
    ///
    /// # Errors
    /// As [`Beneath::read`].
    pub fn digest(&self, rel: &RelPath) -> Result<(Digest, u64), DiskError> {
        open::digest(self.file(rel.as_path())?, &self.path.join(rel.as_path()))
    }

    /// Hands the opened handle's bytes on and gives their SHA-256 and number, at most `cap` of them.
    ///
    /// # Errors
    /// As [`Beneath::read`]; also where there are more bytes, or they cannot be written.
    pub fn copy(&self, rel: &RelPath, to: &mut dyn Write, cap: u64) -> Result<(Digest, u64), DiskError> {
        let path = self.path.join(rel.as_path());
        open::copy(self.file(rel.as_path())?, &path, to, cap)
    }

    /// What lies there, links inside the root followed.
    ///
    /// # Errors
    /// [`DiskError`] where nothing lies there, it leads out, or the system refuses.
    pub fn kind(&self, rel: &RelPath) -> Result<(Kind, FileId), DiskError> {
        self.kind_found(rel.as_path())
    }

    /// Like [`Beneath::kind`] for a path found by a listing, whose names need not be UTF-8.
    ///
    /// # Errors
    /// As [`Beneath::kind`].
    pub fn kind_found(&self, rel: &Path) -> Result<(Kind, FileId), DiskError> {
        let metadata = self.within(rel, |rel| self.dir.metadata(rel))?;
        let kind = match metadata.file_type() {
            is if is.is_file() => Kind::File,
            is if is.is_dir() => Kind::Directory,
            _ => Kind::Other,
        };
        Ok((kind, id(&metadata)))
    }

    /// When something found by a listing was last modified, links inside the root followed.
    ///
    /// # Errors
    /// As [`Beneath::kind`]; also where the file system keeps no such time.
    pub fn modified(&self, rel: &Path) -> Result<SystemTime, DiskError> {
        self.within(rel, |rel| self.dir.metadata(rel)?.modified().map(cap_std::time::SystemTime::into_std))
    }

    /// The entries of a directory beneath it (empty path: its own), sorted by name, and which directory it is.
    /// Entries are named, not opened: a link is listed as a link.
    ///
    /// # Errors
    /// [`DiskError`] where it is absent, no directory, leads out, or the system refuses.
    pub fn list(&self, rel: &Path) -> Result<(FileId, Vec<Entry>), DiskError> {
        let shown = self.path.join(rel);
        let said = |error: io::Error| open::said(&shown, &error);
        // The handle that was opened is the one that is read: asking the directory by a name again would open it anew.
        let rel = if rel.as_os_str().is_empty() { Path::new(".") } else { rel };
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(fs::OFlags::DIRECTORY.bits().cast_signed());
        let opened = self.within(rel, |rel| self.dir.open_with(rel, &options))?;
        let id = id(&opened.metadata().map_err(said)?);
        let mut entries = Vec::new();
        let refused = |error: rustix::io::Errno| said(error.into());
        let mut dir = fs::Dir::new(opened).map_err(refused)?;
        while let Some(entry) = dir.read() {
            let entry = entry.map_err(refused)?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not say it in the listing.
                fs::FileType::Unknown => {
                    let handle = dir.fd().map_err(refused)?;
                    let stat = fs::statat(handle, name, fs::AtFlags::SYMLINK_NOFOLLOW).map_err(refused)?;
                    fs::FileType::from_raw_mode(stat.st_mode)
                }
                listed => listed,
            };
            entries.push(Entry { name: name.to_owned(), kind: kind.into() });
        }
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok((id, entries))
    }

    /// Opens beneath the root without blocking; the handle is checked by the caller.
    fn file(&self, rel: &Path) -> Result<File, DiskError> {
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true).custom_flags(open::flags());
        self.within(rel, |rel| self.dir.open_with(rel, &options)).map(cap_std::fs::File::into_std)
    }

    /// Does one thing beneath the root. An absolute link counts as leading out even where its target lies inside;
    /// then the real path is tried once more, beneath the same handle, so that nothing is won by a race.
    fn within<T>(&self, rel: &Path, act: impl Fn(&Path) -> io::Result<T>) -> Result<T, DiskError> {
        let said = |error: io::Error| open::said(&self.path.join(rel), &error);
        match act(rel) {
            Err(error) if open::is_escape(&error) => match self.real_beneath(rel) {
                Some(real) => act(&real).map_err(said),
                None => Err(said(error)),
            },
            other => other.map_err(said),
        }
    }

    /// The real path of something beneath the root, relative to the root's real path.
    fn real_beneath(&self, rel: &Path) -> Option<PathBuf> {
        let root = self.path.canonicalize().ok()?;
        // The name may have come to mean another directory than the one that is open.
        let named = std::fs::metadata(&root).ok()?;
        if (FileId { device: named.dev(), inode: named.ino() }) != self.id {
            return None;
        }
        let real = root.join(rel).canonicalize().ok()?;
        let inside = real.strip_prefix(&root).ok()?;
        Some(if inside.as_os_str().is_empty() { PathBuf::from(".") } else { inside.to_owned() })
    }
}

impl From<fs::FileType> for EntryKind {
    fn from(kind: fs::FileType) -> Self {
        match kind {
            fs::FileType::RegularFile => Self::File,
            fs::FileType::Directory => Self::Directory,
            fs::FileType::Symlink => Self::Link,
            _ => Self::Other,
        }
    }
}

fn id(metadata: &cap_std::fs::Metadata) -> FileId {
    FileId { device: metadata.dev(), inode: metadata.ino() }
}
