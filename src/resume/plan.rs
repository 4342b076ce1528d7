//! From a validated lane to a plan: everything that a person must see before the yes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};

use super::evidence::{self, Evidence};
use super::preflight::{self, Client, Preflight};
use super::{Confirmed, env, model};
use crate::check::{Check, CheckId, Examiner, Outcome, Report, Subject, Verdict};
use crate::disk::{self, FileId, Meta, PinnedDir};
use crate::handoff::{self, Digest, Family, Habit, HarnessName, Inert, Lane, SessionId, Source};
use crate::harness::{self, Answer, Harness, Program, ResumeForm, Session, Version};
use crate::place::Listed;
use crate::repo::Repo;

/// Largest thunderkit handoff that is read, in bytes.
const HANDOFF_CAP: u64 = 256 << 10;

/// Everything that a person must see before the yes, made from a lane that passed every check just now.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(super) row: Arc<Listed>,
    pub(super) lane: usize,
    /// The lane as the bytes that were judged record it.
    pub(super) recorded: Lane,
    stage: Option<Inert>,
    form: ResumeForm,
    harness: HarnessName,
    session: SessionId,
    argv: Vec<String>,
    pub(super) program: Identified<PathBuf, Meta>,
    pub(super) worktree: Identified<PathBuf, FileId>,
    removed: Vec<String>,
    notable: Vec<String>,
    model: Inert,
    interactive: String,
    preflight: Preflight,
    checks: Vec<Check>,
    /// The session as its store has it before the start.
    pub(super) before: Session,
    pub(super) evidence: Evidence,
}

/// A path and which file it led to when it was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identified<P, I> {
    pub path: P,
    pub id: I,
}

/// Why a lane cannot be resumed: all reasons, most severe first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// One sentence each.
    pub reasons: Vec<Inert>,
    /// Preflight checks, where it came that far.
    pub preflight: Vec<Check>,
    /// The refusal is for want of knowledge (exit code 3), not a contradiction (1).
    pub unknown: bool,
}

impl Refusal {
    fn no(reason: impl Into<Inert>) -> Self {
        Self { reasons: vec![reason.into()], preflight: Vec::new(), unknown: false }
    }

    fn unknown(reason: impl Into<Inert>) -> Self {
        Self { unknown: true, ..Self::no(reason) }
    }
}

impl Plan {
    /// Surveys the lane anew and plans its resume.
    ///
    /// # Errors
    /// [`Refusal`] with every reason, unless the lane is validated and its preflight passed.
    pub fn make(examiner: &Examiner, row: &Arc<Listed>, lane: usize) -> Result<Self, Refusal> {
        Self::survey(examiner, row, lane, None)
    }

    /// The same; a program that was asked for its version before is not asked again.
    pub(super) fn survey(
        examiner: &Examiner,
        row: &Arc<Listed>,
        lane: usize,
        asked: Option<&(Version, Meta)>,
    ) -> Result<Self, Refusal> {
        let examiner = &examiner.afresh();
        if row.handoff.family != Family::Thunderkit {
            return Err(Refusal::no("this handoff has no lanes: load its context instead"));
        }
        let report = examiner.examine(row);
        let checks = validated(&report, lane)?;
        let (recorded, stage) = read_lane(row, lane, &report)?;
        let subject = Subject::Lane(lane, recorded.id.clone());
        let (Some(name), Some(session), Some(rel)) =
            (recorded.harness, &recorded.session_id, &recorded.worktree)
        else {
            return Err(Refusal::no("the file records no harness, session or worktree for this lane"));
        };
        let client = harness::of(name);
        let form = client.form().map_err(Refusal::no)?;
        let worktree = real_worktree(&row.root.join(rel.as_path()), &row.root)?;
        let program = find_program(examiner, client, &row.root)?;
        let meta = program_meta(&program.path)?;
        let asked = asked.filter(|(_, then)| *then == meta).map(|(version, _)| version);
        let around = examiner.around();
        let about = Client { harness: client, form: &form, program: &program, around };
        let preflight = preflight::inspect(&about, &subject, recorded.harness_version.as_ref(), asked);
        refuse_unpassed(&preflight.checks)?;
        let before = match client.session(around, session) {
            Answer::Found(found) => found,
            Answer::Absent(place) => return Err(Refusal::no(format!("no such session in {place}"))),
            Answer::Unknown(why) => return Err(Refusal::unknown(why)),
        };
        let model = model::sentence(client, &form, &before, &client.fallback_model(around, &worktree.path));
        let mut argv: Vec<String> = form.before_id.iter().map(|&word| word.to_owned()).collect();
        argv.push(session.to_string());
        let mut plan = Self {
            row: Arc::clone(row),
            lane,
            stage,
            harness: name,
            session: session.clone(),
            argv,
            removed: env::removed(&around.vars),
            notable: env::notable(&around.vars),
            interactive: interactive_form(name, session, &worktree.path),
            program: Identified { path: program.path, id: meta },
            worktree,
            recorded,
            form,
            model,
            preflight,
            checks,
            before,
            evidence: Evidence::over(Vec::new()),
        };
        plan.evidence = plan.gather(&examiner.evidence_digest(row, &report), report.file.as_ref());
        Ok(plan)
    }

