//! The real world: the terminal, the signals, the workers.

mod decode;
mod hold;
mod programs;
mod screen;
mod wake;
mod watch;

use std::io;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use ratatui::buffer::Buffer;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::stdin;
use signal_hook::consts::signal::SIGTSTP;
use signal_hook::low_level::emulate_default_handler;

pub use wake::{Sleeper, Waker, pair};

use super::action::Answer;
use super::action::save::Words;

use super::drive::{Ended, Happening, World};
use super::effect::Effect;
use super::effects::Workers;
use crate::check::Examiner;
use decode::{Decoder, Input};
use hold::Hold;
use screen::Screen;
use wake::Signals;

/// What was typed meanwhile is taken in before the next picture: at most so many keys, and for so long.
const KEYS: usize = 512;
const GULP: Duration = Duration::from_millis(50);
/// How many answers are taken in before the next look at the keys.
const ANSWERS: usize = 256;
/// How long a started program may take to end when the screen has to.
const PATIENCE: Duration = Duration::from_millis(700);

/// The terminal with everything around it.
pub struct Terminal {
    // Declared first, dropped first: the terminal is given back before anything else is taken down.
    hold: Hold,
    screen: Screen,
    decoder: Decoder,
    /// When something came from the keyboard last.
    heard: Instant,
    signals: Signals,
    sleeper: Sleeper,
    workers: Workers,
    answers: Receiver<Answer>,
    examiner: Arc<Examiner>,
}

impl Terminal {
    /// Takes the terminal and starts the workers.
    ///
    /// # Errors
    /// There is no terminal, or the system refuses a handler or a descriptor.
    pub fn take(examiner: &Arc<Examiner>) -> io::Result<Self> {
        let (waker, sleeper) = wake::pair()?;
        let signals = Signals::take(&waker)?;
        let hold = Hold::take(waker.clone(), signals.urgent())?;
        let (workers, answers) = Workers::start(examiner.clone(), waker);
        Ok(Self {
            hold,
            screen: Screen::default(),
            decoder: Decoder::default(),
            heard: Instant::now(),
            signals,
            sleeper,
            workers,
            answers,
            examiner: examiner.clone(),
        })
    }

    /// The signal that wants an end, if one came and was not told yet.
    pub fn ending(&self) -> Option<i32> {
        self.signals.ending()
    }

    /// Gives the terminal back, asks what still runs to stop, and gives it a moment. Words that were not saved are kept;
    /// gives where, or why not.
    pub fn give_back(mut self, words: Option<Words>) -> Option<Result<PathBuf, String>> {
        drop(self.hold);
        self.workers.stop_all(PATIENCE);
        words.map(|words| self.workers.keep_last(words))
    }

    /// What happened, without waiting.
    fn collect(&mut self, tty: PollFlags) -> io::Result<Vec<Happening>> {
        let mut out = Vec::new();
        self.sleeper.drain();
        if let Some(signal) = self.signals.ending() {
            return Ok(vec![Happening::End(Ended::Signal(signal))]);
        }
        if hold::has_fallen() {
            return Ok(vec![Happening::End(Ended::Fallen)]);
        }
        if tty.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
            return Ok(vec![Happening::End(Ended::HangUp)]);
        }
        if tty.contains(PollFlags::IN) && !self.read_keys(&mut out)? {
            return Ok(vec![Happening::End(Ended::HangUp)]);
        }
        if self.signals.stop() {
            out.push(Happening::Suspend);
        }
        // Somebody may have stopped us without asking, and the shell set the terminal as it likes it.
        if self.signals.go_on() {
            if hold::in_foreground() {
                hold::retake()?;
                self.screen.forget();
                out.push(Happening::Redraw);
            } else {
                out.push(Happening::Suspend);
            }
        }
        if self.signals.resized() {
            out.push(Happening::Redraw);
        }
        out.extend(self.answers.try_iter().take(ANSWERS).map(answered));
        Ok(out)
    }

    /// Reads what was typed. `false` when the terminal is gone.
    fn read_keys(&mut self, out: &mut Vec<Happening>) -> io::Result<bool> {
        let mut bytes = [0_u8; 16 << 10];
        let begun = Instant::now();
        loop {
            match rustix::io::read(stdin(), &mut bytes) {
                Ok(0) => return Ok(false),
                Ok(n) => {
                    self.heard = Instant::now();
                    out.extend(self.decoder.push(&bytes[..n]).into_iter().map(happening));
                }
                Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
                Err(rustix::io::Errno::IO) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
            if out.len() >= KEYS || begun.elapsed() >= GULP || !has_keys() {
                return Ok(true);
            }
        }
    }

    /// Stops like any job of the shell, and comes back when we are in the foreground again.
    fn suspend(&mut self) -> io::Result<Vec<Happening>> {
        hold::give_back();
        emulate_default_handler(SIGTSTP)?;
        // `bg` lets us go on without the terminal, which must not be touched then: we stop again, as any program
        // does that needs one, so that `fg` finds a stopped job and wakes it.
        while !hold::in_foreground() {
            if let Some(signal) = self.signals.ending() {
                return Ok(vec![Happening::End(Ended::Signal(signal))]);
            }
            emulate_default_handler(SIGTSTP)?;
        }
        self.come_back(hold::take_from_shell)
    }

    /// Comes back from a program that had the terminal, with its answer: that counts, be it words, also where the
    /// terminal has hung up meanwhile.
    fn after_program(&mut self, answer: Option<Answer>) -> io::Result<Vec<Happening>> {
        let back = match self.come_back(hold::retake) {
            Err(error) if is_gone(&error) => vec![Happening::End(Ended::HangUp)],
            back => back?,
        };
        Ok(answer.map(answered).into_iter().chain(back).collect())
    }

    /// Takes the terminal again and draws everything anew.
    fn come_back(&mut self, take: fn() -> io::Result<()>) -> io::Result<Vec<Happening>> {
        let (_, _) = (self.signals.stop(), self.signals.go_on());
        take()?;
        self.screen.forget();
        Ok(vec![Happening::Redraw])
    }
}

