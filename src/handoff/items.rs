//! Items of a list under a heading: markers, check boxes, wrapped lines, and the paragraph where there is no list.

use super::fold::ascii_digit;
use super::markdown::{Kind, Line, is_rule, visible_start};

/// One item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// Its text without marker and check box, wrapped lines joined by one blank.
    pub text: String,
    /// Ticked or struck through; `None` without a check box.
    pub ticked: Option<bool>,
    /// Its line in the file, from 1.
    pub line: u32,
}

impl Item {
    fn new(text: &str, line: u32) -> Self {
        Self { text: text.to_owned(), ticked: None, line }
    }
}

/// What stands under a heading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Content {
    /// Items of the outermost list, in file order.
    pub items: Vec<Item>,
    /// The first paragraph that is no list.
    pub paragraph: Option<Item>,
    /// Its fields, where it is made of them: lines that begin with a bold name and a colon.
    pub fields: Vec<Item>,
    /// The rows of the first table, cells apart, the header first.
    pub rows: Vec<Vec<String>>,
}

/// A line that begins a list item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marked<'a> {
    /// How far it is indented, in blanks.
    pub indent: usize,
    /// The text behind the marker and the check box.
    pub text: &'a str,
    /// The check box, where there is one.
    pub ticked: Option<bool>,
}

/// Where a line's text stands behind the marks of a quotation, and what item begins there. It is found once: every
/// reader of a page asks for it, and nothing else that is asked of a line costs as much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bare {
    /// From which byte on.
    start: usize,
    item: Option<Mark>,
}

/// The mark of a list item and its check box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    indent: usize,
    ticked: Option<bool>,
    /// How many bytes stand behind it to the line's end.
    behind: usize,
}

impl Mark {
    fn of(line: &str) -> Option<Self> {
        let body = visible_start(line);
        // Most lines begin with a letter, and no item does.
        if body.as_bytes().first().is_none_or(u8::is_ascii_alphabetic) {
            return None;
        }
        let rest = after_bullet(body).or_else(|| after_number(body))?;
        let indent =
            line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum();
        let (ticked, text) = check_box(rest.trim_start());
        Some(Self { indent, ticked, behind: text.trim_start().len() })
    }

    fn item(self, line: &str) -> Marked<'_> {
        let text = line[line.len() - self.behind..].trim_end();
        Marked { indent: self.indent, text, ticked: self.ticked }
    }
}

impl Line<'_> {
    fn look(&self) -> Bare {
        *self.looked.get_or_init(|| {
            let bare = strip_quote(&self.text);
            Bare { start: self.text.len() - bare.len(), item: Mark::of(bare) }
        })
    }

    /// Its text without the marks of a quotation in front; the indentation inside it stays.
    pub fn bare(&self) -> &str {
        &self.text[self.look().start..]
    }

    /// The list item that it begins, quoted or not.
    pub fn item(&self) -> Option<Marked<'_>> {
        self.look().item.map(|mark| mark.item(&self.text))
    }

    /// What it says: the item's text, or all of it.
    pub fn said(&self) -> &str {
        self.item().map_or_else(|| self.bare().trim(), |item| item.text)
    }
}

/// The list item that a line begins, if it does.
pub(super) fn marked(line: &str) -> Option<Marked<'_>> {
    Mark::of(line).map(|mark| mark.item(line))
}

/// The words of a list item, less its marker and its check box, where a line begins one.
pub fn list_item(line: &str) -> Option<&str> {
    marked(line).map(|item| item.text)
}

/// The words behind an open check box, where a line is one.
pub fn open_box(line: &str) -> Option<&str> {
    let item = marked(line).filter(|item| item.ticked == Some(false))?;
    (!item.text.is_empty()).then_some(item.text)
}

fn after_bullet(body: &str) -> Option<&str> {
    let first = body.chars().next()?;
    let rest = &body[first.len_utf8()..];
    match first {
        '-' | '*' | '+' | '–' | '—' if rest.starts_with([' ', '\t']) => Some(rest),
        // A number that is left to the program.
        '#' => rest.strip_prefix('.').filter(|rest| rest.starts_with(' ')),
        '•' | '‣' | '◦' | '▪' | '●' | '○' | '・' | '■' | '□' | '◆' | '►' | '▸' => {
            Some(rest)
        }
        // A box alone is marker and check box in one.
        '☐' | '☑' | '☒' | '⬜' | '🔲' | '✅' | '✔' | '◻' => Some(body),
        '[' if check_box(body).0.is_some() => Some(body),
        _ => None,
    }
}

