//! The history's bundle, with git itself as the judge.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::git::{git, try_git};
use super::{Bench, TestRepo, code, said};

/// Captures with history and copies the bundle out; gives its path.
fn bundle(bench: &Bench, named: &str) -> PathBuf {
    let kept = bench.captured(&["--include-history", "--history-ref", named]);
    assert_eq!(kept["history"]["status"], "captured", "{kept}");
    let to = bench.repo.beside("out");
    bench.open().copy_out(&bench.newest(), &to).expect("copied out");
    to.join("history.bundle")
}

/// The ids of everything that a reference reaches.
fn reached(dir: &Path, reference: &str) -> BTreeSet<String> {
    let listed = git(dir, &["rev-list", "--objects", "--no-object-names", reference]);
    listed.lines().map(str::to_owned).collect()
}

/// git takes the bundle, and a clone of it has what the branch has, object by object.
fn is_whole(bench: &Bench, branch: &str) {
    let repo = bench.repo.dir();
    let file = bundle(bench, &format!("refs/heads/{branch}"));
    let path = file.display().to_string();
    git(repo, &["bundle", "verify", "-q", &path]);
    let heads = git(repo, &["bundle", "list-heads", &path]);
    let head = git(repo, &["rev-parse", &format!("refs/heads/{branch}")]);
    assert_eq!(heads, format!("{head} refs/heads/{branch}"), "exactly the named reference is in it");
    let clone = bench.repo.beside("clone");
    git(
        bench.repo.beside(".").as_path(),
        &["clone", "-q", "-b", branch, &path, &clone.display().to_string()],
    );
    git(&clone, &["fsck", "--full", "--strict"]);
    assert_eq!(git(&clone, &["rev-parse", "HEAD"]), head, "the clone stands at the same commit");
    assert_eq!(git(&clone, &["status", "--porcelain"]), "", "with the same files");
    let want = reached(repo, &format!("refs/heads/{branch}"));
    assert_eq!(reached(&clone, "HEAD"), want, "every object came along and none besides");
    let Some(store) = bench.newest().manifest.history.bundle().map(|(digest, _)| digest.clone()) else {
        panic!()
    };
    assert!(
        fs::read_dir(bench.store.join("objects").join(&store.as_str()[..2])).is_ok(),
        "kept by its digest"
    );
}

fn grown() -> TestRepo {
    let repo = TestRepo::new();
    let mut text = String::new();
    for number in 0..40 {
        text.push_str(&format!("line {number} of a file that grows and is a delta of itself\n"));
        repo.commit("docs/grows.md", &text, &format!("Commit {number}"));
    }
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.commit("side/deep/er/file", "side\n", "Side");
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("docs/b.md", "b\n", "Main");
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge", "side"]);
    repo
}

#[test]
fn loose_objects_and_a_merge_come_along() {
    is_whole(&Bench::around(grown()), "main");
}

#[test]
fn packed_deltas_come_along_as_they_are() {
    let repo = grown();
    repo.git(&["gc", "-q"]);
    repo.commit("docs/c.md", "loose beside a pack\n", "Loose");
    repo.git(&["repack", "-q"]);
    repo.commit("docs/d.md", "and loose again\n", "Looser");
    repo.git(&["branch", "other"]);
    repo.git(&["tag", "main"]);
    let bench = Bench::around(repo);
    is_whole(&bench, "main");
    let size = bench.newest().manifest.history.bundle().map(|(_, size)| size).expect("a bundle");
    assert!(size < 20_000, "deltas of the pack are kept as deltas: {size} bytes");
}

#[test]
fn a_sha256_repository_comes_along() {
    let repo = TestRepo::init(&["--object-format=sha256"]);
    repo.commit("docs/a.md", "a\n", "First");
    repo.commit("docs/a.md", "b\n", "Second");
    is_whole(&Bench::around(repo), "main");
}

#[test]
fn a_linked_worktree_gives_its_own_branch() {
    let repo = TestRepo::new();
    repo.commit("docs/a.md", "a\n", "First");
    let lane = repo.beside("lane");
    repo.git(&["worktree", "add", "-q", "-b", "lane/one", &lane.display().to_string()]);
    repo.git_in(&lane, &["commit", "-q", "--allow-empty", "-m", "In the lane"]);
    let bench = Bench::around(repo);
    let mut words = bench.words();
    for word in &mut words {
        *word = word.replace(&bench.repo.dir().display().to_string(), &lane.display().to_string());
    }
    words.extend(
        ["--approve", "--include-history", "--history-ref", "refs/heads/lane/one"].map(str::to_owned),
    );
    let output = super::run(&words);
    assert_eq!(code(&output), 0, "{}", said(&output));
    let kept = super::document(&output);
    assert_eq!(kept["history"]["commits"], 2, "the lane's own commit is in it: {kept}");
    assert_eq!(
        kept["omissions"].as_array().map(Vec::len),
        Some(0),
        "its `.git` file is not in `docs`: {kept}"
    );
}

