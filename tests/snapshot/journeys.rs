//! From a capture to what is had back, with the binary.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use super::{Bench, code, document, everything, said};

/// A project with everything in it that can be kept or left out.
fn rich() -> Bench {
    let bench = Bench::with_docs();
    let repo = &bench.repo;
    repo.write(".gitignore", "local/\n*.log\n!keep.log\n");
    repo.commit("docs/tool.sh", "#!/bin/sh\nexit 0\n", "A tool");
    fs::set_permissions(repo.dir().join("docs/tool.sh"), fs::Permissions::from_mode(0o755))
        .expect("executable");
    repo.write("docs/debug.log", "ignored by its ending\n");
    repo.write("docs/keep.log", "taken back by a rule\n");
    repo.write("docs/local/cache", "ignored with its directory\n");
    repo.write("local/HANDOFF.md", "# Handoff\n\n**Date:** 2026-11-01\n\nNext: bake the kiln\n");
    repo.write("docs/other/.git/HEAD", "ref: refs/heads/main\n");
    repo.write("docs/other/file", "of another repository\n");
    symlink("/etc/passwd", repo.dir().join("docs/link")).expect("linked");
    let fifo = Command::new("mkfifo").arg(repo.dir().join("docs/fifo")).status().expect("mkfifo is there");
    assert!(fifo.success(), "a FIFO can be made");
    bench
}

#[test]
fn a_capture_says_each_thing_separately_and_changes_nothing_in_the_project() {
    let bench = rich();
    let before = everything(bench.repo.dir());
    let handoff = bench.at("local/HANDOFF.md");
    let more = ["--context-entrypoint", &handoff, "--include-history", "--history-ref", "refs/heads/main"];
    let document = bench.captured(&more);
    assert_eq!(
        everything(bench.repo.dir()),
        before,
        "bytes, modes and times of the project are what they were"
    );

    let paths = |list: &str| -> Vec<String> {
        let list = document[list].as_array().expect("a list");
        list.iter().map(|one| one["path"].as_str().expect("a path").to_owned()).collect()
    };
    assert_eq!(
        paths("files"),
        ["docs/a.md", "docs/keep.log", "docs/tool.sh", "local/HANDOFF.md"],
        "the sources, and the entrypoint that git ignores"
    );
    assert_eq!(
        paths("omissions"),
        ["docs/debug.log", "docs/fifo", "docs/link", "docs/local/", "docs/other/"],
        "everything else is said"
    );
    let reasons = document["omissions"].to_string();
    for reason in [
        "*.log in .gitignore, line 2",
        "FIFO",
        "symbolic link",
        "local/ in .gitignore, line 1",
        "another worktree",
    ] {
        assert!(reasons.contains(reason), "{reason} is a reason: {reasons}");
    }
    assert_eq!(document["files"][2]["mode"], "0755", "the mode is told");
    assert_eq!(document["history"]["status"], "captured");
    assert_eq!(document["history"]["ref"], "refs/heads/main");
    assert_eq!(document["history"]["commits"], 2);
    assert_eq!(document["history"]["head"], bench.repo.git(&["rev-parse", "HEAD"]).as_str());
    let context = &document["context"];
    assert_eq!((&context["ignored"], &context["saved_at"]), (&true.into(), &"2026-11-01".into()));
    assert!(context["age_seconds"].as_i64().expect("an age") > 0, "the saved context has an age: {context}");
    assert_eq!(context["age_seconds"], document["age_seconds"], "which is said by itself");
    assert_eq!(document["push"], "not requested", "nothing leaves the machine");
    assert_eq!(
        document["cautions"].as_array().map(Vec::len),
        Some(2),
        "and two sentences say what it is not"
    );
    assert!(
        document["summary"]["done"].as_str().expect("text").contains(document["id"].as_str().expect("an id"))
    );

    for (path, (mode, _, _)) in everything(&bench.store) {
        let want = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode & 0o777, want, "{} is its owner's alone", path.display());
    }
    let again = bench.captured(&more);
    assert_eq!(again["new_objects"], 0, "the same bytes are kept once");
}

#[test]
fn the_text_form_has_the_two_sentences_and_the_push() {
    let bench = rich();
    let mut words = bench.words();
    words.retain(|word| word != "--json");
    words.push("--approve".into());
    let output = super::run(&words);
    let text = said(&output);
    assert_eq!(code(&output), 0, "{text}");
    for line in [
        "captured snapshot ",
        "files: 3 (",
        "omissions: 5",
        "history: not requested",
        "saved context: none was named",
        "saved-context age: unknown",
        "push: not requested",
        "no protection against losing the machine",
        "misses transient commits",
    ] {
        assert!(text.contains(line), "{line:?} is said: {text}");
    }
}

