//! Where the parts of one worktree lie. Every pointer (`.git` file, `commondir`, `gitdir`) is followed by hand
//! and must be answered by a pointer back, so that no directory can pass itself off as part of a repository
//! that does not know it.

use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::RepoError;
use crate::disk::{self, DiskError};

/// Pointer files hold one path; a longer one is no pointer.
const POINTER_CAP: u64 = 8 * 1024;

/// The directories that make up one worktree, all as real paths.
#[derive(Debug)]
pub(super) struct Layout {
    /// The worktree's root.
    pub root: PathBuf,
    /// Its private git directory: HEAD and index lie here.
    pub git_dir: PathBuf,
    /// The directory that all worktrees share: objects, refs and config lie here.
    pub common_dir: PathBuf,
    /// The first user that owns a part of it and is not the one who runs this program.
    pub foreign_owner: Option<u32>,
}

impl Layout {
    /// The layout of the worktree whose root is exactly `dir`.
    pub fn of(dir: &Path) -> Result<Self, RepoError> {
        let root = real_dir(dir)?;
        let dot_git = root.join(".git");
        let found = match dot_git.metadata() {
            Ok(found) => found,
            Err(error) if is_absence(&error) && dot_git.symlink_metadata().is_err() => {
                return Err(without_dot_git(root));
            }
            Err(error) => return refuse(format!("{} cannot be read: {error}", dot_git.display())),
        };
        let git_dir = if found.is_dir() {
            real(&dot_git)?
        } else if found.is_file() {
            pointed_to_by(&dot_git)?
        } else {
            return refuse(format!("{} is neither a directory nor a file", dot_git.display()));
        };
        let common_dir = common_dir(&root, &git_dir, found.is_file())?;
        let foreign_owner = foreign_owner([&root, &dot_git, &git_dir, &common_dir])?;
        Ok(Self { root, git_dir, common_dir, foreign_owner })
    }

    /// Whether this is a linked worktree.
    pub fn is_linked(&self) -> bool {
        self.git_dir != self.common_dir
    }
}

/// The root of the worktree that contains `dir`: the nearest directory with a `.git`, on the same file system.
/// The first `.git` decides, readable or not: a broken one must not hand the question to an outer repository.
pub(super) fn root_above(dir: &Path) -> Result<PathBuf, RepoError> {
    let start = real(dir)?;
    let device = metadata(&start)?.dev();
    for ancestor in start.ancestors() {
        match ancestor.join(".git").symlink_metadata() {
            Ok(_) => return Ok(ancestor.to_owned()),
            Err(error) if is_absence(&error) => {}
            Err(error) => {
                return refuse(format!("{} cannot be searched for .git: {error}", ancestor.display()));
            }
        }
        if looks_like_git_dir(ancestor) {
            return Err(without_dot_git(ancestor.to_owned()));
        }
        if ancestor.metadata().is_ok_and(|found| found.dev() != device) {
            break;
        }
    }
    Err(RepoError::None(dir.to_owned()))
}

