//! From a yes to an outcome: lock, log, survey again, start, wait, read the store again.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use chrono::{DateTime, Utc};

use super::child::{Child, Ended, Order, Reins};
use super::env;
use super::heard::{Heard, Progress};
use super::journal::Entry;
use super::lent::{Lent, OurTerminal};
use super::outcome::{Newcomer, Outcome, Traces};
use super::plan::{Plan, program_meta};
use crate::check::Examiner;
use crate::disk::{Lock, PinnedDir};
use crate::handoff::{HarnessName, Inert, SessionId};
use crate::harness::{self, Answer, Harness, Session};

/// A plan with a person's yes and prompt. Good for one start.
#[derive(Debug)]
pub struct Confirmed {
    pub(super) plan: Plan,
    pub(super) prompt: Vec<u8>,
}

/// One attempt, finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// What became of it.
    pub outcome: Outcome,
    /// The child's exit code.
    pub exit: Option<i32>,
    /// The signal that ended it, by name (`SIGTERM`).
    pub signal: Option<String>,
    /// Assistant turns that the session grew by.
    pub grew: usize,
    /// The model that answered.
    pub model: Option<Inert>,
    /// Seconds from start to end.
    pub seconds: u64,
    /// The end of what the program said on its error stream, secrets blacked out.
    pub child_error: Option<Inert>,
    /// What a person must know of the new turn, if anything.
    pub notes: Vec<Inert>,
    /// The sentence for a person.
    pub sentence: Inert,
}

impl Attempt {
    fn not_started(reasons: Vec<Inert>) -> Self {
        let first = reasons.first().map_or_else(String::new, Inert::shown_line);
        Self {
            sentence: format!("Not started: {first}").into(),
            outcome: Outcome::NotStarted(reasons),
            exit: None,
            signal: None,
            grew: 0,
            model: None,
            seconds: 0,
            child_error: None,
            notes: Vec::new(),
        }
    }
}

/// A started program. One that has the terminal is ended where this is dropped without [`Running::finish`], and the
/// terminal is taken back.
pub struct Running {
    plan: Plan,
    child: Started,
    heard: Arc<Heard>,
    entry: Entry,
    known: Answer<BTreeSet<SessionId>>,
    started: DateTime<Utc>,
    begun: Instant,
    /// Held until the outcome is told.
    _lock: Lock,
}

/// The program, by what it has for its input and output.
enum Started {
    /// Pipes: it works in the background.
    Piped(Child),
    /// The person's terminal.
    Lent(Lent),
}

impl Started {
    fn reins(&self) -> Reins {
        match self {
            Self::Piped(child) => child.reins(),
            Self::Lent(child) => child.reins(),
        }
    }

    fn wait(self) -> Ended {
        match self {
            Self::Piped(child) => child.wait(),
            Self::Lent(child) => child.wait(),
        }
    }
}

/// Stops a started program from any thread.
#[derive(Debug, Clone)]
pub struct Stopper(Reins);

impl Stopper {
    /// Of a child that was started.
    pub(super) fn of(reins: Reins) -> Self {
        Self(reins)
    }

    /// Whether it was asked to stop.
    pub(super) fn was_asked(&self) -> bool {
        self.0.was_asked()
    }

    /// SIGINT to the program's group the first time, SIGTERM the second, SIGKILL from the third time on. A program
    /// that has the terminal gets SIGHUP first: an interrupt there is a key of its own.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Does so again and again, with some seconds of grace in between, until `over` is closed.
    pub(super) fn end(&self, over: &std::sync::mpsc::Receiver<()>) {
        self.0.end(over);
    }
}

impl Confirmed {
    /// Takes the lock on the session, surveys everything again, and starts the program only if nothing
    /// differs. `progress` is called from other threads. A program that [`Plan::wants_terminal`] gets this
    /// process's own one until [`Running::finish`]; nobody may touch it in between.
    ///
    /// # Errors
    /// The finished [`Attempt`] with [`Outcome::NotStarted`] and the difference.
    pub fn start(
        self,
        examiner: &Examiner,
        progress: impl Fn(Progress) + Send + Sync + 'static,
    ) -> Result<Running, Box<Attempt>> {
        let Self { plan, prompt } = self;
        let refuse = |reasons| Box::new(Attempt::not_started(reasons));
        let terminal = match plan.wants_terminal() {
            true => Some(OurTerminal::here().map_err(|why| {
                let name = plan.harness().as_str();
                refuse(vec![format!("{name} needs a terminal to talk with you: {why}").into()])
            })?),
            false => None,
        };
        let state = examiner.state_dir().ok_or_else(|| {
            refuse(vec!["neither XDG_STATE_HOME nor HOME is set: there is no place for lock and log".into()])
        })?;
        let lock = take_lock(&state, plan.harness(), plan.session()).map_err(|why| refuse(vec![why]))?;
        let entry = Entry::begin(&state, &plan, Utc::now())
            .map_err(|why| refuse(vec![format!("the log cannot be written: {why}").into()]))?;
        match launch(examiner, plan, prompt, terminal, progress) {
            Ok(launched) => Ok(launched.under(lock, entry)),
            Err(reasons) => {
                let attempt = refuse(reasons);
                Err(log_end(&entry, *attempt).into())
            }
        }
    }
}

