//! The plan that takes an action back, from the log, in this session or a later one.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::act::ShelfError;
use super::journal::{Action, Journal};
use super::model::{Move, Plan, Undoes, Verb};
use super::names::Names;
use super::{Shelf, act};
use crate::disk;
use crate::place::Origin;

impl Shelf {
    /// The plan that takes back the action `id` (or a unique beginning of its id), or the last one that still
    /// stands. What is no longer there as it was is spared, and said; where a name is taken by now, another one is
    /// given.
    ///
    /// # Errors
    /// [`ShelfError::Nothing`] where no such action stands, [`ShelfError::Disk`] where the log cannot be read.
    pub fn undo(&self, id: Option<&str>) -> Result<Plan, ShelfError> {
        let actions = Journal::of(&self.state).read()?;
        let stands = |action: &&Action| {
            action.verb != Verb::Undo && action.standing.as_ref().is_some_and(|standing| !standing.is_empty())
        };
        let fits = |action: &&Action| id.is_none_or(|id| action.id.starts_with(id));
        let mut found = actions.iter().rev().filter(stands).filter(fits);
        let action = match (found.next(), id) {
            (Some(_), Some(id)) if id.len() < 4 || found.next().is_some() => {
                return Err(ShelfError::Nothing(format!(
                    "{} names no single action",
                    crate::handoff::inert::shown(id)
                )));
            }
            (Some(action), _) => action,
            (None, Some(_)) => return Err(ShelfError::Nothing("no such action is left to undo".to_owned())),
            (None, None) => return Err(ShelfError::Nothing("there is nothing to undo".to_owned())),
        };
        Ok(plan(action))
    }
}

fn plan(action: &Action) -> Plan {
    let mut plan = Plan::of(Verb::Undo);
    // A name that an earlier move of this plan gives up is free for the later ones.
    let given_up = RefCell::new(HashSet::<PathBuf>::new());
    let taken = |path: &Path| disk::is_taken(path) && !given_up.borrow().contains(path);
    let taken_with_note = |path: &Path| taken(path) || disk::is_taken(&Origin::beside(path));
    let (mut names, mut names_with_note) = (Names::new(&taken), Names::new(&taken_with_note));
    let mut indices = Vec::new();
    // The last move goes back first.
    for &index in action.standing.iter().flatten().rev() {
        let Some(way) = action.moves.get(index).map(Move::back) else { continue };
        if let Some(reason) = moved_on(&way) {
            plan.spare(&way.from.path, &reason);
            continue;
        }
        let (before, from) = (plan.moves.len(), way.from.path.clone());
        let names = if way.to.note.is_some() { &mut names_with_note } else { &mut names };
        plan.add(names, way.from, way.to, way.bytes, way.digest, usize::MAX);
        if plan.moves.len() > before {
            indices.push(index);
            given_up.borrow_mut().insert(from);
        }
    }
    if action.verb == Verb::Save && !plan.spared.is_empty() {
        // Half of a save taken back would be two files where one was.
        plan.moves.clear();
        indices.clear();
    }
    plan.undoes = Some(Undoes { action: action.id.clone(), moves: indices });
    plan.leftover = action.made.clone();
    plan
}

/// Why a file cannot go back: it is not what the action left there.
fn moved_on(way: &Move) -> Option<String> {
    match act::stamp(&way.from) {
        Ok(Some(stamp)) if way.digest.as_ref() == Some(&stamp.digest) => None,
        Ok(Some(_)) => Some("changed since: it stays as it is".to_owned()),
        Ok(None) => Some("is not there any more".to_owned()),
        Err(error) => Some(error.to_string()),
    }
}
