//! Where a handoff is saved, and why there.

use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use crate::disk::DiskError;
use crate::place::{Scope, active_plan};

/// The most characters of a slug.
const SLUG: usize = 30;

/// A place for a handoff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The file.
    pub path: PathBuf,
    /// The directory that it must not leave by any link.
    pub root: PathBuf,
    /// How far it reaches.
    pub scope: Scope,
    /// Why this place.
    pub why: String,
    /// The plan's directory, when there is an active one.
    pub plan: Option<PathBuf>,
}

/// What decides about the place.
pub(super) struct Ask<'a> {
    pub(super) project: &'a Path,
    pub(super) from: &'a Path,
    pub(super) home: &'a Path,
    pub(super) in_repository: bool,
    pub(super) global: bool,
    pub(super) task: Option<&'a str>,
    pub(super) now: DateTime<FixedOffset>,
}

/// theonekit's places: the active plan, else the project, else the home directory.
///
/// # Errors
/// A plans directory is there and cannot be read.
pub(super) fn theonekit(ask: &Ask<'_>) -> Result<Target, DiskError> {
    let plan = active_plan(ask.project, ask.from)?;
    let folder = plan.as_ref().map(|plan| plan.folder.clone());
    if let (Some(plan), false) = (&plan, ask.global) {
        let mut why = "the active plan: the one modified last".to_owned();
        if !plan.tied.is_empty() {
            why = format!(
                "a guess: {} more plan(s) were modified in the same second, this one's date is the newest",
                plan.tied.len()
            );
        }
        return Ok(Target {
            path: plan.folder.join("HANDOFF.md"),
            root: ask.project.to_owned(),
            scope: Scope::Plan,
            why,
            plan: folder,
        });
    }
    let slug = folder.as_deref().and_then(plan_name).or(ask.task).map_or_else(|| "handoff".into(), slug);
    let stem = format!("{}-{slug}", ask.now.format("%y%m%d"));
    let in_project = ask.in_repository || ask.project.join(".claude").is_dir();
    let (root, scope, why) = match (ask.global, in_project) {
        (true, _) => (ask.home, Scope::Global, "asked for the global place"),
        (false, true) => (ask.project, Scope::Project, "inside a project, and no plan is active"),
        (false, false) => (ask.home, Scope::Global, "outside any project"),
    };
    Ok(Target {
        path: free(&root.join(".claude/handoffs"), &stem),
        root: root.to_owned(),
        scope,
        why: why.to_owned(),
        plan: folder,
    })
}

/// thunderkit's one place.
pub(super) fn thunderkit(project: &Path) -> Target {
    Target {
        path: project.join(".thunderkit/HANDOFF.md"),
        root: project.to_owned(),
        scope: Scope::Project,
        why: "thunderkit's one place".into(),
        plan: None,
    }
}

/// The first name that is not taken: `<stem>.md`, `<stem>-2.md`, …
fn free(dir: &Path, stem: &str) -> PathBuf {
    let name = |number: u32| match number {
        1 => dir.join(format!("{stem}.md")),
        _ => dir.join(format!("{stem}-{number}.md")),
    };
    (1..).map(name).find(|path| std::fs::symlink_metadata(path).is_err()).unwrap_or_else(|| name(1))
}

/// A plan directory's name without its date.
fn plan_name(folder: &Path) -> Option<&str> {
    let name = folder.file_name()?.to_str()?;
    let is_number = |part: &str| part.len() >= 4 && part.bytes().all(|b| b.is_ascii_digit());
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    match name.split('-').next().is_some_and(is_number) && !rest.is_empty() {
        true => Some(rest),
        false => Some(name),
    }
}

/// Lowercase letters and digits with single dashes between, at most 30; `handoff` where nothing is left.
fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c),
            _ if !out.is_empty() && !out.ends_with('-') => out.push('-'),
            _ => {}
        }
    }
    out.truncate(SLUG);
    match out.trim_end_matches('-') {
        "" => "handoff".to_owned(),
        slug => slug.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_plain_short_and_never_empty() {
        for (text, want) in [
            ("Rotate the Tokens!", "rotate-the-tokens"),
            ("a / b // c", "a-b-c"),
            ("Ёлка", "handoff"),
            ("../../etc/passwd", "etc-passwd"),
            ("a very long task that goes on and on", "a-very-long-task-that-goes-on"),
        ] {
            assert_eq!(slug(text), want, "{text}");
        }
        assert_eq!(plan_name(Path::new("/p/plans/260901-1000-auth-2")), Some("auth-2"), "without its date");
        assert_eq!(plan_name(Path::new("/p/plans/2-fast")), Some("2-fast"), "a number is no date");
    }

    #[test]
    fn a_taken_name_gets_the_next_number() {
        let temp = tempfile::tempdir().unwrap();
        let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        for want in ["260901-a.md", "260901-a-2.md", "260901-a-3.md"] {
            let path = free(temp.path(), "260901-a");
            assert_eq!(name(path.clone()), want, "two tasks with one slug are two files");
            std::fs::write(path, "").unwrap();
        }
    }
}
