//! Commits: the newest ones, and how a recorded one stands to HEAD.

use std::collections::HashSet;

use gix::bstr::ByteSlice;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;

use super::chronicle::{Elsewhere, Read, Since, Standing};
use super::paths::tree_of;
use super::{Commit, Files, Holder, Relation, Repo, RepoError};
use crate::handoff::{Inert, Revision};

impl Repo {
    /// The newest commits of HEAD, newest first; none where it has no commit yet.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the history cannot be read.
    pub fn log(&self, most: usize) -> Result<Vec<Commit>, RepoError> {
        let local = self.local()?;
        let Some(head) = self.head_id(&local)? else { return Ok(Vec::new()) };
        let chronicle = self.chronicle(head)?;
        let Read { objects, walk, .. } = &mut *chronicle.read();
        walk.reach(self, objects, most)?;
        walk.order().take(most).map(|entry| entry.listed(self)).collect()
    }

    /// How a recorded commit stands to HEAD; lists at most `most` commits.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where it cannot be told: HEAD has no commit yet, an object is unreadable, or the
    /// history is cut (a shallow clone) before the two could meet.
    pub fn relation(&self, to: &Revision, most: usize) -> Result<Relation, RepoError> {
        let local = self.local()?;
        self.related(&local, self.head_id(&local)?, to, Some(most))
    }

    /// The same of a HEAD that was read. Without `most`, what came since is not told.
    pub(super) fn related(
        &self,
        local: &gix::Repository,
        head: Option<gix::ObjectId>,
        to: &Revision,
        most: Option<usize>,
    ) -> Result<Relation, RepoError> {
        if let Some(head) = head {
            // HEAD is always here: without it, that another commit is missing says nothing, and that the recorded
            // one is the same says only that two texts are.
            let tree = local.find_commit(head).and_then(|commit| commit.tree().map(drop));
            tree.map_err(|error| self.refused("the object database", &error))?;
        }
        let recorded = match self.resolve(local, to)? {
            Resolved::Commit(id) => id,
            // Where a history was cut, what is not here may lie behind the cut.
            Resolved::Other(Relation::Missing) if self.is_cut(local)? => return Err(self.cut(to.as_str())),
            Resolved::Other(relation) => return Ok(relation),
        };
        let head = head.ok_or_else(|| {
            RepoError::refused(format!("{} has no commit yet to compare with", self.root().display()))
        })?;
        if head == recorded {
            return Ok(Relation::Same);
        }
        let chronicle = self.chronicle(head)?;
        let read = &mut *chronicle.read();
        let Read { objects, walk, differing, .. } = read;
        let told = match walk.standing(self, objects, recorded, most)? {
            Standing::TooFar => {
                self.by_a_walk_of_its_own(objects, recorded, head, most.unwrap_or_default())?
            }
            told => told,
        };
        let (ahead, behind, as_now) = match told {
            Standing::Within(Since { commits, count }) => {
                let files = match most {
                    Some(_) => {
                        let tree = |commit| {
                            tree_of(objects, commit).map_err(|error| self.refused("the history", &error))
                        };
                        differing
                            .between(objects, tree(recorded)?, tree(head)?)
                            .map_err(|why| RepoError::refused(format!("the history cannot be read: {why}")))?
                    }
                    None => Files::default(),
                };
                return Ok(Relation::Ahead { commits, count, files });
            }
            Standing::Beside { ahead, behind, as_now } => (ahead, behind, as_now),
            Standing::TooFar => (0, 0, None),
        };
        if self.is_cut(local)? {
            return Err(self.cut(to.as_str()));
        }
        let holder = self.holder(read, &recorded)?;
        Ok(Relation::Diverged { ahead, behind, holder, as_now })
    }

    /// The same where the history is too long to be kept: both sides are walked until they meet.
    fn by_a_walk_of_its_own(
        &self,
        local: &gix::Repository,
        recorded: gix::ObjectId,
        head: gix::ObjectId,
        most: usize,
    ) -> Result<Standing, RepoError> {
        let behind = self.count(local, recorded, head)?;
        let (mut commits, mut count) = (Vec::new(), 0);
        for id in self.walk(local, head, Some(recorded))? {
            let id = id?;
            if behind == 0 && commits.len() < most {
                commits.push(self.commit(local, id)?);
            }
            count += 1;
        }
        Ok(match behind {
            0 => Standing::Within(Since { commits, count }),
            behind => Standing::Beside { ahead: count, behind, as_now: None },
        })
    }

