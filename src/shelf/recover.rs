//! An action that was cut off: finished where everything had moved, else taken back, and said.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::Shelf;
use super::act::{Fate, ShelfError, Whereabouts, carry, drop_note, files, stamp, whereabouts};
use super::journal::{Action, Journal};
use super::model::{End, Verb};
use crate::disk::{self, DiskError, Spot};

/// What became of an action that had been cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// Its id.
    pub action: String,
    /// What it was.
    pub verb: Verb,
    /// When it began, RFC 3339.
    pub time: String,
    /// One sentence.
    pub said: String,
    /// Files that lie neither where they were nor where they were to go, or could not go back.
    pub unsettled: Vec<PathBuf>,
}

impl Shelf {
    /// Settles actions that were cut off, if nobody else is at work; says what became of each.
    ///
    /// # Errors
    /// [`ShelfError::Busy`], or the log cannot be read or written.
    pub fn settle(&self) -> Result<Vec<Settled>, ShelfError> {
        let _lock = self.lock()?;
        Ok(settle(self)?)
    }
}

/// See [`Shelf::settle`]. Whoever calls holds the lock.
pub(super) fn settle(shelf: &Shelf) -> Result<Vec<Settled>, DiskError> {
    let journal = Journal::of(&shelf.state);
    let open: Vec<Action> = journal.read()?.into_iter().filter(|action| action.standing.is_none()).collect();
    open.into_iter().rev().map(|action| one(&journal, action)).collect()
}

fn one(journal: &Journal, action: Action) -> Result<Settled, DiskError> {
    let places: Vec<Whereabouts> = action.moves.iter().map(whereabouts).collect();
    sweep(&action)?;
    let is_whole = places.iter().all(|place| matches!(place, Whereabouts::There | Whereabouts::Both));
    let (standing, unsettled) = match is_whole {
        true => finish(&action, &places),
        false => take_back(&action, &places),
    };
    let word = action.verb.word();
    let count = files(action.moves.len());
    let said = match (is_whole, unsettled.is_empty()) {
        (true, true) => format!("a {word} that was cut off is finished: {count} had moved"),
        (false, true) => format!("a {word} that was cut off is taken back: {count} lie where they lay"),
        (_, false) => {
            format!("a {word} that was cut off is settled but for {}: look at them", files(unsettled.len()))
        }
    };
    journal.end(&action.id, &standing, &said)?;
    Ok(Settled { action: action.id, verb: action.verb, time: action.time, said, unsettled })
}

/// Removes the copies that were being made, at both ends.
fn sweep(action: &Action) -> Result<(), DiskError> {
    for (index, way) in action.moves.iter().enumerate() {
        for end in [&way.from, &way.to] {
            match Spot::named(&end.root, &end.path, false) {
                Ok(spot) => spot.remove_temporary(OsStr::new(&action.temporary(index))).map(drop)?,
                Err(DiskError::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

/// All bytes are where they were to go: what is left of them where they were goes.
fn finish(action: &Action, places: &[Whereabouts]) -> (BTreeSet<usize>, Vec<PathBuf>) {
    let mut unsettled = Vec::new();
    for (way, place) in action.moves.iter().zip(places) {
        let cleared = match place {
            Whereabouts::Both => remove(&way.from),
            _ => Ok(()),
        };
        if cleared.and_then(|()| drop_note(&way.from)).is_err() {
            unsettled.push(way.from.path.clone());
        }
    }
    ((0..action.moves.len()).collect(), unsettled)
}

/// Some bytes had not moved: those that had go back. Gives the moves that stand all the same.
fn take_back(action: &Action, places: &[Whereabouts]) -> (BTreeSet<usize>, Vec<PathBuf>) {
    let (mut standing, mut unsettled) = (BTreeSet::new(), Vec::new());
    let mut back =
        Action { moves: action.moves.iter().map(super::model::Move::back).collect(), ..action.clone() };
    for (index, (way, place)) in action.moves.iter().zip(places).enumerate().rev() {
        let settled = match place {
            Whereabouts::Here => drop_note(&way.to).is_ok(),
            Whereabouts::Both => remove(&way.to).and_then(|()| drop_note(&way.to)).is_ok(),
            Whereabouts::There => match carry(&mut back, index, None) {
                Fate::Moved(_) => true,
                Fate::Stayed(_) | Fate::NotBegun => {
                    standing.insert(index);
                    false
                }
            },
            // Somebody else took it or changed it meanwhile: it is not ours to move.
            Whereabouts::Neither => false,
        };
        if !settled {
            let lies_there = standing.contains(&index);
            unsettled.push(if lies_there { way.to.path.clone() } else { way.from.path.clone() });
        }
    }
    if standing.is_empty() {
        for folder in action.made.iter().rev() {
            // An empty directory too many loses nothing.
            let _kept = disk::remove_empty_dir(folder);
        }
    }
    (standing, unsettled)
}

/// Removes one of two equal files.
fn remove(end: &End) -> Result<(), DiskError> {
    let Some(found) = stamp(end)? else { return Ok(()) };
    Spot::named(&end.root, Path::new(&end.path), false)?.remove(&found).map(drop)
}
