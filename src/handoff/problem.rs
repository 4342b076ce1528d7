//! What a reader objects to: one finding, with its place, and what to do about it.

use serde::Serialize;

use super::Inert;

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file (or record) cannot be relied on as its format.
    Error,
    /// Worth knowing; nothing is refused because of it.
    Note,
}

/// A place in a file: both counted from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Position {
    /// The beginning of a line (from 1).
    pub fn line(line: usize) -> Self {
        Self { line: u32::try_from(line).unwrap_or(u32::MAX), column: 1 }
    }

    /// A line and a column (both from 1).
    pub fn at(line: usize, column: usize) -> Self {
        Self { column: u32::try_from(column).unwrap_or(u32::MAX), ..Self::line(line) }
    }
}

/// One finding of a reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How much it weighs.
    pub severity: Severity,
    /// Where in the file, when it has a place.
    pub at: Option<Position>,
    /// A stable word for machines, kebab-case: `duplicate-key`.
    pub code: &'static str,
    /// What is wrong, in a sentence that may quote the file.
    pub message: Inert,
    /// What a person can do about it.
    pub help: Option<Inert>,
}

impl Problem {
    /// The code of a file that was longer than what is read of one.
    pub const CUT: &'static str = "cut";
    /// The code of a file that is named as JSON and is none.
    pub const NOT_JSON: &'static str = "not-json";
    /// The code of lines in a YAML file that were passed over.
    pub const NOT_YAML: &'static str = "yaml-not-understood";

    /// An error with a place.
    pub fn error(at: Position, code: &'static str, message: impl Into<Inert>) -> Self {
        Self { severity: Severity::Error, at: Some(at), code, message: message.into(), help: None }
    }

    /// A note with a place.
    pub fn note(at: Position, code: &'static str, message: impl Into<Inert>) -> Self {
        Self { severity: Severity::Note, ..Self::error(at, code, message) }
    }

    /// A finding about the file as a whole.
    pub fn whole(severity: Severity, code: &'static str, message: impl Into<Inert>) -> Self {
        Self { severity, at: None, code, message: message.into(), help: None }
    }

    /// The same with advice.
    pub fn help(self, help: impl Into<Inert>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Whether this finding makes the file unreliable.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl Serialize for Problem {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("Problem", 6)?;
        out.serialize_field("severity", &self.severity)?;
        out.serialize_field("line", &self.at.map(|at| at.line))?;
        out.serialize_field("column", &self.at.map(|at| at.column))?;
        out.serialize_field("code", self.code)?;
        out.serialize_field("message", &self.message)?;
        out.serialize_field("help", &self.help)?;
        out.end()
    }
}
