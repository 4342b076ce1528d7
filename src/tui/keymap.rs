//! The one table of keys: what a key means where, what it is called, and whether the footer shows it.
//!
//! Footer and help are made from this table, so they cannot promise a key that does nothing.

mod key;
mod meaning;
mod table;

pub use key::Key;
pub use meaning::{Command, Context};
use table::{TABLE, TYPING};

/// Whether letters are text at a place.
pub fn takes_text(at: Context) -> bool {
    TYPING.contains(&at)
}

/// One line of the table.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What it means.
    pub command: Command,
    /// The word that the settings know it by.
    pub word: &'static str,
    /// The keys, the first one is shown.
    pub keys: Vec<Key>,
    /// The footer's word; empty where the footer leaves it out.
    pub short: &'static str,
    /// The help's sentence.
    pub what: &'static str,
    /// Where it applies.
    pub at: &'static [Context],
}

/// The table with a person's own keys in it.
#[derive(Debug, Clone)]
pub struct Keymap {
    entries: Vec<Entry>,
}

/// A key of the settings that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongKey {
    /// Which of the keys that were given, from 0.
    pub number: usize,
    /// What is wrong with it, and what there is instead.
    pub message: String,
}

/// That there is no such action; the words that there are.
fn no_action(word: &str) -> String {
    let mut words: Vec<_> = TABLE.iter().map(|row| row.1).collect();
    words.sort_unstable();
    format!("keys: there is no action `{word}`: there are {}", words.join(", "))
}

impl Default for Keymap {
    fn default() -> Self {
        Self::with(&[]).expect("the table has no key twice at one place")
    }
}

impl Keymap {
    /// The table with the settings' keys (`word = "key"`, several separated by blanks).
    ///
    /// # Errors
    /// One for each word that is no action, key that is no key, and key that would mean two things.
    pub fn with(own: &[(String, String)]) -> Result<Self, Vec<WrongKey>> {
        let mut wrong = Vec::new();
        let mut entries: Vec<Entry> = Vec::with_capacity(TABLE.len());
        for &(command, word, keys, short, what, at) in TABLE {
            let keys = keys.iter().filter_map(|key| Key::parse(key)).collect();
            entries.push(Entry { command, word, keys, short, what, at });
        }
        for (number, (word, keys)) in own.iter().enumerate() {
            let parsed: Option<Vec<Key>> = keys.split_whitespace().map(Key::parse).collect();
            let mut say = |message| wrong.push(WrongKey { number, message });
            match (entries.iter_mut().find(|entry| entry.word == word), parsed) {
                (None, _) => say(no_action(word)),
                (_, None) => say(format!(
                    "keys: `{keys}` for `{word}` is no key: `x`, `X`, `f10`, `esc` and `ctrl-x` are some"
                )),
                (Some(entry), Some(keys)) if !keys.is_empty() => entry.keys = keys,
                (Some(_), Some(_)) => say(format!("keys: `{word}` has no key")),
            }
        }
        for (n, one) in entries.iter().enumerate() {
            for other in &entries[n + 1..] {
                let shared = one.keys.iter().find(|key| other.keys.contains(key));
                if let Some(key) = shared
                    && one.at.iter().any(|at| other.at.contains(at))
                {
                    // Of two that were set the later one is at fault.
                    let number = own.iter().rposition(|(word, _)| word == one.word || word == other.word);
                    let number = number.unwrap_or_default();
                    let (set, has) = match own.get(number) {
                        Some((word, _)) if word == other.word => (other, one),
                        _ => (one, other),
                    };
                    let message = format!(
                        "keys: `{key}` for `{}` is taken: `{}` has it ({}); give that another key as well, or choose \
                         another one",
                        set.word, has.word, has.what
                    );
                    wrong.push(WrongKey { number, message });
                }
            }
        }
        if wrong.is_empty() { Ok(Self { entries }) } else { Err(wrong) }
    }

    /// What a key means at a place.
    pub fn command(&self, at: Context, key: Key) -> Option<Command> {
        self.at(at).find(|entry| entry.keys.contains(&key)).map(|entry| entry.command)
    }

