//! The real loop over a scripted world.

use std::collections::VecDeque;

use super::super::fixture;
use super::super::keymap::{Key, Keymap};
use super::super::theme::UNICODE;
use super::*;
use crate::place::Found;

/// A world that brings what the script says, one wait at a time, and keeps every picture.
struct Script {
    waits: VecDeque<Vec<Happening>>,
    pictures: Vec<String>,
    effects: Vec<Effect>,
    timeouts: Vec<Option<Duration>>,
}

impl World for Script {
    fn size(&self) -> (u16, u16) {
        (100, 24)
    }
    fn clock(&self) -> Clock {
        fixture::CLOCK
    }
    fn paint(&mut self, picture: Buffer) -> io::Result<()> {
        self.pictures.push(fixture::text_of(&picture));
        Ok(())
    }
    fn wait(&mut self, most: Option<Duration>) -> io::Result<Vec<Happening>> {
        self.timeouts.push(most);
        Ok(self.waits.pop_front().unwrap_or_else(|| vec![Happening::End(Ended::HangUp)]))
    }
    fn perform(&mut self, effect: Effect) -> io::Result<Vec<Happening>> {
        let back = match &effect {
            Effect::Scan(generation) => {
                let rows = fixture::rows();
                let found = rows.iter().cloned().map(Found::Row).collect();
                vec![
                    Happening::Answer(Box::new(Answer::Batch(*generation, found))),
                    Happening::Answer(Box::new(Answer::Settled(*generation, rows, Vec::new()))),
                ]
            }
            _ => Vec::new(),
        };
        self.effects.push(effect);
        Ok(back)
    }
}

fn play(waits: Vec<Vec<Happening>>) -> (Ended, Script) {
    let (mut state, first) = State::new("/p".into(), None, Keymap::default(), fixture::CLOCK);
    let mut script =
        Script { waits: waits.into(), pictures: Vec::new(), effects: Vec::new(), timeouts: Vec::new() };
    let theme = Theme { colour: true, glyphs: &UNICODE };
    let ended = run(&mut script, &mut state, first, theme).unwrap();
    (ended, script)
}

fn key(name: &str) -> Happening {
    Happening::Key(Key::parse(name).unwrap().event())
}

#[test]
fn the_first_picture_is_drawn_before_anything_was_read() {
    let (_, script) = play(Vec::new());
    assert!(script.pictures[0].contains("Looking for handoffs"), "it says what is going on");
}

#[test]
fn keys_move_and_q_ends_at_once() {
    let (ended, script) = play(vec![vec![key("j")], vec![key("q"), key("j")]]);
    assert_eq!(ended, Ended::Quit, "q leaves");
    let last = script.pictures.last().unwrap();
    let selected = last.lines().find(|line| line.contains('▌')).unwrap();
    assert!(selected.contains("260323"), "j had moved to the second row: {selected}");
}

#[test]
fn the_loop_sleeps_until_an_age_changes_and_never_shorter_than_a_minute_while_idle() {
    let (_, script) = play(vec![vec![key("j")]]);
    let idle = script.timeouts.last().unwrap();
    assert!(idle.is_none_or(|most| most >= Duration::from_secs(60)), "idle is idle: {idle:?}");
}

#[test]
fn a_signal_or_a_hang_up_ends_it() {
    assert_eq!(play(vec![vec![Happening::End(Ended::Signal(15))]]).0, Ended::Signal(15), "a signal");
    assert_eq!(play(Vec::new()).0, Ended::HangUp, "a hang-up");
}

#[test]
fn a_stop_by_the_shell_is_passed_on_and_drawn_anew() {
    let (_, script) = play(vec![vec![Happening::Suspend], vec![Happening::Redraw]]);
    assert!(
        script.effects.iter().any(|effect| matches!(effect, Effect::Suspend)),
        "the world is asked to stop"
    );
    assert!(script.pictures.len() >= 3, "and draws when it is back");
}

#[test]
fn a_key_that_is_let_go_does_nothing() {
    let mut event = Key::parse("q").unwrap().event();
    event.kind = crossterm::event::KeyEventKind::Release;
    assert_eq!(play(vec![vec![Happening::Key(event)]]).0, Ended::HangUp, "only the press counts");
}

#[test]
fn escape_and_a_key_in_one_piece_are_two_keys() {
    let (ended, script) = play(vec![vec![key("?")], vec![key("alt-j")], vec![key("alt-q")]]);
    assert_eq!(ended, Ended::Quit, "the last one leaves");
    assert!(script.pictures.iter().any(|picture| picture.contains("Keys and signs")), "the help was open");
    let last = script.pictures.last().unwrap();
    let selected = last.lines().find(|line| line.contains('▌')).unwrap();
    assert!(selected.contains("260323"), "escape closed it and j moved: {selected}");
}
