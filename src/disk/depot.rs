//! A directory into which new files are put and where nothing is ever replaced.
//!
//! Every step of a path is opened by itself and no symbolic link is followed, not even one that stays inside: what
//! is put away or copied out lies exactly where its path says, or nowhere. Files get mode 0600 and directories
//! 0700, whatever is written into them.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::fs::{Dir, DirBuilder, DirBuilderExt as _, MetadataExt as _, OpenOptions, OpenOptionsExt as _};
use rustix::fs::{Mode, OFlags, RenameFlags};
use sha2::Digest as _;

use super::{DiskError, FileId, open};
use crate::handoff::{Digest, RelPath};

/// An opened directory that only takes new files in.
#[derive(Debug)]
pub struct Depot {
    dir: Dir,
    path: PathBuf,
    id: FileId,
}

impl Depot {
    /// Opens an existing directory by its absolute path; a symbolic link in its last part is refused.
    ///
    /// # Errors
    /// [`DiskError`] where it is absent, no directory, a link, or the system refuses.
    pub fn open(path: &Path) -> Result<Self, DiskError> {
        let said = |error: io::Error| match error.kind() {
            // What the system says to a link in the last part, or to a file.
            io::ErrorKind::NotADirectory => {
                DiskError::Io(path.to_owned(), "is no directory of its own".into())
            }
            _ => open::said(path, &error),
        };
        let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY | OFlags::CLOEXEC;
        let handle = rustix::fs::open(path, flags, Mode::empty()).map_err(|errno| said(errno.into()))?;
        let dir = Dir::from_std_file(File::from(handle));
        let metadata = dir.dir_metadata().map_err(said)?;
        let id = FileId { device: metadata.dev(), inode: metadata.ino() };
        Ok(Self { dir, path: path.to_owned(), id })
    }

    /// Makes a directory that only its owner can enter, and opens it; what is above it must be there.
    ///
    /// # Errors
    /// As [`Depot::open`]; also where anything lies there already.
    pub fn make(path: &Path) -> Result<Self, DiskError> {
        use std::os::unix::fs::DirBuilderExt as _;
        let made = std::fs::DirBuilder::new().mode(0o700).create(path);
        made.map_err(|error| open::said(path, &error))?;
        Self::open(path)
    }

    /// The directory's path as it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which directory it is, whatever its spelling.
    pub fn id(&self) -> FileId {
        self.id
    }

    /// Whether nothing lies in it.
    ///
    /// # Errors
    /// [`DiskError`] where the system refuses.
    pub fn is_empty(&self) -> Result<bool, DiskError> {
        let mut entries = self.dir.entries().map_err(|error| open::said(&self.path, &error))?;
        Ok(entries.next().is_none())
    }

