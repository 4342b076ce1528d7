//! What a handoff's text names: paths, commits, branches, tags, issues. Pure: finding them only; whether they
//! hold is looked up by the survey.
//!
//! Better to miss a claim than to take an innocent word for one: a false alarm makes the whole list worthless.

mod passages;
mod past;
mod paths;
#[cfg(test)]
mod tests;
mod words;

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

pub use paths::{as_any_path, as_listed_path, as_outer_path, names_a_file};

use crate::handoff::{self, Inert, Revision};
use passages::Passage;
use words::Stance;

/// What kind of thing a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A path.
    Path,
    /// A commit.
    Commit,
    /// A branch.
    Branch,
    /// A tag.
    Tag,
    /// An issue or a pull request.
    Issue,
    /// An open check box, by its words.
    Box,
}

impl Kind {
    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Commit => "commit",
            Self::Branch => "branch",
            Self::Tag => "tag",
            Self::Issue => "issue",
            Self::Box => "box",
        }
    }
}

/// How a thing is named: what its absence means hangs on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// Only where something is still to be done: it may be yet to be made.
    Planned,
    /// In passing; a bare file name may then mean a file anywhere.
    Said,
    /// In a list of files: a name there is a path of this project.
    Listed,
}

/// What a text says of a thing that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sense {
    /// It is there.
    There,
    /// It was deleted.
    Gone,
    /// It is a branch that was merged.
    Merged,
}

/// Something that the text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// What it is taken for.
    pub kind: Kind,
    /// Its words.
    pub text: Inert,
    /// Its line in the file, from 1.
    pub line: u32,
    /// How it is named.
    pub tone: Tone,
    /// What is said of it.
    pub sense: Sense,
    /// The words beside it say what kind of thing it is: hex digits alone may be anything.
    pub sure: bool,
}

/// How many mentions of one handoff are looked up at most.
pub const MOST: usize = 400;

/// The longest line that is looked into, in bytes.
const LONGEST_LINE: usize = 8 * 1024;

/// How many names are looked at, the same one as often as it stands there.
const MOST_NAMES: usize = 10 * MOST;

/// How a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// For people to read: far-indented lines are code.
    AsPage,
    /// As data: indentation is structure.
    AsData,
}

/// What a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Each thing once, in the order of its first lines; [`MOST`] at most, and as many open check boxes.
    pub mentions: Vec<Mention>,
    /// There is more text than was looked at.
    pub cut: bool,
}

/// Finds what lines `first` to `last` (from 1, both included) name as being there, outside fences, comments, quoted
/// blocks and struck-out words; each thing once, at its first line. `planned` gives the lines that speak of what is
/// still to be done, and is asked only where something is named. What the text itself says is deleted, renamed or
/// otherwise gone is not said to be there, wherever it is named; that it was deleted or merged is a mention of its own,
/// where the text says it plainly and nothing else.
pub fn find(
    text: &str,
    lines: (u32, u32),
    written: Written,
    planned: impl FnOnce() -> BTreeSet<u32>,
) -> Named {
    let mut found = Mentions::default();
    let planned = LazyCell::new(planned);
    let is_planned = |number: u32| planned.contains(&number);
    passages::each(text, lines, written, |passage| {
        if found.list.len() >= MOST || found.looked_at == MOST_NAMES {
            found.cut = true;
            return false;
        }
        for (range, number) in &passage.lines {
            let line = Line { passage, range: range.clone(), number: *number, is_planned: &is_planned };
            line.look(&mut found);
        }
        true
    });
    found.done()
}

/// What was found so far.
#[derive(Default)]
struct Mentions {
    list: Vec<Mention>,
    places: HashMap<(Kind, String), usize>,
    gone: HashSet<(Kind, String)>,
    /// What is said to be gone or merged, once each.
    past: Vec<Mention>,
    /// The open check boxes.
    boxes: Vec<Mention>,
    /// How many names were looked at.
    looked_at: usize,
    cut: bool,
}

impl Mentions {
    /// Adds a mention; of a thing that is named already, the more binding tone stands.
    fn add(&mut self, mention: Mention) {
        let key = (mention.kind, mention.text.raw().to_owned());
        if let Some(known) = self.places.get(&key).and_then(|&at| self.list.get_mut(at)) {
            known.tone = known.tone.max(mention.tone);
            known.sure |= mention.sure;
        } else if self.list.len() < MOST {
            self.places.insert(key, self.list.len());
            self.list.push(mention);
        } else {
            self.cut = true;
        }
    }

    /// Adds what is said to be gone or merged.
    fn add_past(&mut self, mention: Mention) {
        let known = |past: &Mention| past.kind == mention.kind && past.text == mention.text;
        if self.past.len() == MOST {
            self.cut = true;
        } else if !self.past.iter().any(known) {
            self.past.push(mention);
        }
    }

    /// Adds an open check box.
    fn add_box(&mut self, text: &str, line: u32) {
        let text: Inert = text.into();
        if self.boxes.len() == MOST {
            self.cut = true;
        } else if !self.boxes.iter().any(|known| known.text == text) {
            let (tone, sense) = (Tone::Planned, Sense::There);
            self.boxes.push(Mention { kind: Kind::Box, text, line, tone, sense, sure: true });
        }
    }

