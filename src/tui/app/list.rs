//! The list: rows in their groups, the filter, the selection and the scroll.
//!
//! Nothing jumps: once a person has moved, a row that arrives later keeps both the selection and the line it
//! stands on; and a verdict never changes the order.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use tui_input::Input;

use super::super::action::Key;
use super::super::filter::{Haystack, Query};
use crate::check::{Report, Verdict};
use crate::place::{self, Found, Listed, Scope, Skipped, State as Putting};

/// How far a row's check has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checking {
    /// Not yet, or right now.
    Pending,
    /// Judged.
    Done(Arc<Report>),
}

/// One row.
#[derive(Debug, Clone)]
pub struct Row {
    /// Which one.
    pub key: Key,
    /// What was found.
    pub listed: Arc<Listed>,
    /// Its judgement.
    pub checking: Checking,
    hay: Haystack,
}

impl Row {
    /// Its verdict, once there is one.
    pub fn verdict(&self) -> Option<Verdict> {
        self.report().map(|report| report.verdict)
    }

    /// How many of its lanes in flight are validated, and how many there are.
    pub fn validated(&self) -> (usize, usize) {
        self.report().map(|report| report.validated).unwrap_or_default()
    }

    /// Its report, once there is one.
    pub fn report(&self) -> Option<&Arc<Report>> {
        match &self.checking {
            Checking::Pending => None,
            Checking::Done(report) => Some(report),
        }
    }
}

/// One line of the list as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListLine {
    /// Between two groups.
    Gap,
    /// A group's name.
    Heading(&'static str),
    /// A row, by its place in the list.
    Row(usize),
}

/// All rows, and which of them are seen.
#[derive(Debug, Default)]
pub struct List {
    rows: Vec<Row>,
    places: HashMap<Key, usize>,
    visible: Vec<usize>,
    selected: Option<Key>,
    moved: bool,
    /// The first line that is seen.
    pub offset: usize,
    /// The list of what was put away is shown instead of the live one.
    pub put_away: bool,
    /// The filter's input.
    pub input: Input,
    hits: HashSet<Key>,
    /// A scan goes on.
    pub scanning: bool,
    /// What was found and is not listed.
    pub skipped: Vec<Skipped>,
    now: DateTime<Utc>,
}

impl List {
    /// All rows in order.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows that are seen, in order.
    pub fn visible(&self) -> impl ExactSizeIterator<Item = &Row> {
        self.visible.iter().map(|&n| &self.rows[n])
    }

    /// The filter.
    pub fn query(&self) -> Query {
        Query::parse(self.input.value())
    }

    /// The selected row.
    pub fn selected(&self) -> Option<&Row> {
        let n = self.place(self.selected.as_ref()?)?;
        Some(&self.rows[n])
    }

    /// Where a row stands among all.
    fn place(&self, key: &Key) -> Option<usize> {
        self.places.get(key).copied()
    }

    /// A row by its key.
    pub fn row(&self, key: &Key) -> Option<&Row> {
        self.place(key).map(|n| &self.rows[n])
    }

    /// Rows of this list and rows of the other one.
    pub fn counts(&self) -> (usize, usize) {
        let live = self.rows.iter().filter(|row| row.listed.state == Putting::Live).count();
        if self.put_away { (self.rows.len() - live, live) } else { (live, self.rows.len() - live) }
    }

    /// The lines as they are drawn: groups with their headings, a gap between them.
    pub fn lines(&self) -> Vec<ListLine> {
        let mut lines = Vec::with_capacity(self.visible.len() + 6);
        let mut group = None;
        for &n in &self.visible {
            let name = group_name(&self.rows[n].listed);
            if group != Some(name) {
                if group.is_some() {
                    lines.push(ListLine::Gap);
                }
                lines.push(ListLine::Heading(name));
                group = Some(name);
            }
            lines.push(ListLine::Row(n));
        }
        lines
    }

    /// The line that the selection stands on.
    pub fn selected_line(&self) -> Option<usize> {
        let n = self.place(self.selected.as_ref()?)?;
        self.lines().iter().position(|line| *line == ListLine::Row(n))
    }

