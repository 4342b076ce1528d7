//! A place that git ignores: the rule that does it, and the one line that would change that.

use std::path::Path;

use super::file::{self, Around, NotWritten, Part, Written};
use crate::disk::{self, DiskError};
use crate::handoff::{Inert, inert};
use crate::repo::{IgnoredBy, Person, Repo, RepoError};

/// The most bytes of a `.gitignore` that is edited.
const CAP: u64 = 1 << 20;

/// The directory that is made for handoffs: it may be taken back as a whole.
const OWN: &str = ".claude/handoffs";

/// Why a saved file would not be committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    /// The rule.
    pub by: IgnoredBy,
    /// The edit that takes the place out of it, or why one line cannot do that.
    pub edit: Result<Edit, String>,
}

/// One line of one `.gitignore`, taken out or added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What it does, in words: `take line 3 out of .gitignore: .claude/handoffs/`.
    pub words: Inert,
    path: std::path::PathBuf,
    old: Vec<u8>,
    new: Vec<u8>,
}

/// An edit that was made, and what a second look says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unignored {
    /// The file that was edited.
    pub written: Written,
    /// The rule that still ignores the place.
    pub still: Option<IgnoredBy>,
}

/// What ignores `target` (links followed), if anything does.
///
/// # Errors
/// The rules cannot be read.
pub(super) fn look(repo: &Repo, target: &Path, person: &Person) -> Result<Option<Ignored>, RepoError> {
    let by = repo.ignored_by(target, person)?;
    Ok(by.map(|by| Ignored { edit: edit(repo.root(), &by, target), by }))
}

impl Edit {
    /// The edited file as a file of a save in this repository.
    pub(super) fn part<'a>(&'a self, repo: &'a Repo) -> Part<'a> {
        Part { root: repo.root(), path: &self.path, bytes: &self.new, last_read: Some(&self.old) }
    }
}

/// Makes the edit, if the file is what it was, and looks again.
///
/// # Errors
/// [`NotWritten`]; the file is then what it was.
pub(super) fn apply(
    edit: &Edit,
    around: &Around,
    repo: &Repo,
    target: &Path,
    person: &Person,
) -> Result<Unignored, NotWritten> {
    let mut written = file::write_all(around, &[edit.part(repo)], Some(repo))?;
    let written = written.pop().ok_or_else(|| DiskError::NotFound(edit.path.clone()))?;
    Ok(look_again(written, repo, target, person))
}

/// What a second look says after the edit was made.
pub(super) fn look_again(written: Written, repo: &Repo, target: &Path, person: &Person) -> Unignored {
    // Where the second look fails, the first one's answer is all that is known.
    let still = repo.ignored_by(target, person).unwrap_or_default();
    Unignored { written, still }
}

fn edit(root: &Path, by: &IgnoredBy, target: &Path) -> Result<Edit, String> {
    let directory = by.file.parent().filter(|dir| dir.starts_with(root));
    let (Some(directory), true) = (directory, by.file.file_name().is_some_and(|name| name == ".gitignore"))
    else {
        return Err("that is no .gitignore of this project: change it there by hand".into());
    };
    let hit = root.join(&by.hit);
    let is_own = hit.ends_with(OWN) && target.parent() == Some(hit.as_path());
    if hit != target && !is_own {
        return Err(format!(
            "the rule ignores all of {}, and in an ignored directory no line can take one file back",
            shown(&by.hit)
        ));
    }
    let unreadable = |why: disk::DiskError| why.to_string();
    let content = disk::read(&by.file, CAP).map_err(unreadable)?;
    let lines: Vec<&[u8]> = content.bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let line = by.line.checked_sub(1).and_then(|at| lines.get(at)).filter(|_| !content.cut);
    let line = line.ok_or("that line is no longer there")?;
    let inside = hit.strip_prefix(directory).map_err(|_| "the rule stands outside of its reach")?;
    let file = by.file.strip_prefix(root).unwrap_or(&by.file);
    let (before, after) = (lines[..by.line - 1].concat(), lines[by.line..].concat());
    if is_only_about(line, inside, is_own) {
        let text = inert::shown(String::from_utf8_lossy(line).trim_end());
        let words = format!("take line {} out of {}: {text}", by.line, shown(file)).into();
        let new = [before, after].concat();
        return Ok(Edit { words, path: by.file.clone(), old: content.bytes, new });
    }
    let added = taken_back(inside, is_own, target);
    let words = format!("add `{added}` after line {} of {}", by.line, shown(file)).into();
    let end: &[u8] = if line.ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
    // A last line without an end gets one, and the new last line has none.
    let new = match line.ends_with(b"\n") {
        true => [&before, *line, added.as_bytes(), end, &after].concat(),
        false => [&before, *line, end, added.as_bytes()].concat(),
    };
    Ok(Edit { words, path: by.file.clone(), old: content.bytes, new })
}

/// Whether a rule names this place and nothing else, so that it can go as a whole.
fn is_only_about(line: &[u8], inside: &Path, is_own: bool) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let rule = line.trim_start_matches('\u{feff}').trim_end();
    let contents = ["/**", "/*", "/"].into_iter().find_map(|end| rule.strip_suffix(end));
    let bare = contents.unwrap_or(rule);
    let place = inside.to_string_lossy();
    let directory = match is_own {
        true => Some(inside),
        false => inside.parent().filter(|parent| parent.ends_with(OWN)),
    };
    // A name alone fits in every directory; with a slash before or in it, it fits in one place.
    let anchored = bare.contains('/');
    let bare = bare.trim_start_matches('/');
    anchored && (bare == place || directory.is_some_and(|dir| bare == dir.to_string_lossy()))
}

/// The line that takes the place back from the rule before it.
fn taken_back(inside: &Path, is_own: bool, target: &Path) -> String {
    let directory = if is_own { Some(inside) } else { inside.parent() };
    let above: String = directory
        .into_iter()
        .flat_map(Path::components)
        .map(|part| escaped(&part.as_os_str().to_string_lossy()) + "/")
        .collect();
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    match target.parent().is_some_and(|parent| parent.ends_with(OWN)) {
        true if is_own => format!("!/{above}"),
        true => format!("!/{above}*.md"),
        // A plan's handoff with the further files of its chain.
        false => match name.strip_suffix(".md") {
            Some(stem) => format!("!/{above}{}*.md", escaped(stem)),
            None => format!("!/{above}{}", escaped(&name)),
        },
    }
}

/// A name in which nothing means anything else than itself.
fn escaped(name: &str) -> String {
    let special = |c: char| matches!(c, '\\' | '*' | '?' | '[' | ' ');
    name.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

fn shown(path: &Path) -> String {
    inert::one_line(&inert::shown(&path.to_string_lossy()))
}
