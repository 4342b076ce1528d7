//! Replaced bytes: kept before a file is written over, logged like a move, and so undone like one.
//!
//! To the log a save is two moves for each of its files: the old bytes from the file into the trash, and the new ones
//! from the state directory's `undo/` into the file. Taking them back in turn gives the file its old bytes and keeps
//! the new ones. The files of a chain are one save, and one undo.
//! Old bytes that HEAD holds do not go into the trash but into `undo/`, so that taking a save back needs no git.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use super::Shelf;
use super::act::{another_name, drop_note};
use super::journal::{Action, Journal};
use super::model::{End, Move, Verb};
use super::names::{LONGEST_TRASHED, Names};
use super::plan::trash_end;
use super::shorten::shorten;
use crate::disk::{self, DiskError, Spot, private_dir};
use crate::handoff::Digest;
use crate::place::{Origin, TRASH};

/// How often another name is tried while others take it.
const TRIES: usize = 1_000;
/// Where bytes lie that an undo took away, in the state directory.
const UNDO: &str = "undo";

/// Files that are about to be written as one; their old bytes are kept, and the log knows.
#[derive(Debug)]
pub struct Overwriting {
    journal: Journal,
    action: Action,
    files: Vec<Kept>,
}

/// One of them.
#[derive(Debug)]
struct Kept {
    /// The move of its old bytes, if it had some; the one of its new bytes comes right after that.
    old: Option<usize>,
    /// The move of its new bytes.
    new: usize,
    /// Where the old bytes lie, if they are in the trash.
    path: Option<PathBuf>,
}

/// What is written over what.
#[derive(Debug, Clone, Copy)]
pub struct Overwrite<'a> {
    /// A directory that the file must not leave.
    pub root: &'a Path,
    /// The file's real path.
    pub path: &'a Path,
    /// Its bytes now; `None` where nothing is there.
    pub old: Option<&'a [u8]>,
    /// HEAD holds exactly the old bytes: the trash need not.
    pub is_committed: bool,
    /// Its bytes afterwards.
    pub new: &'a [u8],
}

impl Shelf {
    /// Logs what is about to happen to files that are written as one, in this order, and keeps their old bytes. Whoever
    /// calls holds the locks on them; by the last one's others see that somebody is at work.
    ///
    /// # Errors
    /// They cannot be kept: then nothing may be replaced.
    pub fn overwriting(
        &self,
        files: &[Overwrite<'_>],
        now: DateTime<FixedOffset>,
    ) -> Result<Overwriting, DiskError> {
        let (mut moves, mut kept) = (Vec::<Move>::new(), Vec::new());
        let mut aside = Names::new(&disk::is_taken);
        let add = |moves: &mut Vec<Move>, way: Move| {
            moves.push(Move { follows: !moves.is_empty(), ..way });
            moves.len() - 1
        };
        for over in files {
            let file = End::plain(over.root, over.path);
            let old = over.old.map(|old| {
                let digest = Digest::of(old);
                let to = match over.is_committed {
                    true => self.aside(&mut aside, over.path),
                    false => self.in_trash(over.path, &digest, now),
                };
                add(&mut moves, logged(file.clone(), to, old, digest))
            });
            let new = logged(self.aside(&mut aside, over.path), file.clone(), over.new, Digest::of(over.new));
            kept.push(Kept { old, new: add(&mut moves, new), path: None });
        }
        let mut log = Overwriting {
            journal: Journal::of(&self.state),
            action: Action::new(self, Verb::Save, moves, None, now),
            files: kept,
        };
        log.journal.begin(&log.action)?;
        for (number, over) in files.iter().enumerate() {
            let Some(old) = over.old else { continue };
            let folder = if over.is_committed { self.state.join(UNDO) } else { self.home.join(TRASH) };
            let kept = private_dir(&folder).and_then(|()| log.keep(old, over.path, number));
            if kept.is_err() {
                // The first error is the one to say; what is left over is settled by the next action.
                let _late = log.not_written(&[]);
            }
            let kept = kept?;
            log.files[number].path = (!over.is_committed).then_some(kept);
        }
        Ok(log)
    }

    /// A name of its own in `undo/`, which nothing has.
    fn aside(&self, names: &mut Names<'_>, path: &Path) -> End {
        let wanted = self.state.join(UNDO).join(path.file_name().unwrap_or_default());
        // With every name taken the move into it will say so.
        let free = names.first_free(&wanted, LONGEST_TRASHED).unwrap_or(wanted);
        End::plain(&self.state, &free)
    }

    /// A name of its own in the trash, with a record.
    fn in_trash(&self, path: &Path, digest: &Digest, now: DateTime<FixedOffset>) -> End {
        let end = trash_end(&self.home, path, digest, now);
        let taken = |path: &Path| disk::is_taken(path) || disk::is_taken(&Origin::beside(path));
        let free = Names::new(&taken).first_free(&end.path, LONGEST_TRASHED).unwrap_or(end.path);
        End { path: free, ..end }
    }
}

impl Overwriting {
    /// Where the old bytes of the file of this number lie, if they are in the trash.
    pub fn kept(&self, number: usize) -> Option<&Path> {
        self.files.get(number)?.path.as_deref()
    }

