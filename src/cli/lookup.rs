//! `moorline lookup`: one missing session, looked for by the host's own component.
//!
//! moorline searches no history. It decides whether the component may be asked, and says what is missing where it may
//! not; then it writes the bounded request for the host to carry out, and takes in the id that came back as data. No
//! session store is opened before the decision allows it, and then only the one store, by exactly that id.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Value, json};

use super::args::{CommandLine, Lookup};
use super::desk::Desk;
use super::resolve::sentence;
use super::shape::path_text;
use super::{Answer, Stop, print_json};
use crate::check::Summary;
use crate::check::returned::{self, Refused};
use crate::handoff::{HarnessName, Inert, SessionId};
use crate::harness::Session;
use crate::policy::read::Named;
use crate::policy::record::{Reason, Record, TargetName};
use crate::policy::resolver::{self, Request};

/// Where a project keeps what the decision is made from.
const CONFIG: &str = ".thunderkit/config.json";
const LOCK: &str = ".thunderkit/peers.lock.json";

/// The operation that a lookup is.
const REQUEST: Request<'_> = Request { skill: Some("tk-handoff"), operation: Some("lookup") };

/// `moorline.lookup/1`
#[derive(Serialize)]
struct LookupDocument<'a> {
    schema: &'static str,
    query: Inert,
    decision: &'a Record,
    /// What has to be there before the component may be asked; empty where it may be.
    missing: Vec<String>,
    /// The bounded request; `null` where the component may not be asked.
    request: Option<Value>,
    /// The id that came back, verified or refused by name; `null` where none was given or none may be taken.
    returned: Option<Value>,
    /// A narrative for `moorline save --format thunderkit --from -`, in which every check still applies.
    draft: Option<Value>,
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
    let harness = HarnessName::parse(&args.platform).ok_or_else(|| Stop::bad("no such harness"))?;
    let record = resolver::resolve(REQUEST, &named(line, desk, args));
    let cwd = args.cwd.as_ref().map_or_else(|| desk.examiner.project().to_owned(), |cwd| desk.cwd.join(cwd));
    let target = record.target.as_ref().filter(|_| record.is_delegated());
    let request = target.map(|target| request(desk, args, target, &cwd));
    let returned = match (&args.returned, target) {
        (Some(id), Some(_)) => Some((id.as_str(), returned::verify(&desk.examiner, harness, id, &cwd))),
        _ => None,
    };
    let verified = returned.as_ref().and_then(|(_, answer)| answer.as_ref().ok()).map(|(id, _)| id);
    let found = Found {
        record: &record,
        draft: verified.and_then(|id| draft(args, harness, id, &cwd)),
        request,
        returned,
    };
    match args.json {
        true => print_json(&found.document(args), out)?,
        false => found.said(out)?,
    }
    Ok(found.answer())
}

/// The inputs: what a person named, else the project's own places.
fn named(line: &CommandLine, desk: &Desk, args: &Lookup) -> Named {
    let project = desk.examiner.project();
    let at = |path: &PathBuf| desk.cwd.join(path);
    let own = |relative: &str| Some(project.join(relative)).filter(|path| path.exists());
    let settings = desk.examiner.settings();
    Named {
        project: project.to_owned(),
        config: line.config.as_ref().map(at).or_else(|| own(CONFIG)),
        capabilities: args.capabilities.as_ref().map(at),
        lock: args.lock.as_ref().map(at).or_else(|| own(LOCK)),
        catalog: settings.catalog.clone(),
        manifest: settings.manifest.clone(),
        proc: desk.examiner.around().proc.clone(),
    }
}

/// The request as data for the host: read-only, one directory, one platform, bounded.
fn request(desk: &Desk, args: &Lookup, target: &TargetName, cwd: &Path) -> Value {
    json!({
        "component": target,
        "platform": args.platform,
        "project": path_text(desk.examiner.project()),
        "cwd": path_text(cwd),
        "query": Inert::from(args.query.as_str()),
        "since": args.since.map(|date| date.to_string()),
        "until": args.until.map(|date| date.to_string()),
        "budget": {"sessions": args.budget},
        "read_only": true,
        "fan_out": false,
        "child_sessions": false,
        "answer": "session ids, as data",
    })
}

/// What a save takes: the lane and its session. `None` where no lane is named and the directory names none.
fn draft(args: &Lookup, harness: HarnessName, id: &SessionId, cwd: &Path) -> Option<Value> {
    let of_directory = || cwd.file_name()?.to_str().map(str::to_owned);
    let lane = args.lane.clone().or_else(of_directory)?;
    Some(json!({"lanes": [{"id": Inert::from(lane), "harness": harness.as_str(), "session_id": id}]}))
}

