//! The real Codex, Hermes and OpenCode, against a model service on the loopback interface: what they leave behind is
//! what the harness room reads, and what they do while they run is what the harness room sees.
//!
//! Run `tests/clients/install` first, then `cargo test --test real_clients -- --ignored`.

#[path = "common/model_server.rs"]
mod model_server;
#[path = "common/pty.rs"]
mod pty;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use model_server::ModelServer;
use moorline::handoff::{HarnessName, SessionId};
use moorline::harness::{self, Answer, Harness, Liveness, Owner, Program, Session, Surroundings};
use pty::Terminal;

const MODEL: &str = "mock-model";
/// A client's first start on a busy machine without a network is slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// A home, a project and a model service of their own, and one client.
struct Desk {
    dir: tempfile::TempDir,
    server: ModelServer,
    around: Surroundings,
    name: HarnessName,
    version: &'static str,
}

impl Desk {
    fn new(name: HarnessName) -> Self {
        let version = match name {
            HarnessName::Codex => "0.171.0",
            HarnessName::Hermes => "0.19.0",
            HarnessName::Opencode => "1.18.33",
            HarnessName::Claude => panic!("it has tests of its own"),
        };
        let clients = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/.clients");
        let bin = clients.join(format!("{}-{version}/bin", name.as_str()));
        assert!(
            bin.join(name.as_str()).exists(),
            "the real client is there: run tests/clients/install first"
        );
        let dir = tempfile::tempdir().expect("a directory");
        for folder in ["home", "project/.git/objects", "project/.git/refs/heads"] {
            std::fs::create_dir_all(dir.path().join(folder)).expect("a folder");
        }
        // As much of a repository as a client looks for.
        std::fs::write(dir.path().join("project/.git/HEAD"), "ref: refs/heads/main\n").expect("a file");
        let around = Surroundings {
            vars: [("PATH".into(), format!("{}:/usr/bin:/bin", bin.display()).into())].into(),
            home: Some(dir.path().join("home")),
            proc: PathBuf::from("/proc"),
        };
        let desk = Self { dir, server: ModelServer::start(), around, name, version };
        desk.configure();
        desk
    }

