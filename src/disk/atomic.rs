//! One file written whole: whoever looks, and whenever power or patience ends, it holds the old bytes or the new
//! ones.
//!
//! Temporary file in the same directory → its bytes → fsync → compare with what was last read → rename → fsync of
//! the directory → read back and compare. The rules for what may lie at the path:
//!
//! | there | what happens |
//! |---|---|
//! | nothing | directories and the file are made; a name that appears meanwhile is never overwritten |
//! | a file | its permission bits stay; its owner, access list and `user.` attributes where the system lets us |
//! | a file with other hard links | this name gets the new bytes, the other names keep the old ones |
//! | a link inside the root | the file that it leads to is written, the link stays |
//! | a link out of the root, or to nothing | refused |
//! | a file that nobody may write (no `w` bit) | refused |
//! | anything else | refused |

#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::os::fd::AsFd;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, MetadataExt as _, OpenOptions, OpenOptionsExt as _};
use rustix::fs::{Gid, Mode, OFlags, Uid, XattrFlags};

use super::{DiskError, open, renaming};

/// The most bytes of a file that can be replaced: what is not read cannot be compared or kept.
const CAP: u64 = 8 << 20;

/// The most bytes of all names of a file's attributes, and of one value: what Linux allows.
const ATTRIBUTES: usize = 64 << 10;

/// What stands between a target's name and the number in the name of a temporary file.
const MARK: &str = ".moorline-";

/// Why a file was not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// Nothing was changed: what lies there has other bytes (`None`: is gone) than those that were last read.
    #[error("the file changed since it was read")]
    Changed(Option<Vec<u8>>),
    /// Nothing was changed, for this reason.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The new bytes have the name, but it cannot be said that they will stay there.
    #[error("{} was written, but {why}", path.display())]
    Unsettled {
        /// The file.
        path: PathBuf,
        /// What failed after that.
        why: String,
    },
}

/// A file's place: its directory opened beneath a root, its name in it.
#[derive(Debug)]
pub struct Spot {
    pub(super) dir: Dir,
    pub(super) name: OsString,
    pub(super) path: PathBuf,
}

/// Where a path inside a root really leads, links followed; makes and changes nothing. What is missing at its end
/// may be missing.
///
/// # Errors
/// [`DiskError::Escapes`] for a path or a link out of the root, [`DiskError::NotAFile`] for what no save may
/// replace, [`DiskError::Io`] for what cannot be told.
pub fn locate(root: &Path, path: &Path) -> Result<PathBuf, DiskError> {
    let said = |path: &Path, error: &io::Error| open::said(path, error);
    let real_root = root.canonicalize().map_err(|error| said(root, &error))?;
    let real = match std::fs::symlink_metadata(path) {
        Ok(_) => path.canonicalize().map_err(|_| {
            DiskError::Io(path.to_owned(), "is a link to nothing: remove it or make its target".into())
        })?,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            missing(path)?
        }
        Err(error) => return Err(said(path, &error)),
    };
    if !real.starts_with(&real_root) || real == real_root {
        return Err(DiskError::Escapes(path.to_owned()));
    }
    match std::fs::symlink_metadata(&real) {
        Ok(metadata) if !metadata.is_file() => Err(DiskError::NotAFile(real)),
        _ => Ok(real),
    }
}

/// The real path of a directory; what is missing at its end may be missing.
pub(super) fn real_place(path: &Path) -> Result<PathBuf, DiskError> {
    match path.canonicalize() {
        Ok(real) => Ok(real),
        Err(error) if error.kind() == io::ErrorKind::NotFound => missing(path),
        Err(error) => Err(open::said(path, &error)),
    }
}

/// The real path of something that is not there yet: of the deepest directory that is, and the rest as written.
fn missing(path: &Path) -> Result<PathBuf, DiskError> {
    if path.components().any(|part| part == Component::ParentDir) {
        return Err(DiskError::Escapes(path.to_owned()));
    }
    let mut there = path;
    while let Some(parent) = there.parent() {
        there = parent;
        match there.canonicalize() {
            Ok(real) if !real.is_dir() => {
                return Err(DiskError::Io(
                    there.to_owned(),
                    "is no directory, and one is needed there".into(),
                ));
            }
            Ok(real) => {
                let rest = path.strip_prefix(there).map_err(|_| DiskError::Escapes(path.to_owned()))?;
                return Ok(real.join(rest));
            }
            // A link to nothing in the middle is no missing directory.
            Err(error) if error.kind() == io::ErrorKind::NotFound && there.is_symlink() => {
                return Err(DiskError::Io(
                    there.to_owned(),
                    "is a link to nothing: remove it or make its target".into(),
                ));
            }
            Err(error) if std::fs::symlink_metadata(there).is_ok() => return Err(open::said(there, &error)),
            Err(_) => {}
        }
    }
    Err(DiskError::NotFound(path.to_owned()))
}

