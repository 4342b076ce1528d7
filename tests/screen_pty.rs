//! The real screen on a real terminal: keys, signals, stops, hang-ups and panics, and the terminal afterwards.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use portable_pty::{PtySize, native_pty_system};
use rustix::process::{Signal, kill_process};

#[path = "common/pty.rs"]
mod pty;

use pty::{Terminal, child_of_the_shell, code_and_terminal_as_it_was, wait_until_stopped};

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
    for signal in [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT] {
        let dir = project();
        let mut terminal = between_two_looks(dir.path());
        terminal.wait_text("260325-auth");
        kill_process(child_of_the_shell(&terminal), signal).expect("the signal is sent");
        let code = code_and_terminal_as_it_was(&mut terminal);
        assert_eq!(code, (128 + signal.as_raw()).to_string(), "a shell sees which signal it was");
    }
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
    assert!(!terminal.screen().alternate_screen(), "in the background the shell keeps its screen");
    terminal.send("fg\r");
    terminal.wait_text("260325-auth");
    terminal.send("q");
    terminal.wait_for("the shell", |screen| screen.contains("ready>") && !screen.contains("PLAN-SCOPED"));
    terminal.send("exit\r");
    terminal.wait_end();
}

#[test]
fn a_hang_up_ends_it_within_a_second() {
    let dir = project();
    let size = PtySize { rows: 24, cols: 100, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).expect("a pty can be opened");
    let mut command = pty::moorline(&dir.path().join("home"));
    command.cwd(dir.path().join("api"));
    let mut child = pair.slave.spawn_command(command).expect("moorline starts");
    drop(pair.slave);
    // A screen that never comes must fail this test, not hold it up.
    let mut killer = child.clone_killer();
    let (done, waits) = std::sync::mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        if waits.recv_timeout(Duration::from_secs(30)).is_err() {
            let _ = killer.kill();
        }
    });
    let mut reader = pair.master.try_clone_reader().expect("the pty can be read");
    let mut seen = Vec::new();
    let mut buffer = [0; 4096];
    while !String::from_utf8_lossy(&seen).contains("260325-auth") {
        let read = reader.read(&mut buffer).expect("moorline draws");
        seen.extend_from_slice(&buffer[..read]);
    }
    done.send(()).expect("the watch waits");
    watch.join().expect("the watch ends");
    drop((reader, pair.master));
    let hung_up = Instant::now();
    child.wait().expect("the child can be waited for");
    assert!(hung_up.elapsed() < Duration::from_secs(2), "it ended soon: {:?}", hung_up.elapsed());
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
    let (state, _) = app::State::new("/nowhere".into(), None, keymap::Keymap::default(), clock);
    let mut world = terminal::Terminal::take(&examiner).expect("the terminal is ours");
    let theme = theme::Theme { colour: true, glyphs: &theme::UNICODE };
    let beside = std::thread::spawn(|| panic!("the worker fell over"));
    let ended = drive::run(&mut world, state, Vec::new(), theme).expect("the loop ends");
    world.give_back();
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
    terminal.wait_text(".thunderkit");
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
