//! What lies over the panes: things to read, and the way to a resume.

use std::sync::Arc;

use tui_input::Input;

use super::super::action::{Against, Earlier, Key, Proposal, Refused};
use super::super::effect::Looked;
use super::lookup::Lookup;
use super::remote::Remote;
use super::save::Form;
use super::shelf::Tidy;
use crate::check::Past;
use crate::place::Listed;
use crate::resume::Attempt;

/// What lies over the panes. At most one at a time.
#[derive(Debug)]
pub enum Overlay {
    /// All keys.
    Help,
    /// Something to read.
    Reading(Reading),
    /// The block that loads a row.
    Block {
        /// Of which row.
        key: Key,
        /// The block, once it is made.
        text: Option<String>,
    },
    /// Earlier versions of a row.
    Versions(Versions),
    /// On the way to a resume.
    Resume(Box<Resume>),
    /// On the way to a save.
    Save(Box<Form>),
    /// On the way to or from the shelf.
    Shelf(Box<Tidy>),
    /// A missing session is looked for.
    Lookup(Box<Lookup>),
    /// This checkout is compared with its remote.
    Remote(Remote),
}

/// Earlier versions of a row, one at a time. They are named as they are found; only the one that is looked at is read.
#[derive(Debug)]
pub struct Versions {
    /// Of which row.
    pub row: Arc<Listed>,
    /// Those that were found so far, the nearest first.
    pub found: Vec<Past>,
    /// There are no more.
    pub whole: bool,
    /// What could not be asked for some.
    pub trouble: Option<String>,
    /// Which one is looked at.
    pub at: usize,
    /// What it is compared with.
    pub against: Against,
    /// What was read of it, where it could be; `None` while it is being read.
    pub read: Option<Option<Earlier>>,
}

impl Versions {
    /// Before anything was found.
    pub fn of(row: Arc<Listed>) -> Self {
        let found = Vec::new();
        Self { row, found, whole: false, trouble: None, at: 0, against: Against::Next, read: None }
    }

    /// The next older or newer one, where there is one.
    pub fn beyond(&self, is_older: bool) -> Option<usize> {
        let next = self.at.checked_add_signed(if is_older { 1 } else { -1 })?;
        (next < self.found.len()).then_some(next)
    }

    /// What has to be read to show the one that is looked at; what was read before is forgotten.
    pub fn wanted(&mut self) -> Option<Looked> {
        self.read = None;
        let version = self.found.get(self.at)?.clone();
        let later = match self.against {
            Against::Next => self.at.checked_sub(1).and_then(|next| self.found.get(next)).cloned(),
            Against::Now => None,
        };
        Some(Looked { row: self.row.clone(), number: self.at, against: self.against, version, later })
    }
}

/// Something to read, over the panes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// The lines of a file around one of them.
    Source {
        /// Of which row.
        key: Key,
        /// Which line, from 1; 0 where none is known.
        line: u32,
        /// What is asked about that line: name and value pairs, shown above it.
        about: Vec<(&'static str, String)>,
    },
    /// Why a lane is not resumed.
    WhyNot {
        /// The lane's name.
        lane: String,
        /// One sentence each.
        reasons: Vec<String>,
    },
    /// What was found and is not listed.
    Unlisted,
}

/// A resume, from the plan to its outcome.
#[derive(Debug)]
pub struct Resume {
    /// Names this resume in answers.
    pub ticket: u64,
    /// The lane's name.
    pub lane: String,
    /// How far it has come.
    pub step: Step,
    /// A person wants to leave, and this still runs.
    pub leaving: bool,
}

/// How far a resume has come.
#[derive(Debug)]
pub enum Step {
    /// The lane is surveyed anew.
    Planning,
    /// It is not resumed, with the reasons.
    Refused(Refused),
    /// It waits for a prompt and a yes.
    Asking {
        /// Exactly what would be started.
        proposal: Arc<Proposal>,
        /// The person's prompt.
        prompt: Input,
        /// An empty prompt was sent.
        empty: bool,
        /// Every line of what would be started has been on the screen.
        seen: bool,
    },
    /// A yes was given; everything is read once more, then the program runs.
    Running(Run),
    /// It has ended.
    Done(Attempt, Run),
}

/// A program that was started.
#[derive(Debug, Clone)]
pub struct Run {
    /// Exactly what was started.
    pub proposal: Arc<Proposal>,
    /// It has passed the last look and is started.
    pub started: bool,
    /// How often it was asked to stop.
    pub stops: u32,
    /// When the yes was given, in seconds since 1970.
    pub since: i64,
    /// When it last printed something.
    pub last_output: i64,
    /// What it printed, the last part of it.
    pub output: Output,
}

/// The last part of what a program printed.
#[derive(Debug, Clone, Default)]
pub struct Output {
    bytes: Vec<u8>,
    /// Bytes that were dropped at the front.
    pub dropped: usize,
}

/// How much of a program's output is kept.
const KEPT: usize = 256 << 10;

impl Output {
    /// Adds what was printed.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > 2 * KEPT {
            let drop = self.bytes.len() - KEPT;
            self.bytes.drain(..drop);
            self.dropped += drop;
        }
    }

    /// As text; what is no UTF-8 is marked.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Whether nothing was printed.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}
