//! Lanes of codex, hermes and opencode on their way to a start, and session ids on their way into an argument array.

#[path = "common/canary.rs"]
mod canary;
#[path = "common/other_lanes.rs"]
mod other_lanes;
#[path = "common/true_project.rs"]
mod true_project;

use std::fs;
use std::process::{Command, Output, Stdio};
use std::sync::Barrier;
use std::sync::mpsc::channel;

use moorline::handoff::{HarnessName, Inert};
use moorline::resume::{Attempt, Outcome, Progress};
use other_lanes::OtherLane;
use true_project::{LANE, TrueProject};

const PROMPT: &str = "Go on.\nMind the \"quotes\".\n";
/// A finished turn in the right session, named as the client names it.
const HONEST: &str = "echo 'session id: @ID@' >&2\nturn \"$store\" @MODEL@ \"$now\"\necho 'A reply'\n";

fn resume(lane: &OtherLane, behaviour: &str) -> (Attempt, Vec<Progress>) {
    lane.install(behaviour);
    let plan = lane.plan().unwrap_or_else(|no| panic!("the lane is validated: {:?}", no.reasons));
    let confirmed = plan.confirm(PROMPT.into()).expect("there is a prompt");
    let (sender, receiver) = channel();
    match confirmed.start(&lane.examiner(), move |news| drop(sender.send(news))) {
        Ok(running) => (running.finish(&lane.examiner()), receiver.iter().collect()),
        Err(attempt) => (*attempt, Vec::new()),
    }
}

#[test]
fn a_lane_of_codex_is_shown_confirmed_started_and_continued() {
    let lane = OtherLane::build(HarnessName::Codex);
    let plan = lane.plan().unwrap_or_else(|no| panic!("everything is true: {:?}", no.reasons));
    assert_eq!(plan.argv(), ["codex", "exec", "resume", &lane.id], "the fixed form and nothing else");
    assert_eq!(plan.executable(), lane.program(), "by its absolute path");
    assert!(!plan.wants_terminal(), "it works in the background");
    let by_hand = format!("cd '{}' && codex resume {}", plan.cwd().display(), lane.id);
    assert_eq!(plan.interactive_form(), by_hand, "and the form to copy");
    assert!(
        plan.model().raw().starts_with("gpt-5.6-sol (the default"),
        "and who answers: {:?}",
        plan.model()
    );
    let plan = plan.confirm(b"  ".to_vec()).expect_err("an empty prompt is refused");
    drop(plan);
    assert_eq!(lane.starts(), 0, "showing starts nothing");
    let (attempt, heard) = resume(&lane, HONEST);
    assert_eq!(attempt.outcome, Outcome::Continued, "{attempt:?}");
    assert_eq!((attempt.grew, attempt.exit), (1, Some(0)), "with its numbers");
    assert!(heard.contains(&Progress::Out(b"A reply\n".to_vec())), "its reply came through live: {heard:?}");
    assert_eq!(lane.saw("argv"), format!("exec\nresume\n{}\n", lane.id), "the program saw exactly that");
    assert_eq!(lane.saw("stdin"), PROMPT, "its input was the prompt, byte for byte, and then closed");
    assert_eq!(
        lane.saw("cwd").trim_end(),
        lane.project.worktree().to_str().expect("plain"),
        "and stood there"
    );
    assert_eq!(lane.starts(), 1, "it was started once");
}

