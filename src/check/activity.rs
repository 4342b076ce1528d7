//! Sessions that were gone on with in the worktree after a handoff was saved: it is then not the last word.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::since::bounds;
use super::survey::Survey;
use crate::handoff::{HarnessName, Inert, SessionId};
use crate::harness::{self, Answer, Surroundings};

/// How many sessions of a store are read for the one that was gone on with last: a file may have been touched since.
const READ: usize = 3;

/// The session of a harness that was gone on with last in a worktree.
#[derive(Debug)]
pub(super) struct Worked {
    harness: HarnessName,
    session: SessionId,
    /// When, in seconds since 1970.
    at: i64,
    /// The same as its store writes it.
    written: String,
}

/// One sentence for each harness with a session that was gone on with here after the handoff was saved.
pub(super) fn after_saving(survey: &Survey<'_>) -> Vec<Inert> {
    if !survey.is_about_here {
        return Vec::new();
    }
    let root = survey.repo.as_ref().map_or(survey.root, |repo| repo.root());
    let worked = survey.examiner.worked_in(root, || nested(survey, root));
    let (surely_later, _) = bounds(&survey.row.saved_at.moment);
    let later = worked.iter().filter(|worked| worked.at > surely_later);
    later
        .map(|Worked { harness, session, written, .. }| {
            let name = harness.as_str();
            format!("a {name} session went on here after it was saved, until {written}: {session}").into()
        })
        .collect()
}

/// Other worktrees that lie inside this one: what is done in them is not done here.
fn nested(survey: &Survey<'_>, root: &Path) -> Vec<PathBuf> {
    let all = survey.repo.as_ref().map(|repo| repo.worktrees().unwrap_or_default()).unwrap_or_default();
    all.into_iter()
        .map(|worktree| worktree.path)
        .filter(|path| path != root && path.starts_with(root))
        .collect()
}

/// The last session of each harness in the worktree at `root`, by its store; the session that asks is none.
pub(super) fn last(around: &Surroundings, root: &Path, nested: &[PathBuf]) -> Arc<[Worked]> {
    let is_here = |cwd: &Path| {
        let real = cwd.canonicalize().unwrap_or_else(|_| cwd.to_owned());
        real.starts_with(root) && !nested.iter().any(|other| real.starts_with(other))
    };
    HarnessName::ALL.into_iter().filter_map(|name| last_of(around, name, &is_here)).collect()
}

fn last_of(around: &Surroundings, name: HarnessName, is_here: &dyn Fn(&Path) -> bool) -> Option<Worked> {
    let harness = harness::of(name);
    let asks =
        harness.session_variable().and_then(|variable| around.vars.get(OsStr::new(variable))?.to_str());
    let Answer::Found(sessions) = harness.last_written(around, is_here, READ) else { return None };
    let worked = sessions.into_iter().filter(|id| asks != Some(id.as_str())).filter_map(|session| {
        let Answer::Found(found) = harness.session(around, &session) else { return None };
        let written = found.last_at?;
        let at = chrono::DateTime::parse_from_rfc3339(&written).ok()?.timestamp();
        Some(Worked { harness: name, session, at, written })
    });
    worked.max_by_key(|worked| worked.at)
}
