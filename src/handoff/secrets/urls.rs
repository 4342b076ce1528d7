//! Secrets in addresses: `https://user:password@host`, `?token=…`; and those that follow a scheme of their own in a
//! header: `Bearer …`.

use super::Hit;
use super::value::{could_be, is_secret_alone, is_token};

/// Names of parameters that hold a secret, besides the labels that are known everywhere.
const PARAMETERS: &[&str] =
    &["token", "secret", "sig", "signature", "auth", "key", "code_verifier", "id_token"];

/// The most bytes of such a name.
const LONGEST: usize = 32;

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
    found
}

/// The password before the host of an address whose authority begins at `from`.
fn password(line: &str, from: usize) -> Option<Hit> {
    let ends =
        |c: char| c.is_whitespace() || matches!(c, '/' | '?' | '#' | '"' | '\'' | '`' | '<' | '>' | '|');
    let authority = line[from..].split(ends).next()?;
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
    let value = rest.split(ends).next()?;
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
            let len = line.as_bytes()[start..].iter().take_while(|b| goes_on(b)).count();
            let hit = Hit { span: start..start + len, kind: "bearer token" };
            is_token(&line[hit.span.clone()]).then_some(hit)
        })
        .collect()
}
