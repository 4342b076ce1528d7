//! thunderkit's document: captured facts, lanes, and the policy of a valid config.

use std::path::Path;

use chrono::Utc;

use super::CAP;
use super::draft::{Refusal, Request};
use super::facts::{Captured, Facts};
use super::lanes::{self, digest};
use super::model::Policy;
use super::narrative::{Body, LaneWord, Narrative, Topic};
use crate::check::Examiner;
use crate::check::evidence::Seen;
use crate::disk::Beneath;
use crate::handoff::none::NOT_RECORDED;
use crate::handoff::thunderkit::write::{self, Document};
use crate::handoff::{Habit, Handoff, Inert, Lane, RelPath, Root, Source, thunderkit};
use crate::policy::{Catalog, Config};
use crate::repo::Repo;

/// The document's text, and what was captured for it besides the repository's facts.
///
/// # Errors
/// [`Refusal`]: a fact that the format needs is not known, or something was said that it has no place for.
pub(super) fn document(
    examiner: &Examiner,
    request: &Request<'_>,
    narrative: &Narrative,
    facts: &Facts,
    replaced: Option<&[u8]>,
) -> Result<(String, Vec<Captured>), Refusal> {
    let policy = Said::of(examiner);
    let before = replaced.map(before);
    let mut captured = vec![match &policy.config {
        Ok(_) => Captured::known("model_contract", "recorded", CONFIG),
        Err(why) => Captured::unknown("model_contract", why.as_str()),
    }];
    let (lanes, of_lanes) = lanes(examiner, request, narrative, before.as_ref(), &policy)?;
    captured.extend(of_lanes);
    let root = root(examiner, narrative, facts, before.as_ref(), policy.config.as_ref().ok(), &mut captured)?;
    let decisions = narrative.body(Topic::Decisions).map(Body::items).unwrap_or_default();
    let decisions = decisions.into_iter().map(Inert::from).collect();
    let document = Document {
        saved_at: request.now.with_timezone(&Utc),
        root,
        lanes,
        decisions,
        next_action: narrative
            .body(Topic::Next)
            .map(Body::whole)
            .filter(|text| !text.is_empty())
            .map(Inert::from)
            .ok_or_else(|| Refusal("thunderkit's handoff needs `next`: what is to be done next".into()))?,
        open_unknowns: match narrative.body(Topic::Open).map(Body::whole) {
            None => NOT_RECORDED.into(),
            Some(text) if text.is_empty() => "none".into(),
            Some(text) => text.into(),
        },
    };
    let text = write::document(&document).map_err(|problems| {
        let said: Vec<_> = problems
            .iter()
            .filter(|problem| problem.is_error())
            .map(|problem| problem.message.shown())
            .collect();
        Refusal(format!("this cannot be written so that it reads back the same: {}", said.join("; ")))
    })?;
    match text.len() <= CAP {
        true => Ok((text, captured)),
        false => Err(Refusal(format!(
            "{} bytes, and a handoff has at most {CAP}; the longest fields are {}",
            text.len(),
            longest(&document)
        ))),
    }
}

/// The policy's files as they are.
pub(super) struct Said {
    /// The config, or why there is none to go by.
    pub(super) config: Result<Config, String>,
    catalog: Seen<Catalog>,
}

impl Said {
    /// Of the examiner's project.
    pub(super) fn of(examiner: &Examiner) -> Self {
        Self { config: config(examiner.project()), catalog: examiner.catalog() }
    }

    /// Config and catalog, where they are valid.
    pub(super) fn policy(&self) -> Policy<'_> {
        Policy { config: self.config.as_ref().ok(), catalog: self.catalog.value() }
    }
}

/// What the bytes that are replaced say.
pub(super) fn before(bytes: &[u8]) -> Handoff {
    thunderkit::read(&Source { bytes, name: "HANDOFF.md", habit: Habit::Thunderkit, cut_from: None })
}

/// The lanes as they would be written, and where each one comes from.
///
/// # Errors
/// [`Refusal`] where something was said of a lane that there is none of, or that cannot be.
pub(super) fn lanes(
    examiner: &Examiner,
    request: &Request<'_>,
    narrative: &Narrative,
    before: Option<&Handoff>,
    policy: &Said,
) -> Result<(Vec<Lane>, Vec<Captured>), Refusal> {
    let repo = Repo::open(examiner.project())
        .map_err(|why| Refusal(format!("thunderkit needs the root of a worktree: {why}")))?;
    let ask = |said| lanes::Ask {
        around: examiner.around(),
        repo: &repo,
        before: before.map_or(&[][..], |before| &before.lanes),
        said,
        drop: &request.drop,
        policy: policy.policy(),
    };
    let said =
        with_binding(narrative, request, || lanes::lanes(&ask(&narrative.lanes)).map(|(lanes, _)| lanes))?;
    lanes::lanes(&ask(&said))
}

