//! What a name that somebody typed means. A bare name is one of this project or the home directory first: another
//! worktree's handoff of the same name is never taken in its stead without a word. What is read may be named by a part;
//! what is moved only by a whole name.

use std::path::Path;
use std::sync::Arc;

use super::desk::Desk;
use super::{Answer, Stop, text};
use crate::handoff::{Inert, count_of};
use crate::place::{self, Asker, Listed, Near, Reach, Scope, State};
use crate::shelf::Verb;

/// How many rows that a name could mean are told.
const MOST: usize = 12;

type Rows = Vec<Arc<Listed>>;

/// The rows of a listing, by how near they are to whoever names them.
pub struct Naming<'a> {
    desk: &'a Desk,
    asker: Asker<'a>,
    /// This project's and the home directory's: in use, and put away.
    own: [Rows; 2],
    /// Other worktrees', likewise.
    others: [Rows; 2],
    /// What other projects put away.
    foreign: Rows,
}

/// Which of two kinds of rows.
const LIVE: usize = 0;
const AWAY: usize = 1;

impl<'a> Naming<'a> {
    /// Sorts the rows.
    pub fn new(desk: &'a Desk, rows: &[Arc<Listed>]) -> Self {
        let mut naming = Self {
            desk,
            asker: desk.asker(),
            own: Default::default(),
            others: Default::default(),
            foreign: Rows::new(),
        };
        for row in rows {
            let kind = if row.state == State::Live { LIVE } else { AWAY };
            let row = Arc::clone(row);
            match naming.asker.near(&row) {
                Near::Own => naming.own[kind].push(row),
                Near::Worktree => naming.others[kind].push(row),
                Near::Foreign => naming.foreign.push(row),
            }
        }
        naming
    }

    fn reached(&self, name: &str, reach: Reach, rows: &[Arc<Listed>]) -> Rows {
        place::named(name, reach, &self.asker, rows)
    }

    /// What anybody has, in use first, then what was put away. What another project put away answers to its path, its id
    /// and where it was, and to nothing else.
    fn anywhere(&self, name: &str, reach: Reach, fits: &dyn Fn(&Listed) -> bool) -> Rows {
        let with = |rows: [&Rows; 3]| {
            let rows: Rows = rows.into_iter().flatten().filter(|row| fits(row)).cloned().collect();
            self.reached(name, reach, &rows)
        };
        let none = Rows::new();
        let live = with([&self.own[LIVE], &self.others[LIVE], &none]);
        if !live.is_empty() {
            return live;
        }
        let is_sure = matches!(reach, Reach::Path | Reach::Id);
        with([&self.own[AWAY], &self.others[AWAY], if is_sure { &self.foreign } else { &none }])
    }

    /// The rows that are read by this name, several only of one file; none where it means nothing.
    ///
    /// # Errors
    /// Several, or this project's own one is put away and only another worktree has one in use.
    pub fn read(&self, name: &str) -> Result<Rows, Stop> {
        let any = |_: &Listed| true;
        let found = self.anywhere(name, Reach::Path, &any);
        if let Some(row) = found.first() {
            if row.state != State::Live && row.path != self.desk.names_from.join(name) {
                self.is_only_here(name, row, &self.reached(name, Reach::Name, &self.others[LIVE]))?;
            }
            return self.of_path(name, found);
        }
        let found = self.anywhere(name, Reach::Id, &any);
        if !found.is_empty() {
            return self.one(name, found);
        }
        for reach in [Reach::Name, Reach::File] {
            if let Some(found) = self.nearest(name, reach)? {
                return self.one(name, found);
            }
        }
        for reach in [Reach::IdPrefix, Reach::InWorktree, Reach::PartInWorktree] {
            let found = self.anywhere(name, reach, &any);
            if !found.is_empty() {
                return self.one(name, found);
            }
        }
        match self.nearest(name, Reach::Part)? {
            Some(found) => self.one(name, found),
            None => Ok(Rows::new()),
        }
    }

