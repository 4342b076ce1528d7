//! What HEAD holds at a path.

use std::path::Path;

use gix::objs::Kind;

use super::{Repo, RepoError, trees};

impl Repo {
    /// Whether HEAD's tree has a file at `path` (relative to the root).
    ///
    /// # Errors
    /// [`RepoError::Refused`] where HEAD or its tree cannot be read.
    pub fn is_tracked(&self, path: &Path) -> Result<bool, RepoError> {
        let local = self.local()?;
        let (Some(head), Some(names)) = (self.head_id(&local)?, self.names_of(path)) else {
            return Ok(false);
        };
        let unreadable = |error: gix::Error| self.refused("the tree of HEAD", &error);
        let tree = super::paths::tree_of(&local, head).map_err(unreadable)?;
        let spot = trees::lookup(&local, tree, &names).map_err(unreadable)?;
        Ok(spot.is_some_and(|(mode, _)| mode.is_blob()))
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
