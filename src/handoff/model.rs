//! The one shape that every reader fills: what a file says, and nothing else.
//!
//! Where the file lies, when it was changed and whether any of it is true are other rooms' business. A fact
//! that the file does not hold is `None` (or an empty list), never a default.

use serde::{Serialize, Serializer};

use super::Inert;
use super::ident::{BranchName, CommitId, Digest, LaneId, RecordId, RelPath, Revision, SessionId};
use super::problem::Problem;
use super::time::Moment;

/// Whose habit a handoff follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// thunderkit's strict `.thunderkit/HANDOFF.md`, schema version 1.
    Thunderkit,
    /// The same path in the shape of thunderkit's first release: readable, never resumable.
    ThunderkitLegacy,
    /// theonekit's seven-section markdown.
    Theonekit,
    /// One record of a memtomem day file.
    Memtomem,
    /// Everything else.
    Freeform,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// YAML, also thunderkit's.
    Yaml,
    /// Markdown.
    Markdown,
    /// JSON.
    Json,
    /// Plain text.
    Text,
}

impl Format {
    /// The format that a file name says, markdown where it says nothing.
    pub fn of_name(name: &str) -> Self {
        let ending = name.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase());
        match ending.as_deref() {
            Some("json") => Self::Json,
            Some("yaml" | "yml") => Self::Yaml,
            Some("txt" | "text") => Self::Text,
            _ => Self::Markdown,
        }
    }

    /// How many bytes of such a file are read: 256 KiB of YAML and 1 MiB of JSON, whose readers keep what they read
    /// in pieces, and `limit` of text. It is the person's own bound, and widens none of the others.
    pub fn most_bytes(self, limit: u64) -> u64 {
        match self {
            Self::Yaml => limit.min(256 << 10),
            Self::Json => limit.min(1 << 20),
            Self::Markdown | Self::Text => limit,
        }
    }
}

/// How many bytes of a text are read where the settings say nothing else.
pub const READ_LIMIT: u64 = 8 << 20;

/// Where a saved time was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockSource {
    /// A field of the file says it.
    Declared,
    /// A heading of the file says it.
    Heading,
    /// The file's name says it.
    Filename,
    /// The commit that last changed the file.
    Commit,
    /// The file system's modification time: the last resort.
    Mtime,
}

/// When a handoff was saved, as far as the file or its surroundings say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedAt {
    /// The instant or the calendar day.
    pub moment: Moment,
    /// The text it was read from.
    pub written: Inert,
    /// Where that text stood.
    pub source: ClockSource,
}

/// One value of a recorded field, as loosely as files hold them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Said to be nothing.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A number, in its own digits.
    Number(serde_json::Number),
    /// Text.
    Text(Inert),
    /// Several values in order.
    List(Vec<Value>),
    /// Named values in file order.
    Map(Fields),
}

impl Value {
    /// Text as a value.
    pub fn text(text: impl Into<Inert>) -> Self {
        Self::Text(text.into())
    }

    /// The text, when it is text.
    pub fn as_text(&self) -> Option<&Inert> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(yes) => serializer.serialize_bool(*yes),
            Self::Number(n) => n.serialize(serializer),
            Self::Text(text) => text.serialize(serializer),
            Self::List(items) => items.serialize(serializer),
            Self::Map(fields) => fields.serialize(serializer),
        }
    }
}

/// Every recorded field under its own name, in file order, each with the line it stands on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fields(Vec<Field>);

/// One recorded field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name as the file spells it.
    pub name: Inert,
    /// Its value.
    pub value: Value,
    /// Its line in the file, from 1; 0 where that is not known.
    pub line: u32,
}

impl Fields {
    /// Adds a field at the end.
    pub fn push(&mut self, name: impl Into<Inert>, value: Value, line: u32) {
        self.0.push(Field { name: name.into(), value, line });
    }

