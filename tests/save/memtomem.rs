//! memtomem's format: the record is built here and written by memtomem. A double that speaks `mm`'s command line
//! keeps our side tried everywhere; the real one is run where it is installed.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use moorline::cli::Answer;
use moorline::handoff::{Habit, Handoff, Inert, Record, Source};

use crate::git::TestRepo;
use crate::verb::{everything, json, save, save_with};

/// Does what `mm add` does with a file of memtomem's, and writes down how it was called.
const DOUBLE: &str = r#"#!/bin/sh
printf '%s\n' "$@" >"$HOME/called"
pwd >>"$HOME/called"
[ "$1" = add ] || exit 2
content=$2; shift 2
while [ $# -gt 0 ]; do
    case "$1" in
        --title) title=$2; shift 2 ;;
        --namespace) namespace=$2; shift 2 ;;
        --scope) scope=$2; shift 2 ;;
        --tags) tags=$2; shift 2 ;;
        --json) shift ;;
        *) exit 2 ;;
    esac
done
if [ -f "$HOME/refuse" ]; then
    printf '{"ok": false, "reason": "%s"}\n' "$(cat "$HOME/refuse")"
    exit 1
fi
[ -f "$HOME/lie" ] && content=$(printf '%s' "$content" | sed 's/^objective: .*/objective: another/')
digest=$(printf '%s' "$namespace" | sha256sum | cut -c1-16)
file="$PWD/.memtomem/memories.local/2026-10-05--$(printf '%s' "$namespace" | tr ':' '-')-$digest.md"
list=$(printf '%s' "$tags" | sed 's/,/", "/g')
printf '\n## %s\n\n> created: 2026-10-05T07:30:00+00:00\n> tags: ["%s"]\n\n%s\n' "$title" "$list" "$content" >>"$file"
printf '{"ok": true, "target": "%s", "chunks": 1, "namespace": "%s", "warnings": ["slow disk"]}\n' "$file" "$namespace"
"#;

const SAID: &str = r#"{"task": "Rotate tokens", "completed": ["Graft the trees", "Water them"],
  "validation": "cargo test: 12 passed", "blockers": [], "next": ["Count them"]}"#;

/// A repository, and beside it a home in which the double is installed and knows the project.
fn project() -> (TestRepo, String) {
    let repo = TestRepo::new();
    repo.commit("README.md", "x\n", "Begin");
    repo.commit(".gitignore", ".memtomem/\n", "Ignore");
    let bin = repo.beside("bin");
    fs::create_dir_all(&bin).expect("made");
    fs::write(bin.join("mm"), DOUBLE).expect("written");
    fs::set_permissions(bin.join("mm"), fs::Permissions::from_mode(0o755)).expect("executable");
    fs::create_dir_all(repo.dir().join(".memtomem/memories.local")).expect("made");
    fs::create_dir_all(repo.beside("home/.memtomem")).expect("made");
    register(&repo, &repo.dir().join(".memtomem/memories.local"));
    let path = format!("{}:/usr/bin:/bin", bin.display());
    (repo, path)
}

fn register(repo: &TestRepo, tier: &Path) {
    let config = serde_json::json!({"indexing": {"project_memory_dirs": [tier]}});
    fs::write(repo.beside("home/.memtomem/config.json"), config.to_string()).expect("written");
}

fn day_files(repo: &TestRepo) -> Vec<PathBuf> {
    everything(&repo.dir().join(".memtomem")).into_keys().collect()
}

fn records(path: &Path) -> Vec<Handoff> {
    let bytes = fs::read(path).expect("there");
    moorline::handoff::read(&Source { bytes: &bytes, name: "day.md", habit: Habit::DayFile, cut_from: None })
}

fn field<'a>(record: &'a Handoff, name: &str) -> &'a str {
    let field = record.fields.get(name).and_then(|field| field.value.as_text());
    field.map(Inert::raw).expect("the field is there")
}

