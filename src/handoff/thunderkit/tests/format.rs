//! What the format asks of keys and values, and when a lane may be resumed as far as the file can say.

use super::super::super::{Habit, Source};
use super::super::schema;
use super::{SAMPLE, errors, read, with};

#[test]
fn every_key_is_there_once_and_no_other() {
    for key in schema::ROOT {
        let line = SAMPLE.lines().find(|line| line.starts_with(key)).expect("the sample has every key");
        let text = SAMPLE.replacen(line, &line.replacen(key, &format!("{key}s"), 1), 1);
        let handoff = read(&text);
        assert!(errors(&handoff).contains(&"missing-key"), "{key} is missed");
        assert!(errors(&handoff).contains(&"unknown-key"), "{key}s is not known");
    }
    for key in schema::LANE {
        let lead = if key == "id" { "  - " } else { "    " };
        let text = with(&format!("\n{lead}{key}:"), &format!("\n{lead}{key}s:"));
        assert!(errors(&read(&text)).contains(&"missing-key"), "a lane's {key} is missed");
    }
    for key in schema::MODEL {
        let text = with(&format!("      {key}: "), &format!("      {key}x: "));
        assert!(errors(&read(&text)).contains(&"missing-key"), "a model's {key} is missed");
    }
}

#[test]
fn nothing_that_names_a_program_is_let_in() {
    for key in
        ["resume", "resume_command", "command", "argv", "args", "cmd", "env", "executable", "detail_hint"]
    {
        for (line, lead) in [("open_unknowns", ""), ("    status", "    "), ("      effort", "      ")] {
            let text = with(line, &format!("{lead}{key}: claude\n{line}"));
            assert_eq!(errors(&read(&text)), ["legacy-command"], "{key} before {line}");
        }
    }
}

