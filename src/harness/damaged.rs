//! Stores with arbitrary damage: every reader answers, none panics, hangs or touches the store.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;

use super::made_up::Home;
use super::{Answer, of};
use crate::handoff::{HarnessName, SessionId};

/// One harness's store: its file, and an id that is in it.
const STORES: [(HarnessName, &str, &str); 4] = [
    (
        HarnessName::Claude,
        ".claude/projects/-p/f0d682f9-26d4-4ebf-bcaf-3584d3a35887.jsonl",
        "f0d682f9-26d4-4ebf-bcaf-3584d3a35887",
    ),
    (
        HarnessName::Codex,
        ".codex/sessions/2026/11/30/rollout-2026-11-30T20-57-59-01a22e40-0c7f-7733-8ac0-dc8f06fedf06.jsonl",
        "01a22e40-0c7f-7733-8ac0-dc8f06fedf06",
    ),
    (HarnessName::Hermes, ".hermes/state.db", "20261130_210029_9590e9"),
    (HarnessName::Opencode, ".local/share/opencode/opencode.db", "ses_dd1bcb50affe5dkSO817X7Wjxi"),
];

/// A whole file of each store.
fn whole(home: &Home) {
    for (name, file, id) in STORES {
        let at = "2026-11-30T20:57:59.350Z";
        match name {
            HarnessName::Claude => {
                let message = r#"{"id":"m","role":"assistant","model":"a","content":[{"type":"text"}],"stop_reason":"end_turn"}"#;
                let row = format!(
                    r#"{{"type":"assistant","sessionId":"{id}","cwd":"/p","timestamp":"{at}","message":{message}}}"#
                );
                home.write(file, format!("{row}\n{row}\n"));
            }
            HarnessName::Codex => {
                let row = |kind: &str, payload: &str| {
                    format!("{{\"timestamp\":\"{at}\",\"type\":\"{kind}\",\"payload\":{payload}}}\n")
                };
                let rows = [
                    row("session_meta", &format!(r#"{{"id":"{id}","cwd":"/p"}}"#)),
                    row("turn_context", r#"{"cwd":"/p","model":"a"}"#),
                    row("event_msg", r#"{"type":"task_complete","last_agent_message":"x"}"#),
                ];
                home.write(file, rows.concat());
            }
            HarnessName::Hermes => {
                home.database(
                    file,
                    &format!(
                        "CREATE TABLE sessions (id PRIMARY KEY, model, started_at, cwd, parent_session_id, end_reason,
                            ended_at);
                         CREATE TABLE messages (session_id, role, content, timestamp, finish_reason);
                         CREATE TABLE session_model_usage (session_id, model, task, last_seen);
                         INSERT INTO sessions VALUES ('{id}', 'a', 1, '/p', NULL, NULL, NULL);
                         INSERT INTO messages VALUES ('{id}', 'assistant', 'x', 2, 'stop');
                         INSERT INTO session_model_usage VALUES ('{id}', 'a', '', 2);"
                    ),
                );
            }
            HarnessName::Opencode => {
                home.database(
                    file,
                    &format!(
                        "CREATE TABLE session (id PRIMARY KEY, directory, version, time_created, time_updated);
                         CREATE TABLE message (id, session_id, time_created, data);
                         INSERT INTO session VALUES ('{id}', '/p', '1', 1, 1);
                         INSERT INTO message VALUES ('m', '{id}', 1,
                            '{{\"role\":\"assistant\",\"modelID\":\"a\",\"time\":{{\"completed\":1}}}}');"
                    ),
                );
            }
        }
    }
}

/// Asks everything that there is to ask of a store.
fn ask(home: &Home, name: HarnessName, id: &str) -> bool {
    let (around, harness) = (home.around(), of(name));
    let id = SessionId::parse(id).expect("an id");
    let answer = harness.session(&around, &id);
    let _told = harness.liveness(&around, &id);
    let _new = harness.created_since(&around, &[Path::new("/p")], 0);
    matches!(answer, Answer::Found(session) if session.model.is_some())
}

#[test]
fn any_damage_to_any_store_is_answered() {
    let home = Home::new();
    whole(&home);
    let originals = STORES.map(|(_, file, _)| fs::read(home.path(file)).expect("laid out"));
    for (name, _, id) in STORES {
        assert!(ask(&home, name, id), "{name:?}: whole, the session is found: the control");
    }
    let damage = prop::collection::vec((any::<Index>(), any::<u8>()), 1..24);
    let config = ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() };
    proptest::test_runner::TestRunner::new(config)
        .run(&(damage, any::<Index>(), any::<bool>()), |(damage, end, torn)| {
            for ((name, file, id), original) in STORES.into_iter().zip(&originals) {
                let mut bytes = original.clone();
                for (at, byte) in &damage {
                    let at = at.index(bytes.len());
                    bytes[at] = *byte;
                }
                bytes.truncate(if torn { end.index(bytes.len()) } else { bytes.len() });
                home.write(file, &bytes);
                ask(&home, name, id);
                prop_assert_eq!(fs::read(home.path(file)).expect("there"), bytes, "{:?} is as it was", name);
            }
            Ok(())
        })
        .expect("no damage stops a reader");
}
