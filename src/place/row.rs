//! From one read file to its rows.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use chrono::{DateTime, Local, Offset as _, TimeZone as _, Utc};
use sha2::Digest as _;

use super::table::{Pattern, Table};
use super::walk::Root;
use super::{Fit, Found, Listed, Roots, Scope, Skipped, State, trash};
use crate::disk::{self, Beneath, Content, DiskError, FileId, Meta};
use crate::handoff::{self, ClockSource, Depth, Habit, Inert, Moment, READ_LIMIT, RecordId, SavedAt, Source};

/// A file that was modified later than this many seconds after its saved time was edited afterwards.
const EDIT_SLACK: i64 = 180;

/// How many bytes of such a file are read; `limit` is the person's own bound.
pub(super) fn cap(habit: Habit, name: &str, limit: Option<u64>) -> u64 {
    habit.format(name).most_bytes(limit.unwrap_or(READ_LIMIT))
}

/// Where a file was found, and what that says about it.
pub(super) struct Spot {
    pub(super) path: PathBuf,
    pub(super) relative: PathBuf,
    pub(super) root: PathBuf,
    /// The file's name; in the trash the one it had before.
    pub(super) name: String,
    pub(super) habit: Habit,
    pub(super) scope: Scope,
    pub(super) state: State,
    /// The root is not the project itself, so that the same relative path can exist twice.
    pub(super) is_elsewhere: bool,
    /// Where it came from, if it was put away and that is known.
    pub(super) origin: Option<PathBuf>,
}

impl Spot {
    /// A file found by a convention beneath a root.
    pub(super) fn of(root: &Root, relative: &Path, pattern: &Pattern) -> Self {
        let origin =
            (pattern.state == State::Trashed).then(|| trash::origin(&root.beneath, relative)).flatten();
        Self::at(root.beneath.path(), relative, Some(pattern), origin, root.is_project)
    }

    fn at(
        root: &Path,
        relative: &Path,
        pattern: Option<&Pattern>,
        origin: Option<PathBuf>,
        is_project: bool,
    ) -> Self {
        let (mut habit, mut scope, mut state) = match pattern {
            Some(pattern) => (pattern.habit, pattern.scope, pattern.state),
            None => (Habit::Other, Scope::Project, State::Live),
        };
        let mut folders = relative.parent().unwrap_or(Path::new("")).iter();
        if state == State::Live && folders.any(|folder| folder.eq_ignore_ascii_case("archive")) {
            state = State::Archived;
        }
        if let Some(origin) = &origin {
            (scope, habit) = trash::reach(origin, root);
        }
        let name = origin.as_deref().unwrap_or(relative).file_name().unwrap_or_default().to_owned();
        let path = root.join(relative);
        let origin = if state == State::Archived { before_archive(&path) } else { origin.clone() };
        Self {
            path,
            relative: relative.to_owned(),
            root: root.to_owned(),
            name: name.to_string_lossy().into_owned(),
            habit,
            scope,
            state,
            is_elsewhere: !is_project,
            origin,
        }
    }
}

/// An archived file's path without the nearest `archive` above it.
fn before_archive(path: &Path) -> Option<PathBuf> {
    let archive = path
        .ancestors()
        .skip(1)
        .find(|folder| folder.file_name().is_some_and(|name| name.eq_ignore_ascii_case("archive")))?;
    Some(archive.parent()?.join(path.strip_prefix(archive).ok()?))
}

impl Spot {
    /// A file named by its absolute path: by the convention that fits it beneath one of the roots, else beneath any
    /// folder above it, the outermost first (a plan's handoff is not the root handoff of its plan directory).
    fn named(path: &Path, roots: &Roots) -> Self {
        let (table, _) = Table::with(&roots.extra_places);
        let fitting = fitting(path, roots, &table);
        let known = known(roots, &table);
        let inside = known.iter().map(|(root, _)| root.as_path()).find(|root| path.starts_with(root));
        let parent = path.parent().unwrap_or(path);
        let (root, pattern) = match &fitting {
            Some((root, at, _)) => (root.as_path(), Some(table.pattern(*at))),
            None => (inside.unwrap_or(parent), None),
        };
        let relative = path.strip_prefix(root).unwrap_or(path);
        let origin = pattern
            .filter(|pattern| pattern.state == State::Trashed)
            .and_then(|_| Beneath::open(root).ok().and_then(|trash| trash::origin(&trash, relative)));
        Self::at(root, relative, pattern, origin, root == roots.project)
    }
}

/// The roots that a scan looks into, home places first, each with the table's spelling of a home place.
fn known<'a>(roots: &Roots, table: &'a Table) -> Vec<(PathBuf, Option<&'a str>)> {
    let homes =
        roots.home.iter().flat_map(|home| table.homes().into_iter().map(|at| (home.join(at), Some(at))));
    let projects = std::iter::once(&roots.project).chain(&roots.worktrees);
    homes.chain(projects.map(|root| (root.clone(), None))).collect()
}

