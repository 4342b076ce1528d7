//! What keys and answers do to the state, without a terminal.

use std::sync::Arc;

use super::super::action::{Action, Answer, Key};
use super::super::effect::Effect;
use super::super::fixture::{self, Stage};
use super::*;
use crate::check::{Kept, Past};
use crate::place::Found;

fn stage() -> Stage {
    Stage::new(120, 30)
}

#[test]
fn rows_that_arrive_later_keep_the_selection_and_its_line() {
    let mut stage = Stage::unread(120, 30);
    stage.silent = true;
    let rows = fixture::rows();
    let batch = |rows: &[Arc<crate::place::Listed>]| {
        Action::Answer(Answer::Batch(1, rows.iter().cloned().map(Found::Row).collect()))
    };
    stage.act(batch(&rows[3..]));
    assert_eq!(stage.selected(), "docs/HANDOFF.md", "until a person moves, the first row is selected");
    stage.keys("j");
    assert_eq!(stage.selected(), "260320-kickoff.md", "the person chose another one");
    stage.size.1 = 7;
    stage.draw();
    let line = |stage: &Stage| stage.state.list.selected_line().unwrap() - stage.state.list.offset;
    let before = line(&stage);
    stage.act(batch(&rows[..3]));
    assert_eq!(stage.selected(), "260320-kickoff.md", "three rows arrived above, the choice stays");
    assert_eq!(line(&stage), before, "and stands on the same line of the screen");
}

#[test]
fn the_screen_has_the_order_of_every_list() {
    let mut stage = stage();
    let named = |name: &str, source, day: i64| {
        let mut row = (*fixture::rows()[3]).clone();
        row.relative = name.into();
        row.path = row.root.join(name);
        row.saved_at.source = source;
        let at = chrono::DateTime::from_timestamp(fixture::CLOCK.unix - day * 86_400, 0).unwrap();
        row.saved_at.moment = crate::handoff::Moment::Instant(at.fixed_offset());
        Arc::new(row)
    };
    use crate::handoff::ClockSource::{Commit, Declared, Mtime};
    let mut rows = vec![
        named("a/HANDOFF.md", Mtime, 0),
        named("b/HANDOFF.md", Declared, 9),
        named("c/HANDOFF.md", Commit, 3),
        named("d/HANDOFF.md", Declared, -40),
    ];
    stage.rows = rows.clone();
    stage.keys("r");
    let now = chrono::DateTime::from_timestamp(fixture::CLOCK.unix, 0).unwrap();
    crate::place::order(&mut rows, now);
    let seen: Vec<_> = stage.state.list.visible().map(|row| row.listed.relative.clone()).collect();
    let rule: Vec<_> = rows.iter().map(|row| row.relative.clone()).collect();
    assert_eq!(seen, rule, "one rule for the screen and the command line");
    assert_eq!(seen[0], std::path::PathBuf::from("c/HANDOFF.md"), "a fresh mtime stands above no dated row");
}

#[test]
fn a_verdict_never_reorders_the_list() {
    let mut stage = Stage::unread(120, 30);
    stage.silent = true;
    let rows = fixture::rows();
    stage.act(Action::Answer(Answer::Settled(1, rows.clone(), Vec::new())));
    let order = |stage: &Stage| stage.state.list.visible().map(|row| row.key.clone()).collect::<Vec<_>>();
    let before = order(&stage);
    for row in rows.iter().rev() {
        let report = Arc::new(fixture::report(row));
        stage.act(Action::Answer(Answer::Examined(1, Key::of(row), report)));
        assert_eq!(order(&stage), before, "the order stays");
    }
    assert!(
        stage.state.list.visible().all(|row| row.verdict().is_some()),
        "a positive control: all were judged"
    );
}

#[test]
fn the_selected_row_is_judged_first_and_then_the_newest() {
    let mut stage = Stage::unread(120, 30);
    stage.silent = true;
    stage.effects.clear();
    stage.act(Action::Answer(Answer::Settled(1, fixture::rows(), Vec::new())));
    let first = stage.effects.iter().find_map(|effect| match effect {
        Effect::ExamineFirst(_, row) => Some(row.relative.clone()),
        _ => None,
    });
    assert_eq!(first, Some("plans/260325-auth/HANDOFF.md".into()), "the selected one goes first");
    let all = stage.effects.iter().find_map(|effect| match effect {
        Effect::Examine(_, rows) => Some(rows.iter().map(|row| row.relative.clone()).collect::<Vec<_>>()),
        _ => None,
    });
    let all = all.unwrap();
    assert_eq!(
        all[1],
        std::path::PathBuf::from(".thunderkit/HANDOFF.md"),
        "the second newest is next: {all:?}"
    );
}

