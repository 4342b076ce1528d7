//! Reads one target strictly: its names, its pinned files and what its ecosystem says of them must fit each other.

use super::super::json::{Data, Json, Member};
use super::super::record::Mode;
use super::super::{PolicyError, shape};
use super::Manifest;
use super::target::{Hosts, Provenance, Requirement, RootKind, Target, class_word};
use crate::handoff::inert::is_odd;
use crate::handoff::{Digest, ModelClass};

/// The rail that every omh target reads, where the manifest names no other.
const RAIL: &str = "guide/omh-routing/references/skill-common-rail.md";

impl Manifest {
    /// Reads one target.
    ///
    /// # Errors
    /// The first breach, with line and column.
    pub(super) fn target(&self, json: &Json, unqualified: bool) -> Result<Target, PolicyError> {
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
            let row = |member: &Member| Some((member.key.clone(), member.value.text()?.to_owned()));
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

impl Target {
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
        let is_expected = |member: &Member| {
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
        if member.key.is_empty() || member.key.chars().any(is_odd) {
            return Err(PolicyError::at(member.key_at, "a role needs a visible name"));
        }
        slots.push((member.key.clone(), class));
    }
    match classes.iter().all(|class| slots.iter().any(|(_, own)| own == class)) && !slots.is_empty() {
        true => Ok(slots),
        false => Err(PolicyError::at(roles.at, "native_roles must cover every required class of models")),
    }
}
