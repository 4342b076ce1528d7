//! A project in which everything a handoff says is true, so that one change at a time can be tried on it.
//!
//! ```text
//! <temp>/
//!   api/                          the project: a git repository, branch `main`, remote example.org/acme/api
//!     .thunderkit/HANDOFF.md      thunderkit v1 with one lane, L1-auth; not committed
//!     .thunderkit/{NORTH_STAR.md,config.json,PLAN.md}   committed
//!     .thunderkit/runs/r1/worktrees/L1-auth             linked worktree on branch `tk/L1-auth`
//!     .thunderkit/runs/r1/L1-auth.json                  the lane's artifact (ignored by git)
//!   home/.claude/                 claude's store: one session, an empty registry
//!   opt/claude-code/{claude,package.json}  a canary that writes `started.log` when anybody runs it
//!   proc/                         a process table in which no claude runs
//! ```
//!
//! Nothing of the real home, process table or PATH is used.

#![allow(dead_code, reason = "each test program uses another part of the builder")]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use moorline::check::{Examiner, Report};
use moorline::harness::Surroundings;
use moorline::place::{self, Listed};
use moorline::settings::Settings;
use tempfile::TempDir;

#[path = "git.rs"]
pub mod git;

/// The lane's name.
pub const LANE: &str = "L1-auth";
/// The lane's session.
pub const SESSION: &str = "3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11";
/// The model that everything agrees on.
pub const MODEL: &str = "claude-opus-4-8";
/// The client's version, recorded and installed.
pub const VERSION: &str = "2.1.332";
/// The directory of the lane's worktree, relative to the project.
pub const WORKTREE: &str = ".thunderkit/runs/r1/worktrees/L1-auth";
/// The lane's artifact, relative to the project.
pub const ARTIFACT: &str = ".thunderkit/runs/r1/L1-auth.json";
/// The session's artifact, relative to the project.
pub const PLAN: &str = ".thunderkit/PLAN.md";

/// A project of its own in a temporary directory, removed when dropped.
pub struct TrueProject {
    _temp: TempDir,
    base: PathBuf,
}

impl TrueProject {
    /// Builds the project with git: about a tenth of a second. A test that needs many takes copies of one.
    pub fn build() -> Self {
        let project = Self::empty();
        project.lay_out_repository();
        project.lay_out_home();
        project.lay_out_program();
        project.write("api/.thunderkit/HANDOFF.md", &project.handoff_text());
        project
    }

    fn empty() -> Self {
        let temp = tempfile::tempdir().expect("a temporary directory can be made");
        let base = temp.path().canonicalize().expect("it has a real path");
        Self { _temp: temp, base }
    }

    /// The directory that holds everything.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// The project directory.
    pub fn root(&self) -> PathBuf {
        self.base.join("api")
    }

    /// The lane's worktree.
    pub fn worktree(&self) -> PathBuf {
        self.root().join(WORKTREE)
    }

    /// The handoff file.
    pub fn handoff(&self) -> PathBuf {
        self.root().join(".thunderkit/HANDOFF.md")
    }

    /// The home directory.
    pub fn home(&self) -> PathBuf {
        self.base.join("home")
    }

    /// The session's file.
    pub fn session(&self) -> PathBuf {
        let directory = encoded(&self.worktree());
        self.home().join(".claude/projects").join(directory).join(format!("{SESSION}.jsonl"))
    }

    /// The canary that stands for claude.
    pub fn program(&self) -> PathBuf {
        self.base.join("opt/claude-code/claude")
    }

    /// Whether anybody ran the canary.
    pub fn was_started(&self) -> bool {
        self.base.join("started.log").exists()
    }

    /// The surroundings in which everything is true: own home, PATH and process table.
    pub fn around(&self) -> Surroundings {
        let path = self.base.join("opt/claude-code");
        let vars = [("HOME", self.home().into_os_string()), ("PATH", path.into_os_string())];
        Surroundings {
            vars: vars.into_iter().map(|(name, value)| (OsString::from(name), value)).collect(),
            home: Some(self.home()),
            proc: self.base.join("proc"),
        }
    }

