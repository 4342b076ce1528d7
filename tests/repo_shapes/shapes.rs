//! Root, common directory, branch and HEAD of each shape are git's, or the shape is refused by name. Each lies
//! inside an outer repository, so that walking up would find something.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use moorline::repo::{Head, Repo, RepoError};

use crate::git::{self, TestRepo, git, try_git, write};

/// What must come of opening a shape.
enum Expect {
    /// Everything as git says.
    AsGit,
    /// A refusal whose sentence holds these words.
    Refused(&'static str),
    /// It opens, but HEAD is refused with these words.
    HeadRefused(&'static str),
    /// There is no repository there.
    Nothing,
}

use Expect::{AsGit, HeadRefused, Nothing, Refused};

/// A shape that was laid out: which directory to open, and what must come of it.
struct Shape(PathBuf, Expect);

/// How a shape is laid out from a repository with two commits on `main`.
type Build = fn(&TestRepo) -> Shape;

const SHAPES: &[(&str, Build)] = &[
    ("plain", |r| Shape(r.dir().into(), AsGit)),
    ("linked worktree", |r| Shape(linked(r), AsGit)),
    ("linked worktree with relative pointers", |r| {
        let dir = linked(r);
        write(&dir.join(".git"), "gitdir: ../project/.git/worktrees/lane\n");
        write(&r.dir().join(".git/worktrees/lane/gitdir"), "../../../../lane/.git\n");
        Shape(dir, AsGit)
    }),
    ("linked worktree that was moved", |r| {
        let moved = r.beside("moved");
        std::fs::rename(linked(r), &moved).expect("a directory can be moved");
        Shape(moved, Refused("moved or copied"))
    }),
    ("linked worktree that was moved and repaired", |r| {
        let moved = r.beside("moved");
        std::fs::rename(linked(r), &moved).expect("a directory can be moved");
        git(r.dir(), &["worktree", "repair", &text(&moved)]);
        Shape(moved, AsGit)
    }),
    ("linked worktree that was copied", |r| {
        let copy = r.beside("copy");
        std::fs::create_dir(&copy).expect("a directory can be made");
        std::fs::copy(linked(r).join(".git"), copy.join(".git")).expect("a file can be copied");
        Shape(copy, Refused("moved or copied"))
    }),
    ("linked worktree that was pruned", |r| {
        let dir = linked(r);
        std::fs::remove_dir_all(r.dir().join(".git/worktrees/lane")).expect("a directory can be removed");
        Shape(dir, Refused("pruned"))
    }),
    ("linked worktree whose directory is gone", |r| {
        let dir = linked(r);
        std::fs::remove_dir_all(&dir).expect("a directory can be removed");
        Shape(dir, Nothing)
    }),
    ("linked worktree below the project", |r| {
        let dir = r.dir().join(".thunderkit/runs/r1/worktrees/l1");
        r.git(&["worktree", "add", "-q", "-b", "l1", &text(&dir)]);
        Shape(dir, AsGit)
    }),
    ("linked worktree that is locked, with a configuration of its own", |r| {
        let dir = linked(r);
        git(r.dir(), &["worktree", "lock", &text(&dir)]);
        git(r.dir(), &["config", "extensions.worktreeConfig", "true"]);
        git(&dir, &["config", "--worktree", "core.autocrlf", "true"]);
        Shape(dir, AsGit)
    }),
    ("linked worktree of a bare repository", |r| {
        let bare = bare(r);
        let dir = r.beside("lane");
        git(&bare, &["worktree", "add", "-q", &text(&dir), "main"]);
        Shape(dir, AsGit)
    }),
    ("bare", |r| Shape(bare(r), Refused("bare"))),
    ("configured as bare", |r| {
        git(r.dir(), &["config", "core.bare", "true"]);
        Shape(r.dir().into(), Refused("bare"))
    }),
    ("detached", |r| {
        r.git(&["checkout", "-q", "--detach", "HEAD^"]);
        Shape(r.dir().into(), AsGit)
    }),
    ("in the middle of a rebase", |r| {
        r.git(&["checkout", "-q", "-b", "side", "HEAD^"]);
        r.commit("a.txt", "other\n", "Conflicts");
        assert!(try_git(r.dir(), &["rebase", "main"]).is_err(), "the rebase must stop half-way");
        Shape(r.dir().into(), AsGit)
    }),
    ("unborn", |r| {
        let dir = r.beside("unborn");
        git(r.dir(), &["init", "-q", "-b", "first/branch", &text(&dir)]);
        Shape(dir, AsGit)
    }),
    ("packed references", |r| {
        r.git(&["pack-refs", "--all"]);
        r.git(&["gc", "-q"]);
        Shape(r.dir().into(), AsGit)
    }),
    ("shallow", |r| {
        let dir = r.beside("shallow");
        git(r.dir(), &["clone", "-q", "--depth=1", &format!("file://{}", text(r.dir())), &text(&dir)]);
        Shape(dir, AsGit)
    }),
    ("SHA-256", |r| {
        let dir = r.beside("sha256");
        git(r.dir(), &["init", "-q", "-b", "main", "--object-format=sha256", &text(&dir)]);
        git(&dir, &["commit", "-q", "--allow-empty", "-m", "First"]);
        Shape(dir, AsGit)
    }),
    ("reftable", |r| {
        let dir = r.beside("reftable");
        git(r.dir(), &["init", "-q", "-b", "main", "--ref-format=reftable", &text(&dir)]);
        Shape(dir, Refused("reftable"))
    }),
    ("unknown extension", |r| {
        git(r.dir(), &["config", "core.repositoryFormatVersion", "1"]);
        git(r.dir(), &["config", "extensions.fromTheFuture", "true"]);
        Shape(r.dir().into(), Refused("fromTheFuture"))
    }),
    ("unknown format", |r| {
        git(r.dir(), &["config", "core.repositoryFormatVersion", "99"]);
        Shape(r.dir().into(), Refused("Unsupported repository format version"))
    }),
    ("submodule", |r| Shape(submodule(r), AsGit)),
    ("worktree of a submodule", |r| {
        let dir = r.beside("sub-lane");
        git(&submodule(r), &["worktree", "add", "-q", "-b", "sub-lane", &text(&dir)]);
        Shape(dir, AsGit)
    }),
    ("nested repository", |r| {
        let dir = r.dir().join("nested");
        git(r.dir(), &["init", "-q", "-b", "inner", &text(&dir)]);
        git(&dir, &["commit", "-q", "--allow-empty", "-m", "Inner"]);
        Shape(dir, AsGit)
    }),
    ("git directory kept elsewhere", |r| {
        let dir = r.beside("separate");
        let elsewhere = r.beside("elsewhere.git");
        git(r.dir(), &["init", "-q", "-b", "main", "--separate-git-dir", &text(&elsewhere), &text(&dir)]);
        git(&dir, &["commit", "-q", "--allow-empty", "-m", "First"]);
        Shape(dir, AsGit)
    }),
    ("opened through a symbolic link", |r| {
        let link = r.beside("link");
        std::os::unix::fs::symlink(r.dir(), &link).expect("a link can be made");
        Shape(link, AsGit)
    }),
    ("opened with a trailing slash and dots", |r| Shape(r.dir().join("../project/./"), AsGit)),
    (".git is a symbolic link to a git directory", |r| {
        let dir = r.beside("by-link");
        std::fs::create_dir(&dir).expect("a directory can be made");
        std::fs::rename(r.dir().join(".git"), r.beside("store")).expect("a directory can be moved");
        std::os::unix::fs::symlink("../store", dir.join(".git")).expect("a link can be made");
        Shape(dir, AsGit)
    }),
    (".git is a symbolic link into another worktree", |r| {
        let dir = r.beside("thief");
        std::fs::create_dir(&dir).expect("a directory can be made");
        std::os::unix::fs::symlink(r.dir().join(".git"), dir.join(".git")).expect("a link can be made");
        Shape(dir, Refused("another directory"))
    }),
    ("a tag and a branch of one name", |r| {
        r.git(&["tag", "main", "HEAD^"]);
        Shape(r.dir().into(), AsGit)
    }),
    ("HEAD is a symbolic link", |r| {
        let head = r.dir().join(".git/HEAD");
        std::fs::remove_file(&head).expect("a file can be removed");
        std::os::unix::fs::symlink("refs/heads/main", &head).expect("a link can be made");
        Shape(r.dir().into(), AsGit)
    }),
    ("HEAD through a symbolic branch", |r| {
        r.git(&["symbolic-ref", "refs/heads/alias", "refs/heads/main"]);
        r.git(&["symbolic-ref", "HEAD", "refs/heads/alias"]);
        Shape(r.dir().into(), AsGit)
    }),
    ("HEAD is empty", |r| {
        write(&r.dir().join(".git/HEAD"), "");
        Shape(r.dir().into(), HeadRefused("HEAD cannot be read"))
    }),
    ("HEAD is nonsense", |r| {
        write(&r.dir().join(".git/HEAD"), "ref: \u{1b}[31m../../etc/passwd\n");
        Shape(r.dir().into(), HeadRefused("HEAD cannot be read"))
    }),
    ("HEAD names no branch", |r| {
        write(&r.dir().join(".git/HEAD"), "ref: refs/remotes/origin/main\n");
        Shape(r.dir().into(), HeadRefused("is no branch"))
    }),
    ("the branch's file is nonsense", |r| {
        write(&r.dir().join(".git/refs/heads/main"), "not an id\n");
        Shape(r.dir().into(), HeadRefused("refs/heads/main cannot be read"))
    }),
    ("sparse checkout", |r| {
        r.commit("deep/c.txt", "c\n", "Deep");
        r.git(&["sparse-checkout", "set", "--no-cone", "/a.txt"]);
        Shape(r.dir().into(), AsGit)
    }),
    ("sparse index", |r| {
        sparse_index(r);
        Shape(r.dir().into(), AsGit)
    }),
    ("objects borrowed from another repository", |r| {
        let dir = r.beside("borrower");
        git(r.dir(), &["clone", "-q", "--shared", &text(r.dir()), &text(&dir)]);
        Shape(dir, AsGit)
    }),
    ("a replaced commit", |r| {
        r.git(&["replace", "HEAD", "HEAD^"]);
        Shape(r.dir().into(), AsGit)
    }),
    (".git points into another worktree", |r| {
        let dir = r.beside("forged");
        write(&dir.join(".git"), format!("gitdir: {}/.git\n", text(r.dir())));
        Shape(dir, Refused("another directory"))
    }),
    (".git points to another worktree's registration", |r| {
        linked(r);
        let dir = r.beside("forged");
        write(&dir.join(".git"), format!("gitdir: {}/.git/worktrees/lane\n", text(r.dir())));
        Shape(dir, Refused("registered as a worktree at"))
    }),
    ("a commondir that leads elsewhere", |r| {
        let dir = r.beside("borrower");
        git(r.dir(), &["init", "-q", "-b", "main", &text(&dir)]);
        write(&dir.join(".git/commondir"), format!("{}/.git\n", text(r.dir())));
        Shape(dir, Refused("commondir"))
    }),
    ("a forged registration with a commondir that leads elsewhere", |r| {
        let (dir, admin) = (r.beside("forged"), r.beside("admin"));
        write(&dir.join(".git"), format!("gitdir: {}\n", text(&admin)));
        write(&admin.join("HEAD"), "ref: refs/heads/main\n");
        write(&admin.join("commondir"), format!("{}/.git\n", text(r.dir())));
        write(&admin.join("gitdir"), format!("{}/.git\n", text(&dir)));
        Shape(dir, Refused("does not lie in its worktrees directory"))
    }),
    ("core.worktree leads elsewhere", |r| {
        git(r.dir(), &["config", "core.worktree", &text(&r.beside("other"))]);
        Shape(r.dir().into(), Refused("core.worktree"))
    }),
    ("an empty .git directory", |r| {
        let dir = r.dir().join("hollow");
        std::fs::create_dir_all(dir.join(".git")).expect("a directory can be made");
        Shape(dir, Refused("no readable repository"))
    }),
    (".git is a file of something else", |r| {
        let dir = r.dir().join("hollow");
        write(&dir.join(".git"), "hello\n");
        Shape(dir, Refused("without a `gitdir:` line"))
    }),
    (".git is a file with escape sequences in it", |r| {
        let dir = r.dir().join("hollow");
        write(&dir.join(".git"), "gitdir: \u{1b}[31m/nowhere\n");
        Shape(dir, Refused("pruned"))
    }),
    (".git is a FIFO", |r| {
        let dir = r.dir().join("hollow");
        std::fs::create_dir(&dir).expect("a directory can be made");
        let made = std::process::Command::new("mkfifo").arg(dir.join(".git")).status();
        assert!(made.is_ok_and(|status| status.success()), "a FIFO can be made");
        Shape(dir, Refused("neither a directory nor a file"))
    }),
    (".git is a dangling link", |r| {
        let dir = r.dir().join("hollow");
        std::fs::create_dir(&dir).expect("a directory can be made");
        std::os::unix::fs::symlink("nowhere", dir.join(".git")).expect("a link can be made");
        Shape(dir, Refused("cannot be read"))
    }),
    ("the inside of a git directory", |r| Shape(r.dir().join(".git"), Refused("inside"))),
    ("a directory below the root", |r| {
        r.commit("sub/dir/c.txt", "c\n", "Deep");
        Shape(r.dir().join("sub/dir"), Nothing)
    }),
    ("a directory name that is not UTF-8", |r| {
        let dir = r.dir().with_file_name(std::ffi::OsStr::from_bytes(b"caf\xe9 \xf0"));
        std::fs::rename(r.dir(), &dir).expect("a directory can be moved");
        Shape(dir, AsGit)
    }),
];

#[test]
fn every_shape_is_read_as_git_reads_it_or_refused_by_name() {
    assert!(SHAPES.len() >= 30, "the table keeps its promise of thirty shapes");
    let mut wrong = Vec::new();
    for (name, build) in SHAPES {
        let repo = in_an_outer_repository();
        let Shape(dir, expect) = build(&repo);
        if let Err(problem) = judge(&dir, &expect) {
            wrong.push(format!("{name}: {problem}"));
        }
    }
    assert!(wrong.is_empty(), "of {} shapes these went wrong:\n{}", SHAPES.len(), wrong.join("\n"));
}

#[test]
fn the_nearest_git_decides_even_when_it_is_broken() {
    let repo = in_an_outer_repository();
    let outer = repo.beside("");
    let inside = outer.join("plain/deep");
    std::fs::create_dir_all(&inside).expect("directories can be made");
    let found = Repo::containing(&inside).expect("a plain directory lies in the outer repository");
    assert!(
        same(found.root(), &outer),
        "a positive control: the search does go up through plain directories"
    );

    let hollow = inside.join("hollow");
    std::fs::create_dir_all(hollow.join(".git")).expect("directories can be made");
    let git_goes_on = git(&hollow, &["rev-parse", "--show-toplevel"]);
    assert!(same(Path::new(&git_goes_on), &outer), "git itself walks on, past the broken one");
    assert!(
        matches!(Repo::containing(&hollow), Err(RepoError::Refused(_))),
        "a broken repository must not be answered for by the one around it"
    );
    let below = repo.dir().join(".git/refs");
    assert!(
        matches!(Repo::containing(&below), Err(RepoError::Refused(ref why)) if why.contains("inside")),
        "the inside of a git directory is in no worktree"
    );
}

#[test]
fn worktrees_are_listed_as_git_lists_them() {
    let repo = in_an_outer_repository();
    let lane = linked(&repo);
    let gone = repo.beside("gone");
    repo.git(&["worktree", "add", "-q", "--detach", &text(&gone)]);
    std::fs::remove_dir_all(&gone).expect("a directory can be removed");

    for dir in [repo.dir(), &lane] {
        let listed = Repo::open(dir).and_then(|opened| opened.worktrees()).expect("worktrees are listed");
        let ours: Vec<String> = listed.iter().map(|worktree| text(&worktree.path)).collect();
        let porcelain = git(dir, &["worktree", "list", "--porcelain"]);
        let theirs: Vec<&str> = porcelain.lines().filter_map(|line| line.strip_prefix("worktree ")).collect();
        let mut sorted = theirs.clone();
        sorted[1..].sort_unstable();
        assert_eq!(ours, sorted, "the same directories, from {}", dir.display());
        assert!(listed[0].main && !listed[1].main && !listed[2].main, "the main one comes first, once");
        assert!(listed[0].head.is_ok(), "the main one has a HEAD");
        assert!(listed[1].head.is_err(), "one whose directory is gone has none to show: {:?}", listed[1]);
        let head = listed[2].head.as_ref().expect("the lane is there");
        assert_eq!(head.branch().map(|name| name.as_str()), Some("lane"), "the lane is on its own branch");
    }
    let other = TestRepo::new();
    let opened = Repo::open(repo.dir()).expect("the repository opens");
    assert!(opened.linked(&lane).is_ok_and(|lane| lane.is_linked()), "a lane of this repository is taken");
    assert!(
        matches!(opened.linked(other.dir()), Err(RepoError::Refused(ref why)) if why.contains("another repository")),
        "a worktree of another repository is not"
    );
}

#[test]
fn identity_is_the_remote_or_the_root_and_never_a_guess() {
    let repo = TestRepo::new();
    repo.commit("a.txt", "a\n", "First");
    let lane = linked(&repo);
    let identity = |dir: &Path| Repo::open(dir).and_then(|opened| opened.identity());
    for dir in [repo.dir(), &lane] {
        let found = identity(dir).expect("a repository without remote has a name");
        assert_eq!(
            (found.text.as_str(), found.from_remote),
            ("project", false),
            "the main root's name stands in"
        );
    }
    repo.git(&["remote", "add", "fork", "https://u:secret@Git.Example:8443/f/r.git"]);
    let found = identity(&lane).expect("the only remote names it");
    assert_eq!(
        (found.text.as_str(), found.from_remote),
        ("git.example/f/r", true),
        "without credentials and port"
    );
    repo.git(&["remote", "add", "upstream", "git@git.example:u/r.git"]);
    let refused = identity(repo.dir()).expect_err("two remotes and no origin leave it open");
    assert!(refused.to_string().contains("fork, upstream"), "and both are named: {refused}");
    repo.git(&["remote", "add", "origin", "git@git.example:o/r.git"]);
    repo.git(&["config", "url.https://evil.example/.insteadOf", "git@git.example:"]);
    assert_eq!(
        identity(repo.dir()).map(|found| found.text),
        Ok("git.example/o/r".into()),
        "origin decides, as written"
    );
}

#[test]
fn a_repository_of_another_user_is_said_to_be_one() {
    let repo = TestRepo::new();
    repo.commit("a.txt", "a\n", "First");
    let opened = Repo::open(repo.dir()).expect("our own opens");
    assert_eq!(opened.foreign_owner(), None, "a positive control: our own is ours");
    let chown = |path: &Path| std::os::unix::fs::chown(path, Some(12345), None);
    if chown(&repo.dir().join(".git")).is_err() {
        eprintln!("skipped: only root can give a directory away");
        return;
    }
    let error = try_git(repo.dir(), &["rev-parse", "HEAD"]).expect_err("git refuses it");
    assert!(error.contains("dubious ownership"), "for its owner: {error}");
    let opened = Repo::open(repo.dir()).expect("it can still be looked at");
    assert_eq!(opened.foreign_owner(), Some(12345), "and whose it is, is said");
}

#[test]
fn git_variables_of_the_environment_change_nothing() {
    const DIRECTORY: &str = "MOORLINE_TEST_DIRECTORY";
    if let Some(dir) = std::env::var_os(DIRECTORY) {
        // The inner run: this process has GIT_DIR and the like set to another repository.
        let dir = PathBuf::from(dir);
        let opened = Repo::open(&dir).expect("the directory asked for opens");
        let status = opened.status().expect("and is compared");
        let head = opened.head().expect("HEAD is readable");
        println!("answer: {:?} {:?} {}", opened.root(), head.branch(), status.entries.len());
        return;
    }
    let (repo, other) = (TestRepo::new(), TestRepo::new());
    repo.commit("a.txt", "a\n", "First");
    other.git(&["checkout", "-q", "-b", "elsewhere"]);
    other.commit("b.txt", "b\n", "Other");
    let git_dir = other.dir().join(".git");
    let mut control = git::command(repo.dir(), &["branch", "--show-current"]);
    let control = control.env("GIT_DIR", &git_dir).output().expect("git runs");
    assert_eq!(
        control.stdout, b"elsewhere\n",
        "a positive control: git follows GIT_DIR to the other repository"
    );

    let inner = std::process::Command::new(std::env::current_exe().expect("this test has a path"))
        .args(["--exact", "shapes::git_variables_of_the_environment_change_nothing", "--nocapture"])
        .env(DIRECTORY, repo.dir())
        .env("GIT_DIR", &git_dir)
        .env("GIT_COMMON_DIR", &git_dir)
        .env("GIT_WORK_TREE", other.dir())
        .env("GIT_INDEX_FILE", git_dir.join("index"))
        .env("GIT_OBJECT_DIRECTORY", git_dir.join("objects"))
        .env("GIT_NAMESPACE", "elsewhere")
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "core.bare")
        .env("GIT_CONFIG_VALUE_0", "true")
        .output()
        .expect("this test can run itself");
    let said = String::from_utf8_lossy(&inner.stdout);
    let expected = format!("answer: {:?} Some(BranchName(\"main\")) 0", repo.dir());
    assert!(said.contains(&expected), "the directory asked for was read, nothing else: {said}");
}

fn judge(dir: &Path, expect: &Expect) -> Result<(), String> {
    let contained = Repo::containing(dir);
    let opened = Repo::open(dir);
    if let (Ok(opened), Ok(real)) = (&opened, dir.canonicalize())
        && opened.root() != real
    {
        return Err(format!("opened {} in its place", opened.root().display()));
    }
    match (expect, opened) {
        (AsGit, Ok(opened)) => compare(dir, &opened),
        (HeadRefused(words), Ok(opened)) => match opened.head() {
            Err(RepoError::Refused(why)) if why.contains(words) && !why.contains('\u{1b}') => Ok(()),
            other => Err(format!("HEAD should be refused with {words:?}: {other:?}")),
        },
        (Refused(words), Err(RepoError::Refused(why))) if why.contains(words) && !why.contains('\u{1b}') => {
            match contained {
                Err(_) => Ok(()),
                Ok(found) => Err(format!("refused, but containing() found {}", found.root().display())),
            }
        }
        (Nothing, Err(RepoError::None(_))) => Ok(()),
        (_, other) => Err(format!("opening gave {other:?}")),
    }
}

fn compare(dir: &Path, opened: &Repo) -> Result<(), String> {
    let root = git(dir, &["rev-parse", "--show-toplevel"]);
    let common = git(dir, &["rev-parse", "--path-format=absolute", "--git-common-dir"]);
    let private = git(dir, &["rev-parse", "--path-format=absolute", "--git-dir"]);
    let branch = Some(git(dir, &["branch", "--show-current"])).filter(|name| !name.is_empty());
    let id = try_git(dir, &["rev-parse", "-q", "--verify", "HEAD"]).ok();
    let head = opened.head().map_err(|error| format!("HEAD: {error}"))?;
    let kind_fits = match &head {
        Head::Branch(..) => branch.is_some() && id.is_some(),
        Head::Detached(_) => branch.is_none(),
        Head::Unborn(_) => id.is_none(),
    };
    let problems = [
        (same(opened.root(), Path::new(&root)) || !root.is_ascii(), "root"),
        (same(opened.common_dir(), Path::new(&common)) || !common.is_ascii(), "common directory"),
        (opened.is_linked() == (common != private), "linked or not"),
        (head.branch().map(|name| name.as_str()) == branch.as_deref(), "branch"),
        (head.commit().map(|id| id.as_str()) == id.as_deref(), "HEAD"),
        (kind_fits, "kind of HEAD"),
        (opened.foreign_owner().is_none(), "owner"),
    ];
    let wrong: Vec<&str> = problems.iter().filter(|(right, _)| !right).map(|(_, what)| *what).collect();
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("git disagrees on {}: {head:?}, {opened:?}", wrong.join(", "))),
    }
}

