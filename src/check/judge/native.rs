//! Lanes that run a harness's own routine: they need provenance that matches byte by byte.

use super::super::report::{Check, CheckId};
use super::{AtLane, unrecorded};
use crate::handoff::{HarnessName, Origin};

pub(super) fn source(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::NativeSource, "origin");
    match at.lane.origin {
        Some(Origin::Owned) => draft.expected("owned").not_applicable("thunderkit's own routine"),
        Some(Origin::Unknown) => draft
            .expected("owned, or native with its provenance")
            .observed("unknown")
            .failed("whose routine this lane runs is not known, so there is nothing to compare"),
        Some(Origin::Native) => {
            let draft = draft.expected("native, with its provenance");
            if at.lane.source.is_none() {
                return unrecorded(draft, &at.lane.fields, "source", "native source");
            }
            draft.failed("no provenance is read yet: no pin to compare the native routine with")
        }
        None => unrecorded(draft, &at.lane.fields, "origin", "origin"),
    }
}

pub(super) fn runtime_home(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::RuntimeHome, "origin");
    match (at.lane.origin, at.lane.harness) {
        (Some(Origin::Native), Some(HarnessName::Hermes)) => {
            draft.failed("no isolated home is read yet: a native lane on hermes needs one")
        }
        _ => draft.not_applicable("only native lanes on hermes need a home of their own"),
    }
}
