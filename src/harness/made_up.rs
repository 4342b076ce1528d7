//! A home directory with stores and a process table in it, both made up: for tests of every harness.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Answer, Liveness, Session, Surroundings};

/// A home and a machine.
pub(super) struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    /// A home without a store, and a machine that runs process 1.
    pub(super) fn new() -> Self {
        let home = Self { dir: tempfile::tempdir().expect("a directory") };
        home.process(1, 0, "init", &["/sbin/init"], &[]);
        fs::write(home.path("proc/stat"), "cpu 1 2\nbtime 1796000000\n").expect("a file");
        home
    }

    /// A path in it.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().expect("it is there").join(name)
    }

    /// As the harnesses are told of it.
    pub(super) fn around(&self) -> Surroundings {
        Surroundings { home: Some(self.path("")), proc: self.path("proc"), ..Surroundings::default() }
    }

    /// With one variable set.
    pub(super) fn around_with(&self, name: &str, value: impl AsRef<Path>) -> Surroundings {
        let vars = [(name.into(), value.as_ref().into())].into();
        Surroundings { vars, ..self.around() }
    }

    /// Writes a file and the folders that it needs.
    pub(super) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(&path, bytes).expect("a file");
        path
    }

    /// A database as a client leaves it when it has ended: no log beside it.
    pub(super) fn database(&self, name: &str, setup: &str) -> PathBuf {
        let path = self.write(name, "");
        let database = rusqlite::Connection::open(&path).expect("it opens");
        // Nobody needs it to outlive a power cut.
        database.execute_batch(&format!("PRAGMA synchronous=OFF; {setup}")).expect("it is laid out");
        path
    }

    /// A process that began 5 s after the boot.
    pub(super) fn process(&self, pid: u32, parent: u32, name: &str, argv: &[&str], environ: &[&str]) {
        let dir = self.path(&format!("proc/{pid}"));
        fs::create_dir_all(dir.join("fd")).expect("a folder");
        fs::create_dir_all(dir.join("fdinfo")).expect("a folder");
        let zeros = "0 ".repeat(17);
        fs::write(dir.join("stat"), format!("{pid} ({name}) S {parent} {zeros}500 0\n")).expect("stat");
        let text = |words: &[&str]| words.iter().map(|word| format!("{word}\0")).collect::<String>();
        fs::write(dir.join("cmdline"), text(argv)).expect("cmdline");
        fs::write(dir.join("environ"), text(environ)).expect("environ");
    }

    /// It runs this program.
    pub(super) fn runs(&self, pid: u32, program: &Path) {
        symlink(program, self.path(&format!("proc/{pid}/exe"))).expect("a link");
    }

    /// It stands in this directory.
    pub(super) fn stands_in(&self, pid: u32, directory: &Path) {
        symlink(directory, self.path(&format!("proc/{pid}/cwd"))).expect("a link");
    }

    /// It has this file open; `info` is what the kernel says of the handle.
    pub(super) fn opens(&self, pid: u32, handle: u32, path: &Path, info: &str) {
        symlink(path, self.path(&format!("proc/{pid}/fd/{handle}"))).expect("a link");
        fs::write(self.path(&format!("proc/{pid}/fdinfo/{handle}")), info).expect("a file");
    }

    /// Its open files are not shown.
    pub(super) fn hides_files(&self, pid: u32) {
        let fd = self.path(&format!("proc/{pid}/fd"));
        fs::remove_dir_all(&fd).expect("removed");
        // A file in the place of a directory cannot be listed, not even by root.
        fs::write(&fd, "").expect("a file");
    }

    /// It has ended.
    pub(super) fn ends(&self, pid: u32) {
        fs::remove_dir_all(self.path(&format!("proc/{pid}"))).expect("removed");
    }

    /// Everything beneath a folder: names, sizes and times.
    pub(super) fn tree(&self, name: &str) -> Vec<(PathBuf, u64, SystemTime)> {
        let mut all = Vec::new();
        let mut folders = vec![self.path(name)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("listed") {
                let path = entry.expect("an entry").path();
                let metadata = path.symlink_metadata().expect("there");
                if metadata.is_dir() {
                    folders.push(path.clone());
                }
                all.push((path, metadata.len(), metadata.modified().expect("a time")));
            }
        }
        all.sort();
        all
    }
}

/// A session in one line: turns, model, directory, damaged rows, number of ids inside; and what is out of the
/// ordinary.
pub(super) fn brief(answer: Answer<Session>) -> String {
    let session = match answer {
        Answer::Found(session) => session,
        Answer::Absent(_) => return "absent".to_owned(),
        Answer::Unknown(reason) => return format!("unknown: {reason}"),
    };
    let model = session.model.as_ref().map_or("-", |model| model.raw());
    let cwd = session.cwd.as_deref().map_or("-".into(), Path::to_string_lossy);
    let (turns, damaged, ids) = (session.turns, session.damaged_rows, session.ids_inside.len());
    let mut text = format!("{turns} {model} {cwd} {damaged} {ids}");
    if session.archived {
        text.push_str(" archived");
    }
    if let Some(other) = &session.continues_as {
        text.push_str(&format!(" continues as {other}"));
    }
    text
}

/// Liveness in one line, to look for words in.
pub(super) fn told(answer: Liveness) -> String {
    match answer {
        Liveness::NotRunning(proof) => format!("not running: {proof}"),
        Liveness::Running(owner) => format!("running: {} {}", owner.pid, owner.status.unwrap_or_default()),
        Liveness::Unknown(reason) => format!("unknown: {reason}"),
    }
}
