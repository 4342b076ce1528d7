//! Facts out of named values, wherever they come from: JSON, YAML or front matter.

use std::collections::HashMap;

use chrono::DateTime;

use super::{doubtful_date, yaml};
use crate::handoff::facts::{branch_of, commit_beside_branch, commit_of};
use crate::handoff::fold::fold_identifier;
use crate::handoff::inert::Inert;
use crate::handoff::labels::{self, Known, Label, is_nothing, is_placeholder};
use crate::handoff::markdown::{Kind, Line};
use crate::handoff::model::{ClockSource, Family, Field, Fields, Format, Handoff, SavedAt, Value};
use crate::handoff::problem::{Position, Problem};
use crate::handoff::time::Moment;
use crate::handoff::time::read::{self, DayOrder, Reading};

/// Front matter as a small handoff of its own.
pub(in crate::handoff) struct Front {
    /// What it says.
    pub handoff: Handoff,
    /// Which kind of date it gives.
    pub date_label: Label,
    /// The file that continues this one.
    pub continuation: Option<Inert>,
}

impl Front {
    /// The line of a field that means this.
    pub fn line_of(&self, name: &str) -> u32 {
        self.handoff
            .fields
            .iter()
            .find(|f| fold_identifier(f.name.raw()).contains(name))
            .map_or(0, |f| f.line)
    }
}

/// Reads the front matter of these lines; empty where there is none.
pub(in crate::handoff) fn front_matter(lines: &[Line<'_>]) -> Front {
    let front =
        lines.iter().filter(|line| line.kind == Kind::Front).map(|line| (line.number, line.text.as_ref()));
    let fields = yaml::parse(front).fields;
    let continuation = fields.get("continuation").and_then(|f| f.value.as_text()).cloned();
    let continuation = continuation.filter(|text| !is_nothing(text.raw()) && !is_placeholder(text.raw()));
    let mut handoff = Handoff::empty(Family::Freeform, Format::Markdown);
    let date_label = fill(&mut handoff, fields);
    Front { handoff, date_label, continuation }
}

/// Names of mappings whose entries say as much as those of the file itself; folded.
const CONTAINERS: &[&str] = &[
    "git",
    "repo",
    "repository",
    "vcs",
    "scm",
    "handoff",
    "handover",
    "session",
    "meta",
    "metadata",
    "context",
    "state",
    "status",
    "project",
    "workspace",
    "info",
    "summary",
    "data",
    "payload",
    "current",
    "snapshot",
    "git state",
    "git status",
    "git info",
    "git context",
    "checkpoint",
    "now",
    "work",
    "code",
    "current state",
    "repo state",
    "version control",
    "source control",
    "header",
    "frontmatter",
    "resume",
    "progress",
    "worktree",
    "working copy",
];

/// How deep facts are looked for.
const DEEPEST: usize = 3;

/// Fills a handoff from its named values; says what kind of date was found.
pub(super) fn fill(handoff: &mut Handoff, fields: Fields) -> Label {
    let mut found = Vec::new();
    collect(&fields, 0, &mut found, &mut handoff.problems);
    // What stands further out, and what is named more exactly, says it first.
    found.sort_by_key(|entry| entry.depth);
    let all = |label: Label| found.iter().filter(move |entry| entry.known.label == label);

    handoff.title = all(Label::Title)
        .find_map(|entry| text_of(&entry.field.value))
        .filter(|text| says_something(text.raw()));
    let mut date_label = Label::Created;
    for label in [Label::Saved, Label::Dated, Label::Created] {
        let dates = all(label).filter_map(|entry| date_of(entry, &mut handoff.problems));
        if let Some(saved) = dates.max_by_key(|saved| saved.moment.day()) {
            handoff.saved_at = Some(saved);
            date_label = label;
            break;
        }
    }
    handoff.branch = all(Label::Branch).find_map(|entry| {
        inner(&entry.field.value, &["name", "current", "branch", "head"]).and_then(|text| branch_of(&text))
    });
    handoff.commit = all(Label::Commit)
        .find_map(|entry| {
            inner(&entry.field.value, &["sha", "hash", "id", "commit", "full", "short", "short sha", "oid"])
                .or_else(|| digits_of(&entry.field.value))
                .filter(|text| !is_eight_digits(text))
                .and_then(|text| commit_of(&text))
        })
        .or_else(|| {
            all(Label::Branch).find_map(|entry| commit_beside_branch(entry.field.value.as_text()?.raw()))
        });
    handoff.phase = all(Label::Phase)
        .find_map(|entry| text_of(&entry.field.value))
        .filter(|text| says_something(text.raw()));
    handoff.status = all(Label::Status).find_map(|entry| text_of(&entry.field.value));
    let first = |labels: &[Label]| {
        labels
            .iter()
            .flat_map(|&label| all(label))
            .map(|entry| texts_of(&entry.field.value))
            .find(|texts| !texts.is_empty())
            .unwrap_or_default()
    };
    let named_next =
        all(Label::Next).filter(|entry| matches!(entry.key.as_str(), "next action" | "next step"));
    let named_next = named_next.map(|entry| texts_of(&entry.field.value)).find(|texts| !texts.is_empty());
    handoff.next_actions = named_next.unwrap_or_else(|| first(&[Label::Next, Label::Todo]));
    let says_blockers = all(Label::Blockers).next().is_some();
    handoff.blockers = if says_blockers { first(&[Label::Blockers]) } else { first(&[Label::Trouble]) };
    handoff.decisions = first(&[Label::Decisions]);
    handoff.open_items =
        all(Label::Open).chain(all(Label::Todo)).flat_map(|entry| texts_of(&entry.field.value)).collect();
    handoff.readable = fields.iter().any(|field| is_content(&field.value, 0));
    handoff.fields = fields;
    date_label
}

/// Fills a handoff from the newest of several entries: by date, where every entry has one.
pub(super) fn fill_newest(handoff: &mut Handoff, entries: Vec<Value>) {
    let mut all: Vec<Fields> = Vec::new();
    let mut rest = Vec::new();
    for entry in entries {
        match entry {
            Value::Map(fields) => all.push(fields),
            other => rest.push(other),
        }
    }
    let day = |fields: &Fields| {
        let mut probe = Handoff::empty(Family::Freeform, Format::Json);
        fill(&mut probe, fields.clone());
        probe.saved_at.map(|saved| saved.moment.order_key(0))
    };
    let days: Option<Vec<i64>> = all.iter().map(day).collect();
    let newest = days
        .and_then(|days| days.into_iter().enumerate().max_by_key(|&(i, day)| (day, std::cmp::Reverse(i))));
    match newest.filter(|_| rest.is_empty()) {
        Some((i, _)) => {
            fill(handoff, all.swap_remove(i));
        }
        None => {
            handoff.readable = !all.is_empty() || !rest.is_empty();
            rest.extend(all.into_iter().map(Value::Map));
            handoff.fields.push("", Value::List(rest), 1);
        }
    }
}

/// A named value that means something.
struct Entry<'a> {
    key: String,
    known: Known,
    field: &'a Field,
    depth: usize,
}

