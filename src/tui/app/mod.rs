//! The state of the screen, and what is done to it. No terminal, no file, no clock, no thread.

mod answers;
mod list;
pub mod lookup;
mod overlay;
pub mod remote;
pub mod save;
pub mod shelf;
mod typing;
mod update;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

pub use list::{Checking, List, ListLine, Row};
pub use overlay::{Output, Overlay, Reading, Resume, Run, Step, Versions};
pub use update::update;

use super::action::{Key, Metrics, Moved, Text};
use super::effect::Effect;
use super::keymap::{Command, Context, Keymap};
use crate::check::{Check, Claim, ProjectFacts, Report, Verdict};
use crate::handoff::age::{self, Clock};

/// One part of the screen that can have the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pane {
    /// The list of handoffs.
    List,
    /// What the selected one is about.
    Detail,
    /// Its lanes.
    Lanes,
    /// Its checks.
    Checks,
    /// What happened since.
    Drift,
}

/// The text of the selected row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// It is being read.
    Loading,
    /// Here it is.
    Loaded(Text),
    /// It cannot be read, with the reason.
    Failed(String),
}

/// A line of the drift pane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DriftRow<'a> {
    /// Something to say about what follows.
    Heading(&'static str, usize),
    /// A claim of the text and what became of it.
    Claim(&'a Claim),
    /// Any other line.
    Text(&'a crate::handoff::Inert),
}

/// Everything that the screen shows.
#[derive(Debug)]
pub struct State {
    /// The wall clock of the last thing that happened.
    pub clock: Clock,
    /// The project directory.
    pub project: PathBuf,
    /// The home directory, for shorter paths.
    pub home: Option<PathBuf>,
    /// What is true of the project, once it was read.
    pub facts: Option<ProjectFacts>,
    /// The list.
    pub list: List,
    /// The pane that has the keys.
    pub focus: Pane,
    /// The pane that stands beside the list while the list has the keys.
    pub beside: Pane,
    /// The filter's input has the keys.
    pub finding: bool,
    /// The first line of the detail that is seen.
    pub detail_top: usize,
    /// The marked rows.
    pub marks: shelf::Marks,
    /// The selected lane.
    pub lane: usize,
    /// The selected check.
    pub check: usize,
    /// The selected line of the drift pane.
    pub drift: usize,
    /// The selected row's text.
    pub body: Option<(Key, Body)>,
    /// What lies over the panes.
    pub overlay: Option<Overlay>,
    /// The first line of the overlay that is seen.
    pub overlay_top: usize,
    /// A sentence for the footer, and whether it is good news.
    pub notice: Option<(String, bool)>,
    /// What the last drawing measured.
    pub metrics: Metrics,
    /// What the keys mean.
    pub keymap: Arc<Keymap>,
    /// The places are watched: what changes there is read by itself.
    pub live: bool,
    /// What changed while a resume was on the screen: read afterwards.
    missed: Option<Moved>,
    /// A save form that was closed with words in it: the next one goes on with it.
    kept: Option<Box<save::Form>>,
    /// A row that is to be selected once it is listed, by any of these paths.
    wanted: Vec<PathBuf>,
    generation: u64,
    ticket: u64,
    search: u64,
}

impl State {
    /// An empty screen and what must be done to fill it.
    pub fn new(project: PathBuf, home: Option<PathBuf>, keymap: Keymap, clock: Clock) -> (Self, Vec<Effect>) {
        let mut state = Self {
            clock,
            project,
            home,
            facts: None,
            list: List::default(),
            focus: Pane::List,
            beside: Pane::Detail,
            finding: false,
            detail_top: 0,
            marks: shelf::Marks::default(),
            lane: 0,
            check: 0,
            drift: 0,
            body: None,
            overlay: None,
            overlay_top: 0,
            notice: None,
            metrics: Metrics::default(),
            keymap: Arc::new(keymap),
            live: false,
            missed: None,
            kept: None,
            wanted: Vec::new(),
            generation: 1,
            ticket: 0,
            search: 0,
        };
        state.list.scanning = true;
        let effects = vec![Effect::Scan(1), Effect::Facts(1)];
        (state, effects)
    }

    /// Where the keys go.
    pub fn context(&self) -> Context {
        match &self.overlay {
            Some(Overlay::Help) => Context::Help,
            Some(Overlay::Reading(_)) => Context::Reading,
            Some(Overlay::Block { .. }) => Context::Block,
            Some(Overlay::Resume(resume)) => match &resume.step {
                Step::Running(_) if resume.leaving => Context::Leaving,
                Step::Planning | Step::Refused(_) => Context::Planning,
                Step::Asking { .. } => Context::Prompt,
                Step::Running(_) => Context::Running,
                Step::Done(..) => Context::Done,
            },
            Some(Overlay::Save(form)) => form.context(),
            Some(Overlay::Shelf(tidy)) => tidy.context(),
            Some(Overlay::Lookup(_)) => Context::Lookup,
            Some(Overlay::Remote(_)) => Context::Remote,
            Some(Overlay::Versions(_)) => Context::Versions,
            None if self.finding => Context::Find,
            None => match self.focus {
                Pane::List => Context::List,
                Pane::Detail => Context::Detail,
                Pane::Lanes => Context::Lanes,
                Pane::Checks => Context::Checks,
                Pane::Drift => Context::Drift,
            },
        }
    }

    /// Whether a command would do something now: the footer shows no key that does nothing.
    pub fn can(&self, command: Command) -> bool {
        let row = self.list.selected();
        match command {
            Command::Open => match self.context() {
                Context::List => row.is_some(),
                Context::Lanes => self.selected_lane().is_some(),
                Context::Checks => self.selected_check().is_some(),
                Context::Drift => matches!(self.selected_drift(), Some(DriftRow::Claim(_))),
                _ => true,
            },
            Command::Back if self.context() == Context::List => {
                !self.list.input.value().is_empty() || !self.marks.is_empty()
            }
            Command::Mark | Command::MarkRange | Command::MarkAll | Command::Trash => {
                row.is_some() || self.tidy().is_some()
            }
            Command::Archive => row.is_some() && !self.list.put_away,
            Command::PutBack => row.is_some() && self.list.put_away,
            Command::Yes | Command::Evict | Command::Place | Command::Undo if self.tidy().is_some() => {
                self.tidy().is_some_and(|tidy| tidy.can(command))
            }
            Command::Context | Command::Diff => row.is_some(),
            Command::Older | Command::Newer => match &self.overlay {
                Some(Overlay::Versions(versions)) => versions.beyond(command == Command::Older).is_some(),
                _ => false,
            },
            // The nearest one is compared with the present one either way.
            Command::Compare => matches!(&self.overlay, Some(Overlay::Versions(versions)) if versions.at > 0),
            Command::NextPane | Command::PreviousPane => row.is_some(),
            Command::Find => !self.list.rows().is_empty(),
            Command::OtherList => self.list.put_away || self.list.counts().1 > 0,
            Command::Unlisted => !self.list.skipped.is_empty(),
            Command::Preview
            | Command::Carry
            | Command::Recall
            | Command::DropLane
            | Command::NewName
            | Command::Unignore
            | Command::Mirror
            | Command::CopySnapshot => self.form().is_some_and(|form| form.can(command)),
            Command::Editor if self.context() == Context::Form => {
                self.form().is_some_and(|form| form.input().is_some())
            }
            Command::Copy if self.form().is_some() => self.form().is_some_and(|form| form.can(command)),
            Command::Yes if self.form().is_some() => self.form().is_some_and(|form| form.can(command)),
            Command::Lookup => self.selected_lane().is_some(),
            Command::Yes if self.remote().is_some() => {
                self.remote().is_some_and(|remote| matches!(remote.step, remote::Step::Asking { .. }))
            }
            Command::Copy if self.lookup().is_some() => {
                self.lookup().is_some_and(|form| form.to_copy().is_some())
            }
            Command::Copy => matches!(&self.overlay, Some(Overlay::Block { text: Some(_), .. })),
            Command::Editor if self.context() == Context::Block => {
                matches!(&self.overlay, Some(Overlay::Block { text: Some(_), .. }))
            }
            Command::Pager => match self.context() {
                Context::Detail => matches!(&self.body, Some((_, Body::Loaded(_)))),
                _ => matches!(&self.overlay, Some(Overlay::Block { text: Some(_), .. })),
            },
            _ => true,
        }
    }

    /// The panes that the selected row has, in the order of the tab key.
    pub fn panes(&self) -> Vec<Pane> {
        let has_lanes = self.list.selected().is_some_and(|row| !row.listed.handoff.lanes.is_empty());
        let mut panes = vec![Pane::List, Pane::Detail];
        if has_lanes {
            panes.push(Pane::Lanes);
        }
        panes.extend([Pane::Checks, Pane::Drift]);
        panes
    }

    /// The selected row's report.
    pub fn report(&self) -> Option<&Arc<Report>> {
        self.list.selected().and_then(Row::report)
    }

    /// The selected lane's place in its file.
    pub fn selected_lane(&self) -> Option<usize> {
        let lanes = self.list.selected()?.listed.handoff.lanes.len();
        (lanes > 0).then(|| self.lane.min(lanes - 1))
    }

    /// The selected lane's verdict, once there is one.
    pub fn lane_verdict(&self, lane: usize) -> Option<Verdict> {
        self.report()?.lanes.iter().find(|report| report.index == lane).map(|report| report.verdict)
    }

    /// The checks that the checks pane shows: the handoff's own and the selected lane's.
    pub fn checks(&self) -> Vec<&Check> {
        let Some(report) = self.report() else { return Vec::new() };
        let lane = self.selected_lane().and_then(|n| report.lanes.iter().find(|lane| lane.index == n));
        report.checks.iter().chain(lane.into_iter().flat_map(|lane| &lane.checks)).collect()
    }

    /// The selected check.
    pub fn selected_check(&self) -> Option<&Check> {
        let checks = self.checks();
        checks.get(self.check.min(checks.len().saturating_sub(1))).copied()
    }

    /// The lines of the drift pane.
    pub fn drift_rows(&self) -> Vec<DriftRow<'_>> {
        self.report().map(|report| drift_rows(report)).unwrap_or_default()
    }

    /// The selected line of the drift pane.
    pub fn selected_drift(&self) -> Option<DriftRow<'_>> {
        let rows = self.drift_rows();
        rows.get(self.drift.min(rows.len().saturating_sub(1))).copied()
    }

    /// The text of a row, where it is the selected one's and was read.
    pub fn text_of(&self, key: &Key) -> Option<&Text> {
        match &self.body {
            Some((of, Body::Loaded(text))) if of == key => Some(text),
            _ => None,
        }
    }

    /// A started program, while it runs.
    pub fn running(&self) -> Option<&Run> {
        match &self.overlay {
            Some(Overlay::Resume(resume)) => match &resume.step {
                Step::Running(run) => Some(run),
                _ => None,
            },
            _ => None,
        }
    }

    /// How many live rows have each verdict: ready (validated, or with a lane that is), drifted, all.
    pub fn verdict_counts(&self) -> VerdictCounts {
        let mut counts = VerdictCounts::default();
        for row in self.list.visible() {
            counts.all += 1;
            match row.verdict() {
                None => counts.checking += 1,
                Some(Verdict::Validated) => counts.ready += 1,
                Some(Verdict::Drifted) => counts.drifted += 1,
                Some(Verdict::Running) => counts.running += 1,
                // One lane that may be resumed is enough: the others are the reason for the verdict.
                Some(_) => counts.ready += usize::from(row.validated().0 > 0),
            }
        }
        counts
    }

    /// Seconds after which something on the screen reads differently though nothing happens; `None` while
    /// nothing will.
    pub fn next_change(&self) -> Option<u64> {
        if self.running().is_some() {
            return Some(1);
        }
        let ages = self.list.visible().map(|row| age::changes_in(self.clock, &row.listed.saved_at.moment));
        ages.min().map(|seconds| u64::try_from(seconds).unwrap_or(60))
    }
}

