//! The shelf: handoffs that are put away, and how each of them comes back.
//!
//! Age goes to an `archive/` beside the file, a person's discard to the trash in the home directory. Nothing is ever
//! replaced by a move, nothing is deleted but what a person was shown by name, and every action can be undone while
//! the bytes are there.
//!
//! | part | what it does | touches the world? |
//! |---|---|---|
//! | [`plan`](mod@plan) | rows → what moves where, what collides, what stays and why | looks at names |
//! | [`cleanup`] | which handoffs are old enough, and what is spared | no |
//! | [`names`] | the first free name | no |
//! | [`trash`] | what lies in the trash, and what its quota says | reads |
//! | [`Shelf::act`] | a plan that a person saw: log, move, log | yes |
//! | [`Shelf::undo`] | the plan that takes back an action, of this project where none is named | reads |
//! | [`Shelf::overwriting`] | old bytes kept before a save | yes |
//! | `recover` | an action that was cut off: finished or taken back, and said | yes |
//! | `journal` | one line before, one line after | yes |
//! | `shorten` | what of the log is still needed | looks at names |
//!
//! The log lies in the state directory, one for all projects; it keeps what can still be undone, at most the newest
//! thousand actions. An action whose second line is missing was cut off; the next one that writes settles it first.
//! Reading verbs only say that it is there.

pub mod act;
pub mod cleanup;
mod journal;
mod keep;
mod model;
pub mod names;
pub mod plan;
mod recover;
mod shorten;
#[cfg(test)]
mod tests;
pub mod trash;
mod undo;

use std::path::PathBuf;

pub use act::{Done, Fate, Outcome, Progress, ShelfError};
pub use keep::{Overwrite, Overwriting};
pub use model::{End, Move, PassedOver, Plan, Quota, Spared, Told, Verb, handoffs};
pub use recover::{Settled, save_lock};

use crate::check::Examiner;

/// Where put-away handoffs and the log of putting them away lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    /// The home directory, in which the trash lies.
    pub home: PathBuf,
    /// moorline's state directory, in which the log and the lock lie.
    pub state: PathBuf,
    /// The project from which it is worked at: an undo without an id is about this one.
    pub project: PathBuf,
}

impl Shelf {
    /// The shelf of this person; `None` where no home directory is known.
    pub fn of(examiner: &Examiner) -> Option<Self> {
        let project = examiner.project().to_owned();
        Some(Self { home: examiner.around().home.clone()?, state: examiner.state_dir()?, project })
    }
}
