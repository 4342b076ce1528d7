//! What a snapshot is made of, in words for a terminal or a pipe.

use std::io::Write;

use crate::cli::Stop;
use crate::handoff::age::{self, DAY};
use crate::handoff::{count_of, inert};
use crate::snapshot::History;
use crate::snapshot::manifest::{Context, FileEntry, Omission};
use crate::snapshot::store::Problem;

/// Files and omissions, one line each.
pub(super) fn parts(files: &[FileEntry], omissions: &[Omission], out: &mut dyn Write) -> Result<(), Stop> {
    let bytes: u64 = files.iter().map(|file| file.size).sum();
    writeln!(out, "files: {} ({bytes} bytes)", files.len())?;
    for file in files {
        writeln!(out, "  {}  {} bytes", file.path, file.size)?;
    }
    writeln!(out, "omissions: {}", omissions.len())?;
    for omission in omissions {
        writeln!(out, "  {}: {}", omission.path.shown_line(), omission.reason.shown_line())?;
    }
    Ok(())
}

/// What became of the history.
pub(super) fn history(history: &History) -> String {
    match history {
        History::NotRequested => "not requested".into(),
        History::Captured { reference, head, commits, objects, size, .. } => format!(
            "captured, {} at {}, {}, {}, {size} bytes",
            reference.shown_line(),
            head.short(),
            count_of(*commits, "commit", "commits"),
            count_of(*objects, "object", "objects")
        ),
    }
}

/// The file with which a session goes on.
pub(super) fn context(context: Option<&Context>) -> String {
    match context {
        None => "none was named".into(),
        Some(context) if context.ignored => {
            format!("{}; git ignores it, and it is kept all the same", context.path)
        }
        Some(context) => context.path.to_string(),
    }
}

/// How old that file was when the snapshot was taken, and what says so.
pub(super) fn age_of(context: Option<&Context>) -> String {
    let known = context.and_then(|context| {
        let source = serde_json::to_value(context.saved_at_source?).ok()?;
        Some((context.saved_at.as_ref()?, context.age_seconds?, source.as_str()?.to_owned()))
    });
    match known {
        Some((at, age, source)) => {
            // Of a day without an hour, days are all that is known.
            let is_day = !at.raw().contains('T');
            let length = match age::length(age) {
                _ if is_day && (0..DAY).contains(&age) => "less than a day".to_owned(),
                _ if is_day => age::length(age - age % DAY),
                length => length,
            };
            let ahead = if age < 0 { " ahead" } else { "" };
            format!("{length}{ahead} (saved {}, {source})", at.shown_line())
        }
        None => "unknown".into(),
    }
}

/// One line for each problem.
pub(super) fn say(problems: &[Problem], out: &mut dyn Write) -> Result<(), Stop> {
    for problem in problems {
        writeln!(out, "  ✗ {}: {}", inert::shown(&problem.path), problem.what.shown_line())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handoff::ClockSource;

    fn age(at: &str, seconds: i64) -> String {
        let path = crate::handoff::RelPath::parse("HANDOFF.md").expect("a path");
        age_of(Some(&Context {
            path,
            ignored: false,
            saved_at: Some(at.into()),
            saved_at_source: Some(ClockSource::Declared),
            age_seconds: Some(seconds),
        }))
    }

    #[test]
    fn an_age_is_said_as_people_say_it_and_no_hour_is_guessed() {
        let exact = age("2026-11-30T00:00:00Z", 112_060);
        assert!(
            exact.starts_with("1 d 7 h (saved 2026-11-30T00:00:00Z"),
            "in units, not in seconds: {exact}"
        );
        assert!(age("2026-11-30", 112_060).starts_with("1 d (saved 2026-11-30,"), "a day has no hours");
        assert!(age("2026-12-01", 25_660).starts_with("less than a day (saved"), "not even on the same day");
        assert!(
            age("2026-12-01T00:00:00Z", -7_200).starts_with("2 h ahead (saved"),
            "what lies ahead says so"
        );
    }
}
