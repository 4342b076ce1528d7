//! Files of a repository that must not be opened: a FIFO never answers, a device or a sparse file never ends.

use std::fs::File;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use moorline::handoff::{CommitId, Revision};
use moorline::repo::{Relation, Repo, RepoError};

use crate::git::TestRepo;

/// Far more than an answer takes; only a hang lasts so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// What gix opens by itself; the last two are only met by status, the reference only by HEAD.
const FILES: [&str; 16] = [
    ".git/HEAD",
    ".git/config",
    ".git/config.worktree",
    ".git/index",
    ".git/packed-refs",
    ".git/shallow",
    ".git/info/exclude",
    ".git/info/attributes",
    ".git/objects/info/alternates",
    ".git/refs/heads/main",
    ".git/sharedindex.0123456789012345678901234567890123456789",
    ".git/objects/ab/cdef0123456789012345678901234567890123",
    ".git/objects/info/commit-graph",
    ".gitignore",
    "sub/.gitattributes",
    "new/deep/.gitignore",
];

/// A way to put something odd at a path.
type Kind = (&'static str, fn(&Path));

const KINDS: [Kind; 4] = [
    ("a FIFO", |path| {
        let made = Command::new("mkfifo").arg(path).status().expect("mkfifo runs");
        assert!(made.success(), "a FIFO can be made");
    }),
    ("an endless device", |path| symlink("/dev/zero", path).expect("a link can be made")),
    ("a directory", |path| std::fs::create_dir(path).expect("a directory can be made")),
    ("a huge sparse file", |path| {
        let file = File::create(path).expect("a file can be made");
        file.set_len(100 << 30).expect("a file can be sparse");
    }),
];

#[test]
fn what_is_no_sane_file_is_refused_by_name_and_never_opened() {
    for (kind, put) in KINDS {
        for file in FILES {
            let repo = repository();
            let path = repo.dir().join(file);
            let _ = std::fs::remove_file(&path);
            std::fs::create_dir_all(path.parent().expect("it lies in a directory")).expect("it can be made");
            put(&path);
            let answer = asked(repo.dir());
            if is_passed_over(kind, file) {
                assert_eq!(answer, "", "{kind} at {file} is passed over");
                continue;
            }
            assert!(answer.contains(&path.display().to_string()), "{kind} at {file} is named: {answer:?}");
            assert!(answer.contains("remove it"), "{kind} at {file}: what to do is said: {answer:?}");
        }
    }
}

#[test]
fn an_object_store_that_is_borrowed_from_is_looked_at_as_well() {
    let repo = repository();
    let store = repo.beside("store/objects");
    std::fs::create_dir_all(store.join("cd")).expect("directories can be made");
    let borrowed = repo.dir().join(".git/objects/info/alternates");
    std::fs::create_dir_all(borrowed.parent().expect("a directory")).expect("it can be made");
    std::fs::write(&borrowed, format!("{}\n", store.display())).expect("written");
    assert_eq!(asked(repo.dir()), "", "a positive control: a sane store is read");
    let odd = store.join("cd/ef0123456789012345678901234567890123ab");
    KINDS[0].1(&odd);
    assert!(asked(repo.dir()).contains(&odd.display().to_string()), "a FIFO in it is refused by name");
}

#[test]
fn a_file_that_is_swapped_while_the_repository_is_open_is_met_as_well() {
    let repo = repository();
    let opened = Repo::open(repo.dir()).expect("a plain repository opens");
    assert!(opened.status().is_ok(), "a positive control: it is readable before");
    let index = repo.dir().join(".git/index");
    std::fs::remove_file(&index).expect("the index can be removed");
    KINDS[0].1(&index);
    let why = within(move || opened.status().err().map(|why| why.to_string()));
    assert!(why.is_some_and(|why| why.contains(".git/index")), "the FIFO is refused at the next question");
}

#[test]
fn the_same_commit_is_only_said_of_one_that_can_be_read() {
    let repo = repository();
    let head = CommitId::parse(&repo.git(&["rev-parse", "HEAD"])).expect("git gives a full id");
    let recorded = Revision::from(head.clone());
    let ask = || Repo::open(repo.dir()).and_then(|opened| opened.relation(&recorded, 5));
    assert_eq!(ask(), Ok(Relation::Same), "a positive control: with its object it is the same");
    let (fan, rest) = head.as_str().split_at(2);
    std::fs::remove_file(repo.dir().join(".git/objects").join(fan).join(rest)).expect("it is a loose object");
    assert!(
        matches!(ask(), Err(RepoError::Refused(ref why)) if why.contains("the object database cannot be read")),
        "without it nothing is known: {:?}",
        ask()
    );
}

fn repository() -> TestRepo {
    let repo = TestRepo::new();
    repo.write("a.txt", "one\n");
    repo.write("sub/b.txt", "two\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "Start"]);
    repo.write("new/deep/c.txt", "three\n");
    assert_eq!(asked(repo.dir()), "", "a positive control: untouched, everything is answered");
    repo
}

/// git passes over a directory where rules would lie, and over a directory beside a reference.
fn is_passed_over(kind: &str, file: &str) -> bool {
    let rules = file.ends_with(".gitignore") || file.ends_with(".gitattributes");
    let loose = file.contains("/objects/ab/");
    // A loose object's size is its own business; only what never answers or never ends is not opened.
    kind == "a directory" && (rules || loose || file == ".git/refs/heads/main")
        || kind == "a huge sparse file" && loose
}

/// Opens a repository and asks for its HEAD and status: the first refusal, or nothing.
fn asked(dir: &Path) -> String {
    let dir = dir.to_owned();
    within(move || {
        let answer = Repo::open(&dir).and_then(|repo| repo.head().and_then(|_| repo.status()));
        answer.err().map(|why| why.to_string()).unwrap_or_default()
    })
}

/// Asks on a thread of its own, so that a hang is a failure.
fn within<T: Send + 'static>(ask: impl FnOnce() -> T + Send + 'static) -> T {
    let (answered, answer) = mpsc::channel();
    std::thread::spawn(move || answered.send(ask()));
    answer.recv_timeout(PATIENCE).expect("a repository must answer, whatever lies in it")
}