    /// Which reference still has a commit that HEAD has not.
    fn holder(&self, read: &mut Read, id: &gix::ObjectId) -> Result<Holder, RepoError> {
        if !read.walk.is_whole() {
            return Ok(Holder::Untold);
        }
        let elsewhere = match read.elsewhere.take() {
            Some(known) => known,
            None => Elsewhere::of(self, &read.objects, &read.walk)?,
        };
        Ok(read.elsewhere.insert(elsewhere).holder(id))
    }

    /// Whether the history here is not the whole one.
    pub(super) fn is_cut(&self, local: &gix::Repository) -> Result<bool, RepoError> {
        local.is_shallow().map_err(|error| self.refused("the list of shallow commits", &error))
    }

    /// That how a commit stands to HEAD cannot be told for that reason.
    fn cut(&self, commit: &str) -> RepoError {
        RepoError::refused(format!(
            "the history of {} is cut (a shallow clone): how {} stands to HEAD cannot be told; `git fetch \
             --unshallow` brings the rest",
            self.root().display(),
            commit.get(..7).unwrap_or(commit)
        ))
    }

    /// How many commits `tip` has that `hidden` has not.
    pub(super) fn count(
        &self,
        local: &gix::Repository,
        tip: gix::ObjectId,
        hidden: gix::ObjectId,
    ) -> Result<usize, RepoError> {
        self.walk(local, tip, Some(hidden))?.try_fold(0, |count, id| id.map(|_| count + 1))
    }

    /// The commits of `tip`, newest first, without those that `hidden` has.
    pub(super) fn walk<'a>(
        &'a self,
        local: &'a gix::Repository,
        tip: gix::ObjectId,
        hidden: Option<gix::ObjectId>,
    ) -> Result<impl Iterator<Item = Result<gix::ObjectId, RepoError>> + 'a, RepoError> {
        self.counts().walk();
        let walk = local
            .rev_walk([tip])
            .with_hidden(hidden)
            .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst))
            .all()
            .map_err(|error| self.refused("the history", &error))?;
        Ok(walk.map(|info| info.map(|info| info.id).map_err(|error| self.refused("the history", &error))))
    }

    /// A commit as it is listed.
    pub(super) fn commit(&self, local: &gix::Repository, id: gix::ObjectId) -> Result<Commit, RepoError> {
        let unreadable = |error| self.refused("a commit", &error);
        let commit = local.find_commit(id).map_err(unreadable)?;
        let message = commit.message_raw().map_err(unreadable)?;
        let subject = message.trim_start().lines().next().unwrap_or_default();
        Ok(Commit {
            id: self.commit_id(&id)?,
            subject: Inert::new(subject.to_str_lossy()),
            time: commit.time().map_err(unreadable)?.seconds,
        })
    }

    /// What a full or abbreviated id names; of several objects the only commit, as git takes it.
    fn resolve(&self, local: &gix::Repository, to: &Revision) -> Result<Resolved, RepoError> {
        let (text, full_length) = (to.as_str(), local.object_hash().len_in_hex());
        if text.len() > full_length {
            return Ok(Resolved::Other(Relation::Missing));
        }
        let mut candidates = HashSet::new();
        if text.len() == full_length {
            let id = gix::ObjectId::from_hex(text.as_bytes()).map_err(|error| self.refused(text, &error))?;
            candidates.insert(id);
        } else {
            let prefix = gix::hash::Prefix::from_hex(text).map_err(|error| self.refused(text, &error))?;
            local
                .objects
                .lookup_prefix(prefix, Some(&mut candidates))
                .map_err(|error| self.refused("the object database", &error))?;
        }
        let mut found = 0;
        let mut commits = Vec::new();
        for id in candidates {
            let header = local.try_find_header(id).map_err(|error| self.refused(text, &error))?;
            found += usize::from(header.is_some());
            commits.extend(header.filter(|header| header.kind() == gix::objs::Kind::Commit).map(|_| id));
        }
        Ok(match (commits.as_slice(), found) {
            ([id], _) => Resolved::Commit(*id),
            ([], 0) => Resolved::Other(Relation::Missing),
            ([], 1) => Resolved::Other(Relation::NotACommit),
            _ => Resolved::Other(Relation::Ambiguous),
        })
    }
}

/// What an id names.
enum Resolved {
    /// A commit of this repository.
    Commit(gix::ObjectId),
    /// Anything else, which is an answer already.
    Other(Relation),
}
