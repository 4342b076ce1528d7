//! What lies at the paths that a text names, and what became of those that are not there.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use super::super::claims::{self, Kind, Mention, Sense, Tone};
use super::super::evidence::Seen;
use super::super::survey::Survey;
use super::{Found, STILL};
use crate::disk::{self, DiskError};
use crate::handoff::{Inert, RelPath};
use crate::repo::{Head, PathFate};

/// How many commits are looked through for what became of a path.
const BUDGET: usize = 10_000;

/// The named paths, what lies there, and what became of those where nothing lies, by one walk through the history.
pub(super) struct Fates {
    spots: HashMap<Inert, Spot>,
    /// The paths from the project's root where nothing lies.
    missing: Vec<Inert>,
    fates: Result<Vec<PathFate>, String>,
}

/// What lies at a named path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Spot {
    File,
    Directory,
    /// A FIFO, a socket or a device.
    Other,
    /// A link, and where it leads to is not in the project.
    Outside,
    /// A link to nothing.
    Dangling,
    /// Nothing; the path from the project's root.
    Nothing(Inert),
    /// It is no path of this project, and why.
    Elsewhere(&'static str),
    Unknown(String),
}

impl Fates {
    /// Looks at the paths among what is named.
    pub fn of(survey: &Survey<'_>, mentions: &[Mention], head: &Seen<Head>) -> Self {
        let paths = mentions.iter().filter(|mention| mention.kind == Kind::Path);
        let spots: HashMap<Inert, Spot> =
            paths.clone().map(|mention| (mention.text.clone(), spot(survey, mention))).collect();
        let missing: Vec<Inert> = paths
            .filter_map(|mention| match spots.get(&mention.text) {
                Some(Spot::Nothing(path)) => Some(path.clone()),
                _ => None,
            })
            .collect();
        if missing.is_empty() {
            return Self { spots, missing, fates: Ok(Vec::new()) };
        }
        let fates = match (&survey.asking, head.value().and_then(Head::commit)) {
            (Ok(asking), Some(_)) => {
                let paths = from_repository_root(survey, asking.root(), &missing);
                asking.fates_of_missing(&paths, BUDGET).map_err(|why| why.to_string())
            }
            (Err(why), _) => Err(why.to_string()),
            (_, None) => Err("no commit to look through".to_owned()),
        };
        Self { spots, missing, fates }
    }

    /// Whether what is said of a path holds.
    pub fn found(&self, mention: &Mention) -> Option<Found> {
        let text = mention.text.raw();
        let spot = self.spots.get(&mention.text)?;
        if mention.sense == Sense::Gone {
            return Some(self.gone(spot, text));
        }
        Some(match spot {
            Spot::Nothing(path) => self.fate(mention, path),
            Spot::File if text.ends_with('/') => Found::fails("a file, where the text names a directory"),
            Spot::Directory if claims::names_a_file(text) => {
                Found::fails("a directory, where the text names a file")
            }
            Spot::File => Found::holds("holds"),
            Spot::Directory if text.ends_with('/') => Found::holds("holds"),
            Spot::Directory => Found::holds("holds: a directory"),
            Spot::Other => Found::fails("neither a file nor a directory"),
            Spot::Dangling => Found::fails("a link to nothing"),
            Spot::Outside => Found::unknown("leads out of the project: not compared"),
            Spot::Elsewhere(why) => Found::told(format!("not compared: {why}")),
            Spot::Unknown(why) => Found::unknown(format!("unknown: {why}")),
        })
    }

    /// What was said to be deleted must not be there.
    fn gone(&self, spot: &Spot, text: &str) -> Found {
        match spot {
            Spot::Nothing(path) => match self.history(path) {
                Ok(PathFate::There) => Found::fails(STILL),
                Ok(PathFate::Gone { .. }) => Found::holds("holds: gone"),
                Ok(PathFate::NeverSeen) | Err(_) if is_bare(text) => Found::told(BARE),
                Ok(PathFate::NeverSeen) | Err(_) => Found::holds("holds: not there"),
            },
            Spot::File | Spot::Directory | Spot::Other | Spot::Dangling => Found::fails(STILL),
            Spot::Outside => Found::unknown("leads out of the project: not compared"),
            Spot::Elsewhere(why) => Found::told(format!("not compared: {why}")),
            Spot::Unknown(why) => Found::unknown(format!("unknown: {why}")),
        }
    }

    fn fate(&self, mention: &Mention, path: &Inert) -> Found {
        let fate = match self.history(path) {
            Ok(fate) => fate,
            Err(why) => return Found::unknown(format!("not there; its history is unknown: {why}")),
        };
        match fate {
            // Only what git leaves out of the worktree on purpose counts as there without lying there.
            PathFate::There => Found::holds("holds: left out of the worktree by git"),
            PathFate::Gone { renamed_to: Some(name) } => {
                Found::fails(format!("gone (renamed to {})", name.shown_line()))
            }
            PathFate::Gone { renamed_to: None } => Found::fails("gone"),
            PathFate::NeverSeen if mention.tone == Tone::Planned => Found::planned(),
            PathFate::NeverSeen if mention.tone != Tone::Listed && is_bare(mention.text.raw()) => {
                Found::told(BARE)
            }
            PathFate::NeverSeen => Found::unknown("neither here nor in the history that was looked through"),
        }
    }

