//! Words for a plain terminal or a pipe. Everything from a file goes through [`Inert`], paths included.

use std::path::Path;

use crate::check::{Check, LaneReport, Outcome, Report, Verdict, lane_name};
use crate::handoff::age::{self, Clock};
use crate::handoff::{ClockSource, Handoff, Inert};
use crate::place::Listed;

/// A path for people.
pub fn path(path: &Path) -> String {
    Inert::new(path.to_string_lossy()).shown_line()
}

/// A sentence that may have a path or a file's text in it, on one line.
pub fn line(text: &str) -> String {
    Inert::from(text).shown_line()
}

/// A word that somebody typed, quoted and inert.
pub fn word(text: &str) -> String {
    format!("\u{201c}{}\u{201d}", Inert::from(text).shown_line())
}

/// At most `most` characters, with a mark where something is left out.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The age of a row, with a mark where it is no date of the file's own.
pub fn row_age(row: &Listed, clock: Clock) -> String {
    let ago = age::sentence(clock, &row.saved_at.moment);
    match row.saved_at.source {
        ClockSource::Mtime => format!("{ago}, by mtime"),
        ClockSource::Commit => format!("{ago}, by commit"),
        _ if row.edited_after => format!("{ago}, edited since"),
        _ => ago,
    }
}

/// What a row is about: phase or stage, else the next action, else the title.
pub fn about(handoff: &Handoff) -> Option<&Inert> {
    handoff.phase.as_ref().or_else(|| handoff.next_action()).or(handoff.title.as_ref())
}

/// A verdict's mark and words.
pub fn verdict(verdict: Verdict) -> String {
    let mark = match verdict {
        Verdict::Validated | Verdict::Current => '✓',
        Verdict::NotResumable => '✗',
        Verdict::Unknown | Verdict::Unverifiable => '?',
        Verdict::Drifted => '≠',
        Verdict::Running => '▶',
        Verdict::Completed => '■',
    };
    format!("{mark} {}", verdict.words())
}

/// A report's verdict with its counts: `✗ not resumable (1 of 3 validated)`.
pub fn counted(report: &Report) -> String {
    match report.validated {
        (_, 0) => verdict(report.verdict),
        (good, all) => format!("{} ({good} of {all} validated)", verdict(report.verdict)),
    }
}

/// One check on one line, with what was compared.
pub fn check(check: &Check) -> String {
    let mark = match check.outcome {
        Outcome::Passed => '✓',
        Outcome::Failed => '✗',
        Outcome::Unknown => '?',
        Outcome::NotApplicable => '–',
    };
    let mut line = format!("{mark} {:<18}", check.id.as_str());
    match (&check.expected, &check.observed) {
        (Some(expected), Some(observed)) if expected == observed => {
            line.push_str(&format!(" {}", cut(&expected.shown_line(), 60)));
        }
        (expected, observed) => {
            let side = |text: &Option<Inert>| {
                text.as_ref().map_or_else(|| "–".to_owned(), |text| cut(&text.shown_line(), 60))
            };
            if expected.is_some() || observed.is_some() {
                line.push_str(&format!(" recorded {} · now {}", side(expected), side(observed)));
            }
        }
    }
    if let Some(reason) = &check.reason {
        line.push_str(&format!("  {}", reason.shown_line()));
    }
    if let Some(source) = &check.source {
        line.push_str(&format!("  [{}]", source.shown_line()));
    }
    line
}

/// One lane of a report in words: its verdict first, then the root's checks, which count for it, and its own.
pub fn lane_report(row: &Listed, report: &Report, name: &str) -> String {
    let mut out = String::new();
    for lane in report.lanes.iter().filter(|lane| lane_name(&row.handoff, lane.index) == name) {
        out.push_str(&format!("{}\n", path(&row.path)));
        self::lane(&mut out, row, lane);
        for line in report.checks.iter().map(check) {
            out.push_str(&format!("    {line}\n"));
        }
    }
    out
}

/// One lane: verdict, reasons, checks.
fn lane(out: &mut String, row: &Listed, lane: &LaneReport) {
    out.push_str(&format!("  lane {}: {}\n", lane_name(&row.handoff, lane.index), verdict(lane.verdict)));
    for reason in &lane.reasons {
        out.push_str(&format!("      because {}\n", reason.shown_line()));
    }
    for line in lane.checks.iter().map(check) {
        out.push_str(&format!("    {line}\n"));
    }
}

/// A report in words: verdict, checks by subject, drift, claims that do not hold or cannot be told.
pub fn report(row: &Listed, report: &Report) -> String {
    let mut out = format!("{}\n  {}", path(&row.path), counted(report));
    if let Some(reason) = &report.reason {
        out.push_str(&format!(": {}", reason.shown_line()));
    }
    out.push('\n');
    for problem in &row.handoff.problems {
        let place = problem.at.map(|at| format!("line {}:{} ", at.line, at.column)).unwrap_or_default();
        let kind = if problem.is_error() { "error" } else { "note" };
        out.push_str(&format!("  {kind}: {place}{}\n", problem.message.shown_line()));
        if let Some(help) = &problem.help {
            out.push_str(&format!("         help: {}\n", help.shown_line()));
        }
    }
    for line in report.checks.iter().map(check) {
        out.push_str(&format!("  {line}\n"));
    }
    for judged in &report.lanes {
        lane(&mut out, row, judged);
    }
    out.push_str(&drift(report));
    out
}

fn drift(report: &Report) -> String {
    let mut out = String::new();
    let drift = &report.drift;
    if let Some(count) = drift.commits.filter(|&count| count > 0) {
        let files = drift.file_count.map_or("files not counted".to_owned(), |n| format!("{n} files changed"));
        out.push_str(&format!("  since then: {count} commits, {files}\n"));
        for subject in &drift.subjects {
            out.push_str(&format!("    {}\n", subject.shown_line()));
        }
    }
    for note in &drift.notes {
        out.push_str(&format!("  {}\n", note.shown_line()));
    }
    for claim in report.claims.iter().filter(|claim| claim.counts && claim.holds != Some(true)) {
        out.push_str(&format!(
            "  line {}: {} {} – {}\n",
            claim.line,
            claim.kind,
            claim.text.shown_line(),
            claim.state.shown_line()
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_by_characters_with_a_mark() {
        assert_eq!(cut("窯の温度モニター", 4), "窯の温…", "the mark counts as one of them");
        assert_eq!(cut("short", 5), "short", "what fits stays whole");
    }
}
