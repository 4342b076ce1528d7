//! The checks: one row each, with its outcome in a glyph and a word, what was expected, what is true, and where
//! that was read.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::action::Extent;
use super::super::app::{Pane, State};
use super::super::text;
use super::super::theme::Role;
use super::paint::Painter;
use crate::check::{Check, Outcome};
use crate::handoff::Inert;

/// Draws them.
pub fn draw(painter: &mut Painter<'_>, area: Rect, state: &State) -> Extent {
    let checks = state.checks();
    let extent = Extent { lines: checks.len(), height: usize::from(area.height) };
    if checks.is_empty() {
        let word = match (state.list.selected(), state.report()) {
            (None, _) => "",
            (_, None) => " Being checked …",
            (_, Some(_)) => " Nothing in this handoff can be checked.",
        };
        let line = Line::from(painter.span(word, Role::Quiet));
        painter.line(area, 0, &line);
        return extent;
    }
    let selected = state.check.min(checks.len() - 1);
    let room = usize::from(area.height);
    let top = selected.saturating_sub(room.saturating_sub(1));
    let has_keys = state.focus == Pane::Checks && state.overlay.is_none();
    for (y, n) in (0..area.height).zip(top..checks.len()) {
        let line = line(painter, checks[n], usize::from(area.width));
        painter.line(area, y, &line);
        if n == selected {
            painter.select(area, y, has_keys);
        }
    }
    extent
}

/// One check on one line: ` ✓ lane-head  640330c…  = where it was read`.
pub fn line(painter: &Painter<'_>, check: &Check, width: usize) -> Line<'static> {
    let (glyph, word, role) = painter.theme.outcome(check.outcome);
    let show = |text: &Option<Inert>| text.as_ref().map(text::line_of).filter(|text| !text.is_empty());
    let name_room = 18.min(width / 2);
    let mut spans = vec![
        painter.span(format!(" {glyph} "), role),
        painter.span(text::fit(check.id.as_str(), name_room), Role::Plain),
    ];
    let (expected, observed) = (show(&check.expected), show(&check.observed));
    let source = show(&check.source);
    let said = match check.outcome {
        Outcome::Passed => observed.or(expected).map(|text| (text, source)),
        Outcome::Failed => match (expected, observed) {
            (Some(expected), Some(observed)) => {
                Some((format!("{expected} → {observed}"), show(&check.reason).or(source)))
            }
            (one, other) => Some((one.or(other).unwrap_or_default(), show(&check.reason).or(source))),
        },
        Outcome::Unknown | Outcome::NotApplicable => Some((show(&check.reason).unwrap_or_default(), source)),
    };
    spans.push(painter.span(format!("{word}  "), role));
    if let Some((said, more)) = said {
        let room = width.saturating_sub(name_room + 3 + word.len() + 2);
        let said_room = if more.is_some() { room * 3 / 5 } else { room };
        spans.push(painter.span(text::clip(&said, said_room), Role::Plain));
        if let Some(more) = more {
            spans.push(painter.span(format!("  {more}"), Role::Quiet));
        }
    }
    Line::from(spans)
}

/// How many came out how: `18 passed · 0 failed · 0 ?`.
pub fn counts(painter: &Painter<'_>, state: &State) -> Line<'static> {
    let checks = state.checks();
    if checks.is_empty() {
        return Line::default();
    }
    let number = |outcome| checks.iter().filter(|check| check.outcome == outcome).count();
    let dot = format!(" {} ", painter.theme.glyphs.dot);
    let (failed, unknown) = (number(Outcome::Failed), number(Outcome::Unknown));
    Line::from(vec![
        painter.span(format!("{} passed", number(Outcome::Passed)), Role::Quiet),
        painter.span(dot.clone(), Role::Quiet),
        painter.span(format!("{failed} failed"), if failed > 0 { Role::Bad } else { Role::Quiet }),
        painter.span(dot, Role::Quiet),
        painter.span(format!("{unknown} unknown"), if unknown > 0 { Role::Unsure } else { Role::Quiet }),
    ])
}
