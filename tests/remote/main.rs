//! This checkout against its remote: every outcome by its name, on real remotes, and nothing asked before the yes.

#[path = "../common/git.rs"]
mod git;
#[path = "../common/pty.rs"]
mod pty;
#[path = "../common/remotes.rs"]
mod remotes;

mod canaries;
mod hanging;
mod outcomes;
mod screen;
mod target;
mod yes;

use std::path::Path;
use std::process::{Command, Output};

use git::TestRepo;
use moorline::check::Examiner;
use moorline::harness::Surroundings;
use moorline::settings::Settings;
use serde_json::Value;

/// A repository with a handoff and one commit; what follows is set by each test.
fn project() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("src/solver.rs", "fn solve() {}\n", "Solve");
    repo.commit("HANDOFF.md", "# Notes\n\n**Branch:** main\n\nDone: `src/solver.rs`\n", "Note");
    repo
}

/// The environment of a person whose home is beside the project.
fn environment(repo: &TestRepo) -> Vec<(&'static str, String)> {
    let path = std::env::var("PATH").expect("there is a PATH");
    vec![
        ("PATH", path),
        ("HOME", repo.beside("home").display().to_string()),
        ("GIT_CONFIG_GLOBAL", "/dev/null".into()),
        ("GIT_CONFIG_SYSTEM", "/dev/null".into()),
        ("GIT_CONFIG_NOSYSTEM", "1".into()),
        ("LC_ALL", "C".into()),
    ]
}

/// Their examiner.
fn examiner(repo: &TestRepo) -> Examiner {
    let vars = environment(repo).into_iter().map(|(name, value)| (name.into(), value.into()));
    let around =
        Surroundings { home: Some(repo.beside("home")), vars: vars.collect(), ..Surroundings::default() };
    Examiner::new(repo.dir(), around, Settings::default())
}

/// moorline in the project.
fn moorline(repo: &TestRepo, args: &[&str]) -> Output {
    moorline_in(repo, repo.dir(), args)
}

fn moorline_in(repo: &TestRepo, dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
    command.env_clear().envs(environment(repo)).current_dir(dir).args(args);
    command.output().expect("moorline runs")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// `remote` of a check that was to ask it, with a yes.
fn compared(repo: &TestRepo) -> Value {
    let output = moorline(repo, &["check", "HANDOFF.md", "--remote", "--yes", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|why| {
        panic!("one JSON document: {why}: {}{}", out(&output), String::from_utf8_lossy(&output.stderr))
    });
    document["remote"].clone()
}

/// Outcome and sentence.
fn said(repo: &TestRepo) -> (String, String) {
    let remote = compared(repo);
    let text = |key: &str| remote[key].as_str().unwrap_or_else(|| panic!("{key} in {remote}")).to_owned();
    (text("outcome"), text("words"))
}
