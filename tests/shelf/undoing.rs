//! What an undo says where it cannot do what it would.

use std::fs;
use std::path::Path;

use moorline::settings::Settings;

use super::screen::open;
use super::world::World;

fn document(said: &str) -> serde_json::Value {
    serde_json::from_str(said).expect("one document")
}

/// The text of a handoff for a save.
fn saves(world: &World, next: &str) -> (u8, String) {
    let from = world.base.join("narrative.json");
    fs::write(&from, format!("{{\"next\": \"{next}\"}}")).expect("written");
    world.types(&["save", "--from", from.to_str().expect("plain")])
}

#[test]
fn an_action_that_cannot_be_taken_back_is_named_and_the_one_before_it_can_be() {
    let world = World::new();
    let (kept, lost) = (world.handoff("docs/HANDOFF.md"), world.handoff(".claude/handoffs/261101-lost.md"));
    world.types(&["trash", "docs/HANDOFF.md"]);
    let (_, said) = world.types(&["trash", "261101-lost", "--json"]);
    let id = document(&said)["action"].as_str().expect("an id").to_owned();
    let in_trash = world.trash().join("261101-lost.md");
    fs::remove_file(&in_trash).expect("somebody empties the trash");
    fs::remove_file(world.trash().join("261101-lost.md.trashinfo")).expect("of it");

    let (code, said) = world.types(&["undo"]);
    assert_eq!((code, kept.exists()), (1, false), "another action than the last one needs a yes: {said}");
    let reason = format!("({id}) cannot be taken back: {} is not there any more", in_trash.display());
    assert!(said.contains("passed over: trash of 1 handoff") && said.contains(&reason), "{said}");
    assert!(said.contains("say it with --yes") && !said.contains("name fewer"), "and what to say: {said}");
    let (code, said) = world.types(&["undo", "--json"]);
    let plan = document(&said);
    assert_eq!((code, plan["done"].as_bool()), (1, Some(false)), "a program needs it too: {said}");
    assert_eq!(plan["passed_over"][0]["action"].as_str(), Some(id.as_str()), "and reads which one: {said}");
    let (code, said) = world.types(&["undo", "--yes"]);
    assert_eq!(
        (code, kept.exists(), lost.exists()),
        (0, true, false),
        "then the one before goes back: {said}"
    );

    let (code, said) = world.types(&["undo", "--yes"]);
    assert_eq!(code, 1, "nothing is left");
    assert!(said.contains("nothing to undo in this project") && said.contains(&reason), "and why: {said}");
    let (code, said) = world.types(&["undo", &id]);
    assert_eq!(code, 1, "by its id it is refused");
    assert!(said.contains(&reason), "with the same reason: {said}");
    let (_, said) = world.types(&["undo", "ffff"]);
    assert!(said.contains("no action has the id ffff"), "an id that is none is said to be none: {said}");
    assert!(said.contains(&id) && said.contains("undo --list"), "with those that there are: {said}");
    let (code, said) = world.types(&["undo", &id[..1]]);
    assert_eq!(code, 2, "too little of an id is no answer: {said}");
    assert!(
        said.contains("names no single action") && said.contains(&id),
        "what it could mean is listed: {said}"
    );
}

