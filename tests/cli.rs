//! The command line on the sample project: words, documents and exit codes, as people and agents use them.
#![allow(clippy::unwrap_used, reason = "these are tests: a sample that cannot be laid out ends them")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use moorline::demo::Demo;
use moorline::handoff::age::Clock;
use serde_json::Value;

/// The sample with moorline itself as its program.
struct Sample {
    demo: Demo,
}

impl Sample {
    fn lay_out() -> Self {
        let unix = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        let clock = Clock { unix: i64::try_from(unix).unwrap(), east: 0 };
        Self { demo: Demo::lay_out(clock, Path::new(env!("CARGO_BIN_EXE_moorline"))).unwrap() }
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
        command
            .env_clear()
            .envs(self.demo.vars(&BTreeMap::new()))
            .args(args)
            .current_dir(self.demo.project());
        command.output().unwrap()
    }

    fn words(&self, args: &[&str]) -> String {
        String::from_utf8(self.run(args).stdout).unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        let out = self.run(args);
        serde_json::from_slice(&out.stdout).unwrap_or_else(|error| {
            panic!("{args:?} prints one JSON document: {error}: {}", String::from_utf8_lossy(&out.stderr))
        })
    }

    fn code(&self, args: &[&str]) -> i32 {
        self.run(args).status.code().expect("it ends by itself")
    }
}

#[test]
fn the_list_shows_every_kind_of_row_under_its_heading() {
    let sample = Sample::lay_out();
    let list = sample.words(&["list"]);
    assert!(list.starts_with("Available handoffs:"), "it begins as theonekit's list does: {list}");
    let order = ["PLAN-SCOPED", "PROJECT-SCOPED", "GLOBAL", "ARCHIVED", "TRASH"];
    let places: Vec<_> =
        order.iter().map(|heading| list.find(heading).expect("every heading is there")).collect();
    assert!(places.is_sorted(), "in this order: {list}");
    for verdict in ["✓ current", "≠ drifted", "? unverifiable", "✗ not resumable"] {
        assert!(list.contains(verdict), "the sample has a row that is {verdict}: {list}");
    }
    assert_eq!(sample.code(&["list"]), 0, "something was found");
}

#[test]
fn the_list_document_counts_what_it_found() {
    let sample = Sample::lay_out();
    let list = sample.json(&["list", "--json"]);
    assert_eq!(list["schema"], "moorline.list/1", "the shape names itself");
    let (rows, skipped) = (list["handoffs"].as_array().unwrap(), list["skipped"].as_array().unwrap());
    assert_eq!(list["found"], rows.len() + skipped.len(), "found is listed and skipped together");
    let families: std::collections::BTreeSet<_> =
        rows.iter().map(|row| row["family"].as_str().unwrap()).collect();
    let all = ["freeform", "memtomem", "theonekit", "thunderkit", "thunderkit-legacy"];
    assert_eq!(families.into_iter().collect::<Vec<_>>(), all, "every family is in the sample");
    assert!(rows[0].get("fields").is_none(), "a list leaves the long texts out");
    assert_eq!(list["project"]["branch"], "feat/auth", "and says what the project is on");
    for id in rows.iter().filter(|row| row["state"] == "live").map(|row| row["id"].as_str().unwrap()) {
        let shown = sample.json(&["show", id, "--json"]);
        assert_eq!(shown["handoffs"][0]["id"], id, "an id from the list is a name");
    }
}

#[test]
fn each_lane_of_the_sample_has_the_verdict_it_was_made_for() {
    let sample = Sample::lay_out();
    let check = sample.json(&["check", ".thunderkit/HANDOFF.md", "--json"]);
    let lanes = check["handoffs"][0]["lanes"].as_array().unwrap();
    let verdict = |lane: &str| lanes.iter().find(|l| l["id"] == lane).map(|l| l["verdict"].clone()).unwrap();
    assert_eq!(verdict("L1-auth"), "validated", "nothing happened to it");
    assert_eq!(verdict("L2-docs"), "not_resumable", "its worktree went on");
    assert_eq!(verdict("L4-cache"), "completed", "it was done");
    for (lane, code) in [("L1-auth", 0), ("L2-docs", 1), ("L4-cache", 1), ("nobody", 1)] {
        assert_eq!(
            sample.code(&["check", ".thunderkit/HANDOFF.md", "--lane", lane]),
            code,
            "the exit code of {lane}"
        );
    }
    let words = sample.words(&["check", ".thunderkit/HANDOFF.md", "--lane", "L1-auth"]);
    assert!(words.contains("lane L1-auth: ✓ validated"), "the lane's own verdict is said: {words}");
    assert!(!words.contains("L2-docs"), "and nobody else's: {words}");
}

