//! Where a trashed file came from: its `.trashinfo` beside it.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use super::Scope;
use crate::disk::Beneath;
use crate::handoff::Habit;

/// Bytes read of a `.trashinfo`.
const CAP: u64 = 16 << 10;

/// The path that a trashed file had, as its `.trashinfo` says; `None` where there is none to be read.
pub(super) fn origin(trash: &Beneath, relative: &Path) -> Option<PathBuf> {
    let mut info = relative.as_os_str().to_owned();
    info.push(".trashinfo");
    let content = trash.read_found(Path::new(&info), CAP).ok()?;
    path_line(&content.bytes)
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

/// `Path=` with its percent escapes undone.
fn path_line(bytes: &[u8]) -> Option<PathBuf> {
    let line = bytes.split(|&b| b == b'\n').find_map(|line| line.strip_prefix(b"Path="))?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut out = Vec::with_capacity(line.len());
    let mut rest = line;
    while let [first, tail @ ..] = rest {
        let escaped = match tail {
            [high, low, ..] if *first == b'%' => hex(*high).zip(hex(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        out.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    (!out.is_empty()).then(|| PathBuf::from(OsString::from_vec(out)))
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_origin_is_read_with_its_escapes() {
        let info =
            b"[Trash Info]\nPath=/p/plans/260901-a%20b/HANDOFF.md\r\nDeletionDate=2026-09-02T10:00:00\n";
        let path = path_line(info).unwrap();
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
        assert_eq!(path_line(b"nothing"), None, "no line, no origin");
    }
}