/// Everything of a running program but its lock and its place in the log.
struct Launched {
    plan: Plan,
    child: Started,
    heard: Arc<Heard>,
    known: Answer<BTreeSet<SessionId>>,
    started: DateTime<Utc>,
}

impl Launched {
    fn under(self, lock: Lock, entry: Entry) -> Running {
        let Self { plan, child, heard, known, started } = self;
        Running { plan, child, heard, entry, known, started, begun: Instant::now(), _lock: lock }
    }
}

/// Surveys again from the bytes up and starts the program if everything is as it was shown.
fn launch(
    examiner: &Examiner,
    shown: Plan,
    prompt: Vec<u8>,
    terminal: Option<OurTerminal>,
    progress: impl Fn(Progress) + Send + Sync + 'static,
) -> Result<Launched, Vec<Inert>> {
    let asked = shown.asked();
    let plan = Plan::survey(examiner, &shown.row, shown.lane, asked.as_ref()).map_err(|no| no.reasons)?;
    let differences = shown.evidence.differences(&plan.evidence);
    if !differences.is_empty() {
        return Err(differences);
    }
    let client = harness::of(plan.harness());
    let started = Utc::now();
    let known = sessions_since(client, examiner, plan.cwd(), started);
    let heard = Arc::new(Heard::default());
    let listener = Listener { heard: Arc::clone(&heard), progress };
    let vars = env::for_child(&examiner.around().vars, plan.cwd());
    let argv = plan.argv().iter().map(OsString::from).collect();
    // The last look, with nothing slow between it and the start: the same program, the same directory. The
    // directory is held open, so the child starts in this very one.
    let pin = PinnedDir::open(plan.cwd()).map_err(|why| vec![Inert::from(why.to_string())])?;
    if pin.id() != plan.worktree.id {
        return Err(vec![format!("{} is another directory now", plan.cwd().display()).into()]);
    }
    if program_meta(plan.executable()).map_err(|no| no.reasons)? != plan.program.id {
        return Err(vec![format!("{} is another program now", plan.executable().display()).into()]);
    }
    let program = plan.executable().to_owned();
    let order = Order { program, argv, cwd: pin.for_child(), vars, input: prompt, limit: None };
    let child = match terminal {
        Some(terminal) => Lent::start(&order, terminal, move || drop(listener)).map(Started::Lent),
        None => Child::start(order, move |stream, bytes| listener.take(stream, bytes)).map(Started::Piped),
    };
    let child = child.map_err(|why| {
        vec![Inert::from(format!("{} could not be started: {why}", plan.executable().display()))]
    })?;
    Ok(Launched { plan, child, heard, known, started })
}

/// Hands the child's output on; dropped when the child has ended.
struct Listener<F: Fn(Progress)> {
    heard: Arc<Heard>,
    progress: F,
}

impl<F: Fn(Progress)> Listener<F> {
    fn take(&self, stream: super::child::Stream, bytes: &[u8]) {
        if let Some(news) = self.heard.take(stream, bytes) {
            (self.progress)(news);
        }
    }
}

impl<F: Fn(Progress)> Drop for Listener<F> {
    fn drop(&mut self) {
        if let Some(rest) = self.heard.rest() {
            (self.progress)(rest);
        }
        (self.progress)(Progress::Ended);
    }
}

impl Running {
    /// Asks it to stop, as [`Stopper::stop`] does.
    pub fn stop(&self) {
        self.stopper().stop();
    }

    /// The same for another thread, while this one waits in [`Running::finish`].
    pub fn stopper(&self) -> Stopper {
        Stopper(self.child.reins())
    }

    /// Waits for its end, reads the store again and says what became of it.
    pub fn finish(self, examiner: &Examiner) -> Attempt {
        let ended = self.child.wait();
        let seconds = self.begun.elapsed().as_secs();
        let around = examiner.around();
        let (id, client) = (self.plan.session(), harness::of(self.plan.harness()));
        let after = client.session(around, id);
        let newcomers = newcomers(client, examiner, &self.plan, self.started, &self.known);
        let liveness = client.liveness(around, id);
        // Only codex says on its error stream which session it works in.
        let named = self.heard.named().filter(|_| self.plan.harness() == HarnessName::Codex);
        let traces = Traces {
            id,
            before: &self.plan.before,
            after: &after,
            newcomers: &newcomers,
            liveness: &liveness,
            named: named.as_ref(),
            started: self.started.timestamp(),
            read: Utc::now().timestamp(),
            ended: &ended,
        };
        let outcome = traces.outcome();
        let child_error = self.heard.tail();
        let notes = traces.notes();
        let sentence = sentence(&outcome, &ended, &notes, child_error.as_ref());
        let model = match &after {
            Answer::Found(Session { model, .. }) if traces.grew() > 0 => model.clone(),
            _ => None,
        };
        let attempt = Attempt {
            outcome,
            exit: ended.code,
            signal: ended.signal.map(signal_name),
            grew: traces.grew(),
            model,
            seconds,
            child_error,
            notes,
            sentence,
        };
        log_end(&self.entry, attempt)
    }
}

