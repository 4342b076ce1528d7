//! [`Repo`]: one worktree, opened exactly where it was asked for, with everything that could run a program off.

use std::path::Path;
use std::sync::{Arc, Mutex};

use super::RepoError;
use super::asking::Shelf;
use super::beforehand::{self, Looked};
use super::chronicle::{Chronicle, Counts};
use super::layout::{self, Layout};

/// Objects of an untrusted repository are not loaded beyond this size (256 MiB); gix's own limit of 16 MiB is
/// met by the index of a large repository.
const LARGEST_OBJECT: &str = "gitoxide.objects.allocLimitIfReducedTrust=268435456";

/// Trees and commits that one question keeps at hand, in bytes: walks look at the same ones again and again.
const OBJECT_CACHE: usize = 8 * 1024 * 1024;

/// Extensions of repository format 1 that change nothing for a reader, or that gix reads rightly.
const KNOWN_EXTENSIONS: [&str; 8] = [
    "noop",
    "preciousobjects",
    "partialclone",
    "worktreeconfig",
    "objectformat",
    "refstorage",
    "relativeworktrees",
    "compatobjectformat",
];

/// One worktree of a repository, opened exactly where it was asked for.
///
/// It is opened once; asking is cheap, and threads may share it.
pub struct Repo {
    layout: Layout,
    looked: Looked,
    shared: gix::ThreadSafeRepository,
    chronicle: Mutex<Option<Arc<Chronicle>>>,
    counts: Counts,
    shelf: Shelf,
}

impl std::fmt::Debug for Repo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repo").field("layout", &self.layout).finish_non_exhaustive()
    }
}

impl Repo {
    /// Opens the worktree whose root is exactly `dir`; never walks up.
    ///
    /// # Errors
    /// [`RepoError::None`] where `dir` is no worktree's root, [`RepoError::Refused`] where it is one that cannot
    /// be read as it must be (bare, moved, forged, of an unknown format, …).
    pub fn open(dir: &Path) -> Result<Self, RepoError> {
        let layout = Layout::of(dir)?;
        let looked = Looked::default();
        beforehand::git_dirs(&layout, &looked)?;
        // Reduced trust is what keeps gix from using any program that `.git/config` names; isolation keeps
        // GIT_* variables, includes and everybody else's configuration out.
        let options = gix::open::Options::isolated()
            .with(gix::sec::Trust::Reduced)
            .open_path_as_is(true)
            .config_overrides([LARGEST_OBJECT]);
        let shared = options.open(layout.root.join(".git")).map_err(|error| {
            RepoError::refused(format!(
                "{} is no readable repository: {}",
                layout.root.display(),
                cause(&error)
            ))
        })?;
        let repo = Self {
            layout,
            looked,
            shared,
            chronicle: Mutex::default(),
            counts: Counts::default(),
            shelf: Shelf::default(),
        };
        repo.check_format()?;
        repo.check_place()?;
        Ok(repo)
    }

    /// Opens the worktree that contains `dir`.
    ///
    /// # Errors
    /// Those of [`Repo::open`]. The nearest `.git` decides: where it cannot be read, an outer repository is not
    /// asked in its place.
    pub fn containing(dir: &Path) -> Result<Self, RepoError> {
        Self::open(&layout::root_above(dir)?)
    }

    /// The worktree's root, as real path.
    pub fn root(&self) -> &Path {
        &self.layout.root
    }

    /// The directory that all worktrees of this repository share, as real path.
    pub fn common_dir(&self) -> &Path {
        &self.layout.common_dir
    }

    /// Whether this is a linked worktree.
    pub fn is_linked(&self) -> bool {
        self.layout.is_linked()
    }

    /// Which user's repository this is, when it is not ours. git itself refuses such a one unless it is told
    /// that the directory is safe.
    pub fn foreign_owner(&self) -> Option<u32> {
        self.layout.foreign_owner
    }

    /// The worktree's private git directory, as real path.
    pub(super) fn git_dir(&self) -> &Path {
        &self.layout.git_dir
    }

