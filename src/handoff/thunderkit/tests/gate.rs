//! What the gate refuses: one place per trap, and everything at once.

use super::{SAMPLE, errors, read, with};

/// Each change of the sample is refused for its reason, on its line.
fn refused(cases: &[(&str, &str, &str)]) {
    assert!(read(SAMPLE).strict, "the sample is strict (a positive control)");
    for (line, instead, code) in cases {
        let text = with(line, instead);
        let handoff = read(&text);
        assert!(!handoff.strict, "{instead:?} must not pass");
        assert!(handoff.readable, "{instead:?} still shows what there is");
        assert!(!handoff.lanes.iter().any(|lane| lane.structurally_resumable), "{instead:?} resumes nothing");
        let found = handoff.problems.iter().find(|problem| problem.code == *code);
        let Some(found) = found else { panic!("{instead:?} is `{code}`, not {:?}", errors(&handoff)) };
        let at = found.at.expect("it has a place");
        let first = text[..text.find(instead).expect("it is there")].matches('\n').count() as u32 + 1;
        let last = first + instead.matches('\n').count() as u32;
        assert!(
            (first..=last).contains(&at.line),
            "`{code}` for {instead:?} is on line {}, not in {first}..={last}",
            at.line
        );
    }
}

#[test]
fn yaml_that_the_format_does_not_use_is_refused() {
    refused(&[
        ("branch: integration", "branch: !!str integration", "tag"),
        ("branch: integration", "branch: ! integration", "tag"),
        ("branch: integration", "!!str branch: integration", "tag"),
        ("executors: [opus48, sol]", "executors: [!!str opus48, sol]", "tag"),
        ("branch: integration", "branch: &b integration", "anchor"),
        ("executors: [opus48", "executors: [&a opus48", "anchor"),
        ("branch: integration", "&b branch: integration", "anchor"),
        ("branch: integration/kiln-index", "branch: *b", "alias"),
        ("executors: [opus48", "executors: [*opus48", "alias"),
        ("branch: integration/kiln-index", "*b : x", "alias"),
        ("  delegation: auto", "  <<: {a: b}", "merge-key"),
        ("branch: integration/kiln-index", "? branch\n: integration", "complex-key"),
        ("schema_version", "%YAML 1.2\nschema_version", "directive"),
        ("schema_version", "---\nschema_version", "document-marker"),
        ("open_unknowns", "...\nopen_unknowns", "document-marker"),
        ("open_unknowns: Nobody", "--- {}\nopen_unknowns: Nobody", "document-marker"),
        ("schema_version", "```yaml\nschema_version", "fence"),
        ("next_action: Look", "next_action: |\n  Look", "block-scalar"),
        ("next_action: Look", "next_action: >-\n  Look", "block-scalar"),
        ("next_action: Look", "next_action:\n  Look", "value-below"),
        ("next_action: Look at", "next_action: Look\n  at", "continued-line"),
        ("  - Cache", "  - - Cache", "nested-dash"),
        ("executors: [opus48, sol]", "executors: [opus48, [sol]]", "nested-flow"),
        ("executors: [opus48, sol]", "executors: [opus48, {a: b}]", "nested-flow"),
        ("executors: [opus48, sol]", "executors: [opus48,\n      sol]", "unclosed-flow"),
        ("executors: [opus48, sol]", "executors: [opus48, sol] x", "after-flow"),
        ("executors: [opus48, sol]", "executors: [opus48, , sol]", "indicator"),
        ("executors: [opus48, sol]", "executors: [a: b]", "flow"),
        ("{catalog_key: opus48, provider", "{catalog_key:opus48, provider", "flow"),
        ("reviewers: all", "reviewers:\n      deep: {too: far}", "too-deep"),
        ("reviewers: all", "reviewers:\n      - a: b", "too-deep"),
        ("reviewers: all", "reviewers:\n      a:\n        b: c", "too-deep"),
    ]);
}

#[test]
fn layout_that_parsers_read_differently_is_refused() {
    refused(&[
        ("    harness: claude", "\t harness: claude", "tab-indentation"),
        ("    harness: claude", "    harness:\tclaude", "tab"),
        ("provider: anthropic\n", "provider: an\tthropic\n", "tab"),
        ("    harness: claude", "      harness: claude", "indentation"),
        ("    harness: claude", "   harness: claude", "indentation"),
        ("repository: git", " repository: git", "indentation"),
        ("lanes_in_flight:\n", "lanes_in_flight: []\n", "stray-item"),
        ("open_unknowns", "some remark\nopen_unknowns", "not-a-field"),
        ("open_unknowns", "some remark: yes\nopen_unknowns", "not-a-field"),
        ("open_unknowns: N", "open_unknowns:N", "not-a-field"),
        ("branch: integration/kiln-index", "branch: x\nbranch: x", "duplicate-key"),
        ("branch: integration/kiln-index", "branch: x\n\"branch\": x", "duplicate-key"),
        ("branch: integration/kiln-index", "branch: x\n'br\\x61nch': x\n\"br\\x61nch\": x", "duplicate-key"),
        ("    head: 754d", "    head: x\n    head: 754d", "duplicate-key"),
        ("  delegation: auto", "  delegation: auto\n  delegation: auto", "duplicate-key"),
        ("{catalog_key: opus48,", "{catalog_key: opus48, catalog_key: opus48,", "duplicate-key"),
    ]);
}

