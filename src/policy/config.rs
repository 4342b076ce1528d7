//! `.thunderkit/config.json`: the selections and limits of a project.

use super::json::{Data, Json, Member};
use super::{Config, PolicyError, Reviewers};
use crate::handoff::inert::is_odd;

const ROOT_KEYS: &[&str] = &[
    "schema_version",
    "classes",
    "models",
    "review_families_min",
    "max_layers",
    "frozen_paths",
    "ecosystems",
    "delegation",
    "decided_at",
];
const CLASS_KEYS: &[&str] = &["planner", "executors", "reviewers"];
const LEGACY_KEYS: &[&str] = &["plan", "critical_path", "review"];
const ECOSYSTEMS: &[&str] = &["omo", "omh", "gsd"];

/// Reads a config strictly; see [`Config::parse`].
pub(super) fn parse(bytes: &[u8]) -> Result<Config, PolicyError> {
    let root = Json::parse(bytes)?;
    only_keys(&root, ROOT_KEYS, "the config")?;
    let mut warnings = Vec::new();
    match root.get("schema_version") {
        None => warnings.push("schema_version is absent and was taken as 2".to_owned()),
        Some(version) if version.natural() == Some(2) => {}
        Some(version) => return Err(PolicyError::at(version.at, "schema_version must be the integer 2")),
    }
    let (planner, executors, reviewers) = match (root.get("classes"), root.get("models")) {
        (Some(_), Some(models)) => {
            let message = "`models` (old) and `classes` cannot both be there; remove `models`";
            return Err(PolicyError::at(models.at, message));
        }
        (Some(classes), None) => classes_of(classes)?,
        (None, Some(models)) => {
            warnings.push("`models` is the old form and only a preview; write `classes` instead".to_owned());
            legacy_of(models)?
        }
        (None, None) => return Err(PolicyError::at(root.at, "`classes` is required and absent")),
    };
    Ok(Config {
        planner,
        executors,
        reviewers,
        review_families_min: at_least(&root, "review_families_min", 2, 2)?,
        max_layers: at_least(&root, "max_layers", 1, 3)?,
        frozen_paths: root.get("frozen_paths").map_or_else(|| Ok(Vec::new()), frozen_paths)?,
        ecosystems: match root.get("ecosystems") {
            None => ECOSYSTEMS.iter().map(|&word| word.to_owned()).collect(),
            Some(list) => ecosystems(list)?,
        },
        delegation: match root.get("delegation") {
            None => true,
            Some(word) => match word.text() {
                Some("auto") => true,
                Some("off") => false,
                _ => return Err(PolicyError::at(word.at, "delegation must be \"auto\" or \"off\"")),
            },
        },
        warnings,
    })
}

type Classes = (String, Vec<String>, Reviewers);

fn classes_of(classes: &Json) -> Result<Classes, PolicyError> {
    only_keys(classes, CLASS_KEYS, "`classes`")?;
    let planner = key(required(classes, "planner")?)?;
    let executors = keys(required(classes, "executors")?)?;
    Ok((planner, executors, reviewers(required(classes, "reviewers")?)?))
}

/// The old form as the new one would say it.
fn legacy_of(models: &Json) -> Result<Classes, PolicyError> {
    only_keys(models, LEGACY_KEYS, "`models`")?;
    let planner = key(required(models, "plan")?)?;
    let executors = vec![key(required(models, "critical_path")?)?];
    Ok((planner, executors, reviewers(required(models, "review")?)?))
}

fn reviewers(value: &Json) -> Result<Reviewers, PolicyError> {
    match &value.data {
        Data::Text(word) if word == "all" => Ok(Reviewers::All),
        Data::List(_) => keys(value).map(Reviewers::These),
        _ => Err(PolicyError::at(value.at, "reviewers must be \"all\" or a list of catalog keys")),
    }
}