    /// Tells the client of the service, with a key that opens nothing.
    fn configure(&self) {
        let url = format!("{}/v1", self.server.base_url());
        let (path, text) = match self.name {
            HarnessName::Codex => (
                ".codex/config.toml",
                format!(
                    "model = \"{MODEL}\"\nmodel_provider = \"mock\"\n[model_providers.mock]\nname = \"mock\"\n\
                     base_url = \"{url}\"\nenv_key = \"MOCK_API_KEY\"\nwire_api = \"responses\"\n\
                     request_max_retries = 0\nstream_max_retries = 0\n"
                ),
            ),
            HarnessName::Hermes => (
                ".hermes/config.yaml",
                format!(
                    "model:\n  default: {MODEL}\n  provider: custom\n  base_url: {url}\n  api_key: dummy\n"
                ),
            ),
            _ => (
                ".config/opencode/opencode.json",
                serde_json::json!({"model": format!("mock/{MODEL}"), "provider": {"mock": {
                    "npm": "@ai-sdk/openai-compatible", "name": "Mock",
                    "options": {"baseURL": url, "apiKey": "dummy"}, "models": {MODEL: {"name": MODEL}}
                }}})
                .to_string(),
            ),
        };
        let path = self.dir.path().join("home").join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, text).expect("the configuration is written");
    }

    fn project(&self) -> PathBuf {
        self.dir.path().join("project").canonicalize().expect("it is there")
    }

    fn harness(&self) -> &'static dyn Harness {
        harness::of(self.name)
    }

    fn program(&self) -> Program {
        match harness::program(&self.around, self.name.as_str(), &[self.project()]) {
            Answer::Found(program) => program,
            other => panic!("the client is found in PATH: {other:?}"),
        }
    }

    /// The client's whole environment.
    fn environment(&self) -> Vec<(OsString, OsString)> {
        let mut environment: Vec<_> = self.around.vars.clone().into_iter().collect();
        environment.push(("HOME".into(), self.dir.path().join("home").into()));
        environment.push(("PWD".into(), self.project().into()));
        for (name, value) in [
            ("MOCK_API_KEY", "dummy"),
            ("NO_PROXY", "127.0.0.1"),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
            ("TERM", "xterm-256color"),
        ] {
            environment.push((name.into(), value.into()));
        }
        environment
    }

    /// Starts the client with these arguments and gives it the prompt.
    fn start(&self, arguments: &[&str], prompt: &str) -> Child {
        let mut child = Command::new(self.program().path)
            .args(arguments)
            .current_dir(self.project())
            .env_clear()
            .envs(self.environment())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the client starts");
        child.stdin.take().expect("a pipe").write_all(prompt.as_bytes()).expect("the prompt is taken");
        child
    }

    fn run(&self, arguments: &[&str], prompt: &str) -> Output {
        self.start(arguments, prompt).wait_with_output().expect("the client ends")
    }

    /// Starts the client at a terminal.
    fn screen(&self, arguments: &[&str]) -> Terminal {
        let mut command = portable_pty::CommandBuilder::new(self.program().path);
        command.args(arguments);
        command.cwd(self.project());
        command.env_clear();
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        let mut terminal = Terminal::start(command, 40, 120);
        terminal.patience = PATIENCE;
        terminal
    }

    /// The one session that began in the project.
    fn only(&self) -> SessionId {
        match self.harness().created_since(&self.around, &self.project(), 0) {
            Answer::Found(ids) if ids.len() == 1 => ids[0].clone(),
            other => panic!("one session began here: {other:?}"),
        }
    }

    fn session(&self, id: &SessionId) -> Session {
        match self.harness().session(&self.around, id) {
            Answer::Found(session) => session,
            other => panic!("the session is in the store: {other:?}"),
        }
    }

    fn liveness(&self, id: &SessionId) -> Liveness {
        self.harness().liveness(&self.around, id)
    }

    /// Waits until something is so that a client does in its own time.
    fn wait_until(&self, id: &SessionId, so: impl Fn() -> bool) {
        let deadline = std::time::Instant::now() + PATIENCE;
        while !so() {
            assert!(std::time::Instant::now() < deadline, "it never came about: {:?}", self.liveness(id));
            std::thread::yield_now();
        }
    }

    fn not_running(&self, id: &SessionId, why: &str) -> String {
        match self.liveness(id) {
            Liveness::NotRunning(proof) => proof,
            other => panic!("{why}: {other:?}"),
        }
    }

    /// The owner, which must be the process that was started or one that it started.
    fn owner(&self, id: &SessionId, started: u32) -> Owner {
        let Liveness::Running(owner) = self.liveness(id) else {
            panic!("a client in the middle of a turn is running: {:?}", self.liveness(id));
        };
        let parent = |pid: u32| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("it runs");
            let rest = stat.rsplit(") ").next().expect("fields").to_owned();
            rest.split(' ').nth(1).and_then(|parent| parent.parse::<u32>().ok()).expect("a parent")
        };
        assert!(
            owner.pid == started || parent(owner.pid) == started,
            "it is the one that was started: {owner:?}"
        );
        assert!(owner.since.is_some() && owner.status.is_some(), "since when and why is told: {owner:?}");
        let Answer::Found(running) = self.harness().running(&self.around) else {
            panic!("the processes are told")
        };
        assert_eq!(
            running.iter().map(|one| one.pid).collect::<Vec<_>>(),
            [started],
            "and the report shows one"
        );
        owner
    }

    /// What lies in the home directory, with sizes and times.
    fn home(&self) -> Vec<(PathBuf, u64, SystemTime)> {
        let mut all = Vec::new();
        let mut folders = vec![self.dir.path().join("home")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("listed") {
                let path = entry.expect("an entry").path();
                let metadata = path.symlink_metadata().expect("there");
                if metadata.is_dir() {
                    folders.push(path.clone());
                }
                all.push((path, metadata.len(), metadata.modified().expect("a time")));
            }
        }
        all.sort();
        all
    }

    /// Everything that is asked of a session with one finished turn whose client has ended.
    fn is_read_as_it_is(&self, version_is_stored: bool) -> SessionId {
        match self.harness().version(&self.program()) {
            Answer::Found(version) => {
                assert_eq!(version.text, self.version, "the pinned one, by {}", version.source)
            }
            other => panic!("the version is read from the package: {other:?}"),
        }
        let before = self.home();
        let id = self.only();
        let session = self.session(&id);
        assert_eq!(session.turns, 1, "one finished turn");
        assert_eq!(session.model.as_ref().map(|model| model.raw()), Some(MODEL), "the model that answered");
        assert_eq!(session.requested_model.as_ref().map(|m| m.raw()), Some(MODEL), "and was asked for");
        assert_eq!(session.cwd, Some(self.project()), "the directory it ran in");
        assert_eq!(session.ids_inside, [id.as_str()], "its own id, and no other");
        let stored = version_is_stored.then_some(self.version);
        assert_eq!(session.client_version.as_deref(), stored, "the client's version, where it is kept");
        assert_eq!((session.damaged_rows, session.archived), (0, false), "every row is understood");
        assert_eq!(session.continues_as, None, "and it goes on as itself");
        assert!(session.last_at.is_some(), "and has a time");
        self.not_running(&id, "after its end nobody owns it");
        if !self.harness().form().is_ok_and(|form| form.keeps_model) && self.harness().form().is_ok() {
            let fallback = self.harness().fallback_model(&self.around, &self.project());
            assert_eq!(fallback, Answer::Found(MODEL.into()), "the configured default is known");
        }
        self.other_spellings_are_other_sessions(&id);
        assert_eq!(self.home(), before, "and all these questions changed nothing in the home directory");
        id
    }

    /// A question that the service refuses adds rows, and neither a turn nor another model.
    fn a_refusal_is_no_turn(&self, id: &SessionId, arguments: &[&str]) {
        let before = self.session(id);
        self.server.refuse_with(Some(400));
        self.run(arguments, "refused");
        self.server.refuse_with(None);
        self.server.wait_for_turn("refused");
        let after = self.session(id);
        assert!(after.bytes > before.bytes, "rows were written all the same");
        assert_eq!(
            (after.turns, after.model),
            (before.turns, before.model),
            "but no turn, and no made-up model"
        );
    }

    fn other_spellings_are_other_sessions(&self, id: &SessionId) {
        let ask = |text: &str| {
            let id = SessionId::parse(text).expect("the generic grammar");
            self.harness().session(&self.around, &id)
        };
        let last = if id.as_str().ends_with('0') { "1" } else { "0" };
        let unknown = format!("{}{last}", &id.as_str()[..id.as_str().len() - 1]);
        assert!(matches!(ask(&unknown), Answer::Absent(_)), "an unknown id: {:?}", ask(&unknown));
        let prefix = &id.as_str()[..id.as_str().len() - 1];
        assert!(matches!(ask(prefix), Answer::Unknown(_)), "a prefix is not looked for: {:?}", ask(prefix));
        let upper = id.as_str().to_uppercase();
        if upper != id.as_str() {
            assert!(!matches!(ask(&upper), Answer::Found(_)), "nor is upper case: {:?}", ask(&upper));
        }
    }
}

fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).expect("a process id");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("killed");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn codex_is_read_as_it_is_and_seen_while_it_runs() {
    let desk = Desk::new(HarnessName::Codex);
    let output = desk.run(&["exec"], "begin");
    assert!(output.status.success(), "the session is made: {output:?}");
    let id = desk.is_read_as_it_is(true);
    desk.a_refusal_is_no_turn(&id, &["exec", "resume", id.as_str()]);

    desk.server.hold();
    let child = desk.start(&["exec", "resume", id.as_str()], "go on");
    desk.server.wait_for_turn("go on");
    let owner = desk.owner(&id, child.id());
    assert_eq!(
        owner.status.as_deref(),
        Some("holds the lock on it"),
        "by its lock, not only by its arguments"
    );
    desk.server.release();
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.contains("MOCK-REPLY turns=3 last=go on"),
        "the earlier questions were sent again: {output:?}"
    );
    desk.not_running(&id, "after its end nobody owns it");
    assert_eq!(desk.session(&id).turns, 2, "and the turn is in the same file");
    assert_eq!(desk.only(), id, "no new session began");

    desk.server.hold();
    let child = desk.start(&["exec", "resume", id.as_str()], "never answered");
    desk.server.wait_for_turn("never answered");
    kill(desk.owner(&id, child.id()).pid);
    child.wait_with_output().expect("its launcher ends with it");
    let proof = desk.not_running(&id, "a killed client owns nothing");
    assert!(proof.contains("stale"), "what it left is explained: {proof}");
    assert_eq!(desk.session(&id).turns, 2, "a question without an answer is no turn");
}

/// Ends whatever still works in this home when the test ends.
struct Clear<'a>(&'a Desk);

