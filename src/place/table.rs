//! The table of conventions: where people and their tools leave handoffs. Data, not code.
//!
//! # Notation
//!
//! A place is a path pattern, relative to a project's root, or to the home directory where it begins with `~/`.
//! Folder names are compared without regard to case; `*` stands for one folder of any name and `**` for any number
//! of folders. The last part says which files count:
//!
//! | last part | counts |
//! |---|---|
//! | `{handoff}` | files named like a handoff (`HANDOFF.md`, `session-handoff.md`, `api-handoff-2026-09-01.txt`, …) |
//! | `*` | every `.md`, `.txt`, `.json`, `.yaml` file of that folder |
//! | `**` | the same, in any folder below as well; below a folder `archive` they are archived |
//! | `*.md` | every file with that ending |
//! | `name.md` | that name, in any case |
//!
//! The settings take more places in the same notation.

use super::names::{Names, never_entered};
use super::{Scope, State};
use crate::handoff::Habit;

/// One convention.
struct Convention {
    pattern: &'static str,
    habit: Habit,
    /// How far such a handoff reaches; in the trash that is told by where the file came from.
    scope: Scope,
    state: State,
}

const fn project(pattern: &'static str) -> Convention {
    Convention { pattern, habit: Habit::Other, scope: Scope::Project, state: State::Live }
}

const fn plan(pattern: &'static str) -> Convention {
    Convention { scope: Scope::Plan, ..project(pattern) }
}

const fn global(pattern: &'static str) -> Convention {
    Convention { scope: Scope::Global, ..project(pattern) }
}

/// Sources: the public thunderkit, theonekit and memtomem skills, and what lies in public repositories. Where two
/// conventions fit one file, the earlier one counts.
const CONVENTIONS: &[Convention] = &[
    Convention { habit: Habit::Thunderkit, ..project(".thunderkit/HANDOFF.md") },
    Convention { habit: Habit::DayFile, ..project(".memtomem/memories.local/**/*.md") },
    // theonekit; `plans/reports` holds reports of all plans and is no plan.
    project("plans/reports/{handoff}"),
    plan("plans/*/{handoff}"),
    project("plans/{handoff}"),
    project(".claude/handoffs/**"),
    // Kept by hand: the names that people give them, where people put them.
    project("{handoff}"),
    project("docs/{handoff}"),
    project("docs/*/{handoff}"),
    project(".claude/{handoff}"),
    // Folders named for handoffs.
    project("handoffs/**"),
    project("handoff/**"),
    project("docs/handoffs/**"),
    project("docs/handoff/**"),
    project("handovers/**"),
    project("handover/**"),
    project("docs/handovers/**"),
    project("docs/handover/**"),
    project(".claude/handoff/**"),
    project(".claude/handovers/**"),
    project(".handoff/**"),
    project(".handoffs/**"),
    project(".agent-handoff/**"),
    project("thoughts/shared/handoffs/**"),
    // Tools' own folders: prompts, rules and settings lie there too, so only the names count.
    project(".claude/context/{handoff}"),
    project(".claude/memory/{handoff}"),
    project(".claude/sessions/{handoff}"),
    project(".claude/state/{handoff}"),
    project(".agents/handoffs/**"),
    project(".agents/{handoff}"),
    project(".agent/handoffs/**"),
    project(".agent/{handoff}"),
    project(".ai/handoffs/**"),
    project(".ai/{handoff}"),
    project(".codex/handoffs/**"),
    project(".codex/{handoff}"),
    project(".cursor/handoffs/**"),
    project(".cursor/handovers/**"),
    project(".cursor/{handoff}"),
    project(".opencode/handoffs/**"),
    project(".opencode/{handoff}"),
    project(".specs/{handoff}"),
    project("memory-bank/{handoff}"),
    project(".ralph/agent/handoff.md"),
    project(".tigerkit/handoff.md"),
    project(".remember/remember.md"),
    // One pause writes both; they are folded into one row.
    project(".planning/HANDOFF.json"),
    project(".planning/.continue-here.md"),
    // The home directory.
    global("~/.claude/handoffs/**"),
    global("~/.claude-handoffs/**"),
    global("~/.agent-handoffs/*/*/unread/*"),
    global("~/.agent-handoffs/*/*/read/*"),
    Convention { state: State::Trashed, ..global("~/.claude/.handoff-trash/*") },
];

/// One step of a pattern through a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Named(String),
    Any,
    Deep,
}

/// A convention, parsed.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    /// The literal beginning of a home place, opened as its own root; empty for a project's places.
    pub(super) home: Option<String>,
    steps: Vec<Step>,
    names: Names,
    pub(super) habit: Habit,
    pub(super) scope: Scope,
    pub(super) state: State,
}

