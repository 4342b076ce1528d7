//! One child process in a background group of its own: three pipes, a way to stop it, and always a wait.
//!
//! Two threads serve it. One carries bytes: the input into its standard input, which is closed behind them, and
//! its output to whoever listens. The other waits for its end. When the child has ended, what it left in its
//! pipes is read and the pipes are let go, even where a process that it left behind still holds them open.

use std::ffi::OsString;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::env::Vars;

/// How long a child that must end is given before it is asked harder.
const GRACE: Duration = Duration::from_secs(2);
/// How much of what an ended child left in each pipe is still read, in bytes.
const LEFT_OVER: usize = 1 << 20;

/// What to start, and how.
pub(super) struct Order {
    /// The program's absolute path.
    pub program: PathBuf,
    /// Its argument array; the first element is the name that it is told.
    pub argv: Vec<OsString>,
    /// Where it starts.
    pub cwd: PathBuf,
    /// Its whole environment.
    pub vars: Vars,
    /// What stands on its standard input before that is closed.
    pub input: Vec<u8>,
    /// How long it may take before it is killed.
    pub limit: Option<Duration>,
}

impl Order {
    /// As a command in a process group of its own; whoever starts it says where its streams go.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        if let Some((name, rest)) = self.argv.split_first() {
            command.arg0(name).args(rest);
        }
        command.current_dir(&self.cwd).env_clear().envs(&self.vars).process_group(0);
        command
    }
}

/// Which of the child's streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ended {
    /// Its exit code, when it exited.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// It took longer than it was allowed.
    pub timed_out: bool,
}

impl Ended {
    /// From what waiting for it gave; an error is an end that cannot be told.
    pub fn of(status: io::Result<ExitStatus>) -> Self {
        let status = status.ok();
        Self {
            code: status.and_then(|s| s.code()),
            signal: status.and_then(|s| s.signal()),
            timed_out: false,
        }
    }
}

/// The way to stop a child, from any thread.
#[derive(Debug, Clone)]
pub(super) struct Reins(Arc<Mutex<Group>>);

#[derive(Debug)]
struct Group {
    /// Its leader, as long as that was not waited for: after that the number may be somebody else's.
    leader: Option<Pid>,
    /// How it is asked to stop.
    first: Signal,
    /// How often it was.
    asked: usize,
}

impl Reins {
    /// Of a child that leads a group of its own; it is asked to stop with `first`.
    pub fn of(child: &std::process::Child, first: Signal) -> Self {
        let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Self(Arc::new(Mutex::new(Group { leader, first, asked: 0 })))
    }

    /// The first signal to the group the first time, SIGTERM the second, SIGKILL from the third time on. Does
    /// nothing after the end.
    pub fn stop(&self) {
        let mut group = self.lock();
        let signal = match group.asked {
            0 => group.first,
            1 => Signal::TERM,
            _ => Signal::KILL,
        };
        group.asked += 1;
        send(&group, signal);
        // A stopped one would hear nothing but the last of them.
        send(&group, Signal::CONT);
    }

    /// Ends it: asks, and asks harder whenever [`GRACE`] has gone by, until it is killed or `over` is closed.
    pub fn end(&self, over: &Receiver<()>) {
        for _ in 0..3 {
            self.stop();
            if over.recv_timeout(GRACE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
        }
    }

    /// Whether it was asked to stop.
    pub fn was_asked(&self) -> bool {
        self.lock().asked > 0
    }

    /// The group's leader, until that was waited for.
    pub fn leader(&self) -> Option<Pid> {
        self.lock().leader
    }

    /// Waits for a child that has ended; its number may be somebody else's after that.
    pub fn reap(&self, child: &mut std::process::Child) -> io::Result<ExitStatus> {
        let mut group = self.lock();
        group.leader = None;
        child.wait()
    }

    /// Kills its group.
    pub fn kill(&self) {
        send(&self.lock(), Signal::KILL);
    }

    fn lock(&self) -> MutexGuard<'_, Group> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn send(group: &Group, signal: Signal) {
    if let Some(leader) = group.leader {
        // The only way to fail is a group that is ending by itself.
        let _ = kill_process_group(leader, signal);
    }
}

/// A started child.
#[derive(Debug)]
pub(super) struct Child {
    reins: Reins,
    carrier: JoinHandle<bool>,
    waiter: JoinHandle<io::Result<ExitStatus>>,
}

impl Child {
    /// Starts it. `heard` gets its output as it comes, from another thread.
    ///
    /// # Errors
    /// What the system said; nothing runs then.
    pub fn start(order: Order, heard: impl FnMut(Stream, &[u8]) + Send + 'static) -> io::Result<Self> {
        // The threads are there before the child is, so that nothing can fail between its start and its wait.
        let (to_carrier, from_starter) = channel();
        let carrier =
            Builder::new().name("child-io".into()).spawn(move || carry_all(&from_starter, heard))?;
        let (to_waiter, from_starter) = channel();
        let waiter = Builder::new().name("child-wait".into()).spawn(move || wait(&from_starter))?;
        let (ended, end) = io::pipe()?;
        let mut command = order.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let reins = Reins::of(&child, Signal::INT);
        let load = Load {
            input: child.stdin.take().map(|pipe| (pipe, order.input)),
            out: child.stdout.take(),
            err: child.stderr.take(),
            ended,
            reins: reins.clone(),
            deadline: order.limit.map(|limit| Instant::now() + limit),
        };
        hand_over(&to_carrier, load);
        hand_over(&to_waiter, Watch { child, reins: reins.clone(), _end: end });
        Ok(Self { reins, carrier, waiter })
    }

