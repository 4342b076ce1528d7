//! The one markdown scanner: which lines a reader of the rendered page would see, and what they are.
//!
//! It knows lines, not inline markup: front matter, fences, HTML comments and headings. Everything that a page
//! would not show as text (code, comments) is hidden, so that a sample inside a fence is never taken for a
//! fact. One pass over the lines; what has to look ahead does so once.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::inert;
use super::items::Bare;
use super::labels;

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Visible text.
    Text,
    /// Nothing but white space, also where a comment was all there was.
    Blank,
    /// A heading; the line's text is the heading's, without its marks.
    Heading(u8),
    /// Front matter, without its delimiters.
    Front,
    /// Code in a fence, a delimiter, a comment, the underline of a heading.
    Hidden,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Its number in the file, from 1.
    pub number: u32,
    /// What a reader of the page sees of it, raw otherwise.
    pub text: Cow<'a, str>,
    /// What it is.
    pub kind: Kind,
    /// What its readers ask for again and again.
    pub looked: OnceCell<Bare>,
}

impl<'a> Line<'a> {
    /// A line of a page.
    pub fn new(number: u32, text: Cow<'a, str>, kind: Kind) -> Self {
        Self { number, text, kind, looked: OnceCell::new() }
    }
}

/// Which underlines make a heading, and whether `~~~` opens a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Markdown.
    Markdown,
    /// Plain text, where people underline with anything.
    Plain,
}

/// The deepest indentation that is told apart, in bytes: more of it is passed over, so that a line of blanks is looked
/// at once and not by everybody who trims it.
const DEEPEST_INDENT: usize = 256;

/// Splits a text into lines and says what each is.
pub(super) fn scan(text: &str, dialect: Dialect) -> Vec<Line<'_>> {
    let mut raw = Vec::with_capacity(text.bytes().filter(|byte| *byte == b'\n').count() + 1);
    raw.extend(text.split('\n').map(|line| less_indented(line.strip_suffix('\r').unwrap_or(line))));
    let mut scanner = Scanner {
        raw: &raw,
        dialect,
        lines: Vec::with_capacity(raw.len()),
        nested_fences: true,
        comments_end: true,
        details_end: true,
        has_comments: text.contains("<!--"),
    };
    scanner.run();
    scanner.lines
}

/// A line without what it is indented beyond [`DEEPEST_INDENT`].
fn less_indented(line: &str) -> &str {
    let is_blank = |b: &u8| matches!(b, b' ' | b'\t');
    if line.len() <= DEEPEST_INDENT || !line.as_bytes()[..DEEPEST_INDENT].iter().all(is_blank) {
        return line;
    }
    let indent = line.bytes().position(|b| !is_blank(&b)).unwrap_or(line.len());
    &line[indent - DEEPEST_INDENT..]
}

/// An opening or closing fence: its character, its length, and the info string behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fence<'a> {
    mark: u8,
    length: usize,
    /// The info string, trimmed.
    pub info: &'a str,
}

impl<'a> Fence<'a> {
    /// The fence that a line opens or closes, if it is one: at most three blanks, three or more marks.
    pub fn of(line: &'a str) -> Option<Self> {
        let body = line.trim_start_matches(' ');
        if line.len() - body.len() > 3 {
            return None;
        }
        let mark = *body.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
        let length = body.bytes().take_while(|&b| b == mark).count();
        let info = body[length..].trim();
        (length >= 3 && !(mark == b'`' && info.contains('`'))).then_some(Self { mark, length, info })
    }

    /// Whether this line closes that fence.
    pub fn closes(&self, opened: &Fence<'_>) -> bool {
        self.mark == opened.mark && self.length >= opened.length && self.info.is_empty()
    }
}

struct Scanner<'a, 'r> {
    raw: &'r [&'a str],
    dialect: Dialect,
    lines: Vec<Line<'a>>,
    /// Looking for nested fences has not failed yet; it is tried no more after that, which keeps the scan linear.
    nested_fences: bool,
    /// Likewise for the end of a comment: where one search found none, no later one will.
    comments_end: bool,
    /// And for the end of a `<details>`.
    details_end: bool,
    /// Whether there is a comment anywhere: looking for one in each line is dear.
    has_comments: bool,
}

