//! Identity values. Each exists only parsed: holding one is the proof that it is well formed.
//!
//! None of the constructors cleans, trims or lowercases: what does not fit is refused, never made to fit.

use serde::{Serialize, Serializer};
use std::fmt;

use super::inert::is_unseen;

/// Why a text is not the identity value it was taken for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a {what}: {why}")]
pub struct Malformed {
    /// What was expected, for people: "session id".
    pub what: &'static str,
    /// What is wrong with it, without repeating the value.
    pub why: &'static str,
}

macro_rules! ident {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// The value as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl std::str::FromStr for $name {
            type Err = Malformed;
            fn from_str(text: &str) -> Result<Self, Malformed> {
                Self::parse(text)
            }
        }
    };
}

ident! {
    /// A full commit id: 40 lowercase hex digits, 64 in a SHA-256 repository.
    CommitId
}

impl CommitId {
    /// Accepts exactly 40 or 64 lowercase hex digits.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let what = "commit id";
        match text.len() {
            40 | 64 if is_lower_hex(text) => Ok(Self(text.to_owned())),
            40 | 64 => Err(Malformed { what, why: "not lowercase hex" }),
            _ => Err(Malformed { what, why: "neither 40 nor 64 hex digits long" }),
        }
    }

    /// The first seven digits, as people say it.
    pub fn short(&self) -> &str {
        &self.0[..7]
    }
}

ident! {
    /// A commit as a file names it: 7 to 64 lowercase hex digits, full or abbreviated.
    Revision
}

impl Revision {
    /// Accepts 7 to 64 hex digits, at least one of them a letter unless it is a full id (an eight-digit "hash"
    /// is a date). Upper-case digits are read as the lower-case ones git would print.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let what = "commit";
        let lower = text.to_ascii_lowercase();
        if !(7..=64).contains(&lower.len()) || !is_lower_hex(&lower) {
            return Err(Malformed { what, why: "not 7 to 64 hex digits" });
        }
        if lower.len() != 40 && lower.len() != 64 && lower.bytes().all(|b| b.is_ascii_digit()) {
            return Err(Malformed { what, why: "digits only: a date or a number, not a hash" });
        }
        Ok(Self(lower))
    }

    /// Like [`Revision::parse`], for a field that says it holds a commit: about one abbreviation in 25 is made of
    /// digits only, so 7 to 12 digits are taken too, unless they read as a date (`20260819`, with or without a
    /// time of day behind it).
    pub fn parse_labelled(text: &str) -> Result<Self, Malformed> {
        let digits = (7..=12).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        match digits {
            true if reads_as_date(text) => Err(Malformed { what: "commit", why: "a date, not a hash" }),
            true => Ok(Self(text.to_owned())),
            false => Self::parse(text),
        }
    }

    /// Whether a text of hex digits is a word of English as well: no commit is told from it.
    pub fn reads_as_word(text: &str) -> bool {
        ["acceded", "defaced", "effaced"].contains(&text)
    }

    /// The full id, when this is one.
    pub fn full(&self) -> Option<CommitId> {
        CommitId::parse(&self.0).ok()
    }
}

impl From<CommitId> for Revision {
    fn from(id: CommitId) -> Self {
        Self(id.0)
    }
}

ident! {
    /// A SHA-256 digest as 64 lowercase hex digits.
    Digest
}

impl Digest {
    /// Accepts exactly 64 lowercase hex digits.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        if text.len() == 64 && is_lower_hex(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Malformed { what: "SHA-256 digest", why: "not 64 lowercase hex digits" })
        }
    }

    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        use sha2::Digest as _;
        Self::from_bytes(&sha2::Sha256::digest(bytes).into())
    }

    /// From the 32 bytes a hasher ended with.
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        let mut text = String::with_capacity(64);
        for byte in bytes {
            text.push(char::from_digit(u32::from(byte >> 4), 16).expect("a nibble is a hex digit"));
            text.push(char::from_digit(u32::from(byte & 15), 16).expect("a nibble is a hex digit"));
        }
        Self(text)
    }
}

