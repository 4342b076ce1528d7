//! The decision record: what a resolver says, always one object with the same keys in the same order.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::{Config, Reviewers};
use crate::handoff::Inert;

/// Who does the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// A qualified target of the host's own ecosystem may run in its declared mode.
    Delegate,
    /// thunderkit itself, by policy or because delegation is off.
    Owned,
    /// thunderkit itself, because the native candidate cannot be used.
    Fallback,
    /// Nobody: no approved way is left.
    Blocked,
}

impl Decision {
    /// The word in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Delegate => "delegate",
            Self::Owned => "owned",
            Self::Fallback => "fallback",
            Self::Blocked => "blocked",
        }
    }
}

/// Why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Every gate was passed.
    Compatible,
    /// No native target is declared for this operation.
    OwnedPolicy,
    /// The config turns delegation off.
    Disabled,
    /// The peer, or its skill, is not there.
    PeerMissing,
    /// No lock names the installed version and digests.
    PeerUnlocked,
    /// The host is not one of the peer's.
    UnsupportedHost,
    /// Another version than the pinned one.
    VersionMismatch,
    /// Other bytes, another place or another identity than the pinned one.
    SourceMismatch,
    /// A tool, a method or a safety control is missing, or the selection cannot be represented.
    CapabilityMissing,
    /// A model out of its class, or another identity than the catalog's.
    ModelMismatch,
    /// Proof that is needed is not there.
    MissingEvidence,
    /// The home of a native run is shared or unproven.
    UnsafeRuntimeHome,
    /// Input that cannot be used.
    InvalidConfig,
}

impl Reason {
    /// The word in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Compatible => "compatible",
            Self::OwnedPolicy => "owned_policy",
            Self::Disabled => "disabled",
            Self::PeerMissing => "peer_missing",
            Self::PeerUnlocked => "peer_unlocked",
            Self::UnsupportedHost => "unsupported_host",
            Self::VersionMismatch => "version_mismatch",
            Self::SourceMismatch => "source_mismatch",
            Self::CapabilityMissing => "capability_missing",
            Self::ModelMismatch => "model_mismatch",
            Self::MissingEvidence => "missing_evidence",
            Self::UnsafeRuntimeHome => "unsafe_runtime_home",
            Self::InvalidConfig => "invalid_config",
        }
    }
}

/// What a target does for us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It owns the whole workflow until it returns.
    Handoff,
    /// It answers a bounded question and owns nothing.
    Component,
}

/// The identity of the target that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct TargetName {
    /// Its ecosystem.
    pub ecosystem: String,
    /// Its package.
    pub package: String,
    /// The exact version; the word `unlocked` where a lock would have to say it and there is none.
    pub version: String,
    /// Its bare skill name.
    pub skill_name: String,
    /// Its selector in the ecosystem.
    pub selector: String,
    /// Its mode.
    pub mode: Mode,
}

/// Models asked for and proved.
#[derive(Debug, Clone, PartialEq)]
pub struct Bindings {
    /// The classes as the config writes them; `None` for a model-free operation, and before a config was read.
    pub requested: Option<Config>,
    /// Per slot what the host proved; empty unless delegated.
    pub effective: Map<String, Value>,
}

impl Serialize for Bindings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut requested = Map::new();
        if let Some(config) = &self.requested {
            let list = |keys: &[String]| Value::from(keys.to_vec());
            requested.insert("planner".into(), config.planner.clone().into());
            requested.insert("executors".into(), list(&config.executors));
            let reviewers = match &config.reviewers {
                Reviewers::All => "all".into(),
                Reviewers::These(keys) => list(keys),
            };
            requested.insert("reviewers".into(), reviewers);
        }
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("requested", &requested)?;
        map.serialize_entry("effective", &self.effective)?;
        // Nothing was invoked, so nothing was observed.
        map.serialize_entry("observed", &Value::Null)?;
        map.end()
    }
}

/// A decision record. Its keys are serialized in the order of its fields.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Record {
    /// 1.
    pub schema_version: u8,
    /// The skill that was asked for; `None` where none was.
    pub skill: Option<Inert>,
    /// The operation: as asked for, else the skill's default one once that is known.
    pub operation: Option<Inert>,
    /// Who does it.
    pub decision: Decision,
    /// Why.
    pub reason_code: Reason,
    /// The same for people.
    pub detail: Inert,
    /// The target that was looked at; `None` for owned work and where none supports the host.
    pub target: Option<TargetName>,
    /// Models.
    pub bindings: Bindings,
    /// The proved home of a native run that needs one.
    pub runtime_home: Option<Inert>,
    /// The evidence files that were opened, relative to the project root, in that order.
    pub evidence_paths: Vec<Inert>,
}

impl Record {
    /// A record that blocks what was asked for, until something better is known.
    pub(super) fn begin(skill: Option<&str>, operation: Option<&str>) -> Self {
        Self {
            schema_version: 1,
            skill: skill.map(Inert::from),
            operation: operation.map(Inert::from),
            decision: Decision::Blocked,
            reason_code: Reason::InvalidConfig,
            detail: Inert::default(),
            target: None,
            bindings: Bindings { requested: None, effective: Map::new() },
            runtime_home: None,
            evidence_paths: Vec::new(),
        }
    }

    /// The record of words that cannot be used at all.
    pub fn malformed(skill: Option<&str>, operation: Option<&str>, detail: impl Into<Inert>) -> Self {
        Self { detail: detail.into(), ..Self::begin(skill, operation) }
    }

    /// Whether the native target may be asked.
    pub fn is_delegated(&self) -> bool {
        self.decision == Decision::Delegate
    }
}
