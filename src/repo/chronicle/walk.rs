//! The commits of HEAD, newest first, read one by one.

use std::cmp::Reverse;
use std::collections::hash_map::Entry as Slot;
use std::collections::{BinaryHeap, HashMap};

use gix::bstr::ByteSlice;

use super::{MOST, taken_in};
use crate::handoff::Inert;
use crate::repo::{AsNow, Commit, Repo, RepoError};

/// The most that is kept of a subject, in bytes.
const LONGEST_SUBJECT: usize = 1024;

/// One commit, without its message's body.
pub(crate) struct Entry {
    /// Its id.
    pub id: gix::ObjectId,
    /// The tree that it holds.
    pub tree: gix::ObjectId,
    /// Its parents by their places among the entries; none until the walk has gone past it.
    pub parents: Vec<usize>,
    /// Committer time, seconds since 1970.
    pub time: i64,
    /// First line of its message, cut where it is very long.
    pub subject: Box<str>,
}

impl Entry {
    /// As it is listed.
    pub(in crate::repo) fn listed(&self, repo: &Repo) -> Result<Commit, RepoError> {
        Ok(Commit { id: repo.commit_id(&self.id)?, subject: Inert::new(&*self.subject), time: self.time })
    }
}

/// A commit whose parents are not read yet; the newest goes first, of two at once the one that was met first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    time: i64,
    entry: Reverse<usize>,
    parents: Vec<gix::ObjectId>,
}

/// The walk, as far as it went.
pub(crate) struct Walk {
    entries: Vec<Entry>,
    places: HashMap<gix::ObjectId, usize>,
    /// The entries that the walk has gone past, in its order.
    order: Vec<usize>,
    waiting: BinaryHeap<Waiting>,
    begun: bool,
}

/// The commits that HEAD has and another one has not.
pub(crate) struct Since {
    /// The newest of them, as many as were asked for.
    pub commits: Vec<Commit>,
    /// How many there are.
    pub count: usize,
}

/// How a commit stands to HEAD.
pub(crate) enum Standing {
    /// HEAD has it.
    Within(Since),
    /// HEAD has it not.
    Beside {
        /// Commits that HEAD has and it has not.
        ahead: usize,
        /// Commits that it has and HEAD has not.
        behind: usize,
        /// How it is in HEAD's history all the same.
        as_now: Option<AsNow>,
    },
    /// The history is too long to be kept: it has to be asked by a walk of its own.
    TooFar,
}

impl Walk {
    /// Begins at a commit.
    pub(super) fn from(repo: &Repo, local: &gix::Repository, head: gix::ObjectId) -> Result<Self, RepoError> {
        let mut walk = Self {
            entries: Vec::new(),
            places: HashMap::new(),
            order: Vec::new(),
            waiting: BinaryHeap::new(),
            begun: false,
        };
        walk.meet(repo, local, head)?;
        Ok(walk)
    }

    /// The entries gone past, newest first.
    pub(in crate::repo) fn order(&self) -> impl Iterator<Item = &Entry> {
        self.order.iter().filter_map(|&at| self.entries.get(at))
    }

    /// The entry at a place of the order.
    pub(in crate::repo) fn nth(&self, at: usize) -> Option<&Entry> {
        self.order.get(at).and_then(|&entry| self.entries.get(entry))
    }

    /// The entry of a parent.
    pub(in crate::repo) fn entry(&self, at: usize) -> Option<&Entry> {
        self.entries.get(at)
    }

