//! What a start can bring with it, tried with the program itself: a planted program, the record's own words, children
//! that nobody waits for, an end that is told wrongly, and the network.

#![allow(clippy::print_stdout, reason = "these tests tell their figures")]

#[path = "common/canary.rs"]
mod canary;
#[path = "common/other_lanes.rs"]
mod other_lanes;
#[path = "hostile/payloads.rs"]
mod payloads;
#[path = "common/strace.rs"]
mod strace;
#[path = "common/true_project.rs"]
mod true_project;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use canary::{ENDS, HONEST, install, saw, starts};
use moorline::handoff::HarnessName;
use moorline::resume::{Outcome, Plan};
use other_lanes::OtherLane;
use serde_json::Value;
use strace::strace;
use true_project::{LANE, SESSION, TrueProject, WORKTREE, set_mode};

const PROMPT: &str = "Go on.\n";

/// The program itself, with this PATH and from this directory.
fn moorline(project: &TrueProject, path: &str, from: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
    command.arg("-C").arg(project.root()).args(arguments).current_dir(from);
    command.env_clear().env("HOME", project.home()).env("PATH", path);
    command.stdin(Stdio::null()).output().expect("it runs")
}

/// One test at a time: they all stand in one process table, with one session id.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Its own directory for programs, where the canary lies.
fn good(project: &TrueProject) -> String {
    project.program().parent().expect("a directory").display().to_string()
}

/// The arguments that start the lane with the project's prompt.
fn start_arguments(project: &TrueProject) -> Vec<String> {
    project.write("prompt", PROMPT);
    let prompt = project.base().join("prompt").display().to_string();
    ["resume", "--lane", LANE, "--yes", "--prompt-file", &prompt].map(str::to_owned).into()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Ways in which a PATH leads to a program that somebody else put there. `ROOT` is the project, `BASE` what holds it.
const HIJACKS: [(&str, &str); 16] = [
    ("an empty entry", ""),
    ("the current directory", "."),
    ("a relative directory", "bin"),
    ("a relative directory with a dot", "./bin"),
    ("a relative way around", "../api/bin"),
    ("the project's own bin", "ROOT/bin"),
    ("the programs that a package manager put into the project", "ROOT/node_modules/.bin"),
    ("the project by a way around", "BASE/opt/../api/bin"),
    ("a link to the project's bin", "BASE/linked-bin"),
    ("a link to a program of the project", "BASE/linked-program"),
    ("the lane's worktree", "ROOT/WORKTREE"),
    ("the repository's own directory", "ROOT/.git/bin"),
    ("a directory that everybody may write to", "BASE/open"),
    ("a directory that a group may write to", "BASE/grouped"),
    ("a program that everybody may write to", "BASE/loose"),
    ("a link to a program that lies where everybody may write", "BASE/to-open"),
];

#[test]
fn a_planted_program_is_never_started() {
    let _alone = alone();
    let project = TrueProject::build();
    install(&project, HONEST);
    let (base, root) = (project.base().to_owned(), project.root());
    let mark = base.join("hijacked");
    let planted = format!("#!/bin/sh\necho \"$0\" >> '{}'\n", mark.display());
    let plant = |folder: &Path, mode: u32| {
        fs::create_dir_all(folder).expect("directories");
        fs::write(folder.join("claude"), &planted).expect("a program");
        set_mode(&folder.join("claude"), mode);
    };
    for folder in ["", "bin", "node_modules/.bin", WORKTREE, ".git/bin"] {
        plant(&root.join(folder), 0o755);
    }
    for (folder, its_mode, mode) in
        [("open", 0o777, 0o755), ("grouped", 0o775, 0o755), ("loose", 0o755, 0o757)]
    {
        plant(&base.join(folder), mode);
        set_mode(&base.join(folder), its_mode);
    }
    symlink(root.join("bin"), base.join("linked-bin")).expect("a link");
    for (folder, aim) in [("linked-program", root.join("bin/claude")), ("to-open", base.join("open/claude"))]
    {
        fs::create_dir(base.join(folder)).expect("a directory");
        symlink(aim, base.join(folder).join("claude")).expect("a link");
    }
    let arguments = start_arguments(&project);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    for (n, (what, entry)) in HIJACKS.iter().enumerate() {
        let entry =
            entry.replace("ROOT", &root.display().to_string()).replace("BASE", &base.display().to_string());
        let path = format!("{}:{}", entry.replace("WORKTREE", WORKTREE), good(&project));
        let mut naive = Command::new("/bin/sh");
        naive.args(["-c", "claude"]).current_dir(&root).env_clear().env("PATH", &path);
        let naive = naive.stdin(Stdio::null()).output().expect("a shell runs");
        assert!(fs::remove_file(&mark).is_ok(), "{what}: a shell is led to it, the control: {naive:?}");
        let output = moorline(&project, &path, &root, &arguments);
        let said = text(&output.stdout);
        assert!(!mark.exists(), "{what}: the planted program was started: {said}");
        assert_eq!(output.status.code(), Some(0), "{what}: the good one goes on: {said}");
        assert_eq!(starts(&project), n + 1, "{what}: and was started once");
        let report = text(&moorline(&project, &path, &root, &["doctor"]).stdout);
        let note = report.lines().find(|line| line.contains("is not used: ")).unwrap_or_default();
        let why = note.rsplit("is not used: ").next().unwrap_or_default();
        assert!(!why.is_empty(), "{what}: the entry is passed over with a note: {report}");
        println!("{what}: 0 hijacks; {why}");
    }
    println!("{} PATH shapes, 0 hijacks, {0} of {0} controls fired", HIJACKS.len());
}

/// The children of this process that have ended and were not waited for, of this name.
fn zombies(name: &str) -> usize {
    let own = std::process::id().to_string();
    let is_one = |stat: String| {
        let (head, rest) = stat.rsplit_once(") ")?;
        let mut fields = rest.split(' ');
        (head.ends_with(name) && fields.next() == Some("Z") && fields.next() == Some(&own)).then_some(())
    };
    let all = fs::read_dir("/proc").expect("listed").flatten();
    all.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok()).filter_map(is_one).count()
}

