//! A terminal for tests: a program on a real pty, its bytes, and what a person would see of them.
//!
//! Nothing here sleeps: a wait is a blocking read with a deadline.
#![allow(dead_code, reason = "every test binary compiles this file and each uses another part of it")]

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use std::collections::BTreeMap;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long a screen may take before a test says that it never came. Generous, because machines are shared.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program on a pty.
pub struct Terminal {
    /// The pty's other end, for sizes and raw access.
    pub master: Box<dyn MasterPty + Send>,
    /// How long a screen may take.
    pub patience: Duration,
    /// The program.
    pub child: Box<dyn Child + Send + Sync>,
    writer: Box<dyn Write + Send>,
    chunks: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// Every byte that the program wrote so far.
    pub bytes: Vec<u8>,
}

impl Terminal {
    /// Starts a program on a fresh pty of `rows` × `cols` that answers no query.
    pub fn start(command: CommandBuilder, rows: u16, cols: u16) -> Self {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pty = native_pty_system().openpty(size).expect("a pty can be opened");
        let child = pty.slave.spawn_command(command).expect("the program starts");
        let mut reader = pty.master.try_clone_reader().expect("the pty can be read");
        let (send, chunks) = channel();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(read) = reader.read(&mut buffer) {
                if read == 0 || send.send(buffer[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        let writer = pty.master.take_writer().expect("the pty can be written");
        let screen = vt100::Parser::new(nonzero(rows), nonzero(cols), 0);
        Self { master: pty.master, patience: PATIENCE, child, writer, chunks, screen, bytes: Vec::new() }
    }

    /// Types bytes as they are.
    pub fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).expect("the pty takes keys");
        self.writer.flush().expect("the pty takes keys");
    }

    /// What a person sees now.
    pub fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// The parsed screen, for cells and colours.
    pub fn screen(&self) -> &vt100::Screen {
        self.screen.screen()
    }

    /// Waits until the screen shows what the test looks for.
    ///
    /// # Panics
    /// With the screen as it is, when it does not come within the patience or the program ends before.
    pub fn wait_for(&mut self, what: &str, seen: impl Fn(&str) -> bool) {
        self.wait_until(what, |terminal| seen(&terminal.text()));
    }

    /// The same for a picture that has come whole: each ends by setting all colours and attributes back.
    pub fn wait_for_picture(&mut self, what: &str, seen: impl Fn(&str) -> bool) {
        self.wait_until(what, |terminal| terminal.bytes.ends_with(b"\x1b[0m") && seen(&terminal.text()));
    }

    fn wait_until(&mut self, what: &str, seen: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + self.patience;
        while !seen(self) {
            match self.take(deadline) {
                Ok(()) => {}
                Err(why) => panic!("{what} never came ({why}); the screen is:\n{}", self.text()),
            }
        }
    }

    /// Waits until a text stands on the screen.
    pub fn wait_text(&mut self, text: &str) {
        self.wait_for(&format!("{text:?}"), |screen| screen.contains(text));
    }

    /// Waits until the list is whole and shows this: a key that comes earlier meets the rows that were found so far.
    pub fn wait_listed(&mut self, text: &str) {
        self.wait_for(&format!("{text:?} in the whole list"), |screen| is_listed(screen, text));
    }

    /// Reads until the program has ended and the pty is drained; returns its exit code.
    ///
    /// # Panics
    /// When it does not end within the patience.
    pub fn wait_end(&mut self) -> u32 {
        let deadline = Instant::now() + self.patience;
        loop {
            if let Some(status) = self.child.try_wait().expect("the child can be asked") {
                while self.take(Instant::now() + Duration::from_millis(200)).is_ok() {}
                return status.exit_code();
            }
            if let Err(RecvTimeoutError::Timeout) = self.take(Instant::now() + Duration::from_millis(50)) {
                assert!(
                    Instant::now() < deadline,
                    "the program does not end; the screen is:\n{}",
                    self.text()
                );
            }
        }
    }

    /// Reads for so long whatever comes; the number of bytes that came.
    pub fn listen(&mut self, time: Duration) -> usize {
        let (before, deadline) = (self.bytes.len(), Instant::now() + time);
        while self.take(deadline).is_ok() {}
        self.bytes.len() - before
    }

    fn take(&mut self, deadline: Instant) -> Result<(), RecvTimeoutError> {
        let left = deadline.saturating_duration_since(Instant::now());
        let chunk = self.chunks.recv_timeout(left)?;
        self.screen.process(&chunk);
        self.bytes.extend_from_slice(&chunk);
        Ok(())
    }
}

/// A program on a pty that is read only when a test says so, and that a test can hang up.
pub struct Line {
    /// The program.
    pub child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    reader: Box<dyn Read + Send>,
    screen: vt100::Parser,
}

impl Line {
    /// Starts a program on a fresh pty of `rows` × `cols`.
    pub fn start(command: CommandBuilder, rows: u16, cols: u16) -> Self {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pty = native_pty_system().openpty(size).expect("a pty can be opened");
        let child = pty.slave.spawn_command(command).expect("the program starts");
        let reader = pty.master.try_clone_reader().expect("the pty can be read");
        let writer = pty.master.take_writer().expect("the pty can be written");
        let screen = vt100::Parser::new(nonzero(rows), nonzero(cols), 0);
        Self { child, master: pty.master, writer, reader, screen }
    }

