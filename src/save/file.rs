//! One file: lock, compare with what was last read, keep the old bytes, write, read back.

use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use super::difference;
use crate::disk::{DiskError, Lock, Spot, WriteError, locate};
use crate::handoff::Digest;
use crate::repo::Repo;
use crate::shelf::{Overwrite, Overwriting, Shelf, save_lock};

/// What a write needs besides the file itself.
#[derive(Debug, Clone)]
pub struct Around {
    /// moorline's state directory, where locks lie (never in the project).
    pub state: PathBuf,
    /// The home directory, in which the trash lies.
    pub home: PathBuf,
    /// The project from which it is saved: an undo without an id is about this one.
    pub project: PathBuf,
    /// Now, in local time: replaced bytes are dated with it.
    pub now: DateTime<FixedOffset>,
}

impl Around {
    /// The shelf that keeps what is replaced.
    pub(super) fn shelf(&self) -> Shelf {
        Shelf { home: self.home.clone(), state: self.state.clone(), project: self.project.clone() }
    }
}

/// A file that was written, synced, read back and compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its real path.
    pub path: PathBuf,
    /// What became of the bytes that it had.
    pub old: Old,
}

/// What became of replaced bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Old {
    /// There were none.
    None,
    /// They were the same bytes; nothing was written.
    Same,
    /// HEAD holds exactly them.
    Committed,
    /// They lie in the trash, at this path.
    Kept(PathBuf),
}

/// Why a file was not written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotWritten {
    /// Somebody else is saving it right now.
    #[error("{} is being saved by somebody else right now: look at it, then save again", .0.display())]
    Busy(PathBuf),
    /// It is not what was read before the save was made: nothing was changed, and this is the difference.
    #[error(
        "{} changed since it was read, and was left as it is; look at the difference, then save again\n{difference}",
        path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// What differs, safe to show.
        difference: String,
    },
    /// The program that writes this format refused, or wrote something else; nothing else was written.
    #[error("{0}")]
    Tool(String),
    /// The system or a rule refused.
    #[error(transparent)]
    Refused(#[from] WriteError),
}

impl From<DiskError> for NotWritten {
    fn from(error: DiskError) -> Self {
        Self::Refused(error.into())
    }
}

/// Writes `bytes` to `path` (absolute, inside `root`), if it still holds `last_read` (`None`: if nothing is there).
///
/// The old bytes are kept in the trash before they are replaced, unless `repo`'s HEAD holds exactly them. The same
/// bytes are not written again.
///
/// # Errors
/// [`NotWritten`]; but for [`WriteError::Unsettled`] the file is then what it was.
pub fn write(
    around: &Around,
    root: &Path,
    path: &Path,
    bytes: &[u8],
    last_read: Option<&[u8]>,
    repo: Option<&Repo>,
) -> Result<Written, NotWritten> {
    place(around, root, path, bytes, last_read, repo).map(|placed| placed.written)
}

/// A file that was written, and the way back.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) written: Written,
    spot: Spot,
    digest: Digest,
    log: Option<Overwriting>,
}

impl Placed {
    /// Takes a new file of this very save away again, as long as it is what the save made it.
    ///
    /// # Errors
    /// What the system says; the file is then there.
    pub(super) fn take_back(&self) -> Result<(), DiskError> {
        let stamp = self.spot.stamp()?.filter(|stamp| stamp.digest == self.digest);
        if let (Some(stamp), Some(log), Old::None) = (stamp, &self.log, &self.written.old) {
            self.spot.remove(&stamp)?;
            log.not_written()?;
        }
        Ok(())
    }
}

