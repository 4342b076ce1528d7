//! Replaced bytes, kept in the trash with where they came from.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use crate::disk::{DiskError, Spot, WriteError, private_dir};
use crate::handoff::Digest;

/// Where put-away handoffs lie, below the home directory.
const TRASH: &str = ".claude/.handoff-trash";

/// How many names are tried for one entry.
const MOST_NAMES: usize = 100_000;

/// Keeps the bytes that `path` had, beside them a `.trashinfo` that says so; gives where they lie now.
///
/// # Errors
/// The trash cannot be written: then nothing may be replaced.
pub(super) fn keep(
    home: &Path,
    path: &Path,
    bytes: &[u8],
    now: DateTime<FixedOffset>,
) -> Result<PathBuf, WriteError> {
    let trash = home.join(TRASH);
    private_dir(&trash)?;
    let kept = enter(home, &trash, path, bytes)?;
    let mut info = kept.clone().into_os_string();
    info.push(".trashinfo");
    Spot::open(home, Path::new(&info))?.write(origin(path, bytes, now).as_bytes(), None)?;
    Ok(kept)
}

/// The bytes under the first free name: `HANDOFF.md`, `HANDOFF-2.md`, …
fn enter(home: &Path, trash: &Path, path: &Path, bytes: &[u8]) -> Result<PathBuf, WriteError> {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, ending) = (part(path.file_stem()), part(path.extension()));
    for number in 1..MOST_NAMES {
        let count = if number == 1 { String::new() } else { format!("-{number}") };
        let ending = if ending.is_empty() { String::new() } else { format!(".{ending}") };
        let name = trash.join(format!("{stem}{count}{ending}"));
        if std::fs::symlink_metadata(&name).is_ok() {
            continue;
        }
        match Spot::open(home, &name)?.write(bytes, None) {
            Err(WriteError::Changed(_)) => {}
            written => return written.map(|()| name),
        }
    }
    Err(DiskError::Io(trash.to_owned(), format!("has no free name for {stem}")).into())
}

/// The `.trashinfo` of an entry.
fn origin(path: &Path, bytes: &[u8], now: DateTime<FixedOffset>) -> String {
    let mut escaped = String::new();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => escaped.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => escaped.push(char::from(byte)),
            byte => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    format!(
        "[Trash Info]\nPath={escaped}\nDeletionDate={}\nsha256={}\n",
        now.format("%Y-%m-%dT%H:%M:%S"),
        Digest::of(bytes)
    )
}