#[test]
fn submodules_and_replaced_objects_do_not_lead_astray() {
    let repo = TestRepo::new();
    let first = repo.commit("docs/a.md", "a\n", "First");
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{first},sub")]);
    repo.git(&["commit", "-q", "-m", "A submodule"]);
    let second = repo.commit("docs/a.md", "b\n", "Second");
    repo.git(&["replace", &second, &first]);
    let bench = Bench::around(repo);
    let file = bundle(&bench, "main");
    let clone = bench.repo.beside("clone");
    let clone_text = clone.display().to_string();
    git(bench.repo.dir(), &["clone", "-q", "-b", "main", &file.display().to_string(), &clone_text]);
    assert_eq!(git(&clone, &["rev-parse", "HEAD"]), second, "the commit itself, not what stands in for it");
    git(&clone, &["fsck", "--full"]);
}

/// What is done to a repository of two commits, which reference is asked for then, and a word of the reason.
type Case = (&'static str, fn(&TestRepo), &'static str, &'static str);

#[test]
fn a_history_that_cannot_be_kept_whole_is_refused_with_the_reason() {
    let cases: [Case; 6] = [
        (
            "another branch",
            |r| drop(r.git(&["branch", "other"])),
            "refs/heads/other",
            "is on refs/heads/main, not on",
        ),
        ("a tag", |r| drop(r.git(&["tag", "v1"])), "refs/tags/v1", "not on refs/tags/v1"),
        ("a commit id", |_| (), "HEAD", "not on HEAD"),
        ("a detached HEAD", |r| drop(r.git(&["checkout", "-q", "--detach"])), "refs/heads/main", "detached"),
        (
            "no commit yet",
            |r| drop(r.git(&["checkout", "-q", "--orphan", "new"])),
            "refs/heads/new",
            "no commit yet",
        ),
        (
            "a missing object",
            |r| {
                let blob = r.git(&["rev-parse", "HEAD~1:docs/a.md"]);
                fs::remove_file(r.dir().join(".git/objects").join(&blob[..2]).join(&blob[2..]))
                    .expect("removed");
            },
            "refs/heads/main",
            "cannot be read",
        ),
    ];
    for (name, change, reference, why) in cases {
        let repo = TestRepo::new();
        repo.commit("docs/a.md", "a\n", "First");
        repo.commit("docs/a.md", "b\n", "Second");
        let bench = Bench::around(repo);
        bench.captured(&["--include-history", "--history-ref", "refs/heads/main"]);
        change(&bench.repo);
        let before = super::everything(&bench.store);
        let output = bench.capture(&["--include-history", "--history-ref", reference]);
        assert_eq!(code(&output), 2, "{name} is refused: {}", said(&output));
        assert!(said(&output).contains(why), "{name}: because {why:?}: {}", said(&output));
        assert_eq!(super::everything(&bench.store), before, "{name}: the last good snapshot is what it was");
        bench.captured(&[]);
    }
}

#[test]
fn a_damaged_object_and_a_cut_history_are_refused() {
    let repo = TestRepo::new();
    repo.commit("docs/a.md", "a\n", "First");
    repo.commit("docs/a.md", "b\n", "Second");
    let blob = repo.git(&["rev-parse", "HEAD:docs/a.md"]);
    let other = repo.git(&["rev-parse", "HEAD~1:docs/a.md"]);
    let object = |id: &str| repo.dir().join(".git/objects").join(&id[..2]).join(&id[2..]);
    let (good, wrong) = (fs::read(object(&blob)).expect("read"), fs::read(object(&other)).expect("read"));
    fs::remove_file(object(&blob)).expect("removed");
    fs::write(object(&blob), wrong).expect("written");
    let bench = Bench::around(repo);
    let output = bench.capture(&["--include-history", "--history-ref", "main"]);
    assert_eq!(code(&output), 2, "bytes of another object are no object: {}", said(&output));
    assert!(said(&output).contains("damaged"), "{}", said(&output));
    let path = bench.repo.dir().join(".git/objects").join(&blob[..2]).join(&blob[2..]);
    fs::write(path, good).expect("written");
    bench.captured(&["--include-history", "--history-ref", "main"]);

    let shallow = TestRepo::plain_directory();
    let url = format!("file://{}", bench.repo.dir().display());
    try_git(shallow.dir(), &["clone", "-q", "--depth", "1", &url, "."]).expect("a shallow clone");
    let bench = Bench::around(shallow);
    let output = bench.capture(&["--include-history", "--history-ref", "main"]);
    assert_eq!(code(&output), 2, "a cut history is refused: {}", said(&output));
    assert!(said(&output).contains("shallow"), "{}", said(&output));
    bench.captured(&[]);
}
