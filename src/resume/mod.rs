//! Validated → planned → confirmed → started → outcome; the journal; the context block.
//!
//! A [`Plan`] exists only from a validated lane, a [`Confirmed`] only from a plan and a prompt, a [`Running`]
//! only from a confirmed plan whose recheck agreed. Nothing else can start a program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::check::{Check, Examiner};
use crate::handoff::{Digest, HarnessName, Inert, SessionId};
use crate::place::Listed;

/// Everything that a person must see before the yes, made from a lane that passed every check just now.
#[derive(Debug, Clone)]
pub struct Plan {
    row: Arc<Listed>,
    lane: usize,
}

/// Why a lane cannot be resumed: all reasons, most severe first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// One sentence each.
    pub reasons: Vec<Inert>,
    /// Preflight checks, where it came that far.
    pub preflight: Vec<Check>,
    /// The refusal is for want of knowledge (exit code 3), not a contradiction (1).
    pub unknown: bool,
}

impl Plan {
    /// Surveys the lane anew and plans its resume.
    ///
    /// # Errors
    /// [`Refusal`] with every reason, unless the lane is validated and its preflight passed.
    pub fn make(examiner: &Examiner, row: &Arc<Listed>, lane: usize) -> Result<Self, Refusal> {
        let _ = (examiner, row, lane);
        todo!()
    }

    /// The row it resumes from.
    pub fn row(&self) -> &Listed {
        &self.row
    }
    /// The lane's place in the file.
    pub fn lane(&self) -> usize {
        self.lane
    }
    /// The stage's name, shown and never executed.
    pub fn stage(&self) -> Option<&Inert> {
        todo!()
    }
    /// The harness.
    pub fn harness(&self) -> HarnessName {
        todo!()
    }
    /// The program's absolute path.
    pub fn executable(&self) -> &Path {
        todo!()
    }
    /// The fixed argument array, first element the harness name.
    pub fn argv(&self) -> &[String] {
        todo!()
    }
    /// The validated worktree.
    pub fn cwd(&self) -> &Path {
        todo!()
    }
    /// The session.
    pub fn session(&self) -> &SessionId {
        todo!()
    }
    /// Variables that are set in this environment and will be removed, by name.
    pub fn removed_vars(&self) -> &[String] {
        todo!()
    }
    /// Variables worth a look that are passed on (`LD_PRELOAD`, `NODE_OPTIONS`), by name.
    pub fn notable_vars(&self) -> &[String] {
        todo!()
    }
    /// The model that will answer and why: `claude-opus-4-8 (the session keeps its own)`.
    pub fn model(&self) -> &Inert {
        todo!()
    }
    /// Installed version and where it was read.
    pub fn version(&self) -> &Inert {
        todo!()
    }
    /// The interactive form of the same session, to copy; moorline never starts it.
    pub fn interactive_form(&self) -> &str {
        todo!()
    }
    /// `version` and `resume-form`.
    pub fn preflight(&self) -> &[Check] {
        todo!()
    }
    /// Every root and lane check, all passed (or not applicable).
    pub fn checks(&self) -> &[Check] {
        todo!()
    }
    /// Digest over everything that was shown: a yes is bound to it.
    pub fn evidence(&self) -> &Digest {
        todo!()
    }

    /// A person's yes to exactly this plan, with their prompt.
    ///
    /// # Errors
    /// The plan comes back where the prompt is empty and this harness needs one.
    pub fn confirm(self, prompt: Vec<u8>) -> Result<Confirmed, Box<Plan>> {
        let _ = prompt;
        todo!()
    }
}

/// A plan with a person's yes and prompt. Good for one start.
#[derive(Debug)]
pub struct Confirmed {
    plan: Plan,
    prompt: Vec<u8>,
}

/// What the started program did, as it happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// Bytes on its standard output.
    Out(Vec<u8>),
    /// Bytes on its standard error.
    Err(Vec<u8>),
    /// It has ended.
    Ended,
}

/// What became of a resume.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Everything but the start was done.
    Rehearsed,
    /// Something changed, or a check failed, before the start.
    NotStarted(Vec<Inert>),
    /// Same session, a new finished turn, no new session.
    Continued,
    /// The turn went to another session.
    ContinuedElsewhere(Vec<SessionId>),
    /// No new turn.
    NotContinued(Inert),
    /// Cannot be told.
    Unknown(Inert),
}

/// One attempt, finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// What became of it.
    pub outcome: Outcome,
    /// The child's exit code.
    pub exit: Option<i32>,
    /// The signal that ended it, by name (`SIGTERM`).
    pub signal: Option<String>,
    /// Assistant turns that the session grew by.
    pub grew: usize,
    /// The model that answered.
    pub model: Option<Inert>,
    /// Seconds from start to end.
    pub seconds: u64,
    /// The sentence for a person.
    pub sentence: Inert,
}

/// A started program.
pub struct Running {
    _private: (),
}

impl Confirmed {
    /// Takes the lock on the session, surveys everything again, and starts the program only if nothing
    /// differs. `progress` is called from other threads.
    ///
    /// # Errors
    /// The finished [`Attempt`] with [`Outcome::NotStarted`] and the difference.
    pub fn start(
        self,
        examiner: &Examiner,
        progress: impl Fn(Progress) + Send + Sync + 'static,
    ) -> Result<Running, Box<Attempt>> {
        let _ = (examiner, progress, self.plan, self.prompt);
        todo!()
    }
}

impl Running {
    /// Asks it to stop: SIGINT to its group the first time, SIGTERM the second.
    pub fn stop(&self) {
        todo!()
    }

    /// Waits for its end, reads the store again and says what became of it.
    pub fn finish(self, examiner: &Examiner) -> Attempt {
        let _ = examiner;
        todo!()
    }
}

/// The block that `context` prints, for every family.
pub fn context_block(examiner: &Examiner, row: &Listed, chain: bool) -> String {
    let _ = (examiner, row, chain);
    todo!()
}

/// moorline's own state directory.
pub fn state_dir(examiner: &Examiner) -> Option<PathBuf> {
    let _ = examiner;
    todo!()
}
