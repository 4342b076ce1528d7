//! Every outcome by its name.

use crate::git::{TestRepo, git};
use crate::remotes::{Daemon, bare};
use crate::{compared, moorline, moorline_in, out, project, said};

const MAIN: &str = "refs/heads/main";

/// What a comparison must come to on one remote, step by step.
fn every_answer(repo: &TestRepo, url: &str, how: &str) {
    let there = repo.beside("served/api.git");
    git(&there, &["update-ref", "-d", MAIN]);
    repo.git(&["remote", "add", "origin", url]);
    repo.git(&["config", "branch.main.remote", "origin"]);
    repo.git(&["config", "branch.main.merge", MAIN]);
    assert_eq!(
        said(repo),
        ("not_advertised".into(), format!("the remote does not advertise {MAIN}")),
        "{how}: the branch was never pushed"
    );
    let pushed = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["push", "-q", &there.display().to_string(), "main"]);
    assert_eq!(said(repo), ("in_sync".into(), format!("in sync with origin {MAIN}")), "{how}: just pushed");
    let remote = compared(repo);
    for (key, value) in [("remote", "origin"), ("ref", MAIN), ("tip", pushed.as_str())] {
        assert_eq!(remote[key], value, "{how}: the document names its {key}");
    }
    repo.git(&["commit", "-q", "--allow-empty", "-m", "Only here"]);
    assert_eq!(
        said(repo),
        ("other_tip".into(), format!("the remote tip {pushed} is not this checkout's HEAD")),
        "{how}: this checkout went on"
    );
    repo.git(&["reset", "-q", "--hard", &pushed]);
    let theirs =
        git(&there, &["commit-tree", "-p", &pushed, "-m", "Only there", &format!("{pushed}^{{tree}}")]);
    git(&there, &["update-ref", MAIN, &theirs]);
    assert_eq!(
        said(repo),
        ("other_tip".into(), format!("the remote tip {theirs} is not this checkout's HEAD")),
        "{how}: the remote went on, to a commit that is not here"
    );
    git(&there, &["update-ref", &format!("refs/x/{MAIN}"), &pushed]);
    assert_eq!(
        said(repo),
        (
            "not_compared".into(),
            format!("remote not compared: ambiguous remote ref: 2 references answer to {MAIN}")
        ),
        "{how}: another name with that end"
    );
    git(&there, &["update-ref", "-d", MAIN]);
    assert_eq!(
        said(repo).0,
        "not_advertised",
        "{how}: only the other name is there, which is not what was asked for"
    );
    git(&there, &["update-ref", "-d", &format!("refs/x/{MAIN}")]);
    assert_eq!(said(repo).0, "not_advertised", "{how}: the branch is gone there");
    repo.git(&["remote", "remove", "origin"]);
    repo.git(&["reset", "-q", "--hard", &pushed]);
}

#[test]
fn every_answer_of_a_remote_is_told_by_name_over_a_file_and_over_gits_daemon() {
    let repo = project();
    let there = bare(&repo.beside("served/api.git"));
    every_answer(&repo, &there.display().to_string(), "a path");
    every_answer(&repo, &format!("file://{}", there.display()), "a file address");
    let daemon = Daemon::over(&repo.beside("served"), true);
    every_answer(&repo, &daemon.url("api.git"), "git's daemon");
}

#[test]
fn a_remote_that_refuses_or_is_not_there_is_not_compared_and_git_is_quoted() {
    let repo = project();
    let there = bare(&repo.beside("served/api.git"));
    repo.git(&["push", "-q", &there.display().to_string(), "main"]);
    let closed = Daemon::over(&repo.beside("served"), false);
    repo.git(&["remote", "add", "origin", &closed.url("api.git")]);
    repo.git(&["config", "branch.main.remote", "origin"]);
    repo.git(&["config", "branch.main.merge", MAIN]);
    let (outcome, words) = said(&repo);
    assert_eq!(outcome, "not_compared");
    assert!(
        words.starts_with("remote not compared: git ended with code 128: fatal: remote error: access denied"),
        "the daemon exports nothing: {words}"
    );
    repo.git(&["remote", "set-url", "origin", &repo.beside("nowhere.git").display().to_string()]);
    let (outcome, words) = said(&repo);
    assert_eq!(outcome, "not_compared");
    assert!(words.contains("fatal:") && words.contains("nowhere.git"), "nothing lies there: {words}");
    repo.git(&["remote", "set-url", "origin", &there.display().to_string()]);
    assert_eq!(said(&repo).0, "in_sync", "the control: the same repository by its path");
}

