//! `moorline resume`: a rehearsal, or with `--yes` the start of exactly the named lane.

use std::io::{Read, Write};
use std::sync::Arc;

use serde::Serialize;

use super::args::Resume;
use super::desk::Desk;
use super::live;
use super::load;
use super::shape::path_text;
use super::text;
use super::{Answer, Stop, print_json};
use crate::check::{Check, Summary, lane_name};
use crate::handoff::{Family, Inert, SessionId};
use crate::place::{Listed, State};
use crate::resume::{self, Attempt, Interrupts, Outcome, Plan, Refusal, Wanted};

/// `moorline.resume/1`
#[derive(Serialize)]
struct ResumeDocument<'a> {
    schema: &'static str,
    /// `rehearsed`, `not_started`, `continued`, `continued_elsewhere`, `not_continued`, `unknown`.
    outcome: &'static str,
    lane: Option<&'a str>,
    /// The fixed array, first element the harness name.
    argv: &'a [String],
    executable: Option<String>,
    cwd: Option<String>,
    exit: Option<i32>,
    signal: Option<&'a str>,
    session: Option<SessionShape<'a>>,
    /// Digest of everything that a yes is bound to.
    evidence: Option<&'a str>,
    preflight: &'a [Check],
    reasons: &'a [Inert],
    /// What the client printed on its error stream, secrets redacted, its end only.
    child_error: Option<Inert>,
    /// That the handoff lies in another worktree than the one that was asked from.
    elsewhere: Option<&'a str>,
    summary: Summary,
}

#[derive(Serialize)]
struct SessionShape<'a> {
    id: &'a SessionId,
    grew: usize,
    model: Option<&'a Inert>,
}

/// Rehearses or resumes; answers yes only for *rehearsed* and *continued*.
pub fn run(desk: &Desk, args: &Resume, out: &mut dyn Write) -> Result<Answer, Stop> {
    let row = match (&args.name, &args.lane) {
        (None, Some(lane)) => newest_with(desk, lane)?,
        (None, None) => load::chosen(desk, None)?,
        (Some(name), _) => desk.one(Some(name))?,
    };
    if row.handoff.family != Family::Thunderkit {
        return context_only(desk, args, &row, out);
    }
    let lane = lane_of(args, &row)?;
    let (name, elsewhere) = (lane_name(&row.handoff, lane), resume::elsewhere(&desk.examiner, &row));
    let name = Named { lane: &name, elsewhere: elsewhere.as_deref() };
    let plan = match Plan::make(&desk.examiner, &row, lane) {
        Ok(plan) => plan,
        Err(refusal) => return refused(args, name, &refusal, out),
    };
    if let Some(wanted) = args.if_evidence.as_deref().filter(|wanted| *wanted != plan.evidence().as_str()) {
        let reason =
            format!("the evidence is {} now, not {}: rehearse again", plan.evidence(), text::word(wanted));
        let refusal =
            Refusal { reasons: vec![reason.into()], preflight: plan.preflight().to_vec(), unknown: false };
        return refused(args, name, &refusal, out);
    }
    if args.yes { start(desk, args, name, plan, out) } else { rehearse(args, name, &plan, out) }
}

/// What is resumed.
#[derive(Clone, Copy)]
struct Named<'a> {
    /// The lane; empty where there is none.
    lane: &'a str,
    /// That the handoff lies in another worktree, in one sentence.
    elsewhere: Option<&'a str>,
}

/// The newest live handoff that records a lane of that name.
fn newest_with(desk: &Desk, lane: &str) -> Result<Arc<Listed>, Stop> {
    let records = |row: &Arc<Listed>| {
        row.state == State::Live && (0..row.handoff.lanes.len()).any(|n| lane_name(&row.handoff, n) == lane)
    };
    let newest = desk.listing().rows.into_iter().find(records);
    newest.ok_or_else(|| Stop::no(format!("no live handoff records a lane {}", text::word(lane))))
}

