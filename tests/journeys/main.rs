//! What becomes of saved handoffs when the repository goes on without them: each journey on a real repository, saved
//! by moorline itself where it can, then told by the command line, by its document and by the screen.

#[path = "../common/desk.rs"]
mod desk;
#[path = "../common/git.rs"]
mod git;

mod answers;
mod branches;
mod clones;
mod files;
mod names;
mod nowhere;
mod times;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use desk::Desk;
use git::TestRepo;
use moorline::check::Outcome;
use serde_json::Value;

const PLAN: &str = "plans/260914-tides/HANDOFF.md";
const NOTE: &str = "HANDOFF.md";
const THUNDERKIT: &str = ".thunderkit/HANDOFF.md";
const RECORD: &str = ".memtomem/memories.local/2026-11-03--shared-project.md";
const RECORD_ID: &str = "92ef12ae-08d4-4030-ab76-9586bb0c3a34";

/// A repository on branch `feat/tides` with a handoff of every family in it, all of them true and committed.
fn saved() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("src/solver.rs", "fn solve() { /* long enough to be told again after a move */ }\n", "Solve");
    repo.commit("plans/260914-tides/plan.md", "# Tides\n", "Plan");
    let origin = repo.beside("origin.git").display().to_string();
    git::git(&repo.dir().join(".."), &["init", "-q", "--bare", "-b", "main", "origin.git"]);
    repo.git(&["remote", "add", "origin", &origin]);
    repo.git(&["push", "-q", "-u", "origin", "main"]);
    repo.git(&["switch", "-q", "-c", "feat/tides"]);
    let head =
        repo.commit("src/tides.rs", "fn tides() { /* the harmonic constants of a station */ }\n", "Begin");
    repo.write(NOTE, &note(&head));
    repo.write(RECORD, &record(&repo, &head));
    let words = r#"{"task": "Tides", "completed": ["Read the stations in `src/tides.rs`"],
        "next": ["Finish the constants in `src/solver.rs`"]}"#;
    save(&repo, &[], words);
    save(&repo, &["--project"], words);
    save(&repo, &["--format", "thunderkit"], r#"{"phase": "9 Execute", "next": "Finish the constants"}"#);
    at_one_moment(&repo);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "Hand off"]);
    let told = told(&repo, repo.dir());
    for (place, verdict) in
        [(PLAN, "current"), (NOTE, "current"), (RECORD, "current"), (&dated(&repo), "current")]
    {
        assert_eq!(told[place].verdict, verdict, "at first all of {place} is true: {:?}", told[place]);
    }
    repo
}

/// Gives both handoffs of the plan one time: a second later the one would stand for the plan in the other's place.
fn at_one_moment(repo: &TestRepo) {
    let read = |name: &str| std::fs::read_to_string(repo.dir().join(name)).expect("read");
    let times = |text: &str| -> Vec<String> {
        let is_time = |line: &&str| line.starts_with("# Handoff") || line.starts_with("Generated at:");
        text.lines().filter(is_time).map(str::to_owned).collect()
    };
    let (plan, dated) = (read(PLAN), dated(repo));
    let mut text = read(&dated);
    for (own, other) in times(&text.clone()).iter().zip(times(&plan)) {
        text = text.replace(own.as_str(), &other);
    }
    repo.write(&dated, &text);
}

fn note(head: &str) -> String {
    format!(
        "# Where we are\n\n**Branch:** feat/tides\n**Commit:** {head}\n\nDone: `src/tides.rs`, on branch `feat/tides`.\n\n\
         ## Next steps\n1. Finish `src/solver.rs`\n"
    )
}

fn record(repo: &TestRepo, head: &str) -> String {
    format!(
        "## Handoff {RECORD_ID}\n\n> created: 2026-11-03T07:51:20+00:00\n> tags: [\"handoff\", \"from-claude-code\", \
         \"to-any\", \"handoff-to-any\", \"handoff-id-{RECORD_ID}\"]\n\n```text\nhandoff_id: {RECORD_ID}\n\
         from_runtime: claude-code\nto_runtime: any\nproject_root: {}\nobjective: tables of the tides\n\
         completed: the stations are read\nchanged_files: src/tides.rs\nartifacts: none\ngit_head: {head}\n\
         worktree_state: clean\nvalidation: 41 passed\nblockers: none\nnext_action: finish the constants\n```\n",
        repo.dir().display()
    )
}

