//! A text as the passages a reader of the page sees: paragraphs, list items, rows. Fences, comments, quoted blocks
//! and struck-out words are blanked: what stands there is not said by this text, or no longer.

use super::naming::Column;
use super::stance::{self, Under};
use super::{LONGEST_LINE, Written};

/// How long a passage may grow, in bytes, before the next line begins a new one.
const LONGEST: usize = 4 * 1024;

/// Marks around words that are no longer meant.
const STRUCK: [(&str, &str); 4] =
    [("~~", "~~"), ("<del>", "</del>"), ("<s>", "</s>"), ("<strike>", "</strike>")];

/// Lines that are one thought.
pub(super) struct Passage {
    /// Its lines, joined; what is struck out is blank.
    pub text: String,
    /// Where each line begins and ends in it, and its number.
    pub lines: Vec<(std::ops::Range<usize>, u32)>,
    /// What the headings and the lead above it say of everything below.
    pub under: Under,
    /// What the columns of its table are, where it is a row of one.
    pub columns: Vec<Option<Column>>,
    /// The directory that the nearest heading names.
    pub below: Option<String>,
}

/// Cuts lines `first` to `last` (from 1, both included) into passages and gives each away, until told to stop.
pub(super) fn each(
    text: &str,
    (first, last): (u32, u32),
    written: Written,
    mut take: impl FnMut(&Passage) -> bool,
) {
    let mut cutter = Cutter::default();
    let mut hidden = Hidden::default();
    let mut indented = Indented::default();
    for (number, line) in (1_u32..).zip(text.lines()) {
        if number > last {
            break;
        }
        let is_hidden = hidden.hides(line);
        let is_code = !is_hidden && written == Written::AsPage && indented.is_code(line);
        let seen = !is_hidden && !is_code && number >= first && line.len() <= LONGEST_LINE;
        let is_shown = seen && !line.trim().is_empty() && !line.trim_start().starts_with('>');
        if cutter.line(line, number, is_shown).is_some_and(|passage| !take(&passage)) {
            return;
        }
    }
    if let Some(passage) = cutter.end() {
        take(&passage);
    }
}

/// Lines that are code for being indented: by four blanks, after an empty line, and not in a list.
struct Indented {
    after_blank: bool,
    in_list: bool,
    code: bool,
}

impl Default for Indented {
    fn default() -> Self {
        Self { after_blank: true, in_list: false, code: false }
    }
}

impl Indented {
    fn is_code(&mut self, line: &str) -> bool {
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            self.after_blank = true;
            return false;
        }
        let width = |c: char| if c == '\t' { 4 } else { 1 };
        let indent: usize = line.chars().take_while(|c| c.is_whitespace()).map(width).sum();
        self.code = indent >= 4 && !self.in_list && (self.after_blank || self.code);
        if !self.code {
            let ends = heading_level(trimmed).is_some() || indent == 0 && self.after_blank;
            self.in_list = is_item(trimmed) || self.in_list && !ends;
        }
        self.after_blank = false;
        self.code
    }
}

/// What a page would not show as text.
#[derive(Default)]
struct Hidden {
    fence: Option<(char, usize)>,
    /// A comment or a block of code by its tag, up to this end.
    until: Option<&'static str>,
}

/// Blocks that end with a mark of their own.
const BLOCKS: [(&str, &str); 2] = [("<!--", "-->"), ("<pre", "</pre>")];

impl Hidden {
    /// Whether this line is in a fence or a comment, or opens or closes one.
    fn hides(&mut self, line: &str) -> bool {
        let trimmed = line.trim_start();
        if let Some((mark, length)) = self.fence {
            let run = trimmed.chars().take_while(|&c| c == mark).count();
            if run >= length && trimmed[run..].trim().is_empty() {
                self.fence = None;
            }
            return true;
        }
        if self.until.is_none()
            && let Some(fence) = opening(trimmed)
        {
            self.fence = Some(fence);
            return true;
        }
        let opened = BLOCKS.iter().find(|(opens, _)| trimmed.starts_with(opens)).map(|(_, ends)| *ends);
        let until = self.until.or(opened);
        self.until = until.filter(|ends| !line.contains(ends));
        until.is_some()
    }
}

/// The fence that a line opens.
fn opening(trimmed: &str) -> Option<(char, usize)> {
    let mark = trimmed.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = trimmed.chars().take_while(|&c| c == mark).count();
    // A run of backticks with another one later in the line is a code span.
    let is_span = mark == '`' && trimmed[length..].contains('`');
    // `~~struck out~~` is two marks.
    (length >= 3 && !is_span).then_some((mark, length))
}

/// The passage at hand, and what stands above it.
#[derive(Default)]
struct Cutter {
    open: Option<Passage>,
    /// The passage at hand is a heading, or a label and its value: nothing is added to it.
    is_whole: bool,
    headings: Vec<Heading>,
    lead: Option<Lead>,
    /// The columns of the table that goes on in the next line.
    columns: Vec<Option<Column>>,
    in_table: bool,
}

/// A heading that text stands under.
struct Heading {
    level: usize,
    under: Under,
    directory: Option<String>,
}

/// A line such as `Deleted:` that speaks for the list below it.
struct Lead {
    under: Under,
    indent: usize,
    is_item: bool,
}

