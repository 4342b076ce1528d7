//! What differs from HEAD and index, as `git status --porcelain` says it, without what git would run for it.

mod lines;
mod tracked;
mod untracked;

use gix::attrs::StateRef;
use gix::bstr::{BString, ByteSlice};
use gix::index::State;
use gix::index::entry::{Flags, Mode};

use self::lines::Lines;
use super::{Person, Repo, RepoError, Status, beforehand};
use crate::handoff::Inert;

impl Repo {
    /// [`Repo::status_for`] nobody: by the repository's own settings and rules alone.
    ///
    /// # Errors
    /// As there.
    pub fn status(&self) -> Result<Status, RepoError> {
        self.status_for(&Person::default())
    }

    /// What differs, as `git status --porcelain` would say, submodules left alone and filters not run.
    ///
    /// The index is never written. Settings and rules are the repository's own, those it includes or names, and
    /// those of this person; they are read as text, and no program that they name is run.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where it cannot be told: a sparse index, a file of settings or rules that is no sane
    /// regular file, anything unreadable.
    pub fn status_for(&self, person: &Person) -> Result<Status, RepoError> {
        let local = self.local_for(person)?;
        let index = self.index(&local)?;
        beforehand::rules_of_tracked(self.root(), &index)?;
        let mut lines = Lines::default();
        self.compare_head(&local, &index, &mut lines)?;
        // A thread of its own, not a shared pool's: what asks may be one of the pool's threads and hold what the
        // others wait for, and a thread that waits for the pool takes up their work meanwhile.
        let (changed, untracked) = std::thread::scope(|scope| {
            let untracked = scope.spawn(|| self.untracked_files(person, &index));
            let changed = self.compare_files(&local, &index, &mut lines);
            (changed, untracked.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let not_compared = self.set_aside_filtered(&local, &index, changed?, &mut lines)?;
        lines.add_untracked(untracked?);
        let submodules = index.entries().iter().filter(|entry| entry.mode == Mode::COMMIT).count();
        let quote_non_ascii = local.config_snapshot().boolean("core.quotePath").unwrap_or(true);
        Ok(Status { entries: lines.sorted(quote_non_ascii), not_compared, submodules })
    }

    /// The index as it is on disk now; an empty one where there is none yet.
    pub(in crate::repo) fn index(&self, local: &gix::Repository) -> Result<State, RepoError> {
        let mut index: State = match local.open_index() {
            Ok(index) => index.into(),
            Err(error) if error.is_not_found() && local.index_path().symlink_metadata().is_err() => {
                State::new(local.object_hash())
            }
            Err(error) => return Err(self.refused("the index", &error)),
        };
        if index.is_sparse() {
            return Err(RepoError::refused(format!(
                "{} has a sparse index, which is not compared; `git sparse-checkout reapply --no-sparse-index` writes \
                 a full one",
                self.root().display()
            )));
        }
        self.see_files_outside_the_cone(local, &mut index);
        Ok(index)
    }

    /// In a sparse checkout git compares a file that it would have left out as soon as somebody put one there.
    fn see_files_outside_the_cone(&self, local: &gix::Repository, index: &mut State) {
        let config = local.config_snapshot();
        let sparse = config.boolean("core.sparseCheckout").unwrap_or(false);
        if !sparse || config.boolean("sparse.expectFilesOutsideOfPatterns").unwrap_or(false) {
            return;
        }
        let (entries, paths) = index.entries_mut_and_pathbacking();
        for entry in entries.iter_mut().filter(|entry| entry.flags.contains(Flags::SKIP_WORKTREE)) {
            let path = self.root().join(gix::path::from_bstr(entry.path_in(paths)).unwrap_or_default());
            if path.symlink_metadata().is_ok() {
                entry.flags.remove(Flags::SKIP_WORKTREE);
            }
        }
    }

    /// Takes back what was said of files that a filter would have to convert first: gix compared them as they
    /// lie there, which says nothing.
    fn set_aside_filtered(
        &self,
        local: &gix::Repository,
        index: &State,
        changed: Vec<BString>,
        lines: &mut Lines,
    ) -> Result<Vec<Inert>, RepoError> {
        let unreadable = |error| self.refused("the attributes", &error);
        let source = gix::worktree::stack::state::attributes::Source::WorktreeThenIdMapping;
        let mut attributes = local.attributes_only(index, source).map_err(unreadable)?;
        let mut matches = attributes.selected_attribute_matches(["filter"]);
        let mut filtered = Vec::new();
        for path in changed {
            let platform = attributes.at_entry(path.as_bstr(), Some(Mode::FILE)).map_err(unreadable)?;
            platform.matching_attributes(&mut matches);
            if matches.iter_selected().any(|found| matches!(found.assignment.state, StateRef::Value(_))) {
                lines.forget_content(path.as_bstr());
                filtered.push(Inert::new(path.to_str_lossy()));
            }
        }
        filtered.sort();
        Ok(filtered)
    }
}
