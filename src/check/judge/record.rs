//! What the saver said: it can block a lane, never pass one.

use super::super::report::{Check, CheckId};
use super::{AtLane, at_root, unrecorded};
use crate::handoff::{Handoff, LaneStatus, Resumability, Root};

pub(super) fn status(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::Status, "status").expected("not completed").source("the file");
    match at.lane.status {
        None => unrecorded(draft, &at.lane.fields, "status", "status"),
        Some(LaneStatus::Completed) => {
            draft.observed("completed").failed("saved as completed: never restarted")
        }
        Some(LaneStatus::Running) => {
            draft.observed("running").passed_with("running when it was saved: history, proves nothing now")
        }
        Some(LaneStatus::Blocked) => draft.observed("blocked").passed(),
        Some(LaneStatus::Unknown) => draft.observed("unknown").passed(),
    }
}

pub(super) fn resumability(at: &AtLane<'_>) -> Check {
    let draft =
        at.check(CheckId::SavedResumability, "resumability").expected("unverified").source("the file");
    match at.lane.resumability {
        None => unrecorded(draft, &at.lane.fields, "resumability", "resumability"),
        Some(Resumability::Unverified) => draft.observed("unverified").passed(),
        Some(Resumability::NotResumable) => {
            let why =
                at.lane.reason.as_ref().map_or("no reason was recorded".into(), |why| why.raw().to_owned());
            draft.observed("not_resumable").failed(format!("saved as not resumable: {why}"))
        }
    }
}

pub(super) fn stage(handoff: &Handoff, root: &Root) -> Check {
    let draft =
        at_root(handoff, CheckId::Stage, "current_stage").expected("a stage, shown and never executed");
    match &root.current_stage {
        Some(stage) if !stage.is_blank() => draft.observed(stage.clone()).source("the file").passed(),
        _ => unrecorded(draft, &handoff.fields, "current_stage", "stage"),
    }
}
