//! Everything that the judge needs to know, as plain data: each fact known, absent or unknown, with the place
//! where it was read. Made by the survey, or by hand in a test.

use std::path::PathBuf;

use super::report::Claim;
use crate::handoff::{Digest, HarnessName, Inert, RelPath};
use crate::harness::{Answer, Liveness, Program, ResumeForm, Session};
use crate::policy::lock::Lock;
use crate::policy::manifest::Target;
use crate::policy::provenance::Compared;
use crate::policy::run::{NativePlan, RunRecord};
use crate::policy::{Catalog, Config};
use crate::repo::{BranchState, Files, Head, Identity, Relation};

/// A question put to the world, with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact<T> {
    /// This is so.
    Known(T),
    /// It was looked for and is not so: the reason. What was recorded is contradicted by it.
    Absent(String),
    /// It could not be told: the reason, and what would settle it.
    Unknown(String),
}

/// A fact and where it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen<T> {
    /// The fact.
    pub fact: Fact<T>,
    /// Where it was read, for people: `HEAD of .thunderkit/runs/r1/worktrees/L1`.
    pub source: String,
}

impl<T> Seen<T> {
    /// Read and known.
    pub fn known(value: T, source: impl Into<String>) -> Self {
        Self { fact: Fact::Known(value), source: source.into() }
    }

    /// Looked for and not there.
    pub fn absent(why: impl Into<String>, source: impl Into<String>) -> Self {
        Self { fact: Fact::Absent(why.into()), source: source.into() }
    }

    /// Not to be told.
    pub fn unknown(why: impl Into<String>, source: impl Into<String>) -> Self {
        Self { fact: Fact::Unknown(why.into()), source: source.into() }
    }

    /// A store's answer.
    pub fn answer(answer: Answer<T>, source: impl Into<String>) -> Self {
        let fact = match answer {
            Answer::Found(value) => Fact::Known(value),
            Answer::Absent(why) => Fact::Absent(why),
            Answer::Unknown(why) => Fact::Unknown(why),
        };
        Self { fact, source: source.into() }
    }

    /// The value, when it is known.
    pub fn value(&self) -> Option<&T> {
        match &self.fact {
            Fact::Known(value) => Some(value),
            _ => None,
        }
    }

    /// The same question about something that hangs on this: what is not known here is not known there.
    pub fn and<U>(&self, next: impl FnOnce(&T) -> Seen<U>) -> Seen<U> {
        let fact = match &self.fact {
            Fact::Known(value) => return next(value),
            Fact::Absent(why) | Fact::Unknown(why) => Fact::Unknown(why.clone()),
        };
        Seen { fact, source: self.source.clone() }
    }
}

/// What is true now, about everything one handoff records.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// Which repository this is.
    pub repository: Seen<Identity>,
    /// HEAD at the project root.
    pub head: Seen<Head>,
    /// The recorded commit against HEAD, when one is recorded.
    pub since: Option<Seen<Since>>,
    /// Commits newer than the saved time, when no commit is recorded.
    pub after: Option<After>,
    /// What became of the recorded branch, when one is recorded.
    pub branch: Option<Seen<BranchState>>,
    /// What only the family's own checks need.
    pub own: Own,
}

/// The recorded commit against HEAD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Since {
    /// How it stands to HEAD.
    pub relation: Relation,
    /// HEAD went on, but only by commits of handoffs' own files.
    pub only_own: bool,
}

/// Commits newer than a saved time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct After {
    /// Their ids and subjects, newest first.
    pub commits: Vec<Inert>,
    /// The files that they changed; `None` where these commits are not the whole way from one state to another.
    pub files: Option<Files>,
    /// They changed nothing but handoffs' own files.
    pub only_own: bool,
    /// Commits of the very day, where nothing but a day is recorded: they may be older.
    pub that_day: Vec<Inert>,
}

/// What only one family's checks need.
#[derive(Debug, Clone)]
pub enum Own {
    /// thunderkit.
    Thunderkit(Box<Policy>),
    /// The context-only families.
    Context(Box<Surrounding>),
}

/// thunderkit: policy, artifact and lanes.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The north star can be read.
    pub north_star: Seen<()>,
    /// The config. [`Fact::Absent`] is missing or invalid.
    pub config: Seen<Config>,
    /// The model catalog.
    pub catalog: Seen<Catalog>,
    /// Bytes of the recorded artifact, when a path is recorded.
    pub artifact: Option<Seen<Digest>>,
    /// The lanes in file order.
    pub lanes: Vec<LaneEvidence>,
}

