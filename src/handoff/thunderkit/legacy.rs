//! thunderkit's first release: a header on one line and lanes on one line each. It is shown as it stands; a
//! lane's stored command is text, and nothing in such a file ever authorises anything.

use chrono::{NaiveDate, NaiveTime};

use super::super::{
    ClockSource, Family, Fields, Format, Handoff, Inert, Lane, LaneId, Moment, Position, Problem, Record,
    RelPath, Revision, Root, SavedAt, Value,
};
use super::findings::Findings;
use super::gate::Tree;
use super::node::{Entry, Kind, Node, without_comment};
use super::schema::STATUSES;
use super::section::{Null, Section};
use super::v1;

/// What separates the facts of the header line.
const DOT: char = '·';

/// Whether a file has the shape of the first release: a header of several facts on the line of `saved_at`, or,
/// without any schema version, a lane with its command on one line.
pub(super) fn is_legacy(tree: &Tree<'_>) -> bool {
    let entry = |key: &str| tree.entries.iter().find(|entry| entry.key == key);
    let header = entry("saved_at").is_some_and(|entry| entry.value.raw.contains(DOT));
    let one_line_lane = || match entry("lanes_in_flight").map(|entry| &entry.value.kind) {
        Some(Kind::List(items)) => items.iter().any(|item| split_lane(item.raw).len() > 1),
        _ => false,
    };
    entry("schema_version").is_none() && (header || one_line_lane())
}

/// Reads such a file. What the gate objected to does not count: this shape never was YAML.
pub(super) fn read(tree: &Tree<'_>, findings: &mut Findings) -> Handoff {
    let mut handoff = Handoff::empty(Family::ThunderkitLegacy, Format::Yaml);
    let mut unheard = Findings::default();
    let mut section = Section::new(&tree.entries, Position::line(1), &mut unheard);
    v1::narrative(&mut section, &mut handoff, Null::Allowed);
    let mut root = Root {
        current_stage: handoff.phase.clone(),
        north_star: section.ident("north_star", Null::Allowed),
        active_artifact: section.ident("active_artifact", Null::Allowed),
        ..Root::default()
    };
    for entry in &tree.entries {
        match (entry.key.as_str(), &entry.value.kind) {
            ("saved_at", _) => header(entry, &mut handoff, &mut root),
            ("lanes_in_flight", Kind::List(items)) => {
                handoff.lanes = items.iter().map(lane).collect();
                let lanes = handoff.lanes.iter().map(|lane| Value::Map(lane.fields.clone())).collect();
                handoff.fields.push("lanes_in_flight", Value::List(lanes), entry.at.line);
            }
            _ => handoff.fields.push(entry.key.clone(), entry.value.as_written(), entry.at.line),
        }
    }
    handoff.record = Record::Thunderkit(Box::new(root));
    findings.add(
        Problem::note(Position::line(1), "legacy-format", "written by thunderkit's first release")
            .help("it can be read; its lanes can never be resumed from here"),
    );
    handoff
}

/// `saved_at: YYYY-MM-DD HH:MM · head: <short> · context_at_save: ~NN%`.
fn header(entry: &Entry<'_>, handoff: &mut Handoff, root: &mut Root) {
    let mut facts = without_comment(entry.value.raw).split(DOT).map(str::trim);
    let time = facts.next().unwrap_or_default();
    handoff.fields.push("saved_at", Value::text(time), entry.at.line);
    handoff.saved_at =
        day(time).map(|moment| SavedAt { moment, written: Inert::from(time), source: ClockSource::Declared });
    for fact in facts {
        let Some((key, value)) = fact.split_once(':').map(|(key, value)| (key.trim(), value.trim())) else {
            continue;
        };
        handoff.fields.push(key, Value::text(value), entry.at.line);
        match key {
            "head" => handoff.commit = Revision::parse_labelled(value).ok(),
            "context_at_save" => root.context_at_save = Some(Inert::from(value)),
            _ => {}
        }
    }
    root.head = handoff.commit.as_ref().and_then(Revision::full);
}

/// A day, with the time of day where one is written: `YYYY-MM-DD[ HH:MM[:SS]]`.
pub(super) fn day(text: &str) -> Option<Moment> {
    let (date, time) = text.split_at_checked(10)?;
    let date = NaiveDate::parse_from_str(date, "%Y-%m-%d").ok()?;
    let time = time.trim_start_matches(['T', ' ']);
    let clock = ["%H:%M", "%H:%M:%S"].iter().find_map(|form| NaiveTime::parse_from_str(time, form).ok());
    Some(Moment::Day(date, clock)).filter(Moment::is_plausible)
}

fn lane(item: &Node<'_>) -> Lane {
    let mut fields = Fields::default();
    let mut lane = Lane::default();
    for (key, value) in split_lane(item.raw) {
        fields.push(key, Value::text(value), item.at.line);
        match key {
            "id" => lane.id = LaneId::parse(value).ok(),
            "status" => {
                lane.status = STATUSES.iter().find(|(word, _)| *word == value).map(|(_, status)| *status);
            }
            "worktree" => lane.worktree = RelPath::parse(value).ok(),
            _ => {}
        }
    }
    lane.fields = fields;
    lane
}

/// The facts of a lane's line, each up to the next key. The last `status:` is the lane's own, whatever a
/// command before it says.
fn split_lane(raw: &str) -> Vec<(&'static str, &str)> {
    let raw = without_comment(raw);
    let mut starts = Vec::new();
    let mut from = 0;
    for key in ["id", "worktree", "model", "resume", "status"] {
        let rest = raw.get(from..).unwrap_or_default();
        let mark = format!("{key}: ");
        let begins =
            |&(at, _): &(usize, &str)| from + at == 0 || rest.get(..at).is_some_and(|b| b.ends_with(' '));
        let found = match key {
            "status" => rest.rmatch_indices(&mark).find(begins),
            _ => rest.match_indices(&mark).find(begins),
        };
        if let Some((at, _)) = found {
            starts.push((key, from + at, from + at + mark.len()));
            from += at + mark.len();
        }
    }
    let ends = starts.iter().skip(1).map(|&(_, begin, _)| begin).chain([raw.len()]);
    starts
        .iter()
        .zip(ends)
        .filter_map(|(&(key, _, value), end)| Some((key, raw.get(value..end)?.trim())))
        .collect()
}
