//! What a judgement looks like: checks, verdicts, drift and claims.

use serde::Serialize;

use crate::handoff::{Digest, Handoff, Inert, LaneId};
use crate::harness::Owner;
use crate::policy::run::RunRecord;

/// Which check. The words are the ones that machines and people see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckId {
    /// Strict thunderkit v1 without a structural problem.
    Schema,
    /// North star readable and config valid.
    Config,
    /// Same repository.
    Repository,
    /// Exact branch at the root.
    RootBranch,
    /// Exact commit at the root.
    RootHead,
    /// The lane's worktree is one of this repository's.
    Worktree,
    /// Exact branch in the lane's worktree.
    LaneBranch,
    /// Exact commit in the lane's worktree.
    LaneHead,
    /// The root's artifact has the recorded digest.
    ActiveArtifact,
    /// The lane's artifact has the recorded digest.
    LaneArtifact,
    /// Every evidence path is there.
    Evidence,
    /// Recorded contract equals the current config.
    ModelContract,
    /// Class, catalog and identities agree.
    ModelBinding,
    /// Provenance of a native routine.
    NativeSource,
    /// One pinned file of a native routine.
    NativeFile,
    /// The native plan of the lane's run.
    NativePlan,
    /// The isolated home a native hermes lane needs.
    RuntimeHome,
    /// A harness with a fixed form, version recorded, program outside the project.
    Harness,
    /// A session id of the generic and the harness's own shape.
    SessionId,
    /// The store has exactly this session.
    SessionExists,
    /// Its recorded directory is the lane's worktree.
    SessionCwd,
    /// Its last model is the recorded one.
    SessionModel,
    /// Nobody is running it.
    Liveness,
    /// Not completed.
    Status,
    /// Not saved as not resumable.
    SavedResumability,
    /// The stage is recorded.
    Stage,
    /// Preflight: the installed version is known to behave.
    Version,
    /// Preflight: the fixed form is this version's.
    ResumeForm,
    /// Context families: the recorded commit against HEAD.
    Commit,
    /// Context families: the recorded branch against the current one.
    Branch,
    /// Context families: recorded dirty state against the current one.
    DirtyFiles,
    /// memtomem: the record's project root is this one.
    ProjectRoot,
    /// memtomem: the record is whole and addressed to this runtime.
    Record,
    /// Context families: the plan is still there and nothing newer stands for it.
    Plan,
    /// The file's own words about paths, commits, branches still hold.
    Claims,
}

impl CheckId {
    /// The word that machines and people see.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Config => "config",
            Self::Repository => "repository",
            Self::RootBranch => "root-branch",
            Self::RootHead => "root-head",
            Self::Worktree => "worktree",
            Self::LaneBranch => "lane-branch",
            Self::LaneHead => "lane-head",
            Self::ActiveArtifact => "active-artifact",
            Self::LaneArtifact => "lane-artifact",
            Self::Evidence => "evidence",
            Self::ModelContract => "model-contract",
            Self::ModelBinding => "model-binding",
            Self::NativeSource => "native-source",
            Self::NativeFile => "native-file",
            Self::NativePlan => "native-plan",
            Self::RuntimeHome => "runtime-home",
            Self::Harness => "harness",
            Self::SessionId => "session-id",
            Self::SessionExists => "session-exists",
            Self::SessionCwd => "session-cwd",
            Self::SessionModel => "session-model",
            Self::Liveness => "liveness",
            Self::Status => "status",
            Self::SavedResumability => "saved-resumability",
            Self::Stage => "stage",
            Self::Version => "version",
            Self::ResumeForm => "resume-form",
            Self::Commit => "commit",
            Self::Branch => "branch",
            Self::DirtyFiles => "dirty-files",
            Self::ProjectRoot => "project-root",
            Self::Record => "record",
            Self::Plan => "plan",
            Self::Claims => "claims",
        }
    }
}

/// What a check is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The whole handoff.
    Root,
    /// A lane, by its place in the file and its id where it has a legal one.
    Lane(usize, Option<LaneId>),
    /// A record of a day file.
    Record(Inert),
}

impl Serialize for Subject {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Root => serializer.serialize_str("root"),
            Self::Lane(_, Some(id)) => serializer.serialize_str(&format!("lane:{id}")),
            Self::Lane(n, None) => serializer.serialize_str(&format!("lane:#{}", n + 1)),
            Self::Record(id) => serializer.serialize_str(&format!("record:{}", id.plain())),
        }
    }
}

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Proved now.
    Passed,
    /// Contradicted now, or a required record is absent from the file.
    Failed,
    /// No evidence either way.
    Unknown,
    /// The family or this lane has no such fact.
    NotApplicable,
}

