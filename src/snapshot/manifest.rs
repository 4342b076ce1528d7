//! The manifest: what one snapshot holds, as one JSON document. Its shape stands in the room's own page.
//!
//! A manifest that is read is not believed. It is taken only where every part of it is what this program could have
//! written: paths that cannot leave a directory, each named once, sizes within the limits, nothing unknown.

use chrono::{DateTime, Utc};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::limits;
use crate::handoff::{ClockSource, CommitId, Digest, Inert, RelPath, inert, secrets};

/// The one version of the shape.
const SCHEMA_VERSION: u32 = 1;

/// One snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    schema_version: u32,
    /// The name that a person gave the line of snapshots it belongs to.
    pub identity: Identity,
    /// How far it reaches.
    pub scope: Scope,
    /// When it was taken.
    pub created_at: DateTime<Utc>,
    /// The project directory that it was taken of. For people: nothing is ever written there because of it.
    #[serde(deserialize_with = "text")]
    pub project_root: Inert,
    /// What was asked for, relative to the project.
    #[serde(deserialize_with = "parsed_list")]
    pub sources: Vec<RelPath>,
    /// What is in it, sorted by path.
    pub files: Vec<FileEntry>,
    /// What lies in the sources and is not in it.
    pub omissions: Vec<Omission>,
    /// The file with which a session goes on; `null` where none was named.
    pub context: Option<Context>,
    /// The history.
    pub history: History,
}

/// How far a snapshot reaches. There is one scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// One project.
    Project,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Where it lay, relative to the project.
    #[serde(deserialize_with = "parsed")]
    pub path: RelPath,
    /// The permission bits that it had. They are told, never given back.
    pub mode: FileMode,
    /// Its size in bytes.
    pub size: u64,
    /// The digest of its bytes, which is the name of its object.
    #[serde(deserialize_with = "parsed")]
    pub sha256: Digest,
}

/// Something that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Omission {
    /// Where it lies, relative to the project; a directory ends in `/`.
    #[serde(deserialize_with = "text")]
    pub path: Inert,
    /// Why it was left out.
    #[serde(deserialize_with = "text")]
    pub reason: Inert,
}

/// The file with which a session goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// Where it lay; it is one of `files`.
    #[serde(deserialize_with = "parsed")]
    pub path: RelPath,
    /// Whether git ignores it: it is here all the same.
    pub ignored: bool,
    /// When it was saved, RFC 3339 or a day; `null` where it is no text that could say so.
    #[serde(deserialize_with = "maybe_text")]
    pub saved_at: Option<Inert>,
    /// What said so.
    pub saved_at_source: Option<ClockSource>,
    /// How old it was when the snapshot was taken, in seconds; negative where it lies ahead.
    pub age_seconds: Option<i64>,
}

/// What became of the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case", deny_unknown_fields)]
pub enum History {
    /// It was not asked for.
    NotRequested,
    /// It is here, as a git bundle.
    Captured {
        /// The one reference in it, by its full name.
        #[serde(rename = "ref", deserialize_with = "text")]
        reference: Inert,
        /// The commit that it was at.
        #[serde(deserialize_with = "parsed")]
        head: CommitId,
        /// How many commits it reaches.
        commits: usize,
        /// How many objects it reaches, commits included.
        objects: usize,
        /// The bundle's size in bytes.
        size: u64,
        /// The digest of its bytes, which is the name of its object.
        #[serde(deserialize_with = "parsed")]
        sha256: Digest,
    },
}

impl History {
    /// Digest and size of the bundle, where there is one.
    pub fn bundle(&self) -> Option<(&Digest, u64)> {
        match self {
            Self::NotRequested => None,
            Self::Captured { sha256, size, .. } => Some((sha256, *size)),
        }
    }
}

/// Permission bits, written as four octal digits: `"0644"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileMode(pub u32);

impl Serialize for FileMode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:04o}", self.0))
    }
}

impl<'de> Deserialize<'de> for FileMode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bits = u32::from_str_radix(&text, 8).ok().filter(|_| text.len() == 4 && !text.starts_with('+'));
        bits.map(Self).ok_or_else(|| D::Error::custom("a mode is four octal digits"))
    }
}

