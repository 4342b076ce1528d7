//! The commit clock: undated handoffs that git tracks take the time of the commit that last changed them, and none that
//! is as HEAD has it was edited: whoever checks a file out stamps it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::Examiner;
use super::lane::GRACE;
use crate::handoff::{ClockSource, Moment, SavedAt};
use crate::place::{self, Listed};
use crate::repo::{Commit, Repo, RepoError};

/// How many commits one walk looks at. Past it an undated handoff keeps its modification time, marked so.
pub const BUDGET: usize = 2_000;

/// Corrects what the files' own times say by what git knows, and returns how many rows were corrected.
pub(super) fn date_by_commits(examiner: &Examiner, rows: &mut [Arc<Listed>]) -> Result<usize, RepoError> {
    let undated = in_repositories(examiner, rows, |row| row.saved_at.source == ClockSource::Mtime)?;
    let edited = in_repositories(examiner, rows, |row| row.edited_after)?;
    let (mut dated, mut unedited) = (0, 0);
    for (repo, indexes) in undated {
        dated += date(examiner, &repo, rows, &indexes)?;
    }
    for (repo, indexes) in edited {
        unedited += unmark(examiner, &repo, rows, &indexes)?;
    }
    if dated > 0 {
        place::adopt_parts(rows);
        place::order(rows, Utc::now());
    }
    Ok(dated + unedited)
}

/// A repository, and the indexes of rows in it.
type InRepo = (Arc<Repo>, Vec<usize>);

/// The repositories of some rows.
fn in_repositories(
    examiner: &Examiner,
    rows: &[Arc<Listed>],
    wanted: impl Fn(&Listed) -> bool,
) -> Result<Vec<InRepo>, RepoError> {
    let mut by_root = BTreeMap::<&Path, Vec<usize>>::new();
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| wanted(row)) {
        by_root.entry(&row.root).or_default().push(index);
    }
    let found = by_root.into_iter().filter_map(|(root, indexes)| match examiner.repo_around(root) {
        Ok(repo) => Some(Ok((repo, indexes))),
        // Without a repository there is no commit to ask: an absence, no trouble.
        Err(RepoError::None(_)) => None,
        Err(why) => Some(Err(why)),
    });
    found.collect()
}

/// The rows with their files' paths from the root.
fn inside(repo: &Repo, rows: &[Arc<Listed>], indexes: &[usize]) -> Vec<(usize, PathBuf)> {
    let inside = |&index: &usize| {
        let path = rows.get(index)?.path.canonicalize().ok()?;
        Some((index, path.strip_prefix(repo.root()).ok()?.to_owned()))
    };
    indexes.iter().filter_map(inside).collect()
}

/// Takes the mark of an edit from rows whose files are as HEAD has them.
fn unmark(
    examiner: &Examiner,
    repo: &Repo,
    rows: &mut [Arc<Listed>],
    indexes: &[usize],
) -> Result<usize, RepoError> {
    let (indexes, paths): (Vec<_>, Vec<_>) = inside(repo, rows, indexes).into_iter().unzip();
    let committed = repo.are_committed(&paths, examiner.settings().read_limit)?;
    let as_held = indexes.into_iter().zip(committed).filter(|(_, committed)| *committed);
    let mut unmarked = 0;
    for (index, _) in as_held {
        if let Some(row) = rows.get_mut(index) {
            Arc::make_mut(row).edited_after = false;
            unmarked += 1;
        }
    }
    Ok(unmarked)
}

/// Dates the rows of one repository in one walk.
fn date(
    examiner: &Examiner,
    repo: &Repo,
    rows: &mut [Arc<Listed>],
    indexes: &[usize],
) -> Result<usize, RepoError> {
    let tracked = inside(repo, rows, indexes);
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