    /// A new examiner that remembers nothing.
    pub fn examiner(&self) -> Examiner {
        Examiner::new(&self.root(), self.around(), Settings::default())
    }

    /// The handoff's row, read now.
    pub fn row(&self) -> Listed {
        let mut rows =
            place::read_path(&self.handoff(), &self.examiner().roots()).expect("the handoff can be read");
        assert_eq!(rows.len(), 1, "one file of thunderkit is one row");
        rows.remove(0)
    }

    /// The judgement, made now by an examiner that remembers nothing.
    pub fn report(&self) -> Report {
        self.examiner().examine(&self.row())
    }

    /// Writes a file, given relative to [`TrueProject::base`]; directories are made.
    pub fn write(&self, relative: &str, text: &str) {
        let path = self.base.join(relative);
        fs::create_dir_all(path.parent().expect("a file has a directory")).expect("directories can be made");
        fs::write(path, text).expect("a file can be written");
    }

    /// Replaces a text in a file, given relative to [`TrueProject::base`]; fails where it does not occur, so that
    /// no change is made in name only.
    pub fn replace(&self, relative: &str, from: &str, to: &str) {
        let path = self.base.join(relative);
        let text = fs::read_to_string(&path).expect("a file can be read");
        assert!(text.contains(from), "{relative} has {from:?}");
        fs::write(path, text.replacen(from, to, 1)).expect("a file can be written");
    }

    /// Replaces a text in the handoff.
    pub fn edit(&self, from: &str, to: &str) {
        self.replace("api/.thunderkit/HANDOFF.md", from, to);
    }

    /// Replaces a text in the session's file.
    pub fn edit_session(&self, from: &str, to: &str) {
        let path = self.session();
        let relative = path.strip_prefix(&self.base).expect("inside").to_str().expect("a plain path");
        self.replace(relative, from, to);
    }

    /// Puts a process into the process table: its name, argument vector and start time in clock ticks.
    pub fn add_process(&self, pid: u32, name: &str, argv: &[&str], start: u64) {
        let stat =
            format!("{pid} ({name}) S 1 {pid} {pid} 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 {start} 0 0\n");
        self.write(&format!("proc/{pid}/stat"), &stat);
        self.write(&format!("proc/{pid}/comm"), &format!("{name}\n"));
        self.write(&format!("proc/{pid}/cmdline"), &format!("{}\0", argv.join("\0")));
        self.write(&format!("proc/{pid}/status"), &format!("Name:\t{name}\nPid:\t{pid}\n"));
        fs::create_dir_all(self.base.join(format!("proc/{pid}/fd"))).expect("directories can be made");
    }

    /// Puts an entry into claude's registry of live sessions.
    pub fn register(&self, pid: u32, session: &str, start: u64) {
        let cwd = self.worktree();
        let entry = format!(
            r#"{{"pid":{pid},"sessionId":"{session}","cwd":{cwd:?},"startedAt":1796061502013,"procStart":"{start}","version":"{VERSION}","kind":"interactive","entrypoint":"cli","status":"idle"}}"#
        );
        self.write(&format!("home/.claude/sessions/{pid}.json"), &entry);
    }

    /// Runs git in a directory; it must succeed.
    pub fn git(&self, dir: &Path, args: &[&str]) -> String {
        git::git(dir, args)
    }

    /// Commits everything that is not ignored, in the project or a worktree.
    pub fn commit_all(&self, dir: &Path, message: &str) -> String {
        self.git(dir, &["add", "-A"]);
        self.git(dir, &["commit", "-q", "-m", message]);
        self.git(dir, &["rev-parse", "HEAD"])
    }

