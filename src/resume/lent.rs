//! One child that has the person's real terminal: a process group of its own in the foreground, and the terminal
//! taken back when that has ended or stopped, whatever it did to it.
//!
//! This process touches the terminal only while it is in the foreground, with one exception that it blocks SIGTTOU
//! for: taking the terminal back. So it is never stopped for reaching after a terminal that it has lent.

use std::io;
use std::os::fd::AsFd;
use std::process::{Child, Stdio};
use std::sync::mpsc::channel;
use std::thread::Builder;

use nix::sys::signal::{SigSet, SigmaskHow, Signal as Blocked};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, getpgrp, kill_process_group, waitid,
};
use rustix::stdio::{stderr, stdin, stdout};
use rustix::termios::{OptionalActions, Termios, isatty, tcgetattr, tcgetpgrp, tcsetattr, tcsetpgrp};
use signal_hook::consts::signal::{SIGTSTP, SIGTTIN, SIGTTOU};
use signal_hook::low_level::emulate_default_handler;

use super::child::{Ended, Order, Reins};

/// What a program that fell over may leave switched on, undone: colours, a hidden cursor, bracketed paste, the
/// mouse, focus reports, application keys, the alternate screen. Leaving that puts the cursor where it was saved
/// last, so it is saved here first, for a terminal that is not in it.
const UNDO: &[u8] = b"\x1b[0m\x1b[?25h\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?1l\x1b>\x1b7\x1b[?1049l";

/// This process's terminal as it is before it is lent.
#[derive(Debug)]
pub(super) struct OurTerminal {
    modes: Termios,
    group: Pid,
}

impl OurTerminal {
    /// Looks whether there is one to lend.
    ///
    /// # Errors
    /// In words, why there is none.
    pub fn here() -> Result<Self, &'static str> {
        if !(isatty(stdin()) && isatty(stdout()) && isatty(stderr())) {
            return Err("input, output and error output must be one");
        }
        let group = getpgrp();
        if tcgetpgrp(stdin()) != Ok(group) {
            return Err("moorline runs in the background of it");
        }
        let modes = tcgetattr(stdin()).map_err(|_| "its modes cannot be read")?;
        Ok(Self { modes, group })
    }

    /// Puts another group into the foreground, with these modes where they are known.
    fn lend(&self, to: Pid, modes: Option<&Termios>) {
        // Where the terminal is gone nothing of this can be done, and the child learns of that by itself.
        without_being_stopped(|| {
            if let Some(modes) = modes {
                let _ = tcsetattr(stdin(), OptionalActions::Now, modes);
            }
            let _ = tcsetpgrp(stdin(), to);
        });
    }

    /// Puts this process's own group into the foreground again, with the modes that the terminal had. What was
    /// typed for the child and not read is dropped.
    fn take_back(&self) {
        without_being_stopped(|| {
            let _ = tcsetpgrp(stdin(), self.group);
            let _ = tcsetattr(stdin(), OptionalActions::Flush, &self.modes);
        });
    }

    /// Whether this process may touch it; one that is gone is nobody's.
    fn is_lost(&self) -> bool {
        tcgetpgrp(stdin()).is_ok_and(|group| group != self.group)
    }
}

/// A process in the background is stopped when it changes its terminal, unless it blocks the signal for that.
fn without_being_stopped(act: impl FnOnce()) {
    let mut blocked = SigSet::empty();
    blocked.add(Blocked::SIGTTOU);
    let before = blocked.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    act();
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
}

/// A started child that has the terminal.
pub(super) struct Lent {
    reins: Reins,
    child: Child,
    terminal: OurTerminal,
    /// Called at its end; `None` when that was seen.
    at_end: Option<Box<dyn FnOnce() + Send>>,
    /// Closed at its end.
    over: Option<io::PipeWriter>,
}

impl Lent {
    /// Starts it with this process's own three streams. The order's input and limit do not apply: a person types,
    /// for as long as they like. `at_end` is called when it has ended.
    ///
    /// # Errors
    /// What the system said; nothing runs then.
    pub fn start(
        order: &Order,
        terminal: OurTerminal,
        at_end: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let mut command = order.command();
        command.stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(Stdio::inherit());
        let child = command.spawn()?;
        // What a person's terminal says when it closes.
        let reins = Reins::of(&child, Signal::HUP);
        if let Some(leader) = reins.leader() {
            terminal.lend(leader, None);
        }
        let over = end_with_the_terminal(reins.clone()).ok();
        Ok(Self { reins, child, terminal, at_end: Some(Box::new(at_end)), over })
    }

