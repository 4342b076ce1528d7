//! `moorline snapshot`: capture, list, load, verify.
//!
//! Exit codes: 0 captured, found, loaded, all as it was · 1 no --approve, nothing found, damaged, another capture goes
//! on · 2 places or words that cannot be used, secrets, a history that cannot be kept · 3 something could not be read.

use std::io::Write;

use serde::Serialize;

use super::args::{Capture, Kept, LoadKept, Snapshot as Args, SnapshotVerb, VerifyKept};
use super::desk::Surface;
use super::shape::path_text;
use super::text;
use super::{Answer, Stop, print_json};
use crate::check::Summary;
use crate::handoff::age::{self, Clock};
use crate::handoff::{Digest, Inert, inert};
use crate::snapshot::load::Copied;
use crate::snapshot::manifest::{Context, FileEntry, Omission};
use crate::snapshot::store::{Contents, Problem};
use crate::snapshot::{
    CAUTIONS, Certainty, History, Identity, Manifest, Plan, Refused, Request, Snapshot, Store, Verified,
};

/// What became of a push: nothing ever leaves the machine.
const PUSH: &str = "not requested";

/// `moorline.snapshot/1`, action `capture`
#[derive(Serialize)]
struct CaptureDocument<'a> {
    schema: &'static str,
    action: &'static str,
    /// `false` without --approve: nothing was written.
    captured: bool,
    /// The snapshot's id; `null` where nothing was captured.
    id: Option<&'a Digest>,
    identity: &'a str,
    files: &'a [FileEntry],
    bytes: u64,
    /// Objects that the store did not have before.
    new_objects: Option<usize>,
    omissions: &'a [Omission],
    /// `null` where history was asked for and nothing was captured.
    history: Option<&'a History>,
    context: Option<&'a Context>,
    push: &'static str,
    cautions: [&'static str; 2],
    summary: Summary,
}

/// `moorline.snapshot/1`, action `list`
#[derive(Serialize)]
struct ListDocument<'a> {
    schema: &'static str,
    action: &'static str,
    snapshots: Vec<Row<'a>>,
    problems: Vec<ProblemShape<'a>>,
    summary: Summary,
}

/// One snapshot of a list.
#[derive(Serialize)]
struct Row<'a> {
    id: &'a Digest,
    identity: &'a str,
    created_at: String,
    project_root: &'a Inert,
    files: usize,
    bytes: u64,
    omissions: usize,
    history: &'a History,
    context: Option<&'a Context>,
}

/// `moorline.snapshot/1`, action `load`
#[derive(Serialize)]
struct LoadDocument<'a> {
    schema: &'static str,
    action: &'static str,
    id: &'a Digest,
    manifest: &'a Manifest,
    /// The text to go on with; `null` where the snapshot has none.
    context_text: Option<Inert>,
    /// Where it was copied to; `null` where it was only printed.
    copied_to: Option<String>,
    summary: Summary,
}

/// `moorline.snapshot/1`, action `verify`
#[derive(Serialize)]
struct VerifyDocument<'a> {
    schema: &'static str,
    action: &'static str,
    snapshots: Vec<Judged<'a>>,
    objects: usize,
    bytes: u64,
    /// Objects that no snapshot names.
    unnamed: usize,
    problems: Vec<ProblemShape<'a>>,
    summary: Summary,
}

/// One snapshot that was verified.
#[derive(Serialize)]
struct Judged<'a> {
    id: &'a Digest,
    whole: bool,
}

/// Something that is wrong in a store.
#[derive(Serialize)]
struct ProblemShape<'a> {
    path: Inert,
    /// `damaged`, or `unknown` where it could not be read.
    certainty: &'static str,
    what: &'a Inert,
}

/// Runs one of the four.
pub fn run(surface: &Surface, args: &Args, out: &mut dyn Write) -> Result<Answer, Stop> {
    match &args.verb {
        SnapshotVerb::Capture(args) => capture(surface, args, out),
        SnapshotVerb::List(args) => list(surface.clock, args, out),
        SnapshotVerb::Load(args) => load(args, out),
        SnapshotVerb::Verify(args) => verify(args, out),
    }
}