impl Spot {
    /// Opens the place of `path` (absolute) inside `root`; directories that are missing are made.
    ///
    /// # Errors
    /// Those of [`locate`], and what the system says to making or opening the directory.
    pub fn open(root: &Path, path: &Path) -> Result<Self, DiskError> {
        let real = locate(root, path)?;
        let real_root = root.canonicalize().map_err(|error| open::said(root, &error))?;
        Self::enter(&real_root, real, true)
    }

    /// Opens the directories between a real root and a real path beneath it, one by one; with `make` those that are
    /// missing are made.
    pub(super) fn enter(real_root: &Path, real: PathBuf, make: bool) -> Result<Self, DiskError> {
        let inside = real.strip_prefix(real_root).map_err(|_| DiskError::Escapes(real.clone()))?;
        let name = inside.file_name().ok_or_else(|| DiskError::NotAFile(real.clone()))?.to_owned();
        let mut at = real_root.to_owned();
        let mut dir =
            Dir::open_ambient_dir(real_root, ambient_authority()).map_err(|error| open::said(&at, &error))?;
        for part in inside.parent().into_iter().flat_map(Path::components) {
            at.push(part);
            match make.then(|| dir.create_dir(part.as_os_str())) {
                None => {}
                Some(Ok(())) => sync(&dir).map_err(|error| open::said(&at, &error))?,
                Some(Err(error)) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Some(Err(error)) => return Err(open::not_written(&at, &error)),
            }
            dir = dir.open_dir(part.as_os_str()).map_err(|error| open::said(&at, &error))?;
        }
        Ok(Self { dir, name, path: real })
    }

    /// The file's real path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What lies there now; `None` where nothing does.
    ///
    /// # Errors
    /// [`DiskError`] where it is no regular file, larger than 8 MiB, or the system refuses.
    pub fn read(&self) -> Result<Option<Vec<u8>>, DiskError> {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(open::flags() | OFlags::NOFOLLOW.bits().cast_signed());
        let file = match self.dir.open_with(&self.name, &options) {
            Ok(file) => file.into_std(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(open::said(&self.path, &error)),
        };
        let content = open::content(file, &self.path, CAP)?;
        match content.cut {
            true => Err(DiskError::Io(self.path.clone(), "is too large to be replaced".into())),
            false => Ok(Some(content.bytes)),
        }
    }

    /// Writes the file whole, if it still holds `last_read` (`None`: if nothing is there). Whoever calls holds a
    /// lock on this place: temporary files that killed writers left behind are removed first.
    ///
    /// # Errors
    /// [`WriteError`], which says whether anything was changed.
    pub fn write(&self, bytes: &[u8], last_read: Option<&[u8]>) -> Result<(), WriteError> {
        self.sweep()?;
        self.compare(last_read)?;
        let temporary = self.temporary_name();
        let placed = self.place(&temporary, bytes, last_read);
        if placed.is_err() {
            // The first error is the one to say; the next save sweeps what cannot be removed now.
            let _left = self.dir.remove_file(&temporary);
        }
        placed?;
        let unsettled = |why: &dyn std::fmt::Display| WriteError::Unsettled {
            path: self.path.clone(),
            why: why.to_string(),
        };
        sync(&self.dir).map_err(|error| unsettled(&format!("its directory cannot be synced: {error}")))?;
        match self.read().map_err(|error| unsettled(&error))? {
            Some(back) if back == bytes => Ok(()),
            _ => Err(unsettled(&"it reads back as something else: somebody wrote at the same time")),
        }
    }

    fn compare(&self, last_read: Option<&[u8]>) -> Result<(), WriteError> {
        let now = self.read()?;
        match now.as_deref() == last_read {
            true => Ok(()),
            false => Err(WriteError::Changed(now)),
        }
    }

    /// Makes the temporary file and gives it the target's name.
    fn place(&self, temporary: &OsStr, bytes: &[u8], last_read: Option<&[u8]>) -> Result<(), WriteError> {
        let said = |error: io::Error| WriteError::Disk(open::not_written(&self.path, &error));
        self.fill(temporary, bytes).map_err(said)?;
        self.compare(last_read)?;
        if last_read.is_some() {
            return self.dir.rename(temporary, &self.dir, &self.name).map_err(said);
        }
        let (from, to) = (Path::new(temporary), Path::new(&self.name));
        match renaming::without_replacing((&self.dir, from), (&self.dir, to)) {
            Err(rustix::io::Errno::EXIST) => Err(WriteError::Changed(self.read()?)),
            other => other.map_err(|errno| said(errno.into())),
        }
    }

    /// The bytes in a new file, on the disk, with the mode and owner of the file that it is to replace.
    fn fill(&self, temporary: &OsStr, bytes: &[u8]) -> io::Result<()> {
        let old = match self.dir.symlink_metadata(&self.name) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
        options.mode(if old.is_some() { 0o600 } else { 0o666 });
        let file = self.dir.open_with(temporary, &options)?;
        if let Some(old) = old {
            if old.mode() & 0o222 == 0 {
                return Err(io::Error::other("is read-only: make it writable first, or save elsewhere"));
            }
            let new = file.metadata()?;
            if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
                let (owner, group) = (Some(Uid::from_raw(old.uid())), Some(Gid::from_raw(old.gid())));
                // Only a privileged process may give a file away; the saver's own file is still the right one.
                let _kept = rustix::fs::fchown(&file, owner, group);
            }
            rustix::fs::fchmod(&file, Mode::from_raw_mode(old.mode() & 0o7777))?;
            self.keep_attributes(&file);
        }
        let mut file = file.into_std();
        file.write_all(bytes)?;
        file.sync_all()
    }

