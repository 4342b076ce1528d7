//! How old something is, in words: `2h`, `4d`; and the time itself, always with its zone.

use chrono::{DateTime, FixedOffset};

use super::{ClockSource, Moment, SavedAt};

/// What the wall clock says. It comes in with every action, so that the core needs no clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// Seconds since 1970.
    pub unix: i64,
    /// The local zone's offset in seconds east of UTC.
    pub east: i32,
}

impl Clock {
    /// Seconds that have passed since a saved time; negative when it lies ahead.
    pub fn since(&self, saved: &Moment) -> i64 {
        self.unix.saturating_sub(saved.order_key(self.east))
    }

    /// Seconds since midnight in the local zone.
    fn since_midnight(&self) -> i64 {
        self.unix.saturating_add(i64::from(self.east)).rem_euclid(DAY)
    }
}

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
/// Seconds of a day.
pub const DAY: i64 = 24 * HOUR;

/// Days that have passed since a saved day of which no hour is known, in the local zone; negative when it lies ahead.
fn days(clock: Clock, saved: &Moment) -> Option<i64> {
    let is_day = matches!(saved, Moment::Day(_, None));
    is_day.then(|| clock.since(saved).div_euclid(DAY))
}

/// An age in at most five columns: `now`, `5m`, `2h`, `14d`, `3mo`, `2y`; a time ahead of the clock is `+2h`. Of a
/// day without an hour, days are all that is known: `today`, `1d`.
pub fn short(clock: Clock, saved: &Moment) -> String {
    match days(clock, saved) {
        Some(0) => return "today".to_owned(),
        Some(days) if days < 0 => return format!("+{}", span(days.saturating_mul(-DAY))),
        Some(days) => return span(days.saturating_mul(DAY)),
        None => {}
    }
    let seconds = clock.since(saved);
    let text = span(seconds.saturating_abs());
    if seconds < -MINUTE { format!("+{text}") } else { text }
}

/// An age as part of a sentence: `2 h ago`, `in 3 d`; of a day without an hour `today`, `yesterday`, `tomorrow`.
pub fn sentence(clock: Clock, saved: &Moment) -> String {
    let days = days(clock, saved);
    match days {
        Some(0) => return "today".to_owned(),
        Some(1) => return "yesterday".to_owned(),
        Some(-1) => return "tomorrow".to_owned(),
        _ => {}
    }
    let seconds = days.map_or_else(|| clock.since(saved), |days| days.saturating_mul(DAY));
    let text = span(seconds.saturating_abs());
    let split = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    match (&text[..split], &text[split..]) {
        ("", word) => word.to_owned(),
        (n, unit) if seconds < 0 => format!("in {n} {unit}"),
        (n, unit) => format!("{n} {unit} ago"),
    }
}

/// Whether a saved time lies so far ahead of the clock that its age says so.
pub fn is_ahead(clock: Clock, saved: &Moment) -> bool {
    days(clock, saved).map_or_else(|| clock.since(saved) < -MINUTE, |days| days < 0)
}

/// How long something took or is, in its two largest units: `40 s`, `12 m`, `7 h`, `1 d 7 h`.
pub fn length(seconds: i64) -> String {
    match seconds.saturating_abs() {
        s if s < MINUTE => format!("{s} s"),
        s if s < HOUR => format!("{} m", s / MINUTE),
        s if s < DAY => format!("{} h", s / HOUR),
        s if s % DAY < HOUR => format!("{} d", s / DAY),
        s => format!("{} d {} h", s / DAY, s % DAY / HOUR),
    }
}

fn span(seconds: i64) -> String {
    match seconds {
        s if s < MINUTE => "now".to_owned(),
        s if s < HOUR => format!("{}m", s / MINUTE),
        s if s < DAY => format!("{}h", s / HOUR),
        s if s < 100 * DAY => format!("{}d", s / DAY),
        s if s < 730 * DAY => format!("{}mo", s / (30 * DAY)),
        s => format!("{}y", s / (365 * DAY)),
    }
}

/// Seconds until an age reads differently, at least a minute: the screen sleeps till then.
pub fn changes_in(clock: Clock, saved: &Moment) -> i64 {
    if days(clock, saved).is_some() {
        return (DAY - clock.since_midnight()).max(MINUTE);
    }
    let seconds = clock.since(saved).saturating_abs();
    let unit = if seconds < HOUR {
        MINUTE
    } else if seconds < DAY {
        HOUR
    } else {
        DAY
    };
    (unit - seconds % unit).max(MINUTE)
}

/// The time itself with its zone: `25 Mar 2026 14:10 +01:00`; a bare day has none and says so.
pub fn absolute(saved: &Moment) -> String {
    match saved {
        Moment::Instant(at) => instant(at),
        Moment::Day(day, Some(time)) => {
            format!("{} {} (zone not recorded)", day.format("%-d %b %Y"), time.format("%H:%M"))
        }
        Moment::Day(day, None) => day.format("%-d %b %Y").to_string(),
    }
}

fn instant(at: &DateTime<FixedOffset>) -> String {
    let zone =
        if at.offset().local_minus_utc() == 0 { "UTC".to_owned() } else { at.format("%:z").to_string() };
    format!("{} {zone}", at.format("%-d %b %Y %H:%M"))
}

