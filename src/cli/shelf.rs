//! What the five verbs of the shelf have in common: which rows are meant, the plan, the yes, and what was done.

use std::io::{BufRead as _, Write};
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;

use super::args::Yes;
use super::desk::{Desk, Listing};
use super::shape::path_text;
use super::text;
use super::{Answer, Stop, print_json};
use crate::check::Summary;
use crate::disk;
use crate::handoff::count_of;
use crate::place::{self, Listed, Resolution, Roots, Scope, State};
use crate::shelf::plan::{Ask, link_reason};
use crate::shelf::{Done, Fate, Plan, Quota, Settled, Shelf, ShelfError, Told, Verb, handoffs};

/// `moorline.archive/1`, `moorline.trash/1`, `moorline.put-back/1`, `moorline.cleanup/1`, `moorline.undo/1`
#[derive(Serialize)]
struct ShelfDocument<'a> {
    schema: String,
    /// `false` for a dry run, and where a yes is missing: nothing was moved.
    done: bool,
    /// The id by which it can be undone.
    action: Option<&'a str>,
    /// The action that was taken back.
    undoes: Option<&'a str>,
    /// Newer actions of this project that cannot be taken back, newest first.
    passed_over: Vec<ToldShape<'a>>,
    /// A newer action from another project, which is left alone.
    elsewhere: Option<ToldShape<'a>>,
    moves: Vec<MoveShape<'a>>,
    /// What is not touched, and why.
    spared: Vec<SparedShape<'a>>,
    quota: Option<Quota>,
    /// Trash entries that are too many, oldest first.
    evict: Vec<String>,
    /// Those of them that were deleted for good.
    evicted: Vec<String>,
    /// Actions that had been cut off, and what became of them.
    settled: Vec<SettledShape<'a>>,
    remarks: Vec<&'a str>,
    summary: Summary,
}

#[derive(Serialize)]
struct MoveShape<'a> {
    from: String,
    /// Where it goes, or went.
    to: String,
    /// The name that was taken.
    instead_of: Option<String>,
    bytes: u64,
    /// `would_move`, `moved`, `stayed`, `not_begun`
    outcome: &'static str,
    reason: Option<&'a str>,
}

/// An action of the log.
#[derive(Serialize)]
struct ToldShape<'a> {
    action: &'a str,
    verb: Verb,
    time: &'a str,
    /// Handoffs of it that were not taken back since.
    handoffs: usize,
    /// `null` where the log does not say.
    project: Option<String>,
    /// Why it cannot be taken back; `null` for one that is only left alone.
    reason: Option<&'a str>,
}

impl<'a> ToldShape<'a> {
    fn of(told: &'a Told, reason: Option<&'a str>) -> Self {
        let project = told.project.as_deref().map(path_text);
        let (action, verb, time, handoffs) = (&told.id, told.verb, &told.time, told.handoffs);
        Self { action, verb, time, handoffs, project, reason }
    }
}

#[derive(Serialize)]
struct SparedShape<'a> {
    path: String,
    reason: &'a str,
}

#[derive(Serialize)]
struct SettledShape<'a> {
    action: &'a str,
    verb: Verb,
    time: &'a str,
    said: &'a str,
    unsettled: Vec<String>,
}

/// A desk at which things are put away.
pub struct Counter<'a> {
    desk: &'a Desk,
    shelf: Shelf,
    roots: Roots,
    settled: Vec<Settled>,
}

impl<'a> Counter<'a> {
    /// Opens the shelf. What was cut off before is settled first, but for a dry run, which changes nothing.
    ///
    /// # Errors
    /// No home directory, or another moorline is at work.
    pub fn open(desk: &'a Desk, yes: &Yes, out: &mut dyn Write) -> Result<Self, Stop> {
        let shelf =
            Shelf::of(&desk.examiner).ok_or_else(|| Stop::bad("no home directory is known: set HOME"))?;
        let settled = match yes.dry_run || shelf.interrupted().is_none() {
            true => Vec::new(),
            false => shelf.settle().map_err(stop)?,
        };
        if !yes.json {
            settled_words(&settled, out)?;
        }
        Ok(Self { desk, shelf, roots: desk.examiner.roots(), settled })
    }