/// Collects what is known, in file order; a name said twice with two values says nothing.
fn collect<'a>(fields: &'a Fields, depth: usize, out: &mut Vec<Entry<'a>>, problems: &mut Vec<Problem>) {
    let mut first_of = HashMap::<&Inert, &Field>::new();
    let mut differing = HashMap::<&Inert, u32>::new();
    for field in fields {
        let first = *first_of.entry(&field.name).or_insert(field);
        if first.value != field.value {
            differing.entry(&field.name).or_insert(field.line);
        }
    }
    for field in fields {
        if let Some(&line) = differing.get(&field.name) {
            if std::ptr::eq(first_of[&field.name], field) {
                let message =
                    format!("{:?} is said again with another value: none is taken", field.name.shown_line());
                problems.push(Problem::note(
                    Position { line: line.max(1), column: 1 },
                    "duplicate-key",
                    message,
                ));
            }
            continue;
        }
        let key = fold_identifier(field.name.raw());
        if let Value::Map(inner) = &field.value
            && depth < DEEPEST
            && (CONTAINERS.contains(&key.as_str()) || depth == 0 && fields.iter().count() == 1)
        {
            collect(inner, depth + 1, out, problems);
        }
        if let Some(known) = labels::of_key(&key) {
            out.push(Entry { key, known, field, depth });
        }
    }
}

fn date_of(entry: &Entry<'_>, problems: &mut Vec<Problem>) -> Option<SavedAt> {
    let (moment, written) = match &entry.field.value {
        Value::Text(text) => match read::value(text.raw(), entry.known.order) {
            Reading::Found(moment) => (moment, text.clone()),
            Reading::Doubtful(why) => {
                problems.push(doubtful_date(entry.field.line.max(1), text.raw(), why));
                return None;
            }
            Reading::Nothing => (epoch(text.raw().trim().parse().ok()?)?, text.clone()),
        },
        Value::Number(n) => {
            let written = n.to_string();
            let compact = matches!(written.len(), 8)
                .then(|| read::value(&written, DayOrder::Unknown).moment())
                .flatten();
            (
                compact.or_else(|| epoch(n.as_i64().or_else(|| n.as_f64().map(|f| f as i64))?))?,
                Inert::from(written),
            )
        }
        _ => return None,
    };
    Some(SavedAt { moment, written, source: ClockSource::Declared })
}

/// Seconds or milliseconds since 1970, where they lie in this century.
fn epoch(n: i64) -> Option<Moment> {
    let seconds = match n {
        946_684_800..=4_102_444_800 => n,
        946_684_800_000..=4_102_444_800_000 => n / 1000,
        _ => return None,
    };
    DateTime::from_timestamp(seconds, 0).map(|at| Moment::Instant(at.fixed_offset()))
}

