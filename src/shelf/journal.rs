//! The log of the shelf: one line when an action begins, one when it is over, and one whenever a move has to take
//! another name than the plan gave it. What lies on the disk is compared with it, never believed from it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, FixedOffset, SecondsFormat};
use serde::{Deserialize, Serialize};

use super::Shelf;
use super::model::{End, Move, Told, Undoes, Verb, files, heads};
use crate::disk::rows::{self, Row, Rows};
use crate::disk::{DiskError, append_line, exchange_lines};
use crate::handoff::Digest;
use crate::place::{escape, unescape};

/// The log's name in the state directory.
const NAME: &str = "shelf.jsonl";
/// The longest line, in bytes: tens of thousands of moves.
const LONGEST: u64 = 64 << 20;

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
    #[serde(skip_serializing_if = "is_false", default)]
    follows: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_false(value: &bool) -> bool {
    !value
}

impl WrittenMove {
    fn of(way: &Move) -> Self {
        Self {
            from: WrittenEnd::of(&way.from),
            to: WrittenEnd::of(&way.to),
            sha256: way.digest.as_ref().map_or(String::new(), |digest| digest.as_str().to_owned()),
            bytes: way.bytes,
            follows: way.follows,
        }
    }

    fn way(&self) -> Move {
        Move {
            digest: Digest::parse(&self.sha256).ok(),
            follows: self.follows,
            ..Move::new(self.from.end(), self.to.end(), self.bytes)
        }
    }
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
        #[serde(skip_serializing_if = "Option::is_none", default)]
        project: Option<Escaped>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        joins: Option<String>,
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

impl Line {
    fn begin(action: &Action) -> Self {
        Self::Begin {
            action: action.id.clone(),
            verb: action.verb,
            time: action.time.clone(),
            moves: action.moves.iter().map(WrittenMove::of).collect(),
            made: action.made.iter().map(|path| Escaped::of(path)).collect(),
            undoes: action.undoes.clone(),
            project: action.project.as_deref().map(Escaped::of),
            joins: action.joins.clone(),
        }
    }

    fn end(action: &str, moved: &BTreeSet<usize>, how: &str) -> Self {
        Self::End { action: action.to_owned(), moved: moved.iter().copied().collect(), how: how.to_owned() }
    }
}

/// What the log tells.
#[derive(Debug, Clone, Default)]
pub(super) struct Log {
    /// Every action, oldest first.
    pub(super) actions: Vec<Action>,
    /// How many lines there are.
    pub(super) lines: usize,
    /// How many of them cannot be read.
    pub(super) unread: usize,
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
    /// From which project it was done; lines that older versions wrote do not say.
    pub(super) project: Option<PathBuf>,
    /// The save that it is a part of: with its end it becomes moves of that one.
    pub(super) joins: Option<String>,
    /// The moves that took place and were not taken back since; `None` while the action has no end.
    pub(super) standing: Option<BTreeSet<usize>>,
}

impl Action {
    /// The name of the copy that a move makes first, in the directory that it goes to.
    pub(super) fn temporary(&self, index: usize) -> String {
        format!(".moorline-{}-{index}", self.id)
    }

    /// Whether something of it can be taken back, as far as the log knows.
    pub(super) fn stands(&self) -> bool {
        self.verb != Verb::Undo && self.standing.as_ref().is_some_and(|standing| !standing.is_empty())
    }

    /// Those of its moves that took place and were not taken back since.
    pub(super) fn standing_moves(&self) -> impl DoubleEndedIterator<Item = (usize, &Move)> + Clone {
        self.standing.iter().flatten().filter_map(|&index| Some((index, self.moves.get(index)?)))
    }

    /// Whether the move of this number is one of what a save wrote, which goes back whole or not at all.
    pub(super) fn is_written(&self, index: usize) -> bool {
        let own = 1 + self.moves.iter().skip(1).take_while(|way| way.follows).count();
        self.verb == Verb::Save && index < own
    }

    /// As a person is told of it.
    pub(super) fn told(&self) -> Told {
        let put_away = self.standing_moves().filter(|(index, _)| !self.is_written(*index));
        Told {
            id: self.id.clone(),
            verb: self.verb,
            time: self.time.clone(),
            handoffs: heads(self.standing_moves().map(|(_, way)| way)),
            files: files(self.standing_moves().map(|(_, way)| way)),
            put_away: if self.verb == Verb::Save { heads(put_away.map(|(_, way)| way)) } else { 0 },
            project: self.project.clone(),
        }
    }

