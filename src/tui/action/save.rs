//! What goes between the save form and the workers.

use std::path::PathBuf;
use std::sync::Arc;

use crate::handoff::difference::DiffLine;
use crate::handoff::{Family, Lane, ModelClass, Moment};
use crate::place::{Listed, Scope};
use crate::save::facts::Captured;
use crate::save::narrative::Narrative;
use crate::save::sketch::Past;
use crate::save::target::{Target, Wish};

use super::super::app::save::Saved;

/// What was said and chosen in the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Its number.
    pub revision: u64,
    /// The narrative as JSON.
    pub words: String,
    /// Which format.
    pub family: Family,
    /// What is wanted of the place.
    pub place: Wish,
    /// Lanes that are taken out.
    pub drop: Vec<String>,
    /// Whom it is for (memtomem).
    pub to: Option<String>,
    /// The session whose transcript drafts of decisions are taken from (theonekit).
    pub transcript: Option<String>,
}

/// What stands in a form and is kept while it is typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// The format that they are for.
    pub family: Family,
    /// The narrative as JSON; `None` where there is nothing to keep.
    pub text: Option<String>,
    /// A field was left out because a secret stands in it.
    pub is_less: bool,
}

/// Words that a screen before this one left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftWords {
    /// The format that they are for.
    pub family: Family,
    /// What was said.
    pub said: Narrative,
    /// When they were typed last.
    pub at: Moment,
}

/// What workers made of it; nothing is written.
#[derive(Debug, Clone)]
pub struct Sketched {
    /// Of which revision.
    pub revision: u64,
    /// Where it would go, or why nowhere.
    pub target: Result<Target, String>,
    /// What was captured, each with where it was read.
    pub captured: Vec<Captured>,
    /// The lanes as they would be written, or why not.
    pub lanes: Result<Vec<Lane>, String>,
    /// The classes of a valid config with their models.
    pub classes: Vec<(ModelClass, Vec<String>)>,
    /// The files with their sizes in bytes, the one at the target first; or what is missing or wrong.
    pub files: Result<Vec<(PathBuf, usize)>, String>,
    /// The handoff that lies at the target.
    pub previous: Option<Arc<Listed>>,
    /// Why git would not see the saved file, where it would not.
    pub ignored: Option<Hidden>,
}

/// Why git would not see a saved file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    /// The rule with its file and line, safe to show.
    pub rule: String,
    /// The edit of one line that would change that, in words; or why there is none.
    pub edit: Result<String, String>,
}

/// Exactly what a yes would write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// How far the handoff would reach.
    pub scope: Scope,
    /// Why there.
    pub why: String,
    /// What should be known of the file that is there and of what is cleared up, safe to show.
    pub remarks: Vec<String>,
    /// The files, the one at the target first.
    pub changes: Vec<Change>,
    /// Why git would not see the saved file, where it would not.
    pub ignored: Option<Hidden>,
    /// The command that a yes runs, where another program writes this format.
    pub runs: Option<String>,
    /// Why that program cannot be asked: only a person can run the command then.
    pub by_hand: Option<String>,
}

/// One file of a preview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which file.
    pub path: PathBuf,
    /// Its new size in bytes.
    pub bytes: usize,
    /// How many bytes it replaces; `None` for a new file.
    pub replaces: Option<usize>,
    /// How the old text becomes the new one.
    pub lines: Vec<DiffLine>,
}

/// What a worker has to say about a save.
#[derive(Debug)]
pub enum SaveAnswer {
    /// What would be written so far.
    Sketched(Box<Sketched>),
    /// Words that a screen before this one left behind.
    Left(Box<LeftWords>),
    /// Why words are not kept while they are typed.
    NotKept(String),
    /// Exactly what would be written, or why nothing can be; for this revision.
    Previewed(u64, Result<Preview, String>),
    /// What was written, or why nothing was.
    Written(Result<Saved, Unwritten>),
    /// What became of an offer that was taken; and the command that stages everything that is written now.
    Taken(Offer, Result<String, String>, Option<String>),
    /// The past sessions of a lane's worktree, and the stores that could not be asked.
    Sessions(String, Vec<Past>, Vec<String>),
}

/// What is offered after a save, each done only on a yes of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// The one-line edit by which git sees the saved file.
    ShowToGit,
    /// New decisions in the project's own list.
    Mirror,
}

/// Decisions that could be added to the project's own list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mirror {
    /// The list.
    pub path: PathBuf,
    /// What would be added at its end.
    pub added: String,
}

/// Why nothing was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unwritten {
    /// Somebody else is faster: what they did, in lines that are safe to show.
    Clash(String),
    /// The system or a rule refused, in a sentence.
    Refused(String),
}