    /// A handle for one question on this thread; what gix may read for it is looked at before.
    pub(super) fn local(&self) -> Result<gix::Repository, RepoError> {
        self.local_with(OBJECT_CACHE)
    }

    /// The same, with so many bytes of objects kept at hand.
    pub(super) fn local_with(&self, kept: usize) -> Result<gix::Repository, RepoError> {
        beforehand::git_dirs(&self.layout, &self.looked)?;
        let mut local = self.shared.to_thread_local();
        local.object_cache_size_if_unset(kept);
        Ok(local)
    }

    /// A handle for the configuration alone, which was read when the repository was opened.
    pub(super) fn configured(&self) -> gix::Repository {
        self.shared.to_thread_local()
    }

    /// The history of the HEAD that was asked about last.
    pub(super) fn kept(&self) -> &Mutex<Option<Arc<Chronicle>>> {
        &self.chronicle
    }

    /// What counts how much of the history is read.
    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// What was begun to ask, for the next check.
    pub(super) fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// Where the parts of this worktree lie.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Makes an error of gix's into a refusal: what was asked, why it failed, and where to look.
    pub(super) fn refused(&self, what: &str, error: &gix::Error) -> RepoError {
        RepoError::refused(format!(
            "{what} cannot be read in {}: {} (`git fsck` says more)",
            self.layout.root.display(),
            cause(error)
        ))
    }

    /// git refuses formats it does not know, and so must everybody who reads beside it.
    fn check_format(&self) -> Result<(), RepoError> {
        let local = self.configured();
        let config = local.config_snapshot();
        let root = self.layout.root.display();
        let version = config.integer("core.repositoryFormatVersion").unwrap_or(0);
        if !(0..=1).contains(&version) {
            return Err(RepoError::refused(format!(
                "{root} has repository format {version}, which is unknown here"
            )));
        }
        if let Some(storage) = config.string("extensions.refStorage").filter(|storage| storage != "files") {
            return Err(RepoError::refused(format!(
                "{root} keeps its references as {}, which cannot be read here; `git refs migrate --ref-format=files` \
                 changes that",
                storage
            )));
        }
        let sections = config.plumbing().sections_by_name("extensions").into_iter().flatten();
        let unknown = sections
            .filter(|section| section.header().subsection_name().is_none())
            .flat_map(|section| section.value_names().collect::<Vec<_>>())
            .find(|name| !KNOWN_EXTENSIONS.contains(&name.to_ascii_lowercase().as_str()));
        match unknown {
            Some(name) if version == 1 => Err(RepoError::refused(format!(
                "{root} uses the repository extension `{}`, which is unknown here",
                name
            ))),
            _ => Ok(()),
        }
    }

    /// gix must have opened what the pointers led to, and the configuration must not move it.
    fn check_place(&self) -> Result<(), RepoError> {
        let local = self.configured();
        let root = &self.layout.root;
        if !self.is_linked() {
            let config = local.config_snapshot();
            if config.boolean("core.bare") == Some(true) {
                return Err(RepoError::refused(format!(
                    "{} is configured as a bare repository: there are no files to compare",
                    root.display()
                )));
            }
            if let Some(named) = config.string("core.worktree") {
                let elsewhere = self.layout.git_dir.join(named.to_string());
                if !layout::same_file(&elsewhere, root) {
                    return Err(RepoError::refused(format!(
                        "{} says that its files lie in {} (core.worktree): open that directory",
                        root.display(),
                        elsewhere.display()
                    )));
                }
            }
        }
        let opened = local.workdir().is_some_and(|dir| layout::same_file(dir, root))
            && layout::same_file(local.git_dir(), &self.layout.git_dir)
            && layout::same_file(local.common_dir(), &self.layout.common_dir);
        if opened {
            Ok(())
        } else {
            Err(RepoError::refused(format!(
                "{} opened as another directory than the one asked for",
                root.display()
            )))
        }
    }
}

/// What a gix error says at its top and at its bottom.
fn cause(error: &gix::Error) -> String {
    let (top, bottom) = (error.error().to_string(), error.probable_cause().to_string());
    if top == bottom { top } else { format!("{top}: {bottom}") }
}
