//! The question at a terminal: what would be asked is shown, and only a yes asks it.

use portable_pty::CommandBuilder;

use crate::git::TestRepo;
use crate::pty::Terminal;
use crate::remotes::{Silent, bare};
use crate::{environment, moorline, project};

fn at_a_terminal(repo: &TestRepo, args: &[&str]) -> Terminal {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_moorline"));
    command.env_clear();
    for (name, value) in environment(repo) {
        command.env(name, value);
    }
    command.cwd(repo.dir());
    command.args(args);
    Terminal::start(command, 40, 140)
}

#[test]
fn a_person_sees_exactly_what_would_be_asked_and_a_no_asks_nothing() {
    let silent = Silent::listening();
    let repo = project();
    repo.git(&["remote", "add", "origin", &silent.url("git")]);
    repo.git(&["config", "branch.main.remote", "origin"]);
    repo.git(&["config", "branch.main.merge", "refs/heads/main"]);
    repo.git(&["config", "core.sshCommand", "sh canary.sh"]);
    for no in ["n\r", "\r", "what?\r"] {
        let mut terminal = at_a_terminal(&repo, &["check", "HANDOFF.md", "--remote"]);
        terminal.wait_text("Ask it? [y/N]");
        let seen = terminal.text();
        for line in [
            "argv      git  ls-remote  --exit-code  --  origin  refs/heads/main",
            "asks      127.0.0.1/acme/api",
            "core.sshCommand = sh canary.sh",
        ] {
            assert!(seen.contains(line), "{line:?} is shown before the yes:\n{seen}");
        }
        terminal.send(no);
        terminal.wait_text("remote not compared: denied");
        terminal.wait_end();
        assert!(!silent.was_contacted(), "{no:?} asks nobody");
    }
}

#[test]
fn a_yes_asks_once() {
    let repo = project();
    let there = bare(&repo.beside("api.git"));
    repo.git(&["remote", "add", "origin", &there.display().to_string()]);
    repo.git(&["push", "-q", "-u", "origin", "main"]);
    let mut terminal = at_a_terminal(&repo, &["context", "HANDOFF.md", "--remote"]);
    terminal.wait_text("Ask it? [y/N]");
    terminal.send("y\r");
    terminal.wait_text("This checkout: in sync with origin refs/heads/main");
    assert_eq!(terminal.wait_end(), 0, "and the block is printed");
    let lonely = moorline(&repo, &["context", "--yes"]);
    assert_eq!(lonely.status.code(), Some(2), "a yes to nothing is bad usage");
}
