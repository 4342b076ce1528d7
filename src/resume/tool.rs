//! A program that is run once, heard whole and waited for: it works on no session and gets no prompt.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::child::{Child, Ended, Order, Stream};
use super::{Stopper, env};

/// The most that is kept of each of its streams, in bytes.
const HEARD: usize = 1 << 20;

/// What a program said, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heard {
    /// Its standard output, up to 1 MiB.
    pub out: String,
    /// Its error output, up to 1 MiB.
    pub err: String,
    /// Its exit code; `None` where a signal or the time limit ended it.
    pub code: Option<i32>,
    /// It took longer than it was allowed, and was killed.
    pub timed_out: bool,
}

/// A program to be run once.
#[derive(Debug, Clone)]
pub struct Tool<'a> {
    /// Its absolute path.
    pub program: PathBuf,
    /// Its argument array; the first element is the name that it is told.
    pub argv: Vec<OsString>,
    /// Where it starts.
    pub cwd: &'a Path,
    /// The environment; what no child may inherit is taken out.
    pub vars: &'a BTreeMap<OsString, OsString>,
    /// What is set in it all the same.
    pub set: BTreeMap<OsString, OsString>,
    /// How long it may take.
    pub limit: Duration,
}

impl Tool<'_> {
    /// Starts it with nothing on its standard input. Only ever on a person's yes.
    ///
    /// # Errors
    /// It could not be started; nothing runs then.
    pub fn start(self) -> std::io::Result<Listening> {
        let mut vars = env::for_child(self.vars, self.cwd);
        vars.extend(self.set);
        listen(Order {
            program: self.program,
            argv: self.argv,
            cwd: self.cwd.to_owned(),
            vars,
            input: Vec::new(),
            limit: Some(self.limit),
        })
    }

    /// The same, and waits for its end.
    ///
    /// # Errors
    /// It could not be started; nothing ran then.
    pub fn run(self) -> std::io::Result<Heard> {
        Ok(self.start()?.finish())
    }
}

/// A program that runs and is listened to.
#[derive(Debug)]
pub struct Listening {
    child: Child,
    heard: Arc<Mutex<[Vec<u8>; 2]>>,
}

impl Listening {
    /// The way to stop it from another thread.
    pub fn stopper(&self) -> Stopper {
        Stopper::of(self.child.reins())
    }

    /// Waits for its end.
    pub fn finish(self) -> Heard {
        let (ended, [out, err]) = self.wait();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Heard { out: text(out), err: text(err), code: ended.code, timed_out: ended.timed_out }
    }

    fn wait(self) -> (Ended, [Vec<u8>; 2]) {
        let ended = self.child.wait();
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        (ended, std::mem::take(&mut *heard))
    }
}

/// Starts a child and keeps what it writes to its two streams.
fn listen(order: Order) -> std::io::Result<Listening> {
    let heard = Arc::new(Mutex::new([Vec::new(), Vec::new()]));
    let to = Arc::clone(&heard);
    let child = Child::start(order, move |stream, bytes| {
        let mut heard = to.lock().unwrap_or_else(PoisonError::into_inner);
        let into = match stream {
            Stream::Out => &mut heard[0],
            Stream::Err => &mut heard[1],
        };
        into.extend_from_slice(&bytes[..bytes.len().min(HEARD - into.len())]);
    })?;
    Ok(Listening { child, heard })
}

/// Runs a child to its end; gives what it wrote to its two streams.
pub(super) fn hear(order: Order) -> std::io::Result<(Ended, [Vec<u8>; 2])> {
    Ok(listen(order)?.wait())
}
