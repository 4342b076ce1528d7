//! Shapes of stores as the client leaves them, and as crashes, copies and other programs leave them.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Claude;
use crate::handoff::SessionId;
use crate::harness::{Answer, Harness, Session, Surroundings};

const ID: &str = "f0d682f9-26d4-4ebf-bcaf-3584d3a35887";
const OTHER: &str = "1ab682f9-26d4-4ebf-bcaf-3584d3a35887";

fn id() -> SessionId {
    SessionId::parse(ID).expect("a session id")
}

/// A home directory with a store in it.
struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a directory") }
    }

    fn store(&self) -> PathBuf {
        self.dir.path().join(".claude")
    }

    fn around(&self) -> Surroundings {
        Surroundings {
            home: Some(self.dir.path().to_owned()),
            proc: self.dir.path().join("proc"),
            ..Surroundings::default()
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.store().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(&path, bytes).expect("a file");
        path
    }

    fn session(&self) -> Answer<Session> {
        Claude.session(&self.around(), &id())
    }
}

/// A row of the main conversation.
fn row(kind: &str, rest: Value) -> Value {
    let mut row = json!({
        "parentUuid": null, "isSidechain": false, "type": kind, "uuid": "u", "sessionId": ID, "cwd": "/p/here",
        "version": "2.1.332", "gitBranch": "main", "timestamp": "2026-11-30T20:24:51.958Z", "entrypoint": "cli"
    });
    let members = rest.as_object().expect("an object").clone();
    row.as_object_mut().expect("an object").extend(members);
    row
}

fn asked(text: &str) -> Value {
    row("user", json!({"message": {"role": "user", "content": text}}))
}

/// An answer of `model` with this message id, reason to stop, and kinds of blocks.
fn answer(message: &str, model: &str, stop: Value, blocks: &[&str]) -> Value {
    let content: Vec<_> = blocks.iter().map(|kind| json!({"type": kind, "text": "x"})).collect();
    row(
        "assistant",
        json!({
            "requestedModel": format!("asked-{model}"),
            "message": {"id": message, "role": "assistant", "model": model, "content": content, "stop_reason": stop}
        }),
    )
}

fn done(message: &str, model: &str) -> Value {
    answer(message, model, json!("end_turn"), &["text"])
}

fn with(mut row: Value, name: &str, value: Value) -> Value {
    row[name] = value;
    row
}

fn lines(rows: &[Value]) -> Vec<u8> {
    rows.iter().map(|row| format!("{row}\n")).collect::<String>().into_bytes()
}

