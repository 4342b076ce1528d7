//! Looking at one path in the trees of two commits, without a diff of the rest.

use gix::bstr::BString;
use gix::objs::tree::EntryMode;

/// What lies at a path of a tree: its mode and id.
pub(super) type Spot = Option<(EntryMode, gix::ObjectId)>;

/// The changes between the trees of two commits, directories included.
pub(super) fn changes(
    local: &gix::Repository,
    old: gix::ObjectId,
    new: gix::ObjectId,
    renames: Option<gix::diff::Rewrites>,
) -> gix::Result<Vec<gix::object::tree::diff::ChangeDetached>> {
    let (old, new) = (local.find_commit(old)?.tree()?, local.find_commit(new)?.tree()?);
    local.diff_tree_to_tree(&old, &new, gix::diff::Options::default().with_rewrites(renames))
}

/// What lies at `path` in the tree of a commit, of which only the id of the root tree is needed.
pub(super) fn lookup(local: &gix::Repository, tree: gix::ObjectId, path: &[BString]) -> gix::Result<Spot> {
    let mut spot = Some((EntryMode::from(gix::objs::tree::EntryKind::Tree), tree));
    for name in path {
        spot = below(local, spot, name)?;
    }
    Ok(spot)
}

/// Whether two trees hold the same at `path`. Both are gone down together, so that an unchanged directory ends
/// the search at once.
pub(super) fn same(
    local: &gix::Repository,
    one: Option<gix::ObjectId>,
    other: Option<gix::ObjectId>,
    path: &[BString],
) -> gix::Result<bool> {
    let root = |tree: gix::ObjectId| (EntryMode::from(gix::objs::tree::EntryKind::Tree), tree);
    let (mut one, mut other) = (one.map(root), other.map(root));
    for name in path {
        if one == other {
            return Ok(true);
        }
        one = below(local, one, name)?;
        other = below(local, other, name)?;
    }
    Ok(one == other)
}

fn below(local: &gix::Repository, spot: Spot, name: &[u8]) -> gix::Result<Spot> {
    match spot {
        Some((mode, id)) if mode.is_tree() => {
            let tree = local.find_tree(id)?;
            Ok(tree.find_entry(name).map(|entry| (entry.mode(), entry.object_id())))
        }
        _ => Ok(None),
    }
}
