//! Texts that YAML, a terminal or a careless reader takes for something else, and how they can be spelt.

/// A text that a field may hold.
pub(super) const TEXTS: [&str; 71] = [
    "fix issue #12 now",
    "a  #b",
    "a #",
    "#hash",
    "# a remark",
    "null # for now",
    "~ #",
    "run tests: all",
    "ends with:",
    "a:b",
    "::",
    "*bold*",
    "&amp",
    "%done",
    "@all",
    "`code`",
    "!important",
    "| pipe",
    ">= 3",
    "- dash",
    "-x",
    "? why",
    "?x",
    "[x] box",
    "[a, b]",
    "{x}",
    "{a: b}",
    "a, b] }",
    "\"quoted\" word",
    "'single' word",
    "it's",
    "say \"hi\"",
    "back\\slash",
    "\\x41",
    "null",
    "Null",
    "~",
    "~80%",
    "no",
    "yes",
    "off",
    "true",
    "0123",
    "1e5",
    "1_000",
    "12:30:45",
    "2026-01-01",
    ".inf",
    "0x1f",
    "+1",
    "1.10",
    "<<",
    "=",
    "tab\there",
    "nel\u{85}x",
    "ls\u{2028}x",
    "ps\u{2029}x",
    "nul\0x",
    "esc\u{1b}[31mx",
    "del\u{7f}x",
    "bom\u{feff}x",
    "cr\rx",
    "two\nlines",
    "two\r\nlines",
    "emoji 👩\u{200d}💻 🇪🇺",
    "日本語 한국어",
    "rtl \u{202e}x",
    "--- x",
    "...",
    "71904e2385061947720513864209573186420957",
    "e5",
];

/// How a text is put into a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// As it is.
    Plain,
    /// In single quotes.
    Single,
    /// In double quotes, only `"` and `\` escaped.
    Double,
    /// In double quotes, all but letters, digits and blanks escaped by number.
    Escaped,
}

impl Spelling {
    /// All of them.
    pub(super) const ALL: [Self; 4] = [Self::Plain, Self::Single, Self::Double, Self::Escaped];

    /// The text in this spelling.
    pub(super) fn of(self, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Single => format!("'{}'", text.replace('\'', "''")),
            Self::Double => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Self::Escaped => {
                let escape = |c: char| match c {
                    'a'..='z' | '0'..='9' | ' ' => c.to_string(),
                    c => format!("\\U{:08X}", c as u32),
                };
                format!("\"{}\"", text.chars().map(escape).collect::<String>())
            }
        }
    }
}