    /// The first field of that name.
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.0.iter().find(|field| field.name.raw() == name)
    }

    /// The line on which a field stands, from 1.
    pub fn line_of(&self, name: &str) -> Option<u32> {
        self.get(name).map(|field| field.line).filter(|&line| line > 0)
    }

    /// All fields in file order.
    pub fn iter(&self) -> std::slice::Iter<'_, Field> {
        self.0.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> IntoIterator for &'a Fields {
    type Item = &'a Field;
    type IntoIter = std::slice::Iter<'a, Field>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// As a JSON object in file order; a name said twice keeps its first value under its own name and the later
/// ones under `name#2`, `name#3`, so that nothing is lost.
impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut seen = std::collections::HashMap::<String, u32>::new();
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for field in &self.0 {
            let name = field.name.plain();
            let count = seen.entry(name.clone()).and_modify(|n| *n += 1).or_insert(1);
            let key = if *count == 1 { name } else { format!("{name}#{count}") };
            map.serialize_entry(&key, &field.value)?;
        }
        map.end()
    }
}

/// The harnesses that thunderkit's format names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HarnessName {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Hermes.
    Hermes,
    /// OpenCode.
    Opencode,
}

impl HarnessName {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::Claude, Self::Codex, Self::Hermes, Self::Opencode];

    /// The word in files, and the program's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Hermes => "hermes",
            Self::Opencode => "opencode",
        }
    }

    /// The harness of that exact name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|name| name.as_str() == text)
    }
}

/// A class of models in thunderkit's policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelClass {
    /// One model that plans.
    Planner,
    /// Models that execute, in order of preference.
    Executors,
    /// Models that review.
    Reviewers,
}

/// Who made a lane's work routine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// thunderkit's own.
    Owned,
    /// A harness's own ecosystem; needs provenance.
    Native,
    /// Said to be unknown.
    Unknown,
}

/// A lane's status as it was saved: history, never proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LaneStatus {
    /// Was running when saved.
    Running,
    /// Was waiting for something.
    Blocked,
    /// Was done; never restarted.
    Completed,
    /// Nobody knew.
    Unknown,
}

/// What the saver said about resuming: it can block a lane, never pass one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Resumability {
    /// To be checked.
    Unverified,
    /// Not to be resumed, for the recorded reason.
    NotResumable,
}

/// A model as thunderkit's format names it. All four are said or the identity is refused; effort may be null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelIdentity {
    /// The key in the catalog: `opus48`.
    pub catalog_key: Inert,
    /// Who serves it: `anthropic`.
    pub provider: Inert,
    /// Its exact id: `claude-opus-4-8`.
    pub model_id: Inert,
    /// The reasoning effort, where it was recorded.
    pub effort: Option<Inert>,
}

