//! The second reader. A file that the gate and the format have nothing against is decoded once more, by
//! `serde_yaml` into structs that know no other key; only where both read the same is it strict.
//!
//! The gate alone would be one opinion about YAML. The library alone takes tags and aliases without a word,
//! turns `null` into the text "null" and lets a missing optional key pass. Neither has to be trusted.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

use super::super::{Position, Problem};
use super::findings::Findings;
use super::gate::Tree;
use super::node::{Entry, Kind, Node, Scalar, Style};

/// The whole file, every scalar a text.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    schema_version: String,
    saved_at: String,
    #[serde(deserialize_with = "said")]
    context_at_save: Option<String>,
    repository: String,
    #[serde(deserialize_with = "said")]
    branch: Option<String>,
    head: String,
    north_star: String,
    current_stage: String,
    #[serde(deserialize_with = "said")]
    active_artifact: Option<String>,
    #[serde(deserialize_with = "said")]
    active_artifact_sha256: Option<String>,
    model_contract: Json,
    lanes_in_flight: Vec<LaneRow>,
    decisions_this_session: Vec<String>,
    next_action: String,
    open_unknowns: String,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct LaneRow {
    id: String,
    #[serde(deserialize_with = "said")]
    worktree: Option<String>,
    #[serde(deserialize_with = "said")]
    branch: Option<String>,
    #[serde(deserialize_with = "said")]
    head: Option<String>,
    #[serde(deserialize_with = "said")]
    harness: Option<String>,
    #[serde(deserialize_with = "said")]
    harness_version: Option<String>,
    #[serde(deserialize_with = "said")]
    session_id: Option<String>,
    #[serde(deserialize_with = "said")]
    model_class: Option<String>,
    #[serde(deserialize_with = "said")]
    requested_model: Option<ModelRow>,
    #[serde(deserialize_with = "said")]
    effective_model: Option<ModelRow>,
    #[serde(deserialize_with = "said")]
    observed_model: Option<ModelRow>,
    #[serde(deserialize_with = "said")]
    observed_family: Option<String>,
    origin: String,
    #[serde(deserialize_with = "said")]
    ecosystem: Option<String>,
    #[serde(deserialize_with = "said")]
    package_version: Option<String>,
    #[serde(deserialize_with = "said")]
    skill_name: Option<String>,
    #[serde(deserialize_with = "said")]
    source: Option<String>,
    #[serde(deserialize_with = "said")]
    source_sha256: Option<String>,
    #[serde(deserialize_with = "said")]
    artifact: Option<String>,
    #[serde(deserialize_with = "said")]
    artifact_sha256: Option<String>,
    status: String,
    resumability: String,
    #[serde(deserialize_with = "said")]
    reason: Option<String>,
    evidence_paths: Vec<String>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ModelRow {
    catalog_key: String,
    provider: String,
    model_id: String,
    #[serde(deserialize_with = "said")]
    effort: Option<String>,
}

/// A value that may be null and may not be missing: serde lets a missing `Option` pass unless it is asked so.
fn said<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(from)
}

/// Hears the second reader about a text that nothing was found against so far. Any objection or difference is
/// an error, with its place.
pub(super) fn confirm(text: &str, tree: &Tree<'_>, findings: &mut Findings) {
    let read = serde_yaml::from_str::<File>(text).map_err(|error| {
        let at = error.location().map(|place| Position::at(place.line(), place.column()));
        (at, error.to_string())
    });
    match read.and_then(|file| serde_json::to_value(file).map_err(|error| (None, error.to_string()))) {
        Ok(Json::Object(seen)) => {
            for entry in &tree.entries {
                agree(entry, seen.get(&entry.key), entry.key == "model_contract", findings);
            }
        }
        Ok(_) => differ(Position::line(1), "the file", findings),
        Err((at, message)) => {
            let at = at.unwrap_or(Position::line(1));
            findings.add(Problem::error(at, "not-yaml", format!("a YAML parser refuses this: {message}")));
        }
    }
}

fn differ(at: Position, what: &str, findings: &mut Findings) {
    findings.add(
        Problem::error(at, "ambiguous-value", format!("YAML parsers may read `{what}` differently"))
            .help("put the value in double quotes"),
    );
}

fn agree(entry: &Entry<'_>, seen: Option<&Json>, resolve: bool, findings: &mut Findings) {
    if !seen.is_some_and(|seen| same(&entry.value, seen, resolve)) {
        differ(entry.value.at, &entry.key, findings);
    }
}

/// Whether the second reader saw the same below a node.
fn same(node: &Node<'_>, seen: &Json, resolve: bool) -> bool {
    match (&node.kind, seen) {
        (Kind::List(items), Json::Array(others)) => {
            items.len() == others.len()
                && items.iter().zip(others).all(|(item, other)| same(item, other, resolve))
        }
        (Kind::Map(entries), Json::Object(others)) => {
            entries.len() == others.len()
                && entries.iter().all(|entry| {
                    others.get(&entry.key).is_some_and(|other| same(&entry.value, other, resolve))
                })
        }
        (Kind::Scalar(scalar), seen) => same_scalar(scalar, seen, resolve),
        _ => false,
    }
}

fn same_scalar(scalar: &Scalar, seen: &Json, resolve: bool) -> bool {
    use super::super::Value;
    if !resolve {
        return scalar.value.as_deref() == seen.as_str() && (seen.is_string() || seen.is_null());
    }
    match (scalar.resolved(), seen) {
        (Value::Null, Json::Null) => true,
        (Value::Bool(a), Json::Bool(b)) => a == *b,
        (Value::Number(a), Json::Number(b)) => a == *b,
        (Value::Text(a), Json::String(b)) => {
            a.raw() == b && (scalar.style == Style::Quoted || !is_number_elsewhere(b))
        }
        _ => false,
    }
}

/// Whether a plain word that is text here may be a number for another parser: `12e999` is infinite to some.
fn is_number_elsewhere(word: &str) -> bool {
    word.bytes().any(|b| b.is_ascii_digit()) && word.parse::<f64>().is_ok()
}
