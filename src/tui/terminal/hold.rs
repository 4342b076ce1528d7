//! Taking the terminal and giving it back exactly as it was: on a normal end, an error, a signal, a hang-up, and
//! a panic on any thread.

use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

use rustix::stdio::{stdin, stdout};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};

use super::wake::Waker;

/// Alternate screen, cursor hidden, pastes bracketed.
const TAKE: &[u8] = b"\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[2J\x1b[H";
/// The same undone, newest first, and the colours reset.
const GIVE_BACK: &[u8] = b"\x1b[0m\x1b[?2004l\x1b[?25h\x1b[?1049l";

/// What the process knows about its terminal. One terminal, so one static.
#[derive(Default)]
struct Holding {
    /// The attributes to give back; `None` while the terminal is not ours.
    saved: Option<Termios>,
    /// The thread that owns the screen, and how to wake it.
    owner: Option<(ThreadId, Waker)>,
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

/// The terminal, held. Given back when dropped.
pub struct Hold(());

impl Hold {
    /// Takes the terminal for this thread. The panic hook is in place before anything changes.
    ///
    /// # Errors
    /// Standard input or output is no terminal.
    pub fn take(waker: Waker) -> io::Result<Self> {
        HOOK.call_once(install_hook);
        let (mut state, _) = holding();
        *state = Holding { owner: Some((std::thread::current().id(), waker)), ..Holding::default() };
        drop(state);
        retake()?;
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

/// Takes the terminal (again) from whatever it is set to now.
///
/// # Errors
/// Standard input or output is no terminal.
pub fn retake() -> io::Result<()> {
    let (mut state, _) = holding();
    if state.saved.is_none() {
        let now = tcgetattr(stdin())?;
        tcgetattr(stdout())?;
        let mut raw = now.clone();
        raw.make_raw();
        state.saved = Some(now);
        tcsetattr(stdin(), OptionalActions::Now, &raw)?;
    }
    write_all(TAKE)
}

/// Sets the terminal to raw again, after somebody else changed it while we did not look.
pub fn renew() -> io::Result<()> {
    let (state, _) = holding();
    if let Some(saved) = &state.saved {
        let mut raw = saved.clone();
        raw.make_raw();
        tcsetattr(stdin(), OptionalActions::Now, &raw)?;
    }
    write_all(TAKE)
}

/// Gives it back, if it is held. What was typed or answered and not read is dropped with it, so that the shell
/// does not get it. Errors have nowhere to go: the terminal may be gone.
pub fn give_back() {
    let (mut state, changed) = holding();
    if let Some(saved) = state.saved.take() {
        let _ = write_all(GIVE_BACK);
        let _ = tcsetattr(stdin(), OptionalActions::Flush, &saved);
        changed.notify_all();
    }
}

/// Whether another thread has panicked: the screen must end.
pub fn has_fallen() -> bool {
    holding().0.fallen
}

/// Whether this process may touch the terminal: its group is the one in the foreground.
pub fn in_foreground() -> bool {
    tcgetpgrp(stdin()).is_ok_and(|group| group == rustix::process::getpgrp())
}

/// Writes to the terminal, without the standard library's buffer and its lock: a panic may hold it.
pub fn write_all(mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(stdout(), bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => bytes = &bytes[n..],
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
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
                while state.saved.is_some() && Instant::now() < limit {
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
