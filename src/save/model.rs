//! A lane's models: requested by config and catalog, effective and observed by the harness's store, else unknown.

use super::draft::Refusal;
use super::narrative::LaneWord;
use crate::handoff::{HarnessName, Inert, Lane, ModelClass, ModelIdentity};
use crate::harness::Session;
use crate::policy::{Catalog, Config};

/// Config and catalog, where they are valid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Policy<'a> {
    pub(super) config: Option<&'a Config>,
    pub(super) catalog: Option<&'a Catalog>,
}

/// Fills in class and requested model: what was said, else the only member of the class that the lane's harness can
/// run, else what was recorded.
///
/// # Errors
/// [`Refusal`] where what was said is not in the config or the catalog.
pub(super) fn request(lane: &mut Lane, said: Option<&LaneWord>, policy: Policy<'_>) -> Result<(), Refusal> {
    let refuse = |why: String| Err(Refusal(why));
    let word = |of: fn(&LaneWord) -> &Option<String>| said.and_then(|said| of(said).as_deref());
    if let Some(class) = word(|said| &said.class) {
        let Some(known) = class_of(class) else {
            return refuse(format!("no class {class:?}: planner, executors or reviewers"));
        };
        if lane.model_class != Some(known) {
            lane.requested_model = None;
        }
        lane.model_class = Some(known);
    }
    let key = word(|said| &said.model);
    let (Some(config), Some(catalog)) = (policy.config, policy.catalog) else {
        return match key {
            Some(_) => {
                refuse("a model can only be named with a valid .thunderkit/config.json and catalog".into())
            }
            None => Ok(()),
        };
    };
    let Some(class) = lane.model_class else {
        return match key {
            Some(key) => refuse(format!("the class of {key} is not known: say --class as well")),
            None => Ok(()),
        };
    };
    let members = config.class(class, catalog);
    let Some(harness) = lane.harness else {
        return match key {
            Some(key) => {
                refuse(format!("{key} has another id in each harness, and the lane's harness is not known"))
            }
            None => Ok(()),
        };
    };
    let route = |key: &str| {
        let routes = catalog.model(key).into_iter().flat_map(|model| &model.routes);
        routes.into_iter().find(|route| route.harness == harness)
    };
    let chosen = match key {
        Some(key) if !members.iter().any(|member| member == key) => {
            return refuse(format!("{key} is not in that class, which has {}", members.join(", ")));
        }
        Some(key) => match route(key) {
            Some(route) => Some((key, route)),
            None => return refuse(format!("the catalog has no route of {key} for {}", harness.as_str())),
        },
        None => {
            let mut can = members.iter().filter_map(|member| Some((member.as_str(), route(member)?)));
            // Of several that this harness can run, which one was asked for is not guessed.
            can.next().filter(|_| can.next().is_none())
        }
    };
    if let Some((key, route)) = chosen {
        lane.requested_model = Some(identity(key, &route.provider, &route.model_id));
    }
    Ok(())
}

/// Fills in what the harness's store says: the model that it ran, and the one that answered. What the catalog does
/// not know is left unknown.
pub(super) fn observe(
    lane: &mut Lane,
    harness: HarnessName,
    session: &Session,
    policy: Policy<'_>,
    same: bool,
) {
    let known = |id: &Inert| {
        let models = policy.catalog?.models.iter();
        let routes = models.flat_map(|model| model.routes.iter().map(move |route| (model, route)));
        let (model, route) =
            routes.into_iter().find(|(_, route)| route.harness == harness && route.model_id == id.raw())?;
        Some((identity(&model.key, &route.provider, &route.model_id), model.family.clone()))
    };
    let observed = session.model.as_ref().and_then(known);
    lane.observed_family = observed.as_ref().map(|(_, family)| family.as_str().into());
    lane.observed_model = observed.map(|(model, _)| model);
    match session.requested_model.as_ref().and_then(known) {
        Some((model, _)) => lane.effective_model = Some(model),
        // What the host said of this very session when the replaced handoff was saved still stands.
        None if same => {}
        None => lane.effective_model = None,
    }
}

/// Takes out what was recorded of a session that is not this lane's any more.
pub(super) fn forget(lane: &mut Lane) {
    lane.effective_model = None;
    lane.observed_model = None;
    lane.observed_family = None;
    lane.harness_version = None;
}

fn identity(key: &str, provider: &str, model_id: &str) -> ModelIdentity {
    ModelIdentity {
        catalog_key: key.into(),
        provider: provider.into(),
        model_id: model_id.into(),
        effort: None,
    }
}

fn class_of(word: &str) -> Option<ModelClass> {
    match word {
        "planner" => Some(ModelClass::Planner),
        "executors" => Some(ModelClass::Executors),
        "reviewers" => Some(ModelClass::Reviewers),
        _ => None,
    }
}
