//! Saves that go another way: into somebody else's save, out of a branch, into a place that cannot be written.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use chrono::DateTime;
use moorline::check::Examiner;
use moorline::cli::Answer;
use moorline::handoff::Family;
use moorline::harness::Surroundings;
use moorline::save::draft::{Draft, Request};
use moorline::save::file::NotWritten;
use moorline::settings::Settings;

use crate::git::{TestRepo, try_git};
use crate::verb::{everything, json, save};

const PLAN: &str = "plans/260901-auth/plan.md";
const SAVED: &str = "plans/260901-auth/HANDOFF.md";

#[test]
fn an_overwrite_is_shown_as_what_changes() {
    let repo = TestRepo::new();
    repo.commit(PLAN, "# Plan\n", "Plan");
    save(&repo, r#"{"phase": "1", "next": ["Count", "Sell"]}"#, &[]).expect("saved");
    let (_, text) =
        save(&repo, r#"{"phase": "1", "next": ["Count", "Rest"]}"#, &["--dry-run"]).expect("shown");
    let shown =
        text.split("what changes in ").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("shown");
    let changes: Vec<_> =
        shown.lines().filter(|line| line.starts_with("  - ") || line.starts_with("  + ")).collect();
    assert_eq!(
        changes,
        ["  - 2. Sell", "  + 2. Rest"],
        "the lines that change, and none of the others: {text}"
    );
    let (_, printed) =
        save(&repo, r#"{"phase": "2", "next": ["Count"]}"#, &["--dry-run", "--json"]).expect("shown");
    let difference = json(&printed)["difference"].as_str().expect("a text").to_owned();
    assert!(difference.contains("+ - Current phase: 2"), "also for a program: {difference}");
}

#[test]
fn whoever_saves_second_is_told_and_nothing_is_lost() {
    let repo = TestRepo::new();
    repo.commit(PLAN, "# Plan\n", "Plan");
    fs::create_dir_all(repo.beside("home")).expect("made");
    let around = Surroundings {
        home: Some(repo.beside("home")),
        proc: repo.beside("no-processes"),
        ..Surroundings::default()
    };
    let examiner = Examiner::new(repo.dir(), around, Settings::default());
    let now = DateTime::parse_from_rfc3339("2026-10-05T09:30:00+02:00").expect("a time");
    let make = |words| {
        Draft::make(&examiner, &Request::new(words, Family::Theonekit, repo.dir(), now)).expect("one")
    };
    make(r#"{"next": "Old"}"#).write().expect("there is one");
    let (mine, theirs) = (make(r#"{"next": "Mine"}"#), make(r#"{"next": "Theirs"}"#));
    theirs.write().expect("the first one saves");
    let why = mine.write().expect_err("the second one is told");
    assert!(
        matches!(why, NotWritten::Changed { .. }) && why.to_string().contains("+ 1. Theirs"),
        "and of what: {why}"
    );
    assert!(fs::read_to_string(repo.dir().join(SAVED)).expect("there").contains("Theirs"), "it stands");
    make(r#"{"next": "Mine"}"#).write().expect("after a look at it the same is saved");
}

#[test]
fn a_detached_head_and_one_without_a_commit_are_said() {
    let repo = TestRepo::new();
    let (_, text) = save(&repo, r#"{"next": "x"}"#, &[]).expect("theonekit needs no commit");
    assert!(text.contains("head: none yet (HEAD)") && text.contains("branch: main (HEAD)"), "{text}");
    let why =
        save(&repo, r#"{"phase": "9", "next": "x"}"#, &["--format", "thunderkit"]).expect_err("refused");
    assert!(why.contains("needs a commit"), "thunderkit's format does: {why}");
    repo.commit("README.md", "x\n", "Begin");
    repo.git(&["switch", "-q", "--detach"]);
    let (_, text) = save(&repo, r#"{"next": "x"}"#, &[]).expect("saved");
    assert!(text.contains("branch: detached (HEAD)"), "{text}");
    save(&repo, r#"{"phase": "9", "next": "x"}"#, &["--format", "thunderkit"]).expect("saved");
    let written = fs::read_to_string(repo.dir().join(".thunderkit/HANDOFF.md")).expect("there");
    assert!(written.contains("\nbranch: null\n"), "the format's own word for it: {written}");
}

#[test]
fn a_place_that_cannot_be_written_is_a_reason_and_no_save() {
    let repo = TestRepo::new();
    repo.commit(PLAN, "# Plan\n", "Plan");
    save(&repo, r#"{"next": "Old"}"#, &[]).expect("saved");
    let file = repo.dir().join(SAVED);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).expect("its own file");
    let before = everything(&repo.dir().join("plans"));
    let why = save(&repo, r#"{"next": "New"}"#, &[]).expect_err("read-only is a person's word");
    assert!(why.contains("read-only: make it writable first"), "what to do: {why}");
    assert_eq!(everything(&repo.dir().join("plans")), before, "nothing is changed");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("its own file");
    save(&repo, r#"{"next": "New"}"#, &[]).expect("writable it is saved");
    let linked = TestRepo::new();
    linked.commit("README.md", "x\n", "Begin");
    fs::create_dir_all(linked.beside("elsewhere")).expect("made");
    std::os::unix::fs::symlink(linked.beside("elsewhere"), linked.dir().join(".claude")).expect("linked");
    let why = save(&linked, r#"{"next": "x"}"#, &[]).expect_err("a link out of the project");
    assert!(why.contains("leads out of its root"), "{why}");
    assert!(everything(&linked.beside("elsewhere")).is_empty(), "nothing is written where it leads");
}

#[test]
fn another_directory_s_plans_are_none_of_this_project() {
    let (repo, other) = (TestRepo::new(), TestRepo::new());
    repo.commit("README.md", "x\n", "Begin");
    other.commit(PLAN, "# Plan\n", "Plan");
    fs::write(other.beside("narrative"), r#"{"task": "t", "next": "x"}"#).expect("written");
    let project = repo.dir().to_str().expect("text").to_owned();
    let narrative = other.beside("narrative");
    let words = ["-C", &project, "save", "--from", narrative.to_str().expect("text")];
    let text = crate::verb::run_verb(other.dir(), &repo.beside("home"), &words);
    assert!(text.contains("(project)") && text.contains(&project), "the project that was named: {text}");
    assert!(!other.dir().join(SAVED).exists(), "and not the one that the person stands in");
}

#[test]
fn every_fake_secret_is_refused_in_a_narrative_and_every_innocent_text_is_saved() {
    let repo = TestRepo::plain_directory();
    let table = include_str!("../../src/handoff/secrets/tests.rs");
    let innocent: Vec<&str> = table
        .split("INNOCENT: &str = r#\"")
        .nth(1)
        .and_then(|text| text.split("\"#;").next())
        .map_or_else(Vec::new, |text| text.lines().filter(|line| !line.trim().is_empty()).collect());
    assert!(innocent.len() >= 200, "the innocent table is there: {}", innocent.len());
    let body = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5";
    let hex = "0123456789abcdef0123456789abcdef01234567";
    let starts = [
        "sk-",
        "sk-proj-",
        "sk-ant-api03-",
        "ghp_",
        "gho_",
        "ghs_",
        "ghu_",
        "ghr_",
        "github_pat_",
        "xoxb-",
        "xoxp-",
        "xoxs-",
        "sk_live_",
        "sk_test_",
        "pk_live_",
        "pk_test_",
        "rk_live_",
        "rk_test_",
        "whsec_",
        "npm_",
        "glpat-",
        "hf_",
        "pypi-",
    ];
    let mut fakes: Vec<String> = starts.iter().map(|start| format!("{start}{body}")).collect();
    // In pieces, so that nobody who looks for secrets finds one here.
    let armour = |kind: &str| format!("-----BEGIN {kind} KEY-----\nMIIEow\n-----END {kind} KEY-----");
    fakes.extend([
        ["AK", "IA", "IOSFODNN7QWERTYU"].concat(),
        ["AS", "IA", "IOSFODNN7QWERTYU"].concat(),
        ["AI", "za", &body[..35]].concat(),
        ["ey", "JhbGciOiJIUzI1NiJ9.", "eyJzdWIiOiIxMjM0NTY3ODkwIn0.", body].concat(),
        armour("RSA PRIVATE"),
        armour("OPENSSH PRIVATE"),
    ]);
    for label in [
        "api_key",
        "apikey",
        "api-key",
        "secret_key",
        "access_token",
        "password",
        "passwd",
        "pwd",
        "aws_secret_access_key",
        "aws_session_token",
        "x-amz-security-token",
    ] {
        fakes.push(format!("{label} = {hex}"));
        fakes.push(format!("\"{label}\": \"{hex}\""));
        fakes.push(format!("{}: {hex}", label.to_uppercase()));
    }
    assert!(fakes.len() >= 60, "enough kinds: {}", fakes.len());
    let mut refused = 0;
    for fake in &fakes {
        let why = save(&repo, &format!("## Next Steps\n1. go on\n\n## Notes\n{fake}\n"), &[]);
        let why = why.expect_err(&format!("refused: {}", &fake[..fake.len().min(16)]));
        assert!(why.contains("line 5: "), "the line and the kind: {why}");
        let value = fake.rsplit([' ', '"', '_', '-']).find(|part| part.len() > 8).unwrap_or(body);
        assert!(!why.contains(value), "and never the value");
        refused += 1;
    }
    assert!(everything(repo.dir()).is_empty(), "nothing of them is written anywhere");
    assert!(everything(&repo.beside("home/.claude")).is_empty(), "also not in the home directory");
    let mut through = 0;
    for line in &innocent {
        let saved = save(&repo, &format!("## Next Steps\n1. go on\n\n## Notes\n{line}\n"), &["--dry-run"]);
        let (answer, _) = saved.unwrap_or_else(|why| panic!("{line} is no secret: {why}"));
        through += usize::from(answer == Answer::Yes);
    }
    assert_eq!((refused, through), (fakes.len(), innocent.len()), "all of both");
    println!(
        "{refused} of {} fakes refused, {through} of {} innocent texts let through",
        fakes.len(),
        innocent.len()
    );
    assert!(try_git(repo.dir(), &["status"]).is_err(), "there is no repository that could have helped");
}
