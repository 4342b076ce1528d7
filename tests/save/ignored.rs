//! A saved handoff that git would not see: told as git itself tells it, and taken back by one line or not at all.

use std::fs;
use std::path::Path;

use chrono::DateTime;
use moorline::check::Examiner;
use moorline::handoff::Family;
use moorline::harness::Surroundings;
use moorline::save::draft::{Draft, Request};
use moorline::settings::Settings;

use crate::git::{self, TestRepo};
use crate::nobody;

/// What git says of a file: the rule's file, line and text; `None` where it is not ignored.
fn check_ignore(repo: &TestRepo, file: &str) -> Option<(String, usize)> {
    let mut command = git::command(repo.dir(), &["check-ignore", "-v", "--", file]);
    command.env("XDG_CONFIG_HOME", repo.beside("home/.config"));
    command.env("GIT_CONFIG_GLOBAL", repo.beside("home/.gitconfig")).env("HOME", repo.beside("home"));
    let output = command.output().expect("git is there");
    let text = String::from_utf8(output.stdout).expect("text");
    let (place, _) = text.split_once('\t')?;
    let mut parts = place.splitn(3, ':');
    let file = parts.next()?.to_owned();
    let line = parts.next()?.parse().ok()?;
    // With -v it names a negation, too, by which the file is not ignored.
    (!parts.next()?.starts_with('!')).then_some((file, line))
}

