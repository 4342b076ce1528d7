//! Places that cannot be written: what can be done is done, the rest stays and is told.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::Path;
use std::process::Command;

use super::world::World;

/// Who is nobody on every machine.
const NOBODY: u32 = 12_345;

/// Types a line as somebody whom permission bits bind; the privileged user becomes nobody for it. `None` where
/// that cannot be done here.
fn as_nobody(world: &World, words: &[&str]) -> Option<(i32, String)> {
    let program = env!("CARGO_BIN_EXE_moorline");
    let mut command = match rustix::process::geteuid().is_root() {
        false => Command::new(program),
        true => {
            give(&world.base, NOBODY);
            // The program may lie where nobody can reach it.
            let copy = world.base.join("moorline");
            fs::copy(program, &copy).expect("copied");
            let mut command = Command::new("setpriv");
            command.args(["--reuid", "12345", "--clear-groups", "--"]).arg(copy);
            command
        }
    };
    command.arg("-C").arg(world.project()).args(words).current_dir(world.project());
    command.env_clear().env("HOME", world.home()).env("XDG_STATE_HOME", world.base.join("state"));
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let output = command.output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    Some((output.status.code()?, String::from_utf8_lossy(&text).into_owned()))
}

fn give(path: &Path, uid: u32) {
    chown(path, Some(uid), None).expect("given");
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("listed") {
            give(&entry.expect("an entry").path(), uid);
        }
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
}

#[test]
fn a_directory_that_may_not_be_written_keeps_its_handoffs_and_the_others_go() {
    let world = World::new();
    let (bound, free) =
        (world.handoff("docs/handoffs/261101-bound.md"), world.handoff(".claude/handoffs/261102-free.md"));
    set_mode(bound.parent().expect("a directory"), 0o555);
    let Some((code, said)) = as_nobody(&world, &["trash", "261101-bound", "261102-free", "--yes"]) else {
        println!("not tried: nobody can be become here");
        return;
    };
    assert_eq!(code, 1, "not everything was done: {said}");
    assert!(bound.is_file() && !free.exists(), "what could move did, the other one stays: {said}");
    let folder = bound.parent().expect("a directory").display();
    let reason = format!("stays: {} – {folder}: cannot be written: Permission denied", bound.display());
    assert!(
        said.contains(&reason),
        "with the directory that refuses, not the file, which is not at fault: {said}"
    );
    assert_eq!(super::world::names(&world.trash()).len(), 2, "no record without its file");
    assert!(world.leftovers().is_empty(), "and nothing half");
    let (code, said) = as_nobody(&world, &["undo"]).expect("as before");
    assert_eq!((code, free.is_file()), (0, true), "and what was done is undone: {said}");
    set_mode(bound.parent().expect("a directory"), 0o755);
    let (code, said) = as_nobody(&world, &["trash", "261101-bound"]).expect("as before");
    assert_eq!(code, 0, "the control: with the bits it goes: {said}");
}

#[test]
fn a_trash_that_may_not_be_written_takes_nothing() {
    let world = World::new();
    let path = world.handoff(".claude/handoffs/261101-a.md");
    fs::create_dir_all(world.trash()).expect("made");
    set_mode(&world.trash(), 0o500);
    let Some((code, said)) = as_nobody(&world, &["trash", "261101-a"]) else { return };
    assert_eq!((code, path.is_file()), (1, true), "it stays: {said}");
    let reason = format!("{}: cannot be written: Permission denied", world.trash().display());
    assert!(said.contains(&reason), "and the trash is named, whose fault it is: {said}");
    set_mode(&world.trash(), 0o700);
    let (code, said) = as_nobody(&world, &["trash", "261101-a"]).expect("as before");
    assert_eq!((code, path.exists()), (0, false), "the control: {said}");
}

