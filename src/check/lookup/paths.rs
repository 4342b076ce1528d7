//! What lies at the paths that a text names, and what became of those that are not there.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use super::super::claims::{self, Kind, Mention, Sense, Tone};
use super::super::evidence::Seen;
use super::super::survey::Survey;
use super::{Found, STILL};
use crate::disk::{self, Beneath, DiskError};
use crate::handoff::{Inert, RelPath};
use crate::repo::{Asking, Head, PathFate};

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
    /// Nothing; the paths from the project's root that may be meant.
    Nothing(Vec<Inert>),
    /// It is no path of this project, and why.
    Elsewhere(&'static str),
    Unknown(String),
}

impl Fates {
    /// Looks at the paths among what is named.
    pub fn of(survey: &Survey<'_>, mentions: &[Mention], head: &Seen<Head>) -> Self {
        // A text that says where it lies says nothing that could be wrong.
        let own = &survey.row.relative;
        let is_own = |mention: &Mention| {
            let text = Path::new(mention.text.raw());
            !mention.sure && (text == own || own.file_name().is_some_and(|name| text == Path::new(name)))
        };
        let paths = mentions.iter().filter(|mention| mention.kind == Kind::Path && !is_own(mention));
        let ground = Ground::of(survey);
        let spots: HashMap<Inert, Spot> =
            paths.clone().map(|mention| (mention.text.clone(), ground.spot(mention))).collect();
        let missing: Vec<Inert> = paths
            .filter_map(|mention| match spots.get(&mention.text) {
                Some(Spot::Nothing(paths)) if mention.sure || ground.is_likely(mention.text.raw()) => {
                    Some(paths.clone())
                }
                _ => None,
            })
            .flatten()
            .collect();
        if missing.is_empty() {
            return Self { spots, missing, fates: Ok(Vec::new()) };
        }
        let fates = match (&survey.asking, head.value().and_then(Head::commit)) {
            (Ok(asking), Some(_)) => {
                let paths = from_repository_root(ground.root, asking.root(), &missing);
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
            return self.gone(spot, mention);
        }
        Some(match spot {
            Spot::Nothing(paths) => {
                let fate = self.fate(mention, paths);
                // What is built or fetched comes and goes.
                let is_claim = fate.holds.is_some() || !claims::is_built(text);
                return is_claim.then_some(fate);
            }
            // A guess is right where such a thing lies there, and says nothing of its kind.
            Spot::File | Spot::Directory if !mention.sure => Found::holds("holds"),
            _ if !mention.sure => return None,
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
    fn gone(&self, spot: &Spot, mention: &Mention) -> Option<Found> {
        Some(match spot {
            Spot::Nothing(paths) => match self.history(paths) {
                Ok(PathFate::There) => Found::fails(STILL),
                Ok(PathFate::Gone { .. }) => Found::holds("holds: gone"),
                Ok(PathFate::NeverSeen) | Err(_) if !mention.sure => return None,
                Ok(PathFate::NeverSeen) | Err(_) if is_bare(mention.text.raw()) => Found::told(BARE),
                Ok(PathFate::NeverSeen) | Err(_) => Found::holds("holds: not there"),
            },
            Spot::File | Spot::Directory | Spot::Other | Spot::Dangling => Found::fails(STILL),
            Spot::Outside => Found::unknown("leads out of the project: not compared"),
            Spot::Elsewhere(why) => Found::told(format!("not compared: {why}")),
            Spot::Unknown(why) => Found::unknown(format!("unknown: {why}")),
        })
    }

    fn fate(&self, mention: &Mention, paths: &[Inert]) -> Found {
        let fate = match self.history(paths) {
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

    /// What became of what may be meant, where nothing lies at either path: the first that the history knows.
    fn history(&self, paths: &[Inert]) -> Result<&PathFate, &str> {
        let fates = self.fates.as_ref().map_err(String::as_str)?;
        let fate = |path: &Inert| {
            let index = self.missing.iter().position(|missing| missing == path);
            index.and_then(|index| fates.get(index))
        };
        let known = paths.iter().filter_map(fate).find(|fate| **fate != PathFate::NeverSeen);
        Ok(known.unwrap_or(&PathFate::NeverSeen))
    }
}

/// What is said of a bare file name that is neither at the root nor beside the text: it may mean a file anywhere.
const BARE: &str =
    "not compared: a name without a directory, and no such file at the root or beside this text";

fn is_bare(text: &str) -> bool {
    !text.contains('/')
}

/// The directory that the named paths are looked for beneath.
struct Ground<'a> {
    survey: &'a Survey<'a>,
    root: &'a Path,
    /// It opened, where it is not the one that the survey has open.
    beneath: Option<Result<Beneath, DiskError>>,
    /// The handoff's own root in it: a part of a project may have handoffs of its own.
    own: PathBuf,
}

impl<'a> Ground<'a> {
    /// The project's root, where the handoff's own one is a directory of the same worktree; else the handoff's own one.
    fn of(survey: &'a Survey<'a>) -> Self {
        let project = survey.examiner.project();
        let own = survey.root.strip_prefix(project).ok().filter(|own| !own.as_os_str().is_empty());
        let is_one = |asking: &Asking| !asking.root().starts_with(survey.root);
        match own.filter(|_| survey.asking.as_ref().is_ok_and(is_one)) {
            Some(own) => {
                Self { survey, root: project, beneath: Some(Beneath::open(project)), own: own.to_owned() }
            }
            None => Self { survey, root: survey.root, beneath: None, own: PathBuf::new() },
        }
    }

    /// What lies at a named path: from the root, from the directory that a heading above it names, or from the
    /// handoff's own.
    fn spot(&self, mention: &Mention) -> Spot {
        let text = mention.text.raw();
        let home = self.own.join(self.survey.row.relative.parent().unwrap_or(Path::new("")));
        let below = mention.below.as_ref().map(|directory| Path::new(directory.raw()).join(text));
        let mut asked = if below.is_some() { 2 } else { 1 };
        let candidates = match self.outer(&home, text) {
            Some(Ok(path)) => vec![path],
            Some(Err(why)) => return Spot::Elsewhere(why),
            None => {
                let nested = (!self.own.as_os_str().is_empty()).then(|| self.own.join(text));
                asked += usize::from(nested.is_some());
                [nested, Some(PathBuf::from(text)), below, Some(home.join(text))]
                    .into_iter()
                    .flatten()
                    .collect()
            }
        };
        // Where nothing lies, the history is not asked of every candidate: for each that it never saw, it has to be
        // walked to its end.
        let (mut nothing, mut looked_at) = (Vec::new(), 0);
        for candidate in candidates {
            let candidate = candidate.to_string_lossy();
            let Ok(path) = RelPath::parse(candidate.trim_end_matches('/')) else { continue };
            looked_at += 1;
            match self.kind(&path) {
                Spot::Nothing(_) if looked_at <= asked => nothing.push(candidate.as_ref().into()),
                Spot::Nothing(_) => {}
                spot => return spot,
            }
        }
        if nothing.is_empty() {
            return Spot::Unknown("it is no path in this project".to_owned());
        }
        Spot::Nothing(nothing)
    }

    fn kind(&self, path: &RelPath) -> Spot {
        match self.lying(path) {
            Ok(disk::Kind::File) => Spot::File,
            Ok(disk::Kind::Directory) => Spot::Directory,
            Ok(disk::Kind::Other) => Spot::Other,
            Err(DiskError::Escapes(_)) => Spot::Outside,
            Err(DiskError::NotFound(_)) if self.root.join(path.as_path()).is_symlink() => Spot::Dangling,
            Err(DiskError::NotFound(_) | DiskError::NotAFile(_)) => Spot::Nothing(Vec::new()),
            Err(why) => Spot::Unknown(why.to_string()),
        }
    }

    fn lying(&self, path: &RelPath) -> Result<disk::Kind, DiskError> {
        match &self.beneath {
            Some(beneath) => {
                beneath.as_ref().map_err(Clone::clone).and_then(|beneath| Ok(beneath.kind(path)?.0))
            }
            None => self.survey.kind(path),
        }
    }

    /// Whether a guess is worth asking the history: it has a directory, and ends like a file or begins with a directory
    /// that is there. Without that, every `and/or` would be looked for through all of it.
    fn is_likely(&self, text: &str) -> bool {
        let Some((first, _)) = text.split_once('/') else { return false };
        claims::names_a_file(text)
            || RelPath::parse(first)
                .is_ok_and(|first| matches!(self.lying(&first), Ok(disk::Kind::Directory)))
    }

    /// An absolute path, or one with `..` in it, as a path from the root; why it is none.
    fn outer(&self, home: &Path, text: &str) -> Option<Result<PathBuf, &'static str>> {
        let climbs = text.split('/').any(|part| part == "..");
        let below_home = ["~/", "$HOME/"].iter().find_map(|begin| text.strip_prefix(begin));
        let absolute = match below_home {
            Some(below) => match &self.survey.examiner.around().home {
                Some(home) => Some(home.join(below)),
                None => return Some(Err("the home directory is not known")),
            },
            None => text.starts_with('/').then(|| PathBuf::from(text)),
        };
        if let Some(absolute) = absolute {
            let absolute = lexical(Path::new("/"), &absolute)?;
            let real = self.root.canonicalize();
            let roots = [Some(self.root), real.as_deref().ok()];
            let inside = roots.into_iter().flatten().find_map(|root| absolute.strip_prefix(root).ok());
            let outside = "an absolute path outside this project";
            return Some(inside.map(|path| with_slash(path, text)).ok_or(outside));
        }
        climbs.then(|| {
            let path = lexical(home, Path::new(text));
            path.map(|path| with_slash(&path, text)).ok_or("it leads out of this project")
        })
    }
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
fn from_repository_root(root: &Path, top: &Path, paths: &[Inert]) -> Vec<Inert> {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
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
