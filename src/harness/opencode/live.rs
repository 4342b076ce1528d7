//! Who may be at a session of opencode. The client keeps no record of it, and does not refuse a second one: an
//! argument that names the session proves an owner, and a client with the database open may be at any session of it.

use std::path::Path;

use super::{NAMES, rule};
use crate::handoff::SessionId;
use crate::harness::proc::{self, Process};
use crate::harness::{Liveness, Owner, store};

/// Whether a process is at the session; `database` is the store's.
///
/// # Errors
/// Why it cannot be told.
pub(super) fn liveness(proc: &Path, database: &Path, id: &SessionId) -> Result<Liveness, String> {
    let processes = proc::all(proc)?;
    let ours = |process: &Process| process.runs(NAMES) && !store::is_elsewhere(proc, database, process, rule);
    let resumes = |process: &&Process| process.has_option(&["-s", "--session"], id.as_str()) && ours(process);
    if let Some(process) = processes.iter().find(resumes) {
        let status = Some("started with this session's id".to_owned());
        return Ok(Liveness::Running(Owner { pid: process.pid, since: process.since(proc), status }));
    }
    let mut log = database.as_os_str().to_owned();
    log.push("-wal");
    let log = Path::new(&log);
    for process in processes.iter().filter(|process| process.pid != std::process::id()) {
        let why = match process.open_files(proc) {
            Ok(open) if open.iter().any(|file| file.is(database) || file.is(log)) => {
                "has it open: a server, or a client that was started in another directory, can be at any session"
                    .to_owned()
            }
            Err(reason) if ours(process) => format!("may have it open: {reason}"),
            _ => continue,
        };
        return Ok(Liveness::Unknown(format!(
            "{}: process {} {why}; end it, or wait until it has ended",
            database.display(),
            process.pid
        )));
    }
    Ok(Liveness::NotRunning(format!("none of {} processes has {} open", processes.len(), database.display())))
}
