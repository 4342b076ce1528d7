//! The form, played by keys against made-up workers.

use super::super::super::action::save::{Offer, SaveAnswer};
use super::super::super::action::{Action, Answer};
use super::super::super::effect::{Effect, SaveOrder};
use super::super::super::fixture::Stage;
use super::super::super::fixture::save::Trouble;
use super::super::super::keymap::Context;
use super::*;
use crate::handoff::Moment;
use crate::save::narrative::Narrative;

fn stage() -> Stage {
    Stage::new(120, 60)
}

/// What the last sketch or preview was asked with.
fn asked(stage: &Stage) -> Asked {
    let asked = stage.effects.iter().rev().find_map(|effect| match effect {
        Effect::Save(_, SaveOrder::Sketch(asked) | SaveOrder::Preview(asked)) => Some(asked.clone()),
        _ => None,
    });
    asked.expect("something was asked")
}

fn is_written(stage: &Stage) -> bool {
    stage.effects.iter().any(|effect| matches!(effect, Effect::Save(_, SaveOrder::Write)))
}

fn form(stage: &Stage) -> &Form {
    stage.state.form().expect("the form is there")
}

#[test]
fn nothing_is_written_before_the_yes_and_then_exactly_what_was_shown() {
    let mut stage = stage();
    stage.keys("sRotate tokens<ctrl-s>");
    assert_eq!(stage.state.context(), Context::Preview, "the preview is shown");
    assert!(stage.screen().contains("Nothing is written yet"), "and says so:\n{}", stage.screen());
    stage.keys("<enter>n<ctrl-s>");
    assert!(!is_written(&stage), "no other key is a yes");
    stage.keys("y");
    assert!(is_written(&stage), "this one is");
    let screen = stage.screen();
    assert!(
        screen.contains("saved to /home/ada/src/api/plans/260325-auth/HANDOFF.md (plan)"),
        "where:\n{screen}"
    );
    assert!(screen.contains(".handoff-trash/HANDOFF.md"), "and how to have the old bytes back:\n{screen}");
    let is_scan = |effect: &Effect| matches!(effect, Effect::Scan(2));
    assert!(stage.effects.iter().any(is_scan), "everything is read again");
    stage.keys("<esc>");
    assert_eq!(stage.state.context(), Context::List, "and one step back is the list");
    assert_eq!(stage.selected(), "plans/260325-auth/HANDOFF.md", "with the saved row selected");
}

#[test]
fn what_was_captured_is_marked_and_the_persons_fields_are_empty() {
    let mut stage = stage();
    stage.keys("s");
    let screen = stage.screen();
    assert!(screen.contains("✓ feat/auth  from HEAD"), "a fact has its source:\n{screen}");
    assert!(screen.contains("? unknown: 1 changed file not compared"), "an unknown is said:\n{screen}");
    assert!(screen.contains("the active plan: the one modified last"), "the place has its reason:\n{screen}");
    assert!(form(&stage).fields.iter().all(Field::is_blank), "nobody speaks for the person");
    assert_eq!(asked(&stage).words, "{}", "nor is anything asked in their name");
}

#[test]
fn letters_are_text_and_only_text() {
    let mut stage = stage();
    stage.keys("sqs?y");
    assert_eq!(form(&stage).field(Word::Task).unwrap().input.value(), "qs?y", "in a field");
    stage.keys("<backtab>qy");
    assert_eq!(form(&stage).format, Family::Theonekit, "on a choice they mean nothing");
    stage.act(Action::Paste("<ctrl-s>y\u{1b}[31m".into()));
    assert_eq!(stage.state.context(), Context::Form, "a paste is no key");
    stage.keys("<tab>");
    stage.act(Action::Paste("a\r\nb\u{202e}".into()));
    assert_eq!(form(&stage).field(Word::Task).unwrap().input.value(), "qs?ya b", "one line stays one line");
    stage.keys("<tab><tab><tab>");
    stage.act(Action::Paste("a\r\nb".into()));
    assert_eq!(form(&stage).field(Word::Next).unwrap().items(), ["a", "b"], "a list takes several");
    assert!(!is_written(&stage), "and nothing of all this was a yes");
}

