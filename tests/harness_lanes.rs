//! Lanes of Codex, Hermes and OpenCode, from the handoff to the verdict: one true lane of each, one change at a time.

#[path = "common/true_project.rs"]
mod true_project;

use std::fs;
use std::os::unix::fs::symlink;

use moorline::check::{Check, CheckId, Examiner, Outcome, Report, Verdict};
use moorline::handoff::Inert;
use moorline::harness::Surroundings;
use moorline::settings::Settings;
use serde_json::json;
use true_project::{MODEL, SESSION, TrueProject, set_mode};

use CheckId::{Harness, Liveness, SessionCwd, SessionExists, SessionId, SessionModel};
use Outcome::{Failed, Passed, Unknown};

/// The model that a lane of codex may run on.
const SOL: &str = "gpt-5.6-sol";
const HERMES: &str = "20261129_085800_9590e9";
const OPENCODE: &str = "ses_dd1bcb50affe5dkSO817X7Wjxi";
const ROLLOUT: &str =
    "home/.codex/sessions/2026/11/29/rollout-2026-11-29T08-58-00-3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11.jsonl";
const LOCK: &str = "home/.codex/thread-writer-locks/3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11.lock";

/// A project whose lane is one of another harness, and what is true of it in the home directory.
struct Lane {
    project: TrueProject,
}

impl Lane {
    fn of(original: &TrueProject, name: &str, version: &str, id: &str) -> Self {
        let lane = Self { project: original.copy() };
        lane.project.edit("harness: \"claude\"", &format!("harness: \"{name}\""));
        lane.project.edit("harness_version: \"2.1.332\"", &format!("harness_version: \"{version}\""));
        lane.project.edit(SESSION, id);
        let program = format!("opt/{name}/bin/{name}");
        lane.project.write(&program, "#!/bin/sh\nexit 1\n");
        set_mode(&lane.project.base().join(program), 0o755);
        lane
    }

    fn codex(original: &TrueProject) -> Self {
        let lane = Self::of(original, "codex", "0.171.0", SESSION);
        for kind in ["requested", "effective", "observed"] {
            let identity = |key: &str, provider: &str, model: &str| {
                format!(
                    "{kind}_model: {{catalog_key: \"{key}\", provider: \"{provider}\", model_id: \"{model}\""
                )
            };
            lane.project.edit(&identity("opus48", "anthropic", MODEL), &identity("sol", "openai-codex", SOL));
        }
        lane.project.edit("observed_family: \"anthropic\"", "observed_family: \"openai\"");
        let cwd = lane.project.worktree();
        let at = "2026-11-29T08:59:00.000Z";
        let meta = json!({"id": SESSION, "cwd": cwd, "cli_version": "0.171.0"});
        let done = json!({"type": "task_complete", "last_agent_message": "Done."});
        let rows = [
            json!({"timestamp": at, "type": "session_meta", "payload": meta}),
            json!({"timestamp": at, "type": "turn_context", "payload": {"cwd": cwd, "model": SOL}}),
            json!({"timestamp": at, "type": "event_msg", "payload": done}),
        ];
        lane.project.write(ROLLOUT, &rows.map(|row| format!("{row}\n")).concat());
        lane.project.write("home/.codex/config.toml", &format!("model = \"{SOL}\"\n"));
        lane
    }

