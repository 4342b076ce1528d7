//! What became of files, by walking the history.

use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use gix::bstr::{BString, ByteSlice};

use super::chronicle::Read;
use super::{Commit, PathFate, Repo, RepoError, trees};
use crate::disk::{Beneath, DiskError};
use crate::handoff::{Inert, RelPath};

/// How many commits are looked at before it is asked whether those are enough.
const FIRST_LOOK: usize = 64;

/// How many renames after each other are followed.
const LONGEST_CHAIN: usize = 8;

impl Repo {
    /// What became of paths (relative to the root), in one walk of at most `budget` commits.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the history cannot be read.
    pub fn fates(&self, paths: &[Inert], budget: usize) -> Result<Vec<PathFate>, RepoError> {
        let local = self.local()?;
        let root = Beneath::open(self.root()).map_err(|error| RepoError::refused(error.to_string()))?;
        let is_there = |path: &RelPath| self.is_there(&root, path);
        self.fates_chained(&local, self.head_id(&local)?, paths, budget, LONGEST_CHAIN, &is_there)
    }

    /// The commit that last changed each path, in one walk of at most `budget` commits; `None` where the walk
    /// did not meet one. Merges are gone through as `git log -1 -- PATH` does: along a parent that has the same.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the history cannot be read.
    pub fn last_changes(&self, paths: &[PathBuf], budget: usize) -> Result<Vec<Option<Commit>>, RepoError> {
        let local = self.local()?;
        let mut found: Vec<Option<Commit>> = vec![None; paths.len()];
        let Some(head) = self.head_id(&local)? else { return Ok(found) };
        let names: Vec<Option<Vec<BString>>> = paths.iter().map(|path| self.names_of(path)).collect();
        let unreadable = |error| self.refused("the history", &error);

        let chronicle = self.chronicle(head)?;
        let Read { objects, walk, .. } = &mut *chronicle.read();
        // Which paths are still looked for at which commit; the walk gives the newest commit first.
        let wanted_at_head: Vec<usize> = (0..paths.len()).filter(|&path| names[path].is_some()).collect();
        let mut wanted = HashMap::from([(head, wanted_at_head)]);
        for at in 0..budget {
            walk.reach(self, objects, at + 1)?;
            let Some(entry) = walk.nth(at).filter(|_| !wanted.is_empty()) else { break };
            let Some(here) = wanted.remove(&entry.id) else { continue };
            let parents: Vec<_> = entry.parents.iter().filter_map(|&parent| walk.entry(parent)).collect();
            for path in here {
                let name = names[path].as_deref().unwrap_or_default();
                let mut same = None;
                for parent in &parents {
                    if trees::same(objects, Some(entry.tree), Some(parent.tree), name).map_err(unreadable)? {
                        same = Some(parent.id);
                        break;
                    }
                }
                match same {
                    Some(parent) => wanted.entry(parent).or_insert_with(Vec::new).push(path),
                    None if parents.is_empty()
                        && trees::lookup(objects, entry.tree, name).map_err(unreadable)?.is_none() => {}
                    None => found[path] = Some(entry.listed(self)?),
                }
            }
        }
        Ok(found)
    }

    /// The same of paths where nothing lies, at a HEAD that was read.
    pub(super) fn fates_of_missing(
        &self,
        local: &gix::Repository,
        head: Option<gix::ObjectId>,
        paths: &[Inert],
        budget: usize,
    ) -> Result<Vec<PathFate>, RepoError> {
        self.fates_chained(local, head, paths, budget, LONGEST_CHAIN, &|_| false)
    }