ident! {
    /// A session id of the generic grammar: 1 to 256 of `A–Z a–z 0–9 _ -`, the first one alphanumeric.
    ///
    /// Each harness asks for a narrower shape of its own on top (see the `harness` room).
    SessionId
}

impl SessionId {
    /// Accepts the generic grammar and nothing else.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        segment(text, "session id", |b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')?;
        Ok(Self(text.to_owned()))
    }
}

ident! {
    /// A lane's name: one safe path segment.
    LaneId
}

impl LaneId {
    /// Accepts 1 to 256 of `A–Z a–z 0–9 . _ -`, the first one alphanumeric.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        segment(text, "lane id", |b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))?;
        Ok(Self(text.to_owned()))
    }
}

ident! {
    /// A memtomem record id: a canonical lowercase UUID.
    RecordId
}

impl RecordId {
    /// Accepts exactly `8-4-4-4-12` lowercase hex digits.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        if is_canonical_uuid(text) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Malformed { what: "record id", why: "not a canonical lowercase UUID" })
        }
    }
}

ident! {
    /// A path relative to a project root that cannot leave it by its text alone: no empty, `.` or `..` segment
    /// (`.` alone is the root), not absolute, no backslash, no drive, no control or invisible character.
    ///
    /// Symbolic links are the `disk` room's business: it opens such a path beneath its root.
    RelPath
}

impl RelPath {
    /// Accepts a relative path in the form described at the type.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let what = "project-relative path";
        let refuse = |why| Err(Malformed { what, why });
        if text.is_empty() {
            return refuse("empty");
        }
        if text == "." {
            return Ok(Self(text.to_owned()));
        }
        if text.len() > 4096 {
            return refuse("longer than 4,096 bytes");
        }
        if text.starts_with('/') || text.starts_with('~') {
            return refuse("absolute");
        }
        if text.contains('\\') || text.as_bytes().get(1) == Some(&b':') {
            return refuse("has a backslash or a drive");
        }
        if text.chars().any(|c| is_unseen(c) || c == '\n' || c == '\t') {
            return refuse("has control or invisible characters");
        }
        for part in text.strip_suffix('/').unwrap_or(text).split('/') {
            match part {
                "" => return refuse("has an empty segment"),
                "." => return refuse("has a `.` segment"),
                ".." => return refuse("leaves the project by `..`"),
                _ => {}
            }
        }
        Ok(Self(text.strip_suffix('/').unwrap_or(text).to_owned()))
    }

    /// Whether this is the root itself.
    pub fn is_root(&self) -> bool {
        self.0 == "."
    }

    /// As a path to join to a root.
    pub fn as_path(&self) -> &std::path::Path {
        std::path::Path::new(&self.0)
    }
}

ident! {
    /// A branch's short name, by git's own rules for reference names and without invisible characters.
    BranchName
}

impl BranchName {
    /// Accepts what `git check-ref-format --branch` would, less names that a person cannot see rightly.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let refuse = |why| Err(Malformed { what: "branch name", why });
        if text.is_empty() || text == "@" || text.len() > 1024 {
            return refuse("empty, `@` or too long");
        }
        if text.chars().any(|c| is_unseen(c) || c.is_whitespace() || "~^:?*[\\".contains(c)) {
            return refuse("has blanks, invisible characters or one of ~^:?*[\\");
        }
        if text.starts_with('-') || text.contains("..") || text.contains("@{") || text.ends_with('.') {
            return refuse("starts with `-`, ends with `.`, or has `..` or `@{`");
        }
        if text.split('/').any(|part| part.is_empty() || part.starts_with('.') || part.ends_with(".lock")) {
            return refuse("has an empty, dotted or `.lock` component");
        }
        Ok(Self(text.to_owned()))
    }
}

