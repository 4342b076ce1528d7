//! What the labels of a page say: date, branch, commit, phase, status, and steps that stand on a label's line.

use std::collections::BTreeSet;

use super::lists::says_nothing_now;
use super::rolling::Sitting;
use super::standing::{Place, foot};
use super::{data, doubtful_date, prose};
use crate::handoff::facts::{branch_of, commit_beside_branch, commit_of};
use crate::handoff::ident::{BranchName, Revision};
use crate::handoff::inert::Inert;
use crate::handoff::items::keyed;
use crate::handoff::labels::{self, Fit, Known, Label, is_nothing, is_placeholder};
use crate::handoff::markdown::{Kind, Line, is_rule};
use crate::handoff::model::{ClockSource, Handoff, SavedAt, Value};
use crate::handoff::outline::Outline;
use crate::handoff::pairs::{self, Pair};
use crate::handoff::problem::{Position, Problem};
use crate::handoff::time::Moment;
use crate::handoff::time::read::{self, Reading};

/// Facts found so far, in the order of reading.
#[derive(Debug, Default)]
pub(super) struct Facts {
    dates: Vec<Date>,
    branches: Vec<Stated<BranchName>>,
    commits: Vec<Stated<Revision>>,
    beside: Option<Revision>,
    phase: Option<String>,
    status: Option<String>,
    /// Steps that stand on a label's line.
    pub(super) next: Vec<String>,
    /// Blockers likewise.
    pub(super) blocked: Vec<String>,
    title: Option<Inert>,
    said: Vec<(u32, Pair)>,
    notes: Vec<Problem>,
    prose_branches: BTreeSet<BranchName>,
    prose_commits: BTreeSet<Revision>,
}

#[derive(Debug)]
struct Date {
    label: Label,
    moment: Moment,
    written: String,
    /// It stands in the newest sitting, or the file is no log.
    own: bool,
    /// It stands in a quotation.
    quoted: bool,
}

/// A value under a label, and the section it stands in.
#[derive(Debug)]
struct Stated<T> {
    value: T,
    section: Option<usize>,
    line: u32,
    /// It stands in a block that is indented like code: it counts where nothing else is said.
    in_code: bool,
    /// It stands in a quotation: it counts where its section says nothing else.
    quoted: bool,
}

impl Facts {
    /// Front matter goes first; its lists are the file's lists.
    pub(super) fn take_front(&mut self, front: &data::Front, handoff: &mut Handoff) {
        handoff.continuation.clone_from(&front.continuation);
        self.title.clone_from(&front.handoff.title);
        let own = &front.handoff;
        if let Some(saved) = &own.saved_at {
            let written = saved.written.raw().to_owned();
            self.dates.push(Date {
                label: front.date_label,
                moment: saved.moment,
                written,
                own: true,
                quoted: false,
            });
        }
        let stated = |line| (None, line);
        if let Some(branch) = &own.branch {
            let (section, line) = stated(front.line_of("branch"));
            self.branches.push(Stated {
                value: branch.clone(),
                section,
                line,
                in_code: false,
                quoted: false,
            });
        }
        if let Some(commit) = &own.commit {
            let (section, line) = stated(front.line_of("commit"));
            self.commits.push(Stated { value: commit.clone(), section, line, in_code: false, quoted: false });
        }
        self.phase = own.phase.as_ref().map(|text| text.raw().to_owned());
        self.status = own.status.as_ref().map(|text| text.raw().to_owned());
        self.next = own.next_actions.iter().map(|text| text.raw().to_owned()).collect();
        self.blocked = own.blockers.iter().map(|text| text.raw().to_owned()).collect();
        handoff.fields = own.fields.clone();
        handoff.problems.extend(own.problems.iter().cloned());
    }

