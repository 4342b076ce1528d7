//! Two parsers that share no code read the identities of every accepted file alike.

use proptest::prelude::*;
use serde_json::Value as Json;

use super::super::super::{Fields, Handoff, Value};
use super::super::schema;
use super::super::witness::File;
use super::palette::{Spelling, TEXTS};
use super::{SAMPLE, read};

/// A value as it is, every scalar a text.
fn json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(yes) => Json::Bool(*yes),
        Value::Number(number) => Json::Number(number.clone()),
        Value::Text(text) => Json::String(text.raw().to_owned()),
        Value::List(items) => Json::Array(items.iter().map(json).collect()),
        Value::Map(fields) => {
            Json::Object(fields.iter().map(|f| (f.name.raw().to_owned(), json(&f.value))).collect())
        }
    }
}

/// The identities of a section: what is no person's text, no list of lanes and not the free contract.
fn identities(fields: &Fields) -> Vec<(String, Json)> {
    let is_identity = |key: &str| {
        !schema::is_text(key) && !matches!(key, "lanes_in_flight" | "model_contract" | "schema_version")
    };
    fields
        .iter()
        .filter(|field| is_identity(field.name.raw()))
        .map(|field| (field.name.raw().to_owned(), json(&field.value)))
        .collect()
}

/// What the other parser reads differently in a file that was accepted.
fn differences(text: &str, handoff: &Handoff) -> Vec<String> {
    let seen = match serde_saphyr::from_str::<File>(text.trim_start_matches('\u{feff}')) {
        Ok(file) => serde_json::to_value(file).expect("texts become JSON"),
        Err(error) => return vec![format!("the other parser refuses it: {error}")],
    };
    let mut found = Vec::new();
    let mut compare = |place: &str, fields: &Fields, seen: &Json| {
        for (key, ours) in identities(fields) {
            if seen.get(&key) != Some(&ours) {
                found.push(format!("{place}{key}: {ours} here, {:?} there", seen.get(&key)));
            }
        }
    };
    compare("", &handoff.fields, &seen);
    for (index, lane) in handoff.lanes.iter().enumerate() {
        compare("lane ", &lane.fields, &seen["lanes_in_flight"][index]);
    }
    found
}

/// A change of the sample that may or may not leave it valid.
#[derive(Debug, Clone)]
enum Change {
    /// Another value on a line.
    Value(prop::sample::Index, String),
    /// A line once more, or gone.
    Again(prop::sample::Index),
    Gone(prop::sample::Index),
    /// Some characters in a line.
    Insert(prop::sample::Index, prop::sample::Index, String),
    /// A line more or less indented.
    Indent(prop::sample::Index, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let spelt = (prop::sample::select(&TEXTS[..]), prop::sample::select(&Spelling::ALL[..]))
        .prop_map(|(text, spelling)| spelling.of(text));
    let value = prop_oneof![
        4 => spelt,
        2 => "[a-z0-9]{1,8}( {1,3}# ?[a-z]{0,4})?",
        1 => "[0-9a-f]{40}",
        1 => "[-+.0-9_exoT:]{1,12}",
        2 => "[ -~]{0,12}",
    ];
    let bits = prop::sample::select(
        &[
            " ", "#", " #", ": ", ":", "\"", "'", "[", "]", "{", "}", ",", "- ", "\t", "\\", "&a ", "!t ",
            "|", "\u{85}", "\r", "\n",
        ][..],
    );
    prop_oneof![
        6 => (any::<prop::sample::Index>(), value).prop_map(|(at, value)| Change::Value(at, value)),
        1 => any::<prop::sample::Index>().prop_map(Change::Again),
        1 => any::<prop::sample::Index>().prop_map(Change::Gone),
        3 => (any::<prop::sample::Index>(), any::<prop::sample::Index>(), bits)
            .prop_map(|(line, at, bits)| Change::Insert(line, at, bits.to_owned())),
        1 => (any::<prop::sample::Index>(), 0usize..7).prop_map(|(line, by)| Change::Indent(line, by)),
    ]
}

fn apply(changes: &[Change]) -> String {
    let mut lines: Vec<String> = SAMPLE.lines().map(str::to_owned).collect();
    for change in changes {
        match change {
            Change::Value(at, value) => {
                let line = &mut lines[at.index(SAMPLE.lines().count() - 3)];
                if let Some((key, _)) = line.split_once(": ") {
                    *line = format!("{key}: {value}");
                }
            }
            Change::Again(at) => {
                let at = at.index(lines.len());
                lines.insert(at, lines[at].clone());
            }
            Change::Gone(at) => {
                lines.remove(at.index(lines.len()));
            }
            Change::Insert(at, place, bits) => {
                let at = at.index(lines.len());
                let line = &mut lines[at];
                let places: Vec<usize> = line.char_indices().map(|(at, _)| at).chain([line.len()]).collect();
                line.insert_str(places[place.index(places.len())], bits);
            }
            Change::Indent(at, by) => {
                let at = at.index(lines.len());
                lines[at] = format!("{}{}", " ".repeat(*by), lines[at].trim_start());
            }
        }
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

fn agrees(changes: &[Change]) -> Result<bool, TestCaseError> {
    let text = apply(changes);
    let handoff = read(&text);
    if handoff.strict {
        prop_assert_eq!(differences(&text, &handoff), Vec::<String>::new(), "two parsers read\n{}", text);
    }
    Ok(handoff.strict)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_identities_of_an_accepted_file_are_read_alike(changes in prop::collection::vec(change(), 1..4)) {
        agrees(&changes)?;
    }
}

#[test]
#[ignore = "takes a minute in release: the same for 100,000 files"]
fn a_hundred_thousand_files_are_read_alike() {
    let config = ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let accepted = std::cell::Cell::new(0_u32);
    let result = runner.run(&prop::collection::vec(change(), 1..4), |changes| {
        accepted.set(accepted.get() + u32::from(agrees(&changes)?));
        Ok(())
    });
    println!("{} of 100,000 accepted", accepted.get());
    assert!(result.is_ok(), "no file is read in two ways: {result:?}");
    assert!(accepted.get() > 10_000, "and enough of them were accepted to tell");
}

#[test]
fn the_comparison_notices_a_difference() {
    let handoff = read(SAMPLE);
    assert_eq!(differences(SAMPLE, &handoff), [] as [&str; 0], "the sample is read alike");
    let other = SAMPLE.replace("branch: tk/", "branch: tk/x");
    assert_eq!(differences(&other, &handoff).len(), 1, "another branch would be seen (a positive control)");
}
