//! `moorline check`: what is still true, of one handoff, of a project, or of every known project.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use super::args::Check;
use super::desk::{Desk, worst};
use super::load;
use super::remote::{self, RemoteShape};
use super::shape::{HandoffShape, HandoffsDocument};
use super::text;
use super::{Answer, Stop, print_json};
use crate::check::{Report, Summary, lane_name};
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
    let mut unseen = false;
    if args.all {
        let (there, missing) = projects(desk);
        for project in &missing {
            // Said beside the answer, so that a document on the output stays one; where nobody hears it, the answer
            // is the same.
            let _gone =
                writeln!(std::io::stderr(), "moorline: the project {} is not there", text::path(project));
        }
        unseen = !missing.is_empty();
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
    if args.json {
        json(&judged, &untold, remote.as_ref(), out)?
    } else {
        words(&judged, &untold, args, out)?;
        remote_words(remote.as_ref(), out)?;
    }
    let answer = match &args.lane {
        _ if judged.is_empty() && !untold.is_empty() => Answer::Unknown,
        Some(lane) => lane_answer(&judged, lane),
        None => worst(judged.iter().map(|(_, report)| report)),
    };
    // A project that cannot be looked at is not known, whatever the others say.
    Ok(if unseen || !untold.is_empty() { answer.max(Answer::Unknown) } else { answer })
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
    desk.judge_each(&rows, |row, report| {
        worst = worst.max(Answer::of(report.verdict));
        Ok(writeln!(out, "{}", text::report(row, &report, detail(args)))?)
    })?;
    Ok(worst)
}

fn detail(args: &Check) -> text::Detail {
    if args.all_checks { text::Detail::All } else { text::Detail::Trouble }
}

type Judged = (Arc<Listed>, Report);

/// What is said where there is none.
const NOTHING: &str = "No handoffs here: nothing to check.";

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
    remote: Option<&Comparison>,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let pairs: Vec<_> = judged.iter().map(|(row, report)| (&row.handoff, report)).collect();
    let mut summary =
        Summary::of_all(format!("checked {}", count_of(judged.len(), "handoff", "handoffs")), &pairs);
    if !untold.is_empty() {
        summary = summary.outcome(untold.join("\n"));
    }
    let document = HandoffsDocument {
        schema: "moorline.check/1",
        handoffs: judged.iter().map(|(row, report)| HandoffShape::judged(row, report)).collect(),
        remote: remote.map(RemoteShape::of),
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
    for (row, report) in judged {
        match &args.lane {
            Some(lane) => writeln!(out, "{}", text::lane_report(row, report, lane, detail(args)))?,
            None => writeln!(out, "{}", text::report(row, report, detail(args)))?,
        }
    }
    Ok(())
}
