//! What is asked of a repository once and told to every handoff that asks the same.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Examiner;
use super::activity::{self, Worked};
use super::cache::Opened;
use super::clock::BUDGET;
use super::drift::NAMED;
use super::own::OwnFiles;
use crate::handoff::{BranchName, Revision};
use crate::place::Conventions;
use crate::repo::{Asking, BranchState, Commit, Person, Relation, Repo, RepoError, Status};

/// A question about one worktree at one HEAD.
fn at_head<Q>(asking: &Asking, question: Q) -> (PathBuf, String, Q) {
    let head = asking.head().commit().map(|head| head.as_str().to_owned());
    (asking.root().to_owned(), head.unwrap_or_default(), question)
}

impl Examiner {
    /// The table of conventions with the settings' places.
    pub(super) fn conventions(&self) -> Arc<Conventions> {
        let make = || Arc::new(Conventions::with(&self.settings().places));
        Arc::clone(self.cache.conventions.get_or_init(make))
    }

    /// The handoffs' own files of a project in its repository.
    pub(super) fn own_files(&self, repo: &Repo, project: &Path) -> Arc<OwnFiles> {
        let make = || Arc::new(OwnFiles::new(self.conventions(), repo.root(), project));
        self.cache.own.get((repo.root().to_owned(), project.to_owned()), make)
    }

    /// The worktree whose root is exactly this directory, opened once.
    pub(super) fn repo_at(&self, dir: &Path) -> Opened {
        self.cache.exact.get(dir.to_owned(), || Repo::open(dir).map(Arc::new))
    }

    /// The worktree that contains this directory, opened once.
    pub(super) fn repo_around(&self, dir: &Path) -> Opened {
        self.cache.containing.get(dir.to_owned(), || {
            let repo = Repo::containing(dir)?;
            // One worktree, one opened repository: through whichever door it was asked for first.
            let root = repo.root().to_owned();
            self.cache.exact.get(root, || Ok(Arc::new(repo)))
        })
    }

    /// The worktree's state, told once.
    pub(super) fn status(&self, repo: &Repo) -> Result<Arc<Status>, RepoError> {
        let ask = || repo.status_for(&self.person()).map(Arc::new);
        self.cache.status.get(repo.root().to_owned(), ask)
    }

    /// Whose settings and rules git would go by here.
    pub fn person(&self) -> Person {
        let around = self.around();
        Person::of(around.home.clone(), |name| around.vars.get(OsStr::new(name)).cloned())
    }

    /// How a commit stands to HEAD, told once for each HEAD.
    pub(super) fn relation(&self, asking: &Asking, to: &Revision) -> Result<Relation, RepoError> {
        self.cache.relations.get(at_head(asking, to.clone()), || asking.relation(to, NAMED))
    }

    /// The same without what came since, which takes the comparing of all files.
    pub(super) fn relation_alone(&self, asking: &Asking, to: &Revision) -> Result<Relation, RepoError> {
        self.cache.standings.get(at_head(asking, to.clone()), || asking.relation_alone(to))
    }

    /// What became of a branch, told once for each HEAD.
    pub(super) fn branch(&self, asking: &Asking, name: &BranchName) -> Result<BranchState, RepoError> {
        self.cache.branches.get(at_head(asking, name.clone()), || asking.branch(name))
    }

    /// Who worked last in the worktree at `root`, told once; `nested` names the worktrees inside it.
    pub(super) fn worked_in(&self, root: &Path, nested: impl FnOnce() -> Vec<PathBuf>) -> Arc<[Worked]> {
        self.cache.worked.get(root.to_owned(), || activity::last(self.around(), root, &nested()))
    }

    /// The newest commits of HEAD, told once for each HEAD.
    pub(super) fn log(&self, repo: &Repo, head: &str) -> Result<Arc<Vec<Commit>>, RepoError> {
        let key = (repo.root().to_owned(), head.to_owned(), ());
        self.cache.logs.get(key, || repo.log(BUDGET).map(Arc::new))
    }
}
