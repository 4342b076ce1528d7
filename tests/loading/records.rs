//! memtomem's records: which one is loaded, and which stops.

use crate::git::TestRepo;
use crate::{err, moorline, moorline_with, out, project};

const DAY: &str = ".memtomem/memories.local/2026-11-03--shared-project.md";
const ONE: &str = "92ef12ae-08d4-4030-ab76-9586bb0c3a34";
const TWO: &str = "92ef5b1d-7a51-4a3c-9d0e-2b7c1c0f8e55";

/// One entry of a day file, true in this repository.
fn entry(repo: &TestRepo, id: &str, to: &str, minute: u32) -> String {
    let (root, head) = (repo.dir().display(), repo.git(&["rev-parse", "HEAD"]));
    format!(
        "## Handoff {id}\n\n> created: 2026-11-03T07:{minute:02}:20+00:00\n> tags: [\"handoff\", \"from-claude-code\", \
         \"to-{to}\", \"handoff-to-{to}\", \"handoff-id-{id}\"]\n\n```text\nhandoff_id: {id}\nfrom_runtime: claude-code\n\
         to_runtime: {to}\nproject_root: {root}\nobjective: tides\ncompleted: stations\nchanged_files: src/solver.rs\n\
         artifacts: none\ngit_head: {head}\nworktree_state: clean\nvalidation: 41 passed\nblockers: none\n\
         next_action: step of {id}\n```\n\n"
    )
}

fn is_loaded(output: &std::process::Output, id: &str) {
    assert_eq!(output.status.code(), Some(0), "{}", err(output));
    assert!(out(output).contains(&format!("Next step: step of {id}")), "{}", out(output));
}

/// It stopped, printed nothing, and said so.
fn stopped(output: &std::process::Output, code: i32, why: &str) {
    assert_eq!((output.status.code(), out(output).as_str()), (Some(code), ""), "{why}: {}", err(output));
    assert!(err(output).contains(why), "{why:?}: {}", err(output));
}

#[test]
fn a_record_is_named_by_its_whole_id_or_its_row() {
    let repo = project();
    repo.write(DAY, &[entry(&repo, ONE, "any", 1), entry(&repo, TWO, "any", 2)].concat());
    is_loaded(&moorline(&repo, &["context", ONE]), ONE);
    is_loaded(&moorline(&repo, &["context"]), TWO);
    stopped(
        &moorline(&repo, &["context", &ONE[..8]]),
        2,
        &format!("selects the record {ONE}; to load it, say its whole id"),
    );
    stopped(&moorline(&repo, &["context", &format!("{DAY}#{}", &ONE[..8])]), 2, "say its whole id");
    stopped(&moorline(&repo, &["context", "92ef"]), 2, "several");
    stopped(&moorline(&repo, &["context", DAY]), 2, "holds 2 records");
    let list: serde_json::Value =
        serde_json::from_slice(&moorline(&repo, &["list", "--json"]).stdout).expect("JSON");
    let rows = list["handoffs"].as_array().expect("rows");
    let row = rows.iter().find(|row| row["record_id"] == ONE).expect("it is listed");
    is_loaded(&moorline(&repo, &["context", row["id"].as_str().expect("an id")]), ONE);
    assert_eq!(
        moorline(&repo, &["show", &ONE[..8]]).status.code(),
        Some(0),
        "a beginning selects a row to read"
    );
    repo.write(DAY, &entry(&repo, ONE, "any", 1));
    is_loaded(&moorline(&repo, &["context", DAY]), ONE);
}

#[test]
fn only_the_addressed_runtime_loads_it_and_who_asks_is_told_by_flag_or_environment() {
    let repo = project();
    repo.write(DAY, &[entry(&repo, ONE, "codex-cli", 1), entry(&repo, TWO, "claude-code", 2)].concat());
    is_loaded(&moorline(&repo, &["context", "--runtime", "codex"]), ONE);
    is_loaded(&moorline(&repo, &["context", "--runtime", "claude"]), TWO);
    is_loaded(&moorline_with(&repo, &[("CLAUDECODE", "1")], &["context"]), TWO);
    is_loaded(&moorline_with(&repo, &[("CODEX_THREAD_ID", "x")], &["context"]), ONE);
    is_loaded(&moorline_with(&repo, &[("CLAUDECODE", "1")], &["context", "--runtime", "codex-cli"]), ONE);
    stopped(
        &moorline(&repo, &["context", TWO, "--runtime", "codex-cli"]),
        1,
        "is addressed to claude-code; this is codex-cli",
    );
    stopped(&moorline(&repo, &["restore", TWO, "--runtime", "codex-cli"]), 1, "is addressed to claude-code");
    stopped(
        &moorline_with(&repo, &[("CODEX_THREAD_ID", "x")], &["resume", TWO]),
        1,
        "is addressed to claude-code",
    );
    stopped(
        &moorline(&repo, &["context", "--runtime", "kimi"]),
        1,
        "no memtomem record here is addressed to that runtime",
    );
    stopped(&moorline(&repo, &["context", "--runtime", "emacs"]), 2, "is no known runtime");
    stopped(&moorline(&repo, &["context"]), 1, "no handoff for you here");
    let read = moorline(&repo, &["context", ONE]);
    is_loaded(&read, ONE);
    assert!(
        out(&read)
            .contains("- record: not known: recipient not checked: say which runtime this is with --runtime"),
        "who does not say who asks may read it, and is told: {}",
        out(&read)
    );
    let check = |runtime: &[&str]| {
        let output = moorline(&repo, &[&["check", ONE], runtime].concat());
        (output.status.code(), out(&output))
    };
    assert_eq!(check(&["--runtime", "codex"]).0, Some(0), "checked for the one it is for");
    assert_eq!(check(&["--runtime", "kimi"]).0, Some(1), "and for another");
    assert_eq!(check(&[]).0, Some(3), "and for nobody");
}

