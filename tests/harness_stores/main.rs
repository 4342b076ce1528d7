//! Three hundred sessions in each client's store, in forty directories, with everything in them that crashes, moves and
//! old versions leave: each is read as it is or is unknown with its reason. And how little of a store is read to open
//! one lane.

#![allow(clippy::print_stdout, reason = "these tests tell their figures")]

#[path = "../common/other_lanes.rs"]
mod other_lanes;
#[path = "../common/strace.rs"]
mod strace;
#[path = "../common/true_project.rs"]
mod true_project;

mod claude;
mod codex;
mod databases;
mod little;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use moorline::handoff::{HarnessName, SessionId};
use moorline::harness::{self, Answer, Session, Surroundings};

/// How many sessions a store has.
const SESSIONS: usize = 300;
/// How many directories they were begun in.
const DIRECTORIES: usize = 40;

/// The directories, as the sessions recorded them and as they are now: one is gone, one was moved, and one was reached
/// by a link.
pub struct Places {
    base: PathBuf,
}

const GONE: usize = 37;
const MOVED: usize = 38;
const LINKED: usize = 39;

impl Places {
    fn lay_out(base: &Path) -> Self {
        let places = Self { base: base.canonicalize().expect("it is there").join("work") };
        for n in (0..DIRECTORIES).filter(|n| *n != GONE) {
            fs::create_dir_all(places.directory(n)).expect("a directory");
        }
        fs::rename(places.directory(MOVED), places.base.join("moved")).expect("moved");
        symlink(places.directory(LINKED), places.base.join("by-link")).expect("a link");
        places
    }

    fn directory(&self, n: usize) -> PathBuf {
        self.base.join(format!("d{n:02}"))
    }

    /// As session `n` recorded it.
    pub fn recorded(&self, n: usize) -> String {
        let path = match n % DIRECTORIES {
            LINKED => self.base.join("by-link"),
            n => self.directory(n),
        };
        path.display().to_string()
    }
}

/// One session that was laid out.
pub struct Made {
    /// Its own.
    pub id: String,
    /// What is out of the ordinary about it.
    pub what: &'static str,
    /// What has to be said of it: `turns model cwd damaged ids`, or `unknown` and some words of the reason.
    pub expected: String,
    /// Whether its beginning says that it began in the directory of its number.
    pub began_there: bool,
}

/// The id of session `n` in a client's own shape; `kind` tells apart what belongs to it.
pub fn id(name: HarnessName, n: usize, kind: usize) -> String {
    match name {
        HarnessName::Hermes => format!("20261101_{:06}_{kind:02x}{n:04x}", n),
        HarnessName::Opencode => format!("ses_{kind:04x}{n:08x}abCDEFghijklmn"),
        _ => format!("0193c5a0-{n:04x}-7a61-8d7e-{kind:04x}0000{n:04x}"),
    }
}

/// A session in the words of [`Made::expected`].
fn brief(answer: Answer<Session>) -> String {
    let session = match answer {
        Answer::Found(session) => session,
        Answer::Absent(reason) => return format!("absent: {reason}"),
        Answer::Unknown(reason) => return format!("unknown {reason}"),
    };
    let model = session.model.as_ref().map_or("-", |model| model.raw());
    let cwd = session.cwd.as_deref().map_or("-".into(), Path::to_string_lossy);
    let (turns, damaged, ids) = (session.turns, session.damaged_rows, session.ids_inside.len());
    let archived = if session.archived { " archived" } else { "" };
    let other = session.continues_as.map_or(String::new(), |id| format!(" continues as {id}"));
    format!("{turns} {model} {cwd} {damaged} {ids}{archived}{other}")
}

/// Lays a client's sessions out in a home directory.
fn lay_out(name: HarnessName, home: &Path, places: &Places) -> Vec<Made> {
    match name {
        HarnessName::Claude => claude::lay_out(home, places),
        HarnessName::Codex => codex::lay_out(home, places),
        HarnessName::Hermes => databases::hermes(home, places),
        HarnessName::Opencode => databases::opencode(home, places),
    }
}

/// Names, sizes and times of everything beneath a directory.
fn tree(root: &Path) -> BTreeSet<(PathBuf, u64, std::time::SystemTime)> {
    let mut all = BTreeSet::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("listed") {
            let path = entry.expect("an entry").path();
            let metadata = path.symlink_metadata().expect("there");
            if metadata.is_dir() {
                folders.push(path.clone());
            }
            all.insert((path, metadata.len(), metadata.modified().expect("a time")));
        }
    }
    all
}

/// Every session of a store is asked for by its id, and every directory for what began in it.
fn each_is_read_right(name: HarnessName) {
    let dir = tempfile::tempdir().expect("a directory");
    let home = dir.path().canonicalize().expect("it is there").join("home");
    fs::create_dir(&home).expect("a home");
    let places = Places::lay_out(dir.path());
    let made = lay_out(name, &home, &places);
    assert_eq!(made.len(), SESSIONS, "as many as there should be");
    let around =
        Surroundings { home: Some(home.clone()), proc: PathBuf::from("/proc"), ..Surroundings::default() };
    let harness = harness::of(name);
    let before = tree(&home);
    let mut unknown = 0;
    for session in &made {
        let id = SessionId::parse(&session.id).expect("an id");
        let said = brief(harness.session(&around, &id));
        match session.expected.strip_prefix("unknown ") {
            Some(words) => {
                let told = said.starts_with("unknown ") && said.contains(words);
                assert!(told, "{}: {} is unknown by {words:?}: {said}", session.id, session.what);
                unknown += 1;
            }
            None => assert_eq!(said, session.expected, "{}: {}", session.id, session.what),
        }
    }
    for directory in 0..DIRECTORIES {
        let began =
            made.iter().enumerate().filter(|(n, made)| n % DIRECTORIES == directory && made.began_there);
        let began: BTreeSet<&str> = began.map(|(_, made)| made.id.as_str()).collect();
        let asked = match directory {
            MOVED => places.base.join("moved"),
            _ => places.directory(directory),
        };
        let Answer::Found(ids) = harness.created_since(&around, &[&asked], 0) else {
            panic!("the store is read: {:?}", harness.created_since(&around, &[&asked], 0))
        };
        let ids: BTreeSet<&str> = ids.iter().map(SessionId::as_str).collect();
        match directory {
            // What was recorded of the old place says nothing of the new one.
            MOVED => assert!(ids.is_empty(), "a moved project has none of its old sessions: {ids:?}"),
            // A directory that is gone is known by its name alone.
            _ => assert_eq!(ids, began, "directory {directory}, and no other's"),
        }
    }
    assert_eq!(tree(&home), before, "and the store is as it was");
    let kinds: BTreeSet<&str> = made.iter().map(|session| session.what).collect();
    println!(
        "{}: {SESSIONS} sessions of {} kinds in {DIRECTORIES} directories: {} read right, {unknown} unknown by their reason",
        name.as_str(),
        kinds.len(),
        SESSIONS - unknown
    );
}

#[test]
fn three_hundred_sessions_of_claude_are_read_right() {
    each_is_read_right(HarnessName::Claude);
}

#[test]
fn three_hundred_sessions_of_codex_are_read_right() {
    each_is_read_right(HarnessName::Codex);
}

#[test]
fn three_hundred_sessions_of_hermes_are_read_right() {
    each_is_read_right(HarnessName::Hermes);
}

#[test]
fn three_hundred_sessions_of_opencode_are_read_right() {
    each_is_read_right(HarnessName::Opencode);
}