/// As [`write`], with the way back.
pub(super) fn place(
    around: &Around,
    root: &Path,
    path: &Path,
    bytes: &[u8],
    last_read: Option<&[u8]>,
    repo: Option<&Repo>,
) -> Result<Placed, NotWritten> {
    let real = locate(root, path)?;
    let name = save_lock(&real);
    let Some(_lock) = Lock::try_take(&around.state.join("locks"), &name)? else {
        return Err(NotWritten::Busy(real));
    };
    let spot = Spot::open(root, path)?;
    let now = spot.read()?;
    if now.as_deref() != last_read {
        return Err(changed(&spot, last_read, now.as_deref()));
    }
    if now.as_deref() == Some(bytes) {
        spot.sweep()?;
        let written = Written { path: real, old: Old::Same };
        return Ok(Placed { written, spot, digest: Digest::of(bytes), log: None });
    }
    // Where HEAD cannot be read the bytes are kept: that is never wrong.
    let committed = |now: &[u8]| repo.is_some_and(|repo| repo.is_committed(spot.path(), now) == Ok(true));
    let is_committed = now.as_deref().is_some_and(committed);
    let over = Overwrite { root, path: spot.path(), old: now.as_deref(), is_committed, new: bytes };
    let shelf = around.shelf();
    let log = shelf.overwriting(&over, around.now)?;
    let old = match &log.kept {
        Some(kept) => Old::Kept(kept.clone()),
        None if is_committed => Old::Committed,
        None => Old::None,
    };
    match spot.write(bytes, last_read) {
        Ok(()) => {
            // The file is what it should be; without its line in the log the next action finds that out by itself.
            let _late = log.written();
            let written = Written { path: real, old };
            Ok(Placed { written, spot, digest: Digest::of(bytes), log: Some(log) })
        }
        // It cannot be told which bytes will stay: the kept ones do.
        Err(error @ WriteError::Unsettled { .. }) => Err(error.into()),
        Err(error) => {
            // The first error is the one to say; a copy too many is settled by the next action.
            let _late = log.not_written();
            match error {
                WriteError::Changed(now) => Err(changed(&spot, last_read, now.as_deref())),
                error => Err(error.into()),
            }
        }
    }
}

fn changed(spot: &Spot, last_read: Option<&[u8]>, now: Option<&[u8]>) -> NotWritten {
    let difference = difference::lines(last_read.unwrap_or_default(), now.unwrap_or_default());
    NotWritten::Changed { path: spot.path().to_owned(), difference }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn around(base: &Path) -> Around {
        let now = DateTime::parse_from_rfc3339("2026-10-05T09:30:00+02:00").unwrap();
        fs::create_dir_all(base.join("home")).unwrap();
        Around { state: base.join("state"), home: base.join("home"), project: base.to_owned(), now }
    }

    #[test]
    fn replaced_bytes_can_be_had_back_and_say_where_they_were() {
        let temp = tempfile::tempdir().unwrap();
        let (around, path) = (around(temp.path()), temp.path().join("a b.md"));
        let save = |bytes: &[u8], last: Option<&[u8]>| write(&around, temp.path(), &path, bytes, last, None);
        assert_eq!(save(b"one", None).unwrap().old, Old::None, "a new file replaces nothing");
        let Old::Kept(first) = save(b"two", Some(b"one")).unwrap().old else {
            panic!("the old bytes are kept")
        };
        assert_eq!(fs::read(&first).unwrap(), b"one", "exactly they are");
        assert_eq!(
            save(b"two", Some(b"two")).unwrap().old,
            Old::Same,
            "the same bytes are not written again"
        );
        let Old::Kept(second) = save(b"three", Some(b"two")).unwrap().old else { panic!("kept") };
        assert_ne!(first, second, "a taken name gets another number");
        let info = fs::read_to_string(first.with_file_name("a b.md.trashinfo")).unwrap();
        let real = path.canonicalize().unwrap().display().to_string().replace(' ', "%20");
        assert_eq!(
            info,
            format!(
                "[Trash Info]\nPath={real}\nDeletionDate=2026-10-05T09:30:00\nsha256={}\n",
                Digest::of(b"one")
            ),
            "and where they were, when, and their digest"
        );
    }

    #[test]
    fn the_second_saver_is_told_what_the_first_one_wrote() {
        let temp = tempfile::tempdir().unwrap();
        let (around, path) = (around(temp.path()), temp.path().join("a.md"));
        let save = |bytes: &[u8], last: Option<&[u8]>| write(&around, temp.path(), &path, bytes, last, None);
        save(b"a\nb\n", None).unwrap();
        save(b"a\nfirst\n", Some(b"a\nb\n")).unwrap();
        match save(b"a\nsecond\n", Some(b"a\nb\n")) {
            Err(NotWritten::Changed { difference, .. }) => {
                assert_eq!(difference, "from line 2:\n- b\n+ first\n", "the difference to what was read");
            }
            other => panic!("the second saver must be told: {other:?}"),
        }
        assert_eq!(fs::read(&path).unwrap(), b"a\nfirst\n", "and the first one's bytes stand");
        let name =
            format!("save-{}", Digest::of(path.canonicalize().unwrap().as_os_str().as_encoded_bytes()));
        let held = Lock::try_take(&around.state.join("locks"), &name).unwrap();
        assert!(held.is_some(), "the lock is free between saves");
        assert!(
            matches!(save(b"x", Some(b"a\nfirst\n")), Err(NotWritten::Busy(_))),
            "while it is held nobody saves"
        );
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 3, "and no lock lies beside the file");
    }
}
