//! The form on a real terminal: typed, written in an editor, saved; and the terminal afterwards.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::{beside, everything, read, with_a_plan};
use crate::pty::{self, Terminal, code_and_terminal_as_it_was};

/// moorline on a project, under a shell that looks at the terminal before and after.
fn screen(project: &Path, vars: &[(&str, String)]) -> Terminal {
    fs::create_dir_all(beside(project, "home")).expect("a home");
    let program = Path::new(env!("CARGO_BIN_EXE_moorline"));
    let mut command = pty::between_two_looks(project, program, &[]);
    command.env("HOME", beside(project, "home"));
    for (name, value) in vars {
        command.env(name, value);
    }
    Terminal::start(command, 40, 120)
}

#[test]
fn a_person_types_looks_says_yes_and_leaves() {
    let repo = with_a_plan();
    let before = everything(repo.dir());
    let mut terminal = screen(repo.dir(), &[("NO_COLOR", "1".into())]);
    terminal.wait_text("No handoffs here yet");
    terminal.send("s");
    terminal.wait_text("Save a handoff");
    terminal.wait_text("the active plan");
    terminal.send("Rotate tokens\t\t\t\x1b[200~Count them\rThen sell\x1b[201~");
    terminal.wait_text("Then sell");
    terminal.send("\x13");
    terminal.wait_text("+ 1. Count them");
    assert_eq!(everything(repo.dir()), before, "nothing is written before the yes");
    terminal.send("y");
    terminal.wait_text("saved to");
    terminal.send("\x1b");
    terminal.wait_for("the new row", |screen| screen.contains("260901-auth") && !screen.contains("saved to"));
    terminal.send("q");
    assert_eq!(code_and_terminal_as_it_was(&mut terminal), "0", "and leaves the terminal as it was");
    let handoff = read(&repo.dir().join("plans/260901-auth/HANDOFF.md"));
    assert_eq!(handoff.next_actions.len(), 2, "both steps were saved: {:?}", handoff.next_actions);
}

#[test]
fn an_editor_that_the_person_names_gets_the_terminal_and_gives_it_back() {
    let repo = with_a_plan();
    let editor = beside(repo.dir(), "my editor");
    fs::create_dir_all(&editor).expect("made");
    let script = editor.parent().expect("a directory").join("editor");
    // It proves that it has the terminal by reading a line from it, and that it was given its option.
    let lines = "#!/bin/sh\nprintf 'EDITOR %s HAS THE TERMINAL\\n' \"$1\"\nread -r answer\n\
                 printf 'from the editor: %s\\n  and more\\n- a second\\n' \"$answer\" >> \"$2\"\n";
    fs::write(&script, lines).expect("written");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("executable");
    let vars = [("VISUAL", format!("{} --wait;touch", script.display())), ("EDITOR", "false".into())];
    let mut terminal = screen(repo.dir(), &vars);
    terminal.wait_text("No handoffs here yet");
    terminal.send("s");
    terminal.wait_text("the active plan");
    terminal.send("\t\t\tbefore");
    terminal.wait_text("before");
    terminal.send("\x05");
    terminal.wait_text("EDITOR --wait;touch HAS THE TERMINAL");
    assert!(!terminal.screen().alternate_screen(), "the shell's screen is its");
    terminal.send("hello\r");
    terminal.wait_text("from the editor: hello");
    assert!(terminal.screen().alternate_screen(), "and ours again");
    terminal.send("\x13");
    terminal.wait_text("+ 2. a second");
    terminal.send("y");
    terminal.wait_text("saved to");
    terminal.send("\x1bq");
    terminal.send("q");
    assert_eq!(code_and_terminal_as_it_was(&mut terminal), "0", "and the terminal is as it was");
}
