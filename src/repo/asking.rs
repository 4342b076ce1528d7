//! Many questions right after each other, about one HEAD.

use std::path::Path;
use std::sync::Arc;

use super::{BranchState, Head, PathFate, Relation, Repo, RepoError};
use crate::handoff::{BranchName, Inert, Revision};

/// One worktree at one HEAD, for the questions of one check: what gix may read was looked at once for all of them, and
/// HEAD was read once. For one thread and a short while; the next check makes another one.
pub struct Asking {
    repo: Arc<Repo>,
    local: gix::Repository,
    head: Head,
    at: Option<gix::ObjectId>,
}

impl Repo {
    /// Begins to ask.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the repository or its HEAD cannot be read.
    pub fn asking(self: &Arc<Self>) -> Result<Asking, RepoError> {
        let mut local = self.local()?;
        // Whether a new pack came is asked only where something is missing.
        local.objects.refresh_never();
        let head = self.head_by(&local)?;
        let at = head.commit().map(|id| self.object_id(id)).transpose()?;
        Ok(Asking { repo: Arc::clone(self), local, head, at })
    }
}

impl Asking {
    /// What HEAD is.
    pub fn head(&self) -> &Head {
        &self.head
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
        match self.repo.related(&self.local, self.at, to, most) {
            Ok(Relation::Missing) | Err(_) => self.repo.related(&self.repo.local()?, self.at, to, most),
            found => found,
        }
    }

    /// As [`Repo::branch`].
    ///
    /// # Errors
    /// Those of it.
    pub fn branch(&self, name: &BranchName) -> Result<BranchState, RepoError> {
        self.repo.branch_by(&self.local, &self.head, name)
    }

    /// As [`Repo::fates`], of paths where nothing lies in the worktree.
    ///
    /// # Errors
    /// Those of it.
    pub fn fates_of_missing(&self, paths: &[Inert], budget: usize) -> Result<Vec<PathFate>, RepoError> {
        self.repo.fates_of_missing(&self.local, self.at, paths, budget)
    }
}
