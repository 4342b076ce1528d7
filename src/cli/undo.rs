//! `moorline undo`: the last action of the shelf taken back, or a named one.

use std::io::Write;

use super::args::Undo;
use super::desk::Desk;
use super::shelf::{Counter, stop};
use super::{Answer, Stop};

/// Takes an action back.
pub fn run(desk: &Desk, args: &Undo, out: &mut dyn Write) -> Result<Answer, Stop> {
    let counter = Counter::open(desk, &args.yes, out)?;
    let plan = counter.shelf().undo(args.action.as_deref()).map_err(stop)?;
    counter.go(&plan, &args.yes, false, out)
}