    /// Labels of the first lines and of the sections that hold facts.
    pub(super) fn take_lines(&mut self, lines: &[Line<'_>], outline: &Outline) {
        let mut seen = 0;
        let mut i = 0;
        let foot = foot(lines);
        // In a log the newest sitting ends with an empty heading; what follows is older or general.
        let own_end = lines
            .iter()
            .position(|line| line.kind == Kind::Heading(1) && line.text.is_empty())
            .unwrap_or(lines.len());
        while i < lines.len() {
            let line = &lines[i];
            seen += usize::from(matches!(line.kind, Kind::Text | Kind::Heading(_)));
            let mut place = Place::of(outline, outline.owner[i], seen);
            place.in_code = is_indented(line);
            place.quoted = line.text.trim_start().starts_with('>');
            let own = i < own_end;
            match line.kind {
                Kind::Text if place.holds_facts || place.is_plan && line.text.contains("urrent ") => {
                    let rows: Vec<(u32, Vec<String>)> = lines[i..]
                        .iter()
                        .map_while(|line| {
                            Some((line.number, pairs::row(line.bare()).filter(|_| line.kind == Kind::Text)?))
                        })
                        .collect();
                    if rows.is_empty() {
                        self.take_line(line, &lines[i + 1..], &place, own);
                        i += 1;
                    } else {
                        i += rows.len();
                        seen += rows.len() - 1;
                        for (line, pair) in pairs::table_pairs(&rows) {
                            self.take(line, pair, &place, own);
                        }
                    }
                }
                Kind::Text if i >= foot => {
                    let is_old = outline.path(outline.owner[i]).any(|s| labels::begins_past(&s.name));
                    self.take_foot(line, own && !is_old);
                    i += 1;
                }
                _ => i += 1,
            }
        }
        self.take_sections(lines, outline);
    }

    /// Takes one line in; its last value can go on in the lines below.
    fn take_line(&mut self, line: &Line<'_>, below: &[Line<'_>], place: &Place, own: bool) {
        let mut found = pairs::pairs_said(line.said());
        if let Some(last) = found.last_mut() {
            unwrap(last, below);
        }
        let names = |label| found.iter().any(|pair| pair.known.label == label);
        if place.holds_facts {
            if !names(Label::Saved)
                && let Some(pair) = pairs::leading_date(line.said())
            {
                self.take(line.number, pair, place, own);
            }
            if place.says_where {
                let named = prose::named(&line.text);
                if !names(Label::Branch) {
                    self.prose_branches.extend(named.branches);
                }
                if !names(Label::Commit) {
                    self.prose_commits.extend(named.commits);
                }
            }
            if found.is_empty() && place.is_head {
                self.take_bare_date(line, place, own);
            }
        }
        for pair in found {
            self.take(line.number, pair, place, own);
        }
    }

    /// A line near the top that is a date and nothing else, or begins with one that a bar sets apart.
    fn take_bare_date(&mut self, line: &Line<'_>, place: &Place, own: bool) {
        let text = line.bare().trim();
        let first =
            [" · ", " | "].iter().find_map(|bar| text.split_once(bar)).map_or(text, |(first, _)| first);
        let text = first.trim_matches(['*', '_', '(', ')', '`', ' ']);
        // `Deadline: 2026-12-24` is some other field; a name in another script is more likely one that nobody listed.
        let lead = text.split(|c: char| c.is_numeric()).next().unwrap_or("");
        let is_field = lead.contains([':', '：']) && (lead.is_ascii() || labels::is_due(lead));
        if text.chars().count() <= 40
            && !is_field
            && read::begins_with_date(text)
            && let Reading::Found(moment) = read::heading(text)
        {
            let written = text.to_owned();
            self.dates.push(Date { label: Label::Dated, moment, written, own, quoted: place.quoted });
        }
    }