/// Whether a terminal that hung up has said this.
pub fn is_gone(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error())
}

/// Whether more was typed.
fn has_keys() -> bool {
    let tty = stdin();
    let mut waits = [PollFd::from_borrowed_fd(tty, PollFlags::IN)];
    poll(&mut waits, Some(&Timespec::default())).is_ok() && waits[0].revents().contains(PollFlags::IN)
}

fn answered(answer: Answer) -> Happening {
    Happening::Answer(Box::new(answer))
}

fn happening(input: Input) -> Happening {
    match input {
        Input::Key(event) => Happening::Key(event),
        Input::Paste(text) => Happening::Paste(text),
    }
}

impl World for Terminal {
    fn size(&self) -> (u16, u16) {
        self.screen.size()
    }

    fn clock(&self) -> crate::handoff::age::Clock {
        super::now()
    }

    fn paint(&mut self, picture: Buffer) -> io::Result<()> {
        self.screen.paint(picture)
    }

    fn wait(&mut self, most: Option<Duration>) -> io::Result<Vec<Happening>> {
        let rest = self.decoder.patience().map(|patience| patience.saturating_sub(self.heard.elapsed()));
        let most = match (most, rest) {
            _ if !self.answers.is_empty() => Some(Duration::ZERO),
            (Some(most), Some(rest)) => Some(most.min(rest)),
            (most, rest) => most.or(rest),
        };
        let timeout = most.map(|most| Timespec {
            tv_sec: i64::try_from(most.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(most.subsec_nanos()),
        });
        let tty = stdin();
        let mut waits = [
            PollFd::from_borrowed_fd(tty, PollFlags::IN),
            PollFd::from_borrowed_fd(self.sleeper.stream().as_fd(), PollFlags::IN),
        ];
        let tty = match poll(&mut waits, timeout.as_ref()) {
            Ok(_) => waits[0].revents(),
            Err(rustix::io::Errno::INTR) => PollFlags::empty(),
            Err(error) => return Err(error.into()),
        };
        let mut out = Vec::new();
        let is_over = |patience| self.heard.elapsed() >= patience;
        if !tty.contains(PollFlags::IN) && self.decoder.patience().is_some_and(is_over) {
            out.extend(self.decoder.give_up().into_iter().map(happening));
        }
        out.extend(self.collect(tty)?);
        Ok(out)
    }

    fn perform(&mut self, effect: Effect) -> io::Result<Vec<Happening>> {
        match effect {
            Effect::Suspend => return self.suspend(),
            Effect::Copy(text) => return Ok(vec![answered(programs::copy(&text)?)]),
            Effect::Page(text) => {
                hold::give_back();
                let said = programs::page(&self.examiner, &text, &self.signals);
                return self.after_program(said);
            }
            Effect::Edit(text) => {
                hold::give_back();
                let edited = programs::edit(&self.examiner, &text, &self.signals);
                return self.after_program(Some(Answer::Edited(edited)));
            }
            Effect::View(text) => {
                hold::give_back();
                let edited = programs::edit(&self.examiner, &text, &self.signals);
                return self.after_program(edited.err().map(|why| Answer::Said(why, false)));
            }
            Effect::StartInTerminal(ticket, _) => {
                hold::give_back();
                let finished = self.workers.start_in_terminal(ticket);
                return self.after_program(finished);
            }
            effect => self.workers.run(effect),
        }
        Ok(Vec::new())
    }
}