#[test]
fn every_capture_needs_a_yes_of_its_own() {
    let bench = Bench::with_docs();
    for round in 0..2 {
        let before = everything(&bench.store);
        let output = super::run(&bench.words());
        assert_eq!(code(&output), 1, "without --approve the answer is no, in round {round}");
        let shown = document(&output);
        assert_eq!((&shown["captured"], &shown["id"]), (&false.into(), &serde_json::Value::Null));
        assert_eq!(shown["files"][0]["path"], "docs/a.md", "it says what would be kept");
        assert_eq!(everything(&bench.store), before, "and writes nothing");
        bench.captured(&[]);
        assert_ne!(everything(&bench.store), before, "with it there is a snapshot: the control");
        bench.repo.write("docs/a.md", "changed\n");
    }
}

#[test]
fn a_secret_refuses_the_capture_and_its_value_is_not_said() {
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let places: [(&str, &[&str]); 4] = [
        ("docs/env.txt, line 2", &[]),
        ("notes/HANDOFF.md, line 1", &["--context-entrypoint"]),
        ("history: gone.txt", &["--include-history", "--history-ref", "main"]),
        ("history: the message of commit", &["--include-history", "--history-ref", "main"]),
    ];
    for (place, more) in places {
        let bench = Bench::with_docs();
        let good = bench.captured(&[]);
        let before = everything(&bench.store);
        let entrypoint = bench.at("notes/HANDOFF.md");
        let mut words: Vec<&str> = more.to_vec();
        match place.split_once(' ').map_or("", |(_, rest)| rest) {
            "line 2" => bench.repo.write("docs/env.txt", &format!("first\nGH={token}\n")),
            "line 1" => {
                bench.repo.write("notes/HANDOFF.md", &format!("{token}\n"));
                words.push(&entrypoint);
            }
            "gone.txt" => {
                bench.repo.commit("gone.txt", &token, "Add");
                bench.repo.git(&["rm", "-q", "gone.txt"]);
                bench.repo.git(&["commit", "-q", "-m", "Remove"]);
            }
            _ => drop(bench.repo.commit("b.md", "b\n", &format!("Use {token}"))),
        }
        let output = bench.capture(&words);
        assert_eq!(code(&output), 2, "{place}: refused: {}", said(&output));
        assert!(said(&output).contains(place), "{place} is named: {}", said(&output));
        assert!(said(&output).contains("GitHub token"), "by its kind");
        assert!(!said(&output).contains(&token), "and its value is not said");
        assert_eq!(everything(&bench.store), before, "{place}: the store is what it was");
        let id = good["id"].as_str().expect("an id");
        let loaded = bench.ask("load", &[id, "--identity", "kiln"]);
        assert_eq!(code(&loaded), 0, "and the last good snapshot is still good: {}", said(&loaded));
    }
}

#[test]
fn what_was_kept_is_had_back_inert() {
    let bench = rich();
    let handoff = bench.at("local/HANDOFF.md");
    let kept =
        bench.captured(&["--context-entrypoint", &handoff, "--include-history", "--history-ref", "main"]);
    let id = kept["id"].as_str().expect("an id");
    let before = (everything(bench.repo.dir()), everything(&bench.store));

    let printed = bench.ask("load", &[&id[..8], "--identity", "kiln"]);
    assert_eq!(code(&printed), 0, "eight digits are enough: {}", said(&printed));
    assert!(said(&printed).contains("Next: bake the kiln"), "the text to go on with is printed");

    let to = bench.repo.beside("out");
    let to_text = to.display().to_string();
    let output = bench.ask("load", &[id, "--identity", "kiln", "--json", "--to", &to_text]);
    assert_eq!(code(&output), 0, "{}", said(&output));
    let shown = document(&output);
    assert_eq!(shown["copied_to"], to_text.as_str());
    assert!(shown["context_text"].as_str().expect("a text").contains("bake the kiln"));
    for (path, bytes) in [
        ("files/docs/a.md", "# A\n\nnothing secret\n"),
        ("files/docs/tool.sh", "#!/bin/sh\nexit 0\n"),
        ("files/local/HANDOFF.md", "# Handoff\n\n**Date:** 2026-11-01\n\nNext: bake the kiln\n"),
    ] {
        assert_eq!(fs::read_to_string(to.join(path)).expect("copied"), bytes, "{path} has its bytes");
    }
    for (path, (mode, _, _)) in everything(&to) {
        let want = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode & 0o777, want, "{}: no permission came back", path.display());
    }
    assert!(
        to.join("manifest.json").is_file() && to.join("history.bundle").is_file(),
        "with all that belongs to it"
    );
    let wrong = bench.ask("load", &[id, "--identity", "another"]);
    assert_eq!(code(&wrong), 1, "under another identity there is no such snapshot: {}", said(&wrong));
    assert_eq!((everything(bench.repo.dir()), everything(&bench.store)), before, "nothing else was written");
}