    /// What plans are made from.
    pub fn ask(&self) -> Result<Ask<'_>, Stop> {
        Ok(Ask { shelf: &self.shelf, roots: &self.roots, now: self.desk.now()? })
    }

    /// The shelf.
    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// The rows that names mean, among those in a wanted state. A bare name is one of this project or of the home
    /// directory; what another project put away answers to its whole path and its id.
    ///
    /// # Errors
    /// Nothing of that name, or several.
    pub fn rows(
        &self,
        listing: &Listing,
        names: &[String],
        wanted: fn(State) -> bool,
    ) -> Result<Vec<Arc<Listed>>, Stop> {
        let mut found = Vec::new();
        for name in names {
            self.is_no_link(name)?;
            let is_meant = |row: &&Arc<Listed>| {
                row.id == *name || row.path == Path::new(name) || self.is_near(row, name)
            };
            let (near, far): (Vec<_>, Vec<_>) = listing.rows.iter().cloned().partition(|row| is_meant(&row));
            let fitting: Vec<_> = near.iter().filter(|row| wanted(row.state)).cloned().collect();
            match self.resolve(name, &fitting) {
                Resolution::These(rows) => {
                    self.is_meant(name, &rows)?;
                    found.extend(rows);
                }
                Resolution::Several(rows) => return Err(Desk::several(name, &rows)),
                Resolution::Nothing => return Err(self.unfit(name, listing, &near, &far)),
            }
        }
        Ok(found)
    }

    /// Whether a row is of this project or of the home directory, or a name is the whole path of where it was.
    fn is_near(&self, row: &Listed, name: &str) -> bool {
        row.origin.as_deref() == Some(Path::new(name)) || place::is_own(row, &self.roots)
    }

    /// Why no row of the wanted state has a name.
    fn unfit(&self, name: &str, listing: &Listing, near: &[Arc<Listed>], far: &[Arc<Listed>]) -> Stop {
        let first = |rows: &[Arc<Listed>]| match self.resolve(name, rows) {
            Resolution::These(rows) | Resolution::Several(rows) => rows.into_iter().next(),
            Resolution::Nothing => None,
        };
        let shown = text::word(name);
        if let Some(row) = first(near) {
            return Stop::no(match row.state {
                State::Live => format!("{shown} is not put away"),
                State::Archived => format!("{shown} is archived already"),
                State::Trashed => format!("{shown} is in the trash: `moorline put-back` brings it back"),
            });
        }
        if let Some(row) = first(far) {
            let origin = text::path(row.origin.as_deref().unwrap_or(&row.path));
            return Stop::no(format!(
                "no handoff of this project is called {shown}; in the trash is one of another project: name it as {origin}"
            ));
        }
        let why = format!("no handoff is called {shown}: `moorline list` shows every path");
        self.desk.nothing(listing, Some(name), why)
    }

    /// Refuses the name of a symbolic link to a file, or to nothing: what it leads to is not what was named.
    fn is_no_link(&self, name: &str) -> Result<(), Stop> {
        let places = [self.desk.cwd.join(name), self.desk.examiner.project().join(name)];
        for path in places {
            let leads_to_directory = matches!(disk::kind(&path), Ok((disk::Kind::Directory, _)));
            if let Some(reason) = link_reason(&path).filter(|_| !leads_to_directory) {
                let words = format!("{} {}", text::path(&path), text::line(&reason));
                return Err(Stop::no(format!("nothing was moved: {words}")));
            }
        }
        Ok(())
    }

    /// What a name means. What was put away answers to where it was before it answers to anything else.
    fn resolve(&self, name: &str, rows: &[Arc<Listed>]) -> Resolution {
        let places = [self.desk.cwd.join(name), self.desk.examiner.project().join(name)];
        let was_there =
            |row: &&Arc<Listed>| row.origin.as_ref().is_some_and(|origin| places.contains(origin));
        let from: Vec<_> = rows.iter().filter(was_there).cloned().collect();
        match from.len() {
            0 => place::resolve(name, &self.desk.cwd, rows),
            1 => Resolution::These(from),
            _ => Resolution::Several(from),
        }
    }

    /// Refuses a path that is not here but happens to be the name of another worktree's file.
    fn is_meant(&self, name: &str, rows: &[Arc<Listed>]) -> Result<(), Stop> {
        let path = Path::new(name);
        let reads_as_path = path.components().count() > 1 || path.extension().is_some();
        if !reads_as_path || path.is_absolute() || disk::is_taken(&self.desk.cwd.join(name)) {
            return Ok(());
        }
        let project = self.desk.examiner.project();
        let is_elsewhere = |row: &&Arc<Listed>| {
            row.state == State::Live && row.scope != Scope::Global && row.root != project
        };
        let far = rows.iter().find(is_elsewhere);
        far.map_or(Ok(()), |row| {
            Err(Stop::no(format!(
                "{} is not here; there is one in another worktree: name it as {}",
                text::word(name),
                text::path(&row.path)
            )))
        })
    }

    /// Shows the plan, gets a yes where one is needed, does it, and says what was done.
    pub fn go(&self, plan: &Plan, yes: &Yes, evict: bool, out: &mut dyn Write) -> Result<Answer, Stop> {
        let needs_yes = plan.needs_yes();
        if yes.dry_run || plan.is_empty() {
            return self.shown(plan, yes, out);
        }
        let mut evict = evict;
        if !yes.json && !yes.yes {
            let asks = needs_yes || !plan.evict.is_empty();
            if asks {
                self.plan_words(plan, out)?;
            }
            if needs_yes && !asked(&format!("{} this?", verb_words(plan.verb).0), out)? {
                let fewer = if plan.handoffs() > 1 { ", or name fewer" } else { "" };
                writeln!(out, "nothing was moved: say it with --yes{fewer}")?;
                return Ok(Answer::No);
            }
            let entries = count_of(plan.evict.len(), "entry", "entries");
            let question = format!("Delete the {entries} named above for good?");
            evict = evict || (!plan.evict.is_empty() && asked(&question, out)?);
        } else if !yes.yes && needs_yes {
            return self.shown(plan, yes, out);
        }
        let now = self.desk.now()?;
        let mut done = self.shelf.act(plan, now, evict, &mut |_| true).map_err(stop)?;
        if yes.json {
            done.settled.splice(0..0, self.settled.iter().cloned());
            print_json(&document(plan, Some(&done), &[]), out)?;
        } else {
            done_words(plan, &done, out)?;
        }
        Ok(if done.moved() == plan.moves.len() { Answer::Yes } else { Answer::No })
    }

    /// The plan alone: a dry run, nothing to do, or a yes that is missing.
    fn shown(&self, plan: &Plan, yes: &Yes, out: &mut dyn Write) -> Result<Answer, Stop> {
        if yes.json {
            print_json(&document(plan, None, &self.settled), out)?;
        } else {
            self.plan_words(plan, out)?;
        }
        Ok(if yes.dry_run && !plan.is_empty() { Answer::Yes } else { Answer::No })
    }

    fn plan_words(&self, plan: &Plan, out: &mut dyn Write) -> Result<(), Stop> {
        if plan.is_empty() {
            writeln!(out, "nothing to {}", verb_words(plan.verb).0.to_lowercase())?;
        } else {
            let word = verb_words(plan.verb).0.to_lowercase();
            match &plan.takes_back {
                Some(told) => writeln!(out, "would {word} {} ({}):", text::line(&told.words()), told.id)?,
                None => writeln!(out, "would {word} {}:", handoffs(plan.handoffs()))?,
            }
        }
        for way in &plan.moves {
            writeln!(out, "  {}\n    → {}", text::path(&way.from.path), text::path(&way.to.path))?;
            if let Some(taken) = &way.instead_of {
                writeln!(out, "      because {} is taken", text::path(taken))?;
            }
            if way.is_copy {
                writeln!(out, "      on another file system: copied, compared, then removed")?;
            }
        }
        for spared in &plan.spared {
            writeln!(out, "  stays: {} – {}", text::path(&spared.path), text::line(&spared.reason))?;
        }
        beside_words(plan, out)?;
        quota_words(plan, out)
    }
}

