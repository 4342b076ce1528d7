//! Writing into a store: every file is made in `incoming`, brought to the disk, and then given the name that its
//! bytes say. Nothing that is there is replaced.
//!
//! To bring a small file to the disk is to wait for it. Files that wait together wait once, so objects go in batches.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::Refused;
use super::places::StoreDir;
use super::store;
use crate::disk::{DiskError, NewFile};
use crate::handoff::{Digest, RelPath};

/// Objects that are brought to the disk together.
const BATCH: usize = 64;

/// How many of them wait at the same time.
const WAITERS: usize = 16;

/// One capture's way into a store. Whoever has it holds the lock.
pub(super) struct Writer<'a> {
    dir: &'a StoreDir,
    serial: u32,
    /// Objects that are written and have no name yet.
    waiting: Vec<Incoming<'a>>,
    /// Directories in which a name is new.
    touched: BTreeSet<String>,
    /// Objects that were not there before.
    pub(super) new_objects: usize,
}

/// A file that has no name of its own yet. It goes if it gets none.
pub(super) struct Incoming<'a> {
    dir: &'a StoreDir,
    at: RelPath,
    file: NewFile,
    placed: bool,
}

impl<'a> Writer<'a> {
    /// Removes what killed captures left behind, and begins.
    pub(super) fn begin(dir: &'a StoreDir) -> Result<Self, Refused> {
        dir.write.sweep(&store::incoming())?;
        Ok(Self { dir, serial: 0, waiting: Vec::new(), touched: BTreeSet::new(), new_objects: 0 })
    }

    /// A new file in `incoming`.
    pub(super) fn incoming(&mut self) -> Result<Incoming<'a>, Refused> {
        loop {
            self.serial += 1;
            let at = format!("{}/{}-{}", store::incoming(), std::process::id(), self.serial);
            let at = RelPath::parse(&at).expect("numbers make a safe path");
            let file = self.dir.write.file(&at)?;
            // Whoever captures with another state directory may sweep it before it is locked.
            if file.lock()? {
                return Ok(Incoming { dir: self.dir, at, file, placed: false });
            }
        }
    }

    /// Puts an object in, if it is not there.
    pub(super) fn object(&mut self, digest: &Digest, bytes: &[u8]) -> Result<(), Refused> {
        if self.dir.read.kind(&store::object_path(digest)).is_ok() {
            return Ok(());
        }
        let mut file = self.incoming()?;
        file.put(bytes)?;
        self.waiting.push(file);
        if self.waiting.len() < BATCH { Ok(()) } else { self.place_waiting() }
    }

    /// Brings what waits to the disk and gives it its names. Where one is taken, what is there stays: whether it is
    /// the same is found out when all of it is verified.
    fn place_waiting(&mut self) -> Result<(), Refused> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let share = waiting.len().div_ceil(WAITERS).max(1);
        let finished: Result<Vec<Digest>, Refused> = std::thread::scope(|scope| {
            let finish = |files: &mut [Incoming<'_>]| {
                files.iter_mut().map(|file| Ok(file.finish()?.0)).collect::<Result<Vec<_>, Refused>>()
            };
            let threads: Vec<_> =
                waiting.chunks_mut(share).map(|files| scope.spawn(move || finish(files))).collect();
            let joined = threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            Ok(joined.collect::<Result<Vec<_>, Refused>>()?.concat())
        });
        for (file, digest) in waiting.into_iter().zip(finished?) {
            self.place(file, &digest)?;
        }
        Ok(())
    }

    /// Gives one object, which is on the disk, its name.
    pub(super) fn place(&mut self, mut file: Incoming<'a>, digest: &Digest) -> Result<(), Refused> {
        let to = store::object_path(digest);
        if self.name(&mut file, &to)? {
            self.new_objects += 1;
        }
        Ok(())
    }

    /// Brings every new name to the disk.
    pub(super) fn settle(&mut self) -> Result<(), Refused> {
        self.place_waiting()?;
        for dir in std::mem::take(&mut self.touched) {
            let mut above = Some(dir.as_str());
            while let Some(dir) = above {
                self.dir
                    .write
                    .sync(&RelPath::parse(dir).expect("a directory of the store is a safe path"))?;
                above = dir.rsplit_once('/').map(|(above, _)| above);
            }
        }
        let root = RelPath::parse(".").expect("the root is a safe path");
        Ok(self.dir.write.sync(&root)?)
    }

    /// Puts the manifest in: from this moment on there is a snapshot.
    pub(super) fn manifest(mut self, id: &Digest, bytes: &[u8]) -> Result<(), Refused> {
        let mut file = self.incoming()?;
        file.put(bytes)?;
        file.finish()?;
        self.name(&mut file, &store::manifest_path(id))?;
        self.settle()
    }

    fn name(&mut self, file: &mut Incoming<'a>, to: &RelPath) -> Result<bool, Refused> {
        file.placed = self.dir.write.rename(&file.at, to)?;
        if let Some((above, _)) = to.as_str().rsplit_once('/') {
            self.touched.insert(above.to_owned());
        }
        Ok(file.placed)
    }
}

impl Incoming<'_> {
    fn put(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        self.file.write_all(bytes).map_err(|error| self.failed(&error))
    }

    /// Why bytes could not be written.
    pub(super) fn failed(&self, error: &io::Error) -> Refused {
        DiskError::Io(self.file.path().to_owned(), error.to_string()).into()
    }

    /// Brings the bytes to the disk; gives their digest and number.
    pub(super) fn finish(&mut self) -> Result<(Digest, u64), Refused> {
        Ok(self.file.finish()?)
    }
}

impl Write for Incoming<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Incoming<'_> {
    fn drop(&mut self) {
        if !self.placed {
            // What cannot be removed now, the next capture sweeps.
            let _left = self.dir.write.remove(&self.at);
        }
    }
}