    /// Puts the old bytes of a file where its move says, with the file's permission bits and time; gives where they lie.
    fn keep(&mut self, old: &[u8], file: &Path, number: usize) -> Result<PathBuf, DiskError> {
        let index = self.files.get(number).and_then(|kept| kept.old).unwrap_or_default();
        let temporary = self.action.temporary(index);
        let temporary = OsStr::new(&temporary);
        let like = disk::look(file).ok().map(|(_, meta)| meta);
        for _ in 0..TRIES {
            let Some(end) = self.action.moves.get(index).map(|way| way.to.clone()) else { break };
            // The record first: whoever finds the file knows where it came from.
            let is_noted = match &end.note {
                Some(note) => {
                    Spot::named(&end.root, &end.note_path(), true)?.create(note, temporary, None)?
                }
                None => true,
            };
            if is_noted {
                if Spot::named(&end.root, &end.path, true)?.create(old, temporary, like)? {
                    return Ok(end.path);
                }
                drop_note(&end)?;
            }
            let Some(free) = another_name(&self.action, index) else { break };
            self.journal.rename(&self.action.id, index, &free)?;
            if let Some(way) = self.action.moves.get_mut(index) {
                way.to.path = free;
            }
        }
        Err(DiskError::Io(file.to_owned(), "no name is free for its old bytes".into()))
    }

    /// The id by which the save can be undone.
    pub fn action(&self) -> &str {
        &self.action.id
    }

    /// The new bytes are in the files.
    ///
    /// # Errors
    /// The log cannot be written: the files are what they should be, and the next action finds that out.
    pub fn written(&self) -> Result<(), DiskError> {
        let all: BTreeSet<usize> = (0..self.action.moves.len()).collect();
        self.journal.end(&self.action.id, &all, "done")?;
        shorten(&self.journal).map(drop)
    }

    /// The old bytes are still in the files: what was kept of them goes again. `left` are the numbers of files that
    /// could not be made what they were: what they held stays kept, and they can still be undone.
    ///
    /// # Errors
    /// What the system says; the copies stay then, and the next action settles them.
    pub fn not_written(&self, left: &[usize]) -> Result<(), DiskError> {
        let files = self.files.iter().enumerate().filter(|(number, _)| !left.contains(number));
        for way in files.filter_map(|(_, kept)| self.action.moves.get(kept.old?)) {
            let spot = Spot::named(&way.to.root, &way.to.path, false)?;
            if let Some(stamp) = spot.stamp()?.filter(|stamp| way.digest.as_ref() == Some(&stamp.digest)) {
                spot.remove(&stamp)?;
            }
            drop_note(&way.to)?;
        }
        let standing = left.iter().filter_map(|number| self.files.get(*number));
        let standing = standing.flat_map(|kept| kept.old.into_iter().chain([kept.new])).collect();
        self.journal.end(&self.action.id, &standing, "nothing was written")
    }
}

fn logged(from: End, to: End, bytes: &[u8], digest: Digest) -> Move {
    Move { digest: Some(digest), is_copy: true, ..Move::new(from, to, bytes.len() as u64) }
}
