//! What a name given by a person fits: several ways of naming, by how sure each is; within one the first way that
//! fits any row ends it.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{Asker, Listed, Near, Reach, Scope, State, row};
use crate::disk;

/// Fewer characters of an id name nothing: they would match by accident.
const SHORTEST_PREFIX: usize = 4;

/// A row as names see it: one that was put away by where it was.
struct Seen<'a> {
    row: &'a Arc<Listed>,
    /// Its path, or where it was.
    was: &'a Path,
    /// The same below its project or worktree.
    below: Option<&'a Path>,
}

/// A way of naming.
type Way = fn(&str, &Seen<'_>) -> bool;

const IDS: &[Way] = &[is_id, is_record, is_shown_record];
const ID_PREFIXES: &[Way] = &[begins_id, begins_record];
const NAMES: &[Way] = &[is_below, is_dated, is_slug, is_plan];
const FILES: &[Way] = &[is_file, is_stored];
const PARTS: &[Way] = &[is_part_of_plan, is_folder];

/// See [`super::named`].
pub(super) fn named(name: &str, reach: Reach, asker: &Asker<'_>, rows: &[Arc<Listed>]) -> Vec<Arc<Listed>> {
    if name.is_empty() {
        return Vec::new();
    }
    match reach {
        Reach::Path => of_path(name, asker, rows),
        Reach::Id => first(IDS, name, asker, rows),
        Reach::Name => first(NAMES, name, asker, rows),
        Reach::File => first(FILES, name, asker, rows),
        Reach::IdPrefix => first(ID_PREFIXES, name, asker, rows),
        Reach::InWorktree => in_worktree(name, &[IDS, NAMES, ID_PREFIXES], asker, rows),
        Reach::PartInWorktree => in_worktree(name, &[PARTS, &[is_stem]], asker, rows),
        Reach::Part => all(PARTS, name, asker, rows),
        Reach::Worktree => {
            let is_there = |row: &&Arc<Listed>| {
                row.scope != Scope::Global
                    && row.state != State::Trashed
                    && asker.root_of(row).is_some_and(|root| is_tree(name, root, asker))
            };
            heads(rows.iter().filter(is_there).cloned().collect())
        }
        Reach::PartOfStem => all(&[is_part_of_stem], name, asker, rows),
    }
}

/// What the first of these ways that fits any row fits.
fn first(ways: &[Way], name: &str, asker: &Asker<'_>, rows: &[Arc<Listed>]) -> Vec<Arc<Listed>> {
    let fitting = ways.iter().map(|way| all(&[*way], name, asker, rows));
    fitting.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

/// What any of these ways fits. A part of a chain is no choice beside its head.
fn all(ways: &[Way], name: &str, asker: &Asker<'_>, rows: &[Arc<Listed>]) -> Vec<Arc<Listed>> {
    let seen = rows.iter().map(|row| asker.seen(row));
    let fitting = seen.filter(|seen| ways.iter().any(|way| way(name, seen)));
    heads(fitting.map(|seen| Arc::clone(seen.row)).collect())
}

/// The rows without the parts of those that are among them.
fn heads(rows: Vec<Arc<Listed>>) -> Vec<Arc<Listed>> {
    let is_under = |row: &Listed| {
        let head = row.part.as_ref().map(|part| part.head.as_path());
        head.is_some_and(|head| rows.iter().any(|other| other.path == head))
    };
    rows.iter().filter(|row| !is_under(row)).cloned().collect()
}

impl<'a> Asker<'a> {
    /// Somebody who names things from the directory `from`, in the project of these roots.
    pub fn new(from: &'a Path, roots: &'a super::Roots) -> Self {
        Self { from, roots, real: roots.project.canonicalize().ok() }
    }

    /// How near a row is.
    pub fn near(&self, row: &Listed) -> Near {
        if row.scope == Scope::Global {
            return Near::Own;
        }
        match (self.root_of(row), &row.origin) {
            (Some(root), _) if self.is_own(root) => Near::Own,
            (Some(_), _) => Near::Worktree,
            // What nobody says the place of is nobody else's.
            (None, None) => Near::Own,
            (None, Some(_)) => Near::Foreign,
        }
    }

    fn is_own(&self, root: &Path) -> bool {
        root == self.roots.project || Some(root) == self.real.as_deref()
    }

    /// The project or worktree that a row lies in, a trashed one that it lay in; `None` where that is none of these.
    pub fn root_of<'b>(&'b self, row: &'b Listed) -> Option<&'b Path> {
        if row.state != State::Trashed {
            return Some(&row.root);
        }
        let origin = row.origin.as_deref()?;
        let worktrees = self.roots.worktrees.iter().map(PathBuf::as_path);
        let roots = worktrees.chain([self.roots.project.as_path()]).chain(self.real.as_deref());
        let above = roots.filter(|root| !root.as_os_str().is_empty() && origin.starts_with(root));
        above.max_by_key(|root| root.components().count())
    }

    fn seen<'b>(&'b self, row: &'b Arc<Listed>) -> Seen<'b> {
        match &row.origin {
            None => Seen { row, was: &row.path, below: Some(&row.relative) },
            Some(origin) => {
                let below = self.root_of(row).and_then(|root| origin.strip_prefix(root).ok());
                Seen { row, was: origin, below }
            }
        }
    }

    /// The shortest name of another worktree that [`named`](super::named) takes: the last part of its path, or the
    /// whole path where several end so. `None` for the project itself and what is no worktree of it.
    pub fn worktree<'b>(&self, root: &'b Path) -> Option<&'b Path> {
        if self.is_own(root) || !self.roots.worktrees.iter().any(|worktree| worktree == root) {
            return None;
        }
        let last = Path::new(root.file_name()?);
        let all = self.roots.worktrees.iter().chain([&self.roots.project]);
        let alike = all.filter(|other| other.file_name() == root.file_name()).count();
        let inside = || root.strip_prefix(&self.roots.project).ok();
        Some(if alike == 1 { last } else { inside().unwrap_or(root) })
    }
}

