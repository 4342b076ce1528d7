//! What stands behind a key or a dash: one value on one line.
//!
//! Plain, single- and double-quoted scalars, and one-line lists and maps of them. Everything else is reported,
//! kept as text for the eye, and stands for no value.

use super::super::{Position, Problem};
use super::findings::Findings;
use super::lines::Line;
use super::node::{Entry, Kind, Node, Style, is_null, without_comment};

/// Advice for text that YAML reads as something else.
pub(super) const QUOTE: &str = "quote this line: put the text in double quotes";

/// How many values one line may hold between brackets.
const MOST_ITEMS: usize = 1_000;

/// Reads the value that a line holds; the line is not empty and no comment. `flow` says whether a one-line
/// list or map would still lie within the depth that the format allows.
pub(super) fn read<'a>(line: Line<'a>, flow: bool, findings: &mut Findings) -> Node<'a> {
    let raw = line.body;
    match raw.as_bytes().first() {
        Some(b'&' | b'!') => properties(line, flow, findings),
        Some(b'*') => {
            refuse(findings, line.at(0), "alias", format!("an alias: `{}`", first_word(raw)));
            Node::refused(line.at(0), raw)
        }
        Some(b'"' | b'\'') => quoted(line, findings),
        Some(b'[' | b'{') if !flow => {
            findings.add(too_deep(line.at(0)));
            Node::refused(line.at(0), raw)
        }
        Some(b'[' | b'{') => flow_collection(line, findings),
        _ => plain(line, findings),
    }
}

/// The finding for a value that lies too deep.
pub(super) fn too_deep(at: Position) -> Problem {
    Problem::error(at, "too-deep", "nested more than four levels deep")
        .help("the root counts as one; nothing in the format lies deeper than four")
}

/// Adds an error whose cure is to quote.
fn refuse(findings: &mut Findings, at: Position, code: &'static str, message: impl Into<String>) {
    findings.add(Problem::error(at, code, message.into()).help(QUOTE));
}

fn first_word(text: &str) -> &str {
    text.split([' ', '\t']).next().unwrap_or(text)
}

/// Anchors and tags in front of a value. What an anchor names is still read; what a tag would build is not.
fn properties<'a>(line: Line<'a>, flow: bool, findings: &mut Findings) -> Node<'a> {
    let mut from = 0;
    let mut tagged = false;
    // YAML allows one of each; a line of nothing but anchors is not worth more than that.
    for _ in 0..2 {
        let rest = line.body.get(from..).unwrap_or_default();
        let word = first_word(rest);
        match word.as_bytes().first() {
            Some(b'!') => {
                tagged = true;
                refuse(findings, line.at(from), "tag", format!("a tag: `{word}`"));
            }
            Some(b'&') => refuse(findings, line.at(from), "anchor", format!("an anchor: `{word}`")),
            _ => break,
        }
        let behind = rest.get(word.len()..).unwrap_or_default();
        from += word.len() + behind.len() - behind.trim_start_matches([' ', '\t']).len();
    }
    let rest = line.from(from);
    if tagged || rest.is_silent() || rest.body.starts_with(['&', '!']) {
        return Node::refused(line.at(0), line.body);
    }
    let mut node = read(rest, flow, findings);
    node.at = line.at(0);
    node.raw = line.body;
    if let Kind::Scalar(scalar) = &mut node.kind {
        scalar.text = without_comment(line.body).to_owned();
    }
    node
}

/// A plain scalar: YAML's value ends before the first ` #`, the person's text at the template's comment.
fn plain<'a>(line: Line<'a>, findings: &mut Findings) -> Node<'a> {
    let raw = line.body;
    let at = line.at(0);
    let first = first_word(raw);
    if matches!(first, "-" | "?" | ":") {
        refuse(findings, at, "indicator", format!("a value that begins with `{first} `"));
        return Node::refused(at, raw);
    }
    if raw.starts_with(['@', '`', '%', ',', ']', '}']) {
        refuse(findings, at, "indicator", "a value that begins with a character YAML keeps for itself");
        return Node::refused(at, raw);
    }
    let value = before_comment(raw);
    if let Some(colon) = mapping_colon(value) {
        refuse(findings, line.at(colon), "unquoted-colon", "a colon that makes YAML read a second key here");
    }
    if let Some(tab) = value.find('\t') {
        findings.add(
            Problem::error(line.at(tab), "tab", "a tab in unquoted text")
                .help("write a blank, or the text in double quotes"),
        );
    }
    let value = if is_null(value) { None } else { Some(value.to_owned()) };
    Node::scalar(at, raw, Style::Plain, value, without_comment(raw).to_owned())
}

