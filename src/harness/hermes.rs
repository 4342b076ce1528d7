//! Hermes: where its sessions lie, who may be at one, and how one is gone on with.

use std::path::{Path, PathBuf};

use super::sqlite::{self, Began};
use super::store::{self, Lookup};
use super::{Answer, Harness, Liveness, Owner, Program, ResumeForm, Session, Surroundings, Version, version};
use crate::disk::Kind;
use crate::handoff::{HarnessName, Inert, SessionId};

mod config;
mod live;
mod state;
#[cfg(test)]
mod tests;

/// Hermes.
pub(super) struct Hermes;

/// The names that the client's own process goes by.
const NAMES: &[&str] = &["hermes", "hermes-agent", "hermes-acp"];

/// Where all profiles lie: `$HERMES_HOME`, else `~/.hermes`. A home that is itself one profile's directory belongs to
/// the root two levels up.
fn rule(lookup: Lookup<'_>) -> Result<PathBuf, String> {
    let home = store::by_variable(lookup, "HERMES_HOME", ".hermes")?;
    Ok(match profile_of(&home) {
        Some(root) => root.to_owned(),
        None => home,
    })
}

/// The root that a profile's directory belongs to.
fn profile_of(home: &Path) -> Option<&Path> {
    let profiles = home.parent()?;
    (profiles.file_name()? == "profiles").then(|| profiles.parent()).flatten()
}

/// The directory of the profile that a start without further words works in: the one that the environment names,
/// else the one that the person made the active one, else the root.
fn home(around: &Surroundings) -> Result<PathBuf, String> {
    let named = store::root(around, |lookup| store::by_variable(lookup, "HERMES_HOME", ".hermes"))?;
    if profile_of(&named).is_some() {
        return Ok(named);
    }
    let root = store::root(around, rule)?;
    match config::active_profile(&root)? {
        None => Ok(root),
        Some(name) => {
            let home = root.join("profiles").join(name);
            match home.is_dir() {
                true => Ok(home),
                false => Err(format!("the active profile's directory {} is not there", home.display())),
            }
        }
    }
}

fn database(around: &Surroundings) -> Result<PathBuf, String> {
    Ok(home(around)?.join("state.db"))
}

impl Harness for Hermes {
    fn name(&self) -> HarnessName {
        HarnessName::Hermes
    }

    fn shape(&self) -> &'static str {
        "`YYYYMMDD_HHMMSS_` and 6 or 8 lower-case hex digits"
    }

    fn store(&self, around: &Surroundings) -> Answer<PathBuf> {
        store::place(database(around), Kind::File)
    }

    fn running(&self, around: &Surroundings) -> Answer<Vec<Owner>> {
        store::running(around, NAMES, rule)
    }

    fn session(&self, around: &Surroundings, id: &SessionId) -> Answer<Session> {
        sqlite::session(self, database(around), id, state::session)
    }

    fn liveness(&self, around: &Surroundings, id: &SessionId) -> Liveness {
        let answer = store::root(around, rule)
            .and_then(|root| live::liveness(&around.proc, &root, &home(around)?, id));
        answer.unwrap_or_else(Liveness::Unknown)
    }

    fn fallback_model(&self, around: &Surroundings, _directory: &Path) -> Answer<Inert> {
        match home(around) {
            Ok(home) => config::model(&home),
            Err(reason) => Answer::Unknown(reason),
        }
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

    fn created_since(&self, around: &Surroundings, places: &[&Path], since: i64) -> Answer<Vec<SessionId>> {
        let began = Began { table: "sessions", columns: ["id", "cwd", "started_at"], since };
        sqlite::began(self, database(around), &began, places)
    }
}
