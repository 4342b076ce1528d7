//! Looks up what a text names: does it still hold?

use std::collections::HashMap;
use std::path::{Component, Path};

use super::claims::{self, Kind, Mention, Named, Tone};
use super::evidence::Seen;
use super::plan;
use super::report::Claim;
use super::survey::Survey;
use crate::disk::{self, DiskError};
use crate::handoff::{self, BranchName, Handoff, Inert, Record, RelPath, Revision};
use crate::repo::{BranchState, Head, PathFate, Relation, Repo};

/// How many commits are looked through for what became of a path.
const BUDGET: usize = 300;

/// What is said of a path that a next step may be about to make.
const PLANNED: &str = "planned";

/// Everything that the handoff's lines name, looked up; beside it a sentence where not all of them were looked at.
pub(super) fn claims(survey: &Survey<'_>, text: &str, head: &Seen<Head>) -> (Vec<Claim>, Option<Inert>) {
    if !survey.is_about_here {
        return (Vec::new(), None);
    }
    let named = match &survey.handoff.record {
        // A record's text stands in a fence; its paths have a field of their own.
        Record::Memtomem(record) => {
            let line = survey.handoff.fields.line_of("changed_files").unwrap_or(survey.handoff.lines.0);
            let paths = record.changed_files.iter().filter(|path| claims::as_path(path.raw()).is_some());
            let tone = Tone::Listed;
            let mention =
                |path: &Inert| Mention { kind: Kind::Path, text: path.clone(), line, tone, sure: true };
            let mut mentions: Vec<Mention> = paths.map(mention).collect();
            let cut = mentions.len() > claims::MOST;
            mentions.truncate(claims::MOST);
            Named { mentions, cut }
        }
        _ => named(survey.handoff, text),
    };
    let fates = Fates::of(survey, &named.mentions, head);
    let mut found: Vec<Claim> =
        named.mentions.iter().filter_map(|mention| look_up(survey, mention, head, &fates)).collect();
    found.extend(plan::vanished(survey, text));
    let cut = "it names more than is looked up: only what it names first was compared";
    (found, named.cut.then(|| cut.into()))
}

/// What the text names, and what stands in the lists of files of a data file.
fn named(handoff: &Handoff, text: &str) -> Named {
    let mut named = claims::find(text, handoff.lines, || handoff::planned_lines(text, handoff));
    for file in handoff::listed_files(handoff) {
        let Some(path) = claims::as_listed_path(file.text.raw()) else { continue };
        if named.mentions.len() >= claims::MOST {
            named.cut = true;
            break;
        }
        // Data does not keep its lines: the first one that has these words is theirs.
        let line = text.find(path).map_or(1, |at| line_at(text, at));
        let tone = if file.planned { Tone::Planned } else { Tone::Listed };
        let mention = Mention { kind: Kind::Path, text: path.into(), line, tone, sure: true };
        claims::add(&mut named.mentions, mention);
    }
    named
}

/// The number (from 1) of the line that a place in a text is on.
fn line_at(text: &str, at: usize) -> u32 {
    let breaks = text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
    u32::try_from(breaks).map_or(u32::MAX, |breaks| breaks.saturating_add(1))
}

fn look_up(survey: &Survey<'_>, mention: &Mention, head: &Seen<Head>, fates: &Fates) -> Option<Claim> {
    let (state, holds) = match mention.kind {
        Kind::Path => fates.state(mention)?,
        Kind::Commit => commit(survey, mention, head)?,
        Kind::Branch => branch(survey, mention)?,
        Kind::Tag => tag(survey, mention)?,
        Kind::Issue => ("not asked: its state lies on the network".to_owned(), None),
    };
    let (kind, text) = (mention.kind.as_str(), mention.text.clone());
    let counts = mention.kind != Kind::Issue && state != PLANNED;
    Some(Claim { kind, text, line: mention.line, state: state.into(), holds, counts })
}

type State = (String, Option<bool>);

