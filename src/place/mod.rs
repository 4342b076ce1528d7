//! Where handoffs lie: the table of conventions, the scan, names.
//!
//! The scan streams: rows are given out in batches as they are read, so that a screen can show the first ones
//! before the last directory was opened. `found == listed + skipped` always holds: every candidate record is a row
//! or a [`Skipped`] with its reason. What a row stands for besides itself ([`Listed::twins`]: byte-equal copies at the
//! same path of other worktrees, another name of the same file, the other half of a pair) is no candidate of its own and counts
//! on neither side. A day file counts once per handoff in it, one without any not at all.

mod active;
mod chain;
mod folders;
mod names;
mod order;
mod resolve;
mod row;
mod settle;
mod table;
#[cfg(test)]
mod tests;
mod trash;
mod walk;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use serde::Serialize;

pub use active::{ActivePlan, active_plan};
pub use folders::Folders;
pub use order::order;
pub use table::check_notation;
pub use trash::{Origin, TRASH, escape, unescape};

use crate::disk::{self, FileId};
use crate::handoff::{Depth, Digest, Handoff, Inert, SavedAt};

/// Hex digits of a row's short id.
const ID_LENGTH: usize = 10;

/// How far a handoff reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Inside `plans/<dir>/`.
    Plan,
    /// Anywhere else inside the project.
    Project,
    /// In one of the home directory's places.
    Global,
}

/// Whether a handoff is in use or put away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// In its place.
    Live,
    /// In an `archive/` directory.
    Archived,
    /// In a trash directory.
    Trashed,
}

/// One handoff with its place: a row of the list.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Short stable name: the first 10 hex digits of SHA-256 over scope, root-relative path and record id,
    /// lengthened on collision.
    pub id: String,
    /// What the file says.
    pub handoff: Handoff,
    /// Absolute path as found.
    pub path: PathBuf,
    /// The same relative to the root it was found under.
    pub relative: PathBuf,
    /// The root (project, worktree or home place) it was found under.
    pub root: PathBuf,
    /// How far it reaches.
    pub scope: Scope,
    /// In use or put away.
    pub state: State,
    /// The file's size in bytes.
    pub bytes: u64,
    /// Which file it is.
    pub file: FileId,
    /// The file's modification time, as seconds since 1970.
    pub modified: i64,
    /// The saved time and its source: from the file, else (filled in later) a commit, else the mtime.
    pub saved_at: SavedAt,
    /// Modified more than 3 minutes after the saved time.
    pub edited_after: bool,
    /// Byte-equal copies and the other half of a pair, which this row stands for.
    pub twins: Vec<PathBuf>,
    /// Where an archived or trashed one came from, where that is known; `None` for a live one.
    pub origin: Option<PathBuf>,
    /// Of which handoff it is a further part, where that one is there too: only [`settle`] knows.
    pub part: Option<Part>,
    /// The bytes that `handoff` says everything of: the same bytes need not be read again. `None` where the file is
    /// larger than what was read of it, or no more was read than a list needs.
    pub read_from: Option<Digest>,
}

impl Listed {
    /// Whether it is the middle or the end of a handoff and not one by itself: a head that is there goes on in it, or a
    /// save has written it as a part. It is never the newest handoff, an older one of another, or one to carry over.
    pub fn is_part(&self) -> bool {
        let title = self.handoff.title.as_ref();
        self.part.is_some() || title.is_some_and(|title| chain::is_titled_part(title.raw()))
    }
}

/// Which part of a handoff in several files a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The path of the first file.
    pub head: PathBuf,
    /// 2 for the one that the first names as its continuation.
    pub number: u32,
}

/// A candidate that is not listed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its path.
    pub path: PathBuf,
    /// Why it is not in the list.
    pub reason: Inert,
}

/// One candidate's fate.
#[derive(Debug, Clone)]
pub enum Found {
    /// A row.
    Row(Arc<Listed>),
    /// Not listed, with the reason.
    Skipped(Skipped),
}

impl Found {
    /// The row, where it is one.
    fn into_row(self) -> Option<Arc<Listed>> {
        match self {
            Self::Row(row) => Some(row),
            Self::Skipped(_) => None,
        }
    }
}

/// Where to look.
#[derive(Debug, Clone, Default)]
pub struct Roots {
    /// The project directory; it need not be a repository.
    pub project: PathBuf,
    /// Registered worktrees, wherever they lie; naming the project itself again does no harm.
    pub worktrees: Vec<PathBuf>,
    /// Places that ought to be looked into and cannot be, with the reasons: the scan gives them out as skipped.
    pub unreached: Vec<Skipped>,
    /// The home directory, when there is one.
    pub home: Option<PathBuf>,
    /// Places added by the settings, in the table's own notation.
    pub extra_places: Vec<String>,
    /// The settings' bound on the bytes read of one file; `None` keeps the built-in ones (256 KiB of YAML, 1 MiB of
    /// JSON, 8 MiB of text). It can only widen the one for text.
    pub read_limit: Option<u64>,
    /// How much of each file is taken in.
    pub depth: Depth,
}