#[test]
fn the_place_can_be_changed_and_a_taken_name_is_said() {
    let mut stage = stage();
    stage.keys("s<up><right>");
    let screen = stage.screen();
    assert!(screen.contains("< project >"), "the next place:\n{screen}");
    assert!(screen.contains("260325-auth.md is another handoff's name"), "the name is taken:\n{screen}");
    stage.keys("<down>tokens");
    assert_eq!(asked(&stage).place.slug.as_deref(), Some("tokens"), "another name can be given");
    stage.keys("<up><right>");
    assert!(stage.screen().contains("< global >"), "and further");
    stage.keys("<up><right>");
    assert_eq!(form(&stage).format, Family::Thunderkit, "so can the format");
    assert!(stage.screen().contains(".thunderkit/HANDOFF.md"), "with its one place");
    stage.keys("<right><tab><right>");
    assert_eq!(asked(&stage).to.as_deref(), Some("claude-code"), "a memtomem record is for somebody");
    stage.keys("<tab>Tokens<ctrl-s>");
    let screen = stage.screen();
    assert!(screen.contains("In your own shell this saves it:"), "and why not by us:\n{screen}");
    stage.keys("y");
    assert!(!is_written(&stage), "nothing can be said yes to");
    stage.keys("c");
    assert!(
        matches!(stage.effects.last(), Some(Effect::Copy(command)) if command.contains("mm add")),
        "but copied"
    );
}

#[test]
fn plans_that_tie_are_asked_about() {
    let mut stage = stage();
    stage.trouble = Trouble::Tie;
    stage.keys("sTokens<ctrl-s>");
    assert_eq!(stage.state.context(), Context::Form, "there is no preview of a guess");
    assert_eq!(form(&stage).focus, Spot::Place, "the question has the cursor");
    assert!(stage.screen().contains("which one is meant?"), "and is asked:\n{}", stage.screen());
    stage.keys("<right>");
    let plan = asked(&stage).place.plan.expect("a plan was said");
    assert!(plan.ends_with("260325-auth"), "the first press means the one that is shown: {plan:?}");
    stage.keys("<left>");
    assert!(
        asked(&stage).place.plan.is_some_and(|plan| plan.ends_with("260323-db-schema")),
        "then the others"
    );
    stage.keys("<ctrl-s>");
    assert_eq!(stage.state.context(), Context::Preview, "and now there is a preview");
}

#[test]
fn words_are_carried_over_on_request_and_marked() {
    let mut stage = stage();
    stage.keys("s<ctrl-o>");
    let screen = stage.screen();
    assert!(screen.contains("carried over Rotate refresh tokens in the session store"), "marked:\n{screen}");
    assert!(screen.contains("each marked"), "and said:\n{screen}");
    stage.keys("<down><down><down> today");
    assert!(!stage.screen().contains("carried over Rotate"), "a changed one is the person's own");
}

#[test]
fn a_secret_is_shown_by_kind_and_keeps_the_preview_shut() {
    let mut stage = stage();
    let token = format!("ghp_{}", "a1B2".repeat(9));
    stage.keys("s");
    stage.act(Action::Paste(token.clone()));
    let screen = stage.screen();
    assert!(screen.contains("✗ task line 1: GitHub token"), "while it is typed:\n{screen}");
    stage.keys("<ctrl-s>");
    assert_eq!(stage.state.context(), Context::Form, "no preview");
    assert!(stage.screen().contains("Take the secret out"), "and the reason");
    stage.keys("<ctrl-u>fine");
    assert!(stage.screen().contains("✓ no secrets"), "a positive control");
}

#[test]
fn the_size_is_counted_as_one_types_and_the_cap_is_said() {
    let mut stage = stage();
    stage.keys("s<tab><tab><tab>");
    stage.act(Action::Paste("word ".repeat(4_000)));
    let screen = stage.screen();
    assert!(screen.contains("of 32,768 bytes"), "the size:\n{screen}");
    stage.keys("<tab>");
    stage.act(Action::Paste("word ".repeat(4_000)));
    let screen = stage.screen();
    assert!(screen.contains("and a handoff has at most 32768"), "over the cap:\n{screen}");
    stage.keys("<ctrl-s>");
    assert_eq!(stage.state.context(), Context::Form, "nothing is shown that could not be written");
    assert!(form(&stage).refusal.is_some(), "and why is said");
}

