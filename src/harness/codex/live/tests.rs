//! Locks, open files and process tables as clients of several versions leave them.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::handoff::SessionId;
use crate::harness::codex::Codex;
use crate::harness::made_up::{Home, told};
use crate::harness::{Answer, Harness};

const ID: &str = "01a22e40-0c7f-7733-8ac0-dc8f06fedf06";
const OTHER: &str = "01a22e40-1111-7733-8ac0-dc8f06fedf06";

fn id() -> SessionId {
    SessionId::parse(ID).expect("a session id")
}

/// A codex of the version that locks, as the package installs it; its parent is the launcher script.
fn client(home: &Home, pid: u32, version: &str, argv: &[&str]) {
    let package = format!("lib/{version}/codex");
    home.write(
        &format!("{package}/package.json"),
        json!({"name": "@openai/codex", "version": version}).to_string(),
    );
    home.process(pid, 1, "codex", argv, &[&format!("HOME={}", home.path("").display())]);
    home.runs(pid, &home.write(&format!("{package}/bin/codex"), ""));
}

const LOCKED: &str = "pos:\t0\nflags:\t02100002\nlock:\t1: FLOCK  ADVISORY  WRITE 77 fe:00:10084993 0 EOF\n";
const WRITING: &str = "pos:\t0\nflags:\t02102002\n";
const READING: &str = "pos:\t0\nflags:\t02100000\n";

struct Running {
    home: Home,
    lock: PathBuf,
    file: PathBuf,
}

/// A store with the session, and the file of its lock.
fn running() -> Running {
    let home = Home::new();
    let file =
        home.write(&format!(".codex/sessions/2026/11/30/rollout-2026-11-30T20-57-59-{ID}.jsonl"), "{}");
    let lock = home.write(&format!(".codex/thread-writer-locks/{ID}.lock"), "");
    Running { home, lock, file }
}

impl Running {
    fn ask(&self) -> String {
        told(Codex.liveness(&self.home.around(), &id()))
    }

    fn says(&self, words: &str, why: &str) {
        assert!(self.ask().starts_with(words), "{why}: {} begins with {words:?}", self.ask());
    }
}

#[test]
fn who_holds_the_lock_owns_the_session_and_a_lock_file_alone_is_stale() {
    let r = running();
    r.says("not running", "a lock's file without a lock");
    assert!(r.ask().contains("stale"), "is explained: {}", r.ask());
    client(&r.home, 77, "0.171.0", &["codex", "exec"]);
    r.says("not running", "a client that locks what it writes to, and does not lock this");
    r.home.opens(77, 5, &r.lock, WRITING);
    r.says("not running", "open, but not locked");
    r.home.opens(77, 6, &r.lock, LOCKED);
    r.says("running: 77 holds the lock", "the kernel says that it is locked");
    r.home.ends(77);
    r.says("not running", "killed, it owns nothing");
    r.home.process(78, 1, "renamed", &["x"], &[]);
    r.home.opens(78, 6, &r.lock, LOCKED);
    r.says("running: 78", "whatever its name");
}

#[test]
fn who_writes_to_the_file_owns_the_session_and_who_reads_it_does_not() {
    let r = running();
    r.home.process(77, 1, "tail", &["tail", "-f"], &[]);
    r.home.opens(77, 3, &r.file, READING);
    r.says("not running", "a reader is no owner");
    r.home.process(78, 1, "codex", &["codex", "exec"], &[]);
    r.home.opens(78, 3, &r.file, WRITING);
    r.says("running: 78 has its file open", "an older client holds no lock");
}

