//! A project, a home and a state directory of their own, in which handoffs are put away and come back.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::DateTime;
use clap::Parser as _;
use moorline::check::Examiner;
use moorline::cli::args::CommandLine;
use moorline::cli::{self, Desk, Stop, Surface};
use moorline::handoff::Digest;
use moorline::handoff::age::Clock;
use moorline::place::{Listed, Roots};
use moorline::shelf::plan::Ask;
use moorline::shelf::{Done, Plan, Shelf};

/// 30 November 2026, 12:00 UTC.
pub const NOW: i64 = 1_796_040_000;

/// Everything that a test may touch.
pub struct World {
    _temp: tempfile::TempDir,
    pub base: PathBuf,
    home: PathBuf,
}

impl World {
    /// In the system's temporary directory.
    pub fn new() -> Self {
        Self::inside(&std::env::temp_dir())
    }

    /// Where the system keeps files in memory, so that a test can do very many steps; else as [`World::new`].
    pub fn in_memory() -> Self {
        let memory = Path::new("/dev/shm");
        if memory.is_dir() { Self::inside(memory) } else { Self::new() }
    }

    pub fn inside(dir: &Path) -> Self {
        let temp = tempfile::tempdir_in(dir).expect("a directory can be made");
        let base = temp.path().canonicalize().expect("it is there");
        let world = Self { _temp: temp, home: base.join("home"), base };
        world.lay_out();
        world
    }

    /// The same with a home directory that somebody else made and removes.
    pub fn with_home(self, home: PathBuf) -> Self {
        Self { home, ..self }
    }

    fn lay_out(&self) {
        for dir in [self.project().join(".claude/handoffs"), self.home().join(".claude/handoffs")] {
            fs::create_dir_all(dir).expect("made");
        }
    }

    pub fn project(&self) -> PathBuf {
        self.base.join("project")
    }

    pub fn home(&self) -> PathBuf {
        self.home.clone()
    }

    pub fn trash(&self) -> PathBuf {
        self.home().join(".claude/.handoff-trash")
    }

    pub fn handoffs(&self) -> PathBuf {
        self.project().join(".claude/handoffs")
    }

    /// Writes a handoff below the project and gives its path.
    pub fn handoff(&self, relative: &str) -> PathBuf {
        let path = self.project().join(relative);
        write_handoff(&path);
        path
    }

    pub fn surface(&self) -> Surface {
        let mut vars = BTreeMap::new();
        vars.insert(OsString::from("HOME"), self.home().into_os_string());
        vars.insert(OsString::from("XDG_STATE_HOME"), self.base.join("state").into_os_string());
        Surface { vars, cwd: self.project(), clock: Clock { unix: NOW, east: 0 } }
    }

    /// Types a line; gives the exit code and what was printed.
    pub fn types(&self, words: &[&str]) -> (u8, String) {
        self.types_in(self.project().to_str().expect("plain"), words)
    }

    /// The same in another project.
    pub fn types_in(&self, project: &str, words: &[&str]) -> (u8, String) {
        let all = ["moorline", "-C", project].into_iter().chain(words.iter().copied());
        let line = CommandLine::parse_from(all);
        let verb = line.verb.as_ref().expect("a verb was typed");
        let mut out = Vec::new();
        let surface = Surface { cwd: PathBuf::from(project), ..self.surface() };
        let answer = cli::run(&line, verb, &surface, &mut out);
        let mut text = String::from_utf8(out).expect("text");
        let code = match answer {
            Ok(answer) => answer.code(),
            Err(Stop::Said(answer, message)) => {
                text.push_str(&message);
                answer.code()
            }
            Err(Stop::Pipe) => panic!("nobody closed the pipe"),
        };
        (code, text)
    }

    pub fn desk(&self) -> Desk {
        let project = self.project();
        let line = CommandLine::parse_from(["moorline", "-C", project.to_str().expect("plain")]);
        Desk::open(&line, &self.surface()).unwrap_or_else(|_| panic!("the desk opens"))
    }

