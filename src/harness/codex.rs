//! Codex: where its sessions lie, who writes to them, and how one is gone on with.

use std::path::{Path, PathBuf};

use super::store::{self, Lookup, is_one_of, same_place, seconds};
use super::{
    Answer, Harness, Liveness, Owner, Program, ResumeForm, Session, Surroundings, Turn, Version, version,
};
use crate::disk::Kind;
use crate::handoff::{HarnessName, Inert, SessionId, count_of};
use files::{File, Files};

mod config;
mod files;
mod live;
mod rollout;
#[cfg(test)]
mod tests;
mod titles;

/// Codex.
pub(super) struct Codex;

/// The npm package that installs it.
const PACKAGE: &str = "@openai/codex";
/// The names that the client's own process goes by, and its launcher's.
const NAMES: &[&str] = &["codex", "codex.exe", "codex.js"];

/// The store's root: `$CODEX_HOME`, else `~/.codex`. `$CODEX_SQLITE_HOME` moves the client's databases, which hold
/// nothing that the sessions' files do not say; none is read, so it makes no difference here.
fn rule(lookup: Lookup<'_>) -> Result<PathBuf, String> {
    store::by_variable(lookup, "CODEX_HOME", ".codex")
}

impl Harness for Codex {
    fn name(&self) -> HarnessName {
        HarnessName::Codex
    }

    fn shape(&self) -> &'static str {
        "a lower-case UUID"
    }

    fn session_variable(&self) -> Option<&'static str> {
        Some("CODEX_THREAD_ID")
    }

    fn store(&self, around: &Surroundings) -> Answer<PathBuf> {
        store::place(store::root(around, rule), Kind::Directory)
    }

    fn running(&self, around: &Surroundings) -> Answer<Vec<Owner>> {
        store::running(around, NAMES, rule)
    }

    fn session(&self, around: &Surroundings, id: &SessionId) -> Answer<Session> {
        match (self.read(around, id, rollout::read), store::root(around, rule)) {
            (Answer::Found(session), Ok(root)) => {
                Answer::Found(Session { title: titles::of(&root, id), ..session })
            }
            (answer, _) => answer,
        }
    }

    fn last_turns(&self, around: &Surroundings, id: &SessionId, most: usize) -> Answer<Vec<Turn>> {
        self.read(around, id, |file| rollout::last_turns(file, most))
    }

    fn liveness(&self, around: &Surroundings, id: &SessionId) -> Liveness {
        let answer = store::root(around, rule).and_then(|root| live::liveness(&around.proc, &root, id));
        answer.unwrap_or_else(Liveness::Unknown)
    }

    fn last_written(
        &self,
        around: &Surroundings,
        is_here: &dyn Fn(&Path) -> bool,
        most: usize,
    ) -> Answer<Vec<SessionId>> {
        let files = match store::root(around, rule).and_then(|root| Files::list(&root)) {
            Ok(files) => files.all,
            Err(reason) => return Answer::Unknown(reason),
        };
        // One that has not been used for so long that it was compressed was not gone on with lately.
        let files = files.into_iter().filter(|file| !file.compressed).filter_map(|file| {
            let written = std::fs::metadata(&file.path).and_then(|metadata| metadata.modified()).ok()?;
            Some((written, file))
        });
        let here = store::last_written(files.collect(), most, |file| {
            rollout::beginning(file).is_ok_and(|beginning| beginning.cwd.is_some_and(|cwd| is_here(&cwd)))
        });
        Answer::Found(here.into_iter().map(|file| file.id).collect())
    }

    fn fallback_model(&self, around: &Surroundings, directory: &Path) -> Answer<Inert> {
        match store::root(around, rule) {
            Ok(root) => config::model(&root, directory),
            Err(reason) => Answer::Unknown(reason),
        }
    }

    fn version(&self, program: &Program) -> Answer<Version> {
        let read = version::from_npm(&program.path, PACKAGE);
        version::answer(program, read.map(|found| found.map(without_platform)))
    }

    fn form(&self) -> Result<ResumeForm, &'static str> {
        Ok(ResumeForm {
            before_id: &["codex", "exec", "resume"],
            prompt_on_stdin: true,
            oldest: "0.130.0",
            keeps_model: false,
        })
    }

    fn created_since(&self, around: &Surroundings, places: &[&Path], since: i64) -> Answer<Vec<SessionId>> {
        let files = match store::root(around, rule).and_then(|root| Files::list(&root)) {
            Ok(files) if files.found.is_empty() => {
                return Answer::Absent(format!("{} is not there", files.places()));
            }
            Ok(files) => files,
            Err(reason) => return Answer::Unknown(reason),
        };
        let mut ids = Vec::new();
        for file in &files.all {
            match began_in(file, places, since) {
                Ok(true) => ids.push(file.id.clone()),
                Ok(false) => {}
                Err(reason) => return Answer::Unknown(reason),
            }
        }
        ids.sort();
        ids.dedup();
        Answer::Found(ids)
    }
}

impl Codex {
    /// Reads the one file of exactly this id.
    fn read<T>(
        &self,
        around: &Surroundings,
        id: &SessionId,
        read: impl Fn(&File) -> Result<T, String>,
    ) -> Answer<T> {
        let files = store::own(self, id).and_then(|()| store::root(around, rule));
        let files = match files.and_then(|root| Files::list(&root)) {
            Ok(files) => files,
            Err(reason) => return Answer::Unknown(reason),
        };
        match files.of(id).as_slice() {
            [] => Answer::Absent(format!(
                "no file in {} is of this id: {} looked at",
                files.places(),
                count_of(files.all.len(), "file", "files")
            )),
            [file] => match read(file) {
                Ok(found) => Answer::Found(found),
                Err(reason) => Answer::Unknown(reason),
            },
            [first, second, ..] => Answer::Unknown(format!(
                "two files have this session's id, and it cannot be told which one is resumed: {} and {}",
                first.path.display(),
                second.path.display()
            )),
        }
    }
}

/// The native program lies in a package of the same name whose version ends with its platform.
fn without_platform(version: Version) -> Version {
    let platforms = ["-linux-", "-darwin-", "-win32-"];
    let end = platforms.iter().filter_map(|platform| version.text.find(platform)).min();
    let text = version.text[..end.unwrap_or(version.text.len())].to_owned();
    Version { text, ..version }
}

/// Whether a session began in one of `places` at or after `since`. A file that was not written since then is not opened.
fn began_in(file: &File, places: &[&Path], since: i64) -> Result<bool, String> {
    let metadata = match std::fs::metadata(&file.path) {
        Ok(metadata) => metadata,
        // Removed between the listing and the look.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(format!("{}: {error}", file.path.display())),
    };
    let recent = |at: std::io::Result<std::time::SystemTime>| at.is_ok_and(|at| seconds(at) >= since);
    if metadata.len() == 0 || !recent(metadata.modified()) {
        return Ok(false);
    }
    let beginning = match rollout::beginning(file) {
        // A new session is not compressed; one that cannot be unpacked says as little as a damaged first row.
        Err(_) if file.compressed => return Ok(false),
        beginning => beginning?,
    };
    let here = beginning.cwd.is_some_and(|recorded| is_one_of(&recorded, places));
    // A fork copies older rows into a new file, so the file's own birth counts as well.
    Ok(here && (beginning.at.is_some_and(|at| at >= since) || recent(metadata.created())))
}
