//! Real repositories, made by git with nothing of this machine in them: no user or system configuration, fixed
//! names, dates that only depend on how many commands came before.
#![allow(dead_code, reason = "every test binary compiles this file and each uses another part of it")]

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The date of the first commit: 2026-09-21 14:13:20 UTC.
const FIRST_DATE: u64 = 1_790_000_000;

/// A git command that sees nothing of the caller's environment but `PATH`.
pub fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(dir)
        .args(args)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", "/nonexistent")
        .env("LC_ALL", "C")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_OPTIONAL_LOCKS", "0")
        // Only for speed: no sample hooks, no waiting for the disk, no check for maintenance after each command.
        .env("GIT_TEMPLATE_DIR", "")
        .env("GIT_CONFIG_COUNT", "2")
        .env("GIT_CONFIG_KEY_0", "core.fsync")
        .env("GIT_CONFIG_VALUE_0", "none")
        .env("GIT_CONFIG_KEY_1", "maintenance.auto")
        .env("GIT_CONFIG_VALUE_1", "false")
        .stdin(std::process::Stdio::null());
    for who in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{who}_NAME"), "Ada Example");
        command.env(format!("GIT_{who}_EMAIL"), "ada@example.org");
        command.env(format!("GIT_{who}_DATE"), format!("{FIRST_DATE} +0000"));
    }
    command
}

/// Runs git in `dir` and gives what it printed without the last line break; `Err` has what it complained about.
pub fn try_git(dir: &Path, args: &[&str]) -> Result<String, String> {
    outcome(command(dir, args).output().expect("git is installed"))
}

/// Runs git in `dir`; it must succeed.
pub fn git(dir: &Path, args: &[&str]) -> String {
    try_git(dir, args).unwrap_or_else(|error| panic!("git {args:?} in {}: {error}", dir.display()))
}

fn outcome(output: Output) -> Result<String, String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end_matches('\n').to_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// Writes a file and the directories above it.
pub fn write(path: &Path, content: impl AsRef<[u8]>) {
    std::fs::create_dir_all(path.parent().expect("a file lies in a directory"))
        .expect("the directory can be made");
    std::fs::write(path, content).expect("the file can be written");
}

/// A repository with one worktree, `project`, in a temporary directory of its own; beside it there is room for
/// linked worktrees and other repositories.
pub struct TestRepo {
    temp: tempfile::TempDir,
    dir: PathBuf,
    clock: Cell<u64>,
}

impl TestRepo {
    /// An empty repository on branch `main`.
    pub fn new() -> Self {
        Self::init(&[])
    }

    /// An empty repository on branch `main`, made by `git init` with more arguments.
    pub fn init(args: &[&str]) -> Self {
        let repo = Self::plain_directory();
        let mut all = vec!["init", "-q", "-b", "main"];
        all.extend(args);
        repo.git(&all);
        repo
    }

    /// The directories alone, without a repository.
    pub fn plain_directory() -> Self {
        let temp = tempfile::tempdir().expect("a temporary directory can be made");
        let dir = temp.path().canonicalize().expect("it has a real path").join("project");
        std::fs::create_dir(&dir).expect("a directory can be made in it");
        Self { temp, dir, clock: Cell::new(0) }
    }

    /// The worktree's root, as real path.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A path beside the worktree.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.dir.with_file_name(name)
    }

    /// Runs git in the worktree; it must succeed. Each call is a minute later than the one before.
    pub fn git(&self, args: &[&str]) -> String {
        self.git_in(&self.dir, args)
    }

    /// Like [`TestRepo::git`], in another directory.
    pub fn git_in(&self, dir: &Path, args: &[&str]) -> String {
        let date = format!("{} +0000", FIRST_DATE + 60 * self.clock.get());
        self.clock.set(self.clock.get() + 1);
        let mut command = command(dir, args);
        command.env("GIT_AUTHOR_DATE", &date).env("GIT_COMMITTER_DATE", &date);
        outcome(command.output().expect("git is installed"))
            .unwrap_or_else(|error| panic!("git {args:?} in {}: {error}", dir.display()))
    }

    /// Writes a file of the worktree.
    pub fn write(&self, file: &str, content: &str) {
        write(&self.dir.join(file), content);
    }

    /// Writes a file, stages it and commits; gives the commit's id.
    pub fn commit(&self, file: &str, content: &str, message: &str) -> String {
        self.write(file, content);
        self.git(&["add", "--", file]);
        self.git(&["commit", "-q", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }
}
