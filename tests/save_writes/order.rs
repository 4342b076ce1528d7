//! The order in which a save asks the system, as strace sees it: after a power cut at any point of it, the disk holds
//! the old bytes or the new ones.

use std::collections::HashMap;
use std::fs;
use std::process::Command;

use super::child::{command, target};
use super::{base, nobody};

/// What matters of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// Bytes were written to a file of this name, and lie in memory.
    Write(String),
    /// A file, or the names of a directory, were brought to the disk.
    Sync(String),
    /// A name was given to what had another one.
    Rename(String, String),
    /// It was said that the save is done.
    Said,
}

/// The steps of a save; `None` where strace is not here.
fn steps(task: &str) -> Option<Vec<Step>> {
    let temp = base();
    let plain = command(task, temp.path());
    let mut traced = Command::new("strace");
    traced.args(["-f", "-y", "-qq", "-o", "trace", "-e"]);
    traced.arg("trace=write,fsync,fdatasync,rename,renameat,renameat2");
    traced.arg(plain.get_program()).args(plain.get_args()).current_dir(temp.path());
    traced.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    traced.output().ok()?;
    let trace = fs::read_to_string(temp.path().join("trace")).ok()?;
    let folder = target(temp.path()).parent().expect("a directory").canonicalize().expect("real");
    let folder = folder.to_str().expect("text").to_owned();
    let said = |line: &str| line.contains("write(1") && line.contains("SAVED");
    let step = |line: &str| {
        let call = line.split_whitespace().nth(1)?;
        if said(line) {
            return Some(Step::Said);
        }
        if !line.trim_end().split(" = ").last()?.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let first = line.split('<').nth(1)?.split('>').next()?.to_owned();
        if !first.starts_with(&folder) {
            return None;
        }
        match call.split('(').next()? {
            "write" => Some(Step::Write(first)),
            "fsync" | "fdatasync" => Some(Step::Sync(first)),
            "renameat" | "renameat2" | "rename" => {
                let mut names = line.split('"').skip(1).step_by(2);
                let full = |name: &str| format!("{folder}/{name}");
                Some(Step::Rename(full(names.next()?), full(names.next()?)))
            }
            _ => None,
        }
    };
    Some(trace.lines().filter_map(step).collect())
}

/// What may lie under the target's name after a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Old,
    New,
    Torn,
}

/// Everything that may lie under the target's name when the power is cut after these steps: what was not brought to
/// the disk may be there, or not, or in part.
fn after(steps: &[Step], target: &str) -> Vec<Found> {
    let folder = target.rsplit_once('/').expect("a directory").0;
    // Whether the bytes written to a file are all on the disk.
    let mut settled: HashMap<&str, bool> = HashMap::new();
    let mut found = vec![Found::Old];
    for step in steps {
        match step {
            Step::Write(file) if file == target => found = vec![Found::Old, Found::New, Found::Torn],
            Step::Write(file) => drop(settled.insert(file, false)),
            Step::Sync(file) if file == target => found = vec![Found::New],
            Step::Sync(file) if file == folder && found.len() > 1 => drop(found.remove(0)),
            Step::Sync(file) => drop(settled.insert(file, true)),
            Step::Rename(from, to) if to == target => {
                let whole = settled.get(from.as_str()) == Some(&true);
                found = vec![Found::Old, if whole { Found::New } else { Found::Torn }];
            }
            Step::Rename(..) | Step::Said => {}
        }
    }
    found
}

#[test]
fn the_power_may_go_after_any_step() {
    let Some(steps) = steps("save-once") else {
        eprintln!("not tried: strace is not here");
        return;
    };
    let target = steps.iter().find_map(|step| match step {
        Step::Rename(_, to) => Some(to.clone()),
        _ => None,
    });
    let target = target.expect("a save ends with a rename");
    let mut prefixes = 0;
    for end in 0..=steps.len() {
        let found = after(&steps[..end], &target);
        assert!(!found.contains(&Found::Torn), "after {end} steps there may be {found:?}: {steps:#?}");
        if steps[..end].contains(&Step::Said) {
            assert_eq!(found, [Found::New], "saved is said when nothing can take it back: {steps:#?}");
        }
        prefixes += 1;
    }
    assert!(steps.contains(&Step::Said) && prefixes > 5, "a whole save was seen: {steps:#?}");
    // The same without its first fsync, and without its last one: the model does find what is wrong then.
    let syncs: Vec<_> = (0..steps.len()).filter(|&at| matches!(steps[at], Step::Sync(_))).collect();
    let without = |at: usize| [&steps[..at], &steps[at + 1..]].concat();
    let file = *syncs
        .iter()
        .find(|&&at| matches!(&steps[at], Step::Sync(f) if f.contains(".moorline-")))
        .expect("one");
    assert!(after(&without(file), &target).contains(&Found::Torn), "bytes that were not synced may be torn");
    let last = *syncs.last().expect("one");
    assert!(
        after(&without(last), &target).contains(&Found::Old),
        "a name that was not synced may be the old one"
    );
    eprintln!("{prefixes} of {prefixes} beginnings of a save leave the old bytes or the new ones");
    nobody::again(the_power_may_go_after_any_step);
}

#[test]
fn a_writer_in_place_is_found_out() {
    let Some(steps) = steps("naive-once") else { return };
    let Some(Step::Write(target)) = steps.first() else { panic!("it writes: {steps:?}") };
    let torn = (0..=steps.len()).filter(|&end| after(&steps[..end], target).contains(&Found::Torn)).count();
    assert!(torn > 0, "the same look at a file that is written in place finds torn bytes");
}
