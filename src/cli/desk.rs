//! What every verb works at: one project, its rows, and how a name is looked up among them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};

use chrono::{DateTime, FixedOffset};

use super::args::CommandLine;
use super::naming::Naming;
use super::text;
use super::{Answer, Stop};
use crate::check::{Examiner, Report};
use crate::handoff::age::Clock;
use crate::handoff::{Depth, count_of};
use crate::harness::Surroundings;
use crate::place::{self, Listed, Roots, Skipped, State, TRASH};
use crate::repo::{Person, Repo};
use crate::settings::{self, Settings};

/// What the process was started with; a value, so that tests can give their own.
#[derive(Debug, Clone)]
pub struct Surface {
    /// Environment variables.
    pub vars: BTreeMap<OsString, OsString>,
    /// The current directory.
    pub cwd: PathBuf,
    /// Now.
    pub clock: Clock,
}

impl Surface {
    /// The process's own. `named` is the project directory of the command line: where it is absolute, a current
    /// directory that is gone does not matter.
    ///
    /// # Errors
    /// The current directory is gone or cannot be told, and is needed.
    pub fn of_process(named: Option<&Path>) -> Result<Self, Stop> {
        let now = chrono::Local::now();
        let cwd = match (std::env::current_dir(), named) {
            (Ok(cwd), _) => cwd,
            (Err(_), Some(named)) if named.is_absolute() => {
                // Repositories are opened from a current directory, whatever their path; where this one is none, the
                // desk says so.
                let _none = std::env::set_current_dir(named);
                named.to_owned()
            }
            (Err(error), _) => {
                return Err(Stop::bad(format!(
                    "the current directory cannot be told ({error}): go to one that exists, or name an absolute -C DIR"
                )));
            }
        };
        // A home that changes with the current directory is none, as the XDG directories are none then.
        let is_firm = |(name, value): &(OsString, OsString)| name != "HOME" || Path::new(value).is_absolute();
        Ok(Self {
            vars: std::env::vars_os().filter(is_firm).collect(),
            cwd,
            clock: Clock { unix: now.timestamp(), east: now.offset().local_minus_utc() },
        })
    }

    fn var_path(&self, name: &str) -> Option<PathBuf> {
        self.vars.get(&OsString::from(name)).filter(|value| !value.is_empty()).map(PathBuf::from)
    }

    /// Whose settings and rules git would go by here.
    pub fn person(&self) -> Person {
        Person::of(self.var_path("HOME"), |name| self.vars.get(&OsString::from(name)).cloned())
    }

    /// The settings of this person for this line.
    ///
    /// # Errors
    /// Settings that cannot be used.
    pub fn settings(&self, line: &CommandLine) -> Result<Settings, Stop> {
        let named = |name: &str| match (name, line.settings_file()) {
            ("MOORLINE_CONFIG", Some(file)) => Some(self.cwd.join(file).into_os_string()),
            _ => self.vars.get(&OsString::from(name)).cloned(),
        };
        let home = self.var_path("HOME");
        settings::load(&named, home.as_deref()).map_err(|error| Stop::bad(error.to_string()))
    }

    /// Where stores and programs are found.
    pub fn surroundings(&self) -> Surroundings {
        Surroundings { vars: self.vars.clone(), home: self.var_path("HOME"), proc: PathBuf::from("/proc") }
    }
}

/// One project, ready to be asked.
pub struct Desk {
    /// The judge.
    pub examiner: Examiner,
    /// The current directory: files of the command line (`--from`, `--prompt-file`) are relative to it.
    pub cwd: PathBuf,
    /// What handoffs' and plans' names are relative to: the directory that was named with -C, else the current one.
    pub names_from: PathBuf,
    /// Now.
    pub clock: Clock,
    roots: OnceLock<Roots>,
}

/// How many rows are judged before the first of them is said.
const AT_ONCE: usize = 64;

/// Rows and skipped ones of a finished scan.
#[derive(Default)]
pub struct Listing {
    /// Newest first.
    pub rows: Vec<Arc<Listed>>,
    /// With their reasons.
    pub skipped: Vec<Skipped>,
}

