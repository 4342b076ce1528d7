//! Commits, branches and files of the past, as git tells them.

use std::path::PathBuf;

use moorline::handoff::{BranchName, Inert, Revision};
use moorline::repo::{AsNow, BranchState, Files, Holder, PathFate, Relation, Repo, RepoError, Walked};

use crate::git::{TestRepo, git};

const LONG: &str = "line 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8\n";

#[test]
fn a_recorded_commit_is_the_same_behind_beside_or_unknown() {
    let repo = TestRepo::new();
    let first = repo.commit("a.txt", "1\n", "First");
    let second = repo.commit("b.txt", "2\n", "Second\n\nWith a body");
    repo.git(&["checkout", "-q", "-b", "side", &first]);
    let side = repo.commit("c.txt", "3\n", "Side");
    repo.git(&["checkout", "-q", "main"]);
    let opened = Repo::open(repo.dir()).expect("it opens");
    let relation = |id: &str| opened.relation(&Revision::parse(id).expect("an id"), 1);

    assert_eq!(relation(&second), Ok(Relation::Same), "HEAD itself");
    assert_eq!(relation(&second[..9]), Ok(Relation::Same), "also abbreviated");
    let Ok(Relation::Ahead { commits, count, files }) = relation(&first) else {
        panic!("HEAD went on from the first: {:?}", relation(&first));
    };
    assert_eq!((commits.len(), count), (1, 1), "by one commit");
    assert_eq!(commits[0].subject.raw(), "Second", "whose first line is shown");
    assert_eq!(commits[0].id.as_str(), second, "and id");
    assert_eq!(files, Files::from_iter(["b.txt"]), "it changed one file");
    let on = |name: &str| Holder::Reference(name.into());
    let beside = |ahead, behind, holder| Ok(Relation::Diverged { ahead, behind, holder, as_now: None });
    assert_eq!(relation(&side), beside(1, 1, on("side")), "another line, and which branch has it");
    assert_eq!(relation(&"e".repeat(40)), Ok(Relation::Missing), "no such object");
    assert_eq!(relation(&"e".repeat(64)), Ok(Relation::Missing), "no such kind of id here");
    let tree = repo.git(&["rev-parse", "HEAD^{tree}"]);
    assert_eq!(relation(&tree), Ok(Relation::NotACommit), "a tree is no commit");

    repo.git(&["reset", "-q", "--hard", &first]);
    assert_eq!(
        relation(&second),
        beside(0, 1, Holder::Nobody),
        "HEAD was moved back, and no branch is left there"
    );

    let log = opened.log(10).expect("there is a log");
    assert_eq!(
        log.iter().map(|commit| commit.id.as_str()).collect::<Vec<_>>(),
        [&first],
        "refs are read afresh"
    );
    let time = repo.git(&["log", "-1", "--format=%ct"]);
    assert_eq!(log[0].time.to_string(), time, "with the committer's time");
}

#[test]
fn a_commit_that_a_rebase_wrote_anew_is_told_by_its_author_and_subject() {
    let repo = TestRepo::new();
    repo.commit("a.txt", "1\n", "First");
    repo.git(&["checkout", "-q", "-b", "work"]);
    let before = repo.commit("b.txt", "2\n", "Work");
    let dropped = repo.commit("c.txt", "3\n", "Dropped");
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("d.txt", "4\n", "Meanwhile");
    repo.git(&["checkout", "-q", "-b", "again"]);
    repo.git(&["cherry-pick", &before]);
    let now = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["branch", "-q", "-D", "work"]);
    let opened = Repo::open(repo.dir()).expect("it opens");
    let relation = |id: &str| opened.relation(&Revision::parse(id).expect("an id"), 1);
    let Ok(Relation::Diverged { holder, as_now, .. }) = relation(&before) else {
        panic!("it is not in HEAD's history any more: {:?}", relation(&before));
    };
    assert_eq!(holder, Holder::Nobody, "no branch has the old one");
    let Some(AsNow::Rewritten(commit)) = as_now else { panic!("HEAD has it under another id: {as_now:?}") };
    assert_eq!(commit.id.to_string(), now, "and it is told which");
    assert!(
        matches!(relation(&dropped), Ok(Relation::Diverged { as_now: None, .. })),
        "the control: what was dropped was not written anew"
    );
}

