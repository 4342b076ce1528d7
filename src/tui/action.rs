//! What can happen to the screen: a command, text, an answer from a worker, the screen itself.

pub mod save;
pub mod shelf;

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use tui_input::InputRequest;

use super::keymap::Command;
use crate::check::{Check, Past, ProjectFacts, Report};
use crate::handoff::difference::DiffLine;
use crate::handoff::{HarnessName, Inert};
use crate::place::{Found, Listed, Skipped};
use crate::resume::Attempt;
use crate::resume::lookup;

/// Which row: its file and the line it begins on (a day file holds many).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// Absolute path.
    pub path: PathBuf,
    /// First line, from 1.
    pub line: u32,
}

impl Key {
    /// Of a row.
    pub fn of(row: &Listed) -> Self {
        Self { path: row.path.clone(), line: row.handoff.lines.0 }
    }
}

/// One thing that happened.
#[derive(Debug)]
pub enum Action {
    /// A person's command.
    Do(Command),
    /// A person's typing in an input.
    Type(InputRequest),
    /// A person's paste: text for an input and nothing else.
    Paste(String),
    /// The screen was drawn so.
    Drawn(Metrics),
    /// A worker has an answer.
    Answer(Answer),
    /// Only time went by.
    Wake,
}

/// What a worker found out. Each carries what it was asked for, so that a late one can be told and dropped.
#[derive(Debug)]
pub enum Answer {
    /// Rows of a scan that goes on.
    Batch(u64, Vec<Found>),
    /// A scan has ended: these are its rows, and these are not listed.
    Settled(u64, Vec<Arc<Listed>>, Vec<Skipped>),
    /// Whether the places of this scan are watched for changes.
    Live(u64, bool),
    /// Something changed in them.
    Moved(Moved),
    /// Rows whose time is their commit's, or why none is.
    Dated(u64, Result<Vec<Arc<Listed>>, String>),
    /// What is true of the project.
    Facts(u64, ProjectFacts),
    /// A row was judged.
    Examined(u64, Key, Arc<Report>),
    /// The text of a row, or why it cannot be read.
    Text(Key, Result<Text, String>),
    /// Rows whose whole text has every word of the filter with this ticket.
    Searched(u64, HashSet<Key>),
    /// The block that loads a row, or why it may not be loaded.
    Block(Key, Result<String, String>),
    /// More versions of a row before the present one, behind those that were told: the nearest first.
    Past(Key, Vec<Past>),
    /// There are no more of them, and what could not be asked for some.
    PastEnds(Key, Option<String>),
    /// One of them was read, by its number and by what it is compared with.
    Earlier(Key, usize, Against, Option<Earlier>),
    /// A resume is planned, or refused.
    Planned(u64, Result<Proposal, Refused>),
    /// The program is started.
    Started(u64),
    /// It printed something.
    Output(u64, Vec<u8>),
    /// It has ended, or was not started.
    Finished(u64, Attempt),
    /// Something about the save with this ticket.
    Save(u64, save::SaveAnswer),
    /// Something about the shelf's action with this ticket.
    Shelf(u64, shelf::ShelfAnswer),
    /// What a lookup came to.
    LookedUp(u64, Arc<lookup::Found>),
    /// What would be asked of the remote, line by line, or why there is nothing to ask.
    RemotePrepared(u64, Result<Vec<String>, String>),
    /// How this checkout stands to its remote.
    RemoteSaid(u64, String),
    /// What the person wrote in the editor, or why there is nothing.
    Edited(Result<String, String>),
    /// A sentence for the footer; `true` for good news.
    Said(String, bool),
}

/// An earlier version of a handoff, seen from a later one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Earlier {
    /// How it became the later one.
    pub lines: Vec<DiffLine>,
    /// What was open in it, and is neither done nor open in the later one.
    pub vanished: Vec<Inert>,
}

/// What an earlier version is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// The version right after it.
    Next,
    /// The present one.
    Now,
}

/// What has changed while nobody looked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Moved {
    /// Handoffs, and folders that may hold some.
    pub paths: BTreeSet<PathBuf>,
    /// HEAD moved, or something was missed: nothing that was judged holds any more.
    pub everything: bool,
}

/// The text of one handoff, for reading.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    /// Its lines as far as they were read.
    pub body: Arc<str>,
    /// The first line's number in the file.
    pub first_line: u32,
    /// How many bytes of the file were left unread.
    pub left_out: u64,
}

/// Everything that a person must see before the yes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The lane's name.
    pub lane: String,
    /// The stage's name.
    pub stage: Option<Inert>,
    /// The harness.
    pub harness: HarnessName,
    /// The program's absolute path.
    pub program: PathBuf,
    /// Its version and where that was read.
    pub version: Inert,
    /// The fixed argument array.
    pub argv: Vec<String>,
    /// The validated worktree.
    pub cwd: PathBuf,
    /// The model that will answer, and why.
    pub model: Inert,
    /// Variables that will be removed.
    pub removed: Vec<String>,
    /// Variables that are passed on and worth a look.
    pub notable: Vec<String>,
    /// The interactive form of the same session, to copy.
    pub interactive: String,
    /// How many checks passed.
    pub passed: usize,
    /// Preflight: version and fixed form.
    pub preflight: Vec<Check>,
    /// The program gets the real terminal, and asks for its prompt itself.
    pub wants_terminal: bool,
}

/// Why a lane is not resumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// One sentence each, most severe first.
    pub reasons: Vec<Inert>,
    /// Preflight checks, where it came that far.
    pub preflight: Vec<Check>,
}

/// How much of something there is and how much of it is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extent {
    /// All lines.
    pub lines: usize,
    /// Lines that are seen at once.
    pub height: usize,
}

/// What drawing found out about the sizes, for paging.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Metrics {
    /// The whole screen, columns and rows.
    pub size: (u16, u16),
    /// The window is too small for panes.
    pub tiny: bool,
    /// The list.
    pub list: Extent,
    /// The detail pane.
    pub detail: Extent,
    /// The lanes pane.
    pub lanes: Extent,
    /// The checks pane.
    pub checks: Extent,
    /// The drift pane.
    pub drift: Extent,
    /// The overlay's text.
    pub overlay: Extent,
}
