//! Whether what a host has loaded is what was pinned: identity, version, and the real bytes of every file.
//!
//! The root is asked through [`Installed`], so that the gates are a pure function of its answers. Files are read in
//! place: a link anywhere on the way is a mismatch, and so is a file in the skill's own directory that nobody pinned.

use super::capability::Snapshot;
use super::gate::{Shut, evidence, need, shut};
use super::json::{Data, Json};
use super::lock::Lock;
use super::manifest::{RootKind, Target};
use super::record::Reason;
use super::shape;
use crate::handoff::Digest;

/// Why a question about a root has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// What is asked for is not there as it must be: absent, a link, no regular file, out of the root.
    Contradicted(String),
    /// It cannot be told.
    Unreadable(String),
}

impl Fault {
    /// The same for people.
    pub fn words(&self) -> &str {
        match self {
            Self::Contradicted(why) | Self::Unreadable(why) => why,
        }
    }
}

impl From<Fault> for Shut {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Contradicted(why) => Self::For(Reason::SourceMismatch, why),
            Fault::Unreadable(why) => Self::For(Reason::MissingEvidence, why),
        }
    }
}

/// The root of an installed peer.
pub trait Installed {
    /// The bytes of a small file at a path below the root, links refused.
    ///
    /// # Errors
    /// [`Fault`].
    fn bytes(&self, path: &str) -> Result<Vec<u8>, Fault>;
    /// Whether an absolute path leads to exactly this path below the root (empty: to the root itself).
    fn is_at(&self, absolute: &str, path: &str) -> bool;
    /// The digest of each of these files, links refused.
    fn digests(&self, paths: &[&str]) -> Vec<Result<Digest, Fault>>;
    /// Every file below a directory, as paths below the root.
    ///
    /// # Errors
    /// [`Fault`], also for a link in it.
    fn tree(&self, directory: &str) -> Result<Vec<String>, Fault>;
}

/// The root of a peer, or why it cannot be opened.
pub type Root<'a> = Result<Box<dyn Installed + 'a>, Fault>;

/// What a target is pinned to: by its manifest alone, or by manifest and lock.
#[derive(Debug, Clone)]
pub struct Pin<'a> {
    /// The target.
    pub target: &'a Target,
    /// The lock, where the manifest leaves version and digests to one.
    pub lock: Option<&'a Lock>,
}

impl Pin<'_> {
    /// The exact version.
    pub fn version(&self) -> Option<&str> {
        self.target.version.as_deref().or(self.lock.map(|lock| lock.version.as_str()))
    }

    /// The pinned digest of a file.
    pub fn digest(&self, path: &str) -> Option<&Digest> {
        let files = &self.target.provenance.files;
        let (_, own) = files.iter().find(|(name, _)| name == path)?;
        own.as_ref().or_else(|| self.lock?.digest(path))
    }
}

/// One pinned file against its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// Its path below the root.
    pub path: String,
    /// The pinned digest.
    pub pinned: Option<Digest>,
    /// The digest of the bytes that are there.
    pub found: Result<Digest, Fault>,
}

impl Compared {
    /// Opens if the bytes are the pinned ones.
    ///
    /// # Errors
    /// Why not.
    pub fn verdict(&self) -> Result<(), Shut> {
        let Some(pinned) = &self.pinned else {
            return shut(Reason::MissingEvidence, format!("the lock has no digest of {}", self.path));
        };
        match &self.found {
            Ok(found) if found == pinned => Ok(()),
            Ok(_) => {
                shut(Reason::SourceMismatch, format!("the bytes of {} are not the pinned ones", self.path))
            }
            Err(fault) => Err(fault.clone().into()),
        }
    }
}

/// What a snapshot says of a target's peer, against the pins: package, version, source.
pub(super) fn claims(pin: &Pin<'_>, peer: &Json) -> Result<(), Shut> {
    let target = pin.target;
    shape::object(peer, "a peer")?;
    let claim = |name: &str, pinned: &str, reason: Reason| {
        let said = shape::text(evidence(peer, name)?, name)?;
        need(said == pinned, reason, format!("the peer's {name} is not the pinned {pinned}"))
    };
    claim("package", &target.package, Reason::SourceMismatch)?;
    let Some(version) = pin.version() else {
        return shut(Reason::PeerUnlocked, "no lock says which version was installed");
    };
    claim("version", version, Reason::VersionMismatch)?;
    claim("source", &target.source, Reason::SourceMismatch)?;
    if let (Some(pinned), Some(_)) = (&target.source_commit, peer.get("source_commit")) {
        claim("source_commit", pinned, Reason::SourceMismatch)?;
    }
    Ok(())
}

