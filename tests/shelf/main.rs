//! Handoffs are put away and come back: nothing is replaced, nothing is lost, everything can be undone.

#[path = "../common/desk.rs"]
mod desk;

#[path = "../common/pty.rs"]
mod pty;

mod copies;
mod crash;
mod elsewhere;
mod journeys;
mod log;
mod names;
mod quota;
mod race;
mod refused;
mod screen;
mod sessions;
mod undoing;
mod worktrees;
mod world;
