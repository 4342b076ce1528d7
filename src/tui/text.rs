//! Text on its way to cells: made safe, measured and cut by what a person sees as one character.
//!
//! [`Inert::shown`](crate::handoff::Inert::shown) makes controls and invisible letters visible. What is left can
//! still break a screen, because terminals disagree about its width: joined emoji, variation selectors, a base
//! letter with thousands of marks. [`tame`] gives every terminal the same number of columns to draw.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::handoff::Inert;
use crate::handoff::inert;

/// How many marks may sit on one letter; real scripts stay below.
const MARKS: usize = 6;
/// The longest line that is laid out, in bytes; the rest is named, not drawn.
const LONGEST_LINE: usize = 8 << 10;

/// Text of a file as one safe line.
pub fn line_of(text: &Inert) -> String {
    tame(&text.shown_line())
}

/// A path as one safe line, below the home directory as `~`.
pub fn path(path: &std::path::Path, home: Option<&std::path::Path>) -> String {
    let below = home.and_then(|home| path.strip_prefix(home).ok());
    let text = match below {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", rest.to_string_lossy()),
        None => path.to_string_lossy().into_owned(),
    };
    line_of(&Inert::new(text))
}

/// Makes one line safe for cells: no control or invisible character, no stray joiner, no flood of marks, no
/// sequence whose width depends on the terminal, and not longer than a line can be read.
pub fn tame(text: &str) -> String {
    let text = cut_long(text);
    if text.is_ascii() && !text.bytes().any(|b| b.is_ascii_control()) {
        return text.into_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut marks = 0;
    for c in text.chars() {
        if is_mark(c) {
            marks += 1;
            if marks <= MARKS {
                if before.is_none_or(char::is_whitespace) && marks == 1 {
                    out.push('◌');
                }
                out.push(c);
            }
            continue;
        }
        end_marks(&mut out, &mut marks);
        match c {
            '\u{200C}' | '\u{200D}' if before.is_some_and(inert::joins) => out.push(c),
            '\u{200D}' | '\u{FE0E}' | '\u{FE0F}' if before.is_some_and(inert::is_pictograph) => {}
            '\u{1F3FB}'..='\u{1F3FF}' if before.is_some_and(inert::is_pictograph) => {}
            '\u{200C}' | '\u{200D}' | '\u{FE0E}' | '\u{FE0F}' => out.push_str(&mark_of(c)),
            c if inert::is_odd(c) || c.is_control() => {
                out.push_str(&inert::shown(&c.to_string()).replace('\n', " "))
            }
            c => out.push(c),
        }
        before = Some(c);
    }
    end_marks(&mut out, &mut marks);
    out
}

/// Says how many marks were left out of a flood, and starts counting anew.
fn end_marks(out: &mut String, marks: &mut usize) {
    if *marks > MARKS {
        out.push_str(&format!("<+{} marks>", *marks - MARKS));
    }
    *marks = 0;
}

/// A character's number as people look it up.
fn mark_of(c: char) -> String {
    format!("<U+{:04X}>", c as u32)
}

/// Whether a character takes no column of its own and is drawn onto the one before.
fn is_mark(c: char) -> bool {
    !c.is_ascii()
        && c.width() == Some(0)
        && !inert::is_odd(c)
        && !matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE0E}' | '\u{FE0F}')
}

/// Cuts a line that nobody can read to its end, and says so.
fn cut_long(text: &str) -> std::borrow::Cow<'_, str> {
    if text.len() <= LONGEST_LINE {
        return text.into();
    }
    let mut end = LONGEST_LINE;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{} … ({} more bytes on this line)", &text[..end], text.len() - end).into()
}

/// Columns that a safe text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text cut to at most `columns`, its end replaced by `…` where something was cut. A wide character is
/// never split.
pub fn clip(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    if columns == 0 {
        return String::new();
    }
    let mut out = String::new();
    let mut used = 0;
    for cluster in text.graphemes(true) {
        let wide = width(cluster);
        if used + wide > columns - 1 {
            break;
        }
        used += wide;
        out.push_str(cluster);
    }
    out.push('…');
    out
}

/// The text cut or filled with blanks to exactly `columns`.
pub fn fit(text: &str, columns: usize) -> String {
    let mut out = clip(text, columns);
    let used = width(&out);
    out.extend(std::iter::repeat_n(' ', columns.saturating_sub(used)));
    out
}

/// Like [`clip`], but cutting in the middle, so that the beginning and the end of a path stay.
pub fn clip_middle(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    if columns < 8 {
        return clip(text, columns);
    }
    let tail_columns = (columns - 1) / 2;
    let mut tail = Vec::new();
    let mut used = 0;
    for cluster in text.graphemes(true).rev() {
        let wide = width(cluster);
        if used + wide > tail_columns {
            break;
        }
        used += wide;
        tail.push(cluster);
    }
    let mut out = clip(text, columns - used);
    out.extend(tail.into_iter().rev());
    out
}

