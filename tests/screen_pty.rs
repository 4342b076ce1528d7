//! The real screen on a real terminal: keys, signals, stops, hang-ups and panics, and the terminal afterwards.

#![allow(clippy::print_stdout, reason = "figures of the long tests are printed")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

#[path = "common/pty.rs"]
mod pty;

use pty::{
    Line, Terminal, child_of_the_shell, code_and_terminal_as_it_was, wait_for_end, wait_until_stopped,
};

/// A project with one handoff, and a home with nothing in it.
fn project() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let plan = dir.path().join("api/plans/260325-auth");
    fs::create_dir_all(&plan).expect("a plan directory");
    fs::create_dir_all(dir.path().join("home")).expect("a home");
    let text =
        "# Session handoff: auth\n\n**Date:** 2026-03-25\n\n## Next Steps\n\n- [ ] Rotate refresh tokens\n";
    fs::write(plan.join("HANDOFF.md"), text).expect("a handoff");
    dir
}

/// moorline on that project, under a shell that looks at the terminal before and after.
fn between_two_looks(dir: &Path) -> Terminal {
    let program = Path::new(env!("CARGO_BIN_EXE_moorline"));
    let mut command = pty::between_two_looks(&dir.join("api"), program, &[]);
    command.env("HOME", dir.join("home"));
    Terminal::start(command, 24, 100)
}

#[test]
fn a_person_looks_around_and_leaves() {
    let dir = project();
    let mut terminal = between_two_looks(dir.path());
    terminal.wait_text("260325-auth");
    assert!(terminal.screen().alternate_screen(), "a positive control: the alternate screen was entered");
    terminal.send("?");
    terminal.wait_text("Keys and signs");
    terminal.send("\x1b");
    terminal.wait_for("the help's end", |screen| !screen.contains("Keys and signs"));
    terminal.send("\r");
    terminal.wait_text("Rotate refresh tokens");
    terminal.send("q");
    assert_eq!(code_and_terminal_as_it_was(&mut terminal), "0", "leaving is no failure");
}

#[test]
fn every_signal_that_ends_it_gives_the_terminal_back() {
    let dir = project();
    let sent = |signal| {
        let mut terminal = between_two_looks(dir.path());
        terminal.wait_text("260325-auth");
        kill_process(child_of_the_shell(&terminal), signal).expect("the signal is sent");
        terminal
    };
    let meant = [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT];
    // Nobody sends these to a screen on purpose, but by default they end any program.
    let by_default = [
        Signal::USR1,
        Signal::USR2,
        Signal::ALARM,
        Signal::ABORT,
        Signal::TRAP,
        Signal::SYS,
        Signal::XCPU,
        Signal::VTALARM,
        Signal::PROF,
        Signal::IO,
        Signal::POWER,
        Signal::STKFLT,
    ];
    for signal in meant.into_iter().chain(by_default) {
        let code = code_and_terminal_as_it_was(&mut sent(signal));
        assert_eq!(code, (128 + signal.as_raw()).to_string(), "a shell sees which signal it was");
    }
    let mut terminal = sent(Signal::KILL);
    terminal.wait_text("code=137");
    assert!(terminal.screen().alternate_screen(), "a control: what cannot be answered leaves it as it is");
}

/// Leaves the terminal as a program does that is killed in the middle of its work.
const FALLS_OVER: &str = "#!/bin/sh\nstty raw -echo </dev/tty\nprintf '\\033[?1h\\033=\\033[?2004h\\033[?1004h'\n\
     for mode in 9 1000 1002 1003 1005 1006 1015; do printf '\\033[?%sh' $mode; done\nkill -9 $$\n";

/// A program for the person's `$PAGER`.
fn pager(dir: &Path, script: &str) -> PathBuf {
    let path = dir.join("pager");
    fs::write(&path, script).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    path
}

