//! Waiting, while the screen is open, for handoffs that change and for a HEAD that moves. Nothing runs meanwhile.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};

use super::super::action::{Answer, Moved};
use super::Post;
use crate::check::Examiner;
use crate::disk::Watch;
use crate::place::Folders;
use crate::repo::Repo;

/// Changes come in swarms: so long nothing must have happened before they are told of.
const QUIET: Duration = Duration::from_millis(250);
/// Told of after so long even if they go on.
const LONGEST: Duration = Duration::from_secs(2);

/// The watch of the latest scan.
pub(super) struct Watching {
    post: Post,
    current: Arc<Mutex<(u64, Option<Watch>)>>,
}

impl Watching {
    pub(super) fn new(post: Post) -> Self {
        Self { post, current: Arc::default() }
    }

    /// Watches what the scan of this generation looks into, in place of what was watched before.
    pub(super) fn start(&self, examiner: Arc<Examiner>, generation: u64) {
        let (post, current) = (self.post.clone(), self.current.clone());
        thread::spawn(move || {
            let scene = Scene::of(&examiner);
            let folders = scene.folders();
            let (tell, told) = unbounded();
            // The end of this channel is the end of the watch, and of this thread.
            let watch = Watch::start(&folders, move |paths| {
                if let Some(moved) = scene.moved(paths) {
                    let _ = tell.send(moved);
                }
            });
            let is_live = watch.is_ok();
            let mut held = current.lock().unwrap_or_else(PoisonError::into_inner);
            if held.0 >= generation {
                return;
            }
            // The one before goes with everything that it holds.
            *held = (generation, watch.ok());
            drop(held);
            post.answer(Answer::Live(generation, is_live));
            while let Some(moved) = swarm(&told) {
                post.answer(Answer::Moved(moved));
            }
        });
    }

    /// Watches nothing any more.
    pub(super) fn stop(&self) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = (u64::MAX, None);
    }
}

/// Waits for a change and for those that come with it; `None` once nobody watches.
fn swarm(told: &Receiver<Moved>) -> Option<Moved> {
    let mut all = told.recv().ok()?;
    let last = Instant::now() + LONGEST;
    loop {
        let until = (Instant::now() + QUIET).min(last);
        match told.recv_deadline(until) {
            Ok(more) => {
                all.paths.extend(more.paths);
                all.everything |= more.everything;
            }
            Err(_) => return Some(all),
        }
    }
}

/// What is looked at.
struct Scene {
    places: Folders,
    /// The repository's own directory, where its HEAD lies.
    git: Option<PathBuf>,
}

impl Scene {
    fn of(examiner: &Examiner) -> Self {
        let git = Repo::containing(examiner.project()).ok().map(|repo| repo.common_dir().to_owned());
        Self { places: Folders::of(&examiner.roots()), git }
    }

    fn folders(&self) -> Vec<PathBuf> {
        let git = self.git.iter().flat_map(|git| [git.clone(), git.join("logs")]);
        self.places.paths().map(Path::to_owned).chain(git).collect()
    }

    /// What of a change matters: nothing, some handoffs, or everything that was compared with HEAD.
    fn moved(&self, paths: Vec<PathBuf>) -> Option<Moved> {
        let is_head = |path: &PathBuf| {
            self.git.as_ref().is_some_and(|git| *path == git.join("HEAD") || *path == git.join("logs/HEAD"))
        };
        // Nothing named: something was missed.
        let everything = paths.is_empty() || paths.iter().any(is_head);
        let paths: BTreeSet<_> = paths.into_iter().filter(|path| self.places.concerns(path)).collect();
        (everything || !paths.is_empty()).then_some(Moved { paths, everything })
    }
}
