//! The screen at work on a real project, without a terminal: the real core, the real workers, the real drawing.
//! Nothing here sleeps: a wait is a blocking read of the workers' answers with a deadline.
#![allow(dead_code, reason = "every test binary compiles this file and each uses another part of it")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use moorline::check::Examiner;
use moorline::handoff::Family;
use moorline::handoff::age::Clock;
use moorline::harness::Surroundings;
use moorline::settings::Settings;
use moorline::tui::action::{Action, Answer};
use moorline::tui::app::{self, State};
use moorline::tui::effect::Effect;
use moorline::tui::effects::Workers;
use moorline::tui::keymap::{Key, Keymap};
use moorline::tui::terminal::{Sleeper, pair};
use moorline::tui::theme::{Theme, UNICODE};
use moorline::tui::{drive, view};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// How long an answer may take: machines are shared.
const PATIENCE: Duration = Duration::from_secs(60);

/// The screen, opened on a project.
pub struct Desk {
    state: State,
    workers: Workers,
    answers: Receiver<Answer>,
    cache: view::Cache,
    clock: Clock,
    scans: u64,
    /// The end that workers wake: held, so that they can.
    _sleeper: Sleeper,
}

impl Desk {
    /// On a directory, with a home beside it and nothing else of this machine.
    pub fn open(project: &Path) -> Self {
        let home = project.with_file_name("home");
        std::fs::create_dir_all(&home).expect("a home can be made");
        let around = Surroundings { home: Some(home), proc: "/proc".into(), ..Surroundings::default() };
        Self::with(Examiner::new(project, around, Settings::default()))
    }

    /// With an examiner.
    pub fn with(examiner: Examiner) -> Self {
        let examiner = Arc::new(examiner);
        let now = chrono::Local::now();
        let clock = Clock { unix: now.timestamp(), east: now.offset().local_minus_utc() };
        let home = examiner.around().home.clone();
        let (state, first) = State::new(examiner.project().to_owned(), home, Keymap::default(), clock);
        let (waker, sleeper) = pair().expect("a pair of descriptors");
        let (workers, answers) = Workers::start(examiner, waker);
        let cache = view::Cache::default();
        let mut desk = Self { state, workers, answers, cache, clock, scans: 0, _sleeper: sleeper };
        desk.perform(first);
        desk.screen();
        desk.until("the scan's end", |desk| !desk.state.list.scanning);
        desk
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.scans += u64::from(matches!(effect, Effect::Scan(_)));
            self.workers.run(effect);
        }
    }

    fn act(&mut self, action: Action) {
        let effects = app::update(&mut self.state, self.clock, action);
        self.perform(effects);
        self.screen();
    }

    /// Plays keys: letters as they are, others in angle brackets: `s<tab>a word<ctrl-s>`.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys;
        while let Some(first) = rest.chars().next() {
            let named = rest.strip_prefix('<').and_then(|after| after.split_once('>'));
            let (name, after) = named.unwrap_or_else(|| rest.split_at(first.len_utf8()));
            let name = if name == " " { "space" } else { name };
            let key = Key::parse(name).unwrap_or_else(|| panic!("`{name}` is a key"));
            rest = after;
            if let Some(action) = drive::action_of(&self.state, &key.event()) {
                self.act(action);
            }
        }
        self
    }

    /// Pastes text.
    pub fn paste(&mut self, text: &str) -> &mut Self {
        self.act(Action::Paste(text.to_owned()));
        self
    }

    /// The screen as text, one line per row; large, so that all of the form is seen.
    pub fn screen(&mut self) -> String {
        let mut buf = Buffer::empty(Rect::new(0, 0, 140, 90));
        let theme = Theme { colour: true, glyphs: &UNICODE };
        let metrics = view::draw(&mut buf, &self.state, &theme, &mut self.cache);
        app::update(&mut self.state, self.clock, Action::Drawn(metrics));
        let rows = buf.content.chunks(140);
        rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned() + "\n")
            .collect()
    }

    /// Takes the workers' answers in until something is so.
    ///
    /// # Panics
    /// With the screen as it is, where it never comes.
    pub fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(self) {
            let answer = self.answers.recv_deadline(deadline);
            let Ok(answer) = answer else { panic!("{what} never came; the screen is:\n{}", self.screen()) };
            self.act(Action::Answer(answer));
        }
    }

    /// Takes the workers' answers in until a text stands on the screen.
    pub fn see(&mut self, text: &str) -> &mut Self {
        let deadline = Instant::now() + PATIENCE;
        while !self.screen().contains(text) {
            let answer = self.answers.recv_deadline(deadline);
            let Ok(answer) = answer else { panic!("{text:?} never came; the screen is:\n{}", self.screen()) };
            self.act(Action::Answer(answer));
        }
        self
    }

    /// Waits until the form shows what was said last.
    pub fn settle(&mut self) -> &mut Self {
        self.until("the sketch", |desk| desk.state.form().is_some_and(app::save::Form::is_current));
        self
    }

    /// How often everything was scanned.
    pub fn generation(&self) -> u64 {
        self.scans
    }

    /// Whether so many scans have been asked for.
    pub fn has_read_again(&self, scans: u64) -> bool {
        self.scans >= scans
    }

    /// Goes to the form's first line and turns it to a format; the cursor is on it then.
    pub fn choose_format(&mut self, family: Family) -> &mut Self {
        self.keys("<pgup><pgup><pgup><pgup>");
        for _ in 0..3 {
            if self.form().format != family {
                self.keys("<right>");
            }
        }
        assert_eq!(self.form().format, family, "the form has this format");
        self.settle()
    }

    /// What it shows.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The form.
    pub fn form(&self) -> &app::save::Form {
        self.state.form().expect("the form is there")
    }

    /// The selected row's path.
    pub fn selected(&self) -> Option<PathBuf> {
        self.state.list.selected().map(|row| row.key.path.clone())
    }

    /// Where the handoff would go.
    pub fn target(&self) -> PathBuf {
        let sketch = self.form().sketch.as_ref().expect("a sketch");
        sketch.target.as_ref().expect("a target").path.clone()
    }
}

/// Everything below a directory but git's own, with its bytes.
pub fn everything(dir: &Path) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
    let mut all = std::collections::BTreeMap::new();
    for entry in std::fs::read_dir(dir).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true if path.ends_with(".git") => {}
            true => all.extend(everything(&path)),
            false => drop(all.insert(path.clone(), std::fs::read(&path).expect("read"))),
        }
    }
    all
}