fn capture(surface: &Surface, args: &Capture, out: &mut dyn Write) -> Result<Answer, Stop> {
    let personal = surface.personal();
    let identity = identity(&args.identity)?;
    let request = Request {
        project_root: &args.project_root,
        identity: &identity,
        backup_root: &args.backup_root,
        state_dir: &args.state_dir,
        sources: &args.source,
        entrypoint: args.context_entrypoint.as_deref(),
        history_ref: args.history_ref.as_deref(),
        personal: &personal,
        now: surface.clock,
    };
    let plan = Plan::make(&request).map_err(stop)?;
    if !args.approve {
        preview(&plan, &identity, args, out)?;
        return Ok(Answer::No);
    }
    let captured = plan.write().map_err(stop)?;
    let Snapshot { id, manifest } = &captured.snapshot;
    if args.json {
        let done = format!("captured snapshot {id}");
        let document = CaptureDocument {
            schema: "moorline.snapshot/1",
            action: "capture",
            captured: true,
            id: Some(id),
            identity: identity.as_str(),
            files: &manifest.files,
            bytes: manifest.bytes(),
            new_objects: Some(captured.new_objects),
            omissions: &manifest.omissions,
            history: Some(&manifest.history),
            context: manifest.context.as_ref(),
            push: PUSH,
            cautions: CAUTIONS,
            summary: Summary::plain(done, "verify it: moorline snapshot verify"),
        };
        print_json(&document, out)?;
        return Ok(Answer::Yes);
    }
    writeln!(out, "captured snapshot {id}")?;
    writeln!(out, "  every digest was read back before it counted")?;
    parts(&manifest.files, &manifest.omissions, out)?;
    writeln!(out, "objects that are new in the store: {}", captured.new_objects)?;
    writeln!(out, "history: {}", history(&manifest.history))?;
    writeln!(out, "saved context: {}", context(manifest.context.as_ref()))?;
    cautions(out)?;
    Ok(Answer::Yes)
}

/// What would be kept. It is no yes to anything.
fn preview(plan: &Plan<'_>, identity: &Identity, args: &Capture, out: &mut dyn Write) -> Result<(), Stop> {
    let next = "keep exactly this: the same with --approve";
    let whole_history = plan.history().map_err(stop)?;
    if args.json {
        let not_requested = History::NotRequested;
        let document = CaptureDocument {
            schema: "moorline.snapshot/1",
            action: "capture",
            captured: false,
            id: None,
            identity: identity.as_str(),
            files: &plan.files,
            bytes: plan.files.iter().map(|file| file.size).sum(),
            new_objects: None,
            omissions: &plan.omissions,
            history: whole_history.is_none().then_some(&not_requested),
            context: plan.context.as_ref(),
            push: PUSH,
            cautions: CAUTIONS,
            summary: Summary::plain("nothing was captured: it was not approved", next),
        };
        return print_json(&document, out);
    }
    writeln!(out, "nothing was captured: it was not approved. This would be kept:")?;
    parts(&plan.files, &plan.omissions, out)?;
    match &whole_history {
        Some(found) => writeln!(
            out,
            "history: {} at {}, {} commits, {} objects",
            inert::shown(&found.reference()),
            found.head().short(),
            found.commits(),
            found.objects()
        )?,
        None => writeln!(out, "history: {}", history(&History::NotRequested))?,
    }
    writeln!(out, "saved context: {}", context(plan.context.as_ref()))?;
    cautions(out)?;
    writeln!(out, "{next}")?;
    Ok(())
}

fn list(clock: Clock, args: &Kept, out: &mut dyn Write) -> Result<Answer, Stop> {
    let wanted = args.identity.as_deref().map(identity).transpose()?;
    let store = Store::open(&args.backup_root).map_err(stop)?;
    let Contents { snapshots, problems } = store.contents(wanted.as_ref()).map_err(stop)?;
    let answer = worst(&problems).max(if snapshots.is_empty() { Answer::No } else { Answer::Yes });
    if args.json {
        let done = format!("listed {} snapshots", snapshots.len());
        let document = ListDocument {
            schema: "moorline.snapshot/1",
            action: "list",
            snapshots: snapshots.iter().map(Row::of).collect(),
            problems: problems.iter().map(ProblemShape::of).collect(),
            summary: Summary::plain(done, "load one: moorline snapshot load ID"),
        };
        print_json(&document, out)?;
        return Ok(answer);
    }
    if snapshots.is_empty() {
        writeln!(out, "no snapshot here")?;
    }
    for Snapshot { id, manifest } in &snapshots {
        let moment = crate::handoff::Moment::Instant(manifest.created_at.fixed_offset());
        writeln!(
            out,
            "{id}  {}  ({})  {}  {} files, {} bytes  history: {}",
            moment.to_text(),
            age::sentence(clock, &moment),
            inert::shown(manifest.identity.as_str()),
            manifest.files.len(),
            manifest.bytes(),
            history(&manifest.history)
        )?;
    }
    say(&problems, out)?;
    Ok(answer)
}

