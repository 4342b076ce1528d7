//! Many handoffs in a repository with a long history: its commits are read once for all of them.

#[path = "common/long_history.rs"]
mod long_history;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use moorline::check::{Examiner, Kept, Past, Verdict};
use moorline::harness::Surroundings;
use moorline::place::{self, Found, Listed};
use moorline::repo::Walked;
use moorline::settings::Settings;

const COMMITS: usize = 500;
const HANDOFFS: usize = 100;
const VERSIONS: usize = 100;

/// The repository, and one who examines it and knows nothing yet.
fn world(dir: &Path) -> (PathBuf, Vec<String>, Examiner) {
    let root = dir.canonicalize().expect("it has a real path").join("project");
    let commits = long_history::repository(&root, COMMITS, VERSIONS);
    let around = Surroundings { home: Some(dir.join("home")), ..Surroundings::default() };
    let examiner = Examiner::new(&root, around, Settings::default());
    (root, commits, examiner)
}

fn git(root: &Path, args: &[&str]) -> String {
    let output = long_history::git(root, args).output().expect("git is here");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn rows(examiner: &Examiner) -> Vec<Arc<Listed>> {
    let found = std::sync::Mutex::new(Vec::<Found>::new());
    place::scan(&examiner.roots(), &AtomicBool::new(false), &|batch| {
        found.lock().expect("no scanner panics").extend(batch);
        true
    });
    place::settle(found.into_inner().expect("no scanner panics")).0
}

#[test]
fn one_walk_of_the_history_serves_all_handoffs() {
    let dir = tempfile::tempdir().expect("a temporary directory can be made");
    let (root, commits, examiner) = world(dir.path());
    long_history::handoffs(&root, &commits, HANDOFFS);
    let mut rows = rows(&examiner);
    assert_eq!(rows.len(), HANDOFFS + 1, "all of them are listed, and the rolling one");
    assert_eq!(examiner.walked(), Walked::default(), "listing walks nothing");
    examiner.date_by_commits(&mut rows).expect("the history can be read");
    let reports: Vec<_> = rows.iter().map(|row| examiner.examine(row)).collect();

    let all: usize = git(&root, &["rev-list", "--count", "HEAD"]).parse().expect("a number");
    let walked = examiner.walked();
    println!("{} handoffs, {all} commits: {walked:?}", rows.len());
    assert_eq!(walked, Walked { walks: 1, commits: all }, "one walk, in which each commit was read once");

    let states = |words: &str| {
        let claims = reports.iter().flat_map(|report| &report.claims);
        claims.filter(|claim| claim.state.raw().starts_with(words)).count()
    };
    assert!(states("gone (renamed to src/kept/") > HANDOFFS / 2, "the walk told what was renamed");
    assert!(states("gone (merged into main)") > 10, "and what was merged");
    assert!(states("neither here") >= HANDOFFS, "and what never was");
    let drifted = reports.iter().filter(|report| report.verdict == Verdict::Drifted).count();
    assert!(drifted > HANDOFFS / 2, "the control: these handoffs are behind HEAD");

    // The control: an examiner that remembers nothing walks again.
    let other = examiner.afresh();
    other.examine(&rows[0]);
    assert_eq!((other.walked().walks, examiner.walked().walks), (1, 1), "each walks for itself");
}

#[test]
fn every_version_of_a_file_is_told_as_it_is_found_under_every_name_it_had() {
    let dir = tempfile::tempdir().expect("a temporary directory can be made");
    let (root, _, examiner) = world(dir.path());
    let row =
        place::read_path(&root.join(long_history::ROLLING), &examiner.roots()).expect("it is read").remove(0);
    let (mut found, mut read_for_the_first) = (Vec::<Past>::new(), 0);
    let trouble = examiner.past(&row, &[], &mut |past| {
        if found.is_empty() {
            read_for_the_first = examiner.walked().commits;
        }
        found.push(past);
        ControlFlow::Continue(())
    });
    assert_eq!(trouble, None, "the history can be read");
    let follow = git(&root, &["log", "--follow", "--format=%h", "--abbrev=7", "--", long_history::ROLLING]);
    let theirs: Vec<&str> = follow.lines().skip(1).collect();
    let ours: Vec<&str> = found.iter().map(|past| past.name.as_str()).collect();
    assert_eq!(theirs.len(), VERSIONS - 1, "git knows them all, across the rename");
    assert_eq!(ours, theirs, "the same versions in the same order, less the present one");
    assert!(read_for_the_first < COMMITS, "the first was told while most was not read: {read_for_the_first}");

    for (number, past) in found.iter().enumerate().step_by(20) {
        let version = examiner.version(&row, past).expect("it can be read");
        let written = long_history::rolling_text(VERSIONS - 2 - number);
        assert_eq!(version.text, written, "version {number} has the text that it had");
        let later =
            if number == 0 { row_text(&examiner, &row) } else { text(&examiner, &row, &found[number - 1]) };
        let vanished = examiner.vanished(&row, &version.text, &later);
        let item = format!("Look into station {:04}", VERSIONS - 2 - number);
        assert_eq!(
            vanished.iter().map(|item| item.raw()).collect::<Vec<_>>(),
            [item],
            "each step dropped one item"
        );
    }
    let before =
        |past: &Past| matches!(&past.kept, Kept::Commit(held) if held.path.raw() != long_history::ROLLING);
    assert!(
        found.iter().filter(|past| before(past)).count() > VERSIONS / 3,
        "the control: some had the old name"
    );

    let mut few = 0;
    examiner.past(&row, &[], &mut |_| {
        few += 1;
        if few == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(few, 3, "whoever has enough is told no more");
}

fn row_text(examiner: &Examiner, row: &Listed) -> String {
    examiner.present(row).expect("it lies there").text
}

fn text(examiner: &Examiner, row: &Listed, past: &Past) -> String {
    examiner.version(row, past).expect("it can be read").text
}