/// The lane that is meant: the named one, else the only one.
fn lane_of(args: &Resume, row: &Listed) -> Result<usize, Stop> {
    let names: Vec<_> = (0..row.handoff.lanes.len()).map(|n| lane_name(&row.handoff, n)).collect();
    match &args.lane {
        Some(wanted) => {
            let mut places = names.iter().enumerate().filter(|(_, name)| *name == wanted).map(|(n, _)| n);
            match (places.next(), places.next()) {
                (Some(lane), None) => Ok(lane),
                (Some(_), Some(_)) => Err(Stop::bad(format!("two lanes are called {}", text::word(wanted)))),
                (None, _) => {
                    Err(Stop::no(format!("no lane {} in {}", text::word(wanted), text::path(&row.path))))
                }
            }
        }
        None if names.len() == 1 => Ok(0),
        None if names.is_empty() => Err(Stop::no(format!("no lane in flight in {}", text::path(&row.path)))),
        None => Err(Stop::bad(format!("several lanes: say which with --lane: {}", names.join(", ")))),
    }
}

/// A handoff without lanes is not resumed by us: its context is printed, to be loaded by hand.
fn context_only(desk: &Desk, args: &Resume, row: &Arc<Listed>, out: &mut dyn Write) -> Result<Answer, Stop> {
    load::admitted(desk, row, args.name.as_deref())?;
    let block = resume::context_block(&desk.examiner, row, Wanted::default());
    if args.json {
        let reason = Inert::from("this family records no session: load its context by hand");
        let refusal = Refusal { reasons: vec![reason], preflight: Vec::new(), unknown: false };
        let elsewhere = resume::elsewhere(&desk.examiner, row);
        return refused(args, Named { lane: "", elsewhere: elsewhere.as_deref() }, &refusal, out);
    }
    // Where nobody hears it, the exit code says so.
    let _gone = writeln!(
        std::io::stderr(),
        "moorline: not started: this family records no session; its context follows"
    );
    writeln!(out, "{}", block.trim_end())?;
    Ok(Answer::No)
}

fn refused(args: &Resume, named: Named<'_>, refusal: &Refusal, out: &mut dyn Write) -> Result<Answer, Stop> {
    let first = refusal.reasons.first().cloned().unwrap_or_else(|| "it is not validated".into());
    let Named { lane, elsewhere } = named;
    if args.json {
        let summary = Summary::plain(
            format!("did not start {}", if lane.is_empty() { "anything" } else { lane }),
            "settle the reasons, then rehearse again",
        );
        print_json(
            &ResumeDocument {
                outcome: "not_started",
                lane: Some(lane).filter(|lane| !lane.is_empty()),
                preflight: &refusal.preflight,
                reasons: &refusal.reasons,
                elsewhere,
                summary: summary.outcome(first),
                ..ResumeDocument::empty()
            },
            out,
        )?;
        return Ok(Answer::No);
    }
    writeln!(out, "Not started: {}", first.shown_line())?;
    told_elsewhere(named, out)?;
    for reason in refusal.reasons.iter().skip(1) {
        writeln!(out, "  and {}", reason.shown_line())?;
    }
    Ok(Answer::No)
}

/// That the handoff lies elsewhere, where it does.
fn told_elsewhere(named: Named<'_>, out: &mut dyn Write) -> Result<(), Stop> {
    named.elsewhere.map_or(Ok(()), |said| Ok(writeln!(out, "  warning   {}", text::line(said))?))
}

