//! `dependencies.json`: which skills have which operations, and which native targets may do them.
//!
//! Two generations are read. In the first one each ecosystem has an exact version and each target's files their
//! digests; in the second one a `hosts` map says which ecosystem serves a host, an ecosystem has a channel, targets
//! only name their files, and version and digests come from the lock. Nothing about a skill is known here: what may
//! be done without models is data too, under `model_free` (skill → operations), where a manifest has none by the
//! built-in one; and a target's `unqualified` names the operations that it could do by a path nobody has qualified.
//!
//! A target is looked at when it is a candidate: a breach in another skill's target is that skill's business.

mod read;
mod target;

use super::json::Json;
use super::record::Mode;
use super::{PolicyError, shape};
use crate::handoff::Inert;

pub(super) use target::class_word;
pub use target::{Provenance, Requirement, RootKind, Target};

const EMBEDDED: &[u8] = include_bytes!("../../assets/dependencies.json");

/// A manifest whose outline is valid; its targets are read when they are asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    root: Json,
    is_first: bool,
    source: Inert,
}

impl Manifest {
    /// The one that is built in: tk-handoff.
    pub fn embedded() -> Self {
        let read = Self::parse(EMBEDDED, "the built-in manifest".into());
        read.expect("the built-in manifest is tested to be valid")
    }

    /// Reads a manifest of either generation.
    ///
    /// # Errors
    /// The first breach of its outline, with line and column.
    pub fn parse(bytes: &[u8], source: Inert) -> Result<Self, PolicyError> {
        let root = Json::parse(bytes)?;
        let version = shape::version(&root, &[1, 2], "the manifest")?;
        for name in ["ecosystems", "skills"] {
            shape::object(shape::required(&root, name, "the manifest")?, name)?;
        }
        if let Some(hosts) = root.get("hosts") {
            for member in shape::object(hosts, "hosts")? {
                shape::name(&member.value, "the ecosystem of a host")?;
            }
        }
        if let Some(free) = root.get("model_free") {
            for member in shape::object(free, "model_free")? {
                shape::texts(&member.value, "model_free operations")?;
            }
        }
        Ok(Self { root, is_first: version == 1, source })
    }

    /// What names it to people.
    pub fn source(&self) -> &Inert {
        &self.source
    }

    /// A skill by its exact name.
    ///
    /// # Errors
    /// No such skill, or one that is not written as one.
    pub fn skill(&self, name: &str) -> Result<Skill<'_>, PolicyError> {
        let skills = shape::required(&self.root, "skills", "the manifest")?;
        let json = skills.get(name).ok_or_else(|| PolicyError {
            message: format!("the manifest has no skill {name:?}"),
            at: None,
        })?;
        let operations = shape::required(json, "operations", "a skill")?;
        Ok(Skill {
            manifest: self,
            name: name.to_owned(),
            json,
            operations: shape::texts(operations, "operations")?,
        })
    }

    /// The targets that may own a workflow of an ecosystem, over all skills. One that breaks the format pins nothing
    /// and is left out.
    pub fn workflows(&self, ecosystem: &str) -> Vec<Target> {
        let skills = self.root.get("skills").and_then(Json::members).unwrap_or_default();
        let targets = skills.iter().filter_map(|skill| skill.value.get("targets")?.items()).flatten();
        let ours = targets.filter(|target| target.get("ecosystem").and_then(Json::text) == Some(ecosystem));
        let read = ours.filter_map(|target| self.target(target, false).ok());
        let mut found: Vec<Target> = Vec::new();
        for target in read.filter(|target| target.mode == Mode::Handoff) {
            if !found.contains(&target) {
                found.push(target);
            }
        }
        found
    }

    fn is_model_free(&self, skill: &str, operation: &str) -> bool {
        let says = |manifest: &Self| {
            let free = manifest.root.get("model_free")?;
            let operations = free.get(skill).and_then(Json::items).unwrap_or_default();
            Some(operations.iter().any(|own| own.text() == Some(operation)))
        };
        says(self).or_else(|| says(&Self::embedded())).unwrap_or(false)
    }
}

/// One skill of a manifest.
#[derive(Debug)]
pub struct Skill<'a> {
    manifest: &'a Manifest,
    name: String,
    json: &'a Json,
    operations: Vec<&'a str>,
}

impl Skill<'_> {
    /// The operation that is meant: the asked one, which must be one of the skill's, else its default one.
    ///
    /// # Errors
    /// An unknown operation, or a skill without a usable default.
    pub fn operation(&self, asked: Option<&str>) -> Result<String, PolicyError> {
        let meant = match asked {
            Some(asked) => asked,
            None => {
                let default = shape::required(self.json, "default_operation", "a skill")?;
                shape::text(default, "default_operation")?
            }
        };
        match self.operations.contains(&meant) {
            true => Ok(meant.to_owned()),
            false => Err(PolicyError {
                message: format!(
                    "{:?} has no operation {meant:?}; it has {}",
                    self.name,
                    self.operations.join(", ")
                ),
                at: None,
            }),
        }
    }

    /// Whether an operation is the skill's own and needs no model.
    pub fn is_model_free(&self, operation: &str) -> bool {
        self.manifest.is_model_free(&self.name, operation)
    }

    /// The targets that may do an operation in one of these ecosystems, in the manifest's order.
    ///
    /// # Errors
    /// A candidate that breaks the format, or stands there twice.
    pub fn targets(&self, operation: &str, ecosystems: &[String]) -> Result<Vec<Target>, PolicyError> {
        let list = shape::required(self.json, "targets", "a skill")?;
        let mut found: Vec<Target> = Vec::new();
        for json in shape::list(list, "targets")? {
            let ecosystem = shape::text(shape::required(json, "ecosystem", "a target")?, "ecosystem")?;
            let operations = shape::texts(shape::required(json, "operations", "a target")?, "operations")?;
            let unqualified = match json.get("unqualified") {
                None => false,
                Some(list) => shape::texts(list, "unqualified")?.contains(&operation),
            };
            let can = operations.contains(&operation) || unqualified;
            if !can || !ecosystems.iter().any(|own| own == ecosystem) {
                continue;
            }
            let target = self.manifest.target(json, unqualified)?;
            if found.iter().any(|other| other.is(&target.ecosystem, &target.selector)) {
                let message = format!("{ecosystem} {} is a target of this operation twice", target.selector);
                return Err(PolicyError::at(json.at, message));
            }
            found.push(target);
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_manifest_is_valid_and_its_target_too() {
        let manifest = Manifest::embedded();
        let skill = manifest.skill("tk-handoff").expect("tk-handoff is built in");
        assert_eq!(skill.operation(None).as_deref(), Ok("save"), "an omitted operation is the default one");
        assert!(skill.operation(Some("ghost")).is_err(), "and no other is made up");
        assert!(skill.is_model_free("save") && !skill.is_model_free("lookup"), "only saving is model-free");
        let all = ["omo", "omh", "gsd"].map(str::to_owned);
        let targets = skill.targets("lookup", &all).expect("its target is valid");
        assert_eq!(targets.len(), 1, "lookup has one component");
        assert!(targets[0].serves("opencode") && !targets[0].serves("codex"), "for opencode alone");
        assert!(skill.targets("restore", &all).expect("valid").is_empty(), "restore borrows no target");
        assert!(manifest.workflows("omo").is_empty(), "a component's pins qualify no workflow");
        assert!(manifest.skill("tk-ghost").is_err(), "another skill is not there");
    }
}
