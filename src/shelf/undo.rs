//! The plan that takes an action back, from the log, in this session or a later one.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::act::ShelfError;
use super::journal::{Action, Journal, Log};
use super::model::{Move, PassedOver, Plan, Told, Undoes, Verb};
use super::names::Names;
use super::{Shelf, act};
use crate::disk;
use crate::handoff::{count_of, inert};
use crate::place::Origin;

/// The fewest characters that name an action.
const SHORTEST: usize = 4;
/// The most actions that are listed where several are meant.
const MOST: usize = 10;
/// The most actions that are listed where none is meant.
const FEW: usize = 5;

impl Shelf {
    /// The plan that takes back the action `id` (or a unique beginning of its id), from whatever project it was done;
    /// or the last one of this project that can be taken back. Newer ones of this project that cannot are passed over,
    /// and a newer one from elsewhere is left alone: the plan names both. What is no longer there as it was is
    /// spared, and said; where a name is taken by now, another one is given.
    ///
    /// # Errors
    /// [`ShelfError::Nothing`] where no such action can be taken back, [`ShelfError::Disk`] where the log cannot be
    /// read.
    pub fn undo(&self, id: Option<&str>) -> Result<Plan, ShelfError> {
        let journal = Journal::of(&self.state);
        let log = journal.read()?;
        let unread = unread(&journal, &log);
        let planned = match id {
            Some(id) => self.named(&log, id),
            None => self.last(&log),
        };
        match planned {
            Ok(mut plan) => {
                plan.remarks.extend(unread);
                Ok(plan)
            }
            Err(ShelfError::Nothing(mut said)) => {
                said.extend(unread);
                Err(ShelfError::Nothing(said))
            }
            Err(other) => Err(other),
        }
    }

    /// Every action of which something can be taken back as far as the log knows, newest first, from whatever project
    /// it was done; and what of the log cannot be read, in a sentence.
    ///
    /// # Errors
    /// [`ShelfError::Disk`] where the log cannot be read.
    pub fn actions(&self) -> Result<(Vec<Told>, Option<String>), ShelfError> {
        let journal = Journal::of(&self.state);
        let log = journal.read()?;
        let unread = unread(&journal, &log);
        Ok((standing(&log).map(Action::told).collect(), unread))
    }

    /// The last action of this project that can be taken back.
    fn last(&self, log: &Log) -> Result<Plan, ShelfError> {
        let (mut passed_over, mut elsewhere) = (Vec::new(), None::<Told>);
        let mut own = Own { shelf: self, known: HashMap::new() };
        for action in standing(log) {
            if !own.is_here(action) {
                elsewhere.get_or_insert_with(|| action.told());
                continue;
            }
            let planned = self.taking_back(action);
            if !planned.is_empty() {
                return Ok(Plan { passed_over, elsewhere, ..planned });
            }
            passed_over.push(refused(action, &planned));
        }
        let mut said = vec!["there is nothing to undo in this project".to_owned()];
        said.extend(passed_over.iter().map(PassedOver::words));
        said.extend(elsewhere.as_ref().map(Told::elsewhere));
        Err(ShelfError::Nothing(said))
    }

    /// The action with this id, or with a unique beginning of it.
    fn named(&self, log: &Log, id: &str) -> Result<Plan, ShelfError> {
        let nothing = |why: String| ShelfError::Nothing(vec![why]);
        let all: Vec<&Action> = log.actions.iter().rev().filter(|action| action.id.starts_with(id)).collect();
        let standing: Vec<&Action> = all.iter().copied().filter(|action| action.stands()).collect();
        let shown = inert::shown(id);
        match (standing.as_slice(), all.first()) {
            ([action], _) if id.len() >= SHORTEST => {
                let planned = self.taking_back(action);
                match planned.is_empty() {
                    true => Err(nothing(refused(action, &planned).words())),
                    false => Ok(planned),
                }
            }
            ([_, ..], _) => {
                let more = count_of(SHORTEST, "character", "characters");
                let mut said =
                    vec![format!("{shown} names no single action: give more of its id, at least {more}")];
                said.extend(standing.iter().take(MOST).map(|one| line(one)));
                Err(ShelfError::Several(said))
            }
            ([], Some(action)) if action.verb == Verb::Undo => {
                Err(nothing(format!("{} is an undo, which is not taken back", action.id)))
            }
            ([], Some(action)) => {
                let word = action.verb.word();
                Err(nothing(format!("of {word} ({}) nothing is left to be taken back", action.id)))
            }
            ([], None) => Err(ShelfError::Nothing(unknown(&shown, log))),
        }
    }

