//! What the keys do to an action of the shelf.

use std::path::PathBuf;
use std::sync::Arc;

use tui_input::{Input, InputRequest};

use super::super::super::action::shelf::Wish;
use super::super::super::effect::{Effect, ShelfOrder};
use super::super::super::keymap::Command;
use super::super::{Overlay, State};
use super::{Step, Tidy};
use crate::place::{Listed, State as Putting};
use crate::shelf::plan::with_parts;

impl State {
    /// The rows that are meant: the marked ones that are seen in this list, else the selected one.
    fn meant(&self) -> Vec<Arc<Listed>> {
        let here = |row: &&super::super::Row| (row.listed.state != Putting::Live) == self.list.put_away;
        let marked = self.list.rows().iter().filter(here).filter(|row| self.marks.has(&row.key));
        let marked: Vec<_> = marked.map(|row| row.listed.clone()).collect();
        let meant = match marked.is_empty() {
            true => self.list.selected().map(|row| row.listed.clone()).into_iter().collect(),
            false => marked,
        };
        let all: Vec<_> = self.list.rows().iter().map(|row| row.listed.clone()).collect();
        with_parts(meant, &all)
    }

    /// A command about marks or the shelf.
    pub(in crate::tui::app) fn shelf_command(&mut self, command: Command) -> Vec<Effect> {
        match command {
            Command::Mark => self.marks.toggle(&mut self.list),
            Command::MarkRange => self.marks.range(&self.list),
            Command::MarkAll => self.marks.all(&self.list),
            Command::Archive if self.list.put_away => {
                self.notice = Some(("These are put away already; put them back first.".to_owned(), false));
            }
            Command::Archive => return self.wish(Wish::Archive(self.meant())),
            Command::Trash => return self.wish(Wish::Trash(self.meant())),
            Command::PutBack if self.list.put_away => return self.wish(Wish::PutBack(self.meant(), None)),
            Command::PutBack => {
                self.notice = Some(("What is put away is in the other list.".to_owned(), false));
            }
            Command::CleanUp => {
                let rows = self.list.rows().iter().map(|row| row.listed.clone()).collect();
                return self.wish(Wish::CleanUp(rows));
            }
            Command::Undo => {
                let own = self.tidy().and_then(|tidy| match &tidy.step {
                    Step::Done(_, done) => done.action.clone(),
                    _ => None,
                });
                return self.wish(Wish::Undo(own));
            }
            Command::Evict => return self.move_files(true),
            Command::Place => self.ask_for_place(),
            _ => {}
        }
        Vec::new()
    }

    /// Opens the overlay and has the plan made.
    fn wish(&mut self, wish: Wish) -> Vec<Effect> {
        let is_nothing = match &wish {
            Wish::Archive(rows) | Wish::Trash(rows) | Wish::PutBack(rows, _) => rows.is_empty(),
            Wish::CleanUp(_) | Wish::Undo(_) => false,
        };
        if is_nothing {
            return Vec::new();
        }
        self.ticket += 1;
        let ticket = self.ticket;
        self.lay_over(Overlay::Shelf(Box::new(Tidy { ticket, wish: wish.clone(), step: Step::Planning })));
        vec![Effect::Shelf(ticket, ShelfOrder::Plan(wish))]
    }

    /// The yes.
    pub(in crate::tui::app) fn move_files(&mut self, evict: bool) -> Vec<Effect> {
        let Some(tidy) = self.tidy_mut() else { return Vec::new() };
        let Step::Asking(plan) = &tidy.step else { return Vec::new() };
        let Some(first) = plan.moves.first() else { return Vec::new() };
        if evict && plan.evict.is_empty() {
            return Vec::new();
        }
        tidy.step = Step::Moving(plan.clone(), 0, first.from.path.clone());
        let ticket = tidy.ticket;
        self.overlay_top = 0;
        vec![Effect::Shelf(ticket, ShelfOrder::Act { evict })]
    }

    /// Stops after the file that is being moved.
    pub(in crate::tui::app) fn stop_moving(&mut self) -> Vec<Effect> {
        self.tidy().map(|tidy| Effect::Shelf(tidy.ticket, ShelfOrder::Stop)).into_iter().collect()
    }

    fn ask_for_place(&mut self) {
        let Some(tidy) = self.tidy_mut().filter(|tidy| tidy.can(Command::Place)) else { return };
        if let Step::Asking(plan) = &tidy.step {
            let now = plan.moves.first().and_then(|way| way.to.path.to_str()).unwrap_or_default();
            tidy.step = Step::Placing(plan.clone(), Input::new(now.to_owned()));
        }
    }

    /// The typed place is taken: the plan is made anew with it.
    pub(in crate::tui::app) fn go_to_place(&mut self) -> Vec<Effect> {
        let Some(tidy) = self.tidy() else { return Vec::new() };
        let (Step::Placing(_, input), Wish::PutBack(rows, _)) = (&tidy.step, &tidy.wish) else {
            return Vec::new();
        };
        let place = input.value().trim();
        let wish = Wish::PutBack(rows.clone(), (!place.is_empty()).then(|| PathBuf::from(place)));
        self.wish(wish)
    }

    /// Typing into the place's input.
    pub(in crate::tui::app) fn place_mut(&mut self) -> Option<&mut Input> {
        match &mut self.tidy_mut()?.step {
            Step::Placing(_, input) => Some(input),
            _ => None,
        }
    }

    pub(in crate::tui::app) fn typed_place(&mut self, request: InputRequest) {
        if let Some(input) = self.place_mut() {
            input.handle(request);
        }
    }

    /// One step back from the overlay.
    pub(in crate::tui::app) fn back_from_shelf(&mut self) -> Vec<Effect> {
        let Some(tidy) = self.tidy_mut() else { return Vec::new() };
        if let Step::Placing(plan, _) = &tidy.step {
            tidy.step = Step::Asking(plan.clone());
            return Vec::new();
        }
        let ticket = tidy.ticket;
        self.overlay = None;
        vec![Effect::Shelf(ticket, ShelfOrder::End)]
    }
}
