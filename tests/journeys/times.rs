//! Handoffs that record no commit: their own time says what came later.

use crate::git::{self, TestRepo};
use crate::{NOTE, told, told_alike};

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
