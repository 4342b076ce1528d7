//! The lookup of one missing session: the decision first, the request only where it is allowed, and a returned id taken
//! in as data.
#![allow(clippy::unwrap_used, reason = "these are tests: a project that cannot be laid out ends them")]

#[path = "common/peers.rs"]
mod peers;
#[path = "common/strace.rs"]
mod strace;
#[path = "common/true_project.rs"]
mod true_project;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use peers::VERSION;
use serde_json::{Value, json};
use true_project::{SESSION, TrueProject};

const MANIFEST: &str = include_str!("../assets/dependencies.json");
const OTHER: &str = "5a1e6a52-7d1e-4b7a-9c55-0d8f2f1b6a22";

/// The files of the built-in manifest's one target.
fn files() -> Vec<String> {
    let manifest: Value = serde_json::from_str(MANIFEST).unwrap();
    let files = &manifest["skills"]["tk-handoff"]["targets"][0]["provenance"]["files"];
    files.as_array().unwrap().iter().map(|path| path.as_str().unwrap().to_owned()).collect()
}

/// The true project on an opencode host that may look a session up.
fn allowed() -> TrueProject {
    let project = TrueProject::build();
    let files = files();
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    peers::install(&project, "opencode", "omo", "oh-my-openagent", &files);
    let entrypoint = "dist/skills/coding-agent-sessions/SKILL.md";
    let root = project.base().join("peers/omo");
    let snapshot = json!({"schema_version": 1, "host": "opencode", "tools": ["skill"], "consents": ["lookup"],
        "model_bindings": {}, "runtime_home": null,
        "peers": {"omo": {"package": "oh-my-openagent", "version": VERSION,
            "source": "https://github.com/code-yeongyu/oh-my-openagent", "root": root,
            "loaded_skills": {"coding-agent-sessions":
                {"path": root.join(entrypoint), "sha256": peers::digest("omo", entrypoint)}}}}});
    project.write("api/capabilities.json", &snapshot.to_string());
    project
}

fn command(project: &TrueProject, program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("HOME", project.home()).env("PATH", "/usr/bin:/bin").current_dir(project.root());
    command
}

fn words(project: &TrueProject, more: &[&str]) -> Vec<String> {
    let cwd = project.worktree().display().to_string();
    let base = ["lookup", "--query", "token store", "--platform", "claude", "--cwd", &cwd];
    base.iter().chain(more).map(|word| (*word).to_owned()).collect()
}

fn lookup(project: &TrueProject, more: &[&str]) -> (Option<i32>, Value) {
    let mut words = words(project, more);
    words.push("--json".to_owned());
    let out = command(project, Path::new(env!("CARGO_BIN_EXE_moorline"))).args(&words).output().unwrap();
    let document = serde_json::from_slice(&out.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&out.stderr)));
    (out.status.code(), document)
}

const GIVEN: [&str; 2] = ["--capabilities", "capabilities.json"];

#[test]
fn the_snapshot_of_the_readme_opens_the_gate_once_it_is_filled_in() {
    let project = allowed();
    let readme = include_str!("../README.md");
    let example = readme.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let digest = peers::digest("omo", "dist/skills/coding-agent-sessions/SKILL.md");
    let root = project.base().join("peers/omo").display().to_string();
    let filled =
        example.replace("VERSION", VERSION).replace("/ROOT", &root).replace("DIGEST", &digest.to_string());
    project.write("api/capabilities.json", &filled);
    let (code, document) = lookup(&project, &GIVEN);
    assert_eq!(code, Some(0), "it is a whole snapshot: {document}");
    assert_eq!(document["decision"]["reason_code"], "compatible", "and says all that is needed");
    project.write("api/capabilities.json", example);
    let (code, document) = lookup(&project, &GIVEN);
    assert_eq!(code, Some(1), "the control: as it stands it names no peer that is there: {document}");
    assert_ne!(document["decision"]["reason_code"], "invalid_config", "though it can be read");
}