/// One check with its evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Which one.
    pub id: CheckId,
    /// About what.
    pub subject: Subject,
    /// How it came out.
    pub outcome: Outcome,
    /// What the file recorded.
    pub expected: Option<Inert>,
    /// What is true now.
    pub observed: Option<Inert>,
    /// Where that was read.
    pub source: Option<Inert>,
    /// Why it came out so; for a person, with the next step where there is one.
    pub reason: Option<Inert>,
    /// The line of the file that recorded it, from 1.
    #[serde(skip)]
    pub line: Option<u32>,
}

/// A lane's verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every required check passed.
    Validated,
    /// At least one failed.
    NotResumable,
    /// None failed, at least one required is unknown.
    Unknown,
    /// Saved as completed: never restarted.
    Completed,
    /// A live owner has it.
    Running,
    /// Context families: nothing in it is contradicted.
    Current,
    /// Context families: something in it no longer holds.
    Drifted,
    /// Context families: nothing could be compared.
    Unverifiable,
}

impl Verdict {
    /// The words a person reads.
    pub fn words(self) -> &'static str {
        match self {
            Self::Validated => "validated",
            Self::NotResumable => "not resumable",
            Self::Unknown => "unknown",
            Self::Completed => "completed",
            Self::Running => "running",
            Self::Current => "current",
            Self::Drifted => "drifted",
            Self::Unverifiable => "unverifiable",
        }
    }
}

/// One lane, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneReport {
    /// Its place in the file.
    pub index: usize,
    /// Its verdict.
    pub verdict: Verdict,
    /// Why, most severe first, root checks included: one sentence each.
    pub reasons: Vec<Inert>,
    /// The lane's own checks.
    pub checks: Vec<Check>,
    /// Who runs it, for [`Verdict::Running`].
    pub owner: Option<Owner>,
    /// The record that its run left, for showing: nothing is believed because it says so.
    pub run: Option<RunRecord>,
}

/// Whether a claim of the text still holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// `path`, `commit`, `branch`, `tag`, `issue`; `box`, an open check box; `item`, one of another version that vanished.
    pub kind: &'static str,
    /// The words of the file.
    pub text: Inert,
    /// Their line, from 1.
    pub line: u32,
    /// `holds`, `open`, or what became of it: `gone`, `gone (renamed to …)`, `still there …`, `unreachable`, `planned`,
    /// `unknown`, `neither here nor in the history …`, `not compared: …` with the reason.
    pub state: Inert,
    /// Whether it still holds; `None` where that cannot be told.
    #[serde(skip)]
    pub holds: Option<bool>,
    /// Whether it is for this check to decide: what is only planned or not compared, issues and items of another file
    /// are not.
    #[serde(skip)]
    pub counts: bool,
}

/// What happened since.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Drift {
    /// Commits since the recorded one; `None` where it cannot be told.
    pub commits: Option<usize>,
    /// Their ids and subjects, newest first, capped.
    pub subjects: Vec<Inert>,
    /// Files changed since, capped.
    pub files: Vec<Inert>,
    /// How many files changed since, all of them; `None` where they were not counted.
    pub file_count: Option<usize>,
    /// Whether the recorded commit is not in HEAD's history.
    pub diverged: Option<bool>,
    /// Dirty files now.
    pub dirty: Option<usize>,
    /// Files that could not be compared.
    pub not_compared: Vec<Inert>,
    /// Anything else worth a line: a newer handoff for the same plan, session activity after saving.
    pub notes: Vec<Inert>,
}

/// One handoff, judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// SHA-256 of the file's bytes that were judged; `None` where the file could not be read again.
    pub file: Option<Digest>,
    /// The verdict over everything.
    pub verdict: Verdict,
    /// How many lanes of those in flight are validated, and how many are in flight.
    pub validated: (usize, usize),
    /// Why, in one sentence.
    pub reason: Option<Inert>,
    /// Checks about the handoff as a whole.
    pub checks: Vec<Check>,
    /// Its lanes in file order.
    pub lanes: Vec<LaneReport>,
    /// What happened since.
    pub drift: Drift,
    /// What the text says, checked.
    pub claims: Vec<Claim>,
}

impl Report {
    /// How many checks came out so: root and lanes together.
    pub fn count(&self, outcome: Outcome) -> usize {
        let all = self.checks.iter().chain(self.lanes.iter().flat_map(|lane| &lane.checks));
        all.filter(|check| check.outcome == outcome).count()
    }
}

/// The handoff's own name for a lane, for people: its id, else its number.
pub fn lane_name(handoff: &Handoff, index: usize) -> String {
    match handoff.lanes.get(index).and_then(|lane| lane.id.as_ref()) {
        Some(id) => id.to_string(),
        None => format!("#{}", index + 1),
    }
}
