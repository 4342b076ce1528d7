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
    /// The id by which an undo takes it back, with all files of the same save; `None` where nothing was written.
    pub action: Option<String>,
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
    let part = Part { root, path, bytes, last_read };
    let mut written = write_all(around, &[part], repo)?;
    written.pop().ok_or_else(|| DiskError::NotFound(path.to_owned()).into())
}

/// One file of a save.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    /// A directory that it must not leave.
    pub(super) root: &'a Path,
    /// Its absolute path.
    pub(super) path: &'a Path,
    /// Its bytes.
    pub(super) bytes: &'a [u8],
    /// What it held when it was read; `None`: nothing was there.
    pub(super) last_read: Option<&'a [u8]>,
}

/// A file that is about to be written: nobody else writes there meanwhile.
struct Ready<'a> {
    part: Part<'a>,
    spot: Spot,
    real: PathBuf,
    is_same: bool,
    is_committed: bool,
    _lock: Lock,
}

impl<'a> Ready<'a> {
    fn make(around: &Around, part: Part<'a>, repo: Option<&Repo>) -> Result<Self, NotWritten> {
        let real = locate(part.root, part.path)?;
        let name = save_lock(&real);
        let Some(lock) = Lock::try_take(&around.state.join("locks"), &name)? else {
            return Err(NotWritten::Busy(real));
        };
        let spot = Spot::open(part.root, part.path)?;
        let now = spot.read()?;
        if now.as_deref() != part.last_read {
            return Err(changed(&spot, part.last_read, now.as_deref()));
        }
        // Where HEAD cannot be read the bytes are kept: that is never wrong.
        let committed = |now: &[u8]| repo.is_some_and(|repo| repo.is_committed(spot.path(), now) == Ok(true));
        let is_same = now.as_deref() == Some(part.bytes);
        let is_committed = !is_same && now.as_deref().is_some_and(committed);
        Ok(Self { part, spot, real, is_same, is_committed, _lock: lock })
    }

    fn overwrite(&self) -> Overwrite<'_> {
        let Part { root, bytes, last_read, .. } = self.part;
        Overwrite {
            root,
            path: self.spot.path(),
            old: last_read,
            is_committed: self.is_committed,
            new: bytes,
        }
    }

    /// Makes the file what it was before this save, as long as it is what this save made it; says whether it is that
    /// now, or somebody else's.
    fn take_back(&self) -> bool {
        match self.part.last_read {
            Some(old) => {
                let back = self.spot.write(old, Some(self.part.bytes));
                matches!(back, Ok(()) | Err(WriteError::Changed(_)))
            }
            None => self.take_away().is_ok(),
        }
    }

    fn take_away(&self) -> Result<(), DiskError> {
        let digest = Digest::of(self.part.bytes);
        match self.spot.stamp()?.filter(|stamp| stamp.digest == digest) {
            Some(stamp) => self.spot.remove(&stamp).map(drop),
            None => Ok(()),
        }
    }
}

/// As [`write`], for the files of one save, in this order: all of them are written, or none is, and one undo takes all
/// of them back.
///
/// # Errors
/// As [`write`].
pub(super) fn write_all(
    around: &Around,
    parts: &[Part<'_>],
    repo: Option<&Repo>,
) -> Result<Vec<Written>, NotWritten> {
    let ready = parts.iter().map(|part| Ready::make(around, *part, repo));
    let ready: Vec<Ready<'_>> = ready.collect::<Result<_, _>>()?;
    let (same, new): (Vec<_>, Vec<_>) = ready.iter().partition(|file| file.is_same);
    same.iter().try_for_each(|file| file.spot.sweep())?;
    let mut written: Vec<Written> =
        ready.iter().map(|file| Written { path: file.real.clone(), old: Old::Same, action: None }).collect();
    if new.is_empty() {
        return Ok(written);
    }
    let overwrites: Vec<Overwrite<'_>> = new.iter().map(|file| file.overwrite()).collect();
    let log = around.shelf().overwriting(&overwrites, around.now)?;
    for (number, file) in new.iter().enumerate() {
        if let Err(error) = file.spot.write(file.part.bytes, file.part.last_read) {
            return Err(not_written(&log, &new[..number], file, error));
        }
    }
    // The files are what they should be; without their line in the log the next action finds that out by itself.
    let _late = log.written();
    let replaced = ready.iter().zip(&mut written).filter(|(file, _)| !file.is_same);
    for (number, (file, written)) in replaced.enumerate() {
        written.action = Some(log.action().to_owned());
        written.old = match log.kept(number) {
            Some(kept) => Old::Kept(kept.to_owned()),
            None if file.is_committed => Old::Committed,
            None => Old::None,
        };
    }
    Ok(written)
}

/// One file could not be written: those that were are what they were again.
fn not_written(log: &Overwriting, before: &[&Ready<'_>], file: &Ready<'_>, error: WriteError) -> NotWritten {
    // It cannot be told which bytes will stay: the kept ones do, and the next action settles the others.
    if matches!(error, WriteError::Unsettled { .. }) {
        return error.into();
    }
    // The first error is the one to say; a copy too many is settled by the next action.
    let left = before.iter().enumerate().filter(|(_, file)| !file.take_back());
    let _late = log.not_written(&left.map(|(number, _)| number).collect::<Vec<_>>());
    match error {
        WriteError::Changed(now) => changed(&file.spot, file.part.last_read, now.as_deref()),
        error => error.into(),
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

    #[test]
    fn a_file_that_was_replaced_before_another_one_failed_has_its_old_bytes_again() {
        let temp = tempfile::tempdir().unwrap();
        let around = around(temp.path());
        let paths = ["head.md", "list.md"].map(|name| temp.path().join(name));
        paths.iter().for_each(|path| fs::write(path, "old").unwrap());
        let parts: Vec<Part<'_>> = paths
            .iter()
            .map(|path| Part { root: temp.path(), path, bytes: b"new", last_read: Some(b"old") })
            .collect();
        let ready: Vec<Ready<'_>> =
            parts.iter().map(|part| Ready::make(&around, *part, None).unwrap()).collect();
        let overwrites: Vec<Overwrite<'_>> = ready.iter().map(Ready::overwrite).collect();
        let log = around.shelf().overwriting(&overwrites, around.now).unwrap();
        ready[0].spot.write(b"new", Some(b"old")).unwrap();
        assert_eq!(fs::read(&paths[0]).unwrap(), b"new", "a control: the first file was replaced");
        let full = WriteError::from(DiskError::Io(paths[1].clone(), "No space left on device".into()));
        let why = not_written(&log, &[&ready[0]], &ready[1], full);
        assert!(why.to_string().contains("No space left"), "the reason is said: {why}");
        for path in &paths {
            assert_eq!(fs::read(path).unwrap(), b"old", "{} is what it was", path.display());
        }
        let kept = fs::read_dir(temp.path().join("home/.claude/.handoff-trash")).unwrap().count();
        assert_eq!(kept, 0, "and no copy of it is left over");
        let nothing = around.shelf().undo(None).expect_err("nothing is left to be undone");
        assert!(nothing.to_string().contains("nothing to undo"), "{nothing}");
    }
}
