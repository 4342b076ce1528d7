//! All keys, from the table of keys, and what the signs mean.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::action::Extent;
use super::super::app::State;
use super::super::keymap::{Context, Entry};
use super::super::text;
use super::super::theme::Role;
use super::footer::label;
use super::paint::Painter;
use crate::check::{Outcome, Verdict};

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, screen: Rect, state: &State) -> Extent {
    let width = usize::from(screen.width.saturating_sub(6)).max(1);
    let lines = lines(painter, state, width);
    let foot = super::keys(painter, state);
    super::boxed(painter, screen, "Keys and signs", &lines, &foot, state.overlay_top)
}

/// Columns of the keys, before what they do.
const KEYS: usize = 18;

/// The whole text of the help, in lines of at most so many columns.
fn lines(painter: &Painter<'_>, state: &State, width: usize) -> Vec<Line<'static>> {
    let places: [(&str, &[Context]); 11] = [
        ("In the panes", &[Context::List, Context::Detail, Context::Lanes, Context::Checks, Context::Drift]),
        ("While filtering", &[Context::Find]),
        (
            "In a box",
            &[Context::Help, Context::Reading, Context::Block, Context::Versions, Context::Planning],
        ),
        ("Before a resume", &[Context::Prompt]),
        ("While a program runs", &[Context::Running, Context::Leaving]),
        ("In the save form", &[Context::Form]),
        ("Before and after a save", &[Context::Asking, Context::Preview, Context::Clash, Context::Saved]),
        ("Archive and trash", &[Context::Tidying, Context::Placing, Context::Moving, Context::Tidied]),
        ("In the lookup form", &[Context::Lookup]),
        ("Before the remote is asked", &[Context::Remote]),
        ("Everywhere", &[]),
    ];
    let mut lines = Vec::new();
    let mut told = Vec::new();
    for (heading, contexts) in places {
        let entries = state.keymap.entries().iter().filter(|entry| {
            contexts.is_empty()
                || contexts.iter().any(|context| entry.at.contains(context)) && entry.at.len() < 21
        });
        let entries: Vec<_> = entries.filter(|entry| !told.contains(&entry.word)).collect();
        if entries.is_empty() {
            continue;
        }
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::from(painter.span(heading, Role::Heading)));
        for (n, entry) in entries.iter().enumerate() {
            told.push(entry.word);
            // One key that does one thing in several ways is one line.
            let same = |other: &&&Entry| other.command == entry.command && other.keys == entry.keys;
            if entries[..n].iter().any(|other| same(&other)) {
                continue;
            }
            let what: Vec<_> = entries[n..].iter().filter(same).map(|entry| entry.what).collect();
            let keys: Vec<String> =
                entry.keys.iter().map(|key| label(&key.to_string(), painter.theme.glyphs.unicode)).collect();
            let line = Line::from(vec![
                painter.span(format!("  {}", text::fit(&keys.join(" "), KEYS)), Role::Accent),
                painter.span(what.join("; "), Role::Plain),
            ]);
            lines.extend(text::wrap(&line, width, KEYS + 2));
        }
    }
    lines.push(Line::default());
    lines.push(Line::from(painter.span("Signs", Role::Heading)));
    lines.extend(side_by_side(signs(painter), width));
    lines.extend(side_by_side(outcomes(painter), width));
    lines
}

/// Signs with their words side by side, in as many lines as they need; none is torn.
fn side_by_side(signs: Vec<Span<'static>>, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut spans = vec![Span::raw(" ")];
    for sign in signs {
        let used: usize = spans.iter().map(|span| text::width(&span.content)).sum();
        if used + text::width(&sign.content) > width && spans.len() > 1 {
            lines.push(Line::from(std::mem::replace(&mut spans, vec![Span::raw(" ")])));
        }
        spans.push(sign);
    }
    lines.push(Line::from(spans));
    lines
}

fn signs(painter: &Painter<'_>) -> Vec<Span<'static>> {
    let verdicts = [
        Some(Verdict::Validated),
        Some(Verdict::NotResumable),
        Some(Verdict::Unknown),
        Some(Verdict::Drifted),
        Some(Verdict::Running),
        Some(Verdict::Completed),
        None,
    ];
    let sign = |verdict| {
        let (glyph, role) = painter.theme.verdict(verdict);
        painter.span(format!(" {glyph} {} ", super::super::theme::verdict_word(verdict)), role)
    };
    verdicts.into_iter().map(sign).collect()
}

fn outcomes(painter: &Painter<'_>) -> Vec<Span<'static>> {
    let sign = |outcome| {
        let (glyph, word, role) = painter.theme.outcome(outcome);
        painter.span(format!(" {glyph} {word} "), role)
    };
    [Outcome::Passed, Outcome::Failed, Outcome::Unknown, Outcome::NotApplicable].map(sign).into()
}
