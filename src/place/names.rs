//! Which names count: files named like a handoff, the documents of a handoff folder, and what never counts.

/// Folders in which nothing is a handoff of this project: code of others, build output, and the texts *about*
/// handoffs that agent tools bring along.
const NEVER_ENTERED: &[&str] =
    &["skills", "commands", "templates", "node_modules", "target", "vendor", ".git"];

/// Endings of files that people write handoffs in.
const ENDINGS: &[&str] = &["md", "markdown", "txt", "json", "yaml", "yml"];

/// Which files of a folder count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Names {
    /// Named like a handoff.
    Handoff,
    /// Every text document.
    Documents,
    /// Every file with this ending, lowercase.
    Ending(String),
    /// This name, in any case.
    Exact(String),
}

impl Names {
    /// Reads the last part of a place.
    pub(super) fn parse(text: &str) -> Option<Self> {
        match text {
            "{handoff}" => Some(Self::Handoff),
            "*" | "**" => Some(Self::Documents),
            _ => match text.strip_prefix("*.") {
                Some(ending) if is_plain(ending) => Some(Self::Ending(ending.to_ascii_lowercase())),
                None if is_plain(text) => Some(Self::Exact(text.to_owned())),
                _ => None,
            },
        }
    }

    /// Whether a file of this name counts.
    pub(super) fn fit(&self, file: &str) -> bool {
        match self {
            Self::Exact(name) => name.eq_ignore_ascii_case(file),
            Self::Ending(ending) => {
                let has = file.rsplit_once('.').is_some_and(|(_, e)| e.eq_ignore_ascii_case(ending));
                has && !is_about_handoffs(file)
            }
            Self::Documents => document_stem(file).is_some(),
            Self::Handoff => document_stem(file).is_some_and(is_handoff_stem),
        }
    }
}

/// Whether nothing below a folder of this name counts.
pub(super) fn never_entered(folder: &str) -> bool {
    NEVER_ENTERED.iter().any(|name| name.eq_ignore_ascii_case(folder))
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.contains(['*', '{', '}', '?', '['])
}

/// The name of a text document without its ending.
fn document_stem(file: &str) -> Option<&str> {
    let (stem, ending) = file.rsplit_once('.')?;
    let counts = ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending));
    (counts && !stem.is_empty() && !is_about_handoffs(file)).then_some(stem)
}

/// `README*`, `TEMPLATE*`, `*SCHEMA*`: written about handoffs. In small letters the words are also what people work
/// on (`260901-schema-migration.md` is a handoff), so there they count only as a name's first or last word.
fn is_about_handoffs(file: &str) -> bool {
    if file.starts_with("README") || file.starts_with("TEMPLATE") || file.contains("SCHEMA") {
        return true;
    }
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let words = words(stem);
    let first = words.first().map(String::as_str);
    let last = words.last().map(String::as_str);
    let is_dated = words.first().is_some_and(|word| is_number(word));
    matches!(first, Some("readme" | "template" | "schema")) || (last == Some("schema") && !is_dated)
}

/// Whether a stem is one of the names people give a handoff, with a slug before or behind and dates or numbers on
/// either end: `HANDOFF`, `session_handoff`, `HANDOFF-api`, `api-handoff-2026-09-01`, `2026-09-01_HANDOVER`.
fn is_handoff_stem(stem: &str) -> bool {
    let words = words(stem);
    let Some(first) = words.iter().position(|word| !is_number(word)) else { return false };
    let last = words.iter().rposition(|word| !is_number(word)).unwrap_or(first);
    let core: Vec<&str> = words[first..=last].iter().map(String::as_str).collect();
    match core.as_slice() {
        ["continue"] | ["continue", "here"] => true,
        ["next", "session", ..] | [.., "next", "session"] => true,
        ["session", "state"] | ["resume", "here"] | ["pick", "up", "here"] => true,
        ["session", word, ..] if is_handoff_word(word) => true,
        [word, ..] if is_handoff_word(word) => true,
        [.., word] => is_handoff_word(word),
        [] => false,
    }
}

/// `handoff`, `handover`, also numbered without a hyphen (`HANDOFF2.md`).
fn is_handoff_word(word: &str) -> bool {
    let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(word, "handoff" | "handover")
}

fn words(stem: &str) -> Vec<String> {
    let parts = stem.split(['-', '_', '.', ' ', '(', ')']).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase).collect()
}

/// A date, a time, a number or a version, as they stand at the ends of file names.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('v').unwrap_or(word);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == 't' || c == 'z' || c == 'h')
}
