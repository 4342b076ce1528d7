//! `moorline save` as its own process where the system refuses: the reason, what to do, and the words.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::git::TestRepo;
use crate::nobody;
use crate::verb::everything;

/// The program with a narrative on its standard input; gives its exit code and what it said.
struct Saver {
    command: Command,
}

impl Saver {
    /// As somebody whom permission bits bind: the privileged user becomes another person for it.
    fn bound(repo: &TestRepo) -> Self {
        let program = env!("CARGO_BIN_EXE_moorline");
        let base = repo.dir().parent().expect("it lies in a directory");
        let command = match nobody::is_root() {
            false => Command::new(program),
            true => {
                fs::set_permissions(base, fs::Permissions::from_mode(0o755)).expect("opened for others");
                fs::create_dir_all(repo.beside("home")).expect("made");
                nobody::give(base);
                let mut command = Command::new(nobody::near(base, Path::new(program)));
                nobody::as_nobody(&mut command);
                command
            }
        };
        Self::with(repo, command)
    }

    /// As whoever runs this test.
    fn plain(repo: &TestRepo) -> Self {
        Self::with(repo, Command::new(env!("CARGO_BIN_EXE_moorline")))
    }

    fn with(repo: &TestRepo, mut command: Command) -> Self {
        fs::create_dir_all(repo.beside("home")).expect("made");
        command.current_dir(repo.dir()).env_clear().env("HOME", repo.beside("home"));
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self { command }
    }

    fn say(&mut self, words: &str, args: &[&str]) -> (i32, String) {
        let mut child =
            self.command.args(["save", "--from", "-"]).args(args).spawn().expect("the program starts");
        let mut input = child.stdin.take().expect("piped");
        input.write_all(words.as_bytes()).expect("it reads");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().expect("by itself"), String::from_utf8_lossy(&text).into_owned())
    }
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
}

/// The path that a refusal gives for the words, with what lies there.
fn kept(said: &str) -> (String, String) {
    let path = said.lines().find_map(|line| line.split("save it again with --from ").nth(1));
    let path = path.unwrap_or_else(|| panic!("it says where the words are: {said}")).to_owned();
    let words = fs::read_to_string(&path).expect("they lie there");
    (path, words)
}

const WORDS: &str = r#"{"task": "Rotate", "next": "Count them"}"#;

#[test]
fn a_directory_that_may_not_be_written_is_named_with_what_to_do_and_the_words_are_kept() {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    let handoffs = repo.dir().join(".claude/handoffs");
    fs::create_dir_all(&handoffs).expect("made");
    mode(&handoffs, 0o555);
    let (code, said) = Saver::bound(&repo).say(WORDS, &[]);
    assert_eq!(code, 1, "nothing was saved: {said}");
    let place = format!("You may not write in {}.", handoffs.display());
    for part in ["Permission denied", "Nothing was changed.", place.as_str(), "save to another place"] {
        assert!(said.contains(part), "{part:?}: {said}");
    }
    assert!(!said.contains("saved to"), "no word of a save: {said}");
    let (path, words) = kept(&said);
    assert_eq!(words, WORDS, "word for word");
    assert!(everything(&handoffs).is_empty(), "nothing is left behind");
    mode(&handoffs, 0o755);
    let mut saver = Saver::bound(&repo);
    let output = saver.command.args(["save", "--from", &path]).output().expect("it runs");
    assert!(output.status.success(), "once it may be written, the kept words are saved");
    assert_eq!(everything(&handoffs).len(), 1, "in one file");
}

#[test]
fn where_not_even_the_words_can_be_kept_they_are_printed() {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    fs::create_dir_all(repo.beside("home")).expect("made");
    mode(&repo.beside("home"), 0o555);
    let (code, said) = Saver::bound(&repo).say(WORDS, &[]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("set XDG_STATE_HOME to another directory"), "what to do: {said}");
    assert!(said.contains(WORDS), "and nothing is lost: {said}");
    mode(&repo.beside("home"), 0o755);
    let (code, said) = Saver::bound(&repo).say(WORDS, &[]);
    assert_eq!(code, 0, "a positive control: {said}");
}

/// A small file system at a directory, unmounted at the end.
struct Small<'a>(&'a Path);

