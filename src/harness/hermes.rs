//! Hermes.

use std::path::Path;

use super::{Answer, Harness, Liveness, Program, ResumeForm, Session, Surroundings, Version, version};
use crate::handoff::{HarnessName, Inert, SessionId};

/// Hermes.
pub(super) struct Hermes;

const UNREAD: &str = "hermes sessions are not read yet";

impl Harness for Hermes {
    fn name(&self) -> HarnessName {
        HarnessName::Hermes
    }

    fn shape(&self) -> &'static str {
        "`YYYYMMDD_HHMMSS_` and 6 or 8 lower-case hex digits"
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
        version::answer(program, version::from_python(&program.path, "hermes_agent"))
    }

    fn form(&self) -> Result<ResumeForm, &'static str> {
        Ok(ResumeForm {
            before_id: &["hermes", "chat", "--resume"],
            prompt_on_stdin: false,
            oldest: "0.19.0",
            keeps_model: false,
        })
    }

    fn created_since(&self, _around: &Surroundings, _cwd: &Path, _since: i64) -> Answer<Vec<SessionId>> {
        Answer::Unknown(UNREAD.to_owned())
    }
}
