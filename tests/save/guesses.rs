//! Plans of one age: which of them is meant nobody can tell, and nothing is written down that nobody knows.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::git::TestRepo;
use crate::verb::{json, save};

const WORDS: &str = r#"{"task": "Rotate tokens", "next": ["Test the store"]}"#;

/// A repository with two plans; `db-schema` is so many hours older.
fn two_plans(older: u64) -> TestRepo {
    let repo = TestRepo::new();
    let now = SystemTime::now();
    for (plan, hours) in [("plans/261120-auth", 1), ("plans/261125-db-schema", 1 + older)] {
        repo.commit(&format!("{plan}/plan.md"), "# Plan\n", plan);
        for path in [format!("{plan}/plan.md"), plan.to_owned()] {
            let file = fs::File::open(repo.dir().join(path)).expect("opened");
            file.set_modified(now - Duration::from_secs(hours * 3_600)).expect("its time can be set");
        }
    }
    repo
}

/// Where it would be saved, why, and the text.
fn shown(repo: &TestRepo, args: &[&str]) -> (String, String, String) {
    let (_, text) = save(repo, WORDS, &[&["--dry-run", "--json"], args].concat()).expect("shown");
    let shown = json(&text);
    let word = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    (word(&shown["path"]), word(&shown["why"]), word(&shown["documents"][0]))
}

#[test]
fn a_guessed_plan_is_written_down_nowhere_but_beside_it() {
    let (tied, clear) = (two_plans(0), two_plans(5));
    for flag in ["--project", "--global"] {
        let (path, why, text) = shown(&tied, &[flag]);
        assert!(path.ends_with("/261005-rotate-tokens.md"), "{flag}: named for its task: {path}");
        assert!(why.starts_with("asked for"), "{flag}: {why}");
        assert!(
            !text.contains("Active Plan") && !text.contains("- Path: "),
            "{flag}: no plan is in it: {text}"
        );
        assert!(text.contains("Test the store"), "{flag}: but what was said is: {text}");
        let (path, _, text) = shown(&clear, &[flag]);
        assert!(
            path.ends_with("/261005-auth.md"),
            "{flag}, a control: a plan that is known names it: {path}"
        );
        assert!(
            text.contains("- Path: ") && text.contains("plans/261120-auth"),
            "{flag}: and is in it: {text}"
        );
    }
    let (path, why, text) = shown(&tied, &[]);
    assert!(path.ends_with("plans/261125-db-schema/HANDOFF.md"), "the place is a guess: {path}");
    assert!(why.starts_with("a guess: 1 more plan"), "which is said: {why}");
    assert!(text.contains("- Chosen by: a guess"), "and written down as one: {text}");
    for (repo, args) in [(&clear, &[][..]), (&tied, &["--plan", "auth"])] {
        let (path, why, text) = shown(repo, args);
        assert!(path.ends_with("plans/261120-auth/HANDOFF.md"), "a control: {path}");
        assert!(!why.contains("guess") && !text.contains("guess"), "nothing is guessed there: {why}: {text}");
        assert!(text.contains("- Path: plans/261120-auth\n"), "{text}");
    }
}

#[test]
fn of_plans_that_tie_the_one_that_the_branch_is_named_for_is_meant() {
    let repo = two_plans(0);
    repo.git(&["switch", "-q", "-c", "feat/auth"]);
    let (path, why, text) = shown(&repo, &[]);
    assert!(path.ends_with("plans/261120-auth/HANDOFF.md"), "that one: {path}");
    assert!(why.contains("the branch is named for") && !text.contains("guess"), "with the reason: {why}");
    let (path, _, text) = shown(&repo, &["--project"]);
    assert!(path.ends_with("/261005-auth.md") && text.contains("plans/261120-auth"), "it is known: {path}");
    repo.git(&["switch", "-q", "-c", "feat/authors"]);
    let (_, why, _) = shown(&repo, &[]);
    assert!(why.starts_with("a guess"), "the control: half a name is none: {why}");
    let clear = two_plans(5);
    clear.git(&["switch", "-q", "-c", "db-schema"]);
    let (path, why, _) = shown(&clear, &[]);
    assert!(
        path.ends_with("261120-auth/HANDOFF.md"),
        "where none ties the last one is active: {path}, {why}"
    );
}

#[test]
fn a_location_says_from_where_it_is_told() {
    let repo = two_plans(5);
    let line = |args: &[&str]| {
        let (.., text) = shown(&repo, args);
        text.lines().find(|line| line.starts_with("Location: ")).expect("it has one").to_owned()
    };
    assert_eq!(
        line(&["--global"]),
        "Location: ~/.claude/handoffs/261005-auth.md",
        "below the home directory"
    );
    assert_eq!(
        line(&["--project"]),
        "Location: .claude/handoffs/261005-auth.md",
        "a control: in the project"
    );
}