#[test]
fn the_actions_that_can_be_taken_back_can_be_seen() {
    let world = World::new();
    let (code, said) = world.types(&["undo", "--list"]);
    assert_eq!(code, 1, "there is none: {said}");
    assert!(said.contains("no action that can be taken back"), "which is said: {said}");
    world.handoff("docs/HANDOFF.md");
    world.types(&["trash", "docs/HANDOFF.md"]);
    let first = world.last_action();
    let other = world.base.join("other");
    super::world::write_handoff(&other.join("HANDOFF.md"));
    world.types_in(other.to_str().expect("plain"), &["archive", "HANDOFF.md"]);
    world.types_in(other.to_str().expect("plain"), &["trash", "HANDOFF.md"]);
    let before = world.tree();
    let (code, said) = world.types(&["undo", "--list"]);
    assert_eq!(code, 0, "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].ends_with(&format!(", in {}", other.display())), "the newest first, and where: {said}");
    let own = lines.iter().find(|line| line.starts_with(&first)).expect("this project's");
    assert!(own.contains("trash of 1 handoff") && !own.contains(", in "), "what it was: {own}");
    let (code, said) = world.types(&["undo", "--list", "--json"]);
    let document = document(&said);
    assert_eq!((code, document["actions"].as_array().map(Vec::len)), (0, Some(2)), "{said}");
    assert_eq!(document["actions"][1]["action"].as_str(), Some(first.as_str()), "the same, {said}");
    world.is_as(&before, "a list takes nothing back");
    world.types(&["undo", &first]);
    let (_, said) = world.types(&["undo", "--list"]);
    assert!(!said.contains(&first), "the control: what was taken back is none: {said}");
}

#[test]
fn one_save_is_one_handoff_and_needs_no_yes() {
    let world = World::new();
    let plan = world.project().join("plans/261101-auth");
    fs::create_dir_all(&plan).expect("made");
    fs::write(plan.join("plan.md"), "# Plan\n").expect("written");
    let (code, said) = saves(&world, "one");
    assert_eq!(code, 0, "{said}");
    let path = plan.join("HANDOFF.md");
    let one = fs::read(&path).expect("saved");
    assert_eq!(saves(&world, "two").0, 0, "saved over");
    let (_, said) = world.types(&["undo", "--dry-run"]);
    assert!(said.contains("would undo save of 1 handoff"), "a save over another one is one: {said}");
    let (_, said) = world.types(&["undo", "--dry-run", "--json"]);
    assert!(said.contains("would undo 1 handoff"), "in the document too: {said}");
    let (code, said) = world.types(&["undo"]);
    assert_eq!((code, fs::read(&path).expect("there")), (0, one), "and goes back without a yes: {said}");
    let words = format!("{} has the bytes again that it had before the save", path.display());
    assert!(said.contains(&words) && said.contains("what was saved lies in"), "in a person's words: {said}");
    assert!(said.contains("1 of 1 taken back: save of 1 handoff"), "{said}");
    let (code, said) = world.types(&["undo"]);
    assert_eq!((code, path.exists()), (0, false), "and so does the first one");
    assert!(said.contains(&format!("{} is gone, as before the save", path.display())), "{said}");
    // The control: two handoffs are two.
    for name in ["261101-a", "261102-b"] {
        world.handoff(&format!(".claude/handoffs/{name}.md"));
    }
    world.types(&["archive", "261101-a", "261102-b", "--yes"]);
    let (code, said) = world.types(&["undo"]);
    assert_eq!(code, 1, "more than one needs it: {said}");
    assert!(said.contains("undo archive of 2 handoffs") && said.contains("--yes"), "{said}");
}

#[test]
fn a_pause_of_two_files_is_one_handoff() {
    let world = World::new();
    let folder = world.project().join(".planning");
    fs::create_dir_all(&folder).expect("made");
    let json =
        r#"{"version": "1.0", "timestamp": "2026-11-29T10:00:00Z", "phase": "2", "next_action": "go on"}"#;
    fs::write(folder.join("HANDOFF.json"), json).expect("written");
    fs::write(folder.join(".continue-here.md"), "# Continue\n\nNext: go on\n").expect("written");
    let before = world.tree();
    let (code, said) = world.types(&["trash", ".planning/HANDOFF.json"]);
    assert_eq!(code, 0, "one name, one handoff, no yes: {said}");
    assert!(!folder.join("HANDOFF.json").exists() && !folder.join(".continue-here.md").exists(), "{said}");
    assert!(said.contains("1 of 1 trashed"), "{said}");
    let (code, said) = world.types(&["undo"]);
    assert_eq!(code, 0, "{said}");
    world.is_as(&before, "and both come back together");
}

#[test]
fn the_screen_says_the_same() {
    let world = World::new();
    let (own, other) = (world.handoff("HANDOFF.md"), world.base.join("other"));
    fs::create_dir_all(other.join("docs")).expect("made");
    super::world::write_handoff(&other.join("docs/HANDOFF.md"));
    world.types(&["trash", "HANDOFF.md"]);
    let (code, said) = world.types_in(other.to_str().expect("plain"), &["trash", "docs/HANDOFF.md"]);
    assert_eq!(code, 0, "{said}");
    world.handoff("NEXT_SESSION.md");
    let mut desk = open(&world, Settings::default());
    desk.keys("U")
        .see("Undo: 1 handoff")
        .see("Takes back trash of 1 handoff")
        .see("the last action elsewhere");
    desk.keys("y").see("1 of 1 moved");
    assert!(own.exists() && !other.join("docs/HANDOFF.md").exists(), "only the one of this project is back");
    desk.keys("<esc>U").see("nothing to undo in this project");
    desk.keys("<esc>").until("the rows", |desk| !desk.state().list.scanning);
    let link = world.project().join("SESSION_HANDOFF.md");
    fs::create_dir_all(world.project().join("src")).expect("made");
    let far = world.project().join("src/far.md");
    super::world::write_handoff(&far);
    std::os::unix::fs::symlink(Path::new("src/far.md"), &link).expect("linked");
    desk.keys("r").see("SESSION_HANDOFF");
    desk.keys("/SESSION_HAND<enter>T").see("is a symbolic link to src/far.md");
    assert!(link.is_symlink() && far.exists(), "and it stays");
    desk.keys("<esc><esc><esc>");
    desk.until("the rows", |desk| !desk.state().list.scanning);
    // The other project's one is the only one that was put away; it comes back by its row, whose origin is shown.
    desk.keys("a")
        .see("TRASH")
        .keys("B")
        .see("Put back 1 handoff")
        .keys("y")
        .see("1 of 1 moved")
        .keys("<esc>");
    desk.see("Nothing is archived or in the trash.");
    assert!(!desk.screen().contains("No handoffs here yet"), "words of its own:\n{}", desk.screen());
}
