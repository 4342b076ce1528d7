//! One session in hermes's database.
//!
//! The session's row keeps the model that it was started with; which model answered last stands in the table of
//! models used. The client goes on with a child instead of a session that was compressed, or that has newer messages
//! in a child.

use std::cmp::Ordering;
use std::path::PathBuf;

use crate::handoff::Inert;
use crate::harness::Session;
use crate::harness::sqlite::{Database, Value, moment};

/// How many children of children are followed, as the client itself does.
const DEEPEST: usize = 100;

/// The session of this id; `None` where there is none.
///
/// # Errors
/// Why the database cannot be read.
pub(super) fn session(database: &Database, id: &str) -> Result<Option<Session>, String> {
    let needed = ["id", "model", "started_at"];
    let rows = database.rows("sessions", &needed, &["cwd", "archived", "title"], "id = ?1", &[&id])?;
    let row = match rows.as_slice() {
        [] => return Ok(None),
        [row] => row,
        _ => return Err(format!("{} holds this id more than once", database.path.display())),
    };
    let mut session = Session {
        store: database.path.clone(),
        bytes: database.bytes("messages", "content", id)?,
        ids_inside: vec![id.to_owned()],
        cwd: text(&row[3]).map(PathBuf::from),
        requested_model: text(&row[1]).map(Inert::new),
        began_at: row[2].number().and_then(moment),
        last_at: row[2].number().and_then(moment),
        title: text(&row[5]).map(Inert::new),
        archived: row[4].number().is_some_and(|archived| archived != 0.0),
        damaged_rows: usize::from(row[..5].iter().any(Value::is_odd)),
        ..Session::default()
    };
    messages(database, id, &mut session)?;
    session.model = model(database, id)?;
    session.continues_as = continuation(database, id)?;
    Ok(Some(session))
}

/// A text that says something.
fn text(value: &Value) -> Option<&str> {
    value.text().filter(|text| !text.trim().is_empty())
}

/// Counts the finished answers, and finds the last time.
fn messages(database: &Database, id: &str, session: &mut Session) -> Result<(), String> {
    let needed = ["role", "timestamp"];
    let optional = ["finish_reason", "tool_calls", "active", "compacted"];
    let (mut last, mut turned) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    for row in database.rows("messages", &needed, &optional, "session_id = ?1", &[&id])? {
        let (Some(role), Some(at)) = (row[0].text(), row[1].number()) else {
            session.damaged_rows += 1;
            continue;
        };
        last = last.max(at);
        // What was taken back is no longer part of the talk; what was compressed away is.
        let is = |value: &Value, default: bool| value.number().map_or(default, |number| number != 0.0);
        let kept = is(&row[4], true) || is(&row[5], false);
        let finished = match row[2].text() {
            Some(reason) => !matches!(reason, "tool_calls" | "error" | "incomplete"),
            None => text(&row[3]).is_none_or(|calls| calls == "[]"),
        };
        if kept && finished && role == "assistant" {
            session.turns += 1;
            turned = turned.max(at);
        }
    }
    session.turned_at = moment(turned);
    session.last_at = moment(last).or(session.last_at.take());
    Ok(())
}

/// The model that answered last; `None` where that is not kept, or two did at the same moment.
fn model(database: &Database, id: &str) -> Result<Option<Inert>, String> {
    // Older versions have no such table: then only the model that was asked for is known.
    let needed = ["model", "last_seen"];
    let Ok(rows) = database.rows("session_model_usage", &needed, &["task"], "session_id = ?1", &[&id]) else {
        return Ok(None);
    };
    // Titles and summaries are made by models of their own.
    let main = rows.iter().filter(|row| matches!(&row[2], Value::Null) || row[2].text() == Some(""));
    let mut best: Option<(f64, &str)> = None;
    let mut tie = false;
    for row in main {
        let (Some(name), Some(at)) = (text(&row[0]), row[1].number()) else { return Ok(None) };
        match best {
            Some((last, other)) if at == last => tie |= other != name,
            Some((last, _)) if at < last => {}
            _ => (best, tie) = (Some((at, name)), false),
        }
    }
    Ok(best.filter(|_| !tie).map(|(_, name)| Inert::new(name)))
}

/// The session that the client goes on with instead, found as it finds it: first the end of the line of compressions
/// that begins here, then the last descendant of that which has messages.
fn continuation(database: &Database, id: &str) -> Result<Option<String>, String> {
    let mut line = vec![id.to_owned()];
    while let Some(child) = compressed_into(database, last(&line))?.filter(|child| may_follow(&line, child)) {
        line.push(child);
    }
    let mut best = last(&line).to_owned();
    let mut line = vec![best.clone()];
    loop {
        let current = last(&line);
        if !database
            .rows("messages", &["session_id"], &[], "session_id = ?1 LIMIT 1", &[&current])?
            .is_empty()
        {
            best = current.to_owned();
        }
        let newest = children(database, current)?.into_iter().max_by(|one, other| one.newer(other));
        match newest.filter(|child| may_follow(&line, &child.id)) {
            Some(child) => line.push(child.id),
            None => return Ok(Some(best).filter(|best| best != id)),
        }
    }
}

fn last(line: &[String]) -> &str {
    line.last().expect("a line begins with one id")
}

fn may_follow(line: &[String], child: &str) -> bool {
    line.len() <= DEEPEST && line.iter().all(|id| id != child)
}

/// A session that another one has as its parent.
struct Child {
    id: String,
    end_reason: Option<String>,
    ended: bool,
    began: f64,
}

impl Child {
    fn newer(&self, other: &Self) -> Ordering {
        self.began.total_cmp(&other.began).then_with(|| self.id.cmp(&other.id))
    }

    /// The client prefers a child that was compressed again, then one that has not ended.
    fn rank(&self) -> u8 {
        match (self.end_reason.as_deref(), self.ended) {
            (Some("compression"), _) => 2,
            (_, false) => 1,
            (_, true) => 0,
        }
    }
}

/// The child that a compressed session went on as.
fn compressed_into(database: &Database, id: &str) -> Result<Option<String>, String> {
    let parent = database.rows("sessions", &["id", "end_reason"], &[], "id = ?1", &[&id])?;
    if parent.first().and_then(|row| row[1].text()) != Some("compression") {
        return Ok(None);
    }
    let order = |one: &Child, other: &Child| one.rank().cmp(&other.rank()).then_with(|| one.newer(other));
    Ok(children(database, id)?.into_iter().max_by(order).map(|child| child.id))
}

/// The children that go on with a session: no branches, no helpers, no tools.
fn children(database: &Database, id: &str) -> Result<Vec<Child>, String> {
    let needed = ["id", "end_reason", "ended_at", "started_at"];
    let optional = ["source", "model_config"];
    let rows = database.rows("sessions", &needed, &optional, "parent_session_id = ?1", &[&id])?;
    let goes_on = |row: &&Vec<Value>| {
        let config = row[5].text().and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok());
        let has = |key| config.as_ref().is_some_and(|config| !config[key].is_null());
        row[4].text() != Some("tool") && !has("_branched_from") && !has("_delegate_from")
    };
    let child = |row: &Vec<Value>| {
        Some(Child {
            id: row[0].text()?.to_owned(),
            end_reason: row[1].text().map(str::to_owned),
            ended: row[2] != Value::Null,
            began: row[3].number().unwrap_or(f64::NEG_INFINITY),
        })
    };
    Ok(rows.iter().filter(goes_on).filter_map(child).collect())
}