fn rehearse(args: &Resume, named: Named<'_>, plan: &Plan, out: &mut dyn Write) -> Result<Answer, Stop> {
    if args.json {
        let summary =
            Summary::plain(format!("rehearsed {}; nothing was started", named.lane), "start it with --yes");
        let document = ResumeDocument {
            outcome: "rehearsed",
            summary: summary.outcome("rehearsed"),
            ..ResumeDocument::of(named, plan)
        };
        print_json(&document, out)?;
        return Ok(Answer::Yes);
    }
    plan_words(named, plan, out)?;
    writeln!(out, "\nRehearsed: every check passed and nothing was started.")?;
    let prompt = if plan.wants_terminal() { "" } else { " --prompt-file FILE" };
    writeln!(out, "To start exactly this: --yes{prompt} --if-evidence {}", plan.evidence())?;
    Ok(Answer::Yes)
}

fn plan_words(named: Named<'_>, plan: &Plan, out: &mut dyn Write) -> Result<(), Stop> {
    let stage = plan.stage().map(Inert::shown_line).unwrap_or_default();
    writeln!(out, "Resume {} · {stage}", named.lane)?;
    told_elsewhere(named, out)?;
    writeln!(out, "  program   {}   {}", text::path(plan.executable()), plan.version().shown_line())?;
    writeln!(out, "  argv      {}", plan.argv().join("  "))?;
    writeln!(out, "  in        {}", text::path(plan.cwd()))?;
    writeln!(out, "  model     {}", plan.model().shown_line())?;
    for (what, names) in [("removed", plan.removed_vars()), ("kept", plan.notable_vars())] {
        if !names.is_empty() {
            writeln!(out, "  {what:<9} {}", names.join(", "))?;
        }
    }
    writeln!(out, "  checks    {} passed just now; all are read again before the start", plan.passed())?;
    writeln!(out, "  by hand   {}", plan.interactive_form())?;
    if plan.wants_terminal() {
        writeln!(out, "{} gets this terminal and asks for your words itself.", plan.harness().as_str())?;
    }
    writeln!(out, "This skips the harness's own question whether you trust this folder.")?;
    Ok(())
}

fn start(
    desk: &Desk,
    args: &Resume,
    named: Named<'_>,
    plan: Plan,
    out: &mut dyn Write,
) -> Result<Answer, Stop> {
    let prompt = if plan.wants_terminal() { no_prompt(args, &plan)? } else { prompt(args)? };
    let shown = plan.clone();
    let confirmed = plan.confirm(prompt).map_err(|_| {
        Stop::bad("the prompt is empty: write what the session shall do into --prompt-file FILE (or -)")
    })?;
    if !args.json {
        plan_words(named, &shown, out)?;
        writeln!(out)?;
        out.flush()?;
    }
    // A client that has the terminal shows itself.
    let sink = live::sink(!args.json && !shown.wants_terminal());
    let attempt = match confirmed.start(&desk.examiner, sink) {
        Ok(running) => {
            // Where the signals cannot be turned, Ctrl-C ends this program alone, as it would anyway.
            let _interrupts = Interrupts::reach(running.stopper());
            running.finish(&desk.examiner)
        }
        Err(attempt) => *attempt,
    };
    finished(args, named, &shown, &attempt, out)
}

/// Nothing, for a program that talks with the person itself.
fn no_prompt(args: &Resume, plan: &Plan) -> Result<Vec<u8>, Stop> {
    match &args.prompt_file {
        None => Ok(Vec::new()),
        Some(_) => Err(Stop::bad(format!(
            "{} asks for your words itself, in its own screen: leave --prompt-file out",
            plan.harness().as_str()
        ))),
    }
}

/// The prompt's bytes, exactly.
fn prompt(args: &Resume) -> Result<Vec<u8>, Stop> {
    let Some(file) = &args.prompt_file else {
        return Err(Stop::bad(
            "--yes needs --prompt-file FILE (or - for standard input): the prompt is yours to write",
        ));
    };
    if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(MOST_PROMPT + 1).read_to_end(&mut bytes);
        read.map_err(|error| Stop::bad(format!("standard input cannot be read: {error}")))?;
        return usable(bytes, "standard input");
    }
    let path =
        std::path::absolute(file).map_err(|error| Stop::bad(format!("{}: {error}", text::path(file))))?;
    let content = crate::disk::read(&path, MOST_PROMPT + 1).map_err(|error| Stop::bad(error.to_string()))?;
    usable(content.bytes, &text::path(file))
}

