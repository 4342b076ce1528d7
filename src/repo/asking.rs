//! Many questions right after each other, about one HEAD.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::beforehand::SERVES;
use super::{BranchState, Head, PathFate, Relation, Repo, RepoError};
use crate::handoff::{BranchName, Inert, Revision};

/// One worktree at one HEAD, for the questions of one check: what gix may read was looked at once for all of them, and
/// HEAD was read once. For one thread and a short while: a check that comes right after it goes on with the same.
pub struct Asking {
    repo: Arc<Repo>,
    /// Taken only when it is dropped.
    begun: Option<Begun>,
}

/// What was read when it was begun to ask.
struct Begun {
    local: gix::Repository,
    head: Head,
    at: Option<gix::ObjectId>,
    under_way: Option<Inert>,
    when: Instant,
}

/// What was begun and is not asked by anybody, at most one for each thread that asks.
#[derive(Default)]
pub(super) struct Shelf(Mutex<Vec<Begun>>);

impl Shelf {
    /// One that was begun a moment ago; older ones are thrown away.
    fn take(&self) -> Option<Begun> {
        let mut begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        begun.retain(|begun| begun.when.elapsed() < SERVES);
        begun.pop()
    }

    fn put(&self, begun: Begun) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(begun);
    }
}

impl Repo {
    /// Begins to ask.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the repository or its HEAD cannot be read.
    pub fn asking(self: &Arc<Self>) -> Result<Asking, RepoError> {
        let begun = self.shelf().take().map_or_else(|| self.begin(), Ok)?;
        Ok(Asking { repo: Arc::clone(self), begun: Some(begun) })
    }

    fn begin(&self) -> Result<Begun, RepoError> {
        let when = Instant::now();
        let mut local = self.local()?;
        // Whether a new pack came is asked only where something is missing.
        local.objects.refresh_never();
        let head = self.head_by(&local)?;
        let at = head.commit().map(|id| self.object_id(id)).transpose()?;
        let under_way = self.under_way(&local).map(Inert::new);
        Ok(Begun { local, head, at, under_way, when })
    }
}

impl Asking {
    fn begun(&self) -> &Begun {
        self.begun.as_ref().expect("it is taken only when this is dropped")
    }

    /// What HEAD is.
    pub fn head(&self) -> &Head {
        &self.begun().head
    }

    /// What git has begun here and not ended, as words: `a rebase of feat/x`, `a merge`.
    pub fn under_way(&self) -> Option<&Inert> {
        self.begun().under_way.as_ref()
    }

    /// The worktree's root.
    pub fn root(&self) -> &Path {
        self.repo.root()
    }

    /// As [`Repo::relation`].
    ///
    /// # Errors
    /// Those of it.
    pub fn relation(&self, to: &Revision, most: usize) -> Result<Relation, RepoError> {
        self.related(to, Some(most))
    }

    /// The same without what came since: [`Relation::Ahead`] lists and counts nothing.
    ///
    /// # Errors
    /// Those of [`Repo::relation`].
    pub fn relation_alone(&self, to: &Revision) -> Result<Relation, RepoError> {
        self.related(to, None)
    }

    fn related(&self, to: &Revision, most: Option<usize>) -> Result<Relation, RepoError> {
        let Begun { local, at, .. } = self.begun();
        match self.repo.related(local, *at, to, most) {
            Ok(Relation::Missing) | Err(_) => self.repo.related(&self.repo.local()?, *at, to, most),
            found => found,
        }
    }

    /// As [`Repo::branch`].
    ///
    /// # Errors
    /// Those of it.
    pub fn branch(&self, name: &BranchName) -> Result<BranchState, RepoError> {
        let Begun { local, head, .. } = self.begun();
        self.repo.branch_by(local, head, name)
    }

    /// As [`Repo::fates`], of paths where nothing lies in the worktree.
    ///
    /// # Errors
    /// Those of it.
    pub fn fates_of_missing(&self, paths: &[Inert], budget: usize) -> Result<Vec<PathFate>, RepoError> {
        let Begun { local, at, .. } = self.begun();
        self.repo.fates_of_missing(local, *at, paths, budget)
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        if let Some(begun) = self.begun.take() {
            self.repo.shelf().put(begun);
        }
    }
}
