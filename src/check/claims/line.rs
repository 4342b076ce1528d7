//! What one line of a text names.

use std::ops::Range;

use super::naming::{self, Column};
use super::passages::Passage;
use super::stance::{self, Stance};
use super::{Kind, MOST_NAMES, Mention, Mentions, Sense, Tone, Written, as_any_path, past, paths};
use crate::handoff::{self, BranchName, Inert, Revision};

/// The fewest letters of a commit's id that name it.
const SHORTEST: usize = 7;

/// One line of a passage.
pub(super) struct Line<'a> {
    pub passage: &'a Passage,
    /// Where it stands in the passage.
    pub range: Range<usize>,
    pub number: u32,
    pub written: Written,
    pub is_planned: &'a dyn Fn(u32) -> bool,
}

/// A name in a line, and how it is come by.
#[derive(Clone, Copy)]
struct Name<'a> {
    kind: Kind,
    text: &'a str,
    /// Where it begins in the line.
    at: usize,
    /// Where the words that speak of it end: before the label of a link.
    from: usize,
    sure: bool,
}

impl<'a> Name<'a> {
    fn sure(kind: Kind, text: &'a str, at: usize) -> Self {
        Self { kind, text, at, from: at, sure: true }
    }

    fn guessed(kind: Kind, text: &'a str, at: usize) -> Self {
        Self { sure: false, ..Self::sure(kind, text, at) }
    }
}