/// `worktree: name`, as rows of other worktrees are shown, and `worktree/name`. A worktree's whole name goes before the
/// end of another one's, and an end counts only before a colon: a folder of that name is as likely.
fn in_worktree(name: &str, ways: &[&[Way]], asker: &Asker<'_>, rows: &[Arc<Listed>]) -> Vec<Arc<Listed>> {
    let colon = name.split_once(": ");
    let ways_of_saying = [(colon, true), (name.split_once('/'), true), (colon, false)];
    for (said, whole) in ways_of_saying {
        let Some((tree, name)) = said else { continue };
        let tree = tree.trim_start_matches('…');
        let is_meant = |root: &Path| if whole { is_tree(tree, root, asker) } else { ends_tree(tree, root) };
        let mut roots: Vec<&Path> = asker.roots.worktrees.iter().map(PathBuf::as_path).collect();
        roots.extend(rows.iter().filter_map(|row| asker.root_of(row)));
        roots.sort_unstable();
        roots.dedup();
        for root in roots.into_iter().filter(|root| is_meant(root)) {
            let there: Vec<_> =
                rows.iter().filter_map(|row| Some((row, copy_in(root, row, asker)?))).collect();
            let standing: Vec<_> = there.iter().map(|(row, _)| Arc::clone(row)).collect();
            let found = ways.iter().map(|ways| first(ways, name, asker, &standing));
            let Some(found) = found.into_iter().find(|found| !found.is_empty()) else { continue };
            let copies = found.iter().flat_map(|row| {
                let copy = there.iter().find(|(standing, _)| Arc::ptr_eq(standing, row));
                copy.map(|(_, copy)| copy.read(row, asker)).unwrap_or_default()
            });
            let copies: Vec<_> = copies.collect();
            if !copies.is_empty() {
                return copies;
            }
        }
    }
    Vec::new()
}

/// What a worktree has of a row.
enum Copy {
    /// The row itself.
    Itself,
    /// An equal file, for which the row stands in a list.
    Twin(PathBuf),
}

/// What lies in this worktree of a row.
fn copy_in(root: &Path, row: &Arc<Listed>, asker: &Asker<'_>) -> Option<Copy> {
    if row.scope == Scope::Global {
        return None;
    }
    if asker.root_of(row) == Some(root) {
        return Some(Copy::Itself);
    }
    let twin = row.twins.iter().find(|twin| **twin == root.join(&row.relative))?;
    Some(Copy::Twin(twin.clone()))
}