fn load(args: &LoadKept, out: &mut dyn Write) -> Result<Answer, Stop> {
    let identity = identity(&args.identity)?;
    let store = Store::open(&args.backup_root).map_err(stop)?;
    let snapshot = store.find(&args.id, &identity).map_err(stop)?;
    let verified = store.verify_one(&snapshot);
    if !verified.problems.is_empty() {
        return Err(stop(Refused::Damaged(verified.problems)));
    }
    let context_text = store.context_text(&snapshot).map_err(stop)?;
    let copied = args.to.as_deref().map(|to| store.copy_out(&snapshot, to)).transpose().map_err(stop)?;
    let Snapshot { id, manifest } = &snapshot;
    if args.json {
        let done = match &copied {
            Some(copied) => format!("copied snapshot {id} to {}", path_text(&copied.to)),
            None => format!("printed snapshot {id}"),
        };
        let document = LoadDocument {
            schema: "moorline.snapshot/1",
            action: "load",
            id,
            manifest,
            context_text,
            copied_to: copied.as_ref().map(|copied| path_text(&copied.to)),
            summary: Summary::plain(done, "read it; nothing of it was run or put back"),
        };
        print_json(&document, out)?;
        return Ok(Answer::Yes);
    }
    writeln!(out, "snapshot {id} of {}", inert::shown(manifest.identity.as_str()))?;
    writeln!(out, "  {} objects verified, {} bytes", verified.objects, verified.bytes)?;
    parts(&manifest.files, &manifest.omissions, out)?;
    writeln!(out, "history: {}", history(&manifest.history))?;
    writeln!(out, "saved context: {}", context(manifest.context.as_ref()))?;
    if let Some(Copied { to, files }) = &copied {
        writeln!(out, "copied {files} files to {}; no permission was restored", text::path(to))?;
    }
    if let Some(text) = &context_text {
        writeln!(out, "\n{}", text.shown().trim_end())?;
    }
    Ok(Answer::Yes)
}

fn verify(args: &VerifyKept, out: &mut dyn Write) -> Result<Answer, Stop> {
    let wanted = args.identity.as_deref().map(identity).transpose()?;
    let store = Store::open(&args.backup_root).map_err(stop)?;
    let verified = match (&args.id, &wanted) {
        (Some(id), Some(identity)) => store.verify_one(&store.find(id, identity).map_err(stop)?),
        (Some(_), None) => return Err(Stop::bad("an id needs the --identity that it belongs to")),
        (None, wanted) => store.verify(wanted.as_ref()).map_err(stop)?,
    };
    let Verified { snapshots, objects, bytes, unnamed, problems } = &verified;
    let answer = worst(problems).max(if snapshots.is_empty() { Answer::No } else { Answer::Yes });
    let done = match (problems.len(), snapshots.len()) {
        (0, 0) => "no snapshot here".to_owned(),
        (0, count) => format!("{count} snapshots are whole, byte for byte"),
        (bad, _) => format!("{bad} problems were found"),
    };
    if args.json {
        let next = if problems.is_empty() { "load one: moorline snapshot load ID" } else { "capture again" };
        let document = VerifyDocument {
            schema: "moorline.snapshot/1",
            action: "verify",
            snapshots: snapshots.iter().map(|(id, whole)| Judged { id, whole: *whole }).collect(),
            objects: *objects,
            bytes: *bytes,
            unnamed: *unnamed,
            problems: problems.iter().map(ProblemShape::of).collect(),
            summary: Summary::plain(done, next),
        };
        print_json(&document, out)?;
        return Ok(answer);
    }
    writeln!(out, "{done}")?;
    for (id, whole) in snapshots {
        writeln!(out, "  {} {id}", if *whole { "✓" } else { "✗" })?;
    }
    writeln!(out, "{objects} objects hashed, {bytes} bytes; {unnamed} of them no snapshot names")?;
    say(problems, out)?;
    Ok(answer)
}

