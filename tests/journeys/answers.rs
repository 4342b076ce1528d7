//! The answer of `check` for every family: its word in the document, its exit code, its glyph in the list and on the
//! screen.

use serde_json::Value;

use crate::{NOTE, PLAN, RECORD, THUNDERKIT, dated, moorline, saved, seen, told};

#[test]
fn every_family_answers_by_one_word_one_code_and_one_glyph() {
    let repo = saved();
    let dir = repo.dir();
    repo.write("docs/handoff.json", "{\"branch\": \"feat/tides\", \"next_steps\": [\"constants\"]}\n");
    repo.write("docs/HANDOVER.md", "# Words\n\nNext: think\n");
    repo.write("HANDOFF-old.md", "# Old\n\n**Branch:** feat/none\n\nNext: think\n");
    let dated = dated(&repo);
    let legacy = "docs/legacy/.thunderkit/HANDOFF.md";
    let expected = [
        (PLAN, "current", 0, "✓ current"),
        (&dated, "current", 0, "✓ current"),
        (RECORD, "current", 0, "✓ current"),
        (NOTE, "current", 0, "✓ current"),
        ("docs/handoff.json", "current", 0, "✓ current"),
        ("docs/HANDOVER.md", "unverifiable", 3, "? unverifiable"),
        ("HANDOFF-old.md", "drifted", 1, "≠ drifted"),
        (THUNDERKIT, "not_resumable", 1, "✗ not resumable"),
    ];
    let told = told(&repo, dir);
    let list = String::from_utf8_lossy(&moorline(&repo, dir, &["list"]).stdout).into_owned();
    for (name, verdict, code, glyph) in expected {
        assert_eq!(told[name].verdict, verdict, "{name}: {:?}", told[name]);
        let alone = moorline(&repo, dir, &["check", name, "--json"]);
        assert_eq!(alone.status.code(), Some(code), "{name}: {verdict} is exit {code}");
        let row = list.lines().find(|line| line.trim_start().starts_with(name)).expect("it is listed");
        assert!(row.ends_with(glyph), "{name} shows {glyph}: {row}");
        seen(dir, &[name], &[glyph.split_once(' ').expect("a glyph and a word").0]);
    }
    repo.write(
        legacy,
        "# Handoff\nsaved_at: 2026-10-05 10:20 · head: 6fe61f4 · context_at_save: ~61%\nnext_action: x\n",
    );
    let old = moorline(&repo, dir, &["check", legacy, "--json"]);
    assert_eq!(old.status.code(), Some(1), "the first release is never resumable");
    assert!(
        String::from_utf8_lossy(&old.stdout).contains("\"thunderkit-legacy\""),
        "and is known by its shape"
    );
}

#[test]
fn several_answer_by_the_worst_and_a_name_that_means_too_much_by_none() {
    let repo = saved();
    let dir = repo.dir();
    repo.write("docs/HANDOVER.md", "# Words\n\nNext: think\n");
    repo.write("HANDOFF-old.md", "# Old\n\n**Branch:** feat/none\n\nNext: think\n");
    for (names, code) in [
        (vec![NOTE, PLAN], 0),
        (vec![NOTE, "docs/HANDOVER.md"], 3),
        (vec![NOTE, "docs/HANDOVER.md", "HANDOFF-old.md"], 1),
        (vec![], 1),
        (vec!["no-such-handoff"], 1),
        (vec!["handoff-"], 1),
    ] {
        for form in [&["--json"][..], &[]] {
            let args = [&["check"], &names[..], form].concat();
            let output = moorline(&repo, dir, &args);
            assert_eq!(
                output.status.code(),
                Some(code),
                "{args:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    repo.write("docs/handoffs/a/HANDOFF.md", "# A\n\nNext: a\n");
    repo.write("docs/handoffs/b/HANDOFF.md", "# B\n\nNext: b\n");
    let several = moorline(&repo, &dir.join("src"), &["check", "HANDOFF", "--json"]);
    assert_eq!(several.status.code(), Some(2), "several: none is chosen");
    let document: Value = serde_json::from_slice(&several.stdout).expect("one document");
    assert_eq!(document["handoffs"], Value::Null, "and the document tells of none: {document}");
    assert!(document["summary"]["outcome"].is_string(), "but why: {document}");
}
