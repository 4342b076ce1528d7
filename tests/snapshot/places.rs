//! Places that are refused, each with its reason; nothing is written for any of them.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::Path;

use super::{Bench, code, everything, run, said};

/// One change of a good command line or of the places it names, and a word of the reason.
type Case = (&'static str, fn(&Bench, &mut Vec<String>), &'static str);

fn set(words: &mut [String], flag: &str, value: &Path) {
    let at = words.iter().position(|word| word == flag).expect("the flag is there");
    words[at + 1] = value.display().to_string();
}

fn private(path: &Path) {
    fs::create_dir_all(path).expect("made");
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).expect("narrowed");
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
}

const CASES: &[Case] = &[
    ("a relative project", |_, w| set(w, "--project-root", Path::new("project")), "not absolute"),
    ("a relative store", |_, w| set(w, "--backup-root", Path::new("store")), "not absolute"),
    ("a store by `..`", |b, w| set(w, "--backup-root", &b.state.join("../store")), "`.` or `..`"),
    ("a store by `.`", |b, w| set(w, "--backup-root", &b.store.join("./x/..")), "`.` or `..`"),
    ("an absent project", |b, w| set(w, "--project-root", &b.repo.beside("none")), "is not there"),
    ("an absent store", |b, w| set(w, "--backup-root", &b.repo.beside("none")), "make the directory first"),
    (
        "an absent state directory",
        |b, w| set(w, "--state-dir", &b.repo.beside("none")),
        "make the directory first",
    ),
    (
        "a store that is a file",
        |b, w| set(w, "--backup-root", &b.repo.dir().join("docs/a.md")),
        "not a directory",
    ),
    (
        "a store in the project",
        |b, w| {
            let inside = b.repo.dir().join("kept");
            fs::create_dir_all(&inside).expect("made");
            set(w, "--backup-root", &inside);
        },
        "--backup-root",
    ),
    ("the project as store", |b, w| set(w, "--backup-root", b.repo.dir()), "apart from each other"),
    (
        "a project in the store",
        |b, w| {
            set(w, "--backup-root", b.repo.dir().parent().expect("it has one"));
        },
        "apart from each other",
    ),
    (
        "a state directory in the project",
        |b, w| {
            let inside = b.repo.dir().join("state");
            private(&inside);
            set(w, "--state-dir", &inside);
        },
        "apart from each other",
    ),
    (
        "a state directory in the store",
        |b, w| {
            let inside = b.store.join("state");
            private(&inside);
            set(w, "--state-dir", &inside);
        },
        "apart from each other",
    ),
    (
        "a store in the state directory",
        |b, w| {
            let inside = b.state.join("store");
            private(&inside);
            set(w, "--backup-root", &inside);
        },
        "apart from each other",
    ),
    (
        "the store as state directory",
        |b, w| {
            mode(&b.store, 0o700);
            set(w, "--state-dir", &b.store);
        },
        "apart from each other",
    ),
    ("a group-readable state directory", |b, _| mode(&b.state, 0o740), "has mode 0740, not 0700"),
    ("a state directory that the group may enter", |b, _| mode(&b.state, 0o710), "has mode 0710"),
    ("a state directory that others may enter", |b, _| mode(&b.state, 0o701), "has mode 0701"),
    ("a sticky state directory", |b, _| mode(&b.state, 0o1700), "has mode 1700"),
    (
        "a linked store",
        |b, w| {
            symlink(&b.store, b.repo.beside("link")).expect("linked");
            set(w, "--backup-root", &b.repo.beside("link"));
        },
        "symbolic link",
    ),
    (
        "a linked state directory",
        |b, w| {
            symlink(&b.state, b.repo.beside("link")).expect("linked");
            set(w, "--state-dir", &b.repo.beside("link"));
        },
        "symbolic link",
    ),
    (
        "a linked project",
        |b, w| {
            symlink(b.repo.dir(), b.repo.beside("link")).expect("linked");
            set(w, "--project-root", &b.repo.beside("link"));
        },
        "symbolic link",
    ),
    ("a source outside", |b, w| set(w, "--source", &b.state), "does not lie in the project"),
    ("a relative source", |_, w| set(w, "--source", Path::new("docs")), "not absolute"),
    ("an absent source", |b, w| set(w, "--source", &b.repo.dir().join("none")), "--source"),
    (
        "a source through a link",
        |b, w| {
            symlink("docs", b.repo.dir().join("near")).expect("linked");
            set(w, "--source", &b.repo.dir().join("near"));
        },
        "symbolic link",
    ),
    ("git's own directory as source", |b, w| set(w, "--source", &b.repo.dir().join(".git")), "git's own"),
    (
        "two sources of which one holds the other",
        |b, w| {
            w.extend(["--source".into(), b.at("docs/a.md")]);
        },
        "overlaps",
    ),
    ("one source twice", |b, w| w.extend(["--source".into(), b.at("docs")]), "overlaps"),
    (
        "an entrypoint outside",
        |b, w| {
            w.extend(["--context-entrypoint".into(), "/etc/hostname".into()]);
            assert!(b.store.is_dir());
        },
        "does not lie in the project",
    ),
    (
        "an entrypoint that is a directory",
        |b, w| {
            w.extend(["--context-entrypoint".into(), b.at("docs")]);
        },
        "not a regular file",
    ),
    (
        "no source",
        |_, w| {
            let at = w.iter().position(|word| word == "--source").expect("there");
            w.drain(at..at + 2);
        },
        "nothing is left to keep",
    ),
    (
        "an identity with an escape",
        |_, w| set(w, "--identity", Path::new("a\u{1b}[2J")),
        "visible characters",
    ),
    ("an empty identity", |_, w| set(w, "--identity", Path::new("")), "not empty"),
    ("another scope", |_, w| set(w, "--scope", Path::new("global")), "invalid value"),
    ("history without a reference", |_, w| w.push("--include-history".into()), "--history-ref"),
    (
        "a reference without history",
        |_, w| w.extend(["--history-ref".into(), "main".into()]),
        "--include-history",
    ),
];

