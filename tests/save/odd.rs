//! Narratives that are odd: what they say comes back, and what is captured beside them as well.

use std::fs;

use moorline::handoff::{Habit, Handoff, Inert, Source};

use crate::git::TestRepo;
use crate::verb::{json, save};

/// The saved handoff as its own reader takes it.
fn saved(repo: &TestRepo, words: &str) -> (Handoff, String) {
    let (_, printed) = save(repo, words, &["--json"]).unwrap_or_else(|why| panic!("{words:?}: {why}"));
    let path = json(&printed)["path"].as_str().expect("a path").to_owned();
    let text = fs::read_to_string(path).expect("there");
    let source = Source { bytes: text.as_bytes(), name: "261005-x.md", habit: Habit::Other, cut_from: None };
    let handoff = moorline::handoff::read(&source).remove(0);
    (handoff, text)
}

fn raw(texts: &[Inert]) -> Vec<&str> {
    texts.iter().map(Inert::raw).collect()
}

#[test]
fn whatever_is_opened_in_a_text_hides_nothing_of_what_follows_it() {
    let repo = TestRepo::new();
    let head = repo.commit("README.md", "x\n", "Remove <!-- a comment");
    repo.write("odd <!-- name.txt", "x\n");
    for text in [
        "```\ncode without an end",
        "~~~~ sh\n```\ncode without an end",
        "  ```rust\nfn f() {}",
        "<!-- a remark without an end",
        "fine <!-- closed --> and <!-- not",
        "`<!--` is how one begins",
        "a > b --> c",
        "<details>\n<summary>what was before</summary>\nold",
    ] {
        let words =
            format!("## Next Steps\n1. Count\n\n## Key Decisions\n- Keep it\n\n## Blockers\n{text}\n");
        let list = serde_json::json!({
            "next": ["Count"], "decisions": ["Keep it"], "blockers": [text], "task": "Grow <!-- it",
            "phase": "2 <!-- of 3",
        });
        for words in [words, list.to_string()] {
            let (handoff, written) = saved(&repo, &words);
            assert_eq!(raw(&handoff.next_actions), ["Count"], "{text:?}: {written}");
            assert_eq!(raw(&handoff.decisions), ["Keep it"], "{text:?}: {written}");
            let commit = handoff.commit.as_ref().map(|id| id.as_str());
            assert_eq!(commit, Some(head.as_str()), "{text:?}: the facts stand: {written}");
            assert_eq!(
                handoff.branch.as_ref().map(|name| name.as_str()),
                Some("main"),
                "{text:?}: {written}"
            );
        }
    }
}

#[test]
fn a_mark_at_the_beginning_and_other_line_ends_change_nothing() {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    for words in [
        "## Next Steps\n1. Count\n2. Sell\n\n## Key Decisions\n- Keep it\n",
        "\u{feff}## Next Steps\n1. Count\n2. Sell\n\n## Key Decisions\n- Keep it\n",
        "## Next Steps\r\n1. Count\r\n2. Sell\r\n\r\n## Key Decisions\r\n- Keep it\r\n",
        "## Next Steps\r1. Count\r2. Sell\r\r## Key Decisions\r- Keep it\r",
        "\u{feff}{\"next\": [\"Count\", \"Sell\"], \"decisions\": [\"Keep it\"]}",
    ] {
        let (handoff, written) = saved(&repo, words);
        assert_eq!(raw(&handoff.next_actions), ["Count", "Sell"], "{words:?}");
        assert_eq!(raw(&handoff.decisions), ["Keep it"], "{words:?}");
        assert!(!written.contains(['\r', '\u{feff}']), "one kind of line end: {written:?}");
    }
    for (words, name) in [("## Next Steps\n1. a\0b\n", "next"), ("{\"notes\": \"a\\u0000b\"}", "notes")] {
        let why = save(&repo, words, &[]).expect_err("no text");
        assert!(why.contains("NUL byte") && why.contains(name), "{why}");
    }
}