#[test]
fn characters_that_break_lines_or_vanish_are_refused() {
    refused(&[
        ("branch: integration", "branch: x\u{85}integration", "line-separator"),
        ("branch: integration", "branch: x\u{2028}head: integration", "line-separator"),
        ("branch: integration", "branch: x\u{2029}integration", "line-separator"),
        ("branch: integration", "branch: x\rhead: integration", "lone-cr"),
        ("branch: integration", "branch: x\0integration", "control-character"),
        ("branch: integration", "branch: \u{1b}[31mintegration", "control-character"),
        ("branch: integration", "branch: \u{7f}integration", "control-character"),
        ("branch: integration", "branch: \u{9b}31m", "control-character"),
        ("branch: integration", "\u{feff}branch: integration", "byte-order-mark"),
        ("# begin reading", "# begin \u{2028} reading", "line-separator"),
    ]);
}

#[test]
fn text_that_needs_quotes_is_refused_and_shown_whole() {
    refused(&[
        ("next_action: Look", "next_action: run: Look", "unquoted-colon"),
        ("next_action: Look at what L1 wrote last", "next_action: look:", "unquoted-colon"),
        ("  - Cache", "  - keep retries at 3: Cache", "unquoted-colon"),
        ("  - Cache", "  - decided: Cache", "wrong-type"),
        ("next_action: Look", "next_action: - Look", "indicator"),
        ("next_action: Look", "next_action: @ana Look", "indicator"),
        ("next_action: Look", "next_action: `Look`", "indicator"),
        ("next_action: Look", "next_action: \"Look\" at", "after-quote"),
        ("next_action: Look", "next_action: 'Look' at", "after-quote"),
        ("next_action: Look", "next_action: \"Look", "unclosed-quote"),
        ("next_action: Look", "next_action: [wip] Look", "after-flow"),
        ("harness_version: \"2.3.9\"", "harness_version: \"2.3\\q9\"", "bad-escape"),
        ("harness_version: \"2.3.9\"", "harness_version: \"\\ud83d\"", "bad-escape"),
        ("harness_version: \"2.3.9\"", "harness_version: \"2.3.9\"# x", "after-quote"),
    ]);
    let shown = |instead: &str| {
        let handoff = read(&with("next_action: Look at what L1 wrote last", instead));
        handoff.next_action().map(|text| text.raw().to_owned())
    };
    for (line, text) in [
        ("next_action: run tests: all shards", "run tests: all shards"),
        ("next_action: *bold* move", "*bold* move"),
        ("next_action: [wip] go on", "[wip] go on"),
        ("next_action: \"half\" quoted", "\"half\" quoted"),
        ("next_action: over\n  two lines", "over two lines"),
        ("next_action: |\n  one\n  two", "one\ntwo"),
        ("next_action: >\n  one\n  two\n", "one two"),
    ] {
        assert_eq!(shown(line).as_deref(), Some(text), "{line:?} is shown as a person reads it");
    }
    let handoff = read(&with("  - Cache keys", "  - decided: cache keys"));
    let decision = handoff.decisions[0].raw().to_owned();
    assert_eq!(decision, "decided: cache keys include the register edition", "also where YAML sees a map");
}

#[test]
fn everything_is_said_at_once_and_in_file_order() {
    let text = SAMPLE
        .replace("schema_version: 1", "schema_version: 0x1")
        .replace("branch: integration", "branch: &b integration")
        .replace("delegation: auto", "delegation: !!str auto")
        .replace("status: unknown", "status: done")
        .replace("next_action: Look", "next_action: run: Look")
        .replace("open_unknowns", "priority: high\nopen_unknowns");
    let handoff = read(&text);
    assert_eq!(
        errors(&handoff),
        ["wrong-type", "anchor", "tag", "unknown-word", "unquoted-colon", "unknown-key"],
        "no finding hides another"
    );
    let lines = handoff.problems.iter().filter_map(|problem| problem.at).collect::<Vec<_>>();
    assert!(lines.is_sorted(), "from top to bottom");
    assert!(
        handoff.problems.iter().filter(|problem| problem.is_error()).all(|problem| problem.help.is_some()),
        "each with what to do: {:?}",
        handoff.problems
    );
}

#[test]
fn a_column_counts_characters() {
    let handoff = read(&with("next_action: Look", "next_action: 日本: x"));
    let at = handoff.problems[0].at.expect("a place");
    assert_eq!((at.line, at.column), (52, 16), "not bytes");
}

#[test]
fn a_tab_is_refused_and_takes_no_other_field_with_it() {
    let whole = read(SAMPLE);
    for tabs in ["\t", "  \t", "\t\t"] {
        let text = with("    harness: claude", &format!("{tabs}harness: claude"));
        let handoff = read(&text);
        assert!(!handoff.strict, "{tabs:?}: a tab is refused");
        assert_eq!(
            (handoff.branch, handoff.commit, handoff.lanes.len()),
            (whole.branch.clone(), whole.commit.clone(), whole.lanes.len()),
            "{tabs:?}: the file's own fields stand as they stood"
        );
        assert_eq!(
            handoff.lanes[0].session_id, whole.lanes[0].session_id,
            "{tabs:?}: and so do the lane's, which are shown"
        );
    }
}
