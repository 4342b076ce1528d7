//! A real client with a home, a directory and a model service of its own, and a key that opens nothing. What is asked
//! of it is asked through the harness room.

#![allow(dead_code, reason = "each test program asks something else")]

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use moorline::handoff::{HarnessName, SessionId};
use moorline::harness::{self, Answer, Harness, Liveness, Program, Session, Surroundings};
use portable_pty::CommandBuilder;

use super::model_server::ModelServer;
use super::pty::Terminal;

/// A client's first start on a busy machine without a network is slow.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// The key: it opens nothing.
pub const KEY: &str = "dummy";

/// The pinned version; `tests/clients/install` has the same.
pub fn version(name: HarnessName) -> &'static str {
    match name {
        HarnessName::Claude => "2.1.332",
        HarnessName::Codex => "0.171.0",
        HarnessName::Hermes => "0.19.0",
        HarnessName::Opencode => "1.18.33",
    }
}

/// One client and everything that is its own.
pub struct Client {
    pub name: HarnessName,
    pub home: PathBuf,
    /// Where it is started.
    pub directory: PathBuf,
    pub server: ModelServer,
    /// Its whole environment but for the directory that it is started in, and the true process table.
    pub around: Surroundings,
    _own: Option<tempfile::TempDir>,
}

impl Client {
    /// A client with a new home and a new project.
    pub fn alone(name: HarnessName, model: &str) -> Self {
        let own = tempfile::tempdir().expect("a directory");
        let base = own.path().canonicalize().expect("it is there");
        for folder in ["home", "project/.git/objects", "project/.git/refs/heads"] {
            fs::create_dir_all(base.join(folder)).expect("a folder");
        }
        // As much of a repository as a client looks for.
        fs::write(base.join("project/.git/HEAD"), "ref: refs/heads/main\n").expect("a file");
        let client = Self::within(name, base.join("home"), base.join("project"), model);
        Self { _own: Some(own), ..client }
    }

    /// A client in a home and a directory that are there already.
    pub fn within(name: HarnessName, home: PathBuf, directory: PathBuf, model: &str) -> Self {
        let clients = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/.clients");
        let bin = clients.join(format!("{}-{}/bin", name.as_str(), version(name)));
        let installed = bin.join(name.as_str()).exists();
        assert!(installed, "the real client is there: run tests/clients/install first");
        let server = ModelServer::start();
        let vars: [(&str, OsString); 11] = [
            ("HOME", home.clone().into()),
            ("PATH", format!("{}:/usr/bin:/bin", bin.display()).into()),
            ("ANTHROPIC_BASE_URL", server.base_url().into()),
            ("ANTHROPIC_API_KEY", KEY.into()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
            ("DISABLE_AUTOUPDATER", "1".into()),
            ("MOCK_API_KEY", KEY.into()),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1".into()),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1".into()),
            ("NO_PROXY", "127.0.0.1".into()),
            ("TERM", "xterm-256color".into()),
        ];
        let vars = vars.map(|(name, value)| (name.into(), value)).into();
        let around = Surroundings { vars, home: Some(home.clone()), proc: PathBuf::from("/proc") };
        let client = Self { name, home, directory, server, around, _own: None };
        client.configure(model);
        client
    }

    /// Tells the client of the service.
    fn configure(&self, model: &str) {
        let url = format!("{}/v1", self.server.base_url());
        let (path, text) = match self.name {
            // Its environment says it.
            HarnessName::Claude => return,
            HarnessName::Codex => (
                ".codex/config.toml",
                format!(
                    "model = \"{model}\"\nmodel_provider = \"mock\"\n[model_providers.mock]\nname = \"mock\"\n\
                     base_url = \"{url}\"\nenv_key = \"MOCK_API_KEY\"\nwire_api = \"responses\"\n\
                     request_max_retries = 0\nstream_max_retries = 0\n"
                ),
            ),
            HarnessName::Hermes => (
                ".hermes/config.yaml",
                format!(
                    "model:\n  default: {model}\n  provider: custom\n  base_url: {url}\n  api_key: {KEY}\n"
                ),
            ),
            HarnessName::Opencode => (
                ".config/opencode/opencode.json",
                serde_json::json!({"model": format!("mock/{model}"), "provider": {"mock": {
                    "npm": "@ai-sdk/openai-compatible", "name": "Mock",
                    "options": {"baseURL": url, "apiKey": KEY}, "models": {model: {"name": model}}
                }}})
                .to_string(),
            ),
        };
        let path = self.home.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("the configuration is written");
    }