/// The root as the snapshot names it.
pub(super) fn root_of(peer: &Json) -> Result<&str, Shut> {
    let root = shape::path(evidence(peer, "root")?, "root")?;
    need(root.starts_with('/'), Reason::SourceMismatch, "the peer's root is no absolute path")?;
    Ok(root)
}

/// Whether the snapshot's skill is loaded from exactly the pinned entrypoint.
pub(super) fn loaded(pin: &Pin<'_>, peer: &Json, root: &dyn Installed) -> Result<(), Shut> {
    let target = pin.target;
    let nothing = Json::empty();
    let skills = peer.get("loaded_skills").unwrap_or(&nothing);
    shape::object(skills, "loaded_skills")?;
    let said = skills.get(&target.selector).filter(|said| !said.is_null());
    let Some(said) = said else {
        let bare = target.root == RootKind::Omh && skills.get(&target.skill_name).is_some();
        need(!bare, Reason::SourceMismatch, "a skill of the bare name is loaded, not the categorised one")?;
        return shut(Reason::PeerMissing, format!("{} is not loaded", target.selector));
    };
    shape::object(said, "a loaded skill")?;
    let path = shape::path(evidence(said, "path")?, "path")?;
    let entrypoint = &target.provenance.entrypoint;
    need(root.is_at(path, entrypoint), Reason::SourceMismatch, "the skill is loaded from another place")?;
    let digest = evidence(said, "sha256")?;
    need(!digest.is_null(), Reason::MissingEvidence, "the loaded skill's digest is null")?;
    let digest = shape::text(digest, "sha256")?;
    let Some(pinned) = pin.digest(entrypoint) else {
        return shut(Reason::MissingEvidence, format!("the lock has no digest of {entrypoint}"));
    };
    need(digest == pinned.as_str(), Reason::SourceMismatch, "the loaded skill's digest is not the pinned one")
}

/// Whose root it is: the identity file names the package and the pinned version, and has the skill in its books.
pub fn identity(pin: &Pin<'_>, root: &dyn Installed) -> Result<(), Shut> {
    let kind = pin.target.root;
    let file = kind.identity_file();
    let mismatch = |why: &str| Shut::For(Reason::SourceMismatch, format!("{file}: {why}"));
    let document = Json::parse(&root.bytes(file)?).map_err(|why| mismatch(&why.to_string()))?;
    let says = |name: &str, data: Data| match document.get(name) {
        Some(value) if value.data == data => Ok(()),
        _ => Err(mismatch(&format!("`{name}` is not what was pinned"))),
    };
    let text = |text: &str| Data::Text(text.to_owned());
    match kind {
        RootKind::Package => says("name", text(&pin.target.package))?,
        RootKind::Omh => {
            says("schema_version", Data::Number(1.into()))?;
            says("package", text(&pin.target.package))?;
        }
        RootKind::Gsd => {}
    }
    let Some(version) = pin.version() else {
        return shut(Reason::PeerUnlocked, "no lock says which version was installed");
    };
    says("version", text(version))?;
    match kind {
        RootKind::Package => Ok(()),
        RootKind::Omh => bundle_record(pin, &document, root),
        RootKind::Gsd => host_record(pin, &document),
    }
}

