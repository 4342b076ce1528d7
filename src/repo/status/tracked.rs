//! The files that git knows: HEAD against index gives the first letter, index against files the second.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use gix::bstr::{BStr, BString};
use gix::diff::Rewrites;
use gix::diff::index::ChangeRef;
use gix::index::State;
use gix::index::entry::{Flags, Mode};
use gix::status::plumbing::index_as_worktree::{Change, Conflict, EntryStatus, traits};
use gix::status::plumbing::index_as_worktree_with_renames::{Entry, VisitEntry};
use gix::status::tree_index::TrackRenames;

use super::lines::Lines;
use crate::repo::{Repo, RepoError, trees};

/// How many files of HEAD are compared.
const MOST_FILES: u64 = 5_000_000;

impl Repo {
    /// HEAD against index.
    pub(super) fn compare_head(
        &self,
        local: &gix::Repository,
        index: &State,
        lines: &mut Lines,
    ) -> Result<(), RepoError> {
        let unreadable = |error| self.refused("HEAD's files", &error);
        let tree = match self.head_id(local)? {
            Some(head) => {
                local.find_commit(head).and_then(|commit| commit.tree_id()).map_err(unreadable)?.detach()
            }
            None => local.empty_tree().id,
        };
        // Each directory of HEAD is read, whatever follows: one that is not there makes all of it unknown.
        if !trees::names_at_most(local, tree, MOST_FILES).map_err(unreadable)? {
            return Err(RepoError::refused(format!(
                "HEAD's tree in {} names more than {MOST_FILES} files, or too deep ones: they are not compared",
                self.root().display()
            )));
        }
        // git keeps in the index which tree it is; a commit leaves them equal.
        let in_index = index.tree().filter(|cached| cached.num_entries.is_some()).map(|cached| cached.id);
        if in_index == Some(tree) {
            return Ok(());
        }
        let outcome = local.tree_index_status(&tree, index, None, renames(local), |change, head, index| {
            let (path, _, _, _) = change.fields();
            let (letter, from) = match &change {
                ChangeRef::Addition { .. } => ('A', None),
                ChangeRef::Deletion { .. } => ('D', None),
                ChangeRef::Modification { previous_entry_mode, entry_mode, .. } => {
                    (if same_type(*previous_entry_mode, *entry_mode) { 'M' } else { 'T' }, None)
                }
                ChangeRef::Rewrite { source_location, copy: false, .. } => ('R', Some(source_location)),
                ChangeRef::Rewrite { source_location, copy: true, .. } => {
                    // gix says nothing of the change that made a file a source of copies.
                    let source = source_location.as_ref();
                    let before = head.entry_by_path(source).map(|entry| (entry.id, entry.mode));
                    if index.entry_by_path(source).map(|entry| (entry.id, entry.mode)) != before {
                        lines.at(source).xy[0] = 'M';
                    }
                    ('C', Some(source_location))
                }
            };
            let line = lines.at(path);
            line.xy[0] = letter;
            line.from = from.map(|from| from.clone().into_owned());
            Ok(ControlFlow::Continue(()))
        });
        let head = outcome.map_err(unreadable)?.tree_index;
        // A file that is only promised (`git add -N`) is not in the index yet; gix passes over it.
        for promised in index.entries().iter().filter(|entry| entry.flags.contains(Flags::INTENT_TO_ADD)) {
            let path = promised.path(index);
            if head.entry_by_path(path).is_some() {
                lines.at(path).xy[0] = 'D';
            }
        }
        Ok(())
    }

    /// Index against files. Returns the files whose content had to be read.
    pub(super) fn compare_files(
        &self,
        local: &gix::Repository,
        index: &State,
        lines: &mut Lines,
    ) -> Result<Vec<BString>, RepoError> {
        let mut seen = Seen { lines, changed: Vec::new() };
        local
            .index_worktree_status(
                index,
                None::<&BStr>,
                &mut seen,
                traits::FastEq,
                LeaveAlone,
                &mut gix::progress::Discard,
                &AtomicBool::new(false),
                gix::status::index_worktree::Options::default(),
            )
            .map_err(|error| self.refused("the files", &error))?;
        Ok(seen.changed)
    }
}

/// Submodules are not opened: their configuration would be followed with them.
#[derive(Clone)]
struct LeaveAlone;

impl traits::SubmoduleStatus for LeaveAlone {
    type Output = ();

    fn status(&mut self, _entry: &gix::index::Entry, _path: &BStr) -> gix::Result<Option<()>> {
        Ok(None)
    }
}

/// Takes in what gix finds.
struct Seen<'a> {
    lines: &'a mut Lines,
    changed: Vec<BString>,
}

impl<'index> VisitEntry<'index> for Seen<'_> {
    type ContentChange = ();
    type SubmoduleStatus = ();

    fn visit_entry(&mut self, entry: Entry<'index, (), ()>) {
        // Untracked files and their renames are not asked for here.
        let Entry::Modification { rela_path, status, .. } = entry else { return };
        let letter = match status {
            EntryStatus::NeedsUpdate(_) => return self.changed.push(rela_path.to_owned()),
            EntryStatus::Change(Change::SubmoduleModification(())) => return,
            EntryStatus::Conflict { summary, .. } => {
                self.lines.at(rela_path).xy = conflict_letters(summary);
                return;
            }
            EntryStatus::IntentToAdd => 'A',
            EntryStatus::Change(Change::Removed) => 'D',
            EntryStatus::Change(Change::Type { .. }) => 'T',
            EntryStatus::Change(Change::Modification { executable_bit_changed, content_change, .. }) => {
                if content_change.is_some() {
                    self.changed.push(rela_path.to_owned());
                }
                self.lines.at(rela_path).by_mode = executable_bit_changed;
                'M'
            }
        };
        self.lines.at(rela_path).xy[1] = letter;
    }
}

/// How renames are looked for, by git's own settings for status. gix reads another key in their place.
fn renames(local: &gix::Repository) -> TrackRenames {
    let config = local.config_snapshot();
    let limit = config.integer("status.renameLimit").or_else(|| config.integer("diff.renameLimit"));
    let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(Rewrites::default().limit);
    let key = ["status.renames", "diff.renames"].into_iter().find(|key| config.string(*key).is_some());
    let copies = match key {
        Some(key) if config.string(key).is_some_and(|value| value == "copies" || value == "copy") => {
            Some(gix::diff::rewrites::Copies::default())
        }
        Some(key) if config.boolean(key) == Some(false) => return TrackRenames::Disabled,
        _ => None,
    };
    TrackRenames::Given(Rewrites { copies, limit, ..Rewrites::default() })
}

fn conflict_letters(conflict: Conflict) -> [char; 2] {
    match conflict {
        Conflict::BothDeleted => ['D', 'D'],
        Conflict::AddedByUs => ['A', 'U'],
        Conflict::DeletedByThem => ['U', 'D'],
        Conflict::AddedByThem => ['U', 'A'],
        Conflict::DeletedByUs => ['D', 'U'],
        Conflict::BothAdded => ['A', 'A'],
        Conflict::BothModified => ['U', 'U'],
    }
}

fn same_type(a: Mode, b: Mode) -> bool {
    let plain = |mode| mode == Mode::FILE || mode == Mode::FILE_EXECUTABLE;
    a == b || (plain(a) && plain(b))
}