impl<'a> Small<'a> {
    /// `None` where none can be mounted here.
    fn mount(at: &'a Path, options: &str) -> Option<Self> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(at).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then_some(Self(at))
    }
}

impl Drop for Small<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).stderr(Stdio::null()).status();
    }
}

/// A plan with a handoff on a small file system; says what a save of these words does there.
fn on_a_small_disk(options: &str, words: &str) -> Option<(i32, String, Vec<String>)> {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    let plans = repo.dir().join("plans");
    fs::create_dir(&plans).expect("made");
    let _small = Small::mount(&plans, options)?;
    let plan = plans.join("260901-auth");
    fs::create_dir(&plan).expect("made");
    fs::write(plan.join("plan.md"), "# Plan\n").expect("written");
    fs::write(plan.join("HANDOFF.md"), "the old bytes\n").expect("written");
    let (code, said) = Saver::plain(&repo).say(words, &[]);
    let saved = code == 0;
    let now = fs::read_to_string(plan.join("HANDOFF.md")).expect("there");
    assert_eq!(now != "the old bytes\n", saved, "{options}: the old bytes, or a save: {said}");
    assert_eq!(said.contains("saved to"), saved, "{options}: and no word of one that is none: {said}");
    if !saved {
        assert_eq!(kept(&said).1, words, "{options}: the words are kept");
    }
    let names = fs::read_dir(&plan).expect("listed");
    let mut names: Vec<_> =
        names.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Some((code, said, names))
}

/// A narrative with notes of so many lines.
fn notes(lines: usize) -> String {
    let notes = vec!["a line that is one of very many, and says so"; lines].join("\n");
    serde_json::json!({ "next": "Count them", "notes": [notes] }).to_string()
}

#[test]
fn a_full_disk_is_said_with_what_to_do_and_leaves_the_old_bytes_and_nothing_else() {
    let Some((code, said, names)) = on_a_small_disk("size=16k", &notes(400)) else {
        eprintln!("not tried: a small file system can only be mounted by root");
        return;
    };
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("No space left on device"), "the reason: {said}");
    assert!(said.contains("There is no room left for it") && said.contains("Make room"), "{said}");
    assert_eq!(names, ["HANDOFF.md", "plan.md"], "no temporary file");
    let (code, said, names) = on_a_small_disk("size=64k", &notes(1_400)).expect("as before");
    assert_eq!(code, 1, "a chain that has not room for all of its files: {said}");
    assert_eq!(names, ["HANDOFF.md", "plan.md"], "is none: the files that had room are taken back");
    let (code, said, _) = on_a_small_disk("size=1m", &notes(1_400)).expect("as before");
    assert_eq!(code, 0, "a positive control: {said}");
}

#[test]
fn a_disk_that_has_no_room_for_another_file_is_as_full() {
    // The directory, the plan's directory and two files are four of five; a temporary file has room then, and no
    // directory for what is kept is on this disk.
    let mut said = Vec::new();
    for inodes in 4..=8 {
        let Some((code, text, names)) = on_a_small_disk(&format!("size=1m,nr_inodes={inodes}"), WORDS) else {
            eprintln!("not tried: a small file system can only be mounted by root");
            return;
        };
        assert_eq!(names, ["HANDOFF.md", "plan.md"], "{inodes}: {text}");
        said.push(code);
    }
    assert!(
        said.contains(&1) && said.contains(&0),
        "with few it is refused, with one more it is saved: {said:?}"
    );
}

#[test]
fn a_limit_on_the_size_of_files_is_told_and_loses_no_words() {
    for (limit, saves) in [("0", false), ("unlimited", true)] {
        let repo = TestRepo::new();
        repo.commit("README.md", "x\n", "Begin");
        let mut command = Command::new("/bin/sh");
        let script = format!("ulimit -f {limit}; exec \"$0\" \"$@\"");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_moorline")]);
        let (code, said) = Saver::with(&repo, command).say(WORDS, &["--project"]);
        assert_eq!(said.contains("saved to"), saves, "a control: without a limit it is saved: {said}");
        if !saves {
            assert_eq!(code, 1, "an end of its own, none by the signal: {said}");
            assert!(said.contains("File too large") && said.contains(WORDS), "the reason, the words: {said}");
        }
    }
}
