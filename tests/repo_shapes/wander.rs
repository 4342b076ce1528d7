//! Random walks through the states of a worktree: after each step status is git's.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use moorline::handoff::Revision;
use moorline::repo::{Relation, Repo};

use crate::git::{TestRepo, git, try_git, write};
use crate::status::{lines, porcelain, status};

/// Walks and steps of each; enough to meet what the table of differences does not name, few enough to be quick.
const WALKS: u64 = 10;
const STEPS: usize = 8;

const NAMES: [&str; 10] = ["a", "b", "c.log", "d/a", "d/b", "d/e/f", "d/e/g", "x/y/z", "x/w", "k"];
const IGNORED: [&str; 5] = ["*.log\n", "d/\n", "/x\n!x/w\n", "e\n", "f\ng\n"];

#[test]
fn wherever_a_worktree_wanders_status_is_what_git_says() {
    let mut states = 0;
    for walk in 1..=WALKS {
        let mut dice = Dice(walk.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let repo = TestRepo::new();
        for name in NAMES.iter().filter(|_| dice.roll(3) > 0).collect::<Vec<_>>() {
            repo.write(name, &text(name.len()));
        }
        repo.git(&["add", "-A"]);
        repo.git(&["commit", "-q", "--allow-empty", "-m", "Start"]);
        let mut way = Vec::new();
        for _ in 0..STEPS {
            let (step, name, other) = (dice.roll(14), NAMES[dice.roll(10)], NAMES[dice.roll(10)]);
            way.push(format!("{step} {name} {other}"));
            take(repo.dir(), step, name, other, &mut dice);
            let ours = status(repo.dir()).map(|status| lines(&status));
            assert_eq!(ours, Ok(porcelain(repo.dir())), "walk {walk}, after {way:?}");
            states += usize::from(ours.is_ok_and(|lines| !lines.is_empty()));
        }
    }
    assert!(states > 40, "a positive control: most states differ from HEAD, {states}");
}

#[test]
fn the_files_since_each_commit_are_the_ones_that_git_names() {
    let (mut compared, mut named) = (0, 0);
    for walk in 1..=WALKS {
        let mut dice = Dice(walk.wrapping_mul(0xD134_2543_DE82_EF95));
        let repo = TestRepo::new();
        let mut commits = Vec::new();
        for step in 0..STEPS * 2 {
            let name = NAMES[dice.roll(10)];
            // What is a file in one state may be a directory in the next.
            let top = repo.dir().join(name.split('/').next().unwrap_or(name));
            match dice.roll(6) {
                0 => drop(std::fs::remove_dir_all(&top)),
                1 => drop(std::fs::remove_dir_all(&top).map(|()| write(&top, "a file now"))),
                2 => drop(std::fs::remove_file(&top).map(|()| write(&top.join("inside"), "x"))),
                3 => drop(std::fs::set_permissions(&top, std::fs::Permissions::from_mode(0o755))),
                _ if repo.dir().join(name).parent().is_some_and(Path::is_file) => {}
                _ => drop(std::fs::create_dir_all(repo.dir().join(name).parent().unwrap_or(repo.dir())).map(
                    |()| {
                        drop(std::fs::write(repo.dir().join(name), text(dice.roll(10))));
                    },
                )),
            }
            repo.git(&["add", "-A"]);
            repo.git(&["commit", "-q", "--allow-empty", "-m", &format!("Step {step}")]);
            commits.push(repo.git(&["rev-parse", "HEAD"]));
        }
        let opened = Repo::open(repo.dir()).expect("it opens");
        for commit in commits.iter().rev().skip(1) {
            let relation = opened.relation(&Revision::parse(commit).expect("an id"), 1);
            let Ok(Relation::Ahead { files, .. }) = relation else {
                panic!("HEAD went on from {commit}: {relation:?}");
            };
            let ours: Vec<_> = files.iter().map(|file| file.raw().to_owned()).collect();
            let theirs = repo.git(&["diff", "--name-only", "--no-renames", commit, "HEAD"]);
            assert_eq!(ours, theirs.lines().collect::<Vec<_>>(), "walk {walk}, since {commit}");
            assert_eq!(files.len(), ours.len(), "and they are as many as are counted");
            (compared, named) = (compared + 1, named + ours.len());
        }
    }
    assert!(named > compared, "a positive control: most states differ in files, {named} in {compared}");
}

/// Takes one step; one that is not possible from here (a file below a file, nothing to commit) changes nothing.
fn take(dir: &Path, step: usize, name: &str, other: &str, dice: &mut Dice) {
    let path = dir.join(name);
    let top = name.split('/').next().unwrap_or(name);
    let above = path.parent().unwrap_or(dir);
    match step {
        0 => drop(std::fs::create_dir_all(above).and_then(|()| std::fs::write(&path, text(dice.roll(10))))),
        1 => drop(std::fs::remove_file(&path)),
        2 => drop(std::fs::remove_dir_all(dir.join(top))),
        3 => drop(std::fs::remove_file(&path).and_then(|()| symlink(other, &path))),
        4 => drop(std::fs::remove_file(&path).and_then(|()| std::fs::create_dir(&path)).map(|()| {
            write(&path.join("inside"), "x");
        })),
        5 => drop(std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))),
        6 => write(&dir.join(".gitignore"), IGNORED[dice.roll(5)]),
        7 => write(&dir.join(["new/deep/1", "new/2.log"][dice.roll(2)]), "x"),
        8 => drop(std::fs::create_dir_all(&path).map(|()| git(&path, &["init", "-q"]))),
        9 => drop(try_git(dir, &["add", "--", name])),
        10 => drop(try_git(dir, &["add", "-A"])),
        11 => drop(try_git(dir, &["rm", "-q", "--cached", "--", name])),
        12 => drop(try_git(dir, &["mv", name, other])),
        _ => drop(try_git(dir, &["add", "-N", "--", name])),
    }
}

fn text(seed: usize) -> String {
    format!("{seed}\n{}", format!("line {seed}\n").repeat(6))
}

/// A small generator of numbers (xorshift), so that each walk is the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 40).unwrap_or_default() % sides
    }
}
