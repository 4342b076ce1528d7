//! What workers found out, taken into the state; what is late is dropped here.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use tui_input::Input;

use super::super::action::{Answer, Key, Moved};
use super::super::effect::Effect;
use super::typing::{LONGEST_INPUT, clean_paste};
use super::{Body, Overlay, Pane, State, Step, Versions};
use crate::place;

impl State {
    pub(super) fn answered(&mut self, answer: Answer) -> Vec<Effect> {
        match answer {
            Answer::Batch(generation, found) => {
                if generation == self.generation && generation == 1 {
                    self.list.add(found, self.now());
                }
            }
            Answer::Settled(generation, rows, skipped) => {
                if generation == self.generation {
                    self.list.scanning = false;
                    self.list.settle(rows, skipped, self.now());
                    let wanted = std::mem::take(&mut self.wanted);
                    self.list.go_to(&wanted);
                    return self.examine_all();
                }
            }
            Answer::Live(generation, is_live) => {
                if generation == self.generation {
                    self.live = is_live;
                }
            }
            Answer::Moved(moved) => return self.moved(moved),
            Answer::Dated(generation, rows) if generation == self.generation => match rows {
                Ok(rows) => self.list.date(rows),
                Err(why) => self.notice = Some((why, false)),
            },
            Answer::Facts(generation, facts) if generation == self.generation => self.facts = Some(facts),
            Answer::Examined(generation, key, report) if generation == self.generation => {
                self.list.judged(&key, report);
            }
            Answer::Dated(..) | Answer::Facts(..) | Answer::Examined(..) => {}
            Answer::Text(key, text) => {
                if self.list.selected().is_some_and(|row| row.key == key) {
                    let body = text.map_or_else(Body::Failed, Body::Loaded);
                    self.body = Some((key, body));
                }
            }
            Answer::Searched(ticket, hits) => {
                if ticket == self.search {
                    self.list.searched(hits);
                }
            }
            Answer::Block(of, block) => {
                if let Some(Overlay::Block { key, text }) = &mut self.overlay
                    && *key == of
                {
                    match block {
                        Ok(block) => *text = Some(block),
                        Err(why) => {
                            self.overlay = None;
                            self.notice = Some((format!("Not loaded: {why}"), false));
                        }
                    }
                }
            }
            Answer::Past(of, more) => {
                if let Some(versions) = self.versions_of(&of) {
                    let is_first = versions.found.is_empty();
                    versions.found.extend(more);
                    let wanted = if is_first { versions.wanted() } else { None };
                    return wanted.map(|wanted| Effect::Earlier(Box::new(wanted))).into_iter().collect();
                }
            }
            Answer::PastEnds(of, trouble) => {
                if let Some(versions) = self.versions_of(&of) {
                    (versions.whole, versions.trouble) = (true, trouble);
                }
            }
            Answer::Earlier(of, number, against, earlier) => {
                if let Some(versions) = self.versions_of(&of)
                    && (versions.at, versions.against) == (number, against)
                {
                    versions.read = Some(earlier);
                }
            }
            Answer::Edited(Ok(text)) if self.form().is_some() => return self.edited_in_form(&text),
            Answer::Shelf(ticket, answer) => return self.shelf_answered(ticket, answer),
            Answer::Save(ticket, answer) => return self.save_answered(ticket, answer),
            Answer::LookedUp(ticket, found) => self.looked_up(ticket, found),
            Answer::RemotePrepared(ticket, prepared) => self.remote_prepared(ticket, prepared),
            Answer::RemoteSaid(ticket, sentence) => self.remote_said(ticket, sentence),
            Answer::Edited(Ok(text)) => {
                if let Some((prompt, empty)) = self.prompt_mut() {
                    let (clean, _) = clean_paste(text.trim_end(), LONGEST_INPUT, true);
                    *prompt = Input::new(clean);
                    *empty = false;
                }
            }
            Answer::Edited(Err(why)) => self.notice = Some((why, false)),
            Answer::Said(sentence, good) => self.notice = Some((sentence, good)),
            Answer::Planned(..) | Answer::Started(_) | Answer::Output(..) | Answer::Finished(..) => {
                return self.resume_answered(answer);
            }
        }
        Vec::new()
    }

