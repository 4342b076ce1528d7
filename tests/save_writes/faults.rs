//! Every call of a save that can fail, made to fail by strace, one after the other.

use std::fs;
use std::process::Command;

use super::child::{command, document, target};
use super::{base, leftovers, nobody};

/// Calls that a save makes, each in all its spellings.
const CALLS: [&str; 8] = [
    "openat2",
    "open,openat",
    "write",
    "fsync,fdatasync",
    "rename,renameat,renameat2",
    "chmod,fchmod,fchmodat",
    "mkdir,mkdirat",
    "flock",
];

/// Every way in which each of them is made to fail.
const ERRORS: [&str; 8] = ["ENOSPC", "EIO", "EDQUOT", "EACCES", "EROFS", "EMFILE", "EINTR", "EXDEV"];

/// What a save with one failing call did.
struct Fault {
    hit: bool,
    saved: bool,
    now: Vec<u8>,
    left: usize,
}

/// Runs one save in which the nth call of that name fails. `None` where strace cannot do it here.
fn faulted(call: &str, error: &str, nth: usize) -> Option<Fault> {
    let temp = base();
    let plain = command("save-once", temp.path());
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-o", "trace"]).arg("-e").arg(format!("trace={call}"));
    traced.arg("-e").arg(format!("inject={call}:error={error}:when={nth}"));
    traced.arg(plain.get_program()).args(plain.get_args()).current_dir(temp.path());
    traced.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = traced.output().ok()?;
    let trace = fs::read_to_string(temp.path().join("trace")).ok()?;
    Some(Fault {
        hit: trace.contains("(INJECTED)"),
        saved: String::from_utf8_lossy(&output.stdout).contains("SAVED"),
        now: fs::read(target(temp.path())).expect("the file is there"),
        left: leftovers(temp.path()),
    })
}

/// Lets each of these fail at its every occurrence; gives how often one did, and how often a save was said then.
fn all(faults: &[(&str, &str)]) -> Option<(usize, usize)> {
    let (mut fired, mut saved) = (0, 0);
    for (call, error) in faults {
        for nth in 1..200 {
            let fault = faulted(call, error, nth)?;
            if !fault.hit {
                break;
            }
            fired += 1;
            saved += usize::from(fault.saved);
            let what = format!("{call} number {nth} fails with {error}");
            assert!(fault.now == document(1) || fault.now == document(2), "{what}: old or new bytes");
            assert!(!fault.saved || fault.now == document(2), "{what}: saved is only said of the new bytes");
            // A removal that fails is left to the next save; it is none of the calls that are tried here.
            assert_eq!(fault.left, 0, "{what}: no temporary file stays");
        }
    }
    Some((fired, saved))
}

#[test]
fn every_failing_call_leaves_whole_bytes_and_no_claim() {
    // Each call once, and each error once.
    let few: Vec<_> = CALLS.into_iter().zip(ERRORS).filter(|(call, _)| *call != "open,openat").collect();
    match all(&few) {
        Some((fired, _)) => assert!(fired > 10, "the faults did happen: {fired}"),
        None => eprintln!("not tried: strace is not here"),
    }
    nobody::again(every_failing_call_leaves_whole_bytes_and_no_claim);
}

#[test]
#[ignore = "every call with every error takes minutes"]
fn every_call_with_every_error_leaves_whole_bytes_and_no_claim() {
    let every: Vec<_> = CALLS.iter().flat_map(|&call| ERRORS.map(|error| (call, error))).collect();
    let (fired, saved) = all(&every).expect("strace is here");
    eprintln!("{} kinds of faults, {fired} faults, {saved} saves in spite of one", every.len());
    assert!(fired > 300, "the faults did happen: {fired}");
    nobody::again(every_call_with_every_error_leaves_whole_bytes_and_no_claim);
}