impl Drop for Clear<'_> {
    fn drop(&mut self) {
        if let Answer::Found(running) = self.0.harness().running(&self.0.around) {
            running.iter().for_each(|owner| kill(owner.pid));
        }
    }
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn codex_s_daemon_keeps_a_session_after_its_screen_has_closed() {
    let desk = Desk::new(HarnessName::Codex);
    let config = desk.dir.path().join("home/.codex/config.toml");
    let trusted = format!("\n[projects.{:?}]\ntrust_level = \"trusted\"\n", desk.project());
    let text = std::fs::read_to_string(&config).expect("configured") + &trusted;
    std::fs::write(&config, text).expect("trusted");
    assert!(desk.run(&["exec"], "begin").status.success(), "the session is made");
    let id = desk.only();
    let _clear = Clear(&desk);
    let daemon = || match desk.liveness(&id) {
        Liveness::Running(owner)
            if owner.status.as_deref().is_some_and(|status| status.contains("daemon")) =>
        {
            Some(owner.pid)
        }
        _ => None,
    };
    let mut terminal = desk.screen(&["resume", id.as_str()]);
    // What a terminal says when it is asked where its cursor is.
    terminal.send("\u{1b}[1;1R");
    desk.wait_until(&id, || daemon().is_some());
    let owner = daemon().expect("it holds the session by now");
    terminal.child.kill().expect("killed");
    terminal.child.wait().expect("waited for");
    drop(terminal);
    assert_eq!(
        daemon(),
        Some(owner),
        "its screen closed, the daemon still holds it: {:?}",
        desk.liveness(&id)
    );
    kill(owner);
    desk.wait_until(&id, || matches!(desk.liveness(&id), Liveness::NotRunning(_)));
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn codex_begins_a_new_session_for_a_wrong_id_and_that_is_noticed() {
    let desk = Desk::new(HarnessName::Codex);
    assert!(desk.run(&["exec"], "begin").status.success(), "the session is made");
    let first = desk.only();
    let output = desk.run(&["exec", "resume", "notauuid"], "lost");
    assert!(output.status.success(), "the client says nothing of it: {output:?}");
    match desk.harness().created_since(&desk.around, &desk.project(), 0) {
        Answer::Found(ids) => assert!(ids.len() == 2 && ids.contains(&first), "a second one began: {ids:?}"),
        other => panic!("the store is read: {other:?}"),
    }
    assert_eq!(desk.session(&first).turns, 1, "and the first one did not go on");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn hermes_is_read_as_it_is_and_seen_while_it_runs() {
    let desk = Desk::new(HarnessName::Hermes);
    let mut terminal = desk.screen(&["chat"]);
    terminal.wait_text("❯");
    terminal.send("begin\r");
    terminal.wait_text("MOCK-REPLY turns=1 last=begin");
    let id = desk.only();
    match desk.liveness(&id) {
        Liveness::Unknown(reason) => {
            assert!(reason.contains("state.db"), "it may be at any session: {reason}")
        }
        other => panic!("a client that was started without an id cannot be excluded: {other:?}"),
    }
    terminal.send("/exit\r");
    assert_eq!(terminal.wait_end(), 0, "it ends by itself");
    assert_eq!(desk.is_read_as_it_is(false), id, "the same session");
    desk.a_refusal_is_no_turn(&id, &["chat", "--resume", id.as_str(), "-q", "refused", "-Q"]);

    let mut terminal = desk.screen(&["chat", "--resume", id.as_str()]);
    terminal.wait_text("❯");
    let started = terminal.child.process_id().expect("a process");
    desk.owner(&id, started);
    desk.server.hold();
    terminal.send("go on\r");
    desk.server.wait_for_turn("go on");
    desk.owner(&id, started);
    assert_eq!(desk.session(&id).turns, 1, "a question without an answer is no turn");
    terminal.child.kill().expect("killed");
    terminal.child.wait().expect("waited for");
    desk.not_running(&id, "a killed client owns nothing");
    assert_eq!(desk.session(&id).turns, 1, "and what it left is read");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn opencode_is_read_as_it_is_and_seen_while_it_runs() {
    let desk = Desk::new(HarnessName::Opencode);
    let output = desk.run(&["run"], "begin");
    assert!(output.status.success(), "the session is made: {output:?}");
    let id = desk.is_read_as_it_is(true);
    desk.a_refusal_is_no_turn(&id, &["run", "-s", id.as_str()]);

    desk.server.hold();
    let mut child = desk.start(&["run", "-s", id.as_str()], "go on");
    desk.server.wait_for_turn("go on");
    desk.owner(&id, child.id());
    child.kill().expect("killed");
    child.wait().expect("waited for");
    desk.not_running(&id, "a killed client owns nothing");
    assert_eq!(desk.session(&id).turns, 1, "an answer that never came is no turn");
    assert_eq!(desk.session(&id).model.as_ref().map(|m| m.raw()), Some(MODEL), "and takes no model away");
    desk.server.release();

    let output = desk.run(&["run", "-s", id.as_str()], "once more");
    assert!(output.status.success(), "it goes on all the same: {output:?}");
    assert_eq!(desk.session(&id).turns, 2, "in the same session");
    assert_eq!(desk.only(), id, "and no new one began");
}
