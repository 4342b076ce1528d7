//! Handoffs of no fixed shape: markdown, plain text, JSON and YAML as people and other tools write them.
//!
//! The rules are the same for all: a known name decides what a value is, the value must plainly be one, and
//! where the file says nothing or contradicts itself, there is no value.

mod data;
mod facts;
mod json;
mod lists;
mod markdown;
mod prose;
mod rolling;
mod standing;
mod yaml;

pub(super) use data::front_matter;
pub(super) use lists::open_items;
pub(super) use markdown::read_page;

use super::model::{ClockSource, Format, Handoff, SavedAt};
use super::problem::{Position, Problem};
use super::time::read::{Reading, file_name};

/// Reads a freeform file's text.
pub(super) fn read(text: &str, format: Format) -> Handoff {
    match format {
        Format::Json => json::read(text),
        Format::Yaml => yaml::read(text),
        Format::Markdown | Format::Text => markdown::read(text, format),
    }
}

/// The date in a file's name, where the file itself says none.
pub(super) fn date_from_name(handoff: &mut Handoff, name: &str) {
    match file_name(name) {
        Reading::Found(moment) if handoff.readable => {
            let written = name.into();
            handoff.saved_at = Some(SavedAt { moment, written, source: ClockSource::Filename });
        }
        _ => {}
    }
}

/// A note on a date that cannot be used.
pub(super) fn doubtful_date(line: u32, written: &str, why: &str) -> Problem {
    let at = Position { line, column: 1 };
    let shown: String = written.chars().take(60).collect();
    Problem::note(at, "date-not-read", format!("the date {shown:?} was not read: {why}"))
        .help("write it as YYYY-MM-DD or with a zone as RFC 3339")
}
