//! The keys of the format, in the order in which they are written.

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
