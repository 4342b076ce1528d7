//! The screen notices what changes on disk by itself, and compares a handoff with what it was.

#[path = "common/desk.rs"]
mod desk;

#[path = "common/git.rs"]
mod git;

use std::fs;
use std::path::Path;

use desk::Desk;
use git::TestRepo;

fn handoff(next: &str) -> String {
    format!("# Session handoff: auth\n\n**Date:** 2026-03-25\n\n## Next Steps\n\n- [ ] {next}\n")
}

/// A repository with one plan's handoff, and the screen on it once it is live.
fn live() -> (TestRepo, Desk) {
    let repo = TestRepo::new();
    repo.commit("plans/260325-auth/HANDOFF.md", &handoff("Rotate tokens"), "Begin");
    let mut desk = Desk::open(repo.dir());
    desk.see("live").see("Rotate tokens");
    (repo, desk)
}

/// Replaces a file as a whole, as careful programs do.
fn replace(path: &Path, text: &str) {
    let fresh = path.with_extension("fresh");
    fs::write(&fresh, text).expect("written");
    fs::rename(&fresh, path).expect("renamed");
}

#[test]
fn a_handoff_that_is_made_changed_and_removed_is_seen() {
    let (repo, mut desk) = live();
    let plan = repo.dir().join("plans/260325-auth/HANDOFF.md");
    replace(&plan, &handoff("Count them"));
    desk.see("Count them");
    fs::create_dir_all(repo.dir().join("plans/260326-db")).expect("made");
    desk.until("the new folder is watched", |desk| desk.has_read_again(2));
    fs::write(repo.dir().join("plans/260326-db/HANDOFF.md"), handoff("Migrate")).expect("written");
    desk.see("260326-db").see("2 handoffs");
    fs::remove_dir_all(repo.dir().join("plans/260326-db")).expect("removed");
    desk.see("1 handoff ").see("Count them");
}

#[test]
fn a_handoff_in_a_folder_that_was_not_there_is_seen() {
    let (repo, mut desk) = live();
    let folder = repo.dir().join(".claude/handoffs");
    fs::create_dir_all(&folder).expect("made");
    fs::write(folder.join("260326-db.md"), handoff("Migrate")).expect("written");
    desk.see("2 handoffs").see("260326-db");
}

#[test]
fn a_commit_is_seen() {
    let (repo, mut desk) = live();
    desk.see(" clean");
    let before = desk.generation();
    repo.commit("src/lib.rs", "fn main() {}\n", "Work");
    desk.until("everything is read again", |desk| desk.generation() > before);
}

#[test]
fn earlier_versions_are_those_of_the_history() {
    let (repo, mut desk) = live();
    repo.commit("plans/260325-auth/HANDOFF.md", &handoff("Count them"), "Count");
    repo.commit("plans/260325-auth/HANDOFF.md", &handoff("Sell them"), "Sell");
    desk.see("Sell them").keys("d").see("Version 1 of 2").see("- - [ ] Count them");
    let screen = desk.screen();
    assert!(
        screen.contains("- - [ ] Count them") && screen.contains("+ - [ ] Sell them"),
        "the change:\n{screen}"
    );
    desk.see("open then, and now neither done nor open")
        .keys("[")
        .see("Version 2 of 2")
        .see("- - [ ] Rotate tokens");
}

#[test]
fn what_is_no_handoff_wakes_nothing() {
    let (repo, mut desk) = live();
    let before = desk.generation();
    for n in 0..20 {
        fs::write(repo.dir().join(format!("build-{n}.log")), "x").expect("written");
        fs::write(repo.dir().join("plans/260325-auth/plan.md"), format!("{n}")).expect("written");
    }
    // A change that counts comes after all of these: what it brings is the first there is.
    replace(&repo.dir().join("plans/260325-auth/HANDOFF.md"), &handoff("Count them"));
    desk.see("Count them");
    assert_eq!(desk.generation(), before + 1, "one scan, for the one change that counts");
}
