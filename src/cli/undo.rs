//! `moorline undo`: the last action of the shelf taken back, or a named one.

use std::io::Write;

use super::args::Undo;
use super::desk::Desk;
use super::shelf::{Counter, stop};
use super::{Answer, Stop};
use crate::shelf::{Plan, ShelfError, Verb};

/// Takes an action back.
pub fn run(desk: &Desk, args: &Undo, out: &mut dyn Write) -> Result<Answer, Stop> {
    let counter = Counter::open(desk, &args.yes, out)?;
    let plan = match counter.shelf().undo(args.action.as_deref()) {
        // A program reads why in the document.
        Err(ShelfError::Nothing(said)) if args.yes.json => {
            let mut plan = Plan::of(Verb::Undo);
            plan.remarks = said;
            plan
        }
        planned => planned.map_err(stop)?,
    };
    counter.go(&plan, &args.yes, false, out)
}
