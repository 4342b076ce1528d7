//! A save before and after its yes: first everything that would be written, then the writing.

use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use super::decisions::{self, Drafts};
use super::facts::{Captured, Facts};
use super::file::{self, Around, NotWritten, Old, Placed, Written};
use super::homeless;
use super::ignored::{self, Ignored, Unignored};
use super::kept;
use super::memtomem::{self, Pending};
use super::narrative::{Body, LaneWord, Narrative, Topic};
use super::offers::{self, Mirror};
use super::sweep::{self, Cleared};
use super::target::{self, Ask, Here, Target, Wish};
use super::{advice, remarks, theonekit, thunderkit};
use crate::check::Examiner;
use crate::disk::{self, DiskError};
use crate::handoff::difference::{self, DiffLine};
use crate::handoff::{Family, Handoff, Inert, count_of, secrets};
use crate::harness::Surroundings;
use crate::place::Scope;
use crate::repo::{Person, Repo};
use crate::shelf::ShelfError;

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

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The real path of the first file.
    pub path: PathBuf,
    /// What became of the bytes that it had.
    pub old: Old,
    /// The further files of a chain.
    pub chain: Vec<PathBuf>,
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
            last_read: if is_record { None } else { read(&target)? },
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
                            plan: self.target.plan.as_deref(),
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

    /// Writes the files: the further ones of a chain first, so that no file ever names one that is not there.
    ///
    /// # Errors
    /// [`NotWritten`]; the file at the target is then what it was.
    pub fn write(&self) -> Result<Saved, NotWritten> {
        if let Some(pending) = &self.pending {
            let written = pending.write(&self.surroundings)?;
            let (path, said) = (written.path, written.said);
            return Ok(Saved { path, old: Old::None, chain: Vec::new(), said });
        }
        let said = self.settled()?;
        let repo = Repo::containing(&self.project).ok();
        let mut placed: Vec<Placed> = Vec::new();
        // The head last.
        for (n, (path, text)) in self.parts.iter().enumerate().rev() {
            let last_read = self.last_read.as_deref().filter(|_| n == 0);
            let root = &self.target.root;
            match file::place(&self.around, root, path, text.as_bytes(), last_read, repo.as_ref()) {
                Ok(part) => placed.push(part),
                Err(why) => {
                    // A chain without its head is none. The first error is the one to say; a part that cannot be
                    // taken away again is a file of its own, and listed.
                    placed.iter().for_each(|part| drop(part.take_back()));
                    return Err(why);
                }
            }
        }
        let mut written = placed.into_iter().rev().map(|part| part.written);
        let Some(head) = written.next() else {
            return Err(DiskError::NotFound(self.target.path.clone()).into());
        };
        Ok(Saved { path: head.path, old: head.old, chain: written.map(|link| link.path).collect(), said })
    }

    /// Whether a write only failed because somebody took or is taking the name that was free: the same, made again,
    /// gets the next one. A plan's handoff and thunderkit's have one name, which no other one replaces.
    pub fn has_lost_its_name(&self, why: &NotWritten) -> bool {
        let is_dated = self.family == Family::Theonekit && self.target.scope != Scope::Plan;
        is_dated
            && self.last_read.is_none()
            && matches!(why, NotWritten::Changed { .. } | NotWritten::Busy(_))
    }

    /// Why it was not written, and what can be done about it, for people.
    pub fn told(&self, why: &NotWritten) -> String {
        advice::told(why, &self.around)
    }

    /// Keeps what was said in moorline's own state directory; gives where.
    ///
    /// # Errors
    /// As [`kept::keep`].
    pub fn keep_words(&self, words: &str) -> Result<PathBuf, NotWritten> {
        kept::keep(&self.around.state, words)
    }

    /// Settles what was cut off before: else its plan and this save's could mean one name in the trash. Where
    /// somebody else is at work on the shelf, they settle it.
    fn settled(&self) -> Result<Vec<Inert>, NotWritten> {
        let shelf = self.around.shelf();
        match shelf.settle() {
            Ok(settled) => Ok(settled.into_iter().map(|one| Inert::from(one.said)).collect()),
            Err(ShelfError::Disk(error)) => Err(error.into()),
            Err(ShelfError::Busy | ShelfError::Nothing(_) | ShelfError::Several(_)) => Ok(Vec::new()),
        }
    }

    /// Clears up after a save: what the replaced chain left behind goes to the trash, and (theonekit) what is old
    /// enough to the archive. Whatever becomes of that, the save stands.
    pub fn clear_up(&self, examiner: &Examiner) -> Cleared {
        if self.family != Family::Theonekit {
            return Cleared::default();
        }
        sweep::clear(examiner, &self.from, self.around.now, &self.left_over())
    }

    /// What [`clear_up`](Self::clear_up) would do after a write, in places and sentences; moves nothing.
    pub fn would_clear(&self, examiner: &Examiner) -> Cleared {
        let Some((path, text)) = self.parts.first().filter(|_| self.family == Family::Theonekit) else {
            return Cleared::default();
        };
        let arriving = sweep::Arriving { path, bytes: text.as_bytes() };
        sweep::foresee(examiner, &self.from, self.around.now, &self.left_over(), arriving)
    }

    /// Links of the replaced chain that this save does not write anew.
    fn left_over(&self) -> Vec<PathBuf> {
        let kept: Vec<PathBuf> = self.parts.iter().map(|(path, _)| path.clone()).collect();
        let replaced = self.last_read.as_deref();
        replaced.map(|bytes| sweep::links(&self.target.path, bytes, &kept)).unwrap_or_default()
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
        ignored::apply(edit, &self.around, &repo, &target, &self.person).map(Some)
    }

    /// Adds the decisions of [`Draft::mirror`] to the project's list; `None` where there are none to add. Only ever
    /// on a person's yes.
    ///
    /// # Errors
    /// [`NotWritten`]; the list is then what it was.
    pub fn mirror_decisions(&self) -> Result<Option<Written>, NotWritten> {
        let Some(mirror) = &self.mirror else { return Ok(None) };
        mirror.write(&self.around, Repo::containing(&self.project).ok().as_ref()).map(Some)
    }

    /// The command that stages exactly what was saved and these further files; `None` where it lies in no
    /// repository, or is ignored. moorline never writes git's index.
    pub fn stage_command(&self, saved: &Saved, more: &[&Path], unignored: bool) -> Option<String> {
        let repo = Repo::containing(&self.project).ok()?;
        if self.pending.is_some() || self.ignored.is_some() && !unignored {
            return None;
        }
        let own = std::iter::once(&saved.path).chain(&saved.chain).map(PathBuf::as_path);
        let files: Vec<&Path> = own.chain(more.iter().copied()).collect();
        offers::stage(repo.root(), &files)
    }

    /// The command that keeps a snapshot of what was saved, in a store that the person names; `None` where it lies
    /// outside of the project.
    pub fn snapshot_command(&self, saved: &Saved) -> Option<String> {
        let root = self.project.canonicalize().ok()?;
        offers::snapshot(&root, &self.identity, &saved.path)
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
