//! One record: thirteen fields of one line each, built so that every cap is kept and nothing is cut in two.
//!
//! Texts are taken whole, one after the other, as long as they fit; how many had no room is written behind them.
//! A text that does not fit alone is refused: only its author can say it shorter.

use crate::handoff::inert;
use crate::handoff::none::NOT_RECORDED;
use crate::save::narrative::{Body, Narrative, Topic};

/// The most characters of a record.
const RECORD: usize = 1_200;
/// The most characters of `project_root`, which is never shortened.
const ROOT: usize = 240;
/// How many changed files may be named, and in how many characters.
const CHANGED: (usize, usize) = (10, 180);
/// How many artifacts may be named, and in how many characters.
const ARTIFACTS: (usize, usize) = (4, 160);

/// What is captured for a record.
#[derive(Debug, Clone)]
pub(super) struct Captured<'a> {
    pub(super) id: &'a str,
    pub(super) from: &'a str,
    pub(super) to: &'a str,
    pub(super) root: &'a str,
    /// Paths of changed files, relative to the root.
    pub(super) changed: Vec<String>,
    /// Absolute paths.
    pub(super) artifacts: Vec<String>,
    /// A full commit id, or `none`.
    pub(super) head: String,
    pub(super) state: String,
}

/// A record's fields in their order.
pub(super) type Fields = Vec<(&'static str, String)>;

/// Builds a record from what was said and what is.
///
/// # Errors
/// What is missing or too long, and by how much.
pub(super) fn fields(captured: &Captured<'_>, said: &Narrative) -> Result<Fields, String> {
    let items = |topic| said.body(topic).map(Body::items).unwrap_or_default();
    let (completed, validation) = (items(Topic::Completed), items(Topic::Validation));
    if completed.is_empty() && validation.is_empty() {
        return Err("insufficient_input: work context (say what was completed, or what was validated)".into());
    }
    if captured.root.chars().count() > ROOT {
        return Err(format!("the project's path has more than {ROOT} characters, and is never shortened"));
    }
    let objective = said.task.iter().cloned().collect::<Vec<_>>();
    let texts = |name: &'static str, most, items: &[String], none: &str| {
        let value = joined(name, most, items)?;
        Ok::<_, String>((name, if value.is_empty() { none.to_owned() } else { value }))
    };
    // That there is none was said, or it was not.
    let none = |topic| if said.body(topic).is_some() { "none" } else { NOT_RECORDED };
    let mut changed = CHANGED.0;
    loop {
        let record = vec![
            ("handoff_id", captured.id.to_owned()),
            ("from_runtime", captured.from.to_owned()),
            ("to_runtime", captured.to.to_owned()),
            ("project_root", captured.root.to_owned()),
            texts("objective", 100, &objective, NOT_RECORDED)?,
            texts("completed", 240, &completed, none(Topic::Completed))?,
            ("changed_files", paths(&captured.changed, changed, CHANGED.1)),
            ("artifacts", paths(&captured.artifacts, ARTIFACTS.0, ARTIFACTS.1)),
            ("git_head", captured.head.clone()),
            ("worktree_state", captured.state.clone()),
            texts("validation", 120, &validation, NOT_RECORDED)?,
            texts("blockers", 80, &items(Topic::Blockers), none(Topic::Blockers))?,
            texts("next_action", 120, &items(Topic::Next), NOT_RECORDED)?,
        ];
        match text(&record).chars().count() {
            count if count <= RECORD => return Ok(record),
            count if changed == 0 => return Err(too_long(count, &record)),
            // Names of changed files can be had from git at any time: they make room first.
            _ => changed -= 1,
        }
    }
}

/// The record as it stands in its fence.
pub(super) fn text(fields: &Fields) -> String {
    fields.iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
}

/// Whole texts as long as they fit, and how many did not.
fn joined(name: &str, most: usize, items: &[String]) -> Result<String, String> {
    let items: Vec<String> = items.iter().map(|item| line(item)).filter(|item| !item.is_empty()).collect();
    let fit = fitting(&items, items.len(), most, "; ");
    match items.first() {
        Some(first) if fit.is_empty() => Err(format!(
            "{name} has {} characters, and a record has room for {most}: say it shorter",
            first.chars().count()
        )),
        _ => Ok(fit),
    }
}

/// Whole paths as long as they fit, and how many did not. A path that a reader would take for two counts as one
/// that does not.
fn paths(all: &[String], count: usize, most: usize) -> String {
    if all.is_empty() {
        return "none".into();
    }
    let plain = |path: &&String| !path.contains([',', ';']) && !path.contains(" +") && !inert::has_odd(path);
    let named: Vec<String> = all.iter().filter(plain).cloned().collect();
    let mut count = count.min(named.len());
    loop {
        let left = all.len() - count;
        let mut parts: Vec<String> = named[..count].to_vec();
        if left > 0 {
            parts.push(format!("+{left} omitted"));
        }
        let value = parts.join(", ");
        if value.chars().count() <= most || count == 0 {
            return value;
        }
        count -= 1;
    }
}

