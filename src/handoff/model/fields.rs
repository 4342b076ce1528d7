//! Recorded fields under their own names, in the order of the file.

use serde::{Serialize, Serializer};

use crate::handoff::Inert;

/// One value of a recorded field, as loosely as files hold them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Said to be nothing.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A number, in its own digits.
    Number(serde_json::Number),
    /// Text.
    Text(Inert),
    /// Several values in order.
    List(Vec<Value>),
    /// Named values in file order.
    Map(Fields),
}

impl Value {
    /// Text as a value.
    pub fn text(text: impl Into<Inert>) -> Self {
        Self::Text(text.into())
    }

    /// The text, when it is text.
    pub fn as_text(&self) -> Option<&Inert> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(yes) => serializer.serialize_bool(*yes),
            Self::Number(n) => n.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
            Self::List(items) => items.serialize(serializer),
            Self::Map(fields) => fields.serialize(serializer),
        }
    }
}

/// Every recorded field under its own name, in file order, each with the line it stands on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fields(Vec<Field>);

/// One recorded field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name as the file spells it.
    pub name: Inert,
    /// Its value.
    pub value: Value,
    /// Its line in the file, from 1; 0 where that is not known.
    pub line: u32,
}

impl Fields {
    /// Adds a field at the end.
    pub fn push(&mut self, name: impl Into<Inert>, value: Value, line: u32) {
        self.0.push(Field { name: name.into(), value, line });
    }

    /// The first field of that name.
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.0.iter().find(|field| field.name.raw() == name)
    }

    /// The line on which a field stands, from 1.
    pub fn line_of(&self, name: &str) -> Option<u32> {
        self.get(name).map(|field| field.line).filter(|&line| line > 0)
    }

    /// All fields in file order.
    pub fn iter(&self) -> std::slice::Iter<'_, Field> {
        self.0.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> IntoIterator for &'a Fields {
    type Item = &'a Field;
    type IntoIter = std::slice::Iter<'a, Field>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// As a JSON object in file order; a name said twice keeps its first value under its own name and the later
/// ones under `name#2`, `name#3`, so that nothing is lost.
impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut seen = std::collections::HashMap::<String, u32>::new();
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for field in &self.0 {
            let name = field.name.plain();
            let count = seen.entry(name.clone()).and_modify(|n| *n += 1).or_insert(1);
            let key = if *count == 1 { name } else { format!("{name}#{count}") };
            map.serialize_entry(&key, &field.value)?;
        }
        map.end()
    }
}
