//! memtomem day files: append-only, many entries, of which only handoffs are read here.
//!
//! An entry is `## Handoff <uuid>`, `> created:`, `> tags:` and a record of thirteen one-line fields in a
//! `text` fence (older ones bare, and without `artifacts`). A record that is not exactly that is torn: it is
//! shown with every objection and never rebuilt by guessing.

mod record;
mod tags;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use self::record::{Body, body};
use super::fold::fold;
use super::ident::{CommitId, RecordId};
use super::inert::Inert;
use super::labels::is_nothing;
use super::markdown::Fence;
use super::model::{ClockSource, Family, Format, Handoff, MemtomemRecord, Record, SavedAt, Value};
use super::none::NOT_RECORDED;
use super::problem::{Position, Problem};
use super::time::Moment;

/// Reads every handoff of a day file, in file order. Other memories are no handoffs and are passed over.
pub(super) fn read(text: &str) -> Vec<Handoff> {
    let lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let mut handoffs: Vec<Handoff> =
        entries(&lines).iter().filter_map(|entry| Entry::parse(entry).map(Entry::judge)).collect();
    say_twice(&mut handoffs);
    handoffs
}

/// One entry: its first line from 1, and its lines.
struct Lines<'a> {
    first: usize,
    lines: &'a [&'a str],
}