    /// The way to stop it.
    pub fn reins(&self) -> Reins {
        self.reins.clone()
    }

    /// Waits for its end.
    pub fn wait(self) -> Ended {
        let status = self.waiter.join().unwrap_or_else(|_| Err(io::Error::other("the waiting thread ended")));
        let timed_out = self.carrier.join().unwrap_or(false);
        Ended { timed_out, ..Ended::of(status) }
    }
}

/// Gives a thread its work. A thread that is gone was ended by a panic, which its `join` reports.
fn hand_over<T>(to: &Sender<T>, work: T) {
    let _ = to.send(work);
}

struct Watch {
    child: std::process::Child,
    reins: Reins,
    /// Dropped when the child was waited for: that is how the other thread learns of it.
    _end: PipeWriter,
}

fn wait(from: &Receiver<Watch>) -> io::Result<ExitStatus> {
    let Ok(mut watch) = from.recv() else { return Err(io::Error::other("not started")) };
    if let Some(leader) = watch.reins.leader() {
        // Wait without reaping first: until then the group's number is surely its own.
        while let Err(rustix::io::Errno::INTR) =
            waitid(WaitId::Pid(leader), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
        {}
    }
    watch.reins.reap(&mut watch.child)
}

struct Load {
    input: Option<(std::process::ChildStdin, Vec<u8>)>,
    out: Option<std::process::ChildStdout>,
    err: Option<std::process::ChildStderr>,
    ended: PipeReader,
    reins: Reins,
    deadline: Option<Instant>,
}

/// What a turn of polling found ready.
struct Ready {
    input: bool,
    out: bool,
    err: bool,
    ended: bool,
}

/// Carries bytes until the child has ended; says whether it ran out of time.
fn carry_all(from: &Receiver<Load>, mut heard: impl FnMut(Stream, &[u8])) -> bool {
    let Ok(mut load) = from.recv() else { return false };
    let mut timed_out = false;
    let mut written = 0;
    load.set_nonblocking();
    loop {
        let Some(ready) = load.poll() else {
            load.deadline = None;
            timed_out = true;
            load.reins.kill();
            continue;
        };
        if ready.input {
            written = load.feed(written);
        }
        let most = if ready.ended { LEFT_OVER } else { 1 };
        if (ready.out || ready.ended) && !drain(&mut load.out, most, |bytes| heard(Stream::Out, bytes)) {
            load.out = None;
        }
        if (ready.err || ready.ended) && !drain(&mut load.err, most, |bytes| heard(Stream::Err, bytes)) {
            load.err = None;
        }
        if ready.ended {
            return timed_out;
        }
    }
}

impl Load {
    fn set_nonblocking(&self) {
        let pipes = [
            self.input.as_ref().map(|(pipe, _)| pipe.as_fd()),
            self.out.as_ref().map(AsFd::as_fd),
            self.err.as_ref().map(AsFd::as_fd),
        ];
        for pipe in pipes.into_iter().flatten() {
            // A pipe that stays blocking is only read and written where poll said that it is ready.
            let _ = rustix::io::ioctl_fionbio(pipe, true);
        }
    }

    /// Waits until something is ready; `None` when the time is up.
    fn poll(&self) -> Option<Ready> {
        let input = self.input.as_ref().map(|(pipe, _)| pipe.as_fd());
        let (out, err) = (self.out.as_ref().map(AsFd::as_fd), self.err.as_ref().map(AsFd::as_fd));
        let wanted = [
            (input, PollFlags::OUT),
            (out, PollFlags::IN),
            (err, PollFlags::IN),
            (Some(self.ended.as_fd()), PollFlags::IN),
        ];
        loop {
            let open = wanted.iter().filter_map(|&(fd, flags)| Some(PollFd::from_borrowed_fd(fd?, flags)));
            let mut fds: Vec<PollFd<'_>> = open.collect();
            let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let timeout = left.and_then(|left| Timespec::try_from(left).ok());
            match poll(&mut fds, timeout.as_ref()) {
                Ok(0) => return None,
                Ok(_) => {
                    let mut results = fds.iter().map(|fd| !fd.revents().is_empty());
                    let mut next = |(fd, _): (Option<BorrowedFd<'_>>, PollFlags)| {
                        fd.is_some() && results.next().unwrap_or(false)
                    };
                    let [input, out, err, ended] = wanted.map(&mut next);
                    return Some(Ready { input, out, err, ended });
                }
                Err(_) => {}
            }
        }
    }

    /// Writes what the pipe takes of the input; closes it behind the last byte or where nobody reads it.
    fn feed(&mut self, written: usize) -> usize {
        let Some((pipe, input)) = &mut self.input else { return written };
        let took = match input.get(written..) {
            Some(rest) if !rest.is_empty() => pipe.write(rest),
            _ => Ok(0),
        };
        match took {
            Ok(n) if n > 0 && written + n < input.len() => written + n,
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                written
            }
            _ => {
                self.input = None;
                written
            }
        }
    }
}

/// Reads what is there, about `most` bytes; `false` when the stream is over.
fn drain(stream: &mut Option<impl Read>, most: usize, mut heard: impl FnMut(&[u8])) -> bool {
    let Some(stream) = stream else { return false };
    let mut buffer = [0; 16 << 10];
    let mut got = 0;
    while got < most {
        match stream.read(&mut buffer) {
            Ok(0) => return false,
            Ok(n) => {
                heard(&buffer[..n]);
                got += n;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return error.kind() == io::ErrorKind::WouldBlock,
        }
    }
    true
}

#[cfg(test)]
mod tests;
