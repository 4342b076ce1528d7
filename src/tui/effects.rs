//! Runs effects on threads of their own, so that the thread that reads keys never waits for a disk.
//!
//! Every job carries what it was asked for and posts its answer with it; the core drops what is late. A new scan
//! stops the one before; of texts and searches only the latest is worth doing.

mod jobs;
mod keeping;
mod reading;
mod remote;
mod resuming;
mod saving;
mod shelving;
mod watching;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::action::save::Words;
use super::action::{Answer, Key};
use super::effect::{Effect, Looked};
use super::terminal::Waker;
use crate::check::Examiner;
use crate::place::{self, Found, Roots};
use crate::resume::{self, Wanted};

use jobs::{Job, Latest, Queue};
use remote::Remotes;
use resuming::Resumes;
use saving::Saves;
use shelving::Shelving;
use watching::Watching;

/// The time between two posts of rows while a scan goes on.
const POSTS: Duration = Duration::from_millis(60);
/// Rows that fill a large window: they are posted as soon as they are there.
const SCREENFUL: usize = 100;

/// How workers answer: into the channel, and a wake-up for the thread that reads it.
#[derive(Clone)]
pub struct Post {
    answers: Sender<Answer>,
    waker: Waker,
}

impl Post {
    /// Posts an answer; one that nobody reads any more is lost, which is right.
    pub fn answer(&self, answer: Answer) {
        let _ = self.answers.send(answer);
        self.waker.wake();
    }
}

/// All threads that do what the core wants done.
pub struct Workers {
    examiner: Arc<Examiner>,
    generation: u64,
    post: Post,
    scan: Arc<AtomicBool>,
    queue: Arc<Queue>,
    texts: Latest<Arc<place::Listed>>,
    searches: Latest<reading::Search>,
    versions: Latest<(Arc<Examiner>, Box<Looked>)>,
    past: Arc<AtomicBool>,
    resumes: Resumes,
    saves: Saves,
    watching: Watching,
    shelving: Shelving,
    remotes: Remotes,
}

impl Workers {
    /// Starts the threads. Answers come out of the receiver, each with a wake-up.
    pub fn start(examiner: Arc<Examiner>, waker: Waker) -> (Self, Receiver<Answer>) {
        let (answers, receiver) = unbounded();
        let post = Post { answers, waker };
        let queue = Arc::new(Queue::default());
        let threads = thread::available_parallelism().map_or(2, usize::from).clamp(1, 4);
        for _ in 0..threads {
            let (queue, post) = (queue.clone(), post.clone());
            thread::spawn(move || {
                while let Some(Job { generation, examiner, row }) = queue.next() {
                    let report = Arc::new(examiner.examine(&row));
                    post.answer(Answer::Examined(generation, Key::of(&row), report));
                }
            });
        }
        let limit = examiner.settings().read_limit;
        let reader = post.clone();
        let texts = Latest::start(move |row: Arc<place::Listed>, _: &dyn Fn() -> bool| {
            reader.answer(Answer::Text(Key::of(&row), reading::text(&row, limit)));
        });
        let searcher = post.clone();
        let searches = Latest::start(move |search: reading::Search, is_late: &dyn Fn() -> bool| {
            if let Some(hits) = search.run(limit, is_late) {
                searcher.answer(Answer::Searched(search.ticket, hits));
            }
        });
        let earlier = post.clone();
        let versions =
            Latest::start(move |(examiner, wanted): (Arc<Examiner>, Box<Looked>), _: &dyn Fn() -> bool| {
                let read = reading::earlier(&examiner, &wanted);
                earlier.answer(Answer::Earlier(Key::of(&wanted.row), wanted.number, wanted.against, read));
            });
        let resumes = Resumes::new(post.clone());
        let saves = Saves::start(&examiner, post.clone());
        let watching = Watching::new(post.clone());
        let shelving = Shelving::start(post.clone());
        let remotes = Remotes::new(post.clone());
        let scan = Arc::default();
        let generation = 1;
        (
            Self {
                examiner,
                generation,
                post,
                scan,
                queue,
                texts,
                searches,
                versions,
                past: Arc::default(),
                resumes,
                saves,
                watching,
                shelving,
                remotes,
            },
            receiver,
        )
    }

