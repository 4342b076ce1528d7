//! The reading edge of the resolver: a project on this machine, and the roots of installed peers.

use std::path::{Path, PathBuf};

use super::home::MOUNTS_CAP;
use super::manifest::Manifest;
use super::provenance::{Fault, Installed, Root};
use super::resolver::{Evidence, Given, Sources};
use super::{Catalog, shape};
use crate::disk::{self, Beneath, DiskError, EntryKind};
use crate::handoff::{Digest, RelPath};

/// Largest policy file that is read, in bytes.
const CAP: u64 = 1 << 20;
/// Largest identity file of a peer's root, in bytes: a bundle of many skills has a record for each.
const IDENTITY_CAP: u64 = 4 << 20;
/// Most files that a skill's own directory may hold.
const MOST: usize = 50_000;

/// What a person named, and where it is read.
#[derive(Debug, Clone, Default)]
pub struct Named {
    /// The project root.
    pub project: PathBuf,
    /// The config.
    pub config: Option<PathBuf>,
    /// The capability snapshot.
    pub capabilities: Option<PathBuf>,
    /// The lock.
    pub lock: Option<PathBuf>,
    /// A catalog instead of the built-in one.
    pub catalog: Option<PathBuf>,
    /// A manifest instead of the built-in one.
    pub manifest: Option<PathBuf>,
    /// Where the process table is mounted (`/proc`).
    pub proc: PathBuf,
}

impl Named {
    /// The manifest that is meant: the named one, else the one that is built in.
    ///
    /// # Errors
    /// Why the named one cannot be used; it is never replaced by another one in silence.
    pub fn read_manifest(path: Option<&Path>) -> Result<Manifest, String> {
        let Some(path) = path else { return Ok(Manifest::embedded()) };
        let source = path.display().to_string();
        let bytes = whole(path, CAP)?;
        Manifest::parse(&bytes, source.as_str().into()).map_err(|why| format!("manifest {source}: {why}"))
    }

    fn real_project(&self) -> Result<PathBuf, String> {
        let project = &self.project;
        let real = project
            .canonicalize()
            .map_err(|why| format!("--project-root {} cannot be resolved: {why}", project.display()))?;
        match real.is_dir() {
            true => Ok(real),
            false => Err(format!("--project-root {} is no directory", project.display())),
        }
    }

    /// Where a named evidence file really lies, relative to the project's real root.
    fn place(&self, which: Evidence, path: &Path) -> Result<PathBuf, String> {
        let project = self.real_project()?;
        let outside = || format!("{} must be a file inside the project root", path.display());
        let real = disk::real(path).map_err(|why| why.to_string())?;
        // A snapshot may be reached through a link that stays inside; what decides by itself is taken as it lies.
        let is_link = std::fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
        if is_link && which != Evidence::Capabilities {
            return Err(format!("{} is a symbolic link", path.display()));
        }
        let relative = real.strip_prefix(&project).map_err(|_| outside())?;
        match real.is_file() {
            true => Ok(relative.to_owned()),
            false => Err(outside()),
        }
    }
}

/// A whole file by its absolute path.
fn whole(path: &Path, cap: u64) -> Result<Vec<u8>, String> {
    let content = disk::read(path, cap).map_err(|why| why.to_string())?;
    match content.cut {
        true => Err(format!("{} is larger than {cap} bytes", path.display())),
        false => Ok(content.bytes),
    }
}

impl Sources for Named {
    fn project(&self) -> Result<String, String> {
        let real = self.real_project()?;
        real.to_str().map(str::to_owned).ok_or_else(|| "the project root is not UTF-8".to_owned())
    }

    fn manifest(&self) -> Result<Manifest, String> {
        Self::read_manifest(self.manifest.as_deref())
    }

    fn catalog(&self) -> Result<Catalog, String> {
        let Some(path) = &self.catalog else { return Ok(Catalog::embedded()) };
        let source = path.display().to_string();
        Catalog::parse(&whole(path, CAP)?, source.as_str().into())
            .map_err(|why| format!("catalog {source}: {why}"))
    }

    fn evidence(&self, which: Evidence) -> Given {
        let path = match which {
            Evidence::Config => &self.config,
            Evidence::Capabilities => &self.capabilities,
            Evidence::Lock => &self.lock,
        };
        let Some(path) = path else { return Given::No };
        let relative = match self.place(which, path) {
            Ok(relative) => relative,
            Err(why) => return Given::Refused(why),
        };
        let Some(rel) = relative.to_str().and_then(|text| RelPath::parse(text).ok()) else {
            return Given::Refused(format!("{} has a name that no record can hold", path.display()));
        };
        // Read beneath the root: what was exchanged since it was resolved cannot lead out of it.
        let read = self.real_project().and_then(|root| {
            let content = Beneath::open(&root).and_then(|root| root.read_in_place(&rel, CAP));
            match content.map_err(|why| why.to_string())? {
                content if content.cut => Err(format!("{rel} is larger than {CAP} bytes")),
                content => Ok(content.bytes),
            }
        });
        Given::Opened(rel.to_string(), read)
    }

