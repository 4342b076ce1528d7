//! What every operation ends with, as text and in JSON.

use serde::Serialize;

use super::report::{Check, Outcome, Report, Subject, Verdict, lane_name};
use crate::handoff::{Handoff, Inert};

/// One lane in a summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LaneLine {
    /// Its id, else its number (`#2`).
    pub id: String,
    /// Its verdict.
    pub state: Verdict,
    /// The first reason for it.
    pub reason: Option<Inert>,
}

/// What was done, what was proved, and what may be done next. It stands at the end of every `--json` document
/// under `summary`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// What was done: `checked .thunderkit/HANDOFF.md`.
    pub done: Inert,
    /// The stage that the handoff records, shown and never executed.
    pub stage: Option<Inert>,
    /// Checks that passed, as `root/root-head`, `lane:L1/session-id`.
    pub passed: Vec<String>,
    /// Checks that failed, in the same spelling.
    pub failed: Vec<String>,
    /// Each lane with its first reason.
    pub lanes: Vec<LaneLine>,
    /// What became of a start, if there was one.
    pub outcome: Option<Inert>,
    /// The next action that is permitted.
    pub next_permitted: Inert,
}

impl Summary {
    /// For an operation that judged nothing: what was done and what may be done next.
    pub fn plain(done: impl Into<Inert>, next_permitted: impl Into<Inert>) -> Self {
        Self {
            done: done.into(),
            stage: None,
            passed: Vec::new(),
            failed: Vec::new(),
            lanes: Vec::new(),
            outcome: None,
            next_permitted: next_permitted.into(),
        }
    }

    /// For one judged handoff.
    pub fn of(done: impl Into<Inert>, handoff: &Handoff, report: &Report) -> Self {
        Self::of_all(done, &[(handoff, report)])
    }

    /// For several judged handoffs: the stage is the first one's, checks and lanes are everybody's.
    pub fn of_all(done: impl Into<Inert>, judged: &[(&Handoff, &Report)]) -> Self {
        let checks = || {
            judged.iter().flat_map(|(_, report)| {
                report.checks.iter().chain(report.lanes.iter().flat_map(|lane| &lane.checks))
            })
        };
        let named = |outcome| checks().filter(|c| c.outcome == outcome).map(full_name).collect();
        let lanes = judged.iter().flat_map(|(handoff, report)| {
            report.lanes.iter().map(|lane| LaneLine {
                id: lane_name(handoff, lane.index),
                state: lane.verdict,
                reason: lane.reasons.first().cloned(),
            })
        });
        Self {
            done: done.into(),
            stage: judged.first().and_then(|(handoff, _)| handoff.phase.clone()),
            passed: named(Outcome::Passed),
            failed: named(Outcome::Failed),
            lanes: lanes.collect(),
            outcome: None,
            next_permitted: next_permitted(judged),
        }
    }

    /// The same with what became of a start.
    pub fn outcome(self, outcome: impl Into<Inert>) -> Self {
        Self { outcome: Some(outcome.into()), ..self }
    }

    /// The same with another next action.
    pub fn next(self, next_permitted: impl Into<Inert>) -> Self {
        Self { next_permitted: next_permitted.into(), ..self }
    }
}

/// A check's full name: its subject and its id.
fn full_name(check: &Check) -> String {
    let subject = match &check.subject {
        Subject::Root => "root".to_owned(),
        Subject::Lane(_, Some(id)) => format!("lane:{id}"),
        Subject::Lane(n, None) => format!("lane:#{}", n + 1),
        Subject::Record(id) => format!("record:{}", id.plain()),
    };
    format!("{subject}/{}", check.id.as_str())
}

/// The one thing that the judgement permits next.
fn next_permitted(judged: &[(&Handoff, &Report)]) -> Inert {
    for (handoff, report) in judged {
        if let Some(lane) = report.lanes.iter().find(|lane| lane.verdict == Verdict::Validated) {
            return format!("resume lane {}, after a confirmation", lane_name(handoff, lane.index)).into();
        }
    }
    let next = match judged.iter().map(|(_, report)| report.verdict).min() {
        None => "nothing: no handoff was named",
        Some(Verdict::NotResumable | Verdict::Unknown) => {
            "load the context; settle the reasons, then check again"
        }
        Some(Verdict::Running) => "leave the lane to its owner, or end that process and check again",
        Some(Verdict::Completed) => "load the context; completed lanes are never restarted",
        Some(_) => "load the context",
    };
    next.into()
}
