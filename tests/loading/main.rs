//! Loading a handoff into a session: the block of every family byte for byte, memtomem's rules, and the ways out of
//! the screen.

#[path = "../common/git.rs"]
mod git;
#[path = "../common/pty.rs"]
mod pty;

mod blocks;
mod records;
mod screen;

use std::process::{Command, Output};

use git::TestRepo;

/// A repository with one file and a plan.
fn project() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("src/solver.rs", "fn solve() {}\n", "Solve");
    repo.commit("plans/260914-tides/plan.md", "# Tides\n", "Plan");
    repo
}

fn environment(repo: &TestRepo) -> Vec<(&'static str, String)> {
    let path = std::env::var("PATH").expect("there is a PATH");
    vec![("PATH", path), ("HOME", repo.beside("home").display().to_string())]
}

/// moorline in the project, with more of an environment.
fn moorline_with(repo: &TestRepo, vars: &[(&str, &str)], args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
    command.env_clear().envs(environment(repo)).envs(vars.iter().copied()).current_dir(repo.dir()).args(args);
    command.output().expect("moorline runs")
}

fn moorline(repo: &TestRepo, args: &[&str]) -> Output {
    moorline_with(repo, &[], args)
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
