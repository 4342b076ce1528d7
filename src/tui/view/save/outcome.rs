//! Questions and ends of a save.

use ratatui::text::{Line, Span};

use super::super::super::action::save::{Hidden, Offer};
use super::super::super::app::State;
use super::super::super::app::save::{Form, Saved};
use super::super::super::keymap::{Command, Context};
use super::super::super::text;
use super::super::super::theme::Role;
use super::super::names::count;
use super::super::paint::Painter;
use crate::handoff::{Family, Inert, inert};
use crate::save::file::Old;

/// May the past sessions be listed?
pub(super) fn sessions_question(
    painter: &Painter<'_>,
    form: &Form,
    lane: &str,
    width: usize,
) -> Vec<Line<'static>> {
    let worktree = form.lane(lane).and_then(|lane| lane.worktree.as_ref()).map_or(".", |path| path.as_str());
    let sentences = [
        format!(
            "The session stores of your clients would be searched for sessions that worked in {worktree}."
        ),
        "Their ids, titles, times, models and number of turns are listed; what was said in them is not read out."
            .into(),
    ];
    sentences.iter().flat_map(|sentence| wrapped(painter, sentence, Role::Plain, width)).collect()
}

/// What somebody else did, and what can be done now.
pub(super) fn clash(
    painter: &Painter<'_>,
    form: &Form,
    difference: &str,
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for (n, line) in difference.lines().enumerate() {
        let role = match line.chars().next() {
            _ if n == 0 => Role::Unsure,
            Some('+') => Role::Good,
            Some('-') => Role::Bad,
            _ => Role::Quiet,
        };
        lines.extend(wrapped(painter, &inert::shown(line), role, width));
    }
    lines.push(Line::default());
    let next = match form.format {
        Family::Thunderkit | Family::Memtomem => {
            "Your words are kept. Reload compares them with what lies there now."
        }
        _ => {
            "Your words are kept. Reload compares them with what lies there now; a new name leaves that file alone."
        }
    };
    lines.extend(wrapped(painter, next, Role::Plain, width));
    lines
}

/// Where it was saved, and how the old bytes are had back.
pub(super) fn saved(painter: &Painter<'_>, saved: &Saved, state: &State, width: usize) -> Vec<Line<'static>> {
    let undo = state.keymap.key_of(Context::List, Command::Undo).unwrap_or_default();
    let glyphs = painter.theme.glyphs;
    let show = |path: &std::path::Path| text::line_of(&Inert::new(path.to_string_lossy()));
    let first = Line::from(vec![
        painter.span(format!("{} ", glyphs.good), Role::Good),
        Span::raw(format!("saved to {} ({})", show(&saved.path), super::form::scope_word(saved.scope))),
    ]);
    let mut lines = text::wrap(&first, width, 2);
    for link in &saved.chain {
        lines.extend(wrapped(painter, &format!("  goes on in {}", show(link)), Role::Plain, width));
    }
    let back = match saved.undos {
        1 if !saved.chain.is_empty() => {
            let files = count(saved.chain.len() + 1, "file");
            format!("{undo} in the list takes this save back, with its {files}.")
        }
        1 => format!("{undo} in the list takes this save back."),
        undos => format!("{undo} in the list takes all of this back, in {undos} steps."),
    };
    let old = match &saved.old {
        // A program of its own has written it, and says so below.
        Old::None if saved.by_program => String::new(),
        Old::None => format!("It is a new file; {back}"),
        Old::Same => "Exactly these bytes were there already; nothing was written.".to_owned(),
        Old::Committed => format!("The bytes it replaced are in HEAD; {back}"),
        Old::Kept(path) => format!("The bytes it replaced lie in {}; {back}", show(path)),
    };
    if !old.is_empty() {
        lines.extend(wrapped(painter, &old, Role::Quiet, width));
    }
    lines.extend(saved.said.iter().flat_map(|line| wrapped(painter, line, Role::Quiet, width)));
    lines.extend(wrapped(painter, "Nothing was staged or committed.", Role::Quiet, width));
    for (_, told) in &saved.taken {
        let (glyph, role, words) = match told {
            Ok(told) => (glyphs.good, Role::Good, told),
            Err(why) => (glyphs.bad, Role::Bad, why),
        };
        lines.extend(wrapped(painter, &format!("{glyph} {}", inert::shown(words)), role, width));
    }
    lines.extend(offers(painter, saved, width));
    lines
}

/// What a key would do now, with what it would write.
fn offers(painter: &Painter<'_>, saved: &Saved, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if let Some(ignored) = &saved.ignored
        && !saved.taken.iter().any(|(taken, _)| *taken == Offer::ShowToGit)
    {
        lines.extend(hidden(painter, ignored, width));
    }
    if let Some(mirror) = saved.mirror.as_ref().filter(|_| saved.offers(Offer::Mirror)) {
        let path = text::line_of(&Inert::new(mirror.path.to_string_lossy()));
        lines.push(Line::default());
        let words = format!("These decisions are not in {path} yet, and could be added:");
        lines.extend(wrapped(painter, &words, Role::Plain, width));
        let added = mirror.added.lines().filter(|line| !line.is_empty());
        lines.extend(added.flat_map(|line| {
            let line = format!("+ {}", inert::one_line(&inert::shown(line)));
            wrapped(painter, &line, Role::Good, width)
        }));
    }
    if let Some(stage) = &saved.stage {
        lines.push(Line::default());
        lines.extend(wrapped(
            painter,
            "This would stage exactly what was written, in your shell:",
            Role::Plain,
            width,
        ));
        lines.extend(wrapped(painter, &format!("  {}", inert::shown(stage)), Role::Code, width));
    }
    if let Some(snapshot) = &saved.snapshot {
        lines.push(Line::default());
        let words = "This would keep a snapshot of it, with STORE and STATE set to directories of yours:";
        lines.extend(wrapped(painter, words, Role::Plain, width));
        lines.extend(wrapped(painter, &format!("  {}", inert::shown(snapshot)), Role::Code, width));
    }
    lines
}

/// That git will not see the file, and what would change that.
pub(super) fn hidden(painter: &Painter<'_>, hidden: &Hidden, width: usize) -> Vec<Line<'static>> {
    let rule = inert::shown(&hidden.rule);
    let words = match &hidden.edit {
        Ok(edit) => {
            format!("Git ignores this place by {rule}. Once saved, one key would {}.", inert::shown(edit))
        }
        Err(why) => {
            format!("Git ignores this place by {rule}, and no edit of one line helps: {}", inert::shown(why))
        }
    };
    wrapped(painter, &words, Role::Unsure, width)
}

fn wrapped(painter: &Painter<'_>, words: &str, role: Role, width: usize) -> Vec<Line<'static>> {
    text::wrap(&Line::from(painter.span(text::tame(words), role)), width, 2)
}
