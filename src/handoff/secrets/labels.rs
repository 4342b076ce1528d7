//! Values behind a label that says they are secret: `password = …`, `"api_key": "…"`, `--password …`.
//!
//! A label alone is no secret: people write about passwords. What follows must look like a value that somebody
//! could log in with, and not like a type, a path, a variable, a stand-in or the beginning of a sentence.

use super::Hit;
use super::value::{Written, could_be, is_secret_alone, is_token, is_unmistakable};

/// Labels without separators, in lower case, and what they hold. Longer ones first: the first that fits wins.
pub(super) const LABELS: &[(&str, &str)] = &[
    ("xamzsecuritytoken", "AWS session token"),
    ("awssessiontoken", "AWS session token"),
    ("sessiontoken", "session token"),
    ("refreshtoken", "refresh token"),
    ("authtoken", "auth token"),
    ("clientsecret", "client secret"),
    ("apisecret", "API secret"),
    ("awssecretaccesskey", "AWS secret key"),
    ("secretaccesskey", "AWS secret key"),
    ("awssecretkey", "AWS secret key"),
    ("secretkey", "secret key"),
    ("accesstoken", "access token"),
    ("apikey", "API key"),
    ("passphrase", "passphrase"),
    ("pgpassword", "password"),
    ("password", "password"),
    ("passwd", "password"),
    ("pwd", "password"),
];

/// Labels that say so much only behind `--` on a command line.
const FLAGS: &[(&str, &str)] = &[("token", "token"), ("secret", "secret"), ("pass", "password")];

/// The most bytes of a flag's name that are looked at.
const LONGEST: usize = 64;

/// So many bytes of a value are judged.
const JUDGED: usize = 256;

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
                let signed = after_remark(line, end);
                let value = value_after(line, signed)
                    .or_else(|| argument(line, at, end))
                    .or_else(|| element(line, end))
                    .or_else(|| told(line, signed));
                if let Some(span) = value {
                    at = span.end;
                    found.push(Hit { span, kind });
                } else {
                    at = end;
                }
            }
            None => match flag_at(bytes, at).and_then(|(end, kind)| Some((argument(line, at, end)?, kind))) {
                Some((span, kind)) => {
                    at = span.end;
                    found.push(Hit { span, kind });
                }
                None => at += 1,
            },
        }
    }
    found
}

/// What a text holds that is a label and nothing else, as a cell or a line before its value is (`**DB password:**`),
/// and whether it is one name, without blanks before the label.
pub(super) fn whole(text: &str) -> Option<(&'static str, bool)> {
    let marks = |c: char| {
        c.is_whitespace() || matches!(c, '*' | '`' | '"' | '\'' | '_' | ':' | '=' | '#' | '>' | '-')
    };
    let text = text.trim_matches(marks);
    let bytes = text.as_bytes();
    let starts = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_alphanumeric() && is_word_start(bytes, at));
    let mut labels = starts.filter_map(|at| label_at(bytes, at).map(|(end, kind)| (at, end, kind)));
    let (at, _, kind) = labels.find(|(_, end, _)| *end == bytes.len())?;
    let words = text[..at].split_whitespace().count();
    (words <= 3).then_some((kind, words == 0 || !text[..at].contains(' ')))
}

/// A label of a command line's flag alone, with the place behind it.
fn flag_at(bytes: &[u8], at: usize) -> Option<(usize, &'static str)> {
    let rest = &bytes[at..];
    let len = rest.iter().take(LONGEST).take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
    let named = |name: &str| rest[..len].eq_ignore_ascii_case(name.as_bytes());
    let (_, kind) = FLAGS.iter().find(|(name, _)| named(name))?;
    Some((at + len, kind))
}

