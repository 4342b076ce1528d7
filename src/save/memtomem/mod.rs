//! memtomem's format: one record, written by memtomem itself and by nobody else.

mod mm;
mod record;

use std::path::{Path, PathBuf};

use chrono::{DateTime, FixedOffset};

use super::draft::{Refusal, Request};
use super::facts::{Captured, Facts};
use super::file::NotWritten;
use super::narrative::Narrative;
use super::target::Target;
use crate::check::{Examiner, memtomem_state};
use crate::disk::{self, Beneath, DiskError};
use crate::handoff::{self, Digest, Habit, Inert, RUNTIMES, RecordId, RelPath, Source, count_of, runtime};
use crate::harness::Surroundings;
use crate::place::Scope;
use crate::repo::{Head, Repo};

/// Where memtomem keeps a project's own day files.
const TIER: &str = ".memtomem/memories.local";
/// Bytes read of a day file.
const CAP: u64 = 8 << 20;

/// A record that is ready, and the call that writes it.
#[derive(Debug)]
pub(super) struct Pending {
    add: mm::Add,
    id: RecordId,
    fields: record::Fields,
    root: PathBuf,
    /// Why memtomem cannot be asked.
    pub(super) not_ready: Option<String>,
}

/// What memtomem wrote, read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) path: PathBuf,
    /// The id, the number of chunks, and what memtomem said.
    pub(super) said: Vec<Inert>,
}

/// That a runtime is not known to memtomem, and which are.
fn unknown_runtime(named: &str) -> Refusal {
    let known = RUNTIMES.join(", ");
    Refusal(format!("insufficient_input: runtime ({named:?} is none of {known})"))
}

/// Builds the record; nothing is written.
///
/// # Errors
/// [`Refusal`]: outside of a git worktree, an unknown recipient, no observed work, or no room.
pub(super) fn pending(
    examiner: &Examiner,
    request: &Request<'_>,
    narrative: &Narrative,
    facts: &Facts,
) -> Result<(String, Pending, Vec<Captured>), Refusal> {
    let repo = Repo::open(examiner.project())
        .map_err(|why| Refusal(format!("memtomem's records belong to a git worktree: {why}")))?;
    let root = repo.root();
    let text = root.to_str().ok_or_else(|| Refusal("the project's path is not UTF-8".into()))?;
    let to = request.to.as_deref().unwrap_or("any");
    let to = runtime(to).ok_or_else(|| unknown_runtime(to))?;
    let from = examiner.runtime();
    let from = runtime(&from).unwrap_or("any");
    let namespace = namespace(root)?;
    let id = fresh_id()?;
    let status =
        repo.status().map_err(|why| Refusal(format!("the worktree's state cannot be told: {why}")))?;
    if !status.not_compared.is_empty() {
        let files = count_of(status.not_compared.len(), "changed file is", "changed files are");
        return Err(Refusal(format!(
            "{files} not compared, since a filter is set: the worktree's state cannot be told"
        )));
    }
    let changed = facts.changes.iter().flatten().map(|entry| entry.path.raw().to_owned()).collect();
    let fields = record::fields(
        &record::Captured {
            id: id.as_str(),
            from,
            to,
            root: text,
            changed,
            artifacts: artifacts(root, narrative)?,
            head: facts.head.as_ref().and_then(Head::commit).map_or("none".into(), ToString::to_string),
            state: memtomem_state(&status.entries),
        },
        narrative,
    )
    .map_err(Refusal)?;
    let fenced = format!("```text\n{}```", record::text(&fields));
    let call = mm::Record { id: id.as_str(), fenced: &fenced, namespace: &namespace, from, to };
    let (add, ready) = mm::Add::new(examiner.around(), root, &call);
    let captured = vec![
        Captured::known("handoff_id", id.as_str(), "made for this record"),
        Captured::known("from_runtime", from, "this process's environment"),
        Captured::known("worktree_state", memtomem_state(&status.entries), "git status, all files"),
    ];
    let pending = Pending { add, id, fields, root: root.to_owned(), not_ready: ready.err() };
    Ok((fenced, pending, captured))
}

impl Pending {
    /// The call as a person can paste it into a shell.
    pub(super) fn command(&self) -> String {
        self.add.command()
    }

