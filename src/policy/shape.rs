//! The shapes that policy files are made of, each refused with its place.

use super::PolicyError;
use super::json::{Json, Member};
use crate::handoff::inert::is_odd;

/// An object's members.
pub(super) fn object<'a>(value: &'a Json, what: &str) -> Result<&'a [Member], PolicyError> {
    let refuse = || PolicyError::at(value.at, format!("{what} must be an object, not {}", value.kind()));
    value.members().ok_or_else(refuse)
}

/// A member that must be there.
pub(super) fn required<'a>(value: &'a Json, name: &str, what: &str) -> Result<&'a Json, PolicyError> {
    object(value, what)?;
    value.get(name).ok_or_else(|| PolicyError::at(value.at, format!("{what} has no `{name}`")))
}

/// A string.
pub(super) fn text<'a>(value: &'a Json, what: &str) -> Result<&'a str, PolicyError> {
    let refuse = || PolicyError::at(value.at, format!("{what} must be a string, not {}", value.kind()));
    value.text().ok_or_else(refuse)
}

/// A string with something in it.
pub(super) fn word<'a>(value: &'a Json, what: &str) -> Result<&'a str, PolicyError> {
    match text(value, what)? {
        text if text.trim().is_empty() => Err(PolicyError::at(value.at, format!("{what} may not be empty"))),
        text => Ok(text),
    }
}

/// A string that names something: not empty, nothing invisible in it.
pub(super) fn name<'a>(value: &'a Json, what: &str) -> Result<&'a str, PolicyError> {
    match word(value, what)? {
        text if text.chars().any(is_odd) => {
            Err(PolicyError::at(value.at, format!("{what} may not hold an invisible character")))
        }
        text => Ok(text),
    }
}

/// A string without control characters: it may name a path of this machine.
pub(super) fn path<'a>(value: &'a Json, what: &str) -> Result<&'a str, PolicyError> {
    match text(value, what)? {
        text if text.chars().any(char::is_control) => {
            Err(PolicyError::at(value.at, format!("{what} may not hold a control character")))
        }
        text => Ok(text),
    }
}

/// A path below some root, as every file that pins paths writes it: no control character, `:` or `\`, no empty,
/// `.` or `..` segment.
pub(super) fn relative<'a>(value: &'a Json, what: &str) -> Result<&'a str, PolicyError> {
    let text = path(value, what)?;
    match is_relative(text) {
        true => Ok(text),
        false => Err(PolicyError::at(
            value.at,
            format!("{what} must be a relative path without `:`, `\\`, empty, `.` and `..` segments"),
        )),
    }
}

/// Whether a text is such a path.
pub(super) fn is_relative(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() || c == ':' || c == '\\')
        && text.split('/').all(|segment| !matches!(segment, "" | "." | ".."))
}

/// A list.
pub(super) fn list<'a>(value: &'a Json, what: &str) -> Result<&'a [Json], PolicyError> {
    let refuse = || PolicyError::at(value.at, format!("{what} must be a list, not {}", value.kind()));
    value.items().ok_or_else(refuse)
}

/// A list of strings.
pub(super) fn texts<'a>(value: &'a Json, what: &str) -> Result<Vec<&'a str>, PolicyError> {
    list(value, what)?.iter().map(|item| text(item, what)).collect()
}

/// The integer that a format's `schema_version` must be.
pub(super) fn version(root: &Json, allowed: &[u64], what: &str) -> Result<u64, PolicyError> {
    let value = required(root, "schema_version", what)?;
    let is_allowed = |version: &u64| allowed.contains(version);
    value.natural().filter(is_allowed).ok_or_else(|| {
        let words: Vec<_> = allowed.iter().map(u64::to_string).collect();
        PolicyError::at(
            value.at,
            format!("schema_version of {what} must be the integer {}", words.join(" or ")),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_relative_paths_are_relative() {
        for bad in [
            "",
            "/absolute",
            "C:/drive",
            "a:b",
            "a/b:c",
            "a\\b",
            "../a",
            "a/../b",
            "a//b",
            "./a",
            "a/",
            "a/./b",
            "a\u{0}b",
            "a\u{1f}b",
            "a\u{7f}b",
            ".",
            "..",
        ] {
            assert!(!is_relative(bad), "{bad:?} is refused");
        }
        for good in ["a", "a/b.md", ".hidden/x", "skills/ü/SKILL.md", "a b"] {
            assert!(is_relative(good), "{good:?} is a path: the control that the gate opens");
        }
    }
}
