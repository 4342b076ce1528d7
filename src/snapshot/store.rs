//! A store as a whole: where its parts lie, which snapshots are in it, and whether all of it is what it says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::prelude::*;

use super::manifest::{Identity, Manifest};
use super::places::StoreDir;
use super::{Refused, limits};
use crate::disk::DiskError;
use crate::handoff::{Digest, Inert, RelPath};

/// Where objects lie, below the store.
const OBJECTS: &str = "objects";
/// Where manifests lie.
const SNAPSHOTS: &str = "snapshots";
/// Where files lie while they are written.
const INCOMING: &str = "incoming";

/// A directory with snapshots in it.
#[derive(Debug)]
pub struct Store {
    pub(super) dir: StoreDir,
}

/// One snapshot: a manifest whose bytes are what its id says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The digest of the manifest's bytes.
    pub id: Digest,
    /// What is in it.
    pub manifest: Manifest,
}

/// Something that ought to be a snapshot and cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file, relative to the store.
    pub path: String,
    /// How sure that is.
    pub certainty: Certainty,
    /// What is wrong with it.
    pub what: Inert,
}

/// How sure a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It could not be looked at: nothing is known.
    Unknown,
    /// It is missing, or has other bytes than it says.
    Damaged,
}

/// What is in a store.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// Newest first.
    pub snapshots: Vec<Snapshot>,
    /// What lies among the manifests and is none.
    pub problems: Vec<Problem>,
}

/// What a verification came to.
#[derive(Debug, Clone, Default)]
pub struct Verified {
    /// The snapshots that were verified, newest first, each with whether all of it is there as it was.
    pub snapshots: Vec<(Digest, bool)>,
    /// How many objects were hashed.
    pub objects: usize,
    /// How many bytes they have.
    pub bytes: u64,
    /// Objects that no snapshot names; each was hashed, too.
    pub unnamed: usize,
    /// Everything that is wrong.
    pub problems: Vec<Problem>,
}