/// Whether this is `8-4-4-4-12` lowercase hex digits.
pub fn is_canonical_uuid(text: &str) -> bool {
    let lengths = [8, 4, 4, 4, 12];
    let mut parts = text.split('-');
    lengths.iter().all(|&n| parts.next().is_some_and(|p| p.len() == n && is_lower_hex(p)))
        && parts.next().is_none()
}

/// Whether the text is made of `0–9 a–f` only.
pub fn is_lower_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether digits are `YYYYMMDD` of the last or this century, alone or before `HHMM`.
fn reads_as_date(digits: &str) -> bool {
    let Some((day, time)) = digits.split_at_checked(8) else { return false };
    let is_day = (day.starts_with("19") || day.starts_with("20"))
        && chrono::NaiveDate::parse_from_str(day, "%Y%m%d").is_ok();
    is_day && (time.is_empty() || chrono::NaiveTime::parse_from_str(time, "%H%M").is_ok())
}

/// The grammar that session and lane ids share.
fn segment(text: &str, what: &'static str, allowed: impl Fn(u8) -> bool) -> Result<(), Malformed> {
    let refuse = |why| Err(Malformed { what, why });
    match text.as_bytes() {
        [] => refuse("empty"),
        bytes if bytes.len() > 256 => refuse("longer than 256 characters"),
        [first, ..] if !first.is_ascii_alphanumeric() => refuse("does not start with a letter or digit"),
        bytes if !bytes.iter().all(|&b| allowed(b)) => refuse("has a character outside the grammar"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_look_like_options_or_commands_are_refused() {
        for bad in [
            "",
            "-e",
            "--",
            "--dangerously-skip-permissions",
            "a;b",
            "a b",
            "a\n",
            "é",
            "a/b",
            &"x".repeat(257),
        ] {
            assert!(SessionId::parse(bad).is_err(), "{bad:?} must not be a session id");
        }
        assert!(
            SessionId::parse("20260730_114502").is_ok(),
            "a positive control: digits and `_` are a session id"
        );
    }

    #[test]
    fn paths_cannot_leave_by_their_text() {
        for bad in ["", "..", "a/../b", "/etc", "a//b", "./a", "a\\b", "c:x", "~/x", "a\u{202e}b"] {
            assert!(RelPath::parse(bad).is_err(), "{bad:?} must not be a contained path");
        }
        assert_eq!(
            RelPath::parse("a/b/").map(|p| p.to_string()),
            Ok("a/b".into()),
            "a trailing slash is only spelling"
        );
        assert!(RelPath::parse(".").is_ok_and(|p| p.is_root()), "the root itself may be named");
    }

    #[test]
    fn a_date_is_not_a_commit() {
        assert!(Revision::parse("20260819").is_err(), "eight digits are a date");
        assert!(Revision::parse("7aa25d27").is_ok(), "eight hex digits with a letter are a commit");
        assert!(
            CommitId::parse("71904e2385061947720513864209573186420957").is_ok(),
            "forty hex digits are a commit"
        );
    }

    #[test]
    fn digits_are_a_commit_only_where_a_field_says_so() {
        assert!(Revision::parse("3661076").is_err(), "in prose, digits are a number");
        for good in ["3661076", "36610761", "20261399", "366107612345", "7aa25d2"] {
            assert!(Revision::parse_labelled(good).is_ok(), "{good:?} under its label is a commit");
        }
        for bad in ["20260819", "19991231", "202608191530", "366107", "3661076123456", "", "main"] {
            assert!(Revision::parse_labelled(bad).is_err(), "{bad:?} is no commit under any label");
        }
    }

    #[test]
    fn branch_names_follow_git() {
        for bad in ["", "-x", "a b", "a..b", "a.lock", "/a", "a/", "a~1", "@", "a@{1}", ".a"] {
            assert!(BranchName::parse(bad).is_err(), "{bad:?} must not be a branch");
        }
        for good in ["main", "no", "feat/ü", "integration/kiln-index", "a.b"] {
            assert!(BranchName::parse(good).is_ok(), "{good:?} is a branch");
        }
    }
}
