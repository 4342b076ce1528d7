//! `moorline archive`: handoffs into the `archive/` beside each.

use std::io::Write;

use super::args::Archive;
use super::desk::Desk;
use super::shelf::Counter;
use super::{Answer, Stop};
use crate::place::State;
use crate::shelf::{Verb, plan};

/// Archives the named handoffs.
pub fn run(desk: &Desk, args: &Archive, out: &mut dyn Write) -> Result<Answer, Stop> {
    let counter = Counter::open(desk, &args.yes, out)?;
    let listing = desk.listing();
    let rows = counter.rows(Verb::Archive, &listing, &args.names, |state| state == State::Live)?;
    let rows = plan::with_parts(rows, &listing.rows);
    counter.go(&plan::archive(counter.ask()?, &rows), &args.yes, false, out)
}
