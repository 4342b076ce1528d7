//! The shelf's overlay: what moves where and what stays, how far it has come, and what was done.

use std::path::Path;

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::action::Extent;
use super::super::app::State;
use super::super::app::shelf::{Step, Tidy};
use super::super::text;
use super::super::theme::Role;
use super::names::{count, size};
use super::paint::Painter;
use crate::handoff::count_of;
use crate::shelf::{Done, Fate, Plan, Verb, handoffs};

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, screen: Rect, state: &State, tidy: &Tidy) -> Extent {
    let width = super::box_width(screen);
    let quiet = |painter: &Painter<'_>, words: &str| vec![Line::from(painter.span(words, Role::Quiet))];
    let (title, lines) = match &tidy.step {
        Step::Planning => ("What would move".to_owned(), quiet(painter, "Looking what would move where …")),
        Step::Refused(why) => ("Nothing is moved".to_owned(), wrapped(painter, why, Role::Bad, width, 0)),
        Step::Asking(plan) => (heading(plan), asking(painter, plan, state, width)),
        Step::Placing(_, input) => return placing(painter, screen, state, input),
        Step::Moving(plan, done, next) => (heading(plan), moving(painter, plan, (*done, next), state, width)),
        Step::Done(plan, done) => (heading(plan), ended(painter, plan, done, state, width)),
    };
    let foot = super::keys(painter, state);
    super::boxed(painter, screen, &title, &lines, &foot, state.overlay_top)
}

/// A path below the project, or below the home directory, or whole.
fn shown(path: &Path, state: &State) -> String {
    match path.strip_prefix(&state.project) {
        Ok(inside) => text::path(inside, None),
        Err(_) => text::path(path, state.home.as_deref()),
    }
}

fn heading(plan: &Plan) -> String {
    let what = handoffs(plan.handoffs());
    match plan.verb {
        Verb::Archive if plan.is_empty() => "Nothing to archive".to_owned(),
        Verb::Trash if plan.is_empty() => "Nothing to trash".to_owned(),
        Verb::PutBack if plan.is_empty() => "Nothing to put back".to_owned(),
        Verb::Cleanup if plan.is_empty() => "Nothing to clean up".to_owned(),
        Verb::Archive => format!("Archive {what}"),
        Verb::Trash => format!("Trash {what}"),
        Verb::PutBack => format!("Put back {what}"),
        Verb::Cleanup => format!("Clean up: archive {what}"),
        Verb::Undo | Verb::Save => format!("Undo: {what}"),
    }
}

/// What would move where, what collides, what stays and why.
fn asking(painter: &Painter<'_>, plan: &Plan, state: &State, width: usize) -> Vec<Line<'static>> {
    let show = |path: &Path| shown(path, state);
    let mut lines = Vec::new();
    for sentence in &plan.rule {
        lines.extend(wrapped(painter, sentence, Role::Quiet, width, 0));
    }
    if plan.is_empty() {
        lines.extend(wrapped(painter, "There is nothing to move.", Role::Unsure, width, 0));
    }
    if let Some(told) = &plan.takes_back {
        lines.extend(wrapped(painter, &format!("Takes back {}.", told.words()), Role::Heading, width, 0));
    }
    for way in &plan.moves {
        let from = format!("{}  {}", show(&way.from.path), size(way.bytes));
        lines.extend(wrapped(painter, &from, Role::Plain, width, 0));
        lines.extend(wrapped(painter, &format!("  → {}", show(&way.to.path)), Role::Quiet, width, 4));
        if let Some(taken) = &way.instead_of {
            let words = format!("    another name: {} is taken", show(taken));
            lines.extend(wrapped(painter, &words, Role::Unsure, width, 4));
        }
    }
    if let Some(copies) = plan.copies() {
        lines.extend(wrapped(painter, &copies, Role::Quiet, width, 4));
    }
    if !plan.spared.is_empty() {
        lines.push(Line::default());
        lines.push(Line::from(painter.span(format!("Stays  {}", plan.spared.len()), Role::Heading)));
        for spared in &plan.spared {
            let words = format!("{}  {}", show(&spared.path), spared.reason);
            lines.extend(wrapped(painter, &words, Role::Quiet, width, 2));
        }
    }
    for sentence in plan.beside() {
        lines.push(Line::default());
        lines.extend(wrapped(painter, &sentence, Role::Unsure, width, 0));
    }
    if let (Some(quota), false) = (plan.quota, plan.evict.is_empty()) {
        lines.push(Line::default());
        let words = format!(
            "The trash will hold {}; its quota is {}. With `evict` the oldest are deleted for good:",
            count_of(quota.after, "entry", "entries"),
            quota.limit
        );
        lines.extend(wrapped(painter, &words, Role::Unsure, width, 0));
        for path in &plan.evict {
            lines.extend(wrapped(painter, &format!("  {}", show(path)), Role::Bad, width, 4));
        }
    }
    lines
}

fn moving(
    painter: &Painter<'_>,
    plan: &Plan,
    (done, next): (usize, &Path),
    state: &State,
    width: usize,
) -> Vec<Line<'static>> {
    let words = format!("{done} of {} …", count(plan.moves.len(), "file"));
    let mut lines = vec![Line::from(painter.span(words, Role::Running))];
    lines.extend(wrapped(painter, &shown(next, state), Role::Quiet, width, 2));
    lines
}

