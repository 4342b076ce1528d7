//! Shapes of stores as the client leaves them, and as crashes, copies and other programs leave them.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::{Value, json};

use super::Codex;
use crate::handoff::SessionId;
use crate::harness::made_up::{Home, brief};
use crate::harness::{Answer, Harness, Liveness, Program, Surroundings};

mod packed;

const ID: &str = "01a22e40-0c7f-7733-8ac0-dc8f06fedf06";
const OTHER: &str = "01a22e40-1111-7733-8ac0-dc8f06fedf06";
const DAY: &str = ".codex/sessions/2026/11/30";

fn id() -> SessionId {
    SessionId::parse(ID).expect("a session id")
}

fn name(id: &str) -> String {
    format!("{DAY}/rollout-2026-11-30T20-57-59-{id}.jsonl")
}

fn row(kind: &str, payload: Value) -> Value {
    json!({"timestamp": "2026-11-30T20:57:59.350Z", "ordinal": 0, "type": kind, "payload": payload})
}

fn meta_of(id: &str, cwd: &str) -> Value {
    row(
        "session_meta",
        json!({
            "id": id, "session_id": id, "timestamp": "2026-11-30T20:57:59.176Z", "cwd": cwd, "cli_version": "0.171.0",
            "originator": "codex_exec", "source": "exec", "base_instructions": {"text": "You are a coding agent."}
        }),
    )
}

fn meta() -> Value {
    meta_of(ID, "/p/here")
}

fn turn(model: &str, cwd: &str) -> Value {
    row("turn_context", json!({"turn_id": "t", "cwd": cwd, "model": model, "approval_policy": "never"}))
}

fn said() -> Value {
    row(
        "response_item",
        json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]}),
    )
}

fn done() -> Value {
    row("event_msg", json!({"type": "task_complete", "turn_id": "t", "last_agent_message": "x"}))
}

fn failed() -> Value {
    row("event_msg", json!({"type": "task_complete", "last_agent_message": null, "error": {"message": "no"}}))
}

/// A whole turn.
fn whole(model: &str, cwd: &str) -> Vec<Value> {
    let asked = row("response_item", json!({"type": "message", "role": "user", "content": []}));
    let began = row("event_msg", json!({"type": "task_started", "turn_id": "t"}));
    vec![began, turn(model, cwd), asked, said(), done()]
}

fn lines(rows: &[Value]) -> Vec<u8> {
    rows.iter().map(|row| format!("{row}\n")).collect::<String>().into_bytes()
}

fn session(turns: &[Vec<Value>]) -> Vec<u8> {
    lines(&[vec![meta()], turns.concat()].concat())
}

fn read(bytes: &[u8]) -> String {
    let home = Home::new();
    home.write(&name(ID), bytes);
    brief(Codex.session(&home.around(), &id()))
}

