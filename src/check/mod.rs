//! Survey (reads) → evidence → judge (pure) → checks → verdict. Here scan, git and session stores meet.
//!
//! [`Examiner`] is the door: it knows one project with its surroundings, opens each repository once, and
//! judges handoffs from any thread.
//!
//! | part | what it does | reads the world? |
//! |---|---|---|
//! | `examine` | one handoff from its bytes up: read, surveyed, judged, folded | through the others |
//! | `survey`, `since`, `lane`, `native`, `lookup`, `plan` | gather [`evidence`]: each fact known, absent or unknown, with its source | yes |
//! | [`judge`] | `(handoff, evidence) → checks`, one function for each row of the table | no |
//! | [`verdict`] | folds checks into a lane's and a handoff's verdict, with reasons | no |
//! | [`claims`], `drift` | what a text names, and what happened since | no |
//! | `activity` | sessions that went on after a handoff was saved | yes |
//! | `project`, `clock` | the project's own facts, and dates by commits | yes |
//! | [`returned`] | a session id that somebody else found: verified, or refused by name | yes |
//! | `versions` | earlier versions of a handoff | yes |
//! | `vanished` | open items of an earlier version that a later one does not have | no |
//! | `answers`, `cache` | what is told once until [`Examiner::afresh`]; liveness never | no |

mod activity;
mod answers;
mod cache;
pub mod claims;
mod clock;
mod drift;
pub mod evidence;
mod examine;
pub mod judge;
mod lane;
mod lookup;
mod native;
pub mod own;
mod plan;
mod project;
pub mod report;
pub mod returned;
mod runtime;
mod since;
pub mod summary;
mod survey;
mod vanished;
pub mod verdict;
mod versions;

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use drift::{ONLY_OWN, memtomem_state};
pub use report::*;
pub use summary::{Summary, Tally};
pub use versions::{Kept, Past, Version};

use crate::handoff::{Digest, Inert};
use crate::harness::Surroundings;
use crate::place::{Listed, Roots};
use crate::repo::{RepoError, Upstream, Walked};
use crate::settings::Settings;

/// What is true of the project as a whole: the screen's header, and `project` in JSON.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProjectFacts {
    /// The project directory, absolute.
    pub root: PathBuf,
    /// Identity of its repository, when it is in one.
    pub repository: Option<String>,
    /// Current branch; `None` when detached, unborn or unknown.
    pub branch: Option<Inert>,
    /// Current commit.
    pub head: Option<String>,
    /// What git has begun here and not ended, as words: `a rebase of feat/x`, `a merge`.
    pub under_way: Option<Inert>,
    /// Number of changed files, the handoffs' own files left out; `None` where it cannot be told.
    pub dirty: Option<usize>,
    /// Number of the handoffs' own files that are changed.
    pub dirty_handoffs: usize,
    /// Distance to the upstream, by local refs.
    pub upstream: Option<Upstream>,
    /// What could not be told and why, in sentences.
    pub unknown: Vec<Inert>,
}

/// Judges the handoffs of one project.
pub struct Examiner {
    project: PathBuf,
    around: Surroundings,
    settings: Settings,
    runtime: Option<String>,
    cache: cache::Cache,
}

impl Examiner {
    /// For the project directory `project` (exact: no walking up).
    pub fn new(project: &Path, around: Surroundings, settings: Settings) -> Self {
        Self { project: project.to_owned(), around, settings, runtime: None, cache: cache::Cache::default() }
    }

    /// The same with the runtime that a person named (`claude-code`, `codex-cli`, …): memtomem records are
    /// addressed to one. Without it the agent's own environment is asked, and then it is `any`.
    pub fn with_runtime(self, runtime: impl Into<String>) -> Self {
        Self { runtime: Some(runtime.into()), ..self }
    }

    /// The runtime that asks: the named one, else the one whose environment this is, else `any`.
    pub fn runtime(&self) -> String {
        runtime::of(self)
    }

