//! Gathers evidence: repository, files and policy of one handoff. Nothing is judged here.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::activity::{self, Worked};
use super::cache::Opened;
use super::clock::BUDGET;
use super::drift::{self, NAMED};
use super::evidence::{After, Dirt, Evidence, Own, Policy, SameRoot, Seen, Since, Surrounding};
use super::judge::NORTH_STAR;
use super::lane::GRACE;
use super::own::{OwnFiles, OwnWith};
use super::report::Claim;
use super::{Examiner, lane, lookup, plan, runtime};
use crate::disk::{self, Beneath, DiskError, FileId, Kind};
use crate::handoff::{
    BranchName, ClockSource, Digest, Family, Handoff, Inert, Moment, Record, RelPath, Revision, Root, SavedAt,
};
use crate::place::{Conventions, Listed, Scope};
use crate::policy::Config;
use crate::repo::{
    Asking, BranchState, Commit, Files, Head, Person, Relation, Repo, RepoError, normalise_remote,
};

/// The config's one place.
const CONFIG: &str = ".thunderkit/config.json";

/// How many files are looked through for one that is not a handoff's own; more are work, whatever they are.
const MOST_OWN: usize = 10_000;

/// Largest policy file that is read, in bytes.
pub(super) const POLICY_CAP: u64 = 1 << 20;

/// Everything that was gathered about one handoff.
pub(super) struct Gathered {
    pub(super) evidence: Evidence,
    pub(super) dirt: Seen<Dirt>,
    /// Anything else that is worth a line.
    pub(super) notes: Vec<Inert>,
    pub(super) claims: Vec<Claim>,
}

/// One survey: a handoff, its place, and what was opened for it.
pub(super) struct Survey<'a> {
    pub(super) examiner: &'a Examiner,
    pub(super) row: &'a Listed,
    pub(super) handoff: &'a Handoff,
    /// The directory that recorded paths are relative to.
    pub(super) root: &'a Path,
    /// The handoff speaks of this project. One that lies outside every project does so only if its commit is here.
    pub(super) is_about_here: bool,
    pub(super) repo: Opened,
    /// The same at the HEAD that it has now, for every question of this survey.
    pub(super) asking: Result<Asking, RepoError>,
    own: Option<OwnWith>,
    beneath: Result<Beneath, DiskError>,
}

impl<'a> Survey<'a> {
    /// Prepares the survey of one handoff as its bytes say it now.
    pub(super) fn new(examiner: &'a Examiner, row: &'a Listed, handoff: &'a Handoff) -> Self {
        let is_global = row.scope == Scope::Global;
        let root = if is_global { examiner.project() } else { row.root.as_path() };
        let repo = match handoff.family {
            // thunderkit's project is the root of a worktree; nothing is found by walking up.
            Family::Thunderkit | Family::ThunderkitLegacy => examiner.repo_at(root),
            _ => examiner.repo_around(root),
        };
        let asking = repo.clone().and_then(|repo| repo.asking());
        let survey = Self {
            examiner,
            row,
            handoff,
            root,
            is_about_here: true,
            own: own_files(examiner, row, root, &repo),
            repo,
            asking,
            beneath: Beneath::open(root),
        };
        if is_global && !survey.knows_the_commit() {
            let why = "a global handoff that names no commit of this repository says nothing about it";
            let why = RepoError::Refused(why.to_owned());
            return Self { repo: Err(why.clone()), asking: Err(why), is_about_here: false, ..survey };
        }
        survey
    }

    /// Whether the recorded commit is in this repository.
    fn knows_the_commit(&self) -> bool {
        let (Ok(asking), Some(recorded)) = (&self.asking, self.recorded_commit()) else { return false };
        let relation = self.examiner.relation_alone(asking, &recorded);
        matches!(relation, Ok(Relation::Same | Relation::Ahead { .. } | Relation::Diverged { .. }))
    }

    /// Reads everything that the judge needs.
    pub(super) fn gather(&self, text: &str) -> Gathered {
        let head = self.asked("HEAD", |asking| Ok(asking.head().clone()));
        let dirt = self.dirt();
        let (claims, cut) = lookup::claims(self, text, &head);
        let mut notes = Vec::from_iter(cut);
        let own = match self.handoff.family {
            Family::Thunderkit | Family::ThunderkitLegacy => {
                let policy = self.policy();
                notes.extend(lane::activity_after_saving(self, &policy.lanes));
                Own::Thunderkit(Box::new(policy))
            }
            _ => {
                notes.extend(activity::after_saving(self));
                Own::Context(Box::new(Surrounding {
                    dirt: dirt.clone(),
                    unreadable: self.unreadable(),
                    directory: self.directory(),
                    project_root: self.project_root(),
                    runtime: runtime::of(self.examiner),
                    plan: plan::seen(self, text),
                    claims: claims.clone(),
                }))
            }
        };
        let evidence = Evidence {
            repository: self.repo_fact("remotes", Repo::identity),
            after: self.after_saving(&head),
            since: self.recorded_commit().map(|recorded| self.since(self.asking.as_ref(), &head, &recorded)),
            branch: self
                .handoff
                .branch
                .as_ref()
                .map(|name| self.asked("refs", |asking| self.examiner.branch(asking, name))),
            head,
            own,
        };
        Gathered { evidence, dirt, notes, claims }
    }

