//! An action that was cut off: finished where everything had moved, else taken back, and said.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::Shelf;
use super::act::{Fate, ShelfError, Whereabouts, carry, drop_note, files, stamp, whereabouts};
use super::journal::{Action, Journal};
use super::model::{End, Move, Verb, handoffs, heads};
use crate::disk::{self, DiskError, Lock, Spot};
use crate::handoff::Digest;

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
    let (open, ended): (Vec<_>, Vec<_>) =
        journal.read()?.actions.into_iter().partition(|action| action.standing.is_none());
    let mut settled = Vec::new();
    for action in open.into_iter().rev() {
        // A save holds no lock of the shelf but one on its file.
        let lock = match saved_file(&action) {
            Some(path) => Lock::try_take(&shelf.state.join("locks"), &save_lock(path))?,
            None => None,
        };
        if lock.is_some() || action.verb != Verb::Save {
            let undone =
                action.undoes.as_ref().and_then(|of| ended.iter().find(|known| known.id == of.action));
            let leftover = undone.map_or(&[][..], |undone| &undone.made);
            settled.push(one(&journal, action, leftover)?);
        }
    }
    Ok(settled)
}

/// The lock that whoever writes a file over holds, by the file's real path.
pub fn save_lock(path: &Path) -> String {
    format!("save-{}", Digest::of(path.as_os_str().as_encoded_bytes()))
}

/// The file that a save writes.
fn saved_file(action: &Action) -> Option<&Path> {
    action.moves.last().filter(|_| action.verb == Verb::Save).map(|way| way.to.path.as_path())
}

/// Settles one action. `leftover` are directories that nobody needs once it is finished.
fn one(journal: &Journal, action: Action, leftover: &[PathBuf]) -> Result<Settled, DiskError> {
    let place = |way: &Move| match whereabouts(way) {
        // The new bytes of a save lie nowhere before they are written.
        Whereabouts::Neither if action.verb == Verb::Save => Whereabouts::Here,
        place => place,
    };
    let places: Vec<Whereabouts> = action.moves.iter().map(place).collect();
    sweep(&action)?;
    let is_whole = places.iter().all(|place| matches!(place, Whereabouts::There | Whereabouts::Both));
    let (standing, unsettled) = match is_whole {
        true => finish(&action, &places, leftover),
        false => take_back(&action, &places),
    };
    let word = action.verb.word();
    let count = heads(&action.moves);
    let lie = if count == 1 { "lies where it lay" } else { "lie where they lay" };
    let count = handoffs(count);
    let said = match (is_whole, unsettled.is_empty()) {
        (true, true) => format!("{word} was cut off and is finished: {count} had moved"),
        (false, true) => format!("{word} was cut off and is taken back: {count} {lie}"),
        (_, false) => {
            format!("{word} was cut off and is settled but for {}: look at them", files(unsettled.len()))
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
fn finish(action: &Action, places: &[Whereabouts], leftover: &[PathBuf]) -> (BTreeSet<usize>, Vec<PathBuf>) {
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
    remove_empty(leftover);
    ((0..action.moves.len()).collect(), unsettled)
}

/// Some bytes had not moved: those that had go back. Gives the moves that stand all the same.
fn take_back(action: &Action, places: &[Whereabouts]) -> (BTreeSet<usize>, Vec<PathBuf>) {
    let (mut standing, mut unsettled) = (BTreeSet::new(), Vec::new());
    let mut back = Action { moves: action.moves.iter().map(Move::back).collect(), ..action.clone() };
    for (index, (way, place)) in action.moves.iter().zip(places).enumerate().rev() {
        let settled = match place {
            Whereabouts::Here => drop_note(&way.to).is_ok(),
            Whereabouts::Both => remove(&way.to).and_then(|()| drop_note(&way.to)).is_ok(),
            Whereabouts::There => {
                // The file had gone, and the record that it leaves behind had not: it is made anew on the way back.
                let is_free = drop_note(&way.from).is_ok();
                let is_back = is_free && matches!(carry(&mut back, index, None), Fate::Moved(_));
                if !is_back {
                    standing.insert(index);
                }
                is_back
            }
            // Somebody else took it or changed it meanwhile: it is not ours to move.
            Whereabouts::Neither => false,
        };
        if !settled {
            let lies_there = standing.contains(&index);
            unsettled.push(if lies_there { way.to.path.clone() } else { way.from.path.clone() });
        }
    }
    if standing.is_empty() {
        remove_empty(&action.made);
    }
    (standing, unsettled)
}

/// Removes those of some directories, innermost first, that are empty.
pub(super) fn remove_empty(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // An empty directory too many loses nothing.
        let _kept = disk::remove_empty_dir(folder);
    }
}

/// Removes one of two equal files.
fn remove(end: &End) -> Result<(), DiskError> {
    let Some(found) = stamp(end)? else { return Ok(()) };
    Spot::named(&end.root, Path::new(&end.path), false)?.remove(&found).map(drop)
}
