//! Somebody without privileges: root may do everything, and would not meet half of the rules.

#![allow(dead_code, reason = "each test program asks for something else")]
#![allow(clippy::print_stderr, reason = "a test says what it did as somebody else")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Who is nobody on every machine.
pub const NOBODY: u32 = 12_345;

/// Whether this test may do everything.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Runs this very test of the program once more as nobody, who must pass it as well. A test that nobody binds already
/// has nothing more to try.
pub fn again<T: Fn()>(test: T) {
    // The path of the test in its program is that of the function without the name of the program.
    let (_, name) = path_of(&test).split_once("::").expect("a test lies in a program");
    if !is_root() {
        return;
    }
    let temp = tempfile::tempdir().expect("a directory");
    let mut child =
        Command::new(near(temp.path(), &std::env::current_exe().expect("a test knows its program")));
    give(temp.path());
    fs::set_permissions(temp.path(), fs::Permissions::from_mode(0o755)).expect("its own directory");
    child.args(["--exact", name, "--include-ignored", "--nocapture"]).current_dir(temp.path());
    child.env("TMPDIR", temp.path()).env("HOME", temp.path().join("home"));
    let output = as_nobody(&mut child).output().expect("it runs");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    eprintln!("as user {NOBODY}:\n{said}");
    assert!(output.status.success() && said.contains("1 passed"), "{name} as user {NOBODY}: {said}");
}

fn path_of<T>(_: &T) -> &'static str {
    std::any::type_name::<T>()
}

/// The command, to be run as nobody and in none of root's groups.
pub fn as_nobody(command: &mut Command) -> &mut Command {
    command.uid(NOBODY).gid(NOBODY)
}

/// A program where nobody can reach it, whoever may enter the directory that it was built in. It is never given away:
/// it can be the program itself under another name.
pub fn near(dir: &Path, program: &Path) -> PathBuf {
    let near = dir.join("program");
    let _there = fs::remove_file(&near);
    fs::hard_link(program, &near).or_else(|_| fs::copy(program, &near).map(drop)).expect("near");
    near
}

/// Gives nobody everything in a directory that they may have; never a [`near`] program.
pub fn give(path: &Path) {
    if path.is_symlink() || path.is_file() && path.ends_with("program") {
        return;
    }
    chown(path, Some(NOBODY), Some(NOBODY)).expect("given away");
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("listed") {
            give(&entry.expect("an entry").path());
        }
    }
}