/// What is true now about one lane.
#[derive(Debug, Clone)]
pub struct LaneEvidence {
    /// Its worktree, when a legal path is recorded.
    pub worktree: Option<Seen<WorktreeSeen>>,
    /// HEAD in it.
    pub head: Seen<Head>,
    /// The recorded commit against HEAD in it, when HEAD is another one.
    pub since: Option<Since>,
    /// Bytes of its artifact, when a path is recorded.
    pub artifact: Option<Seen<Digest>>,
    /// Its evidence paths.
    pub evidence: Vec<(RelPath, Seen<()>)>,
    /// What its harness says, when a known one is recorded.
    pub harness: Option<HarnessEvidence>,
    /// What a native routine stands on; `None` for every other lane.
    pub native: Option<NativeSeen>,
    /// The record that its run left; `None` where there is none.
    pub run: Option<Seen<RunRecord>>,
}

/// What a native lane stands on.
#[derive(Debug, Clone)]
pub struct NativeSeen {
    /// The pins of its own selector.
    pub pins: Seen<Pins>,
    /// The installed root, asked by them.
    pub root: Seen<RootSeen>,
    /// The native plan of its run, when its record names one.
    pub plan: Option<NativePlanSeen>,
    /// The home that moorline runs with; `None` on every harness but hermes.
    pub home: Option<HomeSeen>,
}

/// The pins of a native routine.
#[derive(Debug, Clone)]
pub struct Pins {
    /// The manifest's target.
    pub target: Target,
    /// The lock, where the manifest leaves version and digests to one.
    pub lock: Option<Lock>,
}

/// An installed root's answers.
#[derive(Debug, Clone)]
pub struct RootSeen {
    /// Whose root it is, or why it is not the pinned one.
    pub identity: Result<(), String>,
    /// Each pinned file.
    pub files: Vec<Compared>,
    /// The skill's directory holds nothing else, or what it holds.
    pub complete: Result<(), String>,
    /// Whether the lane's recorded source is the pinned entrypoint.
    pub names_entrypoint: bool,
}

/// A native plan and its bytes.
#[derive(Debug, Clone)]
pub struct NativePlanSeen {
    /// As the run record names it.
    pub plan: NativePlan,
    /// That record.
    pub record: RelPath,
    /// The digest of what lies there, when a legal path is named.
    pub digest: Option<Seen<Digest>>,
}

/// The home that moorline itself runs with.
#[derive(Debug, Clone)]
pub struct HomeSeen {
    /// `HERMES_HOME`, when it is set.
    pub own: Option<String>,
    /// Whether it is the proved home of the lane's run, or why not.
    pub proof: Result<(), String>,
}

/// A lane's worktree as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorktreeSeen {
    /// Its real path.
    pub path: PathBuf,
    /// Whether it is the project root itself.
    pub is_root: bool,
}

/// What a harness and its store say about a lane.
#[derive(Debug, Clone)]
pub struct HarnessEvidence {
    /// Which one.
    pub name: HarnessName,
    /// Its fixed resume form, or why it has none.
    pub form: Result<ResumeForm, &'static str>,
    /// The program.
    pub program: Seen<Program>,
    /// The shape of its ids in words.
    pub shape: &'static str,
    /// Whether the recorded id has that shape; `None` without a legal id.
    pub in_shape: Option<bool>,
    /// The session of exactly the recorded id.
    pub session: Seen<Session>,
    /// Whether the session's directory is the lane's worktree, by file identity.
    pub same_directory: Seen<bool>,
    /// The model that answers where the harness falls back to its default.
    pub fallback: Seen<Inert>,
    /// Whether a process owns the session.
    pub liveness: Liveness,
}

/// What is true now around a context-only handoff.
#[derive(Debug, Clone)]
pub struct Surrounding {
    /// What is dirty now.
    pub dirt: Seen<Dirt>,
    /// Why the worktree of a repository that is here cannot be compared at all.
    pub unreadable: Option<String>,
    /// Whether the directory that the text says it was written in is this one.
    pub directory: Option<Seen<SameRoot>>,
    /// Whether the recorded project root is this one, when one is recorded.
    pub project_root: Option<Seen<SameRoot>>,
    /// The runtime that asks.
    pub runtime: String,
    /// The plan it belongs to, when it belongs to one.
    pub plan: Option<PlanSeen>,
    /// What the text names, looked up.
    pub claims: Vec<Claim>,
}

/// What is dirty in the worktree.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dirt {
    /// Changed files, handoffs' own files left out.
    pub foreign: usize,
    /// The first of them.
    pub files: Vec<Inert>,
    /// All changed files.
    pub all: usize,
    /// The state in memtomem's spelling, over all files and over the foreign ones.
    pub spellings: [String; 2],
    /// Files that could not be compared.
    pub not_compared: Vec<Inert>,
}

/// How a recorded root stands to this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameRoot {
    /// The same text.
    Text,
    /// Another spelling of the same directory.
    Identity,
    /// A directory inside this one.
    Inside,
    /// Another directory.
    Other,
}

/// What became of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanSeen {
    /// The plan as the file names it.
    pub named: Inert,
    /// Whether it is still there.
    pub there: Seen<()>,
    /// A newer handoff for the same plan.
    pub newer: Option<PathBuf>,
}
