//! Skill and operation → decision record. Nothing about a skill is known here: all of it comes from the manifest.
//!
//! The order is fixed, and each input is asked for only when its turn comes, so that what a record names as evidence
//! is what was opened for it: manifest, skill, operation, model-free, config, catalog, delegation, targets,
//! capabilities, host, lock, gates. The first target that passes its gates is the decision; if none does, the first
//! one's refusal is.

use super::capability::Snapshot;
use super::gate::{Shut, need, shut};
use super::home;
use super::json::Json;
use super::lock::Lock;
use super::manifest::{Manifest, Requirement, Target};
use super::provenance::{self, Fault, Pin, Root};
use super::record::{Decision, Mode, Reason, Record};
use super::{Catalog, Config, PolicyError, bindings, shape};

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The skill.
    pub skill: Option<&'a str>,
    /// The operation; the skill's default one where none is said.
    pub operation: Option<&'a str>,
}

/// One of the files that a record names as evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The project's config.
    Config,
    /// The host's capability snapshot.
    Capabilities,
    /// The lock of the installed peer.
    Lock,
}

impl Evidence {
    /// What it is called on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::Capabilities => "capabilities",
            Self::Lock => "lock",
        }
    }
}

/// An evidence file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// None was named.
    No,
    /// One was named and must not be opened, for this reason.
    Refused(String),
    /// It was opened: its path relative to the project root, and its bytes or why they cannot be read.
    Opened(String, Result<Vec<u8>, String>),
}

/// Where a resolver's inputs come from. Each is asked for at most once, and only when it is needed.
pub trait Sources {
    /// The project root's real path.
    ///
    /// # Errors
    /// Why there is none.
    fn project(&self) -> Result<String, String>;
    /// The manifest.
    ///
    /// # Errors
    /// Why it cannot be used.
    fn manifest(&self) -> Result<Manifest, String>;
    /// The model catalog.
    ///
    /// # Errors
    /// Why it cannot be used.
    fn catalog(&self) -> Result<Catalog, String>;
    /// One of the evidence files.
    fn evidence(&self, which: Evidence) -> Given;
    /// The root of an installed peer, by its absolute path.
    ///
    /// # Errors
    /// [`Fault`].
    fn installed(&self, root: &str) -> Root<'_>;
    /// Whether a path below the project is a directory without a link on the way.
    ///
    /// # Errors
    /// [`Fault`].
    fn directory(&self, path: &str) -> Result<(), Fault>;
    /// The kernel's table of mounts, where there is one.
    fn mounts(&self) -> Option<String>;
}

/// Decides.
pub fn resolve(request: Request<'_>, sources: &dyn Sources) -> Record {
    let mut record = Record::begin(request.skill, request.operation);
    match decide(request, sources, &mut record) {
        Ok((decision, reason, detail)) => {
            (record.decision, record.reason_code) = (decision, reason);
            record.detail = detail.into();
        }
        Err(why) => record.detail = why.into(),
    }
    record
}

type Answer = (Decision, Reason, String);

