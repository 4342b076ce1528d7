//! Rows → what moves where, what collides, what stays and why. Nothing is moved here.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, FixedOffset};

use super::model::{End, Move, Plan, Quota, Spared, Verb};
use super::names::{LONGEST_TRASHED, Names};
use super::{Shelf, trash};
use crate::disk::{self, DiskError};
use crate::handoff::{Digest, Family, count_of};
use crate::place::{self, Listed, Origin, Roots, State, TRASH};

/// The most bytes of a name outside the trash.
const LONGEST: usize = 255;

/// What every plan is made from besides its rows.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The shelf.
    pub shelf: &'a Shelf,
    /// Where handoffs are looked for.
    pub roots: &'a Roots,
    /// Now, in local time.
    pub now: DateTime<FixedOffset>,
}

/// Rows with the further parts of each from a listing: a handoff in several files goes and comes back as one.
pub fn with_parts(rows: Vec<Arc<Listed>>, listing: &[Arc<Listed>]) -> Vec<Arc<Listed>> {
    let parts: Vec<_> = listing.iter().filter(|row| row.part.is_some()).collect();
    if parts.is_empty() {
        return rows;
    }
    let mut whole: Vec<Arc<Listed>> = Vec::new();
    for row in rows {
        let is_its = |part: &&&Arc<Listed>| part.part.as_ref().is_some_and(|part| part.head == row.path);
        let mut its: Vec<_> = parts.iter().filter(is_its).map(|part| Arc::clone(part)).collect();
        its.sort_by_key(|part| part.part.as_ref().map(|part| part.number));
        for one in std::iter::once(row).chain(its) {
            if !whole.iter().any(|there| there.path == one.path) {
                whole.push(one);
            }
        }
    }
    whole
}

/// Whether a row is a further part of the handoff that the row before it is or is a part of.
fn goes_on(row: &Listed, before: Option<&Listed>) -> bool {
    let head = |row: &Listed| row.part.as_ref().map(|part| part.head.clone());
    let (Some(own), Some(before)) = (head(row), before) else { return false };
    before.path == own || head(before) == Some(own)
}

/// Puts rows into the `archive/` beside each.
pub fn archive(ask: Ask<'_>, rows: &[Arc<Listed>]) -> Plan {
    into_archives(ask, Verb::Archive, rows)
}

/// The moves of an archive or a cleanup.
pub(super) fn into_archives(ask: Ask<'_>, verb: Verb, rows: &[Arc<Listed>]) -> Plan {
    let mut plan = Plan::of(verb);
    let mut names = Names::new(&disk::is_taken);
    let (files, copies) = files(&mut plan, rows);
    for file in files {
        let target = match archive_of(ask, &file) {
            Ok(target) => target,
            Err(reason) => {
                plan.spared.push(Spared { path: file.path.clone(), reason });
                continue;
            }
        };
        let to = End::plain(&file.row.root, &target);
        plan.add(&mut names, file.way(to), LONGEST);
    }
    plan.mention(&copies);
    plan
}

/// Puts rows into the trash, each with a record of where it was. More than `quota` entries are too many: the plan
/// names the oldest that would have to go, never one that it adds itself.
///
/// # Errors
/// The trash is there and cannot be listed.
pub fn trash(ask: Ask<'_>, rows: &[Arc<Listed>], quota: u32) -> Result<Plan, DiskError> {
    let mut plan = Plan::of(Verb::Trash);
    let taken = |path: &Path| disk::is_taken(path) || disk::is_taken(&Origin::beside(path));
    let mut names = Names::new(&taken);
    let (files, copies) = files(&mut plan, rows);
    for file in files {
        if file.row.state == State::Trashed {
            plan.spare(&file.path, "is in the trash already");
            continue;
        }
        // The digest is that of the bytes shown; a move of others is refused.
        let digest = match disk::digest(&file.path) {
            Ok((digest, _)) => digest,
            Err(error) => {
                plan.spare(&file.path, &error.to_string());
                continue;
            }
        };
        let to = trash_end(&ask.shelf.home, &file.path, &digest, ask.now);
        let way = Move { digest: Some(digest), ..file.way(to) };
        plan.add(&mut names, way, LONGEST_TRASHED);
    }
    plan.mention(&copies);
    let held = trash::entries(&ask.shelf.home)?;
    plan.weigh(&held, quota as usize);
    Ok(plan)
}

