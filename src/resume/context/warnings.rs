//! What a reader of the block should not believe, and why.

use super::{MOST_ITEMS, line_of};
use crate::check::{Check, CheckId, Claim, ONLY_OWN, Outcome, Report};
use crate::handoff::{BranchName, ClockSource, CommitId, Family, Inert, count_of};
use crate::place::Listed;

/// One line each; what two readings say alike is said once. That the file lies elsewhere is said first.
pub(super) fn of(row: &Listed, report: &Report, elsewhere: Option<String>) -> Vec<String> {
    let mut out: Vec<String> = elsewhere.into_iter().collect();
    if row.saved_at.source == ClockSource::Mtime {
        out.push("the date is the file's modification time: the file itself names none".to_owned());
    }
    if row.edited_after {
        out.push("the file was edited after the time it says it was saved".to_owned());
    }
    if row.handoff.family == Family::ThunderkitLegacy {
        out.push("an older format: readable, never resumable".to_owned());
    }
    let errors = row.handoff.problems.iter().filter(|problem| problem.is_error());
    out.extend(errors.take(MOST_ITEMS).map(|problem| line_of(&problem.message)));
    let with = |outcome| {
        // Each claim that does not hold has a line of its own below.
        let has_own = |check: &&Check| check.id == CheckId::Claims && check.outcome == Outcome::Failed;
        report.checks.iter().filter(move |check| check.outcome == outcome && !has_own(check))
    };
    let told = |outcome, id| with(outcome).any(|check| check.id == id);
    let is_commit_told = [Outcome::Failed, Outcome::Unknown]
        .into_iter()
        .any(|outcome| [CheckId::Commit, CheckId::RootHead].into_iter().any(|id| told(outcome, id)));
    // Commits of nothing but handoffs are the way in which a handoff is handed on.
    let is_news = |note: &&Inert| note.raw() != ONLY_OWN;
    let is_only_own = report.drift.notes.iter().any(|note| !is_news(&note));
    if let Some(count) = report.drift.commits.filter(|&count| count > 0 && !is_commit_told && !is_only_own) {
        out.push(format!("{} since it was saved", count_of(count, "commit", "commits")));
    }
    out.extend(with(Outcome::Failed).map(|check| check_words(check, "")));
    // Nothing that was not compared may look as if it were.
    out.extend(with(Outcome::Unknown).map(|check| check_words(check, "not known: ")));
    for note in report.drift.notes.iter().filter(is_news) {
        let note = line_of(note);
        let reason = note.split_once(": ").map_or(note.as_str(), |(_, reason)| reason);
        if !out.iter().any(|said| said.contains(reason)) {
            out.push(note);
        }
    }
    let is_gone = |claim: &&Claim| claim.holds == Some(false) && !is_a_lanes(row, claim);
    let gone = report.claims.iter().filter(is_gone);
    out.extend(gone.clone().take(MOST_ITEMS).map(|claim| {
        let (text, state) = (line_of(&claim.text), line_of(&claim.state));
        format!("{} {text} (line {}): {state}", claim.kind, claim.line)
    }));
    match gone.count() {
        all if all > MOST_ITEMS => out.push(format!("… and {} more that no longer hold", all - MOST_ITEMS)),
        _ => {}
    }
    out
}

/// Whether a claim is only what a lane records of its own worktree, which its checks compare.
fn is_a_lanes(row: &Listed, claim: &Claim) -> bool {
    let mut lanes = row.handoff.lanes.iter();
    let text = claim.text.raw();
    lanes.any(|lane| {
        let head = lane.head.as_ref().map(CommitId::as_str);
        let branch = lane.branch.as_ref().map(BranchName::as_str);
        [head, branch].contains(&Some(text))
    })
}

fn check_words(check: &Check, how: &str) -> String {
    let why = check.reason.as_ref().map_or_else(|| "failed".to_owned(), line_of);
    format!("{}: {how}{why}", check.id.as_str())
}
