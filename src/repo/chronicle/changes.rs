//! Which paths the history ever held, and which commit touched each of them last.

use std::collections::HashMap;
use std::sync::Arc;

use gix::bstr::{BString, ByteSlice};
use gix::diff::tree::recorder::Change;

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
        let from = self.looked_at;
        let pairs: Vec<Pair> = (from..many.min(walk.len())).map(|at| Pair::of(walk, at)).collect();
        // The trees of one half are read by this thread, which keeps them for the questions that follow.
        let (here, there) = match pairs.len() {
            0..MANY => (pairs.as_slice(), [].as_slice()),
            many => pairs.split_at(many / 2),
        };
        let other = (!there.is_empty()).then(|| local.clone());
        let (first, second) = std::thread::scope(|scope| {
            let second = other.map(|local| scope.spawn(move || what_changed(&local, there)));
            let first = what_changed(local, here);
            (first, second.map(|thread| thread.join()))
        });
        let second = match second {
            None => Ok(Vec::new()),
            Some(Ok(changes)) => changes,
            Some(Err(_)) => Err("the thread that read it ended early".to_owned()),
        };
        let both = first.and_then(|first| Ok([first, second?]));
        let both = both.map_err(|why| RepoError::refused(format!("the history cannot be read: {why}")))?;
        for (at, changes) in (from..).zip(both.into_iter().flatten()) {
            for (path, removed) in changes {
                self.touched.entry(path).or_insert(Touched { at, removed });
            }
        }
        self.looked_at = from + pairs.len();
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
            let names = changes.iter().filter_map(trees::renamed);
            renamed.extend(names.map(|(from, to)| (from.clone(), to.clone())));
        }
        let renamed = Arc::new(renamed);
        self.renames.insert(at, Arc::clone(&renamed));
        Ok(renamed)
    }
}

/// How many commits are worth another thread.
const MANY: usize = 512;

/// The trees of a commit and of the one before it; none of a merge.
struct Pair(Option<(Option<gix::ObjectId>, gix::ObjectId)>);

impl Pair {
    fn of(walk: &Walk, at: usize) -> Self {
        let entry = walk.nth(at).filter(|entry| entry.parents.len() < 2);
        Self(entry.map(|entry| {
            let before = entry.parents.first().and_then(|&parent| walk.entry(parent));
            (before.map(|before| before.tree), entry.tree)
        }))
    }
}

/// The paths that each pair of trees differs in, and whether they were taken away.
type Changed = Vec<(BString, bool)>;

fn what_changed(local: &gix::Repository, pairs: &[Pair]) -> Result<Vec<Changed>, String> {
    let mut state = gix::diff::tree::State::default();
    let each = pairs.iter().map(|Pair(trees)| {
        let Some((before, after)) = *trees else { return Ok(Vec::new()) };
        let changes = trees::between(local, &mut state, before, after)?.into_iter();
        let changes = changes.map(|change| match change {
            Change::Deletion { path, .. } => (path, true),
            Change::Addition { path, .. } | Change::Modification { path, .. } => (path, false),
        });
        Ok(changes.collect())
    });
    each.collect()
}
