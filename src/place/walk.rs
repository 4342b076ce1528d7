//! The scan: one thread walks the folders that the table knows, others read what it finds; at the end it reads too.
//!
//! The walk itself is sequential, so that which of two spellings of a folder is met first never depends on
//! chance; a folder is a few system calls, and reading the files is where the time goes. Links are left to the
//! end: then it is known which real files are listed already.
//!
//! The readers are threads of the scan's own, not a shared pool's: a thread that waits for a pool takes up
//! other work meanwhile, and a scan may be asked for by work that must not be entered twice.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread::{self, Scope};

use crossbeam_channel::{Receiver, Sender};

use super::row::{self, Spot};
use super::table::{Progress, Table};
use super::{Found, Roots, Skipped};
use crate::disk::{self, Beneath, DiskError, EntryKind, FileId, Kind};
use crate::handoff::{Depth, Inert};

/// Files per batch: large enough that handing over costs nothing beside reading.
const BATCH: usize = 64;
/// Files of the first batch: small, so that the first rows are there at once.
const FIRST_BATCH: usize = 8;
/// Folders below a root that are gone into: a bound for generated trees, far beyond what people make.
const DEEPEST: usize = 32;
/// Threads that read beside the walking one, at most: beyond that the disk is what they wait for.
const MOST_READERS: usize = 8;

/// Threads that read beside the walking one, which reads too in the end. Asking the system is dear, so once.
static READERS: LazyLock<usize> = LazyLock::new(|| {
    thread::available_parallelism().map_or(1, |cores| cores.get() - 1).clamp(1, MOST_READERS)
});

/// A root that is walked.
pub(super) struct Root {
    pub(super) beneath: Beneath,
    /// The home place it is, in the table's spelling; `None` for a project or worktree.
    pub(super) home: Option<String>,
    /// Rows of other roots than the project carry the root in their id.
    pub(super) is_project: bool,
}

/// A file to read.
struct Candidate {
    root: Arc<Root>,
    relative: PathBuf,
    pattern: usize,
}

/// A link met on the way, kept for the end.
struct Link {
    root: Arc<Root>,
    relative: PathBuf,
    below: Progress,
    pattern: Option<usize>,
}

/// What the walk and the readers share.
struct Shared<'a> {
    table: &'a Table,
    cancel: &'a AtomicBool,
    stopped: AtomicBool,
    emit: &'a (dyn Fn(Vec<Found>) -> bool + Sync),
    limit: Option<u64>,
    depth: Depth,
    /// Real files that were read.
    files: Mutex<HashSet<FileId>>,
}

impl Shared<'_> {
    /// Reads batches until there will be no more.
    fn read_all(&self, batches: &Receiver<Vec<Candidate>>) {
        for batch in batches {
            self.read(&batch);
        }
    }

    fn is_over(&self) -> bool {
        self.cancel.load(Ordering::Relaxed) || self.stopped.load(Ordering::Relaxed)
    }

    fn give(&self, found: Vec<Found>) {
        if !found.is_empty() && !self.is_over() && !(self.emit)(found) {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }

    fn read(&self, candidates: &[Candidate]) {
        let mut found = Vec::with_capacity(candidates.len());
        let mut read = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            if self.is_over() {
                return;
            }
            let pattern = self.table.pattern(candidate.pattern);
            let spot = Spot::of(&candidate.root, &candidate.relative, pattern);
            match candidate
                .root
                .beneath
                .read_found(&candidate.relative, row::cap(pattern.habit, &spot.name, self.limit))
            {
                Ok(content) => {
                    read.push(content.meta.id);
                    found.extend(row::rows(&spot, &content, self.depth));
                }
                // It went away between the listing and now: nothing is there.
                Err(DiskError::NotFound(_)) => {}
                Err(error) => found.push(skipped(spot.path, &error)),
            }
        }
        self.files.lock().unwrap_or_else(PoisonError::into_inner).extend(read);
        self.give(found);
    }
}

/// Whether a place is one that agents make for themselves: only there a file is no folder of somebody else's.
fn is_an_agents(relative: &Path) -> bool {
    relative.as_os_str().as_encoded_bytes().starts_with(b".")
}

fn skipped(path: PathBuf, error: &DiskError) -> Found {
    let reason = Inert::new(error.reason_at(&path));
    Found::Skipped(Skipped { path, reason })
}

