//! The save form: what a person says, what was captured, where it goes, and the way to the yes. Pure, like all of
//! the core: workers capture, compose and write.

mod choices;
mod events;
mod former;
mod keys;
pub mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value};
use tui_input::Input;

use super::super::action::save::{Asked, Hidden, LeftWords, Mirror, Offer, Preview, Sketched, Words};
use super::super::effect::{Effect, SaveOrder};
use crate::handoff::{Family, Lane, ModelClass, SessionId};
use crate::place::{Listed, Scope};
use crate::save::file::Old;
use crate::save::narrative::LaneWord;
use crate::save::sketch::Past;
use crate::save::target::Wish;
pub use choices::{class_word, status_word};
pub use words::{Field, Word};

/// The formats that can be saved in, in the order of the form.
pub const FORMATS: [Family; 3] = [Family::Theonekit, Family::Thunderkit, Family::Memtomem];

/// Whom a memtomem record can be for; the first one is everybody.
pub const RECIPIENTS: [&str; 6] = crate::handoff::RUNTIMES;

/// One line of the form that can have the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spot {
    /// The format.
    Format,
    /// Plan, project or home.
    Place,
    /// The name after the date.
    Name,
    /// Whom it is for (memtomem).
    For,
    /// A field of the person's.
    Word(Word),
    /// The session whose transcript drafts of decisions are taken from (theonekit).
    Transcript,
    /// Something of a lane, by the lane's id.
    Lane(String, Part),
    /// What was captured: to be looked at.
    Captured,
}

/// What of a lane a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The lane itself.
    Whole,
    /// The class of its model.
    Class,
    /// The requested model.
    Model,
    /// Its session.
    Session,
    /// How it stands.
    Status,
}

/// The past sessions of a lane's worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sessions {
    /// They are being listed, after a yes.
    Listing,
    /// They are listed; and which stores could not be asked.
    Listed(Vec<Past>, Vec<String>),
}

/// How far the save has come.
#[derive(Debug)]
pub enum Step {
    /// It is being filled in.
    Filling,
    /// May the past sessions of this lane's worktree be listed?
    AskingForSessions(String),
    /// The preview is being made.
    Previewing,
    /// Exactly this would be written.
    Preview(Arc<Preview>),
    /// A yes was given.
    Writing,
    /// Somebody else wrote or writes there; nothing of this save was written.
    Clash(String),
    /// It is saved.
    Saved(Box<Saved>),
}

/// What was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The file's real path.
    pub path: PathBuf,
    /// How far it reaches.
    pub scope: Scope,
    /// Further files of a chain.
    pub chain: Vec<PathBuf>,
    /// What became of the bytes that it had.
    pub old: Old,
    /// Whether a program of its own wrote it (memtomem).
    pub by_program: bool,
    /// How many undos take everything of it back: the save with all of its files, and what was cleared up.
    pub undos: usize,
    /// What that program said, and what was cleared up.
    pub said: Vec<String>,
    /// Why git does not see it, where it does not.
    pub ignored: Option<Hidden>,
    /// Decisions that could be added to the project's own list.
    pub mirror: Option<Mirror>,
    /// The command that stages exactly what was written, where git sees it.
    pub stage: Option<String>,
    /// The command that keeps a snapshot of it, where it lies in the project.
    pub snapshot: Option<String>,
    /// What became of the offers that a person took.
    pub taken: Vec<(Offer, Result<String, String>)>,
}

impl Saved {
    /// Whether there is such an offer, and it was not taken.
    pub fn offers(&self, offer: Offer) -> bool {
        let is_there = match offer {
            Offer::ShowToGit => self.ignored.as_ref().is_some_and(|hidden| hidden.edit.is_ok()),
            Offer::Mirror => self.mirror.is_some(),
        };
        is_there && !self.taken.iter().any(|(taken, _)| *taken == offer)
    }
}

/// The form.
#[derive(Debug)]
pub struct Form {
    /// Names this save in answers.
    pub ticket: u64,
    /// Counts what was said; an answer to an older one is late.
    pub revision: u64,
    /// Which format.
    pub format: Family,
    /// What was chosen of the place; its slug stands in `name`.
    pub place: Wish,
    /// The name after the date; empty: from the plan or the task.
    pub name: Input,
    /// Whom the record is for (memtomem).
    pub recipient: &'static str,
    /// The session that drafts of decisions are taken from, while it is typed.
    pub transcript: Input,
    /// The person's fields, also those that this format has no place for.
    pub fields: Vec<Field>,
    /// What was said of lanes, by their id.
    pub lane_words: BTreeMap<String, LaneWord>,
    /// Lanes of the replaced handoff that are taken out.
    pub dropped: Vec<String>,
    /// The line that has the cursor.
    pub focus: Spot,
    /// What the workers made of it; of an older revision while they are at it.
    pub sketch: Option<Arc<Sketched>>,
    /// The past sessions that were listed, by lane.
    pub sessions: BTreeMap<String, Sessions>,
    /// Why there is no preview or nothing was written, until something is changed.
    pub refusal: Option<String>,
    /// How far it has come.
    pub step: Step,
    /// Words that a screen before this one left behind, until they are brought back.
    pub left: Option<Box<LeftWords>>,
    /// The row that was selected: carried over from where nothing is replaced.
    beside: Option<Arc<Listed>>,
}