#[test]
fn a_branch_that_cannot_be_read_leaves_open_who_has_a_commit_and_nothing_else() {
    let repo = TestRepo::new();
    repo.commit("a.txt", "1\n", "First");
    repo.git(&["checkout", "-q", "-b", "lost"]);
    let lost = repo.commit("b.txt", "2\n", "Lost");
    repo.git(&["checkout", "-q", "-b", "broken", "main"]);
    let missing = repo.commit("c.txt", "3\n", "Missing");
    repo.commit("d.txt", "4\n", "Broken");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["branch", "-q", "-D", "lost"]);
    let lost = Revision::parse(&lost).expect("an id");
    let holder = || match Repo::open(repo.dir()).and_then(|opened| opened.relation(&lost, 1)) {
        Ok(Relation::Diverged { ahead: 0, behind: 1, holder, .. }) => holder,
        other => panic!("how it stands to HEAD is told: {other:?}"),
    };
    assert_eq!(holder(), Holder::Nobody, "the control: every branch is read, and none has it");
    let (fan, rest) = missing.split_at(2);
    std::fs::remove_file(repo.dir().join(".git/objects").join(fan).join(rest)).expect("it is a loose object");
    assert_eq!(holder(), Holder::Untold, "a branch that cannot be read might have it");
}

#[test]
fn every_question_about_one_head_is_answered_by_one_walk() {
    let repo = TestRepo::new();
    let first = repo.commit("a.txt", "1\n", "First");
    for n in 0..20 {
        repo.commit(&format!("f{n}.txt"), "x\n", &format!("Add {n}"));
    }
    repo.git(&["rm", "-q", "a.txt"]);
    repo.git(&["commit", "-q", "-m", "Remove"]);
    let opened = Repo::open(repo.dir()).expect("it opens");
    assert_eq!(opened.walked(), Walked::default(), "nothing is walked before it is asked");
    assert_eq!(opened.log(2).map(|log| log.len()), Ok(2), "the newest");
    assert!(opened.walked().commits < 10, "a question about the newest reads no more: {:?}", opened.walked());
    let gone = BranchName::parse("gone").expect("a branch name");
    for _ in 0..3 {
        let first = Revision::parse(&first).expect("an id");
        assert!(matches!(opened.relation(&first, 5), Ok(Relation::Ahead { count: 21, .. })), "the oldest");
        assert_eq!(opened.branch(&gone), Ok(BranchState::Gone { merged_into: None }), "a branch");
        let fates = opened.fates(&["a.txt".into(), "never.txt".into()], 1_000).expect("paths");
        assert_eq!(fates, [PathFate::Gone { renamed_to: None }, PathFate::NeverSeen], "paths");
        assert!(opened.last_changes(&["f3.txt".into()], 1_000).expect("a file")[0].is_some(), "a file");
    }
    assert_eq!(opened.walked(), Walked { walks: 1, commits: 22 }, "each commit was read once");
    repo.commit("new.txt", "x\n", "New");
    assert_eq!(opened.log(1).expect("the log")[0].subject.raw(), "New", "a HEAD that moved is read anew");
    assert_eq!(opened.walked().walks, 2, "and that is another walk");
}

#[test]
fn an_abbreviation_of_several_commits_is_ambiguous() {
    let repo = TestRepo::new();
    repo.commit("a.txt", "1\n", "First");
    let opened = Repo::open(repo.dir()).expect("it opens");
    let relation = |id: &str| opened.relation(&Revision::parse(id).expect("an id"), 1);
    // With fixed names and dates, commits of the empty tree with these two messages share seven digits.
    let empty = git(repo.dir(), &["hash-object", "-w", "-t", "tree", "/dev/null"]);
    let one = git(repo.dir(), &["commit-tree", &empty, "-m", "40638"]);
    assert!(
        matches!(relation(&one[..7]), Ok(Relation::Diverged { ahead: 1, behind: 1, .. })),
        "a positive control: one fits"
    );
    let other = git(repo.dir(), &["commit-tree", &empty, "-m", "42710"]);
    assert_eq!(one[..7], other[..7], "the two commits are the ones that were looked for");
    assert_eq!(relation(&one[..7]), Ok(Relation::Ambiguous), "seven digits fit both");
    assert!(matches!(relation(&one), Ok(Relation::Diverged { .. })), "the full id fits one");
}

#[test]
fn a_cut_history_does_not_tell_how_two_commits_stand() {
    let repo = TestRepo::new();
    let first = repo.commit("a.txt", "1\n", "First");
    repo.commit("a.txt", "2\n", "Second");
    repo.commit("a.txt", "3\n", "Third");
    let shallow = repo.beside("shallow");
    let (source, target) = (format!("file://{}", repo.dir().display()), shallow.display().to_string());
    git(repo.dir(), &["clone", "-q", "--depth=1", &source, &target]);
    let opened = Repo::open(&shallow).expect("it opens");
    let first = Revision::parse(&first).expect("an id");
    let unfetched = opened.relation(&first, 5);
    assert!(
        matches!(&unfetched, Err(RepoError::Refused(why)) if why.contains("shallow")),
        "what is not here may lie behind the cut: {unfetched:?}"
    );
    assert_eq!(opened.log(5).map(|log| log.len()), Ok(1), "the log ends where the clone was cut");
    git(&shallow, &["fetch", "-q", "--depth=1", &source, first.as_str()]);
    let refused = Repo::open(&shallow).and_then(|opened| opened.relation(&first, 5));
    assert!(
        matches!(&refused, Err(RepoError::Refused(why)) if why.contains("shallow")),
        "both are here, the way between them is not: {refused:?}"
    );
}

