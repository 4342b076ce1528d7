//! A save before and after its yes: first everything that would be written, then the writing.

use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use super::facts::{Captured, Facts};
use super::file::{self, Around, NotWritten, Old};
use super::ignored::{self, Ignored, Unignored};
use super::narrative::{LaneWord, Narrative};
use super::target::{self, Ask, Target, Wish};
use super::{theonekit, thunderkit};
use crate::check::Examiner;
use crate::disk::{self, DiskError};
use crate::handoff::{Family, secrets};
use crate::repo::{Personal, Repo};

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The narrative as it was given.
    pub text: &'a str,
    /// Which format.
    pub family: Family,
    /// What is wanted of the place (theonekit).
    pub place: Wish,
    /// Class and model of one lane (thunderkit); an empty id means the only one.
    pub binding: Option<LaneWord>,
    /// Lanes of the replaced handoff that are taken out (thunderkit).
    pub drop: Vec<String>,
    /// Where the person stands: plans are looked for here first.
    pub from: &'a Path,
    /// Now, in local time.
    pub now: DateTime<FixedOffset>,
}

/// Why nothing can be saved: bad input, with what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

impl From<DiskError> for Refusal {
    fn from(error: DiskError) -> Self {
        Self(error.to_string())
    }
}

/// Everything that would be written, and where.
#[derive(Debug)]
pub struct Draft {
    /// Where, and why there.
    pub target: Target,
    /// Which format.
    pub family: Family,
    /// The files with their text, the one at the target first.
    pub parts: Vec<(PathBuf, String)>,
    /// What was captured.
    pub captured: Vec<Captured>,
    /// Why git would not see the saved file, where it would not.
    pub ignored: Option<Ignored>,
    last_read: Option<Vec<u8>>,
    personal: Personal,
    project: PathBuf,
    around: Around,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The real path of the first file.
    pub path: PathBuf,
    /// What became of the bytes that it had.
    pub old: Old,
    /// The further files of a chain.
    pub chain: Vec<PathBuf>,
}

impl Draft {
    /// Captures the facts and composes the document. Writes nothing.
    ///
    /// # Errors
    /// [`Refusal`]: the narrative cannot be used, a secret stands in it, or the format has no room for it.
    pub fn make(examiner: &Examiner, request: &Request<'_>) -> Result<Self, Refusal> {
        Self::with(examiner, request, &Facts::of(examiner))
    }

    /// The same with facts that were captured before.
    ///
    /// # Errors
    /// As [`make`](Self::make).
    pub fn with(examiner: &Examiner, request: &Request<'_>, facts: &Facts) -> Result<Self, Refusal> {
        refuse_secrets("the narrative", request.text)?;
        let narrative = Narrative::parse(request.text).map_err(Refusal)?;
        let target = target(examiner, request, &narrative, facts)?;
        let around = Around { state: state(examiner)?, home: home(examiner)?, now: request.now };
        let strict = request.family == Family::Thunderkit;
        let last_read = read(&target)?;
        let mut captured = facts.captured.clone();
        let parts = if strict {
            let replaced = last_read.as_deref();
            let (text, more) = thunderkit::document(examiner, request, &narrative, facts, replaced)?;
            captured.extend(more);
            vec![(target.path.clone(), text)]
        } else {
            if !narrative.lanes.is_empty() || request.binding.is_some() || !request.drop.is_empty() {
                return Err(Refusal(
                    "only thunderkit's format has lanes: save with --format thunderkit".into(),
                ));
            }
            theonekit::document(&target, &narrative, facts, request.now).map_err(Refusal)?
        };
        for (path, text) in &parts {
            refuse_secrets(&path.display().to_string(), text)?;
        }
        let personal = personal(examiner);
        let (ignored, said) = look(facts, &target, &personal);
        captured.extend(said);
        let project = examiner.project().to_owned();
        let family = request.family;
        Ok(Self { target, family, parts, captured, ignored, last_read, personal, project, around })
    }

    /// The bytes that lie at the target and would be replaced.
    pub fn replaced(&self) -> Option<&[u8]> {
        self.last_read.as_deref()
    }

