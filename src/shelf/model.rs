//! What a plan is made of.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::handoff::Digest;
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
}

impl Move {
    /// The same way back.
    pub fn back(&self) -> Self {
        Self { from: self.to.clone(), to: self.from.clone(), instead_of: None, ..self.clone() }
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
    /// The action that it takes back.
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
            undoes: None,
            leftover: Vec::new(),
        }
    }

    /// Whether nothing would be done.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The id of the action that it takes back.
    pub fn undoes(&self) -> Option<&str> {
        self.undoes.as_ref().map(|undoes| undoes.action.as_str())
    }
}
