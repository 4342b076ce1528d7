//! A private file for a person's editor, gone when it is dropped.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{DiskError, read};

/// The most that is taken back from an editor, in bytes.
const CAP: u64 = 1 << 20;

/// A file that only this person can read, in a directory of its own (0700) below the system's temporary one.
#[derive(Debug)]
pub struct Scratch {
    dir: PathBuf,
    file: PathBuf,
}

impl Scratch {
    /// Makes one with this text in it. An existing directory is never used, whoever made it.
    ///
    /// # Errors
    /// [`DiskError`] where the system refuses.
    pub fn with(text: &str) -> Result<Self, DiskError> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let serial = NEXT.fetch_add(1, Ordering::Relaxed);
        let nonce = std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.subsec_nanos());
        let dir = std::env::temp_dir().join(format!("moorline-{}-{serial}-{nonce}", std::process::id()));
        let failed = |path: &Path, why: std::io::Error| DiskError::Io(path.to_owned(), why.to_string());
        DirBuilder::new().mode(0o700).create(&dir).map_err(|why| failed(&dir, why))?;
        let scratch = Self { file: dir.join("prompt.md"), dir };
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&scratch.file);
        let written = opened.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|why| failed(&scratch.file, why))?;
        Ok(scratch)
    }

    /// The file's absolute path.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// What is in it now, at most a mebibyte; bytes that are no UTF-8 are marked.
    ///
    /// # Errors
    /// [`DiskError`] where it cannot be read any more.
    pub fn read(&self) -> Result<String, DiskError> {
        let content = read(&self.file, CAP)?;
        Ok(String::from_utf8_lossy(&content.bytes).into_owned())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Editors leave backups beside the file; the directory is ours alone, so all of it goes.
        let _ = fs::remove_dir_all(&self.dir);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn only_its_owner_can_read_it_and_it_is_gone_afterwards() {
        let scratch = Scratch::with("go on").unwrap();
        let path = scratch.path().to_owned();
        assert_eq!(scratch.read().unwrap(), "go on", "the text is in it");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700), "for its owner alone");
        fs::write(path.with_extension("md~"), "backup").unwrap();
        drop(scratch);
        assert!(!path.parent().unwrap().exists(), "with everything that an editor left beside it");
    }
}
