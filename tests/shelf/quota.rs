//! The trash has a quota, and nothing leaves it without a yes that names it.

use std::fs;

use super::world::{World, names};

fn files(world: &World) -> Vec<String> {
    names(&world.trash()).into_iter().filter(|name| !name.ends_with(".trashinfo")).collect()
}

fn set_quota(world: &World, quota: u32) {
    let config = world.home().join(".config/moorline");
    fs::create_dir_all(&config).expect("made");
    fs::write(config.join("config.toml"), format!("trash_quota = {quota}\n")).expect("written");
}

#[test]
fn two_hundred_and_fifty_discards_at_a_quota_of_two_hundred_delete_nothing() {
    let world = World::in_memory();
    let all: Vec<String> = (0..250).map(|number| format!("261101-task{number:03}")).collect();
    for name in &all {
        world.handoff(&format!(".claude/handoffs/{name}.md"));
    }
    let mut words = vec!["trash", "--yes"];
    words.extend(all.iter().map(String::as_str));
    let (code, said) = world.types(&words);
    assert_eq!((code, files(&world).len()), (0, 250), "all of them are in the trash, and none is gone");
    let (code, said2) = world.types(&["list", "--trashed"]);
    assert_eq!((code, said2.matches("from ").count()), (0, 250), "each is listed: {said}");
}

#[test]
fn beyond_the_quota_the_oldest_are_named_and_go_only_after_a_yes() {
    let world = World::new();
    set_quota(&world, 3);
    for (day, name) in ["a", "b", "c"].iter().enumerate() {
        let path = world.trash().join(format!("old-{name}.md"));
        super::world::write_handoff(&path);
        let record =
            format!("[Trash Info]\nPath=/gone/HANDOFF.md\nDeletionDate=2026-10-0{}T09:00:00\n", day + 1);
        fs::write(world.trash().join(format!("old-{name}.md.trashinfo")), record).unwrap();
    }
    for name in ["261101-x", "261102-y"] {
        world.handoff(&format!(".claude/handoffs/{name}.md"));
    }
    let (_, said) = world.types(&["trash", "261101-x", "--dry-run"]);
    assert!(said.contains("old-a.md") && !said.contains("old-b.md"), "the oldest one is named: {said}");
    let (code, said) = world.types(&["trash", "261101-x"]);
    assert_eq!((code, files(&world).len()), (0, 4), "without a yes the quota is exceeded");
    assert!(said.contains("1 more than its quota"), "and that is said: {said}");
    let (code, said) = world.types(&["trash", "261102-y", "--evict"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(
        files(&world),
        ["261101-x.md", "261102-y.md", "old-c.md"],
        "with a yes the oldest go, never what the same action put there"
    );
    assert_eq!(names(&world.trash()).len(), 6, "together with their records");
    assert!(said.contains("deleted for good") && said.contains("old-a.md"), "each is named: {said}");

    set_quota(&world, 0);
    world.handoff(".claude/handoffs/261103-z.md");
    world.types(&["trash", "261103-z", "--evict"]);
    assert_eq!(files(&world), ["261103-z.md"], "a quota of nothing still keeps what was just put there");
}
