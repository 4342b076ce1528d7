//! Files made to exhaust a reader: the work is bounded by their size, and they are refused.

use proptest::prelude::*;
use std::time::{Duration, Instant};

use super::super::super::Handoff;
use super::super::{
    findings::Findings,
    gate, lines,
    node::{Kind, Node},
};
use super::{SAMPLE, read, read_bytes, with};

/// The files, by name.
fn bombs() -> Vec<(&'static str, String)> {
    let next =
        |value: String| with("next_action: Look at what L1 wrote last", &format!("next_action: {value}"));
    let mut aliases = String::from("# Handoff\nl0: &l0 [x, x]\n");
    for level in 1..26 {
        aliases.push_str(&format!("l{level}: &l{level} [*l{0}, *l{0}]\n", level - 1));
    }
    let deep = |step: &str| {
        let mut text = String::new();
        for level in 0..10_000 {
            text.push_str(&format!("{}{step}\n", " ".repeat(level)));
            if text.len() > 300_000 {
                break;
            }
        }
        text
    };
    vec![
        ("200,000 opening brackets", next("[".repeat(200_000))),
        ("200,000 opening braces", next("{".repeat(200_000))),
        ("brackets in a contract", with("planner: opus48", &format!("planner: {}", "[".repeat(200_000)))),
        ("500,000 dashes on lines", "-\n".repeat(500_000)),
        ("500,000 dashes on one line", format!("a: x\nb:\n  {}", "- ".repeat(500_000))),
        ("dashes below a key", format!("{SAMPLE}decisions:\n{}", "- x\n".repeat(500_000))),
        ("a block 10,000 deep", deep("a:")),
        ("a list 10,000 deep", deep("-")),
        ("26 levels of aliases", aliases),
        ("nothing but anchors", next("&a ".repeat(80_000))),
        ("nothing but tags", next("!!a ".repeat(60_000))),
        ("a long list of one line", next(format!("[{}]", "a,".repeat(120_000)))),
        ("one open quote", next(format!("\"{}", "\\\\".repeat(120_000)))),
        ("hashes", next("a: #b".repeat(40_000))),
        ("colons", next("x: ".repeat(80_000))),
        ("controls", next("\u{1}".repeat(200_000))),
        ("line separators", "\u{2028}\n".repeat(60_000)),
        ("carriage returns", "\r".repeat(250_000)),
        ("one key, often", "branch: x\n".repeat(25_000)),
        ("many keys", (0..20_000).map(|n| format!("k{n}: x\n")).collect()),
        ("many lanes", with("  - id: L1", &format!("{}  - id: L1", "  - id: x\n".repeat(20_000)))),
        ("wrapped lines", next(format!("a\n{}", "  b\n".repeat(60_000)))),
    ]
}

/// Values in a tree, with their texts' bytes.
fn weigh(node: &Node<'_>) -> (usize, usize) {
    let sum = |a: (usize, usize), b: (usize, usize)| (a.0 + b.0, a.1 + b.1);
    match &node.kind {
        Kind::Scalar(scalar) => (1, scalar.text.len() + scalar.value.as_ref().map_or(0, String::len)),
        Kind::List(items) => items.iter().map(weigh).fold((1, 0), sum),
        Kind::Map(entries) => entries.iter().map(|entry| weigh(&entry.value)).fold((1, 0), sum),
    }
}

fn is_bounded(name: &str, handoff: &Handoff) {
    assert!(!handoff.strict, "{name}: refused");
    assert!(
        handoff.problems.len() <= 210,
        "{name}: {} findings are no more than a person reads",
        handoff.problems.len()
    );
}

#[test]
fn a_bomb_is_refused_in_bounded_space_and_time() {
    assert!(read(SAMPLE).strict, "the sample passes (a positive control)");
    for (name, text) in bombs() {
        // An unoptimised build on a busy machine: what is quadratic takes minutes here, not seconds.
        let begin = Instant::now();
        is_bounded(name, &read(&text));
        let took = begin.elapsed();
        assert!(took < Duration::from_secs(5), "{name}: {took:?} is more than its size is worth");

        let text = text.get(..super::super::READ_CAP).unwrap_or(&text);
        let mut findings = Findings::default();
        let tree = gate::scan(lines::split(text, &mut findings), &mut findings);
        let (values, bytes) =
            tree.entries.iter().map(|entry| weigh(&entry.value)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        assert!(values <= 20_000, "{name}: {values} values");
        assert!(bytes <= 2 * text.len(), "{name}: {bytes} bytes of text out of {}", text.len());
    }
}

#[test]
fn a_bomb_is_refused_with_a_name_for_its_reason() {
    let reasons = [
        ("200,000 opening brackets", "nested-flow"),
        ("500,000 dashes on one line", "nested-dash"),
        ("a block 10,000 deep", "too-deep"),
        ("26 levels of aliases", "anchor"),
        ("26 levels of aliases", "alias"),
    ];
    let bombs = bombs();
    for (name, code) in reasons {
        let (_, text) = bombs.iter().find(|(of, _)| *of == name).unwrap();
        let problems = read(text).problems;
        let codes: std::collections::BTreeSet<_> = problems.iter().map(|problem| problem.code).collect();
        let refused = problems.iter().any(|problem| problem.code == code && problem.is_error());
        assert!(refused, "{name} is refused as {code}, among {codes:?}");
        assert!(problems.iter().all(|problem| !problem.message.raw().is_empty()), "{name}: in words");
    }
    assert!(read(SAMPLE).problems.iter().all(|problem| !problem.is_error()), "a control: the sample is not");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_give_a_handoff(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(!read_bytes(&bytes).strict, "noise is not strict");
    }

    #[test]
    fn anything_like_yaml_gives_a_handoff(text in "([ \t]{0,6}(- ){0,3}[a-z_é]{0,4}[:?]? ?[\\[\\]{}'\"&*!|>#%@, \\\\é日a-z-]{0,9}\r?\n?){0,30}") {
        prop_assert!(!read(&text).strict, "neither is this");
        prop_assert!(!read(&format!("{SAMPLE}{text}")).lanes.is_empty(), "the lane before it is still shown");
    }
}

#[test]
#[ignore = "a measurement: run it alone and in release"]
fn each_bomb_takes_less_than_fifty_milliseconds() {
    for (name, text) in bombs() {
        let begin = Instant::now();
        is_bounded(name, &read(&text));
        let took = begin.elapsed();
        println!("{took:>10.1?}  {name}");
        assert!(took < Duration::from_millis(50), "{name}: {took:?}");
    }
}
