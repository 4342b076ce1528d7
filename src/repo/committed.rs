//! What HEAD and the commits before it hold at a path.

use std::path::Path;

use gix::objs::Kind;

use super::{Commit, Repo, RepoError, trees};

impl Repo {
    /// The contents that a file (relative to the root) had along HEAD's first parents, newest first, each once after
    /// the other, with the commit that brought it: at most `most` of them out of `budget` commits.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the history cannot be read.
    pub fn versions(
        &self,
        path: &Path,
        budget: usize,
        most: usize,
    ) -> Result<Vec<(Commit, Vec<u8>)>, RepoError> {
        let local = self.local()?;
        let (Some(mut at), Some(names)) = (self.head_id(&local)?, self.names_of(path)) else {
            return Ok(Vec::new());
        };
        let unreadable = |error: gix::Error| self.refused("the history", &error);
        let blob_at = |commit| -> Result<Option<gix::ObjectId>, RepoError> {
            let tree = super::paths::tree_of(&local, commit).map_err(unreadable)?;
            let spot = trees::lookup(&local, tree, &names).map_err(unreadable)?;
            Ok(spot.filter(|(mode, _)| mode.is_blob()).map(|(_, id)| id))
        };
        let mut found = Vec::new();
        let mut here = blob_at(at)?;
        for _ in 0..budget {
            let parent = self.parents(&local, at)?.first().copied();
            let before = match parent {
                Some(parent) => blob_at(parent)?,
                None => None,
            };
            if let Some(blob) = here.filter(|_| here != before) {
                let held = local.find_object(blob).map_err(unreadable)?;
                found.push((self.commit(&local, at)?, held.data.clone()));
            }
            let Some(parent) = parent.filter(|_| found.len() < most) else { break };
            (at, here) = (parent, before);
        }
        Ok(found)
    }

    /// Whether HEAD's tree has a file at `path` (relative to the root) with exactly these bytes: what is compared
    /// is what git keeps, no line ends or filters are applied.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where HEAD or its tree cannot be read.
    pub fn is_committed(&self, path: &Path, bytes: &[u8]) -> Result<bool, RepoError> {
        let local = self.local()?;
        let (Some(head), Some(names)) = (self.head_id(&local)?, self.names_of(path)) else {
            return Ok(false);
        };
        let unreadable = |error: gix::Error| self.refused("the tree of HEAD", &error);
        let tree = super::paths::tree_of(&local, head).map_err(unreadable)?;
        let Some((mode, id)) = trees::lookup(&local, tree, &names).map_err(unreadable)? else {
            return Ok(false);
        };
        let hash = gix::objs::compute_hash(local.object_hash(), Kind::Blob, bytes)
            .map_err(|error| RepoError::refused(format!("the bytes cannot be hashed: {error}")))?;
        Ok(mode.is_blob() && hash == id)
    }
}
