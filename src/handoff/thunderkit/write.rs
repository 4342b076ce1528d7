//! Writes a v1 file: keys in the format's order, every text in double quotes, so that `no`, `1e5`, `null`,
//! `0123`, `#`, quotes, line breaks and control characters all come back as the text they were.
//!
//! What [`document`] returns was read back by this room's own reader, is strict, and says the same; anything
//! else is refused with the reader's problems. Nothing that cannot be read again is ever handed out.

use chrono::{DateTime, SecondsFormat, Utc};

use super::super::{
    Fields, Habit, Handoff, Inert, Lane, ModelIdentity, Moment, Problem, Root, Severity, Source, Value, inert,
};
use super::{read, schema};

/// Everything that a v1 file says. `None` is written as null, which the format reads as "unknown".
///
/// ```
/// use moorline::handoff::thunderkit::write::{self, Document};
/// use moorline::handoff::{BranchName, CommitId, Inert, RelPath, Root};
///
/// let text = write::document(&Document {
///     saved_at: "2026-09-18T07:42:10Z".parse().expect("a time"),
///     root: Root {
///         repository: Some("git.example/marlpit/gullwrite".into()),
///         branch: BranchName::parse("no").ok(),
///         head: CommitId::parse(&"7".repeat(40)).ok(),
///         north_star: RelPath::parse(".thunderkit/NORTH_STAR.md").ok(),
///         current_stage: Some("9 # Execute".into()),
///         ..Root::default()
///     },
///     lanes: Vec::new(),
///     decisions: vec!["keep retries at 3: more would hide the fault".into()],
///     next_action: "fix issue #12 now".into(),
///     open_unknowns: "none".into(),
/// });
/// assert!(text.is_ok_and(|text| text.contains("branch: \"no\"\n")));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The instant of the save; written to the second, in UTC.
    pub saved_at: DateTime<Utc>,
    /// The root's facts. `repository`, `head`, `north_star` and `current_stage` are needed. `branch: None` with
    /// `detached` false is an unknown branch, for which the format has no word, and is refused. The contract
    /// may lie at most three levels deep.
    pub root: Root,
    /// The lanes in order. `id`, `origin`, `status` and `resumability` are needed; `structurally_resumable` and
    /// `fields` are not written (the one is the reader's judgement, the other its raw view).
    pub lanes: Vec<Lane>,
    /// What was decided, one text each; none of them blank.
    pub decisions: Vec<Inert>,
    /// What to do next; not blank.
    pub next_action: Inert,
    /// What nobody knows yet; the word `none` where there is nothing.
    pub open_unknowns: Inert,
}

/// The file's bytes as text, ending with a line feed, or the problems that its own reader would have with it.
pub fn document(document: &Document) -> Result<String, Vec<Problem>> {
    let mut text = String::from("# Handoff\n");
    write_map(&mut text, &root_fields(document), 0, None);
    let source =
        Source { bytes: text.as_bytes(), name: "HANDOFF.md", habit: Habit::Thunderkit, cut_from: None };
    let back = read(&source);
    if !back.strict {
        return Err(back.problems);
    }
    match difference(document, &back) {
        None => Ok(text),
        Some(key) => {
            let message = format!("`{key}` would be read back as something else");
            Err(vec![
                Problem::whole(Severity::Error, "not-writable", message)
                    .help("leave a text out rather than blank, and say a branch or that there is none"),
            ])
        }
    }
}

/// The first key that was not read back as it was given.
fn difference(given: &Document, back: &Handoff) -> Option<&'static str> {
    let instant = back.saved_at.as_ref().map(|saved| saved.moment);
    let text = |key: &str| back.fields.get(key).and_then(|field| field.value.as_text());
    let lanes = back.lanes.iter().zip(&given.lanes).all(|(back, given)| {
        let own = Lane { structurally_resumable: false, fields: Fields::default(), ..back.clone() };
        own == Lane { structurally_resumable: false, fields: Fields::default(), ..given.clone() }
    });
    [
        ("saved_at", instant == Some(Moment::Instant(seconds(given.saved_at).fixed_offset()))),
        ("root", same_root(back.root(), &given.root)),
        ("lanes_in_flight", lanes && back.lanes.len() == given.lanes.len()),
        ("decisions_this_session", back.decisions == given.decisions),
        ("next_action", text("next_action") == Some(&given.next_action)),
        ("open_unknowns", text("open_unknowns") == Some(&given.open_unknowns)),
    ]
    .into_iter()
    .find_map(|(key, same)| (!same).then_some(key))
}

/// The roots without the lines on which a contract's fields stand.
fn same_root(back: Option<&Root>, given: &Root) -> bool {
    let bare = |root: &Root| Root {
        model_contract: root.model_contract.as_ref().map(without_lines),
        ..root.clone()
    };
    back.is_some_and(|back| bare(back) == bare(given))
}

fn without_lines(value: &Value) -> Value {
    match value {
        Value::List(items) => Value::List(items.iter().map(without_lines).collect()),
        Value::Map(fields) => {
            let mut bare = Fields::default();
            for field in fields {
                bare.push(field.name.clone(), without_lines(&field.value), 0);
            }
            Value::Map(bare)
        }
        other => other.clone(),
    }
}

fn seconds(time: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp(time.timestamp(), 0).unwrap_or(time)
}