impl Pattern {
    /// Reads the notation; the error says what is wrong with it.
    fn parse(text: &str, habit: Habit, scope: Scope, state: State) -> Result<Self, String> {
        let (in_home, rest) = match text.strip_prefix("~/") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        if text.starts_with('/') {
            return Err(format!(
                "`{text}` is not a place: an absolute path is none; a place lies below the project, or below the home \
                 directory where it begins with `~/`"
            ));
        }
        let mut parts: Vec<&str> = rest.split('/').collect();
        if parts.iter().any(|part| part.is_empty() || *part == "." || *part == "..") {
            return Err(format!("`{text}` is not a place: a part of it is empty, `.` or `..`"));
        }
        let last = parts.pop().unwrap_or_default();
        let mut home = None;
        if in_home {
            let literal = parts.iter().take_while(|part| !part.contains('*')).count();
            if literal == 0 {
                return Err(format!(
                    "`{text}` is not a place: the home directory as a whole is not searched"
                ));
            }
            home = Some(parts.drain(..literal).collect::<Vec<_>>().join("/"));
        }
        let step = |part: &str| match part {
            "**" => Ok(Step::Deep),
            "*" => Ok(Step::Any),
            part if part.contains(['*', '{', '}']) => {
                Err(format!("`{text}` is not a place: a folder is a name, `*` or `**`, not `{part}`"))
            }
            part => Ok(Step::Named(part.to_owned())),
        };
        let mut steps = parts.into_iter().map(step).collect::<Result<Vec<_>, _>>()?;
        if last == "**" {
            steps.push(Step::Deep);
        }
        let names = Names::parse(last).ok_or_else(|| {
            format!(
                "`{text}` is not a place: `{last}` is no file name, `*`, `**`, `*.ending` or `{{handoff}}`"
            )
        })?;
        Ok(Self { home, steps, names, habit, scope, state })
    }
}

/// How far a walk has come in the patterns that can still match: (pattern, next step), ascending.
pub(super) type Progress = Vec<(usize, usize)>;

/// All places, parsed.
#[derive(Debug)]
pub(super) struct Table {
    patterns: Vec<Pattern>,
}

impl Table {
    /// The built-in conventions and the person's own; those that do not parse come back with the reason.
    pub(super) fn with(extra: &[String]) -> (Self, Vec<(String, String)>) {
        let mut patterns: Vec<Pattern> = CONVENTIONS
            .iter()
            .map(|c| {
                Pattern::parse(c.pattern, c.habit, c.scope, c.state).expect("a test parses the whole table")
            })
            .collect();
        let mut refused = Vec::new();
        for text in extra {
            let scope = if text.starts_with("~/") { Scope::Global } else { Scope::Project };
            match Pattern::parse(text, Habit::Other, scope, State::Live) {
                Ok(pattern) => patterns.push(pattern),
                Err(why) => refused.push((text.clone(), why)),
            }
        }
        (Self { patterns }, refused)
    }

    /// A pattern by its number.
    pub(super) fn pattern(&self, at: usize) -> &Pattern {
        &self.patterns[at]
    }

    /// The home places' own roots, each once, relative to the home directory.
    pub(super) fn homes(&self) -> Vec<&str> {
        let mut homes: Vec<&str> = Vec::new();
        for home in self.patterns.iter().filter_map(|pattern| pattern.home.as_deref()) {
            if !homes.contains(&home) {
                homes.push(home);
            }
        }
        homes
    }

    /// The beginning of a walk at a project's root (`None`) or at a home place's own root.
    pub(super) fn start(&self, home: Option<&str>) -> Progress {
        let mut progress = Progress::new();
        for (at, pattern) in self.patterns.iter().enumerate() {
            if pattern.home.as_deref() == home {
                self.stand(&mut progress, at, 0);
            }
        }
        progress
    }

    /// The patterns that go on below a folder of this name; empty where none does.
    pub(super) fn enter(&self, progress: &Progress, folder: &str) -> Progress {
        let mut next = Progress::new();
        if never_entered(folder) {
            return next;
        }
        for &(at, step) in progress {
            match self.patterns[at].steps.get(step) {
                Some(Step::Named(name)) if name.eq_ignore_ascii_case(folder) => {
                    self.stand(&mut next, at, step + 1)
                }
                Some(Step::Any) => self.stand(&mut next, at, step + 1),
                Some(Step::Deep) => self.stand(&mut next, at, step),
                _ => {}
            }
        }
        next
    }

    /// The convention by which a file of this name counts here, the earliest where several do.
    pub(super) fn counts(&self, progress: &Progress, file: &str) -> Option<usize> {
        let fits = |&(at, step): &(usize, usize)| {
            let pattern = &self.patterns[at];
            (step == pattern.steps.len() && pattern.names.fit(file)).then_some(at)
        };
        progress.iter().filter_map(fits).min()
    }

    /// Whether a place lies in a folder that has this very name.
    pub(super) fn names_folder(&self, progress: &Progress, name: &str) -> bool {
        progress.iter().any(|&(at, step)| {
            matches!(self.patterns[at].steps.get(step), Some(Step::Named(own)) if own.eq_ignore_ascii_case(name))
        })
    }

    /// The convention that fits a path relative to a project's root (`None`) or a home place's own root.
    pub(super) fn of_path(&self, home: Option<&str>, relative: &std::path::Path) -> Option<usize> {
        let mut progress = self.start(home);
        let name = relative.file_name()?.to_string_lossy();
        for folder in relative.parent()?.components() {
            progress = self.enter(&progress, &folder.as_os_str().to_string_lossy());
        }
        self.counts(&progress, &name)
    }

    /// Puts a pattern at a step, and behind it too where the step may stand for no folder at all.
    fn stand(&self, progress: &mut Progress, at: usize, step: usize) {
        if !progress.contains(&(at, step)) {
            progress.push((at, step));
        }
        if self.patterns[at].steps.get(step) == Some(&Step::Deep) {
            self.stand(progress, at, step + 1);
        }
    }
}

/// Whether a place of the settings is written in the table's notation.
///
/// # Errors
/// What is wrong with it, for people.
pub fn check_notation(place: &str) -> Result<(), String> {
    Pattern::parse(place, Habit::Other, Scope::Project, State::Live).map(drop)
}
