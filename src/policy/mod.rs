//! thunderkit's policy: config, catalog and contract; and who does an operation, by manifest, lock and what a host
//! has loaded.
//!
//! | part | what it is |
//! |---|---|
//! | `config`, `catalog`, `contract` | a project's selections and limits, the models, and both as a handoff records them |
//! | [`manifest`], [`lock`], [`capability`] | what may be delegated, what was installed, what a host says it has |
//! | [`provenance`], [`home`], `bindings` | the gates: bytes, the home of a run, models |
//! | [`resolver`], [`record`] | skill and operation → decision record; pure, over what [`resolver::Sources`] answers |
//! | [`run`] | the record that a run leaves beside its lane, and the native plan in it |
//! | [`read`] | the edge that answers from this machine |
//! | [`json`], `shape`, `gate` | strict JSON, the shapes of its values, what a shut gate says |

use serde::Serialize;

use crate::handoff::{HarnessName, Inert, ModelClass, Position, Value};

mod bindings;
pub mod capability;
mod catalog;
mod config;
mod contract;
mod gate;
pub mod home;
pub mod json;
pub mod lock;
pub mod manifest;
pub mod provenance;
pub mod read;
pub mod record;
pub mod resolver;
pub mod run;
mod shape;

pub use gate::Shut;
pub use manifest::Manifest;
pub use record::Record;

/// Why a policy file is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", .at.map(|(l, c)| format!(" (line {l}, column {c})")).unwrap_or_default())]
pub struct PolicyError {
    /// What is wrong, and what to do.
    pub message: String,
    /// Line and column, where there are any.
    pub at: Option<(usize, usize)>,
}

impl PolicyError {
    /// A refusal with its place.
    fn at(at: Position, message: impl Into<String>) -> Self {
        Self { message: message.into(), at: Some((at.line as usize, at.column as usize)) }
    }
}

/// Who reviews: everybody in the catalog, or a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reviewers {
    /// The word `"all"`.
    All,
    /// Keys in order.
    These(Vec<String>),
}

/// A valid config with its defaults filled in (in memory only).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The planner's key.
    pub planner: String,
    /// Executors in order, unique.
    pub executors: Vec<String>,
    /// Reviewers.
    pub reviewers: Reviewers,
    /// How many families must review (at least 2).
    pub review_families_min: u64,
    /// How deep layers may go (at least 1).
    pub max_layers: u64,
    /// Paths that nobody may change.
    pub frozen_paths: Vec<String>,
    /// Ecosystems in order.
    pub ecosystems: Vec<String>,
    /// `true` for `auto`, `false` for `off`.
    pub delegation: bool,
    /// What was filled in or is old: for people.
    pub warnings: Vec<String>,
}

impl Config {
    /// Reads `.thunderkit/config.json` strictly and fills in the defaults.
    ///
    /// # Errors
    /// The first breach, with line and column: bad JSON, an unknown key, a value of another kind or out of range.
    pub fn parse(bytes: &[u8]) -> Result<Self, PolicyError> {
        config::parse(bytes)
    }

    /// The keys of a class in order; `"all"` is expanded by the catalog.
    pub fn class(&self, class: ModelClass, catalog: &Catalog) -> Vec<String> {
        match (class, &self.reviewers) {
            (ModelClass::Planner, _) => vec![self.planner.clone()],
            (ModelClass::Executors, _) => self.executors.clone(),
            (ModelClass::Reviewers, Reviewers::These(keys)) => keys.clone(),
            (ModelClass::Reviewers, Reviewers::All) => {
                catalog.models.iter().map(|model| model.key.clone()).collect()
            }
        }
    }

    /// Compares a recorded model contract with this config.
    pub fn compare_contract(&self, recorded: &Value) -> ContractMatch {
        contract::compare(self, recorded)
    }

    /// The contract as it is written into a handoff.
    pub fn contract(&self) -> Value {
        contract::of(self)
    }
}

/// How a recorded contract stands to the current config.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContractMatch {
    /// Equal in every selection and policy.
    Same,
    /// These differ: name, recorded, current; odd characters of the recorded text are made visible.
    Differs(Vec<(String, String, String)>),
    /// Another layout: cannot be compared, with the reason.
    OtherLayout(String),
}

/// One model as one harness runs it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Route {
    /// The harness.
    pub harness: HarnessName,
    /// The provider.
    pub provider: String,
    /// The exact id.
    pub model_id: String,
}

/// One row of the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// Its key.
    pub key: String,
    /// Its family.
    pub family: String,
    /// Its routes, one per harness.
    pub routes: Vec<Route>,
    /// Its routes on hosts that moorline knows no harness of: host, provider, exact id.
    pub elsewhere: Vec<(String, String, String)>,
}

impl Model {
    /// Whether a host runs it at this provider under this exact id.
    pub fn runs_as(&self, host: &str, provider: &str, model_id: &str) -> bool {
        let known = self.routes.iter().any(|route| {
            (route.harness.as_str(), route.provider.as_str(), route.model_id.as_str())
                == (host, provider, model_id)
        });
        known
            || self
                .elsewhere
                .iter()
                .any(|(own, at, id)| (own.as_str(), at.as_str(), id.as_str()) == (host, provider, model_id))
    }
}

/// The model catalog and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    /// Rows in file order.
    pub models: Vec<Model>,
    /// What every check that used it names as its source.
    pub source: Inert,
}

impl Catalog {
    /// The catalog that is built in.
    pub fn embedded() -> Self {
        catalog::embedded()
    }

    /// Reads a catalog file strictly. Columns that moorline does not use may be there.
    ///
    /// # Errors
    /// The first breach, with line and column.
    pub fn parse(bytes: &[u8], source: Inert) -> Result<Self, PolicyError> {
        catalog::parse(bytes, source)
    }

    /// The row of a key.
    pub fn model(&self, key: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.key == key)
    }
}
