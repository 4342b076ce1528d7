//! What `moorline doctor` says of harnesses as they are found: present, absent, old, and at work.

#[path = "common/git.rs"]
mod git;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

const ID: &str = "01a22e40-0c7f-7733-8ac0-dc8f06fedf06";

/// A home, a project and a directory of programs.
struct Machine {
    dir: tempfile::TempDir,
}

/// One test at a time: a client that one of them starts is, for the moment of its start, a process of nobody's
/// home to every other.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Machine {
    fn new() -> Self {
        let machine = Self { dir: tempfile::tempdir().expect("a directory") };
        for folder in ["home", "project", "bin"] {
            fs::create_dir(machine.path(folder)).expect("a folder");
        }
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().expect("it is there").join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(&path, text).expect("a file");
        path
    }

    /// Installs a program as a package would; whoever starts it leaves a mark.
    fn install(&self, name: &str, package: &str, version: &str) {
        let text = json!({"name": package, "version": version}).to_string();
        self.write(&format!("lib/{name}/package.json"), text);
        let script = format!("#!/bin/sh\ntouch '{}'\n", self.path("started").display());
        let program = self.write(&format!("lib/{name}/bin/{name}"), script);
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("executable");
        std::os::unix::fs::symlink(program, self.path("bin").join(name)).expect("a link");
    }

    /// A codex session of this directory.
    fn session(&self, id: &str, cwd: &Path) {
        let payload = json!({"id": id, "cwd": cwd, "timestamp": "2026-11-30T20:00:00Z"});
        let meta = json!({"type": "session_meta", "payload": payload});
        self.write(
            &format!("home/.codex/sessions/2026/11/30/rollout-2026-11-30T20-00-00-{id}.jsonl"),
            format!("{meta}\n"),
        );
    }

    fn doctor(&self, arguments: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_moorline"))
            .arg("-C")
            .arg(self.path("project"))
            .arg("doctor")
            .args(arguments)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", self.path("bin"))
            .output()
            .expect("moorline runs");
        assert!(output.status.success(), "a missing harness is no fault: {output:?}");
        assert!(!self.path("started").exists(), "and no program was started");
        String::from_utf8(output.stdout).expect("text")
    }

    /// What is said of one harness.
    fn found(&self, name: &str) -> Value {
        let document: Value = serde_json::from_str(&self.doctor(&["--json"])).expect("one document");
        assert_eq!(document["schema"], "moorline.doctor/1", "of the documented shape");
        let harnesses = document["harnesses"].as_array().expect("a list");
        assert_eq!(harnesses.len(), 4, "each harness is reported");
        harnesses.iter().find(|harness| harness["name"] == name).expect("among them").clone()
    }

    /// Something that runs under the name of a client in this home.
    fn at_work(&self, name: &str) -> Running {
        let program = self.path("at-work").join(name);
        fs::create_dir_all(program.parent().expect("a parent")).expect("folders");
        fs::copy("/bin/sleep", &program).expect("copied");
        let child = Command::new(program).arg("600").env_clear().env("HOME", self.path("home")).spawn();
        Running(child.expect("it starts"))
    }
}

/// Ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().expect("killed");
        self.0.wait().expect("waited for");
    }
}

#[test]
fn the_settings_file_is_named_or_that_there_is_none() {
    let _alone = alone();
    let machine = Machine::new();
    let path = machine.path("home/.config/moorline/config.toml");
    let line = |said: String| {
        let line = said.lines().find_map(|line| line.strip_prefix("settings    ").map(str::to_owned));
        line.expect("a line about the settings")
    };
    let none = format!("no file, the defaults hold: {} is not there", path.display());
    assert_eq!(line(machine.doctor(&[])), none, "and where one would be read");
    machine.write("home/.config/moorline/config.toml", "theme = 'mono'\n");
    assert_eq!(line(machine.doctor(&[])), path.display().to_string(), "the one that was read");
    let document: Value = serde_json::from_str(&machine.doctor(&["--json"])).expect("one document");
    assert_eq!(document["settings"]["file"], json!(path), "a program is told as well");
}

#[test]
fn a_machine_without_anything_needs_nothing() {
    let _alone = alone();
    let machine = Machine::new();
    for name in ["claude", "codex", "hermes"] {
        let found = machine.found(name);
        for key in ["program", "version", "store", "sessions", "default_model"] {
            assert_eq!(found[key], Value::Null, "{name}: no {key}");
        }
        assert_eq!(found["running"], json!([]), "{name}: nobody runs it in this home");
        assert!(
            found["next"].as_str().is_some_and(|next| next.starts_with("nothing, unless")),
            "{name}: {found}"
        );
        assert!(
            found["notes"].as_array().is_some_and(|notes| notes.len() >= 2),
            "{name}: each gap is explained"
        );
    }
    assert_eq!(machine.found("opencode")["resumes"], false, "opencode has no fixed form");
}