    fn installed(&self, root: &str) -> Root<'_> {
        Ok(Box::new(PeerRoot::open(Path::new(root))?))
    }

    fn directory(&self, path: &str) -> Result<(), Fault> {
        let root = self.real_project().map_err(Fault::Unreadable)?;
        directory(&root, path)
    }

    fn mounts(&self) -> Option<String> {
        mounts(&self.proc)
    }
}

/// Whether a path below a directory is a directory without a link on the way.
///
/// # Errors
/// [`Fault`].
pub fn directory(root: &Path, path: &str) -> Result<(), Fault> {
    Ok(Beneath::open(root)?.directory_in_place(&rel(path)?)?)
}

/// The kernel's table of mounts.
pub fn mounts(proc: &Path) -> Option<String> {
    let content = disk::read(&proc.join("self/mountinfo"), MOUNTS_CAP).ok()?;
    String::from_utf8(content.bytes).ok().filter(|_| !content.cut)
}

fn rel(path: &str) -> Result<RelPath, Fault> {
    let refuse = |why: String| Fault::Contradicted(format!("{path:?} is {why}"));
    match shape::is_relative(path) {
        true => RelPath::parse(path).map_err(|why| refuse(why.to_string())),
        false => Err(refuse("no path below a root".into())),
    }
}

impl From<DiskError> for Fault {
    fn from(error: DiskError) -> Self {
        let words = error.to_string();
        match error {
            DiskError::NotFound(_) | DiskError::NotAFile(_) | DiskError::Escapes(_) | DiskError::Link(_) => {
                Self::Contradicted(words)
            }
            DiskError::NotWritable { .. } | DiskError::Io(..) => Self::Unreadable(words),
        }
    }
}

/// The root of an installed peer, opened.
#[derive(Debug)]
pub struct PeerRoot {
    beneath: Beneath,
    real: PathBuf,
}

impl PeerRoot {
    /// Opens the directory that an absolute path leads to.
    ///
    /// # Errors
    /// [`Fault`].
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let real = disk::real(path).map_err(|why| Fault::Contradicted(why.to_string()))?;
        if !real.is_dir() {
            return Err(Fault::Contradicted(format!("{} is no directory", path.display())));
        }
        Ok(Self { beneath: Beneath::open(&real)?, real })
    }

    fn collect(&self, directory: &Path, into: &mut Vec<String>) -> Result<(), Fault> {
        let (_, entries) = self.beneath.list(directory)?;
        for entry in entries {
            let path = directory.join(&entry.name);
            let Some(text) = path.to_str() else {
                return Err(Fault::Contradicted(format!("{} is not UTF-8", path.display())));
            };
            match entry.kind {
                EntryKind::File => into.push(text.to_owned()),
                EntryKind::Directory => self.collect(&path, into)?,
                EntryKind::Link | EntryKind::Other => {
                    return Err(Fault::Contradicted(format!("{text} is no regular file")));
                }
            }
            if into.len() > MOST {
                return Err(Fault::Unreadable(format!(
                    "more than {MOST} files below {}",
                    directory.display()
                )));
            }
        }
        Ok(())
    }
}

impl Installed for PeerRoot {
    fn bytes(&self, path: &str) -> Result<Vec<u8>, Fault> {
        let content = self.beneath.read_in_place(&rel(path)?, IDENTITY_CAP)?;
        match content.cut {
            true => Err(Fault::Unreadable(format!("{path} is larger than {IDENTITY_CAP} bytes"))),
            false => Ok(content.bytes),
        }
    }

    fn is_at(&self, absolute: &str, path: &str) -> bool {
        let absolute = Path::new(absolute);
        let expected = if path.is_empty() { self.real.clone() } else { self.real.join(path) };
        absolute.is_absolute() && absolute.canonicalize().is_ok_and(|real| real == expected)
    }

    fn digests(&self, paths: &[&str]) -> Vec<Result<Digest, Fault>> {
        use rayon::prelude::*;
        let one = |path: &&str| Ok(self.beneath.digest_in_place(&rel(path)?)?.0);
        paths.par_iter().map(one).collect()
    }

    fn tree(&self, directory: &str) -> Result<Vec<String>, Fault> {
        let mut found = Vec::new();
        self.beneath.directory_in_place(&rel(directory)?)?;
        self.collect(Path::new(directory), &mut found)?;
        Ok(found)
    }
}
