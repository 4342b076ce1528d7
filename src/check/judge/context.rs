//! The families that are only read: does what they recorded still hold?

use super::super::drift::same_state;
use super::super::evidence::{Dirt, Evidence, Fact, SameRoot, Seen, Since, Surrounding};
use super::super::report::{Check, CheckId, Subject};
use super::identity::describe;
use super::{Draft, at_root};
use crate::handoff::{Family, Handoff, Inert, MemtomemRecord, Record};
use crate::repo::{BranchState, Relation};

pub(super) fn checks(handoff: &Handoff, evidence: &Evidence, around: &Surrounding) -> Vec<Check> {
    let mut checks = Vec::new();
    if let Record::Memtomem(record) = &handoff.record {
        checks.push(record_check(handoff, record, &around.runtime));
        checks.push(project_root(handoff, record, around));
    }
    checks.push(branch(handoff, evidence));
    checks.push(commit(handoff, evidence));
    checks.push(dirty_files(handoff, around));
    checks.push(plan(handoff, around));
    checks.push(claims(handoff, around));
    checks
}

/// A check about this handoff: a record of a day file is its own subject.
fn about(handoff: &Handoff, id: CheckId, field: &str) -> Draft {
    let draft = at_root(handoff, id, field);
    match (&handoff.record_id, handoff.family) {
        (Some(record), Family::Memtomem) => {
            let line = handoff.fields.line_of(field);
            Draft::new(id, Subject::Record(record.as_str().into())).line(line)
        }
        _ => draft,
    }
}

/// Whether a memtomem record is whole and addressed to the runtime that asks.
fn record_check(handoff: &Handoff, record: &MemtomemRecord, runtime: &str) -> Check {
    let addressed = match runtime {
        "any" => "a whole record, addressed to any".to_owned(),
        runtime => format!("a whole record, addressed to {runtime} or any"),
    };
    let draft = about(handoff, CheckId::Record, "handoff_id").expected(addressed).source("the record's text");
    if let Some(problem) = handoff.problems.iter().find(|problem| problem.is_error()) {
        return draft.line(problem.at.map(|at| at.line)).failed(problem.message.clone());
    }
    let Some(to) = &record.to_runtime else { return draft.failed("no recorded recipient") };
    let draft = draft.observed(format!("to {}", to.shown_line()));
    match (to.raw(), runtime) {
        ("any", _) => draft.passed(),
        (to, runtime) if to == runtime => draft.passed(),
        (_, "any") => draft.unknown("recipient not checked: say which runtime this is with --runtime"),
        (_, runtime) => draft.failed(format!("addressed to {}; this is {runtime}", to.shown_line())),
    }
}

fn project_root(handoff: &Handoff, record: &MemtomemRecord, around: &Surrounding) -> Check {
    let draft = about(handoff, CheckId::ProjectRoot, "project_root");
    let (Some(recorded), Some(seen)) = (&record.project_root, &around.project_root) else {
        return draft.failed("no recorded project root");
    };
    draft.expected(recorded.clone()).with(seen, |draft, same| match same {
        SameRoot::Text => draft.observed(recorded.clone()).passed(),
        SameRoot::Identity => draft.passed_with("another spelling of the same directory"),
        SameRoot::Other => draft.failed("the record is about another directory"),
    })
}

fn branch(handoff: &Handoff, evidence: &Evidence) -> Check {
    let draft = about(handoff, CheckId::Branch, "branch");
    let Some(recorded) = &handoff.branch else { return draft.not_applicable("no branch is recorded") };
    let draft = draft.expected(recorded.as_str());
    if let Fact::Absent(why) = &evidence.head.fact {
        // No repository contradicts no branch: there is nothing to compare it with.
        return draft.source(evidence.head.source.as_str()).unknown(why.as_str());
    }
    draft.with(&evidence.head, |draft, head| {
        let draft = draft.observed(describe(head));
        if head.branch() == Some(recorded) {
            return draft.passed();
        }
        let now = describe(head);
        let state = evidence.branch.as_ref().and_then(Seen::value);
        draft.failed(match state {
            Some(BranchState::Gone { merged_into: Some(into) }) => {
                format!("on {now} now; {recorded} is gone (merged into {into})")
            }
            Some(BranchState::Gone { merged_into: None }) => format!("on {now} now; {recorded} is gone"),
            Some(BranchState::RemoteOnly(remotes)) => {
                let remotes: Vec<_> = remotes.iter().map(Inert::shown_line).collect();
                format!("on {now} now; {recorded} is only on the remote ({})", remotes.join(", "))
            }
            Some(BranchState::Local(_)) => format!("on {now} now; {recorded} is still here"),
            None => format!("on {now} now"),
        })
    })
}

