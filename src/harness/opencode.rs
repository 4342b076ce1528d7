//! OpenCode.

use std::path::Path;

use super::{Answer, Harness, Liveness, Program, ResumeForm, Session, Surroundings, Version, version};
use crate::handoff::{HarnessName, Inert, SessionId};

/// OpenCode.
pub(super) struct Opencode;

const UNREAD: &str = "opencode sessions are not read yet";

impl Harness for Opencode {
    fn name(&self) -> HarnessName {
        HarnessName::Opencode
    }

    fn shape(&self) -> &'static str {
        "`ses_`, 12 lower-case hex digits and 14 letters or digits"
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
        version::answer(program, version::from_npm(&program.path, "opencode-ai"))
    }

    fn form(&self) -> Result<ResumeForm, &'static str> {
        Err("opencode documents no fixed way to go on with a session without a person at its screen")
    }

    fn created_since(&self, _around: &Surroundings, _cwd: &Path, _since: i64) -> Answer<Vec<SessionId>> {
        Answer::Unknown(UNREAD.to_owned())
    }
}
