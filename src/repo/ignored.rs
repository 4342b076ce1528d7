//! Whether git would ignore a path, and by which line of which file.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;
use gix::ignore::search::Match;
use gix::index::State;
use gix::index::entry::Mode;
use gix::worktree::stack::state::ignore::Source;

use super::{Person, Repo, RepoError, beforehand};
use crate::handoff::Inert;

/// The rule that makes git ignore a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoredBy {
    /// The file that it stands in, absolute.
    pub file: PathBuf,
    /// Its line, from 1.
    pub line: usize,
    /// The rule as git reads it.
    pub rule: Inert,
    /// What it fits, relative to the root: the path itself, or a directory above it.
    pub hit: PathBuf,
}

/// Every rule that decides what git ignores in one worktree, ready to be asked path by path.
pub struct IgnoreRules<'a> {
    repo: &'a Repo,
    local: gix::Repository,
    index: State,
    stack: gix::worktree::Stack,
}

impl Repo {
    /// The rule by which git ignores `path` (absolute, links followed; it need not be there), as `git check-ignore`
    /// tells it. `None` where it is not ignored, tracked, or outside of this worktree.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the index or the rules cannot be read.
    pub fn ignored_by(&self, path: &Path, person: &Person) -> Result<Option<IgnoredBy>, RepoError> {
        let Ok(relative) = path.strip_prefix(self.root()) else { return Ok(None) };
        self.ignore_rules(person)?.rule_for(relative, false)
    }

    /// The rules of this worktree and the person's own, for many questions.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the index or the rules cannot be read.
    pub fn ignore_rules(&self, person: &Person) -> Result<IgnoreRules<'_>, RepoError> {
        let local = self.local_for(person)?;
        let index = self.index(&local)?;
        let rules = local.excludes(&index, None, Source::WorktreeThenIdMappingIfNotSkipped);
        let stack = rules.map_err(|error| self.refused("the ignore rules", &error))?.detach();
        Ok(IgnoreRules { repo: self, local, index, stack })
    }
}

impl IgnoreRules<'_> {
    /// The rule by which git ignores a file or a directory (relative to the root). A tracked file is never ignored,
    /// and neither is a directory that holds one.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where a file of rules on the way cannot be read.
    pub fn rule_for(&mut self, relative: &Path, directory: bool) -> Result<Option<IgnoredBy>, RepoError> {
        if self.is_tracked(relative, directory) {
            return Ok(None);
        }
        let mut levels: Vec<&Path> = relative.ancestors().collect();
        levels.reverse();
        for above in levels.iter().take(levels.len().saturating_sub(1)) {
            beforehand::rules(&self.repo.root().join(above))?;
        }
        // From the top down: what lies in an ignored directory is ignored, whatever a rule further down says.
        for hit in levels.into_iter().filter(|level| !level.as_os_str().is_empty()) {
            let is_directory = directory || hit != relative;
            let mode = if is_directory { Mode::DIR } else { Mode::FILE };
            let level = self.stack.at_path(hit, Some(mode), &self.local.objects).map_err(|error| {
                RepoError::refused(format!("the ignore rules for {} cannot be read: {error}", hit.display()))
            })?;
            let found = level.matching_exclude_pattern();
            if let Some(found) = found.filter(|found| !found.pattern.is_negative()) {
                return Ok(Some(self.repo.rule(&found, hit)));
            }
        }
        Ok(None)
    }

    /// Whether the index has this file, or one in this directory.
    fn is_tracked(&self, relative: &Path, directory: bool) -> bool {
        let path = relative.as_os_str().as_bytes();
        match directory {
            true => self.index.prefixed_entries_range([path, b"/"].concat().as_bstr()).is_some(),
            false => self.index.entry_by_path(path.as_bstr()).is_some(),
        }
    }
}

impl Repo {
    fn rule(&self, found: &Match<'_>, hit: &Path) -> IgnoredBy {
        IgnoredBy {
            file: self.root().join(found.source.unwrap_or(Path::new(".gitignore"))),
            line: found.sequence_number,
            rule: found.pattern.to_string().into(),
            hit: hit.to_owned(),
        }
    }
}
