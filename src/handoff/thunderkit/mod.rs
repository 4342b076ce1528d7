//! The reader and the writer of thunderkit's `.thunderkit/HANDOFF.md`.
//!
//! ```text
//! bytes → lines → gate ─┬→ v1 ─→ witness → Handoff
//!                       └→ legacy ───────→ Handoff
//! ```
//!
//! `lines` knows encodings and line ends, `gate` the block structure, `scalar` what one line can hold,
//! `section` what the format asks of a value, `v1`, `lane` and `legacy` which values there are, and `witness`
//! whether a second parser reads the same. Every room adds to one list of findings and goes on: a refused file
//! still shows its fields and its lanes, and says everything that is wrong with it at once.
//!
//! # What a strict file is
//!
//! Schema version 1, every key once and no other, no problem of severity error. Only lanes of a strict file can
//! be resumed. The codes:
//!
//! | code | what |
//! |---|---|
//! | `too-large`, `not-utf8`, `lone-cr`, `line-separator`, `byte-order-mark`, `control-character` | bytes |
//! | `tab`, `tab-indentation`, `indentation`, `stray-item`, `not-a-field`, `no-fields` | layout |
//! | `too-deep`, `too-many-values`, `more-problems` | bounds |
//! | `tag`, `anchor`, `alias`, `merge-key`, `complex-key`, `directive`, `document-marker`, `fence` | YAML that the format does not use |
//! | `block-scalar`, `continued-line`, `value-below`, `nested-dash`, `flow`, `nested-flow`, `unclosed-flow`, `after-flow` | values over several lines or inside others |
//! | `unquoted-colon`, `indicator`, `unclosed-quote`, `after-quote`, `bad-escape` | quoting |
//! | `duplicate-key`, `missing-key`, `unknown-key`, `legacy-command`, `duplicate-lane` | keys |
//! | `wrong-type`, `null-value`, `placeholder`, `unknown-word`, `unsupported-schema`, `malformed-…` | values |
//! | `not-yaml`, `ambiguous-value` | the second reader objects |
//! | `hash-in-text`, `not-utc`, `worktree-outside`, `no-title`, `legacy-format` | notes |

use super::{Handoff, Inert, Position, Problem, Severity, Source};
use findings::Findings;
use gate::Tree;
use lines::Line;

mod findings;
mod gate;
mod lane;
mod legacy;
mod lines;
mod node;
mod scalar;
mod schema;
mod section;
#[cfg(test)]
mod tests;
mod v1;
mod witness;
pub mod write;

/// The most bytes that are read of such a file. Real ones have some kilobytes; a save stops at 32 KiB.
pub const READ_CAP: usize = 256 * 1024;

/// Reads a file that lies at `.thunderkit/HANDOFF.md`. Never fails: what is wrong stands in `problems`.
pub fn read(source: &Source<'_>) -> Handoff {
    let mut findings = Findings::default();
    let bytes = source.bytes.get(..READ_CAP).unwrap_or(source.bytes);
    let size = source.cut_from.unwrap_or(source.bytes.len() as u64);
    if size > bytes.len() as u64 {
        let message = format!("{size} bytes, of which only the first {} were read", bytes.len());
        findings.add(
            Problem::whole(Severity::Error, "too-large", message).help("a handoff has at most 32,768 bytes"),
        );
    }
    let text = lines::decode(bytes, &mut findings);
    let lines = lines::split(&text, &mut findings);
    let title = title(&lines);
    let last = lines.len().max(1);
    let mut objections = Findings::default();
    let tree = gate::scan(lines, &mut objections);

    let mut handoff = if legacy::is_legacy(&tree) {
        // What the gate objects to is about YAML, which this shape never was.
        legacy::read(&tree, &mut findings)
    } else if tree.entries.is_empty() {
        findings.add(Problem::whole(Severity::Error, "no-fields", "no field of a handoff is in this file"));
        findings.absorb(objections);
        Handoff::empty(super::Family::Thunderkit, super::Format::Yaml)
    } else {
        findings.absorb(objections);
        let mut handoff = v1::read(&tree, &mut findings);
        if !findings.refuse() {
            witness::confirm(&text, &tree, &mut findings);
        }
        handoff.strict = !findings.refuse();
        handoff
    };
    if title.is_none() {
        findings.add(Problem::note(Position::line(1), "no-title", "the first line is not `# Handoff`"));
    }
    if handoff.strict {
        for lane in &mut handoff.lanes {
            lane.structurally_resumable = lane::is_resumable(lane);
        }
    }
    handoff.title = title;
    handoff.readable = is_readable(&handoff, &tree);
    handoff.problems = findings.in_file_order();
    handoff.lines = (1, u32::try_from(last).unwrap_or(u32::MAX));
    handoff
}

/// The comment on the first line.
fn title(lines: &[Line<'_>]) -> Option<Inert> {
    let first = lines.iter().find(|line| !line.body.is_empty())?;
    let title = first.body.strip_prefix("# ")?.trim();
    (!title.is_empty()).then(|| Inert::from(title))
}

/// Whether a person gets any context from it: a fact that the form did not bring along, or a line of text.
fn is_readable(handoff: &Handoff, tree: &Tree<'_>) -> bool {
    handoff.saved_at.is_some()
        || handoff.branch.is_some()
        || handoff.commit.is_some()
        || handoff.phase.is_some()
        || !handoff.next_actions.is_empty()
        || !handoff.decisions.is_empty()
        || !handoff.open_items.is_empty()
        || !handoff.lanes.is_empty()
        || tree.stray.iter().any(|line| line.chars().any(char::is_alphanumeric))
}
