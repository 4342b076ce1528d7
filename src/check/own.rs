//! Which files are the handoffs' own. They never count as dirt or drift: a checker that fails because its own
//! file was written, or committed, says nothing about the work.

use std::path::Path;

/// Directories that hold nothing but handoffs and moorline's or memtomem's own records.
const OWN_DIRECTORIES: &[&str] = &[
    ".claude/handoffs/",
    ".agents/handoffs/",
    ".agent-handoff/",
    ".handoff/",
    ".handoffs/",
    "docs/handoffs/",
    "handoffs/",
    "thoughts/shared/handoffs/",
    ".memtomem/",
    ".thunderkit/runs/",
];

/// Files that are written by saving.
const OWN_FILES: &[&str] =
    &[".thunderkit/HANDOFF.md", ".thunderkit/DECISIONS.md", ".planning/.continue-here.md"];

/// Words that a handoff's file name has.
const OWN_WORDS: &[&str] = &["handoff", "handover", "hand-off", "next_session", "next-session"];

/// The handoffs' own files of one project, by their paths relative to the repository root.
#[derive(Debug, Clone, Default)]
pub struct OwnFiles {
    exact: Vec<String>,
    /// The project's directory inside the repository, with a slash at its end; empty for the root itself.
    prefix: String,
}

impl OwnFiles {
    /// For a project that lies at `prefix` inside its repository (empty: the root), with the handoff and its
    /// twins at these paths relative to the repository root.
    pub fn new<'a>(prefix: &Path, files: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut prefix = prefix.to_string_lossy().into_owned();
        if !prefix.is_empty() && !prefix.ends_with('/') {
            prefix.push('/');
        }
        Self { exact: files.into_iter().map(|file| file.to_string_lossy().into_owned()).collect(), prefix }
    }

    /// Whether a path (relative to the repository root; a directory ends with a slash) is one of them.
    pub fn holds(&self, path: &str) -> bool {
        if self.exact.iter().any(|own| own == path) {
            return true;
        }
        let path = path.strip_prefix(self.prefix.as_str()).unwrap_or(path);
        // git names an untracked directory instead of what is in it: a tool's own folder that holds the handoff
        // was made for it.
        let folder = path.ends_with('/') && path.starts_with('.');
        if folder && (path == ".thunderkit/" || self.exact.iter().any(|own| own.contains(path))) {
            return true;
        }
        if OWN_FILES.contains(&path) || OWN_DIRECTORIES.iter().any(|own| path.starts_with(own)) {
            return true;
        }
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let is_text = [".md", ".txt", ".json", ".yaml", ".yml"].iter().any(|end| name.ends_with(end));
        is_text && OWN_WORDS.iter().any(|word| name.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handoff_is_never_dirt_and_the_work_always_is() {
        let own = OwnFiles::new(Path::new(""), [Path::new("notes/CONTINUE.md")]);
        for path in [
            ".thunderkit/HANDOFF.md",
            ".claude/handoffs/260325-auth.md",
            "plans/260325-auth/HANDOFF-2.md",
            "docs/SESSION_HANDOFF.md",
            ".memtomem/memories.local/2026-11-03--shared-x.md",
            ".thunderkit/runs/r1/worktrees/L1/",
            "notes/CONTINUE.md",
        ] {
            assert!(own.holds(path), "{path} is a handoff's own file");
        }
        for path in
            [".thunderkit/config.json", "src/handoff/mod.rs", "CONTINUE.md", "plans/260325-auth/plan.md"]
        {
            assert!(!own.holds(path), "{path} is work");
        }
        let inside = OwnFiles::new(Path::new("services/api"), []);
        assert!(
            inside.holds("services/api/.thunderkit/HANDOFF.md"),
            "a project may lie deeper than its repository"
        );
    }
}