#[test]
fn what_the_format_needs_is_asked_for_where_it_is_missing() {
    let mut stage = stage();
    stage.keys("jjs<ctrl-s>");
    assert_eq!(form(&stage).focus, Spot::Word(Word::Phase), "the stage first");
    stage.keys("9 Execute<ctrl-s>");
    assert_eq!(form(&stage).focus, Spot::Word(Word::Next), "then the next action");
    stage.keys("Count them<ctrl-s>");
    assert_eq!(stage.state.context(), Context::Preview, "then nothing is missing");
}

#[test]
fn a_lane_has_choices_only_where_there_are_several() {
    let mut stage = stage();
    stage.keys("jjs");
    let lane = |part| Spot::Lane("L1-auth".into(), part);
    let spots = form(&stage).spots();
    assert!(spots.contains(&lane(Part::Class)), "several classes");
    assert!(!spots.contains(&lane(Part::Model)), "no model without a class");
    assert!(
        !spots.contains(&Spot::Lane("L3-docs".into(), Part::Class)),
        "nothing of a lane that is not here"
    );
    stage.keys("<tab><tab><tab><tab><tab><tab><tab>");
    assert_eq!(form(&stage).focus, lane(Part::Class), "on the class");
    stage.keys("<right>");
    assert!(!form(&stage).spots().contains(&lane(Part::Model)), "the planner is one model");
    stage.keys("<right>");
    assert!(form(&stage).spots().contains(&lane(Part::Model)), "executors are two");
    stage.keys("<tab><right><right>");
    assert!(
        asked(&stage).words.contains(r#""class":"executors","model":"sol""#),
        "said: {}",
        asked(&stage).words
    );
    stage.keys("<backtab><left><left>");
    assert!(!asked(&stage).words.contains("lanes"), "and can be unsaid: {}", asked(&stage).words);
}

#[test]
fn past_sessions_are_listed_only_after_a_yes() {
    let mut stage = stage();
    stage.keys("jjs");
    let form_of = |stage: &mut Stage| stage.state.form_mut().expect("the form").focus.clone();
    while form_of(&mut stage) != Spot::Lane("L1-auth".into(), Part::Session) {
        stage.keys("<tab>");
    }
    let listed = |stage: &Stage| {
        stage.effects.iter().any(|effect| matches!(effect, Effect::Save(_, SaveOrder::Sessions(..))))
    };
    stage.keys("<right>");
    assert!(!listed(&stage), "looking at the line lists nothing");
    stage.keys("<enter>");
    assert_eq!(stage.state.context(), Context::Asking, "it is asked first");
    stage.keys("<esc>");
    assert!(!listed(&stage), "a no lists nothing");
    stage.keys("<enter>y");
    assert!(listed(&stage), "a yes does, for this lane");
    stage.keys("<right>");
    assert!(asked(&stage).words.contains("5b1c9d0e-7d1e"), "one can be chosen: {}", asked(&stage).words);
    assert!(stage.screen().contains("codex: its store cannot be read"), "a silent store is named");
}

#[test]
fn a_lane_is_taken_out_only_by_the_person_and_comes_back() {
    let mut stage = stage();
    stage.keys("jjs");
    assert!(stage.screen().contains("not seen here"), "a lane of the old file is carried on");
    while form(&stage).focus != Spot::Lane("L3-docs".into(), Part::Whole) {
        stage.keys("<tab>");
    }
    stage.keys("<ctrl-x>");
    assert_eq!(asked(&stage).drop, ["L3-docs"], "taken out");
    assert!(stage.screen().contains("taken out of this handoff"), "and still seen:\n{}", stage.screen());
    stage.keys("<ctrl-x>");
    assert!(asked(&stage).drop.is_empty(), "and back in");
}

#[test]
fn the_second_saver_is_told_shown_the_difference_and_has_choices() {
    let mut stage = stage();
    stage.trouble = Trouble::Clash;
    stage.keys("sTokens<ctrl-s>y");
    assert_eq!(stage.state.context(), Context::Clash, "told");
    assert!(stage.screen().contains("+ Rotated; count them"), "and shown:\n{}", stage.screen());
    stage.keys("r");
    assert_eq!(stage.state.context(), Context::Preview, "reloading compares again");
    stage.keys("yn");
    assert_eq!(asked(&stage).place.scope, Some(Scope::Project), "a new name lies beside the plan");
    assert_eq!(stage.state.context(), Context::Preview, "and is shown before it is written");
    stage.keys("y<esc>");
    assert_eq!(
        form(&stage).field(Word::Task).unwrap().input.value(),
        "Tokens",
        "back in the form, nothing is lost"
    );
}

#[test]
fn a_full_disk_is_said_and_the_words_stay() {
    let mut stage = stage();
    stage.trouble = Trouble::Full;
    stage.keys("sTokens<ctrl-s>y");
    assert_eq!(stage.state.context(), Context::Form, "back in the form");
    assert!(stage.screen().contains("No space left on device"), "with the reason:\n{}", stage.screen());
    assert_eq!(form(&stage).field(Word::Task).unwrap().input.value(), "Tokens", "and the words");
    stage.trouble = Trouble::None;
    stage.keys("<ctrl-s>y");
    assert_eq!(stage.state.context(), Context::Saved, "the next try is a new one");
}

#[test]
fn an_ignored_place_is_said_and_changed_only_on_its_own_yes() {
    let mut stage = stage();
    stage.trouble = Trouble::Ignored;
    stage.keys("sTokens");
    assert!(stage.screen().contains("git ignores this place by `plans/`"), "the rule:\n{}", stage.screen());
    stage.keys("<ctrl-s>y");
    assert!(stage.screen().contains("take line 3 out of .gitignore"), "the edit:\n{}", stage.screen());
    let edited = |stage: &Stage| {
        stage
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Save(_, SaveOrder::Take(Offer::ShowToGit))))
    };
    assert!(!edited(&stage), "the yes to the save is none to this");
    stage.keys("i");
    assert!(edited(&stage), "this one is");
    assert!(stage.screen().contains("✓ Git sees it now"), "and what became of it is said");
    assert!(!stage.state.can(super::super::super::keymap::Command::Unignore), "once");
    let screen = stage.screen();
    assert!(
        screen.contains("+ - Keep retries at 3"),
        "new decisions are shown as a second difference:\n{screen}"
    );
    stage.keys("m");
    assert!(stage.screen().contains("✓ The decisions were added"), "and added on a yes of their own");
    stage.keys("c");
    let copied = stage
        .effects
        .iter()
        .any(|e| matches!(e, Effect::Copy(command) if command.starts_with("git add -- ")));
    assert!(copied, "the command that stages it is the person's to run");
}

