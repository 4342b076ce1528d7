//! A plan that a person saw: log, move, log.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use super::journal::{Action, Journal};
use super::model::{End, Move, Plan, Told, heads};
use super::names::{LONGEST_TRASHED, Names};
use super::recover::{self, Settled};
use super::shorten::shorten;
use super::{Shelf, model, trash};
use crate::disk::{self, DiskError, Lock, MoveError, Spot, Stamp};
use crate::handoff::{Digest, count_of};
use crate::place::TRASH;

/// How often a move tries another name while others take the one that it wanted.
const TRIES: usize = 1_000;

/// How far an action has come.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Files that are done.
    pub done: usize,
    /// Files of the plan.
    pub of: usize,
    /// The file that is next.
    pub next: &'a Path,
}

/// What became of one move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It lies at this path now.
    Moved(PathBuf),
    /// It lies where it lay, for this reason.
    Stayed(String),
    /// The action was stopped before it.
    NotBegun,
}

/// One move and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Where the file lay.
    pub from: PathBuf,
    /// What became of it.
    pub fate: Fate,
}

impl Outcome {
    fn is_moved(&self) -> bool {
        matches!(self.fate, Fate::Moved(_))
    }
}

/// What an action did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Done {
    /// Its id, by which it can be undone; `None` where nothing began.
    pub action: Option<String>,
    /// One for each move of the plan.
    pub outcomes: Vec<Outcome>,
    /// Trash entries that are gone for good.
    pub evicted: Vec<PathBuf>,
    /// Actions that had been cut off, and what became of them before this one began.
    pub settled: Vec<Settled>,
    /// What else has to be said.
    pub remarks: Vec<String>,
}

impl Done {
    /// Where the moved files lie now.
    pub fn arrived(&self) -> impl Iterator<Item = &PathBuf> {
        self.outcomes.iter().filter_map(|outcome| match &outcome.fate {
            Fate::Moved(to) => Some(to),
            _ => None,
        })
    }

    /// How many files were moved.
    pub fn moved(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.is_moved()).count()
    }

    /// How many handoffs of this plan were moved, with all of their files.
    pub fn handoffs(&self, plan: &Plan) -> usize {
        let mut whole: Vec<bool> = Vec::new();
        for (outcome, way) in self.outcomes.iter().zip(&plan.moves) {
            match whole.last_mut().filter(|_| way.follows) {
                Some(whole) => *whole &= outcome.is_moved(),
                None => whole.push(outcome.is_moved()),
            }
        }
        whole.into_iter().filter(|&whole| whole).count()
    }
}

/// Why nothing was done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShelfError {
    /// Another moorline is moving handoffs.
    #[error("another moorline is putting handoffs away right now: try again when it is done")]
    Busy,
    /// The log, the lock or the trash.
    #[error("nothing was moved: {0}")]
    Disk(#[from] DiskError),
    /// There is nothing of that kind; each sentence says why, or what there is instead.
    #[error("{}", .0.join("; "))]
    Nothing(Vec<String>),
    /// Several actions have what was typed at the beginning of their ids, or it is too short to mean one.
    #[error("{}", .0.join("; "))]
    Several(Vec<String>),
}