/// What a file is read as, in one line: turns, model, directory's last part, damaged rows, number of ids inside.
fn read(bytes: &[u8]) -> String {
    let home = Home::new();
    home.write(&format!("projects/-p-here/{ID}.jsonl"), bytes);
    match home.session() {
        Answer::Found(session) => {
            let model = session.model.as_ref().map_or("-", |model| model.raw()).to_owned();
            let cwd = session.cwd.as_deref().map_or("-".into(), |cwd| cwd.to_string_lossy());
            let (turns, damaged, ids) = (session.turns, session.damaged_rows, session.ids_inside.len());
            format!("{turns} {model} {cwd} {damaged} {ids}")
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn every_shape_of_a_session_file_is_read_as_it_is() {
    let torn = |mut bytes: Vec<u8>, keep: usize| {
        bytes.truncate(bytes.len() - keep);
        bytes
    };
    let two = || vec![asked("a"), done("m1", "haiku"), asked("b"), done("m2", "opus")];
    let side = |row| with(row, "isSidechain", json!(true));
    let failed = |row| with(row, "isApiErrorMessage", json!(true));
    let and = |mut rows: Vec<Value>, more: Vec<Value>| {
        rows.extend(more);
        rows
    };
    let plain = |kind: &str| json!({"type": kind, "sessionId": ID, "mode": "normal"});
    let big = "y".repeat(300_000);
    let shapes: Vec<(&str, Vec<u8>, &str)> = vec![
        ("an empty file", vec![], "0 - - 0 0"),
        ("blank lines only", b"\n\n \n\r\n".to_vec(), "0 - - 0 0"),
        ("one question without an answer", lines(&[asked("a")]), "0 - /p/here 0 1"),
        ("one turn", lines(&[asked("a"), done("m1", "haiku")]), "1 haiku /p/here 0 1"),
        ("two turns, another model", lines(&two()), "2 opus /p/here 0 1"),
        ("no line end at the end", torn(lines(&two()), 1), "2 opus /p/here 0 1"),
        (
            "CRLF line ends",
            String::from_utf8_lossy(&lines(&two())).replace('\n', "\r\n").into(),
            "2 opus /p/here 0 1",
        ),
        (
            "rows without a directory around it",
            lines(&and(vec![plain("mode"), plain("cost-state")], and(two(), vec![plain("last-prompt")]))),
            "2 opus /p/here 0 1",
        ),
        ("a row kind of a later version", lines(&and(two(), vec![plain("new-kind")])), "2 opus /p/here 0 1"),
        (
            "one answer over several rows",
            lines(&[
                asked("a"),
                answer("m1", "opus", json!(null), &["thinking"]),
                answer("m1", "opus", json!("end_turn"), &["text"]),
            ]),
            "1 opus /p/here 0 1",
        ),
        (
            "an answer that asks for a tool, and the end of the turn",
            lines(&[
                asked("a"),
                answer("m1", "opus", json!("tool_use"), &["text", "tool_use"]),
                asked("result"),
                done("m2", "opus"),
            ]),
            "1 opus /p/here 0 1",
        ),
        (
            "killed while a tool ran",
            lines(&[asked("a"), answer("m1", "opus", json!("tool_use"), &["tool_use"])]),
            "0 opus /p/here 0 1",
        ),
        (
            "an older client that writes no reason to stop",
            lines(&[asked("a"), answer("m1", "opus", json!(null), &["text"])]),
            "1 opus /p/here 0 1",
        ),
        (
            "the same with a tool in a later row",
            lines(&[
                asked("a"),
                answer("m1", "opus", json!(null), &["text"]),
                answer("m1", "opus", json!(null), &["tool_use"]),
            ]),
            "0 opus /p/here 0 1",
        ),
        (
            "only thought, never said",
            lines(&[asked("a"), answer("m1", "opus", json!(null), &["thinking"])]),
            "0 opus /p/here 0 1",
        ),
        (
            "cut by the token limit",
            lines(&[asked("a"), answer("m1", "opus", json!("max_tokens"), &["text"])]),
            "1 opus /p/here 0 1",
        ),
        (
            "an error of the service at the end",
            lines(&and(two(), vec![asked("c"), failed(done("m3", "<synthetic>"))])),
            "2 opus /p/here 0 1",
        ),
        (
            "an error that names a model",
            lines(&and(two(), vec![failed(done("m3", "haiku"))])),
            "2 opus /p/here 0 1",
        ),
        (
            "a made-up answer of the client",
            lines(&and(two(), vec![done("m3", "<synthetic>")])),
            "2 opus /p/here 0 1",
        ),
        (
            "an error from another directory",
            lines(&and(two(), vec![with(failed(done("m3", "<synthetic>")), "cwd", json!("/q"))])),
            "2 opus /p/here 0 1",
        ),
        (
            "a question from another directory",
            lines(&and(two(), vec![with(asked("c"), "cwd", json!("/q"))])),
            "2 opus /p/here 0 1",
        ),
        (
            "an answer in another directory",
            lines(&and(two(), vec![with(done("m3", "opus"), "cwd", json!("/q"))])),
            "3 opus /q 0 1",
        ),
        (
            "an answer without a directory",
            lines(&and(two(), vec![with(done("m3", "opus"), "cwd", json!(null))])),
            "3 opus - 0 1",
        ),
        (
            "a side conversation after the last answer",
            lines(&and(two(), vec![side(with(done("s1", "sonnet"), "cwd", json!("/q")))])),
            "2 opus /p/here 0 1",
        ),
        ("a side conversation only", lines(&[side(done("s1", "sonnet"))]), "0 - - 0 1"),
        (
            "no mark of a side conversation",
            lines(&[with(done("m1", "opus"), "isSidechain", json!(null))]),
            "1 opus /p/here 0 1",
        ),
        (
            "rows of another session mixed in",
            lines(&and(vec![with(asked("z"), "sessionId", json!(OTHER))], two())),
            "2 opus /p/here 0 2",
        ),
        (
            "rows of another session only",
            lines(&[with(done("m1", "opus"), "sessionId", json!(OTHER))]),
            "1 opus /p/here 0 1",
        ),
        (
            "no session id in any row",
            lines(&[with(done("m1", "opus"), "sessionId", json!(null))]),
            "1 opus /p/here 0 0",
        ),
        ("an answer without a model", lines(&[done_without_model()]), "1 - /p/here 0 1"),
        ("a row of 300 kB", lines(&and(vec![asked(&big)], two())), "2 opus /p/here 0 1"),
        ("an answer of 300 kB", lines(&[with(done("m1", "opus"), "blob", json!(big))]), "1 opus /p/here 0 1"),
        ("deep nesting in a row", [nested(100), lines(&two())].concat(), "2 opus /p/here 0 1"),
        (
            "a torn row before the last answer",
            [&torn(lines(&two()), 30)[..], b"\n", &lines(&[done("m9", "opus")])].concat(),
            "2 opus /p/here 1 1",
        ),
        ("a torn row at the end", [lines(&two()), torn(lines(&[done("m3", "x")]), 9)].concat(), "2 - - 1 1"),
        ("zeros after a crash", [lines(&two()), vec![0; 4096]].concat(), "2 - - 1 1"),
        ("a line that is no JSON", [b"hello\n".to_vec(), lines(&two())].concat(), "2 opus /p/here 1 1"),
        (
            "a line that is no object",
            [b"[1]\n42\nnull\n".to_vec(), lines(&two())].concat(),
            "2 opus /p/here 3 1",
        ),
        (
            "bytes that are not UTF-8",
            [b"{\"a\":\"\xff\"}\n".to_vec(), lines(&two())].concat(),
            "2 opus /p/here 1 1",
        ),
        (
            "one member said twice",
            [b"{\"cwd\":\"/a\",\"cwd\":\"/b\"}\n".to_vec(), lines(&two())].concat(),
            "2 opus /p/here 1 1",
        ),
        (
            "a member of another kind",
            lines(&and(vec![with(asked("z"), "sessionId", json!(7))], two())),
            "2 opus /p/here 1 1",
        ),
        ("an answer without a message", lines(&and(two(), vec![row("assistant", json!({}))])), "2 - - 1 1"),
        ("only damage", b"{\n}\nx".to_vec(), "0 - - 3 0"),
        ("a byte order mark", [b"\xef\xbb\xbf".to_vec(), lines(&two())].concat(), "2 opus /p/here 1 1"),
        (
            "a model with a control sequence",
            lines(&[done("m1", "o\u{1b}[31mpus")]),
            "1 o\u{1b}[31mpus /p/here 0 1",
        ),
    ];
    assert!(shapes.len() >= 40, "the table is whole: {}", shapes.len());
    for (shape, bytes, expected) in shapes {
        assert_eq!(read(&bytes), expected, "{shape}: turns, model, directory, damaged rows, ids");
    }
}

fn done_without_model() -> Value {
    let mut row = done("m1", "x");
    row["message"].as_object_mut().expect("an object").remove("model");
    row
}

fn nested(depth: usize) -> Vec<u8> {
    format!("{{\"type\":\"x\",\"deep\":{}1{}}}\n", "[".repeat(depth), "]".repeat(depth)).into_bytes()
}

#[test]
fn the_last_row_that_says_it_gives_time_version_and_the_model_asked_for() {
    let home = Home::new();
    let late = with(asked("b"), "timestamp", json!("2026-11-30T21:00:00.5Z"));
    let odd = with(with(asked("c"), "timestamp", json!("yesterday")), "version", json!("2\u{202e}1"));
    let path = home.write(&format!("projects/-p/{ID}.jsonl"), &lines(&[done("m1", "opus"), late, odd]));
    let Answer::Found(session) = home.session() else { panic!("it is there") };
    assert_eq!(session.last_at.as_deref(), Some("2026-11-30T21:00:00.5Z"), "the last time that is one");
    assert_eq!(session.client_version.as_deref(), Some("2.1.332"), "a version that a person can see rightly");
    assert_eq!(
        session.requested_model.map(|model| model.raw().to_owned()),
        Some("asked-opus".into()),
        "as asked"
    );
    assert_eq!(session.bytes, fs::metadata(&path).expect("there").len(), "the file's size");
    assert_eq!(session.store, path, "and its place");
    assert_eq!(session.ids_inside, [ID], "and the id inside its rows");
}

#[test]
fn a_session_is_found_by_its_exact_id_in_whatever_directory() {
    for name in ["-p-here", "-p-other", "renamed by hand", "-p-h-re-gn9uls", "ü"] {
        let home = Home::new();
        home.write(&format!("projects/{name}/{ID}.jsonl"), &lines(&[done("m1", "opus")]));
        home.write(&format!("projects/-a/{OTHER}.jsonl"), b"x");
        home.write(&format!("projects/-a/{ID}/subagents/agent-1.jsonl"), b"x");
        home.write("projects/-a/agent-1f.jsonl", b"x");
        home.write("projects/a file", b"x");
        let found = home.session();
        assert!(matches!(&found, Answer::Found(s) if s.turns == 1), "in {name:?}: {found:?}");
    }
}

#[test]
fn what_is_not_there_is_absent_and_what_cannot_be_told_is_unknown() {
    let home = Home::new();
    assert!(matches!(home.session(), Answer::Absent(_)), "no store at all has no session");
    home.write(&format!("projects/-a/{}.jsonl", ID.to_uppercase()), b"x");
    home.write(&format!("projects/-a/{ID}.jsonl.bak"), b"x");
    home.write(&format!("projects/{ID}.jsonl"), b"x");
    assert!(matches!(home.session(), Answer::Absent(_)), "another spelling of the name is another session");

    let ask = |id: &str| Claude.session(&home.around(), &SessionId::parse(id).expect("generic grammar"));
    for title in ["my-title-1", &ID.to_uppercase(), "20260730_114502_0a1b2c"] {
        assert!(
            matches!(ask(title), Answer::Unknown(_)),
            "{title} is not looked for: it would be taken as a title"
        );
    }
    let nowhere = Surroundings::default();
    assert!(matches!(Claude.session(&nowhere, &id()), Answer::Unknown(_)), "no home, no answer");
    let relative =
        Surroundings { vars: [("CLAUDE_CONFIG_DIR".into(), "store".into())].into(), ..home.around() };
    assert!(
        matches!(Claude.session(&relative, &id()), Answer::Unknown(_)),
        "a relative store changes with the cwd"
    );
}

#[test]
fn the_store_may_be_moved_by_its_variable() {
    let home = Home::new();
    home.write(&format!("projects/-a/{ID}.jsonl"), &lines(&[done("m1", "opus")]));
    let vars = [("CLAUDE_CONFIG_DIR".into(), home.store().into())].into();
    let moved = Surroundings { vars, home: None, ..Surroundings::default() };
    assert!(matches!(Claude.session(&moved, &id()), Answer::Found(_)), "CLAUDE_CONFIG_DIR is the store");
}

#[test]
fn two_files_of_one_id_are_named_and_none_is_chosen() {
    let home = Home::new();
    let first = home.write(&format!("projects/-a/{ID}.jsonl"), &lines(&[done("m1", "opus")]));
    symlink(home.store().join("projects/-a"), home.store().join("projects/-linked")).expect("a link");
    assert!(matches!(home.session(), Answer::Found(_)), "the same file by way of a link is one");
    let second = home.write(&format!("projects/-b/{ID}.jsonl"), b"");
    let Answer::Unknown(reason) = home.session() else { panic!("two files cannot be told apart") };
    for path in [first, second] {
        assert!(reason.contains(&path.display().to_string()), "{} is named in {reason:?}", path.display());
    }
}

#[test]
fn a_name_that_is_no_readable_file_is_unknown() {
    let home = Home::new();
    let at = |name: &str| home.store().join("projects").join(name).join(format!("{ID}.jsonl"));
    fs::create_dir_all(at("-dir")).expect("a folder of that name");
    assert!(matches!(home.session(), Answer::Unknown(_)), "a directory of that name is no session");
    fs::remove_dir(at("-dir")).expect("removed");
    symlink("/nowhere/at/all", at("-dir")).expect("a link");
    assert!(matches!(home.session(), Answer::Unknown(_)), "a link that leads nowhere is no absence");
    fs::remove_file(at("-dir")).expect("removed");
    rustix::fs::mknodat(rustix::fs::CWD, at("-dir"), rustix::fs::FileType::Fifo, 0o600.into(), 0)
        .expect("a FIFO");
    assert!(matches!(home.session(), Answer::Unknown(_)), "a FIFO is not waited for");
    fs::remove_file(at("-dir")).expect("removed");
    assert!(matches!(home.session(), Answer::Absent(_)), "and without all that it is just absent");
    let file = fs::File::create(at("-dir")).expect("a file");
    file.set_len((256 << 20) + 1).expect("a large file without blocks");
    assert!(
        matches!(home.session(), Answer::Unknown(reason) if reason.contains("256 MiB")),
        "too large is said"
    );
}

#[test]
fn a_directory_that_cannot_be_opened_is_no_absence() {
    let home = Home::new();
    home.write(&format!("projects/-a/{ID}.jsonl"), &lines(&[done("m1", "opus")]));
    let dir = home.store().join("projects/-a");
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o000)).expect("closed");
    let closed = fs::read_dir(&dir).is_err();
    let answer = home.session();
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o700)).expect("opened again");
    if closed {
        assert!(matches!(answer, Answer::Unknown(_)), "a closed directory may hold it: {answer:?}");
    }
    assert!(matches!(home.session(), Answer::Found(_)), "opened, it is there: the control");
}

