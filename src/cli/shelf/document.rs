//! The JSON form of the shelf's verbs: the plan, and what became of it.

use std::path::Path;

use serde::Serialize;

use super::super::shape::path_text;
use super::words;
use crate::check::Summary;
use crate::handoff::count_of;
use crate::shelf::{Done, Fate, Plan, Quota, Settled, Told, Verb, handoffs};

/// `moorline.archive/1`, `moorline.trash/1`, `moorline.put-back/1`, `moorline.cleanup/1`, `moorline.undo/1`
#[derive(Serialize)]
pub(super) struct ShelfDocument<'a> {
    schema: String,
    /// Whether everything was moved that was to be. `false` also for a dry run, where a yes is missing, and where
    /// nothing was to be moved; what became of each stands in `moves`.
    done: bool,
    /// The id by which it can be undone.
    action: Option<&'a str>,
    /// The action that was taken back.
    undoes: Option<&'a str>,
    /// Newer actions of this project that cannot be taken back, newest first.
    passed_over: Vec<ToldShape<'a>>,
    /// A newer action from another project, which is left alone.
    elsewhere: Option<ToldShape<'a>>,
    moves: Vec<MoveShape<'a>>,
    /// What is not touched, and why.
    spared: Vec<SparedShape<'a>>,
    quota: Option<Quota>,
    /// Trash entries that are too many, oldest first.
    evict: Vec<String>,
    /// Those of them that were deleted for good.
    evicted: Vec<String>,
    /// Actions that had been cut off, and what became of them.
    settled: Vec<SettledShape<'a>>,
    remarks: Vec<&'a str>,
    summary: Summary,
}

#[derive(Serialize)]
struct MoveShape<'a> {
    from: String,
    /// Where it goes, or went.
    to: String,
    /// The name that was taken.
    instead_of: Option<String>,
    bytes: u64,
    /// `would_move`, `moved`, `stayed`, `not_begun`
    outcome: &'static str,
    reason: Option<&'a str>,
}

/// An action of the log.
#[derive(Serialize)]
pub struct ToldShape<'a> {
    action: &'a str,
    verb: Verb,
    time: &'a str,
    /// Handoffs of it that were not taken back since.
    handoffs: usize,
    /// How many files they are.
    files: usize,
    /// How many of the handoffs a save only put away.
    put_away: usize,
    /// `null` where the log does not say.
    project: Option<String>,
    /// Why it cannot be taken back; `null` for one that is only left alone.
    reason: Option<&'a str>,
}

impl<'a> ToldShape<'a> {
    /// An action, with why it cannot be taken back.
    pub fn of(told: &'a Told, reason: Option<&'a str>) -> Self {
        let project = told.project.as_deref().map(path_text);
        let Told { id: action, time, verb, handoffs, files, put_away, .. } = told;
        let (verb, handoffs, files, put_away) = (*verb, *handoffs, *files, *put_away);
        Self { action, verb, time, handoffs, files, put_away, project, reason }
    }
}

#[derive(Serialize)]
struct SparedShape<'a> {
    path: String,
    reason: &'a str,
}

#[derive(Serialize)]
struct SettledShape<'a> {
    action: &'a str,
    verb: Verb,
    time: &'a str,
    said: &'a str,
    unsettled: Vec<String>,
}

/// The document of a plan that was not carried out, because it was only to be shown or for want of a yes. `settled` was
/// settled before it.
pub(super) fn planned<'a>(plan: &'a Plan, settled: &'a [Settled], wants_yes: bool) -> ShelfDocument<'a> {
    let document = of(plan, None, settled);
    match wants_yes {
        true => {
            let summary = document.summary.outcome("nothing was moved: it needs a yes");
            ShelfDocument { summary: summary.next("say yes to it: the same with --yes"), ..document }
        }
        false => document,
    }
}

/// The document of a plan that was carried out.
pub(super) fn done<'a>(plan: &'a Plan, done: &'a Done) -> ShelfDocument<'a> {
    of(plan, Some(done), &[])
}

