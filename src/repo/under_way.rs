//! What git has begun in a worktree and not ended.

use gix::state::InProgress;

use super::Repo;
use crate::disk;

/// The most that is read of a branch's name, in bytes.
const LONGEST_NAME: u64 = 4096;

impl Repo {
    /// What was begun here and not ended, as words: `a rebase of feat/x`, `a merge`; `None` where nothing was.
    pub(super) fn under_way(&self, local: &gix::Repository) -> Option<String> {
        Some(match local.state()? {
            InProgress::Rebase | InProgress::RebaseInteractive => match self.rebased() {
                Some(branch) => format!("a rebase of {branch}"),
                None => "a rebase".to_owned(),
            },
            InProgress::ApplyMailbox | InProgress::ApplyMailboxRebase => "an am".to_owned(),
            InProgress::CherryPick | InProgress::CherryPickSequence => "a cherry-pick".to_owned(),
            InProgress::Revert | InProgress::RevertSequence => "a revert".to_owned(),
            InProgress::Merge => "a merge".to_owned(),
            InProgress::Bisect => "a bisect".to_owned(),
        })
    }

    /// The branch that a rebase will move in the end; `None` for a detached HEAD.
    fn rebased(&self) -> Option<String> {
        let names = ["rebase-merge/head-name", "rebase-apply/head-name"];
        let read = |name| disk::read(&self.git_dir().join(name), LONGEST_NAME).ok();
        let content = names.into_iter().find_map(read)?;
        let name = String::from_utf8_lossy(&content.bytes);
        name.trim().strip_prefix("refs/heads/").map(str::to_owned)
    }
}