    fn hermes(original: &TrueProject) -> Self {
        let lane = Self::of(original, "hermes", "0.19.0", HERMES);
        lane.project.write("home/.hermes/config.yaml", &format!("model:\n  default: {MODEL}\n"));
        lane.project.write("home/.hermes/state.db", "");
        lane.sql(
            "home/.hermes/state.db",
            &format!(
                "CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, model_config TEXT,
                    parent_session_id TEXT, started_at REAL, ended_at REAL, end_reason TEXT, cwd TEXT, archived INTEGER);
                 CREATE TABLE messages (session_id TEXT, role TEXT, content TEXT, timestamp REAL, finish_reason TEXT);
                 CREATE TABLE session_model_usage (session_id TEXT, model TEXT, task TEXT, last_seen REAL);
                 INSERT INTO sessions VALUES ('{HERMES}', 'cli', '{MODEL}', NULL, NULL, 1795942680, NULL, NULL, '{}', 0);
                 INSERT INTO messages VALUES ('{HERMES}', 'assistant', 'Done.', 1795942740, 'stop');
                 INSERT INTO session_model_usage VALUES ('{HERMES}', '{MODEL}', '', 1795942740);",
                lane.project.worktree().display()
            ),
        );
        lane
    }

    fn opencode(original: &TrueProject) -> Self {
        let lane = Self::of(original, "opencode", "1.18.33", OPENCODE);
        let data = json!({"role": "assistant", "modelID": MODEL, "time": {"completed": 1}, "finish": "stop"});
        let store = "home/.local/share/opencode/opencode.db";
        lane.project.write(store, "");
        lane.sql(
            store,
            &format!(
                "CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, version TEXT, time_created INTEGER,
                    time_updated INTEGER, time_archived INTEGER);
                 CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
                 INSERT INTO session VALUES ('{OPENCODE}', '{}', '1.18.33', 1795942680000, 1795942740000, NULL);
                 INSERT INTO message VALUES ('m', '{OPENCODE}', 1, '{data}');",
                lane.project.worktree().display()
            ),
        );
        lane
    }

    fn sql(&self, database: &str, text: &str) {
        let database = rusqlite::Connection::open(self.project.base().join(database)).expect("it opens");
        database.execute_batch(&format!("PRAGMA synchronous=OFF; {text}")).expect("it is done");
    }

    /// A process of this harness that has a file open; `info` is what the kernel says of the handle.
    fn at_work(&self, name: &str, argv: &[&str], file: Option<&str>, info: &str) {
        self.project.add_process(77, name, argv, 500);
        let home = format!("HOME={}\0", self.project.home().display());
        self.project.write("proc/77/environ", &home);
        self.project.write("proc/77/fdinfo/5", info);
        if let Some(file) = file {
            symlink(self.project.base().join(file), self.project.base().join("proc/77/fd/5"))
                .expect("a link");
        }
    }

    fn report(&self) -> Report {
        let path = ["codex/bin", "hermes/bin", "opencode/bin", "claude-code"];
        let path = path.map(|name| self.project.base().join("opt").join(name));
        let mut around: Surroundings = self.project.around();
        around.vars.insert("PATH".into(), std::env::join_paths(path).expect("plain paths"));
        Examiner::new(&self.project.root(), around, Settings::default()).examine(&self.project.row())
    }
}

fn find(report: &Report, id: CheckId) -> &Check {
    let all = report.lanes.iter().flat_map(|lane| &lane.checks);
    all.into_iter().find(|check| check.id == id).expect("the check was made")
}

/// What one check says of a lane after a change.
fn expect(lane: &Lane, id: CheckId, outcome: Outcome, words: &str, why: &str) {
    let report = lane.report();
    let check = find(&report, id);
    let reason = check.reason.as_ref().map(Inert::shown).unwrap_or_default();
    assert_eq!(check.outcome, outcome, "{why}: {reason}");
    assert!(reason.contains(words), "{why}: {reason:?} says {words:?}");
    let verdict = report.lanes[0].verdict;
    assert!(outcome == Passed || verdict != Verdict::Validated, "{why}: and the lane is not validated");
}

fn everything_is_true(lane: &Lane) {
    let report = lane.report();
    let open: Vec<_> = report.lanes[0].checks.iter().filter(|check| check.outcome != Passed).collect();
    assert_eq!(report.lanes[0].verdict, Verdict::Validated, "everything is true, the control: {open:?}");
}