    /// The nearest rows that a bare name reaches.
    fn nearest(&self, name: &str, reach: Reach) -> Result<Option<Rows>, Stop> {
        let mut own = self.reached(name, reach, &self.own[LIVE]);
        let mut others = self.reached(name, reach, &self.others[LIVE]);
        let away = self.reached(name, reach, &self.own[AWAY]);
        if reach == Reach::Part {
            // A worktree's name alone is as much a name as a part of a plan's.
            let trees = [&self.own[LIVE][..], &self.others[LIVE]].concat();
            let trees = self.reached(name, Reach::Worktree, &trees);
            let is_put_away = own.is_empty() && !away.is_empty();
            let into = if is_put_away { &mut others } else { &mut own };
            for row in trees {
                if !into.iter().any(|there| Arc::ptr_eq(there, &row)) {
                    into.push(row);
                }
            }
        }
        if !own.is_empty() {
            return Ok(Some(own));
        }
        if let Some(row) = away.first() {
            self.is_only_here(name, row, &others)?;
            return Ok(Some(away));
        }
        if others.is_empty() {
            others = self.reached(name, reach, &self.others[AWAY]);
        }
        Ok(Some(others).filter(|rows| !rows.is_empty()))
    }

    /// Stops where others have in use what was put away here: theirs is never read instead without a word.
    fn is_only_here(&self, name: &str, row: &Listed, others: &[Arc<Listed>]) -> Result<(), Stop> {
        match others.is_empty() {
            true => Ok(()),
            false => {
                let said = format!("{} {}{}", text::word(name), put_away(row), self.elsewhere(others));
                Err(Stop::no(said))
            }
        }
    }

    /// The rows that a verb moves by this name, several only of one file.
    ///
    /// # Errors
    /// Several; nothing that could be moved so, and why.
    pub fn moved(&self, verb: Verb, name: &str, wanted: fn(State) -> bool) -> Result<Rows, Stop> {
        let fits = move |row: &Listed| wanted(row.state);
        let found = self.anywhere(name, Reach::Path, &fits);
        if !found.is_empty() {
            return self.of_path(name, found);
        }
        let found = self.anywhere(name, Reach::Id, &fits);
        if !found.is_empty() {
            return self.one(name, found);
        }
        for rows in &self.own {
            let rows: Rows = rows.iter().filter(|row| fits(row)).cloned().collect();
            let found = self.reached(name, Reach::Name, &rows);
            if !found.is_empty() {
                return self.one(name, found);
            }
        }
        self.is_elsewhere(verb, name, &fits)?;
        for reach in [Reach::IdPrefix, Reach::InWorktree] {
            let found = self.anywhere(name, reach, &fits);
            if !found.is_empty() {
                return self.one(name, found);
            }
        }
        self.is_whole(verb, name, &fits)?;
        self.is_near(name)?;
        Ok(Rows::new())
    }

    /// Stops where this project's own one of a name is in another state, or another worktree has one: that is never
    /// taken instead.
    fn is_elsewhere(&self, verb: Verb, name: &str, fits: &dyn Fn(&Listed) -> bool) -> Result<(), Stop> {
        let others: Rows = self.others.concat().into_iter().filter(|row| fits(row)).collect();
        let others = self.reached(name, Reach::Name, &others);
        let own = self.own.concat();
        let any = |_: &Listed| true;
        let sure = [Reach::Path, Reach::Id].into_iter().map(|reach| self.anywhere(name, reach, &any));
        let named =
            sure.chain([self.reached(name, Reach::Name, &own), self.anywhere(name, Reach::InWorktree, &any)]);
        let state = named.into_iter().find_map(|rows| rows.into_iter().find(|row| !fits(row)));
        if let Some(row) = state {
            let elsewhere = if verb == Verb::PutBack { String::new() } else { self.elsewhere(&others) };
            return Err(stands(verb, name, &row, &elsewhere));
        }
        match others.is_empty() {
            true => Ok(()),
            false => {
                let there = self.choices(&others, " or ");
                let shown = text::word(name);
                Err(Stop::no(format!(
                    "{shown} is not here; there is one in another worktree: name it as {there}"
                )))
            }
        }
    }

