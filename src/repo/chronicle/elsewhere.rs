//! Which reference still has a commit that HEAD has not.

use std::collections::HashMap;

use gix::bstr::ByteSlice;

use super::Walk;
use super::walk::read;
use crate::handoff::Inert;
use crate::repo::{Holder, Repo, RepoError, beforehand};

/// How many commits beside HEAD's are looked at.
const MOST_BESIDE: usize = 20_000;

/// The commits that only other references have, each with the first one that has it.
pub(crate) struct Elsewhere {
    names: Vec<Inert>,
    held: HashMap<gix::ObjectId, usize>,
    /// There are more than were looked at.
    cut: bool,
}

impl Elsewhere {
    /// Looks through every branch, remote branch and tag, up to the commits of HEAD's whole history.
    pub(in crate::repo) fn of(repo: &Repo, local: &gix::Repository, walk: &Walk) -> Result<Self, RepoError> {
        let mut found = Self { names: Vec::new(), held: HashMap::new(), cut: false };
        for (above, strip) in
            [("refs/heads/", "refs/heads/"), ("refs/remotes/", "refs/remotes/"), ("refs/tags/", "refs/")]
        {
            beforehand::references_below(repo.layout(), above.trim_end_matches('/'))?;
            let unreadable = |error| repo.refused("the references", &error);
            let platform = local.references().map_err(unreadable)?;
            for reference in platform.prefixed(above).map_err(unreadable)? {
                let mut reference = reference.map_err(unreadable)?;
                let full = reference.name().as_bstr().to_str_lossy().into_owned();
                // A reference that leads to nothing, or to no commit, holds none.
                let Ok(tip) = reference.peel_to_id() else { continue };
                let tip = tip.detach();
                let is_commit = local.find_header(tip).is_ok_and(|it| it.kind() == gix::objs::Kind::Commit);
                if is_commit {
                    found.names.push(Inert::new(full.strip_prefix(strip).unwrap_or(&full)));
                    found.take(repo, local, walk, tip);
                }
            }
        }
        Ok(found)
    }

    /// Everything that a tip reaches beside what is known.
    fn take(&mut self, repo: &Repo, local: &gix::Repository, walk: &Walk, tip: gix::ObjectId) {
        let name = self.names.len() - 1;
        let mut left = vec![tip];
        while let Some(id) = left.pop() {
            if walk.knows(&id) || self.held.contains_key(&id) {
                continue;
            }
            if self.held.len() >= MOST_BESIDE {
                self.cut = true;
                return;
            }
            // Where another branch cannot be read, HEAD's own history still can.
            match read(repo, local, id) {
                Ok((_, parents)) => {
                    left.extend(parents);
                    self.held.insert(id, name);
                }
                Err(_) => self.cut = true,
            }
        }
    }

    /// The first reference that has a commit.
    pub(in crate::repo) fn holder(&self, id: &gix::ObjectId) -> Holder {
        match self.held.get(id).and_then(|&name| self.names.get(name)) {
            Some(name) => Holder::Reference(name.clone()),
            None if self.cut => Holder::Untold,
            None => Holder::Nobody,
        }
    }
}
