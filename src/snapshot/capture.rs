//! A capture: everything looked at first, nothing written; then, with a person's yes, objects, and the manifest
//! last.
//!
//! The project is only read. Files that change in between are read anew and looked through for secrets anew; what
//! is kept is always what was looked through.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use chrono::DateTime;

use super::manifest::{Context, FileEntry, History, Identity, Manifest, Omission, Parts};
use super::places::{Named, Places};
use super::sources::{self, Found, Rules};
use super::store::Snapshot;
use super::writer::Writer;
use super::{Refused, Secret, limits};
use crate::disk::{Kind, Lock};
use crate::handoff::age::Clock;
use crate::handoff::{Digest, Inert, RelPath};
use crate::place::{self, Roots};
use crate::repo::{self, Person, Repo, RepoError};

/// What a person asks for. Every path is literal and absolute.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The project.
    pub project_root: &'a Path,
    /// The name of the line of snapshots.
    pub identity: &'a Identity,
    /// The store.
    pub backup_root: &'a Path,
    /// Where the lock lies.
    pub state_dir: &'a Path,
    /// What is kept: files and directories of the project.
    pub sources: &'a [PathBuf],
    /// The file with which a session goes on; kept even where git ignores it.
    pub entrypoint: Option<&'a Path>,
    /// The branch whose history is kept, which must be the one that is being worked on.
    pub history_ref: Option<&'a str>,
    /// Where a person keeps ignore rules of their own, which git follows, too.
    pub person: &'a Person,
    /// Now.
    pub now: Clock,
}

/// What would be kept. Nothing was written for it.
pub struct Plan<'a> {
    request: Request<'a>,
    places: Places,
    repo: Option<Repo>,
    sources: Vec<RelPath>,
    /// The files, sorted by path.
    pub files: Vec<FileEntry>,
    /// What is left out.
    pub omissions: Vec<Omission>,
    /// The file with which a session goes on.
    pub context: Option<Context>,
}

/// A snapshot that was taken, verified before its manifest was written.
#[derive(Debug)]
pub struct Captured {
    /// The snapshot.
    pub snapshot: Snapshot,
    /// Objects that the store did not have before.
    pub new_objects: usize,
}