impl Line<'_> {
    pub(super) fn look(&self, found: &mut Mentions) {
        let line = &self.passage.text[self.range.clone()];
        let mut prose = String::with_capacity(line.len());
        // Odd pieces between backticks are code spans; an unpaired backtick opens none. In the prose they are blank,
        // so that what is found there stands where it stood in the line.
        let pieces: Vec<_> = line.split('`').collect();
        let paired = if pieces.len() % 2 == 0 { pieces.len() - 1 } else { pieces.len() };
        for (index, piece) in pieces.iter().enumerate() {
            if index > 0 {
                prose.push(' ');
            }
            if index % 2 == 1 && index < paired {
                let after = pieces.get(index + 1).copied().unwrap_or_default();
                self.span(piece, &prose, after, found);
                prose.extend(std::iter::repeat_n(' ', piece.len()));
            } else {
                prose.push_str(piece);
            }
        }
        if let Some(item) = handoff::open_box(line) {
            found.add_box(item, self.number);
        }
        self.links(&prose, found);
        self.list_item(&prose, found);
        self.words(&prose, line, found);
        self.commits(&prose, found);
        self.issues(&prose, found);
    }

    /// Takes a name in, unless the words around it say that it is not there.
    fn add(&self, name: Name<'_>, found: &mut Mentions) {
        let Name { kind, text, at, from, sure } = name;
        // What the words around a name say costs their sentence, each time.
        if found.looked_at == MOST_NAMES {
            found.cut = true;
            return;
        }
        found.looked_at += 1;
        let passage = &self.passage.text;
        let before = &passage[..self.range.start + from];
        let after = &passage[self.range.start + at + text.len()..];
        let sure = match kind {
            Kind::Commit if self.column(at) == Some(Column::Commit) => true,
            Kind::Commit if sure => match naming::commit(before, after, self.passage.under) {
                Some(sure) => sure,
                None => return,
            },
            _ => sure,
        };
        let is_planned = || (self.is_planned)(self.number);
        let mention = |tone, sense| Mention {
            kind,
            text: text.into(),
            line: self.number,
            tone,
            sense,
            sure,
            below: self.passage.below.as_deref().filter(|_| kind == Kind::Path).map(Inert::from),
        };
        let tone = match stance::stance(kind, before, after, self.passage.under) {
            _ if kind == Kind::Issue => Tone::Said,
            _ if self.column(at) == Some(Column::Former) => return,
            stance @ (Stance::Gone | Stance::Deleted) => {
                found.gone.insert((kind, text.to_owned()));
                // `deleted a.rs:10-20` speaks of lines.
                if stance == Stance::Deleted && !is_pointed_into(after) && !is_planned() {
                    found.add_past(mention(Tone::Said, Sense::Gone));
                }
                return;
            }
            Stance::Merged => {
                if !past::is_trunk(text) && !is_planned() {
                    found.add_past(mention(Tone::Said, Sense::Merged));
                }
                return;
            }
            Stance::Silent => return,
            Stance::Claimed if !is_planned() => Tone::Said,
            Stance::Claimed | Stance::Planned => Tone::Planned,
        };
        found.add(mention(tone, Sense::There));
    }

    /// The column of a table that a place of this line stands in.
    fn column(&self, at: usize) -> Option<Column> {
        if self.passage.columns.is_empty() {
            return None;
        }
        let line = &self.passage.text[self.range.clone()];
        let bars = line.get(..at)?.bytes().filter(|&byte| byte == b'|').count();
        self.passage.columns.get(bars).copied().flatten()
    }

    /// A code span, with the prose on both sides.
    fn span(&self, span: &str, before: &str, after: &str, found: &mut Mentions) {
        let at = before.len() + (span.len() - span.trim_start().len());
        let span = span.trim();
        let word = naming::word_of(before);
        let named = word.map(|word| trim_word(word).to_lowercase()).unwrap_or_default();
        let column = self.column(at);
        let in_column = |of| column == Some(of);
        if is_ref(span)
            && (naming::names_a_branch(&named)
                || naming::is_branch_of(span, after)
                || in_column(Column::Branch))
        {
            return self.add(Name::sure(Kind::Branch, span, at), found);
        }
        let is_tag = naming::names_a_tag(&named) || naming::is_tag_of(span, after) || in_column(Column::Tag);
        if is_ref(span) && is_tag && naming::is_tag_name(span) {
            return self.add(Name::sure(Kind::Tag, span, at), found);
        }
        if let Some((first, last)) = range_of(span) {
            self.add(Name::sure(Kind::Commit, first, at), found);
            return self.add(Name::sure(Kind::Commit, last, at + offset(span, last)), found);
        }
        if is_abbreviation(span) || word.is_some_and(naming::names_a_commit) && is_letters(span) {
            return self.add(Name::sure(Kind::Commit, span, at), found);
        }
        if let Some(path) = as_any_path(span) {
            return self.add(Name::sure(Kind::Path, path, at + offset(span, path)), found);
        }
        if let Some(path) = paths::as_loose_path(span) {
            self.add(Name::guessed(Kind::Path, path, at + offset(span, path)), found);
        }
        if naming::is_branch_like(span) && is_ref(span) {
            self.add(Name::guessed(Kind::Branch, span, at), found);
        } else if naming::is_release(span) && is_ref(span) {
            self.add(Name::guessed(Kind::Tag, span, at), found);
        }
    }

    /// Markdown links to files.
    fn links(&self, prose: &str, found: &mut Mentions) {
        for piece in prose.split("](").skip(1) {
            let Some((target, _)) = piece.split_once(')') else { continue };
            let target = target.split(['#', ' ']).next().unwrap_or_default();
            if let Some(path) = as_any_path(target) {
                let at = offset(prose, path);
                let from = prose[..at].rfind('[').unwrap_or(at);
                self.add(Name { from, ..Name::sure(Kind::Path, path, at) }, found);
            }
        }
    }

    /// A list item that begins with a path.
    fn list_item(&self, prose: &str, found: &mut Mentions) {
        let Some(item) = ["- ", "* ", "+ "].iter().find_map(|bullet| prose.trim_start().strip_prefix(bullet))
        else {
            return;
        };
        let item = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| item.strip_prefix(mark)).unwrap_or(item);
        let word = item.split_whitespace().next().unwrap_or_default();
        let word = word.trim_end_matches([':', ',', ';', '.']);
        let path = as_any_path(word).filter(|_| word.contains('/'));
        if let Some(path) = path {
            self.add(Name::sure(Kind::Path, path, offset(prose, path)), found);
        } else if let Some(path) = as_any_path(word).or_else(|| paths::as_loose_path(word)) {
            self.add(Name::guessed(Kind::Path, path, offset(prose, path)), found);
        }
    }

    /// Paths, branches and tags that stand in the prose without a mark: they count where the repository knows them.
    fn words(&self, prose: &str, line: &str, found: &mut Mentions) {
        let mut before: Option<&str> = None;
        for word in prose.split(is_apart) {
            let word = paths::without_marks(word);
            if word.is_empty() {
                continue;
            }
            let named = before.replace(word);
            // Most words are nothing but words: a path, a branch and a tag have one of these in them.
            if !word.bytes().any(|b| matches!(b, b'/' | b'.' | b'0'..=b'9')) {
                continue;
            }
            let at = offset(prose, word);
            let names = |is: fn(&str) -> bool| named.is_some_and(|named| is(&named.to_lowercase()));
            if is_link_target(prose, at) || self.is_value(line, word) {
                // Links have been looked at; lists of data are.
            } else if (names(naming::names_a_branch) || self.column(at) == Some(Column::Branch))
                && word.contains('/')
                && is_ref(word)
                && as_any_path(word).is_none()
            {
                let is_like = naming::is_branch_like(word);
                self.add(Name { sure: is_like, ..Name::sure(Kind::Branch, word, at) }, found);
            } else if names(naming::names_a_tag) && naming::is_release(word) && is_ref(word) {
                self.add(Name::sure(Kind::Tag, word, at), found);
            } else if let Some(path) = paths::as_bare_path(word) {
                self.add(Name::guessed(Kind::Path, path, offset(prose, path)), found);
            }
        }
    }

    /// Whether a word is the whole value of a line of data: lists of files are read with their keys.
    fn is_value(&self, line: &str, word: &str) -> bool {
        if self.written != Written::AsData {
            return false;
        }
        let value = line.rsplit(": ").next().unwrap_or(line);
        let value =
            value.trim_start_matches([' ', '-']).trim_matches([' ', '"', '\'', ',', '[', ']', '{', '}']);
        value == word || line.contains(&format!("\"{word}\""))
    }

    /// Hex words, which the words around them may call commits.
    fn commits(&self, prose: &str, found: &mut Mentions) {
        let is_apart = |c: char| !(c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.'));
        for word in prose.split(is_apart) {
            let word = word.trim_matches(['.', '-']);
            if word.len() < SHORTEST {
                continue;
            }
            if let Some((first, last)) = range_of(word) {
                for id in [first, last] {
                    self.add(Name::sure(Kind::Commit, id, offset(prose, id)), found);
                }
            } else if is_abbreviation(word) {
                self.add(Name::sure(Kind::Commit, word, offset(prose, word)), found);
            }
        }
    }

    /// `owner/repo#12` and `#12`.
    fn issues(&self, prose: &str, found: &mut Mentions) {
        for word in prose.split_whitespace().filter(|word| word.contains('#')) {
            let word = word.trim_matches(|c: char| "().,;:[]!?\"'*_".contains(c));
            let Some((owner, digits)) = word.split_once('#') else { continue };
            let is_number =
                !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|b| b.is_ascii_digit());
            let is_place =
                owner.is_empty() || owner.split_once('/').is_some_and(|(a, b)| is_name(a) && is_name(b));
            if is_number && is_place {
                self.add(Name::sure(Kind::Issue, word, offset(prose, word)), found);
            }
        }
    }
}

