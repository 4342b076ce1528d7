//! Tests of the pure parts, on rows made up here; `tests/places.rs` scans real files.

mod order;
mod resolve;
mod settle;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::disk::FileId;
use crate::handoff::{ClockSource, Family, Format, Handoff, Inert, Moment, RecordId, SavedAt};
use crate::place::{self, Found, Listed, Scope, Skipped, State};

/// A row below a root, each with an inode of its own.
fn row(root: &str, relative: &str) -> Listed {
    let path = Path::new(root).join(relative);
    let inode =
        path.as_os_str().as_encoded_bytes().iter().fold(7, |sum, &b| sum * 31 % 1_000_003 + u64::from(b));
    Listed {
        id: format!("{inode:010x}"),
        handoff: Handoff::empty(Family::Freeform, Format::Markdown),
        path,
        relative: PathBuf::from(relative),
        root: PathBuf::from(root),
        scope: if relative.starts_with("plans/") { Scope::Plan } else { Scope::Project },
        state: State::Live,
        bytes: 100,
        file: FileId { device: 1, inode },
        modified: 0,
        saved_at: saved("2026-09-01T10:00:00Z", ClockSource::Mtime),
        edited_after: false,
        twins: Vec::new(),
        origin: None,
        part: None,
        read_from: None,
    }
}

fn saved(instant: &str, source: ClockSource) -> SavedAt {
    let at = chrono::DateTime::parse_from_rfc3339(instant).expect("a fixture time is RFC 3339");
    SavedAt { moment: Moment::Instant(at), written: Inert::new(instant), source }
}

fn dated(row: Listed, instant: &str) -> Listed {
    Listed { saved_at: saved(instant, ClockSource::Declared), ..row }
}

fn record(mut row: Listed, uuid: &str, line: u32) -> Listed {
    row.handoff.record_id = Some(RecordId::parse(uuid).expect("a fixture id is a UUID"));
    row.handoff.lines = (line, line + 9);
    row
}

fn settled(rows: Vec<Listed>) -> (Vec<Arc<Listed>>, Vec<Skipped>) {
    place::settle(rows.into_iter().map(|row| Found::Row(Arc::new(row))).collect())
}

fn paths(rows: &[Arc<Listed>]) -> Vec<&str> {
    rows.iter().map(|row| row.relative.to_str().expect("fixture paths are UTF-8")).collect()
}
