//! The watcher of the tests that count what the program asks of the kernel.

#![allow(clippy::print_stdout, reason = "a test that cannot watch says so")]

use std::path::PathBuf;

/// Where `strace` is: the environment that a watched program is given does not lead to it. Where there is none, that is
/// said, and the test proves nothing.
pub fn strace() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join("strace")).find(|path| path.is_file());
    if found.is_none() {
        println!("not run: strace is not on this machine");
    }
    found
}
