//! `moorline restore`, thunderkit's word: checks one handoff and prints its context. It starts nothing.

use std::io::Write;

use serde::Serialize;

use super::args::Restore;
use super::desk::Desk;
use super::load;
use super::shape::HandoffShape;
use super::text;
use super::{Answer, Stop, print_json};
use crate::check::{Summary, Tally};
use crate::resume::{self, Wanted};

/// `moorline.restore/1`
#[derive(Serialize)]
struct RestoreDocument<'a> {
    schema: &'static str,
    handoff: HandoffShape<'a>,
    block: &'a str,
    summary: Summary,
}

/// Prints the block, then the judgement; answers as `check` does.
pub fn run(desk: &Desk, args: &Restore, out: &mut dyn Write) -> Result<Answer, Stop> {
    let asking = load::asking(desk, args.runtime.as_deref())?;
    let desk = asking.as_ref().unwrap_or(desk);
    let row = load::chosen(desk, args.name.as_deref())?;
    let report = desk.examiner.examine(&row);
    let block = resume::context_block(&desk.examiner, &row, Wanted::default());
    if args.json {
        let summary = Summary::of("checked it and printed its context", &row.handoff, &report);
        let summary = match Answer::of(report.verdict) {
            Answer::Yes => summary,
            _ => summary.outcome(text::judged(&report)),
        };
        let handoff = HandoffShape::judged(&row, &report);
        print_json(&RestoreDocument { schema: "moorline.restore/1", handoff, block: &block, summary }, out)?;
    } else {
        writeln!(out, "{}\n", block.trim_end())?;
        writeln!(out, "{}", text::report(&row, &report, text::Detail::Trouble))?;
        writeln!(out, "{}", text::ending(&Tally::of(&[(&row.handoff, &report)])))?;
    }
    Ok(Answer::of(report.verdict))
}