#[test]
fn a_branch_is_here_at_a_remote_or_gone() {
    let repo = TestRepo::new();
    let first = repo.commit("a.txt", "1\n", "First");
    repo.git(&["branch", "feat/x"]);
    repo.git(&["checkout", "-q", "-b", "feat/merged"]);
    repo.commit("m.txt", "m\n", "Work");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "feat/merged"]);
    repo.git(&["branch", "-q", "-D", "feat/merged"]);
    repo.git(&["update-ref", "refs/remotes/origin/far", &first]);
    repo.git(&["update-ref", "refs/remotes/origin/too/far", &first]);
    repo.git(&["tag", "v1"]);
    repo.git(&["tag", "-a", "-m", "x", "v2"]);
    let opened = Repo::open(repo.dir()).expect("it opens");
    let name = |text: &str| BranchName::parse(text).expect("a branch name");
    let state = |text: &str| opened.branch(&name(text)).expect("references are readable");

    assert!(
        matches!(state("feat/x"), BranchState::Local(id) if id.as_str() == first),
        "a local one has its commit"
    );
    assert_eq!(
        state("far"),
        BranchState::RemoteOnly(vec!["origin/far".into()]),
        "`too/far` is another branch"
    );
    assert_eq!(
        state("feat/merged"),
        BranchState::Gone { merged_into: Some(name("main")) },
        "history knows where to"
    );
    assert_eq!(state("v1"), BranchState::Gone { merged_into: None }, "a tag is no branch");
    assert_eq!(
        state("heads/feat/x"),
        BranchState::Gone { merged_into: None },
        "only full names are looked up"
    );
    assert_eq!(opened.has_tag(&name("v1")), Ok(true), "a light tag");
    assert_eq!(opened.has_tag(&name("v2")), Ok(true), "an annotated one");
    assert_eq!(opened.has_tag(&name("main")), Ok(false), "a branch is no tag");
}

#[test]
fn the_upstream_is_compared_by_local_references() {
    let repo = TestRepo::new();
    let first = repo.commit("a.txt", "1\n", "First");
    let opened = Repo::open(repo.dir()).expect("it opens");
    assert_eq!(opened.upstream(), Ok(None), "none is configured");
    repo.git(&["remote", "add", "origin", "https://h.example/r.git"]);
    repo.git(&["config", "branch.main.remote", "origin"]);
    repo.git(&["config", "branch.main.merge", "refs/heads/trunk"]);
    let upstream = || Repo::open(repo.dir()).and_then(|opened| opened.upstream());
    assert!(
        matches!(upstream(), Err(RepoError::Refused(why)) if why.contains("not here")),
        "it was never fetched"
    );
    repo.git(&["update-ref", "refs/remotes/origin/trunk", &first]);
    repo.commit("a.txt", "2\n", "Second");
    let found = upstream().expect("it is here").expect("it is configured");
    assert_eq!((found.name.raw(), found.ahead, found.behind), ("origin/trunk", 1, 0), "one commit ahead");
    repo.git(&["config", "branch.main.remote", "."]);
    repo.git(&["branch", "trunk", &first]);
    let found = upstream().expect("it is here").expect("it is configured");
    assert_eq!((found.name.raw(), found.ahead, found.behind), ("trunk", 1, 0), "a local upstream");
}

