//! A text without what nobody sees of it: invisible characters, and the backslashes that markdown puts before marks.

use std::ops::Range;

use crate::handoff::inert::is_odd;

/// The bared text, and where each of its bytes stands in the text that it was made from.
#[derive(Debug)]
pub(super) struct Bared {
    pub(super) text: String,
    origin: Vec<usize>,
}

impl Bared {
    /// The part of the whole text that a part of the bared one was made from.
    pub(super) fn span(&self, bared: &Range<usize>) -> Range<usize> {
        self.origin[bared.start]..self.origin[bared.end]
    }
}

/// The bared text; `None` where there is nothing to take away.
pub(super) fn of(text: &str) -> Option<Bared> {
    let mut bared = Bared { text: String::new(), origin: Vec::new() };
    let mut rest = text.char_indices().peekable();
    let mut from = 0;
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|&(_, next)| next);
        let escapes = c == '\\' && next.is_some_and(|next| next.is_ascii_punctuation());
        if escapes || is_unseen(c) {
            bared.keep(text, from..at);
            from = at + c.len_utf8();
            if escapes {
                // What is escaped stands for itself, a backslash too.
                rest.next();
            }
        }
    }
    if from == 0 {
        return None;
    }
    bared.keep(text, from..text.len());
    bared.origin.push(text.len());
    Some(bared)
}

impl Bared {
    fn keep(&mut self, text: &str, part: Range<usize>) {
        self.text.push_str(&text[part.clone()]);
        self.origin.extend(part);
    }
}

/// Whether nobody sees a character, wherever it stands. Line ends are kept: they count lines.
fn is_unseen(c: char) -> bool {
    c != '\r' && (is_odd(c) || matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE0E}' | '\u{FE0F}'))
}
