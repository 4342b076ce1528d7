//! A long history: many handoffs about it, and one file that is written over and over.

use std::path::Path;

#[path = "../../common/long_history.rs"]
mod long_history;

/// A repository of 5,000 commits with 1,000 freeform handoffs.
pub fn repository(dir: &Path) {
    let commits = long_history::repository(dir, 5_000, 800);
    long_history::handoffs(dir, &commits, 1_000);
}
