//! Advisory locks between moorline's own processes.
//!
//! The file stays when the lock goes: a lock file that is removed can be locked twice. The system lets go of
//! the lock when its holder ends, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use super::{DiskError, open, private_dir};

/// A lock that is held for as long as this value lives.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// How often a lock is tried, and how long it is left alone in between.
const TRIES: u32 = 50;
const BETWEEN: Duration = Duration::from_millis(2);

impl Lock {
    /// Takes the lock `name` (one path segment) in the directory `dir`, which is made private; `None` where
    /// somebody holds it. A child of this process holds a copy of every lock between its fork and its exec, so a lock
    /// counts as held only once it has been so for a tenth of a second.
    ///
    /// # Errors
    /// [`DiskError::Io`] where the directory or the file cannot be made or locked.
    pub fn try_take(dir: &Path, name: &str) -> Result<Option<Self>, DiskError> {
        private_dir(dir)?;
        let path = dir.join(name);
        let failed = |error: std::io::Error| open::not_written(&path, &error);
        let mut how = OpenOptions::new();
        how.read(true).write(true).create(true).truncate(false).mode(0o600);
        how.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
        let file = how.open(&path).map_err(|error| open::not_opened(&path, &error))?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Self { _file: file })),
                Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("locks");
        let held = Lock::try_take(&dir, "session-claude-x").unwrap();
        assert!(held.is_some(), "a free lock is taken");
        assert!(Lock::try_take(&dir, "session-claude-x").unwrap().is_none(), "a held one is refused");
        assert!(Lock::try_take(&dir, "session-claude-y").unwrap().is_some(), "another session is free");
        drop(held);
        assert!(Lock::try_take(&dir, "session-claude-x").unwrap().is_some(), "and free again when let go");
    }

    #[test]
    fn a_planted_link_is_not_followed() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("elsewhere");
        private_dir(&home.path().join("locks")).unwrap();
        std::os::unix::fs::symlink(&target, home.path().join("locks/name")).unwrap();
        assert!(Lock::try_take(&home.path().join("locks"), "name").is_err(), "the link is refused");
        assert!(!target.exists(), "and nothing was made where it points");
    }
}
