//! Two kinds of waiting work: a queue in which the urgent goes first, and a place where only the latest counts.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crossbeam_channel::{Sender, unbounded};

use super::super::action::Key;
use crate::check::Examiner;
use crate::place::Listed;

/// One row to judge.
pub(super) struct Job {
    /// Of which refresh.
    pub(super) generation: u64,
    /// Who judges it.
    pub(super) examiner: Arc<Examiner>,
    /// Which row.
    pub(super) row: Arc<Listed>,
}

#[derive(Default)]
struct Waiting {
    generation: u64,
    jobs: VecDeque<Job>,
    /// Rows of this generation that a thread has taken: none is judged twice.
    taken: HashSet<Key>,
    closed: bool,
}

impl Waiting {
    /// A newer generation makes everything that waits worthless.
    fn enter(&mut self, generation: u64) {
        if generation > self.generation {
            self.generation = generation;
            self.jobs.clear();
            self.taken.clear();
        }
    }
}

/// Rows that wait to be judged.
#[derive(Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    more: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts rows behind all others.
    pub(super) fn add(&self, generation: u64, examiner: &Arc<Examiner>, rows: Vec<Arc<Listed>>) {
        let mut waiting = self.lock();
        waiting.enter(generation);
        let jobs = rows.into_iter().map(|row| Job { generation, examiner: examiner.clone(), row });
        waiting.jobs.extend(jobs);
        self.more.notify_all();
    }

    /// Puts a row before all others.
    pub(super) fn add_first(&self, job: Job) {
        let mut waiting = self.lock();
        waiting.enter(job.generation);
        waiting.jobs.push_front(job);
        self.more.notify_one();
    }

    /// The next row that nobody has judged; waits for one. `None` once closed.
    pub(super) fn next(&self) -> Option<Job> {
        let mut waiting = self.lock();
        loop {
            if waiting.closed {
                return None;
            }
            while let Some(job) = waiting.jobs.pop_front() {
                if job.generation == waiting.generation && waiting.taken.insert(Key::of(&job.row)) {
                    return Some(job);
                }
            }
            waiting = self.more.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Sends the threads home.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.more.notify_all();
    }
}

/// A thread for questions of which only the latest is worth an answer.
pub(super) struct Latest<T>(Sender<T>);

impl<T: Send + 'static> Latest<T> {
    /// Starts it. The work is told how to find out that it is late.
    pub(super) fn start(work: impl Fn(T, &dyn Fn() -> bool) + Send + 'static) -> Self {
        let (ask, asked) = unbounded();
        thread::spawn(move || {
            while let Ok(mut question) = asked.recv() {
                while let Ok(newer) = asked.try_recv() {
                    question = newer;
                }
                work(question, &|| !asked.is_empty());
            }
        });
        Self(ask)
    }

    /// Asks; what was asked before and not begun is forgotten.
    pub(super) fn ask(&self, question: T) {
        let _ = self.0.send(question);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::fixture;
    use super::*;
    use crate::check::Examiner;
    use crate::harness::Surroundings;
    use crate::settings::Settings;

    #[test]
    fn the_urgent_goes_first_nothing_goes_twice_and_a_refresh_clears_the_rest() {
        let queue = Queue::default();
        let around = Surroundings::default();
        let examiner = Arc::new(Examiner::new(std::path::Path::new("/nowhere"), around, Settings::default()));
        let rows = fixture::rows();
        let job = |generation, n: usize| Job { generation, examiner: examiner.clone(), row: rows[n].clone() };
        queue.add(1, &examiner, rows.clone());
        queue.add_first(job(1, 3));
        let next = || Key::of(&queue.next().unwrap().row);
        assert_eq!(next(), Key::of(&rows[3]), "the one that a person looks at goes first");
        let rest: Vec<Key> = (0..4).map(|_| next()).collect();
        assert!(!rest.contains(&Key::of(&rows[3])), "and not a second time");
        queue.add(1, &examiner, rows.clone());
        queue.add_first(job(2, 0));
        assert_eq!(queue.next().unwrap().generation, 2, "after a refresh only its own rows count");
        queue.close();
        assert!(queue.next().is_none(), "at the end the threads go home");
    }

    #[test]
    fn only_the_latest_question_is_answered_once_the_thread_is_free() {
        let (begin, wait) = unbounded::<()>();
        let (answer, answers) = unbounded();
        let latest = Latest::start(move |n: u32, is_late: &dyn Fn() -> bool| {
            if n == 1 {
                let _ = wait.recv();
            }
            let _ = answer.send((n, is_late()));
        });
        (1..=5).for_each(|n| latest.ask(n));
        begin.send(()).unwrap();
        let mut seen = Vec::new();
        while seen.last().is_none_or(|&(n, _)| n != 5) {
            seen.push(answers.recv().unwrap());
        }
        assert!(seen.len() <= 2, "what was asked in between is skipped: {seen:?}");
        assert_eq!(seen.last(), Some(&(5, false)), "the latest is answered and not late");
    }
}
