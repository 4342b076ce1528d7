//! `moorline check`: what is still true, of one handoff, of a project, or of every known project.

use std::io::Write;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::Check;
use super::desk::{Desk, worst};
use super::load;
use super::remote::{self, RemoteShape};
use super::shape::{HandoffsDocument, JudgedShapes, path_text};
use super::text;
use super::{Answer, Stop, print_json};
use crate::check::{Report, Summary, Tally, lane_name};
use crate::handoff::count_of;
use crate::place::{Listed, State};
use crate::resume::Comparison;

/// Judges and prints; answers the worst verdict of what was asked.
pub fn run(desk: &Desk, args: &Check, out: &mut dyn Write) -> Result<Answer, Stop> {
    let asking = load::asking(desk, args.runtime.as_deref())?;
    let desk = asking.as_ref().unwrap_or(desk);
    let remote = remote::compared(desk, &args.remote)?;
    if !args.all && !args.json && args.lane.is_none() {
        let answer = told(desk, args, out)?;
        remote_words(remote.as_ref(), out)?;
        return Ok(answer);
    }
    let mut judged = Vec::new();
    let mut untold: Vec<String> = Vec::new();
    let mut missing = None;
    if args.all {
        let (there, not_there) = projects(desk);
        for project in &not_there {
            // Said beside the answer, so that a document on the output stays one; where nobody hears it, the answer
            // is the same.
            let _gone = writeln!(std::io::stderr(), "moorline: {}", is_missing(project));
        }
        missing = Some(not_there);
        (judged, untold) = everywhere(desk, there);
    } else if args.names.is_empty() {
        let (rows, why) = live(desk);
        untold.extend(why);
        judged = judge(desk, rows);
    } else {
        for name in &args.names {
            judged.extend(judge(desk, desk.find(name)?));
        }
    }
    if let Some(lane) = &args.lane {
        judged.retain(|(row, _)| (0..row.handoff.lanes.len()).any(|n| lane_name(&row.handoff, n) == *lane));
        if judged.is_empty() && untold.is_empty() {
            return Err(Stop::no(format!("no lane {} is recorded there", text::word(lane))));
        }
    }
    // As with the desk: the process ends, and what it holds is given back as one whole.
    let judged = ManuallyDrop::new(judged);
    let answer = match &args.lane {
        _ if judged.is_empty() && !untold.is_empty() => Answer::Unknown,
        Some(lane) => lane_answer(&judged, lane),
        None => worst(judged.iter().map(|(_, report)| report)),
    };
    let is_unseen = missing.as_ref().is_some_and(|missing| !missing.is_empty()) || !untold.is_empty();
    // A project that cannot be looked at is not known, whatever the others say.
    let answer = if is_unseen { answer.max(Answer::Unknown) } else { answer };
    if args.json {
        json(&judged, &untold, missing.as_deref(), answer, remote.as_ref(), out)?
    } else {
        words(&judged, &untold, args, out)?;
        remote_words(remote.as_ref(), out)?;
    }
    Ok(answer)
}

/// That a project is not there.
fn is_missing(project: &Path) -> String {
    format!("the project {} is not there", text::path(project))
}

/// Says each handoff of this project, or each that is named, as soon as it is judged.
fn told(desk: &Desk, args: &Check, out: &mut dyn Write) -> Result<Answer, Stop> {
    let mut rows = Vec::new();
    let mut untold = None;
    if args.names.is_empty() {
        (rows, untold) = live(desk);
    }
    for name in &args.names {
        rows.extend(desk.find(name)?);
    }
    if rows.is_empty() {
        writeln!(out, "{}", untold.as_deref().unwrap_or(NOTHING))?;
        return Ok(if untold.is_some() { Answer::Unknown } else { Answer::No });
    }
    let mut worst = Answer::Yes;
    let mut tally = Tally::default();
    desk.judge_each(&rows, |row, report| {
        worst = worst.max(Answer::of(report.verdict));
        tally.add(&row.handoff, &report);
        Ok(writeln!(out, "{}", text::report(row, &report, detail(args)))?)
    })?;
    writeln!(out, "{}", text::ending(&tally))?;
    Ok(worst)
}

fn detail(args: &Check) -> text::Detail {
    if args.all_checks { text::Detail::All } else { text::Detail::Trouble }
}

type Judged = (Arc<Listed>, Report);

/// What is said where there is none.
const NOTHING: &str = "No handoffs here: nothing to check. `moorline save` saves the first one.";

