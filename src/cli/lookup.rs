//! `moorline lookup`: one missing session, looked for by the host's own component.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Value, json};

use super::args::{CommandLine, Lookup};
use super::desk::Desk;
use super::resolve::sentence;
use super::shape::path_text;
use super::{Answer, Stop, print_json};
use crate::check::Summary;
use crate::handoff::{HarnessName, Inert};
use crate::policy::record::{Reason, Record};
use crate::resume::lookup::{Found, Question, look_up};

/// `moorline.lookup/1`
#[derive(Serialize)]
struct LookupDocument<'a> {
    schema: &'static str,
    query: Inert,
    decision: &'a Record,
    /// What has to be there before the component may be asked; empty where it may be.
    missing: Vec<String>,
    /// The bounded request; `null` where the component may not be asked.
    request: Option<&'a Value>,
    /// The id that came back, verified or refused by name; `null` where none was given or none may be taken.
    returned: Option<Value>,
    /// A narrative for `moorline save --format thunderkit --from -`, in which every check still applies.
    draft: Option<&'a Value>,
    summary: Summary,
}

/// Decides, and goes as far as the decision allows.
pub(super) fn run(
    line: &CommandLine,
    desk: &Desk,
    args: &Lookup,
    out: &mut dyn Write,
) -> Result<Answer, Stop> {
    if args.query.trim().is_empty() {
        return Err(Stop::bad("say what the session was about: --query may not be empty"));
    }
    let at = |path: &PathBuf| desk.cwd.join(path);
    let question = Question {
        query: args.query.clone(),
        platform: HarnessName::parse(&args.platform).ok_or_else(|| Stop::bad("no such harness"))?,
        cwd: args.cwd.as_ref().map_or_else(|| desk.examiner.project().to_owned(), at),
        since: args.since.map(|date| date.to_string()),
        until: args.until.map(|date| date.to_string()),
        budget: args.budget,
        config: line.config.as_ref().map(at),
        capabilities: args.capabilities.as_ref().map(at),
        lock: args.lock.as_ref().map(at),
        returned: args.returned.clone(),
        lane: args.lane.clone(),
    };
    let found = look_up(&desk.examiner, &question);
    match args.json {
        true => print_json(&document(&found, args), out)?,
        false => said(&found, out)?,
    }
    Ok(answer(&found))
}

fn answer(found: &Found) -> Answer {
    match &found.returned {
        _ if found.record.reason_code == Reason::InvalidConfig => Answer::Bad,
        _ if !found.record.is_delegated() => Answer::No,
        None | Some((_, Ok(_))) => Answer::Yes,
        Some((_, Err(why))) if why.is_unknown() => Answer::Unknown,
        Some((_, Err(_))) => Answer::No,
    }
}

fn document<'a>(found: &'a Found, args: &Lookup) -> LookupDocument<'a> {
    let returned = found.returned.as_ref().map(|(id, answer)| {
        let session = answer.as_ref().ok().map(|(_, session)| {
            json!({
                "store": path_text(&session.store),
                "cwd": session.cwd.as_deref().map(path_text),
                "model": session.model,
                "last_at": session.last_at,
            })
        });
        let refused = answer.as_ref().err();
        let refused =
            refused.map(|why| json!({"name": why.name, "reason": Inert::from(why.reason.as_str())}));
        json!({"id": id, "verified": answer.is_ok(), "refused": refused, "session": session})
    });
    LookupDocument {
        schema: "moorline.lookup/1",
        query: args.query.as_str().into(),
        decision: &found.record,
        missing: found.missing(),
        request: found.request.as_ref(),
        returned,
        draft: found.draft.as_ref(),
        summary: match why_not(found) {
            Some(why) => Summary::plain(found.done(), found.next()).outcome(why),
            None => Summary::plain(found.done(), found.next()),
        },
    }
}

/// Why there is no request, or why the id that came back is not taken.
fn why_not(found: &Found) -> Option<String> {
    match &found.returned {
        _ if !found.record.is_delegated() => Some(found.missing().join("\n")),
        Some((_, Err(why))) => Some(format!("refused ({}): {}", why.name, why.reason)),
        None | Some((_, Ok(_))) => None,
    }
}

fn said(found: &Found, out: &mut dyn Write) -> Result<(), Stop> {
    writeln!(out, "{}", sentence(&found.record))?;
    for line in found.missing() {
        writeln!(out, "missing: {}", Inert::from(line).shown_line())?;
    }
    match &found.returned {
        None => {
            if let Some(request) = &found.request {
                writeln!(out, "request:")?;
                print_json(request, out)?;
            }
        }
        Some((id, Ok(_))) => writeln!(out, "verified: {}", id.shown_line())?,
        Some((id, Err(why))) => {
            let reason = Inert::from(why.reason.as_str()).shown_line();
            writeln!(out, "refused ({}): {}: {reason}", why.name, id.shown_line())?;
        }
    }
    if let Some(draft) = &found.draft {
        writeln!(out, "draft: {draft}")?;
    }
    Ok(writeln!(out, "next: {}", found.next())?)
}
