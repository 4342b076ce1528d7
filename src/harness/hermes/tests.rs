//! Databases as the client leaves them, and as crashes, older versions and other programs leave them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::json;

use super::Hermes;
use crate::handoff::SessionId;
use crate::harness::made_up::{Home, brief, told};
use crate::harness::{Answer, Harness, Surroundings};

const ID: &str = "20261130_210029_9590e9";
const OTHER: &str = "20261130_210158_04219b";

/// The tables of version 0.19.0, as far as they matter.
const TABLES: &str = include_str!("../../../tests/common/hermes-0.19.0.sql");

/// A session with one finished turn.
const ONE: &str = "
    INSERT INTO sessions (id, source, model, started_at, cwd)
        VALUES ('20261130_210029_9590e9', 'cli', 'asked', 1796072463.1, '/p/here');
    INSERT INTO messages (session_id, role, content, timestamp, finish_reason) VALUES
        ('20261130_210029_9590e9', 'user', 'a', 1796072463.2, NULL),
        ('20261130_210029_9590e9', 'assistant', 'b', 1796072464.5, 'stop');
    INSERT INTO session_model_usage VALUES ('20261130_210029_9590e9', 'real', '', 1796072464.4);";

fn id() -> SessionId {
    SessionId::parse(ID).expect("a session id")
}

fn ask(home: &Home) -> String {
    brief(Hermes.session(&home.around(), &id()))
}

/// What the tables above with these rows are read as; `@` stands for the session's id.
fn read(setup: &str) -> String {
    let home = Home::new();
    home.database(".hermes/state.db", &format!("{TABLES}{ONE}{}", setup.replace('@', ID)));
    ask(&home)
}

