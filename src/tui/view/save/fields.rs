//! The lines of the form that are typed in or chosen from.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use tui_input::Input;

use super::super::super::app::save::{Field, Form, Part, Sessions, Spot, class_word, status_word};
use super::super::super::text;
use super::super::super::theme::Role;
use super::super::paint::Painter;
use super::form::{Row, family_word};
use crate::handoff::{Inert, Lane};

/// The most columns of a session's title.
const TITLE: usize = 60;
/// Columns of the labels, with the bar before them.
pub(super) const LABEL: usize = 15;

/// A label and what stands beside it.
pub(super) fn labelled(
    painter: &Painter<'_>,
    label: &str,
    value: Vec<Span<'static>>,
    needs_answer: bool,
) -> Line<'static> {
    let role = if needs_answer { Role::Unsure } else { Role::Quiet };
    let mut spans = vec![painter.span(format!("  {}", text::fit(label, LABEL - 2)), role)];
    spans.extend(value);
    Line::from(spans)
}

/// A value that can be changed by left and right.
pub(super) fn choice(painter: &Painter<'_>, value: &str, has_keys: bool) -> Span<'static> {
    match has_keys {
        true => painter.span(format!("< {value} >"), Role::Selected),
        false => painter.span(format!("< {value} >"), Role::Plain),
    }
}

/// A long text beside a label, in as many lines as it takes.
pub(super) fn under(
    spot: &Spot,
    label: &str,
    painter: &Painter<'_>,
    line: &Line<'static>,
    width: usize,
) -> Vec<Row> {
    let room = width.saturating_sub(LABEL).max(10);
    let mut label = label;
    let mut rows = Vec::new();
    for part in text::wrap(line, room, 0) {
        rows.push(Row::new(spot, labelled(painter, label, part.spans, false)));
        label = "";
    }
    rows
}

/// An input of one line; what would be there is shown where nothing was typed.
pub(super) fn input(
    painter: &Painter<'_>,
    spot: &Spot,
    label: &str,
    input: &Input,
    hint: &str,
    has_keys: bool,
) -> Row {
    let value = match input.value() {
        "" => painter.span(hint.to_owned(), Role::Quiet),
        value => Span::raw(text::tame(value)),
    };
    let mut row = Row::new(spot, labelled(painter, label, vec![value], false));
    match (has_keys, input.value()) {
        (false, _) => {}
        // What would be there stays beside the cursor until something is typed.
        (true, "") => {
            let cursor = Style::new().add_modifier(Modifier::REVERSED);
            row.line.spans.insert(1, Span::styled(" ", cursor));
        }
        (true, _) => row.input = Some((input.clone(), u16::try_from(LABEL).unwrap_or(0))),
    }
    row
}

/// A field of the person's: one line, or a list of them, with what was carried over marked.
pub(super) fn word(painter: &Painter<'_>, form: &Form, field: &Field, width: usize) -> Vec<Row> {
    let spot = Spot::Word(field.word);
    let has_keys = form.focus == spot;
    let label = field.word.label(form.format);
    let needed = field.word.is_needed(form.format) && field.is_blank();
    if field.input.value().is_empty() {
        let hint = match needed {
            true => format!("needed: {}", field.word.hint()),
            false => field.word.hint().to_owned(),
        };
        return vec![input(painter, &spot, label, &field.input, &hint, has_keys)];
    }
    let mark = format!("{} carried over ", painter.theme.glyphs.arrows[1]);
    let room = width.saturating_sub(LABEL);
    let mut before = field.input.cursor();
    let mut rows: Vec<Row> = Vec::new();
    let mut has_cursor = has_keys;
    for line in field.input.value().split('\n') {
        let length = line.chars().count();
        let is_carried = field.is_carried(line);
        let label = if rows.is_empty() { label } else { "" };
        let carried = is_carried.then(|| painter.span(mark.clone(), Role::Unsure));
        let indent = LABEL + carried.as_ref().map_or(0, |mark| text::width(&mark.content));
        if has_cursor && before <= length {
            let mut row = Row::new(&spot, labelled(painter, label, carried.into_iter().collect(), needed));
            let input = Input::new(line.to_owned()).with_cursor(before);
            row.input = Some((input, u16::try_from(indent).unwrap_or(0)));
            rows.push(row);
            has_cursor = false;
            continue;
        }
        if has_cursor {
            before -= length + 1;
        }
        let line = Line::from(carried.into_iter().chain([Span::raw(text::tame(line))]).collect::<Vec<_>>());
        for (n, part) in text::wrap(&line, room.max(10), 2).into_iter().enumerate() {
            rows.push(Row::new(
                &spot,
                labelled(painter, if n == 0 { label } else { "" }, part.spans, needed),
            ));
        }
    }
    if !field.word.fits(form.format) && !field.is_blank() {
        let words = format!("{} has no place for this", family_word(form.format));
        let line = Line::from(painter.span(words, Role::Unsure));
        rows.extend(under(&spot, "", painter, &line, width));
    }
    rows
}

/// The lanes with what there is to choose, and those that are taken out.
pub(super) fn lanes(painter: &Painter<'_>, form: &Form, width: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    match form.sketch.as_ref().map(|sketch| &sketch.lanes) {
        None => rows.push(Row::plain(labelled(painter, "", vec![painter.span("…", Role::Quiet)], false))),
        Some(Err(why)) => {
            let line = Line::from(painter.span(text::tame(why), Role::Bad));
            rows.extend(
                under(&Spot::Format, "", painter, &line, width).into_iter().map(|row| Row::plain(row.line)),
            );
        }
        Some(Ok(lanes)) if lanes.is_empty() && form.dropped.is_empty() => {
            let none = painter.span("no linked worktree inside the project", Role::Quiet);
            rows.push(Row::plain(labelled(painter, "", vec![none], false)));
        }
        Some(Ok(_)) => {}
    }
    for spot in form.spots() {
        let Spot::Lane(id, part) = &spot else { continue };
        let has_keys = form.focus == spot;
        match form.lane(id) {
            Some(lane) => rows.extend(lane_rows(painter, form, (&spot, lane, *part), has_keys, width)),
            None => {
                let out = painter.span("taken out of this handoff", Role::Unsure);
                rows.push(Row::new(&spot, labelled(painter, &text::tame(id), vec![out], false)));
            }
        }
    }
    rows
}

