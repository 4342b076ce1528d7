//! `moorline save` as a person runs it, in a repository of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser as _;
use moorline::cli::args::CommandLine;
use moorline::cli::{self, Answer, Stop, Surface};
use moorline::handoff::age::Clock;

use crate::git::TestRepo;

/// 2026-10-05 09:30 in a zone two hours east.
pub const NOW: i64 = 1_791_185_400;

/// Runs the verb with a narrative; gives its answer and what it printed, or what it complained of.
pub fn save(repo: &TestRepo, narrative: &str, args: &[&str]) -> Result<(Answer, String), String> {
    save_with(repo, &[], narrative, args)
}

/// The same with more variables in the environment.
pub fn save_with(
    repo: &TestRepo,
    vars: &[(&str, &str)],
    narrative: &str,
    args: &[&str],
) -> Result<(Answer, String), String> {
    let file = repo.beside("narrative");
    fs::write(&file, narrative).expect("written");
    let from = ["--from", file.to_str().expect("a plain path")];
    run(repo.dir(), &repo.beside("home"), vars, &[&from, args].concat())
}

/// Runs the verb in a project with a home directory.
pub fn run(
    project: &Path,
    home: &Path,
    vars: &[(&str, &str)],
    args: &[&str],
) -> Result<(Answer, String), String> {
    verb(project, home, vars, &[&["save"], args].concat())
}

/// Runs any verb, which must succeed; gives what it printed.
pub fn run_verb(project: &Path, home: &Path, words: &[&str]) -> String {
    verb(project, home, &[], words).expect("it answers").1
}

/// Runs any verb; gives its answer and what it printed, or what it complained of.
pub fn verb(
    project: &Path,
    home: &Path,
    vars: &[(&str, &str)],
    words: &[&str],
) -> Result<(Answer, String), String> {
    fs::create_dir_all(home).expect("a home can be made");
    let more = vars.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    let surface = Surface {
        vars: BTreeMap::from_iter(more.chain([("HOME".into(), home.as_os_str().to_owned())])),
        cwd: project.to_owned(),
        clock: Clock { unix: NOW, east: 7200 },
    };
    let line = CommandLine::try_parse_from(["moorline"].iter().chain(words)).expect("a command line");
    let verb = line.verb.as_ref().expect("a verb");
    let mut out = Vec::new();
    match cli::run(&line, verb, &surface, &mut out) {
        Ok(answer) => Ok((answer, String::from_utf8(out).expect("text"))),
        Err(Stop::Said(_, why)) => Err(why),
        Err(Stop::Pipe) => panic!("nobody hung up"),
    }
}

/// What the verb printed with `--json`.
pub fn json(printed: &str) -> serde_json::Value {
    serde_json::from_str(printed).expect("one JSON document")
}

/// Everything below a directory, with its bytes.
pub fn everything(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(dir).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => all.extend(everything(&path)),
            false => drop(all.insert(path.clone(), fs::read(&path).expect("read"))),
        }
    }
    all
}