/// The text before a YAML comment: `#` at the beginning or after a blank.
fn before_comment(raw: &str) -> &str {
    let mut from = 0;
    while let Some(hash) = raw.get(from..).and_then(|rest| rest.find('#')).map(|found| from + found) {
        let before = raw.get(..hash).unwrap_or_default();
        if before.is_empty() || before.ends_with([' ', '\t']) {
            return before.trim_end_matches([' ', '\t']);
        }
        from = hash + 1;
    }
    raw.trim_end_matches([' ', '\t'])
}

/// The byte of a colon that YAML takes for the end of a key.
pub(super) fn mapping_colon(text: &str) -> Option<usize> {
    text.bytes()
        .enumerate()
        .filter(|&(_, b)| b == b':')
        .map(|(at, _)| at)
        .find(|&at| matches!(text.as_bytes().get(at + 1), None | Some(b' ' | b'\t')))
}

/// A quoted scalar, with nothing but a comment behind it.
fn quoted<'a>(line: Line<'a>, findings: &mut Findings) -> Node<'a> {
    let raw = line.body;
    match unquote(raw) {
        Ok((text, end)) => {
            let tail = raw.get(end..).unwrap_or_default();
            let rest = tail.trim_start_matches([' ', '\t']);
            if rest.is_empty() || (rest.starts_with('#') && rest.len() < tail.len()) {
                return Node::scalar(line.at(0), raw, Style::Quoted, Some(text.clone()), text);
            }
            refuse(findings, line.at(raw.len() - rest.len()), "after-quote", "text behind the closing quote");
        }
        Err((byte, code, what)) => findings.add(
            Problem::error(line.at(byte), code, what)
                .help("close the quotes on the same line; write line breaks as \\n in double quotes"),
        ),
    }
    Node::refused(line.at(0), raw)
}

/// What is wrong inside quotes: byte, code, message.
type Misquoted = (usize, &'static str, &'static str);

/// Decodes the quoted scalar at the beginning of a text; returns it and the byte behind its closing quote.
pub(super) fn unquote(text: &str) -> Result<(String, usize), Misquoted> {
    let unclosed = (0, "unclosed-quote", "the quotes are not closed on this line");
    let mut chars = text.char_indices().peekable();
    let quote = chars.next().map_or('"', |(_, c)| c);
    let mut out = String::new();
    while let Some((at, c)) = chars.next() {
        match c {
            '\'' if quote == '\'' && chars.next_if(|&(_, next)| next == '\'').is_some() => out.push('\''),
            c if c == quote => return Ok((out, at + 1)),
            '\\' if quote == '"' => {
                let wrong = (at, "bad-escape", "an escape that YAML does not know");
                let (_, name) = chars.next().ok_or(unclosed)?;
                let digits = match name {
                    'x' => 2,
                    'u' => 4,
                    'U' => 8,
                    _ => {
                        out.push(named_escape(name).ok_or(wrong)?);
                        continue;
                    }
                };
                let mut code = 0;
                for _ in 0..digits {
                    let (_, digit) = chars.next().ok_or(unclosed)?;
                    code = code * 16 + u64::from(digit.to_digit(16).ok_or(wrong)?);
                }
                out.push(u32::try_from(code).ok().and_then(char::from_u32).ok_or(wrong)?);
            }
            c => out.push(c),
        }
    }
    Err(unclosed)
}

/// The escapes of one letter.
fn named_escape(name: char) -> Option<char> {
    Some(match name {
        '0' => '\0',
        'a' => '\u{7}',
        'b' => '\u{8}',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\u{B}',
        'f' => '\u{C}',
        'r' => '\r',
        'e' => '\u{1B}',
        ' ' | '"' | '/' | '\\' => name,
        'N' => '\u{85}',
        '_' => '\u{A0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        _ => return None,
    })
}

/// A list or map of scalars on one line.
fn flow_collection<'a>(line: Line<'a>, findings: &mut Findings) -> Node<'a> {
    let mut reader = Flow { line, next: 1, counted: 0, column: line.column, findings };
    let read = if line.body.starts_with('[') { reader.list() } else { reader.map() };
    match read {
        Some(kind) => Node { at: line.at(0), raw: line.body, kind },
        None => Node::refused(line.at(0), line.body),
    }
}

/// A reader inside brackets or braces. `None` means that something was reported and nothing can be relied on.
struct Flow<'a, 'f> {
    line: Line<'a>,
    /// The byte to read next.
    next: usize,
    /// The byte that `column` belongs to; kept, so that a long line is not counted again for every item.
    counted: usize,
    column: usize,
    findings: &'f mut Findings,
}

