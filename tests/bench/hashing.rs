//! How fast bytes are compared with pins, against `openssl` on one core and against itself on two threads.
//!
//! `cargo bench --bench hashing` writes 2 GiB and 5,000 files of 256 KiB into a temporary directory and prints one line
//! per figure: the median of paired runs. Nothing is asserted here: a clock is no test.
#![allow(clippy::print_stdout, reason = "a benchmark speaks by printing")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use moorline::policy::provenance::Installed as _;
use moorline::policy::read::PeerRoot;

const RUNS: usize = 7;
const ARTIFACT: usize = 2 << 30;
const FILES: usize = 5_000;
const FILE: usize = 256 << 10;

fn main() {
    let dir = tempfile::tempdir().expect("a temporary directory can be made");
    artifact(&dir.path().join("artifact"));
    companions(&dir.path().join("peer"));
}

/// One artifact of 2 GiB on one core, against `openssl dgst -sha256`.
fn artifact(path: &Path) {
    let block = noise(1 << 20, 1);
    let mut file = std::fs::File::create(path).expect("a file can be made");
    for _ in 0..ARTIFACT / block.len() {
        file.write_all(&block).expect("the disk holds 2 GiB");
    }
    let own = || drop(moorline::disk::digest(path).expect("the artifact can be read"));
    let openssl = || {
        let mut command = Command::new("openssl");
        command.args(["dgst", "-sha256"]).arg(path).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !openssl() {
        println!("artifact: not measured, openssl is not on this machine");
        return;
    }
    let rows = pairs(own, || assert!(openssl(), "it ran a moment ago"));
    // How fast we are, as a share of how fast openssl is.
    say("2 GiB on one core", rows, "moorline", "openssl dgst -sha256");
    std::fs::remove_file(path).expect("the artifact can be removed");
}

/// 5,000 companions of 256 KiB, on two threads against one.
fn companions(root: &Path) {
    std::fs::create_dir_all(root.join("files")).expect("directories can be made");
    let paths: Vec<String> = (0..FILES).map(|n| format!("files/{n}.md")).collect();
    for (n, path) in paths.iter().enumerate() {
        std::fs::write(root.join(path), noise(FILE, n as u64 + 2)).expect("a file can be written");
    }
    let peer = PeerRoot::open(root).expect("the root can be opened");
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    let pool = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be made");
        let (peer, names) = (&peer, &names);
        move || {
            let digests = pool.install(|| peer.digests(names));
            assert!(digests.iter().all(Result::is_ok), "every file was hashed");
        }
    };
    say("5,000 x 256 KiB", pairs(pool(2), pool(1)), "two threads", "one thread");
}

/// Bytes that no two files share.
fn noise(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    (0..len / 8).flat_map(|_| next()).collect()
}

/// Both in turn; the first pair warms the caches.
fn pairs(a: impl Fn(), b: impl Fn()) -> Vec<(Duration, Duration)> {
    let time = |work: &dyn Fn()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..=RUNS).map(|_| (time(&a), time(&b))).skip(1).collect()
}

fn say(what: &str, rows: Vec<(Duration, Duration)>, a: &str, b: &str) {
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let seconds = |pick: fn(&(Duration, Duration)) -> Duration| {
        median(rows.iter().map(|row| pick(row).as_secs_f64()).collect())
    };
    let ratio = median(rows.iter().map(|(a, b)| b.as_secs_f64() / a.as_secs_f64()).collect());
    println!(
        "{what}: {a} {:.3} s · {b} {:.3} s · {a} is {ratio:.2} times as fast",
        seconds(|row| row.0),
        seconds(|row| row.1)
    );
}