#[test]
fn every_shape_of_a_session_file_is_read_as_it_is() {
    let torn = |mut bytes: Vec<u8>, keep: usize| {
        bytes.truncate(bytes.len() - keep);
        bytes
    };
    let add = |mut bytes: Vec<u8>, more: &[u8]| {
        bytes.extend_from_slice(more);
        bytes
    };
    let rows = |rows: Vec<Value>| lines(&[vec![meta()], rows].concat());
    let one = || whole("gpt-a", "/p/here");
    let two = || session(&[one(), whole("gpt-b", "/p/there")]);
    let big = "y".repeat(120_000);
    let fork = |origin: &str| {
        let mut meta = meta();
        meta["payload"]["forked_from_id"] = json!(origin);
        meta
    };
    let without = |mut row: Value, member: &str| {
        row["payload"].as_object_mut().expect("an object").remove(member);
        row
    };
    let tool = row("response_item", json!({"type": "function_call", "name": "shell", "arguments": big}));
    let shapes: Vec<(&str, Vec<u8>, &str)> = vec![
        ("an empty file", vec![], "0 - - 0 0"),
        ("blank lines only", b"\n\n \n\r\n".to_vec(), "0 - - 0 0"),
        ("only its first row", rows(vec![]), "0 - /p/here 0 1"),
        ("a turn without an answer", rows(vec![turn("gpt-a", "/p/there")]), "0 - /p/there 0 1"),
        ("one turn", session(&[one()]), "1 gpt-a /p/here 0 1"),
        ("two turns, the last one elsewhere and by another", two(), "2 gpt-b /p/there 0 1"),
        (
            "a turn that failed counts for nothing",
            rows([one(), vec![turn("gpt-b", "/x"), failed()]].concat()),
            "1 gpt-a /p/here 0 1",
        ),
        (
            "a turn that was taken back in the middle",
            rows(
                [one(), vec![turn("gpt-b", "/x"), row("event_msg", json!({"type": "turn_aborted"}))]]
                    .concat(),
            ),
            "1 gpt-a /p/here 0 1",
        ),
        (
            "an answer, then killed",
            rows([one(), vec![turn("gpt-b", "/x"), said()]].concat()),
            "1 gpt-b /x 0 1",
        ),
        (
            "an old client that writes no end of a turn",
            rows(vec![turn("gpt-a", "/x"), said()]),
            "0 gpt-a /x 0 1",
        ),
        (
            "the end of a turn by its other name",
            rows(vec![
                turn("gpt-a", "/x"),
                row("event_msg", json!({"type": "turn_complete", "last_agent_message": "x"})),
            ]),
            "1 gpt-a /x 0 1",
        ),
        ("an answer before any turn", rows(vec![said(), done()]), "1 - /p/here 0 1"),
        (
            "a large tool call between",
            rows([vec![turn("gpt-a", "/x"), tool], vec![said(), done()]].concat()),
            "1 gpt-a /x 0 1",
        ),
        (
            "an answer of 120 kB",
            rows(vec![
                turn("gpt-a", "/x"),
                row(
                    "response_item",
                    json!({"type": "message", "role": "assistant", "content": [{"text": big}]}),
                ),
                done(),
            ]),
            "1 gpt-a /x 0 1",
        ),
        ("a last row without its end", torn(session(&[one()]), 1), "1 gpt-a /p/here 0 1"),
        ("a torn last row", torn(two(), 9), "1 - - 1 1"),
        (
            "a torn row that a new turn follows",
            [torn(session(&[one()]), 9), b"\n".to_vec(), lines(&one())].concat(),
            "1 gpt-a /p/here 1 1",
        ),
        ("a row of another kind of text", add(session(&[one()]), b"not json\n"), "1 - - 1 1"),
        ("a row that is no text at all", add(session(&[one()]), b"\xff\xfe\n"), "1 - - 1 1"),
        ("bytes of nothing after a crash", add(session(&[one()]), &[0; 64]), "1 - - 1 1"),
        ("a row that is a list", add(session(&[one()]), b"[]\n"), "1 - - 1 1"),
        ("a row that is null", add(session(&[one()]), b"null\n"), "1 - - 1 1"),
        (
            "an unknown kind of row",
            add(session(&[one()]), b"{\"type\":\"new\",\"payload\":[1]}\n"),
            "1 gpt-a /p/here 0 1",
        ),
        ("a row without a kind", add(session(&[one()]), b"{\"timestamp\":\"x\"}\n"), "1 gpt-a /p/here 0 1"),
        ("a turn without a payload", add(session(&[one()]), b"{\"type\":\"turn_context\"}\n"), "1 - - 1 1"),
        (
            "a turn whose model is a number",
            rows([one(), vec![row("turn_context", json!({"cwd": "/x", "model": 4}))]].concat()),
            "1 - - 1 1",
        ),
        (
            "a turn without a model",
            rows(vec![without(turn("a", "/x"), "model"), said(), done()]),
            "1 - /x 0 1",
        ),
        (
            "a turn without a directory",
            rows(vec![without(turn("gpt-a", "/x"), "cwd"), said(), done()]),
            "1 gpt-a - 0 1",
        ),
        (
            "a first row without a directory",
            lines(&[vec![without(meta(), "cwd")], vec![turn("gpt-a", "/x"), done()]].concat()),
            "1 gpt-a /x 0 1",
        ),
        (
            "a first row without an id",
            lines(&[vec![without(meta(), "id")], one()].concat()),
            "1 gpt-a /p/here 0 0",
        ),
        ("no first row", lines(&one()), "1 gpt-a /p/here 0 0"),
        (
            "a damaged first row",
            [b"{\"type\":\"session_meta\",\n".to_vec(), lines(&one())].concat(),
            "1 gpt-a /p/here 1 0",
        ),
        (
            "the rows of two sessions",
            rows([one(), vec![meta_of(OTHER, "/q")], one()].concat()),
            "2 gpt-a /p/here 0 2",
        ),
        ("the same first row twice", rows([vec![meta()], one()].concat()), "1 gpt-a /p/here 0 1"),
        (
            "a fork with its origin's rows",
            lines(&[vec![fork(OTHER), meta_of(OTHER, "/q")], one()].concat()),
            "1 gpt-a /p/here 0 1",
        ),
        (
            "a fork with a stranger's rows",
            lines(&[vec![fork("x"), meta_of(OTHER, "/q")], one()].concat()),
            "1 gpt-a /p/here 0 2",
        ),
        (
            "line ends of another system",
            String::from_utf8(two()).expect("text").replace('\n', "\r\n").into_bytes(),
            "2 gpt-b /p/there 0 1",
        ),
        (
            "a BOM before the first row",
            [b"\xef\xbb\xbf".to_vec(), session(&[one()])].concat(),
            "1 gpt-a /p/here 1 0",
        ),
        ("a model with an escape sequence", session(&[whole("a\u{1b}[31m", "/x")]), "1 a\u{1b}[31m /x 0 1"),
        ("a directory that is not of this world", session(&[whole("gpt-a", "C:\\x")]), "1 gpt-a C:\\x 0 1"),
        ("a thousand turns", session(&vec![one(); 1000]), "1000 gpt-a /p/here 0 1"),
        (
            "nested deeper than is read",
            add(session(&[one()]), &[b"{\"type\":".to_vec(), b"[".repeat(9000), b"\n".to_vec()].concat()),
            "1 - - 1 1",
        ),
        ("the same member twice", add(session(&[one()]), b"{\"type\":\"a\",\"type\":\"b\"}\n"), "1 - - 1 1"),
    ];
    assert!(shapes.len() >= 40, "enough shapes: {}", shapes.len());
    for (what, bytes, expected) in shapes {
        assert_eq!(read(&bytes), expected, "{what}");
    }
}

