//! The record that a run leaves beside its lane, and the native plan in it.

use super::PolicyError;
use super::json::{Data, Json};
use crate::handoff::{Digest, Fields, Inert, LaneId, RelPath, Value};

/// What a record is shown by, in this order.
const KEYS: &[&str] = &[
    "lane_id",
    "ecosystem",
    "package_version",
    "skill_name",
    "requested_model",
    "effective_model",
    "observed_model",
    "observed_family",
    "artifact",
    "artifact_sha256",
    "session_id",
    "status",
    "evidence_paths",
];

/// What native acceptance is called.
const ACCEPTED: &[&str] = &["approved", "accepted"];

/// A run record: shown, and believed only where something else proves it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RunRecord {
    /// Where it lies, relative to the project root.
    pub path: RelPath,
    /// Its fields, in the format's order; others are left out.
    pub fields: Fields,
    /// The native plan that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native_plan: Option<NativePlan>,
}

/// A plan that a native planner made and its host accepted.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct NativePlan {
    /// The planner's ecosystem.
    pub ecosystem: Inert,
    /// Its package's version.
    pub package_version: Inert,
    /// Its skill.
    pub skill_name: Inert,
    /// The plan's file, relative to the project root; `None` where the text is no such path.
    pub artifact: Option<RelPath>,
    /// The digest of its bytes; `None` where the text is none.
    pub sha256: Option<Digest>,
    /// What the host said of it.
    pub approval_status: Inert,
}

impl NativePlan {
    /// Whether its host accepted it.
    pub fn is_accepted(&self) -> bool {
        ACCEPTED.contains(&self.approval_status.raw())
    }
}

impl RunRecord {
    /// Reads the record of this lane; `None` where the bytes are another lane's record, or none.
    ///
    /// # Errors
    /// A record of this lane whose native plan is none.
    pub fn parse(bytes: &[u8], path: &RelPath, lane: &LaneId) -> Result<Option<Self>, PolicyError> {
        let Ok(json) = Json::parse(bytes) else { return Ok(None) };
        if json.get("lane_id").and_then(Json::text) != Some(lane.as_str()) {
            return Ok(None);
        }
        let mut fields = Fields::default();
        for key in KEYS {
            if let Some(value) = json.get(key) {
                fields.push(*key, shown(value), json.position_of(key).map_or(0, |at| at.line));
            }
        }
        let native_plan = json.get("native_plan").filter(|plan| !plan.is_null()).map(plan).transpose()?;
        Ok(Some(Self { path: path.clone(), fields, native_plan }))
    }

    /// The record on one line: what is said of the run, in the format's order.
    pub fn line(&self) -> String {
        let said = ["status", "ecosystem", "package_version", "skill_name", "session_id"];
        let texts = said.iter().filter_map(|name| self.fields.get(name)?.value.as_text());
        let words: Vec<_> = texts.map(Inert::shown_line).collect();
        match words.is_empty() {
            true => self.path.to_string(),
            false => format!("{} ({})", words.join(" "), self.path),
        }
    }
}

fn plan(json: &Json) -> Result<NativePlan, PolicyError> {
    let text = |name: &str| -> Result<&str, PolicyError> {
        let value = json.get(name).and_then(Json::text);
        value.ok_or_else(|| PolicyError::at(json.at, format!("the native plan has no `{name}`")))
    };
    Ok(NativePlan {
        ecosystem: text("ecosystem")?.into(),
        package_version: text("package_version")?.into(),
        skill_name: text("skill_name")?.into(),
        artifact: RelPath::parse(text("artifact")?).ok(),
        sha256: Digest::parse(text("sha256")?).ok(),
        approval_status: text("approval_status")?.into(),
    })
}

/// A JSON value as loosely as it is shown.
fn shown(json: &Json) -> Value {
    match &json.data {
        Data::Null => Value::Null,
        Data::Bool(yes) => Value::Bool(*yes),
        Data::Number(number) => Value::Number(number.clone()),
        Data::Text(text) => Value::text(text.as_str()),
        Data::List(items) => Value::List(items.iter().map(shown).collect()),
        Data::Object(members) => {
            let mut fields = Fields::default();
            for member in members {
                fields.push(member.key.as_str(), shown(&member.value), member.key_at.line);
            }
            Value::Map(fields)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = r#"{"lane_id":"L1","status":"completed","ecosystem":"omo","ready":true,
        "native_plan":{"ecosystem":"omo","package_version":"1","skill_name":"ulw-plan","artifact":".omo/plans/p.md",
        "sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","approval_status":"approved"}}"#;

    fn parse(text: &str, lane: &str) -> Result<Option<RunRecord>, PolicyError> {
        let path = RelPath::parse(".thunderkit/runs/r1/L1.json").expect("a path");
        RunRecord::parse(text.as_bytes(), &path, &LaneId::parse(lane).expect("an id"))
    }

    #[test]
    fn only_the_lane_s_own_record_is_shown_and_only_its_known_fields() {
        let record = parse(RECORD, "L1").expect("readable").expect("its own");
        assert!(record.fields.get("ready").is_none(), "an unknown field is not shown");
        assert_eq!(record.line(), "completed omo (.thunderkit/runs/r1/L1.json)", "one line of it");
        let plan = record.native_plan.expect("it names a plan");
        assert!(plan.is_accepted() && plan.sha256.is_some(), "which was accepted");
        assert_eq!(parse(RECORD, "L2"), Ok(None), "another lane's record is not this one's");
        assert_eq!(parse("{", "L1"), Ok(None), "what is no JSON is no record");
        for (from, to) in [("approved", "pending"), ("approved", "Approved"), ("approved", "")] {
            let record = parse(&RECORD.replace(from, to), "L1").expect("readable").expect("its own");
            assert!(!record.native_plan.expect("a plan").is_accepted(), "{to:?} is no acceptance");
        }
        let torn = RECORD.replace("\"artifact\":\".omo/plans/p.md\",", "");
        assert!(parse(&torn, "L1").is_err(), "a plan without its file is a breach, not an absence");
    }
}
