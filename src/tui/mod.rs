//! The screen.
//!
//! - [`app`] is the state and what is done to it: `update(state, clock, action)` gives [`effect`]s and does nothing
//!   else. It knows no terminal, file, clock or thread.
//! - [`view`] draws the state: one small file per panel or overlay. [`layout`] says where, [`theme`] with what.
//! - [`keymap`] is the one table of keys; footer and help are made from it.
//! - [`effects`] runs what the core wants done on worker threads; their answers carry what they were asked for.
//! - [`drive`] is the loop; [`terminal`] is the world that it runs in: taken, drawn on, and given back as it was.

pub mod action;
pub mod app;
pub mod drive;
pub mod effect;
pub mod effects;
pub mod filter;
pub mod keymap;
pub mod layout;
pub mod terminal;
pub mod text;
pub mod theme;
pub mod view;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod picture;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::check::Examiner;
use crate::handoff::age::Clock;
use crate::settings::Settings;
use action::save::Words;
pub use drive::Ended;
use keymap::Keymap;
use theme::Theme;

/// The clock of this machine, now.
fn now() -> Clock {
    let now = chrono::Local::now();
    Clock { unix: now.timestamp(), east: now.offset().local_minus_utc() }
}

/// Whether there is a terminal to draw on and to read keys from.
pub fn has_terminal() -> bool {
    rustix::termios::isatty(rustix::stdio::stdin()) && rustix::termios::isatty(rustix::stdio::stdout())
}

/// The table of keys with the settings' own in it.
///
/// # Errors
/// One sentence per line for each of them that cannot be used, with the settings' file and line.
pub fn own_keys(settings: &Settings) -> Result<Keymap, String> {
    Keymap::with(&settings.keys).map_err(|wrong| {
        let said = wrong.into_iter().map(|key| settings.wrong_key(key.number, key.message).to_string());
        said.collect::<Vec<_>>().join("\n")
    })
}

/// Opens the screen on a project and stays until a person leaves, a signal comes, or the terminal is gone. The
/// terminal is then as it was. Gives also a sentence to say then, where words of a save were left.
///
/// # Errors
/// Keys in the settings that are none (`InvalidInput`, one sentence per line), no terminal, or a terminal that
/// fails.
pub fn run(examiner: Arc<Examiner>) -> io::Result<(Ended, Option<String>)> {
    let settings = examiner.settings();
    let keymap = own_keys(settings).map_err(|wrong| io::Error::new(io::ErrorKind::InvalidInput, wrong))?;
    let vars = &examiner.around().vars;
    let theme = Theme::choose(&settings.theme, |name| {
        vars.get(std::ffi::OsStr::new(name))?.to_str().map(str::to_owned)
    });
    let home = examiner.around().home.clone();
    let (mut state, first) = app::State::new(examiner.project().to_owned(), home, keymap, now());
    let mut terminal = terminal::Terminal::take(&examiner)?;
    // crossterm leaves colours out by a rule of its own; whether there are any was settled above.
    crossterm::style::force_color_output(theme.colour);
    let ended = drive::run(&mut terminal, &mut state, first, theme);
    let signal = terminal.ending();
    let words = state.unsaved_words();
    let kept = terminal.give_back(words.clone().filter(|words| words.text.is_some()));
    let last_words = words.map(|words| last_words(&words, kept));
    let ended = match (ended, signal) {
        // A signal came while the terminal took nothing.
        (Err(error), Some(signal)) if error.kind() == io::ErrorKind::TimedOut => Ok(Ended::Signal(signal)),
        (ended, _) => as_hang_up(ended),
    };
    ended.map(|ended| (ended, last_words))
}

/// Where the words of a save that was begun and not made are kept, or why not.
fn last_words(words: &Words, kept: Option<Result<PathBuf, String>>) -> String {
    let less = if words.is_less { ", but for what a secret stands in" } else { "" };
    match kept {
        None => "a secret stands in the words that were not saved: they were not kept".into(),
        Some(Ok(path)) => {
            let (format, path) = (filter::family_word(words.family), path.display());
            format!("words that were not saved are kept{less}: moorline save --format {format} --from {path}")
        }
        Some(Err(why)) => {
            let text = words.text.as_deref().unwrap_or_default();
            format!("words that were not saved could not be kept ({why}):\n{text}")
        }
    }
}

/// What ended the screen.
fn as_hang_up(ended: io::Result<Ended>) -> io::Result<Ended> {
    match ended {
        // A terminal that went away while it was written to has hung up.
        Err(error) if terminal::is_gone(&error) => Ok(Ended::HangUp),
        ended => ended,
    }
}