impl<'a> Flow<'a, '_> {
    fn list(&mut self) -> Option<Kind<'a>> {
        let mut items = Vec::new();
        loop {
            if self.closes(']')? {
                return Some(Kind::List(items));
            }
            items.push(self.scalar()?);
            self.bounded(items.len())?;
            self.separates(']')?;
        }
    }

    fn map(&mut self) -> Option<Kind<'a>> {
        let mut entries = Vec::new();
        loop {
            if self.closes('}')? {
                return Some(Kind::Map(entries));
            }
            let name = self.scalar()?;
            let key = name.as_scalar().and_then(|scalar| scalar.value.clone());
            let Some(key) = key else { return self.fail("flow", "a key is missing here") };
            let rest = self.rest();
            if !rest.starts_with(": ") && rest != ":" && !rest.starts_with(":,") && !rest.starts_with(":}") {
                return self.fail("flow", "a key without `: ` behind it");
            }
            self.next += 1;
            self.blanks();
            let value = if self.rest().starts_with([',', '}']) {
                Node::nothing(self.place())
            } else {
                self.scalar()?
            };
            entries.push(Entry { key, at: name.at, value });
            self.bounded(entries.len())?;
            self.separates('}')?;
        }
    }

    fn rest(&self) -> &'a str {
        self.line.body.get(self.next..).unwrap_or_default()
    }

    fn blanks(&mut self) {
        self.next += self.rest().len() - self.rest().trim_start_matches(' ').len();
    }

    /// The place of the next byte.
    fn place(&mut self) -> Position {
        self.column += self.line.body.get(self.counted..self.next).map_or(0, |text| text.chars().count());
        self.counted = self.next;
        Position::at(self.line.number, self.column)
    }

    fn fail<T>(&mut self, code: &'static str, what: &str) -> Option<T> {
        let at = self.place();
        refuse(self.findings, at, code, what);
        None
    }

    fn bounded(&mut self, count: usize) -> Option<()> {
        if count > MOST_ITEMS {
            self.fail("too-many-values", "more values than a handoff holds on a line")
        } else {
            Some(())
        }
    }

    /// Whether the collection ends here; reports what stands behind its end.
    fn closes(&mut self, close: char) -> Option<bool> {
        self.blanks();
        if !self.rest().starts_with(close) {
            return Some(false);
        }
        self.next += 1;
        let tail = self.rest();
        let rest = tail.trim_start_matches([' ', '\t']);
        if rest.is_empty() || (rest.starts_with('#') && rest.len() < tail.len()) {
            return Some(true);
        }
        self.fail("after-flow", "text behind the closing bracket")
    }

    /// Steps over a comma, or stays before the closing bracket.
    fn separates(&mut self, close: char) -> Option<()> {
        self.blanks();
        let rest = self.rest();
        if rest.starts_with(',') {
            self.next += 1;
        } else if rest.is_empty() {
            return self.fail("unclosed-flow", "a bracket is not closed on this line");
        } else if !rest.starts_with(close) {
            return self.fail("flow", "neither a comma nor the closing bracket");
        }
        Some(())
    }

    /// One scalar of the collection.
    fn scalar(&mut self) -> Option<Node<'a>> {
        let rest = self.rest();
        let at = self.place();
        let first = rest.chars().next();
        match first {
            None => self.fail("unclosed-flow", "a bracket is not closed on this line"),
            Some('"' | '\'') => match unquote(rest) {
                Ok((text, end)) => {
                    self.next += end;
                    Some(Node::scalar(at, rest, Style::Quoted, Some(text.clone()), text))
                }
                Err((byte, code, what)) => {
                    self.next += byte;
                    self.fail(code, what)
                }
            },
            Some('[' | '{') => self.fail("nested-flow", "a list or map inside brackets"),
            Some('&') => self.fail("anchor", "an anchor"),
            Some('*') => self.fail("alias", "an alias"),
            Some('!') => self.fail("tag", "a tag"),
            Some('#' | '|' | '>' | '@' | '`' | '%' | ',' | ']' | '}' | '?' | ':' | '-') => {
                let is_number = first == Some('-') && rest[1..].starts_with(|c: char| c.is_ascii_digit());
                if is_number {
                    self.plain()
                } else {
                    self.fail("indicator", "an indicator where a value belongs")
                }
            }
            Some(_) => self.plain(),
        }
    }

    /// A plain scalar up to the next indicator of a collection.
    fn plain(&mut self) -> Option<Node<'a>> {
        let rest = self.rest();
        let at = self.place();
        let mut end = rest.len();
        for (byte, c) in rest.char_indices() {
            let following = rest.as_bytes().get(byte + 1);
            let ends = match c {
                ',' | '[' | ']' | '{' | '}' => true,
                ':' => matches!(following, None | Some(b' ' | b'\t' | b',' | b'[' | b']' | b'{' | b'}')),
                '#' | '\t' => {
                    self.next += byte;
                    return self.fail("flow", "a tab or `#` in unquoted text between brackets");
                }
                _ => false,
            };
            if ends {
                end = byte;
                break;
            }
        }
        let text = rest.get(..end).unwrap_or_default().trim_end_matches(' ');
        self.next += end;
        let value = if is_null(text) { None } else { Some(text.to_owned()) };
        Some(Node::scalar(at, text, Style::Plain, value, text.to_owned()))
    }
}
