//! `moorline doctor`: what was found of each harness, of the project and of its policy. Starts no program.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::args::Doctor;
use super::desk::Desk;
use super::shape::{ProjectShape, path_text};
use super::{Answer, Stop, print_json};
use crate::check::Summary;
use crate::handoff::{HarnessName, Inert, count_of, inert};
use crate::settings::Origin;
use found::Found;

mod found;

/// `moorline.doctor/1`
#[derive(Serialize)]
struct DoctorDocument<'a> {
    schema: &'static str,
    project: ProjectShape<'a>,
    /// What could not be told of the project, and why.
    unknown: &'a [Inert],
    settings: SettingsShape,
    harnesses: Vec<Found>,
    summary: Summary,
}

/// Which settings file was read.
#[derive(Serialize)]
struct SettingsShape {
    /// The file; `null` where there is none and the defaults hold.
    file: Option<String>,
    /// Where one is looked for when none is named; `null` where no home directory is known.
    usual: Option<String>,
}

impl SettingsShape {
    fn of(origin: &Origin) -> Self {
        let shown = |path: &Option<PathBuf>| path.as_deref().map(path_text);
        Self { file: shown(&origin.file), usual: shown(&origin.usual) }
    }

    fn words(&self) -> String {
        match (&self.file, &self.usual) {
            (Some(file), _) => file.clone(),
            (None, Some(usual)) => format!("no file, the defaults hold: {usual} is not there"),
            (None, None) => "no file, the defaults hold: no home directory is known".to_owned(),
        }
    }
}

/// Reports; answers yes: a missing harness is no fault of the project.
pub fn run(desk: &Desk, args: &Doctor, out: &mut dyn Write) -> Result<Answer, Stop> {
    let facts = desk.examiner.project_facts(true);
    let roots = desk.examiner.roots();
    let places: Vec<&Path> =
        [&roots.project].into_iter().chain(&roots.worktrees).map(PathBuf::as_path).collect();
    let harnesses: Vec<_> =
        HarnessName::ALL.into_iter().map(|name| found::examine(desk, &places, name)).collect();
    let settings = SettingsShape::of(&desk.examiner.settings().origin);
    if args.json {
        let document = DoctorDocument {
            schema: "moorline.doctor/1",
            project: ProjectShape::of(&facts),
            unknown: &facts.unknown,
            settings,
            harnesses,
            summary: Summary::plain("looked at the project and at each harness", "list the handoffs"),
        };
        print_json(&document, out)?;
        return Ok(Answer::Yes);
    }
    writeln!(out, "project     {}", path_text(&facts.root))?;
    writeln!(out, "repository  {}", or_unknown(facts.repository.as_deref().map(inert::shown)))?;
    writeln!(out, "branch      {}", or_unknown(facts.branch.as_ref().map(Inert::shown_line)))?;
    writeln!(out, "dirty       {}", or_unknown(facts.dirty.map(|n| count_of(n, "file", "files"))))?;
    for unknown in &facts.unknown {
        writeln!(out, "            {}", unknown.shown_line())?;
    }
    writeln!(out, "settings    {}", settings.words())?;
    for harness in harnesses {
        writeln!(out, "\n{}", harness.name.as_str())?;
        print(harness, roots.worktrees.len(), out)?;
    }
    Ok(Answer::Yes)
}

fn or_unknown(text: Option<String>) -> String {
    text.unwrap_or_else(|| "– not known".to_owned())
}

/// One harness for people, a fact on each line; `worktrees` is how many others its repository has.
fn print(harness: Found, worktrees: usize, out: &mut dyn Write) -> Result<(), Stop> {
    let source = harness.version_source.map(|source| format!(" ({source})")).unwrap_or_default();
    let sessions = harness.sessions.map(|n| match worktrees {
        0 => format!("{n} of this directory"),
        others => {
            let others = count_of(others, "other worktree", "other worktrees");
            format!("{n} of this directory and {others} of its repository")
        }
    });
    let running = harness.running.map(|running| match running.as_slice() {
        [] => "none".to_owned(),
        some => some.iter().map(found::Running::words).collect::<Vec<_>>().join(", "),
    });
    writeln!(out, "  program   {}", or_unknown(harness.program))?;
    writeln!(out, "  version   {}{source}", or_unknown(harness.version))?;
    writeln!(out, "  store     {}", or_unknown(harness.store))?;
    writeln!(out, "  sessions  {}", or_unknown(sessions))?;
    writeln!(out, "  running   {}", or_unknown(running))?;
    if let Some(model) = harness.default_model {
        writeln!(out, "  default   {}: answers when a session is resumed", model.shown_line())?;
    }
    for note in &harness.notes {
        writeln!(out, "  note      {}", note.shown_line())?;
    }
    writeln!(out, "  next      {}", harness.next)?;
    Ok(())
}
