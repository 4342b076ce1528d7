//! `moorline doctor`: what was found of each harness, of the project and of its policy. Starts no program.

use std::io::Write;

use serde::Serialize;

use super::args::Doctor;
use super::desk::Desk;
use super::shape::{ProjectShape, path_text};
use super::{Answer, Stop, print_json};
use crate::check::Summary;
use crate::handoff::{HarnessName, Inert};
use crate::harness::{self, Answer as Told, Surroundings};

/// `moorline.doctor/1`
#[derive(Serialize)]
struct DoctorDocument<'a> {
    schema: &'static str,
    project: ProjectShape<'a>,
    /// What could not be told of the project, and why.
    unknown: &'a [Inert],
    harnesses: Vec<HarnessShape>,
    summary: Summary,
}

/// One harness as it was found.
#[derive(Serialize)]
struct HarnessShape {
    name: HarnessName,
    program: Option<String>,
    version: Option<String>,
    /// The package file that says the version.
    version_source: Option<String>,
    /// Sessions that its store records for this project directory; null where that is not read.
    sessions: Option<usize>,
    /// Whether a lane can be resumed with it, and why not.
    resumes: bool,
    /// What is missing or odd, in sentences.
    notes: Vec<Inert>,
    /// What to do next.
    next: &'static str,
}

/// Reports; answers yes: a missing harness is no fault of the project.
pub fn run(desk: &Desk, args: &Doctor, out: &mut dyn Write) -> Result<Answer, Stop> {
    let facts = desk.examiner.project_facts(true);
    let harnesses: Vec<_> = HarnessName::ALL.into_iter().map(|name| examine(desk, name)).collect();
    if args.json {
        let document = DoctorDocument {
            schema: "moorline.doctor/1",
            project: ProjectShape::of(&facts),
            unknown: &facts.unknown,
            harnesses,
            summary: Summary::plain("looked at the project and at each harness", "list the handoffs"),
        };
        print_json(&document, out)?;
        return Ok(Answer::Yes);
    }
    let or_unknown = |text: Option<String>| text.unwrap_or_else(|| "– not known".to_owned());
    writeln!(out, "project     {}", path_text(&facts.root))?;
    writeln!(out, "repository  {}", or_unknown(facts.repository.clone()))?;
    writeln!(out, "branch      {}", or_unknown(facts.branch.as_ref().map(Inert::shown_line)))?;
    writeln!(out, "dirty       {}", or_unknown(facts.dirty.map(|n| format!("{n} files"))))?;
    for unknown in &facts.unknown {
        writeln!(out, "            {}", unknown.shown_line())?;
    }
    for harness in &harnesses {
        writeln!(out, "\n{}", harness.name.as_str())?;
        writeln!(out, "  program   {}", or_unknown(harness.program.clone()))?;
        let source = harness.version_source.as_ref().map(|s| format!(" ({s})")).unwrap_or_default();
        writeln!(out, "  version   {}{source}", or_unknown(harness.version.clone()))?;
        writeln!(
            out,
            "  sessions  {}",
            or_unknown(harness.sessions.map(|n| format!("{n} of this directory")))
        )?;
        for note in &harness.notes {
            writeln!(out, "  note      {}", note.shown_line())?;
        }
        writeln!(out, "  next      {}", harness.next)?;
    }
    Ok(Answer::Yes)
}

fn examine(desk: &Desk, name: HarnessName) -> HarnessShape {
    let around: &Surroundings = desk.examiner.around();
    let client = harness::of(name);
    let mut shape = HarnessShape {
        name,
        program: None,
        version: None,
        version_source: None,
        sessions: None,
        resumes: client.form().is_ok(),
        notes: Vec::new(),
        next: "nothing is missing",
    };
    match harness::program(around, name.as_str(), &[desk.examiner.project().to_owned()]) {
        Told::Found(program) => {
            shape.program = Some(path_text(&program.path));
            for (entry, why) in &program.ignored {
                shape.notes.push(format!("PATH entry {} is not used: {why}", path_text(entry)).into());
            }
            match client.version(&program) {
                Told::Found(version) => {
                    shape.version = Some(version.text);
                    shape.version_source = Some(Inert::new(version.source).plain());
                }
                Told::Absent(why) | Told::Unknown(why) => shape.notes.push(why.into()),
            }
        }
        Told::Absent(why) | Told::Unknown(why) => {
            shape.notes.push(why.into());
            shape.next = "install it, or put it on an absolute PATH entry outside the project";
        }
    }
    match client.created_since(around, desk.examiner.project(), 0) {
        Told::Found(sessions) => shape.sessions = Some(sessions.len()),
        Told::Absent(_) => shape.sessions = Some(0),
        Told::Unknown(why) => shape.notes.push(why.into()),
    }
    if let Err(why) = client.form() {
        shape.notes.push(why.into());
        shape.next = "load contexts by hand: moorline resumes no lane of this harness";
    }
    shape
}
