//! Words that stand in a form and are not saved yet, kept on a thread of its own while they are typed: whatever ends
//! the screen, at most the last second of typing is lost.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use chrono::{DateTime, Local};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};

use super::super::action::Answer;
use super::super::action::save::{LeftWords, SaveAnswer, Words};
use super::Post;
use crate::check::Examiner;
use crate::handoff::{Moment, secrets};
use crate::save::kept::{self, Left, Slot};
use crate::save::narrative::Narrative;

/// The time between two writes while somebody types: what a kill costs them, and all that a disk is asked for.
const PAUSE: Duration = Duration::from_secs(1);
/// How long the end of the screen waits for the disk.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is to be done with words.
pub(super) enum Order {
    /// Keep them, in the place of those before.
    Keep(Words),
    /// Look whether a screen before this one left some.
    Recall,
    /// Those are in the form now.
    GoOn,
    /// Keep them at once, and say where.
    Last(Words, Sender<Result<PathBuf, String>>),
}

/// The thread that keeps words.
pub(super) struct Keeping {
    orders: Sender<(u64, Order)>,
}

impl Keeping {
    pub(super) fn start(examiner: Arc<Examiner>, post: Post) -> Self {
        let (orders, asked) = unbounded();
        let keeper = Keeper { examiner, post, own: None, left: None, has_failed: false };
        thread::spawn(move || keeper.work(&asked));
        Self { orders }
    }

    pub(super) fn order(&self, ticket: u64, order: Order) {
        let _ = self.orders.send((ticket, order));
    }

    /// Keeps words at the end of the screen; gives where.
    pub(super) fn keep_last(&self, words: Words) -> Result<PathBuf, String> {
        let (say, said) = bounded(1);
        self.order(0, Order::Last(words, say));
        said.recv_timeout(PATIENCE).unwrap_or_else(|_| Err("the disk does not answer".into()))
    }
}

/// What the thread has at hand.
struct Keeper {
    examiner: Arc<Examiner>,
    post: Post,
    /// Where this screen's words lie, once there were some.
    own: Option<Slot>,
    /// What was found of a screen before, held so that no other one offers it.
    left: Option<Left>,
    /// That nothing can be kept was said; once is enough.
    has_failed: bool,
}

impl Keeper {
    fn work(mut self, orders: &Receiver<(u64, Order)>) {
        let mut waiting: Option<(Instant, u64, Words)> = None;
        loop {
            let order = match &waiting {
                None => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some((due, ..)) => orders.recv_deadline(*due),
            };
            match order {
                // Of what is typed within the pause only the last is written.
                Ok((ticket, Order::Keep(words))) => {
                    let due = waiting.take().map_or_else(|| Instant::now() + PAUSE, |(due, ..)| due);
                    match words.text {
                        Some(_) => waiting = Some((due, ticket, words)),
                        None => self.clear(),
                    }
                }
                Ok((ticket, Order::Recall)) => self.recall(ticket),
                Ok((_, Order::GoOn)) => self.go_on(),
                Ok((_, Order::Last(words, say))) => {
                    waiting = None;
                    let _ = say.send(self.keep(&words));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Some((_, ticket, words)) = waiting.take() {
                        self.write(ticket, &words);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Keeps words; what prevents it is said once.
    fn write(&mut self, ticket: u64, words: &Words) {
        if let Err(why) = self.keep(words)
            && !std::mem::replace(&mut self.has_failed, true)
        {
            self.post.answer(Answer::Save(ticket, SaveAnswer::NotKept(why)));
        }
    }

    fn keep(&mut self, words: &Words) -> Result<PathBuf, String> {
        let text = words.text.as_deref().unwrap_or_default();
        if !secrets::find(text).is_empty() {
            return Err("a secret stands in it".into());
        }
        let own = match self.own.take() {
            Some(own) => own,
            None => {
                let state = self.examiner.state_dir().ok_or("no home directory is known")?;
                Slot::free(&state, self.examiner.project()).map_err(|why| why.to_string())?
            }
        };
        self.own.insert(own).keep(words.family, text).map_err(|why| why.to_string())
    }

    /// The words were saved, or taken back.
    fn clear(&mut self) {
        if let Some(own) = &self.own {
            // What stays is offered once more, and can be looked at then.
            let _late = own.clear();
        }
    }

    fn recall(&mut self, ticket: u64) {
        if self.left.is_none() {
            let Some(state) = self.examiner.state_dir() else { return };
            // What cannot be read cannot be offered; what cannot be written is said when something is typed.
            self.left = kept::left(&state, self.examiner.project()).ok().flatten();
        }
        let Some(left) = &self.left else { return };
        let Ok(said) = Narrative::parse(&left.words) else { return };
        let words = LeftWords { family: left.family, said, at: moment(left.at) };
        self.post.answer(Answer::Save(ticket, SaveAnswer::Left(Box::new(words))));
    }

    /// What was left is this screen's own now.
    fn go_on(&mut self) {
        if let Some(left) = self.left.take() {
            self.clear();
            self.own = Some(left.slot);
        }
    }
}

fn moment(at: SystemTime) -> Moment {
    Moment::Instant(DateTime::<Local>::from(at).fixed_offset())
}