impl Copy {
    /// The copy's own row: it stands for the others then.
    fn read(&self, row: &Arc<Listed>, asker: &Asker<'_>) -> Vec<Arc<Listed>> {
        match self {
            Self::Itself => vec![Arc::clone(row)],
            Self::Twin(path) => {
                let own = row::read_path(path, asker.roots).unwrap_or_default().into_iter();
                // One record of a day file is one record of its copy.
                let own = own.filter(|own| own.handoff.lines == row.handoff.lines);
                own.map(|own| Arc::new(Listed { twins: twins_but(row, path), ..own })).collect()
            }
        }
    }
}

/// All files that a row stands for, without this one.
fn twins_but(row: &Listed, path: &Path) -> Vec<PathBuf> {
    std::iter::once(&row.path).chain(&row.twins).filter(|twin| *twin != path).cloned().collect()
}

/// Whether a word is a worktree: the last part of its path, or the path from where the person stands or below the
/// project.
fn is_tree(tree: &str, root: &Path, asker: &Asker<'_>) -> bool {
    let tree = tree.trim_end_matches('/');
    let is_at = |base: &Path| plain(&base.join(tree)) == root;
    !tree.is_empty()
        && (root.file_name().is_some_and(|last| last == tree)
            || tree.contains('/') && (is_at(asker.from) || is_at(&asker.roots.project)))
}

/// The end of a worktree's name behind a separator, as narrow lists show it: `tokens` for `ferry-tokens`.
fn ends_tree(tree: &str, root: &Path) -> bool {
    let root = root.file_name().unwrap_or_default().to_string_lossy();
    let before = root.strip_suffix(tree).filter(|_| !tree.is_empty());
    before.is_some_and(|before| before.ends_with(SEPARATORS))
}

/// What stands between the words of a directory's name.
const SEPARATORS: [char; 3] = ['-', '_', '.'];

/// See [`super::apart`].
pub(super) fn apart<'a>(worktree: &'a str, project: &str) -> &'a str {
    let mut ends = worktree.match_indices(SEPARATORS).map(|(at, separator)| (at, at + separator.len()));
    let is_shared =
        |&(at, end): &(usize, usize)| worktree[..at] == *project || project.starts_with(&worktree[..end]);
    let rest = ends.rfind(is_shared).map(|(_, end)| &worktree[end..]);
    rest.filter(|rest| !rest.is_empty()).unwrap_or(worktree)
}

