//! `moorline put-back`: archived and trashed handoffs to where they came from, or to a chosen place.

use std::io::Write;

use super::args::PutBack;
use super::desk::Desk;
use super::shelf::Counter;
use super::{Answer, Stop};
use crate::place::State;
use crate::shelf::{Verb, plan};

/// Puts the named handoffs back.
pub fn run(desk: &Desk, args: &PutBack, out: &mut dyn Write) -> Result<Answer, Stop> {
    let counter = Counter::open(desk, &args.yes, out)?;
    let listing = desk.listing();
    let mut rows = counter.rows(Verb::PutBack, &listing, &args.names, |state| state != State::Live)?;
    let to = args.to.as_ref().map(|to| desk.names_from.join(to));
    if to.is_some() && rows.len() != 1 {
        return Err(Stop::bad("--to is for one handoff: name one"));
    }
    if to.is_none() {
        rows = plan::with_parts(rows, &listing.rows);
    }
    counter.go(&plan::put_back(counter.ask()?, &rows, to.as_deref()), &args.yes, false, out)
}
