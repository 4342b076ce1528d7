//! One thing happens to the state; what must be done because of it comes out as effects.

use super::super::action::{Action, Against, Extent};
use super::super::effect::{Effect, ShelfOrder};
use super::super::keymap::{Command, Context};
use super::{Body, DriftRow, Overlay, Pane, Reading, Resume, Run, State, Step, Versions};
use crate::check::{Verdict, lane_name};
use crate::handoff::age::Clock;

/// Takes one thing in. Pure: the same state, clock and action always give the same.
pub fn update(state: &mut State, clock: Clock, action: Action) -> Vec<Effect> {
    state.clock = clock;
    let before = state.list.selected().map(|row| row.key.clone());
    let mut effects = match action {
        action if state.is_blind(&action) => Vec::new(),
        Action::Do(command) => {
            state.notice = None;
            state.command(command)
        }
        Action::Type(request) => state.typed(request),
        Action::Paste(text) => state.pasted(&text),
        Action::Drawn(metrics) => {
            state.metrics = metrics;
            state.list.scroll_to_selection(metrics.list.height);
            state.clamp();
            state.note_what_was_seen();
            Vec::new()
        }
        Action::Answer(answer) => state.answered(answer),
        Action::Wake => Vec::new(),
    };
    let after = state.list.selected().map(|row| row.key.clone());
    if before != after {
        effects.extend(state.selection_changed());
    }
    effects
}

impl State {
    /// Whether a person does something that a window without panes does not show. Leaving, going back and stopping
    /// a program work everywhere.
    fn is_blind(&self, action: &Action) -> bool {
        self.metrics.tiny
            && match action {
                Action::Do(command) => {
                    !matches!(command, Command::Quit | Command::Back | Command::Stop | Command::Suspend)
                }
                Action::Type(_) | Action::Paste(_) => true,
                Action::Drawn(_) | Action::Answer(_) | Action::Wake => false,
            }
    }

    fn command(&mut self, command: Command) -> Vec<Effect> {
        if self.context() == Context::Form
            && let Some(effects) = self.moved_in_form(command)
        {
            return effects;
        }
        match command {
            Command::Up => self.scroll(-1),
            Command::Down => self.scroll(1),
            Command::PageUp => self.page(-1),
            Command::PageDown => self.page(1),
            Command::Top => self.scroll(isize::MIN),
            Command::Bottom => self.scroll(isize::MAX),
            Command::Open => return self.open(),
            Command::Back => return self.back(),
            Command::NextPane if self.context() == Context::Lookup => self.step_in_lookup(1),
            Command::PreviousPane if self.context() == Context::Lookup => self.step_in_lookup(-1),
            Command::NextPane => self.cycle(1),
            Command::PreviousPane => self.cycle(-1),
            Command::Lookup => return self.open_lookup(),
            Command::Remote => return self.open_remote(),
            Command::Find => {
                self.finding = true;
                self.focus = Pane::List;
            }
            Command::Context => return self.open_block(),
            Command::Diff => return self.open_versions(),
            Command::Older => return self.step_version(true),
            Command::Newer => return self.step_version(false),
            Command::Compare => return self.compare_otherwise(),
            Command::Refresh => return self.refresh(),
            Command::OtherList if self.can(Command::OtherList) => {
                self.list.swap();
                self.marks.clear();
                self.focus = Pane::List;
                if self.list.put_away {
                    return vec![Effect::Shelf(0, ShelfOrder::Settle)];
                }
            }
            Command::Unlisted if self.can(Command::Unlisted) => {
                self.lay_over(Overlay::Reading(Reading::Unlisted));
            }
            Command::OtherList => {
                self.notice = Some(("Nothing is archived or in the trash.".to_owned(), true));
            }
            Command::Unlisted if self.list.scanning => {
                self.notice = Some(("Still looking; nothing is left out so far.".to_owned(), true));
            }
            Command::Unlisted => {
                self.notice = Some(("Nothing was left out: all found are listed.".to_owned(), true));
            }
            Command::Help => self.lay_over(Overlay::Help),
            Command::Quit => return self.quit(),
            Command::Suspend => return vec![Effect::Suspend],
            Command::Copy => {
                let command = self.form().and_then(|form| form.command_to_copy()).map(str::to_owned);
                let command = command.or_else(|| self.lookup()?.to_copy());
                return command.or_else(|| self.block_text()).map(Effect::Copy).into_iter().collect();
            }
            Command::CopySnapshot => {
                let command = self.form().and_then(|form| form.snapshot_command());
                return command.map(|command| Effect::Copy(command.to_owned())).into_iter().collect();
            }
            Command::Pager => match self.page_text() {
                Some(text) => return vec![Effect::Page(text)],
                None => {
                    let is_lost = matches!(&self.body, Some((_, Body::Failed(_))));
                    let why =
                        if is_lost { "Its text cannot be read." } else { "Its text is still being read." };
                    self.notice = Some((why.to_owned(), true));
                }
            },
            Command::Save => return self.open_form(),
            Command::Preview
            | Command::Carry
            | Command::Recall
            | Command::DropLane
            | Command::NewName
            | Command::Unignore
            | Command::Mirror
            | Command::Reload => {
                return self.form_command(command);
            }
            Command::Editor if self.context() == Context::Block => {
                return self.block_text().map(Effect::View).into_iter().collect();
            }
            Command::Editor => {
                if let Some(form) = self.form() {
                    return form
                        .input()
                        .map(|input| Effect::Edit(input.value().to_owned()))
                        .into_iter()
                        .collect();
                }
                return self.prompt().map(|text| Effect::Edit(text.to_owned())).into_iter().collect();
            }
            Command::Mark
            | Command::MarkRange
            | Command::MarkAll
            | Command::Archive
            | Command::Trash
            | Command::PutBack
            | Command::CleanUp
            | Command::Undo
            | Command::Evict
            | Command::Place => return self.shelf_command(command),
            Command::Stop | Command::Yes if self.tidy().is_some() => {
                return if command == Command::Stop { self.stop_moving() } else { self.move_files(false) };
            }
            Command::Resume => return self.resume(),
            Command::Stop => return self.stop(),
            Command::Yes if self.form().is_some() => return self.form_command(command),
            Command::Yes if self.context() == Context::Remote => return self.ask_remote(),
            Command::Yes => {
                if let Some(Overlay::Resume(resume)) = &mut self.overlay {
                    resume.leaving = true;
                }
                return self.stop();
            }
        }
        Vec::new()
    }

