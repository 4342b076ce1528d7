//! What HEAD holds at a path.

use std::path::{Path, PathBuf};

use gix::objs::Kind;

use super::paths::tree_of;
use super::{Repo, RepoError, trees};
use crate::disk;

impl Repo {
    /// Whether HEAD's tree has a file at `path` (relative to the root).
    ///
    /// # Errors
    /// [`RepoError::Refused`] where HEAD or its tree cannot be read.
    pub fn is_tracked(&self, path: &Path) -> Result<bool, RepoError> {
        let local = self.local()?;
        let Some(tree) = self.head_tree(&local)? else { return Ok(false) };
        Ok(self.blob_at(&local, tree, path)?.is_some())
    }

    /// Whether HEAD's tree has a file at `path` (relative to the root) with exactly these bytes: what is compared
    /// is what git keeps, no line ends or filters are applied.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where HEAD or its tree cannot be read.
    pub fn is_committed(&self, path: &Path, bytes: &[u8]) -> Result<bool, RepoError> {
        let local = self.local()?;
        let Some(tree) = self.head_tree(&local)? else { return Ok(false) };
        let held = self.blob_at(&local, tree, path)?;
        Ok(held.is_some_and(|held| is_blob(&local, held, bytes)))
    }

    /// Which of these files (relative to the root) lie in the worktree exactly as HEAD has them, in the order of `paths`;
    /// one of more than `most` bytes, or that cannot be read, does not.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where HEAD or its tree cannot be read.
    pub fn are_committed(&self, paths: &[PathBuf], most: u64) -> Result<Vec<bool>, RepoError> {
        let local = self.local()?;
        let Some(tree) = self.head_tree(&local)? else { return Ok(vec![false; paths.len()]) };
        let is_as_held = |path: &PathBuf| {
            let Some(held) = self.blob_at(&local, tree, path)? else { return Ok(false) };
            let content = disk::read(&self.root().join(path), most);
            Ok(content.is_ok_and(|content| !content.cut && is_blob(&local, held, &content.bytes)))
        };
        paths.iter().map(is_as_held).collect()
    }

    /// The tree of HEAD; `None` where it has no commit yet.
    fn head_tree(&self, local: &gix::Repository) -> Result<Option<gix::ObjectId>, RepoError> {
        let tree = |head| tree_of(local, head).map_err(|error| self.refused("the tree of HEAD", &error));
        self.head_id(local)?.map(tree).transpose()
    }

    /// The file that a tree has at a path.
    fn blob_at(
        &self,
        local: &gix::Repository,
        tree: gix::ObjectId,
        path: &Path,
    ) -> Result<Option<gix::ObjectId>, RepoError> {
        let Some(names) = self.names_of(path) else { return Ok(None) };
        let spot = trees::lookup(local, tree, &names);
        let spot = spot.map_err(|error| self.refused("the tree of HEAD", &error))?;
        Ok(spot.filter(|(mode, _)| mode.is_blob()).map(|(_, id)| id))
    }
}

/// Whether these bytes are that file.
fn is_blob(local: &gix::Repository, id: gix::ObjectId, bytes: &[u8]) -> bool {
    // Bytes that collide on purpose are no file of anybody's.
    gix::objs::compute_hash(local.object_hash(), Kind::Blob, bytes).is_ok_and(|hash| hash == id)
}