    /// Everything, in the order of lines. What is said to be there in one place and gone in another says nothing.
    fn done(mut self) -> Named {
        let key = |mention: &Mention| (mention.kind, mention.text.raw().to_owned());
        self.past.retain(|mention| !self.places.contains_key(&key(mention)));
        self.list.retain(|mention| !self.gone.contains(&key(mention)));
        self.list.append(&mut self.past);
        self.list.sort_by_key(|mention| mention.line);
        self.cut |= self.list.len() > MOST;
        self.list.truncate(MOST);
        self.list.append(&mut self.boxes);
        self.list.sort_by_key(|mention| mention.line);
        Named { mentions: self.list, cut: self.cut }
    }
}

/// One line of a passage.
struct Line<'a> {
    passage: &'a Passage,
    range: Range<usize>,
    number: u32,
    is_planned: &'a dyn Fn(u32) -> bool,
}

impl Line<'_> {
    fn look(&self, found: &mut Mentions) {
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
        self.commits(&prose, found);
        self.issues(&prose, found);
    }

    /// Takes a name in, unless the words around it say that it is not there.
    fn add(&self, kind: Kind, text: &str, at: usize, found: &mut Mentions) {
        // What the words around a name say costs their sentence, each time.
        if found.looked_at == MOST_NAMES {
            found.cut = true;
            return;
        }
        found.looked_at += 1;
        let from = self.range.start + at;
        let (before, after) = (&self.passage.text[..from], &self.passage.text[from + text.len()..]);
        let sure = match kind {
            Kind::Commit => match words::commit(before, after, self.passage.under) {
                Some(sure) => sure,
                None => return,
            },
            _ => true,
        };
        let is_planned = || (self.is_planned)(self.number);
        let mention = |tone, sense| Mention { kind, text: text.into(), line: self.number, tone, sense, sure };
        let tone = match words::stance(kind, before, after, self.passage.under) {
            _ if kind == Kind::Issue => Tone::Said,
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

    /// A code span, with the prose on both sides.
    fn span(&self, span: &str, before: &str, after: &str, found: &mut Mentions) {
        let at = before.len() + (span.len() - span.trim_start().len());
        let span = span.trim();
        let word = words::word_of(before);
        let named = word.map(|word| trim_word(word).to_lowercase()).unwrap_or_default();
        if is_ref(span) && (words::names_a_branch(&named) || words::is_branch_of(span, after)) {
            return self.add(Kind::Branch, span, at, found);
        }
        if is_ref(span) && words::names_a_tag(&named) && words::is_tag_name(span) {
            return self.add(Kind::Tag, span, at, found);
        }
        if is_abbreviation(span) || word.is_some_and(words::names_a_commit) && is_letters(span) {
            self.add(Kind::Commit, span, at, found);
        } else if let Some(path) = as_any_path(span) {
            self.add(Kind::Path, path, at + offset(span, path), found);
        }
    }

    /// Markdown links to files.
    fn links(&self, prose: &str, found: &mut Mentions) {
        for piece in prose.split("](").skip(1) {
            let Some((target, _)) = piece.split_once(')') else { continue };
            let target = target.split(['#', ' ']).next().unwrap_or_default();
            if let Some(path) = as_any_path(target) {
                self.add(Kind::Path, path, offset(prose, path), found);
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
        if word.contains('/')
            && let Some(path) = as_any_path(word)
        {
            self.add(Kind::Path, path, offset(prose, path), found);
        }
    }

    /// Hex words near a word about commits.
    fn commits(&self, prose: &str, found: &mut Mentions) {
        if !words::speaks_of_commits(prose, self.passage.under) {
            return;
        }
        let is_apart = |c: char| !(c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.'));
        for word in prose.split(is_apart) {
            let word = word.trim_matches(['.', '-']);
            if is_abbreviation(word) {
                self.add(Kind::Commit, word, offset(prose, word), found);
            }
        }
    }

    /// `owner/repo#12` and `#12`.
    fn issues(&self, prose: &str, found: &mut Mentions) {
        for word in prose.split_whitespace() {
            let word = word.trim_matches(|c: char| "().,;:[]!?\"'*_".contains(c));
            let Some((owner, digits)) = word.split_once('#') else { continue };
            let is_number =
                !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|b| b.is_ascii_digit());
            let is_place =
                owner.is_empty() || owner.split_once('/').is_some_and(|(a, b)| is_name(a) && is_name(b));
            if is_number && is_place {
                self.add(Kind::Issue, word, offset(prose, word), found);
            }
        }
    }
}

/// Adds a mention; of a thing that is named already, the more binding tone stands. What is said to be there and to be
/// gone says nothing.
pub fn add(mentions: &mut Vec<Mention>, mention: Mention) {
    let same = |known: &Mention| known.kind == mention.kind && known.text == mention.text;
    if let Some(at) = mentions.iter().position(same) {
        let known = &mut mentions[at];
        known.tone = known.tone.max(mention.tone);
        if known.sense != mention.sense {
            mentions.remove(at);
        }
    } else if mentions.len() < MOST {
        mentions.push(mention);
    }
}

/// Where a part of a text begins in it.
fn offset(whole: &str, part: &str) -> usize {
    part.as_ptr().addr().saturating_sub(whole.as_ptr().addr()).min(whole.len())
}

fn trim_word(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

fn is_ref(text: &str) -> bool {
    crate::handoff::BranchName::parse(text).is_ok()
}

/// Whether what follows a path points into it: a line, or an anchor at one.
fn is_pointed_into(after: &str) -> bool {
    after.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        || after.starts_with("#L")
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
