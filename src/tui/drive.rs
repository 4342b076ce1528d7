//! The loop: wait, let what happened change the state, do what it wants done, draw. It knows neither the
//! terminal nor the workers, only a [`World`], so that tests drive this very loop.

use std::io;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::{Action, Answer};
use super::app::{self, State};
use super::effect::Effect;
use super::keymap::{self, Key};
use super::theme::Theme;
use super::view;
use crate::handoff::age::Clock;

/// At most so often is drawn while only workers have news.
const FRAME: Duration = Duration::from_millis(16);

/// Why the screen has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// A person left.
    Quit,
    /// A signal, by its number.
    Signal(i32),
    /// The terminal hung up.
    HangUp,
    /// Another thread has panicked; its report was written.
    Fallen,
}

/// One thing that the world brings.
#[derive(Debug)]
pub enum Happening {
    /// A key.
    Key(KeyEvent),
    /// A paste.
    Paste(String),
    /// A worker's answer.
    Answer(Box<Answer>),
    /// The window has another size, or was somebody else's for a while: draw.
    Redraw,
    /// The shell wants a stop.
    Suspend,
    /// It is over.
    End(Ended),
}

/// Everything outside: the terminal, the workers, the clock.
pub trait World {
    /// The window's size in columns and rows.
    fn size(&self) -> (u16, u16);
    /// The wall clock.
    fn clock(&self) -> Clock;
    /// Brings a picture to the terminal.
    ///
    /// # Errors
    /// The terminal is gone.
    fn paint(&mut self, picture: Buffer) -> io::Result<()>;
    /// Waits for something to happen, at most so long; nothing happened is an empty list.
    ///
    /// # Errors
    /// The system cannot wait.
    fn wait(&mut self, most: Option<Duration>) -> io::Result<Vec<Happening>>;
    /// Does what the core wants done, or has it done.
    ///
    /// # Errors
    /// The terminal is gone.
    fn perform(&mut self, effect: Effect) -> io::Result<Vec<Happening>>;
}

/// Runs until it is over.
///
/// # Errors
/// The terminal is gone in a way that is no hang-up.
pub fn run(world: &mut impl World, state: &mut State, first: Vec<Effect>, theme: Theme) -> io::Result<Ended> {
    let mut cache = view::Cache::default();
    // The first picture is drawn before anything was read.
    paint(world, state, theme, &mut cache)?;
    let mut drawn = Instant::now();
    let mut dirty = false;
    let mut due = std::collections::VecDeque::new();
    if let Some(ended) = perform(world, state, first, &mut due)? {
        return Ok(ended);
    }
    loop {
        if due.is_empty() {
            let rest = FRAME.saturating_sub(drawn.elapsed());
            let most = if dirty { Some(rest) } else { state.next_change().map(Duration::from_secs) };
            let happenings = world.wait(most)?;
            if happenings.is_empty() && !dirty {
                let effects = app::update(state, world.clock(), Action::Wake);
                if let Some(ended) = perform(world, state, effects, &mut due)? {
                    return Ok(ended);
                }
            }
            dirty |= happenings.is_empty();
            due.extend(happenings);
        }
        let mut by_person = false;
        while let Some(happening) = due.pop_front() {
            dirty = true;
            by_person |= !matches!(happening, Happening::Answer(_));
            let effects = match happening {
                Happening::End(ended) => return Ok(ended),
                Happening::Suspend => vec![Effect::Suspend],
                other => take(state, world.clock(), other),
            };
            if let Some(ended) = perform(world, state, effects, &mut due)? {
                return Ok(ended);
            }
        }
        if dirty && (by_person || drawn.elapsed() >= FRAME) {
            paint(world, state, theme, &mut cache)?;
            drawn = Instant::now();
            dirty = false;
        }
    }
}

/// Lets one thing change the state.
fn take(state: &mut State, clock: Clock, happening: Happening) -> Vec<Effect> {
    let action = match happening {
        Happening::Key(event) => match (action_of(state, &event), without_alt(&event)) {
            // Escape and a key that came in one piece look like that key with alt; nothing is bound to it here,
            // so they were two.
            (None, Some(bare)) => {
                let escape = KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE);
                let mut effects = take(state, clock, Happening::Key(escape));
                effects.extend(take(state, clock, Happening::Key(bare)));
                return effects;
            }
            (action, _) => action,
        },
        Happening::Paste(text) => Some(Action::Paste(text)),
        Happening::Answer(answer) => Some(Action::Answer(*answer)),
        Happening::Redraw => Some(Action::Wake),
        Happening::Suspend | Happening::End(_) => None,
    };
    action.map(|action| app::update(state, clock, action)).unwrap_or_default()
}

/// The key without its alt, where it has one.
fn without_alt(event: &KeyEvent) -> Option<KeyEvent> {
    let bare = event.modifiers.difference(KeyModifiers::ALT);
    (event.modifiers != bare && event.kind != KeyEventKind::Release).then(|| KeyEvent::new(event.code, bare))
}

/// What a key means where the keys go now; `None` for a key that means nothing there.
pub fn action_of(state: &State, event: &KeyEvent) -> Option<Action> {
    let key = Key::of(event)?;
    let context = state.context();
    if let Some(command) = state.keymap.command(context, key) {
        return Some(Action::Do(command));
    }
    if !keymap::takes_text(context) {
        return None;
    }
    let event = crossterm::event::Event::Key(*event);
    tui_input::backend::crossterm::to_input_request(&event).map(Action::Type)
}

/// Has effects done; what comes back at once is due next.
fn perform(
    world: &mut impl World,
    state: &mut State,
    effects: Vec<Effect>,
    due: &mut std::collections::VecDeque<Happening>,
) -> io::Result<Option<Ended>> {
    for effect in effects {
        if matches!(effect, Effect::Quit) {
            return Ok(Some(Ended::Quit));
        }
        state.clock = world.clock();
        due.extend(world.perform(effect)?);
    }
    Ok(None)
}

/// Draws; where drawing shows that something was scrolled too far, once more.
fn paint(world: &mut impl World, state: &mut State, theme: Theme, cache: &mut view::Cache) -> io::Result<()> {
    let (width, height) = world.size();
    let mut picture = Buffer::empty(Rect::new(0, 0, width, height));
    let scrolls = |state: &State| (state.list.offset, state.detail_top, state.overlay_top);
    for _ in 0..2 {
        let before = scrolls(state);
        picture.reset();
        let metrics = view::draw(&mut picture, state, &theme, cache);
        let clock = state.clock;
        app::update(state, clock, Action::Drawn(metrics));
        if scrolls(state) == before {
            break;
        }
    }
    world.paint(picture)
}

#[cfg(test)]
mod tests;
