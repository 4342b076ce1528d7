//! Where a save goes when several could be meant, and when others go there too.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::git::TestRepo;
use crate::verb::{json, run, save};

/// A repository with two plans, `auth` modified an hour before `db`.
fn two_plans() -> TestRepo {
    let repo = TestRepo::new();
    for (plan, hours) in [("plans/260901-auth", 3), ("plans/260902-db", 2)] {
        repo.commit(&format!("{plan}/plan.md"), "# Plan\n", plan);
        let at = SystemTime::now() - Duration::from_secs(hours * 3_600);
        for path in [format!("{plan}/plan.md"), plan.to_owned()] {
            let file = fs::File::open(repo.dir().join(path)).expect("opened");
            file.set_modified(at).expect("its time can be set");
        }
    }
    repo
}

const WORDS: &str = r#"{"task": "Rotate", "next": "Count them"}"#;

#[test]
fn the_plan_or_the_project_can_be_said() {
    let repo = two_plans();
    let place = |args: &[&str]| {
        let (_, text) = save(&repo, WORDS, &[&["--dry-run", "--json"], args].concat()).expect("shown");
        let shown = json(&text);
        let path = shown["path"].as_str().expect("a path").to_owned();
        let inside = Path::new(&path).strip_prefix(repo.dir()).expect("inside").to_path_buf();
        (inside.to_str().expect("text").to_owned(), shown["why"].as_str().expect("a reason").to_owned())
    };
    let (path, why) = place(&[]);
    assert_eq!(path, "plans/260902-db/HANDOFF.md", "the one modified last, where nobody says otherwise");
    assert!(why.contains("modified last"), "with the reason: {why}");
    for name in ["auth", "AUTH", "260901", "plans/260901-auth", "plans/260901-auth/"] {
        let (path, why) = place(&["--plan", name]);
        assert_eq!(path, "plans/260901-auth/HANDOFF.md", "{name} is that plan");
        assert_eq!(why, "the plan that was asked for", "and so it says");
    }
    let (path, why) = place(&["--project"]);
    assert!(path.starts_with(".claude/handoffs/") && why.contains("asked for"), "or no plan: {path} {why}");
    for (args, word) in [
        (vec!["--plan", "2609"], "could mean 260902-db, 260901-auth"),
        (vec!["--plan", "nothing"], "there are: 260902-db, 260901-auth"),
        (vec!["--plan", ""], "no plan is called"),
        (vec!["--plan", "auth", "--format", "thunderkit"], "one place: leave --plan out"),
    ] {
        let why = save(&repo, WORDS, &args).expect_err("refused");
        assert!(why.contains(word), "{args:?}: {why}");
    }
    save(&repo, WORDS, &["--plan", "auth"]).expect("saved");
    assert!(repo.dir().join("plans/260901-auth/HANDOFF.md").is_file(), "there it lies");
    assert!(!repo.dir().join("plans/260902-db/HANDOFF.md").exists(), "and not in the other one");
}

#[test]
fn a_plan_that_is_none_is_told_by_what_would_make_it_one() {
    let repo = TestRepo::new();
    repo.commit("plans/2026-11-parser/HANDOFF.md", "# Parser\n\n## Next\n1. Read\n", "Begin");
    let refused = || save(&repo, WORDS, &["--plan", "parser", "--dry-run"]).expect_err("refused");
    let folder = repo.dir().join("plans");
    for part in ["parser", folder.to_str().expect("text"), "plan.md, which would make it a plan"] {
        assert!(refused().contains(part), "it names {part}: {}", refused());
    }
    repo.write("plans/2026-11-parser/plan.md", "# Plan\n");
    save(&repo, WORDS, &["--plan", "parser", "--dry-run"]).expect("the control: with a plan.md it is one");
}