#[test]
fn every_shape_of_a_session_is_read_as_it_is() {
    let message = |values: &str| {
        format!(
            "INSERT INTO messages (session_id, role, timestamp, finish_reason, tool_calls) VALUES ('@', {values});"
        )
    };
    let used = |values: &str| format!("INSERT INTO session_model_usage VALUES ('@', {values});");
    let third = used("'other', '', 1796072464.4") + &used("'third', '', 2e9");
    let strangers =
        format!("INSERT INTO messages (session_id, role, timestamp) VALUES ('{OTHER}', 'assistant', 1);");
    let big = format!("UPDATE messages SET content = '{}';", "y".repeat(120_000));
    let shapes: Vec<(&str, String, &str)> = vec![
        ("one turn", String::new(), "1 real /p/here 0 1"),
        ("a second turn", message("'assistant', 2e9, 'stop', NULL"), "2 real /p/here 0 1"),
        (
            "an answer that asks for a tool",
            message("'assistant', 2e9, 'tool_calls', '[{}]'"),
            "1 real /p/here 0 1",
        ),
        ("a tool's result", message("'tool', 2e9, NULL, NULL"), "1 real /p/here 0 1"),
        (
            "an answer cut off by its length",
            message("'assistant', 2e9, 'length', NULL"),
            "2 real /p/here 0 1",
        ),
        ("an answer that is an error", message("'assistant', 2e9, 'error', NULL"), "1 real /p/here 0 1"),
        ("an answer without a reason", message("'assistant', 2e9, NULL, NULL"), "2 real /p/here 0 1"),
        (
            "one without a reason that asks for a tool",
            message("'assistant', 2e9, NULL, '[{}]'"),
            "1 real /p/here 0 1",
        ),
        ("one with an empty list of tools", message("'assistant', 2e9, NULL, '[]'"), "2 real /p/here 0 1"),
        ("a question without an answer", message("'user', 2e9, NULL, NULL"), "1 real /p/here 0 1"),
        ("another session's answers", strangers, "1 real /p/here 0 1"),
        ("no messages at all", "DELETE FROM messages;".into(), "0 real /p/here 0 1"),
        ("a turn that was taken back", "UPDATE messages SET active = 0;".into(), "0 real /p/here 0 1"),
        (
            "a turn that was compressed in place",
            "UPDATE messages SET active = 0, compacted = 1;".into(),
            "1 real /p/here 0 1",
        ),
        ("rows of 120 kB", big, "1 real /p/here 0 1"),
        ("a message whose time is a word", message("'assistant', 'now', 'stop', NULL"), "1 real /p/here 1 1"),
        ("a message whose role is bytes", message("x'00ff', 2e9, 'stop', NULL"), "1 real /p/here 1 1"),
        ("another model answered later", used("'later', '', 2e9"), "1 later /p/here 0 1"),
        ("another model answered before", used("'before', '', 1"), "1 real /p/here 0 1"),
        ("a title made by another model", used("'small', 'title', 2e9"), "1 real /p/here 0 1"),
        ("two models at the same moment", used("'other', '', 1796072464.4"), "1 - /p/here 0 1"),
        ("the same model twice at one moment", used("'real', '', 1796072464.4"), "1 real /p/here 0 1"),
        ("two at one moment, then a third", third, "1 third /p/here 0 1"),
        ("a model without a time", used("'odd', '', NULL"), "1 - /p/here 0 1"),
        ("a model that is a blank", used("' ', '', 2e9"), "1 - /p/here 0 1"),
        ("no model is known to have answered", "DELETE FROM session_model_usage;".into(), "1 - /p/here 0 1"),
        ("an older version without the table", "DROP TABLE session_model_usage;".into(), "1 - /p/here 0 1"),
        ("a model with an escape sequence", used("char(27) || '[31m', '', 2e9"), "1 \u{1b}[31m /p/here 0 1"),
        ("no directory", "UPDATE sessions SET cwd = NULL;".into(), "1 real - 0 1"),
        ("an empty directory", "UPDATE sessions SET cwd = '';".into(), "1 real - 0 1"),
        ("a directory that is bytes", "UPDATE sessions SET cwd = x'2f70';".into(), "1 real - 1 1"),
        (
            "a directory that is no text",
            "UPDATE sessions SET cwd = CAST(x'2fff' AS TEXT);".into(),
            "1 real - 1 1",
        ),
        ("a directory that is a number", "UPDATE sessions SET cwd = 7;".into(), "1 real 7 0 1"),
        (
            "an older version without directories",
            "ALTER TABLE sessions DROP COLUMN cwd;".into(),
            "1 real - 0 1",
        ),
        (
            "an older version without an archive",
            "ALTER TABLE sessions DROP COLUMN archived;".into(),
            "1 real /p/here 0 1",
        ),
        ("put away", "UPDATE sessions SET archived = 1;".into(), "1 real /p/here 0 1 archived"),
        ("a crash left its end open", "UPDATE sessions SET ended_at = NULL;".into(), "1 real /p/here 0 1"),
        (
            "a new column that nobody knows",
            "ALTER TABLE sessions ADD COLUMN news TEXT;".into(),
            "1 real /p/here 0 1",
        ),
        ("gone", "DELETE FROM sessions;".into(), "absent"),
        ("the id in upper case only", "UPDATE sessions SET id = upper(id);".into(), "absent"),
        ("a longer id only", "UPDATE sessions SET id = id || '00';".into(), "absent"),
        (
            "its id as a title only",
            "ALTER TABLE sessions ADD COLUMN title; UPDATE sessions SET title = id, id = 'x';".into(),
            "absent",
        ),
    ];
    assert!(shapes.len() >= 40, "enough shapes: {}", shapes.len());
    for (what, setup, expected) in shapes {
        assert_eq!(read(&setup), expected, "{what}");
    }
}

/// A child of a session: its id, its parent, and how it ended, in the order in which they began.
type Child<'a> = (&'a str, &'a str, &'a str);