/// `count` starts, each from a handoff with hostile words in one of its fields.
fn hostile_starts(count: usize) {
    let _alone = alone();
    let project = TrueProject::build();
    install(&project, HONEST);
    let handoff = fs::read_to_string(project.handoff()).expect("read");
    let payloads = payloads::all();
    let fields = [
        "Go on with the session store",
        "How long a refresh token may live",
        "9 Execute",
        "Tokens rotate on every use",
        "waiting for the review of the token store",
    ];
    let (mut started, mut refused) = (0, 0);
    for n in 0.. {
        // In steps, so that few starts meet payloads of every kind.
        let payload = &payloads[n * 7 % payloads.len()];
        let quoted = payload.text.replace(['"', '\\'], "'");
        let field = fields[n / payloads.len() % fields.len()];
        let record = handoff.replace(field, &format!("PLANTED {quoted} PLANTED"));
        assert_eq!(
            record.matches("PLANTED").count(),
            2,
            "{}: the record holds it: the control",
            payload.name
        );
        fs::write(project.handoff(), record).expect("written");
        let row = Arc::new(project.row());
        // Some of them make the file one that nothing is started from.
        let Ok(plan) = Plan::make(&project.examiner(), &row, 0) else {
            assert_eq!(starts(&project), started, "{}: nothing ran", payload.name);
            refused += 1;
            continue;
        };
        let yes = plan.confirm(PROMPT.into()).expect("there is a prompt");
        let running =
            yes.start(&project.examiner(), |_| {}).unwrap_or_else(|no| panic!("{}: {no:?}", payload.name));
        let attempt = running.finish(&project.examiner());
        assert_eq!(attempt.outcome, Outcome::Continued, "{}: it is only text: {attempt:?}", payload.name);
        assert_eq!(
            saw(&project, "argv"),
            format!("-p\n--resume\n{SESSION}\n"),
            "{}: in no argument",
            payload.name
        );
        assert_eq!(saw(&project, "stdin"), PROMPT, "{}: not in the prompt", payload.name);
        let environ = fs::read(canary::seen(&project, "environ")).expect("written down");
        assert!(!text(&environ).contains("PLANTED"), "{}: in no variable", payload.name);
        started += 1;
        if started == count {
            break;
        }
    }
    assert_eq!(zombies("claude"), 0, "every client was waited for");
    let program = project.base().join("claude");
    fs::copy("/bin/true", &program).expect("a program of that name");
    let mut forgotten = Command::new(&program).spawn().expect("it starts");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while zombies("claude") != 1 {
        assert!(std::time::Instant::now() < deadline, "one that is forgotten is counted: the control");
        std::thread::yield_now();
    }
    forgotten.wait().expect("waited for");
    println!(
        "{started} starts from hostile records ({refused} more were refused): 0 bytes of them in argv, stdin or variables; 0 zombies"
    );
}

