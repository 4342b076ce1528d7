//! Bytes: artifacts by their digests, evidence paths by their presence.

use super::super::evidence::{Fact, Policy, Seen};
use super::super::report::{Check, CheckId};
use super::{AtLane, Draft, Said, at_root, said, unrecorded};
use crate::handoff::{Digest, Fields, Handoff, RelPath, Root, Value};

pub(super) fn active(handoff: &Handoff, root: &Root, policy: &Policy) -> Check {
    let draft = at_root(handoff, CheckId::ActiveArtifact, "active_artifact");
    let names = ["active_artifact", "active_artifact_sha256"];
    let recorded = (root.active_artifact.as_ref(), root.active_artifact_sha256.as_ref());
    artifact(draft, &handoff.fields, names, recorded, policy.artifact.as_ref())
}

pub(super) fn lane(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::LaneArtifact, "artifact");
    let recorded = (at.lane.artifact.as_ref(), at.lane.artifact_sha256.as_ref());
    artifact(draft, &at.lane.fields, ["artifact", "artifact_sha256"], recorded, at.seen.artifact.as_ref())
}

/// A recorded path with its recorded digest against the bytes that lie there.
fn artifact(
    draft: Draft,
    fields: &Fields,
    [path_field, digest_field]: [&str; 2],
    (path, digest): (Option<&RelPath>, Option<&Digest>),
    now: Option<&Seen<Digest>>,
) -> Check {
    let (Some(path), Some(now)) = (path, now) else {
        return match said(fields, path_field) {
            Said::Nothing => draft.not_applicable("no artifact is recorded"),
            _ => unrecorded(draft, fields, path_field, "artifact path"),
        };
    };
    let draft = match digest {
        Some(digest) => draft.expected(format!("{path} sha256 {digest}")),
        None => draft.expected(path.as_str()),
    };
    let illegal_digest = digest.is_none() && !matches!(said(fields, digest_field), Said::Nothing);
    draft.with(now, |draft, now| {
        let draft = draft.observed(format!("sha256 {now}"));
        match digest {
            Some(digest) if digest == now => draft.passed(),
            Some(_) => draft.failed(format!("{path} has other bytes than when it was saved")),
            None if illegal_digest => draft.failed("the recorded digest is not a SHA-256"),
            None => draft
                .unknown(format!("{path} is recorded without a digest: nothing to compare its bytes with")),
        }
    })
}

pub(super) fn evidence(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::Evidence, "evidence_paths");
    let recorded = match at.lane.fields.get("evidence_paths").map(|field| &field.value) {
        Some(Value::List(items)) => items.len(),
        Some(Value::Null) | None => 0,
        Some(_) => return draft.failed("the recorded evidence paths are no list"),
    };
    if recorded > at.lane.evidence_paths.len() {
        return draft.failed("an evidence path is not a plain project-relative path");
    }
    if at.seen.evidence.is_empty() {
        return draft.not_applicable("no evidence path is recorded");
    }
    let draft = draft.expected(format!("{} path(s) in the project", at.seen.evidence.len()));
    let worst = |wanted: fn(&Fact<()>) -> Option<&String>| {
        at.seen.evidence.iter().find_map(|(path, seen)| Some((path, wanted(&seen.fact)?)))
    };
    let absent = worst(|fact| if let Fact::Absent(why) = fact { Some(why) } else { None });
    let unknown = worst(|fact| if let Fact::Unknown(why) = fact { Some(why) } else { None });
    let draft = draft.source("the project's files");
    match (absent, unknown) {
        (Some((path, why)), _) => draft.observed(path.as_str()).failed(why.as_str()),
        (None, Some((path, why))) => draft.observed(path.as_str()).unknown(why.as_str()),
        (None, None) => draft.observed("all there").passed(),
    }
}
