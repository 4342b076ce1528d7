//! Keys, typing and pasting in the form.

use tui_input::{Input, InputRequest};

use super::super::super::action::save::{Offer, Words};
use super::super::super::effect::{Effect, SaveOrder};
use super::super::super::filter::family_word;
use super::super::super::keymap::{Command, Context};
use super::super::typing::{LONGEST_INPUT, clean_paste, cut_words, insert};
use super::super::{Overlay, State};
use super::{Form, Part, Sessions, Spot, Step, words};
use crate::handoff::Family;
use crate::place::{Scope, State as Putting};

impl State {
    /// The save form, when it lies over the panes.
    pub fn form(&self) -> Option<&Form> {
        match &self.overlay {
            Some(Overlay::Save(form)) => Some(form),
            _ => None,
        }
    }

    pub(in crate::tui::app) fn form_mut(&mut self) -> Option<&mut Form> {
        match &mut self.overlay {
            Some(Overlay::Save(form)) => Some(form),
            _ => None,
        }
    }

    /// What a person said in a form that lies over the panes or was closed, and was not saved.
    pub fn unsaved_words(&self) -> Option<Words> {
        let open = self.form().filter(|form| !matches!(form.step, Step::Saved(_)));
        open.or(self.kept.as_deref()).filter(|form| form.has_words()).map(Form::words)
    }

    /// Opens the form: the one that was closed with words in it, else an empty one in the selected row's format.
    pub(in crate::tui::app) fn open_form(&mut self) -> Vec<Effect> {
        self.ticket += 1;
        let ticket = self.ticket;
        let row = self.list.selected().map(|row| row.listed.clone());
        let beside = row.filter(|row| row.state == Putting::Live && !row.is_part());
        let is_kit = beside
            .as_ref()
            .is_some_and(|row| row.handoff.family == Family::Thunderkit && row.root == self.project);
        let kept = self.kept.take();
        let is_new = kept.is_none();
        let mut form = kept.unwrap_or_else(|| {
            let format = if is_kit { Family::Thunderkit } else { Family::Theonekit };
            Box::new(Form::new(ticket, format, beside))
        });
        form.ticket = ticket;
        form.step = Step::Filling;
        // What was asked of a form that is closed is never answered.
        form.sessions.retain(|_, sessions| *sessions != Sessions::Listing);
        let mut effects = form.changed();
        if is_new {
            effects.push(Effect::Save(ticket, SaveOrder::Recall));
        }
        self.lay_over(Overlay::Save(form));
        effects
    }

    /// A command that moves the cursor in the form; `None` for any other.
    pub(in crate::tui::app) fn moved_in_form(&mut self, command: Command) -> Option<Vec<Effect>> {
        let form = self.form_mut()?;
        match command {
            Command::Up => form.up(),
            Command::Down => form.down(),
            Command::NextPane => form.step_focus(1),
            Command::PreviousPane => form.step_focus(-1),
            Command::PageUp => form.step_focus(-8),
            Command::PageDown => form.step_focus(8),
            Command::Open => return Some(self.enter_in_form()),
            _ => return None,
        }
        Some(Vec::new())
    }

    /// Enter: a new line, the next choice, a question, or the next field.
    fn enter_in_form(&mut self) -> Vec<Effect> {
        let Some(form) = self.form_mut() else { return Vec::new() };
        match form.focus.clone() {
            Spot::Word(word) if !word.is_one_line() => {
                return self.typed_in_form(InputRequest::InsertChar('\n'));
            }
            Spot::Lane(id, Part::Session) if !form.sessions.contains_key(&id) => {
                form.step = Step::AskingForSessions(id);
            }
            _ if form.choose(1) => return form.changed(),
            _ => form.step_focus(1),
        }
        Vec::new()
    }

    pub(in crate::tui::app) fn form_command(&mut self, command: Command) -> Vec<Effect> {
        let before = self.form().map(|form| std::mem::discriminant(&form.step));
        let Some(form) = self.form_mut() else { return Vec::new() };
        let mut notice = None;
        let effects = match command {
            Command::Preview => match form.why_no_preview() {
                Some((spot, why)) => {
                    form.focus = spot;
                    notice = Some((why, false));
                    Vec::new()
                }
                None => form.preview(),
            },
            Command::Carry => {
                let (said, effects) = form.carry();
                notice = Some(said);
                effects
            }
            Command::Recall => match form.recall() {
                Some((said, effects)) => {
                    notice = Some(said);
                    effects
                }
                None => Vec::new(),
            },
            Command::DropLane => match form.focus.clone() {
                Spot::Lane(id, _) if form.drop_or_keep(&id) => form.changed(),
                _ => Vec::new(),
            },
            Command::Yes => form.yes(),
            Command::Reload => form.preview(),
            Command::NewName => form.under_a_new_name(),
            Command::Unignore if form.can(command) => vec![form.take(Offer::ShowToGit)],
            Command::Mirror if form.can(command) => vec![form.take(Offer::Mirror)],
            _ => Vec::new(),
        };
        if before != self.form().map(|form| std::mem::discriminant(&form.step)) {
            self.overlay_top = 0;
        }
        self.notice = notice.or(self.notice.take());
        effects
    }

