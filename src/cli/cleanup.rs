//! `moorline cleanup`: old handoffs into the archive, and why the others stay.

use std::io::Write;

use super::args::Cleanup;
use super::desk::Desk;
use super::shelf::{Counter, stop};
use super::{Answer, Stop, text};
use crate::place::Skipped;
use crate::shelf::{ShelfError, cleanup};

/// Archives what is older than the settings' days.
pub fn run(desk: &Desk, args: &Cleanup, out: &mut dyn Write) -> Result<Answer, Stop> {
    let counter = Counter::open(desk, &args.yes, out)?;
    let days = args.days.unwrap_or(desk.examiner.settings().archive_after_days);
    if !args.yes.json {
        for sentence in cleanup::rule_words(days) {
            writeln!(out, "{sentence}")?;
        }
    }
    let listing = desk.listing();
    let mut plan = cleanup::plan(counter.ask()?, &listing.rows, days, &desk.cwd)
        .map_err(|error| stop(ShelfError::Disk(error)))?;
    let unread: Vec<_> = listing.skipped.iter().filter(|skipped| could_be_swept(desk, skipped)).collect();
    for skipped in &unread {
        let path = text::path(&skipped.path);
        plan.remarks.push(format!("not read: {path} – {}", skipped.reason.shown_line()));
    }
    let answer = counter.go(&plan, &args.yes, false, out)?;
    // Among what was not read there may be an old one.
    Ok(if plan.is_empty() && !unread.is_empty() { answer.max(Answer::Unknown) } else { answer })
}

/// Whether a place that was not read could be or hold something that a cleanup looks at.
fn could_be_swept(desk: &Desk, skipped: &Skipped) -> bool {
    let roots = [Some(desk.examiner.project()), desk.examiner.around().home.as_deref()];
    roots
        .into_iter()
        .flatten()
        .map(|root| root.join(cleanup::DATED))
        .any(|swept| skipped.path.parent() == Some(&swept) || swept.starts_with(&skipped.path))
}