#[test]
fn a_true_lane_of_codex_is_validated_and_each_lie_about_it_is_found() {
    let original = TrueProject::build();
    let lane = || Lane::codex(&original);
    everything_is_true(&lane());

    let put_away = lane();
    let name = ROLLOUT.rsplit('/').next().expect("a file has a name");
    let archived = &format!("home/.codex/archived_sessions/{name}");
    put_away.project.write(archived, "");
    let at = |name: &str| put_away.project.base().join(name);
    fs::rename(at(ROLLOUT), at(archived)).expect("moved");
    expect(&put_away, SessionExists, Failed, "put this session away", "archived");
    fs::copy(at(archived), at(ROLLOUT)).expect("copied");
    expect(&put_away, SessionExists, Unknown, "two files", "and there as well");

    let gone = lane();
    fs::remove_file(gone.project.base().join(ROLLOUT)).expect("removed");
    expect(&gone, SessionExists, Failed, "of this id", "gone");
    let mixed = lane();
    mixed.project.replace(ROLLOUT, &format!("\"id\":\"{SESSION}\""), "\"id\":\"other\"");
    expect(&mixed, SessionExists, Failed, "other sessions", "another id inside");
    let elsewhere = lane();
    let root = elsewhere.project.root();
    let worktree = format!("\"cwd\":{:?},\"model\"", elsewhere.project.worktree());
    elsewhere.project.replace(ROLLOUT, &worktree, &format!("\"cwd\":{root:?},\"model\""));
    expect(&elsewhere, SessionCwd, Failed, "another directory", "it worked elsewhere");
    let other_model = lane();
    other_model.project.replace(ROLLOUT, SOL, "gpt-other");
    expect(&other_model, SessionModel, Failed, "another model answered last", "another model");

    let default = lane();
    default.project.write("home/.codex/config.toml", "model = \"gpt-other\"\n");
    expect(&default, SessionModel, Failed, "configured default", "another model would answer");
    default.project.write("home/.codex/config.toml", "");
    expect(&default, SessionModel, Unknown, "configured default", "nobody knows which would answer");
    let local = lane();
    fs::create_dir(local.project.worktree().join(".codex")).expect("a folder");
    fs::write(local.project.worktree().join(".codex/config.toml"), "model = \"gpt-other\"\n")
        .expect("a file");
    expect(
        &local,
        SessionModel,
        Unknown,
        "whether codex believes it",
        "the worktree's own file names another",
    );

    let held = lane();
    held.project.write(LOCK, "");
    expect(&held, Liveness, Passed, "stale", "the file of a lock that nobody holds");
    held.at_work("codex", &["codex"], Some(LOCK), "lock:\t1: FLOCK  ADVISORY  WRITE 77 fe:00:1 0 EOF\n");
    expect(&held, Liveness, Failed, "process 77", "held");
    assert_eq!(held.report().lanes[0].verdict, Verdict::Running, "which is a verdict of its own");
    let old = lane();
    old.at_work("codex", &["codex"], None, "");
    expect(&old, Liveness, Unknown, "process 77", "a codex of no known version is at work");

    let upper = lane();
    upper.project.edit(SESSION, &SESSION.to_uppercase());
    expect(&upper, SessionId, Failed, "not an id of codex", "an id that would begin a new session");
}

#[test]
fn a_true_lane_of_hermes_is_validated_and_each_lie_about_it_is_found() {
    let original = TrueProject::build();
    let store = "home/.hermes/state.db";
    let changed = |sql: &str| {
        let lane = Lane::hermes(&original);
        lane.sql(store, sql);
        lane
    };
    everything_is_true(&changed(""));
    for (sql, id, outcome, words) in [
        ("UPDATE sessions SET archived = 1", SessionExists, Failed, "put this session away"),
        ("DELETE FROM sessions", SessionExists, Failed, "no session of this id"),
        ("DROP TABLE sessions", SessionExists, Unknown, "no plain table"),
        (
            "UPDATE sessions SET end_reason = 'compression';
             INSERT INTO sessions (id, parent_session_id, started_at) SELECT 'next', id, 1 FROM sessions",
            SessionExists,
            Failed,
            "would go on with next",
        ),
        ("UPDATE sessions SET cwd = '/'", SessionCwd, Failed, "another directory"),
        ("UPDATE sessions SET cwd = NULL", SessionCwd, Unknown, "does not say"),
        (
            "UPDATE session_model_usage SET model = 'other'",
            SessionModel,
            Failed,
            "another model answered last",
        ),
        ("DELETE FROM session_model_usage", SessionModel, Unknown, "does not say which model"),
    ] {
        expect(&changed(sql), id, outcome, words, sql);
    }
    let default = changed("");
    default.project.write("home/.hermes/config.yaml", "model: other\n");
    expect(&default, SessionModel, Failed, "configured default", "another model would answer");
    fs::remove_file(default.project.base().join("home/.hermes/config.yaml")).expect("removed");
    expect(&default, SessionModel, Unknown, "configured default", "nobody knows which would answer");

    let resumed = changed("");
    resumed.at_work("hermes", &["python3", "/v/bin/hermes", "chat", "--resume", HERMES], None, "");
    expect(&resumed, Liveness, Failed, "process 77", "started with this id");
    assert_eq!(resumed.report().lanes[0].verdict, Verdict::Running, "which is a verdict of its own");
    let open = changed("");
    open.at_work("hermes", &["python3", "/v/bin/hermes"], Some(store), "flags:\t02\n");
    expect(&open, Liveness, Unknown, "process 77", "it may be at any session");
}

#[test]
fn a_lane_of_opencode_is_checked_and_never_resumed() {
    let original = TrueProject::build();
    let lane = Lane::opencode(&original);
    expect(&lane, Harness, Failed, "no fixed way", "there is no form to resume it with");
    for id in [SessionExists, SessionCwd, SessionModel, Liveness] {
        expect(&lane, id, Passed, "", "its session is known all the same");
    }
    lane.sql("home/.local/share/opencode/opencode.db", "UPDATE session SET time_archived = 5");
    expect(&lane, SessionExists, Failed, "put this session away", "archived");
}