    /// Stops where only a part of a name fits: what is moved is named by all of it.
    fn is_whole(&self, verb: Verb, name: &str, fits: &dyn Fn(&Listed) -> bool) -> Result<(), Stop> {
        let rows: Rows = [&self.own[..], &self.others[..]].concat().concat();
        let rows: Rows = rows.into_iter().filter(|row| fits(row)).collect();
        let parts = [Reach::File, Reach::Part, Reach::Worktree, Reach::PartInWorktree];
        let mut found: Rows = parts.into_iter().flat_map(|part| self.reached(name, part, &rows)).collect();
        if found.is_empty() {
            found = self.reached(name, Reach::PartOfStem, &rows);
        }
        let mut said: Vec<String> = Vec::new();
        for row in found {
            let line = format!("  moorline {} {}", verb.word(), quoted(&self.whole_name(&row)));
            if !said.contains(&line) {
                said.push(line);
            }
        }
        if said.is_empty() {
            let state = self.reached(name, Reach::File, &self.own.concat());
            return state.first().map_or(Ok(()), |row| Err(stands(verb, name, row, "")));
        }
        let more = said.len().saturating_sub(MOST);
        said.truncate(MOST);
        if more > 0 {
            said.push(format!("  … and {more} more"));
        }
        let shown = text::word(name);
        Err(Stop::bad(format!(
            "{shown} is only a part of a name, and nothing is moved by that; say:\n{}",
            said.join("\n")
        )))
    }

    /// Stops where only another project put something away under this name.
    fn is_near(&self, name: &str) -> Result<(), Stop> {
        let far = [Reach::Name, Reach::File, Reach::PartOfStem].into_iter();
        let Some(row) = far.flat_map(|reach| self.reached(name, reach, &self.foreign)).next() else {
            return Ok(());
        };
        let origin = text::path(row.origin.as_deref().unwrap_or(&row.path));
        let shown = text::word(name);
        Err(Stop::no(format!(
            "no handoff of this project is called {shown}; in the trash is one of another project: name it as {origin}"
        )))
    }

    /// The rows of a path: several records of one file are all of it.
    fn of_path(&self, name: &str, rows: Rows) -> Result<Rows, Stop> {
        match rows.iter().all(|row| row.path == rows[0].path) {
            true => Ok(rows),
            false => Err(self.desk.several(name, &rows)),
        }
    }

    /// Rows of which only one is meant.
    fn one(&self, name: &str, rows: Rows) -> Result<Rows, Stop> {
        match rows.len() {
            0 | 1 => Ok(rows),
            _ => Err(self.desk.several(name, &rows)),
        }
    }

    /// A name that means exactly this row when something is moved.
    fn whole_name(&self, row: &Arc<Listed>) -> String {
        let plan = row.path.parent().and_then(Path::file_name).filter(|_| row.scope == Scope::Plan);
        let plan = plan.map(|plan| plan.to_string_lossy().into_owned());
        let is_its = |plan: &String| {
            let kind = if row.state == State::Live { LIVE } else { AWAY };
            let found = self.reached(plan, Reach::Name, &self.own[kind]);
            found.len() == 1 && Arc::ptr_eq(&found[0], row)
        };
        plan.filter(is_its).unwrap_or_else(|| self.desk.label(row))
    }

    /// That other worktrees have copies of what is put away here.
    fn elsewhere(&self, others: &[Arc<Listed>]) -> String {
        if others.is_empty() {
            return String::new();
        }
        format!("; another copy lies in another worktree: name it as {}", self.choices(others, " or "))
    }

