//! Repositories of every shape, read without running them.

#[path = "common/git.rs"]
mod git;

use git::TestRepo;
use moorline::repo::{Head, Repo};

#[test]
fn a_plain_repository_is_read_as_git_reads_it() {
    let repo = TestRepo::new();
    let first = repo.commit("a.txt", "one\n", "First");
    let opened = Repo::open(repo.dir()).expect("a plain repository opens");
    assert_eq!(opened.root(), repo.dir(), "the root is the directory that was asked for");
    let head = opened.head().expect("HEAD is readable");
    assert_eq!(head.commit().map(|id| id.as_str()), Some(first.as_str()), "HEAD is git's HEAD");
    assert!(matches!(head, Head::Branch(ref name, _) if name.as_str() == "main"), "and on git's branch");
}