#[test]
fn a_turn_has_the_time_of_its_own_last_row() {
    let home = Home::new();
    let at = |row, time: &str| with(row, "timestamp", json!(format!("2026-11-30T{time}Z")));
    let turned = |rows: &[Value]| {
        home.write(&format!("projects/-p-here/{ID}.jsonl"), &lines(rows));
        let Answer::Found(session) = home.session() else { panic!("it is there") };
        session.turned_at.map(|at| at["2026-11-30T".len()..].to_owned())
    };
    let first = [at(asked("a"), "10:00:00"), at(done("m1", "opus"), "10:00:05")];
    let and = |more: &[Value]| turned(&[first.as_slice(), more].concat());
    assert_eq!(and(&[]).as_deref(), Some("10:00:05Z"), "the answer's");
    assert_eq!(and(&[at(asked("b"), "11:00:00")]).as_deref(), Some("10:00:05Z"), "not that of a later row");
    let tool = at(answer("m2", "opus", json!("tool_use"), &["tool_use"]), "11:00:05");
    assert_eq!(and(&[tool]).as_deref(), Some("10:00:05Z"), "nor of an answer that goes on");
    assert_eq!(
        and(&[at(done("m2", "opus"), "09:00:00")]).as_deref(),
        Some("09:00:00Z"),
        "the last in the file"
    );
    assert_eq!(
        and(&[with(done("m2", "opus"), "timestamp", json!(null))]),
        None,
        "and none where it has none"
    );
}

