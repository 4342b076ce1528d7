//! Words of a save that failed: kept in moorline's own state directory, so that they need not be said again.

use std::path::{Path, PathBuf};

use super::file::NotWritten;
use crate::disk::{Spot, private_dir};
use crate::handoff::Digest;

/// The directory of kept words, in the state directory.
const DRAFTS: &str = "drafts";

/// Keeps a narrative, under a name that the same words always get; gives where.
///
/// # Errors
/// The state directory cannot be written.
pub fn keep(state: &Path, words: &str) -> Result<PathBuf, NotWritten> {
    private_dir(&state.join(DRAFTS))?;
    let ending = if words.trim_start().starts_with(['{', '[']) { "json" } else { "md" };
    let name = format!("{}.{ending}", &Digest::of(words.as_bytes()).as_str()[..16]);
    let spot = Spot::open(state, &state.join(DRAFTS).join(name))?;
    let there = spot.read()?;
    if there.as_deref() != Some(words.as_bytes()) {
        spot.write(words.as_bytes(), there.as_deref())?;
    }
    Ok(spot.path().to_owned())
}
