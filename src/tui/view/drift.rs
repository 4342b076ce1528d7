//! What happened since: claims that no longer hold, commits, changed files.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::action::Extent;
use super::super::app::{DriftRow, Pane, State};
use super::super::text;
use super::super::theme::Role;
use super::paint::Painter;
use crate::check::Claim;

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, area: Rect, state: &State) -> Extent {
    let rows = state.drift_rows();
    let extent = Extent { lines: rows.len(), height: usize::from(area.height) };
    if rows.is_empty() {
        let word = match (state.list.selected(), state.report()) {
            (None, _) => "",
            (_, None) => " Being checked …",
            (_, Some(_)) => " Nothing happened since, as far as it can be told.",
        };
        let line = Line::from(painter.span(word, Role::Quiet));
        painter.line(area, 0, &line);
        return extent;
    }
    let selected = state.drift.min(rows.len() - 1);
    let top = selected.saturating_sub(usize::from(area.height).saturating_sub(1));
    let has_keys = state.focus == Pane::Drift && state.overlay.is_none();
    for (y, n) in (0..area.height).zip(top..rows.len()) {
        let line = match rows[n] {
            DriftRow::Heading(word, count) => {
                Line::from(painter.span(format!(" {count} {word}"), Role::Heading))
            }
            DriftRow::Text(text) => {
                Line::from(painter.span(format!("   {}", text::line_of(text)), Role::Plain))
            }
            DriftRow::Claim(claim) => claim_line(painter, claim, usize::from(area.width)),
        };
        painter.line(area, y, &line);
        if n == selected {
            painter.select(area, y, has_keys);
        }
    }
    extent
}

/// One claim: ` ✗ line 41  src/auth/legacy.rs  gone (renamed to …)`.
pub fn claim_line(painter: &Painter<'_>, claim: &Claim, width: usize) -> Line<'static> {
    let (glyph, role) = match claim.holds {
        Some(true) => (painter.theme.glyphs.good, Role::Good),
        Some(false) => (painter.theme.glyphs.bad, Role::Bad),
        None => (painter.theme.glyphs.unknown, Role::Unsure),
    };
    let place = format!("line {:<4} ", claim.line);
    let room = width.saturating_sub(place.len() + 3);
    let said = text::clip_middle(&text::line_of(&claim.text), (room / 2).max(8));
    let gap = if room > 40 { (room / 2).saturating_sub(text::width(&said)) } else { 0 };
    Line::from(vec![
        painter.span(format!(" {glyph} "), role),
        painter.span(place, Role::Quiet),
        painter.span(format!("{said}{}  ", " ".repeat(gap)), Role::Plain),
        painter.span(text::line_of(&claim.state), role),
    ])
}
