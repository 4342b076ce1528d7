//! The files that git does not know.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use gix::bstr::{BStr, BString, ByteSlice};
use gix::dir::EntryRef;
use gix::dir::entry::{Kind, Status};
use gix::dir::walk::{Action, Delegate, EmissionMode, ForDeletionMode};
use gix::index::State;
use gix::index::entry::Flags;

use crate::repo::{Person, Repo, RepoError, beforehand};

impl Repo {
    /// Untracked files, and untracked directories as one (with `/` at the end), by the repository's own setting.
    pub(super) fn untracked_files(
        &self,
        person: &Person,
        index: &State,
    ) -> Result<BTreeSet<BString>, RepoError> {
        let local = self.local_for(person)?;
        let unreadable = |error| self.refused("the directories", &error);
        let collapse = match local.config_snapshot().string("status.showUntrackedFiles") {
            Some(value) if value == "no" || value == "false" => return Ok(BTreeSet::new()),
            Some(value) => value != "all",
            None => true,
        };
        let index = without_skips(index);
        let mut found =
            Found { root: self.root(), index: &index, collapse, paths: BTreeSet::new(), odd: None };
        // Collapsing is done here: gix collapses a directory whose tracked files are all gone from the disk, and one
        // that holds nothing but ignored files and empty directories; git does neither.
        let options = local.dirwalk_options().map_err(unreadable)?.emit_untracked(EmissionMode::Matching);
        let walked = local.dirwalk(&index, None::<&BStr>, &AtomicBool::new(false), options, &mut found);
        if let Some(odd) = found.odd {
            return Err(odd);
        }
        walked.map_err(unreadable)?;
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
    root: &'a Path,
    index: &'a State,
    collapse: bool,
    paths: BTreeSet<BString>,
    /// Rules that must not be opened: the walk ends there.
    odd: Option<RepoError>,
}

impl Delegate for Found<'_> {
    fn can_recurse(&mut self, entry: EntryRef<'_>, deleting: Option<ForDeletionMode>, nested: bool) -> bool {
        if !entry.status.can_recurse(entry.disk_kind, entry.pathspec_match, deleting, nested) {
            return false;
        }
        // The walk reads a directory's rules as soon as it goes into it.
        let Ok(below) = gix::path::from_bstr(entry.rela_path.as_ref()) else { return true };
        match beforehand::rules(&self.root.join(below)) {
            Ok(()) => self.odd.is_none(),
            Err(odd) => {
                self.odd = Some(odd);
                false
            }
        }
    }

    fn emit(&mut self, entry: EntryRef<'_>, _collapsed: Option<Status>) -> Action {
        if self.odd.is_some() {
            return std::ops::ControlFlow::Break(());
        }
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
