//! Lanes: one for each linked worktree inside the project, and those of the replaced handoff that are not seen here.
//! Nothing infers that a lane has ended.

use std::path::{Path, PathBuf};

use super::draft::Refusal;
use super::facts::Captured;
use super::model::{self, Policy};
use super::narrative::LaneWord;
use super::session::{self, Known};
use crate::disk::Beneath;
use crate::handoff::{
    BranchName, CommitId, Digest, Inert, Lane, LaneId, LaneStatus, Origin, RelPath, Resumability,
};
use crate::harness::{self, Liveness, Surroundings};
use crate::repo::Repo;

/// The lane of the project's own directory.
const ROOT_LANE: &str = "root";

/// What lanes are made from.
pub(super) struct Ask<'a> {
    pub(super) around: &'a Surroundings,
    pub(super) repo: &'a Repo,
    /// The lanes of the handoff that is replaced.
    pub(super) before: &'a [Lane],
    pub(super) said: &'a [LaneWord],
    /// Lanes that the saver takes out.
    pub(super) drop: &'a [String],
    pub(super) policy: Policy<'a>,
}

/// A worktree inside the project.
struct Place {
    relative: RelPath,
    path: PathBuf,
    branch: Option<BranchName>,
    head: Option<CommitId>,
}

/// The lanes in order, and where each one comes from.
///
/// # Errors
/// [`Refusal`] where something was said of a lane that there is none of, or that cannot be.
pub(super) fn lanes(ask: &Ask<'_>) -> Result<(Vec<Lane>, Vec<Captured>), Refusal> {
    let is = |lane: &Lane, id: &str| lane.id.as_ref().is_some_and(|own| own.as_str() == id);
    if let Some(id) = ask.drop.iter().find(|id| !ask.before.iter().any(|lane| is(lane, id))) {
        return Err(Refusal(format!("there is no lane {id} to take out")));
    }
    let mut before: Vec<Lane> = ask.before.iter().filter(|lane| lane.id.is_some()).cloned().collect();
    let (places, mut captured) = places(ask.repo)?;
    let (mut lanes, mut read) = (Vec::new(), Vec::new());
    for place in places {
        let old = before.iter().position(|lane| lane.worktree.as_ref() == Some(&place.relative));
        let lane = match old {
            Some(at) => before.remove(at),
            None => new(&place, &lanes, &before),
        };
        let said = word(ask.said, &lane);
        let known = session::of(ask.around, &place.path, said, &lane);
        // Every repository has a root; it is a lane only where something is known of it.
        let idle_root =
            place.relative.is_root() && old.is_none() && said.is_none() && known.session.is_none();
        if idle_root || ask.drop.iter().any(|id| is(&lane, id)) {
            continue;
        }
        read.push(matches!(known.session, Some((_, _, Some(_)))));
        lanes.push(seen(ask, lane, &place, said, known)?);
    }
    before.retain(|lane| !ask.drop.iter().any(|id| is(lane, id)));
    lanes.extend(before.into_iter().map(not_seen));
    if let Some(stray) = ask.said.iter().find(|word| !lanes.iter().any(|lane| is(lane, &word.id))) {
        let names: Vec<_> = lanes.iter().filter_map(|lane| lane.id.as_ref()).map(LaneId::as_str).collect();
        let there = match names.as_slice() {
            [] => "there is none".to_owned(),
            names => format!("there are: {}", names.join(", ")),
        };
        return Err(Refusal(format!("there is no lane {:?}; {there}", stray.id)));
    }
    for (at, lane) in lanes.iter().enumerate() {
        let id = lane.id.as_ref().map_or("?", LaneId::as_str);
        let session = lane.session_id.as_ref().map_or("no session".to_owned(), ToString::to_string);
        let reason = lane.reason.clone().unwrap_or_else(|| "".into());
        captured.push(Captured::known(&format!("lane {id}"), session, reason));
        let from_policy = at < read.len() && ask.policy.config.is_some() && ask.policy.catalog.is_some();
        captured.extend(models(id, lane, from_policy, read.get(at) == Some(&true)));
    }
    Ok((lanes, captured))
}

