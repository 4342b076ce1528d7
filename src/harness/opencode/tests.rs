//! Databases as the client leaves them, and as crashes, older versions and other programs leave them.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::Opencode;
use crate::handoff::SessionId;
use crate::harness::made_up::{Home, brief, told};
use crate::harness::{Answer, Harness, Surroundings};

const ID: &str = "ses_dd1bcb50affe5dkSO817X7Wjxi";
const OTHER: &str = "ses_dd1bcb50bffe5dkSO817X7Wjxi";
const STORE: &str = ".local/share/opencode/opencode.db";

/// The tables of version 1.18.33, as far as they matter, and a session without a message.
const TABLES: &str = "
    CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, directory text NOT NULL,
        title text NOT NULL, version text NOT NULL, model text, time_created integer NOT NULL,
        time_updated integer NOT NULL, time_archived integer);
    CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
        time_updated integer NOT NULL, data text NOT NULL);
    INSERT INTO session VALUES ('ses_dd1bcb50affe5dkSO817X7Wjxi', 'global', NULL, '/p/here', 't', '1.18.33', NULL,
        1796072491765, 1796072503318, NULL);";

fn id() -> SessionId {
    SessionId::parse(ID).expect("a session id")
}

fn ask(home: &Home) -> String {
    brief(Opencode.session(&home.around(), &id()))
}

/// Writes messages one after the other.
fn say(home: &Home, messages: &[String]) {
    let mut database = rusqlite::Connection::open(home.path(STORE)).expect("it opens");
    let database = database.transaction().expect("begun");
    for (index, data) in (0_i64..).zip(messages) {
        let row = "INSERT INTO message VALUES (?1, ?2, ?3, ?3, ?4)";
        database.execute(row, (format!("msg_{index:03}"), ID, 1000 + index, data)).expect("written");
    }
    database.commit().expect("kept");
}

fn asked(model: &str) -> String {
    let model = json!({"providerID": "p", "modelID": model});
    json!({"role": "user", "time": {"created": 1}, "model": model, "summary": {"diffs": []}}).to_string()
}

fn answer(model: &str) -> Value {
    json!({"role": "assistant", "modelID": model, "providerID": "p", "path": {"cwd": "/p/here", "root": "/"},
        "time": {"created": 1, "completed": 2}, "finish": "stop"})
}

fn done(model: &str) -> String {
    answer(model).to_string()
}

fn with(name: &str, value: Value) -> String {
    let mut row = answer("b");
    row[name] = value;
    row.to_string()
}

fn without(name: &str) -> String {
    let mut row = answer("b");
    row.as_object_mut().expect("an object").remove(name);
    row.to_string()
}

