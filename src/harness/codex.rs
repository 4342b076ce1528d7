//! Codex.

use std::path::Path;

use super::{Answer, Harness, Liveness, Program, ResumeForm, Session, Surroundings, Version, version};
use crate::handoff::{HarnessName, Inert, SessionId};

/// Codex.
pub(super) struct Codex;

const UNREAD: &str = "codex sessions are not read yet";

impl Harness for Codex {
    fn name(&self) -> HarnessName {
        HarnessName::Codex
    }

    fn shape(&self) -> &'static str {
        "a lower-case UUID"
    }

    fn session(&self, _around: &Surroundings, _id: &SessionId) -> Answer<Session> {
        Answer::Unknown(UNREAD.to_owned())
    }

    fn liveness(&self, _around: &Surroundings, _id: &SessionId) -> Liveness {
        Liveness::Unknown(UNREAD.to_owned())
    }

    fn fallback_model(&self, _around: &Surroundings, _project: &Path) -> Answer<Inert> {
        Answer::Unknown(UNREAD.to_owned())
    }

    fn version(&self, program: &Program) -> Answer<Version> {
        version::answer(program, version::from_npm(&program.path, "@openai/codex"))
    }

    fn form(&self) -> Result<ResumeForm, &'static str> {
        Ok(ResumeForm {
            before_id: &["codex", "exec", "resume"],
            prompt_on_stdin: true,
            oldest: "0.130.0",
            keeps_model: false,
        })
    }

    fn created_since(&self, _around: &Surroundings, _cwd: &Path, _since: i64) -> Answer<Vec<SessionId>> {
        Answer::Unknown(UNREAD.to_owned())
    }
}
