//! A program that is run once, heard whole and waited for: it works on no session and gets no prompt.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::child::{Child, Ended, Order, Stream};
use super::env;

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
    /// Runs it with nothing on its standard input. Only ever on a person's yes.
    ///
    /// # Errors
    /// It could not be started; nothing ran then.
    pub fn run(self) -> std::io::Result<Heard> {
        let mut vars = env::for_child(self.vars, self.cwd);
        vars.extend(self.set);
        let order = Order {
            program: self.program,
            argv: self.argv,
            cwd: self.cwd.to_owned(),
            vars,
            input: Vec::new(),
            limit: Some(self.limit),
        };
        let (ended, [out, err]) = hear(order)?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok(Heard { out: text(out), err: text(err), code: ended.code, timed_out: ended.timed_out })
    }
}

/// Runs a child to its end; gives what it wrote to its two streams.
pub(super) fn hear(order: Order) -> std::io::Result<(Ended, [Vec<u8>; 2])> {
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
    let ended = child.wait();
    let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
    Ok((ended, std::mem::take(&mut *heard)))
}