/// How many of the seen rows came out how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VerdictCounts {
    /// All.
    pub all: usize,
    /// Not judged yet.
    pub checking: usize,
    /// Validated, or with a lane that is.
    pub ready: usize,
    /// Drifted.
    pub drifted: usize,
    /// Running.
    pub running: usize,
}

/// The word for one, or for any other number.
fn counted([one, many]: [&'static str; 2], count: usize) -> &'static str {
    if count == 1 { one } else { many }
}

/// The lines of a report's drift: first what no longer holds, then what happened, then what cannot be told.
pub fn drift_rows(report: &Report) -> Vec<DriftRow<'_>> {
    let mut rows = Vec::new();
    let gone: Vec<_> = report.claims.iter().filter(|claim| claim.holds == Some(false)).collect();
    let unclear = report.claims.iter().filter(|claim| claim.holds.is_none());
    let (open, unclear): (Vec<_>, Vec<_>) = unclear.partition(|claim| claim.kind == "box");
    let drift = &report.drift;
    let claims = [
        (["claim that no longer holds", "claims that no longer hold"], gone),
        (["claim that cannot be told", "claims that cannot be told"], unclear),
        (["open check box", "open check boxes"], open),
    ];
    for (headings, claims) in claims {
        if !claims.is_empty() {
            rows.push(DriftRow::Heading(counted(headings, claims.len()), claims.len()));
            rows.extend(claims.into_iter().map(DriftRow::Claim));
        }
    }
    let lists = [
        (["worth knowing"; 2], drift.notes.len(), &drift.notes),
        (["commit since", "commits since"], drift.commits.unwrap_or(drift.subjects.len()), &drift.subjects),
        (
            ["file changed since", "files changed since"],
            drift.file_count.unwrap_or(drift.files.len()),
            &drift.files,
        ),
        (["not compared"; 2], drift.not_compared.len(), &drift.not_compared),
    ];
    for (headings, count, texts) in lists {
        if !texts.is_empty() {
            rows.push(DriftRow::Heading(counted(headings, count), count));
            rows.extend(texts.iter().map(DriftRow::Text));
        }
    }
    rows
}
