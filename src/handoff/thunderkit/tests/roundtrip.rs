//! What the writer writes comes back byte for byte, through this reader and through another parser.

use chrono::DateTime;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Map, json};

use super::super::super::{
    BranchName, CommitId, Digest, Fields, HarnessName, Inert, Lane, LaneId, LaneStatus, ModelClass,
    ModelIdentity, Moment, Origin, RelPath, Resumability, Root, SessionId, Value,
};
use super::super::node::is_placeholder;
use super::super::witness::File;
use super::super::write::{Document, document};
use super::palette::TEXTS;
use super::{SAMPLE, read};

/// Any text that says something.
fn text() -> impl Strategy<Value = Inert> {
    let texts = prop_oneof![
        3 => prop::sample::select(&TEXTS[..]).prop_map(str::to_owned),
        2 => "\\PC{1,24}",
        2 => any::<String>(),
        1 => "[ \t]{0,3}[a-z#:]{1,6}[ \t\n\r]{0,3}",
    ];
    texts
        .prop_filter("a text says something", |text| !text.trim().is_empty() && !is_placeholder(text))
        .prop_map(Inert::new)
}

/// Text that may stand where a `<` would be a form's blank.
fn name() -> impl Strategy<Value = Inert> {
    text().prop_filter("no blank of the form", |text| !text.raw().contains('<') && text.raw() != "…")
}

fn ident<T: std::str::FromStr + std::fmt::Debug>(pattern: &'static str) -> impl Strategy<Value = T> {
    pattern.prop_filter_map("the ident's own grammar", |text| text.parse().ok())
}

fn path() -> impl Strategy<Value = RelPath> {
    ident("[a-zA-Z0-9._ #:-]{1,8}(/[a-z0-9é #-]{1,8}){0,2}")
        .prop_filter("a path", |path: &RelPath| !path.is_root())
}

fn model() -> impl Strategy<Value = Option<ModelIdentity>> {
    prop::option::of((name(), name(), name(), prop::option::of(name())).prop_map(
        |(catalog_key, provider, model_id, effort)| ModelIdentity { catalog_key, provider, model_id, effort },
    ))
}

fn lane() -> impl Strategy<Value = Lane> {
    let who = (
        ident::<LaneId>("[a-zA-Z0-9][a-zA-Z0-9._-]{0,12}"),
        prop::option::of(path()),
        prop::option::of(ident::<BranchName>("(no|off|[a-z0-9é#]{1,8}(/[a-z]{1,4})?)")),
        prop::option::of(ident::<CommitId>("([0-9]{40}|[0-9a-f]{40}|[0-9a-f]{64})")),
        prop::option::of(prop::sample::select(&HarnessName::ALL[..])),
        prop::option::of(name()),
        prop::option::of(ident::<SessionId>("[0-9a-zA-Z][0-9a-zA-Z_-]{0,30}")),
    );
    let models = (
        prop::option::of(prop::sample::select(
            &[ModelClass::Planner, ModelClass::Executors, ModelClass::Reviewers][..],
        )),
        model(),
        model(),
        model(),
        prop::option::of(name()),
    );
    let origin = (
        prop::sample::select(&[Origin::Owned, Origin::Native, Origin::Unknown][..]),
        prop::option::of(prop::sample::select(&["omo", "omh", "gsd"][..]).prop_map(Inert::from)),
        prop::option::of(name()),
        prop::option::of(name()),
        prop::option::of(path()),
        prop::option::of(ident::<Digest>("[0-9a-f]{64}")),
        prop::option::of(path()),
        prop::option::of(ident::<Digest>("[0-9]{64}")),
    );
    let state = (
        prop::sample::select(
            &[LaneStatus::Running, LaneStatus::Blocked, LaneStatus::Completed, LaneStatus::Unknown][..],
        ),
        prop::sample::select(&[Resumability::Unverified, Resumability::NotResumable][..]),
        prop::option::of(text()),
        prop::collection::vec(path(), 0..3),
    );
    (who, models, origin, state).prop_map(|(who, models, origin, state)| Lane {
        id: Some(who.0),
        worktree: who.1,
        branch: who.2,
        head: who.3,
        harness: who.4,
        harness_version: who.5,
        session_id: who.6,
        model_class: models.0,
        requested_model: models.1,
        effective_model: models.2,
        observed_model: models.3,
        observed_family: models.4,
        origin: Some(origin.0),
        ecosystem: origin.1,
        package_version: origin.2,
        skill_name: origin.3,
        source: origin.4,
        source_sha256: origin.5,
        artifact: origin.6,
        artifact_sha256: origin.7,
        status: Some(state.0),
        resumability: Some(state.1),
        reason: state.2,
        evidence_paths: state.3,
        structurally_resumable: false,
        fields: Fields::default(),
    })
}

