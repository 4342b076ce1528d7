//! `moorline snapshot`: four verbs of its own.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `moorline snapshot`
#[derive(Debug, Args)]
pub struct Snapshot {
    /// What to do.
    #[command(subcommand)]
    pub verb: SnapshotVerb,
}

/// The verbs of `moorline snapshot`. Every path is literal and absolute.
#[derive(Debug, Subcommand)]
pub enum SnapshotVerb {
    /// Keep files, and if asked the branch's history; without --approve say what would be kept.
    Capture(Capture),
    /// List what a store holds, newest first.
    List(Kept),
    /// Verify one snapshot and print the text to go on with, or copy all of it out.
    Load(LoadKept),
    /// Hash everything in a store again.
    Verify(VerifyKept),
}

/// `moorline snapshot capture`
#[derive(Debug, Args)]
pub struct Capture {
    /// The project's directory.
    #[arg(long, value_name = "DIR")]
    pub project_root: PathBuf,
    /// How far it reaches.
    #[arg(long, value_name = "NAME", value_parser = ["project"])]
    pub scope: String,
    /// The name of this line of snapshots: one line of text, yours to choose.
    #[arg(long, value_name = "TEXT")]
    pub identity: String,
    /// The store: an existing directory outside of the project.
    #[arg(long, value_name = "DIR")]
    pub backup_root: PathBuf,
    /// A file or directory of the project to keep; may be given several times.
    #[arg(long, value_name = "PATH")]
    pub source: Vec<PathBuf>,
    /// The file with which a session goes on; kept even where git ignores it.
    #[arg(long, value_name = "FILE")]
    pub context_entrypoint: Option<PathBuf>,
    /// Keep the history of --history-ref, too.
    #[arg(long, requires = "history_ref")]
    pub include_history: bool,
    /// The branch that is being worked on (`refs/heads/main`); no other is taken.
    #[arg(long, value_name = "REF", requires = "include_history")]
    pub history_ref: Option<String>,
    /// An existing directory of yours with mode 0700, apart from project and store; the lock lies there.
    #[arg(long, value_name = "DIR")]
    pub state_dir: PathBuf,
    /// Yes, keep exactly this, this once.
    #[arg(long)]
    pub approve: bool,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// `moorline snapshot list`
#[derive(Debug, Args)]
pub struct Kept {
    /// The store.
    #[arg(long, value_name = "DIR")]
    pub backup_root: PathBuf,
    /// Only this line of snapshots.
    #[arg(long, value_name = "TEXT")]
    pub identity: Option<String>,
    /// How far they reach.
    #[arg(long, value_name = "NAME", value_parser = ["project"])]
    pub scope: Option<String>,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// `moorline snapshot load`
#[derive(Debug, Args)]
pub struct LoadKept {
    /// The snapshot's id, or its first 8 digits at least.
    pub id: String,
    /// The store.
    #[arg(long, value_name = "DIR")]
    pub backup_root: PathBuf,
    /// The line of snapshots that it must belong to.
    #[arg(long, value_name = "TEXT")]
    pub identity: String,
    /// How far it reaches.
    #[arg(long, value_name = "NAME", value_parser = ["project"])]
    pub scope: Option<String>,
    /// Copy all of it into this directory, which is new or empty.
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// `moorline snapshot verify`
#[derive(Debug, Args)]
pub struct VerifyKept {
    /// One snapshot's id, or its first 8 digits at least; without it everything in the store.
    #[arg(requires = "identity")]
    pub id: Option<String>,
    /// The store.
    #[arg(long, value_name = "DIR")]
    pub backup_root: PathBuf,
    /// Only this line of snapshots.
    #[arg(long, value_name = "TEXT")]
    pub identity: Option<String>,
    /// How far they reach.
    #[arg(long, value_name = "NAME", value_parser = ["project"])]
    pub scope: Option<String>,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}
