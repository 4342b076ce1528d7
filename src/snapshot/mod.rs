//! Preservation snapshots: chosen files of a project, the file with which a session goes on, and if asked the
//! history of the branch, kept in a store outside of the project.
//!
//! A capture reads the project and changes nothing in it: it never stashes, resets, cleans or commits, and runs no
//! program. It refuses secrets. Giving a snapshot back is inert: it is printed or copied out, every digest is
//! verified, nothing is run, and no permission comes back.
//!
//! | file | what it does |
//! |---|---|
//! | `places` | project, store and state directory: literal, and apart from each other |
//! | `sources` | what would be kept, and what is left out and why |
//! | [`capture`](mod@capture) | the plan, and with a yes the snapshot |
//! | `writer` | the way into a store |
//! | [`manifest`](mod@manifest) | what one snapshot holds; reading one believes nothing |
//! | [`store`](mod@store) | all snapshots of a store; verifying them |
//! | [`load`](mod@load) | the text to go on with; copying out |
//! | `limits` | how much one snapshot holds at most |
//!
//! # The store
//!
//! ```text
//! <backup-root>/
//!   objects/<2 hex>/<62 hex>   the bytes of one file, or one git bundle; the name is their SHA-256
//!   snapshots/<64 hex>.json    one manifest for each snapshot; the name is the SHA-256 of its bytes, and its id
//!   incoming/<pid>-<n>         files that are being written; what a killed capture left, the next one removes
//! ```
//!
//! Files have mode 0600 and directories 0700. Nothing in `objects` and `snapshots` is ever replaced or removed by
//! this program. Same bytes are kept once, however many snapshots have them. Objects reach the disk and are read
//! back before the manifest that names them gets its name, so that a snapshot is there whole or not at all, and no
//! failure touches an older one. Since every name says what the bytes must be, one changed byte anywhere is found.
//! A name proves that nothing was changed by accident; it does not prove who wrote it.
//!
//! # The manifest
//!
//! One JSON object, every key present, no other key known:
//!
//! ```text
//! schema_version   1
//! identity         the name that a person gave this line of snapshots
//! scope            "project"
//! created_at       RFC 3339, UTC
//! project_root     where the project lay: for people, nothing is ever written there because of it
//! sources          ["docs", …] as asked for, relative to the project; "." is all of it
//! files            [{path, mode, size, sha256}] sorted by path; mode is four octal digits, told and never restored
//! omissions        [{path, reason}] what lies in the sources and is not kept
//! context          {path, ignored, saved_at, saved_at_source, age_seconds} or null: the file with which a session
//!                  goes on, one of `files` even where git ignores it, and how old it was
//! history          {status: "not_requested"} or {status: "captured", ref, head, commits, objects, size, sha256}: a
//!                  git bundle of exactly that reference; `git clone -b <branch> history.bundle` takes it
//! ```
//!
//! Left out with a reason: what git ignores by the repository's own rules, `.git`, other worktrees and
//! repositories, symbolic links, FIFOs, sockets and devices, what cannot be read or is larger than 64 MiB, and names
//! that cannot be written down safely. Empty directories are not kept. A directory that is left out is one omission.

pub mod capture;
mod limits;
pub mod load;
pub mod manifest;
mod places;
mod sources;
pub mod store;
mod writer;

use std::path::PathBuf;

pub use capture::{Captured, Plan, Request};
pub use manifest::{History, Identity, Manifest};
pub use store::{Certainty, Snapshot, Store, Verified};

use crate::disk::DiskError;
use crate::handoff::{Inert, secrets};
use crate::repo::{RepoError, SecretInHistory};
use store::Problem;

/// What nobody should take a snapshot for. Said with every capture.
pub const CAUTIONS: [&str; 2] = [
    "A local snapshot is no protection against losing the machine that it lies on.",
    "Reachable history misses transient commits: what was reset, dropped or rewritten away is not in it.",
];

/// A secret where it stands, without its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// The file, or the place in the history.
    pub place: Inert,
    /// Line and kind.
    pub finding: secrets::Finding,
}

impl Secret {
    fn of_history(found: &SecretInHistory) -> Self {
        let object = &found.object[..found.object.len().min(10)];
        let place = match &found.path {
            Some(path) => format!("history: {} (object {object})", path.raw()),
            None => format!("history: the message of commit {object}"),
        };
        Self { place: place.into(), finding: found.finding }
    }
}

/// Why nothing was captured, found or copied out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A place, a name or what lies there cannot be used.
    #[error("{0}")]
    Input(String),
    /// What would be kept holds secrets.
    #[error("secrets are never kept; take them out, or name sources without them:{}", listed(.0.iter().map(secret_line)))]
    Secrets(Vec<Secret>),
    /// The repository cannot be read as it must be.
    #[error(transparent)]
    Repo(#[from] RepoError),
    /// Somebody else is capturing into this store right now.
    #[error("another capture into {} goes on right now: try again when it is over", .0.display())]
    Busy(PathBuf),
    /// There is no such snapshot.
    #[error("{0}")]
    NotFound(String),
    /// The store does not hold what it says.
    #[error("the store is damaged; move the file away and capture again to have it anew:{}", listed(.0.iter().map(problem_line)))]
    Damaged(Vec<Problem>),
    /// The system refused.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// How many lines of one refusal are said.
const MOST_LINES: usize = 20;

fn listed(lines: impl ExactSizeIterator<Item = String>) -> String {
    let more = lines.len().saturating_sub(MOST_LINES);
    let mut text: String = lines.take(MOST_LINES).map(|line| format!("\n  {line}")).collect();
    if more > 0 {
        text.push_str(&format!("\n  and {more} more"));
    }
    text
}

fn secret_line(secret: &Secret) -> String {
    format!("{}, line {}: {}", secret.place.shown_line(), secret.finding.line, secret.finding.kind)
}

fn problem_line(problem: &Problem) -> String {
    format!("{}: {}", problem.path, problem.what.shown_line())
}