/// The text of a value, or of the entry of a mapping that names it.
fn inner(value: &Value, names: &[&str]) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.raw().to_owned()),
        Value::Map(fields) => names
            .iter()
            .find_map(|name| fields.iter().find(|f| fold_identifier(f.name.raw()) == *name))
            .and_then(|f| f.value.as_text())
            .map(|text| text.raw().to_owned()),
        _ => None,
    }
}

/// A whole number in its own digits: an abbreviated commit id without quotes around it.
fn digits_of(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) if number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

/// Programs that write data put days and serial numbers there in eight digits: no abbreviation is told from them.
fn is_eight_digits(text: &str) -> bool {
    let text = text.trim();
    text.len() == 8 && text.bytes().all(|b| b.is_ascii_digit())
}

/// Names of the entry that says what a step, blocker or decision is; folded.
const TEXT_NAMES: &[&str] = &[
    "description",
    "action",
    "title",
    "text",
    "summary",
    "step",
    "task",
    "what",
    "blocker",
    "issue",
    "decision",
    "question",
    "item",
    "name",
    "reason",
    "message",
    "content",
    "todo",
    "next",
    "detail",
    "details",
    "subject",
    "label",
];

fn text_of(value: &Value) -> Option<Inert> {
    match value {
        Value::Text(text) => Some(text.clone()).filter(|text| !text.is_blank()),
        Value::Number(n) => Some(Inert::from(n.to_string())),
        Value::Map(fields) => TEXT_NAMES
            .iter()
            .find_map(|name| fields.iter().find(|f| fold_identifier(f.name.raw()) == *name))
            .and_then(|f| f.value.as_text().cloned()),
        _ => None,
    }
}

/// Words of a status that say an entry is over.
const OVER: &[&str] = &[
    "done",
    "completed",
    "complete",
    "resolved",
    "closed",
    "fixed",
    "finished",
    "cancelled",
    "canceled",
    "skipped",
];

/// The texts of a list that still count, in order; a text alone is a list of one.
fn texts_of(value: &Value) -> Vec<Inert> {
    let is_over = |item: &Value| match item {
        Value::Map(fields) => {
            fields.iter().any(|f| match (&f.value, fold_identifier(f.name.raw()).as_str()) {
                (Value::Text(text), "status" | "state") => OVER.contains(&text.raw().to_lowercase().as_str()),
                (Value::Bool(yes), "done" | "completed" | "resolved") => *yes,
                _ => false,
            })
        }
        _ => false,
    };
    let texts = match value {
        // A count of steps is no step.
        Value::Number(_) => Vec::new(),
        Value::List(items) => items.iter().filter(|item| !is_over(item)).filter_map(text_of).collect(),
        Value::Map(fields) => match text_of(value) {
            Some(text) => vec![text],
            None => of_parts(fields),
        },
        other => text_of(other).into_iter().flat_map(lines_of_list).collect(),
    };
    texts.into_iter().filter(|text| says_something(text.raw())).collect()
}

/// The texts of a mapping in parts: what comes first (`{immediate: …, later: […]}`), else its first list that is named
/// for something that counts now.
fn of_parts(fields: &Fields) -> Vec<Inert> {
    let key = |field: &Field| fold_identifier(field.name.raw());
    let label = |field: &Field| labels::of_key(&key(field)).map(|known| known.label);
    let comes_first = |field: &&Field| label(field) == Some(Label::Next);
    let counts = |field: &&Field| {
        matches!(&field.value, Value::List(_))
            && (label(field).is_some_and(|label| label != Label::Past)
                || TEXT_NAMES.contains(&key(field).trim_end_matches('s')))
    };
    let texts = |field: &Field| Some(texts_of(&field.value)).filter(|texts| !texts.is_empty());
    let first = fields.iter().filter(comes_first).find_map(texts);
    first.or_else(|| fields.iter().filter(counts).find_map(texts)).unwrap_or_default()
}

/// A block of text that is itself a list gives its items.
fn lines_of_list(text: Inert) -> Vec<Inert> {
    let raw = text.raw();
    if !raw.contains('\n') {
        return vec![text];
    }
    let items =
        raw.lines().filter_map(|line| crate::handoff::items::marked(line).map(|item| Inert::from(item.text)));
    let items: Vec<Inert> = items.collect();
    if items.is_empty() {
        vec![Inert::new(raw.split('\n').map(str::trim).collect::<Vec<_>>().join(" "))]
    } else {
        items
    }
}

fn says_something(text: &str) -> bool {
    !is_nothing(text) && !is_placeholder(text)
}

fn is_content(value: &Value, depth: usize) -> bool {
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::Number(_) => false,
        Value::Text(text) => {
            !text.is_blank() && !is_placeholder(text.raw()) && !text.raw().trim().starts_with('<')
        }
        Value::List(items) => depth < 8 && items.iter().any(|item| is_content(item, depth + 1)),
        Value::Map(fields) => depth < 8 && fields.iter().any(|f| is_content(&f.value, depth + 1)),
    }
}