fn take_lock(state: &Path, harness: HarnessName, session: &SessionId) -> Result<Lock, Inert> {
    let dir: PathBuf = state.join("locks");
    match Lock::try_take(&dir, &format!("session-{}-{session}", harness.as_str())) {
        Ok(Some(lock)) => Ok(lock),
        Ok(None) => Err("another moorline is resuming this session right now".into()),
        Err(why) => Err(format!("the session cannot be locked: {why}").into()),
    }
}

/// Writes the attempt's second line; a log that cannot be written is said and changes nothing else.
fn log_end(entry: &Entry, attempt: Attempt) -> Attempt {
    match entry.end(&attempt, Utc::now()) {
        Ok(()) => attempt,
        Err(why) => {
            let sentence = format!("{} (the log could not be written: {why})", attempt.sentence.raw());
            Attempt { sentence: sentence.into(), ..attempt }
        }
    }
}

/// Sessions of this directory that were created since just before the start.
fn sessions_since(
    client: &dyn Harness,
    examiner: &Examiner,
    cwd: &Path,
    started: DateTime<Utc>,
) -> Answer<BTreeSet<SessionId>> {
    // Stores keep whole seconds and clocks are not alike to the last one; what was there before is taken off.
    let since = started.timestamp() - 2;
    match client.created_since(examiner.around(), &[cwd], since) {
        Answer::Found(ids) => Answer::Found(ids.into_iter().collect()),
        Answer::Absent(_) => Answer::Found(BTreeSet::new()),
        Answer::Unknown(why) => Answer::Unknown(why),
    }
}

fn newcomers(
    client: &dyn Harness,
    examiner: &Examiner,
    plan: &Plan,
    started: DateTime<Utc>,
    known: &Answer<BTreeSet<SessionId>>,
) -> Answer<Vec<Newcomer>> {
    let now = sessions_since(client, examiner, plan.cwd(), started);
    let (known, now) = match (known, &now) {
        (Answer::Found(known), Answer::Found(now)) => (known, now),
        (Answer::Unknown(why), _) | (_, Answer::Unknown(why)) => return Answer::Unknown(why.clone()),
        (Answer::Absent(_), _) | (_, Answer::Absent(_)) => return Answer::Found(Vec::new()),
    };
    let fresh = now.difference(known).filter(|id| *id != plan.session());
    let turns = |id: &SessionId| match client.session(examiner.around(), id) {
        Answer::Found(session) => Some(session.turns),
        _ => None,
    };
    Answer::Found(fresh.map(|id| Newcomer { id: id.clone(), turns: turns(id) }).collect())
}

fn sentence(outcome: &Outcome, ended: &Ended, notes: &[Inert], said: Option<&Inert>) -> Inert {
    let end = match (ended.code, ended.signal) {
        (_, Some(signal)) => format!("ended by {}", signal_name(signal)),
        (Some(code), _) => format!("exit code {code}"),
        (None, None) => "its end could not be told".to_owned(),
    };
    let what = match outcome {
        Outcome::Rehearsed => "Rehearsed: everything but the start".to_owned(),
        Outcome::NotStarted(_) => "Not started".to_owned(),
        Outcome::Continued => "Continued: the session has a new finished turn".to_owned(),
        Outcome::ContinuedElsewhere(ids) => {
            let ids: Vec<&str> = ids.iter().map(SessionId::as_str).collect();
            format!("Continued elsewhere: {}", ids.join(", "))
        }
        Outcome::NotContinued(why) => format!("Not continued: {}", why.raw()),
        Outcome::Unknown(why) => format!("Unknown: {}", why.raw()),
    };
    let mut text = format!("{what} ({end}).");
    for note in notes {
        text.push_str(&format!(" Mind: {}.", note.raw()));
    }
    let last = said.and_then(|said| said.raw().lines().next_back());
    if let Some(last) = last.filter(|_| *outcome != Outcome::Continued) {
        text.push_str(&format!(" It said: {last}"));
    }
    text.into()
}

/// A signal by its name; `signal 40` where it has none.
fn signal_name(number: i32) -> String {
    signal_hook::low_level::signal_name(number).map_or_else(|| format!("signal {number}"), str::to_owned)
}
