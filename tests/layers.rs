//! The rule of the floors: a room uses only rooms that lie below it. Reads the imports, so that an arrow that
//! runs up or sideways fails here before it becomes a habit.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Rooms from the ground up; rooms on one floor are strangers to each other.
const FLOORS: &[&[&str]] = &[
    &["handoff"],
    &["disk"],
    &["place", "repo", "harness", "policy", "settings"],
    &["check"],
    &["resume", "shelf", "snapshot"],
    &["save"],
    &["demo", "cli", "tui"],
    &["main", "lib"],
];

/// Crates that only these rooms may name: whoever else needs them asks that room.
const KEEPERS: &[(&str, &[&str])] = &[
    ("gix", &["repo"]),
    ("cap_std", &["disk"]),
    ("cap_fs_ext", &["disk"]),
    ("cap_tempfile", &["disk"]),
    ("notify", &["disk"]),
    ("rusqlite", &["harness"]),
    ("crossterm", &["tui"]),
    ("ratatui", &["tui"]),
    ("clap", &["cli", "main"]),
    ("color_eyre", &["main"]),
];

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

fn sources(dir: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("src can be listed") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

fn room_of(path: &Path, src: &Path) -> String {
    let relative = path.strip_prefix(src).expect("below src");
    let first = relative.iter().next().expect("a file has a name").to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// The code of a file without its line comments: a doc link is no import.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The rooms that a text names as `crate::room` or `moorline::room`, also inside `crate::{a, b::c}`.
fn named_rooms(text: &str) -> Vec<String> {
    let mut rooms = Vec::new();
    for prefix in ["crate::", "moorline::"] {
        for (at, _) in text.match_indices(prefix) {
            let rest = &text[at + prefix.len()..];
            match rest.strip_prefix('{') {
                Some(list) => rooms.extend(heads_of_list(list)),
                None => rooms.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()),
            }
        }
    }
    rooms.retain(|room| !room.is_empty());
    rooms
}

/// The first word of each item of an import list, whose opening brace is already gone.
fn heads_of_list(list: &str) -> Vec<String> {
    let (mut heads, mut word, mut in_head, mut depth) = (Vec::new(), String::new(), true, 0);
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                heads.push(std::mem::take(&mut word));
                in_head = true;
            }
            ':' if depth == 0 => in_head = false,
            c if depth == 0 && in_head && (c.is_alphanumeric() || c == '_') => word.push(c),
            _ => {}
        }
    }
    heads.push(word);
    heads
}

fn wrong_arrows(files: &BTreeMap<PathBuf, String>, src: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    for (path, text) in files {
        let room = room_of(path, src);
        let Some(own) = floor(&room) else {
            wrong.push(format!("{} is in a room that has no floor: {room}", path.display()));
            continue;
        };
        let text = code(text);
        for named in named_rooms(&text).into_iter().filter(|named| *named != room) {
            if let Some(other) = floor(&named).filter(|&other| other >= own) {
                let way = if other == own { "sideways" } else { "up" };
                wrong.push(format!("{}: `{room}` uses `{named}`, an arrow {way}", path.display()));
            }
        }
        for (krate, keepers) in KEEPERS {
            if text.contains(&format!("{krate}::")) && !keepers.contains(&room.as_str()) {
                wrong.push(format!("{}: `{room}` names `{krate}`, which is {keepers:?}'s", path.display()));
            }
        }
    }
    wrong
}

#[test]
fn every_import_runs_down_the_floors() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&src, &mut paths);
    assert!(paths.len() > 15, "the sources were found: {}", paths.len());
    let files = paths.into_iter().map(|p| (p.clone(), fs::read_to_string(&p).expect("readable"))).collect();
    let wrong = wrong_arrows(&files, &src);
    assert!(wrong.is_empty(), "arrows that run up or sideways:\n{}", wrong.join("\n"));
}

#[test]
fn an_arrow_up_and_one_sideways_are_noticed() {
    let src = PathBuf::from("/src");
    let files = BTreeMap::from([
        (src.join("disk/mod.rs"), "use crate::{handoff::Inert, check};".to_owned()),
        (src.join("repo/head.rs"), "use crate::place::Listed; // crate::tui in a comment".to_owned()),
        (src.join("check/judge.rs"), "use crate::repo::Repo;\nfn f() { gix::open(); }".to_owned()),
    ]);
    let wrong = wrong_arrows(&files, &src).join("\n");
    assert!(wrong.contains("`disk` uses `check`, an arrow up"), "up is seen inside braces: {wrong}");
    assert!(wrong.contains("`repo` uses `place`, an arrow sideways"), "sideways is seen: {wrong}");
    assert!(wrong.contains("`check` names `gix`"), "a kept crate is seen outside its room: {wrong}");
    assert_eq!(wrong.lines().count(), 3, "and nothing else is: {wrong}");
}
