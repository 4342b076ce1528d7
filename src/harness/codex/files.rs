//! Which files a codex store has. Told by their names alone: `rollout-<time>-<id>.jsonl`, in a directory for each
//! day, or beside each other once they are put away.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::handoff::{HarnessName, SessionId, has_own_shape};

/// How many directories deep the days lie.
const DEEPEST: usize = 3;

/// One session's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct File {
    pub path: PathBuf,
    pub id: SessionId,
    /// It lies among those put away.
    pub archived: bool,
    /// It has to be unpacked to be read.
    pub compressed: bool,
}

/// Every session's file of a store.
pub(super) struct Files {
    /// Sorted by path.
    pub all: Vec<File>,
    /// The directories that were there to be listed.
    pub found: Vec<PathBuf>,
    root: PathBuf,
}

impl Files {
    /// Lists the names; opens no file.
    ///
    /// # Errors
    /// A directory that cannot be listed: it may hold what is looked for.
    pub(super) fn list(root: &Path) -> Result<Self, String> {
        let mut files = Self { all: Vec::new(), found: Vec::new(), root: root.to_owned() };
        for (name, archived) in [("sessions", false), ("archived_sessions", true)] {
            let dir = root.join(name);
            if collect(&dir, archived, DEEPEST, &mut files.all)? {
                files.found.push(dir);
            }
        }
        files.all.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }

    /// The files of one id.
    pub(super) fn of(&self, id: &SessionId) -> Vec<&File> {
        self.all.iter().filter(|file| file.id == *id).collect()
    }

    /// Where was looked, for people.
    pub(super) fn places(&self) -> String {
        format!("{} and archived_sessions", self.root.join("sessions").display())
    }
}

/// Adds the files of a directory and of those beneath it; `false` where it is not there.
fn collect(dir: &Path, archived: bool, deeper: usize, into: &mut Vec<File>) -> Result<bool, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", dir.display());
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound && !dir.is_symlink() => return Ok(false),
        Err(error) => return Err(failed(error)),
    };
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        match entry.file_name().to_str().and_then(named) {
            Some((id, compressed)) => into.push(File { path, id, archived, compressed }),
            // A link is asked where it leads.
            None if deeper > 0 && path.is_dir() => {
                collect(&path, archived, deeper - 1, into)?;
            }
            None => {}
        }
    }
    Ok(true)
}

/// The id in a file's name, and whether it is compressed.
fn named(name: &str) -> Option<(SessionId, bool)> {
    let rest = name.strip_prefix("rollout-")?;
    let (stem, compressed) = match rest.strip_suffix(".jsonl.zst") {
        Some(stem) => (stem, true),
        None => (rest.strip_suffix(".jsonl")?, false),
    };
    let (time, id) = stem.split_at_checked(stem.len().checked_sub(36)?)?;
    let time = time.strip_suffix('-')?;
    let plain =
        !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'T'));
    let id = SessionId::parse(id).ok().filter(|id| plain && has_own_shape(HarnessName::Codex, id))?;
    Some((id, compressed))
}
