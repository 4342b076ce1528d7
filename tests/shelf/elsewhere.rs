//! Two projects of one person share the trash and the log; what is done here is about here.

use std::fs;

use super::world::{World, names};

/// A second project beside the first one, with the same home and state.
fn other(world: &World) -> String {
    let other = world.base.join("other");
    fs::create_dir_all(other.join(".claude/handoffs")).expect("made");
    other.display().to_string()
}

#[test]
fn an_undo_takes_back_the_last_action_of_this_project_and_names_a_newer_one_elsewhere() {
    let world = World::new();
    let other = other(&world);
    let here = world.handoff(".claude/handoffs/261101-here.md");
    let there = world.base.join("other/.claude/handoffs/261102-there.md");
    super::world::write_handoff(&there);
    world.types(&["trash", "261101-here"]);
    let (code, said) = world.types_in(&other, &["trash", "261102-there"]);
    assert_eq!(code, 0, "{said}");
    let (code, said) = world.types(&["undo"]);
    assert_eq!(
        (code, here.exists(), there.exists()),
        (0, true, false),
        "the one from here comes back: {said}"
    );
    assert!(
        said.contains("the last action elsewhere, trash of 1 handoff")
            && said.contains(&format!(" in {other}")),
        "the newer one is named with its project: {said}"
    );
    let (code, said) = world.types(&["undo"]);
    assert_eq!((code, there.exists()), (1, false), "with nothing left here it is still left alone: {said}");
    assert!(said.contains("nothing to undo in this project"), "{said}");
    let (_, id) = said.split_once("`moorline undo ").expect("with its id");
    let id = &id[..16];
    let (code, said) = world.types(&["undo", "--json", &id[..6]]);
    assert_eq!(
        (code, there.exists()),
        (0, true),
        "the control: by its id it is taken back from anywhere: {said}"
    );
}

#[test]
fn a_handoff_of_the_home_directory_belongs_to_where_it_was_put_away_from() {
    let world = World::new();
    let other = other(&world);
    let global = world.home().join(".claude/handoffs/261101-global.md");
    super::world::write_handoff(&global);
    let (code, said) = world.types_in(&other, &["archive", "261101-global"]);
    assert_eq!(code, 0, "{said}");
    let (code, said) = world.types(&["undo"]);
    assert_eq!((code, global.exists()), (1, false), "it was not done from here: {said}");
    let (code, said) = world.types_in(&other, &["undo", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&said).expect("one document");
    assert_eq!((code, global.exists()), (0, true), "there it is taken back: {said}");
    assert!(document["elsewhere"].is_null(), "and nothing newer is elsewhere: {said}");
}

#[test]
fn a_bare_name_never_brings_another_project_s_file_back() {
    let world = World::new();
    let other = other(&world);
    let there = world.base.join("other/.claude/handoffs/261101-login.md");
    super::world::write_handoff(&there);
    world.types_in(&other, &["trash", "261101-login"]);
    for name in ["261101-login", "login", "261101-login.md"] {
        let (code, said) = world.types(&["put-back", name]);
        assert_eq!((code, there.exists()), (1, false), "{name} is not of this project: {said}");
        assert!(said.contains(&format!("name it as {}", there.display())), "its whole path is told: {said}");
    }
    let (code, said) = world.types(&["context", "261101-login"]);
    assert_eq!(code, 1, "nor is it offered here: {said}");
    assert!(!said.contains("move it back"), "{said}");

    let here = world.handoff(".claude/handoffs/261101-login.md");
    world.types(&["trash", "261101-login"]);
    let (code, said) = world.types(&["put-back", "login"]);
    assert_eq!(
        (code, here.exists(), there.exists()),
        (0, true, false),
        "the one of this project is meant: {said}"
    );
    let (code, said) = world.types(&["put-back", there.to_str().expect("plain")]);
    assert_eq!(
        (code, there.exists()),
        (0, true),
        "the control: by its whole path the other one comes: {said}"
    );
    assert!(names(&world.trash()).is_empty(), "and the trash is empty");
}
