//! Where a trashed file came from: its `.trashinfo` beside it, as freedesktop's trash has one, with a digest more.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use chrono::NaiveDateTime;

use super::Scope;
use crate::disk::Beneath;
use crate::handoff::{Digest, Habit};

/// Where put-away handoffs lie, below the home directory.
pub const TRASH: &str = ".claude/.handoff-trash";

/// The ending of the record beside a trashed file.
const ENDING: &str = ".trashinfo";
/// Bytes read of a record.
pub(super) const CAP: u64 = 16 << 10;
/// How a record writes its date: local time, no zone.
const DATE: &str = "%Y-%m-%dT%H:%M:%S";

/// The record beside a trashed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The path that it had.
    pub path: PathBuf,
    /// When it was put away, local time; `None` where the record does not say.
    pub deleted: Option<NaiveDateTime>,
    /// The SHA-256 of its bytes; `None` where the record does not say.
    pub digest: Option<Digest>,
}

impl Origin {
    /// The record's path, beside the file.
    pub fn beside(file: &Path) -> PathBuf {
        let mut name = file.as_os_str().to_owned();
        name.push(ENDING);
        PathBuf::from(name)
    }

    /// Whether this is a record's name.
    pub fn is_record(name: &std::ffi::OsStr) -> bool {
        name.as_bytes().ends_with(ENDING.as_bytes())
    }

    /// Reads a record; `None` where it names no path.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let value = |key: &[u8]| {
            let line = bytes.split(|&b| b == b'\n').find_map(|line| line.strip_prefix(key))?;
            Some(line.strip_suffix(b"\r").unwrap_or(line))
        };
        let text = |key: &[u8]| value(key).and_then(|value| std::str::from_utf8(value).ok());
        let path = value(b"Path=").filter(|path| !path.is_empty())?;
        Some(Self {
            path: unescape(path),
            deleted: text(b"DeletionDate=").and_then(|at| NaiveDateTime::parse_from_str(at, DATE).ok()),
            digest: text(b"sha256=").and_then(|digest| Digest::parse(digest).ok()),
        })
    }

    /// The record's text.
    pub fn to_text(&self) -> String {
        let mut text = format!("[Trash Info]\nPath={}\n", escape(&self.path));
        if let Some(at) = self.deleted {
            text.push_str(&format!("DeletionDate={}\n", at.format(DATE)));
        }
        if let Some(digest) = &self.digest {
            text.push_str(&format!("sha256={digest}\n"));
        }
        text
    }
}

/// Any path as plain ASCII: what is no letter, digit or one of `/-_.~` becomes `%` and two hex digits.
pub fn escape(path: &Path) -> String {
    let mut out = String::new();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Undoes [`escape`]; a `%` without two hex digits stands for itself.
pub fn unescape(text: &[u8]) -> PathBuf {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, tail @ ..] = rest {
        let escaped = match tail {
            [high, low, ..] if *first == b'%' => hex(*high).zip(hex(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        out.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    PathBuf::from(OsString::from_vec(out))
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// The path that a trashed file had; `None` where there is no record to be read.
pub(super) fn origin(trash: &Beneath, relative: &Path) -> Option<PathBuf> {
    let content = trash.read_found(&Origin::beside(relative), CAP).ok()?;
    Origin::parse(&content.bytes).map(|origin| origin.path)
}

/// How far a file at this path reached, and how it is read. `trash` is the trash folder, which lies in the home
/// directory's `.claude/`, beside the global handoffs.
pub(super) fn reach(origin: &Path, trash: &Path) -> (Scope, Habit) {
    let parts: Vec<_> = origin.iter().rev().map(|part| part.to_string_lossy()).collect();
    let part = |at: usize| parts.get(at).map(AsRef::as_ref);
    let is_global = trash.parent().is_some_and(|claude| origin.starts_with(claude.join("handoffs")));
    match (part(1), part(2)) {
        _ if is_global => (Scope::Global, Habit::Other),
        (Some(".thunderkit"), _) => (Scope::Project, Habit::Thunderkit),
        (Some(plan), Some("plans")) if plan != "reports" => (Scope::Plan, Habit::Other),
        _ => (Scope::Project, Habit::Other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_origin_is_read_with_its_escapes() {
        let info =
            b"[Trash Info]\nPath=/p/plans/260901-a%20b/HANDOFF.md\r\nDeletionDate=2026-09-02T10:00:00\n";
        let path = Origin::parse(info).unwrap().path;
        assert_eq!(path, Path::new("/p/plans/260901-a b/HANDOFF.md"), "%20 is a blank");
        let reached = |path: &str| reach(Path::new(path), Path::new("/home/me/.claude/.handoff-trash"));
        let origin = path.to_str().unwrap();
        assert_eq!(reached(origin), (Scope::Plan, Habit::Other), "a plan's handoff stays one in the trash");
        assert_eq!(reached("/p/.thunderkit/HANDOFF.md").1, Habit::Thunderkit, "and is read as what it was");
        assert_eq!(reached("/home/me/.claude/handoffs/a.md").0, Scope::Global, "a global one stays global");
        assert_eq!(
            reached("/p/.claude/handoffs/a.md").0,
            Scope::Project,
            "a project's one does not become global"
        );
        assert_eq!(Origin::parse(b"nothing"), None, "no line, no origin");
    }

    #[test]
    fn a_record_reads_back_as_it_was_written_whatever_the_name() {
        for name in [&b"/p/a b%20.md"[..], b"/p/\xff\xfe\n.md", "/p/e\u{301}é.md".as_bytes(), b"/p/. . ."] {
            let origin = Origin {
                path: PathBuf::from(OsString::from_vec(name.to_vec())),
                deleted: NaiveDateTime::parse_from_str("2026-10-05T09:30:00", DATE).ok(),
                digest: Some(Digest::of(name)),
            };
            assert_eq!(Origin::parse(origin.to_text().as_bytes()), Some(origin), "not a byte is lost");
        }
    }
}
