use super::*;
use crate::place::order::{natural, order};
use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};

fn now() -> DateTime<Utc> {
    DateTime::parse_from_rfc3339("2026-11-30T12:00:00Z").unwrap().to_utc()
}

fn ordered(rows: Vec<Listed>) -> Vec<String> {
    let mut rows: Vec<_> = rows.into_iter().map(Arc::new).collect();
    order(&mut rows, now());
    paths(&rows).into_iter().map(str::to_owned).collect()
}

fn at(row: Listed, moment: Moment, source: ClockSource) -> Listed {
    Listed { saved_at: SavedAt { moment, written: Inert::new(""), source }, ..row }
}

#[test]
fn newest_first_and_what_cannot_be_believed_last() {
    let day = |y, m, d| Moment::Day(NaiveDate::from_ymd_opt(y, m, d).unwrap(), None);
    let instant = |text| saved(text, ClockSource::Declared).moment;
    let rows = vec![
        at(row("/p", "mtime-b.md"), instant("2026-11-29T00:00:00Z"), ClockSource::Mtime),
        at(row("/p", "far-future.md"), day(2099, 1, 1), ClockSource::Heading),
        at(row("/p", "old.md"), day(2026, 3, 1), ClockSource::Filename),
        at(row("/p", "1969.md"), day(1969, 12, 31), ClockSource::Declared),
        at(row("/p", "tomorrow.md"), instant("2026-12-01T11:59:59Z"), ClockSource::Declared),
        at(row("/p", "mtime-a.md"), instant("2026-01-01T00:00:00Z"), ClockSource::Mtime),
        at(row("/p", "commit.md"), instant("2026-11-28T10:00:00+05:45"), ClockSource::Commit),
        at(row("/p", "day-after.md"), instant("2026-12-01T12:00:01Z"), ClockSource::Declared),
        at(row("/p", "huge.md"), Moment::Day(NaiveDate::MAX, Some(NaiveTime::MIN)), ClockSource::Declared),
    ];
    let expected = [
        "tomorrow.md",
        "commit.md",
        "old.md",
        "mtime-a.md",
        "mtime-b.md",
        "huge.md",
        "far-future.md",
        "day-after.md",
        "1969.md",
    ];
    assert_eq!(
        ordered(rows),
        expected,
        "dated rows by their date, up to a day ahead; then mtime rows by path, never by mtime; impossible dates last"
    );
}

#[test]
fn ties_are_broken_by_line_then_by_path_as_people_count() {
    let noon = |row| dated(row, "2026-09-01T12:00:00Z");
    let rows = vec![
        noon(row("/p", "HANDOFF-15.md")),
        noon(record(row("/p", "HANDOFF-1.md"), "00000000-0000-4000-8000-000000000001", 3)),
        noon(row("/p", "HANDOFF-2.md")),
        noon(record(row("/p", "HANDOFF-1.md"), "00000000-0000-4000-8000-000000000002", 40)),
    ];
    let mut rows: Vec<_> = rows.into_iter().map(Arc::new).collect();
    order(&mut rows, now());
    let got: Vec<_> = rows.iter().map(|row| (row.relative.to_str().unwrap(), row.handoff.lines.0)).collect();
    let expected = [("HANDOFF-1.md", 40), ("HANDOFF-1.md", 3), ("HANDOFF-2.md", 1), ("HANDOFF-15.md", 1)];
    assert_eq!(got, expected, "the later record of one file stands first, then 2 before 15");
    let mut names = ["a10b2", "a2", "a10", "b", "a1x", "a02", "a10b10", "a", "a1"].map(Path::new);
    names.sort_by(|a, b| natural(a, b));
    let counted = ["a", "a1", "a1x", "a02", "a2", "a10", "a10b2", "a10b10", "b"].map(Path::new);
    assert_eq!(
        names, counted,
        "numbers anywhere are compared as numbers, and different names are never equal"
    );
}