#[test]
fn what_changes_on_disk_is_read_again_and_only_that_is_judged_again() {
    let mut stage = stage();
    assert!(stage.screen().contains("live"), "the places are watched, and that is said");
    stage.silent = true;
    let row = fixture::rows()[0].clone();
    let moved = |paths: &[&std::path::Path], everything| {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        Action::Answer(Answer::Moved(super::super::action::Moved { paths, everything }))
    };
    stage.effects.clear();
    stage.act(moved(&[row.path.parent().unwrap()], false));
    assert!(matches!(stage.effects[0], Effect::Scan(2)), "the places are scanned again");
    let judged = |stage: &Stage| stage.state.list.rows().iter().filter(|row| row.verdict().is_some()).count();
    assert_eq!(judged(&stage), 4, "what changed has no verdict any more, the others have theirs");
    let mut rows = fixture::rows();
    let mut other = (*rows[1]).clone();
    other.bytes += 1;
    rows[1] = other.into();
    stage.act(Action::Answer(Answer::Settled(2, rows, Vec::new())));
    assert_eq!(judged(&stage), 3, "a file with other bytes has none either, whoever told of it");
    let asked = stage.effects.iter().rev().find_map(|effect| match effect {
        Effect::Examine(2, rows) => Some(rows.len()),
        _ => None,
    });
    assert_eq!(asked, Some(2), "and only those are judged again");
    stage.act(moved(&[], true));
    assert_eq!(judged(&stage), 0, "when HEAD moves nothing that was compared with it holds");
}

#[test]
fn nothing_moves_under_a_resume_that_waits_for_its_yes() {
    let mut stage = stage();
    stage.keys("jj<enter><enter>");
    stage.effects.clear();
    let everything = super::super::action::Moved { everything: true, ..Default::default() };
    stage.act(Action::Answer(Answer::Moved(everything)));
    assert!(stage.effects.is_empty(), "nothing is read behind it");
    stage.keys("<esc>");
    assert!(stage.effects.iter().any(|effect| matches!(effect, Effect::Scan(2))), "but once it is closed");
}

#[test]
fn a_late_answer_for_something_else_is_dropped() {
    let mut stage = stage();
    let row = fixture::rows()[0].clone();
    stage.silent = true;
    stage.keys("r");
    let old = Arc::new(fixture::report(&row));
    stage.act(Action::Answer(Answer::Examined(1, Key::of(&row), old)));
    assert_eq!(
        stage.state.list.selected().unwrap().verdict(),
        None,
        "a verdict from before the refresh is old"
    );
    stage.act(Action::Answer(Answer::Examined(2, Key::of(&row), Arc::new(fixture::report(&row)))));
    assert!(stage.state.list.selected().unwrap().verdict().is_some(), "one from after it counts");
    let other = fixture::rows()[1].clone();
    stage.act(Action::Answer(Answer::Text(Key::of(&other), Err("no".into()))));
    assert!(!matches!(stage.state.body, Some((_, Body::Failed(_)))), "a text of another row is not shown");
}

#[test]
fn esc_goes_one_step_back_and_never_quits() {
    let mut stage = stage();
    stage.keys("jj<enter><tab><enter>");
    assert_eq!(stage.state.context(), Context::Reading, "a check's source is open");
    let mut seen = Vec::new();
    for _ in 0..6 {
        stage.keys("<esc>");
        seen.push(stage.state.context());
    }
    assert_eq!(seen[..2], [Context::Checks, Context::List], "back to the pane, then to the list");
    assert!(!stage.effects.iter().any(|effect| matches!(effect, Effect::Quit)), "and never out");
    stage.keys("q");
    assert!(stage.effects.iter().any(|effect| matches!(effect, Effect::Quit)), "q leaves at once");
}

#[test]
fn a_lane_that_is_not_validated_shows_why_and_starts_nothing() {
    let mut stage = stage();
    stage.keys("jj<enter>jj<enter>");
    assert_eq!(stage.state.context(), Context::Reading, "the reasons are shown");
    assert!(stage.screen().contains("lane HEAD moved"), "with the reason");
    assert!(!stage.effects.iter().any(|effect| matches!(effect, Effect::Plan { .. })), "nothing was planned");
}

#[test]
fn a_validated_lane_asks_for_a_prompt_and_an_empty_one_is_refused() {
    let mut stage = stage();
    stage.keys("jj<enter><enter>");
    assert_eq!(stage.state.context(), Context::Prompt, "the plan is shown");
    stage.keys("<enter>");
    let started = |stage: &Stage| stage.effects.iter().any(|effect| matches!(effect, Effect::Start(..)));
    assert!(!started(&stage), "an empty prompt starts nothing");
    assert!(stage.screen().contains("A prompt is needed"), "and that is said");
    stage.keys("  <enter>");
    assert!(!started(&stage), "blanks are no prompt either");
    stage.keys("go on<enter>");
    assert!(
        matches!(stage.effects.last(), Some(Effect::Start(_, prompt)) if prompt == "  go on"),
        "words are"
    );
}

