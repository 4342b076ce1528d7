//! The JSON shapes that reading verbs print: `moorline.<verb>/1`, one document each.
//!
//! Keys are documented where they are filled; a changed meaning raises the number in `schema`.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use super::remote::RemoteShape;
use crate::check::{Check, Claim, Drift, ProjectFacts, Report, Summary, Verdict};
use crate::handoff::{
    BranchName, ClockSource, Family, Fields, Format, Handoff, Inert, Lane, Problem, RecordId, Revision, inert,
};
use crate::place::{Listed, Scope, Skipped, State};
use crate::policy::run::RunRecord;

/// `moorline.list/1`
#[derive(Serialize)]
pub struct ListDocument<'a> {
    /// The shape's name and number.
    pub schema: &'static str,
    /// The project as a whole.
    pub project: ProjectShape<'a>,
    /// The rows, newest first.
    pub handoffs: ShortShapes<'a>,
    /// What is not in the rows, and why.
    pub skipped: Vec<SkippedShape<'a>>,
    /// Rows and skipped ones together.
    pub found: usize,
    /// An archive, trash, put-back, cleanup, undo or save without an end, in words; `null` where there is none.
    pub interrupted: Option<String>,
    /// What was done and what may follow.
    pub summary: Summary,
}

/// `moorline.show/1` and `moorline.check/1`
#[derive(Serialize)]
pub struct HandoffsDocument<H> {
    /// The shape's name and number.
    pub schema: &'static str,
    /// The handoffs, with verdicts in `check`.
    pub handoffs: H,
    /// This checkout against its remote, in a `check` that was to ask it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote: Option<RemoteShape>,
    /// Projects of the settings that are not there, in a `check --all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<String>>,
    /// What was done and what may follow.
    pub summary: Summary,
}

/// `project`
#[derive(Serialize)]
pub struct ProjectShape<'a> {
    root: String,
    repository: Option<Cow<'a, str>>,
    branch: Option<&'a Inert>,
    head: Option<&'a str>,
    under_way: Option<&'a Inert>,
    dirty: Option<usize>,
    dirty_handoffs: Option<usize>,
}

impl<'a> ProjectShape<'a> {
    /// The shape of these facts.
    pub fn of(facts: &'a ProjectFacts) -> Self {
        Self {
            root: path_text(&facts.root),
            repository: facts.repository.as_deref().map(inert::plain_text),
            branch: facts.branch.as_ref(),
            head: facts.head.as_deref(),
            under_way: facts.under_way.as_ref(),
            dirty: facts.dirty,
            dirty_handoffs: facts.dirty.map(|_| facts.dirty_handoffs),
        }
    }
}

/// The rows of a list without long texts, each on a line of its own. They are shaped when they are printed, on all
/// cores: thousands of shapes at once would be most of what a list costs.
pub struct ShortShapes<'a>(pub &'a [Arc<Listed>]);

impl Serialize for ShortShapes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        on_lines(self.0, |row| to_raw_value(&HandoffShape::short(row)), serializer)
    }
}

/// Handoffs with their verdicts, each on a line of its own and shaped as [`ShortShapes`] are.
pub struct JudgedShapes<'a>(pub &'a [(Arc<Listed>, Report)]);

impl Serialize for JudgedShapes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        on_lines(self.0, |(row, report)| to_raw_value(&HandoffShape::judged(row, report)), serializer)
    }
}

/// A list whose entries are shaped on all cores.
fn on_lines<T: Sync, S: Serializer>(
    all: &[T],
    line: impl Fn(&T) -> serde_json::Result<Box<RawValue>> + Send + Sync,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let lines: Vec<_> = all.par_iter().map(line).collect::<Result<_, _>>().map_err(S::Error::custom)?;
    serializer.collect_seq(lines)
}

/// One entry of `skipped`.
#[derive(Serialize)]
pub struct SkippedShape<'a> {
    path: String,
    reason: &'a Inert,
}

impl<'a> SkippedShape<'a> {
    /// The shape of one skipped candidate.
    pub fn of(skipped: &'a Skipped) -> Self {
        Self { path: path_text(&skipped.path), reason: &skipped.reason }
    }
}

