//! Lanes that run a harness's own routine: they need provenance that matches byte by byte, a plan that was accepted,
//! and on hermes a home of their own.

use super::super::evidence::{Fact, NativePlanSeen, NativeSeen, Pins, Policy, RootSeen, Seen};
use super::super::report::{Check, CheckId};
use super::{AtLane, Draft, unrecorded};
use crate::handoff::{HarnessName, Origin};
use crate::policy::provenance::Pin;

/// The routine itself, then one row for each pinned file, and one for the native plan of its run.
pub(super) fn source(at: &AtLane<'_>, policy: &Policy) -> Vec<Check> {
    let mut checks = vec![whole(at, policy)];
    let Some(native) = &at.seen.native else { return checks };
    if let (Fact::Known(pins), Fact::Known(root)) = (&native.pins.fact, &native.root.fact) {
        checks.extend(root.files.iter().map(|file| {
            let draft = at.check(CheckId::NativeFile, "source").source(native.root.source.as_str());
            one(draft, pins, file)
        }));
    }
    checks.extend(native.plan.as_ref().map(|plan| accepted(at, plan)));
    if let Some(run) = at.seen.run.as_ref().filter(|run| run.value().is_none()) {
        // A record of this run that cannot be read may name a plan that was never accepted.
        let draft = at.check(CheckId::NativePlan, "ecosystem").expected("a run record that can be read");
        checks.push(draft.with(run, |draft, _| draft.passed()));
    }
    checks
}

fn whole(at: &AtLane<'_>, policy: &Policy) -> Check {
    let draft = at.check(CheckId::NativeSource, "origin");
    match at.lane.origin {
        Some(Origin::Owned) => draft.expected("owned").not_applicable("thunderkit's own routine"),
        Some(Origin::Unknown) => draft
            .expected("owned, or native with its provenance")
            .observed("unknown")
            .failed("whose routine this lane runs is not known, so there is nothing to compare"),
        Some(Origin::Native) => native(at, draft.expected("native, with its provenance"), policy),
        None => unrecorded(draft, &at.lane.fields, "origin", "origin"),
    }
}

/// What the lane records against its pins, then the root against them.
fn native(at: &AtLane<'_>, draft: Draft, policy: &Policy) -> Check {
    let lane = at.lane;
    let fields = &lane.fields;
    let Some(source) = &lane.source else { return unrecorded(draft, fields, "source", "native source") };
    let Some(ecosystem) = &lane.ecosystem else { return unrecorded(draft, fields, "ecosystem", "ecosystem") };
    let Some(skill) = &lane.skill_name else { return unrecorded(draft, fields, "skill_name", "skill") };
    let Some(version) = &lane.package_version else {
        return unrecorded(draft, fields, "package_version", "package version");
    };
    let Some(digest) = &lane.source_sha256 else {
        return unrecorded(draft, fields, "source_sha256", "digest of the native source");
    };
    let draft = draft.expected(format!(
        "{} {} {} ({source} sha256 {digest})",
        ecosystem.shown_line(),
        version.shown_line(),
        skill.shown_line()
    ));
    match &policy.config.fact {
        Fact::Known(config) if !config.delegation => {
            return draft.failed("delegation is off in the current config");
        }
        Fact::Known(config) if !config.ecosystems.iter().any(|own| own == ecosystem.raw()) => {
            return draft.failed("this ecosystem is not enabled in the current config");
        }
        Fact::Known(_) => {}
        Fact::Absent(why) | Fact::Unknown(why) => {
            return draft.unknown(format!("cannot be compared without a valid config: {why}"));
        }
    }
    let Some(NativeSeen { pins, root, .. }) = &at.seen.native else {
        return draft.failed("no provenance was read: no pin to compare the native routine with");
    };
    draft.with(pins, |draft, pins| {
        let pin = Pin { target: &pins.target, lock: pins.lock.as_ref() };
        if !lane.harness.is_some_and(|harness| pins.target.serves(harness.as_str())) {
            return draft.failed("the pinned routine is not made for this harness");
        }
        match pin.version() {
            Some(pinned) if pinned == version.raw() => {}
            Some(pinned) => return draft.failed(format!("the pinned version is {pinned}")),
            None => return draft.failed("the owner is unavailable: no lock says its version"),
        }
        let pinned = pin.digest(&pins.target.provenance.entrypoint);
        if pinned != Some(digest) {
            return draft.failed("the recorded digest is not the pinned one of the entrypoint");
        }
        draft.with(root, same)
    })
}

