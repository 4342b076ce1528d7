//! Resumes on a real terminal: hermes, which has the person's terminal for a while, started from the command line and
//! from the screen; codex, which is heard and stopped there; and what stands on the terminal and in it afterwards.

#[path = "common/other_lanes.rs"]
mod other_lanes;
#[path = "common/pty.rs"]
mod pty;
#[path = "common/true_project.rs"]
mod true_project;

use std::path::Path;
use std::time::Duration;

use moorline::handoff::HarnessName;
use other_lanes::{ANSWER, OtherLane};
use pty::{
    Line, Terminal, child_of_the_shell, code_and_terminal_as_it_was, is_stopped, wait_for_end,
    wait_until_stopped,
};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use true_project::LANE;

fn moorline(lane: &OtherLane, arguments: &[&str]) -> Terminal {
    let program = Path::new(env!("CARGO_BIN_EXE_moorline"));
    let mut command = pty::between_two_looks(&lane.project.root(), program, arguments);
    let around = lane.around();
    command.env("HOME", lane.project.home());
    let path = around.vars[std::ffi::OsStr::new("PATH")].to_str().expect("plain").to_owned();
    command.env("PATH", format!("{path}:/usr/bin:/bin"));
    let mut terminal = Terminal::start(command, 45, 200);
    terminal.patience = Duration::from_secs(60);
    terminal
}

/// Started from the command line.
fn from_the_command_line(lane: &OtherLane) -> Terminal {
    moorline(lane, &["resume", "--lane", LANE, "--yes"])
}

/// Everything is shown on the screen and waits for the yes.
fn at_the_question(lane: &OtherLane) -> Terminal {
    let mut terminal = moorline(lane, &[]);
    terminal.wait_listed(".thunderkit");
    terminal.send("/family:thunderkit\r\r");
    terminal.wait_text(LANE);
    terminal.wait_for("the lane's verdict", |screen| screen.contains("✓ validated"));
    terminal.send("\r");
    terminal.wait_text("by hand");
    terminal
}

/// Started from the screen.
fn from_the_screen(lane: &OtherLane) -> Terminal {
    let mut terminal = at_the_question(lane);
    terminal.wait_text("hermes gets this terminal and asks for your words itself");
    assert!(
        terminal.text().contains("&& hermes chat --resume"),
        "the form to copy is shown:\n{}",
        terminal.text()
    );
    terminal.send("\r");
    terminal
}

/// What a client may do to the terminal, and what moorline says of its end. Each asks for one key first.
const BEHAVIOURS: [(&str, &str); 4] = [
    (
        "/bin/stty raw -echo; printf 'canary up'; key=$(/bin/dd bs=1 count=1 2>/dev/null); /bin/stty sane\n",
        "exit code 0",
    ),
    ("printf 'canary up'; kill -TSTP 0; printf 'on again'; read key\n", "exit code 0"),
    (
        "printf '\\033[?1049h\\033[?1003h\\033[?25l'; /bin/stty raw -echo; printf 'canary up'; key=$(/bin/dd bs=1 count=1 2>/dev/null); kill -9 $$\n",
        "SIGKILL",
    ),
    (
        "/bin/stty raw -echo; printf 'canary up'; key=$(/bin/dd bs=1 count=1 2>/dev/null)\nexit 3\n",
        "exit code 3",
    ),
];

/// Notes, after the key, which group the terminal has in its foreground and which one the canary is in.
const NOTE: &str =
    "note() { read -r line < \"/proc/$$/stat\"; set -- ${line##*) }; echo \"$3 $6\" > \"$seen/groups\"; }\n";

/// One start in which the client does this, from its first sign to the terminal afterwards.
fn one_round(lane: &OtherLane, round: usize, on_screen: bool) {
    let (behaviour, end) = BEHAVIOURS[round % BEHAVIOURS.len()];
    let with_note =
        behaviour.replace("2>/dev/null)", "2>/dev/null); note").replace("read key", "read key; note");
    lane.install(&format!("{NOTE}{with_note}"));
    let mut terminal = if on_screen { from_the_screen(lane) } else { from_the_command_line(lane) };
    terminal.wait_text("canary up");
    let stops = behaviour.contains("TSTP");
    if stops {
        let pid = child_of_the_shell(&terminal);
        wait_until_stopped(pid);
        assert!(!terminal.screen().alternate_screen(), "while both are stopped the screen is the shell's");
        kill_process(pid, Signal::CONT).expect("woken");
        terminal.wait_text("on again");
    }
    let pid = child_of_the_shell(&terminal);
    assert!(!is_stopped(pid), "round {round}: moorline itself is not stopped");
    terminal.send("k\r");
    terminal.wait_text(end);
    if on_screen {
        assert!(terminal.screen().alternate_screen(), "round {round}: the screen is back");
        assert!(terminal.text().contains("Not continued"), "round {round}: redrawn, with the outcome");
        // The way out of the overlay and of the screen.
        terminal.send("\x1b");
        terminal.wait_for("the lane again", |screen| !screen.contains("Not continued"));
        terminal.send("q");
    }
    let code = code_and_terminal_as_it_was(&mut terminal);
    assert_eq!(code, if on_screen { "0" } else { "1" }, "round {round}: {}", terminal.text());
    let groups = lane.saw("groups");
    let (own, front) = groups.trim().split_once(' ').expect("two groups");
    assert_eq!(own, front, "round {round}: its own group was the one in the foreground");
    assert_ne!(own, pid.as_raw_nonzero().to_string(), "round {round}: which was not ours");
    assert_eq!(lane.starts(), round + 1, "round {round}: it was started once");
}

