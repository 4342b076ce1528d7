//! The repository, read without running it: the only room that knows gix.
//!
//! Nothing that a repository configures is run: no filter, fsmonitor, hook, textconv, pager, alias or include.
//! What cannot be read so is refused by name ([`RepoError::Refused`]) and becomes *unknown* above this floor.

pub mod sample;

use std::path::{Path, PathBuf};

use crate::handoff::{BranchName, CommitId, Inert, Revision};

/// Why a repository fact is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RepoError {
    /// There is no repository here: an absence, known for sure.
    #[error("{} is not in a git repository", .0.display())]
    None(PathBuf),
    /// There is one, but it cannot be read as it must be; says which kind and why.
    #[error("{0}")]
    Refused(String),
}

/// What HEAD is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// On a branch that has commits.
    Branch(BranchName, CommitId),
    /// Detached at a commit.
    Detached(CommitId),
    /// On a branch without a commit yet.
    Unborn(BranchName),
}

impl Head {
    /// The branch, when HEAD is on one.
    pub fn branch(&self) -> Option<&BranchName> {
        match self {
            Self::Branch(name, _) | Self::Unborn(name) => Some(name),
            Self::Detached(_) => None,
        }
    }

    /// The commit, when there is one.
    pub fn commit(&self) -> Option<&CommitId> {
        match self {
            Self::Branch(_, id) | Self::Detached(id) => Some(id),
            Self::Unborn(_) => None,
        }
    }
}

/// Which repository this is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// `host/path` of the remote without scheme, credentials, port and `.git`, host lowercased; without any
    /// remote the root directory's name.
    pub text: String,
    /// Whether it comes from a remote; a directory name proves less.
    pub from_remote: bool,
}

/// Normalises a remote URL (or an already normalised identity) to `host/path`; local paths stay as they are.
pub fn normalise_remote(url: &str) -> String {
    let _ = url;
    todo!()
}

/// A registered worktree.
#[derive(Debug, Clone)]
pub struct Worktree {
    /// Its directory, as real path where it exists.
    pub path: PathBuf,
    /// `true` for the main one.
    pub main: bool,
    /// Its HEAD, or why it cannot be told (pruned, moved, …).
    pub head: Result<Head, RepoError>,
}

/// One porcelain-v1 entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusEntry {
    /// The two status letters, as `git status --porcelain` prints them.
    pub xy: [char; 2],
    /// The path, relative to the worktree root.
    pub path: Inert,
}

/// What differs from HEAD and index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Status {
    /// Entries sorted bytewise by their porcelain line.
    pub entries: Vec<StatusEntry>,
    /// Changed files that were not compared because attributes name a filter for them.
    pub not_compared: Vec<Inert>,
    /// How many submodules were left alone.
    pub submodules: usize,
}

/// One commit in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Full id.
    pub id: CommitId,
    /// First line of its message.
    pub subject: Inert,
    /// Committer time, seconds since 1970.
    pub time: i64,
}

/// How a recorded commit stands to HEAD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    /// HEAD is exactly that commit.
    Same,
    /// HEAD went on from it.
    Ahead {
        /// Commits since, newest first, at most as many as asked for.
        commits: Vec<Commit>,
        /// How many there are.
        count: usize,
        /// Files changed in between.
        files: Vec<Inert>,
    },
    /// The commit is on a line that HEAD does not contain: rewritten, or HEAD moved elsewhere.
    Diverged {
        /// Commits that HEAD has and it has not.
        ahead: usize,
        /// Commits that it has and HEAD has not.
        behind: usize,
    },
    /// No object of that id is here.
    Missing,
    /// The id names something that is no commit.
    NotACommit,
    /// The abbreviation fits several objects.
    Ambiguous,
}

/// How far HEAD is from its upstream, by local refs only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upstream {
    /// The upstream's short name, `origin/main`.
    pub name: Inert,
    /// Commits only here.
    pub ahead: usize,
    /// Commits only there.
    pub behind: usize,
}