#[test]
fn closing_keeps_the_words_for_the_next_time() {
    let mut stage = stage();
    stage.keys("sTokens<esc>");
    assert!(matches!(stage.effects.last(), Some(Effect::Save(1, SaveOrder::End))), "the workers forget it");
    assert!(stage.screen().contains("s goes on with your words"), "said:\n{}", stage.screen());
    stage.keys("s");
    assert_eq!(form(&stage).field(Word::Task).unwrap().input.value(), "Tokens", "and true");
    stage.keys("<ctrl-s>y<esc>s");
    assert!(!form(&stage).has_words(), "after a save the next one is empty");
}

#[test]
fn late_answers_are_dropped() {
    let mut stage = stage();
    stage.silent = true;
    stage.keys("s");
    let sketch = |asked: &Asked| {
        SaveAnswer::Sketched(Box::new(super::super::super::fixture::save::sketched(asked, Trouble::None)))
    };
    let first = asked(&stage);
    stage.keys("Tokens");
    let last = asked(&stage);
    stage.act(Action::Answer(Answer::Save(7, sketch(&last))));
    assert!(form(&stage).sketch.is_none(), "of another save");
    stage.act(Action::Answer(Answer::Save(1, sketch(&last))));
    assert!(form(&stage).is_current(), "of this one");
    stage.act(Action::Answer(Answer::Save(1, sketch(&first))));
    assert!(form(&stage).is_current(), "an older one does not replace it");
    stage.keys("<ctrl-s>");
    let wanted = asked(&stage).revision;
    stage.act(Action::Answer(Answer::Save(1, SaveAnswer::Previewed(wanted - 1, Err("old".into())))));
    assert!(matches!(form(&stage).step, Step::Previewing), "a preview of other words is none");
    stage.keys("<esc>");
    stage.act(Action::Answer(Answer::Save(1, SaveAnswer::Previewed(wanted, Err("late".into())))));
    assert!(form(&stage).refusal.is_none(), "nor one that nobody waits for");
}

