//! The top line: which project, on what branch, how far from its upstream, how dirty, and how many handoffs.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::app::State;
use super::super::text;
use super::super::theme::Role;
use super::names::count;
use super::paint::{Painter, line_width};
use crate::handoff::Inert;

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, area: Rect, state: &State) {
    let left = left(painter, state);
    // Where both do not fit, the counts go first, the least important one first.
    let room = usize::from(area.width).saturating_sub(line_width(&left) + 2);
    let mut parts = parts(state);
    let mut right = right(painter, &parts);
    while line_width(&right) > room && parts.len() > 1 {
        parts.pop();
        right = self::right(painter, &parts);
    }
    painter.spread(area, 0, &left, &right);
}

fn left(painter: &Painter<'_>, state: &State) -> Line<'static> {
    let mut spans = vec![painter.span(" moorline", Role::Accent)];
    let mut add = |text: String, role| spans.push(painter.span(format!("  {text}"), role));
    let directory =
        || state.project.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let repository = state.facts.as_ref().and_then(|facts| facts.repository.as_deref());
    let name = repository.map(short_repository).unwrap_or_else(directory);
    add(text::line_of(&Inert::new(name)), Role::Heading);
    let Some(facts) = &state.facts else {
        add("reading …".into(), Role::Quiet);
        return Line::from(spans);
    };
    let arrows = painter.theme.glyphs.arrows;
    match (&facts.branch, &facts.head) {
        (Some(branch), _) => add(text::line_of(branch), Role::Plain),
        (None, Some(head)) => {
            add(format!("detached at {}", head.chars().take(7).collect::<String>()), Role::Unsure)
        }
        (None, None) if facts.repository.is_none() => {
            // Why it is not known stands in the footer.
            add("no repository known".into(), Role::Quiet);
            return Line::from(spans);
        }
        (None, None) => add("no commit known".into(), Role::Quiet),
    }
    if let Some(what) = &facts.under_way {
        add(format!("{} is under way", text::line_of(what)), Role::Unsure);
    }
    if let Some(upstream) = &facts.upstream {
        let side = |arrow: &str, n: usize| if n > 0 { format!("{arrow}{n}") } else { String::new() };
        let distance = side(arrows[0], upstream.ahead) + &side(arrows[1], upstream.behind);
        if !distance.is_empty() {
            add(distance, Role::Plain);
        }
    }
    match facts.dirty {
        Some(0) if facts.dirty_handoffs > 0 => {
            add(format!("clean but for {}", count(facts.dirty_handoffs, "handoff file")), Role::Quiet)
        }
        Some(0) => add("clean".into(), Role::Quiet),
        Some(n) => add(format!("{n} dirty"), Role::Unsure),
        None => add("dirty ?".into(), Role::Quiet),
    }
    Line::from(spans)
}

/// `github.com/acme/api` as people say it: `acme/api`.
fn short_repository(identity: &str) -> String {
    match identity.split_once('/') {
        Some((host, path)) if host.contains('.') && !path.is_empty() => path.to_owned(),
        _ => identity.to_owned(),
    }
}

/// The counts, the most important first.
fn parts(state: &State) -> Vec<(String, Role)> {
    let counts = state.verdict_counts();
    let mut parts = vec![(count(counts.all, "handoff"), Role::Plain)];
    if state.list.scanning {
        parts.push(("looking …".into(), Role::Quiet));
    }
    let numbers = [
        (counts.ready, "ready", Role::Good),
        (counts.running, "running", Role::Running),
        (counts.drifted, "drifted", Role::Unsure),
        (state.list.skipped.len(), "not listed", Role::Quiet),
        (counts.checking, "being checked", Role::Quiet),
    ];
    parts.extend(
        numbers.into_iter().filter(|(n, ..)| *n > 0).map(|(n, word, role)| (format!("{n} {word}"), role)),
    );
    if state.live {
        parts.push(("live".into(), Role::Quiet));
    }
    parts
}

fn right(painter: &Painter<'_>, parts: &[(String, Role)]) -> Line<'static> {
    let mut spans = Vec::new();
    for (text, role) in parts {
        if !spans.is_empty() {
            spans.push(painter.span(format!(" {} ", painter.theme.glyphs.dot), Role::Quiet));
        }
        spans.push(painter.span(text.clone(), *role));
    }
    spans.push(painter.span(" ", Role::Plain));
    Line::from(spans)
}