fn draft(repo: &TestRepo) -> Draft {
    let around = Surroundings {
        home: Some(repo.beside("home")),
        proc: repo.beside("no-processes"),
        ..Surroundings::default()
    };
    let examiner = Examiner::new(repo.dir(), around, Settings::default());
    let now = DateTime::parse_from_rfc3339("2026-10-05T09:30:00+02:00").expect("a time");
    let request = Request::new(r#"{"task": "tokens", "next": "Count"}"#, Family::Theonekit, repo.dir(), now);
    Draft::make(&examiner, &request).expect("a draft")
}

/// The files with their rules, whether a plan is active, and what becomes of it.
struct Fixture {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    plan: bool,
    then: Then,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Then {
    /// git sees the file as it is.
    Seen,
    /// One line more or less, and git sees it.
    Edited(&'static str),
    /// No one line can do it, and these words say why.
    Stays(&'static str),
    /// The edit is right, and another rule still ignores it.
    Still,
}

use Then::{Edited, Seen, Stays, Still};

const fn at(name: &'static str, files: &'static [(&'static str, &'static str)], then: Then) -> Fixture {
    Fixture { name, files, plan: false, then }
}

const fn plan(name: &'static str, files: &'static [(&'static str, &'static str)], then: Then) -> Fixture {
    Fixture { name, files, plan: true, then }
}

const TARGET: &str = ".claude/handoffs/261005-tokens.md";
const PLANNED: &str = "plans/260901-auth/HANDOFF.md";

const FIXTURES: &[Fixture] = &[
    at("no rules at all", &[], Seen),
    at("rules for other things", &[(".gitignore", "target/\n*.log\n")], Seen),
    at("only a comment", &[(".gitignore", "# .claude/handoffs/\n\n")], Seen),
    at(
        "exactly the directory",
        &[(".gitignore", "a\n.claude/handoffs/\nb\n")],
        Edited("-.claude/handoffs/\n"),
    ),
    at("anchored", &[(".gitignore", "/.claude/handoffs\n")], Edited("-/.claude/handoffs\n")),
    at("what is in it", &[(".gitignore", "a\n.claude/handoffs/*\n")], Edited("-.claude/handoffs/*\n")),
    at("all below it", &[(".gitignore", ".claude/handoffs/**\nb")], Edited("-.claude/handoffs/**\n")),
    at(
        "line ends of another system",
        &[(".gitignore", "a\r\n.claude/handoffs/\r\nb\r\n")],
        Edited("-.claude/handoffs/\r\n"),
    ),
    at("a last line without an end", &[(".gitignore", "a\n.claude/handoffs/")], Edited("-.claude/handoffs/")),
    at("blanks behind it", &[(".gitignore", ".claude/handoffs/   \n")], Edited("-.claude/handoffs/   \n")),
    at(
        "a byte order mark",
        &[(".gitignore", "\u{feff}.claude/handoffs/\nb\n")],
        Edited("-\u{feff}.claude/handoffs/\n"),
    ),
    at("any directory of that name", &[(".gitignore", "handoffs/\nb\n")], Edited("+!/.claude/handoffs/\n")),
    at(
        "everything beside the settings",
        &[(".gitignore", ".claude/*\n!.claude/settings.json\n")],
        Edited("+!/.claude/handoffs/\n"),
    ),
    at("every document", &[(".gitignore", "*.md\n!README.md\n")], Edited("+!/.claude/handoffs/*.md\n")),
    at(
        "with the line ends that are there",
        &[(".gitignore", "*.md\r\nb\r\n")],
        Edited("+!/.claude/handoffs/*.md\r\n"),
    ),
    at("two stars before it", &[(".gitignore", "**/handoffs\n")], Edited("+!/.claude/handoffs/\n")),
    at("by another directory's rules", &[(".claude/.gitignore", "handoffs/\n")], Edited("+!/handoffs/\n")),
    at("there, and anchored", &[(".claude/.gitignore", "/handoffs/\n")], Edited("-/handoffs/\n")),
    at("by its own directory's rules", &[(".claude/handoffs/.gitignore", "*\n")], Edited("+!/*.md\n")),
    at("taken back already", &[(".gitignore", ".claude/*\n!.claude/handoffs/\n")], Seen),
    at(
        "taken back and ignored again",
        &[(".gitignore", "!.claude/handoffs/\n*.md\n")],
        Edited("+!/.claude/handoffs/*.md\n"),
    ),
    at("the directory above", &[(".gitignore", ".claude/\n")], Stays("all of .claude")),
    at(
        "above, and taken back in vain",
        &[(".gitignore", ".claude\n!.claude/handoffs/\n")],
        Stays("all of .claude"),
    ),
    at("everything", &[(".gitignore", "*\n!.gitignore\n")], Stays("all of .claude")),
    at("two rules for one thing", &[(".gitignore", "*.md\n.claude/handoffs/\n")], Still),
    at(
        "the repository's own list",
        &[(".git/info/exclude", ".claude/handoffs/\n")],
        Stays("no .gitignore of this project"),
    ),
    at(
        "the person's own list",
        &[("../home/.config/git/ignore", "**/.claude/handoffs/\n")],
        Stays("no .gitignore of this project"),
    ),
    at(
        "the person's list elsewhere",
        &[("../home/.gitconfig", "[core]\n\texcludesFile = ~/mine\n"), ("../home/mine", "a\n.claude\n")],
        Stays("no .gitignore of this project"),
    ),
    at(
        "the person's list, taken back here",
        &[("../home/.config/git/ignore", "handoffs/\n"), (".gitignore", "!handoffs/\n")],
        Seen,
    ),
    plan("a plan, every document", &[(".gitignore", "*.md\n")], Edited("+!/plans/260901-auth/HANDOFF*.md\n")),
    plan(
        "a plan, exactly its file",
        &[(".gitignore", "plans/260901-auth/HANDOFF.md\n")],
        Edited("-plans/260901-auth/HANDOFF.md\n"),
    ),
    plan("a plan, all plans", &[(".gitignore", "plans/\n")], Stays("all of plans")),
    plan("a plan, each plan", &[(".gitignore", "plans/*\n")], Stays("all of plans/260901-auth")),
];

/// Lines that only one of the two has, `-` for the old ones.
fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old[same..].iter().rev().zip(new[same..].iter().rev()).take_while(|(a, b)| a == b).count();
    let minus = old[same..old.len() - tail].iter().map(|line| format!("-{line}"));
    minus.chain(new[same..new.len() - tail].iter().map(|line| format!("+{line}"))).collect()
}

#[test]
fn each_rule_is_told_as_git_tells_it_and_taken_back_by_one_line_or_not_at_all() {
    for fixture in FIXTURES {
        let name = fixture.name;
        let repo = TestRepo::new();
        fs::create_dir_all(repo.beside("home/.config/git")).expect("made");
        fs::write(repo.beside("home/.gitconfig"), "").expect("written");
        let target = if fixture.plan { PLANNED } else { TARGET };
        if fixture.plan {
            repo.write("plans/260901-auth/plan.md", "# Plan\n");
        }
        for (file, text) in fixture.files {
            repo.write(file, text);
        }
        let told = check_ignore(&repo, target);
        let draft = draft(&repo);
        assert!(draft.target.path.ends_with(target), "{name}: the place is {}", draft.target.path.display());
        let ours = draft.ignored.as_ref().map(|ignored| {
            let file = ignored.by.file.strip_prefix(repo.dir()).unwrap_or(&ignored.by.file);
            (file.to_str().expect("text").to_owned(), ignored.by.line)
        });
        assert_eq!(ours, told, "{name}: the file and the line are those that git tells");
        let rules = repo.dir().join(told.as_ref().map_or(".gitignore", |(file, _)| file));
        let before = fs::read_to_string(&rules).unwrap_or_default();
        draft.write().expect("saved whatever git sees");
        let done = draft.unignore().expect("the edit is made, or there is none");
        let after = fs::read_to_string(&rules).unwrap_or_default();
        match fixture.then {
            Seen => assert!(told.is_none() && done.is_none(), "{name}: nothing to do"),
            Edited(line) => {
                assert_eq!(difference(&before, &after), line, "{name}: only the exact line");
                assert_eq!(done.expect("done").still, None, "{name}: the second look finds it seen");
                assert_eq!(check_ignore(&repo, target), None, "{name}: and so does git");
            }
            Still => {
                let still = done.expect("done").still.expect("another rule is there");
                assert_eq!(
                    check_ignore(&repo, target).map(|(_, line)| line),
                    Some(still.line),
                    "{name}: which"
                );
            }
            Stays(words) => {
                let ignored = draft.ignored.as_ref().expect("it is ignored");
                let why = ignored.edit.as_ref().expect_err("no one line can");
                assert!(why.contains(words), "{name}: {why}");
                assert_eq!((done, &after), (None, &before), "{name}: nothing is changed");
                assert!(check_ignore(&repo, target).is_some(), "{name}: it stays ignored, as was said");
            }
        }
    }
    assert!(FIXTURES.len() >= 30, "enough kinds of rules: {}", FIXTURES.len());
    eprintln!("{} kinds of rules, each as git tells it", FIXTURES.len());
    nobody::again(each_rule_is_told_as_git_tells_it_and_taken_back_by_one_line_or_not_at_all);
}

#[test]
fn a_tracked_file_is_not_ignored_whatever_the_rules_say() {
    let repo = TestRepo::new();
    repo.write("plans/260901-auth/plan.md", "# Plan\n");
    repo.commit(PLANNED, "old\n", "Hand off");
    repo.write(".gitignore", "*.md\n");
    assert_eq!(draft(&repo).ignored, None, "git goes on to see what it tracks");
    repo.git(&["rm", "-q", "--cached", PLANNED]);
    assert!(draft(&repo).ignored.is_some(), "the same rule ignores it where it is not tracked");
}

#[test]
fn a_gitignore_that_somebody_changed_meanwhile_is_left_alone() {
    let repo = TestRepo::new();
    repo.write(".gitignore", ".claude/handoffs/\n");
    let draft = draft(&repo);
    repo.write(".gitignore", "other\n.claude/handoffs/\n");
    let why = draft.unignore().expect_err("it is not what was read").to_string();
    assert!(why.contains("changed since it was read"), "it says so: {why}");
    let text = fs::read_to_string(repo.dir().join(".gitignore")).expect("there");
    assert_eq!(text, "other\n.claude/handoffs/\n", "and nothing was written");
    assert!(Path::new(&repo.dir().join(".gitignore")).is_file(), "it is still a file of its own");
}
