//! The save form and what comes after it: a preview, a clash, what was saved.

mod fields;
mod form;
mod outcome;
mod preview;

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::action::Extent;
use super::super::app::State;
use super::super::app::save::{Form, Step};
use super::super::theme::Role;
use super::paint::Painter;

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, screen: Rect, state: &State, form: &Form) -> Extent {
    let width = super::box_width(screen);
    let boxed = |painter: &mut Painter<'_>, title: &str, lines: &[Line<'_>]| {
        let foot = super::keys(painter, state);
        super::boxed(painter, screen, title, lines, &foot, state.overlay_top)
    };
    match &form.step {
        Step::Filling => form::draw(painter, screen, state, form),
        Step::AskingForSessions(lane) => {
            let lines = outcome::sessions_question(painter, form, lane, width);
            boxed(painter, &format!("Past sessions of {lane}"), &lines)
        }
        Step::Previewing => {
            let line = Line::from(painter.span("Capturing everything once more …", Role::Quiet));
            boxed(painter, "What would be saved", &[line])
        }
        Step::Writing => {
            let line = Line::from(painter.span("Writing …", Role::Quiet));
            boxed(painter, "Saving", &[line])
        }
        Step::Preview(preview) => {
            let lines = preview::lines(painter, preview, state, width);
            boxed(painter, "What would be saved", &lines)
        }
        Step::Clash(difference) => {
            let lines = outcome::clash(painter, form, difference, width);
            boxed(painter, "Not saved: somebody else was faster", &lines)
        }
        Step::Saved(saved) => {
            let lines = outcome::saved(painter, saved, state, width);
            boxed(painter, "Saved", &lines)
        }
    }
}
