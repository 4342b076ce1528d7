//! `dependencies.json`: which skills have which operations, and which native targets may do them.
//!
//! Two generations are read. In the first one each ecosystem has an exact version and each target's files their
//! digests; in the second one a `hosts` map says which ecosystem serves a host, an ecosystem has a channel, targets
//! only name their files, and version and digests come from the lock. Nothing about a skill is known here: what may
//! be done without models is data too, under `model_free` (skill → operations), where a manifest has none by the
//! built-in one; and a target's `unqualified` names the operations that it could do by a path nobody has qualified.
//!
//! A target is looked at when it is a candidate: a breach in another skill's target is that skill's business.

use super::json::{Data, Json};
use super::record::{Mode, TargetName};
use super::{PolicyError, shape};
use crate::handoff::{Digest, Inert, ModelClass};

const EMBEDDED: &[u8] = include_bytes!("../../assets/dependencies.json");

/// The rail that every omh target reads, where the manifest names no other.
const RAIL: &str = "guide/omh-routing/references/skill-common-rail.md";

/// What a target's version is called while no lock says it.
const UNLOCKED: &str = "unlocked";

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

    /// Reads one target strictly.
    fn target(&self, json: &Json, unqualified: bool) -> Result<Target, PolicyError> {
        let field = |name: &str| shape::required(json, name, "a target");
        let named = |name: &str| shape::name(field(name)?, name).map(str::to_owned);
        let ecosystem = named("ecosystem")?;
        let ecosystems = shape::required(&self.root, "ecosystems", "the manifest")?;
        let pin = ecosystems.get(&ecosystem).ok_or_else(|| {
            PolicyError::at(json.at, format!("the manifest has no ecosystem {ecosystem:?}"))
        })?;
        let pinned = |name: &str| shape::name(shape::required(pin, name, "an ecosystem")?, name);
        let mode = match shape::text(field("mode")?, "mode")? {
            "handoff" => Mode::Handoff,
            "component" => Mode::Component,
            _ => return Err(PolicyError::at(field("mode")?.at, "mode must be \"handoff\" or \"component\"")),
        };
        let version = match self.is_first {
            true => Some(pinned("version")?.to_owned()),
            false => {
                pinned("channel")?;
                None
            }
        };
        let integrity = pin.get("integrity").filter(|_| self.is_first);
        if let Some(integrity) = integrity
            && !shape::text(integrity, "integrity")?.starts_with("sha512-")
        {
            return Err(PolicyError::at(integrity.at, "integrity must begin with `sha512-`"));
        }
        let requires = requires(field("requires")?)?;
        let mut target = Target {
            package: pinned("package")?.to_owned(),
            source: pinned("source")?.to_owned(),
            source_commit: optional(pin, "source_commit")?,
            hosts: self.hosts(pin)?,
            skill_name: named("skill_name")?,
            selector: shape::relative(field("selector")?, "selector")?.to_owned(),
            root: root_kind(&ecosystem, json)?,
            slots: slots(json, &requires)?,
            provenance: self.provenance(field("provenance")?)?,
            canonical_name: None,
            rail: None,
            installers: Vec::new(),
            ecosystem,
            mode,
            version,
            requires,
            unqualified,
        };
        target.check_names(json, pin)?;
        target.check_identity(pin)?;
        Ok(target)
    }

    /// The hosts that an ecosystem serves.
    fn hosts(&self, pin: &Json) -> Result<Hosts, PolicyError> {
        let own = match pin.get("hosts") {
            None => None,
            Some(list) => Some(shape::texts(list, "hosts")?.into_iter().map(str::to_owned).collect()),
        };
        let map = self.root.get("hosts").and_then(Json::members).map(|members| {
            let row =
                |member: &super::json::Member| Some((member.key.clone(), member.value.text()?.to_owned()));
            members.iter().filter_map(row).collect()
        });
        match (&own, &map) {
            (None, None) => Err(PolicyError::at(pin.at, "no host is named for this ecosystem")),
            _ => Ok(Hosts { own, map }),
        }
    }

    /// Exactly `root_kind`, `entrypoint` and `files`: digests in the first generation, paths alone in the second.
    fn provenance(&self, json: &Json) -> Result<Provenance, PolicyError> {
        for member in shape::object(json, "provenance")? {
            if !matches!(member.key.as_str(), "root_kind" | "entrypoint" | "files") {
                let message = format!("provenance has no key {:?}", member.key);
                return Err(PolicyError::at(member.key_at, message));
            }
        }
        let field = |name: &str| shape::required(json, name, "provenance");
        let entrypoint = shape::relative(field("entrypoint")?, "entrypoint")?.to_owned();
        let value = field("files")?;
        let mut files: Vec<(String, Option<Digest>)> = Vec::new();
        if self.is_first {
            for member in shape::object(value, "files")? {
                if !shape::is_relative(&member.key) {
                    return Err(PolicyError::at(
                        member.key_at,
                        "a pinned file must be a path below the root",
                    ));
                }
                let text = shape::text(&member.value, "a digest")?;
                let digest =
                    Digest::parse(text).map_err(|why| PolicyError::at(member.value.at, why.to_string()))?;
                files.push((member.key.clone(), Some(digest)));
            }
        } else {
            for item in shape::list(value, "files")? {
                let path = shape::relative(item, "a file")?.to_owned();
                if files.iter().any(|(own, _)| *own == path) {
                    return Err(PolicyError::at(item.at, format!("{path:?} stands in the files twice")));
                }
                files.push((path, None));
            }
        }
        match files.iter().any(|(path, _)| *path == entrypoint) {
            true => Ok(Provenance { entrypoint, files }),
            false => Err(PolicyError::at(value.at, "the files must hold the entrypoint")),
        }
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

/// How the root of a peer is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootKind {
    /// A package: `package.json`, skills below `dist/skills/`.
    Package,
    /// A bundle home: `manifest.json` with a record for each skill, skills in categories below `skills/`.
    Omh,
    /// A host's own directory: `gsd-file-manifest.json`, skills below `skills/`.
    Gsd,
}

