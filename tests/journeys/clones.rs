//! A clone somewhere else.

use std::path::PathBuf;

use crate::git::{TestRepo, git};
use crate::{NOTE, PLAN, RECORD, THUNDERKIT, dated, saved, told, told_alike};

/// A clone of the project's remote, with the branch checked out that was worked on.
fn cloned(repo: &TestRepo, name: &str, args: &[&str]) -> PathBuf {
    repo.git(&["push", "-q", "origin", "feat/tides"]);
    let clone = repo.beside(name);
    let (url, to) = (format!("file://{}", repo.beside("origin.git").display()), clone.display().to_string());
    let all = [&["clone", "-q", "-b", "feat/tides"], args, &[&url, &to]].concat();
    git(repo.dir(), &all);
    clone
}

#[test]
fn a_fresh_clone_believes_what_is_still_true_whatever_the_files_times_are() {
    let repo = saved();
    let clone = cloned(&repo, "clone", &[]);
    told_alike(&repo, &clone, &[PLAN, NOTE, &dated(&repo)], "current", &[]);
    let told = told(&repo, &clone);
    assert_eq!(told[THUNDERKIT].check("repository").0, "passed", "the same remote is the same repository");
    assert_eq!(
        told[THUNDERKIT].check("root-head").0,
        "failed",
        "for a lane the commit must be exact, also where only the handoff was committed"
    );
    assert_eq!(told[RECORD].verdict, "drifted", "a record is about one directory, and this is another");
    assert!(told[RECORD].reason.contains("the record is about another directory"), "{:?}", told[RECORD]);
}

#[test]
fn a_clone_of_a_repository_without_a_remote_is_known_by_the_recorded_commit() {
    let repo = saved();
    repo.git(&["remote", "remove", "origin"]);
    let name = dated(&repo);
    let text = std::fs::read_to_string(repo.dir().join(&name)).expect("read");
    let address = repo.beside("origin.git").display().to_string();
    assert!(text.contains(&address), "a positive control: it names the remote that is taken out here");
    // As a save without a remote writes it: by the directory's name.
    repo.write(&name, &text.replace(&address, "project"));
    repo.git(&["commit", "-q", "-am", "Hand off"]);
    let clone = repo.beside("elsewhere").display().to_string();
    git(repo.dir(), &["clone", "-q", ".", &clone]);
    let told = told(&repo, clone.as_ref());
    assert_eq!(
        told[&name].check("repository"),
        ("passed", "recorded by a name alone; the recorded commit is here"),
        "its address is another one than its directory's name was: {:?}",
        told[&name]
    );
}

#[test]
fn a_shallow_clone_cannot_tell_and_says_what_would() {
    let repo = saved();
    let shallow = cloned(&repo, "shallow", &["--depth", "1"]);
    let reasons = ["is cut (a shallow clone)", "git fetch --unshallow"];
    told_alike(&repo, &shallow, &[PLAN, NOTE], "unverifiable", &reasons);
    git(&shallow, &["fetch", "-q", "--unshallow"]);
    told_alike(&repo, &shallow, &[NOTE], "current", &[]);
    git(&shallow, &["switch", "-q", "-c", "other"]);
    git(&shallow, &["branch", "-q", "-D", "feat/tides"]);
    git(&shallow, &["update-ref", "-d", "refs/remotes/origin/feat/tides"]);
    git(&shallow, &["config", "remote.origin.fetch", "+refs/heads/main:refs/remotes/origin/main"]);
    let told = told(&repo, &shallow);
    let (outcome, why) = told[NOTE].check("branch");
    assert_eq!((outcome, why), ("failed", "on other now"), "a branch that is not fetched is not called gone");
}
