//! Who runs a session of Claude Code.
//!
//! A living client keeps `sessions/<pid>.json` with its session's id and its own start time; the file goes with a
//! clean exit and stays after a crash. The client does not refuse a second writer, so this is the only guard: a
//! process that may own the session and cannot be ruled out leaves the answer unknown.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{NAMES, rule};
use crate::disk;
use crate::handoff::{SessionId, count_of, inert};
use crate::harness::proc::{self, Process};
use crate::harness::{Liveness, Owner, store};

#[cfg(test)]
mod tests;

/// One registry entry; its other members are passed over.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    pid: u32,
    session_id: String,
    cwd: Option<PathBuf>,
    /// Milliseconds since 1970.
    started_at: Option<i64>,
    /// Field 22 of `/proc/<pid>/stat`, in text.
    proc_start: Option<String>,
    /// `linux:<machine id>:pid:[<namespace>]`.
    pid_domain: Option<String>,
    status: Option<String>,
}

/// The registry, as far as it could be read.
#[derive(Default)]
struct Registry {
    entries: Vec<(PathBuf, Entry)>,
    /// Files that cannot be read, and why.
    broken: Vec<(PathBuf, String)>,
}

/// What one entry of this very session proves.
enum Proof {
    Running(Owner),
    Stale(String),
    Open(String),
}

/// Whether a process owns the session; `root` is the store's.
pub(super) fn liveness(proc: &Path, root: &Path, id: &SessionId) -> Liveness {
    let dir = root.join("sessions");
    let registry = match Registry::read(&dir) {
        Ok(registry) => registry,
        Err(reason) => return Liveness::Unknown(reason),
    };
    let mut stale = Vec::new();
    let mut open = None;
    for (path, entry) in registry.iter().flat_map(|registry| &registry.entries) {
        if entry.session_id == id.as_str() {
            match prove(proc, path, entry) {
                Proof::Running(owner) => return Liveness::Running(owner),
                Proof::Stale(why) => stale.push(why),
                Proof::Open(why) => open = Some(why),
            }
        }
    }
    let processes = match proc::all(proc) {
        Ok(processes) => processes,
        Err(reason) => return Liveness::Unknown(reason),
    };
    // The same id may run in a copy of the store.
    let resumes = |process: &&Process| {
        process.has_option(&["--resume", "-r", "--session-id"], id.as_str())
            && !store::is_elsewhere(proc, root, process, rule)
    };
    if let Some(process) = processes.iter().find(resumes) {
        return Liveness::Running(process.owner(proc, "started with this session's id"));
    }
    if let Some(why) = open {
        return Liveness::Unknown(why);
    }
    if let Some(why) = registry.iter().find_map(|registry| registry.doubt(&processes)) {
        return Liveness::Unknown(why);
    }
    let strangers = strangers(proc, root, registry.as_ref(), &processes);
    if let Some(process) = strangers.first() {
        let why = match &registry {
            Some(_) => "is not in the registry",
            None => "may own it: this store keeps no registry of running sessions",
        };
        return Liveness::Unknown(format!(
            "claude runs as process {} and {why}; end it, or wait until it has ended",
            process.pid
        ));
    }
    let mut proof = match &registry {
        Some(registry) => {
            let entries = count_of(registry.entries.len(), "entry", "entries");
            format!("no entry in {} is a live owner: {entries} looked at", dir.display())
        }
        None => format!("{} is not there", dir.display()),
    };
    proof.push_str(&format!(", and no other claude of this store is among {} processes", processes.len()));
    for why in stale {
        proof.push_str("; ");
        proof.push_str(&why);
    }
    Liveness::NotRunning(proof)
}

/// The sessions whose registry entries say that they run in this directory, and whose processes do live.
///
/// # Errors
/// The registry cannot be read.
pub(super) fn in_directory(proc: &Path, root: &Path, cwd: &Path) -> Result<Vec<SessionId>, String> {
    let registry = Registry::read(&root.join("sessions"))?.unwrap_or_default();
    let real = |path: &Path| path.canonicalize().ok();
    let here = |entry: &Entry| entry.cwd.as_deref().and_then(real).is_some_and(|dir| Some(dir) == real(cwd));
    let live = registry
        .entries
        .iter()
        .filter(|(path, entry)| here(entry) && matches!(prove(proc, path, entry), Proof::Running(_)));
    Ok(live.filter_map(|(_, entry)| SessionId::parse(&entry.session_id).ok()).collect())
}

