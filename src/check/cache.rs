//! What an examiner remembers: repositories opened once, and the dear answers they gave. Liveness is never here.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::handoff::{BranchName, Revision};
use crate::place::{Conventions, Listed};
use crate::policy::{Catalog, Manifest};
use crate::repo::{BranchState, Commit, Relation, Repo, RepoError, Status};

use super::activity::Worked;
use super::evidence::Seen;
use super::own::OwnFiles;

/// Answers by question. Two threads with the same question wait for one answer instead of asking twice; so what
/// is asked must not wait for a pool that these threads belong to.
pub(super) struct Memo<K, V> {
    slots: Mutex<HashMap<K, Arc<OnceLock<V>>>>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self { slots: Mutex::default() }
    }
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    /// The answer to a question, asked now if it is the first time.
    pub(super) fn get(&self, key: K, ask: impl FnOnce() -> V) -> V {
        let slot = {
            // A poisoned lock means that another question panicked; the map itself is whole.
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.entry(key).or_default())
        };
        slot.get_or_init(ask).clone()
    }

    /// Every answer so far.
    pub(super) fn answers(&self) -> Vec<V> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.values().filter_map(|slot| slot.get().cloned()).collect()
    }
}

/// An opened repository, or why it could not be opened.
pub(super) type Opened = Result<Arc<Repo>, RepoError>;

/// A worktree's root at one HEAD, and what was asked about it.
type AtHead<Q> = (PathBuf, String, Q);

/// What a repository answered.
type Told<T> = Result<T, RepoError>;

/// Everything that an examiner remembers until it is made afresh.
#[derive(Default)]
pub(super) struct Cache {
    /// Worktrees opened exactly where they were asked for.
    pub(super) exact: Memo<PathBuf, Opened>,
    /// Worktrees that contain a directory.
    pub(super) containing: Memo<PathBuf, Opened>,
    /// Worktree state by worktree root.
    pub(super) status: Memo<PathBuf, Told<Arc<Status>>>,
    /// The handoffs' own files, by worktree root and project.
    pub(super) own: Memo<(PathBuf, PathBuf), Arc<OwnFiles>>,
    /// How commits stand to HEAD, by worktree root, HEAD and commit.
    pub(super) relations: Memo<AtHead<Revision>, Told<Relation>>,
    /// The same without what came since.
    pub(super) standings: Memo<AtHead<Revision>, Told<Relation>>,
    /// What became of branches, by worktree root, HEAD and name.
    pub(super) branches: Memo<AtHead<BranchName>, Told<BranchState>>,
    /// The newest commits, by worktree root and HEAD.
    pub(super) logs: Memo<AtHead<()>, Told<Arc<Vec<Commit>>>>,
    /// Who worked in a worktree last, by its root.
    pub(super) worked: Memo<PathBuf, Arc<[Worked]>>,
    /// The table of conventions with the settings' places.
    pub(super) conventions: OnceLock<Arc<Conventions>>,
    /// The model catalog.
    pub(super) catalog: OnceLock<Seen<Catalog>>,
    /// The manifest of native skills.
    pub(super) manifest: OnceLock<Seen<Manifest>>,
    /// Every handoff of the project, for those that belong to one plan.
    pub(super) rows: OnceLock<Vec<Arc<Listed>>>,
    /// The live ones of them by plan directory, oldest first.
    pub(super) plans: OnceLock<HashMap<String, Vec<Arc<Listed>>>>,
    /// The files that are further parts of a handoff.
    pub(super) parts: OnceLock<HashSet<PathBuf>>,
}
