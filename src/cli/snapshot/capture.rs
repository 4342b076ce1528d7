//! `moorline snapshot capture`: with a yes, and without one.

use std::io::Write;

use serde::Serialize;

use super::words::{age_of, context, history, parts};
use super::{identity, stop};
use crate::check::Summary;
use crate::cli::args::Capture;
use crate::cli::desk::Surface;
use crate::cli::{Answer, Stop, print_json};
use crate::handoff::{Digest, count_of, inert};
use crate::snapshot::manifest::{Context, FileEntry, Omission};
use crate::snapshot::{CAUTIONS, History, Identity, Plan, Request, Snapshot};

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
    /// How old the saved context is, in seconds; `null` where none was named or it does not say.
    age_seconds: Option<i64>,
    push: &'static str,
    cautions: [&'static str; 2],
    summary: Summary,
}

/// Keeps what the words name, or says what would be kept.
pub(super) fn run(surface: &Surface, args: &Capture, out: &mut dyn Write) -> Result<Answer, Stop> {
    let person = surface.person();
    let identity = identity(&args.identity)?;
    let request = Request {
        project_root: &args.project_root,
        identity: &identity,
        backup_root: &args.backup_root,
        state_dir: &args.state_dir,
        sources: &args.source,
        entrypoint: args.context_entrypoint.as_deref(),
        history_ref: args.history_ref.as_deref(),
        person: &person,
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
            age_seconds: manifest.context.as_ref().and_then(|context| context.age_seconds),
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
    writeln!(out, "saved-context age: {}", age_of(manifest.context.as_ref()))?;
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
            age_seconds: plan.context.as_ref().and_then(|context| context.age_seconds),
            push: PUSH,
            cautions: CAUTIONS,
            summary: Summary::plain("nothing was captured", next).outcome("it was not approved"),
        };
        return print_json(&document, out);
    }
    writeln!(out, "nothing was captured: it was not approved. This would be kept:")?;
    parts(&plan.files, &plan.omissions, out)?;
    match &whole_history {
        Some(found) => writeln!(
            out,
            "history: {} at {}, {}, {}",
            inert::shown(&found.reference()),
            found.head().short(),
            count_of(found.commits(), "commit", "commits"),
            count_of(found.objects(), "object", "objects")
        )?,
        None => writeln!(out, "history: {}", history(&History::NotRequested))?,
    }
    writeln!(out, "saved context: {}", context(plan.context.as_ref()))?;
    writeln!(out, "saved-context age: {}", age_of(plan.context.as_ref()))?;
    cautions(out)?;
    writeln!(out, "{next}")?;
    Ok(())
}

fn cautions(out: &mut dyn Write) -> Result<(), Stop> {
    writeln!(out, "push: {PUSH}")?;
    for caution in CAUTIONS {
        writeln!(out, "{caution}")?;
    }
    Ok(())
}
