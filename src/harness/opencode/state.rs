//! One session in opencode's database: a row of its own, and one for each message, whose facts are JSON.

use std::path::PathBuf;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::handoff::Inert;
use crate::handoff::inert::is_odd;
use crate::harness::Session;
use crate::harness::sqlite::{Database, Value, moment};

/// What matters of a message.
#[derive(Deserialize)]
struct Message {
    role: String,
    #[serde(rename = "modelID")]
    model_id: Option<String>,
    /// What a person's message asked for.
    model: Option<Model>,
    time: Option<Time>,
    finish: Option<String>,
    error: Option<IgnoredAny>,
    /// A summary is made by an agent of its own. A person's message has an object of this name.
    summary: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Model {
    #[serde(rename = "modelID")]
    model_id: Option<String>,
}

#[derive(Deserialize)]
struct Time {
    completed: Option<f64>,
}

/// The session of this id; `None` where there is none.
///
/// # Errors
/// Why the database cannot be read.
pub(super) fn session(database: &Database, id: &str) -> Result<Option<Session>, String> {
    let needed = ["id", "directory", "version", "time_updated"];
    let rows =
        database.rows("session", &needed, &["time_archived", "title", "time_created"], "id = ?1", &[&id])?;
    let row = match rows.as_slice() {
        [] => return Ok(None),
        [row] => row,
        _ => return Err(format!("{} holds this id more than once", database.path.display())),
    };
    let said = |value: &Value| value.text().filter(|text| !text.trim().is_empty()).map(str::to_owned);
    let mut session = Session {
        store: database.path.clone(),
        bytes: database.bytes("message", "data", id)?,
        ids_inside: vec![id.to_owned()],
        cwd: said(&row[1]).map(PathBuf::from),
        client_version: said(&row[2]).filter(|version| !version.chars().any(is_odd)),
        title: said(&row[5]).map(Inert::new),
        began_at: row[6].number().and_then(|at| moment(at / 1000.0)),
        last_at: row[3].number().and_then(|at| moment(at / 1000.0)),
        archived: row[4].number().is_some_and(|at| at != 0.0),
        damaged_rows: usize::from(row[..5].iter().any(Value::is_odd)),
        ..Session::default()
    };
    let order = "session_id = ?1 ORDER BY time_created, id";
    let needed = ["id", "session_id", "time_created", "data"];
    for row in database.rows("message", &needed, &[], order, &[&id])? {
        match row[3].text().and_then(|data| serde_json::from_str::<Message>(data).ok()) {
            Some(message) => take(&mut session, message),
            // It may have been a newer answer.
            None => {
                session.damaged_rows += 1;
                session.model = None;
                session.requested_model = None;
            }
        }
    }
    Ok(Some(session))
}

fn take(session: &mut Session, message: Message) {
    if message.role == "user" {
        let asked = message.model.and_then(|model| model.model_id);
        session.requested_model = asked.map(Inert::new).or(session.requested_model.take());
        return;
    }
    let completed = message.time.and_then(|time| time.completed).filter(|_| message.error.is_none());
    let Some(at) = completed.filter(|_| message.role == "assistant" && message.summary != Some(true.into()))
    else {
        return;
    };
    session.model = message.model_id.map(Inert::new);
    if message.finish.as_deref() != Some("tool-calls") {
        session.turns += 1;
        session.turned_at = moment(at / 1000.0);
    }
}
