//! Earlier versions of a handoff: what the history has of its file, the handoffs before it in its series, and bytes
//! that a save replaced and kept.

use std::sync::Arc;

use super::Examiner;
use super::{plan, vanished};
use crate::disk::{self, Beneath};
use crate::handoff::{self, Habit, Inert, Source};
use crate::place::{Listed, State};
use crate::repo::RepoError;

/// How many commits are looked through for versions of one file.
const BUDGET: usize = 2_000;
/// How many versions of one file are taken from the history at most.
const MOST: usize = 50;
/// The most bytes of a version that are read.
const CAP: u64 = 8 << 20;

/// One version of a handoff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// What it can be called by: an abbreviated commit id, or a row's id.
    pub name: String,
    /// Where it lies, for people.
    pub place: Inert,
    /// Its bytes as text.
    pub text: String,
}

/// The versions before the present one, the nearest first, and why the history says nothing, where it cannot be read.
pub(super) fn versions(
    examiner: &Examiner,
    row: &Listed,
    rows: &[Arc<Listed>],
) -> (Vec<Version>, Option<RepoError>) {
    let now = read(row).map(|now| now.text);
    let (mut found, why) = match committed(examiner, row) {
        Ok(found) => (found, None),
        // Outside a repository there is no history: an absence, no trouble.
        Err(RepoError::None(_)) => (Vec::new(), None),
        Err(why) => (Vec::new(), Some(why)),
    };
    let kept = rows.iter().filter(|kept| kept.state == State::Trashed);
    let kept = kept.filter(|kept| kept.origin.as_deref() == Some(row.path.as_path()));
    found.extend(kept.filter_map(|kept| read(kept)));
    found.extend(plan::older(examiner, row).iter().filter_map(|older| read(older)));
    found.dedup_by(|later, earlier| later.text == earlier.text);
    if let (Some(now), Some(first)) = (now, found.first())
        && first.text == now
    {
        found.remove(0);
    }
    (found, why)
}

fn committed(examiner: &Examiner, row: &Listed) -> Result<Vec<Version>, RepoError> {
    let repo = examiner.repo_around(&row.root)?;
    let path = row.path.canonicalize().unwrap_or_else(|_| row.path.clone());
    let Ok(inside) = path.strip_prefix(repo.root()) else { return Ok(Vec::new()) };
    let held = repo.versions(inside, BUDGET, MOST)?;
    let version = |(commit, bytes): (crate::repo::Commit, Vec<u8>)| Version {
        name: commit.id.short().to_owned(),
        place: format!("commit {} {}", commit.id.short(), commit.subject.raw()).into(),
        text: of_record(row, &String::from_utf8_lossy(&bytes)),
    };
    Ok(held.into_iter().map(version).collect())
}

/// One row's text as it lies there now; `None` where it cannot be read.
pub(super) fn read(row: &Listed) -> Option<Version> {
    let content = match crate::handoff::RelPath::parse(row.relative.to_str()?) {
        Ok(relative) => Beneath::open(&row.root).ok()?.read(&relative, CAP).ok()?,
        Err(_) => disk::read(&row.path, CAP).ok()?,
    };
    let text = of_record(row, &String::from_utf8_lossy(&content.bytes));
    Some(Version { name: row.id.clone(), place: row.path.display().to_string().into(), text })
}

/// The lines of a day file that are the row's record; the whole text of any other file.
fn of_record(row: &Listed, text: &str) -> String {
    let Some(id) = &row.handoff.record_id else { return text.to_owned() };
    let source = Source { bytes: text.as_bytes(), name: "", habit: Habit::DayFile, cut_from: None };
    let record = handoff::read(&source).into_iter().find(|handoff| handoff.record_id.as_ref() == Some(id));
    let Some((first, last)) = record.map(|record| record.lines) else { return String::new() };
    let count = |line: u32| usize::try_from(line).unwrap_or(usize::MAX);
    let lines = text.lines().skip(count(first).saturating_sub(1)).take(count(last - first.min(last)) + 1);
    lines.map(|line| format!("{line}\n")).collect()
}

/// Open items of an earlier version that the present text neither has nor calls done.
pub(super) fn vanished(row: &Listed, earlier: &str, now: &str) -> Vec<Inert> {
    let habit = match row.handoff.family {
        handoff::Family::Thunderkit | handoff::Family::ThunderkitLegacy => Habit::Thunderkit,
        handoff::Family::Memtomem => Habit::DayFile,
        _ => Habit::Other,
    };
    let name = row.path.file_name().unwrap_or_default().to_string_lossy();
    let read = |text: &str| {
        handoff::read(&Source { bytes: text.as_bytes(), name: &name, habit, cut_from: None })
            .into_iter()
            .next()
    };
    let Some(older) = read(earlier) else { return Vec::new() };
    vanished::vanished(&older, earlier, read(now).as_ref(), now)
}
