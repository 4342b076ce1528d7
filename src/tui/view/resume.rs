//! The way to a resume: what exactly would be started, the prompt, the live output, and what became of it.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::action::{Extent, Proposal, Refused};
use super::super::app::{Resume, Run, State, Step};
use super::super::text;
use super::super::theme::Role;
use super::names::count;
use super::paint::Painter;
use crate::handoff::inert;
use crate::resume::{Attempt, Outcome};

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, screen: Rect, state: &State, resume: &Resume) -> Extent {
    let width = super::box_width(screen);
    let foot = super::keys(painter, state);
    match &resume.step {
        Step::Planning => {
            let lines = [Line::from(painter.span("Reading everything once more …", Role::Quiet))];
            super::boxed(painter, screen, &format!("Resume {}", resume.lane), &lines, &foot, 0)
        }
        Step::Refused(refused) => {
            let lines = refusal(painter, refused, width);
            super::boxed(
                painter,
                screen,
                &format!("{} is not resumed", resume.lane),
                &lines,
                &foot,
                state.overlay_top,
            )
        }
        Step::Asking { proposal, prompt, empty, seen } => {
            asking(painter, screen, state, proposal, (prompt, *empty), *seen)
        }
        Step::Running(run) => running(painter, screen, state, resume, run),
        Step::Done(attempt, run) => {
            let lines = done(painter, attempt, run, width);
            super::boxed(
                painter,
                screen,
                &format!("Resumed {}", resume.lane),
                &lines,
                &foot,
                state.overlay_top,
            )
        }
    }
}

fn refusal(painter: &Painter<'_>, refused: &Refused, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for reason in &refused.reasons {
        let line = Line::from(vec![
            painter.span(format!("{} ", painter.theme.glyphs.bad), Role::Bad),
            Span::raw(text::line_of(reason)),
        ]);
        lines.extend(text::wrap(&line, width, 2));
    }
    lines.extend(refused.preflight.iter().map(|check| super::checks::line(painter, check, width)));
    lines.push(Line::default());
    lines.push(Line::from(painter.span("Nothing was started.", Role::Quiet)));
    lines
}

fn asking(
    painter: &mut Painter<'_>,
    screen: Rect,
    state: &State,
    proposal: &Proposal,
    (prompt, empty): (&tui_input::Input, bool),
    was_read: bool,
) -> Extent {
    let lane = &proposal.lane;
    let stage = proposal.stage.as_ref().map(text::line_of).filter(|stage| !stage.is_empty());
    let dot = painter.theme.glyphs.dot;
    let title =
        stage.map_or_else(|| format!("Resume {lane}"), |stage| format!("Resume {lane} {dot} {stage}"));
    let width = super::box_width(screen);
    let mut lines = facts(painter, proposal, state, width);
    lines.push(Line::default());
    let room_for_prompt = if proposal.wants_terminal {
        let harness = proposal.harness.as_str();
        let sentence = format!("{harness} gets this terminal and asks for your words itself.");
        lines.push(Line::from(painter.span(sentence, Role::Heading)));
        0
    } else {
        let (label, role) = if empty {
            ("A prompt is needed: say what to do next. Nothing is taken from the file.", Role::Bad)
        } else {
            ("Prompt (yours; nothing is taken from the file)", Role::Heading)
        };
        lines.push(Line::from(painter.span(label, role)));
        1
    };
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(room_for_prompt + 2);
    let room = painter.overlay(screen, (u16::try_from(width).unwrap_or(u16::MAX), height), &title);
    let standing = room_for_prompt + 2;
    let seen = room.height.saturating_sub(standing);
    // The prompt and the keys stay; where there is little room, the facts above scroll and must be read first.
    let top = state.overlay_top.min(lines.len().saturating_sub(usize::from(seen)));
    let below = lines.len().saturating_sub(top + usize::from(seen));
    for (y, line) in (0..seen).zip(&lines[top..]) {
        painter.line(room, y, line);
    }
    if room_for_prompt > 0 {
        painter.input(room, seen, prompt);
    }
    let (more, foot) = match below {
        0 => (String::new(), super::keys(painter, state)),
        _ if was_read => (format!("{below} more above the prompt"), super::keys(painter, state)),
        unread => (String::new(), Line::from(super::footer::keys_while_unread(painter, state, unread))),
    };
    let more = Line::from(painter.span(more, Role::Unsure));
    painter.spread(room, room.height.saturating_sub(1), &more, &foot);
    Extent { lines: lines.len(), height: usize::from(seen) }
}