/// Two commits on `main`, in a repository that itself lies in another one.
fn in_an_outer_repository() -> TestRepo {
    let repo = TestRepo::new();
    let outer = repo.beside("");
    git(&outer, &["init", "-q", "-b", "outer"]);
    git(&outer, &["commit", "-q", "--allow-empty", "-m", "Outer"]);
    repo.commit("a.txt", "one\n", "First");
    repo.commit("a.txt", "two\n", "Second");
    repo
}

/// A linked worktree `lane` on branch `lane`.
fn linked(repo: &TestRepo) -> PathBuf {
    let dir = repo.beside("lane");
    repo.git(&["worktree", "add", "-q", "-b", "lane", &text(&dir)]);
    dir
}

fn bare(repo: &TestRepo) -> PathBuf {
    let dir = repo.beside("bare.git");
    git(repo.dir(), &["clone", "-q", "--bare", &text(repo.dir()), &text(&dir)]);
    dir
}

/// Adds the repository to itself as a submodule `module`.
pub fn submodule(repo: &TestRepo) -> PathBuf {
    let source = text(&bare(repo));
    repo.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &source, "module"]);
    repo.git(&["commit", "-q", "-m", "Add a submodule"]);
    repo.dir().join("module")
}

pub fn sparse_index(repo: &TestRepo) {
    repo.commit("kept/c.txt", "c\n", "Kept");
    repo.commit("left/out/d.txt", "d\n", "Left out");
    repo.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "kept"]);
}

fn same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

fn text(path: &Path) -> String {
    path.to_str().expect("test paths are UTF-8").to_owned()
}
