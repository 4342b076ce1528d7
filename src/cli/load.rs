//! Which handoff is loaded into a session, and whether it may be.

use std::sync::Arc;

use super::desk::Desk;
use super::{Stop, text};
use crate::disk;
use crate::handoff::{Family, RUNTIMES, runtime};
use crate::place::{Listed, State};
use crate::resume::{is_addressed_here, not_loadable};

/// The desk of the runtime that a person named; `None` where nobody named one.
///
/// # Errors
/// A runtime that memtomem does not know.
pub fn asking(desk: &Desk, named: Option<&str>) -> Result<Option<Desk>, Stop> {
    let Some(named) = named else { return Ok(None) };
    match runtime(named) {
        Some(known) => Ok(Some(desk.for_runtime(known))),
        None => {
            let all = RUNTIMES.join(", ");
            Err(Stop::bad(format!("{} is no known runtime: name one of {all}", text::word(named))))
        }
    }
}

/// The named handoff, else the newest live one that is meant for whoever asks. A memtomem record that is torn
/// or addressed to somebody else stops here: the next one is never taken in its place.
///
/// # Errors
/// None, several, or one that may not be loaded.
pub fn chosen(desk: &Desk, name: Option<&str>) -> Result<Arc<Listed>, Stop> {
    let row = match name {
        Some(_) => desk.one(name)?,
        None => {
            let why = "there is no handoff for you here: `moorline list` shows what there is, for whom; `moorline save` \
                       saves the first one";
            newest(desk, |row| is_addressed_here(&desk.examiner, row), why)?
        }
    };
    admitted(desk, &row, name)?;
    Ok(row)
}

/// The newest live memtomem record that is addressed to the runtime that asks.
///
/// # Errors
/// None, or it may not be loaded.
pub fn chosen_record(desk: &Desk) -> Result<Arc<Listed>, Stop> {
    let is_meant =
        |row: &Listed| row.handoff.family == Family::Memtomem && is_addressed_here(&desk.examiner, row);
    let row = newest(desk, is_meant, "no memtomem record here is addressed to that runtime")?;
    admitted(desk, &row, None)?;
    Ok(row)
}

/// Stops where a handoff may not be loaded, or a record was named by less than its whole id.
///
/// # Errors
/// Why not.
pub fn admitted(desk: &Desk, row: &Listed, name: Option<&str>) -> Result<(), Stop> {
    if let (Some(name), Some(id)) = (name, &row.handoff.record_id)
        && name != id.as_str()
        && name != row.id
        && !is_its_file(desk, row, name)
    {
        return Err(Stop::bad(format!(
            "{} selects the record {id}; to load it, say its whole id",
            text::word(name)
        )));
    }
    not_loadable(&desk.examiner, row).map_or(Ok(()), |why| Err(Stop::no(why)))
}

/// Whether a name is the path of the row's file: it holds no other record then, or it would have been several.
fn is_its_file(desk: &Desk, row: &Listed, name: &str) -> bool {
    desk.places(name).iter().any(|path| disk::is_same(path, &row.path))
}

/// The newest live row that fits; where there is none, `why`, unless that cannot be told.
fn newest(desk: &Desk, fits: impl Fn(&Listed) -> bool, why: &str) -> Result<Arc<Listed>, Stop> {
    let listing = desk.listing();
    let found =
        listing.rows.iter().find(|row| row.state == State::Live && !row.is_part() && fits(row)).cloned();
    found.ok_or_else(|| desk.nothing(&listing, None, why.to_owned()))
}