#[test]
fn a_rehearsal_starts_nothing_and_a_yes_needs_everything() {
    let sample = Sample::lay_out();
    let resume = ["resume", ".thunderkit/HANDOFF.md", "--lane", "L1-auth"];
    let with = |more: &[&'static str]| [&resume[..], more].concat();
    let rehearsed = sample.json(&with(&["--json"]));
    assert_eq!(rehearsed["outcome"], "rehearsed", "everything but the start");
    let argv = serde_json::json!(["claude", "-p", "--resume", "3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11"]);
    assert_eq!(rehearsed["argv"], argv, "the fixed array");
    assert_eq!(sample.code(&with(&["--yes"])), 2, "a yes without a prompt is bad usage");
    let prompt = sample.demo.project().join("../prompt");
    std::fs::write(&prompt, "").unwrap();
    assert_eq!(sample.code(&with(&["--yes", "--prompt-file", "../prompt"])), 2, "an empty prompt too");
    std::fs::write(&prompt, "go on").unwrap();
    let stale = with(&["--yes", "--prompt-file", "../prompt", "--json", "--if-evidence", "0000"]);
    assert_eq!(sample.json(&stale)["outcome"], "not_started", "another digest voids the yes");
    let done = sample.json(&with(&["--yes", "--prompt-file", "../prompt", "--json"]));
    assert_eq!(done["outcome"], "continued", "with everything right the session goes on: {done:#}");
    assert_eq!(done["session"]["grew"], 1, "by one turn");
    let refused = sample.json(&["resume", ".thunderkit/HANDOFF.md", "--lane", "L2-docs", "--json"]);
    assert_eq!(refused["outcome"], "not_started", "a lane that moved is not started");
    assert!(
        refused["reasons"][0].as_str().is_some_and(|why| why.contains("lane-head")),
        "and the reason is named"
    );
}

#[test]
fn the_context_block_comes_first_and_alone() {
    let sample = Sample::lay_out();
    let block = sample.words(&["context", "auth"]);
    assert!(block.starts_with("[Handoff loaded: /"), "nothing stands before it: {block}");
    assert!(block.contains("Resuming session from "), "then the date: {block}");
    let restored = sample.words(&["restore", "auth"]);
    assert!(restored.starts_with("[Handoff loaded: /"), "restore prints it first too: {restored}");
    assert_eq!(sample.code(&["restore", "auth"]), 1, "and answers as check does: this one has drifted");
    let record = sample.words(&["context", "--runtime", "kimi-code"]);
    assert!(
        record.contains(".memtomem/"),
        "a runtime gets the newest record addressed to it or to any: {record}"
    );
}

#[test]
fn a_torn_record_that_is_addressed_here_stops_and_no_other_is_taken() {
    let sample = Sample::lay_out();
    let out = sample.run(&["context", "--runtime", "claude-code"]);
    assert_eq!(out.status.code(), Some(1), "the newest record for claude-code is torn");
    assert!(out.stdout.is_empty(), "and the next one is not loaded in its place");
}

#[test]
fn names_that_mean_nothing_or_too_much_choose_nothing() {
    let sample = Sample::lay_out();
    assert_eq!(sample.code(&["show", "no-such-handoff"]), 1, "nothing of that name");
    assert_eq!(sample.code(&["list", "--no-such-flag"]), 2, "bad usage");
    assert_eq!(sample.code(&["list", "-C", "no/such/directory"]), 2, "no such directory");
    assert_eq!(sample.code(&["list", "--catalog", "nowhere.json"]), 2, "no such catalog");
    std::fs::write(sample.demo.project().join("../bad.toml"), "plaecs = []\n").unwrap();
    let out = sample.run(&["list", "--config", "../bad.toml"]);
    assert_eq!(out.status.code(), Some(2), "an unknown key in the settings");
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(said.contains("plaecs") && said.contains('1'), "is named with its line: {said}");
}

#[test]
fn a_wrong_key_in_the_settings_is_a_plain_error_of_every_verb_that_reads_them_and_of_the_screen() {
    let sample = Sample::lay_out();
    let config = sample.demo.project().join("../keys.toml");
    let said = |text: &str, words: &[&str]| {
        std::fs::write(&config, text).unwrap();
        let out = sample.run(&[words, &["--config", "../keys.toml"]].concat());
        (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    for words in [&["list"][..], &["doctor"], &["check"], &[]] {
        let (code, why) = said("theme = 'auto'\n[keys]\nquitt = 'ctrl-q'\n", words);
        assert_eq!(code, Some(2), "{words:?} refuses it: {why}");
        assert!(why.contains("keys.toml, line 3: keys: there is no action `quitt`"), "where: {why}");
        assert!(why.contains(" quit,") && why.lines().count() == 1, "and which words there are: {why}");
        let (code, why) = said("[keys]\nquit = 's'\n", words);
        assert_eq!(code, Some(2), "{words:?} refuses a taken key: {why}");
        assert!(why.contains("keys.toml, line 2: keys: `s` for `quit` is taken: `save` has it"), "{why}");
    }
    let out = sample.run(&["list", "--json", "--config", "../keys.toml"]);
    assert!(serde_json::from_slice::<serde_json::Value>(&out.stdout).is_ok(), "a program gets its document");
    let (code, why) = said("[keys]\nquit = 'ctrl-q'\n", &["list"]);
    assert_eq!(code, Some(0), "a control: a right one is no error: {why}");
}

#[test]
fn check_all_names_a_project_that_is_not_there() {
    let sample = Sample::lay_out();
    let missing = sample.demo.project().join("../gone");
    let config = format!("projects = [{:?}]\n", missing.display().to_string());
    std::fs::write(sample.demo.project().join("../all.toml"), config).unwrap();
    let out = sample.run(&["check", "--all", "--config", "../all.toml"]);
    assert!(String::from_utf8_lossy(&out.stderr).contains("gone"), "an error never looks like an absence");
    let document = sample.json(&["check", "--all", "--json", "--config", "../all.toml"]);
    let named = |value: &Value| value.as_str().is_some_and(|text| text.contains("gone"));
    assert!(named(&document["missing"][0]), "nor for a program: {}", document["missing"]);
    assert!(named(&document["summary"]["outcome"]), "and it is the outcome: {}", document["summary"]);
    let whole = sample.json(&["check", "--all", "--json"]);
    assert_eq!(whole["missing"], serde_json::json!([]), "a control: with all of them there none is missing");
}

#[test]
fn the_demo_without_a_terminal_prints_its_list() {
    let out = Command::new(env!("CARGO_BIN_EXE_moorline"))
        .arg("demo")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(0), "it ends well");
    assert!(String::from_utf8_lossy(&out.stdout).contains("Available handoffs:"), "with the list");
}

#[test]
fn a_check_in_words_says_what_is_wrong_first_and_everything_when_asked() {
    let sample = Sample::lay_out();
    let short = sample.words(&["check", ".thunderkit/HANDOFF.md"]);
    let all = sample.words(&["check", ".thunderkit/HANDOFF.md", "-v"]);
    let lanes = |text: &str| text.lines().filter(|line| line.starts_with("  lane ")).count();
    assert!(lanes(&short) > 1 && lanes(&short) == lanes(&all), "one line for each lane: {short}");
    assert!(short.contains("lane L1-auth: ✓ validated"), "with its verdict: {short}");
    assert!(!short.contains("\n    ✓ "), "what passed is not named: {short}");
    assert!(short.contains(" passed, ") && short.contains("-v names them"), "but counted: {short}");
    assert!(all.contains("\n    ✓ lane-head"), "and named when asked: {all}");
    assert!(short.lines().count() * 2 < all.lines().count(), "the short one is short: {short}");
}

#[test]
fn a_shown_handoff_says_each_thing_once_and_the_page_itself() {
    let sample = Sample::lay_out();
    let list = sample.json(&["list", "--json"]);
    let rows = list["handoffs"].as_array().unwrap();
    let page = rows.iter().find(|row| row["family"] == "theonekit").expect("the sample has one");
    let shown = sample.words(&["show", page["id"].as_str().unwrap()]);
    assert!(shown.contains("  │ ## Next Steps"), "the page is shown: {shown}");
    assert!(!shown.contains(" = "), "and its parts are not listed once more: {shown}");
    let record = sample.words(&["show", ".thunderkit/HANDOFF.md"]);
    let stage = sample.json(&["show", ".thunderkit/HANDOFF.md", "--json"])["handoffs"][0]["phase"].clone();
    let stage = stage.as_str().expect("it has a stage");
    let header = record.lines().take_while(|line| !line.starts_with("  lane ")).collect::<String>();
    assert_eq!(header.matches(stage).count(), 1, "a field that stands above is not repeated: {record}");
}

#[test]
fn the_lanes_of_a_shown_handoff_stand_whole_each_for_itself() {
    let sample = Sample::lay_out();
    let shown = sample.words(&["show", ".thunderkit/HANDOFF.md"]);
    let document = sample.json(&["show", ".thunderkit/HANDOFF.md", "--json"]);
    let lanes = document["handoffs"][0]["lanes"].as_array().unwrap();
    assert!(lanes.len() > 1, "the control: the sample has several");
    for lane in lanes {
        let id = lane["id"].as_str().unwrap();
        let from = shown.find(&format!("\n  lane {id}\n")).unwrap_or_else(|| panic!("{id} stands: {shown}"));
        let own: Vec<&str> =
            shown[from + 1..].lines().skip(1).take_while(|l| l.starts_with("    ")).collect();
        for key in ["worktree", "branch", "head", "harness", "session_id", "status"] {
            let said = |value: &str| own.iter().any(|l| l.trim() == format!("{key:<17} {value}"));
            if let Some(value) = lane[key].as_str() {
                assert!(said(value), "{id} has its whole {key}, {value}: {own:?}");
            }
        }
    }
}

#[test]
fn lanes_that_cannot_be_resumed_are_context_all_the_same() {
    let sample = Sample::lay_out();
    let block = sample.words(&["context", ".thunderkit/HANDOFF.md"]);
    assert!(block.contains("Lanes (as recorded"), "what was recorded of them is there: {block}");
    let not = block.lines().find(|line| line.contains("(now not resumable: ")).expect("one of them is not");
    assert!(not.starts_with("- L"), "by its name, with the caution: {not}");
    assert!(block.contains("(now validated)"), "and so is one that can be: {block}");
}

#[test]
fn a_handoff_is_compared_with_what_it_was_and_dropped_items_are_named() {
    let sample = Sample::lay_out();
    let file = sample.demo.project().join("docs/handoffs/compare.md");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null")]);
        command.envs([("GIT_AUTHOR_NAME", "Ada"), ("GIT_AUTHOR_EMAIL", "ada@example.org")]);
        command.envs([("GIT_COMMITTER_NAME", "Ada"), ("GIT_COMMITTER_EMAIL", "ada@example.org")]);
        let done = command.args(args).current_dir(sample.demo.project()).output().unwrap();
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    let write = |text: &str| std::fs::write(&file, text).unwrap();
    write("# Notes\n\n## Next steps\n- Ask the harbour office\n- Print the tables\n");
    git(&["add", "docs/handoffs/compare.md"]);
    git(&["commit", "-q", "-m", "First notes", "--", "docs/handoffs/compare.md"]);
    assert_eq!(sample.code(&["diff", "docs/handoffs/compare.md"]), 1, "nothing came before it");
    write("# Notes\n\n## Next steps\n- Print the tables\n");
    let words = sample.words(&["diff", "docs/handoffs/compare.md"]);
    assert!(words.contains("- - Ask the harbour office"), "the line that went: {words}");
    let vanished = words.split("neither done nor open").nth(1).expect("dropped items are named");
    assert!(vanished.contains("Ask the harbour office") && !vanished.contains("tables"), "{words}");
    let document = sample.json(&["diff", "docs/handoffs/compare.md", "1", "--json"]);
    assert_eq!(document["schema"], "moorline.diff/1", "the shape names itself");
    assert_eq!(document["vanished"][0], "Ask the harbour office", "and names them too");
    let gone = document["lines"].as_array().unwrap().iter().filter(|line| line["change"] == "gone").count();
    assert_eq!(gone, 1, "one line went: {document}");
    let why = |version: &str| {
        let out = sample.run(&["diff", "docs/handoffs/compare.md", version]);
        assert_eq!(out.status.code(), Some(1), "there is no version {version}");
        String::from_utf8(out.stderr).unwrap()
    };
    for version in ["0", "9", "99"] {
        assert!(why(version).contains("has 1 earlier version: say 1"), "{version}: {}", why(version));
    }
    write("# Notes\n\n## Next steps\n- Print them all\n");
    git(&["commit", "-q", "-m", "Second notes", "--", "docs/handoffs/compare.md"]);
    write("# Notes\n\n## Next steps\n- Bind them\n");
    for version in ["0", "3", "9999"] {
        let said = why(version);
        assert!(said.contains("has 2 earlier versions: say 1 to 2"), "which there are: {said}");
        assert!(!said.contains("no handoff is called"), "a number is a version: {said}");
    }
    let other = sample.run(&["diff", "docs/handoffs/compare.md", "nobody"]);
    let other = String::from_utf8(other.stderr).unwrap();
    assert!(other.contains("no handoff is called"), "the control: a name is a handoff's: {other}");
}

#[test]
fn a_check_ends_with_how_many_are_what_and_what_may_follow() {
    let sample = Sample::lay_out();
    let restore = sample.words(&["restore", ".thunderkit/HANDOFF.md"]);
    assert!(
        restore.lines().last().unwrap().contains("; next: resume lane L1-auth"),
        "so does a restore: {restore}"
    );
    for args in [&["check"][..], &["check", "--all"], &["check", ".thunderkit/HANDOFF.md"]] {
        let said = sample.words(args);
        let last = said.lines().last().unwrap();
        let document = sample.json(&[args, &["--json"]].concat());
        let next = document["summary"]["next_permitted"].as_str().unwrap();
        assert!(last.ends_with(&format!("; next: {next}")), "{args:?} ends with the next step: {last}");
        for verdict in ["validated", "drifted", "current", "not_resumable", "unverifiable"] {
            let has = |handoff: &&Value| handoff["verdict"] == verdict;
            let count = document["handoffs"].as_array().unwrap().iter().filter(has).count();
            let words = format!("{count} {}", verdict.replace('_', " "));
            let said = last.split("; ").next().unwrap().split(", ").any(|part| part == words);
            assert_eq!(said, count > 0, "{args:?} counts {verdict}: {last}");
        }
    }
    let lane = sample.words(&["check", ".thunderkit/HANDOFF.md", "--lane", "L1-auth"]);
    let last = lane.lines().last().unwrap();
    assert!(
        last.starts_with("1 validated; ") && last.contains("resume lane L1-auth"),
        "of a lane alone: {last}"
    );
}

#[test]
fn a_shell_and_a_manual_can_be_had() {
    let sample = Sample::lay_out();
    assert!(sample.words(&["completions", "bash"]).contains("put-back"), "every verb is completed");
    let page = sample.words(&["man"]);
    assert!(
        page.contains(".TH moorline 1") && page.contains(".TH moorline-check 1"),
        "a page for each: {page}"
    );
    assert_eq!(sample.code(&["completions", "nosuchshell"]), 2, "the control: another word is refused");
}

#[test]
fn the_manual_says_exit_codes_variables_and_files_and_has_a_page_for_each_verb_of_a_verb() {
    let page = Sample::lay_out().words(&["man"]);
    let first = page.split(".TH ").nth(1).expect("the first page");
    for section in ["\"EXIT STATUS\"", "ENVIRONMENT", "FILES"] {
        assert!(
            first.contains(&format!(".SH {section}\n")),
            "{section} is a section of the first page: {first}"
        );
    }
    for verb in ["capture", "list", "load", "verify"] {
        assert!(page.contains(&format!(".TH moorline-snapshot-{verb} 1")), "a page for snapshot {verb}");
    }
    assert!(!page.contains(".TH moorline-snapshot-help"), "and none for a help");
    let source = include_str!("../src/settings.rs");
    let names: std::collections::BTreeSet<_> = source
        .split(|c: char| !(c.is_ascii_uppercase() || c == '_'))
        .filter(|word| word.starts_with("MOORLINE_") || *word == "NO_COLOR")
        .collect();
    assert!(names.len() >= 7, "the control: the settings' variables are found in their source: {names:?}");
    let readme = include_str!("../README.md");
    for name in names {
        assert!(first.contains(name), "{name} stands in the manual");
        assert!(readme.contains(name), "{name} stands in the README");
    }
}

#[test]
fn a_word_that_is_no_verb_and_no_directory_is_said_with_the_one_that_was_meant() {
    let sample = Sample::lay_out();
    let out = sample.run(&["lsit"]);
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2), "bad usage: {said}");
    assert!(said.contains("lsit") && said.contains("`moorline list`"), "it names both: {said}");
}