#[test]
fn an_allowed_lookup_writes_the_bounded_request_and_nothing_else() {
    let project = allowed();
    let (code, document) =
        lookup(&project, &[&GIVEN[..], &["--since", "2026-11-01", "--budget", "5"]].concat());
    assert_eq!(code, Some(0), "it may be asked: {document}");
    assert_eq!(document["schema"], "moorline.lookup/1", "the shape is named");
    assert_eq!(document["decision"]["reason_code"], "compatible", "the decision stands first: {document}");
    assert_eq!(document["missing"], json!([]), "nothing is missing");
    let request = &document["request"];
    assert_eq!(request["platform"], "claude", "one platform");
    assert_eq!(request["project"], project.root().display().to_string(), "this project");
    assert_eq!(request["cwd"], project.worktree().display().to_string(), "exactly this directory");
    assert_eq!(request["query"], "token store", "the person's words");
    assert_eq!(
        (&request["since"], &request["until"]),
        (&json!("2026-11-01"), &Value::Null),
        "the window of time"
    );
    assert_eq!(request["budget"]["sessions"], 5, "bounded");
    for (key, value) in [("read_only", true), ("fan_out", false), ("child_sessions", false)] {
        assert_eq!(request[key], value, "{key}");
    }
    assert_eq!(request["component"]["selector"], "coding-agent-sessions", "the host's own component");
    assert!(document["returned"].is_null() && document["draft"].is_null(), "no id came back yet");
    let keys: Vec<_> = document.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys.last(), Some(&"summary"), "every document ends with its summary");
}

#[test]
fn every_row_of_the_table_says_what_is_missing_and_stops() {
    type Change = fn(&TrueProject);
    let capabilities = "api/capabilities.json";
    let rows: [(&str, Change, &[&str], &str, i32); 10] = [
        (
            "delegation off",
            |p| p.replace("api/.thunderkit/config.json", "\"auto\"", "\"off\""),
            &GIVEN,
            "owned/disabled",
            1,
        ),
        (
            "no config",
            |p| fs::remove_file(p.root().join(".thunderkit/config.json")).unwrap(),
            &GIVEN,
            "blocked/invalid_config",
            2,
        ),
        ("no capabilities", |_| {}, &[], "blocked/invalid_config", 2),
        (
            "no consent",
            |p| p.replace("api/capabilities.json", "[\"lookup\"]", "[]"),
            &GIVEN,
            "fallback/missing_evidence",
            1,
        ),
        (
            "no peer",
            |p| p.replace("api/capabilities.json", "\"omo\"", "\"other\""),
            &GIVEN,
            "fallback/peer_missing",
            1,
        ),
        (
            "host claude",
            |p| p.replace("api/capabilities.json", "\"opencode\"", "\"claude\""),
            &GIVEN,
            "fallback/unsupported_host",
            1,
        ),
        (
            "host codex",
            |p| p.replace("api/capabilities.json", "\"opencode\"", "\"codex\""),
            &GIVEN,
            "fallback/unsupported_host",
            1,
        ),
        (
            "tampered bytes",
            |p| p.write("peers/omo/dist/skills/coding-agent-sessions/AGENTS.md", "x"),
            &GIVEN,
            "fallback/source_mismatch",
            1,
        ),
        (
            "no lock",
            |p| fs::remove_file(p.root().join(".thunderkit/peers.lock.json")).unwrap(),
            &GIVEN,
            "fallback/peer_unlocked",
            1,
        ),
        (
            "ecosystem not enabled",
            |p| p.replace("api/.thunderkit/config.json", "\"omo\", ", ""),
            &GIVEN,
            "owned/owned_policy",
            1,
        ),
    ];
    for (name, change, given, expected, exit) in rows {
        let project = allowed();
        change(&project);
        let (code, document) = lookup(&project, &[given, &["--returned", SESSION]].concat());
        let decision = &document["decision"];
        let said = format!(
            "{}/{}",
            decision["decision"].as_str().unwrap(),
            decision["reason_code"].as_str().unwrap()
        );
        assert_eq!((said.as_str(), code), (expected, Some(exit)), "{name}: {document}");
        let missing = document["missing"].as_array().unwrap();
        assert_eq!(missing.len(), 1, "{name}: what is missing is said: {document}");
        for key in ["request", "returned", "draft"] {
            assert!(document[key].is_null(), "{name}: no {key}: {document}");
        }
    }
    assert!(allowed().base().join(capabilities).exists(), "control: the snapshot was there");
}

/// A copy of the true session under another name, with these texts replaced.
fn session(project: &TrueProject, name: &str, changes: &[(&str, &str)]) {
    let mut text = fs::read_to_string(project.session()).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from} is there to be replaced");
        text = text.replace(from, to);
    }
    fs::write(project.session().with_file_name(format!("{name}.jsonl")), text).unwrap();
}

