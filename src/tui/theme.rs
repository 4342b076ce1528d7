//! What the screen is drawn with: roles instead of colours, glyphs instead of characters.
//!
//! Only the terminal's own sixteen colours are used, so that a person's light or dark scheme stays theirs.
//! Nothing is said by colour alone: every state has a glyph and a word, and the selection is reversed and has a
//! bar. In mono (`NO_COLOR`) weight and underline take the colours' place.

use ratatui::style::{Color, Modifier, Style};

use crate::check::{Outcome, Verdict};

/// What a piece of the screen means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Ordinary text: the terminal's own.
    Plain,
    /// Validated, passed, current.
    Good,
    /// Failed, not resumable.
    Bad,
    /// Unknown, drifted.
    Unsure,
    /// Running now.
    Running,
    /// Secondary text.
    Quiet,
    /// The one accent: the name of the program, the active pane, keys.
    Accent,
    /// Headings.
    Heading,
    /// Code in text.
    Code,
    /// The selected row.
    Selected,
    /// A rule between panes.
    Rule,
}

/// The characters that carry meaning, in Unicode or in ASCII.
#[derive(Debug, PartialEq, Eq)]
pub struct Glyphs {
    /// Validated, passed, current.
    pub good: &'static str,
    /// Failed, not resumable.
    pub bad: &'static str,
    /// Unknown, unverifiable.
    pub unknown: &'static str,
    /// Drifted.
    pub drifted: &'static str,
    /// Running.
    pub running: &'static str,
    /// Completed.
    pub completed: &'static str,
    /// Not applicable, not recorded.
    pub none: &'static str,
    /// Being checked.
    pub checking: &'static str,
    /// The bar at the selected row.
    pub bar: &'static str,
    /// A horizontal rule.
    pub horizontal: &'static str,
    /// A vertical rule.
    pub vertical: &'static str,
    /// A vertical rule that ends in a horizontal one above it.
    pub tee_down: &'static str,
    /// A vertical rule that ends in a horizontal one below it.
    pub tee_up: &'static str,
    /// A vertical rule that a horizontal one leaves to the right.
    pub tee_right: &'static str,
    /// The corners of an overlay: top left, top right, bottom left, bottom right.
    pub corners: [&'static str; 4],
    /// Done and open boxes of a task list.
    pub boxes: [&'static str; 2],
    /// A list item.
    pub bullet: &'static str,
    /// Between facts on one line.
    pub dot: &'static str,
    /// Ahead of and behind the upstream.
    pub arrows: [&'static str; 2],
    /// A line break inside an input field.
    pub newline: &'static str,
    /// Whether this is the Unicode set; else every cell is kept in ASCII.
    pub unicode: bool,
}

/// For terminals with UTF-8.
pub const UNICODE: Glyphs = Glyphs {
    good: "✓",
    bad: "✗",
    unknown: "?",
    drifted: "≠",
    running: "▶",
    completed: "■",
    none: "–",
    checking: "…",
    bar: "▌",
    horizontal: "─",
    vertical: "│",
    tee_down: "┬",
    tee_up: "┴",
    tee_right: "├",
    corners: ["╭", "╮", "╰", "╯"],
    boxes: ["☑", "☐"],
    bullet: "•",
    dot: "·",
    arrows: ["↑", "↓"],
    newline: "↵",
    unicode: true,
};

/// For everything else.
pub const ASCII: Glyphs = Glyphs {
    good: "+",
    bad: "x",
    unknown: "?",
    drifted: "!",
    running: ">",
    completed: "#",
    none: "-",
    checking: "~",
    bar: ">",
    horizontal: "-",
    vertical: "|",
    tee_down: "+",
    tee_up: "+",
    tee_right: "+",
    corners: ["+", "+", "+", "+"],
    boxes: ["[x]", "[ ]"],
    bullet: "*",
    dot: "-",
    arrows: ["+", "-"],
    newline: "\\n",
    unicode: false,
};

/// Colours and glyphs together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Whether colours are used.
    pub colour: bool,
    /// The characters that carry meaning.
    pub glyphs: &'static Glyphs,
}

impl Theme {
    /// By the settings' word (`auto`, `mono`, `ansi`) and the environment: `NO_COLOR` (not empty) and
    /// `TERM=dumb` or absent mean mono, a locale without UTF-8 means ASCII glyphs.
    pub fn choose(setting: &str, var: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| var(name).filter(|value| !value.is_empty());
        let poor = set("TERM").is_none_or(|term| term == "dumb");
        let colour = match setting {
            "mono" => false,
            "ansi" => true,
            _ => set("NO_COLOR").is_none() && !poor,
        };
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default();
        let locale = locale.to_ascii_lowercase();
        let unicode = locale.contains("utf-8") || locale.contains("utf8");
        Self { colour, glyphs: if unicode { &UNICODE } else { &ASCII } }
    }

    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        let plain = Style::new();
        match (role, self.colour) {
            (Role::Plain, _) => plain,
            (Role::Selected, _) => plain.add_modifier(Modifier::REVERSED),
            (Role::Good, true) => plain.fg(Color::Green),
            (Role::Bad, true) => plain.fg(Color::Red).add_modifier(Modifier::BOLD),
            (Role::Unsure, true) => plain.fg(Color::Yellow),
            (Role::Running, true) => plain.fg(Color::Cyan),
            (Role::Accent, true) => plain.fg(Color::Blue).add_modifier(Modifier::BOLD),
            (Role::Code, true) => plain.fg(Color::Magenta),
            (Role::Heading, _) => plain.add_modifier(Modifier::BOLD),
            (Role::Quiet | Role::Rule, _) => plain.add_modifier(Modifier::DIM),
            (Role::Bad | Role::Accent, false) => plain.add_modifier(Modifier::BOLD),
            (Role::Unsure | Role::Running, false) => plain.add_modifier(Modifier::UNDERLINED),
            (Role::Good | Role::Code, false) => plain,
        }
    }

    /// A verdict's glyph and role; `None` is a row that is being checked.
    pub fn verdict(&self, verdict: Option<Verdict>) -> (&'static str, Role) {
        let glyphs = self.glyphs;
        match verdict {
            None => (glyphs.checking, Role::Quiet),
            Some(Verdict::Validated | Verdict::Current) => (glyphs.good, Role::Good),
            Some(Verdict::NotResumable) => (glyphs.bad, Role::Bad),
            Some(Verdict::Unknown | Verdict::Unverifiable) => (glyphs.unknown, Role::Unsure),
            Some(Verdict::Drifted) => (glyphs.drifted, Role::Unsure),
            Some(Verdict::Running) => (glyphs.running, Role::Running),
            Some(Verdict::Completed) => (glyphs.completed, Role::Quiet),
        }
    }

    /// A check's glyph, word and role.
    pub fn outcome(&self, outcome: Outcome) -> (&'static str, &'static str, Role) {
        match outcome {
            Outcome::Passed => (self.glyphs.good, "passed", Role::Good),
            Outcome::Failed => (self.glyphs.bad, "failed", Role::Bad),
            Outcome::Unknown => (self.glyphs.unknown, "unknown", Role::Unsure),
            Outcome::NotApplicable => (self.glyphs.none, "not applicable", Role::Quiet),
        }
    }
}

/// The word of a verdict, `checking` while there is none.
pub fn verdict_word(verdict: Option<Verdict>) -> &'static str {
    verdict.map_or("checking", Verdict::words)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERDICTS: [Verdict; 8] = [
        Verdict::Validated,
        Verdict::NotResumable,
        Verdict::Unknown,
        Verdict::Completed,
        Verdict::Running,
        Verdict::Current,
        Verdict::Drifted,
        Verdict::Unverifiable,
    ];

