//! What every operation ends with, as text and in JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::report::{Check, LaneReport, Outcome, Report, Subject, Verdict, lane_name};
use crate::handoff::{Handoff, Inert, count_of};

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
    /// What became of a start, if there was one; else why there is not all that was asked for.
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
            next_permitted: Tally::of(judged).next(),
        }
    }

    /// The same with what became of it.
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

/// How many of what was judged have which verdict, and what that permits: the summary in one line. It can be filled
/// while what was judged is said and let go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    verdicts: BTreeMap<Verdict, usize>,
    /// Lanes that are validated, of so many.
    lanes: (usize, usize),
    /// The first lane that may be resumed.
    first: Option<String>,
}

/// In this order they are said.
const SAID: [Verdict; 8] = [
    Verdict::Validated,
    Verdict::Current,
    Verdict::Completed,
    Verdict::Running,
    Verdict::Drifted,
    Verdict::NotResumable,
    Verdict::Unknown,
    Verdict::Unverifiable,
];

impl Tally {
    /// Of all of these.
    pub fn of(judged: &[(&Handoff, &Report)]) -> Self {
        let mut tally = Self::default();
        judged.iter().for_each(|(handoff, report)| tally.add(handoff, report));
        tally
    }

    /// Counts one more handoff, with its lanes.
    pub fn add(&mut self, handoff: &Handoff, report: &Report) {
        *self.verdicts.entry(report.verdict).or_default() += 1;
        for lane in &report.lanes {
            self.note(handoff, lane);
        }
    }

    /// Counts one more lane alone.
    pub fn add_lane(&mut self, handoff: &Handoff, lane: &LaneReport) {
        *self.verdicts.entry(lane.verdict).or_default() += 1;
        self.note(handoff, lane);
    }

    fn note(&mut self, handoff: &Handoff, lane: &LaneReport) {
        let is_good = lane.verdict == Verdict::Validated;
        self.lanes = (self.lanes.0 + usize::from(is_good), self.lanes.1 + 1);
        if is_good && self.first.is_none() {
            self.first = Some(lane_name(handoff, lane.index));
        }
    }

    /// `1 current, 2 drifted`, and how many of the lanes are validated, if there are any.
    pub fn words(&self) -> String {
        let said = SAID.iter().filter_map(|verdict| {
            self.verdicts.get(verdict).map(|count| format!("{count} {}", verdict.words()))
        });
        let said = said.collect::<Vec<_>>().join(", ");
        match self.lanes {
            (_, 0) => said,
            (good, all) => format!("{said}; {good} of {} validated", count_of(all, "lane", "lanes")),
        }
    }

    /// The one thing that the judgement permits next.
    pub fn next(&self) -> Inert {
        if let Some(lane) = &self.first {
            return format!("resume lane {lane}, after a confirmation").into();
        }
        let next = match self.verdicts.keys().next() {
            None => "save the first one: moorline save",
            Some(Verdict::NotResumable | Verdict::Unknown) => {
                "load the context; settle the reasons, then check again"
            }
            Some(Verdict::Running) => "leave the lane to its owner, or end that process and check again",
            Some(Verdict::Completed) => "load the context; completed lanes are never restarted",
            Some(_) => "load the context",
        };
        next.into()
    }
}
