//! The capability snapshot: what a host says it has loaded, bound and been allowed.
//!
//! It claims, it never proves: what it says of files is compared with their bytes, and a field that the format does
//! not have (`ready`, …) grants nothing. Its outline is checked at once; what one target needs is read when that
//! target is looked at, so that somebody else's entry spoils nothing.

use super::json::Json;
use super::{PolicyError, shape};

/// A snapshot whose outline is valid.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    root: Json,
    host: String,
    tools: Vec<String>,
    consents: Vec<String>,
}

impl Snapshot {
    /// Reads a snapshot.
    ///
    /// # Errors
    /// The first breach of its outline, with line and column.
    pub fn parse(bytes: &[u8]) -> Result<Self, PolicyError> {
        let root = Json::parse(bytes)?;
        shape::version(&root, &[1], "the capabilities")?;
        let host = shape::name(shape::required(&root, "host", "the capabilities")?, "host")?.to_owned();
        for name in ["peers", "model_bindings"] {
            if let Some(value) = root.get(name) {
                shape::object(value, name)?;
            }
        }
        let texts = |name: &str| -> Result<Vec<String>, PolicyError> {
            let list = root.get(name).map(|value| shape::texts(value, name)).transpose()?;
            Ok(list.unwrap_or_default().into_iter().map(str::to_owned).collect())
        };
        let (tools, consents) = (texts("tools")?, texts("consents")?);
        Ok(Self { root, host, tools, consents })
    }

    /// The host that made it.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether the host has a tool.
    pub fn has_tool(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool == name)
    }

    /// Whether a person allowed this.
    pub fn consents_to(&self, word: &str) -> bool {
        self.consents.iter().any(|consent| consent == word)
    }

    /// What it says of an ecosystem's peer.
    pub(super) fn peer(&self, ecosystem: &str) -> Option<&Json> {
        self.root.get("peers")?.get(ecosystem)
    }

    /// What it says of a slot that models are bound to.
    pub(super) fn binding(&self, slot: &str) -> Option<&Json> {
        self.root.get("model_bindings")?.get(slot)
    }

    /// What it says of the home of a native run; `None` where nothing or null.
    pub(super) fn runtime_home(&self) -> Option<&Json> {
        self.root.get("runtime_home").filter(|home| !home.is_null())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outline_is_checked_and_nothing_else_is_trusted() {
        let good = r#"{"schema_version":1,"host":"opencode","peers":{},"tools":["skill"],"model_bindings":{},
            "runtime_home":null,"consents":["lookup"],"ready":true}"#;
        let read =
            Snapshot::parse(good.as_bytes()).expect("a good snapshot: the control that the gate opens");
        assert!(read.has_tool("skill") && !read.has_tool("ready"), "a tool is one that is listed");
        assert!(read.consents_to("lookup") && !read.consents_to("dispatch"), "so is a consent");
        assert!(read.runtime_home().is_none(), "null is no home");
        for (from, to) in [
            ("\"schema_version\":1", "\"schema_version\":true"),
            ("\"host\":\"opencode\"", "\"host\":[]"),
            ("\"host\":\"opencode\"", "\"host\":\"\""),
            ("\"host\":\"opencode\",", ""),
            ("\"peers\":{}", "\"peers\":[]"),
            ("[\"skill\"]", "\"skill\""),
            ("[\"skill\"]", "[1]"),
            ("[\"lookup\"]", "true"),
            ("\"model_bindings\":{}", "\"model_bindings\":[]"),
        ] {
            let bad = good.replacen(from, to, 1);
            assert_ne!(bad, good, "{from} is there to be changed");
            assert!(Snapshot::parse(bad.as_bytes()).is_err(), "{from} → {to} is refused");
        }
    }
}
