//! The person's own fields of a handoff: which there are, what is in them, and how they are said to the save room.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use tui_input::Input;

use super::super::typing::clean_paste;
use crate::handoff::secrets::{self, Finding};
use crate::handoff::{Family, Inert};

/// A field that only a person fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Word {
    /// What the work is for.
    Task,
    /// Phase or stage.
    Phase,
    /// How it stands.
    Status,
    /// What to do next.
    Next,
    /// What was decided.
    Decisions,
    /// What is in the way.
    Blockers,
    /// What nobody knows yet.
    Open,
    /// Tasks that are begun.
    InProgress,
    /// Tasks that are done.
    Completed,
    /// Tasks that wait.
    Blocked,
    /// What was tried, and how it went.
    Validation,
    /// Anything else.
    Notes,
    /// What is worked on, relative to the project.
    Artifact,
    /// How full the context was.
    Context,
}

impl Word {
    /// All of them, in the order of the form.
    pub const ALL: [Self; 14] = [
        Self::Task,
        Self::Phase,
        Self::Status,
        Self::Next,
        Self::Decisions,
        Self::Blockers,
        Self::Open,
        Self::InProgress,
        Self::Completed,
        Self::Blocked,
        Self::Validation,
        Self::Notes,
        Self::Artifact,
        Self::Context,
    ];

    /// The narrative's key.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Phase => "phase",
            Self::Status => "status",
            Self::Next => "next",
            Self::Decisions => "decisions",
            Self::Blockers => "blockers",
            Self::Open => "open",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Blocked => "blocked",
            Self::Validation => "validation",
            Self::Notes => "notes",
            Self::Artifact => "artifact",
            Self::Context => "context",
        }
    }

    /// What the form calls it.
    pub fn label(self, format: Family) -> &'static str {
        match self {
            Self::Task if format == Family::Memtomem => "objective",
            Self::Phase if format == Family::Thunderkit => "stage",
            Self::Next if format == Family::Thunderkit => "next action",
            Self::Next => "next steps",
            Self::Open => "unknowns",
            Self::InProgress => "in progress",
            Self::Completed => "done",
            word => word.key(),
        }
    }

    /// What stands there while it is empty.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Task => "what the work is for; names the file where no plan does",
            Self::Phase => "where the work stands",
            Self::Status => "in_progress, blocked, done, or your own word",
            Self::Artifact => "the file worked on, relative to the project",
            Self::Context => "how full it was: 62%",
            Self::Notes => "anything else; a blank line begins another note",
            _ => "one a line; `none` says that there is none",
        }
    }

    /// Whether it holds one line of text, and not a list.
    pub fn is_one_line(self) -> bool {
        matches!(self, Self::Task | Self::Phase | Self::Status | Self::Artifact | Self::Context)
    }

    /// Whether a format has a place for it.
    pub fn fits(self, format: Family) -> bool {
        match (self, format) {
            (Self::Next, _) => true,
            (Self::Phase | Self::Decisions | Self::Open | Self::Context, format) => {
                format != Family::Memtomem
            }
            (Self::Artifact, format) => format != Family::Theonekit,
            (Self::Task | Self::Blockers | Self::Completed | Self::Validation, format) => {
                format != Family::Thunderkit
            }
            (_, format) => format == Family::Theonekit,
        }
    }

    /// Whether a format cannot be without it.
    pub fn is_needed(self, format: Family) -> bool {
        format == Family::Thunderkit && matches!(self, Self::Phase | Self::Next)
    }
}

/// One field with what is in it.
#[derive(Debug, Clone)]
pub struct Field {
    /// Which one.
    pub word: Word,
    /// Its text and the cursor in it.
    pub input: Input,
    /// What was carried over from the previous handoff and is no new word of this person.
    carried: BTreeSet<String>,
    /// Secrets in it, by line and kind.
    pub secrets: Vec<Finding>,
}

impl Field {
    /// An empty one.
    pub fn new(word: Word) -> Self {
        Self { word, input: Input::default(), carried: BTreeSet::new(), secrets: Vec::new() }
    }

    /// Whether nothing was said.
    pub fn is_blank(&self) -> bool {
        self.input.value().trim().is_empty()
    }

    /// Takes in another text.
    pub fn set(&mut self, input: Input) {
        self.input = input;
        self.changed();
    }

    /// To be called after the text has changed.
    pub fn changed(&mut self) {
        self.secrets = secrets::find(self.input.value());
    }

    /// The separate things that were said.
    pub fn items(&self) -> Vec<String> {
        match self.word {
            Word::Notes => paragraphs(self.input.value()),
            word if word.is_one_line() => {
                vec![self.input.value().split_whitespace().collect::<Vec<_>>().join(" ")]
            }
            _ => items(self.input.value()),
        }
    }

    /// Whether a line of this text was carried over as it stands.
    pub fn is_carried(&self, line: &str) -> bool {
        self.carried.contains(line.trim())
    }