    /// North star, config, catalog, artifact and lanes.
    fn policy(&self) -> Policy {
        let nothing = Root::default();
        let root = self.handoff.root().unwrap_or(&nothing);
        Policy {
            north_star: self.at(NORTH_STAR, |beneath, rel| beneath.read(rel, POLICY_CAP).map(drop)),
            config: self.config(),
            catalog: self.examiner.catalog(),
            artifact: root.active_artifact.as_ref().map(|path| self.digest(path)),
            lanes: self.handoff.lanes.iter().map(|lane| lane::survey(self, lane)).collect(),
        }
    }

    fn config(&self) -> Seen<Config> {
        let content = self.at(CONFIG, |beneath, rel| beneath.read(rel, POLICY_CAP));
        match &content.fact {
            super::evidence::Fact::Known(content) => match Config::parse(&content.bytes) {
                Ok(config) => Seen::known(config, CONFIG),
                Err(why) => Seen::absent(format!("blocked/invalid_config: {why}"), CONFIG),
            },
            super::evidence::Fact::Absent(why) => {
                Seen::absent(format!("blocked/invalid_config: {why}"), CONFIG)
            }
            super::evidence::Fact::Unknown(why) => Seen::unknown(why.as_str(), CONFIG),
        }
    }

    /// The SHA-256 of what lies at a recorded path.
    pub(super) fn digest(&self, path: &RelPath) -> Seen<Digest> {
        self.contained(path, |beneath| beneath.digest(path).map(|(digest, _)| digest))
    }

    /// Asks about a recorded path. What is not there or leads out of the root contradicts the record; what the
    /// system refuses is unknown.
    pub(super) fn contained<T>(
        &self,
        path: &RelPath,
        ask: impl FnOnce(&Beneath) -> Result<T, DiskError>,
    ) -> Seen<T> {
        match self.beneath.as_ref().map_err(Clone::clone).and_then(ask) {
            Ok(value) => Seen::known(value, path.as_str()),
            Err(why) => disk_fact(&why, path.as_str()),
        }
    }

