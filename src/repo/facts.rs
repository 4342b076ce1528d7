//! What a repository can be asked, as plain values: no gix type leaves this room.

use std::path::PathBuf;

use super::Files;
use crate::handoff::{BranchName, CommitId, Inert, inert};

/// Why a repository fact is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RepoError {
    /// There is no repository here: an absence, known for sure.
    #[error("{} is not in a git repository", inert::shown(&.0.to_string_lossy()))]
    None(PathBuf),
    /// There is one, but it cannot be read as it must be; says which kind and why.
    #[error("{0}")]
    Refused(String),
}

impl RepoError {
    /// A refusal in one sentence. Names in it come from the disk and from repositories, so it is made inert here,
    /// once for all.
    pub(super) fn refused(sentence: impl AsRef<str>) -> Self {
        Self::Refused(inert::one_line(&inert::shown(sentence.as_ref())))
    }
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
    /// The path it has now, relative to the worktree root; an untracked directory ends in `/`.
    pub path: Inert,
    /// The path it had in HEAD, when it was renamed or copied.
    pub from: Option<Inert>,
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
        files: Files,
    },
    /// The commit is on a line that HEAD does not contain: rewritten, or HEAD moved elsewhere.
    Diverged {
        /// Commits that HEAD has and it has not.
        ahead: usize,
        /// Commits that it has and HEAD has not.
        behind: usize,
        /// Who still has it.
        holder: Holder,
        /// How it is in HEAD's history all the same, where that can be told.
        as_now: Option<AsNow>,
    },
    /// No object of that id is here.
    Missing,
    /// The id names something that is no commit.
    NotACommit,
    /// The abbreviation fits several objects.
    Ambiguous,
}

/// How a commit that is not in HEAD's history is there all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AsNow {
    /// As this one, of the same author, moment of writing and subject: it was rewritten, as by a rebase.
    Rewritten(Commit),
    /// Since this one every file that it and those before it changed stands as they left it: they were squashed into one,
    /// or picked.
    TakenIn(Commit),
}

/// Which reference of this repository has a commit that HEAD has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// This one, `feat/x`, `origin/feat/x` or `tags/v1`; others may have it, too.
    Reference(Inert),
    /// None: it is unreachable, and git may throw it away.
    Nobody,
    /// There is too much to look through.
    Untold,
}

/// How much of a history was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Walked {
    /// How many times it was walked.
    pub walks: usize,
    /// How many commits were read for it, each as often as it was.
    pub commits: usize,
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
