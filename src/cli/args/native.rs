//! The words of the verbs that decide about native skills.

use std::path::PathBuf;

use clap::Args;

/// `moorline resolve`
///
/// What is needed is asked for by the resolver itself, so that words it cannot use still end in a decision record.
#[derive(Debug, Args)]
pub struct Resolve {
    /// The skill; needed.
    #[arg(long, value_name = "NAME")]
    pub skill: Option<String>,
    /// The operation; without it the skill's default one.
    #[arg(long, value_name = "NAME")]
    pub operation: Option<String>,
    /// The project's root; without it -C, else the root of the worktree that holds the current directory.
    #[arg(long, value_name = "DIR")]
    pub project_root: Option<PathBuf>,
    /// The host's capability snapshot.
    #[arg(long, value_name = "FILE")]
    pub capabilities: Option<PathBuf>,
    /// The lock of the installed peer.
    #[arg(long, value_name = "FILE")]
    pub lock: Option<PathBuf>,
    /// Print the decision record.
    #[arg(long)]
    pub json: bool,
}

/// `moorline lookup`
#[derive(Debug, Args)]
pub struct Lookup {
    /// What the missing session was about.
    #[arg(long, value_name = "WORDS")]
    pub query: String,
    /// Whose session it was.
    #[arg(long, value_name = "HARNESS", value_parser = ["claude", "codex", "hermes", "opencode"])]
    pub platform: String,
    /// The directory it worked in; without it the project's root.
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
    /// Not before this date (YYYY-MM-DD).
    #[arg(long, value_name = "DATE")]
    pub since: Option<chrono::NaiveDate>,
    /// Not after this date (YYYY-MM-DD).
    #[arg(long, value_name = "DATE")]
    pub until: Option<chrono::NaiveDate>,
    /// At most so many sessions may be looked at.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub budget: u32,
    /// The host's capability snapshot; the consent `lookup` stands in it.
    #[arg(long, value_name = "FILE")]
    pub capabilities: Option<PathBuf>,
    /// The lock of the installed peer; without it the project's .thunderkit/peers.lock.json.
    #[arg(long, value_name = "FILE")]
    pub lock: Option<PathBuf>,
    /// The id that the component returned, to be verified in that one store.
    #[arg(long, value_name = "ID")]
    pub returned: Option<String>,
    /// The lane that the session belongs to, for the save draft; without it the name of the directory.
    #[arg(long, value_name = "ID")]
    pub lane: Option<String>,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}
