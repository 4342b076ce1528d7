//! Which session works in a lane's worktree: from the saver, the harness's own environment, its live registry, or
//! the handoff that is replaced; each one looked up by its exact id in that one store.

use std::ffi::OsStr;
use std::path::Path;

use super::narrative::LaneWord;
use crate::handoff::{HarnessName, Lane, SessionId, inert};
use crate::harness::{self, Answer, Session, Surroundings};

/// What is known of a lane's session.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The harness, the id, and the session as its store has it (`None`: the store cannot be read, the id stands in
    /// the replaced handoff).
    pub(super) session: Option<(HarnessName, SessionId, Option<Session>)>,
    /// How it came to be known, or why none is.
    pub(super) why: String,
}

/// The session of the worktree at `cwd`.
pub(super) fn of(around: &Surroundings, cwd: &Path, said: Option<&LaneWord>, before: &Lane) -> Known {
    if let Some(id) = said.and_then(|said| said.session_id.as_deref()) {
        return given(
            around,
            cwd,
            id,
            said.and_then(|said| said.harness.as_deref()).or(before.harness.map(HarnessName::as_str)),
        );
    }
    for name in HarnessName::ALL {
        let harness = harness::of(name);
        let variable = harness.session_variable();
        let named = variable.and_then(|variable| around.vars.get(OsStr::new(variable))?.to_str());
        if let Some(id) = named.and_then(|id| SessionId::parse(id).ok())
            && let Ok(session) = verified(around, name, &id, cwd)
        {
            let why = format!("session from {}, found in its store", variable.unwrap_or_default());
            return Known { session: Some((name, id, Some(session))), why };
        }
    }
    for name in HarnessName::ALL {
        let Answer::Found(live) = harness::of(name).live_in(around, cwd) else { continue };
        match live.as_slice() {
            [] => {}
            [id] => match verified(around, name, id, cwd) {
                Ok(session) => {
                    let why = format!("session from {}'s live registry, found in its store", name.as_str());
                    return Known { session: Some((name, id.clone(), Some(session))), why };
                }
                Err(why) => return Known { session: None, why },
            },
            several => {
                let why = format!("{} sessions of {} run here: name one", several.len(), name.as_str());
                return Known { session: None, why };
            }
        }
    }
    let (Some(name), Some(id)) = (before.harness, &before.session_id) else {
        return Known { session: None, why: "no session of this worktree is known".into() };
    };
    match lookup(around, name, id, cwd) {
        Answer::Found(session) => Known {
            session: Some((name, id.clone(), Some(session))),
            why: "session from the replaced handoff, found in its store".into(),
        },
        Answer::Absent(why) => {
            Known { session: None, why: format!("the recorded session {id} is not taken: {why}") }
        }
        Answer::Unknown(why) => Known {
            session: Some((name, id.clone(), None)),
            why: format!("session from the replaced handoff, not verified: {why}"),
        },
    }
}

/// A session that the saver named: one that cannot be proved is not recorded.
fn given(around: &Surroundings, cwd: &Path, id: &str, harness: Option<&str>) -> Known {
    let refused =
        |why: String| Known { session: None, why: format!("the given session id is not recorded: {why}") };
    let Some(name) = harness.and_then(HarnessName::parse) else {
        return refused("no known harness was given with it".into());
    };
    let id = match SessionId::parse(id) {
        Ok(id) => id,
        Err(why) => return refused(format!("{} is {why}", inert::one_line(&inert::shown(id)))),
    };
    match verified(around, name, &id, cwd) {
        Ok(session) => Known {
            session: Some((name, id, Some(session))),
            why: "session as given, found in its store".into(),
        },
        Err(why) => refused(why),
    }
}

fn verified(around: &Surroundings, name: HarnessName, id: &SessionId, cwd: &Path) -> Result<Session, String> {
    match lookup(around, name, id, cwd) {
        Answer::Found(session) => Ok(session),
        Answer::Absent(why) | Answer::Unknown(why) => Err(why),
    }
}

/// The session of exactly this id, if it worked in this directory.
fn lookup(around: &Surroundings, name: HarnessName, id: &SessionId, cwd: &Path) -> Answer<Session> {
    let harness = harness::of(name);
    if !harness.owns_shape(id) {
        return Answer::Absent(format!("{id} is no id of {}, which has {}", name.as_str(), harness.shape()));
    }
    match harness.session(around, id) {
        Answer::Found(session) => {
            let real = |path: &Path| path.canonicalize().ok();
            match session.cwd.as_deref() {
                None => Answer::Unknown("its store does not say in which directory it worked".into()),
                Some(own) if real(own).is_some() && real(own) == real(cwd) => Answer::Found(session),
                Some(_) => Answer::Absent(format!("{id} worked in another directory")),
            }
        }
        other => other,
    }
}
