//! Status equals `git status --porcelain` wherever no program would have to run for it.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use moorline::repo::{Person, Repo, RepoError, Status};

use crate::git::{self, TestRepo, git, try_git, write};
use crate::shapes;

/// Lays out a difference in a repository whose commit holds `a.txt`, `b.txt`, `sub/c.txt` and `sub/run.sh`.
type Build = fn(&TestRepo);

const DIFFERENCES: &[(&str, Build)] = &[
    ("clean", |_| {}),
    ("modified", |r| r.write("a.txt", "changed\n")),
    ("modified, same size, same second", |r| r.write("a.txt", "ono\n")),
    ("touched, same content", |r| touch(r, "a.txt")),
    ("staged", |r| stage(r, "a.txt", "changed\n")),
    ("staged and modified", |r| {
        stage(r, "a.txt", "changed\n");
        r.write("a.txt", "again and longer\n");
    }),
    ("added and modified", |r| {
        stage(r, "new.txt", "new\n");
        r.write("new.txt", "again and longer\n");
    }),
    ("added and removed", |r| {
        stage(r, "new.txt", "new\n");
        remove(r, "new.txt");
    }),
    ("removed", |r| remove(r, "a.txt")),
    ("removed and staged", |r| drop(r.git(&["rm", "-q", "a.txt"]))),
    ("removed from the index only", |r| drop(r.git(&["rm", "-q", "--cached", "a.txt"]))),
    ("renamed", |r| drop(r.git(&["mv", "b.txt", "sub/b2.txt"]))),
    ("renamed and modified", |r| {
        r.git(&["mv", "b.txt", "b2.txt"]);
        r.write("b2.txt", &format!("{LONG}more\n"));
    }),
    ("renamed with a small change", |r| {
        remove(r, "b.txt");
        r.write("b2.txt", &format!("{LONG}more\n"));
        r.git(&["add", "-A"]);
    }),
    ("renamed without git", |r| {
        std::fs::rename(r.dir().join("b.txt"), r.dir().join("b2.txt")).expect("a file can be renamed");
    }),
    ("renames turned off", |r| {
        r.git(&["config", "status.renames", "false"]);
        r.git(&["mv", "b.txt", "b2.txt"]);
    }),
    ("copies turned on", |r| {
        r.git(&["config", "status.renames", "copies"]);
        r.write("b.txt", &format!("{LONG}more\n"));
        r.write("b2.txt", LONG);
        r.git(&["add", "-A"]);
    }),
    ("a directory renamed", |r| drop(r.git(&["mv", "sub", "moved"]))),
    ("untracked", |r| r.write("new.txt", "new\n")),
    ("untracked directory", |r| {
        r.write("new/x/1.txt", "1\n");
        r.write("new/2.txt", "2\n");
        r.write("sub/new/3.txt", "3\n");
        r.write("sub/4.txt", "4\n");
    }),
    ("all that was tracked in a directory removed, something new in it", |r| {
        remove(r, "sub/c.txt");
        remove(r, "sub/run.sh");
        r.write("sub/new/1.txt", "1\n");
        r.write("sub/2.txt", "2\n");
        r.write("other/3.txt", "3\n");
    }),
    ("a directory with nothing but an ignored file and an empty directory", |r| {
        r.write(".gitignore", "*.log\n");
        r.write("new/x.log", "x\n");
        std::fs::create_dir_all(r.dir().join("new/empty")).expect("it can be made");
    }),
    ("an empty directory", |r| std::fs::create_dir_all(r.dir().join("new/empty")).expect("it can be made")),
    ("untracked files turned off", |r| {
        r.git(&["config", "status.showUntrackedFiles", "no"]);
        r.write("new/1.txt", "1\n");
    }),
    ("all untracked files", |r| {
        r.git(&["config", "status.showUntrackedFiles", "all"]);
        r.write("new/x/1.txt", "1\n");
        r.write("new/2.txt", "2\n");
    }),
    ("ignored", |r| {
        r.write(".gitignore", "*.log\n/build/\n!keep.log\n");
        r.write("x.log", "x\n");
        r.write("keep.log", "x\n");
        r.write("build/out.txt", "x\n");
        r.write("logs/y.log", "x\n");
        r.write("mixed/z.log", "x\n");
        r.write("mixed/z.txt", "x\n");
    }),
    ("ignored by info/exclude and a nested .gitignore", |r| {
        write(&r.dir().join(".git/info/exclude"), "secret\n");
        r.write("secret", "x\n");
        r.write("sub/.gitignore", "*\n!.gitignore\n");
        r.write("sub/other.txt", "x\n");
    }),
    ("a tracked file that is ignored", |r| {
        r.write(".gitignore", "a.txt\n");
        r.write("a.txt", "changed\n");
    }),
    ("only the mode", |r| mode(r, "sub/c.txt", 0o755)),
    ("only the mode, staged", |r| {
        mode(r, "sub/c.txt", 0o755);
        r.git(&["add", "-A"]);
    }),
    ("mode and content", |r| {
        mode(r, "sub/run.sh", 0o644);
        r.write("sub/run.sh", "#!/bin/sh\necho changed\n");
    }),
    ("mode with core.fileMode off", |r| {
        r.git(&["config", "core.fileMode", "false"]);
        mode(r, "sub/c.txt", 0o755);
    }),
    ("CRLF written under autocrlf", |r| {
        r.git(&["config", "core.autocrlf", "true"]);
        r.write("a.txt", "one\r\n");
    }),
    ("CRLF checked out under autocrlf, then touched", |r| {
        r.git(&["config", "core.autocrlf", "true"]);
        remove(r, "b.txt");
        r.git(&["checkout", "-q", "--", "b.txt"]);
        r.write("b.txt", &LONG.replace('\n', "\r\n"));
    }),
    ("CRLF checked out under autocrlf, then changed", |r| {
        r.git(&["config", "core.autocrlf", "true"]);
        remove(r, "b.txt");
        r.git(&["checkout", "-q", "--", "b.txt"]);
        r.write("b.txt", &LONG.replace('\n', "\r\n").replace("line 1\r", "lIne 1\r"));
    }),
    ("CRLF by attribute", |r| {
        r.write(".gitattributes", "*.txt text eol=crlf\n");
        remove(r, "b.txt");
        r.git(&["checkout", "-q", "--", "b.txt"]);
        r.write("sub/c.txt", "three\r\n");
    }),
    ("CRLF without conversion", |r| r.write("a.txt", "one\r\n")),
    ("another encoding in the worktree", |r| {
        r.write(".gitattributes", "wide.txt working-tree-encoding=UTF-16LE\n");
        let wide: Vec<u8> = "breit\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        write(&r.dir().join("wide.txt"), &wide);
        r.git(&["add", "-A"]);
        r.git(&["commit", "-q", "-m", "Wide"]);
        write(&r.dir().join("wide.txt"), &wide);
    }),
    ("the ident attribute", |r| {
        r.write(".gitattributes", "id.txt ident\n");
        stage(r, "id.txt", "$Id$\n");
        r.git(&["commit", "-q", "-m", "Ident"]);
        remove(r, "id.txt");
        r.git(&["checkout", "-q", "--", "id.txt"]);
    }),
    ("nested repositories", |r| {
        for (dir, commits) in [("nested", true), ("hollow", false), ("deep/er/nested", true)] {
            git(r.dir(), &["init", "-q", dir]);
            if commits {
                write(&r.dir().join(dir).join("x"), "x\n");
                git(&r.dir().join(dir), &["add", "x"]);
                git(&r.dir().join(dir), &["commit", "-q", "-m", "Inner"]);
            }
        }
    }),
    ("a linked worktree inside", |r| {
        r.git(&["worktree", "add", "-q", "-b", "lane", ".thunderkit/runs/r1/worktrees/lane"]);
        r.write(".thunderkit/HANDOFF.md", "x\n");
    }),
    ("symbolic links", |r| {
        symlink("a.txt", r.dir().join("link")).expect("a link can be made");
        symlink("sub", r.dir().join("dirlink")).expect("a link can be made");
        symlink("nowhere", r.dir().join("dangling")).expect("a link can be made");
    }),
    ("a symbolic link that points elsewhere now", |r| {
        symlink("a.txt", r.dir().join("link")).expect("a link can be made");
        r.git(&["add", "-A"]);
        r.git(&["commit", "-q", "-m", "Link"]);
        remove(r, "link");
        symlink("b.txt", r.dir().join("link")).expect("a link can be made");
    }),
    ("a file that became a link", |r| {
        remove(r, "a.txt");
        symlink("b.txt", r.dir().join("a.txt")).expect("a link can be made");
    }),
    ("a file that became a link, staged", |r| {
        remove(r, "a.txt");
        symlink("b.txt", r.dir().join("a.txt")).expect("a link can be made");
        r.git(&["add", "-A"]);
    }),
    ("a file that became a directory", |r| {
        remove(r, "a.txt");
        r.write("a.txt/inside", "x\n");
    }),
    ("the only file of a directory that became a directory", |r| {
        stage(r, "deep/only.txt", "x\n");
        r.git(&["commit", "-q", "-m", "Only"]);
        remove(r, "deep/only.txt");
        r.write("deep/only.txt/inside", "x\n");
    }),
    ("a directory that became a file", |r| {
        std::fs::remove_dir_all(r.dir().join("sub")).expect("it can be removed");
        r.write("sub", "x\n");
    }),
    ("a directory that became a link", |r| {
        std::fs::rename(r.dir().join("sub"), r.dir().join("real")).expect("it can be moved");
        symlink("real", r.dir().join("sub")).expect("a link can be made");
    }),
    ("a FIFO", |r| {
        let made = std::process::Command::new("mkfifo").arg(r.dir().join("pipe")).status();
        assert!(made.is_ok_and(|status| status.success()), "a FIFO can be made");
    }),
    ("conflicts of every kind", |r| {
        conflict(r);
    }),
    ("conflict of two renames", |r| {
        r.git(&["checkout", "-q", "-b", "side"]);
        r.git(&["mv", "b.txt", "side.txt"]);
        r.git(&["commit", "-q", "-m", "Side"]);
        r.git(&["checkout", "-q", "main"]);
        r.git(&["mv", "b.txt", "main.txt"]);
        r.git(&["commit", "-q", "-m", "Main"]);
        assert!(try_git(r.dir(), &["merge", "side"]).is_err(), "the merge must conflict");
    }),
    ("promised files", |r| {
        r.write("promised.txt", "x\n");
        r.write("broken.txt", "x\n");
        r.git(&["add", "-N", "promised.txt", "broken.txt"]);
        remove(r, "broken.txt");
    }),
    ("a file removed from the index and promised again", |r| {
        r.git(&["rm", "-q", "--cached", "a.txt"]);
        r.git(&["add", "-N", "a.txt"]);
    }),
    ("an empty file", |r| {
        stage(r, "empty", "");
        r.git(&["commit", "-q", "-m", "Empty"]);
        r.write("empty", "no more\n");
        r.write("new-empty", "");
    }),
    ("names that need quotes", |r| {
        for name in
            ["with blank", "ünï", "quo\"te", "back\\slash", "tab\tbed", "new\nline", "-dash", "\u{202e}odd"]
        {
            stage(r, name, "x\n");
        }
        write(&r.dir().join(std::ffi::OsStr::from_bytes(b"caf\xe9")), "x\n");
        r.write("un tracked/\u{1}", "x\n");
    }),
    ("names kept plain by core.quotePath", |r| {
        r.git(&["config", "core.quotePath", "false"]);
        stage(r, "ünï", "x\n");
        stage(r, "zz", "x\n");
    }),
    ("assumed unchanged", |r| {
        r.git(&["update-index", "--assume-unchanged", "a.txt"]);
        r.write("a.txt", "changed\n");
    }),
    ("skipped in the worktree", |r| {
        r.git(&["update-index", "--skip-worktree", "a.txt"]);
        remove(r, "a.txt");
    }),
    ("sparse checkout with a full index", |r| {
        r.git(&["sparse-checkout", "set", "--no-cone", "/a.txt"]);
        r.write("a.txt", "changed\n");
        r.write("sub/new.txt", "x\n");
    }),
    ("index version 4", |r| {
        r.git(&["update-index", "--index-version", "4"]);
        r.write("sub/c.txt", "changed\n");
    }),
    ("split index", |r| {
        r.git(&["update-index", "--split-index"]);
        stage(r, "sub/c.txt", "changed\n");
        r.write("a.txt", "changed\n");
    }),
    ("untracked cache", |r| {
        r.git(&["config", "core.untrackedCache", "true"]);
        r.git(&["update-index", "--force-untracked-cache"]);
        r.git(&["status"]);
        r.write("new/1.txt", "1\n");
    }),
    ("no index", |r| remove(r, ".git/index")),
    ("no commit yet", |r| {
        r.git(&["checkout", "-q", "--orphan", "fresh"]);
        r.write("new.txt", "new\n");
    }),
    ("detached", |r| {
        r.git(&["checkout", "-q", "--detach"]);
        r.write("a.txt", "changed\n");
    }),
    ("attributes that name no program", |r| {
        r.write(".gitattributes", "*.txt -filter diff=word merge=union text=auto\nsub/* !filter\n");
        r.write("a.txt", "changed\n");
        r.write("sub/c.txt", "changed\n");
    }),
    ("a submodule, clean", |r| drop(shapes::submodule(r))),
    ("a submodule, newly added", |r| {
        shapes::submodule(r);
        r.git(&["reset", "-q", "--soft", "HEAD^"]);
    }),
];

