//! A `claude` that writes down how it was started and then behaves as a script says.
//!
//! Everything it writes down lies beside the project, never in it: `seen/{argv,cwd,inode,environ,stdin}` of the
//! last start, and one line per start in `seen/starts`.

#![allow(dead_code, reason = "each test program uses another part of the canary")]

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::true_project::{MODEL, SESSION, TrueProject, set_mode};

/// What a script can use: `$now`, `$store` (the session's file), `$dir` (its directory), `turn FILE ID MODEL TIME`.
const PRELUDE: &str = r#"#!/bin/sh
seen='@BASE@/seen'
/bin/mkdir -p "$seen"
for word in "$@"; do printf '%s\n' "$word"; done > "$seen/argv"
/bin/pwd -P > "$seen/cwd"
/usr/bin/stat -c %i . > "$seen/inode"
/bin/cat "/proc/$$/environ" > "$seen/environ"
/bin/cat > "$seen/stdin"
printf '%s\n' "$3" >> "$seen/starts"
store='@STORE@'
dir=${store%/*}
now=$(/bin/date -u +%Y-%m-%dT%H:%M:%S.000Z)
row() {
  printf '{"parentUuid":null,"isSidechain":false,"cwd":"%s","sessionId":"%s","version":"2.1.332","type":"assistant",' \
    '@CWD@' "$2" >> "$1"
  printf '"message":{"id":"msg_%s","role":"assistant","model":"%s","content":[{"type":"text","text":"Done."}],"stop_reason":%s},' \
    "$$" "$3" "$5" >> "$1"
  printf '%s"uuid":"22222222-0000-4000-8000-000000000001","timestamp":"%s"}\n' "$6" "$4" >> "$1"
}
turn() { row "$1" "$2" "$3" "$4" '"end_turn"' ''; }
"#;

/// A finished turn in the right session: the one honest behaviour.
pub const HONEST: &str = "turn \"$store\" @ID@ @MODEL@ \"$now\"\necho 'A reply'\n";

/// The ways a client can end: its script, and the exit code or the signal that is to be told of it.
pub const ENDS: [(&str, Option<i32>, Option<&str>); 7] = [
    ("exit 0", Some(0), None),
    ("exit 1", Some(1), None),
    ("exit 2", Some(2), None),
    ("exit 127", Some(127), None),
    ("kill -2 $$", None, Some("SIGINT")),
    ("kill -9 $$", None, Some("SIGKILL")),
    ("kill -15 $$", None, Some("SIGTERM")),
];

/// Puts a canary of this behaviour where the project's claude is.
pub fn install(project: &TrueProject, behaviour: &str) {
    let text = [PRELUDE, behaviour].concat();
    let text = text
        .replace("@BASE@", &project.base().display().to_string())
        .replace("@STORE@", &project.session().display().to_string())
        .replace("@CWD@", &project.worktree().display().to_string())
        .replace("@ID@", SESSION)
        .replace("@MODEL@", MODEL);
    // Copied by a program of its own: a child that another test starts meanwhile would hold this file open for writing,
    // and a file that is being written cannot be run.
    let draft = project.base().join("canary");
    fs::write(&draft, text).expect("the canary can be written");
    let copied = Command::new("cp").arg(&draft).arg(project.program()).status().expect("cp runs");
    assert!(copied.success(), "the canary is in its place");
    set_mode(&project.program(), 0o755);
}

/// How often it was started.
pub fn starts(project: &TrueProject) -> usize {
    fs::read_to_string(seen(project, "starts")).map_or(0, |text| text.lines().count())
}

/// One of the files it wrote down.
pub fn seen(project: &TrueProject, name: &str) -> PathBuf {
    project.base().join("seen").join(name)
}

/// The same as text.
pub fn saw(project: &TrueProject, name: &str) -> String {
    fs::read_to_string(seen(project, name)).expect("the canary wrote it down")
}

/// The environment it was started with.
pub fn environment(project: &TrueProject) -> BTreeMap<String, String> {
    let text = saw(project, "environ");
    let pairs = text.split('\0').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
