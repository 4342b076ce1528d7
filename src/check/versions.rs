//! Earlier versions of a handoff: what the history has of its file, the handoffs before it in its series, and bytes
//! that a save replaced and kept.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use chrono::DateTime;

use super::Examiner;
use super::{plan, vanished};
use crate::disk::{self, Beneath};
use crate::handoff::{self, Digest, Habit, Inert, Source};
use crate::place::{Listed, State};
use crate::repo::{Held, Repo, RepoError};

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

/// A version before the present one, by its name: its text is read when it is asked for.
#[derive(Debug, Clone)]
pub struct Past {
    /// What it can be called by: an abbreviated commit id, or a row's id.
    pub name: String,
    /// Where it lies, for people.
    pub place: Inert,
    /// What has its text.
    pub kept: Kept,
}

/// What has the text of a version.
#[derive(Debug, Clone)]
pub enum Kept {
    /// The history of the file.
    Commit(Held),
    /// Another file: bytes that a save replaced, or a handoff before it in its series.
    Row(Arc<Listed>),
}

/// Gives the versions before the present one away, the nearest first, as soon as each is found, until told to stop; what
/// keeps the history from being read comes back.
pub(super) fn past(
    examiner: &Examiner,
    row: &Listed,
    rows: &[Arc<Listed>],
    take: &mut dyn FnMut(Past) -> ControlFlow<()>,
) -> Option<RepoError> {
    let mut last = read(row).map(|now| Digest::of(now.text.as_bytes()));
    let ended = Cell::new(false);
    // Of what says the same as the version after it, only that one is told.
    let mut give = |past: Past, text: Option<&str>| {
        let digest = text.map(|text| Digest::of(text.as_bytes()));
        if digest.is_some() && digest == last {
            return ControlFlow::Continue(());
        }
        last = digest;
        let flow = take(past);
        ended.set(ended.get() || flow.is_break());
        flow
    };
    let why = match committed(examiner, row, &mut give) {
        // Outside a repository there is no history: an absence, no trouble.
        Ok(()) | Err(RepoError::None(_)) => None,
        Err(why) => Some(why),
    };
    let kept = rows.iter().filter(|kept| kept.state == State::Trashed);
    let kept = kept.filter(|kept| kept.origin.as_deref() == Some(row.path.as_path())).cloned();
    let others = kept.chain(plan::older(examiner, row));
    for other in others {
        if ended.get() {
            break;
        }
        let Some(text) = read(&other).map(|version| version.text) else { continue };
        let day = other.saved_at.moment.day();
        let place = format!("{}, saved {}", other.path.display(), day.format("%Y-%m-%d")).into();
        let past = Past { name: other.id.clone(), place, kept: Kept::Row(other) };
        if give(past, Some(&text)).is_break() {
            break;
        }
    }
    why
}

/// What takes a version, with its text where it had to be read.
type Give<'a> = dyn FnMut(Past, Option<&str>) -> ControlFlow<()> + 'a;

fn committed(examiner: &Examiner, row: &Listed, give: &mut Give<'_>) -> Result<(), RepoError> {
    let repo = examiner.repo_around(&row.root)?;
    let path = row.path.canonicalize().unwrap_or_else(|_| row.path.clone());
    let Ok(inside) = path.strip_prefix(repo.root()) else { return Ok(()) };
    let now = disk::read(&row.path, CAP).map(|content| content.bytes).unwrap_or_default();
    let mut is_first = true;
    repo.trail(inside, &mut |held| {
        // The newest one is the file itself, unless that was changed since.
        if std::mem::take(&mut is_first) && repo.holds(&held, &now) {
            return ControlFlow::Continue(());
        }
        // A record may stand unchanged in a file that goes on: only its own text tells.
        let text =
            row.handoff.record_id.as_ref().map(|_| text_of_held(&repo, row, &held).unwrap_or_default());
        if text.as_ref().is_some_and(String::is_empty) {
            return ControlFlow::Continue(());
        }
        let (id, subject) = (held.commit.id.short(), held.commit.subject.raw());
        let day = DateTime::from_timestamp(held.commit.time, 0).map(|at| at.format(", %Y-%m-%d %H:%M UTC"));
        let place = match day {
            Some(day) => format!("commit {id}{day}: {subject}"),
            None => format!("commit {id}: {subject}"),
        };
        let place = place.into();
        let past = Past { name: held.commit.id.short().to_owned(), place, kept: Kept::Commit(held) };
        give(past, text.as_deref())
    })
}

fn text_of_held(repo: &Repo, row: &Listed, held: &Held) -> Option<String> {
    let bytes = repo.bytes_of(held, CAP).ok()?;
    Some(of_record(row, &String::from_utf8_lossy(&bytes)))
}

/// A version with its text; `None` where that cannot be read any more.
pub(super) fn version(examiner: &Examiner, row: &Listed, past: &Past) -> Option<Version> {
    let text = match &past.kept {
        Kept::Commit(held) => text_of_held(&*examiner.repo_around(&row.root).ok()?, row, held)?,
        Kept::Row(other) => read(other)?.text,
    };
    Some(Version { name: past.name.clone(), place: past.place.clone(), text })
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