/// Long enough for renames to be found in it.
const LONG: &str = "line 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8\n";

#[test]
fn status_is_what_git_says() {
    let mut wrong = Vec::new();
    let mut differing = 0;
    for (name, build) in DIFFERENCES {
        let repo = base();
        build(&repo);
        let ours = status(repo.dir()).map(|status| lines(&status));
        let theirs = porcelain(repo.dir());
        differing += usize::from(!theirs.is_empty());
        if ours.as_ref() != Ok(&theirs) {
            wrong.push(format!("{name}:\n  ours {ours:?}\n  git  {theirs:?}"));
        }
    }
    assert!(differing > 40, "a positive control: git sees a difference in most of them, {differing}");
    assert!(wrong.is_empty(), "of {} differences these went wrong:\n{}", DIFFERENCES.len(), wrong.join("\n"));
}

#[test]
fn entries_come_in_the_bytewise_order_of_their_lines() {
    let repo = base();
    for (name, build) in
        DIFFERENCES.iter().filter(|(name, _)| name.contains("quotes") || name.contains("kind"))
    {
        build(&repo);
        let mut theirs: Vec<String> =
            git(repo.dir(), &["status", "--porcelain"]).lines().map(ToOwned::to_owned).collect();
        theirs.sort();
        let theirs: Vec<&str> = theirs.iter().map(|line| &line[..2]).collect();
        let ours = status(repo.dir()).expect("it is compared");
        let ours: Vec<String> = ours.entries.iter().map(|entry| entry.xy.iter().collect()).collect();
        assert_eq!(ours, theirs, "{name}: the codes stand in the order of git's sorted lines");
    }
}