/// Whether two paths name one and the same file, whatever their spelling.
pub(super) fn same_file(a: &Path, b: &Path) -> bool {
    match (a.metadata(), b.metadata()) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

/// Reads a file that holds one path, relative to the directory it lies in. `None` where there is no such file.
pub(super) fn read_path(file: &Path) -> Result<Option<PathBuf>, RepoError> {
    Ok(read_pointer(file)?.map(|bytes| resolve(file, &bytes)))
}

/// The common directory, checked to know this worktree.
fn common_dir(root: &Path, git_dir: &Path, by_pointer: bool) -> Result<PathBuf, RepoError> {
    let Some(named) = read_path(&git_dir.join("commondir"))? else {
        return if belongs_to_another(root, git_dir) {
            refuse(format!(
                "{}/.git leads to {}, which is the repository of another directory",
                root.display(),
                git_dir.display()
            ))
        } else {
            Ok(git_dir.to_owned())
        };
    };
    if !by_pointer {
        return refuse(format!(
            "{}/.git borrows the repository at {} by a commondir file: not a worktree that git made",
            root.display(),
            named.display()
        ));
    }
    let common = real(&named)?;
    if git_dir.parent() != Some(&common.join("worktrees")) {
        return refuse(format!(
            "{} says it is a worktree of {}, but does not lie in its worktrees directory",
            root.display(),
            common.display()
        ));
    }
    let Some(registered) = read_path(&git_dir.join("gitdir"))? else {
        return refuse(format!("{} is not registered as a worktree: no gitdir file", root.display()));
    };
    let there = registered.parent().is_some_and(|parent| same_file(parent, root));
    if !there || !same_file(&registered, &root.join(".git")) {
        return refuse(format!(
            "{} is registered as a worktree at {}, not here: moved or copied; `git worktree repair` mends a moved \
             one",
            root.display(),
            registered.parent().unwrap_or(&registered).display()
        ));
    }
    Ok(common)
}

/// Whether a git directory is the `.git` of some other worktree.
fn belongs_to_another(root: &Path, git_dir: &Path) -> bool {
    git_dir.file_name().is_some_and(|name| name == ".git") && git_dir.parent() != Some(root)
}

/// Follows a `.git` file.
fn pointed_to_by(dot_git: &Path) -> Result<PathBuf, RepoError> {
    let bytes = read_pointer(dot_git)?.unwrap_or_default();
    let Some(path) = bytes.strip_prefix(b"gitdir: ") else {
        return refuse(format!("{} is a file without a `gitdir:` line", dot_git.display()));
    };
    let target = resolve(dot_git, path);
    match target.canonicalize() {
        Ok(real) => Ok(real),
        Err(error) if is_absence(&error) => refuse(format!(
            "{} points to {}, which is not there: the worktree was pruned, or its repository moved",
            dot_git.display(),
            target.display()
        )),
        Err(error) => refuse(format!("{} cannot be followed: {error}", dot_git.display())),
    }
}

fn read_pointer(file: &Path) -> Result<Option<Vec<u8>>, RepoError> {
    match disk::read(file, POINTER_CAP) {
        Ok(content) if content.cut => refuse(format!("{} is too long for a pointer", file.display())),
        Ok(content) => Ok(Some(content.bytes.trim_ascii_end().to_owned())),
        Err(DiskError::NotFound(_)) => Ok(None),
        Err(error) => Err(RepoError::refused(error.to_string())),
    }
}

fn resolve(file: &Path, bytes: &[u8]) -> PathBuf {
    file.parent().unwrap_or(file).join(std::ffi::OsStr::from_bytes(bytes))
}

/// What to say of a directory that has no `.git`.
fn without_dot_git(dir: PathBuf) -> RepoError {
    if looks_like_git_dir(&dir) {
        RepoError::refused(format!(
            "{} is a bare repository or the inside of one: there are no files to compare",
            dir.display()
        ))
    } else {
        RepoError::None(dir)
    }
}

/// git's own three signs of a git directory.
fn looks_like_git_dir(dir: &Path) -> bool {
    dir.join("HEAD").symlink_metadata().is_ok() && dir.join("objects").is_dir() && dir.join("refs").is_dir()
}

fn foreign_owner<'a>(parts: impl IntoIterator<Item = &'a PathBuf>) -> Result<Option<u32>, RepoError> {
    let own = rustix::process::geteuid().as_raw();
    for part in parts {
        let owner = part.symlink_metadata().map_err(|error| unreadable(part, &error))?.uid();
        if owner != own {
            return Ok(Some(owner));
        }
    }
    Ok(None)
}

fn real_dir(dir: &Path) -> Result<PathBuf, RepoError> {
    let root = real(dir)?;
    if metadata(&root)?.is_dir() { Ok(root) } else { Err(RepoError::None(dir.to_owned())) }
}

/// The real path; one that is not there is in no repository.
fn real(path: &Path) -> Result<PathBuf, RepoError> {
    path.canonicalize().map_err(|error| match is_absence(&error) {
        true => RepoError::None(path.to_owned()),
        false => unreadable(path, &error),
    })
}

fn metadata(path: &Path) -> Result<Metadata, RepoError> {
    path.metadata().map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> RepoError {
    RepoError::refused(format!("{} cannot be read: {error}", path.display()))
}

fn is_absence(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn refuse<T>(sentence: String) -> Result<T, RepoError> {
    Err(RepoError::refused(sentence))
}