#[test]
fn no_word_of_a_record_reaches_a_client_and_each_client_is_waited_for() {
    hostile_starts(25);
}

#[test]
#[ignore = "a minute: the same two hundred times"]
fn no_word_of_two_hundred_records_reaches_a_client_and_each_client_is_waited_for() {
    hostile_starts(200);
}

#[test]
fn each_end_is_told_by_name_in_words_and_in_json() {
    let _alone = alone();
    let project = TrueProject::build();
    let arguments = start_arguments(&project);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let json = [arguments.clone(), vec!["--json"]].concat();
    for (end, code, signal) in ENDS {
        install(&project, &format!("{end}\n"));
        let words = match (code, signal) {
            (Some(code), _) => format!("exit code {code}"),
            (_, signal) => format!("ended by {}", signal.unwrap_or_default()),
        };
        let output = moorline(&project, &good(&project), project.base(), &arguments);
        assert!(text(&output.stdout).contains(&words), "{end}: in words: {}", text(&output.stdout));
        let output = moorline(&project, &good(&project), project.base(), &json);
        let document: Value = serde_json::from_slice(&output.stdout).expect("one document");
        assert_eq!(
            (document["exit"].as_i64(), document["signal"].as_str()),
            (code.map(i64::from), signal),
            "{end}: in JSON"
        );
        assert_eq!(document["outcome"], "not_continued", "{end}: and it is no continuation");
        assert!(document["summary"].to_string().contains(&words), "{end}: nor is it hidden in the summary");
    }
}

/// Calls to the network in what a command and all its children did; `None` where nobody can watch.
fn calls(log: &Path, command: &[&str], dress: impl Fn(&mut Command)) -> Option<Vec<String>> {
    let mut watched = Command::new(strace()?);
    watched.args(["-f", "-qq", "-e", "signal=none", "-e", "trace=socket,connect,bind,sendto,sendmsg", "-o"]);
    watched.arg(log).args(command).stdin(Stdio::null());
    dress(&mut watched);
    let output = watched.output().expect("it runs");
    let log = fs::read_to_string(log).expect("the trace is written");
    let reached = |line: &&str| line.contains("connect(") || line.contains("AF_INET");
    assert!(output.status.code().is_some(), "{command:?} ends: {output:?}");
    Some(log.lines().filter(reached).map(str::to_owned).collect())
}

#[test]
fn nothing_is_connected_to_from_the_first_look_to_the_outcome() {
    let _alone = alone();
    let here = TrueProject::build();
    let log = here.base().join("trace");
    let reach = ["/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/9"];
    let Some(seen) = calls(&log, &reach, |_| {}) else { return };
    assert!(!seen.is_empty(), "the control: the watch sees whoever calls");
    let prompt: PathBuf = here.base().join("prompt");
    fs::write(&prompt, PROMPT).expect("written");
    let prompt = prompt.display().to_string();
    let verbs: [&[&str]; 10] = [
        &["list"],
        &["list", "--json", "--archived", "--trashed"],
        &["show", ".thunderkit/HANDOFF.md"],
        &["check", "--json"],
        &["context"],
        &["restore"],
        &["doctor"],
        &["save", "--help"],
        &["resume", "--lane", LANE],
        &["resume", "--lane", LANE, "--yes", "--prompt-file", &prompt],
    ];
    for name in [HarnessName::Claude, HarnessName::Codex] {
        let lane = OtherLane::build(name);
        match name {
            HarnessName::Claude => install(&lane.project, HONEST),
            _ => lane.install("turn \"$store\" @MODEL@ \"$now\"\n"),
        }
        let root = lane.project.root().display().to_string();
        // What only reads is the same for both.
        let from = if name == HarnessName::Claude { 0 } else { verbs.len() - 3 };
        for verb in &verbs[from..] {
            let command = [&[env!("CARGO_BIN_EXE_moorline"), "-C", &root], *verb].concat();
            let seen = calls(&log, &command, |command| {
                command.env_clear().envs(lane.around().vars);
            });
            assert_eq!(seen, Some(vec![]), "{name:?}, {verb:?}: nobody is called");
        }
        assert_eq!(lane.starts(), 1, "{name:?}: and the last of them did start the client");
    }
}