/// Refuses what is no object, and every key that the format does not have.
fn only_keys(value: &Json, allowed: &[&str], what: &str) -> Result<(), PolicyError> {
    let Some(members) = value.members() else {
        return Err(PolicyError::at(value.at, format!("{what} must be an object, not {}", value.kind())));
    };
    let unknown = |member: &&Member| !allowed.contains(&member.key.as_str());
    match members.iter().find(unknown) {
        None => Ok(()),
        Some(member) => {
            let message = format!("{what} has no key {:?}; it has {}", member.key, allowed.join(", "));
            Err(PolicyError::at(member.key_at, message))
        }
    }
}

fn required<'a>(object: &'a Json, name: &str) -> Result<&'a Json, PolicyError> {
    object.get(name).ok_or_else(|| PolicyError::at(object.at, format!("`{name}` is required and absent")))
}

/// One catalog key.
fn key(value: &Json) -> Result<String, PolicyError> {
    match value.text() {
        Some(text) if !text.is_empty() && !text.chars().any(|c| c.is_whitespace() || is_odd(c)) => {
            Ok(text.to_owned())
        }
        Some(_) => Err(PolicyError::at(value.at, "a catalog key may not be empty, blank or invisible")),
        None => Err(PolicyError::at(value.at, format!("a catalog key is expected, not {}", value.kind()))),
    }
}

/// A non-empty list of catalog keys, each once.
fn keys(value: &Json) -> Result<Vec<String>, PolicyError> {
    let items = list(value)?;
    if items.is_empty() {
        return Err(PolicyError::at(value.at, "the list may not be empty"));
    }
    unique(items, key)
}

fn list(value: &Json) -> Result<&[Json], PolicyError> {
    let refuse = || PolicyError::at(value.at, format!("a list is expected, not {}", value.kind()));
    value.items().ok_or_else(refuse)
}

/// Reads every item and refuses one that stands there twice.
fn unique(
    items: &[Json],
    read: impl Fn(&Json) -> Result<String, PolicyError>,
) -> Result<Vec<String>, PolicyError> {
    let mut texts = Vec::new();
    for item in items {
        let text = read(item)?;
        if texts.contains(&text) {
            return Err(PolicyError::at(item.at, format!("{text:?} stands in the list twice")));
        }
        texts.push(text);
    }
    Ok(texts)
}

/// An integer with a lower bound; booleans and fractions are none.
fn at_least(root: &Json, name: &str, least: u64, default: u64) -> Result<u64, PolicyError> {
    match root.get(name) {
        None => Ok(default),
        Some(value) => match value.natural() {
            Some(n) if n >= least => Ok(n),
            _ => {
                let message = format!("{name} must be an integer of at least {least}, not {}", value.kind());
                Err(PolicyError::at(value.at, message))
            }
        },
    }
}

fn frozen_paths(value: &Json) -> Result<Vec<String>, PolicyError> {
    let path = |item: &Json| {
        let refuse = |why: &str| Err(PolicyError::at(item.at, format!("a frozen path {why}")));
        match item.text() {
            None => refuse(&format!("must be a string, not {}", item.kind())),
            Some("") => refuse("may not be empty"),
            Some(text) if text.chars().any(char::is_control) => refuse("may not hold a control character"),
            Some(text) if text.contains('\\') => refuse("may not hold a backslash"),
            Some(text) if text.starts_with('/') => refuse("may not be absolute"),
            Some(text) if has_drive(text) => refuse("may not name a drive"),
            Some(text) if text.split('/').any(|part| part == "..") => refuse("may not hold `..`"),
            Some(text) => Ok(text.to_owned()),
        }
    };
    list(value)?.iter().map(path).collect()
}

fn has_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

