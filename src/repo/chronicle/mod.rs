//! HEAD's history, walked once for all questions about it, and only as far as they need.
//!
//! What became of a thousand paths, how a thousand recorded commits stand to HEAD and where branches were merged are
//! questions about the same commits: each is read once and kept by its id, tree, parents, time and subject (no text).
//! A question that is answered by the newest commits reads no more than those.
//!
//! | file | what it answers |
//! |---|---|
//! | `walk` | the commits, newest first, and how one stands to HEAD |
//! | `changes` | which paths commits touched, and what was renamed in one |
//! | `differing` | which files a state differs in from HEAD's |
//! | `taken_in` | since which commit all that another one changed is in it |
//! | `elsewhere` | which reference has a commit that HEAD has not |

mod changes;
mod differing;
mod elsewhere;
mod taken_in;
mod walk;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use changes::Changes;
use differing::Differing;
pub(super) use elsewhere::Elsewhere;
use gix::odb::pack::cache::lru::MemoryCappedHashmap;
pub(super) use walk::{Since, Standing, Walk};

use super::{Repo, RepoError, Walked};

/// How many commits are kept at most. A history that is longer is asked by git's own means where it must be whole, and
/// told as not looked through where it need not.
pub(super) const MOST: usize = 50_000;

/// How much of objects is kept at hand for questions about a history, in bytes.
const TREES_KEPT: usize = 24 * 1024 * 1024;

/// How much of what they are told apart by, in bytes.
const BASES_KEPT: usize = 16 * 1024 * 1024;

/// The history of one HEAD.
pub(super) struct Chronicle {
    head: gix::ObjectId,
    read: Mutex<Read>,
}

/// What was read of it so far.
pub(super) struct Read {
    /// Reads objects, and keeps the trees that it read last: questions look at the same ones again and again.
    pub(super) objects: gix::Repository,
    pub(super) walk: Walk,
    pub(super) changes: Changes,
    pub(super) differing: Differing,
    pub(super) elsewhere: Option<Elsewhere>,
}

/// How much of the history was walked, for whoever wants to know.
#[derive(Debug, Default)]
pub(super) struct Counts {
    walks: AtomicUsize,
    commits: AtomicUsize,
}

impl Counts {
    pub(super) fn walk(&self) {
        self.walks.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn commit(&self) {
        self.commits.fetch_add(1, Ordering::Relaxed);
    }
}

impl Chronicle {
    /// What was read so far, for one question at a time.
    pub(super) fn read(&self) -> MutexGuard<'_, Read> {
        // A poisoned lock means that another question panicked: what was read until then is still so.
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Repo {
    /// The history of `head`. A HEAD that moved has another one.
    pub(super) fn chronicle(&self, head: gix::ObjectId) -> Result<Arc<Chronicle>, RepoError> {
        let mut kept = self.kept().lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.as_ref().filter(|known| known.head == head) {
            return Ok(Arc::clone(known));
        }
        let mut objects = self.local_with(TREES_KEPT)?;
        // Old trees are kept as differences to others: each of those is unpacked once, too.
        objects.objects.set_pack_cache(|| Box::new(MemoryCappedHashmap::new(BASES_KEPT)));
        let walk = Walk::from(self, &objects, head)?;
        let read = Read {
            objects,
            walk,
            changes: Changes::default(),
            differing: Differing::default(),
            elsewhere: None,
        };
        let fresh = Arc::new(Chronicle { head, read: Mutex::new(read) });
        *kept = Some(Arc::clone(&fresh));
        Ok(fresh)
    }

    /// How much of the history was walked since this repository was opened: one walk serves every question about one
    /// HEAD.
    pub fn walked(&self) -> Walked {
        let counts = self.counts();
        Walked {
            walks: counts.walks.load(Ordering::Relaxed),
            commits: counts.commits.load(Ordering::Relaxed),
        }
    }
}
