//! The true project with its lane turned to another client, and canaries of that client's name.
//!
//! A canary writes down how it was started, beside the project and never in it: `seen/{argv,stdin,cwd}` of the last
//! start, and one line per start in `seen/starts`.

#![allow(dead_code, reason = "each test program uses another part of it")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use moorline::check::Examiner;
use moorline::handoff::HarnessName;
use moorline::harness::Surroundings;
use moorline::resume::{Plan, Refusal};
use moorline::settings::Settings;

use super::true_project::{MODEL as CLAUDE_MODEL, SESSION, TrueProject, VERSION, set_mode};

/// Another session of the same directory, in codex's shape.
pub const OTHER: &str = "0193c5a0-3e2f-7a61-8d7e-1f2a3b4c5d6e";
/// Another session of the same directory, in hermes's shape.
pub const OTHER_HERMES: &str = "20261130_101112_0d0e0f";

/// A project whose one lane is of this client.
pub struct OtherLane {
    pub project: TrueProject,
    pub name: HarnessName,
    /// The session that stands in the store.
    pub id: String,
}

impl OtherLane {
    /// Everything about it is true. The canary does nothing at all.
    pub fn build(name: HarnessName) -> Self {
        let lane = Self::recorded(TrueProject::build(), name);
        match name {
            HarnessName::Codex => lane.lay_out_codex(),
            HarnessName::Hermes => lane.lay_out_hermes(),
            _ => {}
        }
        lane.install("exit 0\n");
        lane
    }

    /// Turns what the handoff says of the lane to this client.
    pub fn recorded(project: TrueProject, name: HarnessName) -> Self {
        // Each lane has a session of its own: the process table is everybody's.
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let own = std::process::id().wrapping_mul(64).wrapping_add(COUNT.fetch_add(1, Ordering::Relaxed));
        let (id, version) = match name {
            HarnessName::Codex => (format!("0193c5a0-7d1e-7b7a-9c55-0d8f{own:08x}"), "0.171.0"),
            HarnessName::Hermes => (format!("20261129_085800_{own:08x}"), "0.19.0"),
            HarnessName::Opencode => ("ses_0123456789abABCDEFghijklmn".to_owned(), "1.18.33"),
            HarnessName::Claude => (SESSION.to_owned(), VERSION),
        };
        let lane = Self { project, name, id };
        let word = name.as_str();
        lane.project.edit("harness: \"claude\"", &format!("harness: \"{word}\""));
        lane.project.edit(VERSION, version);
        lane.record(SESSION, &lane.id);
        if name == HarnessName::Codex {
            let claude = r#"catalog_key: "opus48", provider: "anthropic", model_id: "claude-opus-4-8""#;
            let codex = r#"catalog_key: "sol", provider: "openai-codex", model_id: "gpt-5.6-sol""#;
            (0..3).for_each(|_| lane.project.edit(claude, codex));
            lane.project.edit("observed_family: \"anthropic\"", "observed_family: \"openai\"");
        }
        lane
    }

    /// Changes the recorded session.
    pub fn record(&self, from: &str, to: &str) {
        self.project.edit(&format!("session_id: \"{from}\""), &format!("session_id: \"{to}\""));
    }