    /// Takes texts of the previous handoff in, each marked, where nothing was said yet; says how many.
    pub(super) fn carry(&mut self, texts: &[Inert]) -> usize {
        if !self.is_blank() || texts.is_empty() {
            return 0;
        }
        let one_line = self.word.is_one_line();
        let clean = |text: &Inert| clean_paste(text.raw().trim(), 8 << 10, !one_line).0;
        let lines: Vec<String> = texts.iter().map(|text| clean(text).replace('\n', "\n  ")).collect();
        self.carried.extend(lines.iter().flat_map(|text| text.lines()).map(|line| line.trim().to_owned()));
        self.set(Input::new(lines.join(if self.word == Word::Notes { "\n\n" } else { "\n" })));
        lines.len()
    }
}

/// What was said, as the save room's narrative takes it: every field that is not empty. What a format has no place for
/// is among them, so that the save room refuses it by name, as it does on the command line.
pub fn narrative<'a>(fields: impl Iterator<Item = &'a Field>) -> Map<String, Value> {
    let mut said = Map::new();
    for field in fields.filter(|field| !field.is_blank()) {
        let mut items = field.items();
        let value = if field.word.is_one_line() {
            Value::String(items.swap_remove(0))
        } else if items.len() == 1 && items[0].eq_ignore_ascii_case("none") {
            Value::Array(Vec::new())
        } else {
            items.into()
        };
        said.insert(field.word.key().to_owned(), value);
    }
    said
}

/// One item for each line that is not indented, without its bullet; indented lines go on with the item above.
fn items(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match items.last_mut().filter(|_| line.starts_with([' ', '\t'])) {
            Some(last) => {
                last.push('\n');
                last.push_str(line.trim());
            }
            None => items.push(without_bullet(line.trim()).to_owned()),
        }
    }
    items
}

/// One item for each run of lines without a blank one between.
fn paragraphs(text: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    for line in text.lines() {
        match items.last_mut() {
            Some(last) if last.is_empty() => *last = line.trim_end().to_owned(),
            Some(_) if line.trim().is_empty() => items.push(String::new()),
            Some(last) => {
                last.push('\n');
                last.push_str(line.trim_end());
            }
            None => {}
        }
    }
    items.retain(|item| !item.trim().is_empty());
    items
}

/// A list item's text: `- a`, `* a`, `1. a`, `[ ] a` are all `a`.
pub(super) fn without_bullet(line: &str) -> &str {
    let rest = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).unwrap_or(line);
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = match digits {
        1..=3 => rest[digits..].strip_prefix(". ").unwrap_or(rest),
        _ => rest,
    };
    let open = ["[ ] ", "[x] ", "[X] "].into_iter().find_map(|mark| rest.strip_prefix(mark));
    match open.unwrap_or(rest).trim() {
        "" => line,
        rest => rest,
    }
}

/// Every field of the form, some with words in them.
#[cfg(test)]
pub(super) fn fields(said: &[(Word, &str)]) -> Vec<Field> {
    let field = |word: &Word| {
        let mut field = Field::new(*word);
        if let Some((_, text)) = said.iter().find(|(own, _)| own == word) {
            field.set(Input::new((*text).to_owned()));
        }
        field
    };
    Word::ALL.iter().map(field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &[(Word, &str)]) -> String {
        Value::Object(narrative(fields(words).iter())).to_string()
    }

    #[test]
    fn each_line_is_an_item_and_indented_ones_go_on() {
        let text = "- one\n2. two\n   more of two\n\n[ ] three\n-5 degrees\n1.5 times\n- ";
        assert_eq!(
            items(text),
            ["one", "two\nmore of two", "three", "-5 degrees", "1.5 times", "-"],
            "bullets go, numbers stay"
        );
        assert_eq!(paragraphs("a\nb\n\n\nc\n"), ["a\nb", "c"], "notes are parted by blank lines");
    }

    #[test]
    fn all_that_was_said_is_said_and_nothing_else() {
        let words = [
            (Word::Phase, " 2\nof 3 "),
            (Word::Next, "a\nb"),
            (Word::Open, "None"),
            (Word::Decisions, "  \n"),
            (Word::Blockers, "x"),
        ];
        assert_eq!(
            said(&words),
            r#"{"phase":"2 of 3","next":["a","b"],"blockers":["x"],"open":[]}"#,
            "a none is said, a blank is not"
        );
        assert_eq!(said(&[]), "{}", "nothing said is nothing");
    }

    #[test]
    fn a_secret_is_seen_as_it_is_typed() {
        let token = format!("ghp_{}", "a1B2".repeat(9));
        let fields = fields(&[(Word::Notes, &format!("fine\n{token}"))]);
        let notes = fields.iter().find(|field| field.word == Word::Notes).unwrap();
        assert_eq!(notes.secrets.first().map(|found| found.line), Some(2), "by its line");
        assert!(fields.iter().filter(|field| !field.secrets.is_empty()).count() == 1, "in its field alone");
    }
}
