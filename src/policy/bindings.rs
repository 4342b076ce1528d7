//! Which models a host has bound to a target's slots, against what the config asks for and the catalog knows.

use serde_json::{Map, Value};

use super::capability::Snapshot;
use super::gate::{Shut, evidence, need, shut};
use super::json::Json;
use super::manifest::{Target, class_word};
use super::record::Reason;
use super::{Catalog, Config, PolicyError, Reviewers, shape};
use crate::handoff::{ModelClass, inert};

/// What the host proved.
#[derive(Debug, Default)]
pub(super) struct Bound {
    /// Per slot: class, descriptor, method, and the members.
    pub(super) effective: Map<String, Value>,
    /// A method was used that writes into the home of the process.
    pub(super) needs_home: bool,
}

/// Every slot of a target, in its order.
pub(super) fn gates(
    target: &Target,
    snapshot: &Snapshot,
    config: &Config,
    catalog: &Catalog,
) -> Result<Bound, Shut> {
    let mut bound = Bound::default();
    for (slot, class) in &target.slots {
        let Some(said) = snapshot.binding(slot) else {
            return shut(Reason::MissingEvidence, format!("no model is bound to {slot}"));
        };
        let entry = one(slot, *class, said, snapshot, config, catalog, &mut bound.needs_home)?;
        bound.effective.insert(slot.clone(), entry);
    }
    Ok(bound)
}

fn one(
    slot: &str,
    class: ModelClass,
    said: &Json,
    snapshot: &Snapshot,
    config: &Config,
    catalog: &Catalog,
    needs_home: &mut bool,
) -> Result<Value, Shut> {
    shape::object(said, "a binding")?;
    let descriptor = shape::text(evidence(said, "descriptor")?, "descriptor")?;
    need(
        !descriptor.trim().is_empty(),
        Reason::MissingEvidence,
        format!("the descriptor of {slot} is empty"),
    )?;
    let method = evidence(said, "method")?;
    let members = members(evidence(said, "members")?)?;
    need(!members.is_empty(), Reason::MissingEvidence, format!("{slot} has no member"))?;
    let asked = config.class(class, catalog);
    for member in &members {
        let key = member.key;
        need(
            asked.iter().any(|own| own == key),
            Reason::ModelMismatch,
            format!("{slot}: {key:?} is not of the selected {}", class_word(class)),
        )?;
        let is_mapped = catalog
            .model(key)
            .is_some_and(|model| model.runs_as(snapshot.host(), member.provider, member.model_id));
        need(
            is_mapped,
            Reason::ModelMismatch,
            format!("{slot}: the catalog maps {key:?} to another model on {}", snapshot.host()),
        )?;
    }
    let keys: Vec<_> = members.iter().map(|member| member.key).collect();
    // Everybody in the catalog may review, and a host need not reach all of them: any of them, each once.
    let is_whole = match (class, &config.reviewers) {
        (ModelClass::Reviewers, Reviewers::All) => {
            keys.iter().enumerate().all(|(at, key)| !keys[..at].contains(key))
        }
        _ => keys == asked,
    };
    need(is_whole, Reason::CapabilityMissing, format!("{slot}: the selection is collapsed or reordered"))?;
    let method = supported(method, slot, snapshot, needs_home)?;
    let mut entry = Map::new();
    entry.insert("class".into(), class_word(class).into());
    entry.insert("descriptor".into(), inert::plain_text(descriptor).into());
    entry.insert("method".into(), method.into());
    match (class, members.as_slice()) {
        (ModelClass::Planner, [only]) => entry.extend(only.fields()),
        (_, members) => {
            let list = members.iter().map(|member| Value::Object(member.fields().collect()));
            entry.insert("members".into(), Value::Array(list.collect()));
        }
    }
    Ok(Value::Object(entry))
}

/// The word of a method that this host can bind by.
fn supported(
    method: &Json,
    slot: &str,
    snapshot: &Snapshot,
    needs_home: &mut bool,
) -> Result<&'static str, Shut> {
    let on_hermes = snapshot.host() == "hermes";
    let refuse = || shut(Reason::CapabilityMissing, format!("{slot}: this host cannot bind by that method"));
    match shape::text(method, "method")? {
        "configured" => Ok("configured"),
        "delegate_route" if on_hermes && snapshot.has_tool("omh_delegate_route") => {
            *needs_home = true;
            Ok("delegate_route")
        }
        "explicit_dispatch" if on_hermes && snapshot.consents_to("dispatch") => Ok("explicit_dispatch"),
        "delegate_route" | "explicit_dispatch" => refuse(),
        _ => {
            let message = "method must be configured, delegate_route or explicit_dispatch";
            Err(PolicyError::at(method.at, message).into())
        }
    }
}

/// One member of a slot as the host says it.
struct Member<'a> {
    key: &'a str,
    provider: &'a str,
    model_id: &'a str,
}

impl Member<'_> {
    fn fields(&self) -> impl Iterator<Item = (String, Value)> {
        // Equal to the catalog's own words, so nothing odd is in them.
        [("catalog_key", self.key), ("provider", self.provider), ("model_id", self.model_id)]
            .map(|(name, text)| (name.to_owned(), Value::from(text)))
            .into_iter()
    }
}

fn members(list: &Json) -> Result<Vec<Member<'_>>, Shut> {
    let mut found = Vec::new();
    for item in shape::list(list, "members")? {
        shape::object(item, "a member")?;
        let field =
            |name: &'static str| -> Result<&str, Shut> { Ok(shape::text(evidence(item, name)?, name)?) };
        found.push(Member {
            key: field("catalog_key")?,
            provider: field("provider")?,
            model_id: field("model_id")?,
        });
    }
    Ok(found)
}
