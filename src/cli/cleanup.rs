//! `moorline cleanup`: old handoffs into the archive, and why the others stay.

use std::io::Write;

use super::args::Cleanup;
use super::desk::Desk;
use super::shelf::{Counter, stop};
use super::{Answer, Stop};
use crate::shelf::{ShelfError, cleanup};

/// Archives what is older than the settings' days.
pub fn run(desk: &Desk, args: &Cleanup, out: &mut dyn Write) -> Result<Answer, Stop> {
    let counter = Counter::open(desk, &args.yes, out)?;
    let days = args.days.unwrap_or(desk.examiner.settings().archive_after_days);
    if !args.yes.json {
        for sentence in cleanup::rule_words(days) {
            writeln!(out, "{sentence}")?;
        }
    }
    let listing = desk.listing();
    let plan = cleanup::plan(counter.ask()?, &listing.rows, days, &desk.cwd)
        .map_err(|error| stop(ShelfError::Disk(error)))?;
    counter.go(&plan, &args.yes, false, out)
}
