//! `moorline undo`: the last action of the shelf taken back, or a named one; or which ones there are.

use std::io::Write;

use serde::Serialize;

use super::args::Undo;
use super::desk::Desk;
use super::shelf::{Counter, ToldShape, stop};
use super::{Answer, Stop, print_json, text};
use crate::check::Summary;
use crate::disk;
use crate::handoff::count_of;
use crate::shelf::{Plan, Shelf, ShelfError, Told, Verb};

/// The most actions that are listed in text.
const MOST: usize = 50;

/// `moorline.undo/1` of a list
#[derive(Serialize)]
struct ListDocument<'a> {
    schema: &'static str,
    /// Those of which something can be taken back as far as the log knows, newest first, of every project.
    actions: Vec<ToldShape<'a>>,
    remarks: Vec<String>,
    summary: Summary,
}

/// Takes an action back.
pub fn run(desk: &Desk, args: &Undo, out: &mut dyn Write) -> Result<Answer, Stop> {
    if args.list {
        return list(desk, args.yes.json, out);
    }
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

/// Names the actions that can be taken back; answers no where there is none.
fn list(desk: &Desk, is_json: bool, out: &mut dyn Write) -> Result<Answer, Stop> {
    let shelf = Shelf::of(&desk.examiner).ok_or_else(|| Stop::bad("no home directory is known: set HOME"))?;
    let (actions, unread) = shelf.actions().map_err(stop)?;
    let none = "there is no action that can be taken back";
    if is_json {
        let done = format!("listed {}", count_of(actions.len(), "action", "actions"));
        let summary = match actions.is_empty() {
            true => Summary::plain(done, "nothing").outcome(none),
            false => Summary::plain(done, "take one back: moorline undo ID"),
        };
        let document = ListDocument {
            schema: "moorline.undo/1",
            actions: actions.iter().map(|told| ToldShape::of(told, None)).collect(),
            remarks: unread.into_iter().collect(),
            summary,
        };
        print_json(&document, out)?;
    } else {
        for told in actions.iter().take(MOST) {
            writeln!(out, "{}  {}{}", told.id, text::line(&told.words()), elsewhere(&shelf, told))?;
        }
        match actions.len() {
            0 => writeln!(out, "{none}")?,
            all if all > MOST => writeln!(out, "… and {} older ones (--json names them)", all - MOST)?,
            _ => {}
        }
        unread.iter().try_for_each(|unread| writeln!(out, "{}", text::line(unread)))?;
        if !actions.is_empty() {
            writeln!(
                out,
                "\nmoorline undo takes the last one of this project back, moorline undo ID any of them"
            )?;
        }
    }
    Ok(if actions.is_empty() { Answer::No } else { Answer::Yes })
}

/// In which other project it was done.
fn elsewhere(shelf: &Shelf, told: &Told) -> String {
    match told.project.as_deref().filter(|project| !disk::is_same(project, &shelf.project)) {
        Some(project) => format!(", in {}", text::path(project)),
        None => String::new(),
    }
}