#[test]
fn a_codex_that_lies_is_never_shown_as_continued() {
    let aborted =
        "row \"$store\" event_msg \"$now\" '\"type\":\"turn_aborted\",\"reason\":\"interrupted\"'\n";
    let failed = "row \"$store\" event_msg \"$now\" '\"type\":\"task_complete\",\"last_agent_message\":null'\nexit 1\n";
    let mixed = "row \"$store\" session_meta \"$now\" '\"id\":\"@OTHER@\",\"cwd\":\"@CWD@\"'\nturn \"$store\" @MODEL@ \"$now\"\n";
    let cases = [
        ("ends well and did nothing", "exit 0\n", "not_continued"),
        (
            "starts a fresh session and says so",
            "echo 'session id: @OTHER@' >&2; fresh @OTHER@\n",
            "continued_elsewhere",
        ),
        ("starts a fresh session silently", "fresh @OTHER@\n", "continued_elsewhere"),
        (
            "claims the session and starts another",
            "echo 'session id: @ID@' >&2; fresh @OTHER@\n",
            "continued_elsewhere",
        ),
        ("names another session", "echo 'session id: @OTHER@' >&2\n", "continued_elsewhere"),
        (
            "names another and writes here",
            "echo 'session id: @OTHER@' >&2; turn \"$store\" @MODEL@ \"$now\"\n",
            "unknown",
        ),
        (
            "writes here and into a fresh session",
            "turn \"$store\" @MODEL@ \"$now\"; fresh @OTHER@\n",
            "unknown",
        ),
        ("writes another session's rows here", mixed, "unknown"),
        ("gives the turn up", aborted, "not_continued"),
        ("ends the turn without an answer", failed, "not_continued"),
        ("is killed", "kill -9 $$\n", "not_continued"),
        ("breaks a row", "printf '{\"timestamp\":\"' >> \"$store\"\n", "unknown"),
        ("writes rows of yesterday", "turn \"$store\" @MODEL@ 2026-01-01T00:00:00.000Z\n", "unknown"),
        ("empties the session", ": > \"$store\"\n", "unknown"),
        ("removes the session", "/bin/rm \"$store\"\n", "unknown"),
    ];
    for (what, behaviour, expected) in cases {
        let lane = OtherLane::build(HarnessName::Codex);
        let (attempt, _) = resume(&lane, behaviour);
        assert_eq!(attempt.outcome.as_str(), expected, "one that {what}: {attempt:?}");
        assert_eq!(lane.starts(), 1, "one that {what} was started, and never again");
    }
    let lane = OtherLane::build(HarnessName::Codex);
    let quoting = format!("{HONEST}echo 'user' >&2; echo 'session id: @OTHER@' >&2\n");
    let (attempt, _) = resume(&lane, &quoting);
    assert_eq!(attempt.outcome, Outcome::Continued, "the control: an honest one that quotes is: {attempt:?}");
}

#[test]
fn codex_with_another_default_model_is_not_started() {
    let lane = OtherLane::build(HarnessName::Codex);
    lane.plan().expect("the control: with the same default it can be planned");
    lane.project.replace("home/.codex/config.toml", "gpt-5.6-sol", "gpt-5.6-luna");
    let no = lane.plan().expect_err("another model would answer");
    let reasons: Vec<String> = no.reasons.iter().map(Inert::shown).collect();
    assert!(
        reasons.iter().any(|reason| reason.contains("configured default")),
        "and that is said: {reasons:?}"
    );
}

#[test]
fn a_lane_of_hermes_is_shown_and_not_started_without_a_terminal() {
    let lane = OtherLane::build(HarnessName::Hermes);
    let plan = lane.plan().unwrap_or_else(|no| panic!("everything is true: {:?}", no.reasons));
    assert_eq!(plan.argv(), ["hermes", "chat", "--resume", &lane.id], "the fixed form and nothing else");
    assert!(plan.wants_terminal(), "it gets the terminal");
    let by_hand = format!("cd '{}' && hermes chat --resume {}", plan.cwd().display(), lane.id);
    assert_eq!(plan.interactive_form(), by_hand, "and the form to copy");
    let plan = plan.confirm(PROMPT.into()).expect_err("a prompt has no way into it");
    let confirmed = plan.confirm(Vec::new()).expect("and none is needed");
    drop(confirmed);
    let output = moorline(&lane, &["--yes"], None);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "without a terminal it is a no: {said}");
    assert!(said.contains("Not started: hermes needs a terminal"), "with the reason: {said}");
    let output = moorline(&lane, &["--yes", "--prompt-file", "-"], Some(PROMPT));
    assert_eq!(output.status.code(), Some(2), "a prompt file is bad usage: {output:?}");
    let output = moorline(&lane, &[], None);
    assert_eq!(output.status.code(), Some(0), "a rehearsal needs no terminal: {output:?}");
    assert_eq!(lane.starts(), 0, "nothing ran");
}