impl Form {
    /// An empty form.
    pub fn new(ticket: u64, format: Family, beside: Option<Arc<Listed>>) -> Self {
        let first = Word::ALL.into_iter().find(|word| word.fits(format)).unwrap_or(Word::Phase);
        Self {
            ticket,
            revision: 0,
            format,
            place: Wish::default(),
            name: Input::default(),
            recipient: RECIPIENTS[0],
            transcript: Input::default(),
            fields: Word::ALL.map(Field::new).to_vec(),
            lane_words: BTreeMap::new(),
            dropped: Vec::new(),
            focus: Spot::Word(first),
            sketch: None,
            sessions: BTreeMap::new(),
            refusal: None,
            step: Step::Filling,
            left: None,
            beside,
        }
    }

    /// The field of a word.
    pub fn field(&self, word: Word) -> Option<&Field> {
        self.fields.iter().find(|field| field.word == word)
    }

    /// The field that has the cursor.
    pub fn focused_field(&self) -> Option<&Field> {
        match self.focus {
            Spot::Word(word) => self.field(word),
            _ => None,
        }
    }

    /// The input that has the cursor.
    pub fn input(&self) -> Option<&Input> {
        match &self.focus {
            Spot::Name => Some(&self.name),
            Spot::Transcript => Some(&self.transcript),
            _ => self.focused_field().map(|field| &field.input),
        }
    }

    /// The handoff that words can be carried over from: the one that would be replaced, else the one that was
    /// selected.
    pub fn previous(&self) -> Option<&Arc<Listed>> {
        self.sketch.as_ref().and_then(|sketch| sketch.previous.as_ref()).or(self.beside.as_ref())
    }

    /// The lanes, as they would be written.
    pub fn lanes(&self) -> &[Lane] {
        match self.sketch.as_ref().map(|sketch| &sketch.lanes) {
            Some(Ok(lanes)) if self.format == Family::Thunderkit => lanes,
            _ => &[],
        }
    }

    /// Whether the person must say which plan is meant: several were modified last, as in a fresh clone.
    pub fn is_tied(&self) -> bool {
        let target = self.sketch.as_ref().and_then(|sketch| sketch.target.as_ref().ok());
        self.format == Family::Theonekit
            && self.place == Wish::default()
            && target.is_some_and(|target| !target.tied.is_empty())
    }

    /// Everything that may have the cursor, from top to bottom.
    pub fn spots(&self) -> Vec<Spot> {
        let mut spots = vec![Spot::Format];
        match self.format {
            Family::Theonekit => {
                spots.push(Spot::Place);
                if self.scope() != Some(Scope::Plan) {
                    spots.push(Spot::Name);
                }
            }
            Family::Memtomem => spots.push(Spot::For),
            _ => {}
        }
        spots.extend(self.seen().map(|field| Spot::Word(field.word)));
        if self.format == Family::Theonekit {
            spots.push(Spot::Transcript);
        }
        for lane in self.lanes() {
            let Some(id) = lane.id.as_ref().map(|id| id.as_str().to_owned()) else { continue };
            let parts = self.parts(lane);
            spots.extend(parts.into_iter().map(|part| Spot::Lane(id.clone(), part)));
        }
        if self.format == Family::Thunderkit {
            spots.extend(self.dropped.iter().map(|id| Spot::Lane(id.clone(), Part::Whole)));
        }
        spots.push(Spot::Captured);
        spots
    }

    /// What of a lane there is to choose.
    fn parts(&self, lane: &Lane) -> Vec<Part> {
        let mut parts = vec![Part::Whole];
        if self.is_carried_on(lane) {
            return parts;
        }
        let classes = self.classes();
        if !classes.is_empty() {
            parts.push(Part::Class);
        }
        if lane.model_class.is_some_and(|class| self.members(class).len() > 1) {
            parts.push(Part::Model);
        }
        parts.extend([Part::Session, Part::Status]);
        parts
    }

    /// Whether a lane's worktree is not here, so that nothing of it can be chosen.
    pub fn is_carried_on(&self, lane: &Lane) -> bool {
        lane.reason.as_ref().is_some_and(|reason| reason.raw().starts_with("not seen here"))
    }

    /// The config's classes with their models.
    pub fn classes(&self) -> &[(ModelClass, Vec<String>)] {
        self.sketch.as_ref().map_or(&[], |sketch| &sketch.classes)
    }

