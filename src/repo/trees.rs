//! Looking at one path in the trees of two commits, without a diff of the rest.

use gix::bstr::BString;
use gix::diff::tree::recorder::Change;
use gix::objs::tree::EntryMode;

/// What lies at a path of a tree: its mode and id.
pub(super) type Spot = Option<(EntryMode, gix::ObjectId)>;

/// The changes between the trees of two commits, renames among them, directories included.
pub(super) fn renames(
    local: &gix::Repository,
    old: gix::ObjectId,
    new: gix::ObjectId,
) -> gix::Result<Vec<gix::object::tree::diff::ChangeDetached>> {
    let (old, new) = (local.find_commit(old)?.tree()?, local.find_commit(new)?.tree()?);
    let options = gix::diff::Options::default().with_rewrites(Some(gix::diff::Rewrites::default()));
    local.diff_tree_to_tree(&old, &new, options)
}

/// The old and the new name, where a change is a rename.
pub(super) fn renamed(change: &gix::object::tree::diff::ChangeDetached) -> Option<(&BString, &BString)> {
    match change {
        gix::object::tree::diff::ChangeDetached::Rewrite {
            source_location, location, copy: false, ..
        } => Some((source_location, location)),
        _ => None,
    }
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

/// What differs between two trees, directories among it.
pub(super) fn between(
    local: &gix::Repository,
    state: &mut gix::diff::tree::State,
    before: Option<gix::ObjectId>,
    after: gix::ObjectId,
) -> Result<Vec<Change>, String> {
    if before == Some(after) {
        return Ok(Vec::new());
    }
    let find = |tree| local.find_tree(tree).map_err(|error| error.to_string());
    let before = before.map(find).transpose()?;
    let after = find(after)?;
    let nothing = gix::objs::TreeRefIter::from_bytes(&[], local.object_hash());
    let lhs = before
        .as_ref()
        .map_or(nothing, |tree| gix::objs::TreeRefIter::from_bytes(&tree.data, local.object_hash()));
    let rhs = gix::objs::TreeRefIter::from_bytes(&after.data, local.object_hash());
    let mut recorder = gix::diff::tree::Recorder::default();
    gix::diff::tree(lhs, rhs, state, &local.objects, &mut recorder).map_err(|error| error.to_string())?;
    Ok(recorder.records)
}
