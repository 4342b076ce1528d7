//! Short names of rows and things, as people say them.

use std::path::Path;

use super::super::text;
use crate::handoff::{Family, Inert, count_of};
use crate::place::{self, Listed, Scope, State};

/// The fewest columns in which a part of a file's name says anything.
const LEAST: usize = 4;

/// A row's name: the worktree, where that is not the project, and what it is called there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The worktree, and what tells its name from the project's.
    worktree: Option<(String, String)>,
    file: String,
}

impl Name {
    /// The whole name: `ferry-tokens: HANDOFF.md`.
    pub fn whole(&self) -> String {
        match &self.worktree {
            Some((worktree, _)) => format!("{worktree}: {}", self.file),
            None => self.file.clone(),
        }
    }

    /// The name in at most so many columns. What tells a worktree apart stays longest: first goes what its name
    /// shares with the project's, then the file's middle, then the file.
    pub fn fit(&self, columns: usize) -> String {
        let whole = self.whole();
        let Some((worktree, apart)) = self.worktree.as_ref().filter(|_| text::width(&whole) > columns) else {
            return text::clip_middle(&whole, columns);
        };
        let cut = if worktree == apart { "" } else { "…" };
        match columns.saturating_sub(text::width(apart) + text::width(cut) + 2) {
            room if room >= LEAST => format!("{cut}{apart}: {}", text::clip_middle(&self.file, room)),
            _ => text::clip_middle(apart, columns),
        }
    }
}

/// A row's short name: the plan's directory, the harness kit, the file; one of another worktree says which, one that
/// was put away has the name that it had.
pub fn row(listed: &Listed, project: &Path) -> Name {
    if listed.state != State::Live {
        let before = listed.origin.as_deref().unwrap_or(&listed.path);
        let file = text::line_of(&Inert::new(before.file_stem().unwrap_or_default().to_string_lossy()));
        return Name { worktree: None, file };
    }
    let parent = listed.relative.parent().and_then(Path::file_name);
    let stem = listed.relative.file_stem();
    let name = match (listed.handoff.family, listed.scope) {
        (Family::Thunderkit | Family::ThunderkitLegacy, _) => parent.or(stem),
        (_, Scope::Plan) => parent.or(stem),
        (_, Scope::Global) => stem,
        (_, Scope::Project) if is_handoffs_dir(&listed.relative) => stem,
        (_, Scope::Project) => Some(listed.relative.as_os_str()),
    };
    let name = name.unwrap_or(listed.path.as_os_str()).to_string_lossy();
    in_worktree(listed, project, record(listed).unwrap_or_else(|| name.into_owned()))
}

/// A row by its path below its root, where its short name is another row's too; in a plan by the plan's directory and
/// the file, because every plan lies in the same place.
pub fn path(listed: &Listed, project: &Path) -> Name {
    let whole = || listed.relative.to_string_lossy().into_owned();
    let parent = listed.relative.parent().and_then(Path::file_name);
    let name = match (listed.scope, parent, listed.relative.file_stem()) {
        (Scope::Plan, Some(plan), Some(file)) => {
            format!("{}/{}", plan.to_string_lossy(), file.to_string_lossy())
        }
        _ => whole(),
    };
    in_worktree(listed, project, name)
}

/// A name with the worktree before it, where that is not the project.
fn in_worktree(listed: &Listed, project: &Path, file: String) -> Name {
    let line = |text: &str| text::line_of(&Inert::from(text));
    let is_elsewhere = listed.scope != Scope::Global && listed.root != project;
    let worktree = listed.root.file_name().filter(|_| is_elsewhere).map(|root| {
        let (root, project) = (root.to_string_lossy(), project.file_name().unwrap_or_default());
        (line(&root), line(place::apart(&root, &project.to_string_lossy())))
    });
    Name { worktree, file: line(&file) }
}

/// A record of a day file by its day and the beginning of its id.
fn record(listed: &Listed) -> Option<String> {
    let id = listed.handoff.record_id.as_ref()?;
    let stem = listed.relative.file_stem()?.to_string_lossy().into_owned();
    let day: String = stem.chars().take("2026-11-30".len()).collect();
    Some(format!("{day} {}", id.as_str().chars().take(8).collect::<String>()))
}

