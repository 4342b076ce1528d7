//! `moorline resolve`: the decision record for one operation of a skill.
//!
//! Exit code 2 for input that cannot be used (`invalid_config`), 1 for `blocked`, else 0. In text form the decision is
//! one line on the standard output and its detail goes to the error stream.

use std::ffi::OsString;
use std::io::Write;

use super::args::{CommandLine, Resolve};
use super::desk::{Surface, enclosing_project};
use super::{Answer, Stop, print_json};
use crate::handoff::{Inert, inert};
use crate::policy::read::Named;
use crate::policy::record::{Decision, Reason, Record};
use crate::policy::resolver::{self, Request};

/// Decides and says so.
pub(super) fn run(
    line: &CommandLine,
    args: &Resolve,
    surface: &Surface,
    out: &mut dyn Write,
) -> Result<Answer, Stop> {
    let settings = surface.settings(line)?;
    let at = |path: &std::path::PathBuf| surface.cwd.join(path);
    let named = Named {
        project: match args.project_root.as_ref().or(line.directory.as_ref()) {
            Some(directory) => at(directory),
            None => enclosing_project(&surface.cwd),
        },
        config: line.config.as_ref().map(at),
        capabilities: args.capabilities.as_ref().map(at),
        lock: args.lock.as_ref().map(at),
        catalog: line.catalog.as_ref().map(at).or(settings.catalog),
        manifest: line.manifest.as_ref().map(at).or(settings.manifest),
        proc: surface.surroundings().proc,
    };
    let request = Request { skill: args.skill.as_deref(), operation: args.operation.as_deref() };
    let record = resolver::resolve(request, &named);
    if args.json {
        print_json(&record, out)?;
    } else {
        writeln!(out, "{}", sentence(&record))?;
        // The detail is for a person who watches; without an error stream the decision stands all the same.
        let _gone = writeln!(std::io::stderr(), "{}", record.detail.shown_line());
    }
    Ok(answer(&record))
}

/// A record for words that the command line does not know.
///
/// # Errors
/// The output cannot be written.
pub(super) fn refused(words: &[OsString], why: &str, out: &mut dyn Write) -> Result<(), Stop> {
    let after = |flag: &str| {
        let at = words.iter().position(|own| own == flag)?;
        words.get(at + 1)?.to_str()
    };
    let why = inert::one_line(why);
    print_json(&Record::malformed(after("--skill"), after("--operation"), why), out)
}

/// `<skill> <operation>: <decision> (<reason>)`
pub(super) fn sentence(record: &Record) -> String {
    let words: Vec<String> =
        [&record.skill, &record.operation].into_iter().flatten().map(Inert::shown_line).collect();
    let about = if words.is_empty() { "no skill was named".to_owned() } else { words.join(" ") };
    format!("{about}: {} ({})", record.decision.as_str(), record.reason_code.as_str())
}

/// What a record means to a caller.
fn answer(record: &Record) -> Answer {
    match (record.decision, record.reason_code) {
        (_, Reason::InvalidConfig) => Answer::Bad,
        (Decision::Blocked, _) => Answer::No,
        _ => Answer::Yes,
    }
}
