//! Tests of the rule of a cleanup, on rows made up here; `tests/shelf` moves real files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::DateTime;

use super::cleanup::{Rule, Sorted, sort};
use crate::disk::FileId;
use crate::handoff::age::Clock;
use crate::handoff::{ClockSource, Family, Format, Handoff, Inert, Moment, SavedAt};
use crate::place::{Listed, Scope, State};

/// 30 November 2026, 12:00 UTC.
const NOW: i64 = 1_796_040_000;
const DATED: &str = "/p/.claude/handoffs";

/// A handoff in the project's directory of dated ones, saved so many seconds ago.
fn row(name: &str, ago: i64) -> Listed {
    let path = Path::new(DATED).join(name);
    let at = DateTime::from_timestamp(NOW - ago, 0).expect("a time").fixed_offset();
    let moment = Moment::Instant(at);
    Listed {
        id: name.to_owned(),
        handoff: Handoff::empty(Family::Theonekit, Format::Markdown),
        relative: path.strip_prefix("/p").expect("below").to_owned(),
        path,
        root: PathBuf::from("/p"),
        scope: Scope::Project,
        state: State::Live,
        bytes: 100,
        file: FileId { device: 1, inode: 1 },
        modified: NOW,
        saved_at: SavedAt { moment, written: Inert::new(""), source: ClockSource::Declared },
        edited_after: false,
        twins: Vec::new(),
        origin: None,
        part: None,
        read_from: None,
    }
}

const DAY: i64 = 86_400;

fn sorted(rows: Vec<Listed>, plan: &str) -> Sorted {
    let rule = Rule {
        swept: vec![PathBuf::from(DATED)],
        days: 30,
        clock: Clock { unix: NOW, east: 0 },
        plan: vec![(PathBuf::from("/p/plans/a/plan.md"), plan.to_owned())],
    };
    sort(&rows.into_iter().map(Arc::new).collect::<Vec<_>>(), &rule)
}

fn old(sorted: &Sorted) -> Vec<&str> {
    sorted.old.iter().map(|row| row.id.as_str()).collect()
}

fn reason<'a>(sorted: &'a Sorted, name: &str) -> &'a str {
    let spared = sorted.spared.iter().find(|spared| spared.path.ends_with(name));
    spared.map_or("not spared", |spared| spared.reason.as_str())
}

#[test]
fn older_is_by_the_saved_time_and_to_the_second() {
    let ahead = row("261201-ahead.md", -DAY);
    let rows = vec![row("260901-old.md", 30 * DAY + 1), row("260901-just.md", 30 * DAY), ahead];
    let sorted = sorted(rows, "");
    assert_eq!(old(&sorted), ["260901-old.md"], "thirty days are not more than thirty days");
    assert!(sorted.spared.is_empty(), "and what is not old is nobody's business");
}

#[test]
fn a_series_keeps_its_newest_also_when_the_others_are_archived_already() {
    let mut archived = row("archive/260801-auth.md", 100 * DAY);
    archived.state = State::Archived;
    archived.origin = Some(Path::new(DATED).join("260801-auth.md"));
    let rows = vec![row("260901-auth-2.md", 90 * DAY), archived, row("260820-alone.md", 95 * DAY)];
    let sorted = sorted(rows, "");
    assert_eq!(
        reason(&sorted, "260901-auth-2.md"),
        "is the newest of its series (auth)",
        "a number is no slug"
    );
    assert_eq!(old(&sorted), ["260820-alone.md"], "one alone is no series");
}

#[test]
fn what_cannot_be_dated_or_does_not_lie_here_stays() {
    let mut undated = row("260901-a.md", 90 * DAY);
    undated.saved_at.source = ClockSource::Mtime;
    let mut record = row("260902-b.md", 90 * DAY);
    record.handoff.family = Family::Memtomem;
    let mut planned = row("260903-c.md", 90 * DAY);
    planned.scope = Scope::Plan;
    let rolling = row("notes.md", 90 * DAY);
    let deep = row("deep/260904-d.md", 90 * DAY);
    let control = row("260905-e.md", 90 * DAY);
    let sorted = sorted(vec![undated, record, planned, rolling, deep, control], "");
    for (name, why) in [
        ("260901-a.md", "does not say when"),
        ("260902-b.md", "never moved"),
        ("260903-c.md", "belongs to a plan"),
        ("notes.md", "rolling"),
        ("260904-d.md", "neither in this project's .claude/handoffs/"),
    ] {
        assert!(reason(&sorted, name).contains(why), "{name} stays: {}", reason(&sorted, name));
    }
    assert_eq!(old(&sorted), ["260905-e.md"], "and a plain one goes");
}

#[test]
fn the_active_plan_keeps_what_it_names_and_only_that() {
    let rows = || vec![row("260901-auth.md", 90 * DAY), row("260901-auth-extra.md", 90 * DAY)];
    let named = sorted(rows(), "Begun in `260901-auth`, see there.");
    assert_eq!(old(&named), ["260901-auth-extra.md"], "a longer name is another file's");
    assert!(reason(&named, "260901-auth.md").contains("(a/plan.md)"), "and the text that names it is said");
    assert_eq!(old(&sorted(rows(), "")).len(), 2, "the control: a plan that names nothing keeps nothing");
}

#[test]
fn a_chain_goes_whole_or_stays_whole() {
    let mut head = row("260901-long.md", 90 * DAY);
    head.handoff.continuation = Some(Inert::new("260901-long.HANDOFF-2.md"));
    let link = || row("260901-long.HANDOFF-2.md", 90 * DAY);
    let other = || row("260701-other.md", 90 * DAY);
    let kept = sorted(vec![head.clone(), link(), other()], "260901-long is what we do");
    assert_eq!(old(&kept), ["260701-other.md"], "with its head the rest of a chain stays");
    let swept = sorted(vec![head, other()], "");
    assert_eq!(old(&swept).len(), 2, "the control: alone it goes");
}
