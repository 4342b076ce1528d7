//! What differs from HEAD and index, as `git status --porcelain` says it, without what git would run for it.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use gix::attrs::StateRef;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::dir::entry::Kind;
use gix::dir::walk::EmissionMode;
use gix::index::entry::Mode;
use gix::status::plumbing::index_as_worktree::{Change, Conflict, EntryStatus, traits};
use gix::status::plumbing::index_as_worktree_with_renames::{Entry, VisitEntry};

use super::{Repo, RepoError, Status, StatusEntry};
use crate::handoff::Inert;

impl Repo {
    /// What differs, as `git status --porcelain` would say, submodules left alone and filters not run.
    ///
    /// The index is never written. Ignore rules are the repository's own; those of the person's configuration
    /// are not asked.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where it cannot be told: a sparse index, attributes or ignore rules kept outside the
    /// repository's own files, anything unreadable.
    pub fn status(&self) -> Result<Status, RepoError> {
        let local = self.local();
        self.refuse_rules_elsewhere(&local)?;
        let index = self.index(&local)?;
        let mut lines = Lines::default();
        self.compare_head(&local, &index, &mut lines)?;
        let changed = self.compare_files(&local, &index, &mut lines)?;
        let not_compared = self.set_aside_filtered(&local, &index, changed, &mut lines)?;
        let submodules = index.entries().iter().filter(|entry| entry.mode == Mode::COMMIT).count();
        Ok(Status { entries: lines.sorted(quotes_non_ascii(&local)), not_compared, submodules })
    }

    /// The index as it is on disk now; an empty one where there is none yet.
    fn index(&self, local: &gix::Repository) -> Result<gix::index::State, RepoError> {
        let index = match local.open_index() {
            Ok(index) => index.into(),
            Err(error) if error.is_not_found() && local.index_path().symlink_metadata().is_err() => {
                gix::index::State::new(local.object_hash())
            }
            Err(error) => return Err(self.refused("the index", &error)),
        };
        if index.is_sparse() {
            return Err(RepoError::Refused(format!(
                "{} has a sparse index, which is not compared; `git sparse-checkout reapply --no-sparse-index` writes \
                 a full one",
                self.root().display()
            )));
        }
        Ok(index)
    }

    /// With rules in a file that this program does not follow, the answer would be another one than git's.
    fn refuse_rules_elsewhere(&self, local: &gix::Repository) -> Result<(), RepoError> {
        let config = local.config_snapshot();
        for key in ["core.attributesFile", "core.excludesFile"] {
            if config.string(key).is_some_and(|value| !value.is_empty()) {
                return Err(RepoError::Refused(format!(
                    "{} sets {key} in its own configuration; that file is not read, so its files are not compared",
                    self.root().display()
                )));
            }
        }
        Ok(())
    }

    /// HEAD against index: the first letter.
    fn compare_head(
        &self,
        local: &gix::Repository,
        index: &gix::index::State,
        lines: &mut Lines,
    ) -> Result<(), RepoError> {
        let unreadable = |error| self.refused("HEAD's files", &error);
        let tree = match self.head_id()? {
            Some(head) => {
                local.find_commit(head).and_then(|commit| commit.tree_id()).map_err(unreadable)?.detach()
            }
            None => local.empty_tree().id,
        };
        let renames = gix::status::tree_index::TrackRenames::AsConfigured;
        let outcome = local.tree_index_status(&tree, index, None, renames, |change, _, _| {
            use gix::diff::index::ChangeRef;
            let (path, _, _, _) = change.fields();
            let (letter, from) = match &change {
                ChangeRef::Addition { .. } => ('A', None),
                ChangeRef::Deletion { .. } => ('D', None),
                ChangeRef::Modification { previous_entry_mode, entry_mode, .. } => {
                    (if same_type(*previous_entry_mode, *entry_mode) { 'M' } else { 'T' }, None)
                }
                ChangeRef::Rewrite { source_location, copy, .. } => {
                    (if *copy { 'C' } else { 'R' }, Some(source_location.clone().into_owned()))
                }
            };
            let line = lines.at(path);
            line.xy[0] = letter;
            line.from = from;
            Ok(std::ops::ControlFlow::Continue(()))
        });
        outcome.map(drop).map_err(unreadable)
    }