/// `1.`, `1)`, `(1)`, `1、`, `１．`, `۱.`, `①`, `1️⃣`.
fn after_number(body: &str) -> Option<&str> {
    let first = body.chars().next()?;
    if ('①'..='⑳').contains(&first) {
        return Some(&body[first.len_utf8()..]);
    }
    let open = matches!(first, '(' | '（');
    let digits = if open { &body[first.len_utf8()..] } else { body };
    let count = digits.chars().take_while(|&c| ascii_digit(c).is_ascii_digit()).count();
    if !(1..=3).contains(&count) {
        return None;
    }
    let end: usize = digits.chars().take(count).map(char::len_utf8).sum();
    let rest = &digits[end..];
    if let Some(after) = rest.strip_prefix("\u{FE0F}\u{20E3}").or_else(|| rest.strip_prefix('\u{20E3}')) {
        return Some(after);
    }
    let mark = rest.chars().next()?;
    let after = &rest[mark.len_utf8()..];
    let wide_behind = after.chars().next().is_some_and(|c| !c.is_ascii() && c.is_alphabetic());
    match mark {
        ')' | '）' if open => Some(after),
        '.' | ')' if after.starts_with([' ', '\t']) || wide_behind => Some(after),
        '、' | '．' | '）' => Some(after),
        _ => None,
    }
}

fn check_box(text: &str) -> (Option<bool>, &str) {
    if let Some(inner) = text.strip_prefix('[') {
        let mut chars = inner.chars();
        if let (Some(mark), Some(']')) = (chars.next(), chars.next()) {
            let rest = chars.as_str();
            if rest.is_empty() || rest.starts_with([' ', '\t']) {
                match mark {
                    ' ' => return (Some(false), rest),
                    'x' | 'X' | '✓' | '✔' | '✅' => return (Some(true), rest),
                    '~' | '/' | '-' | '>' | '!' => return (Some(false), rest),
                    _ => {}
                }
            }
        }
    }
    let Some(first) = text.chars().next() else { return (None, text) };
    let rest = text[first.len_utf8()..].trim_start_matches('\u{FE0F}');
    match first {
        '☐' | '⬜' | '🔲' | '◻' => (Some(false), rest),
        '☑' | '✅' | '✔' | '☒' => (Some(true), rest),
        _ if is_struck(text) || says_done(text) => (Some(true), text),
        _ => (None, text),
    }
}

/// `(Done) a`, `a — DONE`, `a ✅`.
fn says_done(text: &str) -> bool {
    let begins = |word: &str| text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
    let text = text.trim_end_matches(['*', '_', ' ', '.']);
    let ends = |word: &str| {
        text.len()
            .checked_sub(word.len())
            .and_then(|at| text.get(at..))
            .is_some_and(|tail| tail.eq_ignore_ascii_case(word))
    };
    // Nearly every item ends otherwise, and is told by its last byte: the last one of the sign is 0x85.
    let may_end = matches!(text.as_bytes().last(), Some(b')' | b']' | b'e' | b'E' | 0x85));
    begins("(done)")
        || begins("[done]")
        || may_end && ["✅", "(done)", "[done]", "— done", "– done", "- done"].iter().any(|word| ends(word))
}

fn is_struck(text: &str) -> bool {
    text.strip_prefix("~~").is_some_and(|rest| rest.contains("~~"))
}

/// The cells of a table row: split at bars that are not escaped; `None` when the line is no row.
pub(super) fn cells(line: &str) -> Option<Vec<String>> {
    let body = line.trim();
    let inner = body.strip_prefix('|')?;
    let mut cells = vec![String::new()];
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&'|') => {
                chars.next();
                cells.last_mut()?.push('|');
            }
            '|' => cells.push(String::new()),
            c => cells.last_mut()?.push(c),
        }
    }
    if cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    Some(cells.into_iter().map(|cell| cell.trim().to_owned()).collect())
}

/// Whether a row is the line between a table's head and its body.
pub(super) fn is_delimiter_row(cells: &[String]) -> bool {
    !cells.is_empty()
        && cells.iter().all(|cell| cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':' | ' ')))
}

