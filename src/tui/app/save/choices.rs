//! What can be chosen in the form, and choosing it: format, place, and what of a lane is not captured.

use serde_json::{Map, Value};

use super::{FORMATS, Form, Part, RECIPIENTS, Sessions, Spot};
use crate::handoff::{Lane, LaneStatus, ModelClass};
use crate::place::Scope;
use crate::save::narrative::LaneWord;

/// What a person can say of a lane's standing; the first one is what was seen.
const STATUSES: [Option<&str>; 3] = [None, Some("blocked"), Some("completed")];

impl Form {
    /// The next or previous choice on the focused line; `false` where there is nothing to choose.
    pub(super) fn choose(&mut self, by: isize) -> bool {
        match self.focus.clone() {
            Spot::Format => {
                self.format = *turned(&FORMATS, FORMATS.iter().position(|one| *one == self.format), by);
                true
            }
            Spot::Place => self.choose_place(by),
            Spot::Lane(id, part) => self.choose_of_lane(&id, part, by),
            Spot::For => {
                let now = RECIPIENTS.iter().position(|one| *one == self.recipient);
                self.recipient = *turned(&RECIPIENTS, now, by);
                true
            }
            Spot::Name | Spot::Word(_) | Spot::Transcript | Spot::Captured => false,
        }
    }

    /// Plan by plan, then the project, then the home directory.
    fn choose_place(&mut self, by: isize) -> bool {
        let target = self.sketch.as_ref().and_then(|sketch| sketch.target.as_ref().ok());
        let Some(target) = target else { return false };
        let mut plans: Vec<_> =
            target.plan.iter().chain(&target.tied).chain(&target.others).cloned().collect();
        plans.sort();
        let mut places: Vec<_> = plans.into_iter().map(|plan| (Scope::Plan, Some(plan))).collect();
        places.extend([(Scope::Project, None), (Scope::Global, None)]);
        // What was chosen a moment ago counts, though no worker has answered to it yet.
        let scope = self.place.scope.unwrap_or(target.scope);
        let plan = self.place.plan.clone().or(target.plan.clone()).filter(|_| scope == Scope::Plan);
        let now = places.iter().position(|place| *place == (scope, plan.clone()));
        // Of plans that tie the first press only says which one is meant.
        let by = if self.is_tied() { 0 } else { by };
        let (scope, plan) = turned(&places, now, by).clone();
        (self.place.scope, self.place.plan) = (Some(scope), plan);
        true
    }

    fn choose_of_lane(&mut self, id: &str, part: Part, by: isize) -> bool {
        if self.lane(id).is_none() {
            return false;
        }
        let mut word = self.lane_words.get(id).cloned().unwrap_or_default();
        word.id = id.to_owned();
        match part {
            Part::Whole => return false,
            Part::Class => {
                let recorded = self.recorded(id).and_then(|lane| lane.model_class);
                let classes = self.classes().iter().map(|(class, _)| Some(*class));
                // A class that was recorded can be changed, not unsaid.
                let none = recorded.is_none().then_some(None);
                let classes: Vec<_> = none.into_iter().chain(classes).collect();
                let now = classes.iter().position(|class| *class == self.class_of(id));
                let chosen = *turned(&classes, now, by);
                word.class = chosen.filter(|_| chosen != recorded).map(|class| class_word(class).to_owned());
                word.model = None;
            }
            Part::Model => {
                let Some(class) = self.class_of(id) else { return false };
                let recorded = self.recorded(id).filter(|_| word.class.is_none());
                let recorded = recorded.and_then(|lane| lane.requested_model.as_ref());
                let recorded = recorded.map(|model| model.catalog_key.raw().to_owned());
                let none = recorded.is_none().then_some(None);
                let keys: Vec<_> =
                    none.into_iter().chain(self.members(class).iter().cloned().map(Some)).collect();
                let now = keys.iter().position(|key| *key == word.model.clone().or(recorded.clone()));
                word.model = turned(&keys, now, by).clone();
            }
            Part::Status => {
                let now = STATUSES.iter().position(|status| *status == word.status.as_deref());
                word.status = turned(&STATUSES, now, by).map(str::to_owned);
            }
            Part::Session => {
                let Some(Sessions::Listed(past, _)) = self.sessions.get(id) else { return false };
                let ids = past.iter().map(|one| Some((one.harness.as_str(), one.id.as_str())));
                let ids: Vec<_> = std::iter::once(None).chain(ids).collect();
                let said = word.harness.as_deref().zip(word.session_id.as_deref());
                let chosen = *turned(&ids, ids.iter().position(|one| *one == said), by);
                (word.harness, word.session_id) =
                    chosen.map(|(harness, id)| (harness.to_owned(), id.to_owned())).unzip();
            }
        }
        let says_nothing = word == LaneWord { id: id.to_owned(), ..LaneWord::default() };
        match says_nothing {
            true => self.lane_words.remove(id),
            false => self.lane_words.insert(id.to_owned(), word),
        };
        true
    }

