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

/// The path that the screen gives for words that were not saved, with what lies there.
fn kept(project: &Path) -> String {
    let drafts = beside(project, "home").join(".local/state/moorline/drafts");
    let mut files = fs::read_dir(drafts).expect("made").map(|entry| entry.expect("an entry").path());
    let text = fs::read_to_string(files.next().expect("one")).expect("read");
    assert_eq!(files.next(), None, "and only one");
    text
}

#[test]
fn words_that_were_not_saved_are_kept_when_the_screen_ends() {
    for leaves in [true, false] {
        let repo = with_a_plan();
        let mut terminal = screen(repo.dir(), &[]);
        terminal.wait_text("No handoffs here yet");
        terminal.send("s");
        terminal.wait_text("the active plan");
        terminal.send("Rotate tokens\t\t\tCount them");
        terminal.wait_text("Count them");
        if leaves {
            terminal.send("\x1b");
            terminal.wait_text("goes on with your words");
            terminal.send("q");
            terminal.wait_text("words that were not saved are kept");
            assert_eq!(code_and_terminal_as_it_was(&mut terminal), "0", "it is left as always");
        } else {
            let program = pty::child_of_the_shell(&terminal);
            rustix::process::kill_process(program, rustix::process::Signal::HUP).expect("it is told to end");
            terminal.wait_text("words that were not saved are kept");
            assert_eq!(code_and_terminal_as_it_was(&mut terminal), "129", "it ends as a hang-up ends it");
        }
        let said = kept(repo.dir());
        assert_eq!(said, r#"{"task":"Rotate tokens","next":["Count them"]}"#, "as the verb takes it");
        assert!(!repo.dir().join("plans/260901-auth/HANDOFF.md").exists(), "and nothing was saved");
    }
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
