//! What the reader must get right whatever is in a file.

use super::super::{Habit, Handoff, Source};

mod bombs;
mod differential;
mod format;
mod forms;
mod gate;
mod mutations;
mod palette;
mod roundtrip;
mod silent_loss;

/// A strict file with one lane that may be resumed, and every kind of value that the format knows.
pub(super) const SAMPLE: &str = r#"# Handoff
schema_version: 1
saved_at: 2026-08-25T19:20:03Z
context_at_save: ~80%
repository: git.example/marlpit/kilnfinder
branch: integration/kiln-index
head: 5235f16e5cd01ab973f4ade2385d661de8ed5b66
north_star: .thunderkit/NORTH_STAR.md   # begin reading here
current_stage: 9 Execute   # second layer of the plan
active_artifact: .thunderkit/PLAN.md
active_artifact_sha256: 647bef2a6bc8c18913b9681cab58a44084f03065085a755f881ab2c75cb7000d
model_contract:
  classes:
    planner: opus48
    executors: [opus48, sol]
    reviewers: all
  review_families_min: 2
  frozen_paths: []
  delegation: auto
lanes_in_flight:
  - id: L1-kiln-index
    worktree: .thunderkit/runs/r-0825/worktrees/L1-kiln-index
    branch: tk/L1-kiln-index
    head: 754d1e4e17bd20f4425c05d20dfcf4650c217941
    harness: claude
    harness_version: "2.3.9"
    session_id: 77cb38c3-fc74-468f-8b37-1cc8736a9845
    model_class: executors
    requested_model:
      catalog_key: opus48
      provider: anthropic
      model_id: claude-opus-4-8
      effort: high
    effective_model: {catalog_key: opus48, provider: anthropic, model_id: claude-opus-4-8, effort: high}
    observed_model: null
    observed_family: null
    origin: owned
    ecosystem: null
    package_version: null
    skill_name: null
    source: null
    source_sha256: null
    artifact: .thunderkit/runs/L1-kiln-index.json
    artifact_sha256: 50b4b1a7621c838865987fe29cc6d063cf4242b570613e9f6f24dbc4c2956c98
    status: unknown
    resumability: unverified
    reason: terminal closed before the last tool result came back
    evidence_paths:
      - .thunderkit/runs/L1-kiln-index.json
decisions_this_session:
  - Cache keys include the register edition
next_action: Look at what L1 wrote last
open_unknowns: Nobody has measured the rebuild yet
"#;

/// Reads a text as the file of a project.
pub(super) fn read(text: &str) -> Handoff {
    read_bytes(text.as_bytes())
}

/// Reads bytes as the file of a project.
pub(super) fn read_bytes(bytes: &[u8]) -> Handoff {
    super::read(&Source { bytes, name: "HANDOFF.md", habit: Habit::Thunderkit, cut_from: None })
}

/// The codes of a handoff's errors, in file order.
pub(super) fn errors(handoff: &Handoff) -> Vec<&'static str> {
    handoff.problems.iter().filter(|problem| problem.is_error()).map(|problem| problem.code).collect()
}

/// The sample with one line put in place of another; the other must be there.
pub(super) fn with(line: &str, instead: &str) -> String {
    let changed = SAMPLE.replacen(line, instead, 1);
    assert_ne!(changed, SAMPLE, "the sample holds {line:?}");
    changed
}
