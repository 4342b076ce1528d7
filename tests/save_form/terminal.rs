//! The form on a real terminal: typed, written in an editor, saved; and the terminal afterwards.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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

/// Opens the form, once the list is known to be empty.
fn open_form(terminal: &mut Terminal) {
    terminal.wait_text("No handoffs here yet");
    terminal.send("s");
    terminal.wait_text("the active plan");
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

/// The words of saves that were not made, as they are kept.
fn drafts(project: &Path) -> Vec<String> {
    let drafts = beside(project, "home").join(".local/state/moorline/drafts");
    let files = fs::read_dir(drafts).into_iter().flatten().map(|entry| entry.expect("an entry").path());
    // A file that begins with a dot is not whole yet.
    let is_whole =
        |path: &PathBuf| !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    files.filter(is_whole).filter_map(|path| fs::read_to_string(path).ok()).collect()
}

/// The only ones.
fn kept(project: &Path) -> String {
    let mut drafts = drafts(project);
    assert_eq!(drafts.len(), 1, "one is kept, and only one: {drafts:?}");
    drafts.remove(0)
}

/// Waits until what is kept is so; says how long it took.
fn wait_kept(project: &Path, what: &str, so: impl Fn(&[String]) -> bool) -> Duration {
    let begun = Instant::now();
    while !so(&drafts(project)) {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}: {:?}", drafts(project));
        std::thread::yield_now();
    }
    begun.elapsed()
}

#[test]
fn a_killed_screen_loses_a_moment_of_typing_and_the_next_one_brings_the_rest_back() {
    let repo = with_a_plan();
    let open = || {
        let mut terminal = screen(repo.dir(), &[]);
        open_form(&mut terminal);
        terminal
    };
    let mut terminal = open();
    assert!(!terminal.text().contains("never saved"), "a control: nothing was left yet");
    terminal.send("Rotate tokens\t\t\tCount them\rThen sell");
    terminal.wait_text("Then sell");
    let said = r#"{"task":"Rotate tokens","next":["Count them","Then sell"]}"#;
    let took = wait_kept(repo.dir(), "what was typed is kept", |drafts| drafts == [said]);
    assert!(took < Duration::from_secs(5), "within seconds of being seen: {took:?}");
    let mut other = open();
    assert!(!other.text().contains("never saved"), "what is being typed elsewhere is not offered");
    other.send("\x1b");
    terminal.send("!");
    wait_kept(repo.dir(), "and goes on being kept", |drafts| drafts[0].contains("Then sell!"));
    let program = pty::child_of_the_shell(&terminal);
    rustix::process::kill_process(program, rustix::process::Signal::KILL).expect("killed");
    terminal.wait_text("code=137");
    assert!(kept(repo.dir()).contains("Then sell!"), "it stays");
    let mut terminal = open();
    terminal.wait_text("were never saved: ctrl-r brings them back.");
    assert!(!terminal.text().contains("Then sell"), "nobody speaks for the person");
    terminal.send("\x12");
    terminal.wait_text("Then sell!");
    terminal.wait_text("2 fields brought back");
    terminal.send("\x13");
    terminal.wait_text("+ 2. Then sell!");
    terminal.send("y");
    terminal.wait_text("saved to");
    wait_kept(repo.dir(), "what is saved is kept no longer", <[String]>::is_empty);
    terminal.send("\x1bq");
    terminal.send("q");
    assert_eq!(code_and_terminal_as_it_was(&mut terminal), "0", "and the terminal is as it was");
    let handoff = read(&repo.dir().join("plans/260901-auth/HANDOFF.md"));
    assert_eq!(handoff.next_actions.len(), 2, "both steps were saved: {:?}", handoff.next_actions);
}

