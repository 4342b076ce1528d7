//! Labels with their values on one line, in all the ways people write them.

use super::items::{cells, is_delimiter_row, marked, strip_quote};
use super::labels::{self, Known, Label};
use super::time::read::{begins_with_date, value};

/// A known label and what stands behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair {
    /// What the label means.
    pub known: Known,
    /// The label as written, without markup.
    pub name: String,
    /// The value as written, trimmed.
    pub value: String,
    /// No mark stands between them: ``Branch `x` ``, which may go on as a sentence.
    pub bare: bool,
}

/// How much of a line is looked at for labels, in bytes; longer lines are data, not fields.
const LONGEST: usize = 2000;

/// The labels on one line of text (no table row), in order.
pub(super) fn pairs(line: &str) -> Vec<Pair> {
    let text = strip_quote(line);
    pairs_said(marked(text).map_or(text.trim(), |item| item.text))
}

/// The labels in what a line says behind its marks, in order.
pub(super) fn pairs_said(said: &str) -> Vec<Pair> {
    let text = &said[..floor(said, LONGEST)];
    // `:Branch: x` is a field list's spelling.
    let text = without_slant(text).trim_start_matches(':');
    let starts = label_starts(text);
    let mut out = Vec::with_capacity(starts.len());
    for (i, start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).map_or(text.len(), |next| next.separator);
        let value = text[start.value..end.max(start.value)].trim();
        // `**Key:** v`: the bold that the label opened is closed in front of the value.
        let value = if text[start.name..start.value].matches("**").count() % 2 == 1 {
            value.strip_prefix("**").unwrap_or(value).trim_start()
        } else {
            value
        };
        let value = value.trim_start_matches([':', ' ']);
        let name = text[start.name..start.name_end].trim_matches(|c: char| !c.is_alphanumeric());
        out.push(Pair {
            known: start.known,
            name: name.to_owned(),
            value: value.trim_start_matches(['_', ' ']).to_owned(),
            bare: start.name_end == start.value,
        });
    }
    out
}

/// The labels of a table: a label and a value per row, or a row of labels over one row of values.
pub(super) fn table_pairs(rows: &[(u32, Vec<String>)]) -> Vec<(u32, Pair)> {
    let pair = |name: &str, value: &str| {
        let known = labels::of_label(name)?;
        let name = name.trim_matches(|c: char| !c.is_alphanumeric());
        Some(Pair { known, name: name.to_owned(), value: value.trim().to_owned(), bare: false })
    };
    let has_head = rows.get(1).is_some_and(|(_, row)| is_delimiter_row(row));
    let body = if has_head { &rows[2..] } else { rows };
    let mut out: Vec<(u32, Pair)> = Vec::new();
    if has_head {
        let (line, head) = &rows[0];
        let known = head.iter().filter(|name| labels::of_label(name).is_some()).count();
        if let ([(line, values)], 2..) = (body, known) {
            return head
                .iter()
                .zip(values)
                .filter_map(|(name, value)| Some((*line, pair(name, value)?)))
                .collect();
        }
        // A table of fields whose first field was taken for its head.
        let fields =
            body.iter().any(|(_, row)| row.first().is_some_and(|name| labels::of_label(name).is_some()));
        if let ([name, value], true, 1) = (head.as_slice(), fields, known) {
            out.extend(pair(name, value).map(|pair| (*line, pair)));
        }
    }
    out.extend(body.iter().filter_map(|(line, row)| Some((*line, pair(row.first()?, row.get(1)?)?))));
    out
}

/// The cells of a line's bare text, when it is a row of a table.
pub(super) fn row(bare: &str) -> Option<Vec<String>> {
    if bare.len() > LONGEST * 4 {
        return None;
    }
    cells(bare)
}

/// The value of a label without a colon: `Last updated 2026-10-05 by …`, and the label.
pub(super) fn leading_date(said: &str) -> Option<Pair> {
    let text = said[..floor(said, 200)].trim_start_matches(['*', '_', '(']);
    // Nearly no line has a date, and looking for its label is dear.
    if !text.contains(char::is_numeric) {
        return None;
    }
    let is_slanted = said.starts_with(['*', '_', '(']);
    let sentences = text.match_indices(". ").map(|(at, _)| &text[at + 2..]);
    std::iter::once(text).chain(sentences).find_map(|text| date_behind(text, is_slanted))
}

