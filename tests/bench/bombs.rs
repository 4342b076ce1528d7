//! Files made to exhaust a reader: how long one reading takes and how much memory it needs at most.
//!
//! `cargo bench --bench bombs` prints one line per file. Nothing is asserted here: a clock is no test. The targets
//! are 50 ms and 16 MB each; that they are refused, and why, is tested beside the reader.
#![allow(clippy::print_stdout, reason = "a benchmark speaks by printing")]

use std::fs;
use std::time::Instant;

use moorline::handoff::{Habit, Source, read};

const RUNS: usize = 5;

fn main() {
    println!("{:>10} {:>10} {:>9}  file", "median", "slowest", "memory");
    for (name, text) in bombs() {
        for (file, habit) in
            [("HANDOFF.md", Habit::Thunderkit), ("HANDOFF.md", Habit::Other), ("h.json", Habit::Other)]
        {
            measure(&format!("{name} as {file}, {habit:?}"), &text, file, habit);
        }
    }
}

fn measure(what: &str, text: &str, name: &str, habit: Habit) {
    // What the scan would read of it.
    let cap = match (habit, name) {
        (Habit::Thunderkit, _) => 256 << 10,
        (_, "h.json") => 1 << 20,
        _ => 8 << 20,
    };
    let bytes = &text.as_bytes()[..text.len().min(cap)];
    let source =
        Source { bytes, name, habit, cut_from: (bytes.len() < text.len()).then_some(text.len() as u64) };
    forget_the_peak();
    let before = kib("VmRSS:");
    let mut times: Vec<_> = (0..RUNS)
        .map(|_| {
            let begun = Instant::now();
            std::hint::black_box(read(&source));
            begun.elapsed()
        })
        .collect();
    let memory = kib("VmHWM:").saturating_sub(before);
    times.sort();
    println!("{:>10.1?} {:>10.1?} {:>6} KiB  {what}", times[RUNS / 2], times[RUNS - 1], memory);
}

fn bombs() -> Vec<(&'static str, String)> {
    let mut aliases = String::from("# Handoff\nl0: &l0 [x, x]\n");
    for level in 1..26 {
        aliases.push_str(&format!("l{level}: &l{level} [*l{0}, *l{0}]\n", level - 1));
    }
    let block: String = (0..10_000).map(|level| format!("{}a:\n", " ".repeat(level))).take(10_000).collect();
    vec![
        ("[ x 200,000", format!("# Handoff\nnext_action: {}\n", "[".repeat(200_000))),
        ("dash x 500,000", format!("# Handoff\na: x\nb:\n  {}\n", "- ".repeat(500_000))),
        ("block x 10,000", block),
        ("26 levels of aliases", aliases),
    ]
}

/// Lets the kernel count the peak anew.
fn forget_the_peak() {
    // Where it cannot, the peak is the whole process's, which is the larger number.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

fn kib(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.split_whitespace().next().and_then(|kib| kib.parse().ok()).unwrap_or(0)
}