/// Splits at headings outside of fences. A record's fence never holds a heading, so one that is still open
/// at the next handoff was torn and ends there.
fn entries<'a>(lines: &'a [&'a str]) -> Vec<Lines<'a>> {
    let mut starts = Vec::new();
    let mut fence: Option<Fence<'_>> = None;
    let mut in_handoff = false;
    for (i, line) in lines.iter().enumerate() {
        let heading = line.strip_prefix("## ");
        let splits = match (&fence, heading) {
            (None, Some(_)) => true,
            (Some(_), Some(name)) => in_handoff && (handoff_id(name).is_some() || name.starts_with("Entry ")),
            _ => false,
        };
        if splits {
            starts.push(i);
            fence = None;
            in_handoff = heading.is_some_and(|name| name.starts_with("Handoff"));
            continue;
        }
        match (&fence, Fence::of(line)) {
            (None, Some(open)) => fence = Some(open),
            (Some(open), Some(close)) if close.closes(open) => fence = None,
            _ => {}
        }
    }
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    starts.iter().zip(ends).map(|(&from, to)| Lines { first: from + 1, lines: &lines[from..to] }).collect()
}

/// The id in a heading `Handoff <uuid>`.
fn handoff_id(heading: &str) -> Option<RecordId> {
    let (word, id) = heading.trim().split_once(char::is_whitespace)?;
    (word == "Handoff").then(|| RecordId::parse(id.trim()).ok()).flatten()
}

/// An entry that is a handoff, taken apart but not judged.
struct Entry<'a> {
    first: usize,
    last: usize,
    heading: &'a str,
    created: Option<(usize, &'a str)>,
    tags: Option<(usize, Vec<String>)>,
    body: Body<'a>,
    problems: Vec<Problem>,
}

impl<'a> Entry<'a> {
    /// Takes an entry apart; `None` when it is another kind of memory.
    fn parse(entry: &Lines<'a>) -> Option<Self> {
        let heading = entry.lines[0].trim_start_matches('#').trim();
        let mut problems = Vec::new();
        let mut created = None;
        let mut tags = None;
        let mut i = 1;
        while let Some(&line) = entry.lines.get(i) {
            let text = line.trim_start_matches(['>', ' ']).trim();
            if let Some(value) = text.strip_prefix("created:") {
                if created.replace((entry.first + i, value.trim())).is_some() {
                    problems.push(torn(entry.first + i, "a second `created` line"));
                }
            } else if let Some(value) = text.strip_prefix("tags:") {
                let (list, used) = tags::read(value.trim(), &entry.lines[i + 1..]);
                match list {
                    Some(list) => tags = Some((entry.first + i, list)),
                    None => problems.push(torn(entry.first + i, "the tags are not a list")),
                }
                i += used;
            } else if Fence::of(line).is_some() || record::is_field(line) {
                break;
            } else if !text.is_empty() {
                problems.push(torn(entry.first + i, "a line that is neither `created`, tags nor a record"));
            }
            i += 1;
        }
        let tagged = tags.as_ref().is_some_and(|(_, list)| list.iter().any(|tag| tag == "handoff"));
        let named = handoff_id(heading).is_some() || heading == "Handoff" && !problems.is_empty();
        if !tagged && !named {
            return None;
        }
        let rest = &entry.lines[i.min(entry.lines.len())..];
        let body = body(entry.first + i, rest, &mut problems);
        let used = entry.lines.iter().rposition(|line| !line.trim().is_empty()).unwrap_or(0);
        Some(Self { first: entry.first, last: entry.first + used, heading, created, tags, body, problems })
    }

    /// What the record says, and every objection to it.
    fn judge(mut self) -> Handoff {
        let mut handoff = Handoff::empty(Family::Memtomem, Format::Markdown);
        handoff.lines = (number(self.first), number(self.last));
        handoff.title = Some(Inert::from(self.heading)).filter(|title| !title.is_blank());
        handoff.saved_at = self.saved_at();
        handoff.record_id = self.ids();
        self.body.judge(self.last, &mut self.problems);
        for (name, line, value) in self.body.all() {
            handoff.fields.push(name, Value::text(value), number(line));
        }
        if let Some((line, list)) = &self.tags {
            let list = list.iter().map(|tag| Value::text(tag.as_str())).collect();
            handoff.fields.push("tags", Value::List(list), number(*line));
        }
        handoff.readable = self.body.all().next().is_some();
        // What a torn record says is shown raw; nothing is taken from it.
        if !self.problems.iter().any(Problem::is_error) {
            self.take(&mut handoff);
        }
        self.problems.sort_by_key(|problem| problem.at);
        handoff.problems = self.problems;
        handoff
    }

    fn saved_at(&mut self) -> Option<SavedAt> {
        let Some((line, written)) = self.created else {
            self.problems.push(torn(self.first, "no `created` line"));
            return None;
        };
        let moment = chrono::DateTime::parse_from_rfc3339(written).ok().map(Moment::Instant);
        if moment.is_none() {
            self.problems.push(torn(line, "`created` is not a time with a zone"));
        }
        Some(SavedAt { moment: moment?, written: Inert::from(written), source: ClockSource::Declared })
    }

    /// The id in the heading, the tag and the record must be one.
    fn ids(&mut self) -> Option<RecordId> {
        let heading = handoff_id(self.heading);
        let tagged: Vec<&str> = self
            .tags
            .iter()
            .flat_map(|(_, list)| list)
            .filter_map(|tag| tag.strip_prefix("handoff-id-"))
            .collect();
        let tag = tagged.first().and_then(|id| RecordId::parse(id).ok());
        let content = self.body.first("handoff_id");
        if heading.is_none() {
            self.problems.push(torn(self.first, "the heading names no canonical record id"));
        }
        let id = heading.or_else(|| tag.clone());
        let expected = id.as_ref().map(RecordId::as_str);
        if let Some((line, content)) = content.filter(|(_, content)| Some(*content) != expected) {
            let message = format!("the record's id {content:?} is not the one in the heading or tag");
            self.problems.push(Problem::error(Position::line(line), "ids-differ", message));
        }
        match &self.tags {
            Some((line, _)) if tagged.iter().any(|tag| Some(*tag) != expected) => {
                let message = "the id in the tags is not the one in the heading";
                self.problems.push(Problem::error(Position::line(*line), "ids-differ", message));
            }
            Some((line, _)) if tagged.is_empty() => {
                self.problems.push(Problem::note(
                    Position::line(*line),
                    "no-id-tag",
                    "no tag names the record's id",
                ));
            }
            None => self.problems.push(Problem::note(
                Position::line(self.first),
                "no-tags",
                "the entry has no tags",
            )),
            Some(_) => {}
        }
        id
    }

    /// The fields of a whole record, each in its type.
    fn take(&mut self, handoff: &mut Handoff) {
        let get = |name: &str| self.body.first(name);
        let text = |name: &str| {
            get(name)
                .map(|(_, value)| Inert::from(value))
                .filter(|text| !text.is_blank() && text.raw() != NOT_RECORDED)
        };
        let some = |name: &str| text(name).filter(|text| !is_nothing(text.raw()));
        let mut notes = Vec::new();
        let head = get("git_head").and_then(|(line, value)| match CommitId::parse(value) {
            Ok(id) => Some(id),
            Err(why) => {
                notes.push(Problem::note(Position::line(line), "git-head", why.to_string()));
                None
            }
        });
        let runtime = |name: &str, notes: &mut Vec<Problem>| {
            let (line, value) = get(name)?;
            let known = runtime(value);
            if known.is_none() {
                notes.push(Problem::note(
                    Position::line(line),
                    "unknown-runtime",
                    format!("{name} is no known runtime"),
                ));
            }
            Some(Inert::from(known.unwrap_or(value)))
        };
        handoff.commit = head.clone().map(Into::into);
        handoff.next_actions = some("next_action").into_iter().collect();
        handoff.blockers = some("blockers").into_iter().collect();
        let record = MemtomemRecord {
            from_runtime: runtime("from_runtime", &mut notes),
            to_runtime: runtime("to_runtime", &mut notes),
            project_root: text("project_root"),
            objective: text("objective"),
            git_head: head,
            worktree_state: text("worktree_state"),
            changed_files: paths(get("changed_files").map(|(_, value)| value)),
            artifacts: paths(get("artifacts").map(|(_, value)| value)),
        };
        if let Some(problem) = self.other_recipient(&record) {
            notes.push(problem);
        }
        handoff.record = Record::Memtomem(Box::new(record));
        self.problems.append(&mut notes);
    }

    /// A tag that names another recipient than the record.
    fn other_recipient(&self, record: &MemtomemRecord) -> Option<Problem> {
        let (line, list) = self.tags.as_ref()?;
        let to = record.to_runtime.as_ref()?;
        let tagged = list.iter().filter_map(|tag| tag.strip_prefix("handoff-to-"));
        let other = tagged.map(|tag| runtime(tag).unwrap_or(tag)).find(|tag| *tag != to.raw())?;
        let message = format!("the tags say it is for {other}, the record says {}", to.raw());
        Some(Problem::note(Position::line(*line), "recipients-differ", message))
    }
}

/// The runtimes that memtomem knows, in its spelling; `any` is everybody.
pub const RUNTIMES: [&str; 6] =
    ["any", "claude-code", "codex-cli", "kimi-code", "opencode", "antigravity-cli"];

/// A runtime's name in memtomem's spelling; `None` for one that memtomem does not know.
pub fn runtime(name: &str) -> Option<&'static str> {
    Some(match fold(name).as_str() {
        "claude code" | "claude" => "claude-code",
        "codex cli" | "codex" => "codex-cli",
        "kimi code" | "kimi" => "kimi-code",
        "opencode" => "opencode",
        "antigravity cli" | "antigravity" | "agy" => "antigravity-cli",
        "any" => "any",
        _ => return None,
    })
}

