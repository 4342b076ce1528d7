//! Lanes of the real clients, resumed by moorline itself end to end, against a model service on the loopback
//! interface.
//!
//! Run `tests/clients/install` first, then `cargo test --test real_resume -- --ignored`.

#[path = "common/model_server.rs"]
mod model_server;
#[path = "common/other_lanes.rs"]
mod other_lanes;
#[path = "common/pty.rs"]
mod pty;
#[path = "common/true_project.rs"]
mod true_project;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use model_server::ModelServer;
use moorline::handoff::{HarnessName, SessionId};
use moorline::harness::{self, Answer, Harness, Liveness, Surroundings};
use other_lanes::OtherLane;
use pty::Terminal;
use true_project::{LANE, SESSION, TrueProject};

/// A client's first start on a busy machine without a network is slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// A project in which everything is true, its session made by the real client.
struct Desk {
    lane: OtherLane,
    server: ModelServer,
    around: Surroundings,
}

impl Desk {
    fn new(name: HarnessName) -> Self {
        let project = TrueProject::build();
        fs::remove_dir_all(project.home().join(".claude")).expect("the made-up store goes");
        let lane = OtherLane::recorded(project, name);
        let version = match name {
            HarnessName::Claude => "2.1.332",
            HarnessName::Codex => "0.171.0",
            HarnessName::Hermes => "0.19.0",
            HarnessName::Opencode => "1.18.33",
        };
        let clients = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/.clients");
        let bin = clients.join(format!("{}-{version}/bin", name.as_str()));
        assert!(
            bin.join(name.as_str()).exists(),
            "the real client is there: run tests/clients/install first"
        );
        let server = ModelServer::start();
        let home = lane.project.home();
        let vars: [(&str, OsString); 10] = [
            ("HOME", home.clone().into()),
            ("PATH", format!("{}:/usr/bin:/bin", bin.display()).into()),
            ("ANTHROPIC_BASE_URL", server.base_url().into()),
            ("ANTHROPIC_API_KEY", "dummy".into()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
            ("DISABLE_AUTOUPDATER", "1".into()),
            ("MOCK_API_KEY", "dummy".into()),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1".into()),
            ("NO_PROXY", "127.0.0.1".into()),
            ("TERM", "xterm-256color".into()),
        ];
        let vars: BTreeMap<OsString, OsString> = vars.map(|(name, value)| (name.into(), value)).into();
        let around = Surroundings { vars, home: Some(home), proc: PathBuf::from("/proc") };
        let mut desk = Self { lane, server, around };
        desk.configure();
        desk.begin();
        desk
    }

    /// Tells the client of the service, with a key that opens nothing.
    fn configure(&self) {
        let (url, model) = (format!("{}/v1", self.server.base_url()), self.lane.model());
        match self.lane.name {
            HarnessName::Claude => {}
            HarnessName::Codex => self.lane.project.write(
                "home/.codex/config.toml",
                &format!(
                    "model = \"{model}\"\nmodel_provider = \"mock\"\n[model_providers.mock]\nname = \"mock\"\n\
                     base_url = \"{url}\"\nenv_key = \"MOCK_API_KEY\"\nwire_api = \"responses\"\n\
                     request_max_retries = 0\nstream_max_retries = 0\n"
                ),
            ),
            HarnessName::Hermes => self.lane.project.write(
                "home/.hermes/config.yaml",
                &format!("model:\n  default: {model}\n  provider: custom\n  base_url: {url}\n  api_key: dummy\n"),
            ),
            HarnessName::Opencode => self.lane.project.write(
                "home/.config/opencode/opencode.json",
                &serde_json::json!({"model": format!("mock/{model}"), "provider": {"mock": {
                    "npm": "@ai-sdk/openai-compatible", "name": "Mock",
                    "options": {"baseURL": url, "apiKey": "dummy"}, "models": {model: {"name": model}}
                }}})
                .to_string(),
            ),
        }
    }

    /// Makes the session in the lane's worktree, with one turn, and records it in the handoff.
    fn begin(&mut self) {
        match self.lane.name {
            HarnessName::Claude => {
                self.client(&["-p", "--session-id", SESSION, "--model", self.lane.model()]);
            }
            HarnessName::Codex => self.client(&["exec"]),
            HarnessName::Opencode => self.client(&["run"]),
            HarnessName::Hermes => {
                let mut command = portable_pty::CommandBuilder::new(self.program());
                command.arg("chat");
                command.cwd(self.lane.project.worktree());
                self.dress(&mut command);
                command.env("PWD", self.lane.project.worktree());
                let mut terminal = Terminal::start(command, 40, 120);
                terminal.patience = PATIENCE;
                terminal.wait_text("❯");
                terminal.send("begin\r");
                terminal.wait_text("MOCK-REPLY turns=1 last=begin");
                terminal.send("/exit\r");
                assert_eq!(terminal.wait_end(), 0, "it ends by itself");
            }
        }
        let ids = self.sessions();
        assert_eq!(ids.len(), 1, "one session began in the worktree: {ids:?}");
        self.lane.record(&self.lane.id, ids[0].as_str());
        self.lane.id = ids[0].to_string();
    }

    fn client(&self, arguments: &[&str]) {
        let mut child = Command::new(self.program())
            .args(arguments)
            .current_dir(self.lane.project.worktree())
            .env_clear()
            .envs(&self.around.vars)
            .env("PWD", self.lane.project.worktree())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the client starts");
        child.stdin.take().expect("a pipe").write_all(b"begin").expect("the prompt is taken");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "the session is made: {output:?}");
    }

