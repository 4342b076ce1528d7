//! Values behind a label that says they are secret: `password = …`, `"api_key": "…"`, `?access_token=…`.
//!
//! A label alone is no secret: people write about passwords. What follows must look like a value that somebody
//! could log in with, and not like a type, a path, a variable, a stand-in or the beginning of a sentence.

use super::{Hit, is_masked};

/// Labels without separators, in lower case, and what they hold. Longer ones first: the first that fits wins.
const LABELS: &[(&str, &str)] = &[
    ("xamzsecuritytoken", "AWS session token"),
    ("awssessiontoken", "AWS session token"),
    ("sessiontoken", "session token"),
    ("awssecretaccesskey", "AWS secret key"),
    ("secretaccesskey", "AWS secret key"),
    ("awssecretkey", "AWS secret key"),
    ("secretkey", "secret key"),
    ("accesstoken", "access token"),
    ("apikey", "API key"),
    ("password", "password"),
    ("passwd", "password"),
    ("pwd", "password"),
];

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

/// The labelled values of one line.
pub(super) fn find(line: &str) -> Vec<Hit> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_alphanumeric() || !is_word_start(bytes, at) {
            at += 1;
            continue;
        }
        match label_at(bytes, at) {
            Some((end, kind)) => {
                if let Some(span) = value_after(line, end) {
                    at = span.end;
                    found.push(Hit { span, kind });
                } else {
                    at = end;
                }
            }
            None => at += 1,
        }
    }
    found
}

/// Whether a word, or a part of a compound name (`DB_PASSWORD`, `dbPassword`), begins here. A path's last part
/// (`/etc/passwd`) is none.
fn is_word_start(bytes: &[u8], at: usize) -> bool {
    match bytes[..at].last() {
        None => true,
        Some(b'/') => false,
        Some(before) if before.is_ascii_alphanumeric() => {
            before.is_ascii_lowercase() && bytes[at].is_ascii_uppercase()
        }
        Some(_) => true,
    }
}

/// The label that begins at `at`, with the place behind it: letters in any case, `_` and `-` between them.
fn label_at(bytes: &[u8], at: usize) -> Option<(usize, &'static str)> {
    LABELS.iter().find_map(|&(label, kind)| {
        let mut wanted = label.bytes().peekable();
        let mut end = at;
        while let Some(&next) = wanted.peek() {
            match bytes.get(end) {
                Some(b) if b.to_ascii_lowercase() == next => {
                    wanted.next();
                }
                Some(b'_' | b'-' | b' ') if end > at && bytes[end - 1].is_ascii_alphanumeric() => {}
                _ => return None,
            }
            end += 1;
        }
        let goes_on = bytes.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
        (!goes_on).then_some((end, kind))
    })
}

/// The secret value behind a label that ends at `from`, if there is one.
fn value_after(line: &str, from: usize) -> Option<std::ops::Range<usize>> {
    let bytes = line.as_bytes();
    let skip = |from: usize, set: &[u8]| from + bytes[from..].iter().take_while(|b| set.contains(b)).count();
    let sign = skip(from, b"\"'`*\\ \t");
    let behind = skip(sign, b":=>");
    let signs = &line[sign..behind];
    if !matches!(signs, "=" | ":" | "=>" | ":=") {
        return None;
    }
    let open = skip(behind, b" \t*\\");
    let quote = bytes.get(open).copied().filter(|b| matches!(b, b'"' | b'\'' | b'`'));
    let start = if quote.is_some() { open + 1 } else { open };
    let ends = |b: &u8| match quote {
        Some(quote) => *b == quote || *b == b'\\' || *b == b'\n',
        None => {
            b.is_ascii_whitespace()
                || matches!(b, b'"' | b'\'' | b'`' | b',' | b';' | b'&' | b')' | b']' | b'}')
        }
    };
    let len = bytes[start..].iter().take_while(|b| !ends(b)).count();
    let value = &line[start..start + len];
    let how = Written {
        quoted: quote.is_some(),
        tight: signs == "=" && open == behind && sign == from,
        last: is_line_rest_empty(&line[start + len..]),
        sentence: signs == ":",
    };
    how.is_secret(value).then_some(start..start + len)
}

/// Whether nothing but closing marks or a comment follows.
fn is_line_rest_empty(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['"', '\'', '`', ',', ';', ')', ']', '}', '*', '\\']).trim_start();
    rest.is_empty() || rest.starts_with('#') || rest.starts_with("//")
}

/// How a value is written, as far as that tells a secret from prose and code.
struct Written {
    /// In quotes.
    quoted: bool,
    /// `label=value` without a blank.
    tight: bool,
    /// Nothing follows it on its line.
    last: bool,
    /// Behind a colon, as a sentence goes on.
    sentence: bool,
}

impl Written {
    fn is_secret(&self, value: &str) -> bool {
        if value.len() < 6 || is_masked(value) || is_reference(value) || is_stand_in(value) {
            return false;
        }
        if self.quoted {
            return !value.contains(' ') && (is_strong(value) || value.len() >= 12);
        }
        if self.sentence && !self.last {
            return false;
        }
        is_strong(value) || (self.tight && value.len() >= 8 && is_word(value))
    }
}

/// Whether a value has what passwords and tokens have and words have not.
fn is_strong(value: &str) -> bool {
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

/// Whether a value only says that there would be one.
fn is_stand_in(value: &str) -> bool {
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
