//! The coding agents' clients: session stores, liveness, ids, executables. One file each, one trait.
//!
//! Everything is read in place by exact id, and never written. What a store does not say is unknown.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::handoff::{HarnessName, Inert, SessionId};

/// What a harness finds its stores and programs by; a value, so that tests and the demo can give their own.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// The environment variables.
    pub vars: BTreeMap<OsString, OsString>,
    /// The home directory.
    pub home: Option<PathBuf>,
    /// Where the process table is mounted (`/proc`).
    pub proc: PathBuf,
}

/// A question that a store answers with yes (and what), no, or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<T> {
    /// The store says so.
    Found(T),
    /// The store was read and has none; says where it was looked for.
    Absent(String),
    /// It could not be told, with the reason and what would settle it.
    Unknown(String),
}

/// One session as its store has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Session {
    /// The store's file or database.
    pub store: PathBuf,
    /// The ids that stand inside its rows; more than one means that rows of another session are mixed in.
    pub ids_inside: Vec<String>,
    /// The working directory of the last main-chain row.
    pub cwd: Option<PathBuf>,
    /// The model that answered last in the main chain.
    pub model: Option<Inert>,
    /// The model that was last asked for, where the store keeps it.
    pub requested_model: Option<Inert>,
    /// Finished assistant turns of the main chain.
    pub turns: usize,
    /// When the last row was written, as the store says (RFC 3339).
    pub last_at: Option<String>,
    /// The client's version in the last row that has one.
    pub client_version: Option<String>,
    /// Whether the harness has put it away.
    pub archived: bool,
    /// Size of the store's file in bytes.
    pub bytes: u64,
    /// Rows that could not be read.
    pub damaged_rows: usize,
}

/// A process that owns a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// Its process id.
    pub pid: u32,
    /// Since when, RFC 3339, where it can be told.
    pub since: Option<String>,
    /// What it says it is doing.
    pub status: Option<String>,
}

/// Whether a session has a live owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Liveness {
    /// Proved: nobody owns it, with the proof.
    NotRunning(String),
    /// Proved: this process owns it.
    Running(Owner),
    /// Cannot be told, with what would settle it.
    Unknown(String),
}

/// A program that may be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its absolute path, links resolved.
    pub path: PathBuf,
    /// The absolute `PATH` entry that it was found in.
    pub found_in: PathBuf,
    /// PATH entries that were not used, and why.
    pub ignored: Vec<(PathBuf, &'static str)>,
}

/// The installed version and where it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// `2.1.332`.
    pub text: String,
    /// The package file that says so.
    pub source: String,
}

/// The fixed way in which a harness resumes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumeForm {
    /// The fixed argument array before the id; the first is the harness name.
    pub before_id: &'static [&'static str],
    /// Whether the prompt goes to stdin as bytes (else the client gets the real terminal).
    pub prompt_on_stdin: bool,
    /// The oldest version that was seen to behave so.
    pub oldest: &'static str,
    /// Who answers on resume: the session's own model, or the harness's configured default.
    pub keeps_model: bool,
}

/// One harness.
pub trait Harness: Send + Sync {
    /// Which one.
    fn name(&self) -> HarnessName;
    /// Whether an id has this harness's own shape.
    fn owns_shape(&self, id: &SessionId) -> bool;
    /// That shape in words.
    fn shape(&self) -> &'static str;
    /// The session of exactly this id.
    fn session(&self, around: &Surroundings, id: &SessionId) -> Answer<Session>;
    /// Whether a process owns that session.
    fn liveness(&self, around: &Surroundings, id: &SessionId) -> Liveness;
    /// The model that answers on resume where the harness falls back to its configured default.
    fn fallback_model(&self, around: &Surroundings, project: &Path) -> Answer<Inert>;
    /// The installed version, from package files beside the program.
    fn version(&self, program: &Program) -> Answer<Version>;
    /// The fixed form, or why there is none.
    fn form(&self) -> Result<ResumeForm, &'static str>;
    /// Sessions of this store whose recorded cwd is `cwd` and that were created after `since` (seconds since
    /// 1970), by id: how a silently started new session is noticed.
    fn created_since(&self, around: &Surroundings, cwd: &Path, since: i64) -> Answer<Vec<SessionId>>;
}

/// The harness of a name.
pub fn of(name: HarnessName) -> &'static dyn Harness {
    let _ = name;
    todo!()
}

/// Resolves a program in absolute `PATH` entries only: a regular executable file, not group- or world-writable,
/// outside every directory of `not_inside`.
pub fn program(around: &Surroundings, name: &str, not_inside: &[PathBuf]) -> Answer<Program> {
    let _ = (around, name, not_inside);
    todo!()
}
