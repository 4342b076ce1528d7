//! `moorline check`: what is still true, of one handoff, of a project, or of every known project.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use super::args::Check;
use super::desk::{Desk, worst};
use super::shape::{HandoffShape, HandoffsDocument};
use super::text;
use super::{Answer, Stop, print_json};
use crate::check::{Report, Summary, lane_name};
use crate::place::{Listed, State};

/// Judges and prints; answers the worst verdict of what was asked.
pub fn run(desk: &Desk, args: &Check, out: &mut dyn Write) -> Result<Answer, Stop> {
    if !args.all && !args.json && args.lane.is_none() {
        return told(desk, args, out);
    }
    let mut judged = Vec::new();
    let mut unseen = false;
    if args.all {
        let (there, missing) = projects(desk);
        for project in &missing {
            // Said beside the answer, so that a document on the output stays one.
            writeln!(std::io::stderr(), "moorline: the project {} is not there", text::path(project))?;
        }
        unseen = !missing.is_empty();
        judged = everywhere(desk, there);
    } else if args.names.is_empty() {
        judged = judge(desk, live(desk));
    } else {
        for name in &args.names {
            judged.extend(judge(desk, desk.find(name)?));
        }
    }
    if let Some(lane) = &args.lane {
        judged.retain(|(row, _)| (0..row.handoff.lanes.len()).any(|n| lane_name(&row.handoff, n) == *lane));
        if judged.is_empty() {
            return Err(Stop::no(format!("no lane {} is recorded there", text::word(lane))));
        }
    }
    if args.json {
        json(&judged, out)?
    } else {
        words(&judged, args, out)?
    }
    let answer = match &args.lane {
        Some(lane) => lane_answer(&judged, lane),
        None => worst(judged.iter().map(|(_, report)| report)),
    };
    // A project that cannot be looked at is not known, whatever the others say.
    Ok(if unseen { answer.max(Answer::Unknown) } else { answer })
}

/// Says each handoff of this project, or each that is named, as soon as it is judged.
fn told(desk: &Desk, args: &Check, out: &mut dyn Write) -> Result<Answer, Stop> {
    let mut rows = Vec::new();
    if args.names.is_empty() {
        rows = live(desk);
    }
    for name in &args.names {
        rows.extend(desk.find(name)?);
    }
    if rows.is_empty() {
        writeln!(out, "No handoffs here: nothing to check.")?;
        return Ok(Answer::No);
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

fn live(desk: &Desk) -> Vec<Arc<Listed>> {
    desk.listing().rows.into_iter().filter(|row| row.state == State::Live).collect()
}

fn judge(desk: &Desk, rows: Vec<Arc<Listed>>) -> Vec<Judged> {
    let reports = desk.judge(&rows);
    rows.into_iter().zip(reports).collect()
}

/// Every live handoff of every known project, project by project in their order; projects are judged at once.
fn everywhere(desk: &Desk, projects: Vec<PathBuf>) -> Vec<Judged> {
    use rayon::prelude::*;
    let each = projects.into_par_iter().map(|project| {
        let desk = desk.at(&project);
        judge(&desk, live(&desk))
    });
    each.collect::<Vec<_>>().into_iter().flatten().collect()
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

fn json(judged: &[Judged], out: &mut dyn Write) -> Result<(), Stop> {
    let pairs: Vec<_> = judged.iter().map(|(row, report)| (&row.handoff, report)).collect();
    let document = HandoffsDocument {
        schema: "moorline.check/1",
        handoffs: judged.iter().map(|(row, report)| HandoffShape::judged(row, report)).collect(),
        summary: Summary::of_all(format!("checked {} handoffs", judged.len()), &pairs),
    };
    print_json(&document, out)
}

fn words(judged: &[Judged], args: &Check, out: &mut dyn Write) -> Result<(), Stop> {
    if judged.is_empty() {
        writeln!(out, "No handoffs here: nothing to check.")?;
    }
    for (row, report) in judged {
        match &args.lane {
            Some(lane) => writeln!(out, "{}", text::lane_report(row, report, lane, detail(args)))?,
            None => writeln!(out, "{}", text::report(row, report, detail(args)))?,
        }
    }
    Ok(())
}
