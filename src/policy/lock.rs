//! `.thunderkit/peers.lock.json`: which version of a peer was installed here, and the digest of each of its files.

use super::json::Json;
use super::{PolicyError, shape};
use crate::handoff::Digest;

const KEYS: &[&str] = &[
    "schema_version",
    "host",
    "peer",
    "package",
    "channel",
    "version",
    "registry_integrity",
    "locked_at",
    "root",
    "files",
];

/// A valid lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    /// The host that it was made for.
    pub host: String,
    /// The ecosystem of the peer.
    pub peer: String,
    /// Its package.
    pub package: String,
    /// The channel that its version was taken from.
    pub channel: String,
    /// Its exact version.
    pub version: String,
    /// When it was made, as written.
    pub locked_at: String,
    /// The absolute directory that it was installed in.
    pub root: String,
    /// The digest of each file, by its path below the root, in file order.
    pub files: Vec<(String, Digest)>,
}

impl Lock {
    /// Reads a lock strictly: exactly the keys of schema 1, no file without a digest.
    ///
    /// # Errors
    /// The first breach, with line and column.
    pub fn parse(bytes: &[u8]) -> Result<Self, PolicyError> {
        let root = Json::parse(bytes)?;
        for member in shape::object(&root, "the lock")? {
            if !KEYS.contains(&member.key.as_str()) {
                return Err(PolicyError::at(member.key_at, format!("the lock has no key {:?}", member.key)));
            }
        }
        let field = |name: &str| shape::required(&root, name, "the lock");
        let word = |name: &str| -> Result<String, PolicyError> {
            let value = field(name)?;
            shape::path(value, name)?;
            shape::word(value, name).map(str::to_owned)
        };
        shape::version(&root, &[1], "the lock")?;
        let integrity = field("registry_integrity")?;
        let said = shape::text(integrity, "registry_integrity")?;
        if !said.is_empty() && !said.starts_with("sha512-") {
            let message = "registry_integrity must be empty or begin with `sha512-`";
            return Err(PolicyError::at(integrity.at, message));
        }
        let place = field("root")?;
        if !shape::path(place, "root")?.starts_with('/') {
            return Err(PolicyError::at(place.at, "the lock's root must be an absolute path"));
        }
        Ok(Self {
            host: word("host")?,
            peer: word("peer")?,
            package: word("package")?,
            channel: word("channel")?,
            version: word("version")?,
            locked_at: word("locked_at")?,
            root: word("root")?,
            files: files(field("files")?)?,
        })
    }

    /// The digest of a file.
    pub fn digest(&self, path: &str) -> Option<&Digest> {
        self.files.iter().find(|(own, _)| own == path).map(|(_, digest)| digest)
    }
}

fn files(value: &Json) -> Result<Vec<(String, Digest)>, PolicyError> {
    let members = shape::object(value, "files")?;
    if members.is_empty() {
        return Err(PolicyError::at(value.at, "a lock without files locks nothing"));
    }
    let file = |member: &super::json::Member| {
        if !shape::is_relative(&member.key) {
            return Err(PolicyError::at(member.key_at, "a locked file must be a path below the root"));
        }
        let digest = shape::text(&member.value, "a digest")?;
        let digest =
            Digest::parse(digest).map_err(|why| PolicyError::at(member.value.at, why.to_string()))?;
        Ok((member.key.clone(), digest))
    };
    members.iter().map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"{"schema_version":1,"host":"opencode","peer":"omo","package":"p","channel":"c",
        "version":"1.0.0","registry_integrity":"sha512-x","locked_at":"2026-11-30T00:00:00Z","root":"/opt/p",
        "files":{"a/SKILL.md":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}}"#;

    #[test]
    fn a_lock_holds_exactly_its_fields() {
        let lock = Lock::parse(GOOD.as_bytes()).expect("a good lock: the control that the gate opens");
        assert!(lock.digest("a/SKILL.md").is_some(), "each file has its digest");
        assert!(lock.digest("a/OTHER.md").is_none(), "and no other file has one");
        for (from, to) in [
            ("\"schema_version\":1", "\"schema_version\":true"),
            ("\"schema_version\":1", "\"schema_version\":2"),
            ("\"host\":\"opencode\",", ""),
            ("\"host\":\"opencode\"", "\"host\":\" \""),
            ("\"host\":\"opencode\"", "\"host\":\"a\\u0007\""),
            ("\"host\":\"opencode\"", "\"host\":\"opencode\",\"ready\":true"),
            ("\"sha512-x\"", "\"sha1-x\""),
            ("\"sha512-x\"", "null"),
            ("\"/opt/p\"", "\"opt/p\""),
            ("a/SKILL.md", "../SKILL.md"),
            ("e3b0", "E3B0"),
            ("b855\"", "b85\""),
            ("\"a/SKILL.md\":", "\"a/SKILL.md\":null,\"b\":"),
        ] {
            let bad = GOOD.replacen(from, to, 1);
            assert_ne!(bad, GOOD, "{from} is there to be changed");
            assert!(Lock::parse(bad.as_bytes()).is_err(), "{from} → {to} is refused");
        }
        let empty = GOOD.split("\"files\"").next().map(|head| format!("{head}\"files\":{{}}}}"));
        assert!(Lock::parse(empty.unwrap_or_default().as_bytes()).is_err(), "no file, no lock");
    }
}
