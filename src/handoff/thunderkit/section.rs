//! One map of the file under the rules of the format: which keys it has, and what their values must be.

use super::super::{
    BranchName, CommitId, Digest, Inert, LaneId, Malformed, Position, Problem, RelPath, SessionId,
};
use super::findings::Findings;
use super::node::{Entry, Kind, Node, Scalar, Style, is_placeholder};
use super::scalar::QUOTE;

/// Keys of older shapes and of other tools that name something to run. None of them is ever run or built from.
const COMMAND_KEYS: [&str; 9] =
    ["resume", "resume_command", "command", "argv", "args", "cmd", "env", "executable", "detail_hint"];

/// Whether a key may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Null {
    /// Unknown is said by null.
    Allowed,
    /// The format needs a value.
    Refused,
}

/// An identity value with the code of the problem that a malformed one is.
pub(super) trait Ident: Sized {
    /// Stable word for machines.
    const CODE: &'static str;
    /// The ident's own constructor.
    fn read(text: &str) -> Result<Self, Malformed>;
}

macro_rules! idents {
    ($($ident:ident $code:literal)*) => {$(
        impl Ident for $ident {
            const CODE: &'static str = $code;
            fn read(text: &str) -> Result<Self, Malformed> {
                Self::parse(text)
            }
        }
    )*};
}

idents! {
    CommitId "malformed-commit"
    Digest "malformed-digest"
    BranchName "malformed-branch"
    RelPath "malformed-path"
    LaneId "malformed-lane-id"
    SessionId "malformed-session-id"
}

/// A map and where its findings go.
pub(super) struct Section<'t, 'f> {
    entries: &'t [Entry<'t>],
    at: Position,
    findings: &'f mut Findings,
}

