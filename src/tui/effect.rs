//! What the core wants done. It never does any of it itself.

use std::path::PathBuf;
use std::sync::Arc;

use super::action::Against;
use super::action::save::{Asked, Offer, Words};
use super::action::shelf::Wish;
use crate::check::Past;
use crate::place::Listed;
use crate::resume::lookup::Question;

/// One thing to do; answers come back as [`Answer`](super::action::Answer)s.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Scan all places, then settle and date the rows. Stops the scan before.
    Scan(u64),
    /// Read what is true of the project.
    Facts(u64),
    /// Judge these rows, in this order, behind those asked for singly.
    Examine(u64, Vec<Arc<Listed>>),
    /// Judge this row before all others.
    ExamineFirst(u64, Arc<Listed>),
    /// Read the text of a row; only the latest is wanted.
    Read(Arc<Listed>),
    /// Look for words (lowercased) in whole texts; only the latest is wanted.
    Search(u64, Vec<String>, Vec<Arc<Listed>>),
    /// Make the block that loads a row.
    Block(Arc<Listed>),
    /// Find the versions of a row before the present one; the others are all rows that are listed.
    Versions(Arc<Listed>, Vec<Arc<Listed>>),
    /// Read one of them, and the one that it is compared with where that is not the present one; only the latest is
    /// wanted.
    Earlier(Box<Looked>),
    /// Survey a lane and plan its resume.
    Plan {
        /// Names the plan from now on.
        ticket: u64,
        /// The handoff.
        row: Arc<Listed>,
        /// The lane's place in it.
        lane: usize,
    },
    /// A person's yes: start what was planned, with their prompt.
    Start(u64, String),
    /// The same for a program that needs the real terminal.
    StartInTerminal(u64, String),
    /// Ask the started program to stop.
    Stop(u64),
    /// Forget a plan.
    Drop(u64),
    /// Decide a lookup, and verify the id that came back.
    LookUp(u64, Question),
    /// Something for the save with this ticket.
    Save(u64, SaveOrder),
    /// Something for the shelf's action with this ticket.
    Shelf(u64, ShelfOrder),
    /// Something for the comparison with this ticket.
    Remote(u64, RemoteOrder),
    /// To the clipboard.
    Copy(String),
    /// Into the pager.
    Page(String),
    /// Into the editor, and back.
    Edit(String),
    /// Into the editor, to read: nothing comes back.
    View(String),
    /// Stop like any job of the shell.
    Suspend,
    /// Leave.
    Quit,
}

/// A version that somebody looks at.
#[derive(Debug, Clone)]
pub struct Looked {
    /// Of which row.
    pub row: Arc<Listed>,
    /// Its number among the versions before the present one, from 0.
    pub number: usize,
    /// What it is compared with.
    pub against: Against,
    /// The version.
    pub version: Past,
    /// The one that it is compared with; `None` for the present one.
    pub later: Option<Past>,
}

/// One thing to do for a save.
#[derive(Debug, Clone)]
pub enum SaveOrder {
    /// Say what would be written so far; of several only the latest is wanted. The facts are captured once.
    Sketch(Asked),
    /// Keep these words, in case the screen ends before they are saved.
    Keep(Words),
    /// Look whether a screen before this one left words of this project behind.
    Recall,
    /// The words that were left behind are in the form now: go on keeping them where they lie.
    GoOn,
    /// Capture the facts anew and say exactly what would be written.
    Preview(Asked),
    /// A person's yes: write what was previewed.
    Write,
    /// A person's yes to what is offered after a save.
    Take(Offer),
    /// A person's yes: list the past sessions of the worktree of this lane.
    Sessions(String, PathBuf),
    /// Forget it.
    End,
}

/// One thing to do at the shelf.
#[derive(Debug, Clone)]
pub enum ShelfOrder {
    /// Settle what was cut off before.
    Settle,
    /// Say what would move where.
    Plan(Wish),
    /// A person's yes: do what was shown; with `evict` also what goes from the trash for good.
    Act {
        /// The evictions that were named got a yes of their own.
        evict: bool,
    },
    /// Stop after the file that is being moved.
    Stop,
    /// Forget the plan.
    End,
}

/// One thing to do for the comparison with the remote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoteOrder {
    /// Put together what would be asked; asks nobody.
    Prepare,
    /// A person's yes: ask exactly what was shown.
    Ask,
    /// End whatever asks, and forget it.
    End,
}