/// The live ones; where there is none, why that cannot be told, if something was not read.
fn live(desk: &Desk) -> (Vec<Arc<Listed>>, Option<String>) {
    let listing = desk.listing();
    let rows: Vec<_> = listing.rows.into_iter().filter(|row| row.state == State::Live).collect();
    let untold = if rows.is_empty() { desk.untold(&listing.skipped) } else { None };
    (rows, untold)
}

fn judge(desk: &Desk, rows: Vec<Arc<Listed>>) -> Vec<Judged> {
    let reports = desk.judge(&rows);
    rows.into_iter().zip(reports).collect()
}

/// Every live handoff of every known project, project by project in their order; projects are judged at once.
/// Beside them why of a project without any it cannot be told whether it has one.
fn everywhere(desk: &Desk, projects: Vec<PathBuf>) -> (Vec<Judged>, Vec<String>) {
    use rayon::prelude::*;
    let all = |desk: &Desk| {
        let (rows, untold) = live(desk);
        (judge(desk, rows), untold)
    };
    let each = projects
        .into_par_iter()
        .map(|project| if project == desk.examiner.project() { all(desk) } else { all(&desk.at(&project)) });
    let (judged, untold): (Vec<_>, Vec<_>) = each.unzip();
    (judged.into_iter().flatten().collect(), untold.into_iter().flatten().collect())
}

/// This project and every one that the settings name, each once: those that are there, and those that are not.
fn projects(desk: &Desk) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let mut projects = vec![desk.examiner.project().to_owned()];
    for project in &desk.examiner.settings().projects {
        if !projects.contains(project) {
            projects.push(project.clone());
        }
    }
    projects.into_iter().partition(|project| project.is_dir())
}

/// The answer of one lane, wherever it is recorded.
fn lane_answer(judged: &[Judged], lane: &str) -> Answer {
    let verdicts = judged.iter().flat_map(|(row, report)| {
        report
            .lanes
            .iter()
            .filter(|l| lane_name(&row.handoff, l.index) == lane)
            .map(|l| Answer::of(l.verdict))
    });
    verdicts.max().unwrap_or(Answer::No)
}

/// How this checkout stands to its remote, where that was asked.
fn remote_words(remote: Option<&Comparison>, out: &mut dyn Write) -> Result<(), Stop> {
    match remote {
        Some(remote) => Ok(writeln!(out, "This checkout: {}", remote.words())?),
        None => Ok(()),
    }
}

fn json(
    judged: &[Judged],
    untold: &[String],
    missing: Option<&[PathBuf]>,
    answer: Answer,
    remote: Option<&Comparison>,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let pairs: Vec<_> = judged.iter().map(|(row, report)| (&row.handoff, report)).collect();
    let mut summary =
        Summary::of_all(format!("checked {}", count_of(judged.len(), "handoff", "handoffs")), &pairs);
    let mut outcome: Vec<String> = missing.iter().copied().flatten().map(|path| is_missing(path)).collect();
    outcome.extend(untold.iter().cloned());
    if outcome.is_empty() && answer != Answer::Yes {
        outcome.push(match judged.is_empty() {
            true => NOTHING.to_owned(),
            false => Tally::of(&pairs).words(),
        });
    }
    if !outcome.is_empty() {
        summary = summary.outcome(outcome.join("\n"));
    }
    let document = HandoffsDocument {
        schema: "moorline.check/1",
        handoffs: JudgedShapes(judged),
        remote: remote.map(RemoteShape::of),
        missing: missing.map(|paths| paths.iter().map(|path| path_text(path)).collect()),
        summary,
    };
    print_json(&document, out)
}

fn words(judged: &[Judged], untold: &[String], args: &Check, out: &mut dyn Write) -> Result<(), Stop> {
    for why in untold {
        writeln!(out, "{why}")?;
    }
    if judged.is_empty() && untold.is_empty() {
        writeln!(out, "{NOTHING}")?;
    }
    let mut tally = Tally::default();
    for (row, report) in judged {
        match &args.lane {
            Some(name) => {
                writeln!(out, "{}", text::lane_report(row, report, name, detail(args)))?;
                let lanes = report.lanes.iter().filter(|lane| lane_name(&row.handoff, lane.index) == *name);
                lanes.for_each(|lane| tally.add_lane(&row.handoff, lane));
            }
            None => {
                writeln!(out, "{}", text::report(row, report, detail(args)))?;
                tally.add(&row.handoff, report);
            }
        }
    }
    match judged.is_empty() {
        true => Ok(()),
        false => Ok(writeln!(out, "{}", text::ending(&tally))?),
    }
}
