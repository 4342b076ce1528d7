//! Whether a value is one that somebody could log in with, or a type, a path, a variable, a stand-in, a sentence.

use super::is_masked;
use super::labels::LABELS;

/// Words that stand where a value would, in code, schemas and prose.
const STAND_INS: &[&str] = &[
    "boolean",
    "changeme",
    "change-me",
    "change_me",
    "disabled",
    "enabled",
    "example",
    "expired",
    "hidden",
    "invalid",
    "missing",
    "needed",
    "null",
    "nullable",
    "optional",
    "placeholder",
    "present",
    "redacted",
    "removed",
    "required",
    "rotated",
    "secret",
    "string",
    "unchanged",
    "undefined",
    "unknown",
    "unset",
];

/// How a value is written, as far as that tells a secret from prose and code.
pub(super) struct Written {
    /// In quotes.
    pub(super) quoted: bool,
    /// `label=value` without a blank.
    pub(super) tight: bool,
    /// Nothing follows it on its line.
    pub(super) last: bool,
    /// Behind a colon, as a sentence goes on.
    pub(super) sentence: bool,
}

impl Written {
    pub(super) fn is_secret(&self, value: &str) -> bool {
        if !could_be(value, 6) {
            return false;
        }
        if self.quoted {
            return !value.contains(' ') && (is_strong(value) || value.len() >= 12);
        }
        if self.sentence && !self.last {
            return is_secret_alone(value, true);
        }
        is_strong(value) || (self.tight && value.len() >= 8 && is_word(value))
    }
}

/// Whether a value of at least so many bytes says something itself, and does not only point to where the secret is.
pub(super) fn could_be(value: &str, least: usize) -> bool {
    value.len() >= least && !is_masked(value) && !is_stand_in(value) && !is_reference(value)
}

/// Whether a value that stands alone, in a cell or on a line, can only be a secret: mixed as no word and no name of a
/// file, a branch or a version is. With `sure` more is asked for.
pub(super) fn is_secret_alone(value: &str, sure: bool) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    let signs = has(|b| b"!@#$%^&*+=~?".contains(b));
    let mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let separate = |c: char| matches!(c, '-' | '_' | '.' | '/' | ':');
    let is_name = value.contains(separate) && !signs && !mixed;
    !is_name
        && (!sure || value.len() >= 8 && has(u8::is_ascii_digit) && (signs || mixed))
        && !has(u8::is_ascii_whitespace)
        && has(u8::is_ascii_alphabetic)
        && is_strong(value)
        && could_be(value, 6)
}

/// Whether a value is long and mixed, as what a machine makes up is, also with separators in it.
pub(super) fn is_token(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    let plain = value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.~+/=%".contains(&b));
    plain && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && could_be(value, 20)
}

/// Whether a value in the middle of a sentence can be no word of it: with signs and digits, or long and mixed.
pub(super) fn is_unmistakable(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    let (digits, letters) = (has(u8::is_ascii_digit), has(u8::is_ascii_alphabetic));
    let signs = has(|b| b"!@#$%^&*".contains(b)) && !value.contains('.');
    let mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    letters && digits && (signs && could_be(value, 6) || mixed && is_token(value))
}

/// Whether a value has what passwords and tokens have and words have not.
pub(super) fn is_strong(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    let letters = has(u8::is_ascii_alphabetic);
    let digits = has(u8::is_ascii_digit);
    let signs = value.bytes().any(|b| b"!@#$%^&*+=~?".contains(&b));
    let both_cases = has(u8::is_ascii_lowercase) && value.bytes().skip(1).any(|b| b.is_ascii_uppercase());
    (letters && (digits || signs)) || (digits && value.len() >= 8) || (both_cases && value.len() >= 12)
}

fn is_word(value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Whether a value points to where the secret is: a variable, a call, a path, a member, a stored file.
fn is_reference(value: &str) -> bool {
    let begins = value.starts_with(['$', '<', '{', '[', '(', '%', '/', '~', '.', '&', '@', '!', '*', '|']);
    let calls =
        value.contains(['(', '{', '<', '>', '[', '…']) || value.contains("...") || value.contains("://");
    let path = value.trim_end_matches(['!', '?']).replace('?', "");
    let members = path.contains(['.', ':'])
        && path.split(['.', ':']).all(|part| part.is_empty() || is_identifier(part));
    begins || calls || members || value.contains('/') && is_path(value)
}

fn is_identifier(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Whether it is made of path segments that are words; base64 has capitals and digits mixed into them.
fn is_path(value: &str) -> bool {
    let is_name = |part: &str| {
        let lower =
            part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_. ".contains(&b));
        part.is_empty() || lower
    };
    value.split('/').all(is_name)
}

/// The most bytes of a word that stands for a value.
const LONGEST_STAND_IN: usize = 64;

/// Whether a value only says that there would be one.
fn is_stand_in(value: &str) -> bool {
    if value.len() > LONGEST_STAND_IN {
        return false;
    }
    let lower = value.to_ascii_lowercase();
    let lower = lower.trim_matches(['.', '!', '?', '_', '-']);
    let names_itself =
        ["your", "my_", "my-", "example", "dummy", "placeholder", "redacted", "insert", "changeme"]
            .iter()
            .any(|word| lower.contains(word));
    let bare: String = lower.chars().filter(char::is_ascii_alphanumeric).collect();
    let is_a_name = is_identifier(value) || value.split('-').all(is_identifier);
    let names_label = is_a_name
        && LABELS.iter().any(|(label, _)| bare.starts_with(label) || bare.ends_with(label))
        && !bare.bytes().any(|b| b.is_ascii_digit());
    STAND_INS.contains(&lower) || names_itself || names_label
}