#[test]
fn the_cursor_walks_through_a_list_and_on() {
    let mut stage = stage();
    stage.keys("s<tab><tab><tab>one<enter>two<up><up>");
    assert_eq!(form(&stage).focus, Spot::Word(Word::Status), "up through the list, then out of it");
    stage.keys("<down>X<down><end>Y<down>");
    assert_eq!(form(&stage).field(Word::Next).unwrap().input.value(), "oneX\ntwoY", "each line where it was");
    assert_eq!(form(&stage).focus, Spot::Word(Word::Decisions), "and on");
}

#[test]
fn a_transcript_is_only_asked_for_by_a_whole_id() {
    let mut stage = stage();
    stage.keys("sTokens");
    assert_eq!(asked(&stage).transcript, None, "never unasked");
    while form(&stage).focus != Spot::Transcript {
        stage.keys("<tab>");
    }
    stage.keys("3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11");
    assert_eq!(
        asked(&stage).transcript.as_deref(),
        Some("3f0c8a52-7d1e-4b7a-9c55-0d8f2f1b6a11"),
        "by its id"
    );
    stage.keys(" x");
    assert_eq!(asked(&stage).transcript, None, "and by nothing else");
}

#[test]
fn the_editor_gets_the_field_and_gives_it_back() {
    let mut stage = stage();
    stage.keys("s<tab><tab><tab>one<ctrl-e>");
    assert!(matches!(stage.effects.last(), Some(Effect::Edit(text)) if text == "one"), "the editor gets it");
    stage.act(Action::Answer(Answer::Edited(Ok("one\n\ttwo\u{1b}\nthree\n".into()))));
    assert_eq!(
        form(&stage).field(Word::Next).unwrap().items(),
        ["one\ntwo", "three"],
        "and gives it back, tamed"
    );
    stage.act(Action::Answer(Answer::Edited(Err("vi reported an error".into()))));
    assert!(stage.screen().contains("vi reported an error"), "a failure is said");
    assert_eq!(form(&stage).field(Word::Next).unwrap().items().len(), 2, "and changes nothing");
    stage.keys("<backtab><backtab><backtab><backtab><ctrl-e>");
    let edits = stage.effects.iter().filter(|effect| matches!(effect, Effect::Edit(_))).count();
    assert_eq!(edits, 1, "where there is no text there is no editor");
}

#[test]
fn what_was_typed_before_stays_kept_while_other_words_stand_in_its_place() {
    let mut stage = stage();
    stage.keys("sMine");
    let said = Narrative::parse(r#"{"task": "Theirs", "next": ["Count"]}"#).unwrap();
    let at = Moment::Day(chrono::NaiveDate::from_ymd_opt(2026, 3, 24).unwrap(), None);
    let left = LeftWords { family: Family::Theonekit, said, at };
    let ticket = form(&stage).ticket;
    stage.act(Action::Answer(Answer::Save(ticket, SaveAnswer::Left(Box::new(left)))));
    let goes_on =
        |stage: &Stage| stage.effects.iter().any(|effect| matches!(effect, Effect::Save(_, SaveOrder::GoOn)));
    stage.keys("<ctrl-r>");
    let screen = stage.screen();
    assert!(screen.contains("1 field brought back; other words stand in task by now"), "named:\n{screen}");
    assert!(!goes_on(&stage), "the draft is not this form's: a save would delete it");
    assert!(form(&stage).left.is_some(), "and it is offered on");
    stage.keys("<backspace><backspace><backspace><backspace><ctrl-r>");
    assert_eq!(form(&stage).field(Word::Task).unwrap().input.value(), "Theirs", "once there is room");
    assert!(goes_on(&stage), "a control: with every word in the form the draft is the form's");
}

#[test]
fn words_typed_for_another_format_are_seen_and_named() {
    let mut stage = stage();
    stage.keys("sRotate tokens<up><up><up><right>");
    assert_eq!(form(&stage).format, Family::Thunderkit, "the format has changed");
    assert_eq!(
        form(&stage).homeless().iter().map(|(_, name)| *name).collect::<Vec<_>>(),
        ["task"],
        "by its name in the form"
    );
    assert!(stage.screen().contains("Rotate tokens"), "what was typed is seen:\n{}", stage.screen());
    stage.keys("<ctrl-s>");
    assert_eq!(stage.state.context(), Context::Form, "and there is no preview without it");
    assert_eq!(form(&stage).focus, Spot::Word(Word::Task), "the cursor is where it stands");
}