#[test]
fn a_trash_that_cannot_be_read_is_not_called_empty() {
    let world = World::new();
    let path = world.handoff(".claude/handoffs/261101-a.md");
    let Some((code, said)) = as_nobody(&world, &["trash", "261101-a"]) else { return };
    assert_eq!(code, 0, "{said}");
    set_mode(&world.trash(), 0o000);
    for words in [&["list", "--trashed"][..], &["list", "--trashed", "--json"], &["put-back", "261101-a"]] {
        let (code, said) = as_nobody(&world, words).expect("as before");
        assert_eq!(code, 3, "{words:?}: what is in there cannot be told: {said}");
        let trash = world.trash();
        assert!(
            said.contains(trash.to_str().expect("plain")) && said.contains("Permission denied"),
            "{words:?}: {said}"
        );
        assert!(!said.contains("is empty") && !said.contains("no handoff is called"), "{words:?}: {said}");
    }
    let (code, said) = as_nobody(&world, &["list", "--archived"]).expect("as before");
    assert_eq!(code, 3, "nor whether that is all: {said}");
    let (code, said) = as_nobody(&world, &["undo"]).expect("as before");
    assert_eq!(code, 1, "and nothing is undone by guessing: {said}");
    let reason = format!("{} cannot be read: Permission denied", world.trash().join("261101-a.md").display());
    assert!(said.contains(&reason), "the reason is said once: {said}");
    set_mode(&world.trash(), 0o700);
    let (code, said) = as_nobody(&world, &["put-back", "261101-a"]).expect("as before");
    assert_eq!((code, path.exists()), (0, true), "the control: with the bits it comes back: {said}");
}

#[test]
fn a_document_of_what_stayed_says_that_it_was_not_done_and_what_to_do() {
    let world = World::new();
    let (bound, free) =
        (world.handoff("docs/handoffs/261101-bound.md"), world.handoff(".claude/handoffs/261102-free.md"));
    set_mode(bound.parent().expect("a directory"), 0o555);
    let Some((code, said)) = as_nobody(&world, &["archive", "261101-bound", "--json"]) else {
        println!("not tried: nobody can be become here");
        return;
    };
    let document = |said: &str| serde_json::from_str::<serde_json::Value>(said).expect("one document");
    let refused = document(&said);
    assert_eq!((code, bound.is_file()), (1, true), "it stays: {said}");
    assert_eq!(refused["done"], false, "which is not done: {said}");
    assert_eq!(refused["moves"][0]["outcome"], "stayed", "as its own line says: {said}");
    let summary = &refused["summary"];
    assert!(summary["outcome"].as_str().is_some_and(|why| why.contains("cannot be written")), "why: {said}");
    assert_eq!(summary["next_permitted"], "settle the reason, then do it again", "and what to do: {said}");

    let (code, said) =
        as_nobody(&world, &["trash", "261101-bound", "261102-free", "--yes", "--json"]).expect("as before");
    let half = document(&said);
    assert_eq!((code, free.exists()), (1, false), "one of two goes: {said}");
    assert_eq!(half["done"], false, "which is not all of it: {said}");
    let next = half["summary"]["next_permitted"].as_str().expect("text");
    assert!(next.contains("or take it back: moorline undo "), "what went can be had back: {said}");

    set_mode(bound.parent().expect("a directory"), 0o755);
    let (code, said) = as_nobody(&world, &["archive", "261101-bound", "--json"]).expect("as before");
    assert_eq!(
        (code, &document(&said)["done"]),
        (0, &true.into()),
        "the control: with the bits it is done: {said}"
    );
}

#[test]
fn a_cleanup_that_finds_nothing_old_is_no_failure_unless_something_was_not_read() {
    let world = World::new();
    let path = world.handoff(".claude/handoffs/260102-old.md");
    let (code, said) = world.types(&["cleanup", "--json"]);
    assert_eq!(code, 1, "the control: an old one, and no yes: {said}");
    let (code, said) = world.types(&["cleanup", "--days", "36500"]);
    assert_eq!(code, 0, "none is that old: {said}");
    assert!(said.contains("nothing to archive"), "and that is said: {said}");
    let (code, said) = world.types(&["cleanup", "--days", "36500", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&said).expect("one document");
    assert_eq!(
        (code, &document["summary"]["next_permitted"]),
        (0, &"nothing".into()),
        "also in JSON: {said}"
    );

    set_mode(path.parent().expect("a directory"), 0o000);
    let answer = as_nobody(&world, &["cleanup", "--days", "36500"]);
    set_mode(path.parent().expect("a directory"), 0o755);
    let Some((code, said)) = answer else {
        println!("not tried: nobody can be become here");
        return;
    };
    assert_eq!(code, 3, "in a directory that cannot be read there may be an old one: {said}");
    assert!(said.contains("not read: ") && said.contains(".claude/handoffs"), "which is named: {said}");
}