/// Scans all places in parallel. `emit` gets batches as they are read, from several threads and in no order, and
/// returns `false` to stop; `cancel` stops as well. What a row stands for is only known at the end, so the caller
/// takes rows as provisional until [`scan`] returns, and then [`settle`]s them; ids stay the same.
pub fn scan(roots: &Roots, cancel: &AtomicBool, emit: &(dyn Fn(Vec<Found>) -> bool + Sync)) {
    walk::scan(roots, cancel, emit);
}

/// Folds byte-equal copies, other names of one file and pairs, says which record ids lie in several places, makes
/// shared ids longer, and sorts newest first.
pub fn settle(found: Vec<Found>) -> (Vec<Arc<Listed>>, Vec<Skipped>) {
    settle::settle(found, None)
}

/// The same for somebody who stands in `project`: of equal copies in several worktrees, the one there stands for the
/// others, because what is true of it there is what they ask about.
pub fn settle_at(project: &Path, found: Vec<Found>) -> (Vec<Arc<Listed>>, Vec<Skipped>) {
    settle::settle(found, Some(project))
}

/// Reads one explicit path, also outside the known places: a day file gives several rows.
///
/// # Errors
/// The reason why it cannot be read, for people.
pub fn read_path(path: &Path, roots: &Roots) -> Result<Vec<Listed>, disk::DiskError> {
    row::read_path(path, roots)
}

/// The rows that a file would give, if these bytes lay at this path and had been written `now`.
pub fn read_bytes(path: &Path, bytes: &[u8], now: SystemTime, roots: &Roots) -> Vec<Listed> {
    row::read_bytes(path, bytes, now, roots)
}

/// How a path fits the conventions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fit {
    /// The project, worktree or home place beneath which it fits.
    pub root: PathBuf,
    /// What a handoff there is.
    pub state: State,
    /// The root is one of those that a scan looks into: a handoff there is listed.
    pub is_known: bool,
}

/// Whether a handoff at this absolute path would be found: beneath one of the roots, else beneath any folder above
/// it. `None` where no convention fits. Looks at no file.
pub fn fit(path: &Path, roots: &Roots) -> Option<Fit> {
    row::fit(path, roots)
}

/// Who names something: names are read from where that person stands, in the project of these roots.
#[derive(Debug, Clone)]
pub struct Asker<'a> {
    from: &'a Path,
    roots: &'a Roots,
    /// The project's path without links.
    real: Option<PathBuf>,
}

/// How near a row is to whoever names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Near {
    /// Of the project itself or the home directory.
    Own,
    /// Of another worktree of the project's repository.
    Worktree,
    /// Put away from another project.
    Foreign,
}

/// How a name reaches a row, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The path of its file, or where it was before it was put away: from where the person stands, or below the project.
    Path,
    /// Its id, its record's id, or a record as lists show it (`day id`, `path#id`).
    Id,
    /// A whole name: its path below its root, `date-slug` or the slug alone of a dated file, its plan directory.
    Name,
    /// The name or the stem of a file, whatever folder it lies in: `HANDOFF` for any `HANDOFF.md`.
    File,
    /// At least four characters that begin its id or its record's.
    IdPrefix,
    /// `worktree: name` or `worktree/name` with any of the above; a worktree is the last part of its path, that path
    /// below the project, or before a colon also the end of its name (`tokens` for `ferry-tokens`).
    InWorktree,
    /// The same with a [`Reach::Part`].
    PartInWorktree,
    /// A part of its plan directory in any case, or its folder.
    Part,
    /// The name of its worktree alone.
    Worktree,
    /// A part of its file's stem: no name, but what somebody may have meant.
    PartOfStem,
}

/// The rows that a name reaches in this way. Parts of a chain whose head is among them are left out.
pub fn named(name: &str, reach: Reach, asker: &Asker<'_>, rows: &[Arc<Listed>]) -> Vec<Arc<Listed>> {
    resolve::named(name, reach, asker, rows)
}

/// Says of which rows others are further parts, and gives those without a date of their own the clock of their head:
/// after clocks were filled in it has to be said again.
pub fn adopt_parts(rows: &mut [Arc<Listed>]) {
    chain::adopt(rows);
}

/// What of a worktree's name tells it from its project's: the words behind those that both begin with (`tokens` for
/// `ferry-tokens` in `ferry` and in `ferry-parser`). [`named`] takes it for the whole name.
pub fn apart<'a>(worktree: &'a str, project: &str) -> &'a str {
    resolve::apart(worktree, project)
}

/// The table of conventions with the settings' own places, to ask about a path without looking at any file.
#[derive(Debug)]
pub struct Conventions(table::Table);

impl Conventions {
    /// The built-in conventions and these places more, in the table's notation; those that do not parse are left
    /// out (see [`check_notation`]).
    pub fn with(extra: &[String]) -> Self {
        Self(table::Table::with(extra).0)
    }

    /// Whether a file at this path, relative to a project's root, is a handoff.
    pub fn fit(&self, relative: &Path) -> bool {
        self.0.of_path(None, relative).is_some()
    }
}
