//! The demo's harness: this program, started under the name `claude`, behaves as the real client does in the
//! one fixed form: it takes a prompt on its standard input, appends a finished turn to the same session, and
//! prints its answer. It talks to no model and to no network.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::store::{Rows, VERSION};

/// Whether the program was started under the stand-in's name.
pub fn is_named(argv0: Option<&std::ffi::OsStr>) -> bool {
    argv0.is_some_and(|name| Path::new(name).file_name() == Some("claude".as_ref()))
}

/// Answers like the client; returns the exit code.
pub fn run(
    args: &[String],
    store: &Path,
    input: &mut dyn Read,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["--version"] => writeln!(out, "{VERSION} (Claude Code)").map_err(|error| error.to_string()),
        ["-p", "--resume", session] => go_on(session, store, input, out),
        _ => Err("the demo's claude knows only -p --resume ID and --version".to_owned()),
    };
    match result {
        Ok(()) => 0,
        Err(message) => {
            // Nobody is left to tell when even the error stream is gone; the exit code still says it.
            let _gone = writeln!(err, "{message}");
            1
        }
    }
}

fn go_on(session: &str, store: &Path, input: &mut dyn Read, out: &mut dyn Write) -> Result<(), String> {
    let mut prompt = String::new();
    input.read_to_string(&mut prompt).map_err(|error| error.to_string())?;
    if prompt.trim().is_empty() {
        return Err(
            "No deferred tool marker found in the resumed session. Provide a prompt to continue.".to_owned()
        );
    }
    let Some(file) = find(store, session) else {
        return Err(format!("No conversation found with session ID: {session}"));
    };
    let text = fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let last = text.lines().rev().find_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let last = last.ok_or("the session's file holds no row")?;
    let word = |pointer: &str| last.pointer(pointer).and_then(|v| v.as_str()).unwrap_or_default().to_owned();
    let (cwd, branch, model) = (word("/cwd"), word("/gitBranch"), word("/message/model"));
    let turns = text.lines().filter(|line| line.contains("\"type\":\"assistant\"")).count() + 1;
    let answer = format!("Turn {turns} of this session. You said: {}", prompt.trim());
    let rows = Rows { session, cwd: &cwd, branch: &branch, model: &model };
    let now = chrono::Utc::now().format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
    let mut file = fs::OpenOptions::new().append(true).open(&file).map_err(|error| error.to_string())?;
    let rows = rows.turn(turns, &now, prompt.trim(), &answer);
    file.write_all(rows.as_bytes()).map_err(|error| error.to_string())?;
    writeln!(out, "{answer}").map_err(|error| error.to_string())
}

/// The file of a session, whichever project folder it lies in.
fn find(store: &Path, session: &str) -> Option<PathBuf> {
    let folders = fs::read_dir(store.join("projects")).ok()?;
    folders.flatten().map(|folder| folder.path().join(format!("{session}.jsonl"))).find(|file| file.is_file())
}