/// The models of a lane, each with where it was read.
fn models(id: &str, lane: &Lane, from_policy: bool, from_store: bool) -> Vec<Captured> {
    let (by_class, asked, answered) = (
        "by its class, from config and catalog",
        "what its harness's store says was asked of the model",
        "the model that answered last, by its harness's store",
    );
    let models = [
        ("requested_model", &lane.requested_model, from_policy, by_class),
        ("effective_model", &lane.effective_model, from_store, asked),
        ("observed_model", &lane.observed_model, from_store, answered),
    ];
    let said = models.into_iter().filter_map(|(name, model, is_read, source)| {
        let key = model.as_ref()?.catalog_key.clone();
        let source = if is_read { source } else { "the replaced handoff" };
        Some(Captured::known(&format!("lane {id} {name}"), key, source))
    });
    said.collect()
}

/// The worktrees inside the project, its own root last; those outside are said.
fn places(repo: &Repo) -> Result<(Vec<Place>, Vec<Captured>), Refusal> {
    let worktrees = repo.worktrees().map_err(|why| Refusal(why.to_string()))?;
    let (mut places, mut said) = (Vec::new(), Vec::new());
    for worktree in worktrees {
        let is_root = worktree.path == repo.root();
        let inside = worktree.path.strip_prefix(repo.root()).ok().and_then(Path::to_str);
        let relative = if is_root { Some(".") } else { inside };
        let name = format!("worktree {}", worktree.path.display());
        match (relative.map(RelPath::parse), worktree.head) {
            (_, Err(why)) => said.push(Captured::unknown(&name, why.to_string())),
            (Some(Ok(relative)), Ok(head)) => places.push(Place {
                relative,
                path: worktree.path,
                branch: head.branch().cloned(),
                head: head.commit().cloned(),
            }),
            _ => said.push(Captured::unknown(&name, "lies outside the project: no lane of it is recorded")),
        }
    }
    places.sort_by_key(|place| place.relative.is_root());
    Ok((places, said))
}

/// A lane of a worktree that the replaced handoff does not know, named as its directory.
fn new(place: &Place, lanes: &[Lane], before: &[Lane]) -> Lane {
    let name = match place.relative.is_root() {
        true => ROOT_LANE,
        false => place.path.file_name().and_then(|name| name.to_str()).unwrap_or_default(),
    };
    let taken = |id: &LaneId| lanes.iter().chain(before).any(|lane| lane.id.as_ref() == Some(id));
    let legal = if LaneId::parse(name).is_ok() { name } else { "lane" };
    let names = std::iter::once(legal.to_owned()).chain((2..).map(|number| format!("{legal}-{number}")));
    let id = names.filter_map(|name| LaneId::parse(&name).ok()).find(|id| !taken(id));
    Lane { id, worktree: Some(place.relative.clone()), origin: Some(Origin::Unknown), ..Lane::default() }
}

fn word<'a>(said: &'a [LaneWord], lane: &Lane) -> Option<&'a LaneWord> {
    said.iter().find(|word| lane.id.as_ref().is_some_and(|id| id.as_str() == word.id))
}

