//! Boxes to read: the source line of a check or claim, why a lane is not resumed, what is not listed.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::action::{Extent, Key};
use super::super::app::{Body, Reading, State};
use super::super::text;
use super::super::theme::Role;
use super::names::count;
use super::paint::Painter;
use crate::handoff::inert;

/// Lines shown before and after the one that is asked for.
const AROUND: u32 = 4;

/// Draws one.
pub fn draw(painter: &mut Painter<'_>, screen: Rect, state: &State, reading: &Reading) -> Extent {
    let width = super::box_width(screen);
    let (title, lines) = match reading {
        Reading::Source { key, line, about } => {
            ("Where it was read".to_owned(), source(painter, state, key, *line, about, width))
        }
        Reading::WhyNot { lane, reasons } => (lane.clone(), why_not(painter, reasons, width)),
        Reading::Unlisted => {
            let skipped = count(state.list.skipped.len(), "file");
            (format!("{skipped} found and not listed"), unlisted(painter, state, width))
        }
    };
    let foot = super::keys(painter, state);
    super::boxed(painter, screen, &title, &lines, &foot, state.overlay_top)
}

fn source(
    painter: &Painter<'_>,
    state: &State,
    key: &Key,
    line: u32,
    about: &[(&'static str, String)],
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for (name, value) in about {
        let line = Line::from(vec![
            painter.span(text::fit(name, 11), Role::Quiet),
            painter.span(value.clone(), Role::Plain),
        ]);
        lines.extend(text::wrap(&line, width, 11));
    }
    lines.push(Line::default());
    let quiet = |sentence: &str| Line::from(painter.span(sentence, Role::Quiet));
    if line == 0 {
        lines.push(quiet("This was not read from a line of the handoff."));
        return lines;
    }
    lines.push(quiet(&text::path(&key.path, state.home.as_deref())));
    match (state.text_of(key), &state.body) {
        (Some(of), _) => {
            let first = line.saturating_sub(AROUND).max(of.first_line);
            let from = usize::try_from(first - of.first_line).unwrap_or(usize::MAX);
            let numbered = of.body.lines().skip(from).zip(first..=line.saturating_add(AROUND));
            lines.extend(
                numbered.map(|(content, number)| numbered_line(painter, content, number, number == line)),
            );
        }
        (None, Some((_, Body::Failed(why)))) => {
            lines.push(Line::from(painter.span(text::tame(why), Role::Bad)))
        }
        (None, _) => lines.push(quiet("Reading …")),
    }
    lines
}

fn numbered_line(painter: &Painter<'_>, content: &str, number: u32, asked: bool) -> Line<'static> {
    let bar = if asked { painter.theme.glyphs.bar } else { " " };
    let role = if asked { Role::Selected } else { Role::Plain };
    Line::from(vec![
        painter.span(format!("{bar}{number:>5} "), Role::Quiet),
        Span::styled(text::tame(&inert::shown(content)), painter.theme.style(role)),
    ])
}

fn why_not(painter: &Painter<'_>, reasons: &[String], width: usize) -> Vec<Line<'static>> {
    let bullet = painter.theme.glyphs.bullet;
    let mut lines = Vec::new();
    if reasons.is_empty() {
        lines.push(Line::from(painter.span("No reason was given.", Role::Quiet)));
    }
    for reason in reasons {
        let line = Line::from(format!("{bullet} {reason}"));
        lines.extend(text::wrap(&line, width, 2));
    }
    lines
}

fn unlisted(painter: &Painter<'_>, state: &State, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for skipped in &state.list.skipped {
        let path = text::path(&skipped.path, state.home.as_deref());
        lines.push(Line::from(text::clip_middle(&path, width)));
        let reason = Line::from(painter.span(format!("  {}", text::line_of(&skipped.reason)), Role::Quiet));
        lines.extend(text::wrap(&reason, width, 2));
    }
    lines
}
