//! The shelf on the screen: keys in, files moved and back.

use std::fs;
use std::path::Path;

use moorline::check::Examiner;
use moorline::harness::Surroundings;
use moorline::settings::Settings;

use super::desk::Desk;
use super::world::{World, names, write_handoff};

/// The screen on a world.
pub fn open(world: &World, settings: Settings) -> Desk {
    let surface = world.surface();
    let around = Surroundings { vars: surface.vars, home: Some(world.home()), proc: "/proc".into() };
    Desk::with(Examiner::new(&world.project(), around, settings))
}

/// Five handoffs, newest first on the screen: e, d, c, b, a.
fn five() -> World {
    let world = World::new();
    for (day, name) in ["a", "b", "c", "d", "e"].iter().enumerate() {
        world.handoff(&format!(".claude/handoffs/26110{}-{name}.md", day + 1));
    }
    world
}

fn archive(world: &World) -> Vec<String> {
    names(&world.handoffs().join("archive"))
}

#[test]
fn several_are_marked_one_by_one_as_a_range_by_filter_and_all_and_move_after_a_yes() {
    let world = five();
    let before = world.tree();
    let mut desk = open(&world, Settings::default());
    desk.keys("<space>j<space>A").see("Archive 2 handoffs");
    let screen = desk.screen();
    assert!(screen.contains("261105-e.md") && screen.contains("261103-c.md"), "the marked ones:\n{screen}");
    assert!(screen.contains("archive/261105-e.md"), "and where they go:\n{screen}");
    world.is_as(&before, "nothing moves before the yes");
    desk.keys("y").see("2 of 2 moved");
    assert_eq!(archive(&world), ["261103-c.md", "261105-e.md"], "then exactly they did");
    desk.keys("U").see("Undo: 2 handoffs").keys("y").see("2 of 2 moved");
    world.is_as(&before, "one key and a yes take it back");

    desk.keys("<esc>").until("the rows", |desk| !desk.state().list.scanning);
    desk.keys("gj<space>jjv").see("4 marked");
    desk.keys("<esc>");
    assert!(!desk.screen().contains("marked"), "esc drops the marks first:\n{}", desk.screen());
    desk.keys("/261102<enter>*T").see("Trash 1 handoff");
    desk.keys("y").see("1 of 1 moved").keys("<esc><esc>");
    assert_eq!(names(&world.trash()), ["261102-b.md", "261102-b.md.trashinfo"], "what the filter showed");
    desk.until("the rows", |desk| !desk.state().list.scanning);
    desk.keys("*A").see("Archive 4 handoffs").keys("y").see("4 of 4 moved").keys("<esc>");
    desk.until("the rows", |desk| !desk.state().list.scanning);
    desk.keys("a").see("ARCHIVED").see("TRASH");
    let screen = desk.screen();
    let row = screen.lines().find(|line| line.contains("261102-b")).expect("listed");
    assert!(row.contains("B  from "), "each with its size and origin: {row}");
    desk.keys("*B").see("Put back 5 handoffs").keys("y").see("5 of 5 moved");
    desk.keys("<esc>").until("the rows", |desk| !desk.state().list.scanning);
    assert_eq!(names(&world.handoffs()).len(), 5 + 1, "all five are back, beside the archive");
}

#[test]
fn a_taken_origin_is_said_before_the_yes_and_another_place_can_be_chosen() {
    let world = five();
    let mut desk = open(&world, Settings::default());
    desk.keys("T").see("Trash 1 handoff").keys("y").see("1 of 1 moved").keys("<esc>");
    let path = world.handoffs().join("261105-e.md");
    fs::write(&path, "# Handoff\n\nNext: another one\n").expect("written");
    desk.until("the rows", |desk| !desk.state().list.scanning);
    desk.keys("aB").see("is taken");
    assert!(desk.screen().contains("261105-e-2.md"), "another name is planned:\n{}", desk.screen());
    fs::create_dir(world.project().join("docs")).expect("made");
    let erase = "<backspace>".repeat(path.as_os_str().len() + 8);
    desk.keys("p").keys(&erase).keys("docs<enter>").see("docs/261105-e.md");
    assert!(!desk.screen().contains("is taken"), "there it is free:\n{}", desk.screen());
    desk.keys("y").see("1 of 1 moved");
    assert_eq!(names(&world.project().join("docs")), ["261105-e.md"], "and there it lies");
    assert_eq!(fs::read_to_string(&path).expect("there").lines().count(), 3, "nothing was replaced");
}

#[test]
fn a_full_trash_names_its_oldest_and_deletes_them_only_after_a_yes_of_their_own() {
    let world = five();
    write_handoff(&world.trash().join("old.md"));
    let record = "[Trash Info]\nPath=/gone/HANDOFF.md\nDeletionDate=2026-10-01T09:00:00\n";
    fs::write(world.trash().join("old.md.trashinfo"), record).expect("written");
    let full = Settings { trash_quota: 1, ..Settings::default() };
    let mut desk = open(&world, full);
    desk.keys("T").see("its quota is 1").see("old.md").keys("y").see("1 more than its quota");
    assert!(names(&world.trash()).contains(&"old.md".to_owned()), "a plain yes deletes nothing");
    desk.keys("<esc>").until("the rows", |desk| !desk.state().list.scanning);
    desk.keys("T").see("its quota is 1").keys("e").see("deleted for good");
    let left = names(&world.trash());
    assert!(!left.contains(&"old.md".to_owned()), "the other yes does: {left:?}");
    assert_eq!(left.len(), 2, "down to the quota, and what was just put there stays: {left:?}");
}

