//! Gathers evidence about a native lane: the pins of its own selector, the installed root, the plan and the home of
//! its run. And the record of a run, for every lane that has one.

use std::path::{Path, PathBuf};

use super::Examiner;
use super::evidence::{Fact, HomeSeen, NativePlanSeen, NativeSeen, Pins, RootSeen, Seen};
use super::survey::{POLICY_CAP, Survey, disk_fact};
use crate::disk::{Beneath, EntryKind};
use crate::handoff::{HarnessName, Lane, Origin, RelPath};
use crate::policy::lock::Lock;
use crate::policy::manifest::{RootKind, Target};
use crate::policy::provenance::{self, Fault, Installed as _, Pin};
use crate::policy::read::{self, Named, PeerRoot};
use crate::policy::run::RunRecord;
use crate::policy::{Manifest, Shut, home};

/// Where the lock of the installed peer lies.
const LOCK: &str = ".thunderkit/peers.lock.json";
/// Where runs lie.
const RUNS: &str = ".thunderkit/runs";
/// Most files that are looked at for a lane's run record.
const MOST: usize = 256;
/// Largest run record, in bytes.
const RECORD_CAP: u64 = 256 << 10;

/// The run that a lane's worktree belongs to: `.thunderkit/runs/<run>/worktrees/<lane>`.
fn run_of(lane: &Lane) -> Option<&str> {
    let below = lane.worktree.as_ref()?.as_str().strip_prefix(RUNS)?.strip_prefix('/')?;
    let (run, rest) = below.split_once('/')?;
    rest.starts_with("worktrees/").then_some(run)
}

/// What a native lane stands on; `None` for every other lane.
pub(super) fn survey(survey: &Survey<'_>, lane: &Lane, run: Option<&RunRecord>) -> Option<NativeSeen> {
    if lane.origin != Some(Origin::Native) {
        return None;
    }
    let pins = pins(survey, lane);
    let root = pins.and(|pins| installed(survey, lane, pins));
    Some(NativeSeen { pins, root, plan: run.and_then(|run| plan(survey, run)), home: home_of(survey, lane) })
}

/// The one target of the lane's own selector that may own a workflow, and its lock.
fn pins(survey: &Survey<'_>, lane: &Lane) -> Seen<Pins> {
    let manifest = survey.examiner.manifest();
    let manifest = match &manifest.fact {
        Fact::Known(manifest) => manifest,
        Fact::Absent(why) | Fact::Unknown(why) => {
            return Seen::unknown(why.as_str(), manifest.source.as_str());
        }
    };
    let source = manifest.source().plain();
    let (Some(ecosystem), Some(skill)) = (&lane.ecosystem, &lane.skill_name) else {
        return Seen::absent("no ecosystem and skill are recorded", source);
    };
    // A bare name is another package's as well: it counts only together with the entrypoint.
    let is_own = |target: &Target| {
        let entrypoint = lane.source.as_ref().is_some_and(|own| own.as_str() == target.provenance.entrypoint);
        target.selector == skill.raw() || (target.skill_name == skill.raw() && entrypoint)
    };
    let mut targets = manifest.workflows(ecosystem.raw()).into_iter().filter(is_own);
    let (Some(target), None) = (targets.next(), targets.next()) else {
        return Seen::absent("no manifest pins this selector's workflow: no pin to compare", source);
    };
    if target.version.is_some() {
        return Seen::known(Pins { target, lock: None }, source);
    }
    match lock(survey, lane, &target).fact {
        Fact::Known(lock) => Seen::known(Pins { target, lock: Some(lock) }, format!("{source} and {LOCK}")),
        Fact::Absent(why) => Seen::absent(why, LOCK),
        Fact::Unknown(why) => Seen::unknown(why, LOCK),
    }
}

/// The lock of the target on the lane's host.
fn lock(survey: &Survey<'_>, lane: &Lane, target: &Target) -> Seen<Lock> {
    let seen = survey.at(LOCK, |beneath, rel| beneath.read_in_place(rel, POLICY_CAP));
    let content = match seen.fact {
        Fact::Known(content) => content,
        Fact::Absent(why) => return Seen::absent(format!("the owner is unavailable: {why}"), LOCK),
        Fact::Unknown(why) => return Seen::unknown(why, LOCK),
    };
    let lock = match Lock::parse(&content.bytes) {
        Ok(lock) => lock,
        Err(why) => return Seen::absent(why.to_string(), LOCK),
    };
    let host = lane.harness.map(HarnessName::as_str).unwrap_or_default();
    let is_own = lock.peer == target.ecosystem && lock.package == target.package && lock.host == host;
    match is_own {
        true => Seen::known(lock, LOCK),
        false => Seen::absent("the owner is unavailable: the lock is for another peer or host", LOCK),
    }
}

/// The installed root with the answers to every gate.
fn installed(survey: &Survey<'_>, lane: &Lane, pins: &Pins) -> Seen<RootSeen> {
    let path = match (&pins.lock, pins.target.root, &survey.examiner.around().home) {
        (Some(lock), ..) => PathBuf::from(&lock.root),
        (None, RootKind::Omh, Some(home)) => home.join(".omh"),
        _ => match locked_root(survey, &pins.target) {
            Some(root) => root,
            None => {
                return Seen::absent("the owner is unavailable: nothing says where it is installed", LOCK);
            }
        },
    };
    let source = path.display().to_string();
    let root = match PeerRoot::open(&path) {
        Ok(root) => root,
        Err(Fault::Contradicted(why)) => {
            return Seen::absent(format!("the owner is unavailable: {why}"), source);
        }
        Err(Fault::Unreadable(why)) => return Seen::unknown(why, source),
    };
    let pin = Pin { target: &pins.target, lock: pins.lock.as_ref() };
    let said = |gate: Result<(), Shut>| gate.map_err(|why| why.words());
    let entrypoint = &pins.target.provenance.entrypoint;
    let names_entrypoint = lane.source.as_ref().is_some_and(|own| {
        let absolute = survey.root.join(own.as_path());
        own.as_str() == entrypoint || absolute.to_str().is_some_and(|path| root.is_at(path, entrypoint))
    });
    let seen = RootSeen {
        identity: said(provenance::identity(&pin, &root)),
        files: provenance::compare(&pin, &root),
        complete: said(provenance::is_complete(&pins.target, &root)),
        names_entrypoint,
    };
    Seen::known(seen, source)
}

