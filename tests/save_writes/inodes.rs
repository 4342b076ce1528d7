//! An ext4 file system on which there is room for bytes and none for another file.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::child::{Saver, document, target};
use super::{base, leftovers};

/// Inodes of the file system, besides those that it keeps for itself.
const INODES: usize = 128;

/// A file system in a file, unmounted at the end.
struct Loop<'a>(&'a Path);

impl<'a> Loop<'a> {
    /// `None` where none can be made or mounted here.
    fn mount(image: &Path, at: &'a Path) -> Option<Self> {
        fs::write(image, "").ok()?;
        fs::OpenOptions::new().write(true).open(image).and_then(|file| file.set_len(8 << 20)).ok()?;
        let quiet = |command: &mut Command| {
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success()).then_some(())
        };
        quiet(Command::new("mkfs.ext4").args(["-q", "-N", &INODES.to_string()]).arg(image))?;
        quiet(Command::new("mount").args(["-o", "loop"]).arg(image).arg(at))?;
        Some(Self(at))
    }
}

impl Drop for Loop<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).stderr(Stdio::null()).status();
    }
}

/// Saves with so many inodes left; says whether it was saved. `None` where that cannot be tried here.
fn saved_with(free: u64, saver: Saver) -> Option<bool> {
    let temp = base();
    let project = temp.path().join("project");
    let _mounted = Loop::mount(&temp.path().join("image"), &project)?;
    fs::create_dir_all(target(temp.path()).parent().expect("it has a directory")).expect("made");
    fs::write(target(temp.path()), document(1)).expect("written");
    let left = || rustix::fs::statvfs(&project).expect("told").f_favail;
    for number in 0.. {
        if left() <= free {
            break;
        }
        fs::write(project.join(format!("filler-{number}")), "").expect("there is room for it");
    }
    assert_eq!(left(), free, "so many are left");
    saver.own(temp.path());
    let said = saver.save_once(temp.path());
    let now = fs::read(target(temp.path())).expect("the file is there");
    let saved = said.contains("SAVED");
    assert!(saved || said.contains("No space left on device"), "{free} left: the reason is said: {said}");
    assert_eq!(now, document(if saved { 2 } else { 1 }), "{free} left: saved is only said of the new bytes");
    assert_eq!(leftovers(temp.path()), 0, "{free} left: and nothing lies beside them");
    Some(saved)
}

#[test]
fn without_an_inode_for_it_nothing_is_saved_and_nothing_is_lost() {
    for saver in Saver::BOTH {
        match saved_with(0, saver) {
            Some(saved) => assert!(!saved, "{saver:?}: there is room for bytes, and none for a file"),
            None => return eprintln!("not tried: a file system in a file can only be mounted by root"),
        }
        assert_eq!(saved_with(1, saver), Some(true), "{saver:?}: the control: one is enough");
    }
}
