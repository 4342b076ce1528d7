//! A save after its yes: the files, what is cleared up, and what is offered then.

use std::path::{Path, PathBuf};

use super::super::file::{self, NotWritten, Old, Part, Written};
use super::super::ignored::{self, Unignored};
use super::super::offers::{self, Mirror};
use super::super::sweep::{self, Cleared};
use super::super::verdicts::{self, LaneNow};
use super::super::{advice, kept};
use super::{Also, Draft, Saved};
use crate::check::Examiner;
use crate::disk::{self, DiskError};
use crate::handoff::{Family, Inert};
use crate::repo::Repo;
use crate::shelf::ShelfError;

impl Draft {
    /// Writes the files as one: the further ones of a chain first, so that no file ever names one that is not there.
    ///
    /// # Errors
    /// [`NotWritten`]; the file at the target is then what it was.
    pub fn write(&self) -> Result<Saved, NotWritten> {
        self.write_with(Also::default())
    }

    /// The same, with what else is written as a part of this save.
    ///
    /// # Errors
    /// [`NotWritten`]; all files are then what they were.
    pub fn write_with(&self, also: Also) -> Result<Saved, NotWritten> {
        if let Some(pending) = &self.pending {
            let written = pending.write(&self.surroundings)?;
            let (path, said) = (written.path, written.said);
            let (chain, unignored, mirrored, action) = (Vec::new(), None, None, None);
            return Ok(Saved { path, old: Old::None, chain, unignored, mirrored, action, said });
        }
        let said = self.settled()?;
        let repo = Repo::containing(&self.project).ok();
        let own = self.parts.iter().enumerate().map(|(n, (path, text))| Part {
            root: &self.target.root,
            path,
            bytes: text.as_bytes(),
            last_read: self.last_read.as_deref().filter(|_| n == 0),
        });
        // The head last, and after it what speaks of it.
        let mut parts: Vec<Part<'_>> = own.rev().collect();
        let edit = self.ignored.as_ref().and_then(|ignored| ignored.edit.as_ref().ok());
        let edit = edit.filter(|_| also.unignore).zip(repo.as_ref());
        let mirror = self.mirror.as_ref().filter(|_| also.mirror);
        parts.extend(edit.map(|(edit, repo)| edit.part(repo)));
        parts.extend(mirror.map(Mirror::part));
        let mut written = file::write_all(&self.around, &parts, repo.as_ref())?;
        let action = written.iter().find_map(|file| file.action.clone());
        let mirrored = mirror.and_then(|_| written.pop());
        let edited = edit.and_then(|(_, repo)| Some((written.pop()?, repo)));
        let mut own = written.into_iter().rev();
        let Some(head) = own.next() else {
            return Err(DiskError::NotFound(self.target.path.clone()).into());
        };
        let unignored =
            edited.map(|(edited, repo)| ignored::look_again(edited, repo, &head.path, &self.person));
        let chain = own.map(|link| link.path).collect();
        Ok(Saved { path: head.path, old: head.old, chain, unignored, mirrored, action, said })
    }

    /// Whether a write only failed because somebody took or is taking the name that was free: the same, made again,
    /// gets the next one. A plan's handoff and thunderkit's have one name, which no other one replaces.
    pub fn has_lost_its_name(&self, why: &NotWritten) -> bool {
        self.target.is_new && matches!(why, NotWritten::Changed { .. } | NotWritten::Busy(_))
    }

    /// Why it was not written, and what can be done about it, for people.
    pub fn told(&self, why: &NotWritten) -> String {
        advice::told(why, &self.around)
    }

    /// Keeps what was said in moorline's own state directory; gives where.
    ///
    /// # Errors
    /// As [`kept::keep`].
    pub fn keep_words(&self, words: &str) -> Result<PathBuf, NotWritten> {
        kept::keep(&self.around.state, words)
    }

    /// Removes words that were kept, once they were saved from there; of a person's own file nothing is touched.
    ///
    /// # Errors
    /// As [`kept::saved`].
    pub fn forget_words(&self, from: &Path) -> Result<(), DiskError> {
        kept::saved(&self.around.state, from)
    }

    /// Settles what was cut off before: else its plan and this save's could mean one name in the trash. Where
    /// somebody else is at work on the shelf, they settle it.
    fn settled(&self) -> Result<Vec<Inert>, NotWritten> {
        let shelf = self.around.shelf();
        match shelf.settle() {
            Ok(settled) => Ok(settled.into_iter().map(|one| Inert::from(one.said)).collect()),
            Err(ShelfError::Disk(error)) => Err(error.into()),
            Err(ShelfError::Busy | ShelfError::Nothing(_) | ShelfError::Several(_)) => Ok(Vec::new()),
        }
    }