    /// The model that everything agrees on.
    pub fn model(&self) -> &'static str {
        if self.name == HarnessName::Codex { "gpt-5.6-sol" } else { CLAUDE_MODEL }
    }

    /// The canary.
    pub fn program(&self) -> PathBuf {
        let (base, word) = (self.project.base(), self.name.as_str());
        match self.name {
            HarnessName::Claude => self.project.program(),
            _ => base.join(format!("opt/{word}/bin/{word}")),
        }
    }

    /// The surroundings in which everything is true.
    pub fn around(&self) -> Surroundings {
        let mut around = self.project.around();
        let bin = self.program().parent().expect("a program has a directory").to_owned();
        around.vars.insert("PATH".into(), bin.into());
        around
    }

    /// An examiner that remembers nothing.
    pub fn examiner(&self) -> Examiner {
        Examiner::new(&self.project.root(), self.around(), Settings::default())
    }

    /// The lane, planned now.
    pub fn plan(&self) -> Result<Plan, Refusal> {
        Plan::make(&self.examiner(), &Arc::new(self.project.row()), 0)
    }

    /// The session's file in codex's store.
    pub fn rollout(&self) -> PathBuf {
        let days = self.project.home().join(".codex/sessions/2026/11/29");
        days.join(format!("rollout-2026-11-29T08-58-00-{}.jsonl", self.id))
    }

    /// Hermes's database.
    pub fn database(&self) -> PathBuf {
        self.project.home().join(".hermes/state.db")
    }

    /// Puts a canary of this behaviour in the client's place. It may use `$now`, `$store` (the rollout or the
    /// database), `turn FILE MODEL TIME` and `fresh ID` (codex), `@OTHER@`, `@MODEL@`, `@ID@` and `@BASE@`.
    pub fn install(&self, behaviour: &str) {
        let store = if self.name == HarnessName::Hermes { self.database() } else { self.rollout() };
        let prompt = if self.name == HarnessName::Hermes { "" } else { "/bin/cat > \"$seen/stdin\"\n" };
        let text = [HEAD, prompt, HELPERS, behaviour].concat();
        let text = text
            .replace("@BASE@", &self.project.base().display().to_string())
            .replace("@STORE@", &store.display().to_string())
            .replace("@CWD@", &self.project.worktree().display().to_string())
            .replace("@OTHER@", OTHER)
            .replace("@ID@", &self.id)
            .replace("@MODEL@", self.model());
        let program = self.program();
        fs::create_dir_all(program.parent().expect("a directory")).expect("directories can be made");
        fs::write(&program, text).expect("the canary can be written");
        set_mode(&program, 0o755);
    }

    /// How often the canary was started.
    pub fn starts(&self) -> usize {
        let path = self.project.base().join("seen/starts");
        fs::read_to_string(path).map_or(0, |text| text.lines().count())
    }

    /// One of the files that the canary wrote down.
    pub fn saw(&self, name: &str) -> String {
        fs::read_to_string(self.project.base().join("seen").join(name)).expect("the canary wrote it down")
    }

    fn lay_out_codex(&self) {
        let cwd = self.project.worktree();
        let row = |kind: &str, payload: &str| {
            format!(r#"{{"timestamp":"2026-11-29T08:59:00.000Z","type":"{kind}","payload":{{{payload}}}}}"#)
        };
        let meta = format!(
            r#""id":"{}","timestamp":"2026-11-29T08:58:00.000Z","cwd":{cwd:?},"cli_version":"0.171.0","source":"exec""#,
            self.id
        );
        let rows = [
            row("session_meta", &meta),
            row("turn_context", &format!(r#""cwd":{cwd:?},"model":"{}""#, self.model())),
            row("response_item", r#""type":"message","role":"user","content":[]"#),
            row("response_item", r#""type":"message","role":"assistant","content":[]"#),
            row("event_msg", r#""type":"task_complete","last_agent_message":"Done.""#),
        ];
        let path = self.rollout();
        fs::create_dir_all(path.parent().expect("a directory")).expect("directories can be made");
        fs::write(path, rows.join("\n") + "\n").expect("the rollout is written");
        self.project.write("home/.codex/config.toml", &format!("model = \"{}\"\n", self.model()));
        let package = r#"{"name":"@openai/codex","version":"0.171.0"}"#;
        self.project.write("opt/codex/package.json", package);
    }

    fn lay_out_hermes(&self) {
        let model = self.model();
        self.project.write("home/.hermes/config.yaml", &format!("model:\n  default: {model}\n"));
        let metadata = "opt/hermes/lib/python3.11/site-packages/hermes_agent-0.19.0.dist-info/METADATA";
        self.project.write(metadata, "Metadata-Version: 2.4\nName: hermes-agent\nVersion: 0.19.0\n");
        let (id, cwd) = (&self.id, self.project.worktree().display().to_string());
        self.change_database(&format!(
            "{TABLES}
             INSERT INTO sessions (id, source, model, started_at, cwd) VALUES ('{id}', 'cli', '{model}', 1.0, '{cwd}');
             INSERT INTO messages (session_id, role, content, timestamp, finish_reason) VALUES
                 ('{id}', 'user', 'Begin', 2.0, NULL), ('{id}', 'assistant', 'Done.', 3.0, 'stop');
             INSERT INTO session_model_usage VALUES ('{id}', '{model}', '', 3.0);"
        ));
    }

    /// Changes hermes's database now.
    pub fn change_database(&self, sql: &str) {
        let database = rusqlite::Connection::open(self.database()).expect("the database opens");
        database.execute_batch(&format!("PRAGMA synchronous=OFF; {sql}")).expect("it is changed");
    }

    /// What the database will be when the canary says `become`: as it is now, with these changes. `@` stands for
    /// the session's id, `NOW` for a moment after the start.
    pub fn will_become(&self, sql: &str) {
        let after = self.project.base().join("after.db");
        fs::copy(self.database(), &after).expect("copied");
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
        let moment = format!("{}.5", now.as_secs() + 300);
        let sql = sql.replace('@', &self.id).replace("NOW", &moment).replace("OTHER", OTHER_HERMES);
        let sql = sql.replace("DIRECTORY", &self.project.worktree().display().to_string());
        let database = rusqlite::Connection::open(&after).expect("the copy opens");
        database.execute_batch(&format!("PRAGMA synchronous=OFF; {sql}")).expect("it is changed");
    }
}

/// An answer in the session, in SQL.
pub const ANSWER: &str = "INSERT INTO messages (session_id, role, content, timestamp, finish_reason) VALUES ('@', 'assistant', 'More.', NOW, 'stop');";

const HEAD: &str = r#"#!/bin/sh
seen='@BASE@/seen'
/bin/mkdir -p "$seen"
for word in "$@"; do printf '%s\n' "$word"; done > "$seen/argv"
/bin/pwd -P > "$seen/cwd"
printf '%s\n' "$*" >> "$seen/starts"
"#;

const HELPERS: &str = r#"store='@STORE@'
now=$(/bin/date -u +%Y-%m-%dT%H:%M:%S.000Z)
row() { printf '{"timestamp":"%s","type":"%s","payload":{%s}}\n' "$3" "$2" "$4" >> "$1"; }
turn() {
  row "$1" turn_context "$3" "\"cwd\":\"@CWD@\",\"model\":\"$2\""
  row "$1" event_msg "$3" '"type":"task_complete","last_agent_message":"Done."'
}
fresh() {
  file="${store%/*}/rollout-2026-11-30T00-00-00-$1.jsonl"
  row "$file" session_meta "$now" "\"id\":\"$1\",\"timestamp\":\"$now\",\"cwd\":\"@CWD@\",\"cli_version\":\"0.171.0\""
  turn "$file" @MODEL@ "$now"
}
become() { /bin/cp '@BASE@/after.db' "$store"; }
"#;

const TABLES: &str = include_str!("hermes-0.19.0.sql");
