//! A key, as a terminal sends it and as the table and the settings spell it.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

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

    #[test]
    fn a_release_is_no_key() {
        let mut event = Key::parse("j").unwrap().event();
        assert!(Key::of(&event).is_some(), "a press is");
        event.kind = KeyEventKind::Release;
        assert_eq!(Key::of(&event), None, "letting go is not, or every key would act twice");
    }
}