#[test]
fn a_client_without_a_proof_leaves_it_unknown() {
    for version in ["0.130.0", "0.98.0"] {
        let r = running();
        client(&r.home, 77, version, &["codex"]);
        r.says("unknown: codex runs as process 77", "a version that does not lock may be at it");
    }
    let r = running();
    r.home.process(77, 1, "codex", &["codex"], &[]);
    r.says("unknown", "nor does one of no known version prove anything");
    r.home.write(".codex/thread-writer-locks/.coordination.lock", "");
    r.home.opens(77, 4, &r.home.path(".codex/thread-writer-locks/.coordination.lock"), WRITING);
    r.says("not running", "but one that works with locks does");
    r.home.hides_files(77);
    r.says(
        "unknown: codex runs as process 77, and what it writes to cannot be seen",
        "hidden files hide an owner",
    );
    r.home.ends(77);
    r.home.process(77, 1, "codex", &["codex"], &["CODEX_HOME=/elsewhere"]);
    r.says("not running", "a client of another store is none of ours");
    r.home.ends(1);
    r.says("unknown", "a process table without process 1 hides others");
}

#[test]
fn a_client_that_was_started_with_the_id_owns_it_before_it_has_the_lock() {
    let home = |r: &Running| format!("HOME={}", r.home.path("").display());
    for argv in [
        &["codex", "exec", "resume", ID][..],
        &["codex", "resume", ID, "--no-daemon"],
        &["node", "/usr/bin/codex", "resume", ID],
        &["node", "/usr/lib/node_modules/@openai/codex/bin/codex.js", "exec", "resume", ID],
    ] {
        let r = running();
        r.home.process(77, 1, "x", argv, &[&home(&r)]);
        r.says("running: 77 started with this session's id", "by its arguments");
        r.home.process(77, 1, "x", argv, &["CODEX_HOME=/elsewhere"]);
        r.says("not running", "the same id in a copy of the store is another session");
    }
    let r = running();
    client(&r.home, 77, "0.171.0", &["codex", "resume", OTHER]);
    r.says("not running", "another session's client");
    r.home.process(78, 1, "vim", &["vim", "resume", ID], &[&home(&r)]);
    r.says("not running", "another program");
}

#[test]
fn a_launcher_is_one_with_the_client_that_it_started() {
    let r = running();
    r.home.process(76, 1, "node", &["node", "/usr/bin/codex", "exec"], &[]);
    r.says("unknown", "a launcher alone has not shown what it starts");
    client(&r.home, 77, "0.171.0", &["codex", "exec"]);
    let stat = fs::read_to_string(r.home.path("proc/77/stat")).expect("stat").replace("S 1 ", "S 76 ");
    fs::write(r.home.path("proc/77/stat"), stat).expect("stat");
    r.says("not running", "with its client it has");
    let Answer::Found(clients) = Codex.running(&r.home.around()) else { panic!("the table can be read") };
    assert_eq!(
        clients.iter().map(|owner| owner.pid).collect::<Vec<_>>(),
        [76],
        "and both are one in the report"
    );
}

#[test]
fn a_daemon_s_own_copy_of_the_program_says_its_version() {
    for (version, words) in [("0.171.0", "not running"), ("0.98.0", "unknown"), ("latest", "unknown")] {
        let r = running();
        r.home.process(77, 1, "codex", &["codex", "app-server"], &[]);
        let release =
            format!(".codex/packages/app-server-daemon/releases/{version}-x86_64-unknown-linux-musl");
        r.home.runs(77, &r.home.write(&format!("{release}/bin/codex"), ""));
        r.says(words, version);
    }
}

#[test]
fn the_daemon_is_named() {
    let r = running();
    client(&r.home, 77, "0.171.0", &["codex", "app-server"]);
    r.home.opens(77, 6, &r.lock, LOCKED);
    let record = |start: Value| {
        json!({"pid": 77, "processIdentity": {"bootId": "b", "startTicks": start}}).to_string()
    };
    r.home.write("proc/sys/kernel/random/boot_id", "b\n");
    r.home.write(".codex/app-server-daemon/daemon.pid", record(json!(499)));
    r.says("running: 77 holds the lock", "a record of an earlier process of that number is not it");
    for start in [json!(500), json!("500")] {
        r.home.write(".codex/app-server-daemon/daemon.pid", record(start));
        r.says("running: 77 held by the codex daemon", "by its own record");
    }
}