impl RootKind {
    /// The file that says whose root it is.
    pub fn identity_file(self) -> &'static str {
        match self {
            Self::Package => "package.json",
            Self::Omh => "manifest.json",
            Self::Gsd => "gsd-file-manifest.json",
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Package => "package",
            Self::Omh => "omh",
            Self::Gsd => "gsd",
        }
    }
}

/// What a target needs from its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Requirement {
    /// `tool:<name>`
    Tool(String),
    /// `model-binding:<class>`
    Binding(ModelClass),
    /// `runtime_home:isolated`
    IsolatedHome,
    /// `delivery:disabled`
    NoDelivery,
    /// `user-request:explicit`
    ExplicitRequest,
}

/// Which bytes a target is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// Its `SKILL.md`, below the root.
    pub entrypoint: String,
    /// That and every companion, with the digests where the manifest pins them.
    pub files: Vec<(String, Option<Digest>)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Hosts {
    /// The ecosystem's own list.
    own: Option<Vec<String>>,
    /// Host → ecosystem, `default` for every other host.
    map: Option<Vec<(String, String)>>,
}

/// One native target, valid in itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// `omo`, `omh` or `gsd`.
    pub ecosystem: String,
    /// The peer's package.
    pub package: String,
    /// Its exact version; `None` where a lock says it.
    pub version: Option<String>,
    /// Where the package comes from.
    pub source: String,
    /// The commit that it was made from, where the manifest pins one.
    pub source_commit: Option<String>,
    hosts: Hosts,
    /// Its bare name.
    pub skill_name: String,
    /// Its selector.
    pub selector: String,
    /// What it does for us.
    pub mode: Mode,
    /// All of these are needed.
    pub requires: Vec<Requirement>,
    /// The slots that models are bound to, with the class of each.
    pub slots: Vec<(String, ModelClass)>,
    /// Which bytes it is.
    pub provenance: Provenance,
    /// How its root is laid out.
    pub root: RootKind,
    /// omh: the name in the bundle's catalog, which differs from the selector.
    pub canonical_name: Option<String>,
    /// omh: the rail that all its skills share, below the root.
    pub rail: Option<String>,
    /// omh: what a record's `source` may say.
    pub installers: Vec<String>,
    /// The operation asked for would go a way that nobody has qualified.
    pub unqualified: bool,
}

impl Target {
    /// Whether it is this one.
    pub fn is(&self, ecosystem: &str, selector: &str) -> bool {
        self.ecosystem == ecosystem && self.selector == selector
    }