fn root_fields(document: &Document) -> Fields {
    let root = &document.root;
    let saved_at = document.saved_at.to_rfc3339_opts(SecondsFormat::Secs, true);
    in_order(
        &schema::ROOT,
        [
            Value::Number(1.into()),
            Value::text(saved_at),
            text(root.context_at_save.as_ref()),
            text(root.repository.as_ref()),
            word(root.branch.as_ref()),
            word(root.head.as_ref()),
            word(root.north_star.as_ref()),
            text(root.current_stage.as_ref()),
            word(root.active_artifact.as_ref()),
            word(root.active_artifact_sha256.as_ref()),
            root.model_contract.clone().unwrap_or(Value::Null),
            Value::List(document.lanes.iter().map(|lane| Value::Map(lane_fields(lane))).collect()),
            Value::List(document.decisions.iter().cloned().map(Value::Text).collect()),
            Value::Text(document.next_action.clone()),
            Value::Text(document.open_unknowns.clone()),
        ],
    )
}

fn lane_fields(lane: &Lane) -> Fields {
    in_order(
        &schema::LANE,
        [
            word(lane.id.as_ref()),
            word(lane.worktree.as_ref()),
            word(lane.branch.as_ref()),
            word(lane.head.as_ref()),
            one_of(&schema::HARNESSES, lane.harness),
            text(lane.harness_version.as_ref()),
            word(lane.session_id.as_ref()),
            one_of(&schema::CLASSES, lane.model_class),
            model(lane.requested_model.as_ref()),
            model(lane.effective_model.as_ref()),
            model(lane.observed_model.as_ref()),
            text(lane.observed_family.as_ref()),
            one_of(&schema::ORIGINS, lane.origin),
            text(lane.ecosystem.as_ref()),
            text(lane.package_version.as_ref()),
            text(lane.skill_name.as_ref()),
            word(lane.source.as_ref()),
            word(lane.source_sha256.as_ref()),
            word(lane.artifact.as_ref()),
            word(lane.artifact_sha256.as_ref()),
            one_of(&schema::STATUSES, lane.status),
            one_of(&schema::RESUMABILITIES, lane.resumability),
            text(lane.reason.as_ref()),
            Value::List(lane.evidence_paths.iter().map(|path| Value::text(path.as_str())).collect()),
        ],
    )
}

fn model(model: Option<&ModelIdentity>) -> Value {
    let Some(model) = model else { return Value::Null };
    let of = |inert: &Inert| Value::Text(inert.clone());
    let values =
        [of(&model.catalog_key), of(&model.provider), of(&model.model_id), text(model.effort.as_ref())];
    Value::Map(in_order(&schema::MODEL, values))
}

fn in_order<const N: usize>(keys: &[&str; N], values: [Value; N]) -> Fields {
    let mut fields = Fields::default();
    for (key, value) in keys.iter().zip(values) {
        fields.push(*key, value, 0);
    }
    fields
}

fn text(text: Option<&Inert>) -> Value {
    text.map_or(Value::Null, |text| Value::Text(text.clone()))
}

fn word(word: Option<impl ToString>) -> Value {
    word.map_or(Value::Null, |word| Value::text(word.to_string()))
}

fn one_of<T: Copy + PartialEq>(words: &[(&'static str, T)], meaning: Option<T>) -> Value {
    word(meaning.and_then(|meaning| schema::word_for(words, meaning)))
}

/// Writes a map's entries, one a line, at an indentation. `first`: what stands before the first key instead of
/// the indentation (`  - ` in a list).
fn write_map(out: &mut String, fields: &Fields, indent: usize, first: Option<&str>) {
    for (index, field) in fields.iter().enumerate() {
        match first.filter(|_| index == 0) {
            Some(lead) => out.push_str(lead),
            None => push_blanks(out, indent),
        }
        write_key(out, field.name.raw());
        out.push(':');
        write_value(out, &field.value, indent + 2);
    }
}

/// Writes a value behind a colon or a dash, up to its line's end; `indent` is where its block begins.
fn write_value(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::List(items) if !items.is_empty() => {
            out.push('\n');
            items.iter().for_each(|item| write_item(out, item, indent));
        }
        Value::Map(fields) if !fields.is_empty() => {
            out.push('\n');
            write_map(out, fields, indent, None);
        }
        scalar => {
            out.push(' ');
            write_scalar(out, scalar);
            out.push('\n');
        }
    }
}

fn write_item(out: &mut String, item: &Value, indent: usize) {
    let mut lead = " ".repeat(indent);
    lead.push_str("- ");
    match item {
        Value::Map(fields) if !fields.is_empty() => write_map(out, fields, indent + 2, Some(&lead)),
        item => {
            push_blanks(out, indent);
            out.push('-');
            write_value(out, item, indent + 2);
        }
    }
}

fn push_blanks(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}

fn write_scalar(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(yes) => out.push_str(if *yes { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::Text(text) => write_quoted(out, text.raw()),
        Value::List(_) => out.push_str("[]"),
        Value::Map(_) => out.push_str("{}"),
    }
}

/// A key of the format stands plain, any other in quotes.
fn write_key(out: &mut String, key: &str) {
    let known = schema::ROOT.contains(&key) || schema::LANE.contains(&key) || schema::MODEL.contains(&key);
    let word = key.len() > 3 && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    if known || (word && !matches!(key, "null" | "true" | "false")) {
        out.push_str(key);
    } else {
        write_quoted(out, key);
    }
}

/// A text in double quotes, with everything that a YAML parser or an eye may take for something else escaped.
fn write_quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if !inert::is_odd(c) && !matches!(c as u32 & 0xFFFF, 0xFFFE | 0xFFFF) => out.push(c),
            c => out.push_str(&match c as u32 {
                code @ 0..=0xFF => format!("\\x{code:02x}"),
                code @ 0x100..=0xFFFF => format!("\\u{code:04x}"),
                code => format!("\\U{code:08x}"),
            }),
        }
    }
    out.push('"');
}
