//! Which model may go on: the recorded contract against the config, the lane's binding against the catalog.

use super::super::evidence::{Fact, Policy};
use super::super::report::{Check, CheckId};
use super::{AtLane, Draft, at_root, unrecorded};
use crate::handoff::{Handoff, Lane, ModelIdentity, Root};
use crate::policy::{Catalog, Config, ContractMatch};

pub(super) fn contract(handoff: &Handoff, root: &Root, policy: &Policy) -> Check {
    let draft = at_root(handoff, CheckId::ModelContract, "model_contract");
    let Some(recorded) = &root.model_contract else {
        return unrecorded(draft, &handoff.fields, "model_contract", "model contract");
    };
    let draft = draft.expected("the recorded selections and policy").source(policy.config.source.as_str());
    let config = match &policy.config.fact {
        Fact::Known(config) => config,
        Fact::Absent(why) | Fact::Unknown(why) => {
            return draft.unknown(format!("cannot be compared without a valid config: {why}"));
        }
    };
    match config.compare_contract(recorded) {
        ContractMatch::Same => draft.observed("the same in the current config").passed(),
        ContractMatch::OtherLayout(why) => draft.unknown(why),
        ContractMatch::Differs(differences) => {
            let said: Vec<_> =
                differences.iter().map(|(name, then, now)| format!("{name}: {then} → {now}")).collect();
            let draft = draft.observed(said.join("; "));
            draft.failed("the config is not what it was: decide which one holds, then save again")
        }
    }
}

pub(super) fn binding(at: &AtLane<'_>, policy: &Policy) -> Check {
    let lane = at.lane;
    let draft = at.check(CheckId::ModelBinding, "requested_model");
    if lane.model_class.is_none() {
        return unrecorded(draft, &lane.fields, "model_class", "model class");
    }
    let Some(requested) = &lane.requested_model else {
        return unrecorded(draft, &lane.fields, "requested_model", "requested model");
    };
    let draft = draft.expected(named(requested));
    if lane.effective_model.is_none() {
        return unrecorded(draft, &lane.fields, "effective_model", "effective model");
    }
    let catalog = match &policy.catalog.fact {
        Fact::Known(catalog) => catalog,
        Fact::Absent(why) | Fact::Unknown(why) => {
            return draft
                .source(policy.catalog.source.as_str())
                .unknown(format!("no catalog to compare with: {why}"));
        }
    };
    let draft = draft.source(format!("{} and {}", catalog.source.plain(), policy.config.source));
    // What the file contradicts by itself is said before what the config may leave open.
    if let Err(why) = agrees(lane, requested, catalog) {
        return draft.failed(why);
    }
    match &policy.config.fact {
        Fact::Known(config) => in_class(draft, lane, requested, config, catalog),
        Fact::Absent(why) | Fact::Unknown(why) => {
            draft.unknown(format!("the class cannot be compared without a valid config: {why}"))
        }
    }
}

/// Whether catalog, requested, effective and observed identity say the same.
fn agrees(lane: &Lane, requested: &ModelIdentity, catalog: &Catalog) -> Result<(), String> {
    let key = requested.catalog_key.raw();
    let model = catalog
        .model(key)
        .ok_or_else(|| format!("the catalog has no model {}", requested.catalog_key.shown_line()))?;
    let harness = lane.harness.ok_or("no recorded harness: the catalog maps a model for each harness")?;
    let route = model
        .routes
        .iter()
        .find(|route| route.harness == harness)
        .ok_or_else(|| format!("the catalog has no route of {key} for {}", harness.as_str()))?;
    if requested.provider.raw() != route.provider || requested.model_id.raw() != route.model_id {
        return Err(format!(
            "the catalog maps {key} for {} to {} {}, not to {} {}",
            harness.as_str(),
            route.provider,
            route.model_id,
            requested.provider.shown_line(),
            requested.model_id.shown_line()
        ));
    }
    for (word, identity) in [("effective", &lane.effective_model), ("observed", &lane.observed_model)] {
        if let Some(identity) = identity
            && !same(requested, identity)
        {
            return Err(format!("the {word} model is {}, not the requested one", named(identity)));
        }
    }
    match &lane.observed_family {
        Some(family) if family.raw() != model.family => {
            Err(format!("the catalog says family {}, the file says {}", model.family, family.shown_line()))
        }
        None if lane.observed_model.is_some() => {
            Err("no recorded observed_family beside the observed model".into())
        }
        _ => Ok(()),
    }
}

fn in_class(
    draft: Draft,
    lane: &Lane,
    requested: &ModelIdentity,
    config: &Config,
    catalog: &Catalog,
) -> Check {
    let Some(class) = lane.model_class else { return draft.failed("no recorded model class") };
    let keys = config.class(class, catalog);
    let key = requested.catalog_key.raw();
    let draft = draft.observed(format!("{}; class: {}", named(requested), keys.join(", ")));
    match keys.iter().any(|candidate| candidate == key) {
        true => draft.passed(),
        false => draft.failed(format!("{key} is not in the lane's class by the current config")),
    }
}

/// Equal as exact strings; the effort counts where both name one, because most harnesses do not expose it.
fn same(a: &ModelIdentity, b: &ModelIdentity) -> bool {
    let effort = match (&a.effort, &b.effort) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    };
    (&a.catalog_key, &a.provider, &a.model_id) == (&b.catalog_key, &b.provider, &b.model_id) && effort
}

/// An identity on one line.
fn named(identity: &ModelIdentity) -> String {
    let effort = identity.effort.as_ref().map(|effort| format!(", effort {}", effort.shown_line()));
    format!(
        "{} = {} {}{}",
        identity.catalog_key.shown_line(),
        identity.provider.shown_line(),
        identity.model_id.shown_line(),
        effort.unwrap_or_default()
    )
}
