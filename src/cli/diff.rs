//! `moorline diff`: a handoff against an earlier version of it, and open items that vanished between the two.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

use serde::Serialize;

use super::args::Diff;
use super::desk::Desk;
use super::shape::path_text;
use super::{Answer, Stop, print_json, text};
use crate::check::{Past, Summary, Version};
use crate::handoff::Inert;
use crate::handoff::count_of;
use crate::handoff::difference::{self, DiffLine};
use crate::place::Listed;
use crate::repo::RepoError;

/// `moorline.diff/1`
#[derive(Serialize)]
struct DiffDocument<'a> {
    schema: &'static str,
    id: &'a str,
    path: String,
    /// The earlier version.
    from: Side<'a>,
    /// The present one.
    to: Side<'a>,
    lines: Vec<LineShape>,
    /// Open items of the earlier version that this one neither has nor calls done.
    vanished: &'a [Inert],
    summary: Summary,
}

#[derive(Serialize)]
struct Side<'a> {
    name: &'a str,
    place: &'a Inert,
}

/// One line: `same`, `gone` or `new` with its text, or `left_out` with a number of unchanged lines.
#[derive(Serialize)]
struct LineShape {
    change: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Inert>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
}

/// Compares; answers yes where there was an earlier version to compare with.
pub fn run(desk: &Desk, args: &Diff, out: &mut dyn Write) -> Result<Answer, Stop> {
    let row = desk.one(Some(&args.name))?;
    let earlier = earlier(desk, &row, args.version.as_deref())?;
    let Some(now) = desk.examiner.present(&row) else {
        return Err(Stop::no(format!("{} cannot be read", text::path(&row.path))));
    };
    let lines = difference::lines(&earlier.text, &now.text);
    let vanished = desk.examiner.vanished(&row, &earlier.text, &now.text);
    if args.json {
        let done = format!("compared with {}", earlier.name);
        let document = DiffDocument {
            schema: "moorline.diff/1",
            id: &row.id,
            path: path_text(&row.path),
            from: Side { name: &earlier.name, place: &earlier.place },
            to: Side { name: &now.name, place: &now.place },
            lines: lines.iter().map(shape).collect(),
            vanished: &vanished,
            summary: Summary::plain(done, "check it"),
        };
        print_json(&document, out)?;
    } else {
        words(&earlier, &now, &lines, &vanished, out)?;
    }
    Ok(Answer::Yes)
}

/// The version that is meant: so many steps back, one of the history by its commit, or another handoff.
fn earlier(desk: &Desk, row: &Arc<Listed>, named: Option<&str>) -> Result<Version, Stop> {
    let listing = desk.listing();
    let steps = match named {
        None => Some(1),
        Some(named) if named.len() <= 3 => named.parse::<usize>().ok(),
        Some(_) => None,
    };
    let is_meant = |past: &Past, number: usize| match (steps, named) {
        (Some(steps), _) => number == steps,
        (None, Some(named)) => {
            named.len() >= 4 && (past.name.starts_with(named) || named.starts_with(&past.name))
        }
        (None, None) => false,
    };
    let (mut count, mut found) = (0, None);
    let why = desk.examiner.past(row, &listing.rows, &mut |past| {
        count += 1;
        if is_meant(&past, count) {
            found = Some(past);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    if let Some(past) = found {
        let version = desk.examiner.version(row, &past);
        return version.ok_or_else(|| Stop::no(format!("{} cannot be read", past.place.shown_line())));
    }
    if steps.is_some() {
        return Err(Stop::no(match &why {
            Some(why) if count == 0 => format!("its history cannot be read: {why}"),
            why => no_version(row, count, why.as_ref()),
        }));
    }
    let named = named.unwrap_or_default();
    let is_number = named.bytes().all(|byte| byte.is_ascii_digit());
    let other = match desk.one(Some(named)) {
        // So many versions back, as far as anybody can tell.
        Err(Stop::Said(Answer::No, _)) if is_number => {
            return Err(Stop::no(no_version(row, count, why.as_ref())));
        }
        other => other?,
    };
    desk.examiner
        .present(&other)
        .ok_or_else(|| Stop::no(format!("{} cannot be read", text::path(&other.path))))
}

/// That there is no such version, and which there are.
fn no_version(row: &Listed, count: usize, unread: Option<&RepoError>) -> String {
    let versions = count_of(count, "earlier version", "earlier versions");
    let (path, unread) =
        (text::path(&row.path), unread.map(|why| format!("; its history cannot be read: {why}")));
    let next = match count {
        0 => {
            "no commit before has another one, no save kept replaced bytes of it, and there is no older handoff of its \
             series: `moorline diff NAME OTHER` compares it with another handoff"
                .to_owned()
        }
        1 => "say 1, or nothing".to_owned(),
        _ => format!("say 1 to {count}, 1 being the last one"),
    };
    match count {
        0 => format!("{path} has no earlier version: {next}{}", unread.unwrap_or_default()),
        _ => format!("{path} has {versions}: {next}{}", unread.unwrap_or_default()),
    }
}

fn shape(line: &DiffLine) -> LineShape {
    let (change, text, count) = match line {
        DiffLine::Same(text) => ("same", Some(text), None),
        DiffLine::Gone(text) => ("gone", Some(text), None),
        DiffLine::New(text) => ("new", Some(text), None),
        DiffLine::LeftOut(count) => ("left_out", None, Some(*count)),
    };
    LineShape { change, text: text.map(|text| Inert::from(text.as_str())), count }
}

fn words(
    earlier: &Version,
    now: &Version,
    lines: &[DiffLine],
    vanished: &[Inert],
    out: &mut dyn Write,
) -> Result<(), Stop> {
    writeln!(out, "--- {}\n+++ {}", earlier.place.shown_line(), now.place.shown_line())?;
    if lines.is_empty() {
        writeln!(out, "  (no line differs)")?;
    }
    for line in lines {
        let said = |text: &str| Inert::from(text).shown_line();
        match line {
            DiffLine::Same(text) => writeln!(out, "  {}", said(text))?,
            DiffLine::Gone(text) => writeln!(out, "- {}", said(text))?,
            DiffLine::New(text) => writeln!(out, "+ {}", said(text))?,
            DiffLine::LeftOut(count) => writeln!(out, "  … {count} unchanged lines")?,
        }
    }
    if !vanished.is_empty() {
        writeln!(out, "\nOpen before, and now neither done nor open:")?;
        for item in vanished {
            writeln!(out, "  {}", item.shown_line())?;
        }
    }
    Ok(())
}