    /// One step back: to the form, then out of it. Words are kept for the next time.
    pub(in crate::tui::app) fn back_in_form(&mut self) -> Vec<Effect> {
        let Some(form) = self.form_mut() else { return Vec::new() };
        match form.step {
            // What is being written is written in a moment; leaving now would hide what became of it.
            Step::Writing => Vec::new(),
            Step::AskingForSessions(_) | Step::Previewing | Step::Preview(_) | Step::Clash(_) => {
                form.step = Step::Filling;
                Vec::new()
            }
            Step::Filling | Step::Saved(_) => {
                let is_saved = matches!(form.step, Step::Saved(_));
                let effects = vec![Effect::Save(form.ticket, SaveOrder::End)];
                if let Some(Overlay::Save(form)) = self.overlay.take()
                    && !is_saved
                    && form.has_words()
                {
                    self.kept = Some(form);
                    let key = self.keymap.key_of(Context::List, Command::Save).unwrap_or_default();
                    self.notice =
                        Some((format!("Nothing was written; {key} goes on with your words."), true));
                }
                effects
            }
        }
    }

    pub(in crate::tui::app) fn typed_in_form(&mut self, request: InputRequest) -> Vec<Effect> {
        let Some(form) = self.form_mut() else { return Vec::new() };
        let Some(input) = form.input_mut() else {
            let has_chosen = match request {
                InputRequest::GoToPrevChar => form.choose(-1),
                InputRequest::GoToNextChar => form.choose(1),
                _ => false,
            };
            return if has_chosen { form.changed() } else { Vec::new() };
        };
        if matches!(request, InputRequest::InsertChar(_)) && input.value().len() >= LONGEST_INPUT {
            return Vec::new();
        }
        let before = input.value().to_owned();
        input.handle(request);
        if input.value() == before { Vec::new() } else { form.typed() }
    }

    /// A paste is text in a field and nothing anywhere else.
    pub(in crate::tui::app) fn pasted_in_form(&mut self, text: &str) -> Vec<Effect> {
        let Some(form) = self.form_mut() else { return Vec::new() };
        let is_list = form.focused_field().is_some_and(|field| !field.word.is_one_line());
        let Some(input) = form.input_mut() else { return Vec::new() };
        let room = LONGEST_INPUT.saturating_sub(input.value().len());
        let (clean, cut) = clean_paste(text, room, is_list);
        insert(input, &clean);
        let effects = form.typed();
        if cut {
            self.notice = Some((cut_words(LONGEST_INPUT), false));
        }
        effects
    }

    /// What the editor gave becomes the field's text.
    pub(in crate::tui::app) fn edited_in_form(&mut self, text: &str) -> Vec<Effect> {
        let Some(form) = self.form_mut() else { return Vec::new() };
        let is_list = form.focused_field().is_some_and(|field| !field.word.is_one_line());
        let Some(input) = form.input_mut() else { return Vec::new() };
        let (clean, cut) = clean_paste(text.trim_end(), LONGEST_INPUT, is_list);
        *input = Input::new(clean);
        let effects = form.typed();
        if cut {
            self.notice = Some((cut_words(LONGEST_INPUT), false));
        }
        effects
    }
}

impl Form {
    /// Where the keys go.
    pub fn context(&self) -> Context {
        match self.step {
            Step::Filling => Context::Form,
            Step::AskingForSessions(_) => Context::Asking,
            Step::Previewing | Step::Preview(_) | Step::Writing => Context::Preview,
            Step::Clash(_) => Context::Clash,
            Step::Saved(_) => Context::Saved,
        }
    }

    /// Whether a command of the form would do something now.
    pub fn can(&self, command: Command) -> bool {
        match command {
            Command::Yes => match &self.step {
                Step::Preview(preview) => preview.by_hand.is_none(),
                Step::AskingForSessions(_) => true,
                _ => false,
            },
            Command::Carry => self.previous().is_some(),
            Command::Recall => self.left.is_some(),
            Command::DropLane => match &self.focus {
                Spot::Lane(id, _) => self.dropped.contains(id) || self.can_drop(id),
                _ => false,
            },
            Command::Unignore => self.offers(Offer::ShowToGit),
            Command::Mirror => self.offers(Offer::Mirror),
            Command::Copy => self.command_to_copy().is_some(),
            Command::CopySnapshot => self.snapshot_command().is_some(),
            // thunderkit's handoff has one place and one name.
            Command::NewName => self.format == Family::Theonekit,
            _ => true,
        }
    }

    fn input_mut(&mut self) -> Option<&mut Input> {
        match self.focus {
            Spot::Name => Some(&mut self.name),
            Spot::Transcript => Some(&mut self.transcript),
            Spot::Word(word) => {
                self.fields.iter_mut().find(|field| field.word == word).map(|field| &mut field.input)
            }
            _ => None,
        }
    }