impl<'a> Plan<'a> {
    /// Looks at everything.
    ///
    /// # Errors
    /// [`Refused::Input`] for places that cannot be used, [`Refused::Secrets`], [`Refused::Repo`] where the ignore
    /// rules or the asked-for history cannot be read.
    pub fn make(request: &Request<'a>) -> Result<Self, Refused> {
        let places = Places::open(request.project_root, request.backup_root, request.state_dir)?;
        let repo = match Repo::containing(places.project.path()) {
            Ok(repo) => Some(repo),
            Err(RepoError::None(_)) => None,
            Err(error) => return Err(error.into()),
        };
        if let Some(repo) = repo.as_ref().filter(|repo| repo.root() == places.project.path()) {
            places.outside_of(repo)?;
        }
        let mut found = Found::default();
        let (sources, context) = look(request, &places, repo.as_ref(), &mut found)?;
        if found.files.is_empty() {
            let left_out = found
                .omissions
                .iter()
                .map(|omission| format!("{}: {}", omission.path.shown_line(), omission.reason.shown_line()));
            return Err(Refused::Input(format!("nothing is left to keep{}", super::listed(left_out))));
        }
        if !found.secrets.is_empty() {
            return Err(Refused::Secrets(found.secrets));
        }
        found.omissions.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self {
            request: *request,
            places,
            repo,
            sources,
            files: found.files.into_values().collect(),
            omissions: found.omissions,
            context,
        })
    }

    /// Keeps it. Whatever goes wrong, every snapshot that was in the store stays as it was.
    ///
    /// # Errors
    /// [`Refused::Busy`] where another capture goes on, [`Refused::Secrets`] where a file got one meanwhile or the
    /// history has one, [`Refused::Repo`], [`Refused::Disk`], and [`Refused::Damaged`] where the store does not give
    /// back what was put into it.
    pub fn write(self) -> Result<Captured, Refused> {
        let store = &self.places.store;
        let lock = format!("snapshot-{}", Digest::of(store.dir.real.as_os_str().as_encoded_bytes()));
        let Some(_lock) = Lock::try_take(&self.places.state, &lock)? else {
            return Err(Refused::Busy(store.dir.real.clone()));
        };
        // Read before anything is written: a secret in it refuses all of it.
        let history = self.history()?;
        let mut writer = Writer::begin(&store.dir)?;
        let mut files = Vec::with_capacity(self.files.len());
        for planned in &self.files {
            files.push(self.keep_file(&mut writer, planned)?);
        }
        let history = match history {
            None => History::NotRequested,
            Some(history) => keep_history(&mut writer, &history)?,
        };
        let created_at = DateTime::from_timestamp(self.request.now.unix, 0);
        let manifest = Manifest::new(Parts {
            identity: self.request.identity.clone(),
            created_at: created_at.ok_or_else(|| Refused::Input("the clock cannot be read".into()))?,
            project_root: Inert::new(self.places.project.path().to_string_lossy()),
            sources: self.sources.clone(),
            files,
            omissions: self.omissions.clone(),
            context: self.context.clone(),
            history,
        });
        let bytes = manifest.to_bytes();
        // What cannot be read back must not be written: then nobody would know it for a snapshot.
        let manifest = Manifest::read(&bytes)
            .map_err(|why| Refused::Input(format!("this cannot be written down as a snapshot: {why}")))?;
        let snapshot = Snapshot { id: Digest::of(&bytes), manifest };
        // Every object is on the disk and read back before the manifest that promises it gets its name.
        writer.settle()?;
        let problems = store.verify_one(&snapshot).problems;
        if !problems.is_empty() {
            return Err(Refused::Damaged(problems));
        }
        let new_objects = writer.new_objects;
        writer.manifest(&snapshot.id, &bytes)?;
        Ok(Captured { snapshot, new_objects })
    }

    /// One file as it is now. One that changed since it was looked at is looked through again.
    fn keep_file(&self, writer: &mut Writer<'_>, planned: &FileEntry) -> Result<FileEntry, Refused> {
        let (entry, bytes) = sources::read(&self.places.project, &planned.path)?;
        if entry.sha256 != planned.sha256 {
            let secrets: Vec<Secret> = sources::secrets_of(&entry.path, &bytes).collect();
            if !secrets.is_empty() {
                return Err(Refused::Secrets(secrets));
            }
        }
        writer.object(&entry.sha256, &bytes)?;
        Ok(entry)
    }

    /// The asked-for history, read whole and without a secret; `None` where it was not asked for.
    ///
    /// # Errors
    /// [`Refused::Repo`] where it cannot be kept, [`Refused::Secrets`].
    pub fn history(&self) -> Result<Option<repo::History<'_>>, Refused> {
        let Some(named) = self.request.history_ref else { return Ok(None) };
        let root = self.places.project.path();
        let Some(repo) = self.repo.as_ref().filter(|repo| repo.root() == root) else {
            return Err(Refused::Input(format!(
                "{} is not the root of a git worktree: it has no history to keep",
                root.display()
            )));
        };
        let history = repo.history(named)?;
        if history.secrets().is_empty() {
            return Ok(Some(history));
        }
        Err(Refused::Secrets(history.secrets().iter().map(Secret::of_history).collect()))
    }
}

