//! What the five verbs of the shelf have in common: which rows are meant, the plan, the yes, and what was done.

mod document;
mod words;

use std::io::{BufRead as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use document::ToldShape;

use super::args::Yes;
use super::desk::{Desk, Listing};
use super::naming::Naming;
use super::text;
use super::{Answer, Stop, print_json};
use crate::disk;
use crate::handoff::count_of;
use crate::place::{self, Listed, Roots, Skipped, State};
use crate::shelf::plan::{Ask, is_half, link_reason};
use crate::shelf::{Plan, Settled, Shelf, ShelfError, Verb};

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
            words::settled(&settled, out)?;
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

    /// The rows that names mean, among those in a wanted state. A bare name is a whole one, of this project or of the
    /// home directory; what another project put away answers to its whole path and its id.
    ///
    /// # Errors
    /// Nothing of that name, or several.
    pub fn rows(
        &self,
        verb: Verb,
        listing: &Listing,
        names: &[String],
        wanted: fn(State) -> bool,
    ) -> Result<Vec<Arc<Listed>>, Stop> {
        let naming = Naming::new(self.desk, &listing.rows);
        let mut found = Vec::new();
        for name in names {
            self.is_no_link(name)?;
            let rows = match self.twin(name, &listing.rows) {
                Some(rows) => rows.into_iter().filter(|row| wanted(row.state)).collect(),
                None => naming.moved(verb, name, wanted)?,
            };
            if rows.is_empty() {
                return Err(self.nothing(name, listing, wanted(State::Trashed)));
            }
            self.is_no_other_name(name, &rows)?;
            self.is_that_file(name, &rows)?;
            found.extend(rows);
        }
        Ok(found)
    }

    /// That no row of the wanted state has a name, or that this cannot be told.
    fn nothing(&self, name: &str, listing: &Listing, from_trash: bool) -> Stop {
        let could_be = |skipped: &&Skipped| from_trash && self.desk.could_be_trash(&skipped.path);
        let unread: Vec<_> = listing.skipped.iter().filter(could_be).cloned().collect();
        if let Some(said) = self.desk.untold(&unread) {
            return Stop::Said(Answer::Unknown, said);
        }
        let why = format!("no handoff is called {}: `moorline list` shows every path", text::word(name));
        self.desk.nothing(listing, Some(name), why)
    }

    /// The rows of exactly the file that a path names, where a list has only an equal one in its stead.
    fn twin(&self, name: &str, rows: &[Arc<Listed>]) -> Option<Vec<Arc<Listed>>> {
        let stands_for = |path: &PathBuf, row: &Listed| row.twins.contains(path) && !is_half(row, path);
        self.desk.places(name).into_iter().find_map(|path| {
            let row = rows.iter().find(|row| stands_for(&path, row))?;
            let mut own = place::read_path(&path, &self.roots).ok()?;
            for own in &mut own {
                let others = std::iter::once(&row.path).chain(&row.twins).filter(|twin| **twin != path);
                own.twins = others.cloned().collect();
            }
            Some(own.into_iter().map(Arc::new).collect())
        })
    }

    /// Refuses a path that is another name of a handoff's file: the name that was typed would stay.
    fn is_no_other_name(&self, name: &str, rows: &[Arc<Listed>]) -> Result<(), Stop> {
        let is_other = |path: &Path, row: &Listed| {
            disk::is_same(path, &row.path) && !disk::is_same_name(path, &row.path) && !is_half(row, path)
        };
        for path in self.desk.places(name) {
            if let Some(row) = rows.iter().find(|row| is_other(&path, row)) {
                let (path, own) = (text::path(&path), text::path(&row.path));
                return Err(Stop::no(format!(
                    "{path} is another name of the file of {own}: name it by that"
                )));
            }
        }
        Ok(())
    }

    /// Refuses the name of a symbolic link to a file, or to nothing: what it leads to is not what was named.
    fn is_no_link(&self, name: &str) -> Result<(), Stop> {
        for path in self.desk.places(name) {
            let leads_to_directory = matches!(disk::kind(&path), Ok((disk::Kind::Directory, _)));
            if let Some(reason) = link_reason(&path).filter(|_| !leads_to_directory) {
                let words = format!("{} {}", text::path(&path), text::line(&reason));
                return Err(Stop::no(format!("nothing was moved: {words}")));
            }
        }
        Ok(())
    }

    /// Refuses the path of a file that no list shows, where another one's name happens to be the same.
    fn is_that_file(&self, name: &str, rows: &[Arc<Listed>]) -> Result<(), Stop> {
        let path = self.desk.names_from.join(name);
        let Ok((disk::Kind::File, id)) = disk::kind(&path) else { return Ok(()) };
        match rows.iter().any(|row| row.file == id || row.twins.contains(&path)) {
            true => Ok(()),
            false => Err(Stop::no(format!("{} is no handoff that a list shows", text::path(&path)))),
        }
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
                words::plan(plan, out)?;
            }
            match needs_yes.then(|| asked(&words::question(plan), out)).transpose()? {
                None | Some(Reply::Yes) => {}
                Some(Reply::No) => {
                    writeln!(out, "nothing was moved")?;
                    return Ok(Answer::No);
                }
                Some(Reply::Nobody) => {
                    writeln!(out, "nothing was moved: {}", words::how_to_say_yes(plan))?;
                    return Ok(Answer::No);
                }
            }
            let entries = count_of(plan.evict.len(), "entry", "entries");
            let question = format!("Delete the {entries} named above for good?");
            evict = evict || (!plan.evict.is_empty() && asked(&question, out)? == Reply::Yes);
        } else if !yes.yes && needs_yes {
            return self.shown(plan, yes, out);
        }
        let now = self.desk.now()?;
        let mut done = self.shelf.act(plan, now, evict, &mut |_| true).map_err(stop)?;
        if yes.json {
            done.settled.splice(0..0, self.settled.iter().cloned());
            print_json(&document::done(plan, &done), out)?;
        } else {
            words::done(plan, &done, out)?;
        }
        Ok(if document::is_whole(plan, &done) { Answer::Yes } else { Answer::No })
    }

    /// The plan alone: a dry run, nothing to do, or a yes that is missing.
    fn shown(&self, plan: &Plan, yes: &Yes, out: &mut dyn Write) -> Result<Answer, Stop> {
        if yes.json {
            let wants_yes = !plan.is_empty() && !yes.dry_run;
            print_json(&document::planned(plan, &self.settled, wants_yes), out)?;
        } else {
            words::plan(plan, out)?;
        }
        Ok(match plan.is_empty() {
            // Who sweeps names nothing that would have to be there.
            true if plan.verb == Verb::Cleanup => Answer::Yes,
            false if yes.dry_run => Answer::Yes,
            _ => Answer::No,
        })
    }
}

/// What somebody answers who is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reply {
    Yes,
    No,
    /// Nobody is there to ask.
    Nobody,
}

/// Asks a person at a terminal.
fn asked(question: &str, out: &mut dyn Write) -> Result<Reply, Stop> {
    use rustix::termios::isatty;
    if !isatty(rustix::stdio::stdin()) || !isatty(rustix::stdio::stdout()) {
        return Ok(Reply::Nobody);
    }
    write!(out, "{question} [y/N] ")?;
    out.flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(if matches!(line.trim(), "y" | "Y" | "yes") { Reply::Yes } else { Reply::No })
}

/// Why nothing was done, with its exit code.
pub fn stop(error: ShelfError) -> Stop {
    match error {
        ShelfError::Nothing(said) => Stop::no(lines(&said)),
        ShelfError::Several(said) => Stop::bad(lines(&said)),
        ShelfError::Busy => Stop::no(text::line(&error.to_string())),
        ShelfError::Disk(_) => Stop::bad(text::line(&error.to_string())),
    }
}

fn lines(said: &[String]) -> String {
    let lines: Vec<_> = said.iter().map(|sentence| text::line(sentence)).collect();
    lines.join("\n")
}
