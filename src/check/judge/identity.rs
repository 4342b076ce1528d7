//! Who and where: schema, config, repository, branch and commit, worktrees.

use super::super::drift::beside;
use super::super::evidence::{Evidence, Policy, Seen, Since};
use super::super::report::{Check, CheckId};
use super::{AtLane, Draft, Said, at_root, said, unrecorded};
use crate::handoff::count_of;
use crate::handoff::{CommitId, Family, Handoff, RelPath, Root};
use crate::repo::{Head, Identity, Relation, normalise_remote};

/// The one place of the north star.
pub const NORTH_STAR: &str = ".thunderkit/NORTH_STAR.md";

pub(super) fn schema(handoff: &Handoff) -> Check {
    let draft = at_root(handoff, CheckId::Schema, "schema_version")
        .expected("thunderkit handoff, schema version 1, no structural problem")
        .source("the file's bytes");
    if handoff.family == Family::ThunderkitLegacy {
        return draft
            .observed("the shape of thunderkit's first release")
            .failed("the first release's shape can be read and authorizes nothing: save the handoff again");
    }
    if handoff.strict {
        return draft.observed("strict").passed();
    }
    let errors: Vec<_> = handoff.problems.iter().filter(|problem| problem.is_error()).collect();
    let Some(first) = errors.first() else {
        return draft.failed("the file does not follow the strict format");
    };
    let place = first.at.map(|at| format!("line {}: ", at.line)).unwrap_or_default();
    let more = if errors.len() > 1 { format!(" (and {} more)", errors.len() - 1) } else { String::new() };
    draft
        .line(first.at.map(|at| at.line))
        .observed(count_of(errors.len(), "structural problem", "structural problems"))
        .failed(format!("{place}{}{more}", first.message.raw()))
}

pub(super) fn config(handoff: &Handoff, root: &Root, policy: &Policy) -> Check {
    let draft = at_root(handoff, CheckId::Config, "north_star")
        .expected(".thunderkit/NORTH_STAR.md readable, .thunderkit/config.json valid");
    match &root.north_star {
        None => return unrecorded(draft, &handoff.fields, "north_star", "north star"),
        Some(path) if path.as_str() != NORTH_STAR => {
            return draft.observed(path.as_str()).failed(format!("the north star lies at {NORTH_STAR} only"));
        }
        Some(_) => {}
    }
    draft.with(&policy.north_star, |draft, ()| {
        draft.with(&policy.config, |draft, config| {
            let draft = draft.observed("both valid");
            match config.warnings.is_empty() {
                true => draft.passed(),
                false => draft.passed_with(config.warnings.join("; ")),
            }
        })
    })
}

pub(super) fn repository(handoff: &Handoff, root: &Root, now: &Seen<Identity>) -> Check {
    let draft = at_root(handoff, CheckId::Repository, "repository");
    let Some(recorded) = &root.repository else {
        return unrecorded(draft, &handoff.fields, "repository", "repository");
    };
    draft.expected(recorded.clone()).with(now, |draft, now| {
        let draft = draft.observed(now.text.as_str());
        let expected = match now.from_remote {
            true => normalise_remote(recorded.raw()),
            false => recorded.raw().to_owned(),
        };
        match (expected == now.text, now.from_remote) {
            (true, true) => draft.passed(),
            (true, false) => draft.passed_with("no remote here: only the root directory's name was compared"),
            (false, true) => draft.failed("another repository than the recorded one"),
            (false, false) => {
                draft.failed("no remote here, and the root directory's name is not the recorded repository")
            }
        }
    })
}

pub(super) fn root_branch(handoff: &Handoff, root: &Root, head: &Seen<Head>) -> Check {
    let draft = at_root(handoff, CheckId::RootBranch, "branch");
    match &root.branch {
        Some(branch) => on_branch(draft, branch.as_str(), head),
        None if root.detached => draft.expected("detached HEAD").with(head, |draft, head| {
            let draft = draft.observed(describe(head));
            match head {
                Head::Detached(_) => draft.passed(),
                _ => draft.failed("HEAD was detached when this was saved, and is on a branch now"),
            }
        }),
        None => unrecorded(draft, &handoff.fields, "branch", "branch"),
    }
}

