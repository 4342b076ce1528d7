//! The session to go on with: program, id, store, directory, model, owner.

use super::super::evidence::{Fact, HarnessEvidence};
use super::super::report::{Check, CheckId};
use super::{AtLane, Draft, unrecorded};
use crate::harness::Liveness;

pub(super) fn harness(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::Harness, "harness");
    let Some(seen) = &at.seen.harness else {
        return unrecorded(draft, &at.lane.fields, "harness", "harness");
    };
    let draft =
        draft.expected(format!("{} with a fixed resume form, outside the project", seen.name.as_str()));
    if let Err(why) = &seen.form {
        return draft.failed(*why);
    }
    if at.lane.harness_version.is_none() {
        return unrecorded(draft, &at.lane.fields, "harness_version", "harness version (unknown version)");
    }
    draft.with(&seen.program, |draft, program| draft.observed(program.path.display().to_string()).passed())
}

pub(super) fn id(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::SessionId, "session_id");
    let Some(id) = &at.lane.session_id else {
        return unrecorded(draft, &at.lane.fields, "session_id", "session id");
    };
    let draft = draft.observed(id.as_str()).source("the file");
    if at.all.iter().filter(|lane| lane.session_id.as_ref() == Some(id)).count() > 1 {
        return draft.failed("recorded for several lanes: one session cannot go on in two places");
    }
    match &at.seen.harness {
        None => draft.unknown("without a known harness there is no shape to compare the id with"),
        Some(seen) => {
            let draft = draft.expected(seen.shape);
            match seen.in_shape {
                Some(true) => draft.passed(),
                _ => draft.failed(format!("not an id of {}, and never cleaned into one", seen.name.as_str())),
            }
        }
    }
}

pub(super) fn exists(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::SessionExists, "session_id");
    with_store(at, draft, |draft, seen, id| {
        draft.expected(id).with(&seen.session, |draft, session| {
            let inside = session.ids_inside.join(", ");
            let found = format!(
                "{}, {} finished turn(s), {} bytes",
                session.store.display(),
                session.turns,
                session.bytes
            );
            let draft = draft.observed(found);
            if session.archived {
                return draft.failed(format!(
                    "{} has put this session away: take it out there first",
                    seen.name.as_str()
                ));
            }
            if let Some(other) = session.continues_as.as_ref().filter(|other| *other != id) {
                return draft.failed(format!(
                    "{} compressed this session and would go on with {other} instead: record that one",
                    seen.name.as_str()
                ));
            }
            match session.ids_inside.as_slice() {
                [only] if only == id => match session.damaged_rows {
                    0 => draft.passed(),
                    n => draft.passed_with(format!("{n} row(s) of the store could not be read")),
                },
                [] => draft.failed("the store's file of that name holds no row that names a session"),
                _ => draft.failed(format!("the rows inside name other sessions than the file: {inside}")),
            }
        })
    })
}

pub(super) fn directory(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::SessionCwd, "worktree");
    let draft = match at.seen.worktree.as_ref().and_then(|seen| seen.value()) {
        Some(worktree) => draft.expected(worktree.path.display().to_string()),
        None => draft,
    };
    with_store(at, draft, |draft, seen, _| {
        let session = match &seen.session.fact {
            Fact::Known(session) => session,
            Fact::Absent(why) | Fact::Unknown(why) => return draft.unknown(why.as_str()),
        };
        let Some(cwd) = &session.cwd else {
            return draft
                .source(seen.session.source.as_str())
                .unknown("the store does not say in which directory the session worked");
        };
        draft.observed(cwd.display().to_string()).with(&seen.same_directory, |draft, same| match same {
            true => draft.passed(),
            false => draft.failed("the session worked in another directory than the lane's worktree"),
        })
    })
}

pub(super) fn model(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::SessionModel, "observed_model");
    let Some(recorded) = &at.lane.observed_model else {
        return draft
            .unknown("no observed model is recorded: the store's model has nothing to be compared with");
    };
    let recorded = recorded.model_id.clone();
    with_store(at, draft.expected(recorded.clone()), |draft, seen, _| {
        let session = match &seen.session.fact {
            Fact::Known(session) => session,
            Fact::Absent(why) | Fact::Unknown(why) => return draft.unknown(why.as_str()),
        };
        let draft = draft.source(seen.session.source.as_str());
        let Some(answered) = &session.model else {
            return draft.unknown("the store does not say which model answered last");
        };
        let draft = draft.observed(answered.clone());
        if answered != &recorded {
            return draft.failed("another model answered last than the recorded one");
        }
        // Where there is no form nothing is resumed, and the harness check has said so.
        if !seen.form.as_ref().is_ok_and(|form| !form.keeps_model) {
            return draft.passed();
        }
        // This harness answers with its configured default when it resumes, whatever the session ran on.
        match &seen.fallback.fact {
            Fact::Known(default) if default == &recorded => draft.passed(),
            Fact::Known(default) => {
                draft.observed(default.clone()).source(seen.fallback.source.as_str()).failed(format!(
                    "{} resumes with its configured default, which is another model",
                    seen.name.as_str()
                ))
            }
            Fact::Absent(why) | Fact::Unknown(why) => draft.unknown(format!(
                "{} resumes with its configured default, which is not known: {why}",
                seen.name.as_str()
            )),
        }
    })
}

pub(super) fn liveness(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::Liveness, "session_id").expected("nobody runs this session");
    with_store(at, draft, |draft, seen, _| {
        let draft = draft.source(format!("{}'s registry and the process table", seen.name.as_str()));
        match &seen.liveness {
            Liveness::NotRunning(proof) => draft.observed("not running").passed_with(proof.as_str()),
            Liveness::Running(owner) => {
                let since = owner.since.as_ref().map(|since| format!(" since {since}")).unwrap_or_default();
                let status = owner.status.as_ref().map(|status| format!(" ({status})")).unwrap_or_default();
                draft.observed(format!("pid {}{since}{status}", owner.pid)).failed(format!(
                    "process {} owns this session{since}: end it there, then check again",
                    owner.pid
                ))
            }
            Liveness::Unknown(why) => draft.unknown(why.as_str()),
        }
    })
}

/// Goes on only with a legal id in the harness's own shape: an unsafe id is never looked up.
fn with_store(
    at: &AtLane<'_>,
    draft: Draft,
    go_on: impl FnOnce(Draft, &HarnessEvidence, &str) -> Check,
) -> Check {
    match (&at.lane.session_id, &at.seen.harness) {
        (None, _) => draft.unknown("not looked up: no legal session id is recorded"),
        (_, None) => draft.unknown("not looked up: no known harness is recorded"),
        (Some(_), Some(seen)) if seen.in_shape != Some(true) => {
            draft.unknown(format!("not looked up: the id is not one of {}", seen.name.as_str()))
        }
        (Some(id), Some(seen)) => go_on(draft, seen, id.as_str()),
    }
}
