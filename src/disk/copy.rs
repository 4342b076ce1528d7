//! A private copy of files that another program may be writing, for readers that would write beside the original.
//!
//! Opening a database leaves files beside it even when it is only read. A reader therefore gets a copy in a
//! directory that only its owner can enter; it is removed when the copy is dropped.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::{DiskError, Meta, open};

/// How often a copy is tried while the original changes under it.
const ATTEMPTS: usize = 3;
/// As many bytes of the beginning tell one state of a file from another of the same size and time: a SQLite
/// database counts its changes there, and a write-ahead log has its salt.
const HEAD: u64 = 128;

/// A file and its companions, copied; the copies go when this is dropped.
#[derive(Debug)]
pub struct PrivateCopy {
    directory: tempfile::TempDir,
    name: OsString,
}

impl PrivateCopy {
    /// Where the copy of the file lies, its companions beside it.
    pub fn path(&self) -> PathBuf {
        self.directory.path().join(&self.name)
    }
}

/// Copies a regular file and those of its companions (its name with each ending) that are there into a new
/// directory with mode 0700. All of them are looked at before and after; a copy in which something changed
/// meanwhile is thrown away and made again, at most three times.
///
/// # Errors
/// As [`super::read`]; also where all together is larger than `cap` bytes, or it did not hold still.
pub fn private_copy(path: &Path, companions: &[&str], cap: u64) -> Result<PrivateCopy, DiskError> {
    copy_while(path, companions, cap, &mut || {})
}

/// As [`private_copy`]; `between` runs after each attempt's copying, before the second look.
pub(super) fn copy_while(
    path: &Path,
    companions: &[&str],
    cap: u64,
    between: &mut dyn FnMut(),
) -> Result<PrivateCopy, DiskError> {
    // Companions lie beside the file itself, not beside a link to it.
    let path = path.canonicalize().map_err(|error| open::said(path, &error))?;
    let path = path.as_path();
    let Some(name) = path.file_name().map(OsString::from) else {
        return Err(DiskError::NotAFile(path.to_owned()));
    };
    let failed = |error: std::io::Error| DiskError::Io(path.to_owned(), error.to_string());
    for _ in 0..ATTEMPTS {
        let before = look(path, companions)?;
        let total: u64 = before.iter().flatten().map(|state| state.meta.len).sum();
        if total > cap {
            let text = format!("with what belongs to it {} MiB: more than is copied", total >> 20);
            return Err(DiskError::Io(path.to_owned(), text));
        }
        if before[0].is_none() {
            return Err(DiskError::NotFound(path.to_owned()));
        }
        let only_owner = std::fs::Permissions::from_mode(0o700);
        let directory =
            tempfile::Builder::new().prefix("moorline-").permissions(only_owner).tempdir().map_err(failed)?;
        for (ending, state) in endings(companions).zip(&before) {
            if state.is_some() {
                copy(&beside(path, ending), &directory.path().join(beside(name.as_ref(), ending)), cap)?;
            }
        }
        between();
        if look(path, companions)? == before {
            return Ok(PrivateCopy { directory, name });
        }
    }
    let text = format!("changed while it was copied, {ATTEMPTS} times: try again when its program is quiet");
    Err(DiskError::Io(path.to_owned(), text))
}

/// What one file looks like at one moment.
#[derive(PartialEq, Eq)]
struct State {
    meta: Meta,
    head: Vec<u8>,
}

/// The file and its companions as they are; `None` for one that is not there.
fn look(path: &Path, companions: &[&str]) -> Result<Vec<Option<State>>, DiskError> {
    let one = |ending: &str| {
        let path = beside(path, ending);
        match open::absolute(&path).and_then(|file| open::content(file, &path, HEAD)) {
            Ok(content) => Ok(Some(State { meta: content.meta, head: content.bytes })),
            Err(DiskError::NotFound(_)) => Ok(None),
            Err(error) => Err(error),
        }
    };
    endings(companions).map(one).collect()
}

