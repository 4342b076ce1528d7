//! `moorline show`: what one handoff says, whatever its family; nothing is compared.

use std::io::Write;
use std::sync::Arc;

use super::args::Show;
use super::desk::Desk;
use super::naming;
use super::shape::{HandoffShape, HandoffsDocument};
use super::text;
use super::{Answer, Stop, print_json};
use crate::check::{Summary, Version, lane_name};
use crate::handoff::none::{Topic, is_data, says_none};
use crate::handoff::{BranchName, Field, Handoff, Inert, Lane, Revision, Value, count_of};
use crate::place::{Listed, State};

/// thunderkit's field of its lanes, which are shown lane by lane.
const LANES: &str = "lanes_in_flight";
/// How many lines of a page are shown.
const MOST_LINES: usize = 400;
/// How much of one line is shown, in characters.
const LONGEST_LINE: usize = 2_000;

/// Shows every record that the name means.
pub fn run(desk: &Desk, args: &Show, out: &mut dyn Write) -> Result<Answer, Stop> {
    let rows = desk.find(&args.name)?;
    if args.json {
        let done = format!("showed {}", count_of(rows.len(), "handoff", "handoffs"));
        print_json(
            &HandoffsDocument {
                schema: "moorline.show/1",
                handoffs: rows.iter().map(|row| HandoffShape::whole(row)).collect::<Vec<_>>(),
                remote: None,
                missing: None,
                summary: Summary::plain(done, "check it"),
            },
            out,
        )?;
    } else {
        for row in &rows {
            words(desk, row, out)?;
        }
    }
    Ok(Answer::Yes)
}

fn words(desk: &Desk, row: &Arc<Listed>, out: &mut dyn Write) -> Result<(), Stop> {
    let handoff = &row.handoff;
    writeln!(out, "{}", handoff.title.as_ref().map_or_else(|| text::path(&row.relative), Inert::shown_line))?;
    writeln!(out, "  path      {}", text::path(&row.path))?;
    if row.state != State::Live {
        writeln!(out, "  state     {}", naming::put_away(row).trim_start_matches("is "))?;
    }
    let saved = row.saved_at.moment.to_text();
    writeln!(out, "  saved     {saved} ({})", text::row_age(row, desk.clock))?;
    let lines: [(&str, Option<String>); 4] = [
        ("phase", handoff.phase.as_ref().map(Inert::shown_line)),
        ("status", handoff.status.as_ref().map(Inert::shown_line)),
        ("branch", handoff.branch.as_ref().map(ToString::to_string)),
        ("commit", handoff.commit.as_ref().map(ToString::to_string)),
    ];
    for (name, value) in lines {
        writeln!(out, "  {name:<9} {}", value.unwrap_or_else(|| "– not recorded".to_owned()))?;
    }
    let lists = [
        ("next", Topic::Next, &handoff.next_actions),
        ("blockers", Topic::Blockers, &handoff.blockers),
        ("decisions", Topic::Decisions, &handoff.decisions),
        ("open", Topic::Open, &handoff.open_items),
    ];
    // Data is its fields; a page is its text, of which the fields are parts.
    let is_data = is_data(handoff);
    let page = if is_data { None } else { desk.examiner.present(row) };
    for (name, topic, items) in lists {
        if items.is_empty() {
            let said = says_none(handoff, page.as_ref().map(|page| page.text.as_str()), topic);
            writeln!(out, "  {name:<9} – {}", if said { "none" } else { "not recorded" })?;
        }
        for (index, item) in items.iter().enumerate() {
            writeln!(out, "  {:<9} {}", if index == 0 { name } else { "" }, item.shown_line())?;
        }
    }
    if is_data {
        let is_lanes = |field: &&Field| field.name.raw() == LANES && !handoff.lanes.is_empty();
        for field in handoff.fields.iter().filter(|field| !is_said(handoff, field) && !is_lanes(field)) {
            said(field, out)?;
        }
        handoff.lanes.iter().enumerate().try_for_each(|(number, one)| lane(handoff, number, one, out))?;
    }
    for problem in &handoff.problems {
        let place = problem.at.map(|at| format!("line {}:{} ", at.line, at.column)).unwrap_or_default();
        writeln!(
            out,
            "  {}: {place}{}",
            if problem.is_error() { "error" } else { "note" },
            problem.message.shown_line()
        )?;
    }
    if !is_data {
        body(page, row, out)?;
    }
    Ok(())
}

/// A field, on a line for each of a list's maps.
fn said(field: &Field, out: &mut dyn Write) -> Result<(), Stop> {
    let name = field.name.shown_line();
    let cut = |value: &Value| text::cut(&self::value(value), LONGEST_LINE);
    match &field.value {
        Value::List(items) if items.iter().any(|item| matches!(item, Value::Map(_))) => {
            for (number, item) in (1..).zip(items) {
                writeln!(out, "  {name} {number} = {}", cut(item))?;
            }
        }
        value => writeln!(out, "  {name} = {}", cut(value))?,
    }
    Ok(())
}

/// A lane: each recorded field on a line of its own and whole, because ids are copied from here.
fn lane(handoff: &Handoff, number: usize, lane: &Lane, out: &mut dyn Write) -> Result<(), Stop> {
    writeln!(out, "  lane {}", lane_name(handoff, number))?;
    for field in lane.fields.iter().filter(|field| field.name.raw() != "id" && field.value != Value::Null) {
        let value = text::cut(&value(&field.value), LONGEST_LINE);
        writeln!(out, "    {:<17} {value}", field.name.shown_line())?;
    }
    Ok(())
}

/// Whether a field's words stand in the lines above already.
fn is_said(handoff: &Handoff, field: &Field) -> bool {
    let one = [&handoff.title, &handoff.phase, &handoff.status];
    let lists = [&handoff.next_actions, &handoff.blockers, &handoff.decisions, &handoff.open_items];
    let ids =
        [handoff.branch.as_ref().map(BranchName::as_str), handoff.commit.as_ref().map(Revision::as_str)];
    let says = |text: &Inert| {
        one.into_iter().flatten().any(|said| said == text)
            || lists.into_iter().flatten().any(|said| said == text)
            || ids.contains(&Some(text.raw()))
    };
    match &field.value {
        Value::Text(text) => says(text),
        Value::List(items) => !items.is_empty() && items.iter().all(|item| item.as_text().is_some_and(says)),
        _ => false,
    }
}

/// The page itself, made inert, as far as [`MOST_LINES`] go.
fn body(page: Option<Version>, row: &Listed, out: &mut dyn Write) -> Result<(), Stop> {
    let Some(now) = page else {
        writeln!(out, "\n  (the file cannot be read now)")?;
        return Ok(());
    };
    writeln!(out)?;
    for line in now.text.lines().take(MOST_LINES) {
        writeln!(out, "  │ {}", text::cut(&Inert::from(line).shown_line(), LONGEST_LINE).trim_end())?;
    }
    match now.text.lines().count().saturating_sub(MOST_LINES) {
        0 => Ok(()),
        more => Ok(writeln!(out, "  … {more} more lines in {}", text::path(&row.path))?),
    }
}

/// A value on one line.
fn value(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => text.shown_line(),
        Value::List(items) => format!("[{}]", items.iter().map(self::value).collect::<Vec<_>>().join(", ")),
        Value::Map(fields) => {
            let inside: Vec<_> = fields
                .iter()
                .map(|field| format!("{}: {}", field.name.shown_line(), self::value(&field.value)))
                .collect();
            format!("{{{}}}", inside.join(", "))
        }
    }
}
