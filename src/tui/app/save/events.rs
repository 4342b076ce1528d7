//! What workers found out about a save; what is late is dropped here.

use std::sync::Arc;

use super::super::super::action::save::{SaveAnswer, Unwritten, Words};
use super::super::super::effect::{Effect, SaveOrder};
use super::super::State;
use super::{Form, Sessions, Spot, Step};
use crate::handoff::Family;

impl State {
    pub(in crate::tui::app) fn save_answered(&mut self, ticket: u64, answer: SaveAnswer) -> Vec<Effect> {
        let Some(form) = self.form_mut().filter(|form| form.ticket == ticket) else { return Vec::new() };
        if let SaveAnswer::NotKept(why) = answer {
            self.notice = Some((format!("What you type is not kept until it is saved: {why}"), false));
            return Vec::new();
        }
        let before = std::mem::discriminant(&form.step);
        form.answered(answer);
        let has_moved = before != std::mem::discriminant(&form.step);
        let saved = match &form.step {
            Step::Saved(saved) if has_moved => Some(saved.path.clone()),
            _ => None,
        };
        let target =
            form.sketch.as_ref().and_then(|sketch| sketch.target.as_ref().ok()).map(|t| t.path.clone());
        if has_moved {
            self.overlay_top = 0;
        }
        match saved {
            // The new row appears behind the sentence, and is the selected one.
            Some(path) => {
                self.wanted = target.into_iter().chain([path]).collect();
                let nothing = Words { family: Family::Theonekit, text: None, is_less: false };
                let mut effects = vec![Effect::Save(ticket, SaveOrder::Keep(nothing))];
                effects.extend(self.refresh());
                effects
            }
            None => Vec::new(),
        }
    }
}

impl Form {
    fn answered(&mut self, answer: SaveAnswer) {
        match answer {
            SaveAnswer::Sketched(sketch) => {
                // An older sketch is better than none; a newer one never gives way to it.
                let has_newer = self.sketch.as_ref().is_some_and(|own| own.revision > sketch.revision);
                if !has_newer {
                    self.sketch = Some(Arc::new(*sketch));
                    self.keep_focus();
                }
            }
            SaveAnswer::Left(left) => self.left = Some(left),
            // The state says it: it is no matter of the form.
            SaveAnswer::NotKept(_) => {}
            SaveAnswer::Previewed(revision, preview) => {
                if revision != self.revision || !matches!(self.step, Step::Previewing) {
                    return;
                }
                match preview {
                    Ok(preview) => self.step = Step::Preview(Arc::new(preview)),
                    Err(why) => self.refuse(why),
                }
            }
            SaveAnswer::Written(written) if matches!(self.step, Step::Writing) => match written {
                Ok(saved) => self.step = Step::Saved(Box::new(saved)),
                Err(Unwritten::Clash(difference)) => self.step = Step::Clash(difference),
                Err(Unwritten::Refused(why)) => self.refuse(why),
            },
            SaveAnswer::Written(_) => {}
            SaveAnswer::Taken(offer, told, stage) => {
                if let Step::Saved(saved) = &mut self.step {
                    // Each is an action of its own, with an undo of its own.
                    saved.undos += usize::from(told.is_ok());
                    saved.taken.push((offer, told));
                    saved.stage = stage;
                }
            }
            SaveAnswer::Sessions(lane, past, silent) => {
                self.sessions.insert(lane, Sessions::Listed(past, silent));
            }
        }
    }

    fn refuse(&mut self, why: String) {
        self.refusal = Some(why);
        self.step = Step::Filling;
    }

    /// A line that is gone cannot keep the cursor.
    fn keep_focus(&mut self) {
        let spots = self.spots();
        if !spots.contains(&self.focus) {
            let kin = spots.iter().find(|spot| match (spot, &self.focus) {
                (Spot::Lane(one, _), Spot::Lane(other, _)) => one == other,
                _ => false,
            });
            self.focus = kin.cloned().unwrap_or(Spot::Format);
        }
    }
}
