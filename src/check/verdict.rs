//! Checks → verdict: a pure fold.

use super::judge::Judged;
use super::report::{Check, CheckId, LaneReport, Outcome, Verdict, lane_name};
use crate::handoff::{Handoff, Inert, LaneStatus};
use crate::harness::Owner;

/// Folds the checks of a lane. Precedence: running, completed, not resumable, unknown, validated. Root checks
/// count for every lane; a lane without a single check of its own was never looked at and is not validated.
pub fn of_lane(root: &[Check], own: &[Check], completed: bool, running: bool) -> Verdict {
    let any = |outcome| root.iter().chain(own).any(|check| check.outcome == outcome);
    if running {
        Verdict::Running
    } else if completed {
        Verdict::Completed
    } else if any(Outcome::Failed) {
        Verdict::NotResumable
    } else if own.is_empty() || any(Outcome::Unknown) {
        Verdict::Unknown
    } else {
        Verdict::Validated
    }
}

/// Why a lane came out so: what failed before what is unknown, each in the table's order, root checks first.
pub fn reasons(root: &[Check], own: &[Check], verdict: Verdict) -> Vec<Inert> {
    let with = |outcome| {
        let checks = root.iter().chain(own).filter(move |check| check.outcome == outcome);
        checks.map(sentence)
    };
    let first = match verdict {
        // What decided is said first; the rest is still said.
        Verdict::Running => Some(CheckId::Liveness),
        Verdict::Completed => Some(CheckId::Status),
        _ => None,
    };
    let decided = own.iter().filter(|check| Some(check.id) == first).map(sentence);
    let mut all: Vec<Inert> = decided.collect();
    for reason in with(Outcome::Failed).chain(with(Outcome::Unknown)) {
        if !all.contains(&reason) {
            all.push(reason);
        }
    }
    all
}

/// A check's reason as one sentence.
pub fn sentence(check: &Check) -> Inert {
    match &check.reason {
        Some(reason) => format!("{}: {}", check.id.as_str(), reason.raw()).into(),
        None => check.id.as_str().into(),
    }
}

/// Folds every lane of a handoff.
pub fn lanes(handoff: &Handoff, judged: &Judged, owners: &[Option<Owner>]) -> Vec<LaneReport> {
    judged
        .lanes
        .iter()
        .enumerate()
        .map(|(index, checks)| {
            let owner = owners.get(index).cloned().flatten();
            let completed =
                handoff.lanes.get(index).and_then(|lane| lane.status) == Some(LaneStatus::Completed);
            let verdict = of_lane(&judged.root, checks, completed, owner.is_some());
            let reasons = reasons(&judged.root, checks, verdict);
            LaneReport { index, verdict, reasons, checks: checks.clone(), owner, run: None }
        })
        .collect()
}

/// The verdict over all lanes: the worst of those in flight, how many of them are validated, and why.
pub fn of_lanes(
    handoff: &Handoff,
    root: &[Check],
    lanes: &[LaneReport],
) -> (Verdict, (usize, usize), Option<Inert>) {
    let in_flight: Vec<_> = lanes.iter().filter(|lane| lane.verdict != Verdict::Completed).collect();
    let validated = in_flight.iter().filter(|lane| lane.verdict == Verdict::Validated).count();
    let counts = (validated, in_flight.len());
    if lanes.is_empty() {
        let failed = root.iter().find(|check| check.outcome == Outcome::Failed);
        let reason = match failed {
            Some(check) => format!("nothing to resume: no lane in flight; {}", sentence(check).raw()),
            None => "nothing to resume: no lane in flight".to_owned(),
        };
        return (Verdict::NotResumable, counts, Some(reason.into()));
    }
    let worst = in_flight.iter().min_by_key(|lane| rank(lane.verdict));
    let Some(worst) = worst else {
        return (Verdict::Completed, counts, Some("every lane was saved as completed".into()));
    };
    let reason = worst
        .reasons
        .first()
        .map(|reason| Inert::from(format!("{}: {}", lane_name(handoff, worst.index), reason.raw())));
    (worst.verdict, counts, reason)
}

/// How bad a lane's verdict is for its handoff: the smaller the worse.
fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::NotResumable => 0,
        Verdict::Unknown => 1,
        Verdict::Running => 2,
        _ => 3,
    }
}

/// The verdict of a context-only handoff, and why.
pub fn of_context(checks: &[Check]) -> (Verdict, Option<Inert>) {
    let with = |outcome| checks.iter().filter(move |check| check.outcome == outcome);
    let first = |outcome| with(outcome).min_by_key(|check| telling(check.id));
    if let Some(failed) = first(Outcome::Failed) {
        return (Verdict::Drifted, Some(sentence(failed)));
    }
    match (first(Outcome::Passed), first(Outcome::Unknown)) {
        (Some(_), None) => (Verdict::Current, None),
        // Half an answer is no answer: what could not be told keeps the whole from being called current.
        (_, Some(unknown)) => (Verdict::Unverifiable, Some(sentence(unknown))),
        (None, None) => (Verdict::Unverifiable, Some("it records nothing that can be compared".into())),
    }
}

