//! Hostile files and hostile repositories under the eyes of the kernel: while every screen is visited nothing is
//! executed, nothing is connected to and nothing is written.
//!
//! The watcher is `strace`; where it is not on the machine these tests say so and prove nothing.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "these are tests: fixtures that cannot be built end them"
)]

#[path = "common/pty.rs"]
mod pty;

#[path = "hostile/payloads.rs"]
mod payloads;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use portable_pty::CommandBuilder;
use pty::Terminal;

/// Everything by which a program could act on the world.
const ACTS: &str = "execve,execveat,socket,connect,bind,openat,open,creat,rename,renameat,renameat2,unlink,unlinkat,\
                    mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,truncate,ftruncate,chmod,fchmod,fchmodat,\
                    utimensat,kill,tkill,tgkill,mknodat";

/// How many hostile projects there are: each holds one hostile file of every family.
const PROJECTS: usize = 50;

fn has_strace() -> bool {
    let found = Command::new("strace").arg("-V").output().is_ok_and(|out| out.status.success());
    if !found {
        println!("not run: strace is not on this machine");
    }
    found
}

/// A project with one hostile file per family, in a repository whose configuration names canaries.
fn hostile_project(root: &Path, payload: &payloads::Payload, canary: &Path) -> PathBuf {
    let project = root.join("project");
    for (path, text) in payloads::files(payload) {
        let path = project.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::write(project.join("plans/261001-x/plan.md"), "# Plan\n").unwrap();
    let git = |args: &[&str]| {
        let status = Command::new("git")
            .args(args)
            .current_dir(&project)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .status();
        assert!(status.unwrap().success(), "git {args:?} builds the fixture");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&[
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.org",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "First",
    ]);
    fs::write(project.join(".gitattributes"), "*.rs filter=evil\n").unwrap();
    fs::write(project.join("a.rs"), "fn main() {}\n").unwrap();
    git(&["add", "."]);
    fs::write(project.join("a.rs"), "fn main() { }\n").unwrap();
    let canary = canary.display();
    for key in
        ["core.fsmonitor", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "core.pager"]
    {
        git(&["config", key, &format!("touch {canary}")]);
    }
    project
}

/// Visits every pane and overlay of every row, then leaves.
fn visit(terminal: &mut Terminal) {
    terminal.wait_listed("PROJECT");
    for _row in 0..6 {
        terminal.send("\t\t\t\t\t");
        terminal.send("\r");
        terminal.send("\x1b");
        terminal.send("c");
        terminal.send("\x1b");
        terminal.send("j");
    }
    terminal.send("a\x1b/e\x1b\x1b");
    terminal.send("?");
    terminal.wait_for("the help", |s| s.to_lowercase().contains("help"));
    terminal.send("\x1b\x1b\x1b");
    terminal.send("q");
    terminal.wait_end();
}

fn under_strace(log: &Path, project: &Path, home: &Path) -> CommandBuilder {
    let mut command = CommandBuilder::new("strace");
    command.args(["-f", "-qq", "-s", "200", "-e", &format!("trace={ACTS}"), "-e", "signal=none", "-o"]);
    command.arg(log);
    command.arg(env!("CARGO_BIN_EXE_moorline"));
    command.arg("-C");
    command.arg(project);
    command.env_clear();
    for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("PATH", "/usr/bin:/bin")] {
        command.env(name, value);
    }
    command.env("HOME", home);
    command
}