/// `archive` and `archived`, as sentences begin and end with them.
fn verb_words(verb: Verb) -> (&'static str, &'static str) {
    match verb {
        Verb::Archive => ("Archive", "archived"),
        Verb::Cleanup => ("Archive", "archived"),
        Verb::Trash => ("Trash", "trashed"),
        Verb::PutBack => ("Put back", "put back"),
        Verb::Undo | Verb::Save => ("Undo", "moved back"),
    }
}

/// What is not in the plan and has to be known all the same.
fn beside_words(plan: &Plan, out: &mut dyn Write) -> Result<(), Stop> {
    for sentence in plan.beside() {
        writeln!(out, "{}", text::line(&sentence))?;
    }
    Ok(())
}

fn quota_words(plan: &Plan, out: &mut dyn Write) -> Result<(), Stop> {
    let (Some(quota), false) = (plan.quota, plan.evict.is_empty()) else { return Ok(()) };
    writeln!(
        out,
        "  the trash will hold {}, {} more than its quota of {}; the oldest are:",
        count_of(quota.after, "entry", "entries"),
        quota.after.saturating_sub(quota.limit),
        quota.limit
    )?;
    for path in &plan.evict {
        writeln!(out, "    {}", text::path(path))?;
    }
    writeln!(out, "  they stay unless you say --evict, which deletes them for good")?;
    Ok(())
}

