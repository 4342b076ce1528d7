//! Handoffs that go on in further files: the first one is the handoff, the others are parts of it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Listed, Part, State};
use crate::handoff::ClockSource;

/// How a save begins the title of a part; `2 of 3` follows.
const TITLE: &str = "Handoff, part ";

/// Says of each row whether a head that is among the rows goes on in it, and gives a part without a date of its own its
/// head's clock: a commit or a modification time would make the middle of a handoff newer than its beginning.
pub(super) fn adopt(rows: &mut [Arc<Listed>]) {
    for (at, part) in parts(rows) {
        let head = part.as_ref().map(|(head, _)| Arc::clone(&rows[*head]));
        let is_undated = matches!(rows[at].saved_at.source, ClockSource::Mtime | ClockSource::Commit);
        let clock = head.as_ref().filter(|_| is_undated).map(|head| head.saved_at.clone());
        let part = head.zip(part).map(|(head, (_, number))| Part { head: head.path.clone(), number });
        if rows[at].part == part && clock.as_ref().is_none_or(|clock| *clock == rows[at].saved_at) {
            continue;
        }
        let row = Arc::make_mut(&mut rows[at]);
        row.part = part;
        if let Some(clock) = clock {
            (row.saved_at, row.edited_after) = (clock, false);
        }
    }
}

/// By index: the parts with their heads' indexes and their numbers (2, 3, …), and what was a part and is none now.
fn parts(rows: &[Arc<Listed>]) -> Vec<(usize, Option<(usize, u32)>)> {
    let mut of: HashMap<usize, (usize, u32)> = HashMap::new();
    let next = links(rows);
    let continued: HashSet<usize> = next.values().copied().collect();
    // A loop has no head, and is none of it anybody's part.
    let mut heads: Vec<usize> = next.keys().copied().filter(|at| !continued.contains(at)).collect();
    heads.sort_unstable();
    for head in heads {
        let (mut at, mut number) = (head, 1);
        while let Some(&link) = next.get(&at).filter(|link| !of.contains_key(link)) {
            number += 1;
            of.insert(link, (head, number));
            at = link;
        }
    }
    let was_one = rows.iter().enumerate().filter(|(at, row)| row.part.is_some() && !of.contains_key(at));
    let none: Vec<_> = was_one.map(|(at, _)| (at, None)).collect();
    of.into_iter().map(|(at, part)| (at, Some(part))).chain(none).collect()
}

/// By index, the row that each row names as its continuation: a file of its own directory, live where it is live. What
/// was put away is told by where it was.
fn links(rows: &[Arc<Listed>]) -> HashMap<usize, usize> {
    let was = |row: &Listed| -> PathBuf { row.origin.as_ref().unwrap_or(&row.path).clone() };
    let named = |row: &Listed| {
        let name = row.handoff.continuation.as_ref()?.raw().trim().to_owned();
        let is_beside = Path::new(&name).file_name().is_some_and(|file| file == name.as_str());
        is_beside.then(|| was(row).with_file_name(name))
    };
    let wanted: Vec<(usize, (State, PathBuf))> =
        rows.iter().enumerate().filter_map(|(at, row)| Some((at, (row.state, named(row)?)))).collect();
    if wanted.is_empty() {
        return HashMap::new();
    }
    let mut places: HashMap<(State, PathBuf), usize> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        places.entry((row.state, was(row))).or_insert(at);
    }
    let link = |(at, place)| places.get(&place).map(|&link| (at, link)).filter(|(at, link)| at != link);
    wanted.into_iter().filter_map(link).collect()
}

/// Whether a title is that of a part that a save wrote, whose head may be gone.
pub(super) fn is_titled_part(title: &str) -> bool {
    let numbers = title.trim().strip_prefix(TITLE).and_then(|rest| rest.split_once(" of "));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(number, all)| is_number(number) && is_number(all))
}