    /// What the foot of a page says of when it was written, and of what comes next.
    fn take_foot(&mut self, line: &Line<'_>, own: bool) {
        let found = pairs::pairs_said(line.said());
        for pair in found.into_iter().chain(pairs::leading_date(line.said())) {
            if pair.known.label == Label::Next && own && !pair.bare && !is_number_or_date(&pair.value) {
                self.next.push(pair.value);
            } else if matches!(pair.known.label, Label::Saved | Label::Dated)
                && read::begins_with_date(&pair.value)
            {
                self.take_date(line.number, pair.known, &pair.value, own, false);
                self.said.push((line.number, pair));
            }
        }
    }

    fn take(&mut self, line: u32, pair: Pair, place: &Place, own: bool) {
        let value = pair.value.as_str();
        if value.is_empty() || is_placeholder(value) || pair.bare && prose::tells_of_another(&pair) {
            return;
        }
        match pair.known.label {
            Label::Next if is_number_or_date(value) => return,
            Label::Next if place.holds_facts => self.next.push(value.to_owned()),
            Label::Blockers
                if place.holds_facts
                    && !matches!(value.to_lowercase().as_str(), "yes" | "true" | "да" | "是") =>
            {
                self.blocked.push(value.to_owned());
            }
            _ if !(place.holds_facts || place.is_plan && says_current(&pair)) => return,
            // `Data` is the date in one language and a heap of numbers in another: it must be a date alone.
            Label::Dated
                if pair.name.eq_ignore_ascii_case("data") && read::heading(value).moment().is_none() => {}
            Label::Saved | Label::Dated | Label::Created => {
                self.take_date(line, pair.known, value, own, place.quoted);
            }
            // `Session: 2026-03-20, 14:00` says when it was.
            Label::Facts if names_a_sitting(&pair.name) && read::begins_with_date(value) => {
                let known = Known { label: Label::Dated, ..pair.known };
                self.take_date(line, known, value, own, place.quoted);
            }
            Label::Branch => {
                if prose::says_gone(value) {
                    return;
                }
                if let Some(branch) = branch_of(value) {
                    if self.branches.is_empty() {
                        let both = pair.name.contains(['/', '&', '@', '+']) || pair.name.contains(" and ");
                        let rest = both.then(|| value.rsplit([' ', '/', '@']).find_map(commit_of)).flatten();
                        self.beside = commit_beside_branch(value).or(rest);
                    }
                    self.branches.push(place.stated(branch, line));
                } else if let Some(commit) = commit_of(value).filter(|_| value.contains("HEAD")) {
                    self.beside.get_or_insert(commit);
                }
            }
            Label::Commit => {
                if let Some(commit) = commit_of(value) {
                    self.commits.push(place.stated(commit, line));
                }
            }
            Label::Phase => {
                self.phase.get_or_insert_with(|| value.to_owned());
            }
            Label::Status => {
                // `Status (2026-06-12): red`.
                if pair.name.contains('(') && read::heading(&pair.name).moment().is_some() {
                    let known = Known { label: Label::Dated, ..pair.known };
                    self.take_date(line, known, &pair.name, own, place.quoted);
                }
                self.status.get_or_insert_with(|| value.to_owned());
            }
            _ => return,
        }
        self.said.push((line, pair));
    }

    fn take_date(&mut self, line: u32, known: Known, value: &str, own: bool, quoted: bool) {
        match read::value(value, known.order) {
            Reading::Found(moment) => {
                self.dates.push(Date { label: known.label, moment, written: value.to_owned(), own, quoted });
            }
            Reading::Doubtful(why) => self.notes.push(doubtful_date(line, value, why)),
            Reading::Nothing => {}
        }
    }

