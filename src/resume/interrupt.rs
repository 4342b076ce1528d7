//! Ctrl-C on the command line: it stops the started program first, and this one ends with the outcome.

use std::io;
use std::thread::{Builder, JoinHandle};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use super::Stopper;

/// As long as this value lives, SIGINT, SIGTERM and SIGHUP to this process stop the started program instead: the
/// first one as SIGINT to its group, any further one as SIGTERM.
#[derive(Debug)]
pub struct Interrupts {
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

impl Interrupts {
    /// Turns the signals to what `stopper` stops.
    ///
    /// # Errors
    /// What the system said; the signals then do what they did before.
    pub fn reach(stopper: Stopper) -> io::Result<Self> {
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let handle = signals.handle();
        let turn = move || signals.forever().for_each(|_| stopper.stop());
        let thread = Builder::new().name("interrupts".into()).spawn(turn)?;
        Ok(Self { handle, thread: Some(thread) })
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        self.handle.close();
        if let Some(thread) = self.thread.take() {
            // It only passes signals on; there is nothing in it that could fail.
            let _ = thread.join();
        }
    }
}
