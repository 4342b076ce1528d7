//! Giving a snapshot back: to read, or copied out into a directory of its own. Nothing is run, nothing is written
//! anywhere else, and no permission comes back.

use std::path::{Path, PathBuf};

use super::places::{Named, lies_in};
use super::store::{self, Certainty, Problem, Snapshot, Store};
use super::{Refused, limits};
use crate::disk::{Depot, DiskError};
use crate::handoff::{Digest, Inert, RelPath};

/// What was copied out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// The directory.
    pub to: PathBuf,
    /// How many files lie in it, manifest and bundle included.
    pub files: usize,
}

impl Store {
    /// The text with which a session goes on, if the snapshot has one; bytes that are no UTF-8 are marked.
    ///
    /// # Errors
    /// [`Refused::Damaged`] where its bytes are not those of the manifest.
    pub fn context_text(&self, snapshot: &Snapshot) -> Result<Option<Inert>, Refused> {
        let Some(context) = &snapshot.manifest.context else { return Ok(None) };
        let file = snapshot.manifest.files.iter().find(|file| file.path == context.path);
        let file = file.expect("a manifest's context is one of its files");
        let at = store::object_path(&file.sha256);
        let content = self.dir.read.read(&at, limits::FILE)?;
        match Digest::of(&content.bytes) == file.sha256 {
            true => Ok(Some(Inert::new(String::from_utf8_lossy(&content.bytes)))),
            false => Err(changed(&at)),
        }
    }

    /// Copies a snapshot out into `to`, which is not there yet or is an empty directory: `files/` with every file at
    /// its path, `history.bundle`, `manifest.json`. Files get mode 0600 and directories 0700, whatever they had.
    ///
    /// Everything is verified before the first byte is written, and each file again while it is written.
    ///
    /// # Errors
    /// [`Refused::Input`] for a place that cannot be used, [`Refused::Damaged`], and [`Refused::Disk`] where the
    /// system stops it: then `to` holds a part, and the error says so.
    pub fn copy_out(&self, snapshot: &Snapshot, to: &Path) -> Result<Copied, Refused> {
        let named = Named { flag: "--to", path: to };
        named.literal()?;
        let parent = to.parent().ok_or_else(|| named.refused("is no place for a directory"))?;
        let parent = parent
            .canonicalize()
            .map_err(|error| named.refused(format!("its parent directory cannot be used: {error}")))?;
        if lies_in(&parent, self.dir.read.id()) || lies_in(to, self.dir.read.id()) {
            return Err(named.refused("lies in the store: name a directory outside"));
        }
        let there = std::fs::symlink_metadata(to).is_ok();
        if there {
            let depot = Depot::open(to).map_err(|error| named.refused(error))?;
            if !depot.is_empty().map_err(|error| named.refused(error))? {
                return Err(named.refused("is not empty: nothing is ever overwritten"));
            }
        }
        let problems = self.verify_one(snapshot).problems;
        if !problems.is_empty() {
            return Err(Refused::Damaged(problems));
        }
        let depot = if there { Depot::open(to) } else { Depot::make(to) };
        let depot = depot.map_err(|error| named.refused(error))?;
        self.fill(snapshot, &depot).map_err(|error| match error {
            Refused::Disk(error) => Refused::Disk(DiskError::Io(
                to.to_owned(),
                format!("holds only a part of the snapshot, because {error}"),
            )),
            other => other,
        })
    }

    fn fill(&self, snapshot: &Snapshot, depot: &Depot) -> Result<Copied, Refused> {
        let mut files = 1;
        for file in &snapshot.manifest.files {
            let at = RelPath::parse(&format!("files/{}", file.path));
            let at = at.map_err(|why| Refused::Input(format!("{}: {why}", file.path)))?;
            self.give(depot, &file.sha256, file.size, &at)?;
            files += 1;
        }
        if let Some((digest, size)) = snapshot.manifest.history.bundle() {
            let at = RelPath::parse("history.bundle").expect("a plain name is a safe path");
            self.give(depot, digest, size, &at)?;
            files += 1;
        }
        let at = RelPath::parse("manifest.json").expect("a plain name is a safe path");
        let mut to = depot.file(&at)?;
        let from = store::manifest_path(&snapshot.id);
        let (found, _) = self.dir.read.copy(&from, &mut to, limits::MANIFEST)?;
        to.finish()?;
        if found != snapshot.id {
            depot.remove(&at)?;
            return Err(changed(&from));
        }
        depot.sync(&RelPath::parse(".").expect("the root is a safe path"))?;
        Ok(Copied { to: depot.path().to_owned(), files })
    }

    /// One object into one new file; a file with other bytes does not stay.
    fn give(&self, depot: &Depot, digest: &Digest, size: u64, at: &RelPath) -> Result<(), Refused> {
        let from = store::object_path(digest);
        let mut to = depot.file(at)?;
        let (found, _) = self.dir.read.copy(&from, &mut to, size)?;
        to.finish()?;
        if found == *digest {
            return Ok(());
        }
        depot.remove(at)?;
        Err(changed(&from))
    }
}

fn changed(at: &RelPath) -> Refused {
    Refused::Damaged(vec![Problem {
        path: at.to_string(),
        certainty: Certainty::Damaged,
        what: "its bytes are not those that its name says".into(),
    }])
}
