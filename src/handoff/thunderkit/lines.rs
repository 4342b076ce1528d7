//! Bytes to lines: encoding, line ends, indentation, and the characters that no line may hold.

use std::borrow::Cow;

use super::super::{Position, Problem};
use super::findings::Findings;

/// How many odd characters of one line are reported each.
const MOST_ODD: usize = 20;

/// One line without its end, its indentation and its trailing blanks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    /// Counted from 1.
    pub(super) number: usize,
    /// Blanks before the body (a tab, which is refused, counts so that the line can be shown with its neighbours).
    pub(super) indent: usize,
    /// Column of the body's first character, from 1.
    pub(super) column: usize,
    /// What is left.
    pub(super) body: &'a str,
}

impl<'a> Line<'a> {
    /// The place of the character that begins at a byte of the body.
    pub(super) fn at(&self, byte: usize) -> Position {
        let before = self.body.get(..byte).map_or(0, |text| text.chars().count());
        Position::at(self.number, self.column + before)
    }

    /// The line from a byte of its body on, as if all before it were indentation.
    pub(super) fn from(&self, byte: usize) -> Line<'a> {
        let at = self.at(byte);
        Line {
            number: self.number,
            indent: self.indent + byte,
            column: at.column as usize,
            body: self.body.get(byte..).unwrap_or_default(),
        }
    }

    /// Whether nothing but a comment, or nothing at all, stands on it.
    pub(super) fn is_silent(&self) -> bool {
        self.body.is_empty() || self.body.starts_with('#')
    }
}

/// The text without a byte order mark. Bytes that are no UTF-8 are reported and shown as U+FFFD.
pub(super) fn decode<'a>(bytes: &'a [u8], findings: &mut Findings) -> Cow<'a, str> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(error) => {
            let before = String::from_utf8_lossy(bytes.get(..error.valid_up_to()).unwrap_or_default());
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
            findings.add(
                Problem::error(Position::at(line, column), "not-utf8", "a byte here is not UTF-8")
                    .help("save the file as UTF-8"),
            );
            String::from_utf8_lossy(bytes)
        }
    }
}

/// Splits the text at LF, CR LF and (refused, but shown so) at a lone CR; reports every character that a YAML
/// parser may take for a line break, a control or nothing at all.
pub(super) fn split<'a>(text: &'a str, findings: &mut Findings) -> Vec<Line<'a>> {
    let mut lines: Vec<Line<'a>> = Vec::new();
    let mut keys = KeyColumns::default();
    let mut rest = text;
    while !rest.is_empty() {
        let number = lines.len() + 1;
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let (body, tail) = rest.split_at(end);
        rest = match tail.strip_prefix("\r\n").or_else(|| tail.strip_prefix('\n')) {
            Some(next) => next,
            None => {
                if !tail.is_empty() {
                    findings.error(|| {
                        let at = Position::at(number, body.chars().count() + 1);
                        Problem::error(at, "lone-cr", "a carriage return without a line feed")
                            .help("end lines with LF or CR LF")
                    });
                }
                tail.get(1..).unwrap_or_default()
            }
        };
        refuse_odd(number, body, findings);
        let line = line(number, body, &keys, findings);
        keys.add(&line);
        lines.push(line);
    }
    lines
}

/// The columns at which keys stood so far: what a tab was meant to reach.
#[derive(Default)]
struct KeyColumns {
    seen: Vec<usize>,
    last: usize,
}

impl KeyColumns {
    fn add(&mut self, line: &Line<'_>) {
        let behind_dash = line.body.strip_prefix("- ").map(|rest| 2 + rest.len() - rest.trim_start().len());
        let column = line.indent + behind_dash.unwrap_or(0);
        if line.is_silent() {
            return;
        }
        self.last = column;
        if column > 0 && self.seen.len() < MOST_COLUMNS && !self.seen.contains(&column) {
            self.seen.push(column);
        }
    }

    /// How far a line with tabs in front is indented: so that it stands under the key before it, or a
    /// key further out.
    fn indent(&self, blanks: usize, tabs: usize, body: &str) -> usize {
        let wide = [2, 4, 8].map(|width| blanks + tabs * width);
        let is_key = |column: &&usize| **column <= self.last && self.seen.contains(column);
        let found = if body.starts_with('-') { None } else { wide.iter().filter(is_key).max() };
        *found.unwrap_or(&wide[0])
    }
}

/// How many columns are kept; a file of the format has four.
const MOST_COLUMNS: usize = 16;

/// Takes indentation and trailing blanks off.
fn line<'a>(number: usize, text: &'a str, keys: &KeyColumns, findings: &mut Findings) -> Line<'a> {
    let body = text.trim_start_matches([' ', '\t']);
    let lead = text.get(..text.len() - body.len()).unwrap_or_default();
    let body = body.trim_end_matches([' ', '\t']);
    if let Some(tab) = lead.find('\t').filter(|_| !body.is_empty()) {
        findings.error(|| {
            Problem::error(Position::at(number, tab + 1), "tab-indentation", "a tab in the indentation")
                .help("indent with blanks")
        });
    }
    let tabs = lead.bytes().filter(|&b| b == b'\t').count();
    let indent = if tabs == 0 { lead.len() } else { keys.indent(lead.len() - tabs, tabs, body) };
    Line { number, indent, column: lead.len() + 1, body }
}

/// Reports the characters of a line that YAML does not print, or that some parsers break lines at.
fn refuse_odd(number: usize, text: &str, findings: &mut Findings) {
    if text.bytes().all(|b| matches!(b, b' '..=b'~' | b'\t')) {
        return;
    }
    let mut left = MOST_ODD;
    for (index, c) in text.chars().enumerate() {
        let (code, what) = match c {
            '\t' => continue,
            '\u{85}' | '\u{2028}' | '\u{2029}' => {
                ("line-separator", "a line separator that parsers disagree about")
            }
            '\u{FEFF}' => ("byte-order-mark", "a byte order mark that is not at the beginning"),
            '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}' => {
                ("control-character", "a control character")
            }
            _ => continue,
        };
        findings.error(|| {
            Problem::error(Position::at(number, index + 1), code, format!("{what} (U+{:04X})", c as u32))
                .help("remove it, or write it as an escape in double quotes")
        });
        left -= 1;
        if left == 0 {
            return;
        }
    }
}
