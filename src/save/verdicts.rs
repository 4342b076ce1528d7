//! What a check says right after a save: which lanes may go on, and exactly why the others may not.

use std::path::Path;

use crate::check::{Examiner, Verdict, lane_name};
use crate::handoff::Inert;
use crate::place;

/// A lane that was just saved, as a check sees it now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneNow {
    /// Its id.
    pub id: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// Why, most severe first; none for a validated one.
    pub reasons: Vec<Inert>,
}

impl LaneNow {
    /// The verdict in words, before the reasons.
    pub fn head(&self) -> String {
        let colon = if self.reasons.is_empty() { "" } else { ":" };
        format!("lane {} is {} now{colon}", self.id, self.verdict.words())
    }

    /// The same with the reasons, in one sentence.
    pub fn words(&self) -> Inert {
        let reasons: Vec<_> = self.reasons.iter().map(Inert::raw).collect();
        format!("{} {}", self.head(), reasons.join("; ")).trim_end().into()
    }
}

/// The lanes of a file, judged by an examiner that remembers nothing from before the save.
pub(super) fn of(examiner: &Examiner, path: &Path) -> Vec<LaneNow> {
    // A file that cannot be read again is what a check will say of it.
    let rows = place::read_path(path, &examiner.roots()).unwrap_or_default();
    let fresh = examiner.afresh();
    let judged = rows.iter().map(|row| (row, fresh.examine(row)));
    judged
        .flat_map(|(row, report)| {
            let name = |index| lane_name(&row.handoff, index);
            let now = report.lanes.into_iter().map(move |lane| LaneNow {
                id: name(lane.index),
                verdict: lane.verdict,
                reasons: lane.reasons,
            });
            now.collect::<Vec<_>>()
        })
        .collect()
}