    pub fn shelf(&self) -> Shelf {
        Shelf { home: self.home(), state: self.base.join("state/moorline"), project: self.project() }
    }

    pub fn rows(&self) -> Vec<Arc<Listed>> {
        self.desk().listing().rows
    }

    pub fn roots(&self) -> Roots {
        let examiner: &Examiner = &self.desk().examiner;
        examiner.roots()
    }

    pub fn act(&self, plan: &Plan) -> Done {
        let now = DateTime::from_timestamp(NOW, 0).expect("a time").fixed_offset();
        self.shelf().act(plan, now, false, &mut |_| true).expect("it is done")
    }

    /// The id of the last action in the log.
    pub fn last_action(&self) -> String {
        let plan = self.shelf().undo(None).expect("something can be undone");
        plan.undoes().expect("it takes an action back").to_owned()
    }

    /// Undoes whatever can be undone; gives how many actions that were.
    pub fn undo_all(&self) -> usize {
        let mut count = 0;
        while let Ok(plan) = self.shelf().undo(None) {
            assert!(plan.spared.is_empty(), "everything can go back: {:?}", plan.spared);
            let done = self.act(&plan);
            assert_eq!(done.moved(), plan.moves.len(), "and does: {done:?}");
            count += 1;
        }
        count
    }

    /// Files of moves that were cut off.
    pub fn leftovers(&self) -> Vec<String> {
        let folders = [self.handoffs(), self.handoffs().join("archive"), self.trash(), self.project()];
        let all = folders.iter().flat_map(|dir| names(dir));
        all.filter(|name| name.contains(".moorline-")).collect()
    }

    /// Every directory and file of project and home with bytes, mode and modification time, one in each line; records
    /// of the trash without their times, because they are made anew.
    pub fn tree(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for root in [self.project(), self.home()] {
            walk(&root, &mut lines);
        }
        lines
    }

    /// Fails where the tree is not this one, and says how it differs.
    pub fn is_as(&self, before: &[String], why: &str) {
        let now = self.tree();
        let gone: Vec<_> = before.iter().filter(|line| !now.contains(line)).collect();
        let new: Vec<_> = now.iter().filter(|line| !before.contains(line)).collect();
        assert!(gone.is_empty() && new.is_empty(), "{why}: gone {gone:#?}, new {new:#?}");
    }
}

/// The plans' context, on the clock of these tests.
pub fn ask<'a>(shelf: &'a Shelf, roots: &'a Roots) -> Ask<'a> {
    Ask { shelf, roots, now: DateTime::from_timestamp(NOW, 0).expect("a time").fixed_offset() }
}

/// A handoff that says nothing but its own path, so that no two are alike.
pub fn write_handoff(path: &Path) {
    fs::create_dir_all(path.parent().expect("it lies in a directory")).expect("made");
    fs::write(path, handoff_text(path)).expect("written");
}

pub fn handoff_text(path: &Path) -> String {
    format!("# Handoff\n\nNext: go on with {}\n", path.display())
}

fn walk(dir: &Path, into: &mut Vec<String>) {
    let mut entries: Vec<_> =
        fs::read_dir(dir).expect("listed").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        let meta = fs::symlink_metadata(&path).expect("there");
        if meta.is_dir() {
            into.push(format!("{path:?}/"));
            walk(&path, into);
            continue;
        }
        let digest = Digest::of(&fs::read(&path).expect("read"));
        let modified = meta.modified().expect("a time").duration_since(std::time::UNIX_EPOCH).expect("later");
        let said = (modified, std::os::unix::fs::MetadataExt::mode(&meta));
        let is_record = path.extension().is_some_and(|ending| ending == "trashinfo");
        into.push(format!("{path:?} {} {:?}", digest.as_str(), (!is_record).then_some(said)));
    }
}

/// Names of the files in a directory, sorted; none where it is not there.
pub fn names(dir: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
