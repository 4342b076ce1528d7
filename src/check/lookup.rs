//! Looks up what a text names: does it still hold?

mod paths;

use super::claims::{self, Kind, Mention, Named, Sense, Tone, Written};
use super::drift::again;
use super::evidence::Seen;
use super::plan;
use super::report::Claim;
use super::survey::Survey;
use crate::handoff::{self, BranchName, CommitId, Format, Handoff, Inert, Record, Revision};
use crate::repo::{Asking, BranchState, Head, Holder, Relation, Repo};
use paths::Fates;

/// What is said of a check box that is open.
const OPEN: &str = "open";

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
            let is_path = |path: &&Inert| claims::as_any_path(path.raw()).is_some();
            let paths = record.changed_files.iter().filter(is_path);
            let mention = |path: &Inert| listed(path.clone(), line, Tone::Listed, Sense::There);
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
    found.extend(plan::dropped(survey, text));
    let cut = "it names more than is looked up: only what it names first was compared";
    (found, named.cut.then(|| cut.into()))
}

/// What the text names, and what stands in the lists of files of a data file.
fn named(handoff: &Handoff, text: &str) -> Named {
    let written = match handoff.format {
        Format::Json | Format::Yaml => Written::AsData,
        Format::Markdown | Format::Text => Written::AsPage,
    };
    let mut named = claims::find(text, handoff.lines, written, || handoff::planned_lines(text, handoff));
    for file in handoff::listed_files(handoff) {
        if file.planned && file.gone {
            continue;
        }
        let words = file.text.raw();
        let Some(path) = claims::as_listed_path(words).or_else(|| claims::as_outer_path(words.trim())) else {
            continue;
        };
        if named.mentions.len() >= claims::MOST {
            named.cut = true;
            break;
        }
        // Data does not keep its lines: the first one that has these words is theirs.
        let line = text.find(path).map_or(1, |at| line_at(text, at));
        let tone = if file.planned { Tone::Planned } else { Tone::Listed };
        let sense = if file.gone { Sense::Gone } else { Sense::There };
        claims::add(&mut named.mentions, listed(path.into(), line, tone, sense));
    }
    named
}

/// A path in a list of files.
fn listed(text: Inert, line: u32, tone: Tone, sense: Sense) -> Mention {
    Mention { kind: Kind::Path, text, line, tone, sense, sure: true, below: None }
}

/// The number (from 1) of the line that a place in a text is on.
fn line_at(text: &str, at: usize) -> u32 {
    let breaks = text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
    u32::try_from(breaks).map_or(u32::MAX, |breaks| breaks.saturating_add(1))
}

fn look_up(survey: &Survey<'_>, mention: &Mention, head: &Seen<Head>, fates: &Fates) -> Option<Claim> {
    let now = head.value().and_then(Head::commit);
    let found = match (mention.kind, mention.sense) {
        (Kind::Path, _) => fates.found(mention)?,
        (Kind::Commit, _) => commit(survey, mention, now)?,
        (Kind::Branch, Sense::There) => branch(survey, mention)?,
        (Kind::Branch, Sense::Gone) => deleted_branch(survey, mention)?,
        (Kind::Branch, Sense::Merged) => merged_branch(survey, mention, now)?,
        (Kind::Tag, _) => tag(survey, mention)?,
        (Kind::Issue, _) => Found::told("not asked: its state lies on the network"),
        (Kind::Box, _) => Found::told(OPEN),
    };
    let (kind, text) = (mention.kind.as_str(), mention.text.clone());
    let Found { state, holds, counts } = found;
    // What is only guessed to be such a thing is none where nothing here knows it.
    if !mention.sure && holds.is_none() {
        return None;
    }
    Some(Claim { kind, text, line: mention.line, state: state.into(), holds, counts })
}

/// What was found out about a claim.
struct Found {
    state: String,
    holds: Option<bool>,
    counts: bool,
}

impl Found {
    fn holds(state: impl Into<String>) -> Self {
        Self { state: state.into(), holds: Some(true), counts: true }
    }

    fn fails(state: impl Into<String>) -> Self {
        Self { state: state.into(), holds: Some(false), counts: true }
    }

    /// It should be there to compare with, and could not be compared.
    fn unknown(state: impl Into<String>) -> Self {
        Self { state: state.into(), holds: None, counts: true }
    }

    /// Nothing here can tell; it is said, and decides nothing.
    fn told(state: impl Into<String>) -> Self {
        Self { state: state.into(), holds: None, counts: false }
    }

    fn planned() -> Self {
        Self::told(PLANNED)
    }
}

/// What is said of a thing that is there although the text says that it was deleted.
const STILL: &str = "still there, where the text says it was deleted";

