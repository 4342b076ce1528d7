//! What a name given by a person means: several ways of naming, tried in turn; a match in one way ends it.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{Listed, Resolution, Scope, State};
use crate::disk;

/// Fewer characters of an id name nothing: they would match by accident.
const SHORTEST_PREFIX: usize = 4;

/// See [`super::resolve`].
pub(super) fn resolve(name: &str, from: &Path, rows: &[Arc<Listed>]) -> Resolution {
    if name.is_empty() {
        return Resolution::Nothing;
    }
    let of_path = by_path(&plain(&from.join(name)), rows);
    if !of_path.is_empty() {
        return Resolution::These(of_path);
    }
    if let Some(found) = among(name, rows) {
        return found;
    }
    // A worktree's whole name goes before the end of another one's.
    for is_meant in [is_tree, ends_tree] as [Way; 2] {
        for (tree, name) in of_worktree(name) {
            let rows: Vec<_> = rows.iter().filter(|row| is_meant(tree, row)).cloned().collect();
            if let Some(found) = among(name, &rows) {
                return found;
            }
        }
    }
    Resolution::Nothing
}

/// `worktree: name`, as rows of other worktrees are shown, and `worktree/name`.
fn of_worktree(name: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = [name.split_once(": "), name.split_once('/')];
    parts.into_iter().flatten().map(|(tree, name)| (tree.trim_start_matches('…'), name))
}

/// See [`super::says_worktree`].
pub(super) fn says_worktree(name: &str, row: &Listed) -> bool {
    is_tree(name, row) || of_worktree(name).any(|(tree, _)| is_tree(tree, row) || ends_tree(tree, row))
}

/// The last part of its worktree's path.
fn is_tree(tree: &str, row: &Listed) -> bool {
    let is_in_worktree = row.scope != Scope::Global && row.state != State::Trashed;
    is_in_worktree && row.root.file_name().is_some_and(|root| root == tree)
}

/// The end of it behind a separator, as narrow lists show it: `tokens` for `ferry-tokens`.
fn ends_tree(tree: &str, row: &Listed) -> bool {
    let is_in_worktree = row.scope != Scope::Global && row.state != State::Trashed;
    let root = row.root.file_name().unwrap_or_default().to_string_lossy();
    let before = root.strip_suffix(tree).filter(|_| is_in_worktree && !tree.is_empty());
    before.is_some_and(|before| before.ends_with(SEPARATORS))
}

/// What stands between the words of a directory's name.
const SEPARATORS: [char; 3] = ['-', '_', '.'];

/// See [`super::apart`].
pub(super) fn apart<'a>(worktree: &'a str, project: &str) -> &'a str {
    let mut ends = worktree.match_indices(SEPARATORS).map(|(at, separator)| (at, at + separator.len()));
    let is_shared =
        |&(at, end): &(usize, usize)| worktree[..at] == *project || project.starts_with(&worktree[..end]);
    let rest = ends.rfind(is_shared).map(|(_, end)| &worktree[end..]);
    rest.filter(|rest| !rest.is_empty()).unwrap_or(worktree)
}

/// A way of naming.
type Way = fn(&str, &Listed) -> bool;

/// The first way of naming that fits any row, exact ones before parts.
fn among(name: &str, rows: &[Arc<Listed>]) -> Option<Resolution> {
    let exact: [Way; 7] = [is_relative, is_stem, is_id, is_record, is_shown_record, begins_id, begins_record];
    let matching = |fits: Way| rows.iter().filter(|row| fits(name, row)).cloned().collect::<Vec<_>>();
    let mut found = exact.into_iter().map(matching).find(|matches| !matches.is_empty()).unwrap_or_default();
    if found.is_empty() {
        found = of_plan(name, rows);
    }
    for way in [is_folder, is_tree, is_part_of_stem] as [Way; 3] {
        if found.is_empty() {
            found = matching(way);
        }
    }
    (!found.is_empty()).then(|| one(found))
}

fn one(matches: Vec<Arc<Listed>>) -> Resolution {
    match matches.len() {
        0 => Resolution::Nothing,
        1 => Resolution::These(matches),
        _ => Resolution::Several(matches),
    }
}

