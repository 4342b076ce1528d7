//! Journeys of a save: what was said and what was captured, in a file that its own reader reads back.

use std::fs;
use std::path::Path;

use moorline::cli::Answer;
use moorline::handoff::{Family, Habit, Handoff, Inert, Source};

use crate::git::TestRepo;
use crate::verb::{NOW, everything, save};

fn read(path: &Path) -> Handoff {
    let bytes = fs::read(path).expect("the file is there");
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let source = Source { bytes: &bytes, name: &name, habit: Habit::Other, cut_from: None };
    moorline::handoff::read(&source).remove(0)
}

fn raw(texts: &[Inert]) -> Vec<&str> {
    texts.iter().map(Inert::raw).collect()
}

const SAID: &str = r#"{"task": "Rotate tokens!", "phase": "2 of 3", "status": "in_progress",
  "completed": ["Graft the trees"], "in_progress": ["Water them"], "blocked": [],
  "decisions": ["Keep retries at 3"], "blockers": [], "next": ["Count them", "Then\nsell # some"],
  "notes": ["A note"]}"#;

#[test]
fn what_was_said_and_what_is_true_come_back_out_of_the_file() {
    let repo = TestRepo::new();
    let head = repo.commit("README.md", "x\n", "Begin");
    repo.write("work.txt", "new\n");
    let (answer, said) = save(&repo, SAID, &[]).expect("saved");
    let path = repo.dir().join(".claude/handoffs/261005-rotate-tokens.md");
    assert_eq!(answer, Answer::Yes);
    let first = format!("saved to {} (project)", path.display());
    assert_eq!(said.lines().next(), Some(first.as_str()), "where it was saved, absolutely");
    let handoff = read(&path);
    assert_eq!(handoff.family, Family::Theonekit, "its own reader knows it");
    assert_eq!(handoff.branch.as_ref().map(|name| name.as_str()), Some("main"), "the branch");
    assert_eq!(handoff.commit.as_ref().map(|id| id.as_str()), Some(head.as_str()), "the full commit");
    assert_eq!(handoff.phase.as_ref().map(Inert::raw), Some("2 of 3"), "the phase");
    assert_eq!(raw(&handoff.decisions), ["Keep retries at 3"], "the decision");
    assert!(handoff.blockers.is_empty(), "a none is nothing: {:?}", handoff.blockers);
    assert_eq!(handoff.next_actions.len(), 2, "both steps: {:?}", handoff.next_actions);
    let saved_at = handoff.saved_at.as_ref().expect("a time");
    assert_eq!(saved_at.moment.order_key(0), NOW, "the very second, with its zone");
    let text = fs::read_to_string(&path).expect("read");
    assert!(text.contains("Location: .claude/handoffs/261005-rotate-tokens.md\n"), "where it lies: {text}");
    assert!(text.contains("- Dirty files: 1\n  - `?? work.txt`\n"), "what is not committed: {text}");
    let (_, again) = save(&repo, SAID, &[]).expect("saved");
    assert!(again.contains("261005-rotate-tokens-2.md"), "another task never takes a taken name: {again}");
}

#[test]
fn the_active_plan_has_one_handoff_whose_old_bytes_can_be_had_back() {
    let repo = TestRepo::new();
    repo.commit("plans/260901-auth/plan.md", "# Plan\n", "Plan");
    let path = repo.dir().join("plans/260901-auth/HANDOFF.md");
    let (_, first) = save(&repo, SAID, &[]).expect("saved");
    assert!(first.contains("(plan)") && first.contains("the active plan"), "where and why: {first}");
    let old = fs::read(&path).expect("there");
    let (_, second) = save(&repo, r#"{"next": "Something else"}"#, &[]).expect("saved");
    let kept = repo.beside("home").join(".claude/.handoff-trash/HANDOFF.md");
    assert!(second.contains(&format!("kept in {}", kept.display())), "it says where: {second}");
    assert_eq!(fs::read(&kept).expect("kept"), old, "the old bytes lie in the trash");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "Hand off"]);
    let (_, third) = save(&repo, r#"{"next": "A third thing"}"#, &[]).expect("saved");
    assert!(third.contains("the replaced bytes are in HEAD"), "committed bytes need no copy: {third}");
}

