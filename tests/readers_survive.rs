//! Any bytes give a reading, never a panic, and in time that grows with their length.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use moorline::handoff::{Habit, Source, read};
use proptest::prelude::*;

const HABITS: [Habit; 3] = [Habit::Thunderkit, Habit::DayFile, Habit::Other];
const NAMES: [&str; 4] = ["HANDOFF.md", "260921-x.txt", "handoff.json", "handoff.yaml"];

/// Reads the bytes by every reader, and looks at everything that was read.
fn survive(bytes: &[u8]) {
    for habit in HABITS {
        for name in NAMES {
            for cut_from in [None, Some(u64::MAX)] {
                for handoff in read(&Source { bytes, name, habit, cut_from }) {
                    let lines = bytes.iter().filter(|&&b| matches!(b, b'\n' | b'\r')).count() as u64 + 1;
                    assert!(u64::from(handoff.lines.0) <= u64::from(handoff.lines.1), "lines run forwards");
                    assert!(u64::from(handoff.lines.1) <= lines.max(1) * 2, "and stay inside the file");
                    serde_json::to_string(&handoff.fields).expect("every field can be printed");
                    handoff.saved_at.iter().for_each(|saved| drop(saved.moment.to_text()));
                }
            }
        }
    }
}

/// All files with known answers, as material to cut and splice.
fn material() -> Vec<Vec<u8>> {
    fn walk(dir: &Path, out: &mut Vec<Vec<u8>>) {
        let mut entries: Vec<_> =
            fs::read_dir(dir).expect("a directory").flatten().map(|e| e.path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                walk(&path, out);
            } else if path.file_name().is_some_and(|name| name != "expected.json") {
                out.push(fs::read(&path).expect("a file").into_iter().take(40_000).collect());
            }
        }
    }
    let mut out = Vec::new();
    for set in ["corpus", "nasty"] {
        walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(set), &mut out);
    }
    assert!(out.len() > 50, "a positive control: there is material ({})", out.len());
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        survive(&bytes);
    }

    #[test]
    fn arbitrary_text_of_the_marks_that_readers_look_for(
        parts in prop::collection::vec(prop_oneof![
            Just("\n"), Just("# "), Just("## "), Just("```"), Just("````markdown"), Just("<!--"), Just("-->"), Just("---\n"),
            Just("|"), Just("**"), Just("`"), Just("- [ ] "), Just("1. "), Just("۱. "), Just("Branch: "), Just("Ветка "), Just("下一步"),
            Just("："), Just("2026-02-30 "), Just("۱۴۰۵"), Just("آبان "), Just("25:61 "), Just("> tags: ["), Just("handoff_id: "),
            Just("## Handoff "), Just("\u{1b}["), Just("\u{feff}"), Just("\u{202e}"), Just("{\"a\":["), Just("a:\n  "), Just("\t"), Just("\r"),
            Just("<next_action>"), Just("</"), Just("令和"), Just("ngày 5 tháng "), Just("+"), Just("99999999999"), Just("é"), Just("]("),
        ], 0..60)
    ) {
        survive(parts.concat().as_bytes());
    }

    #[test]
    fn spliced_files(cut in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), other in any::<prop::sample::Index>(), from in any::<prop::sample::Index>(), flip in any::<(prop::sample::Index, u8)>()) {
        let material = material();
        let (first, second) = (cut.get(&material), other.get(&material));
        let mut bytes = first[..at.index(first.len() + 1)].to_vec();
        bytes.extend_from_slice(&second[from.index(second.len() + 1)..]);
        if !bytes.is_empty() {
            let place = flip.0.index(bytes.len());
            bytes[place] ^= flip.1;
        }
        survive(&bytes);
    }
}

/// Content that invites a reader to look at everything again for each line, or each character of a line.
fn hostile(size: usize) -> Vec<(&'static str, String)> {
    let fill = |unit: &str| unit.repeat(size / unit.len().max(1));
    vec![
        ("one line", fill("a")),
        ("one line of words", format!("# x\n\n{}", fill("word, "))),
        ("one line of labels", fill("Branch: x | ")),
        ("one line of code", fill("`a` branch ")),
        ("one line of comments", fill("<!-- a -->")),
        ("comments that never end", fill("a <!-- b\n")),
        ("comments in code", fill("`<!--")),
        ("fences of markdown that never end", fill("```markdown\nx\n")),
        ("headings", fill("# a\n")),
        ("deep headings", fill("# a\n## b\n### c\n#### d\n")),
        ("sessions", fill("## Session 1 2026-01-01\n- Branch: x\n")),
        ("next steps", fill("## Next steps\n")),
        ("list heads", fill("- **Blockers:**\n")),
        ("labels with colons", fill("Next:\n")),
        ("tags", fill("<next_action>\n")),
        ("table rows", fill("| Branch | x |\n")),
        ("open boxes", fill("- [ ] a\n")),
        ("wrapped item", format!("## Next\n- {}", fill("b\n"))),
        ("numbers", fill("2026-10-05 ")),
        ("escape characters", fill("\u{1b}")),
        ("quotes", fill(">")),
        ("blank lines", fill("\n")),
        ("brackets", fill("[")),
        ("indented keys", fill("  a:\n")),
        ("dashes", fill("- ")),
        ("records", fill("## Handoff 0c9d1c3e-5f0a-4d55-9a5e-0f6f4a7b1c2d\nhandoff_id: x\n")),
        ("tags of records", fill("> tags:\n> - a\n")),
    ]
}

/// How long the slowest reader takes.
fn slowest(text: &str) -> Duration {
    let read_once = |habit, name| {
        let once = || {
            let started = Instant::now();
            drop(read(&Source { bytes: text.as_bytes(), name, habit, cut_from: None }));
            started.elapsed()
        };
        // The best of three is the least disturbed by what else the machine does.
        once().min(once()).min(once())
    };
    let markdown = [Habit::DayFile, Habit::Other].map(|habit| read_once(habit, "HANDOFF.md"));
    let others = ["a.txt", "a.json", "a.yaml"].map(|name| read_once(Habit::Other, name));
    markdown.into_iter().chain(others).max().unwrap_or_default()
}

#[test]
fn time_grows_with_length_and_not_with_its_square() {
    // 32 times the length may take 32 times the time, not 1,024 times; a busy machine gets eight times as much.
    for ((name, small), (_, large)) in hostile(4 * 1024).into_iter().zip(hostile(128 * 1024)) {
        let floor = Duration::from_micros(400);
        let (small, large) = (slowest(&small).max(floor), slowest(&large));
        assert!(large < small * 32 * 8, "{name}: {small:?} for 4 KiB, {large:?} for 128 KiB");
    }
}
