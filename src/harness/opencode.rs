//! OpenCode: where its sessions lie, and who may be at one. It has no fixed way to go on with one unattended.

use std::path::{Path, PathBuf};

use super::sqlite;
use super::store::{self, Lookup};
use super::{Answer, Harness, Liveness, Owner, Program, ResumeForm, Session, Surroundings, Version, version};
use crate::handoff::{HarnessName, Inert, SessionId, has_own_shape};

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
        store::place(store::root(around, rule))
    }

    fn running(&self, around: &Surroundings) -> Answer<Vec<Owner>> {
        store::running(around, NAMES, rule)
    }

    fn session(&self, around: &Surroundings, id: &SessionId) -> Answer<Session> {
        if !has_own_shape(HarnessName::Opencode, id) {
            return Answer::Unknown(format!("{id} is not {}, so it was not looked for", self.shape()));
        }
        let path = match store::root(around, rule) {
            Ok(path) => path,
            Err(reason) => return Answer::Unknown(reason),
        };
        match sqlite::open(&path).and_then(|database| match database {
            Some(database) => state::session(&database, id.as_str()),
            None => Ok(None),
        }) {
            Ok(Some(session)) => Answer::Found(session),
            Ok(None) => Answer::Absent(format!("no session of this id in {}", path.display())),
            Err(reason) => Answer::Unknown(reason),
        }
    }

    fn liveness(&self, around: &Surroundings, id: &SessionId) -> Liveness {
        let answer = store::root(around, rule).and_then(|path| live::liveness(&around.proc, &path, id));
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
        Err("opencode documents no fixed way to go on with a session without a person at its screen")
    }

    fn created_since(&self, around: &Surroundings, cwd: &Path, since: i64) -> Answer<Vec<SessionId>> {
        let path = match store::root(around, rule) {
            Ok(path) => path,
            Err(reason) => return Answer::Unknown(reason),
        };
        let since = since.saturating_mul(1000);
        let rows = match sqlite::open(&path) {
            Ok(Some(database)) => {
                let needed = ["id", "directory", "time_created"];
                database.rows("session", &needed, &[], "time_created >= ?1", &[&since])
            }
            Ok(None) => return Answer::Absent(format!("{} is not there", path.display())),
            Err(reason) => return Answer::Unknown(reason),
        };
        match rows {
            Ok(rows) => Answer::Found(sqlite::ids_in(&rows, cwd, HarnessName::Opencode)),
            Err(reason) => Answer::Unknown(reason),
        }
    }
}
