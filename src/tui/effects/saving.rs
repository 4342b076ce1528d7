//! Saves in the making: facts are captured, words composed, and after a yes exactly what was shown is written.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use chrono::{DateTime, FixedOffset, Local};
use crossbeam_channel::{Receiver, Sender, unbounded};

use super::super::action::Answer;
use super::super::action::save::{
    Asked, Change, Hidden, Mirror, Offer, Preview, SaveAnswer, Sketched, Unwritten, Words,
};
use super::super::app::save::Saved;
use super::super::effect::SaveOrder;
use super::Post;
use super::keeping::{Keeping, Order};
use crate::check::Examiner;
use crate::handoff::{Inert, difference};
use crate::place;
use crate::repo::IgnoredBy;
use crate::save::draft::{self, Draft, Request};
use crate::save::facts::Facts;
use crate::save::file::{self, NotWritten};
use crate::save::ignored::Unignored;
use crate::save::sketch::{self, Sketch};
use crate::save::sweep::Cleared;
use crate::save::verdicts::LaneNow;

/// The thread that makes and writes saves, one order after the other.
pub(super) struct Saves {
    orders: Sender<(Arc<Examiner>, u64, SaveOrder)>,
    post: Post,
    /// The save that is on the screen; 0 for none.
    current: Arc<AtomicU64>,
    keeping: Keeping,
}

impl Saves {
    pub(super) fn start(examiner: &Arc<Examiner>, post: Post) -> Self {
        let (orders, asked) = unbounded();
        let current = Arc::default();
        let bench = Bench { post: post.clone(), held: None, draft: None, written: None };
        thread::spawn(move || bench.work(&asked));
        let keeping = Keeping::start(examiner.clone(), post.clone());
        Self { orders, post, current, keeping }
    }

    pub(super) fn order(&self, examiner: &Arc<Examiner>, ticket: u64, order: SaveOrder) {
        let is_end = matches!(order, SaveOrder::End);
        self.current.store(if is_end { 0 } else { ticket }, Ordering::SeqCst);
        match order {
            SaveOrder::Sessions(lane, directory) => self.list(examiner, ticket, lane, directory),
            SaveOrder::Keep(words) => self.keeping.order(ticket, Order::Keep(words)),
            SaveOrder::Recall => self.keeping.order(ticket, Order::Recall),
            SaveOrder::GoOn => self.keeping.order(ticket, Order::GoOn),
            order => drop(self.orders.send((examiner.clone(), ticket, order))),
        }
    }

    /// Keeps words that were not saved, at the end of the screen; gives where.
    pub(super) fn keep_last(&self, words: Words) -> Result<PathBuf, String> {
        self.keeping.keep_last(words)
    }

    /// A store may be large: it is asked on a thread of its own, which stops when the form is closed.
    fn list(&self, examiner: &Arc<Examiner>, ticket: u64, lane: String, directory: PathBuf) {
        let (examiner, post, current) = (examiner.clone(), self.post.clone(), self.current.clone());
        thread::spawn(move || {
            let directory = examiner.project().join(directory);
            let is_late = || current.load(Ordering::SeqCst) != ticket;
            let (past, silent) = sketch::past_sessions(&examiner, &directory, &is_late);
            post.answer(Answer::Save(ticket, SaveAnswer::Sessions(lane, past, silent)));
        });
    }
}

/// What the thread has at hand.
struct Bench {
    post: Post,
    /// The facts of a save, captured once and for its preview again.
    held: Option<(u64, Facts)>,
    /// What was previewed and may be written.
    draft: Option<(u64, Draft)>,
    /// What was written.
    written: Option<(u64, Written)>,
}

/// A save that is written, for what is offered after it.
struct Written {
    draft: Draft,
    saved: draft::Saved,
    cleared: Cleared,
    undos: usize,
    unignored: Option<Unignored>,
    mirrored: Option<file::Written>,
}

impl Bench {
    fn work(mut self, orders: &Receiver<(Arc<Examiner>, u64, SaveOrder)>) {
        while let Ok((examiner, ticket, order)) = orders.recv() {
            match order {
                // While somebody types, only the last word is worth composing.
                SaveOrder::Sketch(_) if !orders.is_empty() => {}
                SaveOrder::Sketch(asked) => self.sketch(&examiner, ticket, &asked),
                SaveOrder::Preview(asked) => self.preview(&examiner, ticket, &asked),
                SaveOrder::Write => self.write(&examiner, ticket),
                SaveOrder::Sessions(..) | SaveOrder::Keep(_) | SaveOrder::Recall | SaveOrder::GoOn => {}
                SaveOrder::Take(offer) => self.take(ticket, offer),
                SaveOrder::End => (self.held, self.draft, self.written) = (None, None, None),
            }
        }
    }

