//! JSON handoffs: parsed by serde_json into our own values, so that a key said twice is seen.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::data;
use crate::handoff::inert::Inert;
use crate::handoff::model::{Family, Fields, Format, Handoff, Value};
use crate::handoff::problem::{Position, Problem};

/// Reads a JSON handoff.
pub(super) fn read(text: &str) -> Handoff {
    let mut handoff = Handoff::empty(Family::Freeform, Format::Json);
    handoff.lines = (1, u32::try_from(text.lines().count().max(1)).unwrap_or(u32::MAX));
    let budget = Budget { left: Cell::new(MOST_VALUES), cut: Cell::new(false) };
    match parse(text, &budget) {
        Ok(Value::Map(fields)) => {
            data::fill(&mut handoff, fields);
        }
        Ok(Value::List(entries)) => data::fill_newest(&mut handoff, entries),
        Ok(other) => {
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
    if budget.cut.get() {
        let message = format!("only the first {MOST_VALUES} values were read");
        handoff.problems.push(Problem::note(Position::at(1, 1), "values-cut", message));
    }
    handoff
}

/// How many values of a file are kept: no handoff has so many, and each costs memory of its own.
const MOST_VALUES: usize = 50_000;

/// How many values are still kept, and whether any was not.
struct Budget {
    left: Cell<usize>,
    cut: Cell<bool>,
}

fn parse(text: &str, budget: &Budget) -> serde_json::Result<Value> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Build(budget).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Any JSON value as ours, as many as are left; maps keep every entry.
#[derive(Clone, Copy)]
struct Build<'a>(&'a Budget);

impl Build<'_> {
    /// Whether one more value is kept.
    fn takes_one(self) -> bool {
        let left = self.0.left.get();
        self.0.left.set(left.saturating_sub(1));
        left > 0
    }
}

impl<'de> DeserializeSeed<'de> for Build<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Build<'_> {
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
        while self.takes_one() {
            let Some(item) = seq.next_element_seed(self)? else { return Ok(Value::List(items)) };
            items.push(item);
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {
            self.0.cut.set(true);
        }
        Ok(Value::List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut fields = Fields::default();
        while self.takes_one() {
            let Some(name) = map.next_key::<String>()? else { return Ok(Value::Map(fields)) };
            fields.push(Inert::from(name), map.next_value_seed(self)?, 0);
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            self.0.cut.set(true);
        }
        Ok(Value::Map(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_values_without_end_the_first_are_kept_and_that_is_said() {
        let numbers = "1,".repeat(400_000);
        let handoff = read(&format!("{{\"branch\": \"main\", \"trace\": [{numbers}1], \"next\": \"Sell\"}}"));
        assert_eq!(
            handoff.branch.map(|branch| branch.to_string()).as_deref(),
            Some("main"),
            "what came before"
        );
        assert!(
            handoff.problems.iter().any(|problem| problem.code == "values-cut"),
            "the rest is said to be cut"
        );
        let kept = handoff.fields.iter().find_map(|field| match &field.value {
            Value::List(items) => Some(items.len()),
            _ => None,
        });
        assert!(kept.is_some_and(|kept| kept > 0 && kept <= MOST_VALUES), "{kept:?} are kept");
        let small = read("{\"branch\": \"main\", \"trace\": [1, [2, {\"a\": 3}]], \"next\": \"Sell\"}");
        assert!(small.problems.is_empty(), "the control: {:?}", small.problems);
        assert_eq!(small.next_actions.first().map(Inert::raw), Some("Sell"), "and all of it is read");
        assert!(!read("{\"a\": 1} b").problems.is_empty(), "what follows the value is no JSON");
    }
}