impl Cutter {
    /// Takes a line in; gives the passage that it ended.
    fn line(&mut self, line: &str, number: u32, is_shown: bool) -> Option<Passage> {
        self.row(line.trim(), is_shown);
        if !is_shown {
            return self.end();
        }
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        let item = is_item(trimmed);
        let level = heading_level(trimmed);
        let begins = level.is_some() || item || begins_alone(trimmed) || self.is_whole;
        self.is_whole = level.is_some() || is_one_value(trimmed);
        let full = self.open.as_ref().is_some_and(|passage| passage.text.len() + line.len() > LONGEST);
        let done = if begins || full { self.end() } else { None };
        if self.open.is_none() {
            self.leave(indent, item, level);
            let below = self.headings.iter().rev().find_map(|heading| heading.directory.clone());
            let (columns, under) = (self.columns.clone(), self.under());
            self.open = Some(Passage { text: String::new(), lines: Vec::new(), under, columns, below });
        }
        if let Some(passage) = &mut self.open {
            if !passage.text.is_empty() {
                passage.text.push('\n');
            }
            let from = passage.text.len();
            passage.text.push_str(line);
            passage.lines.push((from..passage.text.len(), number));
        }
        if let Some(level) = level {
            let name = trimmed.trim_start_matches('#').trim();
            let (under, directory) = (stance::of_heading(name, level), directory(name));
            self.headings.push(Heading { level, under, directory });
        } else if let Some(under) = stance::of_lead(trimmed) {
            self.lead = Some(Lead { under, indent, is_item: item });
        }
        done
    }

    /// Keeps the columns of a table from its first row to its last.
    fn row(&mut self, line: &str, is_shown: bool) {
        let is_row = is_shown && line.starts_with('|');
        if is_row && !self.in_table {
            self.columns = line.split('|').map(Column::of).collect();
            if self.columns.iter().all(Option::is_none) {
                self.columns.clear();
            }
        } else if !is_row {
            self.columns.clear();
        }
        self.in_table = is_row;
    }

    /// Forgets the heading or the lead that this line no longer stands under.
    fn leave(&mut self, indent: usize, item: bool, level: Option<usize>) {
        if let Some(level) = level {
            self.headings.retain(|above| above.level < level);
            self.lead = None;
        }
        let left =
            |lead: &Lead| if lead.is_item { indent <= lead.indent } else { !item && indent <= lead.indent };
        if self.lead.as_ref().is_some_and(left) {
            self.lead = None;
        }
    }

    fn under(&self) -> Under {
        let headings = self.headings.iter().map(|heading| heading.under);
        headings.chain(self.lead.as_ref().map(|lead| lead.under)).fold(Under::default(), Under::and)
    }

    /// The passage at hand, done.
    fn end(&mut self) -> Option<Passage> {
        let mut passage = self.open.take()?;
        for (opens, closes) in STRUCK {
            strike(&mut passage.text, opens, closes);
        }
        Some(passage)
    }
}

fn is_item(trimmed: &str) -> bool {
    if ["- ", "* ", "+ ", "• "].iter().any(|bullet| trimmed.starts_with(bullet)) {
        return true;
    }
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    (1..=4).contains(&digits) && [". ", ") "].iter().any(|mark| trimmed[digits..].starts_with(mark))
}

fn heading_level(trimmed: &str) -> Option<usize> {
    let level = trimmed.bytes().take_while(|&b| b == b'#').count();
    ((1..=6).contains(&level) && trimmed[level..].starts_with(' ')).then_some(level)
}

/// The directory that a heading names and nothing else: `packages/web`, `` `web/` (client) ``.
fn directory(heading: &str) -> Option<String> {
    let heading = heading.split(" (").next().unwrap_or(heading);
    let name = heading.trim_matches(|c: char| c.is_whitespace() || "*_`:".contains(c));
    let name = name.strip_prefix("./").unwrap_or(name);
    let is_plain = name.contains('/') && !name.contains(char::is_whitespace);
    let path = crate::handoff::RelPath::parse(name).ok().filter(|_| is_plain)?;
    (!super::names_a_file(name)).then(|| path.as_str().to_owned())
}

/// Rows of tables, lines of data, `Key: value` lines and lines behind a mark of their own stand for themselves.
fn begins_alone(trimmed: &str) -> bool {
    let key = trimmed.trim_start_matches(['*', '_']);
    let name = key.split([':', '：']).next().unwrap_or_default();
    let is_key = name.len() < key.len() && name.len() <= 40 && name.split_whitespace().count() <= 3;
    is_key || trimmed.starts_with(['|', '"', '{', '}', '[', ']']) || trimmed.starts_with(is_pictograph)
}

/// `Branch: develop`: a label and one word, or one name in code.
fn is_one_value(trimmed: &str) -> bool {
    let Some((key, value)) = trimmed.split_once(": ") else { return false };
    let value = value.trim().trim_matches(['*', '_']);
    let inside = value.strip_prefix('`').and_then(|value| value.strip_suffix('`'));
    let is_word = !value.is_empty() && !value.contains(char::is_whitespace);
    !key.contains(['`', '/']) && (is_word || inside.is_some_and(|inside| !inside.contains('`')))
}

/// `✅`, `⚠`, `🗑`: what people begin a line with in place of a bullet.
fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2300}'..='\u{23FF}' | '\u{2600}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' | '\u{1F300}'..='\u{1FAFF}')
}

/// Blanks what stands between two marks, marks included, in place.
fn strike(text: &mut String, opens: &str, closes: &str) {
    let mut from = 0;
    while let Some(start) = text[from..].find(opens).map(|at| from + at) {
        let inside = start + opens.len();
        let Some(end) = text[inside..].find(closes).map(|at| inside + at + closes.len()) else { return };
        let blank: String = text[start..end].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect();
        text.replace_range(start..end, &blank);
        from = end;
    }
}