    fn program(&self) -> PathBuf {
        match harness::program(&self.around, self.lane.name.as_str(), &[self.lane.project.root()]) {
            Answer::Found(program) => program.path,
            other => panic!("the client is found in PATH: {other:?}"),
        }
    }

    fn harness(&self) -> &'static dyn Harness {
        harness::of(self.lane.name)
    }

    fn id(&self) -> SessionId {
        SessionId::parse(&self.lane.id).expect("a session id")
    }

    fn sessions(&self) -> Vec<SessionId> {
        match self.harness().created_since(&self.around, &self.lane.project.worktree(), 0) {
            Answer::Found(ids) => ids,
            other => panic!("the store is read: {other:?}"),
        }
    }

    fn turns(&self) -> usize {
        match self.harness().session(&self.around, &self.id()) {
            Answer::Found(session) => session.turns,
            other => panic!("the session is in the store: {other:?}"),
        }
    }

    fn owner(&self) -> u32 {
        match self.harness().liveness(&self.around, &self.id()) {
            Liveness::Running(owner) => owner.pid,
            other => panic!("a client in the middle of a turn is running: {other:?}"),
        }
    }

    fn arguments(&self, more: &[&str]) -> Vec<String> {
        let root = self.lane.project.root().display().to_string();
        let fixed = ["-C", &root, "resume", "--lane", LANE];
        fixed.iter().chain(more).map(|&word| word.to_owned()).collect()
    }

    fn dress(&self, command: &mut portable_pty::CommandBuilder) {
        command.env_clear();
        for (name, value) in &self.around.vars {
            command.env(name, value);
        }
    }

    /// Starts moorline's resume of the lane, with pipes.
    fn start(&self, more: &[&str], prompt: &str) -> Child {
        let mut child = Command::new(env!("CARGO_BIN_EXE_moorline"))
            .args(self.arguments(more))
            .env_clear()
            .envs(&self.around.vars)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("moorline starts");
        // One that refuses before it reads closes its end.
        let _ = child.stdin.take().expect("a pipe").write_all(prompt.as_bytes());
        child
    }

    fn resume(&self, prompt: &str) -> Output {
        self.start(&["--yes", "--prompt-file", "-"], prompt).wait_with_output().expect("it ends")
    }

    /// The same on a terminal, for a client that wants one.
    fn on_a_terminal(&self) -> Terminal {
        let mut command = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_moorline"));
        command.args(self.arguments(&["--yes"]));
        self.dress(&mut command);
        command.cwd(self.lane.project.root());
        let mut terminal = Terminal::start(command, 45, 160);
        terminal.patience = PATIENCE;
        terminal
    }

    /// Nobody is at the session any more: a rehearsal says so.
    fn is_free_again(&self) {
        let output = self.start(&[], "").wait_with_output().expect("it ends");
        assert_eq!(
            output.status.code(),
            Some(0),
            "the lane could be resumed again: {}",
            text(&output.stdout)
        );
    }

    /// A second start while the first is at work is refused, with the owner's process id.
    fn refuses_a_second(&self, owner: u32) {
        let wants_terminal = self.lane.name == HarnessName::Hermes;
        let more: &[&str] = if wants_terminal { &["--yes"] } else { &["--yes", "--prompt-file", "-"] };
        let output = self.start(more, "Me too.").wait_with_output().expect("it ends");
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "a second start is a no: {said}");
        assert!(said.contains("Not started") && said.contains(&owner.to_string()), "with its owner: {said}");
        let asked = self.server.asked();
        assert!(!asked.iter().any(|asked| asked.last.contains("Me too.")), "and nothing was sent: {asked:?}");
    }

    /// Everything in the home directory but moorline's own state, with sizes and times.
    fn home(&self) -> Vec<(PathBuf, u64, SystemTime)> {
        let mut all = Vec::new();
        let mut folders = vec![self.lane.project.home()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("listed") {
                let path = entry.expect("an entry").path();
                let metadata = path.symlink_metadata().expect("there");
                if path.ends_with(".local") && self.lane.name != HarnessName::Opencode {
                    continue;
                }
                if metadata.is_dir() {
                    folders.push(path.clone());
                }
                all.push((path, metadata.len(), metadata.modified().expect("a time")));
            }
        }
        all.sort();
        all
    }

    /// An id that is not the session's never reaches the client: nothing is asked, and nothing in the home changes.
    fn keeps_other_ids_away(&self) {
        let (id, before, asked) = (self.lane.id.clone(), self.home(), self.server.asked().len());
        let last = if id.ends_with('0') { "1" } else { "0" };
        let others = [
            format!("{}{last}", &id[..id.len() - 1]),
            "my-title-1".to_owned(),
            id.to_uppercase(),
            id[..8].to_owned(),
            "--last".to_owned(),
        ];
        for other in others.iter().filter(|other| **other != id) {
            self.lane.record(&id, other);
            let more: &[&str] = if self.lane.name == HarnessName::Hermes {
                &["--yes"]
            } else {
                &["--yes", "--prompt-file", "-"]
            };
            let output = self.start(more, "Lost.").wait_with_output().expect("it ends");
            self.lane.record(other, &id);
            let said = text(&output.stdout);
            assert_eq!(output.status.code(), Some(1), "{other:?} is a no: {said}{}", text(&output.stderr));
            assert!(
                said.contains("Not started") || said.contains("no lane"),
                "{other:?} starts nothing: {said}"
            );
        }
        assert_eq!(self.server.asked().len(), asked, "no client asked anything");
        assert_eq!(self.home(), before, "and none left a trace");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).expect("a process id");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("killed");
}

