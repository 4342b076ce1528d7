//! JSON handoffs: parsed by serde_json into our own values, so that a key said twice is seen.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::data;
use crate::handoff::inert::Inert;
use crate::handoff::model::{Family, Fields, Format, Handoff, Value};
use crate::handoff::problem::{Position, Problem};

/// Reads a JSON handoff.
pub(super) fn read(text: &str) -> Handoff {
    let mut handoff = Handoff::empty(Family::Freeform, Format::Json);
    handoff.lines = (1, u32::try_from(text.lines().count().max(1)).unwrap_or(u32::MAX));
    match serde_json::from_str::<Any>(text) {
        Ok(Any(Value::Map(fields))) => {
            data::fill(&mut handoff, fields);
        }
        Ok(Any(Value::List(entries))) => data::fill_newest(&mut handoff, entries),
        Ok(Any(other)) => {
            handoff.readable = matches!(&other, Value::Text(text) if !text.is_blank());
            handoff.fields.push("", other, 1);
        }
        Err(error) => {
            handoff.readable = text.chars().any(char::is_alphanumeric);
            let at = Position::at(error.line().max(1), error.column().max(1));
            let message = format!("not JSON: {error}");
            handoff
                .problems
                .push(Problem::error(at, Problem::NOT_JSON, message).help("the file can be shown, not read"));
        }
    }
    handoff
}

/// Any JSON value as ours; maps keep every entry.
struct Any(Value);

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Build).map(Self)
    }
}

struct Build;

impl<'de> Visitor<'de> for Build {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, yes: bool) -> Result<Value, E> {
        Ok(Value::Bool(yes))
    }
    fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
        Ok(Value::Number(n.into()))
    }
    fn visit_u64<E>(self, n: u64) -> Result<Value, E> {
        Ok(Value::Number(n.into()))
    }
    fn visit_f64<E>(self, n: f64) -> Result<Value, E> {
        Ok(serde_json::Number::from_f64(n).map_or(Value::Null, Value::Number))
    }
    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::text(text))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Any(item)) = seq.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Fields::default();
        while let Some((name, Any(value))) = map.next_entry::<String, Any>()? {
            fields.push(Inert::from(name), value, 0);
        }
        Ok(Value::Map(fields))
    }
}