fn commit(survey: &Survey<'_>, mention: &Mention, now: Option<&CommitId>) -> Option<Found> {
    let revision = Revision::parse(mention.text.raw()).ok()?;
    let (Ok(asking), Some(_)) = (&survey.asking, now) else {
        return Some(Found::unknown("unknown: no repository to ask"));
    };
    Some(match survey.examiner.relation_alone(asking, &revision) {
        Ok(Relation::Same | Relation::Ahead { .. }) => Found::holds("holds"),
        Ok(Relation::Diverged { holder: Holder::Reference(name), .. }) => {
            Found::holds(format!("holds: on {}", name.shown_line()))
        }
        Ok(Relation::Diverged { holder: Holder::Nobody, as_now: Some(as_now), .. }) => {
            Found::fails(format!("unreachable: {}", again(&as_now)))
        }
        Ok(Relation::Diverged { holder: Holder::Nobody, as_now: None, .. }) => {
            Found::fails("unreachable: no branch or tag has it")
        }
        Ok(Relation::Diverged { holder: Holder::Untold, .. }) => {
            Found::unknown("not in HEAD's history; whether a branch has it cannot be told")
        }
        // Digits that nothing beside them calls a commit are something else, then.
        Ok(Relation::Missing | Relation::NotACommit) if !mention.sure => return None,
        Ok(Relation::Missing) => Found::fails("unreachable: no such commit here"),
        Ok(Relation::NotACommit) => Found::fails("not a commit"),
        Ok(Relation::Ambiguous) => Found::unknown("unknown: fits several objects"),
        Err(why) => Found::unknown(format!("unknown: {why}")),
    })
}

fn branch(survey: &Survey<'_>, mention: &Mention) -> Option<Found> {
    let name = BranchName::parse(mention.text.raw()).ok()?;
    Some(match asked(survey, |asking| survey.examiner.branch(asking, &name)) {
        Ok(BranchState::Local(_)) => Found::holds("holds"),
        Ok(BranchState::RemoteOnly(_)) => Found::holds("only on the remote"),
        Ok(BranchState::Gone { .. }) if !mention.sure => return None,
        Ok(BranchState::Gone { .. }) if mention.tone == Tone::Planned => Found::planned(),
        Ok(BranchState::Gone { merged_into: Some(into) }) => {
            Found::fails(format!("gone (merged into {into})"))
        }
        Ok(BranchState::Gone { merged_into: None }) => Found::fails("gone"),
        Err(why) => Found::unknown(format!("unknown: {why}")),
    })
}

fn deleted_branch(survey: &Survey<'_>, mention: &Mention) -> Option<Found> {
    let name = BranchName::parse(mention.text.raw()).ok()?;
    Some(match asked(survey, |asking| survey.examiner.branch(asking, &name)) {
        Ok(BranchState::Local(_)) => Found::fails(STILL),
        // What is known of a remote is what was fetched last.
        Ok(BranchState::RemoteOnly(_)) => {
            Found::told("not compared: gone here, on the remote when it was fetched last")
        }
        Ok(BranchState::Gone { .. }) if !mention.sure => return None,
        Ok(BranchState::Gone { .. }) => Found::holds("holds: gone"),
        Err(why) => Found::unknown(format!("unknown: {why}")),
    })
}

/// A branch is merged where its tip is in HEAD's history, or a merge commit there names it. Elsewhere it may have been
/// merged as one commit, or into another branch: that is not told from not merged.
fn merged_branch(survey: &Survey<'_>, mention: &Mention, now: Option<&CommitId>) -> Option<Found> {
    let name = BranchName::parse(mention.text.raw()).ok()?;
    let tip = match asked(survey, |asking| survey.examiner.branch(asking, &name)) {
        Ok(BranchState::Local(tip)) => tip,
        Ok(BranchState::RemoteOnly(_)) => return Some(Found::told("not compared: only on the remote")),
        Ok(BranchState::Gone { merged_into: Some(into) }) => {
            return Some(Found::holds(format!("holds: merged into {into}")));
        }
        Ok(BranchState::Gone { merged_into: None }) => {
            return Some(Found::told("not compared: gone, and no merge commit of HEAD's history names it"));
        }
        Err(why) => return Some(Found::unknown(format!("unknown: {why}"))),
    };
    let (Ok(asking), Some(_)) = (&survey.asking, now) else {
        return Some(Found::unknown("unknown: no commit to compare with"));
    };
    Some(match survey.examiner.relation_alone(asking, &tip.into()) {
        Ok(Relation::Same | Relation::Ahead { .. }) => Found::holds("holds: merged"),
        Ok(_) => Found::told(
            "not compared: its tip is not in HEAD's history; it may have been merged as one commit or elsewhere",
        ),
        Err(why) => Found::unknown(format!("unknown: {why}")),
    })
}

fn tag(survey: &Survey<'_>, mention: &Mention) -> Option<Found> {
    let name = BranchName::parse(mention.text.raw()).ok()?;
    Some(match (ask(survey, |repo| repo.has_tag(&name)), mention.sense) {
        (Ok(false), _) if !mention.sure => return None,
        (Ok(true), Sense::Gone) => Found::fails(STILL),
        (Ok(false), Sense::Gone) => Found::holds("holds: gone"),
        (Ok(true), _) => Found::holds("holds"),
        (Ok(false), _) if mention.tone == Tone::Planned => Found::planned(),
        (Ok(false), _) => Found::fails("no such tag here"),
        (Err(why), _) => Found::unknown(format!("unknown: {why}")),
    })
}

fn ask<T>(
    survey: &Survey<'_>,
    question: impl FnOnce(&Repo) -> Result<T, crate::repo::RepoError>,
) -> Result<T, crate::repo::RepoError> {
    survey.repo.clone().and_then(|repo| question(&repo))
}

/// The same at the HEAD of the survey.
fn asked<T>(
    survey: &Survey<'_>,
    question: impl FnOnce(&Asking) -> Result<T, crate::repo::RepoError>,
) -> Result<T, crate::repo::RepoError> {
    survey.asking.as_ref().map_err(Clone::clone).and_then(question)
}
