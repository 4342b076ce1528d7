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
use crate::place::{Listed, Scope, State, TRASH};
use crate::shelf::Shelf;

/// Lists; answers yes where anything is listed.
pub fn run(desk: &Desk, args: &List, out: &mut dyn Write) -> Result<Answer, Stop> {
    let mut listing = desk.overview();
    if args.put_away() {
        let wanted =
            |state| (args.archived && state == State::Archived) || (args.trashed && state == State::Trashed);
        listing.rows.retain(|row| wanted(row.state));
        if !args.archived {
            // What lies in the trash lies there only.
            listing.skipped.retain(|skipped| desk.could_be_trash(&skipped.path));
        }
    }
    if args.sort == "mtime" {
        listing.rows.sort_by_key(|row| std::cmp::Reverse(row.modified));
    }
    let printed = match args.json {
        true => json(desk, args, &listing, out),
        false => words(desk, args, &listing, out),
    };
    match printed {
        // Whoever has read enough does not change what was found.
        Ok(()) | Err(Stop::Pipe) => {}
        Err(stop) => return Err(stop),
    }
    // Where something was not read, none found is not none there.
    Ok(match (listing.rows.is_empty(), listing.skipped.is_empty()) {
        (false, _) => Answer::Yes,
        (true, true) => Answer::No,
        (true, false) => Answer::Unknown,
    })
}

fn json(desk: &Desk, args: &List, listing: &Listing, out: &mut dyn Write) -> Result<(), Stop> {
    let facts = desk.examiner.project_facts(true);
    let done = format!("listed {}", count_of(listing.rows.len(), "handoff", "handoffs"));
    let next = match (listing.rows.is_empty(), args.put_away()) {
        (true, _) if !listing.skipped.is_empty() => "make what was skipped readable, and list again",
        (true, true) => "nothing",
        (true, false) => "save the first one: moorline save",
        (false, true) => "bring one back by its id: moorline put-back",
        (false, false) => "check one by its id",
    };
    let document = ListDocument {
        schema: "moorline.list/1",
        project: ProjectShape::of(&facts),
        handoffs: ShortShapes(&listing.rows),
        skipped: listing.skipped.iter().map(SkippedShape::of).collect(),
        found: listing.rows.len() + listing.skipped.len(),
        interrupted: interrupted(desk),
        summary: match none_listed(desk, args, listing) {
            Some(why) => Summary::plain(done, next).outcome(why),
            None => Summary::plain(done, next),
        },
    };
    print_json(&document, out)
}

/// Why there is no row, where there is none.
fn none_listed(desk: &Desk, args: &List, listing: &Listing) -> Option<String> {
    if !listing.rows.is_empty() {
        return None;
    }
    let none = match (args.archived, args.trashed) {
        (false, false) => no_handoffs(desk),
        (true, false) => "nothing is archived".to_owned(),
        (false, true) => "the trash is empty".to_owned(),
        (true, true) => "nothing is archived, and the trash is empty".to_owned(),
    };
    Some(desk.untold(&listing.skipped).unwrap_or(none))
}

fn no_handoffs(desk: &Desk) -> String {
    let project = text::path(desk.examiner.project());
    format!("No handoffs below {project} or in the home directory's places.")
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

fn words(desk: &Desk, args: &List, listing: &Listing, out: &mut dyn Write) -> Result<(), Stop> {
    let unread = listing.skipped.len();
    if listing.rows.is_empty() && unread > 0 && args.put_away() {
        let unread = count_of(unread, "file or directory", "files or directories");
        writeln!(out, "Whether anything is put away cannot be told.\nNot read: {unread}:")?;
    } else if listing.rows.is_empty() && unread > 0 {
        writeln!(out, "{}", desk.not_read(unread))?;
    } else if listing.rows.is_empty() && args.put_away() {
        nothing_put_away(desk, args, out)?;
    } else if listing.rows.is_empty() {
        writeln!(out, "{}", no_handoffs(desk))?;
        writeln!(
            out,
            "Looked for .thunderkit/HANDOFF.md, plans/*/HANDOFF.md, .claude/handoffs/, memtomem records"
        )?;
        writeln!(
            out,
            "and handoff-named files. `moorline save` saves the first one (`moorline save --help` says how);"
        )?;
        writeln!(out, "`moorline demo` shows what they look like.")?;
    } else {
        let title = match (args.archived, args.trashed) {
            (false, false) => "Available handoffs:",
            (true, false) => "Archived handoffs:",
            (false, true) => "Handoffs in the trash:",
            (true, true) => "Handoffs that were put away:",
        };
        writeln!(out, "{title}")?;
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
        let hint = match args.put_away() {
            true => "moorline put-back NAME [--to PATH] · moorline show NAME · moorline (the screen)",
            false => "moorline check NAME · moorline context NAME · moorline (the screen)",
        };
        writeln!(out, "\n{hint}")?;
    }
    Ok(())
}

/// That nothing is put away, where that was looked for, and what puts something there.
fn nothing_put_away(desk: &Desk, args: &List, out: &mut dyn Write) -> Result<(), Stop> {
    if args.archived {
        let project = text::path(desk.examiner.project());
        writeln!(
            out,
            "Nothing is archived: no archive/ below {project} or in the home directory's places has a handoff."
        )?;
        writeln!(out, "`moorline archive NAME` puts one there, `moorline cleanup` the old ones.")?;
    }
    if args.trashed {
        let trash = desk.examiner.around().home.as_ref().map(|home| home.join(TRASH));
        match trash {
            Some(trash) => writeln!(out, "The trash is empty: nothing lies in {}.", text::path(&trash))?,
            None => writeln!(out, "No home directory is known, so there is no trash: set HOME.")?,
        }
        writeln!(
            out,
            "`moorline trash NAME` puts a handoff there, `moorline put-back NAME` brings it back."
        )?;
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
    let shown = desk.label(row);
    let about = text::about(&row.handoff).map(Inert::shown_line).unwrap_or_default();
    let age = text::row_age(row, desk.clock);
    writeln!(out, "  {shown}  ({age})  {}  {verdict}", text::cut(&about, 60))?;
    if let Some(origin) = &row.origin {
        writeln!(out, "      from {}, {} bytes", text::path(origin), row.bytes)?;
    }
    Ok(())
}
