//! Waiting for changes in folders, without asking again and again.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use super::DiskError;

/// Folders that are watched until this is dropped. Nothing runs while nothing happens.
#[derive(Debug)]
pub struct Watch {
    /// Held for its drop.
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches these folders, each for itself and not what lies deeper. The paths of what was made, changed, renamed
    /// or removed in them are told on another thread; an empty list says that something may have been missed.
    ///
    /// # Errors
    /// [`DiskError::Io`]: the system watches nothing, or has no watches left. A folder that is gone is no error.
    pub fn start(
        folders: &[PathBuf],
        mut changed: impl FnMut(Vec<PathBuf>) + Send + 'static,
    ) -> Result<Self, DiskError> {
        let tell = move |event: notify::Result<Event>| match event {
            Ok(event) if event.need_rescan() => changed(Vec::new()),
            Ok(event) if is_change(&event.kind) => changed(event.paths),
            Ok(_) => {}
            Err(_) => changed(Vec::new()),
        };
        let failed = |path: &Path, why: notify::Error| DiskError::Io(path.to_owned(), why.to_string());
        let mut watcher = notify::recommended_watcher(tell).map_err(|why| failed(Path::new("/"), why))?;
        let mut seen = HashSet::new();
        for folder in folders.iter().filter(|folder| seen.insert(folder.as_path())) {
            match watcher.watch(folder, RecursiveMode::NonRecursive) {
                Err(error) if !matches!(error.kind, notify::ErrorKind::PathNotFound) => {
                    return Err(failed(folder, error));
                }
                _ => {}
            }
        }
        Ok(Self { _watcher: watcher })
    }
}

/// Whether bytes or names changed: that a file was read, or its times were, is none.
fn is_change(kind: &EventKind) -> bool {
    match kind {
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => false,
        EventKind::Any
        | EventKind::Other
        | EventKind::Create(_)
        | EventKind::Modify(_)
        | EventKind::Remove(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::time::{Duration, Instant};

    #[test]
    fn a_change_is_told_and_reading_is_none() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path().canonicalize().unwrap();
        let (file, mark) = (dir.join("a.md"), dir.join("mark"));
        fs::write(&file, "one").unwrap();
        let (tell, told) = channel();
        let gone = dir.join("gone");
        let watch = Watch::start(&[dir.clone(), gone], move |paths| drop(tell.send(paths)));
        let watch = watch.expect("a folder that is not there is no error");
        let until = |wanted: &Path| {
            let deadline = Instant::now() + Duration::from_secs(20);
            let mut seen = Vec::new();
            while !seen.iter().any(|path| path == wanted) {
                match told.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                    Ok(paths) => seen.extend(paths),
                    Err(why) => panic!("{} was never told of ({why}): {seen:?}", wanted.display()),
                }
            }
            seen
        };
        assert_eq!(fs::read(&file).unwrap(), b"one", "it is read");
        fs::write(&mark, "").unwrap();
        let seen = until(&mark);
        assert!(!seen.contains(&file), "and reading it was no change: {seen:?}");
        fs::write(dir.join("new"), "two").unwrap();
        fs::rename(dir.join("new"), &file).unwrap();
        assert!(until(&file).contains(&file), "a file that is replaced as a whole is told of");
        fs::remove_file(&file).unwrap();
        until(&file);
        drop(watch);
        while told.try_recv().is_ok() {}
        fs::write(&mark, "x").unwrap();
        let after = told.recv_timeout(Duration::from_secs(5));
        assert!(matches!(after, Err(RecvTimeoutError::Disconnected)), "afterwards nobody is told: {after:?}");
    }
}