    /// Whether this host may run it: by the ecosystem's own list and by the manifest's map, as far as there are any.
    pub fn serves(&self, host: &str) -> bool {
        let listed = self.hosts.own.as_ref().is_none_or(|own| own.iter().any(|name| name == host));
        let mapped = self.hosts.map.as_ref().is_none_or(|map| {
            let row = |wanted: &str| map.iter().find(|(name, _)| name == wanted);
            row(host).or_else(|| row("default")).is_some_and(|(_, ecosystem)| *ecosystem == self.ecosystem)
        });
        listed && mapped
    }

    /// Its identity in a record.
    pub fn name(&self) -> TargetName {
        TargetName {
            ecosystem: self.ecosystem.clone(),
            package: self.package.clone(),
            version: self.version.clone().unwrap_or_else(|| UNLOCKED.to_owned()),
            skill_name: self.skill_name.clone(),
            selector: self.selector.clone(),
            mode: self.mode,
        }
    }

    /// The directory of the skill itself, below the root.
    pub fn directory(&self) -> &str {
        self.provenance.entrypoint.rsplit_once('/').map_or("", |(directory, _)| directory)
    }

    /// Selector, name, entrypoint and canonical name fit each other and the kind of root.
    fn check_names(&mut self, json: &Json, pin: &Json) -> Result<(), PolicyError> {
        let refuse = |message: &str| Err(PolicyError::at(json.at, message));
        if self.skill_name.contains('/') || !shape::is_relative(&self.skill_name) {
            return refuse("skill_name must be one path segment");
        }
        let canonical = json.get("canonical_name");
        let expected = match self.root {
            RootKind::Package => format!("dist/skills/{}/SKILL.md", self.selector),
            RootKind::Omh | RootKind::Gsd => format!("skills/{}/SKILL.md", self.selector),
        };
        if self.provenance.entrypoint != expected {
            return refuse("the entrypoint must be the selector's own SKILL.md");
        }
        if self.root != RootKind::Omh {
            return match (self.selector == self.skill_name, canonical) {
                (_, Some(_)) => refuse("only omh targets have a canonical_name"),
                (false, None) => refuse("selector and skill_name must be the same"),
                (true, None) => Ok(()),
            };
        }
        if self.selector.split_once('/').is_none_or(|(_, name)| name != self.skill_name) {
            return refuse("the selector must be one category and the skill_name");
        }
        let canonical = shape::required(json, "canonical_name", "an omh target")?;
        self.canonical_name = Some(shape::name(canonical, "canonical_name")?.to_owned());
        let rail = match pin.get("shared_rail") {
            None => RAIL,
            Some(rail) => shape::relative(rail, "shared_rail")?,
        };
        let rail = format!("skills/{rail}");
        if !self.provenance.files.iter().any(|(path, _)| *path == rail) {
            return refuse("an omh target's files must hold the shared rail");
        }
        self.rail = Some(rail);
        Ok(())
    }

    /// What the ecosystem says of its root is what this kind of root has.
    fn check_identity(&mut self, pin: &Json) -> Result<(), PolicyError> {
        self.installers = vec!["builtin".to_owned()];
        let Some(root) = pin.get("provenance_root") else { return Ok(()) };
        let refuse = |at: &Json, message: &str| Err(PolicyError::at(at.at, message));
        let kind = shape::required(root, "root_kind", "provenance_root")?;
        if shape::text(kind, "root_kind")? != self.root.word() {
            return refuse(kind, "the root_kind of target and ecosystem differ");
        }
        let file = shape::required(root, "identity_file", "provenance_root")?;
        if shape::relative(file, "identity_file")? != self.root.identity_file() {
            return refuse(file, "the identity_file is not the one of this kind of root");
        }
        let fields = shape::required(root, "identity_fields", "provenance_root")?;
        let mut expected = match self.root {
            RootKind::Package => vec![("name", Data::Text(self.package.clone()))],
            RootKind::Omh => {
                vec![
                    ("schema_version", Data::Number(1.into())),
                    ("package", Data::Text(self.package.clone())),
                ]
            }
            RootKind::Gsd => Vec::new(),
        };
        expected.extend(self.version.clone().map(|version| ("version", Data::Text(version))));
        let said = shape::object(fields, "identity_fields")?;
        let is_expected = |member: &super::json::Member| {
            expected.iter().any(|(name, data)| *name == member.key && *data == member.value.data)
        };
        if !said.iter().all(is_expected) {
            return refuse(fields, "the identity_fields contradict the package and its version");
        }
        if let Some(sources) = root.get("manifest_source_values") {
            self.installers =
                shape::texts(sources, "manifest_source_values")?.into_iter().map(str::to_owned).collect();
        }
        Ok(())
    }
}

