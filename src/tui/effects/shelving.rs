//! Handoffs put away and brought back: a plan is made, and after a yes exactly that is done.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use chrono::{DateTime, FixedOffset, Local};
use crossbeam_channel::{Receiver, Sender, unbounded};

use super::super::action::Answer;
use super::super::action::shelf::{ShelfAnswer, Wish};
use super::super::effect::ShelfOrder;
use super::Post;
use crate::check::Examiner;
use crate::shelf::plan::{self, Ask};
use crate::shelf::{Plan, Shelf, cleanup};

/// The time between two posts of how far it has come.
const POSTS: Duration = Duration::from_millis(60);

/// The thread that works at the shelf, one order after the other.
pub(super) struct Shelving {
    orders: Sender<(Arc<Examiner>, u64, ShelfOrder)>,
    stop: Arc<AtomicBool>,
}

impl Shelving {
    pub(super) fn start(post: Post) -> Self {
        let (orders, asked) = unbounded();
        let stop = Arc::<AtomicBool>::default();
        let bench = Bench { post, stop: stop.clone(), plan: None };
        thread::spawn(move || bench.work(&asked));
        Self { orders, stop }
    }

    pub(super) fn order(&self, examiner: &Arc<Examiner>, ticket: u64, order: ShelfOrder) {
        match order {
            ShelfOrder::Stop => self.stop.store(true, Ordering::SeqCst),
            order => drop(self.orders.send((examiner.clone(), ticket, order))),
        }
    }
}

/// What the thread has at hand.
struct Bench {
    post: Post,
    stop: Arc<AtomicBool>,
    /// What was shown and may be done.
    plan: Option<(u64, Plan)>,
}

impl Bench {
    fn work(mut self, orders: &Receiver<(Arc<Examiner>, u64, ShelfOrder)>) {
        while let Ok((examiner, ticket, order)) = orders.recv() {
            let Some(shelf) = Shelf::of(&examiner) else {
                let why = "No home directory is known: set HOME.".to_owned();
                self.say(ticket, ShelfAnswer::Planned(Err(why)));
                continue;
            };
            match order {
                ShelfOrder::Settle => drop(self.settle(&shelf, ticket)),
                ShelfOrder::Plan(wish) => {
                    let planned = self.settle(&shelf, ticket).and_then(|()| make(&examiner, &shelf, wish));
                    self.plan = planned.as_ref().ok().map(|plan| (ticket, plan.clone()));
                    self.say(ticket, ShelfAnswer::Planned(planned.map(Box::new)));
                }
                ShelfOrder::Act { evict } => self.act(&shelf, ticket, evict),
                ShelfOrder::Stop => {}
                ShelfOrder::End => self.plan = None,
            }
        }
    }

    fn say(&self, ticket: u64, answer: ShelfAnswer) {
        self.post.answer(Answer::Shelf(ticket, answer));
    }

    /// Settles what was cut off before, and says so.
    fn settle(&self, shelf: &Shelf, ticket: u64) -> Result<(), String> {
        if shelf.interrupted().is_none() {
            return Ok(());
        }
        let settled = shelf.settle().map_err(|why| why.to_string())?;
        if !settled.is_empty() {
            self.say(ticket, ShelfAnswer::Settled(settled.into_iter().map(|one| one.said).collect()));
        }
        Ok(())
    }

    fn act(&mut self, shelf: &Shelf, ticket: u64, evict: bool) {
        let Some((_, plan)) = self.plan.take().filter(|(of, _)| *of == ticket) else { return };
        self.stop.store(false, Ordering::SeqCst);
        let mut last: Option<Instant> = None;
        let done = shelf.act(&plan, now(), evict, &mut |progress| {
            if last.is_none_or(|last| last.elapsed() >= POSTS) {
                last = Some(Instant::now());
                self.say(ticket, ShelfAnswer::Moving(progress.done, progress.next.to_owned()));
            }
            !self.stop.load(Ordering::SeqCst)
        });
        self.say(ticket, ShelfAnswer::Done(done.map_err(|why| why.to_string())));
    }
}

fn now() -> DateTime<FixedOffset> {
    Local::now().fixed_offset()
}

fn make(examiner: &Examiner, shelf: &Shelf, wish: Wish) -> Result<Plan, String> {
    let roots = examiner.roots();
    let ask = Ask { shelf, roots: &roots, now: now() };
    let settings = examiner.settings();
    match wish {
        Wish::Archive(rows) => Ok(plan::archive(ask, &rows)),
        Wish::Trash(rows) => plan::trash(ask, &rows, settings.trash_quota).map_err(|why| why.to_string()),
        Wish::PutBack(rows, to) => {
            let to = to.map(|to| examiner.project().join(to));
            Ok(plan::put_back(ask, &rows, to.as_deref()))
        }
        Wish::CleanUp(rows) => {
            let from: &Path = examiner.project();
            cleanup::plan(ask, &rows, settings.archive_after_days, from).map_err(|why| why.to_string())
        }
        Wish::Undo(id) => shelf.undo(id.as_deref()).map_err(|why| why.to_string()),
    }
}
