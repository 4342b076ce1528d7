//! One true project, one change at a time: which change is noticed, by which check, and what stays as it was.
//!
//! Each row builds on its own copy of a project in which everything is true. Rows that must change nothing
//! (another spelling, another clock, somebody else's process) are the positive controls of the others.

mod changes;
mod table;
#[path = "../common/true_project.rs"]
mod true_project;

use moorline::check::{CheckId, Examiner, Outcome, Report, Verdict};
use moorline::harness::Surroundings;
use moorline::settings::Settings;
use rayon::prelude::*;
use true_project::{LANE, TrueProject};

/// What a change must lead to.
#[derive(Clone, Copy, Debug)]
enum Expect {
    /// Nothing was contradicted: still validated.
    Same,
    /// This check fails and the lane is not resumable.
    Fails(CheckId),
    /// This check cannot be told and the lane is unknown.
    Unknown(CheckId),
    /// A live owner: this verdict outweighs all others.
    Running,
    /// Saved as completed.
    Completed,
    /// No lane in flight.
    NothingToResume,
}

type Change = fn(&TrueProject, &mut Surroundings);

/// Rows of the table: name, change, and what it must lead to.
type Rows = Vec<(&'static str, Change, Expect)>;

#[test]
fn the_true_project_is_validated_and_starts_nothing() {
    let project = TrueProject::build();
    for project in [&project, &project.copy()] {
        let report = project.report();
        assert_eq!(report.verdict, Verdict::Validated, "everything is true: {}", said(&report));
        assert_eq!(report.validated, (1, 1), "one lane of one");
        assert_eq!(
            report.count(Outcome::Failed) + report.count(Outcome::Unknown),
            0,
            "no doubt is left over"
        );
        for check in report.checks.iter().chain(&report.lanes[0].checks) {
            if check.outcome == Outcome::Passed {
                assert!(check.source.is_some(), "a check that passed says where it was read: {check:?}");
                assert!(check.observed.is_some(), "and what it saw: {check:?}");
            }
        }
        assert!(!project.was_started(), "checking runs nothing");
    }
}

#[test]
fn one_change_is_noticed_by_its_own_check() {
    let template = TrueProject::build();
    let table = table::all();
    assert!(table.len() >= 80, "the table covers every check in both directions: {} rows", table.len());
    let wrong: Vec<String> = table
        .par_iter()
        .filter_map(|(name, change, expect)| try_one(&template, name, *change, *expect))
        .collect();
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), table.len(), wrong.join("\n"));
}

/// Tries one row on its own copy; a sentence where it came out otherwise.
fn try_one(template: &TrueProject, name: &str, change: Change, expect: Expect) -> Option<String> {
    let project = template.copy();
    let mut around = project.around();
    change(&project, &mut around);
    let report = Examiner::new(&project.root(), around, Settings::default()).examine(&project.row());
    let checks = || report.checks.iter().chain(report.lanes.iter().flat_map(|lane| &lane.checks));
    let has = |id, outcome| checks().any(|check| check.id == id && check.outcome == outcome);
    let lane = report.lanes.first().map(|lane| lane.verdict);
    let fine = match expect {
        Expect::Same => report.verdict == Verdict::Validated,
        Expect::Fails(id) => report.verdict == Verdict::NotResumable && has(id, Outcome::Failed),
        Expect::Unknown(id) => report.verdict == Verdict::Unknown && has(id, Outcome::Unknown),
        Expect::Running => lane == Some(Verdict::Running),
        Expect::Completed => lane == Some(Verdict::Completed),
        Expect::NothingToResume => report.verdict == Verdict::NotResumable && report.lanes.is_empty(),
    };
    let explained = checks().all(|check| check.outcome == Outcome::Passed || check.reason.is_some());
    match (fine && explained, project.was_started()) {
        (true, false) => None,
        (_, true) => Some(format!("{name}: a program was started")),
        (false, false) => Some(format!("{name}: expected {expect:?}, got {}", said(&report))),
    }
}

/// A report in one line: the verdict and what did not pass.
fn said(report: &Report) -> String {
    let lanes = report.lanes.iter().flat_map(|lane| &lane.reasons);
    let reasons: Vec<_> = lanes.map(|reason| reason.shown_line()).collect();
    let whole = report.reason.as_ref().map(|reason| reason.shown_line()).unwrap_or_default();
    format!("{} ({whole}) [{}]", report.verdict.words(), reasons.join(" | "))
}

/// The lane keeps its name through all of this.
#[test]
fn a_lane_is_named_by_its_id() {
    let project = TrueProject::build();
    let (row, report) = (project.row(), project.report());
    assert_eq!(moorline::check::lane_name(&row.handoff, report.lanes[0].index), LANE);
}