#[test]
fn where_there_is_nothing_to_ask_the_reason_is_named() {
    let repo = project();
    let there = bare(&repo.beside("api.git"));
    repo.git(&["remote", "add", "origin", &there.display().to_string()]);
    repo.git(&["push", "-q", "-u", "origin", "main"]);
    assert_eq!(said(&repo).0, "in_sync", "the control: it could be asked");
    let not = |why: &str| ("not_compared".to_owned(), format!("remote not compared: {why}"));

    repo.git(&["switch", "-q", "--detach"]);
    assert_eq!(said(&repo), not("detached HEAD"));
    repo.git(&["switch", "-q", "-c", "own"]);
    assert_eq!(said(&repo), not("no single upstream: no branch.own.remote is configured"));
    repo.git(&["branch", "-q", "--set-upstream-to=main"]);
    assert_eq!(said(&repo), not("local upstream: own follows a branch of this repository"));
    repo.git(&["switch", "-q", "main"]);
    repo.git(&["config", "--add", "branch.main.merge", "refs/heads/other"]);
    assert_eq!(said(&repo), not("no single upstream: branch.main.merge has 2 values"));
    repo.git(&["config", "--unset-all", "branch.main.merge"]);
    assert_eq!(said(&repo), not("no single upstream: no branch.main.merge is configured"));
    for odd in ["refs/tags/v1", "refs/heads/a*b", "main", "refs/heads/--x/../y"] {
        repo.git(&["config", "branch.main.merge", odd]);
        assert_eq!(said(&repo), not(&format!("unsupported upstream ref: {odd}")));
    }
    repo.git(&["config", "branch.main.merge", MAIN]);
    repo.git(&["config", "branch.main.remote", "https://me:hunter2@example.org/acme/api.git"]);
    let (_, words) = said(&repo);
    assert!(
        words.contains("branch.main.remote is not the name of a remote"),
        "an address is no name: {words}"
    );
    assert!(!words.contains("hunter2"), "and is not repeated");
    repo.git(&["config", "branch.main.remote", "origin"]);

    let out_of_it = TestRepo::plain_directory();
    out_of_it.write("HANDOFF.md", "# Notes\n\nNext: measure\n");
    let (outcome, words) = said(&out_of_it);
    assert_eq!(outcome, "not_compared");
    assert!(words.contains("is not in a git repository"), "{words}");
    let unborn = TestRepo::new();
    unborn.write("HANDOFF.md", "# Notes\n\nNext: measure\n");
    assert_eq!(said(&unborn), not("no commit yet on main"));
}

#[test]
fn the_answer_stands_in_the_words_and_in_the_block_and_decides_no_verdict() {
    let repo = project();
    let there = bare(&repo.beside("api.git"));
    repo.git(&["remote", "add", "origin", &there.display().to_string()]);
    repo.git(&["push", "-q", "-u", "origin", "main"]);
    let line = "This checkout: in sync with origin refs/heads/main";
    let check = moorline(&repo, &["check", "HANDOFF.md", "--remote", "--yes"]);
    assert!(out(&check).lines().any(|have| have == line), "{}", out(&check));
    let block = moorline(&repo, &["context", "HANDOFF.md", "--remote", "--yes"]);
    assert!(out(&block).starts_with("[Handoff loaded: "), "the block comes first and alone");
    assert!(out(&block).lines().any(|have| have == line), "{}", out(&block));
    let inside = moorline_in(&repo, &repo.dir().join("src"), &["check", "--remote", "--yes"]);
    assert!(out(&inside).contains(line), "also from a directory below: {}", out(&inside));
    let silent = moorline(&repo, &["check", "HANDOFF.md", "--json"]);
    assert!(!out(&silent).contains("\"remote\""), "unasked it is not in the document");
    let code = |args: &[&str]| moorline(&repo, args).status.code();
    let before = code(&["check", "HANDOFF.md"]);
    git(&there, &["update-ref", "-d", MAIN]);
    assert_eq!(code(&["check", "HANDOFF.md", "--remote", "--yes"]), before, "no verdict hangs on a remote");
}
