//! An earlier version of a handoff: what has changed since, and what was open then and is gone.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::action::{Earlier, Extent};
use super::super::app::{State, Versions};
use super::super::text;
use super::super::theme::Role;
use super::names::count;
use super::paint::Painter;

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, screen: Rect, state: &State, versions: &Versions) -> Extent {
    let width = super::box_width(screen);
    let quiet = |painter: &Painter<'_>, sentence: &str| {
        text::wrap(&Line::from(painter.span(text::tame(sentence), Role::Quiet)), width, 0)
    };
    let (title, lines) = match &versions.all {
        None => ("Earlier versions".to_owned(), quiet(painter, "Looking for earlier versions …")),
        Some(all) => match all.get(versions.at) {
            Some(earlier) => {
                let title = format!("Since version {} of {} before this one", versions.at + 1, all.len());
                (title, since(painter, earlier, width))
            }
            None => {
                let looked = "There is no earlier version: not in the history of its file, not among the bytes that \
                              saves replaced, not in its series.";
                ("Earlier versions".to_owned(), quiet(painter, looked))
            }
        },
    };
    let mut lines = lines;
    if let Some(why) = &versions.trouble {
        lines.push(Line::default());
        let why = Line::from(painter.span(text::tame(why), Role::Unsure));
        lines.extend(text::wrap(&why, width, 0));
    }
    let foot = super::keys(painter, state);
    super::boxed(painter, screen, &title, &lines, &foot, state.overlay_top)
}

fn since(painter: &Painter<'_>, earlier: &Earlier, width: usize) -> Vec<Line<'static>> {
    let place = Line::from(painter.span(text::line_of(&earlier.place), Role::Heading));
    let mut lines = text::wrap(&place, width, 2);
    if !earlier.vanished.is_empty() {
        let words =
            format!("{} open then, and now neither done nor open:", count(earlier.vanished.len(), "item"));
        lines.push(Line::from(painter.span(words, Role::Unsure)));
        for item in &earlier.vanished {
            let line = format!("  {} {}", painter.theme.glyphs.bullet, text::line_of(item));
            lines.extend(text::wrap(&Line::from(line), width, 4));
        }
    }
    lines.push(Line::default());
    match earlier.lines.is_empty() {
        true => lines.push(Line::from(painter.span("No line differs.", Role::Quiet))),
        false => lines.extend(super::difference::lines(painter, &earlier.lines, width)),
    }
    lines
}
