//! Where a handoff is saved, and why there.

use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use super::draft::Refusal;
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
    /// The other plans that were modified in the same second: where there are any and none was named, `plan` is a
    /// guess.
    pub tied: Vec<PathBuf>,
    /// The name that was meant, where another handoff has it and this one got a number.
    pub taken: Option<PathBuf>,
}

/// What a person wants of the place. Nothing: it is found by the rule.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wish {
    /// How far the handoff is to reach.
    pub scope: Option<Scope>,
    /// Which of the plans that tie, by its directory.
    pub plan: Option<PathBuf>,
    /// The name after the date, where a place has one; made plain first.
    pub slug: Option<String>,
}

/// What decides about the place.
pub(super) struct Ask<'a> {
    pub(super) project: &'a Path,
    pub(super) from: &'a Path,
    pub(super) home: &'a Path,
    pub(super) in_repository: bool,
    pub(super) wish: &'a Wish,
    pub(super) task: Option<&'a str>,
    pub(super) now: DateTime<FixedOffset>,
}

/// theonekit's places: the active plan, else the project, else the home directory.
///
/// # Errors
/// A plans directory is there and cannot be read, or a plan was asked for and there is none.
pub(super) fn theonekit(ask: &Ask<'_>) -> Result<Target, Refusal> {
    // A plan of another project than the one that is saved is none of its plans.
    let from = if ask.from.starts_with(ask.project) { ask.from } else { ask.project };
    let active = active_plan(ask.project, from)?;
    let mut plans: Vec<PathBuf> =
        active.into_iter().flat_map(|plan| std::iter::once(plan.folder).chain(plan.tied)).collect();
    let wanted = ask.wish.plan.as_ref().and_then(|wanted| plans.iter().position(|plan| plan == wanted));
    let plan = (!plans.is_empty()).then(|| plans.remove(wanted.unwrap_or(0)));
    let tied = plans;
    let in_project = ask.in_repository || ask.project.join(".claude").is_dir();
    let (scope, why) = match (ask.wish.scope, &plan) {
        (Some(Scope::Plan), None) => return Err(Refusal("there is no plan with a plan.md here".into())),
        (Some(Scope::Plan) | None, Some(folder)) => (Scope::Plan, plan_words(ask, folder, &tied)),
        (Some(Scope::Project), _) => (Scope::Project, "asked for the project's place".into()),
        (Some(Scope::Global), _) => (Scope::Global, "asked for the global place".into()),
        (None, None) if in_project => (Scope::Project, "inside a project, and no plan is active".into()),
        (None, None) => (Scope::Global, "outside any project".into()),
    };
    let root = if scope == Scope::Global { ask.home } else { ask.project }.to_owned();
    let (path, taken) = match (scope, &plan) {
        (Scope::Plan, Some(folder)) => (folder.join("HANDOFF.md"), None),
        _ => {
            let words = ask.wish.slug.as_deref().or(plan.as_deref().and_then(plan_name)).or(ask.task);
            let stem = format!("{}-{}", ask.now.format("%y%m%d"), words.map_or("handoff".into(), slug));
            free(&root.join(".claude/handoffs"), &stem)
        }
    };
    Ok(Target { path, root, scope, why, plan, tied, taken })
}

/// Why this plan.
fn plan_words(ask: &Ask<'_>, folder: &Path, tied: &[PathBuf]) -> String {
    match (tied.len(), &ask.wish.plan) {
        (_, Some(wanted)) if wanted == folder => "the plan that was asked for".into(),
        (0, _) => "the active plan: the one modified last".into(),
        (count, _) => {
            format!(
                "a guess: {count} more plan(s) were modified in the same second, this one's date is the newest"
            )
        }
    }
}

/// thunderkit's one place.
pub(super) fn thunderkit(project: &Path) -> Target {
    Target {
        path: project.join(".thunderkit/HANDOFF.md"),
        root: project.to_owned(),
        scope: Scope::Project,
        why: "thunderkit's one place".into(),
        plan: None,
        tied: Vec::new(),
        taken: None,
    }
}

/// The first name that is not taken: `<stem>.md`, `<stem>-2.md`, …; and the first one, where it is taken.
fn free(dir: &Path, stem: &str) -> (PathBuf, Option<PathBuf>) {
    let name = |number: u32| match number {
        1 => dir.join(format!("{stem}.md")),
        _ => dir.join(format!("{stem}-{number}.md")),
    };
    let first = name(1);
    let path = (1..).map(name).find(|path| std::fs::symlink_metadata(path).is_err());
    let path = path.unwrap_or_else(|| first.clone());
    let taken = (path != first).then_some(first);
    (path, taken)
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
            let (path, taken) = free(temp.path(), "260901-a");
            assert_eq!(name(path.clone()), want, "two tasks with one slug are two files");
            assert_eq!(taken.is_some(), want != "260901-a.md", "and it is said that the name is taken");
            std::fs::write(path, "").unwrap();
        }
    }
}
