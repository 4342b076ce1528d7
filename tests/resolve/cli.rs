//! The same decisions through the program: exit codes, streams, and words that cannot be used.

use std::process::{Command, Output};

use serde_json::Value;

use super::world::{Scenario, World, tree};
use super::{cases, change};

fn moorline(world: &World, args: &[String]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moorline"));
    command.env_clear().env("HOME", &world.base).env("PATH", "/usr/bin:/bin").current_dir(&world.base);
    command.args(args).output().unwrap()
}

fn flags(world: &World) -> Vec<String> {
    let pairs = world.flags.iter().flat_map(|(flag, value)| [flag.clone(), value.clone()]);
    std::iter::once("resolve".to_owned()).chain(pairs).collect()
}

#[test]
fn thunderkits_own_table_holds_through_the_program() {
    let mut seen = 0;
    for case in cases().iter().filter(|case| case.name.starts_with("handoff: ")) {
        let mut world = World::build(&Scenario::parse(&case.of));
        change::apply(&mut world, &case.changes);
        let before = tree(&world.base);
        let mut args = flags(&world);
        let text = moorline(&world, &args);
        args.push("--json".to_owned());
        let json = moorline(&world, &args);
        assert_eq!(tree(&world.base), before, "{}: nothing is written", case.name);
        let code = match case.expect.as_str() {
            expect if expect.ends_with("invalid_config") => 2,
            expect if expect.starts_with("blocked") => 1,
            _ => 0,
        };
        assert_eq!(
            json.status.code(),
            Some(code),
            "{}: {}",
            case.name,
            String::from_utf8_lossy(&json.stderr)
        );
        assert_eq!(text.status.code(), Some(code), "{}: the same in text form", case.name);
        let record: Value = serde_json::from_slice(&json.stdout).unwrap();
        let said =
            format!("{}/{}", record["decision"].as_str().unwrap(), record["reason_code"].as_str().unwrap());
        assert_eq!(said, case.expect, "{}: {record}", case.name);
        let operation = record["operation"].as_str().unwrap();
        let line = format!("tk-handoff {operation}: {}\n", said.replace('/', " (") + ")");
        assert_eq!(String::from_utf8_lossy(&text.stdout), line, "{}: one line, and no other", case.name);
        assert!(!text.stderr.is_empty(), "{}: the detail goes to the error stream", case.name);
        assert!(
            record["detail"].as_str().unwrap().contains("the built-in manifest")
                == (code != 2 && !said.ends_with("disabled")),
            "{}: the built-in manifest is named where it decided: {record}",
            case.name
        );
        seen += 1;
    }
    assert_eq!(seen, 15, "every row of the table was tried");
}

#[test]
fn words_that_cannot_be_used_end_in_a_record_too() {
    let world = World::build(&Scenario::parse("2 opencode tk-plan"));
    world.write();
    for args in [
        vec!["resolve", "--json"],
        vec!["resolve", "--json", "--unknown"],
        vec!["resolve", "--skill", "tk-plan", "--json", "--lock"],
        vec!["resolve", "--skill", "tk-plan", "--project-root", "nowhere", "--json"],
    ] {
        let args: Vec<String> = args.into_iter().map(str::to_owned).collect();
        let out = moorline(&world, &args);
        assert_eq!(out.status.code(), Some(2), "{args:?} is malformed input");
        let record: Value = serde_json::from_slice(&out.stdout).unwrap_or_else(|error| {
            panic!("{args:?} prints one record: {error}: {:?}", String::from_utf8_lossy(&out.stdout))
        });
        assert_eq!(record["reason_code"], "invalid_config", "{args:?}");
        assert!(
            record["target"].is_null() && record["evidence_paths"] == Value::Array(vec![]),
            "{args:?} read nothing"
        );
    }
    let out = moorline(&world, &["resolve".to_owned(), "--help".to_owned()]);
    assert_eq!(out.status.code(), Some(0), "control: help is no refusal");
}

#[test]
fn a_blocked_operation_is_exit_code_one() {
    let mut world = World::build(&Scenario::parse("2 hermes tk-execute"));
    world.documents.get_mut("capabilities").unwrap()["runtime_home"] = Value::Null;
    world.write();
    let out = moorline(&world, &flags(&world));
    assert_eq!(out.status.code(), Some(1), "blocked, and the input was usable");
    let line = "tk-execute execute: blocked (unsafe_runtime_home)\n";
    assert_eq!(String::from_utf8_lossy(&out.stdout), line, "in one line");
}
