//! Words of a save that is not made: kept in moorline's own state directory, so that they need not be said again.
//!
//! A save that fails [keeps](keep) what came in by a pipe. What a person types on the screen is kept while it is typed,
//! in a [`Slot`] that this screen has to itself; what a screen left there, however it ended, is offered to the
//! [next one](left). Both kinds are forgotten when nobody came back for them.

mod slot;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::file::NotWritten;
use crate::disk::{Beneath, DiskError, EntryKind, Lock, Spot, private_dir};
use crate::handoff::{Digest, count_of};

pub use slot::{Left, Slot, left};

/// The directory of kept words, in the state directory.
const DRAFTS: &str = "drafts";
/// How long words are kept: as long as a handoff stays out of the archive by default. What nobody has missed for a
/// month is a handoff that was written some other way.
const DAYS: u64 = 30;
/// How many are kept: more than anybody has projects with words left over at a time. With the bound of a narrative
/// they take at most 50 MiB.
const MOST: usize = 50;

/// Keeps a narrative, under a name that the same words always get; gives where.
///
/// # Errors
/// The state directory cannot be written.
pub fn keep(state: &Path, words: &str) -> Result<PathBuf, NotWritten> {
    let ending = if words.trim_start().starts_with(['{', '[']) { "json" } else { "md" };
    let name = format!("{}.{ending}", &Digest::of(words.as_bytes()).as_str()[..16]);
    put(state, &name, words)
}

/// Writes words whole, for their owner's eyes only; gives where.
fn put(state: &Path, name: &str, words: &str) -> Result<PathBuf, NotWritten> {
    private_dir(&state.join(DRAFTS))?;
    let spot = Spot::open(state, &state.join(DRAFTS).join(name))?;
    match spot.read()? {
        Some(there) if there == words.as_bytes() => {}
        Some(there) => spot.write(words.as_bytes(), Some(&there))?,
        None => {
            spot.sweep()?;
            let temporary = format!(".{name}.moorline-{}", std::process::id());
            spot.create(words.as_bytes(), temporary.as_ref(), None)?;
        }
    }
    Ok(spot.path().to_owned())
}

/// Removes words of this name; that there are none is as good.
fn remove(state: &Path, name: &str) -> Result<(), DiskError> {
    let spot = match Spot::named(state, &state.join(DRAFTS).join(name), false) {
        Err(DiskError::NotFound(_)) => return Ok(()),
        spot => spot?,
    };
    if let Some(stamp) = spot.stamp()? {
        spot.remove(&stamp)?;
    }
    Ok(())
}

/// The names of all kept words with the times of their last change, the newest first.
fn names(state: &Path) -> Result<Vec<(SystemTime, String)>, DiskError> {
    let dir = match Beneath::open(&state.join(DRAFTS)) {
        Err(DiskError::NotFound(_)) => return Ok(Vec::new()),
        dir => dir?,
    };
    let (_, entries) = dir.list(Path::new(""))?;
    let files = entries.into_iter().filter(|entry| entry.kind == EntryKind::File);
    let mut names: Vec<_> = files
        .filter_map(|entry| Some((dir.modified(entry.name.as_ref()).ok()?, entry.name.into_string().ok()?)))
        .collect();
    names.sort_unstable_by(|one, other| other.cmp(one));
    Ok(names)
}

/// The words that are old, or too many, and that no screen is at work on.
fn due(state: &Path, now: SystemTime) -> Result<Vec<(String, Option<Lock>)>, DiskError> {
    let oldest = now.checked_sub(Duration::from_secs(DAYS * 24 * 60 * 60));
    let is_old = |at: &SystemTime| oldest.is_some_and(|oldest| *at < oldest);
    let names = names(state)?.into_iter().enumerate();
    let old = names.filter(|(place, (at, _))| *place >= MOST || is_old(at));
    let mut due = Vec::new();
    for (_, (_, name)) in old {
        match slot::holder(&name) {
            Some(holder) => {
                // Held until it is removed: else a screen could begin to write there.
                if let Some(lock) = Lock::try_take(&state.join("locks"), &holder)? {
                    due.push((name, Some(lock)));
                }
            }
            None => due.push((name, None)),
        }
    }
    Ok(due)
}

/// What [`forget`] would say; removes nothing.
pub(super) fn would_forget(state: &Path, now: SystemTime) -> Option<String> {
    match due(state, now) {
        Ok(due) => (!due.is_empty()).then(|| told("Would forget", &due)),
        Err(why) => Some(format!("words that were not saved are all kept: {why}")),
    }
}

/// Removes words that nobody came back for; says what was removed, and where it lay. Words that a screen is at work on
/// stay.
pub(super) fn forget(state: &Path, now: SystemTime) -> Option<String> {
    let removed = due(state, now).and_then(|due| {
        due.iter().try_for_each(|(name, _)| remove(state, name))?;
        Ok(due)
    });
    match removed {
        Ok(due) => (!due.is_empty()).then(|| told("Forgot", &due)),
        Err(why) => Some(format!("words that were not saved are all kept: {why}")),
    }
}

fn told(verb: &str, due: &[(String, Option<Lock>)]) -> String {
    let drafts = count_of(due.len(), "draft", "drafts");
    let names: Vec<_> = due.iter().map(|(name, _)| name.as_str()).collect();
    let names = names.join(", ");
    format!("{verb} {drafts} of unsaved words, older than {DAYS} days or beyond the newest {MOST}: {names}")
}

/// Removes words that were saved from where they were kept: they are of no more use.
///
/// # Errors
/// What the system says; they are then there.
pub fn saved(state: &Path, from: &Path) -> Result<(), DiskError> {
    let Ok(real) = from.canonicalize() else { return Ok(()) };
    let Ok(drafts) = state.join(DRAFTS).canonicalize() else { return Ok(()) };
    match (real.parent() == Some(&drafts), real.file_name().and_then(|name| name.to_str())) {
        (true, Some(name)) => remove(state, name),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
