//! One lane of a v1 file.

use super::super::{
    HarnessName, Inert, Lane, LaneStatus, ModelIdentity, Origin, Resumability, has_own_shape,
};
use super::node::{Entry, Kind, Node};
use super::schema;
use super::section::{Null, Section};
use super::v1::fields;

/// Reads a lane. What is null, not legal or said twice is `None`, and every objection is reported.
///
/// A lane must say its id, origin, status and resumability; every other fact may be unknown.
pub(super) fn read(entries: &[Entry<'_>], section: &mut Section<'_, '_>) -> Lane {
    section.has_exactly(&schema::LANE);
    let ecosystem = section.word("ecosystem", Null::Allowed, &schema::ECOSYSTEMS).map(Inert::from);
    Lane {
        id: section.ident("id", Null::Refused),
        worktree: section.worktree("worktree"),
        branch: section.ident("branch", Null::Allowed),
        head: section.ident("head", Null::Allowed),
        harness: section.word("harness", Null::Allowed, &schema::HARNESSES),
        harness_version: section.name("harness_version", Null::Allowed),
        session_id: section.ident("session_id", Null::Allowed),
        model_class: section.word("model_class", Null::Allowed, &schema::CLASSES),
        requested_model: model(section, "requested_model"),
        effective_model: model(section, "effective_model"),
        observed_model: model(section, "observed_model"),
        observed_family: section.name("observed_family", Null::Allowed),
        origin: section.word("origin", Null::Refused, &schema::ORIGINS),
        ecosystem,
        package_version: section.name("package_version", Null::Allowed),
        skill_name: section.name("skill_name", Null::Allowed),
        source: section.ident("source", Null::Allowed),
        source_sha256: section.ident("source_sha256", Null::Allowed),
        artifact: section.ident("artifact", Null::Allowed),
        artifact_sha256: section.ident("artifact_sha256", Null::Allowed),
        status: section.word("status", Null::Refused, &schema::STATUSES),
        resumability: section.word("resumability", Null::Refused, &schema::RESUMABILITIES),
        reason: section.text("reason", Null::Allowed),
        evidence_paths: section.paths("evidence_paths"),
        structurally_resumable: false,
        fields: fields(entries),
    }
}

/// A model identity: null, or all four keys with a text each (effort may be null).
fn model(section: &mut Section<'_, '_>, key: &str) -> Option<ModelIdentity> {
    let (entries, at) = section.map(key)?;
    let mut model = section.below(entries, at);
    model.has_exactly(&schema::MODEL);
    let catalog_key = model.name("catalog_key", Null::Refused);
    let provider = model.name("provider", Null::Refused);
    let model_id = model.name("model_id", Null::Refused);
    let effort = model.name("effort", Null::Allowed);
    Some(ModelIdentity { catalog_key: catalog_key?, provider: provider?, model_id: model_id?, effort })
}

/// Whether an entry of the lane list is a form that nobody filled in: it says something, and all it says are
/// blanks.
pub(super) fn is_blank_form(entries: &[Entry<'_>]) -> bool {
    let mut said = entries.iter().filter_map(|entry| entry.value.as_scalar()).filter(|s| !s.text.is_empty());
    let is_unsaid = |text: &str| matches!(text, "null" | "~");
    let blanks = entries.iter().filter(|entry| is_blank(&entry.value)).count();
    blanks > 0 && said.all(|scalar| is_unsaid(&scalar.text) || scalar.is_placeholder())
}

fn is_blank(node: &Node<'_>) -> bool {
    matches!(&node.kind, Kind::Scalar(scalar) if scalar.is_placeholder())
}

/// Whether a lane of a strict file may be resumed as far as the file alone can say.
pub(super) fn is_resumable(lane: &Lane) -> bool {
    let own_id = match (lane.harness, &lane.session_id) {
        (Some(harness), Some(id)) => harness != HarnessName::Opencode && has_own_shape(harness, id),
        _ => false,
    };
    own_id
        && lane.id.is_some()
        && lane.worktree.is_some()
        && lane.resumability == Some(Resumability::Unverified)
        && !matches!(lane.status, None | Some(LaneStatus::Completed))
        && match lane.origin {
            Some(Origin::Native) => lane.source.is_some(),
            Some(Origin::Owned | Origin::Unknown) => true,
            None => false,
        }
}
