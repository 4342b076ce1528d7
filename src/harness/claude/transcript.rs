//! One session's file: rows of JSON, one to a line, appended as the talk goes on.
//!
//! A row can be longer than 100 kB, be torn by a crash, belong to a side conversation, or report an error of the
//! service in the shape of an answer. Only finished answers of the main conversation count as turns.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::disk::rows::rows;
use crate::handoff::Inert;
use crate::handoff::inert::is_odd;
use crate::harness::jsonl::next;
use crate::harness::turns::Turns;
use crate::harness::{Session, Turn};

/// The largest file that is read whole.
const LARGEST: u64 = 256 << 20;
/// The longest row that is read; a longer one counts as damaged.
const LONGEST: u64 = 32 << 20;
/// How many different ids are kept: two are already one too many.
const IDS: usize = 8;

/// What every row may say. Its other members are passed over.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    #[serde(rename = "type")]
    kind: Option<String>,
    session_id: Option<String>,
    cwd: Option<PathBuf>,
    version: Option<String>,
    timestamp: Option<String>,
    is_sidechain: Option<bool>,
    is_api_error_message: Option<bool>,
    /// What a person calls the session, in a row of its own.
    custom_title: Option<String>,
    /// What the client calls it.
    ai_title: Option<String>,
}

/// What an assistant's row says besides.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reply {
    uuid: Option<String>,
    requested_model: Option<String>,
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    id: Option<String>,
    model: Option<String>,
    stop_reason: Option<String>,
    content: Option<Content>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Blocks(Vec<Block>),
    Other(IgnoredAny),
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// One answer of the model, which may be spread over several rows.
#[derive(Default)]
struct Answered {
    stop: Option<String>,
    text: bool,
    tool: bool,
    /// When its last row was written.
    at: Option<String>,
    /// Which row that is.
    row: usize,
}

impl Answered {
    /// Whether the model ended its turn with it. An answer that asks for a tool goes on after the tool has run; older
    /// clients write no reason, and then an answer that says something and asks for no tool is the end.
    fn finished(&self) -> bool {
        match self.stop.as_deref() {
            Some(reason) => !matches!(reason, "tool_use" | "pause_turn"),
            None => self.text && !self.tool,
        }
    }
}

/// Reads a session's file.
///
/// # Errors
/// Why it cannot be told what it says.
pub(super) fn read(path: &Path) -> Result<Session, String> {
    let mut rows = rows(path, LONGEST).map_err(|error| error.to_string())?;
    if rows.meta().len > LARGEST {
        return Err(format!("{} is larger than 256 MiB and was not read", path.display()));
    }
    let mut reading = Reading {
        session: Session { store: path.to_owned(), bytes: rows.meta().len, ..Session::default() },
        ..Reading::default()
    };
    while let Some(row) = next(&mut rows)? {
        match row {
            Some(row) => reading.take(row),
            None => reading.damaged(),
        }
    }
    Ok(reading.end())
}

/// What has been read so far.
#[derive(Default)]
struct Reading {
    session: Session,
    answers: HashMap<String, Answered>,
    /// The directory of the last row of the main conversation, an answer or not.
    last_cwd: Option<PathBuf>,
    /// A row after the last answer could not be read: it may have been a newer answer.
    doubt: bool,
    /// How many rows were taken in.
    rows: usize,
    custom_title: Option<String>,
    ai_title: Option<String>,
}

impl Reading {
    fn damaged(&mut self) {
        self.session.damaged_rows += 1;
        self.doubt = true;
    }

    fn take(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.rows += 1;
        let Ok(row) = serde_json::from_slice::<Envelope>(bytes) else { return self.damaged() };
        let at = row.timestamp.clone().filter(|at| seconds(at).is_some());
        let session = &mut self.session;
        if let Some(id) = row.session_id
            && session.ids_inside.len() < IDS
            && !session.ids_inside.contains(&id)
        {
            session.ids_inside.push(id);
        }
        if let Some(at) = row.timestamp.filter(|at| seconds(at).is_some()) {
            session.began_at.get_or_insert_with(|| at.clone());
            session.last_at = Some(at);
        }
        match row.kind.as_deref() {
            Some("custom-title") => self.custom_title = row.custom_title,
            Some("ai-title") => self.ai_title = row.ai_title,
            _ => {}
        }
        if row.is_sidechain == Some(true) {
            return;
        }
        if let Some(version) = row.version.filter(|version| !version.chars().any(is_odd)) {
            session.client_version = Some(version);
        }
        self.last_cwd = row.cwd.clone().or(self.last_cwd.take());
        if row.kind.as_deref() != Some("assistant") || row.is_api_error_message == Some(true) {
            return;
        }
        let Ok(reply) = serde_json::from_slice::<Reply>(bytes) else { return self.damaged() };
        if reply.message.model.as_deref() == Some("<synthetic>") {
            return;
        }
        self.answer(reply, row.cwd, at);
    }

