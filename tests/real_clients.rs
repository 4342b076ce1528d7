//! The real Codex, Hermes and OpenCode, against a model service on the loopback interface: what they leave behind is
//! what the harness room reads, and what they do while they run is what the harness room sees.
//!
//! Run `tests/clients/install` first, then `cargo test --test real_clients -- --ignored`.

#[path = "common/model_server.rs"]
mod model_server;
#[path = "common/pty.rs"]
mod pty;

#[path = "common/real_client.rs"]
mod real_client;

use moorline::handoff::{HarnessName, SessionId};
use moorline::harness::{Answer, Liveness, Owner};
use real_client::{Client, kill, version};

const MODEL: &str = "mock-model";

impl Client {
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

    /// Everything that is asked of a session with one finished turn whose client has ended.
    fn is_read_as_it_is(&self, version_is_stored: bool) -> SessionId {
        match self.harness().version(&self.program()) {
            Answer::Found(found) => {
                assert_eq!(found.text, version(self.name), "the pinned one, by {}", found.source)
            }
            other => panic!("the version is read from the package: {other:?}"),
        }
        let before = self.files();
        let id = self.only();
        let session = self.session(&id);
        assert_eq!(session.turns, 1, "one finished turn");
        assert_eq!(session.model.as_ref().map(|model| model.raw()), Some(MODEL), "the model that answered");
        assert_eq!(session.requested_model.as_ref().map(|m| m.raw()), Some(MODEL), "and was asked for");
        assert_eq!(session.cwd.as_ref(), Some(&self.directory), "the directory it ran in");
        assert_eq!(session.ids_inside, [id.as_str()], "its own id, and no other");
        let stored = version_is_stored.then_some(version(self.name));
        assert_eq!(session.client_version.as_deref(), stored, "the client's version, where it is kept");
        assert_eq!((session.damaged_rows, session.archived), (0, false), "every row is understood");
        assert_eq!(session.continues_as, None, "and it goes on as itself");
        assert!(session.last_at.is_some(), "and has a time");
        self.not_running(&id, "after its end nobody owns it");
        if !self.harness().form().is_ok_and(|form| form.keeps_model) && self.harness().form().is_ok() {
            let fallback = self.harness().fallback_model(&self.around, &self.directory);
            assert_eq!(fallback, Answer::Found(MODEL.into()), "the configured default is known");
        }
        self.other_spellings_are_other_sessions(&id);
        assert_eq!(self.files(), before, "and all these questions changed nothing in the home directory");
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

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn codex_is_read_as_it_is_and_seen_while_it_runs() {
    let desk = Client::alone(HarnessName::Codex, MODEL);
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
struct Clear<'a>(&'a Client);

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
    let desk = Client::alone(HarnessName::Codex, MODEL);
    let config = desk.home.join(".codex/config.toml");
    let trusted = format!("\n[projects.{:?}]\ntrust_level = \"trusted\"\n", desk.directory);
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
fn codex_goes_on_with_a_session_that_was_compressed_and_it_is_read_before_and_after() {
    let desk = Client::alone(HarnessName::Codex, MODEL);
    assert!(desk.run(&["exec"], "begin").status.success(), "the session is made");
    let id = desk.only();
    let plain = desk.session(&id);
    desk.compress(&id);
    let packed = desk.session(&id);
    assert!(packed.store.extension().is_some_and(|ending| ending == "zst"), "it lies there compressed");
    let same = moorline::harness::Session { store: plain.store.clone(), ..packed };
    assert_eq!(same, plain, "and is read as before");
    assert_eq!(desk.only(), id, "and counted");
    let output = desk.run(&["exec", "resume", id.as_str()], "go on");
    assert!(output.status.success(), "the client unpacks it: {output:?}");
    let after = desk.session(&id);
    assert_eq!((after.store, after.turns), (plain.store, 2), "in its place, and goes on with it");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn codex_begins_a_new_session_for_a_wrong_id_and_that_is_noticed() {
    let desk = Client::alone(HarnessName::Codex, MODEL);
    assert!(desk.run(&["exec"], "begin").status.success(), "the session is made");
    let first = desk.only();
    let output = desk.run(&["exec", "resume", "notauuid"], "lost");
    assert!(output.status.success(), "the client says nothing of it: {output:?}");
    match desk.harness().created_since(&desk.around, &[&desk.directory], 0) {
        Answer::Found(ids) => assert!(ids.len() == 2 && ids.contains(&first), "a second one began: {ids:?}"),
        other => panic!("the store is read: {other:?}"),
    }
    assert_eq!(desk.session(&first).turns, 1, "and the first one did not go on");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn hermes_is_read_as_it_is_and_seen_while_it_runs() {
    let desk = Client::alone(HarnessName::Hermes, MODEL);
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
    let desk = Client::alone(HarnessName::Opencode, MODEL);
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

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn opencode_at_its_screen_in_the_session_s_directory_is_an_owner() {
    let desk = Client::alone(HarnessName::Opencode, MODEL);
    assert!(desk.run(&["run"], "begin").status.success(), "the session is made");
    let id = desk.only();
    let mut terminal = desk.screen(&[]);
    let status = || match desk.liveness(&id) {
        Liveness::Running(owner) => owner.status,
        _ => None,
    };
    desk.wait_until(&id, || status().is_some());
    assert!(
        status().is_some_and(|status| status.contains("in this session's directory")),
        "by the database and its directory: {:?}",
        desk.liveness(&id)
    );
    terminal.child.kill().expect("killed");
    terminal.child.wait().expect("waited for");
    desk.wait_until(&id, || matches!(desk.liveness(&id), Liveness::NotRunning(_)));
}
