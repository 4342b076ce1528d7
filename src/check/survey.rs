//! Gathers evidence: repository, files and policy of one handoff. Nothing is judged here.

use std::path::{Path, PathBuf};

use super::cache::Opened;
use super::drift;
use super::evidence::{Dirt, Evidence, Own, Policy, SameRoot, Seen, Surrounding};
use super::judge::NORTH_STAR;
use super::own::OwnWith;
use super::report::Claim;
use super::{Examiner, activity, lane, lookup, plan, runtime};
use crate::disk::{self, Beneath, DiskError, FileId, Kind};
use crate::handoff::{Digest, Family, Handoff, Inert, Record, RelPath, Root};
use crate::place::{Listed, Scope};
use crate::policy::Config;
use crate::repo::{Asking, Relation, Repo, RepoError, normalise_remote};

/// The config's one place.
const CONFIG: &str = ".thunderkit/config.json";

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
        let under_way = self.asking.as_ref().ok().and_then(Asking::under_way);
        notes.extend(under_way.map(|what| format!("{} is under way in this worktree", what.raw()).into()));
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

    pub(super) fn is_own(&self, path: &str) -> bool {
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