    /// A new action of the shelf, from its project.
    pub(super) fn new(
        shelf: &Shelf,
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
        let project = Some(shelf.project.clone());
        Self { id, verb, time, moves, made, undoes, project, joins: None, standing: None }
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

    /// Where it lies.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What it tells. Lines that a crash cut off, or that cannot be read, are passed over and counted: an action
    /// without a whole first line has not begun.
    pub(super) fn read(&self) -> Result<Log, DiskError> {
        match rows::rows(&self.path, LONGEST) {
            Ok(mut rows) => Log::of(&mut rows, &mut |_| {}),
            Err(DiskError::NotFound(_)) => Ok(Log::default()),
            Err(error) => Err(error),
        }
    }

    /// Has `shorter` say what the log is to be instead, while nobody adds to it; `None` leaves it as it is. It is given
    /// what the log tells, and the lines that cannot be read.
    pub(super) fn exchange(
        &self,
        shorter: impl FnOnce(Log, Vec<Vec<u8>>) -> Option<Vec<u8>>,
    ) -> Result<(), DiskError> {
        exchange_lines(&self.path, LONGEST, |rows| {
            let mut odd = Vec::new();
            let log = Log::of(rows, &mut |line| odd.push(line.to_owned()))?;
            Ok(shorter(log, odd))
        })
    }

    pub(super) fn begin(&self, action: &Action) -> Result<(), DiskError> {
        self.append(&Line::begin(action))
    }

    pub(super) fn rename(&self, action: &str, index: usize, to: &Path) -> Result<(), DiskError> {
        self.append(&Line::Rename { action: action.to_owned(), index, to: Escaped::of(to) })
    }

    pub(super) fn end(&self, action: &str, moved: &BTreeSet<usize>, how: &str) -> Result<(), DiskError> {
        self.append(&Line::end(action, moved, how))
    }

    fn append(&self, line: &Line) -> Result<(), DiskError> {
        let failed = |why: String| DiskError::Io(self.path.clone(), why);
        let text = serde_json::to_string(line).map_err(|error| failed(error.to_string()))?;
        match text.len() as u64 > LONGEST {
            // A line that is not read again could not be undone.
            true => Err(failed("so many at once cannot be logged: name fewer".to_owned())),
            false => append_line(&self.path, &text),
        }
    }
}

impl Log {
    fn of(rows: &mut Rows, odd: &mut dyn FnMut(&[u8])) -> Result<Self, DiskError> {
        let mut log = Self::default();
        while let Some(row) = rows.next_row()? {
            log.lines += 1;
            match row {
                Row::Whole(bytes) => match serde_json::from_slice(bytes) {
                    Ok(line) => fold(&mut log.actions, line),
                    Err(_) => {
                        log.unread += 1;
                        odd(bytes);
                    }
                },
                Row::TooLong => log.unread += 1,
            }
        }
        Ok(log)
    }
}

/// The lines that tell of one action as it stands now, each with its line end.
pub(super) fn lines_of(action: &Action) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string(&Line::begin(action))? + "\n";
    if let Some(standing) = &action.standing {
        text += &serde_json::to_string(&Line::end(&action.id, standing, "kept"))?;
        text.push('\n');
    }
    Ok(text)
}

/// Lays one line over what the lines before it told.
fn fold(actions: &mut Vec<Action>, line: Line) {
    match line {
        Line::Begin { action: id, verb, time, moves, made, undoes, project, joins } => {
            let moves = moves.iter().map(WrittenMove::way).collect();
            let made = made.iter().map(Escaped::path).collect();
            let project = project.as_ref().map(Escaped::path);
            actions.push(Action { id, verb, time, moves, made, undoes, project, joins, standing: None });
        }
        Line::Rename { action, index, to } => {
            let action = actions.iter_mut().rfind(|known| known.id == action);
            if let Some(way) = action.and_then(|action| action.moves.get_mut(index)) {
                way.to.path = to.path();
            }
        }
        Line::End { action: id, moved, .. } => {
            let Some(at) = actions.iter().rposition(|known| known.id == id) else { return };
            let action = &mut actions[at];
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
            join(actions, at);
        }
    }
}

/// What an action did as a part of a save is the save's own from its end on.
fn join(actions: &mut Vec<Action>, at: usize) {
    let is_whole = |known: &Action| Some(&known.id) == actions[at].joins.as_ref() && known.standing.is_some();
    // Where the log no longer has the save it stays an action of its own.
    let Some(whole) = actions[..at].iter().position(is_whole) else { return };
    let part = actions.remove(at);
    let whole = &mut actions[whole];
    let moved = part.standing.into_iter().flatten().map(|index| whole.moves.len() + index);
    whole.standing.get_or_insert_default().extend(moved);
    whole.moves.extend(part.moves);
    whole.made.extend(part.made);
}