    /// The way to stop it.
    pub fn reins(&self) -> Reins {
        self.reins.clone()
    }

    /// Waits for its end and takes the terminal back. When it stops, this process stops too, as the shell's job
    /// that they both are; both go on together.
    pub fn wait(mut self) -> Ended {
        self.follow()
    }

    fn follow(&mut self) -> Ended {
        if let Some(leader) = self.reins.leader() {
            while let Some(signal) = next_stop(leader) {
                self.stopped(leader, signal);
            }
        }
        self.over = None;
        self.terminal.take_back();
        let ended = Ended::of(self.reins.reap(&mut self.child));
        if ended.code != Some(0) && takes_text() {
            // A terminal that is gone needs no undoing.
            let _ = rustix::io::write(stdout(), UNDO);
        }
        if let Some(at_end) = self.at_end.take() {
            at_end();
        }
        ended
    }

    fn stopped(&self, leader: Pid, signal: i32) {
        let mut modes = None;
        // It reached for the terminal before it was lent, or its own child has given it up: it may go on.
        if !matches!(signal, SIGTTIN | SIGTTOU) {
            modes = tcgetattr(stdin()).ok();
            self.terminal.take_back();
            // `bg` lets us go on without the terminal; then we stop again, so that `fg` finds a stopped job.
            loop {
                let stop = emulate_default_handler(SIGTSTP);
                if stop.is_err() || self.reins.was_asked() || !self.terminal.is_lost() {
                    break;
                }
            }
        }
        self.terminal.lend(leader, modes.as_ref());
        // The only way to fail is a group that has ended meanwhile.
        let _ = kill_process_group(leader, Signal::CONT);
    }
}

impl Drop for Lent {
    /// Nobody waited for it: it is ended, because the terminal is this process's own.
    fn drop(&mut self) {
        if self.at_end.is_none() {
            return;
        }
        let (_over, until) = channel();
        let reins = self.reins.clone();
        let end = move || reins.end(&until);
        if Builder::new().name("insist".into()).spawn(end).is_err() {
            self.reins.kill();
        }
        self.follow();
    }
}

/// Whether the terminal takes text now: one that does not read any more is not waited for.
fn takes_text() -> bool {
    let stdout = stdout();
    let mut waits = [PollFd::from_borrowed_fd(stdout, PollFlags::OUT)];
    poll(&mut waits, Some(&Timespec::default())).is_ok() && waits[0].revents().contains(PollFlags::OUT)
}

/// Ends the child when the terminal hangs up, whether it minds that or not, until the pipe that comes back is closed.
fn end_with_the_terminal(reins: Reins) -> io::Result<io::PipeWriter> {
    let (until, over) = io::pipe()?;
    let watch = move || {
        let tty = stdin();
        loop {
            // Nothing but the hang-up is waited for, which is told without being asked for.
            let mut waits = [
                PollFd::from_borrowed_fd(tty, PollFlags::empty()),
                PollFd::from_borrowed_fd(until.as_fd(), PollFlags::IN),
            ];
            match poll(&mut waits, None) {
                Err(rustix::io::Errno::INTR) => continue,
                Err(_) => return,
                Ok(_) if !waits[1].revents().is_empty() => return,
                Ok(_) => break,
            }
        }
        // Asked first by the terminal itself; the end is seen by whoever waits for it.
        let (_over, never) = channel();
        reins.end(&never);
    };
    Builder::new().name("hang-up".into()).spawn(watch)?;
    Ok(over)
}

/// Waits for the next time that it stops, and says by which signal; `None` when it has ended.
fn next_stop(leader: Pid) -> Option<i32> {
    // Looked at without being taken: an end is taken under the lock that guards the group's number.
    let either = WaitIdOptions::EXITED | WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT;
    loop {
        match waitid(WaitId::Pid(leader), either) {
            Ok(Some(status)) if status.stopped() => {
                let stop = waitid(WaitId::Pid(leader), WaitIdOptions::STOPPED | WaitIdOptions::NOHANG);
                // It may have been killed or woken since it was looked at; then it is looked at again.
                if let Some(signal) = stop.ok().flatten().as_ref().and_then(WaitIdStatus::stopping_signal) {
                    return Some(signal);
                }
            }
            Err(rustix::io::Errno::INTR) => {}
            _ => return None,
        }
    }
}
