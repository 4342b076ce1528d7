//! What the child processes of these tests do: this very test program, started again with a task in its
//! environment. Killed, held up or lied to by the system, it must leave a whole file.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use moorline::save::file::{self, Around, NotWritten, Written};

use super::nobody;

/// The environment variable that names a child's task.
const TASK: &str = "SAVE_WRITES_TASK";

/// A document that cannot be half of another: 400 lines of its own number.
pub fn document(number: usize) -> Vec<u8> {
    format!("document {number:08} says nothing but its number, on every line\n").repeat(400).into_bytes()
}

/// Whether these bytes are one whole document.
pub fn is_whole(bytes: &[u8]) -> bool {
    let number = bytes.get(9..17).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
    number.is_some_and(|number| bytes == document(number))
}

/// This test program, to be started on a task in a directory.
pub fn command(task: &str, dir: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a test knows its program"));
    command.args(["--exact", "child::works", "--nocapture", "--ignored", "--test-threads=1"]);
    command.env(TASK, task).current_dir(dir);
    command
}

/// Who saves on a file system that only root can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saver {
    /// Whoever runs the test.
    Oneself,
    /// Somebody without privileges.
    Nobody,
}

impl Saver {
    /// One after the other.
    pub const BOTH: [Self; 2] = [Self::Oneself, Self::Nobody];

    /// Lets them have everything in a directory.
    pub fn own(self, dir: &Path) {
        if self == Self::Nobody && nobody::is_root() {
            fs::set_permissions(dir, fs::Permissions::from_mode(0o755)).expect("opened");
            nobody::give(dir);
        }
    }

    /// One save of theirs; gives what was said.
    pub fn save_once(self, dir: &Path) -> String {
        let mut plain = command("save-once", dir);
        if self == Self::Nobody && nobody::is_root() {
            let mut near = Command::new(nobody::near(dir, Path::new(plain.get_program())));
            near.args(plain.get_args()).current_dir(dir);
            near.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
            nobody::as_nobody(&mut near);
            plain = near;
        }
        String::from_utf8_lossy(&plain.output().expect("started").stdout).into_owned()
    }
}

/// Saves `target` in the current directory, in which home and state lie as well.
fn save(base: &Path, bytes: &[u8], last_read: Option<&[u8]>) -> Result<Written, NotWritten> {
    let around = Around {
        state: base.join("state"),
        home: base.join("home"),
        project: base.join("project"),
        now: chrono::DateTime::UNIX_EPOCH.fixed_offset(),
    };
    file::write(&around, &base.join("project"), &target(base), bytes, last_read, None)
}

/// The file that everything is about.
pub fn target(base: &Path) -> PathBuf {
    base.join("project/plans/a/HANDOFF.md")
}

#[test]
#[ignore = "is the child of other tests"]
fn works() {
    let Ok(task) = std::env::var(TASK) else { return };
    let base = std::env::current_dir().expect("it has a directory");
    match task.as_str() {
        "save-for-ever" => for_ever(&base, |bytes, old| drop(save(&base, bytes, Some(old)).expect("saved"))),
        "naive-for-ever" => naive_for_ever(&target(&base)),
        "save-once" => {
            let old = fs::read(target(&base)).expect("read");
            match save(&base, &document(2), Some(&old)) {
                Ok(_) => say("SAVED"),
                Err(why) => say(&format!("REFUSED {why}")),
            }
        }
        "naive-once" => {
            naive(&target(&base), &document(2));
            say("SAVED");
        }
        name => add_lines(&base, name),
    }
}

/// A line for the parent.
fn say(line: &str) {
    let mut out = std::io::stdout();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("somebody listens");
}

/// One save after the other; says when the first one is over.
fn for_ever(base: &Path, save: impl Fn(&[u8], &[u8])) {
    for number in 2.. {
        let old = fs::read(target(base)).expect("read");
        save(&document(number), &old);
        if number == 2 {
            say("READY");
        }
    }
}

/// How a file is written by somebody who did not think about it.
fn naive(path: &Path, bytes: &[u8]) {
    naive_with(path, bytes, || ());
}

/// The same, with something to be done half way.
fn naive_with(path: &Path, bytes: &[u8], half_way: impl FnOnce()) {
    let mut file = fs::File::create(path).expect("created");
    let mut write = |bytes: &[u8]| bytes.chunks(2).for_each(|part| file.write_all(part).expect("written"));
    let (first, second) = bytes.split_at(bytes.len() / 2);
    write(first);
    half_way();
    write(second);
}

/// One naive write after the other. That it is at work is said half way: on a busy machine a writer that says so between
/// two files is often not given the time to begin the next one.
fn naive_for_ever(path: &Path) {
    naive(path, &document(2));
    naive_with(path, &document(3), || say("READY"));
    for number in 4.. {
        naive(path, &document(number));
    }
}

/// Adds lines of its own, as many as its name ends with, each in a save of its own, and tries again whenever it is
/// told of another.
fn add_lines(base: &Path, name: &str) {
    let mut told = 0;
    let count = name.split('-').next_back().and_then(|count| count.parse().ok()).expect("how many");
    for number in 0..count {
        loop {
            let old = fs::read(target(base)).expect("read");
            let line = format!("{name} {number}\n");
            match save(base, &[old.as_slice(), line.as_bytes()].concat(), Some(&old)) {
                Ok(_) => break,
                Err(NotWritten::Busy(_) | NotWritten::Changed { .. }) => told += 1,
                Err(why) => panic!("refused for another reason: {why}"),
            }
            std::thread::yield_now();
        }
    }
    say(&format!("TOLD {told}"));
}
