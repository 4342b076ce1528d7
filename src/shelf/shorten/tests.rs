//! What of a log is needed, on actions made up here.

use std::collections::BTreeSet;

use chrono::DateTime;

use super::super::Shelf;
use super::super::model::{End, Move, Undoes, Verb};
use super::*;

fn shelf() -> Shelf {
    Shelf { home: "/home".into(), state: "/state".into(), project: "/p".into() }
}

/// An action that moved files so; `stands` of them were not taken back since.
fn action(verb: Verb, moves: &[(&str, &str)], stands: usize) -> Action {
    let end = |path: &str| End::plain(Path::new("/"), Path::new(path));
    // What a save writes is one handoff.
    let follows = |at: usize| verb == Verb::Save && at > 0;
    let way = |(at, (from, to)): (usize, &(&str, &str))| Move {
        follows: follows(at),
        ..Move::new(end(from), end(to), 1)
    };
    let moves = moves.iter().enumerate().map(way).collect();
    let now = DateTime::UNIX_EPOCH.fixed_offset();
    let standing: BTreeSet<usize> = (0..stands).collect();
    Action { standing: Some(standing), ..Action::new(&shelf(), verb, moves, None, now) }
}

fn kept(actions: &[Action], gone: &[&str]) -> Vec<usize> {
    let needed = needed(actions, &|path| gone.iter().any(|gone| path == Path::new(gone)));
    let rank = |kept: &&Action| actions.iter().position(|action| action.id == kept.id);
    needed.actions.iter().filter_map(rank).collect()
}

#[test]
fn what_can_be_taken_back_stays_and_the_rest_goes() {
    let archive = action(Verb::Archive, &[("/p/a", "/p/archive/a")], 1);
    let undone = action(Verb::Archive, &[("/p/b", "/p/archive/b")], 0);
    let undo = action(Verb::Undo, &[("/p/archive/b", "/p/b")], 1);
    let mut open = action(Verb::Trash, &[("/p/c", "/trash/c")], 0);
    open.standing = None;
    let all = [archive, undone, undo, open];
    assert_eq!(kept(&all, &[]), [0, 3], "what stands, and what is not over");
    assert_eq!(kept(&all, &["/p/archive/a"]), [3], "a file that is gone for good brings nothing back");
}

#[test]
fn what_comes_back_with_a_newer_action_is_not_gone() {
    let archive = action(Verb::Archive, &[("/p/a", "/p/archive/a")], 1);
    let trash = action(Verb::Trash, &[("/p/archive/a", "/trash/a")], 1);
    let all = [archive, trash];
    assert_eq!(kept(&all, &["/p/archive/a"]), [0, 1], "the trash gives it back to the archive first");
    assert_eq!(
        kept(&all, &["/p/archive/a", "/trash/a"]),
        [0; 0],
        "the control: with the trash emptied none does"
    );
}

#[test]
fn a_save_goes_whole_or_not_at_all() {
    let save = action(Verb::Save, &[("/p/a", "/trash/a"), ("/state/undo/a", "/p/a")], 2);
    assert_eq!(kept(std::slice::from_ref(&save), &[]), [0], "both bytes are there");
    assert_eq!(
        kept(std::slice::from_ref(&save), &["/trash/a"]),
        [0; 0],
        "the old ones are not: nothing to go back to"
    );
    let two = action(Verb::Archive, &[("/p/a", "/p/archive/a"), ("/p/b", "/p/archive/b")], 2);
    assert_eq!(kept(&[two], &["/p/archive/a"]), [0], "the control: other actions go back as far as they can");
}

