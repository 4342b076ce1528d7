//! Resumes in flight: plans that wait for a yes, and the one program that runs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, select, unbounded};

use super::super::action::{Answer, Proposal, Refused};
use super::Post;
use crate::check::{Examiner, lane_name};
use crate::place::Listed;
use crate::resume::{Attempt, Interrupts, Plan, Progress};

/// Plans by their ticket, and the reins of what runs.
pub(super) struct Resumes {
    post: Post,
    plans: Arc<Mutex<HashMap<u64, Plan>>>,
    running: HashMap<u64, (Sender<()>, Receiver<()>)>,
}

impl Resumes {
    pub(super) fn new(post: Post) -> Self {
        Self { post, plans: Arc::default(), running: HashMap::new() }
    }

    fn plans(&self) -> MutexGuard<'_, HashMap<u64, Plan>> {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Surveys the lane anew and plans its resume. The plan itself stays here; the screen gets what to show.
    pub(super) fn plan(&self, examiner: &Arc<Examiner>, ticket: u64, row: Arc<Listed>, lane: usize) {
        let (examiner, post, plans) = (examiner.clone(), self.post.clone(), self.plans.clone());
        thread::spawn(move || {
            let planned = match Plan::make(&examiner, &row, lane) {
                Ok(plan) => {
                    let proposal = proposal(&plan);
                    plans.lock().unwrap_or_else(PoisonError::into_inner).insert(ticket, plan);
                    Ok(proposal)
                }
                Err(refusal) => Err(Refused { reasons: refusal.reasons, preflight: refusal.preflight }),
            };
            post.answer(Answer::Planned(ticket, planned));
        });
    }

    /// Forgets a plan.
    pub(super) fn drop_plan(&self, ticket: u64) {
        self.plans().remove(&ticket);
    }

    /// Starts what was planned, once, and follows it to its end.
    pub(super) fn start(&mut self, examiner: &Arc<Examiner>, ticket: u64, prompt: String) {
        let Some(plan) = self.plans().remove(&ticket) else { return };
        let (stop, stops) = unbounded();
        let (end, ended) = bounded(1);
        self.running.insert(ticket, (stop, ended));
        let (examiner, post) = (examiner.clone(), self.post.clone());
        thread::spawn(move || {
            let printed = post.clone();
            let on_output = move |bytes| printed.answer(Answer::Output(ticket, bytes));
            let on_start = || post.answer(Answer::Started(ticket));
            let attempt = follow(&examiner, plan, prompt, &stops, on_output, on_start);
            if let Some(attempt) = attempt {
                post.answer(Answer::Finished(ticket, attempt));
            }
            let _ = end.send(());
        });
    }

    /// The same on this thread, for a program that has the terminal. Whoever wants this process to end meanwhile
    /// ends that program first.
    pub(super) fn start_here(&mut self, examiner: &Arc<Examiner>, ticket: u64) -> Option<Attempt> {
        let confirmed = self.plans().remove(&ticket)?.confirm(Vec::new()).ok()?;
        Some(match confirmed.start(examiner, |_| {}) {
            Ok(running) => {
                let _interrupts = Interrupts::reach(running.stopper());
                running.finish(examiner)
            }
            Err(attempt) => *attempt,
        })
    }

    /// Asks a program to stop.
    pub(super) fn stop(&self, ticket: u64) {
        if let Some((stop, _)) = self.running.get(&ticket) {
            let _ = stop.send(());
        }
    }

    /// Asks all to stop, gives each a moment to end and be written down, and asks harder in the middle of it.
    pub(super) fn stop_all(&mut self, patience: Duration) {
        for (stop, ended) in self.running.values() {
            for _ in 0..2 {
                let _ = stop.send(());
                if ended.recv_timeout(patience / 2) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
            }
        }
    }
}

/// A confirmed plan from its start to its outcome. `None` where the yes was not good for this plan.
fn follow(
    examiner: &Examiner,
    plan: Plan,
    prompt: String,
    stops: &Receiver<()>,
    on_output: impl Fn(Vec<u8>) + Send + Sync + 'static,
    on_start: impl Fn(),
) -> Option<Attempt> {
    let confirmed = plan.confirm(prompt.into_bytes()).ok()?;
    let progress = move |progress| match progress {
        Progress::Out(bytes) | Progress::Err(bytes) => on_output(bytes),
        Progress::Ended => {}
    };
    let running = match confirmed.start(examiner, progress) {
        Ok(running) => running,
        Err(attempt) => return Some(*attempt),
    };
    on_start();
    let (end, ended) = bounded::<()>(0);
    let (reins, stops) = (running.stopper(), stops.clone());
    thread::spawn(move || {
        loop {
            select! {
                recv(stops) -> asked => match asked {
                    Ok(()) => reins.stop(),
                    Err(_) => break,
                },
                recv(ended) -> _ => break,
            }
        }
    });
    let attempt = running.finish(examiner);
    drop(end);
    Some(attempt)
}

/// What of a plan the screen shows.
fn proposal(plan: &Plan) -> Proposal {
    Proposal {
        lane: lane_name(&plan.row().handoff, plan.lane()),
        stage: plan.stage().cloned(),
        harness: plan.harness(),
        program: plan.executable().to_owned(),
        version: plan.version().clone(),
        argv: plan.argv().to_vec(),
        cwd: plan.cwd().to_owned(),
        model: plan.model().clone(),
        removed: plan.removed_vars().to_vec(),
        notable: plan.notable_vars().to_vec(),
        interactive: plan.interactive_form().to_owned(),
        passed: plan.passed(),
        preflight: plan.preflight().to_vec(),
        wants_terminal: plan.wants_terminal(),
    }
}