fn commit(survey: &Survey<'_>, mention: &Mention, head: &Seen<Head>) -> Option<State> {
    let revision = Revision::parse(mention.text.raw()).ok()?;
    let (Ok(repo), Some(now)) = (&survey.repo, head.value().and_then(Head::commit)) else {
        return Some(("unknown: no repository to ask".to_owned(), None));
    };
    Some(match survey.examiner.relation(repo, now.as_str(), &revision) {
        Ok(Relation::Same | Relation::Ahead { .. }) => ("holds".to_owned(), Some(true)),
        Ok(Relation::Diverged { .. }) => ("unreachable: not in HEAD's history".to_owned(), Some(false)),
        // Digits that nothing beside them calls a commit are something else, then.
        Ok(Relation::Missing | Relation::NotACommit) if !mention.sure => return None,
        Ok(Relation::Missing) => ("unreachable: no such commit here".to_owned(), Some(false)),
        Ok(Relation::NotACommit) => ("not a commit".to_owned(), Some(false)),
        Ok(Relation::Ambiguous) => ("unknown: fits several objects".to_owned(), None),
        Err(why) => (format!("unknown: {why}"), None),
    })
}

fn branch(survey: &Survey<'_>, mention: &Mention) -> Option<State> {
    let name = BranchName::parse(mention.text.raw()).ok()?;
    Some(match ask(survey, |repo| repo.branch(&name)) {
        Ok(BranchState::Local(_)) => ("holds".to_owned(), Some(true)),
        Ok(BranchState::RemoteOnly(_)) => ("only on the remote".to_owned(), Some(true)),
        Ok(BranchState::Gone { .. }) if mention.tone == Tone::Planned => (PLANNED.to_owned(), None),
        Ok(BranchState::Gone { merged_into: Some(into) }) => {
            (format!("gone (merged into {into})"), Some(false))
        }
        Ok(BranchState::Gone { merged_into: None }) => ("gone".to_owned(), Some(false)),
        Err(why) => (format!("unknown: {why}"), None),
    })
}

fn tag(survey: &Survey<'_>, mention: &Mention) -> Option<State> {
    let name = BranchName::parse(mention.text.raw()).ok()?;
    Some(match ask(survey, |repo| repo.has_tag(&name)) {
        Ok(true) => ("holds".to_owned(), Some(true)),
        Ok(false) if mention.tone == Tone::Planned => (PLANNED.to_owned(), None),
        Ok(false) => ("no such tag here".to_owned(), Some(false)),
        Err(why) => (format!("unknown: {why}"), None),
    })
}

fn ask<T>(
    survey: &Survey<'_>,
    question: impl FnOnce(&Repo) -> Result<T, crate::repo::RepoError>,
) -> Result<T, crate::repo::RepoError> {
    survey.repo.clone().and_then(|repo| question(&repo))
}

/// What lies at the paths that are named, and what became of those that are not there, by one walk through the
/// history.
struct Fates {
    spots: HashMap<Inert, Spot>,
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
    Nothing,
    Unknown(String),
}

impl Fates {
    fn of(survey: &Survey<'_>, mentions: &[Mention], head: &Seen<Head>) -> Self {
        let paths = mentions.iter().filter(|mention| mention.kind == Kind::Path);
        let spots: HashMap<Inert, Spot> =
            paths.clone().map(|mention| (mention.text.clone(), spot(survey, mention))).collect();
        let missing: Vec<Inert> = paths
            .filter(|mention| spots.get(&mention.text) == Some(&Spot::Nothing))
            .map(|mention| mention.text.clone())
            .collect();
        if missing.is_empty() {
            return Self { spots, missing, fates: Ok(Vec::new()) };
        }
        let now = head.value().and_then(Head::commit).map(|id| id.as_str().to_owned());
        let fates = match (&survey.repo, now) {
            (Ok(repo), Some(now)) => {
                let key = (repo.root().to_owned(), now, missing.clone());
                let ask = || repo.fates(&from_repository_root(survey, repo, &missing), BUDGET);
                survey.examiner.cache.fates.get(key, ask).map_err(|why| why.to_string())
            }
            (Err(why), _) => Err(why.to_string()),
            (_, None) => Err("no commit to look through".to_owned()),
        };
        Self { spots, missing, fates }
    }