impl<'t, 'f> Section<'t, 'f> {
    /// The map whose first character stands at a place.
    pub(super) fn new(entries: &'t [Entry<'t>], at: Position, findings: &'f mut Findings) -> Self {
        Self { entries, at, findings }
    }

    /// Reports something of one's own.
    pub(super) fn report(&mut self, problem: Problem) {
        self.findings.add(problem);
    }

    /// Every key must be there; no other may.
    pub(super) fn has_exactly(&mut self, keys: &[&str]) {
        for key in keys {
            if !self.entries.iter().any(|entry| entry.key == *key) {
                self.findings.add(
                    Problem::error(self.at, "missing-key", format!("`{key}` is missing"))
                        .help("every key must be there; an unknown fact is null"),
                );
            }
        }
        for entry in self.entries.iter().filter(|entry| !keys.contains(&entry.key.as_str())) {
            if COMMAND_KEYS.contains(&entry.key.as_str()) {
                self.report_command(entry);
            } else {
                let message = format!("`{}` is not a key of the format", entry.key);
                self.findings.add(
                    Problem::error(entry.at, "unknown-key", message)
                        .help("remove it, or say it in a text field"),
                );
            }
        }
    }

    fn report_command(&mut self, entry: &Entry<'_>) {
        let message = format!("`{}` names something to run", entry.key);
        self.findings.add(
            Problem::error(entry.at, "legacy-command", message)
                .help("remove it; nothing is ever run from a file"),
        );
    }

    /// The entry of a key that is said exactly once.
    pub(super) fn entry(&self, key: &str) -> Option<&'t Entry<'t>> {
        let mut said = self.entries.iter().filter(|entry| entry.key == key);
        let first = said.next()?;
        said.next().is_none().then_some(first)
    }

    /// Whether a key is said once, as a plain null.
    pub(super) fn is_null(&self, key: &str) -> bool {
        let scalar = self.entry(key).and_then(|entry| entry.value.as_scalar());
        scalar.is_some_and(|scalar| scalar.style == Style::Plain && scalar.value.is_none())
    }

    /// The value of an identity field as YAML reads it.
    pub(super) fn value(&mut self, key: &str, null: Null) -> Option<&'t str> {
        let entry = self.entry(key)?;
        let scalar = self.scalar(entry, key)?;
        if scalar.style == Style::Refused {
            return None;
        }
        let Some(value) = scalar.value.as_deref() else {
            if null == Null::Refused {
                self.report_null(entry.value.at, key);
            }
            return None;
        };
        if is_placeholder(value) || value.contains('<') {
            self.report_placeholder(entry.value.at, key);
            return None;
        }
        Some(value)
    }

    /// An identity value, parsed.
    pub(super) fn ident<T: Ident>(&mut self, key: &str, null: Null) -> Option<T> {
        let value = self.value(key, null)?;
        T::read(value).map_err(|malformed| self.report_malformed::<T>(key, &malformed)).ok()
    }

    /// Reports what an ident's constructor said.
    pub(super) fn report_malformed<T: Ident>(&mut self, key: &str, malformed: &Malformed) {
        let at = self.entry(key).map_or(self.at, |entry| entry.value.at);
        self.findings.add(Problem::error(at, T::CODE, format!("`{key}` is {malformed}")));
    }

    /// A lane's worktree. One beside the project, as older runs had them, is no fault of the file: the lane
    /// just cannot be resumed.
    pub(super) fn worktree(&mut self, key: &str) -> Option<RelPath> {
        let value = self.value(key, Null::Allowed)?;
        let outside = value.starts_with(['/', '~']) || value.split('/').any(|part| part == "..");
        match RelPath::parse(value) {
            Ok(path) => return Some(path),
            Err(_) if outside => {
                let at = self.entry(key).map_or(self.at, |entry| entry.value.at);
                self.findings.add(
                    Problem::note(at, "worktree-outside", "the worktree lies outside the project").help(
                        "the lane can be read and not resumed; move its worktree below .thunderkit/runs/",
                    ),
                );
            }
            Err(malformed) => self.report_malformed::<RelPath>(key, &malformed),
        }
        None
    }

    /// An identity value that is any text.
    pub(super) fn name(&mut self, key: &str, null: Null) -> Option<Inert> {
        let value = self.value(key, null)?;
        if value.trim().is_empty() {
            let at = self.entry(key).map_or(self.at, |entry| entry.value.at);
            self.report_null(at, key);
            return None;
        }
        Some(Inert::from(value))
    }

    /// One of a few words.
    pub(super) fn word<T: Copy>(&mut self, key: &str, null: Null, words: &[(&str, T)]) -> Option<T> {
        let value = self.value(key, null)?;
        let known = words.iter().find(|(word, _)| *word == value).map(|(_, meaning)| *meaning);
        if known.is_none() {
            let at = self.entry(key).map_or(self.at, |entry| entry.value.at);
            let choice = words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
            self.findings.add(
                Problem::error(at, "unknown-word", format!("`{key}` is none of the words it may be"))
                    .help(format!("one of: {choice}")),
            );
        }
        known
    }

    /// A text field: what a person wrote, not what YAML makes of it.
    pub(super) fn text(&mut self, key: &str, null: Null) -> Option<Inert> {
        let entry = self.entry(key)?;
        let scalar = self.scalar(entry, key)?;
        self.written(&entry.value, scalar, key, null)
    }

    /// The texts of a list.
    pub(super) fn texts(&mut self, key: &str) -> Vec<Inert> {
        let mut texts = Vec::new();
        for item in self.list(key).unwrap_or_default() {
            match item.as_scalar() {
                Some(scalar) => texts.extend(self.written(item, scalar, key, Null::Refused)),
                None => {
                    self.findings
                        .add(wrong_type(item.at, key, "holds something that is not text").help(QUOTE));
                    texts.push(Inert::from(super::node::without_comment(item.raw)));
                }
            }
        }
        texts
    }

    /// The paths of a list; those that are not legal are reported and left out.
    pub(super) fn paths(&mut self, key: &str) -> Vec<RelPath> {
        let mut paths = Vec::new();
        for item in self.list(key).unwrap_or_default() {
            match item.as_scalar().map(|scalar| (scalar.style, scalar.value.as_deref())) {
                Some((Style::Refused, _)) => {}
                Some((_, Some(value))) if is_placeholder(value) || value.contains('<') => {
                    self.report_placeholder(item.at, key);
                }
                Some((_, Some(value))) => match RelPath::parse(value) {
                    Ok(path) => paths.push(path),
                    Err(malformed) => self.findings.add(Problem::error(
                        item.at,
                        RelPath::CODE,
                        format!("in `{key}`: {malformed}"),
                    )),
                },
                Some((_, None)) => self.report_null(item.at, key),
                None => self.findings.add(wrong_type(item.at, key, "holds something that is not a path")),
            }
        }
        paths
    }

    /// The items of a list.
    pub(super) fn list(&mut self, key: &str) -> Option<&'t [Node<'t>]> {
        let entry = self.entry(key)?;
        match &entry.value.kind {
            Kind::List(items) => Some(items),
            Kind::Scalar(scalar) if scalar.style == Style::Refused => None,
            _ => {
                let help = "write the items below it, each behind `- `, or [] for none";
                self.findings.add(wrong_type(entry.value.at, key, "must be a list").help(help));
                None
            }
        }
    }

    /// The map below a key, or `None` where it is null or no map.
    pub(super) fn map(&mut self, key: &str) -> Option<(&'t [Entry<'t>], Position)> {
        let entry = self.entry(key)?;
        match &entry.value.kind {
            Kind::Map(entries) => Some((entries, entry.value.at)),
            Kind::Scalar(Scalar { style: Style::Refused, .. } | Scalar { value: None, .. }) => None,
            _ => {
                self.findings.add(wrong_type(entry.value.at, key, "must be null or a map"));
                None
            }
        }
    }

    /// What no free part of the file may hold either: blanks of the form, and names of something to run.
    pub(super) fn is_harmless(&mut self, node: &Node<'_>, key: &str) {
        match &node.kind {
            Kind::Scalar(scalar) if scalar.is_placeholder() => self.report_placeholder(node.at, key),
            Kind::Scalar(_) => {}
            Kind::List(items) => items.iter().for_each(|item| self.is_harmless(item, key)),
            Kind::Map(entries) => {
                for entry in entries {
                    if COMMAND_KEYS.contains(&entry.key.as_str()) {
                        self.report_command(entry);
                    }
                    self.is_harmless(&entry.value, key);
                }
            }
        }
    }

    /// A section below this one.
    pub(super) fn below<'s>(&'s mut self, entries: &'t [Entry<'t>], at: Position) -> Section<'t, 's> {
        Section { entries, at, findings: self.findings }
    }

    fn scalar(&mut self, entry: &'t Entry<'t>, key: &str) -> Option<&'t Scalar> {
        let scalar = entry.value.as_scalar();
        if scalar.is_none() {
            self.findings.add(wrong_type(entry.value.at, key, "must be one value").help(QUOTE));
        }
        scalar
    }

    /// The text of a scalar in a text field.
    fn written(&mut self, node: &Node<'_>, scalar: &Scalar, key: &str, null: Null) -> Option<Inert> {
        if scalar.is_placeholder() {
            self.report_placeholder(node.at, key);
            return None;
        }
        if scalar.says_nothing() || scalar.text.trim().is_empty() {
            if null == Null::Refused {
                self.report_null(node.at, key);
            }
            return None;
        }
        if scalar.style == Style::Plain && scalar.value.as_deref() != Some(scalar.text.as_str()) {
            self.findings.add(
                Problem::note(
                    node.at,
                    "hash-in-text",
                    format!("YAML ends `{key}` at its `#`; here it is text"),
                )
                .help(QUOTE),
            );
        }
        Some(Inert::from(scalar.text.as_str()))
    }

    fn report_null(&mut self, at: Position, key: &str) {
        self.findings.add(
            Problem::error(at, "null-value", format!("`{key}` is empty or null, and a value is needed"))
                .help("say it, or say `none` or `unknown` in words where it is a text"),
        );
    }

    fn report_placeholder(&mut self, at: Position, key: &str) {
        self.findings.add(
            Problem::error(at, "placeholder", format!("`{key}` still holds the form's blank"))
                .help("fill it in, or write null where the fact is unknown"),
        );
    }
}

fn wrong_type(at: Position, key: &str, what: &str) -> Problem {
    Problem::error(at, "wrong-type", format!("`{key}` {what}"))
}
