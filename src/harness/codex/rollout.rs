//! One session's file: rows of JSON, one to a line, appended as the talk goes on.
//!
//! The first row says whose file it is; each turn begins with a row that names its directory and the model that is
//! asked, and ends with one that holds what was answered, or the error. One that has not been used for long may lie
//! there compressed; the client unpacks it in its place when it goes on with it.

use std::path::PathBuf;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::files::File;
use crate::disk::rows::{Rows, rows, unpacked};
use crate::handoff::Inert;
use crate::handoff::inert::is_odd;
use crate::harness::jsonl::next;
use crate::harness::turns::Turns;
use crate::harness::{Session, Turn as Said};

/// The largest file that is read whole, unpacked where it is compressed.
const LARGEST: u64 = 256 << 20;
/// The longest row that is read; a longer one counts as damaged.
const LONGEST: u64 = 32 << 20;
/// How many different ids are kept: two are already one too many.
const IDS: usize = 8;

/// What every row says; the payload is read by its kind.
#[derive(Deserialize)]
struct Envelope {
    timestamp: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// A row of a kind whose payload matters.
#[derive(Deserialize)]
struct With<T> {
    payload: T,
}

#[derive(Deserialize)]
struct Meta {
    id: Option<String>,
    /// A fork holds the rows of the session that it came from, whose own first row among them.
    forked_from_id: Option<String>,
    cwd: Option<PathBuf>,
    cli_version: Option<String>,
    timestamp: Option<String>,
}

#[derive(Deserialize)]
struct Turn {
    cwd: Option<PathBuf>,
    model: Option<String>,
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: Option<String>,
    last_agent_message: Option<String>,
    error: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(rename = "type")]
    kind: Option<String>,
    role: Option<String>,
}

/// Reads a session's file.
///
/// # Errors
/// Why it cannot be told what it says.
pub(super) fn read(file: &File) -> Result<Session, String> {
    let mut rows = open(file)?;
    if rows.meta().len > LARGEST {
        return Err(format!("{} is larger than 256 MiB and was not read", file.path.display()));
    }
    let session = Session { store: file.path.clone(), archived: file.archived, ..Session::default() };
    let mut reading = Reading { session, ..Reading::default() };
    while let Some(row) = next(&mut rows)? {
        if row.and_then(|row| reading.take(row)).is_none() {
            reading.session.damaged_rows += 1;
            reading.doubt = true;
        }
    }
    reading.session.bytes = rows.taken();
    Ok(reading.end())
}

fn open(file: &File) -> Result<Rows, String> {
    let rows = match file.compressed {
        true => unpacked(&file.path, LONGEST, LARGEST),
        false => rows(&file.path, LONGEST),
    };
    rows.map_err(|error| error.to_string())
}

/// What has been read so far.
#[derive(Default)]
struct Reading {
    session: Session,
    /// The sessions that this one was forked from.
    origins: Vec<String>,
    /// What the last turn asked for.
    turn: Option<Turn>,
    /// Whether anything was ever answered.
    answered: bool,
    /// A row after the last turn's beginning could not be read: it may have begun another one.
    doubt: bool,
}

impl Reading {
    /// Takes one row in; `None` where it cannot be read.
    fn take(&mut self, bytes: &[u8]) -> Option<()> {
        if bytes.is_empty() {
            return Some(());
        }
        let row: Envelope = serde_json::from_slice(bytes).ok()?;
        let at = row.timestamp.filter(|at| seconds(at).is_some());
        if let Some(at) = &at {
            self.session.began_at.get_or_insert_with(|| at.clone());
            self.session.last_at = Some(at.clone());
        }
        match row.kind.as_deref() {
            Some("session_meta") => self.meta(payload(bytes)?),
            Some("turn_context") => {
                let turn: Turn = payload(bytes)?;
                self.session.requested_model = turn.model.clone().map(Inert::new);
                self.turn = Some(turn);
                self.doubt = false;
            }
            Some("event_msg") => {
                let event: Event = payload(bytes)?;
                let ended = matches!(event.kind.as_deref(), Some("task_complete" | "turn_complete"));
                if ended && event.error.is_none() && event.last_agent_message.is_some() {
                    self.session.turns += 1;
                    self.session.turned_at = at;
                    self.answer();
                }
            }
            Some("response_item") => {
                let item: Item = payload(bytes)?;
                if item.kind.as_deref() == Some("message") && item.role.as_deref() == Some("assistant") {
                    self.answer();
                }
            }
            _ => {}
        }
        Some(())
    }