    fn lay_out_repository(&self) {
        self.write("api/README.md", "# Acme API\n");
        self.write("api/src/lib.rs", "pub fn token() {}\n");
        self.write("api/.gitignore", ".thunderkit/runs/\n");
        self.write("api/.thunderkit/NORTH_STAR.md", "# North star\n\nSessions that can be trusted.\n");
        self.write("api/.thunderkit/PLAN.md", "# Plan\n\n1. Rotate tokens\n");
        self.write("api/.thunderkit/config.json", CONFIG);
        let root = self.root();
        self.git(&root, &["init", "-q", "-b", "main"]);
        self.git(&root, &["remote", "add", "origin", "https://example.org/acme/api.git"]);
        self.commit_all(&root, "Lay the foundation");
        self.git(&root, &["worktree", "add", "-q", "-b", "tk/L1-auth", WORKTREE]);
        let lane = self.worktree();
        fs::write(lane.join("src/lib.rs"), "pub fn token() { /* rotates */ }\n")
            .expect("a file can be written");
        self.commit_all(&lane, "Rotate tokens");
        self.write(&format!("api/{ARTIFACT}"), "{\"lane_id\":\"L1-auth\"}\n");
    }

    fn lay_out_home(&self) {
        let cwd = self.worktree();
        let row = |kind: &str, at: &str, uuid: &str, parent: &str, message: &str| {
            format!(
                r#"{{"parentUuid":{parent},"isSidechain":false,"userType":"external","cwd":{cwd:?},"sessionId":"{SESSION}","version":"{VERSION}","gitBranch":"tk/L1-auth","type":"{kind}","message":{message},"uuid":"{uuid}","timestamp":"{at}","entrypoint":"cli"}}"#
            )
        };
        let first = "11111111-0000-4000-8000-000000000001";
        let second = "11111111-0000-4000-8000-000000000002";
        let ask = r#"{"role":"user","content":"Rotate the tokens"}"#;
        let answer = format!(
            r#"{{"id":"msg_01","type":"message","role":"assistant","model":"{MODEL}","content":[{{"type":"text","text":"Done."}}],"stop_reason":"end_turn"}}"#
        );
        let rows = [
            format!(r#"{{"type":"mode","mode":"default","sessionId":"{SESSION}"}}"#),
            row("user", "2026-11-29T08:58:00.000Z", first, "null", ask),
            row("assistant", "2026-11-29T08:59:00.000Z", second, &format!("\"{first}\""), &answer),
        ];
        let path = self.session();
        fs::create_dir_all(path.parent().expect("a file has a directory")).expect("directories can be made");
        fs::write(path, rows.join("\n") + "\n").expect("a file can be written");
        fs::create_dir_all(self.home().join(".claude/sessions")).expect("directories can be made");
        self.add_process(1, "init", &["/sbin/init"], 1);
    }

    fn lay_out_program(&self) {
        let package = format!(r#"{{"name":"@anthropic-ai/claude-code","version":"{VERSION}"}}"#);
        self.write("opt/claude-code/package.json", &package);
        let log = self.base.join("started.log");
        let script = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\n", log.display());
        self.write("opt/claude-code/claude", &script);
        set_mode(&self.program(), 0o755);
    }

    /// The handoff as thunderkit writes it, about the project as it is now.
    fn handoff_text(&self) -> String {
        let head = self.git(&self.root(), &["rev-parse", "HEAD"]);
        let lane = self.git(&self.worktree(), &["rev-parse", "HEAD"]);
        let digest = |relative: &str| {
            let bytes = fs::read(self.root().join(relative)).expect("an artifact can be read");
            moorline::handoff::Digest::of(&bytes).to_string()
        };
        HANDOFF
            .replace("{head}", &head)
            .replace("{lane_head}", &lane)
            .replace("{plan_sha}", &digest(PLAN))
            .replace("{artifact_sha}", &digest(ARTIFACT))
    }

    /// Copies everything to a place of its own; paths that are written inside files are rewritten.
    pub fn copy(&self) -> Self {
        let copy = Self::empty();
        copy_tree(&self.base, &copy.base);
        let (old, new) = (self.base.display().to_string(), copy.base.display().to_string());
        let moved = copy.home().join(".claude/projects").join(encoded(&self.worktree()));
        let session = copy.session();
        fs::rename(moved, session.parent().expect("a file has a directory"))
            .expect("a directory can be renamed");
        let registration = copy.root().join(".git/worktrees/L1-auth/gitdir");
        for path in [copy.worktree().join(".git"), registration, session, copy.program()] {
            let text = fs::read_to_string(&path).expect("a file can be read");
            fs::write(&path, text.replace(&old, &new)).expect("a file can be written");
        }
        copy
    }
}

/// Sets a file's permission bits.
pub fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode can be set");
}

/// A directory's name in claude's store.
pub fn encoded(path: &Path) -> String {
    let text = path.to_str().expect("a plain path");
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("directories can be made");
    for entry in fs::read_dir(from).expect("a directory can be listed") {
        let entry = entry.expect("an entry can be read");
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().expect("an entry has a kind");
        if kind.is_dir() {
            copy_tree(&source, &target);
        } else if kind.is_symlink() {
            let aim = fs::read_link(&source).expect("a link can be read");
            std::os::unix::fs::symlink(aim, target).expect("a link can be made");
        } else {
            fs::copy(&source, &target).expect("a file can be copied");
        }
    }
}

/// The project's config.
pub const CONFIG: &str = r#"{
  "schema_version": 2,
  "classes": {"planner": "opus48", "executors": ["opus48", "sol"], "reviewers": "all"},
  "review_families_min": 2,
  "max_layers": 3,
  "frozen_paths": [],
  "ecosystems": ["omo", "omh", "gsd"],
  "delegation": "auto"
}
"#;

