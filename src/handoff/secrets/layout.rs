//! Secrets whose label stands in another cell of a table, or on a line above.

use std::ops::Range;

use super::Hit;
use super::labels::whole;
use super::value::is_secret_alone;

/// A line of a text, without its end, and where it begins.
#[derive(Clone, Copy)]
struct Line<'a> {
    at: usize,
    text: &'a str,
}

/// What the layout of a whole text gives away.
pub(super) fn find(text: &str) -> Vec<Hit> {
    let mut at = 0;
    let lines: Vec<Line<'_>> = text
        .split_inclusive('\n')
        .map(|line| {
            let here = Line { at, text: line.trim_end_matches(['\n', '\r']) };
            at += line.len();
            here
        })
        .collect();
    let mut found = Vec::new();
    let mut head: Vec<Option<&'static str>> = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        let cells = cells(*line);
        if cells.is_empty() {
            head.clear();
            found.extend(below(&lines, n));
            continue;
        }
        let is_head = lines.get(n + 1).is_some_and(|next| is_rule(next.text));
        match is_head {
            true => {
                head = cells.iter().map(|cell| whole(&text[cell.clone()]).map(|(kind, _)| kind)).collect()
            }
            false => found.extend(row(text, &cells, &head)),
        }
    }
    found
}

/// The cells of a table's row, each without the blanks and marks around it; none where the line is none.
fn cells(line: Line<'_>) -> Vec<Range<usize>> {
    let indent = line.text.len() - line.text.trim_start_matches([' ', '\t', '>', '-', '*']).len();
    let Some(row) = line.text[indent..].strip_prefix('|') else { return Vec::new() };
    let mut at = line.at + indent + 1;
    let mut cells = Vec::new();
    for cell in row.split('|') {
        let marks = |c: char| c.is_whitespace() || matches!(c, '`' | '*' | '"' | '\'');
        let start = cell.len() - cell.trim_start_matches(marks).len();
        let bare = cell.trim_matches(marks);
        cells.push(at + start..at + start + bare.len());
        at += cell.len() + 1;
    }
    cells
}

/// Whether a line is the rule below a table's head.
fn is_rule(text: &str) -> bool {
    let bare = text.trim_matches([' ', '\t', '>']);
    bare.starts_with('|')
        && bare.contains('-')
        && bare.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

/// The secrets of a row: behind a cell that is a label, or below a head that is one.
fn row(text: &str, cells: &[Range<usize>], head: &[Option<&'static str>]) -> Vec<Hit> {
    let mut found = Vec::new();
    for (n, cell) in cells.iter().enumerate() {
        let value = &text[cell.clone()];
        let above = head.get(n).copied().flatten().map(|kind| (kind, true));
        let before = n.checked_sub(1).and_then(|before| whole(&text[cells[before].clone()]));
        if let Some((kind, is_one_name)) = above.or(before)
            && is_secret_alone(value, !is_one_name)
        {
            found.push(Hit { span: cell.clone(), kind });
        }
    }
    found
}

/// The secret on the line below one that is a label and nothing else: `password:`, `### API key`. A blank line and
/// the beginning of a fence may stand between.
fn below(lines: &[Line<'_>], n: usize) -> Option<Hit> {
    let label = lines[n].text.trim();
    let says_so = label.starts_with('#')
        || label.trim_end_matches(['*', '`', '"', '\'', '|', '>', '-', ' ']).ends_with([':', '=']);
    let (kind, is_one_name) = says_so.then(|| whole(label.trim_end_matches(['|', '>', '-', ' '])))??;
    let is_between = |line: &&Line<'_>| {
        let text = line.text.trim();
        text.is_empty() || text.starts_with("```") || text.starts_with("~~~")
    };
    let next = lines[n + 1..].iter().take(3).find(|line| !is_between(line))?;
    let marks = |c: char| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | ',' | ';' | '>');
    let bare = next.text.trim_start_matches([' ', '\t', '>', '*', '-']);
    let start = next.text.len() - bare.len() + (bare.len() - bare.trim_start_matches(marks).len());
    let value = bare.trim_matches(marks);
    let at = next.at + start;
    is_secret_alone(value, !is_one_name).then_some(Hit { span: at..at + value.len(), kind })
}
