//! A directory held open, so that a child process starts in exactly this one, whatever its name leads to by then.

use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::{DiskError, FileId};

/// An open directory and the name it was opened by.
#[derive(Debug)]
pub struct PinnedDir {
    file: File,
    path: PathBuf,
    id: FileId,
}

impl PinnedDir {
    /// Opens a directory by its absolute real path; a symbolic link in its last part is refused.
    ///
    /// # Errors
    /// [`DiskError`] where it is absent, no directory, or the system refuses.
    pub fn open(path: &Path) -> Result<Self, DiskError> {
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => DiskError::NotFound(path.to_owned()),
            _ => DiskError::Io(path.to_owned(), error.to_string()),
        };
        let flags = rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::NOFOLLOW;
        let mut how = OpenOptions::new();
        how.read(true).custom_flags(flags.bits().cast_signed());
        let file = how.open(path).map_err(failed)?;
        let meta = file.metadata().map_err(failed)?;
        let id = FileId { device: meta.dev(), inode: meta.ino() };
        Ok(Self { file, path: path.to_owned(), id })
    }

    /// Which directory it is.
    pub fn id(&self) -> FileId {
        self.id
    }

    /// Whether it is this user's own and nobody else may enter it: mode 0700, no more and no less.
    ///
    /// # Errors
    /// [`DiskError::Io`] with the reason why not.
    pub fn only_ours(&self) -> Result<(), DiskError> {
        let failed = |why: String| DiskError::Io(self.path.clone(), why);
        let meta = self.file.metadata().map_err(|error| failed(error.to_string()))?;
        let (owner, us) = (meta.uid(), rustix::process::geteuid().as_raw());
        if owner != us {
            return Err(failed(format!("belongs to user {owner}, not to user {us} who asks")));
        }
        match meta.mode() & 0o7777 {
            0o700 => Ok(()),
            mode => Err(failed(format!("has mode {mode:04o}, not 0700: `chmod 700` makes it private"))),
        }
    }

    /// A path by which a child process of this one, while this value lives, reaches this very directory. Where
    /// the system has no such path it is the name, checked a moment ago.
    pub fn for_child(&self) -> PathBuf {
        if cfg!(target_os = "linux") {
            PathBuf::from(format!("/proc/self/fd/{}", self.file.as_raw_fd()))
        } else {
            self.path.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_child_starts_in_the_pinned_directory_after_a_swap() {
        let home = tempfile::tempdir().unwrap();
        let real = home.path().canonicalize().unwrap();
        let (good, moved) = (real.join("good"), real.join("moved"));
        std::fs::create_dir(&good).unwrap();
        let pin = PinnedDir::open(&good).unwrap();
        std::fs::rename(&good, &moved).unwrap();
        std::fs::create_dir(&good).unwrap();
        let said = |dir: &Path| {
            let out = Command::new("/bin/pwd").arg("-P").current_dir(dir).env_clear().output().unwrap();
            String::from_utf8(out.stdout).unwrap().trim_end().to_owned()
        };
        assert_eq!(said(&good), good.display().to_string(), "by its name the other one is reached");
        assert_eq!(said(&pin.for_child()), moved.display().to_string(), "by the pin the one that was opened");
        assert_ne!(PinnedDir::open(&good).unwrap().id(), pin.id(), "and the two are told apart");
    }
}