    /// Takes rows in as they are found.
    pub fn add(&mut self, found: Vec<Found>, now: DateTime<Utc>) {
        self.now = now;
        let mut fresh = Vec::new();
        for one in found {
            match one {
                Found::Row(listed) => fresh.push(listed),
                Found::Skipped(skipped) => self.skipped.push(skipped),
            }
        }
        self.keeping_place(|list| {
            for listed in fresh {
                let key = Key::of(&listed);
                if let Some(n) = list.place(&key) {
                    list.rows[n].listed = listed;
                } else {
                    list.rows.push(Row {
                        hay: Haystack::of(&listed),
                        key,
                        listed,
                        checking: Checking::Pending,
                    });
                }
            }
        });
    }

    /// Puts the final rows in the place of those that came before. Judgements that were not forgotten are kept for
    /// files that did not change.
    pub fn settle(&mut self, rows: Vec<Arc<Listed>>, skipped: Vec<Skipped>, now: DateTime<Utc>) {
        self.now = now;
        self.skipped = skipped;
        self.keeping_place(|list| {
            let mut old: HashMap<Key, Row> = list.rows.drain(..).map(|row| (row.key.clone(), row)).collect();
            for listed in rows {
                let key = Key::of(&listed);
                // A judgement is of one file with one content.
                let is_same = |old: &Listed| {
                    (old.file, old.bytes, old.modified) == (listed.file, listed.bytes, listed.modified)
                };
                let before = old.remove(&key).filter(|row| is_same(&row.listed)).map(|row| row.checking);
                let checking = before.unwrap_or(Checking::Pending);
                list.rows.push(Row { hay: Haystack::of(&listed), key, listed, checking });
            }
            if let Some(gone) =
                list.selected.clone().filter(|key| !list.rows.iter().any(|row| row.key == *key))
            {
                let host = list.rows.iter().find(|row| row.listed.twins.contains(&gone.path));
                list.selected = host.map(|row| row.key.clone());
            }
        });
    }

    /// Gives rows better times without judging them anew.
    pub fn date(&mut self, rows: Vec<Arc<Listed>>) {
        self.keeping_place(|list| {
            for listed in rows {
                if let Some(n) = list.place(&Key::of(&listed)) {
                    list.rows[n].listed = listed;
                }
            }
        });
    }

    /// Takes a judgement in. The order stays.
    pub fn judged(&mut self, key: &Key, report: Arc<Report>) {
        if let Some(n) = self.place(key) {
            self.rows[n].checking = Checking::Done(report);
            if self.query().asks_for_verdicts() {
                self.look();
            }
        }
    }

    /// Forgets the judgements of what lies at these paths or below them.
    pub fn forget(&mut self, paths: &std::collections::BTreeSet<std::path::PathBuf>) {
        for row in &mut self.rows {
            if row.key.path.ancestors().any(|path| paths.contains(path)) {
                row.checking = Checking::Pending;
            }
        }
    }

    /// Every row is to be judged anew.
    pub fn forget_judgements(&mut self) {
        for row in &mut self.rows {
            row.checking = Checking::Pending;
        }
    }

    /// Takes in which rows have the filter's words in their whole text.
    pub fn searched(&mut self, hits: HashSet<Key>) {
        self.hits = hits;
        self.look();
    }

    /// The filter's words have changed.
    pub fn filter_changed(&mut self) {
        self.hits.clear();
        self.offset = 0;
        self.look();
    }

    /// Shows the other list.
    pub fn swap(&mut self) {
        self.put_away = !self.put_away;
        self.moved = false;
        self.selected = None;
        self.offset = 0;
        self.look();
    }

    /// Moves the selection by rows, saturating.
    pub fn step(&mut self, by: isize) {
        let last = self.visible.len().saturating_sub(1);
        let now = self.selected_rank().unwrap_or(0);
        self.go(now.saturating_add_signed(by).min(last));
    }

    /// Selects the row at a place among the seen ones.
    pub fn go(&mut self, rank: usize) {
        if let Some(&n) = self.visible.get(rank.min(self.visible.len().saturating_sub(1))) {
            self.selected = Some(self.rows[n].key.clone());
            self.moved = true;
        }
    }

