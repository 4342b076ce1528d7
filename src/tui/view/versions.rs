//! An earlier version of a handoff: what has changed since, and what was open then and is gone.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::action::{Against, Earlier, Extent};
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
    let (title, lines) = match versions.found.get(versions.at) {
        Some(version) => {
            let place = Line::from(painter.span(text::line_of(&version.place), Role::Heading));
            let mut lines = text::wrap(&place, width, 2);
            lines.extend(match &versions.read {
                Some(Some(earlier)) => since(painter, earlier, versions, width),
                Some(None) => quiet(painter, "One of the two cannot be read any more."),
                None => quiet(painter, "Reading …"),
            });
            (title(versions), lines)
        }
        None if versions.whole => {
            let looked = "There is no earlier version: not in the history of its file, not among the bytes that \
                          saves replaced, not in its series.";
            ("Earlier versions".to_owned(), quiet(painter, looked))
        }
        None => ("Earlier versions".to_owned(), quiet(painter, "Looking for earlier versions …")),
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

/// `Version 3 of 800 against 2`, `Version 1 of 800 against now`; there may be more than were found so far.
fn title(versions: &Versions) -> String {
    let (at, count) = (versions.at + 1, versions.found.len());
    let more = if versions.whole { "" } else { " or more" };
    match later(versions) {
        Some(later) => format!("Version {at} of {count}{more} against {later}"),
        None => format!("Version {at} of {count}{more} against now"),
    }
}

/// The number of the version that is compared with; `None` for the present one.
fn later(versions: &Versions) -> Option<usize> {
    (versions.against == Against::Next && versions.at > 0).then_some(versions.at)
}

fn since(painter: &Painter<'_>, earlier: &Earlier, versions: &Versions, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if !earlier.vanished.is_empty() {
        let items = count(earlier.vanished.len(), "item");
        let words = match later(versions) {
            Some(later) => format!("{items} open in it, and in version {later} neither done nor open:"),
            None => format!("{items} open then, and now neither done nor open:"),
        };
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
