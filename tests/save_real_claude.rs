//! A session of the real Claude Code that saves a handoff of its own work, against a model service on the loopback
//! interface: running while it lives, validated as soon as it has ended.
//!
//! Run `tests/clients/install` first, then `cargo test --test save_real_claude -- --ignored`.

#[path = "common/model_server.rs"]
mod model_server;
#[path = "common/pty.rs"]
mod pty;
#[path = "common/real_client.rs"]
mod real_client;
#[path = "common/true_project.rs"]
mod true_project;

use std::fs;
use std::process::Command;

use moorline::handoff::{HarnessName, SessionId};
use moorline::harness::Liveness;
use real_client::Client;
use serde_json::{Value, json};
use true_project::{LANE, MODEL, SESSION, TrueProject};

/// The program that is tried.
const MOORLINE: &str = env!("CARGO_BIN_EXE_moorline");
/// What the person says, upon which the session saves.
const SAVE_IT: &str = "Hand this off.";
/// A lane in which nobody ever worked.
const IDLE: &str = "L2-docs";

/// What the session says of its work; the facts are captured. Of the idle lane it claims what no store says.
const WORDS: &str = r#"{"phase": "9 Execute", "next": "Go on with the session store",
  "decisions": ["Tokens rotate on every use"], "open": ["How long a refresh token may live"],
  "lanes": [{"id": "L1-auth", "origin": "owned", "class": "executors", "model": "opus48"},
    {"id": "L2-docs", "harness": "claude", "session_id": "3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11"}]}"#;

/// A project with a lane that the real client works in, and one that nobody works in; nothing is saved yet.
struct Desk {
    project: TrueProject,
    client: Client,
}

impl Desk {
    fn new() -> Self {
        let project = TrueProject::build();
        fs::remove_dir_all(project.home().join(".claude")).expect("the made-up store goes");
        fs::remove_file(project.handoff()).expect("and what was saved of it");
        let idle = format!(".thunderkit/runs/r1/worktrees/{IDLE}");
        project.git(&project.root(), &["worktree", "add", "-q", "-b", "tk/L2-docs", &idle]);
        project.write("words.json", WORDS);
        let client = Client::within(HarnessName::Claude, project.home(), project.worktree(), MODEL);
        Self { project, client }
    }

    /// The command line with which the session saves.
    fn save(&self) -> String {
        let (root, words) = (self.project.root(), self.project.base().join("words.json"));
        let (root, words) = (root.display(), words.display());
        // The client writes its rows a moment after it acts: the save comes when the store has this session.
        let row = "until grep -qs assistant \"$HOME\"/.claude/projects/*/\"$CLAUDE_CODE_SESSION_ID\".jsonl; do :; done";
        format!(
            "timeout 20 sh -c '{row}'; '{MOORLINE}' -C '{root}' save --format thunderkit --from - < '{words}' 2>&1"
        )
    }

    /// What `moorline check` with these words says as JSON, and its exit code.
    fn check(&self, more: &[&str]) -> (Value, Option<i32>) {
        let mut command = Command::new(MOORLINE);
        command.arg("-C").arg(self.project.root()).args(["check", "--json"]).args(more);
        let output = command.env_clear().envs(&self.client.around.vars).output().expect("it runs");
        (serde_json::from_slice(&output.stdout).expect("a document"), output.status.code())
    }

    /// That the message of a save says what is so while the session lives, and a check as well.
    fn is_running(&self, said: &str, pid: u32) {
        let path = self.project.handoff();
        assert!(said.contains(&format!("saved to {} (project)", path.display())), "it is saved: {said}");
        let own = line(said, LANE);
        assert!(own.contains(SESSION), "with its own session: {own}");
        assert!(own.contains("CLAUDE_CODE_SESSION_ID"), "which its harness names: {own}");
        assert!(own.contains("it was running when this was saved"), "and which runs, as is said: {own}");
        let now = reasons(said, LANE, "running");
        let owner = format!("liveness: process {pid} owns this session");
        assert!(now.len() == 1 && now[0].starts_with(&owner), "so that nobody takes it for free: {now:?}");
        let idle = reasons(said, IDLE, "not resumable");
        for reason in ["session-id: no recorded session id", "model-binding: no recorded model class"] {
            let is_said = idle.iter().any(|line| line.starts_with(reason));
            assert!(is_said, "exactly why the other one may not go on: {idle:?}");
        }
        let (document, _) = self.check(&[]);
        let own = lane(&document, LANE);
        assert_eq!(own["verdict"], "running", "nobody may resume it meanwhile: {own:#}");
        let why = own["reasons"][0].as_str().expect("a reason");
        assert!(why.contains(&format!("process {pid} owns this session")), "because of whom: {why}");
        assert_eq!(self.check(&["--lane", LANE]).1, Some(1), "which is a no to whoever asks for that lane");
    }