#[test]
fn times_versions_and_places_are_told() {
    let home = Home::new();
    let mut late = done();
    late["timestamp"] = json!("2026-11-30T21:00:00.5Z");
    let mut odd = row("event_msg", json!({"type": "token_count"}));
    odd["timestamp"] = json!("yesterday");
    let path = home.write(&name(ID), lines(&[meta(), turn("gpt-a", "/x"), late, odd]));
    let Answer::Found(session) = Codex.session(&home.around(), &id()) else { panic!("it is there") };
    assert_eq!(session.last_at.as_deref(), Some("2026-11-30T21:00:00.5Z"), "the last time that is one");
    assert_eq!(session.client_version.as_deref(), Some("0.171.0"), "the client's version");
    assert_eq!(session.requested_model.expect("asked for").raw(), "gpt-a", "as asked");
    assert_eq!(
        (session.store, session.bytes),
        (path.clone(), fs::metadata(path).expect("there").len()),
        "its place"
    );
    assert_eq!(session.ids_inside, [ID], "and the id inside");
}

#[test]
fn a_session_is_found_by_its_name_and_nothing_else_is_opened() {
    let home = Home::new();
    home.write(&name(ID), session(&[whole("gpt-a", "/x")]));
    // FIFOs: whoever opened one would be told that it is no file.
    for other in
        [name(OTHER), format!("{DAY}/notes.txt"), ".codex/state_5.sqlite".into(), ".codex/auth.json".into()]
    {
        let path = home.path(&other);
        rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0)
            .expect("a FIFO");
    }
    let before = home.tree(".codex");
    assert_eq!(
        brief(Codex.session(&home.around(), &id())),
        "1 gpt-a /x 0 1",
        "found among what cannot be read"
    );
    assert!(matches!(Codex.liveness(&home.around(), &id()), Liveness::NotRunning(_)), "nor for who runs it");
    let other = SessionId::parse(OTHER).expect("an id");
    assert!(
        brief(Codex.session(&home.around(), &other)).contains("not a regular file"),
        "a FIFO is told: the control"
    );
    assert_eq!(home.tree(".codex"), before, "and the store is as it was");
}