/// The longest prompt that is passed on, in bytes.
const MOST_PROMPT: u64 = 1 << 20;

/// The bytes, if they are a text that a client can read as a person wrote it.
fn usable(bytes: Vec<u8>, from: &str) -> Result<Vec<u8>, Stop> {
    if bytes.len() as u64 > MOST_PROMPT {
        return Err(Stop::bad("the prompt is longer than 1 MiB"));
    }
    if let Err(error) = std::str::from_utf8(&bytes) {
        let at = error.valid_up_to();
        return Err(Stop::bad(format!("the prompt in {from} is not UTF-8: byte {at} begins no character")));
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(Stop::bad(format!("the prompt in {from} has a NUL at byte {at}")));
    }
    Ok(bytes)
}

fn finished(
    args: &Resume,
    named: Named<'_>,
    plan: &Plan,
    attempt: &Attempt,
    out: &mut dyn Write,
) -> Result<Answer, Stop> {
    let (word, reasons, answer): (_, Vec<Inert>, _) = match &attempt.outcome {
        Outcome::Rehearsed => ("rehearsed", Vec::new(), Answer::Yes),
        Outcome::NotStarted(reasons) => ("not_started", reasons.clone(), Answer::No),
        Outcome::Continued => ("continued", attempt.notes.clone(), Answer::Yes),
        Outcome::ContinuedElsewhere(ids) => {
            ("continued_elsewhere", ids.iter().map(|id| Inert::new(id.as_str())).collect(), Answer::Unknown)
        }
        Outcome::NotContinued(reason) => ("not_continued", vec![reason.clone()], Answer::No),
        Outcome::Unknown(reason) => ("unknown", vec![reason.clone()], Answer::Unknown),
    };
    if args.json {
        let summary =
            Summary::plain(format!("resumed {}", named.lane), "save a new handoff when this session stops");
        let document = ResumeDocument {
            outcome: word,
            exit: attempt.exit,
            signal: attempt.signal.as_deref(),
            session: Some(SessionShape {
                id: plan.session(),
                grew: attempt.grew,
                model: attempt.model.as_ref(),
            }),
            reasons: &reasons,
            child_error: attempt.child_error.clone(),
            summary: summary.outcome(attempt.sentence.clone()),
            ..ResumeDocument::of(named, plan)
        };
        print_json(&document, out)?;
    } else {
        writeln!(out, "\n{}", attempt.sentence.shown_line())?;
        let is_said = |reason: &&Inert| attempt.sentence.raw().contains(reason.raw());
        for reason in reasons.iter().filter(|reason| !is_said(reason)) {
            writeln!(out, "  {}", reason.shown_line())?;
        }
    }
    Ok(answer)
}

impl<'a> ResumeDocument<'a> {
    fn empty() -> Self {
        Self {
            schema: "moorline.resume/1",
            outcome: "not_started",
            lane: None,
            argv: &[],
            executable: None,
            cwd: None,
            exit: None,
            signal: None,
            session: None,
            evidence: None,
            preflight: &[],
            reasons: &[],
            child_error: None,
            elsewhere: None,
            summary: Summary::plain("", ""),
        }
    }

    fn of(named: Named<'a>, plan: &'a Plan) -> Self {
        Self {
            lane: Some(named.lane),
            elsewhere: named.elsewhere,
            argv: plan.argv(),
            executable: Some(path_text(plan.executable())),
            cwd: Some(path_text(plan.cwd())),
            session: Some(SessionShape { id: plan.session(), grew: 0, model: None }),
            evidence: Some(plan.evidence().as_str()),
            preflight: plan.preflight(),
            ..Self::empty()
        }
    }
}
