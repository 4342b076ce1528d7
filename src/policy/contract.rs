//! The model contract: a config's selections and policy as a handoff records them.
//!
//! Its layout is `{schema_version: 2, classes: {planner, executors, reviewers}, review_families_min, max_layers,
//! frozen_paths, ecosystems, delegation}`. Order matters in lists, not among the keys.

use super::{Config, ContractMatch, Reviewers};
use crate::handoff::{Fields, Value};

/// The contract of a config.
pub(super) fn of(config: &Config) -> Value {
    let mut classes = Fields::default();
    classes.push("planner", Value::text(config.planner.clone()), 0);
    classes.push("executors", list(&config.executors), 0);
    let reviewers = match &config.reviewers {
        Reviewers::All => Value::text("all"),
        Reviewers::These(keys) => list(keys),
    };
    classes.push("reviewers", reviewers, 0);
    let mut root = Fields::default();
    root.push("schema_version", Value::Number(2.into()), 0);
    root.push("classes", Value::Map(classes), 0);
    root.push("review_families_min", Value::Number(config.review_families_min.into()), 0);
    root.push("max_layers", Value::Number(config.max_layers.into()), 0);
    root.push("frozen_paths", list(&config.frozen_paths), 0);
    root.push("ecosystems", list(&config.ecosystems), 0);
    root.push("delegation", Value::text(if config.delegation { "auto" } else { "off" }), 0);
    Value::Map(root)
}

fn list(texts: &[String]) -> Value {
    Value::List(texts.iter().map(|text| Value::text(text.clone())).collect())
}

/// Compares a recorded contract with a config's.
pub(super) fn compare(config: &Config, recorded: &Value) -> ContractMatch {
    let mut differs = Vec::new();
    match compare_maps("", recorded, &of(config), &mut differs) {
        Err(reason) => ContractMatch::OtherLayout(reason),
        Ok(()) if differs.is_empty() => ContractMatch::Same,
        Ok(()) => ContractMatch::Differs(differs),
    }
}

type Difference = (String, String, String);

/// Compares two maps key by key; an error is a layout that cannot be compared.
fn compare_maps(
    path: &str,
    recorded: &Value,
    current: &Value,
    differs: &mut Vec<Difference>,
) -> Result<(), String> {
    let place = if path.is_empty() { "the recorded contract" } else { path };
    let (Value::Map(recorded), Value::Map(current)) = (recorded, current) else {
        return Err(format!("{place} is no mapping"));
    };
    let mut seen = Vec::new();
    for field in recorded {
        let name = field.name.raw();
        if current.get(name).is_none() {
            return Err(format!(
                "{place} has a key that the layout does not have: {}",
                field.name.shown_line()
            ));
        }
        if seen.contains(&name) {
            return Err(format!("{place} says {name} twice"));
        }
        seen.push(name);
    }
    for field in current {
        let name = field.name.raw();
        let full = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        let Some(then) = recorded.get(name) else {
            return Err(format!("{place} does not say {name}"));
        };
        match (&then.value, &field.value) {
            (then, now @ Value::Map(_)) => compare_maps(&full, then, now, differs)?,
            (then, now) => {
                let Some(same) = equal(then, now) else {
                    return Err(format!("{full} is recorded as another kind of value"));
                };
                if !same && full == "schema_version" {
                    return Err(format!("schema_version {} is not 2", words(then)));
                }
                if !same {
                    differs.push((full, words(then), words(now)));
                }
            }
        }
    }
    Ok(())
}

/// Whether two plain values are equal; `None` where they are of kinds that cannot be compared. A number may be
/// recorded in digits as text, because YAML readers that keep identity fields exact read it so.
fn equal(recorded: &Value, current: &Value) -> Option<bool> {
    match (recorded, current) {
        (Value::Text(then), Value::Text(now)) => Some(then == now),
        (Value::Number(then), Value::Number(now)) => Some(then == now),
        (Value::Text(then), Value::Number(now)) => {
            let digits = !then.raw().is_empty() && then.raw().bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| then.raw() == now.to_string())
        }
        (Value::List(then), Value::List(now)) => {
            let texts = then.iter().all(|item| item.as_text().is_some());
            texts.then_some(then == now)
        }
        // `reviewers` is a word or a list: both are this layout, and they differ.
        (Value::Text(word), Value::List(_)) if word.raw() == "all" => Some(false),
        (Value::List(then), Value::Text(_)) => {
            let texts = then.iter().all(|item| item.as_text().is_some());
            texts.then_some(false)
        }
        _ => None,
    }
}

