//! Exactly what a yes would write, as a difference to what lies there.

use ratatui::text::Line;

use super::super::super::action::save::{Change, Preview};
use super::super::super::app::State;
use super::super::super::text;
use super::super::super::theme::Role;
use super::super::names::count;
use super::super::paint::Painter;
use crate::handoff::inert;

/// The whole text of the preview.
pub(super) fn lines(
    painter: &Painter<'_>,
    preview: &Preview,
    state: &State,
    width: usize,
) -> Vec<Line<'static>> {
    let scope = super::form::scope_word(preview.scope);
    let why = format!("{scope}: {}. Nothing is written yet.", preview.why);
    let mut lines = text::wrap(&Line::from(painter.span(text::tame(&why), Role::Quiet)), width, 0);
    for remark in &preview.remarks {
        let remark = Line::from(painter.span(text::tame(remark), Role::Unsure));
        lines.extend(text::wrap(&remark, width, 2));
    }
    if let Some(hidden) = &preview.ignored {
        lines.extend(super::outcome::hidden(painter, hidden, width));
    }
    if let Some(command) = &preview.runs {
        let words = match &preview.by_hand {
            None => "This format is written by its own program. A yes runs exactly this:",
            Some(_) => "In your own shell this saves it:",
        };
        if let Some(why) = &preview.by_hand {
            let why = Line::from(painter.span(text::tame(&inert::shown(why)), Role::Unsure));
            lines.extend(text::wrap(&why, width, 0));
        }
        lines.extend(text::wrap(&Line::from(words), width, 0));
        for line in inert::shown(command).lines() {
            lines.extend(text::wrap(&Line::from(painter.span(text::tame(line), Role::Code)), width, 2));
        }
    }
    for change in &preview.changes {
        lines.push(Line::default());
        lines.extend(file(painter, change, state, width));
    }
    lines
}

fn file(painter: &Painter<'_>, change: &Change, state: &State, width: usize) -> Vec<Line<'static>> {
    let path = text::path(&change.path, state.home.as_deref());
    let about = match change.replaces {
        None => format!("new file, {}", count(change.bytes, "byte")),
        Some(old) if change.lines.is_empty() => format!("the same {} as are there", count(old, "byte")),
        Some(old) => format!("{} replace {old}, which are kept", count(change.bytes, "byte")),
    };
    let title =
        Line::from(vec![painter.span(path, Role::Heading), painter.span(format!("  {about}"), Role::Quiet)]);
    let mut lines = text::wrap(&title, width, 2);
    lines.extend(super::super::difference::lines(painter, &change.lines, width));
    lines
}
