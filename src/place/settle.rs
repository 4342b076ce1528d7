//! The end of a scan: one row per handoff, each with its final id, newest first.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::Utc;

use super::order::{natural, order};
use super::{Found, ID_LENGTH, Listed, Scope, Skipped, State, chain};
use crate::disk;
use crate::handoff::{Digest, Problem, RecordId, Severity};

/// See [`super::settle`] and [`super::settle_at`].
pub(super) fn settle(found: Vec<Found>, project: Option<&Path>) -> (Vec<Arc<Listed>>, Vec<Skipped>) {
    let mut rows = Vec::new();
    let mut skipped = Vec::new();
    for one in found {
        match one {
            Found::Row(row) => rows.push(row),
            Found::Skipped(reason) => skipped.push(reason),
        }
    }
    // The order in which workers finished must not show: the first of equals is the row that stays.
    rows.sort_by(|a, b| {
        let is_elsewhere = |row: &Listed| project.is_some_and(|project| row.root != project);
        let key = |row: &Listed| (row.scope, is_elsewhere(row), row.root.as_os_str().len());
        let by_path = || a.path.as_os_str().as_bytes().cmp(b.path.as_os_str().as_bytes());
        key(a).cmp(&key(b)).then_with(by_path).then(a.handoff.lines.cmp(&b.handoff.lines))
    });
    skipped.sort_by(|a, b| natural(&a.path, &b.path).then_with(|| a.reason.cmp(&b.reason)));

    let rows = fold(rows, same_file);
    let rows = fold(rows, copies);
    let mut rows = fold(rows, planning_pair);
    tell_duplicates(&mut rows);
    name(&mut rows);
    chain::adopt(&mut rows);
    order(&mut rows, Utc::now());
    (rows, skipped)
}

/// Folds rows into earlier ones: `find` says for each row which row (by index) it is folded into.
fn fold(
    mut rows: Vec<Arc<Listed>>,
    find: impl FnOnce(&[Arc<Listed>]) -> HashMap<usize, usize>,
) -> Vec<Arc<Listed>> {
    let into = find(&rows);
    for (&from, &to) in &into {
        let mut twins = vec![rows[from].path.clone()];
        twins.extend(rows[from].twins.iter().cloned());
        let kept = Arc::make_mut(&mut rows[to]);
        kept.twins.extend(twins);
        kept.twins.sort_by(|a, b| natural(a, b));
    }
    let mut at = 0..;
    rows.retain(|_| at.next().is_none_or(|at| !into.contains_key(&at)));
    rows
}

/// One file under two names (hard links): the same record of the same file.
fn same_file(rows: &[Arc<Listed>]) -> HashMap<usize, usize> {
    let mut first = HashMap::new();
    let mut into = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        let kept = *first.entry((row.file, row.handoff.lines, row.state)).or_insert(at);
        if kept != at && rows[kept].path != row.path {
            into.insert(at, kept);
        }
    }
    into
}

/// Byte-equal copies at one relative path of several roots, as every worktree has of a tracked handoff. Bytes are
/// read again only where path, size and lines already agree.
fn copies(rows: &[Arc<Listed>]) -> HashMap<usize, usize> {
    type Alike<'a> = (&'a [u8], u64, (u32, u32));
    let mut alike: HashMap<Alike<'_>, Vec<usize>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        // What lies in the home directory or was put away is a handoff of its own.
        if row.state == State::Live && row.scope != Scope::Global {
            alike
                .entry((row.relative.as_os_str().as_bytes(), row.bytes, row.handoff.lines))
                .or_default()
                .push(at);
        }
    }
    let mut digests: HashMap<&Path, Option<Digest>> = HashMap::new();
    let mut into = HashMap::new();
    for group in alike.into_values().filter(|group| group.len() > 1) {
        let mut kept: HashMap<Digest, usize> = HashMap::new();
        for at in group {
            let path = rows[at].path.as_path();
            let digest =
                digests.entry(path).or_insert_with(|| disk::digest(path).ok().map(|(digest, _)| digest));
            let Some(digest) = digest.clone() else { continue };
            let first = *kept.entry(digest).or_insert(at);
            if rows[first].root != rows[at].root {
                into.insert(at, first);
            }
        }
    }
    into
}

/// `.planning/HANDOFF.json` and `.planning/.continue-here.md`: one pause writes both.
fn planning_pair(rows: &[Arc<Listed>]) -> HashMap<usize, usize> {
    let folder_of = |row: &Listed, name: &str| {
        let folder = row.path.parent()?;
        let is = |part: Option<&OsStr>, name: &str| part.is_some_and(|part| part.eq_ignore_ascii_case(name));
        let fits = is(row.path.file_name(), name) && is(folder.file_name(), ".planning");
        (fits && row.state == State::Live).then(|| folder.to_owned())
    };
    let mut records: HashMap<PathBuf, usize> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        if let Some(folder) = folder_of(row, "HANDOFF.json") {
            records.insert(folder, at);
        }
    }
    let halves = rows.iter().enumerate();
    halves
        .filter_map(|(at, row)| {
            let folder = folder_of(row, ".continue-here.md")?;
            records.get(&folder).map(|&record| (at, record))
        })
        .collect()
}

/// How many other places of a record's id are named.
const MOST_TOLD: usize = 3;

/// Says on every row whose record id lies in several places where the others are; none of them is picked.
fn tell_duplicates(rows: &mut [Arc<Listed>]) {
    let mut by_record: HashMap<RecordId, Vec<usize>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        if let Some(record) = &row.handoff.record_id {
            by_record.entry(record.clone()).or_default().push(at);
        }
    }
    for places in by_record.into_values().filter(|places| places.len() > 1) {
        let spelled = |at: usize| format!("{} (line {})", rows[at].path.display(), rows[at].handoff.lines.0);
        let texts: Vec<String> = places.iter().take(MOST_TOLD + 1).map(|&at| spelled(at)).collect();
        for (i, &at) in places.iter().enumerate() {
            let others = texts.iter().enumerate().filter(|(j, _)| i != *j).take(MOST_TOLD);
            for (_, other) in others {
                let message = match places.len() - 1 {
                    1..=MOST_TOLD => format!("the same record id lies in {other}"),
                    all => format!("the same record id lies in {other}, one of {all} other places"),
                };
                let note = Problem::whole(Severity::Note, "duplicate-record-id", message)
                    .help("name the one you mean by its path or its short id");
                // Rows are settled again when clocks are filled in: what was told stays told once.
                if !rows[at].handoff.problems.contains(&note) {
                    Arc::make_mut(&mut rows[at]).handoff.problems.push(note);
                }
            }
        }
    }
}

/// Lengthens short ids that several rows share, until each names one row.
fn name(rows: &mut [Arc<Listed>]) {
    let mut count: HashMap<String, usize> = HashMap::new();
    for row in rows.iter() {
        *count.entry(row.id.clone()).or_default() += 1;
    }
    for row in rows.iter_mut().filter(|row| count[&row.id] > 1) {
        let mut whole = row.path.as_os_str().as_bytes().to_vec();
        whole.extend(row.handoff.lines.0.to_be_bytes());
        let more = Digest::of(&whole);
        let row = Arc::make_mut(row);
        row.id.push_str(&more.as_str()[..ID_LENGTH]);
    }
}
