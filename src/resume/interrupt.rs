//! Signals to this process while a started program runs: they stop that one first, and this one ends with the
//! outcome.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use super::Stopper;

/// As long as this value lives, SIGINT, SIGTERM and SIGHUP to this process stop the started program instead: each
/// one harder than the one before ([`Stopper::stop`]). SIGINT is a person's key, and they press it again where they
/// want to; after any other one nobody may be there, so that a few seconds of grace do the same.
#[derive(Debug)]
pub struct Interrupts {
    handle: Handle,
    thread: Option<JoinHandle<()>>,
    /// Closed when the program has ended.
    over: Option<Sender<()>>,
}

/// Signals that are held back for a program that is about to be started: one that comes before there is anything to
/// stop reaches it all the same.
#[derive(Debug)]
pub struct HeldBack(Signals);

impl HeldBack {
    /// Holds the signals back from now on.
    ///
    /// # Errors
    /// What the system said; the signals then do what they did before.
    pub fn now() -> io::Result<Self> {
        Signals::new([SIGINT, SIGTERM, SIGHUP]).map(Self)
    }
}

impl Interrupts {
    /// Turns the signals to what `stopper` stops.
    ///
    /// # Errors
    /// What the system said; the signals then do what they did before.
    pub fn reach(stopper: Stopper) -> io::Result<Self> {
        Self::release(HeldBack::now()?, stopper)
    }

    /// The same for signals that were held back since before the program was started.
    ///
    /// # Errors
    /// What the system said; the signals then do what they did before.
    pub fn release(HeldBack(mut signals): HeldBack, stopper: Stopper) -> io::Result<Self> {
        let handle = signals.handle();
        let (over, until) = channel();
        let turn = move || {
            let mut until = Some(until);
            for signal in signals.forever() {
                match until.take_if(|_| signal != SIGINT) {
                    Some(until) => end(&stopper, until),
                    None => stopper.stop(),
                }
            }
        };
        let thread = Builder::new().name("interrupts".into()).spawn(turn)?;
        Ok(Self { handle, thread: Some(thread), over: Some(over) })
    }
}

/// Ends the program from a thread of its own, so that further signals are heard.
fn end(stopper: &Stopper, until: Receiver<()>) {
    let insisting = stopper.clone();
    let end = move || insisting.end(&until);
    if Builder::new().name("insist".into()).spawn(end).is_err() {
        stopper.stop();
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        self.over = None;
        self.handle.close();
        if let Some(thread) = self.thread.take() {
            // It only passes signals on; there is nothing in it that could fail.
            let _ = thread.join();
        }
    }
}
