//! Waking the one thread that reads keys: a self-pipe that workers and signals write to.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::Signal;
use signal_hook::consts::signal::{
    SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGTSTP,
    SIGUSR1, SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU,
};
use signal_hook::low_level::{pipe, unregister};
use signal_hook::{SigId, flag};

/// Wakes the reading thread, from anywhere.
#[derive(Debug, Clone)]
pub struct Waker(Arc<UnixStream>);

impl Waker {
    /// Wakes it. Full means that it is being woken anyway.
    pub fn wake(&self) {
        let _ = (&*self.0).write(&[0]);
    }
}

/// The end that the reading thread waits on.
#[derive(Debug)]
pub struct Sleeper(UnixStream);

impl Sleeper {
    /// Takes all wake-ups out.
    pub fn drain(&self) {
        let mut bytes = [0; 256];
        while matches!((&self.0).read(&mut bytes), Ok(n) if n == bytes.len()) {}
    }

    /// What to wait on.
    pub fn stream(&self) -> &UnixStream {
        &self.0
    }
}

/// Both ends.
///
/// # Errors
/// The system has no more descriptors.
pub fn pair() -> io::Result<(Waker, Sleeper)> {
    let (write, read) = UnixStream::pair()?;
    write.set_nonblocking(true)?;
    read.set_nonblocking(true)?;
    Ok((Waker(Arc::new(write)), Sleeper(read)))
}

/// Signals that the screen answers to, as flags that wake the reading thread.
#[derive(Debug)]
pub struct Signals {
    flags: Vec<(i32, Arc<AtomicBool>)>,
    ids: Vec<SigId>,
    alarm: Waker,
    urgent: Arc<Sleeper>,
}

/// What tells another thread that the screen has to end while a program has the terminal. An interrupt is that
/// program's then.
#[derive(Debug)]
pub struct Alarm {
    ending: Vec<Arc<AtomicBool>>,
    alarm: Waker,
    urgent: Arc<Sleeper>,
}

impl Alarm {
    /// What to wait on before asking.
    pub fn stream(&self) -> &UnixStream {
        self.urgent.stream()
    }

    /// Whether it was more than an interrupt; that one is waited past from now on.
    pub fn wants_an_end(&self) -> bool {
        let came = || self.ending.iter().any(|raised| raised.load(Ordering::SeqCst));
        if came() {
            return true;
        }
        self.urgent.drain();
        let came = came();
        if came {
            // It came in between, and others wait for it too.
            self.alarm.wake();
        }
        came
    }
}

/// Signals that end the screen: those that mean an end, and those whose default is one. Not among them are those
/// of a broken program (SIGSEGV, SIGBUS, SIGILL, SIGFPE), which cannot go on until it has given anything back.
const ENDING: [i32; 16] = [
    SIGTERM,
    SIGINT,
    SIGHUP,
    SIGQUIT,
    SIGUSR1,
    SIGUSR2,
    SIGALRM,
    SIGABRT,
    SIGTRAP,
    SIGSYS,
    SIGXCPU,
    SIGVTALRM,
    SIGPROF,
    SIGIO,
    Signal::POWER.as_raw(),
    Signal::STKFLT.as_raw(),
];

impl Signals {
    /// Takes them over. The flag is set before the wake-up is written.
    ///
    /// # Errors
    /// The system refuses a handler.
    pub fn take(waker: &Waker) -> io::Result<Self> {
        let (alarm, urgent) = pair()?;
        let mut signals = Self { flags: Vec::new(), ids: Vec::new(), alarm, urgent: Arc::new(urgent) };
        for signal in ENDING.into_iter().chain([SIGTSTP, SIGCONT, SIGWINCH]) {
            let raised = Arc::new(AtomicBool::new(false));
            signals.ids.push(flag::register(signal, raised.clone())?);
            signals.ids.push(pipe::register(signal, waker.0.try_clone()?)?);
            if ENDING.contains(&signal) {
                signals.ids.push(pipe::register(signal, signals.alarm.0.try_clone()?)?);
            }
            signals.flags.push((signal, raised));
        }
        Ok(signals)
    }

    /// Whether a signal came since this was asked last.
    fn came(&self, signal: i32) -> bool {
        self.flags.iter().any(|(of, raised)| *of == signal && raised.swap(false, Ordering::SeqCst))
    }

    /// The signal that wants an end, if one came.
    pub fn ending(&self) -> Option<i32> {
        ENDING.into_iter().find(|&signal| self.came(signal))
    }

    /// Can be read once a signal that wants an end has come: for whoever waits for something else meanwhile.
    pub fn urgent(&self) -> Arc<Sleeper> {
        self.urgent.clone()
    }

    /// The same for whoever must know an interrupt from an end.
    pub fn alarm(&self) -> Alarm {
        let is_end = |signal: &i32| ENDING.contains(signal) && ![SIGINT, SIGQUIT].contains(signal);
        let ending = self.flags.iter().filter(|(signal, _)| is_end(signal)).map(|(_, raised)| raised.clone());
        Alarm { ending: ending.collect(), alarm: self.alarm.clone(), urgent: self.urgent.clone() }
    }

    /// Forgets interrupts that were meant for a program that had the terminal.
    pub fn forget_interrupts(&self) {
        let (_, _) = (self.came(SIGINT), self.came(SIGQUIT));
        if !self.flags.iter().any(|(of, raised)| ENDING.contains(of) && raised.load(Ordering::SeqCst)) {
            self.urgent.drain();
        }
    }

    /// The shell wants a stop.
    pub fn stop(&self) -> bool {
        self.came(SIGTSTP)
    }

    /// The shell lets us go on.
    pub fn go_on(&self) -> bool {
        self.came(SIGCONT)
    }

    /// The window has another size.
    pub fn resized(&self) -> bool {
        self.came(SIGWINCH)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for &id in &self.ids {
            unregister(id);
        }
    }
}