#[test]
fn first_saves_of_one_name_at_once_are_a_file_each() {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    let home = repo.beside("home");
    let steps: Vec<String> = (0..8).map(|number| format!("step {number} of eight")).collect();
    let said: Vec<_> = std::thread::scope(|scope| {
        let start = |(number, step): (usize, &String)| {
            let words = repo.beside(&format!("narrative-{number}"));
            fs::write(&words, serde_json::json!({ "task": "Rotate", "next": step }).to_string())
                .expect("written");
            let (dir, home) = (repo.dir(), &home);
            scope.spawn(move || run(dir, home, &[], &["--from", words.to_str().expect("text")]))
        };
        let savers: Vec<_> = steps.iter().enumerate().map(start).collect();
        savers.into_iter().map(|saver| saver.join().expect("it ends")).collect()
    });
    let said: Vec<String> = said.into_iter().map(|said| said.expect("every one is saved").1).collect();
    let names: BTreeSet<_> = said.iter().filter_map(|said| said.lines().next()).collect();
    assert_eq!(names.len(), 8, "each under a name of its own: {names:?}");
    let files = fs::read_dir(repo.dir().join(".claude/handoffs")).expect("made");
    let texts: Vec<_> =
        files.map(|file| fs::read_to_string(file.expect("an entry").path()).expect("read")).collect();
    for step in &steps {
        assert_eq!(texts.iter().filter(|text| text.contains(step)).count(), 1, "{step} is in one file");
    }
    assert!(said.iter().any(|said| said.contains("-rotate-8.md")), "numbered one after the other: {said:?}");
}

#[test]
fn what_lies_there_besides_a_plain_file_is_said_before_the_yes() {
    let repo = two_plans();
    let file = repo.dir().join("plans/260902-db/HANDOFF.md");
    fs::write(&file, "old\n").expect("written");
    let remarks = |args: &[&str]| {
        let (_, text) = save(&repo, WORDS, &[&["--json"], args].concat()).expect("shown");
        json(&text)["remarks"].as_array().expect("a list").clone()
    };
    assert!(remarks(&["--dry-run"]).is_empty(), "a plain file needs no word");
    fs::hard_link(&file, repo.dir().join("twin.md")).expect("linked");
    let said = remarks(&["--dry-run"])[0].as_str().expect("a sentence").to_owned();
    assert!(said.starts_with("1 other name of the same file (hard links) keeps its old bytes"), "{said}");
    remarks(&[]);
    assert_eq!(fs::read_to_string(repo.dir().join("twin.md")).expect("there"), "old\n", "and so it is");
    let real = repo.dir().join("real.md");
    fs::rename(&file, &real).expect("moved");
    std::os::unix::fs::symlink("../../real.md", &file).expect("linked");
    let said = remarks(&["--dry-run"])[0].as_str().expect("a sentence").to_owned();
    assert!(said.contains("a link leads there") && said.contains("real.md is written"), "{said}");
}

#[test]
fn a_dry_run_says_what_the_save_would_put_away_and_the_save_does_that() {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    for day in ["01", "02"] {
        let text = format!(
            "# Handoff — 2026-07-{day} 10:00\nGenerated by: moorline save\n\
             Generated at: 2026-07-{day}T10:00:00Z\n\n## Next Steps\n1. x\n"
        );
        repo.write(&format!(".claude/handoffs/2607{day}-rotate.md"), &text);
    }
    let (_, text) = save(&repo, WORDS, &["--dry-run"]).expect("shown");
    let folder = repo.dir().join(".claude/handoffs");
    let line = format!("Would archive 2 handoffs older than 30 days → {}/archive/", folder.display());
    assert!(text.contains(&line), "also the one that only the new one makes old: {text}");
    assert!(!folder.join("archive").exists(), "nothing is moved by a dry run");
    let (_, text) = save(&repo, WORDS, &["--dry-run", "--json"]).expect("shown");
    let foreseen = json(&text)["archived"].clone();
    let (_, text) = save(&repo, WORDS, &["--json"]).expect("saved");
    assert_eq!(json(&text)["archived"], foreseen, "and the save puts exactly these away");
    let (_, text) = save(&repo, WORDS, &["--dry-run"]).expect("shown");
    assert!(!text.contains("Would archive"), "then there is nothing more to put away: {text}");
}

#[test]
fn a_dry_run_says_which_links_of_a_longer_handoff_would_go() {
    let repo = two_plans();
    let long = format!("## Session Notes\n{}", "a line that is one of very many\n".repeat(2_000));
    save(&repo, &long, &[]).expect("saved");
    let (_, text) = save(&repo, WORDS, &["--dry-run"]).expect("shown");
    assert!(text.contains("Would trash 2 files of the former chain"), "{text}");
    let (_, text) = save(&repo, WORDS, &[]).expect("saved");
    assert!(text.contains("Trashed 2 files of the former chain"), "{text}");
}
