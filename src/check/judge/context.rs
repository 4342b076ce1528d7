//! The families that are only read: does what they recorded still hold?

use super::super::drift::{ONLY_OWN, beside, same_state};
use super::super::evidence::{After, Dirt, Evidence, Fact, SameRoot, Seen, Since, Surrounding};
use super::super::report::{Check, CheckId, Subject};
use super::identity::describe;
use super::{Draft, at_root};
use crate::handoff::{
    Family, Handoff, Inert, MemtomemRecord, Noted, PlanRecord, Record, TreeState, count_of,
};
use crate::repo::{AsNow, BranchState, Commit, Head, Relation, normalise_remote};

pub(super) fn checks(handoff: &Handoff, evidence: &Evidence, around: &Surrounding) -> Vec<Check> {
    let mut checks = Vec::from_iter(unread(handoff));
    if handoff.family == Family::Memtomem {
        checks.push(record_check(handoff, &around.runtime));
    }
    if let Record::Memtomem(record) = &handoff.record {
        checks.push(project_root(handoff, record, around));
    }
    checks.extend(directory(handoff, around));
    checks.extend(repository(handoff, evidence));
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

/// What keeps a handoff from being known whole: a file that was longer than what is read of one, or that could not
/// be parsed. Whatever the rest of it says, nobody compared it.
fn unread(handoff: &Handoff) -> Option<Check> {
    let draft = || at_root(handoff, CheckId::Record, "").expected("a file that is read whole");
    if let Some(cut) = handoff.cut() {
        return Some(draft().unknown(cut.message.clone()));
    }
    let problem = handoff.unparsed()?;
    let place = problem.at.map(|at| format!(", line {}:{}", at.line, at.column)).unwrap_or_default();
    let draft = draft().line(problem.at.map(|at| at.line));
    Some(draft.unknown(format!("the file could not be parsed{place}: {}", problem.message.raw())))
}

/// That some changed files could not be compared, and how many.
fn not_compared(dirt: &Dirt) -> String {
    count_of(dirt.not_compared.len(), "file could not be compared", "files could not be compared")
}

/// Whether a memtomem record is whole and addressed to the runtime that asks.
fn record_check(handoff: &Handoff, runtime: &str) -> Check {
    let addressed = match runtime {
        "any" => "a whole record, addressed to any".to_owned(),
        runtime => format!("a whole record, addressed to {runtime} or any"),
    };
    let draft = about(handoff, CheckId::Record, "handoff_id").expected(addressed).source("the record's text");
    if let Some(problem) = handoff.problems.iter().find(|problem| problem.is_error()) {
        return draft.line(problem.at.map(|at| at.line)).failed(problem.message.clone());
    }
    let to = match &handoff.record {
        Record::Memtomem(record) => record.to_runtime.as_ref(),
        _ => None,
    };
    let Some(to) = to else { return draft.failed("no recorded recipient") };
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
        SameRoot::Inside | SameRoot::Other => draft.failed("the record is about another directory"),
    })
}

/// The directory that a text says it was written in, where it says one.
fn directory(handoff: &Handoff, around: &Surrounding) -> Option<Check> {
    let (said, seen) = handoff.directory.as_ref().zip(around.directory.as_ref())?;
    let draft = about(handoff, CheckId::ProjectRoot, "").line(line(said)).expected(said.value.clone());
    Some(draft.with(seen, |draft, same| {
        let draft = draft.observed(seen.source.as_str());
        match same {
            SameRoot::Text => draft.passed(),
            SameRoot::Identity => draft.passed_with("another spelling of the same directory"),
            SameRoot::Inside => draft.passed_with("a directory inside this project"),
            SameRoot::Other => draft.failed("written in another directory than this project's"),
        }
    }))
}

/// The repository that a text says it is about, where it says one.
fn repository(handoff: &Handoff, evidence: &Evidence) -> Option<Check> {
    let said = handoff.repository.as_ref()?;
    let draft = about(handoff, CheckId::Repository, "").line(line(said)).expected(said.value.clone());
    if let Fact::Absent(why) = &evidence.repository.fact {
        return Some(draft.source(evidence.repository.source.as_str()).unknown(why.as_str()));
    }
    Some(draft.with(&evidence.repository, |draft, identity| {
        let draft = draft.observed(identity.text.as_str());
        let written = said.value.raw();
        let here = identity.text.to_lowercase();
        let is_address = written.contains("://") || written.starts_with("git@");
        let named = if is_address { normalise_remote(written) } else { written.to_owned() }.to_lowercase();
        let named = named.strip_suffix(".git").unwrap_or(&named);
        if here == named || here.strip_suffix(named).is_some_and(|before| before.ends_with('/')) {
            return draft.passed();
        }
        // A repository without a remote is recorded by its directory's name, which a clone does not share.
        if !is_address && !written.contains('/') && holds_the_commit(evidence) {
            return draft.passed_with("recorded by a name alone; the recorded commit is here");
        }
        if !identity.from_remote {
            return draft.unknown(
                "this repository has no remote: its directory has another name, which proves little",
            );
        }
        draft.failed("it is about another repository than this one")
    }))
}