#[test]
fn a_trash_on_another_file_system_is_said_and_the_way_back_works_after_a_restart() {
    let memory = Path::new("/dev/shm");
    let home = tempfile::tempdir_in(if memory.is_dir() { memory } else { Path::new("/tmp") }).expect("made");
    let world = five().with_home(home.path().join("home"));
    fs::create_dir_all(world.home().join(".claude/handoffs")).expect("made");
    let before = world.tree();
    let mut desk = open(&world, Settings::default());
    desk.keys("T");
    if memory.is_dir() {
        desk.see("on another file system");
    }
    desk.see("Trash 1 handoff").keys("y").see("1 of 1 moved");
    assert_eq!(names(&world.trash()).len(), 2, "it lies there with its record");
    drop(desk);
    let mut later = open(&world, Settings::default());
    later.keys("U").see("Undo: 1 handoff").keys("y").see("1 of 1 moved");
    world.is_as(&before, "a later session takes it back, times and permission bits included");
    later.keys("<esc>U").see("there is nothing to undo");
}

#[test]
fn what_was_cut_off_is_settled_when_the_other_list_is_opened_and_said() {
    let world = five();
    let before = world.tree();
    let mut desk = open(&world, Settings::default());
    desk.keys("*A").see("Archive 5 handoffs").keys("y").see("5 of 5 moved");
    drop(desk);
    // As if the power had gone after three of five.
    let log = world.base.join("state/moorline/shelf.jsonl");
    let text = fs::read_to_string(&log).expect("the log");
    let first = text.lines().next().expect("a first line");
    fs::write(&log, format!("{first}\n")).expect("written");
    for name in ["261101-a.md", "261102-b.md"] {
        fs::rename(world.handoffs().join("archive").join(name), world.handoffs().join(name)).expect("moved");
    }
    let (_, said) = world.types(&["list"]);
    assert!(
        said.contains("archive of 5 handoffs") && said.contains("cut off"),
        "a list only says it: {said}"
    );
    assert_eq!(archive(&world).len(), 3, "and changes nothing");
    let mut later = open(&world, Settings::default());
    later.keys("a").see("archive was cut off and is taken back: 5 handoffs lie where they lay");
    world.is_as(&before, "everything is where it was");
}

#[test]
fn a_clean_up_says_what_stays_and_why() {
    let world = World::new();
    for name in ["260101-auth", "260201-auth-2", "260301-cache", "260302-named"] {
        world.handoff(&format!(".claude/handoffs/{name}.md"));
    }
    for (path, text) in [
        ("HANDOFF.md", "# Handoff 2026-01-01\n\nNext: a\n"),
        ("plans/260101-auth/HANDOFF.md", "# Handoff 2026-01-01\n\nNext: a\n"),
        ("plans/260101-auth/plan.md", "See .claude/handoffs/260302-named.md\n"),
    ] {
        let path = world.project().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("made");
        fs::write(path, text).expect("written");
    }
    let mut desk = open(&world, Settings::default());
    desk.keys("C").see("Clean up: archive 2 handoffs");
    let screen = desk.screen();
    for (name, reason) in [
        ("260201-auth-2.md", "is the newest of its series (auth)"),
        ("260302-named.md", "the active plan refers to it (260101-auth/plan.md)"),
        ("│ HANDOFF.md", "is a rolling handoff"),
        ("plans/260101-auth/HANDOFF.md", "belongs to a plan"),
    ] {
        let is_said = screen.lines().any(|line| line.contains(name) && line.contains(reason));
        assert!(is_said, "{name} stays because it {reason}:\n{screen}");
    }
    desk.keys("y").see("2 of 2 moved");
    assert_eq!(archive(&world), ["260101-auth.md", "260301-cache.md"], "the others go");
}

#[test]
fn after_a_row_has_gone_its_neighbour_is_selected_and_after_an_undo_the_row_itself() {
    let world = five();
    let mut desk = open(&world, Settings::default());
    let selected = |desk: &Desk| {
        let path = desk.selected().expect("a row");
        path.file_name().expect("a name").to_string_lossy().into_owned()
    };
    desk.keys("jj");
    assert_eq!(selected(&desk), "261103-c.md", "the middle of five");
    for (put_away, asked, after) in [
        ("T", "Trash 1 handoff", "261102-b.md"),
        ("A", "Archive 1 handoff", "261101-a.md"),
        ("T", "Trash 1 handoff", "261104-d.md"),
    ] {
        let gone = desk.selected();
        desk.keys(put_away).see(asked).keys("y").see("1 of 1 moved").keys("<esc>");
        desk.until("the rows", |desk| !desk.state().list.scanning && desk.selected() != gone);
        assert_eq!(selected(&desk), after, "the next row, or at the end the one before");
    }
    desk.keys("g");
    assert_eq!(selected(&desk), "261105-e.md", "a control: it stands elsewhere before the undo");
    desk.keys("U").see("Undo: 1 handoff").keys("y").see("1 of 1 moved").keys("<esc>");
    desk.until("the restored row", |desk| selected(desk) == "261101-a.md");
}

#[test]
fn a_clean_up_with_nothing_old_says_what_it_looks_at_as_the_verb_does() {
    let world = World::new();
    let mut desk = open(&world, Settings { archive_after_days: 7, ..Settings::default() });
    desk.keys("C").see("Nothing to clean up");
    let (_, said) = world.types(&["cleanup", "--days", "7"]);
    let screen: String = desk.screen().split_whitespace().collect::<Vec<_>>().join(" ").replace("│ │ ", "");
    for sentence in said.lines().take(2) {
        assert!(
            sentence.contains("7 days") || sentence.starts_with("Never touched"),
            "a control: {sentence}"
        );
        assert!(screen.contains(sentence), "the same words:\n{sentence}\n{screen}");
    }
}
