//! Gathers turns as rows come: a turn is everything the model said between two words of the person.

use std::collections::VecDeque;

use super::Turn;

/// The most bytes that are kept of one turn.
const LONGEST: usize = 64 << 10;

/// The last turns so far.
pub(super) struct Turns {
    most: usize,
    done: VecDeque<Turn>,
    open: Turn,
}

impl Turns {
    pub(super) fn last(most: usize) -> Self {
        Self { most, done: VecDeque::new(), open: Turn::default() }
    }

    /// The model said something.
    pub(super) fn says(&mut self, text: &str, at: Option<i64>) {
        if text.trim().is_empty() {
            return;
        }
        let open = &mut self.open;
        open.at = at.or(open.at);
        if !open.text.is_empty() {
            open.text.push('\n');
        }
        let room = LONGEST.saturating_sub(open.text.len());
        open.text.push_str(&text[..text.floor_char_boundary(room)]);
    }

    /// The person has the word: what the model said until here is one turn.
    pub(super) fn ends(&mut self) {
        let turn = std::mem::take(&mut self.open);
        if turn.text.is_empty() {
            return;
        }
        if self.done.len() == self.most {
            self.done.pop_front();
        }
        self.done.push_back(turn);
    }

    /// The last ones, oldest first. What the model is still saying counts.
    pub(super) fn all(mut self) -> Vec<Turn> {
        self.ends();
        self.done.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_between_two_words_is_one_turn_and_only_the_last_ones_stay() {
        let mut turns = Turns::last(2);
        for (number, at) in [("one", 1), ("two", 2), ("three", 3)] {
            turns.says(number, Some(at));
            turns.says(" ", Some(9));
            turns.says("more", None);
            turns.ends();
            turns.ends();
        }
        let text = |turn: &Turn| (turn.text.clone(), turn.at);
        let all: Vec<_> = turns.all().iter().map(text).collect();
        assert_eq!(all, [("two\nmore".into(), Some(2)), ("three\nmore".into(), Some(3))], "the last two");
        let mut turns = Turns::last(2);
        turns.says(&"é".repeat(LONGEST), None);
        assert_eq!(turns.all()[0].text.len(), LONGEST, "a long one is cut at a character");
    }
}