/// The handoff, with the project's own values left open.
const HANDOFF: &str = r#"# Handoff
schema_version: 1
saved_at: "2026-11-29T09:00:00Z"
context_at_save: "62%"
repository: "example.org/acme/api"
branch: "main"
head: "{head}"
north_star: ".thunderkit/NORTH_STAR.md"
current_stage: "9 Execute"
active_artifact: ".thunderkit/PLAN.md"
active_artifact_sha256: "{plan_sha}"
model_contract:
  schema_version: 2
  classes:
    planner: "opus48"
    executors: ["opus48", "sol"]
    reviewers: "all"
  review_families_min: 2
  max_layers: 3
  frozen_paths: []
  ecosystems: ["omo", "omh", "gsd"]
  delegation: "auto"
lanes_in_flight:
  - id: "L1-auth"
    worktree: ".thunderkit/runs/r1/worktrees/L1-auth"
    branch: "tk/L1-auth"
    head: "{lane_head}"
    harness: "claude"
    harness_version: "2.1.332"
    session_id: "3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11"
    model_class: "executors"
    requested_model: {catalog_key: "opus48", provider: "anthropic", model_id: "claude-opus-4-8", effort: null}
    effective_model: {catalog_key: "opus48", provider: "anthropic", model_id: "claude-opus-4-8", effort: null}
    observed_model: {catalog_key: "opus48", provider: "anthropic", model_id: "claude-opus-4-8", effort: null}
    observed_family: "anthropic"
    origin: "owned"
    ecosystem: null
    package_version: null
    skill_name: null
    source: null
    source_sha256: null
    artifact: ".thunderkit/runs/r1/L1-auth.json"
    artifact_sha256: "{artifact_sha}"
    status: "blocked"
    resumability: "unverified"
    reason: "waiting for the review of the token store"
    evidence_paths:
      - ".thunderkit/runs/r1/L1-auth.json"
decisions_this_session:
  - "Tokens rotate on every use"
next_action: "Go on with the session store"
open_unknowns: "How long a refresh token may live"
"#;