#[test]
fn a_session_that_began_here_since_then_is_noticed() {
    let home = Home::new();
    let here = home.dir.path().join("work");
    fs::create_dir(&here).expect("a directory");
    let began = |at: &str, cwd: &Path| {
        let first = json!({"type": "queue-operation", "timestamp": at, "sessionId": OTHER});
        lines(&[first, with(asked("a"), "cwd", json!(cwd))])
    };
    let now = 1_796_070_291; // 2026-11-30T20:24:51Z
    let ask = |since| Claude.created_since(&home.around(), &[&here], since);
    assert!(matches!(ask(now), Answer::Absent(_)), "no store");
    home.write(&format!("projects/-w/{ID}.jsonl"), &began("2026-11-30T20:24:51Z", &here));
    home.write(
        &format!("projects/-w/{OTHER}.jsonl"),
        &began("2026-11-30T20:24:52Z", Path::new("/elsewhere")),
    );
    home.write("projects/-w/2ab682f9-26d4-4ebf-bcaf-3584d3a35887.jsonl", b"");
    home.write("projects/-w/agent-1f.jsonl", &began("2026-11-30T20:24:53Z", &here));
    assert_eq!(ask(now), Answer::Found(vec![id()]), "the one that began here, and no other");
    let link = home.dir.path().join("by-link");
    symlink(&here, &link).expect("a link");
    assert_eq!(
        Claude.created_since(&home.around(), &[&link], now),
        Answer::Found(vec![id()]),
        "by another spelling"
    );
    let far = i64::MAX;
    assert_eq!(ask(far), Answer::Found(vec![]), "none began later");
}

