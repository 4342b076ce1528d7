//! Preservation snapshots: what is kept, what is refused, and that it can be had back whole and inert.

#[path = "../common/git.rs"]
mod git;

mod faults;
mod flips;
mod history;
mod hostile;
mod journeys;
mod kills;
mod places;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use git::TestRepo;
use moorline::snapshot::{Identity, Snapshot, Store};
use serde_json::Value;

/// A project with a store and a state directory beside it.
pub struct Bench {
    /// The project.
    pub repo: TestRepo,
    /// The store.
    pub store: PathBuf,
    /// The state directory.
    pub state: PathBuf,
}

impl Bench {
    /// A repository with one committed file, `docs/a.md`.
    pub fn with_docs() -> Self {
        let repo = TestRepo::new();
        repo.commit("docs/a.md", "# A\n\nnothing secret\n", "First");
        Self::around(repo)
    }

    /// The same places around another project.
    pub fn around(repo: TestRepo) -> Self {
        let (store, state) = (repo.beside("store"), repo.beside("state"));
        fs::create_dir(&store).expect("made");
        fs::create_dir(&state).expect("made");
        fs::set_permissions(&state, fs::Permissions::from_mode(0o700)).expect("narrowed");
        Self { repo, store, state }
    }

    /// A path of the project, as text.
    pub fn at(&self, path: &str) -> String {
        self.repo.dir().join(path).display().to_string()
    }

    /// The words of a capture of `docs` without a yes.
    pub fn words(&self) -> Vec<String> {
        let [project, store, state] =
            [self.repo.dir(), &self.store, &self.state].map(|p| p.display().to_string());
        let words =
            ["capture", "--scope", "project", "--identity", "kiln", "--json", "--project-root", &project];
        let more = ["--backup-root", &store, "--state-dir", &state, "--source"];
        words.into_iter().chain(more).map(str::to_owned).chain([self.at("docs")]).collect()
    }

    /// Captures `docs` with these words more, and a yes.
    pub fn capture(&self, more: &[&str]) -> Output {
        let mut words = self.words();
        words.push("--approve".into());
        words.extend(more.iter().map(|word| (*word).to_owned()));
        run(&words)
    }

    /// Captures, which must succeed; gives the document.
    pub fn captured(&self, more: &[&str]) -> Value {
        let output = self.capture(more);
        assert_eq!(code(&output), 0, "it is captured: {}", said(&output));
        document(&output)
    }

    /// Runs another verb of `snapshot` on the store.
    pub fn ask(&self, verb: &str, more: &[&str]) -> Output {
        let store = self.store.display().to_string();
        let words = [verb, "--backup-root", &store].into_iter().chain(more.iter().copied());
        run(&words.map(str::to_owned).collect::<Vec<_>>())
    }

    /// The store, to be asked without a process.
    pub fn open(&self) -> Store {
        Store::open(&self.store).expect("the store can be opened")
    }

    /// The newest snapshot.
    pub fn newest(&self) -> Snapshot {
        self.open().contents(None).expect("listed").snapshots.remove(0)
    }
}

/// The identity of every snapshot here.
pub fn kiln() -> Identity {
    Identity::parse("kiln").expect("a plain name")
}

/// Runs `moorline snapshot` from the root directory with nothing in its environment.
pub fn run(words: &[String]) -> Output {
    command(words).output().expect("it can be started")
}

/// The same, not yet started.
pub fn command(words: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
    command.arg("snapshot").args(words).env_clear().current_dir("/");
    command
}

/// The exit code.
pub fn code(output: &Output) -> i32 {
    output.status.code().expect("it ends by itself")
}

/// Both streams as text.
pub fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat()
}

/// The one document that was printed.
pub fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("one document: {error}: {}", said(output)))
}

/// Everything below a directory: what it is, its mode, when it was changed, its bytes.
pub fn everything(dir: &Path) -> BTreeMap<PathBuf, (u32, i64, Vec<u8>)> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(dir).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        let metadata = fs::symlink_metadata(&path).expect("there");
        let bytes = if metadata.is_file() { fs::read(&path).expect("read") } else { Vec::new() };
        all.insert(path.clone(), (metadata.mode(), metadata.mtime(), bytes));
        if metadata.is_dir() {
            all.extend(everything(&path));
        }
    }
    all
}
