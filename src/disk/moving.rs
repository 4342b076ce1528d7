//! Moving a file without replacing anything, within a file system and between two.
//!
//! Within one: a rename that refuses a taken name. Between two: copy under a temporary name → fsync → read back and
//! compare digests → rename without replacing → compare the original once more → remove it. Whenever power or
//! patience ends, the bytes lie whole under the old name, under the new one, or under both.
//!
//! Both ends are names in opened directories beneath their roots. A symbolic link is never moved and never followed.

use std::ffi::OsStr;
use std::fs::{File, FileTimes};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use cap_std::fs::{MetadataExt as _, OpenOptions, OpenOptionsExt as _};
use rustix::fs::{Access, AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::atomic::{real_place, sync};
use super::{DiskError, FileId, Meta, Spot, open, renaming};
use crate::handoff::Digest;

/// The most bytes of a file that can be moved to another file system.
const CAP: u64 = 1 << 30;

/// Which bytes of which file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// Which file.
    pub id: FileId,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its SHA-256.
    pub digest: Digest,
}

/// Why a file was not moved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Nothing was moved: somebody has the new name.
    #[error("{} is taken", .0.display())]
    Taken(PathBuf),
    /// Nothing was moved: what lies there is not what was looked at.
    #[error("{} changed since it was looked at", .0.display())]
    Changed(PathBuf),
    /// Nothing was moved, for this reason.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The file lies under both names, whole.
    #[error("{} was copied to {}, but the original cannot be removed: {why}", from.display(), to.display())]
    Both {
        /// The old name.
        from: PathBuf,
        /// The new name.
        to: PathBuf,
        /// What the system said.
        why: String,
    },
}

/// Whether anything at all has this name: a link counts by itself.
pub fn is_taken(path: &Path) -> bool {
    // What cannot be looked at counts as taken: a move there would only fail later.
    !matches!(std::fs::symlink_metadata(path), Err(error) if error.kind() == io::ErrorKind::NotFound)
}

/// Whether two absolute paths, or the nearest directories above them that are there, lie on one file system.
/// `None` where it cannot be told.
pub fn on_one_file_system(a: &Path, b: &Path) -> Option<bool> {
    let device =
        |path: &Path| path.ancestors().find_map(|path| std::fs::metadata(path).ok()).map(|meta| meta.dev());
    Some(device(a)? == device(b)?)
}

/// Removes a directory that is empty; says whether it did.
///
/// # Errors
/// What the system says, but that it is not empty or not there.
pub fn remove_empty_dir(path: &Path) -> Result<bool, DiskError> {
    match std::fs::remove_dir(path) {
        Ok(()) => Ok(true),
        Err(error) if matches!(error.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::NotFound) => {
            Ok(false)
        }
        Err(error) => Err(open::said(path, &error)),
    }
}

impl Spot {
    /// The place of a name itself, which no link is followed for; the directories above it are real. With `make`,
    /// missing directories are made.
    ///
    /// # Errors
    /// [`DiskError::Escapes`] for a path out of the root, and what the system says.
    pub fn named(root: &Path, path: &Path, make: bool) -> Result<Self, DiskError> {
        let (parent, name) =
            path.parent().zip(path.file_name()).ok_or_else(|| DiskError::NotAFile(path.to_owned()))?;
        let real = real_place(parent)?.join(name);
        let real_root = root.canonicalize().map_err(|error| open::said(root, &error))?;
        if !real.starts_with(&real_root) {
            return Err(DiskError::Escapes(path.to_owned()));
        }
        Self::enter(&real_root, real, make)
    }

    /// Which bytes lie there; `None` where nothing does.
    ///
    /// # Errors
    /// [`DiskError::NotAFile`] for a link, a directory or anything else but a regular file.
    pub fn stamp(&self) -> Result<Option<Stamp>, DiskError> {
        let Some(file) = self.open_itself()? else { return Ok(None) };
        let id = open::regular(&file, &self.path)?.id;
        let (digest, bytes) = open::digest(file, &self.path)?;
        Ok(Some(Stamp { id, bytes, digest }))
    }

