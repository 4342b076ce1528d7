//! One opened handle: what it is, its bytes up to a cap, its digest.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::buffer::spare_capacity;
use rustix::fs::OFlags;

use super::{Content, DiskError, FileId, Kind, Meta, Obstacle};
use crate::handoff::Digest;

/// Open without waiting for a FIFO's writer, without becoming a terminal's owner, closed in every child.
pub(super) fn flags() -> i32 {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    flags.bits().cast_signed()
}

/// Opens a path of this machine for reading.
pub(super) fn absolute(path: &Path) -> Result<File, DiskError> {
    OpenOptions::new().read(true).custom_flags(flags()).open(path).map_err(|error| said(path, &error))
}

/// Opens a terminal's device for writing, on a description of its own: a write that finds no room says so, and the
/// shell that shares the standard streams does not see that.
///
/// # Errors
/// As the system says: it is gone, or somebody else's.
pub fn terminal(device: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).custom_flags(flags()).open(device)
}

/// At most `cap` bytes of an opened handle, which must be a regular file.
pub(super) fn content(file: File, path: &Path, cap: u64) -> Result<Content, DiskError> {
    let meta = regular(&file, path)?;
    // One byte more than is kept tells a file that ends at the cap from one that goes on. The size is only a
    // hint for the allocation: a file can grow, and some say 0 and hold bytes.
    let most = cap.saturating_add(1);
    let hint = usize::try_from(meta.len.saturating_add(1).min(most)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(hint);
    let said = |error: io::Error| said(path, &error);
    rustix::io::retry_on_intr(|| rustix::io::read(&file, spare_capacity(&mut bytes)))
        .map_err(|error| said(error.into()))?;
    // Exactly the bytes that it has came at once, as nearly always; else there may be more.
    if bytes.is_empty() || bytes.len() as u64 != meta.len {
        file.take(most.saturating_sub(bytes.len() as u64)).read_to_end(&mut bytes).map_err(said)?;
    }
    let cut = bytes.len() as u64 > cap;
    if cut {
        bytes.truncate(usize::try_from(cap).unwrap_or(usize::MAX));
    }
    Ok(Content { bytes, meta, cut })
}

/// The digest of an opened handle's bytes, which must be a regular file, and their number.
pub(super) fn digest(file: File, path: &Path) -> Result<(Digest, u64), DiskError> {
    copy(file, path, &mut io::sink(), u64::MAX)
}

/// Hands an opened handle's bytes on; gives their digest and number. It must be a regular file of at most `cap`
/// bytes.
pub(super) fn copy(
    mut file: File,
    path: &Path,
    to: &mut dyn Write,
    cap: u64,
) -> Result<(Digest, u64), DiskError> {
    use sha2::Digest as _;
    let said = |error: &io::Error| said(path, error);
    let too_many = || DiskError::Io(path.to_owned(), format!("has more than {cap} bytes"));
    if regular(&file, path)?.len > cap {
        return Err(too_many());
    }
    let mut hasher = sha2::Sha256::new();
    let mut buffer = vec![0; 64 << 10];
    let mut total = 0_u64;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((Digest::from_bytes(&hasher.finalize().into()), total)),
            Ok(n) => {
                total += n as u64;
                if total > cap {
                    return Err(too_many());
                }
                hasher.update(&buffer[..n]);
                to.write_all(&buffer[..n]).map_err(|error| said(&error))?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(said(&error)),
        }
    }
}

/// What the handle says of itself, if it is a regular file.
pub(super) fn regular(file: &File, path: &Path) -> Result<Meta, DiskError> {
    let metadata = file.metadata().map_err(|error| said(path, &error))?;
    match kind(&metadata) {
        Kind::File => Ok(meta(&metadata)),
        Kind::Directory | Kind::Other => Err(DiskError::NotAFile(path.to_owned())),
    }
}

pub(super) fn kind(metadata: &Metadata) -> Kind {
    let is = metadata.file_type();
    debug_assert!(!is.is_symlink(), "links are followed before this is asked");
    if is.is_file() {
        Kind::File
    } else if is.is_dir() {
        Kind::Directory
    } else {
        debug_assert!(is.is_fifo() || is.is_socket() || is.is_char_device() || is.is_block_device());
        Kind::Other
    }
}

pub(super) fn meta(metadata: &Metadata) -> Meta {
    Meta {
        id: FileId { device: metadata.dev(), inode: metadata.ino() },
        len: metadata.len(),
        modified: metadata.modified().ok(),
        mode: metadata.mode() & 0o7777,
    }
}

/// The system's answer with its path. An open that leaves its root is told apart by having no system error number:
/// it was refused here, not there.
pub(super) fn said(path: &Path, error: &io::Error) -> DiskError {
    let path = path.to_owned();
    match error.kind() {
        // Below something that is no directory lies nothing.
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => DiskError::NotFound(path),
        _ if is_escape(error) => DiskError::Escapes(path),
        // A socket, or a FIFO without a partner.
        _ if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {
            DiskError::NotAFile(path)
        }
        _ => DiskError::Io(path, words(error)),
    }
}

/// What the system says, without the number that it has for it: that tells people nothing.
fn words(error: &io::Error) -> String {
    let said = error.to_string();
    let number = error.raw_os_error().map(|number| format!(" (os error {number})")).unwrap_or_default();
    said.strip_suffix(&number).unwrap_or(&said).to_owned()
}

/// The same for a name that is made, changed or removed: what a person can do something about is told apart, and
/// where the directory does not let us, it is the one that is named.
pub(super) fn not_written(path: &Path, error: &io::Error) -> DiskError {
    refused(path, path.ancestors().skip(1).find(|above| above.is_dir()), error)
}

/// The same for a file that is opened for writing, and made where it is missing.
pub(super) fn not_opened(path: &Path, error: &io::Error) -> DiskError {
    if super::is_taken(path) { refused(path, None, error) } else { not_written(path, error) }
}

fn refused(path: &Path, folder: Option<&Path>, error: &io::Error) -> DiskError {
    let obstacle = match error.kind() {
        io::ErrorKind::PermissionDenied if !is_escape(error) => Obstacle::Denied,
        io::ErrorKind::ReadOnlyFilesystem => Obstacle::ReadOnly,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Obstacle::Full,
        _ => return said(path, error),
    };
    let at = folder.filter(|_| obstacle != Obstacle::Full).unwrap_or(path).to_owned();
    DiskError::NotWritable { path: path.to_owned(), at, obstacle, why: words(error) }
}

/// Whether cap-std refused a path because it leads out of its directory.
pub(super) fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}
