//! The one table of keys: what a key means where, what it is called, and whether the footer shows it.
//!
//! Footer and help are made from this table, so they cannot promise a key that does nothing.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What a person meant by a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// One row or line up.
    Up,
    /// One row or line down.
    Down,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the first row or line.
    Top,
    /// To the last row or line.
    Bottom,
    /// Into what is selected.
    Open,
    /// One step back; never quits.
    Back,
    /// The next pane.
    NextPane,
    /// The pane before.
    PreviousPane,
    /// Filter the list.
    Find,
    /// The block that loads this handoff into a session.
    Context,
    /// Read everything again.
    Refresh,
    /// Between the live handoffs and those put away.
    OtherList,
    /// What was found and is not listed.
    Unlisted,
    /// All keys.
    Help,
    /// Leave.
    Quit,
    /// Stop like any job of the shell.
    Suspend,
    /// To the clipboard.
    Copy,
    /// In the pager.
    Pager,
    /// Write the prompt in the editor.
    Editor,
    /// Resume what is shown.
    Resume,
    /// Ask the started program to stop.
    Stop,
    /// Yes to what is asked: stop it and leave, list the sessions, write what is shown.
    Yes,
    /// What changed since an earlier version.
    Diff,
    /// An older version.
    Older,
    /// A newer version.
    Newer,
    /// Save a handoff.
    Save,
    /// Look for a lane's missing session.
    Lookup,
    /// Show exactly what would be written.
    Preview,
    /// Carry the previous handoff's words over.
    Carry,
    /// Take a lane out, or put it back.
    DropLane,
    /// Read what somebody else wrote and compare again.
    Reload,
    /// Save under another name.
    NewName,
    /// Show the saved file to git by an edit of one line.
    Unignore,
    /// Add new decisions to the project's own list.
    Mirror,
    /// The command that keeps a snapshot, to the clipboard.
    CopySnapshot,
    /// Mark the selected row, or take its mark away.
    Mark,
    /// Mark from the row that was marked last to this one.
    MarkRange,
    /// Mark every row that the filter shows, or none.
    MarkAll,
    /// Into the archive.
    Archive,
    /// Into the trash.
    Trash,
    /// Back to where it came from.
    PutBack,
    /// Old ones into the archive.
    CleanUp,
    /// Take an action of the shelf back.
    Undo,
    /// Yes, and delete the trash's oldest entries that are named.
    Evict,
    /// Put it back to another place.
    Place,
}

/// Where the keys go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// The list of handoffs.
    List,
    /// What one is about.
    Detail,
    /// Its lanes.
    Lanes,
    /// Its checks.
    Checks,
    /// What happened since.
    Drift,
    /// The filter's input.
    Find,
    /// All keys.
    Help,
    /// Text to read: a source line with its file, reasons, what is not listed.
    Reading,
    /// The block that loads a handoff.
    Block,
    /// A resume is being planned, or was refused.
    Planning,
    /// A resume waits for a prompt and a yes.
    Prompt,
    /// The started program runs.
    Running,
    /// It has ended.
    Done,
    /// A started program still runs and the person wants to leave.
    Leaving,
    /// An earlier version of a handoff.
    Versions,
    /// The save form.
    Form,
    /// A question of the save form.
    Asking,
    /// Exactly what would be written.
    Preview,
    /// Somebody else wrote there first.
    Clash,
    /// It is saved.
    Saved,
    /// What would be moved waits for a yes.
    Tidying,
    /// Another place is typed.
    Placing,
    /// Files are being moved.
    Moving,
    /// They are moved.
    Tidied,
    /// The lookup form.
    Lookup,
}

use Command as C;
use Context as X;

const PANES: &[Context] = &[X::List, X::Detail, X::Lanes, X::Checks, X::Drift];
const SCROLLING: &[Context] = &[
    X::List,
    X::Detail,
    X::Lanes,
    X::Checks,
    X::Drift,
    X::Help,
    X::Reading,
    X::Block,
    X::Planning,
    X::Running,
    X::Done,
    X::Versions,
    X::Preview,
    X::Clash,
    X::Saved,
    X::Tidying,
    X::Tidied,
];
/// Where there are lines to read and no rows to mark.
const READING: &[Context] = &[
    X::Detail,
    X::Lanes,
    X::Checks,
    X::Drift,
    X::Help,
    X::Reading,
    X::Block,
    X::Planning,
    X::Running,
    X::Done,
    X::Preview,
    X::Clash,
    X::Saved,
    X::Tidying,
    X::Tidied,
];
/// Where nothing is typed: just the places that have something to scroll.
const NO_INPUT: &[Context] = SCROLLING;
/// Where letters are text.
const TYPING: &[Context] = &[X::Find, X::Prompt, X::Form, X::Placing, X::Lookup];
const EVERYWHERE: &[Context] = &[
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
    X::Tidied,
    X::Lookup,
];

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

