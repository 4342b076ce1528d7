//! What needs the network, where somebody asks for it (the comparison with the remote, the state of an issue): what would be asked is shown, then there is a yes or
//! there is none. Everything is said beside the output, which belongs to the answer.

use std::io::{BufRead as _, Write};

use serde::Serialize;

use super::Stop;
use super::args::Remote;
use super::desk::Desk;
use crate::check::Examiner;
use crate::handoff::{Inert, inert};
use crate::place::Listed;
use crate::resume::{Comparison, HeldBack, Interrupts, Question, TargetQuestion, TargetState};

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
    Ok(Some(match denied(args.yes, "This asks the remote:", &question.words())? {
        None => asked(&desk.examiner, question),
        Some(why) => Comparison::not(why),
    }))
}

/// The state of what a handoff's next step names.
///
/// # Errors
/// The person at the terminal is gone.
pub fn target(desk: &Desk, row: &Listed, yes: bool) -> Result<TargetState, Stop> {
    let question = match TargetQuestion::of(&desk.examiner, row.handoff.next_action()) {
        Ok(question) => question,
        Err(why) => return Ok(TargetState::NotChecked(why)),
    };
    if let Some(why) = denied(yes, "This asks GitHub:", &question.words())? {
        return Ok(TargetState::not(why));
    }
    let held_back = HeldBack::now();
    Ok(match question.ask(&desk.examiner) {
        Ok(listening) => {
            let _interrupts = held_back.and_then(|held| Interrupts::release(held, listening.stopper()));
            question.answer(&listening.finish())
        }
        Err(why) => TargetState::not(format!("gh could not be started: {why}")),
    })
}

/// Why what was shown may not be asked; `None` on a yes.
fn denied(yes: bool, title: &str, words: &[String]) -> Result<Option<&'static str>, Stop> {
    if yes {
        return Ok(None);
    }
    if !is_person() {
        return Ok(Some("denied: nobody was there to say yes; --yes says it"));
    }
    Ok((!confirmed(title, words)?).then_some("denied"))
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
fn confirmed(title: &str, words: &[String]) -> Result<bool, Stop> {
    let mut err = std::io::stderr().lock();
    writeln!(err, "{title}")?;
    for line in words {
        writeln!(err, "  {line}")?;
    }
    write!(err, "Ask it? [y/N] ")?;
    err.flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

/// `target` in a document.
#[derive(Serialize)]
pub struct TargetShape {
    /// GitHub's word for it; `null` where it is not known.
    state: Option<Inert>,
    /// Its title.
    title: Option<Inert>,
    /// The same as one sentence.
    words: String,
}

impl TargetShape {
    /// The shape of a state.
    pub fn of(target: &TargetState) -> Self {
        let (state, title) = match target {
            TargetState::Known(_, state, title) => (Some(state.clone()), Some(title.clone())),
            TargetState::NotChecked(_) => (None, None),
        };
        Self { state, title, words: target.words() }
    }
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