/// The handoff in that pager.
fn paged(dir: &Path, script: &str) -> Terminal {
    let mut command =
        pty::between_two_looks(&dir.join("api"), Path::new(env!("CARGO_BIN_EXE_moorline")), &[]);
    command.env("HOME", dir.join("home"));
    command.env("PAGER", pager(dir, script));
    let mut terminal = Terminal::start(command, 45, 100);
    terminal.wait_text("260325-auth");
    terminal.send("\r");
    // What is paged is the text, which is read after everything else is shown.
    terminal.wait_text("Date:");
    terminal.send("o");
    terminal
}

#[test]
fn whatever_a_killed_program_made_of_the_terminal_the_shell_has_it_as_it_was() {
    let dir = project();
    let program = pager(dir.path(), FALLS_OVER);
    let mut alone = Terminal::start(pty::between_two_looks(dir.path(), &program, &[]), 24, 400);
    alone.wait_text("looked");
    let text = alone.text();
    let looks = pty::looks(&text);
    assert_ne!(looks[0], looks[1], "a control: alone it leaves the terminal raw");
    assert_eq!(pty::modes_left(&alone.bytes).len(), 10, "and ten modes on");
    let mut terminal = paged(dir.path(), FALLS_OVER);
    terminal.wait_text("reported an error");
    let (had, ours) = (pty::modes_left(&alone.bytes), pty::modes_left(&terminal.bytes));
    assert!(had.contains(&"1003h".into()) && ours == ["1049h", "2004h", "25l"], "on our screen: {ours:?}");
    terminal.send("\x1b");
    terminal.send("q");
    assert_eq!(code_and_terminal_as_it_was(&mut terminal), "0", "and after it");
}

#[test]
fn a_stop_gives_the_terminal_back_and_going_on_takes_it_again() {
    let dir = project();
    let mut terminal = between_two_looks(dir.path());
    terminal.wait_text("260325-auth");
    let pid = child_of_the_shell(&terminal);
    kill_process(pid, Signal::TSTP).expect("the signal is sent");
    terminal.wait_for("the shell's screen", |screen| !screen.contains("260325-auth"));
    assert!(!terminal.screen().bracketed_paste(), "a stopped program leaves no mode behind");
    // It gives the terminal back before it stops: a signal to go on that comes in between would go on with nothing.
    wait_until_stopped(pid);
    kill_process(pid, Signal::CONT).expect("the signal is sent");
    terminal.wait_text("260325-auth");
    terminal.send("q");
    assert_eq!(code_and_terminal_as_it_was(&mut terminal), "0", "and it ends like any other time");
}

#[test]
fn in_the_background_it_leaves_the_terminal_alone_until_it_is_called_back() {
    if !Path::new("/bin/bash").exists() {
        eprintln!("skipped: a shell with job control is needed");
        return;
    }
    let dir = project();
    let mut command = pty::shell_with_jobs(&dir.path().join("api"));
    command.env("HOME", dir.path().join("home"));
    let mut terminal = Terminal::start(command, 24, 100);
    terminal.wait_text("ready>");
    terminal.send(&format!("{}\r", env!("CARGO_BIN_EXE_moorline")));
    terminal.wait_text("260325-auth");
    terminal.send("\x1a");
    terminal.wait_text("Stopped");
    terminal.send("bg\r");
    terminal.send("echo shell is$((40+2))\r");
    terminal.wait_text("shell is42");
    // A `fg` that comes before it has stopped again would find it stopping in the foreground.
    wait_until_stopped(child_of_the_shell(&terminal));
    // And a shell that has not heard of that yet would not wake it.
    let has_heard =
        |screen: &str| screen.rsplit("shell is42").next().is_some_and(|on| on.contains("Stopped"));
    for asked in 0.. {
        terminal.send(&format!("jobs; echo asked$(({asked}+100))\r"));
        terminal.wait_text(&format!("asked{}", asked + 100));
        if has_heard(&terminal.text()) {
            break;
        }
        assert!(asked < 100, "the shell hears of it");
    }
    assert!(!terminal.screen().alternate_screen(), "in the background the shell keeps its screen");
    terminal.send("fg\r");
    terminal.wait_text("260325-auth");
    terminal.send("q");
    terminal.wait_for("the shell", |screen| screen.contains("ready>") && !screen.contains("PLAN-SCOPED"));
    terminal.send("exit\r");
    terminal.wait_end();
}

