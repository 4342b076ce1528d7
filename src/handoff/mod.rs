//! What a handoff is. Pure: no files, git, clock or terminal.
//!
//! [`read`] takes the bytes of one file and gives what they say as [`Handoff`]s: one, or several for a day file.
//! Each family has a reader of its own; all of them fill the same shape, so that nobody above this floor
//! needs to know which habit a file follows.

pub mod ident;
pub mod inert;
pub mod model;
pub mod problem;
pub mod secrets;
pub mod shape;
pub mod thunderkit;
pub mod time;

pub use ident::{BranchName, CommitId, Digest, LaneId, Malformed, RecordId, RelPath, Revision, SessionId};
pub use inert::Inert;
pub use model::*;
pub use problem::{Position, Problem, Severity};
pub use shape::has_own_shape;
pub use time::Moment;

/// The place a file was found in, as far as its reader must know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Habit {
    /// `.thunderkit/HANDOFF.md`.
    Thunderkit,
    /// A memtomem day file (`.memtomem/memories.local/**/*.md`): many records, most of them no handoffs.
    DayFile,
    /// Anywhere else: theonekit or freeform, by its content.
    Other,
}

/// One file, ready to be read.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Its bytes, possibly cut at the read cap.
    pub bytes: &'a [u8],
    /// Its name without directories: dates and endings are read from it.
    pub name: &'a str,
    /// Where it was found.
    pub habit: Habit,
    /// Its whole size in bytes, when `bytes` is only the beginning.
    pub cut_from: Option<u64>,
}

/// Reads one file. Never fails: what cannot be read becomes a handoff with problems. A day file gives one
/// handoff per record and an empty list where it holds none.
pub fn read(source: &Source<'_>) -> Vec<Handoff> {
    match source.habit {
        Habit::Thunderkit => vec![thunderkit::read(source)],
        Habit::DayFile | Habit::Other => Vec::new(),
    }
}