/// omh: exactly one record has the categorised path, and it is the canonical name's.
fn bundle_record(pin: &Pin<'_>, document: &Json, root: &dyn Installed) -> Result<(), Shut> {
    let target = pin.target;
    let mismatch = |why: &str| Shut::For(Reason::SourceMismatch, format!("manifest.json: {why}"));
    let records =
        document.get("skills").and_then(Json::items).ok_or_else(|| mismatch("`skills` is no list"))?;
    let mut rows: Vec<(&str, &str, &str, Option<&str>)> = Vec::new();
    for record in records {
        let field = |name: &str| record.get(name).and_then(Json::text);
        let (Some(name), Some(path), Some(digest)) = (field("name"), field("path"), field("sha256")) else {
            return Err(mismatch("a record lacks name, path or sha256"));
        };
        Digest::parse(digest).map_err(|_| mismatch("a record's sha256 is no digest"))?;
        if rows.iter().any(|(other, at, ..)| *other == name || *at == path) {
            return Err(mismatch("two records have one name or one path"));
        }
        rows.push((name, path, digest, record.get("source").map(|source| source.text().unwrap_or_default())));
    }
    let entrypoint = &target.provenance.entrypoint;
    let within = entrypoint.strip_prefix("skills/").unwrap_or(entrypoint);
    let row = rows.iter().find(|(_, path, ..)| *path == within || *path == target.selector);
    let Some((name, _, digest, source)) = row else {
        return shut(Reason::PeerMissing, format!("{} is not registered in manifest.json", target.selector));
    };
    if Some(*name) != target.canonical_name.as_deref() {
        return Err(mismatch("the record's name is not the canonical one"));
    }
    if source.is_some_and(|source| !target.installers.iter().any(|own| own == source)) {
        return Err(mismatch("the record comes from another installer"));
    }
    if pin.digest(entrypoint).is_some_and(|pinned| pinned.as_str() != *digest) {
        return Err(mismatch("the record's sha256 is not the pinned one"));
    }
    match document.get("skills_dir") {
        None => Ok(()),
        Some(dir) => match dir.text() {
            Some(dir) if dir == "skills" || root.is_at(dir, "skills") => Ok(()),
            _ => Err(mismatch("`skills_dir` is another directory")),
        },
    }
}

/// gsd: the host's own list of files has the skill, with the pinned digest where it has one.
fn host_record(pin: &Pin<'_>, document: &Json) -> Result<(), Shut> {
    let Some(files) = document.get("files") else { return Ok(()) };
    let mismatch = |why: &str| Shut::For(Reason::SourceMismatch, format!("gsd-file-manifest.json: {why}"));
    files.members().ok_or_else(|| mismatch("`files` is no object"))?;
    let entrypoint = &pin.target.provenance.entrypoint;
    let Some(said) = files.get(entrypoint) else {
        return shut(
            Reason::PeerMissing,
            format!("{entrypoint} is not registered in gsd-file-manifest.json"),
        );
    };
    match (said.text(), pin.digest(entrypoint)) {
        (Some(said), Some(pinned)) if said == pinned.as_str() => Ok(()),
        _ => Err(mismatch("the skill's digest is not the pinned one")),
    }
}

/// Every pinned file against its bytes, in the manifest's order.
pub fn compare(pin: &Pin<'_>, root: &dyn Installed) -> Vec<Compared> {
    let files = &pin.target.provenance.files;
    let paths: Vec<_> = files.iter().map(|(path, _)| path.as_str()).collect();
    let row = |(path, found): (&str, Result<Digest, Fault>)| Compared {
        path: path.to_owned(),
        pinned: pin.digest(path).cloned(),
        found,
    };
    paths.iter().copied().zip(root.digests(&paths)).map(row).collect()
}

/// The skill's own directory holds nothing that nobody pinned.
pub fn is_complete(target: &Target, root: &dyn Installed) -> Result<(), Shut> {
    let known = |path: &String| target.provenance.files.iter().any(|(pinned, _)| pinned == path);
    match root.tree(target.directory())?.iter().find(|path| !known(path)) {
        None => Ok(()),
        Some(extra) => shut(Reason::SourceMismatch, format!("{extra} is there and is not pinned")),
    }
}

/// All gates of provenance, in their order, for a target that a snapshot says is loaded.
pub(super) fn gates<'s>(
    pin: &Pin<'_>,
    snapshot: &'s Snapshot,
    open: &dyn Fn(&str) -> Root<'s>,
) -> Result<(), Shut> {
    let ecosystem = &pin.target.ecosystem;
    let Some(peer) = snapshot.peer(ecosystem).filter(|peer| !peer.is_null()) else {
        return shut(Reason::PeerMissing, format!("the host has no {ecosystem} peer"));
    };
    claims(pin, peer)?;
    let root = open(root_of(peer)?)?;
    if let Some(lock) = pin.lock {
        need(root.is_at(&lock.root, ""), Reason::SourceMismatch, "the lock was made for another root")?;
    }
    identity(pin, root.as_ref())?;
    loaded(pin, peer, root.as_ref())?;
    for file in compare(pin, root.as_ref()) {
        file.verdict()?;
    }
    is_complete(pin.target, root.as_ref())
}
