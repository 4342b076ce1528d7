//! The plan that takes an action back, from the log, in this session or a later one.

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
    let taken = |path: &std::path::Path| disk::is_taken(path);
    let taken_with_note =
        |path: &std::path::Path| disk::is_taken(path) || disk::is_taken(&Origin::beside(path));
    let (mut names, mut names_with_note) = (Names::new(&taken), Names::new(&taken_with_note));
    let mut indices = Vec::new();
    // The last move goes back first.
    for &index in action.standing.iter().flatten().rev() {
        let Some(way) = action.moves.get(index).map(Move::back) else { continue };
        match act::stamp(&way.from) {
            Ok(Some(stamp)) if way.digest.as_ref() == Some(&stamp.digest) => {}
            Ok(Some(_)) => {
                plan.spare(&way.from.path, "changed since: it stays as it is");
                continue;
            }
            Ok(None) => {
                plan.spare(&way.from.path, "is not there any more");
                continue;
            }
            Err(error) => {
                plan.spare(&way.from.path, &error.to_string());
                continue;
            }
        }
        let before = plan.moves.len();
        let names = if way.to.note.is_some() { &mut names_with_note } else { &mut names };
        plan.add(names, way.from, way.to, way.bytes, way.digest, usize::MAX);
        if plan.moves.len() > before {
            indices.push(index);
        }
    }
    plan.undoes = Some(Undoes { action: action.id.clone(), moves: indices });
    plan.leftover = action.made.clone();
    plan
}
