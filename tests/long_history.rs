//! Many handoffs in a repository with a long history: its commits are read once for all of them.

#[path = "common/long_history.rs"]
mod long_history;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use moorline::check::{Examiner, Verdict};
use moorline::harness::Surroundings;
use moorline::place::{self, Found, Listed};
use moorline::repo::Walked;
use moorline::settings::Settings;

const COMMITS: usize = 500;
const HANDOFFS: usize = 100;

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
    let root = dir.path().canonicalize().expect("it has a real path").join("project");
    let commits = long_history::repository(&root, COMMITS, 100);
    long_history::handoffs(&root, &commits, HANDOFFS);
    let around = Surroundings { home: Some(dir.path().join("home")), ..Surroundings::default() };
    let examiner = Examiner::new(&root, around, Settings::default());
    let mut rows = rows(&examiner);
    assert_eq!(rows.len(), HANDOFFS + 1, "all of them are listed, and the rolling one");
    assert_eq!(examiner.walked(), Walked::default(), "listing walks nothing");
    examiner.date_by_commits(&mut rows).expect("the history can be read");
    let reports: Vec<_> = rows.iter().map(|row| examiner.examine(row)).collect();

    let all = long_history::git(&root, &["rev-list", "--count", "HEAD"]).output().expect("git is here");
    let all: usize = String::from_utf8_lossy(&all.stdout).trim().parse().expect("a number");
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