#[test]
fn every_shape_of_messages_is_read_as_it_is() {
    let one = || vec![asked("a"), done("a")];
    let and = |more: String| [one(), vec![more]].concat();
    let big = "y".repeat(120_000);
    let shapes: Vec<(&str, Vec<String>, &str)> = vec![
        ("no message", vec![], "0 - /p/here 0 1"),
        ("a question without an answer", vec![asked("a")], "0 - /p/here 0 1"),
        ("one turn", one(), "1 a /p/here 0 1"),
        ("two turns", [one(), vec![asked("b"), done("b")]].concat(), "2 b /p/here 0 1"),
        ("a newer question", and(asked("b")), "1 a /p/here 0 1"),
        ("an answer that asks for a tool", and(with("finish", json!("tool-calls"))), "1 b /p/here 0 1"),
        ("an answer cut off by its length", and(with("finish", json!("length"))), "2 b /p/here 0 1"),
        ("an older answer without a reason", and(without("finish")), "2 b /p/here 0 1"),
        (
            "an answer that still runs, or crashed",
            and(with("time", json!({"created": 3}))),
            "1 a /p/here 0 1",
        ),
        ("an answer without times", and(without("time")), "1 a /p/here 0 1"),
        ("an answer that is an error", and(with("error", json!({"name": "APIError"}))), "1 a /p/here 0 1"),
        ("an answer whose error is null", and(with("error", json!(null))), "2 b /p/here 0 1"),
        ("a summary", and(with("summary", json!(true))), "1 a /p/here 0 1"),
        ("an answer that is no summary", and(with("summary", json!(false))), "2 b /p/here 0 1"),
        ("an answer in another directory", and(with("path", json!({"cwd": "/x"}))), "2 b /p/here 0 1"),
        ("an answer without a model", and(without("modelID")), "2 - /p/here 0 1"),
        ("an answer whose model is null", and(with("modelID", json!(null))), "2 - /p/here 0 1"),
        ("an answer whose model is a number", and(with("modelID", json!(4))), "1 - /p/here 1 1"),
        ("an answer whose role is a list", and(with("role", json!([]))), "1 - /p/here 1 1"),
        ("an answer without a role", and(without("role")), "1 - /p/here 1 1"),
        ("an unknown role", and(with("role", json!("system"))), "1 a /p/here 0 1"),
        ("a time that is a word", and(with("time", json!({"completed": "now"}))), "1 - /p/here 1 1"),
        ("members that nobody knows", and(with("news", json!([1, {"x": null}]))), "2 b /p/here 0 1"),
        ("an answer of 120 kB", and(with("note", json!(big))), "2 b /p/here 0 1"),
        ("a message that is no JSON", and("not json".into()), "1 - /p/here 1 1"),
        ("a message that is empty", and(String::new()), "1 - /p/here 1 1"),
        ("a message that is a list", and("[]".into()), "1 - /p/here 1 1"),
        ("a message that is null", and("null".into()), "1 - /p/here 1 1"),
        ("a torn message", and(done("b")[..40].to_owned()), "1 - /p/here 1 1"),
        ("a damaged message before an answer", [vec!["{".into()], one()].concat(), "1 a /p/here 1 1"),
        ("nested deeper than is read", and(format!("{{\"role\":{}", "[".repeat(9000))), "1 - /p/here 1 1"),
        ("a model with an escape sequence", vec![done("\u{1b}[31m")], "1 \u{1b}[31m /p/here 0 1"),
        ("a thousand turns", vec![done("a"); 1000], "1000 a /p/here 0 1"),
    ];
    for (what, messages, expected) in &shapes {
        let home = Home::new();
        home.database(STORE, TABLES);
        say(&home, messages);
        assert_eq!(ask(&home), *expected, "{what}");
    }
    assert!(shapes.len() > 30, "enough shapes: {}", shapes.len());
}

#[test]
fn every_shape_of_a_session_is_read_as_it_is() {
    for (what, change, expected) in [
        ("as it is", "", "1 a /p/here 0 1"),
        ("put away", "UPDATE session SET time_archived = 5", "1 a /p/here 0 1 archived"),
        (
            "an older version without an archive",
            "ALTER TABLE session DROP COLUMN time_archived",
            "1 a /p/here 0 1",
        ),
        ("an empty directory", "UPDATE session SET directory = ''", "1 a - 0 1"),
        ("a directory that is bytes", "UPDATE session SET directory = x'2f70'", "1 a - 1 1"),
        ("a directory that is no text", "UPDATE session SET directory = CAST(x'2fff' AS TEXT)", "1 a - 1 1"),
        ("a time that is a word", "UPDATE session SET time_updated = 'now'", "1 a /p/here 0 1"),
        ("a new column", "ALTER TABLE session ADD COLUMN news text", "1 a /p/here 0 1"),
        (
            "a message that is bytes",
            "UPDATE message SET data = x'7b7d' WHERE id = 'msg_001'",
            "0 - /p/here 1 1",
        ),
        ("another session's messages", "UPDATE message SET session_id = 'ses_x'", "0 - /p/here 0 1"),
        (
            "the order of time, not of names",
            "UPDATE message SET time_created = 1 WHERE id = 'msg_001';
             INSERT INTO message SELECT 'a', session_id, 9000, 0, replace(data, '\"a\"', '\"z\"')
                FROM message WHERE id = 'msg_001'",
            "2 z /p/here 0 1",
        ),
        ("gone", "DELETE FROM session", "absent"),
        ("the id in another case only", "UPDATE session SET id = lower(id)", "absent"),
        ("a longer id only", "UPDATE session SET id = id || '0'", "absent"),
        ("its id as a title only", "UPDATE session SET title = id, id = 'x'", "absent"),
    ] {
        let home = Home::new();
        home.database(STORE, TABLES);
        say(&home, &[asked("a"), done("a")]);
        let database = rusqlite::Connection::open(home.path(STORE)).expect("it opens");
        database.execute_batch(change).expect("changed");
        drop(database);
        assert_eq!(ask(&home), expected, "{what}");
    }
}

