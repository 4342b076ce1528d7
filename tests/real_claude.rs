//! The real Claude Code, against a model service on the loopback interface: what it leaves behind is what the
//! harness room reads, and what it does while it runs is what the harness room sees.
//!
//! Run `tests/clients/install` first, then `cargo test --test real_claude -- --ignored`.

#[path = "common/model_server.rs"]
mod model_server;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use model_server::ModelServer;
use moorline::handoff::{HarnessName, SessionId};
use moorline::harness::{self, Answer, Harness, Liveness, Program, Session, Surroundings};

const KEY: &str = "dummy";
const VERSION: &str = "2.1.332";
const ID: &str = "f0d682f9-26d4-4ebf-bcaf-3584d3a35887";

/// A home, a project and a model service of their own.
struct Desk {
    dir: tempfile::TempDir,
    server: ModelServer,
    around: Surroundings,
}

impl Desk {
    fn new() -> Self {
        let bin = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/.clients/claude-{VERSION}/bin"));
        assert!(bin.join("claude").exists(), "the real client is there: run tests/clients/install first");
        let dir = tempfile::tempdir().expect("a directory");
        for name in ["home", "project"] {
            std::fs::create_dir(dir.path().join(name)).expect("a folder");
        }
        let around = Surroundings {
            vars: [("PATH".into(), format!("{}:/usr/bin:/bin", bin.display()).into())].into(),
            home: Some(dir.path().join("home")),
            proc: PathBuf::from("/proc"),
        };
        Self { dir, server: ModelServer::start(), around }
    }

    fn project(&self) -> PathBuf {
        self.dir.path().join("project").canonicalize().expect("it is there")
    }

    fn claude(&self) -> &'static dyn Harness {
        harness::of(HarnessName::Claude)
    }

    fn program(&self) -> Program {
        match harness::program(&self.around, "claude", &[self.project()]) {
            Answer::Found(program) => program,
            other => panic!("the client is found in PATH: {other:?}"),
        }
    }

    /// The client's whole environment: this home, this service, a key that opens nothing.
    fn environment(&self) -> Vec<(OsString, OsString)> {
        let mut environment: Vec<_> = self.around.vars.clone().into_iter().collect();
        environment.push(("HOME".into(), self.dir.path().join("home").into()));
        environment.push(("ANTHROPIC_BASE_URL".into(), self.server.base_url().into()));
        for (name, value) in [
            ("ANTHROPIC_API_KEY", KEY),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("NO_PROXY", "127.0.0.1"),
        ] {
            environment.push((name.into(), value.into()));
        }
        environment
    }

    /// Answers what the client asks a person on its first start: theme, key, and whether the folder is trusted.
    fn skip_first_questions(&self) {
        let answers = serde_json::json!({
            "hasCompletedOnboarding": true,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [KEY], "rejected": []},
            "projects": {self.project().display().to_string(): {"hasTrustDialogAccepted": true}}
        });
        let path = self.dir.path().join("home/.claude.json");
        std::fs::write(path, answers.to_string()).expect("the answers are written");
    }

    /// Starts the client with these arguments and gives it the prompt, as a resume would.
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

    fn session(&self) -> Session {
        match self.claude().session(&self.around, &id()) {
            Answer::Found(session) => session,
            other => panic!("the session is in the store: {other:?}"),
        }
    }

    fn liveness(&self) -> Liveness {
        self.claude().liveness(&self.around, &id())
    }

    /// A session with one finished turn.
    fn with_a_session() -> Self {
        let desk = Self::new();
        let output = desk.run(&["-p", "--session-id", ID, "--model", "haiku"], "begin");
        assert!(output.status.success(), "the session is made: {output:?}");
        desk
    }
}

