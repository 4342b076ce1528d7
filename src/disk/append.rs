//! Lines added to a private log: whole, at its end, or not at all; and a log exchanged for a shorter one.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::rows::{self, Rows};
use super::{DiskError, open, private_dir};

/// How often a log is opened anew because it was exchanged before it could be locked.
const TRIES: usize = 1_000;

/// Appends one line to the file at `path` (mode 0600, in a directory that is made private) and brings it to
/// the disk. Writers wait for each other, so that their lines never mix. After a line that a crash cut off, a
/// line break is put first.
///
/// # Errors
/// [`DiskError::Io`] where the file cannot be opened or written, also where it is a symbolic link.
pub fn append_line(path: &Path, line: &str) -> Result<(), DiskError> {
    let failed = |error: std::io::Error| open::not_written(path, &error);
    if let Some(dir) = path.parent() {
        private_dir(dir)?;
    }
    let mut file = locked(path, true)?;
    let whole = file.metadata().map_err(failed)?.len();
    let mut bytes = Vec::with_capacity(line.len() + 2);
    if !ends_whole(&file).map_err(failed)? {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    file.write_all(&bytes).map_err(|error| {
        // Half a line, as a full disk leaves it, would be one that nobody can read.
        let _left = file.set_len(whole);
        failed(error)
    })?;
    file.sync_data().map_err(failed)
}

/// Exchanges a log for the bytes that `make` gives for its rows, while nobody can add to it: whoever looks, and
/// whenever power ends, it is the old one or the new one, whole. `None` leaves it as it is.
///
/// # Errors
/// [`DiskError`] where it is absent, a symbolic link, or cannot be read or written: it is then the old one.
pub fn exchange_lines(
    path: &Path,
    longest: u64,
    make: impl FnOnce(&mut Rows) -> Result<Option<Vec<u8>>, DiskError>,
) -> Result<(), DiskError> {
    let failed = |error: std::io::Error| DiskError::Io(path.to_owned(), error.to_string());
    let _lock = locked(path, false)?;
    let Some(bytes) = make(&mut rows::rows(path, longest)?)? else { return Ok(()) };
    // The lock makes the name this one's own; one that a crash left behind is written over.
    let new = beside(path);
    let mut how = OpenOptions::new();
    how.write(true).create(true).truncate(true).mode(0o600);
    how.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    let placed = how.open(&new).and_then(|mut file| {
        file.write_all(&bytes)?;
        file.sync_all()?;
        std::fs::rename(&new, path)
    });
    if placed.is_err() {
        // The first error is the one to say; the next exchange writes over what is left.
        let _left = std::fs::remove_file(&new);
    }
    placed.map_err(failed)?;
    path.parent().map_or(Ok(()), |dir| File::open(dir).and_then(|dir| dir.sync_all())).map_err(failed)
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}

/// The file that has this name, locked. One that was exchanged between its opening and its locking is nobody's any
/// more: a line added to it would be lost.
fn locked(path: &Path, create: bool) -> Result<File, DiskError> {
    let failed = |error: std::io::Error| DiskError::Io(path.to_owned(), error.to_string());
    let mut how = OpenOptions::new();
    how.read(true).append(true).create(create).mode(0o600);
    how.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    for _ in 0..TRIES {
        let file = how.open(path).map_err(|error| open::not_opened(path, &error))?;
        file.lock().map_err(failed)?;
        let own = file.metadata().map_err(failed)?;
        match std::fs::symlink_metadata(path) {
            Ok(named) if (named.dev(), named.ino()) == (own.dev(), own.ino()) => return Ok(file),
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
    }
    Err(DiskError::Io(path.to_owned(), "is exchanged again and again: try once more".into()))
}

/// Whether the file is empty or ends with a line break.
fn ends_whole(file: &File) -> std::io::Result<bool> {
    let len = file.metadata()?.len();
    if len == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.read_exact_at(&mut last, len - 1)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn lines_are_whole_and_private() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("moorline/journal.jsonl");
        append_line(&path, "one").unwrap();
        append_line(&path, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n", "each line stands alone");
        let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "nobody else reads the log");
        std::fs::write(&path, "torn").unwrap();
        append_line(&path, "whole").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "torn\nwhole\n", "a torn line spoils no other");
    }

    #[test]
    fn writers_at_once_do_not_mix_their_lines() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("journal.jsonl");
        std::thread::scope(|scope| {
            for letter in ["a", "b", "c", "d"] {
                let path = &path;
                scope.spawn(move || (0..50).for_each(|_| append_line(path, &letter.repeat(3000)).unwrap()));
            }
        });
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 200, "no line was lost");
        let pure = |line: &str| line.len() == 3000 && line.bytes().all(|b| b == line.as_bytes()[0]);
        assert!(text.lines().all(pure), "and none holds another's letters");
    }

    #[test]
    fn a_log_is_exchanged_whole_and_no_line_that_is_added_meanwhile_is_lost() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("journal.jsonl");
        append_line(&path, "first").unwrap();
        // What a crash left behind is no hindrance.
        std::fs::write(beside(&path), "half a li").unwrap();
        let whole = |rows: &mut Rows| {
            let mut text = Vec::new();
            while let Some(row) = rows.next_row()? {
                if let rows::Row::Whole(line) = row {
                    text.extend(line.iter().copied().chain([b'\n']));
                }
            }
            Ok(Some(text))
        };
        let added = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let writers: Vec<_> = ["a", "b", "c"]
                .map(|name| {
                    let (path, added) = (&path, &added);
                    scope.spawn(move || {
                        for n in 0..200 {
                            append_line(path, &format!("{name}{n}")).unwrap();
                            added.fetch_add(1, Ordering::SeqCst);
                        }
                    })
                })
                .into_iter()
                .collect();
            // A new exchange only after a new line: one right after the other leaves nobody the lock.
            let mut seen = 0;
            while writers.iter().any(|writer| !writer.is_finished()) {
                match added.load(Ordering::SeqCst) {
                    now if now == seen => std::thread::yield_now(),
                    now => {
                        exchange_lines(&path, 99, whole).unwrap();
                        seen = now;
                    }
                }
            }
        });
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 601, "each line of each writer is there, once");
        assert!(!beside(&path).exists(), "and nothing is left beside it");
        let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&path).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600, "and it stays private");
        exchange_lines(&path, 99, |_| Ok(None)).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "no new one leaves the old one");
    }

    #[test]
    fn a_log_that_cannot_be_exchanged_is_the_old_one() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("journal.jsonl");
        append_line(&path, "first").unwrap();
        std::fs::create_dir(beside(&path)).unwrap();
        let exchanged = exchange_lines(&path, 99, |_| Ok(Some(b"second\n".to_vec())));
        assert!(exchanged.is_err(), "a directory has the new one's name");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "first\n", "the old one stands");
        std::fs::remove_dir(beside(&path)).unwrap();
        exchange_lines(&path, 99, |_| Ok(Some(b"second\n".to_vec()))).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "second\n", "the control: else it is exchanged");
    }
}
