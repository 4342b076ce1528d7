//! Replaced bytes, kept in the trash with where they came from.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use super::names::{LONGEST_TRASHED, Names};
use super::plan::trash_end;
use crate::disk::{self, DiskError, Spot, private_dir};
use crate::handoff::Digest;
use crate::place::{Origin, TRASH};

/// How often another name is tried while others take it.
const TRIES: usize = 1_000;

/// Keeps the bytes that `path` had, beside them a record that says so; gives where they lie now.
///
/// # Errors
/// The trash cannot be written: then nothing may be replaced.
pub fn keep(
    home: &Path,
    path: &Path,
    bytes: &[u8],
    now: DateTime<FixedOffset>,
) -> Result<PathBuf, DiskError> {
    private_dir(&home.join(TRASH))?;
    let end = trash_end(home, path, &Digest::of(bytes), now);
    let note = end.note.as_deref().unwrap_or_default();
    let taken = |path: &Path| disk::is_taken(path) || disk::is_taken(&Origin::beside(path));
    let mut names = Names::new(&taken);
    let temporary = format!(".moorline-{}-keep", std::process::id());
    for _ in 0..TRIES {
        let Some(free) = names.first_free(&end.path, LONGEST_TRASHED) else { break };
        // The record first: whoever finds the file knows where it came from.
        let record = Spot::named(&end.root, &Origin::beside(&free), true)?;
        if !record.create(note, OsStr::new(&temporary))? {
            continue;
        }
        if Spot::named(&end.root, &free, true)?.create(bytes, OsStr::new(&temporary))? {
            return Ok(free);
        }
        if let Some(stamp) = record.stamp()? {
            record.remove(&stamp)?;
        }
    }
    Err(DiskError::Io(end.path, "has no free name in the trash".into()))
}