    /// Gives the file with this stamp the name of `to`. `temporary` is one file name, which nothing else uses, for
    /// the copy on another file system. Directories are brought to the disk on both sides.
    ///
    /// # Errors
    /// [`MoveError`]; but for [`MoveError::Both`] everything is then as it was.
    pub fn move_to(&self, to: &Self, stamp: &Stamp, temporary: &OsStr) -> Result<(), MoveError> {
        if self.stamp()?.as_ref() != Some(stamp) {
            return Err(MoveError::Changed(self.path.clone()));
        }
        match renaming::without_replacing((&self.dir, Path::new(&self.name)), (&to.dir, Path::new(&to.name)))
        {
            Ok(()) => self.is_the_same(to, stamp)?,
            Err(Errno::EXIST) => return Err(MoveError::Taken(to.path.clone())),
            Err(Errno::XDEV) => self.copy_and_remove(to, stamp, temporary)?,
            Err(errno) => return Err(self.refusing(to).said(errno).into()),
        }
        for spot in [to, self] {
            sync(&spot.dir).map_err(|error| open::said(&spot.path, &error))?;
        }
        Ok(())
    }

    /// Writes a new file whole, mode 0600, or with the permission bits and modification time of another one; says
    /// whether the name was free.
    ///
    /// # Errors
    /// What the system says; nothing has the name then.
    pub fn create(&self, bytes: &[u8], temporary: &OsStr, like: Option<Meta>) -> Result<bool, DiskError> {
        let said = |error: io::Error| open::not_written(&self.path, &error);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let made = self.dir.open_with(temporary, &options).and_then(|file| {
            let mut file = file.into_std();
            file.write_all(bytes)?;
            liken(&file, like)?;
            file.sync_all()
        });
        let placed = made.map_err(said).and_then(|()| self.take_name(temporary));
        if !matches!(placed, Ok(true)) {
            let _left = self.dir.remove_file(temporary);
        }
        let placed = placed?;
        sync(&self.dir).map_err(said)?;
        Ok(placed)
    }

    /// Removes the file if it is this one; says whether it did.
    ///
    /// # Errors
    /// What the system says; the file is then there.
    pub fn remove(&self, stamp: &Stamp) -> Result<bool, DiskError> {
        if self.stamp()?.as_ref() != Some(stamp) {
            return Ok(false);
        }
        let said = |error: io::Error| open::not_written(&self.path, &error);
        self.dir.remove_file(&self.name).map_err(said)?;
        sync(&self.dir).map_err(said)?;
        Ok(true)
    }