    /// The lines of the table that apply at a place, in the table's order.
    pub fn at(&self, at: Context) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.at.contains(&at))
    }

    /// The first key of a command at a place, as people read it.
    pub fn key_of(&self, at: Context, command: Command) -> Option<String> {
        let entry = self.at(at).find(|entry| entry.command == command)?;
        entry.keys.first().map(Key::to_string)
    }

    /// All lines of the table.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Command as C;
    use Context as X;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    const ALL: &[Context] = &[
        X::List,
        X::Detail,
        X::Lanes,
        X::Checks,
        X::Drift,
        X::Find,
        X::Help,
        X::Reading,
        X::Block,
        X::Planning,
        X::Prompt,
        X::Running,
        X::Done,
        X::Leaving,
        X::Versions,
        X::Form,
        X::Asking,
        X::Preview,
        X::Clash,
        X::Saved,
        X::Tidying,
        X::Placing,
        X::Moving,
        X::Tidied,
        X::Lookup,
        X::Remote,
    ];

    #[test]
    fn every_key_in_the_table_is_a_key_and_means_one_thing_at_one_place() {
        let keymap = Keymap::with(&[]).unwrap();
        for (row, entry) in TABLE.iter().zip(keymap.entries()) {
            assert_eq!(row.2.len(), entry.keys.len(), "all keys of `{}` are keys", entry.word);
            for key in &entry.keys {
                assert_eq!(Key::parse(&key.to_string()), Some(*key), "`{key}` reads back as itself");
                for &at in entry.at {
                    assert_eq!(
                        keymap.command(at, *key),
                        Some(entry.command),
                        "`{key}` at {at:?} is `{}`",
                        entry.word
                    );
                }
            }
        }
        let mut words: Vec<_> = TABLE.iter().map(|row| row.1).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), TABLE.len(), "each line has a word of its own for the settings");
    }

    #[test]
    fn there_is_a_way_back_or_out_of_every_place() {
        let keymap = Keymap::default();
        for &at in ALL {
            let ways =
                keymap.at(at).filter(|entry| matches!(entry.command, C::Back | C::Quit | C::Stop)).count();
            assert!(ways > 0, "{at:?} has a way back or out");
            assert_ne!(
                keymap.command(at, Key::parse("esc").unwrap()),
                Some(C::Quit),
                "esc goes back at {at:?} and never quits"
            );
        }
    }

    #[test]
    fn letters_are_text_where_text_is_typed() {
        let keymap = Keymap::default();
        for &at in TYPING {
            for c in ' '..='~' {
                let key = Key::of(&KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)).unwrap();
                assert_eq!(keymap.command(at, key), None, "`{c}` is a letter at {at:?}");
            }
        }
    }

    #[test]
    fn own_keys_replace_the_tables_and_mistakes_are_named() {
        let own = |word: &str, key: &str| vec![(word.to_owned(), key.to_owned())];
        let keymap = Keymap::with(&own("quit", "Q f10")).unwrap();
        assert_eq!(keymap.command(X::List, Key::parse("Q").unwrap()), Some(C::Quit), "the new key works");
        assert_eq!(keymap.command(X::List, Key::parse("q").unwrap()), None, "the old one is free");
        for (word, key, says) in
            [("fly", "x", "there are "), ("quit", "ctrl-", "no key"), ("quit", "s", "`save` has it")]
        {
            let wrong = Keymap::with(&own(word, key)).unwrap_err();
            let is_said = wrong.iter().any(|wrong| wrong.number == 0 && wrong.message.contains(says));
            assert!(is_said, "`{word} = {key}` is refused with the reason: {wrong:?}");
        }
        let two = [own("help", "f9"), own("quit", "ctrl-q"), own("save", "ctrl-q")].concat();
        let wrong = Keymap::with(&two).unwrap_err();
        assert_eq!(wrong[0].number, 2, "of two that clash the later one is named: {wrong:?}");
        assert!(wrong[0].message.contains("`ctrl-q` for `save` is taken: `quit` has it"), "{wrong:?}");
    }
}