    /// Moves what the keys go to by so many rows or lines, saturating.
    fn scroll(&mut self, by: isize) {
        let metrics = self.metrics;
        let moved = |now: usize, extent: Extent| {
            let last = extent.lines.saturating_sub(extent.height.max(1));
            now.min(last).saturating_add_signed(by).min(last)
        };
        let stepped = |now: usize, count: usize| {
            let last = count.saturating_sub(1);
            now.min(last).saturating_add_signed(by).min(last)
        };
        if self.overlay.is_some() {
            self.overlay_top = moved(self.overlay_top, metrics.overlay);
            return;
        }
        match self.focus {
            Pane::List => {
                self.list.step(by);
                self.list.scroll_to_selection(metrics.list.height);
            }
            Pane::Detail => self.detail_top = moved(self.detail_top, metrics.detail),
            Pane::Lanes => {
                let lanes = self.list.selected().map_or(0, |row| row.listed.handoff.lanes.len());
                self.lane = stepped(self.lane, lanes);
                self.check = 0;
            }
            Pane::Checks => self.check = stepped(self.check, self.checks().len()),
            Pane::Drift => self.drift = stepped(self.drift, self.drift_rows().len()),
        }
    }

    pub(super) fn page(&mut self, sign: isize) {
        let extent = match (&self.overlay, self.focus) {
            (Some(_), _) => self.metrics.overlay,
            (_, Pane::List) => self.metrics.list,
            (_, Pane::Detail) => self.metrics.detail,
            (_, Pane::Lanes) => self.metrics.lanes,
            (_, Pane::Checks) => self.metrics.checks,
            (_, Pane::Drift) => self.metrics.drift,
        };
        let page = isize::try_from(extent.height.saturating_sub(1).max(1)).unwrap_or(1);
        self.scroll(page * sign);
    }

    /// After a resize: nothing is scrolled past its end.
    fn clamp(&mut self) {
        let last = |extent: Extent| extent.lines.saturating_sub(extent.height.max(1));
        self.detail_top = self.detail_top.min(last(self.metrics.detail));
        if self.overlay.is_some() && self.running().is_none() {
            self.overlay_top = self.overlay_top.min(last(self.metrics.overlay));
        }
    }

    /// A plan counts as read once its last line was on the screen.
    fn note_what_was_seen(&mut self) {
        let extent = self.metrics.overlay;
        let all = extent.height > 0 && self.overlay_top + extent.height >= extent.lines;
        if let Some(Overlay::Resume(resume)) = &mut self.overlay
            && let Step::Asking { seen, .. } = &mut resume.step
        {
            *seen |= all;
        }
        if let Some(Overlay::Remote(remote)) = &mut self.overlay
            && let super::remote::Step::Asking { seen, .. } = &mut remote.step
        {
            *seen |= all;
        }
    }

    fn cycle(&mut self, sign: isize) {
        let panes = self.panes();
        if self.list.selected().is_none() {
            return;
        }
        let count = isize::try_from(panes.len()).unwrap_or(1);
        let now = panes.iter().position(|&pane| pane == self.focus).unwrap_or(0);
        let next = (isize::try_from(now).unwrap_or(0) + sign).rem_euclid(count);
        self.focus_on(panes[usize::try_from(next).unwrap_or(0)]);
    }

