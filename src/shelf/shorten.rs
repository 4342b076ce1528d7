//! What of the log is still needed. It is read at every action and would grow for ever.
//!
//! Kept are the actions that can still be taken back, at most the newest thousand, and those that are not over yet.
//! What was taken back, takings-back themselves, and actions whose files are gone for good go. Lines that cannot be
//! read stay as they are, up to a bound: somebody may still make sense of them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::journal::{Action, Journal, Log, lines_of};
use crate::disk::{self, DiskError};

/// Actions that can be taken back are kept up to this many.
const KEPT: usize = 1_000;
/// A log of fewer lines is left alone, and it is shortened only when it has that many actions too many.
const SLACK: usize = 256;
/// Bytes of lines that cannot be read, kept at most.
const ODD: usize = 64 << 10;
/// A log file of fewer bytes is not even read for this.
const SMALL: u64 = 128 << 10;

/// Shortens the log where it is long; gives how many actions that could have been taken back it had to forget.
///
/// # Errors
/// The log cannot be read or written; it is then as it was.
pub(super) fn shorten(journal: &Journal) -> Result<usize, DiskError> {
    let is_small = disk::look(journal.path()).map_or(true, |(_, meta)| meta.len < SMALL);
    if is_small || !is_due(&journal.read()?) {
        return Ok(0);
    }
    let mut forgotten = 0;
    journal.exchange(|log, odd| {
        let needed = needed(&log.actions, &is_gone);
        forgotten = needed.forgotten;
        text(&needed.actions, &odd).ok()
    })?;
    Ok(forgotten)
}

/// More than half of the lines tell of nothing that could be taken back, or far too many of what could.
fn is_due(log: &Log) -> bool {
    let (mut standing, mut open) = (0, 0);
    for action in &log.actions {
        standing += usize::from(action.stands());
        open += usize::from(action.standing.is_none());
    }
    let (needed, read) = (2 * standing + open, log.lines - log.unread);
    read > SLACK && (2 * needed < read || standing > KEPT + SLACK)
}

/// Whether a file is not there, and could be seen if it were.
fn is_gone(path: &Path) -> bool {
    // A directory that is missing may come back with the disk that it lies on.
    !disk::is_taken(path) && path.parent().is_some_and(Path::is_dir)
}

struct Needed<'a> {
    actions: Vec<&'a Action>,
    /// Actions that could be taken back, but are too many.
    forgotten: usize,
}

/// The actions that are kept, oldest first.
fn needed<'a>(actions: &'a [Action], is_gone: &dyn Fn(&Path) -> bool) -> Needed<'a> {
    let open = actions.iter().filter(|action| action.standing.is_none());
    let undone_now: HashSet<&str> =
        open.filter_map(|open| Some(open.undoes.as_ref()?.action.as_str())).collect();
    // Where files come back to when the newer actions are taken back first.
    let mut returning: HashSet<PathBuf> = HashSet::new();
    let mut needed = Needed { actions: Vec::new(), forgotten: 0 };
    let mut standing = 0;
    for action in actions.iter().rev() {
        let must_stay = action.standing.is_none() || undone_now.contains(action.id.as_str());
        if !must_stay {
            if !can_go_back(action, &returning, is_gone) {
                continue;
            }
            if standing == KEPT {
                needed.forgotten += 1;
                continue;
            }
            standing += 1;
        }
        let ends = action.moves.iter().flat_map(|way| match must_stay {
            true => vec![way.from.path.clone(), way.to.path.clone()],
            false => vec![way.from.path.clone()],
        });
        returning.extend(ends);
        needed.actions.push(action);
    }
    needed.actions.reverse();
    needed
}

/// Whether some of it can still be taken back, once the newer ones are. What a save wrote goes back whole or not at
/// all.
fn can_go_back(action: &Action, returning: &HashSet<PathBuf>, is_gone: &dyn Fn(&Path) -> bool) -> bool {
    let is_there = |path: &Path| returning.contains(path) || !is_gone(path);
    let (written, others): (Vec<_>, Vec<_>) =
        action.standing_moves().partition(|(index, _)| action.is_written(*index));
    let is_whole = !written.is_empty() && written.iter().all(|(_, way)| is_there(&way.to.path));
    action.stands() && (is_whole || others.iter().any(|(_, way)| is_there(&way.to.path)))
}

/// The text of the shorter log.
fn text(actions: &[&Action], odd: &[Vec<u8>]) -> Result<Vec<u8>, serde_json::Error> {
    let mut room = ODD;
    let newest = odd.iter().rev().take_while(|line| {
        let fits = line.len() < room;
        room = room.saturating_sub(line.len() + 1);
        fits
    });
    let mut kept: Vec<&Vec<u8>> = newest.collect();
    kept.reverse();
    let mut text: Vec<u8> = kept.into_iter().flat_map(|line| line.iter().copied().chain([b'\n'])).collect();
    for action in actions {
        text.extend(lines_of(action)?.into_bytes());
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