#[test]
fn status_never_writes_and_leaves_submodules_alone() {
    let repo = base();
    let sub = shapes::submodule(&repo);
    touch(&repo, "a.txt");
    write(&sub.join("a.txt"), "changed in the submodule\n");
    let index = repo.dir().join(".git/index");
    let before = std::fs::read(&index).expect("there is an index");
    let found = status(repo.dir()).expect("it is compared");
    assert_eq!((found.entries.len(), found.submodules), (0, 1), "the submodule is counted, not looked into");
    let unwritten = || std::fs::read(&index).is_ok_and(|bytes| bytes == before);
    assert!(unwritten(), "the index is as it was");
    let mut control = git::command(repo.dir(), &["status", "--porcelain"]);
    let control = control.env("GIT_OPTIONAL_LOCKS", "1").output().expect("git runs");
    assert_eq!(control.stdout, b" M module\n", "a positive control: git does look into it");
    assert!(!unwritten(), "and does write the index");
}

#[test]
fn what_cannot_be_compared_is_refused_by_name() {
    let cases: [(&str, Build); 5] = [
        ("sparse index", |r| shapes::sparse_index(r)),
        ("/dev/zero is a FIFO, socket or device", |r| {
            drop(r.git(&["config", "core.excludesFile", "/dev/zero"]));
        }),
        ("/dev/zero is not a regular file", |r| drop(r.git(&["config", "include.path", "/dev/zero"]))),
        // Each level is allowed; all of them together are ten thousand million files.
        ("includes more than 200 files", |r| {
            let level = |n: u32| format!("[include]\n\tpath = level{}\n", n + 1).repeat(10);
            (0..9).for_each(|n| write(&r.dir().join(format!(".git/level{n}")), level(n)));
            r.write(".git/level9", "");
            r.write(".git/config", "[include]\n\tpath = level0\n[core]\n\trepositoryformatversion = 0\n");
        }),
        ("the index cannot be read", |r| r.write(".git/index", "DIRC nonsense")),
    ];
    for (words, build) in cases {
        let repo = base();
        build(&repo);
        let refused = status(repo.dir()).expect_err("it must not be compared");
        assert!(
            matches!(&refused, RepoError::Refused(why) if why.contains(words)),
            "{words:?} must be in the reason: {refused}"
        );
    }
}

