//! What is true of the project as a whole, and where its handoffs are looked for.

use super::{Examiner, ProjectFacts};
use crate::handoff::Inert;
use crate::place::Roots;
use crate::repo::{Repo, RepoError};

/// The project's facts; what cannot be told is said in sentences.
pub(super) fn facts(examiner: &Examiner, with_dirty: bool) -> ProjectFacts {
    let mut facts = ProjectFacts { root: examiner.project().to_owned(), ..ProjectFacts::default() };
    let repo = match examiner.repo_around(examiner.project()) {
        Ok(repo) => repo,
        Err(why) => {
            facts.unknown.push(why.to_string().into());
            return facts;
        }
    };
    let unknown = &mut facts.unknown;
    facts.repository = told(repo.identity(), unknown).map(|identity| identity.text);
    if let Some(head) = told(repo.head(), unknown) {
        facts.branch = head.branch().map(|name| name.as_str().into());
        facts.head = head.commit().map(ToString::to_string);
        if head.commit().is_none() {
            unknown.push("the branch has no commit yet (unborn)".into());
        }
    }
    facts.upstream = told(repo.upstream(), unknown).flatten();
    if with_dirty {
        facts.dirty = dirty(examiner, &repo, unknown);
    }
    if let Some(owner) = repo.foreign_owner() {
        unknown.push(format!("the repository belongs to another user (uid {owner})").into());
    }
    facts
}

fn dirty(examiner: &Examiner, repo: &Repo, unknown: &mut Vec<Inert>) -> Option<usize> {
    let status = told(examiner.status(repo), unknown)?;
    let own = examiner.own_files(repo, examiner.project());
    if !status.not_compared.is_empty() {
        unknown.push(
            format!("{} changed file(s) not compared: a filter is set for them", status.not_compared.len())
                .into(),
        );
    }
    if status.submodules > 0 {
        unknown.push(format!("{} submodule(s) not compared", status.submodules).into());
    }
    Some(status.entries.iter().filter(|entry| !own.holds(entry.path.raw())).count())
}

fn told<T>(answer: Result<T, RepoError>, unknown: &mut Vec<Inert>) -> Option<T> {
    answer.map_err(|why| unknown.push(why.to_string().into())).ok()
}

/// Where the scan must look: project, its repository's other worktrees, home, the settings' places.
pub(super) fn roots(examiner: &Examiner) -> Roots {
    let project = examiner.project();
    let real = project.canonicalize().unwrap_or_else(|_| project.to_owned());
    let worktrees = examiner.repo_around(project).and_then(|repo| repo.worktrees()).unwrap_or_default();
    let others = worktrees
        .into_iter()
        .filter(|worktree| worktree.head.is_ok())
        .map(|worktree| worktree.path)
        // A project that lies deeper in its repository is inside the main worktree: that one is not scanned.
        .filter(|path| !real.starts_with(path));
    Roots {
        project: project.to_owned(),
        worktrees: others.collect(),
        home: examiner.around().home.clone(),
        extra_places: examiner.settings().places.clone(),
        read_limit: Some(examiner.settings().read_limit),
    }
}
