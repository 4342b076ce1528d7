//! Whether git would ignore a path, and by which line of which file.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use gix::bstr::{BStr, ByteSlice};
use gix::glob::pattern::Case;
use gix::ignore::Search;
use gix::ignore::search::{Ignore, Match};
use gix::index::State;
use gix::index::entry::Mode;
use gix::worktree::stack::state::ignore::Source;

use super::{Repo, RepoError, beforehand};
use crate::disk;
use crate::handoff::Inert;

/// Bytes read of a person's own configuration and rules.
const CAP: u64 = 1 << 20;

/// Where a person keeps rules of their own, besides the repository's.
#[derive(Debug, Clone, Default)]
pub struct Personal {
    /// The home directory, for `~/.gitconfig` and what begins with `~/`.
    pub home: Option<PathBuf>,
    /// `$XDG_CONFIG_HOME`, where it is set; else `~/.config`.
    pub config_home: Option<PathBuf>,
}

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
    personal: Search,
    case: Case,
}

impl Repo {
    /// The rule by which git ignores `path` (absolute, links followed; it need not be there), as `git check-ignore`
    /// tells it. `None` where it is not ignored, tracked, or outside of this worktree. Of the person's own
    /// configuration `core.excludesFile` is read, includes are not followed.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the index or the rules cannot be read.
    pub fn ignored_by(&self, path: &Path, personal: &Personal) -> Result<Option<IgnoredBy>, RepoError> {
        let Ok(relative) = path.strip_prefix(self.root()) else { return Ok(None) };
        self.ignore_rules(personal)?.rule_for(relative, false)
    }

    /// The rules of this worktree and the person's own, for many questions.
    ///
    /// # Errors
    /// [`RepoError::Refused`] where the index or the rules cannot be read.
    pub fn ignore_rules(&self, personal: &Personal) -> Result<IgnoreRules<'_>, RepoError> {
        let local = self.local()?;
        let index = self.index(&local)?;
        let rules = local.excludes(&index, None, Source::WorktreeThenIdMappingIfNotSkipped);
        let stack = rules.map_err(|error| self.refused("the ignore rules", &error))?.detach();
        let personal = personal_rules(&local, personal);
        let fold = local.config_snapshot().boolean("core.ignoreCase").unwrap_or(false);
        let case = if fold { Case::Fold } else { Case::Sensitive };
        Ok(IgnoreRules { repo: self, local, index, stack, personal, case })
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
            let name = hit.as_os_str().as_bytes().as_bstr();
            let own = level.matching_exclude_pattern();
            let found = own.or_else(|| {
                self.personal.pattern_matching_relative_path(name, Some(is_directory), self.case)
            });
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

/// The rules of `core.excludesFile`, by default `git/ignore` in the person's configuration; none where there is no
/// such file.
fn personal_rules(local: &gix::Repository, personal: &Personal) -> Search {
    let mut rules = Search::default();
    let config_home = personal.config_home.clone().or_else(|| Some(personal.home.as_ref()?.join(".config")));
    let git = config_home.map(|dir| dir.join("git"));
    let named = |bytes: &[u8]| {
        let config = gix::config::File::try_from(bytes.as_bstr()).ok()?;
        config.string("core.excludesFile")
    };
    let of_file = |path: Option<PathBuf>| named(&disk::read(&path?, CAP).ok()?.bytes);
    let set = local
        .config_snapshot()
        .string("core.excludesFile")
        .or_else(|| of_file(personal.home.as_ref().map(|home| home.join(".gitconfig"))))
        .or_else(|| of_file(git.as_ref().map(|git| git.join("config"))));
    let file = match set {
        Some(set) => expanded(set.as_bstr(), personal),
        None => git.map(|git| git.join("ignore")),
    };
    if let Some(file) = file.filter(|file| file.is_absolute())
        && let Ok(content) = disk::read(&file, CAP)
    {
        // A list without a base matches from the root, as git's does; it fails only where a base is no path.
        let _added = rules.add_patterns_buffer(&content.bytes, file, None, Ignore::default());
    }
    rules
}

/// A path of a configuration, where `~/` is the home directory.
fn expanded(value: &BStr, personal: &Personal) -> Option<PathBuf> {
    let path = Path::new(OsStr::from_bytes(value)).to_owned();
    match path.strip_prefix("~") {
        Ok(rest) => Some(personal.home.as_ref()?.join(rest)),
        Err(_) => Some(path),
    }
}
