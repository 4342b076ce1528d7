//! Logs that grow: one file for all sittings, each under a heading with its date or number. Only the newest
//! sitting says what is true now.

use std::borrow::Cow;

use crate::handoff::labels::sitting_number;
use crate::handoff::markdown::{Kind, Line};
use crate::handoff::outline::{Outline, PSEUDO};
use crate::handoff::time::Moment;
use crate::handoff::time::read::{begins_with_date, heading};

/// The newest sitting of a log.
#[derive(Debug, Clone)]
pub(super) struct Sitting {
    /// Its heading.
    pub heading: String,
    /// The date in its heading.
    pub moment: Option<Moment>,
}

/// When the file is a log, its newest sitting, with the lines put so that this sitting comes first, then what
/// belongs to no sitting; older sittings are left out.
pub(super) fn newest<'a>(lines: &[Line<'a>], outline: &Outline) -> Option<(Sitting, Vec<Line<'a>>)> {
    let dated: Vec<(usize, Option<Moment>, Option<u32>)> = outline
        .sections
        .iter()
        .enumerate()
        .filter(|(i, s)| {
            s.level < PSEUDO
                && (s.known.is_none() || s.level == 1)
                && outline.path(s.parent).all(|p| p.known.is_none())
                && Some(*i) != outline.title.filter(|_| s.level > 1)
        })
        .filter_map(|(i, s)| {
            let number = sitting_number(&s.name);
            let moment = heading(&s.name).moment();
            (begins_with_date(&s.name) || number.is_some() || starts_as_sitting(&s.name) && moment.is_some())
                .then_some((i, moment, number))
        })
        .collect();
    let level = (1..PSEUDO)
        .find(|&level| dated.iter().filter(|(i, ..)| outline.sections[*i].level == level).count() >= 2)?;
    let sittings: Vec<_> = dated.into_iter().filter(|(i, ..)| outline.sections[*i].level == level).collect();
    let by_date = sittings.iter().all(|(_, moment, _)| moment.is_some());
    let key = |&(_, moment, number): &(usize, Option<Moment>, Option<u32>)| match moment.filter(|_| by_date) {
        Some(moment) => (i64::from(moment.day().to_epoch_days()), number.unwrap_or(0)),
        None => (0, number.unwrap_or(0)),
    };
    // The same day twice: a log that grows downwards has the later sitting below.
    let grows_down = sittings.first().map(key) < sittings.last().map(key);
    let chosen = if grows_down {
        sittings.iter().max_by_key(|s| key(s))
    } else {
        sittings.iter().rev().max_by_key(|s| key(s))
    }?;
    let own = &outline.sections[chosen.0];
    let mut view: Vec<Line<'a>> = lines[own.at..own.body.end].to_vec();
    // Nothing that stands elsewhere belongs to the sitting's last section.
    view.push(Line::new(lines[own.at].number, Cow::Borrowed(""), Kind::Heading(1)));
    let mut from = 0;
    for (i, ..) in &sittings {
        let section = &outline.sections[*i];
        view.extend_from_slice(&lines[from.min(section.at)..section.at]);
        from = from.max(section.body.end);
    }
    view.extend_from_slice(&lines[from.min(lines.len())..]);
    let sitting = Sitting { heading: own.name.clone(), moment: chosen.1 };
    Some((sitting, view))
}

/// `Update of the morning, 2026-11-02`: a word for a sitting in front.
fn starts_as_sitting(name: &str) -> bool {
    let first = name.split_whitespace().find(|word| word.chars().any(char::is_alphanumeric)).unwrap_or("");
    sitting_number(&format!("{first} 1")).is_some()
}