/// The date behind a label that the text begins with. In a line that is set apart other words may stand between them:
/// `_Saved by the hook at 2026-10-05_`.
fn date_behind(text: &str, is_slanted: bool) -> Option<Pair> {
    let mut end = 0;
    for word in text.split_inclusive(char::is_whitespace).take(5) {
        end += word.len();
        let (name, rest) = text.split_at(end);
        let is_time = |known: &Known| matches!(known.label, Label::Saved | Label::Created);
        if let Some(known) = labels::of_label(name).filter(is_time) {
            let behind = [" at ", " on "].iter().find_map(|word| Some(rest.split_once(word)?.1));
            let rest = match behind {
                Some(behind) if is_slanted && !begins_with_date(rest) => behind,
                _ => rest,
            };
            let rest = rest.trim_start().trim_start_matches("on ").trim_start_matches("at ");
            // `Aggiornato il 6/11/2026`: the language says which number is the day.
            let in_order =
                || rest.starts_with(|c: char| c.is_numeric()) && value(rest, known.order).moment().is_some();
            if rest.starts_with(|c: char| c.is_alphanumeric()) && (begins_with_date(rest) || in_order()) {
                return Some(Pair {
                    known,
                    name: name.trim().to_owned(),
                    value: rest.trim_end_matches(['*', '_', ')']).to_owned(),
                    bare: false,
                });
            }
        }
    }
    None
}

struct Start {
    /// Where the mark before the label stands: the end of the value before it.
    separator: usize,
    name: usize,
    name_end: usize,
    value: usize,
    known: Known,
}

/// Where known labels begin: at the start, and behind marks that join several of them.
fn label_starts(text: &str) -> Vec<Start> {
    let mut out = Vec::new();
    let mut in_code = false;
    let mut before = 0;
    let mut candidates = vec![(0, 0)];
    for (at, c) in text.char_indices() {
        let next = &text[at + c.len_utf8()..];
        match c {
            '`' => in_code = !in_code,
            '|' | '·' | '•' | '｜' | '，' | '；' | '。' | '、' | '،' | '؛' | '(' | '（' | '∙' | '‧'
            | '・' | '\u{3000}'
                if !in_code =>
            {
                candidates.push((at, at + c.len_utf8()));
            }
            ',' | ';' | '.' | '/' | '—' | '–' | '-' if !in_code && next.starts_with(' ') => {
                candidates.push((at, at + c.len_utf8()));
            }
            // `**Date**: x **Branch**: y`.
            ' ' if !in_code && next.starts_with("**") => candidates.push((at, at + 1)),
            _ => {}
        }
    }
    for (separator, name) in candidates {
        if name < before {
            continue;
        }
        let found = label_at(text, name).filter(|(name_end, value, _)| {
            // Without a colon it is a label where the line begins or among labels; a sentence names any commit so.
            name_end < value
                || (name == 0 || out.iter().any(|start: &Start| is_fact(start.known.label)))
                    && !text[separator..].starts_with(['-', '–', '—'])
                    && !labels::names_another(&text[..separator])
        });
        if let Some((name_end, value, known)) = found {
            before = value;
            out.push(Start { separator, name, name_end, value, known });
        }
    }
    out
}

/// Whether a label is one of those that people join on one line.
fn is_fact(label: Label) -> bool {
    matches!(
        label,
        Label::Saved
            | Label::Dated
            | Label::Created
            | Label::Branch
            | Label::Commit
            | Label::Phase
            | Label::Status
    )
}

/// The known label that begins here, where its name ends, and where its value begins.
fn label_at(text: &str, from: usize) -> Option<(usize, usize, Known)> {
    let rest = &text[from..];
    let near = &rest[..floor(rest, labels::LONGEST_NAME + 20)];
    for (at, c) in near.char_indices() {
        let width = match c {
            ':' | '：' | '﹕' => c.len_utf8(),
            // `Stage → Task → Step` is a way.
            '→' if rest.matches('→').count() == 1 => c.len_utf8(),
            // `resume=False` is an argument, `branch=main` on its own line a field.
            '=' if from == 0 || near[..at].ends_with(' ') => c.len_utf8(),
            '—' | '–' | '-' if near[..at].ends_with(' ') && near[at + c.len_utf8()..].starts_with(' ') => {
                c.len_utf8()
            }
            '`' if !near[..at].trim().is_empty() => 0,
            '|' | '·' | '\n' => return None,
            _ => continue,
        };
        let in_code = near[..at].matches('`').count() % 2 == 1;
        let known = labels::of_label(near[..at].trim()).filter(|_| !in_code);
        return match known {
            // Without a colon only names of branches and commits stand before code.
            Some(known) if width > 0 || matches!(known.label, Label::Branch | Label::Commit) => {
                Some((from + at, from + at + width, known))
            }
            _ => None,
        };
    }
    None
}

/// A line without slanted marks around the whole of it: `_Generated: 2026-10-05_`.
fn without_slant(text: &str) -> &str {
    for mark in ['_', '*'] {
        if let Some(inner) = text.strip_prefix(mark).and_then(|t| t.strip_suffix(mark))
            && !inner.starts_with(mark)
            && !inner.contains(mark)
        {
            return inner;
        }
    }
    text
}