/// A client that takes its prompt from us: continued, refused to a second, killed, free again.
fn a_client_with_pipes(name: HarnessName) {
    let desk = Desk::new(name);
    let sessions = desk.sessions();
    desk.keeps_other_ids_away();

    let output = desk.resume("Go on.");
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "continued: {said}");
    assert!(
        said.contains("Continued: the session has a new finished turn (exit code 0)"),
        "and said: {said}"
    );
    assert!(said.contains("MOCK-REPLY turns=2 last=Go on."), "the first turn was sent along: {said}");
    assert_eq!((desk.turns(), desk.sessions()), (2, sessions), "the same session, and no other");

    desk.server.hold();
    let first = desk.start(&["--yes", "--prompt-file", "-"], "Never answered.");
    desk.server.wait_for_turn("Never answered.");
    let owner = desk.owner();
    desk.refuses_a_second(owner);
    kill(owner);
    let output = first.wait_with_output().expect("it ends");
    let said = text(&output.stdout);
    assert_ne!(output.status.code(), Some(0), "a killed client has not continued: {said}");
    assert!(!said.contains("Continued"), "and that is said: {said}");
    desk.server.release();
    desk.is_free_again();
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_lane_of_claude_goes_on_in_its_session() {
    a_client_with_pipes(HarnessName::Claude);
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_lane_of_codex_goes_on_in_its_session() {
    a_client_with_pipes(HarnessName::Codex);
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_lane_of_hermes_goes_on_in_its_session() {
    let desk = Desk::new(HarnessName::Hermes);
    let sessions = desk.sessions();
    desk.keeps_other_ids_away();

    let mut terminal = desk.on_a_terminal();
    terminal.wait_text("❯");
    terminal.send("Go on.\r");
    terminal.wait_text("MOCK-REPLY turns=2 last=Go on.");
    terminal.send("/exit\r");
    terminal.wait_text("Continued: the session has a new finished turn (exit code 0)");
    assert_eq!(terminal.wait_end(), 0, "continued:\n{}", terminal.text());
    assert_eq!((desk.turns(), desk.sessions()), (2, sessions.clone()), "the same session, and no other");

    let mut terminal = desk.on_a_terminal();
    terminal.wait_text("❯");
    terminal.send("/exit\r");
    terminal.wait_text("Not continued");
    assert_eq!(terminal.wait_end(), 1, "a look without a word is no turn:\n{}", terminal.text());

    let mut terminal = desk.on_a_terminal();
    terminal.wait_text("❯");
    desk.server.hold();
    terminal.send("Never answered.\r");
    desk.server.wait_for_turn("Never answered.");
    let owner = desk.owner();
    desk.refuses_a_second(owner);
    kill(owner);
    terminal.wait_text("SIGKILL");
    assert_eq!(terminal.wait_end(), 1, "a killed client has not continued:\n{}", terminal.text());
    desk.server.release();
    desk.is_free_again();
    assert_eq!(desk.sessions(), sessions, "and still no other session");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_lane_of_opencode_is_read_and_stops() {
    let desk = Desk::new(HarnessName::Opencode);
    assert_eq!(desk.turns(), 1, "its session is read");
    let (asked, reason) =
        (desk.server.asked().len(), desk.harness().form().expect_err("it has no fixed form"));
    let output = desk.resume("Go on.");
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "it is a no: {said}");
    assert!(said.contains(reason), "with the reason: {said}");
    assert_eq!((desk.turns(), desk.server.asked().len()), (1, asked), "and nothing was sent");
}
