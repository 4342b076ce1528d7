use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::*;
use crate::handoff::Family;

/// Sets how many days ago words were typed last.
fn age(state: &Path, name: &str, days: u64) {
    let file = fs::File::options().write(true).open(state.join(DRAFTS).join(name)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60)).unwrap();
}

fn count(state: &Path) -> usize {
    fs::read_dir(state.join(DRAFTS)).unwrap().count()
}

#[test]
fn words_lie_where_only_their_owner_reads_them_and_are_left_to_the_next_one() {
    let temp = tempfile::tempdir().unwrap();
    let (state, project) = (temp.path().join("state"), temp.path());
    assert!(left(&state, project).unwrap().is_none(), "nothing was left yet");
    let slot = Slot::free(&state, project).unwrap();
    let path = slot.keep(Family::Theonekit, "{\"task\":\"one\"}").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "for nobody else to read");
    slot.keep(Family::Theonekit, "{\"task\":\"two\"}").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "also when they change");
    assert!(left(&state, project).unwrap().is_none(), "what is being typed is not left behind");
    let second = Slot::free(&state, project).unwrap();
    second.keep(Family::Theonekit, "{\"task\":\"other\"}").unwrap();
    assert_eq!(count(&state), 2, "a second screen has a place of its own");
    second.clear().unwrap();
    slot.keep(Family::Thunderkit, "{\"phase\":\"two\"}").unwrap();
    assert_eq!(count(&state), 1, "in another format they are still one draft");
    drop(slot);
    let found = left(&state, project).unwrap().expect("its screen is gone");
    assert_eq!(
        (found.family, found.words.as_str()),
        (Family::Thunderkit, "{\"phase\":\"two\"}"),
        "as typed last"
    );
    assert!(left(&state, project).unwrap().is_none(), "it is offered to one screen at a time");
    assert!(left(&state, &temp.path().join("elsewhere")).unwrap().is_none(), "and to this project alone");
    found.slot.clear().unwrap();
    assert_eq!(count(&state), 0, "once saved they are gone");
}

#[test]
fn what_nobody_came_back_for_is_forgotten_by_age_and_by_count_and_named() {
    let temp = tempfile::tempdir().unwrap();
    let state = temp.path().join("state");
    let now = SystemTime::now();
    assert_eq!(forget(&state, now), None, "there is nothing yet");
    for (name, days) in [("old.json", DAYS + 1), ("young.json", DAYS - 1)] {
        put(&state, name, "{}").unwrap();
        age(&state, name, days);
    }
    let slot = Slot::free(&state, temp.path()).unwrap();
    let held = slot.keep(Family::Theonekit, "{}").unwrap();
    age(&state, held.file_name().unwrap().to_str().unwrap(), DAYS + 1);
    let would = would_forget(&state, now).expect("something is due");
    assert!(would.contains("1 draft") && would.contains("old.json"), "it is named first: {would}");
    assert_eq!(count(&state), 3, "saying so removes nothing");
    assert_eq!(forget(&state, now), Some(would.replace("Would forget", "Forgot")), "then exactly that goes");
    assert!(held.exists(), "what a screen is at work on stays, however old");
    drop(slot);
    assert!(forget(&state, now).is_some() && !held.exists(), "and goes once the screen is gone");
    for number in 0..MOST {
        put(&state, &format!("{number}.json"), "{}").unwrap();
    }
    let said = forget(&state, now).expect("one is too many");
    assert!(said.contains("young.json") && count(&state) == MOST, "the oldest goes: {said}");
    assert_eq!(forget(&state, now), None, "and no more than that");
}

#[test]
fn what_was_saved_from_there_goes_and_nothing_else_does() {
    let temp = tempfile::tempdir().unwrap();
    let state = temp.path().join("state");
    let kept = keep(&state, "{\"next\":\"x\"}").unwrap();
    let mine = temp.path().join("mine.json");
    fs::write(&mine, "{}").unwrap();
    saved(&state, &mine).unwrap();
    assert!(mine.exists() && kept.exists(), "a person's own file is theirs");
    saved(&state, &kept).unwrap();
    assert!(!kept.exists(), "what was kept for this save has been saved");
}