/// The greatest place up to `at` where the text can be cut.
fn floor(text: &str, at: usize) -> usize {
    if text.len() <= at {
        text.len()
    } else {
        (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<(Label, String)> {
        pairs(line).into_iter().map(|pair| (pair.known.label, pair.value)).collect()
    }

    #[test]
    fn one_label_in_every_spelling() {
        for line in [
            "**Branch:** `x`",
            "**Branch**: `x`",
            "- Branch: `x`",
            "Branch: `x`",
            "> Branch: `x`",
            "_Branch: `x`_",
            "Branch：`x`",
            "🌿 Branch: `x`",
            "* **Branch** — `x`",
            "> - **Current branch:** `x`",
            "1. Branch: `x`",
            "Branch `x`",
            "Ветка: `x`",
            "branch = `x`",
            "branch=`x`",
            "ブランチ：`x`",
            "- **🌿 분지 (작업)**: y | 브랜치: `x`",
        ] {
            assert_eq!(read(line), [(Label::Branch, "`x`".to_owned())], "{line:?}");
        }
        for line in [
            "Branching: x",
            "Branch and merge strategy can wait",
            "see branch: no",
            "https://branch:80/x",
            "a `Branch: x` b",
            "trained afresh (branch=x, next=y)",
            "The fault is mended (commit `574a4ee`, tests too)",
            "Suite: `make test`",
            "Stage → Tasks → Steps",
        ] {
            assert_eq!(read(line), [], "{line:?} holds no label");
        }
    }

    #[test]
    fn joined_labels_come_apart_only_where_another_label_follows() {
        assert_eq!(
            read("**Date**: 2026-08-11 | **Status**: a | b · c | **Branch**: t | **HEAD**: 574a4ee (pushed)"),
            [
                (Label::Dated, "2026-08-11".to_owned()),
                (Label::Status, "a | b · c".to_owned()),
                (Label::Branch, "t".to_owned()),
                (Label::Commit, "574a4ee (pushed)".to_owned())
            ],
            "a bar inside a value stays in it"
        );
        assert_eq!(
            read("**Date**: 2026-08-11 **Author**: me **Branch**: `t`"),
            [(Label::Dated, "2026-08-11 **Author**: me".to_owned()), (Label::Branch, "`t`".to_owned())],
            "bold labels need no mark between them"
        );
        assert_eq!(
            read("Дата: 2026-10-11. Ветка `scan/x`, последний коммит `582c5b6`, всё"),
            [
                (Label::Dated, "2026-10-11".to_owned()),
                (Label::Branch, "`scan/x`".to_owned()),
                (Label::Commit, "`582c5b6`, всё".to_owned())
            ],
            "a sentence of labels"
        );
    }

    #[test]
    fn tables_of_fields() {
        let rows =
            |text: &str| -> Vec<(u32, Vec<String>)> { (1..).zip(text.lines().filter_map(row)).collect() };
        let read = |text: &str| -> Vec<(Label, String)> {
            table_pairs(&rows(text)).into_iter().map(|(_, pair)| (pair.known.label, pair.value)).collect()
        };
        assert_eq!(
            read("| k | v |\n|---|---|\n| Branch | `x` |"),
            [(Label::Branch, "`x`".to_owned())],
            "a row per field"
        );
        assert_eq!(
            read("| **Branch** | x |\n|---|---|\n| Commit | fee1cff |").len(),
            2,
            "the first field was taken for the head"
        );
        assert_eq!(read("| Branch | Commit |\n|--|--|\n| x | fee1cff |").len(), 2, "fields side by side");
        assert_eq!(
            read("| Branch | Owner |\n|--|--|\n| x | A |\n| y | B |"),
            [],
            "a table of branches is no field"
        );
    }

    #[test]
    fn a_date_may_follow_its_label_without_a_colon() {
        assert_eq!(
            leading_date("_Last updated 2026-10-05 by me_").map(|p| p.value).as_deref(),
            Some("2026-10-05 by me"),
            "in words"
        );
        assert_eq!(
            leading_date("Stand 05.10.2026").map(|p| p.known.label),
            Some(Label::Saved),
            "in another language"
        );
        assert!(leading_date("Aggiornato il 6/11/2026").is_some(), "in a language that puts the day first");
        assert_eq!(leading_date("Updated the parser"), None, "a verb is no label");
        for line in
            ["_Saved by the hook at 2026-10-05T10:00:00Z_", "Living page. Last refreshed 2026-10-05, edit it"]
        {
            assert!(leading_date(line).is_some_and(|pair| pair.value.starts_with("2026-10-05")), "{line:?}");
        }
    }
}