#[test]
fn a_help_for_a_full_disk_is_no_success() {
    let to = |device: &str| {
        let device = std::fs::File::options().write(true).open(device).unwrap();
        Command::new(env!("CARGO_BIN_EXE_moorline")).arg("--help").stdout(device).status().unwrap().code()
    };
    assert_eq!(to("/dev/null"), Some(0), "the control: one that was taken");
    assert_eq!(to("/dev/full"), Some(2), "one that was not");
}

#[test]
fn a_list_that_could_not_read_everything_says_so_and_is_no_absence() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("plans/a")).unwrap();
    let list = |json: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
        command.arg("-C").arg(dir.path()).arg("list").args(json.then_some("--json"));
        let out = command.env_clear().env("HOME", dir.path().join("home")).output().unwrap();
        (out.status.code(), String::from_utf8(out.stdout).unwrap())
    };
    let (code, said) = list(false);
    assert_eq!(code, Some(1), "the control: nothing there is a no: {said}");
    assert!(said.contains("No handoffs below"), "and says so: {said}");
    // A link to itself is a directory that nobody can read, whoever asks.
    std::os::unix::fs::symlink("handoffs", dir.path().join("plans/handoffs")).unwrap();
    std::fs::create_dir_all(dir.path().join(".claude")).unwrap();
    std::os::unix::fs::symlink("handoffs", dir.path().join(".claude/handoffs")).unwrap();
    let (code, said) = list(false);
    assert_eq!(code, Some(3), "not read is not absent: {said}");
    assert!(said.contains("cannot be told") && said.contains(".claude/handoffs"), "and names what: {said}");
    let (code, document) = list(true);
    assert_eq!(code, Some(3), "for machines too: {document}");
}