/// Wraps a styled line into lines of at most `columns`, at blanks where there are any. Later lines start with
/// `indent` blanks.
pub fn wrap(line: &Line<'_>, columns: usize, indent: usize) -> Vec<Line<'static>> {
    let columns = columns.max(1);
    let indent = if indent + 2 < columns { indent } else { 0 };
    let mut out = Wrapped { lines: Vec::new(), line: Vec::new(), used: 0, columns, indent };
    for span in &line.spans {
        for word in span.content.split_word_ends() {
            out.word(word, line.style.patch(span.style));
        }
    }
    out.finish()
}

/// Splitting after each run of blanks.
trait SplitWordEnds {
    /// Pieces that each are a word with the blanks after it.
    fn split_word_ends(&self) -> Vec<&str>;
}

impl SplitWordEnds for str {
    fn split_word_ends(&self) -> Vec<&str> {
        let mut pieces = Vec::new();
        let mut start = 0;
        let mut in_blank = false;
        for (at, c) in self.char_indices() {
            if in_blank && c != ' ' {
                pieces.push(&self[start..at]);
                start = at;
            }
            in_blank = c == ' ';
        }
        pieces.push(&self[start..]);
        pieces
    }
}

/// Lines being filled.
struct Wrapped {
    lines: Vec<Line<'static>>,
    line: Vec<Span<'static>>,
    used: usize,
    columns: usize,
    indent: usize,
}

impl Wrapped {
    /// Puts a word on this line, or on the next, or over as many as it needs.
    fn word(&mut self, word: &str, style: Style) {
        let bare = word.trim_end_matches(' ');
        let fresh = self.used <= if self.lines.is_empty() { 0 } else { self.indent };
        if self.used + width(bare) > self.columns && !fresh {
            self.next_line();
        }
        if self.used + width(bare) > self.columns {
            for cluster in bare.graphemes(true) {
                if self.used + width(cluster) > self.columns && self.used > self.indent {
                    self.next_line();
                }
                self.push(cluster, style);
            }
        } else {
            self.push(bare, style);
        }
        // Blanks that do not fit are where the line ends.
        let blanks = (word.len() - bare.len()).min(self.columns.saturating_sub(self.used));
        self.push(&word[bare.len()..bare.len() + blanks], style);
    }

    /// Adds text to the line, joined to the last run where the style is the same.
    fn push(&mut self, text: &str, style: Style) {
        self.used += width(text);
        if text.is_empty() && !self.line.is_empty() {
            return;
        }
        match self.line.last_mut() {
            Some(last) if last.style == style => last.content.to_mut().push_str(text),
            _ => self.line.push(Span::styled(text.to_owned(), style)),
        }
    }

    /// Starts the next line at the indent.
    fn next_line(&mut self) {
        self.lines.push(Line::from(std::mem::take(&mut self.line)));
        self.used = self.indent;
        if self.indent > 0 {
            self.line.push(Span::raw(" ".repeat(self.indent)));
        }
    }

    fn finish(mut self) -> Vec<Line<'static>> {
        self.lines.push(Line::from(self.line));
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_marks_becomes_a_few_marks_and_a_number() {
        let flood = format!("e{}x", "\u{301}".repeat(1000));
        let tamed = tame(&flood);
        assert!(tamed.contains("<+994 marks>"), "the flood is counted: {tamed}");
        assert!(tamed.chars().count() < 30, "and not drawn");
        assert_eq!(tame("e\u{301}"), "e\u{301}", "a positive control: one accent stays an accent");
    }

    #[test]
    fn joined_emoji_take_the_same_columns_everywhere() {
        assert_eq!(tame("👩\u{200d}💻"), "👩💻", "the joiner is dropped between pictures");
        assert_eq!(tame("✔\u{fe0f}"), "✔", "so is the selector that makes terminals disagree");
        assert_eq!(tame("a\u{200d}b"), "a<U+200D>b", "a joiner that hides between letters is shown");
        assert_eq!(tame("می\u{200c}خواهم"), "می\u{200c}خواهم", "where letters need it, it stays");
    }

    #[test]
    fn cutting_never_splits_a_wide_character() {
        assert_eq!(clip("漢字漢字", 5), "漢字…", "two wide ones and the mark are five columns");
        assert_eq!(clip("漢字漢字", 4), "漢…", "half a character is not drawn");
        assert_eq!(fit("漢字漢字", 4), "漢… ", "the missing half is a blank");
        assert_eq!(width(&clip_middle("docs/a/very/long/path/HANDOFF.md", 20)), 20, "a path keeps both ends");
    }

    #[test]
    fn wrapping_keeps_every_letter_and_every_width() {
        let line = Line::from("one two three 漢字漢字漢字 fourfivesixseven");
        for columns in 1..40 {
            let wrapped = wrap(&line, columns, 2);
            let text: String = wrapped.iter().map(|l| l.to_string().replace(' ', "")).collect();
            assert_eq!(
                text, "onetwothree漢字漢字漢字fourfivesixseven",
                "nothing is lost at {columns} columns"
            );
            let widest = wrapped.iter().map(|l| width(l.to_string().trim_end())).max().unwrap_or(0);
            assert!(widest <= columns.max(2), "no line of {columns} columns is wider: {widest}");
        }
    }

    #[test]
    fn a_line_nobody_can_read_is_cut_and_says_so() {
        let tamed = tame(&"x".repeat(30_000));
        assert!(tamed.len() < 9_000 && tamed.contains("more bytes on this line"), "the cut is named");
    }
}
