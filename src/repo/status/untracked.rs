//! The files that git does not know.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::dir::EntryRef;
use gix::dir::entry::{Kind, Status};
use gix::dir::walk::{Action, Delegate, EmissionMode};
use gix::index::State;
use gix::index::entry::Flags;

use crate::repo::{Repo, RepoError};

impl Repo {
    /// Untracked files, and untracked directories as one (with `/` at the end), by the repository's own setting.
    pub(super) fn untracked_files(&self, index: &State) -> Result<BTreeSet<BString>, RepoError> {
        let local = self.local();
        let unreadable = |error| self.refused("the directories", &error);
        let collapse = match local.config_snapshot().string("status.showUntrackedFiles") {
            Some(value) if value == "no" || value == "false" => return Ok(BTreeSet::new()),
            Some(value) => value != "all",
            None => true,
        };
        let index = without_skips(index);
        let mut found = Found { index: &index, collapse, paths: BTreeSet::new() };
        // Collapsing is done here: gix collapses a directory whose tracked files are all gone from the disk, and one
        // that holds nothing but ignored files and empty directories; git does neither.
        let options = local.dirwalk_options().map_err(unreadable)?.emit_untracked(EmissionMode::Matching);
        local
            .dirwalk(&index, None::<&BStr>, &AtomicBool::new(false), options, &mut found)
            .map_err(unreadable)?;
        Ok(found.paths)
    }
}

/// gix passes over a directory that a sparse checkout leaves out altogether; git lists what is new in it.
fn without_skips(index: &State) -> Cow<'_, State> {
    if !index.entries().iter().any(|entry| entry.flags.contains(Flags::SKIP_WORKTREE)) {
        return Cow::Borrowed(index);
    }
    let mut seen = index.clone();
    for entry in seen.entries_mut() {
        entry.flags.remove(Flags::SKIP_WORKTREE);
    }
    Cow::Owned(seen)
}

/// Takes in what the walk meets.
struct Found<'a> {
    index: &'a State,
    collapse: bool,
    paths: BTreeSet<BString>,
}

impl Delegate for Found<'_> {
    fn emit(&mut self, entry: EntryRef<'_>, _collapsed: Option<Status>) -> Action {
        if entry.status == Status::Untracked && entry.disk_kind != Some(Kind::Untrackable) {
            let path = entry.rela_path.as_ref();
            let mut shown = self.collapsed(path).unwrap_or_else(|| path.to_owned());
            let directory = matches!(entry.disk_kind, Some(Kind::Directory | Kind::Repository));
            if directory && !shown.ends_with(b"/") {
                shown.push(b'/');
            }
            // A directory in place of a tracked file is only said to be that file's removal.
            if self.index.entry_index_by_path(shown.trim_end_with(|c| c == '/').as_bstr()).is_err() {
                self.paths.insert(shown);
            }
        }
        std::ops::ControlFlow::Continue(())
    }
}

impl Found<'_> {
    /// The topmost directory above `path` that holds nothing tracked: git says no more than that one.
    fn collapsed(&self, path: &BStr) -> Option<BString> {
        if !self.collapse {
            return None;
        }
        let above = path.find_iter("/").map(|slash| path[..=slash].as_bstr());
        above.into_iter().find(|dir| self.index.prefixed_entries_range(dir).is_none()).map(ToOwned::to_owned)
    }
}