    /// Removes a temporary file of an interrupted move from the directory of this place; says whether there was one.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove_temporary(&self, temporary: &OsStr) -> Result<bool, DiskError> {
        match self.dir.symlink_metadata(temporary) {
            Ok(metadata) if metadata.is_file() => {
                self.dir.remove_file(temporary).map_err(|error| open::not_written(&self.path, &error))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Of the two ends of a refused move the one whose directory refuses.
    fn refusing<'a>(&'a self, to: &'a Self) -> &'a Self {
        let (access, flags) = (Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS);
        if rustix::fs::accessat(&self.dir, ".", access, flags).is_err() { self } else { to }
    }

    fn said(&self, errno: Errno) -> DiskError {
        open::not_written(&self.path, &errno.into())
    }

    /// Opens the file for reading, no link followed; `None` where nothing lies.
    fn open_itself(&self) -> Result<Option<File>, DiskError> {
        self.open_beside(&self.name)
    }

    fn open_beside(&self, name: &OsStr) -> Result<Option<File>, DiskError> {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(open::flags() | OFlags::NOFOLLOW.bits().cast_signed());
        match self.dir.open_with(name, &options) {
            Ok(file) => Ok(Some(file.into_std())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) if is_link(&error) => Err(DiskError::NotAFile(self.path.clone())),
            Err(error) => Err(open::said(&self.path, &error)),
        }
    }

    /// After a rename: if somebody swapped the file meanwhile, the stranger goes back to where it was.
    fn is_the_same(&self, to: &Self, stamp: &Stamp) -> Result<(), MoveError> {
        let moved = to.dir.symlink_metadata(&to.name).map_err(|error| open::said(&to.path, &error))?;
        if (FileId { device: moved.dev(), inode: moved.ino() }) == stamp.id {
            return Ok(());
        }
        let back = ((&to.dir, Path::new(&to.name)), (&self.dir, Path::new(&self.name)));
        renaming::without_replacing(back.0, back.1).map_err(|errno| open::said(&self.path, &errno.into()))?;
        Err(MoveError::Changed(self.path.clone()))
    }

    /// Gives the temporary file the name of this place; says whether that was free.
    fn take_name(&self, temporary: &OsStr) -> Result<bool, DiskError> {
        match renaming::without_replacing(
            (&self.dir, Path::new(temporary)),
            (&self.dir, Path::new(&self.name)),
        ) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(errno) => Err(self.said(errno)),
        }
    }

    fn copy_and_remove(&self, to: &Self, stamp: &Stamp, temporary: &OsStr) -> Result<(), MoveError> {
        let placed = self.copy_as(to, stamp, temporary).and_then(|()| match to.take_name(temporary)? {
            true => Ok(()),
            false => Err(MoveError::Taken(to.path.clone())),
        });
        if placed.is_err() {
            let _left = to.dir.remove_file(temporary);
        }
        placed?;
        sync(&to.dir).map_err(|error| open::said(&to.path, &error))?;
        let removed = match self.stamp() {
            Ok(Some(now)) if now == *stamp => {
                self.dir.remove_file(&self.name).map_err(|error| open::not_written(&self.path, &error).into())
            }
            Ok(_) => Err(MoveError::Changed(self.path.clone())),
            Err(error) => Err(error.into()),
        };
        // The copy is ours, and the original stays: only one of them may.
        removed.map_err(|error| match to.dir.remove_file(&to.name) {
            Ok(()) => error,
            Err(_) => {
                MoveError::Both { from: self.path.clone(), to: to.path.clone(), why: error.to_string() }
            }
        })
    }

    /// The bytes, permission bits and modification time in a new file beside `to`, on the disk, read back.
    fn copy_as(&self, to: &Self, stamp: &Stamp, temporary: &OsStr) -> Result<(), MoveError> {
        let changed = || MoveError::Changed(self.path.clone());
        let said = |error: io::Error| MoveError::Disk(open::not_written(&to.path, &error));
        let original = self.open_itself()?.ok_or_else(changed)?;
        let meta = open::regular(&original, &self.path)?;
        if meta.id != stamp.id || meta.len > CAP {
            return Err(changed());
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        let mut copy = to.dir.open_with(temporary, &options).map_err(said)?.into_std();
        io::copy(&mut original.take(CAP), &mut copy).map_err(said)?;
        liken(&copy, Some(meta)).and_then(|()| copy.sync_all()).map_err(said)?;
        let back = to.open_beside(temporary)?.ok_or_else(changed)?;
        match open::digest(back, &to.path)? {
            (digest, bytes) if digest == stamp.digest && bytes == stamp.bytes => Ok(()),
            _ => Err(changed()),
        }
    }
}

/// Gives a file another one's permission bits and modification time.
fn liken(file: &File, like: Option<Meta>) -> io::Result<()> {
    let Some(like) = like else { return Ok(()) };
    rustix::fs::fchmod(file, Mode::from_raw_mode(like.mode))?;
    match like.modified {
        Some(modified) => file.set_times(FileTimes::new().set_modified(modified)),
        None => Ok(()),
    }
}

/// Whether an open was refused because the name is a symbolic link.
fn is_link(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) || open::is_escape(error)
}
