//! YAML as people write it by hand, read line by line: mappings, lists, quoted and plain scalars, block scalars
//! and lists in brackets. Every scalar stays the text it is (`no`, `0123`, `9509425349e4`); nothing is built,
//! expanded or referred to. What is not understood is passed over, with a note.

use super::data;
use crate::handoff::inert::Inert;
use crate::handoff::model::{Family, Fields, Format, Handoff, Value};
use crate::handoff::problem::{Position, Problem};

/// How deep mappings and lists are followed; what lies deeper is kept as text.
const DEEPEST: usize = 16;

/// Reads a YAML handoff.
pub(super) fn read(text: &str) -> Handoff {
    let lines = (1..).zip(text.lines());
    let mut handoff = Handoff::empty(Family::Freeform, Format::Yaml);
    handoff.lines = (1, u32::try_from(text.lines().count().max(1)).unwrap_or(u32::MAX));
    let parsed = parse(lines);
    if let Some(line) = parsed.passed_over.first() {
        let message =
            format!("{} lines were not understood as YAML, this one first", parsed.passed_over.len());
        handoff.problems.push(Problem::note(Position { line: *line, column: 1 }, Problem::NOT_YAML, message));
    }
    data::fill(&mut handoff, parsed.fields);
    handoff.readable |= text.lines().any(|line| !line.trim().is_empty()) && handoff.fields.is_empty();
    handoff
}

/// What a YAML text holds.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    /// Its mapping (of all documents, one after the other).
    pub fields: Fields,
    /// Lines that are no part of it.
    pub passed_over: Vec<u32>,
}

/// Reads numbered lines.
pub(super) fn parse<'a>(lines: impl Iterator<Item = (u32, &'a str)>) -> Parsed {
    let mut parser = Parser { lines: Vec::new(), at: 0, passed_over: Vec::new() };
    for (number, line) in lines {
        let body = line.trim_end().trim_start_matches([' ', '\t']);
        let indent = line.trim_end().len() - body.len();
        if !(indent == 0 && matches!(body, "---" | "...")) {
            parser.lines.push(Row { number, indent, body });
        }
    }
    let mut fields = Fields::default();
    while parser.peek().is_some() {
        let before = parser.at;
        match parser.block(0) {
            Value::Map(map) => map.iter().for_each(|f| fields.push(f.name.clone(), f.value.clone(), f.line)),
            Value::List(items) if !items.is_empty() => {
                fields.push("", Value::List(items), parser.lines[before].number)
            }
            _ => {}
        }
        if parser.at == before {
            parser.pass_over();
        }
    }
    Parsed { fields, passed_over: parser.passed_over }
}

#[derive(Debug, Clone, Copy)]
struct Row<'a> {
    number: u32,
    indent: usize,
    body: &'a str,
}

struct Parser<'a> {
    lines: Vec<Row<'a>>,
    at: usize,
    passed_over: Vec<u32>,
}

