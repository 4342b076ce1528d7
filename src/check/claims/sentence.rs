//! A sentence as words.

use std::borrow::Cow;

use super::words;

/// One word with the marks around it.
pub(super) struct Word<'a> {
    pub raw: &'a str,
    /// Lower case, without marks around it.
    pub text: Cow<'a, str>,
}

impl Word<'_> {
    /// Nothing but marks.
    pub fn is_mark(&self) -> bool {
        self.text.is_empty()
    }

    pub fn is_arrow(&self) -> bool {
        let raw = self.raw.trim_matches(['`', ')', '(', '|']);
        ["->", "→", "=>", "⇒", "➜", "➔", "-->", "⟶"].contains(&raw)
    }

    /// A name of something: in code, or with a slash or a dot in it.
    pub fn is_name(&self) -> bool {
        self.raw.contains(['`', '/']) || self.text.contains('.')
    }

    pub fn is_filler(&self) -> bool {
        self.is_mark() || self.is_name() || words::FILLERS.has(&self.text) || self.is_bullet()
    }

    /// What the heading of a list says beside its one word: `What I deleted in this session`.
    pub fn is_of_heading(&self) -> bool {
        words::OF_HEADING.has(&self.text)
    }

    /// The `D` of `git status`.
    pub fn is_porcelain_d(&self) -> bool {
        self.raw.trim_matches(['"', '\'', '`']) == "D"
    }

    /// The number of a list item.
    pub fn is_bullet(&self) -> bool {
        let digits = self.raw.trim_end_matches(['.', ')']);
        digits.len() < self.raw.len() && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    }

    /// Whether it only links a name and what is said of it.
    pub fn is_link(&self) -> bool {
        words::LINKS.has(&self.text)
    }

    pub fn is_gone(&self) -> bool {
        !self.is_name() && (words::GONE.begin(&self.text) || words::GONE_WORDS.has(&self.text))
    }

    pub fn is_soft(&self) -> bool {
        words::SOFT.has(&self.text) || words::MERGED.has(&self.text)
    }

    pub fn is_move(&self) -> bool {
        !self.is_name() && words::MOVES.begin(&self.text)
    }
}

/// The words of a sentence, in order.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    text.split_whitespace()
        .map(|raw| Word { raw, text: lower(raw.trim_matches(|c: char| !c.is_alphanumeric())) })
        .collect()
}

/// In lower case; most words are, and are not copied.
pub(super) fn lower(word: &str) -> Cow<'_, str> {
    let is_lower = word.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(word) } else { Cow::Owned(word.to_lowercase()) }
}

/// How much of a sentence is looked at on either side of a name, in bytes.
const NEAR: usize = 600;

/// What stands before and behind a name in its sentence.
pub(super) fn around<'a>(before: &'a str, after: &'a str) -> (&'a str, &'a str) {
    let from = before.len().saturating_sub(NEAR);
    let near = &before[before.ceil_char_boundary(from)..];
    let behind = &after[..after.floor_char_boundary(NEAR)];
    (cells(begun(near)), ended(behind))
}

/// Of the row of a table the cell at hand, and those before it as long as they are as short as a state: a long one tells
/// of itself.
fn cells(before: &str) -> &str {
    if !before.trim_start().starts_with('|') {
        return before;
    }
    let Some(mut from) = before.rfind('|') else { return before };
    while let Some(start) = before[..from].rfind('|') {
        if before[start + 1..from].split_whitespace().count() > 2 {
            break;
        }
        from = start;
    }
    &before[from..]
}

/// From the last end of a sentence on.
fn begun(text: &str) -> &str {
    let mut from = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let stops = match c {
            '.' | '!' | '?' => text[end..].starts_with(char::is_whitespace),
            ';' | '。' | '；' | '！' | '？' | '·' => true,
            _ => false,
        };
        // The number of a list item is no sentence.
        let numbers = c == '.' && text[from..at].trim().bytes().all(|b| b.is_ascii_digit());
        if stops && !numbers {
            from = end;
        }
    }
    &text[from..]
}

/// Up to the first end of a sentence.
fn ended(text: &str) -> &str {
    let end = text.char_indices().find(|(at, c)| match c {
        '.' | '!' | '?' => {
            let rest = &text[at + 1..];
            rest.is_empty() || rest.starts_with(char::is_whitespace)
        }
        ';' | '。' | '；' | '！' | '？' | '·' => true,
        _ => false,
    });
    end.map_or(text, |(at, _)| &text[..at])
}