    /// A new file at this path; directories that are missing are made. Nothing may lie there.
    ///
    /// # Errors
    /// [`DiskError`] where something lies there, a step is no directory of its own, or the system refuses.
    pub fn file(&self, rel: &RelPath) -> Result<NewFile, DiskError> {
        let (dir, name) = self.above(rel)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600).follow(FollowSymlinks::No);
        let file = dir.open_with(name, &options).map_err(|error| self.said(rel, &error))?;
        Ok(NewFile {
            file: file.into_std(),
            path: self.path.join(rel.as_path()),
            hasher: sha2::Sha256::new(),
            size: 0,
        })
    }

    /// Gives a file another name; directories that are missing are made. `false` where that name is taken: then
    /// nothing was changed.
    ///
    /// # Errors
    /// [`DiskError`] where a step is no directory of its own, or the system refuses.
    pub fn rename(&self, from: &RelPath, to: &RelPath) -> Result<bool, DiskError> {
        let (old, old_name) = self.above(from)?;
        let (new, new_name) = self.above(to)?;
        let renamed = rustix::fs::renameat_with(&old, old_name, &new, new_name, RenameFlags::NOREPLACE);
        let renamed = match renamed {
            // Not every file system can rename without replacing; every one that can link can do it so.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
                old.hard_link(old_name, &new, new_name).and_then(|()| old.remove_file(old_name))
            }
            other => other.map_err(io::Error::from),
        };
        match renamed {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(self.said(to, &error)),
        }
    }

    /// Removes a file that this program put there; that it is gone already is as good.
    ///
    /// # Errors
    /// [`DiskError`] where the system refuses.
    pub fn remove(&self, rel: &RelPath) -> Result<(), DiskError> {
        let (dir, name) = self.above(rel)?;
        match dir.remove_file(name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.said(rel, &error)),
            _ => Ok(()),
        }
    }

    /// Removes the files in a directory beneath it whose writers are gone: those that nobody holds the lock of.
    /// That there is no such directory is as good; gives how many went.
    ///
    /// # Errors
    /// [`DiskError`] where the system refuses.
    pub fn sweep(&self, rel: &RelPath) -> Result<usize, DiskError> {
        let dir = match self.below(rel) {
            Err(DiskError::NotFound(_)) => return Ok(0),
            other => other?,
        };
        let mut gone = 0;
        for entry in dir.entries().map_err(|error| self.said(rel, &error))? {
            let entry = entry.map_err(|error| self.said(rel, &error))?;
            let mut options = OpenOptions::new();
            options.read(true).custom_flags(open::flags()).follow(FollowSymlinks::No);
            // What cannot be opened so is none of ours: a writer's file is its own and regular.
            let Ok(file) = dir.open_with(entry.file_name(), &options) else { continue };
            let file = file.into_std();
            if file.metadata().is_ok_and(|metadata| metadata.is_file()) && file.try_lock().is_ok() {
                dir.remove_file(entry.file_name()).map_err(|error| self.said(rel, &error))?;
                gone += 1;
            }
        }
        Ok(gone)
    }

    /// Brings the names in a directory beneath it to the disk (`.`: its own).
    ///
    /// # Errors
    /// [`DiskError`] where it is no directory of its own, or the system refuses.
    pub fn sync(&self, rel: &RelPath) -> Result<(), DiskError> {
        let opened = if rel.is_root() { None } else { Some(self.below(rel)?) };
        let dir = opened.as_ref().unwrap_or(&self.dir);
        // The handle may be one that only names the directory: a readable one is opened for the sync.
        let readable = rustix::fs::openat(dir.as_fd(), ".", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
        readable.and_then(rustix::fs::fsync).map_err(|errno| self.said(rel, &errno.into()))
    }

    /// The directory that holds `rel`, made where it is missing, and the name in it.
    fn above<'a>(&self, rel: &'a RelPath) -> Result<(Dir, &'a str), DiskError> {
        let text = rel.as_str();
        let (dirs, name) = text.rsplit_once('/').unwrap_or((".", text));
        if rel.is_root() {
            return Err(DiskError::NotAFile(self.path.clone()));
        }
        let mut dir = self.dir.try_clone().map_err(|error| self.said(rel, &error))?;
        for part in dirs.split('/').filter(|part| *part != ".") {
            let made = dir.create_dir_with(part, DirBuilder::new().mode(0o700));
            match made {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(self.said(rel, &error));
                }
                _ => {}
            }
            dir = dir.open_dir_nofollow(part).map_err(|error| self.said(rel, &error))?;
        }
        Ok((dir, name))
    }

    /// A directory beneath it, which must be there.
    fn below(&self, rel: &RelPath) -> Result<Dir, DiskError> {
        let mut dir = self.dir.try_clone().map_err(|error| self.said(rel, &error))?;
        for part in rel.as_str().split('/') {
            dir = dir.open_dir_nofollow(part).map_err(|error| self.said(rel, &error))?;
        }
        Ok(dir)
    }

    fn said(&self, rel: &RelPath, error: &io::Error) -> DiskError {
        open::said(&self.path.join(rel.as_path()), error)
    }
}

/// A file that is being written: its bytes are counted and hashed on the way.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    path: PathBuf,
    hasher: sha2::Sha256,
    size: u64,
}

impl NewFile {
    /// Takes the file's lock, so that others can tell it from one whose writer is gone. It is held for as long as
    /// this value lives. `false` where somebody swept the file before it was locked: then it has no name any more.
    ///
    /// # Errors
    /// [`DiskError`] where the system refuses.
    pub fn lock(&self) -> Result<bool, DiskError> {
        use std::os::unix::fs::MetadataExt as _;
        let locked = self.file.lock().and_then(|()| self.file.metadata());
        locked.map(|metadata| metadata.nlink() > 0).map_err(|error| open::said(&self.path, &error))
    }