pub(super) fn root_head(handoff: &Handoff, root: &Root, evidence: &Evidence) -> Check {
    let draft = at_root(handoff, CheckId::RootHead, "head");
    let Some(recorded) = &root.head else {
        return unrecorded(draft, &handoff.fields, "head", "commit");
    };
    let since = evidence.since.as_ref().and_then(|since| since.value());
    at_commit(draft, recorded, &evidence.head, since)
}

pub(super) fn worktree(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::Worktree, "worktree");
    let (Some(recorded), Some(seen)) = (&at.lane.worktree, &at.seen.worktree) else {
        return match said(&at.lane.fields, "worktree") {
            Said::Illegal(text) => {
                let why = RelPath::parse(text.raw()).err().map_or("said twice", |why| why.why);
                let draft = draft.expected(text.clone());
                draft.failed(format!("worktree outside the project or not a plain relative path: {why}"))
            }
            _ => unrecorded(draft, &at.lane.fields, "worktree", "worktree"),
        };
    };
    draft.expected(recorded.as_str()).with(seen, |draft, seen| {
        let draft = draft.observed(seen.path.display().to_string());
        match seen.is_root {
            true => draft.passed_with("the project root itself"),
            false => draft.passed_with("a linked worktree of this repository, registered both ways"),
        }
    })
}

pub(super) fn lane_branch(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::LaneBranch, "branch");
    match &at.lane.branch {
        Some(branch) => on_branch(draft, branch.as_str(), &at.seen.head),
        None => unrecorded(draft, &at.lane.fields, "branch", "branch"),
    }
}

pub(super) fn lane_head(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::LaneHead, "head");
    let Some(recorded) = &at.lane.head else {
        return unrecorded(draft, &at.lane.fields, "head", "commit");
    };
    at_commit(draft, recorded, &at.seen.head, at.seen.since.as_ref())
}

/// Whether HEAD is on exactly this branch.
fn on_branch(draft: Draft, branch: &str, head: &Seen<Head>) -> Check {
    draft.expected(branch).with(head, |draft, head| {
        let draft = draft.observed(describe(head));
        match head {
            Head::Branch(now, _) if now.as_str() == branch => draft.passed(),
            Head::Branch(now, _) => draft.failed(format!("on branch {now} now, not {branch}")),
            Head::Detached(_) => draft.failed(format!("HEAD is detached now, not on {branch}")),
            Head::Unborn(now) => draft.failed(format!("branch {now} has no commit yet (unborn)")),
        }
    })
}

/// Whether HEAD is exactly this commit.
fn at_commit(draft: Draft, recorded: &CommitId, head: &Seen<Head>, since: Option<&Since>) -> Check {
    draft.expected(recorded.as_str()).with(head, |draft, head| {
        let Some(now) = head.commit() else {
            return draft.observed(describe(head)).failed("no commit yet (unborn)");
        };
        let draft = draft.observed(now.as_str());
        if now == recorded {
            return draft.passed();
        }
        let moved = format!("moved: {} → {}", recorded.short(), now.short());
        draft.failed(match since {
            Some(Since { only_own: true, .. }) => {
                format!("{moved}, only by commits of the handoff's own files: save again")
            }
            Some(Since { relation: Relation::Ahead { count, .. }, .. }) => {
                let commits = count_of(*count, "commit", "commits");
                format!("{moved}, {commits} on: read what came since, then save again")
            }
            Some(Since { relation: Relation::Missing, .. }) => {
                format!("{moved}; the recorded commit is not in this repository")
            }
            Some(Since { relation: Relation::Diverged { holder, as_now, .. }, .. }) => {
                let beside = beside(holder, as_now.as_ref());
                format!("{moved}; the recorded commit is not in HEAD's history ({beside})")
            }
            _ => moved,
        })
    })
}

/// HEAD in words.
pub(super) fn describe(head: &Head) -> String {
    match head {
        Head::Branch(name, _) => name.to_string(),
        Head::Detached(id) => format!("detached at {}", id.short()),
        Head::Unborn(name) => format!("{name} (unborn)"),
    }
}
