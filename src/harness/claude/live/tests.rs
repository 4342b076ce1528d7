//! Registries and process tables as crashes, containers and old clients leave them, and real processes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use serde_json::{Value, json};

use super::*;

const ID: &str = "f0d682f9-26d4-4ebf-bcaf-3584d3a35887";
const OTHER: &str = "1ab682f9-26d4-4ebf-bcaf-3584d3a35887";

/// A store and a process table, both made up.
struct Machine {
    dir: tempfile::TempDir,
}

impl Machine {
    /// Process 1, a namespace, and an empty registry.
    fn new() -> Self {
        let machine = Self { dir: tempfile::tempdir().expect("a directory") };
        machine.process(1, 0, "init", 1, &["/sbin/init"], &[]);
        fs::create_dir_all(machine.proc().join("self/ns")).expect("folders");
        std::os::unix::fs::symlink("pid:[42]", machine.proc().join("self/ns/pid")).expect("a link");
        fs::write(machine.proc().join("stat"), "cpu 1 2\nbtime 1796000000\n").expect("a file");
        fs::create_dir_all(machine.sessions()).expect("a registry");
        machine
    }

    fn proc(&self) -> PathBuf {
        self.dir.path().join("proc")
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("home/.claude")
    }

    fn sessions(&self) -> PathBuf {
        self.root().join("sessions")
    }

    fn process(&self, pid: u32, parent: u32, name: &str, start: u64, argv: &[&str], environ: &[&str]) {
        let dir = self.proc().join(pid.to_string());
        fs::create_dir_all(&dir).expect("a folder");
        let zeros = "0 ".repeat(17);
        fs::write(dir.join("stat"), format!("{pid} ({name}) S {parent} {zeros}{start} 0\n")).expect("stat");
        let text = |words: &[&str]| words.iter().map(|word| format!("{word}\0")).collect::<String>();
        fs::write(dir.join("cmdline"), text(argv)).expect("cmdline");
        fs::write(dir.join("environ"), text(environ)).expect("environ");
    }

    fn entry(&self, pid: u32, rest: Value) {
        let mut entry = json!({"pid": pid, "sessionId": ID, "procStart": "500", "status": "idle",
            "startedAt": 1_796_061_502_013_i64, "cwd": "/p", "version": "2.1.332"});
        let members = rest.as_object().expect("an object").clone();
        entry.as_object_mut().expect("an object").extend(members);
        fs::write(self.sessions().join(format!("{pid}.json")), entry.to_string()).expect("an entry");
    }

    fn ask(&self) -> Liveness {
        ask(&self.proc(), &self.root())
    }

    fn says(&self, words: &str, why: &str) {
        let answer = self.ask();
        let (Liveness::NotRunning(text) | Liveness::Unknown(text)) = &answer else {
            panic!("{why}: nobody is proved to run it, but {answer:?}");
        };
        assert!(text.contains(words), "{why}: {text:?} says {words:?}");
    }

    fn not_running(&self, words: &str, why: &str) {
        assert!(matches!(self.ask(), Liveness::NotRunning(_)), "{why}: {:?}", self.ask());
        self.says(words, why);
    }

    fn unknown(&self, words: &str, why: &str) {
        assert!(matches!(self.ask(), Liveness::Unknown(_)), "{why}: {:?}", self.ask());
        self.says(words, why);
    }
}

fn ask(proc: &Path, root: &Path) -> Liveness {
    liveness(proc, root, &SessionId::parse(ID).expect("a session id"))
}

#[test]
fn a_live_entry_is_an_owner_with_pid_time_and_status() {
    let machine = Machine::new();
    machine.process(77, 1, "claude", 500, &["claude"], &[]);
    machine.entry(77, json!({}));
    let owner = Owner { pid: 77, since: Some("2026-11-30T17:58:22Z".into()), status: Some("idle".into()) };
    assert_eq!(machine.ask(), Liveness::Running(owner), "an idle session is owned as well");
    machine.entry(77, json!({"sessionId": OTHER}));
    machine.not_running(": 1 entry looked at", "the owner of another session owns only that one");
}

#[test]
fn a_stale_entry_is_explained_and_blocks_nothing() {
    let machine = Machine::new();
    machine.entry(77, json!({}));
    machine.not_running("77.json is stale: process 77 has ended", "its process is gone");
    machine.process(77, 1, "bash", 501, &["bash"], &[]);
    machine.not_running("77 is another one now", "its number was given to another process");
    machine.entry(77, json!({"procStart": null}));
    machine.not_running("77 is another one now", "no start recorded, but it is no claude");
    machine.process(77, 1, "claude", 501, &["claude"], &[]);
    machine.unknown("without its start time", "no start recorded, and it is a claude");
    machine.process(77, 1, "claude", 500, &["claude"], &[]);
    machine.entry(77, json!({}));
    assert!(
        matches!(machine.ask(), Liveness::Running(_)),
        "the same number and start is the owner: the control"
    );
}

