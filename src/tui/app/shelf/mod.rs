//! Handoffs put away from the screen: which ones are meant, the plan, the yes, and what was done.

mod keys;
mod marks;

use std::path::PathBuf;
use std::sync::Arc;

use tui_input::Input;

pub use marks::Marks;

use super::super::action::shelf::{ShelfAnswer, Wish};
use super::super::effect::Effect;
use super::super::keymap::{Command, Context};
use super::{Overlay, State};
use crate::shelf::{Done, Plan, Verb};

/// One action of the shelf, from the wish to its end.
#[derive(Debug)]
pub struct Tidy {
    /// Names it in answers.
    pub ticket: u64,
    /// What is wanted.
    pub wish: Wish,
    /// How far it has come.
    pub step: Step,
}

/// How far an action has come.
#[derive(Debug)]
pub enum Step {
    /// The plan is made.
    Planning,
    /// Nothing can be done, with the reason.
    Refused(String),
    /// The plan waits for a yes.
    Asking(Arc<Plan>),
    /// Another place is typed for the one handoff of this plan.
    Placing(Arc<Plan>, Input),
    /// A yes was given: so many files are done, and this one is next.
    Moving(Arc<Plan>, usize, PathBuf),
    /// It has ended.
    Done(Arc<Plan>, Done),
}

impl Tidy {
    /// Where the keys go.
    pub fn context(&self) -> Context {
        match &self.step {
            Step::Planning | Step::Refused(_) => Context::Planning,
            Step::Asking(_) => Context::Tidying,
            Step::Placing(..) => Context::Placing,
            Step::Moving(..) => Context::Moving,
            Step::Done(..) => Context::Tidied,
        }
    }

    /// Whether a command would do something now.
    pub fn can(&self, command: Command) -> bool {
        match (&self.step, command) {
            (Step::Asking(plan), Command::Yes) => !plan.is_empty(),
            (Step::Asking(plan), Command::Evict) => !plan.evict.is_empty(),
            (Step::Asking(plan), Command::Place) => {
                plan.verb == Verb::PutBack && plan.moves.len() + plan.spared.len() == 1
            }
            (Step::Done(plan, done), Command::Undo) => {
                plan.verb != Verb::Undo && done.action.is_some() && done.moved() > 0
            }
            (Step::Done(..), _) => true,
            _ => false,
        }
    }
}

impl State {
    /// The action of the shelf that lies over the panes.
    pub fn tidy(&self) -> Option<&Tidy> {
        match &self.overlay {
            Some(Overlay::Shelf(tidy)) => Some(tidy),
            _ => None,
        }
    }

    fn tidy_mut(&mut self) -> Option<&mut Tidy> {
        match &mut self.overlay {
            Some(Overlay::Shelf(tidy)) => Some(tidy),
            _ => None,
        }
    }

    /// Takes in what a worker found out; what is about another action is late and dropped.
    pub(super) fn shelf_answered(&mut self, ticket: u64, answer: ShelfAnswer) -> Vec<Effect> {
        if let ShelfAnswer::Settled(said) = answer {
            self.notice = Some((said.join("; "), true));
            return self.refresh();
        }
        let Some(tidy) = self.tidy_mut().filter(|tidy| tidy.ticket == ticket) else { return Vec::new() };
        match (answer, &mut tidy.step) {
            (ShelfAnswer::Planned(planned), Step::Planning) => {
                tidy.step = match planned {
                    Ok(plan) => Step::Asking(Arc::from(plan)),
                    Err(why) => Step::Refused(why),
                };
            }
            (ShelfAnswer::Moving(count, path), Step::Moving(_, done, next)) => {
                (*done, *next) = (count, path);
                return Vec::new();
            }
            (ShelfAnswer::Done(done), Step::Moving(plan, ..)) => {
                tidy.step = match done {
                    Ok(done) => Step::Done(plan.clone(), done),
                    Err(why) => Step::Refused(why),
                };
                let restored = match &tidy.step {
                    Step::Done(plan, done) if plan.verb == Verb::Undo => done.arrived().cloned().collect(),
                    _ => Vec::new(),
                };
                self.overlay_top = 0;
                self.marks.clear();
                // What came back is the selected row.
                self.wanted = restored;
                return self.refresh();
            }
            _ => return Vec::new(),
        }
        self.overlay_top = 0;
        Vec::new()
    }
}