impl<'a> Parser<'a> {
    /// The next line that is neither blank nor a comment.
    fn peek(&mut self) -> Option<Row<'a>> {
        while let Some(row) = self.lines.get(self.at) {
            if row.body.is_empty() || row.body.starts_with('#') {
                self.at += 1;
            } else {
                return Some(*row);
            }
        }
        None
    }

    fn pass_over(&mut self) {
        if let Some(row) = self.lines.get(self.at) {
            self.passed_over.push(row.number);
        }
        self.at += 1;
    }

    /// The mapping, list or text that begins at the next line.
    fn block(&mut self, depth: usize) -> Value {
        let Some(first) = self.peek() else { return Value::Null };
        if depth > DEEPEST {
            return self.text_block(first.indent);
        }
        if is_item(first.body) {
            self.list(first.indent, depth)
        } else if key_of(first.body).is_some() {
            self.map(first.indent, depth)
        } else if depth == 0 {
            self.pass_over();
            Value::Null
        } else {
            self.text_block(first.indent)
        }
    }

    fn map(&mut self, indent: usize, depth: usize) -> Value {
        let mut fields = Fields::default();
        while let Some(row) = self.peek().filter(|row| row.indent >= indent) {
            let Some((key, rest)) = key_of(row.body).filter(|_| row.indent == indent) else {
                if row.indent == indent && is_item(row.body) {
                    break;
                }
                self.pass_over();
                continue;
            };
            self.at += 1;
            let value = self.value(rest, indent, depth);
            fields.push(unquoted(key), value, row.number);
        }
        Value::Map(fields)
    }

    fn list(&mut self, indent: usize, depth: usize) -> Value {
        let mut items = Vec::new();
        while let Some(row) = self.peek().filter(|row| row.indent >= indent) {
            if row.indent > indent || !is_item(row.body) {
                if row.indent == indent {
                    break;
                }
                self.pass_over();
                continue;
            }
            let rest = row.body[1..].trim_start();
            if depth < DEEPEST
                && !rest.starts_with(['"', '\'', '[', '{'])
                && (key_of(rest).is_some() || is_item(rest))
            {
                // The item is a mapping or list that begins on the marker's own line.
                let inner = indent + (row.body.len() - rest.len());
                self.lines[self.at] = Row { indent: inner, body: rest, ..row };
                items.push(self.block(depth + 1));
            } else {
                self.at += 1;
                items.push(self.value(rest, indent, depth));
            }
        }
        Value::List(items)
    }

    /// What stands behind a key or an item's marker, with the lines that belong to it.
    fn value(&mut self, rest: &str, indent: usize, depth: usize) -> Value {
        let rest = without_comment(rest);
        if rest.is_empty() {
            return match self.peek() {
                Some(next)
                    if next.indent > indent
                        || next.indent == indent && is_item(next.body) && depth < DEEPEST =>
                {
                    self.block(depth + 1)
                }
                _ => Value::Null,
            };
        }
        if matches!(rest.as_bytes(), [b'|' | b'>'] | [b'|' | b'>', b'+' | b'-' | b'0'..=b'9', ..])
            && rest.len() <= 3
        {
            return self.scalar_block(indent, rest.starts_with('>'));
        }
        let mut text = rest.to_owned();
        let open =
            rest.starts_with('[') && !rest.contains(']') || rest.starts_with('{') && !rest.contains('}');
        while let Some(next) =
            self.lines.get(self.at).copied().filter(|next| next.indent > indent && !next.body.is_empty())
        {
            if !open && (key_of(next.body).is_some() || is_item(next.body)) && !rest.starts_with(['"', '\''])
            {
                break;
            }
            text.push(' ');
            text.push_str(next.body);
            self.at += 1;
        }
        if let Some(close) = self
            .lines
            .get(self.at)
            .filter(|next| open && next.indent == indent && matches!(next.body, "]" | "}"))
        {
            text.push_str(close.body);
            self.at += 1;
        }
        scalar(&text, depth)
    }

    /// `|` and `>`: the deeper lines as text.
    fn scalar_block(&mut self, indent: usize, folded: bool) -> Value {
        let mut parts: Vec<&str> = Vec::new();
        while let Some(row) = self.lines.get(self.at).filter(|row| row.body.is_empty() || row.indent > indent)
        {
            parts.push(row.body);
            self.at += 1;
        }
        Value::text(parts.join(if folded { " " } else { "\n" }).trim().to_owned())
    }

    fn text_block(&mut self, indent: usize) -> Value {
        let mut parts: Vec<&str> = Vec::new();
        while let Some(row) = self.peek().filter(|row| row.indent >= indent) {
            parts.push(row.body);
            self.at += 1;
        }
        Value::text(parts.join(" "))
    }
}

fn is_item(body: &str) -> bool {
    body == "-" || body.starts_with("- ")
}