fn of<'a>(plan: &'a Plan, done: Option<&'a Done>, settled: &'a [Settled]) -> ShelfDocument<'a> {
    let word = plan.verb.word();
    let settled = done.map_or(settled, |done| &done.settled);
    let moves = plan.moves.iter().enumerate().map(|(at, way)| {
        let became = done.and_then(|done| done.outcomes.get(at));
        let taken = became.map_or(way.instead_of.as_deref(), |outcome| way.lost_name(outcome));
        let (outcome, to, reason) = match became.map(|outcome| &outcome.fate) {
            None => ("would_move", &way.to.path, None),
            Some(Fate::Moved(to)) => ("moved", to, None),
            Some(Fate::Stayed(why)) => ("stayed", &way.to.path, Some(why.as_str())),
            Some(Fate::NotBegun) => ("not_begun", &way.to.path, None),
        };
        MoveShape {
            from: path_text(&way.from.path),
            to: path_text(to),
            instead_of: taken.map(path_text),
            bytes: way.bytes,
            outcome,
            reason,
        }
    });
    ShelfDocument {
        schema: format!("moorline.{word}/1"),
        done: done.is_some_and(|done| is_whole(plan, done)),
        action: done.and_then(|done| done.action.as_deref()),
        undoes: plan.undoes(),
        passed_over: plan
            .passed_over
            .iter()
            .map(|passed| ToldShape::of(&passed.action, Some(&passed.reason)))
            .collect(),
        elsewhere: plan.elsewhere.as_ref().map(|told| ToldShape::of(told, None)),
        moves: moves.collect(),
        spared: plan
            .spared
            .iter()
            .map(|spared| SparedShape { path: path_text(&spared.path), reason: &spared.reason })
            .collect(),
        quota: plan.quota,
        evict: plan.evict.iter().map(|path| path_text(path)).collect(),
        evicted: done.iter().flat_map(|done| &done.evicted).map(|path| path_text(path)).collect(),
        settled: settled
            .iter()
            .map(|one| SettledShape {
                action: &one.action,
                verb: one.verb,
                time: &one.time,
                said: &one.said,
                unsettled: one.unsettled.iter().map(|path| path_text(path)).collect(),
            })
            .collect(),
        remarks: done
            .iter()
            .flat_map(|done| &done.remarks)
            .chain(&plan.remarks)
            .map(String::as_str)
            .collect(),
        summary: summary(plan, done),
    }
}

/// What was done, why anything stayed, and what may follow.
fn summary(plan: &Plan, done: Option<&Done>) -> Summary {
    let word = plan.verb.word();
    let all = plan.handoffs();
    let files = match plan.files() {
        files if files > all => format!(" in {}", count_of(files, "file", "files")),
        _ => String::new(),
    };
    let Some(done) = done else {
        if !plan.is_empty() {
            let next = "do it: the same with --yes and without --dry-run";
            let summary = Summary::plain(format!("would {word} {}{files}", handoffs(all)), next);
            return match plan.spared.first().filter(|_| plan.verb != Verb::Cleanup) {
                Some(spared) => summary.outcome(stays(&spared.path, &spared.reason)),
                None => summary,
            };
        }
        let summary =
            Summary::plain(format!("nothing to {}", words::verb(plan.verb).0.to_lowercase()), "nothing");
        // A cleanup is not asked for anything by name: what it spares is as it should be.
        return match plan.spared.first().filter(|_| plan.verb != Verb::Cleanup) {
            Some(spared) if plan.verb == Verb::PutBack => summary
                .outcome(stays(&spared.path, &spared.reason))
                .next("another place: moorline put-back NAME --to PATH"),
            Some(spared) => summary.outcome(stays(&spared.path, &spared.reason)).next(SETTLE),
            None if plan.remarks.is_empty() => summary,
            None => {
                let summary = summary.outcome(plan.remarks.join("\n"));
                if plan.verb == Verb::Undo {
                    summary.next("see which there are: moorline undo --list")
                } else {
                    summary
                }
            }
        };
    };
    let take_back = match (&done.action, plan.verb) {
        // What the text form does not offer either: an undo is not undone, and nothing moved is nothing to undo.
        (Some(id), verb) if verb != Verb::Undo && done.moved() > 0 => {
            Some(format!("take it back: moorline undo {id}"))
        }
        _ => None,
    };
    let said = format!("{word}: {} of {all} moved{files}", done.handoffs(plan));
    let stayed = done.outcomes.iter().find_map(|outcome| match &outcome.fate {
        Fate::Stayed(why) => Some(stays(&outcome.from, why)),
        Fate::Moved(_) | Fate::NotBegun => None,
    });
    let spared = plan.spared.first().filter(|_| plan.verb != Verb::Cleanup);
    let stayed = stayed.or_else(|| spared.map(|spared| stays(&spared.path, &spared.reason)));
    match (is_whole(plan, done), stayed, take_back) {
        (true, _, back) => Summary::plain(said, back.unwrap_or_else(|| "nothing".to_owned())),
        (false, why, back) => {
            let next = back.map_or_else(|| SETTLE.to_owned(), |back| format!("{SETTLE}; or {back}"));
            let summary = Summary::plain(said, next);
            match why {
                Some(why) => summary.outcome(why),
                None => summary,
            }
        }
    }
}

/// Whether everything was moved that was asked for: what a person named and what stays of it is missing.
pub(super) fn is_whole(plan: &Plan, done: &Done) -> bool {
    done.moved() == plan.moves.len() && (plan.spared.is_empty() || !plan.is_named())
}

/// What to do where something stayed.
const SETTLE: &str = "settle the reason, then do it again";

fn stays(path: &Path, why: &str) -> String {
    format!("stays: {} – {why}", path_text(path))
}
