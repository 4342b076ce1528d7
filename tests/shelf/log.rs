//! The log: what cannot be read of it is said, and it does not grow for ever.

use std::fs;
use std::path::PathBuf;

use super::world::World;

fn log(world: &World) -> PathBuf {
    world.base.join("state/moorline/shelf.jsonl")
}

#[test]
fn lines_that_cannot_be_read_are_counted_and_nothing_is_lost_by_them() {
    let world = World::new();
    let first = world.handoff(".claude/handoffs/261101-a.md");
    world.types(&["trash", "261101-a"]);
    let whole = fs::read_to_string(log(&world)).expect("a log");
    fs::write(log(&world), "{\"event\":\"begin\",\"act\nnonsense\n").expect("damaged");
    let (code, said) = world.types(&["undo"]);
    assert_eq!(code, 1, "nothing is left that is known");
    let words = format!("2 lines of {} cannot be read", log(&world).display());
    assert!(said.contains("nothing to undo") && said.contains(&words), "how many, and where: {said}");
    assert!(said.contains("no file is lost") && said.contains("put-back"), "and what to do: {said}");
    let (code, said) = world.types(&["put-back", "261101-a"]);
    assert_eq!((code, first.exists()), (0, true), "so it is: {said}");

    fs::write(log(&world), format!("nonsense\n{whole}")).expect("damaged less");
    world.types(&["trash", "261101-a"]);
    let (code, said) = world.types(&["undo", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&said).expect("one document");
    assert_eq!((code, first.exists()), (0, true), "what can be read is taken back: {said}");
    let remark = document["remarks"][0].as_str().unwrap_or_default();
    assert!(remark.starts_with("1 line of"), "and the odd line is still said: {said}");

    fs::write(log(&world), whole).expect("mended");
    let (_, said) = world.types(&["undo"]);
    assert!(!said.contains("cannot be read"), "the control: a whole log has none: {said}");
}

/// Puts one handoff away and back so often, each action in the log.
fn busy(world: &World, times: usize) {
    let path = world.handoff(".claude/handoffs/261101-busy.md");
    let (shelf, roots) = (world.shelf(), world.roots());
    let ask = || super::world::ask(&shelf, &roots);
    for _ in 0..times {
        let row =
            moorline::place::read_path(&path, &roots).expect("read").into_iter().map(std::sync::Arc::new);
        let plan = moorline::shelf::plan::archive(ask(), &row.collect::<Vec<_>>());
        assert_eq!(world.act(&plan).moved(), 1, "archived");
        assert_eq!(world.act(&shelf.undo(None).expect("undone")).moved(), 1, "and back");
    }
}

#[test]
fn the_log_stays_short_and_keeps_what_can_be_undone() {
    let world = World::in_memory();
    let kept = world.handoff("docs/HANDOFF.md");
    let before = world.tree();
    world.types(&["trash", "docs/HANDOFF.md"]);
    let (id, mut longest) = (world.last_action(), 0);
    for _ in 0..6 {
        busy(&world, 60);
        longest = longest.max(fs::metadata(log(&world)).expect("a log").len());
    }
    let lines = fs::read_to_string(log(&world)).expect("a log").lines().count();
    assert!(lines < 600, "of 1442 lines those of the last few hundred stay: {lines}");
    assert!(longest < 600 << 10, "and it never grew beyond that: {longest} bytes");
    fs::remove_file(world.handoffs().join("261101-busy.md")).expect("removed");
    let (code, said) = world.types(&["undo", &id]);
    assert_eq!((code, kept.exists()), (0, true), "the oldest action of all is still undone: {said}");
    world.is_as(&before, "whole");
}

#[test]
fn a_line_that_cannot_be_read_outlives_a_shorter_log() {
    let world = World::in_memory();
    world.handoff("docs/HANDOFF.md");
    world.types(&["trash", "docs/HANDOFF.md"]);
    let text = fs::read_to_string(log(&world)).expect("a log");
    fs::write(log(&world), format!("odd\n{text}")).expect("written");
    busy(&world, 150);
    let text = fs::read_to_string(log(&world)).expect("a log");
    assert!(text.lines().count() < 600, "the control: it was made shorter");
    assert!(text.starts_with("odd\n"), "and what nobody understands stays as it is");
}