    /// Rows by names that mean each of them.
    fn choices(&self, rows: &[Arc<Listed>], or: &str) -> String {
        let named = |row: &Arc<Listed>| format!("“{}” ({})", self.desk.label(row), text::path(&row.path));
        let mut said: Vec<_> = rows.iter().take(MOST).map(named).collect();
        if rows.len() > MOST {
            said.push(count_of(rows.len() - MOST, "other", "others"));
        }
        said.join(or)
    }

    /// What a word that names nothing may have been a part of.
    pub fn hint(&self, name: &str) -> String {
        let found = match name.chars().count() {
            0..=2 => Rows::new(),
            _ => self.reached(name, Reach::PartOfStem, &[&self.own[LIVE][..], &self.others[LIVE]].concat()),
        };
        match found.is_empty() {
            true => String::new(),
            false => format!("; it is a part of the name of {}", self.choices(&found, " and ")),
        }
    }
}

/// Where a row is that was put away, and what brings it back.
pub fn put_away(row: &Listed) -> String {
    let place = if row.state == State::Archived { "archived" } else { "in the trash" };
    format!("is {place}: `moorline put-back {}` brings it back", row.id)
}

/// Why a verb leaves a row alone: the state that it is in.
fn stands(verb: Verb, name: &str, row: &Listed, elsewhere: &str) -> Stop {
    let shown = text::word(name);
    Stop::no(match row.state {
        State::Live => format!("{shown} is not put away"),
        State::Archived if verb == Verb::Archive => {
            format!("{shown} is archived already: `moorline put-back {}` brings it back{elsewhere}", row.id)
        }
        _ => format!("{shown} {}{elsewhere}", put_away(row)),
    })
}

/// A word as a shell takes it for one.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:+@,=%".contains(c);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

impl Desk {
    /// Whoever types at this desk.
    pub fn asker(&self) -> Asker<'_> {
        Asker::new(&self.names_from, self.roots())
    }

    /// A row as one can type it: its path below the project, `worktree: path` for one of another worktree, the whole
    /// path for all else; a record with the beginning of its id.
    pub fn label(&self, row: &Listed) -> String {
        let asker = self.asker();
        let project = self.examiner.project();
        let place = match row.state {
            _ if row.scope == Scope::Global => text::path(&row.path),
            State::Trashed => text::path(&row.path),
            _ if row.root == project => text::path(&row.relative),
            _ => match asker.worktree(&row.root) {
                Some(worktree) => format!("{}: {}", text::path(worktree), text::path(&row.relative)),
                None => text::path(&row.path),
            },
        };
        format!("{place}{}", text::record(row))
    }

    /// Says that a name means several rows, and which, each with what tells it from the others.
    pub fn several(&self, name: &str, rows: &[Arc<Listed>]) -> Stop {
        let said =
            format!("{} names several handoffs; say which:\n{}", text::word(name), self.told_apart(rows));
        Stop::Said(Answer::Bad, said)
    }

    /// One line for each row: its id, what one can type, when it was saved, and what it is about.
    pub fn told_apart(&self, rows: &[Arc<Listed>]) -> String {
        let line = |row: &Arc<Listed>| {
            let handoff = &row.handoff;
            let title = handoff.title.as_ref().or(text::about(handoff)).map(Inert::shown_line);
            let record =
                handoff.record_id.as_ref().map(|record| format!("  record {record}")).unwrap_or_default();
            let about = handoff.next_action().filter(|_| handoff.record_id.is_some()).map(Inert::shown_line);
            let about =
                about.or(title).map(|about| format!("  {}", text::cut(&about, 60))).unwrap_or_default();
            let saved = row.saved_at.moment.to_text();
            let away = match row.state {
                State::Live => "",
                State::Archived => ", archived",
                State::Trashed => ", in the trash",
            };
            format!("  {}  {}  ({saved}{away}){record}{about}", row.id, self.label(row))
        };
        rows.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}
