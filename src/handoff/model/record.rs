//! What only one family records: lanes and their root, a plan, a memtomem record.

use serde::Serialize;

use super::{Fields, Value};
use crate::handoff::Inert;
use crate::handoff::ident::{BranchName, CommitId, Digest, LaneId, RelPath, SessionId};

/// The harnesses that thunderkit's format names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HarnessName {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Hermes.
    Hermes,
    /// OpenCode.
    Opencode,
}

impl HarnessName {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::Claude, Self::Codex, Self::Hermes, Self::Opencode];

    /// The word in files, and the program's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Hermes => "hermes",
            Self::Opencode => "opencode",
        }
    }

    /// The harness of that exact name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|name| name.as_str() == text)
    }
}

/// A class of models in thunderkit's policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelClass {
    /// One model that plans.
    Planner,
    /// Models that execute, in order of preference.
    Executors,
    /// Models that review.
    Reviewers,
}

/// Who made a lane's work routine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// thunderkit's own.
    Owned,
    /// A harness's own ecosystem; needs provenance.
    Native,
    /// Said to be unknown.
    Unknown,
}

/// A lane's status as it was saved: history, never proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LaneStatus {
    /// Was running when saved.
    Running,
    /// Was waiting for something.
    Blocked,
    /// Was done; never restarted.
    Completed,
    /// Nobody knew.
    Unknown,
}

/// What the saver said about resuming: it can block a lane, never pass one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Resumability {
    /// To be checked.
    Unverified,
    /// Not to be resumed, for the recorded reason.
    NotResumable,
}

/// A model as thunderkit's format names it. All four are said or the identity is refused; effort may be null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelIdentity {
    /// The key in the catalog: `opus48`.
    pub catalog_key: Inert,
    /// Who serves it: `anthropic`.
    pub provider: Inert,
    /// Its exact id: `claude-opus-4-8`.
    pub model_id: Inert,
    /// The reasoning effort, where it was recorded.
    pub effort: Option<Inert>,
}

/// One lane of a thunderkit handoff. A value that is not legal, or is said twice, is `None` here and stands
/// raw in `fields`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Lane {
    /// The lane's name.
    pub id: Option<LaneId>,
    /// Its worktree, relative to the project root.
    pub worktree: Option<RelPath>,
    /// Its branch; `None` where null or not legal.
    pub branch: Option<BranchName>,
    /// Its full commit id.
    pub head: Option<CommitId>,
    /// The harness that ran it.
    pub harness: Option<HarnessName>,
    /// That harness's version as recorded.
    pub harness_version: Option<Inert>,
    /// The session to go on with.
    pub session_id: Option<SessionId>,
    /// The class its model was chosen from.
    pub model_class: Option<ModelClass>,
    /// The model that was asked for.
    pub requested_model: Option<ModelIdentity>,
    /// The model that the host said it used.
    pub effective_model: Option<ModelIdentity>,
    /// The model that answered, as the store said.
    pub observed_model: Option<ModelIdentity>,
    /// The family of the observed model.
    #[serde(skip)]
    pub observed_family: Option<Inert>,
    /// Whose routine the lane runs.
    pub origin: Option<Origin>,
    /// The ecosystem of a native routine (`omo`, `omh`, `gsd`).
    #[serde(skip)]
    pub ecosystem: Option<Inert>,
    /// Its package's version.
    #[serde(skip)]
    pub package_version: Option<Inert>,
    /// Its skill.
    #[serde(skip)]
    pub skill_name: Option<Inert>,
    /// Its source file, relative.
    #[serde(skip)]
    pub source: Option<RelPath>,
    /// That file's digest.
    #[serde(skip)]
    pub source_sha256: Option<Digest>,
    /// What the lane works on, relative to the project root.
    #[serde(skip)]
    pub artifact: Option<RelPath>,
    /// That file's digest.
    #[serde(skip)]
    pub artifact_sha256: Option<Digest>,
    /// Saved status.
    pub status: Option<LaneStatus>,
    /// Saved resumability.
    pub resumability: Option<Resumability>,
    /// Why, in the saver's words.
    pub reason: Option<Inert>,
    /// Files that prove what the lane did, relative.
    #[serde(skip)]
    pub evidence_paths: Vec<RelPath>,
    /// Whether the file alone allows a resume; says nothing about what is true now.
    pub structurally_resumable: bool,
    /// Every recorded field of the lane, raw.
    pub fields: Fields,
}

/// What thunderkit's root mapping records besides the lanes. As in [`Lane`], `None` is null or not legal, and
/// the raw text stands in the handoff's `fields`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Root {
    /// Identity of the repository: `host/path`, or a directory name where there was no remote.
    pub repository: Option<Inert>,
    /// The branch; `None` with `detached` true when the file says null.
    pub branch: Option<BranchName>,
    /// The file says `branch: null`.
    pub detached: bool,
    /// Full commit id.
    pub head: Option<CommitId>,
    /// The north star's path.
    pub north_star: Option<RelPath>,
    /// The stage, free text.
    pub current_stage: Option<Inert>,
    /// The artifact the session worked on.
    pub active_artifact: Option<RelPath>,
    /// Its digest.
    pub active_artifact_sha256: Option<Digest>,
    /// The recorded model contract, whatever its layout; `None` for null.
    pub model_contract: Option<Value>,
    /// How full the context was, when the saver said so.
    pub context_at_save: Option<Inert>,
}

/// theonekit's own facts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanRecord {
    /// The plan's path as written under Active Plan.
    pub plan_path: Option<Inert>,
    /// `Location:` as written.
    pub location: Option<Inert>,
    /// Number of dirty files, where the git section gives one.
    pub dirty_files: Option<u64>,
}

/// The thirteen fields of a memtomem record, as written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MemtomemRecord {
    /// Who wrote it, normalised (`claude-code`, …).
    pub from_runtime: Option<Inert>,
    /// Who it is for, normalised; `any` is everybody.
    pub to_runtime: Option<Inert>,
    /// The project's absolute root as recorded.
    pub project_root: Option<Inert>,
    /// What the work is for.
    pub objective: Option<Inert>,
    /// Full commit id.
    pub git_head: Option<CommitId>,
    /// The worktree's state in memtomem's spelling.
    pub worktree_state: Option<Inert>,
    /// Paths named as changed, without the omitted count.
    pub changed_files: Vec<Inert>,
    /// Absolute artifact paths.
    pub artifacts: Vec<Inert>,
}

/// What only one family records.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// thunderkit v1's root.
    Thunderkit(Box<Root>),
    /// theonekit's plan and location.
    Theonekit(PlanRecord),
    /// memtomem's record.
    Memtomem(Box<MemtomemRecord>),
    /// Nothing of its own.
    None,
}