#[test]
fn who_worked_here_last_is_told_by_the_files_that_were_written_last() {
    let home = Home::new();
    let ask = |most| Claude.last_written(&home.around(), &|cwd| cwd.starts_with("/work/here"), most);
    assert!(matches!(ask(9), Answer::Absent(_)), "no store");
    let third = "2ab682f9-26d4-4ebf-bcaf-3584d3a35887";
    let sessions = [(ID, "/work/here", 1), (OTHER, "/work/here/src", 3), (third, "/work/there", 9)];
    for (id, cwd, age) in sessions {
        let path =
            home.write(&format!("projects/-w/{id}.jsonl"), &lines(&[with(asked("a"), "cwd", json!(cwd))]));
        let written = std::time::SystemTime::now() - std::time::Duration::from_secs(60 * age);
        fs::File::options()
            .append(true)
            .open(path)
            .and_then(|file| file.set_modified(written))
            .expect("dated");
    }
    home.write("projects/-w/agent-1f.jsonl", &lines(&[with(asked("a"), "cwd", json!("/work/here"))]));
    home.write("projects/-w/4ab682f9-26d4-4ebf-bcaf-3584d3a35887.jsonl", b"no json\n");
    let other = SessionId::parse(OTHER).expect("an id");
    assert_eq!(ask(9), Answer::Found(vec![id(), other]), "both of this directory, and nothing else");
    assert_eq!(ask(1), Answer::Found(vec![id()]), "the last one first");
}