#[test]
fn a_load_writes_only_into_what_is_new_or_empty() {
    let bench = Bench::with_docs();
    let kept = bench.captured(&[]);
    let id = kept["id"].as_str().expect("an id");
    let beside = |name: &str| bench.repo.beside(name);
    fs::create_dir(beside("full")).expect("made");
    fs::write(beside("full").join("mine"), "mine").expect("written");
    fs::create_dir(beside("empty")).expect("made");
    symlink(beside("empty"), beside("link")).expect("linked");
    symlink(beside("nothing"), beside("dangling")).expect("linked");
    fs::write(beside("file"), "mine").expect("written");
    let refused = [
        ("full", "is not empty"),
        ("link", "no directory of its own"),
        ("dangling", "no directory of its own"),
        ("file", "no directory of its own"),
        ("store/out", "lies in the store"),
        ("store", "lies in the store"),
        ("none/out", "parent directory"),
        ("empty/../out", "`.` or `..`"),
    ];
    let all = bench.repo.dir().parent().expect("it has one").to_owned();
    let before = everything(&all);
    for (to, why) in refused {
        let to = beside(to).display().to_string();
        let output = bench.ask("load", &[id, "--identity", "kiln", "--to", &to]);
        assert_eq!(code(&output), 2, "{to} is refused: {}", said(&output));
        assert!(said(&output).contains(why), "{to}: because it {why}: {}", said(&output));
    }
    let relative = bench.ask("load", &[id, "--identity", "kiln", "--to", "out"]);
    assert_eq!(code(&relative), 2, "a relative place is refused: {}", said(&relative));
    assert_eq!(everything(&all), before, "nothing was written by any of them");
    for to in ["empty", "new"] {
        let to = beside(to).display().to_string();
        let output = bench.ask("load", &[id, "--identity", "kiln", "--to", &to]);
        assert_eq!(
            code(&output),
            0,
            "an empty and a new directory are filled: the control: {}",
            said(&output)
        );
        let again = bench.ask("load", &[id, "--identity", "kiln", "--to", &to]);
        assert_eq!(code(&again), 2, "but not twice: {}", said(&again));
    }
}

#[test]
fn a_list_is_newest_first_and_knows_identities() {
    let bench = Bench::with_docs();
    let none = bench.ask("list", &["--json"]);
    assert_eq!(code(&none), 1, "an empty store has nothing: {}", said(&none));
    assert_eq!(code(&bench.ask("verify", &[])), 1, "and nothing to verify");
    let mut ids = Vec::new();
    for text in ["one\n", "two\n"] {
        bench.repo.write("docs/a.md", text);
        ids.push(bench.captured(&[])["id"].as_str().expect("an id").to_owned());
    }
    let listed = document(&bench.ask("list", &["--json"]));
    let mut found: Vec<_> = listed["snapshots"].as_array().expect("a list").iter().collect();
    assert!(
        found.is_sorted_by_key(|row| std::cmp::Reverse(row["created_at"].as_str())),
        "newest first: {listed}"
    );
    found.sort_by_key(|row| row["id"].as_str());
    ids.sort();
    assert_eq!(
        found.iter().map(|row| row["id"].as_str().expect("an id")).collect::<Vec<_>>(),
        ids,
        "both are there"
    );
    let other = bench.ask("list", &["--identity", "another"]);
    assert_eq!(code(&other), 1, "of another identity there is none: {}", said(&other));
    let text = bench.ask("verify", &["--identity", "kiln"]);
    assert_eq!(code(&text), 0, "{}", said(&text));
    assert!(said(&text).contains("2 snapshots are whole"), "{}", said(&text));
    let unknown = bench.ask("load", &["0000000000", "--identity", "kiln"]);
    assert_eq!(code(&unknown), 1, "an id that is not there is a no: {}", said(&unknown));
    let short = bench.ask("load", &["0000", "--identity", "kiln"]);
    assert_eq!(code(&short), 2, "four digits name nothing: {}", said(&short));
}