/// Paths separated by commas, without the count of those left out.
fn paths(value: Option<&str>) -> Vec<Inert> {
    let value = value.filter(|value| !is_nothing(value)).unwrap_or("");
    let parts = value.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
    parts
        .filter(|part| !is_omitted_count(part))
        .map(|part| Inert::from(part.split(" +").next().unwrap_or(part)))
        .collect()
}

/// `+3 omitted`.
fn is_omitted_count(part: &str) -> bool {
    part.strip_prefix('+').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn torn(line: usize, why: impl Into<String>) -> Problem {
    Problem::error(Position::line(line), "torn", Inert::new(format!("torn record: {}", why.into())))
        .help("records are never repaired; save the handoff again")
}

fn number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

/// One id on several records: each says so.
fn say_twice(handoffs: &mut [Handoff]) {
    let mut counts = HashMap::<RecordId, usize>::new();
    for id in handoffs.iter().filter_map(|handoff| handoff.record_id.clone()) {
        *counts.entry(id).or_default() += 1;
    }
    for handoff in handoffs {
        let count = handoff.record_id.as_ref().and_then(|id| counts.get(id)).copied().unwrap_or(0);
        if count > 1 {
            let at = Position::line(handoff.lines.0 as usize);
            handoff.problems.push(Problem::note(
                at,
                "id-twice",
                format!("{count} records of this file have this id"),
            ));
        }
    }
}