    fn theme(vars: &[(&str, &str)]) -> Theme {
        let vars: Vec<(String, String)> =
            vars.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        Theme::choose("auto", |name| vars.iter().find(|(k, _)| k == name).map(|(_, v)| v.clone()))
    }

    #[test]
    fn no_colour_is_honoured_and_an_empty_one_is_none() {
        assert!(!theme(&[("NO_COLOR", "1"), ("TERM", "xterm")]).colour, "NO_COLOR turns colours off");
        assert!(theme(&[("NO_COLOR", ""), ("TERM", "xterm")]).colour, "an empty NO_COLOR does not");
        assert!(!theme(&[]).colour, "without TERM nothing is known of the terminal");
        assert!(Theme::choose("ansi", |_| None).colour, "a setting stands over the environment");
    }

    #[test]
    fn glyphs_follow_the_locale() {
        assert_eq!(theme(&[("LANG", "C.UTF-8")]).glyphs, &UNICODE, "a UTF-8 locale gets Unicode");
        assert_eq!(
            theme(&[("LANG", "C.UTF-8"), ("LC_ALL", "POSIX")]).glyphs,
            &ASCII,
            "LC_ALL stands over LANG"
        );
    }

    #[test]
    fn without_colour_every_state_still_differs_by_glyph_or_word() {
        for glyphs in [&UNICODE, &ASCII] {
            let theme = Theme { colour: false, glyphs };
            let mut seen = std::collections::BTreeSet::new();
            for verdict in VERDICTS {
                let (glyph, role) = theme.verdict(Some(verdict));
                assert!(seen.insert((glyph, verdict.words())), "{verdict:?} has a sign of its own");
                let style = theme.style(role);
                assert!(style.fg.is_none() && style.bg.is_none(), "{verdict:?} has no colour in mono");
            }
        }
        let theme = Theme { colour: true, glyphs: &UNICODE };
        assert!(theme.style(Role::Good).fg.is_some(), "a positive control: with colours there is one");
    }
}