#[test]
fn what_is_not_listed_is_named_once_with_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    let project = dir.path().join("project");
    std::fs::create_dir(&project).unwrap();
    std::fs::write(dir.path().join("far.md"), "# Far\n").unwrap();
    std::os::unix::fs::symlink("../far.md", project.join("HANDOFF.md")).unwrap();
    std::fs::write(project.join("HANDOFF-2.md"), "# Near\n\n## Next\n1. Go\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
    command.arg("-C").arg(&project).arg("list").env_clear().env("HOME", dir.path().join("home"));
    let said = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let line = said.lines().find(|line| line.starts_with("not listed:")).unwrap_or_default();
    assert!(line.ends_with("HANDOFF.md – leads out of its root"), "with the reason: {said}");
    assert_eq!(line.matches("HANDOFF.md").count(), 1, "and its path once: {line}");
}

#[test]
fn what_could_not_be_read_is_no_absence_for_any_verb() {
    let dir = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
        command.arg("-C").arg(dir.path()).args(args).current_dir(dir.path());
        let out = command.env_clear().env("HOME", dir.path().join("home")).output().unwrap();
        let said = [out.stdout, out.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        (out.status.code(), said)
    };
    std::fs::create_dir_all(dir.path().join("docs")).unwrap();
    let all: [&[&str]; 6] = [
        &["check"],
        &["check", "--json"],
        &["check", "--all"],
        &["restore"],
        &["context"],
        &["trash", "--dry-run", "docs/handoffs/one.md"],
    ];
    for args in all {
        let (code, said) = run(args);
        assert_eq!(code, Some(1), "the control: {args:?} of nothing at all is a no: {said}");
    }
    // A link to itself is a directory that nobody can read, whoever asks.
    std::os::unix::fs::symlink("handoffs", dir.path().join("docs/handoffs")).unwrap();
    for args in all {
        let (code, said) = run(args);
        assert_eq!(code, Some(3), "{args:?}: not read is not absent: {said}");
        assert!(
            said.contains("cannot be told") && said.contains("docs/handoffs"),
            "{args:?} says why: {said}"
        );
    }
}

