//! Claude's store: a file for each session, in a directory for each project.

use std::fs;
use std::path::Path;

use moorline::handoff::HarnessName;
use serde_json::{Value, json};

use super::true_project::encoded;
use super::{Made, Places, SESSIONS, id};

fn row(kind: &str, id: &str, cwd: &str, message: Value) -> Value {
    json!({"type": kind, "sessionId": id, "cwd": cwd, "isSidechain": false, "version": "2.1.332",
        "timestamp": "2026-11-01T08:58:00.000Z", "message": message})
}

fn answer(id: &str, cwd: &str, model: &str, name: usize) -> Value {
    let content = json!([{"type": "text", "text": "Done."}]);
    let message = json!({"id": format!("msg_{name}"), "role": "assistant", "model": model, "content": content,
        "stop_reason": "end_turn"});
    row("assistant", id, cwd, message)
}

fn lines(rows: &[Value]) -> Vec<u8> {
    rows.iter().map(|row| format!("{row}\n")).collect::<String>().into_bytes()
}

pub fn lay_out(home: &Path, places: &Places) -> Vec<Made> {
    let projects = home.join(".claude/projects");
    (0..SESSIONS).map(|n| one(&projects, n, &places.recorded(n))).collect()
}

fn one(projects: &Path, n: usize, cwd: &str) -> Made {
    let own = id(HarnessName::Claude, n, 0);
    let asked = row("user", &own, cwd, json!({"role": "user", "content": "Begin"}));
    let first = || vec![asked.clone(), answer(&own, cwd, "opus", 1)];
    let and = |more: Vec<Value>| lines(&[first(), more].concat());
    let cut = |mut bytes: Vec<u8>| {
        bytes.truncate(bytes.len() - 9);
        bytes
    };
    let with = |mut row: Value, member: &str, value: Value| {
        row[member] = value;
        row
    };
    let plain = format!("1 opus {cwd} 0 1");
    let mut began_there = true;
    let mut twice = false;
    let (what, bytes, expected) = match n % 14 {
        0 => ("one turn", lines(&first()), plain),
        1 => (
            "another model answered last",
            and(vec![answer(&own, cwd, "haiku", 2)]),
            format!("2 haiku {cwd} 0 1"),
        ),
        2 => {
            began_there = false;
            ("a file of 0 bytes", vec![], "0 - - 0 0".to_owned())
        }
        3 => {
            let big = json!({"role": "user", "content": "y".repeat(110_000)});
            ("a row of 110 kB", and(vec![row("user", &own, cwd, big)]), plain)
        }
        4 => ("a torn last row", cut(and(vec![answer(&own, cwd, "haiku", 2)])), "1 - - 1 1".to_owned()),
        5 => {
            let torn =
                [lines(std::slice::from_ref(&asked)), b"{\"type\":\"assist\n".to_vec(), lines(&first())]
                    .concat();
            ("a damaged row before the last answer", torn, format!("1 opus {cwd} 1 1"))
        }
        6 => {
            let side = with(answer(&own, "/elsewhere", "haiku", 2), "isSidechain", json!(true));
            ("a side conversation by another model elsewhere", and(vec![side]), plain)
        }
        7 => {
            began_there = false;
            let bare = first().into_iter().map(|mut row| {
                row.as_object_mut().expect("an object").remove("cwd");
                row
            });
            ("no directory in any row", lines(&bare.collect::<Vec<_>>()), "1 opus - 0 1".to_owned())
        }
        8 => {
            let stranger = id(HarnessName::Claude, n, 8);
            (
                "the rows of two sessions",
                and(vec![answer(&stranger, cwd, "opus", 2)]),
                format!("2 opus {cwd} 0 2"),
            )
        }
        9 => {
            twice = true;
            ("two files of one id", lines(&first()), "unknown two files have this session's id".to_owned())
        }
        10 => ("a question without an answer", lines(std::slice::from_ref(&asked)), format!("0 - {cwd} 0 1")),
        11 => {
            let failed = with(answer(&own, cwd, "haiku", 2), "isApiErrorMessage", json!(true));
            ("an error of the service as the last answer", and(vec![failed]), plain)
        }
        12 => {
            ("a row that is no text", [and(vec![]), b"\xff\xfe\n".to_vec()].concat(), "1 - - 1 1".to_owned())
        }
        _ => {
            let there = answer(&own, "/elsewhere", "opus", 2);
            ("it went on in another directory", and(vec![there]), "2 opus /elsewhere 0 1".to_owned())
        }
    };
    let mut folders = vec![projects.join(encoded(Path::new(cwd)))];
    if twice {
        folders.push(projects.join("-another-place"));
    }
    for folder in folders {
        fs::create_dir_all(&folder).expect("directories");
        fs::write(folder.join(format!("{own}.jsonl")), &bytes).expect("a file");
    }
    Made { id: own, what, expected, began_there }
}