/// Puts the boot time into the process table, and gives a process's start in seconds since 1970.
fn began(lane: &Lane, ticks: f64) -> f64 {
    lane.project.write("proc/stat", "cpu 1 2\nbtime 1796000000\n");
    1_796_000_000.0 + ticks / 100.0
}

#[test]
fn a_live_owner_is_named_and_what_a_dead_one_left_is_explained_and_blocks_nothing() {
    let original = TrueProject::build();
    let claude = || Lane { project: original.copy() };
    let process = |lane: &Lane, name: &str, start: u64| lane.project.add_process(77, name, &[name], start);
    let lease = |lane: &Lane, ticks: f64| {
        let entry = json!({"lease_id": "l", "pid": 77, "session_id": HERMES, "process_start_time": began(lane, ticks)});
        lane.project
            .write("home/.hermes/runtime/active_sessions.json", &json!({"entries": [entry]}).to_string());
    };
    let daemon = |lane: &Lane| {
        lane.project.write(LOCK, "");
        let record = json!({"pid": 77, "processIdentity": {"bootId": "b", "startTicks": 500}});
        lane.project.write("home/.codex/app-server-daemon/daemon.pid", &record.to_string());
    };
    type Change<'a> = &'a dyn Fn(&Lane);
    let live: [(&str, Lane, Change<'_>); 4] = [
        ("claude's registry", claude(), &|lane| {
            process(lane, "claude", 500);
            lane.project.register(77, SESSION, 500);
        }),
        ("codex's lock", Lane::codex(&original), &|lane| {
            lane.project.write(LOCK, "");
            lane.at_work(
                "codex",
                &["codex"],
                Some(LOCK),
                "lock:\t1: FLOCK  ADVISORY  WRITE 77 fe:00:1 0 EOF\n",
            );
        }),
        ("codex's daemon", Lane::codex(&original), &|lane| {
            daemon(lane);
            lane.at_work(
                "codex",
                &["codex"],
                Some(LOCK),
                "lock:\t1: FLOCK  ADVISORY  WRITE 77 fe:00:1 0 EOF\n",
            );
        }),
        ("hermes's lease", Lane::hermes(&original), &|lane| {
            process(lane, "hermes", 500);
            lease(lane, 500.0);
        }),
    ];
    for (what, lane, change) in &live {
        everything_is_true(lane);
        change(lane);
        let report = lane.report();
        assert_eq!(report.lanes[0].verdict, Verdict::Running, "{what}: a live owner has it");
        let reason = find(&report, Liveness).reason.as_ref().map(Inert::shown).unwrap_or_default();
        assert!(reason.contains("process 77"), "{what}: by its process id: {reason}");
    }
    let left: [(&str, Lane, Change<'_>); 7] = [
        ("claude's entry of a process that has ended", claude(), &|lane| {
            lane.project.register(77, SESSION, 500)
        }),
        ("claude's entry whose number is another process's by now", claude(), &|lane| {
            lane.project.register(77, SESSION, 500);
            process(lane, "vim", 900);
        }),
        ("codex's lock that nobody holds", Lane::codex(&original), &|lane| lane.project.write(LOCK, "")),
        (
            "codex's lock and its daemon's record, of a number that is another's by now",
            Lane::codex(&original),
            &|lane| {
                daemon(lane);
                process(lane, "vim", 900);
            },
        ),
        ("hermes's lease of a process that has ended", Lane::hermes(&original), &|lane| lease(lane, 500.0)),
        ("hermes's lease whose number is another process's by now", Lane::hermes(&original), &|lane| {
            lease(lane, 500.0);
            process(lane, "vim", 90_000);
        }),
        ("hermes's lease whose number is another hermes's by now", Lane::hermes(&original), &|lane| {
            lease(lane, 500.0);
            process(lane, "hermes", 90_000);
        }),
    ];
    for (what, lane, change) in &left {
        change(lane);
        let report = lane.report();
        let check = find(&report, Liveness);
        let said =
            [&check.reason, &check.observed].map(|text| text.as_ref().map(Inert::shown).unwrap_or_default());
        assert_eq!(check.outcome, Passed, "{what}: nobody has it: {said:?}");
        assert!(
            said.iter().any(|text| text.contains("stale")),
            "{what}: and what was left is explained: {said:?}"
        );
        assert_eq!(report.lanes[0].verdict, Verdict::Validated, "{what}: it stands in nobody's way");
    }
}