    /// Has memtomem write it, and reads the record back from the file.
    ///
    /// # Errors
    /// [`NotWritten::Tool`] with what memtomem said, or how the file differs.
    pub(super) fn write(&self, around: &Surroundings) -> Result<Written, NotWritten> {
        if let Some(why) = &self.not_ready {
            return Err(NotWritten::Tool(why.clone()));
        }
        if self.is_known()? {
            return Err(NotWritten::Tool(format!("a record {} is there already", self.id)));
        }
        let added = self.add.run(around).map_err(NotWritten::Tool)?;
        let path = added.target.canonicalize().map_err(|error| {
            NotWritten::Tool(format!("mm says that it wrote {}: {error}", added.target.display()))
        })?;
        if !path.starts_with(self.root.join(TIER)) {
            return Err(NotWritten::Tool(format!("mm wrote outside of {TIER}: {}", path.display())));
        }
        self.read_back(&path).map_err(|why| {
            NotWritten::Tool(format!("mm says that it saved, but {} {why}", path.display()))
        })?;
        let chunks = added.chunks.map(|count| {
            count_of(usize::try_from(count).unwrap_or(usize::MAX), "chunk indexed", "chunks indexed")
        });
        let id = format!("record {}", self.id);
        let said = [Some(id), chunks].into_iter().flatten().chain(added.said);
        Ok(Written { path, said: said.map(Inert::from).collect() })
    }

    /// Whether any day file has a record of this id. memtomem itself would take it a second time.
    fn is_known(&self) -> Result<bool, DiskError> {
        let tier = match Beneath::open(&self.root.join(TIER)) {
            Ok(tier) => tier,
            Err(DiskError::NotFound(_)) => return Ok(false),
            Err(why) => return Err(why),
        };
        let (_, entries) = tier.list(Path::new(""))?;
        let day = |name: &std::ffi::OsStr| name.to_string_lossy().ends_with(".md");
        for entry in entries.into_iter().filter(|entry| day(&entry.name)) {
            let bytes = tier.read_found(Path::new(&entry.name), CAP)?.bytes;
            if String::from_utf8_lossy(&bytes).contains(self.id.as_str()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The file has exactly this record.
    fn read_back(&self, path: &Path) -> Result<(), String> {
        let content = disk::read(path, CAP).map_err(|why| why.to_string())?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let source = Source { bytes: &content.bytes, name: &name, habit: Habit::DayFile, cut_from: None };
        let records = handoff::read(&source);
        let mut own = records.iter().filter(|record| record.record_id.as_ref() == Some(&self.id));
        let (Some(record), None) = (own.next(), own.next()) else {
            return Err("does not hold this record once".into());
        };
        if let Some(problem) = record.problems.iter().find(|problem| problem.is_error()) {
            return Err(format!("holds it torn: {}", problem.message.shown_line()));
        }
        let differs = |(name, value): &&(&str, String)| {
            record.fields.get(name).and_then(|field| field.value.as_text()).map(Inert::raw)
                != Some(value.as_str())
        };
        match self.fields.iter().find(differs) {
            None => Ok(()),
            Some((name, _)) => Err(format!("has another {name}")),
        }
    }
}

/// The absolute paths of what is worked on, which must be there.
fn artifacts(root: &Path, narrative: &Narrative) -> Result<Vec<String>, Refusal> {
    let Some(named) = &narrative.artifact else { return Ok(Vec::new()) };
    let path = RelPath::parse(named).map_err(|why| Refusal(format!("artifact {named:?}: {why}")))?;
    let there = Beneath::open(root).and_then(|root| root.digest(&path));
    there.map_err(|why| Refusal(format!("the artifact cannot be read: {why}")))?;
    Ok(vec![root.join(path.as_path()).to_string_lossy().into_owned()])
}

/// The file that memtomem will write to: named by the day in UTC and the namespace.
///
/// # Errors
/// The project's name gives none for a namespace.
pub(super) fn target(project: &Path, now: DateTime<FixedOffset>) -> Result<Target, Refusal> {
    let namespace = namespace(project)?;
    let day = now.with_timezone(&chrono::Utc).format("%Y-%m-%d");
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    let safe: String = namespace.chars().map(|c| if plain(c) { c } else { '-' }).collect();
    let digest = Digest::of(namespace.as_bytes()).to_string();
    Ok(Target {
        path: project.join(TIER).join(format!("{day}--{safe}-{}.md", &digest[..16])),
        root: project.to_owned(),
        scope: Scope::Project,
        why: format!("memtomem's day file of namespace {namespace}"),
        plan: None,
        tied: Vec::new(),
        others: Vec::new(),
        taken: None,
        is_new: false,
        is_named: false,
    })
}

fn namespace(project: &Path) -> Result<String, Refusal> {
    mm::slug(project).map(|slug| format!("shared:{slug}")).map_err(Refusal)
}

/// A random UUID (version 4).
fn fresh_id() -> Result<RecordId, Refusal> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|why| Refusal(format!("no random id can be made: {why}")))?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let parts = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
    RecordId::parse(&parts.join("-")).map_err(|why| Refusal(why.to_string()))
}
