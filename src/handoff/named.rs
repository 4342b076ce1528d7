//! Where a handoff names things, as far as its own shape tells: what is still to be made, and lists of files.
//!
//! A path under "next steps" may be one that the next step makes; the same path in a report of what was done
//! must be there.

use std::collections::BTreeSet;

use super::fold::fold_identifier;
use super::labels::{self, Label};
use super::markdown::{Dialect, Kind, scan};
use super::model::{Family, Fields, Format, Handoff, Value};
use super::outline::Outline;
use super::{Inert, pairs};

/// Names of fields that list files; folded.
const FILE_LISTS: &[&str] = &[
    "files",
    "changed files",
    "modified files",
    "files modified",
    "files changed",
    "files touched",
    "touched files",
    "created files",
    "files created",
    "artifacts",
];

/// Names of fields that list files that were deleted; folded.
const DELETED_LISTS: &[&str] = &["deleted files", "files deleted", "removed files", "files removed"];

/// Names of lists of files that were deleted, and of what is said of one file that was; beginnings of folded words.
const DELETED: &[&str] = &["delet", "remov"];

/// The same of files that have another name now.
const LEFT: &[&str] = &["renamed from", "moved from", "old"];

/// Names of the entry that says what was done with a file; folded.
const FATES: &[&str] = &["status", "change", "action", "state", "type", "op", "operation", "kind"];

/// Names of the entry that says which file is meant, where a list holds mappings; folded.
const FILE_NAMES: &[&str] = &["path", "file", "filename", "file path", "name"];

/// How deep lists of files are looked for.
const DEEPEST: usize = 6;

/// A file in a list of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// Its words.
    pub text: Inert,
    /// The list belongs to a step that is still to be done.
    pub planned: bool,
    /// It is said to be deleted.
    pub gone: bool,
}

/// The numbers (from 1) of the lines that speak of what is still to be done: next steps, open items, what is left.
/// A ticked item there is done.
pub fn planned_lines(text: &str, handoff: &Handoff) -> BTreeSet<u32> {
    match handoff.format {
        Format::Markdown => planned_markdown(text, Dialect::Markdown),
        Format::Text => planned_markdown(text, Dialect::Plain),
        // The lines of data say what their values say.
        Format::Json | Format::Yaml => {
            let open = || handoff.next_actions.iter().chain(&handoff.open_items);
            let speaks_of = |line: &str| open().any(|item| !item.is_blank() && line.contains(item.raw()));
            (1..).zip(text.lines()).filter(|(_, line)| speaks_of(line)).map(|(number, _)| number).collect()
        }
    }
}

fn planned_markdown(text: &str, dialect: Dialect) -> BTreeSet<u32> {
    let lines = scan(text, dialect);
    let outline = Outline::of(&lines);
    let mut planned = BTreeSet::new();
    // A wrapped item goes on as it began.
    let mut ticked = None;
    for (line, owner) in lines.iter().zip(&outline.owner) {
        let item = line.item().filter(|_| line.kind == Kind::Text);
        match item {
            Some(item) => ticked = item.ticked,
            None if line.kind != Kind::Text => ticked = None,
            None => {}
        }
        let section = outline.path(*owner).find_map(|section| section.label());
        let said = pairs::pairs_said(line.said()).first().map(|pair| pair.known.label);
        let open = ticked == Some(false) || is_plan(section) || is_plan(said);
        if open && ticked != Some(true) {
            planned.insert(line.number);
        }
    }
    planned
}

fn is_plan(label: Option<Label>) -> bool {
    matches!(label, Some(Label::Next | Label::Todo | Label::Open))
}

/// The files in the lists of files of a JSON or YAML handoff, in file order; none for any other.
pub fn listed_files(handoff: &Handoff) -> Vec<ListedFile> {
    let mut out = Vec::new();
    if handoff.family == Family::Freeform && matches!(handoff.format, Format::Json | Format::Yaml) {
        walk(&handoff.fields, false, 0, &mut out);
    }
    out
}

fn walk(fields: &Fields, planned: bool, depth: usize, out: &mut Vec<ListedFile>) {
    for field in fields {
        let key = fold_identifier(field.name.raw());
        let planned = planned || is_plan(labels::of_key(&key).map(|known| known.label));
        let deleted = DELETED_LISTS.contains(&key.as_str());
        if deleted || FILE_LISTS.contains(&key.as_str()) {
            let files = files_of(&field.value, deleted).into_iter();
            out.extend(files.map(|(text, gone)| ListedFile { text, planned, gone }));
        }
        if depth == DEEPEST {
            continue;
        }
        match &field.value {
            Value::Map(inner) => walk(inner, planned, depth + 1, out),
            Value::List(items) => {
                let maps = items.iter().filter_map(|item| match item {
                    Value::Map(inner) => Some(inner),
                    _ => None,
                });
                maps.for_each(|inner| walk(inner, planned, depth + 1, out));
            }
            _ => {}
        }
    }
}

