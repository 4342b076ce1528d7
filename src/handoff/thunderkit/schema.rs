//! The keys of the format, in the order in which they are written, and the words that some values are.

use super::super::{HarnessName, LaneStatus, ModelClass, Origin, Resumability};

/// The root's keys.
pub(super) const ROOT: [&str; 15] = [
    "schema_version",
    "saved_at",
    "context_at_save",
    "repository",
    "branch",
    "head",
    "north_star",
    "current_stage",
    "active_artifact",
    "active_artifact_sha256",
    "model_contract",
    "lanes_in_flight",
    "decisions_this_session",
    "next_action",
    "open_unknowns",
];

/// A lane's keys.
pub(super) const LANE: [&str; 24] = [
    "id",
    "worktree",
    "branch",
    "head",
    "harness",
    "harness_version",
    "session_id",
    "model_class",
    "requested_model",
    "effective_model",
    "observed_model",
    "observed_family",
    "origin",
    "ecosystem",
    "package_version",
    "skill_name",
    "source",
    "source_sha256",
    "artifact",
    "artifact_sha256",
    "status",
    "resumability",
    "reason",
    "evidence_paths",
];

/// A model identity's keys.
pub(super) const MODEL: [&str; 4] = ["catalog_key", "provider", "model_id", "effort"];

/// Whether a key holds a person's text, which is read from the raw line.
pub(super) fn is_text(key: &str) -> bool {
    matches!(
        key,
        "current_stage"
            | "context_at_save"
            | "next_action"
            | "open_unknowns"
            | "reason"
            | "decisions_this_session"
    )
}

/// The words for a harness.
pub(super) const HARNESSES: [(&str, HarnessName); 4] = [
    ("claude", HarnessName::Claude),
    ("codex", HarnessName::Codex),
    ("hermes", HarnessName::Hermes),
    ("opencode", HarnessName::Opencode),
];

/// The words for a class of models.
pub(super) const CLASSES: [(&str, ModelClass); 3] = [
    ("planner", ModelClass::Planner),
    ("executors", ModelClass::Executors),
    ("reviewers", ModelClass::Reviewers),
];

/// The words for who made a lane's routine.
pub(super) const ORIGINS: [(&str, Origin); 3] =
    [("owned", Origin::Owned), ("native", Origin::Native), ("unknown", Origin::Unknown)];

/// The words for an ecosystem.
pub(super) const ECOSYSTEMS: [(&str, &str); 3] = [("omo", "omo"), ("omh", "omh"), ("gsd", "gsd")];

/// The words for a lane's saved status.
pub(super) const STATUSES: [(&str, LaneStatus); 4] = [
    ("running", LaneStatus::Running),
    ("blocked", LaneStatus::Blocked),
    ("completed", LaneStatus::Completed),
    ("unknown", LaneStatus::Unknown),
];

/// The words for what the saver said about resuming.
pub(super) const RESUMABILITIES: [(&str, Resumability); 2] =
    [("unverified", Resumability::Unverified), ("not_resumable", Resumability::NotResumable)];

/// The word for a meaning; every meaning of a table has one.
pub(super) fn word_for<T: Copy + PartialEq>(words: &[(&'static str, T)], meaning: T) -> Option<&'static str> {
    words.iter().find(|(_, known)| *known == meaning).map(|(word, _)| *word)
}