fn settled_words(settled: &[Settled], out: &mut dyn Write) -> Result<(), Stop> {
    for one in settled {
        writeln!(out, "first: {} ({})", one.said, text::line(&one.time))?;
        for path in &one.unsettled {
            writeln!(out, "  look at {}", text::path(path))?;
        }
    }
    Ok(())
}

fn done_words(plan: &Plan, done: &Done, out: &mut dyn Write) -> Result<(), Stop> {
    settled_words(&done.settled, out)?;
    let word = verb_words(plan.verb).1;
    for (outcome, way) in done.outcomes.iter().zip(&plan.moves) {
        let from = text::path(&outcome.from);
        match &outcome.fate {
            Fate::Moved(to) => {
                writeln!(out, "{word}: {from}\n  → {}", text::path(to))?;
                if *to != way.to.path || way.instead_of.is_some() {
                    writeln!(out, "    because {} is taken", text::path(way.wanted()))?;
                }
            }
            Fate::Stayed(why) => writeln!(out, "stays: {from} – {}", text::line(why))?,
            Fate::NotBegun => writeln!(out, "not begun: {from}")?,
        }
    }
    for spared in &plan.spared {
        writeln!(out, "stays: {} – {}", text::path(&spared.path), text::line(&spared.reason))?;
    }
    for path in &done.evicted {
        writeln!(out, "deleted for good: {}", text::path(path))?;
    }
    let over = plan
        .quota
        .map_or(0, |quota| (quota.held + done.moved()).saturating_sub(quota.limit + done.evicted.len()));
    if over > 0 {
        writeln!(out, "the trash holds {over} more than its quota: nothing was evicted without a yes")?;
    }
    for remark in &done.remarks {
        writeln!(out, "{}", text::line(remark))?;
    }
    beside_words(plan, out)?;
    if let (Some(id), true) = (&done.action, done.moved() > 0 && plan.verb != Verb::Undo) {
        writeln!(
            out,
            "{} of {} {word}; take it back: moorline undo {id}",
            done.handoffs(plan),
            plan.handoffs()
        )?;
    }
    Ok(())
}