#[test]
fn a_lane_of_opencode_stops_with_the_reason() {
    let lane = OtherLane::recorded(TrueProject::build(), HarnessName::Opencode);
    lane.install("exit 0\n");
    let no = lane.plan().expect_err("it has no fixed form");
    let form = moorline::harness::of(HarnessName::Opencode).form().expect_err("there is none");
    let reasons: Vec<String> = no.reasons.iter().map(Inert::shown).collect();
    assert!(reasons.iter().any(|reason| reason.contains(form)), "the reason is among them: {reasons:?}");
    assert_eq!(lane.starts(), 0, "nothing ran");
}

/// The program itself, resuming the lane.
fn moorline(lane: &OtherLane, more: &[&str], input: Option<&str>) -> Output {
    let mut child = spawn(lane, more);
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that refuses before it reads closes its end.
    let _ = std::io::Write::write_all(&mut stdin, input.unwrap_or_default().as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

fn spawn(lane: &OtherLane, more: &[&str]) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
    command.arg("-C").arg(lane.project.root()).args(["resume", "--lane", LANE]).args(more);
    command.env_clear().envs(lane.around().vars);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Two programs that resume one lane at the same moment by one rehearsal, `rounds` times. Whichever comes late finds
/// the session locked, owned, or no longer what was rehearsed.
fn race(rounds: usize) {
    let lane = OtherLane::build(HarnessName::Claude);
    canary::install(&lane.project, canary::HONEST);
    lane.project.write("prompt", PROMPT);
    let prompt = lane.project.base().join("prompt").display().to_string();
    for round in 0..rounds {
        let rehearsed = moorline(&lane, &[], None);
        let said = String::from_utf8_lossy(&rehearsed.stdout).into_owned();
        let evidence = said.split_whitespace().next_back().expect("it ends with the digest").to_owned();
        let more = ["--yes", "--prompt-file", &prompt, "--if-evidence", &evidence];
        let barrier = Barrier::new(2);
        let codes = std::thread::scope(|scope| {
            let both = [(); 2].map(|()| {
                let (barrier, lane) = (&barrier, &lane);
                scope.spawn(move || {
                    barrier.wait();
                    let output = spawn(lane, &more).wait_with_output().expect("it ends");
                    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
                })
            });
            both.map(|thread| thread.join().expect("no panic"))
        });
        let started = lane.starts() - round;
        assert_eq!(started, 1, "exactly one start in round {round}: {codes:?}");
        let continued = codes.iter().filter(|(code, _)| *code == Some(0)).count();
        assert_eq!(continued, 1, "one says that it went on in round {round}: {codes:?}");
    }
}

#[test]
fn two_programs_at_once_are_one_start() {
    race(5);
}

#[test]
#[ignore = "minutes: the same two hundred times"]
fn two_programs_at_once_are_one_start_two_hundred_times() {
    race(200);
}

/// A small generator whose numbers are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    fn digits(&mut self, count: usize, from: &str) -> String {
        let bytes = from.as_bytes();
        (0..count).map(|_| char::from(bytes[self.roll(bytes.len() as u64) as usize])).collect()
    }

    /// An id in the client's own shape.
    fn good(&mut self, name: HarnessName) -> String {
        let hex = "0123456789abcdef";
        match name {
            HarnessName::Hermes => {
                let tail = if self.roll(2) == 0 { 6 } else { 8 };
                format!(
                    "{}_{}_{}",
                    self.digits(8, "0123456789"),
                    self.digits(6, "0123456789"),
                    self.digits(tail, hex)
                )
            }
            _ => [8, 4, 4, 4, 12].map(|count| self.digits(count, hex)).join("-"),
        }
    }

    /// An id that is not in the client's shape: something wrong with a good one, or something else altogether.
    fn bad(&mut self, name: HarnessName) -> String {
        let good = self.good(name);
        let other = if name == HarnessName::Hermes { HarnessName::Codex } else { HarnessName::Hermes };
        match self.roll(16) {
            0 => good[..good.len() - 1].to_owned(),
            1 => format!("{good}0"),
            2 => format!("-{good}"),
            3 => format!("--{good}"),
            4 => format!("{good} --dangerously-skip-permissions"),
            5 => good.replacen(['-', '_'], "", 1),
            6 => format!("{}G{}", &good[..3], &good[4..]),
            7 => format!("ｅ{}", &good[1..]),
            8 => self.good(other),
            9 => ["-e", "--", "-p", "latest", "my-title-1", "null", "~", "$(id)", "`id`", "; id"]
                [self.roll(10) as usize]
                .to_owned(),
            10 => "a".repeat(257),
            11 => format!("{good}\u{200b}"),
            12 => format!("../{good}"),
            13 => format!(" {good}"),
            14 => format!("{good}\u{e000}"),
            _ => self.digits(36, "0123456789ABCDEFghij-_").replacen('-', "A", 1) + "Z",
        }
    }
}