/// The lines of a trace that act on the world; opening for reading, the terminal and signals to itself do not.
///
/// A line counts only when it begins with the name of a watched call: strace also writes down exits, the ends of calls
/// that were interrupted, and, for a thread that its process ended within a call, numbers that are no call at all.
fn acts(log: &str) -> Vec<&str> {
    let watched: BTreeSet<&str> = ACTS.split(',').map(str::trim).collect();
    let is_act = |line: &str| {
        let call = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        let reads = (call.starts_with("openat(") || call.starts_with("open("))
            && !["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].iter().any(|flag| call.contains(flag));
        let own = ["/dev/tty", "/dev/pts/", "/dev/null"].iter().any(|device| call.contains(device));
        call.split_once('(').is_some_and(|(name, _)| watched.contains(name)) && !reads && !own
    };
    log.lines().filter(|line| is_act(line)).collect()
}

#[test]
fn nothing_is_run_written_or_called_while_every_screen_is_visited() {
    if !has_strace() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let canary = dir.path().join("canary");
    let all = payloads::tricks();
    for n in 0..PROJECTS {
        let root = dir.path().join(format!("p{n}"));
        let home = root.join("home");
        fs::create_dir_all(&home).unwrap();
        let project = hostile_project(&root, &all[n % all.len()], &canary);
        let log = root.join("trace");
        let mut terminal = Terminal::start(under_strace(&log, &project, &home), 40, 140);
        visit(&mut terminal);
        let log = fs::read_to_string(&log).unwrap();
        let acts = acts(&log);
        assert!(log.lines().count() > 20, "the trace of project {n} saw the program at work");
        assert_eq!(acts.len(), 1, "project {n}: only its own start is an act, seen: {acts:#?}");
        assert!(acts[0].contains("execve("), "project {n}: and that start is an exec: {}", acts[0]);
        let left: Vec<_> = fs::read_dir(&home).unwrap().flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "project {n}: nothing was left in the home directory: {left:?}");
    }
    assert!(!canary.exists(), "no program that a repository names was run");
}

#[test]
fn the_same_watch_sees_what_plain_git_runs() {
    if !has_strace() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let canary = dir.path().join("canary");
    let project = hostile_project(dir.path(), &payloads::tricks()[0], &canary);
    let log = dir.path().join("trace");
    let status = Command::new("strace")
        .args(["-f", "-qq", "-e", &format!("trace={ACTS}"), "-o"])
        .arg(&log)
        .args(["git", "status"])
        .current_dir(&project)
        .output()
        .unwrap();
    let log = fs::read_to_string(&log).unwrap();
    assert!(canary.exists(), "plain git runs what this repository names: {status:?}");
    assert!(acts(&log).iter().filter(|line| line.contains("execve(")).count() > 1, "and the watch sees it");
}

#[test]
fn things_that_are_no_files_are_named_and_never_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("project");
    let handoffs = project.join("docs/handoffs");
    fs::create_dir_all(&handoffs).unwrap();
    assert!(
        Command::new("mkfifo").arg(handoffs.join("fifo.md")).status().unwrap().success(),
        "a FIFO can be made"
    );
    std::os::unix::fs::symlink("/dev/zero", handoffs.join("zero.md")).unwrap();
    let big = fs::File::create(handoffs.join("big.md")).unwrap();
    big.set_len(100 << 20).unwrap();
    fs::write(handoffs.join("words.md"), "- [ ] the same box, once more\n".repeat((100 << 20) / 30)).unwrap();
    fs::write(handoffs.join("lines.md"), "a\n".repeat(1_000_000)).unwrap();
    fs::write(handoffs.join("line.md"), format!("# Long\n\nDate: 2026-10-01\n\n{}\n", "x".repeat(30_000)))
        .unwrap();
    let mut command = pty::moorline(dir.path());
    command.arg("-C");
    command.arg(&project);
    let mut terminal = Terminal::start(command, 30, 120);
    terminal.wait_listed("Long");
    terminal.send("\t\t\t\t\tj\rj\x1b");
    let pid = terminal.child.process_id().expect("it runs");
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let peak = status
        .lines()
        .find_map(|l| l.strip_prefix("VmHWM:"))
        .and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok());
    assert!(peak.is_some_and(|kb| kb <= 64 << 10), "peak memory stays below 64 MB: {peak:?} kB");
    terminal.send("q");
    assert_eq!(terminal.wait_end(), 0, "and it leaves when it is asked to");
}