/// Reads what stands in these lines.
pub(super) fn content(lines: &[Line<'_>]) -> Content {
    let mut out = Content::default();
    let mut open = Open::Nothing;
    let mut outermost = None;
    for line in lines {
        let text = line.bare();
        match line.kind {
            Kind::Text if is_rule(text) => open = Open::Nothing,
            Kind::Text => {
                if let Some(row) = cells(text) {
                    out.rows.push(row);
                    open = Open::Nothing;
                } else if let Some(item) = line.item() {
                    let base = *outermost.get_or_insert(item.indent);
                    // A list that begins further left than its first item is the outer one after all.
                    if item.indent <= base + 1 {
                        out.items.push(Item {
                            text: item.text.to_owned(),
                            ticked: item.ticked,
                            line: line.number,
                        });
                        open = Open::Item;
                    } else {
                        open = Open::Nested;
                    }
                } else {
                    let part = text.trim();
                    match open {
                        Open::Item => join(out.items.last_mut(), part),
                        Open::Paragraph => {
                            join(out.paragraph.as_mut(), part);
                            if !out.fields.is_empty() && is_bold_field(part) {
                                out.fields.push(Item::new(part, line.number));
                            } else {
                                join(out.fields.last_mut(), part);
                            }
                        }
                        Open::Nothing if out.paragraph.is_none() && out.items.is_empty() => {
                            out.paragraph = Some(Item::new(part, line.number));
                            out.fields.extend(is_bold_field(part).then(|| Item::new(part, line.number)));
                            open = Open::Paragraph;
                        }
                        Open::Nothing | Open::Nested => {}
                    }
                }
            }
            _ => open = Open::Nothing,
        }
    }
    out
}

/// `**Goal:** mend it`.
fn is_bold_field(line: &str) -> bool {
    line.starts_with("**") && keyed(line).is_some_and(|(name, value)| name.len() <= 60 && !value.is_empty())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    Item,
    Nested,
    Paragraph,
}

fn join(item: Option<&mut Item>, part: &str) {
    if let Some(item) = item {
        if !item.text.is_empty() {
            item.text.push(' ');
        }
        item.text.push_str(part);
    }
}

/// A line without the marks of a quotation in front; the indentation inside it stays.
pub(super) fn strip_quote(line: &str) -> &str {
    let mut rest = line;
    while let Some(inner) = visible_start(rest).strip_prefix('>') {
        rest = inner.strip_prefix(' ').unwrap_or(inner);
    }
    rest
}

/// The name and the value of `Name: value`, the name bold or not.
pub(super) fn keyed(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once([':', '：'])?;
    let bold = name.matches("**").count() % 2 == 1;
    let value = value.trim();
    let value = if bold { value.strip_prefix("**").unwrap_or(value).trim_start() } else { value };
    Some((name.trim_matches(['*', '_', '`', ' ']), value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handoff::markdown::{Dialect, scan};

    fn items(text: &str) -> Vec<String> {
        content(&scan(text, Dialect::Markdown)).items.into_iter().map(|item| item.text).collect()
    }

    #[test]
    fn items_in_every_spelling() {
        for marker in [
            "- ", "* ", "+ ", "• ", "1. ", "1) ", "(1) ", "1、", "１．", "۱. ", "① ", "1️⃣ ", "- [ ] ",
            "1. [ ] ", "☐ ", "[ ] ",
        ] {
            assert_eq!(items(&format!("{marker}做 it\n")), ["做 it"], "marker {marker:?} is no text");
        }
        for text in ["2.5 kg of rope", "2026-10-05 it rained", "-x", "**bold** text", "(sic) text"] {
            assert_eq!(items(text), [""; 0], "{text:?} is no item");
        }
    }

    #[test]
    fn wrapped_lines_belong_to_their_item_and_nested_ones_do_not() {
        assert_eq!(
            items("- a\n  b\nc\n  - nested\n    more\n- d\n\nprose"),
            ["a b c", "d"],
            "one blank joins"
        );
        let mixed = content(&scan("Start here:\n\n1. a\n2. ~~b~~\n3. [x] c", Dialect::Markdown));
        assert_eq!(
            mixed.paragraph.map(|p| p.text).as_deref(),
            Some("Start here:"),
            "the paragraph before is kept apart"
        );
        assert_eq!(
            mixed.items.iter().map(|item| item.ticked).collect::<Vec<_>>(),
            [None, Some(true), Some(true)],
            "struck and ticked are done"
        );
    }

    #[test]
    fn what_says_that_it_is_done_is_ticked() {
        for text in ["(Done) a", "a — DONE", "a ✅", "**a** (done)", "~~a~~", "[x] a"] {
            assert_eq!(marked(&format!("- {text}")).and_then(|item| item.ticked), Some(true), "{text:?}");
        }
        for text in ["a is to be done", "Done-list", "a", "get it done"] {
            assert_eq!(marked(&format!("- {text}")).and_then(|item| item.ticked), None, "{text:?}");
        }
    }

    #[test]
    fn rows_are_cut_at_bars_that_are_not_escaped() {
        assert_eq!(
            cells("| a \\| b | `c` |"),
            Some(vec!["a | b".into(), "`c`".into()]),
            "an escaped bar is text"
        );
        assert_eq!(cells("a | b"), None, "without a bar in front it is no row");
    }
}
