//! Whole files: the strict one, the spellings it may have, the form nobody filled in, the first release.

use super::super::super::{Family, LaneStatus, Moment, Value};
use super::{SAMPLE, errors, read, read_bytes, with};

#[test]
fn a_strict_file_says_everything_it_holds() {
    let handoff = read(SAMPLE);
    assert_eq!(handoff.problems, [], "nothing is wrong with the sample");
    assert!(handoff.strict && handoff.readable, "so it is strict and readable");
    assert_eq!(
        handoff.title.as_ref().map(|t| t.raw()),
        Some("Handoff"),
        "its title is the first line's comment"
    );
    assert_eq!(
        handoff.phase.as_ref().map(|t| t.raw()),
        Some("9 Execute"),
        "the template's comment is no text"
    );
    let root = handoff.root().expect("a root");
    assert_eq!(root.context_at_save.as_ref().map(|t| t.raw()), Some("~80%"), "a tilde in a text is text");
    assert!(!root.detached, "a branch is recorded");
    let Some(Value::Map(contract)) = &root.model_contract else { panic!("the contract is kept as a map") };
    assert_eq!(
        contract.get("review_families_min").map(|field| &field.value),
        Some(&Value::Number(2.into())),
        "and its numbers are numbers"
    );
    let lane = &handoff.lanes[0];
    assert!(lane.structurally_resumable, "the lane may be resumed as far as the file can say");
    assert_eq!(lane.requested_model, lane.effective_model, "block and one-line identities are the same");
    assert_eq!(lane.fields.iter().count(), 24, "all 24 fields of a lane are kept");
    assert_eq!(lane.fields.line_of("session_id"), Some(27), "each with its line");
    assert_eq!(handoff.fields.iter().count(), 15, "and all 15 of the root");
}

#[test]
fn spelling_is_no_fault() {
    let strict = |text: &str, why: &str| {
        let handoff = read(text);
        assert_eq!(errors(&handoff), [] as [&str; 0], "{why}");
        assert!(handoff.strict && handoff.lanes[0].structurally_resumable, "{why}");
    };
    strict(&SAMPLE.replace('\n', "\r\n"), "CR LF ends lines");
    strict(&format!("\u{feff}{SAMPLE}"), "a byte order mark hides no key");
    strict(&format!("\u{feff}{}", SAMPLE.replace('\n', "\r\n")), "nor does it with CR LF");
    strict(&format!("{SAMPLE}\n\n# the end\n\n"), "comments and empty lines may stand anywhere");
    strict(SAMPLE.trim_end(), "the last line needs no end");
    strict(&with("context_at_save: ~80%", "context_at_save: ~"), "a null may be a tilde");
    strict(&with("context_at_save: ~80%", "context_at_save:"), "or nothing at all");
    strict(
        &with("branch: integration/kiln-index", "\"branch\" : 'integration/kiln-index' # x"),
        "keys may be quoted",
    );
    strict(
        &with("    evidence_paths:\n      - .thunder", "    evidence_paths:\n    - .thunder"),
        "a list need not be indented",
    );
    let unindented = SAMPLE.replace("\n  - id", "\n- id").replace("\n    ", "\n  ").replace(
        "classes:\n  planner: opus48\n  executors: [opus48, sol]\n  reviewers",
        "classes:\n    planner: opus48\n    executors: [opus48, sol]\n    reviewers",
    );
    strict(&unindented, "nor the list of lanes");
    strict(&SAMPLE.replace("# Handoff\n", ""), "the first line is a comment, and its absence a note");
    assert_eq!(read(&SAMPLE.replace("# Handoff\n", "")).problems[0].code, "no-title", "which is said");
}

#[test]
fn a_form_that_nobody_filled_in_is_not_readable() {
    let form = "# Handoff\nschema_version: 1\nsaved_at: <when>\nbranch: <branch, or null>\nhead: <commit>\n\
                north_star: .thunderkit/NORTH_STAR.md   # purpose\ncurrent_stage: <stage>   # position\n\
                active_artifact: .thunderkit/<file>\nlanes_in_flight:\n  - id: <lane>\n    session_id: null\n    \
                status: <status>\n    evidence_paths: []\ndecisions_this_session:\n  - …\nnext_action: \"<one step>\"\n\
                open_unknowns: <list them, or none>\n";
    let handoff = read(form);
    assert!(!handoff.readable && !handoff.strict, "there is no fact in it");
    assert_eq!(handoff.lanes, [], "a form is no lane");
    assert!(
        handoff.branch.is_none() && handoff.commit.is_none() && handoff.saved_at.is_none(),
        "and no value"
    );
    assert!(handoff.next_actions.is_empty() && handoff.phase.is_none(), "nor is a blank a text");
    assert_eq!(
        handoff.fields.get("branch").map(|f| &f.value),
        Some(&Value::Null),
        "not even among the fields"
    );
    assert_eq!(
        errors(&handoff).iter().filter(|code| **code == "placeholder").count(),
        10,
        "each blank is named"
    );
    let half = form.replace("<one step>", "go on");
    assert!(read(&half).readable, "one filled-in line is context (a positive control)");
}