fn contract() -> impl Strategy<Value = Option<Value>> {
    let scalar = prop_oneof![
        4 => name().prop_map(Value::Text),
        1 => any::<i64>().prop_map(|number| Value::Number(number.into())),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null),
    ];
    let map = |value: BoxedStrategy<Value>| {
        prop::collection::btree_map("[a-zA-Z0-9 é#:'-]{1,9}", value, 0..4).prop_map(|entries| {
            let mut fields = Fields::default();
            entries.into_iter().for_each(|(key, value)| fields.push(key, value, 0));
            Value::Map(fields)
        })
    };
    let list = prop::collection::vec(scalar.clone(), 0..4).prop_map(Value::List).boxed();
    let inner = map(prop_oneof![scalar.clone(), list.clone()].boxed()).boxed();
    prop::option::of(map(prop_oneof![scalar, list, inner].boxed()))
}

fn whole() -> impl Strategy<Value = Document> {
    let root = (
        name(),
        prop::option::of(ident::<BranchName>("(no|null|[a-z0-9]{1,8}(/[a-z]{1,4})?)")),
        ident::<CommitId>("([0-9]{40}|[0-9a-f]{64})"),
        text(),
        prop::option::of((path(), prop::option::of(ident::<Digest>("[0-9a-f]{64}")))),
        contract(),
        prop::option::of(text()),
    );
    let rest = (
        0i64..4_000_000_000,
        prop::collection::vec(lane(), 0..3),
        prop::collection::vec(text(), 0..4),
        text(),
        text(),
    );
    (root, rest).prop_map(|(root, (second, mut lanes, decisions, next_action, open_unknowns))| {
        lanes.dedup_by(|a, b| a.id == b.id);
        let (active_artifact, active_artifact_sha256) =
            root.4.map_or((None, None), |(path, digest)| (Some(path), digest));
        Document {
            saved_at: DateTime::from_timestamp(second, 0).expect("a second of this century"),
            root: Root {
                repository: Some(root.0),
                detached: root.1.is_none(),
                branch: root.1,
                head: Some(root.2),
                north_star: RelPath::parse(".thunderkit/NORTH_STAR.md").ok(),
                current_stage: Some(root.3),
                active_artifact,
                active_artifact_sha256,
                model_contract: root.5,
                context_at_save: root.6,
            },
            lanes,
            decisions,
            next_action,
            open_unknowns,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_handoff_comes_back_as_it_was(given in whole()) {
        let text = document(&given).map_err(|problems| TestCaseError::fail(format!("refused: {problems:?}")))?;
        let back = read(&text);
        prop_assert!(back.strict && back.problems.is_empty(), "nothing is wrong with\n{}", text);
        prop_assert_eq!(&back.decisions, &given.decisions, "decisions");
        prop_assert_eq!(back.next_action(), Some(&given.next_action), "next action");
        prop_assert_eq!(&back.branch, &given.root.branch, "branch");
        prop_assert_eq!(back.lanes.len(), given.lanes.len(), "lanes");
        let seen = serde_saphyr::from_str::<File>(&text).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let seen = serde_json::to_value(seen).map_err(|e| TestCaseError::fail(e.to_string()))?;
        for (key, text) in [("next_action", &given.next_action), ("open_unknowns", &given.open_unknowns)] {
            prop_assert_eq!(seen[key].as_str(), Some(text.raw()), "another parser reads {} alike", key);
        }
        for (given, seen) in given.lanes.iter().zip(seen["lanes_in_flight"].as_array().into_iter().flatten()) {
            prop_assert_eq!(given.reason.as_ref().map(Inert::raw), seen["reason"].as_str(), "reason");
            prop_assert_eq!(given.session_id.as_ref().map(SessionId::as_str), seen["session_id"].as_str(), "session");
        }
    }
}

/// What this reader read, as JSON: every recorded field of the root and of the lanes.
fn as_json(fields: &Fields) -> serde_json::Value {
    let members = fields.iter().map(|field| (field.name.raw().to_owned(), value_as_json(&field.value)));
    serde_json::Value::Object(members.collect::<Map<_, _>>())
}

fn value_as_json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(is) => json!(is),
        Value::Number(number) => json!(number),
        Value::Text(text) => json!(text.raw()),
        Value::List(items) => items.iter().map(value_as_json).collect(),
        Value::Map(fields) => as_json(fields),
    }
}

/// What PyYAML reads in each of the texts; `None` where it is not installed.
fn by_pyyaml(texts: &[String]) -> Option<Vec<serde_json::Value>> {
    const READ: &str = "import json, sys, yaml\nloader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)\n\
        json.dump([yaml.load(text, loader) for text in json.load(sys.stdin)], sys.stdout)";
    let dir = tempfile::tempdir().expect("a directory");
    let given = dir.path().join("texts.json");
    std::fs::write(&given, serde_json::to_vec(texts).expect("JSON")).expect("written");
    let has_it = std::process::Command::new("python3").args(["-c", "import yaml"]).output();
    if !has_it.is_ok_and(|output| output.status.success()) {
        return None;
    }
    let mut python = std::process::Command::new("python3");
    let input = std::fs::File::open(given).expect("it was written");
    let output = python.args(["-c", READ]).stdin(input).output().expect("python runs");
    assert!(output.status.success(), "PyYAML reads all: {}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// Writes so many handoffs and has three parsers read them: each value must be the same for all.
fn three_readers_agree(count: usize) {
    let mut runner = TestRunner::deterministic();
    let mut texts = Vec::new();
    let mut own = Vec::new();
    let (mut traps, mut lanes) = (0, 0);
    while texts.len() < count {
        let given = whole().new_tree(&mut runner).expect("a handoff").current();
        let text = document(&given).expect("it can be written");
        let back = read(&text);
        let mut fields = as_json(&back.fields);
        if fields.get("lanes_in_flight").is_none_or(|lanes| !lanes.is_array()) {
            fields["lanes_in_flight"] = back.lanes.iter().map(|lane| as_json(&lane.fields)).collect();
        }
        traps += given.decisions.iter().filter(|text| TEXTS.contains(&text.raw())).count();
        lanes += given.lanes.len();
        let other: serde_json::Value = serde_saphyr::from_str(&text).expect("another parser reads it");
        assert_eq!(fields, other, "another parser reads the same in\n{text}");
        assert_eq!(
            fields["next_action"].as_str(),
            Some(given.next_action.raw()),
            "and that is what was given"
        );
        own.push(fields);
        texts.push(text);
    }
    assert!(traps > count / 10 && lanes > count / 2, "texts that YAML trips over: {traps}, lanes: {lanes}");
    match by_pyyaml(&texts) {
        None => eprintln!("PyYAML is not installed here: two readers were compared"),
        Some(seen) => {
            for ((own, seen), text) in own.iter().zip(&seen).zip(&texts) {
                assert_eq!(own, seen, "PyYAML reads the same in\n{text}");
            }
            eprintln!("{} handoffs, {traps} trap texts, {lanes} lanes: three readers agree", seen.len());
        }
    }
}

#[test]
fn three_readers_agree_on_every_value() {
    three_readers_agree(200);
}

#[test]
#[ignore = "ten thousand handoffs take minutes"]
fn three_readers_agree_on_ten_thousand_handoffs() {
    three_readers_agree(10_000);
}

/// The sample as the writer's input.
fn sample() -> Document {
    let back = read(SAMPLE);
    let Some(Moment::Instant(saved_at)) = back.saved_at.as_ref().map(|saved| saved.moment) else {
        panic!("the sample says when it was saved")
    };
    Document {
        saved_at: saved_at.to_utc(),
        root: back.root().cloned().expect("a root"),
        lanes: back.lanes.clone(),
        decisions: back.decisions.clone(),
        next_action: back.next_actions[0].clone(),
        open_unknowns: back.open_items[0].clone(),
    }
}

#[test]
fn keys_stand_in_the_format_s_order_and_texts_in_quotes() {
    let text = document(&sample()).expect("what was read can be written");
    let keys = |text: &str| {
        let key =
            |line: &str| line.split(':').next().map(|key| key.trim_start_matches(['-', ' ']).to_owned());
        text.lines()
            .filter(|line| line.contains(':') && !line.contains('{'))
            .filter_map(key)
            .collect::<Vec<_>>()
    };
    let in_order = |text: &str| {
        keys(text)
            .into_iter()
            .filter(|key| super::super::schema::ROOT.contains(&key.as_str()))
            .collect::<Vec<_>>()
    };
    assert_eq!(in_order(&text), in_order(SAMPLE), "the order of keys is the format's");
    assert!(
        text.starts_with("# Handoff\nschema_version: 1\nsaved_at: \"2026-08-25T19:20:03Z\"\n"),
        "the head is plain"
    );
    assert!(text.contains("  - id: \"L1-kiln-index\"\n    worktree: \""), "lanes begin behind their dash");
    assert!(text.contains("    observed_model: null\n"), "an unknown fact is null");
    assert!(text.contains("      effort: \"high\"\n"), "a model is a block of four");
    assert!(text.contains("  frozen_paths: []\n"), "an empty list is said so");
    let again = read(&text);
    assert!(again.lanes[0].structurally_resumable, "and the lane may still be resumed");
}

#[test]
fn what_cannot_come_back_is_not_written() {
    let refused = |change: fn(&mut Document), code: &str| {
        let mut document_ = sample();
        change(&mut document_);
        let problems = document(&document_).expect_err(code);
        assert!(problems.iter().any(|problem| problem.code == code), "{code} is among {problems:?}");
    };
    refused(|it| it.next_action = "<one step>".into(), "placeholder");
    refused(|it| it.next_action = " ".into(), "null-value");
    refused(|it| it.root.head = None, "null-value");
    refused(|it| it.lanes[0].id = None, "null-value");
    refused(|it| it.lanes.push(it.lanes[0].clone()), "duplicate-lane");
    refused(|it| it.root.branch = None, "not-writable");
    refused(|it| it.lanes[0].reason = Some("".into()), "not-writable");
    refused(|it| it.lanes[0].ecosystem = Some("npm".into()), "unknown-word");
    assert!(document(&sample()).is_ok(), "the sample itself is written (a positive control)");
}

#[test]
fn control_characters_are_written_as_escapes() {
    let mut document_ = sample();
    document_.next_action = "a\u{1b}[31m\u{2028}\u{85}\u{202e}\u{feff}\t\n\0\u{e0041}👩\u{200d}💻".into();
    let text = document(&document_).expect("it can be said");
    assert!(
        text.contains(r#"next_action: "a\x1b[31m\u2028\x85\u202e\ufeff\t\n\x00\U000e0041👩‍💻""#),
        "what an eye cannot see is spelt out: {text}"
    );
    assert_eq!(read(&text).next_action(), Some(&document_.next_action), "and comes back");
}
