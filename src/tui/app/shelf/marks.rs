//! Which rows are marked, for what is done with several at once.

use std::collections::HashSet;

use super::super::super::action::Key;
use super::super::List;

/// Marked rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    keys: HashSet<Key>,
    /// The row that was marked last: a range goes from here.
    last: Option<Key>,
}

impl Marks {
    /// Whether a row is marked.
    pub fn has(&self, key: &Key) -> bool {
        self.keys.contains(key)
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// How many are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Marks nothing any more.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Marks the selected row, or takes its mark away, and goes on to the next one.
    pub fn toggle(&mut self, list: &mut List) {
        let Some(key) = list.selected().map(|row| row.key.clone()) else { return };
        if self.keys.remove(&key) {
            self.last = None;
        } else {
            self.last = Some(key.clone());
            self.keys.insert(key);
        }
        list.step(1);
    }

    /// Marks every seen row from the one that was marked last to the selected one.
    pub fn range(&mut self, list: &List) {
        let rank = |key: &Key| list.visible().position(|row| row.key == *key);
        let Some(here) = list.selected().and_then(|row| rank(&row.key)) else { return };
        let from = self.last.as_ref().and_then(rank).unwrap_or(here);
        let between = list.visible().skip(from.min(here)).take(from.abs_diff(here) + 1);
        self.keys.extend(between.map(|row| row.key.clone()));
        self.last = list.selected().map(|row| row.key.clone());
    }

    /// Marks every row that the filter shows; where all of them are marked already, none.
    pub fn all(&mut self, list: &List) {
        let seen: HashSet<Key> = list.visible().map(|row| row.key.clone()).collect();
        if seen.iter().all(|key| self.keys.contains(key)) {
            self.keys.retain(|key| !seen.contains(key));
        } else {
            self.keys.extend(seen);
        }
        self.last = None;
    }
}