/// The rows of one file, by its path in any spelling, from where the person stands, else below the project; then what
/// was put away from there.
fn of_path(name: &str, asker: &Asker<'_>, rows: &[Arc<Listed>]) -> Vec<Arc<Listed>> {
    let here = plain(&asker.from.join(name));
    let found = by_path(&here, rows);
    if !found.is_empty() {
        return found;
    }
    let places = [here, plain(&asker.roots.project.join(name))];
    let was_there = |place: &PathBuf| {
        let was = |row: &&Arc<Listed>| row.origin.as_ref() == Some(place);
        rows.iter().filter(was).cloned().collect::<Vec<_>>()
    };
    places.iter().map(was_there).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The rows of one file; a folded copy's path names the row that stands for it.
fn by_path(path: &Path, rows: &[Arc<Listed>]) -> Vec<Arc<Listed>> {
    let matching =
        |fits: &dyn Fn(&Listed) -> bool| rows.iter().filter(|row| fits(row)).cloned().collect::<Vec<_>>();
    let spelled = matching(&|row| row.path == path || row.twins.iter().any(|twin| twin == path));
    if !spelled.is_empty() {
        return spelled;
    }
    match disk::kind(path) {
        Ok((disk::Kind::File, id)) => matching(&|row| row.file == id),
        _ => Vec::new(),
    }
}

/// Without `.` parts, and without `..` where nothing but names stands before it.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// The path below its root, as lists show it, wherever the person stands.
fn is_below(name: &str, seen: &Seen<'_>) -> bool {
    let is = |path: &Path| path == Path::new(name);
    seen.below.is_some_and(is) || seen.row.state != State::Trashed && is(&seen.row.relative)
}

/// The name of a dated file with or without its ending: `260921-seed`.
fn is_dated(name: &str, seen: &Seen<'_>) -> bool {
    let stem = seen.was.file_stem().unwrap_or_default().to_string_lossy();
    slug(&stem).is_some() && is_file(name, seen)
}

/// The name of any file, with or without its ending.
fn is_file(name: &str, seen: &Seen<'_>) -> bool {
    is_stem(name, seen) || seen.was.file_name().is_some_and(|file| file == name)
}

/// The name of any file without its ending.
fn is_stem(name: &str, seen: &Seen<'_>) -> bool {
    seen.was.file_stem().is_some_and(|stem| stem == name)
}

/// The whole slug of a dated file, in any case: `login` for `2026-11-29-login.md`.
fn is_slug(name: &str, seen: &Seen<'_>) -> bool {
    let stem = seen.was.file_stem().unwrap_or_default().to_string_lossy();
    slug(&stem).is_some_and(|slug| slug.to_lowercase() == name.to_lowercase())
}

/// What stands behind the date in a dated name: `YYMMDD-`, `YYYYMMDD-` or `YYYY-MM-DD-`.
fn slug(stem: &str) -> Option<&str> {
    let is_number = |part: &str, digits: &[usize]| {
        digits.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (date, rest) = stem.split_once('-')?;
    let slug = if is_number(date, &[6, 8]) {
        rest
    } else {
        let (month, rest) = rest.split_once('-')?;
        let (day, rest) = rest.split_once('-')?;
        (is_number(date, &[4]) && is_number(month, &[2]) && is_number(day, &[2])).then_some(rest)?
    };
    (!slug.is_empty()).then_some(slug)
}

/// The name that a trashed file has in the trash, with or without its ending.
fn is_stored(name: &str, seen: &Seen<'_>) -> bool {
    let path = &seen.row.path;
    seen.row.state == State::Trashed
        && (path.file_stem().is_some_and(|stem| stem == name)
            || path.file_name().is_some_and(|file| file == name))
}

fn is_id(name: &str, seen: &Seen<'_>) -> bool {
    seen.row.id == name
}

fn is_record(name: &str, seen: &Seen<'_>) -> bool {
    seen.row.handoff.record_id.as_ref().is_some_and(|record| record.as_str() == name)
}

/// A record by its day and the beginning of its id, as the screen shows it, or by `path#id`, as lists do.
fn is_shown_record(name: &str, seen: &Seen<'_>) -> bool {
    let row = seen.row;
    let record = row.handoff.record_id.as_ref();
    let begins = |start: &str| {
        start.len() >= SHORTEST_PREFIX && record.is_some_and(|record| record.as_str().starts_with(start))
    };
    let of_day = |(day, start): (&str, &str)| {
        let stem = row.path.file_stem().unwrap_or_default().to_string_lossy();
        !day.is_empty() && stem.starts_with(day) && begins(start)
    };
    let is_path = |path: &str| is_below(path, seen) || row.path == Path::new(path);
    let of_file = |(path, start): (&str, &str)| is_path(path) && begins(start);
    name.split_once(' ').is_some_and(of_day) || name.rsplit_once('#').is_some_and(of_file)
}

/// The folder that it lies in, by its name or its path below the root: `.thunderkit`.
fn is_folder(name: &str, seen: &Seen<'_>) -> bool {
    let folder = seen.below.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
    folder.is_some_and(|folder| {
        folder == Path::new(name) || folder.file_name().is_some_and(|last| last == name)
    })
}

/// A part of the file's stem, in any case: no name, but what somebody may have meant.
fn is_part_of_stem(name: &str, seen: &Seen<'_>) -> bool {
    let stem = seen.was.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    stem.contains(&name.to_lowercase())
}

fn begins_id(name: &str, seen: &Seen<'_>) -> bool {
    name.len() >= SHORTEST_PREFIX && seen.row.id.starts_with(name)
}

fn begins_record(name: &str, seen: &Seen<'_>) -> bool {
    let record = seen.row.handoff.record_id.as_ref();
    name.len() >= SHORTEST_PREFIX && record.is_some_and(|record| record.as_str().starts_with(name))
}

/// The plan directory that it lies in, or lay in.
fn plan_of(seen: &Seen<'_>) -> Option<String> {
    let folder = seen.was.parent()?.file_name()?;
    (seen.row.scope == Scope::Plan).then(|| folder.to_string_lossy().into_owned())
}

/// The whole name of its plan's directory.
fn is_plan(name: &str, seen: &Seen<'_>) -> bool {
    plan_of(seen).is_some_and(|plan| plan == name)
}

/// A part of that, in any case.
fn is_part_of_plan(name: &str, seen: &Seen<'_>) -> bool {
    plan_of(seen).is_some_and(|plan| plan.to_lowercase().contains(&name.to_lowercase()))
}
