//! Secrets in addresses and requests: `https://user:password@host`, `?token=…`, `Bearer …`, `Basic …`,
//! `curl -u user:password`.

use super::Hit;
use super::value::{could_be, is_secret_alone, is_token};

/// Names of parameters that hold a secret, besides the labels that are known everywhere.
const PARAMETERS: &[&str] =
    &["token", "secret", "sig", "signature", "auth", "key", "code_verifier", "id_token"];

/// The most bytes of such a name.
const LONGEST: usize = 32;

/// As much of a text as an address or a token of one is looked for in: a line costs no more than its length, however
/// many of them begin in it.
fn beginning(text: &str) -> &str {
    let mut end = text.len().min(512);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// What one line holds.
pub(super) fn find(line: &str) -> Vec<Hit> {
    let mut found = Vec::new();
    for (at, mark) in line.match_indices("://") {
        found.extend(password(line, at + mark.len()));
    }
    for (at, _) in line.match_indices(['?', '&']) {
        found.extend(parameter(line, at + 1));
    }
    found.extend(bearer(line));
    found.extend(basic(line));
    found.extend(curl(line));
    found
}

/// The password before the host of an address whose authority begins at `from`.
fn password(line: &str, from: usize) -> Option<Hit> {
    let ends =
        |c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | '"' | '\'' | '`' | '<' | '>' | '|');
    let authority = beginning(&line[from..]).split(ends).next()?;
    let (person, _) = authority.rsplit_once('@')?;
    let (user, password) = person.split_once(':')?;
    let start = from + user.len() + 1;
    // `USER:PASSWORD` says what would stand there.
    let is_named = password.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    let hit = Hit { span: start..start + password.len(), kind: "password in an address" };
    (!is_named && could_be(password, 1)).then_some(hit)
}

/// The value of a parameter whose name begins at `from`.
fn parameter(line: &str, from: usize) -> Option<Hit> {
    // A name has a bound, and so has the search for its end.
    let goes_on = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b';');
    let len = line.as_bytes()[from..].iter().take(LONGEST).take_while(goes_on).count();
    let name = &line[from..from + len];
    let name = name.strip_prefix("amp;").unwrap_or(name);
    let rest = line[from + len..].strip_prefix('=')?;
    let known = PARAMETERS.iter().find(|known| name.eq_ignore_ascii_case(known))?;
    let ends = |c: char| {
        c.is_whitespace() || matches!(c, '&' | '#' | '"' | '\'' | '`' | '<' | '>' | '|' | ')' | ']')
    };
    let value = beginning(rest).split(ends).next()?;
    let is_secret = is_token(value) || *known != "key" && is_secret_alone(value, false);
    let start = line.len() - rest.len();
    is_secret.then_some(Hit { span: start..start + value.len(), kind: "token in an address" })
}

/// What follows `Bearer`.
fn bearer(line: &str) -> Vec<Hit> {
    let words = ["Bearer ", "bearer "].into_iter().flat_map(|word| line.match_indices(word));
    words
        .filter_map(|(at, word)| {
            let start = at + word.len();
            let goes_on = |b: &u8| b.is_ascii_alphanumeric() || b"-_.~+/=".contains(b);
            let len = line.as_bytes()[start..].iter().take(512).take_while(|b| goes_on(b)).count();
            let hit = Hit { span: start..start + len, kind: "bearer token" };
            is_token(&line[hit.span.clone()]).then_some(hit)
        })
        .collect()
}

/// Name and password in base64, as `Basic` has them.
fn basic(line: &str) -> Option<Hit> {
    const WORD: &str = "Basic ";
    let start = line.find(WORD)? + WORD.len();
    let goes_on = |b: &u8| b.is_ascii_alphanumeric() || b"+/=".contains(b);
    let len = line.as_bytes()[start..].iter().take_while(|b| goes_on(b)).count();
    let value = &line[start..start + len];
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().skip(1).any(test);
    let is_base64 = len % 4 == 0 && has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let hit = Hit { span: start..start + len, kind: "basic credentials" };
    (is_base64 && could_be(value, 8)).then_some(hit)
}

/// The password of a request that `curl` is to make.
fn curl(line: &str) -> Option<Hit> {
    let command = line.find("curl ")?;
    let flags = ["-u ", "--user ", "--user="];
    let (at, flag) = flags.iter().find_map(|flag| Some((command + line[command..].find(flag)?, flag)))?;
    let rest = line[at + flag.len()..].trim_start_matches([' ', '"', '\'']);
    let person = rest.split([' ', '\t', '\n', '"', '\'', '`']).next()?;
    let (user, password) = person.split_once(':')?;
    let start = line.len() - rest.len() + user.len() + 1;
    let hit = Hit { span: start..start + password.len(), kind: "password" };
    (!user.is_empty() && could_be(password, 4)).then_some(hit)
}
