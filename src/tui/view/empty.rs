//! What an empty list says: what was looked for, where, and what to do next.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::super::app::State;
use super::super::keymap::{Command, Context};
use super::super::text;
use super::super::theme::Role;
use super::paint::Painter;

/// Draws it.
pub fn draw(painter: &mut Painter<'_>, area: Rect, state: &State) {
    let inner = Rect { x: area.x + 1.min(area.width), width: area.width.saturating_sub(2), ..area };
    let mut y = 0;
    for (sentence, role) in sentences(state) {
        let line = Line::from(painter.span(sentence, role));
        for line in text::wrap(&line, usize::from(inner.width), 0) {
            painter.line(inner, y, &line);
            y = y.saturating_add(1);
        }
    }
}

fn sentences(state: &State) -> Vec<(String, Role)> {
    let key = |command| state.keymap.key_of(Context::List, command).unwrap_or_default();
    let blank = || (String::new(), Role::Plain);
    if state.list.scanning {
        return vec![("Looking for handoffs …".into(), Role::Quiet)];
    }
    if !state.list.query().is_empty() {
        return vec![
            ("No handoff fits this filter.".into(), Role::Heading),
            blank(),
            ("Words are looked for in names, titles and whole texts; scope: family: branch: verdict: narrow.".into(), Role::Plain),
            (format!("{} shows all again.", key(Command::Back)), Role::Plain),
        ];
    }
    if state.list.put_away {
        return vec![
            ("Nothing is archived or in the trash.".into(), Role::Heading),
            blank(),
            (format!("{} shows the handoffs in use.", key(Command::OtherList)), Role::Plain),
            (
                format!(
                    "There {} archives the selected one, {} puts it into the trash; here they wait to be put back.",
                    key(Command::Archive),
                    key(Command::Trash)
                ),
                Role::Plain,
            ),
        ];
    }
    let project = text::path(&state.project, state.home.as_deref());
    let mut out = vec![
        ("No handoffs here yet.".into(), Role::Heading),
        blank(),
        (format!("Looked in {project}:"), Role::Plain),
        ("  plans/*/HANDOFF.md".into(), Role::Quiet),
        ("  .thunderkit/HANDOFF.md".into(), Role::Quiet),
        ("  .claude/handoffs/*.md".into(), Role::Quiet),
        ("  .memtomem/, HANDOFF.md, docs/ and other habits".into(), Role::Quiet),
    ];
    match &state.home {
        Some(_) => {
            out.push(("and in ~/.claude/handoffs/ and other places of your home.".into(), Role::Plain))
        }
        None => {
            out.push(("No home directory is known, so nothing was looked for there.".into(), Role::Unsure))
        }
    }
    out.push(blank());
    if !state.list.skipped.is_empty() {
        let skipped = super::names::count(state.list.skipped.len(), "file");
        out.push((
            format!("{skipped} found and not listed: {} says why.", key(Command::Unlisted)),
            Role::Plain,
        ));
    }
    if state.can(Command::OtherList) {
        out.push((format!("{} shows what was archived or trashed.", key(Command::OtherList)), Role::Plain));
    }
    out.push(("`moorline demo` opens a sample project.".into(), Role::Plain));
    out
}
