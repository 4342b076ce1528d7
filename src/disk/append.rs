//! Lines added to a private log: whole, at its end, or not at all.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use super::{DiskError, open, private_dir};

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
    let mut how = OpenOptions::new();
    how.read(true).append(true).create(true).mode(0o600);
    how.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    let mut file = how.open(path).map_err(failed)?;
    file.lock().map_err(failed)?;
    let mut bytes = Vec::with_capacity(line.len() + 2);
    if !ends_whole(&file).map_err(failed)? {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    file.write_all(&bytes).map_err(failed)?;
    file.sync_data().map_err(failed)
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
}