/// The root and the convention that fit an absolute path, and whether a scan looks into that root.
fn fitting(path: &Path, roots: &Roots, table: &Table) -> Option<(PathBuf, usize, bool)> {
    let known = known(roots, table).into_iter().map(|(root, home)| (root, home, true));
    let mut above: Vec<_> = path.ancestors().skip(1).map(|root| (root.to_owned(), None, false)).collect();
    above.reverse();
    known.chain(above).find_map(|(root, home, is_known)| {
        let at = table.of_path(home, path.strip_prefix(&root).ok()?)?;
        Some((root, at, is_known))
    })
}

/// See [`super::fit`].
pub(super) fn fit(path: &Path, roots: &Roots) -> Option<Fit> {
    let (table, _) = Table::with(&roots.extra_places);
    let (root, at, is_known) = fitting(path, roots, &table)?;
    let relative = path.strip_prefix(&root).ok()?;
    let state = Spot::at(&root, relative, Some(table.pattern(at)), None, false).state;
    Some(Fit { root, state, is_known })
}

/// The rows of one file: several for a day file, none for a day file without a handoff.
pub(super) fn rows(spot: &Spot, content: &Content, depth: Depth) -> Vec<Found> {
    let source = Source {
        bytes: &content.bytes,
        name: &spot.name,
        habit: spot.habit,
        cut_from: content.cut.then_some(content.meta.len),
    };
    let handoffs = handoff::read_to(&source, depth);
    if handoffs.is_empty() && spot.habit != Habit::DayFile {
        let reason = Inert::new("nothing in it could be read as a handoff");
        return vec![Found::Skipped(Skipped { path: spot.path.clone(), reason })];
    }
    let read_from = (depth == Depth::Whole && !content.cut).then(|| handoff::Digest::of(&content.bytes));
    let row = |handoff| Listed { read_from: read_from.clone(), ..listed(spot, &content.meta, handoff) };
    handoffs.into_iter().map(|handoff| Found::Row(Arc::new(row(handoff)))).collect()
}

/// See [`super::read_path`].
pub(super) fn read_path(path: &Path, roots: &Roots) -> Result<Vec<Listed>, DiskError> {
    let path =
        std::path::absolute(path).map_err(|error| DiskError::Io(path.to_owned(), error.to_string()))?;
    let spot = Spot::named(&path, roots);
    let content = disk::read(&path, cap(spot.habit, &spot.name, roots.read_limit))?;
    let found = rows(&spot, &content, roots.depth).into_iter();
    Ok(found.filter_map(Found::into_row).map(Arc::unwrap_or_clone).collect())
}

/// See [`super::read_bytes`].
pub(super) fn read_bytes(path: &Path, bytes: &[u8], now: SystemTime, roots: &Roots) -> Vec<Listed> {
    let spot = Spot::named(path, roots);
    let len = bytes.len() as u64;
    let meta = Meta { id: FileId { device: 0, inode: 0 }, len, modified: Some(now), mode: 0 };
    let content = Content { bytes: bytes.to_owned(), meta, cut: false };
    let found = rows(&spot, &content, roots.depth).into_iter();
    found.filter_map(Found::into_row).map(Arc::unwrap_or_clone).collect()
}

/// One row.
fn listed(spot: &Spot, meta: &Meta, handoff: handoff::Handoff) -> Listed {
    let modified = seconds(meta.modified);
    let saved_at = handoff.saved_at.clone().unwrap_or_else(|| by_mtime(modified));
    // A day file grows: its mtime says nothing about one record.
    let edited_after = spot.habit != Habit::DayFile && edited_after(&saved_at, modified, local_offset);
    Listed {
        id: id(spot, handoff.record_id.as_ref()),
        path: spot.path.clone(),
        relative: spot.relative.clone(),
        root: spot.root.clone(),
        scope: spot.scope,
        state: spot.state,
        bytes: meta.len,
        file: meta.id,
        modified,
        saved_at,
        edited_after,
        twins: Vec::new(),
        origin: spot.origin.clone(),
        part: None,
        read_from: None,
        handoff,
    }
}

/// The first 10 hex digits of SHA-256 over scope, root-relative path and record id; over the root too where it is
/// not the project itself, because linked worktrees hold the same relative paths.
fn id(spot: &Spot, record: Option<&RecordId>) -> String {
    let scope = match spot.scope {
        Scope::Plan => "plan",
        Scope::Project => "project",
        Scope::Global => "global",
    };
    let mut hasher = sha2::Sha256::new();
    hasher.update(scope);
    hasher.update([0]);
    if spot.is_elsewhere {
        hasher.update(spot.root.as_os_str().as_bytes());
        hasher.update([0]);
    }
    hasher.update(spot.relative.as_os_str().as_bytes());
    hasher.update([0]);
    hasher.update(record.map_or("", RecordId::as_str));
    let digest = handoff::Digest::from_bytes(&hasher.finalize().into());
    digest.as_str()[..super::ID_LENGTH].to_owned()
}