    /// Gives a new file the access list and the person's own attributes of the one that it replaces. Where a system
    /// has none, or will not let us, the bytes are still the right ones.
    fn keep_attributes(&self, new: impl AsFd) {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(open::flags() | OFlags::NOFOLLOW.bits().cast_signed());
        let Ok(old) = self.dir.open_with(&self.name, &options) else { return };
        let mut names = vec![0; ATTRIBUTES];
        let Ok(count) = rustix::fs::flistxattr(&old, &mut names) else { return };
        for name in names[..count].split(|&byte| byte == 0) {
            if !name.starts_with(b"user.") && name != b"system.posix_acl_access" {
                continue;
            }
            let mut value = vec![0; ATTRIBUTES];
            if let Ok(count) = rustix::fs::fgetxattr(&old, name, &mut value) {
                let _kept = rustix::fs::fsetxattr(&new, name, &value[..count], XattrFlags::empty());
            }
        }
    }

    fn temporary_name(&self) -> OsString {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mut name = self.temporary_prefix();
        name.push(format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
        name
    }

    fn temporary_prefix(&self) -> OsString {
        let mut prefix = OsString::from(".");
        prefix.push(&self.name);
        prefix.push(MARK);
        prefix
    }

    /// Removes the temporary files of this place that killed writers left behind. Whoever calls holds a lock on it.
    ///
    /// # Errors
    /// What the system says.
    pub fn sweep(&self) -> Result<(), DiskError> {
        self.remove_leftovers().map_err(|error| open::said(&self.path, &error))
    }

    fn remove_leftovers(&self) -> io::Result<()> {
        let prefix = self.temporary_prefix();
        for entry in self.dir.entries()? {
            let entry = entry?;
            let name = entry.file_name();
            if name.as_encoded_bytes().starts_with(prefix.as_encoded_bytes()) && entry.file_type()?.is_file()
            {
                self.dir.remove_file(name)?;
            }
        }
        Ok(())
    }
}

/// Brings a directory's entries to the disk.
pub(super) fn sync(dir: &Dir) -> io::Result<()> {
    // The handle may be one that only names the directory: a readable one is opened for the sync.
    let readable = rustix::fs::openat(dir.as_fd(), ".", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    Ok(rustix::fs::fsync(readable)?)
}
