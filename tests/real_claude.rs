//! The real Claude Code, against a model service on the loopback interface: what it leaves behind is what the
//! harness room reads, and what it does while it runs is what the harness room sees.
//!
//! Run `tests/clients/install` first, then `cargo test --test real_claude -- --ignored`.

#[path = "common/model_server.rs"]
mod model_server;
#[path = "common/pty.rs"]
mod pty;
#[path = "common/real_client.rs"]
mod real_client;

use std::path::Path;

use moorline::handoff::{HarnessName, SessionId};
use moorline::harness::{Answer, Liveness};
use real_client::{Client, version};

const ID: &str = "f0d682f9-26d4-4ebf-bcaf-3584d3a35887";

impl Client {
    /// With a session of one finished turn.
    fn with_a_session() -> Self {
        let desk = Self::alone(HarnessName::Claude, "haiku");
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
    let desk = Client::with_a_session();
    match desk.harness().version(&desk.program()) {
        Answer::Found(version) => assert_eq!(
            version.text,
            real_client::version(HarnessName::Claude),
            "the pinned one, by {}",
            version.source
        ),
        other => panic!("the version is read from the package: {other:?}"),
    }
    let session = desk.session(&id());
    let model = desk.server.asked()[0].model.clone();
    assert_eq!(session.turns, 1, "one finished turn");
    assert_eq!(
        session.model.as_ref().map(|model| model.raw()),
        Some(model.as_str()),
        "the model that answered"
    );
    assert_eq!(session.requested_model.as_ref().map(|m| m.raw()), Some(model.as_str()), "and was asked for");
    assert_eq!(session.cwd.as_ref(), Some(&desk.directory), "the directory it ran in");
    assert_eq!(session.ids_inside, [ID], "its own id, and no other");
    assert_eq!(session.client_version.as_deref(), Some(version(HarnessName::Claude)), "the client's version");
    assert_eq!(session.damaged_rows, 0, "every row is understood");
    assert!(session.last_at.is_some(), "and has a time");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_running_client_is_seen_and_its_end_too() {
    let desk = Client::with_a_session();
    desk.not_running(&id(), "after its end nobody owns it");
    let asked = desk.server.asked().len();
    desk.server.hold();
    let child = desk.start(&["-p", "--resume", ID], "go on");
    desk.server.wait_for(asked + 1);
    match desk.liveness(&id()) {
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
    desk.not_running(&id(), "after its end nobody owns it");
    assert_eq!(desk.session(&id()).turns, 2, "and the turn is in the same file");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_killed_client_leaves_an_entry_that_is_called_stale() {
    let desk = Client::with_a_session();
    let asked = desk.server.asked().len();
    desk.server.hold();
    let mut child = desk.start(&["-p", "--resume", ID], "never answered");
    desk.server.wait_for(asked + 1);
    child.kill().expect("killed");
    child.wait().expect("waited for");
    let proof = desk.not_running(&id(), "a killed client owns nothing");
    assert!(proof.contains("stale"), "what it left is explained: {proof}");
    assert_eq!(desk.session(&id()).turns, 1, "a question without an answer is no turn");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn an_idle_client_at_its_prompt_is_an_owner() {
    let desk = Client::with_a_session();
    desk.skip_first_questions();
    let mut terminal = desk.screen(&["--resume", ID]);
    let idle = || match desk.liveness(&id()) {
        Liveness::Running(owner) if owner.status.as_deref() == Some("idle") => Some(owner.pid),
        _ => None,
    };
    desk.wait_until(&id(), || idle().is_some());
    assert_eq!(idle(), terminal.child.process_id(), "an idle session is owned by the process at its prompt");
    terminal.child.kill().expect("killed");
    terminal.child.wait().expect("waited for");
    desk.not_running(&id(), "and by nobody after it");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_refused_request_grows_the_file_by_no_turn() {
    let desk = Client::with_a_session();
    let before = desk.session(&id());
    desk.server.refuse_with(Some(400));
    let output = desk.run(&["-p", "--resume", ID], "refused");
    assert!(!output.status.success(), "the client reports the refusal");
    let after = desk.session(&id());
    assert!(after.bytes > before.bytes, "rows were written all the same");
    assert_eq!((after.turns, after.model), (before.turns, before.model), "but no turn, and no made-up model");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_fork_is_noticed_as_a_new_session() {
    let desk = Client::with_a_session();
    let since = |path: &Path| {
        let modified = path.metadata().and_then(|m| m.modified()).expect("the file has a time");
        let since = modified.duration_since(std::time::UNIX_EPOCH).expect("after 1970");
        i64::try_from(since.as_secs()).expect("in range")
    };
    let began = since(&desk.session(&id()).store);
    let new = || match desk.harness().created_since(&desk.around, &[&desk.directory], began - 60) {
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
