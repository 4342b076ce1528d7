//! Opens moorline on a pty and waits until it shows what is asked for.

use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// Time from exec to a screen whose every list line shows a row, in a terminal of 120×30 that answers nothing.
pub fn first_full_screen(moorline: &str, project: &Path, home: &Path) -> Duration {
    let start = Instant::now();
    let mut desk = Desk::open(moorline, project, home);
    desk.until(|screen| {
        let rows = screen.lines().filter(|line| line.chars().take(40).any(char::is_alphanumeric)).count();
        rows >= 27
    });
    start.elapsed()
}

/// Time from the key that asks for earlier versions of the selected handoff to the first of them on the screen, with
/// what changed since; and to the moment when all are counted, `count` of them.
pub fn first_version(moorline: &str, project: &Path, home: &Path, count: usize) -> (Duration, Duration) {
    let mut desk = Desk::open(moorline, project, home);
    desk.until(|screen| screen.contains("SESSION_HANDOFF") && !screen.contains("…  "));
    let start = Instant::now();
    desk.keys.write_all(b"d").expect("keys can be sent");
    desk.until(|screen| screen.contains("Version 1 of") && screen.contains("- - [ ] Look into station"));
    let first = start.elapsed();
    let all = format!("Version 1 of {count} against");
    desk.until(|screen| screen.contains(&all));
    (first, start.elapsed())
}

/// moorline on a pty.
struct Desk {
    child: Box<dyn portable_pty::Child + Send + Sync>,
    reader: Box<dyn Read + Send>,
    keys: Box<dyn Write + Send>,
    screen: vt100::Parser,
    // Closing it would end the program.
    _pty: Box<dyn portable_pty::MasterPty + Send>,
}

impl Desk {
    fn open(moorline: &str, project: &Path, home: &Path) -> Self {
        let size = PtySize { rows: 30, cols: 120, pixel_width: 0, pixel_height: 0 };
        let pty = native_pty_system().openpty(size).expect("a pty can be opened");
        let mut command = CommandBuilder::new(moorline);
        command.env_clear();
        for (name, value) in [
            ("TERM", "xterm-256color".as_ref()),
            ("HOME", home.as_os_str()),
            ("PATH", "/usr/bin:/bin".as_ref()),
        ] {
            command.env(name, value);
        }
        command.arg("-C");
        command.arg(project);
        let reader = pty.master.try_clone_reader().expect("the pty can be read");
        let keys = pty.master.take_writer().expect("keys can be sent");
        let child = pty.slave.spawn_command(command).expect("moorline starts");
        let screen = vt100::Parser::new(nonzero(30), nonzero(120), 0);
        Self { child, reader, keys, screen, _pty: pty.master }
    }

    /// Reads what is printed until the screen is as wanted, or the program has ended.
    fn until(&mut self, is_wanted: impl Fn(&str) -> bool) {
        let mut buffer = [0; 65536];
        while !is_wanted(&self.screen.screen().contents()) {
            match self.reader.read(&mut buffer) {
                Ok(0) | Err(_) => return,
                Ok(read) => self.screen.process(&buffer[..read]),
            }
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _waited = self.child.wait();
    }
}

fn nonzero(n: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(n).expect("a terminal has rows and columns")
}