#[test]
fn what_git_tracks_is_kept_also_where_a_rule_ignores_it() {
    let bench = Bench::with_docs();
    bench.repo.write(".gitignore", "docs/build/\n*.bin\n");
    bench.repo.write("docs/build/forced.txt", "tracked by force\n");
    bench.repo.write("docs/build/not.txt", "ignored\n");
    bench.repo.write("docs/a.bin", "tracked too\n");
    bench.repo.git(&["add", "-f", "docs/build/forced.txt", "docs/a.bin"]);
    let document = bench.captured(&[]);
    let files = document["files"].to_string();
    assert!(files.contains("forced.txt") && files.contains("a.bin"), "tracked files are kept: {files}");
    assert!(!files.contains("not.txt"), "their ignored neighbour is not: {files}");
    let asked = bench.repo.git(&["ls-files", "-o", "-i", "--exclude-standard", "docs"]);
    assert_eq!(asked, "docs/build/not.txt", "and git itself says the same");
}

#[test]
fn a_plain_directory_without_git_is_kept_too() {
    let repo = super::TestRepo::plain_directory();
    repo.write("docs/a.md", "plain\n");
    let bench = Bench::around(repo);
    let document = bench.captured(&[]);
    assert_eq!(document["files"][0]["path"], "docs/a.md", "no repository is needed for files");
    let output = bench.capture(&["--include-history", "--history-ref", "main"]);
    assert_eq!(code(&output), 2, "but it has no history: {}", said(&output));
}

#[test]
fn a_project_inside_a_repository_follows_its_rules_and_the_persons_own() {
    let bench = Bench::with_docs();
    bench.repo.write(".gitignore", "/app/docs/generated\n");
    for file in ["app/docs/a.md", "app/docs/generated", "app/docs/mine.tmp"] {
        bench.repo.write(file, "text\n");
    }
    let home = bench.repo.beside("home");
    super::git::write(&home.join(".config/git/ignore"), "*.tmp\n");
    let mut words = bench.words();
    for word in &mut words {
        *word = word.replace(&bench.repo.dir().display().to_string(), &bench.at("app"));
    }
    words.push("--approve".into());
    let output = super::command(&words).env("HOME", &home).output().expect("started");
    assert_eq!(code(&output), 0, "a project need not be a worktree's root: {}", said(&output));
    let shown = document(&output);
    assert_eq!(shown["files"].as_array().map(Vec::len), Some(1), "what git ignores is left out: {shown}");
    let reasons = shown["omissions"].to_string();
    assert!(reasons.contains("generated in .gitignore, line 1"), "by the repository's rule: {reasons}");
    assert!(reasons.contains("*.tmp in "), "and by the person's own: {reasons}");
    words.extend(["--include-history", "--history-ref", "main"].map(str::to_owned));
    let output = super::run(&words);
    assert_eq!(code(&output), 2, "history is a worktree's, not a directory's in it: {}", said(&output));
}

#[test]
fn text_of_a_snapshot_reaches_no_terminal_raw() {
    let bench = Bench::with_docs();
    bench.repo.write("docs/HANDOFF.md", "# Title \u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}\n");
    bench.repo.write("docs/\u{1b}[31mred", "a name\n");
    let entrypoint = bench.at("docs/HANDOFF.md");
    let mut words = bench.words();
    words.retain(|word| word != "--json");
    words.extend(["--approve".into(), "--context-entrypoint".into(), entrypoint]);
    let captured = super::run(&words);
    assert_eq!(code(&captured), 0, "{}", said(&captured));
    assert!(
        said(&captured).contains("cannot be written down safely"),
        "the odd name is said: {}",
        said(&captured)
    );
    let id = bench.newest().id.to_string();
    let loaded = bench.ask("load", &[&id, "--identity", "kiln"]);
    assert!(said(&loaded).contains("Title"), "the text is printed: {}", said(&loaded));
    for output in [captured, loaded] {
        let raw = said(&output).chars().any(|c| c == '\u{1b}' || c == '\u{7}' || c == '\u{202e}');
        assert!(!raw, "and nothing in it is obeyed: {:?}", said(&output));
    }
}
