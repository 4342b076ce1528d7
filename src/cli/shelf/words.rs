//! The text form of the shelf's verbs: what would be done, and what was.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::super::{Stop, text};
use crate::handoff::count_of;
use crate::shelf::{Done, Fate, Outcome, Plan, Settled, Verb, handoffs};

/// `archive` and `archived`, as sentences begin and end with them.
pub(super) fn verb(verb: Verb) -> (&'static str, &'static str) {
    match verb {
        Verb::Archive => ("Archive", "archived"),
        Verb::Cleanup => ("Archive", "archived"),
        Verb::Trash => ("Trash", "trashed"),
        Verb::PutBack => ("Put back", "put back"),
        Verb::Undo | Verb::Save => ("Undo", "moved back"),
    }
}

/// Asks for a yes to exactly this.
pub(super) fn question(plan: &Plan) -> String {
    format!("{} {}?", verb(plan.verb).0, handoffs(plan.handoffs()))
}

/// How a yes is said where nobody can be asked, and how to want less.
pub(super) fn how_to_say_yes(plan: &Plan) -> &'static str {
    match plan.verb {
        Verb::Cleanup => "say it with --yes, or move fewer with more --days",
        Verb::Undo | Verb::Save => "say it with --yes, or name another action (`moorline undo --list`)",
        _ if plan.handoffs() > 1 => "say it with --yes, or name fewer",
        _ => "say it with --yes",
    }
}

/// What would be done: first what would not, so that what moves stands right before the question.
pub(super) fn plan(plan: &Plan, out: &mut dyn Write) -> Result<(), Stop> {
    for spared in &plan.spared {
        writeln!(out, "stays: {} – {}", text::path(&spared.path), text::line(&spared.reason))?;
    }
    beside(plan, out)?;
    let word = verb(plan.verb).0.to_lowercase();
    match &plan.takes_back {
        _ if plan.is_empty() => writeln!(out, "nothing to {word}")?,
        Some(told) => writeln!(out, "would {word} {} ({}):", text::line(&told.words()), told.id)?,
        None => writeln!(out, "would {word} {}:", handoffs(plan.handoffs()))?,
    }
    for way in &plan.moves {
        writeln!(out, "  {}\n    → {}", text::path(&way.from.path), text::path(&way.to.path))?;
        if let Some(taken) = &way.instead_of {
            writeln!(out, "      because {} is taken", text::path(taken))?;
        }
    }
    if let Some(copies) = plan.copies() {
        writeln!(out, "  {copies}")?;
    }
    if plan.verb == Verb::PutBack && plan.is_empty() && !plan.spared.is_empty() {
        writeln!(out, "another place: moorline put-back NAME --to PATH")?;
    }
    quota(plan, out)
}

/// What is not in the plan and has to be known all the same.
fn beside(plan: &Plan, out: &mut dyn Write) -> Result<(), Stop> {
    for sentence in plan.beside() {
        writeln!(out, "{}", text::line(&sentence))?;
    }
    Ok(())
}

fn quota(plan: &Plan, out: &mut dyn Write) -> Result<(), Stop> {
    let (Some(quota), false) = (plan.quota, plan.evict.is_empty()) else { return Ok(()) };
    writeln!(
        out,
        "  the trash will hold {}, {} more than its quota of {}; the oldest are:",
        count_of(quota.after, "entry", "entries"),
        quota.after.saturating_sub(quota.limit),
        quota.limit
    )?;
    for path in &plan.evict {
        writeln!(out, "    {}", text::path(path))?;
    }
    writeln!(out, "  they stay unless you say --evict, which deletes them for good")?;
    Ok(())
}

pub(super) fn settled(settled: &[Settled], out: &mut dyn Write) -> Result<(), Stop> {
    for one in settled {
        writeln!(out, "first: {} ({})", one.said, text::line(&one.time))?;
        for path in &one.unsettled {
            writeln!(out, "  look at {}", text::path(path))?;
        }
    }
    Ok(())
}

/// What was done.
pub(super) fn done(plan: &Plan, done: &Done, out: &mut dyn Write) -> Result<(), Stop> {
    settled(&done.settled, out)?;
    let word = verb(plan.verb).1;
    match &plan.takes_back {
        Some(told) if told.verb == Verb::Save && done.moved() == plan.moves.len() => {
            let (put_away, written) = done.outcomes.split_at(plan.beside_save.min(done.outcomes.len()));
            for (outcome, way) in put_away.iter().zip(&plan.moves) {
                moved(word, outcome, way.lost_name(outcome), out)?;
            }
            save_back(written, out)?;
        }
        _ => {
            for (outcome, way) in done.outcomes.iter().zip(&plan.moves) {
                moved(word, outcome, way.lost_name(outcome), out)?;
            }
        }
    }
    for spared in &plan.spared {
        writeln!(out, "stays: {} – {}", text::path(&spared.path), text::line(&spared.reason))?;
    }
    for path in &done.evicted {
        writeln!(out, "deleted for good: {}", text::path(path))?;
    }
    let over = plan
        .quota
        .map_or(0, |quota| (quota.held + done.moved()).saturating_sub(quota.limit + done.evicted.len()));
    if over > 0 {
        writeln!(out, "the trash holds {over} more than its quota: nothing was evicted without a yes")?;
    }
    for remark in &done.remarks {
        writeln!(out, "{}", text::line(remark))?;
    }
    beside(plan, out)?;
    let (moved, all) = (done.handoffs(plan), plan.handoffs());
    match (&plan.takes_back, &done.action) {
        _ if done.moved() == 0 => {}
        (Some(told), _) => {
            writeln!(out, "{moved} of {all} taken back: {} ({})", text::line(&told.words()), told.id)?
        }
        (None, Some(id)) => writeln!(out, "{moved} of {all} {word}; take it back: moorline undo {id}")?,
        (None, None) => {}
    }
    Ok(())
}

/// One file's fate; `taken` is the name that it did not get.
fn moved(word: &str, outcome: &Outcome, taken: Option<&Path>, out: &mut dyn Write) -> Result<(), Stop> {
    let from = text::path(&outcome.from);
    match &outcome.fate {
        Fate::Moved(to) => {
            writeln!(out, "{word}: {from}\n  → {}", text::path(to))?;
            if let Some(taken) = taken {
                writeln!(out, "    because {} is taken", text::path(taken))?;
            }
        }
        Fate::Stayed(why) => writeln!(out, "stays: {from} – {}", text::line(why))?,
        Fate::NotBegun => writeln!(out, "not begun: {from}")?,
    }
    Ok(())
}

/// A save that was taken back: what each of its files is now, and where the bytes are that it had.
fn save_back(written: &[Outcome], out: &mut dyn Write) -> Result<(), Stop> {
    let moved = |outcome: &Outcome| match &outcome.fate {
        Fate::Moved(to) => Some((outcome.from.clone(), to.clone())),
        Fate::Stayed(_) | Fate::NotBegun => None,
    };
    let moved: Vec<(PathBuf, PathBuf)> = written.iter().filter_map(moved).collect();
    let comes_back = |file: &PathBuf| moved.iter().any(|(_, to)| to == file);
    for (file, aside) in moved.iter().filter(|(_, to)| !moved.iter().any(|(from, _)| from == to)) {
        let again = match comes_back(file) {
            true => "has the bytes again that it had before the save",
            false => "is gone, as before the save",
        };
        writeln!(out, "{} {again}\n  what was saved lies in {}", text::path(file), text::path(aside))?;
    }
    Ok(())
}