#[test]
fn values_are_what_the_format_says() {
    for (line, instead, code) in [
        ("schema_version: 1", "schema_version: 2", "unsupported-schema"),
        ("schema_version: 1", "schema_version: \"1\"", "wrong-type"),
        ("schema_version: 1", "schema_version: 0x1", "wrong-type"),
        ("schema_version: 1", "schema_version: +1", "wrong-type"),
        ("schema_version: 1", "schema_version: 01", "unsupported-schema"),
        ("schema_version: 1", "schema_version: 1.0", "wrong-type"),
        ("schema_version: 1", "schema_version: true", "wrong-type"),
        ("schema_version: 1", "schema_version: null", "null-value"),
        ("schema_version: 1", "schema_version: [1]", "wrong-type"),
        ("saved_at: 2026-08-25T19:20:03Z", "saved_at: 2026-08-25", "malformed-time"),
        ("saved_at: 2026-08-25T19:20:03Z", "saved_at: 2026-13-25T19:20:03Z", "malformed-time"),
        ("saved_at: 2026-08-25T19:20:03Z", "saved_at: yesterday", "malformed-time"),
        ("head: 5235f16e5cd01ab973f4ade2385d661de8ed5b66", "head: 5235f16", "malformed-commit"),
        ("head: 5235f16e5cd01ab973f4ade2385d661de8ed5b66", "head: HEAD", "malformed-commit"),
        ("head: 5235f16e", "head: 5235F16E", "malformed-commit"),
        ("head: 5235f16e5cd01ab973f4ade2385d661de8ed5b66", "head: null", "null-value"),
        ("branch: integration/kiln-index", "branch: a..b", "malformed-branch"),
        ("active_artifact: .thunderkit/PLAN.md", "active_artifact: ../PLAN.md", "malformed-path"),
        ("active_artifact: .thunderkit/PLAN.md", "active_artifact: /etc/passwd", "malformed-path"),
        ("active_artifact: .thunderkit/PLAN.md", "active_artifact: a\\b", "malformed-path"),
        ("active_artifact_sha256: 647b", "active_artifact_sha256: 647", "malformed-digest"),
        ("model_contract:\n", "model_contract: yes\nlanes_in_flights:\n", "wrong-type"),
        ("next_action: Look at what L1 wrote last", "next_action: null", "null-value"),
        ("next_action: Look at what L1 wrote last", "next_action: ~", "null-value"),
        ("next_action: Look at what L1 wrote last", "next_action:", "null-value"),
        ("next_action: Look at what L1 wrote last", "next_action: \"  \"", "null-value"),
        ("next_action: Look at what L1 wrote last", "next_action: <what next>   # x", "placeholder"),
        ("next_action: Look at what L1 wrote last", "next_action: …", "placeholder"),
        ("next_action: Look at what L1 wrote last", "next_action: <what next> # x", "placeholder"),
        ("  delegation: auto", "  delegation: auto\n  command: claude", "legacy-command"),
        ("  - Cache keys include the register edition", "  - null", "null-value"),
        ("planner: opus48", "planner: <key>", "placeholder"),
        ("repository: git.example", "repository: <host>", "placeholder"),
        ("  - id: L1-kiln-index", "  - id: L1/kiln", "malformed-lane-id"),
        ("  - id: L1-kiln-index", "  - id: null", "null-value"),
        ("session_id: 77cb38c3", "session_id: -77cb38c3", "malformed-session-id"),
        ("session_id: 77cb38c3", "session_id: 77cb38c3;", "malformed-session-id"),
        ("harness: claude", "harness: Claude", "unknown-word"),
        ("harness: claude", "harness: cursor", "unknown-word"),
        ("model_class: executors", "model_class: executor", "unknown-word"),
        ("origin: owned", "origin: null", "null-value"),
        ("ecosystem: null", "ecosystem: npm", "unknown-word"),
        ("status: unknown", "status: done", "unknown-word"),
        ("resumability: unverified", "resumability: yes", "unknown-word"),
        ("observed_model: null", "observed_model: claude-opus-4-8", "wrong-type"),
        ("      provider: anthropic", "      provider: null", "null-value"),
        ("worktree: .thunderkit/runs", "worktree: a//b", "malformed-path"),
        ("      - .thunderkit/runs", "      - ../runs", "malformed-path"),
        ("lanes_in_flight:\n  - id", "lanes_in_flight:\n  - just text\n  - id", "wrong-type"),
        ("decisions_this_session:\n  - Cache", "decisions_this_session: Cache", "wrong-type"),
        ("  frozen_paths: []", "  frozen_paths: 0x1", "ambiguous-value"),
        ("  frozen_paths: []", "  frozen_paths: 1e5", "ambiguous-value"),
        ("planner: opus48", "planner: 71904e2385061947720513864209573186420957", "ambiguous-value"),
        ("planner: opus48", "planner: 71904238506194772051386420957318642095", "not-yaml"),
        ("planner: opus48", "planner: 1.10", "ambiguous-value"),
        ("  frozen_paths: []", "  frozen_paths: .inf", "ambiguous-value"),
    ] {
        let handoff = read(&with(line, instead));
        assert!(errors(&handoff).contains(&code), "{instead:?} is `{code}`, not {:?}", errors(&handoff));
        assert!(!handoff.strict, "{instead:?} is not strict");
    }
}

#[test]
fn facts_that_nobody_knew_are_null_and_no_fault() {
    for (line, instead) in [
        ("branch: integration/kiln-index", "branch: null"),
        ("context_at_save: ~80%", "context_at_save: null"),
        ("active_artifact: .thunderkit/PLAN.md", "active_artifact: null"),
        ("    worktree: .thunderkit/runs/r-0825/worktrees/L1-kiln-index", "    worktree: null"),
        ("    session_id: 77cb38c3-fc74-468f-8b37-1cc8736a9845", "    session_id: null"),
        ("    harness: claude", "    harness: null"),
        ("    model_class: executors", "    model_class: null"),
        ("      effort: high", "      effort: null"),
        ("    reason: terminal closed before the last tool result came back", "    reason: null"),
    ] {
        let handoff = read(&with(line, instead));
        assert!(handoff.strict, "{instead:?} is allowed: {:?}", handoff.problems);
    }
    assert!(
        read(&with("branch: integration/kiln-index", "branch: ~")).root().is_some_and(|r| r.detached),
        "a null branch is a detached head"
    );
    assert!(
        !read(&with("branch: integration/kiln-index", "branch: a..b")).root().is_some_and(|r| r.detached),
        "a bad one is not"
    );
    let contract = SAMPLE.find("model_contract").zip(SAMPLE.find("lanes_in_flight")).expect("both keys");
    let text = format!("{}model_contract: null\n{}", &SAMPLE[..contract.0], &SAMPLE[contract.1..]);
    assert!(
        read(&text).root().is_some_and(|root| root.model_contract.is_none()),
        "no contract is no contract"
    );
    assert!(read(&text).strict, "and no fault of the file");
}