/// The file system's clock: the last resort.
fn by_mtime(modified: i64) -> SavedAt {
    let at = DateTime::<Utc>::from_timestamp(modified, 0).unwrap_or_default().fixed_offset();
    let moment = Moment::Instant(at);
    SavedAt { moment, written: Inert::new(moment.to_text()), source: ClockSource::Mtime }
}

/// Whether a file was modified more than three minutes after the time it says it was saved. A day without a time
/// cannot tell; a time without a zone is local (`offset` gives the local zone's seconds east at that time).
fn edited_after(
    saved: &SavedAt,
    modified: i64,
    offset: impl FnOnce(chrono::NaiveDateTime) -> Option<i32>,
) -> bool {
    let says = matches!(saved.source, ClockSource::Declared | ClockSource::Heading | ClockSource::Filename);
    let at = match saved.moment {
        Moment::Instant(at) => Some(at.timestamp()),
        Moment::Day(day, Some(time)) => {
            let local = day.and_time(time);
            offset(local).map(|east| local.and_utc().timestamp() - i64::from(east))
        }
        Moment::Day(_, None) => None,
    };
    says && at.is_some_and(|at| modified.saturating_sub(at) > EDIT_SLACK)
}

/// Seconds east of UTC on this machine at a local time; `None` for a time that the clock skipped.
fn local_offset(local: chrono::NaiveDateTime) -> Option<i32> {
    Local.offset_from_local_datetime(&local).latest().map(|offset| offset.fix().local_minus_utc())
}

/// Seconds since 1970, negative before.
fn seconds(modified: Option<SystemTime>) -> i64 {
    let Some(at) = modified else { return 0 };
    match at.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_secs()).map_or(i64::MIN, |seconds| -seconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::NaiveDate;

    fn saved(moment: Moment, source: ClockSource) -> SavedAt {
        SavedAt { moment, written: Inert::new(""), source }
    }

    #[test]
    fn an_edit_is_told_only_where_the_saved_time_can_tell() {
        let at = DateTime::parse_from_rfc3339("2026-09-01T10:00:00+02:00").unwrap();
        let instant = saved(Moment::Instant(at), ClockSource::Declared);
        let east = |_| Some(20_700); // +05:45
        assert!(
            edited_after(&instant, at.timestamp() + 181, east),
            "three minutes and a second later is an edit"
        );
        assert!(!edited_after(&instant, at.timestamp() + 180, east), "three minutes are the slack of saving");
        assert!(!edited_after(&instant, at.timestamp() - 9_999, east), "an older mtime is a restored file");

        let day = NaiveDate::from_ymd_opt(2026, 9, 1).unwrap();
        let noon = day.and_hms_opt(12, 0, 0).unwrap();
        let timed = saved(Moment::Day(day, Some(noon.time())), ClockSource::Heading);
        let true_time = noon.and_utc().timestamp() - 20_700;
        assert!(edited_after(&timed, true_time + 181, east), "a time without a zone is local");
        assert!(!edited_after(&timed, true_time, east), "and noon at +05:45 is 06:15 UTC");
        assert!(!edited_after(&timed, true_time + 181, |_| None), "a skipped local time tells nothing");
        let bare = saved(Moment::Day(day, None), ClockSource::Filename);
        assert!(!edited_after(&bare, i64::MAX, east), "a bare day cannot tell");
        let by_commit = saved(Moment::Instant(at), ClockSource::Commit);
        assert!(
            !edited_after(&by_commit, at.timestamp() + 9_999, east),
            "a checkout is later than its commit"
        );
    }

    #[test]
    fn caps_follow_the_grammar() {
        assert_eq!(
            cap(Habit::Thunderkit, "HANDOFF.md", None),
            256 << 10,
            "thunderkit's file is YAML by another name"
        );
        assert_eq!(cap(Habit::Other, "HANDOFF.json", None), 1 << 20, "JSON by its ending");
        assert_eq!(cap(Habit::DayFile, "2026-01-01.md", None), READ_LIMIT, "a day file is markdown");
        assert_eq!(
            cap(Habit::Thunderkit, "HANDOFF.md", Some(99)),
            99,
            "a person's bound holds for every grammar"
        );
        assert_eq!(
            cap(Habit::Thunderkit, "HANDOFF.md", Some(u64::MAX)),
            256 << 10,
            "and widens it for none but text"
        );
    }

    #[test]
    fn times_before_1970_do_not_wrap() {
        let before = SystemTime::UNIX_EPOCH - std::time::Duration::from_secs(86_400);
        assert_eq!(seconds(Some(before)), -86_400, "a day before the epoch is negative");
        assert_eq!(by_mtime(i64::MAX).moment.order_key(0), 0, "an impossible mtime falls back to the epoch");
    }
}
