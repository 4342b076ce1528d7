//! What was committed since a handoff was saved: since the commit that it records, else since its time.

use super::clock::BUDGET;
use super::evidence::{After, Seen, Since};
use super::lane::GRACE;
use super::survey::Survey;
use crate::handoff::{ClockSource, Moment, Record, Revision, SavedAt};
use crate::repo::{Asking, Commit, Files, Head, Relation, RepoError};

/// How many files are looked through for one that is not a handoff's own; more are work, whatever they are.
const MOST_OWN: usize = 10_000;

impl Survey<'_> {
    /// The commit that the handoff declares as its state.
    pub(super) fn recorded_commit(&self) -> Option<Revision> {
        let own = match &self.handoff.record {
            Record::Thunderkit(root) => root.head.clone(),
            Record::Memtomem(record) => record.git_head.clone(),
            _ => None,
        };
        own.map(Revision::from).or_else(|| self.handoff.commit.clone())
    }

    /// How a recorded commit stands to a worktree's HEAD.
    pub(super) fn since(
        &self,
        asking: Result<&Asking, &RepoError>,
        head: &Seen<Head>,
        recorded: &Revision,
    ) -> Seen<Since> {
        head.and(|head| {
            let source = "the commit graph";
            if head.commit().is_none() {
                return Seen::unknown("no commit yet (unborn)", source);
            }
            match asking.map_err(Clone::clone).and_then(|asking| self.examiner.relation(asking, recorded)) {
                Ok(relation) => Seen::known(self.with_own(relation), source),
                Err(why) => Seen::unknown(why.to_string(), source),
            }
        })
    }

    fn with_own(&self, relation: Relation) -> Since {
        let only_own = match &relation {
            Relation::Ahead { files, .. } => self.are_own(files),
            _ => false,
        };
        Since { relation, only_own }
    }

    fn are_own(&self, files: &Files) -> bool {
        let few = (1..=MOST_OWN).contains(&files.len());
        few && files.iter().all(|file| self.is_own(file.raw()))
    }

    /// Commits newer than the saved time, when the handoff names no commit itself: by its own time, else by the commit
    /// that last changed its file.
    pub(super) fn after_saving(&self, head: &Seen<Head>) -> Option<After> {
        let now = head.value()?.commit()?;
        if self.recorded_commit().is_some() {
            return None;
        }
        let repo = self.repo.as_ref().ok()?;
        let own = |saved: &&SavedAt| saved.source != ClockSource::Mtime;
        let (certain, possible) = match self.handoff.saved_at.as_ref().filter(own) {
            Some(saved) => bounds(&saved.moment),
            // A list that was dated by commits says it of every row at once.
            None if self.row.saved_at.source == ClockSource::Commit => {
                let at = self.row.saved_at.moment.order_key(0);
                (at, at)
            }
            None => {
                let inside = self.row.path.canonicalize().ok()?.strip_prefix(repo.root()).ok()?.to_owned();
                // What was never committed would be looked for in all of the history.
                repo.is_tracked(&inside).ok().filter(|tracked| *tracked)?;
                let changed = repo.last_changes(&[inside], BUDGET).ok()?.into_iter().next()??;
                (changed.time, changed.time)
            }
        };
        let log = self.examiner.log(repo, now.as_str()).ok()?;
        let count = log.iter().take_while(|commit| commit.time > certain).count();
        let (later, before) = log.split_at(count);
        let that_day = before.iter().take_while(|commit| commit.time > possible);
        let said = |commit: &Commit| format!("{} {}", commit.id.short(), commit.subject.raw()).into();
        let files = match before.first() {
            _ if later.is_empty() => Some(Files::default()),
            Some(base) => self.files_since(base, count),
            None => None,
        };
        let only_own = files.as_ref().is_some_and(|files| self.are_own(files));
        Some(After {
            commits: later.iter().map(said).collect(),
            files,
            only_own,
            that_day: that_day.map(said).collect(),
        })
    }

    /// The files that `count` commits changed since `base`; `None` where it takes other commits to come from there,
    /// as where branches that were begun earlier were merged.
    fn files_since(&self, base: &Commit, count: usize) -> Option<Files> {
        let asking = self.asking.as_ref().ok()?;
        match self.examiner.relation(asking, &base.id.clone().into()) {
            Ok(Relation::Ahead { count: way, files, .. }) if way == count => Some(files),
            _ => None,
        }
    }
}

/// From when on a commit is surely newer than a moment, and from when on it may be. A day without a time and a zone
/// lasts until it has ended everywhere; what is committed with the handoff is committed soon after it is written.
pub(super) fn bounds(moment: &Moment) -> (i64, i64) {
    const DAY: i64 = 24 * 3600;
    let begins = moment.order_key(0);
    match moment {
        Moment::Day(_, None) => (begins.saturating_add(DAY + DAY / 2), begins.saturating_sub(1)),
        _ => (begins.saturating_add(GRACE), begins.saturating_add(GRACE)),
    }
}
