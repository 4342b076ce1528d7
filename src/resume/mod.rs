//! Validated → planned → confirmed → started → outcome; the journal; the context block.
//!
//! A [`Plan`] exists only from a validated lane, a [`Confirmed`] only from a plan and a prompt, a [`Running`]
//! only from a confirmed plan whose recheck agreed. Nothing else can start a client, with one exception that the plan
//! shows: one without package files is asked for its version. A [`Tool`] is no client: a save that a person wants in
//! memtomem's format has memtomem write it, a [`Question`] to a remote has
//! git ask it, and a [`TargetQuestion`] has gh ask GitHub.
//!
//! | file | what it is for |
//! |---|---|
//! | `plan` | a validated lane → everything that is shown before the yes |
//! | `preflight` | whether the installed client is one that was seen to behave |
//! | `evidence` | what a yes is bound to, and what differs from it |
//! | `model` | who will answer |
//! | `env` | what the child's environment is |
//! | `child` | one process: its group, its pipes, its end |
//! | `tool` | a program that is run once and heard whole |
//! | `lent` | one process that has the person's terminal for a while |
//! | `heard` | what it says, secrets blacked out |
//! | `interrupt` | Ctrl-C on the command line |
//! | `start` | a yes → lock, log, survey again, start, outcome |
//! | `outcome` | what became of it, from the store before and after |
//! | `journal` | two lines per attempt |
//! | `context` | the block that `context` prints |
//! | `elsewhere` | that a handoff lies in another worktree |
//! | `target` | the issue that a next step names, asked of GitHub by gh and on a person's yes |
//! | `remote` | this checkout against the remote that it follows, by git and on a person's yes |
//! | [`lookup`] | a missing session, looked for by the host's own component |

mod child;
mod context;
mod elsewhere;
mod env;
mod evidence;
mod heard;
mod interrupt;
mod journal;
mod lent;
pub mod lookup;
mod model;
mod outcome;
mod plan;
mod preflight;
mod remote;
mod start;
mod target;
mod tool;

pub use context::{Wanted, context_block, is_addressed_here, not_loadable};
pub use elsewhere::elsewhere;
pub use heard::Progress;
pub use interrupt::{HeldBack, Interrupts};
pub use outcome::Outcome;
pub use plan::{Plan, Refusal};
pub use remote::{Asking, Comparison, Question};
pub use start::{Attempt, Confirmed, Running, Stopper};
pub use target::{Target, TargetQuestion, TargetState};
pub use tool::{Heard, Listening, Tool};
