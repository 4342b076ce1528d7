//! Looking at one path in the trees of two commits, without a diff of the rest; and differences of whole trees, which are
//! bounded, because a tree is worth any number of files.

use std::collections::HashMap;
use std::ops::ControlFlow;

use gix::bstr::{BStr, BString};
use gix::diff::tree::recorder::Change;
use gix::objs::tree::EntryMode;

/// How many changes of one commit are looked at, directories among them.
pub(super) const MOST_CHANGES: usize = 200_000;

/// How many directories may lie in each other.
pub(super) const DEEPEST: usize = 512;

/// What lies at a path of a tree: its mode and id.
pub(super) type Spot = Option<(EntryMode, gix::ObjectId)>;

/// The changes between the trees of two commits, renames among them, directories included; none of more than
/// [`MOST_CHANGES`].
pub(super) fn renames(
    local: &gix::Repository,
    old: gix::ObjectId,
    new: gix::ObjectId,
) -> gix::Result<Vec<gix::object::tree::diff::ChangeDetached>> {
    let (old, new) = (local.find_commit(old)?.tree()?, local.find_commit(new)?.tree()?);
    let mut state = gix::diff::tree::State::default();
    if between(local, &mut state, Some(old.id), new.id).is_ok_and(|all| all.len() >= MOST_CHANGES) {
        return Ok(Vec::new());
    }
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

/// What differs between two trees, directories among it; at most [`MOST_CHANGES`] of it.
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
    let mut bounded = Bounded::default();
    match gix::diff::tree(lhs, rhs, state, &local.objects, &mut bounded) {
        Ok(()) | Err(gix::diff::tree::Error::Cancelled) => Ok(bounded.recorder.records),
        Err(error) => Err(error.to_string()),
    }
}

/// Records changes until there are too many: a dozen trees that name each other many times are more files than there is
/// memory.
#[derive(Default)]
struct Bounded {
    recorder: gix::diff::tree::Recorder,
}

impl gix::diff::tree::Visit for Bounded {
    fn pop_front_tracked_path_and_set_current(&mut self) {
        self.recorder.pop_front_tracked_path_and_set_current();
    }

    fn push_back_tracked_path_component(&mut self, component: &BStr) {
        self.recorder.push_back_tracked_path_component(component);
    }

    fn push_path_component(&mut self, component: &BStr) {
        self.recorder.push_path_component(component);
    }

    fn pop_path_component(&mut self) {
        self.recorder.pop_path_component();
    }

    fn visit(&mut self, change: gix::diff::tree::visit::Change) -> gix::diff::tree::visit::Action {
        match self.recorder.records.len() {
            0..MOST_CHANGES => self.recorder.visit(change),
            _ => ControlFlow::Break(()),
        }
    }
}

/// Whether a tree names at most so many files, each as often as it is named. Directories that are the same are looked at
/// once.
pub(super) fn names_at_most(local: &gix::Repository, tree: gix::ObjectId, most: u64) -> gix::Result<bool> {
    let mut known = HashMap::new();
    Ok(count(local, tree, &mut known, 0)?.is_some_and(|count| count <= most))
}

/// How many files a tree names; `None` where its directories lie too deep in each other.
fn count(
    local: &gix::Repository,
    tree: gix::ObjectId,
    known: &mut HashMap<gix::ObjectId, u64>,
    depth: usize,
) -> gix::Result<Option<u64>> {
    if let Some(known) = known.get(&tree) {
        return Ok(Some(*known));
    }
    if depth > DEEPEST {
        return Ok(None);
    }
    let mut sum = 0_u64;
    let mut below = Vec::new();
    for entry in local.find_tree(tree)?.iter() {
        let entry = entry?;
        match entry.mode().is_tree() {
            true => below.push(entry.object_id()),
            false => sum += 1,
        }
    }
    for tree in below {
        let Some(more) = count(local, tree, known, depth + 1)? else { return Ok(None) };
        sum = sum.saturating_add(more);
    }
    known.insert(tree, sum);
    Ok(Some(sum))
}