    fn say(&self, ticket: u64, answer: SaveAnswer) {
        self.post.answer(Answer::Save(ticket, answer));
    }

    /// The facts of this save, captured where they were not yet.
    fn facts(&mut self, examiner: &Examiner, ticket: u64) -> &Facts {
        let held = self.held.take().filter(|(of, _)| *of == ticket);
        &self.held.insert(held.unwrap_or_else(|| (ticket, Facts::of(examiner)))).1
    }

    fn sketch(&mut self, examiner: &Examiner, ticket: u64, asked: &Asked) {
        let facts = self.facts(examiner, ticket);
        let sketch = Sketch::of(examiner, &request(examiner, asked), facts);
        let told = told(examiner, asked, facts, &sketch);
        self.say(ticket, SaveAnswer::Sketched(Box::new(told)));
    }

    fn preview(&mut self, examiner: &Examiner, ticket: u64, asked: &Asked) {
        // What is written must be true at the yes, not when the form was opened.
        (self.held, self.draft) = (None, None);
        let facts = self.facts(examiner, ticket);
        let sketch = Sketch::of(examiner, &request(examiner, asked), facts);
        let told = told(examiner, asked, facts, &sketch);
        self.say(ticket, SaveAnswer::Sketched(Box::new(told)));
        let previewed = match sketch.draft {
            Ok(draft) => {
                let preview = preview(&draft, examiner);
                self.draft = Some((ticket, draft));
                Ok(preview)
            }
            Err(why) => Err(why.to_string()),
        };
        self.say(ticket, SaveAnswer::Previewed(asked.revision, previewed));
    }

    fn write(&mut self, examiner: &Examiner, ticket: u64) {
        let Some((_, draft)) = self.draft.take().filter(|(of, _)| *of == ticket) else { return };
        let written = match draft.write() {
            Ok(mut saved) => {
                // Whatever becomes of what is old, the save stands.
                let cleared = draft.clear_up(examiner, &saved);
                let undos = 1 + cleared.actions();
                saved.said.extend(cleared.said.iter().cloned());
                saved.said.extend(draft.lanes_now(examiner, &saved).iter().map(LaneNow::words));
                let written = Written { draft, saved, cleared, undos, unignored: None, mirrored: None };
                let told = written.told();
                self.written = Some((ticket, written));
                Ok(told)
            }
            Err(NotWritten::Changed { path, difference }) => Err(Unwritten::Clash(format!(
                "{} changed since it was read. It was left as it is:\n{difference}",
                path.display()
            ))),
            Err(busy @ NotWritten::Busy(_)) => Err(Unwritten::Clash(busy.to_string())),
            Err(why) => Err(Unwritten::Refused(draft.told(&why))),
        };
        self.say(ticket, SaveAnswer::Written(written));
    }

    fn take(&mut self, ticket: u64, offer: Offer) {
        let Some((_, written)) = self.written.as_mut().filter(|(of, _)| *of == ticket) else { return };
        let told = match offer {
            Offer::ShowToGit => written.unignore(),
            Offer::Mirror => written.mirror(),
        };
        let stage = written.stage();
        self.say(ticket, SaveAnswer::Taken(offer, told, stage));
    }
}

impl Written {
    /// What of it the screen shows.
    fn told(&self) -> Saved {
        let mirror = self.draft.mirror.as_ref();
        Saved {
            path: self.saved.path.clone(),
            scope: self.draft.target.scope,
            chain: self.saved.chain.clone(),
            old: self.saved.old.clone(),
            by_program: self.draft.runs().is_some(),
            undos: self.undos,
            said: self.saved.said.iter().map(Inert::shown_line).collect(),
            ignored: hidden(&self.draft),
            mirror: mirror.map(|mirror| Mirror { path: mirror.path.clone(), added: mirror.added.clone() }),
            stage: self.stage(),
            snapshot: self.draft.snapshot_command(&self.saved),
            taken: Vec::new(),
        }
    }