#[test]
fn the_first_release_is_read_and_never_resumed() {
    let handoff = read(
        "# Handoff\nsaved_at: 2026-07-04 22:10 · head: 0acfe4f · context_at_save: ~82%\n\
         north_star: .thunderkit/NORTH_STAR.md\ncurrent_stage: 9 Execute   # layer one\nlanes_in_flight:\n  \
         - id: L0  model: opus48  resume: claude -p --resume dcc164c8-53f4-4c12-b563-f19217c8c330; echo status: x  status: running\n  \
         - id: L1  model: sol  resume: none (not resumable)  status: blocked\n\
         decisions_this_session:\n  - fold: hourly\nnext_action: look first: is it alive?\nopen_unknowns: none\n",
    );
    assert_eq!(handoff.family, Family::ThunderkitLegacy, "the header gives it away");
    assert!(
        handoff.readable && !handoff.strict && !handoff.has_errors(),
        "it is context and nothing is wrong"
    );
    let saved = handoff.saved_at.as_ref().expect("a time");
    assert_eq!(saved.written.raw(), "2026-07-04 22:10", "the time as it was written");
    assert!(matches!(saved.moment, Moment::Day(_, Some(_))), "in nobody's zone");
    assert_eq!(handoff.commit.as_ref().map(|c| c.as_str()), Some("0acfe4f"), "the short head");
    assert_eq!(handoff.phase.as_ref().map(|t| t.raw()), Some("9 Execute"), "the stage without its comment");
    assert_eq!(
        handoff.next_action().map(|t| t.raw()),
        Some("look first: is it alive?"),
        "colons are text here"
    );
    assert_eq!(handoff.decisions.len(), 1, "and in decisions");
    assert_eq!(handoff.lanes.len(), 2, "two lanes");
    let lane = &handoff.lanes[0];
    assert_eq!(lane.status, Some(LaneStatus::Running), "the last status on the line is the lane's");
    assert!(lane.session_id.is_none() && !lane.structurally_resumable, "the command stays text");
    let command = lane.fields.get("resume").and_then(|f| f.value.as_text()).map(|t| t.raw());
    assert_eq!(
        command,
        Some("claude -p --resume dcc164c8-53f4-4c12-b563-f19217c8c330; echo status: x"),
        "which can be looked at"
    );
}

#[test]
fn what_is_no_yaml_at_all_is_still_read_line_by_line() {
    let broken = SAMPLE
        .replace("branch: integration/kiln-index", "```yaml\nbranch: integration/kiln-index")
        .replace("next_action: Look", "just a remark here\nnext_action: |\n  Look")
        .replace("    status: unknown", "\t status: unknown")
        .replace("  - Cache", "  - [Cache")
        .replace("reason: terminal", "reason: \"terminal");
    let handoff = read(&broken);
    assert!(!handoff.strict && handoff.readable, "refused, and readable");
    for code in ["fence", "not-a-field", "block-scalar", "tab-indentation", "unclosed-flow", "unclosed-quote"]
    {
        assert!(errors(&handoff).contains(&code), "{code} is one of {:?}", errors(&handoff));
    }
    assert_eq!(handoff.lanes.len(), 1, "the lane is counted");
    assert_eq!(handoff.lanes[0].status, Some(LaneStatus::Unknown), "with the fields around the fault");
    assert!(!handoff.lanes[0].structurally_resumable, "and cannot be resumed");
    assert_eq!(
        handoff.next_action().map(|t| t.raw()),
        Some("Look at what L1 wrote last"),
        "the text is shown"
    );
    assert_eq!(handoff.branch.as_ref().map(|b| b.as_str()), Some("integration/kiln-index"), "and the branch");
}

#[test]
fn nothing_and_noise_are_not_readable() {
    for bytes in [b"".as_slice(), b"\n\n", b"# Handoff\n", b"\xff\xfe\x00", b"---\n...\n"] {
        let handoff = read_bytes(bytes);
        assert!(!handoff.strict && !handoff.readable, "{bytes:?} says nothing");
        assert!(handoff.has_errors(), "and that is said");
    }
    assert!(
        read("We stopped at the third test.\n").readable,
        "a line of prose is context (a positive control)"
    );
}