/// What was done: what failed first, then where everything lies now.
fn ended(painter: &Painter<'_>, plan: &Plan, done: &Done, state: &State, width: usize) -> Vec<Line<'static>> {
    let show = |path: &Path| shown(path, state);
    let glyphs = painter.theme.glyphs;
    let (moved, all) = (done.handoffs(plan), plan.handoffs());
    let (glyph, role) = if moved == all { (glyphs.good, Role::Good) } else { (glyphs.unknown, Role::Unsure) };
    let files = match plan.files() {
        files if files > all => format!(", in {}", count(files, "file")),
        _ => String::new(),
    };
    let mut lines = vec![Line::from(painter.span(format!("{glyph} {moved} of {all} moved{files}"), role))];
    for outcome in &done.outcomes {
        match &outcome.fate {
            Fate::Moved(_) => {}
            Fate::Stayed(why) => {
                let words = format!("{} {} stays: {why}", glyphs.bad, show(&outcome.from));
                lines.extend(wrapped(painter, &words, Role::Bad, width, 2));
            }
            Fate::NotBegun => {
                let words = format!("{} {} was not begun", glyphs.none, show(&outcome.from));
                lines.extend(wrapped(painter, &words, Role::Quiet, width, 2));
            }
        }
    }
    for (outcome, way) in done.outcomes.iter().zip(&plan.moves) {
        if let Fate::Moved(to) = &outcome.fate {
            lines.extend(wrapped(painter, &format!("  → {}", show(to)), Role::Quiet, width, 4));
            if let Some(taken) = way.lost_name(outcome) {
                let words = format!("    another name: {} is taken", show(taken));
                lines.extend(wrapped(painter, &words, Role::Unsure, width, 4));
            }
        }
    }
    for path in &done.evicted {
        lines.extend(wrapped(painter, &format!("deleted for good: {}", show(path)), Role::Unsure, width, 2));
    }
    let over = plan
        .quota
        .map_or(0, |quota| (quota.held + done.moved()).saturating_sub(quota.limit + done.evicted.len()));
    if over > 0 {
        let words = format!("The trash holds {over} more than its quota; nothing was evicted without a yes.");
        lines.extend(wrapped(painter, &words, Role::Unsure, width, 0));
    }
    for remark in &done.remarks {
        lines.extend(wrapped(painter, remark, Role::Unsure, width, 0));
    }
    lines
}

/// The input for another place.
fn placing(painter: &mut Painter<'_>, screen: Rect, state: &State, input: &tui_input::Input) -> Extent {
    let width = u16::try_from(super::box_width(screen)).unwrap_or(u16::MAX);
    let foot = super::keys(painter, state);
    let room = painter.overlay(screen, (width, 4), "Put it back to another place");
    let words = "A directory, or a new file's path; nothing there is replaced.";
    let line = Line::from(painter.span(words, Role::Quiet));
    painter.line(room, 0, &line);
    painter.input(room, 1, input);
    painter.spread(room, room.height.saturating_sub(1), &Line::from(Span::raw("")), &foot);
    Extent::default()
}

fn wrapped(
    painter: &Painter<'_>,
    words: &str,
    role: Role,
    width: usize,
    indent: usize,
) -> Vec<Line<'static>> {
    text::wrap(
        &Line::from(painter.span(text::tame(&crate::handoff::inert::shown(words)), role)),
        width,
        indent,
    )
}