    /// Writes the files: the further ones of a chain first, so that no file ever names one that is not there.
    ///
    /// # Errors
    /// [`NotWritten`]; the file at the target is then what it was.
    pub fn write(&self) -> Result<Saved, NotWritten> {
        let repo = Repo::containing(&self.project).ok();
        let write = |path: &Path, text: &str, last_read: Option<&[u8]>| {
            file::write(&self.around, &self.target.root, path, text.as_bytes(), last_read, repo.as_ref())
        };
        let mut chain = Vec::new();
        for (path, text) in self.parts.iter().skip(1) {
            chain.push(write(path, text, None)?.path);
        }
        let Some((path, text)) = self.parts.first() else {
            return Err(DiskError::NotFound(self.target.path.clone()).into());
        };
        let written = write(path, text, self.last_read.as_deref())?;
        Ok(Saved { path: written.path, old: written.old, chain })
    }

    /// Makes the edit of [`Draft::ignored`] and looks again; `None` where there is none to make. Only ever on a
    /// person's yes.
    ///
    /// # Errors
    /// [`NotWritten`]; the `.gitignore` is then what it was.
    pub fn unignore(&self) -> Result<Option<Unignored>, NotWritten> {
        let edit = self.ignored.as_ref().and_then(|ignored| ignored.edit.as_ref().ok());
        let (Some(edit), Ok(repo)) = (edit, Repo::containing(&self.project)) else { return Ok(None) };
        let target = disk::locate(&self.target.root, &self.target.path)?;
        ignored::apply(edit, &self.around, &repo, &target, &self.personal).map(Some)
    }
}

/// Where the person's own git configuration lies.
fn personal(examiner: &Examiner) -> Personal {
    let around = examiner.around();
    let set = around.vars.get(std::ffi::OsStr::new("XDG_CONFIG_HOME")).map(PathBuf::from);
    Personal { home: around.home.clone(), config_home: set.filter(|path| path.is_absolute()) }
}

/// What ignores the target, and how that is said.
fn look(facts: &Facts, target: &Target, personal: &Personal) -> (Option<Ignored>, Option<Captured>) {
    let Ok(repo) = &facts.repo else { return (None, None) };
    let Ok(real) = disk::locate(&target.root, &target.path) else { return (None, None) };
    match ignored::look(repo, &real, personal) {
        Ok(None) => (None, None),
        Ok(Some(ignored)) => {
            let by = &ignored.by;
            let rule = format!("by `{}`: git will not see this file", by.rule.shown_line());
            let source = format!("{}, line {}", by.file.display(), by.line);
            let said = Captured::known("ignored", rule, source);
            (Some(ignored), Some(said))
        }
        Err(why) => (None, Some(Captured::unknown("ignored", why.to_string()))),
    }
}

/// Where the handoff goes.
pub(super) fn target(
    examiner: &Examiner,
    request: &Request<'_>,
    narrative: &Narrative,
    facts: &Facts,
) -> Result<Target, Refusal> {
    if request.family == Family::Thunderkit {
        return Ok(target::thunderkit(examiner.project()));
    }
    target::theonekit(&Ask {
        project: examiner.project(),
        from: request.from,
        home: &home(examiner)?,
        in_repository: facts.repo.is_ok(),
        wish: &request.place,
        task: narrative.task.as_deref(),
        now: request.now,
    })
}

fn home(examiner: &Examiner) -> Result<PathBuf, Refusal> {
    let home = examiner.around().home.clone();
    home.ok_or_else(|| Refusal("no home directory is known: set HOME".into()))
}

fn state(examiner: &Examiner) -> Result<PathBuf, Refusal> {
    examiner.state_dir().ok_or_else(|| Refusal("no home directory is known: set HOME".into()))
}

/// What lies at the target now.
pub(super) fn read(target: &Target) -> Result<Option<Vec<u8>>, DiskError> {
    let real = disk::locate(&target.root, &target.path)?;
    match disk::read(&real, 8 << 20) {
        Ok(content) if content.cut => Err(DiskError::Io(real, "is too large to be replaced".into())),
        Ok(content) => Ok(Some(content.bytes)),
        Err(DiskError::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Refuses a text with secrets, naming lines and kinds and never a value.
fn refuse_secrets(what: &str, text: &str) -> Result<(), Refusal> {
    let found = secrets::find(text);
    if found.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = found.iter().map(|found| format!("line {}: {}", found.line, found.kind)).collect();
    Err(Refusal(format!("{what} holds secrets, and nothing was saved: take them out\n{}", lines.join("\n"))))
}