/// The kind of root, which is the ecosystem's own.
fn root_kind(ecosystem: &str, target: &Json) -> Result<RootKind, PolicyError> {
    let kind = match ecosystem {
        "omo" => RootKind::Package,
        "omh" => RootKind::Omh,
        "gsd" => RootKind::Gsd,
        _ => return Err(PolicyError::at(target.at, format!("{ecosystem:?} is no ecosystem"))),
    };
    let provenance = shape::required(target, "provenance", "a target")?;
    let said = shape::required(provenance, "root_kind", "provenance")?;
    match shape::text(said, "root_kind")? == kind.word() {
        true => Ok(kind),
        false => Err(PolicyError::at(said.at, format!("the root_kind of {ecosystem} is {:?}", kind.word()))),
    }
}

fn optional(object: &Json, name: &str) -> Result<Option<String>, PolicyError> {
    object.get(name).map(|value| shape::name(value, name).map(str::to_owned)).transpose()
}

fn class(word: &str) -> Option<ModelClass> {
    match word {
        "planner" => Some(ModelClass::Planner),
        "executors" => Some(ModelClass::Executors),
        "reviewers" => Some(ModelClass::Reviewers),
        _ => None,
    }
}

fn requires(value: &Json) -> Result<Vec<Requirement>, PolicyError> {
    let mut found = Vec::new();
    for item in shape::list(value, "requires")? {
        let text = shape::name(item, "a requirement")?;
        let requirement = match text.split_once(':') {
            Some(("tool", name)) if !name.is_empty() => Requirement::Tool(name.to_owned()),
            Some(("model-binding", name)) => match class(name) {
                Some(class) => Requirement::Binding(class),
                None => return Err(PolicyError::at(item.at, format!("{name:?} is no class of models"))),
            },
            Some(("runtime_home", "isolated")) => Requirement::IsolatedHome,
            Some(("delivery", "disabled")) => Requirement::NoDelivery,
            Some(("user-request", "explicit")) => Requirement::ExplicitRequest,
            _ => return Err(PolicyError::at(item.at, format!("{text:?} is no requirement"))),
        };
        found.push(requirement);
    }
    Ok(found)
}

/// The slots that models are bound to: `native_roles` where the target has any, which must then use exactly the
/// required classes, else one slot for each class.
fn slots(target: &Json, requires: &[Requirement]) -> Result<Vec<(String, ModelClass)>, PolicyError> {
    let mut classes: Vec<ModelClass> = Vec::new();
    for requirement in requires {
        if let Requirement::Binding(class) = requirement
            && !classes.contains(class)
        {
            classes.push(*class);
        }
    }
    let Some(roles) = target.get("native_roles") else {
        return Ok(classes.into_iter().map(|class| (class_word(class).to_owned(), class)).collect());
    };
    let mut slots = Vec::new();
    for member in shape::object(roles, "native_roles")? {
        let word = shape::text(&member.value, "the class of a role")?;
        let class = class(word).filter(|class| classes.contains(class)).ok_or_else(|| {
            PolicyError::at(member.value.at, format!("{word:?} is no class that this target requires"))
        })?;
        if member.key.is_empty() || member.key.chars().any(crate::handoff::inert::is_odd) {
            return Err(PolicyError::at(member.key_at, "a role needs a visible name"));
        }
        slots.push((member.key.clone(), class));
    }
    match classes.iter().all(|class| slots.iter().any(|(_, own)| own == class)) && !slots.is_empty() {
        true => Ok(slots),
        false => Err(PolicyError::at(roles.at, "native_roles must cover every required class of models")),
    }
}

/// The word of a class of models.
pub(super) fn class_word(class: ModelClass) -> &'static str {
    match class {
        ModelClass::Planner => "planner",
        ModelClass::Executors => "executors",
        ModelClass::Reviewers => "reviewers",
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
