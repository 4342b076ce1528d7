//! What a person can do about a save that the system refused.

use std::path::{Path, PathBuf};

use super::file::{Around, NotWritten};
use crate::disk::{DiskError, Obstacle, WriteError};
use crate::handoff::{Inert, inert};

/// What to do next, in a sentence or two; `None` where the reason says it all.
pub(super) fn of(why: &NotWritten, around: &Around) -> Option<String> {
    let NotWritten::Refused(WriteError::Disk(DiskError::NotWritable { path, obstacle, .. })) = why else {
        return None;
    };
    let there = directory(path);
    let shown = inert::one_line(&inert::shown(&there.to_string_lossy()));
    let stands = match obstacle {
        Obstacle::Denied => format!("You may not write in {shown}"),
        Obstacle::ReadOnly => format!("The file system of {shown} is read-only"),
        Obstacle::Full => format!("There is no room left for it on the file system of {shown}"),
    };
    let next = match (owner(path, around), obstacle) {
        (Owner::State, _) => {
            "Locks and the log lie there: make it possible, or set XDG_STATE_HOME to another directory."
        }
        (Owner::Trash, _) => {
            "The replaced bytes are kept there: make it possible, or nothing can be replaced."
        }
        (Owner::Project, Obstacle::Full) => "Make room, or save to another place.",
        (Owner::Project, _) => "Make it possible, or save to another place.",
    };
    Some(format!("Nothing was changed. {stands}. {next}"))
}

/// Whose directory it is that cannot be written.
enum Owner {
    State,
    Trash,
    Project,
}

fn owner(path: &Path, around: &Around) -> Owner {
    match () {
        () if path.starts_with(&around.state) => Owner::State,
        () if path.starts_with(around.home.join(crate::place::TRASH)) => Owner::Trash,
        () => Owner::Project,
    }
}

/// The nearest directory above a path that is there.
fn directory(path: &Path) -> PathBuf {
    let above = path.ancestors().skip(1);
    above.into_iter().find(|above| above.is_dir()).unwrap_or(path).to_owned()
}

/// The reason and what to do next, as one text.
pub(super) fn told(why: &NotWritten, around: &Around) -> String {
    let reason = match why {
        // The difference is lines of its own, and safe to show already.
        NotWritten::Changed { .. } => why.to_string(),
        other => Inert::from(other.to_string()).shown(),
    };
    of(why, around).map_or(reason.clone(), |advice| format!("{reason}\n{advice}"))
}
