//! Lanes in the form: captured, chosen, carried on, taken out; and true when they are checked afterwards.

use moorline::check::Verdict;
use moorline::handoff::{Habit, Handoff, Lane, LaneStatus, Source, thunderkit};
use moorline::tui::app::save::{Part, Spot};

use super::desk::Desk;
use crate::true_project::{LANE, SESSION, TrueProject, WORKTREE};

fn read(project: &TrueProject) -> Handoff {
    let bytes = std::fs::read(project.handoff()).expect("the file is there");
    thunderkit::read(&Source { bytes: &bytes, name: "HANDOFF.md", habit: Habit::Thunderkit, cut_from: None })
}

fn lane<'a>(handoff: &'a Handoff, id: &str) -> Option<&'a Lane> {
    handoff.lanes.iter().find(|lane| lane.id.as_ref().is_some_and(|own| own.as_str() == id))
}

/// Goes to a line of the form.
fn go_to(desk: &mut Desk, spot: &Spot) {
    let spots = desk.form().spots();
    let at = |spot: &Spot| spots.iter().position(|own| own == spot);
    let (now, then) = (at(&desk.form().focus).expect("a line"), at(spot));
    let then = then.unwrap_or_else(|| panic!("there is no {spot:?}:\n{spots:?}"));
    let (key, times) = if then > now { ("<tab>", then - now) } else { ("<backtab>", now - then) };
    desk.keys(&key.repeat(times));
}

#[test]
fn a_lane_is_saved_from_the_form_and_validates() {
    let project = TrueProject::build();
    project.git(&project.root(), &["commit", "-q", "--allow-empty", "-m", "Work"]);
    assert_eq!(project.report().verdict, Verdict::NotResumable, "the old handoff no longer holds");
    let mut desk = Desk::with(project.examiner());
    desk.keys("s").settle();
    assert!(desk.target().ends_with(".thunderkit/HANDOFF.md"), "a selected thunderkit row means its format");
    desk.see("session from the replaced handoff, found in its store");
    desk.keys("<ctrl-o>").settle().keys("<ctrl-s>").see("Nothing is written yet");
    desk.keys("y").see("saved to");
    assert_eq!(project.report().verdict, Verdict::Validated, "the saved one holds");
    let handoff = read(&project);
    let session = lane(&handoff, LANE).and_then(|lane| lane.session_id.as_ref());
    assert_eq!(session.map(|id| id.as_str()), Some(SESSION), "with the session that its store has");
    assert!(!project.was_started(), "and nothing was run");
}

#[test]
fn past_sessions_are_listed_after_a_yes_and_one_of_them_is_recorded() {
    let project = TrueProject::build();
    std::fs::remove_file(project.handoff()).expect("no handoff yet");
    let mut rows = std::fs::read_to_string(project.session()).expect("its rows");
    for (kind, key, title) in [
        ("custom-title", "customTitle", "Rotate\u{202e} the\u{1b}[2J tokens"),
        ("ai-title", "aiTitle", "something else"),
    ] {
        rows += &format!("{}\n", serde_json::json!({ "type": kind, key: title, "sessionId": SESSION }));
    }
    std::fs::write(project.session(), rows).expect("named");
    let mut desk = Desk::with(project.examiner());
    desk.keys("s").settle();
    go_to(&mut desk, &Spot::Format);
    desk.keys("<right>").settle();
    desk.see("no session of this worktree is known");
    go_to(&mut desk, &Spot::Lane(LANE.into(), Part::Session));
    desk.keys("<enter>").see("sessions that worked in");
    assert!(!desk.screen().contains("Rotate"), "nothing of them is read before the yes");
    desk.keys("y").see("1 past one");
    desk.keys("<right>").settle().see(SESSION);
    let screen = desk.screen();
    assert!(screen.contains("\u{201c}Rotate"), "by the name that its person gave it:\n{screen}");
    assert!(!screen.contains('\u{202e}') && !screen.contains('\u{1b}'), "whatever is in it:\n{screen}");
    go_to(&mut desk, &Spot::Lane(LANE.into(), Part::Status));
    desk.keys("<right>").settle().see("as you say");
    go_to(&mut desk, &Spot::Lane(LANE.into(), Part::Class));
    desk.keys("<right><right>").settle().see("< executors >");
    go_to(&mut desk, &Spot::Word(moorline::tui::app::save::Word::Phase));
    desk.keys("9 Execute<tab>Count them").settle();
    desk.keys("<ctrl-s>").see("new file").keys("y").see("saved to");
    let handoff = read(&project);
    let saved = lane(&handoff, LANE).expect("the lane");
    assert_eq!(saved.session_id.as_ref().map(|id| id.as_str()), Some(SESSION), "the chosen session");
    assert_eq!(saved.status, Some(LaneStatus::Blocked), "the person's word");
    assert!(saved.model_class.is_some(), "and the class");
}

#[test]
fn a_lane_that_is_not_here_is_carried_on_until_it_is_taken_out() {
    let project = TrueProject::build();
    let text = std::fs::read_to_string(project.handoff()).expect("read");
    let gone = text.replace(WORKTREE, ".thunderkit/runs/r1/worktrees/gone");
    assert_ne!(gone, text, "the recorded worktree is not here");
    std::fs::write(project.handoff(), gone).expect("written");
    let mut desk = Desk::with(project.examiner());
    desk.keys("s").settle().see("not seen here");
    desk.keys("<ctrl-o>").settle();
    let whole = Spot::Lane(LANE.into(), Part::Whole);
    go_to(&mut desk, &whole);
    desk.keys("<ctrl-x>").settle().see("taken out of this handoff");
    desk.keys("<ctrl-x>").settle().see("not seen here");
    desk.keys("<ctrl-s>").see("Nothing is written yet").keys("y").see("saved to");
    assert!(lane(&read(&project), LANE).is_some(), "nothing inferred that it ended");
    desk.keys("<esc>s").settle().keys("<ctrl-o>").settle();
    go_to(&mut desk, &whole);
    desk.keys("<ctrl-x>").settle().keys("<ctrl-s>").see("Nothing is written yet").keys("y").see("saved to");
    let handoff = read(&project);
    let left: Vec<_> = handoff.lanes.iter().filter_map(|lane| lane.worktree.as_ref()).collect();
    assert!(left.iter().any(|worktree| worktree.as_str() == WORKTREE), "the one that is here stays");
    assert!(!left.iter().any(|worktree| worktree.as_str().ends_with("gone")), "a person took the other out");
}
