//! What a save says to a person: what was written, or what would be.

use std::io::Write;

use super::super::{Stop, text};
use super::Done;
use crate::handoff::difference::DiffLine;
use crate::handoff::inert;
use crate::place::Scope;
use crate::save::draft::{Draft, Saved};
use crate::save::file::Old;
use crate::save::ignored::{Ignored, Unignored};

/// What is ignored, and what can be done or was done about it.
fn said_ignored(ignored: &Ignored, edited: Option<&Unignored>, out: &mut dyn Write) -> Result<(), Stop> {
    match (&ignored.edit, edited) {
        (Err(why), _) => writeln!(out, "  it stays ignored: {why}")?,
        (Ok(edit), None) => {
            writeln!(out, "  to let git see it: {} (--unignore does that)", edit.words.shown_line())?;
        }
        (Ok(edit), Some(edited)) => {
            writeln!(out, "  done: {}", edit.words.shown_line())?;
            if let Some(still) = &edited.still {
                let (rule, file) = (still.rule.shown_line(), text::path(&still.file));
                writeln!(out, "  git still ignores it, by `{rule}` in {file}, line {}", still.line)?;
            }
        }
    }
    Ok(())
}

/// What was saved. Nothing of it is printed before the file was read back.
pub(super) fn said(draft: &Draft, saved: &Saved, done: &Done, out: &mut dyn Write) -> Result<(), Stop> {
    writeln!(out, "saved to {} ({})", text::path(&saved.path), scope(draft.target.scope))?;
    writeln!(out, "  because: {}", draft.target.why)?;
    for link in &saved.chain {
        writeln!(out, "  goes on in {}", text::path(link))?;
    }
    match &saved.old {
        Old::None => {}
        Old::Same => writeln!(out, "  these bytes were there already")?,
        Old::Committed => writeln!(out, "  the replaced bytes are in HEAD")?,
        Old::Kept(path) => writeln!(out, "  the replaced bytes are kept in {}", text::path(path))?,
    }
    for line in saved.said.iter().chain(&draft.remarks).chain(&done.cleared.said) {
        writeln!(out, "  {}", line.shown_line())?;
    }
    facts(draft, out)?;
    for lane in &done.lanes {
        writeln!(out, "  {}", text::line(&lane.head()))?;
        for reason in &lane.reasons {
            writeln!(out, "    {}", reason.shown_line())?;
        }
    }
    if let Some(ignored) = &draft.ignored {
        said_ignored(ignored, done.unignored(), out)?;
    }
    match (&draft.mirror, done.mirrored()) {
        (Some(_), Some(written)) => {
            writeln!(out, "  new decisions were added to {}", text::path(&written.path))?
        }
        (Some(mirror), None) => writeln!(
            out,
            "  decisions that are not in {} yet can be added with --mirror-decisions",
            text::path(&mirror.path)
        )?,
        (None, _) => {}
    }
    if let Some(id) = &saved.action {
        let all = if done.cleared.moved.is_empty() { "" } else { ", with all that it put away" };
        writeln!(out, "  to take it back{all}: moorline undo {id}")?;
    }
    if let Some(command) = done.stage(draft) {
        writeln!(out, "  to stage exactly this: {command}")?;
    }
    if let Some(command) = draft.snapshot_command(saved) {
        writeln!(out, "  to keep a snapshot, with STORE and STATE set to directories of yours: {command}")?;
    }
    Ok(())
}

pub(super) fn preview(draft: &Draft, done: &Done, out: &mut dyn Write) -> Result<(), Stop> {
    if let Some(by_hand) = &draft.by_hand {
        writeln!(out, "nothing was saved: {}", by_hand.why.shown_line())?;
        writeln!(out, "  this command saves it:\n\n{}\n", inert::shown(&by_hand.command))?;
    } else {
        writeln!(out, "would save to {} ({})", text::path(&draft.target.path), scope(draft.target.scope))?;
    }
    writeln!(out, "  because: {}", draft.target.why)?;
    for line in draft.remarks.iter().chain(&done.cleared.said) {
        writeln!(out, "  {}", line.shown_line())?;
    }
    facts(draft, out)?;
    if let Some(ignored) = &draft.ignored {
        said_ignored(ignored, None, out)?;
    }
    if draft.replaced().is_some() {
        writeln!(out, "\nwhat changes in {}:", text::path(&draft.target.path))?;
        changes(draft).iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    }
    let mirror = draft.mirror.iter().map(|mirror| (&mirror.path, &mirror.added));
    for (path, document) in draft.parts.iter().map(|(path, text)| (path, text)).chain(mirror) {
        writeln!(out, "\n{}:\n{}", text::path(path), inert::shown(document).trim_end())?;
    }
    Ok(())
}

/// The lines that an overwrite takes out and puts in, with a little of what stands around them.
pub(super) fn changes(draft: &Draft) -> Vec<String> {
    let shown = |mark: &str, line: &str| format!("{mark} {}", inert::one_line(&inert::shown(line)));
    let line = |line: &DiffLine| match line {
        DiffLine::Same(line) => shown(" ", line),
        DiffLine::Gone(line) => shown("-", line),
        DiffLine::New(line) => shown("+", line),
        DiffLine::LeftOut(count) => format!("  … {count} lines"),
    };
    draft.changes().iter().map(line).collect()
}

fn facts(draft: &Draft, out: &mut dyn Write) -> Result<(), Stop> {
    for fact in &draft.captured {
        let value = fact.value.as_ref().map_or("unknown".into(), |value| value.shown_line());
        writeln!(out, "  {}: {value} ({})", fact.name, fact.source.shown_line())?;
    }
    Ok(())
}

fn scope(scope: Scope) -> &'static str {
    match scope {
        Scope::Plan => "plan",
        Scope::Project => "project",
        Scope::Global => "global",
    }
}
