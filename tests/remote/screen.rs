//! The comparison on the screen: the question first, the answer after a yes, and nobody left behind.

use portable_pty::CommandBuilder;

use crate::git::TestRepo;
use crate::pty::Terminal;
use crate::remotes::{Silent, bare};
use crate::{environment, project};

fn screen(repo: &TestRepo, rows: u16) -> Terminal {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_moorline"));
    command.env_clear();
    command.env("TERM", "xterm-256color");
    for (name, value) in environment(repo) {
        command.env(name, value);
    }
    command.cwd(repo.dir());
    let mut terminal = Terminal::start(command, rows, 120);
    terminal.wait_listed("HANDOFF.md");
    terminal
}

fn follow(repo: &TestRepo, url: &str) {
    repo.git(&["remote", "add", "origin", url]);
    repo.git(&["config", "branch.main.remote", "origin"]);
    repo.git(&["config", "branch.main.merge", "refs/heads/main"]);
}

#[test]
fn the_answer_comes_after_a_yes_to_what_is_shown() {
    let repo = project();
    let there = bare(&repo.beside("api.git"));
    follow(&repo, &there.display().to_string());
    repo.git(&["push", "-q", "origin", "main"]);
    let mut terminal = screen(&repo, 40);
    terminal.send("R");
    terminal.wait_text("argv      git  ls-remote  --exit-code  --  origin  refs/heads/main");
    assert!(terminal.text().contains("y ask"), "the key of the yes is named:\n{}", terminal.text());
    terminal.send("y");
    terminal.wait_text("This checkout: in sync with origin refs/heads/main");
    assert!(!terminal.text().contains("y ask"), "and asked once");
    terminal.send("\u{1b}");
    terminal.wait_for("the panes", |text| !text.contains("This checkout and its remote"));
    repo.git(&["switch", "-q", "--detach"]);
    terminal.send("R");
    terminal.wait_text("This checkout: remote not compared: detached HEAD");
    terminal.send("q");
    assert_eq!(terminal.wait_end(), 0);
}

#[test]
fn without_a_yes_nobody_is_asked_and_a_small_window_is_read_to_the_end_first() {
    let silent = Silent::listening();
    let repo = project();
    follow(&repo, &silent.url("git"));
    let mut terminal = screen(&repo, 9);
    terminal.send("R");
    terminal.wait_text("This asks the remote");
    terminal.send("y");
    terminal.wait_for("more of it", |text| !text.contains("This asks the remote"));
    assert!(!silent.was_contacted(), "the end of it was not seen: the key reads on");
    terminal.send("\u{1b}");
    terminal.wait_for("the panes", |text| !text.contains("This checkout and its remote"));
    terminal.send("q");
    terminal.wait_end();
    assert!(!silent.was_contacted(), "and closing it asks nobody");
}

#[test]
fn closing_the_box_or_the_screen_ends_git() {
    let silent = Silent::listening();
    let repo = project();
    follow(&repo, &silent.url("git"));
    for keys in ["\u{1b}", "q"] {
        let mut terminal = screen(&repo, 40);
        terminal.send("R");
        terminal.wait_text("y ask");
        terminal.send("y");
        terminal.wait_text("git asks");
        let mut visitor = silent.visitor();
        assert!(!visitor.request().is_empty(), "{keys:?}: a positive control: it is asked");
        terminal.send(keys);
        // The read ends when nobody holds the connection any more: long before the time limit.
        visitor.heard_out();
        if keys != "q" {
            terminal.wait_for("the panes", |text| !text.contains("This checkout and its remote"));
            terminal.send("q");
        }
        terminal.wait_end();
    }
}