    fn focus_on(&mut self, pane: Pane) {
        self.focus = pane;
        if pane != Pane::List {
            self.beside = pane;
        }
    }

    pub(super) fn lay_over(&mut self, overlay: Overlay) {
        self.overlay = Some(overlay);
        self.overlay_top = 0;
    }

    fn open(&mut self) -> Vec<Effect> {
        match self.context() {
            Context::Find => {
                self.finding = false;
                Vec::new()
            }
            Context::List if self.list.selected().is_some() => {
                let lanes = self.selected_lane().is_some();
                self.focus_on(if lanes { Pane::Lanes } else { Pane::Detail });
                Vec::new()
            }
            Context::Lanes => self.open_lane(),
            Context::Placing => self.go_to_place(),
            Context::Lookup => self.look_up(),
            Context::Checks => {
                self.open_check();
                Vec::new()
            }
            Context::Drift => {
                self.open_claim();
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn open_lane(&mut self) -> Vec<Effect> {
        let Some((row, lane)) = self.list.selected().zip(self.selected_lane()) else { return Vec::new() };
        let listed = row.listed.clone();
        let name = lane_name(&listed.handoff, lane);
        match self.lane_verdict(lane) {
            Some(Verdict::Validated) => {
                self.ticket += 1;
                let ticket = self.ticket;
                self.lay_over(Overlay::Resume(Box::new(Resume {
                    ticket,
                    lane: name,
                    step: Step::Planning,
                    leaving: false,
                })));
                vec![Effect::Plan { ticket, row: listed, lane }]
            }
            verdict => {
                let reasons =
                    match self.report().and_then(|report| report.lanes.iter().find(|l| l.index == lane)) {
                        Some(report) => report.reasons.iter().map(super::super::text::line_of).collect(),
                        None => vec!["It is still being checked.".to_owned()],
                    };
                let lane = format!("{name}: {}", super::super::theme::verdict_word(verdict));
                self.lay_over(Overlay::Reading(Reading::WhyNot { lane, reasons }));
                Vec::new()
            }
        }
    }

    fn open_check(&mut self) {
        let Some((row, check)) = self.list.selected().zip(self.selected_check()) else { return };
        let show = |text: &Option<crate::handoff::Inert>| text.as_ref().map(super::super::text::line_of);
        let fields = [
            ("expected", show(&check.expected)),
            ("observed", show(&check.observed)),
            ("read from", show(&check.source)),
            ("reason", show(&check.reason)),
        ];
        let mut about = vec![("check", check.id.as_str().to_owned())];
        about.extend(fields.into_iter().filter_map(|(name, value)| Some((name, value?))));
        let (key, line) = (row.key.clone(), check.line.unwrap_or(0));
        self.lay_over(Overlay::Reading(Reading::Source { key, line, about }));
    }

    fn open_claim(&mut self) {
        let Some((row, DriftRow::Claim(claim))) = self.list.selected().zip(self.selected_drift()) else {
            return;
        };
        let about = vec![
            (claim.kind, super::super::text::line_of(&claim.text)),
            ("now", super::super::text::line_of(&claim.state)),
        ];
        let (key, line) = (row.key.clone(), claim.line);
        self.lay_over(Overlay::Reading(Reading::Source { key, line, about }));
    }

    fn open_block(&mut self) -> Vec<Effect> {
        let Some(row) = self.list.selected() else { return Vec::new() };
        let (key, listed) = (row.key.clone(), row.listed.clone());
        self.lay_over(Overlay::Block { key, text: None });
        vec![Effect::Block(listed)]
    }

    fn open_versions(&mut self) -> Vec<Effect> {
        let Some(row) = self.list.selected() else { return Vec::new() };
        let listed = row.listed.clone();
        let rows = self.list.rows().iter().map(|row| row.listed.clone()).collect();
        self.lay_over(Overlay::Versions(Versions::of(listed.clone())));
        vec![Effect::Versions(listed, rows)]
    }

    fn step_version(&mut self, is_older: bool) -> Vec<Effect> {
        if let Some(Overlay::Versions(versions)) = &mut self.overlay
            && let Some(next) = versions.beyond(is_older)
        {
            versions.at = next;
            return self.read_version();
        }
        Vec::new()
    }

    /// Compares the version that is looked at with the one after it instead of the present one, or the other way.
    fn compare_otherwise(&mut self) -> Vec<Effect> {
        if let Some(Overlay::Versions(versions)) = &mut self.overlay {
            versions.against = match versions.against {
                Against::Next => Against::Now,
                Against::Now => Against::Next,
            };
        }
        self.read_version()
    }

    fn read_version(&mut self) -> Vec<Effect> {
        self.overlay_top = 0;
        let Some(Overlay::Versions(versions)) = &mut self.overlay else { return Vec::new() };
        versions.wanted().map(|wanted| Effect::Earlier(Box::new(wanted))).into_iter().collect()
    }

    /// One step back: an overlay, the filter's input, a pane, the filter. Never out.
    fn back(&mut self) -> Vec<Effect> {
        match self.context() {
            Context::Leaving => {
                if let Some(Overlay::Resume(resume)) = &mut self.overlay {
                    resume.leaving = false;
                }
            }
            Context::Running | Context::Moving => {}
            Context::Tidying | Context::Placing | Context::Tidied => return self.back_from_shelf(),
            Context::Planning if self.tidy().is_some() => return self.back_from_shelf(),
            Context::Planning | Context::Prompt => {
                let ticket = self.resume_ticket();
                self.overlay = None;
                let mut effects: Vec<_> = ticket.map(Effect::Drop).into_iter().collect();
                if let Some(missed) = self.missed.take() {
                    effects.extend(self.moved(missed));
                }
                return effects;
            }
            Context::Done => {
                self.overlay = None;
                return self.refresh();
            }
            Context::Form | Context::Asking | Context::Preview | Context::Clash | Context::Saved => {
                return self.back_in_form();
            }
            Context::Help | Context::Reading | Context::Block | Context::Versions | Context::Lookup => {
                self.overlay = None
            }
            Context::Remote => return self.close_remote(),
            Context::Find => {
                self.finding = false;
                self.clear_filter();
            }
            Context::Detail | Context::Lanes | Context::Checks | Context::Drift => self.focus = Pane::List,
            Context::List if !self.marks.is_empty() => self.marks.clear(),
            Context::List => self.clear_filter(),
        }
        Vec::new()
    }

    fn clear_filter(&mut self) {
        if !self.list.input.value().is_empty() {
            self.list.input.reset();
            self.search += 1;
            self.list.filter_changed();
        }
    }

    pub(super) fn refresh(&mut self) -> Vec<Effect> {
        self.missed = None;
        self.generation += 1;
        self.list.scanning = true;
        self.list.forget_judgements();
        vec![Effect::Scan(self.generation), Effect::Facts(self.generation)]
    }

    fn quit(&mut self) -> Vec<Effect> {
        if self.running().is_none() {
            return vec![Effect::Quit];
        }
        match &mut self.overlay {
            Some(Overlay::Resume(resume)) if !resume.leaving => resume.leaving = true,
            _ => {}
        }
        Vec::new()
    }

    fn block_text(&self) -> Option<String> {
        match &self.overlay {
            Some(Overlay::Block { text, .. }) => text.clone(),
            _ => None,
        }
    }

    /// What the pager gets: the block, or the selected row's text made visible.
    fn page_text(&self) -> Option<String> {
        self.block_text().or_else(|| match &self.body {
            Some((_, Body::Loaded(text))) => Some(crate::handoff::inert::shown(&text.body)),
            _ => None,
        })
    }

    fn resume_ticket(&self) -> Option<u64> {
        match &self.overlay {
            Some(Overlay::Resume(resume)) => Some(resume.ticket),
            _ => None,
        }
    }

    /// The yes. It needs everything that would be started to have been on the screen: until then it only reads
    /// on. An empty prompt is none, where the program reads its prompt from us.
    fn resume(&mut self) -> Vec<Effect> {
        let now = self.clock.unix;
        let Some(Overlay::Resume(resume)) = &mut self.overlay else { return Vec::new() };
        let Step::Asking { proposal, prompt, empty, seen } = &mut resume.step else { return Vec::new() };
        if !*seen {
            self.page(1);
            return Vec::new();
        }
        if prompt.value().trim().is_empty() && !proposal.wants_terminal {
            *empty = true;
            return Vec::new();
        }
        let (text, proposal) = (prompt.value().to_owned(), proposal.clone());
        let wants_terminal = proposal.wants_terminal;
        let output = super::Output::default();
        resume.step =
            Step::Running(Run { proposal, started: false, stops: 0, since: now, last_output: now, output });
        self.overlay_top = 0;
        let start = if wants_terminal { Effect::StartInTerminal } else { Effect::Start };
        vec![start(resume.ticket, text)]
    }

    fn stop(&mut self) -> Vec<Effect> {
        let Some(Overlay::Resume(resume)) = &mut self.overlay else { return Vec::new() };
        let Step::Running(run) = &mut resume.step else { return Vec::new() };
        run.stops += 1;
        let mut effects = vec![Effect::Stop(resume.ticket)];
        // Asked twice and told once more: a person who wants to leave is not held by a program that does not end.
        if resume.leaving && run.stops > 2 {
            effects.push(Effect::Quit);
        }
        effects
    }
}