/// Writes the history's bundle.
fn keep_history(writer: &mut Writer<'_>, history: &repo::History<'_>) -> Result<History, Refused> {
    let mut bundle = writer.incoming()?;
    let mut buffered = BufWriter::with_capacity(1 << 16, &mut bundle);
    history.write_bundle(&mut buffered)?;
    let flushed = buffered.flush();
    drop(buffered);
    flushed.map_err(|error| bundle.failed(&error))?;
    let (sha256, size) = bundle.finish()?;
    if size > limits::BUNDLE {
        return Err(Refused::Input(format!(
            "the history has {} MiB, more than is kept: leave --include-history out",
            size >> 20
        )));
    }
    writer.place(bundle, &sha256)?;
    Ok(History::Captured {
        reference: history.reference().into(),
        head: history.head().clone(),
        commits: history.commits(),
        objects: history.objects(),
        size,
        sha256,
    })
}

/// Finds what the request names in the project.
fn look(
    request: &Request<'_>,
    places: &Places,
    repo: Option<&Repo>,
    found: &mut Found,
) -> Result<(Vec<RelPath>, Option<Context>), Refused> {
    let root = places.project.path();
    let mut rules = repo.map(|repo| rules(repo, root, request.person)).transpose()?;
    let sources = named_sources(request, places)?;
    for (source, kind) in &sources {
        found.walk(&places.project, rules.as_mut(), source, *kind == Kind::File)?;
    }
    let context = match request.entrypoint {
        None => None,
        Some(path) => {
            let named = Named { flag: "--context-entrypoint", path };
            let (entrypoint, kind) = places.inside(request.project_root, named)?;
            if kind != Kind::File {
                return Err(named.refused("is not a regular file"));
            }
            found.take(&places.project, &entrypoint).map_err(|error| named.refused(error))?;
            let rule =
                rules.as_mut().map(|rules| rules.why_ignored(&entrypoint, false)).transpose()?.flatten();
            // What is kept for another reason is no omission.
            found.omissions.retain(|omission| omission.path.raw() != entrypoint.as_str());
            Some(context(&entrypoint, root, rule.is_some(), request.now)?)
        }
    };
    Ok((sources.into_iter().map(|(source, _)| source).collect(), context))
}

/// The ignore rules that hold in a project which is a worktree, or lies in one.
fn rules<'a>(repo: &'a Repo, project: &'a Path, person: &Person) -> Result<Rules<'a>, Refused> {
    let root = repo.root();
    let prefix = project.strip_prefix(root).map_err(|_| {
        Refused::Input(format!("{} does not lie in its repository {}", project.display(), root.display()))
    })?;
    Ok(Rules { rules: repo.ignore_rules(person)?, root, prefix })
}

/// The sources in the order of their paths; none lies in another.
fn named_sources(request: &Request<'_>, places: &Places) -> Result<Vec<(RelPath, Kind)>, Refused> {
    let mut sources = Vec::new();
    for path in request.sources {
        let named = Named { flag: "--source", path };
        let (source, kind) = places.inside(request.project_root, named)?;
        if kind == Kind::Other {
            return Err(named.refused("is a FIFO, socket or device"));
        }
        let overlaps = |a: &RelPath, b: &RelPath| a.is_root() || b.as_path().starts_with(a.as_path());
        if let Some((other, _)) =
            sources.iter().find(|(other, _)| overlaps(other, &source) || overlaps(&source, other))
        {
            return Err(named.refused(format!("overlaps with the source {other}: name each thing once")));
        }
        sources.push((source, kind));
    }
    sources.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(sources)
}

/// When the file with which a session goes on was saved, by the clock that every list uses.
fn context(path: &RelPath, root: &Path, ignored: bool, now: Clock) -> Result<Context, Refused> {
    let roots = Roots { project: root.to_owned(), ..Roots::default() };
    let rows = place::read_path(&root.join(path.as_path()), &roots)?;
    let newest = rows.into_iter().map(|row| row.saved_at).max_by_key(|at| at.moment.order_key(now.east));
    Ok(Context {
        path: path.clone(),
        ignored,
        saved_at: newest.as_ref().map(|at| at.moment.to_text().into()),
        saved_at_source: newest.as_ref().map(|at| at.source),
        age_seconds: newest.as_ref().map(|at| now.since(&at.moment)),
    })
}
