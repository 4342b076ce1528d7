//! What a save clears up after itself: dated handoffs that are old go to the archive, and what a former chain left
//! behind goes to the trash. Both can be undone, and neither alters what was saved.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, FixedOffset};

use crate::check::Examiner;
use crate::handoff::{Habit, Inert, Source, count_of, read};
use crate::place::{self, Listed};
use crate::shelf::plan::{self, Ask};
use crate::shelf::{Done, Fate, Plan, Shelf, cleanup};

/// The most links of a chain that are followed.
const LONGEST_CHAIN: usize = 64;
/// Bytes read of a link.
const CAP: u64 = 1 << 20;

/// What was cleared up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cleared {
    /// Where handoffs that were archived by age lie now.
    pub archived: Vec<PathBuf>,
    /// Where links of a former chain lie now.
    pub trashed: Vec<PathBuf>,
    /// Each file that was moved: where it lay, and where it lies now.
    pub moved: Vec<(PathBuf, PathBuf)>,
    /// What was done and what could not be done, in sentences.
    pub said: Vec<Inert>,
    /// It belongs to the save: one undo takes both back.
    is_joined: bool,
}

/// A file that is about to be saved: the newest of its series then.
#[derive(Clone, Copy)]
pub(super) struct Arriving<'a> {
    pub(super) path: &'a Path,
    pub(super) bytes: &'a [u8],
}

/// What a cleanup would archive now, or once a file has arrived.
fn due(
    examiner: &Examiner,
    from: &Path,
    now: DateTime<FixedOffset>,
    arriving: Option<Arriving<'_>>,
) -> Result<Plan, String> {
    let shelf = Shelf::of(examiner).ok_or("no home directory is known")?;
    let roots = examiner.roots();
    let ask = Ask { shelf: &shelf, roots: &roots, now };
    let days = examiner.settings().archive_after_days;
    let mut rows = rows(examiner);
    if let Some(file) = arriving {
        rows.retain(|row| row.path != file.path);
        let new = place::read_bytes(file.path, file.bytes, now.into(), &roots);
        rows.extend(new.into_iter().map(Arc::new));
    }
    cleanup::plan(ask, &rows, days, from).map_err(|why| why.to_string())
}

/// What [`clear`] would do once the file has arrived, in the same places and words; moves nothing.
pub(super) fn foresee(
    examiner: &Examiner,
    from: &Path,
    now: DateTime<FixedOffset>,
    links: &[PathBuf],
    arriving: Option<Arriving<'_>>,
) -> Cleared {
    let mut cleared = Cleared::default();
    if !links.is_empty() {
        let shelf = Shelf::of(examiner);
        let plan = shelf.ok_or_else(|| "no home directory is known".into());
        match plan.and_then(|shelf| to_trash(examiner, &shelf, now, links)) {
            Ok(plan) => {
                cleared.trashed = plan.moves.into_iter().map(|way| way.to.path).collect();
                let files = count_of(cleared.trashed.len(), "file", "files");
                cleared.say(format!("Would trash {files} of the former chain"));
            }
            Err(why) => cleared.say(format!("files of the former chain would stay where they are: {why}")),
        }
    }
    match due(examiner, from, now, arriving) {
        Ok(plan) => {
            cleared.archived = plan.moves.into_iter().map(|way| way.to.path).collect();
            cleared.say_archived("Would archive", examiner.settings().archive_after_days);
        }
        Err(why) => cleared.say(format!("old handoffs would stay where they are: {why}")),
    }
    cleared
}

/// Archives what is old, and trashes the links of a former chain, as a part of the save with this id.
pub(super) fn clear(
    examiner: &Examiner,
    from: &Path,
    now: DateTime<FixedOffset>,
    links: &[PathBuf],
    save: Option<&str>,
) -> Cleared {
    let mut cleared = Cleared { is_joined: save.is_some(), ..Cleared::default() };
    let part = |mut plan: Plan| {
        plan.joins = save.map(str::to_owned);
        plan
    };
    let Some(shelf) = Shelf::of(examiner) else { return cleared };
    if !links.is_empty() {
        let plan = to_trash(examiner, &shelf, now, links).map(part);
        match plan.and_then(|plan| trash(&shelf, &plan, now)) {
            Ok((done, surplus)) => {
                cleared.trashed = cleared.take(&done);
                if !cleared.trashed.is_empty() {
                    let files = count_of(cleared.trashed.len(), "file", "files");
                    cleared.say(format!("Trashed {files} of the former chain"));
                }
                if surplus > 0 {
                    cleared
                        .say(format!("the trash holds {surplus} more than it should: `moorline trash` asks"));
                }
            }
            Err(why) => cleared.say(format!("files of the former chain stay where they are: {why}")),
        }
    }
    match due(examiner, from, now, None).map(|plan| (plan.is_empty(), part(plan))) {
        Ok((true, _)) => {}
        Ok((false, plan)) => match shelf.act(&plan, now, false, &mut |_| true) {
            Ok(done) => {
                cleared.archived = cleared.take(&done);
                cleared.say_archived("Archived", examiner.settings().archive_after_days);
            }
            Err(why) => cleared.say(format!("old handoffs stay where they are: {why}")),
        },
        Err(why) => cleared.say(format!("old handoffs stay where they are: {why}")),
    }
    cleared
}

