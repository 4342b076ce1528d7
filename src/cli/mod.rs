//! The command line: one small file per verb, text and JSON.
//!
//! Verbs write to the streams they are given and return an exit code: 0 yes · 1 no · 2 bad usage or bad input ·
//! 3 unknown. Several answers make the worst of them, in the order 2, 1, 3, 0.

mod archive;
pub mod args;
mod check;
mod cleanup;
mod context;
mod desk;
mod diff;
mod doctor;
mod list;
mod live;
mod load;
mod lookup;
mod manual;
mod naming;
mod outlet;
mod put_back;
mod remote;
mod resolve;
mod restore;
mod resume;
mod save;
pub mod shape;
mod shelf;
mod show;
mod snapshot;
mod stopped;
mod text;
mod trash;
mod undo;

use std::io::Write;
use std::mem::ManuallyDrop;

use args::{CommandLine, Verb};
pub use desk::{Desk, Surface};
use outlet::Outlet;
pub use stopped::misused;

use crate::check::Verdict;

/// What a verb says with its exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// 0: validated, current, found, saved, rehearsed, continued.
    Yes,
    /// 3: nothing is contradicted, something is not known.
    Unknown,
    /// 1: something is contradicted, nothing was found, nothing was started.
    No,
    /// 2: the words or the files given cannot be used.
    Bad,
}

impl Answer {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Yes => 0,
            Self::No => 1,
            Self::Bad => 2,
            Self::Unknown => 3,
        }
    }

    /// What a verdict means to a caller.
    pub fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Validated | Verdict::Current => Self::Yes,
            Verdict::NotResumable | Verdict::Drifted | Verdict::Completed | Verdict::Running => Self::No,
            Verdict::Unknown | Verdict::Unverifiable => Self::Unknown,
        }
    }
}

/// Why a verb stopped before it could answer.
#[derive(Debug)]
pub enum Stop {
    /// Said on the error stream, with the exit code of [`Answer`].
    Said(Answer, String),
    /// The reader of our output went away: nothing is wrong, nobody listens.
    Pipe,
}

impl Stop {
    /// Bad usage or bad input.
    pub fn bad(message: impl Into<String>) -> Self {
        Self::Said(Answer::Bad, message.into())
    }

    /// Nothing to work on.
    pub fn no(message: impl Into<String>) -> Self {
        Self::Said(Answer::No, message.into())
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::Pipe,
            _ => Self::bad(format!("the output cannot be written: {error}")),
        }
    }
}

/// Whether a verb reads the person's settings.
pub fn reads_settings(verb: &Verb) -> bool {
    !matches!(verb, Verb::Snapshot(_) | Verb::Demo(_) | Verb::Completions(_) | Verb::Man)
}

/// Runs a verb that needs no screen of its own. A reader that goes away leaves it its own answer.
///
/// # Errors
/// [`Stop`], for the caller to say and to turn into an exit code; where JSON was asked for, its document was printed.
pub fn run(line: &CommandLine, verb: &Verb, surface: &Surface, out: &mut dyn Write) -> Result<Answer, Stop> {
    // A list has its answer before it judges row after row, which is not worth it where nobody reads.
    let mut outlet = Outlet::new(out, matches!(verb, Verb::List(_)));
    let answer = work(line, verb, surface, &mut outlet);
    match answer {
        // Half a document is not made whole by a second one.
        Err(stop) if !outlet.has_said() => Err(told(verb, stop, &mut outlet)),
        answer => answer,
    }
}

/// Prints the document of a verb that stopped, where JSON was asked for, and gives the reason back to be said.
pub fn told(verb: &Verb, stop: Stop, out: &mut dyn Write) -> Stop {
    if let Stop::Said(answer, why) = &stop {
        // Where the output cannot be written, the error stream and the exit code say it all the same.
        let _gone = stopped::document(verb, *answer, why, out);
    }
    stop
}

fn work(line: &CommandLine, verb: &Verb, surface: &Surface, out: &mut dyn Write) -> Result<Answer, Stop> {
    if let Verb::Snapshot(args) = verb {
        // Its places are literal: neither settings nor the current directory have a say.
        return snapshot::run(surface, args, out);
    }
    if let Verb::Resolve(args) = verb {
        return resolve::run(line, args, surface, out);
    }
    // A verb is the last thing that its process does: what it read is given back as one whole at the end, not
    // handoff by handoff.
    let desk = ManuallyDrop::new(Desk::open(line, surface)?);
    match verb {
        Verb::List(args) => list::run(&desk, args, out),
        Verb::Show(args) => show::run(&desk, args, out),
        Verb::Check(args) => check::run(&desk, args, out),
        Verb::Diff(args) => diff::run(&desk, args, out),
        Verb::Resume(args) => resume::run(&desk, args, out),
        Verb::Save(args) => save::run(&desk, args, out),
        Verb::Context(args) => context::run(&desk, args, out),
        Verb::Restore(args) => restore::run(&desk, args, out),
        Verb::Archive(args) => archive::run(&desk, args, out),
        Verb::Trash(args) => trash::run(&desk, args, out),
        Verb::PutBack(args) => put_back::run(&desk, args, out),
        Verb::Cleanup(args) => cleanup::run(&desk, args, out),
        Verb::Undo(args) => undo::run(&desk, args, out),
        Verb::Doctor(args) => doctor::run(&desk, args, out),
        Verb::Snapshot(args) => snapshot::run(surface, args, out),
        Verb::Lookup(args) => lookup::run(line, &desk, args, out),
        Verb::Resolve(args) => resolve::run(line, args, surface, out),
        Verb::Completions(args) => manual::completions(args, out),
        Verb::Man => manual::page(out),
        Verb::Demo(_) => Err(Stop::bad("the demo opens a screen of its own")),
    }
}

/// Prints the text form of `list` for a desk that somebody else opened (the demo without a terminal).
///
/// # Errors
/// As [`run`].
pub fn list_text(desk: &Desk, out: &mut dyn Write) -> Result<Answer, Stop> {
    list::run(desk, &args::List::plain(), out)
}

/// Prints one JSON document and a line end.
fn print_json(document: &impl serde::Serialize, out: &mut dyn Write) -> Result<(), Stop> {
    let mut buffer = std::io::BufWriter::with_capacity(1 << 16, out);
    serde_json::to_writer_pretty(&mut buffer, document)
        .map_err(|error| Stop::from(std::io::Error::from(error)))?;
    writeln!(buffer)?;
    Ok(buffer.flush()?)
}