#[test]
fn a_running_program_is_stopped_by_its_key_and_leaving_asks_first() {
    let mut stage = stage();
    stage.keys("jj<enter><enter>go<enter>");
    stage.act(Action::Answer(Answer::Started(1)));
    stage.act(Action::Answer(Answer::Output(1, b"thinking\n".to_vec())));
    assert!(stage.screen().contains("thinking"), "its output is seen live");
    assert_eq!(stage.state.next_change(), Some(1), "the screen counts the seconds");
    stage.keys("q");
    assert_eq!(stage.state.context(), Context::Leaving, "leaving asks");
    stage.keys("<esc>");
    assert_eq!(stage.state.context(), Context::Running, "and can be taken back");
    stage.keys("ss");
    let stops = stage.effects.iter().filter(|effect| matches!(effect, Effect::Stop(1))).count();
    assert_eq!(stops, 2, "each press of the stop key is passed on");
    stage.act(Action::Answer(Answer::Finished(7, fixture::attempt())));
    assert_eq!(stage.state.context(), Context::Running, "the end of another one is not this one's");
    stage.act(Action::Answer(Answer::Finished(1, fixture::attempt())));
    assert!(stage.screen().contains("Continued: the session grew by one turn"), "the outcome comes first");
    stage.effects.clear();
    stage.keys("<esc>");
    assert!(matches!(stage.effects.first(), Some(Effect::Scan(2))), "afterwards everything is read again");
}

#[test]
fn closing_a_plan_forgets_it() {
    let mut stage = stage();
    stage.keys("jj<enter><enter>words<esc>");
    assert!(
        matches!(stage.effects.last(), Some(Effect::Drop(1))),
        "the plan is dropped, and the prompt with it"
    );
    stage.keys("<enter>");
    assert_eq!(stage.state.context(), Context::Prompt, "a new one is made");
    assert!(!stage.screen().contains("words"), "and starts empty");
}

#[test]
fn a_paste_is_text_in_an_input_and_nothing_anywhere_else() {
    let mut stage = stage();
    let before = stage.screen();
    stage.act(Action::Paste("qqjj\u{1b}[31m\rG".into()));
    assert_eq!(stage.screen(), before, "outside an input nothing happens");
    assert!(!stage.effects.iter().any(|effect| matches!(effect, Effect::Quit)), "not even a q");
    stage.keys("/");
    stage.act(Action::Paste("a\u{1b}[31m\u{202e}b\r\nc".into()));
    assert_eq!(stage.state.list.input.value(), "a[31mb c", "in the filter it is one line without controls");
    stage.keys("<esc>jj<enter><enter>");
    stage.act(Action::Paste("one\r\ntwo".repeat(20_000)));
    assert!(
        stage.screen().contains("paste was cut") || stage.state.notice.is_some(),
        "a bomb is cut, and said"
    );
    stage.keys("<enter>");
    assert!(
        matches!(stage.effects.last(), Some(Effect::Start(_, prompt)) if prompt.len() <= 64 << 10),
        "and bounded"
    );
}

#[test]
fn the_filter_finds_names_at_once_and_texts_when_they_were_read() {
    let mut stage = stage();
    stage.keys("/kick");
    assert_eq!(stage.selected(), "260320-kickoff.md", "a name");
    stage.keys("<esc>/rotation");
    assert_eq!(stage.selected(), "plans/260325-auth/HANDOFF.md", "a word that only the text has");
    stage.keys("<enter>");
    assert_eq!(stage.state.context(), Context::List, "enter keeps the filter");
    assert!(stage.screen().contains("1 of 5"), "and the list says that it is one");
    stage.keys("<esc>");
    assert_eq!(stage.state.list.visible().len(), 5, "esc shows all again");
    stage.keys("/verdict:drifted");
    assert_eq!(stage.state.list.visible().len(), 1, "facets narrow");
}

#[test]
fn the_keys_that_are_shown_do_something() {
    let mut stage = stage();
    for keys in ["", "j", "jj", "<enter>", "<tab>", "<tab>", "<tab>"] {
        stage.keys(keys);
        let context = stage.state.context();
        let shown: Vec<_> = stage
            .state
            .keymap
            .at(context)
            .filter(|e| !e.short.is_empty() && stage.state.can(e.command))
            .collect();
        assert!(shown.len() >= 3, "{context:?} shows its keys");
    }
    let mut empty = Stage::unread(120, 30);
    empty.rows.clear();
    empty.keys("r");
    assert!(!empty.state.can(Command::Open), "nothing to open in an empty list");
}