/// Where a part of a text begins in it.
fn offset(whole: &str, part: &str) -> usize {
    part.as_ptr().addr().saturating_sub(whole.as_ptr().addr()).min(whole.len())
}

fn trim_word(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// What stands between words: blanks, bars, and the letters of scripts that are written without blanks.
fn is_apart(c: char) -> bool {
    let is_unspaced = matches!(c, '\u{3000}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{FF00}'..='\u{FFEF}');
    c.is_whitespace() || c == '|' || is_unspaced
}

/// Whether a place of a line is in the target of a link, or in an address between angle brackets.
fn is_link_target(prose: &str, at: usize) -> bool {
    let before = &prose[..at];
    let open = |opens: &str, closes: char| {
        before.rfind(opens).is_some_and(|from| !before[from + opens.len()..].contains(closes))
    };
    open("](", ')') || open("<", '>')
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

/// `feat/<slug>` is the form of a name, and none.
fn is_ref(text: &str) -> bool {
    BranchName::parse(text).is_ok() && !text.contains(['<', '>', '{', '}', '$'])
}

/// Whether what follows a path points into it: a line, or an anchor at one.
fn is_pointed_into(after: &str) -> bool {
    after.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        || after.starts_with("#L")
}

/// `1a2b3c4..5d6e7f8`: the first and the last of a range of commits.
fn range_of(text: &str) -> Option<(&str, &str)> {
    let (first, last) = text.split_once("..")?;
    let last = last.strip_prefix('.').unwrap_or(last);
    (is_abbreviation(first) && is_abbreviation(last)).then_some((first, last))
}

/// Hex digits that are all letters: a commit only where the word in front says so, and no word of English.
fn is_letters(text: &str) -> bool {
    (7..40).contains(&text.len())
        && text.bytes().all(|b| matches!(b, b'a'..=b'f'))
        && !Revision::reads_as_word(text)
}

/// 7 to 40 hex digits, letters and digits among them, unless it is a full id.
fn is_abbreviation(text: &str) -> bool {
    let is_short = text.len() < 40;
    text.len() <= 40
        && text.bytes().all(|b| b.is_ascii_hexdigit())
        && (!is_short || text.bytes().any(|b| b.is_ascii_digit()))
        && Revision::parse(text).is_ok()
}
