//! The bottom line: the filter's input, a sentence, or the keys that work here, from the table of keys.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::app::State;
use super::super::keymap::{Command, Context, Entry};
use super::super::text;
use super::super::theme::Role;
use super::paint::Painter;

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, area: Rect, state: &State) {
    let keys = Line::from(keys(painter, state));
    if state.context() == Context::Find {
        let right = super::paint::line_width(&keys).min(usize::from(area.width / 2));
        let right = u16::try_from(right).unwrap_or(area.width / 2);
        let slash = Line::from(painter.span(" /", Role::Accent));
        painter.spread(area, 0, &slash, &keys);
        let room = Rect { x: area.x + 2, width: area.width.saturating_sub(right + 4), ..area };
        painter.clear(room);
        painter.input(room, 0, &state.list.input);
        return;
    }
    let unknown = state.facts.as_ref().and_then(|facts| facts.unknown.first());
    match (&state.notice, unknown) {
        (Some((sentence, good)), _) => {
            let role = if *good { Role::Good } else { Role::Bad };
            let line =
                Line::from(painter.span(format!(" {}", text::tame(&sentence.replace('\n', " "))), role));
            painter.spread(area, 0, &line, &Line::default());
        }
        (None, _) if state.overlay.is_some() => {}
        (None, Some(unknown)) => {
            let unknown = Line::from(painter.span(format!(" {}", text::line_of(unknown)), Role::Quiet));
            let mut line = vec![Span::raw(" ")];
            line.extend(keys.spans);
            let keys_width = super::paint::line_width(&Line::from(line.clone()));
            let room = usize::from(area.width).saturating_sub(keys_width + 2);
            let right = if room > 20 { super::paint::clip_line(&unknown, room) } else { Line::default() };
            painter.spread(area, 0, &Line::from(line), &right);
        }
        (None, None) => {
            let mut line = vec![Span::raw(" ")];
            line.extend(keys.spans);
            painter.line(area, 0, &Line::from(line));
        }
    }
}

/// The keys that do something here and now.
pub fn keys(painter: &Painter<'_>, state: &State) -> Vec<Span<'static>> {
    spans(painter, here(state).map(|entry| (entry, entry.short.to_owned())))
}

/// The keys before a yes while so many lines are unread: the key of the yes only reads on, and is called so.
pub fn keys_while_unread(painter: &Painter<'_>, state: &State, unread: usize) -> Vec<Span<'static>> {
    let entries = here(state).filter_map(|entry| match entry.command {
        Command::Resume => Some((entry, format!("read on ({unread} more)"))),
        Command::Back => Some((entry, entry.short.to_owned())),
        _ => None,
    });
    spans(painter, entries)
}

/// The lines of the table that the footer shows here and now.
fn here(state: &State) -> impl Iterator<Item = &Entry> {
    let shown = |entry: &&Entry| !entry.short.is_empty() && state.can(entry.command);
    state.keymap.at(state.context()).filter(shown)
}

fn spans<'a>(
    painter: &Painter<'_>,
    entries: impl Iterator<Item = (&'a Entry, String)>,
) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    for (entry, word) in entries {
        let Some(key) = entry.keys.first() else { continue };
        let key = label(&key.to_string(), painter.theme.glyphs.unicode);
        if !spans.is_empty() {
            spans.push(Span::raw("  "));
        }
        spans.push(painter.span(key, Role::Accent));
        spans.push(painter.span(format!(" {word}"), Role::Quiet));
    }
    spans
}

/// A key as the footer writes it.
pub fn label(key: &str, unicode: bool) -> String {
    if unicode && key == "enter" { "⏎".to_owned() } else { key.to_owned() }
}
