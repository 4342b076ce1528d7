//! What the gate makes of a file: a small tree with places, decoded values and raw text.

use super::super::{Fields, Inert, Position, Value};

/// One value and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Node<'a> {
    /// Where its first character stands.
    pub(super) at: Position,
    /// The raw rest of the line that it begins on.
    pub(super) raw: &'a str,
    /// What it is.
    pub(super) kind: Kind<'a>,
}

/// The three kinds of values.
#[derive(Debug, Clone)]
pub(super) enum Kind<'a> {
    /// One value on one line.
    Scalar(Scalar),
    /// A block or one-line list.
    List(Vec<Node<'a>>),
    /// A block or one-line map.
    Map(Vec<Entry<'a>>),
}

/// A key and its value.
#[derive(Debug, Clone)]
pub(super) struct Entry<'a> {
    /// The key, decoded.
    pub(super) key: String,
    /// Where the key stands.
    pub(super) at: Position,
    /// Its value.
    pub(super) value: Node<'a>,
}

/// A scalar as it was read.
#[derive(Debug, Clone)]
pub(super) struct Scalar {
    /// How it was written.
    pub(super) style: Style,
    /// What YAML makes of it; `None` is null. Of no use where the style is refused.
    pub(super) value: Option<String>,
    /// What a person wrote: the decoded text of a quoted scalar, else the raw rest of the line without a
    /// comment in the template's style.
    pub(super) text: String,
}

/// How a scalar was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Without quotes.
    Plain,
    /// In single or double quotes.
    Quoted,
    /// In a way that the format does not know: there is text to show and no value to rely on.
    Refused,
}

impl<'a> Node<'a> {
    /// A scalar node.
    pub(super) fn scalar(
        at: Position,
        raw: &'a str,
        style: Style,
        value: Option<String>,
        text: String,
    ) -> Self {
        Self { at, raw, kind: Kind::Scalar(Scalar { style, value, text }) }
    }

    /// Text that is shown and stands for no value.
    pub(super) fn refused(at: Position, raw: &'a str) -> Self {
        Self::scalar(at, raw, Style::Refused, None, without_comment(raw).to_owned())
    }

    /// A key without a value.
    pub(super) fn nothing(at: Position) -> Self {
        Self::scalar(at, "", Style::Plain, None, String::new())
    }

    /// The scalar, when it is one.
    pub(super) fn as_scalar(&self) -> Option<&Scalar> {
        match &self.kind {
            Kind::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Adds a following line to the text, as a person would read on.
    pub(super) fn read_on(&mut self, more: &str) {
        if let Kind::Scalar(scalar) = &mut self.kind {
            scalar.style = Style::Refused;
            if !scalar.text.is_empty() {
                scalar.text.push(' ');
            }
            scalar.text.push_str(without_comment(more));
        }
    }

    /// As a value of YAML for display, every scalar a text; a placeholder is nothing.
    pub(super) fn as_read(&self) -> Value {
        self.to_value(&|scalar| match (&scalar.value, scalar.style) {
            _ if scalar.is_placeholder() => Value::Null,
            (_, Style::Refused) => Value::text(scalar.text.clone()),
            (Some(value), _) => Value::text(value.clone()),
            (None, _) => Value::Null,
        })
    }

    /// As a value for display, every scalar the text that a person wrote; a placeholder is nothing.
    pub(super) fn as_written(&self) -> Value {
        self.to_value(&|scalar| match scalar {
            _ if scalar.is_placeholder() => Value::Null,
            _ if scalar.says_nothing() => Value::Null,
            Scalar { text, .. } => Value::text(text.clone()),
        })
    }

    /// As a value whose plain words, numbers and yes or no are resolved as YAML's core schema does.
    pub(super) fn resolved(&self) -> Value {
        self.to_value(&Scalar::resolved)
    }

    fn to_value(&self, scalar: &dyn Fn(&Scalar) -> Value) -> Value {
        match &self.kind {
            Kind::Scalar(it) => scalar(it),
            Kind::List(items) => Value::List(items.iter().map(|item| item.to_value(scalar)).collect()),
            Kind::Map(entries) => {
                let mut fields = Fields::default();
                for entry in entries {
                    fields.push(entry.key.clone(), entry.value.to_value(scalar), entry.at.line);
                }
                Value::Map(fields)
            }
        }
    }
}

impl Scalar {
    /// Whether it is null for YAML and for a person: without quotes, and no remark makes it more than the word.
    pub(super) fn says_nothing(&self) -> bool {
        self.style == Style::Plain && self.value.is_none() && is_null(&self.text)
    }

    /// Whether it is a blank of the form, with or without a remark behind it.
    pub(super) fn is_placeholder(&self) -> bool {
        is_placeholder(&self.text) || self.value.as_deref().is_some_and(is_placeholder)
    }

    /// The value by YAML's core schema, as far as readers agree on it: null, true, false, decimal numbers.
    /// Whatever else a parser takes for a number is text here; the witness refuses such a file.
    pub(super) fn resolved(&self) -> Value {
        let Some(value) = &self.value else {
            return if self.style == Style::Refused { Value::text(self.text.clone()) } else { Value::Null };
        };
        if self.style == Style::Plain {
            match value.as_str() {
                "true" | "True" | "TRUE" => return Value::Bool(true),
                "false" | "False" | "FALSE" => return Value::Bool(false),
                word => {
                    if let Some(number) = decimal(word) {
                        return Value::Number(number);
                    }
                }
            }
        }
        Value::text(Inert::new(value.clone()))
    }
}

/// A plain decimal number that is written as it would be printed: not a digit of it is lost.
fn decimal(word: &str) -> Option<serde_json::Number> {
    let number: serde_json::Number = serde_json::from_str(word).ok()?;
    (number.to_string() == word && !word.contains(['e', 'E'])).then_some(number)
}

/// Whether YAML's core schema reads a plain word as null.
pub(super) fn is_null(plain: &str) -> bool {
    matches!(plain, "" | "~" | "null" | "Null" | "NULL")
}

/// Whether a whole value is a form's blank: `<…>` or `…`.
pub(super) fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    text == "…"
        || text
            .strip_prefix('<')
            .and_then(|rest| rest.strip_suffix('>'))
            .is_some_and(|inside| !inside.is_empty() && !inside.contains(['<', '>', '\n']))
}

/// The raw rest of a line without a comment in the template's style: two or more blanks, then `# `. One blank
/// and `#` is text, so that nothing a person wrote is lost.
pub(super) fn without_comment(raw: &str) -> &str {
    let mut from = 0;
    while let Some(found) = raw.get(from..).and_then(|rest| rest.find("  #")) {
        let hash = from + found + 2;
        match raw.as_bytes().get(hash + 1) {
            None | Some(b' ') => return raw.get(..from + found).unwrap_or(raw).trim_end(),
            Some(_) => from = hash,
        }
    }
    raw.trim_end()
}
