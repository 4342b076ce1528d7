//! Saves where the system refuses.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::{Command, Stdio};

use super::desk::{Desk, everything};
use super::{WORDS, beside, repository};
use crate::true_project::git::TestRepo;

/// Somebody who is not root.
const OTHER: u32 = 12345;

#[test]
fn a_directory_that_cannot_be_written_is_said_and_the_words_stay() {
    if !rustix::process::getuid().is_root() {
        a_closed_directory(&repository());
        return;
    }
    // Root may write everywhere: this very test runs again as somebody else.
    let repo = repository();
    let program = std::env::current_exe().expect("this test has a path");
    let base = repo.dir().parent().expect("it lies in a directory").to_owned();
    fs::set_permissions(&base, fs::Permissions::from_mode(0o755)).expect("opened for others");
    fs::create_dir_all(beside(repo.dir(), "home")).expect("made");
    own(&base);
    let child = Command::new("setpriv")
        .args([&format!("--reuid={OTHER}"), &format!("--regid={OTHER}"), "--clear-groups"])
        .arg(program)
        .args(["--exact", "faults::child_of_another_person", "--nocapture"])
        .env("MOORLINE_TEST_PROJECT", repo.dir())
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .output();
    match child {
        Ok(output) if output.status.code() != Some(127) => {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.contains("REFUSED"), "{said}\n{error}");
        }
        _ => eprintln!(
            "not tried: root can write everywhere, and there is no setpriv to be somebody else with"
        ),
    }
}

/// Gives everything to the other person.
fn own(path: &Path) {
    chown(path, Some(OTHER), Some(OTHER)).expect("given away");
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("listed") {
            own(&entry.expect("an entry").path());
        }
    }
}

/// What the test above runs as somebody else.
#[test]
fn child_of_another_person() {
    let Some(project) = std::env::var_os("MOORLINE_TEST_PROJECT") else { return };
    closed(Path::new(&project));
    println!("REFUSED");
}

fn a_closed_directory(repo: &TestRepo) {
    closed(repo.dir());
}

fn closed(project: &Path) {
    let handoffs = project.join(".claude/handoffs");
    fs::create_dir_all(&handoffs).expect("made");
    fs::set_permissions(&handoffs, fs::Permissions::from_mode(0o555)).expect("closed");
    let mut desk = Desk::open(project);
    desk.keys("s").keys(WORDS).settle().keys("<ctrl-s>").see("new file").keys("y").see("ermission denied");
    desk.see("Nothing was changed").see("You may not write in").see("save to another place");
    assert!(desk.screen().contains("Then sell"), "the words stay:\n{}", desk.screen());
    assert_eq!(everything(&handoffs).len(), 0, "nothing is left behind");
    fs::set_permissions(&handoffs, fs::Permissions::from_mode(0o755)).expect("opened");
    desk.keys("<ctrl-s>").see("new file").keys("y").see("saved to");
    assert_eq!(everything(&handoffs).len(), 1, "a positive control: once it is open, it is saved");
}

#[test]
fn a_full_disk_is_said_and_neither_the_words_nor_the_old_bytes_are_lost() {
    let repo = repository();
    let full = repo.dir().join("plans");
    fs::create_dir(&full).expect("made");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=16k", "tmpfs"])
        .arg(&full)
        .stderr(Stdio::null())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        eprintln!("not tried: a small file system can only be mounted by root");
        return;
    }
    let _unmount = Unmount(&full);
    let plan = full.join("260901-auth");
    fs::create_dir(&plan).expect("made");
    fs::write(plan.join("plan.md"), "# Plan\n").expect("written");
    let old = "# Handoff\n\n## Next Steps\n1. Old\n";
    fs::write(plan.join("HANDOFF.md"), old).expect("written");
    let mut desk = Desk::open(repo.dir());
    let long = "A decision that was made for a reason.\n".repeat(300);
    desk.keys("s").keys(WORDS).keys("<tab>").paste(&long).settle().keys("<ctrl-s>").see("which are kept");
    desk.keys("y").see("No space left on device").see("There is no room left for it").see("Make room");
    assert_eq!(fs::read_to_string(plan.join("HANDOFF.md")).expect("there"), old, "the old bytes stand");
    assert_eq!(fs::read_dir(&plan).expect("listed").count(), 2, "and no half of the new ones beside them");
    desk.keys("<ctrl-u>Short").settle().keys("<ctrl-s>").see("which are kept").keys("y").see("saved to");
}

/// Unmounts at the end, also of a test that fails.
struct Unmount<'a>(&'a Path);

impl Drop for Unmount<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).stderr(Stdio::null()).status();
    }
}
