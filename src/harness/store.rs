//! What the harnesses' stores have in common: how one is found, and whether a process works in another one.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::proc::{self, Process};
use super::{Answer, Harness, LOOKED_INTO, Owner, Surroundings};
use crate::disk::{self, Kind};
use crate::handoff::SessionId;

/// Looks a variable up; a set but empty one counts as not set.
pub(super) type Lookup<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// How a harness finds its store from its environment. The home directory is asked for as `HOME`.
pub(super) type Rule = fn(Lookup<'_>) -> Result<PathBuf, String>;

/// The store's root in these surroundings.
///
/// # Errors
/// Why there is none.
pub(super) fn root(around: &Surroundings, rule: Rule) -> Result<PathBuf, String> {
    rule(&|name| variable(around, name))
}

/// A variable of these surroundings.
pub(super) fn variable(around: &Surroundings, name: &str) -> Option<OsString> {
    match (name, &around.home) {
        ("HOME", Some(home)) => Some(home.clone().into_os_string()),
        _ => around.vars.get(OsStr::new(name)).filter(|value| !value.is_empty()).cloned(),
    }
}

/// The directory that `variable` names, which must be absolute, else `beneath` the home directory.
///
/// # Errors
/// Neither is known, or the variable's value changes with the current directory.
pub(super) fn by_variable(lookup: Lookup<'_>, variable: &str, beneath: &str) -> Result<PathBuf, String> {
    match (lookup(variable).map(PathBuf::from), lookup("HOME")) {
        (Some(root), _) if root.is_absolute() => Ok(root),
        (Some(root), _) => Err(format!("{variable} is not an absolute path: {}", root.display())),
        (None, Some(home)) => Ok(Path::new(&home).join(beneath)),
        (None, None) => Err(format!("neither {variable} nor a home directory is known")),
    }
}

/// Whether a client provably works in another store than `root`: it runs as a user who may not write to this one,
/// or its environment names another. Where that cannot be read, it may work in this one.
pub(super) fn is_elsewhere(proc: &Path, root: &Path, process: &Process, rule: Rule) -> bool {
    let owner = std::fs::metadata(root).map(|metadata| metadata.uid());
    if process.user != 0 && owner.is_ok_and(|owner| owner != process.user) {
        return true;
    }
    let lookup = |name: &str| {
        let value = process.variable(proc, name).ok().flatten()?;
        (!value.is_empty()).then(|| OsString::from_vec(value))
    };
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    rule(&lookup).is_ok_and(|theirs| theirs.is_absolute() && real(&theirs) != real(root))
}

/// A store's place as an answer: absent where nothing lies there yet, unknown where something else does than a store
/// is made of.
pub(super) fn place(path: Result<PathBuf, String>, made_of: Kind) -> Answer<PathBuf> {
    let path = match path {
        Ok(path) => path,
        Err(reason) => return Answer::Unknown(reason),
    };
    let shown = path.display();
    match disk::kind(&path) {
        Ok((kind, _)) if kind == made_of => Answer::Found(path),
        Ok((kind, _)) => Answer::Unknown(format!("{shown} is {}, not {}", words(kind), words(made_of))),
        Err(disk::DiskError::NotFound(_)) if path.is_symlink() => {
            Answer::Unknown(format!("{shown} is a link that leads nowhere, not {}", words(made_of)))
        }
        Err(error @ disk::DiskError::NotFound(_)) => Answer::Absent(error.to_string()),
        Err(error) => Answer::Unknown(error.to_string()),
    }
}

fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::File => "a regular file",
        Kind::Directory => "a directory",
        Kind::Other => "a FIFO, a socket or a device",
    }
}

/// That an id has the harness's own shape: one of another shape is never looked for, because a client would take it
/// for a title, for the beginning of an id, or for a wish to begin anew.
///
/// # Errors
/// It has another shape.
pub(super) fn own(harness: &dyn Harness, id: &SessionId) -> Result<(), String> {
    match harness.owns_shape(id) {
        true => Ok(()),
        false => Err(format!("{id} is not {}, so it was not looked for", harness.shape())),
    }
}

/// Processes that run a client of these names and may work in the store of these surroundings. A launcher and what
/// it started, or a client and its helpers, are one: the topmost stands for them.
pub(super) fn running(around: &Surroundings, names: &[&str], rule: Rule) -> Answer<Vec<Owner>> {
    let (root, processes) = match root(around, rule).and_then(|root| Ok((root, proc::all(&around.proc)?))) {
        Ok(found) => found,
        Err(reason) => return Answer::Unknown(reason),
    };
    let proc = around.proc.as_path();
    let here = |process: &&Process| process.runs(names) && !is_elsewhere(proc, &root, process, rule);
    let here: Vec<&Process> = processes.iter().filter(here).collect();
    let topmost = |process: &&&Process| here.iter().all(|other| other.pid != process.parent);
    let owner = |process: &&Process| Owner { pid: process.pid, since: process.since(proc), status: None };
    Answer::Found(here.iter().filter(topmost).map(owner).collect())
}

/// Of files with the times they were written at, those that `is_here` takes, the last written first.
pub(super) fn last_written<F>(
    mut files: Vec<(SystemTime, F)>,
    most: usize,
    is_here: impl Fn(&F) -> bool,
) -> Vec<F> {
    files.sort_by_key(|(written, _)| std::cmp::Reverse(*written));
    let looked_into = files.into_iter().take(LOOKED_INTO).map(|(_, file)| file);
    looked_into.filter(is_here).take(most).collect()
}

/// A moment of the file system in seconds since 1970.
pub(super) fn seconds(at: SystemTime) -> i64 {
    let since = at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// Whether a path names one of these directories, in whatever spelling.
pub(super) fn is_one_of(path: &Path, places: &[&Path]) -> bool {
    places.iter().any(|place| same_place(path, place))
}

/// Whether two spellings name one directory.
pub(super) fn same_place(one: &Path, other: &Path) -> bool {
    let id = |path: &Path| std::fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()));
    one == other || id(one).is_some_and(|file| Some(file) == id(other))
}
