//! What is true of the project as a whole, and where its handoffs are looked for.

use std::path::{Path, PathBuf};

use super::{Examiner, ProjectFacts};
use crate::handoff::{Depth, Inert};
use crate::place::{Roots, Skipped};
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
    if let Some(asking) = told(repo.asking(), unknown) {
        let head = asking.head();
        facts.under_way = asking.under_way().cloned();
        facts.branch = head.branch().map(|name| name.as_str().into());
        facts.head = head.commit().map(ToString::to_string);
        if head.commit().is_none() {
            unknown.push("the branch has no commit yet (unborn)".into());
        }
    }
    facts.upstream = told(repo.upstream(), unknown).flatten();
    if with_dirty && let Some((dirty, own)) = dirty(examiner, &repo, unknown) {
        (facts.dirty, facts.dirty_handoffs) = (Some(dirty), own);
    }
    if let Some(owner) = repo.foreign_owner() {
        unknown.push(format!("the repository belongs to another user (uid {owner})").into());
    }
    facts
}

/// How many files are changed, and how many of the handoffs' own beside them.
fn dirty(examiner: &Examiner, repo: &Repo, unknown: &mut Vec<Inert>) -> Option<(usize, usize)> {
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
    let foreign = status.entries.iter().filter(|entry| !own.holds(entry.path.raw())).count();
    Some((foreign, status.entries.len() - foreign))
}

fn told<T>(answer: Result<T, RepoError>, unknown: &mut Vec<Inert>) -> Option<T> {
    answer.map_err(|why| unknown.push(why.to_string().into())).ok()
}

/// Where the scan must look: project, its repository's other worktrees, home, the settings' places. What cannot be
/// looked into is said with its reason: an error is no absence.
pub(super) fn roots(examiner: &Examiner) -> Roots {
    let (worktrees, unreached) = other_worktrees(examiner);
    Roots {
        project: examiner.project().to_owned(),
        worktrees,
        unreached,
        home: examiner.around().home.clone(),
        extra_places: examiner.settings().places.clone(),
        read_limit: Some(examiner.settings().read_limit),
        depth: Depth::Whole,
    }
}

/// Every registered worktree but the one that holds the project, the deepest first, so that a file of a worktree
/// that lies inside another one is named by its own; and those that are there and cannot be read.
fn other_worktrees(examiner: &Examiner) -> (Vec<PathBuf>, Vec<Skipped>) {
    let project = examiner.project();
    let unknown = |path: &Path, why: RepoError| match why {
        // Outside a repository there are no worktrees, and one that was removed has no handoffs.
        RepoError::None(_) => None,
        why => Some(Skipped { path: path.to_owned(), reason: why.to_string().into() }),
    };
    let repo = match examiner.repo_around(project) {
        Ok(repo) => repo,
        Err(why) => return (Vec::new(), unknown(project, why).into_iter().collect()),
    };
    let all = match repo.worktrees() {
        Ok(all) => all,
        Err(why) => return (Vec::new(), unknown(project, why).into_iter().collect()),
    };
    let (mut others, mut unreached) = (Vec::new(), Vec::new());
    for worktree in all {
        // A bare repository stands for a main worktree that does not exist.
        if worktree.path == repo.root() || worktree.path == repo.common_dir() {
            continue;
        }
        match worktree.head {
            Ok(_) => others.push(worktree.path),
            Err(why) => unreached.extend(unknown(&worktree.path, why)),
        }
    }
    others.sort_by_key(|path| std::cmp::Reverse(path.components().count()));
    (others, unreached)
}