/// See [`super::scan`].
pub(super) fn scan(roots: &Roots, cancel: &AtomicBool, emit: &(dyn Fn(Vec<Found>) -> bool + Sync)) {
    let (table, refused) = Table::with(&roots.extra_places);
    let shared = Shared {
        table: &table,
        cancel,
        stopped: AtomicBool::new(false),
        emit,
        limit: roots.read_limit,
        depth: roots.depth,
        files: Mutex::default(),
    };
    let refused = refused
        .into_iter()
        .map(|(place, why)| Found::Skipped(Skipped { path: PathBuf::from(place), reason: Inert::new(why) }));
    shared.give(refused.chain(roots.unreached.iter().cloned().map(Found::Skipped)).collect());

    let (sender, batches) = crossbeam_channel::unbounded();
    let file_links = thread::scope(|scope| {
        let mut walk = Walk::new(&shared, Readers { scope, sender, batches: batches.clone(), started: 0 });
        for root in walk.open(roots) {
            let progress = table.start(root.home.as_deref());
            walk.folder(&root, Path::new(""), &progress);
        }
        walk.send();
        walk.linked_folders();
        walk.send();
        let file_links = walk.end();
        shared.read_all(&batches);
        file_links
    });
    linked_files(&shared, file_links);
}

/// Reads files that are reached by a link only; each real file once.
fn linked_files(shared: &Shared<'_>, mut links: Vec<(FileId, Candidate)>) {
    links.sort_by(|(_, a), (_, b)| a.relative.cmp(&b.relative));
    for (id, candidate) in links {
        let is_new = !shared.files.lock().unwrap_or_else(PoisonError::into_inner).contains(&id);
        if is_new {
            shared.read(&[candidate]);
        }
    }
}

/// The threads that read, each started when there is a batch for it.
struct Readers<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    sender: Sender<Vec<Candidate>>,
    batches: Receiver<Vec<Candidate>>,
    started: usize,
}

impl<'scope, 'env> Readers<'scope, 'env> {
    fn send(&mut self, shared: &'scope Shared<'env>, batch: Vec<Candidate>) {
        if self.started < *READERS {
            self.started += 1;
            let batches = self.batches.clone();
            self.scope.spawn(move || shared.read_all(&batches));
        }
        // It can fail only where nobody reads any more, and this holds a reader itself.
        let _ = self.sender.send(batch);
    }
}

struct Walk<'scope, 'env> {
    shared: &'scope Shared<'env>,
    readers: Readers<'scope, 'env>,
    folders: HashSet<FileId>,
    pending: Vec<Candidate>,
    skipped: Vec<Found>,
    links: Vec<Link>,
    file_links: Vec<(FileId, Candidate)>,
    batch: usize,
}

impl<'scope, 'env> Walk<'scope, 'env> {
    fn new(shared: &'scope Shared<'env>, readers: Readers<'scope, 'env>) -> Self {
        Self {
            shared,
            readers,
            folders: HashSet::new(),
            pending: Vec::new(),
            skipped: Vec::new(),
            links: Vec::new(),
            file_links: Vec::new(),
            batch: FIRST_BATCH,
        }
    }

    /// Opens every root once, whatever its spellings, home places first: they stay global where the project is
    /// the home directory itself.
    fn open(&mut self, roots: &Roots) -> Vec<Arc<Root>> {
        let mut opened = Vec::new();
        if let Some(home) = &roots.home {
            for place in self.shared.table.homes() {
                self.open_one(&mut opened, &home.join(place), Some(place), false);
            }
        }
        if !roots.project.as_os_str().is_empty() {
            self.open_one(&mut opened, &roots.project, None, true);
        }
        for worktree in &roots.worktrees {
            self.open_one(&mut opened, worktree, None, false);
        }
        opened
    }

    fn open_one(&mut self, opened: &mut Vec<Arc<Root>>, path: &Path, home: Option<&str>, is_project: bool) {
        match Beneath::open(path) {
            Ok(beneath) if self.folders.insert(beneath.id()) => {
                opened.push(Arc::new(Root { beneath, home: home.map(str::to_owned), is_project }));
            }
            Ok(_) => {}
            Err(DiskError::NotFound(_)) if home.is_some() && disk::is_taken(path) => self.no_folder(path),
            // A convention nobody uses here, or a worktree that was removed. A project was asked for by name.
            Err(DiskError::NotFound(_)) if !is_project => {}
            Err(error) => self.skipped.push(skipped(path.to_owned(), &error)),
        }
    }