impl<'a> Scanner<'a, '_> {
    fn run(&mut self) {
        let mut i = self.front_matter();
        while i < self.raw.len() {
            let line = self.raw[i];
            if let Some(fence) = self.fence(line) {
                let end = self.fence_end(i, &fence);
                i = self.hide(i, end);
            } else if self.has_comments && line.contains("<!--") {
                i = self.comment(i);
            } else if let Some(end) = self.quoted_page(i).or_else(|| self.folded_past(i)) {
                i = self.hide(i, end);
            } else {
                self.visible(i, Cow::Borrowed(line));
                i += 1;
            }
        }
    }

    /// The last line of a quotation that begins here and is a page of its own, with a title or sections: what an
    /// older handoff said. A file that begins with one is that page.
    fn quoted_page(&self, first: usize) -> Option<usize> {
        let is_quoted = |line: &&str| line.trim_start().starts_with('>');
        let begins = is_quoted(&self.raw[first])
            && self.dialect == Dialect::Markdown
            && !first.checked_sub(1).is_some_and(|above| is_quoted(&self.raw[above]));
        if !begins || !self.lines.iter().any(|line| matches!(line.kind, Kind::Text | Kind::Heading(_))) {
            return None;
        }
        let block = self.raw[first..].iter().take_while(|line| is_quoted(line));
        let is_heading = |line: &&str| {
            let text = line.trim_start().trim_start_matches(['>', ' ']);
            text.starts_with("# ") || text.starts_with("## ")
        };
        block.clone().any(is_heading).then(|| first + block.count() - 1)
    }

    /// The last line of a `<details>` that begins here and whose summary says that it is over.
    fn folded_past(&mut self, first: usize) -> Option<usize> {
        let opens = |line: &str| line.trim_start().starts_with("<details");
        if !opens(self.raw[first]) || !self.details_end {
            return None;
        }
        let head = self.raw[first..].iter().take(3).find_map(|line| line.split_once("<summary>"));
        let summary = head.map(|(_, rest)| rest.split_once("</summary>").map_or(rest, |(text, _)| text))?;
        if !labels::says_past(summary) {
            return None;
        }
        let mut depth = 0_usize;
        let end = self.raw[first..].iter().position(|line| {
            depth += usize::from(opens(line));
            depth -= usize::from(depth > 0 && line.contains("</details>"));
            depth == 0
        });
        self.details_end = end.is_some();
        end.map(|end| first + end)
    }

    fn push(&mut self, i: usize, text: Cow<'a, str>, kind: Kind) {
        self.lines.push(Line::new(u32::try_from(i + 1).unwrap_or(u32::MAX), text, kind));
    }

    /// Hides the lines up to and including `end`; returns the next one.
    fn hide(&mut self, from: usize, end: usize) -> usize {
        for i in from..=end.min(self.raw.len() - 1) {
            self.push(i, Cow::Borrowed(self.raw[i]), Kind::Hidden);
        }
        end + 1
    }

    /// Front matter stands between a first line `---` and the next one (or `...`); without a second one the
    /// whole file would be front matter, which nobody means unless nothing but keys follows.
    fn front_matter(&mut self) -> usize {
        let Some(first) = self.raw.iter().position(|line| !line.trim().is_empty()) else { return 0 };
        if self.dialect != Dialect::Markdown || self.raw[first].trim_end() != "---" {
            return 0;
        }
        let ends = |line: &&str| matches!(line.trim_end(), "---" | "...");
        let close = self.raw[first + 1..].iter().position(ends).map(|at| first + 1 + at);
        let end = match close {
            Some(end) => end,
            None if self.raw[first + 1..].iter().all(|line| looks_like_yaml(line)) => self.raw.len(),
            None => return 0,
        };
        if !self.raw[first + 1..end].iter().all(|line| looks_like_yaml(line)) {
            return 0;
        }
        for i in 0..=end.min(self.raw.len() - 1) {
            let kind = if i <= first || i == end { Kind::Hidden } else { Kind::Front };
            self.push(i, Cow::Borrowed(self.raw[i]), kind);
        }
        end + 1
    }

    fn fence(&self, line: &'a str) -> Option<Fence<'a>> {
        Fence::of(line).filter(|fence| self.dialect == Dialect::Markdown || fence.mark == b'`')
    }

    /// The line that closes a fence; the last line where none does. Inside a fence that holds markdown, fences
    /// with an info string open a level of their own, as long as all of them are closed again.
    fn fence_end(&mut self, open: usize, fence: &Fence<'_>) -> usize {
        let holds_markdown = matches!(fence.info.to_ascii_lowercase().as_str(), "md" | "markdown" | "mdx");
        if holds_markdown && self.nested_fences {
            let mut depth = 1;
            for (i, line) in self.raw.iter().enumerate().skip(open + 1) {
                match Fence::of(line) {
                    Some(inner) if inner.closes(fence) => depth -= 1,
                    Some(inner) if inner.length == fence.length && !inner.info.is_empty() => depth += 1,
                    _ => {}
                }
                if depth == 0 {
                    return i;
                }
            }
            self.nested_fences = false;
        }
        let closes = |line: &&str| Fence::of(line).is_some_and(|inner| inner.closes(fence));
        self.raw[open + 1..].iter().position(closes).map_or(self.raw.len() - 1, |at| open + 1 + at)
    }

    /// A line with `<!--` in it: what stands outside of comments stays visible.
    fn comment(&mut self, first: usize) -> usize {
        let mut seen = String::new();
        let mut i = first;
        let mut rest = self.raw[first];
        loop {
            let Some(open) = comment_start(rest) else {
                seen.push_str(rest);
                break;
            };
            seen.push_str(&rest[..open]);
            rest = &rest[open + 4..];
            while !rest.contains("-->") {
                i += 1;
                match self.raw.get(i).filter(|_| self.comments_end) {
                    Some(next) => rest = next,
                    // A comment that never ends hides the rest of the page when it begins a line, and is text
                    // otherwise.
                    None if seen.trim().is_empty() => return self.hide(first, self.raw.len() - 1),
                    None => {
                        self.comments_end = false;
                        self.visible(first, Cow::Borrowed(self.raw[first]));
                        return first + 1;
                    }
                }
            }
            rest = rest.split_once("-->").map_or("", |(_, after)| after);
        }
        self.visible(first, Cow::Owned(seen));
        if i > first { self.hide(first + 1, i) } else { first + 1 }
    }

    fn visible(&mut self, i: usize, text: Cow<'a, str>) {
        let kind = if text.trim().is_empty() {
            Kind::Blank
        } else if let Some((level, range)) = atx(&text) {
            let heading = match text {
                Cow::Borrowed(text) => Cow::Borrowed(&text[range]),
                Cow::Owned(text) => Cow::Owned(text[range].to_owned()),
            };
            return self.push(i, heading, Kind::Heading(level));
        } else if let Some(level) = self.underline(&text) {
            if let Some(above) = self.lines.last_mut() {
                above.kind = Kind::Heading(level);
            }
            Kind::Hidden
        } else {
            Kind::Text
        };
        self.push(i, text, kind);
    }

    /// The level of the heading that this line underlines: the line above is a paragraph of its own.
    fn underline(&self, text: &str) -> Option<u8> {
        let mark = text.trim().bytes().next()?;
        let length = text.trim().len();
        let only = text.trim().bytes().all(|b| b == mark);
        let allowed = match self.dialect {
            Dialect::Markdown => matches!(mark, b'=' | b'-'),
            Dialect::Plain => matches!(mark, b'=' | b'-' | b'~' | b'*' | b'^' | b'#'),
        };
        let [before @ .., above] = self.lines.as_slice() else { return None };
        let alone = before.last().is_none_or(|line| line.kind != Kind::Text || is_rule(&line.text));
        let above_text = above.text.trim();
        let is_paragraph = above.kind == Kind::Text
            && !above_text.starts_with(['>', '|', '-', '*', '+', '•'])
            && !is_rule(above_text)
            && (mark == b'=' || !above_text.contains(": ") && !above_text.contains('：'));
        (only && allowed && length >= 3 && alone && is_paragraph).then_some(if mark == b'=' { 1 } else { 2 })
    }
}