    /// Types bytes as they are.
    pub fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).expect("the pty takes keys");
        self.writer.flush().expect("the pty takes keys");
    }

    /// Reads until a text stands on the screen.
    ///
    /// # Panics
    /// When it never comes: the program is killed then, so that nobody waits for it.
    pub fn wait_text(&mut self, text: &str) {
        self.wait_for(text, |screen| screen.contains(text));
    }

    /// The same once the list is whole.
    pub fn wait_listed(&mut self, text: &str) {
        self.wait_for(text, |screen| is_listed(screen, text));
    }

    fn wait_for(&mut self, what: &str, seen: impl Fn(&str) -> bool) {
        let mut killer = self.child.clone_killer();
        let (done, waits) = channel::<()>();
        let watch = std::thread::spawn(move || {
            if waits.recv_timeout(3 * PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let _ = killer.kill();
            }
        });
        let mut buffer = [0; 4096];
        while !seen(&self.screen.screen().contents()) {
            let read = self.reader.read(&mut buffer).unwrap_or(0);
            assert!(read > 0, "{what:?} never came; the screen is:\n{}", self.screen.screen().contents());
            self.screen.process(&buffer[..read]);
        }
        drop(done);
        watch.join().expect("the watch ends");
    }

    /// What a person saw so far.
    pub fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Hangs the terminal up.
    pub fn hang_up(self) -> Box<dyn Child + Send + Sync> {
        let Self { child, master, writer, reader, .. } = self;
        drop((master, writer, reader));
        child
    }

    /// Waits for the program's end without reading; then what it wrote and nobody read, and how long that took.
    pub fn end_unread(mut self) -> (u32, Vec<u8>, Duration) {
        let begun = Instant::now();
        let code = wait_for_end(&mut *self.child, 3 * PATIENCE).expect("it ends").exit_code();
        let took = begun.elapsed();
        let mut rest = Vec::new();
        // A pty whose program has ended says so with an error.
        let _end = self.reader.read_to_end(&mut rest);
        (code, rest, took)
    }
}

/// Whether moorline's screen shows a text and looks for nothing any more.
fn is_listed(screen: &str, text: &str) -> bool {
    screen.contains(text) && screen.contains("handoff") && !screen.contains("looking …")
}

/// Waits for a program's end, at most so long.
pub fn wait_for_end(
    child: &mut (dyn Child + Send + Sync),
    most: Duration,
) -> Option<portable_pty::ExitStatus> {
    let deadline = Instant::now() + most;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().expect("the child can be asked") {
            return Some(status);
        }
        std::thread::yield_now();
    }
    None
}

