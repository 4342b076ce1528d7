//! The record itself: thirteen fields, one line each, in order.

use super::torn;
use crate::handoff::markdown::Fence;
use crate::handoff::problem::{Position, Problem};

/// The fields in order, each with its cap in characters.
const FIELDS: [(&str, usize); 13] = [
    ("handoff_id", 36),
    ("from_runtime", 40),
    ("to_runtime", 40),
    ("project_root", 240),
    ("objective", 100),
    ("completed", 240),
    ("changed_files", 180),
    ("artifacts", 160),
    ("git_head", 64),
    ("worktree_state", 80),
    ("validation", 120),
    ("blockers", 80),
    ("next_action", 120),
];

/// The cap of the whole record in characters.
const RECORD_CAP: usize = 1200;

/// How many paths `changed_files` and `artifacts` may name.
const PATH_CAPS: [(&str, usize); 2] = [("changed_files", 10), ("artifacts", 4)];

/// The field lines of a record as they stand: place in [`FIELDS`], line in the file, value.
#[derive(Debug, Default)]
pub(super) struct Body<'a> {
    found: Vec<(usize, usize, &'a str)>,
    characters: usize,
}

/// Whether a line is a field's.
pub(super) fn is_field(line: &str) -> bool {
    field_of(line).is_some()
}

fn field_of(line: &str) -> Option<(usize, &str)> {
    let (name, value) = line.split_once(':')?;
    let at = FIELDS.iter().position(|(known, _)| *known == name)?;
    (value.is_empty() || value.starts_with(' ')).then(|| (at, value.trim()))
}

/// Reads the record that begins at a line of the file (from 1): in its fence, or bare.
pub(super) fn body<'a>(first: usize, lines: &[&'a str], problems: &mut Vec<Problem>) -> Body<'a> {
    let mut out = Body::default();
    let open = lines.first().and_then(|line| Fence::of(line));
    let mut i = usize::from(open.is_some());
    if let Some(open) = open.filter(|open| !matches!(open.info, "" | "text")) {
        problems.push(torn(first, format!("the fence says {:?}, not `text`", open.info)));
    }
    let mut closed = false;
    // A bare record ends with its last line that is not blank.
    let end = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    while i < end {
        let line = lines[i];
        let fence = Fence::of(line);
        if let (Some(open), Some(close)) = (&open, &fence)
            && close.closes(open)
            && !closed
        {
            closed = true;
            i += 1;
            continue;
        }
        if closed {
            if !line.trim().is_empty() {
                let what = if fence.is_some() { "a second fence" } else { "text behind the record" };
                problems.push(torn(first + i, what));
                break;
            }
        } else if let Some((at, value)) = field_of(line) {
            out.found.push((at, first + i, value));
            out.characters += line.chars().count() + 1;
        } else if fence.is_some() {
            problems.push(torn(first + i, "a fence inside the record"));
        } else if line.trim().is_empty() {
            problems.push(torn(first + i, "a blank line inside the record"));
        } else {
            problems.push(torn(first + i, "a line that is no field"));
        }
        i += 1;
    }
    if open.is_some() && !closed {
        problems.push(torn(first, "the fence is never closed"));
    }
    out
}

impl<'a> Body<'a> {
    /// A field's first occurrence: line and value.
    pub fn first(&self, name: &str) -> Option<(usize, &'a str)> {
        self.found.iter().find(|(at, ..)| FIELDS[*at].0 == name).map(|&(_, line, value)| (line, value))
    }

    /// Every field line: name, line, value.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, usize, &'a str)> {
        self.found.iter().map(|&(at, line, value)| (FIELDS[at].0, line, value))
    }

    /// Every field exactly once and in order, `artifacts` alone may be missing; over-long ones are a note.
    pub fn judge(&self, last: usize, problems: &mut Vec<Problem>) {
        for (at, (name, _)) in FIELDS.iter().enumerate() {
            let lines: Vec<usize> =
                self.found.iter().filter(|(found, ..)| *found == at).map(|&(_, line, _)| line).collect();
            match lines.as_slice() {
                [] if *name == "artifacts" => {}
                [] => problems.push(torn(last, format!("`{name}` is missing"))),
                [_] => {}
                [_, second, ..] => {
                    problems.push(torn(*second, format!("`{name}` stands there {} times", lines.len())))
                }
            }
        }
        for pair in self.found.windows(2) {
            if let [(before, ..), (after, line, _)] = pair
                && after < before
            {
                problems.push(torn(
                    *line,
                    format!("`{}` stands before `{}`", FIELDS[*before].0, FIELDS[*after].0),
                ));
            }
        }
        self.swallowed_artifacts(problems);
        self.caps(problems);
    }

    /// Only `artifacts` may be missing, so only there a lost line break would go unnoticed.
    fn swallowed_artifacts(&self, problems: &mut Vec<Problem>) {
        if self.first("artifacts").is_some() {
            return;
        }
        if let Some((line, _)) = self.first("changed_files").filter(|(_, value)| value.contains("artifacts:"))
        {
            problems.push(torn(line, "`artifacts` stands inside `changed_files`"));
        }
    }

    fn caps(&self, problems: &mut Vec<Problem>) {
        let mut over = |line: usize, message: String| {
            problems.push(Problem::note(Position::line(line), "over-long", message));
        };
        for &(at, line, value) in &self.found {
            let (name, cap) = FIELDS[at];
            let length = value.chars().count();
            if length > cap {
                over(line, format!("`{name}` has {length} characters, memtomem allows {cap}"));
            }
            let count = value.split(',').filter(|part| !part.trim().starts_with('+')).count();
            if let Some((_, most)) = PATH_CAPS.iter().find(|(known, most)| *known == name && count > *most) {
                over(line, format!("`{name}` names {count} paths, memtomem allows {most}"));
            }
        }
        if let Some(&(_, line, _)) = self.found.first().filter(|_| self.characters > RECORD_CAP + 1) {
            over(
                line,
                format!("the record has {} characters, memtomem allows {RECORD_CAP}", self.characters),
            );
        }
    }
}