fn rounds(count: usize, on_screen: bool) {
    let lane = OtherLane::build(HarnessName::Hermes);
    (0..count).for_each(|round| one_round(&lane, round, on_screen));
}

#[test]
fn the_command_line_lends_its_terminal_and_gets_it_back() {
    rounds(BEHAVIOURS.len(), false);
}

#[test]
fn the_screen_lends_its_terminal_and_gets_it_back() {
    rounds(BEHAVIOURS.len(), true);
}

#[test]
#[ignore = "minutes: the same fifty times each"]
fn the_terminal_is_lent_and_comes_back_fifty_times() {
    rounds(50, false);
    rounds(50, true);
}

#[test]
fn ctrl_c_is_the_client_s_key() {
    let lane = OtherLane::build(HarnessName::Hermes);
    lane.install("trap 'echo interrupted; exit 130' INT; printf 'canary up'; read key\n");
    let mut terminal = from_the_command_line(&lane);
    terminal.wait_text("canary up");
    terminal.send("\x03");
    terminal.wait_text("exit code 130");
    assert!(terminal.text().contains("interrupted"), "it took the key in its own way:\n{}", terminal.text());
    assert_eq!(code_and_terminal_as_it_was(&mut terminal), "1", "and moorline lived to tell the outcome");
}

#[test]
fn a_signal_to_moorline_ends_the_client_first() {
    for on_screen in [false, true] {
        let lane = OtherLane::build(HarnessName::Hermes);
        lane.install("trap 'echo hung up; exit 129' HUP; printf 'canary up'; read key\n");
        let mut terminal = if on_screen { from_the_screen(&lane) } else { from_the_command_line(&lane) };
        terminal.wait_text("canary up");
        kill_process(child_of_the_shell(&terminal), Signal::TERM).expect("the signal is sent");
        let code = code_and_terminal_as_it_was(&mut terminal);
        assert_eq!(code, if on_screen { "143" } else { "1" }, "then itself:\n{}", terminal.text());
    }
}

#[test]
fn a_hang_up_ends_a_client_that_minds_no_signal_and_moorline() {
    for on_screen in [false, true] {
        let lane = OtherLane::build(HarnessName::Hermes);
        lane.install(
            "trap '' HUP INT TERM; /usr/bin/mkfifo \"$seen/fifo\"; exec 3<>\"$seen/fifo\"\n\
             echo $$ > \"$seen/pid\"; printf 'canary up'; read key <&3\n",
        );
        let mut command = pty::moorline(&lane.project.home());
        command.env(
            "PATH",
            format!("{}:/usr/bin:/bin", lane.program().parent().expect("a directory").display()),
        );
        command.cwd(lane.project.root());
        if !on_screen {
            command.args(["resume", "--lane", LANE, "--yes"]);
        }
        let mut line = Line::start(command, 45, 200);
        if on_screen {
            line.wait_listed(".thunderkit");
            line.send("/family:thunderkit\r\r");
            line.wait_text("✓ validated");
            line.send("\r");
            line.wait_text("asks for your words itself");
            line.send("\r");
        }
        line.wait_text("canary up");
        let client = lane.saw("pid").trim().parse().ok().and_then(Pid::from_raw).expect("a pid");
        assert!(test_kill_process(client).is_ok(), "the control: it runs");
        let mut moorline = line.hang_up();
        assert!(wait_for_end(&mut *moorline, Duration::from_secs(60)).is_some(), "moorline ends");
        assert!(test_kill_process(client).is_err(), "and nothing of the client is left");
        let log = std::fs::read_to_string(lane.project.home().join(".local/state/moorline/journal.jsonl"));
        let log = log.expect("the log is there");
        assert!(
            log.contains("not_continued") && log.contains("SIGKILL"),
            "what became of it is written: {log}"
        );
    }
}