#[test]
fn what_is_there_is_told_with_its_place_and_the_next_step() {
    let _alone = alone();
    let machine = Machine::new();
    machine.session(ID, &machine.path("project"));
    machine.session("01a22e40-1111-7733-8ac0-dc8f06fedf06", Path::new("/elsewhere"));
    let found = machine.found("codex");
    assert_eq!(
        (&found["sessions"], &found["program"]),
        (&json!(1), &Value::Null),
        "a store without a program"
    );
    assert!(found["next"].as_str().is_some_and(|next| next.starts_with("install it, or put it")), "{found}");

    machine.install("codex", "@openai/codex", "0.98.0");
    let found = machine.found("codex");
    assert_eq!(found["version"], "0.98.0", "the version, from the package");
    assert!(found["next"].as_str().is_some_and(|next| next.starts_with("update it: 0.130.0")), "{found}");

    machine
        .write("lib/codex/package.json", json!({"name": "@openai/codex", "version": "0.171.0"}).to_string());
    machine.write("home/.codex/config.toml", "model = \"gpt-a\"");
    let found = machine.found("codex");
    assert_eq!(found["program"], json!(machine.path("lib/codex/bin/codex")), "the program, links resolved");
    assert_eq!(found["store"], json!(machine.path("home/.codex")), "the store");
    assert_eq!(found["default_model"], "gpt-a", "the model that would answer");
    assert_eq!(found["next"], "nothing is missing", "and nothing to do");

    let text = machine.doctor(&[]);
    for line in [
        "  version   0.171.0 (",
        "  sessions  1 of this directory",
        "  running   none",
        "  default   gpt-a: ",
    ] {
        assert!(text.contains(line), "for people as well: {line:?} in\n{text}");
    }
}

#[test]
fn a_client_at_work_is_named_with_its_process() {
    let _alone = alone();
    let machine = Machine::new();
    machine.session(ID, &machine.path("project"));
    machine.install("codex", "@openai/codex", "0.171.0");
    let working = machine.at_work("codex");
    let elsewhere = Machine::new();
    let _other = elsewhere.at_work("codex");
    let found = machine.found("codex");
    assert_eq!(found["running"].as_array().map(Vec::len), Some(1), "the one of this home, no other: {found}");
    assert_eq!(found["running"][0]["pid"], working.0.id(), "by its process id");
    assert!(
        found["running"][0]["since"].as_str().is_some_and(|since| since.ends_with('Z')),
        "and since when"
    );
    let next = format!("end process {}", working.0.id());
    assert!(
        found["next"].as_str().is_some_and(|text| text.starts_with(&next)),
        "it is what stands in the way"
    );
    drop(working);
    assert_eq!(machine.found("codex")["running"], json!([]), "ended, it is gone: the control");
}

#[test]
fn a_store_that_is_something_else_is_told_as_what_it_is() {
    let _alone = alone();
    let machine = Machine::new();
    let path = |name: &str| machine.path("home").join(name);
    fs::create_dir_all(path(".local/share/opencode/opencode.db")).expect("a directory");
    fs::create_dir(path(".hermes")).expect("a directory");
    let fifo = Command::new("mkfifo").arg(path(".hermes/state.db")).status().expect("mkfifo runs");
    assert!(fifo.success(), "a FIFO can be made");
    machine.write("home/.codex", "no directory");
    std::os::unix::fs::symlink("/nowhere/at/all", path(".claude")).expect("a link");
    for (name, words) in [
        ("claude", ".claude is a link that leads nowhere, not a directory"),
        ("codex", ".codex is a regular file, not a directory"),
        ("hermes", ".hermes/state.db is a FIFO, a socket or a device, not a regular file"),
        ("opencode", "opencode/opencode.db is a directory, not a regular file"),
    ] {
        let found = machine.found(name);
        assert_eq!((&found["store"], &found["sessions"]), (&Value::Null, &Value::Null), "{name}: no store");
        let notes = found["notes"].to_string();
        assert!(notes.contains(words), "{name}: it is said what lies there: {notes}");
        let next = found["next"].as_str().unwrap_or_default();
        assert!(
            next.starts_with("put its store right"),
            "{name}: and that it is the first thing to do: {next}"
        );
    }
}

#[test]
fn sessions_of_the_repository_s_other_worktrees_are_sessions_of_the_project() {
    let _alone = alone();
    let machine = Machine::new();
    let project = machine.path("project");
    git::git(&project, &["init", "-q", "-b", "main"]);
    git::git(&project, &["commit", "-q", "--allow-empty", "-m", "First"]);
    machine.session(ID, &project);
    assert_eq!(machine.found("codex")["sessions"], 1, "its own: the control");
    git::git(&project, &["worktree", "add", "-q", "-b", "lane", "../lane"]);
    machine.session("01a22e40-1111-7733-8ac0-dc8f06fedf06", &machine.path("lane"));
    machine.session("01a22e40-2222-7733-8ac0-dc8f06fedf06", Path::new("/elsewhere"));
    assert_eq!(machine.found("codex")["sessions"], 2, "and that of the lane's worktree, but no stranger's");
    let text = machine.doctor(&[]);
    assert!(text.contains("  sessions  2 of this directory and 1 other worktree"), "which is said:\n{text}");
}