#[test]
fn earlier_versions_are_walked_one_by_one() {
    let mut stage = stage();
    stage.keys("d");
    let screen = stage.screen();
    assert!(
        screen.contains("- Two.") && screen.contains("+ One paragraph."),
        "what changed since:\n{screen}"
    );
    assert!(screen.contains("Ask Ada"), "and what was open and is gone:\n{screen}");
    stage.keys("]");
    assert!(stage.screen().contains("Version 1 of 2"), "there is no newer one than the nearest");
    stage.keys("[[");
    assert!(stage.screen().contains("Version 2 of 2"), "nor an older one than the oldest");
    let screen = stage.screen();
    assert!(
        screen.contains("2 of 2 against 1") && screen.contains("+ Two."),
        "it is compared with the next:\n{screen}"
    );
    stage.keys("d");
    let screen = stage.screen();
    assert!(
        screen.contains("against now") && screen.contains("+ One paragraph."),
        "or with the present:\n{screen}"
    );
    stage.act(Action::Answer(Answer::PastEnds(Key::of(&fixture::rows()[1]), Some("late".into()))));
    assert!(!stage.screen().contains("late"), "versions of another row are dropped");
    stage.keys("]<esc>");
    assert_eq!(stage.state.context(), Context::List, "and one step back is the list");
}

#[test]
fn versions_are_shown_while_more_are_found() {
    let mut stage = stage();
    let rows = fixture::rows();
    let row = rows.iter().find(|row| Key::of(row) == stage.state.list.selected().expect("a row").key);
    let row = row.expect("it is listed").clone();
    stage.keys("d");
    let more = Answer::Past(
        Key::of(&row),
        vec![Past {
            name: "0a1b2c3".into(),
            place: "commit 0a1b2c3 First".into(),
            kept: Kept::Row(row.clone()),
        }],
    );
    if let Some(Overlay::Versions(versions)) = &mut stage.state.overlay {
        versions.whole = false;
    }
    let before = stage.screen();
    assert!(before.contains("Version 1 of 2 or more"), "the first ones are shown at once:\n{before}");
    stage.act(Action::Answer(more));
    let screen = stage.screen();
    assert!(screen.contains("Version 1 of 3 or more"), "one that comes later is counted:\n{screen}");
    assert!(screen.contains("+ One paragraph."), "and what is read stays:\n{screen}");
    stage.keys("[");
    assert!(stage.screen().contains("Version 2 of 3 or more"), "keys are taken meanwhile");
}

#[test]
fn the_block_is_copied_whole_and_opened_in_the_pager() {
    let mut stage = stage();
    stage.keys("cy");
    assert!(
        matches!(stage.effects.last(), Some(Effect::Copy(block)) if block.starts_with("[Handoff loaded: /home/ada")),
        "the block goes to the clipboard"
    );
    stage.keys("o");
    assert!(matches!(stage.effects.last(), Some(Effect::Page(_))), "and to the pager");
}

#[test]
fn a_pager_for_a_text_that_is_not_there_yet_says_so() {
    let mut stage = stage();
    stage.keys("<enter>");
    let (key, _) = stage.state.body.clone().expect("a body");
    stage.state.body = Some((key, Body::Loading));
    stage.keys("o");
    assert!(
        stage.screen().contains("Its text is still being read."),
        "the key is not lost:\n{}",
        stage.screen()
    );
    assert!(!matches!(stage.effects.last(), Some(Effect::Page(_))), "and nothing is opened");
}

#[test]
fn what_the_editor_gave_becomes_the_prompt() {
    let mut stage = stage();
    stage.keys("jj<enter><enter>a<ctrl-e>");
    assert!(
        matches!(stage.effects.last(), Some(Effect::Edit(text)) if text == "a"),
        "the editor gets what is there"
    );
    stage.act(Action::Answer(Answer::Edited(Ok("first\nsecond\n".into()))));
    stage.keys("<enter>");
    assert!(
        matches!(stage.effects.last(), Some(Effect::Start(_, prompt)) if prompt == "first\nsecond"),
        "several lines stay several lines"
    );
}

#[test]
fn in_a_small_window_the_yes_first_reads_on_to_the_end() {
    let mut stage = Stage::new(40, 10);
    stage.keys("jj<enter><enter>go<enter>");
    let started = |stage: &Stage| stage.effects.iter().any(|effect| matches!(effect, Effect::Start(..)));
    assert!(!started(&stage), "what would be started was not seen whole, so nothing starts");
    let mut pages = 0;
    while !started(&stage) && pages < 20 {
        stage.keys("<enter>");
        pages += 1;
    }
    assert!(started(&stage) && pages > 1, "after its last line was seen, the yes counts ({pages} pages)");
}