#[test]
fn a_secret_is_kept_nowhere_and_the_words_beside_it_are() {
    let repo = with_a_plan();
    let mut terminal = screen(repo.dir(), &[]);
    open_form(&mut terminal);
    let token = format!("ghp_{}", "a1B2".repeat(9));
    terminal.send("Rotate tokens\t\t\tCount them");
    terminal.send(&format!("\t\x1b[200~{token}\x1b[201~"));
    terminal.wait_text("GitHub token");
    terminal.send("\x1b[Z now");
    let said = r#"{"task":"Rotate tokens","next":["Count them now"]}"#;
    wait_kept(repo.dir(), "the other fields are kept", |drafts| drafts == [said]);
    terminal.send("\x1b");
    terminal.wait_text("goes on with your words");
    terminal.send("q");
    terminal.wait_text("but for what a secret stands in");
    let state = beside(repo.dir(), "home").join(".local/state");
    for (path, bytes) in everything(&state) {
        assert!(!String::from_utf8_lossy(&bytes).contains(&token), "{}", path.display());
    }
    assert_eq!(kept(repo.dir()), said, "a control: the words beside it are there");
}

#[test]
fn where_nothing_can_be_kept_that_is_said_while_it_is_typed() {
    let repo = with_a_plan();
    fs::create_dir_all(beside(repo.dir(), "home")).expect("a home");
    fs::write(beside(repo.dir(), "home").join(".local"), "no directory").expect("written");
    let mut terminal = screen(repo.dir(), &[]);
    open_form(&mut terminal);
    terminal.send("Rotate tokens");
    terminal.wait_text("What you type is not kept until it is saved");
    terminal.send("\x1b");
    terminal.wait_text("goes on with your words");
    terminal.send("q");
    terminal.wait_text(r#"{"task":"Rotate tokens"}"#);
}

#[test]
fn words_that_were_not_saved_are_kept_when_the_screen_ends() {
    for leaves in [true, false] {
        let repo = with_a_plan();
        let mut terminal = screen(repo.dir(), &[]);
        open_form(&mut terminal);
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
    open_form(&mut terminal);
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

/// An editor that writes to its file, minds neither a hang-up nor being asked to end, and is left by an empty line.
const STUBBORN: &str = "#!/bin/sh\ntrap '' HUP TERM INT\nprintf '\\n- from the editor\\n' >> \"$1\"\n\
                        echo \"EDITOR $$ IS OPEN\"\nwhile read -r line && test -n \"$line\"; do :; done\n";

#[test]
fn an_end_that_is_wanted_while_an_editor_is_open_ends_both_and_keeps_what_it_wrote() {
    use rustix::process::{Pid, Signal, kill_process, test_kill_process};
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let repo = with_a_plan();
        let editor = beside(repo.dir(), "editor");
        fs::write(&editor, STUBBORN).expect("written");
        fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).expect("executable");
        let mut terminal = screen(repo.dir(), &[("EDITOR", editor.display().to_string())]);
        open_form(&mut terminal);
        terminal.send("\t\t\tbefore");
        terminal.wait_text("before");
        terminal.send("\x05");
        terminal.wait_text("IS OPEN");
        let text = terminal.text();
        let id = text.split("EDITOR ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
        let id = id.and_then(Pid::from_raw).expect("it says its number");
        kill_process(pty::child_of_the_shell(&terminal), signal).expect("the signal is sent");
        if signal == Signal::INT {
            // An interrupt is the editor's own: it goes on as long as it likes.
            terminal.send("a line\r\r");
            terminal.wait_text("from the editor");
            terminal.wait_for("the form again", |screen| screen.contains("the active plan"));
            continue;
        }
        let begun = Instant::now();
        let code = code_and_terminal_as_it_was(&mut terminal);
        assert!(
            begun.elapsed() < Duration::from_secs(3),
            "soon, on a busy machine too: {:?}",
            begun.elapsed()
        );
        assert_eq!(code, (128 + signal.as_raw()).to_string(), "it ends by that signal");
        assert!(test_kill_process(id).is_err(), "and the editor has ended before");
        let said = r#"{"next":["before","from the editor"]}"#;
        assert_eq!(kept(repo.dir()), said, "what was written in it is kept");
    }
}
