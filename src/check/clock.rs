//! The commit clock: undated handoffs that git tracks take the time of the commit that last changed them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::Examiner;
use super::lane::GRACE;
use crate::handoff::{ClockSource, Moment, SavedAt};
use crate::place::{self, Listed};
use crate::repo::{Commit, Repo, RepoError};

/// How many commits one walk looks at. Past it an undated handoff keeps its modification time, marked so.
pub const BUDGET: usize = 2_000;

/// Dates what can be dated and returns how many rows were.
pub(super) fn date_by_commits(examiner: &Examiner, rows: &mut [Arc<Listed>]) -> Result<usize, RepoError> {
    let mut by_root = BTreeMap::<PathBuf, Vec<usize>>::new();
    for (index, row) in rows.iter().enumerate() {
        if row.saved_at.source == ClockSource::Mtime {
            by_root.entry(row.root.clone()).or_default().push(index);
        }
    }
    let mut dated = 0;
    for (root, indexes) in by_root {
        let repo = match examiner.repo_around(&root) {
            Ok(repo) => repo,
            // Without a repository there is no commit to date by: an absence, no trouble.
            Err(RepoError::None(_)) => continue,
            Err(why) => return Err(why),
        };
        dated += date(examiner, &repo, rows, &indexes)?;
    }
    if dated > 0 {
        place::order(rows, Utc::now());
    }
    Ok(dated)
}

/// Dates the rows of one repository in one walk.
fn date(
    examiner: &Examiner,
    repo: &Repo,
    rows: &mut [Arc<Listed>],
    indexes: &[usize],
) -> Result<usize, RepoError> {
    let tracked: Vec<(usize, PathBuf)> = indexes
        .iter()
        .filter_map(|&index| {
            let path = rows.get(index)?.path.canonicalize().ok()?;
            Some((index, path.strip_prefix(repo.root()).ok()?.to_owned()))
        })
        .collect();
    let paths: Vec<_> = tracked.iter().map(|(_, path)| path.clone()).collect();
    let commits = repo.last_changes(&paths, BUDGET)?;
    let changed = changed_now(examiner, repo);
    let mut dated = 0;
    for ((index, path), commit) in tracked.into_iter().zip(commits) {
        let (Some(row), Some(commit)) = (rows.get_mut(index), commit) else { continue };
        let Some(saved_at) = saved_at(&commit) else { continue };
        let row = Arc::make_mut(row);
        // A clone stamps every file "now": only a file that differs from its commit was edited after it.
        row.edited_after = row.modified > commit.time + GRACE && changed.contains(&path);
        row.saved_at = saved_at;
        dated += 1;
    }
    Ok(dated)
}

fn changed_now(examiner: &Examiner, repo: &Repo) -> Vec<PathBuf> {
    let status = examiner.status(repo);
    let entries = status.iter().flat_map(|status| &status.entries);
    entries.map(|entry| PathBuf::from(entry.path.raw())).collect()
}

fn saved_at(commit: &Commit) -> Option<SavedAt> {
    let moment = Moment::Instant(DateTime::from_timestamp(commit.time, 0)?.fixed_offset());
    Some(SavedAt { moment, written: moment.to_text().into(), source: ClockSource::Commit })
}