#[test]
fn what_is_not_there_is_absent_and_what_cannot_be_told_is_unknown() {
    let home = Home::new();
    let ask = || brief(Codex.session(&home.around(), &id()));
    assert_eq!(ask(), "absent", "no store at all has no session");
    for odd in [
        format!("{DAY}/rollout-2026-11-30T20-57-59-{}.jsonl", ID.to_uppercase()),
        format!("{DAY}/rollout-2026-11-30T20-57-59-{ID}.jsonl.bak"),
        format!("{DAY}/rollout-2026-11-30T20-57-59-x{ID}.jsonl"),
        format!("{DAY}/rollout-{ID}.jsonl"),
        format!("{DAY}/{ID}.jsonl"),
        format!(".codex/rollout-2026-11-30T20-57-59-{ID}.jsonl"),
    ] {
        home.write(&odd, session(&[whole("gpt-a", "/x")]));
        assert_eq!(ask(), "absent", "{odd} is no session's file");
    }
    for title in ["my-title-1", &ID.to_uppercase(), &ID[..35], "20260730_114502_0a1b2c"] {
        let id = SessionId::parse(title).expect("the generic grammar");
        assert!(
            brief(Codex.session(&home.around(), &id)).contains("not looked for"),
            "{title} would begin a new one"
        );
    }
    let path = home.path(&name(ID));
    fs::create_dir(&path).expect("a folder of that name");
    assert!(ask().starts_with("unknown"), "a directory of that name is no session");
    fs::remove_dir(&path).expect("removed");
    symlink("/nowhere/at/all", &path).expect("a link");
    assert!(ask().starts_with("unknown"), "a link that leads nowhere is no absence: {}", ask());
    fs::remove_file(&path).expect("removed");
    let file = fs::File::create(&path).expect("a file");
    file.set_len((256 << 20) + 1).expect("a large file without blocks");
    assert!(ask().contains("256 MiB"), "too large is said: {}", ask());
}

#[test]
fn put_away_compressed_and_doubled_sessions_are_not_gone_on_with() {
    let bytes = session(&[whole("gpt-a", "/x")]);
    let archived = format!(".codex/archived_sessions/rollout-2026-11-30T20-57-59-{ID}.jsonl");
    let home = Home::new();
    home.write(&archived, &bytes);
    assert_eq!(
        brief(Codex.session(&home.around(), &id())),
        "1 gpt-a /x 0 1 archived",
        "put away, and said so"
    );
    home.write(&name(ID), &bytes);
    let both = brief(Codex.session(&home.around(), &id()));
    for path in [home.path(&archived), home.path(&name(ID))] {
        assert!(both.contains(&path.display().to_string()), "both are named: {both}");
    }
    let home = Home::new();
    home.write(&format!("{}.zst", name(ID)), packed::pack(&bytes));
    assert_eq!(brief(Codex.session(&home.around(), &id())), "1 gpt-a /x 0 1", "a compressed one is unpacked");
    home.write(&name(ID), &bytes);
    assert!(
        brief(Codex.session(&home.around(), &id())).contains("two files"),
        "and beside another it is a second"
    );
}

#[test]
fn where_the_client_s_databases_lie_makes_no_difference() {
    let home = Home::new();
    home.write(&name(ID), session(&[whole("gpt-a", "/x")]));
    let plain = brief(Codex.session(&home.around(), &id()));
    assert_eq!(plain, "1 gpt-a /x 0 1", "without the variable: the control");
    for elsewhere in ["/nowhere", "relative", ""] {
        let around = home.around_with("CODEX_SQLITE_HOME", elsewhere);
        assert_eq!(brief(Codex.session(&around, &id())), plain, "with {elsewhere:?}");
        assert!(matches!(Codex.liveness(&around, &id()), Liveness::NotRunning(_)), "and nobody runs it");
    }
}

#[test]
fn a_day_that_cannot_be_listed_is_no_absence() {
    let home = Home::new();
    home.write(&name(ID), session(&[whole("gpt-a", "/x")]));
    let day = home.path(DAY);
    fs::set_permissions(&day, fs::Permissions::from_mode(0o000)).expect("closed");
    let closed = fs::read_dir(&day).is_err();
    let answer = brief(Codex.session(&home.around(), &id()));
    fs::set_permissions(&day, fs::Permissions::from_mode(0o700)).expect("opened again");
    assert!(!closed || answer.starts_with("unknown"), "a closed directory may hold it: {answer}");
    assert_eq!(
        brief(Codex.session(&home.around(), &id())),
        "1 gpt-a /x 0 1",
        "opened, it is there: the control"
    );
}