/// Brings archived or trashed rows back to where they came from, or (one row) to the path `chosen`, which is taken as
/// it is: where something lies there the row stays, and what and which name is free is said.
pub fn put_back(ask: Ask<'_>, rows: &[Arc<Listed>], chosen: Option<&Path>) -> Plan {
    let mut plan = Plan::of(Verb::PutBack);
    let mut names = Names::new(&disk::is_taken);
    let mut before: Option<&Listed> = None;
    for row in rows {
        if row.state == State::Live {
            plan.spare(&row.path, "is not put away");
            continue;
        }
        let to = match (link_reason(&row.path), chosen) {
            (Some(reason), _) => Err(reason),
            (None, Some(path)) => chosen_end(row, path),
            (None, None) => origin_end(ask, row),
        };
        let to = match to {
            Ok(to) => to,
            Err(reason) => {
                plan.spare(&row.path, &reason);
                continue;
            }
        };
        let note = (row.state == State::Trashed).then(|| trash::record(&row.path)).flatten();
        let root = if row.state == State::Trashed { trash::root(&ask.shelf.home) } else { row.root.clone() };
        let from = End { root, path: row.path.clone(), note };
        let is_listed = place::fit(&to.path, ask.roots).is_some_and(|fit| fit.is_known);
        if chosen.is_some() && !is_listed {
            let shown = to.path.display();
            plan.remarks
                .push(format!("no list of this project shows a handoff at {shown}: remember where it is"));
        }
        let follows = goes_on(row, before.replace(row));
        let way = Move { is_chosen: chosen.is_some(), follows, ..Move::new(from, to, row.bytes) };
        plan.add(&mut names, way, LONGEST);
    }
    plan
}

/// A trashed file's place, with its record.
pub(super) fn trash_end(home: &Path, from: &Path, digest: &Digest, now: DateTime<FixedOffset>) -> End {
    let origin =
        Origin { path: from.to_owned(), deleted: Some(now.naive_local()), digest: Some(digest.clone()) };
    let path = home.join(TRASH).join(from.file_name().unwrap_or_default());
    End { root: trash::root(home), path, note: Some(origin.to_text().into_bytes()) }
}

/// One file of a row.
#[derive(Clone)]
struct FileOf<'a> {
    row: &'a Listed,
    path: PathBuf,
    bytes: u64,
    /// It is the second half of a pair or a further part of a handoff, whose first file stands before it.
    follows: bool,
}

impl FileOf<'_> {
    fn way(&self, to: End) -> Move {
        let from = End::plain(&self.row.root, &self.path);
        Move { follows: self.follows, ..Move::new(from, to, self.bytes) }
    }
}

/// Why a file is not moved that is a link: it would leave what it leads to, or lead to nothing where it goes.
pub fn link_reason(path: &Path) -> Option<String> {
    let to = disk::link_at(path)?;
    let is_dead = matches!(disk::kind(path), Err(DiskError::NotFound(_)));
    let (to, end) = (to.display(), if is_dead { ", where nothing lies" } else { "" });
    let next = if is_dead { "" } else { "put away the file that it leads to, or " };
    Some(format!("is a symbolic link to {to}{end}; a link is never moved: {next}remove the link yourself"))
}

/// The files that rows stand for, each once, and files that only have the same bytes; rows that are never moved are
/// spared.
fn files<'a>(plan: &mut Plan, rows: &'a [Arc<Listed>]) -> (Vec<FileOf<'a>>, Vec<&'a PathBuf>) {
    let mut files: Vec<FileOf<'a>> = Vec::new();
    let mut copies: Vec<&PathBuf> = Vec::new();
    for row in rows {
        if row.handoff.family == Family::Memtomem {
            plan.spare(&row.path, "is a file of memtomem's records, which are never moved");
            continue;
        }
        if files.iter().any(|file| file.path == row.path) {
            continue;
        }
        if let Some(reason) = link_reason(&row.path) {
            plan.spare(&row.path, &reason);
            continue;
        }
        let follows = goes_on(row, files.last().map(|file| file.row));
        files.push(FileOf { row, path: row.path.clone(), bytes: row.bytes, follows });
        let (halves, others): (Vec<_>, Vec<_>) = row.twins.iter().partition(|twin| is_half(row, twin));
        for half in halves {
            let bytes = disk::look(half).map_or(0, |(_, meta)| meta.len);
            files.push(FileOf { row, path: half.clone(), bytes, follows: true });
        }
        copies.extend(others);
    }
    (files, copies)
}

/// That files with the same bytes stay, in one sentence, however many they are.
fn copies_words(copies: &[&PathBuf]) -> Option<String> {
    match copies {
        [] => None,
        [one] => Some(format!("{} has the same bytes and stays: name it by itself", one.display())),
        some => Some(format!(
            "{} files in other worktrees or under other names have the same bytes and stay: name each by itself",
            some.len()
        )),
    }
}

/// Whether a twin of a row is the other half of one handoff: a pause of `.planning` writes two files. Any other twin is
/// a handoff of its own, which the row only stands for in a list.
pub fn is_half(row: &Listed, twin: &Path) -> bool {
    let folder = row.path.parent();
    let is_pause = |name: &std::ffi::OsStr| name.eq_ignore_ascii_case(".planning");
    twin.parent() == folder && folder.and_then(Path::file_name).is_some_and(is_pause)
}