/// How much a check of a context tells: the smaller the more. Where the work stands is said before what lies
/// around it.
fn telling(id: CheckId) -> u8 {
    match id {
        CheckId::Record | CheckId::ProjectRoot | CheckId::Repository => 0,
        CheckId::Commit => 1,
        CheckId::Branch => 2,
        CheckId::Claims => 3,
        CheckId::Plan => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::Subject;
    use super::*;
    use crate::handoff::{Family, Format, Lane};

    fn check(id: CheckId, outcome: Outcome) -> Check {
        Check {
            id,
            subject: Subject::Root,
            outcome,
            expected: None,
            observed: None,
            source: None,
            reason: Some("why".into()),
            line: None,
        }
    }

    #[test]
    fn precedence_within_a_lane() {
        let passed = check(CheckId::Stage, Outcome::Passed);
        let failed = check(CheckId::Liveness, Outcome::Failed);
        let unknown = check(CheckId::SessionModel, Outcome::Unknown);
        let aside = check(CheckId::RuntimeHome, Outcome::NotApplicable);
        let all = [passed.clone(), failed.clone(), unknown.clone()];
        assert_eq!(of_lane(&[], &all, true, true), Verdict::Running, "a live owner is said first");
        assert_eq!(
            of_lane(&[], &all, true, false),
            Verdict::Completed,
            "a completed lane is never restarted"
        );
        assert_eq!(
            of_lane(&[], &all, false, false),
            Verdict::NotResumable,
            "a contradiction outweighs a doubt"
        );
        let doubtful = [passed.clone(), unknown];
        assert_eq!(of_lane(&[], &doubtful, false, false), Verdict::Unknown, "a doubt is never a yes");
        assert_eq!(
            of_lane(&[failed], std::slice::from_ref(&passed), false, false),
            Verdict::NotResumable,
            "root checks count"
        );
        assert_eq!(
            of_lane(&[], &[passed, aside], false, false),
            Verdict::Validated,
            "and everything passed is a yes"
        );
        assert_eq!(of_lane(&[], &[], false, false), Verdict::Unknown, "nothing was compared: never a yes");
    }

    #[test]
    fn failures_are_said_before_doubts() {
        let own = [check(CheckId::Worktree, Outcome::Unknown), check(CheckId::Status, Outcome::Failed)];
        let said = reasons(&[check(CheckId::Stage, Outcome::Failed)], &own, Verdict::NotResumable);
        assert_eq!(said, ["stage: why".into(), "status: why".into(), Inert::from("worktree: why")]);
    }

    #[test]
    fn a_handoff_is_as_good_as_its_worst_lane_in_flight() {
        let over = |verdicts: &[Verdict]| {
            let mut handoff = Handoff::empty(Family::Thunderkit, Format::Yaml);
            handoff.lanes = verdicts.iter().map(|_| Lane::default()).collect();
            let lane = |(index, &verdict)| LaneReport {
                index,
                verdict,
                reasons: Vec::new(),
                checks: Vec::new(),
                owner: None,
                run: None,
            };
            let lanes: Vec<_> = verdicts.iter().enumerate().map(lane).collect();
            let (verdict, counts, _) = of_lanes(&handoff, &[], &lanes);
            (verdict, counts)
        };
        use Verdict::{Completed, NotResumable, Running, Unknown, Validated};
        assert_eq!(over(&[Validated, Running]), (Running, (1, 2)), "running outweighs validated");
        assert_eq!(over(&[Unknown, Running]), (Unknown, (0, 2)), "unknown outweighs running");
        assert_eq!(over(&[NotResumable, Unknown]), (NotResumable, (0, 2)), "not resumable outweighs all");
        assert_eq!(over(&[Completed, Validated]), (Validated, (1, 1)), "completed lanes are left out");
        assert_eq!(over(&[Completed, Completed]), (Completed, (0, 0)), "unless all are");
        assert_eq!(over(&[]), (NotResumable, (0, 0)), "nothing in flight is nothing to resume");
    }

    #[test]
    fn a_context_is_current_only_when_all_that_could_be_compared_holds() {
        let passed = check(CheckId::Branch, Outcome::Passed);
        let failed = check(CheckId::Commit, Outcome::Failed);
        let unknown = check(CheckId::DirtyFiles, Outcome::Unknown);
        assert_eq!(of_context(std::slice::from_ref(&passed)).0, Verdict::Current);
        assert_eq!(of_context(&[passed.clone(), failed]).0, Verdict::Drifted);
        assert_eq!(of_context(&[passed, unknown]).0, Verdict::Unverifiable, "half an answer is no answer");
        let [dirt, plan, claims, commit] =
            [CheckId::DirtyFiles, CheckId::Plan, CheckId::Claims, CheckId::Commit]
                .map(|id| check(id, Outcome::Failed));
        let (_, why) = of_context(&[dirt.clone(), plan.clone(), claims.clone(), commit]);
        assert_eq!(why, Some("commit: why".into()), "where the work stands is the first reason");
        assert_eq!(
            of_context(&[dirt, plan, claims]).1,
            Some("claims: why".into()),
            "then what the text says"
        );
        assert_eq!(of_context(&[]).0, Verdict::Unverifiable, "nothing compared is nothing verified");
    }
}