/// What the test below runs on a pty: this very test program, which starts a client there and forgets it.
#[test]
fn child_that_forgets_its_client() {
    if std::env::var_os("MOORLINE_TEST_FORGET").is_none() {
        return;
    }
    let lane = OtherLane::build(HarnessName::Hermes);
    lane.install("trap '' HUP; stty raw -echo; echo $$ > \"$seen/pid\"; printf 'canary up'; read key\n");
    let plan = lane.plan().unwrap_or_else(|no| panic!("the lane is validated: {:?}", no.reasons));
    let confirmed = plan.confirm(Vec::new()).expect("it asks for its words itself");
    let running = confirmed.start(&lane.examiner(), |_| {}).unwrap_or_else(|no| panic!("{:?}", no.sentence));
    let front = || rustix::termios::tcgetpgrp(rustix::stdio::stdin()).expect("a terminal");
    let ours = rustix::process::getpgrp();
    assert_ne!(front(), ours, "the control: the client has the terminal");
    let pid = lane.project.base().join("seen/pid");
    while std::fs::read_to_string(&pid).map_or(true, |pid| !pid.ends_with('\n')) {
        std::thread::yield_now();
    }
    drop(running);
    assert_eq!(front(), ours, "the terminal is ours again");
    let client = lane.saw("pid").trim().parse().ok().and_then(Pid::from_raw).expect("a pid");
    assert!(test_kill_process(client).is_err(), "and the client is gone");
    eprintln!("forgotten and taken back");
}

#[test]
fn a_client_that_is_forgotten_does_not_keep_the_terminal() {
    let program = std::env::current_exe().expect("this test program has a path");
    let arguments = ["--exact", "child_that_forgets_its_client", "--nocapture"];
    let mut command = pty::between_two_looks(Path::new("/"), &program, &arguments);
    command.env("MOORLINE_TEST_FORGET", "1");
    let mut terminal = Terminal::start(command, 45, 160);
    terminal.patience = Duration::from_secs(60);
    let code = code_and_terminal_as_it_was(&mut terminal);
    assert_eq!(code, "0", "{}", terminal.text());
    assert!(terminal.text().contains("forgotten and taken back"), "{}", terminal.text());
}

#[test]
fn a_turn_that_was_typed_and_answered_is_a_continuation() {
    for on_screen in [false, true] {
        let lane = OtherLane::build(HarnessName::Hermes);
        lane.will_become(ANSWER);
        lane.install("printf 'canary up'; read words; echo \"$words\" > \"$seen/words\"; become\n");
        let mut terminal = if on_screen { from_the_screen(&lane) } else { from_the_command_line(&lane) };
        terminal.wait_text("canary up");
        terminal.send("go on\r");
        terminal.wait_text("Continued: the session has a new finished turn");
        if on_screen {
            terminal.send("\x1b");
            terminal.wait_for("the lane again", |screen| !screen.contains("Continued:"));
            terminal.send("q");
        }
        assert_eq!(code_and_terminal_as_it_was(&mut terminal), "0", "{}", terminal.text());
        assert_eq!(lane.saw("words"), "go on\n", "the words were the person's");
        assert_eq!(lane.saw("argv"), format!("chat\n--resume\n{}\n", lane.id), "and no argument holds any");
        assert_eq!(
            lane.saw("cwd").trim_end(),
            lane.project.worktree().to_str().expect("plain"),
            "in the worktree"
        );
    }
}

