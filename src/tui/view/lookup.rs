//! The lookup form: three fields, and the decision with what is missing, the request, or the verified id.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::action::Extent;
use super::super::app::State;
use super::super::app::lookup::{FIELDS, Lookup};
use super::super::text;
use super::super::theme::Role;
use super::paint::Painter;
use crate::handoff::Inert;
use crate::resume::lookup::Found;

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, screen: Rect, state: &State, form: &Lookup) -> Extent {
    let width = super::box_width(screen);
    let mut lines = fields(painter, state, form, width);
    lines.push(Line::default());
    match &form.found {
        _ if form.asking => lines.push(Line::from(painter.span("Deciding …", Role::Quiet))),
        Some(found) => lines.extend(outcome(painter, found, width)),
        None => {
            let words =
                "moorline searches no history: it decides whether the host's own component may be asked.";
            lines.extend(text::wrap(&Line::from(painter.span(words, Role::Quiet)), width, 0));
        }
    }
    let foot = super::keys(painter, state);
    super::boxed(
        painter,
        screen,
        &format!("Missing session of {}", form.lane),
        &lines,
        &foot,
        state.overlay_top,
    )
}

fn fields(painter: &Painter<'_>, state: &State, form: &Lookup, width: usize) -> Vec<Line<'static>> {
    let cwd = text::path(&form.cwd, state.home.as_deref());
    let place = format!("{} in {cwd}", form.platform.as_str());
    let mut lines = vec![Line::from(painter.span(text::clip_middle(&place, width), Role::Quiet))];
    for (number, (name, input)) in FIELDS.iter().zip(&form.inputs).enumerate() {
        let has_keys = number == form.at;
        let role = if has_keys { Role::Accent } else { Role::Quiet };
        let mark = if has_keys { painter.theme.glyphs.bar } else { " " };
        lines.push(Line::from(painter.span(format!("{mark} {name}"), role)));
        let value = text::tame(input.value());
        let shown = if has_keys { format!("  {value}_") } else { format!("  {value}") };
        lines.push(Line::from(Span::raw(text::clip_middle(&shown, width))));
    }
    lines
}

/// The decision first, then what follows from it.
fn outcome(painter: &Painter<'_>, found: &Found, width: usize) -> Vec<Line<'static>> {
    let record = &found.record;
    let role = if record.is_delegated() { Role::Good } else { Role::Bad };
    let decision = format!("{} ({})", record.decision.as_str(), record.reason_code.as_str());
    let mut lines = vec![Line::from(painter.span(decision, role))];
    let mut say = |name: &str, words: String, role| {
        let line = Line::from(vec![
            painter.span(text::fit(name, 10), Role::Quiet),
            painter.span(text::tame(&Inert::from(words).shown_line()), role),
        ]);
        lines.extend(text::wrap(&line, width, 10));
    };
    for missing in found.missing() {
        say("missing", missing, Role::Plain);
    }
    match &found.returned {
        None => found.request.iter().for_each(|request| say("request", request.to_string(), Role::Plain)),
        Some((id, Ok(_))) => say("verified", id.raw().to_owned(), Role::Good),
        Some((id, Err(why))) => {
            say("refused", format!("{}: {} ({})", id.raw(), why.reason, why.name), Role::Bad)
        }
    }
    if let Some(draft) = &found.draft {
        say("draft", draft.to_string(), Role::Plain);
    }
    say("next", found.next().to_owned(), Role::Quiet);
    lines
}