#[test]
fn a_record_is_written_by_mm_and_read_back_from_its_file() {
    let (repo, path) = project();
    repo.write("work.txt", "new\n");
    let vars = [("PATH", path.as_str()), ("CLAUDECODE", "1")];
    let args = ["--format", "memtomem", "--to", "codex", "--json"];
    let (answer, printed) = save_with(&repo, &vars, SAID, &args).expect("saved");
    let printed = json(&printed);
    assert_eq!((answer, &printed["saved"]), (Answer::Yes, &true.into()), "{printed}");
    let files = day_files(&repo);
    assert_eq!(files.len(), 1, "one day file: {files:?}");
    assert_eq!(printed["path"], files[0].to_str().expect("text"), "the file that mm named");
    let records = records(&files[0]);
    let record = &records[0];
    assert!(record.problems.is_empty(), "the reader has nothing to object to: {:?}", record.problems);
    let id = record.record_id.as_ref().expect("an id").as_str();
    assert_eq!(id.as_bytes()[14], b'4', "a fresh random id: {id}");
    let head = repo.git(&["rev-parse", "HEAD"]);
    let root = repo.dir().to_str().expect("text");
    for (name, want) in [
        ("handoff_id", id),
        ("from_runtime", "claude-code"),
        ("to_runtime", "codex-cli"),
        ("project_root", root),
        ("objective", "Rotate tokens"),
        ("completed", "Graft the trees; Water them"),
        ("changed_files", "work.txt"),
        ("artifacts", "none"),
        ("git_head", head.as_str()),
        ("worktree_state", "1 dirty: ??=1; first=work.txt"),
        ("validation", "cargo test: 12 passed"),
        ("blockers", "none"),
        ("next_action", "Count them"),
    ] {
        assert_eq!(field(record, name), want, "{name}");
    }
    assert!(matches!(record.record, Record::Memtomem(_)), "a usable record");
    let called = fs::read_to_string(repo.beside("home/called")).expect("it was called");
    for part in
        ["--scope\nproject_local\n", "--namespace\nshared:project\n", &format!("--title\nHandoff {id}\n")]
    {
        assert!(called.contains(part), "{part:?} in {called}");
    }
    assert!(!called.contains("force"), "its guard is never told to look away");
    let tags = format!("handoff,from-claude-code,to-codex-cli,handoff-to-codex-cli,handoff-id-{id}");
    assert!(called.contains(&tags) && called.ends_with(&format!("{root}\n")), "tags and directory: {called}");
    let said = printed["said"].to_string();
    assert!(
        said.contains("1 chunk") && said.contains("slow disk"),
        "chunks and warnings as they came: {said}"
    );
    save_with(&repo, &vars, SAID, &args).expect("a second one is another record");
    let both = self::records(&files[0]);
    assert_ne!(both[0].record_id, both[1].record_id, "with an id of its own");
}

#[test]
fn without_mm_or_registration_the_record_is_shown_to_copy_and_nothing_is_written() {
    let (repo, path) = project();
    let before = (everything(repo.dir()), everything(&repo.beside("home")));
    let (answer, text) = save(&repo, SAID, &["--format", "memtomem"]).expect("shown");
    assert_eq!(answer, Answer::No, "nothing was saved");
    assert!(text.starts_with("nothing was saved: ") && text.contains("mm add '```text"), "{text}");
    assert!(text.contains("completed: Graft the trees; Water them"), "the record is there to copy: {text}");
    fs::write(repo.beside("home/.memtomem/config.json"), "{}").expect("written");
    let vars = [("PATH", path.as_str())];
    let (answer, text) = save_with(&repo, &vars, SAID, &["--format", "memtomem", "--json"]).expect("shown");
    let printed = json(&text);
    let why = printed["by_hand"]["why"].as_str().expect("a reason");
    assert!(
        answer == Answer::No && why.contains("mm mem init --scope project_local"),
        "how to register: {why}"
    );
    register(&repo, &repo.beside("another/.memtomem/memories.local"));
    let (_, text) = save_with(&repo, &vars, SAID, &["--format", "memtomem"]).expect("shown");
    assert!(text.contains("is not registered"), "another project's registration is not this one's: {text}");
    register(&repo, &repo.dir().join(".memtomem/memories.local"));
    assert_eq!(everything(repo.dir()), before.0, "the project is as it was");
    assert_eq!(everything(&repo.beside("home")).len(), before.1.len(), "and mm was never started");
    let command = printed["by_hand"]["command"].as_str().expect("a command").to_owned();
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &command]).env("PATH", &path).env("HOME", repo.beside("home"));
    assert!(shell.output().expect("a shell").status.success(), "the command can be pasted as it is");
    assert!(records(&day_files(&repo)[0])[0].problems.is_empty(), "and writes the record");
}

