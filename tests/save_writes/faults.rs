//! Every call of a save that can fail, made to fail by strace, one after the other.

use std::fs;
use std::process::Command;

use super::child::{command, document, target};
use super::{base, leftovers};

/// Runs one save with the nth call of that name failing; gives whether it said that it saved, what the file holds,
/// and how many temporary files are left. `None` where strace cannot do it here.
fn faulted(call: &str, error: &str, nth: usize) -> Option<(bool, Vec<u8>, usize, bool)> {
    let temp = base();
    let plain = command("save-once", temp.path());
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-o", "trace"]).arg("-e").arg(format!("trace={call}"));
    traced.arg("-e").arg(format!("inject={call}:error={error}:when={nth}"));
    traced.arg(plain.get_program()).args(plain.get_args()).current_dir(temp.path());
    traced.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = traced.output().ok()?;
    let trace = fs::read_to_string(temp.path().join("trace")).ok()?;
    let hit = trace.contains("(INJECTED)");
    let saved = String::from_utf8_lossy(&output.stdout).contains("SAVED");
    Some((saved, fs::read(target(temp.path())).expect("the file is there"), leftovers(temp.path()), hit))
}

#[test]
fn every_failing_call_leaves_whole_bytes_and_no_claim() {
    let calls = [
        ("fsync", "EIO"),
        ("fsync", "ENOSPC"),
        ("rename,renameat,renameat2", "EIO"),
        ("rename,renameat,renameat2", "EXDEV"),
        ("mkdir,mkdirat", "EROFS"),
        ("fchmod", "EPERM"),
        ("write", "ENOSPC"),
        ("write", "EDQUOT"),
        ("openat2", "EMFILE"),
        ("openat2", "EACCES"),
        ("flock", "EIO"),
    ];
    let mut fired = 0;
    for (call, error) in calls {
        for nth in 1..40 {
            let Some((saved, now, left, hit)) = faulted(call, error, nth) else {
                eprintln!("not tried: strace is not here");
                return;
            };
            if !hit {
                break;
            }
            fired += 1;
            let what = format!("{call} number {nth} fails with {error}");
            assert!(now == document(1) || now == document(2), "{what}: old or new bytes");
            assert!(!saved || now == document(2), "{what}: saved is only said of the new bytes");
            assert_eq!(left, 0, "{what}: no temporary file stays");
        }
    }
    assert!(fired > 20, "the faults did happen: {fired}");
}
