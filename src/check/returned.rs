//! A session id that somebody else found: taken in as data, and believed only after the one store that it would stand
//! in was read by exactly that id.
//!
//! | refused as | what it is |
//! |---|---|
//! | `not_an_id` | a title, a file name, a hint text, another harness's id: not of this harness's own shape |
//! | `foreign_directory` | the directory that was asked for is none of this project's worktrees |
//! | `not_in_store` | the store was read and has no such session |
//! | `archived` | the harness has put it away |
//! | `rows_disagree` | the name says this id, the rows inside say another one |
//! | `other_directory` | it worked in another directory of this project |
//! | `other_project` | it worked in another project |
//! | `unknown` | it cannot be told |

use std::path::Path;

use super::Examiner;
use super::survey::directory_id;
use crate::handoff::{HarnessName, SessionId};
use crate::harness::{self, Answer, Session};
use crate::repo::Repo;

/// Why a returned id is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The name of the refusal.
    pub name: &'static str,
    /// The same for people.
    pub reason: String,
}

impl Refused {
    /// Whether nothing contradicts the id: it only cannot be told.
    pub fn is_unknown(&self) -> bool {
        self.name == "unknown"
    }
}

fn refused<T>(name: &'static str, reason: impl Into<String>) -> Result<T, Refused> {
    Err(Refused { name, reason: reason.into() })
}

/// Verifies an id for one directory of the examiner's project.
///
/// # Errors
/// [`Refused`], by name.
pub fn verify(
    examiner: &Examiner,
    harness: HarnessName,
    returned: &str,
    cwd: &Path,
) -> Result<(SessionId, Session), Refused> {
    let client = harness::of(harness);
    let word = harness.as_str();
    let id = match SessionId::parse(returned) {
        Ok(id) if client.owns_shape(&id) => id,
        _ => {
            let shape = client.shape();
            let reason = format!("{word}'s ids are {shape}; a title, a file name or a hint is no session id");
            return refused("not_an_id", reason);
        }
    };
    if !is_own(examiner, cwd) {
        return refused("foreign_directory", format!("{} is no worktree of this project", cwd.display()));
    }
    let session = match client.session(examiner.around(), &id) {
        Answer::Found(session) => session,
        Answer::Absent(why) => return refused("not_in_store", why),
        Answer::Unknown(why) => return refused("unknown", why),
    };
    if session.archived {
        return refused("archived", format!("{word} has put this session away"));
    }
    if session.ids_inside.iter().any(|inside| inside != id.as_str()) {
        return refused("rows_disagree", "the rows inside the session's file say another id than its name");
    }
    if session.ids_inside.is_empty() {
        return refused("unknown", "no row inside the session's file says its id");
    }
    let Some(own) = session.cwd.as_deref() else {
        return refused("unknown", "the store does not say in which directory the session worked");
    };
    match (directory_id(own), directory_id(cwd)) {
        (Ok(own), Ok(asked)) if own == asked => Ok((id, session)),
        (_, Err(why)) => refused("unknown", why.to_string()),
        _ if is_own(examiner, own) => {
            refused("other_directory", format!("the session worked in {}", own.display()))
        }
        _ => refused("other_project", format!("the session worked in {}", own.display())),
    }
}

/// Whether a directory is the project or one of its worktrees, by file identity.
fn is_own(examiner: &Examiner, directory: &Path) -> bool {
    let Ok(asked) = directory_id(directory) else { return false };
    let is_asked = |path: &Path| directory_id(path).is_ok_and(|id| id == asked);
    if is_asked(examiner.project()) {
        return true;
    }
    let Ok(repo) = examiner.repo_around(examiner.project()) else { return false };
    let worktrees: Vec<_> = Repo::worktrees(&repo).unwrap_or_default();
    worktrees.iter().any(|worktree| is_asked(&worktree.path))
}
