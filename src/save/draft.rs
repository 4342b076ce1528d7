//! A save before and after its yes: first everything that would be written, then (`writing`) the writing.

mod writing;

use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use super::decisions::{self, Drafts};
use super::facts::{Captured, Facts};
use super::file::{Around, Old, Written};
use super::homeless;
use super::ignored::{self, Ignored, Unignored};
use super::memtomem::{self, Pending};
use super::narrative::{Body, LaneWord, Narrative, Topic};
use super::offers::{self, Mirror};
use super::target::{self, Ask, Here, Target, Wish};
use super::{remarks, theonekit, thunderkit};
use crate::check::Examiner;
use crate::disk::{self, DiskError};
use crate::handoff::difference::{self, DiffLine};
use crate::handoff::{BranchName, Family, Handoff, Inert, count_of, secrets};
use crate::harness::Surroundings;
use crate::repo::{Head, Person};

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
    /// A former handoff: what is not said is taken from it. Facts never are.
    pub carry: Option<&'a Handoff>,
    /// A session whose transcript drafts of decisions are taken from (theonekit).
    pub decisions_from: Option<&'a str>,
    /// The runtime that the record is for; everybody where none is named (memtomem).
    pub to: Option<String>,
    /// Where the person stands: plans are looked for here first.
    pub from: &'a Path,
    /// Now, in local time.
    pub now: DateTime<FixedOffset>,
}

impl<'a> Request<'a> {
    /// A narrative saved in a family's format by somebody who stands at `from`, and nothing else asked for.
    pub fn new(text: &'a str, family: Family, from: &'a Path, now: DateTime<FixedOffset>) -> Self {
        Self {
            text,
            family,
            place: Wish::default(),
            binding: None,
            drop: Vec::new(),
            carry: None,
            decisions_from: None,
            to: None,
            from,
            now,
        }
    }
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
    /// What should be known before the yes of the file that is there.
    pub remarks: Vec<Inert>,
    /// Why git would not see the saved file, where it would not.
    pub ignored: Option<Ignored>,
    /// Decisions that could be added to the project's own list.
    pub mirror: Option<Mirror>,
    /// What was taken from a transcript, where that was asked for.
    pub drafts: Option<Drafts>,
    /// Where nobody here can write it: why, and what a person can do.
    pub by_hand: Option<ByHand>,
    pending: Option<Pending>,
    surroundings: Surroundings,
    last_read: Option<Vec<u8>>,
    person: Person,
    project: PathBuf,
    /// What the project is called: by its remote, else by its directory.
    identity: String,
    from: PathBuf,
    around: Around,
}

/// A record that only a person can have written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByHand {
    /// Why.
    pub why: Inert,
    /// The command that does it, for a shell.
    pub command: String,
}