#[test]
fn what_a_save_put_away_is_the_save_s_own_from_its_end_on_and_stays_so_in_a_shorter_log() {
    let temp = tempfile::tempdir().unwrap();
    let (journal, again) = (Journal::of(temp.path()), Journal::of(&temp.path().join("again")));
    let save = action(Verb::Save, &[("/p/a", "/trash/a"), ("/state/undo/a", "/p/a")], 2);
    let old = action(Verb::Cleanup, &[("/p/b", "/p/archive/b"), ("/p/c", "/p/archive/c")], 1);
    let part = Action { joins: Some(save.id.clone()), ..old };
    let other = action(Verb::Archive, &[("/p/d", "/p/archive/d")], 1);
    journal.begin(&save).unwrap();
    journal.end(&save.id, &BTreeSet::from([0, 1]), "done").unwrap();
    journal.begin(&part).unwrap();
    assert_eq!(
        journal.read().unwrap().actions.len(),
        2,
        "a control: what is at work is an action of its own"
    );
    journal.end(&part.id, &BTreeSet::from([1]), "done").unwrap();
    journal.begin(&other).unwrap();
    journal.end(&other.id, &BTreeSet::from([0]), "done").unwrap();
    let actions = journal.read().unwrap().actions;
    let told: Vec<_> = actions.iter().map(Action::told).collect();
    let brief: Vec<_> = told.iter().map(|told| (told.id.as_str(), told.handoffs, told.put_away)).collect();
    assert_eq!(
        brief,
        [(save.id.as_str(), 2, 1), (other.id.as_str(), 1, 0)],
        "one save, and what moved of it"
    );
    assert!(told[0].words().starts_with("save of 1 handoff, which put 1 other away"), "{}", told[0].words());
    let gone = |gone: &[&str]| kept(&actions[..1], gone).len();
    assert_eq!(gone(&["/trash/a"]), 1, "what it put away can go back without it");
    assert_eq!(gone(&["/trash/a", "/p/archive/c"]), 0, "the control: nothing of it can");
    let kept: Vec<&Action> = actions.iter().collect();
    crate::disk::private_dir(&temp.path().join("again")).unwrap();
    std::fs::write(again.path(), text(&kept, &[]).unwrap()).unwrap();
    let again: Vec<_> = again.read().unwrap().actions.iter().map(Action::told).collect();
    assert_eq!(again, told, "a shorter log tells the same");
}

#[test]
fn an_undo_at_work_keeps_what_it_takes_back() {
    let archive = action(Verb::Archive, &[("/p/a", "/p/archive/a")], 1);
    let undoes = Undoes { action: archive.id.clone(), moves: vec![0] };
    let mut undo = action(Verb::Undo, &[("/p/archive/a", "/p/a")], 0);
    (undo.standing, undo.undoes) = (None, Some(undoes));
    let all = [archive, undo];
    assert_eq!(kept(&all, &["/p/archive/a"]), [0, 1], "both are settled together");
}

#[test]
fn of_very_many_the_newest_stay_and_the_others_are_counted() {
    let all: Vec<Action> =
        (0..KEPT + 7).map(|_| action(Verb::Archive, &[("/p/a", "/p/archive/a")], 1)).collect();
    let needed = needed(&all, &|_| false);
    assert_eq!(
        (needed.actions.len(), needed.forgotten),
        (KEPT, 7),
        "a bound is a bound, and what it costs is known"
    );
    assert_eq!(
        needed.actions.last().map(|action| &action.id),
        all.last().map(|action| &action.id),
        "oldest first"
    );
    let read = |lines| Log { actions: all.clone(), lines, unread: 0 };
    assert!(!is_due(&read(2 * all.len())), "a few too many are left for the next time");
    assert!(is_due(&read(5 * all.len())), "the control: more lines of nothing than of something are due");
}

#[test]
fn a_shorter_log_reads_as_the_same_actions() {
    let home = tempfile::tempdir().unwrap();
    let shelf = Shelf { state: home.path().to_owned(), ..shelf() };
    let journal = Journal::of(&shelf.state);
    let mut archive = action(Verb::Archive, &[("/p/a", "/p/archive/a"), ("/p/b", "/p/archive/b")], 2);
    archive.moves[1].follows = true;
    journal.begin(&archive).unwrap();
    journal.rename(&archive.id, 0, Path::new("/p/archive/a-2")).unwrap();
    journal.end(&archive.id, &BTreeSet::from([0, 1]), "done").unwrap();
    let undoes = Undoes { action: archive.id.clone(), moves: vec![1] };
    let undo = Action { undoes: Some(undoes), ..action(Verb::Undo, &[("/p/archive/b", "/p/b")], 1) };
    journal.begin(&undo).unwrap();
    journal.end(&undo.id, &BTreeSet::from([0]), "done").unwrap();
    let told = |log: &Log| {
        let standing = log.actions.iter().filter(|action| action.stands());
        standing.map(|action| format!("{action:?}")).collect::<Vec<_>>()
    };
    let before = journal.read().unwrap();
    journal.exchange(|log, odd| text(&needed(&log.actions, &|_| false).actions, &odd).ok()).unwrap();
    let after = journal.read().unwrap();
    assert_eq!((before.lines, after.lines), (5, 2), "the control: three lines are gone");
    assert_eq!(
        told(&before),
        told(&after),
        "and what stands, where it lies, its project and its pairs are the same"
    );
    assert_eq!(after.actions[0].standing, Some(BTreeSet::from([0])), "the half that was taken back stays so");
}