    /// The plan that takes back what of an action can go back.
    fn taking_back(&self, action: &Action) -> Plan {
        let mut plan = Plan::of(Verb::Undo);
        // A name that an earlier move of this plan gives up is free for the later ones.
        let given_up = RefCell::new(HashSet::<PathBuf>::new());
        let taken = |path: &Path| disk::is_taken(path) && !given_up.borrow().contains(path);
        let taken_with_note = |path: &Path| taken(path) || disk::is_taken(&Origin::beside(path));
        let (mut names, mut names_with_note) = (Names::new(&taken), Names::new(&taken_with_note));
        let mut indices = Vec::new();
        let mut last_head = None;
        let mut is_broken = false;
        // The last move goes back first.
        for (index, way) in action.standing_moves().rev() {
            let head = action.moves[..=index].iter().rposition(|way| !way.follows);
            let way = Move { follows: last_head == Some(head), ..way.back() };
            if let Some(reason) = moved_on(&way) {
                plan.spare(&way.from.path, &reason);
                is_broken |= action.is_written(index);
                continue;
            }
            let (before, from) = (plan.moves.len(), way.from.path.clone());
            let names = if way.to.note.is_some() { &mut names_with_note } else { &mut names };
            plan.add(names, way, usize::MAX);
            let Some(way) = plan.moves.get_mut(before) else {
                is_broken |= action.is_written(index);
                continue;
            };
            if way.to.root == self.state {
                // Where bytes are kept aside no name is anybody's wish.
                way.instead_of = None;
            }
            last_head = Some(head);
            indices.push(index);
            given_up.borrow_mut().insert(from);
        }
        // What was put away last goes back first, and what was written at the end.
        let put_away = indices.iter().take_while(|&&index| !action.is_written(index)).count();
        if is_broken {
            // Half of a save taken back would be two files where one was.
            plan.moves.truncate(put_away);
            indices.truncate(put_away);
        }
        plan.beside_save = if action.verb == Verb::Save { put_away } else { 0 };
        plan.takes_back = Some(action.told());
        plan.undoes = Some(Undoes { action: action.id.clone(), moves: indices });
        plan.leftover = action.made.clone();
        plan
    }
}

/// Actions of which something can be taken back, newest first.
fn standing(log: &Log) -> impl Iterator<Item = &Action> {
    log.actions.iter().rev().filter(|action| action.stands())
}

/// An action on a line, with its id.
fn line(action: &Action) -> String {
    format!("{}  {}", action.id, action.told().words())
}

/// That no action has an id, and which ones there are.
fn unknown(shown: &str, log: &Log) -> Vec<String> {
    let newest: Vec<String> = standing(log).take(FEW).map(line).collect();
    if newest.is_empty() {
        return vec![format!("no action has the id {shown}, and there is none that can be taken back")];
    }
    let mut said = vec![format!("no action has the id {shown}; the newest that can be taken back:")];
    said.extend(newest);
    said.push("`moorline undo --list` shows all of them".to_owned());
    said
}

/// Which actions are of one project: those that were done from it, and those about files of it.
struct Own<'a> {
    shelf: &'a Shelf,
    known: HashMap<PathBuf, bool>,
}

impl Own<'_> {
    fn is_here(&mut self, action: &Action) -> bool {
        let ends = action.moves.iter().flat_map(|way| [&way.from, &way.to]);
        // The trash belongs to nobody's project, wherever it lies.
        let roots = ends.filter(|end| end.note.is_none()).map(|end| &end.root);
        action.project.iter().chain(roots).any(|root| self.is_project(root))
    }

    fn is_project(&mut self, root: &Path) -> bool {
        if let Some(&is) = self.known.get(root) {
            return is;
        }
        let is = disk::is_same(root, &self.shelf.project);
        self.known.insert(root.to_owned(), is);
        is
    }
}

/// That lines of the log cannot be read, where, and what that means.
fn unread(journal: &Journal, log: &Log) -> Option<String> {
    let lines = count_of(log.unread, "line", "lines");
    (log.unread > 0).then(|| {
        format!(
            "{lines} of {} cannot be read, so what they tell of cannot be undone; no file is lost by that: \
             `moorline list --archived --trashed` shows what was put away, and `moorline put-back` brings it back",
            journal.path().display()
        )
    })
}

/// Why nothing of an action can be taken back.
fn refused(action: &Action, planned: &Plan) -> PassedOver {
    let mut reasons = planned.spared.iter();
    let mut reason = match reasons.next() {
        Some(first) => format!("{} {}", first.path.display(), first.reason),
        None => "its moves are not in the log".to_owned(),
    };
    match reasons.count() {
        0 => {}
        more => reason += &format!(", and {} more", count_of(more, "file", "files")),
    }
    PassedOver { action: action.told(), reason }
}

/// Why a file cannot go back: it is not what the action left there.
fn moved_on(way: &Move) -> Option<String> {
    match act::stamp(&way.from) {
        Ok(Some(stamp)) if way.digest.as_ref() == Some(&stamp.digest) => None,
        Ok(Some(_)) => Some("changed since: it stays as it is".to_owned()),
        Ok(None) => Some("is not there any more".to_owned()),
        Err(error) => Some(act::unreadable(&way.from, &error)),
    }
}
