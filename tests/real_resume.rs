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

#[path = "common/real_client.rs"]
mod real_client;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::SystemTime;

use moorline::handoff::{HarnessName, SessionId};
use moorline::harness::Liveness;
use other_lanes::OtherLane;
use pty::Terminal;
use real_client::{Client, PATIENCE, kill};
use true_project::{LANE, SESSION, TrueProject};

/// A project in which everything is true, its session made by the real client.
struct Desk {
    lane: OtherLane,
    client: Client,
}

impl Desk {
    fn new(name: HarnessName) -> Self {
        let project = TrueProject::build();
        fs::remove_dir_all(project.home().join(".claude")).expect("the made-up store goes");
        let lane = OtherLane::recorded(project, name);
        let client = Client::within(name, lane.project.home(), lane.project.worktree(), lane.model());
        let mut desk = Self { lane, client };
        desk.begin();
        desk
    }

    /// Makes the session in the lane's worktree, with one turn, and records it in the handoff.
    fn begin(&mut self) {
        let made: &[&str] = match self.lane.name {
            HarnessName::Claude => &["-p", "--session-id", SESSION, "--model", self.lane.model()],
            HarnessName::Codex => &["exec"],
            HarnessName::Opencode => &["run"],
            HarnessName::Hermes => &[],
        };
        if made.is_empty() {
            let mut terminal = self.client.screen(&["chat"]);
            terminal.wait_text("❯");
            terminal.send("begin\r");
            terminal.wait_text("MOCK-REPLY turns=1 last=begin");
            terminal.send("/exit\r");
            assert_eq!(terminal.wait_end(), 0, "it ends by itself");
        } else {
            let output = self.client.run(made, "begin");
            assert!(output.status.success(), "the session is made: {output:?}");
        }
        let id = self.client.only();
        self.lane.record(&self.lane.id, id.as_str());
        self.lane.id = id.to_string();
    }

    fn id(&self) -> SessionId {
        SessionId::parse(&self.lane.id).expect("a session id")
    }

    fn turns(&self) -> usize {
        self.client.session(&self.id()).turns
    }

    fn owner(&self) -> u32 {
        match self.client.liveness(&self.id()) {
            Liveness::Running(owner) => owner.pid,
            other => panic!("a client in the middle of a turn is running: {other:?}"),
        }
    }

    fn arguments(&self, more: &[&str]) -> Vec<String> {
        let root = self.lane.project.root().display().to_string();
        let fixed = ["-C", &root, "resume", "--lane", LANE];
        fixed.iter().chain(more).map(|&word| word.to_owned()).collect()
    }

    /// Starts moorline's resume of the lane, with pipes.
    fn start(&self, more: &[&str], prompt: &str) -> Child {
        let mut child = Command::new(env!("CARGO_BIN_EXE_moorline"))
            .args(self.arguments(more))
            .env_clear()
            .envs(&self.client.around.vars)
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
        self.client.dress(&mut command);
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
        let asked = self.client.server.asked();
        assert!(!asked.iter().any(|asked| asked.last.contains("Me too.")), "and nothing was sent: {asked:?}");
    }

    /// Everything in the home directory but moorline's own state, with sizes and times.
    fn home(&self) -> Vec<(PathBuf, u64, SystemTime)> {
        let state = self.client.home.join(".local");
        let mut files = self.client.files();
        files.retain(|(path, ..)| self.lane.name == HarnessName::Opencode || !path.starts_with(&state));
        files
    }

    /// An id that is not the session's never reaches the client: nothing is asked, and nothing in the home changes.
    fn keeps_other_ids_away(&self) {
        let (id, before, asked) = (self.lane.id.clone(), self.home(), self.client.server.asked().len());
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
        assert_eq!(self.client.server.asked().len(), asked, "no client asked anything");
        assert_eq!(self.home(), before, "and none left a trace");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A client that takes its prompt from us: continued, refused to a second, killed, free again.
fn a_client_with_pipes(name: HarnessName) {
    let desk = Desk::new(name);
    let sessions = desk.client.sessions();
    desk.keeps_other_ids_away();

    let output = desk.resume("Go on.");
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "continued: {said}");
    assert!(
        said.contains("Continued: the session has a new finished turn (exit code 0)"),
        "and said: {said}"
    );
    assert!(said.contains("MOCK-REPLY turns=2 last=Go on."), "the first turn was sent along: {said}");
    assert_eq!((desk.turns(), desk.client.sessions()), (2, sessions), "the same session, and no other");

    desk.client.server.hold();
    let first = desk.start(&["--yes", "--prompt-file", "-"], "Never answered.");
    desk.client.server.wait_for_turn("Never answered.");
    let owner = desk.owner();
    desk.refuses_a_second(owner);
    kill(owner);
    let output = first.wait_with_output().expect("it ends");
    let said = text(&output.stdout);
    assert_ne!(output.status.code(), Some(0), "a killed client has not continued: {said}");
    assert!(!said.contains("Continued"), "and that is said: {said}");
    desk.client.server.release();
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
fn a_lane_of_codex_whose_session_was_compressed_goes_on_in_it() {
    let desk = Desk::new(HarnessName::Codex);
    desk.client.compress(&desk.id());
    let output = desk.resume("Go on.");
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "continued: {said}");
    assert!(said.contains("MOCK-REPLY turns=2 last=Go on."), "the first turn was sent along: {said}");
    assert_eq!((desk.turns(), desk.client.only()), (2, desk.id()), "in the same session");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_lane_of_hermes_goes_on_in_its_session() {
    let desk = Desk::new(HarnessName::Hermes);
    let sessions = desk.client.sessions();
    desk.keeps_other_ids_away();

    let mut terminal = desk.on_a_terminal();
    terminal.wait_text("❯");
    terminal.send("Go on.\r");
    terminal.wait_text("MOCK-REPLY turns=2 last=Go on.");
    terminal.send("/exit\r");
    terminal.wait_text("Continued: the session has a new finished turn (exit code 0)");
    assert_eq!(terminal.wait_end(), 0, "continued:\n{}", terminal.text());
    assert_eq!(
        (desk.turns(), desk.client.sessions()),
        (2, sessions.clone()),
        "the same session, and no other"
    );

    let mut terminal = desk.on_a_terminal();
    terminal.wait_text("❯");
    terminal.send("/exit\r");
    terminal.wait_text("Not continued");
    assert_eq!(terminal.wait_end(), 1, "a look without a word is no turn:\n{}", terminal.text());

    let mut terminal = desk.on_a_terminal();
    terminal.wait_text("❯");
    desk.client.server.hold();
    terminal.send("Never answered.\r");
    desk.client.server.wait_for_turn("Never answered.");
    let owner = desk.owner();
    desk.refuses_a_second(owner);
    kill(owner);
    terminal.wait_text("SIGKILL");
    assert_eq!(terminal.wait_end(), 1, "a killed client has not continued:\n{}", terminal.text());
    desk.client.server.release();
    desk.is_free_again();
    assert_eq!(desk.client.sessions(), sessions, "and still no other session");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_lane_of_opencode_is_read_and_stops() {
    let desk = Desk::new(HarnessName::Opencode);
    assert_eq!(desk.turns(), 1, "its session is read");
    let (asked, reason) =
        (desk.client.server.asked().len(), desk.client.harness().form().expect_err("it has no fixed form"));
    let output = desk.resume("Go on.");
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "it is a no: {said}");
    assert!(said.contains(reason), "with the reason: {said}");
    assert_eq!((desk.turns(), desk.client.server.asked().len()), (1, asked), "and nothing was sent");
}