#[test]
fn what_mm_refuses_or_writes_differently_is_no_save() {
    let (repo, path) = project();
    let vars = [("PATH", path.as_str())];
    let save = || save_with(&repo, &vars, SAID, &["--format", "memtomem"]);
    fs::write(repo.beside("home/refuse"), "looks like a secret").expect("written");
    let why = save().expect_err("mm refused");
    assert!(why.contains("mm refused: looks like a secret"), "in its own words: {why}");
    fs::remove_file(repo.beside("home/refuse")).expect("removed");
    fs::write(repo.beside("home/lie"), "").expect("written");
    let why = save().expect_err("the file says something else");
    assert!(why.contains("has another objective"), "what was read back decides: {why}");
    fs::remove_file(repo.beside("home/lie")).expect("removed");
    save().expect("the same call is fine without either");
}

#[test]
fn a_record_needs_work_a_known_recipient_and_a_worktree() {
    let (repo, path) = project();
    let vars = [("PATH", path.as_str())];
    let refused = |said: &str, args: &[&str]| {
        save_with(&repo, &vars, said, &[&["--format", "memtomem"], args].concat()).expect_err("refused")
    };
    assert!(
        refused(r#"{"next": "x"}"#, &[]).contains("insufficient_input: work context"),
        "no observed work"
    );
    assert!(
        refused(SAID, &["--to", "emacs"]).contains("insufficient_input: runtime"),
        "an unknown recipient"
    );
    let long = serde_json::json!({ "completed": "x".repeat(300) }).to_string();
    assert!(refused(&long, &[]).contains("completed has 300 characters"), "too long to be taken whole");
    let secret = format!(r#"{{"completed": "ghp_{}"}}"#, "a1B2".repeat(9));
    assert!(refused(&secret, &[]).contains("line 1: GitHub token"), "a secret");
    assert!(refused(SAID, &["--decisions-from", "x"]).contains("theonekit"), "no transcript");
    let place = TestRepo::plain_directory();
    let why = save(&place, SAID, &["--format", "memtomem"]).expect_err("refused");
    assert!(why.contains("git worktree"), "outside of a worktree it stops: {why}");
    assert!(day_files(&repo).is_empty() && !repo.beside("home/called").exists(), "and nothing was started");
}

/// The real memtomem, as `tests/clients/install` puts it there.
fn real() -> PathBuf {
    let clients = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/.clients");
    let entries = fs::read_dir(&clients).into_iter().flatten().filter_map(Result::ok);
    let mut bins = entries
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("memtomem-")));
    bins.next().expect("tests/clients/install memtomem was run").join("bin")
}

#[test]
#[ignore = "needs the real memtomem: tests/clients/install memtomem"]
fn the_real_memtomem_writes_what_the_reader_reads() {
    let (repo, _) = project();
    let bin = real();
    let path = format!("{}:/usr/bin:/bin", bin.display());
    fs::remove_dir_all(repo.beside("home/.memtomem")).expect("removed");
    fs::remove_dir_all(repo.dir().join(".memtomem")).expect("removed");
    let vars = [("PATH", path.as_str())];
    let args = ["--format", "memtomem"];
    let (answer, text) = save_with(&repo, &vars, SAID, &args).expect("shown");
    assert!(
        answer == Answer::No && text.contains("memtomem is not set up"),
        "before it knows the project: {text}"
    );
    let mut init = std::process::Command::new(bin.join("mm"));
    init.args(["mem", "init", "--scope", "project_local"]).current_dir(repo.dir());
    let init = init.env("HOME", repo.beside("home")).output().expect("mm runs");
    assert!(init.status.success(), "{}", String::from_utf8_lossy(&init.stderr));
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "What mm wrote into .gitignore"]);
    repo.write("work.txt", "new\n");
    let (answer, text) = save_with(&repo, &vars, SAID, &args).expect("saved");
    assert_eq!(answer, Answer::Yes, "{text}");
    let files: Vec<_> =
        day_files(&repo).into_iter().filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    let records = records(&files[0]);
    assert!(records[0].problems.is_empty(), "the reader has nothing to object to: {:?}", records[0].problems);
    assert_eq!(field(&records[0], "completed"), "Graft the trees; Water them", "field by field");
    assert_eq!(field(&records[0], "worktree_state"), "1 dirty: ??=1; first=work.txt", "the state is exact");
    let id = records[0].record_id.as_ref().expect("an id").as_str().to_owned();
    assert!(text.contains(&id), "the id is said: {text}");
    let listed = crate::verb::run_verb(repo.dir(), &repo.beside("home"), &["list", "--json"]);
    assert!(listed.contains(&id), "and the list shows it: {listed}");
    let today = chrono::Utc::now().format("%Y-%m-%d").to_string();
    assert!(files[0].to_string_lossy().contains(&today), "in the file of the day");
}