fn save(repo: &TestRepo, args: &[&str], words: &str) {
    let mut child = command(repo, repo.dir())
        .args(["save", "--from", "-"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("moorline runs");
    child.stdin.take().expect("it reads").write_all(words.as_bytes()).expect("it takes the words");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{args:?} is saved: {}", String::from_utf8_lossy(&output.stdout));
}

/// The dated handoff that the save named itself, relative to the project.
fn dated(repo: &TestRepo) -> String {
    let place = repo.dir().join(".claude/handoffs");
    let entry = std::fs::read_dir(place).expect("the save made it").next().expect("one").expect("an entry");
    format!(".claude/handoffs/{}", entry.file_name().display())
}

fn command(repo: &TestRepo, dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").expect("there is a PATH"))
        .env("HOME", repo.beside("home"))
        .current_dir(dir);
    command
}

fn moorline(repo: &TestRepo, dir: &Path, args: &[&str]) -> Output {
    command(repo, dir).args(args).output().expect("moorline runs")
}

/// What is said of one handoff.
#[derive(Debug)]
struct Told {
    verdict: String,
    reason: String,
    /// Outcome and reason of each check.
    checks: BTreeMap<String, (String, String)>,
}

impl Told {
    fn check(&self, id: &str) -> (&str, &str) {
        let (outcome, reason) = self.checks.get(id).unwrap_or_else(|| panic!("{id} in {self:?}"));
        (outcome, reason)
    }
}

/// What `check --json` says of every handoff, by its path in the directory; others by their whole path.
fn told(repo: &TestRepo, dir: &Path) -> BTreeMap<String, Told> {
    let output = moorline(repo, dir, &["check", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let handoffs = document["handoffs"].as_array().expect("a list");
    let all = handoffs.iter().map(|handoff| {
        let path = text(&handoff["path"]);
        let place = path.strip_prefix(&format!("{}/", dir.display())).unwrap_or(&path).to_owned();
        let checks = handoff["checks"].as_array().expect("a list").iter();
        let checks =
            checks.map(|check| (text(&check["id"]), (text(&check["outcome"]), text(&check["reason"]))));
        let told = Told {
            verdict: text(&handoff["verdict"]),
            reason: text(&handoff["reason"]),
            checks: checks.collect(),
        };
        (place, told)
    });
    all.collect()
}

/// The words of `check` about one handoff, and its exit code.
fn words(repo: &TestRepo, dir: &Path, name: &str) -> (String, Option<i32>) {
    let output = moorline(repo, dir, &["check", name]);
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

/// The block of one handoff.
fn block(repo: &TestRepo, dir: &Path, name: &str) -> String {
    String::from_utf8_lossy(&moorline(repo, dir, &["context", name]).stdout).into_owned()
}

/// The screen on a directory, with each of these handoffs selected and judged: it must show all of these texts.
fn seen(dir: &Path, names: &[&str], texts: &[&str]) {
    let mut desk = Desk::open(dir);
    for name in names {
        desk.keys("g");
        for _ in 0..desk.state().list.rows().len() {
            if desk.selected() != Some(dir.join(name)) {
                desk.keys("j");
            }
        }
        assert_eq!(desk.selected(), Some(dir.join(name)), "{name} can be selected:\n{}", desk.screen());
        desk.until("the verdict", |desk| desk.state().report().is_some());
        let mut screen = desk.screen();
        desk.keys(if desk.state().selected_lane().is_some() { "<tab><tab><tab>" } else { "<tab><tab>" });
        // Each check that did not pass, opened: its whole reason is there.
        let has_passed: Vec<bool> =
            desk.state().checks().iter().map(|check| check.outcome == Outcome::Passed).collect();
        for has_passed in has_passed {
            if !has_passed {
                screen.push_str(&desk.keys("<enter>").screen());
                desk.keys("<esc>");
            }
            desk.keys("<down>");
        }
        screen.push_str(&desk.keys("<tab>").screen());
        let flat = screen.replace('│', " ");
        let flat = flat.split_whitespace().collect::<Vec<_>>().join(" ");
        for text in texts {
            assert!(flat.contains(text), "{name}: {text:?} is on the screen:\n{screen}");
        }
        desk.keys("<esc><esc>");
    }
}

/// One reason, told alike of each of these handoffs by the document, the words, the block and the screen.
fn told_alike(repo: &TestRepo, dir: &Path, names: &[&str], verdict: &str, reasons: &[&str]) {
    let documents = told(repo, dir);
    for name in names {
        let document = &documents[*name];
        assert_eq!(document.verdict, verdict, "{name}: {document:?}");
        let (said, code) = words(repo, dir, name);
        let expected = match verdict {
            "current" => Some(0),
            "unverifiable" => Some(3),
            _ => Some(1),
        };
        assert_eq!(code, expected, "{name}: the exit code of {verdict}: {said}");
        let block = block(repo, dir, name);
        let first = format!("[Handoff loaded: {}]\n", dir.join(name).display());
        assert!(block.starts_with(&first), "{name}: {block}");
        for reason in reasons {
            let is_it = |(_, why): &(String, String)| why.contains(reason);
            assert!(document.checks.values().any(is_it), "{name}: {reason:?} in the document: {document:?}");
            assert!(said.contains(reason), "{name}: {reason:?} in the words: {said}");
            assert!(block.contains(reason), "{name}: {reason:?} in the block: {block}");
        }
    }
    let mark = match verdict {
        "current" => "✓",
        "unverifiable" => "?",
        _ => "≠",
    };
    seen(dir, names, &[&[mark], reasons].concat());
}
