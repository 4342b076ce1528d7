//! The form itself: place, words, lanes, what was captured, and below it whether it can be saved.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::super::action::Extent;
use super::super::super::app::State;
use super::super::super::app::save::{Form, Spot};
use super::super::super::keymap::{Command, Context};
use super::super::super::text;
use super::super::super::theme::Role;
use super::super::names::count;
use super::super::paint::{Painter, line_width};
use super::fields;
use crate::handoff::{Family, Inert, age};
use crate::place::Scope;
use crate::save::CAP;

/// A line of the form, and which spot it belongs to.
pub(super) struct Row {
    pub(super) spot: Option<Spot>,
    pub(super) line: Line<'static>,
    /// Where the cursor is to be drawn: this input, from this column on.
    pub(super) input: Option<(tui_input::Input, u16)>,
}

impl Row {
    pub(super) fn new(spot: &Spot, line: impl Into<Line<'static>>) -> Self {
        Self { spot: Some(spot.clone()), line: line.into(), input: None }
    }

    pub(super) fn plain(line: impl Into<Line<'static>>) -> Self {
        Self { spot: None, line: line.into(), input: None }
    }
}

/// Draws it.
pub(super) fn draw(painter: &mut Painter<'_>, screen: Rect, state: &State, form: &Form) -> Extent {
    let width = super::super::box_width(screen);
    let rows = rows(painter, state, form, width);
    let status = status(painter, form, width);
    let keys = super::super::keys(painter, state);
    let below = u16::try_from(status.len() + 1).unwrap_or(4);
    let wanted = u16::try_from(rows.len()).unwrap_or(u16::MAX).saturating_add(below);
    let room = painter.overlay(screen, (u16::try_from(width).unwrap_or(u16::MAX), wanted), "Save a handoff");
    // Where there is next to no room, the line that is written on comes first.
    let below = below.min(room.height.saturating_sub(1));
    let seen = usize::from(room.height - below);
    let cursor = rows.iter().position(|row| row.input.is_some());
    let first = rows.iter().position(|row| row.spot.as_ref() == Some(&form.focus)).unwrap_or(0);
    let last = rows.iter().rposition(|row| row.spot.as_ref() == Some(&form.focus)).unwrap_or(first);
    let middle = cursor.unwrap_or(if last - first < seen { (first + last) / 2 } else { first });
    let top = middle.saturating_sub(seen / 2).min(rows.len().saturating_sub(seen));
    for (y, row) in (0_u16..).zip(rows.iter().skip(top).take(seen)) {
        painter.line(room, y, &row.line);
        if row.spot.as_ref() == Some(&form.focus) {
            painter.select(room, y, false);
        }
        if let Some((input, column)) = &row.input {
            let column = (*column).min(room.width);
            let area = Rect { x: room.x + column, width: room.width - column, ..room };
            painter.clear(Rect { y: area.y + y, height: 1, ..area });
            painter.input(area, y, input);
        }
    }
    for (n, line) in (0_u16..).zip(&status) {
        let y = u16::try_from(seen).unwrap_or(0) + n;
        if y + 1 < room.height || below == 1 {
            painter.line(room, y, line);
        }
    }
    if room.height > 1 {
        let more = rows.len().saturating_sub(top + seen);
        let note = if more > 0 { format!("{more} more below") } else { String::new() };
        let note = Line::from(painter.span(note, Role::Quiet));
        let fits = line_width(&note) + line_width(&keys) + 2 <= usize::from(room.width);
        painter.spread(room, room.height - 1, &if fits { note } else { Line::default() }, &keys);
    }
    Extent { lines: rows.len(), height: seen }
}

