//! A handoff of another worktree than the one somebody stands in: the newest one of all may be that.

use std::path::Path;

use crate::check::Examiner;
use crate::handoff::inert::{one_line, plain};
use crate::place::{Listed, Scope};
use crate::repo::Repo;

/// That a handoff lies in another worktree of the project's repository, with the branch of each, in one sentence;
/// `None` where it lies in the project's own, in the home directory, or in no worktree of the repository.
pub fn elsewhere(examiner: &Examiner, row: &Listed) -> Option<String> {
    if row.scope == Scope::Global || row.root == examiner.project() {
        return None;
    }
    let here = Repo::containing(examiner.project()).ok()?;
    let there = Repo::containing(&row.root).ok()?;
    if here.root() == there.root() || here.common_dir() != there.common_dir() {
        return None;
    }
    let (here, there) = (named(&here), named(&there));
    Some(format!("this handoff lies in the worktree {there}; you are in {here}"))
}

/// A worktree by its path below the main one, else by the last part of its path, with its branch.
fn named(repo: &Repo) -> String {
    let main = repo.common_dir().parent();
    let below = main.and_then(|main| repo.root().strip_prefix(main).ok());
    let below = below.filter(|below| !below.as_os_str().is_empty());
    let name = below.or_else(|| repo.root().file_name().map(Path::new)).unwrap_or(repo.root());
    let name = one_line(&plain(&name.display().to_string()).0);
    match repo.head().map(|head| head.branch().map(ToString::to_string)) {
        Ok(Some(branch)) => format!("{name} (on {branch})"),
        Ok(None) => format!("{name} (on no branch)"),
        Err(_) => name,
    }
}