impl Shelf {
    /// Does what a plan says. `watch` is asked before each file and says whether to go on. With `evict` the plan's
    /// evictions are carried out afterwards: the caller has shown their names and got a yes for them.
    ///
    /// What cannot be moved stays where it is and is told; the rest is done.
    ///
    /// # Errors
    /// [`ShelfError`]: nothing was moved.
    pub fn act(
        &self,
        plan: &Plan,
        now: DateTime<FixedOffset>,
        evict: bool,
        watch: &mut dyn FnMut(Progress<'_>) -> bool,
    ) -> Result<Done, ShelfError> {
        let _lock = self.lock()?;
        let mut done = Done { settled: recover::settle(self)?, ..Done::default() };
        let journal = Journal::of(&self.state);
        let (moves, unread) = stamped(&plan.moves);
        // What cannot be read now is told as such; the log is about the others.
        let numbers: Vec<Option<usize>> = unread
            .iter()
            .scan(0, |next, why| {
                Some(why.is_none().then(|| {
                    *next += 1;
                    *next - 1
                }))
            })
            .collect();
        let undoes = plan.undoes.clone().map(|mut undoes| {
            let kept = undoes.moves.iter().zip(&numbers).filter_map(|(&of, number)| number.map(|_| of));
            undoes.moves = kept.collect();
            undoes
        });
        let action = Action::new(self, plan.verb, moves, undoes, now);
        let mut action = Action { joins: plan.joins.clone(), ..action };
        if action.moves.is_empty() {
            let stayed = plan.moves.iter().zip(unread);
            done.outcomes = stayed
                .map(|(way, why)| Outcome {
                    from: way.from.path.clone(),
                    fate: Fate::Stayed(why.unwrap_or_default()),
                })
                .collect();
            return Ok(done);
        }
        journal.begin(&action)?;
        if action.moves.iter().any(|way| way.to.note.is_some()) {
            // Where this is refused the moves are too, and say why.
            let _said_by_the_moves = disk::private_dir(&self.home.join(TRASH));
        }
        done.action = Some(action.id.clone());
        let mut moved = BTreeSet::new();
        let mut is_stopped = false;
        for (at, (way, (why, number))) in plan.moves.iter().zip(unread.into_iter().zip(numbers)).enumerate() {
            let progress = Progress { done: at, of: plan.moves.len(), next: &way.from.path };
            is_stopped = is_stopped || !watch(progress);
            let fate = match (is_stopped, why, number) {
                (true, ..) => Fate::NotBegun,
                (_, Some(why), _) => Fate::Stayed(why),
                (_, None, Some(number)) => {
                    let fate = carry(&mut action, number, Some(&journal));
                    if matches!(fate, Fate::Moved(_)) {
                        moved.insert(number);
                    }
                    fate
                }
                (_, None, None) => Fate::NotBegun,
            };
            done.outcomes.push(Outcome { from: way.from.path.clone(), fate });
        }
        if moved.is_empty() {
            recover::remove_empty(&action.made);
        } else {
            recover::remove_empty(&plan.leftover);
        }
        if evict && !moved.is_empty() {
            self.evict(plan, moved.len(), &mut done);
        }
        if let Err(error) = journal.end(&action.id, &moved, "done") {
            done.remarks.push(format!(
                "the end of this is not in the log, and the next one takes it for cut off: {error}"
            ));
        }
        match shorten(&journal) {
            Ok(0) => {}
            Ok(count) => done.remarks.push(format!(
                "the log keeps the newest actions: {} can no longer be undone by id, the files lie where they are",
                count_of(count, "older one", "older ones")
            )),
            Err(error) => done.remarks.push(format!("the log is long and cannot be made shorter: {error}")),
        }
        Ok(done)
    }

    /// An action without an end, in words; looks and changes nothing.
    pub fn interrupted(&self) -> Option<String> {
        let log = Journal::of(&self.state).read().ok()?;
        let open = log.actions.iter().find(|action| action.standing.is_none())?;
        let told = Told { handoffs: heads(&open.moves), files: model::files(&open.moves), ..open.told() };
        Some(format!("{}, was cut off or is still at work", told.words()))
    }

    /// The lock under which everything that writes runs.
    pub(super) fn lock(&self) -> Result<Lock, ShelfError> {
        Lock::try_take(&self.state.join("locks"), "shelf")?.ok_or(ShelfError::Busy)
    }

    /// Deletes the entries that the plan named: as many as are too many now, never one that was just put there.
    fn evict(&self, plan: &Plan, moved: usize, done: &mut Done) {
        let surplus = plan.quota.map_or(0, |quota| (quota.held + moved).saturating_sub(quota.limit));
        for path in plan.evict.iter().take(surplus) {
            match self.delete(path) {
                Ok(true) => done.evicted.push(path.clone()),
                Ok(false) => done.remarks.push(format!("{} was gone already", path.display())),
                Err(error) => done.remarks.push(format!("not evicted: {error}")),
            }
        }
    }

    fn delete(&self, path: &Path) -> Result<bool, DiskError> {
        let end = End { root: trash::root(&self.home), path: path.to_owned(), note: trash::record(path) };
        let spot = Spot::named(&end.root, &end.path, false)?;
        let Some(stamp) = spot.stamp()? else { return Ok(false) };
        let gone = spot.remove(&stamp)?;
        drop_note(&end)?;
        Ok(gone)
    }
}

/// `1 file`, `3 files`.
pub(super) fn files(count: usize) -> String {
    count_of(count, "file", "files")
}

/// The moves whose file can be read, each with its digest; and for every move why it cannot be made.
fn stamped(moves: &[Move]) -> (Vec<Move>, Vec<Option<String>>) {
    let mut good = Vec::new();
    let mut why = Vec::new();
    for way in moves {
        match stamp(&way.from) {
            Ok(Some(stamp)) if way.digest.as_ref().is_none_or(|wanted| *wanted == stamp.digest) => {
                good.push(Move { digest: Some(stamp.digest), bytes: stamp.bytes, ..way.clone() });
                why.push(None);
            }
            Ok(Some(_)) => why.push(Some("changed since it was looked at".to_owned())),
            Ok(None) => why.push(Some("is not there any more".to_owned())),
            Err(error) => why.push(Some(unreadable(&way.from, &error))),
        }
    }
    (good, why)
}

/// Why an end's file cannot be looked at, to be said beside its path.
pub(super) fn unreadable(end: &End, error: &DiskError) -> String {
    match error {
        DiskError::Io(path, why) if *path == end.path => format!("cannot be read: {why}"),
        DiskError::NotAFile(path) if *path == end.path => "is not a regular file".to_owned(),
        other => other.to_string(),
    }
}

/// Which bytes lie at an end; `None` where nothing does.
pub(super) fn stamp(end: &End) -> Result<Option<Stamp>, DiskError> {
    match Spot::named(&end.root, &end.path, false) {
        Ok(spot) => spot.stamp(),
        Err(DiskError::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Makes one move of an action. With a log, a taken name is exchanged for the next free one, which is logged first.
pub(super) fn carry(action: &mut Action, index: usize, journal: Option<&Journal>) -> Fate {
    let temporary = action.temporary(index);
    for _ in 0..TRIES {
        let Some(way) = action.moves.get(index) else { return Fate::NotBegun };
        match attempt(way, OsStr::new(&temporary)) {
            Ok(()) => return Fate::Moved(way.to.path.clone()),
            Err(MoveError::Taken(taken)) => {
                let another = journal.filter(|_| !way.is_chosen).zip(another_name(action, index));
                let Some((journal, free)) = another else {
                    return Fate::Stayed(MoveError::Taken(taken).to_string());
                };
                if let Err(error) = journal.rename(&action.id, index, &free) {
                    return Fate::Stayed(error.to_string());
                }
                if let Some(way) = action.moves.get_mut(index) {
                    way.to.path = free;
                }
            }
            // A move that took place and then could not be brought to the disk did take place.
            Err(error) => match whereabouts(way) {
                Whereabouts::There => return Fate::Moved(way.to.path.clone()),
                _ => return Fate::Stayed(error.to_string()),
            },
        }
    }
    Fate::Stayed("others take every name that it could have".to_owned())
}

/// One attempt: the record that stays beside the file first, the file, then the record that it leaves behind.
fn attempt(way: &Move, temporary: &OsStr) -> Result<(), MoveError> {
    let from = Spot::named(&way.from.root, &way.from.path, false)?;
    let stamp =
        from.stamp()?.filter(|stamp| way.digest.as_ref().is_none_or(|wanted| *wanted == stamp.digest));
    let stamp = stamp.ok_or_else(|| MoveError::Changed(way.from.path.clone()))?;
    let to = Spot::named(&way.to.root, &way.to.path, true)?;
    if let Some(note) = &way.to.note {
        let beside = Spot::named(&way.to.root, &way.to.note_path(), true)?;
        if !beside.create(note, temporary, None)? {
            return Err(MoveError::Taken(way.to.path.clone()));
        }
    }
    match from.move_to(&to, &stamp, temporary) {
        Ok(()) => Ok(drop_note(&way.from)?),
        Err(error) => {
            if !matches!(error, MoveError::Both { .. }) && whereabouts(way) == Whereabouts::Here {
                drop_note(&way.to)?;
            }
            Err(error)
        }
    }
}

/// The next free name for a move, which no other move of the action wants.
pub(super) fn another_name(action: &Action, index: usize) -> Option<PathBuf> {
    let way = action.moves.get(index)?;
    let has_note = way.to.note.is_some();
    let taken = |path: &Path| {
        disk::is_taken(path) || (has_note && disk::is_taken(&crate::place::Origin::beside(path)))
    };
    let mut names = Names::new(&taken);
    action.moves.iter().for_each(|other| names.claim(&other.to.path));
    names.first_free(&way.to.path, if has_note { LONGEST_TRASHED } else { usize::MAX })
}

/// Removes the record beside a file, if it is the one that is meant.
pub(super) fn drop_note(end: &End) -> Result<(), DiskError> {
    let Some(note) = &end.note else { return Ok(()) };
    let spot = match Spot::named(&end.root, &end.note_path(), false) {
        Ok(spot) => spot,
        Err(DiskError::NotFound(_)) => return Ok(()),
        Err(error) => return Err(error),
    };
    match spot.stamp()? {
        Some(stamp) if stamp.digest == Digest::of(note) => spot.remove(&stamp).map(drop),
        _ => Ok(()),
    }
}

/// Where the bytes of a move lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whereabouts {
    /// Where they lay.
    Here,
    /// Where they were to go.
    There,
    /// In both places.
    Both,
    /// In neither, or it cannot be told.
    Neither,
}

/// Looks where the bytes of a move lie.
pub(super) fn whereabouts(way: &Move) -> Whereabouts {
    let is_it = |end: &End| match stamp(end) {
        Ok(Some(stamp)) => way.digest.as_ref() == Some(&stamp.digest),
        _ => false,
    };
    match (is_it(&way.from), is_it(&way.to)) {
        (true, false) => Whereabouts::Here,
        (false, true) => Whereabouts::There,
        (true, true) => Whereabouts::Both,
        (false, false) => Whereabouts::Neither,
    }
}
