//! The lanes of a thunderkit handoff: one row each, with what was saved and what is true now.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::action::Extent;
use super::super::app::{Pane, State};
use super::super::text;
use super::super::theme::{Role, verdict_word};
use super::paint::Painter;
use crate::check::lane_name;
use crate::handoff::{Lane, LaneStatus, ModelIdentity};

/// Draws them.
pub fn draw(painter: &mut Painter<'_>, area: Rect, state: &State) -> Extent {
    let Some(row) = state.list.selected() else { return Extent::default() };
    let lanes = &row.listed.handoff.lanes;
    let room = usize::from(area.height.saturating_sub(1));
    let extent = Extent { lines: lanes.len(), height: room };
    if lanes.is_empty() {
        let none = Line::from(painter.span(" This handoff has no lanes.", Role::Quiet));
        painter.line(area, 0, &none);
        return extent;
    }
    let columns = Columns::of(usize::from(area.width));
    let heading =
        columns.line(["lane", "harness", "worktree", "branch@head", "model", "saved"].map(str::to_owned));
    let heading = Line::from(vec![painter.span(heading, Role::Quiet), painter.span("now", Role::Quiet)]);
    painter.line(area, 0, &heading);
    let selected = state.selected_lane().unwrap_or(0);
    let top = selected.saturating_sub(room.saturating_sub(1));
    let has_keys = state.focus == Pane::Lanes && state.overlay.is_none();
    for (y, n) in (1..area.height).zip(top..lanes.len()) {
        let lane = &lanes[n];
        let verdict = state.lane_verdict(n);
        let (glyph, role) = painter.theme.verdict(verdict);
        let name = lane_name(&row.listed.handoff, n);
        let left = columns.line(facts(&name, lane));
        let report = state.report().and_then(|report| report.lanes.iter().find(|report| report.index == n));
        let mut spans =
            vec![Span::raw(left), painter.span(format!("{glyph} {}", verdict_word(verdict)), role)];
        if let Some(owner) = report.and_then(|report| report.owner.as_ref()) {
            let since = owner.since.as_deref().map(|since| format!(" since {since}")).unwrap_or_default();
            spans.push(painter.span(text::tame(&format!("  pid {}{since}", owner.pid)), Role::Quiet));
        } else if let Some(reason) = report.and_then(|report| report.reasons.first()) {
            spans.push(painter.span(format!("  {}", text::line_of(reason)), Role::Quiet));
        }
        painter.line(area, y, &Line::from(spans));
        if n == selected {
            painter.select(area, y, has_keys);
        }
    }
    // Where there is room below the lanes, what the selected one's run left is said there.
    let run = state
        .report()
        .and_then(|report| report.lanes.iter().find(|lane| lane.index == selected)?.run.as_ref());
    if let (Some(run), Ok(y)) = (run, u16::try_from(lanes.len() + 2))
        && y < area.height
    {
        let line = format!(" run record: {}", text::tame(&run.line()));
        painter.line(area, y, &Line::from(painter.span(line, Role::Quiet)));
    }
    extent
}

/// The six saved facts of a lane.
fn facts(name: &str, lane: &Lane) -> [String; 6] {
    let none = || "-".to_owned();
    let head = lane.head.as_ref().map_or("?", |head| head.short());
    let branch = lane.branch.as_ref().map_or_else(|| "detached".to_owned(), |branch| branch.to_string());
    let saved = match lane.status {
        Some(LaneStatus::Running) => "running",
        Some(LaneStatus::Blocked) => "blocked",
        Some(LaneStatus::Completed) => "completed",
        Some(LaneStatus::Unknown) => "unknown",
        None => "-",
    };
    [
        name.to_owned(),
        lane.harness.map_or_else(none, |harness| harness.as_str().to_owned()),
        lane.worktree.as_ref().map_or_else(none, |worktree| worktree.to_string()),
        format!("{branch}@{head}"),
        model(lane).map_or_else(none, |model| text::line_of(&model.catalog_key)),
        saved.to_owned(),
    ]
}

/// The model that stands for a lane: observed, else effective, else requested.
fn model(lane: &Lane) -> Option<&ModelIdentity> {
    lane.observed_model.as_ref().or(lane.effective_model.as_ref()).or(lane.requested_model.as_ref())
}

/// How wide each fact is; what does not fit is left out from the right, the verdict never.
struct Columns([usize; 6]);

impl Columns {
    fn of(width: usize) -> Self {
        let wanted = [10, 8, 16, 20, 10, 10];
        let mut columns = [0; 6];
        let mut left = width.saturating_sub(17);
        for n in [0, 5, 1, 3, 4, 2] {
            let column: usize = wanted[n];
            if column < left || n == 0 {
                columns[n] = column.min(left);
                left = left.saturating_sub(column + 1);
            }
        }
        Self(columns)
    }

    fn line(&self, facts: [String; 6]) -> String {
        let mut out = " ".to_owned();
        for (fact, &columns) in facts.iter().zip(&self.0) {
            if columns > 0 {
                let fact = text::clip_middle(&text::tame(fact), columns);
                out.push_str(&text::fit(&fact, columns));
                out.push(' ');
            }
        }
        out
    }
}