/// The installed root against the pins.
fn same(draft: Draft, root: &RootSeen) -> Check {
    if !root.names_entrypoint {
        return draft.failed("the recorded source is not the pinned entrypoint");
    }
    for gate in [&root.identity, &root.complete] {
        if let Err(why) = gate {
            return draft.failed(why.as_str());
        }
    }
    let wrong = root.files.iter().filter_map(|file| file.verdict().err()).map(|why| why.words());
    let wrong: Vec<_> = wrong.collect();
    match wrong.first() {
        Some(first) => draft.failed(format!("{first} ({} of {} files)", wrong.len(), root.files.len())),
        None => draft.observed(format!("the same in {} pinned files", root.files.len())).passed(),
    }
}

/// One pinned file.
fn one(draft: Draft, pins: &Pins, file: &crate::policy::provenance::Compared) -> Check {
    let pinned =
        file.pinned.as_ref().map_or_else(|| "no digest".to_owned(), |digest| format!("sha256 {digest}"));
    let draft = draft.expected(format!("{} {pinned}", file.path));
    let draft = match &file.found {
        Ok(digest) => draft.observed(format!("sha256 {digest}")),
        Err(_) => draft,
    };
    match file.verdict() {
        Ok(()) => draft.passed_with(format!("pinned for {}", pins.target.selector)),
        Err(why) => draft.failed(why.words()),
    }
}

/// The plan that the run was made from.
fn accepted(at: &AtLane<'_>, seen: &NativePlanSeen) -> Check {
    let draft = at.check(CheckId::NativePlan, "ecosystem").source(seen.record.as_str());
    let (Some(path), Some(pinned)) = (&seen.plan.artifact, &seen.plan.sha256) else {
        return draft.failed("the native plan names no file of the project, or no digest");
    };
    let draft = draft.expected(format!("{path} sha256 {pinned}, accepted"));
    let same = |one: &crate::handoff::Inert, own: &Option<crate::handoff::Inert>| own.as_ref() == Some(one);
    if !same(&seen.plan.ecosystem, &at.lane.ecosystem)
        || !same(&seen.plan.package_version, &at.lane.package_version)
    {
        return draft.failed("the native plan is of another ecosystem or version than the lane");
    }
    let unread = Seen::unknown("not read", path.as_str());
    let found = seen.digest.as_ref().unwrap_or(&unread);
    draft.with(found, |draft, found| {
        let draft = draft.observed(format!("sha256 {found}, {}", seen.plan.approval_status.shown_line()));
        match (found == pinned, seen.plan.is_accepted()) {
            (false, _) => draft.failed("the native plan has other bytes than those that were accepted"),
            (true, false) => draft.failed("the native plan carries no native acceptance"),
            (true, true) => draft.passed(),
        }
    })
}

pub(super) fn runtime_home(at: &AtLane<'_>) -> Check {
    let draft = at.check(CheckId::RuntimeHome, "origin");
    if (at.lane.origin, at.lane.harness) != (Some(Origin::Native), Some(HarnessName::Hermes)) {
        return draft.not_applicable("only native lanes on hermes need a home of their own");
    }
    let draft =
        draft.expected("<project>/.thunderkit/runs/<run>/hermes-home on a local disk").source("HERMES_HOME");
    let Some(home) = at.seen.native.as_ref().and_then(|native| native.home.as_ref()) else {
        return draft.failed("no isolated home was read: a native lane on hermes needs one");
    };
    let draft = match &home.own {
        Some(own) => draft.observed(own.as_str()),
        None => draft,
    };
    match &home.proof {
        Ok(()) => draft.passed(),
        Err(why) => draft.failed(why.as_str()),
    }
}
