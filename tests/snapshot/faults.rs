//! Captures that the system stops, captures at the same time, and repositories that would like to be run.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};

use super::{Bench, code, command, everything, said};

/// Runs a capture with the nth call of that name failing; `None` where strace is not here.
fn faulted(bench: &Bench, call: &str, error: &str, nth: usize) -> Option<(bool, bool)> {
    let trace = bench.repo.beside("trace");
    let mut words = bench.words();
    words.extend(["--approve", "--include-history", "--history-ref", "main"].map(str::to_owned));
    let plain = command(&words);
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-o"]).arg(&trace).arg("-e").arg(format!("trace={call}"));
    traced.arg("-e").arg(format!("inject={call}:error={error}:when={nth}"));
    traced.arg(plain.get_program()).args(plain.get_args()).current_dir("/");
    let output = traced.env("HOME", "/nonexistent").output().ok()?;
    let hit = fs::read_to_string(&trace).ok()?.contains("(INJECTED)");
    Some((output.status.code() == Some(0), hit))
}

#[test]
fn every_failing_call_leaves_a_whole_store_and_no_claim() {
    let calls = [
        ("fsync", "EIO", 1),
        ("renameat2", "EIO", 1),
        ("mkdirat", "ENOSPC", 1),
        ("flock", "EIO", 1),
        ("write", "ENOSPC", 2),
        ("openat2", "EMFILE", 4),
    ];
    let bench = Bench::with_docs();
    bench.captured(&["--include-history", "--history-ref", "main"]);
    let mut fired = 0;
    for (call, error, step) in calls {
        for nth in (1..60).step_by(step) {
            bench.repo.write("docs/a.md", &format!("{call} {nth}\n"));
            let before = bench.open().contents(None).expect("listed").snapshots;
            let Some((said_yes, hit)) = faulted(&bench, call, error, nth) else {
                eprintln!("not tried: strace is not here");
                return;
            };
            if !hit {
                break;
            }
            fired += 1;
            let what = format!("{call} number {nth} fails with {error}");
            let verified = bench.open().verify(None).expect("verified");
            assert!(verified.problems.is_empty(), "{what}: nothing is torn: {:?}", verified.problems);
            let after = bench.open().contents(None).expect("listed").snapshots;
            assert!(before.iter().all(|old| after.contains(old)), "{what}: every older snapshot is there");
            assert!(
                !said_yes || after.len() > before.len(),
                "{what}: captured is only said of what is there"
            );
        }
    }
    assert!(fired > 20, "the faults did happen: {fired}");
}

#[test]
fn captures_at_the_same_time_lose_nothing() {
    let bench = Bench::with_docs();
    // Each with a state directory of its own, so that no lock keeps them apart.
    let children: Vec<_> = (0..6)
        .map(|number| {
            let state = bench.repo.beside(&format!("state-{number}"));
            fs::create_dir(&state).expect("made");
            fs::set_permissions(&state, fs::Permissions::from_mode(0o700)).expect("narrowed");
            let mut words = bench.words();
            let own = bench.state.display().to_string();
            for word in &mut words {
                if *word == own {
                    *word = state.display().to_string();
                }
                if word == "kiln" {
                    *word = format!("kiln {number}");
                }
            }
            words.extend(["--approve", "--include-history", "--history-ref", "main"].map(str::to_owned));
            command(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("started")
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().expect("waited for");
        assert_eq!(code(&output), 0, "each of them captures: {}", said(&output));
    }
    let verified = bench.open().verify(None).expect("verified");
    assert!(verified.problems.is_empty(), "all of it is whole: {:?}", verified.problems);
    assert_eq!(verified.snapshots.len(), 6, "and each has its snapshot");
    assert_eq!(verified.objects, 2, "of the same two objects: a file and a history");
}

#[test]
fn nothing_that_a_repository_names_is_run() {
    let bench = Bench::with_docs();
    let canary = bench.repo.beside("sang");
    let program = bench.repo.beside("canary");
    fs::write(&program, format!("#!/bin/sh\ntouch '{}'\ncat\n", canary.display())).expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("executable");
    let program = program.display().to_string();
    for key in [
        "core.fsmonitor",
        "filter.x.clean",
        "filter.x.smudge",
        "diff.x.textconv",
        "core.pager",
        "core.sshCommand",
    ] {
        bench.repo.git(&["config", key, &program]);
    }
    bench.repo.write(".gitattributes", "* filter=x diff=x\n");
    bench.repo.write("docs/a.md", "changed, so that a filter would run\n");
    for hook in ["post-index-change", "pre-commit", "reference-transaction", "post-checkout"] {
        let path = bench.repo.dir().join(".git/hooks").join(hook);
        super::git::write(&path, format!("#!/bin/sh\ntouch '{}'\n", canary.display()));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    }
    bench.captured(&["--include-history", "--history-ref", "main"]);
    let id = bench.newest().id.to_string();
    let to = bench.repo.beside("out").display().to_string();
    assert_eq!(
        code(&bench.ask("load", &[&id, "--identity", "kiln", "--to", &to])),
        0,
        "it is given back, too"
    );
    assert_eq!(code(&bench.ask("verify", &[])), 0, "and verified");
    assert!(!canary.exists(), "and no program of the repository was run");
    bench.repo.git(&["add", "docs/a.md"]);
    assert!(canary.exists(), "git itself does run it: the control");
}

#[test]
fn a_full_disk_keeps_the_last_good_snapshot() {
    let bench = Bench::with_docs();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs"])
        .arg(&bench.store)
        .stderr(Stdio::null())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        eprintln!("not tried: a small file system can only be mounted by root");
        return;
    }
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        bench.captured(&[]);
        let good = bench.newest();
        let kept = everything(&bench.store.join("snapshots"));
        bench.repo.write("docs/large.md", &"not every line is another one\n".repeat(20_000));
        let output = bench.capture(&[]);
        assert_eq!(code(&output), 1, "what does not fit is not captured: {}", said(&output));
        assert_eq!(everything(&bench.store.join("snapshots")), kept, "no manifest promises it");
        let verified = bench.open().verify(None).expect("verified");
        assert!(verified.problems.is_empty(), "nothing is torn: {:?}", verified.problems);
        assert_eq!(bench.newest(), good, "the last good snapshot is the newest one");
        fs::remove_file(bench.repo.dir().join("docs/large.md")).expect("removed");
        bench.captured(&[]);
    }));
    drop(Command::new("umount").arg(&bench.store).status());
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
}