/// The session that the client goes on with, where this one has these children. The last one has a message.
fn goes_on_as(ended: &str, children: &[Child<'_>]) -> Option<String> {
    let home = Home::new();
    let mut setup = format!("{TABLES}{ONE} UPDATE sessions SET end_reason = {ended};");
    for (began, (id, parent, ended)) in (2..).zip(children) {
        setup.push_str(&format!(
            "INSERT INTO sessions (id, parent_session_id, started_at, source, end_reason, ended_at, model_config)
             VALUES ('{id}', '{parent}', {began}, {ended});"
        ));
    }
    if let Some((id, ..)) = children.last() {
        setup.push_str(&format!(
            "INSERT INTO messages (session_id, role, timestamp) VALUES ('{id}', 'user', 1);"
        ));
    }
    home.database(".hermes/state.db", &setup);
    match Hermes.session(&home.around(), &id()) {
        Answer::Found(session) => session.continues_as,
        other => panic!("the session is there: {other:?}"),
    }
}

#[test]
fn a_session_that_goes_on_as_another_one_says_so() {
    let (open, ended, again) =
        ("'cli', NULL, NULL, NULL", "'cli', 'x', 9, NULL", "'cli', 'compression', 9, NULL");
    let branch = "'cli', NULL, NULL, '{\"_branched_from\": \"x\"}'";
    let helper = "'cli', NULL, NULL, '{\"_delegate_from\": \"x\"}'";
    let tool = "'tool', NULL, NULL, NULL";
    let compressed = "'compression'";
    let lines: Vec<(&str, &str, Vec<Child<'_>>, Option<&str>)> = vec![
        ("compressed, without a child", compressed, vec![], None),
        ("compressed into one", compressed, vec![("b", ID, open)], Some("b")),
        ("compressed twice", compressed, vec![("b", ID, again), ("c", "b", open)], Some("c")),
        (
            "an open child before a newer ended one",
            compressed,
            vec![("b", ID, open), ("c", ID, ended)],
            Some("b"),
        ),
        (
            "one that was compressed again before both",
            compressed,
            vec![("b", ID, again), ("c", ID, open), ("d", "b", open)],
            Some("d"),
        ),
        ("not compressed, but with newer messages in a child", "NULL", vec![("b", ID, open)], Some("b")),
        ("in a grandchild", "NULL", vec![("b", ID, open), ("c", "b", open)], Some("c")),
        ("a branch is another talk", compressed, vec![("b", ID, branch)], None),
        ("so is a helper's", compressed, vec![("b", ID, helper)], None),
        ("and a tool's", "NULL", vec![("b", ID, tool)], None),
        ("its own child", compressed, vec![(OTHER, OTHER, open)], None),
    ];
    for (what, ended, children, expected) in lines {
        assert_eq!(goes_on_as(ended, &children).as_deref(), expected, "{what}");
    }
    let ring = format!("UPDATE sessions SET parent_session_id = '{ID}', end_reason = 'compression';");
    assert_eq!(read(&ring), "1 real /p/here 0 1", "a ring is left");
}

#[test]
fn what_is_no_database_of_hermes_is_unknown() {
    for (what, setup) in [
        ("an empty database", ""),
        ("another program's", "CREATE TABLE sessions (name TEXT);"),
        (
            "a session's table that is a view",
            "CREATE TABLE t (a); CREATE VIEW sessions AS SELECT a AS id FROM t;",
        ),
        (
            "no messages",
            "CREATE TABLE sessions (id, model, started_at); INSERT INTO sessions VALUES ('@', 'a', 1);",
        ),
        (
            "one id twice",
            "CREATE TABLE sessions (id, model, started_at);
             INSERT INTO sessions VALUES ('@', 'a', 1), ('@', 'b', 2);",
        ),
    ] {
        let home = Home::new();
        home.database(".hermes/state.db", &setup.replace('@', ID));
        assert!(ask(&home).starts_with("unknown"), "{what}: {}", ask(&home));
    }
    let home = Home::new();
    assert_eq!(ask(&home), "absent", "no store at all has no session");
    home.write(".hermes/state.db", "no database at all, but long enough to be taken for one ".repeat(99));
    assert!(ask(&home).starts_with("unknown"), "bytes that are no database: {}", ask(&home));
    let home = Home::new();
    let path = home.database(".hermes/state.db", &format!("{TABLES}{ONE}"));
    assert_eq!(ask(&home), "1 real /p/here 0 1", "whole: the control");
    let bytes = fs::read(&path).expect("there");
    fs::write(&path, &bytes[..bytes.len() / 2]).expect("torn");
    assert!(ask(&home).starts_with("unknown"), "a torn database: {}", ask(&home));
    fs::remove_file(&path).expect("removed");
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, 0o600.into(), 0).expect("a FIFO");
    assert!(ask(&home).starts_with("unknown"), "a FIFO is not waited for: {}", ask(&home));
    fs::remove_file(&path).expect("removed");
    let file = fs::File::create(&path).expect("a file");
    file.set_len((512 << 20) + 1).expect("a large file without blocks");
    assert!(ask(&home).contains("more than is copied"), "too large is said: {}", ask(&home));
}

#[test]
fn an_id_of_another_shape_is_not_looked_for() {
    let home = Home::new();
    home.database(".hermes/state.db", &format!("{TABLES}{ONE}"));
    for title in [
        "my-title-1",
        &ID.to_uppercase(),
        &ID[..20],
        "cron_x_20261130_210029",
        "f0d682f9-26d4-4ebf-bcaf-3584d3a35887",
    ] {
        let id = SessionId::parse(title).expect("the generic grammar");
        assert!(
            brief(Hermes.session(&home.around(), &id)).contains("not looked for"),
            "{title} could be taken for a title"
        );
    }
}

