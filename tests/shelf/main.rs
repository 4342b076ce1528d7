//! Handoffs are put away and come back: nothing is replaced, nothing is lost, everything can be undone.

mod crash;
mod journeys;
mod names;
mod quota;
mod race;
mod sessions;
mod world;