#[test]
fn rules_and_settings_are_followed_wherever_they_are_kept() {
    let cases: [(&str, Build); 6] = [
        ("core.excludesFile of the repository", |r| {
            r.write("rules", "*.log\n");
            r.git(&["config", "core.excludesFile", "rules"]);
        }),
        ("core.excludesFile of an included file", |r| {
            r.write("rules", "*.log\n");
            write(&r.dir().join(".git/shared"), "[core]\n\texcludesFile = rules\n");
            r.git(&["config", "include.path", "shared"]);
        }),
        ("an include on this branch", |r| {
            write(&r.dir().join(".git/shared"), "[status]\n\tshowUntrackedFiles = no\n");
            r.git(&["config", "includeIf.onbranch:main.path", "shared"]);
        }),
        ("an include on another branch", |r| {
            write(&r.dir().join(".git/shared"), "[status]\n\tshowUntrackedFiles = no\n");
            r.git(&["config", "includeIf.onbranch:other.path", "shared"]);
        }),
        ("core.attributesFile that sets no filter", |r| {
            r.write("attributes", "*.txt text\n");
            r.git(&["config", "core.attributesFile", "attributes"]);
        }),
        ("an empty core.excludesFile", |r| drop(r.git(&["config", "core.excludesFile", ""]))),
    ];
    for (name, build) in cases {
        let repo = base();
        build(&repo);
        repo.write("noise.log", "x\n");
        repo.write("new.txt", "x\n");
        repo.write("a.txt", "changed\n");
        let ours = status(repo.dir()).map(|status| lines(&status));
        assert_eq!(ours, Ok(porcelain(repo.dir())), "{name}");
    }
}

