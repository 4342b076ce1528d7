//! Branches and HEAD that went elsewhere.

use crate::git::{TestRepo, try_git};
use crate::{NOTE, PLAN, RECORD, THUNDERKIT, dated, saved, told, told_alike};

/// Goes on on main, so that the branch has something to be put on.
fn main_goes_on(repo: &TestRepo) {
    repo.git(&["switch", "-q", "main"]);
    repo.commit("src/other.rs", "fn other() {}\n", "Other");
}

#[test]
fn after_a_rebase_the_recorded_commit_is_no_longer_in_the_history() {
    let repo = saved();
    main_goes_on(&repo);
    repo.git(&["switch", "-q", "feat/tides"]);
    repo.git(&["rebase", "-q", "main"]);
    let now = repo.git(&["rev-parse", "HEAD~1"]);
    let why = format!(
        "not in HEAD's history (rewritten as {}; unreachable, no branch or tag has it): 3 ahead, 1 behind",
        &now[..7]
    );
    let why = why.as_str();
    told_alike(&repo, repo.dir(), &[PLAN, NOTE, &dated(&repo)], "drifted", &[why]);
    let told = told(&repo, repo.dir());
    assert_eq!(told[RECORD].check("commit"), ("failed", why), "the record as well");
    let (outcome, why) = told[THUNDERKIT].check("root-head");
    assert!(outcome == "failed" && why.contains("rewritten"), "and a lane's root: {why}");
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    told_alike(&repo, repo.dir(), &[NOTE], "drifted", &["no such commit in this repository"]);
}

#[test]
fn a_branch_that_was_merged_and_deleted_is_told_with_where_it_went() {
    let repo = saved();
    repo.git(&["push", "-q", "-u", "origin", "feat/tides"]);
    repo.git(&["switch", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "--no-edit", "feat/tides"]);
    let here = "on main now; feat/tides is still here";
    told_alike(&repo, repo.dir(), &[NOTE], "drifted", &[here]);
    repo.git(&["branch", "-q", "-D", "feat/tides"]);
    let far = "on main now; feat/tides is only on the remote (origin/feat/tides)";
    told_alike(&repo, repo.dir(), &[NOTE], "drifted", &[far]);
    repo.git(&["push", "-q", "origin", ":feat/tides"]);
    let gone = "on main now; feat/tides is gone (merged into main)";
    told_alike(&repo, repo.dir(), &[PLAN, NOTE, &dated(&repo)], "drifted", &[gone]);
    let told = told(&repo, repo.dir());
    assert_eq!(told[PLAN].check("commit").0, "passed", "only handoffs' own files were committed since");
    assert_eq!(told[RECORD].verdict, "current", "a record names no branch, and its commit is there");
    let (outcome, why) = told[THUNDERKIT].check("root-branch");
    assert!(outcome == "failed" && why.contains("main") && why.contains("feat/tides"), "{why}");
}

#[test]
fn without_a_merge_commit_the_recorded_commit_says_that_the_work_is_in() {
    let repo = saved();
    repo.git(&["switch", "-q", "main"]);
    repo.git(&["merge", "-q", "--ff-only", "feat/tides"]);
    repo.git(&["branch", "-q", "-D", "feat/tides"]);
    let why = "on main now; feat/tides is gone, and its recorded commit is in this history";
    told_alike(&repo, repo.dir(), &[NOTE], "drifted", &[why]);
    let squashed = saved();
    squashed.git(&["switch", "-q", "main"]);
    squashed.git(&["merge", "-q", "--squash", "feat/tides"]);
    squashed.git(&["commit", "-q", "-m", "Tides"]);
    squashed.git(&["branch", "-q", "-D", "feat/tides"]);
    let why = ["on main now; feat/tides is gone", "not in HEAD's history"];
    told_alike(&squashed, squashed.dir(), &[NOTE], "drifted", &why);
    let told = told(&squashed, squashed.dir());
    assert!(
        !told[NOTE].check("branch").1.contains("recorded commit"),
        "a squash leaves no trace: nothing is guessed"
    );
}

#[test]
fn a_branch_that_was_squashed_is_told_with_the_commit_that_has_it_all() {
    let repo = saved();
    let note = std::fs::read_to_string(repo.dir().join(NOTE)).expect("read");
    repo.git(&["switch", "-q", "main"]);
    repo.commit("src/first.rs", "fn first() {}\n", "Main goes on before");
    repo.git(&["merge", "-q", "--squash", "feat/tides"]);
    repo.git(&["commit", "-q", "-m", "Tides (#12)"]);
    let squashed = repo.git(&["rev-parse", "--short=7", "HEAD"]);
    repo.commit("src/tides.rs", "fn tides() { /* shorter */ }\n", "And after");
    repo.git(&["branch", "-q", "-D", "feat/tides"]);
    let why = format!(
        "not in HEAD's history (all that it changed is in HEAD's history since {squashed}; unreachable, no branch or tag \
         has it): 3 ahead, 1 behind"
    );
    told_alike(&repo, repo.dir(), &[PLAN, NOTE, &dated(&repo)], "drifted", &[&why]);
    let gone =
        format!("on main now; feat/tides is gone, and what it had is in this history since {squashed}");
    assert_eq!(
        told(&repo, repo.dir())[NOTE].check("branch"),
        ("failed", gone.as_str()),
        "the branch as well"
    );
    repo.git(&["reset", "-q", "--hard", "HEAD~2"]);
    repo.write(NOTE, &note);
    repo.commit("src/tides.rs", "fn tides() { /* something else */ }\n", "The control");
    let why = "not in HEAD's history (unreachable, no branch or tag has it): 2 ahead, 1 behind";
    told_alike(&repo, repo.dir(), &[NOTE], "drifted", &[why, "on main now; feat/tides is gone"]);
}

