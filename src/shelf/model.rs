//! What a plan is made of.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use chrono::DateTime;
use serde::{Deserialize, Serialize};

use super::act::{Fate, Outcome};
use crate::handoff::{Digest, count_of};
use crate::place::Origin;

/// What is done with handoffs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verb {
    /// Into the `archive/` beside it.
    Archive,
    /// Into the trash.
    Trash,
    /// Back to where it came from.
    PutBack,
    /// Old ones into the archive.
    Cleanup,
    /// An action taken back.
    Undo,
    /// A handoff written over another one, whose bytes are kept.
    Save,
}

impl Verb {
    /// The word of the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Archive => "archive",
            Self::Trash => "trash",
            Self::PutBack => "put-back",
            Self::Cleanup => "cleanup",
            Self::Undo => "undo",
            Self::Save => "save",
        }
    }
}

/// One end of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// A directory that the path must not leave by any link.
    pub root: PathBuf,
    /// The file's absolute path.
    pub path: PathBuf,
    /// The bytes of the record beside the file, there for as long as the file is.
    pub note: Option<Vec<u8>>,
}

impl End {
    /// A place without a record.
    pub fn plain(root: &Path, path: &Path) -> Self {
        Self { root: root.to_owned(), path: path.to_owned(), note: None }
    }

    /// The record's path.
    pub fn note_path(&self) -> PathBuf {
        Origin::beside(&self.path)
    }
}

/// One file's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// Where it lies.
    pub from: End,
    /// Where it goes.
    pub to: End,
    /// The name that it would have there, if that were not taken.
    pub instead_of: Option<PathBuf>,
    /// Its size in bytes, when it was looked at.
    pub bytes: u64,
    /// The bytes that it must have; `None`: those that it has when the action begins.
    pub digest: Option<Digest>,
    /// The two ends lie on different file systems: it is copied, compared and removed.
    pub is_copy: bool,
    /// A person chose this place: where it is taken by the time of the move, no other name will do.
    pub is_chosen: bool,
    /// It is part of the same handoff as the move before it: the second file of a pair, the new bytes of a save.
    pub follows: bool,
}

impl Move {
    /// A move to a place that nobody chose in particular, of one whole handoff.
    pub fn new(from: End, to: End, bytes: u64) -> Self {
        Self {
            from,
            to,
            instead_of: None,
            bytes,
            digest: None,
            is_copy: false,
            is_chosen: false,
            follows: false,
        }
    }

    /// The same way back.
    pub fn back(&self) -> Self {
        Self { from: self.to.clone(), to: self.from.clone(), instead_of: None, ..self.clone() }
    }

    /// The name that it was to have and did not get, because somebody else had it when the plan was made or when the
    /// file was moved.
    pub fn lost_name(&self, outcome: &Outcome) -> Option<&Path> {
        let Fate::Moved(to) = &outcome.fate else { return self.instead_of.as_deref() };
        self.instead_of.as_deref().or((*to != self.to.path).then_some(&self.to.path))
    }
}

/// A handoff that stays where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spared {
    /// The file.
    pub path: PathBuf,
    /// Why it is not touched.
    pub reason: String,
}

/// What the trash holds and may hold, in entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Quota {
    /// Entries now.
    pub held: usize,
    /// Entries after the plan, if nothing is evicted.
    pub after: usize,
    /// The most that the settings want there.
    pub limit: usize,
}

/// An action of the log, as a person is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// Its id: 16 hex digits, by which it can be undone.
    pub id: String,
    /// What was done.
    pub verb: Verb,
    /// When, RFC 3339.
    pub time: String,
    /// How many handoffs of it have not been taken back since.
    pub handoffs: usize,
    /// How many files they are.
    pub files: usize,
    /// How many of the handoffs a save only put away: old ones, and links of a chain that it replaced.
    pub put_away: usize,
    /// From which project; `None` where the log does not say.
    pub project: Option<PathBuf>,
}

impl Told {
    /// `trash of 2 handoffs, 2026-11-30 12:00`, without the id; in the zone in which it was done. Handoffs of more than
    /// one file are `1 handoff in 3 files`; what a save put away stands behind it.
    pub fn words(&self) -> String {
        let time = DateTime::parse_from_rfc3339(&self.time);
        let time = time.map_or_else(|_| self.time.clone(), |time| time.format("%Y-%m-%d %H:%M").to_string());
        let files = match self.files > self.handoffs {
            // What a save puts away is a file each.
            true => format!(" in {}", count_of(self.files - self.put_away, "file", "files")),
            false => String::new(),
        };
        let others = || count_of(self.put_away, "other", "others");
        match self.handoffs - self.put_away {
            0 if self.put_away > 0 => format!("what a save put away, {}, {time}", handoffs(self.put_away)),
            own if self.put_away > 0 => {
                format!("save of {}{files}, which put {} away, {time}", handoffs(own), others())
            }
            own => format!("{} of {}{files}, {time}", self.verb.word(), handoffs(own)),
        }
    }

    /// One sentence about an action that is left alone because it was done elsewhere.
    pub(super) fn elsewhere(&self) -> String {
        let place = self.project.as_deref().map_or(String::new(), |path| format!(" in {}", path.display()));
        let words = self.words();
        format!("the last action elsewhere, {words}{place}, is left alone: `moorline undo {}`", self.id)
    }
}