    /// Clears up after a save of any family: what the replaced chain left behind goes to the trash, and dated handoffs
    /// that are old enough to the archive, as a part of the save that its undo takes back; words that were never saved
    /// and that nobody came back for are forgotten. Whatever becomes of that, the save stands.
    pub fn clear_up(&self, examiner: &Examiner, saved: &Saved) -> Cleared {
        let save = saved.action.as_deref();
        let mut cleared = sweep::clear(examiner, &self.from, self.around.now, &self.left_over(), save);
        if let Some(said) = kept::forget(&self.around.state, self.around.now.into()) {
            cleared.say(said);
        }
        cleared
    }

    /// The lanes of what was saved, as a check sees them now (thunderkit).
    pub fn lanes_now(&self, examiner: &Examiner, saved: &Saved) -> Vec<LaneNow> {
        match self.family {
            Family::Thunderkit => verdicts::of(examiner, &saved.path),
            _ => Vec::new(),
        }
    }

    /// What [`clear_up`](Self::clear_up) would do after a write, in places and sentences; moves nothing.
    pub fn would_clear(&self, examiner: &Examiner) -> Cleared {
        let arriving =
            self.parts.first().map(|(path, text)| sweep::Arriving { path, bytes: text.as_bytes() });
        let mut cleared = sweep::foresee(examiner, &self.from, self.around.now, &self.left_over(), arriving);
        if let Some(said) = kept::would_forget(&self.around.state, self.around.now.into()) {
            cleared.say(said);
        }
        cleared
    }

    /// Links of the replaced chain that this save does not write anew; only theonekit's files are chained.
    fn left_over(&self) -> Vec<PathBuf> {
        if self.family != Family::Theonekit {
            return Vec::new();
        }
        let kept: Vec<PathBuf> = self.parts.iter().map(|(path, _)| path.clone()).collect();
        let replaced = self.last_read.as_deref();
        replaced.map(|bytes| sweep::links(&self.target.path, bytes, &kept)).unwrap_or_default()
    }

    /// Makes the edit of [`Draft::ignored`] and looks again; `None` where there is none to make. Only ever on a
    /// person's yes.
    ///
    /// # Errors
    /// [`NotWritten`]; the `.gitignore` is then what it was.
    pub fn unignore(&self) -> Result<Option<Unignored>, NotWritten> {
        let edit = self.ignored.as_ref().and_then(|ignored| ignored.edit.as_ref().ok());
        let (Some(edit), Ok(repo)) = (edit, Repo::containing(&self.project)) else { return Ok(None) };
        let target = disk::locate(&self.target.root, &self.target.path)?;
        ignored::apply(edit, &self.around, &repo, &target, &self.person).map(Some)
    }

    /// Adds the decisions of [`Draft::mirror`] to the project's list; `None` where there are none to add. Only ever
    /// on a person's yes.
    ///
    /// # Errors
    /// [`NotWritten`]; the list is then what it was.
    pub fn mirror_decisions(&self) -> Result<Option<Written>, NotWritten> {
        let Some(mirror) = &self.mirror else { return Ok(None) };
        mirror.write(&self.around, Repo::containing(&self.project).ok().as_ref()).map(Some)
    }

    /// The command that stages exactly what was saved, these further files, and what git follows of the files that
    /// were cleared up; `None` where nothing of it lies in a repository, or all is ignored. moorline never writes git's
    /// index.
    pub fn stage_command(
        &self,
        saved: &Saved,
        more: &[&Path],
        cleared: &Cleared,
        unignored: bool,
    ) -> Option<String> {
        let repo = Repo::containing(&self.project).ok()?;
        let is_hidden = self.pending.is_some() || self.ignored.is_some() && !unignored;
        let own = std::iter::once(&saved.path).chain(&saved.chain).filter(|_| !is_hidden);
        let mut files: Vec<&Path> = own.map(PathBuf::as_path).chain(more.iter().copied()).collect();
        for (from, to) in &cleared.moved {
            let is_followed = |from: &Path| repo.is_tracked(from) == Ok(true);
            if from.strip_prefix(repo.root()).is_ok_and(is_followed) {
                let is_seen =
                    to.starts_with(repo.root()) && matches!(repo.ignored_by(to, &self.person), Ok(None));
                files.extend(std::iter::once(from.as_path()).chain(is_seen.then_some(to.as_path())));
            }
        }
        offers::stage(repo.root(), &files)
    }

    /// The command that keeps a snapshot of what was saved, in a store that the person names; `None` where it lies
    /// outside of the project.
    pub fn snapshot_command(&self, saved: &Saved) -> Option<String> {
        let root = self.project.canonicalize().ok()?;
        offers::snapshot(&root, &self.identity, &saved.path)
    }
}