#[test]
fn the_profile_that_a_start_would_use_is_the_one_that_is_read() {
    let home = Home::new();
    let lay = |name: &str, model: &str| {
        let database = home.database(&format!("{name}/state.db"), &format!("{TABLES}{ONE}"));
        let database = rusqlite::Connection::open(database).expect("it opens");
        database.execute("UPDATE session_model_usage SET model = ?1", [model]).expect("named");
        home.write(&format!("{name}/config.yaml"), format!("model: default-of-{model}"));
    };
    lay(".hermes", "root");
    lay(".hermes/profiles/coder", "coder");
    lay("opt/data", "opt");
    lay("opt/data/profiles/coder", "opt-coder");
    let seen = |around: &Surroundings| {
        let model = match Hermes.fallback_model(around, Path::new("/")) {
            Answer::Found(model) => model.raw().to_owned(),
            other => format!("{other:?}"),
        };
        (brief(Hermes.session(around, &id())), model)
    };
    let expect = |name: &str| (format!("1 {name} /p/here 0 1"), format!("default-of-{name}"));
    assert_eq!(seen(&home.around()), expect("root"), "no profile is active");
    let opt = home.around_with("HERMES_HOME", home.path("opt/data"));
    assert_eq!(seen(&opt), expect("opt"), "HERMES_HOME moves all of it");
    home.write(".hermes/active_profile", "coder\n");
    assert_eq!(seen(&home.around()), expect("coder"), "the active profile's");
    assert_eq!(seen(&opt), expect("opt"), "which is one of its own root");
    home.write("opt/data/active_profile", "coder");
    assert_eq!(seen(&opt), expect("opt-coder"), "and is honoured there");
    let named = home.around_with("HERMES_HOME", home.path(".hermes/profiles/coder"));
    home.write(".hermes/active_profile", "gone");
    assert_eq!(seen(&named), expect("coder"), "a profile's own directory is that profile");
    assert!(seen(&home.around()).0.contains("profiles/gone is not there"), "an active profile that is gone");
    home.write(".hermes/active_profile", "../../x");
    assert!(seen(&home.around()).0.starts_with("unknown"), "a name that leads elsewhere");
}

#[test]
fn a_store_is_as_it_was_after_all_questions() {
    let home = Home::new();
    let path = home.database(".hermes/state.db", &format!("PRAGMA journal_mode=WAL; {TABLES}"));
    let writer = rusqlite::Connection::open(&path).expect("it opens");
    writer.execute_batch(ONE).expect("written");
    let before = home.tree(".hermes");
    assert_eq!(before.len(), 3, "database, log and index of a client that runs");
    assert_eq!(ask(&home), "1 real /p/here 0 1", "what is only in the log is seen");
    let _told = Hermes.liveness(&home.around(), &id());
    let _new = Hermes.created_since(&home.around(), &[&home.path("")], 0);
    assert_eq!(home.tree(".hermes"), before, "nothing was written, made, folded in or removed");
    drop(writer);
    let before = home.tree(".hermes");
    assert_eq!(before.len(), 1, "and of one that has ended");
    assert_eq!(ask(&home), "1 real /p/here 0 1", "read as well");
    assert_eq!(home.tree(".hermes"), before, "no log or index was made beside it");
}

#[test]
fn a_session_that_began_here_since_then_is_noticed() {
    let home = Home::new();
    let here = home.path("work");
    fs::create_dir(&here).expect("a directory");
    let ask = |since| Hermes.created_since(&home.around(), &[&here], since);
    assert!(matches!(ask(0), Answer::Absent(_)), "no store");
    let rows = format!(
        "{TABLES} INSERT INTO sessions (id, source, started_at, cwd) VALUES ('{ID}', 'cli', 100.5, '{here}'),
         ('{OTHER}', 'cli', 200, '/elsewhere'), ('cron_x', 'cron', 200, '{here}'),
         ('20261130_210158_aaaaaa', 'cli', 99.5, '{here}'), ('20261130_210158_bbbbbb', 'cli', 200, NULL)",
        here = here.display()
    );
    home.database(".hermes/state.db", &rows);
    assert_eq!(ask(100), Answer::Found(vec![id()]), "the one that began here, and no other");
    let link = home.path("by-link");
    symlink(&here, &link).expect("a link");
    assert_eq!(
        Hermes.created_since(&home.around(), &[&link], 100),
        Answer::Found(vec![id()]),
        "by another spelling"
    );
    assert_eq!(ask(i64::MAX), Answer::Found(vec![]), "none began later");
}

