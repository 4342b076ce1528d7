//! Codex's store: a file for each session, in a directory for each day; some put away, some compressed.

use std::fs;
use std::path::Path;

use moorline::handoff::HarnessName;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};

use super::{Made, Places, SESSIONS, id};

fn row(kind: &str, payload: Value) -> Value {
    json!({"timestamp": "2026-11-01T08:59:00.000Z", "type": kind, "payload": payload})
}

fn meta(id: &str, cwd: &str) -> Value {
    // The client's own instructions stand in each first row.
    let instructions = json!({"text": "You are a coding agent. ".repeat(400)});
    row(
        "session_meta",
        json!({"id": id, "timestamp": "2026-11-01T08:58:00.000Z", "cwd": cwd,
        "cli_version": "0.171.0", "source": "exec", "base_instructions": instructions}),
    )
}

fn turn(model: &str, cwd: &str) -> Vec<Value> {
    let done = json!({"type": "task_complete", "last_agent_message": "Done."});
    vec![row("turn_context", json!({"cwd": cwd, "model": model})), row("event_msg", done)]
}

fn lines(rows: &[Value]) -> Vec<u8> {
    rows.iter().map(|row| format!("{row}\n")).collect::<String>().into_bytes()
}

pub fn lay_out(home: &Path, places: &Places) -> Vec<Made> {
    let store = home.join(".codex");
    (0..SESSIONS).map(|n| one(&store, n, &places.recorded(n))).collect()
}

fn one(store: &Path, n: usize, cwd: &str) -> Made {
    let own = id(HarnessName::Codex, n, 0);
    let first = || [vec![meta(&own, cwd)], turn("gpt-a", cwd)].concat();
    let and = |more: Vec<Value>| lines(&[first(), more].concat());
    let plain = || format!("1 gpt-a {cwd} 0 1");
    let (mut began_there, mut live, mut archived, mut ending) = (true, true, false, "jsonl");
    let (what, bytes, expected) = match n % 16 {
        0 => ("one turn", and(vec![]), plain()),
        1 => ("another model answered last", and(turn("gpt-b", cwd)), format!("2 gpt-b {cwd} 0 1")),
        2 => {
            began_there = false;
            ("a file of 0 bytes", vec![], "0 - - 0 0".to_owned())
        }
        3 => {
            let big = json!({"type": "function_call", "arguments": "y".repeat(110_000)});
            ("a row of 110 kB", and(vec![row("response_item", big)]), plain())
        }
        4 => {
            let mut torn = and(turn("gpt-b", cwd));
            torn.truncate(torn.len() - 9);
            ("a torn last row", torn, "1 - - 1 1".to_owned())
        }
        5 => {
            let torn =
                [lines(&first()), b"{\"type\":\"turn_con\n".to_vec(), lines(&turn("gpt-a", cwd))].concat();
            ("a damaged row before the last turn", torn, format!("2 gpt-a {cwd} 1 1"))
        }
        6 => {
            let origin = id(HarnessName::Codex, n, 6);
            let mut fork = meta(&own, cwd);
            fork["payload"]["forked_from_id"] = json!(origin);
            let rows = [vec![fork, meta(&origin, "/elsewhere")], turn("gpt-a", cwd)].concat();
            ("a side conversation with its origin's rows", lines(&rows), plain())
        }
        7 => {
            began_there = false;
            let mut bare = [vec![meta(&own, cwd)], turn("gpt-a", cwd)].concat();
            for row in &mut bare {
                row["payload"].as_object_mut().expect("an object").remove("cwd");
            }
            ("no directory in any row", lines(&bare), "1 gpt-a - 0 1".to_owned())
        }
        8 => {
            let stranger = id(HarnessName::Codex, n, 8);
            ("the rows of two sessions", and(vec![meta(&stranger, cwd)]), format!("1 gpt-a {cwd} 0 2"))
        }
        9 => {
            archived = true;
            ("put away and there as well", and(vec![]), "unknown two files have this session's id".to_owned())
        }
        10 => {
            (live, archived) = (false, true);
            ("put away", and(vec![]), format!("{} archived", plain()))
        }
        11 => {
            ending = "jsonl.zst";
            let packed = compress_to_vec(and(turn("gpt-b", cwd)).as_slice(), CompressionLevel::Fastest);
            ("compressed", packed, format!("2 gpt-b {cwd} 0 1"))
        }
        12 => {
            ending = "jsonl.zst";
            began_there = false;
            let mut packed = compress_to_vec(and(vec![]).as_slice(), CompressionLevel::Fastest);
            packed.truncate(packed.len() / 2);
            ("compressed, and cut off", packed, "unknown cannot be unpacked".to_owned())
        }
        13 => {
            (live, archived, ending) = (false, true, "jsonl.zst");
            let packed = compress_to_vec(and(vec![]).as_slice(), CompressionLevel::Fastest);
            ("compressed and put away", packed, format!("{} archived", plain()))
        }
        14 => {
            let failed =
                json!({"type": "task_complete", "last_agent_message": null, "error": {"message": "no"}});
            let rows =
                vec![row("turn_context", json!({"cwd": "/x", "model": "gpt-b"})), row("event_msg", failed)];
            ("an error of the service as the last answer", and(rows), plain())
        }
        _ => (
            "it went on in another directory",
            and(turn("gpt-a", "/elsewhere")),
            "2 gpt-a /elsewhere 0 1".to_owned(),
        ),
    };
    let day = store.join(format!("sessions/2026/11/{:02}", n % 28 + 1));
    let places = [(live, day), (archived, store.join("archived_sessions"))];
    for (_, folder) in places.into_iter().filter(|(there, _)| *there) {
        fs::create_dir_all(&folder).expect("directories");
        let name = format!("rollout-2026-11-{:02}T08-58-00-{own}.{ending}", n % 28 + 1);
        fs::write(folder.join(name), &bytes).expect("a file");
    }
    Made { id: own, what, expected, began_there }
}