#[test]
fn five_thousand_rows_have_one_order_whatever_their_mtimes_and_arrival() {
    let day = NaiveDate::from_ymd_opt(2026, 1, 1).unwrap();
    let rows = |stir: u64| -> Vec<Listed> {
        // A fixed shuffle per run: multiplying by a number coprime to 5,000 visits every index once.
        let visit = (0..5_000_u64).map(|i| (i * (stir * 2 + 7) * 3 + stir) % 5_000);
        let mut rows: Vec<Listed> = visit
            .map(|i| {
                let base =
                    Listed { modified: (i * stir % 977) as i64, ..row("/p", &format!("handoffs/{i}.md")) };
                let date = day.checked_add_days(Days::new(i % 330)).unwrap();
                match i % 5 {
                    0 => at(base, Moment::Day(date, None), ClockSource::Filename),
                    1 => at(base, Moment::Day(date, NaiveTime::from_hms_opt(2, 30, 0)), ClockSource::Heading),
                    2 => dated(base, &format!("{date}T23:50:00+05:45")),
                    3 => dated(base, &format!("{date}T23:50:00-08:00")),
                    // No date anywhere: the mtime is all there is, and it is different in every run.
                    _ => {
                        let instant =
                            DateTime::from_timestamp(base.modified * 1_000, 0).unwrap().fixed_offset();
                        at(base, Moment::Instant(instant), ClockSource::Mtime)
                    }
                }
            })
            .collect();
        rows.rotate_left(stir as usize * 100);
        rows
    };
    let first = ordered(rows(1));
    assert_ne!(
        paths(&rows(1).into_iter().map(Arc::new).collect::<Vec<_>>()),
        first,
        "control: rows arrive unsorted"
    );
    for stir in [2, 3, 5, 8, 10] {
        assert!(ordered(rows(stir)) == first, "run {stir} must have the order of the first run");
    }
}

#[test]
fn the_parts_of_a_handoff_stand_under_its_head_and_are_never_the_newest() {
    let goes_on = |mut row: Listed, name: &str| {
        row.handoff.continuation = Some(Inert::new(name));
        row
    };
    let titled = |mut row: Listed, title: &str| {
        row.handoff.title = Some(Inert::new(title));
        row
    };
    let committed =
        |row: Listed, instant: &str| Listed { saved_at: saved(instant, ClockSource::Commit), ..row };
    let rows = vec![
        goes_on(dated(row("/p", "plans/a/HANDOFF.md"), "2026-11-20T10:00:00Z"), "HANDOFF-2.md"),
        goes_on(committed(row("/p", "plans/a/HANDOFF-2.md"), "2026-11-25T10:00:00Z"), "HANDOFF-10.md"),
        committed(row("/p", "plans/a/HANDOFF-10.md"), "2026-11-25T10:00:00Z"),
        dated(row("/p", "plans/a/HANDOFF-3.md"), "2026-11-19T10:00:00Z"),
        dated(row("/p", "later.md"), "2026-11-21T10:00:00Z"),
        titled(committed(row("/p", "lone/HANDOFF-2.md"), "2026-11-28T10:00:00Z"), "Handoff, part 2 of 3"),
        // Two that name each other have no head.
        goes_on(dated(row("/p", "loop/HANDOFF.md"), "2026-11-18T10:00:00Z"), "HANDOFF-2.md"),
        goes_on(dated(row("/p", "loop/HANDOFF-2.md"), "2026-11-17T10:00:00Z"), "HANDOFF.md"),
        goes_on(dated(row("/p", "self.md"), "2026-11-16T10:00:00Z"), "self.md"),
        goes_on(dated(row("/p", "out.md"), "2026-11-15T10:00:00Z"), "../p/later.md"),
    ];
    let (rows, _) = settled(rows);
    let expected = [
        "later.md",
        "plans/a/HANDOFF.md",
        "plans/a/HANDOFF-2.md",
        "plans/a/HANDOFF-10.md",
        "plans/a/HANDOFF-3.md",
        "loop/HANDOFF.md",
        "loop/HANDOFF-2.md",
        "self.md",
        "out.md",
        "lone/HANDOFF-2.md",
    ];
    assert_eq!(paths(&rows), expected, "a chain as it is read, a part without a head last");
    let parts: Vec<_> = rows.iter().filter(|row| row.is_part()).map(|row| row.relative.clone()).collect();
    assert_eq!(parts.len(), 3, "no loop, no series by hand and no file elsewhere is a part: {parts:?}");
    let link = &rows[2];
    assert_eq!(link.saved_at, rows[1].saved_at, "a part that says no date has its head's clock");
    assert_eq!(link.part.as_ref().map(|part| part.number), Some(2), "and is counted");
    // The head goes away: what it went on in is a handoff of its own again.
    let (again, _) = place::settle(
        rows.iter()
            .filter(|row| row.path != Path::new("/p/plans/a/HANDOFF.md"))
            .cloned()
            .map(Found::Row)
            .collect(),
    );
    let heads: Vec<_> = again.iter().filter(|row| row.part.is_some()).map(|row| &row.relative).collect();
    assert_eq!(heads, [Path::new("plans/a/HANDOFF-10.md")], "whose continuation is its part");
}
