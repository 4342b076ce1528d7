//! One missing session, looked for by the host's own component.
//!
//! moorline searches no history. It decides whether the component may be asked, and says what is missing where it may
//! not; then it makes the bounded request for the host to carry out, and takes in the id that came back as data. No
//! session store is opened before the decision allows it, and then only the one store, by exactly that id.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::check::Examiner;
use crate::check::returned::{self, Refused};
use crate::handoff::{HarnessName, Inert, SessionId, inert};
use crate::harness::Session;
use crate::policy::read::Named;
use crate::policy::record::{Reason, Record, TargetName};
use crate::policy::resolver::{self, Request};

/// Where a project keeps what the decision is made from.
const CONFIG: &str = ".thunderkit/config.json";
const LOCK: &str = ".thunderkit/peers.lock.json";

/// The operation that a lookup is.
const REQUEST: Request<'_> = Request { skill: Some("tk-handoff"), operation: Some("lookup") };

/// What a person asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What the missing session was about.
    pub query: String,
    /// Whose session it was.
    pub platform: HarnessName,
    /// The directory it worked in.
    pub cwd: PathBuf,
    /// Not before this date (`YYYY-MM-DD`).
    pub since: Option<String>,
    /// Not after this date.
    pub until: Option<String>,
    /// At most so many sessions may be looked at.
    pub budget: u32,
    /// The config; without one the project's own.
    pub config: Option<PathBuf>,
    /// The host's capability snapshot.
    pub capabilities: Option<PathBuf>,
    /// The lock; without one the project's own.
    pub lock: Option<PathBuf>,
    /// The id that the component returned.
    pub returned: Option<String>,
    /// The lane that the session belongs to; without one the name of the directory.
    pub lane: Option<String>,
}

/// A returned id with its session, or why it is refused.
pub type Verified = Result<(SessionId, Session), Refused>;

/// What a lookup came to.
#[derive(Debug, Clone)]
pub struct Found {
    /// Whether the component may be asked.
    pub record: Record,
    /// The bounded request; `None` where it may not.
    pub request: Option<Value>,
    /// The id that came back; `None` where none was given, or none may be taken.
    pub returned: Option<(Inert, Verified)>,
    /// A narrative for a save in thunderkit's format, in which every check still applies.
    pub draft: Option<Value>,
}

/// Decides, and goes as far as the decision allows.
pub fn look_up(examiner: &Examiner, question: &Question) -> Found {
    let record = resolver::resolve(REQUEST, &named(examiner, question));
    let target = record.target.as_ref().filter(|_| record.is_delegated());
    let request = target.map(|target| request(examiner, question, target));
    let returned = question.returned.as_ref().filter(|_| target.is_some()).map(|id| {
        let verified = returned::verify(examiner, question.platform, id, &question.cwd);
        (Inert::from(id.as_str()), verified)
    });
    let id = returned.as_ref().and_then(|(_, verified)| verified.as_ref().ok()).map(|(id, _)| id);
    let draft = id.and_then(|id| draft(question, id));
    Found { record, request, returned, draft }
}

/// The inputs: what a person named, else the project's own places.
fn named(examiner: &Examiner, question: &Question) -> Named {
    let project = examiner.project();
    let own = |relative: &str| Some(project.join(relative)).filter(|path| path.exists());
    let settings = examiner.settings();
    Named {
        project: project.to_owned(),
        config: question.config.clone().or_else(|| own(CONFIG)),
        capabilities: question.capabilities.clone(),
        lock: question.lock.clone().or_else(|| own(LOCK)),
        catalog: settings.catalog.clone(),
        manifest: settings.manifest.clone(),
        proc: examiner.around().proc.clone(),
    }
}

/// The request as data for the host: read-only, one directory, one platform, bounded.
fn request(examiner: &Examiner, question: &Question, target: &TargetName) -> Value {
    json!({
        "component": target,
        "platform": question.platform.as_str(),
        "project": path_text(examiner.project()),
        "cwd": path_text(&question.cwd),
        "query": Inert::from(question.query.as_str()),
        "since": question.since,
        "until": question.until,
        "budget": {"sessions": question.budget},
        "read_only": true,
        "fan_out": false,
        "child_sessions": false,
        "answer": "session ids, as data",
    })
}

/// What a save takes: the lane and its session. `None` where no lane is named and the directory names none.
fn draft(question: &Question, id: &SessionId) -> Option<Value> {
    let of_directory = || question.cwd.file_name()?.to_str().map(str::to_owned);
    let lane = question.lane.clone().or_else(of_directory)?;
    let harness = question.platform.as_str();
    Some(json!({"lanes": [{"id": Inert::from(lane), "harness": harness, "session_id": id}]}))
}

fn path_text(path: &Path) -> String {
    inert::plain_text(&path.to_string_lossy()).into_owned()
}

impl Found {
    /// What has to be there before the component may be asked, one sentence each; empty where it may be.
    pub fn missing(&self) -> Vec<String> {
        match self.record.is_delegated() {
            true => Vec::new(),
            false => vec![format!("{}: {}", self.record.detail.plain(), remedy(self.record.reason_code))],
        }
    }

    /// What may be done next.
    pub fn next(&self) -> &'static str {
        match &self.returned {
            _ if !self.record.is_delegated() => "settle what is missing, then look again",
            None => {
                "give the request to the host's own component; then name what it returned with --returned"
            }
            Some((_, Ok(_))) => "put the draft into a save: moorline save --format thunderkit --from -",
            Some((_, Err(_))) => "nothing: a refused id is not recorded",
        }
    }

    /// What was done.
    pub fn done(&self) -> &'static str {
        match &self.returned {
            _ if !self.record.is_delegated() => "decided that no component may be asked",
            None => "wrote the request for the host's own component",
            Some((_, Ok(_))) => "verified the returned id",
            Some((_, Err(_))) => "refused the returned id",
        }
    }
}

/// What a person can do about a reason.
fn remedy(reason: Reason) -> &'static str {
    match reason {
        Reason::InvalidConfig => "give a valid config and the host's capability snapshot",
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
