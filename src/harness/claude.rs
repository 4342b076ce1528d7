//! Claude Code: where its sessions lie, who runs them, and how one is gone on with.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::store::{self, Lookup, is_one_of, seconds};
use super::{
    Answer, Harness, Liveness, Owner, Program, ResumeForm, Session, Surroundings, Turn, Version, version,
};
use crate::disk::{FileId, Kind};
use crate::handoff::{HarnessName, Inert, SessionId};

mod live;
#[cfg(test)]
mod tests;
mod transcript;

/// Claude Code.
pub(super) struct Claude;

impl Harness for Claude {
    fn name(&self) -> HarnessName {
        HarnessName::Claude
    }

    fn shape(&self) -> &'static str {
        "a lower-case UUID"
    }

    fn store(&self, around: &Surroundings) -> Answer<PathBuf> {
        store::place(store::root(around, rule), Kind::Directory)
    }

    fn running(&self, around: &Surroundings) -> Answer<Vec<Owner>> {
        store::running(around, NAMES, rule)
    }

    fn session(&self, around: &Surroundings, id: &SessionId) -> Answer<Session> {
        match find(around, id) {
            Answer::Found(path) => match transcript::read(&path) {
                Ok(session) => Answer::Found(session),
                Err(reason) => Answer::Unknown(reason),
            },
            Answer::Absent(reason) => Answer::Absent(reason),
            Answer::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    fn last_turns(&self, around: &Surroundings, id: &SessionId, most: usize) -> Answer<Vec<Turn>> {
        match find(around, id) {
            Answer::Found(path) => {
                transcript::last_turns(&path, most).map_or_else(Answer::Unknown, Answer::Found)
            }
            Answer::Absent(reason) => Answer::Absent(reason),
            Answer::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    fn liveness(&self, around: &Surroundings, id: &SessionId) -> Liveness {
        match store::root(around, rule) {
            Ok(root) => live::liveness(&around.proc, &root, id),
            Err(reason) => Liveness::Unknown(reason),
        }
    }

    fn session_variable(&self) -> Option<&'static str> {
        Some("CLAUDE_CODE_SESSION_ID")
    }

    fn live_in(&self, around: &Surroundings, cwd: &Path) -> Answer<Vec<SessionId>> {
        match store::root(around, rule).and_then(|root| live::in_directory(&around.proc, &root, cwd)) {
            Ok(ids) => Answer::Found(ids),
            Err(reason) => Answer::Unknown(reason),
        }
    }

    fn last_written(
        &self,
        around: &Surroundings,
        is_here: &dyn Fn(&Path) -> bool,
        most: usize,
    ) -> Answer<Vec<SessionId>> {
        let projects = match projects(around) {
            Ok(projects) => projects,
            Err(missing) => return missing.into(),
        };
        let files = projects.open.iter().filter_map(|dir| std::fs::read_dir(dir).ok()).flatten();
        let files = files.filter_map(|entry| {
            let path = entry.ok()?.path();
            let written = std::fs::metadata(&path).and_then(|metadata| metadata.modified()).ok()?;
            Some((written, (of_file(&path)?, path)))
        });
        let here = store::last_written(files.collect(), most, |(_, path)| {
            transcript::beginning(path).is_ok_and(|beginning| beginning.cwd.is_some_and(|cwd| is_here(&cwd)))
        });
        Answer::Found(here.into_iter().map(|(id, _)| id).collect())
    }

    fn fallback_model(&self, _around: &Surroundings, _directory: &Path) -> Answer<Inert> {
        Answer::Absent("claude goes on with the session's own model".to_owned())
    }

    fn version(&self, program: &Program) -> Answer<Version> {
        match version::from_install_path(&program.path, "claude") {
            Some(version) => Answer::Found(version),
            None => version::answer(program, version::from_npm(&program.path, "@anthropic-ai/claude-code")),
        }
    }

    fn form(&self) -> Result<ResumeForm, &'static str> {
        Ok(ResumeForm {
            before_id: &["claude", "-p", "--resume"],
            prompt_on_stdin: true,
            oldest: "2.1.144",
            keeps_model: true,
        })
    }

    fn created_since(&self, around: &Surroundings, places: &[&Path], since: i64) -> Answer<Vec<SessionId>> {
        let projects = match projects(around) {
            Ok(projects) => projects,
            Err(missing) => return missing.into(),
        };
        if let Some((dir, error)) = projects.closed.first() {
            return Answer::Unknown(format!("{}: {error}", dir.display()));
        }
        let mut ids = Vec::new();
        for path in &projects.open {
            match created_in(path, places, since) {
                Ok(found) => ids.extend(found),
                Err(reason) => return Answer::Unknown(reason),
            }
        }
        ids.sort();
        ids.dedup();
        Answer::Found(ids)
    }
}

/// The names that the client's own process goes by.
const NAMES: &[&str] = &["claude", "claude.exe"];

/// The store's root: `$CLAUDE_CONFIG_DIR`, else `~/.claude`.
fn rule(lookup: Lookup<'_>) -> Result<PathBuf, String> {
    store::by_variable(lookup, "CLAUDE_CONFIG_DIR", ".claude")
}

/// Why there are no project directories to look into.
enum NoProjects {
    Absent(String),
    Unknown(String),
}

impl<T> From<NoProjects> for Answer<T> {
    fn from(missing: NoProjects) -> Self {
        match missing {
            NoProjects::Absent(reason) => Self::Absent(reason),
            NoProjects::Unknown(reason) => Self::Unknown(reason),
        }
    }
}

/// The project directories of a store, as far as they could be opened.
struct Projects {
    open: Vec<PathBuf>,
    closed: Vec<(PathBuf, String)>,
}

/// Lists the project directories. Their names say nothing reliable about the directories that they stand for, so
/// none is decoded.
fn projects(around: &Surroundings) -> Result<Projects, NoProjects> {
    let dir = store::root(around, rule).map_err(NoProjects::Unknown)?.join("projects");
    let unknown = |error: std::io::Error| NoProjects::Unknown(format!("{}: {error}", dir.display()));
    let entries = std::fs::read_dir(&dir).map_err(|error| match error.kind() {
        ErrorKind::NotFound => NoProjects::Absent(format!("{} is not there", dir.display())),
        _ => unknown(error),
    })?;
    let mut projects = Projects { open: Vec::new(), closed: Vec::new() };
    for entry in entries {
        let path = entry.map_err(unknown)?.path();
        match std::fs::read_dir(&path).map_err(|error| (error.kind(), error)) {
            Ok(_) => projects.open.push(path),
            Err((ErrorKind::NotADirectory | ErrorKind::NotFound, _)) => {}
            Err((_, error)) => projects.closed.push((path, error.to_string())),
        }
    }
    projects.open.sort();
    Ok(projects)
}

/// The one file of exactly this id.
fn find(around: &Surroundings, id: &SessionId) -> Answer<PathBuf> {
    if let Err(reason) = store::own(&Claude, id) {
        return Answer::Unknown(reason);
    }
    let projects = match projects(around) {
        Ok(projects) => projects,
        Err(missing) => return missing.into(),
    };
    let mut files: Vec<(FileId, PathBuf)> = Vec::new();
    for dir in &projects.open {
        let path = dir.join(format!("{id}.jsonl"));
        match std::fs::metadata(&path) {
            // The same file by way of a linked project directory is one session.
            Ok(metadata) => {
                let file = FileId { device: metadata.dev(), inode: metadata.ino() };
                if files.iter().all(|(other, _)| *other != file) {
                    files.push((file, path));
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => {}
            Err(error) => return Answer::Unknown(format!("{}: {error}", path.display())),
        }
    }
    match (files.as_slice(), projects.closed.first()) {
        ([], None) => {
            let looked = projects.open.len();
            Answer::Absent(format!("no {id}.jsonl in any of the {looked} project directories of the store"))
        }
        (_, Some((dir, error))) => {
            Answer::Unknown(format!("{} could not be looked into: {error}", dir.display()))
        }
        ([(_, path)], None) => Answer::Found(path.clone()),
        ([(_, first), (_, second), ..], None) => Answer::Unknown(format!(
            "two files have this session's id, and it cannot be told which one is resumed: {} and {}",
            first.display(),
            second.display()
        )),
    }
}

/// The session whose file this is, by its name.
fn of_file(path: &Path) -> Option<SessionId> {
    let stem = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
    SessionId::parse(stem).ok().filter(|id| Claude.owns_shape(id))
}

/// Sessions of one project directory that began in one of `places` at or after `since`.
fn created_in(dir: &Path, places: &[&Path], since: i64) -> Result<Vec<SessionId>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", dir.display());
    let mut ids = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let Some(id) = of_file(&entry.path()) else { continue };
        let metadata = match std::fs::metadata(entry.path()) {
            Ok(metadata) => metadata,
            // Removed between the listing and the look.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(error)),
        };
        let recent = |at: std::io::Result<SystemTime>| at.is_ok_and(|at| seconds(at) >= since);
        if metadata.len() == 0 || !recent(metadata.modified()) {
            continue;
        }
        let beginning = transcript::beginning(&entry.path())?;
        let here = beginning.cwd.is_some_and(|recorded| is_one_of(&recorded, places));
        // A fork copies older rows into a new file, so the file's own birth counts as well.
        if here && (beginning.at.is_some_and(|at| at >= since) || recent(metadata.created())) {
            ids.push(id);
        }
    }
    Ok(ids)
}
