//! Drawing. Each panel is a file of its own; everything reads the state and changes nothing.

mod block;
mod checks;
mod detail;
mod difference;
mod drift;
mod empty;
mod footer;
mod header;
mod help;
mod lanes;
mod list;
mod lookup;
pub mod markdown;
mod names;
mod paint;
mod reading;
mod remote;
mod resume;
mod save;
mod shelf;
mod tiny;
mod versions;

#[cfg(test)]
mod tests;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::action::Metrics;
use super::app::{Overlay, Pane, State};
use super::layout::{self, Kind, Place, Places, Wish};
use super::theme::{Role, Theme};
pub use detail::Cache;
pub use paint::Painter;

/// Draws everything and says how large the scrolled parts are.
pub fn draw(buf: &mut Buffer, state: &State, theme: &Theme, cache: &mut Cache) -> Metrics {
    let area = buf.area;
    let mut metrics = Metrics { size: (area.width, area.height), ..Metrics::default() };
    let lanes = state.list.selected().map_or(0, |row| row.listed.handoff.lanes.len());
    let places = layout::arrange(area, Wish { focus: state.focus, beside: state.beside, lanes });
    let mut painter = Painter { buf, theme };
    if places.kind == Kind::Tiny {
        metrics.tiny = true;
        tiny::draw(&mut painter, places.header, state);
    } else {
        frame(&mut painter, &places, state);
        for place in &places.panes {
            let extent = match place.pane {
                Pane::List => &mut metrics.list,
                Pane::Detail => &mut metrics.detail,
                Pane::Lanes => &mut metrics.lanes,
                Pane::Checks => &mut metrics.checks,
                Pane::Drift => &mut metrics.drift,
            };
            *extent = match place.pane {
                Pane::List => list::draw(&mut painter, place.area, state),
                Pane::Detail => detail::draw(&mut painter, place.area, state, cache),
                Pane::Lanes => lanes::draw(&mut painter, place.area, state),
                Pane::Checks => checks::draw(&mut painter, place.area, state),
                Pane::Drift => drift::draw(&mut painter, place.area, state),
            };
        }
        header::draw(&mut painter, places.header, state);
        footer::draw(&mut painter, places.footer, state);
        metrics.overlay = overlay(&mut painter, area, state);
    }
    paint::scrub(buf, !theme.glyphs.unicode);
    metrics
}

/// What lies over the panes.
fn overlay(painter: &mut Painter<'_>, screen: Rect, state: &State) -> super::action::Extent {
    match &state.overlay {
        None => super::action::Extent::default(),
        Some(Overlay::Help) => help::draw(painter, screen, state),
        Some(Overlay::Reading(reading)) => reading::draw(painter, screen, state, reading),
        Some(Overlay::Block { text, .. }) => block::draw(painter, screen, state, text.as_deref()),
        Some(Overlay::Versions(versions)) => versions::draw(painter, screen, state, versions),
        Some(Overlay::Resume(resume)) => resume::draw(painter, screen, state, resume),
        Some(Overlay::Save(form)) => save::draw(painter, screen, state, form),
        Some(Overlay::Shelf(tidy)) => shelf::draw(painter, screen, state, tidy),
        Some(Overlay::Lookup(form)) => lookup::draw(painter, screen, state, form),
        Some(Overlay::Remote(remote)) => remote::draw(painter, screen, state, remote),
    }
}

/// Lines in a box over everything, scrolled by `top`, the last `foot` lines standing still below.
fn boxed(
    painter: &mut Painter<'_>,
    screen: Rect,
    title: &str,
    lines: &[Line<'_>],
    foot: &Line<'_>,
    top: usize,
) -> super::action::Extent {
    let widest = lines.iter().chain([foot]).map(paint::line_width).max().unwrap_or(0).max(30);
    let height = lines.len().saturating_add(2);
    let wanted = (u16::try_from(widest).unwrap_or(u16::MAX), u16::try_from(height).unwrap_or(u16::MAX));
    let room = painter.overlay(screen, wanted, title);
    let seen = room.height.saturating_sub(2).max(room.height.min(1));
    let top = top.min(lines.len().saturating_sub(usize::from(seen)));
    for (y, line) in (0..seen).zip(&lines[top..]) {
        painter.line(room, y, line);
    }
    if room.height > 2 {
        let more = lines.len().saturating_sub(top + usize::from(seen));
        let note = if more > 0 { format!("{more} more below") } else { String::new() };
        let note = Line::from(painter.span(note, Role::Quiet));
        painter.spread(room, room.height - 1, &note, foot);
    }
    super::action::Extent { lines: lines.len(), height: usize::from(seen) }
}

/// How wide the text in a box may be.
fn box_width(screen: Rect) -> usize {
    usize::from(screen.width.saturating_sub(6)).clamp(1, 100)
}

/// The keys that work here, for the foot of a box.
fn keys(painter: &Painter<'_>, state: &State) -> Line<'static> {
    Line::from(footer::keys(painter, state))
}

/// Rules and titles.
fn frame(painter: &mut Painter<'_>, places: &Places, state: &State) {
    for place in &places.panes {
        let (title, note) = title(painter, places, place, state);
        painter.titled_rule(place.rule, title, note);
    }
    painter.rule(places.bottom_rule);
    let Some(divider) = places.divider else { return };
    let glyphs = painter.theme.glyphs;
    for y in divider.top()..divider.bottom() {
        let joint = match places.panes.iter().skip(1).find(|place| place.rule.y == y) {
            Some(_) if y == divider.y => glyphs.tee_down,
            Some(_) => glyphs.tee_right,
            None => glyphs.vertical,
        };
        painter.joint(divider.x, y, joint);
    }
    painter.joint(divider.x, places.bottom_rule.y, glyphs.tee_up);
}

/// A pane's title, with the tabs that can take its place; the one with the keys is marked.
fn title(
    painter: &Painter<'_>,
    places: &Places,
    place: &Place,
    state: &State,
) -> (Line<'static>, Line<'static>) {
    let tabs: Vec<Pane> = match (places.kind, place.pane) {
        (Kind::Wide, Pane::Checks | Pane::Drift) => vec![Pane::Checks, Pane::Drift],
        (Kind::Medium, pane) if pane != Pane::List => {
            state.panes().into_iter().filter(|&pane| pane != Pane::List).collect()
        }
        (Kind::Narrow, _) => state.panes(),
        (_, pane) => vec![pane],
    };
    let mut spans: Vec<Span<'static>> = Vec::new();
    for tab in tabs {
        if !spans.is_empty() {
            spans.push(painter.span(format!(" {} ", painter.theme.glyphs.dot), Role::Rule));
        }
        let role = match tab {
            tab if tab == state.focus && state.overlay.is_none() => Role::Selected,
            tab if tab == place.pane => Role::Heading,
            _ => Role::Quiet,
        };
        let word = pane_word(tab, state);
        spans.push(
            painter.span(if role == Role::Selected { format!(" {word} ") } else { word.to_owned() }, role),
        );
    }
    let note = match place.pane {
        Pane::Checks => checks::counts(painter, state),
        Pane::List => list::note(painter, state),
        _ => Line::default(),
    };
    (Line::from(spans), note)
}

/// The word of a pane.
fn pane_word(pane: Pane, state: &State) -> &'static str {
    match pane {
        Pane::List if state.list.put_away => "put away",
        Pane::List => "handoffs",
        Pane::Detail => "detail",
        Pane::Lanes => "lanes",
        Pane::Checks => "checks",
        Pane::Drift => "drift",
    }
}