    /// The models of a class.
    pub fn members(&self, class: ModelClass) -> &[String] {
        self.classes().iter().find(|(own, _)| *own == class).map_or(&[], |(_, members)| members)
    }

    /// How far the handoff will reach, once that is known.
    pub fn scope(&self) -> Option<Scope> {
        let target = self.sketch.as_ref().and_then(|sketch| sketch.target.as_ref().ok());
        self.place.scope.or(target.map(|target| target.scope))
    }

    /// Secrets in the person's words: the field's name, line and kind.
    pub fn secrets(&self) -> Vec<(&'static str, usize, &'static str)> {
        self.fields
            .iter()
            .flat_map(|field| {
                let label = field.word.label(self.format);
                field.secrets.iter().map(move |found| (label, found.line, found.kind))
            })
            .collect()
    }

    /// What is needed and was not said.
    pub fn missing(&self) -> Vec<&'static str> {
        let needed = self.fields.iter().filter(|field| field.word.is_needed(self.format));
        needed.filter(|field| field.is_blank()).map(|field| field.word.label(self.format)).collect()
    }

    /// Whether the last sketch is of what stands here now.
    pub fn is_current(&self) -> bool {
        self.sketch.as_ref().is_some_and(|sketch| sketch.revision == self.revision)
    }

    /// Whether the person has said anything that would be lost.
    pub fn has_words(&self) -> bool {
        self.fields.iter().any(|field| !field.is_blank()) || !self.lane_words.is_empty()
    }

    /// What was said and this format has no place for: where it stands in the form, and its name there.
    pub fn homeless(&self) -> Vec<(Spot, &'static str)> {
        let fields = self.fields.iter().filter(|field| !field.word.fits(self.format) && !field.is_blank());
        let fields = fields.map(|field| (Spot::Word(field.word), field.word.label(self.format)));
        let has_lanes = self.format != Family::Thunderkit && self.said_of_lanes().next().is_some();
        let lanes = has_lanes.then_some((Spot::Format, "what you chose of lanes"));
        fields.chain(lanes).collect()
    }

    /// The fields that are seen: those that this format has, and those in which words stand, so that nothing that was
    /// said is out of sight. The one that is being emptied stays until it is left.
    pub fn seen(&self) -> impl Iterator<Item = &Field> {
        let is_seen = |field: &&Field| {
            field.word.fits(self.format) || !field.is_blank() || self.focus == Spot::Word(field.word)
        };
        self.fields.iter().filter(is_seen)
    }

    /// Everything that was said, as the save room's narrative, but for fields in which a secret stands: to be kept in
    /// case it is not saved, also what this format has no place for.
    pub fn words(&self) -> Words {
        let harmless = self.fields.iter().filter(|field| field.secrets.is_empty());
        let said = self.narrative(harmless);
        let is_less = self.fields.iter().any(|field| !field.secrets.is_empty());
        let text = (!said.is_empty()).then(|| Value::Object(said).to_string());
        Words { family: self.format, text, is_less }
    }

    /// What was chosen of lanes that are not taken out.
    fn said_of_lanes(&self) -> impl Iterator<Item = &LaneWord> {
        self.lane_words.values().filter(|word| !self.dropped.contains(&word.id))
    }

    /// What these fields say, with what was said of lanes.
    fn narrative<'a>(&self, fields: impl Iterator<Item = &'a Field>) -> Map<String, Value> {
        let mut said = words::narrative(fields);
        let lanes: Vec<_> = self.said_of_lanes().map(choices::as_json).collect();
        if !lanes.is_empty() {
            said.insert("lanes".to_owned(), lanes.into());
        }
        said
    }

    /// Everything that was said and chosen, for the workers.
    fn asked(&self) -> Asked {
        let said = self.narrative(self.fields.iter());
        let drop = if self.format == Family::Thunderkit { self.dropped.clone() } else { Vec::new() };
        let slug = self.name.value().trim();
        let slug = (!slug.is_empty()).then(|| slug.to_owned());
        // Half an id names nothing yet.
        let session = SessionId::parse(self.transcript.value().trim()).ok();
        let session = session.filter(|_| self.format == Family::Theonekit);
        Asked {
            to: (self.format == Family::Memtomem).then(|| self.recipient.to_owned()),
            transcript: session.map(|id| id.as_str().to_owned()),
            revision: self.revision,
            words: Value::Object(said).to_string(),
            family: self.format,
            place: Wish { slug, ..self.place.clone() },
            drop,
        }
    }

    /// Something was changed: what it would make is sketched anew.
    pub(super) fn changed(&mut self) -> Vec<Effect> {
        self.revision += 1;
        self.refusal = None;
        let orders = [SaveOrder::Sketch(self.asked()), SaveOrder::Keep(self.words())];
        orders.map(|order| Effect::Save(self.ticket, order)).into()
    }
}
