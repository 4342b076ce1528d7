//! The gate: a line-oriented scanner that knows exactly the YAML that thunderkit's format uses.
//!
//! Accepted are block maps and lists (a list may stand under its key without indentation), plain, single- and
//! double-quoted scalars, comments, and lists and maps of scalars on one line. Everything else of YAML (tags,
//! anchors, aliases, merge keys, directives, further documents, block and wrapped scalars, complex keys, tabs,
//! more than four levels) is reported with its place, all of it at once, and the scan goes on: a file that is
//! refused still shows its fields.
//!
//! Work and memory are linear in the size of the file, whatever is in it: no expansion, no recursion below
//! the fifth level, a bounded number of values and findings.

use std::collections::HashMap;

use super::super::Problem;
use super::findings::Findings;
use super::lines::Line;
use super::node::{Entry, Kind, Node, Style, without_comment};
use super::scalar::{self, QUOTE, too_deep};

/// The deepest level; the root map is the first.
const DEEPEST: usize = 4;

/// How many values a file may hold; real files hold some hundreds.
const MOST_VALUES: usize = 10_000;

/// What the gate saw.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    /// The root map's entries in file order, also those said twice.
    pub(super) entries: Vec<Entry<'a>>,
    /// Lines that belong to no field.
    pub(super) stray: Vec<&'a str>,
}

/// Scans a file.
pub(super) fn scan<'a>(lines: Vec<Line<'a>>, findings: &mut Findings) -> Tree<'a> {
    let mut gate = Gate { lines, next: 0, values: 0, stray: Vec::new(), findings };
    let mut entries = Vec::new();
    gate.map(&mut entries, 0, 1);
    let stray = gate.stray;
    report_duplicates(&entries, findings);
    Tree { entries, stray }
}