/// The file itself, then its companions.
fn endings<'a>(companions: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    std::iter::once("").chain(companions.iter().copied())
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Copies one file; one that is gone by now shows in the second look.
fn copy(from: &Path, to: &Path, cap: u64) -> Result<(), DiskError> {
    let file: File = match open::absolute(from) {
        Ok(file) => file,
        Err(DiskError::NotFound(_)) => return Ok(()),
        Err(error) => return Err(error),
    };
    open::regular(&file, from)?;
    let failed = |error: std::io::Error| open::said(to, &error);
    let mut copy = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to).map_err(failed)?;
    std::io::copy(&mut file.take(cap), &mut copy).map_err(failed)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    const WAL: &[&str] = &["-wal", "-journal"];

    fn store() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("state.db");
        fs::write(&path, "database").expect("a file");
        fs::write(dir.path().join("state.db-wal"), "log").expect("a file");
        fs::write(dir.path().join("state.db-shm"), "index").expect("a file");
        (dir, path)
    }

    #[test]
    fn a_copy_is_private_whole_and_goes_again() {
        let (dir, path) = store();
        let link = dir.path().join("link.db");
        symlink(&path, &link).expect("a link");
        let copy = private_copy(&link, WAL, 99).expect("a quiet file is copied");
        let place = copy.path().parent().expect("a directory").to_owned();
        let names = |dir: &Path| {
            let mut names: Vec<_> =
                fs::read_dir(dir).expect("listed").map(|e| e.expect("an entry").file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(names(&place), ["state.db", "state.db-wal"], "the file and its log, not the shared index");
        assert_eq!(fs::read(copy.path()).expect("there"), b"database", "with the same bytes");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!((mode(&place), mode(&copy.path())), (0o700, 0o600), "for nobody else to read");
        drop(copy);
        assert!(!place.exists(), "nothing is left of it");
        assert_eq!(names(dir.path()).len(), 4, "and nothing was made beside the original");
    }

    #[test]
    fn a_file_that_does_not_hold_still_is_tried_three_times_and_then_refused() {
        let (dir, path) = store();
        let wal = dir.path().join("state.db-wal");
        let mut times = 0;
        let error = copy_while(&path, WAL, 999, &mut || {
            times += 1;
            fs::write(&wal, "x".repeat(times)).expect("the log changes");
        });
        assert!(error.is_err_and(|error| error.to_string().contains("changed while")), "said, not guessed");
        assert_eq!(times, 3, "after three attempts");

        let mut once = Some(());
        let copy = copy_while(&path, WAL, 999, &mut || {
            if once.take().is_some() {
                fs::remove_file(&wal).expect("the log goes with a clean end");
            }
        });
        let copy = copy.expect("the second attempt finds it quiet: the control");
        assert!(!beside(&copy.path(), "-wal").exists(), "and is of one moment");
    }

    #[test]
    fn the_same_size_and_time_with_another_head_is_a_change() {
        let (_dir, path) = store();
        let time = fs::metadata(&path).expect("there").modified().expect("a time");
        let mut salts = [b"databasf", b"databasg", b"databash"].into_iter();
        let error = copy_while(&path, WAL, 999, &mut || {
            fs::write(&path, salts.next().expect("three attempts")).expect("rewritten");
            File::options().write(true).open(&path).and_then(|f| f.set_modified(time)).expect("its time");
        });
        assert!(error.is_err(), "the head tells them apart");
    }

    #[test]
    fn too_large_absent_and_no_file_are_told_apart() {
        let (dir, path) = store();
        let error = private_copy(&path, WAL, 10).expect_err("eleven bytes are more than ten");
        assert!(error.to_string().contains("more than is copied"), "{error}");
        let gone = dir.path().join("gone.db");
        assert_eq!(private_copy(&gone, WAL, 99).map(|_| ()), Err(DiskError::NotFound(gone)), "an absence");
        let error = private_copy(dir.path(), WAL, 99).expect_err("a directory is no file");
        assert!(matches!(error, DiskError::NotAFile(_)), "{error}");
    }
}
