//! The comparison with the remote, where somebody asks for it: what would be asked is shown, then there is a yes or
//! there is none. Everything is said beside the output, which belongs to the answer.

use std::io::{BufRead as _, Write};

use serde::Serialize;

use super::Stop;
use super::args::Remote;
use super::desk::Desk;
use crate::check::Examiner;
use crate::handoff::inert;
use crate::resume::{Comparison, HeldBack, Interrupts, Question};

/// The comparison that was asked for; `None` where none was.
///
/// # Errors
/// The person at the terminal is gone.
pub fn compared(desk: &Desk, args: &Remote) -> Result<Option<Comparison>, Stop> {
    if !args.remote {
        return Ok(None);
    }
    let question = match Question::of(&desk.examiner) {
        Ok(question) => question,
        Err(why) => return Ok(Some(Comparison::NotCompared(why))),
    };
    if args.yes {
        return Ok(Some(asked(&desk.examiner, question)));
    }
    if !is_person() {
        return Ok(Some(Comparison::not("denied: nobody was there to say yes; --yes says it")));
    }
    Ok(Some(match confirmed(&question)? {
        true => asked(&desk.examiner, question),
        false => Comparison::not("denied"),
    }))
}

/// Asks, and has a signal to this process stop git first: git has a group of its own, and would go on alone.
fn asked(examiner: &Examiner, question: Question) -> Comparison {
    // Where the signals cannot be turned, git still ends by its time limit.
    let held_back = HeldBack::now();
    match question.ask(examiner) {
        Ok(asking) => {
            let _interrupts = held_back.and_then(|held| Interrupts::release(held, asking.stopper()));
            asking.finish()
        }
        Err(answer) => *answer,
    }
}

/// Whether somebody sees the question and can answer it.
fn is_person() -> bool {
    use rustix::termios::isatty;
    isatty(rustix::stdio::stdin()) && isatty(rustix::stdio::stderr())
}

/// A yes from the person at the terminal to exactly what is shown.
fn confirmed(question: &Question) -> Result<bool, Stop> {
    let mut err = std::io::stderr().lock();
    writeln!(err, "This asks the remote:")?;
    for line in question.words() {
        writeln!(err, "  {line}")?;
    }
    write!(err, "Ask it? [y/N] ")?;
    err.flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

/// `remote` in a document; `null` where it was not asked for.
#[derive(Serialize)]
pub struct RemoteShape {
    /// `in_sync`, `other_tip`, `not_advertised`, `not_compared`.
    outcome: &'static str,
    /// The remote's name; `null` where nothing was compared.
    remote: Option<String>,
    /// The reference that was asked for, by its full name.
    #[serde(rename = "ref")]
    reference: Option<String>,
    /// Where the remote's reference is.
    tip: Option<String>,
    /// The outcome as one sentence.
    words: String,
}

impl RemoteShape {
    /// The shape of a comparison.
    pub fn of(comparison: &Comparison) -> Self {
        let (outcome, follows, tip) = match comparison {
            Comparison::InSync(follows) => ("in_sync", Some(follows), Some(&follows.head)),
            Comparison::OtherTip { follows, tip } => ("other_tip", Some(follows), Some(tip)),
            Comparison::NotAdvertised(follows) => ("not_advertised", Some(follows), None),
            Comparison::NotCompared(_) => ("not_compared", None, None),
        };
        let plain = |text: &String| inert::plain_text(text).into_owned();
        Self {
            outcome,
            remote: follows.map(|follows| plain(&follows.remote)),
            reference: follows.map(|follows| plain(&follows.merge)),
            tip: tip.map(ToString::to_string),
            words: comparison.words(),
        }
    }
}