/// moorline on that project, directly on a pty; under a shell that has it ignore SIGHUP where that is asked for.
fn on_a_line(dir: &Path, ignores: bool, rows: u16, cols: u16) -> Line {
    let mut command = pty::moorline(&dir.join("home"));
    if ignores {
        command = CommandBuilder::new("/bin/sh");
        command.args(["-c", "trap '' HUP; exec \"$0\"", env!("CARGO_BIN_EXE_moorline")]);
        command.env("HOME", dir.join("home"));
        command.env("TERM", "xterm-256color");
    }
    command.cwd(dir.join("api"));
    Line::start(command, rows, cols)
}

/// Hangs up so often, with SIGHUP as it is and with SIGHUP ignored; the longest time that an end took.
fn hang_ups(rounds: usize) -> Duration {
    let dir = project();
    let mut longest = Duration::ZERO;
    for round in 0..2 * rounds {
        let mut line = on_a_line(dir.path(), round % 2 == 1, 24, 100);
        line.wait_text("260325-auth");
        let begun = Instant::now();
        let mut child = line.hang_up();
        assert!(wait_for_end(&mut *child, Duration::from_secs(30)).is_some(), "round {round}: it ends");
        longest = longest.max(begun.elapsed());
    }
    longest
}

#[test]
fn a_hang_up_ends_it_within_a_second() {
    let longest = hang_ups(2);
    assert!(longest < Duration::from_secs(2), "it ended soon, on a busy machine too: {longest:?}");
}

#[test]
#[ignore = "half a minute, on a machine with nothing else to do"]
fn forty_hang_ups_end_it_within_a_second_each() {
    let longest = hang_ups(20);
    println!("the longest took {longest:?}");
    assert!(longest < Duration::from_secs(1), "each within a second: {longest:?}");
}

#[test]
fn a_terminal_that_reads_nothing_holds_no_signal_up() {
    let dir = project();
    let long: String = (0..600).map(|n| format!("{n} {}\n", "words ".repeat(80))).collect();
    let plan = dir.path().join("api/plans/260325-auth/HANDOFF.md");
    let text = fs::read_to_string(&plan).expect("the handoff");
    fs::write(&plan, format!("{text}\n```\n{long}```\n")).expect("a longer handoff");
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let mut line = on_a_line(dir.path(), false, 400, 480);
        // Of one picture more is left than a pty holds.
        line.wait_text("260325-auth");
        line.wait_text("words words");
        let pid = line.child.process_id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let pid = pid.expect("it runs");
        wait_until_blocked(pid);
        kill_process(pid, signal).expect("the signal is sent");
        let (code, rest, took) = line.end_unread();
        assert_eq!(code, u32::try_from(128 + signal.as_raw()).expect("small"), "{signal:?} ended it");
        assert!(took < Duration::from_secs(2), "soon, on a busy machine too: {took:?}");
        // A picture of this size takes a hundred thousand bytes.
        assert!(
            rest.len() < 50_000,
            "the control: the terminal was full, most was never taken: {}",
            rest.len()
        );
    }
}

/// A pager that reads nothing of what it is to show, and minds neither a hang-up nor being asked to end.
const STUBBORN: &str =
    "#!/bin/sh\ntrap '' HUP TERM\necho \"PAGER $$ IS OPEN\"\nwhile :; do read -r line </dev/tty; done\n";