#[test]
fn what_git_has_begun_and_not_ended_is_said() {
    let repo = saved();
    // Of no commit, so that it is there whatever is checked out.
    let text = std::fs::read_to_string(repo.dir().join(NOTE)).expect("read");
    repo.write("HANDOVER.md", &text);
    let said = |what: &str| {
        let list = crate::moorline(&repo, repo.dir(), &["list", "--json"]);
        let list: serde_json::Value = serde_json::from_slice(&list.stdout).expect("a document");
        assert_eq!(list["project"]["under_way"], what, "the project is in the middle of it");
        let note = format!("{what} is under way in this worktree");
        let (words, _) = crate::words(&repo, repo.dir(), "HANDOVER.md");
        assert!(words.contains(&note), "{note}: {words}");
        let block = crate::block(&repo, repo.dir(), "HANDOVER.md");
        assert!(block.contains(&note), "{note}: {block}");
        // In the header, once the project was read.
        crate::Desk::open(repo.dir()).see(&format!("{what} is under way"));
    };
    main_goes_on(&repo);
    repo.commit("src/tides.rs", "fn tides() { /* another way */ }\n", "A conflict");
    repo.git(&["switch", "-q", "feat/tides"]);
    let (words, _) = crate::words(&repo, repo.dir(), "HANDOVER.md");
    assert!(!words.contains("under way"), "the control: nothing is: {words}");
    let stops = |args: &[&str]| assert!(try_git(repo.dir(), args).is_err(), "{args:?} stops at the conflict");
    stops(&["rebase", "-q", "main"]);
    said("a rebase of feat/tides");
    repo.git(&["rebase", "--abort"]);
    stops(&["merge", "-q", "main"]);
    said("a merge");
    repo.git(&["merge", "--abort"]);
    stops(&["cherry-pick", "main"]);
    said("a cherry-pick");
    repo.git(&["cherry-pick", "--abort"]);
    repo.git(&["bisect", "start"]);
    said("a bisect");
}

#[test]
fn a_detached_head_is_called_that() {
    let repo = saved();
    let head = repo.git(&["rev-parse", "--short=7", "HEAD"]);
    repo.git(&["switch", "-q", "--detach"]);
    let why = format!("HEAD is detached at {head}; feat/tides is still here");
    told_alike(&repo, repo.dir(), &[PLAN, NOTE, &dated(&repo)], "drifted", &[&why]);
    let told = told(&repo, repo.dir());
    assert_eq!(told[RECORD].verdict, "current", "a record names no branch");
    let (outcome, why) = told[THUNDERKIT].check("root-branch");
    assert_eq!((outcome, why), ("failed", "HEAD is detached now, not on feat/tides"));
}

#[test]
fn an_older_state_is_told_as_that_and_not_as_rewritten() {
    let repo = saved();
    let text = std::fs::read_to_string(repo.dir().join(NOTE)).expect("read");
    repo.git(&["switch", "-q", "main"]);
    repo.write(NOTE, &text);
    told_alike(&repo, repo.dir(), &[NOTE], "drifted", &["HEAD is 1 commit before it"]);
}

#[test]
fn in_a_worktree_of_another_branch_its_own_copy_is_judged_by_that_branch() {
    let repo = saved();
    repo.git(&["push", "-q", "origin", "feat/tides"]);
    let beside = repo.beside("other");
    repo.git(&["worktree", "add", "-q", "-b", "other", &beside.display().to_string(), "feat/tides"]);
    let why = "on other now; feat/tides is still here";
    let names = [PLAN, NOTE, &dated(&repo)];
    told_alike(&repo, &beside, &names, "drifted", &[why]);
    told_alike(&repo, repo.dir(), &names, "current", &[]);
    let from_there = told(&repo, &beside);
    assert_eq!(from_there[RECORD].check("project-root").0, "failed", "a record is about the other directory");
    assert_eq!(
        from_there[THUNDERKIT].check("root-branch").0,
        "failed",
        "nor is a lane resumed from another branch's worktree"
    );
    assert_eq!(
        from_there.len(),
        told(&repo, repo.dir()).len(),
        "equal copies are one row, seen from either side"
    );
}