type Row = (Command, &'static str, &'static [&'static str], &'static str, &'static str, &'static [Context]);

const TABLE: &[Row] = &[
    (
        C::Open,
        "open",
        &["enter"],
        "open",
        "go into the selected row",
        &[X::List, X::Lanes, X::Checks, X::Drift],
    ),
    (C::Open, "keep-filter", &["enter"], "keep", "keep the filter and go to the list", &[X::Find]),
    (
        C::Resume,
        "resume",
        &["enter"],
        "resume",
        "read on to the end, then resume exactly what is shown",
        &[X::Prompt],
    ),
    (
        C::Preview,
        "preview",
        &["ctrl-s"],
        "preview",
        "show exactly what would be written, and where",
        &[X::Form],
    ),
    (C::Editor, "editor", &["ctrl-e"], "editor", "write it in $VISUAL or $EDITOR", &[X::Prompt, X::Form]),
    (
        C::Carry,
        "carry",
        &["ctrl-o"],
        "carry over",
        "carry the previous handoff's words over into empty fields, marked",
        &[X::Form],
    ),
    (
        C::Open,
        "form-next",
        &["enter"],
        "",
        "a new line, the next choice (also left and right), or the next field",
        &[X::Form],
    ),
    (C::NextPane, "next-field", &["tab"], "", "next field", &[X::Form, X::Lookup]),
    (C::PreviousPane, "previous-field", &["backtab"], "", "field before", &[X::Form, X::Lookup]),
    (C::Lookup, "lookup", &["l"], "look up", "look for this lane's missing session", &[X::Lanes]),
    (
        C::Open,
        "look-up",
        &["enter"],
        "decide",
        "decide whether the host's component may be asked",
        &[X::Lookup],
    ),
    (
        C::Copy,
        "copy-lookup",
        &["ctrl-y"],
        "copy",
        "copy the request, or the draft of a verified id",
        &[X::Lookup],
    ),
    (C::DropLane, "drop-lane", &["ctrl-x"], "drop lane", "take this lane out, or put it back", &[X::Form]),
    (C::Yes, "save-yes", &["y"], "save", "write exactly what is shown", &[X::Preview]),
    (C::Yes, "list-yes", &["y"], "list them", "list the past sessions of this worktree", &[X::Asking]),
    (C::Unignore, "unignore", &["i"], "show it to git", "make the one-line edit that is named", &[X::Saved]),
    (C::Mirror, "mirror", &["m"], "mirror", "add the new decisions to the project's list", &[X::Saved]),
    (C::Copy, "copy-command", &["c"], "copy", "copy the command that is shown", &[X::Preview, X::Saved]),
    (
        C::CopySnapshot,
        "copy-snapshot",
        &["p"],
        "snapshot",
        "copy the command that keeps a snapshot of it",
        &[X::Saved],
    ),
    (C::Reload, "reload", &["r"], "reload", "compare with what lies there now", &[X::Clash]),
    (C::NewName, "new-name", &["n"], "new name", "keep mine, under a name of its own", &[X::Clash]),
    (
        C::Stop,
        "stop",
        &["s", "ctrl-c"],
        "stop",
        "ask the started program to stop (again: firmly)",
        &[X::Running],
    ),
    (C::Yes, "yes", &["y"], "stop it and leave", "stop the started program and leave", &[X::Leaving]),
    (
        C::Context,
        "context",
        &["c"],
        "context",
        "show the block that loads this handoff into a session",
        PANES,
    ),
    (
        C::Diff,
        "diff",
        &["d", "["],
        "diff",
        "what changed since the version before, and what was open and is gone",
        PANES,
    ),
    (C::Older, "older", &["["], "older", "since an older version", &[X::Versions]),
    (C::Newer, "newer", &["]"], "newer", "since a newer version", &[X::Versions]),
    (C::Save, "save", &["s"], "save", "save a handoff of this project", PANES),
    (C::Mark, "mark", &["space"], "", "mark this row, or take its mark away", &[X::List]),
    (C::MarkRange, "mark-range", &["v"], "", "mark from the row marked last to this one", &[X::List]),
    (C::MarkAll, "mark-all", &["*"], "", "mark all that the filter shows, or none of them", &[X::List]),
    (C::Trash, "trash", &["T"], "", "put the marked handoffs, or this one, into the trash", &[X::List]),
    (C::CleanUp, "clean-up", &["C"], "", "archive old handoffs, and say which stay and why", &[X::List]),
    (C::Undo, "undo", &["U"], "", "take back what was moved or saved last in this project", &[X::List]),
    (C::Undo, "undo-this", &["U"], "undo", "take this back", &[X::Tidied]),
    (C::Yes, "move-yes", &["y"], "do it", "move exactly what is shown", &[X::Tidying]),
    (
        C::Evict,
        "evict",
        &["e"],
        "do it and evict",
        "the same, and delete what is named for good",
        &[X::Tidying],
    ),
    (C::Place, "other-place", &["p"], "other place", "put it back to a place of your choice", &[X::Tidying]),
    (C::Open, "take-place", &["enter"], "take it", "show what would move there", &[X::Placing]),
    (C::Stop, "stop-moving", &["s", "ctrl-c"], "stop", "stop after this file", &[X::Moving]),
    (C::Copy, "copy", &["y"], "copy", "copy it to the clipboard (OSC 52)", &[X::Block]),
    (
        C::Pager,
        "pager",
        &["o"],
        "pager",
        "in the detail or the block: open the text in $PAGER",
        &[X::Block, X::Detail],
    ),
    (C::Find, "find", &["/"], "find", "filter by words, scope: family: branch: verdict:", PANES),
    (C::NextPane, "next-pane", &["tab"], "pane", "next pane", PANES),
    (C::PreviousPane, "previous-pane", &["backtab"], "", "pane before", PANES),
    (
        C::Back,
        "back",
        &["esc"],
        "back",
        "one step back, never out",
        &[X::Detail, X::Lanes, X::Checks, X::Drift],
    ),
    (C::Back, "clear-filter", &["esc"], "clear", "drop the filter", &[X::Find]),
    (C::Back, "drop-filter", &["esc"], "all", "in the list: drop the marks, then the filter", &[X::List]),
    (
        C::Back,
        "close",
        &["esc"],
        "close",
        "close this",
        &[
            X::Help,
            X::Reading,
            X::Block,
            X::Versions,
            X::Planning,
            X::Prompt,
            X::Done,
            X::Leaving,
            X::Saved,
            X::Tidying,
            X::Tidied,
            X::Lookup,
        ],
    ),
    (
        C::Back,
        "keep-form",
        &["esc"],
        "close",
        "close the form; its words are kept for the next `s`",
        &[X::Form],
    ),
    (C::Back, "back-to-plan", &["esc"], "back", "back to what would move", &[X::Placing]),
    (C::Back, "back-to-form", &["esc"], "back", "back to the form", &[X::Asking, X::Preview, X::Clash]),
    (C::Help, "help", &["?"], "help", "all keys", PANES),
    (C::Back, "close-help", &["?"], "", "close the help", &[X::Help]),
    (C::Quit, "quit", &["q"], "quit", "leave (asks only while a started program runs)", NO_INPUT),
    (C::Quit, "quit-anywhere", &["ctrl-c"], "", "leave, also while typing", EVERYWHERE),
    (C::Suspend, "suspend", &["ctrl-z"], "", "stop like any job of the shell", EVERYWHERE),
    (C::Refresh, "refresh", &["r"], "refresh", "read and check everything again", PANES),
    (
        C::OtherList,
        "other-list",
        &["a"],
        "put away",
        "between live handoffs and archived or trashed ones",
        PANES,
    ),
    (C::Archive, "archive", &["A"], "archive", "archive the marked handoffs, or this one", &[X::List]),
    (C::PutBack, "put-back", &["B"], "put back", "put them back to where they came from", &[X::List]),
    (C::Unlisted, "unlisted", &["u"], "unlisted", "what was found and is not listed, and why", PANES),
    (C::Up, "up", &["k", "up"], "", "one up", SCROLLING),
    (C::Down, "down", &["j", "down"], "", "one down", SCROLLING),
    (C::Up, "typing-up", &["up"], "", "one up while typing", TYPING),
    (C::Down, "typing-down", &["down"], "", "one down while typing", TYPING),
    (C::PageUp, "typing-page-up", &["pgup"], "", "a page up while typing", TYPING),
    (C::PageDown, "typing-page-down", &["pgdn"], "", "a page down while typing", TYPING),
    (C::PageUp, "page-up", &["pgup", "ctrl-b"], "", "a page up", SCROLLING),
    (C::PageDown, "page-down", &["pgdn", "ctrl-f"], "", "a page down", SCROLLING),
    (C::PageDown, "read-on", &["space"], "", "a page down in a text", READING),
    (C::Top, "top", &["g", "home"], "", "to the top", SCROLLING),
    (C::Bottom, "bottom", &["G", "end"], "", "to the end", SCROLLING),
];

/// The table with a person's own keys in it.
#[derive(Debug, Clone)]
pub struct Keymap {
    entries: Vec<Entry>,
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
    /// One sentence per word that is no action, key that is no key, and key that would mean two things.
    pub fn with(own: &[(String, String)]) -> Result<Self, Vec<String>> {
        let mut wrong = Vec::new();
        let mut entries: Vec<Entry> = Vec::with_capacity(TABLE.len());
        for &(command, word, keys, short, what, at) in TABLE {
            let keys = keys.iter().filter_map(|key| Key::parse(key)).collect();
            entries.push(Entry { command, word, keys, short, what, at });
        }
        for (word, keys) in own {
            let parsed: Option<Vec<Key>> = keys.split_whitespace().map(Key::parse).collect();
            match (entries.iter_mut().find(|entry| entry.word == word), parsed) {
                (None, _) => wrong.push(format!("keys: there is no action `{word}`")),
                (_, None) => wrong.push(format!("keys: `{keys}` for `{word}` is no key")),
                (Some(entry), Some(keys)) if !keys.is_empty() => entry.keys = keys,
                (Some(_), Some(_)) => wrong.push(format!("keys: `{word}` has no key")),
            }
        }
        for (n, one) in entries.iter().enumerate() {
            for other in &entries[n + 1..] {
                let shared = one.keys.iter().find(|key| other.keys.contains(key));
                if let Some(key) = shared
                    && one.at.iter().any(|at| other.at.contains(at))
                {
                    wrong.push(format!("keys: `{key}` would mean both `{}` and `{}`", one.word, other.word));
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

/// A key with its modifiers, without what terminals disagree about (shift on letters, lock states).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    ctrl: bool,
    alt: bool,
}

const NAMES: &[(&str, KeyCode)] = &[
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backtab", KeyCode::BackTab),
    ("space", KeyCode::Char(' ')),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
];

impl Key {
    /// A key as the settings write it: `j`, `G`, `?`, `enter`, `ctrl-e`, `alt-x`, `f5`.
    pub fn parse(text: &str) -> Option<Self> {
        let (ctrl, rest) = text.strip_prefix("ctrl-").map_or((false, text), |rest| (true, rest));
        let (alt, rest) = rest.strip_prefix("alt-").map_or((false, rest), |rest| (true, rest));
        let named = NAMES.iter().find(|(name, _)| *name == rest).map(|&(_, code)| code);
        let function =
            rest.strip_prefix('f').and_then(|n| n.parse::<u8>().ok()).filter(|n| (1..=12).contains(n));
        let mut letters = rest.chars();
        let code = match (named, function, letters.next(), letters.next()) {
            (Some(code), ..) => code,
            (_, Some(n), ..) => KeyCode::F(n),
            (_, _, Some(c), None) if !c.is_control() => KeyCode::Char(c),
            _ => return None,
        };
        Some(Self { code, ctrl, alt })
    }

    /// The key of a terminal event; `None` for a release, which would make every key act twice.
    pub fn of(event: &KeyEvent) -> Option<Self> {
        if event.kind == KeyEventKind::Release {
            return None;
        }
        let shift_tab = event.code == KeyCode::Tab && event.modifiers.contains(KeyModifiers::SHIFT);
        Some(Self {
            code: if shift_tab { KeyCode::BackTab } else { event.code },
            ctrl: event.modifiers.contains(KeyModifiers::CONTROL),
            alt: event.modifiers.contains(KeyModifiers::ALT),
        })
    }

    /// The event that this key makes, for scripts.
    pub fn event(self) -> KeyEvent {
        let mut modifiers = KeyModifiers::NONE;
        modifiers.set(KeyModifiers::CONTROL, self.ctrl);
        modifiers.set(KeyModifiers::ALT, self.alt);
        KeyEvent::new(self.code, modifiers)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("ctrl-")?;
        }
        if self.alt {
            f.write_str("alt-")?;
        }
        let name = NAMES.iter().find(|(_, code)| *code == self.code).map(|(name, _)| *name);
        match (name, self.code) {
            (Some(name), _) => f.write_str(name),
            (None, KeyCode::Char(c)) => write!(f, "{c}"),
            (None, KeyCode::F(n)) => write!(f, "f{n}"),
            (None, _) => f.write_str("?"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for at in [X::Find, X::Prompt, X::Form, X::Placing] {
            for c in ' '..='~' {
                let key = Key { code: KeyCode::Char(c), ctrl: false, alt: false };
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
            [("fly", "x", "no action"), ("quit", "ctrl-", "no key"), ("quit", "j", "both")]
        {
            let wrong = Keymap::with(&own(word, key)).unwrap_err();
            assert!(wrong[0].contains(says), "`{word} = {key}` is refused with the reason: {wrong:?}");
        }
    }

    #[test]
    fn a_release_is_no_key() {
        let mut event = Key::parse("j").unwrap().event();
        assert!(Key::of(&event).is_some(), "a press is");
        event.kind = KeyEventKind::Release;
        assert_eq!(Key::of(&event), None, "letting go is not, or every key would act twice");
    }
}
