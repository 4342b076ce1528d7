//! moorline finds the handoffs that coding agents left behind, says what in them is still true, and picks a
//! lane up again, safely.
//!
//! # The house
//!
//! | room | what it is for |
//! |---|---|
//! | [`handoff`] | what a handoff is. Pure: idents, inert text, problems, one reader per family, the writer |
//! | [`disk`] | the only room that opens files: contained and bounded reads, hashing |
//! | [`place`] | where handoffs lie: the table of conventions, scan, names |
//! | [`repo`] | the repository, read without running it (the only room that knows gix) |
//! | [`harness`] | claude, codex, hermes, opencode: stores, liveness, ids, executables |
//! | [`policy`] | thunderkit's config and catalog |
//! | [`check`] | survey (reads) → evidence → judge (pure) → checks → verdict |
//! | [`save`] | writes handoffs: the old bytes or the new ones, and the old can be had back |
//!
//! # Floors
//!
//! A room may use only rooms on floors below its own:
//! `handoff` ← `disk` ← `place repo harness policy settings` (strangers to each other) ← `check` ← `resume` ←
//! `save` ← `demo cli tui` (strangers to each other) ← `main`. `tests/layers.rs` reads the imports and fails on an
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
pub mod tui;