#[test]
fn files_are_there_renamed_removed_or_were_never_seen() {
    let repo = TestRepo::new();
    repo.write("old.txt", LONG);
    repo.write("lib/one.rs", &LONG.replace("line", "one"));
    repo.write("lib/two.rs", &LONG.replace("line", "two"));
    repo.commit("gone.txt", "gone\n", "First");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "More"]);
    repo.git(&["mv", "old.txt", "middle.txt"]);
    repo.git(&["commit", "-q", "-m", "Rename"]);
    repo.git(&["rm", "-q", "gone.txt"]);
    repo.git(&["mv", "lib", "src"]);
    repo.git(&["commit", "-q", "-m", "Remove and move"]);
    repo.git(&["mv", "middle.txt", "new.txt"]);
    repo.git(&["commit", "-q", "-m", "Rename again"]);
    repo.write("loose.txt", "x\n");
    std::os::unix::fs::symlink("nowhere", repo.dir().join("dangling")).expect("a link can be made");
    std::fs::remove_file(repo.dir().join("src/two.rs")).expect("a file can be removed");
    let opened = Repo::open(repo.dir()).expect("it opens");
    let renamed = |to: &str| PathFate::Gone { renamed_to: Some(to.into()) };
    let expected = [
        ("new.txt", PathFate::There),
        ("./src/", PathFate::There),
        ("loose.txt", PathFate::There),
        ("dangling", PathFate::There),
        ("old.txt", renamed("new.txt")),
        ("middle.txt", renamed("new.txt")),
        ("lib/one.rs", renamed("src/one.rs")),
        ("lib/", renamed("src")),
        ("gone.txt", PathFate::Gone { renamed_to: None }),
        ("src/two.rs", PathFate::Gone { renamed_to: None }),
        ("never.txt", PathFate::NeverSeen),
        ("../outside", PathFate::NeverSeen),
        ("/etc/passwd", PathFate::NeverSeen),
    ];
    let paths: Vec<Inert> = expected.iter().map(|(path, _)| Inert::from(*path)).collect();
    let fates = opened.fates(&paths, 100).expect("the history is readable");
    for ((path, expected), fate) in expected.iter().zip(&fates) {
        assert_eq!(fate, expected, "{path}");
    }
    let short = opened.fates(&["gone.txt".into()], 1).expect("the history is readable");
    assert_eq!(short, [PathFate::NeverSeen], "a budget that ends before says only what it saw");
}

#[test]
fn the_last_change_of_a_file_is_the_one_git_names() {
    let repo = TestRepo::new();
    repo.commit("a.txt", "1\n", "First");
    repo.commit("b.txt", "1\n", "Second");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.commit("b.txt", "2\n", "Side");
    repo.commit("sub/c.txt", "1\n", "Deep");
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("a.txt", "2\n", "Third");
    repo.git(&["merge", "-q", "--no-ff", "side", "-m", "Merge"]);
    repo.commit("d.txt", "1\n", "Fourth");
    repo.git(&["rm", "-q", "d.txt"]);
    repo.git(&["commit", "-q", "-m", "Remove"]);
    let opened = Repo::open(repo.dir()).expect("it opens");
    let names = ["a.txt", "b.txt", "sub", "sub/c.txt", "d.txt", "never.txt"];
    let mut paths: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
    let found = opened.last_changes(&paths, 100).expect("the history is readable");
    for (name, found) in names.iter().zip(&found) {
        let theirs = repo.git(&["log", "-1", "--format=%H", "--", name]);
        let ours = found.as_ref().map(|commit| commit.id.as_str()).unwrap_or_default();
        assert_eq!(ours, theirs, "{name}");
    }
    assert!(found[5].is_none(), "a positive control: one that never was has no change");
    paths[0] = repo.dir().join("a.txt");
    let absolute = opened.last_changes(&paths, 100).expect("the history is readable");
    assert_eq!(absolute[0], found[0], "an absolute path below the root is the same file");
    let none = opened.last_changes(&paths, 1).expect("the history is readable");
    assert!(none[0].is_none(), "a budget that ends before says nothing");
}

#[test]
fn one_repository_answers_several_threads() {
    let repo = TestRepo::new();
    let first = repo.commit("a.txt", "1\n", "First");
    let opened = Repo::open(repo.dir()).expect("it opens");
    std::thread::scope(|scope| {
        let asked: Vec<_> =
            (0..4).map(|_| scope.spawn(|| (opened.head(), opened.status(), opened.log(5)))).collect();
        for answer in asked {
            let (head, status, log) = answer.join().expect("no thread panics");
            assert_eq!(
                head.expect("HEAD").commit().map(|id| id.as_str()),
                Some(first.as_str()),
                "the same HEAD"
            );
            assert!(status.is_ok_and(|status| status.entries.is_empty()), "the same status");
            assert_eq!(log.map(|log| log.len()), Ok(1), "the same log");
        }
    });
}

#[test]
fn what_a_sparse_checkout_leaves_out_is_there_whatever_the_index_is() {
    for index in ["--no-sparse-index", "--sparse-index"] {
        let repo = TestRepo::new();
        repo.commit("kept/c.txt", "c\n", "Kept");
        repo.commit("left/out/d.txt", "d\n", "Left out");
        repo.git(&["sparse-checkout", "set", "--cone", index, "kept"]);
        assert!(!repo.dir().join("left/out/d.txt").exists(), "a positive control: it is left out");
        let opened = Repo::open(repo.dir()).expect("it opens");
        let fates = opened.fates(&["left/out/d.txt".into(), "left/never.txt".into()], 100);
        assert_eq!(fates, Ok(vec![PathFate::There, PathFate::NeverSeen]), "{index}: left out is not gone");
    }
}