/// Exactly what would be started, and on what grounds.
fn facts(painter: &Painter<'_>, proposal: &Proposal, state: &State, width: usize) -> Vec<Line<'static>> {
    let argv: Vec<String> = proposal.argv.iter().map(|arg| text::tame(&inert::shown(arg))).collect();
    let program = text::path(&proposal.program, state.home.as_deref());
    let mut facts = vec![
        ("program", format!("{program}   {}", text::line_of(&proposal.version))),
        ("argv", argv.join("  ")),
        ("in", text::path(&proposal.cwd, state.home.as_deref())),
        ("model", text::line_of(&proposal.model)),
    ];
    if !proposal.removed.is_empty() {
        facts.push(("removed", proposal.removed.join(", ")));
    }
    if !proposal.notable.is_empty() {
        facts.push(("passed on", proposal.notable.join(", ")));
    }
    facts.push(("by hand", inert::shown(&proposal.interactive)));
    let mut lines = Vec::new();
    for (name, value) in facts {
        let line =
            Line::from(vec![painter.span(text::fit(name, 10), Role::Quiet), Span::raw(text::tame(&value))]);
        lines.extend(text::wrap(&line, width, 10));
    }
    lines.extend(proposal.preflight.iter().map(|check| super::checks::line(painter, check, width)));
    let passed = format!(
        "{} {} passed just now; all are read again when you confirm.",
        painter.theme.glyphs.good,
        count(proposal.passed, "check")
    );
    lines.push(Line::from(painter.span(passed, Role::Good)));
    let trust = "This skips the harness's own question whether you trust this folder.";
    lines.push(Line::from(painter.span(trust, Role::Unsure)));
    lines.into_iter().flat_map(|line| text::wrap(&line, width, 2)).collect()
}

fn running(painter: &mut Painter<'_>, screen: Rect, state: &State, resume: &Resume, run: &Run) -> Extent {
    let width = super::box_width(screen);
    let harness = run.proposal.harness.as_str();
    let seconds = |since: i64| state.clock.unix.saturating_sub(since).max(0);
    let status = match (run.started, run.stops) {
        (false, 0) => "Reading everything once more, then starting …".to_owned(),
        (_, 0) => format!(
            "{harness} runs for {} s; last output {} s ago.",
            seconds(run.since),
            seconds(run.last_output)
        ),
        (_, 1) => format!("{harness} was asked to stop (SIGINT); again asks firmly (SIGTERM)."),
        (_, 2) => format!("{harness} was told to stop (SIGTERM); again kills it."),
        (_, _) => format!("{harness} was killed (SIGKILL)."),
    };
    let glyph = painter.theme.glyphs.running;
    let mut lines = vec![Line::from(painter.span(format!("{glyph} {status}"), Role::Running))];
    if resume.leaving {
        let question = format!("{harness} still runs. Stop it and leave?");
        lines.push(Line::from(painter.span(question, Role::Bad)));
    }
    lines.push(Line::default());
    let head = lines.len();
    lines.extend(output(painter, run, width));
    let foot = super::keys(painter, state);
    let room = painter.overlay(
        screen,
        (u16::try_from(width).unwrap_or(u16::MAX), screen.height.saturating_sub(6)),
        &format!("Resume {}", resume.lane),
    );
    let seen = usize::from(room.height.saturating_sub(2));
    let tail = lines.len().saturating_sub(seen);
    for (y, n) in (0..room.height.saturating_sub(2)).zip(0..seen) {
        // The head stays; the output below it shows its end.
        let n = if n < head { n } else { n + tail };
        if let Some(line) = lines.get(n) {
            painter.line(room, y, line);
        }
    }
    painter.spread(room, room.height.saturating_sub(1), &Line::default(), &foot);
    Extent { lines: lines.len(), height: seen }
}

/// What the program printed, made inert and wrapped.
fn output(painter: &Painter<'_>, run: &Run, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if run.output.dropped > 0 {
        let dropped =
            format!("({} of earlier output are not kept)", super::names::size(run.output.dropped as u64));
        lines.push(Line::from(painter.span(dropped, Role::Quiet)));
    }
    // A program's own colours are its terminal's business: sequences go, everything else odd is shown.
    let (plain, _) = inert::plain(&run.output.text());
    lines.extend(
        plain.lines().flat_map(|line| text::wrap(&Line::from(text::tame(&inert::shown(line))), width, 0)),
    );
    if run.output.is_empty() {
        lines.push(Line::from(painter.span("(no output yet)", Role::Quiet)));
    }
    lines
}

fn done(painter: &Painter<'_>, attempt: &Attempt, run: &Run, width: usize) -> Vec<Line<'static>> {
    let glyphs = painter.theme.glyphs;
    let (glyph, role) = match attempt.outcome {
        Outcome::Continued | Outcome::Rehearsed => (glyphs.good, Role::Good),
        Outcome::NotStarted(_) | Outcome::NotContinued(_) => (glyphs.bad, Role::Bad),
        Outcome::ContinuedElsewhere(_) => (glyphs.drifted, Role::Unsure),
        Outcome::Unknown(_) => (glyphs.unknown, Role::Unsure),
    };
    let sentence = Line::from(painter.span(format!("{glyph} {}", text::line_of(&attempt.sentence)), role));
    let mut lines = text::wrap(&sentence, width, 2);
    if let Outcome::NotStarted(reasons) = &attempt.outcome {
        for reason in reasons {
            lines.extend(text::wrap(
                &Line::from(format!("  {} {}", glyphs.bullet, text::line_of(reason))),
                width,
                4,
            ));
        }
    }
    let mut facts = Vec::new();
    facts.extend(attempt.exit.map(|code| format!("exit {code}")));
    facts.extend(attempt.signal.as_ref().map(|signal| format!("ended by {}", text::tame(signal))));
    facts.push(format!("{} s", attempt.seconds));
    facts.push(format!("session grew by {}", count(attempt.grew, "turn")));
    facts.extend(attempt.model.as_ref().map(|model| format!("answered by {}", text::line_of(model))));
    let facts = facts.join(&format!(" {} ", glyphs.dot));
    lines.extend(text::wrap(&Line::from(painter.span(facts, Role::Quiet)), width, 0));
    if !run.output.is_empty() {
        lines.push(Line::default());
        lines.push(Line::from(painter.span("What it printed", Role::Heading)));
        lines.extend(output(painter, run, width));
    }
    lines
}
