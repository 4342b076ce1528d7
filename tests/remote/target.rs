//! The state of the issue that a next step names: gh is asked once, with nothing of the file but one checked word.

use std::fs;
use std::process::Command;

use crate::git::{TestRepo, write};
use crate::{environment, out, project};

/// A gh that writes down what it was told, and answers so.
fn with_gh(script: &str) -> TestRepo {
    let repo = project();
    let draft = repo.beside("gh.sh");
    let seen = repo.beside("seen");
    write(
        &draft,
        format!("#!/bin/sh\nfor word in \"$@\"; do echo \"$word\"; done >> '{}'\n{script}\n", seen.display()),
    );
    let program = repo.beside("bin/gh");
    fs::create_dir_all(repo.beside("bin")).expect("made");
    fs::create_dir_all(repo.beside("home")).expect("made");
    // Copied by a program of its own: a file that is still open for writing in a child of another test cannot be run.
    let copied = Command::new("cp").args([&draft, &program]).status().expect("cp runs");
    assert!(copied.success(), "gh is in its place");
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .expect("made a program");
    repo
}

fn step(repo: &TestRepo, next: &str) {
    repo.write("HANDOFF.md", &format!("# Notes\n\n**Branch:** main\n\n## Next steps\n1. {next}\n"));
}

/// The line of the block about the target.
fn said(repo: &TestRepo, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
    command
        .env_clear()
        .envs(environment(repo))
        .current_dir(repo.dir())
        .args(["context", "HANDOFF.md"])
        .args(args);
    let path = format!("{}:{}", repo.beside("bin").display(), std::env::var("PATH").expect("a PATH"));
    let output = command.env("PATH", path).output().expect("moorline runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let block = out(&output);
    let line = block.lines().find_map(|line| line.strip_prefix("Target state: "));
    line.unwrap_or_else(|| panic!("a line about the target: {block}")).to_owned()
}

#[test]
fn gh_is_asked_after_a_yes_and_its_answer_is_inert() {
    let repo = with_gh("printf '{\"state\":\"OPEN\",\"title\":\"Rotate \\\\u001b[31mtokens\"}'");
    step(&repo, "mend acme/api#12, then rest");
    assert_eq!(
        said(&repo, &["--target"]),
        "target not checked: denied: nobody was there to say yes; --yes says it"
    );
    assert!(!repo.beside("seen").exists(), "nothing was run");
    let known = said(&repo, &["--target", "--yes"]);
    assert!(known.starts_with("acme/api#12 is open: Rotate ") && known.ends_with("tokens"), "{known}");
    assert!(!known.contains('\u{1b}'), "and no control of the title: {known:?}");
    let seen = fs::read_to_string(repo.beside("seen")).expect("the control: gh was run");
    assert_eq!(seen, "issue\nview\n12\n--repo=acme/api\n--json\nstate,title\n", "once, with these words");
}

#[test]
fn whatever_else_a_step_says_is_not_asked_for() {
    let repo = with_gh("echo '{}'");
    for next in ["mend #12", "--repo=x/y#1 $(touch owned)", "acme/api#1 or acme/api#2", "see (acme/api#12"] {
        step(&repo, next);
        let words = said(&repo, &["--target", "--yes"]);
        assert!(words.starts_with("target not checked: the next step names "), "{next:?}: {words}");
        assert!(!repo.beside("seen").exists(), "{next:?}: nothing was run");
    }
    step(&repo, "land https://github.com/acme/api/pull/7.");
    assert_eq!(said(&repo, &["--target", "--yes"]), "target not checked: gh gave no answer that can be read");
    assert!(
        fs::read_to_string(repo.beside("seen")).is_ok_and(|seen| seen.starts_with("pr\nview\n7\n")),
        "the control"
    );
}

#[test]
fn a_gh_that_refuses_or_says_nothing_is_told() {
    let repo = with_gh("echo 'Could not resolve to a Repository' >&2\nexit 1");
    step(&repo, "mend acme/api#12");
    assert_eq!(
        said(&repo, &["--target", "--yes"]),
        "target not checked: gh ended with code 1: Could not resolve to a Repository"
    );
    let repo = with_gh("/bin/sleep 1000");
    write(&repo.beside("home/.config/moorline/config.toml"), "remote_limit = 1\n");
    step(&repo, "mend acme/api#12");
    assert_eq!(said(&repo, &["--target", "--yes"]), "target not checked: timed out after 1 s");
}
