//! Who may be at a session of hermes.
//!
//! The client does not refuse a second one, and keeps a record of who is where only when a person limits how many
//! may run. Otherwise only the process table is left: an argument that names the session proves an owner, and any
//! process that has the database open may be one.

use std::path::Path;

use serde::Deserialize;

use super::{NAMES, rule};
use crate::disk::{self, DiskError};
use crate::handoff::{SessionId, count_of};
use crate::harness::proc::{self, Process};
use crate::harness::{Liveness, Owner, store};

/// The client writes a start time in seconds, made of two numbers of which one is rounded.
const SAME_START: f64 = 2.0;

/// The record of who is where, as far as it matters.
#[derive(Deserialize)]
struct Leases {
    entries: Vec<Lease>,
}

#[derive(Deserialize)]
struct Lease {
    pid: u32,
    session_id: Option<String>,
    process_start_time: Option<f64>,
}

/// What a lease on this very session proves.
enum Proof {
    Running(Owner),
    Stale(String),
    Open(String),
}

/// Whether a process is at the session; `root` is where all profiles lie, `home` the profile's directory.
///
/// # Errors
/// Why it cannot be told.
pub(super) fn liveness(proc: &Path, root: &Path, home: &Path, id: &SessionId) -> Result<Liveness, String> {
    let processes = proc::all(proc)?;
    let ours = |process: &Process| process.runs(NAMES) && !store::is_elsewhere(proc, root, process, rule);
    let resumes = |process: &&Process| process.has_option(&["--resume", "-r"], id.as_str()) && ours(process);
    if let Some(process) = processes.iter().find(resumes) {
        return Ok(Liveness::Running(process.owner(proc, "started with this session's id")));
    }
    let mut stale = Vec::new();
    let mut doubts = Vec::new();
    for lease in leases(home)?.iter().filter(|lease| lease.session_id.as_deref() == Some(id.as_str())) {
        match prove(proc, lease) {
            Proof::Running(owner) => return Ok(Liveness::Running(owner)),
            Proof::Stale(why) => stale.push(why),
            Proof::Open(why) => doubts.push(why),
        }
    }
    let database = home.join("state.db");
    let log = home.join("state.db-wal");
    // This process may be reading it at this moment in another thread.
    for process in processes.iter().filter(|process| process.pid != std::process::id()) {
        match process.open_files(proc) {
            Ok(open) if open.iter().any(|file| file.is(&database) || file.is(&log)) => doubts.push(format!(
                "process {} has {} open and may be at this session; end it, or wait until it has ended",
                process.pid,
                database.display()
            )),
            Err(reason) if ours(process) => doubts.push(format!(
                "hermes runs as process {}, and whether it has {} open cannot be seen: {reason}",
                process.pid,
                database.display()
            )),
            _ => {}
        }
    }
    if let Some(doubt) = doubts.into_iter().next() {
        return Ok(Liveness::Unknown(doubt));
    }
    let mut proof = format!(
        "no process has {} open: {} looked at",
        database.display(),
        count_of(processes.len(), "process", "processes")
    );
    for why in stale {
        proof.push_str("; ");
        proof.push_str(&why);
    }
    Ok(Liveness::NotRunning(proof))
}

/// The leases; none where no record is kept.
fn leases(home: &Path) -> Result<Vec<Lease>, String> {
    let path = home.join("runtime/active_sessions.json");
    let bytes = match disk::read(&path, 4 << 20) {
        Ok(content) => content.bytes,
        Err(DiskError::NotFound(_)) => return Ok(Vec::new()),
        Err(error) => return Err(error.to_string()),
    };
    let leases: Leases = serde_json::from_slice(&bytes)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    Ok(leases.entries)
}

fn prove(proc: &Path, lease: &Lease) -> Proof {
    let pid = lease.pid;
    let process = match proc::process(proc, pid) {
        Ok(Some(process)) => process,
        Ok(None) => return Proof::Stale(format!("the lease of process {pid} is stale: it has ended")),
        Err(reason) => return Proof::Open(reason),
    };
    match (lease.process_start_time, process.began(proc)) {
        (Some(theirs), Some(began)) if (theirs - began).abs() <= SAME_START => {
            Proof::Running(process.owner(proc, "holds a lease on it"))
        }
        (Some(_), Some(_)) => Proof::Stale(format!(
            "the lease of process {pid} is stale: its process has ended, and {pid} is another one"
        )),
        _ if !process.runs(NAMES) => {
            Proof::Stale(format!("the lease of process {pid} is stale: {pid} runs something else now"))
        }
        _ => Proof::Open(format!(
            "a lease names process {pid} without a start time that can be compared; end it, then check again"
        )),
    }
}
