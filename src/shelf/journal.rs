//! The log of the shelf: one line when an action begins, one when it is over, and one whenever a move has to take
//! another name than the plan gave it. What lies on the disk is compared with it, never believed from it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, FixedOffset, SecondsFormat};
use serde::{Deserialize, Serialize};

use super::model::{End, Move, Undoes, Verb};
use crate::disk::rows::{self, Row};
use crate::disk::{DiskError, append_line};
use crate::handoff::Digest;
use crate::place::{escape, unescape};

/// The log's name in the state directory.
const NAME: &str = "shelf.jsonl";
/// The longest line that is read: a thousand moves.
const LONGEST: u64 = 4 << 20;

/// A path in plain ASCII, whatever its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Escaped(String);

impl Escaped {
    pub(super) fn of(path: &Path) -> Self {
        Self(escape(path))
    }

    pub(super) fn path(&self) -> PathBuf {
        unescape(self.0.as_bytes())
    }
}

/// One end of a move as it is written down.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct WrittenEnd {
    root: Escaped,
    path: Escaped,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    note: Option<Escaped>,
}

impl WrittenEnd {
    fn of(end: &End) -> Self {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        let note = end.note.as_deref().map(|note| Escaped::of(Path::new(OsStr::from_bytes(note))));
        Self { root: Escaped::of(&end.root), path: Escaped::of(&end.path), note }
    }

    fn end(&self) -> End {
        use std::os::unix::ffi::OsStringExt as _;
        let note = self.note.as_ref().map(|note| note.path().into_os_string().into_vec());
        End { root: self.root.path(), path: self.path.path(), note }
    }
}

/// One move as it is written down.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct WrittenMove {
    from: WrittenEnd,
    to: WrittenEnd,
    sha256: String,
    bytes: u64,
}

/// A line of the log.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Line {
    Begin {
        action: String,
        verb: Verb,
        time: String,
        moves: Vec<WrittenMove>,
        made: Vec<Escaped>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        undoes: Option<Undoes>,
    },
    Rename {
        action: String,
        index: usize,
        to: Escaped,
    },
    End {
        action: String,
        moved: Vec<usize>,
        how: String,
    },
}

/// One action, as the log tells it.
#[derive(Debug, Clone)]
pub(super) struct Action {
    /// Its id: 16 hex digits.
    pub(super) id: String,
    /// What was done.
    pub(super) verb: Verb,
    /// When, RFC 3339.
    pub(super) time: String,
    /// Its moves, each with the bytes that it is about.
    pub(super) moves: Vec<Move>,
    /// Directories that it had to make, outermost first.
    pub(super) made: Vec<PathBuf>,
    /// Which moves of which action it takes back.
    pub(super) undoes: Option<Undoes>,
    /// The moves that took place and were not taken back since; `None` while the action has no end.
    pub(super) standing: Option<BTreeSet<usize>>,
}

impl Action {
    /// The name of the copy that a move makes first, in the directory that it goes to.
    pub(super) fn temporary(&self, index: usize) -> String {
        format!(".moorline-{}-{index}", self.id)
    }

    /// A new action.
    pub(super) fn new(
        verb: Verb,
        moves: Vec<Move>,
        undoes: Option<Undoes>,
        now: DateTime<FixedOffset>,
    ) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let clock = std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos());
        let unique = (clock, now.timestamp(), std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let id = Digest::of(format!("{unique:?}").as_bytes()).as_str()[..16].to_owned();
        let made = missing(&moves);
        let time = now.to_rfc3339_opts(SecondsFormat::Secs, false);
        Self { id, verb, time, moves, made, undoes, standing: None }
    }
}

/// The directories that moves will have to make, outermost first.
fn missing(moves: &[Move]) -> Vec<PathBuf> {
    let folders = moves.iter().flat_map(|way| way.to.path.ancestors().skip(1));
    let missing: BTreeSet<&Path> = folders.filter(|folder| !crate::disk::is_taken(folder)).collect();
    missing.into_iter().map(Path::to_owned).collect()
}

