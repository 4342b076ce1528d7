//! A sample project to try everything on, with nothing installed: a real repository with linked worktrees,
//! handoffs of every family (valid, drifted, hostile, legacy), a session store, archive and trash.
//!
//! Nothing outside its temporary directory is read or written, and it is removed at the end unless it is kept.
//! Its harness is this very program under the name `claude` ([`stand_in`]), so that a validated lane can be
//! taken through the confirmation to *continued*.

mod layout;
mod stamps;
pub mod stand_in;
mod store;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::handoff::age::Clock;
use crate::harness::{self, Answer, Surroundings};

/// Pager and editor: the variables that can name them, the first one that is set counts; and the usual program.
const TOOLS: [(&[&str], &str); 2] = [(&["PAGER"], "less"), (&["VISUAL", "EDITOR"], "vi")];

/// A laid out sample, removed when it is dropped unless it is [kept](Demo::keep).
pub struct Demo {
    directory: tempfile::TempDir,
    project: PathBuf,
}

/// Why the sample could not be laid out: what, where and why in one sentence.
#[derive(Debug, thiserror::Error)]
#[error("the sample project cannot be laid out: {0}")]
pub struct DemoError(String);

impl DemoError {
    fn of(what: &str) -> impl Fn(std::io::Error) -> Self {
        let what = what.to_owned();
        move |error| Self(format!("{what}: {error}"))
    }
}

impl Demo {
    /// Lays the sample out in a fresh temporary directory, with times relative to the clock; `program` is this
    /// program's own file, to be named `claude` in there.
    ///
    /// # Errors
    /// [`DemoError`] with what could not be written.
    pub fn lay_out(clock: Clock, program: &Path) -> Result<Self, DemoError> {
        let directory = tempfile::Builder::new()
            .prefix("moorline-demo-")
            .tempdir()
            .map_err(DemoError::of("the temporary directory"))?;
        let root =
            std::fs::canonicalize(directory.path()).map_err(DemoError::of("the temporary directory"))?;
        let interrupts = Interrupts::hold().map_err(DemoError::of("the signals"))?;
        let project = layout::lay_out(&root, &stamps::Stamps::new(clock), program)?;
        if interrupts.came() {
            return Err(DemoError("it was interrupted".to_owned()));
        }
        Ok(Self { directory, project })
    }

    /// The sample's project directory.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// The environment in which the sample is used: its own home, stores and programs, and of the process only
    /// what a terminal needs, and the person's pager and editor.
    pub fn vars(&self, process: &BTreeMap<OsString, OsString>) -> BTreeMap<OsString, OsString> {
        let root = self.project.parent().unwrap_or(&self.project);
        let kept = ["TERM", "COLORTERM", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "TZ"];
        let mut vars: BTreeMap<_, _> =
            process.iter().filter(|(name, _)| kept.iter().any(|k| *k == name.as_os_str())).map(own).collect();
        for (name, place) in [
            ("HOME", "home"),
            ("PATH", "bin"),
            ("XDG_CONFIG_HOME", "home/.config"),
            ("XDG_STATE_HOME", "home/.local/state"),
            ("XDG_DATA_HOME", "home/.local/share"),
            ("XDG_CACHE_HOME", "home/.cache"),
        ] {
            vars.insert(name.into(), root.join(place).into());
        }
        vars.extend(TOOLS.iter().filter_map(|(names, usual)| self.tool(process, names, usual)));
        vars
    }

    /// The variable that names a tool of the person's, with the program as it is found in their own `PATH`: the
    /// sample's holds nothing but the stand-ins for harnesses. A program that is not found is named as it was asked for.
    fn tool(
        &self,
        process: &BTreeMap<OsString, OsString>,
        names: &[&str],
        usual: &str,
    ) -> Option<(OsString, OsString)> {
        let set = |name: &&str| {
            let value = process.get(OsStr::new(name))?.to_str()?.trim();
            (!value.is_empty()).then(|| (OsString::from(name), value.to_owned()))
        };
        let asked = names.iter().find_map(set);
        let (name, value) = asked.clone().unwrap_or_else(|| (names[0].into(), usual.to_owned()));
        let (program, options) = value.split_once(char::is_whitespace).unwrap_or((&value, ""));
        let around = Surroundings { vars: process.clone(), ..Surroundings::default() };
        let found = match harness::program(&around, program, std::slice::from_ref(&self.project)) {
            // The words of such a variable are parted by blanks: a path with one in it cannot be said.
            Answer::Found(found) => found
                .path
                .to_str()
                .filter(|path| !path.contains(char::is_whitespace))
                .map(|path| (name, format!("{path} {options}").trim_end().into())),
            Answer::Absent(_) | Answer::Unknown(_) => None,
        };
        found.or(asked.map(|(name, value)| (name, value.into())))
    }

    /// Leaves the directory where it is and says where that is.
    pub fn keep(self) -> PathBuf {
        self.directory.keep()
    }
}

/// Holds the signals that end a program back while the sample is laid out, so that its directory is removed
/// whatever comes.
struct Interrupts {
    raised: Arc<AtomicBool>,
    ids: Vec<signal_hook::SigId>,
}

impl Interrupts {
    fn hold() -> std::io::Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
        let mut held = Self { raised: Arc::default(), ids: Vec::new() };
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
            held.ids.push(signal_hook::flag::register(signal, held.raised.clone())?);
        }
        Ok(held)
    }

    fn came(&self) -> bool {
        self.raised.load(Ordering::SeqCst)
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        for id in &self.ids {
            signal_hook::low_level::unregister(*id);
        }
    }
}

fn own((name, value): (&OsString, &OsString)) -> (OsString, OsString) {
    (name.clone(), value.clone())
}

#[cfg(test)]
mod tests;
