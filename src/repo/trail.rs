//! The versions of one file in HEAD's history, by every name that it had.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use gix::bstr::{BString, ByteSlice};

use super::chronicle::Read;
use super::{Commit, Repo, RepoError, trees};
use crate::handoff::Inert;

/// How many commits are taken from the history at once: between two takes, others may ask it.
const AT_ONCE: usize = 256;

/// A version of a file: which commit brought it, and where its bytes are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The commit that brought it.
    pub commit: Commit,
    /// The name that the file had there, from the root.
    pub path: Inert,
    blob: gix::ObjectId,
}

/// One commit with the trees that are compared.
struct Step {
    id: gix::ObjectId,
    tree: gix::ObjectId,
    parents: Vec<(gix::ObjectId, gix::ObjectId)>,
    commit: Commit,
}

impl Repo {
    /// Gives the versions that a file (relative to the root) has in HEAD's history, the newest first, as soon as each
    /// is found, until told to stop. Where commits come together, only a side that changed the file is followed, and a
    /// commit that brought it under another name leads to that name. Nothing of the bytes is read.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the history cannot be read.
    pub fn trail(&self, path: &Path, take: &mut dyn FnMut(Held) -> ControlFlow<()>) -> Result<(), RepoError> {
        let local = self.local()?;
        let (Some(head), Some(names)) = (self.head_id(&local)?, self.names_of(path)) else { return Ok(()) };
        let mut wanted = HashMap::from([(head, vec![names])]);
        let (mut at, mut last) = (0, None);
        while !wanted.is_empty() {
            let steps = self.steps(head, at)?;
            if steps.is_empty() {
                break;
            }
            at += steps.len();
            for step in steps {
                for names in wanted.remove(&step.id).unwrap_or_default() {
                    let held = self.follow_on(&local, &step, names, &mut wanted)?;
                    if let Some(held) = held.filter(|held| last != Some(held.blob)) {
                        last = Some(held.blob);
                        if take(held).is_break() {
                            return Ok(());
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The bytes of a version, at most so many.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where they cannot be read, or are more.
    pub fn bytes_of(&self, held: &Held, most: u64) -> Result<Vec<u8>, RepoError> {
        let local = self.local()?;
        let unreadable = |error: gix::Error| self.refused("a version", &error);
        let size = local.find_header(held.blob).map_err(unreadable)?.size();
        if size > most {
            let name = held.path.shown_line();
            return Err(RepoError::refused(format!("{name} had {size} bytes then; at most {most} are read")));
        }
        local.find_object(held.blob).map(|object| object.data.clone()).map_err(unreadable)
    }

    /// Whether a version has exactly these bytes.
    pub fn holds(&self, held: &Held, bytes: &[u8]) -> bool {
        let kind = held.blob.kind();
        gix::objs::compute_hash(kind, gix::objs::Kind::Blob, bytes).is_ok_and(|hash| hash == held.blob)
    }

    /// The commits of the history from a place on.
    fn steps(&self, head: gix::ObjectId, from: usize) -> Result<Vec<Step>, RepoError> {
        let chronicle = self.chronicle(head)?;
        let Read { objects, walk, .. } = &mut *chronicle.read();
        walk.reach(self, objects, from + AT_ONCE)?;
        let steps = (from..from + AT_ONCE).map_while(|at| walk.nth(at)).map(|entry| {
            let parents = entry.parents.iter().filter_map(|&parent| walk.entry(parent));
            Ok(Step {
                id: entry.id,
                tree: entry.tree,
                parents: parents.map(|parent| (parent.id, parent.tree)).collect(),
                commit: entry.listed(self)?,
            })
        });
        steps.collect()
    }

    /// What a commit did to the file; the commits in which it goes on are wanted from now on.
    fn follow_on(
        &self,
        local: &gix::Repository,
        step: &Step,
        names: Vec<BString>,
        wanted: &mut HashMap<gix::ObjectId, Vec<Vec<BString>>>,
    ) -> Result<Option<Held>, RepoError> {
        let unreadable = |error| self.refused("the history", &error);
        let mut want = |id, names: Vec<BString>| {
            let at = wanted.entry(id).or_default();
            if !at.contains(&names) {
                at.push(names);
            }
        };
        for &(parent, tree) in &step.parents {
            if trees::same(local, Some(step.tree), Some(tree), &names).map_err(unreadable)? {
                want(parent, names);
                return Ok(None);
            }
        }
        let here = trees::lookup(local, step.tree, &names).map_err(unreadable)?;
        let held = here.filter(|(mode, _)| mode.is_blob()).map(|(_, blob)| Held {
            commit: step.commit.clone(),
            path: Inert::new(names.join(&b'/').to_str_lossy()),
            blob,
        });
        let mut is_new = true;
        for &(parent, tree) in &step.parents {
            if trees::lookup(local, tree, &names).map_err(unreadable)?.is_some() {
                is_new = false;
                want(parent, names.clone());
            }
        }
        if let ([(parent, _)], true, Some(_)) = (step.parents.as_slice(), is_new, &held)
            && let Some(before) = self.name_before(step, &names)?
        {
            want(*parent, before);
        }
        Ok(held)
    }

    /// The name that a file had before a commit gave it this one.
    fn name_before(&self, step: &Step, names: &[BString]) -> Result<Option<Vec<BString>>, RepoError> {
        let local = self.local()?;
        let Some((parent, _)) = step.parents.first() else { return Ok(None) };
        let renames =
            trees::renames(&local, *parent, step.id).map_err(|error| self.refused("the history", &error))?;
        let now = names.join(&b'/');
        let before = renames.iter().find_map(|change| trees::renamed(change).filter(|(_, to)| **to == now));
        Ok(before.map(|(from, _)| from.split_str("/").map(BString::from).collect()))
    }
}
