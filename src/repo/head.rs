//! What HEAD is, and the one way to look a reference up: by its full name, never by a short one that a tag or a
//! remote could answer to.

use std::path::Path;

use gix::bstr::ByteSlice;
use gix::refs::{FullName, TargetRef};

use super::{Head, Repo, RepoError, beforehand};
use crate::handoff::{BranchName, CommitId};

/// How many symbolic references may point to each other, as in git.
const DEEPEST_SYMREF: usize = 5;

impl Repo {
    /// What HEAD is.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where HEAD or what it names cannot be read: that is never taken for a detached one.
    pub fn head(&self) -> Result<Head, RepoError> {
        self.head_by(&self.local()?)
    }

    /// The same for a question that asks more.
    pub(super) fn head_by(&self, local: &gix::Repository) -> Result<Head, RepoError> {
        if let Some(name) = self.head_as_link()? {
            return self.head_on(local, name);
        }
        beforehand::reference(self.layout(), "HEAD")?;
        let head = local.try_find_reference("HEAD").map_err(|error| self.refused("HEAD", &error))?;
        // Without the file, a branch or tag called HEAD would answer.
        let Some(head) = head.filter(|head| head.name().as_bstr() == "HEAD") else {
            return Err(RepoError::refused(format!("{} has no HEAD", self.root().display())));
        };
        match head.target() {
            TargetRef::Object(id) => Ok(Head::Detached(self.commit_id(id)?)),
            TargetRef::Symbolic(name) => self.head_on(local, name.to_owned()),
        }
    }

    /// The commit that HEAD is at; `None` where it has none yet.
    pub(super) fn head_id(&self, local: &gix::Repository) -> Result<Option<gix::ObjectId>, RepoError> {
        self.head_by(local)?.commit().map(|id| self.object_id(id)).transpose()
    }

    /// The reference of exactly this full name, followed to an object; the name is the last one on the way.
    pub(super) fn find_ref(
        &self,
        local: &gix::Repository,
        name: &str,
    ) -> Result<Option<(FullName, gix::ObjectId)>, RepoError> {
        let name = FullName::try_from(name)
            .map_err(|error| RepoError::refused(format!("`{}` is no reference: {error}", name)))?;
        match self.follow(local, name)? {
            Followed::At(name, id) => Ok(Some((name, id))),
            Followed::Nothing(_) => Ok(None),
        }
    }

    /// A commit id as this program's own type.
    pub(super) fn commit_id(&self, id: &gix::oid) -> Result<CommitId, RepoError> {
        CommitId::parse(&id.to_hex().to_string()).map_err(|error| RepoError::refused(error.to_string()))
    }

    /// A commit id as gix's type.
    pub(super) fn object_id(&self, id: &CommitId) -> Result<gix::ObjectId, RepoError> {
        gix::ObjectId::from_hex(id.as_str().as_bytes()).map_err(|error| self.refused(id.as_str(), &error))
    }

    /// git still reads a HEAD that is a symbolic link to a branch's file; opening it would only give the id.
    fn head_as_link(&self) -> Result<Option<FullName>, RepoError> {
        let Ok(target) = self.git_dir().join("HEAD").read_link() else { return Ok(None) };
        let name = target.starts_with(Path::new("refs")).then(|| target.to_str()).flatten();
        match name.and_then(|name| FullName::try_from(name).ok()) {
            Some(name) => Ok(Some(name)),
            None => Err(RepoError::refused(format!(
                "HEAD of {} is a symbolic link to {}, which is no reference",
                self.root().display(),
                target.display()
            ))),
        }
    }

    fn head_on(&self, local: &gix::Repository, name: FullName) -> Result<Head, RepoError> {
        match self.follow(local, name)? {
            Followed::At(name, id) => Ok(Head::Branch(self.branch_name(&name)?, self.commit_id(&id)?)),
            Followed::Nothing(name) => Ok(Head::Unborn(self.branch_name(&name)?)),
        }
    }

    fn follow(&self, local: &gix::Repository, mut name: FullName) -> Result<Followed, RepoError> {
        for _ in 0..DEEPEST_SYMREF {
            beforehand::reference(self.layout(), &name.as_bstr().to_str_lossy())?;
            let found = local
                .try_find_reference(&name)
                .map_err(|error| self.refused(&name.as_bstr().to_string(), &error))?;
            // A lookup by name also tries that name below refs/tags, refs/heads and so on.
            let Some(found) = found.filter(|found| found.name() == name.as_ref()) else {
                return Ok(Followed::Nothing(name));
            };
            match found.target() {
                TargetRef::Object(id) => return Ok(Followed::At(name, id.to_owned())),
                TargetRef::Symbolic(next) => name = next.to_owned(),
            }
        }
        Err(RepoError::refused(format!(
            "symbolic references in {} point to each other too deeply",
            self.root().display()
        )))
    }

    fn branch_name(&self, name: &FullName) -> Result<BranchName, RepoError> {
        let full = name.as_bstr();
        let short = full.strip_prefix(b"refs/heads/").and_then(|short| short.to_str().ok());
        short.and_then(|short| BranchName::parse(short).ok()).ok_or_else(|| {
            RepoError::refused(format!(
                "HEAD of {} names `{}`, which is no branch that can be shown safely",
                self.root().display(),
                full
            ))
        })
    }
}

/// The end of a chain of references.
enum Followed {
    /// An object, by the last name on the way.
    At(FullName, gix::ObjectId),
    /// A name that does not exist.
    Nothing(FullName),
}