/// Where a lock says that a target of the first generation lies: only the place is taken from it.
fn locked_root(survey: &Survey<'_>, target: &Target) -> Option<PathBuf> {
    let seen = survey.at(LOCK, |beneath, rel| beneath.read_in_place(rel, POLICY_CAP));
    let lock = Lock::parse(&seen.value()?.bytes).ok()?;
    (lock.peer == target.ecosystem).then(|| PathBuf::from(lock.root))
}

/// The native plan of a run against its bytes.
fn plan(survey: &Survey<'_>, run: &RunRecord) -> Option<NativePlanSeen> {
    let plan = run.native_plan.clone()?;
    let digest = plan.artifact.as_ref().map(|path| survey.digest(path));
    Some(NativePlanSeen { plan, record: run.path.clone(), digest })
}

/// The home of a native run on hermes: the one that moorline itself runs with.
fn home_of(survey: &Survey<'_>, lane: &Lane) -> Option<HomeSeen> {
    if lane.harness != Some(HarnessName::Hermes) {
        return None;
    }
    let around = survey.examiner.around();
    let own = around.vars.get(std::ffi::OsStr::new("HERMES_HOME")).and_then(|home| home.to_str());
    let Some(own) = own.filter(|home| !home.is_empty()) else {
        return Some(HomeSeen { own: None, proof: Err("moorline runs without a HERMES_HOME".into()) });
    };
    let proof = survey.root.canonicalize().map_err(|why| why.to_string()).and_then(|project| {
        let words = project.to_str().ok_or("the project root is not UTF-8")?;
        let mounts = read::mounts(&around.proc);
        home::prove(own, words, &|path| read::directory(&project, path), mounts.as_deref())?;
        match (home::run_of(own, words), run_of(lane)) {
            (Some(home), Some(run)) if home != run => {
                Err(format!("the home is that of run {home}, the lane's is {run}"))
            }
            _ => Ok(()),
        }
    });
    Some(HomeSeen { own: Some(own.to_owned()), proof })
}

/// The record of a lane's run: in the directory of its run where the worktree names one, else in any run's.
pub(super) fn run_record(survey: &Survey<'_>, lane: &Lane) -> Option<Seen<RunRecord>> {
    let id = lane.id.as_ref()?;
    let beneath = Beneath::open(survey.root).ok()?;
    let runs = match run_of(lane) {
        Some(run) => vec![format!("{RUNS}/{run}")],
        None => directories(&beneath),
    };
    let mut files: Vec<RelPath> = runs.iter().flat_map(|run| records(&beneath, run)).take(MOST).collect();
    // The file that is named for the lane comes first.
    files.sort_by_key(|path| !path.as_str().ends_with(&format!("/{id}.json")));
    for path in files {
        let content = match beneath.read(&path, RECORD_CAP) {
            Ok(content) if !content.cut => content,
            Ok(_) => continue,
            Err(why) => {
                let seen: Seen<RunRecord> = disk_fact(&why, path.as_str());
                return Some(seen);
            }
        };
        match RunRecord::parse(&content.bytes, &path, id) {
            Ok(Some(record)) => return Some(Seen::known(record, path.as_str())),
            Ok(None) => {}
            Err(why) => return Some(Seen::absent(why.to_string(), path.as_str())),
        }
    }
    None
}

fn directories(beneath: &Beneath) -> Vec<String> {
    let (_, entries) = beneath.list(Path::new(RUNS)).unwrap_or_else(|_| (beneath.id(), Vec::new()));
    let runs = entries.into_iter().filter(|entry| entry.kind == EntryKind::Directory);
    runs.filter_map(|run| Some(format!("{RUNS}/{}", run.name.to_str()?))).collect()
}

fn records(beneath: &Beneath, run: &str) -> Vec<RelPath> {
    let Ok((_, entries)) = beneath.list(Path::new(run)) else { return Vec::new() };
    let files = entries.into_iter().filter(|entry| entry.kind == EntryKind::File);
    let names = files.filter_map(|file| file.name.into_string().ok().filter(|name| name.ends_with(".json")));
    names.filter_map(|name| RelPath::parse(&format!("{run}/{name}")).ok()).collect()
}

impl Examiner {
    /// The manifest that native lanes are compared with, read once: the settings' one, else the one built in.
    pub fn manifest(&self) -> Seen<Manifest> {
        let read = || {
            let path = self.settings().manifest.as_deref();
            let source =
                path.map_or_else(|| "the built-in manifest".to_owned(), |path| path.display().to_string());
            // A manifest that was asked for and cannot be read is never replaced by another one in silence.
            let fact = Named::read_manifest(path).map_or_else(Fact::Unknown, Fact::Known);
            Seen { fact, source }
        };
        self.cache.manifest.get_or_init(read).clone()
    }
}