/// The name of a line of snapshots, as a person gives it: one line of visible characters, at most 200 of them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Identity(String);

impl Identity {
    /// Accepts what the type says, and nothing that holds a secret.
    ///
    /// # Errors
    /// What is wrong with it, without repeating it.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if text.trim().is_empty() || text.trim() != text {
            return Err("an identity is not empty, and has no blank at its ends");
        }
        if text.chars().count() > 200 {
            return Err("an identity has at most 200 characters");
        }
        if inert::has_odd(text) || text.contains(['\n', '\t']) {
            return Err("an identity is one line of visible characters");
        }
        if !secrets::find(text).is_empty() {
            return Err("this identity holds a secret");
        }
        Ok(Self(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Identity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// What a capture puts into a manifest; the version is added here.
pub(super) struct Parts {
    pub(super) identity: Identity,
    pub(super) created_at: DateTime<Utc>,
    pub(super) project_root: Inert,
    pub(super) sources: Vec<RelPath>,
    pub(super) files: Vec<FileEntry>,
    pub(super) omissions: Vec<Omission>,
    pub(super) context: Option<Context>,
    pub(super) history: History,
}

impl Manifest {
    pub(super) fn new(parts: Parts) -> Self {
        let Parts { identity, created_at, project_root, sources, files, omissions, context, history } = parts;
        Self {
            schema_version: SCHEMA_VERSION,
            identity,
            scope: Scope::Project,
            created_at,
            project_root,
            sources,
            files,
            omissions,
            context,
            history,
        }
    }

    /// The bytes of the document.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).expect("a manifest has only text keys");
        bytes.push(b'\n');
        bytes
    }

    /// Reads a document.
    ///
    /// # Errors
    /// What in it is not what this program writes.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let manifest: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        manifest.judge().map(|()| manifest)
    }

    /// Every digest that it names with the size that it says, each once.
    pub fn objects(&self) -> Vec<(&Digest, u64)> {
        let files = self.files.iter().map(|file| (&file.sha256, file.size));
        let mut all: Vec<_> = files.chain(self.history.bundle()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The sizes of its files together, in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().fold(0, |sum, file| sum.saturating_add(file.size))
    }

    /// What no type says of it.
    fn judge(&self) -> Result<(), String> {
        if self.schema_version != SCHEMA_VERSION {
            return Err(format!("schema_version {} is unknown here", self.schema_version));
        }
        if self.files.len() > limits::FILES || self.omissions.len() > limits::FILES {
            return Err(format!("more than {} files or omissions", limits::FILES));
        }
        if let Some(file) = self.files.iter().find(|file| file.size > limits::FILE) {
            return Err(format!("{} is said to have {} bytes", file.path, file.size));
        }
        if self.bytes() > limits::TOTAL {
            return Err(format!("its files are said to have {} bytes together", self.bytes()));
        }
        if self.history.bundle().is_some_and(|(_, size)| size > limits::BUNDLE) {
            return Err("its history is said to be larger than any that is kept".into());
        }
        for pair in self.files.windows(2) {
            if pair[0].path >= pair[1].path {
                return Err(format!("{} is named twice, or out of order", pair[1].path));
            }
        }
        let paths: std::collections::BTreeSet<&str> =
            self.files.iter().map(|file| file.path.as_str()).collect();
        for file in &self.files {
            let path = file.path.as_str();
            if file.path.is_root() || path.len() > limits::PATH {
                return Err(format!("{path} cannot be the path of a file"));
            }
            if path.match_indices('/').any(|(at, _)| paths.contains(&path[..at])) {
                return Err(format!("{path} lies in something that is a file"));
            }
        }
        match &self.context {
            Some(context) if !paths.contains(context.path.as_str()) => {
                Err(format!("its context {} is none of its files", context.path))
            }
            _ => Ok(()),
        }
    }
}

/// An identity value that exists only parsed.
fn parsed<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<T, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

fn parsed_list<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| text.parse().map_err(D::Error::custom)).collect()
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Inert, D::Error> {
    String::deserialize(deserializer).map(Inert::new)
}

fn maybe_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Inert>, D::Error> {
    Option::<String>::deserialize(deserializer).map(|text| text.map(Inert::new))
}