fn line<T>(noted: &Noted<T>) -> Option<u32> {
    (noted.line > 0).then_some(noted.line)
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
        let now = match head {
            Head::Detached(_) => format!("HEAD is {}", describe(head)),
            _ => format!("on {} now", describe(head)),
        };
        let state = evidence.branch.as_ref().and_then(Seen::value);
        draft.failed(match state {
            Some(BranchState::Gone { merged_into: Some(into) }) => {
                format!("{now}; {recorded} is gone (merged into {into})")
            }
            // Without a merge commit only the recorded one can tell where the work went.
            Some(BranchState::Gone { merged_into: None }) if holds_the_commit(evidence) => {
                format!("{now}; {recorded} is gone, and its recorded commit is in this history")
            }
            Some(BranchState::Gone { merged_into: None }) => match taken_in(evidence) {
                Some(commit) => {
                    let since = commit.id.short();
                    format!("{now}; {recorded} is gone, and what it had is in this history since {since}")
                }
                None => format!("{now}; {recorded} is gone"),
            },
            Some(BranchState::RemoteOnly(remotes)) => {
                let remotes: Vec<_> = remotes.iter().map(Inert::shown_line).collect();
                format!("{now}; {recorded} is only on the remote ({})", remotes.join(", "))
            }
            Some(BranchState::Local(_)) => format!("{now}; {recorded} is still here"),
            None => now,
        })
    })
}

/// Whether the recorded commit is HEAD or one that HEAD has.
fn holds_the_commit(evidence: &Evidence) -> bool {
    let since = evidence.since.as_ref().and_then(Seen::value);
    since.is_some_and(|since| matches!(since.relation, Relation::Same | Relation::Ahead { .. }))
}

/// The commit of HEAD's history since which it has what the recorded one changed.
fn taken_in(evidence: &Evidence) -> Option<&Commit> {
    match &evidence.since.as_ref()?.value()?.relation {
        Relation::Diverged { as_now: Some(AsNow::TakenIn(commit)), .. } => Some(commit),
        _ => None,
    }
}

fn commit(handoff: &Handoff, evidence: &Evidence) -> Check {
    let field = if matches!(handoff.record, Record::Memtomem(_)) { "git_head" } else { "commit" };
    let draft = about(handoff, CheckId::Commit, field);
    let Some(since) = &evidence.since else { return by_time(draft, evidence.after.as_ref()) };
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
        Relation::Ahead { .. } if *only_own => draft.passed_with(ONLY_OWN),
        Relation::Ahead { count, files, .. } => draft.failed(format!(
            "{} since, {} changed",
            count_of(*count, "commit", "commits"),
            count_of(files.len(), "file", "files")
        )),
        Relation::Diverged { ahead: 0, behind, .. } => draft.failed(format!(
            "HEAD is {} before it: an older state, or another branch",
            count_of(*behind, "commit", "commits")
        )),
        Relation::Diverged { ahead, behind, holder, as_now } => draft.failed(format!(
            "not in HEAD's history ({}): {ahead} ahead, {behind} behind",
            beside(holder, as_now.as_ref())
        )),
        Relation::Missing => draft.failed("no such commit in this repository"),
        Relation::NotACommit => draft.failed("the id names something that is no commit"),
        Relation::Ambiguous => draft.unknown("the abbreviation fits several objects"),
    })
}