    /// Index against files: the second letter. Returns the files whose content had to be read.
    fn compare_files(
        &self,
        local: &gix::Repository,
        index: &gix::index::State,
        lines: &mut Lines,
    ) -> Result<Vec<BString>, RepoError> {
        let unreadable = |error| self.refused("the files", &error);
        let untracked = match local.config_snapshot().string("status.showUntrackedFiles") {
            Some(value) if value == "no" || value == "false" => None,
            Some(value) if value == "all" => Some(EmissionMode::Matching),
            _ => Some(EmissionMode::CollapseDirectory),
        };
        let walk = local.dirwalk_options().map_err(unreadable)?;
        let options = gix::status::index_worktree::Options {
            dirwalk_options: untracked.map(|mode| walk.emit_untracked(mode)),
            ..Default::default()
        };
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
                options,
            )
            .map_err(unreadable)?;
        Ok(seen.changed)
    }

    /// Takes back what was said of files that a filter would have to convert first: gix compared them as they
    /// lie there, which says nothing.
    fn set_aside_filtered(
        &self,
        local: &gix::Repository,
        index: &gix::index::State,
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

/// Submodules are not opened: their configuration would be followed with them.
#[derive(Clone)]
struct LeaveAlone;

impl traits::SubmoduleStatus for LeaveAlone {
    type Output = ();

    fn status(&mut self, _entry: &gix::index::Entry, _path: &BStr) -> gix::Result<Option<()>> {
        Ok(None)
    }
}

/// One path's line while it is put together.
struct Line {
    xy: [char; 2],
    from: Option<BString>,
    /// The second letter does not rest on the file's content alone.
    by_mode: bool,
}

/// All lines by path.
#[derive(Default)]
struct Lines(BTreeMap<BString, Line>);

impl Lines {
    fn at(&mut self, path: &BStr) -> &mut Line {
        self.0.entry(path.to_owned()).or_insert(Line { xy: [' ', ' '], from: None, by_mode: false })
    }

    fn forget_content(&mut self, path: &BStr) {
        if let Some(line) = self.0.get_mut(path)
            && !line.by_mode
        {
            line.xy[1] = ' ';
        }
    }

    fn sorted(self, quote_non_ascii: bool) -> Vec<StatusEntry> {
        let mut entries: Vec<(Vec<u8>, StatusEntry)> = Vec::new();
        for (path, line) in self.0.into_iter().filter(|(_, line)| line.xy != [' ', ' ']) {
            let mut porcelain = format!("{}{} ", line.xy[0], line.xy[1]).into_bytes();
            if let Some(from) = &line.from {
                porcelain.extend(quoted(from, quote_non_ascii));
                porcelain.extend(b" -> ");
            }
            porcelain.extend(quoted(&path, quote_non_ascii));
            let entry = StatusEntry {
                xy: line.xy,
                path: Inert::new(path.to_str_lossy()),
                from: line.from.map(|from| Inert::new(from.to_str_lossy())),
            };
            entries.push((porcelain, entry));
        }
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        entries.into_iter().map(|(_, entry)| entry).collect()
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
        match entry {
            Entry::Modification { rela_path, status, .. } => self.tracked(rela_path, status),
            Entry::DirectoryContents { entry, .. } => self.untracked(&entry),
            // Renames of untracked files are not asked for.
            Entry::Rewrite { .. } => {}
        }
    }
}

impl Seen<'_> {
    fn tracked(&mut self, path: &BStr, status: EntryStatus<(), ()>) {
        let line = match status {
            EntryStatus::NeedsUpdate(_) => return self.changed.push(path.to_owned()),
            EntryStatus::Conflict { summary, .. } => {
                self.lines.at(path).xy = conflict_letters(summary);
                return;
            }
            EntryStatus::IntentToAdd => {
                self.lines.at(path).xy[1] = 'A';
                return;
            }
            EntryStatus::Change(Change::Removed) => {
                self.lines.at(path).xy[1] = 'D';
                return;
            }
            EntryStatus::Change(Change::Type { .. }) => {
                self.lines.at(path).xy[1] = 'T';
                return;
            }
            EntryStatus::Change(Change::SubmoduleModification(())) => return,
            EntryStatus::Change(Change::Modification { executable_bit_changed, content_change, .. }) => {
                if content_change.is_some() {
                    self.changed.push(path.to_owned());
                }
                let line = self.lines.at(path);
                line.by_mode = executable_bit_changed;
                line
            }
        };
        line.xy[1] = 'M';
    }

    fn untracked(&mut self, entry: &gix::dir::Entry) {
        if entry.status != gix::dir::entry::Status::Untracked {
            return;
        }
        let mut path = entry.rela_path.clone();
        match entry.disk_kind {
            Some(Kind::Untrackable) => return,
            Some(Kind::Directory | Kind::Repository) if !path.ends_with(b"/") => path.push(b'/'),
            _ => {}
        }
        self.lines.at(path.as_bstr()).xy = ['?', '?'];
    }
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

fn quotes_non_ascii(local: &gix::Repository) -> bool {
    local.config_snapshot().boolean("core.quotePath").unwrap_or(true)
}

/// A path as git prints it in a line: in quotes, with C escapes, where it holds a control character, a quote, a
/// backslash, a blank, or (unless `core.quotePath` is off) a byte beyond ASCII.
fn quoted(path: &[u8], non_ascii: bool) -> Vec<u8> {
    let odd = |b: &u8| matches!(b, ..b' ' | b'"' | b'\\' | 0x7F) || (non_ascii && *b >= 0x80);
    if !path.iter().any(|b| odd(b) || *b == b' ') {
        return path.to_owned();
    }
    let mut out = vec![b'"'];
    for b in path {
        match b {
            b'"' | b'\\' => out.extend([b'\\', *b]),
            7..=13 => out.extend([b'\\', b"abtnvfr"[usize::from(b - 7)]]),
            b if odd(b) => out.extend(format!("\\{b:03o}").into_bytes()),
            b => out.push(*b),
        }
    }
    out.push(b'"');
    out
}
