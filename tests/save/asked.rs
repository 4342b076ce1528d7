//! What a save does only when it is asked: go on from a former handoff, take drafts from a transcript, and add
//! decisions to thunderkit's list.

use std::fs;
use std::path::Path;

use crate::git::TestRepo;
use crate::true_project::{SESSION, TrueProject};
use crate::verb::{everything, json, run, run_verb, save, verb};

const PLAN: &str = "plans/260901-auth/plan.md";

#[test]
fn a_save_goes_on_from_a_former_handoff_where_nothing_new_is_said() {
    let repo = TestRepo::new();
    repo.commit(PLAN, "# Plan\n", "Plan");
    let said = r#"{"phase": "1 of 2", "completed": ["Graft"], "decisions": ["Keep it"], "next": ["Count"]}"#;
    save(&repo, said, &[]).expect("saved");
    repo.git(&["switch", "-q", "-c", "other"]);
    let (_, text) = save(&repo, r#"{"next": ["Sell"]}"#, &["--carry", "auth"]).expect("saved");
    assert!(text.contains("branch: other (HEAD)"), "facts are captured anew: {text}");
    let file = repo.dir().join("plans/260901-auth/HANDOFF.md");
    let written = fs::read_to_string(&file).expect("there");
    for part in ["- Current phase: 1 of 2\n", "- [x] Graft\n", "- Keep it\n", "1. Sell\n"] {
        assert!(written.contains(part), "{part:?} is carried or new: {written}");
    }
    assert!(!written.contains("Count"), "what is said again replaces what was said");
    let (_, alone) = run(repo.dir(), &repo.beside("home"), &[], &["--carry", "auth"]).expect("saved");
    assert!(alone.starts_with("saved to "), "no narrative is needed to save the same again: {alone}");
    assert!(
        save(&repo, "{\"next\": \"x\"}", &["--carry", "no-such"]).is_err(),
        "a name of nothing is refused"
    );
}

#[test]
fn thunderkit_carries_only_what_it_has_a_place_for() {
    let project = TrueProject::build();
    let home = project.home();
    let narrative = project.base().join("narrative");
    fs::write(&narrative, r#"{"next": "Go on"}"#).expect("written");
    let from = narrative.to_str().expect("a plain path");
    let args = ["--format", "thunderkit", "--carry", ".thunderkit/HANDOFF.md", "--from", from];
    let before = fs::read_to_string(project.handoff()).expect("there");
    let (_, text) = run(&project.root(), &home, &[], &args).expect("saved");
    assert!(text.starts_with("saved to "), "{text}");
    let model = "lane L1-auth requested_model: opus48 (by its class, from config and catalog)";
    assert!(text.contains(model), "each model says where it was read: {text}");
    let after = fs::read_to_string(project.handoff()).expect("there");
    let stage = before.lines().find(|line| line.starts_with("current_stage")).expect("a stage");
    let words = stage.split_once(':').expect("a value").1.trim().trim_matches('"');
    assert!(after.contains(words), "the stage is carried: {after}");
    assert!(after.contains("next_action: \"Go on\""), "and the next action is the new one: {after}");
    for words in
        [r#"{"phase": "9", "next": "x", "task": "t"}"#, r#"{"phase": "9", "next": "x", "status": "s"}"#]
    {
        fs::write(&narrative, words).expect("written");
        let why = run(&project.root(), &home, &[], &["--format", "thunderkit", "--from", from]);
        let why = why.expect_err("nothing that was said is dropped without a word");
        assert!(why.contains("no place for"), "{why}");
    }
}

/// Rows of the conversation, appended to the session of a true project.
fn talk(project: &TrueProject, turns: &[&str]) {
    let mut text = String::new();
    for (number, turn) in turns.iter().enumerate() {
        let at = format!("2026-09-21T14:{:02}:00Z", number % 60);
        let user = serde_json::json!({"type": "user", "sessionId": SESSION, "timestamp": at,
            "message": {"role": "user", "content": "go on"}});
        let reply = serde_json::json!({"type": "assistant", "sessionId": SESSION, "timestamp": at,
            "cwd": project.root(), "message": {"id": format!("m{number}"), "model": "claude-opus-4-8",
            "stop_reason": "end_turn", "content": [{"type": "text", "text": turn}]}});
        text.push_str(&format!("{user}\n{reply}\n"));
    }
    let path = project.session();
    let old = fs::read_to_string(&path).expect("there");
    fs::write(path, old + &text).expect("written");
}

#[test]
fn drafts_come_out_of_a_transcript_only_when_asked_and_each_is_marked() {
    let project = TrueProject::build();
    project.write("api/plans/260901-auth/plan.md", "# Plan\n\n## Token store\n");
    let mut turns = vec!["Reading the files."; 24];
    turns[1] = "We decided on something long ago.";
    turns[20] = "Looked at both.\n- We decided to keep retries at 3.\nThe rest is chatter.";
    turns[22] = "The token store holds now.";
    talk(&project, &turns);
    let narrative = project.base().join("narrative");
    fs::write(&narrative, r#"{"decisions": ["Mine"], "next": "x"}"#).expect("written");
    let from = ["--from", narrative.to_str().expect("a plain path")];
    let home = project.home();
    let save = |args: &[&str]| run(&project.root(), &home, &[], &[&from, args].concat());
    let file = project.root().join("plans/260901-auth/HANDOFF.md");
    save(&[]).expect("saved");
    assert!(!fs::read_to_string(&file).expect("there").contains("retries"), "nobody asked");
    let (_, text) = save(&["--decisions-from", SESSION]).expect("saved");
    assert!(text.contains("decisions: 2 lines") && text.contains("filtered 18/20 turns"), "{text}");
    let written = fs::read_to_string(&file).expect("there");
    let drafts: Vec<_> = written.lines().filter(|line| line.contains("draft, to confirm")).collect();
    assert_eq!(
        drafts,
        [
            "- (draft, to confirm) We decided to keep retries at 3.",
            "- (draft, to confirm) The token store holds now."
        ],
        "the lines that decide, and the first of a turn that is about the plan; older turns are not looked at"
    );
    assert!(written.contains("filtered 18/20 turns") && written.contains("- Mine\n"), "{written}");
    for (args, word) in [
        (vec!["--decisions-from", SESSION, "--format", "thunderkit"], "theonekit"),
        (vec!["--decisions-from", "11111111-2222-4333-8444-555555555555"], "no store has"),
        (vec!["--decisions-from", "../x"], "is"),
    ] {
        let why = save(&args).expect_err("refused");
        assert!(why.contains(word), "{args:?}: {why}");
    }
    let elsewhere = TestRepo::new();
    let why = run(elsewhere.dir(), &home, &[], &[&from[..], &["--decisions-from", SESSION]].concat());
    assert!(why.expect_err("another project's").contains("did not work in this project"), "and is refused");
}

#[test]
fn a_secret_in_a_transcript_is_not_saved_either() {
    let project = TrueProject::build();
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    talk(&project, &[&format!("We decided to use {secret}.")]);
    let narrative = project.base().join("narrative");
    fs::write(&narrative, r#"{"next": "x"}"#).expect("written");
    let args = ["--from", narrative.to_str().expect("a plain path"), "--decisions-from", SESSION];
    let why = run(&project.root(), &project.home(), &[], &args).expect_err("refused");
    assert!(why.contains("GitHub token") && !why.contains(&secret), "the kind and not the value: {why}");
}

#[test]
fn new_decisions_go_to_the_list_only_on_a_yes_and_staging_is_left_to_git() {
    let repo = TestRepo::new();
    repo.commit(".thunderkit/DECISIONS.md", "# Decisions\n\n- Old\n", "Decide");
    repo.commit(PLAN, "# Plan\n", "Plan");
    let list = repo.dir().join(".thunderkit/DECISIONS.md");
    let said = r#"{"decisions": ["Old", "New"], "next": "x"}"#;
    let (_, shown) = save(&repo, said, &["--dry-run"]).expect("shown");
    assert!(shown.contains("DECISIONS.md:") && shown.contains("- New"), "a second difference: {shown}");
    let (_, offered) = save(&repo, said, &["--json"]).expect("saved");
    let offered = json(&offered);
    assert_eq!(offered["mirror"]["written"], false, "it is offered");
    assert_eq!(fs::read_to_string(&list).expect("there"), "# Decisions\n\n- Old\n", "and not done unasked");
    let stage = format!("git -C {} add -- plans/260901-auth/HANDOFF.md", repo.dir().display());
    assert_eq!(offered["stage"], stage.as_str(), "exactly what was written");
    assert_eq!(repo.git(&["diff", "--cached", "--name-only"]), "", "the index is never touched");
    let (_, text) = save(&repo, said, &["--mirror-decisions"]).expect("saved");
    assert!(text.contains("added to ") && text.contains(".thunderkit/DECISIONS.md\n"), "{text}");
    let now = fs::read_to_string(&list).expect("there");
    assert!(
        now.starts_with(
            "# Decisions\n\n- Old\n\n## 2026-10-05 09:30, plans/260901-auth/HANDOFF.md\n\n- New\n"
        )
    );
    let command = text.lines().find_map(|line| line.trim().strip_prefix("to stage exactly this: "));
    let command = command.expect("the command is offered");
    let ran = std::process::Command::new("sh").args(["-c", command]).status().expect("a shell");
    assert!(ran.success(), "it can be pasted: {command}");
    let staged = repo.git(&["diff", "--cached", "--name-only"]);
    assert_eq!(staged, ".thunderkit/DECISIONS.md\nplans/260901-auth/HANDOFF.md", "both, and nothing else");
    assert!(Path::new(&list).is_file(), "the list is a file of its own");
}

#[test]
fn one_undo_takes_a_save_back_with_what_was_written_beside_it() {
    let repo = TestRepo::new();
    repo.commit(".thunderkit/DECISIONS.md", "# Decisions\n", "Decide");
    repo.commit(".gitignore", "target\n.claude/handoffs/\n", "Ignore");
    fs::create_dir_all(repo.beside("home")).expect("made");
    let before = everything(repo.dir());
    let said = r#"{"task": "Rotate tokens", "decisions": ["New"], "next": "x"}"#;
    save(&repo, said, &["--mirror-decisions", "--unignore"]).expect("saved");
    let after = everything(repo.dir());
    let changed = after.iter().filter(|(path, bytes)| before.get(*path) != Some(bytes)).count();
    assert_eq!(changed, 3, "a control: the handoff, the list and the rules were written: {:?}", after.keys());
    let undone = run_verb(repo.dir(), &repo.beside("home"), &["undo"]);
    assert!(undone.contains("save of 1 handoff in 3 files"), "it says how many files it is about: {undone}");
    assert_eq!(everything(repo.dir()), before, "and nothing of it is left");
    let again = verb(repo.dir(), &repo.beside("home"), &[], &["undo"]);
    assert!(again.expect_err("nothing is left").contains("nothing to undo"), "it was one action");
}

#[test]
fn a_snapshot_is_offered_as_a_command_that_keeps_one_and_stops_where_no_store_is_named() {
    let repo = TestRepo::new();
    repo.commit(PLAN, "# Plan\n", "Plan");
    let (_, text) = save(&repo, r#"{"next": "x"}"#, &["--json"]).expect("saved");
    let command = json(&text)["snapshot"].as_str().expect("a command").to_owned();
    let (store, state) = (repo.beside("store"), repo.beside("state"));
    for dir in [&store, &state] {
        fs::create_dir(dir).expect("made");
        fs::set_permissions(dir, std::os::unix::fs::PermissionsExt::from_mode(0o700)).expect("private");
    }
    let programs = Path::new(env!("CARGO_BIN_EXE_moorline")).parent().expect("a directory");
    let shell = |named: bool| {
        let mut shell = std::process::Command::new("/bin/sh");
        shell.args(["-c", &command]).current_dir("/").env_clear().env("HOME", repo.beside("home"));
        shell.env("PATH", programs);
        if named {
            shell.env("STORE", &store).env("STATE", &state);
        }
        let output = std::process::Command::output(&mut shell).expect("a shell");
        (
            output.status.success(),
            String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(),
        )
    };
    let saved = fs::read(repo.dir().join("plans/260901-auth/HANDOFF.md")).expect("there");
    let (done, said) = shell(false);
    assert!(!done && said.contains("STORE"), "nothing is inferred: {said}");
    assert_eq!(fs::read_dir(&store).expect("listed").count(), 0, "and nothing is kept");
    let (done, said) = shell(true);
    assert!(done, "with a store it is kept: {said}");
    assert_eq!(fs::read_dir(store.join("snapshots")).expect("made").count(), 1, "one snapshot: {said}");
    let now = fs::read(repo.dir().join("plans/260901-auth/HANDOFF.md")).expect("there");
    assert_eq!(now, saved, "whatever becomes of it, the saved file is the same");
    let (_, text) = save(&repo, r#"{"next": "x"}"#, &["--global", "--json"]).expect("saved");
    assert!(json(&text)["snapshot"].is_null(), "what lies outside of the project is none of its snapshots");
}
