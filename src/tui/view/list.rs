//! The list: groups, and one row per handoff. A row that gets narrow loses its middle, never its verdict or age. The
//! verdict's word stands there where the list has the screen for itself or is wide; beside the detail, which says it of
//! the selected row, the glyph is enough, and the room is for what the row is about.

use std::collections::HashSet;

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::action::Extent;
use super::super::app::{ListLine, Pane, Row, State};
use super::super::text;
use super::super::theme::{Role, verdict_word};
use super::paint::Painter;
use super::{empty, names, names::Name};
use crate::handoff::age;

/// Columns of the longest verdict, `not resumable`.
const WORD: usize = 13;
/// Columns of a list in which a verdict's word leaves enough room, whatever stands beside it.
const WIDE: usize = 72;
/// Columns of the longest age, `+100d`.
const AGE: usize = 5;

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, area: Rect, state: &State) -> Extent {
    let lines = state.list.lines();
    let extent = Extent { lines: lines.len(), height: usize::from(area.height) };
    if lines.is_empty() {
        empty::draw(painter, area, state);
        return extent;
    }
    let has_keys = state.focus == Pane::List && state.overlay.is_none();
    let selected = state.list.selected().map(|row| &row.key);
    let top = state.list.offset.min(lines.len().saturating_sub(1));
    let shared = shared_names(&lines[top..], usize::from(area.height), state);
    for (y, line) in (0..area.height).zip(&lines[top..]) {
        match line {
            ListLine::Gap => {}
            ListLine::Heading(name) => {
                let heading = Line::from(painter.span(format!(" {name}"), Role::Quiet));
                painter.line(area, y, &heading);
            }
            ListLine::Row(n) => {
                let Some(row) = state.list.rows().get(*n) else { continue };
                let name = names::row(&row.listed, &state.project);
                let is_shared = shared.contains(&name.whole());
                let name = if is_shared { names::path(&row.listed, &state.project) } else { name };
                draw_row(painter, (area, y), row, &name, state);
                if selected == Some(&row.key) {
                    painter.select(area, y, has_keys);
                }
            }
        }
    }
    extent
}

/// Short names that several of the seen rows have: those are called by their paths.
fn shared_names(lines: &[ListLine], height: usize, state: &State) -> HashSet<String> {
    let mut once = HashSet::new();
    let rows = lines.iter().take(height).filter_map(|line| match line {
        ListLine::Row(n) => state.list.rows().get(*n),
        _ => None,
    });
    rows.map(|row| names::row(&row.listed, &state.project).whole())
        .filter(|name| !once.insert(name.clone()))
        .collect()
}

fn draw_row(painter: &mut Painter<'_>, (area, y): (Rect, u16), row: &Row, name: &Name, state: &State) {
    let (glyph, role) = painter.theme.verdict(row.verdict());
    let width = usize::from(area.width);
    let age = age::short(state.clock, &row.listed.saved_at.moment);
    let is_alone = area.width == painter.buf.area.width;
    let mut right = Vec::new();
    if is_alone || width >= WIDE {
        let word = text::fit(verdict_word(row.verdict()), WORD.min(width.saturating_sub(AGE + 5)));
        right.push(painter.span(word, role));
    }
    right.push(painter.span(format!("{age:>AGE$} "), Role::Quiet));
    let right = Line::from(right);
    let boxes = if state.marks.is_empty() { 0 } else { 2 };
    let room = width.saturating_sub(super::paint::line_width(&right) + 4 + boxes);
    let name_room = if room < 28 { room } else { (room * 11 / 20).min(24) };
    let mut spans = vec![painter.span(" ", Role::Plain)];
    if !state.marks.is_empty() {
        let [done, open] = painter.theme.glyphs.boxes;
        let is_marked = state.marks.has(&row.key);
        let (mark, role) = if is_marked { (done, Role::Accent) } else { (open, Role::Quiet) };
        spans.push(painter.span(format!("{mark} "), role));
    }
    spans.push(painter.span(format!("{glyph} "), role));
    let name = name.fit(name_room);
    let used = text::width(&name);
    spans.push(painter.span(name, Role::Plain));
    let about = names::origin(&row.listed, state.home.as_deref()).or_else(|| about(row));
    if let Some(about) = about.filter(|_| room >= 28) {
        let gap = " ".repeat(name_room.saturating_sub(used) + 2);
        let about = text::clip(&about, room.saturating_sub(name_room + 2));
        spans.push(painter.span(format!("{gap}{about}"), Role::Quiet));
    }
    painter.spread(area, y, &Line::from(spans), &right);
}

/// What a row is about, behind how many of its lanes may be resumed, where some may and others may not.
fn about(row: &Row) -> Option<String> {
    let about = names::about(&row.listed);
    match row.validated() {
        (0, _) => about,
        (good, all) if good == all => about,
        (good, all) => {
            Some(format!("{good} of {all} ready  {}", about.unwrap_or_default()).trim_end().to_owned())
        }
    }
}

/// What stands at the end of the list's rule: marks and the filter, while there are any.
pub fn note(painter: &Painter<'_>, state: &State) -> Line<'static> {
    let mut notes = Vec::new();
    if !state.marks.is_empty() {
        notes.push(format!("{} marked", state.marks.len()));
    }
    if !state.list.query().is_empty() {
        let (all, _) = state.list.counts();
        notes.push(format!("{} of {all}", state.list.visible().len()));
    }
    if notes.is_empty() {
        return Line::default();
    }
    Line::from(painter.span(notes.join(", "), Role::Unsure))
}