/// A lane whose worktree is here, as it is now.
fn seen(
    ask: &Ask<'_>,
    mut lane: Lane,
    place: &Place,
    said: Option<&LaneWord>,
    known: Known,
) -> Result<Lane, Refusal> {
    let mut notes = vec![known.why];
    lane.branch = place.branch.clone();
    lane.head = place.head.clone();
    let before = lane.session_id.take();
    let mut running = false;
    if let Some((harness, id, session)) = known.session {
        lane.harness = Some(harness);
        running = matches!(harness::of(harness).liveness(ask.around, &id), Liveness::Running(_));
        if running {
            notes.push("it was running when this was saved, and may go on once it has ended".into());
        }
        if let Some(session) = session {
            lane.harness_version =
                session.client_version.as_deref().map(Inert::from).or(lane.harness_version);
            let same = before.as_ref() == Some(&id);
            model::observe(&mut lane, harness, &session, ask.policy, same);
        }
        lane.session_id = Some(id);
    } else {
        model::forget(&mut lane);
        if let Some(harness) = said.and_then(|said| said.harness.as_deref()) {
            lane.harness = crate::handoff::HarnessName::parse(harness);
        }
    }
    model::request(&mut lane, said, ask.policy)?;
    lane.status = Some(status(said, running)?);
    if let Some(origin) = said.and_then(|said| said.origin.as_deref()) {
        lane.origin = Some(match origin {
            "owned" => Origin::Owned,
            "unknown" => Origin::Unknown,
            _ => return Err(Refusal(format!("no origin {origin:?} can be given: owned or unknown"))),
        });
    }
    artifact(ask.repo.root(), &mut lane, said, &mut notes)?;
    settle(&mut lane);
    lane.reason = Some(match said.and_then(|said| said.reason.as_deref()) {
        Some(reason) => reason.into(),
        None => notes.join("; ").into(),
    });
    Ok(lane)
}

/// What was said where only a person can know, `running` where it is proved, else unknown.
fn status(said: Option<&LaneWord>, running: bool) -> Result<LaneStatus, Refusal> {
    match (said.and_then(|said| said.status.as_deref()), running) {
        (Some("blocked"), _) => Ok(LaneStatus::Blocked),
        (Some("completed"), _) => Ok(LaneStatus::Completed),
        (Some("running" | "unknown") | None, true) => Ok(LaneStatus::Running),
        (Some("running" | "unknown") | None, false) => Ok(LaneStatus::Unknown),
        (Some(other), _) => {
            Err(Refusal(format!("no status {other:?}: running, blocked, completed or unknown")))
        }
    }
}

/// The artifact's digest as its bytes are now.
fn artifact(
    root: &Path,
    lane: &mut Lane,
    said: Option<&LaneWord>,
    notes: &mut Vec<String>,
) -> Result<(), Refusal> {
    if let Some(path) = said.and_then(|said| said.artifact.as_deref()) {
        lane.artifact =
            Some(RelPath::parse(path).map_err(|why| Refusal(format!("artifact {path:?}: {why}")))?);
        lane.artifact_sha256 = Some(digest(root, lane.artifact.as_ref()).map_err(Refusal)?);
        return Ok(());
    }
    if lane.artifact.is_some() {
        lane.artifact_sha256 = digest(root, lane.artifact.as_ref()).map_err(|why| notes.push(why)).ok();
    }
    Ok(())
}

/// The digest of a file of the project.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn digest(root: &Path, path: Option<&RelPath>) -> Result<Digest, String> {
    let path = path.ok_or("no artifact")?;
    let read = Beneath::open(root).and_then(|root| root.digest(path));
    read.map(|(digest, _)| digest).map_err(|why| format!("the artifact cannot be read: {why}"))
}

/// A lane of the replaced handoff whose worktree is not here: carried on until a person takes it out.
fn not_seen(mut lane: Lane) -> Lane {
    let written = lane.fields.get("worktree").and_then(|field| field.value.as_text());
    let outside = written.filter(|_| lane.worktree.is_none()).map(|text| text.shown_line());
    let reason =
        outside.map_or("not seen here".into(), |path| format!("not seen here; its worktree was {path}"));
    lane.status = Some(LaneStatus::Unknown);
    lane.origin.get_or_insert(Origin::Unknown);
    settle(&mut lane);
    lane.reason = Some(reason.into());
    lane
}

fn settle(lane: &mut Lane) {
    lane.resumability = Some(match lane.session_id {
        Some(_) => Resumability::Unverified,
        None => Resumability::NotResumable,
    });
}