fn commit(handoff: &Handoff, evidence: &Evidence) -> Check {
    let field = if matches!(handoff.record, Record::Memtomem(_)) { "git_head" } else { "commit" };
    let draft = about(handoff, CheckId::Commit, field);
    let Some(since) = &evidence.since else { return draft.not_applicable("no commit is recorded") };
    let draft = match &handoff.commit {
        Some(recorded) => draft.expected(recorded.as_str()),
        None => draft,
    };
    let now = evidence.head.value().and_then(|head| head.commit());
    let draft = match now {
        Some(now) => draft.observed(now.as_str()),
        None => draft,
    };
    draft.with(since, |draft, Since { relation, only_own }| match relation {
        Relation::Same => draft.passed(),
        Relation::Ahead { .. } if *only_own => {
            draft.passed_with("HEAD went on only by commits of handoffs' own files")
        }
        Relation::Ahead { count, files, .. } => {
            draft.failed(format!("{count} commit(s) since, {} file(s) changed", files.len()))
        }
        Relation::Diverged { ahead, behind } => draft.failed(format!(
            "not in HEAD's history (rewritten, or HEAD went elsewhere): {ahead} ahead, {behind} behind"
        )),
        Relation::Missing => draft.failed("no such commit in this repository"),
        Relation::NotACommit => draft.failed("the id names something that is no commit"),
        Relation::Ambiguous => draft.unknown("the abbreviation fits several objects"),
    })
}

fn dirty_files(handoff: &Handoff, around: &Surrounding) -> Check {
    match &handoff.record {
        Record::Memtomem(record) => {
            let draft = about(handoff, CheckId::DirtyFiles, "worktree_state");
            match &record.worktree_state {
                Some(recorded) => worktree_state(draft, recorded, &around.dirt),
                None => draft.failed("no recorded worktree state"),
            }
        }
        Record::Theonekit(record) => {
            let draft = about(handoff, CheckId::DirtyFiles, "Dirty files");
            let Some(recorded) = record.dirty_files else {
                return draft.not_applicable("no number of dirty files is recorded");
            };
            draft.expected(format!("{recorded} dirty")).with(&around.dirt, |draft, dirt| {
                let draft = draft.observed(format!("{} dirty", dirt.foreign));
                let same = [dirt.foreign, dirt.all].iter().any(|&now| u64::try_from(now) == Ok(recorded));
                match (same, dirt.not_compared.is_empty()) {
                    (true, true) => draft.passed(),
                    (_, false) => {
                        draft.unknown(format!("{} file(s) could not be compared", dirt.not_compared.len()))
                    }
                    (false, true) => draft.failed("another number of changed files than when it was saved"),
                }
            })
        }
        _ => about(handoff, CheckId::DirtyFiles, "").not_applicable("no worktree state is recorded"),
    }
}

/// memtomem's own spelling, compared exactly; its public samples trim the status codes, and that is said.
fn worktree_state(draft: Draft, recorded: &Inert, dirt: &Seen<Dirt>) -> Check {
    draft.expected(recorded.clone()).with(dirt, |draft, dirt| {
        let [all, foreign] = &dirt.spellings;
        let draft = draft.observed(foreign.as_str());
        if !dirt.not_compared.is_empty() {
            return draft.unknown(format!("{} file(s) could not be compared", dirt.not_compared.len()));
        }
        if [all, foreign].iter().any(|now| now.as_str() == recorded.raw()) {
            return draft.passed();
        }
        match [all, foreign].iter().any(|now| same_state(recorded.raw(), now)) {
            true => draft.passed_with("same files, other spelling"),
            false => draft.failed("the worktree is in another state than when this was written"),
        }
    })
}

fn plan(handoff: &Handoff, around: &Surrounding) -> Check {
    let draft = about(handoff, CheckId::Plan, "Path");
    let Some(plan) = &around.plan else { return draft.not_applicable("it names no plan") };
    draft.expected(plan.named.clone()).with(&plan.there, |draft, ()| match &plan.newer {
        None => draft.observed("there, and no newer handoff for it").passed(),
        Some(newer) => draft
            .observed(newer.display().to_string())
            .failed(format!("a newer handoff stands for the same plan: {}", newer.display())),
    })
}

/// Passed only when everything that the text names was found to hold.
fn claims(handoff: &Handoff, around: &Surrounding) -> Check {
    let draft = about(handoff, CheckId::Claims, "").source("the text, the project's files and its history");
    let counted: Vec<_> = around.claims.iter().filter(|claim| claim.counts).collect();
    let with = |holds| counted.iter().filter(move |claim| claim.holds == holds);
    let all = counted.len();
    if let Some(first) = with(Some(false)).next() {
        return draft
            .line(Some(first.line))
            .expected(first.text.clone())
            .observed(first.state.clone())
            .failed(format!("{} of {all} claims no longer hold", with(Some(false)).count()));
    }
    if let Some(first) = with(None).next() {
        let (text, state) = (first.text.shown_line(), first.state.shown_line());
        let link = if state.starts_with("neither") { " is" } else { ":" };
        let names = if all == 1 { "name" } else { "names" };
        return draft
            .line(Some(first.line))
            .expected(first.text.clone())
            .observed(first.state.clone())
            .unknown(format!(
                "{} of {all} {names} cannot be found: {text}{link} {state}",
                with(None).count()
            ));
    }
    match all {
        0 => draft.not_applicable("the text names nothing that could be compared"),
        held => draft.observed(format!("{held} claim(s) hold")).passed(),
    }
}
