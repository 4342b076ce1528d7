//! No repository at all.

use crate::{NOTE, PLAN, RECORD, RECORD_ID, THUNDERKIT, dated, moorline, saved, told, told_alike};

#[test]
fn without_a_repository_nothing_is_called_true_or_false_and_everything_can_be_read() {
    let repo = saved();
    std::fs::remove_dir_all(repo.dir().join(".git")).expect("removed");
    let why = "is not in a git repository";
    told_alike(&repo, repo.dir(), &[PLAN, NOTE, &dated(&repo)], "unverifiable", &[why]);
    let told = told(&repo, repo.dir());
    assert_eq!(told[NOTE].check("commit").0, "unknown", "no commit is a contradiction where there are none");
    let (outcome, said) = told[THUNDERKIT].check("repository");
    assert!(outcome == "failed" && said.contains(why), "a lane needs its repository: {said}");
    assert_eq!(told[RECORD].verdict, "unverifiable", "{:?}", told[RECORD]);
    let refused = moorline(&repo, repo.dir(), &["context", RECORD_ID]);
    assert_eq!(refused.status.code(), Some(1), "memtomem's records are loaded inside a worktree only");
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(error.contains("inside a git worktree only"), "and that is said: {error}");
    assert!(refused.stdout.is_empty(), "and nothing of it is printed");
}
