//! Directories of moorline's own state: nobody but their owner reads them.

use std::fs::DirBuilder;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::Path;

use super::{DiskError, open};

/// Makes a directory (and what is missing above it) that only its owner can enter, mode 0700. One that is
/// there already is narrowed to that mode.
///
/// # Errors
/// [`DiskError::Io`] with what the system said, also where something else than a directory lies there.
pub fn private_dir(path: &Path) -> Result<(), DiskError> {
    let failed = |error: std::io::Error| open::not_written(path, &error);
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(failed)?;
    let meta = std::fs::symlink_metadata(path).map_err(failed)?;
    if !meta.is_dir() {
        return Err(DiskError::Io(path.to_owned(), "is no directory of its own".into()));
    }
    if meta.permissions().mode() & 0o077 != 0 {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_directories_are_nobody_elses_business() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("state/moorline/locks");
        private_dir(&dir).unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&dir), 0o700, "a new directory is private");
        std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o755)).unwrap();
        private_dir(&dir).unwrap();
        assert_eq!(mode(&dir), 0o700, "an open one is narrowed");
        let file = home.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(private_dir(&file).is_err(), "a file in its place is an error, never taken for it");
        std::os::unix::fs::symlink(&dir, home.path().join("link")).unwrap();
        assert!(private_dir(&home.path().join("link")).is_err(), "nor is a link to somewhere else");
    }
}