/// Where the first comment on a line begins; `` `<!--` `` in code is none.
fn comment_start(line: &str) -> Option<usize> {
    let mut from = 0;
    let mut ticks = 0;
    while let Some(at) = line[from..].find("<!--").map(|at| from + at) {
        ticks += line[from..at].bytes().filter(|&b| b == b'`').count();
        if ticks % 2 == 0 {
            return Some(at);
        }
        from = at + 4;
    }
    None
}

/// Whether a line is only marks: a rule, or a line drawn around a title.
pub(super) fn is_rule(text: &str) -> bool {
    let text = text.trim();
    text.chars().count() >= 3
        && text.chars().all(|c| matches!(c, '-' | '=' | '*' | '_' | '~' | '#' | '─' | '━' | '═' | ' '))
}

/// The level of an ATX heading and where its text stands in the line.
fn atx(line: &str) -> Option<(u8, std::ops::Range<usize>)> {
    let body = visible_start(line);
    let indent = line.len() - body.len();
    if line.len() - line.trim_start_matches(' ').len() > 3 {
        return None;
    }
    let level = body.bytes().take_while(|&b| b == b'#').count();
    let after = &body[level..];
    if !(1..=6).contains(&level) || !after.starts_with([' ', '\t']) && !after.is_empty() {
        return None;
    }
    let text = after.trim();
    let without_tail = text.trim_end_matches('#');
    let text = if without_tail.is_empty() || without_tail.ends_with([' ', '\t']) {
        without_tail.trim_end()
    } else {
        text
    };
    let start = indent + level + (after.len() - after.trim_start().len());
    Some((u8::try_from(level).unwrap_or(6), start..start + text.len()))
}

