//! `moorline context`: the block to load into a session by hand. It starts nothing.

use std::io::Write;

use serde::Serialize;

use super::args::Context;
use super::desk::Desk;
use super::load;
use super::remote::{self, RemoteShape, TargetShape};
use super::shape::path_text;
use super::{Answer, Stop, print_json};
use crate::check::Summary;
use crate::resume::{self, Wanted};

/// `moorline.context/1`
#[derive(Serialize)]
struct ContextDocument {
    schema: &'static str,
    path: String,
    id: String,
    block: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    remote: Option<RemoteShape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<TargetShape>,
    summary: Summary,
}

/// Prints the block first, and nothing before it.
pub fn run(desk: &Desk, args: &Context, out: &mut dyn Write) -> Result<Answer, Stop> {
    let asking = load::asking(desk, args.runtime.as_deref())?;
    let desk = asking.as_ref().unwrap_or(desk);
    let row = match args.name.as_deref() {
        // Who says which runtime asks wants the newest record that is addressed to it.
        None if args.runtime.is_some() => load::chosen_record(desk)?,
        name => load::chosen(desk, name)?,
    };
    let remote = remote::compared(desk, &args.remote)?;
    let target = match args.target {
        true => Some(remote::target(desk, &row, args.remote.yes)?),
        false => None,
    };
    let wanted = Wanted { chain: args.chain, remote: remote.as_ref(), target: target.as_ref() };
    let block = resume::context_block(&desk.examiner, &row, wanted);
    if args.json {
        let summary = Summary::plain("printed the context", "load it into a session");
        let document = ContextDocument {
            schema: "moorline.context/1",
            path: path_text(&row.path),
            id: row.id.clone(),
            block,
            remote: remote.as_ref().map(RemoteShape::of),
            target: target.as_ref().map(TargetShape::of),
            summary,
        };
        print_json(&document, out)?;
    } else {
        writeln!(out, "{}", block.trim_end())?;
    }
    Ok(Answer::Yes)
}
