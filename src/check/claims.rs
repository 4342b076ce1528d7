//! What a handoff's text names: paths, commits, branches, tags, issues. Pure: finding them only; whether they
//! hold is looked up by the survey.
//!
//! Better to miss a claim than to take an innocent word for one: a false alarm makes the whole list worthless.
//!
//! | file | what it is for |
//! |---|---|
//! | `passages` | a text → lines that are one thought; what a page would not show is left out |
//! | `line` | one line → the names in it |
//! | `paths`, `naming` | whether a word looks like a path, a branch, a tag or a commit |
//! | `sentence` | the sentence around a name, as words |
//! | `stance`, `past` | what that sentence says of it: there, yet to come, gone, deleted, merged, or nothing |
//! | `words` | the words of all that, language by language |

mod line;
mod naming;
mod passages;
mod past;
mod paths;
mod sentence;
mod stance;
#[cfg(test)]
mod tests;
mod words;

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap, HashSet};

pub use paths::{as_any_path, as_listed_path, as_outer_path, is_built, names_a_file};

use crate::handoff::Inert;
use line::Line;

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
    /// The words beside it say what kind of thing it is, or its form does. What is only guessed to be one counts where
    /// the repository knows it, and is nothing where it does not.
    pub sure: bool,
    /// The directory that a heading above it names: a path may be meant from there.
    pub below: Option<Inert>,
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
            let range = range.clone();
            Line { passage, range, number: *number, written, is_planned: &is_planned }.look(&mut found);
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
            known.below = known.below.take().or(mention.below);
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
            self.boxes.push(Mention { kind: Kind::Box, text, line, tone, sense, sure: true, below: None });
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
