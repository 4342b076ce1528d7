//! Names of handoffs: in a project that is named with `-C`, and in other worktrees.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::git::{TestRepo, write};
use crate::moorline;

const KIT: &str = ".thunderkit/HANDOFF.md";

fn page(project: &str) -> String {
    format!("# Work on {project}\n\n## Next steps\n1. Finish {project}\n")
}

/// What a command said on both streams.
fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

/// A project `project` and one beside it, `harbour`, that have the same files with other words.
fn two_projects() -> (TestRepo, PathBuf) {
    let repo = TestRepo::new();
    let harbour = repo.beside("harbour");
    std::fs::create_dir(&harbour).expect("a directory can be made");
    repo.git_in(&harbour, &["init", "-q", "-b", "main"]);
    for (dir, name) in [(repo.dir(), "alpha"), (&harbour, "harbour")] {
        for file in ["HANDOFF.md", "docs/HANDOFF.md", KIT] {
            write(&dir.join(file), page(name));
        }
        write(&dir.join("plans/260901-quay/plan.md"), "# Quay\n");
        repo.git_in(dir, &["add", "-A"]);
        repo.git_in(dir, &["commit", "-q", "-m", "Hand off"]);
        write(&dir.join("docs/HANDOFF.md"), page(name) + "2. Then rest\n");
    }
    (repo, harbour)
}

#[test]
fn with_a_project_that_is_named_a_relative_name_is_one_of_that_project_for_every_verb() {
    let (repo, harbour) = two_projects();
    let named = harbour.to_str().expect("plain");
    let run = |args: &[&str]| moorline(&repo, repo.dir(), &[&["-C", named], args].concat());
    let verbs: &[&[&str]] = &[
        &["show", KIT, "--json"],
        &["check", KIT, "--json"],
        &["check", "docs/HANDOFF.md"],
        &["restore", "docs/HANDOFF.md"],
        &["context", "docs/HANDOFF.md"],
        &["diff", "docs/HANDOFF.md"],
        &["diff", "docs/HANDOFF.md", "HANDOFF.md"],
        &["save", "--carry", "docs/HANDOFF.md", "--dry-run"],
        &["save", "--carry", "docs/HANDOFF.md", "--plan", "plans/260901-quay", "--dry-run"],
        &["archive", "docs/HANDOFF.md", "--dry-run"],
        &["trash", KIT, "--dry-run"],
        &["trash", "docs/HANDOFF.md"],
        &["put-back", "docs/HANDOFF.md", "--dry-run"],
        &["put-back", "docs/HANDOFF.md", "--to", "docs/HANDOFF-2.md"],
    ];
    for args in verbs {
        let output = run(args);
        let said = said(&output);
        assert!(said.contains("harbour"), "{args:?} is about the named project: {said}");
        let own = repo.dir().to_str().expect("plain");
        assert!(!said.contains("alpha") && !said.contains(own), "{args:?} and not about this one: {said}");
    }
    // What only the current directory has is nothing in the other project.
    write(&repo.dir().join("docs/lone-HANDOFF.md"), page("alpha"));
    for verb in ["show", "check", "restore", "context", "diff", "resume", "archive", "trash"] {
        let output = run(&[verb, "docs/lone-HANDOFF.md"]);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{verb}: {said}");
        assert!(said.contains("no handoff is called"), "{verb} finds no file of another project: {said}");
    }
    assert!(harbour.join("docs/HANDOFF-2.md").is_file(), "it was moved within the named project");
    assert!(!harbour.join("docs/HANDOFF.md").exists(), "from where it was");
    assert!(repo.dir().join("docs/HANDOFF.md").is_file(), "and here nothing was touched");
    assert!(!repo.dir().join("docs/HANDOFF-2.md").exists(), "nor made");
    // The controls: without a named project the current directory's goes first, and its project's after that.
    let here = said(&moorline(&repo, &repo.dir().join("docs"), &["show", "HANDOFF.md"]));
    assert!(here.contains("Then rest"), "where both have one, the current directory's: {here}");
    let here = said(&moorline(&repo, &repo.dir().join("docs"), &["show", KIT, "--json"]));
    assert!(here.contains("alpha"), "what only the project has, from anywhere in it: {here}");
    let whole = repo.dir().join("HANDOFF.md");
    let whole = said(&run(&["show", whole.to_str().expect("plain")]));
    assert!(whole.contains("Work on alpha"), "and a whole path is what it says: {whole}");
}

#[test]
fn a_handoff_of_another_worktree_is_named_by_the_worktree_and_its_path() {
    let repo = TestRepo::new();
    repo.commit("HANDOFF.md", &page("the trunk"), "Begin");
    for (tree, files) in
        [("ferry-docs", &["HANDOFF.md"][..]), ("ferry-leak", &["HANDOFF.md", "docs/HANDOFF.md"])]
    {
        let dir = repo.beside(tree);
        repo.git(&["worktree", "add", "-q", "-b", tree, dir.to_str().expect("plain")]);
        for file in files {
            write(&dir.join(file), page(&format!("{file} in {tree}")));
        }
    }
    let of = |tree: &str| repo.beside(tree).join("HANDOFF.md");
    let shows = |name: &str, path: &Path| {
        for verb in ["show", "check", "context"] {
            let said = said(&moorline(&repo, repo.dir(), &[verb, name]));
            assert!(
                said.contains(path.to_str().expect("plain")),
                "{verb} {name:?} is {}: {said}",
                path.display()
            );
        }
    };
    for name in ["ferry-docs: HANDOFF.md", "ferry-docs/HANDOFF.md", "docs: HANDOFF.md", "ferry-docs"] {
        shows(name, &of("ferry-docs"));
    }
    shows("ferry-leak: docs/HANDOFF.md", &repo.beside("ferry-leak").join("docs/HANDOFF.md"));
    shows("HANDOFF.md", &repo.dir().join("HANDOFF.md"));
    let several = moorline(&repo, repo.dir(), &["show", "ferry-leak"]);
    assert!(
        said(&several).contains("names several handoffs"),
        "a worktree of several is none: {}",
        said(&several)
    );
    assert_eq!(several.status.code(), Some(2), "and bad usage");
    let none = moorline(&repo, repo.dir(), &["show", "ferry-docs: NOTES.md"]);
    assert_eq!(none.status.code(), Some(1), "the control: what is not there: {}", said(&none));
    // What the list prints can be pasted.
    let list = said(&moorline(&repo, repo.dir(), &["list", "--no-check"]));
    let printed: Vec<_> = list
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once("  (").map(|(name, _)| name))
        .collect();
    assert_eq!(printed.len(), 4, "every handoff is printed: {list}");
    for name in printed {
        let path = match name.split_once(": ") {
            Some((tree, file)) => repo.beside(tree).join(file),
            None => repo.dir().join(name),
        };
        shows(name, &path);
    }
    let moved = moorline(&repo, repo.dir(), &["trash", "ferry-docs: HANDOFF.md"]);
    assert!(!of("ferry-docs").exists(), "a worktree's name is enough to put it away: {}", said(&moved));
}