impl Desk {
    /// Settles which project and which settings the line means.
    ///
    /// # Errors
    /// A directory that is none, or settings that cannot be used.
    pub fn open(line: &CommandLine, surface: &Surface) -> Result<Self, Stop> {
        let around = surface.surroundings();
        let mut settings = surface.settings(line)?;
        for (number, place) in settings.places.iter().enumerate() {
            place::check_notation(place)
                .map_err(|why| Stop::bad(settings.wrong_place(number, why).to_string()))?;
        }
        if let Some(catalog) = &line.catalog {
            let catalog = surface.cwd.join(catalog);
            if !catalog.is_file() {
                return Err(Stop::bad(format!("{} is no catalog file", text::path(&catalog))));
            }
            settings.catalog = Some(catalog);
        }
        if let Some(manifest) = &line.manifest {
            settings.manifest = Some(surface.cwd.join(manifest));
        }
        let named = line.directory.as_ref().or(line.screen_directory.as_ref());
        let project = match named {
            Some(directory) => without_dots(&surface.cwd.join(directory)),
            None => enclosing_project(&surface.cwd),
        };
        if !project.is_dir() {
            return Err(Stop::bad(format!(
                "{} is not a directory: name the project with -C DIR",
                text::path(&project)
            )));
        }
        let examiner = Examiner::new(&project, around, settings);
        // Whoever names another project means that one's files, also where the current directory has the same ones.
        let names_from = if line.directory.is_some() { project } else { surface.cwd.clone() };
        Ok(Self {
            examiner,
            cwd: surface.cwd.clone(),
            names_from,
            clock: surface.clock,
            roots: OnceLock::new(),
        })
    }

    /// The same desk at another project.
    pub fn at(&self, project: &Path) -> Self {
        let examiner =
            Examiner::new(project, self.examiner.around().clone(), self.examiner.settings().clone())
                .with_runtime(self.examiner.runtime());
        self.with(examiner)
    }

    /// The same desk for a runtime that a person named (`claude-code`, `codex-cli`, …).
    pub fn for_runtime(&self, runtime: &str) -> Self {
        self.with(self.examiner.afresh().with_runtime(runtime))
    }

    fn with(&self, examiner: Examiner) -> Self {
        let (cwd, names_from) = (self.cwd.clone(), self.names_from.clone());
        Self { examiner, cwd, names_from, clock: self.clock, roots: OnceLock::new() }
    }

    /// Where a name lies, read as a path: from where the person names things, else below the project.
    pub fn places(&self, name: &str) -> [PathBuf; 2] {
        [self.names_from.join(name), self.examiner.project().join(name)]
    }

    /// Where handoffs are looked for.
    pub fn roots(&self) -> &Roots {
        self.roots.get_or_init(|| self.examiner.roots())
    }

    /// Scans every place and dates what only the history can date.
    pub fn listing(&self) -> Listing {
        self.scan(Depth::Whole)
    }

    /// The same for a list alone, which shows no long text.
    pub fn overview(&self) -> Listing {
        self.scan(Depth::Overview)
    }

    fn scan(&self, depth: Depth) -> Listing {
        let roots = Roots { depth, ..self.roots().clone() };
        let found = Mutex::new(Vec::new());
        place::scan(&roots, &AtomicBool::new(false), &|batch| {
            found.lock().expect("no scanner panics with the list in hand").extend(batch);
            true
        });
        let found = found.into_inner().expect("no scanner panics with the list in hand");
        let (mut rows, skipped) = place::settle_at(self.examiner.project(), found);
        self.examiner.knows(&rows);
        // A history that cannot be read leaves the mtime standing, and the row says so by its clock source.
        let _undated = self.examiner.date_by_commits(&mut rows);
        Listing { rows, skipped }
    }

    /// What to say where no handoff was found: nothing is there, or that cannot be told because something was not
    /// read; then each such place is named with the reason.
    pub fn untold(&self, skipped: &[Skipped]) -> Option<String> {
        if skipped.is_empty() {
            return None;
        }
        let mut said = self.not_read(skipped.len());
        for skipped in skipped {
            said.push_str(&format!("\n  {} – {}", text::path(&skipped.path), skipped.reason.shown_line()));
        }
        Some(said)
    }

    /// That something was not read, and so nothing can be told.
    pub fn not_read(&self, unread: usize) -> String {
        let unread = count_of(unread, "file or directory", "files or directories");
        let project = text::path(self.examiner.project());
        format!("Whether there are handoffs below {project} cannot be told.\nNot read: {unread}:")
    }

    /// Whether a place that was not read could be or hold something in the trash.
    pub fn could_be_trash(&self, path: &Path) -> bool {
        let trash = self.examiner.around().home.as_ref().map(|home| home.join(TRASH));
        trash.is_some_and(|trash| path.starts_with(&trash) || trash.starts_with(path))
    }

    /// Stops where nothing was found: with `why`, unless something was not read among which it could be.
    pub fn nothing(&self, listing: &Listing, name: Option<&str>, why: String) -> Stop {
        let could_be = |skipped: &&Skipped| match name {
            None => true,
            Some(name) => {
                let place = self.names_from.join(name);
                skipped.path.ends_with(name) || place.starts_with(&skipped.path)
            }
        };
        // Among nothing at all, anything that was not read could be it.
        let unread: Vec<_> = match listing.rows.is_empty() {
            true => listing.skipped.clone(),
            false => listing.skipped.iter().filter(could_be).cloned().collect(),
        };
        match self.untold(&unread) {
            Some(said) => Stop::Said(Answer::Unknown, said),
            None => Stop::no(why),
        }
    }