#[test]
fn a_persons_own_rules_count_as_they_do_for_git() {
    let repo = base();
    let home = repo.beside("home");
    write(&home.join(".config/git/ignore"), "*.log\n");
    repo.write("noise.log", "x\n");
    repo.write("noise.tmp", "x\n");
    let person = Person { home: Some(home.clone()), ..Person::default() };
    let ask =
        || Repo::open(repo.dir()).and_then(|opened| opened.status_for(&person)).map(|status| lines(&status));
    let theirs = || {
        let mut command = git::command(repo.dir(), &["status", "--porcelain"]);
        command.env("HOME", &home).env_remove("GIT_CONFIG_GLOBAL").env_remove("XDG_CONFIG_HOME");
        let output = command.output().expect("git runs").stdout;
        String::from_utf8_lossy(&output).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(ask(), Ok(theirs()), "the usual file");
    assert_eq!(theirs(), ["?? noise.tmp"], "a positive control: git goes by it");
    write(&home.join(".gitconfig"), "[core]\n\texcludesFile = ~/mine\n");
    write(&home.join("mine"), "*.tmp\n");
    assert_eq!(ask(), Ok(theirs()), "and the named one in its place");
    assert_eq!(theirs(), ["?? noise.log"], "a positive control");
    let nobody = status(repo.dir()).map(|status| lines(&status).len());
    assert_eq!(nobody, Ok(2), "who is nobody has no rules of his own");
    write(&home.join("mine"), "*.tmp\n");
    std::fs::remove_file(home.join("mine")).expect("removed");
    symlink("/dev/zero", home.join("mine")).expect("a link can be made");
    assert!(
        matches!(ask(), Err(RepoError::Refused(why)) if why.contains("mine")),
        "an endless file is not read"
    );
}

#[test]
fn where_a_filter_would_have_to_run_the_file_is_not_compared() {
    let repo = base();
    repo.write(".gitattributes", "a.txt filter=clean\nsub/* filter=clean\nlink filter=clean\n");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "Attributes"]);
    write(&repo.dir().join(".git/info/attributes"), "b.txt filter=other\n");
    repo.write("a.txt", "changed\n");
    repo.write("b.txt", "changed\n");
    repo.write("plain.txt", "x\n");
    mode(&repo, "sub/c.txt", 0o755);
    let found = status(repo.dir()).expect("the rest is compared");
    let not_compared: Vec<&str> = found.not_compared.iter().map(|path| path.raw()).collect();
    assert!(
        ["a.txt", "b.txt"].iter().all(|path| not_compared.contains(path)),
        "both are set aside: {found:?}"
    );
    let lines = lines(&found);
    assert!(
        !lines.iter().any(|line| line.contains("a.txt") || line.contains("b.txt")),
        "and not judged: {lines:?}"
    );
    assert!(
        lines.contains(&" M sub/c.txt".to_owned()),
        "a change of mode needs no filter to be seen: {lines:?}"
    );
    assert!(lines.contains(&"?? plain.txt".to_owned()), "other files are judged as ever: {lines:?}");
}