#[test]
fn what_is_no_database_of_opencode_is_unknown() {
    for (what, setup) in [
        ("an empty database", ""),
        ("another program's", "CREATE TABLE session (name text)"),
        ("a view", "CREATE TABLE t (a); CREATE VIEW session AS SELECT a AS id, a AS directory FROM t"),
        (
            "no messages",
            "CREATE TABLE session (id, directory, version, time_updated);
             INSERT INTO session VALUES ('@', '/p', '1', 1)",
        ),
        (
            "one id twice",
            "CREATE TABLE session (id, directory, version, time_updated);
             INSERT INTO session VALUES ('@', '/p', '1', 1), ('@', '/q', '1', 1)",
        ),
    ] {
        let home = Home::new();
        home.database(STORE, &setup.replace('@', ID));
        assert!(ask(&home).starts_with("unknown"), "{what}: {}", ask(&home));
    }
    let home = Home::new();
    assert_eq!(ask(&home), "absent", "no store at all has no session");
    for title in ["my-title-1", &ID.to_uppercase(), &ID[..20], "f0d682f9-26d4-4ebf-bcaf-3584d3a35887"] {
        let id = SessionId::parse(title).expect("the generic grammar");
        assert!(
            brief(Opencode.session(&home.around(), &id)).contains("not looked for"),
            "{title} is no id of its"
        );
    }
}

#[test]
fn times_and_versions_are_told_and_the_store_is_as_it_was() {
    let home = Home::new();
    let path = home.database(STORE, "PRAGMA journal_mode=WAL");
    let writer = rusqlite::Connection::open(&path).expect("it opens");
    writer.execute_batch(TABLES).expect("written");
    say(&home, &[asked("x"), done("a")]);
    let before = home.tree(".local");
    let Answer::Found(session) = Opencode.session(&home.around(), &id()) else { panic!("it is there") };
    assert_eq!(session.last_at.as_deref(), Some("2026-11-30T21:01:43.318Z"), "the last change");
    assert_eq!(session.client_version.as_deref(), Some("1.18.33"), "the client's version");
    assert_eq!(session.requested_model.expect("asked for").raw(), "x", "as asked");
    assert_eq!(session.store, path, "its place");
    assert_eq!(session.ids_inside, [ID], "and its id");
    let _told = Opencode.liveness(&home.around(), &id());
    let _new = Opencode.created_since(&home.around(), &[&home.path("")], 0);
    assert_eq!(home.tree(".local"), before, "nothing was written, made, folded in or removed");
}

#[test]
fn the_store_may_be_moved() {
    let home = Home::new();
    let lay = |name: &str, model: &str| {
        home.database(name, TABLES);
        let database = rusqlite::Connection::open(home.path(name)).expect("it opens");
        let row = "INSERT INTO message VALUES ('m', ?1, 1, 1, ?2)";
        database.execute(row, (ID, done(model))).expect("written");
    };
    lay(STORE, "usual");
    lay("data/opencode/opencode.db", "moved");
    lay("data/opencode/beta.db", "beta");
    lay("own.db", "own");
    let seen = |around: Surroundings| brief(Opencode.session(&around, &id()));
    let both = |db: &str| {
        let mut around = home.around_with("XDG_DATA_HOME", home.path("data"));
        around.vars.insert("OPENCODE_DB".into(), db.into());
        around
    };
    assert_eq!(seen(home.around()), "1 usual /p/here 0 1", "the usual place");
    assert_eq!(
        seen(home.around_with("XDG_DATA_HOME", home.path("data"))),
        "1 moved /p/here 0 1",
        "by the data directory"
    );
    assert_eq!(seen(both("beta.db")), "1 beta /p/here 0 1", "a name of its own in it");
    assert_eq!(
        seen(home.around_with("OPENCODE_DB", home.path("own.db"))),
        "1 own /p/here 0 1",
        "a path of its own"
    );
    assert!(seen(both(":memory:")).starts_with("unknown"), "in memory nobody can read it");
    assert!(seen(home.around_with("XDG_DATA_HOME", "data")).starts_with("unknown"), "a relative one changes");
}

