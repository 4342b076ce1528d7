//! The folders that handoffs lie in, for somebody who waits for changes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Roots;
use super::table::{Progress, Table};
use crate::disk::{Beneath, EntryKind};

/// The most folders that are told of: a system has only so many watches to give.
const MOST: usize = 4_096;

/// The folders that a scan would look into, links aside, and what in them matters.
#[derive(Debug)]
pub struct Folders {
    table: Table,
    all: HashMap<PathBuf, Progress>,
}

impl Folders {
    /// Walks them; no file is read. What cannot be listed is left out: the scan says so.
    pub fn of(roots: &Roots) -> Self {
        let (table, _) = Table::with(&roots.extra_places);
        let homes = roots.home.iter().flat_map(|home| {
            table.homes().into_iter().map(|place| (home.join(place), Some(place.to_owned())))
        });
        let projects = std::iter::once(&roots.project).chain(&roots.worktrees);
        let starts: Vec<_> = homes.chain(projects.map(|root| (root.clone(), None))).collect();
        let mut folders = Self { table, all: HashMap::new() };
        for (root, home) in starts {
            if let Ok(beneath) = Beneath::open(&root) {
                let progress = folders.table.start(home.as_deref());
                folders.walk(&beneath, Path::new(""), progress);
            }
        }
        folders
    }

    fn walk(&mut self, root: &Beneath, relative: &Path, progress: Progress) {
        let path = root.path().join(relative);
        if progress.is_empty() || self.all.len() >= MOST || self.all.contains_key(&path) {
            return;
        }
        let Ok((_, entries)) = root.list(relative) else { return };
        self.all.insert(path, progress.clone());
        for entry in entries.iter().filter(|entry| entry.kind == EntryKind::Directory) {
            let below = self.table.enter(&progress, &entry.name.to_string_lossy());
            self.walk(root, &relative.join(&entry.name), below);
        }
    }

    /// All of them.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.all.keys().map(PathBuf::as_path)
    }

    /// Whether what lies at a path, or is no longer there, can be a handoff or a folder with some.
    pub fn concerns(&self, path: &Path) -> bool {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return false };
        let Some(progress) = self.all.get(folder) else { return false };
        let name = name.to_string_lossy();
        self.table.counts(progress, &name).is_some() || !self.table.enter(progress, &name).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_what_can_hold_a_handoff_is_waited_for() {
        let temp = tempfile::tempdir().unwrap();
        let (project, home) = (temp.path().join("api"), temp.path().join("home"));
        for folder in ["api/plans/260901-auth", "api/src/deep", "api/target", "home/.claude/handoffs/archive"]
        {
            fs::create_dir_all(temp.path().join(folder)).unwrap();
        }
        let roots = Roots { project: project.clone(), home: Some(home.clone()), ..Roots::default() };
        let folders = Folders::of(&roots);
        let mut paths: Vec<_> = folders.paths().collect();
        paths.sort();
        let plan = project.join("plans/260901-auth");
        let global = home.join(".claude/handoffs");
        let archive = global.join("archive");
        assert_eq!(
            paths,
            [project.as_path(), &project.join("plans"), &plan, &global, &archive],
            "not the sources, and nothing else of the home"
        );
        for path in [plan.join("HANDOFF.md"), project.join("plans/260902-new"), project.join(".thunderkit")] {
            assert!(folders.concerns(&path), "{} can be or hold one", path.display());
        }
        for path in [project.join("Cargo.lock"), project.join("src"), plan.join("plan.md")] {
            assert!(!folders.concerns(&path), "{} cannot", path.display());
        }
    }
}