    /// Sections that are named like a field and hold its value.
    fn take_sections(&mut self, lines: &[Line<'_>], outline: &Outline) {
        for (i, section) in outline.sections.iter().enumerate() {
            let Some((known, Fit::Whole)) = section.known else { continue };
            let field = matches!(
                known.label,
                Label::Branch | Label::Commit | Label::Saved | Label::Dated | Label::Phase
            );
            if !field
                || outline.path(section.parent).any(|around| around.label().is_some_and(says_nothing_now))
            {
                continue;
            }
            let found = outline.content(lines, i);
            let Some(item) = found.items.first().or(found.paragraph.as_ref()) else { continue };
            // `## Last session` with a story below is no date.
            let is_date = matches!(known.label, Label::Saved | Label::Dated);
            if is_date && (item.text.chars().count() > 60 || !read::begins_with_date(&item.text)) {
                continue;
            }
            let pair = Pair { known, name: section.name.clone(), value: item.text.clone(), bare: false };
            self.take(item.line, pair, &Place::of_section(i), true);
        }
    }

    /// Writes what is certain into the handoff.
    pub(super) fn settle(
        &mut self,
        handoff: &mut Handoff,
        sitting: Option<&Sitting>,
        lines: &[Line<'_>],
        outline: &Outline,
    ) {
        handoff.branch = one_of(&self.branches, "branch", &mut self.notes, |a, b| a == b)
            .or_else(|| self.branches.is_empty().then(|| only(&self.prose_branches)).flatten());
        handoff.commit = one_of(&self.commits, "commit", &mut self.notes, |a, b| {
            a.as_str().starts_with(b.as_str()) || b.as_str().starts_with(a.as_str())
        })
        .or_else(|| {
            self.commits
                .is_empty()
                .then(|| self.beside.clone().or_else(|| only(&self.prose_commits)))
                .flatten()
        });
        handoff.phase = self.phase.as_deref().filter(|text| !is_nothing(text)).map(Inert::from);
        handoff.status = self.status.as_deref().map(Inert::from);
        if handoff.title.is_none() {
            handoff.title.clone_from(&self.title);
        }
        handoff.saved_at = self.saved_at(sitting, lines, outline);
        handoff.problems.append(&mut self.notes);
    }

    /// A declared time beats a heading's date; a date of creation does not, and what stands outside of the
    /// newest sitting says when the log was touched only where it says so.
    fn saved_at(&self, sitting: Option<&Sitting>, lines: &[Line<'_>], outline: &Outline) -> Option<SavedAt> {
        let declared = |label: Label| {
            self.dates.iter().filter(move |date| date.label == label && (date.own || label == Label::Saved))
        };
        let as_saved = |date: &Date| SavedAt {
            moment: date.moment,
            written: date.written.as_str().into(),
            source: ClockSource::Declared,
        };
        let newest =
            declared(Label::Saved).max_by_key(|date| (date.own, date.moment.day(), std::cmp::Reverse(0)));
        let dated = || declared(Label::Dated).min_by_key(|date| date.quoted);
        if let Some(date) = newest.or_else(dated) {
            return Some(as_saved(date));
        }
        let heading = match sitting {
            Some(sitting) => sitting.moment.map(|moment| (moment, sitting.heading.clone())),
            None => heading_date(lines, outline),
        };
        heading
            .map(|(moment, written)| SavedAt {
                moment,
                written: written.into(),
                source: ClockSource::Heading,
            })
            .or_else(|| declared(Label::Created).next().map(as_saved))
    }

    /// Adds the labels that were read to the recorded fields, under their own names.
    pub(super) fn fields_into(&self, handoff: &mut Handoff) {
        for (line, pair) in &self.said {
            handoff.fields.push(pair.name.as_str(), Value::text(pair.value.as_str()), *line);
        }
    }
}

/// The date in the title, else in a heading near the top that begins with one.
fn heading_date(lines: &[Line<'_>], outline: &Outline) -> Option<(Moment, String)> {
    let title = outline.title.map(|t| outline.sections[t].name.clone());
    if let Some((Reading::Found(moment), title)) = title.map(|title| (read::heading(&title), title)) {
        return Some((moment, title));
    }
    let near = outline.sections.iter().filter(|s| s.level <= 3 && lines[s.at].number <= 30);
    near.take(3).find_map(|s| match read::heading(&s.name) {
        Reading::Found(moment) if read::begins_with_date(&s.name) => Some((moment, s.name.clone())),
        _ => None,
    })
}

/// The one value that the first section to name any gives; several different ones there cancel each other.
fn one_of<T: Clone>(
    stated: &[Stated<T>],
    what: &str,
    notes: &mut Vec<Problem>,
    same: impl Fn(&T, &T) -> bool,
) -> Option<T> {
    let plain = || stated.iter().filter(|s| !s.in_code);
    let all: Vec<_> = if plain().next().is_some() { plain().collect() } else { stated.iter().collect() };
    let section = all.first()?.section;
    let own = || all.iter().filter(|s| s.section == section);
    // A quotation beside a field of the page's own is what somebody said.
    let quotes_count = own().all(|s| s.quoted);
    let own = || own().filter(|s| quotes_count || !s.quoted);
    let first = own().next()?;
    let other = own().find(|s| !same(&s.value, &first.value));
    match other {
        None => Some(first.value.clone()),
        Some(other) => {
            let at = Position { line: other.line, column: 1 };
            let message = format!("another {what} than in line {}: neither is taken", first.line);
            notes.push(Problem::note(at, "said-twice", message));
            None
        }
    }
}

fn only<T: Clone + Ord>(values: &BTreeSet<T>) -> Option<T> {
    values.first().filter(|_| values.len() == 1).cloned()
}

impl Place {
    fn stated<T>(&self, value: T, line: u32) -> Stated<T> {
        Stated { value, section: self.section, line, in_code: self.in_code, quoted: self.quoted }
    }
}

/// Whether a label is a name for the sitting that the page was written in.
fn names_a_sitting(name: &str) -> bool {
    matches!(name.to_lowercase().as_str(), "session" | "this session" | "current session" | "sitting")
}

/// Whether a value says which one or when, and no step: `Next session: 115`.
fn is_number_or_date(value: &str) -> bool {
    let is_number = value.chars().all(|c| c.is_numeric() || c.is_whitespace());
    is_number
        || value.chars().count() <= 30
            && read::begins_with_date(value)
            && read::heading(value).moment().is_some()
}

/// Whether a label leaves no doubt, even among steps: `Current branch: x`.
fn says_current(pair: &Pair) -> bool {
    let is_value = match pair.known.label {
        Label::Branch => branch_of(&pair.value).is_some(),
        Label::Commit => commit_of(&pair.value).is_some(),
        _ => false,
    };
    is_value && pair.name.to_lowercase().starts_with("current ")
}

/// Whether a line is indented like code and is no item of a list.
fn is_indented(line: &Line<'_>) -> bool {
    line.text.starts_with("    ") && line.item().is_none()
}

/// Adds the lines that a step or a blocker is wrapped to.
fn unwrap(pair: &mut Pair, below: &[Line<'_>]) {
    if !matches!(pair.known.label, Label::Next | Label::Blockers) || pair.value.is_empty() {
        return;
    }
    let goes_on = |line: &&Line<'_>| {
        let text = line.bare();
        line.kind == Kind::Text
            && line.item().is_none()
            && !text.trim_start().starts_with(['|', '<', '*', '_'])
            && !names_a_field(text)
            && !is_rule(text)
    };
    for line in below.iter().take(MOST_WRAPPED).take_while(goes_on) {
        pair.value.push(' ');
        pair.value.push_str(line.bare().trim());
    }
}

/// Over how many lines a value can be wrapped.
const MOST_WRAPPED: usize = 8;

/// Whether a line begins like `Key: value`.
fn names_a_field(text: &str) -> bool {
    keyed(text).is_some_and(|(name, _)| !name.is_empty() && name.split_whitespace().count() <= 3)
        || !pairs::pairs(text).is_empty()
}