/// Every key once in every map. Both lines are named, because the file cannot be believed about either.
fn report_duplicates(entries: &[Entry<'_>], findings: &mut Findings) {
    let mut first = HashMap::<&str, u32>::new();
    for entry in entries {
        match first.get(entry.key.as_str()) {
            Some(line) => findings.error(|| {
                let message = format!("`{}` is said twice, first on line {line}", entry.key);
                Problem::error(entry.at, "duplicate-key", message).help("keep the one that is true")
            }),
            None => {
                first.insert(&entry.key, entry.at.line);
            }
        }
        report_in(&entry.value, findings);
    }
}

fn report_in(node: &Node<'_>, findings: &mut Findings) {
    match &node.kind {
        Kind::Scalar(_) => {}
        Kind::List(items) => items.iter().for_each(|item| report_in(item, findings)),
        Kind::Map(entries) => report_duplicates(entries, findings),
    }
}

/// A key at the beginning of a body.
struct Key {
    name: String,
    /// Byte of its colon.
    colon: usize,
}

struct Gate<'a, 'f> {
    lines: Vec<Line<'a>>,
    next: usize,
    values: usize,
    stray: Vec<&'a str>,
    findings: &'f mut Findings,
}

impl<'a> Gate<'a, '_> {
    /// The next line that says something.
    fn peek(&mut self) -> Option<Line<'a>> {
        while self.lines.get(self.next).is_some_and(Line::is_silent) {
            self.next += 1;
        }
        self.lines.get(self.next).copied()
    }

    fn error(&mut self, line: Line<'a>, byte: usize, code: &'static str, message: &str, help: &str) {
        self.findings.error(|| Problem::error(line.at(byte), code, message).help(help));
    }

    /// Counts a value; past the bound the rest of the file is left alone, and that is said.
    fn count(&mut self, line: Line<'a>) {
        self.values += 1;
        if self.values == MOST_VALUES {
            self.error(
                line,
                0,
                "too-many-values",
                "more values than a handoff holds",
                "the rest was not read",
            );
            self.next = self.lines.len();
        }
    }

    /// Reads the entries of a map whose keys stand `indent` blanks in.
    fn map(&mut self, entries: &mut Vec<Entry<'a>>, indent: usize, depth: usize) {
        while let Some(line) = self.peek() {
            if line.indent < indent {
                return;
            }
            if depth == 1 && self.refuse_document_line(line) {
                self.next += 1;
                continue;
            }
            if is_dash(line.body) {
                self.error(
                    line,
                    0,
                    "stray-item",
                    "a list item that belongs to no key",
                    "put it under its key",
                );
                self.skip_stray(line);
            } else if let Some(key) = key(line.body) {
                if line.indent > indent {
                    self.error(
                        line,
                        0,
                        "indentation",
                        "indented more than its neighbours",
                        "align it with the keys beside it",
                    );
                }
                self.entry(entries, line, key, depth);
            } else {
                self.refuse_no_key(line);
                self.skip_stray(line);
            }
        }
    }

    fn skip_stray(&mut self, line: Line<'a>) {
        self.stray.push(line.body);
        self.next += 1;
        self.count(line);
    }

    /// Lines that are YAML's or markdown's own business and not the format's.
    fn refuse_document_line(&mut self, line: Line<'a>) -> bool {
        let marks =
            |mark| line.body.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        let (code, what) = match line.body {
            _ if line.indent > 0 => return false,
            _ if marks("---") || marks("...") => ("document-marker", "a document marker"),
            body if body.starts_with('%') => ("directive", "a directive"),
            body if body.starts_with("```") => ("fence", "a code fence"),
            _ => return false,
        };
        self.error(line, 0, code, what, "the file is one mapping without fence, front matter or directive");
        true
    }

    /// Says what a line is that should have been a key.
    fn refuse_no_key(&mut self, line: Line<'a>) {
        let first = line.body.split([' ', '\t']).next().unwrap_or_default();
        match first {
            "?" => self.error(line, 0, "complex-key", "a complex key", "write `key: value`"),
            _ if first.starts_with('!') => self.error(line, 0, "tag", "a tag before a key", "remove it"),
            _ if first.starts_with('&') => {
                self.error(line, 0, "anchor", "an anchor before a key", "remove it")
            }
            _ if first.starts_with('*') => self.error(line, 0, "alias", "an alias as a key", "write the key"),
            _ => self.error(
                line,
                0,
                "not-a-field",
                "neither `key: value` nor a list item",
                "give it a key, or put it in front as a comment with `# `",
            ),
        }
    }

    fn entry(&mut self, entries: &mut Vec<Entry<'a>>, line: Line<'a>, key: Key, depth: usize) {
        self.next += 1;
        self.count(line);
        if key.name == "<<" {
            self.error(line, 0, "merge-key", "a merge key", "write the keys out");
        }
        let value = self.value(line, key.colon + 1, true, depth);
        entries.push(Entry { key: key.name, at: line.at(0), value });
    }

    /// The value behind a colon or a dash that ends at a byte of the line, which was taken already. `dash_may_align`:
    /// whether a list may begin at the line's own indentation.
    fn value(&mut self, line: Line<'a>, from: usize, dash_may_align: bool, depth: usize) -> Node<'a> {
        let tail = line.body.get(from..).unwrap_or_default();
        let blanks = tail.len() - tail.trim_start_matches([' ', '\t']).len();
        let lead = tail.get(..blanks).unwrap_or_default();
        let rest = line.from(from + blanks);
        if let Some(tab) = lead.find('\t').filter(|_| !rest.body.is_empty()) {
            self.error(line, from + tab, "tab", "a tab before the value", "write a blank");
        }
        if rest.is_silent() {
            return match self.peek() {
                Some(below) if below.indent > line.indent => self.block(below, depth + 1),
                Some(below) if dash_may_align && below.indent == line.indent && is_dash(below.body) => {
                    self.block(below, depth + 1)
                }
                // One blank and `#`: nothing to YAML, and yet what a person wrote.
                _ if lead == " " => Node::scalar(
                    rest.at(0),
                    rest.body,
                    Style::Plain,
                    None,
                    without_comment(rest.body).to_owned(),
                ),
                _ => Node::nothing(line.at(from)),
            };
        }
        if rest.body.starts_with(['|', '>']) {
            return self.block_scalar(line, rest);
        }
        let mut node = scalar::read(rest, depth < DEEPEST, self.findings);
        self.read_on(line, &mut node);
        node
    }

    /// Lines below a value that go on with it, as YAML would fold them: refused, but read.
    fn read_on(&mut self, line: Line<'a>, node: &mut Node<'a>) {
        let mut said = false;
        while let Some(below) = self.peek() {
            if below.indent <= line.indent || is_dash(below.body) || key(below.body).is_some() {
                return;
            }
            if !std::mem::replace(&mut said, true) {
                self.error(below, 0, "continued-line", "a value that goes on over several lines", QUOTE);
            }
            node.read_on(below.body);
            self.next += 1;
        }
    }

    /// The block that begins with a line one level below its key or dash.
    fn block(&mut self, first: Line<'a>, depth: usize) -> Node<'a> {
        if depth > DEEPEST {
            self.findings.add(too_deep(first.at(0)));
            self.skip_block(first);
            return Node::refused(first.at(0), first.body);
        }
        let kind = if is_dash(first.body) {
            Kind::List(self.list(first.indent, depth))
        } else if key(first.body).is_some() {
            let mut entries = Vec::new();
            self.map(&mut entries, first.indent, depth);
            Kind::Map(entries)
        } else {
            self.error(first, 0, "value-below", "a value on the line below its key", "put it behind the key");
            let mut node = Node::refused(first.at(0), first.body);
            self.next += 1;
            while let Some(below) = self.peek().filter(|below| below.indent >= first.indent) {
                if is_dash(below.body) || key(below.body).is_some() {
                    break;
                }
                node.read_on(below.body);
                self.next += 1;
            }
            return node;
        };
        Node { at: first.at(0), raw: first.body, kind }
    }

    /// Leaves out a block that lies too deep.
    fn skip_block(&mut self, first: Line<'a>) {
        self.next += 1;
        while let Some(line) = self.peek() {
            let beside = line.indent == first.indent && is_dash(line.body) == is_dash(first.body);
            if line.indent <= first.indent && !beside {
                return;
            }
            self.next += 1;
        }
    }

    /// Reads the items of a list whose dashes stand `indent` blanks in.
    fn list(&mut self, indent: usize, depth: usize) -> Vec<Node<'a>> {
        let mut items: Vec<Node<'a>> = Vec::new();
        while let Some(line) = self.peek() {
            let dash = is_dash(line.body);
            if line.indent < indent || (line.indent == indent && !dash) {
                break;
            }
            if line.indent > indent {
                self.error(
                    line,
                    0,
                    "indentation",
                    "neither in line with the list nor with its items",
                    "align it",
                );
            }
            if dash {
                let item = self.item(line, depth);
                items.push(item);
            } else if let Some(Node { kind: Kind::Map(entries), .. }) = items.last_mut() {
                self.map(entries, line.indent, depth + 1);
            } else {
                self.skip_stray(line);
            }
        }
        items
    }

    fn item(&mut self, line: Line<'a>, depth: usize) -> Node<'a> {
        let tail = line.body.get(1..).unwrap_or_default();
        let from = line.body.len() - tail.trim_start_matches(' ').len();
        let rest = line.from(from);
        self.count(line);
        if is_dash(rest.body) {
            self.error(line, from, "nested-dash", "a list in a list on one line", QUOTE);
            self.next += 1;
            while self.peek().is_some_and(|below| below.indent > line.indent) {
                self.next += 1;
            }
            return Node::refused(rest.at(0), rest.body);
        }
        if key(rest.body).is_none() {
            self.next += 1;
            return self.value(line, 1, false, depth);
        }
        if depth + 1 > DEEPEST {
            self.findings.add(too_deep(rest.at(0)));
            self.next += 1;
            while self.peek().is_some_and(|below| below.indent > line.indent) {
                self.next += 1;
            }
            return Node::refused(rest.at(0), rest.body);
        }
        if let Some(slot) = self.lines.get_mut(self.next) {
            *slot = rest;
        }
        let mut entries = Vec::new();
        self.map(&mut entries, rest.indent, depth + 1);
        Node { at: rest.at(0), raw: rest.body, kind: Kind::Map(entries) }
    }

    /// A literal or folded scalar: refused, but its text is read for the eye.
    fn block_scalar(&mut self, line: Line<'a>, header: Line<'a>) -> Node<'a> {
        self.error(
            header,
            0,
            "block-scalar",
            "a block scalar",
            "put the text in double quotes on one line, with \\n for line breaks",
        );
        let join = if header.body.starts_with('|') { "\n" } else { " " };
        let mut text = Vec::new();
        while let Some(below) = self.lines.get(self.next) {
            if !below.body.is_empty() && below.indent <= line.indent {
                break;
            }
            text.push(below.body);
            self.next += 1;
        }
        let text = text.join(join).trim().to_owned();
        Node::scalar(header.at(0), header.body, Style::Refused, None, text)
    }
}

/// Whether a body begins a list item.
fn is_dash(body: &str) -> bool {
    body == "-" || body.starts_with("- ") || body.starts_with("-\t")
}

/// The key that a body begins with: a plain word of letters, digits, `_`, `-` and `.`, or a quoted text.
fn key(body: &str) -> Option<Key> {
    let (name, end) = if body.starts_with(['"', '\'']) {
        scalar::unquote(body).ok()?
    } else {
        let end = body
            .char_indices()
            .find(|&(at, c)| {
                let word = c.is_alphanumeric() || c == '_' || (at > 0 && matches!(c, '-' | '.'));
                let merge = c == '<' && body.starts_with("<<");
                !(word || merge)
            })
            .map_or(body.len(), |(at, _)| at);
        (body.get(..end)?.to_owned(), end)
    };
    let rest = body.get(end..)?;
    let colon = body.len() - rest.trim_start_matches(' ').len();
    let ends_key = body.get(colon..)?.starts_with(':')
        && matches!(body.as_bytes().get(colon + 1), None | Some(b' ' | b'\t'));
    (ends_key && end > 0).then_some(Key { name, colon })
}