/// One lane of a thunderkit handoff. A value that is not legal, or is said twice, is `None` here and stands
/// raw in `fields`.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Lane {
    /// The lane's name.
    pub id: Option<LaneId>,
    /// Its worktree, relative to the project root.
    pub worktree: Option<RelPath>,
    /// Its branch; `None` where null or not legal.
    pub branch: Option<BranchName>,
    /// Its full commit id.
    pub head: Option<CommitId>,
    /// The harness that ran it.
    pub harness: Option<HarnessName>,
    /// That harness's version as recorded.
    pub harness_version: Option<Inert>,
    /// The session to go on with.
    pub session_id: Option<SessionId>,
    /// The class its model was chosen from.
    pub model_class: Option<ModelClass>,
    /// The model that was asked for.
    pub requested_model: Option<ModelIdentity>,
    /// The model that the host said it used.
    pub effective_model: Option<ModelIdentity>,
    /// The model that answered, as the store said.
    pub observed_model: Option<ModelIdentity>,
    /// The family of the observed model.
    #[serde(skip)]
    pub observed_family: Option<Inert>,
    /// Whose routine the lane runs.
    pub origin: Option<Origin>,
    /// The ecosystem of a native routine (`omo`, `omh`, `gsd`).
    #[serde(skip)]
    pub ecosystem: Option<Inert>,
    /// Its package's version.
    #[serde(skip)]
    pub package_version: Option<Inert>,
    /// Its skill.
    #[serde(skip)]
    pub skill_name: Option<Inert>,
    /// Its source file, relative.
    #[serde(skip)]
    pub source: Option<RelPath>,
    /// That file's digest.
    #[serde(skip)]
    pub source_sha256: Option<Digest>,
    /// What the lane works on, relative to the project root.
    #[serde(skip)]
    pub artifact: Option<RelPath>,
    /// That file's digest.
    #[serde(skip)]
    pub artifact_sha256: Option<Digest>,
    /// Saved status.
    pub status: Option<LaneStatus>,
    /// Saved resumability.
    pub resumability: Option<Resumability>,
    /// Why, in the saver's words.
    pub reason: Option<Inert>,
    /// Files that prove what the lane did, relative.
    #[serde(skip)]
    pub evidence_paths: Vec<RelPath>,
    /// Whether the file alone allows a resume; says nothing about what is true now.
    pub structurally_resumable: bool,
    /// Every recorded field of the lane, raw.
    pub fields: Fields,
}

/// What thunderkit's root mapping records besides the lanes. As in [`Lane`], `None` is null or not legal, and
/// the raw text stands in the handoff's `fields`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Root {
    /// Identity of the repository: `host/path`, or a directory name where there was no remote.
    pub repository: Option<Inert>,
    /// The branch; `None` with `detached` true when the file says null.
    pub branch: Option<BranchName>,
    /// The file says `branch: null`.
    pub detached: bool,
    /// Full commit id.
    pub head: Option<CommitId>,
    /// The north star's path.
    pub north_star: Option<RelPath>,
    /// The stage, free text.
    pub current_stage: Option<Inert>,
    /// The artifact the session worked on.
    pub active_artifact: Option<RelPath>,
    /// Its digest.
    pub active_artifact_sha256: Option<Digest>,
    /// The recorded model contract, whatever its layout; `None` for null.
    pub model_contract: Option<Value>,
    /// How full the context was, when the saver said so.
    pub context_at_save: Option<Inert>,
}

/// theonekit's own facts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanRecord {
    /// The plan's path as written under Active Plan.
    pub plan_path: Option<Inert>,
    /// `Location:` as written.
    pub location: Option<Inert>,
    /// Number of dirty files, where the git section gives one.
    pub dirty_files: Option<u64>,
}

/// The thirteen fields of a memtomem record, as written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MemtomemRecord {
    /// Who wrote it, normalised (`claude-code`, …).
    pub from_runtime: Option<Inert>,
    /// Who it is for, normalised; `any` is everybody.
    pub to_runtime: Option<Inert>,
    /// The project's absolute root as recorded.
    pub project_root: Option<Inert>,
    /// What the work is for.
    pub objective: Option<Inert>,
    /// Full commit id.
    pub git_head: Option<CommitId>,
    /// The worktree's state in memtomem's spelling.
    pub worktree_state: Option<Inert>,
    /// Paths named as changed, without the omitted count.
    pub changed_files: Vec<Inert>,
    /// Absolute artifact paths.
    pub artifacts: Vec<Inert>,
}

/// What only one family records.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// thunderkit v1's root.
    Thunderkit(Box<Root>),
    /// theonekit's plan and location.
    Theonekit(PlanRecord),
    /// memtomem's record.
    Memtomem(Box<MemtomemRecord>),
    /// Nothing of its own.
    None,
}

/// Something that a file notes in passing, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted<T> {
    /// What it means.
    pub value: T,
    /// The words of the file.
    pub written: Inert,
    /// Their line, from 1; 0 where that is not known.
    pub line: u32,
}