    /// Everything that is shown, and what it stands on, as named parts.
    fn gather(&self, judged: &Digest, file: Option<&Digest>) -> Evidence {
        let session = &self.before;
        let rows = (&session.bytes, &session.turns, &session.last_at, &session.damaged_rows);
        let mut parts: Vec<(String, String)> = [
            ("the handoff", self.row.path.display().to_string()),
            ("the handoff's digest", file.map(Digest::to_string).unwrap_or_default()),
            ("the stage", self.stage.as_ref().map_or("", Inert::raw).to_owned()),
            ("the lane", self.lane.to_string()),
            ("the argument array", format!("{:?}", self.argv)),
            ("the program", self.program.path.display().to_string()),
            ("the program's file", file_in_words(&self.program.id)),
            ("the directory", self.worktree.path.display().to_string()),
            ("the directory's identity", id_in_words(self.worktree.id)),
            ("the removed variables", self.removed.join(" ")),
            ("the notable variables", self.notable.join(" ")),
            ("the model that will answer", self.model.raw().to_owned()),
            ("the installed version", self.preflight.version.raw().to_owned()),
            ("the session's store", session.store.display().to_string()),
            ("the session's rows", format!("{rows:?}")),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        parts.extend(self.checks.iter().chain(&self.preflight.checks).map(evidence::part_of));
        parts.push(("what the checks stand on".to_owned(), judged.to_string()));
        Evidence::over(parts)
    }

    /// What the program said of its version, where it had to be asked, and which file that program was.
    pub(super) fn asked(&self) -> Option<(Version, Meta)> {
        self.preflight.asked.clone().map(|version| (version, self.program.id))
    }

    /// The row it resumes from.
    pub fn row(&self) -> &Listed {
        &self.row
    }
    /// The lane's place in the file.
    pub fn lane(&self) -> usize {
        self.lane
    }
    /// The stage's name, shown and never executed.
    pub fn stage(&self) -> Option<&Inert> {
        self.stage.as_ref()
    }
    /// The harness.
    pub fn harness(&self) -> HarnessName {
        self.harness
    }
    /// The program's absolute path.
    pub fn executable(&self) -> &Path {
        &self.program.path
    }
    /// The fixed argument array, first element the harness name.
    pub fn argv(&self) -> &[String] {
        &self.argv
    }
    /// The validated worktree.
    pub fn cwd(&self) -> &Path {
        &self.worktree.path
    }
    /// The session.
    pub fn session(&self) -> &SessionId {
        &self.session
    }
    /// Variables that are set in this environment and will be removed, by name.
    pub fn removed_vars(&self) -> &[String] {
        &self.removed
    }
    /// Variables worth a look that are passed on (`LD_PRELOAD`, `NODE_OPTIONS`), by name.
    pub fn notable_vars(&self) -> &[String] {
        &self.notable
    }
    /// The model that will answer and why: `claude-opus-4-8 (the session keeps its own)`.
    pub fn model(&self) -> &Inert {
        &self.model
    }
    /// Installed version and where it was read.
    pub fn version(&self) -> &Inert {
        &self.preflight.version
    }
    /// The program talks with the person itself: it gets the real terminal, and no prompt from us.
    pub fn wants_terminal(&self) -> bool {
        !self.form.prompt_on_stdin
    }
    /// The interactive form of the same session, to copy; moorline never starts it.
    pub fn interactive_form(&self) -> &str {
        &self.interactive
    }
    /// `version` and `resume-form`.
    pub fn preflight(&self) -> &[Check] {
        &self.preflight.checks
    }
    /// Every root and lane check, all passed (or not applicable).
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }
    /// How many of them passed; what does not apply is not counted.
    pub fn passed(&self) -> usize {
        self.checks.iter().filter(|check| check.outcome == Outcome::Passed).count()
    }
    /// Digest over everything that was shown: a yes is bound to it.
    pub fn evidence(&self) -> &Digest {
        self.evidence.digest()
    }

    /// A person's yes to exactly this plan, with their prompt.
    ///
    /// # Errors
    /// The plan comes back where the prompt is empty and this harness needs one, and where there is one and this
    /// harness asks for it itself.
    pub fn confirm(self, prompt: Vec<u8>) -> Result<Confirmed, Box<Plan>> {
        if self.form.prompt_on_stdin == prompt.trim_ascii().is_empty() {
            return Err(Box::new(self));
        }
        Ok(Confirmed { plan: self, prompt })
    }
}

/// The checks of a validated lane, the handoff's own first; every reason where it is not validated.
fn validated(report: &Report, lane: usize) -> Result<Vec<Check>, Refusal> {
    let Some(judged) = report.lanes.iter().find(|judged| judged.index == lane) else {
        return Err(Refusal::no("the file has no such lane"));
    };
    if judged.verdict != Verdict::Validated {
        let words = Inert::from(format!("the lane is {}", judged.verdict.words()));
        let reasons = if judged.reasons.is_empty() { vec![words] } else { judged.reasons.clone() };
        return Err(Refusal { reasons, preflight: Vec::new(), unknown: judged.verdict == Verdict::Unknown });
    }
    let required = |check: &&Check| check.id <= CheckId::Stage;
    let checks: Vec<Check> = report.checks.iter().chain(&judged.checks).filter(required).cloned().collect();
    // The verdict says so already; a start is worth looking twice.
    refuse_unpassed(&checks).map_err(|refusal| Refusal { preflight: Vec::new(), ..refusal })?;
    Ok(checks)
}

