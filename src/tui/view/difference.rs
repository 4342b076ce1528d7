//! A difference as lines: what goes, what comes, and what stays around it.

use ratatui::text::{Line, Span};

use super::super::text;
use super::super::theme::Role;
use super::names::count;
use super::paint::Painter;
use crate::handoff::difference::DiffLine;
use crate::handoff::inert;

/// Its lines with their signs, so that nothing is said by colour alone.
pub(super) fn lines(painter: &Painter<'_>, lines: &[DiffLine], width: usize) -> Vec<Line<'static>> {
    lines.iter().flat_map(|line| text::wrap(&one(painter, line), width, 2)).collect()
}

fn one(painter: &Painter<'_>, line: &DiffLine) -> Line<'static> {
    let safe = |text: &str| text::tame(&inert::one_line(&inert::shown(text)));
    match line {
        DiffLine::Same(text) => Line::from(painter.span(format!("  {}", safe(text)), Role::Quiet)),
        DiffLine::Gone(text) => Line::from(painter.span(format!("- {}", safe(text)), Role::Bad)),
        DiffLine::New(text) => Line::from(vec![painter.span("+ ", Role::Good), Span::raw(safe(text))]),
        DiffLine::LeftOut(lines) => {
            let words = format!("  {} {} as before", painter.theme.glyphs.checking, count(*lines, "line"));
            Line::from(painter.span(words, Role::Rule))
        }
    }
}