impl Registry {
    /// Reads the entries; `None` where there is no registry at all.
    fn read(dir: &Path) -> Result<Option<Self>, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", dir.display());
        let files = match std::fs::read_dir(dir) {
            Ok(files) => files,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let mut registry = Self::default();
        for file in files {
            let path = file.map_err(failed)?.path();
            // The files beside the entries hold peers' keys: nobody else's business.
            if path.extension().is_none_or(|ending| ending != "json") {
                continue;
            }
            let bytes = match disk::read(&path, 64 << 10) {
                Ok(content) => content.bytes,
                // Its process has just ended.
                Err(disk::DiskError::NotFound(_)) => continue,
                Err(error) => {
                    registry.broken.push((path, error.to_string()));
                    continue;
                }
            };
            match serde_json::from_slice(&bytes) {
                Ok(entry) => registry.entries.push((path, entry)),
                Err(error) => registry.broken.push((path, error.to_string())),
            }
        }
        Ok(Some(registry))
    }

    /// A broken entry whose process lives, or whose process cannot be told, hides an owner perhaps.
    fn doubt(&self, processes: &[Process]) -> Option<String> {
        let alive = |path: &Path| {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let pid = stem.strip_prefix("pid-").unwrap_or(stem).parse::<u32>().ok();
            pid.is_none_or(|pid| processes.iter().any(|process| process.pid == pid))
        };
        let (path, error) = self.broken.iter().find(|(path, _)| alive(path))?;
        Some(format!("the registry entry {} cannot be read: {error}", path.display()))
    }

    /// Whether this process has an entry with its own start time.
    fn knows(&self, process: &Process) -> bool {
        self.entries.iter().any(|(_, entry)| {
            entry.pid == process.pid && entry.proc_start.as_deref() == Some(&process.start.to_string())
        })
    }
}

/// What an entry that names the session proves.
fn prove(proc: &Path, path: &Path, entry: &Entry) -> Proof {
    let (pid, file) = (entry.pid, path.display());
    if let Some(domain) = entry.pid_domain.as_deref().filter(|domain| elsewhere(proc, domain)) {
        let domain = inert::one_line(&inert::shown(domain));
        return Proof::Open(format!(
            "{file} says that another machine or container runs it ({domain}), where it cannot be seen from here; \
             end it there"
        ));
    }
    let process = match proc::process(proc, pid) {
        Ok(Some(process)) => process,
        Ok(None) => return Proof::Stale(format!("{file} is stale: process {pid} has ended")),
        Err(reason) => return Proof::Open(reason),
    };
    match &entry.proc_start {
        Some(start) if *start == process.start.to_string() => Proof::Running(Owner {
            pid,
            since: entry.started_at.and_then(|at| proc::seconds_as_text(at.div_euclid(1000))),
            status: entry.status.as_deref().map(|status| inert::plain(status).0),
        }),
        None if process.runs(NAMES) => Proof::Open(format!(
            "{file} names process {pid} without its start time, so it cannot be told whether it is the same one; end it"
        )),
        _ => Proof::Stale(format!("{file} is stale: its process has ended, and {pid} is another one now")),
    }
}

/// Whether a `pidDomain` is another one than this process table's.
fn elsewhere(proc: &Path, domain: &str) -> bool {
    let mut parts = domain.splitn(3, ':');
    let (system, machine, namespace) = (parts.next(), parts.next(), parts.next());
    let own = disk::read(Path::new("/etc/machine-id"), 256).ok();
    let own = own.map(|content| String::from_utf8_lossy(&content.bytes).trim().to_owned());
    let differs = |theirs: Option<&str>, ours: Option<String>| ours.is_some_and(|ours| theirs != Some(&ours));
    system != Some("linux") || differs(machine, own) || differs(namespace, proc::namespace(proc))
}

/// Clients that are not accounted for: no entry of their own or of a process above or below them, and not provably
/// at work in another store.
fn strangers<'a>(
    proc: &Path,
    root: &Path,
    registry: Option<&Registry>,
    processes: &'a [Process],
) -> Vec<&'a Process> {
    let known = |process: &Process| registry.is_some_and(|registry| registry.knows(process));
    let parent = |process: &Process| processes.iter().find(|other| other.pid == process.parent);
    // A launcher script and the client it started are one; so are a client and the helpers it started.
    let above = |process: &'a Process, wanted: &dyn Fn(&Process) -> bool| {
        let mut line = std::iter::successors(parent(process), |process| parent(process)).take(64);
        line.any(wanted)
    };
    let accounted = |process: &'a Process| {
        known(process)
            || above(process, &known)
            || processes.iter().any(|other| known(other) && above(other, &|up| up.pid == process.pid))
    };
    let clients = processes.iter().filter(|process| process.runs(NAMES));
    clients.filter(|process| !accounted(process) && !store::is_elsewhere(proc, root, process, rule)).collect()
}
