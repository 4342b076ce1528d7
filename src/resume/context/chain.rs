//! The files that go on from a handoff, walked when that is asked for: never in a loop, never out of its directory.

use std::collections::HashSet;
use std::path::Path;

use super::{line_of, name_of};
use crate::disk::{Beneath, FileId, Kind};
use crate::handoff::inert::plain;
use crate::handoff::{self, Habit, Inert, RelPath, Source};
use crate::place::Listed;

/// How many continuations are walked at most.
const LONGEST_CHAIN: usize = 64;
/// How much of each continuation is read, in bytes: the cap that saving keeps to, twice.
const LINK_CAP: u64 = 64 << 10;

/// The files that go on from a handoff.
#[derive(Default)]
pub(super) struct Chain {
    /// Path and text of each.
    pub(super) links: Vec<(String, String)>,
    /// Why it ends before its last file.
    pub(super) stopped: Option<String>,
}

impl Chain {
    /// Reads each file that the one before names.
    pub(super) fn walk(row: &Listed) -> Self {
        let mut chain = Self::default();
        let Some(dir) = row.path.parent() else { return chain };
        let beneath = match Beneath::open(dir) {
            Ok(beneath) => beneath,
            Err(why) => return Self { stopped: Some(why.to_string()), ..chain },
        };
        let mut seen = HashSet::from([row.file]);
        let mut next = row.handoff.continuation.clone();
        while let Some(name) = next.take() {
            match link(&beneath, dir, &name, &mut seen) {
                Ok(link) if chain.links.len() < LONGEST_CHAIN => {
                    next = link.continuation;
                    chain.links.push((link.path, link.text));
                }
                Ok(_) => chain.stopped = Some(format!("more than {LONGEST_CHAIN} continuations")),
                Err(why) => chain.stopped = Some(why),
            }
        }
        chain
    }
}

struct Link {
    path: String,
    text: String,
    continuation: Option<Inert>,
}

/// One continuation: a file of the same directory that was not met before.
fn link(beneath: &Beneath, dir: &Path, name: &Inert, seen: &mut HashSet<FileId>) -> Result<Link, String> {
    let shown = line_of(name);
    let rel = RelPath::parse(name.raw().trim()).map_err(|why| format!("{shown}: {why}"))?;
    if rel.as_str().contains('/') || rel.is_root() {
        return Err(format!("{shown} is not in the handoff's own directory"));
    }
    let (kind, id) = beneath.kind(&rel).map_err(|why| why.to_string())?;
    if kind != Kind::File {
        return Err(format!("{shown} is no regular file"));
    }
    if !seen.insert(id) {
        return Err(format!("{shown} was read already"));
    }
    let content = beneath.read(&rel, LINK_CAP).map_err(|why| why.to_string())?;
    let source = Source {
        bytes: &content.bytes,
        name: rel.as_str(),
        habit: Habit::Other,
        cut_from: content.cut.then_some(content.meta.len),
    };
    let continuation = handoff::read(&source).pop().and_then(|handoff| handoff.continuation);
    let mut text = plain(&String::from_utf8_lossy(&content.bytes)).0;
    if content.cut {
        text.push_str("\n… (the file goes on)");
    }
    Ok(Link { path: name_of(&dir.join(rel.as_path())), text, continuation })
}
