//! Who does an operation: every gate and every reason, by data files with the records that are expected.
#![allow(clippy::unwrap_used, reason = "these are tests: a world that cannot be laid out ends them")]

mod change;
mod cli;
mod mutations;
mod world;

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::Value;
use world::{Scenario, World, tree};

/// The data files.
const FILES: [(&str, &str); 6] = [
    ("good", include_str!("cases/good.json")),
    ("handoff", include_str!("cases/handoff.json")),
    ("provenance", include_str!("cases/provenance.json")),
    ("lock-and-host", include_str!("cases/lock-and-host.json")),
    ("capabilities", include_str!("cases/capabilities.json")),
    ("malformed", include_str!("cases/malformed.json")),
];

/// Where the expected records lie. `MOORLINE_BLESS=1` writes them anew, for a person to read in a diff.
const RECORDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/resolve/records.json");

/// One case: a world, changes, and what must be decided.
struct Case {
    name: String,
    of: String,
    changes: Vec<Value>,
    expect: String,
}

/// Every case; one with `each` stands for one case per value.
fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for (file, text) in FILES {
        let rows: Vec<Value> = serde_json::from_str(text).unwrap();
        for row in rows {
            let each = row.get("each").and_then(Value::as_array).cloned();
            for (number, value) in each.unwrap_or_else(|| vec![Value::Null]).into_iter().enumerate() {
                let fill = |change: &Value| {
                    let mut change = change.clone();
                    if change.get("to").is_some_and(|to| to == "$each") {
                        change["to"] = value.clone();
                    }
                    change
                };
                let suffix = if row.get("each").is_some() { format!(" [{number}]") } else { String::new() };
                all.push(Case {
                    name: format!("{file}: {}{suffix}", row["name"].as_str().unwrap()),
                    of: row["of"].as_str().unwrap().to_owned(),
                    changes: row["change"].as_array().unwrap().iter().map(fill).collect(),
                    expect: row["expect"].as_str().unwrap().to_owned(),
                });
            }
        }
    }
    all
}

/// Whether the whole record is expected byte for byte; of malformed input only the decision is.
fn is_golden(case: &Case) -> bool {
    !case.name.starts_with("malformed: ")
}

/// The record of a case as text, and what it decided; a sentence where something else is wrong.
fn decided(case: &Case) -> Result<(String, String), String> {
    let mut world = World::build(&Scenario::parse(&case.of));
    change::apply(&mut world, &case.changes);
    let before = is_golden(case).then(|| tree(&world.base));
    let record = world.resolve();
    let text = world.text_of(&record);
    let again = world.text_of(&world.resolve());
    if text != again {
        return Err("two records of the same input differ".into());
    }
    if before.is_some_and(|before| tree(&world.base) != before) {
        return Err("something was written".into());
    }
    if record.is_delegated() && record.target.is_none() {
        return Err("a delegated record names its target".into());
    }
    if !record.is_delegated() && (!record.bindings.effective.is_empty() || record.runtime_home.is_some()) {
        return Err("nothing is proved by a record that does not delegate".into());
    }
    if record.detail.is_blank() {
        return Err("a record says why".into());
    }
    let said = format!("{}/{}", record.decision.as_str(), record.reason_code.as_str());
    Ok((said, text))
}

#[test]
fn every_case_is_decided_as_its_data_says() {
    let cases = cases();
    assert!(cases.len() >= 120 + 15, "every gate has its cases: {}", cases.len());
    let results: Vec<_> = cases.par_iter().map(|case| (case, decided(case))).collect();
    let (mut wrong, mut records) = (Vec::new(), BTreeMap::new());
    for (case, result) in results {
        match result {
            Ok((said, _)) if said == case.expect && !is_golden(case) => {}
            Ok((said, text)) if said == case.expect => {
                let twice = records.insert(case.name.clone(), serde_json::from_str::<Value>(&text).unwrap());
                assert!(twice.is_none(), "two cases are called {}", case.name);
            }
            Ok((said, text)) => {
                wrong.push(format!("{}: expected {}, got {said}\n{text}", case.name, case.expect))
            }
            Err(why) => wrong.push(format!("{}: {why}", case.name)),
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    let row = |(name, record): (&String, &Value)| format!("{}:{record}", Value::from(name.as_str()));
    let text = format!("{{\n{}\n}}\n", records.iter().map(row).collect::<Vec<_>>().join(",\n"));
    if std::env::var_os("MOORLINE_BLESS").is_some() {
        std::fs::write(RECORDS, &text).unwrap();
    }
    let expected = std::fs::read_to_string(RECORDS).unwrap();
    let differs = expected.lines().zip(text.lines()).position(|(a, b)| a != b);
    assert!(
        expected == text,
        "the records are byte for byte the expected ones; first difference: line {differs:?}"
    );
    let reasons: std::collections::BTreeSet<_> = cases.iter().map(|case| case.expect.as_str()).collect();
    for reason in [
        "compatible",
        "owned_policy",
        "disabled",
        "peer_missing",
        "peer_unlocked",
        "unsupported_host",
        "version_mismatch",
        "source_mismatch",
        "capability_missing",
        "model_mismatch",
        "missing_evidence",
        "unsafe_runtime_home",
        "invalid_config",
    ] {
        assert!(reasons.iter().any(|own| own.ends_with(reason)), "{reason} is among what is expected");
    }
}

#[test]
fn a_record_has_its_keys_in_their_order() {
    let mut world = World::build(&Scenario::parse("2 hermes tk-execute"));
    change::apply(&mut world, &[]);
    let record = serde_json::to_value(world.resolve()).unwrap();
    let keys: Vec<_> = record.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "schema_version",
        "skill",
        "operation",
        "decision",
        "reason_code",
        "detail",
        "target",
        "bindings",
        "runtime_home",
        "evidence_paths",
    ];
    assert_eq!(keys, expected, "the keys of a record, in their order");
    let keys = |name: &str| record[name].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        keys("target"),
        ["ecosystem", "package", "version", "skill_name", "selector", "mode"],
        "a target's"
    );
    assert_eq!(keys("bindings"), ["requested", "effective", "observed"], "the bindings'");
    assert!(record["bindings"]["observed"].is_null(), "nothing was observed before anything was invoked");
    let paths = ["project", ".thunderkit/config.json", "capabilities.json", ".thunderkit/peers.lock.json"];
    assert_eq!(
        record["evidence_paths"],
        serde_json::json!(paths[1..]),
        "evidence in the order it was opened"
    );
}
