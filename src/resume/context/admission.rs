//! Whether a handoff may be loaded into a session. Only memtomem's records have such rules: every other family is
//! context for whoever reads it.

use super::{line_of, name_of};
use crate::check::Examiner;
use crate::handoff::{Family, Record};
use crate::place::{Listed, Scope};
use crate::repo::Repo;

/// The runtime of somebody who did not say which one it is, and the recipient of a record for everybody.
const ANY: &str = "any";

/// Why a record may not be loaded, in one sentence: it is torn, it is for another runtime than the one that asks, or
/// this is no git worktree. `None` where nothing is in the way.
pub fn not_loadable(examiner: &Examiner, row: &Listed) -> Option<String> {
    if row.handoff.family != Family::Memtomem {
        return None;
    }
    let path = name_of(&row.path);
    if let Some(problem) = row.handoff.problems.iter().find(|problem| problem.is_error()) {
        let line = problem.at.map(|at| format!(", line {}", at.line)).unwrap_or_default();
        let why = line_of(&problem.message);
        return Some(format!("the record in {path}{line} cannot be used: {why}"));
    }
    let runtime = examiner.runtime();
    let to = recipient(row);
    if to != ANY && runtime != ANY && to != runtime {
        let line = row.handoff.fields.line_of("to_runtime").unwrap_or(row.handoff.lines.0);
        return Some(format!("the record in {path}, line {line}, is addressed to {to}; this is {runtime}"));
    }
    let root = if row.scope == Scope::Global { examiner.project() } else { &row.root };
    let why = Repo::containing(root).err()?;
    Some(format!("a record is loaded inside a git worktree only: {why}"))
}

/// Whether a record is for the runtime that asks; every other family is for everybody. A torn record is for whom its
/// own line says, as far as that can be read: it must stop the one it was meant for, and only that one.
pub fn is_addressed_here(examiner: &Examiner, row: &Listed) -> bool {
    if row.handoff.family != Family::Memtomem {
        return true;
    }
    let to = recipient(row);
    to == ANY || to == examiner.runtime()
}

/// For whom a record is, in one line; everybody where it cannot be read.
fn recipient(row: &Listed) -> String {
    let typed = match &row.handoff.record {
        Record::Memtomem(record) => record.to_runtime.as_ref(),
        _ => None,
    };
    let raw = || row.handoff.fields.get("to_runtime").and_then(|field| field.value.as_text());
    typed.or_else(raw).map_or_else(|| ANY.to_owned(), line_of)
}
