//! Which files are the handoffs' own. They never count as dirt or drift: a checker that fails because its own
//! file was written, or committed, says nothing about the work.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::disk::{Beneath, EntryKind};
use crate::place::Conventions;

/// Directories that tools keep their own records in, beside the handoffs that the table of conventions knows.
const RECORDS: &[&str] = &[".memtomem/", ".thunderkit/runs/"];

/// Files that saving writes beside a handoff.
const BESIDE: &[&str] = &[".thunderkit/DECISIONS.md"];

/// How many entries of an untracked directory are looked at before it counts as work.
const MOST: usize = 500;

/// The handoffs' own files of one project.
#[derive(Debug)]
pub struct OwnFiles {
    conventions: Arc<Conventions>,
    /// Paths relative to the repository's root.
    exact: Vec<PathBuf>,
    /// The project's directory inside the repository; empty for the root itself.
    prefix: PathBuf,
    /// The repository's root, to look into untracked directories.
    root: Option<Beneath>,
}

impl OwnFiles {
    /// For the project `project` in the repository at `repository` (both real paths), with a handoff and its twins
    /// at these places besides those that the conventions know.
    pub fn new<'a>(
        conventions: Arc<Conventions>,
        repository: &Path,
        project: &Path,
        files: impl IntoIterator<Item = &'a Path>,
    ) -> Self {
        let inside = |path: &Path| {
            let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            real.strip_prefix(repository).ok().map(Path::to_owned)
        };
        Self {
            conventions,
            exact: files.into_iter().filter_map(inside).collect(),
            prefix: inside(project).unwrap_or_default(),
            root: Beneath::open(repository).ok(),
        }
    }

    /// Whether a path is one of them, relative to the repository's root as git prints it: an untracked directory,
    /// which git names instead of what is in it, ends with a slash and is one of them if everything in it is.
    pub fn holds(&self, path: &str) -> bool {
        match path.strip_suffix('/') {
            Some(directory) if !self.is_record(path) => self.holds_all(Path::new(directory), &mut 0),
            _ => self.holds_file(Path::new(path)),
        }
    }

    fn is_record(&self, path: &str) -> bool {
        let path = Path::new(path).strip_prefix(&self.prefix).unwrap_or(Path::new(path));
        RECORDS.iter().any(|own| path.starts_with(own))
    }

    fn holds_file(&self, path: &Path) -> bool {
        let inside = path.strip_prefix(&self.prefix).unwrap_or(path);
        self.exact.iter().any(|own| own == path)
            || RECORDS.iter().any(|own| inside.starts_with(own))
            || BESIDE.iter().any(|own| inside == Path::new(own))
            || self.conventions.fit(inside)
    }

    /// Whether everything below a directory is a handoff's own. What cannot be listed, or is too much, is not.
    fn holds_all(&self, directory: &Path, looked_at: &mut usize) -> bool {
        let listing = self.root.as_ref().and_then(|root| root.list(directory).ok());
        let Some((_, entries)) = listing else { return false };
        entries.iter().all(|entry| {
            *looked_at += 1;
            let path = directory.join(&entry.name);
            let text = path.to_string_lossy();
            *looked_at <= MOST
                && match entry.kind {
                    EntryKind::Directory => self.is_record(&text) || self.holds_all(&path, looked_at),
                    _ => self.holds_file(&path),
                }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(dir: &Path, project: &str, files: &[&Path]) -> OwnFiles {
        let conventions = Arc::new(Conventions::with(&[]));
        OwnFiles::new(conventions, dir, &dir.join(project), files.iter().copied())
    }

    #[test]
    fn a_handoff_is_never_dirt_and_the_work_always_is() {
        let temp = tempfile::tempdir().expect("a temporary directory can be made");
        let dir = temp.path().canonicalize().expect("it has a real path");
        std::fs::create_dir_all(dir.join("services/api")).expect("directories can be made");
        let own_files = own(&dir, "", &[&dir.join("notes/DIARY.md")]);
        for path in [
            ".thunderkit/HANDOFF.md",
            ".claude/handoffs/260325-auth.md",
            "plans/260325-auth/HANDOFF-2.md",
            "docs/SESSION_HANDOFF.md",
            ".memtomem/memories.local/2026-11-03--shared-x.md",
            ".thunderkit/runs/r1/worktrees/L1/",
            "notes/DIARY.md",
        ] {
            assert!(own_files.holds(path), "{path} is a handoff's own file");
        }
        for path in
            [".thunderkit/config.json", "src/handoff/mod.rs", "DIARY.md", "plans/260325-auth/plan.md", "src/"]
        {
            assert!(!own_files.holds(path), "{path} is work");
        }
        let inside = own(&dir, "services/api", &[]);
        assert!(
            inside.holds("services/api/.thunderkit/HANDOFF.md"),
            "a project may lie deeper than its repository"
        );
    }

    #[test]
    fn an_untracked_directory_is_as_own_as_what_is_in_it() {
        let temp = tempfile::tempdir().expect("a temporary directory can be made");
        let dir = temp.path().canonicalize().expect("it has a real path");
        std::fs::create_dir_all(dir.join(".claude/handoffs")).expect("directories can be made");
        std::fs::write(dir.join(".claude/handoffs/260325-auth.md"), "x").expect("a file can be written");
        let own = own(&dir, "", &[]);
        assert!(own.holds(".claude/"), "git names the new folder, which holds nothing but a handoff");
        std::fs::write(dir.join(".claude/settings.json"), "{}").expect("a file can be written");
        assert!(!own.holds(".claude/"), "and with anything else in it, it is work");
    }
}
