//! Who writes to a session of codex.
//!
//! A writer of a current version holds an exclusive lock on `thread-writer-locks/<id>.lock`, and keeps the session's
//! file open. The lock's file stays after a crash, so only the kernel's word for the lock counts; it is looked up in
//! the process table and never tried, because trying could take it from its owner.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::files::Files;
use super::{NAMES, PACKAGE, rule};
use crate::disk;
use crate::handoff::{SessionId, count_of};
use crate::harness::proc::{self, OpenFile, Process};
use crate::harness::{Liveness, store, version};

#[cfg(test)]
mod tests;

/// The oldest version that was seen to lock what it writes to.
const LOCKS_SINCE: [u64; 3] = [0, 171, 0];

/// Whether a process writes to the session; `root` is the store's.
///
/// # Errors
/// Why it cannot be told.
pub(super) fn liveness(proc: &Path, root: &Path, id: &SessionId) -> Result<Liveness, String> {
    let locks = root.join("thread-writer-locks");
    let lock = locks.join(format!("{id}.lock"));
    let files: Vec<PathBuf> = Files::list(root)?.of(id).iter().map(|file| file.path.clone()).collect();
    let processes = proc::all(proc)?;
    let ours = |process: &Process| process.runs(NAMES) && !store::is_elsewhere(proc, root, process, rule);
    let mut doubts = Vec::new();
    for process in &processes {
        let open = match process.open_files(proc) {
            Ok(open) => open,
            // Who holds no client's name is not asked: other people's processes show nothing.
            Err(reason) if ours(process) => {
                doubts.push(format!(
                    "codex runs as process {}, and what it writes to cannot be seen: {reason}",
                    process.pid
                ));
                continue;
            }
            Err(_) => continue,
        };
        let locked = |file: &OpenFile| file.is(&lock) && file.is_locked();
        let written = |file: &OpenFile| files.iter().any(|path| file.is(path)) && file.is_writable();
        let status = match (open.iter().any(locked), open.iter().any(written)) {
            (true, _) => "holds the lock on it",
            (false, true) => "has its file open for writing",
            (false, false) => {
                if ours(process)
                    && !is_launcher(process, &processes)
                    && !locks_what_it_writes(process, &open, &locks)
                {
                    doubts.push(format!(
                        "codex runs as process {}, of a version that is not known to lock what it writes to; end it, \
                         or wait until it has ended",
                        process.pid
                    ));
                }
                continue;
            }
        };
        let status = match is_daemon(proc, root, process) {
            true => "held by the codex daemon, which keeps it after its screen has closed",
            false => status,
        };
        return Ok(Liveness::Running(process.owner(proc, status)));
    }
    let resumes = |process: &&Process| {
        let words = process.argv.windows(2);
        words.into_iter().any(|pair| pair[0] == b"resume" && pair[1] == id.as_str().as_bytes())
            && ours(process)
    };
    if let Some(process) = processes.iter().find(resumes) {
        return Ok(Liveness::Running(process.owner(proc, "started with this session's id")));
    }
    if let Some(doubt) = doubts.into_iter().next() {
        return Ok(Liveness::Unknown(doubt));
    }
    let mut proof = format!(
        "no process holds {}, or has the session's file open for writing: {} looked at",
        lock.display(),
        count_of(processes.len(), "process", "processes")
    );
    if lock.exists() {
        proof.push_str("; that file is stale: its owner has ended without removing it");
    }
    Ok(Liveness::NotRunning(proof))
}

/// Whether it only waits for the client that it started.
fn is_launcher(process: &Process, processes: &[Process]) -> bool {
    processes.iter().any(|other| other.parent == process.pid && other.runs(NAMES))
}

/// Whether an absent lock proves that this client does not write: by its version, or because it works with locks.
fn locks_what_it_writes(process: &Process, open: &[OpenFile], locks: &Path) -> bool {
    let real = locks.canonicalize().unwrap_or_else(|_| locks.to_owned());
    if open.iter().any(|file| file.path.starts_with(&real)) {
        return true;
    }
    let Some(program) = process.exe.as_deref() else { return false };
    let installed = version::from_npm(program, PACKAGE).ok().flatten().map(|version| version.text);
    let version = installed.or_else(|| own_release(program).map(str::to_owned));
    version.and_then(|text| version::numbers(&text)).is_some_and(|numbers| numbers >= LOCKS_SINCE)
}

/// The version of a copy that the client made of itself, as `releases/<version>-<platform>/bin/codex`.
fn own_release(program: &Path) -> Option<&str> {
    let release = program.parent()?.parent()?;
    release.parent()?.ends_with("releases").then(|| release.file_name()?.to_str()).flatten()
}

#[derive(Deserialize)]
struct Daemon {
    pid: u32,
    #[serde(rename = "processIdentity")]
    identity: Option<Identity>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Identity {
    boot_id: Option<String>,
    /// As a number or as text.
    start_ticks: Option<serde_json::Value>,
}

/// Whether it is the store's daemon, by the daemon's own record of itself.
fn is_daemon(proc: &Path, root: &Path, process: &Process) -> bool {
    if process.argv.iter().any(|arg| arg == b"--managed-daemon") {
        return true;
    }
    let record = disk::read(&root.join("app-server-daemon/daemon.pid"), 64 << 10).ok();
    let Some(daemon) = record.and_then(|record| serde_json::from_slice::<Daemon>(&record.bytes).ok()) else {
        return false;
    };
    let boot = disk::read(&proc.join("sys/kernel/random/boot_id"), 256).ok();
    let boot = boot.map(|boot| String::from_utf8_lossy(&boot.bytes).trim().to_owned());
    let start = process.start.to_string();
    daemon.pid == process.pid
        && daemon.identity.is_some_and(|identity| {
            let theirs = identity.start_ticks.map(|ticks| ticks.to_string());
            theirs.is_some_and(|ticks| ticks.trim_matches('"') == start)
                && (boot.is_none() || identity.boot_id == boot)
        })
}
