//! Times as handoffs write them: an instant where a zone is said, else a calendar day with the clock beside it.

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveTime, Utc};
use serde::{Serialize, Serializer};

mod hijri;
pub mod read;
mod words;

/// An instant with its offset, or a calendar day (with the local time of day, where one was written).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Moment {
    /// A time with a zone or offset.
    Instant(DateTime<FixedOffset>),
    /// A day without a zone; the time of day is in the writer's unknown local zone.
    Day(NaiveDate, Option<NaiveTime>),
}

impl Moment {
    /// The calendar day as written.
    pub fn day(&self) -> NaiveDate {
        match self {
            Self::Instant(at) => at.date_naive(),
            Self::Day(day, _) => *day,
        }
    }

    /// A place on one time line for ordering: instants as they are, days as local time in `zone_east` seconds.
    /// Out-of-range values saturate instead of panicking.
    pub fn order_key(&self, zone_east: i32) -> i64 {
        match self {
            Self::Instant(at) => at.timestamp(),
            Self::Day(day, time) => day
                .and_time(time.unwrap_or(NaiveTime::MIN))
                .and_utc()
                .timestamp()
                .saturating_sub(i64::from(zone_east)),
        }
    }

    /// Whether the year is one in which a handoff can have been written.
    pub fn is_plausible(&self) -> bool {
        (1970..=9999).contains(&self.day().year())
    }

    /// RFC 3339 where a zone is known, else `YYYY-MM-DD`.
    pub fn to_text(&self) -> String {
        match self {
            Self::Instant(at) if at.offset().local_minus_utc() == 0 => {
                at.with_timezone(&Utc).to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true)
            }
            Self::Instant(at) => at.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true),
            Self::Day(day, _) => day.format("%Y-%m-%d").to_string(),
        }
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_text())
    }
}
