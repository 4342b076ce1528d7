//! A lane of the real Claude Code, resumed end to end, against a model service on the loopback interface.
//!
//! Run `tests/clients/install` first, then `cargo test --test resume_real_claude -- --ignored`.

#[path = "common/model_server.rs"]
mod model_server;
#[path = "common/pty.rs"]
mod pty;
#[path = "common/real_client.rs"]
mod real_client;
#[path = "common/true_project.rs"]
mod true_project;

use std::fs;
use std::sync::Arc;
use std::sync::mpsc::channel;

use moorline::check::Examiner;
use moorline::handoff::HarnessName;
use moorline::resume::{Attempt, Outcome, Plan, Progress, Running};
use moorline::settings::Settings;
use real_client::Client;
use true_project::{MODEL, SESSION, TrueProject};

/// A project in which everything is true, its session made by the real client.
struct Desk {
    project: TrueProject,
    client: Client,
}

impl Desk {
    fn new() -> Self {
        let project = TrueProject::build();
        fs::remove_dir_all(project.home().join(".claude")).expect("the made-up store goes");
        let client = Client::within(HarnessName::Claude, project.home(), project.worktree(), MODEL);
        let output = client.run(&["-p", "--session-id", SESSION, "--model", MODEL], "begin");
        assert!(output.status.success(), "the session is made: {output:?}");
        Self { project, client }
    }

    fn examiner(&self) -> Examiner {
        Examiner::new(&self.project.root(), self.client.around.clone(), Settings::default())
    }

    fn start(&self, prompt: &str, heard: impl Fn(Progress) + Send + Sync + 'static) -> Running {
        let row = Arc::new(self.project.row());
        let plan = Plan::make(&self.examiner(), &row, 0).expect("the lane is validated");
        let yes = plan.confirm(prompt.into()).expect("there is a prompt");
        yes.start(&self.examiner(), heard).unwrap_or_else(|no| panic!("it starts: {no:?}"))
    }

    fn resume(&self, prompt: &str) -> (Attempt, String) {
        let (sender, receiver) = channel();
        let running = self.start(prompt, move |news| drop(sender.send(news)));
        let attempt = running.finish(&self.examiner());
        let out = receiver.iter().filter_map(|news| match news {
            Progress::Out(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            _ => None,
        });
        (attempt, out.collect())
    }
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn the_real_client_goes_on_where_it_was_and_again_after_that() {
    let desk = Desk::new();
    for turn in 2..4 {
        let (attempt, out) = desk.resume("Go on.");
        assert_eq!(attempt.outcome, Outcome::Continued, "turn {turn}: {attempt:?}\n{out}");
        assert_eq!((attempt.exit, attempt.grew), (Some(0), 1), "turn {turn}: with one new turn");
        assert_eq!(attempt.model, Some(MODEL.into()), "turn {turn}: by the recorded model");
        let reply = format!("MOCK-REPLY turns={turn} last=Go on.");
        assert!(out.contains(&reply), "turn {turn}: the earlier ones were sent along: {out}");
    }
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn a_refused_request_is_not_continued_though_rows_were_added() {
    let desk = Desk::new();
    desk.client.server.refuse_with(Some(400));
    let (attempt, _) = desk.resume("Go on.");
    assert_eq!(attempt.outcome.as_str(), "not_continued", "{attempt:?}");
    assert_eq!((attempt.exit, attempt.grew), (Some(1), 0), "and its exit code is told: {attempt:?}");
}

#[test]
#[ignore = "needs the real client: run tests/clients/install first"]
fn while_it_runs_nobody_else_may_and_it_can_be_stopped() {
    let desk = Desk::new();
    let asked = desk.client.server.asked().len();
    desk.client.server.hold();
    let running = desk.start("Never answered.", |_| {});
    desk.client.server.wait_for(asked + 1);
    let row = Arc::new(desk.project.row());
    let refused = Plan::make(&desk.examiner(), &row, 0).expect_err("it has a live owner");
    let reasons: String = refused.reasons.iter().map(|reason| reason.shown() + "\n").collect();
    assert!(
        reasons.contains("running") || reasons.contains("pid") || reasons.contains("process"),
        "{reasons}"
    );
    running.stop();
    let attempt = running.finish(&desk.examiner());
    desk.client.server.release();
    assert_eq!(attempt.grew, 0, "a question without an answer is no turn: {attempt:?}");
    assert_ne!(attempt.outcome, Outcome::Continued, "and never a continuation");
    let again = Plan::make(&desk.examiner(), &row, 0);
    assert!(again.is_ok(), "when it has ended the lane is free again: {:?}", again.err());
}