/// A plain value on one line.
fn words(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => text.shown_line(),
        Value::List(items) => format!("[{}]", items.iter().map(words).collect::<Vec<_>>().join(", ")),
        Value::Map(_) => "a mapping".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handoff::Field;

    fn config(reviewers: &str) -> Config {
        let text = format!(
            r#"{{"schema_version":2,"classes":{{"planner":"fable51","executors":["opus48","sol"],
               "reviewers":{reviewers}}},"frozen_paths":["docs"]}}"#
        );
        Config::parse(text.as_bytes()).expect("a good config")
    }

    /// The contract with one root member replaced, or removed.
    fn changed(name: &str, value: Option<Value>) -> Value {
        let Value::Map(fields) = of(&config("\"all\"")) else { panic!("a contract is a map") };
        let mut out = Fields::default();
        for Field { name: key, value: old, .. } in &fields {
            match (key.raw() == name, &value) {
                (false, _) => out.push(key.clone(), old.clone(), 0),
                (true, Some(new)) => out.push(key.clone(), new.clone(), 0),
                (true, None) => {}
            }
        }
        Value::Map(out)
    }

    fn texts(items: &[&str]) -> Value {
        Value::List(items.iter().map(|&item| Value::text(item)).collect())
    }

    #[test]
    fn a_contract_equals_its_own_config_in_either_spelling_of_numbers() {
        let now = config("\"all\"");
        assert_eq!(compare(&now, &of(&now)), ContractMatch::Same, "what was written compares as the same");
        let spelled = changed("max_layers", Some(Value::text("3")));
        assert_eq!(compare(&now, &spelled), ContractMatch::Same, "digits read as text are the same number");
    }

    #[test]
    fn every_selection_and_policy_is_compared() {
        let now = config("\"all\"");
        for (name, value) in [
            ("review_families_min", Value::Number(3.into())),
            ("max_layers", Value::text("03")),
            ("frozen_paths", texts(&[])),
            ("frozen_paths", texts(&["docs", "src"])),
            ("ecosystems", texts(&["omh", "omo", "gsd"])),
            ("delegation", Value::text("off")),
        ] {
            match compare(&now, &changed(name, Some(value))) {
                ContractMatch::Differs(found) => assert_eq!(found[0].0, name, "the difference is named"),
                other => panic!("{name} must differ, not {other:?}"),
            }
        }
        let other = of(&config("[\"opus48\"]"));
        assert_eq!(
            compare(&now, &other),
            ContractMatch::Differs(vec![("classes.reviewers".into(), "[opus48]".into(), "all".into())]),
            "`all` and a list are different selections"
        );
        assert!(
            matches!(compare(&config("[\"opus48\"]"), &of(&now)), ContractMatch::Differs(_)),
            "in both directions"
        );
    }

    #[test]
    fn another_layout_is_said_and_not_compared() {
        let now = config("\"all\"");
        let mut more = Fields::default();
        more.push("planner", Value::text("fable51"), 0);
        for other in [
            Value::Null,
            Value::text("fable51"),
            Value::List(vec![]),
            Value::Map(more),
            changed("delegation", None),
            changed("schema_version", Some(Value::Number(1.into()))),
            changed("classes", Some(Value::text("x"))),
            changed("max_layers", Some(Value::Bool(true))),
            changed("max_layers", Some(Value::text("three"))),
            changed("frozen_paths", Some(Value::text("docs"))),
            changed("ecosystems", Some(Value::List(vec![Value::Null]))),
        ] {
            assert!(
                matches!(compare(&now, &other), ContractMatch::OtherLayout(_)),
                "{other:?} is another layout: {:?}",
                compare(&now, &other)
            );
        }
    }
}