/// What a file says of the worktree when it was saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeState {
    /// So many changed files; none is a clean worktree.
    Dirty(u64),
    /// Something that cannot be compared.
    Words,
}

/// What one handoff says.
#[derive(Debug, Clone, PartialEq)]
pub struct Handoff {
    /// Whose habit it follows.
    pub family: Family,
    /// How it is written.
    pub format: Format,
    /// Its id in a day file.
    pub record_id: Option<RecordId>,
    /// First visible level-1 heading, a title line or a title key; `None` where there is none.
    pub title: Option<Inert>,
    /// When it says it was saved, by a field, a heading or its file name.
    pub saved_at: Option<SavedAt>,
    /// The branch it says it was saved on.
    pub branch: Option<BranchName>,
    /// The commit that it declares as its state.
    pub commit: Option<Revision>,
    /// What it says of the worktree's state; families with a field of their own for it leave this empty.
    pub tree: Option<Noted<TreeState>>,
    /// The absolute directory that it says it was written in.
    pub directory: Option<Noted<Inert>>,
    /// The repository that it says it is about: an address, `owner/name` or a name.
    pub repository: Option<Noted<Inert>>,
    /// Phase or stage, free text.
    pub phase: Option<Inert>,
    /// Status in its own words.
    pub status: Option<Inert>,
    /// What to do next, in order.
    pub next_actions: Vec<Inert>,
    /// What is in the way.
    pub blockers: Vec<Inert>,
    /// What was decided.
    pub decisions: Vec<Inert>,
    /// Unchecked boxes and open questions.
    pub open_items: Vec<Inert>,
    /// The file that continues this one, as its front matter names it.
    pub continuation: Option<Inert>,
    /// `false` for an unfilled template or nothing at all.
    pub readable: bool,
    /// thunderkit v1 without any structural problem.
    pub strict: bool,
    /// What the reader objects to, in file order.
    pub problems: Vec<Problem>,
    /// Lanes; always empty outside thunderkit.
    pub lanes: Vec<Lane>,
    /// Every recorded field under its own name.
    pub fields: Fields,
    /// What only this family records.
    pub record: Record,
    /// Lines of the file that this handoff stands on (first, last), from 1: the whole file but in a day file.
    pub lines: (u32, u32),
}

impl Handoff {
    /// An empty handoff of a family: nothing recorded, not readable.
    pub fn empty(family: Family, format: Format) -> Self {
        Self {
            family,
            format,
            record_id: None,
            title: None,
            saved_at: None,
            branch: None,
            commit: None,
            tree: None,
            directory: None,
            repository: None,
            phase: None,
            status: None,
            next_actions: Vec::new(),
            blockers: Vec::new(),
            decisions: Vec::new(),
            open_items: Vec::new(),
            continuation: None,
            readable: false,
            strict: false,
            problems: Vec::new(),
            lanes: Vec::new(),
            fields: Fields::default(),
            record: Record::None,
            lines: (1, 1),
        }
    }

    /// The first thing to do next.
    pub fn next_action(&self) -> Option<&Inert> {
        self.next_actions.first()
    }

    /// Whether a reader found an error (a note is none).
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }

    /// What a reader said of a file that was longer than what is read of one; `None` for one that was read whole.
    pub fn cut(&self) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.code == Problem::CUT)
    }

    /// Why the file of a context-only handoff could not be parsed as what its name says it is, if it could not.
    pub fn unparsed(&self) -> Option<&Problem> {
        let stops = |problem: &&Problem| match problem.code {
            Problem::NOT_JSON => true,
            // Lines that are passed over leave the others standing.
            Problem::NOT_YAML => self.fields.is_empty(),
            _ => false,
        };
        self.problems.iter().find(stops)
    }

    /// thunderkit's root record, when this is one.
    pub fn root(&self) -> Option<&Root> {
        match &self.record {
            Record::Thunderkit(root) => Some(root),
            _ => None,
        }
    }
}