/// Refuses where one of these checks neither passed nor does not apply.
fn refuse_unpassed(checks: &[Check]) -> Result<(), Refusal> {
    let open = |check: &&Check| !matches!(check.outcome, Outcome::Passed | Outcome::NotApplicable);
    let sentence = |check: &Check| {
        let said = [&check.reason, &check.observed].into_iter().flatten().next();
        Inert::from(format!("{}: {}", check.id.as_str(), said.map_or("not proved", Inert::raw)))
    };
    let reasons: Vec<Inert> = checks.iter().filter(open).map(sentence).collect();
    if reasons.is_empty() {
        return Ok(());
    }
    let unknown = !checks.iter().any(|check| check.outcome == Outcome::Failed);
    Err(Refusal { reasons, preflight: checks.to_vec(), unknown })
}

/// The lane and the stage as the judged bytes record them; the list's own copy may be older.
fn read_lane(row: &Listed, lane: usize, report: &Report) -> Result<(Lane, Option<Inert>), Refusal> {
    let content = disk::read(&row.path, HANDOFF_CAP).map_err(|why| Refusal::no(why.to_string()))?;
    if report.file.as_ref() != Some(&Digest::of(&content.bytes)) {
        return Err(Refusal::no("the handoff changes while it is read: try again when it is at rest"));
    }
    let name = row.path.file_name().unwrap_or_default().to_string_lossy();
    let cut_from = content.cut.then_some(content.meta.len);
    let source = Source { bytes: &content.bytes, name: &name, habit: Habit::Thunderkit, cut_from };
    let mut read = handoff::read(&source);
    let handoff = read.pop().filter(|_| read.is_empty()).filter(|handoff| handoff.strict);
    let mut handoff = handoff.ok_or_else(|| Refusal::no("the file is no strict thunderkit handoff"))?;
    if lane >= handoff.lanes.len() {
        return Err(Refusal::no("the file has no such lane"));
    }
    Ok((handoff.lanes.swap_remove(lane), handoff.phase))
}

/// The lane's worktree by its real path, as one of this repository's.
fn real_worktree(recorded: &Path, root: &Path) -> Result<Identified<PathBuf, FileId>, Refusal> {
    let linked =
        Repo::open(root).and_then(|repo| repo.linked(recorded).map(|linked| linked.root().to_owned()));
    let path = linked.map_err(|why| Refusal::unknown(why.to_string()))?;
    let id = PinnedDir::open(&path).map_err(|why| Refusal::unknown(why.to_string()))?.id();
    Ok(Identified { path, id })
}

/// The harness's program, outside the project and all its worktrees.
fn find_program(examiner: &Examiner, client: &dyn Harness, root: &Path) -> Result<Program, Refusal> {
    let mut not_inside = vec![examiner.project().to_owned(), root.to_owned()];
    if let Ok(trees) = Repo::open(root).and_then(|repo| repo.worktrees()) {
        not_inside.extend(trees.into_iter().map(|tree| tree.path));
    }
    match harness::program(examiner.around(), client.name().as_str(), &not_inside) {
        Answer::Found(program) => Ok(program),
        Answer::Absent(why) => Err(Refusal::no(why)),
        Answer::Unknown(why) => Err(Refusal::unknown(why)),
    }
}

/// Which file a program is: device, inode, size, time and mode.
pub(super) fn program_meta(path: &Path) -> Result<Meta, Refusal> {
    disk::read(path, 0).map(|content| content.meta).map_err(|why| Refusal::no(why.to_string()))
}

/// The same in words that a person compares: what differs in them is what changed, to the nanosecond.
fn file_in_words(meta: &Meta) -> String {
    let modified = match meta.modified {
        Some(at) => DateTime::<Utc>::from(at).to_rfc3339_opts(SecondsFormat::AutoSi, true),
        None => "at a time that cannot be told".to_owned(),
    };
    format!("{}, {} bytes, changed {modified}, mode {:o}", id_in_words(meta.id), meta.len, meta.mode)
}

fn id_in_words(id: FileId) -> String {
    format!("inode {} on device {}", id.inode, id.device)
}

/// How a person goes on with the same session in its own screen.
fn interactive_form(name: HarnessName, session: &SessionId, cwd: &Path) -> String {
    let cwd = cwd.display().to_string().replace('\'', "'\\''");
    let form = match name {
        HarnessName::Claude => "claude --resume",
        HarnessName::Codex => "codex resume",
        HarnessName::Hermes => "hermes chat --resume",
        HarnessName::Opencode => "opencode -s",
    };
    format!("cd '{cwd}' && {form} {session}")
}