    /// The class of a lane's model: what was chosen, else what the replaced handoff has.
    fn class_of(&self, id: &str) -> Option<ModelClass> {
        let said = self.lane_words.get(id).and_then(|word| word.class.as_deref());
        let said =
            self.classes().iter().map(|(class, _)| *class).find(|class| Some(class_word(*class)) == said);
        said.or_else(|| self.recorded(id)?.model_class)
    }

    /// A lane as the replaced handoff has it.
    fn recorded(&self, id: &str) -> Option<&Lane> {
        let previous = self.sketch.as_ref()?.previous.as_ref()?;
        previous.handoff.lanes.iter().find(|lane| lane.id.as_ref().is_some_and(|own| own.as_str() == id))
    }

    /// A lane as it would be written.
    pub fn lane(&self, id: &str) -> Option<&Lane> {
        self.lanes().iter().find(|lane| lane.id.as_ref().is_some_and(|own| own.as_str() == id))
    }

    /// Whether a lane stands in the handoff that is replaced: only such a one can be taken out.
    pub fn can_drop(&self, id: &str) -> bool {
        self.recorded(id).is_some()
    }

    /// Takes a lane out, or puts it back.
    pub(super) fn drop_or_keep(&mut self, id: &str) -> bool {
        match self.dropped.iter().position(|own| own == id) {
            Some(at) => drop(self.dropped.remove(at)),
            None if self.can_drop(id) => self.dropped.push(id.to_owned()),
            None => return false,
        }
        true
    }
}

/// The element so many steps further, around the ends; the first one where none is the current.
fn turned<T>(all: &[T], now: Option<usize>, by: isize) -> &T {
    let count = isize::try_from(all.len()).unwrap_or(1).max(1);
    let next = now.map_or(0, |now| (isize::try_from(now).unwrap_or(0) + by).rem_euclid(count));
    &all[usize::try_from(next).unwrap_or(0)]
}

/// A class as the save room takes it.
pub fn class_word(class: ModelClass) -> &'static str {
    match class {
        ModelClass::Planner => "planner",
        ModelClass::Executors => "executors",
        ModelClass::Reviewers => "reviewers",
    }
}

/// A status as people read it.
pub fn status_word(status: Option<LaneStatus>) -> &'static str {
    match status {
        Some(LaneStatus::Running) => "running",
        Some(LaneStatus::Blocked) => "blocked",
        Some(LaneStatus::Completed) => "completed",
        Some(LaneStatus::Unknown) | None => "unknown",
    }
}

/// What was said of a lane, as the save room takes it.
pub(super) fn as_json(word: &LaneWord) -> Value {
    let said = [
        ("harness", &word.harness),
        ("session_id", &word.session_id),
        ("class", &word.class),
        ("model", &word.model),
        ("status", &word.status),
    ];
    let mut lane = Map::new();
    lane.insert("id".to_owned(), word.id.clone().into());
    for (key, value) in said {
        if let Some(value) = value {
            lane.insert(key.to_owned(), value.clone().into());
        }
    }
    Value::Object(lane)
}