#[test]
fn a_pager_holds_no_end_up() {
    let dir = project();
    let plan = dir.path().join("api/plans/260325-auth/HANDOFF.md");
    let text = fs::read_to_string(&plan).expect("the handoff");
    // More than a pipe holds.
    fs::write(&plan, format!("{text}\n```\n{}```\n", "words\n".repeat(30_000))).expect("a longer handoff");
    let number = |text: &str| {
        let rest = text.split("PAGER ").nth(1).expect("it says its number");
        Pid::from_raw(rest.split(' ').next().and_then(|id| id.parse().ok()).expect("a number")).expect("one")
    };
    let mut terminal = paged(dir.path(), STUBBORN);
    terminal.wait_text("IS OPEN");
    let id = number(&terminal.text());
    assert!(test_kill_process(id).is_ok(), "a control: it runs");
    let begun = Instant::now();
    kill_process(child_of_the_shell(&terminal), Signal::TERM).expect("the signal is sent");
    assert_eq!(code_and_terminal_as_it_was(&mut terminal), "143", "it ends by the signal");
    assert!(begun.elapsed() < Duration::from_secs(3), "soon, on a busy machine too: {:?}", begun.elapsed());
    assert!(test_kill_process(id).is_err(), "and the pager has ended before");

    let mut command = pty::moorline(&dir.path().join("home"));
    command.env("PAGER", pager(dir.path(), STUBBORN));
    command.cwd(dir.path().join("api"));
    let mut line = Line::start(command, 45, 100);
    line.wait_listed("260325-auth");
    line.send("\r");
    line.wait_text("Date:");
    line.send("o");
    line.wait_text("IS OPEN");
    let id = number(&line.text());
    let begun = Instant::now();
    let mut child = line.hang_up();
    assert!(wait_for_end(&mut *child, Duration::from_secs(30)).is_some(), "a hang-up ends it too");
    assert!(begun.elapsed() < Duration::from_secs(3), "as soon: {:?}", begun.elapsed());
    assert!(test_kill_process(id).is_err(), "and the pager before");
}

#[test]
fn a_started_program_is_ended_by_a_limit_on_files_as_ever() {
    let dir = project();
    let script =
        "#!/bin/sh\nulimit -f 0\n(echo words > \"$0.out\")\necho \"it said $?\"; read -r key </dev/tty\n";
    let mut terminal = paged(dir.path(), script);
    // 128 and the signal's number; where it were ignored the write would fail with 1 or 2.
    terminal.wait_text(&format!("it said {}", 128 + Signal::XFSZ.as_raw()));
    terminal.send("\r");
    terminal.wait_text("Rotate refresh tokens");
    terminal.send("\x1b");
    terminal.send("q");
    assert_eq!(code_and_terminal_as_it_was(&mut terminal), "0", "and left");
}

/// Waits until every thread of a process waits for something.
fn wait_until_blocked(pid: Pid) {
    let tasks = format!("/proc/{}/task", pid.as_raw_nonzero());
    let waits = || {
        fs::read_dir(&tasks).expect("it is there").flatten().all(|task| {
            let stat = fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('S'))
        })
    };
    let (deadline, mut quiet) = (Instant::now() + Duration::from_secs(60), 0);
    while quiet < 2_000 {
        quiet = if waits() { quiet + 1 } else { 0 };
        assert!(Instant::now() < deadline, "it comes to rest");
        std::thread::yield_now();
    }
}