/// A store with the session.
fn machine() -> Home {
    let home = Home::new();
    home.database(".hermes/state.db", &format!("{TABLES}{ONE}"));
    home
}

fn says(home: &Home, words: &str, why: &str) {
    let answer = told(Hermes.liveness(&home.around(), &id()));
    assert!(answer.starts_with(words), "{why}: {answer} begins with {words:?}");
}

const PYTHON: &str = "/v/bin/python3";

#[test]
fn a_client_that_was_started_with_the_id_owns_it() {
    let home = machine();
    says(&home, "not running: no process has", "nobody is there");
    let own = format!("HOME={}", home.path("").display());
    for argv in [
        &[PYTHON, "/v/bin/hermes", "chat", "--resume", ID][..],
        &[PYTHON, "/v/bin/hermes", "-r", ID],
        &["hermes", &format!("--resume={ID}")],
    ] {
        home.process(77, 1, "hermes", argv, &[&own]);
        says(&home, "running: 77 started with this session's id", "by its arguments");
        home.process(77, 1, "hermes", argv, &["HERMES_HOME=/elsewhere"]);
        says(&home, "not running", "in a copy of the store it is another session");
    }
    home.process(77, 1, "hermes", &["hermes", "chat", "--resume", OTHER], &[&own]);
    says(&home, "not running", "another session's client, which has not opened the database");
    home.process(77, 1, "vim", &["vim", "--resume", ID], &[&own]);
    says(&home, "not running", "another program");
}

#[test]
fn whoever_has_the_database_open_may_be_at_it() {
    let home = machine();
    home.process(77, 1, "hermes", &[PYTHON, "/v/bin/hermes", "chat"], &[]);
    says(&home, "not running", "a client that has not opened it");
    home.opens(77, 5, &home.path(".hermes/state.db"), "flags:\t02\n");
    says(&home, "unknown: process 77 has", "one that has");
    home.ends(77);
    home.process(78, 1, "renamed", &["x"], &[]);
    home.write(".hermes/state.db-wal", "");
    home.opens(78, 5, &home.path(".hermes/state.db-wal"), "flags:\t02\n");
    says(&home, "unknown: process 78 has", "whatever its name, and only the log");
    home.ends(78);
    home.process(79, 1, "hermes", &["hermes"], &[]);
    home.hides_files(79);
    says(&home, "unknown: hermes runs as process 79", "one whose files are hidden");
    home.ends(79);
    home.process(79, 1, "sshd", &["sshd"], &[]);
    home.hides_files(79);
    says(&home, "not running", "another program's hidden files hide no hermes");
    home.process(std::process::id(), 1, "moorline", &["moorline"], &[]);
    home.opens(std::process::id(), 5, &home.path(".hermes/state.db"), "flags:\t0\n");
    says(&home, "not running", "this very process only reads");
    home.ends(1);
    says(&home, "unknown", "a process table without process 1 hides others");
}

#[test]
fn a_lease_proves_an_owner_while_its_process_is_the_same() {
    let home = machine();
    let lease = |entry: serde_json::Value| {
        home.write(".hermes/runtime/active_sessions.json", json!({"entries": [entry]}).to_string());
    };
    let began = 1_796_000_005.0; // five seconds after the boot
    let entry = |start: serde_json::Value| json!({"pid": 77, "session_id": ID, "process_start_time": start});
    lease(entry(json!(began)));
    says(&home, "not running", "its process has ended");
    home.process(77, 1, "hermes", &["hermes"], &[]);
    says(&home, "running: 77 holds a lease", "it lives");
    lease(entry(json!(began + 0.9)));
    says(&home, "running: 77", "a rounded start is the same");
    lease(entry(json!(began - 3600.0)));
    says(&home, "not running", "the number was given to another process");
    lease(entry(json!(null)));
    says(&home, "unknown: a lease names process 77", "without a start it cannot be told");
    home.ends(77);
    home.process(77, 1, "bash", &["bash"], &[]);
    says(&home, "not running", "unless it is no hermes");
    lease(json!({"pid": 77, "session_id": OTHER, "process_start_time": began}));
    says(&home, "not running", "another session's lease");
    home.write(".hermes/runtime/active_sessions.json", "{");
    says(&home, "unknown", "a record that cannot be read hides an owner perhaps");
    home.write(".hermes/runtime/active_sessions.json", "{\"entries\": []}");
    says(&home, "not running", "an empty one does not: the control");
}
