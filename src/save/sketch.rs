//! What can be told of a save while the saver still writes: the place, the lanes, the document as far as it goes,
//! and the choices that there are. Nothing is written, and nothing is run.

use std::path::Path;

use super::draft::{self, Draft, Refusal, Request};
use super::facts::Facts;
use super::narrative::Narrative;
use super::target::Target;
use super::thunderkit::{self, Said};
use crate::check::Examiner;
use crate::handoff::{Family, HarnessName, Inert, Lane, ModelClass, SessionId};
use crate::harness::{self, Answer};

/// The most past sessions of a worktree that are listed, the last ones first.
const MOST_SESSIONS: usize = 20;

/// A save as far as it has come. Each part is told for itself: a document that still lacks something hides neither
/// the place nor the lanes.
#[derive(Debug)]
pub struct Sketch {
    /// Where it would go.
    pub target: Result<Target, Refusal>,
    /// The lanes that it would have (thunderkit; else none).
    pub lanes: Result<Vec<Lane>, Refusal>,
    /// Everything, once nothing is missing.
    pub draft: Result<Draft, Refusal>,
}

impl Sketch {
    /// Of what was said so far, with facts that were captured before.
    pub fn of(examiner: &Examiner, request: &Request<'_>, facts: &Facts) -> Self {
        // A narrative that says nothing yet is none that says something wrong: the draft tells them apart.
        let narrative = Narrative::parse(request.text).unwrap_or_default();
        let target = draft::target(examiner, request, &narrative, facts);
        let lanes = match (&target, request.family) {
            (Ok(target), Family::Thunderkit) => lanes(examiner, request, &narrative, target),
            _ => Ok(Vec::new()),
        };
        Self { target, lanes, draft: Draft::with(examiner, request, facts) }
    }
}

fn lanes(
    examiner: &Examiner,
    request: &Request<'_>,
    narrative: &Narrative,
    target: &Target,
) -> Result<Vec<Lane>, Refusal> {
    let before = draft::read(target)?.map(|bytes| thunderkit::before(&bytes));
    let policy = Said::of(examiner);
    thunderkit::lanes(examiner, request, narrative, before.as_ref(), &policy).map(|(lanes, _)| lanes)
}

/// The classes of a valid config, each with the keys of its models; none where there is no valid config.
pub fn classes(examiner: &Examiner) -> Vec<(ModelClass, Vec<String>)> {
    let said = Said::of(examiner);
    let policy = said.policy();
    let (Some(config), Some(catalog)) = (policy.config, policy.catalog) else { return Vec::new() };
    [ModelClass::Planner, ModelClass::Executors, ModelClass::Reviewers]
        .map(|class| (class, config.class(class, catalog)))
        .to_vec()
}

/// A session that worked in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Past {
    /// Whose.
    pub harness: HarnessName,
    /// Which.
    pub id: SessionId,
    /// What it is called, where its store keeps that apart from what was said.
    pub title: Option<Inert>,
    /// When its first row was written, as the store says.
    pub began_at: Option<String>,
    /// When its last row was written, as the store says.
    pub last_at: Option<String>,
    /// The model that answered last.
    pub model: Option<Inert>,
    /// Its finished turns.
    pub turns: usize,
}

/// The past sessions of one directory, the last ones first, and the stores that could not be asked. Only their
/// identity is read out of the stores, never what was said in them. To be called only after a person's yes.
pub fn past_sessions(
    examiner: &Examiner,
    directory: &Path,
    is_late: &dyn Fn() -> bool,
) -> (Vec<Past>, Vec<String>) {
    let (mut past, mut silent) = (Vec::new(), Vec::new());
    for name in HarnessName::ALL {
        let harness = harness::of(name);
        let ids = match harness.created_since(examiner.around(), &[directory], i64::MIN) {
            Answer::Found(ids) => ids,
            Answer::Absent(_) => continue,
            Answer::Unknown(why) => {
                silent.push(format!("{}: {why}", name.as_str()));
                continue;
            }
        };
        for id in ids {
            if is_late() {
                return (past, silent);
            }
            if let Answer::Found(session) = harness.session(examiner.around(), &id) {
                past.push(Past {
                    harness: name,
                    id,
                    title: session.title,
                    began_at: session.began_at,
                    last_at: session.last_at,
                    model: session.model,
                    turns: session.turns,
                });
            }
        }
    }
    past.sort_by(|a, b| b.last_at.cmp(&a.last_at));
    past.truncate(MOST_SESSIONS);
    (past, silent)
}
