//! A handoff that goes on in further files: written as one, taken back as one.

#![allow(clippy::print_stdout, reason = "a test that cannot watch says so")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use moorline::shelf::Shelf;

use crate::git::TestRepo;
use crate::verb::{everything, json, run_verb, save, verb};

/// A project whose plan has a handoff of one file.
fn project() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("plans/260901-auth/plan.md", "# Plan\n", "Plan");
    save(&repo, r#"{"next": "before"}"#, &[]).expect("saved");
    repo
}

/// Words that take several files.
fn long() -> String {
    format!("## Session Notes\n{}", "a line that is one of very many\n".repeat(3_000))
}

fn plan(repo: &TestRepo) -> PathBuf {
    repo.dir().join("plans/260901-auth")
}

/// The handoff's files with their bytes; what a killed save leaves beside them is swept by the next one.
fn files(repo: &TestRepo) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = everything(&plan(repo));
    files
        .retain(|path, _| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("HANDOFF")));
    files
}

#[test]
fn one_undo_takes_every_file_of_a_chain_back_and_says_how_many() {
    let repo = project();
    let before = files(&repo);
    let (_, said) = save(&repo, &long(), &["--json"]).expect("saved");
    let count = 1 + json(&said)["chain"].as_array().expect("a list").len();
    assert!(count >= 3 && files(&repo).len() == count, "a chain of {count} files");
    // Every verb here reads the log anew, as after a restart.
    let undo = |more: &[&str]| run_verb(repo.dir(), &repo.beside("home"), &[&["undo"], more].concat());
    let would = undo(&["--dry-run"]);
    let told = format!("save of 1 handoff in {count} files");
    assert!(would.contains(&format!("would undo {told}")), "it is said before: {would}");
    assert_eq!(files(&repo).len(), count, "and a dry run moves nothing");
    let document = json(&undo(&["--dry-run", "--json"]));
    assert_eq!(
        document["summary"]["done"],
        format!("would undo 1 handoff in {count} files"),
        "in the document too: {document}"
    );
    let said = undo(&[]);
    assert!(said.contains(&format!("1 of 1 taken back: {told}")), "one step, without a yes: {said}");
    assert_eq!(said.matches("is gone, as before the save").count(), count - 1, "each new file: {said}");
    assert_eq!(said.matches("has the bytes again").count(), 1, "and the one that was replaced: {said}");
    assert_eq!(files(&repo), before, "all is as it was");
    let said = undo(&[]);
    assert!(!said.contains(" files"), "the control: a save of one file is one file: {said}");
    assert!(files(&repo).is_empty(), "and that one goes as well");
}

#[test]
fn a_chain_with_a_changed_file_is_not_taken_back_by_half() {
    let repo = project();
    save(&repo, &long(), &[]).expect("saved");
    let link = plan(&repo).join("HANDOFF-2.md");
    let own = fs::read(&link).expect("there");
    fs::write(&link, "somebody's own\n").expect("written");
    let there = files(&repo);
    let undo = || verb(repo.dir(), &repo.beside("home"), &[], &["undo"]);
    let said = undo().expect_err("it is not taken back");
    let why = format!("cannot be taken back: {} changed since", link.display());
    assert!(said.contains("save of 1 handoff in ") && said.contains(&why), "and why: {said}");
    assert_eq!(files(&repo), there, "nothing was moved");
    fs::write(&link, own).expect("as it was");
    undo().expect("taken back");
    assert_eq!(files(&repo).len(), 1, "the control: unchanged it goes as a whole");
}

#[test]
fn where_one_file_of_a_chain_cannot_be_written_none_is() {
    let repo = project();
    let before = files(&repo);
    let words = repo.beside("words.md");
    fs::write(&words, long()).expect("written");
    // The second file that gets its name is refused it.
    let Some(output) = traced(&repo, &words, "renameat2:error=ENOSPC:when=2") else { return };
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "it is not saved: {said}");
    assert!(said.contains("No space left"), "and why: {said}");
    assert_eq!(files(&repo), before, "and nothing of it is there");
    let none = shelf(&repo).settle().expect("settled");
    assert!(none.is_empty(), "nor is there anything to settle: {none:?}");
}

fn shelf(repo: &TestRepo) -> Shelf {
    let home = repo.beside("home");
    Shelf { state: home.join(".local/state/moorline"), home, project: repo.dir().to_owned() }
}

/// Saves under strace, which spoils one call; `None` where there is no strace.
fn traced(repo: &TestRepo, words: &Path, inject: &str) -> Option<Output> {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o"]).arg(repo.beside("trace"));
    command.args(["-e", &format!("inject={inject}")]);
    command.arg(env!("CARGO_BIN_EXE_moorline")).args(["save", "--from"]).arg(words).current_dir(repo.dir());
    command.env_clear().env("HOME", repo.beside("home"));
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    match command.output() {
        Ok(output) => Some(output),
        Err(_) => {
            println!("not tried: strace is not here");
            None
        }
    }
}

#[test]
fn a_chain_that_is_cut_off_is_there_as_a_whole_or_not_at_all() {
    let (mut kills, mut whole) = (0, 0);
    let repo = project();
    let before = files(&repo);
    let words = repo.beside("words.md");
    fs::write(&words, long()).expect("written");
    for call in ["renameat,renameat2", "fsync,fdatasync"] {
        for nth in 1..60 {
            let inject = format!("{call}:signal=KILL:when={nth}");
            let Some(output) = traced(&repo, &words, &inject) else { return };
            let is_killed = output.status.signal().is_some();
            let what = format!("killed at {call} number {nth}");
            let settled = shelf(&repo).settle().unwrap_or_else(|why| panic!("{what}: {why}"));
            assert!(settled.iter().all(|one| one.unsettled.is_empty()), "{what}: {settled:?}");
            let after = files(&repo);
            kills += usize::from(is_killed);
            if after == before {
                continue;
            }
            whole += usize::from(is_killed);
            let text = fs::read_to_string(plan(&repo).join("HANDOFF.md")).expect("there");
            assert!(text.contains("continuation: "), "{what}: the new head");
            assert!(after.len() >= 3, "{what}: with all that it names: {:?}", after.keys());
            run_verb(repo.dir(), &repo.beside("home"), &["undo", "--yes"]);
            assert_eq!(files(&repo), before, "{what}: which one undo takes back");
            if !is_killed {
                break;
            }
        }
    }
    eprintln!("a chain was cut off {kills} times, and {whole} times it was there as a whole");
    assert!(kills > 10 && whole > 0 && whole < kills, "both ends were seen: {whole} of {kills}");
}