    /// Scrolls as little as is needed to see the selection, with its group's heading where that fits.
    pub fn scroll_to_selection(&mut self, height: usize) {
        let Some(line) = self.selected_line() else {
            self.offset = 0;
            return;
        };
        if height == 0 {
            return;
        }
        let lines = self.lines();
        let with_heading =
            if line > 0 && matches!(lines[line - 1], ListLine::Heading(_)) { line - 1 } else { line };
        if with_heading < self.offset && line.saturating_sub(with_heading) < height {
            self.offset = with_heading;
        }
        if line < self.offset {
            self.offset = line;
        }
        if line >= self.offset + height {
            self.offset = line + 1 - height;
        }
        self.offset = self.offset.min(lines.len().saturating_sub(height));
    }

    /// Selects the first row that is seen and lies at one of these paths; the rest stays as it is.
    pub fn go_to(&mut self, paths: &[std::path::PathBuf]) {
        let rank = self.visible().position(|row| paths.contains(&row.key.path));
        if let Some(rank) = rank {
            self.go(rank);
        }
    }

    fn selected_rank(&self) -> Option<usize> {
        let n = self.place(self.selected.as_ref()?)?;
        self.visible.iter().position(|&v| v == n)
    }

    /// Changes the rows and keeps the selected one on its line of the screen.
    fn keeping_place(&mut self, change: impl FnOnce(&mut Self)) {
        let before = self.selected_line().filter(|_| self.moved);
        // The rank is asked for while the rows are what they were.
        let neighbours = self.neighbours();
        change(self);
        self.sort();
        self.look_beside(&neighbours);
        if let (Some(before), Some(after)) = (before, self.selected_line()) {
            self.offset = (self.offset + after).saturating_sub(before);
        }
    }

    /// Groups, and in each the order that every list has.
    fn sort(&mut self) {
        let mut listed: Vec<_> = self.rows.iter().map(|row| row.listed.clone()).collect();
        place::order(&mut listed, self.now);
        let ranks: HashMap<*const Listed, usize> =
            listed.iter().enumerate().map(|(rank, listed)| (Arc::as_ptr(listed), rank)).collect();
        self.rows.sort_by_key(|row| (group_rank(&row.listed), ranks.get(&Arc::as_ptr(&row.listed)).copied()));
        self.places = self.rows.iter().enumerate().map(|(n, row)| (row.key.clone(), n)).collect();
    }

    /// The seen rows from the selected one on, then those before it, the nearest first: where the selection goes when
    /// its row is gone. Until a person has moved it goes to the first one.
    fn neighbours(&self) -> Vec<Arc<Listed>> {
        let Some(rank) = self.selected_rank().filter(|_| self.moved) else { return Vec::new() };
        let (before, after) = self.visible.split_at(rank);
        after.iter().chain(before.iter().rev()).map(|&n| self.rows[n].listed.clone()).collect()
    }

    /// Finds out which rows are seen. Until a person has moved, the selection rests on the first one.
    fn look(&mut self) {
        let neighbours = self.neighbours();
        self.look_beside(&neighbours);
    }

    /// The same, with the rows to which a selection goes that is not seen any more.
    fn look_beside(&mut self, neighbours: &[Arc<Listed>]) {
        let query = self.query();
        let here = |row: &Row| (row.listed.state != Putting::Live) == self.put_away;
        let fits = query.fitting(self.rows.iter().map(|row| &row.hay));
        self.visible = (0..self.rows.len())
            .filter(|&n| {
                let row = &self.rows[n];
                here(row)
                    && query.facets_fit(&row.listed, row.verdict())
                    && (fits[n] || self.hits.contains(&row.key))
            })
            .collect();
        if !self.moved || self.selected_rank().is_none() {
            let seen: HashSet<usize> = self.visible.iter().copied().collect();
            let is_seen = |row: &Arc<Listed>| self.place(&Key::of(row)).filter(|n| seen.contains(n));
            let n = neighbours.iter().find_map(is_seen).or(self.visible.first().copied());
            self.selected = n.map(|n| self.rows[n].key.clone());
        }
    }
}

fn group_rank(row: &Listed) -> (Putting, Scope) {
    (row.state, row.scope)
}

/// The heading that a row stands under.
fn group_name(row: &Listed) -> &'static str {
    match (row.state, row.scope) {
        (Putting::Archived, _) => "ARCHIVED",
        (Putting::Trashed, _) => "TRASH",
        (Putting::Live, Scope::Plan) => "PLAN-SCOPED",
        (Putting::Live, Scope::Project) => "PROJECT",
        (Putting::Live, Scope::Global) => "GLOBAL",
    }
}
