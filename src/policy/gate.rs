//! What a gate says when it does not open, and what it is asked for by.

use super::PolicyError;
use super::json::Json;
use super::record::Reason;

/// Why a gate stays shut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shut {
    /// For this reason, told to a person.
    For(Reason, String),
    /// The input itself cannot be used.
    Malformed(PolicyError),
}

impl Shut {
    /// The same for people.
    pub fn words(&self) -> String {
        match self {
            Self::For(_, why) => why.clone(),
            Self::Malformed(why) => why.to_string(),
        }
    }
}

impl From<PolicyError> for Shut {
    fn from(error: PolicyError) -> Self {
        Self::Malformed(error)
    }
}

/// Shuts for a reason.
pub(super) fn shut<T>(reason: Reason, detail: impl Into<String>) -> Result<T, Shut> {
    Err(Shut::For(reason, detail.into()))
}

/// Opens if this is so.
pub(super) fn need(is_so: bool, reason: Reason, detail: impl Into<String>) -> Result<(), Shut> {
    if is_so { Ok(()) } else { shut(reason, detail) }
}

/// A member that has to be there as evidence.
pub(super) fn evidence<'a>(object: &'a Json, name: &str) -> Result<&'a Json, Shut> {
    match object.get(name) {
        Some(value) => Ok(value),
        None => shut(Reason::MissingEvidence, format!("there is no evidence of `{name}`")),
    }
}