/// Where a file is archived, if a handoff there would still be listed.
fn archive_of(ask: Ask<'_>, file: &FileOf<'_>) -> Result<PathBuf, String> {
    match file.row.state {
        State::Archived => return Err("is archived already".to_owned()),
        State::Trashed => return Err("is in the trash: put it back first".to_owned()),
        State::Live => {}
    }
    let (folder, name) = file.path.parent().zip(file.path.file_name()).ok_or("has no folder")?;
    let target = folder.join("archive").join(name);
    match place::fit(&target, ask.roots) {
        Some(fit) if fit.is_known && fit.state == State::Archived => Ok(target),
        _ => Err("would not be found in an archive beside it: trash it instead".to_owned()),
    }
}

/// The place that a row came from.
fn origin_end(ask: Ask<'_>, row: &Listed) -> Result<End, String> {
    let choose = "choose a place for it";
    let origin = row.origin.as_ref().ok_or_else(|| format!("nothing says where it came from: {choose}"))?;
    if !origin.is_absolute() {
        return Err(format!("its record names no absolute path: {choose}"));
    }
    // A record is text that anybody can write: it leads only to where handoffs lie.
    let fit = place::fit(origin, ask.roots)
        .ok_or_else(|| format!("its record names a place where no handoffs lie: {choose}"))?;
    if !fit.root.is_dir() {
        return Err(format!("the project that it came from is gone: {choose}"));
    }
    Ok(End::plain(&fit.root, origin))
}

/// The place that a person chose: a directory, or a new file's path.
fn chosen_end(row: &Listed, chosen: &Path) -> Result<End, String> {
    let name = row.origin.as_deref().unwrap_or(&row.path).file_name().unwrap_or_default();
    let path = if chosen.is_dir() { chosen.join(name) } else { chosen.to_owned() };
    let folder = path.parent().filter(|folder| folder.is_dir());
    let folder =
        folder.ok_or_else(|| format!("the directory of {} is not there: make it first", path.display()))?;
    match disk::is_taken(&path) {
        false => Ok(End::plain(folder, &path)),
        true => Err(taken_reason(&path)),
    }
}

/// What lies at a place that a person chose, and which name is free beside it.
fn taken_reason(path: &Path) -> String {
    let there = match (disk::link_at(path), disk::look(path)) {
        (Some(to), _) => format!("a symbolic link to {}", to.display()),
        (None, Ok((disk::Kind::File, meta))) => format!("a file of {}", count_of_bytes(meta.len)),
        (None, Ok((disk::Kind::Directory, _))) => "a directory".to_owned(),
        (None, _) => "something".to_owned(),
    };
    let free = Names::new(&disk::is_taken).first_free(path, LONGEST);
    let free = free.map_or(String::new(), |free| format!("; {} is free", free.display()));
    format!("{there} lies at {} already, and nothing is replaced: choose another place{free}", path.display())
}

fn count_of_bytes(bytes: u64) -> String {
    count_of(usize::try_from(bytes).unwrap_or(usize::MAX), "byte", "bytes")
}

impl Plan {
    /// Says of files that only have the same bytes that they stay, where anything moves: a list shows them then.
    fn mention(&mut self, copies: &[&PathBuf]) {
        self.remarks.extend(copies_words(copies).filter(|_| !self.moves.is_empty()));
    }

    pub(super) fn spare(&mut self, path: &Path, reason: &str) {
        self.spared.push(Spared { path: path.to_owned(), reason: reason.to_owned() });
    }

    /// Adds a move, to the first free name of at most `longest` bytes.
    pub(super) fn add(&mut self, names: &mut Names<'_>, mut way: Move, longest: usize) {
        let wanted = way.to.path.clone();
        let Some(path) = names.first_free(&wanted, longest) else {
            self.spare(&way.from.path, "no name is free for it where it would go");
            return;
        };
        // A name that was only cut to fit collides with nobody.
        let is_cut = super::names::numbered(&wanted, 1, longest) == path;
        way.instead_of = (path != wanted && !is_cut).then_some(wanted);
        way.to.path = path;
        way.is_copy = disk::on_one_file_system(&way.from.path, &way.to.path) == Some(false);
        self.moves.push(way);
    }

    /// Names the oldest entries that are too many.
    fn weigh(&mut self, held: &[trash::Entry], limit: usize) {
        let after = held.len() + self.moves.len();
        self.quota = Some(Quota { held: held.len(), after, limit });
        let surplus = if self.moves.is_empty() { 0 } else { after.saturating_sub(limit) };
        self.evict = held.iter().take(surplus).map(|entry| entry.path.clone()).collect();
    }
}
