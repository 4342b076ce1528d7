//! Saving: what a person or an agent says, and the facts as they are, in one file that is written whole.
//!
//! No model, no config and no search of any history is needed. What was captured says where it was read; what is
//! not known is said to be unknown. The bytes that a save replaces can be had back.
//!
//! | file | what it does |
//! |---|---|
//! | [`narrative`], `carry` | what only the saver can say, as JSON or markdown; what a former handoff said |
//! | `homeless` | what a format has no place for |
//! | [`facts`] | the repository's facts with their sources |
//! | [`target`] | where, and why there |
//! | `theonekit` | its document, and a chain of files where one would be too large |
//! | [`decisions`] | drafts of decisions out of a transcript, for theonekit and on request |
//! | `thunderkit` | its document, with the policy of a valid config |
//! | `lanes`, `session`, `model` | one lane for each linked worktree, with what the harness's store proves of it |
//! | `memtomem` | one record within its caps, written by memtomem itself and read back |
//! | [`draft`](mod@draft) | all of it together, nothing written yet; and then written |
//! | [`file`](mod@file) | one file: lock, compare with what was last read, keep the old bytes, write, read back |
//! | `remarks`, `advice` | what to know before a yes of the file that is there; what to do where nothing can be written |
//! | [`kept`] | words of a save that failed, and of a form that is filled in |
//! | [`ignored`] | the rule by which git would not see the saved file, and the one line that changes that |
//! | [`sketch`] | what can be told while the saver still writes; the choices there are |
//! | [`offers`] | on a yes: new decisions in thunderkit's list; commands that stage what was written, and keep a snapshot of it |
//! | [`sweep`] | after a save: old ones to the archive, a former chain's links to the trash |
//! | [`verdicts`] | after a save: which lanes may go on, and exactly why the others may not |
//! | `difference` | what somebody else wrote meanwhile, for the one who is told |
//! | `shell` | commands that a person can paste |
//!
//! git's index is never written: what stages the saved files is a command to paste.

mod advice;
mod carry;
pub mod decisions;
mod difference;
pub mod draft;
pub mod facts;
pub mod file;
mod homeless;
pub mod ignored;
pub mod kept;
mod lanes;
mod memtomem;
mod model;
pub mod narrative;
pub mod offers;
mod remarks;
mod session;
mod shell;
pub mod sketch;
pub mod sweep;
pub mod target;
mod theonekit;
mod thunderkit;
pub mod verdicts;

/// The most bytes of one handoff file.
pub const CAP: usize = 32_768;
