//! Ending the program that has the terminal when the screen itself has to end: nobody may be there to leave it.

use std::os::fd::{AsFd, OwnedFd};
use std::process::Child;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use rustix::stdio::stdin;

use super::wake::{Alarm, Signals};

/// How long a program may take for its end before it is told in a harder way: three of them fit into a second.
const GRACE: Timespec = Timespec { tv_sec: 0, tv_nsec: Duration::from_millis(300).subsec_nanos() as _ };

/// A thread that ends a program when a signal wants an end of this process, or when the terminal hangs up.
pub(super) struct Watch(Option<JoinHandle<bool>>);

impl Watch {
    /// Watches over it. Where the system has no descriptors of processes, or no thread, the end of the screen waits
    /// for the program's own.
    pub fn over(program: &Child, signals: &Signals) -> Self {
        // A descriptor and not the number, which may be somebody else's once its end was waited for.
        let pid = i32::try_from(program.id()).ok().and_then(Pid::from_raw);
        let program = pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
        let alarm = signals.alarm();
        let thread = program.and_then(|program| {
            let watch = move || must_end(&program, &alarm) && end(&program);
            Builder::new().name("watch".into()).spawn(watch).ok()
        });
        Self(thread)
    }

    /// Says, after the program's end, whether that was asked for here.
    pub fn has_ended_it(self) -> bool {
        self.0.and_then(|thread| thread.join().ok()).unwrap_or(false)
    }
}

/// Waits until the program has to end; `false` when it has ended before.
fn must_end(program: &OwnedFd, alarm: &Alarm) -> bool {
    let tty = stdin();
    loop {
        let mut waits = [
            PollFd::new(program, PollFlags::IN),
            PollFd::new(alarm.stream(), PollFlags::IN),
            // Nothing but its hang-up, which is told without being asked for.
            PollFd::from_borrowed_fd(tty, PollFlags::empty()),
        ];
        match poll(&mut waits, None) {
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return false,
            Ok(_) if !waits[0].revents().is_empty() => return false,
            Ok(_) if !waits[2].revents().is_empty() => return true,
            Ok(_) if alarm.wants_an_end() => return true,
            Ok(_) => {}
        }
    }
}

/// Ends it: as a terminal that closes, then as a shell does, then for good.
fn end(program: &OwnedFd) -> bool {
    for signal in [Signal::HUP, Signal::TERM, Signal::KILL] {
        // The only way to fail is a program that has ended. A stopped one hears nothing before it goes on.
        let _ = pidfd_send_signal(program, signal);
        let _ = pidfd_send_signal(program, Signal::CONT);
        if poll(&mut [PollFd::new(&program.as_fd(), PollFlags::IN)], Some(&GRACE)) != Ok(0) {
            break;
        }
    }
    true
}
