//! The one shape that every reader fills: what a file says, and nothing else.
//!
//! Where the file lies, when it was changed and whether any of it is true are other rooms' business. A fact
//! that the file does not hold is `None` (or an empty list), never a default.

mod fields;
mod record;

pub use fields::{Field, Fields, Value};
pub use record::*;
use serde::Serialize;

use super::Inert;
use super::ident::{BranchName, RecordId, Revision};
use super::problem::Problem;
use super::time::Moment;

/// Whose habit a handoff follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// thunderkit's strict `.thunderkit/HANDOFF.md`, schema version 1.
    Thunderkit,
    /// The same path in the shape of thunderkit's first release: readable, never resumable.
    ThunderkitLegacy,
    /// theonekit's seven-section markdown.
    Theonekit,
    /// One record of a memtomem day file.
    Memtomem,
    /// Everything else.
    Freeform,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// YAML, also thunderkit's.
    Yaml,
    /// Markdown.
    Markdown,
    /// JSON.
    Json,
    /// Plain text.
    Text,
}

impl Format {
    /// The format that a file name says, markdown where it says nothing.
    pub fn of_name(name: &str) -> Self {
        let ending = name.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
        match ending.as_deref() {
            Some("json") => Self::Json,
            Some("yaml" | "yml") => Self::Yaml,
            Some("txt" | "text") => Self::Text,
            _ => Self::Markdown,
        }
    }

    /// How many bytes of such a file are read: 256 KiB of YAML and 1 MiB of JSON, whose readers keep what they read
    /// in pieces, and `limit` of text. It is the person's own bound, and widens none of the others.
    pub fn most_bytes(self, limit: u64) -> u64 {
        match self {
            Self::Yaml => limit.min(256 << 10),
            Self::Json => limit.min(1 << 20),
            Self::Markdown | Self::Text => limit,
        }
    }
}

/// How many bytes of a text are read where the settings say nothing else.
pub const READ_LIMIT: u64 = 8 << 20;

/// Where a saved time was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockSource {
    /// A field of the file says it.
    Declared,
    /// A heading of the file says it.
    Heading,
    /// The file's name says it.
    Filename,
    /// The commit that last changed the file.
    Commit,
    /// The file system's modification time: the last resort.
    Mtime,
}

/// When a handoff was saved, as far as the file or its surroundings say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedAt {
    /// The instant or the calendar day.
    pub moment: Moment,
    /// The text it was read from.
    pub written: Inert,
    /// Where that text stood.
    pub source: ClockSource,
}

/// Something that a file notes in passing, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted<T> {
    /// What it means.
    pub value: T,
    /// The words of the file.
    pub written: Inert,
    /// Their line, from 1; 0 where that is not known.
    pub line: u32,
}

/// What a file says of the worktree when it was saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeState {
    /// So many changed files; none is a clean worktree.
    Dirty(u64),
    /// Something that cannot be compared.
    Words,
}

/// What one handoff says.
#[derive(Debug, Clone, PartialEq)]
pub struct Handoff {
    /// Whose habit it follows.
    pub family: Family,
    /// How it is written.
    pub format: Format,
    /// Its id in a day file.
    pub record_id: Option<RecordId>,
    /// First visible level-1 heading, a title line or a title key; `None` where there is none.
    pub title: Option<Inert>,
    /// When it says it was saved, by a field, a heading or its file name.
    pub saved_at: Option<SavedAt>,
    /// The branch it says it was saved on.
    pub branch: Option<BranchName>,
    /// The commit that it declares as its state.
    pub commit: Option<Revision>,
    /// What it says of the worktree's state; families with a field of their own for it leave this empty.
    pub tree: Option<Noted<TreeState>>,
    /// The absolute directory that it says it was written in.
    pub directory: Option<Noted<Inert>>,
    /// The repository that it says it is about: an address, `owner/name` or a name.
    pub repository: Option<Noted<Inert>>,
    /// Phase or stage, free text.
    pub phase: Option<Inert>,
    /// Status in its own words.
    pub status: Option<Inert>,
    /// What to do next, in order.
    pub next_actions: Vec<Inert>,
    /// What is in the way.
    pub blockers: Vec<Inert>,
    /// What was decided.
    pub decisions: Vec<Inert>,
    /// Unchecked boxes and open questions.
    pub open_items: Vec<Inert>,
    /// The file that continues this one, as its front matter names it.
    pub continuation: Option<Inert>,
    /// `false` for an unfilled template or nothing at all.
    pub readable: bool,
    /// thunderkit v1 without any structural problem.
    pub strict: bool,
    /// What the reader objects to, in file order.
    pub problems: Vec<Problem>,
    /// Lanes; always empty outside thunderkit.
    pub lanes: Vec<Lane>,
    /// Every recorded field under its own name.
    pub fields: Fields,
    /// What only this family records.
    pub record: Record,
    /// Lines of the file that this handoff stands on (first, last), from 1: the whole file but in a day file.
    pub lines: (u32, u32),
}

impl Handoff {
    /// An empty handoff of a family: nothing recorded, not readable.
    pub fn empty(family: Family, format: Format) -> Self {
        Self {
            family,
            format,
            record_id: None,
            title: None,
            saved_at: None,
            branch: None,
            commit: None,
            tree: None,
            directory: None,
            repository: None,
            phase: None,
            status: None,
            next_actions: Vec::new(),
            blockers: Vec::new(),
            decisions: Vec::new(),
            open_items: Vec::new(),
            continuation: None,
            readable: false,
            strict: false,
            problems: Vec::new(),
            lanes: Vec::new(),
            fields: Fields::default(),
            record: Record::None,
            lines: (1, 1),
        }
    }

    /// The first thing to do next.
    pub fn next_action(&self) -> Option<&Inert> {
        self.next_actions.first()
    }

    /// Whether a reader found an error (a note is none).
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }

    /// What a reader said of a file that was longer than what is read of one; `None` for one that was read whole.
    pub fn cut(&self) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.code == Problem::CUT)
    }

    /// Why the file of a context-only handoff could not be parsed as what its name says it is, if it could not.
    pub fn unparsed(&self) -> Option<&Problem> {
        let stops = |problem: &&Problem| match problem.code {
            Problem::NOT_JSON => true,
            // Lines that are passed over leave the others standing.
            Problem::NOT_YAML => self.fields.is_empty(),
            _ => false,
        };
        self.problems.iter().find(stops)
    }

    /// thunderkit's root record, when this is one.
    pub fn root(&self) -> Option<&Root> {
        match &self.record {
            Record::Thunderkit(root) => Some(root),
            _ => None,
        }
    }
}