impl Store {
    /// Opens an existing store (an empty directory is one).
    ///
    /// # Errors
    /// [`Refused::Input`] where the place is not literal, absent, a link, or cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Refused> {
        StoreDir::open(path).map(|dir| Self { dir })
    }

    /// Every snapshot, of one identity or of all.
    ///
    /// # Errors
    /// [`Refused::Disk`] where the manifests cannot be listed.
    pub fn contents(&self, identity: Option<&Identity>) -> Result<Contents, Refused> {
        let mut contents = Contents::default();
        for (path, name) in self.names(SNAPSHOTS)? {
            match name.strip_suffix(".json").and_then(|id| Digest::parse(id).ok()) {
                Some(id) => match self.snapshot(&id) {
                    Ok(snapshot) => contents.snapshots.push(snapshot),
                    Err(problem) => contents.problems.push(problem),
                },
                None => contents.problems.push(Problem::damaged(path, "its name is none of a manifest's")),
            }
        }
        contents.snapshots.retain(|found| identity.is_none_or(|wanted| *wanted == found.manifest.identity));
        contents
            .snapshots
            .sort_by(|a, b| b.manifest.created_at.cmp(&a.manifest.created_at).then_with(|| a.id.cmp(&b.id)));
        Ok(contents)
    }

    /// The one snapshot of this identity whose id begins with `name`, which has at least 8 digits.
    ///
    /// # Errors
    /// [`Refused::Input`] for less or several, [`Refused::NotFound`], [`Refused::Damaged`] where the one that is
    /// meant cannot be used.
    pub fn find(&self, name: &str, identity: &Identity) -> Result<Snapshot, Refused> {
        if name.len() < 8 || !crate::handoff::ident::is_lower_hex(name) {
            return Err(Refused::Input(
                "a snapshot is named by its id, or by its first 8 digits at least".into(),
            ));
        }
        let mut contents = self.contents(Some(identity))?;
        contents.snapshots.retain(|snapshot| snapshot.id.as_str().starts_with(name));
        let start = format!("{SNAPSHOTS}/{name}");
        let damaged = contents.problems.into_iter().find(|problem| problem.path.starts_with(&start));
        match (contents.snapshots.len(), damaged) {
            (1, _) => Ok(contents.snapshots.remove(0)),
            (0, Some(problem)) => Err(Refused::Damaged(vec![problem])),
            (0, None) => Err(Refused::NotFound(format!(
                "{} holds no snapshot {name} of {}: `moorline snapshot list` shows every id",
                self.dir.real.display(),
                identity.as_str()
            ))),
            _ => Err(Refused::Input(format!("several snapshots begin with {name}: give more of the id"))),
        }
    }

    /// Hashes everything that these snapshots name, and every object that none names.
    ///
    /// # Errors
    /// [`Refused::Disk`] where the objects cannot be listed.
    pub fn verify(&self, identity: Option<&Identity>) -> Result<Verified, Refused> {
        let contents = self.contents(identity)?;
        let mut verified = self.verify_these(&contents.snapshots);
        verified.problems.extend(contents.problems);
        let everybodys = if identity.is_some() { self.contents(None)?.snapshots } else { contents.snapshots };
        let named: BTreeSet<String> = everybodys
            .iter()
            .flat_map(|snapshot| snapshot.manifest.objects())
            .map(|(digest, _)| object_path(digest).to_string())
            .collect();
        for (folder, _) in self.names(OBJECTS)? {
            for (path, name) in self.names(&folder)? {
                if named.contains(&path) {
                    continue;
                }
                let digest = format!("{}{name}", folder.rsplit('/').next().unwrap_or_default());
                match Digest::parse(&digest) {
                    Ok(digest) => {
                        verified.unnamed += 1;
                        verified.objects += 1;
                        match self.hash(&digest) {
                            Ok(size) => verified.bytes += size,
                            Err(problem) => verified.problems.push(problem),
                        }
                    }
                    Err(_) => {
                        verified.problems.push(Problem::damaged(path, "its name is none of an object's"))
                    }
                }
            }
        }
        Ok(verified)
    }

    /// Hashes everything that one snapshot names.
    pub fn verify_one(&self, snapshot: &Snapshot) -> Verified {
        self.verify_these(std::slice::from_ref(snapshot))
    }

    fn verify_these(&self, snapshots: &[Snapshot]) -> Verified {
        let named: BTreeSet<&Digest> = snapshots
            .iter()
            .flat_map(|snapshot| snapshot.manifest.objects())
            .map(|(digest, _)| digest)
            .collect();
        let hashed: BTreeMap<&Digest, Result<u64, Problem>> =
            named.into_par_iter().map(|digest| (digest, self.hash(digest))).collect();
        let mut verified = Verified { objects: hashed.len(), ..Verified::default() };
        for snapshot in snapshots {
            let mut whole = true;
            for (digest, said) in snapshot.manifest.objects() {
                match hashed.get(digest) {
                    Some(Ok(size)) if *size == said => {}
                    Some(Ok(size)) => {
                        whole = false;
                        let what = format!("has {size} bytes, and snapshot {} says {said}", snapshot.id);
                        verified.problems.push(Problem::damaged(object_path(digest).to_string(), what));
                    }
                    Some(Err(_)) | None => whole = false,
                }
            }
            verified.snapshots.push((snapshot.id.clone(), whole));
        }
        verified.bytes = hashed.values().flatten().sum();
        verified.problems.extend(hashed.into_values().filter_map(Result::err));
        verified
    }

    /// One manifest, if its bytes are what its name says and its words what this program writes.
    fn snapshot(&self, id: &Digest) -> Result<Snapshot, Problem> {
        let at = manifest_path(id);
        let content = self.dir.read.read(&at, limits::MANIFEST).map_err(|error| Problem::of(&at, &error))?;
        if content.cut || Digest::of(&content.bytes) != *id {
            return Err(Problem::damaged(at.to_string(), "its bytes are not those that its name says"));
        }
        match Manifest::read(&content.bytes) {
            Ok(manifest) => Ok(Snapshot { id: id.clone(), manifest }),
            Err(why) => {
                Err(Problem::damaged(at.to_string(), format!("it is no manifest of this program: {why}")))
            }
        }
    }

    /// The size of an object whose bytes are what its name says.
    fn hash(&self, digest: &Digest) -> Result<u64, Problem> {
        let at = object_path(digest);
        let found = self.dir.read.copy(&at, &mut std::io::sink(), limits::BUNDLE);
        match found.map_err(|error| Problem::of(&at, &error))? {
            (found, size) if found == *digest => Ok(size),
            _ => Err(Problem::damaged(at.to_string(), "its bytes are not those that its name says")),
        }
    }

    /// The entries of one of the store's directories, as paths from the store and names; none where it is not
    /// there yet.
    fn names(&self, dir: &str) -> Result<Vec<(String, String)>, Refused> {
        match self.dir.read.list(Path::new(dir)) {
            Ok((_, entries)) => Ok(entries
                .iter()
                .map(|entry| entry.name.to_string_lossy().into_owned())
                .map(|name| (format!("{dir}/{name}"), name))
                .collect()),
            Err(DiskError::NotFound(_)) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }
}

impl Problem {
    fn damaged(path: String, what: impl Into<Inert>) -> Self {
        Self { path, certainty: Certainty::Damaged, what: what.into() }
    }

    /// What an error says of a file that ought to be there.
    fn of(at: &RelPath, error: &DiskError) -> Self {
        let (certainty, what) = match error {
            DiskError::NotFound(_) => (Certainty::Damaged, "it is missing".to_owned()),
            DiskError::NotAFile(_) => (Certainty::Damaged, "it is no regular file".to_owned()),
            DiskError::Escapes(_) => (Certainty::Damaged, "it leads out of the store".to_owned()),
            DiskError::Link(_) => (Certainty::Damaged, "a symbolic link lies in its place".to_owned()),
            DiskError::NotWritable { why, .. } | DiskError::Io(_, why) => {
                (Certainty::Unknown, format!("it cannot be read: {why}"))
            }
        };
        Self { path: at.to_string(), certainty, what: what.into() }
    }
}

/// `objects/<two digits>/<62 digits>`
pub(super) fn object_path(digest: &Digest) -> RelPath {
    let (folder, name) = digest.as_str().split_at(2);
    RelPath::parse(&format!("{OBJECTS}/{folder}/{name}")).expect("hex digits make a safe path")
}

/// `snapshots/<64 digits>.json`
pub(super) fn manifest_path(id: &Digest) -> RelPath {
    RelPath::parse(&format!("{SNAPSHOTS}/{id}.json")).expect("hex digits make a safe path")
}

/// The directory of files that are being written.
pub(super) fn incoming() -> RelPath {
    RelPath::parse(INCOMING).expect("a plain name is a safe path")
}
