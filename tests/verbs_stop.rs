//! What a program gets of a verb that stops, or whose output nobody reads any more: always one document, and always
//! the verb's own exit code.
#![allow(clippy::unwrap_used, reason = "these are tests: a sample that cannot be laid out ends them")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use moorline::cli::args::CommandLine;
use moorline::demo::Demo;
use moorline::handoff::age::Clock;
use serde_json::Value;

fn sample() -> Demo {
    let unix = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let clock = Clock { unix: i64::try_from(unix).unwrap(), east: 0 };
    Demo::lay_out(clock, Path::new(env!("CARGO_BIN_EXE_moorline"))).unwrap()
}

fn moorline(demo: &Demo, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
    command.env_clear().envs(demo.vars(&BTreeMap::new())).args(words).current_dir(demo.project());
    command.stdin(Stdio::null());
    command
}

fn document(words: &[&str], output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!(
            "{words:?} prints exactly one JSON document ({error}): {:?}, and says {}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

/// Every verb that has `--json`, as far as it has to be typed to be understood.
const VERBS: [&[&str]; 18] = [
    &["list"],
    &["show", "x"],
    &["check", "x"],
    &["diff", "x"],
    &["resume", "x"],
    &["save", "--from", "-"],
    &["context", "x"],
    &["restore", "x"],
    &["archive", "x"],
    &["trash", "x"],
    &["put-back", "x"],
    &["cleanup"],
    &["undo"],
    &["doctor"],
    &["lookup", "--query", "q", "--platform", "claude"],
    &["snapshot", "list", "--backup-root", "/nowhere/kept"],
    &["snapshot", "load", "0123456789", "--backup-root", "/nowhere/kept", "--identity", "a"],
    &["snapshot", "verify", "--backup-root", "/nowhere/kept"],
];

#[test]
fn every_verb_that_has_json_is_in_the_table() {
    use clap::CommandFactory as _;
    let has_json = |verb: &clap::Command| verb.get_arguments().any(|arg| arg.get_id() == "json");
    let command = CommandLine::command();
    let named: Vec<_> = command.get_subcommands().filter(|verb| has_json(verb)).collect();
    assert!(named.len() > 12, "the control: verbs are found by their flag");
    for verb in named.iter().map(|verb| verb.get_name()).filter(|verb| *verb != "resolve") {
        assert!(VERBS.iter().any(|words| words[0] == verb), "{verb} is tried as well");
    }
}

#[test]
fn a_verb_that_stops_prints_one_document_with_the_reason_and_what_may_follow() {
    let demo = sample();
    for words in VERBS {
        // A snapshot has places of its own; every other verb stops at a project that is none.
        let words = [words, &["--json", "-C", "no/such/directory"]].concat();
        let output = moorline(&demo, &words).output().unwrap();
        let document = document(&words, &output);
        let schema = format!("moorline.{}/1", words[0]);
        assert_eq!(document["schema"], schema.as_str(), "{words:?} keeps its schema: {document}");
        let (reason, next) = (&document["summary"]["outcome"], &document["summary"]["next_permitted"]);
        let said = String::from_utf8(output.stderr).unwrap();
        let reason = reason.as_str().expect("the reason is in the summary");
        assert!(
            !reason.is_empty() && said.contains(reason.lines().next().unwrap()),
            "{words:?} says the same on both streams: {reason:?}, {said:?}"
        );
        assert!(
            next.as_str().is_some_and(|next| !next.is_empty()),
            "{words:?} names a next step: {document}"
        );
        assert_ne!(output.status.code(), Some(0), "{words:?} is no success");
        assert!(document["handoffs"].as_array().is_none(), "an error is no empty list: {document}");
    }
    let words = ["resolve", "--skill", "tk-handoff", "--json", "--catalog", "none"];
    assert!(
        document(&words, &moorline(&demo, &words).output().unwrap())["decision"].is_string(),
        "its record"
    );
    let fine = ["list", "--json"];
    let output = moorline(&demo, &fine).output().unwrap();
    assert!(document(&fine, &output)["handoffs"].is_array(), "the control: a list that could be made");
    assert_eq!(
        (output.status.code(), output.stderr.len()),
        (Some(0), 0),
        "is a success and complains of nothing"
    );
}

#[test]
fn names_settings_and_secrets_that_stop_a_verb_are_told_in_its_document() {
    let demo = sample();
    std::fs::write(demo.project().join("../bad.toml"), "plaecs = []\n").unwrap();
    std::fs::write(
        demo.project().join("../words.json"),
        r#"{"task": "x", "notes": "password: hunter2hunter2XYZ9"}"#,
    )
    .unwrap();
    std::fs::write(demo.project().join("../places.toml"), "mouse = true\nplaces = [\n  '/etc/*',\n]\n")
        .unwrap();
    let cases: [(&[&str], i32, &str); 7] = [
        (
            &["list", "--config", "../places.toml"],
            2,
            "places.toml, line 3: `/etc/*` is not a place: an absolute path",
        ),
        (&["show", "no-such-handoff"], 1, "no handoff is called"),
        (&["check", "no-such-handoff"], 1, "no handoff is called"),
        (&["archive", "no-such-handoff"], 1, "no handoff is called"),
        (&["check", "--lane", "nobody"], 1, "no lane"),
        (&["list", "--config", "../bad.toml"], 2, "plaecs"),
        (&["save", "--from", "../words.json"], 2, "password"),
    ];
    for (words, code, why) in cases {
        let words = [words, &["--json"]].concat();
        let output = moorline(&demo, &words).output().unwrap();
        let document = document(&words, &output);
        assert_eq!(output.status.code(), Some(code), "{words:?} keeps its exit code");
        assert!(document.to_string().contains(why), "{words:?} says why: {document}");
        assert!(!document.to_string().contains("hunter2"), "and no value of a secret: {document}");
        let text = moorline(&demo, &words[..words.len() - 1]).output().unwrap();
        assert_eq!(text.stderr, output.stderr, "{words:?} says the same to a person with and without it");
    }
}

#[test]
fn no_verb_answers_no_without_the_reason_in_its_document() {
    let demo = sample();
    let kept = demo.project().join("../kept");
    std::fs::create_dir(&kept).unwrap();
    std::fs::set_permissions(&kept, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let kept = kept.canonicalize().unwrap().to_str().unwrap().to_owned();
    let empty = demo.project().join("../empty");
    let nobody = demo.project().join("../nobody");
    std::fs::create_dir(&empty).unwrap();
    std::fs::create_dir(&nobody).unwrap();
    let cases: [(&[&str], &str); 17] = [
        (&["list", "-C", "../empty"], "No handoffs below"),
        (&["list", "--archived", "-C", "../empty"], "nothing is archived"),
        (&["check", "-C", "../empty"], "No handoffs here"),
        (&["context", "-C", "../empty"], "`moorline save` saves the first one"),
        (&["check"], "drifted"),
        (&["restore", "auth"], "drifted"),
        (&["diff", "docs/HANDOFF.md", "99"], "earlier version"),
        (&["resume", ".thunderkit/HANDOFF.md", "--lane", "L2-docs"], ""),
        (&["archive", "auth"], "say:\n  moorline archive 261125-auth"),
        (&["archive", "261125-auth"], "stays: "),
        (&["trash", "docs/HANDOFF.md", ".thunderkit/HANDOFF.md"], "it needs a yes"),
        (&["put-back", "docs/HANDOFF.md"], "is not put away"),
        (&["cleanup", "--days", "0"], "it needs a yes"),
        (&["undo", "zz"], "no action has the id zz"),
        (&["undo", "--list"], "no action that can be taken back"),
        (&["lookup", "--query", "q", "--platform", "claude"], " is required for this operation"),
        (&["snapshot", "list", "--backup-root", &kept], ""),
    ];
    for (words, why) in cases {
        let words = [words, &["--json"]].concat();
        let mut command = moorline(&demo, &words);
        if words.contains(&"../empty") {
            command.env("HOME", &nobody).env_remove("XDG_STATE_HOME");
        }
        let output = command.output().unwrap();
        let document = document(&words, &output);
        assert_ne!(output.status.code(), Some(0), "the control: {words:?} is no yes: {document}");
        let summary = &document["summary"];
        let outcome = summary["outcome"].as_str();
        assert!(
            outcome.is_some_and(|outcome| !outcome.is_empty() && outcome.contains(why)),
            "{words:?} says why it answers no: {summary}"
        );
        assert!(
            summary["next_permitted"].as_str().is_some_and(|next| !next.is_empty()),
            "{words:?}: {summary}"
        );
    }
    let output = moorline(&demo, &["resolve"]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "no skill was named: blocked (invalid_config)\n", "in words for a person");
    let fine = ["check", ".thunderkit/HANDOFF.md", "--lane", "L1-auth", "--json"];
    let output = moorline(&demo, &fine).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "a control that answers yes");
    assert!(document(&fine, &output)["summary"]["outcome"].is_null(), "has no reason to say");
}

#[test]
fn words_that_no_verb_understands_are_told_in_the_document_of_the_verb_that_was_meant() {
    let demo = sample();
    let cases: [(&[&str], &str); 6] = [
        (&["save", "--json"], "--from <FILE>"),
        (&["list", "--bogus", "--json"], "unexpected argument '--bogus'"),
        (&["-C", ".", "check", "--json", "--lane"], "--lane <ID>"),
        (&["undo", "--json", "--list", "x"], "cannot be used with"),
        (&["snapshot", "list", "--json"], "--backup-root <DIR>"),
        (&["archive", "--json"], "<NAME>"),
    ];
    for (words, why) in cases {
        let output = moorline(&demo, words).output().unwrap();
        let document = document(words, &output);
        let verb = words.iter().find(|word| word.starts_with(char::is_alphabetic)).unwrap();
        assert_eq!(document["schema"], format!("moorline.{verb}/1"), "{words:?} keeps its schema");
        let said = String::from_utf8(output.stderr).unwrap();
        let outcome = document["summary"]["outcome"].as_str().unwrap();
        assert!(outcome.contains(why) && said.contains(outcome), "{words:?}: {outcome:?}, {said:?}");
        let next = document["summary"]["next_permitted"].as_str().unwrap();
        assert!(next.contains(&format!("moorline {verb} --help")), "{words:?} says where to look: {next}");
        assert_eq!(output.status.code(), Some(2), "and is bad usage");
    }
    for words in [&["list", "--bogus"][..], &["man", "--json"], &["lsit", "--json"]] {
        let output = moorline(&demo, words).output().unwrap();
        assert!(
            output.stdout.is_empty(),
            "the control: without a verb that has JSON there is none: {words:?}"
        );
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}

/// The exit code where the reader was gone before the first byte.
fn unread(demo: &Demo, words: &[&str]) -> Option<i32> {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    moorline(demo, words).stdout(writer).status().unwrap().code()
}

#[test]
fn a_reader_that_went_away_is_no_verdict() {
    let demo = sample();
    let handoff = ".thunderkit/HANDOFF.md";
    let cases: [(&[&str], i32); 8] = [
        (&["check"], 1),
        (&["check", "auth"], 1),
        (&["check", handoff, "--lane", "L2-docs"], 1),
        (&["check", handoff, "--lane", "L1-auth"], 0),
        (&["restore", "auth"], 1),
        (&["resume", handoff, "--lane", "L2-docs"], 1),
        (&["list"], 0),
        (&["cleanup", "--days", "0", "--dry-run"], 0),
    ];
    for (words, code) in cases {
        for words in [words.to_vec(), [words, &["--json"]].concat()] {
            let read = moorline(&demo, &words).output().unwrap();
            assert_eq!(read.status.code(), Some(code), "the control: with a reader {words:?} answers so");
            assert_eq!(unread(&demo, &words), Some(code), "and without one {words:?} answers the same");
        }
    }
}

#[test]
fn a_current_directory_that_is_gone_changes_nothing_of_a_project_that_is_named_whole() {
    let demo = sample();
    let project = demo.project().to_str().unwrap().to_owned();
    let words = ["check", ".thunderkit/HANDOFF.md", "-C", &project, "--json"];
    let here = moorline(&demo, &words).output().unwrap();
    let gone = demo.project().join("../gone");
    std::fs::create_dir(&gone).unwrap();
    // The directory goes between its being entered and the program's start.
    let mut shell = Command::new("/bin/sh");
    shell.env_clear().envs(demo.vars(&BTreeMap::new())).current_dir(&gone).stdin(Stdio::null());
    shell.args(["-c", r#"/bin/rmdir "$1" && shift && exec "$@""#, "sh", gone.to_str().unwrap()]);
    shell.arg(env!("CARGO_BIN_EXE_moorline")).args(words);
    let there = shell.output().unwrap();
    assert!(!gone.exists(), "the control: the directory is gone");
    let (here_said, there_said) = (document(&words, &here), document(&words, &there));
    let verdicts = |document: &Value| {
        let handoff = &document["handoffs"][0];
        (handoff["verdict"].clone(), handoff["checks"].clone(), document["summary"]["failed"].clone())
    };
    assert!(here_said["handoffs"][0]["verdict"].is_string(), "the control: from a living one it is judged");
    assert_eq!(verdicts(&there_said), verdicts(&here_said), "and the same from one that is gone");
    assert_eq!(there.status.code(), here.status.code(), "with the same exit code");
}

#[test]
fn a_home_that_is_relative_is_none() {
    let demo = sample();
    let relative = |words: &[&str]| {
        let mut command = moorline(&demo, words);
        command.env("HOME", "rel").env_remove("XDG_STATE_HOME").env_remove("XDG_CONFIG_HOME");
        command.output().unwrap()
    };
    let words = ["archive", "HANDOFF.md", "--yes"];
    let output = relative(&words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("no home directory is known"), "as where none is set: {said}");
    assert_eq!(output.status.code(), Some(2), "which such a verb needs");
    let listed = relative(&["list"]);
    assert_eq!(listed.status.code(), Some(0), "the control: a list needs none");
    assert!(!demo.project().join("rel").exists(), "and nothing is written below the current directory");
}