/// The argument of a flag (`--db-password X`, `--token=X`) whose label stands there, if it is a secret.
fn argument(line: &str, label: usize, from: usize) -> Option<std::ops::Range<usize>> {
    let bytes = line.as_bytes();
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let start = label - bytes[..label].iter().rev().take(LONGEST).take_while(|b| is_name(b)).count();
    let sign = bytes.get(from).filter(|b| matches!(b, b' ' | b'\t' | b'='))?;
    if !line[start..].starts_with("--") {
        return None;
    }
    let blanks = match sign {
        b'=' => 1,
        _ => bytes[from..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count(),
    };
    let open = from + blanks;
    let quote = bytes.get(open).copied().filter(|b| matches!(b, b'"' | b'\''));
    let start = open + usize::from(quote.is_some());
    let ends = |b: &u8| {
        quote.map_or(b.is_ascii_whitespace() || matches!(b, b'`' | b'"' | b'\'' | b';' | b')'), |q| {
            *b == q || *b == b'\n'
        })
    };
    value(line, start, ends, |value| {
        is_secret_alone(value, false) || is_token(value) || quote.is_some() && could_be(value, 12)
    })
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
    let (behind, signs) = match &line[sign..behind] {
        // A colon of full width.
        "" if line[sign..].starts_with('：') => (sign + '：'.len_utf8(), ":"),
        signs => (behind, signs),
    };
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
    let judge = |value: &str| {
        let how = Written {
            quoted: quote.is_some(),
            tight: signs == "=" && open == behind && sign == from,
            last: is_line_rest_empty(&line[start + value.len()..]),
            sentence: signs == ":",
        };
        how.is_secret(value)
    };
    value(line, start, ends, judge)
}

/// The value that begins at `start`, if it is judged to be a secret. Only its beginning is judged, so that a line costs
/// no more than its length, however many labels stand in it; a secret goes on to its end.
fn value(
    line: &str,
    start: usize,
    ends: impl Fn(&u8) -> bool,
    is_secret: impl Fn(&str) -> bool,
) -> Option<std::ops::Range<usize>> {
    let length = |most: usize| line.as_bytes()[start..].iter().take(most).take_while(|b| !ends(b)).count();
    let mut judged = start + length(JUDGED);
    while !line.is_char_boundary(judged) {
        judged -= 1;
    }
    is_secret(&line[start..judged]).then(|| start..start + length(usize::MAX))
}

/// The place behind a short remark in brackets: `password (staging): …`.
fn after_remark(line: &str, from: usize) -> usize {
    let rest = &line[from..];
    let bare = rest.trim_start_matches(' ');
    let end = bare.bytes().take(LONGEST).position(|b| b == b')').filter(|_| bare.starts_with('('));
    end.map_or(from, |end| line.len() - bare.len() + end + 1)
}

/// What an element of XML holds, whose name ends at `from`.
fn element(line: &str, from: usize) -> Option<std::ops::Range<usize>> {
    line[from..].strip_prefix('>')?;
    let is_secret = |value: &str| is_secret_alone(value, false) || is_token(value);
    value(line, from + 1, |b| matches!(b, b'<' | b'\n'), is_secret)
}

/// What a sentence says it is: `the password is …`, `password …`. Only what can be nothing else.
fn told(line: &str, from: usize) -> Option<std::ops::Range<usize>> {
    let marks = |c: char| matches!(c, ' ' | '\t' | '"' | '\'' | '`' | '*');
    let rest = line[from..].trim_start_matches(marks);
    let rest = ["is ", "was ", "to "].into_iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    let rest = rest.trim_start_matches(marks);
    let start = line.len() - rest.len();
    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | b'<' | b'|');
    let bare = |word: &str| word.trim_end_matches(['.', ',', ';', ':', ')', ']', '*']).len();
    let span = value(line, start, ends, |word| is_unmistakable(&word[..bare(word)]))?;
    (start > from).then(|| start..start + bare(&line[span]))
}

/// Whether nothing but closing marks or a comment follows.
fn is_line_rest_empty(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['"', '\'', '`', ',', ';', ')', ']', '}', '*', '\\']).trim_start();
    rest.is_empty() || rest.starts_with('#') || rest.starts_with("//")
}
