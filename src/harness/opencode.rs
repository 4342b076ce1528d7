//! OpenCode: where its sessions lie, and who may be at one. It has no fixed way to go on with one unattended.

use std::path::{Path, PathBuf};

use super::sqlite::{self, Began};
use super::store::{self, Lookup};
use super::{Answer, Harness, Liveness, Owner, Program, ResumeForm, Session, Surroundings, Version, version};
use crate::disk::Kind;
use crate::handoff::{HarnessName, Inert, SessionId};

mod live;
mod state;
#[cfg(test)]
mod tests;

/// OpenCode.
pub(super) struct Opencode;

/// The names that the client's own process goes by.
const NAMES: &[&str] = &["opencode", "opencode.exe", ".opencode"];

/// The database: `$OPENCODE_DB`, which may be relative to the data directory, else `opencode.db` in
/// `$XDG_DATA_HOME/opencode` or `~/.local/share/opencode`.
fn rule(lookup: Lookup<'_>) -> Result<PathBuf, String> {
    let data =
        || Ok::<_, String>(store::by_variable(lookup, "XDG_DATA_HOME", ".local/share")?.join("opencode"));
    match lookup("OPENCODE_DB").map(PathBuf::from) {
        None => Ok(data()?.join("opencode.db")),
        Some(memory) if memory.as_os_str() == ":memory:" => {
            Err("OPENCODE_DB keeps the sessions in memory, where nobody else can read them".to_owned())
        }
        Some(path) if path.is_absolute() => Ok(path),
        Some(name) => Ok(data()?.join(name)),
    }
}

impl Harness for Opencode {
    fn name(&self) -> HarnessName {
        HarnessName::Opencode
    }

    fn shape(&self) -> &'static str {
        "`ses_`, 12 lower-case hex digits and 14 letters or digits"
    }

    fn store(&self, around: &Surroundings) -> Answer<PathBuf> {
        store::place(store::root(around, rule), Kind::File)
    }

    fn running(&self, around: &Surroundings) -> Answer<Vec<Owner>> {
        store::running(around, NAMES, rule)
    }

    fn session(&self, around: &Surroundings, id: &SessionId) -> Answer<Session> {
        sqlite::session(self, store::root(around, rule), id, state::session)
    }

    fn liveness(&self, around: &Surroundings, id: &SessionId) -> Liveness {
        let directory = || match self.session(around, id) {
            Answer::Found(session) => session.cwd,
            _ => None,
        };
        let answer =
            store::root(around, rule).and_then(|path| live::liveness(&around.proc, &path, id, directory));
        answer.unwrap_or_else(Liveness::Unknown)
    }

    fn fallback_model(&self, _around: &Surroundings, _directory: &Path) -> Answer<Inert> {
        Answer::Absent("opencode goes on with the session's own model".to_owned())
    }

    fn version(&self, program: &Program) -> Answer<Version> {
        let read = version::from_npm(&program.path, "opencode-ai");
        // The native program lies in a package of its platform.
        let read = match read {
            Ok(None) => version::from_npm(&program.path, "opencode"),
            read => read,
        };
        version::answer(program, read)
    }

    fn form(&self) -> Result<ResumeForm, &'static str> {
        Err(
            "opencode documents no fixed way to go on with a session without a person at its screen: go on by hand, \
             with `opencode -s ID` in the session's directory",
        )
    }

    fn created_since(&self, around: &Surroundings, places: &[&Path], since: i64) -> Answer<Vec<SessionId>> {
        let since = since.saturating_mul(1000);
        let began = Began { table: "session", columns: ["id", "directory", "time_created"], since };
        sqlite::began(self, store::root(around, rule), &began, places)
    }
}
