//! The ways out of the screen: clipboard, pager and editor, each with exactly the block and nothing of the file in its
//! arguments.

use std::fs;

use portable_pty::CommandBuilder;

use crate::git::{TestRepo, write};
use crate::pty::Terminal;
use crate::{environment, moorline, out, project};

/// A handoff whose words would do harm in a shell or an argument.
fn hostile() -> TestRepo {
    let repo = project();
    repo.write(
        "HANDOFF.md",
        "# Tides; touch owned\n\n**Date:** 2026-10-01T08:00:00Z\n**Branch:** main\n\n## Next steps\n1. --help $(touch owned) `touch owned`\n",
    );
    repo
}

fn screen(repo: &TestRepo, vars: &[(&str, String)]) -> Terminal {
    let mut terminal = at_the_list(repo, vars, "HANDOFF.md");
    terminal.send("c");
    terminal.wait_text("[Handoff loaded: ");
    terminal
}

fn at_the_list(repo: &TestRepo, vars: &[(&str, String)], row: &str) -> Terminal {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_moorline"));
    command.env_clear();
    command.env("TERM", "xterm-256color");
    for (name, value) in environment(repo) {
        command.env(name, value);
    }
    for (name, value) in vars {
        command.env(name, value);
    }
    command.cwd(repo.dir());
    let mut terminal = Terminal::start(command, 40, 140);
    terminal.wait_listed(row);
    terminal
}

/// A program that writes down its arguments and what it is given.
fn witness(repo: &TestRepo, gets: &str) -> String {
    let script = repo.beside("witness.sh");
    let seen = repo.beside("seen");
    let text = format!(
        "for word in \"$@\"; do printf '%s\\n' \"$word\"; done > '{0}.argv'\n{{ {gets}; }} > '{0}.text'\n",
        seen.display()
    );
    write(&script, text);
    format!("/bin/sh {}", script.display())
}

fn seen(repo: &TestRepo, what: &str) -> String {
    fs::read_to_string(repo.beside(&format!("seen.{what}"))).expect("the program was here")
}

/// What `moorline context` prints.
fn block(repo: &TestRepo) -> String {
    out(&moorline(repo, &["context"])).trim_end().to_owned()
}

#[test]
fn the_clipboard_gets_exactly_the_block() {
    let repo = hostile();
    let mut terminal = screen(&repo, &[]);
    terminal.send("y");
    terminal.wait_text("to the terminal's clipboard (OSC 52).");
    let bytes = String::from_utf8_lossy(&terminal.bytes).into_owned();
    let sent = bytes.split("\u{1b}]52;c;").nth(1).and_then(|rest| rest.split('\u{1b}').next());
    let sent = sent.map(|sent| sent.trim_end_matches('\u{7}')).expect("a sequence for the clipboard");
    assert_eq!(decoded(sent).trim_end(), block(&repo), "what the command line prints");
    assert_eq!(bytes.matches("\u{1b}]52;").count(), 1, "once");
    terminal.send("q");
    terminal.wait_end();
}

#[test]
fn pager_and_editor_get_the_block_and_no_word_of_the_file_as_an_argument() {
    let repo = hostile();
    let pager = witness(&repo, "cat");
    let mut terminal = screen(&repo, &[("PAGER", format!("{pager} -R;touch owned"))]);
    terminal.send("o");
    terminal.wait_text("[Handoff loaded: ");
    terminal.wait_for("the pager's word", |_| repo.beside("seen.text").exists());
    terminal.send("q");
    terminal.wait_end();
    assert_eq!(seen(&repo, "text").trim_end(), block(&repo), "the pager reads exactly the block");
    assert_eq!(
        seen(&repo, "argv"),
        "-R;touch\nowned\n",
        "and has only the words of $PAGER, with no shell between"
    );

    fs::remove_file(repo.beside("seen.text")).expect("removed");
    let editor = witness(&repo, "cat \"$2\"; echo changed >> \"$2\"");
    let mut terminal = screen(&repo, &[("VISUAL", format!("{editor} --wait")), ("EDITOR", "false".into())]);
    terminal.send("e");
    terminal.wait_for("the editor's word", |_| repo.beside("seen.text").exists());
    terminal.wait_text("[Handoff loaded: ");
    terminal.send("q");
    terminal.wait_end();
    assert!(seen(&repo, "text").trim_end().starts_with(&block(&repo)), "the editor opens the block");
    let argv = seen(&repo, "argv");
    let words: Vec<&str> = argv.lines().collect();
    assert!(
        matches!(words[..], ["--wait", path] if path.starts_with('/')),
        "on a private file of ours: {words:?}"
    );
    assert!(!std::path::Path::new(words[1]).exists(), "which is gone afterwards");
    assert!(!repo.dir().join("owned").exists(), "and no word of the file was run");
    let handoff = fs::read_to_string(repo.dir().join("HANDOFF.md")).expect("read");
    assert!(!handoff.contains("changed"), "nor is the handoff touched");
}

#[test]
fn a_record_that_may_not_be_loaded_is_not_shown_as_a_block() {
    let repo = project();
    let id = "92ef12ae-08d4-4030-ab76-9586bb0c3a34";
    repo.write(
        ".memtomem/memories.local/2026-11-03--shared-project.md",
        &format!("## Handoff {id}\n\n> created: 2026-11-03T07:51:20+00:00\n> tags: [\"handoff\"]\n\n```text\nhandoff_id: {id}\n```\n"),
    );
    let mut terminal = at_the_list(&repo, &[], "2026-11-03");
    terminal.send("c");
    terminal.wait_text("Not loaded: the record in ");
    assert!(!terminal.text().contains("[Handoff loaded"), "no block of a torn record:\n{}", terminal.text());
    terminal.send("q");
    terminal.wait_end();
}

/// Base64, as a terminal reads it.
fn decoded(text: &str) -> String {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u8> = text.bytes().filter(|c| *c != b'=').map(value).collect();
    let mut bytes = Vec::new();
    for four in digits.chunks(4) {
        let whole =
            four.iter().fold(0_u32, |sum, digit| sum << 6 | u32::from(*digit)) << (6 * (4 - four.len()));
        bytes.extend(whole.to_be_bytes()[1..four.len()].iter());
    }
    String::from_utf8(bytes).expect("text")
}
