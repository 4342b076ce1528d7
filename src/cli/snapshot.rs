//! `moorline snapshot`: capture, list, load, verify.
//!
//! Exit codes: 0 captured, found, loaded, all as it was · 1 no --approve, nothing found, damaged, another capture goes
//! on · 2 places or words that cannot be used, secrets, a history that cannot be kept · 3 something could not be read.

mod capture;
mod words;

use std::io::Write;

use serde::Serialize;
use words::{age_of, context, history, parts, say};

use super::args::{Kept, LoadKept, Snapshot as Args, SnapshotVerb, VerifyKept};
use super::desk::Surface;
use super::shape::path_text;
use super::text;
use super::{Answer, Stop, print_json};
use crate::check::Summary;
use crate::handoff::age::{self, Clock};
use crate::handoff::{Digest, Inert, count_of, inert};
use crate::snapshot::load::Copied;
use crate::snapshot::manifest::Context;
use crate::snapshot::store::{Contents, Problem};
use crate::snapshot::{Certainty, History, Identity, Manifest, Refused, Snapshot, Store, Verified};

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
        SnapshotVerb::Capture(args) => capture::run(surface, args, out),
        SnapshotVerb::List(args) => list(surface.clock, args, out),
        SnapshotVerb::Load(args) => load(args, out),
        SnapshotVerb::Verify(args) => verify(args, out),
    }
}

fn list(clock: Clock, args: &Kept, out: &mut dyn Write) -> Result<Answer, Stop> {
    let wanted = args.identity.as_deref().map(identity).transpose()?;
    let store = Store::open(&args.backup_root).map_err(stop)?;
    let Contents { snapshots, problems } = store.contents(wanted.as_ref()).map_err(stop)?;
    let answer = worst(&problems).max(if snapshots.is_empty() { Answer::No } else { Answer::Yes });
    if args.json {
        let done = format!("listed {}", count_of(snapshots.len(), "snapshot", "snapshots"));
        let document = ListDocument {
            schema: "moorline.snapshot/1",
            action: "list",
            snapshots: snapshots.iter().map(Row::of).collect(),
            problems: problems.iter().map(ProblemShape::of).collect(),
            summary: told(done, "load one: moorline snapshot load ID", answer, &problems),
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
            "{id}  {}  ({})  {}  {}, {} bytes  history: {}",
            moment.to_text(),
            age::sentence(clock, &moment),
            inert::shown(manifest.identity.as_str()),
            count_of(manifest.files.len(), "file", "files"),
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
    writeln!(out, "saved-context age: {}", age_of(manifest.context.as_ref()))?;
    if let Some(Copied { to, files }) = &copied {
        writeln!(
            out,
            "copied {} to {}; no permission was restored",
            count_of(*files, "file", "files"),
            text::path(to)
        )?;
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
        (0, count) => {
            format!("{}, byte for byte", count_of(count, "snapshot is whole", "snapshots are whole"))
        }
        (bad, _) => count_of(bad, "problem was found", "problems were found"),
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
            summary: told(done, next, answer, problems),
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

/// The summary of a look at a store, with the first thing that is wrong, or that there is nothing.
fn told(done: String, next: &str, answer: Answer, problems: &[Problem]) -> Summary {
    let summary = Summary::plain(done, next);
    match (answer, problems.first()) {
        (Answer::Yes, _) => summary,
        (_, Some(problem)) => {
            summary.outcome(format!("{}: {}", text::line(&problem.path), problem.what.shown_line()))
        }
        (_, None) => summary.outcome("no snapshot here"),
    }
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