    pub fn harness(&self) -> &'static dyn Harness {
        harness::of(self.name)
    }

    pub fn program(&self) -> Program {
        match harness::program(&self.around, self.name.as_str(), std::slice::from_ref(&self.directory)) {
            Answer::Found(program) => program,
            other => panic!("the client is found in PATH: {other:?}"),
        }
    }

    /// Starts the client with these arguments and gives it the prompt, as a resume would.
    pub fn start(&self, arguments: &[&str], prompt: &str) -> Child {
        let mut child = Command::new(self.program().path)
            .args(arguments)
            .current_dir(&self.directory)
            .env_clear()
            .envs(&self.around.vars)
            .env("PWD", &self.directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the client starts");
        child.stdin.take().expect("a pipe").write_all(prompt.as_bytes()).expect("the prompt is taken");
        child
    }

    /// The same to its end.
    pub fn run(&self, arguments: &[&str], prompt: &str) -> Output {
        self.start(arguments, prompt).wait_with_output().expect("the client ends")
    }

    /// Starts the client at a terminal.
    pub fn screen(&self, arguments: &[&str]) -> Terminal {
        let mut command = CommandBuilder::new(self.program().path);
        command.args(arguments);
        command.cwd(&self.directory);
        self.dress(&mut command);
        command.env("PWD", &self.directory);
        let mut terminal = Terminal::start(command, 40, 120);
        terminal.patience = PATIENCE;
        terminal
    }

    /// Answers what the client asks a person on its first start: theme, key, and whether the folder is trusted.
    pub fn skip_first_questions(&self) {
        let answers = serde_json::json!({
            "hasCompletedOnboarding": true,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [KEY], "rejected": []},
            "projects": {self.directory.display().to_string(): {"hasTrustDialogAccepted": true}}
        });
        fs::write(self.home.join(".claude.json"), answers.to_string()).expect("the answers are written");
    }

    /// Gives a command the client's environment.
    pub fn dress(&self, command: &mut CommandBuilder) {
        command.env_clear();
        for (name, value) in &self.around.vars {
            command.env(name, value);
        }
    }

    /// The sessions that ever began in its directory.
    pub fn sessions(&self) -> Vec<SessionId> {
        match self.harness().created_since(&self.around, &[&self.directory], 0) {
            Answer::Found(ids) => ids,
            other => panic!("the store is read: {other:?}"),
        }
    }

    /// The one session that began in its directory.
    pub fn only(&self) -> SessionId {
        match self.sessions().as_slice() {
            [id] => id.clone(),
            other => panic!("one session began here: {other:?}"),
        }
    }

    pub fn session(&self, id: &SessionId) -> Session {
        match self.harness().session(&self.around, id) {
            Answer::Found(session) => session,
            other => panic!("the session is in the store: {other:?}"),
        }
    }

    pub fn liveness(&self, id: &SessionId) -> Liveness {
        self.harness().liveness(&self.around, id)
    }

    /// The proof that nobody owns the session. A process that is just ending can be seen without what it was, and then
    /// nothing is proven yet.
    pub fn not_running(&self, id: &SessionId, why: &str) -> String {
        self.wait_until(id, || !matches!(self.liveness(id), Liveness::Unknown(_)));
        match self.liveness(id) {
            Liveness::NotRunning(proof) => proof,
            other => panic!("{why}: {other:?}"),
        }
    }

    /// Waits until something is so that a client does in its own time.
    pub fn wait_until(&self, id: &SessionId, so: impl Fn() -> bool) {
        let deadline = std::time::Instant::now() + PATIENCE;
        while !so() {
            assert!(std::time::Instant::now() < deadline, "it never came about: {:?}", self.liveness(id));
            std::thread::yield_now();
        }
    }

    /// What lies in the home directory, with sizes and times.
    pub fn files(&self) -> Vec<(PathBuf, u64, SystemTime)> {
        let mut all = Vec::new();
        let mut folders = vec![self.home.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("listed") {
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

    /// Compresses the session's file, as codex does with one that has not been used for long.
    pub fn compress(&self, id: &SessionId) {
        let path = self.session(id).store;
        let bytes = fs::read(&path).expect("read");
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        let packed = ruzstd::encoding::compress_to_vec(bytes.as_slice(), level);
        fs::write(path.with_extension("jsonl.zst"), packed).expect("written");
        fs::remove_file(path).expect("removed");
    }
}

/// Ends a process as a crash would.
pub fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).expect("a process id");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("killed");
}
