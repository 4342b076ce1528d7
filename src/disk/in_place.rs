//! Reads of exactly the path that is named: no symbolic link on the way, not even one that stays inside.
//!
//! Bytes that are compared with a pin must be the ones that lie there, not ones that a link leads to.

use std::io;
use std::path::Path;

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::fs::{Dir, File, OpenOptions, OpenOptionsExt as _};

use super::{Beneath, Content, DiskError, open};
use crate::handoff::{Digest, RelPath};

impl Beneath {
    /// Like [`Beneath::read`], with every link refused.
    ///
    /// # Errors
    /// As [`Beneath::read`], and [`DiskError::Link`].
    pub fn read_in_place(&self, rel: &RelPath, cap: u64) -> Result<Content, DiskError> {
        open::content(self.file_in_place(rel.as_path())?.into_std(), &self.path.join(rel.as_path()), cap)
    }

    /// Like [`Beneath::digest`], with every link refused.
    ///
    /// # Errors
    /// As [`Beneath::read_in_place`].
    pub fn digest_in_place(&self, rel: &RelPath) -> Result<(Digest, u64), DiskError> {
        open::digest(self.file_in_place(rel.as_path())?.into_std(), &self.path.join(rel.as_path()))
    }

    /// Whether a directory lies there, with every link refused.
    ///
    /// # Errors
    /// As [`Beneath::read_in_place`]; [`DiskError::NotFound`] also for what is no directory.
    pub fn directory_in_place(&self, rel: &RelPath) -> Result<(), DiskError> {
        self.walk(rel.as_path()).map(drop)
    }

    fn file_in_place(&self, rel: &Path) -> Result<File, DiskError> {
        let name = rel.file_name().ok_or_else(|| DiskError::NotAFile(self.path.join(rel)))?;
        let parent = rel.parent().unwrap_or(Path::new(""));
        let opened = self.walk(parent)?;
        let dir = opened.as_ref().unwrap_or(&self.dir);
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true).custom_flags(open::flags()).follow(FollowSymlinks::No);
        dir.open_with(name, &options).map_err(|error| self.refused(dir, Path::new(name), rel, &error))
    }

    /// Opens one directory after the other; `None` for the root itself.
    fn walk(&self, rel: &Path) -> Result<Option<Dir>, DiskError> {
        let mut opened: Option<Dir> = None;
        for part in rel.components() {
            let dir = opened.as_ref().unwrap_or(&self.dir);
            let part = Path::new(part.as_os_str());
            let next = dir.open_dir_nofollow(part).map_err(|error| self.refused(dir, part, rel, &error))?;
            opened = Some(next);
        }
        Ok(opened)
    }

    /// What the system refused, with a link told apart: it may say the same of a link and of something else.
    fn refused(&self, dir: &Dir, part: &Path, rel: &Path, error: &io::Error) -> DiskError {
        match dir.symlink_metadata(part) {
            Ok(found) if found.is_symlink() => DiskError::Link(self.path.join(rel)),
            _ => open::said(&self.path.join(rel), error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn no_link_is_followed_wherever_it_stands() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir_all(root.join("real/deep")).unwrap();
        fs::write(root.join("real/deep/file"), b"bytes").unwrap();
        symlink("file", root.join("real/deep/link")).unwrap();
        symlink("real", root.join("alias")).unwrap();
        let beneath = Beneath::open(root).unwrap();
        let rel = |text: &str| RelPath::parse(text).unwrap();
        let read = |text: &str| beneath.read_in_place(&rel(text), 99).map(|content| content.bytes);
        assert_eq!(read("real/deep/file").unwrap(), b"bytes", "control: the file itself is read");
        for linked in ["real/deep/link", "alias/deep/file"] {
            assert!(beneath.read(&rel(linked), 99).is_ok(), "control: {linked} does lead to the bytes");
            assert!(matches!(read(linked), Err(DiskError::Link(_))), "{linked} is refused");
            let digest = beneath.digest_in_place(&rel(linked));
            assert!(matches!(digest, Err(DiskError::Link(_))), "{linked} is not hashed either");
        }
        assert!(matches!(read("real/gone"), Err(DiskError::NotFound(_))), "an absence is told as one");
        assert!(read("real/deep").is_err(), "a directory is no file");
        assert_eq!(beneath.directory_in_place(&rel("real/deep")), Ok(()), "a directory is one");
        assert!(beneath.directory_in_place(&rel("alias/deep")).is_err(), "behind a link it is none");
        assert!(beneath.directory_in_place(&rel("real/deep/file")).is_err(), "nor is a file");
        let digest = beneath.digest_in_place(&rel("real/deep/file")).unwrap();
        assert_eq!(digest, (Digest::of(b"bytes"), 5), "the digest is that of the bytes");
    }
}
