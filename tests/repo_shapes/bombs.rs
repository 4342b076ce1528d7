//! Trees that name each other so often that they are more files than there is memory.

use std::io::Write;
use std::process::Stdio;

use moorline::handoff::{Inert, Revision};
use moorline::repo::{PathFate, Relation, Repo};

use crate::git::{TestRepo, command};

/// Ten times ten times … one file, in eleven objects.
const LEVELS: usize = 10;

fn git_reads(repo: &TestRepo, args: &[&str], input: &str) -> String {
    let mut child = command(repo.dir(), args);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("git runs");
    child.stdin.take().expect("it reads").write_all(input.as_bytes()).expect("it takes it");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "git {args:?}");
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

/// The tree of such a bomb around a file that says this.
fn bomb(repo: &TestRepo, text: &str) -> String {
    let file = git_reads(repo, &["hash-object", "-w", "--stdin"], text);
    let ten = |entry: &str| (0..10).map(|n| format!("{entry}\t{n}\n")).collect::<String>();
    let mut tree = git_reads(repo, &["mktree"], &ten(&format!("100644 blob {file}")));
    for _ in 1..LEVELS {
        tree = git_reads(repo, &["mktree"], &ten(&format!("040000 tree {tree}")));
    }
    tree
}

#[test]
fn a_history_with_a_bomb_of_trees_is_read_all_the_same() {
    let repo = TestRepo::new();
    let first = repo.commit("g.rs", "fn g() {}\n", "First");
    let handoff = repo.git(&["rev-parse", "HEAD:g.rs"]);
    let commit = |entries: &str, parent: &str| {
        let tree = git_reads(&repo, &["mktree"], entries);
        repo.git(&["commit-tree", &tree, "-p", parent, "-m", "Next"])
    };
    let file = |name: &str| format!("100644 blob {handoff}\t{name}\n");
    let (one, other) = (bomb(&repo, "one\n"), bomb(&repo, "other\n"));
    let with = commit(&format!("{}040000 tree {one}\tz\n", file("g.rs")), &first);
    let changed = commit(&format!("040000 tree {other}\tz\n"), &with);
    let last = commit(&file("h.rs"), &changed);
    repo.git(&["reset", "-q", "--hard", &last]);

    let opened = Repo::open(repo.dir()).expect("it opens");
    let files = |id: &str| match opened.relation(&Revision::parse(id).expect("an id"), 5) {
        Ok(Relation::Ahead { files, .. }) => files,
        other => panic!("HEAD went on from {id}: {other:?}"),
    };
    assert_eq!(files(&first).len(), 2, "a file went and another one came");
    assert_eq!(files(&with).len(), 10_usize.pow(10) + 2, "and all of those, counted and not listed");
    let some: Vec<_> = files(&with).iter().map(|path| path.raw().to_owned()).skip(2).take(2).collect();
    assert_eq!(some, ["z/0/0/0/0/0/0/0/0/0/0", "z/0/0/0/0/0/0/0/0/0/1"], "each has its path");
    let fates = opened.fates(&["g.rs".into(), "src/gone.rs".into(), Inert::from("z/1/1/1/q.rs")], 2_000);
    let fates = fates.expect("the history is looked through");
    assert_eq!(fates[0], PathFate::Gone { renamed_to: None }, "what went is told");
    assert_eq!(fates[1..], [PathFate::NeverSeen, PathFate::NeverSeen], "and what never was");
}

#[test]
fn a_bomb_in_head_is_not_compared_and_said() {
    let repo = TestRepo::new();
    let first = repo.commit("g.rs", "fn g() {}\n", "First");
    let tree = bomb(&repo, "one\n");
    let with = repo.git(&["commit-tree", &tree, "-p", &first, "-m", "Bomb"]);
    assert!(
        Repo::open(repo.dir()).expect("it opens").status().is_ok(),
        "a positive control: it can be compared"
    );
    repo.git(&["update-ref", "HEAD", &with]);
    let why =
        Repo::open(repo.dir()).expect("it opens").status().expect_err("too much to compare").to_string();
    assert!(why.contains("names more than 5000000 files"), "{why}");
}