#[test]
fn the_store_may_be_moved_and_linked() {
    let home = Home::new();
    home.write(
        &format!("elsewhere/{}", name(ID).trim_start_matches(".codex/")),
        session(&[whole("gpt-a", "/x")]),
    );
    let moved = home.around_with("CODEX_HOME", home.path("elsewhere"));
    assert_eq!(brief(Codex.session(&moved, &id())), "1 gpt-a /x 0 1", "CODEX_HOME is the store");
    assert_eq!(Codex.store(&moved), Answer::Found(home.path("elsewhere")), "and is said");
    assert!(matches!(Codex.store(&home.around()), Answer::Absent(_)), "the usual place is empty");
    symlink(home.path("elsewhere"), home.path(".codex")).expect("a link");
    assert_eq!(brief(Codex.session(&home.around(), &id())), "1 gpt-a /x 0 1", "a linked store is one");
    let relative = home.around_with("CODEX_HOME", "store");
    assert!(
        brief(Codex.session(&relative, &id())).starts_with("unknown"),
        "a relative one changes with the cwd"
    );
    assert!(
        brief(Codex.session(&Surroundings::default(), &id())).starts_with("unknown"),
        "no home, no answer"
    );
}

#[test]
fn a_session_that_began_here_since_then_is_noticed() {
    let home = Home::new();
    let here = home.path("work");
    fs::create_dir(&here).expect("a directory");
    let began = |id: &str, cwd: &Path, at: &str| {
        let mut meta = meta_of(id, &cwd.display().to_string());
        meta["payload"]["timestamp"] = json!(at);
        lines(&[meta])
    };
    let now = 1_796_070_291; // 2026-11-30T20:24:51Z
    let ask = |since| Codex.created_since(&home.around(), &[&here], since);
    assert!(matches!(ask(now), Answer::Absent(_)), "no store");
    home.write(&name(ID), began(ID, &here, "2026-11-30T20:24:51Z"));
    home.write(&name(OTHER), began(OTHER, Path::new("/elsewhere"), "2026-11-30T20:24:52Z"));
    home.write(&name("01a22e40-2222-7733-8ac0-dc8f06fedf06"), b"");
    home.write(&name("01a22e40-3333-7733-8ac0-dc8f06fedf06"), b"no json\n");
    assert_eq!(ask(now), Answer::Found(vec![id()]), "the one that began here, and no other");
    let link = home.path("by-link");
    symlink(&here, &link).expect("a link");
    assert_eq!(
        Codex.created_since(&home.around(), &[&link], now),
        Answer::Found(vec![id()]),
        "by another spelling"
    );
    assert_eq!(ask(i64::MAX), Answer::Found(vec![]), "none began later");
}

#[test]
fn who_worked_here_last_is_told_by_the_files_that_were_written_last() {
    let home = Home::new();
    let ask = |most| Codex.last_written(&home.around(), &|cwd| cwd.starts_with("/work/here"), most);
    assert_eq!(ask(9), Answer::Found(vec![]), "no store");
    let third = "01a22e40-2222-7733-8ac0-dc8f06fedf06";
    for (id, cwd, age) in [(ID, "/work/here", 1), (OTHER, "/work/here/src", 3), (third, "/work/there", 9)] {
        let path = home.write(&name(id), lines(&[meta_of(id, cwd)]));
        let written = std::time::SystemTime::now() - std::time::Duration::from_secs(60 * age);
        fs::File::options()
            .append(true)
            .open(path)
            .and_then(|file| file.set_modified(written))
            .expect("dated");
    }
    home.write(&name("01a22e40-3333-7733-8ac0-dc8f06fedf06"), b"no json\n");
    let other = SessionId::parse(OTHER).expect("an id");
    assert_eq!(ask(9), Answer::Found(vec![id(), other]), "both of this directory, and nothing else");
    assert_eq!(ask(1), Answer::Found(vec![id()]), "the last one first");
}

#[test]
fn the_native_program_has_the_version_of_its_package() {
    for (written, expected) in [
        ("0.171.0", "0.171.0"),
        ("0.171.0-linux-x64", "0.171.0"),
        ("0.172.0-alpha.1", "0.172.0-alpha.1"),
        ("0.172.0-alpha.1-darwin-arm64", "0.172.0-alpha.1"),
    ] {
        let home = Home::new();
        home.write("p/package.json", json!({"name": "@openai/codex", "version": written}).to_string());
        let path = home.write("p/vendor/bin/codex", "");
        let program = Program { found_in: home.path("p"), path, ignored: vec![] };
        let Answer::Found(version) = Codex.version(&program) else { panic!("the package says it") };
        assert_eq!(version.text, expected, "{written}");
    }
}
