//! Hermes's and OpenCode's stores: all sessions in one database. Each statement below is one session's; `@` stands for
//! its id, `CWD` for the directory that it recorded.

use std::fs;
use std::path::Path;

use moorline::handoff::HarnessName;
use rusqlite::Connection;

use super::{Made, Places, SESSIONS, id};

/// The tables of hermes 0.19.0 as far as they matter, with the index that it keeps.
const HERMES: &str = "
    CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, model_config TEXT,
        parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL, end_reason TEXT, cwd TEXT,
        archived INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
        role TEXT NOT NULL, content TEXT, tool_calls TEXT, timestamp REAL NOT NULL, finish_reason TEXT,
        active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE IF NOT EXISTS session_model_usage (session_id TEXT NOT NULL, model TEXT NOT NULL,
        task TEXT NOT NULL DEFAULT '', last_seen REAL);
    CREATE INDEX IF NOT EXISTS idx_messages_session ON messages(session_id, timestamp);
    CREATE INDEX IF NOT EXISTS idx_sessions_parent ON sessions(parent_session_id);
    CREATE INDEX IF NOT EXISTS idx_usage ON session_model_usage(session_id);";

/// A session of hermes with one turn.
const HERMES_ONE: &str = "
    INSERT INTO sessions (id, source, model, started_at, cwd) VALUES ('@', 'cli', 'asked', 1793523480, 'CWD');
    INSERT INTO messages (session_id, role, content, timestamp, finish_reason) VALUES
        ('@', 'user', 'Begin', 1793523481, NULL), ('@', 'assistant', 'Done.', 1793523482, 'stop');
    INSERT INTO session_model_usage VALUES ('@', 'opus', '', 1793523482);";

pub fn hermes(home: &Path, places: &Places) -> Vec<Made> {
    let child = "INSERT INTO sessions (id, source, started_at, parent_session_id, model_config)
        VALUES ('CHILD', 'cli', 1793523490, '@', ";
    let message = "INSERT INTO messages (session_id, role, content, timestamp, finish_reason) VALUES ('CHILD', 'user', 'x', 1793523491, NULL)";
    let compressed =
        format!("UPDATE sessions SET end_reason = 'compression' WHERE id = '@'; {child} NULL); {message}");
    let helper = format!("{child} '{{\"_delegate_from\": \"x\"}}'); {message}");
    let kinds: [(&str, &str, &str); 13] = [
        ("one turn", "", "1 opus CWD 0 1"),
        (
            "another model answered last",
            "INSERT INTO session_model_usage VALUES ('@', 'haiku', '', 1793523499)",
            "1 haiku CWD 0 1",
        ),
        ("no messages", "DELETE FROM messages WHERE session_id = '@'", "0 opus CWD 0 1"),
        (
            "a message of 110 kB",
            "UPDATE messages SET content = printf('%.*c', 110000, 'y') WHERE session_id = '@'",
            "1 opus CWD 0 1",
        ),
        (
            "a message whose time is a word",
            "INSERT INTO messages (session_id, role, timestamp) VALUES ('@', 'assistant', 'now')",
            "1 opus CWD 1 1",
        ),
        ("a directory that is bytes", "UPDATE sessions SET cwd = x'2f70' WHERE id = '@'", "1 opus - 1 1"),
        ("a side conversation by a helper", &helper, "1 opus CWD 0 1"),
        ("no directory", "UPDATE sessions SET cwd = NULL WHERE id = '@'", "1 opus - 0 1"),
        ("put away", "UPDATE sessions SET archived = 1 WHERE id = '@'", "1 opus CWD 0 1 archived"),
        ("compressed into another session", &compressed, "1 opus CWD 0 1 continues as CHILD"),
        (
            "two models at one moment",
            "INSERT INTO session_model_usage VALUES ('@', 'haiku', '', 1793523482)",
            "1 - CWD 0 1",
        ),
        (
            "no model is known to have answered",
            "DELETE FROM session_model_usage WHERE session_id = '@'",
            "1 - CWD 0 1",
        ),
        (
            "an error as the last answer",
            "INSERT INTO messages (session_id, role, timestamp, finish_reason) VALUES ('@', 'assistant', 1793523499, 'error')",
            "1 opus CWD 0 1",
        ),
    ];
    fill(&home.join(".hermes/state.db"), HERMES, HERMES_ONE, HarnessName::Hermes, &kinds, places)
}

/// The tables of opencode 1.18.33 as far as they matter, with the index that it keeps.
const OPENCODE: &str = "
    CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, parent_id text, directory text NOT NULL,
        version text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, time_archived integer);
    CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
        data text NOT NULL);
    CREATE INDEX IF NOT EXISTS message_session_idx ON message(session_id, time_created, id);";

