//! Which files are the handoffs' own. They never count as dirt or drift: a checker that fails because its own
//! file was written, or committed, says nothing about the work.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cache::Memo;
use crate::disk::{Beneath, EntryKind};
use crate::place::Conventions;

/// Directories that tools keep their own records in, beside the handoffs that the table of conventions knows.
const RECORDS: &[&str] = &[".memtomem/", ".thunderkit/runs/"];

/// Files that saving writes beside a handoff.
const BESIDE: &[&str] = &[".thunderkit/DECISIONS.md"];

/// How many entries of an untracked directory are looked at before it counts as work.
const MOST: usize = 500;

/// The handoffs' own files of one project, by the conventions. What was told of a path stays told, because each
/// handoff of the project asks about the same ones.
pub struct OwnFiles {
    conventions: Arc<Conventions>,
    /// The repository's root, as real path.
    repository: PathBuf,
    /// The project's directory inside the repository; empty for the root itself.
    prefix: PathBuf,
    /// The repository's root, to look into untracked directories.
    root: Option<Beneath>,
    told: Memo<String, bool>,
}

impl OwnFiles {
    /// For the project `project` in the repository at `repository` (a real path).
    pub fn new(conventions: Arc<Conventions>, repository: &Path, project: &Path) -> Self {
        Self {
            conventions,
            repository: repository.to_owned(),
            prefix: inside(repository, project).unwrap_or_default(),
            root: Beneath::open(repository).ok(),
            told: Memo::default(),
        }
    }

    /// Whether a path is one of them, relative to the repository's root as git prints it: an untracked directory,
    /// which git names instead of what is in it, ends with a slash and is one of them if everything in it is.
    pub fn holds(&self, path: &str) -> bool {
        self.told.get(path.to_owned(), || self.holds_beside(path, &[]))
    }

    fn holds_beside(&self, path: &str, exact: &[PathBuf]) -> bool {
        match path.strip_suffix('/') {
            Some(directory) if !self.is_record(path) => self.holds_all(Path::new(directory), exact, &mut 0),
            _ => self.holds_file(Path::new(path), exact),
        }
    }

    fn is_record(&self, path: &str) -> bool {
        let path = Path::new(path).strip_prefix(&self.prefix).unwrap_or(Path::new(path));
        RECORDS.iter().any(|own| path.starts_with(own))
    }

    fn holds_file(&self, path: &Path, exact: &[PathBuf]) -> bool {
        let inside = path.strip_prefix(&self.prefix).unwrap_or(path);
        exact.iter().any(|own| own == path)
            || RECORDS.iter().any(|own| inside.starts_with(own))
            || BESIDE.iter().any(|own| inside == Path::new(own))
            || self.conventions.fit(inside)
    }

    /// Whether everything below a directory is a handoff's own. What cannot be listed, or is too much, is not.
    fn holds_all(&self, directory: &Path, exact: &[PathBuf], looked_at: &mut usize) -> bool {
        let listing = self.root.as_ref().and_then(|root| root.list(directory).ok());
        let Some((_, entries)) = listing else { return false };
        entries.iter().all(|entry| {
            *looked_at += 1;
            let path = directory.join(&entry.name);
            let text = path.to_string_lossy();
            *looked_at <= MOST
                && match entry.kind {
                    EntryKind::Directory => self.is_record(&text) || self.holds_all(&path, exact, looked_at),
                    _ => self.holds_file(&path, exact),
                }
        })
    }
}

/// The same with one handoff and its twins, which may lie where no convention looks.
pub struct OwnWith {
    all: Arc<OwnFiles>,
    /// Paths relative to the repository's root that the conventions do not know.
    exact: Vec<PathBuf>,
}

impl OwnWith {
    /// The project's own files and these.
    pub fn new<'a>(all: Arc<OwnFiles>, files: impl IntoIterator<Item = &'a Path>) -> Self {
        let files = files.into_iter().filter_map(|file| inside(&all.repository, file));
        let exact = files.filter(|file| !all.holds_file(file, &[])).collect();
        Self { all, exact }
    }

    /// As [`OwnFiles::holds`].
    pub fn holds(&self, path: &str) -> bool {
        if self.exact.is_empty() { self.all.holds(path) } else { self.all.holds_beside(path, &self.exact) }
    }
}

/// A path relative to the repository's root, by where it really lies.
fn inside(repository: &Path, path: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    real.strip_prefix(repository).ok().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(dir: &Path, project: &str, files: &[&Path]) -> OwnWith {
        let conventions = Arc::new(Conventions::with(&[]));
        let all = Arc::new(OwnFiles::new(conventions, dir, &dir.join(project)));
        OwnWith::new(all, files.iter().copied())
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
        assert!(own.holds(".claude/"), "what was told stays told");
        let own = self::own(&dir, "", &[]);
        assert!(!own.holds(".claude/"), "and with anything else in it, it is work");
        let own = self::own(&dir, "", &[&dir.join(".claude/settings.json")]);
        assert!(own.holds(".claude/"), "unless that is the handoff itself");
    }
}