/// The log in a state directory.
#[derive(Debug, Clone)]
pub(super) struct Journal {
    path: PathBuf,
}

impl Journal {
    pub(super) fn of(state: &Path) -> Self {
        Self { path: state.join(NAME) }
    }

    /// Every action, oldest first. Lines that a crash cut off, or that cannot be read, are passed over: an action
    /// without a whole first line has not begun.
    pub(super) fn read(&self) -> Result<Vec<Action>, DiskError> {
        let mut rows = match rows::rows(&self.path, LONGEST) {
            Ok(rows) => rows,
            Err(DiskError::NotFound(_)) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut actions = Vec::new();
        while let Some(row) = rows.next_row()? {
            if let Row::Whole(bytes) = row
                && let Ok(line) = serde_json::from_slice(bytes)
            {
                fold(&mut actions, line);
            }
        }
        Ok(actions)
    }

    pub(super) fn begin(&self, action: &Action) -> Result<(), DiskError> {
        let write = |way: &Move| WrittenMove {
            from: WrittenEnd::of(&way.from),
            to: WrittenEnd::of(&way.to),
            sha256: way.digest.as_ref().map_or(String::new(), |digest| digest.as_str().to_owned()),
            bytes: way.bytes,
        };
        self.append(&Line::Begin {
            action: action.id.clone(),
            verb: action.verb,
            time: action.time.clone(),
            moves: action.moves.iter().map(write).collect(),
            made: action.made.iter().map(|path| Escaped::of(path)).collect(),
            undoes: action.undoes.clone(),
        })
    }

    pub(super) fn rename(&self, action: &str, index: usize, to: &Path) -> Result<(), DiskError> {
        self.append(&Line::Rename { action: action.to_owned(), index, to: Escaped::of(to) })
    }

    pub(super) fn end(&self, action: &str, moved: &BTreeSet<usize>, how: &str) -> Result<(), DiskError> {
        let moved = moved.iter().copied().collect();
        self.append(&Line::End { action: action.to_owned(), moved, how: how.to_owned() })
    }

    fn append(&self, line: &Line) -> Result<(), DiskError> {
        let text = serde_json::to_string(line)
            .map_err(|error| DiskError::Io(self.path.clone(), error.to_string()))?;
        append_line(&self.path, &text)
    }
}

/// Lays one line over what the lines before it told.
fn fold(actions: &mut Vec<Action>, line: Line) {
    match line {
        Line::Begin { action: id, verb, time, moves, made, undoes } => {
            let read = |way: &WrittenMove| Move {
                from: way.from.end(),
                to: way.to.end(),
                instead_of: None,
                bytes: way.bytes,
                digest: Digest::parse(&way.sha256).ok(),
                is_copy: false,
            };
            let moves = moves.iter().map(read).collect();
            let made = made.iter().map(Escaped::path).collect();
            actions.push(Action { id, verb, time, moves, made, undoes, standing: None });
        }
        Line::Rename { action, index, to } => {
            let action = actions.iter_mut().rfind(|known| known.id == action);
            if let Some(way) = action.and_then(|action| action.moves.get_mut(index)) {
                way.to.path = to.path();
            }
        }
        Line::End { action: id, moved, .. } => {
            let Some(action) = actions.iter_mut().rfind(|known| known.id == id) else { return };
            let taken_back = action.undoes.clone();
            action.standing = Some(moved.iter().copied().collect());
            if let Some(undoes) = taken_back {
                let back: BTreeSet<usize> =
                    moved.iter().filter_map(|&index| undoes.moves.get(index).copied()).collect();
                let undone = actions.iter_mut().rfind(|known| known.id == undoes.action);
                if let Some(standing) = undone.and_then(|undone| undone.standing.as_mut()) {
                    standing.retain(|index| !back.contains(index));
                }
            }
        }
    }
}
