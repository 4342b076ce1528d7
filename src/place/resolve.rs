//! What a name given by a person means: several ways of naming, tried in turn; a match in one way ends it.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{Listed, Resolution, Scope};
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
    type Way = fn(&str, &Listed) -> bool;
    let ways: [Way; 5] = [is_stem, is_id, is_record, begins_id, begins_record];
    for fits in ways {
        let matches: Vec<_> = rows.iter().filter(|row| fits(name, row)).cloned().collect();
        if !matches.is_empty() {
            return one(matches);
        }
    }
    one(of_plan(name, rows))
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
