//! What goes between the shelf's overlay and the workers.

use std::path::PathBuf;
use std::sync::Arc;

use crate::place::Listed;
use crate::shelf::{Done, Plan};

/// What a person wants done with handoffs.
#[derive(Debug, Clone)]
pub enum Wish {
    /// Into the archive beside each.
    Archive(Vec<Arc<Listed>>),
    /// Into the trash.
    Trash(Vec<Arc<Listed>>),
    /// Back to where each came from, or (one) to a chosen place.
    PutBack(Vec<Arc<Listed>>, Option<PathBuf>),
    /// The old ones among all of these into the archive.
    CleanUp(Vec<Arc<Listed>>),
    /// An action taken back: this one, or the last that stands.
    Undo(Option<String>),
}

/// What a worker has to say about the shelf.
#[derive(Debug)]
pub enum ShelfAnswer {
    /// Actions that had been cut off are settled: what became of each.
    Settled(Vec<String>),
    /// What would move where, or why nothing can.
    Planned(Result<Box<Plan>, String>),
    /// So many files are done, and this one is next.
    Moving(usize, PathBuf),
    /// It is done, or nothing was.
    Done(Result<Done, String>),
}
