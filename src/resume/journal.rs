//! The private log of attempts: one line when one begins, one when it is over, both with the attempt's id.
//!
//! It lies in the state directory, never in a project. What was planned and what came of it stand side by side;
//! the second line rewrites nothing.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};

use super::{Attempt, Outcome, Plan};
use crate::disk::{DiskError, append_line};
use crate::handoff::{Digest, Inert, secrets};

/// One attempt's place in the log.
#[derive(Debug)]
pub(super) struct Entry {
    path: PathBuf,
    attempt: String,
}

impl Entry {
    /// Writes the first line: what is about to be tried.
    ///
    /// # Errors
    /// The log cannot be written; nothing may be started then.
    pub fn begin(state: &Path, plan: &Plan, at: DateTime<Utc>) -> Result<Self, DiskError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let unique = (at.timestamp_nanos_opt(), std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let attempt =
            Digest::of(format!("{unique:?} {}", plan.evidence()).as_bytes()).as_str()[..16].to_owned();
        let entry = Self { path: state.join("journal.jsonl"), attempt };
        entry.append(start_line(&entry.attempt, plan, at))?;
        Ok(entry)
    }

    /// Writes the second line: what came of it.
    ///
    /// # Errors
    /// The log cannot be written; the outcome stands all the same.
    pub fn end(&self, attempt: &Attempt, at: DateTime<Utc>) -> Result<(), DiskError> {
        self.append(end_line(&self.attempt, attempt, at))
    }

    fn append(&self, mut line: Value) -> Result<(), DiskError> {
        redact(&mut line);
        append_line(&self.path, &line.to_string())
    }
}

fn start_line(attempt: &str, plan: &Plan, at: DateTime<Utc>) -> Value {
    let lane = &plan.recorded;
    json!({
        "event": "start",
        "attempt": attempt,
        "time": stamp(at),
        "handoff": plan.row().path.display().to_string(),
        "lane": lane.id,
        "session": plan.session(),
        "harness": plan.harness(),
        "argv": plan.argv(),
        "executable": plan.executable().display().to_string(),
        "cwd": plan.cwd().display().to_string(),
        "stage": plan.stage(),
        "routing": {
            "class": lane.model_class,
            "origin": lane.origin,
            "ecosystem": lane.ecosystem,
            "skill": lane.skill_name,
        },
        "requested": lane.requested_model,
        "effective": lane.effective_model,
        "observed": lane.observed_model,
        "source": lane.source,
        "source_version": lane.package_version,
        "harness_version": plan.version(),
        "artifact": lane.artifact,
        "artifact_sha256": lane.artifact_sha256,
        "evidence": plan.evidence(),
        "outcome": "attempted",
    })
}

fn end_line(id: &str, attempt: &Attempt, at: DateTime<Utc>) -> Value {
    let reasons: Vec<&Inert> = match &attempt.outcome {
        Outcome::NotStarted(reasons) => reasons.iter().collect(),
        Outcome::NotContinued(reason) | Outcome::Unknown(reason) => vec![reason],
        _ => Vec::new(),
    };
    let elsewhere = match &attempt.outcome {
        Outcome::ContinuedElsewhere(ids) => ids.as_slice(),
        _ => &[],
    };
    json!({
        "event": "end",
        "attempt": id,
        "time": stamp(at),
        "outcome": attempt.outcome.as_str(),
        "exit": attempt.exit,
        "signal": attempt.signal,
        "grew": attempt.grew,
        "model": attempt.model,
        "elsewhere": elsewhere,
        "reasons": reasons,
        "seconds": attempt.seconds,
    })
}

fn stamp(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Blacks out secrets in every text of a line, before it is put in quotes.
fn redact(value: &mut Value) {
    match value {
        Value::String(text) => *text = secrets::redact(text),
        Value::Array(items) => items.iter_mut().for_each(redact),
        Value::Object(map) => map.values_mut().for_each(redact),
        _ => {}
    }
}