/// Whether a file lies directly in a directory that holds nothing but handoffs.
fn is_handoffs_dir(relative: &Path) -> bool {
    let Some(dir) = relative.parent().and_then(Path::file_name) else { return false };
    let dir = dir.to_string_lossy().to_lowercase();
    dir == "handoffs" || dir == "handoff"
}

/// What a row is about: its phase or stage, else what to do next, else its title.
pub fn about(listed: &Listed) -> Option<String> {
    let handoff = &listed.handoff;
    let about = handoff.phase.as_ref().or(handoff.next_action()).or(handoff.title.as_ref());
    about.map(text::line_of).filter(|text| !text.is_empty())
}

/// Size and origin of a row that was put away; `None` for a live one.
pub fn origin(listed: &Listed, home: Option<&Path>) -> Option<String> {
    let size = size(listed.bytes);
    match (listed.state, &listed.origin) {
        (State::Live, _) => None,
        (_, Some(origin)) => Some(format!("{size}  from {}", text::path(origin, home))),
        (_, None) => Some(format!("{size}  origin not recorded")),
    }
}

/// A row's title: its own, else its phase or stage, else its short name.
pub fn title(listed: &Listed, project: &Path) -> String {
    let handoff = &listed.handoff;
    let title = match handoff.family {
        Family::Thunderkit => handoff.phase.as_ref().or(handoff.title.as_ref()),
        _ => handoff.title.as_ref().or(handoff.phase.as_ref()),
    };
    title.map(text::line_of).filter(|text| !text.is_empty()).unwrap_or_else(|| row(listed, project).whole())
}

/// A size as people say it: `812 B`, `4.1 KB`, `2.0 MB`.
pub fn size(bytes: u64) -> String {
    let scaled = |unit: u64| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KB", scaled(1024)),
        _ => format!("{} MB", scaled(1_048_576)),
    }
}

/// A count with its noun: `1 file`, `3 files`.
pub fn count(n: usize, noun: &str) -> String {
    count_of(n, noun, &format!("{noun}s"))
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;

    #[test]
    fn rows_are_called_by_what_tells_them_apart() {
        let names: Vec<_> = fixture::rows()
            .iter()
            .map(|listed| row(listed, Path::new("/home/ada/src/api")).whole())
            .collect();
        assert_eq!(
            names,
            ["260325-auth", "260323-db-schema", ".thunderkit", "docs/HANDOFF.md", "260320-kickoff"],
            "plan directory, kit, path, stem"
        );
        let other = row(&fixture::rows()[2], Path::new("/home/ada/src/api-main"));
        assert_eq!(other.whole(), "api: .thunderkit", "the same place in another worktree is told apart");
    }

    #[test]
    fn a_name_that_is_cut_keeps_what_tells_its_worktree_apart() {
        let mut listed = fixture::rows()[3].as_ref().clone();
        listed.root = "/home/ada/src/api-tokens".into();
        let name = row(&listed, Path::new("/home/ada/src/api"));
        for (columns, fits, why) in [
            (40, "api-tokens: docs/HANDOFF.md", "there is room for all of it"),
            (26, "…tokens: docs/HANDOFF.md", "what all worktrees share goes first"),
            (18, "…tokens: docs…F.md", "then the middle of the path"),
            (13, "…tokens: doc…", "then the file"),
            (11, "tokens", "then the path"),
            (4, "tok…", "and the worktree last"),
        ] {
            assert_eq!(name.fit(columns), fits, "{columns} columns: {why}");
        }
    }

    #[test]
    fn sizes_read_as_people_say_them() {
        assert_eq!(
            (size(812), size(4_200), size(2 << 20)),
            ("812 B".into(), "4.1 KB".into(), "2.0 MB".into()),
            ""
        );
        assert_eq!(size(u64::MAX), "17592186044415.9 MB", "the largest number does not overflow");
    }
}