    /// A new one for the same project that remembers nothing: what a recheck surveys with, and what a screen
    /// takes when something changed.
    pub fn afresh(&self) -> Self {
        let fresh = Self::new(&self.project, self.around.clone(), self.settings.clone());
        Self { runtime: self.runtime.clone(), ..fresh }
    }

    /// The project directory.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// What it finds stores and programs by.
    pub fn around(&self) -> &Surroundings {
        &self.around
    }

    /// The settings it goes by.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// moorline's own state directory: `$XDG_STATE_HOME/moorline`, else `~/.local/state/moorline`; `None` where
    /// neither is known. A relative `XDG_STATE_HOME` counts as none.
    pub fn state_dir(&self) -> Option<PathBuf> {
        let set = self.around.vars.get(OsStr::new("XDG_STATE_HOME")).map(PathBuf::from);
        let base = set.filter(|path| path.is_absolute());
        let base = base.or_else(|| self.around.home.as_ref().map(|home| home.join(".local/state")));
        base.map(|base| base.join("moorline"))
    }

    /// Where the scan must look: project, registered worktrees outside it, home, the settings' places.
    pub fn roots(&self) -> Roots {
        project::roots(self)
    }

    /// What is true of the project; `with_dirty` asks for the (dearer) worktree state too.
    pub fn project_facts(&self, with_dirty: bool) -> ProjectFacts {
        project::facts(self, with_dirty)
    }

    /// Takes in the settled rows of a scan that its caller made, with the clocks that the files themselves say:
    /// handoffs that belong to one plan are then looked for among them, without another scan.
    pub fn knows(&self, rows: &[Arc<Listed>]) {
        // Rows that were scanned for before are as good.
        let _ = self.cache.rows.set(rows.to_vec());
    }

    /// Gives undated rows of tracked files the time of the commit that last changed them, takes the mark of an edit from
    /// files that are as HEAD has them, and sorts again; returns how many rows were corrected.
    ///
    /// # Errors
    /// The repository's refusal; the rows then keep their mtime, marked so.
    pub fn date_by_commits(&self, rows: &mut [Arc<Listed>]) -> Result<usize, RepoError> {
        clock::date_by_commits(self, rows)
    }

    /// Gives the versions of a row before the present one away, the nearest first, as soon as each is found, until told
    /// to stop: by the history of its file under every name that it had, by bytes that a save replaced and kept (they
    /// are among `rows`), by its series. What keeps the history from being read comes back. No text is kept.
    pub fn past(
        &self,
        row: &Listed,
        rows: &[Arc<Listed>],
        take: &mut dyn FnMut(Past) -> ControlFlow<()>,
    ) -> Option<RepoError> {
        versions::past(self, row, rows, take)
    }

    /// A version with its text; `None` where that cannot be read.
    pub fn version(&self, row: &Listed, past: &Past) -> Option<Version> {
        versions::version(self, row, past)
    }

    /// A row's text as it lies there now; `None` where it cannot be read.
    pub fn present(&self, row: &Listed) -> Option<Version> {
        versions::read(row)
    }

    /// Open items of an earlier version of a row that its present text neither has nor calls done.
    pub fn vanished(&self, row: &Listed, earlier: &str, now: &str) -> Vec<Inert> {
        versions::vanished(row, earlier, now)
    }

    /// How much of histories was read so far, over all repositories that were opened: one walk serves every question
    /// about one HEAD, however many handoffs ask.
    pub fn walked(&self) -> Walked {
        let opened = self.cache.exact.answers();
        opened.iter().flatten().fold(Walked::default(), |sum, repo| {
            let walked = repo.walked();
            Walked { walks: sum.walks + walked.walks, commits: sum.commits + walked.commits }
        })
    }

    /// Surveys and judges one row, from the file's bytes up.
    pub fn examine(&self, row: &Listed) -> Report {
        examine::examine(self, row)
    }

    /// One digest over everything that a judgement stands on: which file, its bytes, and every check with its
    /// outcome, what was expected and what was observed. A yes is bound to it. Words that change by themselves
    /// (how liveness was proved, drift, claims) are left out.
    pub fn evidence_digest(&self, row: &Listed, report: &Report) -> Digest {
        examine::digest(row, report)
    }
}
