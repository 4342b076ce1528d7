//! A window too small for panes: one line that says so first, then the selected row and its verdict.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::app::State;
use super::super::theme::{Role, verdict_word};
use super::names;
use super::paint::Painter;

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, area: Rect, state: &State) {
    let line = match state.list.selected() {
        Some(row) => {
            let (glyph, role) = painter.theme.verdict(row.verdict());
            Line::from(vec![
                painter.span("too small: ", Role::Quiet),
                painter.span(format!("{glyph} {} ", verdict_word(row.verdict())), role),
                painter.span(names::row(&row.listed, &state.project).whole(), Role::Plain),
            ])
        }
        None => Line::from(painter.span("too small for moorline", Role::Quiet)),
    };
    painter.line(area, 0, &line);
}