/// Puts a session of this id into the client's store instead of the one that is there, and into the handoff.
fn move_session(lane: &mut OtherLane, id: &str) {
    lane.record(&lane.id, id);
    match lane.name {
        HarnessName::Hermes => lane.change_database(&format!(
            "UPDATE sessions SET id = '{id}'; UPDATE messages SET session_id = '{id}'; UPDATE session_model_usage SET session_id = '{id}';"
        )),
        HarnessName::Codex => {
            let (old, text) = (lane.rollout(), fs::read_to_string(lane.rollout()).expect("read"));
            let text = text.replace(&lane.id, id);
            lane.id = id.to_owned();
            fs::remove_file(old).expect("removed");
            fs::write(lane.rollout(), text).expect("written");
        }
        _ => {
            let old = lane.project.session().with_file_name(format!("{}.jsonl", lane.id));
            let text = fs::read_to_string(&old).expect("read").replace(&lane.id, id);
            fs::remove_file(&old).expect("removed");
            fs::write(old.with_file_name(format!("{id}.jsonl")), text).expect("written");
        }
    }
    lane.id = id.to_owned();
}

/// Sends `count` ids through a plan, and every one of `sample` good ones through a start too.
fn send_ids(count: usize, sample: usize) {
    let names = [HarnessName::Claude, HarnessName::Codex, HarnessName::Hermes];
    let mut lanes = names.map(OtherLane::build);
    let tables: [&[&str]; 3] =
        [&["claude", "-p", "--resume"], &["codex", "exec", "resume"], &["hermes", "chat", "--resume"]];
    let mut dice = Dice(7);
    let (mut good, mut bad, mut started) = (0, 0, [0; 3]);
    for n in 0..count {
        let which = n % 3;
        let lane = &mut lanes[which];
        if n % 2 == 0 {
            let id = dice.good(lane.name);
            move_session(lane, &id);
            let plan = lane.plan().unwrap_or_else(|no| panic!("{id} is {:?}'s: {:?}", lane.name, no.reasons));
            let expected: Vec<&str> = tables[which].iter().copied().chain([id.as_str()]).collect();
            assert_eq!(plan.argv(), expected, "the argument array is the table's");
            good += 1;
            if good % sample == 0 && !plan.wants_terminal() {
                let confirmed = plan.confirm(PROMPT.into()).expect("there is a prompt");
                let running = confirmed.start(&lane.examiner(), |_| {});
                running.unwrap_or_else(|no| panic!("{id} starts: {no:?}")).finish(&lane.examiner());
                started[which] += 1;
                let arguments: String = expected[1..].iter().map(|word| format!("{word}\n")).collect();
                assert_eq!(lane.saw("argv"), arguments, "and the program saw it");
            }
        } else {
            let id = dice.bad(lane.name);
            lane.record(&lane.id, &id);
            let planned = lane.plan();
            assert!(planned.is_err(), "{id:?} is no id of {:?}", lane.name);
            lane.record(&id, &lane.id);
            bad += 1;
        }
        assert_eq!(lane.starts(), started[which], "nothing else was started");
    }
    assert!(good > 0 && bad > 0 && started.iter().sum::<usize>() > 0, "all kinds were among them");
}

#[test]
fn session_ids_reach_the_argument_array_as_they_are_or_not_at_all() {
    send_ids(120, 8);
}

#[test]
#[ignore = "minutes: ten thousand ids, two hundred and more of them started"]
fn ten_thousand_session_ids_reach_the_argument_array_as_they_are_or_not_at_all() {
    send_ids(10_000, 15);
}