/// What the kernel says that a process has done so far: ticks of processor time, and how often it was woken.
fn work(pid: u32) -> (u64, u64) {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("it is there");
    let words: Vec<_> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = words[11..13].iter().filter_map(|word| word.parse::<u64>().ok()).sum();
    let switches = fs::read_dir(format!("/proc/{pid}/task")).expect("it is there").flatten().map(|task| {
        let status = fs::read_to_string(task.path().join("status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        line.and_then(|count| count.trim().parse::<u64>().ok()).unwrap_or(0)
    });
    (ticks, switches.sum())
}

/// Does nothing for so long, and returns what it cost.
fn idle(time: Duration) -> (u64, u64) {
    let dir = project();
    let mut command = pty::moorline(&dir.path().join("home"));
    command.cwd(dir.path().join("api"));
    let mut terminal = Terminal::start(command, 24, 100);
    terminal.wait_text("260325-auth");
    while terminal.listen(Duration::from_millis(700)) > 0 {}
    let pid = terminal.child.process_id().expect("it runs");
    let before = work(pid);
    assert_eq!(terminal.listen(time), 0, "nothing is written while nothing changes");
    let after = work(pid);
    terminal.send("q");
    assert_eq!(terminal.wait_end(), 0, "it was there all the time");
    assert!(work_is_counted(), "a positive control: what a process does is counted");
    (after.0 - before.0, after.1 - before.1)
}

fn work_is_counted() -> bool {
    work(std::process::id()).1 > 0
}

#[test]
fn idle_is_idle() {
    let (ticks, wakes) = idle(Duration::from_secs(3));
    assert!(ticks <= 1, "no work is done: {ticks} hundredths of a second");
    assert!(wakes <= 3, "nobody is woken: {wakes} times");
}

#[test]
#[ignore = "a minute of nothing"]
fn idle_is_idle_for_a_minute() {
    let (ticks, wakes) = idle(Duration::from_secs(60));
    println!("{ticks} hundredths of a second of work, {wakes} wake-ups");
    assert!(ticks <= 6 && wakes <= 60, "a tenth of a percent, a wake-up a second: {ticks}, {wakes}");
}

/// The most memory that a process had, in KiB.
fn peak(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it is there");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    line.split_whitespace().next().and_then(|kib| kib.parse().ok()).expect("a number")
}

#[test]
fn ten_megabytes_of_keys_in_a_paste_are_no_key_anywhere() {
    let dir = project();
    let letters: String = (1..=0x7E_u8).filter(|byte| *byte != 0x1B).map(char::from).collect();
    let bomb = format!("\x1b[200~{}\x1b[201~", letters.repeat((10 << 20) / letters.len()));
    let mut terminal = between_two_looks(dir.path());
    terminal.patience = Duration::from_secs(60);
    terminal.wait_text("260325-auth");
    let pid = child_of_the_shell(&terminal).as_raw_nonzero().get().unsigned_abs();
    let before = peak(pid);
    let mut longest = Duration::ZERO;
    // The way to each screen, what it shows, a key that is answered there, and by what.
    let screens = [
        ("", "PLAN-SCOPED", "?", "Keys and signs"),
        ("", "Keys and signs", "\x1b", "PLAN-SCOPED"),
        ("\r", "Rotate refresh tokens", "\x1b?", "Keys and signs"),
        ("\x1bc", "Handoff loaded", "\x1b?", "Keys and signs"),
        ("\x1b\t\t", "unverifiable", "?", "Keys and signs"),
        ("\x1b\x1b/", "/", "", "0 of 1"),
    ];
    for (way, shown, key, answer) in screens {
        terminal.send(way);
        terminal.wait_text(shown);
        let begun = Instant::now();
        terminal.send(&bomb);
        terminal.send(key);
        terminal.wait_text(answer);
        longest = longest.max(begun.elapsed());
    }
    terminal.send("\x1b");
    terminal.wait_text("260325-auth");
    let more = peak(pid).saturating_sub(before);
    println!("the longest took {longest:?}, {more} KiB more");
    assert!(more <= 32 << 10, "memory is bounded: {more} KiB more");
    assert!(longest < Duration::from_secs(20), "an unoptimised build on a busy machine: {longest:?}");
    terminal.send("q");
    assert_eq!(code_and_terminal_as_it_was(&mut terminal), "0", "and no letter of it was a key");
}

#[test]
fn a_paste_without_an_end_does_not_make_it_deaf() {
    let dir = project();
    let mut terminal = between_two_looks(dir.path());
    terminal.wait_text("260325-auth");
    terminal.send("/\x1b[200~some words");
    terminal.wait_text("some words");
    terminal.send("\x1b\x1b");
    terminal.wait_text("260325-auth");
    terminal.send("q");
    assert_eq!(code_and_terminal_as_it_was(&mut terminal), "0", "keys are keys again");
}

#[test]
fn late_answers_at_the_beginning_and_at_the_end_are_for_nobody() {
    let replies = [
        "\x1b[?62;22c",
        "\x1b[?2026;2$y",
        "\x1b]11;rgb:0000/0000/0000\x1b\\",
        "\x1b[12;40R",
        "\x1b[I",
        "\x1b[O",
        "\x1b[M qq",
        "\x1b[12",
    ];
    let all = replies.concat();
    let dir = project();
    let script = "stty -echo; echo ready; read line; \"$0\"; echo code=$?; stty -icanon min 0 time 5; \
                  left=$(dd bs=4096 count=1 2>/dev/null | wc -c); echo \"left=$left.\"";
    let run = |program: &str| {
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", script, program]);
        command.env("HOME", dir.path().join("home"));
        command.env("TERM", "xterm-256color");
        command.cwd(dir.path().join("api"));
        let mut terminal = Terminal::start(command, 24, 100);
        terminal.wait_text("ready");
        terminal
    };
    let mut terminal = run(env!("CARGO_BIN_EXE_moorline"));
    // Typed before it has the terminal, and with the key that ends it.
    terminal.send(&format!("\n{all}"));
    terminal.wait_text("260325-auth");
    for reply in replies {
        terminal.send(reply);
        // The rest of an unfinished one is waited for, and a key that came at once would be that.
        terminal.listen(Duration::from_millis(300));
        terminal.send("?");
        terminal.wait_text("Keys and signs");
        terminal.send("\x1b");
        terminal.wait_for("the list again", |screen| !screen.contains("Keys and signs"));
    }
    terminal.send(&format!("{all}\x1b[Aq{all}"));
    terminal.wait_text("left=");
    assert!(terminal.text().contains("code=0") && terminal.text().contains("left=0."), "{}", terminal.text());
    let mut terminal = run("/bin/true");
    terminal.send(&format!("\n{all}"));
    terminal.wait_text("left=");
    assert!(terminal.text().contains(&format!("left={}.", all.len())), "a control: {}", terminal.text());
}

#[test]
#[ignore = "minutes: every way to end and to stop, twenty times"]
fn the_terminal_comes_back_twenty_times() {
    for _ in 0..20 {
        a_person_looks_around_and_leaves();
        every_signal_that_ends_it_gives_the_terminal_back();
        a_stop_gives_the_terminal_back_and_going_on_takes_it_again();
        in_the_background_it_leaves_the_terminal_alone_until_it_is_called_back();
        a_panic_on_any_thread_ends_the_screen_and_its_report_is_readable();
    }
}

#[test]
fn pastes_replies_and_sizes_are_survived() {
    let dir = project();
    let mut terminal = between_two_looks(dir.path());
    terminal.wait_text("260325-auth");
    terminal.send("\x1b[?62;22c\x1b[12;40R\x1b]11;rgb:0000/0000/0000\x07\x1b[?2026;2$y\x1b[I");
    terminal.send(&format!("\x1b[200~{}\x1b[201~", "q?\u{1}".repeat(100_000)));
    terminal.send("?");
    terminal.wait_text("Keys and signs");
    terminal.send("?");
    let size = |rows, cols| PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
    terminal.master.resize(size(4, 60)).expect("the window can shrink");
    terminal.wait_text("too small");
    terminal.master.resize(size(24, 100)).expect("and grow");
    terminal.wait_for("the whole screen", |screen| {
        screen.contains("PLAN-SCOPED") && !screen.contains("too small")
    });
    terminal.send("\x1b[12");
    terminal.send("q");
    terminal.send("q");
    assert_eq!(code_and_terminal_as_it_was(&mut terminal), "0", "nothing of it was a key");
}

/// What the test below runs on a pty: this very test program, which takes the terminal and then panics on
/// another thread.
#[test]
fn child_that_panics_beside_the_screen() {
    if std::env::var_os("MOORLINE_TEST_PANIC").is_none() {
        return;
    }
    use moorline::tui::{app, drive, keymap, terminal, theme};
    let around = moorline::harness::Surroundings::default();
    let settings = moorline::settings::Settings::default();
    let examiner = Arc::new(moorline::check::Examiner::new(Path::new("/nowhere"), around, settings));
    let clock = moorline::handoff::age::Clock::default();
    let (mut state, _) = app::State::new("/nowhere".into(), None, keymap::Keymap::default(), clock);
    let mut world = terminal::Terminal::take(&examiner).expect("the terminal is ours");
    let theme = theme::Theme { colour: true, glyphs: &theme::UNICODE };
    let beside = std::thread::spawn(|| panic!("the worker fell over"));
    let ended = drive::run(&mut world, &mut state, Vec::new(), theme).expect("the loop ends");
    world.give_back(None);
    assert!(beside.join().is_err(), "the other thread has panicked");
    assert_eq!(ended, drive::Ended::Fallen, "and the screen ended because of it");
    println!("fallen and given back");
}

#[test]
fn a_panic_on_any_thread_ends_the_screen_and_its_report_is_readable() {
    let program = std::env::current_exe().expect("this test program has a path");
    let arguments = ["--exact", "child_that_panics_beside_the_screen", "--nocapture"];
    let mut command = pty::between_two_looks(Path::new("/"), &program, &arguments);
    command.env("MOORLINE_TEST_PANIC", "1");
    let mut terminal = Terminal::start(command, 40, 120);
    let code = code_and_terminal_as_it_was(&mut terminal);
    let text = terminal.text();
    assert_eq!(code, "0", "the program came to its end:\n{text}");
    assert!(text.contains("the worker fell over"), "the report stands on the shell's screen:\n{text}");
    assert!(text.contains("fallen and given back"), "after the terminal was given back:\n{text}");
}

#[test]
fn the_sample_project_is_resumed_end_to_end() {
    let home = tempfile::tempdir().expect("a home");
    let mut command = pty::moorline(home.path());
    command.arg("demo");
    command.cwd(home.path());
    let mut terminal = Terminal::start(command, 40, 140);
    terminal.wait_listed(".thunderkit");
    terminal.send("/family:thunderkit\r\r");
    terminal.wait_text("L1-auth");
    terminal.wait_for("the lane's verdict", |screen| screen.contains("✓ validated"));
    terminal.send("\r");
    terminal.wait_text("Prompt (yours");
    terminal.send("\r");
    terminal.wait_text("A prompt is needed");
    terminal.send("go on\r");
    terminal.wait_text("Continued");
    terminal.send("\x1bq");
    terminal.send("q");
    assert_eq!(terminal.wait_end(), 0, "and left");
}

#[test]
fn whether_there_are_colours_is_said_by_the_theme_and_else_by_no_color() {
    let dir = project();
    let is_coloured = |vars: &[(&str, &str)]| {
        let program = Path::new(env!("CARGO_BIN_EXE_moorline"));
        let mut command = pty::between_two_looks(&dir.path().join("api"), program, &[]);
        command.env("HOME", dir.path().join("home"));
        vars.iter().for_each(|(name, value)| command.env(name, value));
        let mut terminal = Terminal::start(command, 24, 100);
        terminal.wait_listed("260325-auth");
        let screen = terminal.screen();
        let cells = (0..24).flat_map(|y| (0..100).filter_map(move |x| screen.cell(y, x)));
        cells.map(vt100::Cell::fgcolor).any(|colour| colour != vt100::Color::Default)
    };
    assert!(is_coloured(&[]), "a positive control: there are colours");
    assert!(!is_coloured(&[("NO_COLOR", "1")]), "a person who wants none gets none");
    assert!(!is_coloured(&[("MOORLINE_THEME", "mono")]), "by either name");
    assert!(
        is_coloured(&[("NO_COLOR", "1"), ("MOORLINE_THEME", "ansi")]),
        "and what is said of moorline alone counts"
    );
}