    fn answer(&mut self, reply: Reply, cwd: Option<PathBuf>, at: Option<String>) {
        let unnamed = || format!("answer {}", self.answers.len());
        let id = reply.message.id.or(reply.uuid).unwrap_or_else(unnamed);
        let answered = self.answers.entry(id).or_default();
        (answered.at, answered.row) = (at, self.rows);
        if reply.message.stop_reason.is_some() {
            answered.stop = reply.message.stop_reason;
        }
        if let Some(Content::Blocks(blocks)) = reply.message.content {
            answered.text |= blocks.iter().any(|block| block.kind.as_deref() == Some("text"));
            answered.tool |= blocks.iter().any(|block| block.kind.as_deref() == Some("tool_use"));
        }
        self.session.model = reply.message.model.map(Inert::new);
        self.session.requested_model = reply.requested_model.map(Inert::new);
        self.session.cwd = cwd;
        self.doubt = false;
    }

    fn end(mut self) -> Session {
        let titles = [self.custom_title, self.ai_title].into_iter().flatten();
        self.session.title = titles.into_iter().find(|title| !title.trim().is_empty()).map(Inert::new);
        let finished = || self.answers.values().filter(|answered| answered.finished());
        self.session.turns = finished().count();
        let last = finished().max_by_key(|answered| answered.row);
        self.session.turned_at = last.and_then(|answered| answered.at.clone());
        if self.answers.is_empty() {
            self.session.cwd = self.last_cwd;
        }
        if self.doubt {
            self.session.model = None;
            self.session.requested_model = None;
            self.session.cwd = None;
        }
        self.session
    }
}

/// A row of the conversation with its words.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Spoken {
    is_meta: Option<bool>,
    message: Words,
}

#[derive(Deserialize)]
struct Words {
    model: Option<String>,
    content: Option<Said>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Said {
    Text(String),
    Parts(Vec<Part>),
    Other(IgnoredAny),
}

#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: Option<String>,
    text: Option<String>,
}

impl Said {
    /// Its words; none where it only brings the result of a tool.
    fn texts(&self) -> Vec<&str> {
        match self {
            Self::Text(text) => vec![text],
            Self::Parts(parts) => {
                let text = |part: &&Part| part.kind.as_deref() == Some("text");
                parts.iter().filter(text).filter_map(|part| part.text.as_deref()).collect()
            }
            Self::Other(_) => Vec::new(),
        }
    }
}

/// The last turns of the main conversation.
///
/// # Errors
/// Why the file cannot be read.
pub(super) fn last_turns(path: &Path, most: usize) -> Result<Vec<Turn>, String> {
    let mut rows = rows(path, LONGEST).map_err(|error| error.to_string())?;
    let mut turns = Turns::last(most);
    while let Some(row) = next(&mut rows)? {
        let Some((envelope, spoken)) = row.and_then(spoken) else { continue };
        let said = spoken.message.content.as_ref().map(Said::texts).unwrap_or_default();
        match envelope.kind.as_deref() {
            Some("user") if !said.is_empty() && spoken.is_meta != Some(true) => turns.ends(),
            Some("assistant") if spoken.message.model.as_deref() != Some("<synthetic>") => {
                let at = envelope.timestamp.as_deref().and_then(seconds);
                said.iter().for_each(|text| turns.says(text, at));
            }
            _ => {}
        }
    }
    Ok(turns.all())
}

/// A row of the main conversation that says something.
fn spoken(bytes: &[u8]) -> Option<(Envelope, Spoken)> {
    let envelope: Envelope = serde_json::from_slice(bytes).ok()?;
    let aside = envelope.is_sidechain == Some(true) || envelope.is_api_error_message == Some(true);
    (!aside).then(|| Some((envelope, serde_json::from_slice(bytes).ok()?))).flatten()
}

/// How a session began.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Beginning {
    /// The directory of its first row that has one.
    pub cwd: Option<PathBuf>,
    /// The time of its first row that has one, in seconds since 1970.
    pub at: Option<i64>,
}

/// Reads only as far as the first directory and the first time.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn beginning(path: &Path) -> Result<Beginning, String> {
    let mut rows = rows(path, LONGEST).map_err(|error| error.to_string())?;
    let mut beginning = Beginning::default();
    while beginning.cwd.is_none() || beginning.at.is_none() {
        let Some(row) = next(&mut rows)? else { break };
        let Some(row) = row.and_then(|row| serde_json::from_slice::<Envelope>(row).ok()) else { continue };
        beginning.cwd = beginning.cwd.or(row.cwd);
        beginning.at = beginning.at.or(row.timestamp.as_deref().and_then(seconds));
    }
    Ok(beginning)
}

/// Seconds since 1970 of a time as the rows write it.
fn seconds(at: &str) -> Option<i64> {
    chrono::DateTime::parse_from_rfc3339(at).ok().map(|at| at.timestamp())
}
