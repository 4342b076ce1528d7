//! Which paths the history ever held, and which commit touched each of them last.

use std::collections::HashMap;
use std::sync::Arc;

use gix::bstr::{BString, ByteSlice};
use gix::diff::tree::recorder::Change;
use gix::object::tree::diff::ChangeDetached;

use super::Walk;
use crate::repo::{Repo, RepoError, trees};

/// The newest thing that happened to a path, as far as commits were looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touched {
    /// The place of its commit in the walk's order.
    pub at: usize,
    /// It was taken away there.
    pub removed: bool,
}

/// Old names and new ones of one commit.
type Renames = Arc<Vec<(BString, BString)>>;

/// What commits did to paths, the newest first. Merges are passed over, as `git log --name-only` does: what they bring
/// together was done by the commits that they merge.
#[derive(Default)]
pub(crate) struct Changes {
    /// How many commits of the walk's order were looked at.
    looked_at: usize,
    touched: HashMap<BString, Touched>,
    renames: HashMap<usize, Renames>,
}

impl Changes {
    /// The newest thing that happened to a path in what was looked at.
    pub(in crate::repo) fn of(&self, path: &[u8]) -> Option<Touched> {
        self.touched.get(path.as_bstr()).copied()
    }

    /// How many commits were looked at.
    pub(in crate::repo) fn looked_at(&self) -> usize {
        self.looked_at
    }

    /// Looks at commits until `many` were; those are walked first.
    pub(in crate::repo) fn reach(
        &mut self,
        repo: &Repo,
        local: &gix::Repository,
        walk: &mut Walk,
        many: usize,
    ) -> Result<(), RepoError> {
        walk.reach(repo, local, many)?;
        let mut state = gix::diff::tree::State::default();
        while self.looked_at < many.min(walk.len()) {
            let at = self.looked_at;
            if let Some(entry) = walk.nth(at).filter(|entry| entry.parents.len() < 2) {
                let before = entry.parents.first().and_then(|&parent| walk.entry(parent));
                let before = before.map(|before| before.tree);
                let changes = trees::between(local, &mut state, before, entry.tree)
                    .map_err(|why| RepoError::refused(format!("the history cannot be read: {why}")))?;
                for change in changes {
                    let (path, removed) = match change {
                        Change::Deletion { path, .. } => (path, true),
                        Change::Addition { path, .. } | Change::Modification { path, .. } => (path, false),
                    };
                    self.touched.entry(path).or_insert(Touched { at, removed });
                }
            }
            self.looked_at += 1;
        }
        Ok(())
    }

    /// What was renamed in the commit at a place, told once.
    pub(in crate::repo) fn renames(
        &mut self,
        repo: &Repo,
        local: &gix::Repository,
        walk: &Walk,
        at: usize,
    ) -> Result<Renames, RepoError> {
        if let Some(known) = self.renames.get(&at) {
            return Ok(Arc::clone(known));
        }
        let pair = walk.nth(at).and_then(|entry| {
            let before = entry.parents.first().and_then(|&parent| walk.entry(parent))?;
            Some((before.id, entry.id))
        });
        let mut renamed = Vec::new();
        if let Some((before, after)) = pair {
            let changes =
                trees::renames(local, before, after).map_err(|error| repo.refused("the history", &error))?;
            renamed.extend(changes.into_iter().filter_map(|change| match change {
                ChangeDetached::Rewrite { source_location, location, copy: false, .. } => {
                    Some((source_location, location))
                }
                _ => None,
            }));
        }
        let renamed = Arc::new(renamed);
        self.renames.insert(at, Arc::clone(&renamed));
        Ok(renamed)
    }
}