#[test]
fn a_runtime_that_nobody_knows_is_refused_with_the_known_ones() {
    let sample = Sample::lay_out();
    let out = sample.run(&["context", "--runtime", "foo"]);
    assert_eq!(out.status.code(), Some(2), "it is no runtime");
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(
        said.contains("claude-code") && said.contains("codex-cli"),
        "and those that are one are named: {said}"
    );
    assert_ne!(
        sample.code(&["context", "--runtime", "codex"]),
        2,
        "the control: a known one, by its short name"
    );
}

#[test]
fn records_of_one_file_are_told_apart_in_a_check() {
    let sample = Sample::lay_out();
    let list = sample.json(&["list", "--json"]);
    let rows = list["handoffs"].as_array().unwrap().clone();
    let record = rows.iter().find_map(|row| row["record_id"].as_str()).expect("the sample has a record");
    let said = sample.words(&["check"]);
    assert!(said.contains(&format!(".md#{}\n", &record[..8])), "its id stands behind its file: {said}");
    assert!(said.contains("HANDOFF.md\n"), "the control: a file that is one handoff stands alone: {said}");
}

#[test]
fn a_word_of_another_format_is_refused_and_not_dropped() {
    let sample = Sample::lay_out();
    std::fs::write(sample.demo.project().join("../said.md"), "## Next Steps\n1. Measure\n").unwrap();
    let out = sample.run(&["save", "--from", "../said.md", "--lane", "L1", "--dry-run"]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "theonekit's handoff has no lanes");
    assert!(said.contains("leave --lane out"), "and that is said: {said}");
    let control =
        sample.run(&["save", "--from", "../said.md", "--format", "thunderkit", "--lane", "L1", "--dry-run"]);
    assert!(
        !String::from_utf8_lossy(&control.stderr).contains("leave --lane out"),
        "the control: one that has"
    );
}

#[test]
fn what_a_file_does_not_say_is_not_shown_as_none() {
    let sample = Sample::lay_out();
    let shown = |text: &str| {
        std::fs::write(sample.demo.project().join("handoff-odd.json"), text).unwrap();
        sample.words(&["show", "handoff-odd.json"])
    };
    let broken = shown("{\"next\": [");
    for name in ["next", "blockers", "decisions", "open"] {
        assert!(broken.contains(&format!("  {name:<9} – not recorded\n")), "nobody read {name}: {broken}");
    }
    let said = shown("{\"next\": [\"Measure\"], \"blockers\": []}");
    assert!(said.contains("  blockers  – none\n"), "the control: it says that there are none: {said}");
    assert!(said.contains("  decisions – not recorded\n"), "and of decisions nothing: {said}");
}

#[test]
fn a_sample_that_cannot_be_laid_out_is_said_in_one_line() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
    let output = command.arg("demo").env("TMPDIR", "/nonexistent").output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "it cannot go on: {said}");
    assert!(
        said.starts_with("moorline: the sample project cannot be laid out: "),
        "what, where and why: {said}"
    );
    assert_eq!((said.lines().count(), said.contains('\u{1b}')), (1, false), "a line, and no colours: {said}");
}