    /// That once it has ended its lane is validated, and why the other lane is not is said.
    fn is_validated(&self, said: &str) {
        let (document, code) = self.check(&[]);
        let own = lane(&document, LANE);
        assert_eq!((&own["verdict"], &own["reasons"]), (&json!("validated"), &json!([])), "{own:#}");
        assert_eq!(self.check(&["--lane", LANE]).1, Some(0), "it may go on");
        let why = "worked in another directory";
        assert!(line(said, IDLE).contains(why), "a session that is not its own is not recorded: {said}");
        let idle = lane(&document, IDLE);
        assert_eq!((&idle["verdict"], code), (&json!("not_resumable"), Some(1)), "{idle:#}");
        let checks = idle["checks"].as_array().expect("checks");
        let failed = |id: &str| {
            let check = checks.iter().find(|check| check["id"] == id && check["outcome"] == "failed");
            check.and_then(|check| check["reason"].as_str()).unwrap_or_else(|| panic!("{id}: {idle:#}"))
        };
        assert!(failed("session-id").contains("no recorded session id"), "what is missing is said");
        assert!(failed("model-binding").contains("no recorded model class"), "each of it");
        assert!(failed("saved-resumability").contains(why), "and why it was not recorded");
    }
}

/// The line of a save's message that is about the session of a lane.
fn line<'a>(said: &'a str, id: &str) -> &'a str {
    let begin = format!("lane {id}: ");
    let line = said.lines().find(|line| line.trim_start().starts_with(&begin));
    line.unwrap_or_else(|| panic!("no line about {id}: {said}"))
}

/// Why a lane is so now, as a save's message says.
fn reasons<'a>(said: &'a str, id: &str, verdict: &str) -> Vec<&'a str> {
    let head = format!("  lane {id} is {verdict} now:");
    let lines = said.lines().skip_while(|line| *line != head).skip(1);
    lines.map_while(|line| line.strip_prefix("    ")).collect()
}

/// The lane of this name in a document.
fn lane<'a>(document: &'a Value, id: &str) -> &'a Value {
    let lanes = document["handoffs"][0]["lanes"].as_array().expect("lanes");
    lanes.iter().find(|lane| lane["id"] == id).unwrap_or_else(|| panic!("no lane {id}: {document:#}"))
}

fn id() -> SessionId {
    SessionId::parse(SESSION).expect("an id")
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_session_that_saves_itself_is_running_and_validated_once_it_has_ended() {
    let desk = Desk::new();
    let input = json!({"command": desk.save(), "description": "Hand the work off"});
    desk.client.server.call_then_hold(SAVE_IT, "Bash", input);
    let arguments = ["-p", "--session-id", SESSION, "--model", MODEL, "--allowedTools", "Bash"];
    let child = desk.client.start(&arguments, SAVE_IT);
    // The client's own tool ran it, with whatever environment it gives its tools.
    let said = desk.client.server.wait_for_result();
    desk.is_running(&said, child.id());
    desk.client.server.release();
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "the session went on to its end: {output:?}");
    desk.client.not_running(&id(), "it has ended");
    desk.is_validated(&said);
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_session_that_waits_at_its_prompt_is_running_too_until_it_is_gone() {
    let desk = Desk::new();
    let output = desk.client.run(&["-p", "--session-id", SESSION, "--model", MODEL], "begin");
    assert!(output.status.success(), "the session is made: {output:?}");
    desk.client.skip_first_questions();
    let mut terminal = desk.client.screen(&["--resume", SESSION]);
    let idle = || match desk.client.liveness(&id()) {
        Liveness::Running(owner) => owner.status.as_deref() == Some("idle"),
        _ => false,
    };
    desk.client.wait_until(&id(), idle);
    let mut save = Command::new("sh");
    save.args(["-c", &desk.save()]).env_clear().envs(&desk.client.around.vars);
    let output = save.env("CLAUDE_CODE_SESSION_ID", SESSION).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    desk.is_running(&said, terminal.child.process_id().expect("it runs"));
    terminal.child.kill().expect("killed");
    terminal.child.wait().expect("waited for");
    desk.client.not_running(&id(), "it is gone");
    desk.is_validated(&said);
}
