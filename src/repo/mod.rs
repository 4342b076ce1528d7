//! The repository, read without running it: the only room that knows gix.
//!
//! Nothing that a repository configures is run: no filter, fsmonitor, hook, textconv, pager, alias or include.
//! What cannot be read so is refused by name ([`RepoError::Refused`]) and becomes *unknown* above this floor.
//!
//! | file | what it answers |
//! |---|---|
//! | `layout` | where the parts lie: `.git`, `commondir` and `gitdir`, each followed and checked both ways |
//! | `open` | [`Repo`] itself: one worktree, opened exactly where it was asked for |
//! | `beforehand` | that what gix opens by itself is a regular file of a sane size |
//! | `identity` | which repository it is, by its remote |
//! | `head` | what HEAD is; the one way to look a reference up |
//! | `worktrees` | the worktrees that share it |
//! | `under_way` | what git has begun here and not ended |
//! | `status` | what differs from HEAD and index |
//! | `history` | commits: the newest, and how a recorded one stands to HEAD |
//! | `asking` | many questions about one HEAD right after each other |
//! | `chronicle` | the commits of HEAD, walked once for every question about them |
//! | `files` | files that two states differ in, by their directories |
//! | `branches` | what became of a branch or tag, and the upstream |
//! | `follows` | what the checked-out branch follows on a remote, and what git would run to ask it |
//! | `paths` | what became of files, by walking the history |
//! | `person` | the person's own settings and rules, and files that a configuration includes, read as text |
//! | `committed` | whether HEAD holds exactly some bytes |
//! | `trail` | the versions of one file, by every name that it had |
//! | `ignored` | whether git would ignore a path, and by which rule |
//! | `bundle` | everything that the branch reaches, as one file that git can be cloned from |
//! | [`sample`] | builds a small repository, for the demo |

mod asking;
mod beforehand;
mod branches;
mod bundle;
mod chronicle;
mod committed;
mod facts;
mod files;
mod follows;
mod head;
mod history;
mod identity;
mod ignored;
mod layout;
mod open;
mod paths;
mod person;
pub mod sample;
mod status;
mod trail;
mod trees;
mod under_way;
mod worktrees;

pub use asking::Asking;
pub use bundle::{History, SecretInHistory};
pub use facts::{
    AsNow, BranchState, Commit, Head, Holder, Identity, PathFate, Relation, RepoError, Status, StatusEntry,
    Upstream, Walked, Worktree,
};
pub use files::{Files, Paths};
pub use follows::{Follows, Unfollowed};
pub use identity::normalise_remote;
pub use ignored::{IgnoreRules, IgnoredBy};
pub use open::Repo;
pub use person::Person;
pub use trail::Held;