    /// The focused input's text has changed.
    fn typed(&mut self) -> Vec<Effect> {
        if let Spot::Word(word) = self.focus
            && let Some(field) = self.fields.iter_mut().find(|field| field.word == word)
        {
            field.changed();
        }
        self.changed()
    }

    /// One line up in a list, or to the field above.
    fn up(&mut self) {
        if !self.step_line(-1) {
            self.step_focus(-1);
        }
    }

    fn down(&mut self) {
        if !self.step_line(1) {
            self.step_focus(1);
        }
    }

    /// Moves the cursor by a line in a text of several; `false` at its end.
    fn step_line(&mut self, by: isize) -> bool {
        let Some(input) = self.input_mut() else { return false };
        let lines: Vec<usize> = input.value().split('\n').map(|line| line.chars().count()).collect();
        let (mut at, mut column) = (0, input.cursor());
        while at + 1 < lines.len() && column > lines[at] {
            column -= lines[at] + 1;
            at += 1;
        }
        let Some(next) = at.checked_add_signed(by).filter(|next| *next < lines.len()) else { return false };
        let before: usize = lines[..next].iter().map(|len| len + 1).sum();
        input.handle(InputRequest::SetCursor(before + column.min(lines[next])));
        true
    }

    /// Moves to another line of the form.
    fn step_focus(&mut self, by: isize) {
        let spots = self.spots();
        let now = spots.iter().position(|spot| *spot == self.focus).unwrap_or(0);
        let next = now.saturating_add_signed(by).min(spots.len().saturating_sub(1));
        if let Some(spot) = spots.into_iter().nth(next) {
            self.focus = spot;
        }
    }

    /// What must be done before a preview is worth making, and where.
    fn why_no_preview(&self) -> Option<(Spot, String)> {
        let blank = |spot: &Spot| match spot {
            Spot::Word(word) => {
                word.is_needed(self.format) && self.field(*word).is_some_and(words::Field::is_blank)
            }
            _ => false,
        };
        if let Some(field) = self.fields.iter().find(|field| !field.secrets.is_empty()) {
            let label = field.word.label(self.format);
            return Some((Spot::Word(field.word), format!("Take the secret out of {label} first.")));
        }
        let homeless = self.homeless();
        if let Some((spot, _)) = homeless.first() {
            let names: Vec<_> = homeless.iter().map(|(_, name)| *name).collect();
            let why = format!(
                "{}'s format has no place for {}: say it in other words, or choose another format.",
                family_word(self.format),
                names.join(", ")
            );
            return Some((spot.clone(), why));
        }
        if self.is_tied() {
            let why = "Several plans were modified last: say which one is meant, with left and right.";
            return Some((Spot::Place, why.into()));
        }
        let spot = self.spots().into_iter().find(blank)?;
        let Spot::Word(word) = spot else { return None };
        Some((spot, format!("This format needs the {}.", word.label(self.format))))
    }

    fn preview(&mut self) -> Vec<Effect> {
        let _ = self.changed();
        self.step = Step::Previewing;
        vec![Effect::Save(self.ticket, SaveOrder::Preview(self.asked()))]
    }

    fn offers(&self, offer: Offer) -> bool {
        matches!(&self.step, Step::Saved(saved) if saved.offers(offer))
    }

    fn take(&self, offer: Offer) -> Effect {
        Effect::Save(self.ticket, SaveOrder::Take(offer))
    }

    /// The command that is shown for a person's own shell.
    pub fn command_to_copy(&self) -> Option<&str> {
        match &self.step {
            Step::Preview(preview) => preview.runs.as_deref(),
            Step::Saved(saved) => saved.stage.as_deref(),
            _ => None,
        }
    }

    /// The command that keeps a snapshot of what was saved.
    pub fn snapshot_command(&self) -> Option<&str> {
        match &self.step {
            Step::Saved(saved) => saved.snapshot.as_deref(),
            _ => None,
        }
    }

    /// The yes to what is asked.
    fn yes(&mut self) -> Vec<Effect> {
        match &self.step {
            Step::Preview(preview) if preview.by_hand.is_none() => {
                self.step = Step::Writing;
                vec![Effect::Save(self.ticket, SaveOrder::Write)]
            }
            Step::AskingForSessions(id) => {
                let id = id.clone();
                self.step = Step::Filling;
                let worktree = self.lane(&id).and_then(|lane| lane.worktree.clone());
                let Some(worktree) = worktree else { return Vec::new() };
                self.sessions.insert(id.clone(), Sessions::Listing);
                vec![Effect::Save(self.ticket, SaveOrder::Sessions(id, worktree.as_str().into()))]
            }
            _ => Vec::new(),
        }
    }

    /// The same words as a handoff of their own: a plan has one handoff, so beside it in the project.
    fn under_a_new_name(&mut self) -> Vec<Effect> {
        if self.format != Family::Theonekit {
            return Vec::new();
        }
        if self.scope() == Some(Scope::Plan) {
            self.place.scope = Some(Scope::Project);
        }
        self.preview()
    }
}
