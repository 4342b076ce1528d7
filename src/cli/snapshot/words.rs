//! What a snapshot is made of, in words for a terminal or a pipe.

use std::io::Write;

use crate::cli::Stop;
use crate::handoff::inert;
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
            "captured, {} at {}, {commits} commits, {objects} objects, {size} bytes",
            reference.shown_line(),
            head.short()
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
        Some((at, age, source)) => format!("{age} seconds (saved {}, {source})", at.shown_line()),
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