#[test]
fn a_returned_id_is_verified_in_that_one_store_or_refused_by_name() {
    let project = allowed();
    let worktree = project.worktree().display().to_string();
    let elsewhere = project.base().join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    let (same, other, foreign) = (OTHER, OTHER.replace("22", "33"), OTHER.replace("22", "44"));
    session(&project, same, &[]);
    session(&project, &other, &[(SESSION, &other), (&worktree, &project.root().display().to_string())]);
    session(&project, &foreign, &[(SESSION, &foreign), (&worktree, &elsewhere.display().to_string())]);
    let returned = |id: &str| {
        let (code, document) = lookup(&project, &[&GIVEN[..], &["--returned", id]].concat());
        (code, document["returned"]["refused"]["name"].as_str().map(str::to_owned), document)
    };
    let (code, refused, document) = returned(SESSION);
    assert_eq!((code, refused), (Some(0), None), "control: the true session is verified: {document}");
    assert_eq!(document["returned"]["session"]["cwd"], worktree, "with what its store says");
    assert_eq!(document["draft"]["lanes"][0]["session_id"], SESSION, "and offered to a save");
    assert_eq!(document["draft"]["lanes"][0]["id"], "L1-auth", "for the lane of its directory");
    for (id, name) in [
        ("Rotate the tokens", "not_an_id"),
        ("my-title-1", "not_an_id"),
        (&format!("{SESSION}.jsonl"), "not_an_id"),
        (&format!("claude --resume {SESSION}"), "not_an_id"),
        (&SESSION.to_uppercase(), "not_an_id"),
        ("20261129_085800_0a1b2c3d", "not_an_id"),
        (same, "rows_disagree"),
        (&other, "other_directory"),
        (&foreign, "other_project"),
        (&OTHER.replace("22", "55"), "not_in_store"),
    ] {
        let (code, refused, document) = returned(id);
        assert_eq!(refused.as_deref(), Some(name), "{id}: {document}");
        assert_eq!(code, Some(1), "{id} is a no");
        assert!(document["draft"].is_null(), "{id}: a refused id is offered to nothing");
    }
}

#[test]
fn a_verified_id_goes_into_a_save_in_which_every_check_still_applies() {
    let project = allowed();
    let (_, document) = lookup(&project, &[&GIVEN[..], &["--returned", SESSION]].concat());
    let mut narrative = document["draft"].clone();
    narrative["phase"] = json!("9 Execute");
    narrative["next"] = json!(["Go on"]);
    project.write("narrative.json", &narrative.to_string());
    let mut save = command(&project, Path::new(env!("CARGO_BIN_EXE_moorline")));
    save.args(["save", "--format", "thunderkit", "--from", "../narrative.json", "--dry-run", "--json"]);
    let out = save.output().unwrap();
    let saved: Value = serde_json::from_slice(&out.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&out.stderr)));
    let lane = &saved["captured"]["lane L1-auth"];
    assert_eq!(lane["value"], SESSION, "the id is in the draft: {saved}");
    assert!(
        lane["source"].as_str().unwrap().contains("found in its store"),
        "because it was looked up again: {lane}"
    );
}

/// The paths that a run opened.
fn opened(strace: &Path, project: &TrueProject, more: &[&str]) -> (Output, String) {
    let log = project.base().join("opened.log");
    let mut watched = command(project, strace);
    watched
        .args(["-f", "-e", "trace=open,openat,openat2", "-o"])
        .arg(&log)
        .arg(env!("CARGO_BIN_EXE_moorline"));
    let out = watched.args(words(project, more)).output().unwrap();
    (out, fs::read_to_string(log).unwrap())
}

#[test]
fn no_store_is_opened_before_the_decision_allows_it() {
    let Some(strace) = strace::strace() else { return };
    let project = allowed();
    let given = [&GIVEN[..], &["--returned", SESSION]].concat();
    let (out, log) = opened(&strace, &project, &given);
    assert!(out.status.success(), "control: it is allowed: {}", String::from_utf8_lossy(&out.stdout));
    assert!(log.contains(".claude"), "control: the watcher sees the store being opened");
    for (from, to) in [("[\"lookup\"]", "[]"), ("\"omo\"", "\"other\""), ("\"opencode\"", "\"claude\"")] {
        let project = allowed();
        project.replace("api/capabilities.json", from, to);
        let (out, log) = opened(&strace, &project, &given);
        assert_eq!(out.status.code(), Some(1), "{from} → {to}: it is not allowed");
        assert!(log.contains("capabilities.json"), "control: the watcher sees what is read");
        for store in [".claude", ".codex", ".hermes", "opencode.db", "/opencode/"] {
            assert!(
                !log.lines().any(|line| line.contains(store)),
                "{from} → {to}: {store} was opened:\n{log}"
            );
        }
    }
}
