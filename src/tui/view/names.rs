//! Short names of rows and things, as people say them.

use std::path::Path;

use super::super::text;
use crate::handoff::{Family, Inert, count_of};
use crate::place::{Listed, Scope, State};

/// A row's short name: the plan's directory, the harness kit, the file; one of another worktree says which, one that
/// was put away has the name that it had.
pub fn row(listed: &Listed, project: &Path) -> String {
    if listed.state != State::Live {
        let before = listed.origin.as_deref().unwrap_or(&listed.path);
        return text::line_of(&Inert::new(before.file_stem().unwrap_or_default().to_string_lossy()));
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

/// A row by its path below its root, where its short name is another row's too.
pub fn path(listed: &Listed, project: &Path) -> String {
    in_worktree(listed, project, listed.relative.to_string_lossy().into_owned())
}

/// A name with the worktree before it, where that is not the project.
fn in_worktree(listed: &Listed, project: &Path, mut name: String) -> String {
    if listed.scope != Scope::Global
        && listed.root != project
        && let Some(worktree) = listed.root.file_name()
    {
        name = format!("{}: {name}", worktree.to_string_lossy());
    }
    text::line_of(&Inert::new(name))
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
    title.map(text::line_of).filter(|text| !text.is_empty()).unwrap_or_else(|| row(listed, project))
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
        let names: Vec<_> =
            fixture::rows().iter().map(|listed| row(listed, Path::new("/home/ada/src/api"))).collect();
        assert_eq!(
            names,
            ["260325-auth", "260323-db-schema", ".thunderkit", "docs/HANDOFF.md", "260320-kickoff"],
            "plan directory, kit, path, stem"
        );
        let other = row(&fixture::rows()[2], Path::new("/home/ada/src/api-main"));
        assert_eq!(other, "api: .thunderkit", "the same place in another worktree is told apart");
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