fn rows(painter: &Painter<'_>, state: &State, form: &Form, width: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let heading = |rows: &mut Vec<Row>, name: &'static str, note: String| {
        if !rows.is_empty() {
            rows.push(Row::plain(Line::default()));
        }
        let note = painter.span(note, Role::Quiet);
        rows.push(Row::plain(vec![painter.span(format!(" {name} "), Role::Heading), note]));
    };
    heading(&mut rows, "WHERE", String::new());
    rows.extend(place(painter, state, form, width));
    if form.format == Family::Memtomem {
        let recipient = fields::choice(painter, form.recipient, form.focus == Spot::For);
        rows.push(Row::new(&Spot::For, fields::labelled(painter, "for", vec![recipient], false)));
    }
    let previous = form.previous().map(|row| format!("{} can be carried over", row.relative.display()));
    heading(&mut rows, "YOURS", text::tame(&previous.unwrap_or_default()));
    if let (Some(left), Some(key)) = (&form.left, state.keymap.key_of(Context::Form, Command::Recall)) {
        let age = match age::sentence(state.clock, &left.at).as_str() {
            "now" => "a moment ago".to_owned(),
            age => age.to_owned(),
        };
        let words = format!("  Words typed {age} were never saved: {key} brings them back.");
        rows.push(Row::plain(painter.span(words, Role::Unsure)));
    }
    for field in form.seen() {
        rows.extend(fields::word(painter, form, field, width));
    }
    if form.format == Family::Theonekit {
        let hint = "a session's id: drafts of decisions are taken from its last turns";
        let has_keys = form.focus == Spot::Transcript;
        rows.push(fields::input(painter, &Spot::Transcript, "transcript", &form.transcript, hint, has_keys));
    }
    if form.format == Family::Thunderkit {
        heading(&mut rows, "LANES", "one for each linked worktree".into());
        rows.extend(fields::lanes(painter, form, width));
    }
    heading(&mut rows, "CAPTURED", "read, not typed; each with where".into());
    rows.extend(captured(painter, form, width));
    rows
}

/// Format, place and name.
fn place(painter: &Painter<'_>, state: &State, form: &Form, width: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let format = fields::choice(painter, family_word(form.format), form.focus == Spot::Format);
    rows.push(Row::new(&Spot::Format, fields::labelled(painter, "format", vec![format], false)));
    let target = form.sketch.as_ref().map(|sketch| &sketch.target);
    let is_chosen = form.format == Family::Theonekit;
    let spot = if is_chosen { Spot::Place } else { Spot::Format };
    match target {
        None => {
            let line = painter.span("…", Role::Quiet);
            rows.push(Row::new(&spot, fields::labelled(painter, "place", vec![line], false)));
        }
        Some(Err(why)) => {
            let line = Line::from(painter.span(text::tame(why), Role::Bad));
            rows.extend(fields::under(&spot, "place", painter, &line, width));
        }
        Some(Ok(target)) => {
            let scope = scope_word(target.scope);
            let scope = match is_chosen {
                true => fields::choice(painter, scope, form.focus == Spot::Place),
                false => painter.span(scope, Role::Plain),
            };
            let path = text::path(&target.path, state.home.as_deref());
            let path = text::clip_middle(&path, width.saturating_sub(fields::LABEL + 14).max(10));
            rows.push(Row::new(
                &spot,
                fields::labelled(
                    painter,
                    "place",
                    vec![scope, Span::raw(format!("  {path}"))],
                    form.is_tied(),
                ),
            ));
            let role = if form.is_tied() { Role::Unsure } else { Role::Quiet };
            let mut why = target.why.clone();
            if form.is_tied() {
                why.push_str("; which one is meant?");
            }
            let why = Line::from(painter.span(text::tame(&why), role));
            rows.extend(fields::under(&spot, "", painter, &why, width));
            if is_chosen && target.scope != Scope::Plan {
                let shown = stem(&target.path);
                rows.push(fields::input(
                    painter,
                    &Spot::Name,
                    "name",
                    &form.name,
                    &shown,
                    form.focus == Spot::Name,
                ));
            }
            if let Some(hidden) = form.sketch.as_ref().and_then(|sketch| sketch.ignored.as_ref()) {
                let words = format!("git ignores this place by {}", text::tame(&hidden.rule));
                let line = Line::from(painter.span(words, Role::Unsure));
                rows.extend(fields::under(&spot, "", painter, &line, width));
            }
            if let Some(taken) = &target.taken {
                let name = taken.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let words = format!("{} is another handoff's name", text::line_of(&Inert::new(name)));
                let line = Line::from(painter.span(words, Role::Unsure));
                rows.extend(fields::under(&Spot::Name, "", painter, &line, width));
            }
        }
    }
    rows
}

/// The name without date and ending, as it would be.
fn stem(path: &std::path::Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = stem.split_once('-').map_or(stem.as_str(), |(_, name)| name).to_owned();
    text::line_of(&Inert::new(name))
}

