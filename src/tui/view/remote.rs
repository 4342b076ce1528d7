//! This checkout against its remote: what would be asked before the yes, then the answer.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::action::Extent;
use super::super::app::State;
use super::super::app::remote::{Remote, Step};
use super::super::text;
use super::super::theme::Role;
use super::paint::Painter;

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, screen: Rect, state: &State, remote: &Remote) -> Extent {
    let width = super::box_width(screen);
    let say = |painter: &Painter<'_>, words: &str, role| {
        text::wrap(&Line::from(painter.span(text::tame(words), role)), width, 10)
    };
    let mut lines = Vec::new();
    match &remote.step {
        Step::Preparing => lines.extend(say(painter, "Reading what this branch follows …", Role::Quiet)),
        Step::Asking { words, .. } => {
            lines.extend(say(painter, "This asks the remote, which needs the network:", Role::Plain));
            lines.push(Line::default());
            lines.extend(words.iter().flat_map(|words| say(painter, words, Role::Plain)));
            lines.push(Line::default());
            lines.extend(say(painter, "No verdict hangs on the answer.", Role::Quiet));
        }
        Step::Waiting => lines.extend(say(painter, "git asks …", Role::Quiet)),
        Step::Said(sentence) => {
            lines.extend(say(painter, &format!("This checkout: {sentence}"), Role::Plain));
        }
    }
    let foot = super::keys(painter, state);
    super::boxed(painter, screen, "This checkout and its remote", &lines, &foot, state.overlay_top)
}
