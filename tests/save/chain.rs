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

/// Commits everything a day after the saves of these tests, as a person does who keeps plans in git.
fn commit_later(repo: &TestRepo) {
    for args in [&["add", "-A"][..], &["commit", "-q", "-m", "Hand off"]] {
        let mut command = crate::git::command(repo.dir(), args);
        command
            .env("GIT_COMMITTER_DATE", "2026-10-06T12:00:00Z")
            .env("GIT_AUTHOR_DATE", "2026-10-06T12:00:00Z");
        assert!(command.output().expect("git runs").status.success(), "git {args:?}");
    }
}

#[test]
fn the_head_of_a_chain_says_what_comes_next_and_where_things_stand() {
    let repo = project();
    let done = "- a task that is done and was told at some length\n".repeat(1_200);
    let words = format!(
        "## Completed Tasks\n{done}\n## Session Notes\n{}\n## Blockers\n- No kiln is free\n\n## Next Steps\n1. Fire \
         the kiln\n2. Let it cool\n",
        "a line that is one of very many\n".repeat(2_000)
    );
    save(&repo, &words, &[]).expect("saved");
    let head = fs::read_to_string(plan(&repo).join("HANDOFF.md")).expect("there");
    assert!(head.len() <= 16 * 1024, "it is short: {}", head.len());
    for said in [
        "- Path: plans/260901-auth",
        "1. Fire the kiln",
        "- No kiln is free",
        "- Branch: main",
        "- Last commit: ",
    ] {
        assert!(head.contains(said), "{said:?} stands in the head: {head}");
    }
    let all: String =
        files(&repo).into_values().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect();
    assert_eq!(all.matches("a task that is done").count(), 1_200, "nothing is lost of the long texts");
    assert_eq!(all.matches("one of very many").count(), 2_000, "and nothing twice");
    let block = run_verb(repo.dir(), &repo.beside("home"), &["context", "260901-auth"]);
    assert!(
        block.contains("Next step: Fire the kiln") && block.contains("branch main"),
        "so it is loaded: {block}"
    );

    // Where the first sections are long themselves each has its share, and what is left goes on in the parts.
    let many = |what: &str| format!("- {what} that is told at some length\n").repeat(1_000);
    let words =
        format!("## Blockers\n{}\n## Next Steps\n1. Fire the kiln\n{}", many("a blocker"), many("a step"));
    save(&repo, &words, &[]).expect("saved");
    let head = fs::read_to_string(plan(&repo).join("HANDOFF.md")).expect("there");
    assert!(head.len() <= 16 * 1024 && head.len() > 12 * 1024, "the head is full: {}", head.len());
    assert!(
        head.contains("1. Fire the kiln")
            && head.contains("a blocker that")
            && head.contains("- Branch: main")
    );
    let all: String =
        files(&repo).into_values().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect();
    assert_eq!(all.matches("a blocker that").count(), 1_000, "every blocker is there once");
    assert_eq!(all.matches("a step that").count(), 1_000, "and every step");
}

#[test]
fn the_parts_of_a_chain_belong_to_its_head_in_every_verb() {
    let repo = project();
    save(&repo, &format!("{}\n## Next Steps\n1. Fire the kiln\n- [ ] Let it cool\n", long()), &[])
        .expect("saved");
    commit_later(&repo);
    let home = repo.beside("home");
    let said = |words: &[&str]| verb(repo.dir(), &home, &[], words);
    let list = json(&said(&["list", "--json"]).expect("listed").1);
    let live: Vec<_> =
        list["handoffs"].as_array().expect("a list").iter().filter(|row| row["state"] == "live").collect();
    let names: Vec<_> = live
        .iter()
        .map(|row| row["path"].as_str().expect("a path").rsplit_once('/').expect("a name").1)
        .collect();
    assert_eq!(names, ["HANDOFF.md", "HANDOFF-2.md", "HANDOFF-3.md", "HANDOFF-4.md"], "in their order");
    assert!(
        live.iter().all(|row| row["saved_at"] == live[0]["saved_at"]),
        "with one clock, the head's: {list}"
    );
    assert!(live[0]["part_of"].is_null() && live[1]["part_of"] == live[0]["path"], "and said: {list}");
    for words in [&["context"][..], &["restore"], &["resume"]] {
        let (Ok((_, told)) | Err(told)) = said(words);
        assert!(told.contains("Fire the kiln"), "{words:?} without a name takes the head: {told}");
    }
    let part = "plans/260901-auth/HANDOFF-2.md";
    let why = said(&["diff", part]).expect_err("a part has no head before it");
    assert!(why.contains("has no earlier version"), "{why}");
    said(&["diff", "plans/260901-auth/HANDOFF.md"]).expect("the control: the head has an earlier version");
    let why = said(&["save", "--carry", part, "--dry-run"]).expect_err("a part is not carried over");
    assert!(why.contains("further part of a handoff"), "{why}");
    said(&["save", "--carry", "plans/260901-auth/HANDOFF.md", "--dry-run"])
        .expect("the control: its head is");

    // A head that is gone leaves parts, which are still none by themselves.
    repo.write("NEXT_SESSION.md", "# Older\n\nDate: 2026-09-20\n\n## Next\n1. Rest\n");
    let head = plan(&repo).join("HANDOFF.md");
    fs::rename(&head, repo.beside("head.md")).expect("moved");
    let block = said(&["context"]).expect("loaded").1;
    assert!(block.contains("NEXT_SESSION.md"), "an older handoff goes before a newer part: {block}");
    // The control: a series by hand has no continuation, and its newest one is the newest.
    repo.write("plans/260901-auth/HANDOFF-9.md", "# Ninth\n\nDate: 2026-10-07\n\n## Next\n1. Go on\n");
    let block = said(&["context"]).expect("loaded").1;
    assert!(block.contains("HANDOFF-9.md"), "{block}");
}

#[test]
fn a_chain_is_put_away_and_comes_back_as_one() {
    let repo = TestRepo::new();
    repo.commit("plans/260901-auth/plan.md", "# Plan\n", "Plan");
    save(&repo, &long(), &[]).expect("saved");
    let whole = files(&repo);
    assert!(whole.len() >= 3, "a chain of {}", whole.len());
    repo.write("plans/260901-auth/notes-handoff.md", "# Notes\n\n## Next\n1. Read\n");
    let said = |words: &[&str]| run_verb(repo.dir(), &repo.beside("home"), words);
    let told = said(&["trash", "plans/260901-auth/HANDOFF.md"]);
    assert!(files(&repo).is_empty(), "no part stays behind, and nobody has to say yes to several: {told}");
    assert!(plan(&repo).join("notes-handoff.md").exists(), "the control: another file of the plan does");
    let told = said(&["put-back", "plans/260901-auth/HANDOFF.md"]);
    assert_eq!(files(&repo), whole, "all of it comes back: {told}");
    said(&["trash", "plans/260901-auth/HANDOFF-2.md"]);
    assert_eq!(files(&repo).len(), whole.len() - 1, "a part by its own name goes alone");
    said(&["undo"]);
    assert_eq!(files(&repo), whole, "and comes back");
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
