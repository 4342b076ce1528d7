//! A long history: many handoffs about it, and one file that is written over and over.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use moorline::check::Examiner;
use moorline::harness::Surroundings;
use moorline::place;
use moorline::settings::Settings;

#[path = "../../common/long_history.rs"]
mod long_history;

pub use long_history::{ROLLING, git};

/// A repository of 5,000 commits with 1,000 freeform handoffs.
pub fn repository(dir: &Path) {
    let commits = long_history::repository(dir, 5_000, VERSIONS);
    long_history::handoffs(dir, &commits, 1_000);
}

/// How many versions the rolling file has.
pub const VERSIONS: usize = 800;

/// The same repository with nothing but the rolling file.
pub fn rolling(dir: &Path) {
    long_history::repository(dir, 5_000, VERSIONS);
}

/// All versions of the rolling file before the present one, named: how long it took to the first and to the last.
pub fn versions(dir: &Path, home: &Path) -> (usize, Duration, Duration) {
    let around = Surroundings { home: Some(home.to_owned()), ..Surroundings::default() };
    let start = Instant::now();
    let examiner = Examiner::new(dir, around, Settings::default());
    let row = place::read_path(&dir.join(ROLLING), &examiner.roots()).expect("it can be read").remove(0);
    let (mut count, mut first) = (0, Duration::ZERO);
    examiner.past(&row, &[], &mut |past| {
        if count == 0 {
            let earlier = examiner.version(&row, &past).expect("it can be read");
            let now = examiner.present(&row).expect("it lies there");
            let lines = moorline::handoff::difference::lines(&earlier.text, &now.text);
            let vanished = examiner.vanished(&row, &earlier.text, &now.text);
            assert!(!lines.is_empty() && !vanished.is_empty(), "there is something to show");
            first = start.elapsed();
        }
        count += 1;
        ControlFlow::Continue(())
    });
    (count, first, start.elapsed())
}
