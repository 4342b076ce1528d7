//! What a handoff is. Pure: no files, git, clock or terminal.
//!
//! [`read`] takes the bytes of one file and gives what they say as [`Handoff`]s: one, or several for a day file.
//! Each family has a reader of its own; all of them fill the same shape, so that nobody above this floor
//! needs to know which habit a file follows.

pub mod age;
mod count;
mod decode;
pub mod difference;
mod done;
mod facts;
mod fold;
mod freeform;
pub mod ident;
pub mod inert;
mod items;
mod labels;
mod lead;
mod markdown;
mod memtomem;
pub mod model;
mod named;
pub mod none;
mod outline;
mod pairs;
pub mod problem;
pub mod secrets;
pub mod shape;
mod state;
mod theonekit;
pub mod thunderkit;
pub mod time;

pub use count::count_of;
pub use done::done;
pub use ident::{BranchName, CommitId, Digest, LaneId, Malformed, RecordId, RelPath, Revision, SessionId};
pub use inert::Inert;
pub use items::{list_item, open_box};
pub use labels::is_nothing;
pub use lead::lead;
pub use memtomem::{RUNTIMES, runtime};
pub use model::*;
pub use named::{ListedFile, listed_files, planned_lines};
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

impl Habit {
    /// How a file of such a name is written there.
    pub fn format(self, name: &str) -> Format {
        match self {
            Self::Thunderkit => Format::Yaml,
            Self::DayFile => Format::Markdown,
            Self::Other => Format::of_name(name),
        }
    }
}

/// How much of a file is taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Depth {
    /// All that it records.
    #[default]
    Whole,
    /// What a row of a list shows: the first step, no decisions, no open items and no recorded fields, which are most
    /// of what a thousand rows would hold in memory.
    Overview,
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

/// Reads one file whole. Never fails: what cannot be read becomes a handoff with problems. A day file gives one
/// handoff per record and an empty list where it holds none.
pub fn read(source: &Source<'_>) -> Vec<Handoff> {
    read_to(source, Depth::Whole)
}

/// Reads one file as [`read`] does, as deep as is asked.
pub fn read_to(source: &Source<'_>, depth: Depth) -> Vec<Handoff> {
    let mut handoffs = read_all(source, depth);
    if depth == Depth::Overview {
        for handoff in &mut handoffs {
            handoff.next_actions.truncate(1);
            handoff.decisions.clear();
            handoff.open_items.clear();
            handoff.fields = Fields::default();
        }
    }
    handoffs
}

fn read_all(source: &Source<'_>, depth: Depth) -> Vec<Handoff> {
    let format = source.habit.format(source.name);
    if source.habit == Habit::Thunderkit {
        return vec![thunderkit::read(source)];
    }
    let bytes = as_read(source.bytes, format);
    let whole = || (bytes.len() < source.bytes.len()).then_some(source.bytes.len() as u64);
    let decoded = decode::decode(bytes, source.cut_from.or_else(whole));
    let text = decoded.text.as_ref();
    let mut handoffs = match source.habit {
        Habit::DayFile => memtomem::read(text),
        Habit::Thunderkit | Habit::Other => vec![read_other(text, source.name, format, depth)],
    };
    for handoff in &mut handoffs {
        handoff.problems.splice(0..0, decoded.notes.iter().cloned());
    }
    handoffs
}

/// How many lines of a page are read: no page has so many, and each costs memory of its own.
const MOST_LINES: usize = 50_000;

/// The bytes of a file of a format that are read: all of data, and the first 50,000 lines of a page.
pub fn as_read(bytes: &[u8], format: Format) -> &[u8] {
    let is_page = matches!(format, Format::Markdown | Format::Text);
    if !is_page || bytes.len() <= MOST_LINES {
        return bytes;
    }
    let mut ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    &bytes[..ends.nth(MOST_LINES - 1).unwrap_or(bytes.len())]
}

/// theonekit where the content shows it, else freeform by the file's ending.
fn read_other(text: &str, name: &str, format: Format, depth: Depth) -> Handoff {
    let mut handoff = match format {
        Format::Markdown => {
            let lines = markdown::scan(text, markdown::Dialect::Markdown);
            let outline = outline::Outline::of(&lines);
            theonekit::read(&lines, &outline, depth)
                .unwrap_or_else(|| freeform::read_page(&lines, &outline, Format::Markdown))
        }
        format => freeform::read(text, format),
    };
    state::take_fields(&mut handoff);
    if handoff.saved_at.is_none() {
        freeform::date_from_name(&mut handoff, name);
    }
    handoff
}
