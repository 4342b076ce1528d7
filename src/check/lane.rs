//! Gathers evidence about one lane: its worktree, its files, its harness and session.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cache::Opened;
use super::evidence::{Fact, HarnessEvidence, LaneEvidence, Seen, WorktreeSeen};
use super::native;
use super::survey::{Survey, directory_id, disk_fact, repo_error};
use crate::disk::Kind;
use crate::handoff::{HarnessName, Inert, Lane, Revision};
use crate::harness::{self, Harness, Liveness, Session};
use crate::repo::RepoError;

/// How much later than the saved time activity counts as later, in seconds.
pub(super) const GRACE: i64 = 180;

/// Reads everything that the judge needs about one lane.
pub(super) fn survey(survey: &Survey<'_>, lane: &Lane) -> LaneEvidence {
    let (worktree, repo) = match worktree(survey, lane) {
        Some((seen, repo)) => (Some(seen), repo),
        None => (None, Err(RepoError::Refused("no legal worktree is recorded".to_owned()))),
    };
    let place = lane.worktree.as_ref().map_or("the lane's worktree", |path| path.as_str());
    let asking = repo.clone().and_then(|repo| repo.asking());
    let head = match &asking {
        Ok(asking) => Seen::known(asking.head().clone(), format!("HEAD of {place}")),
        // Why the worktree cannot be opened is that check's own finding; branch and commit are then unknown.
        Err(why) => Seen::unknown(why.to_string(), format!("HEAD of {place}")),
    };
    let since = lane.head.as_ref().and_then(|recorded| {
        let since = survey.since(asking.as_ref(), &head, &Revision::from(recorded.clone()));
        since.value().cloned()
    });
    let evidence = lane
        .evidence_paths
        .iter()
        .map(|path| (path.clone(), survey.contained(path, |beneath| beneath.kind(path).map(drop))))
        .collect();
    let harness = lane.harness.map(|name| {
        let directory = worktree.as_ref().and_then(|seen| seen.value()).map(|seen| seen.path.as_path());
        ask_harness(survey, lane, name, directory)
    });
    let run = native::run_record(survey, lane);
    let record = run.as_ref().and_then(Seen::value);
    LaneEvidence {
        native: native::survey(survey, lane, record),
        run,
        head,
        since,
        artifact: lane.artifact.as_ref().map(|path| survey.digest(path)),
        evidence,
        harness,
        worktree,
    }
}

/// The lane's worktree: beneath the root, a directory, and one of this repository's own, registered both ways.
fn worktree(survey: &Survey<'_>, lane: &Lane) -> Option<(Seen<WorktreeSeen>, Opened)> {
    let recorded = lane.worktree.as_ref()?;
    let source = format!("git's registration of {recorded}, both ways");
    let refuse = |why: &str| Err(RepoError::Refused(why.to_owned()));
    let kind = survey.contained(recorded, |beneath| beneath.kind(recorded).map(|(kind, _)| kind));
    match &kind.fact {
        Fact::Known(Kind::Directory) => {}
        Fact::Known(_) => {
            let why = format!("{recorded} is not a directory");
            return Some((Seen::absent(why.as_str(), source), refuse(&why)));
        }
        Fact::Absent(why) => return Some((Seen::absent(why.as_str(), source), refuse(why))),
        Fact::Unknown(why) => return Some((Seen::unknown(why.as_str(), source), refuse(why))),
    }
    let repo = match &survey.repo {
        Ok(repo) => repo,
        Err(why) => return Some((repo_error(why, source), Err(why.clone()))),
    };
    // Opened anew each time: a registration can change.
    match repo.linked(&survey.root.join(recorded.as_path())).map(Arc::new) {
        Ok(found) => {
            let is_root = found.root() == repo.root();
            let seen = WorktreeSeen { path: found.root().to_owned(), is_root };
            Some((Seen::known(seen, source), Ok(found)))
        }
        // The repository itself could be read, so this refusal is about the worktree: it is not one of its own.
        Err(why) => Some((Seen::absent(why.to_string(), source), Err(why))),
    }
}

