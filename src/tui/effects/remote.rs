//! The comparison with the remote: questions that wait for a yes, and the git that asks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::super::action::Answer;
use super::super::effect::RemoteOrder;
use super::Post;
use crate::check::Examiner;
use crate::resume::{Comparison, Question, Stopper};

/// At most one comparison: its ticket, and what there is of it.
pub(super) struct Remotes {
    post: Post,
    current: Arc<Mutex<Option<(u64, State)>>>,
}

enum State {
    /// Put together; it waits for a yes.
    Question(Question),
    /// git asks.
    Running(Stopper),
}

impl Remotes {
    pub(super) fn new(post: Post) -> Self {
        Self { post, current: Arc::default() }
    }

    pub(super) fn order(&self, examiner: &Arc<Examiner>, ticket: u64, order: RemoteOrder) {
        match order {
            RemoteOrder::Prepare => self.prepare(examiner.clone(), ticket),
            RemoteOrder::Ask => self.ask(examiner.clone(), ticket),
            RemoteOrder::End => self.end(),
        }
    }

    /// Puts the question together. It stays here; the screen gets its words.
    fn prepare(&self, examiner: Arc<Examiner>, ticket: u64) {
        let (post, current) = (self.post.clone(), self.current.clone());
        thread::spawn(move || {
            let prepared = match Question::of(&examiner) {
                Ok(question) => {
                    let words = question.words();
                    *lock(&current) = Some((ticket, State::Question(question)));
                    Ok(words)
                }
                Err(why) => Err(Comparison::NotCompared(why).words()),
            };
            post.answer(Answer::RemotePrepared(ticket, prepared));
        });
    }

    /// Asks exactly what was shown, once.
    fn ask(&self, examiner: Arc<Examiner>, ticket: u64) {
        let Some((_, State::Question(question))) = lock(&self.current).take_if(|(of, _)| *of == ticket)
        else {
            return;
        };
        let (post, current) = (self.post.clone(), self.current.clone());
        thread::spawn(move || {
            let said = match question.ask(&examiner) {
                Ok(asking) => {
                    *lock(&current) = Some((ticket, State::Running(asking.stopper())));
                    asking.finish()
                }
                Err(answer) => *answer,
            };
            post.answer(Answer::RemoteSaid(ticket, said.words()));
        });
    }

    /// Ends the git that asks, and forgets the question.
    pub(super) fn end(&self) {
        if let Some((_, State::Running(stopper))) = lock(&self.current).take() {
            // It works on nothing: there is no grace to give. After its end this does nothing.
            for _ in 0..3 {
                stopper.stop();
            }
        }
    }
}

fn lock(current: &Mutex<Option<(u64, State)>>) -> MutexGuard<'_, Option<(u64, State)>> {
    current.lock().unwrap_or_else(PoisonError::into_inner)
}
