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
    let lines = lines(painter, state);
    let foot = super::keys(painter, state);
    super::boxed(painter, screen, "Keys and signs", &lines, &foot, state.overlay_top)
}

/// The whole text of the help.
pub fn lines(painter: &Painter<'_>, state: &State) -> Vec<Line<'static>> {
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
            lines.push(Line::from(vec![
                painter.span(format!("  {}", text::fit(&keys.join(" "), 18)), Role::Accent),
                painter.span(what.join("; "), Role::Plain),
            ]));
        }
    }
    lines.push(Line::default());
    lines.push(Line::from(painter.span("Signs", Role::Heading)));
    lines.push(Line::from(signs(painter)));
    lines.push(Line::from(outcomes(painter)));
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
    let mut spans = vec![Span::raw(" ")];
    for verdict in verdicts {
        let (glyph, role) = painter.theme.verdict(verdict);
        spans.push(painter.span(format!(" {glyph} {} ", super::super::theme::verdict_word(verdict)), role));
    }
    spans
}

fn outcomes(painter: &Painter<'_>) -> Vec<Span<'static>> {
    let mut spans = vec![Span::raw(" ")];
    for outcome in [Outcome::Passed, Outcome::Failed, Outcome::Unknown, Outcome::NotApplicable] {
        let (glyph, word, role) = painter.theme.outcome(outcome);
        spans.push(painter.span(format!(" {glyph} {word} "), role));
    }
    spans
}
