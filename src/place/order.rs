//! Newest first, by a clock that a checkout, a backup or a time zone cannot change.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::Listed;
use crate::handoff::ClockSource;

/// A saved time further ahead than this is a slip of the pen (a writer's zone is at most 14 hours away).
const TOLERATED_FUTURE: i64 = 24 * 60 * 60;

/// How far a row's clock can be believed; the better class stands above the other, whatever the times.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Belief {
    /// Said by the file or by a commit.
    Dated,
    /// Known by mtime only: every clone, backup and sync moves it, so it never picks a winner.
    Mtime,
    /// A part of a handoff whose beginning is not here.
    Part,
    /// In the future, before 1970 or beyond any calendar in use.
    Impossible,
}

/// Sorts newest first. Days and times without a zone are placed as if written in UTC, on every machine alike, so
/// that one set of files has one order in all time zones. Rows that only the mtime dates stand below, by path.
/// Ties: later in the same file first, then by path, numbers in it compared as numbers. The parts of a handoff stand
/// under its head; where that is not among the rows, below all others.
pub fn order(rows: &mut [Arc<Listed>], now: DateTime<Utc>) {
    let latest = now.timestamp().saturating_add(TOLERATED_FUTURE);
    let of_parts = rows.iter().filter_map(|row| row.part.as_ref());
    let mut heads: HashMap<PathBuf, Option<Key>> = of_parts.map(|part| (part.head.clone(), None)).collect();
    if !heads.is_empty() {
        for row in rows.iter().filter(|row| row.part.is_none()) {
            if let Some(head) = heads.get_mut(&row.path) {
                *head = Some(Key::of(row, latest));
            }
        }
    }
    rows.sort_by_cached_key(|row| {
        let head = row.part.as_ref().and_then(|part| Some((heads.get(&part.head)?.as_ref()?, part)));
        match head {
            Some((head, part)) => Key { number: part.number, ..head.clone() },
            None => Key::of(row, latest),
        }
    });
}

/// The key of one row, taken once per sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    belief: Belief,
    newest: Reverse<i64>,
    place: PathKey,
    line: Reverse<u32>,
    /// 1 for what is a handoff by itself.
    number: u32,
}

impl Key {
    fn of(row: &Listed, latest: i64) -> Self {
        let moment = row.saved_at.moment;
        let at = moment.order_key(0);
        let belief = match row.saved_at.source {
            _ if row.is_part() => Belief::Part,
            ClockSource::Mtime => Belief::Mtime,
            _ if at > latest || !moment.is_plausible() => Belief::Impossible,
            _ => Belief::Dated,
        };
        let newest = Reverse(if belief == Belief::Mtime { 0 } else { at });
        let place = PathKey(row.path.clone());
        Self { belief, newest, place, line: Reverse(row.handoff.lines.0), number: 1 }
    }
}

/// A path in the order in which people count: `HANDOFF-2` before `HANDOFF-15`.
#[derive(Clone, PartialEq, Eq)]
struct PathKey(PathBuf);

impl PartialOrd for PathKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PathKey {
    fn cmp(&self, other: &Self) -> Ordering {
        natural(&self.0, &other.0)
    }
}

/// Compares paths bytewise, runs of digits by their value; equal only where the bytes are. Paths of one list share
/// long beginnings, so only what follows the first difference (and the digits before it) is looked at closely.
pub(super) fn natural(a: &Path, b: &Path) -> Ordering {
    let (whole_a, whole_b) = (a.as_os_str().as_bytes(), b.as_os_str().as_bytes());
    let (mut a, mut b) = (whole_a, whole_b);
    loop {
        let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        let start = a[..same].iter().rposition(|b| !b.is_ascii_digit()).map_or(0, |at| at + 1);
        (a, b) = (&a[start..], &b[start..]);
        let (run_a, rest_a) = digits(a);
        let (run_b, rest_b) = digits(b);
        // Only two numbers are compared as numbers; `10` before `x` stays a matter of bytes.
        if rest_a.len() == a.len() || rest_b.len() == b.len() {
            return a.cmp(b).then_with(|| whole_a.cmp(whole_b));
        }
        let by_value = run_a.len().cmp(&run_b.len()).then_with(|| run_a.cmp(run_b));
        if by_value != Ordering::Equal {
            return by_value;
        }
        (a, b) = (rest_a, rest_b);
    }
}

/// The leading run of digits without its leading zeros, and what follows it.
fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    let (run, rest) = text.split_at(end);
    let zeros = run.iter().take_while(|&&b| b == b'0').count();
    (&run[zeros..], rest)
}
