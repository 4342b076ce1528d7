//! Taking the terminal and giving it back exactly as it was: on a normal end, an error, a signal, a hang-up, and
//! a panic on any thread.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::{stdin, stdout};
use rustix::termios::{
    OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetpgrp, tcsetattr, ttyname,
};

use super::wake::{Sleeper, Waker};
use crate::disk;

/// Alternate screen, cursor hidden, pastes bracketed; what programs before left switched on is off, with the
/// reporting of keys in other ways (kitty's and xterm's), which the alternate screen has for itself.
const TAKE: &[u8] = b"\x1b[?1049h\x1b[=0;1u\x1b[>4m\x1b[?25l\x1b[?2004h\x1b[2J\x1b[H";
/// The same undone, newest first, and the colours reset.
const GIVE_BACK: &[u8] = b"\x1b[0m\x1b[?2004l\x1b[?25h\x1b[?1049l";
/// Switches off what a program that was killed may have left on: application keys and keypad, the mouse in all its
/// ways, focus reports. Without that, reports would come as if they were typed, here and in the shell.
const LEFT_ON: &[u8] =
    b"\x1b[?1l\x1b>\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1015l";
/// How long a terminal that takes nothing is asked to take that.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// What the process knows about its terminal. One terminal, so one static.
#[derive(Default)]
struct Holding {
    /// The attributes that the shell had set, to give back.
    original: Option<Termios>,
    /// The terminal is ours now.
    is_held: bool,
    /// The thread that owns the screen, and how to wake it.
    owner: Option<(ThreadId, Waker)>,
    /// The way to write to it.
    line: Arc<Line>,
    /// A thread other than the owner has panicked.
    fallen: bool,
    /// Its report is written.
    reported: bool,
}

static HOLDING: OnceLock<(Mutex<Holding>, Condvar)> = OnceLock::new();
static HOOK: Once = Once::new();

fn holding() -> (MutexGuard<'static, Holding>, &'static Condvar) {
    let (mutex, changed) = HOLDING.get_or_init(Default::default);
    (mutex.lock().unwrap_or_else(PoisonError::into_inner), changed)
}

/// The way to write to the terminal. A terminal that does not read (its window hangs, or somebody stopped it by a
/// key) takes nothing when its buffer is full: that is waited for, but not in the way of a signal.
#[derive(Default)]
struct Line {
    /// The terminal's device, opened so that a write never blocks. Standard output where it cannot be had.
    device: Option<File>,
    /// Can be read once the screen has to end.
    urgent: Option<Arc<Sleeper>>,
}

impl Line {
    fn to(urgent: Arc<Sleeper>) -> Self {
        let name = ttyname(stdout(), Vec::new()).ok();
        let device = name.and_then(|name| disk::terminal(Path::new(OsStr::from_bytes(name.as_bytes()))).ok());
        Self { device, urgent: Some(urgent) }
    }