/// The decision; an error is input that cannot be used.
fn decide(request: Request<'_>, sources: &dyn Sources, record: &mut Record) -> Result<Answer, String> {
    let owned = |reason, detail: &str| Ok((Decision::Owned, reason, detail.to_owned()));
    let name = request.skill.filter(|skill| !skill.is_empty()).ok_or("--skill is required")?;
    let project = sources.project()?;
    let manifest = sources.manifest()?;
    let by = format!("manifest: {}", manifest.source().plain());
    let named = |why: PolicyError| format!("{why}; {by}");
    let skill = manifest.skill(name).map_err(named)?;
    let operation = skill.operation(request.operation).map_err(named)?;
    record.operation = Some(operation.as_str().into());
    if skill.is_model_free(&operation) {
        return owned(
            Reason::OwnedPolicy,
            &format!("a model-free operation of thunderkit's own; nothing was read; {by}"),
        );
    }
    let config = read(Evidence::Config, sources, record)?;
    let config = Config::parse(&config).map_err(|why| format!("config: {why}"))?;
    let catalog = sources.catalog()?;
    known_to(&catalog, &config)?;
    record.bindings.requested = Some(config.clone());
    if !config.delegation {
        return owned(Reason::Disabled, "delegation is off in the config");
    }
    let targets = skill.targets(&operation, &config.ecosystems).map_err(named)?;
    if targets.is_empty() {
        return owned(Reason::OwnedPolicy, &format!("no native target is enabled for this operation; {by}"));
    }
    let snapshot = read(Evidence::Capabilities, sources, record)?;
    let snapshot = Snapshot::parse(&snapshot).map_err(|why| format!("capabilities: {why}"))?;
    let targets: Vec<_> = targets.into_iter().filter(|target| target.serves(snapshot.host())).collect();
    if targets.is_empty() {
        let detail = format!("no enabled target supports the host {:?}; {by}", snapshot.host());
        return Ok((Decision::Fallback, Reason::UnsupportedHost, detail));
    }
    let lock = match targets.iter().any(|target| target.version.is_none()) {
        true => lock(sources, record)?,
        false => None,
    };
    let asked = Asked { project: &project, snapshot: &snapshot, config: &config, catalog: &catalog, sources };
    let mut first: Option<Answer> = None;
    for target in targets {
        let lock = lock.as_ref().filter(|lock| is_for(lock, &target, &snapshot));
        let answer = match asked.qualify(&target, lock) {
            Ok(qualified) => {
                record.bindings.effective = qualified.effective;
                record.runtime_home = qualified.home.map(Into::into);
                record.target = Some(locked_name(&target, lock));
                let detail = format!(
                    "the pinned bytes and the host's bindings are compatible; {by}; catalog: {}",
                    catalog.source.plain()
                );
                return Ok((Decision::Delegate, Reason::Compatible, detail));
            }
            Err((_, Shut::Malformed(why))) => {
                record.target = Some(locked_name(&target, lock));
                return Err(format!("capabilities: {why}"));
            }
            Err((decision, Shut::For(reason, detail))) => (decision, reason, format!("{detail}; {by}")),
        };
        if first.is_none() {
            record.target = Some(locked_name(&target, lock));
            first = Some(answer);
        }
    }
    first.ok_or_else(|| "no target is left".to_owned())
}

/// Reads an evidence file that has to be there, and names it in the record once it was opened.
fn read(which: Evidence, sources: &dyn Sources, record: &mut Record) -> Result<Vec<u8>, String> {
    let word = which.word();
    match sources.evidence(which) {
        Given::No => Err(format!("--{word} is required for this operation")),
        Given::Refused(why) => Err(format!("--{word}: {why}")),
        Given::Opened(path, bytes) => {
            record.evidence_paths.push(path.into());
            bytes.map_err(|why| format!("--{word}: {why}"))
        }
    }
}

/// The lock, where one is named.
fn lock(sources: &dyn Sources, record: &mut Record) -> Result<Option<Lock>, String> {
    match sources.evidence(Evidence::Lock) {
        Given::No => Ok(None),
        Given::Refused(why) => Err(format!("--lock: {why}")),
        Given::Opened(path, bytes) => {
            record.evidence_paths.push(path.into());
            let bytes = bytes.map_err(|why| format!("--lock: {why}"))?;
            Lock::parse(&bytes).map(Some).map_err(|why| format!("lock: {why}"))
        }
    }
}

/// Whether a lock is this target's on this host.
fn is_for(lock: &Lock, target: &Target, snapshot: &Snapshot) -> bool {
    lock.peer == target.ecosystem && lock.host == snapshot.host() && lock.package == target.package
}

fn locked_name(target: &Target, lock: Option<&Lock>) -> super::record::TargetName {
    let mut name = target.name();
    if let (None, Some(lock)) = (&target.version, lock) {
        name.version.clone_from(&lock.version);
    }
    name
}

/// Every selected key is one of the catalog's.
fn known_to(catalog: &Catalog, config: &Config) -> Result<(), String> {
    use crate::handoff::ModelClass::{Executors, Planner, Reviewers};
    let keys = [Planner, Executors, Reviewers].into_iter().flat_map(|class| config.class(class, catalog));
    for key in keys {
        if catalog.model(&key).is_none() {
            return Err(format!(
                "config: the catalog has no model {key:?}; catalog: {}",
                catalog.source.plain()
            ));
        }
    }
    Ok(())
}

