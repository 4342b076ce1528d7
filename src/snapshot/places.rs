//! The places that a person names: literal, absolute, apart from each other. Nothing about them is inferred.

use std::path::{Component, Path, PathBuf};

use super::Refused;
use super::store::Store;
use crate::disk::{self, Beneath, Depot, FileId, Kind, PinnedDir};
use crate::handoff::RelPath;
use crate::repo::Repo;

/// A place with the flag that named it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) flag: &'static str,
    pub(super) path: &'a Path,
}

impl Named<'_> {
    /// The same sentence for every refusal of a place.
    pub(super) fn refused(&self, why: impl std::fmt::Display) -> Refused {
        Refused::Input(format!("{} {}: {why}", self.flag, self.path.display()))
    }

    /// Absolute, and without a step that means something else than it says.
    pub(super) fn literal(&self) -> Result<(), Refused> {
        if !self.path.is_absolute() {
            return Err(self.refused("is not absolute: nothing is taken from the current directory"));
        }
        let text = self.path.as_os_str().as_encoded_bytes();
        let steps = text.split(|byte| *byte == b'/');
        if self.path.components().any(|part| part == Component::ParentDir) || { steps }
            .any(|step| step == b".")
        {
            return Err(self.refused("has a `.` or `..` in it: name the place itself"));
        }
        Ok(())
    }

    /// An existing directory that is named itself, not by a link; gives its real path.
    fn directory(&self) -> Result<PathBuf, Refused> {
        self.literal()?;
        let metadata = std::fs::symlink_metadata(self.path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => self.refused("is not there: make the directory first"),
            _ => self.refused(error),
        })?;
        if metadata.is_symlink() {
            return Err(self.refused("is a symbolic link: name the directory that it leads to"));
        }
        if !metadata.is_dir() {
            return Err(self.refused("is not a directory"));
        }
        self.path.canonicalize().map_err(|error| self.refused(error))
    }
}

/// The store's directory, opened for reading and for new files.
#[derive(Debug)]
pub(super) struct StoreDir {
    pub(super) read: Beneath,
    pub(super) write: Depot,
    /// Its real path.
    pub(super) real: PathBuf,
}

impl StoreDir {
    pub(super) fn open(path: &Path) -> Result<Self, Refused> {
        let named = Named { flag: "--backup-root", path };
        let real = named.directory()?;
        let write = Depot::open(&real).map_err(|error| named.refused(error))?;
        let read = Beneath::open(&real).map_err(|error| named.refused(error))?;
        match read.id() == write.id() {
            true => Ok(Self { read, write, real }),
            false => Err(named.refused("was exchanged while it was opened: try again")),
        }
    }
}

/// The places of a capture, looked at and opened.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) project: Beneath,
    pub(super) store: Store,
    /// The state directory's real path.
    pub(super) state: PathBuf,
}

impl Places {
    pub(super) fn open(project: &Path, store: &Path, state: &Path) -> Result<Self, Refused> {
        let named = Named { flag: "--project-root", path: project };
        let project_real = named.directory()?;
        let project = Beneath::open(&project_real).map_err(|error| named.refused(error))?;
        let store = Store::open(store)?;
        let named = Named { flag: "--state-dir", path: state };
        let state = named.directory()?;
        let pin = PinnedDir::open(&state).map_err(|error| named.refused(error))?;
        pin.only_ours().map_err(|error| Refused::Input(format!("--state-dir {error}")))?;
        let all = [
            ("--project-root", project_real.as_path(), project.id()),
            ("--backup-root", store.dir.real.as_path(), store.dir.read.id()),
            ("--state-dir", state.as_path(), pin.id()),
        ];
        for (flag, path, _) in all {
            for (other_flag, other_path, other) in all {
                if flag != other_flag && lies_in(path, other) {
                    return Err(Refused::Input(format!(
                        "{flag} {} lies in {other_flag} {}: the three places must be apart from each other",
                        path.display(),
                        other_path.display()
                    )));
                }
            }
        }
        Ok(Self { project, store, state })
    }

    /// Store and state directory lie in no other worktree of the project's repository, and not in what they share:
    /// git would take them for a part of its work.
    pub(super) fn outside_of(&self, repo: &Repo) -> Result<(), Refused> {
        let worktrees = repo.worktrees()?.into_iter().map(|worktree| worktree.path);
        for dir in worktrees.chain([repo.common_dir().to_owned()]) {
            // One that is gone holds nothing.
            let Ok((_, id)) = disk::kind(&dir) else { continue };
            for (flag, path) in [("--backup-root", &self.store.dir.real), ("--state-dir", &self.state)] {
                if lies_in(path, id) {
                    return Err(Refused::Input(format!(
                        "{flag} {} lies in {}, which belongs to the same repository: name a place outside",
                        path.display(),
                        dir.display()
                    )));
                }
            }
        }
        Ok(())
    }

    /// What a person named inside the project, as a path from its root; what it is.
    ///
    /// `root` is the project as it was named: a place may be written with it or with the real path.
    pub(super) fn inside(&self, root: &Path, named: Named<'_>) -> Result<(RelPath, Kind), Refused> {
        named.literal()?;
        let real_root = self.project.path();
        let rest = named.path.strip_prefix(root).or_else(|_| named.path.strip_prefix(real_root));
        let rest = rest.map_err(|_| named.refused("does not lie in the project"))?;
        let text = rest.to_str().ok_or_else(|| named.refused("has a name that is not UTF-8"))?;
        let rel =
            RelPath::parse(if text.is_empty() { "." } else { text }).map_err(|why| named.refused(why))?;
        if rel.as_path().iter().any(|part| part == ".git") {
            return Err(named.refused("is git's own: history is kept by --include-history"));
        }
        let full: PathBuf = real_root.join(if rel.is_root() { Path::new("") } else { rel.as_path() });
        let full: PathBuf = full.components().collect();
        match full.canonicalize() {
            Ok(real) if real != full => {
                return Err(named.refused("leads through a symbolic link: name the place itself"));
            }
            Ok(_) => {}
            Err(error) => return Err(named.refused(error)),
        }
        let (kind, _) = self.project.kind(&rel).map_err(|error| named.refused(error))?;
        Ok((rel, kind))
    }
}

/// Whether a real path is, or lies in, a directory, whatever the names of both.
pub(super) fn lies_in(path: &Path, dir: FileId) -> bool {
    path.ancestors().any(|above| disk::kind(above).is_ok_and(|(_, id)| id == dir))
}
