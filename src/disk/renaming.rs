//! Giving a file another name that nobody has.

use std::os::fd::AsFd;
use std::path::Path;

use rustix::fs::{AtFlags, RenameFlags};
use rustix::io::Errno;

/// Renames, between two opened directories of one file system, without ever replacing what has the new name.
///
/// # Errors
/// [`Errno::EXIST`] where the new name is taken, [`Errno::XDEV`] between file systems, and what else the system
/// says; the old name is then as it was.
pub(super) fn without_replacing(from: (impl AsFd, &Path), to: (impl AsFd, &Path)) -> rustix::io::Result<()> {
    let ((from_dir, from), (to_dir, to)) = (from, to);
    match rustix::fs::renameat_with(&from_dir, from, &to_dir, to, RenameFlags::NOREPLACE) {
        // Not every file system can rename without replacing; every one that can link can do it so.
        Err(Errno::INVAL | Errno::NOSYS) => {
            rustix::fs::linkat(&from_dir, from, &to_dir, to, AtFlags::empty())?;
            rustix::fs::unlinkat(&from_dir, from, AtFlags::empty())
        }
        other => other,
    }
}