#[test]
fn a_secret_is_refused_by_line_and_kind_and_never_shown() {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    let before = everything(repo.dir());
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let narrative = format!("{{\"next\": \"go on\",\n\"notes\": \"use {secret}\"}}");
    let why = save(&repo, &narrative, &[]).expect_err("a secret must not be saved");
    assert!(why.contains("line 2: GitHub token"), "the line and the kind: {why}");
    assert!(!why.contains(&secret), "not the value");
    assert_eq!(everything(repo.dir()), before, "nothing was written");
    save(&repo, &narrative.replace(&secret, "the token"), &[]).expect("without it the same is saved");
}

#[test]
fn a_dry_run_writes_nothing_and_shows_everything() {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    let (before, home) = (everything(repo.dir()), repo.beside("home"));
    let (_, text) = save(&repo, SAID, &["--dry-run"]).expect("shown");
    assert!(text.starts_with("would save to ") && text.contains("Graft the trees"), "all of it: {text}");
    let (_, json) = save(&repo, SAID, &["--dry-run", "--json"]).expect("shown");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["saved"], &json["schema"]), (&false.into(), &"moorline.save/1".into()));
    assert_eq!(json["captured"]["branch"]["value"], "main", "facts with their values");
    assert_eq!(json["captured"]["branch"]["source"], "HEAD", "and their sources");
    assert_eq!(everything(repo.dir()), before, "the project is as it was");
    assert!(everything(&home).is_empty(), "and so is the home directory");
}

#[test]
fn without_a_repository_it_goes_home_and_guesses_nothing() {
    let place = TestRepo::plain_directory();
    let (_, said) = save(&place, SAID, &[]).expect("saved");
    assert!(said.contains("(global)") && said.contains("outside any project"), "where and why: {said}");
    let handoff = read(&place.beside("home").join(".claude/handoffs/261005-rotate-tokens.md"));
    assert_eq!((handoff.branch, handoff.commit), (None, None), "no repository, no branch and no commit");
}

#[test]
fn a_long_one_becomes_a_chain_in_which_nothing_is_lost() {
    let repo = TestRepo::new();
    repo.commit("plans/260901-auth/plan.md", "# Plan\n", "Plan");
    repo.write("plans/260901-auth/HANDOFF-2.md", "somebody's own\n");
    let lines: Vec<String> =
        (0..900).map(|n| format!("line {n:04} of a text that is far too long for one file")).collect();
    let narrative = format!("## Session Notes\n{}\n\n## Next Steps\n1. Read on\n", lines.join("\n"));
    let (_, json) = save(&repo, &narrative, &["--json"]).expect("saved");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let chain: Vec<_> =
        json["chain"].as_array().expect("a list").iter().map(|p| p.as_str().expect("a path")).collect();
    assert!(chain.len() >= 2 && chain[0].ends_with("HANDOFF-3.md"), "a taken name is left alone: {chain:?}");
    let first = repo.dir().join("plans/260901-auth/HANDOFF.md");
    assert!(fs::metadata(&first).expect("there").len() <= 16 * 1024, "the head is short");
    let mut whole = fs::read_to_string(&first).expect("read");
    let mut next = read(&first).continuation;
    for link in &chain {
        let name = Path::new(link).file_name().expect("a name").to_string_lossy().into_owned();
        assert_eq!(next.as_ref().map(Inert::raw), Some(name.as_str()), "each file names the next");
        assert!(fs::metadata(link).expect("there").len() <= 32_768, "and is under the cap");
        next = read(Path::new(link)).continuation;
        whole.push_str(&fs::read_to_string(link).expect("read"));
    }
    assert_eq!(next, None, "the last one names none");
    let kept: Vec<_> = whole.lines().filter(|line| line.starts_with("line ")).collect();
    assert_eq!(kept, lines, "every line is there, once and in order");
    assert_eq!(
        fs::read_to_string(repo.dir().join("plans/260901-auth/HANDOFF-2.md")).expect("there"),
        "somebody's own\n",
        "nobody's file was taken"
    );
}