    /// What became of a path where nothing lies.
    fn history(&self, path: &Inert) -> Result<&PathFate, &str> {
        let fates = self.fates.as_ref().map_err(String::as_str)?;
        let index = self.missing.iter().position(|missing| missing == path);
        Ok(index.and_then(|index| fates.get(index)).unwrap_or(&PathFate::NeverSeen))
    }
}

/// What is said of a bare file name that is neither at the root nor beside the text: it may mean a file anywhere.
const BARE: &str =
    "not compared: a name without a directory, and no such file at the root or beside this text";

fn is_bare(text: &str) -> bool {
    !text.contains('/')
}

/// What lies at a named path, from the root or else from the handoff's own directory.
fn spot(survey: &Survey<'_>, mention: &Mention) -> Spot {
    let text = mention.text.raw();
    let beside = || survey.row.relative.parent().map(|parent| parent.join(text));
    let candidates = match outer(survey, text) {
        Some(Ok(path)) => vec![path],
        Some(Err(why)) => return Spot::Elsewhere(why),
        None => [Some(PathBuf::from(text)), beside()].into_iter().flatten().collect(),
    };
    let mut nothing = None;
    for candidate in candidates {
        let candidate = candidate.to_string_lossy();
        let Ok(path) = RelPath::parse(candidate.trim_end_matches('/')) else { continue };
        let spot = match survey.kind(&path) {
            Ok(disk::Kind::File) => Spot::File,
            Ok(disk::Kind::Directory) => Spot::Directory,
            Ok(disk::Kind::Other) => Spot::Other,
            Err(DiskError::Escapes(_)) => Spot::Outside,
            Err(DiskError::NotFound(_)) if survey.root.join(path.as_path()).is_symlink() => Spot::Dangling,
            Err(DiskError::NotFound(_) | DiskError::NotAFile(_)) => Spot::Nothing(candidate.as_ref().into()),
            Err(why) => Spot::Unknown(why.to_string()),
        };
        match spot {
            Spot::Nothing(_) => _ = nothing.get_or_insert(spot),
            spot => return spot,
        }
    }
    nothing.unwrap_or_else(|| Spot::Unknown("it is no path in this project".to_owned()))
}

/// An absolute path, or one with `..` in it, as a path from the project's root; why it is none.
fn outer(survey: &Survey<'_>, text: &str) -> Option<Result<PathBuf, &'static str>> {
    let climbs = text.split('/').any(|part| part == "..");
    let below_home = ["~/", "$HOME/"].iter().find_map(|begin| text.strip_prefix(begin));
    let absolute = match below_home {
        Some(below) => match &survey.examiner.around().home {
            Some(home) => Some(home.join(below)),
            None => return Some(Err("the home directory is not known")),
        },
        None => text.starts_with('/').then(|| PathBuf::from(text)),
    };
    if let Some(absolute) = absolute {
        let absolute = lexical(Path::new("/"), &absolute)?;
        let real = survey.root.canonicalize();
        let roots = [Some(survey.root), real.as_deref().ok()];
        let inside = roots.into_iter().flatten().find_map(|root| absolute.strip_prefix(root).ok());
        let outside = "an absolute path outside this project";
        return Some(inside.map(|path| with_slash(path, text)).ok_or(outside));
    }
    climbs.then(|| {
        let beside = survey.row.relative.parent().unwrap_or(Path::new(""));
        let path = lexical(beside, Path::new(text));
        path.map(|path| with_slash(&path, text)).ok_or("it leads out of this project")
    })
}

/// A path with the end that says that it is a directory, where the text has it.
fn with_slash(path: &Path, text: &str) -> PathBuf {
    if path.as_os_str().is_empty() {
        return PathBuf::from(".");
    }
    if text.ends_with('/') { path.join("") } else { path.to_owned() }
}

/// A path taken from a directory, `.` and `..` resolved by name; `None` where it leads out at the top.
fn lexical(from: &Path, path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for part in from.components().chain(path.components()) {
        match part {
            Component::ParentDir if !out.pop() => return None,
            Component::ParentDir | Component::CurDir => {}
            Component::RootDir => out = PathBuf::from("/"),
            part => out.push(part),
        }
    }
    Some(out)
}

/// Paths of the project as paths of its repository.
fn from_repository_root(survey: &Survey<'_>, top: &Path, paths: &[Inert]) -> Vec<Inert> {
    let root = survey.root.canonicalize().unwrap_or_else(|_| survey.root.to_owned());
    let Some(prefix) = root.strip_prefix(top).ok().filter(|p| p.components().next().is_some()) else {
        return paths.to_vec();
    };
    let plain = prefix.components().all(|part| matches!(part, Component::Normal(_)));
    let prefix = prefix.to_string_lossy();
    paths
        .iter()
        .map(|path| if plain { format!("{prefix}/{}", path.raw()).into() } else { path.clone() })
        .collect()
}