    /// The versions that are looked at, where they are of this row.
    fn versions_of(&mut self, key: &Key) -> Option<&mut Versions> {
        match &mut self.overlay {
            Some(Overlay::Versions(versions)) if Key::of(&versions.row) == *key => Some(versions),
            _ => None,
        }
    }

    /// Answers of a resume; those of another one than that on the screen are dropped.
    fn resume_answered(&mut self, answer: Answer) -> Vec<Effect> {
        let now = self.clock.unix;
        let Some(Overlay::Resume(resume)) = &mut self.overlay else { return Vec::new() };
        match (answer, &mut resume.step) {
            (Answer::Planned(ticket, planned), Step::Planning) if ticket == resume.ticket => {
                resume.step = match planned {
                    Ok(proposal) => Step::Asking {
                        proposal: Arc::new(proposal),
                        prompt: Input::default(),
                        empty: false,
                        seen: false,
                    },
                    Err(refused) => Step::Refused(refused),
                };
            }
            (Answer::Started(ticket), Step::Running(run)) if ticket == resume.ticket => {
                run.started = true;
                run.since = now;
                run.last_output = now;
            }
            (Answer::Output(ticket, bytes), Step::Running(run)) if ticket == resume.ticket => {
                run.output.push(&bytes);
                run.last_output = now;
            }
            (Answer::Finished(ticket, attempt), Step::Running(run)) if ticket == resume.ticket => {
                let leave = resume.leaving && run.stops > 0;
                resume.step = Step::Done(attempt, run.clone());
                self.overlay_top = 0;
                if leave {
                    return vec![Effect::Quit];
                }
            }
            _ => {}
        }
        Vec::new()
    }

    /// Something changed: it is read again. Verdicts of what did not change stay, unless HEAD moved.
    pub(super) fn moved(&mut self, moved: Moved) -> Vec<Effect> {
        // A resume is surveyed by itself, and its outcome is followed by a refresh; nothing moves under a yes.
        if matches!(self.overlay, Some(Overlay::Resume(_))) {
            let missed = self.missed.get_or_insert_default();
            missed.paths.extend(moved.paths);
            missed.everything |= moved.everything;
            return Vec::new();
        }
        match moved.everything {
            true => self.list.forget_judgements(),
            false => self.list.forget(&moved.paths),
        }
        self.generation += 1;
        vec![Effect::Scan(self.generation), Effect::Facts(self.generation)]
    }

    /// The moment of the last thing that happened.
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp(self.clock.unix, 0).unwrap_or_default()
    }

    /// Asks for judgements of all rows that have none: the seen ones first, as they stand.
    fn examine_all(&self) -> Vec<Effect> {
        let unjudged = self.list.visible().filter(|row| row.verdict().is_none());
        let mut rows: Vec<_> = unjudged.map(|row| row.listed.clone()).collect();
        place::order(&mut rows, self.now());
        let unseen = self.list.rows().iter().filter(|row| row.verdict().is_none());
        let seen: std::collections::HashSet<Key> = rows.iter().map(|row| Key::of(row)).collect();
        rows.extend(unseen.filter(|row| !seen.contains(&row.key)).map(|row| row.listed.clone()));
        let mut effects = Vec::new();
        if let Some(row) = self.list.selected() {
            effects.push(Effect::ExamineFirst(self.generation, row.listed.clone()));
            effects.push(Effect::Read(row.listed.clone()));
        }
        effects.push(Effect::Examine(self.generation, rows));
        effects
    }

    /// Another row is selected: its cursors start at the top, its text is read, its check comes first.
    pub(super) fn selection_changed(&mut self) -> Vec<Effect> {
        (self.detail_top, self.lane, self.check, self.drift) = (0, 0, 0, 0);
        self.body = None;
        if !self.panes().contains(&self.focus) {
            self.focus = Pane::List;
        }
        if !self.panes().contains(&self.beside) {
            self.beside = Pane::Detail;
        }
        let Some(row) = self.list.selected() else { return Vec::new() };
        let (key, listed, judged) = (row.key.clone(), row.listed.clone(), row.verdict().is_some());
        self.body = Some((key, Body::Loading));
        let mut effects = vec![Effect::Read(listed.clone())];
        if !judged {
            effects.push(Effect::ExamineFirst(self.generation, listed));
        }
        effects
    }
}