    fn fates_chained(
        &self,
        local: &gix::Repository,
        head: Option<gix::ObjectId>,
        paths: &[Inert],
        budget: usize,
        chain: usize,
        is_there: &dyn Fn(&RelPath) -> bool,
    ) -> Result<Vec<PathFate>, RepoError> {
        let unreadable = |error| self.refused("the history", &error);
        let mut fates = vec![PathFate::NeverSeen; paths.len()];
        let Some(head) = head else {
            for (fate, path) in fates.iter_mut().zip(paths) {
                if let Some(rel) = rel_path(path)
                    && is_there(&rel)
                {
                    *fate = PathFate::There;
                }
            }
            return Ok(fates);
        };
        let mut missing: Vec<(usize, Vec<BString>)> = Vec::new();
        for (at, path) in paths.iter().enumerate() {
            let Some(rel) = rel_path(path) else { continue };
            let Some(name) = self.names_of(rel.as_path()) else { continue };
            if is_there(&rel) {
                fates[at] = PathFate::There;
            } else {
                missing.push((at, name));
            }
        }
        let mut renamed: Vec<(usize, Inert)> = Vec::new();
        if !missing.is_empty() {
            let chronicle = self.chronicle(head)?;
            let Read { objects, walk, changes, .. } = &mut *chronicle.read();
            let head_tree = tree_of(objects, head).map_err(unreadable)?;
            let mut gone = Vec::with_capacity(missing.len());
            for (at, name) in missing {
                if trees::lookup(objects, head_tree, &name).map_err(unreadable)?.is_none() {
                    gone.push((at, name));
                    continue;
                }
                let sparse = self.left_out(local, &name)?;
                fates[at] = if sparse { PathFate::There } else { PathFate::Gone { renamed_to: None } };
            }
            let missing = gone;
            let mut far = changes.looked_at().max(FIRST_LOOK);
            loop {
                changes.reach(self, objects, walk, far.min(budget))?;
                let known = |name: &[BString]| changes.of(&name.join(&b'/')).is_some();
                let is_end = far >= budget || changes.looked_at() < far;
                if is_end || missing.iter().all(|(_, name)| known(name)) {
                    break;
                }
                far *= 2;
            }
            for (at, name) in missing {
                let old = name.join(&b'/');
                let Some(touched) = changes.of(&old).filter(|touched| touched.at < budget) else { continue };
                fates[at] = PathFate::Gone { renamed_to: None };
                // A merge may have left out what one of its sides had: then no commit took it away.
                if touched.removed {
                    let renames = changes.renames(self, objects, walk, touched.at)?;
                    renamed.extend(new_name(&renames, &old).map(|to| (at, Inert::new(to))));
                }
            }
        }
        if renamed.is_empty() {
            return Ok(fates);
        }
        // The new name may have gone the same way since.
        let targets: Vec<Inert> = renamed.iter().map(|(_, to)| to.clone()).collect();
        let later = if chain > 0 {
            self.fates_chained(local, Some(head), &targets, budget, chain - 1, &|path| self.lies(path))?
        } else {
            Vec::new()
        };
        for (n, (at, to)) in renamed.into_iter().enumerate() {
            fates[at] = match later.get(n) {
                Some(PathFate::Gone { renamed_to }) => PathFate::Gone { renamed_to: renamed_to.clone() },
                _ => PathFate::Gone { renamed_to: Some(to) },
            };
        }
        Ok(fates)
    }

    /// Whether something lies at a path of the worktree; where its root cannot be opened, nothing can be said to.
    fn lies(&self, path: &RelPath) -> bool {
        Beneath::open(self.root()).is_ok_and(|root| self.is_there(&root, path))
    }

    /// Whether something lies at a path of the worktree, opened as `root`; what cannot be looked at does.
    fn is_there(&self, root: &Beneath, path: &RelPath) -> bool {
        // A link to nowhere is there as well.
        let absent = matches!(root.kind(path), Err(DiskError::NotFound(_)));
        !absent || self.root().join(path.as_path()).is_symlink()
    }

    /// Whether a sparse checkout leaves this file out of the worktree: then its absence means nothing.
    fn left_out(&self, local: &gix::Repository, name: &[BString]) -> Result<bool, RepoError> {
        let index = local.open_index().map_err(|error| self.refused("the index", &error))?;
        let name = BString::from(name.join(&b'/'));
        let left_out = gix::index::entry::Flags::SKIP_WORKTREE;
        // In a sparse index one entry stands for a whole directory.
        let is_above =
            |entry: &gix::index::Entry| entry.mode.is_sparse() && name.starts_with(entry.path(&index));
        if index.is_sparse() && index.entries().iter().any(is_above) {
            return Ok(true);
        }
        let entry = index.entry_by_path(name.as_bstr());
        Ok(entry.is_some_and(|entry| entry.flags.contains(left_out)))
    }

    /// A path below the root as the names git stores; `None` for one that leads out.
    pub(super) fn names_of(&self, path: &Path) -> Option<Vec<BString>> {
        let path = path.strip_prefix(self.root()).unwrap_or(path);
        let mut names = Vec::new();
        for part in path.components() {
            match part {
                Component::Normal(name) => names.push(BString::from(name.as_bytes())),
                Component::CurDir => {}
                _ => return None,
            }
        }
        (!names.is_empty()).then_some(names)
    }
}

fn rel_path(path: &Inert) -> Option<RelPath> {
    let text = path.raw();
    RelPath::parse(text.strip_prefix("./").unwrap_or(text)).ok()
}

pub(super) fn tree_of(local: &gix::Repository, commit: gix::ObjectId) -> gix::Result<gix::ObjectId> {
    Ok(local.find_commit(commit)?.tree_id()?.detach())
}

/// The new name of a file, or of the directory that the first renamed file below it went to with its name kept.
fn new_name(renames: &[(BString, BString)], old: &[u8]) -> Option<String> {
    renames.iter().find_map(|(from, to)| {
        let to = match from.strip_prefix(old)? {
            [] => to.as_slice(),
            rest @ [b'/', ..] => to.strip_suffix(rest)?,
            _ => return None,
        };
        Some(to.to_str_lossy().into_owned())
    })
}