    /// The command that stages everything that is written by now.
    fn stage(&self) -> Option<String> {
        let edited = self.unignored.as_ref().map(|edit| edit.written.path.as_path());
        let more = edited.into_iter().chain(self.mirrored.as_ref().map(|list| list.path.as_path()));
        let is_seen = self.unignored.as_ref().is_some_and(|edit| edit.still.is_none());
        self.draft.stage_command(&self.saved, &more.collect::<Vec<_>>(), &self.cleared, is_seen)
    }

    fn unignore(&mut self) -> Result<String, String> {
        let Some(edit) = self.draft.unignore().map_err(|why| why.to_string())? else {
            return Err("There is no such edit any more.".into());
        };
        let told = match &edit.still {
            Some(by) => Err(format!("The edit was made, and git still does not see it, by {}.", rule(by))),
            None => Ok(format!("Git sees it now: {} was edited.", edit.written.path.display())),
        };
        self.unignored = Some(edit);
        told
    }

    fn mirror(&mut self) -> Result<String, String> {
        let Some(list) = self.draft.mirror_decisions().map_err(|why| why.to_string())? else {
            return Err("There is nothing to add any more.".into());
        };
        let told = format!("The decisions were added to {}.", list.path.display());
        self.mirrored = Some(list);
        Ok(told)
    }
}

/// Why git would not see what is saved.
fn hidden(draft: &Draft) -> Option<Hidden> {
    let ignored = draft.ignored.as_ref()?;
    let edit = match &ignored.edit {
        Ok(edit) => Ok(edit.words.shown_line()),
        Err(why) => Err(why.clone()),
    };
    Some(Hidden { rule: rule(&ignored.by), edit })
}

fn rule(by: &IgnoredBy) -> String {
    format!("`{}` in {}, line {}", by.rule.shown_line(), by.file.display(), by.line)
}

fn request<'a>(examiner: &'a Examiner, asked: &'a Asked) -> Request<'a> {
    let mut request = Request::new(&asked.words, asked.family, examiner.project(), now());
    request.place = asked.place.clone();
    request.drop = asked.drop.clone();
    request.to = asked.to.clone();
    request.decisions_from = asked.transcript.as_deref();
    request
}

fn now() -> DateTime<FixedOffset> {
    Local::now().fixed_offset()
}

fn told(examiner: &Examiner, asked: &Asked, facts: &Facts, sketch: &Sketch) -> Sketched {
    let mut captured = facts.captured.clone();
    if let Ok(draft) = &sketch.draft {
        captured.clone_from(&draft.captured);
    }
    let previous = sketch.target.as_ref().ok().and_then(|target| {
        let rows = place::read_path(&target.path, &examiner.roots()).ok()?;
        // Of a day file's records the last one is the newest.
        rows.into_iter().next_back().map(Arc::new)
    });
    let sizes = |draft: &Draft| draft.parts.iter().map(|(path, text)| (path.clone(), text.len())).collect();
    Sketched {
        revision: asked.revision,
        target: sketch.target.clone().map_err(|why| why.to_string()),
        captured,
        lanes: sketch.lanes.clone().map_err(|why| why.to_string()),
        classes: sketch::classes(examiner),
        files: sketch.draft.as_ref().map(sizes).map_err(ToString::to_string),
        previous,
        ignored: sketch.draft.as_ref().ok().and_then(hidden),
    }
}

fn preview(draft: &Draft, examiner: &Examiner) -> Preview {
    let change = |(n, (path, text)): (usize, &(PathBuf, String))| {
        // Only the first file of a chain can replace something: the others take free names.
        let old = draft.replaced().filter(|_| n == 0);
        change(path, text, old)
    };
    Preview {
        scope: draft.target.scope,
        why: draft.target.why.clone(),
        remarks: draft
            .remarks
            .iter()
            .chain(&draft.would_clear(examiner).said)
            .map(Inert::shown_line)
            .collect(),
        changes: draft.parts.iter().enumerate().map(change).collect(),
        ignored: hidden(draft),
        runs: draft.runs(),
        by_hand: draft.by_hand.as_ref().map(|by_hand| by_hand.why.shown_line()),
    }
}

fn change(path: &Path, text: &str, old: Option<&[u8]>) -> Change {
    Change {
        path: path.to_owned(),
        bytes: text.len(),
        replaces: old.map(<[u8]>::len),
        lines: difference::lines(&String::from_utf8_lossy(old.unwrap_or_default()), text),
    }
}