#[test]
fn a_torn_or_mismatched_record_stops_with_its_line_and_no_other_is_taken() {
    let repo = project();
    let good = entry(&repo, ONE, "any", 1);
    let newer = entry(&repo, TWO, "any", 2);
    let first_line = good.lines().count() + 1;
    let other = "aaaaaaaa-08d4-4030-ab76-9586bb0c3a34";
    let tears: [(&str, String, usize, &str); 9] = [
        (
            "a field twice",
            newer.replace("blockers: none\n", "blockers: none\nblockers: none\n"),
            19,
            "`blockers` stands there 2 times",
        ),
        ("a field less", newer.replace("validation: 41 passed\n", ""), 19, "`validation` is missing"),
        (
            "no field",
            newer.replace("objective: tides\n", "objective: tides\nhm\n"),
            12,
            "a line that is no field",
        ),
        (
            "out of order",
            newer.replace(
                "objective: tides\ncompleted: stations\n",
                "completed: stations\nobjective: tides\n",
            ),
            12,
            "stands before",
        ),
        ("a second fence", format!("{}\n```text\nx\n```\n", newer.trim_end()), 21, "a second fence"),
        (
            "another id in the record",
            newer.replace(&format!("handoff_id: {TWO}"), &format!("handoff_id: {other}")),
            7,
            "is not the one in the heading",
        ),
        (
            "another id in the tag",
            newer.replace(&format!("handoff-id-{TWO}"), &format!("handoff-id-{other}")),
            4,
            "the id in the tags",
        ),
        ("an id in capitals", newer.replace(TWO, &TWO.to_uppercase()), 1, "names no canonical record id"),
        (
            "a fence that stays open",
            newer.trim_end().trim_end_matches('`').to_owned(),
            6,
            "the fence is never closed",
        ),
    ];
    for (how, torn, line, why) in tears {
        repo.write(DAY, &format!("{good}{torn}"));
        let output = moorline(&repo, &["context"]);
        stopped(&output, 1, why);
        let place = format!("{DAY}, line {}", first_line + line - 1);
        assert!(err(&output).contains(&place), "{how}: {place}: {}", err(&output));
        is_loaded(&moorline(&repo, &["context", ONE]), ONE);
        let check = moorline(&repo, &["check", "--json"]);
        assert_eq!(check.status.code(), Some(1), "{how}: the check says so too");
        let bytes = std::fs::read_to_string(repo.dir().join(DAY)).expect("read");
        assert_eq!(bytes, format!("{good}{torn}"), "{how}: nothing is repaired, moved or consumed");
    }
    repo.write(DAY, &format!("{good}{newer}"));
    is_loaded(&moorline(&repo, &["context"]), TWO);
    let foreign = entry(&repo, TWO, "codex-cli", 2).replace("blockers: none\n", "");
    repo.write(DAY, &format!("{good}{foreign}"));
    is_loaded(&moorline(&repo, &["context", "--runtime", "claude-code"]), ONE);
}

#[test]
fn root_commit_and_worktree_are_compared_anew() {
    let repo = project();
    let text = entry(&repo, ONE, "any", 1);
    let warned = |text: &str, line: &str| {
        repo.write(DAY, text);
        let block = out(&moorline(&repo, &["context", ONE]));
        assert!(block.lines().any(|have| have == line), "{line:?}:\n{block}");
    };
    warned(
        &text.replace(&format!("project_root: {}", repo.dir().display()), "project_root: /usr"),
        "- project-root: the record is about another directory",
    );
    let head = repo.git(&["rev-parse", "HEAD"]);
    warned(&text.replace(&head, &"ab".repeat(20)), "- commit: no such commit in this repository");
    repo.write("src/solver.rs", "fn solve() { todo!() }\n");
    repo.write("notes.txt", "x\n");
    warned(&text, "- dirty-files: the worktree is in another state than when this was written");
    for state in ["2 dirty:  M=1 ??=1; first=src/solver.rs", "2 dirty: ??=1 M=1; first=src/solver.rs"] {
        repo.write(DAY, &text.replace("worktree_state: clean", &format!("worktree_state: {state}")));
        let block = out(&moorline(&repo, &["context", ONE]));
        assert!(!block.contains("dirty-files"), "{state:?} is this state: {block}");
    }
    let check = out(&moorline(&repo, &["check", ONE, "-v"]));
    assert!(check.contains("same files, other spelling"), "and the other spelling is said: {check}");
}
