//! Opens moorline on a pty and waits until its list is full.

use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

/// Time from exec to a screen whose every list line shows a row, in a terminal of 120×30 that answers nothing.
pub fn first_full_screen(moorline: &str, project: &Path, home: &Path) -> Duration {
    let size = PtySize { rows: 30, cols: 120, pixel_width: 0, pixel_height: 0 };
    let pty = native_pty_system().openpty(size).expect("a pty can be opened");
    let mut command = CommandBuilder::new(moorline);
    command.env_clear();
    for (name, value) in
        [("TERM", "xterm-256color".as_ref()), ("HOME", home.as_os_str()), ("PATH", "/usr/bin:/bin".as_ref())]
    {
        command.env(name, value);
    }
    command.arg("-C");
    command.arg(project);
    let mut reader = pty.master.try_clone_reader().expect("the pty can be read");
    let start = Instant::now();
    let mut child = pty.slave.spawn_command(command).expect("moorline starts");
    let mut screen = vt100::Parser::new(nonzero(30), nonzero(120), 0);
    let mut buffer = [0; 65536];
    let full = loop {
        let read = reader.read(&mut buffer).unwrap_or(0);
        screen.process(&buffer[..read]);
        let rows = screen
            .screen()
            .contents()
            .lines()
            .filter(|line| line.chars().take(40).any(char::is_alphanumeric))
            .count();
        if read == 0 || rows >= 27 {
            break start.elapsed();
        }
    };
    let _ended = child.kill();
    let _waited = child.wait();
    full
}

fn nonzero(n: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(n).expect("a terminal has rows and columns")
}