    /// What lies at a path of the project, links inside it followed.
    pub(super) fn kind(&self, path: &RelPath) -> Result<Kind, DiskError> {
        self.beneath
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|beneath| beneath.kind(path))
            .map(|(kind, _)| kind)
    }

    /// The same for one of the format's own fixed paths.
    pub(super) fn at<T>(
        &self,
        path: &str,
        ask: impl FnOnce(&Beneath, &RelPath) -> Result<T, DiskError>,
    ) -> Seen<T> {
        match RelPath::parse(path) {
            Ok(rel) => self.contained(&rel, |beneath| ask(beneath, &rel)),
            Err(why) => Seen::unknown(why.to_string(), path),
        }
    }

    /// Asks the repository; no repository is an absence, a refusal is unknown.
    pub(super) fn repo_fact<T>(
        &self,
        what: &str,
        ask: impl FnOnce(&Repo) -> Result<T, RepoError>,
    ) -> Seen<T> {
        let source = format!("{what} of {}", self.root.display());
        match self.repo.clone().and_then(|repo| ask(&repo)) {
            Ok(value) => Seen::known(value, source),
            Err(why) => repo_error(&why, source),
        }
    }

    /// The same at the HEAD of this survey.
    fn asked<T>(&self, what: &str, ask: impl FnOnce(&Asking) -> Result<T, RepoError>) -> Seen<T> {
        let source = format!("{what} of {}", self.root.display());
        match self.asking.as_ref().map_err(Clone::clone).and_then(ask) {
            Ok(value) => Seen::known(value, source),
            Err(why) => repo_error(&why, source),
        }
    }

    /// The commit that the handoff declares as its state.
    fn recorded_commit(&self) -> Option<Revision> {
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

    fn is_own(&self, path: &str) -> bool {
        self.own.as_ref().is_some_and(|own| own.holds(path))
    }

    fn dirt(&self) -> Seen<Dirt> {
        let source = "worktree against index and HEAD";
        match self.repo.clone().and_then(|repo| self.examiner.status(&repo)) {
            Ok(status) => Seen::known(drift::dirt(&status, |path| self.is_own(path)), source),
            Err(why) => Seen::unknown(why.to_string(), source),
        }
    }

    /// Why the worktree of a repository that is here cannot be compared. One that has none is no trouble.
    fn unreadable(&self) -> Option<String> {
        if !self.is_about_here {
            return None;
        }
        match self.repo.clone().and_then(|repo| self.examiner.status(&repo)) {
            Err(RepoError::Refused(why)) => Some(why),
            Ok(_) | Err(RepoError::None(_)) => None,
        }
    }

    /// Whether the directory that the text says it was written in is this one, or lies in it.
    fn directory(&self) -> Option<Seen<SameRoot>> {
        if !self.is_about_here || matches!(self.handoff.record, Record::Memtomem(_)) {
            return None;
        }
        let written = self.handoff.directory.as_ref()?.value.raw();
        // A remote that is a path of this machine identifies the repository as any other address does.
        let identity = self.repo.as_ref().ok().and_then(|repo| repo.identity().ok());
        if identity.is_some_and(|identity| identity.from_remote && normalise_remote(written) == identity.text)
        {
            return Some(Seen::known(SameRoot::Text, "the address of this repository's remote"));
        }
        let source = self.root.display().to_string();
        let home = self.examiner.around().home.as_ref();
        let below_home = ["~/", "$HOME/"].iter().find_map(|begin| written.strip_prefix(begin));
        let recorded = match (below_home, home) {
            (Some(below), Some(home)) => home.join(below),
            (Some(_), None) => return Some(Seen::unknown("the home directory is not known", source)),
            (None, Some(home)) if written == "~" => home.clone(),
            (None, _) => PathBuf::from(written),
        };
        if is_bare_repository(&recorded) {
            let why = "that is the address of a repository, and this one's is not known to be it";
            return Some(Seen::unknown(why, source));
        }
        let roots = [Some(self.root), self.repo.as_ref().ok().map(|repo| repo.root())];
        let roots = || roots.iter().flatten();
        if roots().any(|root| recorded.components().eq(root.components())) {
            return Some(Seen::known(SameRoot::Text, source));
        }
        let Ok(real) = recorded.canonicalize() else {
            let why = "that directory is not on this machine: whether it was this project cannot be told";
            return Some(Seen::unknown(why, source));
        };
        let reals: Vec<PathBuf> = roots().filter_map(|root| root.canonicalize().ok()).collect();
        let same = if reals.contains(&real) {
            SameRoot::Identity
        } else if reals.iter().any(|root| real.starts_with(root)) {
            SameRoot::Inside
        } else {
            SameRoot::Other
        };
        Some(Seen::known(same, source))
    }

    /// Commits newer than the saved time, when the handoff names no commit itself: by its own time, else by the commit
    /// that last changed its file.
    fn after_saving(&self, head: &Seen<Head>) -> Option<After> {
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

    /// Whether memtomem's recorded root is this one: as text, else by file identity.
    fn project_root(&self) -> Option<Seen<SameRoot>> {
        let Record::Memtomem(record) = &self.handoff.record else { return None };
        let recorded = record.project_root.as_ref()?;
        let here = match &self.repo {
            Ok(repo) => repo.root(),
            Err(why) => return Some(Seen::unknown(why.to_string(), "the worktree's root")),
        };
        let source = here.display().to_string();
        if here.as_os_str() == recorded.raw() || self.root.as_os_str() == recorded.raw() {
            return Some(Seen::known(SameRoot::Text, source));
        }
        let same = match (directory_id(Path::new(recorded.raw())), directory_id(here)) {
            (Ok(a), Ok(b)) if a == b => Seen::known(SameRoot::Identity, source),
            (Ok(_), Ok(_)) => Seen::known(SameRoot::Other, source),
            (Err(why), _) | (_, Err(why)) => disk_fact(&why, &source),
        };
        Some(same)
    }
}

/// Whether a repository without a worktree lies here: nothing is written in such a directory, but it is cloned from.
fn is_bare_repository(path: &Path) -> bool {
    let is = |name: &str, wanted| matches!(disk::kind(&path.join(name)), Ok((kind, _)) if kind == wanted);
    is("HEAD", Kind::File) && is("objects", Kind::Directory) && is("refs", Kind::Directory)
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

/// The handoff's own files; without a repository there is nothing to leave out.
fn own_files(examiner: &Examiner, row: &Listed, root: &Path, repo: &Opened) -> Option<OwnWith> {
    let files = row.twins.iter().chain([&row.path]).map(|path| path.as_path());
    repo.as_ref().ok().map(|repo| OwnWith::new(examiner.own_files(repo, root), files))
}

/// A refusal of the disk as a fact: absence and escape contradict a record, anything else leaves it unknown.
pub(super) fn disk_fact<T>(why: &DiskError, source: &str) -> Seen<T> {
    match why {
        DiskError::NotFound(_) | DiskError::NotAFile(_) | DiskError::Escapes(_) | DiskError::Link(_) => {
            Seen::absent(why.to_string(), source)
        }
        DiskError::NotWritable { .. } | DiskError::Io(..) => Seen::unknown(why.to_string(), source),
    }
}

/// A refusal of the repository as a fact.
pub(super) fn repo_error<T>(why: &RepoError, source: String) -> Seen<T> {
    match why {
        RepoError::None(_) => Seen::absent(why.to_string(), source),
        RepoError::Refused(_) => Seen::unknown(why.to_string(), source),
    }
}

/// Which directory a path names, whatever its spelling.
pub(super) fn directory_id(path: &Path) -> Result<FileId, DiskError> {
    let here = RelPath::parse(".").map_err(|why| DiskError::Io(path.to_owned(), why.to_string()))?;
    Beneath::open(path)?.kind(&here).map(|(_, id)| id)
}

/// A question about one worktree at one HEAD.
fn at_head<Q>(asking: &Asking, question: Q) -> (PathBuf, String, Q) {
    let head = asking.head().commit().map(|head| head.as_str().to_owned());
    (asking.root().to_owned(), head.unwrap_or_default(), question)
}

impl Examiner {
    /// The table of conventions with the settings' places.
    pub(super) fn conventions(&self) -> Arc<Conventions> {
        let make = || Arc::new(Conventions::with(&self.settings().places));
        Arc::clone(self.cache.conventions.get_or_init(make))
    }

    /// The handoffs' own files of a project in its repository.
    pub(super) fn own_files(&self, repo: &Repo, project: &Path) -> Arc<OwnFiles> {
        let make = || Arc::new(OwnFiles::new(self.conventions(), repo.root(), project));
        self.cache.own.get((repo.root().to_owned(), project.to_owned()), make)
    }

    /// The worktree whose root is exactly this directory, opened once.
    pub(super) fn repo_at(&self, dir: &Path) -> Opened {
        self.cache.exact.get(dir.to_owned(), || Repo::open(dir).map(Arc::new))
    }

    /// The worktree that contains this directory, opened once.
    pub(super) fn repo_around(&self, dir: &Path) -> Opened {
        self.cache.containing.get(dir.to_owned(), || {
            let repo = Repo::containing(dir)?;
            // One worktree, one opened repository: through whichever door it was asked for first.
            let root = repo.root().to_owned();
            self.cache.exact.get(root, || Ok(Arc::new(repo)))
        })
    }

    /// The worktree's state, told once.
    pub(super) fn status(&self, repo: &Repo) -> Result<Arc<crate::repo::Status>, RepoError> {
        let ask = || repo.status_for(&self.person()).map(Arc::new);
        self.cache.status.get(repo.root().to_owned(), ask)
    }

    /// Whose settings and rules git would go by here.
    pub fn person(&self) -> Person {
        let around = self.around();
        Person::of(around.home.clone(), |name| around.vars.get(OsStr::new(name)).cloned())
    }

    /// How a commit stands to HEAD, told once for each HEAD.
    pub(super) fn relation(&self, asking: &Asking, to: &Revision) -> Result<Relation, RepoError> {
        self.cache.relations.get(at_head(asking, to.clone()), || asking.relation(to, NAMED))
    }

    /// The same without what came since, which takes the comparing of all files.
    pub(super) fn relation_alone(&self, asking: &Asking, to: &Revision) -> Result<Relation, RepoError> {
        self.cache.standings.get(at_head(asking, to.clone()), || asking.relation_alone(to))
    }

    /// What became of a branch, told once for each HEAD.
    pub(super) fn branch(&self, asking: &Asking, name: &BranchName) -> Result<BranchState, RepoError> {
        self.cache.branches.get(at_head(asking, name.clone()), || asking.branch(name))
    }

    /// Who worked last in the worktree at `root`, told once; `nested` names the worktrees inside it.
    pub(super) fn worked_in(&self, root: &Path, nested: impl FnOnce() -> Vec<PathBuf>) -> Arc<[Worked]> {
        self.cache.worked.get(root.to_owned(), || activity::last(self.around(), root, &nested()))
    }

    /// The newest commits of HEAD, told once for each HEAD.
    pub(super) fn log(&self, repo: &Repo, head: &str) -> Result<Arc<Vec<crate::repo::Commit>>, RepoError> {
        let key = (repo.root().to_owned(), head.to_owned(), ());
        self.cache.logs.get(key, || repo.log(super::clock::BUDGET).map(Arc::new))
    }
}