/// The files of a list, each with whether it was deleted.
fn files_of(value: &Value, deleted: bool) -> Vec<(Inert, bool)> {
    let one = |item: &Value| match item {
        Value::Text(text) => Some((text.clone(), deleted)),
        Value::Map(fields) => {
            let named = |name: &str| fields.iter().find(|field| fold_identifier(field.name.raw()) == name);
            let fate = |is: fn(&str) -> bool| {
                FATES.iter().filter_map(|name| named(name)?.value.as_text()).any(|fate| is(fate.raw()))
            };
            let file = || FILE_NAMES.iter().find_map(|name| named(name)?.value.as_text().cloned());
            if fate(is_left) { None } else { Some((file()?, deleted || fate(is_deleted))) }
        }
        _ => None,
    };
    match value {
        Value::List(items) => items.iter().filter_map(one).collect(),
        // A mapping of lists, by what was done with the files: `files: {modified: […], created: […]}`.
        Value::Map(fields) => {
            let lists = fields
                .iter()
                .filter(|field| {
                    let key = fold_identifier(field.name.raw());
                    !FILE_LISTS.contains(&key.as_str()) && !DELETED_LISTS.contains(&key.as_str())
                })
                .filter(|field| !is_left(field.name.raw()));
            lists
                .filter(|field| matches!(field.value, Value::List(_)))
                .flat_map(|field| files_of(&field.value, deleted || is_deleted(field.name.raw())))
                .collect()
        }
        Value::Text(text) => text
            .raw()
            .split([',', '\n'])
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .map(|text| (Inert::from(text), deleted))
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether a word says that a file was deleted: `deleted`, `Removed`, git's own `D`.
fn is_deleted(word: &str) -> bool {
    word.trim() == "D" || begins(word, DELETED)
}

/// Whether a word says that a file has another name now.
fn is_left(word: &str) -> bool {
    begins(word, LEFT)
}

fn begins(word: &str, stems: &[&str]) -> bool {
    let folded = fold_identifier(word);
    stems.iter().any(|stem| folded.starts_with(stem))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handoff::{Habit, Source, read};

    fn handoff(name: &str, text: &str) -> Handoff {
        let source = Source { bytes: text.as_bytes(), name, habit: Habit::Other, cut_from: None };
        read(&source).remove(0)
    }

    #[test]
    fn what_is_still_to_be_done_is_told_from_what_is_done() {
        let text = "# Notes\n\nSee `a/b.rs`.\nNext: write `a/c.rs`\n\n## Done\n- [x] `a/d.rs`\n- [ ] `a/e.rs`\n\n\
                    ## Next steps\n1. make `a/f.rs`\n   and `a/g.rs`\n- [x] `a/h.rs`\n\n## Decisions\n- `a/i.rs`\n";
        let planned: Vec<u32> = planned_lines(text, &handoff("HANDOFF.md", text)).into_iter().collect();
        for line in [4, 8, 11, 12] {
            assert!(planned.contains(&line), "line {line} speaks of what is to come: {planned:?}");
        }
        for line in [3, 7, 13, 16] {
            assert!(!planned.contains(&line), "line {line} speaks of what is: {planned:?}");
        }
    }

    #[test]
    fn lists_of_files_are_found_in_data_with_what_they_belong_to() {
        let text = r#"{"git": {"changed_files": ["src/a.rs"]}, "files": [{"path": "src/b.rs"}],
            "next_steps": [{"task": "write it", "files": ["src/c.rs"]}], "notes": ["src/d.rs"]}"#;
        let files = listed_files(&handoff("handoff.json", text));
        let named: Vec<_> = files.iter().map(|file| (file.text.raw(), file.planned)).collect();
        assert_eq!(
            named,
            [("src/a.rs", false), ("src/b.rs", false), ("src/c.rs", true)],
            "a list that is named so counts, any other does not, and a step's files are still to come"
        );
        let gone = r#"{"files": {"modified": ["src/a.rs"], "deleted": ["src/b.rs"], "old": ["src/e.rs"]},
            "changed_files": [{"path": "src/c.rs", "status": "D"}, {"path": "src/d.rs", "status": "M"}],
            "deleted_files": ["src/f.rs"]}"#;
        let files = listed_files(&handoff("handoff.json", gone));
        let named: Vec<_> = files.iter().map(|file| (file.text.raw(), file.gone)).collect();
        let all = [
            ("src/a.rs", false),
            ("src/b.rs", true),
            ("src/c.rs", true),
            ("src/d.rs", false),
            ("src/f.rs", true),
        ];
        assert_eq!(named, all, "what is said to be deleted is not said to be there");
        assert_eq!(listed_files(&handoff("HANDOFF.md", "files: [src/a.rs]\n")), [], "prose is no data");
    }
}