/// The rows of one file, by its path in any spelling; a folded copy's path names the row that stands for it.
fn by_path(path: &Path, rows: &[Arc<Listed>]) -> Vec<Arc<Listed>> {
    let matching =
        |fits: &dyn Fn(&Listed) -> bool| rows.iter().filter(|row| fits(row)).cloned().collect::<Vec<_>>();
    let spelled = matching(&|row| row.path == path || row.twins.iter().any(|twin| twin == path));
    if !spelled.is_empty() {
        return spelled;
    }
    match disk::kind(path) {
        Ok((disk::Kind::File, id)) => matching(&|row| row.file == id),
        _ => Vec::new(),
    }
}

/// Without `.` parts, and without `..` where nothing but names stands before it.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// The path below its root, as lists show it, wherever the person stands.
fn is_relative(name: &str, row: &Listed) -> bool {
    row.relative == Path::new(name)
}

/// `date-slug`: the file's name with or without its ending.
fn is_stem(name: &str, row: &Listed) -> bool {
    row.path.file_stem().is_some_and(|stem| stem == name)
        || row.path.file_name().is_some_and(|file| file == name)
}

fn is_id(name: &str, row: &Listed) -> bool {
    row.id == name
}

fn is_record(name: &str, row: &Listed) -> bool {
    row.handoff.record_id.as_ref().is_some_and(|record| record.as_str() == name)
}

/// A record by its day and the beginning of its id, as the screen shows it, or by `path#id`, as lists do.
fn is_shown_record(name: &str, row: &Listed) -> bool {
    let record = row.handoff.record_id.as_ref();
    let begins = |start: &str| {
        start.len() >= SHORTEST_PREFIX && record.is_some_and(|record| record.as_str().starts_with(start))
    };
    let of_day = |(day, start): (&str, &str)| {
        let stem = row.path.file_stem().unwrap_or_default().to_string_lossy();
        !day.is_empty() && stem.starts_with(day) && begins(start)
    };
    let is_path = |path: &str| is_relative(path, row) || row.path == Path::new(path);
    let of_file = |(path, start): (&str, &str)| is_path(path) && begins(start);
    name.split_once(' ').is_some_and(of_day) || name.rsplit_once('#').is_some_and(of_file)
}

/// The folder that it lies in, by its name or its path below the root: `.thunderkit`.
fn is_folder(name: &str, row: &Listed) -> bool {
    let folder = row.relative.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.is_some_and(|folder| {
        folder == Path::new(name) || folder.file_name().is_some_and(|last| last == name)
    })
}

/// A part of the file's stem, in any case: `login` for `2026-11-29-login.md`.
fn is_part_of_stem(name: &str, row: &Listed) -> bool {
    let stem = row.path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    stem.contains(&name.to_lowercase())
}

fn begins_id(name: &str, row: &Listed) -> bool {
    name.len() >= SHORTEST_PREFIX && row.id.starts_with(name)
}

fn begins_record(name: &str, row: &Listed) -> bool {
    let record = row.handoff.record_id.as_ref();
    name.len() >= SHORTEST_PREFIX && record.is_some_and(|record| record.as_str().starts_with(name))
}

/// Handoffs of the plans whose directory has the name or, where none has exactly that name, holds it as a part in
/// any case. A file that another one of them continues is no choice of its own: the chain begins at its head.
fn of_plan(name: &str, rows: &[Arc<Listed>]) -> Vec<Arc<Listed>> {
    let plan_of = |row: &Listed| {
        let folder = row.path.parent()?.file_name()?;
        (row.scope == Scope::Plan).then(|| folder.to_string_lossy().into_owned())
    };
    let part = name.to_lowercase();
    let is_exact = |row: &Listed| plan_of(row).is_some_and(|plan| plan == name);
    let is_part = |row: &Listed| plan_of(row).is_some_and(|plan| plan.to_lowercase().contains(&part));
    let mut matches: Vec<_> = rows.iter().filter(|row| is_exact(row)).cloned().collect();
    if matches.is_empty() {
        matches = rows.iter().filter(|row| is_part(row)).cloned().collect();
    }
    let continued: HashSet<PathBuf> = matches
        .iter()
        .filter_map(|row| Some(row.path.parent()?.join(row.handoff.continuation.as_ref()?.raw())))
        .collect();
    let heads: Vec<_> = matches.iter().filter(|row| !continued.contains(&row.path)).cloned().collect();
    if heads.is_empty() { matches } else { heads }
}