/// A session of opencode with one turn.
const OPENCODE_ONE: &str = r#"
    INSERT INTO session VALUES ('@', NULL, 'CWD', '1.18.33', 1793523480000, 1793523482000, NULL);
    INSERT INTO message VALUES ('@m1', '@', 1, '{"role":"user"}'),
        ('@m2', '@', 2, '{"role":"assistant","modelID":"opus","time":{"completed":2},"finish":"stop"}');"#;

pub fn opencode(home: &Path, places: &Places) -> Vec<Made> {
    let kinds: [(&str, &str, &str); 11] = [
        ("one turn", "", "1 opus CWD 0 1"),
        (
            "another model answered last",
            r#"INSERT INTO message VALUES ('@m3', '@', 3, '{"role":"assistant","modelID":"haiku","time":{"completed":3},"finish":"stop"}')"#,
            "2 haiku CWD 0 1",
        ),
        ("no messages", "DELETE FROM message WHERE session_id = '@'", "0 - CWD 0 1"),
        (
            "a message of 110 kB",
            r#"INSERT INTO message VALUES ('@m3', '@', 3, '{"role":"user","x":"' || printf('%.*c', 110000, 'y') || '"}')"#,
            "1 opus CWD 0 1",
        ),
        ("a torn message", r#"INSERT INTO message VALUES ('@m3', '@', 3, '{"role":"assis')"#, "1 - CWD 1 1"),
        (
            "a directory that is bytes",
            "UPDATE session SET directory = x'2f70' WHERE id = '@'",
            "1 opus - 1 1",
        ),
        (
            "a side conversation by a helper",
            r#"INSERT INTO session VALUES ('CHILD', '@', '/elsewhere', '1.18.33', 1, 1, NULL);
               INSERT INTO message VALUES ('@c1', 'CHILD', 3, '{"role":"assistant","modelID":"haiku","time":{"completed":3}}')"#,
            "1 opus CWD 0 1",
        ),
        ("no directory", "UPDATE session SET directory = '' WHERE id = '@'", "1 opus - 0 1"),
        ("put away", "UPDATE session SET time_archived = 5 WHERE id = '@'", "1 opus CWD 0 1 archived"),
        (
            "an answer that never ended",
            r#"INSERT INTO message VALUES ('@m3', '@', 3, '{"role":"assistant","modelID":"haiku","time":{"created":3}}')"#,
            "1 opus CWD 0 1",
        ),
        (
            "an error as the last answer",
            r#"INSERT INTO message VALUES ('@m3', '@', 3, '{"role":"assistant","modelID":"haiku","time":{"completed":3},"error":{"name":"x"}}')"#,
            "1 opus CWD 0 1",
        ),
    ];
    let store = home.join(".local/share/opencode/opencode.db");
    fill(&store, OPENCODE, OPENCODE_ONE, HarnessName::Opencode, &kinds, places)
}

fn fill(
    store: &Path,
    tables: &str,
    one: &str,
    name: HarnessName,
    kinds: &[(&'static str, &str, &str)],
    places: &Places,
) -> Vec<Made> {
    fs::create_dir_all(store.parent().expect("a directory")).expect("directories");
    let mut database = Connection::open(store).expect("it opens");
    database.execute_batch(&format!("PRAGMA synchronous=OFF; {tables}")).expect("its tables");
    let all = database.transaction().expect("begun");
    let made = (0..SESSIONS).map(|n| {
        let (what, change, expected) = kinds[n % kinds.len()];
        let (own, child, cwd) = (id(name, n, 0), id(name, n, 9), places.recorded(n));
        let filled = |text: &str| text.replace('@', &own).replace("CHILD", &child).replace("CWD", &cwd);
        all.execute_batch(&filled(&format!("{one} {change};"))).expect(what);
        let began_there = !what.contains("directory");
        Made { id: own.clone(), what, expected: filled(expected), began_there }
    });
    let made: Vec<Made> = made.collect();
    all.commit().expect("kept");
    made
}
