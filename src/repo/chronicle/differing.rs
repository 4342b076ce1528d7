//! Which files two trees differ in, each pair of directories compared once.
//!
//! Handoffs that were saved along one history record states that differ from HEAD's in nearly the same way: most
//! commits change few directories. So what differs below a directory is kept by its two ids.

use std::collections::HashMap;
use std::sync::Arc;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::TreeRefIter;
use gix::objs::tree::{EntryMode, EntryRef};

use crate::repo::files::{Entry, Files};
use crate::repo::trees::DEEPEST;

/// How many names are kept at most, about 60 bytes each. Beyond them everything is compared anew.
const MOST_NAMES: usize = 100_000;

/// What was compared so far.
#[derive(Default)]
pub(crate) struct Differing {
    known: HashMap<(Option<ObjectId>, Option<ObjectId>), Files>,
    names: usize,
    /// Directories of the state that all others are compared with.
    trees: HashMap<ObjectId, Arc<[Named]>>,
}

/// What a directory holds at a name.
#[derive(Clone)]
struct Named {
    name: Arc<[u8]>,
    mode: EntryMode,
    id: ObjectId,
}

impl Differing {
    /// The files that a state differs in from `head`'s, by their trees; a renamed one by both its names.
    ///
    /// # Errors
    /// A sentence where a tree cannot be read.
    pub(in crate::repo) fn between(
        &mut self,
        local: &gix::Repository,
        state: ObjectId,
        head: ObjectId,
    ) -> Result<Files, String> {
        if self.names > MOST_NAMES {
            *self = Self::default();
        }
        self.below(local, Some(state), Some(head), 0)
    }

    fn below(
        &mut self,
        local: &gix::Repository,
        state: Option<ObjectId>,
        head: Option<ObjectId>,
        depth: usize,
    ) -> Result<Files, String> {
        if state == head {
            return Ok(Files::default());
        }
        if let Some(known) = self.known.get(&(state, head)) {
            return Ok(known.clone());
        }
        if depth > DEEPEST {
            return Err(format!("more than {DEEPEST} directories lie in each other"));
        }
        let mut entries = Vec::new();
        for (name, one, other) in self.unequal(local, state, head)? {
            let is_file = |side: Side| side.is_some_and(|(mode, _)| !mode.is_tree());
            let tree = |side: Side| side.filter(|(mode, _)| mode.is_tree()).map(|(_, id)| id);
            if is_file(one) || is_file(other) {
                entries.push(Entry { name: Arc::clone(&name), below: None });
            }
            let below = self.below(local, tree(one), tree(other), depth + 1)?;
            if !below.is_empty() {
                entries.push(Entry { name, below: Some(below) });
            }
        }
        let files = Files::from(entries);
        self.names += files.names();
        self.known.insert((state, head), files.clone());
        Ok(files)
    }

    /// The names that stand for something else in two trees, in git's order.
    fn unequal(
        &mut self,
        local: &gix::Repository,
        state: Option<ObjectId>,
        head: Option<ObjectId>,
    ) -> Result<Vec<Unequal>, String> {
        let theirs = match head {
            Some(head) => self.tree(local, head)?,
            None => Arc::default(),
        };
        let state = state.map(|id| local.find_tree(id)).transpose().map_err(|error| error.to_string())?;
        let mut theirs = theirs.iter().peekable();
        let mut unequal = Vec::with_capacity(theirs.len());
        for ours in state.iter().flat_map(entries) {
            let ours = ours?;
            let here = Some((ours.mode, ours.oid.to_owned()));
            let order = |theirs: &Named| theirs.as_ref().cmp(&ours);
            while let Some(theirs) = theirs.next_if(|theirs| order(theirs).is_lt()) {
                unequal.push((Arc::clone(&theirs.name), None, Some((theirs.mode, theirs.id))));
            }
            match theirs.next_if(|theirs| order(theirs).is_eq()) {
                None => unequal.push((ours.filename.as_bytes().into(), here, None)),
                Some(theirs) if here == Some((theirs.mode, theirs.id)) => {}
                Some(theirs) => {
                    unequal.push((Arc::clone(&theirs.name), here, Some((theirs.mode, theirs.id))));
                }
            }
        }
        unequal.extend(theirs.map(|theirs| (Arc::clone(&theirs.name), None, Some((theirs.mode, theirs.id)))));
        Ok(unequal)
    }

    /// A directory of HEAD's.
    fn tree(&mut self, local: &gix::Repository, id: ObjectId) -> Result<Arc<[Named]>, String> {
        if let Some(known) = self.trees.get(&id) {
            return Ok(Arc::clone(known));
        }
        let tree = local.find_tree(id).map_err(|error| error.to_string())?;
        let named = entries(&tree).map(|entry| {
            let EntryRef { filename, mode, oid } = entry?;
            Ok(Named { name: filename.as_bytes().into(), mode, id: oid.to_owned() })
        });
        let named: Arc<[Named]> = named.collect::<Result<_, String>>()?;
        self.names += named.len();
        self.trees.insert(id, Arc::clone(&named));
        Ok(named)
    }
}

/// What stands at a name on one side and differs from the other.
type Side = Option<(EntryMode, ObjectId)>;

/// A name, and what stands there in a state and at HEAD.
type Unequal = (Arc<[u8]>, Side, Side);

impl Named {
    fn as_ref(&self) -> EntryRef<'_> {
        EntryRef { filename: self.name.as_bstr(), mode: self.mode, oid: &self.id }
    }
}

fn entries<'a>(tree: &'a gix::Tree<'_>) -> impl Iterator<Item = Result<EntryRef<'a>, String>> + use<'a> {
    let entries = TreeRefIter::from_bytes(&tree.data, tree.id.kind());
    entries.map(|entry| entry.map_err(|error| error.to_string()))
}