/// A line from the first character that is seen: blanks, terminal sequences and marks of direction are passed.
pub(super) fn visible_start(line: &str) -> &str {
    let mut rest = line.trim_start();
    // Nearly every line begins with something that is seen.
    if rest.as_bytes().first().is_some_and(u8::is_ascii_graphic) {
        return rest;
    }
    // A line that begins with hundreds of marks is no text; what is left of it is taken as it is.
    for _ in 0..200 {
        let Some(first) = rest.chars().next().filter(|&c| inert::is_odd(c)) else { break };
        // A sequence goes whole: the shortest prefix after which something visible is left.
        let end = if first == '\u{1B}' || first == '\u{9B}' {
            rest.char_indices()
                .map(|(at, c)| at + c.len_utf8())
                .take(64)
                .find(|&end| rest[..end].ends_with(|c: char| c.is_ascii_alphabetic() || c == '\u{7}'))
                .unwrap_or(first.len_utf8())
        } else {
            first.len_utf8()
        };
        rest = rest[end..].trim_start();
    }
    rest
}

/// Whether a line can stand in front matter: a key, an item, an indented line, a comment or nothing.
fn looks_like_yaml(line: &str) -> bool {
    let trimmed = line.trim();
    trimmed.is_empty()
        || trimmed.starts_with('#')
        || trimmed.starts_with("- ")
        || trimmed == "-"
        || line.starts_with([' ', '\t'])
        || matches!(trimmed, "]" | "}" | "],")
        || trimmed.split_once(':').is_some_and(|(key, value)| {
            !key.is_empty()
                && key.len() <= 80
                && !key.starts_with(['*', '>', '|'])
                && (value.is_empty() || value.starts_with(' '))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(Kind, String)> {
        scan(text, Dialect::Markdown).into_iter().map(|line| (line.kind, line.text.into_owned())).collect()
    }

    #[test]
    fn what_is_indented_further_than_anybody_sees_is_indented_that_far_and_no_more() {
        let line = |indent: usize| shown(&format!("{}- a", " ".repeat(indent))).remove(0).1;
        assert_eq!(line(DEEPEST_INDENT).len(), DEEPEST_INDENT + 3, "the control: a line stays as it is");
        assert_eq!(line(100_000), line(DEEPEST_INDENT), "and more blanks are passed over");
    }

    fn visible(text: &str) -> String {
        let seen = |line: &Line<'_>| matches!(line.kind, Kind::Text | Kind::Heading(_));
        scan(text, Dialect::Markdown)
            .iter()
            .filter(|line| seen(line))
            .map(|line| line.text.trim().to_owned())
            .collect::<Vec<_>>()
            .join("|")
    }

    #[test]
    fn samples_and_comments_are_not_seen() {
        assert_eq!(visible("a\n```sh\n# no\n```\nb"), "a|b", "a fence hides its lines");
        assert_eq!(
            visible("a\n````markdown\n```text\nx\n```\n# no\n````\nb"),
            "a|b",
            "a longer fence holds shorter ones"
        );
        assert_eq!(
            visible("a\n```markdown\n```text\nx\n```\n# no\n```\nb"),
            "a|b",
            "fences of one length nest in markdown"
        );
        assert_eq!(
            visible("a\n```sh\nx\n```text\ny\n```\nb"),
            "a|b",
            "a fence with an info string closes nothing"
        );
        assert_eq!(visible("a\n```\nx"), "a", "a fence that never closes hides the rest");
        assert_eq!(
            visible("a <!-- x --> b\n<!-- y\nz -->\nc"),
            "a  b|c",
            "comments are hidden, what is around them is not"
        );
        assert_eq!(visible("a `<!--` b\nc"), "a `<!--` b|c", "a comment's opening in code is code");
        assert_eq!(visible("<!-- never closed\n# x"), "", "a comment that never closes hides the rest");
    }

    #[test]
    fn an_older_page_inside_this_one_is_not_seen() {
        assert_eq!(visible("a\n> # Old\n> Branch: x\n\nb"), "a|b", "a quoted page");
        assert_eq!(visible("a\n> Branch: x\n\nb"), "a|> Branch: x|b", "a quotation without sections is text");
        assert_eq!(
            visible("> # Title\n> Branch: x"),
            "> # Title|> Branch: x",
            "a file that is one quotation"
        );
        let folded =
            |summary: &str| visible(&format!("a\n<details><summary>{summary}</summary>\nx\n</details>\nb"));
        assert_eq!(folded("Old notes"), "a|b", "what is folded away as old");
        assert!(folded("Git state").contains("|x|"), "what is only folded is said");
    }

    #[test]
    fn headings_of_both_kinds() {
        assert_eq!(shown("## A b ##")[0], (Kind::Heading(2), "A b".into()), "closing marks are no text");
        assert_eq!(shown("# C#")[0], (Kind::Heading(1), "C#".into()), "a mark at the end of a word is text");
        assert_eq!(shown("Title\n=====")[0], (Kind::Heading(1), "Title".into()), "underlined");
        assert_eq!(shown("Branch: x\n---")[0].0, Kind::Text, "a rule under a field makes no heading of it");
        assert_eq!(
            shown("\u{1b}[1m# T")[0],
            (Kind::Heading(1), "T".into()),
            "a sequence in front is not in the way"
        );
        assert_eq!(shown("    # code")[0].0, Kind::Text, "four blanks are code");
    }

    #[test]
    fn front_matter_needs_its_delimiter_exactly() {
        let kinds = |text| shown(text).into_iter().map(|(kind, _)| kind).collect::<Vec<_>>();
        assert_eq!(
            kinds("---\na: 1\n---\nx"),
            [Kind::Hidden, Kind::Front, Kind::Hidden, Kind::Text],
            "the usual form"
        );
        assert_eq!(
            kinds("---\r\na: 1\r\n---"),
            [Kind::Hidden, Kind::Front, Kind::Hidden],
            "CRLF, and the end of the file"
        );
        assert_eq!(kinds("----\na: 1\n---\nx")[1], Kind::Text, "four dashes are a rule");
        assert_eq!(kinds("---\n*Some prose here.*\n***\nx")[1], Kind::Text, "prose between rules is prose");
    }
}