#[test]
fn an_owner_that_cannot_be_seen_from_here_leaves_it_unknown() {
    let machine = Machine::new();
    let own = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let own = own.trim();
    machine.entry(77, json!({"pidDomain": format!("linux:{own}:pid:[43]")}));
    machine.unknown("another machine or container", "another process namespace");
    machine.entry(77, json!({"pidDomain": "darwin:x:pid:[42]"}));
    machine.unknown("another machine or container", "another system");
    machine.entry(77, json!({"pidDomain": format!("linux:{own}:pid:[42]")}));
    machine.not_running("has ended", "this very namespace: the process would be seen");
}

#[test]
fn a_process_with_the_id_in_its_arguments_is_an_owner_without_any_entry() {
    for argv in
        [&["claude", "--resume", ID][..], &["claude", "-p", "-r", ID], &["x", &format!("--resume={ID}")]]
    {
        let machine = Machine::new();
        machine.process(77, 1, "x", 100_000, argv, &[]);
        let Liveness::Running(owner) = machine.ask() else { panic!("{argv:?} runs it") };
        assert_eq!((owner.pid, owner.since.as_deref()), (77, Some("2026-11-30T01:10:00Z")), "pid and start");
    }
    let machine = Machine::new();
    machine.process(77, 1, "x", 9, &["claude", "--resume", ID], &["HOME=/somewhere/else"]);
    machine.not_running(": 0 entries looked at", "the same id in another store is another session");
    machine.process(77, 1, "x", 9, &["tail", "-f", ID], &[]);
    machine.not_running(": 0 entries looked at", "the id alone is no resume");
}

#[test]
fn a_claude_that_is_not_accounted_for_leaves_it_unknown() {
    let machine = Machine::new();
    machine.process(77, 1, "claude", 500, &["claude"], &[]);
    machine.unknown("process 77", "a claude without an entry may own it");
    machine.process(77, 1, "claude", 500, &["claude"], &["HOME=/somewhere/else"]);
    machine.not_running("no other claude of this store", "one with another home has another store");
    let home = format!("HOME={}", machine.dir.path().join("home").display());
    machine.process(77, 1, "claude", 500, &["claude"], &[&home, "CLAUDE_CONFIG_DIR=/c"]);
    machine.not_running("no other claude of this store", "or one whose store was moved");
    machine.process(77, 1, "claude", 500, &["claude"], &[&home]);
    machine.unknown("process 77", "this home is this store");
    machine.entry(77, json!({"sessionId": OTHER}));
    machine.not_running(": 1 entry looked at", "its own entry accounts for it");
    machine.process(76, 1, "node", 499, &["node", "/usr/bin/claude"], &[&home]);
    machine.process(77, 76, "claude", 500, &["claude"], &[&home]);
    machine.process(78, 77, "claude", 505, &["claude", "mcp", "serve"], &[&home]);
    machine.not_running(": 1 entry looked at", "its launcher and its helpers are part of it");
    machine.process(79, 1, "claude", 505, &["claude"], &[&home]);
    machine.unknown("process 79", "a second one is not");
}

#[test]
fn without_a_registry_only_the_absence_of_every_claude_is_a_proof() {
    let machine = Machine::new();
    fs::remove_dir(machine.sessions()).expect("removed");
    machine.not_running("is not there, and no other claude", "no claude at all");
    machine.process(77, 1, "node", 9, &["node", "/opt/claude"], &[]);
    machine.unknown("keeps no registry", "an old client writes none");
}

#[test]
fn what_cannot_be_read_is_no_proof() {
    let machine = Machine::new();
    fs::write(machine.sessions().join("77.json"), "{\"pid\":77").expect("a torn entry");
    machine.not_running(": 0 entries looked at", "a torn entry of a process that has ended hides nobody");
    machine.process(77, 1, "x", 500, &["x"], &[]);
    machine.unknown("77.json cannot be read", "one of a living process may hide the owner");
    fs::remove_file(machine.sessions().join("77.json")).expect("removed");
    fs::write(machine.sessions().join("77.abc.key"), "{").expect("a key file");
    machine.not_running(": 0 entries looked at", "a key file is not read");
    fs::remove_dir_all(machine.proc().join("1")).expect("hidden");
    machine.unknown("does not show process 1", "a table that hides processes proves nothing");
    fs::remove_dir_all(machine.proc()).expect("no table");
    machine.unknown("process table", "no table proves nothing");
}

/// A child that lives until it is dropped.
struct Living(Child);

impl Drop for Living {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_real_process_is_found_and_its_end_is_noticed() {
    let machine = Machine::new();
    let real = Path::new("/proc");
    let cat = || Command::new("/bin/cat").stdin(std::process::Stdio::piped()).spawn().map(Living);
    let child = cat().expect("a child that waits for its input");
    let pid = child.0.id();
    let start = proc::process(real, pid).expect("readable").expect("it runs").start.to_string();
    machine.entry(pid, json!({"procStart": start}));
    assert!(
        matches!(ask(real, &machine.root()), Liveness::Running(owner) if owner.pid == pid),
        "a living process with this start time owns it"
    );
    machine.entry(pid, json!({"procStart": "1"}));
    assert!(
        !matches!(ask(real, &machine.root()), Liveness::Running(_)),
        "another start time is another process"
    );
    machine.entry(pid, json!({"procStart": start}));
    drop(child);
    assert!(!matches!(ask(real, &machine.root()), Liveness::Running(_)), "an ended process owns nothing");
}