impl<'a> Row<'a> {
    fn of(Snapshot { id, manifest }: &'a Snapshot) -> Self {
        Self {
            id,
            identity: manifest.identity.as_str(),
            created_at: crate::handoff::Moment::Instant(manifest.created_at.fixed_offset()).to_text(),
            project_root: &manifest.project_root,
            files: manifest.files.len(),
            bytes: manifest.bytes(),
            omissions: manifest.omissions.len(),
            history: &manifest.history,
            context: manifest.context.as_ref(),
        }
    }
}

impl<'a> ProblemShape<'a> {
    fn of(problem: &'a Problem) -> Self {
        let certainty = match problem.certainty {
            Certainty::Damaged => "damaged",
            Certainty::Unknown => "unknown",
        };
        Self { path: problem.path.as_str().into(), certainty, what: &problem.what }
    }
}

/// Files and omissions, one line each.
fn parts(files: &[FileEntry], omissions: &[Omission], out: &mut dyn Write) -> Result<(), Stop> {
    let bytes: u64 = files.iter().map(|file| file.size).sum();
    writeln!(out, "files: {} ({bytes} bytes)", files.len())?;
    for file in files {
        writeln!(out, "  {}  {} bytes", file.path, file.size)?;
    }
    writeln!(out, "omissions: {}", omissions.len())?;
    for omission in omissions {
        writeln!(out, "  {}: {}", omission.path.shown_line(), omission.reason.shown_line())?;
    }
    Ok(())
}

fn history(history: &History) -> String {
    match history {
        History::NotRequested => "not requested".into(),
        History::Captured { reference, head, commits, objects, size, .. } => format!(
            "captured, {} at {}, {commits} commits, {objects} objects, {size} bytes",
            reference.shown_line(),
            head.short()
        ),
    }
}

fn context(context: Option<&Context>) -> String {
    let Some(context) = context else { return "none was named".into() };
    let age = match (&context.saved_at, context.age_seconds, context.saved_at_source) {
        (Some(at), Some(age), Some(source)) => {
            let source = serde_json::to_value(source).ok().and_then(|word| word.as_str().map(str::to_owned));
            format!("saved {}, {age} seconds before (by its {})", at.shown_line(), source.unwrap_or_default())
        }
        _ => "its age is unknown".into(),
    };
    let ignored = if context.ignored { "; git ignores it, and it is kept all the same" } else { "" };
    format!("{}, {age}{ignored}", context.path)
}

fn cautions(out: &mut dyn Write) -> Result<(), Stop> {
    writeln!(out, "push: {PUSH}")?;
    for caution in CAUTIONS {
        writeln!(out, "{caution}")?;
    }
    Ok(())
}

fn say(problems: &[Problem], out: &mut dyn Write) -> Result<(), Stop> {
    for problem in problems {
        writeln!(out, "  ✗ {}: {}", inert::shown(&problem.path), problem.what.shown_line())?;
    }
    Ok(())
}

/// What problems mean to a caller.
fn worst(problems: &[Problem]) -> Answer {
    match problems.iter().map(|problem| problem.certainty).max() {
        None => Answer::Yes,
        Some(Certainty::Unknown) => Answer::Unknown,
        Some(Certainty::Damaged) => Answer::No,
    }
}

fn identity(text: &str) -> Result<Identity, Stop> {
    Identity::parse(text).map_err(|why| Stop::bad(format!("--identity: {why}")))
}

/// Names in a refusal come from disks and repositories: they are made inert here, once for all.
fn stop(refused: Refused) -> Stop {
    let answer = match &refused {
        Refused::Input(_) | Refused::Secrets(_) | Refused::Repo(_) => Answer::Bad,
        Refused::Busy(_) | Refused::NotFound(_) | Refused::Disk(_) => Answer::No,
        Refused::Damaged(problems) => worst(problems),
    };
    Stop::Said(answer, inert::shown(&refused.to_string()))
}