    /// Writes everything. Where the terminal takes nothing it waits: so long, or else until the screen has to end.
    /// Neither the standard library's buffer nor its lock is in between: a panic may hold it.
    fn write(&self, mut bytes: &[u8], most: Option<Duration>) -> io::Result<()> {
        let limit = most.map(|most| Instant::now() + most);
        while !bytes.is_empty() {
            let wrote = match &self.device {
                Some(device) => rustix::io::write(device, bytes),
                None => rustix::io::write(stdout(), bytes),
            };
            match wrote {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => bytes = &bytes[n..],
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => self.wait(limit)?,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn wait(&self, limit: Option<Instant>) -> io::Result<()> {
        let left = limit.map(|limit| limit.saturating_duration_since(Instant::now()));
        let timeout = left.and_then(|left| Timespec::try_from(left).ok());
        let stdout = stdout();
        let writable = self.device.as_ref().map_or(stdout, AsFd::as_fd);
        let mut waits = vec![PollFd::from_borrowed_fd(writable, PollFlags::OUT)];
        if let (None, Some(urgent)) = (limit, &self.urgent) {
            waits.push(PollFd::from_borrowed_fd(urgent.stream().as_fd(), PollFlags::IN));
        }
        match poll(&mut waits, timeout.as_ref()) {
            Ok(0) => Err(io::ErrorKind::TimedOut.into()),
            Ok(_) if waits.get(1).is_some_and(|urgent| !urgent.revents().is_empty()) => {
                Err(io::ErrorKind::TimedOut.into())
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// The terminal, held. Given back when dropped.
pub struct Hold(());

impl Hold {
    /// Takes the terminal for this thread. The panic hook is in place before anything changes. `urgent` can be read
    /// once the screen has to end.
    ///
    /// # Errors
    /// Standard input or output is no terminal.
    pub fn take(waker: Waker, urgent: Arc<Sleeper>) -> io::Result<Self> {
        HOOK.call_once(install_hook);
        let (mut state, _) = holding();
        let owner = Some((std::thread::current().id(), waker));
        *state = Holding { owner, line: Arc::new(Line::to(urgent)), ..Holding::default() };
        drop(state);
        take_from_shell()?;
        Ok(Self(()))
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        give_back();
        let (mut state, changed) = holding();
        // A thread that has panicked writes its report now that the screen is gone; the process must not end
        // before that.
        let limit = Instant::now() + Duration::from_secs(1);
        while state.fallen && !state.reported {
            let left = limit.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        state.owner = None;
    }
}

/// Takes the terminal from the shell: as that has set it now, it is given back.
///
/// # Errors
/// Standard input or output is no terminal.
pub fn take_from_shell() -> io::Result<()> {
    let now = tcgetattr(stdin())?;
    tcgetattr(stdout())?;
    holding().0.original = Some(now);
    retake()
}

/// Takes it again from a program that had it, or that changed it while we did not look. What that has made of it
/// is nothing to give back: it may have been killed.
///
/// # Errors
/// The terminal is gone.
pub fn retake() -> io::Result<()> {
    let (mut state, _) = holding();
    if let Some(original) = &state.original {
        let mut raw = original.clone();
        raw.make_raw();
        state.is_held = true;
        tcsetattr(stdin(), OptionalActions::Now, &raw)?;
    }
    drop(state);
    write_all(&[LEFT_ON, TAKE].concat())
}

/// Gives it back, if it is held. What was typed or answered and not read is dropped with it, so that the shell
/// does not get it. Errors have nowhere to go: the terminal may be gone.
pub fn give_back() {
    let (mut state, changed) = holding();
    if !std::mem::take(&mut state.is_held) {
        return;
    }
    let _ = state.line.write(&[LEFT_ON, GIVE_BACK].concat(), Some(LAST_WORDS));
    if let Some(original) = &state.original {
        // Not the form that waits for the output: that may never be read.
        let _ = tcsetattr(stdin(), OptionalActions::Now, original);
    }
    let _ = tcflush(stdin(), QueueSelector::IFlush);
    changed.notify_all();
}

/// Whether another thread has panicked: the screen must end.
pub fn has_fallen() -> bool {
    holding().0.fallen
}

/// Whether this process may touch the terminal: its group is the one in the foreground.
pub fn in_foreground() -> bool {
    tcgetpgrp(stdin()).is_ok_and(|group| group == rustix::process::getpgrp())
}

/// Writes to the terminal, and waits for one that takes nothing now.
///
/// # Errors
/// The terminal is gone; `TimedOut` when it takes nothing and a signal wants an end.
pub fn write_all(bytes: &[u8]) -> io::Result<()> {
    let line = holding().0.line.clone();
    line.write(bytes, None)
}

/// On the owner's thread the terminal is given back before the report is written. On any other, the owner is
/// woken to give it back between two frames, and the report waits for that.
fn install_hook() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let (mut state, changed) = holding();
        let owner = state.owner.clone();
        match owner {
            Some((thread, waker)) if thread != std::thread::current().id() => {
                state.fallen = true;
                waker.wake();
                let limit = Instant::now() + Duration::from_secs(2);
                while state.is_held && Instant::now() < limit {
                    state = changed
                        .wait_timeout(state, Duration::from_millis(100))
                        .unwrap_or_else(PoisonError::into_inner)
                        .0;
                }
                drop(state);
                give_back();
                before(info);
                holding().0.reported = true;
                changed.notify_all();
            }
            _ => {
                drop(state);
                give_back();
                before(info);
            }
        }
    }));
}
