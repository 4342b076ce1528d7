//! A capture that is killed leaves the last good snapshot, and every snapshot that can be seen is whole.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use moorline::handoff::Digest;
use serde_json::json;

use super::{Bench, command};

/// The environment variable that tells this test program to capture naively.
const TASK: &str = "SNAPSHOT_NAIVE_STORE";

/// What a round is about: bytes that no other round has, in enough files that a kill falls between them.
fn change(bench: &Bench, round: usize) {
    for number in 0..8 {
        bench
            .repo
            .write(&format!("docs/{number}.md"), &format!("round {round}, file {number}\n").repeat(200));
    }
}

/// Kills a capture at a random moment, again and again; gives how often it was over before, and how many snapshots
/// are there in the end. The moments depend on `seed` alone.
fn kills(rounds: usize, seed: u64) -> (usize, usize) {
    let bench = Bench::with_docs();
    change(&bench, 0);
    let begun = Instant::now();
    let last = bench.captured(&["--include-history", "--history-ref", "main"]);
    let whole_run = begun.elapsed();
    let good = last["id"].as_str().expect("an id").to_owned();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64.wrapping_add(seed);
    let (mut seen, mut over) = (1, 0);
    for round in 1..=rounds {
        change(&bench, round);
        let mut words = bench.words();
        words.extend(["--approve", "--include-history", "--history-ref", "main"].map(str::to_owned));
        let mut child = command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The moment of the kill is what is tried here; nothing waits for anything.
        std::thread::sleep(Duration::from_micros(
            (random >> 33) % u64::try_from(whole_run.as_micros()).expect("short"),
        ));
        child.kill().expect("killed");
        over += usize::from(child.wait().expect("waited for").success());
        let verified = bench.open().verify(None).expect("verified");
        assert!(
            verified.problems.is_empty(),
            "round {round}: nothing in the store is torn: {:?}",
            verified.problems
        );
        assert!(verified.snapshots.iter().all(|(_, whole)| *whole), "round {round}: every snapshot is whole");
        assert!(
            verified.snapshots.iter().any(|(id, _)| id.as_str() == good),
            "round {round}: the last good one is there"
        );
        assert!(verified.snapshots.len() >= seen, "round {round}: none that was there is gone");
        seen = verified.snapshots.len();
    }
    bench.captured(&["--include-history", "--history-ref", "main"]);
    assert_eq!(
        fs::read_dir(bench.store.join("incoming")).expect("listed").count(),
        0,
        "what was left is swept"
    );
    (over, seen)
}

#[test]
fn a_killed_capture_leaves_the_last_good_snapshot() {
    let (over, seen) = kills(30, 0);
    assert!(over < 30, "some were killed before they were over: {over}, {seen} snapshots");
}

#[test]
#[ignore = "a thousand kills take minutes"]
fn a_thousand_killed_captures_leave_the_last_good_snapshot() {
    // A new store after every hundred: all of it is verified after each kill.
    let (over, seen) =
        (1..=10).map(|seed| kills(100, seed)).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    eprintln!("1,000 kills: {over} were over before, {seen} snapshots in the stores, none torn");
    assert!(over < 900, "most were killed before they were over: {over}");
}

/// How a store is written by somebody who did not think about it: the promise first, files in place.
fn naive(store: &Path) {
    for round in 0_u32.. {
        let files: Vec<_> = (0..8).map(|n| format!("round {round}, file {n}\n").repeat(200)).collect();
        let listed: Vec<_> = files
            .iter()
            .enumerate()
            .map(|(n, text)| {
                json!({"path": format!("docs/{n}.md"), "mode": "0644", "size": text.len(),
                    "sha256": Digest::of(text.as_bytes()).as_str()})
            })
            .collect();
        let manifest = json!({"schema_version": 1, "identity": "kiln", "scope": "project",
            "created_at": "2026-11-30T10:00:00Z", "project_root": "/x", "sources": ["docs"], "files": listed,
            "omissions": [], "context": null, "history": {"status": "not_requested"}})
        .to_string();
        let place = |dir: &str, name: &str, text: &str| {
            fs::create_dir_all(store.join(dir)).expect("made");
            let mut file = fs::File::create(store.join(dir).join(name)).expect("made");
            text.as_bytes()
                .chunks(512)
                .for_each(|part| std::io::Write::write_all(&mut file, part).expect("written"));
        };
        place("snapshots", &format!("{}.json", Digest::of(manifest.as_bytes())), &manifest);
        for text in files {
            let digest = Digest::of(text.as_bytes()).to_string();
            place(&format!("objects/{}", &digest[..2]), &digest[2..], &text);
        }
    }
}

#[test]
#[ignore = "is the child of another test"]
fn captures_naively() {
    if let Some(store) = std::env::var_os(TASK) {
        naive(Path::new(&store));
    }
}

#[test]
fn the_same_kills_tear_a_naive_store() {
    let mut torn = 0;
    for round in 0..20_u64 {
        let temp = tempfile::tempdir().expect("a directory");
        let mut child = Command::new(std::env::current_exe().expect("a test knows its program"));
        child
            .args(["--exact", "kills::captures_naively", "--ignored", "--test-threads=1"])
            .env(TASK, temp.path());
        let mut child = child.stdout(Stdio::null()).spawn().expect("started");
        while !temp.path().join("objects").exists() {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_micros(137 * round));
        child.kill().expect("killed");
        child.wait().expect("waited for");
        let store = moorline::snapshot::Store::open(temp.path()).expect("opened");
        torn += usize::from(!store.verify(None).expect("verified").problems.is_empty());
    }
    assert!(torn >= 15, "verify does see what a kill can tear: {torn} of 20");
}
