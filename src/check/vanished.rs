//! Open items of an earlier version that a later one does not have: neither open, nor done, nor in other words. Pure.
//!
//! Items are reworded, split, moved and renumbered between two sessions; what is said to have vanished has to be gone
//! whatever its words are now. So an item is looked for by the words that carry it, in every item and sentence of the
//! later text.

mod words;

use std::collections::BTreeSet;

use super::claims::{self, Kind, Written};
use crate::handoff::{self, Fields, Format, Handoff, Inert, Value};
use words::Words;

/// How much of an item's weight another item must have to be the same one.
const SAME_ITEM: f32 = 0.65;
/// The same of a sentence, or of an item that is much longer: there words meet by chance.
const SAME_IN_PROSE: f32 = 0.75;
/// The same of what says of itself that it was given up or put off: it names the item in passing.
const SAME_DISMISSED: f32 = 0.5;
/// How much of an item several shorter ones must have together.
const SPLIT: f32 = 0.75;

/// One item or one sentence of the later text.
struct Unit {
    words: Words,
    is_item: bool,
}

/// What was open in an earlier version, each item once, and is nowhere in the later text, whose reading is `now`.
pub(super) fn vanished(
    older: &Handoff,
    older_text: &str,
    now: Option<&Handoff>,
    now_text: &str,
) -> Vec<Inert> {
    let before: Vec<(Inert, Words)> = open_items(older, older_text)
        .into_iter()
        .map(|item| (item.clone(), Words::of_item(item.raw())))
        .filter(|(_, words)| !words.is_empty())
        .collect();
    let units = match now.filter(|now| is_data(now)) {
        Some(now) => values(&now.fields),
        None => lines(now_text),
    };
    // What says another item of the earlier version and nothing else is that item, and accounts for no other.
    let said = |unit: &Unit| {
        before.iter().position(|(_, words)| words.len() >= unit.words.len() && words.is_within(&unit.words))
    };
    let exact: Vec<Option<usize>> = units.iter().map(said).collect();
    let gone = before.iter().enumerate().filter(|(n, (_, words))| {
        let free = || units.iter().zip(&exact).filter(|(_, of)| of.is_none_or(|of| of == *n));
        !(units.iter().any(|unit| words.is_within(&unit.words))
            || free().any(|(unit, _)| is_same(words, unit))
            || is_split(words, free().map(|(unit, _)| unit)))
    });
    gone.map(|(_, (item, _))| item.clone()).collect()
}

/// Unchecked boxes, open items and next steps, each once.
fn open_items(older: &Handoff, text: &str) -> Vec<Inert> {
    let boxes = match is_data(older) {
        true => Vec::new(),
        false => claims::find(text, older.lines, Written::AsPage, BTreeSet::new).mentions,
    };
    let boxes = boxes.into_iter().filter(|mention| mention.kind == Kind::Box).map(|mention| mention.text);
    let said = older.open_items.iter().chain(&older.next_actions).cloned();
    let mut seen = BTreeSet::new();
    let all = said.chain(boxes).filter(|item| !item.is_blank());
    all.filter(|item| seen.insert(words::folded(item.raw()))).collect()
}

fn is_data(handoff: &Handoff) -> bool {
    matches!(handoff.format, Format::Json) || handoff.format == Format::Yaml && !handoff.fields.is_empty()
}

/// Whether a unit is the item in other words.
fn is_same(item: &Words, unit: &Unit) -> bool {
    if item.is_single() {
        return item.is_within(&unit.words);
    }
    let is_long = unit.words.len() > 3 * item.len() + 6;
    if !is_long && item.is_named_in(&unit.words) {
        return true;
    }
    if unit.words.dismiss() && item.share_in(&unit.words) >= SAME_DISMISSED {
        return true;
    }
    let needed = if unit.is_item && !is_long { SAME_ITEM } else { SAME_IN_PROSE };
    item.share_in(&unit.words) >= needed && !(unit.is_item && item.is_sibling_of(&unit.words))
}

/// Whether several items that are parts of it have the item together.
fn is_split<'a>(item: &Words, units: impl Iterator<Item = &'a Unit>) -> bool {
    let is_part = |unit: &&Unit| {
        unit.is_item
            && !item.is_single()
            && unit.words.share_in(item) >= SAME_ITEM
            && unit.words.weight() >= 1.0
    };
    let parts: Vec<_> = units.filter(is_part).map(|unit| &unit.words).collect();
    parts.len() > 1 && item.share_in_all(&parts) >= SPLIT
}

/// The items and sentences of a page.
fn lines(text: &str) -> Vec<Unit> {
    let (mut units, mut open, mut is_item) = (Vec::new(), String::new(), false);
    let mut end = |open: &mut String, is_item: bool| {
        let said = std::mem::take(open);
        if is_item {
            units.push(Unit { words: Words::of(&said), is_item });
        } else {
            let sentences = said.split_inclusive(['.', ';', '!', '?', '。', '；', '！', '？']);
            // The dot of a file's name ends no sentence.
            let ends = |piece: &str, next: Option<&str>| {
                !piece.ends_with('.') || next.is_none_or(|next| next.starts_with(char::is_whitespace))
            };
            let pieces: Vec<&str> = sentences.collect();
            let mut sentence = String::new();
            for (n, piece) in pieces.iter().enumerate() {
                sentence.push_str(piece);
                if ends(piece, pieces.get(n + 1).copied()) {
                    units.push(Unit { words: Words::of(&std::mem::take(&mut sentence)), is_item });
                }
            }
            units.push(Unit { words: Words::of(&sentence), is_item });
        }
    };
    for line in text.lines() {
        let trimmed = line.trim();
        let begins = handoff::list_item(line);
        let is_apart = trimmed.is_empty() || trimmed.starts_with(['#', '|']);
        if begins.is_some() || is_apart || (is_item && !line.starts_with([' ', '\t'])) {
            end(&mut open, is_item);
            is_item = begins.is_some() || trimmed.starts_with('|');
        }
        open.push_str(begins.unwrap_or(trimmed));
        open.push(' ');
        if is_apart {
            end(&mut open, is_item);
            is_item = false;
        }
    }
    end(&mut open, is_item);
    units
}

/// The values of data, each an item.
fn values(fields: &Fields) -> Vec<Unit> {
    fn value(one: &Value, units: &mut Vec<Unit>) {
        match one {
            Value::Text(text) => units.push(Unit { words: Words::of(text.raw()), is_item: true }),
            Value::List(items) => items.iter().for_each(|item| value(item, units)),
            Value::Map(inner) => inner.into_iter().for_each(|field| value(&field.value, units)),
            _ => {}
        }
    }
    let mut units = Vec::new();
    fields.into_iter().for_each(|field| value(&field.value, &mut units));
    units
}
