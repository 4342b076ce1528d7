//! What a person who cleans up types, and what the directories look like afterwards.

use std::fs;

use super::world::{World, handoff_text, names};

#[test]
fn a_trashed_handoff_says_where_it_was_and_comes_back() {
    let world = World::new();
    let path = world.handoff(".claude/handoffs/261101-login.md");
    let before = world.tree();
    let (code, said) = world.types(&["trash", "261101-login"]);
    assert_eq!(code, 0, "one named handoff needs no second yes: {said}");
    assert!(!path.exists(), "it is gone from its place");
    assert_eq!(
        names(&world.trash()),
        ["261101-login.md", "261101-login.md.trashinfo"],
        "and lies in the trash with its record"
    );
    let record = fs::read_to_string(world.trash().join("261101-login.md.trashinfo")).unwrap();
    assert!(record.contains(&format!("Path={}\n", path.display())), "the record names the origin: {record}");
    assert!(record.contains("DeletionDate=2026-11-30T"), "and the day: {record}");

    let (code, said) = world.types(&["context", "261101-login"]);
    assert_eq!(code, 1, "a resume by that name stops");
    assert!(said.contains("found in the trash; move it back?"), "and offers to move it back: {said}");
    let (_, said) = world.types(&["list", "--trashed"]);
    assert!(said.contains(&format!("from {}", path.display())), "the list says where it was: {said}");

    let (code, said) = world.types(&["put-back", "261101-login"]);
    assert_eq!((code, path.exists()), (0, true), "it comes back: {said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), handoff_text(&path), "with its bytes");
    assert!(names(&world.trash()).is_empty(), "and leaves no record behind");
    assert_eq!(world.undo_all(), 2, "both can be undone, after a restart too: every line here is one");
    world.is_as(&before, "and then everything is as it was, made directories included");
}

#[test]
fn many_at_once_are_shown_first_and_need_a_yes() {
    let world = World::new();
    for name in ["261101-a", "261102-b", "261103-c"] {
        world.handoff(&format!(".claude/handoffs/{name}.md"));
    }
    let before = world.tree();
    let words = ["archive", "261101-a", "261102-b", "261103-c"];
    let (code, said) = world.types(&words);
    assert_eq!(code, 1, "with nobody to ask nothing is done");
    assert!(
        said.contains("would archive 3 handoffs") && said.contains("nothing was moved"),
        "and told: {said}"
    );
    world.is_as(&before, "nothing was");
    let (code, said) = world.types(&[&words[..], &["--dry-run", "--json"]].concat());
    let plan: serde_json::Value = serde_json::from_str(&said).expect("one document");
    assert_eq!((code, plan["moves"].as_array().map(Vec::len)), (0, Some(3)), "a dry run shows all moves");
    assert_eq!((plan["done"].as_bool(), world.tree()), (Some(false), before.clone()), "and moves nothing");
    let (code, _) = world.types(&[&words[..], &["--yes"]].concat());
    assert_eq!(code, 0, "with a yes it is done");
    assert_eq!(names(&world.handoffs().join("archive")), ["261101-a.md", "261102-b.md", "261103-c.md"]);
    let (_, said) = world.types(&["list", "--archived"]);
    assert_eq!(said.matches("from ").count(), 3, "each is listed with its origin: {said}");
    let (code, said) = world.types(&["undo", "--yes"]);
    assert_eq!((code, world.tree()), (0, before), "one undo takes all three back: {said}");
}

#[test]
fn a_restore_to_a_taken_place_takes_another_name_or_the_chosen_one() {
    let world = World::new();
    let path = world.handoff(".claude/handoffs/261101-login.md");
    world.types(&["trash", "261101-login"]);
    fs::write(&path, "# Handoff\n\nNext: another one\n").unwrap();
    let (_, said) = world.types(&["put-back", ".handoff-trash/261101-login.md", "--dry-run"]);
    let id = world.rows().iter().find(|row| row.origin.is_some()).unwrap().id.clone();
    let (_, plan) = world.types(&["put-back", &id, "--dry-run"]);
    assert!(
        plan.contains("261101-login-2.md") && plan.contains("is taken"),
        "the plan says so: {plan} {said}"
    );
    let chosen = world.project().join("docs");
    fs::create_dir(&chosen).unwrap();
    let (code, said) = world.types(&["put-back", &id, "--to", "docs"]);
    assert_eq!(code, 0, "a chosen place is taken: {said}");
    assert_eq!(names(&chosen), ["261101-login.md"], "under its own name");
    assert_eq!(fs::read_to_string(&path).unwrap(), "# Handoff\n\nNext: another one\n", "nothing is replaced");
}

#[test]
fn what_comes_next_is_said_only_where_it_can_be_done() {
    let world = World::new();
    world.handoff(".claude/handoffs/261101-login.md");
    let next = |words: &[&str]| {
        let (code, said) = world.types(words);
        let document: serde_json::Value = serde_json::from_str(&said).expect("one document");
        (code, document["summary"]["next_permitted"].as_str().unwrap_or_default().to_owned())
    };
    let trashed = next(&["trash", "261101-login", "--json"]);
    assert_eq!(trashed, (0, "take it back: moorline undo".to_owned()), "the control: a move can be undone");
    let undone = next(&["undo", "--json"]);
    assert_eq!(undone, (0, "nothing".to_owned()), "an undo offers no undo of itself");
}

#[test]
fn what_was_put_away_answers_to_where_it_was() {
    let world = World::new();
    let plan = world.handoff("plans/260901-auth/HANDOFF.md");
    let own = world.handoff("HANDOFF.md");
    for path in [&plan, &own] {
        let (code, said) = world.types(&["trash", &path.display().to_string()]);
        assert_eq!(code, 0, "{said}");
    }
    assert_eq!(
        names(&world.trash())[0],
        "HANDOFF-2.md",
        "the control: the root's own file has another name in there"
    );
    let (code, said) = world.types(&["put-back", "HANDOFF.md"]);
    assert_eq!((code, own.exists(), plan.exists()), (0, true, false), "the root's own comes back: {said}");
    let (code, said) = world.types(&["put-back", &plan.display().to_string()]);
    assert_eq!((code, plan.exists()), (0, true), "and the other one by the path that the list shows: {said}");
}

#[test]
fn a_path_that_is_not_here_is_not_taken_for_another_worktree_s() {
    let world = World::new();
    let own = world.handoff("HANDOFF.md");
    let far = world.base.join("other");
    let git = |words: &[&str]| {
        let mut command = std::process::Command::new("git");
        command
            .arg("-C")
            .arg(world.project())
            .args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
            .args(words);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        assert!(command.output().expect("git runs").status.success(), "git {words:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "HANDOFF.md"]);
    git(&["commit", "-q", "-m", "Begin"]);
    git(&["worktree", "add", "-q", far.to_str().expect("plain")]);
    let there = far.join("HANDOFF.md");
    fs::write(&there, "# Handoff\n\nNext: the other one\n").unwrap();
    fs::remove_file(&own).unwrap();
    let (code, said) = world.types(&["trash", "HANDOFF.md"]);
    assert_eq!((code, there.exists()), (1, true), "it stays: {said}");
    assert!(said.contains("another worktree") && said.contains(there.to_str().unwrap()), "{said}");
    let (code, said) = world.types(&["trash", there.to_str().unwrap()]);
    assert_eq!((code, there.exists()), (0, false), "the control: by its whole path it goes: {said}");
}
