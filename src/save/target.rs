//! Where a handoff is saved, and why there.

use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use super::draft::Refusal;
use crate::handoff::{count_of, inert};
use crate::place::{Scope, active_plan};
use crate::repo::RepoError;

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
    /// The plan's directory, when there is an active one; see [`certain_plan`](Self::certain_plan).
    pub plan: Option<PathBuf>,
    /// The other plans that were modified in the same second: where there are any and none was named, `plan` is a
    /// guess.
    pub tied: Vec<PathBuf>,
    /// The plans that were modified earlier: each can be asked for.
    pub others: Vec<PathBuf>,
    /// The name that was meant, where another handoff has it and this one got a number.
    pub taken: Option<PathBuf>,
    /// The name was chosen because nothing had it: whatever has it by now is somebody else's, and not replaced.
    pub is_new: bool,
    /// The plan was named: whatever ties with it, it is no guess.
    pub is_named: bool,
}

impl Target {
    /// Whether the plan is only the likeliest of several.
    pub fn is_guess(&self) -> bool {
        !self.is_named && !self.tied.is_empty()
    }

    /// The plan, where it is no guess: the one that was named, or the only active one. Nothing but the place of the
    /// handoff is ever chosen by a guess.
    pub fn certain_plan(&self) -> Option<&Path> {
        self.plan.as_deref().filter(|_| !self.is_guess())
    }
}

/// What a person wants of the place. Nothing: it is found by the rule.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wish {
    /// How far the handoff is to reach.
    pub scope: Option<Scope>,
    /// Which plan, by its directory.
    pub plan: Option<PathBuf>,
    /// The name after the date, where a place has one; made plain first.
    pub slug: Option<String>,
}

/// What decides about the place.
pub(super) struct Ask<'a> {
    pub(super) project: &'a Path,
    pub(super) from: &'a Path,
    pub(super) home: &'a Path,
    pub(super) here: Here,
    /// The branch that is checked out.
    pub(super) branch: Option<&'a str>,
    pub(super) wish: &'a Wish,
    pub(super) task: Option<&'a str>,
    pub(super) now: DateTime<FixedOffset>,
}

/// What kind of place the project's directory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Here {
    /// Inside a repository.
    Repository,
    /// Inside a repository that cannot be read: an error is no absence.
    Unreadable,
    /// Inside none, or where a repository has no files.
    Outside,
}

impl Here {
    /// Of a project whose repository could be opened, or not.
    pub(super) fn of(project: &Path, why_not: Option<&RepoError>) -> Self {
        let inside_git = project.components().any(|part| part.as_os_str() == ".git");
        let has_git = || project.ancestors().any(|above| above.join(".git").exists());
        match why_not {
            None => Self::Repository,
            Some(RepoError::Refused(_)) if !inside_git && has_git() => Self::Unreadable,
            Some(_) => Self::Outside,
        }
    }
}

/// theonekit's places: the active plan, else the project, else the home directory.
///
/// # Errors
/// A plans directory is there and cannot be read, or a plan was asked for and there is none.
pub(super) fn theonekit(ask: &Ask<'_>) -> Result<Target, Refusal> {
    // A plan of another project than the one that is saved is none of its plans.
    let from = if ask.from.starts_with(ask.project) { ask.from } else { ask.project };
    let (plan, tied, others) = match active_plan(ask.project, from)? {
        None => (None, Vec::new(), Vec::new()),
        Some(active) => {
            let (tied, others) = (active.tied, active.others);
            wanted(active.folder, tied, others, ask.wish.plan.as_deref())?
        }
    };
    let is_named = ask.wish.plan.is_some();
    let (plan, tied, others, is_branch) = match plan {
        Some(plan) if !is_named => of_branch(plan, tied, others, ask.branch),
        plan => (plan, tied, others, false),
    };
    let in_project = ask.here != Here::Outside || ask.project.join(".claude").is_dir();
    let (scope, why) = match (ask.wish.scope, &plan) {
        (Some(Scope::Plan), None) => return Err(Refusal("there is no plan with a plan.md here".into())),
        (Some(Scope::Plan) | None, Some(folder)) => (Scope::Plan, plan_words(ask, folder, &tied, is_branch)),
        (Some(Scope::Project), _) => (Scope::Project, "asked for the project's place".into()),
        (Some(Scope::Global), _) => (Scope::Global, "asked for the global place".into()),
        (None, None) if ask.here == Here::Unreadable => {
            (Scope::Project, "inside a project whose repository cannot be read".into())
        }
        (None, None) if in_project => (Scope::Project, "inside a project, and no plan is active".into()),
        (None, None) => (Scope::Global, "outside any project".into()),
    };
    let root = if scope == Scope::Global { ask.home } else { ask.project }.to_owned();
    let (path, taken) = match (scope, &plan) {
        (Scope::Plan, Some(folder)) => (folder.join("HANDOFF.md"), None),
        _ => {
            let certain = plan.as_deref().filter(|_| is_named || tied.is_empty());
            let words = ask.wish.slug.as_deref().or(certain.and_then(plan_name)).or(ask.task);
            let stem = format!("{}-{}", ask.now.format("%y%m%d"), words.map_or("handoff".into(), slug));
            free(&root.join(".claude/handoffs"), &stem)
        }
    };
    Ok(Target { path, root, scope, why, plan, tied, others, taken, is_new: scope != Scope::Plan, is_named })
}

