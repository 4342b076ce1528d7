//! thunderkit's first strict schema: the root, the lanes, and what they mean for everybody.

use chrono::DateTime;
use std::collections::HashMap;

use super::super::none::NOT_RECORDED;
use super::super::{
    ClockSource, Family, Fields, Format, Handoff, Inert, Moment, Position, Problem, Record, Revision, Root,
    SavedAt, Value,
};
use super::findings::Findings;
use super::gate::Tree;
use super::lane;
use super::node::{Entry, Kind, Style};
use super::schema;
use super::section::{Null, Section};

/// Fills a handoff from what the gate saw, and reports every breach of the format. Whether the file is strict
/// is not known yet when this returns: the witness has to be heard.
pub(super) fn read(tree: &Tree<'_>, findings: &mut Findings) -> Handoff {
    let mut handoff = Handoff::empty(Family::Thunderkit, Format::Yaml);
    let mut section = Section::new(&tree.entries, Position::line(1), findings);
    section.has_exactly(&schema::ROOT);
    schema_version(&mut section);
    handoff.saved_at = saved_at(&mut section);
    narrative(&mut section, &mut handoff, Null::Refused);
    let root = root(&mut section, &handoff);
    handoff.branch = root.branch.clone();
    handoff.commit = root.head.clone().map(Revision::from).or_else(|| abbreviated(&section));
    handoff.lanes = lanes(&mut section);
    handoff.fields = fields(&tree.entries);
    handoff.record = Record::Thunderkit(Box::new(root));
    handoff
}

/// The texts that people read, which both generations of the format have.
pub(super) fn narrative(section: &mut Section<'_, '_>, handoff: &mut Handoff, null: Null) {
    handoff.phase = section.text("current_stage", null);
    handoff.decisions = section.texts("decisions_this_session");
    handoff.next_actions = section.text("next_action", null).into_iter().collect();
    let unknowns = section.text("open_unknowns", null);
    let says = |text: &Inert| !says_none(text) && text.raw() != NOT_RECORDED;
    handoff.open_items = unknowns.into_iter().filter(says).collect();
}

/// The form's own word for "nothing is open".
fn says_none(text: &Inert) -> bool {
    text.raw().trim_end_matches('.').eq_ignore_ascii_case("none")
}

/// Every recorded field by name: texts as they were written, the contract and the schema number resolved,
/// everything else as YAML reads it.
pub(super) fn fields(entries: &[Entry<'_>]) -> Fields {
    let mut fields = Fields::default();
    for Entry { key, at, value } in entries {
        let value = match key.as_str() {
            "schema_version" | "model_contract" => value.resolved(),
            "lanes_in_flight" => lane_values(value),
            key if schema::is_text(key) => value.as_written(),
            _ => value.as_read(),
        };
        fields.push(key.clone(), value, at.line);
    }
    fields
}

fn lane_values(list: &super::node::Node<'_>) -> Value {
    match &list.kind {
        Kind::List(items) => Value::List(
            items
                .iter()
                .map(|item| match &item.kind {
                    Kind::Map(entries) => Value::Map(fields(entries)),
                    _ => item.as_read(),
                })
                .collect(),
        ),
        _ => list.as_read(),
    }
}

fn root(section: &mut Section<'_, '_>, handoff: &Handoff) -> Root {
    Root {
        repository: section.name("repository", Null::Refused),
        branch: section.ident("branch", Null::Allowed),
        detached: section.is_null("branch"),
        head: section.ident("head", Null::Refused),
        north_star: section.ident("north_star", Null::Refused),
        current_stage: handoff.phase.clone(),
        active_artifact: section.ident("active_artifact", Null::Allowed),
        active_artifact_sha256: section.ident("active_artifact_sha256", Null::Allowed),
        model_contract: contract(section),
        context_at_save: section.text("context_at_save", Null::Allowed),
    }
}

/// The one version this reader knows, written as the plain digit: `"1"`, `0x1` and `+1` are something else.
fn schema_version(section: &mut Section<'_, '_>) {
    let Some(value) = section.value("schema_version", Null::Refused) else { return };
    let Some(entry) = section.entry("schema_version") else { return };
    let plain = entry.value.as_scalar().is_some_and(|scalar| scalar.style == Style::Plain);
    let at = entry.value.at;
    if !plain || !value.bytes().all(|b| b.is_ascii_digit()) {
        section.report(
            Problem::error(at, "wrong-type", "`schema_version` must be a plain number").help("write 1"),
        );
    } else if value != "1" {
        section.report(
            Problem::error(at, "unsupported-schema", format!("schema version {value} is not known here"))
                .help("this reader knows version 1"),
        );
    }
}

/// An instant in RFC 3339. Where it is none, the day it begins with is still shown.
fn saved_at(section: &mut Section<'_, '_>) -> Option<SavedAt> {
    let value = section.value("saved_at", Null::Refused)?;
    let at = section.entry("saved_at").map_or(Position::line(1), |entry| entry.value.at);
    let instant = DateTime::parse_from_rfc3339(value).map(Moment::Instant).ok();
    let moment = match instant.filter(Moment::is_plausible) {
        Some(moment) => {
            if matches!(moment, Moment::Instant(time) if time.offset().local_minus_utc() != 0) {
                section.report(Problem::note(at, "not-utc", "`saved_at` is not in UTC"));
            }
            moment
        }
        None => {
            section.report(
                Problem::error(at, "malformed-time", "`saved_at` is not an RFC 3339 time")
                    .help("like 2026-09-18T07:42:10Z"),
            );
            super::legacy::day(value)?
        }
    };
    Some(SavedAt { moment, written: Inert::from(value), source: ClockSource::Declared })
}

/// An abbreviated head names a commit well enough to be shown, and is no head to compare with.
fn abbreviated(section: &Section<'_, '_>) -> Option<Revision> {
    let scalar = section.entry("head")?.value.as_scalar()?;
    Revision::parse_labelled(scalar.value.as_deref()?).ok()
}

/// The contract in any layout.
fn contract(section: &mut Section<'_, '_>) -> Option<Value> {
    section.map("model_contract")?;
    let entry = section.entry("model_contract")?;
    section.is_harmless(&entry.value, "model_contract");
    Some(entry.value.resolved())
}

fn lanes(section: &mut Section<'_, '_>) -> Vec<super::super::Lane> {
    let mut lanes = Vec::new();
    let mut ids = HashMap::<String, u32>::new();
    for item in section.list("lanes_in_flight").unwrap_or_default() {
        let Kind::Map(entries) = &item.kind else {
            let what = "an entry of `lanes_in_flight` is not a map of fields";
            section.report(Problem::error(item.at, "wrong-type", what).help("begin it with `- id: …`"));
            continue;
        };
        let lane = lane::read(entries, &mut section.below(entries, item.at));
        if let Some(id) = &lane.id
            && let Some(line) = ids.insert(id.to_string(), item.at.line)
        {
            section.report(
                Problem::error(
                    item.at,
                    "duplicate-lane",
                    format!("lane `{id}` is there twice, first on line {line}"),
                )
                .help("give every lane a name of its own"),
            );
        }
        if !lane::is_blank_form(entries) {
            lanes.push(lane);
        }
    }
    lanes
}
