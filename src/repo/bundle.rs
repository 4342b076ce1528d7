//! Everything that the branch reaches, read once and found whole, and written as one file that git can be cloned
//! from: a bundle, which is a line for each reference before a pack.

use std::collections::HashSet;
use std::io::Write;

use gix::bstr::{BString, ByteSlice as _};
use gix::objs::{Kind, tree::EntryKind};
use gix::odb::pack::Find as _;
use gix::odb::pack::data::{Version, output};
use gix::{ObjectId, parallel};
use rayon::prelude::*;

use super::{Head, Repo, RepoError};
use crate::handoff::{BranchName, CommitId, Inert, secrets};

/// Objects that are compressed and written in one go.
const CHUNK: usize = 64;

/// The history of the branch that a worktree is on.
pub struct History<'a> {
    repo: &'a Repo,
    branch: BranchName,
    head: CommitId,
    commits: usize,
    objects: Vec<ObjectId>,
    secrets: Vec<SecretInHistory>,
}

/// A secret that stands in the history, without its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretInHistory {
    /// The id of the object that holds it.
    pub object: String,
    /// The path by which a commit has that object; `None` for a commit's own message.
    pub path: Option<Inert>,
    /// Where in it and of what kind.
    pub finding: secrets::Finding,
}

impl Repo {
    /// Reads everything that the branch of HEAD reaches. `named` must be that branch, by its full name
    /// (`refs/heads/main`) or its short one: another one is not the work that goes on here.
    ///
    /// Every object is hashed again, so that what is written later is what the ids say; secrets are looked for in
    /// every file and every message.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where HEAD is detached, unborn or on another branch, the history is cut, or an object
    /// is missing or damaged.
    pub fn history(&self, named: &str) -> Result<History<'_>, RepoError> {
        let (branch, head) = self.attached(named)?;
        let local = self.unreplaced()?;
        let shallow = local.is_shallow();
        if shallow.map_err(|error| self.refused("the list of shallow commits", &error))? {
            return Err(RepoError::refused(format!(
                "the history of {} is cut (a shallow clone) and cannot be kept whole; `git fetch --unshallow` \
                 brings the rest",
                self.root().display()
            )));
        }
        let mut walk = Walk::default();
        walk.from(self, &local, self.object_id(&head)?)?;
        let parts: Result<Vec<_>, RepoError> = walk
            .blobs
            .par_chunks(CHUNK)
            .map(|blobs| {
                let local = self.unreplaced()?;
                let mut found = Vec::new();
                for (id, path) in blobs {
                    let blob = self.object(&local, *id, Kind::Blob)?;
                    found.extend(secrets_in(&blob, *id, Some(path)));
                }
                Ok(found)
            })
            .collect();
        let in_files = parts?;
        let mut secrets = walk.secrets;
        secrets.extend(in_files.into_iter().flatten());
        let mut objects = walk.objects;
        objects.extend(walk.blobs.into_iter().map(|(id, _)| id));
        Ok(History { repo: self, branch, head, commits: walk.commits, objects, secrets })
    }

    /// The branch and commit of HEAD, if `named` is that branch.
    fn attached(&self, named: &str) -> Result<(BranchName, CommitId), RepoError> {
        let root = self.root().display();
        match self.head()? {
            Head::Branch(branch, id) => match named == branch.as_str() || named == full_name(&branch) {
                true => Ok((branch, id)),
                false => Err(RepoError::refused(format!(
                    "{root} is on {}, not on {named}: only the branch that is being worked on is kept",
                    full_name(&branch)
                ))),
            },
            Head::Detached(_) => Err(RepoError::refused(format!(
                "{root} is on no branch (a detached HEAD): there is no working reference to keep"
            ))),
            Head::Unborn(branch) => {
                Err(RepoError::refused(format!("{root} has no commit yet on {branch}: there is no history")))
            }
        }
    }

    /// A handle that gives each object itself, not what `refs/replace` puts in its place.
    fn unreplaced(&self) -> Result<gix::Repository, RepoError> {
        let mut local = self.local()?;
        local.objects.ignore_replacements = true;
        Ok(local)
    }

    /// The bytes of an object, which must be of that kind and hash to its id.
    fn object(&self, local: &gix::Repository, id: ObjectId, kind: Kind) -> Result<Vec<u8>, RepoError> {
        let object = local.find_object(id).map_err(|error| self.refused(&format!("object {id}"), &error))?;
        let hash = gix::objs::compute_hash(local.object_hash(), object.kind, &object.data);
        let sound = object.kind == kind && hash.is_ok_and(|hash| hash == id);
        match sound {
            true => Ok(object.detach().data),
            false => Err(RepoError::refused(format!(
                "object {id} of {} is damaged: `git fsck` says more",
                self.root().display()
            ))),
        }
    }
}

