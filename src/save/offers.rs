//! What is offered after a save, and done on a yes alone: new decisions in thunderkit's own list, the command that
//! stages exactly what was written, and the command that keeps a snapshot of it. A command that fails alters nothing
//! of what was saved.

use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use super::draft::Refusal;
use super::file::{self, Around, NotWritten, Part, Written};
use super::shell::command;
use crate::disk::{self, DiskError};
use crate::handoff::inert;
use crate::repo::Repo;

/// thunderkit's list of decisions, below the project.
const LIST: &str = ".thunderkit/DECISIONS.md";
/// The most bytes of it.
const CAP: u64 = 1 << 20;

/// Decisions that are not in the project's list yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mirror {
    /// The list.
    pub path: PathBuf,
    /// What would be added at its end.
    pub added: String,
    project: PathBuf,
    old: Option<Vec<u8>>,
    new: Vec<u8>,
}

/// What would be added to the list; `None` where thunderkit is not used here or nothing is new.
///
/// # Errors
/// The list is there and cannot be read.
pub(super) fn mirror(
    project: &Path,
    decisions: &[String],
    from: &Path,
    now: DateTime<FixedOffset>,
) -> Result<Option<Mirror>, Refusal> {
    let path = project.join(LIST);
    if !project.join(".thunderkit").is_dir() {
        return Ok(None);
    }
    let old = match disk::read(&path, CAP) {
        Ok(content) if content.cut => return Err(Refusal(format!("{LIST} is larger than 1 MiB"))),
        Ok(content) => Some(content.bytes),
        Err(DiskError::NotFound(_)) => None,
        Err(why) => return Err(why.into()),
    };
    let before = String::from_utf8_lossy(old.as_deref().unwrap_or_default()).into_owned();
    let item = |text: &String| format!("- {}", inert::one_line(&inert::shown(text.trim())));
    let known = |item: &String| before.lines().any(|line| line.trim_end() == item);
    let new: Vec<String> = decisions.iter().map(item).filter(|item| item.len() > 2 && !known(item)).collect();
    if new.is_empty() {
        return Ok(None);
    }
    let from = from.strip_prefix(project).unwrap_or(from);
    let from = inert::one_line(&inert::shown(&from.to_string_lossy()));
    let added = format!("## {}, {from}\n\n{}\n", now.format("%Y-%m-%d %H:%M"), new.join("\n"));
    let gap = match before.as_bytes() {
        [] => "# Decisions\n\n",
        [.., b'\n', b'\n'] => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    };
    let added = format!("{gap}{added}");
    let new = [old.as_deref().unwrap_or_default(), added.as_bytes()].concat();
    Ok(Some(Mirror { path, added, project: project.to_owned(), old, new }))
}

impl Mirror {
    /// Writes it, if the list is what it was.
    ///
    /// # Errors
    /// [`NotWritten`]; the list is then what it was.
    pub(super) fn write(&self, around: &Around, repo: Option<&Repo>) -> Result<Written, NotWritten> {
        let mut written = file::write_all(around, &[self.part()], repo)?;
        written.pop().ok_or_else(|| DiskError::NotFound(self.path.clone()).into())
    }

    /// The list as a file of a save.
    pub(super) fn part(&self) -> Part<'_> {
        Part { root: &self.project, path: &self.path, bytes: &self.new, last_read: self.old.as_deref() }
    }
}

/// The command that stages exactly those of these files that lie in the repository, for a person to paste: the index
/// is git's own to write.
pub(super) fn stage(root: &Path, files: &[&Path]) -> Option<String> {
    let inside = files.iter().filter_map(|file| file.strip_prefix(root).ok()).map(Path::to_str);
    let inside: Vec<&str> = inside.collect::<Option<_>>()?;
    let words = ["git", "-C", root.to_str()?, "add", "--"];
    (!inside.is_empty()).then(|| command(words.into_iter().chain(inside)))
}

/// The command that keeps a snapshot of what was saved, approved by whoever runs it. Where the store lies is never
/// inferred: STORE and STATE are the person's to set, and the shell stops where they are not.
pub(super) fn snapshot(root: &Path, identity: &str, saved: &Path) -> Option<String> {
    let folder = saved.parent().filter(|folder| folder.starts_with(root))?;
    let before = ["moorline", "snapshot", "capture", "--project-root", root.to_str()?, "--scope", "project"];
    let named =
        ["--identity", identity, "--source", folder.to_str()?, "--context-entrypoint", saved.to_str()?];
    let words = command(before.into_iter().chain(named));
    Some(format!("{words} --backup-root \"${{STORE:?}}\" --state-dir \"${{STATE:?}}\" --approve"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn mirrored(project: &Path, decisions: &[&str]) -> Option<Mirror> {
        let now = DateTime::parse_from_rfc3339("2026-10-05T09:30:00+02:00").unwrap();
        let decisions: Vec<String> = decisions.iter().map(|&text| text.to_owned()).collect();
        mirror(project, &decisions, &project.join("plans/a/HANDOFF.md"), now).unwrap()
    }

    #[test]
    fn only_new_decisions_are_added_and_what_is_there_stays() {
        let temp = tempfile::tempdir().unwrap();
        assert_eq!(mirrored(temp.path(), &["A"]), None, "without thunderkit there is no list to add to");
        fs::create_dir(temp.path().join(".thunderkit")).unwrap();
        let first = mirrored(temp.path(), &["A", "B\nmore"]).unwrap();
        let head = "# Decisions\n\n## 2026-10-05 09:30, plans/a/HANDOFF.md\n\n- A\n";
        assert!(first.added.starts_with(head), "a new list has a title: {}", first.added);
        fs::write(&first.path, "kept\n- A").unwrap();
        let second = mirrored(temp.path(), &["A", "C"]).unwrap();
        assert!(second.new.starts_with(b"kept\n- A\n\n## "), "what is there stays, on lines of its own");
        assert!(!second.added.contains("- A") && second.added.ends_with("- C\n"), "only the new one");
        assert_eq!(mirrored(temp.path(), &["A"]), None, "nothing new, nothing offered");
    }

    #[test]
    fn the_command_names_exactly_the_files() {
        let files = [Path::new("/p/a b.md"), Path::new("/p/c.md")];
        assert_eq!(stage(Path::new("/p"), &files).as_deref(), Some("git -C /p add -- 'a b.md' c.md"));
        assert_eq!(stage(Path::new("/p"), &[Path::new("/q/a.md")]), None, "nothing outside of the project");
    }
}
