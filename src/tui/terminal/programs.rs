//! The clipboard, and the programs that get the terminal for a while: pager and editor.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::process::{Command, Stdio};

use crossterm::Command as _;
use crossterm::clipboard::CopyToClipboard;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use signal_hook::consts::signal::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;

use super::super::action::Answer;
use super::hold;
use super::wake::Signals;
use super::watch::Watch;
use crate::check::Examiner;
use crate::disk::Scratch;
use crate::harness::{self, Answer as Found};

/// What terminals take in one clipboard sequence, in bytes of text: many stop at 100,000 bytes of base64.
const MOST_COPIED: usize = 74_000;

/// Puts text on the clipboard through the terminal (OSC 52), which works over ssh too.
///
/// # Errors
/// The terminal is gone.
pub(super) fn copy(text: &str) -> io::Result<Answer> {
    if text.len() > MOST_COPIED {
        let sentence = format!(
            "Not copied: {} KB are too much for a terminal's clipboard; use the pager.",
            text.len() >> 10
        );
        return Ok(Answer::Said(sentence, false));
    }
    let mut sequence = String::new();
    if CopyToClipboard::to_clipboard_from(text).write_ansi(&mut sequence).is_err() {
        return Ok(Answer::Said("Not copied.".into(), false));
    }
    hold::write_all(sequence.as_bytes())?;
    let sentence = format!("Sent {} characters to the terminal's clipboard (OSC 52).", text.chars().count());
    Ok(Answer::Said(sentence, true))
}

/// Shows text in the person's pager (`$PAGER`, else `less`), through its standard input. The terminal must have
/// been given back. A sentence comes back where it did not go well.
pub(super) fn page(examiner: &Examiner, text: &str, signals: &Signals) -> Option<Answer> {
    let asked = words_of(examiner, &["PAGER"]);
    let words = if asked.is_empty() { vec!["less".to_owned()] } else { asked };
    let said = |sentence: String| Some(Answer::Said(sentence, false));
    let mut command = match command(examiner, &words) {
        Ok(command) => command,
        Err(why) => return said(why),
    };
    let mut child = match command.stdin(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(why) => return said(format!("{} could not be started: {why}", words[0])),
    };
    let watch = Watch::over(&child, signals);
    if let Some(mut input) = child.stdin.take() {
        let text = text.to_owned();
        // Beside the wait: it is over with the pager's end also where another program keeps the pipe and reads nothing.
        // A pager that is left early closes its end, which is no error.
        std::thread::spawn(move || input.write_all(text.as_bytes()));
    }
    let result = wait(child.id());
    watch.has_ended_it();
    signals.forget_interrupts();
    match result {
        Ok(true) => None,
        Ok(false) => said(format!("{} reported an error.", words[0])),
        Err(why) => said(format!("{}: {why}", words[0])),
    }
}

/// Lets the person write text in their editor (`$VISUAL`, `$EDITOR`, else `vi`), on a private file that is gone
/// afterwards. The terminal must have been given back.
///
/// # Errors
/// A sentence where there is no text to take.
pub(super) fn edit(examiner: &Examiner, text: &str, signals: &Signals) -> Result<String, String> {
    let asked = words_of(examiner, &["VISUAL", "EDITOR"]);
    let words = if asked.is_empty() { vec!["vi".to_owned()] } else { asked };
    let mut command = command(examiner, &words)?;
    let scratch = Scratch::with(text).map_err(|why| format!("No file to write it in: {why}"))?;
    let child = command.arg(scratch.path()).spawn();
    let child = child.map_err(|why| format!("{} could not be started: {why}", words[0]))?;
    let watch = Watch::over(&child, signals);
    let ended_well = wait(child.id()).map_err(|why| format!("{}: {why}", words[0]))?;
    let was_ended = watch.has_ended_it();
    signals.forget_interrupts();
    // Where the person could not end it as they wanted, what they wrote to the file so far is theirs all the same.
    if !ended_well && !was_ended {
        return Err(format!("{} reported an error; nothing of it is taken.", words[0]));
    }
    scratch.read().map_err(|why| why.to_string())
}

/// The words of the first of these variables that is set: a program and its options, without a shell.
fn words_of(examiner: &Examiner, variables: &[&str]) -> Vec<String> {
    let vars = &examiner.around().vars;
    let set = variables.iter().filter_map(|name| vars.get(OsStr::new(name))?.to_str());
    set.map(|value| value.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .find(|words| !words.is_empty())
        .unwrap_or_default()
}

/// A command for a program outside the project, found in absolute `PATH` entries only.
fn command(examiner: &Examiner, words: &[String]) -> Result<Command, String> {
    let Some((name, options)) = words.split_first() else { return Err("No program is set.".into()) };
    let path = if name.starts_with('/') {
        name.into()
    } else {
        match harness::program(examiner.around(), name, &[examiner.project().to_owned()]) {
            Found::Found(program) => program.path,
            Found::Absent(why) | Found::Unknown(why) => return Err(format!("{name}: {why}")),
        }
    };
    let mut command = Command::new(path);
    command.args(options);
    Ok(command)
}

/// Waits for a program that has the terminal; when it is stopped, so are we, and both go on together.
/// Says whether it ended well.
fn wait(id: u32) -> io::Result<bool> {
    let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) else { return Ok(false) };
    loop {
        match waitpid(Some(pid), WaitOptions::UNTRACED) {
            Ok(Some((_, status))) if status.stopped() => {
                emulate_default_handler(SIGTSTP)?;
                let _ = kill_process(pid, Signal::CONT);
            }
            Ok(Some((_, status))) => return Ok(status.exit_status() == Some(0)),
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
