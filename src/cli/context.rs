//! `moorline context`: the block to load into a session by hand. It starts nothing.

use std::io::Write;
use std::sync::Arc;

use serde::Serialize;

use super::args::Context;
use super::desk::Desk;
use super::shape::path_text;
use super::text;
use super::{Answer, Stop, print_json};
use crate::check::Summary;
use crate::handoff::{Family, RUNTIMES, Record, runtime};
use crate::place::{Listed, State};
use crate::resume;

/// `moorline.context/1`
#[derive(Serialize)]
struct ContextDocument {
    schema: &'static str,
    path: String,
    id: String,
    block: String,
    summary: Summary,
}

/// Prints the block first, and nothing before it.
pub fn run(desk: &Desk, args: &Context, out: &mut dyn Write) -> Result<Answer, Stop> {
    let desk = match &args.runtime {
        Some(named) => match runtime(named) {
            Some(known) => &desk.for_runtime(known),
            None => return Err(Stop::bad(unknown_runtime(named))),
        },
        None => desk,
    };
    let row = chosen(desk, args.name.as_deref(), args.runtime.is_some())?;
    let block = resume::context_block(&desk.examiner, &row, args.chain);
    if args.json {
        let summary = Summary::plain("printed the context", "load it into a session");
        let document = ContextDocument {
            schema: "moorline.context/1",
            path: path_text(&row.path),
            id: row.id.clone(),
            block,
            summary,
        };
        print_json(&document, out)?;
    } else {
        writeln!(out, "{}", block.trim_end())?;
    }
    Ok(Answer::Yes)
}

/// The named handoff, else the newest live one that is meant for whoever asks. A memtomem record that is torn
/// or addressed to somebody else stops here: the next one is never taken in its place.
fn chosen(desk: &Desk, name: Option<&str>, records_only: bool) -> Result<Arc<Listed>, Stop> {
    let row = match name {
        Some(_) => desk.one(name)?,
        // Who says which runtime asks wants the newest record that is addressed to it.
        None if records_only => {
            let record = |row: &Arc<Listed>| {
                row.state == State::Live && row.handoff.family == Family::Memtomem && addressed(desk, row)
            };
            newest(desk, record, "no memtomem record here is addressed to that runtime")?
        }
        None => {
            let meant = |row: &Arc<Listed>| row.state == State::Live && addressed(desk, row);
            let why = "there is no handoff for you here: `moorline list` shows what there is, for whom";
            newest(desk, meant, why)?
        }
    };
    if row.handoff.family == Family::Memtomem && row.handoff.has_errors() {
        let first = row.handoff.problems.iter().find(|problem| problem.is_error());
        return Err(Stop::no(format!(
            "the record in {} cannot be used: {}",
            path_text(&row.path),
            first.map(|problem| problem.message.shown_line()).unwrap_or_default()
        )));
    }
    Ok(row)
}

/// That a runtime is not known, and which are.
fn unknown_runtime(named: &str) -> String {
    format!("{} is no known runtime: name one of {}", text::word(named), RUNTIMES.join(", "))
}

/// The newest row that fits; where there is none, `why`, unless that cannot be told.
fn newest(desk: &Desk, fits: impl Fn(&Arc<Listed>) -> bool, why: &str) -> Result<Arc<Listed>, Stop> {
    let listing = desk.listing();
    let found = listing.rows.iter().find(|row| fits(row)).cloned();
    found.ok_or_else(|| desk.nothing(&listing, None, why.to_owned()))
}

/// Whether a memtomem record is for the runtime that asks; every other family is for everybody. A torn record is
/// for whom its own line says, as far as that can be read: it must stop the one it was meant for, and only that one.
fn addressed(desk: &Desk, row: &Listed) -> bool {
    if row.handoff.family != Family::Memtomem {
        return true;
    }
    let typed = match &row.handoff.record {
        Record::Memtomem(record) => record.to_runtime.as_ref(),
        _ => None,
    };
    let raw = || row.handoff.fields.get("to_runtime").and_then(|field| field.value.as_text());
    let to = typed.or_else(raw).map_or("any", |to| to.raw().trim());
    to == "any" || to == desk.examiner.runtime()
}
