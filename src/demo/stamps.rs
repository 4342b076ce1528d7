//! Fills the sample's texts with times relative to now, so that a demo is as fresh as the morning it is run.

use chrono::{DateTime, FixedOffset};

use crate::handoff::age::Clock;

/// Now, and what the placeholders of a text stand for.
pub struct Stamps {
    now: DateTime<FixedOffset>,
}

impl Stamps {
    /// For this instant, in this zone.
    pub fn new(clock: Clock) -> Self {
        let zone = FixedOffset::east_opt(clock.east)
            .unwrap_or_else(|| FixedOffset::east_opt(0).expect("UTC is a zone"));
        let now = DateTime::from_timestamp(clock.unix, 0).unwrap_or_default().with_timezone(&zone);
        Self { now }
    }

    /// Seconds since 1970, `ago` (`14h`, `9d`) before now.
    pub fn seconds(&self, ago: &str) -> i64 {
        self.at(ago).timestamp()
    }

    /// `YYMMDD`, `ago` before now.
    pub fn yymmdd(&self, ago: &str) -> String {
        self.at(ago).format("%y%m%d").to_string()
    }

    /// RFC 3339 in UTC with milliseconds, `ago` before now.
    pub fn rfc3339(&self, ago: &str) -> String {
        self.at(ago).to_utc().format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
    }

    /// Fills every `{{…}}`: `{{utc:14h}}`, `{{local:2h}}`, `{{day:9d}}`, `{{yymmdd:6d}}`, and the given names.
    pub fn fill(&self, text: &str, names: &[(&str, &str)]) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            out.push_str(before);
            let Some((name, after)) = after.split_once("}}") else {
                out.push_str("{{");
                rest = after;
                continue;
            };
            out.push_str(&self.value(name, names));
            rest = after;
        }
        out.push_str(rest);
        out
    }

    fn value(&self, name: &str, names: &[(&str, &str)]) -> String {
        if let Some((_, value)) = names.iter().find(|(known, _)| *known == name) {
            return (*value).to_owned();
        }
        match name.split_once(':') {
            Some(("utc", ago)) => self.at(ago).to_utc().format("%Y-%m-%dT%H:%M:%SZ").to_string(),
            Some(("local", ago)) => self.at(ago).format("%Y-%m-%d %H:%M").to_string(),
            Some(("day", ago)) => self.at(ago).format("%Y-%m-%d").to_string(),
            Some(("yymmdd", ago)) => self.yymmdd(ago),
            _ => name.to_owned(),
        }
    }

    fn at(&self, ago: &str) -> DateTime<FixedOffset> {
        let (number, unit) = ago.split_at(ago.len().saturating_sub(1));
        let number: i64 = number.parse().unwrap_or(0);
        let seconds = match unit {
            "m" => 60,
            "h" => 3_600,
            _ => 86_400,
        };
        self.now - chrono::TimeDelta::seconds(number * seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_become_times_and_names() {
        let stamps = Stamps::new(Clock { unix: 1_796_000_000, east: 3_600 });
        let text = stamps.fill("{{utc:1h}} {{day:1d}} {{yymmdd:0d}} {{head}} {{", &[("head", "abc")]);
        assert_eq!(
            text, "2026-11-29T23:53:20Z 2026-11-29 261130 abc {{",
            "each kind is filled, the rest stays"
        );
    }
}
