//! What was found of one harness, and what to do about it.

use std::path::Path;

use serde::Serialize;

use crate::cli::desk::Desk;
use crate::cli::shape::path_text;
use crate::handoff::{HarnessName, Inert};
use crate::harness::{self, Answer, Harness, Owner, Surroundings, Version};

/// One harness as it was found. Null is not known, or not there: a note says which.
#[derive(Serialize)]
pub(super) struct Found {
    pub name: HarnessName,
    /// The program's absolute path, links resolved.
    pub program: Option<String>,
    pub version: Option<String>,
    /// The package file that says the version.
    pub version_source: Option<String>,
    /// The session store's directory or database.
    pub store: Option<String>,
    /// How many sessions the store records for this project: its directory and its repository's other worktrees.
    pub sessions: Option<usize>,
    /// Its processes that may work in this store.
    pub running: Option<Vec<Running>>,
    /// The model that answers on resume, where that is not the session's own.
    pub default_model: Option<Inert>,
    /// Whether a lane can be resumed with it at all.
    pub resumes: bool,
    /// What is missing or odd, in sentences.
    pub notes: Vec<Inert>,
    /// What to do next.
    pub next: String,
}

/// One process of a harness.
#[derive(Serialize)]
pub(super) struct Running {
    pid: u32,
    since: Option<String>,
}

impl Running {
    fn of(owner: Owner) -> Self {
        Self { pid: owner.pid, since: owner.since }
    }

    /// For people.
    pub(super) fn words(&self) -> String {
        match &self.since {
            Some(since) => format!("process {} since {since}", self.pid),
            None => format!("process {}", self.pid),
        }
    }
}

/// Looks at one harness. Reads its store's own files, and starts nothing.
/// `places` are the project's directory and its repository's other worktrees.
pub(super) fn examine(desk: &Desk, places: &[&Path], name: HarnessName) -> Found {
    let around: &Surroundings = desk.examiner.around();
    let project = desk.examiner.project();
    let client = harness::of(name);
    let mut notes = Vec::new();
    let program = match harness::program(around, name.as_str(), &[project.to_owned()]) {
        Answer::Found(program) => Some(program),
        missing => told(missing, &mut notes),
    };
    for (entry, why) in program.iter().flat_map(|program| &program.ignored) {
        notes.push(format!("PATH entry {} is not used: {why}", path_text(entry)).into());
    }
    let version = program.as_ref().and_then(|program| told(client.version(program), &mut notes));
    let store = client.store(around);
    let store_is_odd = matches!(store, Answer::Unknown(_));
    let store = told(store, &mut notes);
    let sessions = match store {
        Some(_) => told(client.created_since(around, places, 0), &mut notes).map(|sessions| sessions.len()),
        None => None,
    };
    let running = told(client.running(around), &mut notes);
    let default_model = match client.form() {
        Ok(form) if !form.keeps_model && store.is_some() => {
            told(client.fallback_model(around, project), &mut notes)
        }
        _ => None,
    };
    let mut found = Found {
        name,
        program: program.as_ref().map(|program| path_text(&program.path)),
        version_source: version.as_ref().map(|version| Inert::new(version.source.as_str()).plain()),
        store: store.as_deref().map(path_text),
        sessions,
        running: running.map(|running| running.into_iter().map(Running::of).collect()),
        default_model,
        resumes: client.form().is_ok(),
        notes,
        next: String::new(),
        version: None,
    };
    found.next = match store_is_odd {
        true => "put its store right: no session of it can be read, see the note".to_owned(),
        false => next(&found, client, version.as_ref()),
    };
    found.version = version.map(|version| version.text);
    found
}

/// The value of an answer; why there is none becomes a note.
fn told<T>(answer: Answer<T>, notes: &mut Vec<Inert>) -> Option<T> {
    match answer {
        Answer::Found(value) => Some(value),
        Answer::Absent(why) | Answer::Unknown(why) => {
            notes.push(why.into());
            None
        }
    }
}

/// The one thing to do next.
fn next(found: &Found, client: &dyn Harness, version: Option<&Version>) -> String {
    let form = match client.form() {
        Ok(form) => form,
        Err(why) => return format!("nothing: no lane is resumed with it; {why}"),
    };
    if found.program.is_none() {
        return match found.sessions {
            None | Some(0) => "nothing, unless a lane of it is to be resumed: then install it",
            Some(_) => "install it, or put it on an absolute PATH entry outside the project",
        }
        .to_owned();
    }
    match version.and_then(|version| version.is_at_least(form.oldest)) {
        None => "install it from its package: a program of unknown version resumes no lane".to_owned(),
        Some(false) => format!("update it: {} is the oldest version that resumes as it should", form.oldest),
        Some(true) => match found.running.as_deref() {
            Some([]) => "nothing is missing".to_owned(),
            Some([first, ..]) => format!("end {} before a lane of it is resumed", first.words()),
            None => "make the process table readable: without it nobody can be excluded".to_owned(),
        },
    }
}
