//! What lies in the trash, and what its quota says.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDateTime};

use crate::disk::{self, Beneath, DiskError, EntryKind};
use crate::place::{Origin, TRASH};

/// Bytes read of a record.
const CAP: u64 = 16 << 10;

/// One trashed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The file.
    pub path: PathBuf,
    /// When it was put away, as its record says, else its modification time (UTC).
    pub since: NaiveDateTime,
}

/// Every entry, oldest first. A trash that is not there is empty.
///
/// # Errors
/// The trash is there and cannot be listed.
pub fn entries(home: &Path) -> Result<Vec<Entry>, DiskError> {
    let trash = match Beneath::open(&home.join(TRASH)) {
        Ok(trash) => trash,
        Err(DiskError::NotFound(_)) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut entries = Vec::new();
    for entry in trash.list(Path::new(""))?.1 {
        if entry.kind == EntryKind::File && !Origin::is_record(&entry.name) && !is_temporary(&entry.name) {
            let path = trash.path().join(&entry.name);
            let said =
                record(&path).and_then(|bytes| Origin::parse(&bytes)).and_then(|origin| origin.deleted);
            let modified = || disk::look(&path).ok().and_then(|(_, meta)| meta.modified);
            let since = said.or_else(|| modified().map(|at| DateTime::<chrono::Utc>::from(at).naive_utc()));
            entries.push(Entry { since: since.unwrap_or_default(), path });
        }
    }
    entries.sort_by(|a, b| (a.since, &a.path).cmp(&(b.since, &b.path)));
    Ok(entries)
}

/// The record beside a trashed file; `None` where none can be read.
pub fn record(file: &Path) -> Option<Vec<u8>> {
    disk::read(&Origin::beside(file), CAP).ok().filter(|content| !content.cut).map(|content| content.bytes)
}

/// A directory of the home directory that exists and holds the trash: `.claude`, wherever that leads, else the home
/// directory itself.
pub(super) fn root(home: &Path) -> PathBuf {
    let claude = home.join(".claude");
    if claude.is_dir() { claude } else { home.to_owned() }
}

/// A file that a move or a save is making right now, or was when it was cut off.
fn is_temporary(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") && name.to_string_lossy().contains(".moorline-")
}
