//! What was said and a format has no place for: refused by name, and left out of what is carried over.

use super::draft::Refusal;
use super::narrative::{Narrative, Topic};
use crate::handoff::Family;

/// The topics that a format has no place for.
fn topics(family: Family) -> &'static [Topic] {
    match family {
        Family::Thunderkit => &[
            Topic::Validation,
            Topic::Completed,
            Topic::InProgress,
            Topic::Blocked,
            Topic::Blockers,
            Topic::Notes,
        ],
        Family::Memtomem => &[Topic::InProgress, Topic::Blocked, Topic::Decisions, Topic::Open, Topic::Notes],
        _ => &[],
    }
}

/// The lines that a format has no place for.
fn lines(family: Family) -> &'static [&'static str] {
    match family {
        Family::Thunderkit => &["task", "status"],
        Family::Memtomem => &["phase", "status", "context"],
        _ => &["artifact"],
    }
}

/// Refuses what would be dropped without a word.
///
/// # Errors
/// [`Refusal`] with the keys, and where they could be said.
pub(super) fn refuse(family: Family, said: &Narrative) -> Result<(), Refusal> {
    let topics = topics(family).iter().filter(|topic| said.body(**topic).is_some()).map(|topic| topic.key());
    let lines = lines(family).iter().copied().filter(|name| said.line(name).is_some());
    let homeless: Vec<_> = lines.chain(topics).collect();
    if homeless.is_empty() {
        return Ok(());
    }
    let (format, instead) = match family {
        Family::Thunderkit => {
            ("thunderkit's handoff", "phase, decisions, next or open, or save with --format theonekit")
        }
        Family::Memtomem => {
            ("memtomem's record", "completed, validation, blockers or next, or save with --format theonekit")
        }
        _ => ("theonekit's handoff", "notes, or save with --format thunderkit"),
    };
    Err(Refusal(format!("{format} has no place for {}: say it in {instead}", homeless.join(", "))))
}

/// What of a former narrative a format has a place for.
pub(super) fn fitting(family: Family, mut before: Narrative) -> Narrative {
    for name in lines(family) {
        if let Some(line) = before.line_mut(name) {
            *line = None;
        }
    }
    before.topics.retain(|(topic, _)| !topics(family).contains(topic));
    before
}