    /// The rows that a name means; a path is read wherever it lies.
    ///
    /// # Errors
    /// Nothing of that name, or several.
    pub fn find(&self, name: &str) -> Result<Vec<Arc<Listed>>, Stop> {
        if let Some(path) = self.places(name).iter().find(|path| path.is_file()) {
            let rows = place::read_path(path, self.roots())
                .map_err(|error| Stop::Said(Answer::Unknown, format!("it cannot be read: {error}")))?;
            if rows.is_empty() {
                return Err(Stop::no(format!("{} holds no handoff", text::path(path))));
            }
            let mut rows: Vec<_> = rows.into_iter().map(Arc::new).collect();
            // As in a list: where the history cannot be read the mtime stands, and the row says so.
            let _undated = self.examiner.date_by_commits(&mut rows);
            return Ok(rows);
        }
        let listing = self.listing();
        let naming = Naming::new(self, &listing.rows);
        let rows = naming.read(name)?;
        if rows.is_empty() {
            let (shown, hint) = (text::word(name), naming.hint(name));
            let why = format!("no handoff is called {shown}: `moorline list` shows every path{hint}");
            return Err(self.nothing(&listing, Some(name), why));
        }
        Ok(rows)
    }

    /// The row that a verb for exactly one handoff works on: the named one, else the newest live one.
    ///
    /// # Errors
    /// None, or several.
    pub fn one(&self, name: Option<&str>) -> Result<Arc<Listed>, Stop> {
        let Some(name) = name else {
            let listing = self.listing();
            let newest = listing.rows.iter().find(|row| row.state == State::Live && !row.is_part()).cloned();
            let why = "there is no handoff here: `moorline list` says where it looked, `moorline save` saves the first one";
            return newest.ok_or_else(|| self.nothing(&listing, None, why.to_owned()));
        };
        let mut rows = self.find(name)?;
        if let [row] = rows.as_slice()
            && row.state == State::Trashed
        {
            return Err(Stop::no(format!(
                "{} was found in the trash; move it back? `moorline put-back {}`",
                text::word(name),
                row.id
            )));
        }
        match rows.len() {
            1 => Ok(rows.remove(0)),
            _ => Err(Stop::bad(format!(
                "{} holds {} records; name one by its id:\n{}",
                text::word(name),
                rows.len(),
                self.told_apart(&rows)
            ))),
        }
    }

    /// Now, in the desk's zone.
    ///
    /// # Errors
    /// The clock is beyond any calendar.
    pub fn now(&self) -> Result<DateTime<FixedOffset>, Stop> {
        let zone = FixedOffset::east_opt(self.clock.east);
        let utc = DateTime::from_timestamp(self.clock.unix, 0);
        let now = zone.zip(utc).map(|(zone, utc)| utc.with_timezone(&zone));
        now.ok_or_else(|| Stop::bad("the clock cannot be read"))
    }

    /// Judges rows on all cores and gives each away in their order, as soon as those before it are told.
    ///
    /// # Errors
    /// Whatever the taker's are: the rest is then not judged.
    pub fn judge_each(
        &self,
        rows: &[Arc<Listed>],
        mut take: impl FnMut(&Arc<Listed>, Report) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        for some in rows.chunks(AT_ONCE) {
            some.iter().zip(self.judge(some)).try_for_each(|(row, report)| take(row, report))?;
        }
        Ok(())
    }

    /// Judges rows on all cores, keeping their order.
    pub fn judge(&self, rows: &[Arc<Listed>]) -> Vec<Report> {
        use rayon::prelude::*;
        rows.par_iter().map(|row| self.examiner.examine(row)).collect()
    }
}

/// The root of the worktree that holds a directory, else the directory itself.
pub(super) fn enclosing_project(cwd: &Path) -> PathBuf {
    match Repo::containing(cwd) {
        Ok(repo) => repo.root().to_owned(),
        Err(_) => cwd.to_owned(),
    }
}

/// A path without `.` in it and without a slash at its end, so that paths beneath it are shown as anybody would
/// write them. Links and `..` stay as they were typed: what they mean only the file system knows.
pub(super) fn without_dots(path: &Path) -> PathBuf {
    path.components().collect()
}

/// The answer of several reports: the worst.
pub fn worst<'a>(reports: impl IntoIterator<Item = &'a Report>) -> Answer {
    reports.into_iter().map(|report| Answer::of(report.verdict)).max().unwrap_or(Answer::No)
}