/// What was read, each with its source.
fn captured(painter: &Painter<'_>, form: &Form, width: usize) -> Vec<Row> {
    let Some(sketch) = &form.sketch else {
        return vec![Row::new(
            &Spot::Captured,
            fields::labelled(painter, "", vec![painter.span("…", Role::Quiet)], false),
        )];
    };
    let glyphs = painter.theme.glyphs;
    let mut rows = Vec::new();
    for fact in &sketch.captured {
        let source = text::line_of(&fact.source);
        let line = match &fact.value {
            Some(value) => Line::from(vec![
                painter.span(format!("{} ", glyphs.good), Role::Good),
                Span::raw(text::line_of(value)),
                painter.span(format!("  from {source}"), Role::Quiet),
            ]),
            None => Line::from(vec![
                painter.span(format!("{} unknown: ", glyphs.unknown), Role::Unsure),
                painter.span(source, Role::Quiet),
            ]),
        };
        rows.extend(fields::under(&Spot::Captured, &text::tame(&fact.name), painter, &line, width));
    }
    rows
}

/// Size, secrets and what is missing.
fn status(painter: &Painter<'_>, form: &Form, width: usize) -> Vec<Line<'static>> {
    let glyphs = painter.theme.glyphs;
    let mut spans = vec![Span::raw(" ")];
    let mut why = None;
    match form.sketch.as_ref().map(|sketch| &sketch.files) {
        None => spans.push(painter.span("capturing …", Role::Quiet)),
        Some(Ok(files)) => {
            let bytes: usize = files.iter().map(|(_, bytes)| bytes).sum();
            let role = if bytes > CAP / 10 * 9 { Role::Unsure } else { Role::Plain };
            let words = match files.len() {
                // A record has a bound of its own, by its characters; beyond it the reason is said.
                1 if form.format == Family::Memtomem => format!("{} bytes", grouped(bytes)),
                1 => format!("{} of {} bytes", grouped(bytes), grouped(CAP)),
                parts => format!(
                    "{} bytes, more than {}: goes on in {}",
                    grouped(bytes),
                    grouped(CAP),
                    count(parts - 1, "more file")
                ),
            };
            spans.push(painter.span(words, role));
        }
        Some(Err(refusal)) => {
            spans.push(painter.span(format!("{} of {} bytes", glyphs.none, grouped(CAP)), Role::Quiet));
            why = Some(refusal.as_str());
        }
    }
    if !form.is_current() {
        spans.push(painter.span(" …", Role::Quiet));
    }
    let dot = || painter.span(format!(" {} ", glyphs.dot), Role::Rule);
    let secrets = form.secrets();
    spans.push(dot());
    match secrets.as_slice() {
        [] => spans.push(painter.span(format!("{} no secrets", glyphs.good), Role::Good)),
        found => {
            let told: Vec<_> =
                found.iter().map(|(label, line, kind)| format!("{label} line {line}: {kind}")).collect();
            spans.push(painter.span(format!("{} {}", glyphs.bad, told.join(", ")), Role::Bad));
        }
    }
    let missing = form.missing();
    if !missing.is_empty() {
        spans.push(dot());
        spans.push(painter.span(format!("needed: {}", missing.join(", ")), Role::Unsure));
    }
    let homeless = form.homeless();
    if !homeless.is_empty() {
        let names: Vec<_> = homeless.iter().map(|(_, name)| *name).collect();
        spans.push(dot());
        spans.push(painter.span(format!("no place for {}", names.join(", ")), Role::Unsure));
    }
    let is_told = !secrets.is_empty() || !missing.is_empty() || !homeless.is_empty();
    let mut lines = text::wrap(&Line::from(spans), width, 1);
    // A refusal is for what was asked last; what merely is not whole yet is said quietly, and once.
    let reason = match &form.refusal {
        Some(refusal) => Some((refusal.as_str(), Role::Bad)),
        None => why.filter(|_| form.has_words() && !is_told).map(|why| (why, Role::Unsure)),
    };
    if let Some((reason, role)) = reason {
        let reason = reason.lines().collect::<Vec<_>>().join("; ");
        let line = Line::from(painter.span(format!(" {}", text::tame(&reason)), role));
        lines.extend(text::wrap(&line, width, 1).into_iter().take(3));
    }
    lines
}

/// 32,768
fn grouped(number: usize) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}

/// A format's name.
pub(super) fn family_word(family: Family) -> &'static str {
    match family {
        Family::Thunderkit | Family::ThunderkitLegacy => "thunderkit",
        Family::Theonekit => "theonekit",
        Family::Memtomem => "memtomem",
        Family::Freeform => "freeform",
    }
}

/// A scope's name.
pub(super) fn scope_word(scope: Scope) -> &'static str {
    match scope {
        Scope::Plan => "plan",
        Scope::Project => "project",
        Scope::Global => "global",
    }
}