/// An action that cannot be taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassedOver {
    /// Which one.
    pub action: Told,
    /// Why not, with the file.
    pub reason: String,
}

impl PassedOver {
    /// One sentence, with the id.
    pub fn words(&self) -> String {
        format!("{} ({}) cannot be taken back: {}", self.action.words(), self.action.id, self.reason)
    }
}

/// `1 handoff`, `3 handoffs`.
pub fn handoffs(count: usize) -> String {
    count_of(count, "handoff", "handoffs")
}

/// Everything that would happen; a person sees it before the yes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What is done.
    pub verb: Verb,
    /// What moves where, in this order.
    pub moves: Vec<Move>,
    /// What stays, and why.
    pub spared: Vec<Spared>,
    /// Entries of the trash that are too many, oldest first. They are deleted for good, and only after a yes of
    /// their own.
    pub evict: Vec<PathBuf>,
    /// What the trash holds, where the plan adds to it.
    pub quota: Option<Quota>,
    /// By which rule it was made, in sentences, where it was not made for rows that a person chose.
    pub rule: Vec<String>,
    /// The action that it takes back, in a person's words.
    pub takes_back: Option<Told>,
    /// Newer actions of this project that cannot be taken back, newest first.
    pub passed_over: Vec<PassedOver>,
    /// A newer action from another project, which is left alone.
    pub elsewhere: Option<Told>,
    /// What else has to be said before the yes.
    pub remarks: Vec<String>,
    /// The id of the save that it is a part of: an undo of that one takes this back as well.
    pub joins: Option<String>,
    /// How many of the moves, the first ones, bring back what a save had put away.
    pub beside_save: usize,
    /// The action that it takes back, and which of its moves.
    pub(super) undoes: Option<Undoes>,
    /// Directories that go afterwards, if they are empty then: those that an undone action had made.
    pub(super) leftover: Vec<PathBuf>,
}

/// Which moves of which action are taken back, one for each move of the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Undoes {
    pub(super) action: String,
    pub(super) moves: Vec<usize>,
}

impl Plan {
    /// A plan in which nothing happens yet.
    pub fn of(verb: Verb) -> Self {
        Self {
            verb,
            moves: Vec::new(),
            spared: Vec::new(),
            evict: Vec::new(),
            quota: None,
            rule: Vec::new(),
            takes_back: None,
            passed_over: Vec::new(),
            elsewhere: None,
            remarks: Vec::new(),
            joins: None,
            beside_save: 0,
            undoes: None,
            leftover: Vec::new(),
        }
    }

    /// Whether nothing would be done.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// How many handoffs it is about; a handoff of two files is one.
    pub fn handoffs(&self) -> usize {
        heads(&self.moves)
    }

    /// How many files it is about; one that goes and gets its old bytes back is one.
    pub fn files(&self) -> usize {
        files(&self.moves)
    }

    /// That files go to another file system, in a sentence; `None` where none does.
    pub fn copies(&self) -> Option<String> {
        let copies = self.moves.iter().filter(|way| way.is_copy).count();
        let whose = match copies {
            0 => return None,
            1 if self.moves.len() == 1 => "on another file system".to_owned(),
            some if some == self.moves.len() => "all on another file system".to_owned(),
            some => format!("{} on another file system", count_of(some, "file", "files")),
        };
        Some(format!("{whose}: copied, compared, then removed"))
    }

    /// Whether it is more than one plain wish for one handoff: it needs a yes of its own.
    pub fn needs_yes(&self) -> bool {
        let is_half = self.verb == Verb::Undo && !self.spared.is_empty();
        self.handoffs() > 1 || self.verb == Verb::Cleanup || !self.passed_over.is_empty() || is_half
    }

    /// Whether a person named what it is about, and so misses what of it stays.
    pub fn is_named(&self) -> bool {
        matches!(self.verb, Verb::Archive | Verb::Trash | Verb::PutBack)
    }

    /// What is not part of it and has to be known all the same, in sentences: newer actions that are passed over or
    /// left alone, lines of the log that cannot be read.
    pub fn beside(&self) -> Vec<String> {
        let passed = self.passed_over.iter().map(|passed| format!("passed over: {}", passed.words()));
        let elsewhere = self.elsewhere.iter().map(Told::elsewhere);
        passed.chain(elsewhere).chain(self.remarks.iter().cloned()).collect()
    }

    /// The id of the action that it takes back.
    pub fn undoes(&self) -> Option<&str> {
        self.undoes.as_ref().map(|undoes| undoes.action.as_str())
    }
}

/// How many files some moves are about: a file that gives way to other bytes is one with them.
pub(super) fn files<'a>(moves: impl IntoIterator<Item = &'a Move, IntoIter: Clone>) -> usize {
    let moves = moves.into_iter();
    let left: HashSet<&Path> = moves.clone().map(|way| way.from.path.as_path()).collect();
    moves.filter(|way| !left.contains(way.to.path.as_path())).count()
}

/// How many handoffs some moves are about. Of one whose first file stays the others are one all the same.
pub(super) fn heads<'a>(moves: impl IntoIterator<Item = &'a Move>) -> usize {
    let (mut all, mut heads) = (0, 0);
    for way in moves {
        all += 1;
        heads += usize::from(!way.follows);
    }
    heads.max(usize::from(all > 0))
}