fn document<'a>(plan: &'a Plan, done: Option<&'a Done>, settled: &'a [Settled]) -> ShelfDocument<'a> {
    let word = plan.verb.word();
    let settled = done.map_or(settled, |done| &done.settled);
    let moves = plan.moves.iter().enumerate().map(|(at, way)| {
        let fate = done.and_then(|done| done.outcomes.get(at)).map(|outcome| &outcome.fate);
        let (outcome, to, reason) = match fate {
            None => ("would_move", &way.to.path, None),
            Some(Fate::Moved(to)) => ("moved", to, None),
            Some(Fate::Stayed(why)) => ("stayed", &way.to.path, Some(why.as_str())),
            Some(Fate::NotBegun) => ("not_begun", &way.to.path, None),
        };
        MoveShape {
            from: path_text(&way.from.path),
            to: path_text(to),
            instead_of: way.instead_of.as_deref().map(path_text),
            bytes: way.bytes,
            outcome,
            reason,
        }
    });
    let all = plan.handoffs();
    let (said, next) = match done {
        // What the text form does not offer either: an undo is not undone, and nothing moved is nothing to undo.
        Some(done) if plan.verb == Verb::Undo || done.moved() == 0 => {
            (format!("{word}: {} of {all} moved", done.handoffs(plan)), "nothing")
        }
        Some(done) => {
            (format!("{word}: {} of {all} moved", done.handoffs(plan)), "take it back: moorline undo")
        }
        None if plan.is_empty() => {
            (format!("nothing to {}", verb_words(plan.verb).0.to_lowercase()), "nothing")
        }
        None => {
            (format!("would {word} {}", handoffs(all)), "do it: the same with --yes and without --dry-run")
        }
    };
    ShelfDocument {
        schema: format!("moorline.{word}/1"),
        done: done.is_some(),
        action: done.and_then(|done| done.action.as_deref()),
        undoes: plan.undoes(),
        passed_over: plan
            .passed_over
            .iter()
            .map(|passed| ToldShape::of(&passed.action, Some(&passed.reason)))
            .collect(),
        elsewhere: plan.elsewhere.as_ref().map(|told| ToldShape::of(told, None)),
        moves: moves.collect(),
        spared: plan
            .spared
            .iter()
            .map(|spared| SparedShape { path: path_text(&spared.path), reason: &spared.reason })
            .collect(),
        quota: plan.quota,
        evict: plan.evict.iter().map(|path| path_text(path)).collect(),
        evicted: done.iter().flat_map(|done| &done.evicted).map(|path| path_text(path)).collect(),
        settled: settled
            .iter()
            .map(|one| SettledShape {
                action: &one.action,
                verb: one.verb,
                time: &one.time,
                said: &one.said,
                unsettled: one.unsettled.iter().map(|path| path_text(path)).collect(),
            })
            .collect(),
        remarks: done
            .iter()
            .flat_map(|done| &done.remarks)
            .chain(&plan.remarks)
            .map(String::as_str)
            .collect(),
        summary: Summary::plain(said, next),
    }
}

/// A yes from a person at a terminal; no where nobody is there to ask.
fn asked(question: &str, out: &mut dyn Write) -> Result<bool, Stop> {
    use rustix::termios::isatty;
    if !isatty(rustix::stdio::stdin()) || !isatty(rustix::stdio::stdout()) {
        return Ok(false);
    }
    write!(out, "{question} [y/N] ")?;
    out.flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

/// Why nothing was done, with its exit code.
pub fn stop(error: ShelfError) -> Stop {
    match error {
        ShelfError::Nothing(said) => {
            let lines: Vec<_> = said.iter().map(|sentence| text::line(sentence)).collect();
            Stop::no(lines.join("\n"))
        }
        ShelfError::Busy => Stop::no(text::line(&error.to_string())),
        ShelfError::Disk(_) => Stop::bad(text::line(&error.to_string())),
    }
}
