//! Words for a plain terminal or a pipe. Everything from a file goes through [`Inert`], paths included.

use std::path::Path;

use crate::check::{Check, LaneReport, Outcome, Report, Tally, Verdict, lane_name};
use crate::handoff::age::{self, Clock};
use crate::handoff::{ClockSource, Handoff, Inert, count_of};
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

/// Which record of its file a row is, as it stands behind the path: `#92ef12ae`; nothing where a file is one handoff.
pub fn record(row: &Listed) -> String {
    row.handoff.record_id.as_ref().map(|id| format!("#{}", &id.as_str()[..8])).unwrap_or_default()
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

/// How much of a report is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// What failed or is unknown, and how many checks passed.
    Trouble,
    /// Every check.
    All,
}

/// How many subjects, and how many broken claims, are named where not everything is asked for.
const FEW: usize = 5;

/// One lane of a report in words: its verdict first, then the root's checks, which count for it, and its own.
pub fn lane_report(row: &Listed, report: &Report, name: &str, detail: Detail) -> String {
    let mut out = String::new();
    for lane in report.lanes.iter().filter(|lane| lane_name(&row.handoff, lane.index) == name) {
        out.push_str(&format!("{}{}\n", path(&row.path), record(row)));
        self::lane(&mut out, row, lane, detail);
        checks(&mut out, "    ", &report.checks, detail);
        let all = || report.checks.iter().chain(&lane.checks);
        quiet(&mut out, all(), detail);
    }
    out
}

/// One lane: its verdict and the first reason, then its checks.
fn lane(out: &mut String, row: &Listed, lane: &LaneReport, detail: Detail) {
    let name = lane_name(&row.handoff, lane.index);
    out.push_str(&format!("  lane {name}: {}", verdict(lane.verdict)));
    if let Some(first) = lane.reasons.first() {
        out.push_str(&format!(" – {}", first.shown_line()));
    }
    out.push('\n');
    if detail == Detail::All {
        for reason in lane.reasons.iter().skip(1) {
            out.push_str(&format!("      and {}\n", reason.shown_line()));
        }
    }
    if let Some(run) = &lane.run {
        out.push_str(&format!("      run record: {}\n", run.line()));
    }
    checks(out, "    ", &lane.checks, detail);
}

fn checks(out: &mut String, indent: &str, checks: &[Check], detail: Detail) {
    for said in checks.iter().filter(|check| detail == Detail::All || is_trouble(check)) {
        out.push_str(&format!("{indent}{}\n", check(said)));
    }
}

fn is_trouble(check: &Check) -> bool {
    matches!(check.outcome, Outcome::Failed | Outcome::Unknown)
}

/// How many checks are not named, and how to see them.
fn quiet<'a>(out: &mut String, checks: impl Iterator<Item = &'a Check> + Clone, detail: Detail) {
    let count = |outcome| checks.clone().filter(|check| check.outcome == outcome).count();
    let (passed, aside) = (count(Outcome::Passed), count(Outcome::NotApplicable));
    if detail == Detail::Trouble && passed + aside > 0 {
        out.push_str(&format!("  {passed} passed, {aside} not applicable (-v names them)\n"));
    }
}

/// A report's verdict with its counts and its first reason.
pub fn judged(report: &Report) -> String {
    let reason = report.reason.as_ref().map(|reason| format!(": {}", reason.shown_line()));
    counted(report) + &reason.unwrap_or_default()
}

/// The summary: how many have which verdict, and what may be done next.
pub fn ending(tally: &Tally) -> String {
    format!("{}; next: {}", tally.words(), tally.next().shown_line())
}

/// A report in words: verdict, checks by subject, drift, claims that do not hold or cannot be told.
pub fn report(row: &Listed, report: &Report, detail: Detail) -> String {
    let mut out = format!("{}{}\n  {}\n", path(&row.path), record(row), judged(report));
    for problem in row.handoff.problems.iter().filter(|problem| detail == Detail::All || problem.is_error()) {
        let place = problem.at.map(|at| format!("line {}:{} ", at.line, at.column)).unwrap_or_default();
        let kind = if problem.is_error() { "error" } else { "note" };
        out.push_str(&format!("  {kind}: {place}{}\n", problem.message.shown_line()));
        if let Some(help) = &problem.help {
            out.push_str(&format!("         help: {}\n", help.shown_line()));
        }
    }
    checks(&mut out, "  ", &report.checks, detail);
    for judged in &report.lanes {
        lane(&mut out, row, judged, detail);
    }
    let all = || report.checks.iter().chain(report.lanes.iter().flat_map(|lane| &lane.checks));
    quiet(&mut out, all(), detail);
    out.push_str(&drift(report, detail));
    out
}

fn drift(report: &Report, detail: Detail) -> String {
    let most = if detail == Detail::All { usize::MAX } else { FEW };
    let mut out = String::new();
    let drift = &report.drift;
    let more = |out: &mut String, count: usize| {
        if count > most {
            out.push_str(&format!("    … and {} more\n", count - most));
        }
    };
    if let Some(count) = drift.commits.filter(|&count| count > 0) {
        let files = drift
            .file_count
            .map_or("files not counted".to_owned(), |n| count_of(n, "file changed", "files changed"));
        let commits = count_of(count, "commit", "commits");
        out.push_str(&format!("  since then: {commits}, {files}\n"));
        for subject in drift.subjects.iter().take(most) {
            out.push_str(&format!("    {}\n", subject.shown_line()));
        }
        more(&mut out, drift.subjects.len());
    }
    for note in &drift.notes {
        out.push_str(&format!("  {}\n", note.shown_line()));
    }
    let broken: Vec<_> =
        report.claims.iter().filter(|claim| claim.counts && claim.holds != Some(true)).collect();
    for claim in broken.iter().take(most) {
        out.push_str(&format!(
            "  line {}: {} {} – {}\n",
            claim.line,
            claim.kind,
            claim.text.shown_line(),
            claim.state.shown_line()
        ));
    }
    more(&mut out, broken.len());
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