    /// Does what the core wants done, on another thread. What needs the terminal is not done here.
    pub fn run(&mut self, effect: Effect) {
        match effect {
            Effect::Scan(generation) => self.scan(generation),
            Effect::Facts(generation) => {
                let examiner = self.examiner_of(generation);
                let post = self.post.clone();
                thread::spawn(move || {
                    post.answer(Answer::Facts(generation, examiner.project_facts(false)));
                    post.answer(Answer::Facts(generation, examiner.project_facts(true)));
                });
            }
            Effect::Examine(generation, rows) => {
                let examiner = self.examiner_of(generation);
                self.queue.add(generation, &examiner, rows);
            }
            Effect::ExamineFirst(generation, row) => {
                let examiner = self.examiner_of(generation);
                self.queue.add_first(Job { generation, examiner, row });
            }
            Effect::Read(row) => self.texts.ask(row),
            Effect::Search(ticket, words, rows) => self.searches.ask(reading::Search { ticket, words, rows }),
            Effect::Block(row) => {
                let (examiner, post) = (self.examiner.clone(), self.post.clone());
                thread::spawn(move || {
                    let block = match resume::not_loadable(&examiner, &row) {
                        Some(why) => Err(why),
                        None => Ok(resume::context_block(&examiner, &row, Wanted::default())),
                    };
                    post.answer(Answer::Block(Key::of(&row), block));
                });
            }
            Effect::Versions(row, rows) => {
                let (examiner, post) = (self.examiner.clone(), self.post.clone());
                // Nobody looks at the versions of the row before any more.
                self.past.store(true, Ordering::SeqCst);
                let late = Arc::new(AtomicBool::new(false));
                self.past = late.clone();
                thread::spawn(move || {
                    reading::past(&examiner, &row, &rows, &late, &|answer| post.answer(answer))
                });
            }
            Effect::Earlier(wanted) => self.versions.ask((self.examiner.clone(), wanted)),
            Effect::Plan { ticket, row, lane } => self.resumes.plan(&self.examiner, ticket, row, lane),
            Effect::Start(ticket, prompt) => self.resumes.start(&self.examiner, ticket, prompt),
            Effect::Stop(ticket) => self.resumes.stop(ticket),
            Effect::LookUp(ticket, question) => {
                let (examiner, post) = (self.examiner.clone(), self.post.clone());
                thread::spawn(move || {
                    let found = resume::lookup::look_up(&examiner, &question);
                    post.answer(Answer::LookedUp(ticket, Arc::new(found)));
                });
            }
            Effect::Save(ticket, order) => self.saves.order(&self.examiner, ticket, order),
            Effect::Shelf(ticket, order) => self.shelving.order(&self.examiner, ticket, order),
            Effect::Remote(ticket, order) => self.remotes.order(&self.examiner, ticket, order),
            Effect::Drop(ticket) => self.resumes.drop_plan(ticket),
            Effect::StartInTerminal(..)
            | Effect::Copy(_)
            | Effect::Page(_)
            | Effect::Edit(_)
            | Effect::View(_)
            | Effect::Suspend
            | Effect::Quit => {}
        }
    }

    /// Starts what was planned and waits for its end, on this thread: the program has the real terminal.
    pub fn start_in_terminal(&mut self, ticket: u64) -> Option<Answer> {
        let attempt = self.resumes.start_here(&self.examiner, ticket)?;
        Some(Answer::Finished(ticket, attempt))
    }

    /// Keeps words that were not saved, at the end of the screen; gives where.
    ///
    /// # Errors
    /// Why they are not kept.
    pub fn keep_last(&self, words: Words) -> Result<PathBuf, String> {
        self.saves.keep_last(words)
    }

    /// Asks a started program to stop and gives it a moment, before the process ends.
    pub fn stop_all(&mut self, patience: Duration) {
        self.scan.store(true, Ordering::SeqCst);
        self.queue.close();
        self.watching.stop();
        self.remotes.end();
        self.resumes.stop_all(patience);
    }

    /// The examiner of a generation: after a refresh one that remembers nothing of what was read before.
    fn examiner_of(&mut self, generation: u64) -> Arc<Examiner> {
        if generation != self.generation {
            self.generation = generation;
            self.examiner = Arc::new(self.examiner.afresh());
        }
        self.examiner.clone()
    }

    /// Scans on a thread of its own; rows come as they are found, then settled, then dated.
    fn scan(&mut self, generation: u64) {
        self.scan.store(true, Ordering::SeqCst);
        let cancel = Arc::new(AtomicBool::new(false));
        self.scan = cancel.clone();
        let examiner = self.examiner_of(generation);
        self.watching.start(examiner.clone(), generation);
        let post = self.post.clone();
        thread::spawn(move || {
            let roots: Roots = examiner.roots();
            // What was found, how much of it was posted, and when: the list is sorted anew with every post, so
            // a large scan posts the first rows, a window full of them, and then a few times a second.
            let found = Mutex::new((Vec::<Found>::new(), 0, None::<Instant>));
            place::scan(&roots, &cancel, &|batch: Vec<Found>| {
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                let (all, posted, last) = &mut *found;
                all.extend(batch);
                let fills = *posted < SCREENFUL && all.len() >= SCREENFUL;
                if fills || last.is_none_or(|last| last.elapsed() >= POSTS) {
                    post.answer(Answer::Batch(generation, all[*posted..].to_vec()));
                    (*posted, *last) = (all.len(), Some(Instant::now()));
                }
                !cancel.load(Ordering::Relaxed)
            });
            if cancel.load(Ordering::SeqCst) {
                return;
            }
            let (found, ..) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
            let (mut rows, skipped) = place::settle_at(examiner.project(), found);
            post.answer(Answer::Settled(generation, rows.clone(), skipped));
            let dated = match examiner.date_by_commits(&mut rows) {
                Ok(0) => return,
                Ok(_) => Ok(rows),
                // Outside a repository there are no commits to ask.
                Err(crate::repo::RepoError::None(_)) => return,
                Err(why) => Err(format!("Times could not be read from commits: {why}")),
            };
            post.answer(Answer::Dated(generation, dated));
        });
    }
}
