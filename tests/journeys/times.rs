//! Handoffs that record no commit: their own time says what came later.

use crate::git::{self, TestRepo};
use crate::{NOTE, block, command, told, told_alike, words};

/// A repository with a note of 12:00 that records a branch and its time, and of which git knows nothing yet.
fn noted() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("src/solver.rs", "fn solve() {}\n", "Solve");
    repo.write(NOTE, "# Where we are\n\n**Date:** 2026-09-22T12:00:00Z\n**Branch:** main\n");
    assert_eq!(told(&repo, repo.dir())[NOTE].verdict, "current", "at first nothing is newer than the note");
    repo
}

/// Commits a file at a time of that day.
fn commit_at(repo: &TestRepo, time: &str, file: &str) {
    git::git(repo.dir(), &["add", "--", file]);
    let mut command = git::command(repo.dir(), &["commit", "-q", "-m", "Go on"]);
    command.env("GIT_COMMITTER_DATE", format!("2026-09-22T{time}Z"));
    assert!(command.status().expect("git runs").success(), "{file} is committed");
}

#[test]
fn work_after_a_notes_time_makes_it_old_and_its_own_commit_does_not() {
    let repo = noted();
    commit_at(&repo, "13:00:00", NOTE);
    assert_eq!(told(&repo, repo.dir())[NOTE].verdict, "current", "the note itself was committed");
    repo.write("src/tides.rs", "fn tides() {}\n");
    commit_at(&repo, "14:00:00", "src/tides.rs");
    let reason = "2 commits since it was saved, 2 files changed; no commit is recorded";
    told_alike(&repo, repo.dir(), &[NOTE], "drifted", &[reason]);
}

#[test]
fn what_is_committed_in_the_minutes_after_saving_was_done_before() {
    let repo = noted();
    repo.write("src/tides.rs", "fn tides() {}\n");
    commit_at(&repo, "12:02:00", "src/tides.rs");
    assert_eq!(told(&repo, repo.dir())[NOTE].verdict, "current", "saved, then committed with the work");
    repo.write("src/stations.rs", "fn all() {}\n");
    commit_at(&repo, "12:04:00", "src/stations.rs");
    assert_eq!(
        told(&repo, repo.dir())[NOTE].verdict,
        "drifted",
        "the control: later than that it is new work"
    );
}

/// A claude session of this id in a directory, whose last row was written at that time of the day.
fn session(repo: &TestRepo, id: &str, cwd: &std::path::Path, time: &str) {
    let row = serde_json::json!({
        "type": "user", "sessionId": id, "cwd": cwd, "timestamp": format!("2026-09-22T{time}.000Z"),
        "message": {"role": "user", "content": "Go on"},
    });
    git::write(&repo.beside(&format!("home/.claude/projects/-p/{id}.jsonl")), format!("{row}\n"));
}

#[test]
fn a_session_that_went_on_here_after_saving_is_said() {
    const HERE: &str = "0b7ae17c-4c7a-4a52-9c11-2b9d55e1a001";
    const ELSEWHERE: &str = "0b7ae17c-4c7a-4a52-9c11-2b9d55e1a002";
    let repo = noted();
    let said = |id: &str| {
        let (words, code) = words(&repo, repo.dir(), NOTE);
        assert_eq!(code, Some(0), "a session that talks changes nothing that was compared: {words}");
        let is_said = words.contains(id);
        assert_eq!(block(&repo, repo.dir(), NOTE).contains(id), is_said, "the block says the same: {words}");
        is_said
    };
    session(&repo, HERE, repo.dir(), "12:02:00");
    assert!(!said(HERE), "the minutes after saving belong to it");
    session(&repo, ELSEWHERE, &repo.beside("other"), "15:00:00");
    assert!(!said(ELSEWHERE), "what is done in another directory is not done here");
    repo.git(&["worktree", "add", "-q", "--detach", "trees/one"]);
    session(&repo, ELSEWHERE, &repo.dir().join("trees/one"), "15:00:00");
    assert!(!said(ELSEWHERE), "nor in a worktree that lies inside this one");
    session(&repo, HERE, &repo.dir().join("src"), "14:30:00");
    assert!(said(HERE), "the control: a session in a directory of this worktree went on");
    let mut asks = command(&repo, repo.dir());
    asks.args(["check", NOTE]).env("CLAUDE_CODE_SESSION_ID", HERE);
    let asked = String::from_utf8_lossy(&asks.output().expect("moorline runs").stdout).into_owned();
    assert!(!asked.contains(HERE), "the session that asks knows of itself: {asked}");
}

/// Whether the list marks the note as edited after saving, by the document and by the words of `show`.
fn is_marked(repo: &TestRepo, dir: &std::path::Path) -> bool {
    let list = crate::moorline(repo, dir, &["list", "--json"]);
    let list: serde_json::Value = serde_json::from_slice(&list.stdout).expect("a document");
    let marked = list["handoffs"][0]["edited_after"].as_bool().expect("it is told");
    let block = block(repo, dir, NOTE);
    assert_eq!(block.contains("the file was edited after"), marked, "the block says the same: {block}");
    marked
}

#[test]
fn a_file_that_is_as_its_commit_has_it_was_edited_by_nobody() {
    let repo = noted();
    assert!(is_marked(&repo, repo.dir()), "the control: written now, it says that it was saved long ago");
    commit_at(&repo, "12:01:00", NOTE);
    assert!(!is_marked(&repo, repo.dir()), "committed, it is what was saved");
    let clone = repo.beside("clone");
    git::git(repo.dir(), &["clone", "-q", ".", &clone.display().to_string()]);
    assert!(!is_marked(&repo, &clone), "a clone stamps every file \"now\"");
    git::write(
        &clone.join(NOTE),
        "# Where we are\n\n**Date:** 2026-09-22T12:00:00Z\n**Branch:** main\n\nMore.\n",
    );
    assert!(is_marked(&repo, &clone), "and a real edit is told there, too");
}

#[test]
fn an_undated_file_has_one_date_however_it_is_named() {
    let repo = TestRepo::new();
    repo.write(
        NOTE,
        "# Where we are\n\nThe solver is half done.\n\n## Next steps\n\n1. Finish `src/solver.rs`\n",
    );
    commit_at(&repo, "12:00:00", NOTE);
    let date = |args: &[&str]| {
        let output = crate::moorline(&repo, repo.dir(), args);
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a document");
        let handoff = &document["handoffs"][0];
        (handoff["saved_at"].clone(), handoff["saved_at_source"].clone())
    };
    let listed = date(&["list", "--json"]);
    assert_eq!(listed.1, "commit", "git knows when it was written");
    assert_eq!(date(&["show", NOTE, "--json"]), listed, "named by its path");
    assert_eq!(date(&["check", NOTE, "--json"]), listed, "and checked");
}