/// What is written together with a save, as a part of it that the same undo takes back; only ever on a person's yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Also {
    /// The edit of [`Draft::ignored`].
    pub unignore: bool,
    /// The decisions of [`Draft::mirror`].
    pub mirror: bool,
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
    /// The edit by which git sees it, where that was asked for and there was one to make.
    pub unignored: Option<Unignored>,
    /// The project's list of decisions, where they were to be added to it and there were new ones.
    pub mirrored: Option<Written>,
    /// The id by which an undo takes it back; `None` where no file was written, or another program wrote it.
    pub action: Option<String>,
    /// What the program that wrote it said (memtomem), and what became of saves that had been cut off.
    pub said: Vec<Inert>,
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
        let narrative = narrative(request)?;
        // In JSON the lines of a text are escaped, and so is what only its lines give away.
        for (name, text) in narrative.texts() {
            refuse_secrets(&format!("`{name}` of the narrative"), &text)?;
        }
        let target = target(examiner, request, &narrative, facts)?;
        let is_record = request.family == Family::Memtomem;
        let mut draft = Self {
            last_read: if is_record || target.is_new { None } else { read(&target)? },
            remarks: if is_record { Vec::new() } else { remarks::of(&target)? },
            target,
            family: request.family,
            parts: Vec::new(),
            captured: facts.captured.clone(),
            ignored: None,
            mirror: None,
            drafts: None,
            by_hand: None,
            pending: None,
            surroundings: examiner.around().clone(),
            person: examiner.person(),
            project: examiner.project().to_owned(),
            identity: identity(examiner.project(), facts),
            from: request.from.to_owned(),
            around: Around {
                state: state(examiner)?,
                home: home(examiner)?,
                project: examiner.project().to_owned(),
                now: request.now,
            },
        };
        draft.compose(examiner, request, &narrative, facts)?;
        for (path, text) in &draft.parts {
            refuse_secrets(&path.display().to_string(), text)?;
        }
        if draft.pending.is_none() {
            draft.look_at_rules(facts);
        }
        let mut decisions = narrative.body(Topic::Decisions).map(Body::items).unwrap_or_default();
        decisions.retain(|text| text != "(none)");
        draft.mirror = offers::mirror(examiner.project(), &decisions, &draft.target.path, request.now)?;
        Ok(draft)
    }

    /// The bytes that lie at the target and would be replaced.
    pub fn replaced(&self) -> Option<&[u8]> {
        self.last_read.as_deref()
    }

    /// The command that a write runs instead of writing itself, for a shell (memtomem).
    pub fn runs(&self) -> Option<String> {
        self.pending.as_ref().map(Pending::command)
    }

    /// The documents, and what was captured for them.
    fn compose(
        &mut self,
        examiner: &Examiner,
        request: &Request<'_>,
        narrative: &Narrative,
        facts: &Facts,
    ) -> Result<(), Refusal> {
        if request.family != Family::Theonekit && request.decisions_from.is_some() {
            return Err(Refusal("decisions are only taken from a transcript for theonekit's format".into()));
        }
        let no_lanes = narrative.lanes.is_empty() && request.binding.is_none() && request.drop.is_empty();
        if request.family != Family::Thunderkit && !no_lanes {
            return Err(Refusal("only thunderkit's format has lanes: save with --format thunderkit".into()));
        }
        homeless::refuse(request.family, narrative)?;
        self.captured.extend(caution(narrative));
        match request.family {
            Family::Memtomem => {
                let (fenced, pending, captured) = memtomem::pending(examiner, request, narrative, facts)?;
                self.by_hand = pending
                    .not_ready
                    .as_deref()
                    .map(|why| ByHand { why: why.into(), command: pending.command() });
                self.parts = vec![(self.target.path.clone(), fenced)];
                self.pending = Some(pending);
                self.captured.extend(captured);
            }
            Family::Thunderkit => {
                let replaced = self.last_read.as_deref();
                let (text, captured) = thunderkit::document(examiner, request, narrative, facts, replaced)?;
                self.parts = vec![(self.target.path.clone(), text)];
                self.captured.extend(captured);
            }
            _ => {
                self.drafts = request
                    .decisions_from
                    .map(|session| {
                        decisions::drafts(&decisions::Ask {
                            around: examiner.around(),
                            project: examiner.project(),
                            session,
                            plan: self.target.certain_plan(),
                            repo: facts.repo.as_ref().ok(),
                            threshold: examiner.settings().decision_threshold,
                        })
                    })
                    .transpose()?;
                let drafts = self.drafts.as_ref();
                self.captured.extend(drafts.map(|drafts| {
                    let kept = count_of(drafts.lines.len(), "line", "lines");
                    Captured::known("decisions", kept, drafts.words())
                }));
                self.parts = theonekit::document(&self.target, narrative, drafts, facts, request.now)
                    .map_err(Refusal)?;
            }
        }
        Ok(())
    }

    /// What ignores the target, and how that is said.
    fn look_at_rules(&mut self, facts: &Facts) {
        let Ok(repo) = &facts.repo else { return };
        let Ok(real) = disk::locate(&self.target.root, &self.target.path) else { return };
        match ignored::look(repo, &real, &self.person) {
            Ok(None) => {}
            Ok(Some(ignored)) => {
                let by = &ignored.by;
                let rule = format!("by `{}`: git will not see this file", by.rule.shown_line());
                let source = format!("{}, line {}", by.file.display(), by.line);
                self.captured.push(Captured::known("ignored", rule, source));
                self.ignored = Some(ignored);
            }
            Err(why) => self.captured.push(Captured::unknown("ignored", why.to_string())),
        }
    }

    /// What an overwrite would change in the file that is there, line by line; empty where nothing is there.
    pub fn changes(&self) -> Vec<DiffLine> {
        match (self.replaced(), self.parts.first()) {
            (Some(old), Some((_, new))) => difference::lines(&String::from_utf8_lossy(old), new),
            _ => Vec::new(),
        }
    }
}

/// What was said, with what a former handoff said where nothing was.
fn narrative(request: &Request<'_>) -> Result<Narrative, Refusal> {
    let Some(before) = request.carry else { return Narrative::parse(request.text).map_err(Refusal) };
    let mut narrative = match request.text.trim() {
        "" => Narrative::default(),
        _ => Narrative::parse(request.text).map_err(Refusal)?,
    };
    narrative.fill(homeless::fitting(request.family, Narrative::of(before)));
    Ok(narrative)
}

fn identity(project: &Path, facts: &Facts) -> String {
    let name = || project.file_name().unwrap_or_default().to_string_lossy().into_owned();
    facts.identity.as_ref().map_or_else(name, |identity| identity.text.clone())
}

/// Above so many per cent a full context is pointed out.
const FULL: u32 = 80;

/// What a nearly full context deserves.
fn caution(said: &Narrative) -> Option<Captured> {
    let percent = said.context.as_deref()?.trim_start_matches('~').trim_end_matches('%').trim();
    let is_full = percent.parse::<u32>().is_ok_and(|percent| percent > FULL);
    is_full.then(|| Captured::known("caution", "the context is nearly full", "context, as given"))
}

/// Where the handoff goes.
pub(super) fn target(
    examiner: &Examiner,
    request: &Request<'_>,
    narrative: &Narrative,
    facts: &Facts,
) -> Result<Target, Refusal> {
    match request.family {
        Family::Thunderkit => return Ok(target::thunderkit(examiner.project())),
        Family::Memtomem => return memtomem::target(examiner.project(), request.now),
        _ => {}
    }
    target::theonekit(&Ask {
        project: examiner.project(),
        from: request.from,
        home: &home(examiner)?,
        here: Here::of(examiner.project(), facts.repo.as_ref().err()),
        branch: facts.head.as_ref().and_then(Head::branch).map(BranchName::as_str),
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