fn id() -> SessionId {
    SessionId::parse(ID).expect("a session id")
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn what_the_client_leaves_behind_is_read_as_it_is() {
    let desk = Desk::with_a_session();
    match desk.claude().version(&desk.program()) {
        Answer::Found(version) => assert_eq!(version.text, VERSION, "the pinned one, by {}", version.source),
        other => panic!("the version is read from the package: {other:?}"),
    }
    let session = desk.session();
    let model = desk.server.asked()[0].model.clone();
    assert_eq!(session.turns, 1, "one finished turn");
    assert_eq!(
        session.model.as_ref().map(|model| model.raw()),
        Some(model.as_str()),
        "the model that answered"
    );
    assert_eq!(session.requested_model.as_ref().map(|m| m.raw()), Some(model.as_str()), "and was asked for");
    assert_eq!(session.cwd, Some(desk.project()), "the directory it ran in");
    assert_eq!(session.ids_inside, [ID], "its own id, and no other");
    assert_eq!(session.client_version.as_deref(), Some(VERSION), "the client's version");
    assert_eq!(session.damaged_rows, 0, "every row is understood");
    assert!(session.last_at.is_some(), "and has a time");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_running_client_is_seen_and_its_end_too() {
    let desk = Desk::with_a_session();
    assert!(matches!(desk.liveness(), Liveness::NotRunning(_)), "after its end: {:?}", desk.liveness());
    let asked = desk.server.asked().len();
    desk.server.hold();
    let child = desk.start(&["-p", "--resume", ID], "go on");
    desk.server.wait_for(asked + 1);
    match desk.liveness() {
        Liveness::Running(owner) => {
            assert_eq!(owner.pid, child.id(), "the owner is the process that was started");
            assert!(owner.since.is_some() && owner.status.is_some(), "since when and at what: {owner:?}");
        }
        other => panic!("a client in the middle of a turn is running: {other:?}"),
    }
    desk.server.release();
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("MOCK-REPLY turns=2 last=go on"), "the earlier turn was sent again: {said}");
    assert!(matches!(desk.liveness(), Liveness::NotRunning(_)), "after its end: {:?}", desk.liveness());
    assert_eq!(desk.session().turns, 2, "and the turn is in the same file");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_killed_client_leaves_an_entry_that_is_called_stale() {
    let desk = Desk::with_a_session();
    let asked = desk.server.asked().len();
    desk.server.hold();
    let mut child = desk.start(&["-p", "--resume", ID], "never answered");
    desk.server.wait_for(asked + 1);
    child.kill().expect("killed");
    child.wait().expect("waited for");
    match desk.liveness() {
        Liveness::NotRunning(proof) => assert!(proof.contains("stale"), "what it left is explained: {proof}"),
        other => panic!("a killed client owns nothing: {other:?}"),
    }
    assert_eq!(desk.session().turns, 1, "a question without an answer is no turn");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn an_idle_client_at_its_prompt_is_an_owner() {
    let desk = Desk::with_a_session();
    desk.skip_first_questions();
    let pty =
        portable_pty::native_pty_system().openpty(portable_pty::PtySize::default()).expect("a terminal");
    let mut command = portable_pty::CommandBuilder::new(desk.program().path);
    command.args(["--resume", ID]);
    command.cwd(desk.project());
    command.env_clear();
    for (name, value) in desk.environment() {
        command.env(name, value);
    }
    command.env("TERM", "xterm-256color");
    let mut child = pty.slave.spawn_command(command).expect("the client starts");
    drop(pty.slave);
    let mut screen = pty.master.try_clone_reader().expect("its screen");
    let (send, received) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(read @ 1..) = std::io::Read::read(&mut screen, &mut buffer) {
            if send.send(buffer[..read].to_vec()).is_err() {
                return;
            }
        }
    });
    let mut shown = Vec::new();
    let owner = loop {
        if let Liveness::Running(owner) = desk.liveness()
            && owner.status.as_deref() == Some("idle")
        {
            break owner;
        }
        match received.recv_timeout(std::time::Duration::from_secs(30)) {
            Ok(bytes) => shown.extend(bytes),
            Err(_) => panic!("it came to rest: {:?}\n{}", desk.liveness(), String::from_utf8_lossy(&shown)),
        }
    };
    assert_eq!(Some(owner.pid), child.process_id(), "an idle session is owned by the process at its prompt");
    child.kill().expect("killed");
    child.wait().expect("waited for");
    assert!(
        matches!(desk.liveness(), Liveness::NotRunning(_)),
        "and by nobody after it: {:?}",
        desk.liveness()
    );
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_refused_request_grows_the_file_by_no_turn() {
    let desk = Desk::with_a_session();
    let before = desk.session();
    desk.server.refuse_with(Some(400));
    let output = desk.run(&["-p", "--resume", ID], "refused");
    assert!(!output.status.success(), "the client reports the refusal");
    let after = desk.session();
    assert!(after.bytes > before.bytes, "rows were written all the same");
    assert_eq!((after.turns, after.model), (before.turns, before.model), "but no turn, and no made-up model");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_fork_is_noticed_as_a_new_session() {
    let desk = Desk::with_a_session();
    let since = |path: &Path| {
        let modified = path.metadata().and_then(|m| m.modified()).expect("the file has a time");
        let since = modified.duration_since(std::time::UNIX_EPOCH).expect("after 1970");
        i64::try_from(since.as_secs()).expect("in range")
    };
    let began = since(&desk.session().store);
    let new = || match desk.claude().created_since(&desk.around, &desk.project(), began - 60) {
        Answer::Found(ids) => ids,
        other => panic!("the store is read: {other:?}"),
    };
    assert_eq!(new(), [id()], "the one session so far");
    let output = desk.run(&["-p", "--resume", ID, "--fork-session"], "another way");
    assert!(output.status.success(), "the fork is made: {output:?}");
    let ids = new();
    assert_eq!(ids.len(), 2, "the fork is a second one: {ids:?}");
    assert!(ids.contains(&id()), "beside the first");
}
