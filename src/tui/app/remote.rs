//! This checkout against its remote: what would be asked, the yes, and the answer.

use super::super::effect::{Effect, RemoteOrder};
use super::{Overlay, State};

/// The comparison, from the question to the answer.
#[derive(Debug)]
pub struct Remote {
    /// Names this comparison in answers.
    pub ticket: u64,
    /// How far it has come.
    pub step: Step,
}

/// How far a comparison has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// What would be asked is put together.
    Preparing,
    /// It waits for a yes.
    Asking {
        /// Exactly what would be asked, line by line.
        words: Vec<String>,
        /// Every line of it has been on the screen.
        seen: bool,
    },
    /// git asks.
    Waiting,
    /// The answer in one sentence.
    Said(String),
}

impl State {
    pub(super) fn open_remote(&mut self) -> Vec<Effect> {
        self.ticket += 1;
        let ticket = self.ticket;
        self.lay_over(Overlay::Remote(Remote { ticket, step: Step::Preparing }));
        vec![Effect::Remote(ticket, RemoteOrder::Prepare)]
    }

    /// The comparison on the screen.
    pub fn remote(&self) -> Option<&Remote> {
        match &self.overlay {
            Some(Overlay::Remote(remote)) => Some(remote),
            _ => None,
        }
    }

    /// The same, where it is the one that an answer is for.
    fn remote_of(&mut self, ticket: u64) -> Option<&mut Remote> {
        match &mut self.overlay {
            Some(Overlay::Remote(remote)) if remote.ticket == ticket => Some(remote),
            _ => None,
        }
    }

    /// The yes. It needs everything that would be asked to have been on the screen: until then it only reads on.
    pub(super) fn ask_remote(&mut self) -> Vec<Effect> {
        let Some(Overlay::Remote(remote)) = &mut self.overlay else { return Vec::new() };
        match remote.step {
            Step::Asking { seen: false, .. } => {
                self.page(1);
                Vec::new()
            }
            Step::Asking { .. } => {
                remote.step = Step::Waiting;
                vec![Effect::Remote(remote.ticket, RemoteOrder::Ask)]
            }
            Step::Preparing | Step::Waiting | Step::Said(_) => Vec::new(),
        }
    }

    /// Closes it; git is ended, and an answer that comes late is dropped.
    pub(super) fn close_remote(&mut self) -> Vec<Effect> {
        let ticket = self.remote().map(|remote| remote.ticket);
        self.overlay = None;
        ticket.map(|ticket| Effect::Remote(ticket, RemoteOrder::End)).into_iter().collect()
    }

    /// What would be asked, or why there is nothing to ask.
    pub(super) fn remote_prepared(&mut self, ticket: u64, prepared: Result<Vec<String>, String>) {
        if let Some(remote) = self.remote_of(ticket) {
            remote.step = match prepared {
                Ok(words) => Step::Asking { words, seen: false },
                Err(why) => Step::Said(why),
            };
        }
    }

    /// The answer.
    pub(super) fn remote_said(&mut self, ticket: u64, sentence: String) {
        if let Some(remote) = self.remote_of(ticket) {
            remote.step = Step::Said(sentence);
            self.overlay_top = 0;
        }
    }
}