impl History<'_> {
    /// The branch's full name.
    pub fn reference(&self) -> String {
        full_name(&self.branch)
    }

    /// The commit that the branch was at.
    pub fn head(&self) -> &CommitId {
        &self.head
    }

    /// How many commits it reaches.
    pub fn commits(&self) -> usize {
        self.commits
    }

    /// How many objects it reaches, commits included.
    pub fn objects(&self) -> usize {
        self.objects.len()
    }

    /// The secrets that were found in it.
    pub fn secrets(&self) -> &[SecretInHistory] {
        &self.secrets
    }

    /// Writes the bundle: exactly the branch, nothing left out. Compressed objects are taken from the repository's
    /// packs as they are, so that the same packs give the same bytes.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where an object cannot be read any more or the bytes cannot be written.
    pub fn write_bundle(&self, to: &mut dyn Write) -> Result<(), RepoError> {
        let local = self.repo.unreplaced()?;
        let hash = local.object_hash();
        let failed =
            |error: std::io::Error| RepoError::refused(format!("the bundle cannot be written: {error}"));
        let unreadable = |error: gix::Error| self.repo.refused("the history", &error);
        // Only version 3 can say that ids are SHA-256; version 2 is understood by every git.
        let header = match hash {
            gix::hash::Kind::Sha1 => "# v2 git bundle\n".to_owned(),
            other => format!("# v3 git bundle\n@object-format={other}\n"),
        };
        write!(to, "{header}{} {}\n\n", self.head, self.reference()).map_err(failed)?;

        // Places in packs are remembered from here on, also if git packs anew meanwhile.
        let mut store = local.objects.into_inner();
        store.prevent_pack_unload();
        let count = |id: &ObjectId| {
            let place = store.location_by_oid(id, &mut Vec::new())?;
            Ok(output::Count::from_data(*id, place))
        };
        let counts = self.objects.iter().map(count).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
        let number = u32::try_from(counts.len())
            .map_err(|_| RepoError::refused("the history has more objects than a pack can hold"))?;
        let options = output::entry::iter_from_counts::Options { chunk_size: CHUNK, ..Default::default() };
        let quiet = Box::new(gix::progress::Discard);
        let entries = output::entry::iter_from_counts(counts, store.clone(), quiet, options);
        let entries = parallel::InOrderIter::from(entries.map_err(unreadable)?).map(whole);
        let mut pack = output::bytes::FromEntriesIter::new(entries, to, number, Version::V2, hash);
        pack.try_for_each(|written| written.map(drop)).map_err(unreadable)
    }
}

/// Nothing may have gone missing since it was read.
fn whole(entries: gix::Result<Vec<output::Entry>>) -> gix::Result<Vec<output::Entry>> {
    let entries = entries?;
    match entries.iter().any(output::Entry::is_invalid) {
        true => {
            Err(gix::error::message("an object went missing while the history was written").not_found_error())
        }
        false => Ok(entries),
    }
}

fn full_name(branch: &BranchName) -> String {
    format!("refs/heads/{branch}")
}

/// The walk over commits and trees. Each object is met once.
#[derive(Default)]
struct Walk {
    commits: usize,
    /// Commits and trees, in the order in which they were met.
    objects: Vec<ObjectId>,
    /// Files, each with the first path by which it was met.
    blobs: Vec<(ObjectId, BString)>,
    secrets: Vec<SecretInHistory>,
    seen: HashSet<ObjectId>,
}

impl Walk {
    fn from(&mut self, repo: &Repo, local: &gix::Repository, head: ObjectId) -> Result<(), RepoError> {
        let mut left = vec![head];
        self.seen.insert(head);
        let mut roots = Vec::new();
        while let Some(id) = left.pop() {
            let bytes = repo.object(local, id, Kind::Commit)?;
            self.secrets.extend(secrets_in(&bytes, id, None));
            self.commits += 1;
            self.objects.push(id);
            let unreadable = |error| repo.refused(&format!("commit {id}"), &error);
            let commit = gix::objs::CommitRef::from_bytes(&bytes, local.object_hash()).map_err(unreadable)?;
            roots.push(commit.tree());
            left.extend(commit.parents().filter(|parent| self.seen.insert(*parent)));
        }
        for root in roots {
            self.tree(repo, local, root)?;
        }
        Ok(())
    }

    /// Everything below one root, without depth on the stack: a tree can be as deep as somebody likes.
    fn tree(&mut self, repo: &Repo, local: &gix::Repository, root: ObjectId) -> Result<(), RepoError> {
        let mut left = Vec::new();
        if self.seen.insert(root) {
            left.push((root, BString::default()));
        }
        while let Some((id, above)) = left.pop() {
            let bytes = repo.object(local, id, Kind::Tree)?;
            self.objects.push(id);
            let tree = gix::objs::TreeRef::from_bytes(&bytes, local.object_hash());
            let tree = tree.map_err(|error| repo.refused(&format!("tree {id}"), &error))?;
            for entry in tree.entries {
                // A submodule's commit lies in another repository.
                if entry.mode.kind() == EntryKind::Commit || !self.seen.insert(entry.oid.to_owned()) {
                    continue;
                }
                let mut path = above.clone();
                if !path.is_empty() {
                    path.push(b'/');
                }
                path.extend_from_slice(entry.filename);
                match entry.mode.is_tree() {
                    true => left.push((entry.oid.to_owned(), path)),
                    false => self.blobs.push((entry.oid.to_owned(), path)),
                }
            }
        }
        Ok(())
    }
}

/// The secrets in the bytes of one object.
fn secrets_in(bytes: &[u8], id: ObjectId, path: Option<&BString>) -> Vec<SecretInHistory> {
    let path = path.map(|path| Inert::new(path.to_str_lossy()));
    let found = secrets::find(&String::from_utf8_lossy(bytes));
    let one = |finding| SecretInHistory { object: id.to_string(), path: path.clone(), finding };
    found.into_iter().map(one).collect()
}
