//! `moorline list`: every handoff, newest first, and why anything that was found is not among them.

use std::io::Write;
use std::sync::Arc;

use super::args::List;
use super::desk::{Desk, Listing};
use super::shape::{ListDocument, ProjectShape, ShortShapes, SkippedShape};
use super::text;
use super::{Answer, Stop, print_json};
use crate::check::Summary;
use crate::handoff::{Inert, count_of};
use crate::place::{Listed, Scope, State};
use crate::shelf::Shelf;

/// Lists; answers yes where anything is listed.
pub fn run(desk: &Desk, args: &List, out: &mut dyn Write) -> Result<Answer, Stop> {
    let mut listing = desk.listing();
    let unread = listing.skipped.len();
    if args.archived || args.trashed {
        let wanted =
            |state| (args.archived && state == State::Archived) || (args.trashed && state == State::Trashed);
        listing.rows.retain(|row| wanted(row.state));
        listing.skipped.clear();
    }
    if args.sort == "mtime" {
        listing.rows.sort_by_key(|row| std::cmp::Reverse(row.modified));
    }
    if args.json {
        json(desk, &listing, out)?
    } else {
        words(desk, args, &listing, unread, out)?
    }
    // Where something was not read, none found is not none there.
    Ok(match (listing.rows.is_empty(), unread) {
        (false, _) => Answer::Yes,
        (true, 0) => Answer::No,
        (true, _) => Answer::Unknown,
    })
}

fn json(desk: &Desk, listing: &Listing, out: &mut dyn Write) -> Result<(), Stop> {
    let facts = desk.examiner.project_facts(true);
    let done = format!("listed {}", count_of(listing.rows.len(), "handoff", "handoffs"));
    let document = ListDocument {
        schema: "moorline.list/1",
        project: ProjectShape::of(&facts),
        handoffs: ShortShapes(&listing.rows),
        skipped: listing.skipped.iter().map(SkippedShape::of).collect(),
        found: listing.rows.len() + listing.skipped.len(),
        interrupted: interrupted(desk),
        summary: Summary::plain(done, "check one by its id"),
    };
    print_json(&document, out)
}

/// What was cut off and waits for the next action to settle it; a list only says so.
fn interrupted(desk: &Desk) -> Option<String> {
    Shelf::of(&desk.examiner).and_then(|shelf| shelf.interrupted())
}

/// A heading of the text form and the rows that stand under it.
type Heading = (&'static str, fn(&Listed) -> bool);

/// The headings, the live ones as theonekit prints them.
const HEADINGS: [Heading; 5] = [
    ("PLAN-SCOPED", |row| row.state == State::Live && row.scope == Scope::Plan),
    ("PROJECT-SCOPED (.claude/handoffs/ and others)", |row| {
        row.state == State::Live && row.scope == Scope::Project
    }),
    ("GLOBAL ($HOME/.claude/handoffs/)", |row| row.state == State::Live && row.scope == Scope::Global),
    ("ARCHIVED", |row| row.state == State::Archived),
    ("TRASH", |row| row.state == State::Trashed),
];

fn words(
    desk: &Desk,
    args: &List,
    listing: &Listing,
    unread: usize,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    if listing.rows.is_empty() && unread > 0 {
        let where_named = if listing.skipped.is_empty() { "; `moorline list` names them" } else { ":" };
        writeln!(out, "{}", desk.not_read(unread, where_named))?;
    } else if listing.rows.is_empty() {
        writeln!(
            out,
            "No handoffs below {} or in the home directory's places.",
            text::path(desk.examiner.project())
        )?;
        writeln!(
            out,
            "Looked for .thunderkit/HANDOFF.md, plans/*/HANDOFF.md, .claude/handoffs/, memtomem records"
        )?;
        writeln!(out, "and handoff-named files. `moorline demo` shows what they look like.")?;
    } else {
        writeln!(out, "Available handoffs:")?;
        for (heading, of_group) in HEADINGS {
            let rows: Vec<_> = listing.rows.iter().filter(|row| of_group(row)).cloned().collect();
            if !rows.is_empty() {
                writeln!(out, "\n{heading}")?;
                group(desk, args, &rows, out)?;
            }
        }
    }
    if let Some(interrupted) = interrupted(desk) {
        writeln!(out, "\n{interrupted}: the next archive, trash, put-back, cleanup or undo settles it")?;
    }
    for skipped in &listing.skipped {
        writeln!(out, "\nnot listed: {} – {}", text::path(&skipped.path), skipped.reason.shown_line())?;
    }
    if !listing.rows.is_empty() {
        writeln!(out, "\nmoorline check NAME · moorline context NAME · moorline (the screen)")?;
    }
    Ok(())
}

fn group(desk: &Desk, args: &List, rows: &[Arc<Listed>], out: &mut dyn Write) -> Result<(), Stop> {
    if args.no_check {
        return rows.iter().try_for_each(|row| line(desk, row, "", out));
    }
    desk.judge_each(rows, |row, report| line(desk, row, &text::counted(&report), out))
}

fn line(desk: &Desk, row: &Listed, verdict: &str, out: &mut dyn Write) -> Result<(), Stop> {
    let inside = row.scope != Scope::Global && row.root == desk.examiner.project();
    let shown = text::path(if inside && row.state != State::Trashed { &row.relative } else { &row.path });
    let about = text::about(&row.handoff).map(Inert::shown_line).unwrap_or_default();
    let record = text::record(row);
    let age = text::row_age(row, desk.clock);
    writeln!(out, "  {shown}{record}  ({age})  {}  {verdict}", text::cut(&about, 60))?;
    if let Some(origin) = &row.origin {
        writeln!(out, "      from {}, {} bytes", text::path(origin), row.bytes)?;
    }
    Ok(())
}