    /// Brings the bytes to the disk; gives their digest and number.
    ///
    /// # Errors
    /// [`DiskError`] where the system refuses.
    pub fn finish(&mut self) -> Result<(Digest, u64), DiskError> {
        self.file.sync_all().map_err(|error| open::said(&self.path, &error))?;
        Ok((Digest::from_bytes(&self.hasher.clone().finalize().into()), self.size))
    }

    /// Where it was made.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn rel(text: &str) -> RelPath {
        RelPath::parse(text).expect("a contained path")
    }

    fn put(depot: &Depot, at: &str, bytes: &[u8]) -> Result<(Digest, u64), DiskError> {
        let mut file = depot.file(&rel(at))?;
        file.write_all(bytes).expect("written");
        file.finish()
    }

    #[test]
    fn a_new_file_is_private_and_nothing_is_replaced() {
        let temp = tempfile::tempdir().unwrap();
        let depot = Depot::open(temp.path()).unwrap();
        assert!(depot.is_empty().unwrap(), "it begins empty");
        assert_eq!(
            put(&depot, "a/b/c", b"one").unwrap(),
            (Digest::of(b"one"), 3),
            "what was written is counted and hashed"
        );
        let mode = |at: &str| fs::metadata(temp.path().join(at)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("a"), mode("a/b/c")), (0o700, 0o600), "nobody else reads it");
        assert!(put(&depot, "a/b/c", b"two").is_err(), "a taken name is refused");
        put(&depot, "new", b"two").unwrap();
        assert_eq!(depot.rename(&rel("new"), &rel("a/b/c")), Ok(false), "also for a rename");
        assert_eq!(fs::read(temp.path().join("a/b/c")).unwrap(), b"one", "and its bytes stand");
        assert_eq!(depot.rename(&rel("new"), &rel("x/new")), Ok(true), "a free name is taken: the control");
        depot.sync(&rel("x")).unwrap();
        depot.remove(&rel("x/new")).unwrap();
        depot.remove(&rel("x/new")).expect("gone is as good as removed");
    }

    #[test]
    fn a_sweep_takes_what_nobody_holds() {
        let temp = tempfile::tempdir().unwrap();
        let depot = Depot::open(temp.path()).unwrap();
        assert_eq!(depot.sweep(&rel("in")), Ok(0), "nothing lies where nothing was put");
        put(&depot, "in/left", b"by a killed writer").unwrap();
        let held = depot.file(&rel("in/held")).unwrap();
        assert_eq!(held.lock(), Ok(true), "it is there when it is locked");
        symlink("/etc/hostname", temp.path().join("in/link")).unwrap();
        assert_eq!(depot.sweep(&rel("in")), Ok(1), "one file has no writer any more");
        let names = || fs::read_dir(temp.path().join("in")).unwrap().count();
        assert_eq!(names(), 2, "the held one and what is no file of ours stay");
        drop(held);
        assert_eq!(depot.sweep(&rel("in")), Ok(1), "and it goes with its writer: the control");
        let late = depot.file(&rel("in/late")).unwrap();
        assert_eq!(depot.sweep(&rel("in")), Ok(1), "one that is not locked yet goes, too");
        assert_eq!(late.lock(), Ok(false), "and its writer is told");
    }

    #[test]
    fn no_link_is_followed_wherever_it_leads() {
        let temp = tempfile::tempdir().unwrap();
        let (inside, outside) = (temp.path().join("in"), temp.path().join("out"));
        fs::create_dir_all(inside.join("real")).unwrap();
        fs::create_dir(&outside).unwrap();
        let depot = Depot::open(&inside).unwrap();
        symlink(&outside, inside.join("away")).unwrap();
        symlink("real", inside.join("near")).unwrap();
        symlink(outside.join("file"), inside.join("name")).unwrap();
        for at in ["away/file", "near/file", "name"] {
            assert!(put(&depot, at, b"x").is_err(), "{at} goes through a link");
        }
        put(&depot, "real/file", b"x").expect("without a link it is written: the control");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0, "nothing came out");
        assert!(Depot::open(&inside.join("away")).is_err(), "nor is a link opened for a directory");
        assert!(Depot::make(&inside.join("away")).is_err(), "or made into one");
    }
}