/// A line's key and what follows its colon.
fn key_of(body: &str) -> Option<(&str, &str)> {
    if is_item(body) {
        return None;
    }
    if let Some(quote) = body.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let end = body[1..].find(quote)? + 1;
        let rest = body[end + 1..].trim_start().strip_prefix(':')?;
        return (rest.is_empty() || rest.starts_with([' ', '\t']))
            .then(|| (&body[..=end], rest.trim_start()));
    }
    let at = body.match_indices(':').map(|(at, _)| at).find(|&at| {
        let rest = &body[at + 1..];
        rest.is_empty() || rest.starts_with([' ', '\t'])
    });
    let at = at.filter(|&at| at > 0 && at <= 200)?;
    let key = body[..at].trim_end();
    (!key.starts_with(['[', '{', '#', '|', '>', '%', '@', '`'])).then(|| (key, body[at + 1..].trim_start()))
}

/// A plain value without the comment that two blanks set off; one blank and `#12` is text.
fn without_comment(rest: &str) -> &str {
    let rest = rest.trim();
    if rest.starts_with('#') {
        return "";
    }
    if rest.starts_with(['"', '\'']) {
        return rest;
    }
    rest.find("  #").or_else(|| rest.find("\t#")).map_or(rest, |at| rest[..at].trim_end())
}

/// A scalar, or a list or mapping in brackets.
fn scalar(text: &str, depth: usize) -> Value {
    let text = text.trim();
    let inside = |open: char, close: char| text.strip_prefix(open).and_then(|t| t.strip_suffix(close));
    if depth < DEEPEST {
        if let Some(inner) = inside('[', ']') {
            return Value::List(pieces(inner).into_iter().map(|piece| scalar(piece, depth + 1)).collect());
        }
        if let Some(inner) = inside('{', '}') {
            let mut fields = Fields::default();
            for piece in pieces(inner) {
                if let Some((key, value)) = piece.split_once(':') {
                    fields.push(unquoted(key.trim()), scalar(value, depth + 1), 0);
                }
            }
            return Value::Map(fields);
        }
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" => Value::Bool(true),
        "false" | "False" => Value::Bool(false),
        text => Value::Text(unquoted(text)),
    }
}

/// The parts between commas that stand in no quotes or brackets.
fn pieces(inner: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut depth = 0usize;
    let mut quote = None;
    let mut from = 0;
    for (at, c) in inner.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if inner[from..at].trim().is_empty() => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                out.push(inner[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    out.push(inner[from..].trim());
    out.retain(|piece| !piece.is_empty());
    out
}

/// A scalar without its quotes.
fn unquoted(text: &str) -> Inert {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')) {
        return Inert::new(inner.replace("''", "'"));
    }
    let Some(inner) = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) else {
        return Inert::from(text);
    };
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            (c, false) => out.push(c),
        }
    }
    Inert::new(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        serde_json::to_string(&parse((1..).zip(text.lines())).fields).unwrap()
    }

    #[test]
    fn hand_written_yaml_stays_text() {
        assert_eq!(
            json(
                "a: no\nb: 0123\nc: 'it''s'\nd: \"x\\ty\"\ne: [p, 'q, r']\nf: fix issue #12 now   # later\ng:\n"
            ),
            r##"{"a":"no","b":"0123","c":"it's","d":"x\ty","e":["p","q, r"],"f":"fix issue #12 now","g":null}"##,
            "scalars are the text they are"
        );
        assert_eq!(
            json(
                "git:\n  branch: x\nnext:\n- one\n- two\n  more\nlist:\n  - task: a\n    status: done\n  - b\n"
            ),
            r##"{"git":{"branch":"x"},"next":["one","two more"],"list":[{"task":"a","status":"done"},"b"]}"##,
            "nesting by indentation, lists also without it"
        );
        assert_eq!(json("a: |\n  x\n  y\nb: >\n  p\n  q\n"), r##"{"a":"x\ny","b":"p q"}"##, "blocks of text");
    }

    #[test]
    fn deep_nesting_is_bounded() {
        let deep: String = (0..5000).map(|i| format!("{}a:\n", " ".repeat(i % 300))).collect();
        assert!(!json(&deep).is_empty(), "indentation never overflows the stack");
        assert!(!json(&format!("a: {}", "[".repeat(200_000))).is_empty(), "nor do brackets");
        assert!(!json(&"- ".repeat(50_000)).is_empty(), "nor do markers on one line");
    }
}