/// One handoff. Unknown is `null`; long texts are left out of lists.
#[derive(Serialize)]
pub struct HandoffShape<'a> {
    id: &'a str,
    family: Family,
    format: Format,
    scope: Scope,
    state: State,
    path: String,
    record_id: Option<&'a RecordId>,
    title: Option<&'a Inert>,
    saved_at: String,
    saved_at_written: &'a Inert,
    saved_at_source: ClockSource,
    edited_after: bool,
    branch: Option<&'a BranchName>,
    commit: Option<&'a Revision>,
    phase: Option<&'a Inert>,
    status: Option<&'a Inert>,
    next_action: Option<&'a Inert>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_actions: Option<&'a [Inert]>,
    blockers: &'a [Inert],
    #[serde(skip_serializing_if = "Option::is_none")]
    decisions: Option<&'a [Inert]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open_items: Option<&'a [Inert]>,
    continuation: Option<&'a Inert>,
    /// The handoff that this file is a further part of.
    part_of: Option<String>,
    readable: bool,
    strict: bool,
    problems: &'a [Problem],
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a Inert>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<&'a [Check]>,
    lanes: Vec<LaneShape<'a>>,
    bytes: u64,
    twins: Vec<String>,
    origin: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<&'a Fields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drift: Option<&'a Drift>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claims: Option<&'a [Claim]>,
}

/// One lane, with its judgement in `check`.
#[derive(Serialize)]
struct LaneShape<'a> {
    #[serde(flatten)]
    lane: &'a Lane,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<&'a [Inert]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<&'a [Check]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<&'a RunRecord>,
}

impl<'a> HandoffShape<'a> {
    /// For a list: without long texts.
    pub fn short(row: &'a Listed) -> Self {
        Self { next_actions: None, decisions: None, open_items: None, fields: None, ..Self::whole(row) }
    }

    /// With everything that the file says.
    pub fn whole(row: &'a Listed) -> Self {
        let handoff: &Handoff = &row.handoff;
        Self {
            id: &row.id,
            family: handoff.family,
            format: handoff.format,
            scope: row.scope,
            state: row.state,
            path: path_text(&row.path),
            record_id: handoff.record_id.as_ref(),
            title: handoff.title.as_ref(),
            saved_at: row.saved_at.moment.to_text(),
            saved_at_written: &row.saved_at.written,
            saved_at_source: row.saved_at.source,
            edited_after: row.edited_after,
            branch: handoff.branch.as_ref(),
            commit: handoff.commit.as_ref(),
            phase: handoff.phase.as_ref(),
            status: handoff.status.as_ref(),
            next_action: handoff.next_action(),
            next_actions: Some(&handoff.next_actions),
            blockers: &handoff.blockers,
            decisions: Some(&handoff.decisions),
            open_items: Some(&handoff.open_items),
            continuation: handoff.continuation.as_ref(),
            part_of: row.part.as_ref().map(|part| path_text(&part.head)),
            readable: handoff.readable,
            strict: handoff.strict,
            problems: &handoff.problems,
            verdict: None,
            reason: None,
            checks: None,
            lanes: handoff.lanes.iter().map(LaneShape::of).collect(),
            bytes: row.bytes,
            twins: row.twins.iter().map(|twin| path_text(twin)).collect(),
            origin: row.origin.as_deref().map(path_text),
            fields: Some(&handoff.fields),
            drift: None,
            claims: None,
        }
    }

    /// With everything that the file says and how it was judged.
    pub fn judged(row: &'a Listed, report: &'a Report) -> Self {
        let mut shape = Self::whole(row);
        shape.verdict = Some(report.verdict);
        shape.reason = report.reason.as_ref();
        shape.checks = Some(&report.checks);
        shape.drift = Some(&report.drift);
        shape.claims = Some(&report.claims);
        for (lane, judged) in shape.lanes.iter_mut().zip(&report.lanes) {
            lane.verdict = Some(judged.verdict);
            lane.reasons = Some(&judged.reasons);
            lane.checks = Some(&judged.checks);
            lane.run = judged.run.as_ref();
        }
        shape
    }
}

impl<'a> LaneShape<'a> {
    fn of(lane: &'a Lane) -> Self {
        Self { lane, verdict: None, reasons: None, checks: None, run: None }
    }
}

/// A path for machines: lossy where it is not UTF-8, and as free of odd characters as every other text.
pub fn path_text(path: &Path) -> String {
    inert::plain_text(&path.to_string_lossy()).into_owned()
}