fn ecosystems(value: &Json) -> Result<Vec<String>, PolicyError> {
    unique(list(value)?, |item| match item.text() {
        Some(word) if ECOSYSTEMS.contains(&word) => Ok(word.to_owned()),
        _ => Err(PolicyError::at(item.at, "an ecosystem must be \"omo\", \"omh\" or \"gsd\"")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: &str = r#""classes":{"planner":"fable51","executors":["opus48","sol"],"reviewers":"all"}"#;

    fn config(text: &str) -> Result<Config, PolicyError> {
        Config::parse(text.as_bytes())
    }

    /// A config with these members beside good classes.
    fn with(members: &str) -> Result<Config, PolicyError> {
        config(&format!("{{\"schema_version\":2,{CLASSES},{members}}}"))
    }

    /// A config with these classes.
    fn classes(text: &str) -> Result<Config, PolicyError> {
        config(&format!("{{\"schema_version\":2,\"classes\":{text}}}"))
    }

    #[test]
    fn what_is_absent_is_filled_in_and_said() {
        let read = config(&format!("{{{CLASSES}}}")).expect("classes are all that is required");
        assert_eq!(read.review_families_min, 2, "two families review by default");
        assert_eq!(read.max_layers, 3, "three layers by default");
        assert_eq!(read.frozen_paths, Vec::<String>::new(), "nothing is frozen by default");
        assert_eq!(read.ecosystems, ["omo", "omh", "gsd"], "all three ecosystems, in their order");
        assert!(read.delegation, "delegation is auto by default");
        assert_eq!(read.reviewers, Reviewers::All, "`all` is kept as written");
        assert_eq!(read.warnings.len(), 1, "the absent schema_version is said, and nothing else");
        assert_eq!(
            with("\"decided_at\":\"2026-11-02\"").map(|c| c.warnings),
            Ok(vec![]),
            "a whole one warns of nothing"
        );
    }

    #[test]
    fn the_old_form_is_a_preview_with_a_warning() {
        let models = r#""models":{"plan":"fable51","critical_path":"opus48","review":"all"}"#;
        let read = config(&format!("{{\"schema_version\":2,{models}}}")).expect("the old form is read");
        assert_eq!(
            (read.planner.as_str(), read.executors),
            ("fable51", vec!["opus48".to_owned()]),
            "as the new form"
        );
        assert!(read.warnings[0].contains("old form"), "and it is said that it is old");
        assert!(with(models).is_err(), "both forms at once are refused");
    }

    #[test]
    fn good_values_are_accepted() {
        let good = [
            "\"review_families_min\":2",
            "\"review_families_min\":7",
            "\"max_layers\":1",
            "\"max_layers\":18446744073709551615",
            "\"frozen_paths\":[]",
            "\"frozen_paths\":[\"src/a\",\"docs\",\"..a\",\"a..\",\"a b\",\"ü/x\"]",
            "\"ecosystems\":[]",
            "\"ecosystems\":[\"gsd\",\"omo\"]",
            "\"delegation\":\"off\"",
            "\"delegation\":\"auto\"",
            "\"decided_at\":null",
        ];
        for members in good {
            assert!(with(members).is_ok(), "{members} is a good config: {:?}", with(members));
        }
        for text in [
            r#"{"planner":"a","executors":["b"],"reviewers":["c","d"]}"#,
            r#"{"reviewers":"all","executors":["all"],"planner":"ü-5.6_sol"}"#,
        ] {
            assert!(classes(text).is_ok(), "{text} are good classes: {:?}", classes(text));
        }
        let read = with("\"ecosystems\":[\"gsd\",\"omo\"]").expect("good");
        assert_eq!(read.ecosystems, ["gsd", "omo"], "the order of a list is the file's");
    }

    #[test]
    fn every_other_value_is_refused_with_its_place() {
        let members = [
            "\"review_families_min\":1",
            "\"review_families_min\":0",
            "\"review_families_min\":-2",
            "\"review_families_min\":true",
            "\"review_families_min\":2.0",
            "\"review_families_min\":2e0",
            "\"review_families_min\":\"2\"",
            "\"review_families_min\":null",
            "\"review_families_min\":1e400",
            "\"review_families_min\":99999999999999999999",
            "\"review_families_min\":NaN",
            "\"max_layers\":0",
            "\"max_layers\":false",
            "\"max_layers\":3.5",
            "\"max_layers\":[3]",
            "\"frozen_paths\":\"src\"",
            "\"frozen_paths\":null",
            "\"frozen_paths\":[\"\"]",
            "\"frozen_paths\":[\"/etc\"]",
            "\"frozen_paths\":[\"a\\\\b\"]",
            "\"frozen_paths\":[\"C:/x\"]",
            "\"frozen_paths\":[\"c:x\"]",
            "\"frozen_paths\":[\"..\"]",
            "\"frozen_paths\":[\"a/../b\"]",
            "\"frozen_paths\":[\"a\\u0000\"]",
            "\"frozen_paths\":[\"a\\nb\"]",
            "\"frozen_paths\":[\"a\\u0085\"]",
            "\"frozen_paths\":[1]",
            "\"frozen_paths\":[\"good\",null]",
            "\"ecosystems\":\"omo\"",
            "\"ecosystems\":[\"omo\",\"omo\"]",
            "\"ecosystems\":[\"OMO\"]",
            "\"ecosystems\":[\"npm\"]",
            "\"ecosystems\":[null]",
            "\"delegation\":true",
            "\"delegation\":\"on\"",
            "\"delegation\":\"Auto\"",
            "\"delegation\":null",
            "\"Delegation\":\"auto\"",
            "\"delegation\":\"auto\",\"delegation\":\"off\"",
            "\"schema_version\":2",
            "\"ready\":true",
            "\"\":1",
            "\"models\":null",
        ];
        for text in members {
            let error = with(text).expect_err(text);
            assert!(error.at.is_some(), "{text} is refused with its place: {error}");
        }
        let class_texts = [
            "null",
            "[]",
            "{}",
            r#"{"planner":"a","executors":["b"]}"#,
            r#"{"executors":["b"],"reviewers":"all"}"#,
            r#"{"planner":"a","reviewers":"all"}"#,
            r#"{"planner":["a"],"executors":["b"],"reviewers":"all"}"#,
            r#"{"planner":"","executors":["b"],"reviewers":"all"}"#,
            r#"{"planner":" a","executors":["b"],"reviewers":"all"}"#,
            r#"{"planner":"a\u202e","executors":["b"],"reviewers":"all"}"#,
            r#"{"planner":"a","executors":"b","reviewers":"all"}"#,
            r#"{"planner":"a","executors":[],"reviewers":"all"}"#,
            r#"{"planner":"a","executors":["b","b"],"reviewers":"all"}"#,
            r#"{"planner":"a","executors":["b",null],"reviewers":"all"}"#,
            r#"{"planner":"a","executors":["b"],"reviewers":"ALL"}"#,
            r#"{"planner":"a","executors":["b"],"reviewers":"b"}"#,
            r#"{"planner":"a","executors":["b"],"reviewers":[]}"#,
            r#"{"planner":"a","executors":["b"],"reviewers":["b","b"]}"#,
            r#"{"planner":"a","executors":["b"],"reviewers":null}"#,
            r#"{"planner":"a","planner":"a","executors":["b"],"reviewers":"all"}"#,
            r#"{"planner":"a","executors":["b"],"reviewers":"all","auditors":"all"}"#,
        ];
        for text in class_texts {
            assert!(classes(text).is_err(), "{text} are no classes");
        }
        let whole = [
            "",
            "null",
            "[]",
            "{}",
            "{\"schema_version\":2}",
            "{\"schema_version\":2,\"models\":{}}",
            "{\"schema_version\":2,\"models\":{\"plan\":\"a\",\"critical_path\":[\"b\"],\"review\":\"all\"}}",
            "{\"schema_version\":2,\"models\":{\"plan\":\"a\",\"critical_path\":\"b\",\"review\":\"all\",\"x\":1}}",
        ];
        for text in whole {
            assert!(config(text).is_err(), "{text:?} is no config");
        }
        for version in ["1", "3", "2.0", "\"2\"", "true", "null"] {
            let text = format!("{{\"schema_version\":{version},{CLASSES}}}");
            assert!(config(&text).is_err(), "schema_version {version} is not 2");
        }
    }

    #[test]
    fn an_error_says_where() {
        let text = format!("{{\n  {CLASSES},\n  \"max_layers\": true\n}}");
        let error = config(&text).expect_err("a boolean is no integer");
        assert_eq!(error.at, Some((3, 17)), "line and column are the value's");
        assert!(
            error.to_string().ends_with("not a boolean (line 3, column 17)"),
            "and stand in the sentence: {error}"
        );
    }
}
