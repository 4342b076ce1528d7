//! Whether what a commit beside HEAD's history changed is in that history all the same, as after a merge that makes one
//! commit of a whole branch.

use gix::bstr::{BString, ByteSlice};
use gix::diff::tree::recorder::Change;

use super::walk::Entry;
use crate::repo::trees::{self, Spot};

/// How many files such a commit may have changed.
const MOST_FILES: usize = 500;

/// How many commits are looked at: a branch is not merged long after it was begun.
const MOST_COMMITS: usize = 256;

/// The first of `since` (oldest first) with which every file stands as a commit of the tree `tree` left it; `base` is the
/// tree that it began with. None where it changed nothing, or that cannot be read.
pub(super) fn first_with_all<'a>(
    local: &gix::Repository,
    base: gix::ObjectId,
    tree: gix::ObjectId,
    since: impl Iterator<Item = &'a Entry>,
) -> Option<&'a Entry> {
    let files = changed(local, base, tree)?;
    // The file that was not as it should be in one commit is not in the next one either, most of the time.
    let mut suspect = 0;
    since.take(MOST_COMMITS).find(|entry| {
        let differs = |at: &usize| {
            let (path, left) = &files[*at];
            trees::lookup(local, entry.tree, path).ok().as_ref() != Some(left)
        };
        match (suspect..files.len()).chain(0..suspect).find(differs) {
            Some(at) => {
                suspect = at;
                false
            }
            None => true,
        }
    })
}

/// The files that differ from `base` in `tree`, each with what stands there in `tree`.
fn changed(
    local: &gix::Repository,
    base: gix::ObjectId,
    tree: gix::ObjectId,
) -> Option<Vec<(Vec<BString>, Spot)>> {
    let mut state = gix::diff::tree::State::default();
    let changes = trees::between(local, &mut state, Some(base), tree).ok()?;
    let files = changes.into_iter().filter_map(|change| {
        let (path, mode, left) = match change {
            Change::Addition { path, entry_mode, oid, .. }
            | Change::Modification { path, entry_mode, oid, .. } => {
                (path, entry_mode, Some((entry_mode, oid)))
            }
            Change::Deletion { path, entry_mode, .. } => (path, entry_mode, None),
        };
        let names = path.split_str("/").map(BString::from).collect();
        (!mode.is_tree()).then_some((names, left))
    });
    let files: Vec<_> = files.take(MOST_FILES + 1).collect();
    (1..=MOST_FILES).contains(&files.len()).then_some(files)
}