#[test]
fn a_hermes_that_lies_is_never_shown_as_continued() {
    let asked =
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('@', 'user', 'Go on', NOW);";
    let elsewhere = "INSERT INTO sessions (id, source, model, started_at, cwd, parent_session_id) VALUES ('OTHER', 'cli', 'm', NOW, 'DIRECTORY', NULL);
        INSERT INTO messages (session_id, role, content, timestamp, finish_reason) VALUES ('OTHER', 'assistant', 'More.', NOW, 'stop');";
    let compressed = format!(
        "{} UPDATE sessions SET end_reason = 'compression', ended_at = 9 WHERE id = '@';",
        elsewhere.replace("NULL", "'@'")
    );
    let tool = "INSERT INTO messages (session_id, role, timestamp, finish_reason, tool_calls) VALUES ('@', 'assistant', NOW, 'tool_calls', '[1]');";
    let cases: [(&str, String, &str, &str); 10] = [
        ("ends well and sent nothing", String::new(), "exit 0\n", "Not continued"),
        (
            "cannot find the session and talks on",
            String::new(),
            "echo 'Session not found'; exit 0\n",
            "Not continued",
        ),
        ("took the question and gave no answer", asked.to_owned(), "become\n", "Not continued"),
        ("starts fresh", elsewhere.to_owned(), "become\n", "Continued elsewhere"),
        ("goes on in a child", compressed, "become\n", "Continued elsewhere"),
        ("writes here and there", format!("{ANSWER}{elsewhere}"), "become\n", "Unknown"),
        ("asks for a tool and dies", tool.to_owned(), "become; kill -9 $$\n", "Not continued"),
        ("writes rows of yesterday", ANSWER.replace("NOW", "5.0"), "become\n", "Unknown"),
        ("writes rows of a century to come", ANSWER.replace("NOW", "4070908800.0"), "become\n", "Unknown"),
        (
            "removes the session",
            "DELETE FROM messages; DELETE FROM sessions;".to_owned(),
            "become\n",
            "Unknown",
        ),
    ];
    for (what, sql, behaviour, expected) in cases {
        let lane = OtherLane::build(HarnessName::Hermes);
        lane.will_become(&sql);
        lane.install(behaviour);
        let mut terminal = from_the_command_line(&lane);
        let code = code_and_terminal_as_it_was(&mut terminal);
        let text = terminal.text();
        assert!(text.contains(&format!("{expected}: ")), "one that {what}:\n{text}");
        assert_eq!(code, if expected == "Not continued" { "1" } else { "3" }, "one that {what}:\n{text}");
        assert_eq!(lane.starts(), 1, "one that {what} was started, and never again");
    }
}

#[test]
fn codex_is_heard_live_and_stopped_by_a_key_and_firmly_by_a_second_one() {
    let lane = OtherLane::build(HarnessName::Codex);
    lane.install(
        "trap 'echo interrupted' INT; trap 'echo terminated; exit 7' TERM\n\
         /usr/bin/mkfifo \"$seen/fifo\"; exec 3<>\"$seen/fifo\"; echo 'at work'; while :; do read x <&3 || :; done\n",
    );
    let mut terminal = at_the_question(&lane);
    assert!(terminal.text().contains("&& codex resume"), "the form to copy is shown:\n{}", terminal.text());
    terminal.send("go on\r");
    terminal.wait_text("at work");
    terminal.wait_for("how long it was silent", |screen| {
        screen.contains("last output") && screen.contains("s ago")
    });
    terminal.send("s");
    terminal.wait_text("interrupted");
    terminal.send("s");
    terminal.wait_text("terminated");
    terminal.wait_text("Not continued");
    // A picture comes in pieces.
    terminal.wait_text("exit code 7");
    assert_eq!(lane.saw("stdin"), "go on", "it got the person's words and nothing else");
    terminal.send("\x1b");
    terminal.wait_for("the lane again", |screen| !screen.contains("Not continued"));
    terminal.send("q");
    assert_eq!(code_and_terminal_as_it_was(&mut terminal), "0", "and left");
}

#[test]
fn under_a_shell_with_jobs_both_are_one_job() {
    if !Path::new("/bin/bash").exists() {
        eprintln!("skipped: a shell with job control is needed");
        return;
    }
    let lane = OtherLane::build(HarnessName::Hermes);
    lane.install(
        "trap \"printf 'on again'\" CONT; printf 'canary up'\n\
         until read one; do :; done; printf 'and again'; read two; echo \"$one $two\" > \"$seen/words\"\n",
    );
    let mut command = pty::shell_with_jobs(&lane.project.root());
    command.env("HOME", lane.project.home());
    let bin = lane.program().parent().expect("a directory").display().to_string();
    command.env("PATH", format!("{bin}:/usr/bin:/bin"));
    let mut terminal = Terminal::start(command, 45, 200);
    terminal.patience = Duration::from_secs(60);
    terminal.wait_text("ready>");
    terminal.send(&format!("{} resume --lane {LANE} --yes\r", env!("CARGO_BIN_EXE_moorline")));
    terminal.wait_text("canary up");
    let moorline = child_of_the_shell(&terminal);
    terminal.send("\x1a");
    terminal.wait_text("Stopped");
    // The shell calls it running from `bg` on until it is told of a stop: that is the second one.
    terminal.send("bg; until [ -n \"$(jobs -s)\" ]; do :; done; echo shell is$((40+2))\r");
    terminal.wait_text("shell is42");
    wait_until_stopped(moorline);
    assert!(!terminal.text().contains("on again"), "in the background the client stays stopped");
    terminal.send("fg\r");
    terminal.wait_text("on again");
    terminal.send("first\r");
    terminal.wait_text("and again");
    terminal.send("second\r");
    terminal.wait_text("Not continued");
    assert_eq!(lane.saw("words"), "first second\n", "what was typed after `fg` was the client's");
    terminal.send("exit\r");
    terminal.wait_end();
}
