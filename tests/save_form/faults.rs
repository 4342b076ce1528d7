//! Saves where the system refuses.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use super::desk::{Desk, everything};
use super::{WORDS, nobody, repository};

#[test]
fn a_directory_that_cannot_be_written_is_said_and_the_words_stay() {
    if nobody::is_root() {
        // Root may write everywhere.
        nobody::again(a_directory_that_cannot_be_written_is_said_and_the_words_stay);
        return;
    }
    let repo = repository();
    let handoffs = repo.dir().join(".claude/handoffs");
    fs::create_dir_all(&handoffs).expect("made");
    fs::set_permissions(&handoffs, fs::Permissions::from_mode(0o555)).expect("closed");
    let mut desk = Desk::open(repo.dir());
    desk.keys("s").keys(WORDS).settle().keys("<ctrl-s>").see("new file").keys("y").see("ermission denied");
    // Where a line of the notice ends depends on the length of the path in it.
    let screen = desk.screen().replace('│', " ");
    let said = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in ["Nothing was changed.", "You may not write in", "or save to another place."] {
        assert!(said.contains(sentence), "{sentence:?} is said:\n{}", desk.screen());
    }
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