    /// How many commits were gone past.
    pub(in crate::repo) fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is nothing more to go past.
    pub(in crate::repo) fn is_whole(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Goes on until `many` commits were gone past, as far as there are so many; never past [`MOST`].
    pub(in crate::repo) fn reach(
        &mut self,
        repo: &Repo,
        local: &gix::Repository,
        many: usize,
    ) -> Result<(), RepoError> {
        while self.order.len() < many.min(MOST) && self.step(repo, local)? {}
        Ok(())
    }

    /// Goes past one commit; says whether there was one.
    fn step(&mut self, repo: &Repo, local: &gix::Repository) -> Result<bool, RepoError> {
        if !self.begun {
            self.begun = true;
            repo.counts().walk();
        }
        let Some(next) = self.waiting.pop() else { return Ok(false) };
        let mut parents = Vec::with_capacity(next.parents.len());
        for &parent in &next.parents {
            match self.meet(repo, local, parent) {
                Ok(place) => parents.push(place),
                Err(why) => {
                    // As it was: the next question is refused for the same reason, and is not told half of it.
                    self.waiting.push(next);
                    return Err(why);
                }
            }
        }
        if let Some(entry) = self.entries.get_mut(next.entry.0) {
            entry.parents = parents;
        }
        self.order.push(next.entry.0);
        Ok(true)
    }

    /// Reads a commit unless it was met before; gives its place.
    fn meet(&mut self, repo: &Repo, local: &gix::Repository, id: gix::ObjectId) -> Result<usize, RepoError> {
        if let Some(&place) = self.places.get(&id) {
            return Ok(place);
        }
        let (entry, parents) = read(repo, local, id)?;
        let place = self.entries.len();
        self.waiting.push(Waiting { time: entry.time, entry: Reverse(place), parents });
        self.entries.push(entry);
        self.places.insert(id, place);
        Ok(place)
    }

    /// Whether a commit was met.
    pub(super) fn knows(&self, id: &gix::ObjectId) -> bool {
        self.places.contains_key(id)
    }

    /// How a commit of this repository stands to HEAD; lists at most `most` commits. Without `most`, what came since is
    /// not even counted.
    pub(in crate::repo) fn standing(
        &mut self,
        repo: &Repo,
        local: &gix::Repository,
        id: gix::ObjectId,
        most: Option<usize>,
    ) -> Result<Standing, RepoError> {
        let mut far = 64;
        loop {
            if let Some(&place) = self.places.get(&id) {
                let Some(most) = most else {
                    return Ok(Standing::Within(Since { commits: Vec::new(), count: 0 }));
                };
                let within = self.closure(std::iter::once(place));
                // What was not read yet belongs to it as well: what is left is all that it has not.
                if self.waiting.iter().all(|waiting| within[waiting.entry.0]) {
                    return Ok(Standing::Within(self.since(repo, &within, most)?));
                }
            }
            if self.is_whole() {
                break;
            }
            if self.order.len() >= MOST {
                return Ok(Standing::TooFar);
            }
            far = (far * 2).max(self.order.len() + 64);
            self.reach(repo, local, far)?;
        }
        self.beside(repo, local, id)
    }

    /// Everything that is reached from some entries, themselves included.
    fn closure(&self, from: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut within = vec![false; self.entries.len()];
        let mut left: Vec<usize> = from.collect();
        while let Some(place) = left.pop() {
            if !std::mem::replace(&mut within[place], true) {
                left.extend(self.entries[place].parents.iter().filter(|&&parent| !within[parent]));
            }
        }
        within
    }

    fn since(&self, repo: &Repo, within: &[bool], most: usize) -> Result<Since, RepoError> {
        let since = || self.order.iter().filter(|&&place| !within[place]);
        let listed = since().take(most).map(|&place| self.entries[place].listed(repo));
        Ok(Since { commits: listed.collect::<Result<_, _>>()?, count: since().count() })
    }

    /// A commit that the whole history has not: the commits between it and the history are read for themselves.
    fn beside(&self, repo: &Repo, local: &gix::Repository, id: gix::ObjectId) -> Result<Standing, RepoError> {
        let (mut behind, mut met) = (HashMap::new(), Vec::new());
        let mut left = vec![id];
        while let Some(id) = left.pop() {
            if let Some(&place) = self.places.get(&id) {
                met.push(place);
            } else if let Slot::Vacant(free) = behind.entry(id) {
                let (entry, parents) = read(repo, local, id)?;
                left.extend(parents);
                free.insert(entry);
            }
        }
        let within = self.closure(met.iter().copied());
        let ahead = self.since(repo, &within, 0)?.count;
        let told = behind.get(&id);
        let mut same = self.order.iter().map(|&place| &self.entries[place]);
        let rewritten = told.and_then(|told| {
            same.find(|entry| {
                entry.subject == told.subject
                    && author(local, entry.id).is_some_and(|a| Some(a) == author(local, id))
            })
        });
        let as_now = match (rewritten, told) {
            (Some(entry), _) => Some(AsNow::Rewritten(entry.listed(repo)?)),
            (None, Some(told)) => {
                let taken_in = self.taken_in(local, told, &met, &within);
                taken_in.map(|entry| entry.listed(repo)).transpose()?.map(AsNow::TakenIn)
            }
            (None, None) => None,
        };
        Ok(Standing::Beside { ahead, behind: behind.len(), as_now })
    }

    /// The commit since which all that another one changed is in HEAD's history; `met` is where their ways part, and
    /// `within` what both have.
    fn taken_in(
        &self,
        local: &gix::Repository,
        told: &Entry,
        met: &[usize],
        within: &[bool],
    ) -> Option<&Entry> {
        let base = met.iter().map(|&place| &self.entries[place]).max_by_key(|entry| entry.time)?;
        let since = self.order.iter().rev().filter(|&&place| !within[place]);
        taken_in::first_with_all(local, base.tree, told.tree, since.map(|&place| &self.entries[place]))
    }
}

/// Who wrote a commit, and when: what a rebase keeps.
fn author(local: &gix::Repository, id: gix::ObjectId) -> Option<(Vec<u8>, String)> {
    let commit = local.find_commit(id).ok()?;
    let author = commit.author().ok()?;
    Some((author.email.to_vec(), author.time.to_owned()))
}

/// Reads one commit, and which ones come before it; a shallow clone's last ones have none.
pub(super) fn read(
    repo: &Repo,
    local: &gix::Repository,
    id: gix::ObjectId,
) -> Result<(Entry, Vec<gix::ObjectId>), RepoError> {
    let unreadable = |error: gix::Error| repo.refused("the history", &error);
    repo.counts().commit();
    let commit = local.find_commit(id).map_err(unreadable)?;
    let message = commit.message_raw().map_err(unreadable)?;
    let subject = message.trim_start().lines().next().unwrap_or_default();
    let subject = subject[..subject.len().min(LONGEST_SUBJECT)].to_str_lossy();
    let entry = Entry {
        id,
        tree: commit.tree_id().map_err(unreadable)?.detach(),
        parents: Vec::new(),
        time: commit.time().map_err(unreadable)?.seconds,
        subject: subject.into(),
    };
    let shallow = local.shallow_commits().map_err(unreadable)?;
    let is_last = shallow.is_some_and(|cut| cut.binary_search(&id).is_ok());
    let parents = if is_last { Vec::new() } else { commit.parent_ids().map(gix::Id::detach).collect() };
    Ok((entry, parents))
}