/// What was said of lanes, with what the command line says of one; of the only one where it names none.
fn with_binding(
    narrative: &Narrative,
    request: &Request<'_>,
    lanes: impl FnOnce() -> Result<Vec<Lane>, Refusal>,
) -> Result<Vec<LaneWord>, Refusal> {
    let mut said = narrative.lanes.clone();
    let Some(binding) = &request.binding else { return Ok(said) };
    let id = match binding.id.as_str() {
        "" => match lanes()?.as_slice() {
            [only] => only.id.as_ref().map(ToString::to_string).unwrap_or_default(),
            lanes => return Err(Refusal(format!("there are {} lanes: say --lane ID as well", lanes.len()))),
        },
        id => id.to_owned(),
    };
    let at = said.iter().position(|word| word.id == id).unwrap_or_else(|| {
        said.push(LaneWord { id, ..LaneWord::default() });
        said.len() - 1
    });
    said[at].class = binding.class.clone().or(said[at].class.take());
    said[at].model = binding.model.clone().or(said[at].model.take());
    Ok(said)
}

fn root(
    examiner: &Examiner,
    narrative: &Narrative,
    facts: &Facts,
    before: Option<&Handoff>,
    config: Option<&Config>,
    captured: &mut Vec<Captured>,
) -> Result<Root, Refusal> {
    let needed = |what: &str| Refusal(format!("thunderkit's handoff needs {what}"));
    let unknown = |name: &str| {
        let why = facts.captured.iter().find(|fact| fact.name == name).map(|fact| fact.source.shown_line());
        needed(&format!("the {name}, which is not known: {}", why.unwrap_or_default()))
    };
    let head = facts.head.as_ref().ok_or_else(|| unknown("head"))?;
    let said = narrative.artifact.as_deref().map(RelPath::parse).transpose();
    let said = said.map_err(|why| Refusal(format!("artifact: {why}")))?;
    let artifact = said.clone().or_else(|| before.and_then(Handoff::root)?.active_artifact.clone());
    let sha256 = match (&artifact, digest(examiner.project(), artifact.as_ref())) {
        (None, _) => None,
        (Some(path), Ok(digest)) => {
            captured.push(Captured::known("active_artifact", path.as_str(), format!("sha256 {digest}")));
            Some(digest)
        }
        (Some(_), Err(why)) if said.is_some() => return Err(Refusal(why)),
        (Some(_), Err(why)) => {
            captured.push(Captured::unknown("active_artifact", why));
            None
        }
    };
    let context = narrative.context.as_deref();
    let star = ".thunderkit/NORTH_STAR.md";
    if !examiner.project().join(star).is_file() {
        captured.push(Captured::unknown("north_star", format!("{star} is not there: a check will say so")));
    }
    Ok(Root {
        repository: Some(facts.identity.as_ref().ok_or_else(|| unknown("repository"))?.text.as_str().into()),
        branch: head.branch().cloned(),
        detached: head.branch().is_none(),
        head: Some(head.commit().ok_or_else(|| needed("a commit, and this branch has none yet"))?.clone()),
        north_star: RelPath::parse(star).ok(),
        current_stage: Some(
            narrative.phase.as_deref().ok_or_else(|| needed("`phase`: the current stage"))?.into(),
        ),
        active_artifact: artifact.filter(|_| sha256.is_some()),
        active_artifact_sha256: sha256,
        model_contract: config.map(Config::contract),
        context_at_save: context.map(Inert::from),
    })
}

const CONFIG: &str = ".thunderkit/config.json";

/// The config, or why there is none to go by: a save works without.
fn config(project: &Path) -> Result<Config, String> {
    let path = RelPath::parse(CONFIG).map_err(|why| why.to_string())?;
    let read = Beneath::open(project).and_then(|root| root.read(&path, 1 << 20));
    let content = read.map_err(|why| why.to_string())?;
    Config::parse(&content.bytes).map_err(|why| format!("{CONFIG}: {why}"))
}

/// The three longest texts by name, for somebody who has to shorten.
fn longest(document: &Document) -> String {
    let mut fields = vec![
        ("next_action".to_owned(), document.next_action.raw().len()),
        ("open_unknowns".to_owned(), document.open_unknowns.raw().len()),
    ];
    let decisions = document.decisions.iter().enumerate();
    fields.extend(decisions.map(|(at, text)| (format!("decisions[{at}]"), text.raw().len())));
    let reasons = document.lanes.iter().filter_map(|lane| Some((lane.id.as_ref()?, lane.reason.as_ref()?)));
    fields.extend(reasons.map(|(id, reason)| (format!("the reason of {id}"), reason.raw().len())));
    fields.sort_by_key(|(_, len)| std::cmp::Reverse(*len));
    let named = fields.iter().take(3).map(|(name, len)| format!("{name} ({len})"));
    named.collect::<Vec<_>>().join(", ")
}