fn base() -> TestRepo {
    let repo = TestRepo::new();
    repo.write("a.txt", "one\n");
    repo.write("b.txt", LONG);
    repo.write("sub/c.txt", "three\n");
    repo.write("sub/run.sh", "#!/bin/sh\n");
    mode(&repo, "sub/run.sh", 0o755);
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "Base"]);
    repo
}

/// What this program says of the worktree.
pub fn status(dir: &Path) -> Result<Status, RepoError> {
    Repo::open(dir)?.status()
}

/// Our entries in the form that [`porcelain`] gives git's.
pub fn lines(status: &Status) -> Vec<String> {
    let mut lines: Vec<String> = status
        .entries
        .iter()
        .map(|entry| {
            let from = entry.from.as_ref().map(|from| format!("{} -> ", from.raw())).unwrap_or_default();
            format!("{}{} {from}{}", entry.xy[0], entry.xy[1], entry.path.raw())
        })
        .collect();
    lines.sort();
    lines
}

/// What git says, names unquoted, sorted.
pub fn porcelain(dir: &Path) -> Vec<String> {
    let output = git::command(dir, &["status", "--porcelain=v1", "-z"]).output().expect("git runs");
    assert!(output.status.success(), "git status: {}", String::from_utf8_lossy(&output.stderr));
    let mut fields =
        output.stdout.split(|b| *b == 0).map(|field| String::from_utf8_lossy(field).into_owned());
    let mut lines = Vec::new();
    while let Some(field) = fields.next().filter(|field| !field.is_empty()) {
        let renamed = field[..2].contains(['R', 'C']);
        let from = if renamed { fields.next().map(|from| format!("{from} -> ")) } else { None };
        lines.push(format!("{} {}{}", &field[..2], from.unwrap_or_default(), &field[3..]));
    }
    lines.sort();
    lines
}

fn stage(repo: &TestRepo, file: &str, content: &str) {
    repo.write(file, content);
    repo.git(&["add", "--", file]);
}

fn remove(repo: &TestRepo, file: &str) {
    std::fs::remove_file(repo.dir().join(file)).expect("a file can be removed");
}

/// Makes a file look changed by its date alone.
fn touch(repo: &TestRepo, file: &str) {
    let file = std::fs::File::options().append(true).open(repo.dir().join(file)).expect("the file opens");
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    file.set_modified(long_ago).expect("its date can be set");
}

fn mode(repo: &TestRepo, file: &str, mode: u32) {
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(repo.dir().join(file), permissions).expect("the mode can be set");
}

/// Leaves a merge half-way with both modified, both added, and a removal on either side.
fn conflict(repo: &TestRepo) {
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("a.txt", "side\n");
    repo.write("both.txt", "side\n");
    repo.write("b.txt", &format!("{LONG}side\n"));
    remove(repo, "sub/c.txt");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "Side"]);
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a.txt", "main\n");
    repo.write("both.txt", "main\n");
    repo.write("sub/c.txt", "main\n");
    remove(repo, "b.txt");
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "Main"]);
    assert!(try_git(repo.dir(), &["merge", "side"]).is_err(), "the merge must conflict");
}