#[test]
fn a_session_that_began_here_since_then_is_noticed() {
    let home = Home::new();
    let here = home.path("work");
    fs::create_dir(&here).expect("a directory");
    let ask = |since| Opencode.created_since(&home.around(), &[&here], since);
    assert!(matches!(ask(0), Answer::Absent(_)), "no store");
    let rows = format!(
        "{TABLES} UPDATE session SET directory = '{here}', time_created = 100500;
         INSERT INTO session
            SELECT '{OTHER}', project_id, NULL, '/elsewhere', '', '', NULL, 200000, 1, NULL FROM session;
         INSERT INTO session
            SELECT 'odd', project_id, NULL, '{here}', '', '', NULL, 200000, 1, NULL FROM session LIMIT 1",
        here = here.display()
    );
    home.database(STORE, &rows);
    assert_eq!(ask(100), Answer::Found(vec![id()]), "the one that began here, and no other");
    let link = home.path("by-link");
    symlink(&here, &link).expect("a link");
    assert_eq!(
        Opencode.created_since(&home.around(), &[&link], 100),
        Answer::Found(vec![id()]),
        "by another spelling"
    );
    assert_eq!(ask(101), Answer::Found(vec![]), "none began later");
    assert_eq!(ask(i64::MAX), Answer::Found(vec![]), "nor at the end of days");
}

#[test]
fn who_was_started_with_the_id_owns_it_and_who_has_the_database_open_may() {
    let home = Home::new();
    let database = home.database(STORE, TABLES);
    let says = |words: &str, why: &str| {
        let answer = told(Opencode.liveness(&home.around(), &id()));
        assert!(answer.starts_with(words), "{why}: {answer} begins with {words:?}");
    };
    says("not running: no process has", "nobody is there");
    let own = format!("HOME={}", home.path("").display());
    for argv in [
        &["opencode", "-s", ID][..],
        &["/x/bin/opencode.exe", "run", "--session", ID],
        &["node", "/x/bin/opencode", &format!("--session={ID}")],
    ] {
        home.process(77, 1, "opencode", argv, &[&own]);
        says("running: 77 started with this session's id", "by its arguments");
        for elsewhere in ["XDG_DATA_HOME=/elsewhere", "HOME=/elsewhere", "OPENCODE_DB=/elsewhere.db"] {
            home.process(77, 1, "opencode", argv, &[elsewhere]);
            says("not running", "in a copy of the store it is another session");
        }
    }
    home.process(77, 1, "opencode", &["opencode", "-s", OTHER], &[&own]);
    says("not running", "another session's client, which has not opened the database");
    home.opens(77, 5, &database, "flags:\t02\n");
    says("unknown", "one that has may be at any");
    home.ends(77);
    let here = home.path("here");
    fs::create_dir(&here).expect("a directory");
    let by_link = home.path("by-link");
    symlink(&here, &by_link).expect("a link");
    let setup = rusqlite::Connection::open(&database).expect("it opens");
    setup.execute("UPDATE session SET directory = ?1", [here.display().to_string()]).expect("moved");
    drop(setup);
    for (argv, stands_in, words, why) in [
        (
            &["opencode"][..],
            &here,
            "running: 77 has the database open, in",
            "one that stands in its directory",
        ),
        (&["opencode", "serve"], &by_link, "running: 77 has the database open, in", "by another spelling"),
        (&["opencode"], &home.path(""), "unknown", "one that stands elsewhere may be at any"),
        (&["opencode", "-s", OTHER], &here, "unknown", "one that was started with another session"),
        (&["sqlite3"], &here, "unknown", "another program in that directory"),
    ] {
        home.process(77, 1, argv[0], argv, &[&own]);
        home.opens(77, 5, &database, "flags:\t02\n");
        home.stands_in(77, stands_in);
        says(words, why);
        home.ends(77);
    }
    home.process(78, 1, "renamed", &["x"], &[]);
    home.write(&format!("{STORE}-wal"), "");
    home.opens(78, 5, &home.path(&format!("{STORE}-wal")), "flags:\t02\n");
    says("unknown", "whatever its name, and only the log");
    home.ends(78);
    home.process(79, 1, "opencode", &["opencode", "serve"], &[&own]);
    home.hides_files(79);
    says("unknown", "one whose files are hidden");
    let Answer::Found(clients) = Opencode.running(&home.around()) else { panic!("the table can be read") };
    assert_eq!(clients.iter().map(|owner| owner.pid).collect::<Vec<_>>(), [79], "which the report shows");
    home.ends(79);
    says("not running", "and all ended, nobody: the control");
}