#[test]
fn places_that_cannot_be_used_are_refused_with_the_reason() {
    for (name, change, why) in CASES {
        let bench = Bench::with_docs();
        let mut words = bench.words();
        words.push("--approve".into());
        change(&bench, &mut words);
        let all = bench.repo.dir().parent().expect("it has one");
        let before = everything(all);
        let output = run(&words);
        assert_eq!(code(&output), 2, "{name} is refused: {}", said(&output));
        assert!(said(&output).contains(why), "{name}: because of {why:?}: {}", said(&output));
        assert_eq!(everything(all), before, "{name}: and nothing is written");
    }
    Bench::with_docs().captured(&[]);
}

#[test]
fn each_needed_place_must_be_said() {
    let bench = Bench::with_docs();
    for flag in ["--project-root", "--scope", "--identity", "--backup-root", "--state-dir"] {
        let mut words = bench.words();
        words.push("--approve".into());
        let at = words.iter().position(|word| word == flag).expect("the flag is there");
        words.drain(at..at + 2);
        let output = run(&words);
        assert_eq!(code(&output), 2, "without {flag} nothing is guessed: {}", said(&output));
    }
    assert_eq!(fs::read_dir(&bench.store).expect("listed").count(), 0, "and nothing is written");
}

#[test]
fn a_state_directory_of_somebody_else_is_refused() {
    let bench = Bench::with_docs();
    if chown(&bench.state, Some(12_345), None).is_err() {
        return; // Only root can give a directory away.
    }
    let output = bench.capture(&[]);
    assert_eq!(code(&output), 2, "it is refused: {}", said(&output));
    assert!(said(&output).contains("belongs to user 12345"), "with the reason: {}", said(&output));
    chown(&bench.state, Some(0), None).expect("given back");
    bench.captured(&[]);
}

#[test]
fn places_in_another_worktree_of_the_same_repository_are_refused() {
    let bench = Bench::with_docs();
    let lane = bench.repo.beside("lane");
    bench.repo.git(&["worktree", "add", "-q", "-b", "lane", &lane.display().to_string()]);
    let inside = lane.join("kept");
    private(&inside);
    for flag in ["--backup-root", "--state-dir"] {
        let mut words = bench.words();
        words.push("--approve".into());
        set(&mut words, flag, &inside);
        let output = run(&words);
        assert_eq!(code(&output), 2, "{flag} in a lane is refused: {}", said(&output));
        assert!(said(&output).contains("same repository"), "with the reason: {}", said(&output));
    }
    assert_eq!(fs::read_dir(&inside).expect("listed").count(), 0, "nothing is written there");
    bench.captured(&[]);
}

#[test]
fn a_second_capture_waits_for_nobody() {
    let bench = Bench::with_docs();
    bench.captured(&[]);
    let names: Vec<_> =
        fs::read_dir(&bench.state).expect("listed").map(|e| e.expect("one").file_name()).collect();
    let [name] = names.as_slice() else { panic!("one lock lies in the state directory: {names:?}") };
    let held = moorline::disk::Lock::try_take(&bench.state, name.to_str().expect("text")).expect("locked");
    assert!(held.is_some(), "the lock is free between captures");
    let before = everything(&bench.store);
    let output = bench.capture(&[]);
    assert_eq!(code(&output), 1, "while it is held the answer is no: {}", said(&output));
    assert_eq!(everything(&bench.store), before, "and nothing is written");
    drop(held);
    bench.captured(&[]);
}