#[test]
fn a_file_may_be_strict_while_its_lane_stays_where_it_is() {
    let resumable = |line: &str, instead: &str| {
        let handoff = read(&with(line, instead));
        assert!(handoff.strict, "{instead:?} is strict: {:?}", handoff.problems);
        handoff.lanes[0].structurally_resumable
    };
    let id = "session_id: 77cb38c3-fc74-468f-8b37-1cc8736a9845";
    for (line, instead, why) in [
        (id, "session_id: null", "there is no session"),
        (id, "session_id: 77CB38C3-FC74-468F-8B37-1CC8736A9845", "claude writes lower case"),
        (id, "session_id: my-title-1", "a title is no id"),
        ("harness: claude", "harness: opencode", "no fixed form"),
        ("harness: claude", "harness: hermes", "that is no id of hermes"),
        ("harness: claude", "harness: null", "no harness"),
        ("resumability: unverified", "resumability: not_resumable", "the saver said so"),
        ("status: unknown", "status: completed", "it is done"),
        ("origin: owned", "origin: native", "native without a source"),
        ("worktree: .thunderkit/runs/r-0825/worktrees/L1-kiln-index", "worktree: null", "no worktree"),
        (
            "worktree: .thunderkit/runs/r-0825/worktrees/L1-kiln-index",
            "worktree: ../wt-L1",
            "outside the project",
        ),
        (
            "worktree: .thunderkit/runs/r-0825/worktrees/L1-kiln-index",
            "worktree: /tmp/wt",
            "outside the project",
        ),
    ] {
        assert!(!resumable(line, instead), "{why}");
    }
    for (line, instead, why) in [
        ("status: unknown", "status: running", "running is history"),
        ("harness: claude", "harness: codex", "codex has the same ids"),
        (
            "worktree: .thunderkit/runs/r-0825/worktrees/L1-kiln-index",
            "worktree: .",
            "the root is a worktree",
        ),
        ("origin: owned", "origin: unknown", "the live checks decide that"),
    ] {
        assert!(resumable(line, instead), "{why} (a positive control)");
    }
    let native =
        with("origin: owned", "origin: native").replace("    source: null", "    source: .thunderkit/s.md");
    assert!(read(&native).lanes[0].structurally_resumable, "native with a source may go on");
    let outside = read(&with("worktree: .thunderkit/runs/r-0825/worktrees", "worktree: .."));
    assert_eq!(outside.problems[0].code, "worktree-outside", "and the place outside is named");
}

#[test]
fn what_is_said_twice_is_nothing_and_stays_visible() {
    let handoff = read(&with("    session_id: 77cb", "    session_id: other\n    session_id: 77cb"));
    let lane = &handoff.lanes[0];
    assert!(lane.session_id.is_none(), "nobody may choose between two sessions");
    let said = lane.fields.iter().filter(|field| field.name.raw() == "session_id").count();
    assert_eq!(said, 2, "both are shown");
    let two =
        SAMPLE.find("  - id").zip(SAMPLE.find("decisions")).map(|(from, to)| SAMPLE[from..to].to_owned());
    let lane = two.expect("the sample's lane");
    let twins = read(&with("decisions_this", &format!("{lane}decisions_this")));
    assert_eq!(errors(&twins), ["duplicate-lane"], "two lanes of one name are refused");
    let sisters = with("decisions_this", &format!("{}decisions_this", lane.replace("id: L1-", "id: L2-")));
    assert!(read(&sisters).strict, "two lanes of two names are fine (a positive control)");
}

#[test]
fn a_cut_file_is_not_strict() {
    let source = Source {
        bytes: SAMPLE.as_bytes(),
        name: "HANDOFF.md",
        habit: Habit::Thunderkit,
        cut_from: Some(1 << 20),
    };
    let handoff = super::super::read(&source);
    assert_eq!(errors(&handoff), ["too-large"], "the rest was not read");
    assert!(handoff.readable && !handoff.strict && handoff.lanes.len() == 1, "what was read is shown");
}