/// The longest beginning of `items` that fits with the number of those left out; empty where not even one does.
fn fitting(items: &[String], from: usize, most: usize, between: &str) -> String {
    for count in (1..=from).rev() {
        let mut value = items[..count].join(between);
        if count < items.len() {
            value.push_str(&format!("{between}+{} omitted", items.len() - count));
        }
        if value.chars().count() <= most {
            return value;
        }
    }
    String::new()
}

/// A text on one line, with everything odd made visible.
fn line(text: &str) -> String {
    let shown = inert::shown(text.trim());
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn too_long(count: usize, fields: &Fields) -> String {
    let mut by_length: Vec<_> = fields.iter().map(|(name, value)| (value.chars().count(), *name)).collect();
    by_length.sort_by(|a, b| b.cmp(a));
    let named: Vec<_> = by_length.iter().take(3).map(|(count, name)| format!("{name} ({count})")).collect();
    format!("{count} characters, and a record has at most {RECORD}; the longest are {}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(changed: usize) -> Captured<'static> {
        Captured {
            id: "11111111-2222-4333-8444-555555555555",
            from: "any",
            to: "any",
            root: "/home/ada/api",
            changed: (0..changed).map(|n| format!("src/part_{n:02}.rs")).collect(),
            artifacts: Vec::new(),
            head: "a".repeat(40),
            state: "clean".into(),
        }
    }

    fn built(json: &str, changed: usize) -> Result<Fields, String> {
        fields(&captured(changed), &Narrative::parse(json).unwrap())
    }

    fn value<'a>(fields: &'a Fields, name: &str) -> &'a str {
        fields.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str()).unwrap()
    }

    #[test]
    fn observed_work_is_needed_and_what_was_not_said_is_not_said_to_be_none() {
        let why = built(r#"{"next": "go on"}"#, 0).unwrap_err();
        assert!(why.starts_with("insufficient_input: work context"), "{why}");
        let fields = built(r#"{"completed": "Graft\nthe trees"}"#, 0).unwrap();
        assert_eq!(value(&fields, "completed"), "Graft the trees", "one line");
        for (name, want) in
            [("artifacts", "none"), ("blockers", "not recorded"), ("next_action", "not recorded")]
        {
            assert_eq!(value(&fields, name), want, "{name} is always written");
        }
        let fields = built(r#"{"completed": "Graft", "blockers": []}"#, 0).unwrap();
        assert_eq!(value(&fields, "blockers"), "none", "that there is none is somebody's word");
    }

    #[test]
    fn whole_texts_fit_or_are_counted_and_a_single_one_is_refused() {
        let list: Vec<String> = (0..12).map(|n| format!("task {n:02} of a good length, done")).collect();
        let fields = built(&serde_json::json!({ "completed": list }).to_string(), 14).unwrap();
        let completed = value(&fields, "completed");
        assert!(completed.ends_with("; +5 omitted") && completed.len() <= 240, "whole ones: {completed}");
        let changed = value(&fields, "changed_files");
        assert!(changed.starts_with("src/part_00.rs, ") && changed.ends_with(" omitted"), "{changed}");
        assert!(changed.len() <= 180, "within its cap");
        let why = built(&serde_json::json!({ "completed": "long ".repeat(50) }).to_string(), 0).unwrap_err();
        assert!(why.contains("completed has 249 characters"), "only its author can shorten it: {why}");
    }

    #[test]
    fn a_path_is_never_cut_and_never_taken_for_two() {
        let long = "d/".repeat(100);
        assert_eq!(paths(&["a".into(), long.clone()], 10, 180), "a, +1 omitted", "the long one is counted");
        assert_eq!(paths(&[long], 10, 180), "+1 omitted", "also alone");
        assert_eq!(paths(&["a,b".into(), "c".into()], 10, 180), "c, +1 omitted", "a comma would make two");
        assert_eq!(paths(&[], 10, 180), "none", "none is a word");
    }

    #[test]
    fn names_of_changed_files_make_room_for_words() {
        let full = serde_json::json!({
            "task": "t".repeat(100), "completed": "c".repeat(240), "validation": "v".repeat(120),
            "blockers": "b".repeat(80), "next": "n".repeat(120),
        });
        let mut captured = captured(14);
        let root = "/".to_owned() + &"r".repeat(200);
        captured.root = &root;
        let fields = fields(&captured, &Narrative::parse(&full.to_string()).unwrap()).unwrap();
        assert!(text(&fields).chars().count() <= RECORD, "the whole is within its cap");
        assert_eq!(value(&fields, "completed").len(), 240, "and no word was lost");
    }
}
