//! A native target: what it does, what it needs from its host, and which bytes it is.

use super::super::record::{Mode, TargetName};
use crate::handoff::{Digest, ModelClass};

/// What a target's version is called while no lock says it.
const UNLOCKED: &str = "unlocked";

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

    /// The word that manifests use for it.
    pub(super) fn word(self) -> &'static str {
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

/// Which hosts may run a target, by either of the two ways to say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosts {
    /// The ecosystem's own list.
    pub(super) own: Option<Vec<String>>,
    /// Host → ecosystem, `default` for every other host.
    pub(super) map: Option<Vec<(String, String)>>,
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
    pub(super) hosts: Hosts,
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
}

/// The word of a class of models.
pub fn class_word(class: ModelClass) -> &'static str {
    match class {
        ModelClass::Planner => "planner",
        ModelClass::Executors => "executors",
        ModelClass::Reviewers => "reviewers",
    }
}