    /// Lists one folder: files that count become candidates, folders where a pattern goes on are walked.
    fn folder(&mut self, root: &Arc<Root>, relative: &Path, progress: &Progress) {
        if self.shared.is_over() {
            return;
        }
        let entries = match root.beneath.list(relative) {
            Ok((id, entries)) => {
                if !relative.as_os_str().is_empty() && !self.folders.insert(id) {
                    return;
                }
                entries
            }
            Err(DiskError::NotFound(_)) => return,
            Err(error) => {
                self.skipped.push(skipped(root.beneath.path().join(relative), &error));
                return;
            }
        };
        let table = self.shared.table;
        for entry in entries {
            let name = entry.name.to_string_lossy();
            let path = relative.join(&entry.name);
            match entry.kind {
                EntryKind::Directory => {
                    if table.counts(progress, &name).is_some() {
                        self.no_file(root, &path);
                    }
                    self.enter(root, &path, &table.enter(progress, &name));
                }
                EntryKind::File => {
                    if let Some(pattern) = table.counts(progress, &name) {
                        self.candidate(Candidate { root: Arc::clone(root), relative: path, pattern });
                    } else if is_an_agents(&path) && table.names_folder(progress, &name) {
                        self.no_folder(&root.beneath.path().join(&path));
                    }
                }
                EntryKind::Link => {
                    let below = table.enter(progress, &name);
                    let pattern = table.counts(progress, &name);
                    if pattern.is_some() || !below.is_empty() {
                        self.links.push(Link { root: Arc::clone(root), relative: path, below, pattern });
                    }
                }
                EntryKind::Other => {
                    if table.counts(progress, &name).is_some() {
                        self.no_file(root, &path);
                    }
                }
            }
        }
    }

    /// Something that is named as a handoff and is no file.
    fn no_file(&mut self, root: &Root, relative: &Path) {
        let path = root.beneath.path().join(relative);
        self.skipped.push(skipped(path.clone(), &DiskError::NotAFile(path)));
    }

    /// Something that has the name of a folder for handoffs and is none: what should lie there cannot be told.
    fn no_folder(&mut self, path: &Path) {
        let reason = Inert::new("is no folder, and handoffs are looked for in it");
        self.skipped.push(Found::Skipped(Skipped { path: path.to_owned(), reason }));
    }

    fn enter(&mut self, root: &Arc<Root>, path: &Path, progress: &Progress) {
        if progress.is_empty() {
            return;
        }
        if path.components().count() > DEEPEST {
            let reason = Inert::new(format!("lies more than {DEEPEST} folders deep: not looked into"));
            self.skipped.push(Found::Skipped(Skipped { path: root.beneath.path().join(path), reason }));
            return;
        }
        self.folder(root, path, progress);
    }

    fn candidate(&mut self, candidate: Candidate) {
        self.pending.push(candidate);
        if self.pending.len() >= self.batch {
            self.batch = BATCH;
            self.send();
        }
    }

    /// Hands what was found to the readers.
    fn send(&mut self) {
        let candidates = std::mem::take(&mut self.pending);
        if !candidates.is_empty() {
            self.readers.send(self.shared, candidates);
        }
        self.shared.give(std::mem::take(&mut self.skipped));
    }

    /// Says that no more batches come; returns the files that are reached by a link only.
    fn end(self) -> Vec<(FileId, Candidate)> {
        self.file_links
    }

    /// Walks folders that are reached by a link only; each real folder once.
    fn linked_folders(&mut self) {
        while let Some(link) = self.links.pop() {
            let path = link.root.beneath.path().join(&link.relative);
            match link.root.beneath.kind_found(&link.relative) {
                Ok((Kind::Directory, id)) => {
                    if !link.below.is_empty() && !self.folders.contains(&id) {
                        self.enter(&link.root, &link.relative, &link.below);
                    }
                }
                Ok((Kind::File, id)) => {
                    if let Some(pattern) = link.pattern {
                        let candidate = Candidate { root: link.root, relative: link.relative, pattern };
                        self.file_links.push((id, candidate));
                    }
                }
                Ok((Kind::Other, _)) => {
                    if link.pattern.is_some() {
                        self.no_file(&link.root, &link.relative);
                    }
                }
                Err(error) => self.skipped.push(skipped(path, &error)),
            }
        }
    }
}
