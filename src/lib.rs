//! moorline finds the handoffs that coding agents left behind, says what in them is still true, and picks a
//! lane up again, safely.
//!
//! # The house
//!
//! | room | what it is for |
//! |---|---|
//! | [`handoff`] | what a handoff is. Pure: idents, inert text, problems, times, secrets, one reader per family, the writer |
//! | [`disk`] | the only room that opens files: contained and bounded reads, hashing, locks, private copies, atomic writes, moves, watch |
//! | [`place`] | where handoffs lie: the table of conventions, scan, names, the active plan |
//! | [`repo`] | the repository, read without running it (the only room that knows gix) |
//! | [`harness`] | claude, codex, hermes, opencode: stores, liveness, ids, executables |
//! | [`policy`] | thunderkit's config, catalog and contract; manifest, lock and provenance; who does an operation |
//! | [`settings`] | what a person can set: flags over environment over file over defaults |
//! | [`check`] | survey (reads) → evidence → judge (pure) → checks → verdict |
//! | [`resume`] | validated → planned → confirmed → started → outcome; the journal; the context block; the remote, on a yes |
//! | [`shelf`] | put away and back: archive, trash, clean up, undo; replaced bytes |
//! | [`snapshot`] | chosen files and the branch's history in a store outside of the project; verified, given back inert |
//! | [`save`] | the saver's words and captured facts → draft → one file written whole, the old bytes kept |
//! | [`cli`] | one small file per verb; text and JSON |
//! | [`tui`] | the screen: a pure core, panels, and a terminal that is given back as it was |
//! | [`demo`] | the sample project, and the stand-in for a harness |
//!
//! # How data flows
//!
//! `disk` → [`place::scan`] (streamed, bounded) → [`handoff::read`] → a row, not checked yet →
//! [`check::Examiner::examine`] on a worker → [`check::Report`] → a panel, or a JSON document.
//!
//! A resume: a validated lane → [`resume::Plan`] (nothing else makes one) → a person's yes → everything read again →
//! start → the store read again → [`resume::Outcome`] → journal.
//!
//! # Floors
//!
//! A room may use only rooms on floors below its own:
//! `handoff` ← `disk` ← `place repo harness policy settings` (strangers to each other) ← `check` ←
//! `resume shelf snapshot` (strangers) ← `save` ← `demo cli tui` (strangers to each other) ← `main`.
//! `tests/layers.rs` reads the imports and fails on an
//! arrow that runs up or sideways.

pub mod check;
pub mod cli;
pub mod demo;
pub mod disk;
pub mod handoff;
pub mod harness;
pub mod place;
pub mod policy;
pub mod repo;
pub mod resume;
pub mod save;
pub mod settings;
pub mod shelf;
pub mod snapshot;
pub mod tui;