/// A returned id with its session, or why it is refused.
type Verified = Result<(SessionId, Session), Refused>;

/// What a lookup came to.
struct Found<'a> {
    record: &'a Record,
    request: Option<Value>,
    returned: Option<(&'a str, Verified)>,
    draft: Option<Value>,
}

impl Found<'_> {
    fn answer(&self) -> Answer {
        match &self.returned {
            _ if self.record.reason_code == Reason::InvalidConfig => Answer::Bad,
            _ if !self.record.is_delegated() => Answer::No,
            None | Some((_, Ok(_))) => Answer::Yes,
            Some((_, Err(why))) if why.is_unknown() => Answer::Unknown,
            Some((_, Err(_))) => Answer::No,
        }
    }

    fn missing(&self) -> Vec<String> {
        match self.record.is_delegated() {
            true => Vec::new(),
            false => vec![format!("{}: {}", self.record.detail.plain(), next(self.record.reason_code))],
        }
    }

    fn next(&self) -> &'static str {
        match &self.returned {
            _ if !self.record.is_delegated() => "settle what is missing, then look again",
            None => {
                "give the request to the host's own component; then name what it returned with --returned"
            }
            Some((_, Ok(_))) => "put the draft into a save: moorline save --format thunderkit --from -",
            Some((_, Err(_))) => "nothing: a refused id is not recorded",
        }
    }

    fn done(&self) -> &'static str {
        match &self.returned {
            _ if !self.record.is_delegated() => "decided that no component may be asked",
            None => "wrote the request for the host's own component",
            Some((_, Ok(_))) => "verified the returned id",
            Some((_, Err(_))) => "refused the returned id",
        }
    }

    fn document(&self, args: &Lookup) -> LookupDocument<'_> {
        let returned = self.returned.as_ref().map(|(id, answer)| {
            let session = answer.as_ref().ok().map(|(_, session)| {
                json!({
                    "store": path_text(&session.store),
                    "cwd": session.cwd.as_deref().map(path_text),
                    "model": session.model,
                    "last_at": session.last_at,
                })
            });
            let refused = answer.as_ref().err().map(|why| json!({"name": why.name, "reason": why.reason}));
            json!({"id": Inert::from(*id), "verified": answer.is_ok(), "refused": refused, "session": session})
        });
        LookupDocument {
            schema: "moorline.lookup/1",
            query: args.query.as_str().into(),
            decision: self.record,
            missing: self.missing(),
            request: self.request.clone(),
            returned,
            draft: self.draft.clone(),
            summary: Summary::plain(self.done(), self.next()),
        }
    }

    fn said(&self, out: &mut dyn Write) -> Result<(), Stop> {
        writeln!(out, "{}", sentence(self.record))?;
        for line in self.missing() {
            writeln!(out, "missing: {}", Inert::from(line).shown_line())?;
        }
        match &self.returned {
            None => {
                if let Some(request) = &self.request {
                    writeln!(out, "request:")?;
                    print_json(request, out)?;
                }
            }
            Some((id, Ok(_))) => writeln!(out, "verified: {}", Inert::from(*id).shown_line())?,
            Some((id, Err(why))) => writeln!(
                out,
                "refused ({}): {}: {}",
                why.name,
                Inert::from(*id).shown_line(),
                Inert::from(why.reason.as_str()).shown_line()
            )?,
        }
        if let Some(draft) = &self.draft {
            writeln!(out, "draft: {draft}")?;
        }
        Ok(writeln!(out, "next: {}", self.next())?)
    }
}

/// What a person can do about a reason.
fn next(reason: Reason) -> &'static str {
    match reason {
        Reason::InvalidConfig => "give a valid --config and the host's --capabilities",
        Reason::Disabled => "turn delegation on in the config, or name the session yourself in a save",
        Reason::OwnedPolicy => {
            "enable the component's ecosystem in the config, or name the session yourself in a save"
        }
        Reason::PeerMissing => "load the component in the host, and take a new snapshot",
        Reason::PeerUnlocked => "lock the installed peer for this host",
        Reason::UnsupportedHost => "ask from a host that the component is made for",
        Reason::VersionMismatch | Reason::SourceMismatch => {
            "install exactly what is pinned, or lock anew what you trust"
        }
        Reason::CapabilityMissing => "give the host the tool, and take a new snapshot",
        Reason::MissingEvidence => "say in the host that you want the lookup, and take a new snapshot",
        Reason::ModelMismatch | Reason::UnsafeRuntimeHome => {
            "settle the host's bindings, and take a new snapshot"
        }
        Reason::Compatible => "nothing is missing",
    }
}