/// The private modes that are left otherwise than a terminal begins with, by the last word of a stream about each.
pub fn modes_left(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut last = BTreeMap::new();
    for (at, _) in text.match_indices("\x1b[?") {
        let rest = &text[at + 3..];
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(rest.len());
        if let Some(word @ ("h" | "l")) = rest.get(end..end + 1) {
            rest[..end].split(';').for_each(|mode| drop(last.insert(mode.to_owned(), word.to_owned())));
        }
    }
    let begins_with = |mode: &str| if matches!(mode, "25" | "7") { "h" } else { "l" };
    last.into_iter()
        .filter(|(mode, word)| word != begins_with(mode))
        .map(|(mode, word)| mode + &word)
        .collect()
}

/// A program under a shell that prints the terminal's attributes before and after, and the exit code.
pub fn between_two_looks(
    cwd: &std::path::Path,
    program: &std::path::Path,
    arguments: &[&str],
) -> CommandBuilder {
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", "stty -g; \"$0\" \"$@\"; echo code=$?; stty -g; echo looked"]);
    command.arg(program);
    command.args(arguments);
    command.env_clear();
    for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("PATH", "/usr/bin:/bin")] {
        command.env(name, value);
    }
    command.cwd(cwd);
    command
}

/// Whether a process is stopped.
pub fn is_stopped(pid: rustix::process::Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).expect("it is there");
    stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('T'))
}

/// Waits until a process is stopped.
pub fn wait_until_stopped(pid: rustix::process::Pid) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_stopped(pid) {
        assert!(Instant::now() < deadline, "it stops with its child");
        std::thread::yield_now();
    }
}

/// A shell with job control, whose prompt is `ready> `.
pub fn shell_with_jobs(cwd: &std::path::Path) -> CommandBuilder {
    let mut command = CommandBuilder::new("/bin/bash");
    command.args(["--norc", "--noprofile", "-i"]);
    command.env_clear();
    for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("PATH", "/usr/bin:/bin")] {
        command.env(name, value);
    }
    command.env("PS1", "ready> ");
    command.cwd(cwd);
    command
}

/// The process id of the shell's one child.
pub fn child_of_the_shell(terminal: &Terminal) -> rustix::process::Pid {
    let shell = terminal.child.process_id().expect("the shell has an id");
    let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children"))
        .expect("procfs lists children");
    let id = children.split_whitespace().next().and_then(|id| id.parse().ok()).expect("it runs");
    rustix::process::Pid::from_raw(id).expect("an id is not zero")
}

/// The terminal's attributes as the shell printed them, once for each look.
pub fn looks(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.matches(':').count() > 20).map(str::trim).collect()
}

/// Says what the shell saw: the exit code, once both looks were the same and every mode was undone.
pub fn code_and_terminal_as_it_was(terminal: &mut Terminal) -> String {
    terminal.wait_text("looked");
    let text = terminal.text();
    let looks = looks(&text);
    assert_eq!(looks.len(), 2, "the shell looked twice:\n{text}");
    assert_eq!(looks[0], looks[1], "the terminal's attributes are as they were");
    assert!(!terminal.screen().alternate_screen(), "the alternate screen is left");
    assert!(!terminal.screen().hide_cursor(), "the cursor is shown");
    assert!(!terminal.screen().bracketed_paste(), "pastes are no longer bracketed");
    assert_eq!(modes_left(&terminal.bytes), Vec::<String>::new(), "no other mode is left either");
    assert_eq!(
        modes_left(b"\x1b[?1003h\x1b[?25l\x1b[?25h"),
        ["1003h"],
        "a positive control: one left would be seen"
    );
    let code = text.lines().find_map(|line| line.split("code=").nth(1)).expect("the exit code was printed");
    code.trim().to_owned()
}

/// moorline itself with an environment of nothing but a terminal, a home directory and a `PATH`.
pub fn moorline(home: &std::path::Path) -> CommandBuilder {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_moorline"));
    command.env_clear();
    command.env("TERM", "xterm-256color");
    command.env("LANG", "C.UTF-8");
    command.env("HOME", home);
    command.env("PATH", "/usr/bin:/bin");
    command
}

fn nonzero(n: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(n).expect("a terminal has rows and columns")
}
