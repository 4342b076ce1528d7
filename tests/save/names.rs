//! Names of saved files: as many files as saves, whatever the tasks are called.

use std::collections::BTreeSet;
use std::fs;

use chrono::DateTime;
use moorline::check::Examiner;
use moorline::handoff::Family;
use moorline::harness::Surroundings;
use moorline::save::draft::{Draft, Request};
use moorline::save::facts::Facts;
use moorline::settings::Settings;

use crate::git::TestRepo;
use crate::nobody;

/// Names that meet each other, or that a file system or a shell would rather not have.
const ODD: [&str; 24] = [
    "Rotate",
    "rotate",
    "ROTATE",
    "rotate!",
    "r\u{f6}tate",
    "ro\u{308}tate",
    "..",
    ".",
    "/",
    "../../etc/passwd",
    "con",
    "NUL",
    "aux.md",
    "-rf",
    "--help",
    "~",
    "$(reboot)",
    "a\\b",
    "a b  c",
    "\u{202e}etator",
    "👩‍💻",
    "\u{0301}",
    "HANDOFF-2",
    "archive",
];

/// A task for each number: odd ones, long ones, ones that only differ far behind, and plain ones.
fn task(number: usize) -> String {
    match number % 4 {
        0 => ODD[number / 4 % ODD.len()].to_owned(),
        1 => "x".repeat(255),
        2 => format!("a task with a very long name that differs at its end {number}"),
        _ => format!("task {}", number / 8),
    }
}

/// Saves so many tasks; every save is a file of its own.
fn saves(count: usize) {
    let place = TestRepo::plain_directory();
    fs::create_dir_all(place.dir().join(".claude")).expect("made");
    fs::create_dir_all(place.beside("home")).expect("made");
    let around = Surroundings {
        home: Some(place.beside("home")),
        proc: place.beside("no-processes"),
        ..Surroundings::default()
    };
    let examiner = Examiner::new(place.dir(), around, Settings::default());
    let facts = Facts::of(&examiner);
    let now = DateTime::parse_from_rfc3339("2026-10-05T09:30:00+02:00").expect("a time");
    let mut paths = BTreeSet::new();
    for number in 0..count {
        let words = serde_json::json!({ "task": task(number), "next": format!("step {number}") }).to_string();
        let request = Request::new(&words, Family::Theonekit, place.dir(), now);
        let draft = Draft::with(&examiner, &request, &facts).expect("a draft");
        let saved = draft.write().expect("saved");
        assert!(fs::read_to_string(&saved.path).expect("there").contains(&format!("1. step {number}\n")));
        assert!(paths.insert(saved.path), "no save takes another one's file");
    }
    let dir = place.dir().join(".claude/handoffs");
    let names: Vec<_> = fs::read_dir(&dir)
        .expect("listed")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("plain text"))
        .collect();
    assert_eq!(names.len(), count, "files written = files there");
    let folded: BTreeSet<_> = names.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(folded.len(), count, "also where letters have no case");
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    for name in &names {
        assert!(
            name.chars().all(plain) && name.len() < 60 && name.starts_with("261005-"),
            "a plain name: {name}"
        );
    }
    for number in [0, count / 2, count - 1] {
        let step = format!("1. step {number}\n");
        let holds =
            names.iter().filter(|name| fs::read_to_string(dir.join(name)).expect("there").contains(&step));
        assert_eq!(holds.count(), 1, "and each still says its own");
    }
}

#[test]
fn a_hundred_tasks_are_a_hundred_files() {
    saves(100);
    nobody::again(a_hundred_tasks_are_a_hundred_files);
}

#[test]
#[ignore = "two thousand saves take a minute"]
fn two_thousand_tasks_are_two_thousand_files() {
    saves(2_000);
    eprintln!("2,000 saves, 2,000 files");
    nobody::again(two_thousand_tasks_are_two_thousand_files);
}

#[test]
fn names_that_are_no_text_are_left_alone() {
    use std::os::unix::ffi::OsStrExt as _;
    let repo = TestRepo::plain_directory();
    let dir = repo.dir().join(".claude/handoffs");
    fs::create_dir_all(&dir).expect("made");
    let odd = dir.join(std::ffi::OsStr::from_bytes(b"261005-rotate\xff.md"));
    fs::write(&odd, "theirs").expect("written");
    let (_, said) = crate::verb::save(&repo, r#"{"task": "rotate", "next": "x"}"#, &[]).expect("saved");
    assert!(said.contains("261005-rotate.md (project)"), "its own name is free: {said}");
    assert_eq!(fs::read(odd).expect("there"), b"theirs", "and the other file is as it was");
}
