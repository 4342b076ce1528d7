//! `(handoff, evidence) → checks`, pure: no file, clock or process is touched here.
//!
//! Each function judges one row of the table. A fact that is missing from the world is *unknown*; a record that
//! the file should hold and does not is *failed*; nothing passes that was not compared.

mod artifacts;
mod context;
mod identity;
mod model;
mod native;
mod record;
mod session;

#[cfg(test)]
mod tests;

pub use identity::NORTH_STAR;

use super::evidence::{Evidence, Fact, LaneEvidence, Own, Policy, Seen};
use super::report::{Check, CheckId, Outcome, Subject};
use crate::handoff::{Family, Fields, Handoff, Inert, Lane, Root, Value};

/// The checks of a handoff: those about the whole, and those of each lane in file order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Judged {
    /// About the handoff as a whole.
    pub root: Vec<Check>,
    /// Per lane.
    pub lanes: Vec<Vec<Check>>,
}

/// Judges a handoff by its evidence.
pub fn judge(handoff: &Handoff, evidence: &Evidence) -> Judged {
    match &evidence.own {
        Own::Context(surrounding) => {
            Judged { root: context::checks(handoff, evidence, surrounding), lanes: Vec::new() }
        }
        Own::Thunderkit(policy) if handoff.family == Family::Thunderkit => strict(handoff, evidence, policy),
        Own::Thunderkit(_) => legacy(handoff),
    }
}

/// thunderkit v1: the whole table.
fn strict(handoff: &Handoff, evidence: &Evidence, policy: &Policy) -> Judged {
    let nothing = Root::default();
    let root = handoff.root().unwrap_or(&nothing);
    let checks = vec![
        identity::schema(handoff),
        identity::config(handoff, root, policy),
        identity::repository(handoff, root, &evidence.repository),
        identity::root_branch(handoff, root, &evidence.head),
        identity::root_head(handoff, root, evidence),
        artifacts::active(handoff, root, policy),
        model::contract(handoff, root, policy),
        record::stage(handoff, root),
    ];
    let lanes = handoff.lanes.iter().zip(&policy.lanes).enumerate().map(|(index, (lane, seen))| {
        let at = AtLane { index, lane, seen, all: &handoff.lanes };
        let mut checks = vec![
            identity::worktree(&at),
            identity::lane_branch(&at),
            identity::lane_head(&at),
            artifacts::lane(&at),
            artifacts::evidence(&at),
            model::binding(&at, policy),
        ];
        checks.extend(native::source(&at, policy));
        checks.extend([
            native::runtime_home(&at),
            session::harness(&at),
            session::id(&at),
            session::exists(&at),
            session::directory(&at),
            session::model(&at),
            session::liveness(&at),
            record::status(&at),
            record::resumability(&at),
        ]);
        checks
    });
    Judged { root: checks, lanes: lanes.collect() }
}

/// thunderkit's first release: it can be read, and authorizes nothing.
fn legacy(handoff: &Handoff) -> Judged {
    Judged {
        root: vec![identity::schema(handoff)],
        lanes: handoff.lanes.iter().map(|_| Vec::new()).collect(),
    }
}

/// One lane with what is true about it.
struct AtLane<'a> {
    index: usize,
    lane: &'a Lane,
    seen: &'a LaneEvidence,
    all: &'a [Lane],
}

impl AtLane<'_> {
    /// A check about this lane; its line is the field's.
    fn check(&self, id: CheckId, field: &str) -> Draft {
        Draft::new(id, Subject::Lane(self.index, self.lane.id.clone())).line(self.lane.fields.line_of(field))
    }
}

/// A check about the root; its line is the field's.
fn at_root(handoff: &Handoff, id: CheckId, field: &str) -> Draft {
    Draft::new(id, Subject::Root).line(handoff.fields.line_of(field))
}

/// A check in the making: what was expected, observed and where, until its outcome is said.
pub(super) struct Draft(Check);

impl Draft {
    fn new(id: CheckId, subject: Subject) -> Self {
        Self(Check {
            id,
            subject,
            outcome: Outcome::Unknown,
            expected: None,
            observed: None,
            source: None,
            reason: None,
            line: None,
        })
    }

    fn line(mut self, line: Option<u32>) -> Self {
        self.0.line = line;
        self
    }

    fn expected(mut self, text: impl Into<Inert>) -> Self {
        self.0.expected = Some(text.into());
        self
    }

    fn observed(mut self, text: impl Into<Inert>) -> Self {
        self.0.observed = Some(text.into());
        self
    }

    fn source(mut self, text: impl Into<Inert>) -> Self {
        self.0.source = Some(text.into());
        self
    }

    fn end(mut self, outcome: Outcome, reason: Option<Inert>) -> Check {
        self.0.outcome = outcome;
        self.0.reason = reason;
        // What was compared with nothing else was read in the file alone.
        self.0.source.get_or_insert_with(|| "the file".into());
        self.0
    }

    fn passed(self) -> Check {
        self.end(Outcome::Passed, None)
    }

    fn passed_with(self, note: impl Into<Inert>) -> Check {
        self.end(Outcome::Passed, Some(note.into()))
    }

    fn failed(self, reason: impl Into<Inert>) -> Check {
        self.end(Outcome::Failed, Some(reason.into()))
    }

    fn unknown(self, reason: impl Into<Inert>) -> Check {
        self.end(Outcome::Unknown, Some(reason.into()))
    }

    fn not_applicable(self, reason: impl Into<Inert>) -> Check {
        self.end(Outcome::NotApplicable, Some(reason.into()))
    }

    /// Goes on with a known fact; an absent one fails the check and an unknown one leaves it unknown.
    fn with<T>(self, seen: &Seen<T>, go_on: impl FnOnce(Self, &T) -> Check) -> Check {
        let draft = self.source(seen.source.as_str());
        match &seen.fact {
            Fact::Known(value) => go_on(draft, value),
            Fact::Absent(why) => draft.failed(why.as_str()),
            Fact::Unknown(why) => draft.unknown(why.as_str()),
        }
    }
}

/// What a file says under a name whose legal value is missing.
enum Said<'a> {
    /// Nothing: the key is not there, or says null.
    Nothing,
    /// Something that is not legal, or that is said twice.
    Illegal(&'a Inert),
    /// Something of another kind than text.
    OtherKind,
}

fn said<'a>(fields: &'a Fields, name: &str) -> Said<'a> {
    match fields.get(name).map(|field| &field.value) {
        None | Some(Value::Null) => Said::Nothing,
        Some(Value::Text(text)) => Said::Illegal(text),
        Some(_) => Said::OtherKind,
    }
}

/// Fails a check for want of its record: nothing recorded, or nothing legal.
fn unrecorded(draft: Draft, fields: &Fields, name: &str, what: &str) -> Check {
    match said(fields, name) {
        Said::Nothing => {
            draft.failed(format!("no recorded {what}: save the handoff again where it is known"))
        }
        Said::Illegal(text) => {
            let draft = draft.expected(text.clone());
            draft.failed(format!(
                "the recorded {what} is not legal (or stands there twice), and is never cleaned"
            ))
        }
        Said::OtherKind => draft.failed(format!("the recorded {what} is of the wrong kind")),
    }
}