    fn meta(&mut self, meta: Meta) {
        let session = &mut self.session;
        let Some(id) = meta.id else { return };
        if self.origins.contains(&id) {
            self.origins.extend(meta.forked_from_id);
            return;
        }
        if session.ids_inside.is_empty() {
            self.origins.extend(meta.forked_from_id);
            session.client_version = meta.cli_version.filter(|version| !version.chars().any(is_odd));
            session.cwd = meta.cwd;
        }
        if session.ids_inside.len() < IDS && !session.ids_inside.contains(&id) {
            session.ids_inside.push(id);
        }
    }

    /// The model that the turn asked for has answered.
    fn answer(&mut self) {
        if let Some(turn) = &self.turn {
            self.answered = true;
            self.session.model = turn.model.clone().map(Inert::new);
            self.session.cwd = turn.cwd.clone();
        }
    }

    fn end(mut self) -> Session {
        // Before the first answer, where the last turn was to work.
        if !self.answered {
            self.session.cwd = self.turn.and_then(|turn| turn.cwd).or(self.session.cwd);
        }
        if self.doubt {
            self.session.model = None;
            self.session.requested_model = None;
            self.session.cwd = None;
        }
        self.session
    }
}

/// An item of the conversation with its words.
#[derive(Deserialize)]
struct Words {
    #[serde(rename = "type")]
    kind: Option<String>,
    role: Option<String>,
    content: Option<Vec<Part>>,
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
}

/// The last turns of the conversation.
///
/// # Errors
/// Why the file cannot be read.
pub(super) fn last_turns(file: &File, most: usize) -> Result<Vec<Said>, String> {
    let mut rows = open(file)?;
    let mut turns = Turns::last(most);
    while let Some(row) = next(&mut rows)? {
        let Some(bytes) = row else { continue };
        let Ok(row) = serde_json::from_slice::<Envelope>(bytes) else { continue };
        match row.kind.as_deref() {
            Some("turn_context") => turns.ends(),
            Some("response_item") => {
                let Some(words) = payload::<Words>(bytes) else { continue };
                if words.kind.as_deref() != Some("message") || words.role.as_deref() != Some("assistant") {
                    continue;
                }
                let at = row.timestamp.as_deref().and_then(seconds);
                for text in words.content.iter().flatten().filter_map(|part| part.text.as_deref()) {
                    turns.says(text, at);
                }
            }
            _ => {}
        }
    }
    Ok(turns.all())
}

fn payload<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    serde_json::from_slice::<With<T>>(bytes).ok().map(|row| row.payload)
}

/// How a session began.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Beginning {
    /// The directory that it began in.
    pub cwd: Option<PathBuf>,
    /// When, in seconds since 1970.
    pub at: Option<i64>,
}

/// Reads only the first row: whose file it is.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn beginning(file: &File) -> Result<Beginning, String> {
    let mut rows = open(file)?;
    let first = next(&mut rows)?.flatten();
    let kind = first.and_then(|row| serde_json::from_slice::<Envelope>(row).ok()).and_then(|row| row.kind);
    let meta = first.filter(|_| kind.as_deref() == Some("session_meta")).and_then(payload::<Meta>);
    Ok(meta.map_or_else(Beginning::default, |meta| Beginning {
        cwd: meta.cwd,
        at: meta.timestamp.as_deref().and_then(seconds),
    }))
}

/// Seconds since 1970 of a time as the rows write it.
fn seconds(at: &str) -> Option<i64> {
    chrono::DateTime::parse_from_rfc3339(at).ok().map(|at| at.timestamp())
}