/// The plan, those that tie with it, and the rest.
type Plans = (Option<PathBuf>, Vec<PathBuf>, Vec<PathBuf>);

/// Puts the plan that was asked for first, and the active one in its place among the others.
fn wanted(
    active: PathBuf,
    mut tied: Vec<PathBuf>,
    mut others: Vec<PathBuf>,
    wish: Option<&Path>,
) -> Result<Plans, Refusal> {
    let Some(wish) = wish.filter(|wish| *wish != active) else { return Ok((Some(active), tied, others)) };
    let meant = tied.iter_mut().chain(&mut others).find(|plan| *plan == wish);
    if let Some(meant) = meant {
        let plan = std::mem::replace(meant, active);
        return Ok((Some(plan), tied, others));
    }
    Err(Refusal(format!(
        "{} is no plan with a plan.md here",
        inert::one_line(&inert::shown(&wish.to_string_lossy()))
    )))
}

/// Of plans that tie, the one that the branch is named for, with whether there is exactly one: that is no guess.
fn of_branch(
    plan: PathBuf,
    tied: Vec<PathBuf>,
    mut others: Vec<PathBuf>,
    branch: Option<&str>,
) -> (Option<PathBuf>, Vec<PathBuf>, Vec<PathBuf>, bool) {
    let last = branch.map(|branch| slug(branch.rsplit('/').next().unwrap_or(branch)));
    let is_its = |plan: &&PathBuf| plan_name(plan).map(slug) == last && last.is_some();
    let all = || std::iter::once(&plan).chain(&tied);
    let named: Vec<PathBuf> = all().filter(is_its).cloned().collect();
    match named.as_slice() {
        [own] if !tied.is_empty() => {
            others.splice(0..0, all().filter(|plan| *plan != own).cloned());
            (Some(own.clone()), Vec::new(), others, true)
        }
        _ => (Some(plan), tied, others, false),
    }
}

/// The plan that a person names: by its directory, or by a part of the directory's name in any case.
///
/// # Errors
/// There is no such plan, or there are several: then all of them are named.
pub fn plan_named(project: &Path, from: &Path, name: &str) -> Result<PathBuf, Refusal> {
    let start = if from.starts_with(project) { from } else { project };
    let active = active_plan(project, start)?;
    let plans: Vec<PathBuf> = active
        .into_iter()
        .flat_map(|plan| std::iter::once(plan.folder).chain(plan.tied).chain(plan.others))
        .collect();
    let real = |path: &Path| path.canonicalize().ok();
    let exact = real(&from.join(name))
        .and_then(|named| plans.iter().find(|plan| real(plan).as_ref() == Some(&named)));
    if let Some(plan) = exact {
        return Ok(plan.clone());
    }
    let folder = |plan: &PathBuf| plan.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let part = name.to_lowercase();
    let fitting: Vec<&PathBuf> =
        plans.iter().filter(|plan| !part.is_empty() && folder(plan).to_lowercase().contains(&part)).collect();
    let list = |plans: &[&PathBuf]| {
        let names: Vec<_> = plans.iter().map(|plan| inert::one_line(&inert::shown(&folder(plan)))).collect();
        names.join(", ")
    };
    let name = inert::one_line(&inert::shown(name));
    match fitting.as_slice() {
        [plan] => Ok((*plan).clone()),
        [] if plans.is_empty() => {
            let folder = inert::one_line(&inert::shown(&project.join("plans").to_string_lossy()));
            Err(Refusal(format!(
                "no plan is called {name}: no directory in {folder} has a plan.md, which would make it a plan"
            )))
        }
        [] => Err(Refusal(format!(
            "no plan is called {name}; a directory in plans/ is one where it has a plan.md, and there are: {}",
            list(&plans.iter().collect::<Vec<_>>())
        ))),
        several => Err(Refusal(format!("{name} could mean {}: say more of its name", list(several)))),
    }
}

/// Why this plan.
fn plan_words(ask: &Ask<'_>, folder: &Path, tied: &[PathBuf], is_branch: bool) -> String {
    match (tied.len(), &ask.wish.plan) {
        (_, Some(wanted)) if wanted == folder => "the plan that was asked for".into(),
        _ if is_branch => {
            "the plan that the branch is named for; others were modified in the same second".into()
        }
        (0, _) => "the active plan: the one modified last".into(),
        (count, _) => {
            let more = count_of(count, "more plan was", "more plans were");
            format!("a guess: {more} modified in the same second, this one's date is the newest")
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
        others: Vec::new(),
        taken: None,
        is_new: false,
        is_named: false,
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