    fn state(&self, mention: &Mention) -> Option<State> {
        let text = mention.text.raw();
        let said = |state: &str, holds| Some((state.to_owned(), holds));
        match self.spots.get(&mention.text).unwrap_or(&Spot::Nothing) {
            Spot::Nothing => self.fate(mention),
            Spot::File if text.ends_with('/') => {
                said("a file, where the text names a directory", Some(false))
            }
            Spot::Directory if claims::names_a_file(text) => {
                said("a directory, where the text names a file", Some(false))
            }
            Spot::File => said("holds", Some(true)),
            Spot::Directory if text.ends_with('/') => said("holds", Some(true)),
            Spot::Directory => said("holds: a directory", Some(true)),
            Spot::Other => said("neither a file nor a directory", Some(false)),
            Spot::Dangling => said("a link to nothing", Some(false)),
            Spot::Outside => said("leads out of the project: not compared", None),
            Spot::Unknown(why) => Some((format!("unknown: {why}"), None)),
        }
    }

    fn fate(&self, mention: &Mention) -> Option<State> {
        let index = self.missing.iter().position(|path| path == &mention.text)?;
        let fate = match &self.fates {
            Ok(fates) => fates.get(index),
            Err(why) => return Some((format!("not there; its history is unknown: {why}"), None)),
        };
        match fate {
            // Only what git leaves out of the worktree on purpose counts as there without lying there.
            Some(PathFate::There) => Some(("holds: left out of the worktree by git".to_owned(), Some(true))),
            Some(PathFate::Gone { renamed_to: Some(name) }) => {
                Some((format!("gone (renamed to {})", name.shown_line()), Some(false)))
            }
            Some(PathFate::Gone { renamed_to: None }) => Some(("gone".to_owned(), Some(false))),
            Some(PathFate::NeverSeen) | None if mention.tone == Tone::Planned => {
                Some((PLANNED.to_owned(), None))
            }
            // A bare file name that never was at the root means a file elsewhere: no claim about this project.
            Some(PathFate::NeverSeen) | None
                if mention.tone != Tone::Listed && !mention.text.raw().contains('/') =>
            {
                None
            }
            Some(PathFate::NeverSeen) | None => {
                Some(("neither here nor in the history that was looked through".to_owned(), None))
            }
        }
    }
}

/// What lies at a named path, from the root or else from the handoff's own directory.
fn spot(survey: &Survey<'_>, mention: &Mention) -> Spot {
    let beside = survey.row.relative.parent().map(|parent| parent.join(mention.text.raw()));
    let beside = beside.as_deref().and_then(Path::to_str).map(str::to_owned);
    let candidates = [Some(mention.text.raw().to_owned()), beside];
    let mut first = None;
    for candidate in candidates.into_iter().flatten() {
        let Ok(path) = RelPath::parse(candidate.trim_end_matches('/')) else { continue };
        let spot = match survey.kind(&path) {
            Ok(disk::Kind::File) => Spot::File,
            Ok(disk::Kind::Directory) => Spot::Directory,
            Ok(disk::Kind::Other) => Spot::Other,
            Err(DiskError::Escapes(_)) => Spot::Outside,
            Err(DiskError::NotFound(_)) if survey.root.join(path.as_path()).is_symlink() => Spot::Dangling,
            Err(DiskError::NotFound(_) | DiskError::NotAFile(_)) => Spot::Nothing,
            Err(why) => Spot::Unknown(why.to_string()),
        };
        if spot != Spot::Nothing {
            return spot;
        }
        first.get_or_insert(spot);
    }
    first.unwrap_or_else(|| Spot::Unknown("it is no path in this project".to_owned()))
}

/// Paths of the project as paths of its repository.
fn from_repository_root(survey: &Survey<'_>, repo: &Repo, paths: &[Inert]) -> Vec<Inert> {
    let root = survey.root.canonicalize().unwrap_or_else(|_| survey.root.to_owned());
    let Some(prefix) = root.strip_prefix(repo.root()).ok().filter(|p| p.components().next().is_some()) else {
        return paths.to_vec();
    };
    let plain = prefix.components().all(|part| matches!(part, Component::Normal(_)));
    let prefix = prefix.to_string_lossy();
    paths
        .iter()
        .map(|path| if plain { format!("{prefix}/{}", path.raw()).into() } else { path.clone() })
        .collect()
}
