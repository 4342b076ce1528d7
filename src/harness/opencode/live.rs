//! Who may be at a session of opencode. The client keeps no record of it, and does not refuse a second one: an
//! argument that names the session proves an owner, and so does a client that has the database open and stands in the
//! session's directory, where it would go on with it. Whoever else has the database open may be at any session of it.

use std::path::{Path, PathBuf};

use super::{NAMES, rule};
use crate::handoff::{SessionId, count_of};
use crate::harness::proc::{self, Process};
use crate::harness::{Liveness, store};

/// Whether a process is at the session; `database` is the store's, and `directory` looks up the session's own, which
/// is asked for only where a client has the database open.
///
/// # Errors
/// Why it cannot be told.
pub(super) fn liveness(
    proc: &Path,
    database: &Path,
    id: &SessionId,
    directory: impl Fn() -> Option<PathBuf>,
) -> Result<Liveness, String> {
    let processes = proc::all(proc)?;
    let ours = |process: &Process| process.runs(NAMES) && !store::is_elsewhere(proc, database, process, rule);
    let resumes = |process: &&Process| process.has_option(&["-s", "--session"], id.as_str()) && ours(process);
    if let Some(process) = processes.iter().find(resumes) {
        return Ok(Liveness::Running(process.owner(proc, "started with this session's id")));
    }
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    let log = Path::new(&log);
    let mut doubts = Vec::new();
    for process in processes.iter().filter(|process| process.pid != std::process::id()) {
        let why = match process.open_files(proc) {
            Ok(open) if open.iter().any(|file| file.is(database) || file.is(log)) => {
                let here = || {
                    let (theirs, own) = (process.directory(proc), directory());
                    theirs.zip(own).is_some_and(|(theirs, own)| store::same_place(&theirs, &own))
                };
                if ours(process) && !process.names_option(&["-s", "--session"]) && here() {
                    let status = "has the database open, in this session's directory";
                    return Ok(Liveness::Running(process.owner(proc, status)));
                }
                "has it open: a server, or a client that was started in another directory, can be at any session"
                    .to_owned()
            }
            Err(reason) if ours(process) => format!("may have it open: {reason}"),
            _ => continue,
        };
        doubts.push(format!(
            "{}: process {} {why}; end it, or wait until it has ended",
            database.display(),
            process.pid
        ));
    }
    if let Some(doubt) = doubts.into_iter().next() {
        return Ok(Liveness::Unknown(doubt));
    }
    Ok(Liveness::NotRunning(format!(
        "no process has {} open: {} looked at",
        database.display(),
        count_of(processes.len(), "process", "processes")
    )))
}