#[test]
fn an_error_on_the_way_to_the_place_is_told_and_is_no_absence() {
    let words = r#"{"phase": "9", "next": "x"}"#;
    let thunderkit = ["--format", "thunderkit"];
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    let kit = repo.dir().join(".thunderkit");
    std::os::unix::fs::symlink("nowhere", &kit).expect("linked");
    let why = save(&repo, words, &thunderkit).expect_err("refused");
    assert!(why.contains(".thunderkit: is a link to nothing"), "{why}");
    fs::remove_file(&kit).expect("removed");
    fs::write(&kit, "a file").expect("written");
    let why = save(&repo, words, &thunderkit).expect_err("refused");
    assert!(why.contains(".thunderkit: is no directory"), "{why}");
    fs::remove_file(&kit).expect("removed");
    save(&repo, words, &thunderkit).expect("a positive control");
    fs::write(repo.dir().join(".git/config"), "[core\nbroken").expect("broken");
    let (_, said) = save(&repo, r#"{"next": "x"}"#, &[]).expect("saved all the same");
    assert!(said.contains("(project)") && said.contains("whose repository cannot be read"), "{said}");
}

#[test]
fn nothing_that_was_said_is_dropped_without_a_word_in_any_format() {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    for (format, said, homeless) in [
        (
            "memtomem",
            r#"{"completed": "c", "decisions": "d", "notes": "n", "phase": "p"}"#,
            "phase, decisions, notes",
        ),
        ("thunderkit", r#"{"phase": "p", "next": "n", "task": "t", "notes": "n"}"#, "task, notes"),
        ("theonekit", r#"{"next": "n", "artifact": "README.md"}"#, "artifact"),
    ] {
        let why = save(&repo, said, &["--format", format, "--dry-run"]).expect_err("refused");
        assert!(why.contains(&format!("no place for {homeless}: say it in")), "{format}: {why}");
    }
    for (format, said) in [
        ("memtomem", r#"{"completed": "c", "next": "n", "task": "t", "artifact": "README.md"}"#),
        ("theonekit", r#"{"completed": "c", "decisions": "d", "notes": "n", "phase": "p", "task": "t"}"#),
    ] {
        save(&repo, said, &["--format", format, "--dry-run"]).expect("a positive control");
    }
    for format in ["theonekit", "thunderkit"] {
        for (context, is_full) in [("81%", true), ("~93%", true), ("80%", false), ("a lot", false)] {
            let said = serde_json::json!({ "phase": "p", "next": "n", "context": context }).to_string();
            let (_, shown) = save(&repo, &said, &["--format", format, "--dry-run"]).expect("shown");
            assert_eq!(shown.contains("the context is nearly full"), is_full, "{format}, {context}: {shown}");
        }
    }
}

#[test]
fn an_answer_that_cannot_be_given_still_says_that_it_was_saved() {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    fs::create_dir_all(repo.beside("home")).expect("made");
    fs::write(repo.beside("narrative"), r#"{"task": "Rotate", "next": "x"}"#).expect("written");
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_moorline"))
        .args(["save", "--json", "--from"])
        .arg(repo.beside("narrative"))
        .current_dir(repo.dir())
        .env_clear()
        .env("HOME", repo.beside("home"))
        .stdout(full)
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("-rotate.md, but the output cannot be written"), "{said}");
    assert!(said.contains("saved to "), "so that nobody saves it twice: {said}");
}

#[test]
fn what_was_not_said_comes_back_as_not_said_and_not_as_words() {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    let said = r#"{"phase": "p", "next": "n"}"#;
    let (_, printed) = save(&repo, said, &["--format", "thunderkit", "--json"]).expect("saved");
    let bytes = fs::read(json(&printed)["path"].as_str().expect("a path")).expect("there");
    let source = Source { bytes: &bytes, name: "HANDOFF.md", habit: Habit::Thunderkit, cut_from: None };
    let handoff = moorline::handoff::thunderkit::read(&source);
    assert_eq!(raw(&handoff.open_items), [""; 0], "nobody said that something is open");
    assert!(handoff.fields.get("open_unknowns").is_some(), "though the format has a text there");
    let (_, printed) = save(&repo, r#"{"completed": "c"}"#, &["--format", "memtomem", "--dry-run", "--json"])
        .expect("shown");
    let record = json(&printed)["documents"][0].as_str().expect("a record").to_owned();
    for line in ["blockers: not recorded", "next_action: not recorded", "completed: c"] {
        assert!(record.contains(line), "{line}: that there is none was not said: {record}");
    }
    let id = json(&printed)["captured"]["handoff_id"]["value"].as_str().expect("an id").to_owned();
    let day = format!(
        "## Handoff {id}\n\n> created: 2026-10-05T07:30:00Z\n> tags: [\"handoff\", \"from-any\", \"to-any\", \
         \"handoff-to-any\", \"handoff-id-{id}\"]\n\n{record}\n"
    );
    let source = Source { bytes: day.as_bytes(), name: "x.md", habit: Habit::DayFile, cut_from: None };
    let handoff = moorline::handoff::read(&source).remove(0);
    assert_eq!(handoff.commit.as_ref().map(|id| id.as_str().len()), Some(40), "the record is whole");
    assert_eq!((raw(&handoff.next_actions), raw(&handoff.blockers)), (vec![], vec![]), "and says neither");
}
