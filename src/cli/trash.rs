//! `moorline trash`: handoffs into the trash, each with a record of where it was.

use std::io::Write;

use super::args::Trash;
use super::desk::Desk;
use super::shelf::{Counter, stop};
use super::{Answer, Stop};
use crate::place::State;
use crate::shelf::{ShelfError, Verb, plan};

/// Trashes the named handoffs, live or archived.
pub fn run(desk: &Desk, args: &Trash, out: &mut dyn Write) -> Result<Answer, Stop> {
    let counter = Counter::open(desk, &args.yes, out)?;
    let listing = desk.listing();
    let rows = counter.rows(Verb::Trash, &listing, &args.names, |state| state != State::Trashed)?;
    let rows = plan::with_parts(rows, &listing.rows);
    let quota = desk.examiner.settings().trash_quota;
    let plan = plan::trash(counter.ask()?, &rows, quota).map_err(|error| stop(ShelfError::Disk(error)))?;
    counter.go(&plan, &args.yes, args.evict, out)
}