/// Where no commit is recorded, commits that are newer than the saved time make it old. That none came proves nothing:
/// the state that was saved may have been another.
fn by_time(draft: Draft, after: Option<&After>) -> Check {
    match after {
        Some(after) if !after.commits.is_empty() && !after.only_own => {
            let commits = count_of(after.commits.len(), "commit", "commits");
            let files = after.files.as_ref().map(|files| count_of(files.len(), "file", "files"));
            let changed = files.map(|files| format!(", {files} changed")).unwrap_or_default();
            draft.failed(format!("{commits} since it was saved{changed}; no commit is recorded"))
        }
        _ => draft.not_applicable("no commit is recorded"),
    }
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
        Record::Theonekit(PlanRecord { dirty_files: Some(recorded), .. }) => {
            changed_files(about(handoff, CheckId::DirtyFiles, "Dirty files"), *recorded, around)
        }
        _ => match (&handoff.tree, &around.unreadable) {
            (Some(said), _) => {
                let draft = about(handoff, CheckId::DirtyFiles, "").line(line(said));
                match said.value {
                    TreeState::Dirty(recorded) => changed_files(draft, recorded, around),
                    TreeState::Words => draft
                        .expected(said.written.clone())
                        .unknown("the worktree's state is recorded in words that cannot be compared"),
                }
            }
            (None, Some(why)) => {
                let draft = about(handoff, CheckId::DirtyFiles, "");
                draft
                    .source(around.dirt.source.as_str())
                    .unknown(format!("the worktree cannot be compared: {why}"))
            }
            (None, None) => {
                about(handoff, CheckId::DirtyFiles, "").not_applicable("no worktree state is recorded")
            }
        },
    }
}

/// A recorded number of changed files against what is changed now.
fn changed_files(draft: Draft, recorded: u64, around: &Surrounding) -> Check {
    let count = |count: u64| if count == 0 { "clean".to_owned() } else { format!("{count} dirty") };
    draft.expected(count(recorded)).with(&around.dirt, |draft, dirt| {
        let now = |files: usize| u64::try_from(files).unwrap_or(u64::MAX);
        let own = match dirt.all.saturating_sub(dirt.foreign) {
            0 => String::new(),
            own => format!(" but for {}", count_of(own, "handoff file", "handoff files")),
        };
        let draft = draft.observed(count(now(dirt.foreign)) + &own);
        let same = [dirt.foreign, dirt.all].into_iter().any(|files| now(files) == recorded);
        match (same, dirt.not_compared.is_empty()) {
            (true, true) => draft.passed(),
            // More than was recorded is more, whatever the rest would show.
            (false, _) if recorded == 0 => draft.failed(format!("changed since: {}", named(dirt))),
            (_, false) => draft.unknown(not_compared(dirt)),
            (false, true) if dirt.foreign == 0 => draft.failed("nothing is changed now"),
            (false, true) => draft
                .failed(format!("another number of changed files than when it was saved: {}", named(dirt))),
        }
    })
}

/// The changed files by name, as many as are kept, and how many more there are.
fn named(dirt: &Dirt) -> String {
    let names: Vec<_> = dirt.files.iter().map(Inert::shown_line).collect();
    let more = dirt.foreign.saturating_sub(names.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.join(", "))
}

/// memtomem's own spelling, compared exactly; its public samples trim the status codes, and that is said.
fn worktree_state(draft: Draft, recorded: &Inert, dirt: &Seen<Dirt>) -> Check {
    draft.expected(recorded.clone()).with(dirt, |draft, dirt| {
        let [all, foreign] = &dirt.spellings;
        let draft = draft.observed(foreign.as_str());
        if !dirt.not_compared.is_empty() {
            return draft.unknown(not_compared(dirt));
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

/// How many of the claims no longer hold.
fn gone(count: usize, all: usize) -> String {
    match (count, all) {
        (_, 1) => "the one claim no longer holds".to_owned(),
        (1, _) => format!("1 of {all} claims no longer holds"),
        _ => format!("{count} of {all} claims no longer hold"),
    }
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
            .failed(gone(with(Some(false)).count(), all));
    }
    if let Some(first) = with(None).next() {
        let (text, state) = (first.text.shown_line(), first.state.shown_line());
        let names = if all == 1 { "name" } else { "names" };
        let why = match state.strip_prefix("unknown: ") {
            Some(why) => format!("could not be compared: {text}: {why}"),
            None if state.starts_with("neither") => format!("cannot be found: {text} is {state}"),
            None => format!("cannot be found: {text}: {state}"),
        };
        return draft
            .line(Some(first.line))
            .expected(first.text.clone())
            .observed(first.state.clone())
            .unknown(format!("{} of {all} {names} {why}", with(None).count()));
    }
    match all {
        0 => draft.not_applicable("nothing that the text says is there could be compared"),
        held => draft.observed(count_of(held, "claim holds", "claims hold")).passed(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn claims_are_counted_as_people_count() {
        assert_eq!(super::gone(1, 1), "the one claim no longer holds", "one is not counted");
        assert_eq!(super::gone(1, 3), "1 of 3 claims no longer holds", "one of several");
        assert_eq!(super::gone(2, 3), "2 of 3 claims no longer hold", "and some of them");
    }
}