fn ask_harness(
    survey: &Survey<'_>,
    lane: &Lane,
    name: HarnessName,
    worktree: Option<&Path>,
) -> HarnessEvidence {
    let around = survey.examiner.around();
    let harness = harness::of(name);
    let form = harness.form();
    let in_shape = lane.session_id.as_ref().map(|id| harness.owns_shape(id));
    let safe = lane.session_id.as_ref().filter(|_| in_shape == Some(true));
    let store = format!("{}'s session store", name.as_str());
    let not_asked = "not looked up: no safe session id";
    let session = match safe {
        Some(id) => Seen::answer(harness.session(around, id), store.as_str()),
        None => Seen::unknown(not_asked, store.as_str()),
    };
    let liveness = match safe {
        Some(id) => harness.liveness(around, id),
        None => Liveness::Unknown(not_asked.to_owned()),
    };
    HarnessEvidence {
        name,
        program: program(survey, name, worktree),
        shape: harness.shape(),
        in_shape,
        same_directory: same_directory(&session, worktree),
        fallback: fallback(survey, harness, form.as_ref().is_ok_and(|form| form.keeps_model), worktree),
        session: located(session),
        form,
        liveness,
    }
}

/// A found session names its own file as its source.
fn located(session: Seen<Session>) -> Seen<Session> {
    match session.fact {
        Fact::Known(found) => {
            let source = found.store.display().to_string();
            Seen::known(found, source)
        }
        fact => Seen { fact, ..session },
    }
}

/// The program, outside everything that the repository could have put there.
fn program(survey: &Survey<'_>, name: HarnessName, worktree: Option<&Path>) -> Seen<harness::Program> {
    let mut not_inside: Vec<PathBuf> = vec![survey.root.to_owned()];
    not_inside.extend(worktree.map(Path::to_owned));
    if let Ok(repo) = &survey.repo {
        not_inside.extend([repo.root().to_owned(), repo.common_dir().to_owned()]);
        not_inside.extend(repo.worktrees().unwrap_or_default().into_iter().map(|worktree| worktree.path));
    }
    let answer = harness::program(survey.examiner.around(), name.as_str(), &not_inside);
    Seen::answer(answer, "PATH")
}

/// Whether the session worked in the lane's worktree, by file identity.
fn same_directory(session: &Seen<Session>, worktree: Option<&Path>) -> Seen<bool> {
    let source = "file identity of both directories";
    let Some(cwd) = session.value().and_then(|session| session.cwd.as_deref()) else {
        return Seen::unknown("the session's directory is not known", source);
    };
    let Some(worktree) = worktree else {
        return Seen::unknown("the lane's worktree is not known", source);
    };
    match (directory_id(cwd), directory_id(worktree)) {
        (Ok(a), Ok(b)) => Seen::known(a == b, source),
        (Err(why), _) | (_, Err(why)) => disk_fact(&why, source),
    }
}

/// The model that answers where the harness does not keep the session's own: it would be started in the worktree.
fn fallback(
    survey: &Survey<'_>,
    harness: &dyn Harness,
    keeps_model: bool,
    worktree: Option<&Path>,
) -> Seen<Inert> {
    let source = format!("{}'s configuration", harness.name().as_str());
    if keeps_model {
        return Seen::unknown("not needed: the session keeps its own model", source);
    }
    let directory = worktree.unwrap_or(survey.root);
    Seen::answer(harness.fallback_model(survey.examiner.around(), directory), source)
}

/// Sessions that went on after the handoff was saved: one sentence each.
pub(super) fn activity_after_saving(survey: &Survey<'_>, lanes: &[LaneEvidence]) -> Vec<Inert> {
    let Some(saved) = &survey.handoff.saved_at else { return Vec::new() };
    let saved = saved.moment.order_key(0);
    let sessions = lanes.iter().filter_map(|lane| lane.harness.as_ref()?.session.value());
    sessions
        .filter_map(|session| {
            let last = session.last_at.as_deref()?;
            let at = chrono::DateTime::parse_from_rfc3339(last).ok()?.timestamp();
            let name = session.ids_inside.first()?;
            (at > saved + GRACE).then(|| format!("session {name} went on after saving, until {last}").into())
        })
        .collect()
}