impl Cleared {
    /// In how many actions it was done that have an undo of their own: none where the save's takes all of it back.
    pub fn actions(&self) -> usize {
        let done = usize::from(!self.archived.is_empty()) + usize::from(!self.trashed.is_empty());
        if self.is_joined { 0 } else { done }
    }

    /// What else was cleared up, in a sentence.
    pub(super) fn say(&mut self, words: String) {
        self.said.push(words.into());
    }

    /// One line for each directory that handoffs were put into.
    fn say_archived(&mut self, verb: &str, days: u32) {
        let archived = std::mem::take(&mut self.archived);
        let days = count_of(usize::try_from(days).unwrap_or(usize::MAX), "day", "days");
        for (folder, count) in by_folder(&archived) {
            let handoffs = count_of(count, "handoff", "handoffs");
            self.say(format!("{verb} {handoffs} older than {days} → {}/", folder.display()));
        }
        self.archived = archived;
    }

    /// Where an action put its files; what it could not do is said.
    fn take(&mut self, done: &Done) -> Vec<PathBuf> {
        let mut moved = Vec::new();
        for outcome in &done.outcomes {
            match &outcome.fate {
                Fate::Moved(path) => {
                    moved.push(path.clone());
                    self.moved.push((outcome.from.clone(), path.clone()));
                }
                Fate::Stayed(why) => self.say(format!("{} stays: {why}", outcome.from.display())),
                Fate::NotBegun => {}
            }
        }
        self.said.extend(done.settled.iter().map(|settled| Inert::from(settled.said.as_str())));
        self.said.extend(done.remarks.iter().map(|remark| Inert::from(remark.as_str())));
        moved
    }
}

/// Every handoff of the project and the home directory, newest first, dated as a list dates them.
fn rows(examiner: &Examiner) -> Vec<Arc<Listed>> {
    let found = Mutex::new(Vec::new());
    place::scan(&examiner.roots(), &AtomicBool::new(false), &|batch| {
        found.lock().unwrap_or_else(PoisonError::into_inner).extend(batch);
        true
    });
    let (mut rows, _) = place::settle(found.into_inner().unwrap_or_else(PoisonError::into_inner));
    // A history that cannot be read leaves the mtime standing, and by an mtime nothing is archived.
    let _undated = examiner.date_by_commits(&mut rows);
    rows
}

/// Moves links to the trash; gives what became of them, and how many entries the trash has too many. Nobody is here
/// to be asked about an eviction, so there is none.
fn trash(shelf: &Shelf, plan: &Plan, now: DateTime<FixedOffset>) -> Result<(Done, usize), String> {
    let done = shelf.act(plan, now, false, &mut |_| true).map_err(|why| why.to_string())?;
    Ok((done, plan.evict.len()))
}

/// The way of links into the trash.
fn to_trash(
    examiner: &Examiner,
    shelf: &Shelf,
    now: DateTime<FixedOffset>,
    links: &[PathBuf],
) -> Result<Plan, String> {
    let roots = examiner.roots();
    let read = links.iter().map(|link| place::read_path(link, &roots));
    let rows: Vec<Vec<Listed>> = read.collect::<Result<_, _>>().map_err(|why| why.to_string())?;
    let rows: Vec<Arc<Listed>> = rows.into_iter().flatten().map(Arc::new).collect();
    let ask = Ask { shelf, roots: &roots, now };
    plan::trash(ask, &rows, examiner.settings().trash_quota).map_err(|why| why.to_string())
}

/// The further files of the chain whose head had these bytes, as far as they are there: only such names as a save
/// itself gives to the links of this head, and none of `kept`.
pub(super) fn links(head: &Path, bytes: &[u8], kept: &[PathBuf]) -> Vec<PathBuf> {
    let mut links: Vec<PathBuf> = Vec::new();
    let mut next = continuation(head, bytes);
    while let Some(path) = next.take().filter(|path| !links.contains(path) && links.len() < LONGEST_CHAIN) {
        if kept.contains(&path) {
            break;
        }
        let Ok(content) = crate::disk::read(&path, CAP) else { break };
        next = continuation(head, &content.bytes);
        links.push(path);
    }
    links
}

/// The next file that these bytes name, if its name is one of a link of this head.
fn continuation(head: &Path, bytes: &[u8]) -> Option<PathBuf> {
    let name = head.file_name()?.to_str()?;
    let source = Source { bytes, name, habit: Habit::Other, cut_from: None };
    let named = read(&source).into_iter().next()?.continuation?;
    let prefix = super::theonekit::link_prefix(head);
    let number = named.raw().strip_prefix(&prefix)?.strip_prefix("HANDOFF-")?.strip_suffix(".md")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| head.with_file_name(named.raw()))
}

fn by_folder(paths: &[PathBuf]) -> BTreeMap<&Path, usize> {
    let mut folders = BTreeMap::new();
    for folder in paths.iter().filter_map(|path| path.parent()) {
        *folders.entry(folder).or_insert(0) += 1;
    }
    folders
}