/// What all targets are looked at with.
struct Asked<'a> {
    project: &'a str,
    snapshot: &'a Snapshot,
    config: &'a Config,
    catalog: &'a Catalog,
    sources: &'a dyn Sources,
}

/// A target that passed.
struct Qualified {
    effective: serde_json::Map<String, serde_json::Value>,
    home: Option<String>,
}

impl Asked<'_> {
    /// All gates of one target; an error says who does the work then.
    fn qualify(&self, target: &Target, lock: Option<&Lock>) -> Result<Qualified, (Decision, Shut)> {
        let fallback = |why| (Decision::Fallback, why);
        let pin = Pin { target, lock: lock.filter(|_| target.version.is_none()) };
        if pin.version().is_none() {
            let detail = format!("no lock of {} on {:?} was given", target.ecosystem, self.snapshot.host());
            return shut(Reason::PeerUnlocked, detail).map_err(fallback);
        }
        if target.unqualified {
            let detail = "this way of doing it is not qualified at this pin";
            return shut(Reason::CapabilityMissing, detail).map_err(fallback);
        }
        provenance::gates(&pin, self.snapshot, &|root| self.sources.installed(root)).map_err(fallback)?;
        let mut needs_home = self.requirements(target)?;
        let denied = match target.mode {
            Mode::Handoff => Decision::Blocked,
            Mode::Component => Decision::Fallback,
        };
        let bound =
            bindings::gates(target, self.snapshot, self.config, self.catalog).map_err(|why| (denied, why))?;
        needs_home |= bound.needs_home;
        let home = match needs_home {
            true => Some(self.home().map_err(|why| (denied, why))?),
            false => None,
        };
        Ok(Qualified { effective: bound.effective, home })
    }

    /// Tools and consents; whether a home of its own is needed.
    fn requirements(&self, target: &Target) -> Result<bool, (Decision, Shut)> {
        let fallback = |why| (Decision::Fallback, why);
        let mut needs_home = false;
        for requirement in &target.requires {
            match requirement {
                Requirement::Tool(name) => {
                    let detail = format!("the host has no tool {name:?}");
                    need(self.snapshot.has_tool(name), Reason::CapabilityMissing, detail)
                        .map_err(fallback)?;
                }
                Requirement::NoDelivery => {
                    let allowed = self.snapshot.consents_to("delivery:disabled");
                    let detail = "nothing proves that the run cannot deliver";
                    need(allowed, Reason::CapabilityMissing, detail)
                        .map_err(|why| (Decision::Blocked, why))?;
                }
                Requirement::ExplicitRequest => {
                    let detail = "no person asked for it: the consent `lookup` is missing";
                    need(self.snapshot.consents_to("lookup"), Reason::MissingEvidence, detail)
                        .map_err(fallback)?;
                }
                Requirement::IsolatedHome => needs_home = true,
                Requirement::Binding(_) => {}
            }
        }
        Ok(needs_home)
    }

    /// The proved home.
    fn home(&self) -> Result<String, Shut> {
        let unsafe_home = |why: String| Shut::For(Reason::UnsafeRuntimeHome, why);
        let Some(said) = self.snapshot.runtime_home() else {
            return Err(unsafe_home("the snapshot names no home of this run".into()));
        };
        shape::object(said, "runtime_home")?;
        let field = |name: &str| -> Result<&str, Shut> {
            let value: &Json = said
                .get(name)
                .ok_or_else(|| unsafe_home(format!("the home of the process is unproven: no `{name}`")))?;
            Ok(shape::path(value, name)?)
        };
        let path = field("path")?;
        if field("parent_home")? != path || field("dispatcher_home")? != path {
            return Err(unsafe_home("parent, dispatcher and task do not use one home".into()));
        }
        let mounts = self.sources.mounts();
        home::prove(path, self.project, &|below| self.sources.directory(below), mounts.as_deref())
            .map_err(unsafe_home)?;
        Ok(path.to_owned())
    }
}
