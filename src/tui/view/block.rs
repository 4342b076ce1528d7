//! The block that loads a handoff into a session, to copy or to read in the pager.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::action::Extent;
use super::super::app::State;
use super::super::text;
use super::super::theme::Role;
use super::paint::Painter;
use crate::handoff::inert;

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, screen: Rect, state: &State, block: Option<&str>) -> Extent {
    let width = super::box_width(screen);
    let lines = match block {
        None => vec![Line::from(painter.span("Making the block …", Role::Quiet))],
        Some(block) => {
            let shown = inert::shown(block);
            shown.lines().flat_map(|line| text::wrap(&Line::from(text::tame(line)), width, 2)).collect()
        }
    };
    let foot = super::keys(painter, state);
    super::boxed(painter, screen, "Context for a new session", &lines, &foot, state.overlay_top)
}