fn lane_rows(
    painter: &Painter<'_>,
    form: &Form,
    (spot, lane, part): (&Spot, &Lane, Part),
    has_keys: bool,
    width: usize,
) -> Vec<Row> {
    let none = painter.theme.glyphs.none;
    let choose = |label: &str, value: &str, note: String| {
        let note = painter.span(format!("  {note}"), Role::Quiet);
        let value = vec![choice(painter, value, has_keys), note];
        vec![Row::new(spot, labelled(painter, &format!("  {label}"), value, false))]
    };
    let fixed = |label: &str, value: &str, note: &str| {
        let value = vec![Span::raw(value.to_owned()), painter.span(format!("  {note}"), Role::Quiet)];
        vec![Row::new(spot, labelled(painter, &format!("  {label}"), value, false))]
    };
    match part {
        Part::Whole => whole(painter, form, spot, lane, width),
        Part::Class => {
            choose("class", lane.model_class.map_or("not recorded", class_word), "of its model".into())
        }
        Part::Model => {
            let key = lane.requested_model.as_ref().map(|model| text::line_of(&model.catalog_key));
            choose("model", key.as_deref().unwrap_or("not recorded"), "asked for".into())
        }
        Part::Status => {
            let said = lane.id.as_ref().and_then(|id| form.lane_words.get(id.as_str()));
            let is_said = said.is_some_and(|word| word.status.is_some());
            let note = if is_said { "as you say" } else { "as seen: unknown unless proved" };
            choose("status", status_word(lane.status), note.into())
        }
        Part::Session => {
            let id = lane.id.as_ref().map(|id| id.as_str()).unwrap_or_default();
            let session = lane.session_id.as_ref().map_or(none, |id| id.as_str());
            let mut rows = match form.sessions.get(id) {
                Some(Sessions::Listed(past, _)) => {
                    let said = form.lane_words.get(id).and_then(|word| word.session_id.as_deref());
                    let chosen = past.iter().position(|one| Some(one.id.as_str()) == said);
                    let about = chosen.map(|at| past_words(&past[at]));
                    let which = match chosen {
                        Some(at) => format!("{} of {}", at + 1, past.len()),
                        None => format!("as found; {}", super::super::names::count(past.len(), "past one")),
                    };
                    let mut rows = choose("session", session, which);
                    if let Some(about) = about {
                        let about = Line::from(painter.span(about, Role::Quiet));
                        rows.extend(under(spot, "", painter, &about, width));
                    }
                    rows
                }
                Some(Sessions::Listing) => fixed("session", session, "past ones are being listed …"),
                None => fixed("session", session, "enter asks whether past ones may be listed"),
            };
            if let Some(Sessions::Listed(_, silent)) = form.sessions.get(id) {
                for why in silent {
                    let line = Line::from(painter.span(text::tame(why), Role::Unsure));
                    rows.extend(under(spot, "", painter, &line, width));
                }
            }
            rows
        }
    }
}

/// The lane itself: its worktree, branch and commit, its harness, and why it is as it is.
fn whole(painter: &Painter<'_>, form: &Form, spot: &Spot, lane: &Lane, width: usize) -> Vec<Row> {
    let mut facts = Vec::new();
    facts.extend(lane.worktree.as_ref().map(|path| path.as_str().to_owned()));
    let branch = lane.branch.as_ref().map_or("detached", |branch| branch.as_str());
    facts.extend(lane.head.as_ref().map(|head| format!("{branch}@{}", head.short())));
    facts.extend(lane.harness.map(|harness| harness.as_str().to_owned()));
    let id = lane.id.as_ref().map(|id| id.as_str()).unwrap_or_default();
    let dot = format!(" {} ", painter.theme.glyphs.dot);
    let facts = text::line_of(&Inert::new(facts.join(&dot)));
    let mut rows = vec![Row::new(spot, labelled(painter, id, vec![Span::raw(facts)], false))];
    if let Some(reason) = &lane.reason {
        let role = if form.is_carried_on(lane) { Role::Unsure } else { Role::Quiet };
        let line = Line::from(painter.span(text::line_of(reason), role));
        rows.extend(under(spot, "", painter, &line, width));
    }
    rows
}

/// From when to when it was worked in.
fn times(past: &crate::save::sketch::Past) -> Option<String> {
    let (began, last) = (past.began_at.as_deref(), past.last_at.as_deref());
    match (began, last) {
        (Some(began), Some(last)) if began != last => Some(format!("{began} to {last}")),
        (began, last) => last.or(began).map(str::to_owned),
    }
}

/// A past session in a few words: whose, when, which model, how long.
fn past_words(past: &crate::save::sketch::Past) -> String {
    let mut words = vec![past.harness.as_str().to_owned()];
    words.extend(
        past.title
            .as_ref()
            .map(|title| format!("\u{201c}{}\u{201d}", text::clip(&text::line_of(title), TITLE))),
    );
    words.extend(times(past));
    words.extend(past.model.as_ref().map(text::line_of));
    words.push(super::super::names::count(past.turns, "turn"));
    text::line_of(&Inert::new(words.join(", ")))
}
