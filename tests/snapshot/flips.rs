//! One changed byte anywhere in a store is found.

use std::fs;

use super::{Bench, everything, kiln};

#[test]
fn every_byte_flip_is_found() {
    // Another bit from byte to byte, so that all eight have their turn.
    let flips = flips(|at| vec![1 << (at % 8)]);
    assert!(flips > 1_000, "every byte was tried: {flips} flips");
}

#[test]
#[ignore = "every bit of every byte takes a minute"]
fn every_bit_flip_is_found() {
    let flips = flips(|_| (0..8).map(|bit| 1 << bit).chain([0xFF]).collect());
    eprintln!("{flips} flips, all found");
    assert!(flips > 9_000, "every bit was tried: {flips} flips");
}

/// Flips bits of every byte of every file of a small store, one after the other; gives how many flips there were.
fn flips(masks: impl Fn(usize) -> Vec<u8>) -> usize {
    let bench = Bench::with_docs();
    bench.repo.write("docs/b.md", "a second file\n");
    bench.captured(&["--include-history", "--history-ref", "main"]);
    let store = bench.open();
    let clean = store.verify(None).expect("verified");
    assert!(
        clean.problems.is_empty() && clean.snapshots.len() == 1,
        "untouched it is whole: the control: {clean:?}"
    );
    let mut flips = 0;
    for (path, (_, _, bytes)) in everything(&bench.store) {
        if !path.is_file() {
            continue;
        }
        for at in 0..bytes.len() {
            for mask in masks(at) {
                let mut changed = bytes.clone();
                changed[at] ^= mask;
                fs::write(&path, &changed).expect("written");
                let found = store.verify(None).expect("verified");
                assert!(
                    !found.problems.is_empty(),
                    "{}: byte {at} flipped by {mask:#x} is found",
                    path.display()
                );
                flips += 1;
            }
        }
        for changed in [[bytes.as_slice(), b"x"].concat(), bytes[..bytes.len() - 1].to_vec(), Vec::new()] {
            fs::write(&path, changed).expect("written");
            let found = store.verify(None).expect("verified");
            assert!(
                !found.problems.is_empty(),
                "{}: a longer, shorter or empty file is found",
                path.display()
            );
        }
        fs::remove_file(&path).expect("removed");
        let gone = store.verify(None).expect("verified");
        let was_manifest = path.extension().is_some_and(|ending| ending == "json");
        let missed = if was_manifest { gone.snapshots.is_empty() } else { !gone.problems.is_empty() };
        assert!(missed, "{}: that it is gone is seen", path.display());
        fs::write(&path, &bytes).expect("written");
    }
    assert!(store.verify(None).expect("verified").problems.is_empty(), "put back, all of it is whole again");
    flips
}

#[test]
fn a_damaged_snapshot_is_never_loaded_and_a_new_capture_says_so() {
    let bench = Bench::with_docs();
    bench.captured(&[]);
    let snapshot = bench.newest();
    let digest = snapshot.manifest.files[0].sha256.as_str().to_owned();
    let object = bench.store.join("objects").join(&digest[..2]).join(&digest[2..]);
    let good = fs::read(&object).expect("read");
    fs::write(&object, "other bytes").expect("written");
    let id = snapshot.id.as_str();
    let to = bench.repo.beside("out");
    let output = bench.ask("load", &[id, "--identity", "kiln", "--to", &to.display().to_string()]);
    assert_eq!(super::code(&output), 1, "it is not given back: {}", super::said(&output));
    assert!(!to.exists(), "and nothing is written");
    assert_eq!(super::code(&bench.ask("verify", &["--identity", "kiln"])), 1, "verify says no");
    let before = everything(&bench.store.join("snapshots"));
    let output = bench.capture(&[]);
    assert_eq!(super::code(&output), 1, "a capture that would need it is refused: {}", super::said(&output));
    assert!(super::said(&output).contains(&digest[2..]), "and names the file: {}", super::said(&output));
    assert_eq!(everything(&bench.store.join("snapshots")), before, "no manifest promises what is not there");
    fs::remove_file(&object).expect("moved away");
    bench.captured(&[]);
    assert_eq!(fs::read(&object).expect("there again"), good, "after that it is there anew");
    let whole = bench.open().find(id, &kiln()).expect("found");
    assert!(bench.open().verify_one(&whole).problems.is_empty(), "and the old snapshot is whole again");
}