/// Where a saved time was read, in a word.
pub fn source(saved: &SavedAt) -> &'static str {
    match saved.source {
        ClockSource::Declared => "declared",
        ClockSource::Heading => "heading",
        ClockSource::Filename => "file name",
        ClockSource::Commit => "commit",
        ClockSource::Mtime => "file time",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Moment {
        Moment::Instant(DateTime::parse_from_rfc3339(text).unwrap())
    }

    fn clock(text: &str) -> Clock {
        Clock { unix: DateTime::parse_from_rfc3339(text).unwrap().timestamp(), east: 0 }
    }

    #[test]
    fn ages_read_as_people_say_them() {
        let now = clock("2026-03-25T16:10:30Z");
        for (saved, age, words) in [
            ("2026-03-25T16:10:00Z", "now", "now"),
            ("2026-03-25T15:30:00+00:00", "40m", "40 m ago"),
            ("2026-03-25T14:10:00Z", "2h", "2 h ago"),
            ("2026-03-21T14:10:00Z", "4d", "4 d ago"),
            ("2026-03-25T18:10:30Z", "+2h", "in 2 h"),
            ("2025-10-01T00:00:00Z", "5mo", "5 mo ago"),
            ("2020-10-01T00:00:00Z", "5y", "5 y ago"),
        ] {
            assert_eq!(short(now, &at(saved)), age, "the short age of {saved}");
            assert_eq!(sentence(now, &at(saved)), words, "the age of {saved} in a sentence");
        }
    }

    #[test]
    fn of_a_day_without_an_hour_no_hour_is_guessed() {
        let day = |text: &str| Moment::Day(text.parse().unwrap(), None);
        let now = Clock { east: 9 * 3600, ..clock("2026-11-30T22:16:00Z") };
        for (saved, age, words) in [
            ("2026-12-01", "today", "today"),
            ("2026-11-30", "1d", "yesterday"),
            ("2026-11-28", "3d", "3 d ago"),
            ("2026-12-02", "+1d", "tomorrow"),
            ("2026-12-25", "+24d", "in 24 d"),
            ("2024-11-01", "2y", "2 y ago"),
        ] {
            assert_eq!(short(now, &day(saved)), age, "the short age of {saved}, by the reader's own day");
            assert_eq!(sentence(now, &day(saved)), words, "the age of {saved} in a sentence");
            assert_eq!(is_ahead(now, &day(saved)), age.starts_with('+'), "{saved} is told as ahead");
        }
        let west = Clock { east: 0, ..now };
        assert_eq!(short(west, &day("2026-11-30")), "today", "the same moment is another day further west");
        assert_eq!(changes_in(now, &day("2026-12-01")), 16 * HOUR + 44 * MINUTE, "it changes at midnight");
        let noon = Moment::Day("2026-12-01".parse().unwrap(), chrono::NaiveTime::from_hms_opt(5, 0, 0));
        assert_eq!(sentence(now, &noon), "2 h ago", "the control: an hour that is said is used");
    }

    #[test]
    fn a_length_is_said_in_two_units_at_most() {
        for (seconds, said) in
            [(0, "0 s"), (59, "59 s"), (3_599, "59 m"), (3_600, "1 h"), (86_400, "1 d"), (112_060, "1 d 7 h")]
        {
            assert_eq!(length(seconds), said, "{seconds} seconds");
        }
        assert!(length(i64::MIN).ends_with('h') || length(i64::MIN).ends_with('d'), "no length overflows");
    }

    #[test]
    fn a_time_never_stands_without_its_zone() {
        assert_eq!(
            absolute(&at("2026-03-25T14:10:00+01:00")),
            "25 Mar 2026 14:10 +01:00",
            "an offset is said"
        );
        assert_eq!(absolute(&at("2026-03-25T14:10:00Z")), "25 Mar 2026 14:10 UTC", "so is UTC");
        let day = chrono::NaiveDate::from_ymd_opt(2026, 3, 25).unwrap();
        assert_eq!(absolute(&Moment::Day(day, None)), "25 Mar 2026", "a day has no zone to say");
        assert!(
            absolute(&Moment::Day(day, chrono::NaiveTime::from_hms_opt(9, 5, 0)))
                .contains("zone not recorded"),
            "a local time says that its zone is not known"
        );
    }

    #[test]
    fn the_screen_sleeps_until_an_age_changes_and_never_less_than_a_minute() {
        let now = clock("2026-03-25T16:10:30Z");
        assert_eq!(changes_in(now, &at("2026-03-25T16:10:00Z")), 60, "minutes change every minute");
        assert_eq!(changes_in(now, &at("2026-03-25T14:10:30Z")), HOUR, "hours change on the hour");
        assert_eq!(changes_in(now, &at("2026-03-20T16:10:30Z")), DAY, "days change once a day");
    }

    #[test]
    fn extreme_times_do_not_overflow() {
        let far = Moment::Day(chrono::NaiveDate::MIN, None);
        let _ = (short(Clock { unix: i64::MAX, east: 0 }, &far), absolute(&far));
        let _ = short(Clock { unix: i64::MIN, east: 0 }, &Moment::Day(chrono::NaiveDate::MAX, None));
    }
}