/// What became of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BranchState {
    /// It is here, at this commit.
    Local(CommitId),
    /// Only remotes have it.
    RemoteOnly(Vec<Inert>),
    /// Nobody here knows it; names the branch whose history says it was merged, where one does.
    Gone {
        /// The branch it was merged into, by the merge commits of HEAD's history.
        merged_into: Option<BranchName>,
    },
}

/// What became of a path that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathFate {
    /// It is there.
    There,
    /// It was in the history and is gone, renamed to this where git can tell.
    Gone {
        /// Its new name.
        renamed_to: Option<Inert>,
    },
    /// The history looked through never had it.
    NeverSeen,
}

/// One worktree of a repository, opened exactly where it was asked for.
pub struct Repo {
    root: PathBuf,
}

impl Repo {
    /// Opens the worktree whose root is exactly `dir`; never walks up.
    pub fn open(dir: &Path) -> Result<Self, RepoError> {
        let _ = dir;
        todo!()
    }

    /// Opens the worktree that contains `dir`.
    pub fn containing(dir: &Path) -> Result<Self, RepoError> {
        let _ = dir;
        todo!()
    }

    /// The worktree's root, as real path.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The directory that all worktrees of this repository share, as real path.
    pub fn common_dir(&self) -> &Path {
        todo!()
    }

    /// Whether this is a linked worktree.
    pub fn is_linked(&self) -> bool {
        todo!()
    }

    /// Which user's repository this is, when it is not ours.
    pub fn foreign_owner(&self) -> Option<u32> {
        todo!()
    }

    /// Which repository it is. Several remotes without `origin` are refused.
    pub fn identity(&self) -> Result<Identity, RepoError> {
        todo!()
    }

    /// What HEAD is.
    pub fn head(&self) -> Result<Head, RepoError> {
        todo!()
    }

    /// All registered worktrees, the main one first.
    pub fn worktrees(&self) -> Result<Vec<Worktree>, RepoError> {
        todo!()
    }

    /// Opens `dir` as the root or a linked worktree of this same repository, registered both ways.
    pub fn linked(&self, dir: &Path) -> Result<Self, RepoError> {
        let _ = dir;
        todo!()
    }

    /// What differs, as `git status --porcelain` would say, submodules left alone and filters not run.
    pub fn status(&self) -> Result<Status, RepoError> {
        todo!()
    }

    /// How far HEAD is from its upstream; `None` where none is configured.
    pub fn upstream(&self) -> Result<Option<Upstream>, RepoError> {
        todo!()
    }

    /// The newest commits of HEAD.
    pub fn log(&self, most: usize) -> Result<Vec<Commit>, RepoError> {
        let _ = most;
        todo!()
    }

    /// How a recorded commit stands to HEAD; lists at most `most` commits.
    pub fn relation(&self, to: &Revision, most: usize) -> Result<Relation, RepoError> {
        let _ = (to, most);
        todo!()
    }

    /// What became of a branch.
    pub fn branch(&self, name: &BranchName) -> Result<BranchState, RepoError> {
        let _ = name;
        todo!()
    }

    /// Whether a tag of that name is here.
    pub fn has_tag(&self, name: &BranchName) -> Result<bool, RepoError> {
        let _ = name;
        todo!()
    }

    /// What became of paths (relative to the root), in one walk of at most `budget` commits.
    pub fn fates(&self, paths: &[Inert], budget: usize) -> Result<Vec<PathFate>, RepoError> {
        let _ = (paths, budget);
        todo!()
    }

    /// The commit that last changed each path, in one walk of at most `budget` commits; `None` where the walk
    /// did not meet one.
    pub fn last_changes(&self, paths: &[PathBuf], budget: usize) -> Result<Vec<Option<Commit>>, RepoError> {
        let _ = (paths, budget);
        todo!()
    }
}
